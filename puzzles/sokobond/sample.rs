//! Small random levels.

use super::state::{Element, Modifier, StaticBoard};
use super::{Bonding, Sokobond, format};
use crate::grid::Grid;
use itertools::Itertools;

/// What a kind of random level is made of. Rare rules need levels made for them: rings under
/// rotation, multiple bonds under strengthening, crowds of atoms that compete for electrons.
struct Recipe {
    /// Rows, columns and atoms, each at most this (and at least two).
    size: (usize, usize, usize),
    /// How many of a hundred cells are walls.
    walls: usize,
    /// Elements to draw from.
    elements: &'static [Element],
    /// How many of a hundred vertices carry a modifier, and which.
    modifiers: (usize, &'static [Modifier]),
    /// Whether the right half is the image of the left one, and the lower half of the upper one;
    /// the size is then that of the part that is drawn at random, the axis included.
    mirrored: (bool, bool),
}

const RECIPES: [Recipe; 9] = {
    use Element::{Carbon, Helium, Hydrogen, Nitrogen, Oxygen};
    use Modifier::{Rotate, Strengthen, Weaken};
    const PLAIN: Recipe = Recipe {
        size: (4, 4, 4),
        walls: 5,
        elements: &[Hydrogen, Hydrogen, Oxygen, Oxygen, Nitrogen, Carbon, Helium],
        modifiers: (0, &[]),
        mirrored: (false, false),
    };
    [
        Recipe { walls: 15, ..PLAIN },
        Recipe { walls: 10, modifiers: (35, &[Weaken]), ..PLAIN },
        Recipe {
            size: (4, 3, 3),
            elements: &[Oxygen, Nitrogen, Carbon],
            modifiers: (60, &[Strengthen, Strengthen, Weaken]),
            ..PLAIN
        },
        Recipe { modifiers: (50, &[Rotate]), ..PLAIN },
        Recipe {
            size: (4, 3, 5),
            walls: 0,
            elements: &[Oxygen, Nitrogen, Carbon],
            modifiers: (60, &[Rotate, Rotate, Weaken]),
            ..PLAIN
        },
        Recipe { modifiers: (70, &[Weaken, Strengthen, Rotate]), ..PLAIN },
        Recipe {
            size: (3, 5, 5),
            elements: &[Hydrogen, Hydrogen, Oxygen, Nitrogen],
            modifiers: (10, &[Weaken]),
            ..PLAIN
        },
        Recipe {
            size: (4, 3, 4),
            elements: &[Hydrogen, Hydrogen, Oxygen, Carbon, Helium],
            modifiers: (30, &[Weaken, Strengthen, Rotate]),
            mirrored: (true, false),
            ..PLAIN
        },
        Recipe {
            size: (2, 3, 3),
            walls: 10,
            elements: &[Hydrogen, Hydrogen, Oxygen, Carbon],
            modifiers: (40, &[Weaken]),
            mirrored: (true, true),
        },
    ]
};

/// A random level with at least one atom, the player.
pub(super) fn sample(seed: u64) -> Sokobond {
    let mut random = fastrand::Rng::with_seed(seed);
    let recipe = &RECIPES[(seed % RECIPES.len() as u64) as usize];
    let bonding = if random.bool() { Bonding::Strict } else { Bonding::Ordered };
    let mut puzzle = loop {
        let text = grid(recipe, &mut random);
        let level =
            format::read(&text, bonding).ok().and_then(|mut levels| levels.pop()?.puzzle.ok());
        let puzzle = level.expect("a sample is a level of the v1 format");
        // An odd number of free electrons is never solvable, one that is solved already is dull:
        // some of those will do.
        let free = puzzle.free_electrons();
        if (free > 0 && free.is_multiple_of(2)) || random.usize(0..8) == 0 {
            break puzzle;
        }
    };
    let modifiers = modifiers(recipe, &puzzle.board.walls, &mut random);
    puzzle.board = StaticBoard { modifiers, ..puzzle.board };
    puzzle
}

/// Modifiers on the vertices of a board.
fn modifiers(
    recipe: &Recipe,
    walls: &Grid<bool>,
    random: &mut fastrand::Rng,
) -> Grid<Option<Modifier>> {
    let (rate, kinds) = recipe.modifiers;
    let mut modifiers: Grid<Option<Modifier>> = walls.map(|_| None);
    let (height, width) = (walls.height(), walls.width());
    for cell in modifiers.cells() {
        let (row, column) = modifiers.place(cell);
        let inside = row + 1 < height && column + 1 < width;
        if !inside || random.usize(0..100) >= rate {
            continue;
        }
        let kind = Some(kinds[random.usize(0..kinds.len())]);
        // The vertex to the lower right of a cell has its image to the lower right, too.
        let rows = [Some(row), recipe.mirrored.1.then(|| height - 2 - row)];
        let columns = [Some(column), recipe.mirrored.0.then(|| width - 2 - column)];
        for (row, column) in rows.into_iter().flatten().cartesian_product(columns) {
            if let Some(cell) = column.and_then(|column| modifiers.cell(row, column)) {
                modifiers[cell] = kind;
            }
        }
    }
    modifiers
}

/// Walls and atoms in the v1 format.
fn grid(recipe: &Recipe, random: &mut fastrand::Rng) -> String {
    let (height, width) = (random.usize(2..=recipe.size.0), random.usize(2..=recipe.size.1));
    let mut rows = vec![vec!['-'; width]; height];
    for square in rows.iter_mut().flatten() {
        if random.usize(0..100) < recipe.walls {
            *square = 'x';
        }
    }
    for number in 0..random.usize(2..=recipe.size.2) {
        let letter = recipe.elements[random.usize(0..recipe.elements.len())].letter();
        let (mut row, mut column) = (random.usize(0..height), random.usize(0..width));
        if number == 0 {
            // There is one player, so it stands on the axes.
            row = if recipe.mirrored.1 { height - 1 } else { row };
            column = if recipe.mirrored.0 { width - 1 } else { column };
        }
        let square = &mut rows[row][column];
        if number == 0 {
            *square = letter.to_ascii_uppercase();
        } else if !square.is_ascii_uppercase() {
            *square = letter;
        }
    }
    if recipe.mirrored.0 {
        for row in &mut rows {
            row.extend_from_within(..width - 1);
            row[width..].reverse();
        }
    }
    if recipe.mirrored.1 {
        rows.extend_from_within(..height - 1);
        rows[height..].reverse();
    }
    rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}
