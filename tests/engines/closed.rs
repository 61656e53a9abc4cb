//! Closed sets of small random boards, for every game with moves in the registry: they certify
//! that nothing is cheaper than the optimum, and never that the optimum itself is impossible.

use crate::common::extent::extent;
use crate::common::{self, close, has_clauses};
use std::collections::BTreeMap;
use unstuck::closed::ClosedSet;
use unstuck::closed::check::{ClosedSetError, ClosedSetStats};
use unstuck::closed::close::ClosureError;
use unstuck::instance::Instance;
use unstuck::limits::{Limits, Monitor};
use unstuck::proof::lrat;
use unstuck::registry::{FAMILIES, by_name};
use unstuck::transition::lrat::prove;
use unstuck::transition::{Budget, Obligation};
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// States after which a sample is skipped.
const STATES: usize = 20_000;

/// Lists with more entries are verified natively only.
const LRAT_ENTRIES: usize = 400;

fn each_game(samples: u64, mut law: impl FnMut(&dyn Instance, &str)) {
    for family in FAMILIES {
        for &objective in family.objectives {
            for seed in 0..samples {
                let opened = (family.sample)(seed);
                for instance in opened.instances(objective).expect("a listed objective") {
                    if instance.moves().is_some() {
                        let objective = objective.name();
                        law(instance.as_ref(), &format!("{} {objective} {seed}", family.name));
                    }
                }
            }
        }
    }
}

/// Writes the three proofs and has them checked; the number of lemmas. Propagation through the
/// transition has to settle every action: a family whose transition leaves something open fails.
fn by_lrat(instance: &dyn Instance, set: &ClosedSet, name: &str) -> u64 {
    let limits = Limits::none();
    let mut monitor = Monitor::silent(&limits);
    let formulas = instance.moves().expect("a game").closed_formulas(set, &mut monitor);
    let formulas = formulas.unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut lemmas = 0;
    for part in Obligation::ALL {
        let mut proof = Vec::new();
        let written = prove(formulas.as_ref(), part, &mut proof, &mut monitor)
            .unwrap_or_else(|e| panic!("{name}, {}: {e}", part.name()));
        let formula = formulas.cubes().formula(part, &mut monitor).expect("no limits");
        let accepted = lrat::check(&formula, proof.as_slice(), &limits)
            .unwrap_or_else(|e| panic!("{name}, {}: {e}", part.name()));
        assert_eq!(accepted.lemmas, written, "{name}");
        lemmas += written;
    }
    lemmas
}

#[test]
fn closed_sets_certify_the_optimum_and_nothing_more() {
    let mut proved: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    // Of each family and objective.
    let samples = extent(25, 80);
    each_game(samples, |instance, name| {
        let Some(optimum) = common::optimum(instance, STATES) else { return };
        let any = instance.objective() == Objective::Any;
        let claim = match optimum {
            None => Budget::Any,
            Some(_) if any => return,
            Some(0) => {
                assert_eq!(close(instance, Budget::Within(0), false), Err(ClosureError::Solvable));
                return;
            }
            Some(optimum) => {
                for use_bound in [false, true] {
                    let false_claim = close(instance, Budget::Within(optimum), use_bound);
                    assert!(
                        matches!(false_claim, Err(ClosureError::Solvable | ClosureError::NoBound)),
                        "{name}: {false_claim:?}"
                    );
                }
                Budget::Within(optimum - 1)
            }
        };
        let counts = proved.entry(instance.family()).or_default();
        for use_bound in [false, true] {
            let set = match close(instance, claim, use_bound) {
                Ok(set) => set,
                Err(ClosureError::NoBound) if use_bound => continue,
                Err(error) => panic!("{name}: {error:?}"),
            };
            assert_eq!(set.bound.is_some(), use_bound);
            let looked = instance.moves().expect("a game").check_closed(
                &Constraints::default(),
                &set,
                &mut Monitor::silent(&Limits::none()),
            );
            looked.unwrap_or_else(|error| panic!("{name}: {error}"));
            counts.0 += 1;
            if use_bound {
                let formulas = instance
                    .moves()
                    .expect("a game")
                    .closed_formulas(&set, &mut Monitor::silent(&Limits::none()));
                assert!(formulas.is_err(), "a bound is not in the clauses");
                let another = ClosedSet { bound: Some("another".to_owned()), ..set };
                assert!(checked(instance, &another).is_err(), "{name}: a bound of another name");
            } else if has_clauses(instance) && set.entries.len() <= LRAT_ENTRIES {
                counts.1 += 1;
                counts.2 += by_lrat(instance, &set, name);
            }
        }
    });
    for (family, (native, written, lemmas)) in proved {
        println!("{family}: {native} lists, {written} of them as LRAT with {lemmas} lemmas");
        let family = by_name(family).expect("registered");
        let sample = (family.sample)(0).instances(family.objectives[0]).expect("listed").remove(0);
        let in_clauses = 8 * written >= samples;
        let enough = 4 * native >= samples && in_clauses == has_clauses(sample.as_ref());
        assert!(enough, "{}: hardly anything was tested", family.name);
    }
}

