//! What schedules promise: every engine that has something to say gets its turn, with any number of
//! threads and with none, and all together need little more than the best of them alone.

use crate::common::{expected, objective, open};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unstuck::instance::Instance;
use unstuck::ledger::{Engine, SolveError, Task, Work};
use unstuck::limits::Limits;
use unstuck::machine::without_threads;
use unstuck::registry::{FAMILIES, by_name};
use unstuck::solve::schedule::{self, Lane, Schedule, Stage};
use unstuck::solve::{EngineChoice, Event, Outcome, Request, Tuning, Verdict, solve, solve_by};
use unstuck_puzzles::Objective;

/// Numbers of threads; zero for a machine without any.
const THREADS: [usize; 4] = [0, 1, 2, 4];

fn on_threads<T>(threads: usize, work: impl FnOnce() -> T) -> T {
    if threads == 0 { without_threads(work) } else { work() }
}

/// What engines that have worked have in common.
#[derive(Default)]
struct Seen {
    worked: Mutex<BTreeSet<&'static str>>,
    wanted: BTreeSet<&'static str>,
    /// Raised when all that are wanted have worked.
    enough: Arc<AtomicBool>,
}

/// An engine that notes that it works.
struct Noted(&'static dyn Engine, Arc<Seen>);

impl Engine for Noted {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn offers(&self, task: Task<'_>) -> Result<(), SolveError> {
        self.0.offers(task)
    }

    fn work<'a>(&'a self, task: Task<'a>) -> Work<'a> {
        let mut work = self.0.work(task);
        Box::new(move |ledger, budget| {
            let mut worked = self.1.worked.lock().expect("no panic");
            worked.insert(self.name());
            if self.1.wanted.is_subset(&worked) {
                self.1.enough.store(true, Ordering::Relaxed);
            }
            drop(worked);
            work(ledger, budget)
        })
    }
}

/// The same schedule with engines that note that they work.
fn noted(schedule: &Schedule, seen: &Arc<Seen>) -> Schedule {
    let stages = |stages: &[Stage]| -> &'static [Stage] {
        let noted = stages.iter().map(|stage| Stage {
            engine: Box::leak(Box::new(Noted(stage.engine, seen.clone()))),
            ..*stage
        });
        noted.collect::<Vec<_>>().leak()
    };
    let lanes = schedule.lanes.iter().map(|lane| Lane { stages: stages(lane.stages), ..*lane });
    let lanes = lanes.collect::<Vec<_>>().leak();
    Schedule { name: schedule.name, lanes, afterwards: stages(schedule.afterwards) }
}

/// No lane waits for longer than a millisecond.
fn hasty() -> Tuning {
    let mut tuning = Tuning::default();
    for name in ["search_solo", "search_scout", "plans_solo", "learning_solo", "invariant_time"] {
        tuning.set(name, &[1]).expect("a millisecond is enough");
    }
    tuning
}

/// Far more than any engine can do at once: nothing ends before it is stopped.
const HALL: &str = "\
###############
#             #
# $ $ $ $ $ $ #
#  $ $ $ $ $  #
# $ $ $ $ $ $ #
#      @      #
###### ########
#            #
#..........  #
#.......     #
##############
";

/// Feature-space search soon has a plan, and A* takes long for a shortest one.
const SHELVES: &str = "\
#########
#   @   #
# $ $ $ #
#   #   #
#. .#. .#
#. # # .#
# $ $ $ #
#       #
#########
";

