//! The rules on small arrays, for speed.
//!
//! The same rules as in the puzzles crate, written a second time; tests compare the two.

use super::graph::Floor;
use super::pair_distance::PairDistance;
use std::sync::Arc;
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::{Bonding, Element, Modifier, Sokobond};

/// More atoms than this are not packed.
pub const MAX_ATOMS: usize = 24;

/// No cell, no atom, no direction.
pub const NO_CELL: u8 = u8::MAX;

const UP: usize = Direction::Up as usize;
const LEFT: usize = Direction::Left as usize;
const DOWN: usize = Direction::Down as usize;
const RIGHT: usize = Direction::Right as usize;

/// The order in which an atom looks for partners.
const PARTNERS: [usize; 4] = [LEFT, RIGHT, UP, DOWN];

/// The way on which the motion comes to the player and to what is pushed: through no bond.
const PUSH: usize = 4;

/// The other way. Directions are numbered so that this is one bit.
pub fn opposite(direction: usize) -> usize {
    direction ^ 2
}

/// What never changes.
#[derive(Clone, Debug)]
pub struct FastTables {
    /// Neighbour of each cell in each direction, [`NO_CELL`] for a wall.
    pub next: Vec<[u8; 4]>,
    /// How far atoms in two cells are from being neighbours.
    pub pair_distance: Arc<PairDistance>,
    /// The modifier that the bond of a cell in one direction sweeps when it moves in another.
    swept: Vec<[[Option<Modifier>; 4]; 4]>,
    /// Element of each atom and whether it is the player, in increasing order.
    pub kinds: Vec<(Element, bool)>,
    /// Valence of each atom.
    pub valence: Vec<u8>,
    /// All electrons.
    pub electrons: u32,
    /// Index of the player.
    player: usize,
    /// Whether some vertex weakens, strengthens, turns.
    pub weakens: bool,
    /// Whether some vertex strengthens.
    pub strengthens: bool,
    /// Whether some vertex turns bonds.
    pub rotates: bool,
    strict: bool,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct FastState {
    /// Cell of each atom.
    pub cell: [u8; MAX_ATOMS],
    /// Multiplicities of the bonds of each atom in each direction.
    pub bond: [[u8; 4]; MAX_ATOMS],
}

impl FastState {
    /// The electrons of an atom that its bonds use.
    pub fn used(&self, atom: usize) -> u8 {
        self.bond[atom].iter().sum()
    }

    fn set_bond(&mut self, a: usize, toward: usize, b: usize, multiplicity: u8) {
        self.bond[a][toward] = multiplicity;
        self.bond[b][opposite(toward)] = multiplicity;
    }
}

/// The motion, as far as it is known.
struct Motion {
    /// Direction of each atom, [`NO_CELL`] while it is still.
    moves: [u8; MAX_ATOMS],
    /// Ways on which the motion has come to each atom: a bit for each direction and [`PUSH`].
    known: [u8; MAX_ATOMS],
    /// Arrivals that have not been followed.
    open: [(u8, u8); 5 * MAX_ATOMS],
    size: usize,
}

impl Motion {
    /// The motion reaches an atom; `None` when it moves in another direction already.
    fn arrive(&mut self, atom: usize, via: usize, direction: usize) -> Option<()> {
        if self.moves[atom] == NO_CELL {
            self.moves[atom] = direction as u8;
        } else if usize::from(self.moves[atom]) != direction {
            return None;
        }
        if self.known[atom] & 1 << via == 0 {
            self.known[atom] |= 1 << via;
            self.open[self.size] = (atom as u8, via as u8);
            self.size += 1;
        }
        Some(())
    }
}

impl FastTables {
    /// The arrays of a level.
    pub fn new(puzzle: &Sokobond, floor: &Floor) -> Self {
        let next = floor.nodes().map(|node| {
            Direction::ALL.map(|d| floor.next(node, d).map_or(NO_CELL, |next| next.index() as u8))
        });
        let swept = floor.nodes().map(|node| {
            Direction::ALL.map(|toward| match floor.edge(node, toward) {
                Some(edge) => Direction::ALL.map(|d| floor.joint(edge).swept(d)),
                None => [None; 4],
            })
        });
        let atoms = puzzle.start.atoms.iter().filter(|atom| floor.node(atom.cell).is_some());
        let mut kinds: Vec<_> = atoms.map(|atom| (atom.element, atom.player)).collect();
        kinds.sort_unstable();
        let valence: Vec<u8> = kinds.iter().map(|(element, _)| element.valence()).collect();
        let has = |wanted| puzzle.board.modifiers.iter().any(|(_, &m)| m == Some(wanted));
        Self {
            next: next.collect(),
            pair_distance: floor.pair_distance.clone(),
            swept: swept.collect(),
            electrons: valence.iter().map(|&valence| u32::from(valence)).sum(),
            player: kinds.iter().position(|&(_, player)| player).unwrap_or(0),
            kinds,
            valence,
            weakens: has(Modifier::Weaken),
            strengthens: has(Modifier::Strengthen),
            rotates: has(Modifier::Rotate),
            strict: puzzle.bonding == Bonding::Strict,
        }
    }

