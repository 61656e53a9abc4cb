//! What families have whose pieces may be dropped.

use super::capability::{Capabilities, Capability};
use super::verified::{RejectedAnswerError, Verified, judged_plan};
use crate::learn::{self, LearnOptions, LearnOutcome, LearnStats};
use crate::limits::{Limits, Monitor, Stop};
use crate::patterns::{CompiledPatterns, Counts, potential_lemmas};
use crate::transition::lrat::{Formulas, WriteError};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use unstuck_encodings::{PieceLiterals, Pieces};
use unstuck_puzzles::patterns::{
    Pattern, PatternCoord, PatternError, PatternList, PatternRules, PatternStats,
};
use unstuck_puzzles::{Objective, Style};

/// How learning ended, with its plan judged.
#[derive(Clone, Debug)]
pub enum LearnEnd {
    /// A plan of the least length in the objective's primary count; with the limit that struck, if
    /// it did so before the rules had judged that none is shorter.
    Found(Verified, Option<Stop>),
    /// There is none.
    Lost,
    /// What was to be excluded is excluded.
    Excluded,
    /// A limit struck.
    Stopped(Stop),
    /// The plan or the patterns were refused: an internal error.
    Fault(RejectedAnswerError),
}

/// What learning has shown.
#[derive(Clone, Debug)]
pub struct LearnReport {
    /// How it ended.
    pub end: LearnEnd,
    /// What it took, and the lower bound that it showed.
    pub stats: LearnStats,
    /// The patterns that show it; the rules have judged them.
    pub list: PatternList,
    /// Where there is no solution: the pieces that are lost from the start.
    pub lost: Vec<DeadPieces>,
}

/// Pieces for which there is no solution, whatever else is on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadPieces {
    /// Where they are at the start, by row and column from 0.
    pub pieces: Vec<PatternCoord>,
    /// How many pieces the level has.
    pub of: usize,
    /// The board with these alone, as text.
    pub text: String,
    /// The same as SVG.
    pub svg: String,
}