#[test]
fn every_engine_that_offers_itself_has_a_turn() {
    let sokoban = |objective| crate::common::sokoban(HALL, objective);
    for (objective, wanted) in [
        (Objective::Pushes, &["backward", "features", "horizons", "learning", "search"][..]),
        (Objective::Any, &["backward", "features", "learning", "search"]),
        // Nothing is learned about moves: then invariants are looked for.
        (Objective::Moves, &["features", "horizons", "invariant", "search"]),
    ] {
        let instance = sokoban(objective);
        for threads in THREADS {
            let enough = Arc::new(AtomicBool::new(false));
            let limits = Limits::new(Some(Duration::from_secs(120)), None);
            let request = Request::default()
                .with_threads(threads.max(1))
                .with_tuning(hasty())
                .with_limits(limits.with_flag(enough.clone()));
            let task = Task { instance: instance.as_ref(), request: &request };
            let seen = Seen { wanted: wanted.iter().copied().collect(), enough, ..Seen::default() };
            let seen = Arc::new(seen);
            let schedule = noted(schedule::of(task, unstuck::ledger::Goal::Answer), &seen);
            let outcome =
                on_threads(threads, || solve_by(&schedule, instance.as_ref(), &request, &|_| {}));
            outcome.expect("no fault");
            let worked = seen.worked.lock().expect("no panic");
            let idle: Vec<_> = seen.wanted.difference(&worked).collect();
            assert!(idle.is_empty(), "{objective:?}, {threads} threads: {idle:?} never worked");
        }
    }
}

/// Whatever ends a run, and whenever: what was said on the way still holds at its end.
#[test]
fn the_last_word_is_no_weaker_than_what_was_said_before() {
    let (mut bounds, mut plans) = (0, 0);
    for (threads, (board, objective)) in THREADS.into_iter().flat_map(|threads| {
        [(HALL, Objective::Pushes), (SHELVES, Objective::Moves)].map(|board| (threads, board))
    }) {
        let instance = crate::common::sokoban(board, objective);
        let cost = |known: &Outcome| Some(objective.primary(known.best.as_ref()?.tally()));
        for last in [3, 12] {
            let interrupted = Arc::new(AtomicBool::new(false));
            let limits = Limits::new(Some(Duration::from_secs(20)), None);
            let request = Request::default()
                .with_threads(threads.max(1))
                .with_tuning(hasty())
                .with_limits(limits.with_flag(interrupted.clone()));
            // How many events there were, the greatest bound, and the cheapest plan.
            let said = Mutex::new((0, 0, u32::MAX));
            let note = |event: &Event| {
                let (lower, upper) = match event {
                    Event::Known(known) => (Some(known.lower), cost(known)),
                    event => event.bounds(),
                };
                let mut said = said.lock().expect("no panic");
                said.0 += 1;
                said.1 = said.1.max(lower.unwrap_or(0));
                said.2 = said.2.min(upper.unwrap_or(u32::MAX));
                interrupted.fetch_or(said.0 >= last, Ordering::Relaxed);
            };
            let outcome = on_threads(threads, || solve(instance.as_ref(), &request, &note));
            let outcome = outcome.expect("no fault");
            let (_, lower, upper) = said.into_inner().expect("no panic");
            let what = format!("{objective:?}, {threads} threads, {last} events");
            assert!(outcome.lower >= lower, "{what}: {} after {lower}", outcome.lower);
            let best = cost(&outcome).unwrap_or(u32::MAX);
            assert!(best <= upper, "{what}: {best} after {upper}");
            bounds += u32::from(lower > 0);
            plans += u32::from(upper < u32::MAX);
        }
    }
    assert!(bounds >= 12 && plans >= 4, "{bounds} bounds, {plans} plans");
}

/// An engine that is in no schedule would never be missed by the test above.
#[test]
fn schedules_name_all_engines() {
    let named = |schedule: &Schedule, name: &str| {
        let mut stages = schedule.lanes.iter().flat_map(|lane| lane.stages);
        stages.any(|stage| stage.engine.name() == name)
    };
    for (name, schedules) in [
        ("search", 8),
        ("backward", 7),
        ("features", 9),
        ("weighted", 4),
        ("learning", 5),
        ("invariant", 3),
        ("horizons", 3),
        ("improvement", 2),
        ("steps", 1),
        ("counting", 1),
    ] {
        let all = schedule::ALL.iter().filter(|schedule| named(schedule, name));
        assert_eq!(all.count(), schedules, "{name}");
    }
}

/// How much one unit of an engine's work is, in tenths of a state of A*, by what it takes of the
/// processor: with one thread on six levels of XSokoban 134 us for A*, 13 backward, 142 for
/// improvement, 360 for features and 8,900 for a node of learning; on our own levels of all families
/// a conflict takes between one and three states.
fn weight(engine: &str) -> u64 {
    match engine {
        "search" | "weighted" | "improvement" => 10,
        "backward" => 1,
        "features" => 27,
        "learning" => 660,
        "horizons" | "counting" => 20,
        _ => 0,
    }
}

