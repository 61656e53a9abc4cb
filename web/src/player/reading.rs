//! Families, and levels from texts.

use crate::PageError;
use crate::protocol::{
    self, Family as FamilyView, Fault, Level, OptionKind, OptionSpec, Read, ReadLevel,
};
use std::borrow::Cow;
use std::sync::Arc;
use unstuck_puzzles::AnyPuzzle;
use unstuck_puzzles::catalogue::{self, FAMILIES, PuzzleFamily};
use unstuck_puzzles::text_format::TextFormat;
use unstuck_puzzles::{Level as ParsedLevel, Options, Values};

/// Every family, with what it offers.
pub(super) fn families() -> Vec<FamilyView> {
    let view = |family: &PuzzleFamily| FamilyView {
        name: family.name,
        about: family.about,
        moves: family.has_moves,
        options: family.options.iter().map(option).collect(),
        objectives: family.objectives.iter().map(|objective| objective.name()).collect(),
    };
    FAMILIES.iter().map(view).collect()
}

fn option(spec: &unstuck_puzzles::OptionSpec) -> OptionSpec {
    let (kind, choices) = match spec.values {
        Values::Flag => (OptionKind::Flag, Vec::new()),
        Values::Choice(choices) => (OptionKind::Choice, choices.to_vec()),
        Values::Number(..) => (OptionKind::Number, Vec::new()),
        Values::Text(_) => (OptionKind::Text, Vec::new()),
    };
    OptionSpec { name: spec.name, default: spec.default, help: spec.help, kind, choices }
}

/// The levels of a text, when its family is given or can be detected; else the families it may be.
pub(super) fn read(
    text: &str,
    puzzle: Option<&str>,
    chosen: &protocol::Options,
) -> Result<Read, PageError> {
    let text = &unquoted(text);
    let families: Vec<&PuzzleFamily> = match puzzle {
        Some(name) => vec![by_name(name)?],
        None => guessed(text),
    };
    let names: Vec<_> = families.iter().map(|family| family.name).collect();
    let [family] = families[..] else {
        if names.is_empty() {
            return Err(unknown(text));
        }
        return Ok(Read { families: names, levels: Vec::new() });
    };
    let levels = (family.read)(text, &options(family, chosen)?)?;
    if levels.is_empty() {
        return Err(PageError::plain("there is no level in this text"));
    }
    Ok(Read { families: names, levels: levels.iter().map(level).collect() })
}

/// The families that a text can belong to. A level in a line is what the page writes itself, but too
/// little to tell one family from another by what is in a file.
fn guessed(text: &str) -> Vec<&'static PuzzleFamily> {
    let families = catalogue::fitting(FAMILIES.iter(), None, text);
    let line = text.trim();
    let is_run_lengths = line.contains('|')
        && line.contains('#')
        && line.chars().all(|c| c.is_ascii_digit() || "#@+$*.-_ |()".contains(c));
    if families.is_empty() && is_run_lengths {
        return by_name("sokoban").into_iter().collect();
    }
    families
}

/// Whether a line begins or ends code in a chat, perhaps with the name of its language: rows of maps
/// may begin with the same signs.
fn is_fence(line: &str) -> bool {
    let rest = line.trim().strip_prefix("```");
    rest.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "+-_".contains(c)))
}

/// How pages write code, and what is meant.
const TAGS: [(&str, &str); 7] = [
    ("<pre>", ""),
    ("</pre>", ""),
    ("<code>", ""),
    ("</code>", ""),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
];

/// A text without what chats, mails and sites put around it: fences and tags of code, marks of
/// quotations, and blanks that are not plain ones.
fn unquoted(text: &str) -> Cow<'_, str> {
    let fenced = text.lines().any(is_fence);
    let quoted = text.lines().any(|line| line.starts_with('>'))
        && text.lines().all(|line| line.is_empty() || line.starts_with('>'));
    let tagged = text.contains("<pre");
    if !fenced && !quoted && !tagged && !text.contains('\u{a0}') {
        return Cow::Borrowed(text);
    }
    let mut plain = text.replace('\u{a0}', " ");
    if tagged {
        for (written, meant) in TAGS {
            plain = plain.replace(written, meant);
        }
    }
    let mut inside = !fenced;
    // What stands outside of fences is what people say to each other.
    let lines = plain.lines().filter(|line| {
        let fence = fenced && is_fence(line);
        inside ^= fence;
        inside && !fence
    });
    let lines = lines.map(|line| match line.strip_prefix('>').filter(|_| quoted) {
        Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
        None => line,
    });
    Cow::Owned(lines.flat_map(|line| [line, "\n"]).collect())
}

