//! What families have whose pieces may be dropped.

use crate::learn::{self, LearnOptions, LearnOutcome, LearnStats, Learning};
use crate::limits::{Limits, Stop};
use crate::machine::Instant;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use unstuck_check::instance::{
    Capabilities, Capability, RejectedAnswerError, Verified, judged_plan,
};
use unstuck_encodings::Pieces;
use unstuck_puzzles::patterns::{Pattern, PatternCoord, PatternError, PatternList, PatternRules};
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
    pub list: Arc<PatternList>,
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

/// Learning of dead patterns. After [`LearnEnd::Stopped`] it goes on where it was.
pub type ResumableLearning<'a> =
    Box<dyn FnMut(&Limits, &mut dyn FnMut(LearnStats)) -> LearnReport + Send + 'a>;

/// What is learned where pieces may be dropped.
pub trait Relaxation: Send + Sync {
    /// A search for a plan of the least length, learning dead patterns (see [`crate::learn`]); `None`
    /// where pieces cannot be dropped under this objective, or there are too many of them. What it
    /// shows rests on a list that the rules have judged.
    fn begin_learning<'a>(
        &'a self,
        learn_options: LearnOptions<'a>,
    ) -> Option<ResumableLearning<'a>>;

    /// Learns, once.
    fn learn(
        &self,
        learn_options: LearnOptions<'_>,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> Option<LearnReport> {
        self.begin_learning(learn_options).map(|mut learning| learning(limits, progress))
    }
}

/// The pieces may be dropped, as `R` says.
pub struct DroppedPieces<R: Pieces> {
    puzzle: Arc<R::Puzzle>,
    objective: Objective,
    /// The pieces, once they were asked for.
    pieces: OnceLock<Option<R>>,
}

impl<P: PatternRules, R: Pieces<Puzzle = P> + 'static> Capability<P> for DroppedPieces<R> {
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
        let dropped = Self { puzzle: puzzle.clone(), objective, pieces: OnceLock::new() };
        all.add::<dyn Relaxation>(Box::new(dropped));
    }
}

/// The part of a time limit that is kept for the judge, so that what was shown can be said, and the
/// most of it: what zones hold, and lists of a million patterns, take seconds to judge.
const JUDGE_SHARE: (u32, Duration) = (10, Duration::from_secs(20));

/// Time that the judge gets even after the time limit has struck.
const GRACE_TIME: Duration = Duration::from_millis(500);

/// Judging while learning goes on takes no more than this part of the time: a limit that strikes
/// leaves a bound that was judged not long before.
const JUDGED_PART: u32 = 16;

/// Time between two judgements, at least.
const JUDGE_INTERVAL: Duration = Duration::from_secs(1);

impl<P: PatternRules, R: Pieces<Puzzle = P> + 'static> Relaxation for DroppedPieces<R> {
    fn begin_learning<'a>(
        &'a self,
        learn_options: LearnOptions<'a>,
    ) -> Option<ResumableLearning<'a>> {
        let puzzle = self.puzzle.as_ref();
        let pieces = self.pieces.get_or_init(|| R::new(puzzle, self.objective)).as_ref()?;
        let learning = learn::learn(pieces, learn_options)?;
        let is_counted = learn_options.max_states.is_some();
        let mut judged = JudgedLearning::new(puzzle, pieces, learning, is_counted);
        Some(Box::new(move |limits, progress| judged.run(limits, progress)))
    }
}

/// Learning, with the rules as the judge of what was learned.
struct JudgedLearning<'a, P, R> {
    puzzle: &'a P,
    pieces: &'a R,
    learning: Box<dyn Learning + 'a>,
    /// When learning ends and the judge begins, where there is a limit.
    end: Option<Instant>,
    /// The list that was judged last, with the bound that it shows.
    judged: Option<(u32, Arc<PatternList>)>,
    /// How long it has learned, and when it lets the judge look next.
    worked: Duration,
    next: Duration,
    /// Whether work is counted: then the clock decides nothing, and the judge looks at the end alone.
    is_counted: bool,
}

impl<'a, P: PatternRules, R: Pieces<Puzzle = P>> JudgedLearning<'a, P, R> {
    fn new(
        puzzle: &'a P,
        pieces: &'a R,
        learning: Box<dyn Learning + 'a>,
        is_counted: bool,
    ) -> Self {
        let (worked, next) = (Duration::ZERO, JUDGE_INTERVAL);
        Self { puzzle, pieces, learning, end: None, judged: None, worked, next, is_counted }
    }

