//! Flow boards: deductions, parts and explanations against all solutions.

use crate::brute::Enumerator;
use crate::extent::extent;
use crate::wish::Wish;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use unstuck::backend::varisat::Varisat;
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::questions::explain::explain;
use unstuck::questions::forced::forced;
use unstuck::questions::needed::{Change, needed};
use unstuck::registry::by_name;
use unstuck::solve::{Request, solve};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::flow::{Board, Solution};
use unstuck_puzzles::{Objective, Options, Part, Puzzle, PuzzleExt};

/// Boards that count.
static BOARDS: LazyLock<u64> = LazyLock::new(|| extent(100, 300));

/// What is deduced of a Flow board are the edges that all of its solutions use, and those that
/// none does.
#[test]
fn deductions_are_what_all_solutions_share() {
    let family = by_name("flow").expect("registered");
    let (mut boards, mut several) = (0, 0);
    for seed in 0..5_000 {
        let instance = (family.sample)(seed).instances(Objective::Any).expect("listed").remove(0);
        let request = Request::default().with_solutions(200);
        let outcome = solve(instance.as_ref(), &request, &|_| {}).expect("a verdict");
        let answer = forced(instance.as_ref(), &Varisat, &Limits::none()).expect("an answer");
        assert_eq!(answer.figures.solvable, Some(outcome.best.is_some()), "seed {seed}");
        let Some(best) = &outcome.best else { continue };
        let others = outcome.solutions.expect("counted");
        // Lanes of a bridge and cells of a graph have other names in solutions.
        let names = answer.steps.iter().map(|step| &step.name);
        if !others.complete || names.into_iter().any(|it| it.contains(['/', '#'])) {
            continue;
        }
        let edges = |text: &str| -> BTreeSet<(String, String)> {
            let paths = text.split([';', '\n']).filter_map(|path| Some(path.split_once(':')?.1));
            let paths = paths.map(|path| path.split_whitespace().collect::<Vec<_>>());
            let pairs = paths.flat_map(|path| {
                path.windows(2).map(|it| (it[0].to_owned(), it[1].to_owned())).collect::<Vec<_>>()
            });
            pairs.flat_map(|(a, b)| [(a.clone(), b.clone()), (b, a)]).collect()
        };
        let all: Vec<_> =
            others.others.iter().chain([best]).map(|solution| edges(solution.text())).collect();
        assert!(all.iter().all(|edges| !edges.is_empty()), "{}", best.text());
        let edge = |name: &str| {
            let inside = name.trim_start_matches("joined(").trim_end_matches(')');
            let (a, b) = inside.split_once(';').expect("two cells");
            (a.to_owned(), b.to_owned())
        };
        for step in &answer.steps {
            let edge = edge(&step.name);
            assert!(all.iter().all(|it| it.contains(&edge) == step.value), "seed {seed}: {step:?}");
        }
        let shared =
            all.iter().skip(1).fold(all[0].clone(), |a, b| a.intersection(b).cloned().collect());
        let said = answer.steps.iter().filter(|step| step.value).count();
        assert_eq!(2 * said, shared.len(), "seed {seed}:\n{}", instance.text());
        let open = answer.open.expect("settled");
        assert_eq!(open.is_empty(), all.len() == 1, "seed {seed}");
        boards += 1;
        several += u64::from(all.len() > 1);
        if boards == *BOARDS {
            break;
        }
    }
    assert!(
        boards == *BOARDS && 15 * several > boards,
        "{boards} boards, {several} with several solutions"
    );
}

/// Number of solutions of a Flow board, up to two, by trying all paths.
fn flow_solutions(board: &Board) -> usize {
    Enumerator::solutions(board, 2).len()
}

/// Small Flow boards, each under its first reading.
fn each_flow_board(mut ask: impl FnMut(&Board, &dyn Instance, u64) -> bool) {
    let family = by_name("flow").expect("registered");
    let mut counted = 0;
    for seed in 0..20_000 {
        let board = Board::sample(seed).readings().remove(0).puzzle;
        if board.nodes() > 16 {
            continue;
        }
        let instance = (family.sample)(seed).instances(Objective::Any).expect("listed").remove(0);
        counted += u64::from(ask(&board, instance.as_ref(), seed));
        if counted == *BOARDS {
            return;
        }
    }
    panic!("only {counted} boards");
}

