//! The floor as bits: the rows of the grid one after the other, so that a shift moves a whole set
//! of cells by one in a direction.

use crate::bit_set::BitSet;
use crate::sokoban::graph::{Floor, Spot};
use crate::space::PackingError;
use unstuck_puzzles::grid::Direction;

/// The cells of a floor as bits. Between two rows is a column of wall, so that no shift leads from
/// the end of one row to the beginning of the next.
#[derive(Clone, Debug)]
pub(super) struct BitFloor<const W: usize> {
    cells: BitSet<W>,
    /// Bits from a cell to the one below it.
    stride: usize,
    bits: Vec<usize>,
    spots: Vec<Spot>,
}

impl<const W: usize> BitFloor<W> {
    /// The cells of a floor, if they fit.
    pub(super) fn new(floor: &Floor) -> Result<Self, PackingError> {
        let columns = || floor.places().iter().map(|place| place.indices().1);
        let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let top = floor.places().iter().map(|place| place.indices().0).min().unwrap_or(0);
        let stride = right - left + 2;
        let bit = |(row, column): (usize, usize)| (row - top) * stride + column - left;
        let bits: Vec<usize> = floor.places().iter().map(|place| bit(place.indices())).collect();
        let needed = bits.iter().max().map_or(0, |last| last + 1);
        if needed > BitSet::<W>::CAPACITY || stride >= 64 {
            let message = format!(
                "rows of {stride} and {needed} cells in all, at most 63 and {} fit",
                BitSet::<W>::CAPACITY
            );
            return Err(PackingError(message));
        }
        let mut spots = vec![0; BitSet::<W>::CAPACITY];
        bits.iter().enumerate().for_each(|(spot, &bit)| spots[bit] = spot);
        Ok(Self { cells: bits.iter().copied().collect(), stride, bits, spots })
    }

    /// The bit of a spot.
    pub(super) fn bit(&self, spot: Spot) -> usize {
        self.bits[spot]
    }

    /// The spot of a bit that stands for a cell.
    pub(super) fn spot(&self, bit: usize) -> Spot {
        self.spots[bit]
    }

    /// The cells without some.
    #[inline]
    pub(super) fn without(&self, boxes: &BitSet<W>) -> BitSet<W> {
        self.cells.minus(boxes)
    }

    /// Each of some cells one further in a direction, walls included.
    #[inline]
    pub(super) fn ahead(&self, cells: &BitSet<W>, direction: Direction) -> BitSet<W> {
        match direction {
            Direction::Up => cells.lowered(self.stride),
            Direction::Left => cells.lowered(1),
            Direction::Down => cells.raised(self.stride),
            Direction::Right => cells.raised(1),
        }
    }

    /// The bit of the cell one further in a direction.
    #[inline]
    pub(super) fn next(&self, bit: usize, direction: Direction) -> usize {
        match direction {
            Direction::Up => bit - self.stride,
            Direction::Left => bit - 1,
            Direction::Down => bit + self.stride,
            Direction::Right => bit + 1,
        }
    }

    /// The cells that can be walked to from one of them over free ones.
    #[inline]
    pub(super) fn flood(&self, from: usize, free: &BitSet<W>) -> BitSet<W> {
        let mut reached = BitSet::EMPTY.with(from);
        loop {
            let row = reached.or(&reached.raised(1)).or(&reached.lowered(1)).and(free);
            let both = row.or(&row.raised(self.stride)).or(&row.lowered(self.stride)).and(free);
            if both == reached {
                return reached;
            }
            reached = both;
        }
    }
}
