//! Sokobond's encoding against exhaustive search on many random levels.

use crate::common;
use crate::common::extent::extent;
use unstuck::instance::{Instance, Question};
use unstuck::registry;
use unstuck_encodings::Step;
use unstuck_puzzles::Objective;

/// Plans longer than this are left out, to keep the test short.
const LONGEST: Step = 9;

/// The moves of the plan that the solver finds within a horizon; the rules have replayed it.
fn plan(instance: &dyn Instance, horizon: Step) -> Option<Step> {
    common::plan(instance, &Question::within(horizon)).map(|tally| tally.moves)
}

#[test]
fn random_levels_have_the_optimum_of_exhaustive_search() {
    let family = registry::by_name("sokobond").expect("a family of the registry");
    let (mut solvable, mut compared) = (0, 0);
    let levels = extent(220, 1_100);
    for seed in 0..levels {
        let instances = (family.sample)(seed).instances(Objective::Moves).expect("an objective");
        let [instance] = &instances[..] else { panic!("a sample has one reading") };
        let Some(optimum) = common::optimum(instance.as_ref(), 20_000) else { continue };
        if optimum.is_some_and(|optimum| optimum > LONGEST) {
            continue;
        }
        compared += 1;
        match optimum {
            Some(optimum) => {
                solvable += 1;
                assert!(instance.encoded().lower_bound().is_some_and(|bound| bound <= optimum));
                assert_eq!(plan(instance.as_ref(), optimum), Some(optimum), "seed {seed}");
                if let Some(less) = optimum.checked_sub(1) {
                    assert_eq!(plan(instance.as_ref(), less), None, "seed {seed}");
                }
            }
            None => assert_eq!(plan(instance.as_ref(), 4), None, "seed {seed}"),
        }
    }
    assert!(11 * compared >= 10 * levels, "{compared} levels compared");
    assert!(10 * solvable >= levels, "{solvable} of {compared} levels solvable");
}