/// The kind of puzzle that an address of puzz.link, or of a site like it, is about.
fn linked(text: &str) -> Option<&str> {
    let address = text.trim();
    let is_address = address.starts_with("http") && !address.contains(char::is_whitespace);
    let (kind, _) = address.split_once('?').filter(|_| is_address)?.1.split_once('/')?;
    (!kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric())).then_some(kind)
}

/// Why a text is no level: by the family whose characters it is made of, where there is one.
fn unknown(text: &str) -> PageError {
    if let Some(kind) = linked(text) {
        let message = format!("this address is of a `{kind}` puzzle; only Numberlink can be read");
        return PageError::plain(message);
    }
    if text.trim().starts_with("http") && text.contains("puzzlescript") {
        return PageError::plain(
            "this is the address of a PuzzleScript game, which is not in it: open it, and paste its text",
        );
    }
    let plain = text.replace('\t', " ");
    let family = catalogue::resembled(FAMILIES.iter(), &plain, false);
    let tabbed = text.lines().zip(1..).find_map(|(line, number)| Some((line.find('\t')?, number)));
    if let (Some(family), Some((at, line))) = (family, tabbed) {
        let message =
            format!("this looks like {}, but a tab is no square: use spaces", family.name);
        return PageError(Fault {
            message,
            line: Some(line),
            column: Some(at + 1),
            ..Fault::default()
        });
    }
    let fault = family.and_then(|family| {
        let none = Options::new(family.options, []).ok()?;
        match (family.read)(text, &none) {
            Err(error) => Some((family, error)),
            Ok(levels) => Some((family, levels.into_iter().find_map(|level| level.puzzle.err())?)),
        }
    });
    match fault {
        Some((family, error)) => {
            let fault = Fault::from(&error);
            let message = format!("this looks like {}, but {}", family.name, fault.message);
            PageError(Fault { message, ..fault })
        }
        None => PageError::plain(match family {
            Some(family) => {
                format!("this is nearly {}: choose that puzzle to read it", family.name)
            }
            None => {
                "this text does not look like any of the puzzles; choose one to see what is wrong \
                     with it"
                    .to_owned()
            }
        }),
    }
}

fn level(level: &ParsedLevel<Arc<dyn AnyPuzzle>>) -> ReadLevel {
    ReadLevel {
        title: level.title.clone(),
        line: level.line,
        text: level.text.clone(),
        fault: level.puzzle.as_ref().err().map(Fault::from),
        warnings: level.warnings.iter().map(ToString::to_string).collect(),
        solutions: level.solutions.clone(),
    }
}

pub(super) fn by_name(name: &str) -> Result<&'static PuzzleFamily, PageError> {
    let family = FAMILIES.iter().find(|family| family.name == name);
    family.ok_or_else(|| PageError::unknown(name))
}

/// The options of a family, some of them as given.
pub(crate) fn options(
    family: &PuzzleFamily,
    given: &protocol::Options,
) -> Result<Options, PageError> {
    let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok(Options::new(family.options, pairs)?)
}

/// A level in every format that is written, the family's own first.
pub(super) fn formats(level: &Level) -> Result<Vec<TextFormat>, PageError> {
    Ok(open(level)?.formats())
}

/// A level, opened.
pub(super) fn open(level: &Level) -> Result<Arc<dyn AnyPuzzle>, PageError> {
    let family = by_name(&level.puzzle)?;
    only((family.read)(&level.text, &options(family, &level.options)?)?)
}

/// The puzzle of a text in which one level belongs.
pub(crate) fn only<P>(mut levels: Vec<ParsedLevel<P>>) -> Result<P, PageError> {
    match (levels.pop(), levels.len()) {
        (Some(only), 0) => Ok(only.puzzle?),
        (_, others) => Err(PageError::plain(format!("{} levels where one belongs", others + 1))),
    }
}
