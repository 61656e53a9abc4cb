//! JSON that means one thing to everybody who reads it.

use serde_json::Value;

/// Most values and names in a text: far more than is ever written, and few enough to be held.
const MOST: usize = 1 << 20;

/// Reads JSON in which no object has two fields of one name: of these, readers take the first, the
/// last, or both.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse(text: &str) -> Result<Value, String> {
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
    if values > MOST {
        return Err(format!("more than {MOST} values"));
    }
    let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if fields(&value) != colons {
        return Err("an object has two fields of one name".to_owned());
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
        assert!(parse(&format!("[{}0]", "0,".repeat(MOST))).is_err());
    }
}