/// What follows where pieces may be dropped.
pub trait Relaxation: Send + Sync {
    /// Looks for a plan of the least length, learning dead patterns (see [`crate::learn`]); `None`
    /// where pieces cannot be dropped under this objective, or there are too many of them. What it
    /// shows rests on a list that the rules have judged.
    fn learn(
        &self,
        learn_options: LearnOptions<'_>,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> Option<LearnReport>;

    /// Judges a list of dead patterns from the rules.
    ///
    /// # Errors
    /// When the list proves nothing.
    fn judge_patterns(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternStats, PatternError>;

    /// The formulas of a list of dead patterns.
    ///
    /// # Errors
    /// When it cannot be said in clauses.
    fn pattern_formulas(
        &self,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError>;

    /// How many lemmas these take, about, to show that the potential of a list is one.
    fn potential_lemmas(&self, list: &PatternList) -> u64;
}

/// The pieces may be dropped, as `R` says; `T` is the transition in which patterns are said.
pub struct DroppedPieces<R: Pieces, T> {
    puzzle: Arc<R::Puzzle>,
    objective: Objective,
    transition: PhantomData<fn(T)>,
}

impl<P, R, T> Capability<P> for DroppedPieces<R, T>
where
    P: PatternRules,
    R: Pieces<Puzzle = P> + 'static,
    T: PieceLiterals<Puzzle = P> + 'static,
{
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
        let dropped = Self { puzzle: puzzle.clone(), objective, transition: PhantomData };
        all.add::<dyn Relaxation>(Box::new(dropped));
    }
}

/// The part of a time limit that is kept for the judge, so that what was shown can be said, and the
/// most of it: what zones hold, and lists of a million patterns, take seconds to judge.
const JUDGE_SHARE: (u32, Duration) = (10, Duration::from_secs(20));

/// Time that the judge gets even after the time limit has struck.
const GRACE_TIME: Duration = Duration::from_millis(500);

impl<P, R, T> Relaxation for DroppedPieces<R, T>
where
    P: PatternRules,
    R: Pieces<Puzzle = P> + 'static,
    T: PieceLiterals<Puzzle = P> + 'static,
{
    fn learn(
        &self,
        learn_options: LearnOptions<'_>,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> Option<LearnReport> {
        let puzzle = self.puzzle.as_ref();
        let pieces = R::new(puzzle, self.objective)?;
        let until = |left: Duration| left - (left / JUDGE_SHARE.0).min(JUDGE_SHARE.1);
        let learning = limits.time_left().map(|left| limits.within(until(left)));
        let learn::LearnResult { end, mut stats, mut list } =
            learn::learn(&pieces, learn_options, learning.as_ref().unwrap_or(limits), progress)?;
        let after = Limits::none().within(limits.time_left().unwrap_or(GRACE_TIME).max(GRACE_TIME));
        let mut go_on = || after.reached().is_none();
        let nothing = list.claim == Some(0) && stats.lower == 0;
        let judged_list = if nothing {
            Ok(PatternStats::default())
        } else {
            puzzle.judge_patterns(&list, &mut go_on)
        };
        let end = match (judged_list, end) {
            (Err(PatternError::Refused(reason)), _) => {
                LearnEnd::Fault(RejectedAnswerError(format!("the patterns are refused: {reason}")))
            }
            (Err(PatternError::Stopped), end) => {
                // The potential alone is judged in no time.
                list = only_potential(list, pieces.field().lower);
                let shown = puzzle.judge_patterns(&list, &mut || true).is_ok();
                stats.lower = if shown { pieces.field().lower } else { 0 };
                let stop = limits.reached().unwrap_or(Stop::Time);
                match end {
                    LearnOutcome::Solved(shoves) => found(puzzle, &pieces, &shoves, Some(stop)),
                    _ => LearnEnd::Stopped(stop),
                }
            }
            (Ok(_), LearnOutcome::Solved(shoves)) => found(puzzle, &pieces, &shoves, None),
            (Ok(_), LearnOutcome::Lost) => LearnEnd::Lost,
            (Ok(_), LearnOutcome::Refuted) => LearnEnd::Excluded,
            (Ok(_), LearnOutcome::Stopped(stop)) => LearnEnd::Stopped(stop),
        };
        let lost = if matches!(end, LearnEnd::Lost) {
            lost_pieces(puzzle, &pieces, &list)
        } else {
            Vec::new()
        };
        Some(LearnReport { end, stats, list, lost })
    }

    fn judge_patterns(
        &self,
        list: &PatternList,
        monitor: &mut Monitor<'_>,
    ) -> Result<PatternStats, PatternError> {
        if self.objective.first() == Objective::Moves {
            return Err(PatternError::because("patterns count pushes, the claim counts moves"));
        }
        self.puzzle.judge_patterns(list, &mut || monitor.poll().is_ok())
    }

    fn pattern_formulas(
        &self,
        list: &PatternList,
        counts: Counts,
        monitor: &mut Monitor<'_>,
    ) -> Result<Box<dyn Formulas>, WriteError> {
        if let Some(reason) = T::refusal(&self.puzzle, self.objective) {
            return Err(WriteError::Unfit(reason));
        }
        Ok(Box::new(CompiledPatterns::new::<T>(
            &self.puzzle,
            self.objective,
            list,
            counts,
            monitor,
        )?))
    }

    fn potential_lemmas(&self, list: &PatternList) -> u64 {
        potential_lemmas(self.puzzle.as_ref(), list)
    }
}

/// The list that shows no more than that a plan is not shorter than the potential says.
fn only_potential(list: PatternList, lower: u32) -> PatternList {
    PatternList {
        claim: Some(lower.saturating_sub(1)),
        zones: Vec::new(),
        root: Vec::new(),
        patterns: Vec::new(),
        ..list
    }
}

/// The patterns that cover the start, drawn.
fn lost_pieces<P: PatternRules, R: Pieces<Puzzle = P>>(
    puzzle: &P,
    pieces: &R,
    list: &PatternList,
) -> Vec<DeadPieces> {
    let (row, column) = pieces.place(pieces.field().walker);
    let (player, of) = ((row as u16, column as u16), pieces.field().pieces.len());
    let covering = list.root.iter().filter_map(|&id| list.patterns.get(id as usize));
    let drawn = covering.filter_map(|pattern| {
        let pattern = Pattern { player, ..pattern.clone() };
        let [text, svg] = [Style::Plain, Style::Svg].map(|it| puzzle.draw_pattern(&pattern, it));
        Some(DeadPieces { text: text?, svg: svg?, pieces: pattern.pieces, of })
    });
    drawn.collect()
}

fn found<P: PatternRules, R: Pieces<Puzzle = P>>(
    puzzle: &P,
    pieces: &R,
    shoves: &[(u16, usize)],
    unjudged: Option<Stop>,
) -> LearnEnd {
    let Some(plan) = pieces.plan(shoves) else {
        return LearnEnd::Fault(RejectedAnswerError("the plan cannot be played".to_owned()));
    };
    match judged_plan(puzzle, &plan) {
        Ok(verified) => LearnEnd::Found(verified, unjudged),
        Err(fault) => LearnEnd::Fault(fault),
    }
}
