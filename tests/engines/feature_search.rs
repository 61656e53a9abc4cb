//! Feature-space search against exhaustive search: it finds what there is, and claims nothing else.

use crate::common;
use unstuck::feature_search::{Attempt, Direction};
use unstuck::instance::{AttemptEnd, Attempts, Instance, SatisficingSearch};
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

/// Tries from one end alone, and finds a plan if and only if there is one, the same each time; how
/// many boards were solvable, and how many were not.
fn tried_from(direction: Direction, variant: u32) -> [u32; 2] {
    let [mut solvable, mut unsolvable] = [0, 0];
    for (name, instance) in boards(0..150) {
        let Some(known) = common::oracle(instance.as_ref(), STATES) else { continue };
        let slice = Attempt { direction, variant, most: 100_000 };
        let features = instance.capability::<dyn SatisficingSearch>().expect("it has features");
        let look = || features.attempts().look(slice, &Limits::none(), &mut |_| {});
        // A game with more than one end is looked at from its start only.
        let Some(tried) = look() else {
            assert_eq!(direction, Direction::Backward, "{name}");
            continue;
        };
        match (&tried.end, known.is_some()) {
            (AttemptEnd::Found(plan), true) => {
                solvable += 1;
                let again = look().expect("as before").end;
                let AttemptEnd::Found(again) = again else { panic!("{name}: not found again") };
                assert_eq!(plan, &again, "{name}: the same plan each time");
            }
            (AttemptEnd::GaveUp, false) => unsolvable += 1,
            (end, known) => panic!("{name}: solvable {known}, but {end:?}"),
        }
    }
    [solvable, unsolvable]
}

#[test]
fn it_finds_plans_where_there_are_any() {
    // By packing, and by a plan; variants that leave out more moves may fail.
    for variant in [1, 4] {
        let [solvable, unsolvable] = tried_from(Direction::Forward, variant);
        assert!(solvable > 60 && unsolvable > 20, "{solvable} {unsolvable}");
    }
}

#[test]
fn it_finds_plans_from_the_end() {
    let [solvable, unsolvable] = tried_from(Direction::Backward, 0);
    assert!(solvable > 40 && unsolvable > 10, "{solvable} {unsolvable}");
}

/// A try from the start that is too short for a plan helps one from the end: they meet.
#[test]
fn searches_from_both_ends_meet() {
    let mut met = 0;
    for (name, instance) in boards(0..1500) {
        let features = instance.capability::<dyn SatisficingSearch>().expect("it has features");
        let [attempts, alone] = [(); 2].map(|()| features.attempts());
        let look = |attempts: &dyn Attempts, direction, most| {
            let slice = Attempt { direction, variant: 0, most };
            attempts.look(slice, &Limits::none(), &mut |_| {})
        };
        let short = look(&*attempts, Direction::Forward, 2).expect("it can be looked at");
        if !matches!(short.end, AttemptEnd::GaveUp) {
            continue;
        }
        let tries =
            [&*attempts, &*alone].map(|attempts| look(attempts, Direction::Backward, 10_000));
        let [Some(both), Some(alone)] = tries else { continue };
        match (&both.end, &alone.end) {
            (AttemptEnd::Found(_), AttemptEnd::Found(_)) => {
                assert!(both.stats.states <= alone.stats.states, "{name}");
                met += u32::from(both.stats.states < alone.stats.states);
            }
            (AttemptEnd::GaveUp, AttemptEnd::GaveUp) => {}
            ends => panic!("{name}: {ends:?}"),
        }
    }
    assert!(met > 5, "{met}");
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
