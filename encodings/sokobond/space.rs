//! Packed positions for explicit search.
//!
//! A position is a number of 128 bits: for each atom its cell and the multiplicities of the bonds
//! to its right and below. Atoms of one element stand in the order of their cells, so that
//! positions that look the same are the same number. Moves are made on small arrays.

use super::bounds;
use super::fast_rules::{FastState, FastTables, MAX_ATOMS, NO_CELL};
use super::graph::Floor;
use crate::cost::Cost;
use crate::space::{PackingError, Space};
use petgraph::graph::NodeIndex;
use unstuck_puzzles::sokobond::{Atom, Bond, Sokobond, State};
use unstuck_puzzles::{Direction, Objective};

const DOWN: usize = Direction::Down as usize;
const RIGHT: usize = Direction::Right as usize;

/// The search space: one move an edge.
#[derive(Clone, Debug)]
pub struct SokobondSpace {
    table: FastTables,
    floor: Floor,
    start: State,
    /// Bits of a cell number.
    cell_bits: u32,
    /// For each atom the bits of a multiplicity.
    bond_bits: Vec<u32>,
    /// Atom in each cell, [`NO_CELL`] where none is; all [`NO_CELL`] between calls.
    at: Vec<u8>,
}

impl SokobondSpace {
    /// Atoms that only look different by their number: ranges of equal element.
    fn groups(&self) -> impl Iterator<Item = &[(unstuck_puzzles::sokobond::Element, bool)]> {
        self.table.kinds.chunk_by(|a, b| a == b)
    }

    fn write(&self, position: &FastState) -> u128 {
        let mut word = 0;
        let mut first = 0;
        for group in self.groups() {
            let mut order: [usize; MAX_ATOMS] = std::array::from_fn(|index| first + index);
            let order = &mut order[..group.len()];
            if order.len() > 1 {
                order.sort_unstable_by_key(|&atom| position.cell[atom]);
            }
            for &mut atom in order {
                word = word << self.cell_bits | u128::from(position.cell[atom]);
                for toward in [RIGHT, DOWN] {
                    word = word << self.bond_bits[first] | u128::from(position.bond[atom][toward]);
                }
            }
            first += group.len();
        }
        word
    }

    /// Unpacks a position and enters its atoms in `at`; [`SokobondSpace::clear`] takes them out.
    fn read(&mut self, mut word: u128) -> FastState {
        let mut position = FastState { cell: [NO_CELL; MAX_ATOMS], bond: [[0; 4]; MAX_ATOMS] };
        let mut take = |bits: u32| {
            let value = (word & ((1 << bits) - 1)) as u8;
            word >>= bits;
            value
        };
        for atom in (0..self.table.atoms()).rev() {
            let bits = self.bond_bits[atom];
            for toward in [DOWN, RIGHT] {
                position.bond[atom][toward] = take(bits);
            }
            position.cell[atom] = take(self.cell_bits);
            self.at[usize::from(position.cell[atom])] = atom as u8;
        }
        self.table.mirror_bonds(&mut position, &self.at);
        position
    }

    fn clear(&mut self, position: &FastState) {
        for &cell in &position.cell[..self.table.atoms()] {
            self.at[usize::from(cell)] = NO_CELL;
        }
    }
}

/// Whether two neighbours out of the player's reach could bond where they are. Positions do not say
/// what happens there; only a level without one of its atoms begins so.
fn about_to_bond(puzzle: &Sokobond, floor: &Floor) -> bool {
    let state = &puzzle.start;
    let is_free = |atom: &Atom| floor.node(atom.cell).is_none() && state.free(*atom) > 0;
    state.atoms.iter().filter(|atom| is_free(atom)).any(|atom| {
        let beside = Direction::ALL.into_iter().filter_map(|d| puzzle.board.next(atom.cell, d));
        let mut beside = beside.filter_map(|cell| state.at(cell)).filter(is_free);
        beside.any(|other| state.multiplicity(atom.cell, other.cell) == 0)
    })
}

impl Space for SokobondSpace {
    type Puzzle = Sokobond;
    type State = u128;
    const BOUND: Option<&'static str> = Some("nearest-partner");

    fn new(puzzle: &Sokobond, _objective: Objective) -> Result<Self, PackingError> {
        let floor = Floor::new(puzzle);
        let cells = floor.places.len();
        if cells >= usize::from(NO_CELL) || floor.atoms > MAX_ATOMS {
            let message = format!("{cells} cells and {} atoms are too many", floor.atoms);
            return Err(PackingError(message));
        }
        if about_to_bond(puzzle, &floor) {
            let message = "atoms that the player cannot reach are about to bond";
            return Err(PackingError(message.to_owned()));
        }
        let table = FastTables::new(puzzle, &floor);
        let bits = |largest: usize| usize::BITS - largest.leading_zeros();
        let cell_bits = bits(cells.saturating_sub(1)).max(1);
        let bond_bits: Vec<u32> =
            table.valence.iter().map(|&valence| bits(valence.min(floor.levels).into())).collect();
        let total: u32 = bond_bits.iter().map(|bond| cell_bits + 2 * bond).sum();
        if total > u128::BITS {
            return Err(PackingError(format!("a position takes {total} bits, more than 128")));
        }
        let at = vec![NO_CELL; cells];
        Ok(Self { table, floor, start: puzzle.start.clone(), cell_bits, bond_bits, at })
    }

