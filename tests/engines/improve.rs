//! Making plans shorter, in all games with moves: what comes out is a plan, and no longer.

mod rambling;

use crate::common;
use crate::common::extent::extent;
use std::time::Duration;
use unstuck::improve::ImproveOutcome;
use unstuck::instance::{Instance, SearchEnd, StateSpace, Verified};
use unstuck::limits::{Limits, Stop};
use unstuck::registry::{FAMILIES, Family};
use unstuck::search::Strategy;
use unstuck::solve::{Request, Verdict, improve};
use unstuck_puzzles::Objective;

/// Longer than any test may take.
const HOUR: Duration = Duration::from_secs(3600);

/// States after which the oracle gives up on a board.
const STATES: usize = 30_000;

/// Moves at random that can still end in a solution, and a solution from there.
fn detour(instance: &dyn Instance, seed: u64) -> Option<Verified> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut moves = String::new();
    let mut session = instance.moves()?.session();
    // As the family writes moves; of the other letters none is made, so that detours differ in length.
    let own = if instance.family() == unstuck::WAREHOUSE { "^v<>" } else { "udlrUDLR" };
    for _ in 0..40 {
        let letter = char::from(rng.choice(*b"udlrUDLR^v<>")?);
        if !own.contains(letter) {
            continue;
        }
        let next = format!("{moves}{letter}");
        if let Ok((made, None)) = session.play(0, &next) {
            moves = made;
        }
    }
    let from_there = instance.continued(&moves).ok()?;
    let strategy = Strategy { max_states: Some(STATES), ..Strategy::default() };
    match from_there
        .capability::<dyn StateSpace>()?
        .search(strategy, &Limits::none(), &mut |_| {})
        .end
    {
        SearchEnd::Found(rest) => instance.verify(&format!("{moves}{}", rest.text())).ok(),
        _ => None,
    }
}

/// Of detours on small random boards of a family under an objective: how many there were, how many
/// became shorter, and how many shortest.
fn improved(family: &Family, objective: Objective) -> [u32; 3] {
    let mut count = [0; 3];
    for seed in 0..extent(100, 120) {
        let Some(mut instances) = (family.sample)(seed).instances(objective) else { continue };
        let instance = instances.remove(0);
        let Some(Some(shortest)) = common::optimum(instance.as_ref(), STATES) else { continue };
        let Some(detour) = detour(instance.as_ref(), seed) else { continue };
        let name = format!("{} {seed} {objective:?}", family.name);
        let key =
            |plan: &Verified| (objective.primary(plan.tally()), objective.secondary(plan.tally()));
        let work = || {
            let states = instance.capability::<dyn StateSpace>().expect("a game");
            let improved = states.improve(&detour, 400_000, &Limits::none(), &mut |_| {});
            assert!(!matches!(improved.end, ImproveOutcome::Stopped(_)), "{name}");
            improved.plan.unwrap_or_else(|fault| panic!("{name}: {fault}"))
        };
        let better = work();
        assert!(key(&better) <= key(&detour), "{name}");
        assert!(objective.primary(better.tally()) >= shortest, "{name}");
        assert_eq!(better, work(), "{name}: the same plan each time");
        count[0] += 1;
        count[1] += u32::from(key(&better) < key(&detour));
        count[2] += u32::from(objective.primary(better.tally()) == shortest);
    }
    count
}

#[test]
fn detours_are_left_out_in_every_game() {
    let mut printed = Vec::new();
    for family in FAMILIES.iter().filter(|family| family.has_moves) {
        for objective in [Objective::Pushes, Objective::Moves, Objective::MovesPushes] {
            if family.objectives.contains(&objective) {
                printed.push((family.name, objective, improved(family, objective)));
            }
        }
    }
    // Boxes and balls are seldom pushed about in vain where a solution is left, and games of random
    // rules are often won by chance before there is any detour.
    let good = |(_, objective, [all, shorter, shortest]): &(_, Objective, [u32; 3])| {
        let enough = *objective == Objective::Pushes || shorter * 10 >= *all;
        *all > 10 && enough && shortest == all
    };
    assert!(printed.len() > 6 && printed.iter().all(good), "{printed:?}");
}

#[test]
fn without_a_plan_one_is_looked_for() {
    let (mut solved, mut unsolvable) = (0, 0);
    for family in FAMILIES.iter().filter(|family| family.has_moves) {
        for seed in 0..25 {
            let instances = (family.sample)(seed).instances(family.objectives[0]);
            let Some(mut instances) = instances else { continue };
            let instance = instances.remove(0);
            let Some(Some(known)) = common::optimum(instance.as_ref(), STATES) else { continue };
            let outcome = improve(instance.as_ref(), None, &Request::default(), &|_| {});
            let outcome = outcome.expect("no fault");
            assert_eq!(outcome.verdict, Verdict::Solved, "{} {seed}", family.name);
            assert!(outcome.lower <= known, "{} {seed}: only what was shown", family.name);
            solved += 1;
        }
    }
    let stuck = unstuck::open("sokoban", "#####\n#$  #\n#@ .#\n#####\n", Objective::Pushes);
    let stuck = stuck.expect("a level");
    let outcome = improve(stuck.first(), None, &Request::default(), &|_| {}).expect("no fault");
    unsolvable += u32::from(outcome.best.is_none());
    assert!(solved > 40 && unsolvable == 1, "{solved}");
}

#[test]
fn with_nothing_left_to_look_at_no_time_limit_is_waited_for() {
    let level = "#########\n#.$ @ $.#\n#########\n";
    let level = unstuck::open("sokoban", level, Objective::Moves).expect("a level");
    let request = Request::default().with_limits(Limits::new(Some(HOUR), None));
    let outcome = improve(level.first(), None, &request, &|_| {}).expect("no fault");
    // It is the shortest one, but the bound does not say so, which would end the work, too.
    assert_eq!((outcome.verdict, outcome.stop), (Verdict::Solved, None));
    assert!(!outcome.optimal, "{outcome:?}");
}

#[test]
fn a_limit_leaves_the_best_plan_so_far() {
    let level = "########\n#@  $ .#\n#      #\n########\n";
    let level = unstuck::open("sokoban", level, Objective::Moves).expect("a level");
    let instance = level.first();
    let plan = instance.verify("ddrurrRR").or_else(|_| instance.verify("drurRR"));
    let plan = plan.expect("a solution");
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let request = Request::default().with_limits(Limits::none().with_flag(flag));
    let outcome = improve(instance, Some(plan), &request, &|_| {}).expect("no fault");
    assert_eq!(outcome.verdict, Verdict::Solved);
    assert!(outcome.stop.is_none() || outcome.stop == Some(Stop::Interrupted));
}
