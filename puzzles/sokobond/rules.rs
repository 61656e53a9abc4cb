//! One move: who moves and where, what the modifiers do, which bonds form.
//!
//! Written to be read; `docs/sokobond.md` has the same rules in words, with their evidence.

use super::state::{Atom, Bond, Modifier, State, StaticBoard};
use crate::grid::{Cell, Direction};
use itertools::Itertools;
use std::collections::BTreeSet;

/// A wall is in the way.
pub const WALL: &str = "wall";
/// An atom would have to move in two directions at once.
pub const TWO_DIRECTIONS: &str = "two-directions";
/// Two atoms would end in one cell.
pub const COLLISION: &str = "collision";
/// Two neighbouring atoms would change places.
pub const EXCHANGE: &str = "exchange";
/// It is not known which of several bonds `+` would strengthen.
pub const AMBIGUOUS_STRENGTHENING: &str = "ambiguous-strengthening";
/// It depends on the order of bonding which bonds form, and only moves without such a choice are
/// allowed.
pub const AMBIGUOUS_BOND: &str = "ambiguous-bond";

/// Whether a rule only blocks the key: the position stays as it is and the game goes on.
pub fn blocks(rule: &str) -> bool {
    [WALL, TWO_DIRECTIONS, COLLISION, EXCHANGE].contains(&rule)
}

/// The order in which an atom looks for partners.
const PARTNERS: [Direction; 4] =
    [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveResult {
    /// The position after it.
    pub state: State,
    /// Whether it did more than to carry the player's molecule one cell further, in a way that
    /// the opposite move undoes.
    pub event: bool,
}

/// Makes the move in `direction`. With `strict`, a move whose bonds depend on the order of bonding
/// is not allowed.
///
/// # Errors
/// The name of the rule that forbids the move.
pub fn step(
    board: &StaticBoard,
    state: &State,
    direction: Direction,
    strict: bool,
) -> Result<MoveResult, &'static str> {
    let moves = Motion::new(board, state).of_player(direction)?;
    let mut table = MovedAtoms::carried(board, state, &moves)?;
    table.strengthen()?;
    let carried = table.bonds.clone();
    table.form_bonds(board, strict)?;
    let event = !is_free(board, state, &moves, &carried, &table.bonds);
    Ok(MoveResult { state: table.into_state(), event })
}

/// The atoms that a move in `direction` moves, the player among them; none when it is not possible.
pub fn moved(board: &StaticBoard, state: &State, direction: Direction) -> Vec<Atom> {
    let moves = Motion::new(board, state).of_player(direction).unwrap_or_default();
    let moving = state.atoms.iter().zip(moves).filter(|(_, direction)| direction.is_some());
    moving.map(|(atom, _)| *atom).collect()
}

/// Indices into [`State::atoms`] of the ends of a bond.
fn ends(state: &State, bond: &Bond) -> (usize, usize) {
    let find = |cell| state.atoms.iter().position(|atom| atom.cell == cell);
    (find(bond.first).expect("a bond has atoms"), find(bond.second).expect("a bond has atoms"))
}

/// The direction in which `to` lies from `from`, its neighbour.
fn towards(board: &StaticBoard, from: Cell, to: Cell) -> Direction {
    let next = |&d: &Direction| board.walls.next(from, d) == Some(to);
    Direction::ALL.into_iter().find(next).expect("bonds join neighbours")
}

/// Phase 1: the directions in which atoms move, as they become known.
struct Motion<'a> {
    board: &'a StaticBoard,
    state: &'a State,
    /// Ends of each bond.
    ends: Vec<(usize, usize)>,
    /// Direction of each atom; `None` while it is still.
    moves: Vec<Option<Direction>>,
    /// Known arrivals of the motion that have not been followed: an atom, and the atom whose bond
    /// brought the motion (`None` for the player and for an atom that was pushed).
    open: Vec<(usize, Option<usize>)>,
    /// All known arrivals.
    known: BTreeSet<(usize, Option<usize>)>,
}

impl<'a> Motion<'a> {
    fn new(board: &'a StaticBoard, state: &'a State) -> Self {
        let ends = state.bonds.iter().map(|bond| ends(state, bond)).collect();
        let moves = vec![None; state.atoms.len()];
        Self { board, state, ends, moves, open: Vec::new(), known: BTreeSet::new() }
    }