    /// Number of atoms.
    pub fn atoms(&self) -> usize {
        self.valence.len()
    }

    /// Electrons of an atom that no bond uses.
    pub fn free(&self, position: &FastState, atom: usize) -> u8 {
        self.valence[atom] - position.used(atom)
    }

    /// The atom next to another one, [`NO_CELL`] if there is none. `at` holds the atoms by cell.
    pub fn beside(&self, position: &FastState, at: &[u8], atom: usize, toward: usize) -> u8 {
        match self.next[usize::from(position.cell[atom])][toward] {
            NO_CELL => NO_CELL,
            cell => at[usize::from(cell)],
        }
    }

    /// Adds to the bonds to the right and below those seen from the other end.
    pub fn mirror_bonds(&self, position: &mut FastState, at: &[u8]) {
        for a in 0..self.atoms() {
            for toward in [RIGHT, DOWN] {
                let multiplicity = position.bond[a][toward];
                if multiplicity > 0 {
                    let b = self.beside(position, at, a, toward);
                    position.set_bond(a, toward, b.into(), multiplicity);
                }
            }
        }
    }

    /// Makes a move; `None` when it is illegal.
    pub fn step(&self, position: &FastState, at: &[u8], direction: usize) -> Option<FastState> {
        let moves = self.motion(position, at, direction)?;
        let mut after = FastState { cell: position.cell, bond: [[0; 4]; MAX_ATOMS] };
        for (cell, &direction) in after.cell.iter_mut().zip(&moves) {
            if direction != NO_CELL {
                *cell = self.next[usize::from(*cell)][usize::from(direction)];
                if *cell == NO_CELL {
                    return None;
                }
            }
        }
        if self.rotates && self.collides(position, &after) {
            return None;
        }
        let cut = self.carry(position, at, &moves, &mut after)?;
        self.form_bonds(&moves, &cut, &mut after)?;
        Some(after)
    }

    /// Direction in which each atom moves; `None` when one would move in two.
    fn motion(&self, position: &FastState, at: &[u8], direction: usize) -> Option<[u8; MAX_ATOMS]> {
        let mut motion = Motion {
            moves: [NO_CELL; MAX_ATOMS],
            known: [0; MAX_ATOMS],
            open: [(0, 0); 5 * MAX_ATOMS],
            size: 0,
        };
        motion.arrive(self.player, PUSH, direction)?;
        loop {
            self.follow_bonds(position, at, &mut motion)?;
            // All that stands in front is pushed at once.
            let still = motion.moves;
            for atom in (0..self.atoms()).filter(|&atom| still[atom] != NO_CELL) {
                let direction = usize::from(still[atom]);
                let front = self.beside(position, at, atom, direction);
                if front != NO_CELL && still[usize::from(front)] == NO_CELL {
                    motion.arrive(front.into(), PUSH, direction)?;
                }
            }
            if motion.size == 0 {
                return Some(motion.moves);
            }
        }
    }

    fn follow_bonds(&self, position: &FastState, at: &[u8], motion: &mut Motion) -> Option<()> {
        while motion.size > 0 {
            motion.size -= 1;
            let (atom, via) = motion.open[motion.size];
            let (atom, via) = (usize::from(atom), usize::from(via));
            let direction = usize::from(motion.moves[atom]);
            for toward in (0..4).filter(|&toward| toward != via) {
                let multiplicity = position.bond[atom][toward];
                if multiplicity == 0 {
                    continue;
                }
                let next = match self.swept[usize::from(position.cell[atom])][toward][direction] {
                    Some(Modifier::Weaken) if multiplicity == 1 => continue,
                    Some(Modifier::Rotate) => opposite(toward),
                    _ => direction,
                };
                let other = self.beside(position, at, atom, toward);
                motion.arrive(other.into(), opposite(toward), next)?;
            }
        }
        Some(())
    }

    /// Whether two atoms end in one cell or change places.
    fn collides(&self, before: &FastState, after: &FastState) -> bool {
        (0..self.atoms()).any(|a| {
            (0..a).any(|b| {
                after.cell[a] == after.cell[b]
                    || (after.cell[a] == before.cell[b] && after.cell[b] == before.cell[a])
            })
        })
    }

