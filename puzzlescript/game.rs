//! A game in the form in which it is played.

use crate::language::legend::Object;
use crate::language::rule::Command;
use crate::mask::Mask;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A game: everything but the board.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its title, where it has one.
    pub title: Option<String>,
    /// Its author, where it says so.
    pub author: Option<String>,
    /// The objects in the order of their section.
    pub objects: Vec<Object>,
    /// The name of the object of each bit of a cell.
    pub bits: Vec<String>,
    /// The objects of each collision layer.
    pub layers: Vec<Mask>,
    /// What an input sets in motion.
    pub player: Kind,
    /// The bit of the object that stands where a map has no background.
    pub background: usize,
    /// Rules in groups, in the order in which they are applied.
    pub rules: Vec<Group>,
    /// Groups that are applied after everything has moved.
    pub late_rules: Vec<Group>,
    /// What must hold for the level to be won, if there is anything.
    pub conditions: Vec<WinCondition>,
    /// Settings that change the rules.
    pub settings: Settings,
    /// Messages and levels in their order.
    pub levels: Vec<Stage>,
    /// What is odd but can be played, with its line.
    pub warnings: Vec<(usize, String)>,
    /// What maps may be drawn with: letters for objects and aggregates.
    pub glyphs: Vec<(char, Mask)>,
    /// Letters that the file writes as capitals, by the small letter.
    pub capitals: HashMap<char, char>,
    /// All names of one letter, those that maps may not be drawn with too.
    pub letters: HashSet<char>,
    /// Where the headings of the sounds and of the levels stand in the text.
    pub headings: [(usize, usize); 2],
    /// How many words the objects of a cell take.
    pub object_words: usize,
    /// How many words the movements of a cell take.
    pub movement_words: usize,
}

impl Game {
    /// The objects of the layer of the background.
    pub fn background_layer(&self) -> &Mask {
        let layer = self.layers.iter().find(|layer| layer.has(self.background));
        layer.unwrap_or(&self.layers[0])
    }

    /// The lines of the text that have rules, from 1.
    pub fn rule_lines(&self) -> BTreeSet<usize> {
        let groups = self.rules.iter().chain(&self.late_rules);
        groups.flat_map(|group| &group.rules).map(|rule| rule.line).collect()
    }
}

/// Settings of the prelude that change the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The rules run once, without an input, before a level begins.
    pub run_rules_on_level_start: bool,
    /// A turn in which no player moves has not happened.
    pub require_player_movement: bool,
    /// There is no action key.
    pub no_action: bool,
    /// There is no undo key.
    pub no_undo: bool,
    /// There is no restart key.
    pub no_restart: bool,
    /// The line that says that rules run as time goes by, if there is one.
    pub realtime: Option<usize>,
}

/// What a name stands for in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any of these objects.
    Any(Mask),
    /// All of these objects together.
    All(Mask),
}

impl Kind {
    /// Whether an object, by its bit, belongs to it.
    pub fn has(&self, bit: usize) -> bool {
        match self {
            Self::Any(mask) | Self::All(mask) => mask.has(bit),
        }
    }

    /// Whether a cell has it.
    pub fn is_in(&self, cell: &[u64]) -> bool {
        match self {
            Self::Any(mask) => mask.meets(cell),
            Self::All(mask) => mask.is_within(cell),
        }
    }
}

/// An entry of the section of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A text between levels.
    Message(String),
    /// A level.
    Level(Map),
}

/// A level as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The line of its first row.
    pub line: usize,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The objects of the cells, column by column.
    pub cells: Vec<u64>,
}

/// Rules that are applied in turn until nothing changes.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rules in their order.
    pub rules: Vec<Rule>,
    /// The group that the engine goes back to after this one if anything has changed.
    pub loop_to: Option<usize>,
    /// The number of the group among the rigid ones, from 1.
    pub rigid: Option<u64>,
}

/// A direction in which a rule looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
    /// To the column behind.
    Right,
}

/// A rule that looks in one direction.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its line in the text.
    pub line: usize,
    /// Where the cells after the first lie.
    pub direction: Direction,
    /// What must be found, each row anywhere on the board.
    pub rows: Vec<Vec<Pattern>>,
    /// All objects that must be on the board where it is found, and all movements.
    pub needs: (Mask, Mask),
    /// Whether it has a right side.
    pub replaces: bool,
    /// Whether what it sets in motion must move.
    pub rigid: bool,
    /// What it asks for where it is found.
    pub commands: Vec<Command>,
    /// The expanded rule as text.
    pub text: String,
}

/// What a rule looks for in one place.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Any number of cells, also none.
    Ellipsis,
    /// One cell.
    Cell(CellPattern),
}

/// What a rule looks for in one cell, and what it makes of it.
#[derive(Clone, Debug)]
pub struct CellPattern {
    /// Objects that are there.
    pub present: Mask,
    /// Objects that are not there.
    pub absent: Mask,
    /// Of each of these sets one object is there.
    pub any: Vec<Mask>,
    /// Movements that are there.
    pub moving: Mask,
    /// Movements that are not there.
    pub not_moving: Mask,
    /// The change, if there is any.
    pub replacement: Option<Replacement>,
}

impl CellPattern {
    /// Whether a cell with these objects and movements fits.
    #[inline]
    pub fn fits(&self, objects: &[u64], movements: &[u64]) -> bool {
        self.present.is_within(objects)
            && !self.absent.meets(objects)
            && self.moving.is_within(movements)
            && !self.not_moving.meets(movements)
            && self.any.iter().all(|any| any.meets(objects))
    }
}

/// What a rule makes of a cell.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// Objects that go.
    pub clear: Mask,
    /// Objects that come.
    pub set: Mask,
    /// Movements that stop.
    pub stop: Mask,
    /// Movements that begin.
    pub start: Mask,
    /// All movements of the layers whose movement the rule decides.
    pub decided: Mask,
}

/// Something that must hold for the level to be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinCondition {
    /// Its line in the text.
    pub line: usize,
    /// How many of the first kind are meant.
    pub quantifier: Quantifier,
    /// The first kind.
    pub what: Kind,
    /// What it stands on; anything where nothing is said.
    pub on: Option<Kind>,
}

/// How many are meant by a win condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// None of them.
    No,
    /// At least one of them.
    Some,
    /// Each of them.
    All,
}

impl WinCondition {
    /// Whether it holds on a board.
    pub fn holds<'a>(&self, mut cells: impl Iterator<Item = &'a [u64]>) -> bool {
        let is_on = |cell: &[u64]| match &self.on {
            Some(kind) => kind.is_in(cell),
            None => cell.iter().any(|&word| word != 0),
        };
        match self.quantifier {
            Quantifier::No => !cells.any(|cell| self.what.is_in(cell) && is_on(cell)),
            Quantifier::Some => cells.any(|cell| self.what.is_in(cell) && is_on(cell)),
            Quantifier::All => cells.all(|cell| !self.what.is_in(cell) || is_on(cell)),
        }
    }
}
