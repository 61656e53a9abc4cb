//! Schedules as a whole: whatever works beside what, the answer is that of exhaustive search.

use super::schedule::{Lane, Stage, StartCondition, ThreadShare};
use super::*;
use crate::engines::backward::BackwardEngine;
use crate::engines::features::FeatureEngine;
use crate::engines::horizons::HorizonEngine;
use crate::engines::invariant::InvariantEngine;
use crate::engines::learning::LearningEngine;
use crate::engines::search::SearchEngine;
use crate::engines::steps::StepEngine;
use crate::engines::weighted::{WeightedAttempts, WeightedEngine};
use crate::instance::{SearchEnd, StateSpace};
use crate::ledger::{Engine, EngineEnd, Work};
use crate::machine;
use crate::registry::sampled;
use crate::search::Strategy;
use std::sync::Mutex;
use std::time::Duration;
use unstuck_puzzles::Objective;

/// What search alone says of a puzzle: the cost of a cheapest plan, if there is one.
fn truth(instance: &dyn Instance) -> Option<Option<(u32, u32)>> {
    let strategy = Strategy { max_states: Some(3_000), ..Strategy::default() };
    let states = instance.capability::<dyn StateSpace>()?;
    let objective = instance.objective();
    match states.search(strategy, &Limits::none(), &mut |_| {}).end {
        SearchEnd::Found(plan) => {
            Some(Some((objective.primary(plan.tally()), objective.secondary(plan.tally()))))
        }
        SearchEnd::Exhausted => Some(None),
        SearchEnd::Stopped(_) | SearchEnd::Fault(_) => None,
    }
}

/// No lane waits, so that on small boards, too, every lane has its turn.
fn hasty() -> Tuning {
    let mut tuning = Tuning::default();
    for name in [
        "search_solo",
        "search_scout",
        "plans_solo",
        "learning_solo",
        "learning_overtakes",
        "invariant_time",
        "horizons_solo",
    ] {
        tuning.set(name, &[0]).expect("it may be none");
    }
    tuning
}

/// Asserts that an outcome says what is so.
fn assert_true(outcome: &Outcome, objective: Objective, truth: Option<(u32, u32)>, what: &str) {
    // A run that was not stopped has not stopped by itself.
    assert_eq!(outcome.stop, None, "{what}");
    let tally = outcome.best.as_ref().map(|plan| plan.tally());
    match truth {
        None => assert_eq!(outcome.verdict, Verdict::Unsolvable, "{what}"),
        Some(_) if objective == Objective::Any => {
            assert_eq!(outcome.verdict, Verdict::Solved, "{what}");
        }
        Some((primary, secondary)) => {
            let tally = tally.unwrap_or_else(|| panic!("{what}: {:?}", outcome.verdict));
            assert_eq!(objective.primary(tally), primary, "{what}");
            assert_eq!(outcome.lower, primary, "{what}");
            assert!(outcome.optimal, "{what}");
            if outcome.tie_optimal {
                assert_eq!(objective.secondary(tally), secondary, "{what}");
            }
        }
    }
}

