//! The laws of an encoding, for every entry of the registry, on small random puzzles.
//!
//! The oracle is exhaustive search over the plain space of the rules, which shares no code with
//! the encodings.

use crate::common::{self, has_clauses};
use std::collections::BTreeMap;
use unstuck::backend::Answer;
use unstuck::formula::dimacs;
use unstuck::instance::{Formula, Instance, Question, SearchEnd};
use unstuck::registry::FAMILIES;
use unstuck::search::Strategy;
use unstuck_encodings::{Filter, Step, Strength};
use unstuck_puzzles::Objective;

/// Random puzzles for each family and objective.
const SAMPLES: u64 = 40;

/// Longer plans than this are not asked for: refutations double with each horizon.
const LONGEST: Step = 12;

/// States after which the oracle gives up on a sample.
const STATES: usize = 60_000;

fn each_instance(mut law: impl FnMut(&dyn Instance, u64, &str)) {
    for family in FAMILIES {
        for &objective in family.objectives {
            for seed in 0..SAMPLES {
                let opened = (family.sample)(seed);
                let instances = opened.instances(objective).expect("a listed objective");
                for instance in instances {
                    let name = format!(
                        "{} {} {} sample {seed}",
                        family.name,
                        objective.name(),
                        instance.reading()
                    );
                    law(instance.as_ref(), seed, &name);
                }
            }
        }
    }
}

fn dimacs_text(formula: &dyn Formula) -> String {
    let mut text = Vec::new();
    dimacs::write_cnf(&mut text, formula, []).expect("a vector takes everything");
    for number in 1..=formula.variables() as u32 {
        text.extend(formula.variable_name(number).bytes().chain([b'\n']));
    }
    String::from_utf8(text).expect("DIMACS is ASCII")
}

/// Decides a question; a model is decoded and replayed. Gives the plan's primary count.
fn answer(instance: &dyn Instance, question: &Question, name: &str) -> Option<u32> {
    let mut formula = instance.formula(question);
    loop {
        match common::decide(formula.as_ref()) {
            Answer::Unsat => return None,
            Answer::Stopped(stop) => panic!("{name}: stopped by {stop} without a limit"),
            Answer::Sat(model) => {
                if formula.refine(&model) > 0 {
                    continue;
                }
                let plan = formula.read(&model).unwrap_or_else(|fault| panic!("{name}: {fault}"));
                return Some(instance.objective().primary(plan.tally()));
            }
        }
    }
}

#[test]
fn numbering_layers_and_states() {
    each_instance(|instance, seed, name| {
        if let Err(broken) = instance.laws(seed) {
            panic!("{name}: {broken}");
        }
    });
}

/// A family has clauses for most of its samples.
#[test]
fn an_encoding_refuses_few_samples() {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    each_instance(|instance, _, _| {
        counts.entry(instance.family()).or_default()[usize::from(has_clauses(instance))] += 1;
    });
    for (family, [refused, encoded]) in counts {
        assert!(refused <= encoded, "{family}: {refused} of {}", refused + encoded);
    }
}

#[test]
fn the_same_puzzle_gives_the_same_bytes() {
    each_instance(|instance, seed, name| {
        if seed >= 5 || !has_clauses(instance) || instance.encoded().lower_bound().is_none() {
            return;
        }
        let question = Question::within(if instance.moves().is_some() { 2 } else { 0 });
        let (a, b) = (instance.formula(&question), instance.formula(&question));
        assert_eq!(dimacs_text(a.as_ref()), dimacs_text(b.as_ref()), "{name}");
    });
}

