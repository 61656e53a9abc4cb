//! What is true of many levels and positions, by many threads.
//!
//! A position is a level and the moves that lead there. Positions of one level that follow each other
//! share what is learned of it. What is asked of each is the same as of a single level: a short search
//! first, all engines afterwards.

use super::fault::{illegal, unfit};
use super::level::{Level, objective_of};
use super::waiting::{SIGNAL_INTERVAL, time};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use unstuck::atlas::{Atlas, CostToGo};
use unstuck::encodings::Cost;
use unstuck::instance::{Instance, SearchEnd, SearchReport, StateSpace};
use unstuck::limits::{Limits, Stop};
use unstuck::machine::{half_of_memory, lock};
use unstuck::puzzles::Objective;
use unstuck::puzzles::constraints::Constraints;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::enumerate::enumerate;
use unstuck::search::Strategy;
use unstuck::solve::{Outcome, Request, Verdict, solve};

/// States that a first search expands: most levels of collections made by machines need fewer.
const FIRST_STATES: u64 = 20_000;

/// Positions that are looked at from a position before all engines are asked: enough for what is
/// learned of all positions of a level to be made (see [`unstuck::atlas::Distances`]).
const FIRST_LOOK: usize = 20_000;

/// Positions of one level that one thread answers in one go.
const LARGEST_GROUP: usize = 256;

/// What is asked of each.
#[derive(Clone)]
struct Wanted {
    objective: Option<String>,
    /// Whether plans are wanted: of levels alone where that is left open.
    plans: Option<bool>,
    /// Whether shortest solutions are counted.
    count: bool,
    /// The most states that a search expands.
    states: Option<u64>,
    /// The time for each.
    timeout: Option<Duration>,
    /// What the process may hold; to ask for it takes as long as a label.
    memory: Option<u64>,
    interrupt: Arc<AtomicBool>,
}

/// What a thread has learned of the positions of a level.
struct KnownLevel {
    level: Py<Level>,
    atlas: Box<dyn Atlas>,
}

/// A level, and positions of it by their numbers.
struct Group {
    level: Py<Level>,
    positions: Vec<(usize, Option<String>)>,
}

/// What is true of a position.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Whether there is no solution; none where that is not known.
    dead: Option<bool>,
    distance: Option<u32>,
    optimum: Option<u32>,
    lower: Option<u32>,
    plan: Option<String>,
    optimal_plans: Option<u128>,
    unique: Option<bool>,
    shown_by: Option<String>,
    stopped_by: Option<&'static str>,
    reading: &'static str,
    fault: Option<String>,
}

/// A row as Python has it.
type RowView = (
    Option<bool>,
    Option<u32>,
    Option<u32>,
    Option<u32>,
    Option<String>,
    Option<u128>,
    Option<bool>,
    Option<String>,
    Option<&'static str>,
    &'static str,
);

/// What has been put in and not yet taken out.
#[derive(Default)]
struct Window {
    put: usize,
    taken: usize,
    open: Option<Group>,
    ready: BTreeMap<usize, Row>,
}

/// Labels of levels and positions, in the order in which those were put in.
#[pyclass(frozen, module = "unstuck._native")]
pub(crate) struct Labels {
    window: Mutex<Window>,
    groups: Mutex<Option<Sender<Group>>>,
    rows: Mutex<Receiver<(usize, Row)>>,
    interrupt: Arc<AtomicBool>,
}

