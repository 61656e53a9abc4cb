//! Where a rule can be found on a level, in the order in which the judge looks.

use crate::puzzlescript::analysis::cells::Cells;
use crate::puzzlescript::analysis::facts::Facts;
use unstuck_puzzles::puzzlescript::{CellPattern, Direction, Pattern, Rule};

/// Looking for the places of a row takes at most so many steps.
const MAX_STEPS: usize = 1_000_000;

/// A row of a rule: what it looks for in its cells, and the cells of each place.
#[derive(Clone, Debug)]
pub(super) struct PlacedRow<'a> {
    pub(super) patterns: Vec<&'a CellPattern>,
    pub(super) places: Vec<Box<[usize]>>,
}

/// A rule with its places.
#[derive(Clone, Debug)]
pub(super) struct PlacedRule<'a> {
    pub(super) rule: &'a Rule,
    pub(super) rows: Vec<PlacedRow<'a>>,
}

impl<'a> PlacedRule<'a> {
    /// Nothing if there are too many places.
    pub(super) fn new(rule: &'a Rule, sites: &[Vec<Cells>], facts: &Facts) -> Option<Self> {
        let rows = rule.rows.iter().zip(sites).map(|(row, sites)| {
            let patterns = row.iter().filter_map(|pattern| match pattern {
                Pattern::Cell(cell) => Some(cell),
                Pattern::Ellipsis => None,
            });
            let places = places(facts, rule.direction, row, sites)?;
            Some(PlacedRow { patterns: patterns.collect(), places })
        });
        Some(Self { rule, rows: rows.collect::<Option<_>>()? })
    }

    /// As many rows as are looked at when all combinations of places are tried.
    pub(super) fn combinations(&self) -> u64 {
        let places = self.rows.iter().map(|row| row.places.len() as u64);
        places.fold(self.rows.len() as u64, u64::saturating_mul)
    }
}

/// The cells of a row in all places where each of them can be, the first cells line by line in the
/// direction of the rule, and for each of them ellipses short before long.
fn places(
    facts: &Facts,
    direction: Direction,
    row: &[Pattern],
    sites: &[Cells],
) -> Option<Vec<Box<[usize]>>> {
    let grid = &facts.grid;
    let is_vertical = matches!(direction, Direction::Up | Direction::Down);
    let (lines, length) =
        if is_vertical { (grid.width, grid.height) } else { (grid.height, grid.width) };
    let mut walk = Walk { facts, direction, sites, places: Vec::new(), steps: 0 };
    for line in 0..lines {
        for place in 0..length {
            let at =
                if is_vertical { line * grid.height + place } else { place * grid.height + line };
            walk.follow(row, Some(at), &mut Vec::new());
        }
    }
    (walk.steps <= MAX_STEPS).then_some(walk.places)
}

struct Walk<'a> {
    facts: &'a Facts,
    direction: Direction,
    sites: &'a [Cells],
    places: Vec<Box<[usize]>>,
    steps: usize,
}

impl Walk<'_> {
    /// Adds the places whose cells begin with `cells`; `next` is the cell behind them.
    fn follow(&mut self, row: &[Pattern], next: Option<usize>, cells: &mut Vec<usize>) {
        let Some((pattern, rest)) = row.split_first() else {
            self.places.push(cells.as_slice().into());
            return;
        };
        let mut open = next;
        while let Some(at) = open.filter(|_| self.steps <= MAX_STEPS) {
            self.steps += 1;
            let after = self.facts.grid.next(at, self.direction);
            match pattern {
                Pattern::Ellipsis => self.follow(rest, Some(at), cells),
                Pattern::Cell(_) => {
                    if self.sites[cells.len()].has(at) {
                        cells.push(at);
                        self.follow(rest, after, cells);
                        cells.pop();
                    }
                    return;
                }
            }
            open = after;
        }
    }
}
