//! PuzzleScript: games whose rules are written in a file.
//!
//! A game has objects in collision layers, rules that replace patterns of cells by others, win
//! conditions and levels. Its rules are those of the engine of the language's author
//! (<https://www.puzzlescript.net>), with all its corners: the order in which rules are tried and
//! things move decides about the outcome, so it is kept.
//!
//! Games that depend on chance or on time are refused, and so are games that the engine's compiler
//! finds a fault in. A turn that only the engine's counters would end is no move.
//!
//! The way of a text: `language` reads words, sections, and lines of rules, as *source rules*;
//! `compile` gives objects their bits, makes *directed rules* of source rules, and patterns of bits
//! of these, in groups and loops; `engine` plays a tick, a turn, and a session of a person, with
//! the keys for undo and restart.

/// The front page, whose code is run as a test.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

mod compile;
mod engine;
mod error;
mod game;
mod language;
mod mask;

#[cfg(test)]
mod tests;

pub use engine::board::{Input, NoEnd};
pub use engine::session::{Key, Session};
pub use engine::tick::{Tick, TurnStats};
pub use engine::turn::State;
pub use error::ParseError;
pub use game::{
    CellPattern, Direction, Game, Group, Kind, Map, Pattern, Quantifier, Replacement, Rule,
    Settings, Stage, WinCondition,
};
pub use language::legend::Object;
pub use language::rule::Command;
pub use mask::{Mask, bits, has};

use language::words;

/// Whether a text has the headings of a game's sections, each at the beginning of a line.
pub fn sniff(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    ["objects", "collisionlayers", "levels"].into_iter().all(|heading| {
        let begins = |line: &str| {
            line.get(..heading.len()).is_some_and(|it| it.eq_ignore_ascii_case(heading))
        };
        lines.any(begins)
    })
}

/// How many headings of sections a text has, each on a line of its own, misspelt ones included.
pub fn headings(text: &str) -> usize {
    let stands = |heading: &str| text.lines().any(|line| words::distance(line, heading) <= 2);
    words::SECTIONS.into_iter().filter(|heading| stands(heading)).count()
}

/// More objects than that are not read.
const MAX_OBJECTS: usize = 1024;

/// More collision layers than that are not read.
const MAX_LAYERS: usize = 1024;

/// A level has at most so many cells.
const MAX_CELLS: usize = 100_000;

/// The cells of all levels of a game have at most so many words.
const MAX_WORDS: usize = 1 << 22;
