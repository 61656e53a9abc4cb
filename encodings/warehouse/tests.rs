//! Goals, classes and bounds against the rules, by unit propagation and small searches.

use super::{Var, WarehouseMoves, WarehouseSpace};
use crate::cnf::{Cnf, Filter, Lit};
use crate::cost::Cost;
use crate::encoding::{Encoding, Transition};
use crate::laws::propagate;
use crate::space::Space;
use std::collections::{BTreeMap, HashMap, HashSet};
use unstuck_puzzles::warehouse::{State, Warehouse};
use unstuck_puzzles::{Direction, Moves, Objective, Play, Puzzle, PuzzleExt};

/// Positions along a random walk.
fn positions(warehouse: &Warehouse, seed: u64) -> Vec<State> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut states = vec![warehouse.start()];
    for _ in 0..15 {
        let state = &states[states.len() - 1];
        let Some(mv) = rng.choice(warehouse.moves(state)) else { break };
        states.push(warehouse.step(state, mv).expect("a legal move").state);
    }
    states
}

#[test]
fn the_goal_is_a_function_of_the_boxes() {
    for seed in 0..600 {
        let warehouse = Warehouse::sample(seed);
        let encoding = WarehouseMoves::new(&warehouse, Objective::Moves).unwrap();
        let mut cnf: Cnf<Var> = Cnf::new(Filter::defining());
        let goal = encoding.goal(3, &mut cnf);
        for state in positions(&warehouse, seed) {
            let assumed = encoding.literals(3, &state, &mut cnf);
            let known = propagate(&cnf, &assumed).expect("a position is no contradiction");
            let (met, unmet) = (
                goal.iter().all(|&lit| known.value(lit) == Some(true)),
                goal.iter().any(|&lit| known.value(lit) == Some(false)),
            );
            let wanted = warehouse.is_goal(&state);
            assert_eq!((met, unmet), (wanted, !wanted), "{}", warehouse.print());
        }
    }
}

/// Literals that all positions of a class share.
fn cube(encoding: &WarehouseMoves, t: u32, class: &[State], cnf: &mut Cnf<Var>) -> Vec<Lit> {
    let mut all = class.iter().map(|state| encoding.literals(t, state, cnf));
    let first = all.next().expect("a class has a member");
    let rest: Vec<HashSet<Lit>> = all.map(|lits| lits.into_iter().collect()).collect();
    first.into_iter().filter(|lit| rest.iter().all(|lits| lits.contains(lit))).collect()
}

#[test]
fn a_class_without_pushes_leads_into_itself_and_each_push_into_its_class() {
    let objective = Objective::Pushes;
    for seed in 0..300 {
        let warehouse = Warehouse::sample(seed);
        let encoding = WarehouseMoves::new(&warehouse, objective).unwrap();
        let mut cnf: Cnf<Var> = Cnf::new(Filter::defining());
        encoding.step(0, &mut cnf);
        let actions = encoding.actions(0, &mut cnf);
        let class = warehouse.class(&warehouse.start(), objective);
        let before = cube(&encoding, 0, &class, &mut cnf);
        let after = cube(&encoding, 1, &class, &mut cnf);
        let quiet: Vec<Lit> = before.iter().copied().chain(actions.iter().map(|&a| !a)).collect();
        let refuted = |known: &[Lit], lit: Lit| {
            let assumed: Vec<Lit> = known.iter().copied().chain([!lit]).collect();
            propagate(&cnf, &assumed).is_none()
        };
        for &lit in &after {
            assert!(refuted(&quiet, lit), "seed {seed}: a walk leaves the class");
        }
        for &action in &actions {
            let pushed: Vec<Lit> = before.iter().copied().chain([action]).collect();
            let Some(known) = propagate(&cnf, &pushed) else { continue };
            let reached = class.iter().flat_map(|from| {
                let stepped =
                    Direction::ALL.into_iter().filter_map(|d| warehouse.step(from, d).ok());
                stepped.filter(|stepped| stepped.tally.pushes > 0).map(|stepped| stepped.state)
            });
            let fits = |state: &State| {
                let mut lits = encoding.literals(1, state, &mut cnf.clone()).into_iter();
                lits.all(|lit| known.value(lit) == Some(true))
            };
            assert!(reached.into_iter().any(|state| fits(&state)), "seed {seed}: no such push");
        }
    }
}

