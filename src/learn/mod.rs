//! Learning dead patterns: a search for shortest plans that keeps the reason of every dead end.
//!
//! It knows no puzzle: a [`Field`](unstuck_encodings::Field) says where pieces are, how they are
//! shoved and what each shove wastes. What is learned is an **entry**: pieces on some sites, with
//! the walker in one part of the ground without them, waste at least so much, whatever else is on
//! the field. Entries of different pieces add up. A **negative** entry speaks also of sites without
//! pieces, and of the waste of all pieces together.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `sets` | sets of sites, and finding those within another |
//! | `field_tables` | the field in such sets, states |
//! | `pairs` | what every two pieces waste |
//! | `store` | the entries, and finding those that a state contains |
//! | `pack` | disjoint entries that add up |
//! | `reason` | why a state is ruled out |
//! | `freeze`, `walls`, `leaves` | pieces that stand still, and matchings around them |
//! | `zone` | the exact contents of a zone around the goals |
//! | `outside` | what pieces waste outside such a zone |
//! | `cover` | all these means together: is a state ruled out? |
//! | `closure` | from the reasons of what follows to the reason of a state |
//! | `exchange` | threads that share what they learned |
//! | `prover` | the search, its runs and their order |
//! | `dead_states` | fields without any plan |
//! | `list` | what a claim rests on, for the judge |
//!
//! `docs/dead-patterns.md` has definitions, figures and sources.

mod closure;
mod cover;
mod dead_states;
mod exchange;
mod field_tables;
mod freeze;
mod leaves;
mod list;
mod outside;
mod pack;
mod pairs;
mod prover;
mod reason;
mod sets;
mod store;
mod walls;
mod zone;

pub use prover::{LearnOutcome, LearnStats};

use crate::limits::Limits;
use crate::machine::{self, has_threads};
use crate::tuning::Tuning;
use cover::KnowledgeBase;
use exchange::Exchange;
use prover::Prover;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unstuck_encodings::pieces::Pieces;
use unstuck_puzzles::patterns::PatternList;

/// Most sites of a field.
pub const MAX_SITES: usize = 40 * 64;

/// Most pieces of a field.
pub const MAX_PIECES: usize = field_tables::MAX_PIECES - 1;

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnOptions<'a> {
    /// Stop when all plans of at most this length are excluded.
    pub exclude: Option<u32>,
    /// Only entries that stand alone: no sums, no matchings, no empty sites. Such a list can be
    /// said in clauses.
    pub simple: bool,
    /// Only look whether there is no plan at all, and why; nothing is said of shortest ones.
    pub unsolvability_only: bool,
    /// How many threads learn; 0 is taken for 1. With one of them each run is like the other.
    pub threads: usize,
    /// The numbers that were found by experiment.
    pub tuning: &'a Tuning,
}

impl Default for LearnOptions<'_> {
    fn default() -> Self {
        Self {
            exclude: None,
            simple: false,
            unsolvability_only: false,
            threads: 1,
            tuning: &Tuning::DEFAULT,
        }
    }
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct LearnResult {
    /// How it ended.
    pub end: LearnOutcome,
    /// What was done, with the lower bound reached.
    pub stats: LearnStats,
    /// The list that shows the lower bound (or that there is no plan). It has not been judged yet.
    pub list: PatternList,
}

/// Searches for a shortest plan, learning; `None` when the field is too large.
pub fn learn<R: Pieces>(
    pieces: &R,
    learn_options: LearnOptions<'_>,
    limits: &Limits,
    progress: &mut dyn FnMut(LearnStats),
) -> Option<LearnResult> {
    if pieces.field().pieces.len() > MAX_PIECES {
        return None;
    }
    // A set of sites takes as few words as possible.
    Some(match pieces.field().sites() {
        0..=128 => run::<R, 2>(pieces, learn_options, limits, progress),
        129..=256 => run::<R, 4>(pieces, learn_options, limits, progress),
        257..=MAX_SITES => run::<R, 40>(pieces, learn_options, limits, progress),
        _ => return None,
    })
}

