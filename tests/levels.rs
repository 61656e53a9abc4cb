//! Our own levels: each has the verdict, the optimum and the uniqueness that its `expected.json`
//! tells. Optima there come from breadth-first search over the rules.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use unstuck::backend::varisat::Varisat;
use unstuck::limits::Limits;
use unstuck::registry::{FAMILIES, Family, Opened};
use unstuck::solve::{Engine, Outcome, Request, solve_readings};
use unstuck_encodings::Filter;
use unstuck_puzzles::{Level, Objective, Options};

fn folder(family: &Family) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles/levels").join(family.name)
}

fn expected(family: &Family) -> Vec<Value> {
    let path = folder(family).join("expected.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let value: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    value["levels"].as_array().expect("a list of levels").clone()
}

fn request() -> Request {
    Request {
        engine: Engine::Auto,
        backend: Arc::new(Varisat),
        horizon: None,
        max_horizon: None,
        filter: Filter::everything(),
        solutions: 2,
        limits: Limits::new(Some(Duration::from_secs(120)), None),
    }
}

/// The level of an entry, opened with the entry's options.
fn open(family: &Family, entry: &Value) -> Level<Box<dyn Opened>> {
    let file = entry["file"].as_str().expect("a file name");
    let text = fs::read_to_string(folder(family).join(file)).expect("a readable level");
    let given: Vec<(String, String)> = entry["options"].as_object().map_or_else(Vec::new, |map| {
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        map.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    });
    let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = Options::new(family.options, pairs).expect("options of the family");
    let levels = (family.read)(&text, &options).unwrap_or_else(|e| panic!("{file}: {e}"));
    let title = entry["title"].as_str();
    let mut fitting = levels.into_iter().filter(|l| title.is_none() || l.title.as_deref() == title);
    fitting.next().unwrap_or_else(|| panic!("{file}: no level {title:?}"))
}

fn objective(family: &Family, entry: &Value) -> Objective {
    let name = entry["objective"].as_str();
    name.map_or(family.objectives[0], |name| Objective::from_name(name).expect("an objective"))
}

fn solve(family: &Family, entry: &Value) -> Outcome {
    let opened = open(family, entry).puzzle.unwrap_or_else(|e| panic!("{entry}: {e}"));
    let objective = objective(family, entry);
    let instances = opened.instances(objective).expect("an objective of the family");
    let mut outcomes = solve_readings(&instances, &request(), &|_| {}).expect("no fault");
    outcomes.pop().expect("every puzzle has a reading")
}

#[test]
fn own_levels_have_their_verdicts() {
    for family in FAMILIES {
        let mut verdicts = std::collections::BTreeMap::new();
        for entry in expected(family) {
            let wanted = entry["verdict"].as_str().expect("a verdict");
            *verdicts.entry(wanted.to_owned()).or_insert(0) += 1;
            if wanted == "invalid" {
                assert!(open(family, &entry).puzzle.is_err(), "{entry} is read as a level");
                continue;
            }
            let outcome = solve(family, &entry);
            assert_eq!(outcome.verdict.name(), wanted, "{entry}");
            if let Some(reading) = entry["reading"].as_str() {
                assert_eq!(outcome.reading, reading, "{entry}");
            }
            if let Some(optimum) = entry["optimum"].as_u64() {
                let best = outcome.best.as_ref().unwrap_or_else(|| panic!("{entry}: no plan"));
                let length = objective(family, &entry).primary(best.tally());
                assert_eq!(u64::from(length), optimum, "{entry}");
                assert!(outcome.optimal, "{entry}: not shown to be optimal");
            }
            if let Some(unique) = entry["unique"].as_bool() {
                let solutions = outcome.solutions.expect("a family without time");
                assert_eq!(solutions.others.is_empty(), unique, "{entry}");
                assert!(!unique || solutions.complete, "{entry}: not shown to be the only one");
            }
        }
        let solved = verdicts.get("solved").copied().unwrap_or(0);
        assert!(solved >= 10, "{}: {verdicts:?}", family.name);
    }
}

#[test]
fn every_level_file_is_expected() {
    for family in FAMILIES {
        let named: Vec<String> =
            expected(family).iter().filter_map(|e| e["file"].as_str().map(str::to_owned)).collect();
        for entry in fs::read_dir(folder(family)).expect("a level folder") {
            let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
            let known = name == "expected.json" || named.contains(&name);
            assert!(known, "{} has no entry in expected.json", name);
        }
    }
}
