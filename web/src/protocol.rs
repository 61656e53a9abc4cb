//! What the page and the player say to each other, and what both engines speak of.
//! `page/src/protocol.ts` is made from these types and from the solver's; a test compares the two, and
//! `BLESS=1 cargo test -p unstuck-web` writes it anew.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use unstuck_puzzles::ParseError;
use unstuck_puzzles::scene::{self, Figure};
use unstuck_puzzles::session::SessionPosition;

#[cfg(test)]
use ts_rs::TS;

/// Row and column, from 0.
pub(crate) type Coord = (usize, usize);

/// A question of playing, which takes milliseconds.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(crate) enum QuickAsk {
    /// Every family, with what it offers.
    Families,
    /// The levels of a text; of a given family, or of those that it can belong to.
    Read {
        text: String,
        puzzle: Option<String>,
        #[serde(default)]
        options: Options,
    },
    /// A level in every format that is written.
    Formats { level: Level },
    /// A level as a picture, after moves or with a solution.
    Picture { level: Level, moves: String },
    /// Opens a session, under a number that no other one has: a level under a person's hand, after
    /// some moves.
    Open { id: u32, level: Level, moves: String },
    /// Ends a session.
    Close { id: u32 },
    /// Drops what was made after the first `at` moves, and plays on.
    Play { id: u32, at: usize, moves: String },
    /// The position after the first `at` moves.
    View { id: u32, at: usize },
    /// The shortest walk to a cell.
    Walk { id: u32, at: usize, to: Coord },
    /// The shortest moves that bring the piece on one cell to another.
    Drag { id: u32, at: usize, from: Coord, to: Coord },
    /// The cells to which the piece on a cell can be brought.
    Reached { id: u32, at: usize, from: Coord },
    /// Whether drawn paths are a solution.
    Judge { id: u32, drawing: String },
}

/// The rules that are not as the family has them by itself.
pub(crate) type Options = BTreeMap<String, String>;

/// A level as it was read: reading its text alone, with these options, gives the same puzzle.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Level {
    pub text: String,
    pub puzzle: String,
    #[serde(default)]
    pub options: Options,
    /// For people only: the engine does not read it.
    #[serde(default)]
    #[allow(dead_code, reason = "part of what the page calls a level")]
    pub title: Option<String>,
}

/// Why there is no answer: always shown to the user, never dropped.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Fault {
    pub message: String,
    /// Its line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub line: Option<usize>,
    /// Its column, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub column: Option<usize>,
    /// The way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub help: Option<String>,
    /// Set where there is no session of that number: it is to be opened again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub closed: Option<bool>,
}

impl From<&ParseError> for Fault {
    fn from(error: &ParseError) -> Self {
        Self {
            message: error.message.clone(),
            line: Some(error.line).filter(|&line| line > 0),
            column: Some(error.column).filter(|&column| column > 0),
            help: error.help.clone(),
            closed: None,
        }
    }
}

/// A family and what it offers.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Family {
    pub name: &'static str,
    pub about: &'static str,
    /// Whether pieces move; else paths are drawn.
    pub moves: bool,
    pub options: Vec<OptionSpec>,
    pub objectives: Vec<&'static str>,
}

/// A rule that can be chosen.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct OptionSpec {
    pub name: &'static str,
    pub default: &'static str,
    pub help: &'static str,
    pub kind: OptionKind,
    /// The values of a choice.
    pub choices: Vec<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum OptionKind {
    Flag,
    Choice,
    Number,
    Text,
}

/// What a text holds.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Read {
    /// The families that the text can belong to; levels only when it is one.
    pub families: Vec<&'static str>,
    pub levels: Vec<ReadLevel>,
}

/// A level of a text, or what is wrong with it.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ReadLevel {
    pub title: Option<String>,
    pub line: usize,
    pub text: String,
    pub fault: Option<Fault>,
    pub warnings: Vec<String>,
    pub solutions: Vec<String>,
}

/// An SVG text.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Picture {
    pub svg: String,
}

/// What of a board never changes.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "of", rename_all = "lowercase")]
pub(crate) enum Ground {
    Squares(Squares),
    Paths(Paths),
}