/// What a game says of a list.
fn checked(instance: &dyn Instance, set: &ClosedSet) -> Result<ClosedSetStats, ClosedSetError> {
    let limits = Limits::none();
    instance.moves().expect("a game").check_closed(
        &Constraints::default(),
        set,
        &mut Monitor::silent(&limits),
    )
}

/// Lists with false claims, made from a true one: nothing that claims as much as the optimum may be
/// accepted.
fn forgeries(set: &ClosedSet, (cost, tie): (u32, u32)) -> Vec<ClosedSet> {
    let one_more = |budget: Budget| match budget {
        Budget::Tied(first, second) => Budget::Tied(first, second + 1),
        other => other,
    };
    let more_of_the_first = |budget: Budget| match budget {
        Budget::Tied(first, second) => Budget::Tied(first + 1, second),
        Budget::Within(first) => Budget::Within(first + 1),
        Budget::Any => Budget::Any,
    };
    let untied = |budget: Budget| budget.first().map_or(Budget::Any, Budget::Within);
    let with = |claim: Budget, change: &dyn Fn(Budget) -> Budget| {
        let entries = set.entries.iter().map(|(budget, text)| (change(*budget), text.clone()));
        ClosedSet { claim, entries: entries.collect(), ..set.clone() }
    };
    vec![
        with(Budget::Tied(cost, tie), &|budget| budget),
        with(Budget::Tied(cost, tie), &one_more),
        with(Budget::Tied(cost + 1, tie - 1), &more_of_the_first),
        with(Budget::Tied(cost + 1, 0), &more_of_the_first),
        with(Budget::Within(cost), &untied),
        with(Budget::Within(cost), &|budget| budget),
        with(Budget::Any, &|_| Budget::Any),
    ]
}

#[test]
fn closed_sets_certify_the_tie_break_and_nothing_more() {
    let mut proved: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    let samples = extent(140, 700);
    each_game(samples, |instance, name| {
        let objective = instance.objective();
        if objective == objective.first() {
            return;
        }
        let Some(Some(plan)) = common::oracle(instance, STATES) else { return };
        let cost = objective.primary(plan.tally());
        let tie = objective.secondary(plan.tally());
        for use_bound in [false, true] {
            for too_much in [Budget::Tied(cost, tie), Budget::Tied(cost + 1, 0)] {
                let false_claim = close(instance, too_much, use_bound);
                assert!(
                    matches!(false_claim, Err(ClosureError::Solvable | ClosureError::NoBound)),
                    "{name}: {too_much:?}, {false_claim:?}"
                );
            }
        }
        let Some(less) = tie.checked_sub(1) else { return };
        let claim = Budget::Tied(cost, less);
        let counts =
            proved.entry(format!("{} {}", instance.family(), objective.name())).or_default();
        for use_bound in [false, true] {
            let set = match close(instance, claim, use_bound) {
                Err(ClosureError::NoBound) if use_bound => continue,
                set => set.unwrap_or_else(|error| panic!("{name}: {error:?}")),
            };
            checked(instance, &set).unwrap_or_else(|error| panic!("{name}: {error}"));
            for forged in forgeries(&set, (cost, tie)) {
                let accepted = checked(instance, &forged);
                assert!(accepted.is_err(), "{name}: a forgery was accepted: {forged:?}");
                counts[3] += 1;
            }
            let single = set.entries.iter().filter(|(budget, _)| budget.second().is_some());
            counts[1] += single.count() as u64;
            counts[0] += 1;
            if !use_bound && set.entries.len() <= LRAT_ENTRIES {
                by_lrat(instance, &set, name);
                counts[2] += 1;
            }
        }
    });
    for (what, [lists, single, written, forged]) in proved {
        println!("{what}: {lists} lists, {written} as LRAT, {single} states, {forged} forgeries");
        let enough = 5 * lists >= samples && 24 * written >= samples && single >= lists;
        assert!(enough, "{what}: hardly tested");
    }
}
