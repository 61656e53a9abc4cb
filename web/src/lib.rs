//! The library behind a function for the page: a request in JSON, an answer in JSON. `protocol` has
//! both sides.
//!
//! There are two such functions, each in a module of WebAssembly of its own. [`player`] answers what
//! playing asks; it knows the rules alone, so that it is small and the page opens with it. [`solver`]
//! (a feature) is the whole library, which is asked what may take long, and tells events meanwhile.
//!
//! An answer is `{"ok": ...}` or `{"error": {"message", "line", "column", "help"}}`; what is asked
//! about a level is answered by the same code as on the command line.

pub mod player;
mod protocol;
#[cfg(feature = "solver")]
pub mod solver;
#[cfg(target_arch = "wasm32")]
mod wasm;

use protocol::Fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Display;
use unstuck_puzzles::ParseError;

/// Answers a request by what answers questions of its kind.
fn answered<A: DeserializeOwned>(
    request: &str,
    answer: impl FnOnce(A) -> Result<Value, PageError>,
) -> String {
    let answer = match serde_json::from_str(request) {
        Ok(request) => answer(request),
        Err(error) => Err(PageError::plain(format!("the request is not understood: {error}"))),
    };
    match answer {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error.0 }),
    }
    .to_string()
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

    /// There is no family of this name.
    fn unknown(family: &str) -> Self {
        Self::plain(format!("there is no puzzle `{family}`"))
    }
}

impl From<ParseError> for PageError {
    fn from(error: ParseError) -> Self {
        Self(Fault::from(&error))
    }
}
