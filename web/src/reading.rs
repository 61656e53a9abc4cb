//! Families, and levels from texts.

use crate::{PageError, text};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use unstuck::registry::{self, FAMILIES, Family, ParsedPuzzle};
use unstuck_puzzles::{Level, Objective, OptionSpec, Options, ParseError, Values};

/// Every family, with what it offers.
pub(crate) fn families() -> Value {
    FAMILIES
        .iter()
        .map(|family| {
            let objectives: Vec<_> = family.objectives.iter().map(|o| o.name()).collect();
            json!({
                "name": family.name,
                "about": family.about,
                "moves": family.objectives != [Objective::Any],
                "options": family.options.iter().map(option).collect::<Vec<_>>(),
                "objectives": objectives,
            })
        })
        .collect()
}

fn option(spec: &OptionSpec) -> Value {
    let mut value = json!({ "name": spec.name, "default": spec.default, "help": spec.help });
    match spec.values {
        Values::Flag => value["kind"] = json!("flag"),
        Values::Choice(choices) => {
            value["kind"] = json!("choice");
            value["choices"] = json!(choices);
        }
        Values::Number(low, high) => {
            value["kind"] = json!("number");
            value["low"] = json!(low);
            value["high"] = json!(high);
        }
        Values::Text(_) => value["kind"] = json!("text"),
    }
    value
}

/// A fault of a text, with its place.
pub(crate) fn fault(error: &ParseError) -> Value {
    let mut value = json!({ "message": error.message });
    if error.line > 0 {
        value["line"] = json!(error.line);
    }
    if error.column > 0 {
        value["column"] = json!(error.column);
    }
    if let Some(help) = &error.help {
        value["help"] = json!(help);
    }
    value
}

/// The levels of a text, when its family is given or can be detected; else the families it may be.
pub(crate) fn read(request: &Value) -> Result<Value, PageError> {
    let content = text(request, "text")?;
    let families: Vec<&Family> = match request["puzzle"].as_str() {
        Some(name) => vec![by_name(name)?],
        None => registry::guess(None, content),
    };
    let names: Vec<_> = families.iter().map(|family| family.name).collect();
    let [family] = families[..] else {
        if names.is_empty() {
            let message = "this text does not look like any of the puzzles; choose one to see what is wrong with it";
            return Err(PageError::plain(message));
        }
        return Ok(json!({ "families": names, "levels": [] }));
    };
    let levels = (family.read)(content, &options(family, &request["options"])?)?;
    if levels.is_empty() {
        return Err(PageError::plain("there is no level in this text"));
    }
    let levels: Vec<Value> = levels.iter().map(level).collect();
    Ok(json!({ "families": names, "levels": levels }))
}

fn level(level: &Level<Box<dyn ParsedPuzzle>>) -> Value {
    json!({
        "title": level.title,
        "line": level.line,
        "text": level.text,
        "fault": level.puzzle.as_ref().err().map(fault),
        "warnings": level.warnings,
        "solutions": level.solutions,
    })
}

fn by_name(name: &str) -> Result<&'static Family, PageError> {
    registry::by_name(name).ok_or_else(|| PageError::plain(format!("there is no puzzle `{name}`")))
}

fn options(family: &Family, given: &Value) -> Result<Options, PageError> {
    let none = Map::new();
    let given = given.as_object().unwrap_or(&none);
    let pairs = given.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    Ok(Options::new(family.options, pairs)?)
}

/// All options of a request's level, as certificates name them.
pub(crate) fn chosen_options(
    family: &Family,
    request: &Value,
) -> Result<BTreeMap<String, String>, PageError> {
    let options = options(family, &request["level"]["options"])?;
    Ok(options.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// The level of a request in every format that is written, the family's own first.
pub(crate) fn formats(request: &Value) -> Result<Value, PageError> {
    let (_, opened) = open(request)?;
    let written = opened
        .formats()
        .into_iter()
        .map(|it| json!({ "name": it.name, "extension": it.extension, "text": it.text }));
    Ok(written.collect())
}

/// The level of a request, opened.
pub(crate) fn open(request: &Value) -> Result<(&'static Family, Box<dyn ParsedPuzzle>), PageError> {
    let level = &request["level"];
    let family = by_name(text(level, "puzzle")?)?;
    let mut levels = (family.read)(text(level, "text")?, &options(family, &level["options"])?)?;
    match (levels.pop(), levels.len()) {
        (Some(only), 0) => Ok((family, only.puzzle?)),
        (_, others) => Err(PageError::plain(format!("{} levels where one belongs", others + 1))),
    }
}
