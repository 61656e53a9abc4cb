//! Where a game went wrong: every move of it free, costly or fatal.
//!
//! Solvability is lost once and for all: a plan from the end settles it for all moves, and else the
//! fatal move is found by halving. The cost of the way through a position, what was spent and what
//! is left, never falls from one move to the next. So where it is the same in two positions it is
//! the same in all between, and the costly moves are found by halving too.

use super::analysis::Analysis;
use super::reasons::Reason;
use super::sentences;
use crate::atlas::{Atlas, Id, Playthrough};
use crate::instance::Verified;
use crate::limits::{Limits, Stop};
use serde::Serialize;
use std::time::Duration;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Style, Violation};

/// What a move did to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MoveClass {
    /// The game can be ended as cheaply as before it.
    Free,
    /// The rest of the game became longer.
    Costly,
    /// There was a solution before it, and there is none after it.
    Fatal,
}

impl MoveClass {
    /// The word for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Costly => "costly",
            Self::Fatal => "fatal",
        }
    }
}

/// A move and what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct JudgedMove {
    /// The move in the family's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// What it did, where that is known; nothing in a game that was lost before.
    pub class: Option<MoveClass>,
    /// By how much it made the shortest solution longer, in the objective's primary count.
    pub cost: Option<u32>,
    /// By how much in its tie-break, where that may be negative.
    #[serde(skip)]
    pub tie: Option<i64>,
}

/// Where a game went wrong.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct Diagnosis {
    /// Where it went wrong.
    pub sentence: String,
    /// The number of the move that lost the game, from 1.
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub fatal: Option<usize>,
    /// The moves, as far as they are legal.
    pub moves: Vec<JudgedMove>,
    /// Why the game is lost, where that was asked (see [`super::reasons`]).
    pub reason: Option<Reason>,
    /// Whether the game is solved at its end, by a walk at most where walking costs nothing.
    pub solved: bool,
    /// What a shortest solution of the level costs.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"), ts(as = "Option<u32>"))]
    pub optimum: Option<Cost>,
    /// What the shortest end of the game costs from its last position.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"), ts(as = "Option<u32>"))]
    pub rest: Option<Cost>,
    /// What was lost before the fatal move, where all of it is known.
    pub wasted: Option<u32>,
    /// After so many moves there is a solution, and after no more that is known of.
    #[serde(rename = "solvable_after")]
    pub solvable: Option<usize>,
    /// After so many moves there is none, and after no fewer that is known of; 0 when the level has
    /// no solution.
    #[serde(rename = "lost_after")]
    pub lost: Option<usize>,
    /// The first move that is not legal.
    pub illegal: Option<Violation>,
    /// The board before the fatal move, else at the end.
    pub board: Option<String>,
    /// Positions that search looked at.
    #[serde(rename = "positions")]
    pub seen: u64,
    /// The limit that left something open.
    pub stop: Option<Stop>,
    /// Where the certificate was written.
    pub certificate: Option<String>,
    /// What a known end of the game costs, where it need not be a shortest one; in the objective's
    /// primary count.
    #[serde(skip)]
    pub at_most: Option<u32>,
    /// Positions: before the first move, and after each.
    #[serde(skip)]
    pub positions: Vec<Id>,
}

impl Diagnosis {
    /// The position to draw: before the fatal move, else the last one.
    pub fn shown(&self) -> usize {
        self.fatal.map_or(self.positions.len() - 1, |fatal| fatal - 1)
    }

    /// The moves up to and with the one that lost the game; none where the level has no solution.
    /// `None` when it is not known which move that was, or none was.
    pub fn losing_moves(&self) -> Option<String> {
        let lost = self.lost.filter(|&lost| self.fatal == Some(lost) || lost == 0)?;
        Some(self.moves[..lost].iter().map(|made| made.text.as_str()).collect())
    }
}

/// Time of the first look at a position; it doubles with each round.
const FIRST_LOOK_TIME: Duration = Duration::from_secs(5);

