//! Snowman against exhaustive search: every verdict, every optimum, every bound.

use crate::common;
use crate::common::extent::extent;
use std::collections::{HashMap, HashSet};
use unstuck::instance::{Question, SearchEnd};
use unstuck::search::Strategy;
use unstuck_encodings::snowman::SnowmanSpace;
use unstuck_encodings::{Cost, Filter, Space};
use unstuck_puzzles::snowman::{Snowman, State};
use unstuck_puzzles::{Moves, Objective, Options, Puzzle, PuzzleExt, Tally};

/// All states that can be reached in a level, explored with nothing but the rules.
struct World {
    puzzle: Snowman,
    states: Vec<State>,
    numbers: HashMap<State, usize>,
    /// For each state the moves out of it.
    moves: Vec<Vec<(usize, Tally)>>,
}

impl World {
    /// The world of a level, unless it is larger than `most`.
    fn of(puzzle: Snowman, most: usize) -> Option<Self> {
        let start = puzzle.start();
        let mut world = Self {
            puzzle,
            states: vec![start.clone()],
            numbers: HashMap::from([(start, 0)]),
            moves: Vec::new(),
        };
        while world.moves.len() < world.states.len() {
            let from = world.states[world.moves.len()].clone();
            let mut moves = Vec::new();
            for mv in world.puzzle.moves(&from) {
                let stepped = world.puzzle.step(&from, mv).unwrap();
                let next = world.states.len();
                let number = *world.numbers.entry(stepped.state.clone()).or_insert(next);
                if number == next {
                    world.states.push(stepped.state);
                }
                moves.push((number, stepped.tally));
            }
            world.moves.push(moves);
            if world.states.len() > most {
                return None;
            }
        }
        Some(world)
    }

    /// For each state the least cost to a goal; `None` for dead states.
    fn distances(&self, objective: Objective) -> Vec<Option<Cost>> {
        let mut back = vec![Vec::new(); self.states.len()];
        for (from, moves) in self.moves.iter().enumerate() {
            for &(to, tally) in moves {
                back[to].push((from, Cost::of(objective, tally)));
            }
        }
        let mut distances = vec![None; self.states.len()];
        let goals = (0..self.states.len()).filter(|&s| self.puzzle.is_goal(&self.states[s]));
        let mut open: std::collections::BTreeSet<(Cost, usize)> =
            goals.map(|s| (Cost::ZERO, s)).collect();
        while let Some((distance, state)) = open.pop_first() {
            if distances[state].is_none() {
                distances[state] = Some(distance);
                open.extend(back[state].iter().map(|&(from, cost)| (distance + cost, from)));
            }
        }
        distances
    }
}

/// Worlds of sample levels that are small enough.
fn worlds(seeds: std::ops::Range<u64>, most: usize) -> impl Iterator<Item = (u64, World)> {
    seeds.filter_map(move |seed| Some((seed, World::of(Snowman::sample(seed), most)?)))
}

/// What the space says of every state of a world must be what the rules say.
fn compare<const SYMMETRIC: bool>(seed: u64, world: &World, objective: Objective) {
    let puzzle = &world.puzzle;
    let mut space = SnowmanSpace::<2, SYMMETRIC>::new(puzzle, objective).unwrap();
    // Never expanded, so that each bound is made from nothing but the state.
    let mut fresh = space.clone();
    let distances = world.distances(objective);
    let context = |state: &State| {
        format!("seed {seed}, {objective:?}\n{}{}", puzzle.print(), puzzle.write_state(state))
    };
    let packed: Vec<_> = world.states.iter().map(|state| space.pack(state).unwrap()).collect();
    assert_eq!(packed[0], space.start());
    // All states of a class are packed alike.
    let mut classes: HashMap<_, Vec<usize>> = HashMap::new();
    for (number, words) in packed.iter().enumerate() {
        classes.entry(*words).or_default().push(number);
    }
    for (words, members) in &classes {
        let state = &world.states[members[0]];
        assert_eq!(space.pack(&space.unpack(words)), Some(*words), "{}", context(state));
        assert_eq!(space.is_goal(words), puzzle.is_goal(state), "{}", context(state));
        let least = members.iter().filter_map(|&number| distances[number]).min();
        let bound = space.bound(words);
        if let Some(least) = least {
            assert!(bound.is_some_and(|bound| bound <= least), "{}\n{bound:?}", context(state));
        }
        if puzzle.is_goal(state) {
            assert_eq!(bound, Some(Cost::ZERO));
        }
        // The successors are those of the members, and neighbours are valued as if met alone.
        let mut successors = Vec::new();
        space.expand(words, &mut successors);
        let bounds: Vec<_> = successors.iter().map(|(next, _)| space.bound(next)).collect();
        let found: HashSet<_> = successors.iter().copied().filter(|(n, _)| n != words).collect();
        let moves = members.iter().flat_map(|&number| &world.moves[number]);
        let expected: HashSet<_> = moves
            .map(|&(to, tally)| (packed[to], Cost::of(objective, tally)))
            .filter(|(to, _)| to != words)
            .collect();
        assert_eq!(found, expected, "{}", context(state));
        for ((next, _), bound) in successors.iter().zip(bounds) {
            assert_eq!(fresh.bound(next), bound, "{}", context(state));
        }
    }
}

