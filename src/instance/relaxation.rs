//! Families whose pieces may be dropped, and those whose pieces may not.

use super::verified::{Fault, Verified, judged};
use crate::learn::{self, Effort, End, Manner};
use crate::limits::{Limits, Stop, Watch};
use crate::patterns::{CompiledPatterns, Counts, potential_lemmas};
use crate::transition::lrat::{Formulas, NotWritten};
use std::marker::PhantomData;
use std::time::Duration;
use unstuck_encodings::{PieceLiterals, Pieces};
use unstuck_puzzles::patterns::{
    Pattern, PatternCoord, PatternError, PatternList, PatternRules, PatternStats,
};
use unstuck_puzzles::{Objective, Puzzle, Style};

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
    /// The plan or the patterns were refused: a mistake of ours.
    Fault(Fault),
}

/// What learning has shown.
#[derive(Clone, Debug)]
pub struct Learned {
    /// How it ended.
    pub end: LearnEnd,
    /// What it took, and the lower bound that it showed.
    pub effort: Effort,
    /// The patterns that show it; the rules have judged them.
    pub list: PatternList,
    /// Where there is no solution: the pieces that are lost from the start.
    pub lost: Vec<LostPieces>,
}

/// Pieces for which there is no solution, whatever else is on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostPieces {
    /// Where they are at the start, by row and column from 0.
    pub pieces: Vec<PatternCoord>,
    /// How many pieces the level has.
    pub of: usize,
    /// The board with these alone, as text.
    pub text: String,
    /// The same as SVG.
    pub svg: String,
}