#[test]
fn every_schedule_agrees_with_exhaustive_search() {
    let mut used = std::collections::BTreeMap::<&str, u32>::new();
    for seed in 0..24 {
        for (family, objective) in [
            ("sokoban", Objective::Pushes),
            ("sokoban", Objective::Any),
            ("sokoban", Objective::PushesMoves),
            ("sokobond", Objective::Moves),
            ("snowman", Objective::Pushes),
            ("snowman", Objective::Any),
            ("warehouse", Objective::MovesPushes),
        ] {
            let instance = sampled(family, objective, seed).remove(0);
            let Some(truth) = truth(instance.as_ref()) else { continue };
            for choice in EngineChoice::ALL {
                for threads in [1, 2, 4] {
                    for alone in [false, true] {
                        // Horizons alone go on for ever where there is no solution.
                        let is_long = truth.is_none_or(|(primary, _)| primary > 15);
                        if is_long && choice == EngineChoice::Sat {
                            continue;
                        }
                        let request = Request::default().with_engine(choice).with_threads(threads);
                        let request = request.with_tuning(hasty());
                        let task = Task { instance: instance.as_ref(), request: &request };
                        let what = format!("{family} {seed} by {choice:?}, {threads}, {alone}");
                        let run = || {
                            let name = schedule::of(task, Goal::Answer).name;
                            (name, solve(instance.as_ref(), &request, &|_| {}))
                        };
                        let (name, outcome) =
                            if alone { machine::without_threads(run) } else { run() };
                        let outcome = match outcome {
                            Err(SolveError::NoPieces(..)) if choice == EngineChoice::Learn => {
                                continue;
                            }
                            outcome => outcome.unwrap_or_else(|error| panic!("{what}: {error}")),
                        };
                        assert_true(&outcome, objective, truth, &what);
                        *used.entry(name).or_default() += 1;
                    }
                }
            }
        }
    }
    for schedule in schedule::ALL {
        let elsewhere =
            ["count", "improve"].contains(&schedule.name) || schedule.name.starts_with("counted");
        assert!(elsewhere || used.contains_key(schedule.name), "{} of {used:?}", schedule.name);
    }
}

/// What is known at the end, without times.
fn timeless(mut outcome: Outcome) -> Outcome {
    outcome.elapsed = Duration::ZERO;
    outcome.asked.iter_mut().for_each(|asked| asked.elapsed = Duration::ZERO);
    for stage in &mut outcome.stages {
        (stage.begun, stage.elapsed) = (Duration::ZERO, Duration::ZERO);
    }
    outcome
}

/// The same comes out of every run, whatever the threads, within any limit of states; what is said is
/// true, and with enough of them all is said.
#[test]
fn counted_work_comes_to_the_same_in_every_run() {
    let (mut used, mut stopped, mut settled) = (std::collections::BTreeSet::new(), 0, 0);
    for seed in 0..24 {
        for (family, objective) in [
            ("sokoban", Objective::Pushes),
            ("sokoban", Objective::Any),
            ("sokobond", Objective::Moves),
            ("snowman", Objective::Pushes),
            ("snowman", Objective::Any),
            ("flow", Objective::Any),
        ] {
            let instance = sampled(family, objective, seed).remove(0);
            let known = (family != "flow").then(|| truth(instance.as_ref())).flatten();
            let mut choices = vec![EngineChoice::Auto, EngineChoice::Search, EngineChoice::Sat];
            // Elsewhere no pieces can be dropped.
            if (family, objective) == ("sokoban", Objective::Pushes) {
                choices.push(EngineChoice::Learn);
            }
            for choice in choices {
                // Horizons alone go on for ever where there is no solution.
                let is_long = known.flatten().is_none_or(|(primary, _)| primary > 15);
                let is_game = instance.moves().is_some();
                if choice != EngineChoice::Auto && (is_long || !is_game) {
                    continue;
                }
                for states in [1, 20, 1 << 20] {
                    let run = |threads| {
                        let request = Request::default().with_engine(choice);
                        let request = request.with_threads(threads).with_states(states);
                        let task = Task { instance: instance.as_ref(), request: &request };
                        let name = schedule::of(task, Goal::of(instance.as_ref())).name;
                        let outcome = solve(instance.as_ref(), &request, &|_| {});
                        (name, timeless(outcome.expect("an outcome")))
                    };
                    let (name, outcome) = run(1);
                    let what = format!("{family} {seed} by {choice:?}, {states}: {outcome:?}");
                    assert_eq!(format!("{outcome:?}"), format!("{:?}", run(4).1), "{what}");
                    used.insert(name);
                    stopped += u32::from(outcome.stop == Some(Stop::States));
                    let Some(truth) = known else { continue };
                    let least = truth.map(|(primary, _)| primary);
                    assert!(least.is_none_or(|least| outcome.lower <= least), "{what}");
                    let is_refuted = outcome.verdict == Verdict::Unsolvable;
                    assert!(!is_refuted || truth.is_none(), "{what}");
                    if outcome.is_settled(objective) {
                        settled += 1;
                        assert_true(&outcome, objective, truth, &what);
                    }
                    assert!(states < 1 << 20 || outcome.is_settled(objective), "{what}");
                }
            }
        }
    }
    let used = used.into_iter().collect::<Vec<_>>().join(" ");
    let all = "count counted counted-any counted-any-from-end counted-search horizon learn";
    assert_eq!(used, all);
    assert!(stopped > 50 && settled > 100, "{stopped} {settled}");
}

