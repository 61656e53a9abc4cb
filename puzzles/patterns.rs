//! Dead patterns as a list that can be written, read and judged.
//!
//! A **pattern** says: a state with pieces on these places, none on those, and the player in this
//! part of the ground, cannot be finished without wasting at least so much. What waste is and why a
//! list of patterns proves a lower bound is for the family to say ([`PatternRules`]); here is only
//! what such a list looks like.

use crate::canonical::canonical;
use crate::grid::Direction;
use crate::moves::Moves;
use crate::picture::Style;
use std::fmt;
use std::io::BufRead;
use std::str::FromStr;

/// Row and column of a cell, from 0.
pub type PatternCoord = (u16, u16);

/// The number of a pattern: its place in the list.
pub type PatternId = u32;

/// The waste that a pattern promises; `None` when no plan at all can follow.
pub type Value = Option<u32>;

/// Which patterns cover what a push leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// Where the pushed piece was.
    pub from: PatternCoord,
    /// Which way it went.
    pub direction: Direction,
    /// The patterns.
    pub by: Vec<PatternId>,
}

/// Why a pattern holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternReason {
    /// Every push that matters leads to covering patterns. The waste is that of the pattern's own
    /// pieces.
    Dead(Vec<Cover>),
    /// The same, but the waste is that of all pieces: pushes of others into the empty cells matter
    /// too.
    Total(Vec<Cover>),
    /// The pieces on some places cannot be moved, as the covers say; the others must be matched to
    /// goals around them.
    Matching(Vec<PatternCoord>, Vec<Cover>),
    /// The pieces on some places cannot be moved, as the covers say; then these goals cannot all be
    /// served.
    Unserved(Vec<PatternCoord>, Vec<PatternCoord>, Vec<Cover>),
    /// The contents of a zone (by its number) around the goals, looked at one by one. The waste is
    /// that of all pieces by pushes that begin or end in the zone, and at the end.
    Zone(u32),
    /// Every push that matters leads to covering patterns. The waste is that of the pattern's own
    /// pieces by pushes that neither begin nor end in a zone.
    Outside(u32, Vec<Cover>),
}

/// One pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Where pieces are.
    pub pieces: Vec<PatternCoord>,
    /// Where there is none.
    pub empty: Vec<PatternCoord>,
    /// A cell of the player's part of the ground without the pieces.
    pub player: PatternCoord,
    /// What is wasted at least.
    pub value: Value,
    /// Why.
    pub why: PatternReason,
}

/// A list of patterns that claims a lower bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternList {
    /// No plan has this length or less; `None`: there is no plan.
    pub claim: Option<u32>,
    /// How many pushes one unit of waste stands for.
    pub unit: u32,
    /// The price of each goal.
    pub prices: Vec<(PatternCoord, i32)>,
    /// The potential of a piece with the player on the side of the second cell; where none is
    /// given, the piece is lost.
    pub potential: Vec<(PatternCoord, PatternCoord, i32)>,
    /// The cells of each zone.
    pub zones: Vec<Vec<PatternCoord>>,
    /// The patterns that cover the start.
    pub root: Vec<PatternId>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
}

/// What was looked at while a list was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternStats {
    /// Patterns.
    pub patterns: usize,
    /// Pushes of their pieces, and into their empty cells.
    pub pushes: usize,
    /// Contents of zones.
    pub contents: usize,
}

/// Why a list proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// What is wrong with it.
    Refused(String),
    /// The caller did not want to go on.
    Stopped,
}

impl PatternError {
    /// A refusal.
    pub fn because(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }
}

/// A family with a definition of dead patterns.
pub trait PatternRules: Moves {
    /// Judges a list from the rules alone. `go_on` is asked now and then.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn judge_patterns(
        &self,
        list: &PatternList,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<PatternStats, PatternError>;

    /// What a list says, cell by cell, for those who put it into clauses. Its potential is held to
    /// the rules, its patterns are not judged.
    ///
    /// # Errors
    /// What is wrong with the potential, or with the cells of a pattern.
    fn spell_out(&self, list: &PatternList) -> Result<PatternExpansion, PatternError>;

