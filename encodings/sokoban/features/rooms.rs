//! Rooms: open floor between corridors.

use super::field::{Field, NO_CELL};
use super::survey::{beside, flood, regions_with};
use crate::bit_set::BitSet;

/// Rooms that are distinguished; further ones count as corridors.
const MAX_ROOMS: usize = 64;

/// Open floor. A room consists of squares of four free cells of which each overlaps another one by
/// two cells.
#[derive(Clone, Debug)]
pub(super) struct Rooms<const W: usize> {
    rooms: Vec<BitSet<W>>,
    all: BitSet<W>,
    /// Pairs of rooms with a way between them past no boxes and no other room.
    links: u16,
}

impl<const W: usize> Rooms<W> {
    pub(super) fn new(field: &Field) -> Self {
        let beside = |corner: usize| {
            let next = field.around(corner).into_iter().filter(|&next| next != NO_CELL);
            next.map(usize::from).filter(|&next| square(field, next).is_some())
        };
        let is_corner = |&at: &usize| square(field, at).is_some() && beside(at).next().is_some();
        let corners: BitSet<W> = (0..field.len()).filter(is_corner).collect();
        let mut rest = corners;
        let mut rooms = Self { rooms: Vec::new(), all: BitSet::EMPTY, links: 0 };
        while let Some(corner) = rest.first().filter(|_| rooms.rooms.len() < MAX_ROOMS) {
            let joined = flood(field, &field.all::<W>().minus(&corners), corner);
            rest = rest.minus(&joined);
            let cells = joined.iter().filter_map(|at| square(field, at)).flatten();
            let room = cells.collect::<BitSet<W>>().minus(&rooms.all);
            rooms.all = rooms.all.or(&room);
            rooms.rooms.push(room);
        }
        rooms.links = rooms.links(field, &BitSet::EMPTY);
        rooms
    }

    /// Whether two cells lie in different rooms.
    pub(super) fn differ(&self, one: usize, other: usize) -> bool {
        let room = |cell: usize| self.rooms.iter().position(|room| room.has(cell));
        room(one).zip(room(other)).is_some_and(|(one, other)| one != other)
    }

    /// Pairs of rooms between which boxes shut the direct way.
    pub(super) fn shut(&self, field: &Field, boxes: &BitSet<W>) -> u16 {
        if self.links == 0 { 0 } else { self.links.saturating_sub(self.links(field, boxes)) }
    }

    /// Pairs of rooms of which every part has a direct way to the other room.
    fn links(&self, field: &Field, boxes: &BitSet<W>) -> u16 {
        let count = self.rooms.len();
        if count < 2 {
            return 0;
        }
        let mut touched = [0u64; MAX_ROOMS];
        for (number, room) in self.rooms.iter().enumerate() {
            let blocked = self.all.minus(room).or(boxes);
            let rest = room.minus(boxes);
            touched[number] = if rest.is_empty() { 0 } else { u64::MAX };
            for part in regions_with(field, &blocked, rest) {
                let rim = beside(field, &part);
                let meets = |other: &usize| rim.meets(&self.rooms[*other]);
                touched[number] &= (0..count).filter(meets).fold(0, |all, other| all | 1 << other);
            }
        }
        let linked = |one: usize, other: usize| {
            touched[one] >> other & 1 == 1 && touched[other] >> one & 1 == 1
        };
        let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
        pairs.filter(|&(one, other)| linked(one, other)).count() as u16
    }
}

/// The square of free cells that has a cell as one of its corners, always the same one.
fn square(field: &Field, corner: usize) -> Option<[usize; 4]> {
    let next = |at: usize, d: usize| {
        let next = field.ahead(at, d);
        (next != NO_CELL).then_some(usize::from(next))
    };
    let (right, below) = (next(corner, 1)?, next(corner, 2)?);
    Some([corner, right, below, next(right, 2)?])
}
