//! Sokoban for feature-space search.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `field` | the floor as tables that are quick to read |
//! | `survey` | floods, and what removing one cell separates |
//! | `macros` | macro moves: one box, any number of pushes |
//! | `frozen` | boxes that can never be pushed again |
//! | `packing` | in which order goals can be filled |
//! | `relaxed` | a plan of the packing alone, with parking |
//! | `pairs` | two boxes of which one is lost because of the other |
//! | `corral` | regions that the player cannot enter |
//! | `hotspots` | boxes that stand in the way of others |
//! | `pulls` | the same game from its end |
//! | `state` | positions |
//! | `path` | the moves between positions |

mod corral;
mod field;
mod frozen;
mod hotspots;
mod macros;
mod packing;
mod pairs;
mod path;
mod pulls;
mod relaxed;
mod state;
mod survey;

use super::graph::Spot;
use crate::bit_set::BitSet;
use crate::features::{Choice, FeatureSpace, Features};
use crate::matching::Matching;
use crate::space::PackingError;
use field::Field;
use frozen::frozen_at;
use hotspots::Hotspots;
use macros::Ways;
use packing::Packing;
use pairs::Pairs;
use relaxed::RelaxedPlan;
use survey::{flood, regions};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::Sokoban;

pub use macros::Macro;
pub use pulls::SokobanPulls;
pub use state::FeatureState;

/// A level of at most `64 * W` cells as feature-space search sees it.
#[derive(Clone, Debug)]
pub struct SokobanFeatures<const W: usize> {
    field: Field,
    goals: BitSet<W>,
    hotspots: Hotspots<W>,
    packing: Packing<W>,
    /// A plan that parks boxes, where one is needed.
    relaxed: Option<RelaxedPlan<W>>,
    /// On floors where they do not cost too much.
    pairs: Option<Pairs>,
    ways: Ways,
    matching: Matching,
    options: FeatureOptions,
    knobs: FeatureToggles,
}

/// What makes a variant different from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FeatureOptions {
    /// Chooses among equals.
    seed: u32,
    /// Keep apart what is near the goals and what is far from them.
    distances: bool,
    /// Fill by a plan where it parks no box, and by consistent fillings where it does.
    other_order: bool,
    /// Let boxes that stand in the way count more than regions.
    hotspots_first: bool,
}

impl FeatureOptions {
    fn of(variant: u32) -> Self {
        let bit = |number: u32| variant >> number & 1 == 1;
        let (other_order, hotspots_first) = (bit(1), bit(2));
        Self { seed: variant / 8, distances: !bit(0), other_order, hotspots_first }
    }
}

/// What is added to a tie, so that equals come in another order.
fn noise(seed: u32, mv: Macro) -> u32 {
    if seed == 0 {
        return 0;
    }
    let word = u32::from(mv.from) << 16 | u32::from(mv.to);
    let word = word ^ seed.wrapping_mul(0x85EB_CA6B);
    word.wrapping_mul(0x9E37_79B1) >> 28
}

/// Pushes of all boxes together, as far as ties count them; those of a lost one are endless.
fn summed(pushes: impl Iterator<Item = u32>) -> u16 {
    pushes.fold(0, u32::saturating_add).min(4095) as u16
}

/// Pushes to the nearest goals that make a difference between cells.
const PUSHES_PER_CELL: u16 = 16;

/// Floors of more cells have no tables of pairs: these grow with the third power.
const MAX_CELLS: usize = 256;

/// What can be left out, to see what it gives: features, advice and prunings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureToggles {
    /// Count boxes that are packed in an order that fills all goals, not just boxes on goals.
    pub packing: bool,
    /// Follow a plan of the packing where boxes have to be parked.
    pub parking: bool,
    /// Keep apart states by the regions that boxes cut the floor into.
    pub regions: bool,
    /// Keep apart states by the boxes that stand in the way.
    pub hotspots: bool,
    /// Keep apart states by the pushes to the nearest goals.
    pub distances: bool,
    /// Take first what packs a box.
    pub packer: bool,
    /// Take first what joins regions.
    pub merger: bool,
    /// Take first what takes a box out of the way.
    pub unblocker: bool,
    /// Leave out pushes that freeze a box off a goal.
    pub frozen: bool,
    /// Leave out pushes after which two boxes are lost.
    pub pairs: bool,
    /// Drop states without a matching of boxes to goals.
    pub matching: bool,
    /// Try pushes into a corral first.
    pub corrals: bool,
}

