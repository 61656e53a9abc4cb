//! What to do next: as much help as is wanted, and no more.
//!
//! Of all optimal ways to go on, the hint takes the one that continues with the piece that the
//! player pushed last, then the one with the shortest walk, as far as few positions suffice to
//! compare them. Where no optimal way is known in time, any way will do, and the hint says so.

use super::analysis::Analysis;
use super::sentences;
use crate::atlas::{Action, Atlas, CostToGo, Id, WALK};
use crate::instance::Verified;
use crate::limits::{Limits, Stop};
use crate::report::marks::{Mark, MarkStyle};
use serde::{Deserialize, Serialize};
use unstuck_encodings::Cost;
use unstuck_puzzles::Style;
use unstuck_puzzles::pieces::Coord;

/// How much help is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum HintLevel {
    /// Whether the game can still be solved.
    Solvable,
    /// What to push next.
    Piece,
    /// The next moves, up to a push.
    Move,
    /// All moves to the end.
    #[default]
    Plan,
}

impl HintLevel {
    /// All degrees, the least help first.
    pub const ALL: [Self; 4] = [Self::Solvable, Self::Piece, Self::Move, Self::Plan];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Piece => "piece",
            Self::Move => "move",
            Self::Plan => "plan",
        }
    }
}

/// What to do next, as far as that is known, and allowed by the degree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct Hint {
    /// What it says of the rest of the game.
    pub sentence: String,
    /// How much is wanted.
    pub degree: HintLevel,
    /// Whether there is a solution from here; not known when a limit struck first.
    pub solvable: Option<bool>,
    /// What the shortest solution from here costs.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"), ts(as = "Option<u32>"))]
    pub rest: Option<Cost>,
    /// What every solution from here costs at least, where there may be one.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"), ts(as = "Option<u32>"))]
    pub at_least: Option<Cost>,
    /// What the solution costs that the hint is taken from, where it need not be a shortest one; in
    /// the objective's primary count.
    pub at_most: Option<u32>,
    /// What is pushed next.
    pub pieces: Option<Vec<String>>,
    /// The next pushes, in words.
    pub pushes: Option<Vec<String>>,
    /// The moves up to and with the last of them.
    pub moves: Option<String>,
    /// The board after them.
    pub board: Option<String>,
    /// The limit that struck.
    pub stop: Option<Stop>,
    /// Where there is none from here: whether there was one at the start; `None` when that was not
    /// found out.
    #[serde(skip)]
    pub start_solvable: Option<bool>,
    /// The next pushes.
    #[serde(skip)]
    pub way: Vec<Action>,
    /// The position after them.
    #[serde(skip)]
    pub after: Option<Id>,
}

impl Hint {
    /// What is pushed next, in words; nothing where that is not known, or not wanted.
    pub fn pushes(&self) -> &[String] {
        self.pushes.as_deref().unwrap_or_default()
    }

    /// No more than the degree allows, with its sentence and board. The game may be `begun`.
    #[must_use]
    pub fn limited(self, degree: HintLevel, begun: bool, atlas: &dyn Atlas) -> Self {
        let sentence = sentence(degree, &self, atlas, begun);
        let (piece, moves) = (degree >= HintLevel::Piece, degree >= HintLevel::Move);
        let board = self.after.filter(|_| moves).and_then(|at| atlas.draw(at, Style::Plain));
        Self {
            sentence,
            degree,
            rest: self.rest.filter(|_| piece),
            at_least: self.at_least.filter(|_| piece),
            at_most: self.at_most.filter(|_| piece),
            pieces: piece.then(|| self.pieces.unwrap_or_default()),
            pushes: moves.then(|| self.pushes.unwrap_or_default()),
            moves: self.moves.filter(|_| moves),
            board,
            ..self
        }
    }
}

/// What a hint says of the rest of the game, as far as the degree allows. The game may be `begun`.
fn sentence(degree: HintLevel, hint: &Hint, atlas: &dyn Atlas, begun: bool) -> String {
    let (measures, objective) = (atlas.measures(), atlas.objective());
    let least = |least| sentences::at_least(measures, objective, least);
    match (hint.solvable, hint.stop) {
        (Some(true), _) if degree == HintLevel::Solvable => "solvable from here".to_owned(),
        (Some(true), _) if is_solved(hint) => "already solved".to_owned(),
        (Some(true), _) => match (hint.at_most, hint.rest) {
            (Some(most), _) => {
                let most = measures.first(objective).count(most);
                let least = least(hint.at_least);
                format!("solvable from here: {most} to go on this way{least}")
            }
            (None, rest) => {
                let rest = sentences::cost(measures, objective, rest.unwrap_or_default());
                format!("solvable from here: {rest} to go, and not fewer")
            }
        },
        (Some(false), _) if begun => match hint.start_solvable {
            Some(true) => "no longer solvable: undo some moves".to_owned(),
            Some(false) => "unsolvable, and so is the start of the level".to_owned(),
            None => {
                "not solvable from here; not known whether the start of the level is".to_owned()
            }
        },
        (Some(false), _) => "unsolvable".to_owned(),
        (None, Some(stop)) => {
            let least = least(hint.at_least.filter(|_| degree > HintLevel::Solvable));
            format!("unknown whether it is solvable{least}: {stop}")
        }
        (None, None) => "unknown whether it is solvable".to_owned(),
    }
}