#[pymethods]
impl Labels {
    #[new]
    #[pyo3(signature = (*, workers, objective, plans, count, states, timeout))]
    fn new(
        py: Python<'_>,
        workers: usize,
        objective: Option<String>,
        plans: Option<bool>,
        count: bool,
        states: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<Self> {
        let timeout = time(py, timeout)?;
        let interrupt = Arc::new(AtomicBool::new(false));
        let memory = half_of_memory();
        let flag = interrupt.clone();
        let wanted = Wanted { objective, plans, count, states, timeout, memory, interrupt: flag };
        let ((groups, queue), (send, rows)) = (channel(), channel());
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..workers.max(1) {
            let (queue, send, wanted) = (queue.clone(), send.clone(), wanted.clone());
            thread::spawn(move || {
                let mut known = None;
                loop {
                    let next = lock(&queue).recv();
                    let Ok(group) = next else { return };
                    if label(group, &mut known, &wanted, &send).is_none() {
                        return;
                    }
                }
            });
        }
        let (groups, rows) = (Mutex::new(Some(groups)), Mutex::new(rows));
        Ok(Self { window: Mutex::default(), groups, rows, interrupt })
    }

    /// How many were put in and not yet taken out.
    #[getter]
    fn pending(&self, py: Python<'_>) -> usize {
        let window = self.window.lock_py_attached(py).unwrap_or_else(|it| it.into_inner());
        window.put - window.taken
    }

    /// Puts a level in, or the position after some moves.
    fn put(&self, py: Python<'_>, level: Py<Level>, moves: Option<String>) {
        let mut window = self.window.lock_py_attached(py).unwrap_or_else(|it| it.into_inner());
        let number = window.put;
        window.put += 1;
        let fits =
            |group: &&mut Group| group.level.is(&level) && group.positions.len() < LARGEST_GROUP;
        match window.open.as_mut().filter(fits) {
            Some(group) => group.positions.push((number, moves)),
            None => {
                let group = Group { level, positions: vec![(number, moves)] };
                let full = window.open.replace(group);
                self.send(full);
            }
        }
    }

    /// The next label, which is waited for.
    fn take(&self, py: Python<'_>) -> PyResult<RowView> {
        let mut window = self.window.lock_py_attached(py).unwrap_or_else(|it| it.into_inner());
        let number = window.taken;
        let is_open =
            window.open.as_ref().is_some_and(|open| open.positions.iter().any(|it| it.0 == number));
        if is_open {
            let open = window.open.take();
            self.send(open);
        }
        let row = loop {
            if let Some(row) = window.ready.remove(&number) {
                break row;
            }
            let received = py.detach(|| lock(&self.rows).recv_timeout(SIGNAL_INTERVAL));
            match received {
                Ok((number, row)) => drop(window.ready.insert(number, row)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(unfit(py, "a worker has crashed: please report it"));
                }
            }
        };
        window.taken += 1;
        match row.fault {
            Some(fault) => Err(illegal(py, format!("item {number}: {fault}"))),
            None => Ok((
                row.dead,
                row.distance,
                row.optimum,
                row.lower,
                row.plan,
                row.optimal_plans,
                row.unique,
                row.shown_by,
                row.stopped_by,
                row.reading,
            )),
        }
    }

    /// Ends the workers, which leave what they are at.
    fn close(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
        lock(&self.groups).take();
    }
}

impl Labels {
    fn send(&self, group: Option<Group>) {
        if let (Some(group), Some(groups)) = (group, lock(&self.groups).as_ref()) {
            // Workers that have crashed are missed when their rows are.
            let _ = groups.send(group);
        }
    }
}

impl Drop for Labels {
    fn drop(&mut self) {
        self.close();
    }
}

/// Labels all of a group, with what is `known` where that is of the same level, and leaves there what is
/// known then; `None` once the labels are not wanted any more.
fn label(
    group: Group,
    known: &mut Option<KnownLevel>,
    wanted: &Wanted,
    send: &Sender<(usize, Row)>,
) -> Option<()> {
    let level = group.level.get();
    let objective = match objective_of(level.family, wanted.objective.as_deref()) {
        Ok(objective) => objective,
        Err(why) => {
            let row = Row::wrong(why);
            let mut numbers = group.positions.iter().map(|(number, _)| *number);
            return numbers.try_for_each(|number| send.send((number, row.clone())).ok());
        }
    };
    let readings = level.readings(objective);
    // The reading of positions: levels alone need no search for it.
    let at = LazyCell::new(|| counted(&readings));
    // What is learned of one position serves the next ones, where no plan is wanted of them.
    let shares = level.family.has_moves && wanted.plans != Some(true) && !wanted.count;
    let none = Constraints::default();
    // Which thread has a group is left to chance, and so is what it knows: nothing that a limit by
    // states may depend on.
    let mut earlier =
        known.take().filter(|it| wanted.states.is_none() && it.level.is(&group.level));
    let mut begin = || {
        let mut asked = Analysis::new(&*readings[*at], &none)?.with_first_look(FIRST_LOOK);
        if let Some(known) = earlier.take() {
            asked.atlas = known.atlas;
        }
        Some(asked)
    };
    let mut shared = None;
    for (number, moves) in &group.positions {
        let limits = limits(wanted);
        // A level that breaks something costs its own label and no other.
        let row = catch_unwind(AssertUnwindSafe(|| match moves.as_deref() {
            Some(moves) => {
                let mut asked = shared.get_or_insert_with(&mut begin).as_mut();
                if shares && !moves.contains('\n') {
                    return asked
                        .map_or_else(Row::default, |it| in_game(it, moves, wanted, &limits));
                }
                let spent = asked.as_mut().and_then(|asked| spent_by(asked, moves)).unwrap_or(0);
                alone(&readings[*at..=*at], Some((moves, spent)), wanted, &limits)
            }
            None => alone(&readings, None, wanted, &limits),
        }));
        let row = row.unwrap_or_else(|_| {
            shared = None;
            Row::wrong("internal error: please report it")
        });
        send.send((*number, row)).ok()?;
    }
    *known = shared.flatten().map(|asked| KnownLevel { atlas: asked.atlas, level: group.level });
    Some(())
}

/// What a short search shows; nothing where there is none, or it has met a move whose end is not known.
fn searched(instance: &dyn Instance, most: u64, limits: &Limits) -> Option<SearchReport> {
    let strategy = Strategy { max_expanded: Some(most), ..Strategy::default() };
    let states = instance.capability::<dyn StateSpace>()?;
    let report = states.search(strategy, limits, &mut |_| {});
    let is_whole = !instance.moves().is_some_and(|game| game.met_unknown_move());
    is_whole.then_some(report)
}

/// The reading that positions are of: the first that a short search does not show to have no solution.
pub(crate) fn counted(readings: &[Box<dyn Instance>]) -> usize {
    let is_lost = |instance: &dyn Instance| {
        let report = searched(instance, FIRST_STATES, &Limits::none());
        report.is_some_and(|report| matches!(report.end, SearchEnd::Exhausted))
    };
    let last = readings.len() - 1;
    readings[..last].iter().position(|instance| !is_lost(instance.as_ref())).unwrap_or(last)
}

fn limits(wanted: &Wanted) -> Limits {
    Limits::new(wanted.timeout, wanted.memory).with_flag(wanted.interrupt.clone())
}

/// A position of a game of which others are known.
fn in_game(asked: &mut Analysis<'_>, moves: &str, wanted: &Wanted, limits: &Limits) -> Row {
    let game = match asked.atlas.play(moves) {
        Ok(game) => game,
        Err(error) => return Row::wrong(error),
    };
    if let Some(refused) = game.stop {
        return Row::wrong(refused);
    }
    let at = game.moves.last().map_or_else(|| asked.atlas.start(), |step| step.to);
    let spent = game.moves.iter().fold(Cost::ZERO, |spent, step| spent + step.cost);
    let rest = match wanted.states {
        Some(states) => {
            let most = usize::try_from(states).unwrap_or(usize::MAX);
            asked.atlas.cost_to_go_within(at, None, most, limits)
        }
        None => asked.rest_after(moves, at, false, limits).cost,
    };
    let shown_by = matches!(rest, CostToGo::Exactly(_) | CostToGo::Never);
    Row {
        dead: match rest {
            CostToGo::Never => Some(true),
            CostToGo::Exactly(_) => Some(false),
            CostToGo::AtLeast(_) | CostToGo::Stopped(..) => None,
        },
        distance: rest.exactly().map(Cost::primary),
        optimum: rest.exactly().map(|rest| (spent + rest).primary()),
        lower: rest.at_least().map(Cost::primary),
        shown_by: shown_by.then(|| "search of the level's positions".to_owned()),
        stopped_by: stop_name(rest.stop(), wanted),
        reading: asked.instance().reading(),
        ..Row::default()
    }
}

/// The limit that struck: states, where those were limited.
fn stop_name(stop: Option<Stop>, wanted: &Wanted) -> Option<&'static str> {
    match stop? {
        Stop::Memory if wanted.states.is_some() => Some("states"),
        stop => Some(stop.name()),
    }
}

