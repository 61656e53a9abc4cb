//! PuzzleScript: games whose rules are written in a file.
//!
//! A game has objects in collision layers, rules that replace patterns of cells by others, win
//! conditions and levels. Its rules are those of the engine of the language's author
//! (<https://www.puzzlescript.net>), with all its corners: the order in which rules are tried and
//! things move decides about the outcome, so it is kept.
//!
//! Games that depend on chance or on time are refused, and so are games that the engine's compiler
//! finds a fault in.
//!
//! The way of a text: [`source`] and [`sections`] read words, [`tables`] gives objects their bits,
//! [`rule_text`] reads rules, [`expand`] replaces what stands for several things, [`compile`] puts
//! rules in bits.

mod compile;
mod expand;
mod game;
mod legend;
mod mask;
mod read;
mod rule_text;
mod sections;
mod source;
mod stream;
mod tables;
mod words;

pub use game::{
    CellPattern, Direction, Game, Group, Kind, Map, Pattern, Quantifier, Replacement, Rule,
    Settings, Stage, WinCondition,
};
pub use legend::Object;
pub use mask::Mask;
pub use rule_text::Command;

/// More objects than that are not read.
const MAX_OBJECTS: usize = 1024;

/// More collision layers than that are not read.
const MAX_LAYERS: usize = 1024;

/// A level has at most so many cells.
const MAX_CELLS: usize = 100_000;

/// The cells of all levels of a game have at most so many words.
const MAX_WORDS: usize = 1 << 22;
