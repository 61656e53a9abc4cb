//! Feature-space search against exhaustive search: it finds what there is, and claims nothing else.

mod common;

use unstuck::feature_search::Slice;
use unstuck::instance::{Instance, TryEnd};
use unstuck::limits::Limits;
use unstuck::registry::FAMILIES;
use unstuck::solve::{Engine, Request, Verdict, solve};
use unstuck_puzzles::Objective;

/// States after which the oracle gives up on a board.
const STATES: usize = 30_000;

/// The instances of all families that have features, small random boards of each.
fn boards(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, Box<dyn Instance>)> {
    FAMILIES.iter().flat_map(move |family| {
        seeds.clone().filter_map(move |seed| {
            let instance = (family.sample)(seed).instances(Objective::Any)?.remove(0);
            instance
                .moves()
                .is_some_and(|game| game.has_features())
                .then(|| (format!("{} {seed}", family.name), instance))
        })
    })
}

#[test]
fn it_finds_plans_where_there_are_any() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for (name, instance) in boards(0..150) {
        let Some(known) = common::oracle(instance.as_ref(), STATES) else { continue };
        let slice = Slice { variant: 0, most: 100_000 };
        let game = instance.moves().expect("a game");
        let look = || game.look(slice, &Limits::none(), &mut |_| {}).expect("it has features");
        let tried = look();
        match (&tried.end, known.is_some()) {
            (TryEnd::Found(plan), true) => {
                solvable += 1;
                let TryEnd::Found(again) = look().end else { panic!("{name}: not found again") };
                assert_eq!(plan, &again, "{name}: the same plan each time");
            }
            (TryEnd::GaveUp, false) => unsolvable += 1,
            (end, known) => panic!("{name}: solvable {known}, but {end:?}"),
        }
    }
    assert!(solvable > 60 && unsolvable > 20, "{solvable} {unsolvable}");
}

#[test]
fn any_is_answered_with_one_thread_and_with_two() {
    let mut answered = [0, 0];
    for (name, instance) in boards(0..40) {
        let Some(known) = common::oracle(instance.as_ref(), STATES) else { continue };
        for threads in [1, 2] {
            let request = Request::default().with_engine(Engine::Search).with_threads(threads);
            let outcome = solve(instance.as_ref(), &request, &|_| {}).expect("no fault");
            let verdict = if known.is_some() { Verdict::Solved } else { Verdict::Unsolvable };
            assert_eq!(outcome.verdict, verdict, "{name}, {threads} threads");
            assert_eq!(outcome.best.is_some(), known.is_some(), "{name}");
            assert!(!outcome.optimal, "{name}: nothing was shown");
        }
        answered[usize::from(known.is_some())] += 1;
    }
    assert!(answered.iter().all(|&count| count > 5), "{answered:?}");
}
