//! Who answers questions about the game while it goes on: a thread of its own, which gives up a
//! question when a newer one comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::Duration;
use unstuck::atlas::Atlas;
use unstuck::backend::varisat::Varisat;
use unstuck::instance::{Instance, atlas};
use unstuck::limits::Limits;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::{MoveClass, diagnose};
use unstuck::questions::forced::{ForcedFacts, forced};
use unstuck::questions::hint::{Hint, along, hint, piece_of};
use unstuck::questions::sentences;
use unstuck::solve::{Event, Request, solve};
use unstuck_puzzles::constraints::Constraints;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HintRequest {
    /// What to do next after these moves; what was pushed last, in words.
    Hint(String, Option<String>),
    /// What each of these moves did.
    Diagnosis(String),
}

/// A way to the end, of which as much is shown as is wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Guidance {
    /// Whether there is a solution from here; `None` when that is not known in time.
    pub solvable: Option<bool>,
    /// How far it is, in words.
    pub rest: Option<String>,
    /// The push that comes next, and what it pushes.
    pub next: Option<(String, String)>,
    /// The moves up to that push.
    pub first: Vec<String>,
    /// All moves to the end; of a drawing, the whole solution as one.
    pub whole: Vec<String>,
    /// Whether these are the moves up to the first push only: the others are still being looked for.
    pub is_partial: bool,
    /// What can be deduced, for drawings.
    pub deduced: Option<ForcedFacts>,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(super) enum HintResponse {
    /// To [`HintRequest::Hint`].
    Way(Box<Guidance>),
    /// To [`HintRequest::Diagnosis`]: a class for each move, as far as it is known.
    Classes(Vec<Option<MoveClass>>),
}

/// The thread, as the game sees it.
pub(super) struct HintWorker {
    asked: Sender<(HintRequest, Limits)>,
    responses: Receiver<(HintRequest, HintResponse)>,
    /// Ends what is under way.
    stop: Arc<AtomicBool>,
    limits: Limits,
    time: Duration,
}

impl HintWorker {
    /// Starts the thread; `time` is for each question.
    pub(super) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        instance: &'scope dyn Instance,
        limits: Limits,
        time: Duration,
    ) -> Self {
        let (asked, questions) = channel::<(HintRequest, Limits)>();
        let (answers, responses) = channel();
        scope.spawn(move || {
            let mut game = Analysis::new(instance, &Constraints::default());
            while let Ok((asked, limits)) = questions.recv() {
                let soon =
                    |way| drop(answers.send((asked.clone(), HintResponse::Way(Box::new(way)))));
                let answer = answer(instance, game.as_mut(), &asked, &soon, &limits);
                if answers.send((asked, answer)).is_err() {
                    return;
                }
            }
        });
        Self { asked, responses, stop: Arc::default(), limits, time }
    }

    /// Asks; what was asked before is given up.
    pub(super) fn ask(&mut self, asked: HintRequest) {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        let limits = self.limits.within(self.time).cancelled_by(self.stop.clone());
        // A thread that is gone answers nothing.
        let _ = self.asked.send((asked, limits));
    }

    /// What has been answered since the last time.
    pub(super) fn responses(&self) -> Vec<(HintRequest, HintResponse)> {
        self.responses.try_iter().collect()
    }
}

impl Drop for HintWorker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn answer(
    instance: &dyn Instance,
    game: Option<&mut Analysis<'_>>,
    asked: &HintRequest,
    soon: &(dyn Fn(Guidance) + Sync),
    limits: &Limits,
) -> HintResponse {
    match (asked, game) {
        (HintRequest::Hint(..), None) => HintResponse::Way(Box::new(solution(instance, limits))),
        (HintRequest::Hint(moves, last), Some(_)) => {
            let way = way(instance, moves, last.as_deref(), soon, limits);
            HintResponse::Way(Box::new(way.unwrap_or_default()))
        }
        (HintRequest::Diagnosis(_), None) => HintResponse::Classes(Vec::new()),
        (HintRequest::Diagnosis(moves), Some(game)) => {
            let played = game.atlas.play(moves).expect("the moves of a game");
            let judged = diagnose(game, &played, limits).moves;
            HintResponse::Classes(judged.into_iter().map(|it| it.class).collect())
        }
    }
}

/// The way from a position of a game; any way as `soon` as there is one, while it is not known
/// whether it is shortest.
fn way(
    instance: &dyn Instance,
    moves: &str,
    last: Option<&str>,
    soon: &(dyn Fn(Guidance) + Sync),
    limits: &Limits,
) -> Option<Guidance> {
    let later = instance.continued(moves).ok()?;
    let is_first = AtomicBool::new(true);
    let on_event = |event: &Event| {
        let Event::Known(outcome) = event else { return };
        if let Some(plan) = &outcome.best
            && is_first.swap(false, Ordering::Relaxed)
            && let Some(mut atlas) = atlas(later.as_ref(), &Constraints::default())
        {
            let found = along(plan, atlas.as_mut(), usize::MAX);
            soon(guidance(&found, later.as_ref(), atlas.as_mut()));
        }
    };
    let mut game = Analysis::new(later.as_ref(), &Constraints::default())?.with_progress(on_event);
    // Which of several shortest ways is the nearest takes time at each of its pushes; the first is
    // what was asked about.
    let first = hint(&mut game, last, 1, limits);
    if first.solvable.is_some() {
        let first = guidance(&first, later.as_ref(), game.atlas.as_mut());
        soon(Guidance { is_partial: true, ..first });
    }
    let whole = hint(&mut game, last, usize::MAX, limits);
    Some(guidance(&whole, later.as_ref(), game.atlas.as_mut()))
}

/// A hint as it is shown.
fn guidance(found: &Hint, instance: &dyn Instance, atlas: &mut dyn Atlas) -> Guidance {
    let first = found.way.first().and_then(|push| atlas.plan(std::slice::from_ref(push)));
    let mut letters = |moves: &Option<String>| -> Vec<String> {
        let game = moves.as_ref().and_then(|moves| atlas.play(moves).ok());
        game.map_or_else(Vec::new, |game| game.moves.into_iter().map(|it| it.text).collect())
    };
    let (first, whole) = (letters(&first), letters(&found.moves));
    let objective = instance.asked();
    Guidance {
        solvable: found.solvable,
        rest: match found.at_most {
            Some(most) => {
                Some(format!("at most {}", instance.measures().first(objective).count(most)))
            }
            None => found.rest.map(|rest| {
                let rest = sentences::cost(instance.measures(), objective, rest);
                format!("{rest}, and not fewer")
            }),
        },
        next: found.pushes().first().map(|push| (push.clone(), piece_of(push).to_owned())),
        first,
        whole,
        ..Guidance::default()
    }
}

/// The solution of a puzzle without moves, and what leads to it.
fn solution(instance: &dyn Instance, limits: &Limits) -> Guidance {
    let request = Request::default().with_limits(limits.clone());
    let outcome = solve(instance, &request, &|_| {}).ok();
    let best = outcome.and_then(|outcome| outcome.best);
    let deduced = forced(instance, &Varisat, limits).ok();
    Guidance {
        solvable: deduced
            .as_ref()
            .and_then(|it| it.figures.solvable)
            .or(best.as_ref().map(|_| true)),
        whole: best.into_iter().map(|best| best.text().to_owned()).collect(),
        deduced,
        ..Guidance::default()
    }
}
