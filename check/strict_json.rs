//! JSON that means one thing to all readers: no object has two fields of one name.

use serde_json::Value;
use std::fmt;

/// Most values and names in a text: far more than is ever written, and few enough to be held.
const MAX_VALUES: usize = 1 << 20;

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrictJsonError {
    /// It is not JSON.
    Syntax(String),
    /// It has more values than are read.
    TooMany,
    /// An object has two fields of one name.
    Duplicate,
}

impl fmt::Display for StrictJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(reason) => write!(f, "not JSON: {reason}"),
            Self::TooMany => write!(f, "more than {MAX_VALUES} values"),
            Self::Duplicate => f.write_str("an object has two fields of one name"),
        }
    }
}

impl std::error::Error for StrictJsonError {}

/// Reads JSON in which no object has two fields of one name: of these, readers take the first, the
/// last, or both.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Value, StrictJsonError> {
    // Outside strings each colon belongs to a field, and each value but the first comes after one of
    // these signs.
    let (mut colons, mut values, mut inside, mut escaped) = (0, 1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = inside,
            b'"' => inside = !inside,
            _ if inside => {}
            b':' => colons += 1,
            b',' | b'[' | b'{' => values += 1,
            _ => {}
        }
    }
    if values > MAX_VALUES {
        return Err(StrictJsonError::TooMany);
    }
    let value =
        serde_json::from_str(text).map_err(|error| StrictJsonError::Syntax(error.to_string()))?;
    if fields(&value) != colons {
        return Err(StrictJsonError::Duplicate);
    }
    Ok(value)
}

/// How many fields all objects in a value have together.
fn fields(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.iter().map(fields).sum(),
        Value::Object(object) => object.len() + object.values().map(fields).sum::<usize>(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_used_once() {
        for text in
            ["{}", "[]", "1", "{\"a\": {\"a\": [{\"a\": 1}, {\"a\": \":\\\":\"}]}, \"b:\": 2}"]
        {
            assert_eq!(parse(text).ok(), serde_json::from_str(text).ok(), "{text}");
        }
        for text in
            ["", "{", "{\"a\": 1, \"a\": 1}", "[{\"b\": {\"a\": 1, \"\\u0061\": 2}}]", "1 2"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&format!("[{}0]", "0,".repeat(MAX_VALUES))).is_err());
    }
}