/// A level, or a position as a level of its own, with the moves that lead there and what they cost:
/// under the first reading that has a solution.
fn alone(
    readings: &[Box<dyn Instance>],
    moves: Option<(&str, u32)>,
    wanted: &Wanted,
    limits: &Limits,
) -> Row {
    let mut last = Row::default();
    for instance in readings {
        let later;
        let instance = match moves {
            None => instance.as_ref(),
            Some((moves, _)) => match instance.continued(moves) {
                Err(error) => {
                    last = Row::wrong(error);
                    continue;
                }
                Ok(instance) => {
                    later = instance;
                    later.as_ref()
                }
            },
        };
        let spent = moves.map_or(0, |(_, spent)| spent);
        last = solved(instance, wanted, limits);
        last.reading = instance.reading();
        if wanted.plans == Some(false) {
            last.plan = None;
        }
        last.optimum = last.distance.map(|distance| distance + spent);
        if wanted.count && last.dead == Some(false) {
            let none = Constraints::default();
            if let Some(mut asked) = Analysis::new(instance, &none) {
                let counted = enumerate(&mut asked, 0, limits);
                (last.optimal_plans, last.unique) = (counted.plans, counted.is_unique());
            }
        }
        if last.dead != Some(true) {
            break;
        }
    }
    last
}

