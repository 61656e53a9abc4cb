//! The shortest plan as one question to MaxSAT, against exhaustive search.

use crate::common::{self, has_clauses};
use std::collections::BTreeMap;
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{AssumptionAnswer, Incremental, Session};
use unstuck::formula::wcnf::MaxSat;
use unstuck::limits::Limits;
use unstuck::registry::FAMILIES;
use unstuck_encodings::{Filter, Lit};
use unstuck_puzzles::Objective;

/// Boards of each family and objective.
const SAMPLES: u64 = 12;

/// States after which a board is skipped, and the most that a plan may cost.
const STATES: usize = 20_000;
const LONGEST: u32 = 8;

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("a literal")
}

/// Whether there is a model with these literals.
fn has_model(session: &mut dyn Session, with: &[Lit]) -> bool {
    matches!(session.ask(with).expect("no limit"), AssumptionAnswer::Model(_))
}

#[test]
fn the_least_weight_is_the_length_of_a_shortest_plan() {
    let mut seen: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for family in FAMILIES.iter().filter(|family| family.has_moves) {
        for &objective in family.objectives.iter().filter(|&&it| it != Objective::Any) {
            for seed in 0..SAMPLES {
                let opened = (family.sample)(seed);
                let instance = opened.instances(objective).expect("a listed objective").remove(0);
                if !has_clauses(instance.as_ref()) {
                    continue;
                }
                let Some(optimum) = common::optimum(instance.as_ref(), STATES) else { continue };
                let more = 1 + (seed % 2) as u32;
                let horizon = optimum.unwrap_or(2) + more;
                if horizon > LONGEST {
                    continue;
                }
                let name = format!("{} {} sample {seed}", family.name, objective.name());
                let filter = if seed % 3 == 0 { Filter::everything() } else { Filter::defining() };
                let layers = instance.layers(&filter).expect("a game");
                let formula = MaxSat::new(&layers, horizon).expect("few variables");
                let limits = Limits::none();
                let mut session = Varisat.session(&limits);
                formula.hard().for_each(|clause| {
                    session.add(&clause.into_iter().map(lit).collect::<Vec<_>>());
                });
                let solved: Vec<Lit> = formula.soft().map(lit).collect();
                assert_eq!(has_model(&mut *session, &[]), optimum.is_some(), "{name}");
                let Some(optimum) = optimum else {
                    seen.entry(family.name.to_owned()).or_default()[1] += 1;
                    continue;
                };
                // Solved in all layers from the optimum on, and in no layer before.
                let (before, later) = solved.split_at(optimum as usize);
                assert_eq!(later.len(), more as usize);
                assert!(has_model(&mut *session, later), "{name}: {optimum}");
                session.add(before);
                assert!(!has_model(&mut *session, &[]), "{name}: {optimum}");
                seen.entry(family.name.to_owned()).or_default()[0] += 1;
            }
        }
    }
    println!("solvable and unsolvable boards by family: {seen:?}");
    let solvable: usize = seen.values().map(|[solvable, _]| solvable).sum();
    assert!(solvable >= 60 && seen.len() >= 5, "{seen:?}");
    assert!(seen.values().all(|[solvable, unsolvable]| *solvable > 0 && *unsolvable > 0));
}