/// Whether the pieces of a family may be dropped, and what follows.
pub trait Dropping<P: Puzzle>: Send + Sync + 'static {
    /// See [`super::Game::learn`].
    fn learn(
        puzzle: &P,
        objective: Objective,
        manner: Manner,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Learned>;

    /// See [`super::Game::judge_patterns`].
    ///
    /// # Errors
    /// When the list proves nothing.
    fn judge(
        puzzle: &P,
        objective: Objective,
        list: &PatternList,
        watch: &mut Watch<'_>,
    ) -> Result<PatternStats, PatternError>;

    /// See [`super::Game::pattern_formulas`].
    ///
    /// # Errors
    /// When the list cannot be said in clauses.
    fn formulas(
        puzzle: &P,
        objective: Objective,
        list: &PatternList,
        counts: Counts,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten>;

    /// See [`super::Game::potential_lemmas`].
    fn potential_lemmas(puzzle: &P, list: &PatternList) -> u64;
}

/// The pieces may not be dropped, or nobody has said how.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

impl<P: Puzzle> Dropping<P> for Whole {
    fn learn(
        _: &P,
        _: Objective,
        _: Manner,
        _: &Limits,
        _: &mut dyn FnMut(Effort),
    ) -> Option<Learned> {
        None
    }

    fn judge(
        _: &P,
        _: Objective,
        _: &PatternList,
        _: &mut Watch<'_>,
    ) -> Result<PatternStats, PatternError> {
        Err(PatternError::because(format!("{} has no dead patterns", P::NAME)))
    }

    fn formulas(
        _: &P,
        _: Objective,
        _: &PatternList,
        _: Counts,
        _: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten> {
        Err(NotWritten::Unfit(format!("{} has no dead patterns", P::NAME)))
    }

    fn potential_lemmas(_: &P, _: &PatternList) -> u64 {
        0
    }
}

/// The pieces may be dropped, as `R` says; `T` is the transition in which patterns are said.
#[derive(Clone, Copy, Debug)]
pub struct Dropped<R, T>(PhantomData<fn(R, T)>);

/// The part of a time limit that is kept for the judge, so that what was shown can be said, and the
/// most of it: what zones hold, and lists of a million patterns, take seconds to judge.
const FOR_JUDGE: (u32, Duration) = (10, Duration::from_secs(20));

/// Time that the judge gets even after the time limit has struck.
const GRACE: Duration = Duration::from_millis(500);

impl<P, R, T> Dropping<P> for Dropped<R, T>
where
    P: PatternRules,
    R: Pieces<Puzzle = P> + 'static,
    T: PieceLiterals<Puzzle = P> + 'static,
{
    fn learn(
        puzzle: &P,
        objective: Objective,
        manner: Manner,
        limits: &Limits,
        progress: &mut dyn FnMut(Effort),
    ) -> Option<Learned> {
        let pieces = R::new(puzzle, objective)?;
        let until = |left: Duration| left - (left / FOR_JUDGE.0).min(FOR_JUDGE.1);
        let learning = limits.time_left().map(|left| limits.within(until(left)));
        let learn::Learned { end, mut effort, mut list } =
            learn::learn(&pieces, manner, learning.as_ref().unwrap_or(limits), progress)?;
        let after = Limits::none().within(limits.time_left().unwrap_or(GRACE).max(GRACE));
        let mut go_on = || after.reached().is_none();
        let nothing = list.claim == Some(0) && effort.lower == 0;
        let judged_list = if nothing {
            Ok(PatternStats::default())
        } else {
            puzzle.judge_patterns(&list, &mut go_on)
        };
        let end = match (judged_list, end) {
            (Err(PatternError::Refused(reason)), _) => {
                LearnEnd::Fault(Fault(format!("the patterns are refused: {reason}")))
            }
            (Err(PatternError::Stopped), end) => {
                // The potential alone is judged in no time.
                list = only_potential(list, pieces.field().lower);
                let shown = puzzle.judge_patterns(&list, &mut || true).is_ok();
                effort.lower = if shown { pieces.field().lower } else { 0 };
                let stop = limits.reached().unwrap_or(Stop::Time);
                match end {
                    End::Solved(shoves) => found(puzzle, &pieces, &shoves, Some(stop)),
                    _ => LearnEnd::Stopped(stop),
                }
            }
            (Ok(_), End::Solved(shoves)) => found(puzzle, &pieces, &shoves, None),
            (Ok(_), End::Lost) => LearnEnd::Lost,
            (Ok(_), End::Refuted) => LearnEnd::Excluded,
            (Ok(_), End::Stopped(stop)) => LearnEnd::Stopped(stop),
        };
        let lost = if matches!(end, LearnEnd::Lost) {
            lost_pieces(puzzle, &pieces, &list)
        } else {
            Vec::new()
        };
        Some(Learned { end, effort, list, lost })
    }

    fn judge(
        puzzle: &P,
        objective: Objective,
        list: &PatternList,
        watch: &mut Watch<'_>,
    ) -> Result<PatternStats, PatternError> {
        if objective.first() == Objective::Moves {
            return Err(PatternError::because("patterns count pushes, the claim counts moves"));
        }
        puzzle.judge_patterns(list, &mut || watch.look().is_ok())
    }

    fn formulas(
        puzzle: &P,
        objective: Objective,
        list: &PatternList,
        counts: Counts,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Formulas>, NotWritten> {
        Ok(Box::new(CompiledPatterns::new::<T>(puzzle, objective, list, counts, watch)?))
    }

    fn potential_lemmas(puzzle: &P, list: &PatternList) -> u64 {
        potential_lemmas(puzzle, list)
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
) -> Vec<LostPieces> {
    let (row, column) = pieces.place(pieces.field().walker);
    let (player, of) = ((row as u16, column as u16), pieces.field().pieces.len());
    let covering = list.root.iter().filter_map(|&id| list.patterns.get(id as usize));
    let drawn = covering.filter_map(|pattern| {
        let pattern = Pattern { player, ..pattern.clone() };
        let [text, svg] = [Style::Plain, Style::Svg].map(|it| puzzle.draw_pattern(&pattern, it));
        Some(LostPieces { text: text?, svg: svg?, pieces: pattern.pieces, of })
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
        return LearnEnd::Fault(Fault("the plan cannot be played".to_owned()));
    };
    let solution = puzzle.solution(&plan);
    match judged(puzzle, &solution) {
        Ok(verified) => LearnEnd::Found(verified, unjudged),
        Err(violation) => {
            LearnEnd::Fault(Fault(format!("the plan {solution} is refused: {violation}")))
        }
    }
}