#[test]
fn packed_states_and_bounds_agree_with_the_rules() {
    let (mut seen, mut solvable) = (0, 0);
    let boards = extent(300, 2000);
    for (seed, world) in worlds(0..boards, 3000) {
        compare::<false>(seed, &world, Objective::Pushes);
        compare::<true>(seed, &world, Objective::Pushes);
        if seed % 4 == 0 {
            compare::<false>(seed, &world, Objective::Moves);
            compare::<true>(seed, &world, Objective::PushesMoves);
        }
        seen += 1;
        solvable += u64::from(world.distances(Objective::Pushes)[0].is_some());
    }
    let enough = 2 * seen >= boards && 10 * solvable >= boards;
    assert!(enough, "{seen} levels, {solvable} of them solvable");
}

/// The encodings of the registry, asked for horizons around the optimum that exhaustive search
/// found.
#[test]
fn encodings_agree_with_exhaustive_search() {
    let family = unstuck::registry::by_name("snowman").unwrap();
    let (mut seen, mut solvable) = (0, 0);
    let boards = extent(200, 1400);
    for (seed, world) in worlds(0..boards, 1500) {
        for objective in [Objective::Pushes, Objective::Moves] {
            let optimum = world.distances(objective)[0].map(Cost::primary);
            // Refutations of long plans take too long for a test.
            let longest = if objective == Objective::Moves { 12 } else { 9 };
            let asked = match optimum {
                Some(0) => vec![0],
                Some(optimum) if optimum <= longest => vec![optimum - 1, optimum, optimum + 1],
                Some(_) => continue,
                None => vec![4],
            };
            let opened = (family.sample)(seed);
            let instance = &opened.instances(objective).unwrap()[0];
            let name = format!("seed {seed}, {objective:?}\n{}", world.puzzle.print());
            for horizon in asked {
                let expected = optimum.is_some_and(|optimum| optimum <= horizon);
                let found = common::plan(instance.as_ref(), &Question::within(horizon));
                assert!(found.is_none_or(|tally| objective.primary(tally) <= horizon), "{name}");
                assert_eq!(found.is_some(), expected, "horizon {horizon} of {optimum:?}, {name}");
            }
            seen += 1;
            solvable += u64::from(optimum.is_some());
        }
    }
    let enough = 10 * seen >= 7 * boards && 5 * solvable >= boards;
    assert!(enough, "{seen} questions, {solvable} of them solvable");
}

/// The tie-break: no plan of least primary cost has a smaller secondary cost than the one that
/// exhaustive search found.
#[test]
fn tie_breaks_agree_with_exhaustive_search() {
    let family = unstuck::registry::by_name("snowman").unwrap();
    let mut seen = 0;
    let boards = extent(150, 600);
    for (seed, world) in worlds(0..boards, 1000) {
        for objective in [Objective::PushesMoves, Objective::MovesPushes] {
            let Some(cost) = world.distances(objective)[0] else { continue };
            let (horizon, secondary) = (cost.primary(), cost.secondary());
            if horizon == 0 || horizon > 10 {
                continue;
            }
            let opened = (family.sample)(seed);
            let instance = &opened.instances(objective).unwrap()[0];
            for (cap, expected) in [(secondary, true), (secondary - 1, false)] {
                let question = Question { secondary: Some(cap), ..Question::within(horizon) };
                let found = common::plan(instance.as_ref(), &question);
                let name = format!("seed {seed}, {objective:?} {cap}\n{}", world.puzzle.print());
                assert!(found.is_none_or(|tally| objective.secondary(tally) <= cap), "{name}");
                assert_eq!(found.is_some(), expected, "{name}");
            }
            seen += 1;
        }
    }
    assert!(4 * seen >= boards, "{seen} levels");
}

/// The level of a board of signs, where it is one.
fn level(rows: &[Vec<u8>]) -> Option<Snowman> {
    let text = String::from_utf8(rows.join(&b'\n')).expect("signs");
    let options = Options::new(Snowman::OPTIONS, []).expect("the defaults");
    Snowman::parse(&text, &options).ok()
}