/// Diagnoses a game.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::limits::Limits;
/// use unstuck::puzzles::Objective;
/// use unstuck::puzzles::constraints::Constraints;
/// use unstuck::questions::analysis::Analysis;
/// use unstuck::questions::diagnose::diagnose;
///
/// let text = "#######\n#     #\n#@ $. #\n#######\n";
/// let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
/// let none = Constraints::default();
/// let mut asked = Analysis::new(level.first(), &none).ok_or("it has moves")?;
/// // The second push is one too many: nothing pulls the box out of the corner.
/// let game = asked.atlas.play("rRR")?;
/// let answer = diagnose(&mut asked, &game, &Limits::none());
/// assert_eq!(answer.fatal, Some(3));
/// # Ok(())
/// # }
/// ```
pub fn diagnose(asked: &mut Analysis<'_>, game: &Playthrough, limits: &Limits) -> Diagnosis {
    let mut known = KnownGame::of(asked, game);
    known.find_fatal(asked, limits);
    known.find_costs(asked, limits);
    let KnownGame { positions, costs, solvable, lost, plan, struck, .. } = known;
    let lost = (lost < positions.len()).then_some(lost);
    let fatal = lost.filter(|&lost| lost > 0 && solvable == Some(lost - 1));
    let judged = game.moves.iter().enumerate().map(|(index, made)| {
        let loss = costs[index].zip(costs[index + 1]).map(|(before, after)| {
            let after = made.cost + after;
            let tie = i64::from(after.secondary()) - i64::from(before.secondary());
            (after.primary().saturating_sub(before.primary()), tie)
        });
        let class = match loss {
            _ if fatal == Some(index + 1) => Some(MoveClass::Fatal),
            Some((0, 0)) => Some(MoveClass::Free),
            Some(_) => Some(MoveClass::Costly),
            None => None,
        };
        let (cost, tie) = loss.unzip();
        JudgedMove { text: made.text.clone(), class, cost, tie }
    });
    let (moves, end): (Vec<JudgedMove>, _) = (judged.collect(), positions.len() - 1);
    let is_open = match lost {
        Some(lost) => {
            lost > 0 && fatal.is_none() || moves[..lost].iter().any(|it| it.class.is_none())
        }
        None => costs[end].is_none() || moves.iter().any(|it| it.class.is_none()),
    };
    let seen = asked.seen();
    let atlas = asked.atlas.as_ref();
    let mut diagnosis = Diagnosis {
        wasted: moves[..fatal.map_or(end, |fatal| fatal - 1)].iter().map(|it| it.cost).sum(),
        moves,
        illegal: game.stop.clone(),
        fatal,
        solvable,
        lost,
        optimum: costs[0],
        rest: costs[end],
        at_most: plan
            .filter(|_| solvable == Some(end) && costs[end].is_none())
            .map(|plan| atlas.objective().primary(plan.tally())),
        // Constraints can tell positions apart that a walk joins; it may still cost nothing.
        solved: costs[end] == Some(Cost::ZERO) || atlas.is_goal(positions[end]),
        stop: struck.filter(|_| is_open),
        seen,
        positions,
        ..Diagnosis::default()
    };
    diagnosis.sentence = sentence(&diagnosis, atlas);
    diagnosis.board = atlas.draw(diagnosis.positions[diagnosis.shown()], Style::Plain);
    diagnosis
}

/// Where a game went wrong. That a move lost it is said only where the position before it is known
/// to be solvable.
fn sentence(answer: &Diagnosis, atlas: &dyn Atlas) -> String {
    match (answer.fatal, answer.lost, answer.rest) {
        (Some(fatal), ..) => {
            format!("move {fatal}, {}, lost the game", answer.moves[fatal - 1].text)
        }
        (_, Some(0), _) => "the level has no solution at all".to_owned(),
        (_, Some(lost), _) => lost_somewhere(answer.solvable, lost),
        _ if answer.solved => "solved".to_owned(),
        (_, _, Some(rest)) => {
            let rest = sentences::cost(atlas.measures(), atlas.objective(), rest);
            format!("still solvable: {rest} to go")
        }
        _ => match answer.at_most {
            Some(most) => {
                let most = atlas.measures().first(atlas.objective()).count(most);
                format!("still solvable: at most {most} to go")
            }
            None => "unknown whether it is still solvable".to_owned(),
        },
    }
}

fn lost_somewhere(solvable: Option<usize>, lost: usize) -> String {
    match solvable {
        Some(solvable) => format!("one of the moves {} to {lost} lost the game", solvable + 1),
        None => format!("lost after move {lost}; not known whether it was lost before"),
    }
}

/// What is known of a game while it is looked at.
struct KnownGame<'a> {
    game: &'a Playthrough,
    /// Positions: before the first move, and after each.
    positions: Vec<Id>,
    /// What was spent in each.
    spent: Vec<Cost>,
    /// What the rest costs from each.
    costs: Vec<Option<Cost>>,
    /// The last position that is known to be solvable.
    solvable: Option<usize>,
    /// The first position that is known to be lost; the number of positions when none is.
    lost: usize,
    /// A plan from the last position that is known to be solvable.
    plan: Option<Verified>,
    /// The limit that struck last.
    struck: Option<Stop>,
}

