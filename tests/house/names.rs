//! What public types are called, and what errors are: ordinary nouns, and types of their own.
//!
//! A name says first what it is, so the last of its words counts: `HorizonStats` are statistics.
//! That word is a noun of Rust, of SAT, of planning or of puzzles, all of which are listed here, or
//! the whole name is an entry of `docs/glossary.md`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that the name of a public type may end in. A new one belongs here if a dictionary or a
/// handbook of the field has it as a noun.
const NOUNS: &[&str] = &[
    "Action",
    "Advice",
    "Answer",
    "Arrangement",
    "Arrow",
    "Assignment",
    "Atlas",
    "Atom",
    "Attempt",
    "Attempts",
    "Backend",
    "Ball",
    "Berth",
    "Board",
    "Bond",
    "Bonding",
    "Bound",
    "Bounds",
    "Budget",
    "Builder",
    "Capabilities",
    "Capability",
    "Cell",
    "Certificate",
    "Change",
    "Check",
    "Checker",
    "Choice",
    "Claim",
    "Class",
    "Clauses",
    "Collection",
    "Collector",
    "Command",
    "Condition",
    "Conflict",
    "Constraint",
    "Constraints",
    "Coord",
    "Core",
    "Cost",
    "Counts",
    "Cover",
    "Cubes",
    "Delay",
    "Derivation",
    "Destination",
    "Diagnosis",
    "Difficulty",
    "Direction",
    "Distance",
    "Distances",
    "Edges",
    "Effect",
    "Electrons",
    "Element",
    "Encoding",
    "End",
    "Engine",
    "Entry",
    "Enumeration",
    "Error",
    "Event",
    "Evidence",
    "Expansion",
    "Explanation",
    "Fact",
    "Facts",
    "Failure",
    "Family",
    "Features",
    "Field",
    "Figure",
    "Files",
    "Filter",
    "Floor",
    "Folder",
    "Format",
    "Formula",
    "Formulas",
    "Frame",
    "Freezer",
    "Game",
    "Generator",
    "Goal",
    "Graph",
    "Grid",
    "Ground",
    "Group",
    "Guidance",
    "Guide",
    "Handle",
    "Heading",
    "Helper",
    "Hint",
    "Host",
    "Id",
    "Incumbent",
    "Induction",
    "Input",
    "Inputs",
    "Instance",
    "Instant",
    "Instructions",
    "Joint",
    "Justification",
    "Key",
    "Keys",
    "Kind",
    "Layer",
    "Layers",
    "Layout",
    "Legend",
    "Length",
    "Level",
    "Limits",
    "Lines",
    "Link",
    "List",
    "Literals",
    "Lits",
    "Lock",
    "Macro",
    "Manifest",
    "Map",
    "Mark",
    "Mask",
    "Matching",
    "Measure",
    "Measures",
    "Memory",
    "Method",
    "Model",
    "Modifier",
    "Monitor",
    "Move",
    "Moves",
    "Name",
    "Node",
    "Note",
    "Notes",
    "Number",
    "Object",
    "Objective",
    "Obligation",
    "Obstacle",
    "Options",
    "Oracle",
    "Outcome",
    "Packing",
    "Pair",
    "Part",
    "Partition",
    "Parts",
    "Pattern",
    "Patterns",
    "Perimeter",
    "Pieces",
    "Placement",
    "Playthrough",
    "Pool",
    "Position",
    "Potential",
    "Premises",
    "Priority",
    "Prohibition",
    "Propagator",
    "Prover",
    "Pulls",
    "Push",
    "Pushes",
    "Puzzle",
    "Quantifier",
    "Question",
    "Reader",
    "Reading",
    "Reason",
    "Recipe",
    "Recognition",
    "Record",
    "Recording",
    "Regular",
    "Relation",
    "Relaxation",
    "Replacement",
    "Replay",
    "Report",
    "Request",
    "Requirement",
    "Result",
    "Retry",
    "Rule",
    "Rules",
    "Run",
    "Sample",
    "Scope",
    "Scratch",
    "Script",
    "Search",
    "Session",
    "Set",
    "Settings",
    "Shape",
    "Shard",
    "Share",
    "Shove",
    "Sides",
    "Site",
    "Size",
    "Sketch",
    "Solution",
    "Solutions",
    "Solver",
    "Space",
    "Span",
    "Spec",
    "Sprite",
    "Squares",
    "Stack",
    "State",
    "States",
    "Stats",
    "Status",
    "Step",
    "Steps",
    "Stop",
    "Store",
    "Strategy",
    "Stream",
    "Strength",
    "Style",
    "Successor",
    "Support",
    "Tables",
    "Table",
    "Tally",
    "Target",
    "Task",
    "Tasks",
    "Term",
    "Text",
    "Tick",
    "Tile",
    "Toggles",
    "Token",
    "Touch",
    "Transition",
    "Use",
    "Values",
    "Verdict",
    "Violation",
    "Walk",
    "Warning",
    "Writer",
];

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