#[test]
fn flow_parts() {
    let mut effects: BTreeMap<&str, usize> = BTreeMap::new();
    each_flow_board(|board, instance, seed| {
        let limits = Limits::none();
        let answer =
            needed(instance, None, true, &Constraints::default(), &limits, &mut |_, _, _| {});
        let answer = answer.expect("answered");
        let whole = flow_solutions(board);
        assert_eq!(answer.level.solvable, Some(whole > 0), "seed {seed}");
        for (number, said) in answer.parts.iter().enumerate() {
            let less = board.without(&[number]).map(|less| flow_solutions(&less));
            let expected = match (whole, less) {
                (_, None) => Change::NoLevel,
                (0, Some(0)) => Change::None,
                (0, Some(_)) => Change::Solvable,
                (_, Some(0)) => Change::Unsolvable,
                (1, Some(2)) => Change::NotUnique,
                _ => Change::None,
            };
            assert_eq!(
                said.effect,
                expected,
                "seed {seed}, {}:\n{}",
                said.part.name,
                board.print()
            );
            *effects.entry(said.effect.name()).or_default() += 1;
        }
        true
    });
    assert!(effects.len() >= 4, "{effects:?}");
}

#[test]
fn flow_explanations() {
    let mut several = 0;
    each_flow_board(|board, instance, seed| {
        if flow_solutions(board) > 0 {
            return false;
        }
        let answer = explain(instance, &[], 1, &Constraints::default(), &Limits::none());
        let answer = answer.expect("answered");
        assert_eq!(answer.solvable, Some(false), "seed {seed}");
        for core in &answer.cores {
            assert!(core.minimal, "seed {seed}");
            let text = core.level.text();
            let options = Options::new(Board::OPTIONS, []).expect("defaults fit");
            let level = Board::read(&text, &options).expect("a level").remove(0).puzzle;
            let left = level.expect("a board").under(board.touch(), core_covers(&core.named));
            assert_eq!(flow_solutions(&left), 0, "seed {seed}:\n{text}");
            let parts = left.parts();
            for (number, part) in parts.iter().enumerate().filter(|(_, part)| part.loosens) {
                let less = left.without(&[number]).expect("a board");
                assert!(flow_solutions(&less) > 0, "seed {seed}, {}:\n{text}", part.name);
                several += 1;
            }
        }
        true
    });
    assert!(several > 100, "{several} parts");
}

/// Whether the rule that every cell is on a path is one of the parts.
fn core_covers(named: &[Part]) -> bool {
    named.iter().any(|part| part.kind == "cover")
}

/// Boards with constraints have the solutions that trying all paths finds among those of the board,
/// and the deductions are those of them.
#[test]
fn flow_constraints() {
    let (mut lost, mut unique) = (0, 0);
    each_flow_board(|board, instance, seed| {
        let plain = flow_solutions(board);
        if board.extent().is_none() || board.edges().is_empty() || (plain == 0 && seed % 8 != 0) {
            return false;
        }
        let mut rng = fastrand::Rng::with_seed(seed);
        let all: Vec<Wish> =
            (0..rng.usize(1..=3)).filter_map(|_| Wish::random(board, &mut rng)).collect();
        let constraints = Wish::constraints(&all).expect("constraints");
        let fits = |solution: &Solution| all.iter().all(|wish| wish.is_kept(solution));
        let solutions = Enumerator::all(board, usize::MAX);
        let expected = solutions.values().filter(|solution| fits(solution)).count().min(2);
        let constrained = instance.constrained(&constraints).expect("they mean something");
        let request = Request::default().with_solutions(2);
        let outcome = solve(constrained.as_ref(), &request, &|_| {}).expect("a verdict");
        let words = || format!("seed {seed}: {constraints}\n{}", board.print());
        assert_eq!(outcome.best.is_some(), expected > 0, "{}", words());
        let others = outcome.solutions.as_ref().map_or(0, |found| found.others.len());
        let nothing = outcome.best.as_ref().is_some_and(|best| best.text().is_empty());
        if expected > 0 && !nothing {
            assert_eq!(1 + others, expected, "{}", words());
        }
        for solution in outcome.best.iter() {
            let solution = solution.solution::<Solution>().expect("paths");
            assert!(fits(solution), "{}", words());
        }
        let answer = forced(constrained.as_ref(), &Varisat, &Limits::none()).expect("an answer");
        assert_eq!(answer.figures.solvable, Some(expected > 0), "{}", words());
        assert_eq!(answer.open.is_some_and(|open| open.is_empty()), expected == 1, "{}", words());
        lost += u64::from(plain > 0 && expected == 0);
        unique += u64::from(plain == 2 && expected == 1);
        true
    });
    assert!(10 * lost > *BOARDS && 100 * unique > *BOARDS, "{lost} lost, {unique} unique");
}
