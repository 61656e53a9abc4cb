//! Lower bounds on the moves that are still needed.
//!
//! A free electron needs a partner with a free electron, and the two must become neighbours: how
//! many moves that takes at least, walls alone considered, is known for each two cells (see
//! [`super::pair_distance`]). So the atom whose nearest possible partner is farthest away gives a bound.
//!
//! Who is a possible partner? Without `/` electrons never become free again, so only atoms with a
//! free electron now. Without `/`, `+` and `@` molecules are rigid: then a partner in the same
//! molecule is out of reach for ever, and so is a cell that the molecule itself fills. A molecule
//! that needs more partners than the others can give, is dead. And where bonds are single and for
//! ever, the free electrons must be the degrees of some graph (see [`super::degrees`]).

use super::degrees::is_graphic;
use super::fast_rules::{FastState, FastTables, MAX_ATOMS, NO_CELL};

/// Moves that are still needed at least; `None` when nothing helps any more.
pub fn nearest_partner(table: &FastTables, position: &FastState, at: &[u8]) -> Option<u32> {
    let mut free = [0u8; MAX_ATOMS];
    let mut total = 0u32;
    for (atom, free) in free.iter_mut().enumerate().take(table.atoms()) {
        *free = table.free(position, atom);
        total += u32::from(*free);
    }
    // Each bond takes two.
    if total % 2 == 1 {
        return None;
    }
    if total == 0 {
        return Some(0);
    }
    if !table.weakens && !table.strengthens && !is_graphic(free[..table.atoms()].iter().copied()) {
        return None;
    }
    // Of neighbours with free electrons each move makes bonds. Only a level without one of its atoms
    // begins so.
    let rigid = !table.weakens
        && !table.strengthens
        && !table.rotates
        && !is_unsettled(table, position, at, &free);
    let molecule = if rigid { molecules(table, position, at) } else { [0; MAX_ATOMS] };
    if rigid && is_dead(table, position, at, &free, &molecule) {
        return None;
    }
    let mut bound = 1;
    for a in (0..table.atoms()).filter(|&a| free[a] > 0) {
        // With `+` a bond that is there may be enough, and with `/` any bond may open.
        if table.strengthens && position.used(a) > 0 {
            continue;
        }
        let mut nearest = None;
        for b in (0..table.atoms()).filter(|&b| b != a && table.valence[b] > 0) {
            let possible = table.weakens || free[b] > 0;
            if possible && !(rigid && molecule[a] == molecule[b]) {
                let cells = [a, b].map(|atom| usize::from(position.cell[atom]));
                let Some(moves) = table.pair_distance.moves(cells[0], cells[1]) else { continue };
                nearest = Some(nearest.map_or(moves, |nearest: u32| nearest.min(moves)));
            }
        }
        bound = bound.max(nearest?);
    }
    Some(bound)
}

/// Whether two neighbours could bond where they are.
fn is_unsettled(
    table: &FastTables,
    position: &FastState,
    at: &[u8],
    free: &[u8; MAX_ATOMS],
) -> bool {
    (0..table.atoms()).filter(|&atom| free[atom] > 0).any(|atom| {
        (0..4).any(|toward| {
            let other = table.beside(position, at, atom, toward);
            other != NO_CELL && free[usize::from(other)] > 0 && position.bond[atom][toward] == 0
        })
    })
}

/// The least atom of each atom's molecule.
fn molecules(table: &FastTables, position: &FastState, at: &[u8]) -> [u8; MAX_ATOMS] {
    let mut molecule: [u8; MAX_ATOMS] = std::array::from_fn(|atom| atom as u8);
    loop {
        let mut changed = false;
        for a in 0..table.atoms() {
            for toward in 0..4 {
                if position.bond[a][toward] > 0 {
                    let b = usize::from(table.beside(position, at, a, toward));
                    if molecule[b] < molecule[a] {
                        molecule[a] = molecule[b];
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return molecule;
        }
    }
}

/// Whether rigid molecules can never use up their electrons.
fn is_dead(
    table: &FastTables,
    position: &FastState,
    at: &[u8],
    free: &[u8; MAX_ATOMS],
    molecule: &[u8; MAX_ATOMS],
) -> bool {
    let mut needs = [0u32; MAX_ATOMS];
    for atom in 0..table.atoms() {
        needs[usize::from(molecule[atom])] += u32::from(free[atom]);
        // Each partner needs a cell beside the atom that its own molecule does not fill.
        let open = (0..4).filter(|&toward| {
            let other = table.beside(position, at, atom, toward);
            other == NO_CELL || molecule[usize::from(other)] != molecule[atom]
        });
        if free[atom] > 0 && open.count() < usize::from(free[atom]) {
            return true;
        }
    }
    let total: u32 = needs.iter().sum();
    needs.iter().any(|&need| 2 * need > total)
}
