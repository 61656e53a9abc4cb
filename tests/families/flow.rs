//! Flow against a plain enumerator: the same solutions, one by one, on random small boards and
//! graphs, under both rules on touching, with and without cover.

use crate::common::brute::Enumerator;
use crate::common::extent::extent;
use std::collections::BTreeSet;
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{Answer, Backend};
use unstuck::instance::{Instance, NoMoves, PuzzleInstance, Question};
use unstuck::limits::Limits;
use unstuck::solve::{EngineChoice, Outcome, Request, Verdict, solve};
use unstuck_encodings::Filter;
use unstuck_encodings::flow::{self, FlowEdges};
use unstuck_puzzles::flow::{Board, Builder, Touch};
use unstuck_puzzles::{Level, Objective, Options, Puzzle, PuzzleExt, Reading};

/// Solutions beyond this number are not counted.
const CAP: usize = 10;

fn outcome(board: &Board, solutions: usize, filter: Filter, horizon: Option<u32>) -> Outcome {
    let reading = Reading { name: "", puzzle: board.clone() };
    let instance = PuzzleInstance::<FlowEdges, NoMoves>::new(reading, Objective::Any);
    let request = Request::default()
        .with_engine(EngineChoice::Sat)
        .with_horizon(horizon)
        .with_filter(filter)
        .with_solutions(solutions);
    solve(&instance as &dyn Instance, &request, &|_| {}).expect("no fault")
}

/// The solutions that the formula has, up to `cap`. Asked for a horizon, no check before solving
/// takes the question away from it.
fn by_formula(board: &Board, cap: usize, filter: Filter) -> BTreeSet<String> {
    let outcome = outcome(board, cap, filter, Some(0));
    let others = outcome.solutions.map(|solutions| solutions.others).unwrap_or_default();
    outcome.best.into_iter().chain(others).map(|verified| verified.text().to_owned()).collect()
}

fn rules() -> impl Iterator<Item = (Touch, bool)> {
    [Touch::Never, Touch::Allow].into_iter().flat_map(|touch| [(touch, true), (touch, false)])
}

#[test]
fn the_formula_has_the_solutions_that_the_enumerator_finds() {
    let mut with_solution = 0;
    let mut unique = 0;
    let mut refuted_before = 0;
    // Each is tried under four pairs of rules.
    let boards = extent(500, 2_000);
    for seed in 0..boards {
        let sample = Board::sample(seed);
        for (touch, cover) in rules() {
            let board = sample.under(touch, cover);
            let expected = Enumerator::solutions(&board, CAP);
            let found = by_formula(&board, CAP, Filter::everything());
            let name = format!("sample {seed}\n{}", board.print());
            if expected.len() < CAP {
                assert_eq!(found, expected, "{name}");
            } else {
                // Each of those found was judged; that they are enough is what counts here.
                assert_eq!(found.len(), CAP, "{name}");
            }
            with_solution += u64::from(!expected.is_empty());
            unique += u64::from(expected.len() == 1);
            // The checks before solving: never wrong.
            let outcome = outcome(&board, 1, Filter::everything(), None);
            let solvable = outcome.verdict == Verdict::Solved;
            assert_eq!(solvable, !expected.is_empty(), "{name}");
            refuted_before += u64::from(outcome.asked.is_empty());
        }
    }
    assert!(with_solution > boards, "{with_solution} with a solution");
    assert!(4 * unique > boards, "{unique} with one solution");
    assert!(4 * refuted_before > boards, "{refuted_before} refuted before solving");
}

/// Of all solutions those that allow no step, as the formula for them has them: with a solution
/// there is one of these, and where it is rigid and the only one, it is the only solution.
#[test]
fn solutions_that_allow_no_step_stand_for_all() {
    let (mut misleading, mut unique, mut fewer) = (0, 0, 0);
    let boards = extent(500, 2_000);
    for seed in 0..boards {
        let board = Board::sample(seed).under(Touch::Allow, false);
        let expected = Enumerator::solutions(&board, 4 * CAP);
        if expected.len() == 4 * CAP {
            continue;
        }
        let reading = Reading { name: "", puzzle: board.clone() };
        let instance = PuzzleInstance::<FlowEdges, NoMoves>::new(reading, Objective::Any);
        let mut formula = (&instance as &dyn Instance).formula(&Question::default());
        assert!(formula.reduce());
        let mut found = BTreeSet::new();
        let mut rigid = 0;
        loop {
            let answer =
                Varisat.decide(formula.as_ref(), None, &Limits::none()).expect("an answer");
            let Answer::Sat(model) = answer.answer else { break };
            if formula.refine(&model) > 0 {
                continue;
            }
            let solution = formula.read(&model).expect("a solution");
            assert!(found.insert(solution.text().to_owned()), "seed {seed}: found twice");
            rigid += usize::from(formula.is_rigid(&model));
            if !formula.block(&model) {
                break;
            }
        }
        let name = format!("sample {seed}\n{}", board.print());
        assert!(found.is_subset(&expected), "{name}");
        assert_eq!(found.is_empty(), expected.is_empty(), "{name}");
        if found.len() == 1 {
            assert_eq!(rigid == 1, expected.len() == 1, "{name}");
        }
        misleading += u64::from(found.len() == 1 && expected.len() > 1);
        unique += u64::from(expected.len() == 1);
        fewer += u64::from(found.len() < expected.len());
    }
    assert!(20 * misleading > boards, "{misleading} misleading");
    assert!(20 * unique > boards && 10 * fewer > boards, "{unique} with one, {fewer} with fewer");
}

