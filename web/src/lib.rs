//! The library behind one function, for the page: a request in JSON, an answer in JSON, and events
//! while a long question is worked on. `page/src/protocol.ts` has the other side.
//!
//! An answer is `{"ok": ...}` or `{"error": {"message", "line", "column", "help"}}`; what is asked
//! about a level is answered by the same code as on the command line.

mod counting;
mod hints;
mod playing;
mod proving;
mod reading;
mod solving;
#[cfg(target_arch = "wasm32")]
mod wasm;

use serde_json::{Value, json};
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
        Ok(request) => dispatch(&request, host),
        Err(error) => Err(PageError::plain(format!("the request is no JSON: {error}"))),
    };
    match answer {
        Ok(value) => json!({ "ok": value }),
        Err(fault) => json!({ "error": fault.0 }),
    }
    .to_string()
}

fn dispatch(request: &Value, host: &dyn Host) -> Result<Value, PageError> {
    match text(request, "ask")? {
        "families" => Ok(reading::families()),
        "read" => reading::read(request),
        "formats" => reading::formats(request),
        "show" => playing::show(request),
        "walk" => playing::walk(request),
        "drag" => playing::drag(request),
        "solve" => solving::solve(request, host),
        "prove" => proving::prove(request, host),
        "hint" => hints::hint(request),
        "diagnose" => hints::diagnosis(request),
        "forced" => hints::forced_facts(request),
        "count" => counting::count(request),
        other => Err(PageError::plain(format!("unknown request `{other}`"))),
    }
}

/// Why there is no answer, as the page shows it.
struct PageError(Value);

impl PageError {
    fn plain(message: impl Display) -> Self {
        Self(json!({ "message": message.to_string() }))
    }
}

impl From<ParseError> for PageError {
    fn from(error: ParseError) -> Self {
        Self(reading::fault(&error))
    }
}

/// A field that is a text.
fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, PageError> {
    value[name]
        .as_str()
        .ok_or_else(|| PageError::plain(format!("the request has no text `{name}`")))
}
