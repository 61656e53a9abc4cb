//! What stands around the boards of a collection: metadata, comments, saved games.

use std::fmt;

/// A piece of text that belongs to a level or to a whole collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Metadata `key: value`, whether we know the key or not.
    Key(String, String),
    /// `Comment:` to `Comment-End:`, and loose lines of text.
    Comment(Vec<String>),
    /// A `::` line, which is for people only.
    Remark(String),
    /// A recorded solution or saved game.
    Record(Record),
}

/// A recorded solution or saved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its title, like `Solution 230/97 (program)`.
    pub heading: String,
    /// The lines of its move string.
    pub moves: Vec<String>,
}

impl Record {
    /// Whether this is a solution rather than a game that was saved half-way.
    pub fn is_solution(&self) -> bool {
        starts_with_word(&self.heading, "solution")
    }
}

impl fmt::Display for Note {
    /// The lines of the note in SOK, each with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key, value) if value.is_empty() => writeln!(f, "{key}:"),
            Self::Key(key, value) => writeln!(f, "{key}: {value}"),
            Self::Remark(text) if text.is_empty() => writeln!(f, "::"),
            Self::Remark(text) => writeln!(f, ":: {text}"),
            Self::Comment(lines) => {
                writeln!(f, "Comment:")?;
                lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
                writeln!(f, "Comment-End:")
            }
            Self::Record(record) => {
                writeln!(f, "{}", record.heading)?;
                record.moves.iter().try_for_each(|line| writeln!(f, "{line}"))
            }
        }
    }
}

/// What a line that is no board row looks like by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    Remark(String),
    Key(String, String),
    /// The title of a solution or saved game; it counts only when moves follow.
    Heading(String),
    /// A line of moves; short ones count only after a heading.
    Moves(String),
    Text(String),
}

/// Sorts a line.
pub(super) fn classify(line: &str) -> Line {
    let line = line.trim();
    if line.is_empty() {
        return Line::Blank;
    }
    if let Some(text) = line.strip_prefix("::") {
        return Line::Remark(text.trim().to_owned());
    }
    if line.starts_with(';') {
        let text = line.trim_start_matches(|it: char| it == ';' || it.is_whitespace());
        return match key_and_value(text) {
            Some((key, value)) if is_known(key) => Line::Key(key.to_owned(), value.to_owned()),
            _ if text.is_empty() => Line::Blank,
            _ => Line::Text(text.to_owned()),
        };
    }
    if is_heading(line) {
        return Line::Heading(line.to_owned());
    }
    if let Some((key, value)) = key_and_value(line) {
        return Line::Key(key.to_owned(), value.to_owned());
    }
    if is_moves(line) { Line::Moves(line.to_owned()) } else { Line::Text(line.to_owned()) }
}

/// Keys that are metadata even behind a `;`, or before `=` in place of a colon.
const KNOWN: [&str; 9] = [
    "Title",
    "Author",
    "Collection",
    "Copyright",
    "Comment",
    "Comment-End",
    "Game",
    "Boxorder",
    "Goalorder",
];

fn is_known(key: &str) -> bool {
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(key.trim_end()))
}

/// Splits metadata: a short name, a colon, anything. Names that are known may have `=` for the colon;
/// what else has one is an equation.
pub(super) fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let equation = line.split_once('=').filter(|(key, _)| is_known(key));
    let (key, value) = equation.or_else(|| line.split_once(':'))?;
    let named = key.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && key.chars().all(|it| it.is_ascii_alphanumeric() || " -_/".contains(it))
        && key.split_whitespace().count() <= 4
        && key.len() <= 40;
    // An address of the web is no metadata.
    (named && !value.starts_with("//")).then(|| (key.trim_end(), value.trim()))
}

/// Whether a line can be the title of a solution or saved game.
fn is_heading(line: &str) -> bool {
    ["solution", "saved game", "savegame", "snapshot", "reverse"]
        .iter()
        .any(|word| starts_with_word(line, word))
}

/// Whether a line can be a part of a move string, brackets of other games included: those are
/// refused with a reason when the moves are asked for.
pub(super) fn is_moves(line: &str) -> bool {
    let is_letter = |symbol: char| "lurdLURD".contains(symbol);
    line.contains(is_letter)
        && line.chars().all(|it| is_letter(it) || it.is_ascii_digit() || "*()[]{} ".contains(it))
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        && !line[word.len()..].starts_with(|next: char| next.is_alphanumeric())
}
