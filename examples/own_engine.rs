//! Brings an engine of one's own, and a schedule in which it works beside A*. The worked example of
//! `docs/engines.md`.
//!
//!     cargo run --release --example own_engine

use std::collections::HashSet;
use unstuck::engines::search::SearchEngine;
use unstuck::instance::StateSpace;
use unstuck::ledger::{Engine, EngineEnd, Justification, SolveError, Task, Work};
use unstuck::puzzles::Objective;
use unstuck::puzzles::constraints::Constraints;
use unstuck::solve::schedule::{Lane, Schedule, Stage, StartCondition, ThreadShare};
use unstuck::solve::{Request, solve_by};

/// Breadth-first search by the rules, one move after the other.
struct Breadth;

impl Engine for Breadth {
    fn name(&self) -> &'static str {
        "breadth"
    }

    /// Where moves count, and no horizon is asked about.
    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        let counts = task.objective() == Objective::Moves && task.request.bounded().is_none();
        task.searched::<dyn StateSpace>()?;
        counts.then_some(()).ok_or(SolveError::NoMoves(task.instance.family()))
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        Box::new(move |ledger, budget| {
            let mut atlas = task.searched::<dyn StateSpace>()?.atlas(&Constraints::default());
            let start = atlas.start();
            let (mut seen, mut layer) = (HashSet::from([start]), vec![(start, String::new())]);
            for length in 0.. {
                // The positions of this layer are `length` moves away; none before was solved.
                ledger.raise(length, Justification::Search { bound: None });
                if let Some((_, moves)) = layer.iter().find(|(at, _)| atlas.is_goal(*at)) {
                    let plan = task.instance.verify(moves).expect("its moves are legal");
                    ledger.offer(plan);
                    return Ok(EngineEnd::Finished);
                }
                let mut next = Vec::new();
                for (at, moves) in layer {
                    // Ctrl-C, the time limit, or another engine that has the answer.
                    if let Some(stop) = budget.limits.reached() {
                        return Ok(EngineEnd::Stopped(stop));
                    }
                    let steps = atlas.steps(at).into_iter().filter(|step| seen.insert(step.to));
                    next.extend(steps.map(|step| (step.to, format!("{moves}{}", step.text))));
                }
                if next.is_empty() {
                    ledger.refute(None, Justification::Search { bound: None });
                    return Ok(EngineEnd::Finished);
                }
                layer = next;
            }
            unreachable!("a layer is empty before lengths run out")
        })
    }
}

/// Both at once: who is first has the answer.
const BOTH: Schedule = Schedule {
    name: "breadth beside search",
    lanes: &[
        Lane::new("breadth", StartCondition::AtOnce, &[Stage::new(&Breadth, ThreadShare::One)]),
        Lane::new("search", StartCondition::AtOnce, &[Stage::new(&SearchEngine, ThreadShare::One)]),
    ],
    afterwards: &[],
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = "#######\n#     #\n# $ . #\n# @   #\n#######\n";
    let level = unstuck::open(unstuck::SOKOBAN, level, Objective::Moves)?;
    let outcome = solve_by(&BOTH, level.first(), &Request::default(), &|_| {})?;
    let plan = outcome.best.as_ref().ok_or("no plan")?;
    println!("{}, optimal: {}", plan.text(), outcome.optimal);
    for stage in &outcome.stages {
        println!("{}: {:?}", stage.engine, stage.stop);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck::registry::by_name;
    use unstuck::solve::{EngineChoice, solve};

    const ALONE: Schedule = Schedule {
        name: "breadth",
        lanes: &[Lane::new(
            "breadth",
            StartCondition::AtOnce,
            &[Stage::new(&Breadth, ThreadShare::One)],
        )],
        afterwards: &[],
    };

    #[test]
    fn it_agrees_with_search() {
        let (mut solvable, mut unsolvable) = (0, 0);
        for (family, seed) in ["sokoban", "snowman", "sokobond", "warehouse"]
            .into_iter()
            .flat_map(|family| (0..12).map(move |seed| (family, seed)))
        {
            let family = by_name(family).expect("it is registered");
            let Some(mut instances) = (family.sample)(seed).instances(Objective::Moves) else {
                continue;
            };
            let instance = instances.remove(0);
            let request = Request::default().with_engine(EngineChoice::Search);
            let known = solve(instance.as_ref(), &request, &|_| {}).expect("no fault");
            for schedule in [&ALONE, &BOTH] {
                let own = solve_by(schedule, instance.as_ref(), &request, &|_| {});
                let own = own.expect("no fault");
                assert_eq!(own.verdict, known.verdict, "{} {seed}", family.name);
                assert_eq!(
                    (own.best.is_some(), own.optimal),
                    (known.best.is_some(), known.optimal)
                );
            }
            solvable += u32::from(known.best.is_some());
            unsolvable += u32::from(known.best.is_none());
        }
        assert!(solvable > 10 && unsolvable > 2, "{solvable} {unsolvable}");
    }
}