/// In a schedule it is a matter of luck which of them is first.
#[test]
fn what_an_engine_says_alone_is_true() {
    const ENGINES: [&dyn Engine; 8] = [
        &SearchEngine,
        &BackwardEngine,
        &WeightedEngine(WeightedAttempts::Once),
        &FeatureEngine::Once,
        &LearningEngine,
        &HorizonEngine,
        &StepEngine,
        &InvariantEngine,
    ];
    let mut useful = std::collections::BTreeMap::<&str, u32>::new();
    let levels = [("sokoban", Objective::Pushes), ("warehouse", Objective::Moves)];
    for (seed, (family, objective)) in (0..24).flat_map(|seed| levels.map(|level| (seed, level))) {
        let instance = sampled(family, objective, seed).remove(0);
        let Some(truth) = truth(instance.as_ref()) else { continue };
        let request = Request::default().with_tuning(hasty());
        let task = Task { instance: instance.as_ref(), request: &request };
        for engine in ENGINES.into_iter().filter(|engine| engine.offers(task).is_ok()) {
            // Horizons alone go on for ever where there is no solution.
            if truth.is_none() && engine.name() == "horizons" {
                continue;
            }
            let what = format!("{family} {seed} by {}", engine.name());
            let stages = Box::leak(Box::new([Stage::new(engine, ThreadShare::One)]));
            let lanes = Box::leak(Box::new([Lane::new("alone", StartCondition::AtOnce, stages)]));
            let schedule = Schedule { name: "alone", lanes, afterwards: &[] };
            let outcome = match solve_by(&schedule, instance.as_ref(), &request, &|_| {}) {
                Err(SolveError::NoPieces(..)) => continue,
                outcome => outcome.unwrap_or_else(|error| panic!("{what}: {error}")),
            };
            let best = outcome.best.as_ref().map(|plan| objective.primary(plan.tally()));
            match truth {
                None => assert_eq!(best, None, "{what}"),
                Some((optimum, _)) => {
                    assert_ne!(outcome.verdict, Verdict::Unsolvable, "{what}");
                    assert!(outcome.lower <= optimum, "{what}: {}", outcome.lower);
                    assert!(best.is_none_or(|best| best >= optimum), "{what}: {best:?}");
                    assert!(!outcome.optimal || best == Some(optimum), "{what}: {best:?}");
                }
            }
            let says = best.is_some() || outcome.verdict == Verdict::Unsolvable;
            *useful.entry(engine.name()).or_default() += u32::from(says);
        }
    }
    for engine in ENGINES {
        let times = useful.get(engine.name()).copied().unwrap_or_default();
        assert!(times > 0, "{} of {useful:?}", engine.name());
    }
}

