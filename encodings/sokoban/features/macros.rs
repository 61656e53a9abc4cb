//! Macro moves: one box pushed any number of times while all others stay.

use super::field::{Field, NO_CELL};
use super::survey::{NO_SIDE, Survey};
use crate::bit_set::BitSet;

/// One box goes from a cell to a cell, and the player ends next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Macro {
    pub(super) from: u16,
    pub(super) to: u16,
    /// Where the player stands afterwards.
    pub(super) player: u16,
}

/// A place of the box on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub cell: u16,
    /// On which side of the box the player is.
    side: u8,
    /// The direction of the last push.
    direction: u8,
    /// The place before, by number.
    before: u16,
    /// Pushes so far.
    pub pushes: u16,
    /// Where the player stands.
    pub player: u16,
}

/// The ways of one box.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    pub survey: Survey,
    seen: Vec<u32>,
    turn: u32,
    stops: Vec<Stop>,
}

impl Ways {
    pub(super) fn new(cells: usize) -> Self {
        Self { survey: Survey::new(cells), seen: vec![0; cells * 8], turn: 0, stops: Vec::new() }
    }

    /// All places and sides to which a box can be pushed while the others stay, nearest first;
    /// the first is where it stands. `reach` is where the player can walk, `first` the directions that
    /// the first push may have.
    pub(super) fn of<const W: usize>(
        &mut self,
        field: &Field,
        boxes: &BitSet<W>,
        reach: &BitSet<W>,
        from: usize,
        first: [bool; 4],
    ) -> &[Stop] {
        self.stops.clear();
        let beside = |d: &usize| {
            let next = field.ahead(from, *d);
            next != NO_CELL && reach.has(usize::from(next))
        };
        let Some(start) = (0..4).find(beside) else { return &self.stops };
        let pushable = |&d: &usize| {
            let (front, behind) = (field.ahead(from, d), field.ahead(from, Field::opposite(d)));
            first[d]
                && field.is_live(from, d)
                && reach.has(usize::from(behind))
                && !boxes.has(usize::from(front))
        };
        if !(0..4).any(|d| pushable(&d)) {
            return &self.stops;
        }
        let others = boxes.without(from);
        self.survey.walk(field, &others, from);
        self.turn += 1;
        let side = self.survey.sides(field, from)[start];
        let player = field.ahead(from, start);
        self.note(Stop { cell: from as u16, side, direction: 0, before: 0, pushes: 0, player });
        let mut next = 0;
        while next < self.stops.len() {
            self.push_on(field, next, if next == 0 { first } else { [true; 4] });
            next += 1;
        }
        &self.stops
    }

    /// The pushes from one place.
    fn push_on(&mut self, field: &Field, number: usize, allowed: [bool; 4]) {
        let stop = self.stops[number];
        let at = usize::from(stop.cell);
        let sides = self.survey.sides(field, at);
        for d in 0..4 {
            let back = Field::opposite(d);
            let open = allowed[d] && sides[back] == stop.side && sides[d] != NO_SIDE;
            if !open || !field.is_live(at, d) {
                continue;
            }
            let front = usize::from(field.ahead(at, d));
            let side = self.survey.sides(field, front)[back];
            self.note(Stop {
                cell: front as u16,
                side,
                direction: d as u8,
                before: number as u16,
                pushes: stop.pushes + 1,
                player: stop.cell,
            });
        }
    }

    /// All places and sides to which a box can be pulled while the others stay, nearest first, the
    /// player coming from any of the cells `reach`; the first ones are where it stands.
    pub(super) fn pulled<const W: usize>(
        &mut self,
        field: &Field,
        boxes: &BitSet<W>,
        reach: &BitSet<W>,
        from: usize,
    ) -> &[Stop] {
        self.stops.clear();
        self.turn += 1;
        let beside = |d: usize| {
            let next = field.ahead(from, d);
            (next != NO_CELL && reach.has(usize::from(next))).then_some(next)
        };
        if (0..4).any(|d| beside(d).is_some()) {
            self.survey.walk(field, &boxes.without(from), from);
        }
        for d in 0..4 {
            if let Some(player) = beside(d) {
                let side = self.survey.sides(field, from)[d];
                let cell = from as u16;
                self.note(Stop { cell, side, direction: 0, before: 0, pushes: 0, player });
            }
        }
        let mut next = 0;
        while next < self.stops.len() {
            self.pull_on(field, next);
            next += 1;
        }
        &self.stops
    }

    /// The pulls from one place.
    fn pull_on(&mut self, field: &Field, number: usize) {
        let stop = self.stops[number];
        let at = usize::from(stop.cell);
        let sides = self.survey.sides(field, at);
        for (d, &ahead) in sides.iter().enumerate() {
            if ahead != stop.side || !field.is_live_pull(at, d) {
                continue;
            }
            let front = usize::from(field.ahead(at, d));
            let side = self.survey.sides(field, front)[d];
            if side == NO_SIDE {
                continue;
            }
            self.note(Stop {
                cell: front as u16,
                side,
                direction: d as u8,
                before: number as u16,
                pushes: stop.pushes + 1,
                player: field.ahead(front, d),
            });
        }
    }

    fn note(&mut self, stop: Stop) {
        let seen = &mut self.seen[usize::from(stop.cell) * 8 + usize::from(stop.side)];
        if *seen != self.turn {
            *seen = self.turn;
            self.stops.push(stop);
        }
    }

    /// One of the places that [`Ways::of`] found.
    pub(super) fn stop(&self, number: usize) -> Stop {
        self.stops[number]
    }

    /// The pushes that lead to one of these places: cell of the box and direction, in order.
    pub(super) fn pushes_to(&self, mut number: usize) -> Vec<(usize, usize)> {
        let mut pushes = Vec::new();
        while number > 0 {
            let stop = self.stops[number];
            pushes.push((usize::from(stop.player), usize::from(stop.direction)));
            number = usize::from(stop.before);
        }
        pushes.reverse();
        pushes
    }
}