#[test]
fn strengthening_rules_change_no_answer() {
    for seed in 0..extent(100, 300) {
        let sample = Board::sample(seed);
        for (touch, cover) in rules() {
            let board = sample.under(touch, cover);
            let expected = Enumerator::solutions(&board, CAP);
            let found = by_formula(&board, CAP, Filter::defining());
            assert_eq!(found.len(), expected.len(), "sample {seed}\n{}", board.print());
        }
    }
}

/// Whether dropping a rule changes what some sample's formula allows: fewer or more solutions, or
/// models that the judge refuses.
#[test]
fn every_defining_rule_is_needed() {
    for rule in [flow::DEGREE, flow::TERMINUS, flow::ONE_COLOUR, flow::NO_TOUCH] {
        let without = [rule.name.to_owned()].into();
        // Without the strengthening rules, which could do its work.
        let filter = Filter { defining_only: true, without };
        let changes = |seed: &u64| {
            let board = Board::sample(*seed).under(Touch::Never, true);
            let expected = Enumerator::solutions(&board, CAP);
            let reading = Reading { name: "", puzzle: board };
            let instance = PuzzleInstance::<FlowEdges, NoMoves>::new(reading, Objective::Any);
            let request = Request::default()
                .with_engine(EngineChoice::Sat)
                .with_horizon(Some(0))
                .with_filter(filter.clone())
                .with_solutions(CAP);
            match solve(&instance as &dyn Instance, &request, &|_| {}) {
                Err(_) => true,
                Ok(outcome) => {
                    let others = outcome.solutions.map_or(0, |solutions| solutions.others.len());
                    usize::from(outcome.best.is_some()) + others != expected.len()
                }
            }
        };
        assert!((0..200).any(|seed| changes(&seed)), "{} is never needed", rule.name);
    }
}

/// Boards on which a solver that does not cut loops answers with a detached ring.
#[test]
fn detached_loops_are_no_answer() {
    let boards = [
        Builder::square(4, 2)
            .and_then(|mut b| b.pair("A", (0, 0), (1, 0))?.pair("B", (0, 1), (1, 1))?.build()),
        Builder::square(4, 4)
            .and_then(|mut b| b.pair("A", (0, 0), (0, 3))?.pair("B", (3, 0), (3, 3))?.build()),
        Builder::square(4, 5).and_then(|mut b| {
            b.pair("A", (0, 0), (0, 3))?
                .pair("B", (2, 0), (2, 3))?
                .pair("C", (4, 0), (4, 3))?
                .build()
        }),
    ];
    for board in boards {
        let board = board.expect("a board");
        for (touch, cover) in rules() {
            let board = board.under(touch, cover);
            let expected = Enumerator::solutions(&board, 100);
            for filter in [Filter::everything(), Filter::defining()] {
                let found = by_formula(&board, 100, filter);
                let same =
                    if expected.len() < 100 { found == expected } else { found.len() == 100 };
                assert!(same, "{}", board.print());
            }
            if touch == Touch::Never && cover {
                assert!(expected.is_empty());
            }
        }
    }
}

/// Boards of the level folder that are small enough for the enumerator have the verdict and the
/// number of solutions that `expected.json` gives.
#[test]
fn own_levels_against_the_enumerator() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/levels/flow/");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}{file}")).expect("a file");
    let expected: serde_json::Value = serde_json::from_str(&read("expected.json")).expect("JSON");
    let options = Options::new(Board::OPTIONS, []).expect("defaults");
    let mut checked = 0;
    for entry in expected["levels"].as_array().expect("a list") {
        let file = entry["file"].as_str().expect("a name");
        let levels = Board::read(&read(file), &options).expect("a readable file");
        let fits = |level: &&Level<Board>| {
            entry["title"].is_null() || entry["title"].as_str() == level.title.as_deref()
        };
        let board = levels.iter().find(fits).expect("a level").puzzle.as_ref();
        let Some(board) = board.ok().filter(|board| board.nodes() <= 26) else { continue };
        let mut readings = board
            .readings()
            .into_iter()
            .map(|reading| (reading.name, Enumerator::solutions(&reading.puzzle, 2).len()));
        match readings.find(|(_, solutions)| *solutions > 0) {
            None => assert_eq!(entry["verdict"], "unsolvable", "{entry}"),
            Some((name, solutions)) => {
                assert_eq!(entry["verdict"], "solved", "{entry}");
                assert_eq!(entry["reading"], name, "{entry}");
                assert_eq!(entry["unique"], solutions == 1, "{entry}");
            }
        }
        checked += 1;
    }
    assert!(checked >= 20, "{checked} checked");
}