#[test]
fn the_packed_space_follows_the_rules_and_its_bound_is_consistent() {
    for seed in 0..600 {
        let warehouse = Warehouse::sample(seed);
        for &objective in Warehouse::OBJECTIVES {
            let mut space = WarehouseSpace::new(&warehouse, objective).expect("a small board");
            let mut open = vec![space.start()];
            let mut seen: HashSet<_> = open.iter().copied().collect();
            while let Some(state) = open.pop().filter(|_| seen.len() < 40) {
                let mut successors = Vec::new();
                space.expand(&state, &mut successors);
                let edges = best(successors.iter().copied());
                assert_eq!(edges, best(edges_of_the_rules(&space, &warehouse, objective, &state)));
                let bound = space.bound(&state);
                if space.is_goal(&state) {
                    assert_eq!(bound, Some(Cost::ZERO), "a goal needs nothing");
                }
                for (next, cost) in successors {
                    // Never more than a step and what is left after it: so never too much.
                    let after = space.bound(&next).map_or(Cost::MAX, |left| left + cost);
                    let here = bound.unwrap_or(Cost::MAX);
                    assert!(here.primary() <= after.primary(), "seed {seed}, {objective:?}");
                    assert!(here.secondary() <= after.secondary() || after == Cost::MAX);
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
        }
    }
}

fn best<S: Eq + std::hash::Hash + std::fmt::Debug>(
    edges: impl IntoIterator<Item = (S, Cost)>,
) -> HashMap<S, Cost> {
    let mut best = HashMap::new();
    for (state, cost) in edges {
        let known = best.entry(state).or_insert(cost);
        *known = cost.min(*known);
    }
    best
}

/// The successors of a packed state as the rules have them.
fn edges_of_the_rules(
    space: &WarehouseSpace,
    warehouse: &Warehouse,
    objective: Objective,
    state: &super::space::PackedState,
) -> Vec<(super::space::PackedState, Cost)> {
    let free = objective == Objective::Pushes;
    let state = space.unpack(state);
    let class = if free { warehouse.class(&state, objective) } else { vec![state] };
    let steps = class.iter().flat_map(|from| {
        Direction::ALL.into_iter().filter_map(|direction| warehouse.step(from, direction).ok())
    });
    steps
        .filter(|stepped| !free || stepped.tally.pushes > 0)
        .map(|stepped| {
            let packed = space.pack(&stepped.state).expect("a small board");
            (packed, Cost::of(objective, stepped.tally))
        })
        .collect()
}

#[test]
fn sizes_are_linear_in_the_map() {
    let sizes: BTreeMap<usize, (usize, usize)> = [10usize, 20, 40]
        .into_iter()
        .map(|size| {
            let rows = format!("{}\n", ".".repeat(size)).repeat(size - 1);
            let text = format!("@O{}\n{rows}\ngps >= 100\n", ".".repeat(size - 2));
            let options = unstuck_puzzles::Options::new(Warehouse::OPTIONS, []).unwrap();
            let warehouse = Warehouse::parse(&text, &options).unwrap();
            let encoding = WarehouseMoves::new(&warehouse, Objective::Moves).unwrap();
            let mut cnf: Cnf<Var> = Cnf::default();
            encoding.step(0, &mut cnf);
            encoding.goal(1, &mut cnf);
            (size * size, (cnf.variables(), cnf.len()))
        })
        .collect();
    for (cells, (variables, clauses)) in sizes {
        assert!(
            variables <= 40 * cells && clauses <= 160 * cells,
            "{cells}: {variables}, {clauses}"
        );
    }
}
