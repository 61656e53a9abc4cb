//! Questions that may take long.

mod counting;
mod generating;
mod hints;
mod protocol;
mod proving;
mod solving;

use crate::player::reading::{only, options};
use crate::protocol::Level;
use crate::{PageError, answered, value};
use protocol::LongAsk;
use serde_json::Value;
use unstuck::registry::{self, Family, ParsedPuzzle};

/// What a request gives beside its answer.
pub trait Host: Sync {
    /// Something happened while a long question is worked on, as JSON.
    fn event(&self, event: &str);

    /// A file that belongs to the answer.
    fn file(&self, name: &str, content: &[u8]);
}

/// Answers a request.
pub fn answer(request: &str, host: &dyn Host) -> String {
    answered(request, |request| dispatch(request, host))
}

fn dispatch(request: LongAsk, host: &dyn Host) -> Result<Value, PageError> {
    match request {
        LongAsk::Solve { level, objective, engine, limits } => {
            let asked = solving::Question { level, objective, engine, limits };
            value(solving::solve(&asked, host)?)
        }
        LongAsk::Prove { level, objective, engine, formulas, limits } => {
            let asked = solving::Question { level, objective, engine, limits };
            value(proving::prove(&asked, formulas, host)?)
        }
        LongAsk::Hint { level, moves, degree, limits } => {
            value(hints::hint(&level, &moves, degree, &limits)?)
        }
        LongAsk::Diagnose { level, moves, limits } => {
            value(hints::diagnosis(&level, &moves, &limits)?)
        }
        LongAsk::Forced { level, limits } => value(hints::forced_facts(&level, &limits)?),
        LongAsk::Generate { puzzle, options, seed, least, limits } => {
            let asked = generating::Recipe { puzzle, options, seed, least };
            value(generating::generate(&asked, limits, host)?)
        }
        LongAsk::Count { level, objective, rules, limits } => {
            value(counting::count(&level, &objective, rules, &limits)?)
        }
    }
}

/// A level, opened.
fn open(level: &Level) -> Result<(&'static Family, ParsedPuzzle), PageError> {
    let family =
        registry::by_name(&level.puzzle).ok_or_else(|| PageError::unknown(&level.puzzle))?;
    let levels = (family.read)(&level.text, &options(&family.rules, &level.options)?)?;
    Ok((family, only(levels)?))
}
