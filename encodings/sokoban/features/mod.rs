//! Sokoban for feature-space search.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `field` | the floor as tables that are quick to read |
//! | `survey` | floods, and what removing one cell separates |
//! | `macros` | macro moves: one box, any number of pushes |
//! | `frozen` | boxes that can never be pushed again |
//! | `packing` | in which order goals can be filled |
//! | `plan` | a plan of the whole packing, with parking |
//! | `sinks` | the search for that plan, from its end |
//! | `guide` | features and advice that follow it |
//! | `alone` | where one box can be pushed past walls |
//! | `rooms`, `passages` | open floor, and corridors between |
//! | `walls` | goals that frozen boxes shut off |
//! | `siege` | regions that can never be opened |
//! | `pairs` | two boxes of which one is lost because of the other |
//! | `corral` | regions that the player cannot enter |
//! | `hotspots` | boxes that stand in the way of others |
//! | `noise` | another order among equals |
//! | `state` | positions |
//! | `path` | the moves between positions |

mod alone;
mod corral;
mod field;
mod frozen;
mod guide;
mod hotspots;
mod macros;
mod noise;
mod packing;
mod pairs;
mod passages;
mod path;
mod plan;
mod rooms;
mod siege;
mod sinks;
mod state;
mod survey;
mod walls;

use super::graph::Spot;
use crate::bit_set::BitSet;
use crate::features::{Choice, FeatureSpace, Features, TurnRule};
use crate::matching::Matching;
use crate::space::PackingError;
use field::Field;
use frozen::{frozen_at, settle};
use guide::{PlanFeatures, PlanGuide, PlanOptions, Prospect};
use hotspots::Hotspots;
use macros::Ways;
use noise::noise;
use packing::Packing;
use pairs::Pairs;
use siege::{SiegeGround, Sieges};
use survey::{flood, regions};
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::Sokoban;
use walls::Reaches;

pub use macros::Macro;
pub use state::FeatureState;

/// A level of at most `64 * W` cells as feature-space search sees it.
#[derive(Clone, Debug)]
pub struct SokobanFeatures<const W: usize> {
    field: Field,
    goals: BitSet<W>,
    hotspots: Hotspots<W>,
    packing: Packing<W>,
    /// In variants that follow a plan of the whole packing.
    guide: Option<Box<PlanGuide<W>>>,
    reaches: Reaches<W>,
    sieges: Sieges<W>,
    /// On floors where they do not cost too much.
    pairs: Option<Pairs>,
    ways: Ways,
    matching: Matching,
    options: FeatureOptions,
    /// Whether pushes into a corral come first: off in tests of the other prunings.
    prunes_corrals: bool,
}

/// What makes a variant different from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FeatureOptions {
    /// Chooses among equals.
    seed: u32,
    /// Keep apart what is near the goals and what is far from them.
    distances: bool,
    /// Let boxes that stand in the way count more than regions.
    hotspots_first: bool,
}

impl FeatureOptions {
    fn of(variant: u32) -> Self {
        let bit = |number: u32| variant >> number & 1 == 1;
        Self { seed: variant / 4, distances: !bit(0), hotspots_first: bit(1) }
    }
}

/// Pushes of all boxes together, as far as ties count them; those of a lost one are endless.
fn summed(pushes: impl Iterator<Item = u32>) -> u16 {
    pushes.fold(0, u32::saturating_add).min(4095) as u16
}

/// Pushes to the nearest goals that make a difference between cells.
const PUSHES_PER_CELL: u16 = 16;

/// Floors of more cells have no tables of pairs: these grow with the third power.
const MAX_CELLS: usize = 256;

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
            | (u32::from(self.distance) + noise(options.seed, mv.from, mv.to)).min(4095)
    }
}

impl<const W: usize> SokobanFeatures<W> {
    /// Boxes that are still to be packed.
    fn unpacked(&mut self, boxes: &BitSet<W>) -> u16 {
        (boxes.len() as u16).saturating_sub(self.packing.packed(boxes))
    }

    /// Least pushes of each box to its nearest goal, summed up.
    fn distance(&self, boxes: &BitSet<W>, player: Spot) -> u16 {
        summed(boxes.iter().map(|at| self.field.nearest(at, player)))
    }

