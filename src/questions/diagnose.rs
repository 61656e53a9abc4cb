//! Where a game went wrong: every move of it free, costly or fatal.
//!
//! Solvability is lost once and for all, so the fatal move is found by halving; what a lost
//! position is known by (see [`crate::atlas::Distances`]) serves all later ones. Then the costs are
//! found backwards from the last position that can be solved: a position is at most one move
//! further from the goal than the next one of the game, so only something better is looked for.

use crate::atlas::{Atlas, CostToGo, Id, Playthrough};
use crate::limits::{Limits, Stop};
use serde::Serialize;
use std::time::Duration;
use unstuck_encodings::Cost;
use unstuck_puzzles::Violation;

/// What a move did to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move in the family's notation.
    pub text: String,
    /// What it did; `None` when that is not known, and for moves of a game that was lost before.
    pub class: Option<MoveClass>,
    /// By how much it made the shortest solution longer, in the objective's primary count and in
    /// its tie-break (which may be negative).
    pub cost: Option<(u32, i64)>,
}

/// All that is known of a game.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The moves, as far as they are legal.
    pub moves: Vec<JudgedMove>,
    /// The first move that is not legal.
    pub illegal: Option<Violation>,
    /// The number of the move that lost the game, from 1.
    pub fatal: Option<usize>,
    /// The last position (after so many moves) that is known to be solvable.
    pub solvable: Option<usize>,
    /// The first position (after so many moves) that is known to be lost; 0 when the level has no
    /// solution.
    pub lost: Option<usize>,
    /// The cost of the shortest solution of the level, if known.
    pub optimum: Option<Cost>,
    /// What the shortest end of the game costs from its last position, if known.
    pub rest: Option<Cost>,
    /// Whether the game is solved at its end, by a walk at most where walking costs nothing.
    pub solved: bool,
    /// Positions: before the first move, and after each.
    pub positions: Vec<Id>,
    /// The limit that left something open.
    pub stop: Option<Stop>,
    /// Positions that search looked at.
    pub seen: u64,
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

    /// Moves lost all together before the fatal one, where all of them are known.
    pub fn wasted(&self) -> Option<u32> {
        let before = self.fatal.map_or(self.moves.len(), |fatal| fatal - 1);
        self.moves[..before].iter().map(|it| it.cost.map(|(cost, _)| cost)).sum()
    }
}

/// Time of the first look at a position; it doubles with each round.
const FIRST_LOOK_TIME: Duration = Duration::from_millis(100);

/// Diagnoses a game.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::limits::Limits;
/// use unstuck::puzzles::Objective;
/// use unstuck::puzzles::constraints::Constraints;
/// use unstuck::questions::diagnose::diagnose;
///
/// let text = "#######\n#     #\n#@ $. #\n#######\n";
/// let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
/// let mut atlas = level.first().atlas(&Constraints::default()).ok_or("it has moves")?;
/// // The second push is one too many: nothing pulls the box out of the corner.
/// let game = atlas.play("rRR")?;
/// let answer = diagnose(atlas.as_mut(), &game, &Limits::none());
/// assert_eq!(answer.fatal, Some(3));
/// # Ok(())
/// # }
/// ```
pub fn diagnose(atlas: &mut dyn Atlas, game: &Playthrough, limits: &Limits) -> Diagnosis {
    let mut positions = vec![atlas.start()];
    positions.extend(game.moves.iter().map(|made| made.to));
    let mut costs: Vec<Option<Cost>> = vec![None; positions.len()];
    // Finding the fatal move must leave time for the costs.
    let half = limits.share(0.5);
    let (mut solvable, mut lost) = (None, positions.len());
    let mut stop = None;
    let whole = limits;
    for limits in [&half, whole] {
        // What the costs leave of the time goes to the fatal move again.
        let halving = BinarySearch { positions: &positions, solvable, lost };
        let (last, first, struck) = halving.run(atlas, &mut costs, limits);
        (solvable, lost, stop) = (last, first, struck);
        if let Some(last) = solvable {
            stop = go_back(atlas, game, &positions, last, &mut costs, whole).or(stop);
        }
        if stop.is_none() {
            break;
        }
    }
    let lost = (lost < positions.len()).then_some(lost);
    let rest = *costs.last().expect("a game has a start");
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
        JudgedMove { text: made.text.clone(), class, cost: loss }
    });
    Diagnosis {
        moves: judged.collect(),
        illegal: game.stop.clone(),
        fatal,
        solvable,
        lost,
        optimum: costs[0],
        rest,
        // Constraints can tell positions apart that a walk joins; it may still cost nothing.
        solved: rest == Some(Cost::ZERO)
            || positions.last().is_some_and(|&last| atlas.is_goal(last)),
        stop,
        seen: atlas.seen(),
        positions,
    }
}

