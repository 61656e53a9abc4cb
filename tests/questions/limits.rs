//! Limits in the middle of a question.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unstuck::limits::{Limits, Stop};
use unstuck::questions::explain::explain;
use unstuck::questions::needed::{Change, needed};
use unstuck::registry::by_name;
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

/// A limit that strikes leaves parts open: it decides none of them.
#[test]
fn a_limit_is_no_answer() {
    let mut open = 0;
    for seed in 0..12 {
        let family = by_name("sokoban").expect("it is registered");
        let instances = (family.sample)(seed).instances(Objective::Pushes).expect("listed");
        let instance = instances[0].as_ref();
        let constraints = Constraints::default();
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().with_flag(flag.clone());
        let whole = needed(instance, None, false, &constraints, &limits, &mut |_, _, _| {});
        let whole = whole.expect("no fault");
        // It strikes before the third part.
        let mut strike = |done: usize, _: usize, _: &_| {
            flag.store(done == 2, Ordering::Relaxed);
        };
        let cut = needed(instance, None, false, &constraints, &limits, &mut strike);
        let cut = cut.expect("no fault");
        assert_eq!(cut.parts.len(), whole.parts.len(), "{seed}");
        for (number, (cut, whole)) in cut.parts.iter().zip(&whole.parts).enumerate() {
            if number < 2 {
                assert_eq!(cut.effect, whole.effect, "{seed}");
            } else {
                let said = (cut.effect, cut.without.stop, cut.without.solvable);
                assert_eq!(said, (Change::Unknown, Some(Stop::Interrupted), None), "{seed}");
                open += 1;
            }
        }
        flag.store(true, Ordering::Relaxed);
        let explained = explain(instance, &[], 3, &constraints, &limits).expect("no fault");
        let said = (explained.solvable, explained.stop, explained.cores.len());
        // A level that is seen to be lost, or solved, at once needs no time.
        assert!(
            said == (None, Some(Stop::Interrupted), 0) || explained.solvable.is_some(),
            "{seed}: {said:?}"
        );
        assert!(explained.cores.iter().all(|core| !core.minimal), "{seed}");
    }
    assert!(open > 20, "{open}");
}