    /// All moves that follow from the player's.
    fn of_player(mut self, direction: Direction) -> Result<Vec<Option<Direction>>, &'static str> {
        let player = self.state.atoms.iter().position(|atom| atom.player);
        self.arrive(player.expect("a position has a player"), None, direction)?;
        self.follow_bonds()?;
        loop {
            let pushed = self.pushed();
            if pushed.is_empty() {
                break;
            }
            for (atom, direction) in pushed {
                self.arrive(atom, None, direction)?;
            }
            self.follow_bonds()?;
        }
        self.check_cells()?;
        Ok(self.moves)
    }

    /// The motion reaches an atom.
    fn arrive(
        &mut self,
        atom: usize,
        via: Option<usize>,
        direction: Direction,
    ) -> Result<(), &'static str> {
        if *self.moves[atom].get_or_insert(direction) != direction {
            return Err(TWO_DIRECTIONS);
        }
        if self.known.insert((atom, via)) {
            self.open.push((atom, via));
        }
        Ok(())
    }

    /// The bond rule, as often as it applies: the motion passes through all bonds of a moving
    /// atom except the one that brought it.
    fn follow_bonds(&mut self) -> Result<(), &'static str> {
        while let Some((atom, via)) = self.open.pop() {
            for index in 0..self.ends.len() {
                let other = match self.ends[index] {
                    (a, b) if a == atom => b,
                    (a, b) if b == atom => a,
                    _ => continue,
                };
                if via != Some(other)
                    && let Some(direction) = self.through(index, atom, other)
                {
                    self.arrive(other, Some(atom), direction)?;
                }
            }
        }
        Ok(())
    }

    /// How `other` moves because its bond partner `atom` moves; `None` when the bond is cut.
    fn through(&self, bond: usize, atom: usize, other: usize) -> Option<Direction> {
        let direction = self.moves[atom]?;
        let (from, to) = (self.state.atoms[atom].cell, self.state.atoms[other].cell);
        match self.board.swept(from, to, direction) {
            Some(Modifier::Weaken) if self.state.bonds[bond].multiplicity == 1 => None,
            // The bond turns: the other end steps into the cell that the atom leaves.
            Some(Modifier::Rotate) => Some(towards(self.board, to, from)),
            _ => Some(direction),
        }
    }

    /// The push rule: still atoms in front of moving ones.
    fn pushed(&self) -> Vec<(usize, Direction)> {
        let moving = self.state.atoms.iter().zip(&self.moves);
        let front = moving.filter_map(|(atom, &direction)| {
            let cell = self.board.walls.next(atom.cell, direction?)?;
            let other = self.state.atoms.iter().position(|other| other.cell == cell)?;
            self.moves[other].is_none().then_some((other, direction?))
        });
        front.collect()
    }

    /// No atom enters a wall, a cell that another enters too, or the cell of one that comes the
    /// opposite way.
    fn check_cells(&self) -> Result<(), &'static str> {
        let mut target = Vec::new();
        for (atom, &direction) in self.state.atoms.iter().zip(&self.moves) {
            target.push(match direction {
                Some(direction) => self.board.next(atom.cell, direction).ok_or(WALL)?,
                None => atom.cell,
            });
        }
        for (i, a) in self.state.atoms.iter().enumerate() {
            for (j, b) in self.state.atoms.iter().enumerate().skip(i + 1) {
                if target[i] == target[j] {
                    return Err(COLLISION);
                }
                if target[i] == b.cell && target[j] == a.cell {
                    return Err(EXCHANGE);
                }
            }
        }
        Ok(())
    }
}

/// The atoms in their new places and the bonds between them, by index.
struct MovedAtoms {
    atoms: Vec<Atom>,
    moved: Vec<bool>,
    /// Ends, multiplicity, and whether the bond has swept a `+`.
    bonds: Vec<(usize, usize, u8)>,
    /// Indices into `bonds` of those that have swept a `+`.
    stronger: Vec<usize>,
    /// Pairs whose bond was cut in this move.
    cut: Vec<(usize, usize)>,
}

