//! Our own levels: each has the verdict, the optimum and the uniqueness that its `expected.json`
//! gives. Optima there come from breadth-first search over the rules.

use crate::common::extent::is_whole;
use crate::common::{self, expected, folder, for_each_family, objective, open};
use serde_json::Value;
use std::fs;
use std::time::Duration;
use unstuck::limits::Limits;
use unstuck::registry::{FAMILIES, Family, by_name};
use unstuck::solve::{Outcome, solve_readings};

fn solve(family: &Family, entry: &Value) -> Outcome {
    let opened = open(family, entry).puzzle.unwrap_or_else(|e| panic!("{entry}: {e}"));
    let objective = objective(family, entry);
    let instances = opened.instances(objective).expect("an objective of the family");
    let request = common::request(Limits::new(Some(Duration::from_secs(3600)), None));
    let mut outcomes = solve_readings(&instances, &request, &|_| {}).expect("no fault");
    outcomes.pop().expect("every puzzle has a reading")
}

/// Whether a level is left to the whole: these six take ten times as long as all others together.
/// Lost halls and lamps are shown lost by `invariant`, too, and the shelves are solved by `pushes`
/// here.
fn is_long(entry: &Value) -> bool {
    let by_moves = entry["objective"].as_str().is_some_and(|name| name.starts_with("moves"));
    let is_hall = entry["file"] == "lamps.puzzlescript" && entry["level"] == 3;
    entry["file"] == "lost-halls.sok" || is_hall || entry["title"] == "Shelves" && by_moves
}

fn have_their_verdicts(family: &str) {
    let family = by_name(family).expect("registered");
    let mut verdicts = std::collections::BTreeMap::new();
    for entry in expected(family) {
        if is_long(&entry) && !is_whole() {
            continue;
        }
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

for_each_family! { have_their_verdicts: flow puzzlescript snowman sokoban sokobond warehouse }

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
