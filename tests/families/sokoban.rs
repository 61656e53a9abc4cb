//! Sokoban against exhaustive search: encodings, bounds, waste and tie-breaks on many small boards.

use crate::common;
use crate::common::extent::extent;
use std::collections::HashMap;
use unstuck::instance::{Instance, Question, SearchEnd, StateSpace, Verified};
use unstuck::limits::Limits;
use unstuck::registry::by_name;
use unstuck::search::Strategy;
use unstuck::solve::{EngineChoice, Request, solve};
use unstuck_encodings::sokoban::{Bounds, Potential, SokobanSpace};
use unstuck_encodings::{Cost, Filter, Space, Step};
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::{Moves, Objective, Options, Play, Puzzle};

/// Boards with longer plans than this are not asked of the SAT solver.
const LONGEST: Step = 14;

/// States after which the oracle gives up on a board.
const STATES: usize = 30_000;

fn instance(seed: u64, objective: Objective) -> Box<dyn Instance> {
    let family = by_name("sokoban").expect("Sokoban is registered");
    (family.sample)(seed).instances(objective).expect("a known objective").remove(0)
}

/// The shortest plan by exhaustive search over the plain rules: `Some(None)` when there is none,
/// `None` when the board is too large.
fn oracle(instance: &dyn Instance) -> Option<Option<Verified>> {
    common::oracle(instance, STATES)
}

/// The length of a plan of at most `horizon` steps, if the solver finds one.
fn within(instance: &dyn Instance, horizon: Step, filter: &Filter) -> Option<u32> {
    let question = Question { filter: filter.clone(), ..Question::within(horizon) };
    common::plan(instance, &question).map(|tally| instance.objective().primary(tally))
}

/// A ceiling that someone lowers meanwhile ends a search as soon as nothing cheaper is left, and
/// not before.
#[test]
fn a_ceiling_cuts_off_what_cannot_beat_it() {
    let text = "##########\n#@       #\n# $   $  #\n#        #\n#        #\n#        #\n\
                #        #\n#.       #\n#       .#\n##########\n";
    let instance = common::sokoban(text, Objective::Moves);
    let plain = |threads| Strategy { plain: true, threads, ..Strategy::default() };
    let all = common::search(instance.as_ref(), plain(1));
    let SearchEnd::Found(plan) = all.end else { panic!("it can be solved") };
    let optimum = Cost::of(Objective::Moves, plan.tally());
    for threads in [1, 2] {
        for (incumbent, beaten) in [(optimum, false), (optimum + Cost::new(1, 0), true)] {
            let strategy = plain(threads);
            // Known from the start: when a search reports progress is a matter of time.
            strategy.incumbent.offer(incumbent);
            let found = instance.capability::<dyn StateSpace>().expect("a game").search(
                strategy,
                &Limits::none(),
                &mut |stats| assert!(stats.lower <= optimum),
            );
            assert_eq!(matches!(found.end, SearchEnd::Found(_)), beaten);
            assert_eq!(found.stats.lower, optimum);
            assert!(found.stats.states < all.stats.states);
        }
    }
}

fn agrees_with_exhaustive_search(objective: Objective, boards: u64) {
    let filters = [Filter::everything(), Filter::defining()];
    let (mut solvable, mut unsolvable) = (0, 0);
    for seed in 0..boards {
        let instance = instance(seed, objective);
        let Some(plan) = oracle(instance.as_ref()) else { continue };
        let Some(plan) = plan else {
            unsolvable += 1;
            for filter in &filters {
                assert_eq!(within(instance.as_ref(), 5, filter), None, "seed {seed}");
            }
            continue;
        };
        let optimum = objective.primary(plan.tally());
        assert!(
            instance.encoded().lower_bound().is_some_and(|lower| lower <= optimum),
            "seed {seed}"
        );
        if optimum > LONGEST {
            continue;
        }
        solvable += 1;
        for filter in &filters {
            let found = within(instance.as_ref(), optimum, filter);
            assert_eq!(found, Some(optimum), "seed {seed} within its optimum");
            if let Some(less) = optimum.checked_sub(1) {
                let found = within(instance.as_ref(), less, filter);
                assert_eq!(found, None, "seed {seed}: shorter than its optimum {optimum}");
            }
            let idle = within(instance.as_ref(), optimum + 1, filter);
            assert!(
                idle.is_some_and(|cost| cost <= optimum + 1),
                "seed {seed} with a step to spare"
            );
        }
    }
    let enough = 10 * solvable >= boards && 20 * unsolvable >= boards;
    assert!(enough, "{solvable} solvable, {unsolvable} unsolvable");
    assert!(2 * (solvable + unsolvable) >= boards, "{solvable} solvable, {unsolvable} unsolvable");
}