const CRATES: &[&str] = &["puzzles", "encodings", "src", "web/src"];

fn sources() -> Vec<(String, TokenStream)> {
    fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("a readable entry").path();
            match path.is_dir() {
                true if path.ends_with("benches") => {}
                true => walk(&path, into),
                false if path.extension().is_some_and(|it| it == "rs") => into.push(path),
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
        let is_type = ["struct", "enum", "trait", "union"].map(|it| Some(it.to_owned()));
        if word(0).as_deref() == Some("pub") && is_type.contains(&word(1)) {
            into.insert(word(2).expect("a type has a name"));
        }
    }
}

/// The words of a name: `HorizonStats` has two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_uppercase() => word.push(letter),
            _ => words.push(letter.to_string()),
        }
    }
    words
}

fn is_participle(word: &str) -> bool {
    PARTICIPLES.contains(&word) || word.ends_with("ed") && !["Seed", "Speed"].contains(&word)
}

/// Names between backticks in the glossary.
fn glossary() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/glossary.md");
    let text = fs::read_to_string(path).expect("the glossary");
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.flat_map(|code| code.split(|c: char| !c.is_alphanumeric())).map(str::to_owned).collect()
}

/// What is wrong with the name of a public type.
fn fault(name: &str, glossary: &BTreeSet<String>) -> Option<String> {
    let words = words(name);
    let last = words.last().expect("a name has a word");
    if TERMS.contains(&name) {
        None
    } else if is_participle(last) {
        Some(format!("`{name}` is a participle: name what it is"))
    } else if NOUNS.contains(&last.as_str()) || glossary.contains(name) {
        None
    } else {
        Some(format!(
            "`{name}`: `{last}` is no noun that is listed, nor is the name in the glossary"
        ))
    }
}

#[test]
fn public_types_are_nouns() {
    let mut names = BTreeSet::new();
    sources().into_iter().for_each(|(_, stream)| public_types(stream, &mut names));
    assert!(names.len() > 200, "{} public types only", names.len());
    let glossary = glossary();
    let faults: Vec<String> = names.iter().filter_map(|name| fault(name, &glossary)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let unused = TERMS.iter().filter(|term| !names.contains(**term));
    assert_eq!(
        unused.collect::<Vec<_>>(),
        [""; 0].iter().collect::<Vec<_>>(),
        "not needed any more"
    );
}

#[test]
fn names_that_are_no_nouns_are_found() {
    let glossary = BTreeSet::from(["Horizon".to_owned()]);
    for good in ["HorizonStats", "ProofError", "Horizon", "Verified"] {
        assert_eq!(fault(good, &glossary), None);
    }
    for bad in ["Told", "Unread", "Decided", "NotVerified", "Quickly"] {
        assert!(fault(bad, &glossary).is_some(), "{bad}");
    }
}

/// How many times a source has `Result<_, String>`.
fn text_errors(stream: TokenStream) -> usize {
    let mut tokens = Vec::new();
    flat(stream, &mut tokens);
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|it| it == word);
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
