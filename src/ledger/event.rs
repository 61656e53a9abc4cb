//! What is seen of a run while it goes on.

use super::outcome::{HorizonStats, Outcome};
use crate::improve::ImproveStats;
use crate::learn::LearnStats;
use crate::search::SearchStats;
use std::fmt;
use unstuck_encodings::Step;

/// Something that happened on the way: for progress displays.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Explicit search goes on.
    Searching(SearchStats),
    /// Single steps are asked about.
    Confining(String),
    /// Learning goes on.
    Learning(LearnStats),
    /// A plan is being made shorter.
    Improving(ImproveStats),
    /// A horizon is about to be solved.
    Asking {
        /// The horizon.
        horizon: Step,
        /// Number of variables.
        variables: usize,
        /// Number of clauses.
        clauses: usize,
    },
    /// A horizon was answered.
    Answered(HorizonStats),
    /// A plan was found: the upper bound (in the objective's primary count).
    Plan(u32),
    /// What the ledger holds now, though engines may still be at work.
    Known(Box<Outcome>),
}

impl Event {
    /// What is known now: no solution is cheaper, and one of this cost is there.
    pub fn bounds(&self) -> (Option<u32>, Option<u32>) {
        match self {
            Self::Searching(stats) => (Some(stats.lower.primary()), None),
            Self::Learning(stats) => (Some(stats.judged).filter(|&lower| lower > 0), None),
            Self::Improving(stats) => (None, Some(stats.cost.primary())),
            Self::Plan(length) => (None, Some(*length)),
            // A horizon that is asked is not refuted yet; it need not be the lowest one.
            Self::Confining(_) | Self::Asking { .. } | Self::Answered(_) | Self::Known(_) => {
                (None, None)
            }
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Searching(stats) => stats.fmt(f),
            Self::Confining(text) => f.write_str(text),
            Self::Learning(stats) => stats.fmt(f),
            Self::Improving(stats) => stats.fmt(f),
            Self::Asking { horizon, clauses, .. } => {
                write!(f, "asking for a solution within {horizon}: {clauses} clauses")
            }
            Self::Answered(asked) => write!(f, "horizon {}: {}", asked.horizon, asked.answer),
            Self::Plan(length) => write!(f, "a solution of {length} was found"),
            Self::Known(_) => f.write_str("more is known"),
        }
    }
}

/// Where events go. It may be called from several threads.
pub type Progress<'a> = &'a (dyn Fn(&Event) + Sync);
