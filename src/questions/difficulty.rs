//! How hard a level is, in figures that designers argue about.
//!
//! All of them are read off one optimal plan and the positions along it: how long it is, how often
//! another piece is taken up, what else could be done on the way and how much of that is
//! fatal or costly. None of them is *the* difficulty.

use super::analysis::Analysis;
use super::hint::hint;
use crate::atlas::{Action, Atlas, CostToGo};
use crate::limits::{Limits, Stop};
use serde::Serialize;
use unstuck_encodings::Cost;

/// How hard a game is; without a known optimum most is unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Difficulty {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// What a shortest plan costs.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub optimum: Option<Cost>,
    /// What the family's bound says at the start: how much of the length can be seen at once.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"))]
    pub bound: Option<Cost>,
    /// Moves of the plan.
    pub moves: Option<usize>,
    /// Pushes of the plan.
    pub pushes: Option<usize>,
    /// How often a push takes up another piece than the push before.
    pub switches: Option<usize>,
    /// Pushes that are possible in the positions along the plan, all together.
    pub choices: Option<usize>,
    /// Those of them that keep the optimum.
    pub optimal: Option<usize>,
    /// Those that make the rest longer.
    pub costly: Option<usize>,
    /// Those after which there is no solution.
    pub fatal: Option<usize>,
    /// Those of which that is not known.
    pub unknown: Option<usize>,
    /// Positions along the plan in which all pushes but one are fatal.
    pub forced: Option<usize>,
    /// Positions that search looked at to find the plan.
    #[serde(rename = "positions")]
    pub seen: u64,
    /// The limit that struck.
    pub stop: Option<Stop>,
}

/// Positions that the question whether a push is fatal may expand. They are counted, and not the
/// time that they take, so that the same figures come from slow and busy machines.
const MAX_FATAL_CHECK: usize = 100_000;

/// The figures of a game.
pub fn difficulty(game: &mut Analysis<'_>, limits: &Limits) -> Difficulty {
    difficulty_within(game, MAX_FATAL_CHECK, limits)
}

/// The figures, with at most so many positions to find out about each push.
fn difficulty_within(game: &mut Analysis<'_>, most: usize, limits: &Limits) -> Difficulty {
    let start = game.atlas.start();
    let bound = game.atlas.bound(start);
    let answer = hint(game, None, usize::MAX, limits);
    let seen = game.seen();
    let atlas = game.atlas.as_mut();
    let mut figures = Difficulty {
        solvable: answer.solvable,
        optimum: answer.rest,
        bound,
        stop: answer.stop,
        seen,
        ..Difficulty::default()
    };
    let Some(mut rest) = answer.rest else { return figures };
    let moves = answer.moves.as_deref().and_then(|moves| atlas.play(moves).ok());
    let goes_on = |pair: &[String]| super::hint::goes_on(&pair[0], &pair[1]);
    let switches = answer.pushes().windows(2).filter(|pair| !goes_on(pair)).count();
    let (mut at, mut choices, mut forced) = (start, 0, 0);
    // Optimal, costly, fatal, unknown.
    let mut classes = [0; 4];
    for step in &answer.way {
        if let Some(stop) = limits.reached_any() {
            figures.stop = Some(stop);
            break;
        }
        let actions = atlas.actions(at);
        let before = classes[ActionClass::Fatal as usize];
        for action in &actions {
            classes[look(atlas, action, rest, most, limits) as usize] += 1;
        }
        choices += actions.len();
        let fatal = classes[ActionClass::Fatal as usize] - before;
        forced += usize::from(fatal + 1 == actions.len());
        rest = rest.after(step.cost).unwrap_or_default();
        at = step.to;
    }
    let [optimal, costly, fatal, unknown] = classes.map(Some);
    Difficulty {
        moves: Some(moves.map_or(0, |game| game.moves.len())),
        pushes: Some(answer.way.len()),
        switches: Some(switches),
        choices: Some(choices),
        optimal,
        costly,
        fatal,
        unknown,
        forced: Some(forced),
        ..figures
    }
}

#[derive(Clone, Copy)]
enum ActionClass {
    Optimal,
    Costly,
    Fatal,
    Unknown,
}

fn look(
    atlas: &mut dyn Atlas,
    action: &Action,
    rest: Cost,
    most: usize,
    limits: &Limits,
) -> ActionClass {
    match atlas.cost_to_go_within(action.to, None, most, limits) {
        CostToGo::Exactly(left) if left + action.cost == rest => ActionClass::Optimal,
        CostToGo::Exactly(_) | CostToGo::AtLeast(_) => ActionClass::Costly,
        CostToGo::Never => ActionClass::Fatal,
        CostToGo::Stopped(..) => ActionClass::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::by_name;
    use unstuck_puzzles::Objective;
    use unstuck_puzzles::constraints::Constraints;

    /// What is open is so by the work that it takes, never by the clock.
    #[test]
    fn pushes_are_looked_at_for_so_many_positions() {
        let family = by_name("sokoban").expect("registered");
        let (mut open, mut settled) = (0, 0);
        for seed in 0..40 {
            let instance =
                (family.sample)(seed).instances(Objective::Pushes).expect("listed").remove(0);
            let figures = |most| {
                let none = Constraints::default();
                let mut game = Analysis::new(instance.as_ref(), &none).expect("a game");
                difficulty_within(&mut game, most, &Limits::none())
            };
            let (none, all) = (figures(0), figures(usize::MAX));
            assert_eq!(all.unknown.unwrap_or(0), 0, "sample {seed}");
            assert_eq!(all, figures(usize::MAX), "sample {seed}");
            assert_eq!((none.optimum, none.choices), (all.optimum, all.choices), "sample {seed}");
            assert!(none.costly <= all.costly && none.fatal <= all.fatal, "sample {seed}");
            open += none.unknown.unwrap_or(0);
            settled += all.costly.unwrap_or(0) + all.fatal.unwrap_or(0);
        }
        assert!(open > 5 && settled > 20, "{open} open, {settled} settled");
    }
}
