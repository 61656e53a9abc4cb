//! The board in the middle of a turn: a signal for each object and each movement of each cell.

use super::gates::{Circuit, Signal};
use crate::puzzlescript::analysis::facts::{Facts, MOVEMENTS};
use unstuck_puzzles::puzzlescript::{CellPattern, Mask, Replacement};

#[derive(Clone, Debug)]
pub(super) struct Board {
    cells: usize,
    layers: usize,
    /// By object and cell.
    objects: Vec<Signal>,
    /// By layer, direction and cell.
    movements: Vec<Signal>,
}

impl Board {
    /// The board on which a turn begins, without movements.
    pub(super) fn new(facts: &Facts, object: impl Fn(usize, usize) -> Signal) -> Self {
        let (cells, layers) = (facts.grid.len(), facts.members.len());
        let all = (0..facts.at.len()).flat_map(|it| (0..cells).map(move |cell| (it, cell)));
        let objects = all.map(|(it, cell)| object(it, cell)).collect();
        Self { cells, layers, objects, movements: vec![Signal::FALSE; layers * MOVEMENTS * cells] }
    }

    pub(super) fn object(&self, object: usize, cell: usize) -> Signal {
        self.objects[object * self.cells + cell]
    }

    pub(super) fn set_object(&mut self, object: usize, cell: usize, signal: Signal) {
        self.objects[object * self.cells + cell] = signal;
    }

    pub(super) fn movement(&self, layer: usize, way: usize, cell: usize) -> Signal {
        self.movements[(layer * MOVEMENTS + way) * self.cells + cell]
    }

    pub(super) fn set_movement(&mut self, layer: usize, way: usize, cell: usize, signal: Signal) {
        self.movements[(layer * MOVEMENTS + way) * self.cells + cell] = signal;
    }

    /// Ends all movements.
    pub(super) fn stop(&mut self) {
        self.movements.fill(Signal::FALSE);
    }

    /// Whether none of some objects is in a cell.
    pub(super) fn is_free(&self, circuit: &mut Circuit, objects: &[usize], cell: usize) -> Signal {
        circuit.and(objects.iter().map(|&object| !self.object(object, cell)))
    }

    /// Whether one of some objects is in a cell.
    pub(super) fn has_any(&self, circuit: &mut Circuit, objects: &Mask, cell: usize) -> Signal {
        circuit.or(objects.bits().map(|object| self.object(object, cell)))
    }

    /// Whether all of some objects are in a cell.
    pub(super) fn has_all(&self, circuit: &mut Circuit, objects: &Mask, cell: usize) -> Signal {
        circuit.and(objects.bits().map(|object| self.object(object, cell)))
    }

    /// The movements of a mask, each with its layer and direction.
    fn ways(&self, mask: &Mask) -> Vec<(usize, usize)> {
        let movements = mask.movements(self.layers);
        let ways = movements.flat_map(|(layer, movement)| {
            let ways = (0..MOVEMENTS).filter(move |way| movement >> way & 1 == 1);
            ways.map(move |way| (layer, way))
        });
        ways.collect()
    }

    /// Whether patterns fit in some cells.
    pub(super) fn fits(
        &self,
        circuit: &mut Circuit,
        patterns: &[&CellPattern],
        cells: &[usize],
    ) -> Signal {
        let mut all = Vec::new();
        for (pattern, &cell) in patterns.iter().zip(cells) {
            all.extend(pattern.present.bits().map(|object| self.object(object, cell)));
            all.extend(pattern.absent.bits().map(|object| !self.object(object, cell)));
            for any in &pattern.any {
                all.push(self.has_any(circuit, any, cell));
            }
            let movement = |(layer, way)| self.movement(layer, way, cell);
            all.extend(self.ways(&pattern.moving).into_iter().map(movement));
            all.extend(self.ways(&pattern.not_moving).into_iter().map(|it| !movement(it)));
        }
        circuit.and(all)
    }

    /// Changes a cell as a rule says, where that is applied.
    pub(super) fn replace(
        &mut self,
        circuit: &mut Circuit,
        change: &Replacement,
        cell: usize,
        applied: Signal,
    ) {
        let becomes = |circuit: &mut Circuit, before: Signal, is_set: bool| {
            if is_set { circuit.or([before, applied]) } else { circuit.and([before, !applied]) }
        };
        for object in change.clear.bits().filter(|&it| !change.set.bits().any(|set| set == it)) {
            let after = becomes(circuit, self.object(object, cell), false);
            self.set_object(object, cell, after);
        }
        for object in change.set.bits() {
            let after = becomes(circuit, self.object(object, cell), true);
            self.set_object(object, cell, after);
        }
        let starts = self.ways(&change.start);
        let stops = [self.ways(&change.stop), self.ways(&change.decided)].concat();
        for &(layer, way) in stops.iter().filter(|it| !starts.contains(it)) {
            let after = becomes(circuit, self.movement(layer, way, cell), false);
            self.set_movement(layer, way, cell, after);
        }
        for (layer, way) in starts {
            let after = becomes(circuit, self.movement(layer, way, cell), true);
            self.set_movement(layer, way, cell, after);
        }
    }

    /// Takes what a cell has of some objects to the one ahead, where something moves.
    pub(super) fn shift(
        &mut self,
        circuit: &mut Circuit,
        objects: &[usize],
        cell: usize,
        ahead: usize,
        moves: Signal,
    ) {
        for &object in objects {
            let goes = circuit.and([moves, self.object(object, cell)]);
            let stays = circuit.and([!moves, self.object(object, cell)]);
            let comes = circuit.or([self.object(object, ahead), goes]);
            self.set_object(object, ahead, comes);
            self.set_object(object, cell, stays);
        }
    }
}