    /// Draws a pattern: its pieces alone on the board, with the player; `None` where a cell of it
    /// is none of the board.
    fn draw_pattern(&self, pattern: &Pattern, style: Style) -> Option<String>;
}

/// The cells on a side of a piece, and the potential of the piece with the player there.
pub type SideNumber = (Vec<PatternCoord>, i64);

/// What a list of patterns means cell by cell: where the player may be, and what each push and each
/// end wastes under its potential.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternExpansion {
    /// All cells that the player or a piece can be on.
    pub cells: Vec<PatternCoord>,
    /// The player's part of the ground, by pattern.
    pub parts: Vec<Vec<PatternCoord>>,
    /// Every push that walls allow, by cell and direction, with its waste; `None` where the piece
    /// is lost before or after it.
    pub pushes: Vec<(PatternCoord, Direction, Value)>,
    /// Where a piece is lost: its cell, and the cells on that side of it.
    pub lost: Vec<(PatternCoord, Vec<PatternCoord>)>,
    /// What a piece wastes by ending on a goal with the player among these cells, where that is
    /// more than nothing.
    pub ends: Vec<(PatternCoord, Vec<PatternCoord>, u32)>,
    /// What is wasted by a goal that stays empty, where that is more than nothing.
    pub unused: Vec<(PatternCoord, u32)>,
    /// The most waste of a plan that the list excludes; `None`: it excludes all. Also `None` where a
    /// piece is lost at the start.
    pub excluded: Value,
    /// Whether the potential alone excludes what is claimed: even a plan without waste is longer.
    pub by_potential: bool,
    /// The potential by cell, then by side: the cells of the side, and the number. Sides where a
    /// piece is lost have none.
    pub potential: Vec<(PatternCoord, Vec<SideNumber>)>,
    /// The sum of the prices of the goals.
    pub prices: i64,
    /// Number of pieces.
    pub pieces: u32,
    /// Where the pieces are at the start, and the player.
    pub start: (Vec<PatternCoord>, PatternCoord),
    /// Whether every goal takes a piece.
    pub is_full: bool,
}

const HEAD: &str = "unstuck patterns 1";

struct Places<'a>(&'static str, &'a [PatternCoord]);

impl fmt::Display for Places<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() {
            return Ok(());
        }
        f.write_str(self.0)?;
        self.1.iter().try_for_each(|(row, column)| write!(f, " {row},{column}"))
    }
}

fn write_covers(f: &mut fmt::Formatter<'_>, covers: &[Cover]) -> fmt::Result {
    for cover in covers {
        let Cover { from: (row, column), direction, by } = cover;
        write!(f, " : {row},{column} {direction}")?;
        by.iter().try_for_each(|id| write!(f, " {id}"))?;
    }
    Ok(())
}

fn word(value: Option<u32>) -> String {
    value.map_or("*".to_owned(), |value| value.to_string())
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, covers): (_, &[Cover]) = match &self.why {
            PatternReason::Dead(covers) => ("dead", covers),
            PatternReason::Total(covers) => ("total", covers),
            PatternReason::Matching(_, covers) => ("matching", covers),
            PatternReason::Unserved(_, _, covers) => ("unserved", covers),
            PatternReason::Zone(_) => ("zone", &[]),
            PatternReason::Outside(_, covers) => ("outside", covers),
        };
        write!(f, "{name} {}", word(self.value))?;
        let (row, column) = self.player;
        write!(f, "{}", Places(" pieces", &self.pieces))?;
        write!(f, "{} player {row},{column}", Places(" empty", &self.empty))?;
        match &self.why {
            PatternReason::Dead(_) | PatternReason::Total(_) => {}
            PatternReason::Matching(still, _) => write!(f, "{}", Places(" still", still))?,
            PatternReason::Unserved(still, goals, _) => {
                write!(f, "{}{}", Places(" still", still), Places(" goals", goals))?;
            }
            PatternReason::Zone(zone) | PatternReason::Outside(zone, _) => {
                write!(f, " of {zone}")?;
            }
        }
        write_covers(f, covers)
    }
}

