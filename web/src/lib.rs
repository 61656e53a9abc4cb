//! The library behind one function, for the page: a request in JSON, an answer in JSON, and events
//! while a long question is worked on. `protocol` has both sides.
//!
//! An answer is `{"ok": ...}` or `{"error": {"message", "line", "column", "help"}}`; what is asked
//! about a level is answered by the same code as on the command line.

mod protocol;
#[cfg(target_arch = "wasm32")]
mod wasm;

mod player {
    pub(crate) mod reading;
    pub(crate) mod sessions;
}

mod solver {
    pub(crate) mod counting;
    pub(crate) mod hints;
    pub(crate) mod proving;
    pub(crate) mod solving;
}

use player::{reading, sessions};
use protocol::{Ask, Fault};
use serde::Serialize;
use serde_json::{Value, json};
use solver::{counting, hints, proving, solving};
use std::fmt::Display;
use unstuck_puzzles::ParseError;

/// What a request gives beside its answer.
pub trait Host: Sync {
    /// Something happened while a long question is worked on, as JSON.
    fn event(&self, event: &str);

    /// A file that belongs to the answer.
    fn file(&self, name: &str, content: &[u8]);
}

/// Answers a request.
pub fn answer(request: &str, host: &dyn Host) -> String {
    let answer = match serde_json::from_str(request) {
        Ok(request) => dispatch(request, host),
        Err(error) => Err(PageError::plain(format!("the request is not understood: {error}"))),
    };
    match answer {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error.0 }),
    }
    .to_string()
}

fn dispatch(request: Ask, host: &dyn Host) -> Result<Value, PageError> {
    match request {
        Ask::Families => value(reading::families()),
        Ask::Read { text, puzzle, options } => {
            value(reading::read(&text, puzzle.as_deref(), &options)?)
        }
        Ask::Formats { level } => value(reading::formats(&level)?),
        Ask::Picture { level, moves } => value(sessions::picture(&level, &moves)?),
        Ask::Open { id, level, moves } => value(sessions::start(id, &level, &moves)?),
        Ask::Close { id } => {
            sessions::close(id);
            Ok(Value::Null)
        }
        Ask::Play { id, at, moves } => value(sessions::play(id, at, &moves)?),
        Ask::View { id, at } => value(sessions::view(id, at)?),
        Ask::Walk { id, at, to } => value(sessions::walk(id, at, to)?),
        Ask::Drag { id, at, from, to } => value(sessions::drag(id, at, from, to)?),
        Ask::Judge { id, drawing } => value(sessions::judge(id, &drawing)?),
        Ask::Solve { level, objective, engine, limits } => {
            let asked = solving::Question { level, objective, engine, limits };
            value(solving::solve(&asked, host)?)
        }
        Ask::Prove { level, objective, engine, formulas, limits } => {
            let asked = solving::Question { level, objective, engine, limits };
            value(proving::prove(&asked, formulas, host)?)
        }
        Ask::Hint { level, moves, degree, limits } => {
            value(hints::hint(&level, &moves, &degree, &limits)?)
        }
        Ask::Diagnose { level, moves, limits } => value(hints::diagnosis(&level, &moves, &limits)?),
        Ask::Forced { level, limits } => value(hints::forced_facts(&level, &limits)?),
        Ask::Count { level, objective, limits } => {
            value(counting::count(&level, &objective, &limits)?)
        }
    }
}

fn value(answer: impl Serialize) -> Result<Value, PageError> {
    serde_json::to_value(answer).map_err(PageError::plain)
}

/// Why there is no answer, as the page shows it.
struct PageError(Fault);

impl PageError {
    fn plain(message: impl Display) -> Self {
        Self(Fault { message: message.to_string(), ..Fault::default() })
    }

    fn unread() -> Self {
        Self::plain("this level has no reading")
    }

    /// The family says its boards in pictures only.
    fn unsaid() -> Self {
        Self::plain("boards of this family cannot be drawn here")
    }

    /// There is no session of that number.
    fn closed() -> Self {
        let message = "this level is no longer open".to_owned();
        Self(Fault { message, closed: Some(true), ..Fault::default() })
    }
}

impl From<ParseError> for PageError {
    fn from(error: ParseError) -> Self {
        Self(Fault::from(&error))
    }
}
