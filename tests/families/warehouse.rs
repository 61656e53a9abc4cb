//! The warehouse encodings against breadth-first search over the rules, on random maps with boxes of widths 1 to 3, and on the own levels.

use crate::common;
use crate::common::extent::extent;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use unstuck::instance::{Instance, Question, SearchEnd};
use unstuck::registry::{Family, by_name};
use unstuck::search::Strategy;
use unstuck::solve::{EngineChoice, Request, Verdict, solve};
use unstuck_encodings::{Filter, Step};
use unstuck_puzzles::{Objective, Options, Tally};

/// Longer plans are not asked of the SAT solver here.
const LONGEST: Step = 14;

fn family() -> &'static Family {
    by_name("warehouse").expect("the family is registered")
}

fn sample(seed: u64, objective: Objective) -> Box<dyn Instance> {
    let instances = (family().sample)(seed).instances(objective).expect("a listed objective");
    instances.into_iter().next().expect("one reading")
}

/// The length of a best plan by search over the plain states of the rules: `Some(None)` when there
/// is none, `None` when there are too many states.
fn oracle(instance: &dyn Instance, states: usize) -> Option<Option<Tally>> {
    common::oracle(instance, states).map(|plan| plan.map(|plan| plan.tally()))
}

/// The question at a horizon, with or without strengthening by the parity of the seed.
fn question(seed: u64, horizon: Step) -> Question {
    let filter = if seed.is_multiple_of(2) { Filter::everything() } else { Filter::defining() };
    Question { filter, ..Question::within(horizon) }
}

#[test]
fn random_maps_have_the_optimum_of_breadth_first_search() {
    let maps = extent(300, 1200);
    for objective in [Objective::Moves, Objective::Pushes] {
        let mut compared = 0;
        for seed in 0..maps {
            let instance = sample(seed, objective);
            let Some(truth) = oracle(instance.as_ref(), 30_000) else { continue };
            let optimum = truth.map(|tally| objective.primary(tally));
            let context = || format!("{objective:?}, sample {seed}\n{}", instance.text());
            let packed = common::search(instance.as_ref(), Strategy::default());
            match (packed.end, optimum) {
                (SearchEnd::Found(plan), Some(optimum)) => {
                    assert_eq!(objective.primary(plan.tally()), optimum, "{}", context());
                }
                (SearchEnd::Exhausted, None) => {}
                (end, _) => panic!("{end:?} instead of {optimum:?}: {}", context()),
            }
            match (instance.encoded().lower_bound(), optimum) {
                (None, optimum) => assert_eq!(optimum, None, "{}", context()),
                (Some(_), None) => {
                    assert_eq!(
                        common::plan(instance.as_ref(), &question(seed, 5)),
                        None,
                        "{}",
                        context()
                    );
                }
                (Some(lower), Some(optimum)) => {
                    assert!(lower <= optimum, "{}", context());
                    if optimum > LONGEST {
                        continue;
                    }
                    let found = common::plan(instance.as_ref(), &question(seed, optimum));
                    let length = found.map(|tally| objective.primary(tally));
                    assert_eq!(length, Some(optimum), "{}", context());
                    if let Some(less) = optimum.checked_sub(1) {
                        let found = common::plan(instance.as_ref(), &question(seed, less));
                        assert_eq!(found, None, "{}", context());
                    }
                }
            }
            compared += 1;
        }
        assert!(6 * compared >= 5 * maps, "{objective:?}: only {compared} maps");
    }
}

#[test]
fn ties_are_broken_as_breadth_first_search_breaks_them() {
    let maps = extent(100, 400);
    for objective in [Objective::MovesPushes, Objective::PushesMoves] {
        let mut compared = 0;
        for seed in 0..maps {
            let instance = sample(seed, objective);
            let Some(Some(best)) = oracle(instance.as_ref(), 10_000) else { continue };
            let (horizon, second) = (objective.primary(best), objective.secondary(best));
            if horizon > 9 {
                continue;
            }
            let capped = |cap| Question { secondary: Some(cap), ..question(seed, horizon) };
            let found = common::plan(instance.as_ref(), &capped(second));
            assert_eq!(found, Some(best), "{objective:?}, sample {seed}\n{}", instance.text());
            if let Some(less) = second.checked_sub(1) {
                let found = common::plan(instance.as_ref(), &capped(less));
                assert_eq!(found, None, "{objective:?}, sample {seed}\n{}", instance.text());
            }
            compared += 1;
        }
        assert!(3 * compared >= maps, "{objective:?}: only {compared} maps");
    }
}

#[test]
fn walks_follow_by_unit_propagation() {
    for seed in 0..extent(100, 400) {
        for objective in [Objective::Moves, Objective::Pushes] {
            let instance = sample(seed, objective);
            instance.laws(seed).unwrap_or_else(|broken| panic!("sample {seed}: {broken}"));
        }
    }
}

fn levels() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles/levels/warehouse")
}

/// The entries of `expected.json` that can be opened, each with its instance.
fn own_levels() -> Vec<(Value, Box<dyn Instance>)> {
    let text = fs::read_to_string(levels().join("expected.json")).expect("expected.json");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let entries = value["levels"].as_array().expect("a list").iter();
    let valid = entries.filter(|entry| entry["verdict"] != "invalid");
    valid.map(|entry| (entry.clone(), open(entry))).collect()
}

fn open(entry: &Value) -> Box<dyn Instance> {
    let file = entry["file"].as_str().expect("a file name");
    let text = fs::read_to_string(levels().join(file)).expect("a readable level");
    let given = entry["options"].as_object().into_iter().flatten();
    let given = given.map(|(name, value)| (name.as_str(), value.as_str().expect("text")));
    let options = Options::new(family().options, given).expect("options of the family");
    let mut levels = (family().read)(&text, &options).expect("a warehouse");
    let puzzle = levels.remove(0).puzzle.unwrap_or_else(|e| panic!("{file}: {e}"));
    let name = entry["objective"].as_str().unwrap_or("moves");
    let objective = Objective::from_name(name).expect("an objective");
    puzzle.instances(objective).expect("a listed objective").remove(0)
}

#[test]
fn optima_of_the_own_levels_are_those_of_breadth_first_search() {
    let mut compared = 0;
    for (entry, instance) in own_levels() {
        let Some(truth) = oracle(instance.as_ref(), 300_000) else { continue };
        let optimum = truth.map(|tally| u64::from(instance.objective().primary(tally)));
        assert_eq!(entry["optimum"].as_u64(), optimum, "{entry}");
        compared += 1;
    }
    assert!(compared >= 30, "only {compared} of the own levels were small enough");
}

#[test]
fn the_sat_engine_alone_finds_and_refutes_more_than_twenty_instructions() {
    for file in ["alley.warehouse", "narrow-yard.warehouse"] {
        let (entry, instance) = own_levels()
            .into_iter()
            .find(|(entry, _)| entry["file"] == file)
            .expect("the level is listed");
        // With a greatest horizon the solver is alone: the plan is its own.
        let alone = Some(60);
        let request = Request::default().with_engine(EngineChoice::Sat).with_max_horizon(alone);
        let outcome = solve(instance.as_ref(), &request, &|_| {}).expect("no fault");
        assert_eq!(outcome.verdict, Verdict::Solved);
        assert!(outcome.optimal, "{file}: every smaller horizon is refuted");
        let moves = outcome.best.expect("a plan").tally().moves;
        assert_eq!(Some(u64::from(moves)), entry["optimum"].as_u64());
        assert!(moves > 20);
    }
}
