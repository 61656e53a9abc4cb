//! What public types are not called, and what errors are: no participles, and types of their own.
//!
//! A name says first what it is, so the last of its words counts: `HorizonStats` are statistics.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Whole names that are terms of the field, or names of solvers and puzzles.
const TERMS: &[&str] = &["Verified"];

/// Participles that do not end in "ed".
const PARTICIPLES: &[&str] = &[
    "Begun", "Built", "Chosen", "Done", "Drawn", "Found", "Frozen", "Given", "Gone", "Heard",
    "Held", "Hidden", "Kept", "Known", "Left", "Lost", "Made", "Meant", "Met", "Put", "Read",
    "Said", "Seen", "Sent", "Shown", "Taken", "Told", "Unread", "Won", "Worn", "Written",
];

/// Functions whose error is still a bare text, by file. This list only ever gets shorter.
const TEXT_ERRORS: &[(&str, usize)] = &[];

const CRATES: &[&str] = &["puzzlescript", "puzzles", "encodings", "check", "src", "web/src"];

fn sources() -> Vec<(String, TokenStream)> {
    fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("a readable entry").path();
            match path.is_dir() {
                true if path.ends_with("benches") => {}
                true => walk(&path, into),
                false if path.extension().is_some_and(|ending| ending == "rs") => into.push(path),
                false => {}
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    CRATES.iter().for_each(|folder| walk(&root.join(folder), &mut paths));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a readable source");
        let name = path.strip_prefix(root).expect("a source of the project").to_string_lossy();
        (name.replace('\\', "/"), text.parse().expect("a source that compiles"))
    };
    let sources: Vec<_> = paths.into_iter().map(read).collect();
    assert!(sources.len() > 100, "{} sources only", sources.len());
    sources
}

/// All tokens in their order; groups of any kind stand between parentheses.
fn flat(stream: TokenStream, into: &mut Vec<String>) {
    for token in stream {
        match token {
            TokenTree::Group(group) => {
                into.push("(".to_owned());
                flat(group.stream(), into);
                into.push(")".to_owned());
            }
            other => into.push(other.to_string()),
        }
    }
}

/// The names of the public types that a source declares.
fn public_types(stream: TokenStream, into: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token
            && group.delimiter() == Delimiter::Brace
        {
            public_types(group.stream(), into);
        }
        let word = |offset: usize| tokens.get(at + offset).map(ToString::to_string);
        let is_type = ["struct", "enum", "trait", "union"].map(|word| Some(word.to_owned()));
        if word(0).as_deref() == Some("pub") && is_type.contains(&word(1)) {
            into.insert(word(2).expect("a type has a name"));
        }
    }
}

/// Whether the last word of a name is a participle.
fn is_participle(name: &str) -> bool {
    let last = &name[name.rfind(char::is_uppercase).unwrap_or(0)..];
    PARTICIPLES.contains(&last) || last.ends_with("ed") && !["Seed", "Speed"].contains(&last)
}

#[test]
fn no_public_type_is_a_participle() {
    let mut names = BTreeSet::new();
    sources().into_iter().for_each(|(_, stream)| public_types(stream, &mut names));
    assert!(names.len() > 200, "{} public types only", names.len());
    let is_bad = |name: &&String| is_participle(name) && !TERMS.contains(&name.as_str());
    let bad: Vec<&String> = names.iter().filter(is_bad).collect();
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
fn text_errors(stream: TokenStream) -> usize {
    let mut tokens = Vec::new();
    flat(stream, &mut tokens);
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token == word);
    let starts = (0..tokens.len()).filter(|&at| is(at, "Result") && is(at + 1, "<"));
    starts.filter(|&start| has_text_error(&tokens[start + 1..])).count()
}

/// Whether a list of type arguments, from its `<` on, has `String` as the second.
fn has_text_error(tokens: &[String]) -> bool {
    let (mut angles, mut groups, mut arguments) = (0, 0, 1);
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "<" => angles += 1,
            ">" if tokens[at - 1] != "-" => angles -= 1,
            "(" => groups += 1,
            ")" => groups -= 1,
            "," if (angles, groups) == (1, 0) => arguments += 1,
            "String" if (angles, groups, arguments) == (1, 0, 2) && tokens[at - 1] == "," => {
                return [",", ">"].map(Some).contains(&tokens.get(at + 1).map(String::as_str));
            }
            _ => {}
        }
        if angles == 0 || groups < 0 {
            return false;
        }
    }
    false
}

#[test]
fn errors_are_types() {
    let counted = sources().into_iter().map(|(path, stream)| (path, text_errors(stream)));
    let found: BTreeMap<String, usize> = counted.filter(|(_, count)| *count > 0).collect();
    let allowed: BTreeMap<String, usize> =
        TEXT_ERRORS.iter().map(|&(path, count)| (path.to_owned(), count)).collect();
    for (path, count) in &found {
        let most = allowed.get(path).copied().unwrap_or(0);
        assert!(*count <= most, "{path}: {count} times `Result<_, String>`: give errors a type");
    }
    assert_eq!(found, allowed, "there are fewer: shorten the list");
}

#[test]
fn errors_that_are_texts_are_found() {
    let count = |text: &str| text_errors(text.parse().expect("tokens"));
    assert_eq!(count("fn a() -> Result<u8, String> {}"), 1);
    assert_eq!(count("fn a() -> Result<(Vec<u8>, String), Error> {}"), 0);
    assert_eq!(count("fn a() -> Result<BTreeMap<String, String>, String> {}"), 1);
    assert_eq!(count("fn a() -> Result<BTreeMap<String, String>, Error> {}"), 0);
    assert_eq!(count("fn a(f: fn() -> Result<u8, String>) {}"), 1);
}