impl<'a> KnownGame<'a> {
    /// What is known at once.
    fn of(asked: &mut Analysis<'_>, game: &'a Playthrough) -> Self {
        let (mut positions, mut spent) = (vec![asked.atlas.start()], vec![Cost::ZERO]);
        for made in &game.moves {
            positions.push(made.to);
            spent.push(spent[spent.len() - 1] + made.cost);
        }
        let mut costs = vec![None; positions.len()];
        let lost = positions.iter().position(|&id| asked.atlas.bound(id).is_none());
        let lost = lost.unwrap_or(positions.len());
        let solvable = positions.iter().rposition(|&id| asked.atlas.is_goal(id));
        solvable.iter().for_each(|&solved| costs[solved] = Some(Cost::ZERO));
        Self { game, positions, spent, costs, solvable, lost, plan: None, struck: None }
    }

    /// Looks at a position, for any plan or for a shortest one. The limit that struck before it was
    /// known whether it can be solved.
    fn look(
        &mut self,
        asked: &mut Analysis<'_>,
        at: usize,
        any: bool,
        limits: &Limits,
    ) -> Option<Stop> {
        let moves = &self.game.moves[..at];
        let moves: String = moves.iter().map(|made| made.text.as_str()).collect();
        let found = asked.rest_after(&moves, self.positions[at], any, limits);
        let is_solvable = found.is_solvable();
        match is_solvable {
            Some(true) if self.solvable <= Some(at) => {
                (self.solvable, self.plan) = (Some(at), found.plan);
            }
            Some(false) => self.lost = self.lost.min(at),
            _ => {}
        }
        self.costs[at] = found.cost.exactly();
        self.struck = found.cost.stop().or(self.struck);
        found.cost.stop().filter(|_| is_solvable.is_none())
    }

    /// Looks for the last position that can be solved, and the first that is lost.
    fn find_fatal(&mut self, asked: &mut Analysis<'_>, limits: &Limits) {
        let mut slice = FIRST_LOOK_TIME;
        while let Some(candidates) = self.candidates() {
            let mut struck = None;
            for at in candidates {
                struck = self.look(asked, at, true, &limits.share(0.5).within(slice));
                if struck.is_none() {
                    break;
                }
            }
            // More time does not make the result of a move known.
            if struck.is_some() && limits.reached_any().is_some()
                || struck == Some(Stop::UnknownMove)
            {
                return;
            }
            slice = slice.saturating_mul(1 + u32::from(struck.is_some()));
        }
    }

    /// Positions to look at, the best first; `None` when the question is settled.
    fn candidates(&self) -> Option<Vec<usize>> {
        let first = self.solvable.map_or(0, |solvable| solvable + 1);
        if first >= self.lost {
            return None;
        }
        let last = self.lost - 1;
        // The last positions are the easiest.
        let mut candidates = vec![last, first + (last - first) / 2, first];
        if self.lost < self.positions.len() {
            candidates.swap(0, 1);
        }
        candidates.dedup();
        Some(candidates)
    }

    /// Finds the costs of all positions up to the last that can be solved, as far as limits allow.
    fn find_costs(&mut self, asked: &mut Analysis<'_>, limits: &Limits) {
        let Some(last) = self.solvable else { return };
        self.look(asked, 0, false, &limits.share(0.5));
        if let Some(whole) = self.costs[0] {
            // No position is nearer to the goal than the start, less what was spent.
            for at in 0..=last {
                let plan = self.plan.as_ref().filter(|_| at == last).map(Verified::text);
                let least = whole.after(self.spent[at]).unwrap_or_default();
                asked.atlas.learn(self.positions[at], plan, Some(least));
            }
        }
        self.look(asked, last, false, &limits.share(0.5));
        self.halve(asked, 0, last, limits);
    }

    /// Finds the costs between two positions.
    fn halve(&mut self, asked: &mut Analysis<'_>, first: usize, last: usize, limits: &Limits) {
        let (Some(before), Some(after)) = (self.costs[first], self.costs[last]) else { return };
        let whole = self.spent[last] + after;
        if self.spent[first] + before == whole {
            for at in first..last {
                self.costs[at] = whole.after(self.spent[at]);
            }
        } else if first + 1 < last {
            let middle = first + (last - first) / 2;
            self.look(asked, middle, false, &limits.share(0.5));
            self.halve(asked, first, middle, limits);
            self.halve(asked, middle, last, limits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_move_has_lost_a_game_without_a_position_that_can_be_solved() {
        assert_eq!(lost_somewhere(Some(2), 5), "one of the moves 3 to 5 lost the game");
        let unknown = lost_somewhere(None, 1);
        assert!(unknown.contains("not known") && !unknown.contains("lost the game"), "{unknown}");
    }
}
