//! Constraints beyond the rules: what must not happen in a game, and what must.

use crate::error::ParseError;
use crate::part::Part;
use crate::pieces::Coord;
use crate::printable::unprintable;
use std::fmt;

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prohibition {
    /// The piece that stands here at the start moves.
    Piece(Coord),
    /// The player or a piece is here.
    Cell(Coord),
    /// The player is here.
    Player(Coord),
    /// A piece is here.
    Pushed(Coord),
    /// This move is made, in the letters of the family, whether or not it pushes.
    Move(String),
    /// The modifier on the lower right corner of this cell changes something.
    Modifier(Coord),
    /// This push is made, in the words of [`Moves::action`](crate::Moves::action).
    Push(String),
    /// The rule of this line acts (games whose rules are written in a file).
    Rule(usize),
    /// A path of this label is here (puzzles of paths).
    Colour(Coord, String),
    /// A path goes from one of these cells straight to the other (puzzles of paths).
    Edge(Coord, Coord),
}

/// Something that must happen at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The player is here.
    Player(Coord),
    /// A piece is here.
    Piece(Coord),
    /// There is a bond between two cells.
    Bond(Coord, Coord),
    /// The player is here; in a puzzle of paths a path is.
    Cell(Coord),
    /// The rule of this line acts (games whose rules are written in a file).
    Rule(usize),
    /// A path of this label is here (puzzles of paths).
    Colour(Coord, String),
    /// A path goes from one of these cells straight to the other (puzzles of paths).
    Edge(Coord, Coord),
}

/// All constraints of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// What must not happen.
    pub forbidden: Vec<Prohibition>,
    /// What must happen, at most 32 things.
    pub required: Vec<Requirement>,
}

/// How constraints are written, for help texts.
pub const FORBID_HELP: &str = "box R,C (that piece never moves), cell R,C (nothing is ever there), player R,C, pushed R,C \
     (no piece is ever there), modifier R,C (it never acts), move LETTER, push WORDS (as \
     `forced` and `hint` name it); PuzzleScript: rule LINE (it never acts); Flow: cell R,C (no path is \
     there), colour R,C LABEL, edge R,C R,C; rows and columns from 1";

/// How constraints are written, for help texts.
pub const REQUIRE_HELP: &str = "player R,C (the player comes there), box R,C (a piece comes there), bond R,C R,C; \
     PuzzleScript: rule LINE (it acts); Flow: cell R,C (a path is there), colour R,C LABEL, edge R,C R,C; rows and columns from 1";

pub(crate) fn place(text: Option<&str>) -> Option<Coord> {
    let (row, column) = text?.trim_matches(['(', ')']).split_once(',')?;
    let (row, column): (usize, usize) = (row.trim().parse().ok()?, column.trim().parse().ok()?);
    Some((row.checked_sub(1)?, column.checked_sub(1)?))
}

/// The number of a line, in digits alone.
fn line(text: Option<&str>) -> Option<usize> {
    let line: usize = text?.parse().ok()?;
    (line > 0 && text == Some(line.to_string().as_str())).then_some(line)
}

/// A constraint is shown beside the answer: it has no character that hides.
fn seen(text: &str) -> Result<(), ParseError> {
    let refused =
        |hidden| ParseError::whole(format!("a constraint cannot contain the character {hidden}"));
    unprintable(text).map_or(Ok(()), |hidden| Err(refused(hidden)))
}

impl Constraints {
    /// Whether there is no constraint.
    pub fn is_empty(&self) -> bool {
        self.forbidden.is_empty() && self.required.is_empty()
    }

    /// Whether a level with these constraints is never harder without a part: a piece that is
    /// required somewhere may be this one.
    pub fn allow_without(&self, part: &Part) -> bool {
        let piece = |it: &Requirement| matches!(it, Requirement::Piece(_) | Requirement::Bond(..));
        part.loosens && (part.kind == Part::WALL || !self.required.iter().any(piece))
    }

    /// Adds what must not happen, as [`FORBID_HELP`] says.
    ///
    /// # Errors
    /// When the text is nothing that can be forbidden.
    pub fn forbid(&mut self, text: &str) -> Result<(), ParseError> {
        seen(text)?;
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let forbidden = match kind {
            "move" => words.next().map(|letter| Prohibition::Move(letter.to_lowercase())),
            "push" => Some(Prohibition::Push(words.by_ref().collect::<Vec<_>>().join(" "))),
            "rule" => line(words.next()).map(Prohibition::Rule),
            _ => place(words.next()).and_then(|at| match kind {
                "box" | "ball" | "atom" | "piece" => Some(Prohibition::Piece(at)),
                "cell" => Some(Prohibition::Cell(at)),
                "player" => Some(Prohibition::Player(at)),
                "pushed" => Some(Prohibition::Pushed(at)),
                "modifier" => Some(Prohibition::Modifier(at)),
                "colour" => Some(Prohibition::Colour(at, words.next()?.to_owned())),
                "edge" => Some(Prohibition::Edge(at, place(words.next())?)),
                _ => None,
            }),
        };
        match (forbidden, words.next()) {
            (Some(forbidden), None) => {
                self.forbidden.push(forbidden);
                Ok(())
            }
            _ => Err(ParseError::whole(format!("unknown constraint `{text}`")).help(FORBID_HELP)),
        }
    }

