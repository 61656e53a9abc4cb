//! The gap between what is shown and what is found, as the engines report both: when it closes, all
//! are done; and an engine that has shown less than another gives way to the search for plans.

use super::Event;
use crate::machine::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What is known while several engines work, in the objective's primary count.
pub(super) struct Gap {
    /// No plan is cheaper, as search has shown, and as learning has.
    searched: AtomicU32,
    learned: AtomicU32,
    /// The cost of the best plan.
    found: AtomicU32,
    /// From this moment on search that has shown less than learning gives way.
    patience: Option<Instant>,
    /// Raised when a plan is as cheap as what is shown.
    pub(super) closed: Arc<AtomicBool>,
    /// Raised when search is to give way.
    pub(super) behind: Arc<AtomicBool>,
}

impl Gap {
    /// Nothing is known. `closed` is a flag that others raise, too.
    pub(super) fn new(patience: Option<Instant>, closed: Arc<AtomicBool>) -> Self {
        let [searched, learned] = [0; 2].map(AtomicU32::new);
        let found = AtomicU32::new(u32::MAX);
        Self { searched, learned, found, patience, closed, behind: Arc::default() }
    }

    /// Takes note of what an engine reports.
    pub(super) fn note(&self, event: &Event) {
        match event {
            Event::Searching(stats) => {
                self.searched.fetch_max(stats.lower.primary(), Ordering::Relaxed);
            }
            Event::Learning(stats) => {
                self.learned.fetch_max(stats.lower, Ordering::Relaxed);
            }
            Event::Improving(_) | Event::Plan(_) => {}
            Event::Confining(_) | Event::Asking { .. } | Event::Answered(_) | Event::Known(_) => {
                return;
            }
        }
        if let (_, Some(upper)) = event.bounds() {
            self.found.fetch_min(upper, Ordering::Relaxed);
        }
        let [searched, learned, found] =
            [&self.searched, &self.learned, &self.found].map(|bound| bound.load(Ordering::Relaxed));
        if found <= searched.max(learned) {
            self.closed.store(true, Ordering::Relaxed);
        }
        if learned > searched && self.patience.is_some_and(|moment| Instant::now() >= moment) {
            self.behind.store(true, Ordering::Relaxed);
        }
    }

    /// Whether search was asked to give way.
    pub(super) fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{learn, search};
    use unstuck_encodings::Cost;

    fn searching(lower: u32) -> Event {
        Event::Searching(search::SearchStats { lower: Cost::new(lower, 0), ..Default::default() })
    }

    fn learning(lower: u32) -> Event {
        Event::Learning(learn::LearnStats { lower, ..Default::default() })
    }

    #[test]
    fn a_gap_closes_when_a_plan_is_as_cheap_as_what_is_shown() {
        let gap = Gap::new(None, Arc::default());
        let closed = |event: &Event| {
            gap.note(event);
            gap.closed.load(Ordering::Relaxed)
        };
        assert!(!closed(&Event::Plan(9)));
        assert!(!closed(&searching(5)));
        assert!(!closed(&learning(7)));
        // Asked is not refuted.
        assert!(!closed(&Event::Asking { horizon: 9, variables: 1, clauses: 1 }));
        assert!(!closed(&Event::Plan(8)));
        assert!(closed(&learning(8)));
    }

    #[test]
    fn search_gives_way_when_it_is_behind_after_a_while_and_not_before() {
        let impatient = Gap::new(Some(Instant::now()), Arc::default());
        for (event, is_behind) in [(searching(5), false), (learning(5), false), (learning(6), true)]
        {
            impatient.note(&event);
            assert_eq!(impatient.is_behind(), is_behind, "{event}");
        }
        let patient = Gap::new(None, Arc::default());
        patient.note(&learning(6));
        assert!(!patient.is_behind());
    }
}