impl MovedAtoms {
    /// Moves the atoms and lets `/` act on the bonds.
    fn carried(
        board: &StaticBoard,
        state: &State,
        moves: &[Option<Direction>],
    ) -> Result<Self, &'static str> {
        let mut atoms = state.atoms.clone();
        for (atom, &direction) in atoms.iter_mut().zip(moves) {
            if let Some(direction) = direction {
                atom.cell = board.next(atom.cell, direction).ok_or(WALL)?;
            }
        }
        let moved = moves.iter().map(Option::is_some).collect();
        let mut table = Self { atoms, moved, bonds: vec![], stronger: vec![], cut: vec![] };
        for bond in &state.bonds {
            let (a, b) = ends(state, bond);
            let by_end = |end: usize| board.swept(bond.first, bond.second, moves[end]?);
            let swept = [by_end(a), by_end(b)];
            let weaker = u8::from(swept.contains(&Some(Modifier::Weaken)));
            match bond.multiplicity - weaker {
                0 => table.cut.push((a, b)),
                multiplicity => {
                    if swept.contains(&Some(Modifier::Strengthen)) {
                        table.stronger.push(table.bonds.len());
                    }
                    table.bonds.push((a, b, multiplicity));
                }
            }
        }
        Ok(table)
    }

    /// The electrons of an atom that no bond uses.
    fn free(&self, atom: usize) -> u8 {
        let used = self.bonds.iter().filter(|&&(a, b, _)| a == atom || b == atom);
        self.atoms[atom].element.valence() - used.map(|bond| bond.2).sum::<u8>()
    }

    /// Whether some atom is in more of these pairs than it has free electrons.
    fn is_short(&self, pairs: &[(usize, usize)]) -> bool {
        let wanted = |atom| pairs.iter().filter(|&&(a, b)| a == atom || b == atom).count();
        (0..self.atoms.len()).any(|atom| wanted(atom) > usize::from(self.free(atom)))
    }

    /// Phase 2, second part: `+` acts, after every `/`.
    fn strengthen(&mut self) -> Result<(), &'static str> {
        let able = |&index: &usize| {
            let (a, b, _) = self.bonds[index];
            self.free(a) > 0 && self.free(b) > 0
        };
        let able: Vec<usize> = self.stronger.iter().copied().filter(able).collect();
        let pairs: Vec<_> = able.iter().map(|&i| (self.bonds[i].0, self.bonds[i].1)).collect();
        if self.is_short(&pairs) {
            return Err(AMBIGUOUS_STRENGTHENING);
        }
        able.into_iter().for_each(|index| self.bonds[index].2 += 1);
        Ok(())
    }

    /// Phase 3: new bonds.
    fn form_bonds(&mut self, board: &StaticBoard, strict: bool) -> Result<(), &'static str> {
        let candidates: Vec<_> =
            self.pairs(board).into_iter().filter(|&pair| self.can_bond(pair)).collect();
        if strict && self.is_short(&candidates) {
            return Err(AMBIGUOUS_BOND);
        }
        for (a, b) in candidates {
            if self.free(a) > 0 && self.free(b) > 0 {
                self.bonds.push((a, b, 1));
            }
        }
        Ok(())
    }

    /// Pairs of neighbours in the order in which they bond: first for each moved atom in reading
    /// order its left, right, upper and lower neighbour, then the same for the atoms at rest.
    fn pairs(&self, board: &StaticBoard) -> Vec<(usize, usize)> {
        let mut atoms: Vec<usize> = (0..self.atoms.len()).collect();
        atoms.sort_by_key(|&atom| (!self.moved[atom], self.atoms[atom].cell));
        let mut pairs = Vec::new();
        for atom in atoms {
            for direction in PARTNERS {
                let cell = board.next(self.atoms[atom].cell, direction);
                let partner = self.atoms.iter().position(|other| Some(other.cell) == cell);
                let pair = partner.map(|other| (atom.min(other), atom.max(other)));
                pairs.extend(pair.filter(|pair| !pairs.contains(pair)));
            }
        }
        pairs
    }

    /// Whether two neighbours are a candidate for a new bond.
    fn can_bond(&self, pair: (usize, usize)) -> bool {
        let bonded = self.bonds.iter().any(|&(a, b, _)| (a, b) == pair);
        !bonded && !self.cut.contains(&pair) && self.free(pair.0) > 0 && self.free(pair.1) > 0
    }

    fn into_state(self) -> State {
        let mut bonds: Vec<Bond> = Vec::new();
        for (a, b, multiplicity) in self.bonds {
            let (a, b) = (self.atoms[a].cell, self.atoms[b].cell);
            bonds.push(Bond { first: a.min(b), second: a.max(b), multiplicity });
        }
        bonds.sort_unstable();
        let mut atoms = self.atoms;
        atoms.sort_unstable();
        State { atoms, bonds }
    }
}

/// Whether a move only carried the player's molecule one cell further, so that the opposite move
/// leads back.
///
/// A pair that could bond before the move (only a bond that was just cut leaves one) makes the way
/// back different: on return the pair bonds.
fn is_free(
    board: &StaticBoard,
    state: &State,
    moves: &[Option<Direction>],
    carried: &[(usize, usize, u8)],
    bonds: &[(usize, usize, u8)],
) -> bool {
    let before: Vec<_> = state
        .bonds
        .iter()
        .map(|bond| {
            let (a, b) = ends(state, bond);
            (a, b, bond.multiplicity)
        })
        .collect();
    let molecule = molecule_of_player(state, &before);
    before == carried
        && carried.len() == bonds.len()
        && moves.iter().flatten().all_equal()
        && moves.iter().enumerate().all(|(atom, m)| m.is_some() == molecule.contains(&atom))
        && !has_open_pair(board, state)
}

/// Whether two neighbours could bond but have not.
fn has_open_pair(board: &StaticBoard, state: &State) -> bool {
    let open: Vec<Cell> =
        state.atoms.iter().filter(|&&a| state.free(a) > 0).map(|a| a.cell).collect();
    open.iter().any(|&a| {
        let mut partners = board.walls.neighbours(a).map(|(_, cell)| cell);
        partners.any(|b| open.contains(&b) && state.multiplicity(a, b) == 0)
    })
}

/// The atoms that are joined to the player by bonds, the player included.
fn molecule_of_player(state: &State, bonds: &[(usize, usize, u8)]) -> BTreeSet<usize> {
    let player = state.atoms.iter().position(|atom| atom.player);
    let mut molecule: BTreeSet<usize> = player.into_iter().collect();
    loop {
        let size = molecule.len();
        for &(a, b, _) in bonds {
            if molecule.contains(&a) || molecule.contains(&b) {
                molecule.extend([a, b]);
            }
        }
        if molecule.len() == size {
            return molecule;
        }
    }
}