    /// Adds what must happen, as [`REQUIRE_HELP`] says.
    ///
    /// # Errors
    /// When the text is nothing that can be required, or too much is.
    pub fn require(&mut self, text: &str) -> Result<(), ParseError> {
        seen(text)?;
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let required = match kind {
            "rule" => line(words.next()).map(Requirement::Rule),
            _ => place(words.next()).and_then(|at| match kind {
                "player" => Some(Requirement::Player(at)),
                "cell" | "visit" => Some(Requirement::Cell(at)),
                "box" | "ball" | "atom" | "piece" => Some(Requirement::Piece(at)),
                "bond" => Some(Requirement::Bond(at, place(words.next())?)),
                "colour" => Some(Requirement::Colour(at, words.next()?.to_owned())),
                "edge" => Some(Requirement::Edge(at, place(words.next())?)),
                _ => None,
            }),
        };
        match (required, words.next()) {
            (Some(_), None) if self.required.len() == 32 => {
                Err(ParseError::whole("more than 32 requirements"))
            }
            (Some(required), None) => {
                self.required.push(required);
                Ok(())
            }
            _ => Err(ParseError::whole(format!("unknown constraint `{text}`")).help(REQUIRE_HELP)),
        }
    }
}

fn words((row, column): &Coord) -> String {
    format!("{},{}", row + 1, column + 1)
}

impl fmt::Display for Prohibition {
    /// As [`Constraints::forbid`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(letter) => write!(f, "move {letter}"),
            Self::Push(action) => write!(f, "push {action}"),
            Self::Piece(at) => write!(f, "box {}", words(at)),
            Self::Cell(at) => write!(f, "cell {}", words(at)),
            Self::Player(at) => write!(f, "player {}", words(at)),
            Self::Pushed(at) => write!(f, "pushed {}", words(at)),
            Self::Modifier(at) => write!(f, "modifier {}", words(at)),
            Self::Rule(line) => write!(f, "rule {line}"),
            Self::Colour(at, label) => write!(f, "colour {} {label}", words(at)),
            Self::Edge(one, other) => write!(f, "edge {} {}", words(one), words(other)),
        }
    }
}

impl fmt::Display for Requirement {
    /// As [`Constraints::require`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(at) => write!(f, "player {}", words(at)),
            Self::Piece(at) => write!(f, "box {}", words(at)),
            Self::Bond(one, other) => write!(f, "bond {} {}", words(one), words(other)),
            Self::Cell(at) => write!(f, "cell {}", words(at)),
            Self::Rule(line) => write!(f, "rule {line}"),
            Self::Colour(at, label) => write!(f, "colour {} {label}", words(at)),
            Self::Edge(one, other) => write!(f, "edge {} {}", words(one), words(other)),
        }
    }
}

impl fmt::Display for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |(row, column): &Coord| format!("({},{})", row + 1, column + 1);
        let forbidden = self.forbidden.iter().map(|it| match it {
            Prohibition::Piece(place) => format!("the piece {} never moves", at(place)),
            Prohibition::Cell(place) => format!("nothing is ever on {}", at(place)),
            Prohibition::Player(place) => format!("the player is never on {}", at(place)),
            Prohibition::Pushed(place) => format!("no piece is ever on {}", at(place)),
            Prohibition::Move(letter) => format!("no move `{letter}`"),
            Prohibition::Push(action) => format!("not {action}"),
            Prohibition::Modifier(place) => format!("the modifier {} never acts", at(place)),
            Prohibition::Rule(line) => format!("the rule of line {line} never acts"),
            Prohibition::Colour(place, label) => format!("{label} is never on {}", at(place)),
            Prohibition::Edge(one, other) => format!("no path from {} to {}", at(one), at(other)),
        });
        let required = self.required.iter().map(|it| match it {
            Requirement::Player(place) => format!("the player comes to {}", at(place)),
            Requirement::Piece(place) => format!("a piece comes to {}", at(place)),
            Requirement::Bond(one, other) => format!("a bond {} {}", at(one), at(other)),
            Requirement::Cell(place) => format!("{} is visited", at(place)),
            Requirement::Rule(line) => format!("the rule of line {line} acts"),
            Requirement::Colour(place, label) => format!("{label} is on {}", at(place)),
            Requirement::Edge(one, other) => format!("a path from {} to {}", at(one), at(other)),
        });
        f.write_str(&itertools::join(forbidden.chain(required), ", "))
    }
}
