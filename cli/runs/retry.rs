//! Results of earlier runs: what they answer, and whether a level is tried again in spite of one.

use serde_json::{Value, json};
use std::collections::BTreeMap;

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

/// The key of a result: level, family, question. Those without a level's name have none.
pub fn key(line: &Value) -> Option<String> {
    let id = line["id"].as_str()?;
    Some(json!([line["puzzle"], id, question(line)?]).to_string())
}

/// The question of a result, sorted, so that the order of fields does not matter.
pub fn question(line: &Value) -> Option<BTreeMap<&String, &Value>> {
    line["question"].as_object().map(|question| question.iter().collect())
}

/// Whether nothing more can come out of trying again.
pub fn is_settled(line: &Value) -> bool {
    line["stopped_by"].is_null() && line["verdict"] != "error"
}

/// Whether a level must be tried again in spite of an earlier result.
pub fn should_retry(line: &Value, retry: Retry, limits: &Value) -> bool {
    match retry {
        Retry::All => true,
        _ if is_settled(line) => false,
        // Its end was not waited for.
        _ if line["stopped_by"] == "interrupted" => true,
        Retry::Unknown => true,
        Retry::None => larger(line, limits),
    }
}

/// Whether the limits are larger than those that ended an earlier run.
fn larger(line: &Value, limits: &Value) -> bool {
    let more = |name: &str| match (line["limits"][name].as_f64(), limits[name].as_f64()) {
        (Some(before), Some(now)) => now > before,
        (Some(_), None) => true,
        (None, _) => false,
    };
    match line["stopped_by"].as_str() {
        Some("time") => more("seconds"),
        Some("memory") => more("memory_bytes"),
        _ => false,
    }
}
