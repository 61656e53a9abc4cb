//! Strengthening: of a plan and its mirror images only one is looked for.
//!
//! A level that looks the same in a mirror (or turned) has for each plan the mirrored one. The
//! first of all shortest plans in alphabetical order (sides before up and down, as in `symmetry`)
//! is never after its own image: as long as a plan is its own image, it may not take the direction
//! that stands after the mirrored one. Only strictly: the order of bonding knows left and right.

use super::graph::Floor;
use super::vars::{CellCoord, Var};
use crate::cnf::{Cnf, Step};
use crate::steps::first_of_image;
use petgraph::graph::NodeIndex;
use std::collections::HashMap;
use unstuck_puzzles::Direction;
use unstuck_puzzles::sokobond::State;

/// A way to lay the board on itself: where each direction goes, in the order of
/// [`Direction::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image([Direction; 4]);

impl Image {
    /// Mirrors and turns of a square other than the identity.
    fn all() -> impl Iterator<Item = Self> {
        use Direction::{Down, Left, Right, Up};
        [Up, Left, Down, Right].into_iter().flat_map(|up| {
            [Up, Left, Down, Right]
                .into_iter()
                .filter(move |&left| left != up && left != up.opposite())
                .map(move |left| Self([up, left, up.opposite(), left.opposite()]))
                .filter(|image| image.0 != Direction::ALL)
        })
    }

    /// The image of a direction.
    pub(super) fn of(self, direction: Direction) -> Direction {
        self.0[direction.index()]
    }

    /// The image of a cell, up to a shift of the board.
    fn turned(self, at: CellCoord) -> (isize, isize) {
        let (row, column) = signed(at);
        let ((y, x), (v, u)) =
            (self.of(Direction::Down).delta(), self.of(Direction::Right).delta());
        (row * y + column * v, row * x + column * u)
    }

    /// The node on which each node comes to lie; `None` when the cells do not fit.
    fn nodes(self, floor: &Floor) -> Option<Vec<NodeIndex>> {
        let corner = |cells: &[(isize, isize)]| {
            let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
            (top, left)
        };
        let turned: Vec<_> = floor.places.iter().map(|&at| self.turned(at)).collect();
        let there: Vec<_> = floor.places.iter().map(|&at| signed(at)).collect();
        let (from, to) = (corner(&turned), corner(&there));
        let known: HashMap<(isize, isize), NodeIndex> =
            there.iter().copied().zip(floor.nodes()).collect();
        let shifted = |&(y, x): &(isize, isize)| (y - from.0 + to.0, x - from.1 + to.1);
        turned.iter().map(|cell| known.get(&shifted(cell)).copied()).collect()
    }

    /// Whether the board and the start look the same as their image.
    fn fits(self, floor: &Floor, start: &State) -> bool {
        let Some(nodes) = self.nodes(floor) else { return false };
        let content =
            |node: NodeIndex| start.at(floor.graph[node]).map(|atom| (atom.element, atom.player));
        let cells = floor.nodes().all(|node| content(node) == content(nodes[node.index()]));
        cells
            && floor.edges().all(|edge| {
                let joint = floor.joint(edge);
                let [first, second] = [joint.first, joint.second].map(|end| nodes[end.index()]);
                let Some(other) = floor.graph.find_edge(first, second) else { return false };
                let swept = |d: Direction| joint.swept(d) == floor.joint(other).swept(self.of(d));
                floor.multiplicity(start, edge) == floor.multiplicity(start, other)
                    && Direction::ALL.into_iter().all(swept)
            })
    }
}

/// Row and column as numbers that can be turned.
fn signed(CellCoord { row, column }: CellCoord) -> (isize, isize) {
    (row as isize, column as isize)
}

/// The images under which a level looks the same.
pub(super) fn images(floor: &Floor, start: &State) -> Vec<Image> {
    if !floor.strict {
        return Vec::new();
    }
    Image::all().filter(|image| image.fits(floor, start)).collect()
}

/// Plans that do not come after their images.
pub(super) fn first_of_images(images: &[Image], horizon: Step, cnf: &mut Cnf<Var>) {
    // Sides before up and down.
    let rank = |direction: Direction| {
        let order = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];
        order.into_iter().position(|d| d == direction)
    };
    for image in images {
        let (own, moved): (Vec<Direction>, Vec<Direction>) =
            Direction::ALL.into_iter().partition(|&d| image.of(d) == d);
        let later = moved.into_iter().filter(|&d| rank(image.of(d)) < rank(d));
        let [own, later] = [own, later.collect()].map(|directions: Vec<Direction>| {
            directions.into_iter().map(Var::Go).collect::<Vec<Var>>()
        });
        first_of_image(horizon, cnf, &own, &later);
    }
}