/// Whether nothing is left to do, not even a walk that costs nothing.
fn is_solved(hint: &Hint) -> bool {
    hint.rest == Some(Cost::ZERO) && hint.moves.as_deref().unwrap_or_default().is_empty()
}

/// Positions that the question whether another push is optimal, too, may expand.
const MAX_TIE_CHECK: usize = 1_000;

/// A hint from the start of a game: the next `steps` pushes of an optimal way to the goal, or of any
/// way where no more is known in time. Without steps any plan settles the question. `last` is what
/// the player pushed last, in words.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::limits::Limits;
/// use unstuck::puzzles::Objective;
/// use unstuck::puzzles::constraints::Constraints;
/// use unstuck::questions::analysis::Analysis;
/// use unstuck::questions::hint::hint;
///
/// let text = "#######\n#@ $ .#\n#######\n";
/// let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
/// // Where the player stands after some moves.
/// let position = level.first().continued("r")?;
/// let none = Constraints::default();
/// let mut game = Analysis::new(position.as_ref(), &none).ok_or("it has moves")?;
/// let answer = hint(&mut game, None, 1, &Limits::none());
/// assert_eq!((answer.solvable, answer.moves.as_deref()), (Some(true), Some("R")));
/// # Ok(())
/// # }
/// ```
pub fn hint(game: &mut Analysis<'_>, last: Option<&str>, steps: usize, limits: &Limits) -> Hint {
    let start = game.atlas.start();
    let found = game.rest_after("", start, steps == 0, limits);
    let atlas = game.atlas.as_mut();
    let (rest, at_least, stop) = (found.cost.exactly(), found.cost.at_least(), found.cost.stop());
    let solvable = found.is_solvable();
    let mut hint = Hint { solvable, rest, at_least, stop, ..Hint::default() };
    match (rest, &found.plan) {
        (Some(rest), _) => {
            let (way, at) = optimal_way(atlas, rest, last, steps, limits);
            hint.go(atlas, way, at);
        }
        (None, Some(plan)) => {
            hint = Hint { at_least, stop, ..along(plan, atlas, steps) };
        }
        (None, None) => {}
    }
    hint.limited(HintLevel::Plan, false, atlas)
}

/// The next pushes of an optimal way, and the position after them.
fn optimal_way(
    atlas: &mut dyn Atlas,
    mut rest: Cost,
    last: Option<&str>,
    steps: usize,
    limits: &Limits,
) -> (Vec<Action>, Id) {
    let (mut way, mut at) = (Vec::new(), atlas.start());
    let mut last = last.map(str::to_owned);
    // Once that takes too long, the way is one that is known.
    let mut most = MAX_TIE_CHECK;
    while way.len() < steps && !atlas.is_goal(at) {
        let (mut best, stop) = optimal_actions(atlas, at, rest, most, limits);
        if stop.is_some() {
            most = 0;
            (best, _) = optimal_actions(atlas, at, rest, most, &Limits::none());
        }
        let Some(next) = nearest(atlas, &way, &best, last.as_deref()) else { break };
        rest = rest.after(next.cost).unwrap_or_default();
        at = next.to;
        last = Some(atlas.action_name(next.name).to_owned());
        way.push(next);
    }
    (way, at)
}

impl Hint {
    /// Sets the way, and what follows from it.
    fn go(&mut self, atlas: &mut dyn Atlas, way: Vec<Action>, at: Id) {
        let pushes = way.iter().map(|action| atlas.action_name(action.name).to_owned());
        let pushes: Vec<String> = pushes.collect();
        self.pieces = Some(pushes.iter().map(|push| piece_of(push).to_owned()).collect());
        self.pushes = Some(pushes);
        self.moves = atlas.plan(&way);
        // An action leads to a position that stands for others. The moves lead to the one where the
        // player is.
        let played = self.moves.as_deref().and_then(|moves| atlas.play(moves).ok());
        let last = played.and_then(|game| game.moves.last().map(|made| made.to));
        self.after = last.or(Some(at));
        self.way = way;
    }
}