    /// Whether each box, alone, can come to a goal of its own.
    fn is_matched(&mut self, state: &FeatureState<W>) -> bool {
        let bounds = self.field.bounds();
        let player = usize::from(state.player);
        let slots: Vec<_> = state.boxes.iter().map(|at| bounds.sides().slot(at, player)).collect();
        bounds.pushes_to_come(&slots, &mut self.matching).is_some()
    }

    /// Whether frozen boxes keep others from goals.
    fn is_walled_off(&mut self, state: &FeatureState<W>) -> bool {
        let frozen = settle(&self.field, state.boxes);
        let (field, goals, boxes) = (&self.field, &self.goals, &state.boxes);
        let (ways, matching) = (&mut self.ways, &mut self.matching);
        !frozen.is_empty()
            && (!self.reaches.can_be_matched(field, ways, goals, state, &frozen, matching)
                || field.fills_all_goals() && !walls::can_be_filled(field, goals, boxes, &frozen))
    }

    /// Whether some region can never be opened.
    fn is_besieged(&mut self, state: &FeatureState<W>) -> bool {
        let (field, goals, pairs) = (&self.field, &self.goals, self.pairs.as_ref());
        let ground = SiegeGround { field, goals, pairs, ways: &mut self.ways };
        self.sieges.are_lost(ground, state)
    }

    /// What all features begin with: regions and pushes to the nearest goals.
    fn outline(&self, state: &FeatureState<W>) -> [u16; 2] {
        let distance = self.distance(&state.boxes, usize::from(state.player));
        [regions(&self.field, &state.boxes), distance]
    }

    fn look(&mut self, boxes: &BitSet<W>, [regions, distance]: [u16; 2]) -> StateFeatures {
        let (unpacked, hotspots) = (self.unpacked(boxes), self.hotspots.count(boxes));
        StateFeatures { unpacked, regions, hotspots, distance }
    }

    fn look_by(
        &self,
        guide: &PlanGuide<W>,
        boxes: &BitSet<W>,
        [regions, distance]: [u16; 2],
    ) -> PlanFeatures {
        guide.look(&self.field, boxes, [regions, self.hotspots.count(boxes), distance])
    }

    /// The macro moves that are not pruned, each with the boxes and the outline after it.
    fn macros(
        &mut self,
        state: &FeatureState<W>,
        reach: &BitSet<W>,
        [regions, distance]: [u16; 2],
        is_silly: impl Fn(usize) -> bool,
        mut found: impl FnMut(&mut Self, Macro, &BitSet<W>, [u16; 2]),
    ) {
        let corral = self.prunes_corrals.then(|| corral::find(&self.field, &state.boxes, reach));
        let corral = corral.flatten();
        for from in state.boxes.iter() {
            let first = corral.as_ref().map_or([true; 4], |corral| corral.first(from));
            let others = state.boxes.without(from);
            let stops = self.ways.of(&self.field, &state.boxes, reach, from, first).len();
            let here = self.field.nearest(from, usize::from(state.player));
            let parts = if stops > 0 { self.ways.survey.parts(&self.field, from) } else { 0 };
            for number in 1..stops {
                let stop = self.ways.stop(number);
                let to = usize::from(stop.cell);
                let boxes = others.with(to);
                let is_stuck = || !frozen_at(&self.field, &boxes, to).is_within(&self.goals);
                if is_silly(to) || is_stuck() {
                    continue;
                }
                let pairs = self.pairs.as_ref();
                if pairs.is_some_and(|pairs| !pairs.permit(&others, to, stop.player.into())) {
                    continue;
                }
                let there = self.field.nearest(to, usize::from(stop.player));
                let regions =
                    (regions + self.ways.survey.parts(&self.field, to)).saturating_sub(parts);
                let distance = (u32::from(distance) + there).saturating_sub(here) as u16;
                let mv = Macro { from: from as u16, to: stop.cell, player: stop.player };
                found(self, mv, &boxes, [regions, distance]);
            }
        }
    }