/// Ctrl-C is not what engines do to each other.
#[test]
fn an_interrupted_run_says_so_whatever_it_was_doing() {
    let boards = (0..).map(|seed| sampled("sokoban", Objective::Pushes, seed).remove(0));
    let mut boards = boards.filter(|board| truth(board.as_ref()).flatten() > Some((0, 0)));
    let instance = boards.next().expect("one of them has a solution");
    for choice in EngineChoice::ALL {
        for threads in [1, 2] {
            let flag = Arc::new(AtomicBool::new(false));
            let limits = Limits::none().with_flag(flag.clone());
            let request = Request::default().with_engine(choice).with_limits(limits);
            let request = request.with_threads(threads).with_tuning(hasty());
            flag.store(true, Ordering::Relaxed);
            let outcome = solve(instance.as_ref(), &request, &|_| {}).expect("no fault");
            let interrupted = Some(Stop::Interrupted);
            assert_eq!(outcome.stop, interrupted, "{choice:?}");
            assert_eq!(outcome.verdict, Verdict::Unknown(interrupted), "{choice:?}");
            // Nor is a reason that was not found the end of looking for one.
            let mut lost = Outcome { verdict: Verdict::Unsolvable, stop: None, ..outcome };
            explain(instance.as_ref(), &request, &mut lost);
            assert_eq!(lost.stop, interrupted, "{choice:?}");
        }
    }
}

/// An engine may keep some of its time for later, and end before the run's is over.
#[test]
fn a_run_whose_engines_are_out_of_time_says_so() {
    struct Hurried;
    impl Engine for Hurried {
        fn name(&self) -> &'static str {
            "hurried"
        }

        fn work<'a>(&'a self, _: Task<'a>) -> Work<'a> {
            Box::new(|_, _| Ok(EngineEnd::Stopped(Stop::Time)))
        }
    }
    const ALONE: Schedule = Schedule {
        name: "alone",
        lanes: &[Lane::new(
            "hurried",
            StartCondition::AtOnce,
            &[Stage::new(&Hurried, ThreadShare::One)],
        )],
        afterwards: &[],
    };
    let instance = sampled("sokoban", Objective::Pushes, 0).remove(0);
    let outcome = solve_by(&ALONE, instance.as_ref(), &Request::default(), &|_| {});
    let outcome = outcome.expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Unknown(Some(Stop::Time)));
}

/// Who watches over a run may end it once nothing is left to do: not while any plan is improved.
#[test]
fn what_is_known_is_final_only_where_nothing_follows() {
    for (objective, ends) in [(Objective::Any, false), (Objective::Pushes, true)] {
        let mut plans = 0;
        for seed in 0..20 {
            let instance = sampled("sokoban", objective, seed).remove(0);
            let known = Mutex::new(Vec::new());
            let note = |event: &Event| {
                if let Event::Known(outcome) = event {
                    known.lock().expect("no panic").push(outcome.as_ref().clone());
                }
            };
            let request = Request::default().with_tuning(hasty());
            solve(instance.as_ref(), &request, &note).expect("no fault");
            let known = known.into_inner().expect("no panic");
            assert!(known.iter().all(|it| it.elapsed > Duration::ZERO), "seed {seed}");
            let found: Vec<_> = known.iter().filter(|it| it.best.is_some()).collect();
            plans += usize::from(!found.is_empty());
            let is_final = found.iter().any(|it| it.is_final(objective));
            assert_eq!(is_final, ends && !found.is_empty(), "seed {seed}, {objective:?}");
            let lost = known.iter().filter(|it| it.verdict == Verdict::Unsolvable);
            assert!({ lost }.all(|it| it.is_final(objective)), "seed {seed}");
        }
        assert!(plans > 5, "{plans}");
    }
}