/// The search for the last position that can be solved.
struct BinarySearch<'a> {
    positions: &'a [Id],
    solvable: Option<usize>,
    /// The first position that is known to be lost; the number of positions when none is.
    lost: usize,
}

impl BinarySearch<'_> {
    /// The last position known to be solvable, the first known to be lost, and the limit that
    /// struck before they were neighbours.
    fn run(
        mut self,
        atlas: &mut dyn Atlas,
        costs: &mut [Option<Cost>],
        limits: &Limits,
    ) -> (Option<usize>, usize, Option<Stop>) {
        let lost = self.positions.iter().position(|&id| atlas.bound(id).is_none());
        self.lost = lost.map_or(self.lost, |lost| lost.min(self.lost));
        let solved = self.positions.iter().rposition(|&id| atlas.is_goal(id));
        if let Some(solved) = solved {
            self.solvable = self.solvable.max(Some(solved));
            costs[solved] = Some(Cost::ZERO);
        }
        let mut slice = FIRST_LOOK_TIME;
        while let Some(candidates) = self.candidates() {
            let mut struck = None;
            for at in candidates {
                struck = None;
                match atlas.cost_to_go(self.positions[at], None, &limits.within(slice)) {
                    CostToGo::Exactly(cost) => {
                        costs[at] = Some(cost);
                        self.solvable = self.solvable.max(Some(at));
                    }
                    CostToGo::Never => self.lost = self.lost.min(at),
                    CostToGo::AtLeast(_) => {}
                    CostToGo::Stopped(stop, _) => {
                        struck = Some(stop);
                        continue;
                    }
                }
                break;
            }
            // More time does not make the result of a move known.
            if struck.is_some() && limits.reached_any().is_some()
                || struck == Some(Stop::UnknownMove)
            {
                return (self.solvable, self.lost, struck);
            }
            if struck.is_some() {
                slice = slice.saturating_mul(2);
            }
        }
        (self.solvable, self.lost, None)
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
}

/// Finds the costs of all positions before one whose cost is known, as far as limits allow.
fn go_back(
    atlas: &mut dyn Atlas,
    game: &Playthrough,
    positions: &[Id],
    last: usize,
    costs: &mut [Option<Cost>],
    limits: &Limits,
) -> Option<Stop> {
    let mut struck = None;
    // The way through the next position of the game is one way.
    let mut most = costs[last]?;
    for at in (0..last).rev() {
        most = costs[at].unwrap_or(most + game.moves[at].cost);
        if costs[at].is_some() {
            continue;
        }
        match atlas.cost_to_go(positions[at], Some(most), limits) {
            CostToGo::Exactly(cost) => {
                most = cost;
                costs[at] = Some(cost);
            }
            CostToGo::AtLeast(_) => costs[at] = Some(most),
            // A position before a solvable one is solvable; the bound cannot say otherwise.
            CostToGo::Never => return struck,
            CostToGo::Stopped(stop, _) => struck = Some(stop),
        }
    }
    struck
}