#[test]
fn the_push_encoding_agrees_with_exhaustive_search() {
    agrees_with_exhaustive_search(Objective::Pushes, extent(300, 2000));
}

/// A board of passages, with ways round here and there: a grid of cells, of which some neighbours
/// are joined, and a few walls of which are missing.
fn passages(seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (height, width) = (rng.usize(2..5) * 2 + 1, rng.usize(2..5) * 2 + 1);
    let mut grid = vec![vec!['#'; width]; height];
    for (row, line) in grid.iter_mut().enumerate().take(height - 1).skip(1) {
        for (column, cell) in line.iter_mut().enumerate().take(width - 1).skip(1) {
            let open = match row % 2 + column % 2 {
                2 => 1.0,
                1 => 0.7,
                _ => 0.2,
            };
            if rng.f64() < open {
                *cell = ' ';
            }
        }
    }
    let mut put = |c: char, times: usize| {
        for _ in 0..times {
            let (row, column) = (rng.usize(1..height - 1), rng.usize(1..width - 1));
            if grid[row][column] == ' ' {
                grid[row][column] = c;
            }
        }
    };
    put('@', 1);
    put('$', 1 + seed as usize % 3);
    put('.', 2 + seed as usize % 3);
    grid.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// Of plans that differ in the order of pushes alone one is left, at the optimum and above it, with
/// dead squares distinguished and without.
#[test]
fn pushes_that_go_on_at_once_cost_no_plan() {
    let family = by_name("sokoban").expect("registered");
    let options = Options::new(family.options, []).expect("defaults fit");
    let live = Filter::everything();
    let without = |rules: &[&str]| Filter {
        without: rules.iter().map(|&rule| rule.to_owned()).collect(),
        ..Filter::everything()
    };
    // Alone, so that no other rule hides what it does.
    let alone = without(&[
        "dead-square",
        "time-window",
        "waste-cap",
        "pair-waste",
        "idle-waste",
        "goal-count",
        "idle-last",
    ]);
    let filters = [live, without(&["dead-square"]), alone];
    let (mut solvable, mut unsolvable) = (0, 0);
    let boards = extent(900, 6000);
    for seed in 0..boards {
        let levels = (family.read)(&passages(seed), &options).unwrap_or_default();
        let Some(Ok(level)) = levels.into_iter().next().map(|level| level.puzzle) else { continue };
        let instance = level.instances(Objective::Pushes).expect("listed").remove(0);
        let Some(plan) = oracle(instance.as_ref()) else { continue };
        let optimum = plan.map(|plan| plan.tally().pushes);
        if optimum.is_some_and(|optimum| optimum > LONGEST) {
            continue;
        }
        let formula = instance.formula(&Question::within(2));
        if !formula.rules().iter().any(|rule| rule.name == "tunnel") {
            continue;
        }
        match optimum {
            Some(0) => continue,
            Some(_) => solvable += 1,
            None => unsolvable += 1,
        }
        for filter in &filters {
            let within = |horizon| within(instance.as_ref(), horizon, filter);
            let Some(optimum) = optimum else {
                assert_eq!(within(6), None, "seed {seed}");
                continue;
            };
            assert_eq!(within(optimum), Some(optimum), "seed {seed} within its optimum");
            assert_eq!(within(optimum - 1), None, "seed {seed}: shorter than {optimum}");
            assert!(within(optimum + 1).is_some(), "seed {seed} with a step to spare");
            assert!(within(optimum + 2).is_some(), "seed {seed} with two steps to spare");
        }
    }
    let enough = 30 * solvable >= boards && 60 * unsolvable >= boards;
    assert!(enough, "{solvable} solvable, {unsolvable} unsolvable");
}

#[test]
fn the_move_encoding_agrees_with_exhaustive_search() {
    agrees_with_exhaustive_search(Objective::Moves, extent(300, 2000));
}

#[test]
fn the_parallel_encoding_finds_plans_exactly_where_there_are_some() {
    let (mut solvable, mut unsolvable) = (0, 0);
    let boards = extent(300, 2000);
    for seed in 0..boards {
        let parallel = instance(seed, Objective::Any);
        let Some(plan) = oracle(instance(seed, Objective::Moves).as_ref()) else { continue };
        for filter in [Filter::everything(), Filter::defining()] {
            // A step is never less than a move.
            let horizon = plan.as_ref().map_or(6, |plan| plan.tally().moves);
            if horizon > LONGEST {
                continue;
            }
            let found = within(parallel.as_ref(), horizon, &filter).is_some();
            assert_eq!(found, plan.is_some(), "seed {seed}, horizon {horizon}");
            *(if found { &mut solvable } else { &mut unsolvable }) += 1;
        }
    }
    let enough = 20 * solvable >= boards && 20 * unsolvable >= boards;
    assert!(enough, "{solvable} solvable, {unsolvable} unsolvable");
    // Each board is asked twice: with and without strengthening.
    assert!(solvable + unsolvable >= boards, "{solvable} solvable, {unsolvable} unsolvable");
}

#[test]
fn states_and_moves_propagate_as_the_rules_say() {
    for seed in 1000..1000 + extent(100, 400) {
        for objective in [Objective::Pushes, Objective::Moves] {
            if let Err(broken) = instance(seed, objective).laws(seed) {
                panic!("seed {seed}, {}: {broken}", objective.name());
            }
        }
    }
}

#[test]
fn tie_breaks_are_least() {
    // With a greatest horizon the solver is alone: plans are its own.
    let alone = Some(LONGEST);
    let request = Request::default().with_engine(EngineChoice::Sat).with_max_horizon(alone);
    let mut compared = 0;
    let boards = extent(60, 250);
    for (seed, objective) in (0..boards)
        .flat_map(|seed| [Objective::PushesMoves, Objective::MovesPushes].map(|o| (seed, o)))
    {
        let instance = instance(seed, objective);
        let Some(Some(plan)) = oracle(instance.as_ref()) else { continue };
        if objective.primary(plan.tally()) > LONGEST {
            continue;
        }
        let outcome = solve(instance.as_ref(), &request, &|_| {}).expect("no fault");
        assert!(outcome.optimal && outcome.tie_optimal, "seed {seed}");
        let found = outcome.best.expect("an optimal plan").tally();
        let pair = |tally| (objective.primary(tally), objective.secondary(tally));
        assert_eq!(pair(found), pair(plan.tally()), "seed {seed}, {}", objective.name());
        compared += 1;
    }
    assert!(5 * compared >= 2 * boards, "only {compared} boards");
}

/// States with their successors, as places in the list, and the cost of getting there.
type Explored<State> = Vec<(State, Vec<(usize, Cost)>)>;

/// All states that can be reached, with their successors; `None` when there are too many.
fn explored<S: Space>(space: &mut S, most: usize) -> Option<Explored<S::State>> {
    let mut number = HashMap::from([(space.start(), 0)]);
    let mut states = vec![(space.start(), Vec::new())];
    let mut next = 0;
    while next < states.len() {
        let mut successors = Vec::new();
        space.expand(&states[next].0, &mut successors);
        for (state, cost) in successors {
            let index = *number.entry(state.clone()).or_insert_with(|| {
                states.push((state, Vec::new()));
                states.len() - 1
            });
            states[next].1.push((index, cost));
        }
        next += 1;
        if states.len() > most {
            return None;
        }
    }
    Some(states)
}

#[test]
fn the_bound_never_exceeds_the_distance_from_any_state() {
    let (mut pruned, mut solved) = (0, 0);
    for (seed, objective) in (0..200).flat_map(|seed| {
        [Objective::Pushes, Objective::MovesPushes, Objective::PushesMoves].map(|o| (seed, o))
    }) {
        let puzzle = Sokoban::sample(seed);
        let mut space = SokobanSpace::<4>::new(&puzzle, objective).expect("a small board");
        let Some(states) = explored(&mut space, 3000) else { continue };
        let mut distance: Vec<Option<Cost>> =
            states.iter().map(|(state, _)| space.is_goal(state).then_some(Cost::ZERO)).collect();
        // Relax until nothing changes: slow, and plainly right.
        let mut changed = true;
        while changed {
            changed = false;
            for (index, (_, successors)) in states.iter().enumerate() {
                let through = |&(next, cost): &(usize, Cost)| distance[next].map(|d| d + cost);
                let least = successors.iter().filter_map(through).chain(distance[index]).min();
                changed |= least != distance[index];
                distance[index] = least;
            }
        }
        for ((state, _), distance) in states.iter().zip(&distance) {
            let unpacked = space.unpack(state);
            assert_eq!(space.pack(&unpacked).as_ref(), Some(state), "seed {seed}: {unpacked:?}");
            match (space.bound(state), distance) {
                (Some(bound), Some(distance)) => {
                    assert!(
                        bound <= *distance,
                        "seed {seed}: {bound:?} > {distance:?} at {unpacked:?}"
                    );
                    solved += 1;
                }
                (None, Some(_)) => panic!("seed {seed}: pruned, but solvable: {unpacked:?}"),
                (None, None) => pruned += 1,
                (Some(_), None) => {}
            }
        }
    }
    assert!(pruned >= 1000 && solved >= 1000, "{pruned} pruned, {solved} solvable");
}

#[test]
fn the_region_after_a_push_is_the_one_around_where_the_box_was() {
    let mut pushes = 0;
    for seed in 0..200 {
        let puzzle = Sokoban::sample(seed);
        let mut space = SokobanSpace::<4>::new(&puzzle, Objective::Pushes).expect("a small board");
        let Some(states) = explored(&mut space, 3000) else { continue };
        let bounds = Bounds::new(&puzzle);
        let floor = bounds.floor();
        for (state, successors) in &states {
            let before = space.unpack(state);
            for &(next, _) in successors {
                let after = space.unpack(&states[next].0);
                let left = before.boxes.iter().find(|&&cell| !after.has_box(cell));
                let from = left.and_then(|&cell| floor.spot(cell)).expect("a box was pushed");
                let region = floor.flood(from, |spot| after.has_box(floor.cell(spot)));
                let least = region.iter().position(|&reached| reached);
                assert_eq!(floor.spot(after.player), least, "seed {seed}: {before:?}, {after:?}");
                pushes += 1;
            }
        }
    }
    assert!(pushes >= 30_000, "{pushes}");
}

#[test]
fn waste_and_slack_make_up_the_difference_to_the_bound() {
    let mut checked = 0;
    for seed in 0..400 {
        let puzzle = Sokoban::sample(seed);
        let bounds = Bounds::new(&puzzle);
        let Some(Some(plan)) = oracle(instance(seed, Objective::Moves).as_ref()) else { continue };
        let potential = Potential::new(&bounds).expect("solvable, so there is a matching");
        let solution = puzzle.read_solution(plan.text()).expect("a verified plan");
        let replay = puzzle.replay(&puzzle.plan(&solution));
        let mut waste = 0;
        for pair in replay.states.windows(2) {
            let Some(&from) = pair[0].boxes.iter().find(|&&at| !pair[1].has_box(at)) else {
                continue;
            };
            let direction = puzzle.plan(&solution)[..]
                .iter()
                .copied()
                .find(|&d| puzzle.step(&pair[0], d).is_ok_and(|stepped| stepped.state == pair[1]));
            let spot = bounds.floor().spot(from).expect("boxes move inside");
            let push = bounds.push(spot, direction.expect("a legal push")).expect("a legal push");
            waste += potential.waste(push).expect("a solution makes no box dead");
        }
        let pushes = plan.tally().pushes;
        let spare = pushes.checked_sub(potential.lower_bound() + waste * potential.unit());
        assert!(spare.is_some(), "seed {seed}: {waste} wasted in {pushes} pushes");
        assert!(potential.allowance(pushes).is_some_and(|allowed| waste <= allowed), "seed {seed}");
        let filled = bounds.fills_all_goals();
        assert!(!filled || spare.is_some_and(|spare| spare % 2 == 0), "seed {seed}: odd slack");
        checked += 1;
    }
    assert!(checked >= 50, "only {checked} boards");
}