    /// Learns until the end or a limit.
    fn run(&mut self, limits: &Limits, progress: &mut dyn FnMut(LearnStats)) -> LearnReport {
        let until = |left: Duration| left - (left / JUDGE_SHARE.0).min(JUDGE_SHARE.1);
        let end = || limits.time_left().and_then(|left| Instant::now().checked_add(until(left)));
        self.end = self.end.or_else(end);
        let left = self.end.map(|end| end.duration_since(Instant::now()));
        let learning = left.map_or_else(|| limits.clone(), |left| limits.within(left));
        loop {
            let (begun, judged) = (Instant::now(), self.lower());
            let look = self.next.saturating_sub(self.worked);
            let until = match self.is_counted {
                true => learning.clone(),
                false => learning.paused_after(look, Arc::new(AtomicBool::new(true))),
            };
            let mut report = |stats| progress(LearnStats { judged, ..stats });
            let (end, stats) = self.learning.run(&until, &mut report);
            self.worked += begun.elapsed();
            if !matches!(end, LearnOutcome::Stopped(Stop::Paused)) {
                return self.report(end, stats, limits);
            }
            if self.worked >= self.next
                && !self.is_counted
                && let Err(fault) = self.look(stats.lower, limits)
            {
                return self.ended(LearnEnd::Fault(fault), stats);
            }
            if limits.reached() == Some(Stop::Paused) {
                return self.ended(LearnEnd::Stopped(Stop::Paused), stats);
            }
        }
    }

    /// The bound that was judged last.
    fn lower(&self) -> u32 {
        self.judged.as_ref().map_or(0, |&(lower, _)| lower)
    }

    /// Has what was learned judged, if it is more than before and does not take long.
    fn look(&mut self, lower: u32, limits: &Limits) -> Result<(), RejectedAnswerError> {
        self.next = self.worked + JUDGE_INTERVAL;
        if lower <= self.lower() {
            return Ok(());
        }
        let (begun, most) = (Instant::now(), self.worked / JUDGED_PART);
        let limits = limits.without_pauses().within(most);
        let list = self.learning.list();
        let looked = self.puzzle.judge_patterns(&list, &mut || limits.reached().is_none());
        self.next = match looked {
            Ok(_) => {
                self.judged = Some((lower, Arc::new(list)));
                self.next.max(self.worked + JUDGED_PART * begun.elapsed())
            }
            // It takes longer than that: twice as much later.
            Err(PatternError::Stopped) => 2 * self.worked,
            Err(PatternError::Refused(reason)) => return Err(refused(&reason)),
        };
        Ok(())
    }

    /// What was found out by now, as far as it was judged.
    fn ended(&self, end: LearnEnd, stats: LearnStats) -> LearnReport {
        let (lower, list) = match &self.judged {
            Some((lower, list)) => (*lower, list.clone()),
            None => self.only_potential(self.learning.list()),
        };
        let lost = match end {
            LearnEnd::Lost => lost_pieces(self.puzzle, self.pieces, &list),
            _ => Vec::new(),
        };
        LearnReport { end, stats: LearnStats { lower, judged: lower, ..stats }, list, lost }
    }

    /// Has what was learned judged at the end.
    fn report(&mut self, end: LearnOutcome, stats: LearnStats, limits: &Limits) -> LearnReport {
        let after = match limits.time_left() {
            None if self.is_counted => limits.without_pauses(),
            left => Limits::none().within(left.unwrap_or(GRACE_TIME).max(GRACE_TIME)),
        };
        let is_known = matches!(end, LearnOutcome::Stopped(_)) && stats.lower <= self.lower();
        let list = self.learning.list();
        let nothing = list.claim == Some(0) && stats.lower == 0;
        let mut unjudged = None;
        if !is_known && !nothing {
            match self.puzzle.judge_patterns(&list, &mut || after.reached().is_none()) {
                Ok(_) => self.judged = Some((stats.lower, Arc::new(list))),
                Err(PatternError::Stopped) => {
                    unjudged = Some(limits.reached().unwrap_or(Stop::Time))
                }
                Err(PatternError::Refused(reason)) => {
                    return self.ended(LearnEnd::Fault(refused(&reason)), stats);
                }
            }
        }
        let end = match (end, unjudged) {
            (LearnOutcome::Solved(shoves), stop) => found(self.puzzle, self.pieces, &shoves, stop),
            (LearnOutcome::Stopped(stop), _) | (_, Some(stop)) => LearnEnd::Stopped(stop),
            (LearnOutcome::Lost, None) => LearnEnd::Lost,
            (LearnOutcome::Refuted, None) => LearnEnd::Excluded,
        };
        self.ended(end, stats)
    }

    /// The list that shows no more than that a plan is not shorter than the potential says, which is
    /// judged in no time.
    fn only_potential(&self, list: PatternList) -> (u32, Arc<PatternList>) {
        let lower = self.pieces.field().lower;
        let list = PatternList {
            claim: Some(lower.saturating_sub(1)),
            zones: Vec::new(),
            root: Vec::new(),
            patterns: Vec::new(),
            ..list
        };
        let is_shown = self.puzzle.judge_patterns(&list, &mut || true).is_ok();
        (if is_shown { lower } else { 0 }, Arc::new(list))
    }
}

fn refused(reason: &impl std::fmt::Display) -> RejectedAnswerError {
    RejectedAnswerError(format!("the patterns are refused: {reason}"))
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
    judged_plan(puzzle, &plan)
        .map_or_else(LearnEnd::Fault, |verified| LearnEnd::Found(verified, unjudged))
}