fn run<R: Pieces, const W: usize>(
    pieces: &R,
    learn_options: LearnOptions<'_>,
    limits: &Limits,
    progress: &mut dyn FnMut(LearnStats),
) -> LearnResult {
    let many = has_threads() && !learn_options.unsolvability_only;
    let threads = if many { learn_options.threads.clamp(1, store::MAX_THREADS) } else { 1 };
    if threads == 1 {
        return alone::<R, W>(pieces, learn_options, limits, (0, 1), None, progress);
    }
    let exchange = Exchange::default();
    // Raised by the first thread that knows the answer.
    let over = Arc::new(AtomicBool::new(false));
    let limits = limits.clone().cancelled_by(over.clone());
    let one = |thread, progress: &mut dyn FnMut(LearnStats)| {
        let at = (thread, threads);
        let learned = alone::<R, W>(pieces, learn_options, &limits, at, Some(&exchange), progress);
        let has_ended = !matches!(learned.end, LearnOutcome::Stopped(_));
        (has_ended && !over.swap(true, Ordering::Relaxed), learned)
    };
    let (one, mut all) = (&one, Vec::new());
    machine::scope(|scope| {
        let others: Vec<_> =
            (1..threads).map(|thread| scope.spawn(move || one(thread, &mut |_| {}))).collect();
        all.push(one(0, progress));
        all.extend(others.into_iter().map(machine::JoinHandle::join));
    });
    // All threads know of the same bound, or nearly so, when a limit struck.
    let best = all.into_iter().max_by_key(|(first, learned)| (*first, learned.stats.lower));
    best.expect("there is a thread").1
}

/// What one of several threads does; `at` says which, and of how many.
fn alone<R: Pieces, const W: usize>(
    pieces: &R,
    learn_options: LearnOptions<'_>,
    limits: &Limits,
    at: (usize, usize),
    exchange: Option<&Exchange<W>>,
    progress: &mut dyn FnMut(LearnStats),
) -> LearnResult {
    let field = pieces.field();
    let LearnOptions { simple, tuning, .. } = learn_options;
    let known = KnowledgeBase::<W>::new(field, !simple, tuning, at);
    let mut prover = Prover::new(known, limits, exchange);
    // Waste up to this is to be refuted.
    let enough =
        learn_options.exclude.map(|length| Some(length.checked_sub(field.lower)? / field.unit));
    let end = match enough {
        _ if learn_options.unsolvability_only => prover.look(),
        // The potential alone excludes it.
        Some(None) => LearnOutcome::Refuted,
        Some(enough) => prover.run(enough, progress),
        None => prover.run(None, progress),
    };
    let list = list::list(pieces, &prover.known, prover.root.as_ref());
    LearnResult { end, stats: prover.stats(), list }
}

/// What the pieces at the start waste by what is known outside zones, alone and with the contents of
/// zones, each as a list for the judge with the waste that it shows; for a test of all.
#[cfg(test)]
pub(crate) fn shown_at_the_start<R: Pieces>(
    pieces: &R,
    budget: u32,
    limits: &Limits,
) -> Vec<(u32, PatternList)> {
    use field_tables::State;
    let field = pieces.field();
    let tuning = &Tuning::DEFAULT;
    let mut known = KnowledgeBase::<2>::new(field, true, tuning, (0, 1));
    if !known.board.is_full() {
        return Vec::new();
    }
    known.extend_zones(budget, 5_000, limits);
    let state = State::new(&field.pieces, field.walker);
    let outside = state.all() & !state.on(&known.board.goals);
    let mut alone = outside::Outside::new(0, known.zone_sites(0), tuning, limits);
    let KnowledgeBase { board, store, .. } = &mut known;
    let alone = alone.more_than(board, store, &state, outside, budget, &mut 20_000);
    assert!(alone.as_ref().is_none_or(|alone| alone.value > budget));
    known.allowance = 20_000;
    let empty = known.board.ground.minus(&state.sites(state.all()));
    let both: Vec<_> = (1..8)
        .filter_map(|budget| known.by_zone(&state, state.all(), budget, &empty))
        .filter(|both| both.ids.len() > 1)
        .collect();
    let reasons = alone.into_iter().chain(both);
    reasons.map(|reason| (reason.value, list::list(pieces, &known, Some(&reason)))).collect()
}