fn work(outcome: &Outcome) -> u64 {
    outcome.stages.iter().map(|stage| weight(stage.engine) * stage.work).sum()
}

/// What all may do before one of them is ahead.
const START: u64 = 5_000_000;

/// The most that an engine may take alone; what takes longer is no rival.
const ALONE: Duration = Duration::from_secs(20);

/// The most that all may take together, however busy the machine is.
const TOGETHER: Duration = Duration::from_secs(300);

/// Sixty of our own levels, of all families, every third of them without a solution.
fn sixty() -> Vec<(String, Box<dyn Instance>)> {
    let mut levels = Vec::new();
    for (family, solvable, unsolvable) in [
        ("sokoban", 11, 8),
        ("sokobond", 8, 4),
        ("snowman", 6, 4),
        ("warehouse", 8, 1),
        ("puzzlescript", 4, 1),
        ("flow", 4, 1),
    ] {
        let family = by_name(family).expect("registered");
        for (is_solvable, count) in [(true, solvable), (false, unsolvable)] {
            let all: Vec<_> = expected(family)
                .into_iter()
                .filter(|entry| (entry["verdict"] == "solved") == is_solvable)
                .filter(|entry| open(family, entry).puzzle.is_ok())
                // Two of them take minutes, whichever engine is asked.
                .filter(|entry| entry["file"] != "crowds.sok")
                .collect();
            assert!(all.len() >= count, "{}", family.name);
            // From the end, where the hard ones are, and evenly before.
            for entry in (0..count).map(|index| &all[all.len() - 1 - index * all.len() / count]) {
                let opened = open(family, entry).puzzle.expect("it was filtered");
                let mut instances = opened.instances(objective(family, entry)).expect("listed");
                levels.push((entry.to_string(), instances.remove(0)));
            }
        }
    }
    levels
}

#[test]
fn together_engines_need_at_most_twice_the_work_of_the_best() {
    let levels = sixty();
    assert_eq!(levels.len(), 60);
    assert!(
        FAMILIES
            .iter()
            .all(|family| { levels.iter().any(|(_, instance)| instance.family() == family.name) })
    );
    let (mut unsolvable, mut compared) = (0, 0);
    for (name, instance) in &levels {
        let solved = |choice, threads: usize, time| {
            let limits = Limits::new(Some(time), None);
            let request = Request::default().with_engine(choice).with_threads(threads.max(1));
            let request = request.with_limits(limits);
            on_threads(threads, || solve(instance.as_ref(), &request, &|_| {}))
        };
        let together = THREADS.map(|threads| {
            let outcome = solved(EngineChoice::Auto, threads, TOGETHER).expect("no fault");
            let is_settled = outcome.is_settled(instance.objective());
            assert!(is_settled, "{name}, {threads} threads: {:?}", outcome.verdict);
            (work(&outcome), outcome)
        });
        let least_verdict = together[0].1.verdict;
        assert!(together.iter().all(|(_, outcome)| outcome.verdict == least_verdict), "{name}");
        unsolvable += usize::from(least_verdict == Verdict::Unsolvable);
        // What is within the start needs no comparison.
        if together.iter().all(|&(work, _)| work <= START) {
            continue;
        }
        let alone = [EngineChoice::Search, EngineChoice::Learn, EngineChoice::Sat].map(|choice| {
            let outcome = solved(choice, 1, ALONE).ok()?;
            outcome.is_settled(instance.objective()).then(|| work(&outcome))
        });
        let best = alone.into_iter().flatten().min();
        println!("{name}: {:?}, alone {alone:?}", together.each_ref().map(|(work, _)| work));
        let Some(best) = best else { continue };
        compared += 1;
        for (threads, (work, outcome)) in THREADS.into_iter().zip(&together) {
            assert!(
                *work <= 2 * best + START,
                "{name}, {threads} threads: {work} for {best}: {:?}",
                outcome.stages
            );
        }
    }
    assert!(unsolvable >= 15, "{unsolvable}");
    println!("{compared} of 60 took longer than the start");
}
