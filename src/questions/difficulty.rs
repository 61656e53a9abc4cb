//! How hard a level is, in figures that designers argue about.
//!
//! All of them are read off one optimal plan and the positions along it: how long it is, how often
//! the piece changes that is pushed, what else could be done on the way and how much of that is
//! fatal or costly. None of them is *the* difficulty.

use super::hint::{hint, piece_of};
use crate::atlas::{Action, Atlas, CostToGo};
use crate::limits::{Limits, Stop};
use std::time::Duration;
use unstuck_encodings::Cost;

/// The figures of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difficulty {
    /// Whether there is a solution, if known.
    pub solvable: Option<bool>,
    /// What a shortest plan costs.
    pub optimum: Option<Cost>,
    /// What the family's bound says at the start: how much of the length can be seen at once.
    pub bound: Option<Cost>,
    /// Moves of the plan.
    pub moves: usize,
    /// Pushes of the plan.
    pub pushes: usize,
    /// How often a push takes up another piece than the push before.
    pub changes: usize,
    /// Pushes that are possible in the positions along the plan, all together.
    pub choices: usize,
    /// Those of them that keep the optimum.
    pub optimal: usize,
    /// Those that make the rest longer.
    pub costly: usize,
    /// Those after which there is no solution.
    pub fatal: usize,
    /// Those of which that is not known.
    pub unknown: usize,
    /// Positions along the plan in which all pushes but one are fatal.
    pub forced: usize,
    /// Positions that search looked at to find the plan.
    pub seen: u64,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// Time for the question whether a push is fatal, where no limit is given.
const FATAL_CHECK_TIME: Duration = Duration::from_millis(500);

/// The figures of the game of an atlas.
pub fn difficulty(atlas: &mut dyn Atlas, limits: &Limits) -> Difficulty {
    let start = atlas.start();
    let half = limits.share(0.5);
    let bound = atlas.bound(start);
    let answer = hint(atlas, None, usize::MAX, &half);
    let mut figures = Difficulty {
        solvable: answer.solvable,
        optimum: answer.rest,
        bound,
        stop: answer.stop,
        seen: atlas.seen(),
        pushes: answer.way.len(),
        ..Difficulty::default()
    };
    let Some(mut rest) = answer.rest else { return figures };
    let moves = answer.moves.as_deref().and_then(|moves| atlas.play(moves).ok());
    figures.moves = moves.map_or(0, |game| game.moves.len());
    let goes_on = |pair: &[String]| super::hint::goes_on(&pair[0], &pair[1]);
    figures.changes = answer.actions.windows(2).filter(|pair| !goes_on(pair)).count();
    debug_assert!(answer.actions.iter().all(|action| !piece_of(action).is_empty()));
    let mut at = start;
    for step in &answer.way {
        if let Some(stop) = limits.reached_any() {
            figures.stop = Some(stop);
            break;
        }
        let actions = atlas.actions(at);
        let before = figures.fatal;
        for action in &actions {
            figures.note(look(atlas, action, rest, limits));
        }
        figures.choices += actions.len();
        figures.forced += usize::from(figures.fatal - before + 1 == actions.len());
        rest = rest.after(step.cost).unwrap_or_default();
        at = step.to;
    }
    figures
}

enum ActionClass {
    Optimal,
    Costly,
    Fatal,
    Unknown,
}

fn look(atlas: &mut dyn Atlas, action: &Action, rest: Cost, limits: &Limits) -> ActionClass {
    match atlas.cost_to_go(action.to, None, &limits.within(FATAL_CHECK_TIME)) {
        CostToGo::Exactly(left) if left + action.cost == rest => ActionClass::Optimal,
        CostToGo::Exactly(_) | CostToGo::AtLeast(_) => ActionClass::Costly,
        CostToGo::Never => ActionClass::Fatal,
        CostToGo::Stopped(..) => ActionClass::Unknown,
    }
}

impl Difficulty {
    fn note(&mut self, look: ActionClass) {
        match look {
            ActionClass::Optimal => self.optimal += 1,
            ActionClass::Costly => self.costly += 1,
            ActionClass::Fatal => self.fatal += 1,
            ActionClass::Unknown => self.unknown += 1,
        }
    }
}