    fn choices_by_packing(
        &mut self,
        state: &FeatureState<W>,
        reach: &BitSet<W>,
        choices: &mut Vec<Choice<Macro>>,
    ) {
        let outline = self.outline(state);
        let options = self.options;
        self.macros(
            state,
            reach,
            outline,
            |_| false,
            |space, mv, boxes, outline| {
                let next = space.look(boxes, outline);
                let (features, tie) = (next.features(options), next.tie(options, mv));
                choices.push(Choice { mv, features, tie, advised: false });
            },
        );
        let [unpacked, regions, hotspots, _] = self.look(&state.boxes, outline).features(options);
        Self::advise(choices, |c| c.features[0] < unpacked);
        Self::advise(choices, |c| c.features[0] <= unpacked && c.features[1] < regions);
        Self::advise(choices, |c| c.features[0] <= unpacked && c.features[2] < hotspots);
    }

    fn choices_by_plan(
        &mut self,
        guide: &PlanGuide<W>,
        state: &FeatureState<W>,
        reach: &BitSet<W>,
        choices: &mut Vec<Choice<Macro>>,
    ) {
        let outline = self.outline(state);
        let mut prospects = Vec::new();
        let is_silly = |to| guide.is_silly(to);
        self.macros(state, reach, outline, is_silly, |space, mv, boxes, outline| {
            let after = space.look_by(guide, boxes, outline);
            let (features, tie) = (after.features(), after.tie(guide.options.near_first));
            let choice = Choice { mv, features, tie, advised: false };
            prospects.push(Prospect { choice, after });
        });
        let now = self.look_by(guide, &state.boxes, outline);
        for number in guide.advise(&self.field, &state.boxes, reach, now, &prospects) {
            prospects[number].choice.advised = true;
        }
        choices.extend(prospects.into_iter().map(|prospect| prospect.choice));
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

    fn new(puzzle: &Sokoban, variant: u32) -> Result<Self, PackingError> {
        let field = Field::fitting::<W>(puzzle)?;
        let matching = Matching::new(field.bounds().floor().goals().len());
        let mut ways = Ways::new(field.len());
        let packing = Packing::new(&field, &mut ways);
        let options = FeatureOptions::of(variant / 2);
        let planned = variant.is_multiple_of(2).then(|| PlanOptions::of(variant / 2));
        let pairs = (field.len() <= MAX_CELLS).then(|| Pairs::new::<W>(&field));
        let (goals, hotspots) = (field.goals(), Hotspots::new(&field));
        let guide = planned.and_then(|options| PlanGuide::new(&field, &mut ways, options));
        let guide = guide.map(Box::new);
        Ok(Self {
            goals,
            hotspots,
            packing,
            guide,
            reaches: Reaches::default(),
            sieges: Sieges::default(),
            pairs,
            ways,
            matching,
            field,
            options,
            prunes_corrals: true,
        })
    }

    fn turns(&self) -> TurnRule {
        if self.guide.is_some() { TurnRule::BestCell } else { TurnRule::Lines }
    }

    fn start(&self) -> FeatureState<W> {
        FeatureState::new(&self.field, self.field.boxes(), self.field.bounds().floor().player())
    }

    fn features(&mut self, state: &FeatureState<W>) -> Features {
        let outline = self.outline(state);
        match &self.guide {
            Some(guide) => self.look_by(guide, &state.boxes, outline).features(),
            None => self.look(&state.boxes, outline).features(self.options),
        }
    }

    fn is_goal(&self, state: &FeatureState<W>) -> bool {
        state.boxes.is_within(&self.goals)
    }

    fn is_doomed(&mut self, state: &FeatureState<W>) -> bool {
        !self.is_matched(state) || self.is_walled_off(state) || self.is_besieged(state)
    }

    fn choices(&mut self, state: &FeatureState<W>, choices: &mut Vec<Choice<Macro>>) {
        let reach = flood(&self.field, &state.boxes, usize::from(state.player));
        match self.guide.take() {
            Some(guide) => {
                self.choices_by_plan(&guide, state, &reach, choices);
                self.guide = Some(guide);
            }
            None => self.choices_by_packing(state, &reach, choices),
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
