//! The transition against the rules, move by move and by unit propagation alone.

use super::graph::Floor;
use super::moves::SokobondMoves;
use super::vars::Var;
use super::{SokobondSpace, mirror};
use crate::cnf::Cnf;
use crate::cost::Cost;
use crate::encoding::{Encoding, Transition};
use crate::laws::propagate;
use crate::space::Space;
use std::collections::{BTreeMap, BTreeSet};
use unstuck_puzzles::sokobond::{Bonding, Sokobond, State, rules};
use unstuck_puzzles::{Direction, Moves, Objective, Options, Puzzle, PuzzleExt};

/// Compares every move of a position with what propagation makes of it.
fn compare(encoding: &SokobondMoves, cnf: &mut Cnf<Var>, state: &State, what: &str) {
    let puzzle = encoding.puzzle.clone();
    let position = encoding.literals(0, state, cnf);
    let shown = || puzzle.draw(state, unstuck_puzzles::Style::Plain).unwrap();
    for mv in Direction::ALL {
        let made = encoding.move_literals(0, state, mv, cnf);
        let found = propagate(cnf, &[&position[..], &made].concat());
        match (puzzle.step(state, mv), found) {
            (Ok(stepped), Some(values)) => {
                for lit in encoding.literals(1, &stepped.state, cnf) {
                    let name = cnf.atom(lit.number()).unwrap();
                    let holds = values.value(lit) == Some(true);
                    assert!(holds, "{what}: {name} after {mv} in\n{}", shown());
                }
            }
            (Err(_), None) => {}
            (Ok(_), None) => panic!("{what}: {mv} is legal, but refuted in\n{}", shown()),
            (Err(rule), Some(_)) => {
                panic!("{what}: {mv} breaks {rule}, but is not refuted in\n{}", shown())
            }
        }
    }
    let idle = cnf.lit(0, Var::Idle);
    let values = propagate(cnf, &[&position[..], &[idle]].concat());
    let values = values.unwrap_or_else(|| panic!("{what}: idle is refuted"));
    for lit in encoding.literals(1, state, cnf) {
        assert_eq!(values.value(lit), Some(true), "{what}: idle");
    }
}

/// Walks over positions that can be reached, at most `limit`, and compares all moves.
fn walk(puzzle: &Sokobond, limit: usize, what: &str) {
    let encoding = SokobondMoves::new(puzzle, Objective::Moves).unwrap();
    let mut cnf = Cnf::new(crate::cnf::Filter::defining());
    encoding.step(0, &mut cnf);
    let mut known = BTreeSet::from([puzzle.start()]);
    let mut open = vec![puzzle.start()];
    let mut done = 0;
    while let Some(state) = open.pop().filter(|_| done < limit) {
        done += 1;
        compare(&encoding, &mut cnf, &state, what);
        for mv in puzzle.moves(&state) {
            let next = puzzle.step(&state, mv).unwrap().state;
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
}

#[test]
fn every_move_of_random_levels_is_a_propagation() {
    for seed in 0..350 {
        walk(&Sokobond::sample(seed), 20, &format!("seed {seed}"));
    }
}

/// The packed space against the rules: the same successors, and a bound that no shortest plan
/// undercuts.
#[test]
fn the_packed_space_knows_the_same_moves() {
    for seed in 0..1000 {
        let puzzle = Sokobond::sample(seed);
        let mut space = SokobondSpace::new(&puzzle, Objective::Moves).unwrap();
        let mut states = vec![puzzle.start()];
        let mut index = BTreeMap::from([(puzzle.start(), 0)]);
        let mut edges: Vec<Vec<usize>> = Vec::new();
        while edges.len() < states.len() && states.len() < 1500 {
            let state = states[edges.len()].clone();
            let packed = space.pack(&state).unwrap();
            assert_eq!(space.unpack(&packed), state, "seed {seed}");
            assert_eq!(space.is_goal(&packed), puzzle.is_goal(&state), "seed {seed}");
            let mut found = Vec::new();
            space.expand(&packed, &mut found);
            let mut next = Vec::new();
            for mv in puzzle.moves(&state) {
                let after = puzzle.step(&state, mv).unwrap().state;
                assert_eq!(
                    found.get(next.len()).map(|(word, _)| *word),
                    space.pack(&after),
                    "seed {seed}: {mv} in\n{}",
                    puzzle.draw(&state, unstuck_puzzles::Style::Plain).unwrap()
                );
                let number = index.len();
                next.push(*index.entry(after.clone()).or_insert_with(|| {
                    states.push(after);
                    number
                }));
            }
            assert_eq!(found.len(), next.len(), "seed {seed}");
            edges.push(next);
        }
        if edges.len() == states.len() {
            check_bound(&puzzle, &mut space, &states, &edges, seed);
        }
    }
}

/// Moves to a goal from every state, backwards, against the bound.
fn check_bound(
    puzzle: &Sokobond,
    space: &mut SokobondSpace,
    states: &[State],
    edges: &[Vec<usize>],
    seed: u64,
) {
    let mut distance: Vec<Option<u32>> =
        states.iter().map(|state| puzzle.is_goal(state).then_some(0)).collect();
    loop {
        let mut changed = false;
        for (from, next) in edges.iter().enumerate() {
            let best = next.iter().filter_map(|&to| distance[to]).min().map(|best| best + 1);
            if best.is_some() && distance[from].is_none_or(|known| Some(known) > best) {
                distance[from] = best;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (state, distance) in states.iter().zip(distance) {
        let packed = space.pack(state).unwrap();
        let bound = space.bound(&packed).map(Cost::primary);
        if let Some(distance) = distance {
            assert!(
                bound.is_some_and(|bound| bound <= distance),
                "seed {seed}: bound {bound:?}, but {distance} moves are enough in\n{}",
                puzzle.draw(state, unstuck_puzzles::Style::Plain).unwrap()
            );
        }
    }
}

#[test]
fn neighbours_cannot_change_places() {
    let text = "v2\n- o o o\n\nh h - o\n\nO - - o\n @\no o o o\n";
    let options = Options::new(Sokobond::OPTIONS, []).unwrap();
    let puzzle = Sokobond::parse(text, &options).unwrap();
    let stopped = puzzle.step(&puzzle.start(), Direction::Right);
    assert_eq!(stopped.unwrap_err().rule, rules::EXCHANGE);
    walk(&puzzle, 20, "a molecule that bites its tail");
}

#[test]
fn levels_that_look_the_same_in_a_mirror_are_known() {
    let images = |text: &str, bonding| {
        let options = Options::new(Sokobond::OPTIONS, []).unwrap();
        let puzzle = Sokobond::parse(text, &options).unwrap().with_bonding(bonding);
        mirror::images(&Floor::new(&puzzle), &puzzle.start).len()
    };
    let square = "v2\nh - h\n/ /\n- C -\n/ /\nh - h\n";
    assert_eq!(images(square, Bonding::Strict), 7);
    assert_eq!(images(square, Bonding::Ordered), 0);
    assert_eq!(images(&square.replacen('/', "+", 1), Bonding::Strict), 1);
    assert_eq!(images(&square.replacen('h', "x", 1), Bonding::Strict), 1);
    assert_eq!(images("h-h\n-C-\n-x-\nh-h\n", Bonding::Strict), 1);
    assert_eq!(images("h-h\n-C-\nh-o\n-x-\n", Bonding::Strict), 0);
    assert_eq!(images("hC-\n-x-\n-Ch\n", Bonding::Strict), 0);
}