/// A hint that goes the first `steps` pushes of a plan from the start of an atlas, with shortest
/// walks between them.
pub fn along(plan: &Verified, atlas: &mut dyn Atlas, steps: usize) -> Hint {
    let played = atlas.play(plan.text()).map_or_else(|_| Vec::new(), |game| game.moves);
    let pushes = played.iter().filter_map(|made| Some((made.action?, Some(made.to))));
    // Behind the last push there may be a walk to the goal.
    let pushes = pushes.chain([(WALK, None)]);
    let (mut way, mut at) = (Vec::new(), atlas.start());
    for (name, to) in pushes.take(steps) {
        // A plan may pass by a goal and come back to one.
        if atlas.is_goal(at) {
            break;
        }
        // One name may lead to several positions: then the plan's own is meant.
        let named = atlas.actions(at).into_iter().filter(|action| action.name == name);
        let Some(action) = named.min_by_key(|action| Some(action.to) != to) else { break };
        at = action.to;
        way.push(action);
    }
    let at_most = Some(atlas.objective().primary(plan.tally()));
    let mut hint = Hint { solvable: Some(true), at_most, ..Hint::default() };
    hint.go(atlas, way, at);
    hint
}

/// The actions with which a shortest solution can begin in a position that is `rest` away from the
/// goal; the limit that struck before all were looked at, with at most so many positions for each.
pub fn optimal_actions(
    atlas: &mut dyn Atlas,
    at: Id,
    rest: Cost,
    most: usize,
    limits: &Limits,
) -> (Vec<Action>, Option<Stop>) {
    let (mut best, mut struck) = (Vec::new(), None);
    for action in atlas.actions(at) {
        let Some(left) = rest.after(action.cost) else { continue };
        if let Some(stop) = limits.reached() {
            return (best, Some(stop));
        }
        match atlas.cost_to_go_within(action.to, Some(left.successor()), most, limits) {
            CostToGo::Exactly(cost) if cost == left => best.push(action),
            CostToGo::Stopped(stop, _) => struck = Some(stop),
            _ => {}
        }
    }
    (best, struck)
}

/// The action that continues with what was pushed last, else the one with the shortest way there.
fn nearest(
    atlas: &mut dyn Atlas,
    way: &[Action],
    best: &[Action],
    last: Option<&str>,
) -> Option<Action> {
    let goes_on = |atlas: &dyn Atlas, action: &Action| {
        last.is_some_and(|last| goes_on(last, atlas.action_name(action.name)))
    };
    let going_on: Vec<Action> =
        best.iter().copied().filter(|action| goes_on(atlas, action)).collect();
    let candidates = if going_on.is_empty() { best } else { &going_on };
    // The way is played only where there is a choice: it is long, and asked about at each push.
    if let [only] = candidates {
        return Some(*only);
    }
    let mut keyed = Vec::new();
    for &action in candidates {
        let plan: Vec<Action> = way.iter().copied().chain([action]).collect();
        let moves = atlas.plan(&plan)?;
        let length = atlas.play(&moves).map_or(usize::MAX, |game| game.moves.len());
        keyed.push((length, action));
    }
    keyed.into_iter().min_by_key(|&(length, _)| length).map(|(_, action)| action)
}

/// Whether a push takes up something where an earlier one left it.
pub(super) fn goes_on(last: &str, next: &str) -> bool {
    let left = last.split_once(" to ").map_or(last, |(_, come)| come);
    let taken = next.split_once(" to ").map_or(next, |(gone, _)| gone);
    places(left).iter().any(|place| places(taken).contains(place))
}

/// The places in a text such as `box (2,3) to (2,4)`, from 0.
pub fn places(text: &str) -> Vec<Coord> {
    let inside = text.split('(').skip(1).filter_map(|it| it.split_once(')'));
    let numbers = inside.filter_map(|(place, _)| place.split_once(','));
    numbers
        .filter_map(|(row, column)| {
            let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
            Some((row.checked_sub(1)?, column.checked_sub(1)?))
        })
        .collect()
}

/// What an action pushes: the words before where it goes.
pub fn piece_of(action: &str) -> &str {
    action.split_once(" to ").map_or(action, |(gone, _)| gone)
}

/// The position to draw, and marks on it: what to push, or where it has gone.
pub fn marks(hint: &Hint, atlas: &mut dyn Atlas) -> (Id, Vec<Mark>) {
    let rings = |text: &str| {
        let ring = |place| Mark::new(place, MarkStyle::Pointed, "");
        places(text).into_iter().map(ring).collect()
    };
    match (hint.after.zip(hint.pushes().last()), hint.pieces.as_deref()) {
        (Some((after, last)), _) => {
            (after, rings(last.split_once(" to ").map_or("", |(_, to)| to)))
        }
        (None, Some([first, ..])) if hint.degree == HintLevel::Piece => {
            (atlas.start(), rings(first))
        }
        _ => (atlas.start(), Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_the_words_of_an_action() {
        assert_eq!(places("box (2,3) to (2,14)"), [(1, 2), (1, 13)]);
    }
}