/// A random board that looks the same in a mirror, stacks, snow and player included.
fn mirrored(seed: u64) -> Option<Snowman> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (half, height) = (2, rng.usize(4..6));
    let ground = |rng: &mut fastrand::Rng| *rng.choice(b"***-------").expect("there are some");
    let width = 2 * half + 1;
    let mut rows = vec![vec![b'X'; width + 2]; height + 2];
    let both = |rows: &mut Vec<Vec<u8>>, row: usize, column: usize, sign: u8| {
        rows[row][column] = sign;
        rows[row][width + 1 - column] = sign;
    };
    for row in 1..=height {
        for column in 1..=half + 1 {
            both(&mut rows, row, column, ground(&mut rng));
        }
    }
    let mut place = |columns: std::ops::Range<usize>, sign: u8| {
        let at = (rng.usize(2..height), rng.usize(columns));
        let is_free = rows[at.0][at.1] != b'#' && !rows[at.0][at.1].is_ascii_digit();
        is_free.then(|| both(&mut rows, at.0, at.1, sign))
    };
    let axis = half + 1..half + 2;
    place(axis.clone(), b'#')?;
    place(axis, if seed.is_multiple_of(3) { b'4' } else { b'1' })?;
    place(half..half + 1, if seed.is_multiple_of(5) { b'2' } else { b'1' })?;
    if seed.is_multiple_of(2) {
        rows = (0..width + 2).map(|x| rows.iter().map(|row| row[x]).collect()).collect();
    }
    level(&rows)
}

/// On boards that look the same in a mirror the formulas that look for the first of a plan and its
/// images have a plan of the cost that search finds, and are not those without this.
#[test]
fn boards_that_look_the_same_in_a_mirror_keep_a_plan() {
    let (mut solvable, mut larger) = (0, 0);
    let wanted = extent(30, 120);
    for (seed, puzzle) in (0..20 * wanted).filter_map(|seed| Some((seed, mirrored(seed)?))) {
        if solvable >= wanted {
            break;
        }
        let name = puzzle.print();
        for objective in [Objective::Pushes, Objective::PushesMoves] {
            let level = unstuck::open("snowman", &name, objective).unwrap();
            let instance = level.first();
            let search = common::search(instance, Strategy::default());
            let SearchEnd::Found(best) = search.end else { continue };
            let cost = Cost::of(objective, best.tally());
            if cost.primary() == 0 || cost.primary() > 10 {
                continue;
            }
            let secondary = (objective == Objective::PushesMoves).then(|| cost.secondary());
            let question = Question { secondary, ..Question::within(cost.primary()) };
            let formula = instance.formula(&question);
            let found = common::plan(instance, &question).map(|tally| Cost::of(objective, tally));
            assert_eq!(found, Some(cost), "seed {seed}, {objective:?}\n{name}");
            let without = Filter { without: ["mirror".to_owned()].into(), ..Filter::everything() };
            let plain = instance.formula(&Question { filter: without, ..question });
            larger += u64::from(formula.len() > plain.len());
            solvable += 1;
        }
    }
    assert!(solvable >= wanted, "{solvable} questions");
    assert_eq!(larger, solvable);
}

/// A random board with one target, on which balls lie that belong there, but not all that belong
/// under them.
fn misplaced(seed: u64) -> Option<Snowman> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (width, height) = (rng.usize(4..6), rng.usize(3..5));
    let mut rows = vec![vec![b'X'; width + 2]; height + 2];
    let mut free = Vec::new();
    for (row, column) in (1..=height).flat_map(|row| (1..=width).map(move |it| (row, it))) {
        rows[row][column] = if rng.usize(..10) == 0 { b'X' } else { b'-' };
        free.extend((rows[row][column] == b'-').then_some((row, column)));
    }
    rng.shuffle(&mut free);
    // Small on medium, small on large, small alone, medium alone, and what is missing; the last
    // has a second small ball and snow for it in place of the medium one.
    let signs = *rng.choice(["c4#", "e2#", "a24#", "a6#", "b14#", "b5#", "e1*#"].iter())?;
    for sign in signs.bytes() {
        let (row, column) = free.pop()?;
        rows[row][column] = sign;
    }
    level(&rows)
}

/// Balls that must leave the base on which they end: formulas of the optimum have a plan, and those
/// of one action less have none.
#[test]
fn misplaced_balls_on_targets_agree_with_exhaustive_search() {
    let (mut seen, mut returned) = (0, 0);
    let boards = extent(1000, 4000);
    for seed in 0..boards {
        let Some(world) = misplaced(seed).and_then(|puzzle| World::of(puzzle, 20_000)) else {
            continue;
        };
        let Some(cost) = world.distances(Objective::Pushes)[0] else { continue };
        if !(1..=14).contains(&cost.primary()) {
            continue;
        }
        let name = world.puzzle.print();
        let level = unstuck::open("snowman", &name, Objective::Pushes).unwrap();
        let instance = level.first();
        for horizon in [cost.primary() - 1, cost.primary()] {
            let found = common::plan(instance, &Question::within(horizon)).is_some();
            assert_eq!(found, horizon == cost.primary(), "seed {seed}, {cost:?}\n{name}");
        }
        seen += 1;
        returned += u64::from(cost.primary() >= 6);
    }
    let enough = 80 * seen >= boards && 160 * returned >= boards;
    assert!(enough, "{seen} levels, {returned} of them long");
}