impl Default for FeatureToggles {
    fn default() -> Self {
        Self::ALL
    }
}

/// How a part is switched.
pub type FeatureToggle = (&'static str, fn(&mut FeatureToggles) -> &mut bool);

impl FeatureToggles {
    /// Everything.
    pub const ALL: Self = Self {
        packing: true,
        parking: true,
        regions: true,
        hotspots: true,
        distances: true,
        packer: true,
        merger: true,
        unblocker: true,
        frozen: true,
        pairs: true,
        matching: true,
        corrals: true,
    };

    /// All parts by name.
    pub const PARTS: [FeatureToggle; 12] = [
        ("packing", |knobs| &mut knobs.packing),
        ("parking", |knobs| &mut knobs.parking),
        ("regions", |knobs| &mut knobs.regions),
        ("hotspots", |knobs| &mut knobs.hotspots),
        ("distances", |knobs| &mut knobs.distances),
        ("packer", |knobs| &mut knobs.packer),
        ("merger", |knobs| &mut knobs.merger),
        ("unblocker", |knobs| &mut knobs.unblocker),
        ("frozen", |knobs| &mut knobs.frozen),
        ("pairs", |knobs| &mut knobs.pairs),
        ("matching", |knobs| &mut knobs.matching),
        ("corrals", |knobs| &mut knobs.corrals),
    ];
}

/// What a state looks like, apart from where the player is.
#[derive(Clone, Copy, Debug)]
struct StateFeatures {
    /// Boxes that are not packed yet.
    unpacked: u16,
    regions: u16,
    hotspots: u16,
    distance: u16,
}

impl StateFeatures {
    fn features(self, options: FeatureOptions) -> Features {
        let [second, third] = self.between(options);
        let fourth = if options.distances { self.distance / PUSHES_PER_CELL } else { 0 };
        [self.unpacked, second, third, fourth]
    }

    /// Without what is left out.
    fn with(self, knobs: FeatureToggles) -> Self {
        let count = |is_on, count| if is_on { count } else { 0 };
        let regions = count(knobs.regions, self.regions);
        Self { regions, hotspots: count(knobs.hotspots, self.hotspots), ..self }
    }

    fn between(self, options: FeatureOptions) -> [u16; 2] {
        if options.hotspots_first {
            [self.hotspots, self.regions]
        } else {
            [self.regions, self.hotspots]
        }
    }

    fn tie(self, options: FeatureOptions, mv: Macro) -> u32 {
        let [second, third] = self.between(options).map(|count| u32::from(count.min(63)));
        u32::from(self.unpacked.min(255)) << 24
            | second << 18
            | third << 12
            | (u32::from(self.distance) + noise(options.seed, mv)).min(4095)
    }
}

impl<const W: usize> SokobanFeatures<W> {
    /// The same with other knobs.
    #[must_use]
    pub fn with(mut self, knobs: FeatureToggles) -> Self {
        self.knobs = knobs;
        self.options.distances &= knobs.distances;
        self.relaxed = self.relaxed.filter(|_| knobs.parking);
        self.pairs = self.pairs.filter(|_| knobs.pairs);
        self
    }

    /// Boxes that are still to be packed, or steps of the plan that are still to be made.
    fn unpacked(&mut self, boxes: &BitSet<W>) -> u16 {
        match &self.relaxed {
            Some(plan) => plan.steps_left(boxes),
            None if !self.knobs.packing => boxes.minus(&self.goals).len() as u16,
            None => (boxes.len() as u16).saturating_sub(self.packing.packed(boxes)),
        }
    }

    /// Least pushes of each box to its nearest goal, summed up.
    fn distance(&self, boxes: &BitSet<W>, player: Spot) -> u16 {
        summed(boxes.iter().map(|at| self.field.nearest(at, player)))
    }

    fn look(&mut self, state: &FeatureState<W>) -> StateFeatures {
        StateFeatures {
            unpacked: self.unpacked(&state.boxes),
            regions: regions(&self.field, &state.boxes),
            hotspots: self.hotspots.count(&state.boxes),
            distance: self.distance(&state.boxes, usize::from(state.player)),
        }
        .with(self.knobs)
    }

    /// Names the first choice that improves on a number.
    fn advise(choices: &mut [Choice<Macro>], better: impl Fn(&Choice<Macro>) -> bool) {
        let best = choices.iter_mut().filter(|choice| better(choice)).min_by_key(|c| c.tie);
        if let Some(best) = best {
            best.advised = true;
        }
    }
}

impl<const W: usize> FeatureSpace for SokobanFeatures<W> {
    type Puzzle = Sokoban;
    type State = FeatureState<W>;
    type Macro = Macro;
    type Reverse = SokobanPulls<W>;

    fn new(puzzle: &Sokoban, variant: u32) -> Result<Self, PackingError> {
        let field = Field::fitting::<W>(puzzle)?;
        let matching = Matching::new(field.bounds().floor().goals().len());
        let mut ways = Ways::new(field.len());
        let packing = Packing::new(&field, &mut ways);
        let options = FeatureOptions::of(variant);
        let relaxed = RelaxedPlan::new(&field, &mut ways, options.seed);
        let relaxed = relaxed.filter(|plan| plan.parks != options.other_order);
        let pairs = (field.len() <= MAX_CELLS).then(|| Pairs::new::<W>(&field));
        let (goals, hotspots) = (field.goals(), Hotspots::new(&field));
        let knobs = FeatureToggles::default();
        Ok(Self { goals, hotspots, packing, relaxed, pairs, ways, matching, field, options, knobs })
    }

    fn start(&self) -> FeatureState<W> {
        FeatureState::new(&self.field, self.field.boxes(), self.field.bounds().floor().player())
    }

    fn features(&mut self, state: &FeatureState<W>) -> Features {
        self.look(state).features(self.options)
    }

    fn is_goal(&self, state: &FeatureState<W>) -> bool {
        state.boxes.is_within(&self.goals)
    }

    fn is_doomed(&mut self, state: &FeatureState<W>) -> bool {
        if !self.knobs.matching {
            return false;
        }
        let bounds = self.field.bounds();
        let player = usize::from(state.player);
        let slots: Vec<_> = state.boxes.iter().map(|at| bounds.sides().slot(at, player)).collect();
        bounds.pushes_to_come(&slots, &mut self.matching).is_none()
    }

    fn choices(&mut self, state: &FeatureState<W>, choices: &mut Vec<Choice<Macro>>) {
        let reach = flood(&self.field, &state.boxes, usize::from(state.player));
        let look = self.look(state);
        let corral = self.knobs.corrals.then(|| corral::find(&self.field, &state.boxes, &reach));
        let corral = corral.flatten();
        for from in state.boxes.iter() {
            let first = corral.as_ref().map_or([true; 4], |corral| corral.first(from));
            let others = state.boxes.without(from);
            let stops = self.ways.of(&self.field, &state.boxes, &reach, from, first).len();
            let here = self.field.nearest(from, usize::from(state.player));
            let parts = if stops > 0 { self.ways.survey.parts(&self.field, from) } else { 0 };
            for number in 1..stops {
                let stop = self.ways.stop(number);
                let to = usize::from(stop.cell);
                let boxes = others.with(to);
                let is_stuck = || !frozen_at(&self.field, &boxes, to).is_within(&self.goals);
                if self.knobs.frozen && is_stuck() {
                    continue;
                }
                let pairs = self.pairs.as_ref();
                if pairs.is_some_and(|pairs| !pairs.permit(&others, to, stop.player.into())) {
                    continue;
                }
                let there = self.field.nearest(to, usize::from(stop.player));
                let next = StateFeatures {
                    unpacked: self.unpacked(&boxes),
                    regions: (look.regions + self.ways.survey.parts(&self.field, to))
                        .saturating_sub(parts),
                    hotspots: self.hotspots.count(&boxes),
                    distance: (u32::from(look.distance) + there).saturating_sub(here) as u16,
                }
                .with(self.knobs);
                let mv = Macro { from: from as u16, to: stop.cell, player: stop.player };
                let (features, tie) = (next.features(self.options), next.tie(self.options, mv));
                choices.push(Choice { mv, features, tie, advised: false });
            }
        }
        let [unpacked, regions, hotspots, _] = look.features(self.options);
        if self.knobs.packer {
            Self::advise(choices, |c| c.features[0] < unpacked);
        }
        if self.knobs.merger {
            Self::advise(choices, |c| c.features[0] <= unpacked && c.features[1] < regions);
        }
        if self.knobs.unblocker {
            Self::advise(choices, |c| c.features[0] <= unpacked && c.features[2] < hotspots);
        }
    }

    fn after(&mut self, state: &FeatureState<W>, mv: Macro) -> FeatureState<W> {
        state.after(&self.field, mv)
    }

    fn plan(&mut self, path: &[FeatureState<W>]) -> Vec<Direction> {
        path::moves(&self.field, &mut self.ways, path)
    }
}

#[cfg(test)]
mod tests;