/// What moves have cost; nothing for a position that is drawn.
fn spent_by(asked: &mut Analysis<'_>, moves: &str) -> Option<u32> {
    let game = asked.atlas.play(moves).ok()?;
    Some(game.moves.iter().fold(Cost::ZERO, |spent, step| spent + step.cost).primary())
}

/// The verdict on one instance: by a short search where that is enough, else by all engines.
fn solved(instance: &dyn Instance, wanted: &Wanted, limits: &Limits) -> Row {
    let most = wanted.states.map_or(FIRST_STATES, |states| states.min(FIRST_STATES));
    let report = (instance.objective() != Objective::Any).then(|| searched(instance, most, limits));
    if let Some(report) = report.flatten() {
        let shown_by = Some(match report.bound {
            Some(bound) => format!("exhaustive search with the bound {bound}"),
            None => "exhaustive search".to_owned(),
        });
        match report.end {
            SearchEnd::Found(plan) => {
                let cost = Some(instance.objective().primary(plan.tally()));
                return Row {
                    dead: Some(false),
                    distance: cost,
                    lower: cost,
                    plan: Some(plan.text().to_owned()),
                    shown_by,
                    ..Row::default()
                };
            }
            SearchEnd::Exhausted => return Row { dead: Some(true), shown_by, ..Row::default() },
            SearchEnd::Stopped(_) => {}
            SearchEnd::Fault(fault) => return Row::wrong(fault),
        }
    }
    let request = Request::default()
        .with_threads(1)
        .with_solutions(2)
        .with_states(wanted.states)
        .with_limits(limits.clone());
    match solve(instance, &request, &|_| {}) {
        Ok(outcome) => Row::of(instance, &outcome),
        Err(error) => Row::wrong(error),
    }
}

impl Row {
    fn wrong(why: impl ToString) -> Self {
        Self { fault: Some(why.to_string()), ..Self::default() }
    }

    fn of(instance: &dyn Instance, outcome: &Outcome) -> Self {
        let objective = instance.objective();
        let counted = objective != Objective::Any;
        let best = outcome.best.as_ref();
        let unique = outcome.solutions.as_ref().and_then(|solutions| {
            match (solutions.others.is_empty(), solutions.complete) {
                (false, _) => Some(false),
                (true, true) => best.map(|_| true),
                (true, false) => None,
            }
        });
        Self {
            dead: match outcome.verdict {
                Verdict::Unsolvable => Some(true),
                Verdict::Solved => Some(false),
                Verdict::NoSolutionWithin(_) | Verdict::Unknown(_) => None,
            },
            distance: best
                .filter(|_| outcome.optimal && counted)
                .map(|plan| objective.primary(plan.tally())),
            lower: counted.then_some(outcome.lower),
            plan: best.map(|plan| plan.text().to_owned()),
            optimal_plans: (unique == Some(true)).then_some(1),
            unique,
            shown_by: outcome.shown.as_ref().map(ToString::to_string),
            stopped_by: outcome.stop.map(Stop::name),
            ..Self::default()
        }
    }
}