    /// Carries the bonds over the modifiers. Gives the atoms (as bits) with which each atom had a
    /// bond that was cut; `None` when it is open what `+` does.
    fn carry(
        &self,
        position: &FastState,
        at: &[u8],
        moves: &[u8; MAX_ATOMS],
        after: &mut FastState,
    ) -> Option<[u32; MAX_ATOMS]> {
        let mut cut = [0u32; MAX_ATOMS];
        // Bonds that swept a `+`: both ends and the direction from the first to the second.
        let mut plus = [(0, 0, 0); 2 * MAX_ATOMS];
        let mut pluses = 0;
        for a in 0..self.atoms() {
            for toward in [RIGHT, DOWN] {
                let multiplicity = position.bond[a][toward];
                if multiplicity == 0 {
                    continue;
                }
                let b = usize::from(self.beside(position, at, a, toward));
                let over = |end: usize| match moves[end] {
                    NO_CELL => None,
                    direction => {
                        self.swept[usize::from(position.cell[a])][toward][usize::from(direction)]
                    }
                };
                let over = [over(a), over(b)];
                let left = multiplicity - u8::from(over.contains(&Some(Modifier::Weaken)));
                if left == 0 {
                    cut[a] |= 1 << b;
                    cut[b] |= 1 << a;
                    continue;
                }
                let cell = usize::from(after.cell[a]);
                let toward = (0..4).find(|&d| self.next[cell][d] == after.cell[b])?;
                after.set_bond(a, toward, b, left);
                if over.contains(&Some(Modifier::Strengthen)) {
                    plus[pluses] = (a, toward, b);
                    pluses += 1;
                }
            }
        }
        self.strengthen(after, &plus[..pluses])?;
        Some(cut)
    }

    /// Strengthens those bonds whose ends have electrons for it; `None` when an atom would need
    /// more than it has.
    fn strengthen(&self, after: &mut FastState, plus: &[(usize, usize, usize)]) -> Option<()> {
        let before = *after;
        let free = |atom| self.free(&before, atom);
        let mut wanted = [0u8; MAX_ATOMS];
        for &(a, toward, b) in plus {
            if free(a) > 0 && free(b) > 0 {
                wanted[a] += 1;
                wanted[b] += 1;
                after.set_bond(a, toward, b, before.bond[a][toward] + 1);
            }
        }
        (0..self.atoms()).all(|atom| wanted[atom] <= free(atom)).then_some(())
    }

    /// New bonds; `None` when they depend on the order of bonding and that is forbidden.
    fn form_bonds(
        &self,
        moves: &[u8; MAX_ATOMS],
        cut: &[u32; MAX_ATOMS],
        after: &mut FastState,
    ) -> Option<()> {
        let mut free = [0u8; MAX_ATOMS];
        for (atom, free) in free.iter_mut().enumerate().take(self.atoms()) {
            *free = self.free(after, atom);
        }
        // Only atoms with a free electron matter; few have one.
        let mut open = [0u8; MAX_ATOMS];
        let mut count = 0;
        for atom in (0..self.atoms()).filter(|&atom| free[atom] > 0) {
            open[count] = atom as u8;
            count += 1;
        }
        let open = &mut open[..count];
        open.sort_unstable_by_key(|&atom| {
            (moves[usize::from(atom)] == NO_CELL, after.cell[usize::from(atom)])
        });
        let partner = |atom: usize, toward: usize| {
            let cell = self.next[usize::from(after.cell[atom])][toward];
            let other = open.iter().copied().find(|&other| after.cell[usize::from(other)] == cell);
            other.map(usize::from).filter(|&other| {
                cell != NO_CELL && after.bond[atom][toward] == 0 && cut[atom] & 1 << other == 0
            })
        };
        if self.strict {
            let partners = |atom| (0..4).filter(|&toward| partner(atom, toward).is_some()).count();
            if open.iter().any(|&atom| partners(atom.into()) > free[usize::from(atom)].into()) {
                return None;
            }
        }
        let mut bonds = [(0, 0, 0); 2 * MAX_ATOMS];
        let mut size = 0;
        for &atom in open.iter() {
            let atom = usize::from(atom);
            for toward in PARTNERS {
                let Some(other) = partner(atom, toward) else { continue };
                let known = bonds[..size].contains(&(other, opposite(toward), atom));
                if !known && free[atom] > 0 && free[other] > 0 {
                    free[atom] -= 1;
                    free[other] -= 1;
                    bonds[size] = (atom, toward, other);
                    size += 1;
                }
            }
        }
        for &(a, toward, b) in &bonds[..size] {
            after.set_bond(a, toward, b, 1);
        }
        Some(())
    }
}
