//! Elements, atoms, bonds, and the position that they make.

use crate::grid::{Cell, Direction, Grid};
use std::fmt;

/// What an atom is: how many electrons it has to share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// `h`, one electron.
    Hydrogen,
    /// `e`, none: it never bonds.
    Helium,
    /// `o`, two electrons.
    Oxygen,
    /// `n`, three electrons.
    Nitrogen,
    /// `c`, four electrons.
    Carbon,
}

impl Element {
    /// All elements.
    pub const ALL: [Self; 5] =
        [Self::Hydrogen, Self::Helium, Self::Oxygen, Self::Nitrogen, Self::Carbon];

    /// The letter of the file format, in lower case.
    pub fn letter(self) -> char {
        match self {
            Self::Hydrogen => 'h',
            Self::Helium => 'e',
            Self::Oxygen => 'o',
            Self::Nitrogen => 'n',
            Self::Carbon => 'c',
        }
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hydrogen => "hydrogen",
            Self::Helium => "helium",
            Self::Oxygen => "oxygen",
            Self::Nitrogen => "nitrogen",
            Self::Carbon => "carbon",
        }
    }

    /// The element of a letter in lower case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.letter() == letter)
    }

    /// Number of electrons to share: the bonds of a complete atom.
    pub fn valence(self) -> u8 {
        match self {
            Self::Hydrogen => 1,
            Self::Helium => 0,
            Self::Oxygen => 2,
            Self::Nitrogen => 3,
            Self::Carbon => 4,
        }
    }
}

/// What stands on a vertex (a corner shared by four cells) and acts on the bonds that sweep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modifier {
    /// `/`: takes one from the bond's multiplicity; a single bond is cut.
    Weaken,
    /// `+`: adds one to the bond's multiplicity if both atoms have a free electron.
    Strengthen,
    /// `@`: the bond turns about the vertex.
    Rotate,
}

impl Modifier {
    /// All modifiers.
    pub const ALL: [Self; 3] = [Self::Weaken, Self::Strengthen, Self::Rotate];

    /// The sign of the file format.
    pub fn sign(self) -> char {
        match self {
            Self::Weaken => '/',
            Self::Strengthen => '+',
            Self::Rotate => '@',
        }
    }

    /// What it does, as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Weaken => "weaken",
            Self::Strengthen => "strengthen",
            Self::Rotate => "rotate",
        }
    }

    /// The modifier of a sign.
    pub fn from_sign(sign: char) -> Option<Self> {
        Self::ALL.into_iter().find(|modifier| modifier.sign() == sign)
    }
}

/// An atom and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Where it is.
    pub cell: Cell,
    /// What it is.
    pub element: Element,
    /// Whether it is the one that the player steers.
    pub player: bool,
}

impl Atom {
    /// The letter of the file format, in upper case for the player.
    pub fn letter(self) -> char {
        let letter = self.element.letter();
        if self.player { letter.to_ascii_uppercase() } else { letter }
    }
}

/// A bond between the atoms of two neighbouring cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bond {
    /// The cell that comes first in reading order.
    pub first: Cell,
    /// The other cell.
    pub second: Cell,
    /// Electrons that each end gives, from 1.
    pub multiplicity: u8,
}

/// A position. Atoms of one element are not distinguished (but for the player), so that two
/// positions that look the same are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The atoms in reading order of their cells.
    pub atoms: Vec<Atom>,
    /// The bonds in increasing order.
    pub bonds: Vec<Bond>,
}

impl State {
    /// The atom in a cell.
    pub fn at(&self, cell: Cell) -> Option<Atom> {
        self.atoms.iter().copied().find(|atom| atom.cell == cell)
    }

    /// The multiplicity of the bond between two cells; 0 when there is none.
    pub fn multiplicity(&self, a: Cell, b: Cell) -> u8 {
        let (first, second) = (a.min(b), a.max(b));
        let bond = self.bonds.iter().find(|bond| (bond.first, bond.second) == (first, second));
        bond.map_or(0, |bond| bond.multiplicity)
    }

    /// The electrons of an atom that no bond uses.
    pub fn free(&self, atom: Atom) -> u8 {
        let bonds = self.bonds.iter().filter(|b| b.first == atom.cell || b.second == atom.cell);
        atom.element.valence() - bonds.map(|bond| bond.multiplicity).sum::<u8>()
    }

    /// Whether no atom has a free electron.
    pub fn is_complete(&self) -> bool {
        self.atoms.iter().all(|&atom| self.free(atom) == 0)
    }
}

/// A move string in the letters of the keyboard: `W` up, `A` left, `S` down, `D` right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(pub Vec<Direction>);

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&direction| write!(f, "{}", direction.key()))
    }
}

/// The walls and modifiers: all that never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticBoard {
    /// Whether a cell is a wall. Outside the rectangle all is wall.
    pub walls: Grid<bool>,
    /// The modifier on the vertex to the lower right of a cell.
    pub modifiers: Grid<Option<Modifier>>,
}

impl StaticBoard {
    /// The cell next to another one, unless a wall is there.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.walls.next(cell, direction).filter(|&next| !self.walls[next])
    }

    /// The modifier on the vertex that the bond between two neighbouring cells sweeps when an end
    /// of it moves in a direction across it; `None` when nothing is there, and when the bond
    /// moves along its own axis.
    pub fn swept(&self, a: Cell, b: Cell, direction: Direction) -> Option<Modifier> {
        let corners =
            [Some(a), Some(b), self.walls.next(a, direction), self.walls.next(b, direction)];
        let (mut rows, mut columns): (Vec<_>, Vec<_>) =
            corners.into_iter().map(|cell| Some(self.walls.place(cell?))).collect::<Option<_>>()?;
        rows.sort_unstable();
        rows.dedup();
        columns.sort_unstable();
        columns.dedup();
        // Across the axis the four cells are a square of two by two around the vertex.
        let square = rows.len() == 2 && columns.len() == 2;
        let corner = self.walls.cell(rows[0], columns[0]).filter(|_| square)?;
        self.modifiers[corner]
    }
}