    fn start(&self) -> u128 {
        self.pack(&self.start).expect("the start is a position")
    }

    fn is_goal(&self, state: &u128) -> bool {
        // The sum of the bonds to the right and below, each counted at both ends.
        let mut word = *state;
        let mut used = 0;
        for atom in (0..self.table.atoms()).rev() {
            for _ in 0..2 {
                used += 2 * (word & ((1 << self.bond_bits[atom]) - 1)) as u32;
                word >>= self.bond_bits[atom];
            }
            word >>= self.cell_bits;
        }
        self.floor.stranded.is_none() && used == self.table.electrons
    }

    fn expand(&mut self, state: &u128, successors: &mut Vec<(u128, Cost)>) {
        let position = self.read(*state);
        for direction in 0..4 {
            if let Some(after) = self.table.step(&position, &self.at, direction) {
                successors.push((self.write(&after), Cost::new(1, 0)));
            }
        }
        self.clear(&position);
    }

    fn bound(&mut self, state: &u128) -> Option<Cost> {
        if self.floor.stranded.is_some() {
            return None;
        }
        let position = self.read(*state);
        let bound = bounds::nearest_partner(&self.table, &position, &self.at);
        self.clear(&position);
        bound.map(|moves| Cost::new(moves, 0))
    }

    fn pieces(&mut self, state: &u128, pieces: &mut Vec<u32>) {
        let position = self.read(*state);
        let cells = position.cell[..self.table.atoms()].iter().enumerate();
        pieces.extend(cells.map(|(atom, &cell)| (atom as u32) << 8 | u32::from(cell)));
        self.clear(&position);
    }

    fn pack(&self, state: &State) -> Option<u128> {
        let mut position = FastState { cell: [NO_CELL; MAX_ATOMS], bond: [[0; 4]; MAX_ATOMS] };
        let mut atoms: Vec<&Atom> =
            state.atoms.iter().filter(|atom| self.floor.node(atom.cell).is_some()).collect();
        atoms.sort_by_key(|atom| (atom.element, atom.player, atom.cell));
        if !atoms.iter().map(|atom| (atom.element, atom.player)).eq(self
            .table
            .kinds
            .iter()
            .copied())
        {
            return None;
        }
        for (index, atom) in atoms.iter().enumerate() {
            let node = self.floor.node(atom.cell)?;
            position.cell[index] = node.index() as u8;
            for toward in [Direction::Right, Direction::Down] {
                if let Some(edge) = self.floor.edge(node, toward) {
                    let multiplicity = self.floor.multiplicity(state, edge);
                    position.bond[index][toward.index()] = multiplicity;
                }
            }
        }
        Some(self.write(&position))
    }

    fn unpack(&self, state: &u128) -> State {
        let mut space = self.clone();
        let position = space.read(*state);
        let cell = |number: u8| self.floor.graph[NodeIndex::new(number.into())];
        let outside = |cell| self.floor.node(cell).is_none();
        let mut atoms: Vec<Atom> =
            self.start.atoms.iter().filter(|atom| outside(atom.cell)).copied().collect();
        let mut bonds: Vec<Bond> =
            self.start.bonds.iter().filter(|bond| outside(bond.first)).copied().collect();
        for (index, &(element, player)) in self.table.kinds.iter().enumerate() {
            let first = cell(position.cell[index]);
            atoms.push(Atom { cell: first, element, player });
            for toward in [RIGHT, DOWN] {
                let multiplicity = position.bond[index][toward];
                if multiplicity > 0 {
                    let second = self.table.next[usize::from(position.cell[index])][toward];
                    bonds.push(Bond { first, second: cell(second), multiplicity });
                }
            }
        }
        atoms.sort_unstable();
        bonds.sort_unstable();
        State { atoms, bonds }
    }

    fn plan(&mut self, path: &[u128]) -> Vec<Direction> {
        let mut plan = Vec::new();
        for pair in path.windows(2) {
            let position = self.read(pair[0]);
            let leads = |&direction: &Direction| {
                let after = self.table.step(&position, &self.at, direction.index());
                after.is_some_and(|after| self.write(&after) == pair[1])
            };
            let found = Direction::ALL.into_iter().find(leads);
            plan.push(found.expect("a path follows the edges of expand"));
            self.clear(&position);
        }
        plan
    }
}
