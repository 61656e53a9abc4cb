//! The rules of a game as facts are found by them: what their patterns say of objects and layers,
//! looked up once.

use super::facts::{Facts, MOVEMENTS};
use unstuck_puzzles::puzzlescript::{CellPattern, Command, Direction, Pattern, Replacement, Rule};

/// Some objects, by their bits.
pub(super) type Objects = Box<[usize]>;

/// A rule.
#[derive(Debug)]
pub(super) struct PreparedRule {
    pub(super) direction: Direction,
    pub(super) wins: bool,
    /// The cells of each row; nothing for an ellipsis.
    pub(super) rows: Vec<Vec<Option<PreparedCell>>>,
}

/// A pattern of one cell.
#[derive(Debug)]
pub(super) struct PreparedCell {
    pub(super) present: Objects,
    pub(super) absent: Objects,
    /// Of each of these sets one object must be there.
    pub(super) any: Vec<Objects>,
    pub(super) moving: Vec<Wanted>,
    pub(super) change: Option<Change>,
}

/// A movement that a pattern wants in a layer.
#[derive(Debug)]
pub(super) struct Wanted {
    /// All of these directions.
    pub(super) ways: Box<[usize]>,
    /// Of one of these objects.
    pub(super) objects: Objects,
    /// The layer, where it may also have the movement without an object.
    pub(super) adrift: Option<usize>,
}

/// A replacement.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) set: Objects,
    /// What is taken away, and not put again.
    pub(super) taken: Objects,
    pub(super) layers: Vec<LayerChange>,
}

/// What a replacement does to the movements of a layer.
#[derive(Debug)]
pub(super) struct LayerChange {
    pub(super) layer: usize,
    /// Who may be in the layer afterwards, and whether one of them certainly is.
    pub(super) who: Objects,
    pub(super) is_named: bool,
    /// Who is put there.
    pub(super) put: Objects,
    /// Directions that begin, by their numbers, and those that go on.
    pub(super) begin: Vec<usize>,
    pub(super) stay: Vec<usize>,
}

impl PreparedRule {
    pub(super) fn new(facts: &Facts, rule: &Rule) -> Self {
        let cell = |pattern: &Pattern| match pattern {
            Pattern::Cell(cell) => Some(PreparedCell::new(facts, cell)),
            Pattern::Ellipsis => None,
        };
        let rows = rule.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let wins = rule.commands.contains(&Command::Win);
        Self { direction: rule.direction, wins, rows }
    }

    /// The objects on which it depends where the rule matches and what it does.
    pub(super) fn reads(&self, facts: &Facts) -> Vec<usize> {
        let mut reads = Vec::new();
        for cell in self.rows.iter().flatten().flatten() {
            [&cell.present, &cell.absent]
                .into_iter()
                .chain(&cell.any)
                .for_each(|it| reads.extend(it));
            for wanted in &cell.moving {
                reads.extend(&wanted.objects);
                reads.extend(wanted.adrift.into_iter().flat_map(|layer| &facts.members[layer]));
            }
            let layers = cell.change.iter().flat_map(|change| &change.layers);
            layers.for_each(|change| reads.extend(&facts.members[change.layer]));
        }
        reads
    }
}

impl PreparedCell {
    fn new(facts: &Facts, cell: &CellPattern) -> Self {
        let moving = cell.moving.movements(facts.members.len()).map(|(layer, movement)| {
            let (objects, is_named) = facts.named(cell, layer);
            let ways = (0..MOVEMENTS).filter(|way| movement >> way & 1 == 1).collect();
            let adrift = (!is_named).then_some(layer);
            Wanted { ways, objects: objects.into(), adrift }
        });
        Self {
            present: cell.present.bits().collect(),
            absent: cell.absent.bits().collect(),
            any: cell.any.iter().map(|any| any.bits().collect()).collect(),
            moving: moving.collect(),
            change: cell.replacement.as_ref().map(|change| Change::new(facts, cell, change)),
        }
    }
}

impl Change {
    fn new(facts: &Facts, pattern: &CellPattern, change: &Replacement) -> Self {
        let set: Objects = change.set.bits().collect();
        let taken = change.clear.bits().filter(|object| !set.contains(object)).collect();
        let layers = (0..facts.members.len())
            .filter_map(|layer| LayerChange::new(facts, pattern, change, layer))
            .collect();
        Self { set, taken, layers }
    }
}

impl LayerChange {
    /// Nothing where the layer is left alone.
    fn new(
        facts: &Facts,
        pattern: &CellPattern,
        change: &Replacement,
        layer: usize,
    ) -> Option<Self> {
        let here = |object: &usize| facts.layer[*object] == layer;
        let put: Objects = change.set.bits().filter(here).collect();
        let cleared: Vec<usize> = change.clear.bits().filter(here).collect();
        let start = change.start.movement(layer);
        let stopped = change.stop.movement(layer) | change.decided.movement(layer);
        let is_touched = !put.is_empty() || !cleared.is_empty();
        if !is_touched && start == 0 {
            return None;
        }
        // Who is in the layer afterwards.
        let (who, is_named) = if put.is_empty() {
            let (mut objects, is_named) = facts.named(pattern, layer);
            objects.retain(|object| !cleared.contains(object));
            let is_certain = is_named && !objects.is_empty() && cleared.is_empty();
            (objects.into(), is_certain)
        } else {
            (put.clone(), true)
        };
        let ways = |movement: u64| (0..MOVEMENTS).filter(move |way| movement >> way & 1 == 1);
        let stay = if is_touched { ways(!(start | stopped)).collect() } else { Vec::new() };
        Some(Self { layer, who, is_named, put, begin: ways(start).collect(), stay })
    }
}
