//! Sokoban from its end: boxes on all goals are pulled back to where they stood.

use super::field::Field;
use super::macros::{Macro, Ways};
use super::noise::noise;
use super::state::{ANYWHERE, FeatureState};
use super::survey::{flood, regions};
use super::{SokobanFeatures, path, summed};
use crate::bit_set::BitSet;
use crate::features::{Choice, FeatureSpace, Features, TurnRule};
use crate::matching::Matching;
use crate::sokoban::graph::Slot;
use crate::space::PackingError;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::Sokoban;

/// A level of at most `64 * W` cells that is looked at from its end. All goals must take a box:
/// otherwise the final positions of the boxes are unknown.
///
/// Pulls are ordered by the pulls still to come to the nearest squares where boxes stood, most of
/// what helps forwards (lines, advice, packing) does not help here.
#[derive(Clone, Debug)]
pub struct SokobanPulls<const W: usize> {
    field: Field,
    goals: BitSet<W>,
    starts: BitSet<W>,
    ways: Ways,
    matching: Matching,
    /// See [`Bounds::from_start`](crate::sokoban::bounds::Bounds::from_start).
    from_start: Vec<i32>,
    options: PullOptions,
}

/// What makes a variant different from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PullOptions {
    /// Chooses among equals.
    seed: u32,
    /// What comes before the regions.
    first: First,
}

/// The first feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    /// None.
    Nothing,
    /// Boxes that stand where none stood.
    Away,
    /// Pulls to the nearest squares where boxes stood.
    Distance,
}

impl PullOptions {
    fn of(variant: u32) -> Self {
        let first = match variant % 3 {
            0 => First::Nothing,
            1 => First::Away,
            _ => First::Distance,
        };
        Self { seed: variant / 3, first }
    }
}

/// Ties are changed by one pull at most: more spoils the order (XSokoban 29 and 66 are lost by 15).
const NOISE: u32 = 8;

/// Pulls that make a difference between cells of the feature space.
const PULLS_PER_CELL: u16 = 8;

impl<const W: usize> SokobanPulls<W> {
    /// Least pulls that bring boxes to where they stood, each alone; `None` when there is no way.
    fn pulls_to_come(&mut self, boxes: &BitSet<W>, player: usize) -> Option<u32> {
        let sides = self.field.bounds().sides();
        let slots: Vec<Slot> = boxes.iter().map(|at| sides.slot(at, player)).collect();
        let from_start = &self.from_start;
        self.matching.least(slots.len(), |row, other| from_start[slots[row] * slots.len() + other])
    }

    /// Least pulls of each box to the nearest square where one stood, summed up.
    fn distance(&self, boxes: &BitSet<W>, player: usize) -> u16 {
        summed(boxes.iter().map(|at| self.field.earliest(at, player)))
    }

    /// Features of boxes, the floor falling into so many regions.
    fn look(&self, boxes: &BitSet<W>, regions: u16, distance: u16) -> Features {
        let first = match self.options.first {
            First::Nothing => 0,
            First::Away => boxes.minus(&self.starts).len() as u16,
            First::Distance => distance / PULLS_PER_CELL,
        };
        [first, regions, 0, 0]
    }

    /// Where the player can be.
    fn reach(&self, state: &FeatureState<W>) -> BitSet<W> {
        match state.player {
            ANYWHERE => self.field.all().minus(&state.boxes),
            player => flood(&self.field, &state.boxes, usize::from(player)),
        }
    }
}

impl<const W: usize> FeatureSpace for SokobanPulls<W> {
    type Puzzle = Sokoban;
    type State = FeatureState<W>;
    type Macro = Macro;
    type Reverse = SokobanFeatures<W>;

    fn new(puzzle: &Sokoban, variant: u32) -> Result<Self, PackingError> {
        let field = Field::fitting::<W>(puzzle)?;
        if !field.fills_all_goals() {
            return Err(PackingError("more goals than boxes: many ends".to_owned()));
        }
        let (goals, starts) = (field.goals(), field.boxes());
        let (ways, matching) = (Ways::new(field.len()), Matching::new(starts.len()));
        let (from_start, options) = (field.bounds().from_start(), PullOptions::of(variant));
        Ok(Self { goals, starts, ways, matching, from_start, field, options })
    }

    fn turns(&self) -> TurnRule {
        TurnRule::Cells
    }

    fn start(&self) -> FeatureState<W> {
        FeatureState { boxes: self.goals, player: ANYWHERE }
    }

    fn features(&mut self, state: &FeatureState<W>) -> Features {
        let distance = match state.player {
            ANYWHERE => u16::MAX,
            player => self.distance(&state.boxes, usize::from(player)),
        };
        self.look(&state.boxes, regions(&self.field, &state.boxes), distance)
    }

    fn is_goal(&self, state: &FeatureState<W>) -> bool {
        let player = self.field.bounds().floor().player();
        let begun = || FeatureState::new(&self.field, self.starts, player).player;
        state.boxes == self.starts && (state.player == ANYWHERE || state.player == begun())
    }

    fn is_doomed(&mut self, state: &FeatureState<W>) -> bool {
        let player = usize::from(state.player);
        state.player != ANYWHERE && self.pulls_to_come(&state.boxes, player).is_none()
    }

    fn choices(&mut self, state: &FeatureState<W>, choices: &mut Vec<Choice<Macro>>) {
        let reach = self.reach(state);
        let now = regions(&self.field, &state.boxes);
        for from in state.boxes.iter() {
            let others = state.boxes.without(from);
            let stops = self.ways.pulled(&self.field, &state.boxes, &reach, from).len();
            for number in 0..stops {
                let stop = self.ways.stop(number);
                if stop.pushes == 0 {
                    continue;
                }
                let (to, player) = (usize::from(stop.cell), usize::from(stop.player));
                let boxes = others.with(to);
                let parts = [to, from].map(|at| self.ways.survey.parts(&self.field, at));
                let regions = (now + parts[0]).saturating_sub(parts[1]);
                let distance = self.distance(&boxes, player);
                let mv = Macro { from: from as u16, to: stop.cell, player: stop.player };
                let features = self.look(&boxes, regions, distance);
                let tie = u32::from(distance) + noise(self.options.seed, mv.from, mv.to) / NOISE;
                choices.push(Choice { mv, features, tie, advised: true });
            }
        }
    }

    fn after(&mut self, state: &FeatureState<W>, mv: Macro) -> FeatureState<W> {
        state.after(&self.field, mv)
    }

    fn plan(&mut self, path: &[FeatureState<W>]) -> Vec<Direction> {
        path::moves(&self.field, &mut self.ways, path)
    }
}