/// Squares on which pieces move.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Squares {
    pub rows: usize,
    pub columns: usize,
    /// What squares can be.
    pub kinds: Vec<&'static str>,
    /// What each square is, row by row: its place in `kinds`.
    pub squares: Vec<u8>,
    /// What stands on the lower right corners of squares.
    pub corners: Vec<Corner>,
    /// How figures look, by their numbers, where the text of a level says so.
    pub sprites: Vec<Sprite>,
}

/// How a thing looks that the author of a level has drawn, in five rows and columns of dots.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Sprite {
    pub name: String,
    /// Dots side by side: row, column of the first, how many there are, and their colour.
    pub runs: Vec<(usize, usize, usize, String)>,
}

impl From<scene::Sprite> for Sprite {
    fn from(sprite: scene::Sprite) -> Self {
        let runs = sprite.runs.into_iter().map(|run| (run.row, run.column, run.length, run.colour));
        Self { name: sprite.name, runs: runs.collect() }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Corner {
    pub at: Coord,
    pub kind: &'static str,
}

/// Cells between which paths are drawn.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Paths {
    pub square: bool,
    /// In widths of a cell.
    pub width: f64,
    pub height: f64,
    pub cells: Vec<PathCell>,
    /// Pairs of cells between which a path may go, by their numbers.
    pub ways: Vec<(usize, usize)>,
    pub walls: Vec<(usize, usize)>,
    pub ends: Vec<PathPair>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct PathCell {
    /// As solutions name it.
    pub name: String,
    /// Its middle, in widths of a cell.
    pub x: f64,
    pub y: f64,
    /// Whether paths cross here.
    pub bridge: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct PathPair {
    pub label: String,
    pub colour: String,
    pub cells: (usize, usize),
}

impl From<scene::Ground> for Ground {
    fn from(ground: scene::Ground) -> Self {
        match ground {
            scene::Ground::Squares(ground) => Self::Squares(ground.into()),
            scene::Ground::Paths(ground) => Self::Paths(ground.into()),
        }
    }
}

impl From<scene::SquareGround> for Squares {
    fn from(ground: scene::SquareGround) -> Self {
        let mut kinds: Vec<&str> = Vec::new();
        let mut squares = Vec::with_capacity(ground.squares.len());
        for word in ground.squares {
            let known = kinds.iter().position(|&kind| kind == word);
            squares.push(known.unwrap_or(kinds.len()) as u8);
            if known.is_none() {
                kinds.push(word);
            }
        }
        let corners = ground.corners.into_iter().map(|(at, kind)| Corner { at, kind });
        let (rows, columns) = (ground.rows, ground.columns);
        let sprites = ground.sprites.into_iter().map(Into::into).collect();
        Self { rows, columns, kinds, squares, corners: corners.collect(), sprites }
    }
}

impl From<scene::PathGround> for Paths {
    fn from(ground: scene::PathGround) -> Self {
        let cells = ground.cells.into_iter().map(|cell| PathCell {
            name: cell.name,
            x: cell.middle.0,
            y: cell.middle.1,
            bridge: cell.is_bridge,
        });
        let ends = ground.ends.into_iter().map(|it| PathPair {
            label: it.label,
            colour: format!("#{:02x}{:02x}{:02x}", it.colour.0, it.colour.1, it.colour.2),
            cells: it.cells.into(),
        });
        Self {
            square: ground.is_square,
            width: ground.size.0,
            height: ground.size.1,
            cells: cells.collect(),
            ways: ground.ways.into_iter().map(Into::into).collect(),
            walls: ground.walls.into_iter().map(Into::into).collect(),
            ends: ends.collect(),
        }
    }
}

/// A session that was opened.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Opened {
    pub ground: Ground,
    #[serde(flatten)]
    pub played: Played,
}

/// Moves that were played, and where they lead.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Played {
    /// The legal part of the moves, in the family's own notation.
    pub moves: String,
    /// The first move that is not possible.
    pub fault: Option<String>,
    pub position: SessionPosition,
    /// What stood where on the way from the last move to this position, where the game shows that.
    pub passed: Vec<Vec<Figure>>,
}

/// Moves that a person means who points.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Way {
    /// `null` where there is no way.
    pub moves: Option<String>,
}

/// What the judge says of drawn paths.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Judged {
    pub solved: bool,
    pub fault: Option<String>,
}