impl fmt::Display for PatternList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        writeln!(f, "claim {}", word(self.claim))?;
        writeln!(f, "unit {}", self.unit)?;
        for ((row, column), price) in &self.prices {
            writeln!(f, "price {row},{column} {price}")?;
        }
        for ((row, column), player, value) in &self.potential {
            writeln!(f, "potential {row},{column} {},{} {value}", player.0, player.1)?;
        }
        for zone in &self.zones {
            writeln!(f, "{}", Places("zone", zone))?;
        }
        write!(f, "root")?;
        self.root.iter().try_for_each(|id| write!(f, " {id}"))?;
        writeln!(f)?;
        writeln!(f, "patterns {}", self.patterns.len())?;
        for (number, pattern) in self.patterns.iter().enumerate() {
            writeln!(f, "{number} {pattern}")?;
        }
        Ok(())
    }
}

/// Why a text is not a list of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternListError {
    /// It cannot be read.
    Io(String),
    /// A line, by its number from 1, is wrong.
    Line(usize, LineError),
    /// It has another number of patterns than it announces.
    Count {
        /// As announced.
        expected: usize,
        /// As found.
        found: usize,
    },
    /// It ends before its patterns.
    EndsEarly,
}

impl fmt::Display for PatternListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(reason) => f.write_str(reason),
            Self::Line(number, error) => write!(f, "line {number}: {error}"),
            Self::Count { expected, found } => {
                write!(f, "expected {expected} patterns, found {found}")
            }
            Self::EndsEarly => f.write_str("the list ends too soon"),
        }
    }
}

impl std::error::Error for PatternListError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Line(_, error) => Some(error),
            _ => None,
        }
    }
}

/// What is wrong with a line of a list of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// It ends too soon.
    EndsEarly,
    /// It has one thing where another belongs.
    Expected {
        /// What belongs there.
        expected: String,
        /// The word that stands there.
        found: String,
    },
    /// It is not the pattern of this number, which is next.
    Number(usize),
}

impl LineError {
    fn expected(expected: &str, found: &str) -> Self {
        Self::Expected { expected: expected.to_owned(), found: found.to_owned() }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndsEarly => f.write_str("the line ends too soon"),
            Self::Expected { expected, found } => write!(f, "expected {expected}, found `{found}`"),
            Self::Number(number) => write!(f, "expected pattern {number}"),
        }
    }
}

impl std::error::Error for LineError {}

/// The words of a line.
struct Words<'a>(std::iter::Peekable<std::str::Split<'a, char>>);

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        Self(line.split(' ').peekable())
    }

    fn word(&mut self) -> Result<&'a str, LineError> {
        self.0.next().ok_or(LineError::EndsEarly)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), LineError> {
        let word = self.word()?;
        if word == wanted { Ok(()) } else { Err(LineError::expected(wanted, word)) }
    }

    /// Takes a word if it comes next.
    fn take(&mut self, wanted: &str) -> bool {
        self.0.next_if_eq(&wanted).is_some()
    }

    fn number<T: FromStr + fmt::Display>(&mut self) -> Result<T, LineError> {
        let word = self.word()?;
        canonical(word).ok_or_else(|| LineError::expected("a number", word))
    }

    fn value(&mut self) -> Result<Option<u32>, LineError> {
        if self.take("*") { Ok(None) } else { self.number().map(Some) }
    }

    fn place(&mut self) -> Result<PatternCoord, LineError> {
        let word = self.word()?;
        place(word).ok_or_else(|| LineError::expected("a cell", word))
    }

    fn places(&mut self) -> Vec<PatternCoord> {
        std::iter::from_fn(|| self.0.next_if(|word| place(word).is_some()).and_then(place))
            .collect()
    }

    /// The places after a word, none without it.
    fn places_after(&mut self, word: &str) -> Vec<PatternCoord> {
        if self.take(word) { self.places() } else { Vec::new() }
    }

    fn numbers(&mut self) -> Vec<PatternId> {
        let is_number = |word: &&str| canonical::<PatternId>(word).is_some();
        std::iter::from_fn(|| self.0.next_if(is_number).and_then(canonical)).collect()
    }

    fn covers(&mut self) -> Result<Vec<Cover>, LineError> {
        let mut covers = Vec::new();
        while self.take(":") {
            let from = self.place()?;
            let word = self.word()?;
            let direction = Direction::ALL.into_iter().find(|way| way.to_string() == word);
            let direction = direction.ok_or_else(|| LineError::expected("a direction", word))?;
            covers.push(Cover { from, direction, by: self.numbers() });
        }
        Ok(covers)
    }

    fn end(&mut self) -> Result<(), LineError> {
        self.0.next().map_or(Ok(()), |word| Err(LineError::expected("the end of the line", word)))
    }
}

