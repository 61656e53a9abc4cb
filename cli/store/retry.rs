//! Results of earlier runs: what they answer, and whether a level is tried again in spite of one.

use crate::store::result::{GivenLimits, KeptAnswer, LevelResult};

/// Which results of earlier runs are not taken but tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Those that a limit ended, and errors.
    Unknown,
    /// None but those that were interrupted, and those whose limits were smaller.
    None,
    /// All.
    All,
}

impl Retry {
    /// Its names for people.
    pub const NAMES: [&str; 3] = ["unknown", "none", "all"];

    /// What a name means.
    pub fn from_name(name: &str) -> Self {
        match name {
            "none" => Self::None,
            "all" => Self::All,
            _ => Self::Unknown,
        }
    }
}

/// Whether a level must be tried again within these limits in spite of an earlier result.
pub(crate) fn should_retry<A: KeptAnswer>(
    line: &LevelResult<A>,
    retry: Retry,
    limits: GivenLimits,
) -> bool {
    match (retry, line.answer.stopped_by()) {
        (Retry::All, _) => true,
        _ if line.answer.is_settled() => false,
        // Its end was not waited for.
        (_, Some("interrupted")) | (Retry::Unknown, _) => true,
        (Retry::None, stop) => is_larger(line.asked.limits, limits, stop),
    }
}

/// Whether limits are larger than those of an earlier run, of which one struck.
fn is_larger(before: GivenLimits, now: GivenLimits, stop: Option<&str>) -> bool {
    fn more<T: PartialOrd>(before: Option<T>, now: Option<T>) -> bool {
        before.is_some_and(|before| now.is_none_or(|now| now > before))
    }
    match stop {
        Some("time") => more(before.seconds, now.seconds),
        Some("memory") => more(before.memory_bytes, now.memory_bytes),
        _ => false,
    }
}
