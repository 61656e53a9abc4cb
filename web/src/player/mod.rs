//! What playing asks, answered at once and by the rules alone.

pub(crate) mod reading;
mod sessions;

use crate::protocol::QuickAsk;
use crate::{PageError, answered, value};
use serde_json::Value;

/// Answers a request.
pub fn answer(request: &str) -> String {
    answered(request, dispatch)
}

fn dispatch(request: QuickAsk) -> Result<Value, PageError> {
    match request {
        QuickAsk::Families => value(reading::families()),
        QuickAsk::Read { text, puzzle, options } => {
            value(reading::read(&text, puzzle.as_deref(), &options)?)
        }
        QuickAsk::Formats { level } => value(reading::formats(&level)?),
        QuickAsk::Picture { level, moves } => value(sessions::picture(&level, &moves)?),
        QuickAsk::Open { id, level, moves } => value(sessions::start(id, &level, &moves)?),
        QuickAsk::Close { id } => {
            sessions::close(id);
            Ok(Value::Null)
        }
        QuickAsk::Play { id, at, moves } => value(sessions::play(id, at, &moves)?),
        QuickAsk::View { id, at } => value(sessions::view(id, at)?),
        QuickAsk::Walk { id, at, to } => value(sessions::walk(id, at, to)?),
        QuickAsk::Drag { id, at, from, to } => value(sessions::drag(id, at, from, to)?),
        QuickAsk::Reached { id, at, from } => value(sessions::reached(id, at, from)?),
        QuickAsk::Judge { id, drawing } => value(sessions::judge(id, &drawing)?),
    }
}