#[test]
fn horizons_bounds_and_strengthening_agree_with_exhaustive_search() {
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    each_instance(|instance, _, name| {
        if instance.moves().is_none() || instance.objective() == Objective::Any {
            return;
        }
        let Some(optimum) = common::optimum(instance, STATES) else { return };
        let lower = instance.encoded().lower_bound();
        match (lower, optimum) {
            (None, Some(optimum)) => panic!("{name}: hopeless, but solvable in {optimum}"),
            (Some(lower), Some(optimum)) => {
                assert!(lower <= optimum, "{name}: bound {lower} above the optimum {optimum}");
            }
            (_, None) => {}
        }
        let found = match common::search(instance, Strategy::default()).end {
            SearchEnd::Found(plan) => Some(instance.objective().primary(plan.tally())),
            SearchEnd::Exhausted => None,
            end => panic!("{name}: {end:?}"),
        };
        assert_eq!(found, optimum, "{name}: the packed space against the plain one");
        *compared.entry(instance.family().to_owned()).or_default() += 1;
        if !has_clauses(instance) {
            return;
        }
        let last = optimum.map_or(4, |optimum| (optimum + 1).min(LONGEST));
        for filter in [Filter::everything(), Filter::defining()] {
            let horizons = optimum.map_or(0, |optimum| optimum.saturating_sub(2).min(last))..=last;
            for horizon in horizons {
                // Every second question says what is known already.
                let at_least = if horizon % 2 == 0 { optimum.unwrap_or(horizon) } else { 0 };
                let question =
                    Question { horizon, filter: filter.clone(), secondary: None, at_least };
                let found = answer(instance, &question, name);
                let expected = optimum.filter(|&optimum| optimum <= horizon);
                let defining = filter.defining_only;
                assert_eq!(
                    found.is_some(),
                    expected.is_some(),
                    "{name}: horizon {horizon}, optimum {optimum:?}, defining only: {defining}"
                );
                assert!(found.is_none_or(|cost| cost <= horizon), "{name}: cost above horizon");
            }
        }
    });
    for family in FAMILIES {
        let moves = (family.sample)(0).instances(family.objectives[0]).expect("listed");
        let enough =
            moves[0].moves().is_none() || compared.get(family.name).is_some_and(|&n| n >= 20);
        assert!(enough, "{}: too few samples were compared: {compared:?}", family.name);
    }
}

/// Rules that no question from the start needs. One follows from the start by induction over the steps;
/// a closed set's cubes are no starts, so `tests/engines/closed.rs` fails without it. One refutes inputs
/// that change nothing, which are no moves but may stand in a plan: law 8 fails without it.
const FROM_THE_START: &[(&str, &str, &str)] =
    &[("puzzlescript", "puzzlescript-moves", "change"), ("sokoban", "sokoban-moves", "one-player")];

/// Samples after which a rule that none of them needs is given up.
const MAX_SAMPLES: u64 = 100 * SAMPLES;

#[test]
fn every_defining_rule_matters() {
    // A rule whose loss no sample notices is either not defining or not tested.
    let mut unnoticed: BTreeMap<(&str, &str, &str), Vec<u64>> = BTreeMap::new();
    let mut noticed: std::collections::BTreeSet<(&str, &str, &str)> = Default::default();
    for family in FAMILIES {
        for &objective in family.objectives {
            for seed in 0..MAX_SAMPLES {
                // Whether a lost rule shows can hang on which model a solver happens to give.
                let mut open = unnoticed.keys().filter(|key| !FROM_THE_START.contains(key));
                if seed >= 4 * SAMPLES && !open.any(|(name, ..)| *name == family.name) {
                    break;
                }
                let instances = (family.sample)(seed).instances(objective).expect("listed");
                for instance in instances.iter().filter(|it| has_clauses(it.as_ref())) {
                    let Some(lower) = instance.encoded().lower_bound() else { continue };
                    let horizon = if instance.moves().is_some() { lower.clamp(1, 6) } else { 0 };
                    let question = |filter| Question { filter, ..Question::within(horizon) };
                    let whole = question(Filter::defining());
                    let rules = instance.formula(&whole).rules();
                    let defining = rules.iter().filter(|r| r.strength == Strength::Defining);
                    let truth = answer(instance.as_ref(), &whole, "whole").is_some();
                    for rule in defining {
                        let key = (family.name, instance.encoding(), rule.name);
                        if noticed.contains(&key) {
                            continue;
                        }
                        let mut filter = Filter::defining();
                        filter.without.insert(rule.name.to_owned());
                        if changes(instance.as_ref(), &question(filter), truth) {
                            noticed.insert(key);
                            unnoticed.remove(&key);
                        } else {
                            unnoticed.entry(key).or_default().push(seed);
                        }
                    }
                }
            }
        }
    }
    let missed: Vec<_> = unnoticed.keys().filter(|key| !FROM_THE_START.contains(key)).collect();
    assert!(missed.is_empty(), "defining rules that no sample needs: {missed:?}");
}

/// Whether a formula with a rule missing answers differently, or gives a model that is no plan.
fn changes(instance: &dyn Instance, question: &Question, truth: bool) -> bool {
    let mut formula = instance.formula(question);
    for _ in 0..20 {
        match common::decide(formula.as_ref()) {
            Answer::Sat(model) => {
                if formula.refine(&model) > 0 {
                    continue;
                }
                let cost = formula.read(&model);
                return !truth
                    || cost.is_err()
                    || cost.is_ok_and(|plan| {
                        instance.moves().is_some()
                            && instance.objective() != Objective::Any
                            && instance.objective().primary(plan.tally()) > question.horizon
                    });
            }
            Answer::Unsat => return truth,
            Answer::Stopped(_) => return false,
        }
    }
    false
}
