//! What is true of a small game: all its positions by the rules alone, with what is left from each.

use crate::extent::extent;
use crate::game::{Chart, Game, Price, Sequences};
use unstuck::instance::Instance;
use unstuck::registry::by_name;
use unstuck_encodings::Cost;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Moves, Objective, PuzzleExt};

/// Boards of a family that count: more where there are several objectives.
pub(crate) fn boards(objectives: &[Objective]) -> u64 {
    extent(20 + 20 * objectives.len() as u64, 300)
}

/// Boards with more positions than this are left out.
pub(crate) const MOST: usize = 4_000;
/// Boards with more optimal sequences of pushes than this are left out.
const MAX_SEQUENCES: usize = 2_000;

/// All positions of a game, with what is left from each.
pub(crate) struct Everything<P: Moves> {
    pub(crate) puzzle: P,
    pub(crate) objective: Objective,
    chart: Chart<P>,
}

fn cost((primary, secondary): Price) -> Cost {
    Cost::new(primary, secondary)
}

impl<P: Moves> Everything<P> {
    pub(crate) fn of(puzzle: P, objective: Objective, most: usize) -> Option<Self> {
        let game = Game::new(puzzle.clone(), Constraints::default(), objective);
        Some(Self { puzzle, objective, chart: Chart::of(game, most)? })
    }

    /// What is left, for positions from which there is a way.
    pub(crate) fn left(&self, state: &P::State) -> Option<Cost> {
        self.chart.left(&(state.clone(), 0)).map(cost)
    }

    /// The cost of a shortest solution.
    pub(crate) fn optimum(&self) -> Option<Cost> {
        self.chart.optimum().map(cost)
    }

    /// The positions from which there is a way.
    pub(crate) fn solvable(&self) -> impl Iterator<Item = &P::State> {
        let solvable = self.chart.positions.iter().filter(|at| self.chart.left(at).is_some());
        solvable.map(|(state, _)| state)
    }

    /// Optimal plans as sequences of pushes; `None` when too many.
    pub(crate) fn sequences(&self) -> Option<Sequences<P>> {
        self.chart.sequences(MAX_SEQUENCES)
    }

    /// A random game of legal moves, which goes for the goal now and then.
    pub(crate) fn random_game(&self, seed: u64) -> Vec<P::Move> {
        self.chart.random_game(&mut fastrand::Rng::with_seed(seed))
    }
}

/// Calls `ask` on boards of a family until enough of them counted.
pub(crate) fn each_board<P: Moves>(
    objectives: &[Objective],
    mut ask: impl FnMut(&Everything<P>, &dyn Instance, u64) -> bool,
) {
    let family = by_name(P::NAME).expect("registered");
    let mut counted = 0;
    for seed in 0.. {
        assert!(seed < 20_000, "{}: only {counted} boards in {seed}", P::NAME);
        let objective = objectives[seed as usize % objectives.len()];
        let readings = P::sample(seed).readings();
        let instances = (family.sample)(seed).instances(objective).expect("listed");
        let (reading, instance) = (readings.into_iter().next(), instances.into_iter().next());
        let (reading, instance) = (reading.expect("one"), instance.expect("one"));
        let Some(all) = Everything::of(reading.puzzle, objective, MOST) else { continue };
        counted += u64::from(ask(&all, instance.as_ref(), seed));
        if counted == boards(objectives) {
            return;
        }
    }
}