fn place(word: &str) -> Option<PatternCoord> {
    let (row, column) = word.split_once(',')?;
    Some((canonical(row)?, canonical(column)?))
}

fn read_pattern(words: &mut Words<'_>) -> Result<Pattern, LineError> {
    let kind = words.word()?;
    let value = words.value()?;
    let pieces = words.places_after("pieces");
    let empty = words.places_after("empty");
    words.expect("player")?;
    let player = words.place()?;
    let why = match kind {
        "dead" => PatternReason::Dead(words.covers()?),
        "total" => PatternReason::Total(words.covers()?),
        "matching" => {
            let still = words.places_after("still");
            PatternReason::Matching(still, words.covers()?)
        }
        "unserved" => {
            let still = words.places_after("still");
            let goals = words.places_after("goals");
            PatternReason::Unserved(still, goals, words.covers()?)
        }
        "zone" => {
            words.expect("of")?;
            PatternReason::Zone(words.number()?)
        }
        "outside" => {
            words.expect("of")?;
            PatternReason::Outside(words.number()?, words.covers()?)
        }
        other => return Err(LineError::expected("a kind of pattern", other)),
    };
    words.end()?;
    Ok(Pattern { pieces, empty, player, value, why })
}

impl PatternList {
    /// Reads what [`fmt::Display`] wrote.
    ///
    /// # Errors
    /// The line, and what is wrong with it.
    pub fn read(input: impl BufRead) -> Result<Self, PatternListError> {
        let mut list = Self::default();
        let mut expected = None;
        for (number, line) in (1..).zip(input.lines()) {
            let line = line.map_err(|error| PatternListError::Io(error.to_string()))?;
            let fail = |error| PatternListError::Line(number, error);
            if number == 1 {
                if line != HEAD {
                    return Err(fail(LineError::expected(HEAD, &line)));
                }
                continue;
            }
            list.line(&line, &mut expected).map_err(fail)?;
        }
        match expected {
            Some(expected) if expected == list.patterns.len() => Ok(list),
            Some(expected) => Err(PatternListError::Count { expected, found: list.patterns.len() }),
            None => Err(PatternListError::EndsEarly),
        }
    }

    fn line(&mut self, line: &str, expected: &mut Option<usize>) -> Result<(), LineError> {
        let mut words = Words::of(line);
        if expected.is_some() {
            let number: usize = words.number()?;
            if number != self.patterns.len() {
                return Err(LineError::Number(self.patterns.len()));
            }
            self.patterns.push(read_pattern(&mut words)?);
            return Ok(());
        }
        match words.word()? {
            "claim" => self.claim = words.value()?,
            "unit" => self.unit = words.number()?,
            "price" => self.prices.push((words.place()?, words.number()?)),
            "potential" => {
                self.potential.push((words.place()?, words.place()?, words.number()?));
            }
            "zone" => self.zones.push(words.places()),
            "root" => self.root = words.numbers(),
            "patterns" => *expected = Some(words.number()?),
            other => return Err(LineError::expected("a keyword", other)),
        }
        words.end()
    }
}
