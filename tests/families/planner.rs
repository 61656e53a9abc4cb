//! A third oracle beside the searches and the solvers of this project: Fast Downward, a planner that
//! knows nothing of it, solves the tasks that levels are written as. Its costs are the optima, and its
//! plans are plans here.

use crate::common::{self, extent::extent, on_path};
use std::fs;
use std::process::Command;
use unstuck::registry::by_name;
use unstuck_puzzles::Objective;

/// States after which a board is skipped.
const STATES: usize = 20_000;

/// What the planner says of a task: the cost of an optimal plan and the plan, or `None` where it has
/// none; no answer where it ran out of time.
fn planned(domain: &str, problem: &str) -> Option<Option<(u32, String)>> {
    let place = tempfile::tempdir().expect("a folder");
    let file = |name: &str| place.path().join(name);
    fs::write(file("domain.pddl"), domain).expect("writable");
    fs::write(file("problem.pddl"), problem).expect("writable");
    let ended = Command::new("fast-downward")
        .current_dir(place.path())
        .args(["--overall-time-limit", "20s", "domain.pddl", "problem.pddl"])
        .args(["--search", "astar(lmcut())"])
        .output()
        .expect("on PATH");
    let said = String::from_utf8_lossy(&ended.stdout);
    // Its exit codes: 0 solved, 10 to 12 no plan, 20 to 24 out of time or memory.
    match ended.status.code() {
        Some(0) => {
            let cost = said.split("Plan cost: ").nth(1).and_then(|rest| rest.lines().next());
            let cost = cost.and_then(|cost| cost.trim().parse().ok()).expect("a cost");
            Some(Some((cost, fs::read_to_string(file("sas_plan")).expect("a plan"))))
        }
        Some(10..=12) => Some(None),
        Some(20..=24) => None,
        other => panic!("{other:?}: {said}\n{}", String::from_utf8_lossy(&ended.stderr)),
    }
}

#[test]
fn a_planner_finds_the_same_optima() {
    if !on_path("fast-downward") {
        eprintln!("SKIPPED: `fast-downward` is not on PATH");
        return;
    }
    let cases = [
        ("sokoban", Objective::Pushes),
        ("sokoban", Objective::Moves),
        ("snowman", Objective::Pushes),
        ("snowman", Objective::Moves),
        ("warehouse", Objective::Moves),
        ("warehouse", Objective::Pushes),
    ];
    let each = extent(3, 20);
    for (name, objective) in cases {
        let family = by_name(name).expect("registered");
        let (mut solved, mut unsolvable) = (0, 0);
        for seed in 0.. {
            let mut instances = (family.sample)(seed).instances(objective).expect("listed");
            let instance = instances.remove(0);
            let instance = instance.as_ref();
            let Ok(task) = instance.planning(objective) else { continue };
            let Some(own) = common::oracle(instance, STATES) else { continue };
            let text = instance.text();
            match (planned(&task.domain, &task.problem), own) {
                (Some(Some((cost, plan))), Some(own)) => {
                    let replayed = instance.verify(&plan).unwrap_or_else(|e| panic!("{e}\n{text}"));
                    let primary = |tally| objective.primary(tally);
                    assert_eq!(cost, primary(own.tally()), "{name} {seed}\n{text}");
                    assert_eq!(cost, primary(replayed.tally()), "{name} {seed}\n{text}\n{plan}");
                    solved += 1;
                }
                (Some(None), None) => unsolvable += 1,
                (None, _) => {}
                (Some(theirs), own) => {
                    panic!("{name} {seed}: {theirs:?}, {}\n{text}", own.is_some());
                }
            }
            if solved >= each {
                break;
            }
        }
        println!("{name}, {}: {solved} optima, {unsolvable} without", objective.name());
    }
}
