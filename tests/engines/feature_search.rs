//! Feature-space search against exhaustive search: it finds what there is, and claims nothing else.

use crate::common;
use unstuck::feature_search::Attempt;
use unstuck::instance::{AttemptEnd, Instance, SatisficingSearch};
use unstuck::limits::Limits;
use unstuck::registry::FAMILIES;
use unstuck::solve::{EngineChoice, Request, Verdict, solve};
use unstuck_puzzles::Objective;

/// States after which the oracle gives up on a board.
const STATES: usize = 30_000;

/// The instances of all families that have features, small random boards of each.
fn boards(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, Box<dyn Instance>)> {
    FAMILIES.iter().flat_map(move |family| {
        seeds.clone().filter_map(move |seed| {
            let instance = (family.sample)(seed).instances(Objective::Any)?.remove(0);
            instance
                .capability::<dyn SatisficingSearch>()
                .is_some()
                .then(|| (format!("{} {seed}", family.name), instance))
        })
    })
}

/// Finds a plan if and only if there is one, the same each time; how many boards were solvable, and
/// how many were not.
fn tried(variant: u32) -> [u32; 2] {
    let [mut solvable, mut unsolvable] = [0, 0];
    for (name, instance) in boards(0..150) {
        let Some(known) = common::oracle(instance.as_ref(), STATES) else { continue };
        let slice = Attempt { variant, most: 100_000 };
        let features = instance.capability::<dyn SatisficingSearch>().expect("it has features");
        let look = || features.look(slice, &Limits::none(), &mut |_| {}).expect("it is small");
        match (&look().end, known.is_some()) {
            (AttemptEnd::Found(plan), true) => {
                solvable += 1;
                let AttemptEnd::Found(again) = look().end else {
                    panic!("{name}: not found again")
                };
                assert_eq!(plan, &again, "{name}: the same plan each time");
            }
            (AttemptEnd::GaveUp | AttemptEnd::NothingLeft, false) => unsolvable += 1,
            (end, known) => panic!("{name}: solvable {known}, but {end:?}"),
        }
    }
    [solvable, unsolvable]
}

#[test]
fn it_finds_plans_where_there_are_any() {
    // By packing, and by a plan; variants that leave out more moves may fail.
    for variant in [1, 4] {
        let [solvable, unsolvable] = tried(variant);
        assert!(solvable > 60 && unsolvable > 20, "{solvable} {unsolvable}");
    }
}

#[test]
fn any_is_answered_with_one_thread_and_with_two() {
    let mut answered = [0, 0];
    for (name, instance) in boards(0..40) {
        let Some(known) = common::oracle(instance.as_ref(), STATES) else { continue };
        for threads in [1, 2] {
            let request =
                Request::default().with_engine(EngineChoice::Search).with_threads(threads);
            let outcome = solve(instance.as_ref(), &request, &|_| {}).expect("no fault");
            let verdict = if known.is_some() { Verdict::Solved } else { Verdict::Unsolvable };
            assert_eq!(outcome.verdict, verdict, "{name}, {threads} threads");
            assert_eq!(outcome.best.is_some(), known.is_some(), "{name}");
            assert!(!outcome.optimal, "{name}: nothing was proved");
        }
        answered[usize::from(known.is_some())] += 1;
    }
    assert!(answered.iter().all(|&count| count > 5), "{answered:?}");
}