#[test]
fn a_first_plan_is_enough_and_a_better_one_improves() {
    let (mut plans, mut unsolvable) = (0, 0);
    for seed in 0..60 {
        let instance = sampled("sokoban", Objective::Moves, seed).remove(0);
        let Some(truth) = truth(instance.as_ref()) else { continue };
        let request = Request::default().with_threads(2).with_tuning(hasty());
        let first = first_plan(instance.as_ref(), &request, &|_| {}).expect("no fault");
        let length = |outcome: &Outcome| {
            outcome.best.as_ref().map(|plan| Objective::Moves.primary(plan.tally()))
        };
        assert_eq!(first.stop, None, "{seed}");
        let Some((optimum, _)) = truth else {
            assert_eq!(first.verdict, Verdict::Unsolvable, "{seed}");
            unsolvable += 1;
            continue;
        };
        let found = length(&first).expect("there is a plan");
        assert!(found >= optimum, "{seed}");
        let improved =
            improve(instance.as_ref(), first.best.clone(), &request, &|_| {}).expect("no fault");
        let better = length(&improved).expect("there is a plan");
        assert!(better <= found && better >= optimum, "{seed}");
        assert!(!improved.optimal || better == optimum, "{seed}");
        plans += 1;
    }
    assert!(plans > 20 && unsolvable > 5, "{plans} {unsolvable}");
}

/// The tables are read by people, too: every lane that is named is there, no two are alike.
#[test]
fn lanes_refer_to_lanes_of_their_schedule() {
    use schedule::{EndCondition, StartCondition};
    let mut names = std::collections::BTreeSet::new();
    for schedule in schedule::ALL {
        assert!(names.insert(schedule.name), "{}", schedule.name);
        let lanes: Vec<&str> = schedule.lanes.iter().map(|lane| lane.name).collect();
        for lane in schedule.lanes {
            let started_by = match lane.start {
                StartCondition::AfterOr(_, other) | StartCondition::AfterLane(other, _) => {
                    Some(other)
                }
                StartCondition::Overtaken(_, _, behind) => Some(behind),
                _ => None,
            };
            let ended_by =
                if let EndCondition::With(other) = lane.end { Some(other) } else { None };
            for other in [started_by, ended_by].into_iter().flatten() {
                assert!(lanes.contains(&other) && other != lane.name, "{}", schedule.name);
            }
            assert!(!lane.stages.is_empty(), "{}", schedule.name);
            assert_eq!(lanes.iter().filter(|name| **name == lane.name).count(), 1);
        }
    }
}

#[test]
fn a_schedule_is_printed_as_it_is_worked_through() {
    let instance = sampled("sokoban", Objective::Pushes, 1).remove(0);
    let request = Request::default().with_threads(4);
    let text = explained(instance.as_ref(), &request, false).to_string();
    for line in [
        "schedule: auto",
        "with 1 thread: 9 lanes take turns, 1 at a time; without threads the same",
        "with 2 threads: 9 lanes take turns, 2 at a time",
        "search: at once; gives way to what overtakes it",
        "  search: 4 threads, 75 % of the memory limit",
        "learning: after 0.1 s",
        "  learning: 2 threads",
        "  horizons: threads that are free",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
    let flow = sampled("flow", Objective::Any, 1).remove(0);
    assert_eq!(explained(flow.as_ref(), &request, false).schedule, "count");
    assert_eq!(explained(instance.as_ref(), &request, true).schedule, "improve");
}

/// Whatever is asked, and however early a limit strikes.
#[test]
fn no_final_bound_falls_short_of_the_admissible_one() {
    let mut bounded = 0;
    for seed in 0..40 {
        let instances = sampled("sokoban", Objective::Pushes, seed);
        let instance = instances[0].as_ref();
        let Some(lower) = instance.encoded().lower_bound() else { continue };
        let sat = Request::default().with_engine(EngineChoice::Sat).with_horizon(lower + 2);
        let late = Request::default().with_limits(Limits::new(Some(Duration::ZERO), None));
        for request in [sat, late] {
            let outcome = solve(instance, &request, &|_| {}).expect("no fault");
            let refuted = outcome.verdict == Verdict::Unsolvable;
            assert!(refuted || outcome.lower >= lower, "{seed}: {} < {lower}", outcome.lower);
            bounded += lower;
        }
    }
    assert!(bounded > 0);
}
