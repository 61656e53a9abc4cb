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
    /// Work after which it ends, in states that a search would look at for as much.
    pub max_states: Option<u64>,
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
            max_states: None,
            tuning: &Tuning::DEFAULT,
        }
    }
}

/// Learning about a field.
pub trait Learning: Send {
    /// Learns until the end, or until a limit strikes: asked again, it goes on where it was. The limits
    /// are then the same, but for pauses.
    fn run(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> (LearnOutcome, LearnStats);

    /// The list that shows the lower bound (or that there is no plan). It has not been judged yet.
    fn list(&self) -> PatternList;
}

/// A search for a shortest plan, learning; `None` when the field is too large.
pub fn learn<'a, R: Pieces>(
    pieces: &'a R,
    learn_options: LearnOptions<'a>,
) -> Option<Box<dyn Learning + 'a>> {
    if pieces.field().pieces.len() > MAX_PIECES {
        return None;
    }
    // A set of sites takes as few words as possible.
    Some(match pieces.field().sites() {
        0..=128 => Box::new(Provers::<R, 2>::new(pieces, learn_options)),
        129..=256 => Box::new(Provers::<R, 4>::new(pieces, learn_options)),
        257..=MAX_SITES => Box::new(Provers::<R, 40>::new(pieces, learn_options)),
        _ => return None,
    })
}

/// The threads that learn.
struct Provers<'a, R, const W: usize> {
    pieces: &'a R,
    learn_options: LearnOptions<'a>,
    threads: usize,
    /// Raised by the first thread that knows the answer.
    over: Arc<AtomicBool>,
    exchange: Option<Arc<Exchange<W>>>,
    /// One a thread, once it has begun.
    provers: Vec<Prover<'a, W>>,
    /// The prover that knows most.
    best: usize,
}

impl<'a, R: Pieces, const W: usize> Provers<'a, R, W> {
    fn new(pieces: &'a R, learn_options: LearnOptions<'a>) -> Self {
        let many = has_threads() && !learn_options.unsolvability_only;
        let threads = if many { learn_options.threads.clamp(1, store::MAX_THREADS) } else { 1 };
        let exchange = (threads > 1).then(Arc::default);
        let (over, provers) = (Arc::default(), Vec::new());
        Self { pieces, learn_options, threads, over, exchange, provers, best: 0 }
    }
}

impl<R: Pieces, const W: usize> Learning for Provers<'_, R, W> {
    fn run(
        &mut self,
        limits: &Limits,
        progress: &mut dyn FnMut(LearnStats),
    ) -> (LearnOutcome, LearnStats) {
        let Self { pieces, learn_options, threads, over, exchange, provers, best } = self;
        let (learn_options, over) = (*learn_options, &*over);
        over.store(false, Ordering::Relaxed);
        let limits = &limits.clone().cancelled_by(over.clone());
        let begun = provers.len();
        provers.extend((begun..*threads).map(|thread| {
            let LearnOptions { simple, tuning, max_states, .. } = learn_options;
            let field = pieces.field();
            let known = KnowledgeBase::<W>::new(field, !simple, tuning, (thread, *threads));
            Prover::new(known, limits.without_pauses(), max_states, exchange.clone())
        }));
        let one = move |prover: &mut Prover<'_, W>, progress: &mut dyn FnMut(LearnStats)| {
            let end = prove(prover, learn_options, limits, progress);
            if !matches!(end, LearnOutcome::Stopped(_)) {
                over.store(true, Ordering::Relaxed);
            }
            end
        };
        let mut ends = Vec::new();
        machine::scope(|scope| {
            let (first, others) = provers.split_first_mut().expect("there is a thread");
            let others = others.iter_mut();
            let others: Vec<_> =
                others.map(|prover| scope.spawn(move || one(prover, &mut |_| {}))).collect();
            ends.push(one(first, progress));
            ends.extend(others.into_iter().map(machine::JoinHandle::join));
        });
        // All threads know of the same bound, or nearly so, when a limit struck.
        let knows = |&at: &usize| {
            (!matches!(ends[at], LearnOutcome::Stopped(_)), provers[at].stats().lower)
        };
        *best = (0..ends.len()).max_by_key(knows).expect("there is a thread");
        (ends.swap_remove(*best), provers[*best].stats())
    }

    fn list(&self) -> PatternList {
        let prover = &self.provers[self.best];
        list::list(self.pieces, &prover.known, prover.root.as_ref())
    }
}

/// What one of several threads does.
fn prove<const W: usize>(
    prover: &mut Prover<'_, W>,
    learn_options: LearnOptions<'_>,
    limits: &Limits,
    progress: &mut dyn FnMut(LearnStats),
) -> LearnOutcome {
    let field = prover.known.board.field;
    // Waste up to this is to be refuted.
    let enough =
        learn_options.exclude.map(|length| Some(length.checked_sub(field.lower)? / field.unit));
    match enough {
        _ if learn_options.unsolvability_only => prover.look(),
        // The potential alone excludes it.
        Some(None) => LearnOutcome::Refuted,
        Some(enough) => prover.run(enough, limits, progress),
        None => prover.run(None, limits, progress),
    }
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
