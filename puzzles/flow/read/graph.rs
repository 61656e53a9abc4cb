//! Graphs as JSON: any board at all.

use super::super::board::{Board, Name, Touch};
use super::super::builder::{BoardError, Builder};
use crate::error::ParseError;
use crate::level::Level;
use serde_json::Value;

/// Whether a text is meant to be a JSON graph (and not a grid that has a brace as a label).
pub(super) fn is_graph(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"pairs\"")
}

const KEYS: [&str; 7] = ["title", "nodes", "edges", "pairs", "bridges", "cover", "touch"];
const HELP: &str = "an object with `nodes` [..], `edges` [[a, b], ..], `pairs` [[a, b, label], ..]; \
                    also `bridges` [{\"node\": x, \"lanes\": [[a, b], [c, d]]}], `cover` (true or false), \
                    `touch` (auto, never or allow) and `title`";

pub(super) fn read(text: &str) -> Level<Board> {
    let value: Result<Value, ParseError> = serde_json::from_str(text).map_err(|fault| {
        // The place stands in the fields; the message repeats it at its end.
        let message = fault.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
        ParseError::at(fault.line(), fault.column(), message).help(HELP)
    });
    let title = value.as_ref().ok().and_then(|value| value["title"].as_str()).map(str::to_owned);
    let first = text.lines().take_while(|line| line.trim().is_empty()).count() + 1;
    let puzzle = value.and_then(|value| board(&value));
    Level { title, ..Level::new(first, text.to_owned(), puzzle) }
}

fn fault(message: impl Into<String>) -> ParseError {
    ParseError::whole(message).help(HELP)
}

fn board(value: &Value) -> Result<Board, ParseError> {
    let object = value.as_object().ok_or_else(|| fault("a graph is one JSON object"))?;
    if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(fault(format!("no key `{key}` in a graph")));
    }
    let mut builder = Builder::graph();
    fill(&mut builder, value)?;
    builder.build().map_err(|e| ParseError { help: e.help, ..ParseError::whole(e.message) })
}

fn fill(builder: &mut Builder, value: &Value) -> Result<(), ParseError> {
    let refused = |e: BoardError| ParseError { help: e.help, ..ParseError::whole(e.message) };
    for node in list(value, "nodes", true)? {
        builder.cell(name(node)?).map_err(refused)?;
    }
    for edge in list(value, "edges", true)? {
        let [a, b] = two(edge, "an edge")?;
        builder.link(a, b).map_err(refused)?;
    }
    for (number, pair) in list(value, "pairs", true)?.iter().enumerate() {
        let (ends, label) = match pair.as_array().map(Vec::as_slice) {
            Some([a, b]) => ([a, b], letters(number)),
            Some([a, b, label]) => ([a, b], id(label)?),
            _ => return Err(fault(format!("`{pair}` is no pair: [a, b] or [a, b, label]"))),
        };
        builder.pair(&label, name(ends[0])?, name(ends[1])?).map_err(refused)?;
    }
    for bridge in list(value, "bridges", false)? {
        let lanes = list(bridge, "lanes", true)?.iter().map(|lane| two(lane, "a lane"));
        let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
        builder.bridge_between(name(&bridge["node"])?, &lanes).map_err(refused)?;
    }
    match &value["cover"] {
        Value::Null => {}
        Value::Bool(cover) => drop(builder.cover(*cover)),
        other => return Err(fault(format!("`cover` cannot be {other}"))),
    }
    match (&value["touch"], value["touch"].as_str().and_then(Touch::from_word)) {
        (Value::Null, _) => {}
        (_, Some(touch)) => drop(builder.touch(touch)),
        (other, None) => return Err(fault(format!("`touch` cannot be {other}"))),
    }
    Ok(())
}

fn list<'a>(value: &'a Value, key: &str, needed: bool) -> Result<&'a [Value], ParseError> {
    match &value[key] {
        Value::Array(values) => Ok(values),
        Value::Null if !needed => Ok(&[]),
        Value::Null => Err(fault(format!("`{key}` is missing"))),
        other => Err(fault(format!("`{key}` is a list, not {other}"))),
    }
}

fn two(value: &Value, what: &str) -> Result<[Name; 2], ParseError> {
    match value.as_array().map(Vec::as_slice) {
        Some([a, b]) => Ok([name(a)?, name(b)?]),
        _ => Err(fault(format!("`{value}` is not {what}: [a, b]"))),
    }
}

fn name(value: &Value) -> Result<Name, ParseError> {
    id(value).map(Name::Id)
}

/// A string, or a whole number in its digits.
fn id(value: &Value) -> Result<String, ParseError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) if !number.is_f64() => Ok(number.to_string()),
        other => Err(fault(format!("`{other}` is no name: a string or a whole number"))),
    }
}

/// The label of a pair that has none: A to Z, then AA, AB and so on.
fn letters(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letters(more - 1)),
    }
}
