//! What public types are not called, and what errors are: no participles, and types of their own.
//!
//! A name says first what it is, so the last of its words counts: `HorizonStats` are statistics.

use crate::paths::sources;
use std::collections::BTreeSet;

/// Whole names that are terms of the field, or names of solvers and puzzles.
const TERMS: &[&str] = &["Verified"];

/// Participles that do not end in "ed".
const PARTICIPLES: &[&str] = &[
    "Begun", "Built", "Chosen", "Done", "Drawn", "Found", "Frozen", "Given", "Gone", "Heard",
    "Held", "Hidden", "Kept", "Known", "Left", "Lost", "Made", "Meant", "Met", "Put", "Read",
    "Said", "Seen", "Sent", "Shown", "Taken", "Told", "Unread", "Won", "Worn", "Written",
];

const CRATES: &[&str] = &["puzzlescript", "puzzles", "encodings", "check", "src", "web/src"];

/// The name of the public type that a line declares.
fn public_type(line: &str) -> Option<&str> {
    let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "union"].contains(&kind);
    rest.split(|c: char| !c.is_alphanumeric()).next().filter(|_| is_type)
}

/// Whether the last word of a name is a participle.
fn is_participle(name: &str) -> bool {
    let last = &name[name.rfind(char::is_uppercase).unwrap_or(0)..];
    PARTICIPLES.contains(&last) || last.ends_with("ed") && !["Seed", "Speed"].contains(&last)
}

#[test]
fn no_public_type_is_a_participle() {
    let sources: Vec<_> = CRATES.iter().copied().flat_map(sources).collect();
    let names: BTreeSet<&str> =
        sources.iter().flat_map(|(_, text)| text.lines().filter_map(public_type)).collect();
    assert!(names.len() > 200, "{} public types only", names.len());
    let is_bad = |name: &&&str| is_participle(name) && !TERMS.contains(name);
    let bad: Vec<_> = names.iter().filter(is_bad).collect();
    assert!(bad.is_empty(), "name what these are: {bad:?}");
    let unused: Vec<_> = TERMS.iter().filter(|term| !names.contains(**term)).collect();
    assert!(unused.is_empty(), "not needed any more: {unused:?}");
}

#[test]
fn participles_are_found() {
    assert!(!["HorizonStats", "ProofError", "Seed"].into_iter().any(is_participle));
    assert!(["Told", "Unread", "Decided", "NotVerified"].into_iter().all(is_participle));
}

/// How many times a source has `Result<_, String>`.
fn text_errors(text: &str) -> usize {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.flat_map(str::split_whitespace).collect();
    let code = code.replace("->", "").replace(",String,>", ",String>");
    // The bracket that stands open before the error.
    let opens = |before: &str| {
        let mut depth = 0;
        before.rfind(|bracket| {
            match bracket {
                '>' | ')' | ']' | '}' => depth += 1,
                '<' | '(' | '[' | '{' => depth -= 1,
                _ => {}
            }
            depth < 0
        })
    };
    let is_result = |(at, _): &(usize, &str)| {
        opens(&code[..*at]).is_some_and(|open| code[..=open].ends_with("Result<"))
    };
    code.match_indices(",String>").filter(is_result).count()
}

#[test]
fn errors_are_types() {
    for (path, text) in CRATES.iter().copied().flat_map(sources) {
        let count = text_errors(&text);
        assert!(count == 0, "{path:?}: {count} times `Result<_, String>`: give errors a type");
    }
}

#[test]
fn errors_that_are_texts_are_found() {
    assert_eq!(text_errors("fn a() -> Result<u8, String> {}"), 1);
    assert_eq!(text_errors("fn a() -> Result<(Vec<u8>, String), Error> {}"), 0);
    assert_eq!(text_errors("fn a() -> Result<BTreeMap<String, String>, String> {}"), 1);
    assert_eq!(text_errors("fn a() -> Result<BTreeMap<String, String>, Error> {}"), 0);
    assert_eq!(text_errors("fn a(f: fn() -> Result<u8, String>) {}"), 1);
}
