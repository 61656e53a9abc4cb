//! Questions against exhaustive answers: on small boards all positions are listed by the rules
//! alone (`everything`), and what is asked is read off. Flow, which has no positions, is in `flow`; many
//! positions of one level are in `many`, boards on which answers were wrong in `found`.

#[path = "../common/brute.rs"]
mod brute;
mod everything;
#[path = "../common/extent.rs"]
mod extent;
mod flow;
mod found;
#[path = "../common/game.rs"]
mod game;
mod limits;
mod many;
#[path = "../common/wish.rs"]
mod wish;

use everything::{Everything, MOST, boards, each_board};
use extent::is_whole;
use std::collections::{BTreeMap, BTreeSet};
use unstuck::atlas::{Atlas, CostToGo, WALK};
use unstuck::closed::close::{ClosureError, ClosureTask};
use unstuck::instance::{ContinueError, Instance, StateSpace, atlas};
use unstuck::limits::{Limits, Monitor};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::{MoveClass, diagnose};
use unstuck::questions::enumerate::{Enumeration, enumerate};
use unstuck::questions::explain::explain;
use unstuck::questions::hint::{along, hint};
use unstuck::questions::needed::{Change, needed};
use unstuck::questions::rules::acting_rules;
use unstuck::transition::Budget;
use unstuck_encodings::Cost;
use unstuck_puzzles::constrained::ConstrainedPuzzle;
use unstuck_puzzles::constraints::{Constraints, Prohibition, Requirement};
use unstuck_puzzles::pieces::Pieces;
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::warehouse::Warehouse;
use unstuck_puzzles::{Moves, Objective, Play, PuzzleExt};

fn primary(cost: Cost) -> i64 {
    i64::from(cost.primary())
}

/// A game to ask about; every other one is left to the solver altogether.
fn analysis(instance: &dyn Instance, seed: u64) -> Analysis<'_> {
    let asked = Analysis::new(instance, &Constraints::default()).expect("a game");
    if seed.is_multiple_of(2) { asked } else { asked.with_first_look(0) }
}

fn diagnoses_are_exhaustive_answers<P: Moves>(objectives: &[Objective]) {
    let (mut fatal, mut costly) = (0, 0);
    each_board::<P>(objectives, |all, instance, seed| {
        let plan = all.random_game(seed);
        if all.optimum().is_none() && seed % 4 != 0 {
            return false;
        }
        let text = all.puzzle.solution(&plan).to_string();
        let mut asked = analysis(instance, seed);
        let game = asked.atlas.play(&text).expect("moves");
        let answer = diagnose(&mut asked, &game, &Limits::none());
        assert_eq!(answer.moves.len(), plan.len(), "seed {seed}");
        let states = all.puzzle.replay(&plan).states;
        let left: Vec<Option<Cost>> = states.iter().map(|it| all.left(it)).collect();
        let lost = left.iter().position(Option::is_none);
        assert_eq!((answer.lost, answer.stop), (lost, None), "seed {seed}");
        assert_eq!(answer.fatal, lost.filter(|&lost| lost > 0), "seed {seed}");
        assert_eq!(answer.solved, left.last() == Some(&Some(Cost::ZERO)), "seed {seed}");
        for (index, judged) in answer.moves.iter().enumerate() {
            let before = left[index];
            let tally = all.puzzle.step(&states[index], plan[index]).expect("legal").tally;
            let expected = match (before, left[index + 1]) {
                (None, _) => (None, None),
                (Some(_), None) => (Some(MoveClass::Fatal), None),
                (Some(before), Some(after)) => {
                    let after = after + Cost::of(all.objective, tally);
                    let loss = (primary(after) - primary(before)) as u32;
                    let class = if after == before { MoveClass::Free } else { MoveClass::Costly };
                    (Some(class), Some(loss))
                }
            };
            fatal += u64::from(expected.0 == Some(MoveClass::Fatal));
            costly += u64::from(expected.0 == Some(MoveClass::Costly));
            assert_eq!(
                (judged.class, judged.cost),
                expected,
                "seed {seed}, move {}: {text}",
                index + 1
            );
        }
        true
    });
    // Atoms cannot be lost here, and few random rules leave a way to lose or to waste moves.
    let is_dull = P::NAME == "puzzlescript";
    assert!(fatal > 0 || is_dull || P::NAME == "sokobond", "{}: no fatal move", P::NAME);
    let rarely = if is_dull { 50 } else { 10 };
    assert!(rarely * costly > boards(objectives), "{}: {costly} costly moves", P::NAME);
}

/// Of the pushes that all plans share: when they are made, that nothing else could be where it is
/// said, and that without one every solution costs more.
fn pushes_come_when_said<P: Moves>(
    all: &Everything<P>,
    instance: &dyn Instance,
    complete: &[&Vec<String>],
    answer: &Enumeration,
    atlas: &dyn Atlas,
    seed: u64,
) {
    let pushes = answer.common.iter().filter(|&&action| action != WALK);
    let mut names: Vec<&str> = pushes.map(|&it| atlas.action_name(it)).collect();
    let mut shared: Vec<&str> =
        answer.shared.iter().map(|it| atlas.action_name(it.action)).collect();
    names.sort_unstable();
    names.dedup();
    shared.sort_unstable();
    assert_eq!(names, shared, "seed {seed}");
    for it in &answer.shared {
        let name = atlas.action_name(it.action);
        let places: Vec<u32> = complete
            .iter()
            .flat_map(|plan| (1..).zip(plan.iter()).filter(|(_, made)| *made == name))
            .map(|(place, _)| place)
            .collect();
        assert_eq!(places.iter().min(), Some(&it.first), "seed {seed}: {name}");
        assert_eq!(places.iter().max(), Some(&it.last), "seed {seed}: {name}");
        if it.only {
            let at = it.first as usize - 1;
            let next: BTreeSet<_> = complete.iter().map(|plan| plan.get(at)).collect();
            assert!(it.first < it.last || next.len() == 1, "seed {seed}: {name}");
        }
    }
    let Some(it) = answer.shared.get(seed as usize % answer.shared.len().max(1)) else { return };
    let mut constraints = Constraints::default();
    constraints.forbid(&format!("push {}", atlas.action_name(it.action))).expect("a constraint");
    let mut less = unstuck::instance::atlas(instance, &constraints).expect("a game");
    let start = less.start();
    let constrained = ConstrainedPuzzle::of(&all.puzzle, &constraints);
    let Some(expected) = Everything::of(constrained, all.objective, 4 * MOST) else { return };
    match (less.cost_to_go(start, None, &Limits::none()), expected.optimum()) {
        (CostToGo::Exactly(said), Some(cost)) => {
            assert_eq!(said, cost, "seed {seed}: {constraints}");
            assert!(Some(cost) > all.optimum(), "seed {seed}: {constraints}");
        }
        (CostToGo::Never, None) => {}
        other => panic!("seed {seed}: {constraints}: {other:?}"),
    }
}

fn plans_are_counted_exactly<P: Moves>(objectives: &[Objective]) {
    let (mut several, mut exchanged) = (0, 0);
    each_board::<P>(objectives, |all, instance, seed| {
        if all.optimum().is_none() {
            return false;
        }
        let Some(sequences) = all.sequences() else { return false };
        let complete: Vec<&Vec<String>> = sequences.whole.iter().collect();
        let (expected, _) = sequences.classes();
        let mut asked = analysis(instance, seed);
        let answer = enumerate(&mut asked, 40, &Limits::none());
        let atlas = asked.atlas.as_mut();
        assert_eq!(
            answer.plans,
            Some(expected as u128),
            "seed {seed}: {complete:#?}\n{}",
            instance.text()
        );
        assert_eq!(answer.listed.len(), expected.min(40), "seed {seed}");
        assert_eq!(answer.all_listed, expected <= 40, "seed {seed}");
        let mut texts = BTreeSet::new();
        for actions in &answer.listed {
            let text = atlas.plan(actions).expect("possible");
            let verified = instance.verify(&text).expect("a solution");
            let cost = Cost::of(all.objective, verified.tally()).primary();
            assert_eq!(Some(cost), all.optimum().map(Cost::primary), "seed {seed}");
            texts.insert(text);
        }
        assert_eq!(texts.len(), answer.listed.len(), "seed {seed}: plans differ");
        // What is common to all.
        let count =
            |sequence: &Vec<String>, name: &str| sequence.iter().filter(|it| *it == name).count();
        for name in complete[0] {
            let least = complete.iter().map(|sequence| count(sequence, name)).min().unwrap();
            let said = answer.common.iter().filter(|&&it| atlas.action_name(it) == name).count();
            assert_eq!(said, least, "seed {seed}: {name}");
        }
        pushes_come_when_said(all, instance, &complete, &answer, atlas, seed);
        several += u64::from(expected > 1);
        exchanged += u64::from(expected < complete.len());
        true
    });
    assert!(60 * several >= boards(objectives), "{}: {several} boards with several plans", P::NAME);
    assert!(exchanged > 0 || P::NAME != "sokoban", "{}: nothing was exchanged", P::NAME);
}

/// A position that is drawn as a level says the same as the moves to it, where a level can.
fn snapshots_are_positions<P: Moves>(
    all: &Everything<P>,
    instance: &dyn Instance,
    later: &dyn Instance,
    state: &P::State,
    seed: u64,
) {
    let drawn = instance.continued(&all.puzzle.begun_at(state).print());
    if P::GAME.drawn.is_none() {
        assert_eq!(drawn.err(), Some(ContinueError::NotDrawn(P::NAME)), "seed {seed}");
        return;
    }
    let drawn = drawn.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(drawn.text(), later.text(), "seed {seed}");
    let left = |it: &dyn Instance| {
        let mut atlas = atlas(it, &Constraints::default()).expect("a game");
        let start = atlas.start();
        atlas.cost_to_go(start, None, &Limits::none())
    };
    assert_eq!(left(drawn.as_ref()), left(later), "seed {seed}");
}

fn hints_are_optimal_and_go_on<P: Moves>(objectives: &[Objective]) {
    each_board::<P>(objectives, |all, instance, seed| {
        let plan = all.random_game(seed);
        let states = all.puzzle.replay(&plan).states;
        let state = states.last().unwrap();
        let text = all.puzzle.solution(&plan).to_string();
        let later = instance.continued(&text).expect("legal moves");
        let mut asked = analysis(later.as_ref(), seed);
        let answer = hint(&mut asked, None, usize::MAX, &Limits::none());
        snapshots_are_positions(all, instance, later.as_ref(), state, seed);
        assert_eq!(answer.solvable, Some(all.left(state).is_some()), "seed {seed}");
        assert_eq!(answer.rest, all.left(state), "seed {seed}");
        assert_eq!(answer.at_least, answer.rest, "seed {seed}");
        if let Some(rest) = answer.rest {
            let moves = answer.moves.expect("a plan");
            let verified = later.verify(&moves).expect("it solves the rest");
            assert_eq!(Cost::of(all.objective, verified.tally()), rest, "seed {seed}: {moves}");
            detours_are_hints(instance, &format!("{text}{moves}"), seed);
        }
        true
    });
}

/// A hint from a plan that is not a shortest one goes its pushes, and walks no further than it does.
fn detours_are_hints(instance: &dyn Instance, plan: &str, seed: u64) {
    let plan = instance.verify(plan).expect("a game and what solves the rest");
    let mut atlas = atlas(instance, &Constraints::default()).expect("a game");
    let whole = along(&plan, atlas.as_mut(), usize::MAX);
    let moves = whole.moves.expect("the moves of a plan");
    let verified = instance.verify(&moves).unwrap_or_else(|_| panic!("seed {seed}: {moves}"));
    let cost = |tally| Cost::of(atlas.objective(), tally);
    assert!(cost(verified.tally()) <= cost(plan.tally()), "seed {seed}: {moves}");
    assert!(verified.tally().pushes <= plan.tally().pushes, "seed {seed}: {moves}");
    assert_eq!(whole.at_most, Some(atlas.objective().primary(plan.tally())), "seed {seed}");
    let next = along(&plan, atlas.as_mut(), 1);
    let start = next.moves.expect("the moves of a push");
    assert!(moves.starts_with(&start), "seed {seed}: {start} of {moves}");
    // The player stands where the moves end, not anywhere from where the next push can be reached.
    let reached = atlas.play(&start).expect("legal moves").moves.last().map(|made| made.to);
    assert_eq!(next.after, reached.or(next.after), "seed {seed}: {start}");
}

/// Costs asked for in any order and under any cap are those of exhaustive search.
fn costs_are_exact<P: Moves>(objectives: &[Objective]) {
    each_board::<P>(objectives, |all, instance, seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut atlas = atlas(instance, &Constraints::default()).expect("a game");
        for round in 0..6 {
            let plan = all.random_game(seed * 7 + round);
            let states = all.puzzle.replay(&plan).states;
            let game = atlas.play(&all.puzzle.solution(&plan).to_string()).expect("moves");
            for (made, state) in game.moves.iter().zip(&states[1..]) {
                let below = rng.bool().then(|| Cost::new(rng.u32(0..12), 0));
                let expected = all.left(state);
                match (atlas.cost_to_go(made.to, below, &Limits::none()), expected) {
                    (CostToGo::Exactly(said), Some(left)) => assert_eq!(said, left, "seed {seed}"),
                    (CostToGo::AtLeast(said), _) => {
                        assert!(expected.is_none_or(|left| said <= left), "seed {seed}");
                        assert!(below.is_some_and(|below| said >= below), "seed {seed}");
                    }
                    (CostToGo::Never, None) => {}
                    other => panic!("seed {seed}: {other:?}"),
                }
            }
        }
        true
    });
}

/// What happens without each part is what exhaustive search of the level without it says.
fn parts_are_needed_as_search_says<P: Moves>(objectives: &[Objective]) {
    let mut effects: BTreeMap<&str, usize> = BTreeMap::new();
    each_board::<P>(objectives, |all, instance, seed| {
        let parts = all.puzzle.parts();
        let answer = needed(
            instance,
            None,
            false,
            &Constraints::default(),
            &Limits::none(),
            &mut |_, _, _| {},
        );
        let answer = answer.expect("answered");
        assert_eq!(answer.level.optimum, all.optimum(), "seed {seed}");
        assert_eq!(answer.parts.len(), parts.len(), "seed {seed}");
        for (number, said) in answer.parts.iter().enumerate() {
            *effects.entry(said.effect.name()).or_default() += 1;
            let Some(less) = all.puzzle.without(&[number]) else {
                assert_eq!(said.effect, Change::NoLevel);
                continue;
            };
            let Some(less) = Everything::of(less, all.objective, 30_000) else { continue };
            let primary = |cost: Option<Cost>| cost.map(Cost::primary);
            let expected = match (primary(all.optimum()), primary(less.optimum())) {
                (None, None) => Change::None,
                (Some(_), None) => Change::Unsolvable,
                (None, Some(_)) => Change::Solvable,
                (Some(with), Some(without)) if without < with => Change::Sooner(with - without),
                (Some(with), Some(without)) if without > with => Change::Later(without - with),
                _ => Change::None,
            };
            let name = &said.part.name;
            assert_eq!(said.effect, expected, "seed {seed}, {name}:\n{}", instance.text());
            assert!(
                !said.part.loosens || all.optimum().is_none() || less.optimum() <= all.optimum()
            );
        }
        !parts.is_empty()
    });
    assert!(effects.len() >= 2, "{}: {effects:?}", P::NAME);
}

/// The parts that explain an unsolvable board have no solution by themselves, and each is needed.
fn explanations_are_minimal<P: Moves>(objectives: &[Objective]) {
    let mut looked_at = 0;
    each_board::<P>(objectives, |all, instance, seed| {
        if all.optimum().is_some() {
            return false;
        }
        let answer = explain(instance, &[], 3, &Constraints::default(), &Limits::none());
        let answer = answer.expect("answered");
        assert_eq!(answer.solvable, Some(false), "seed {seed}");
        assert!(!answer.cores.is_empty(), "seed {seed}");
        let parts = all.puzzle.parts();
        let gone = |kept: &[usize]| -> Vec<usize> {
            (0..parts.len()).filter(|it| parts[*it].loosens && !kept.contains(it)).collect()
        };
        let solvable = |gone: &[usize]| {
            let less = Everything::of(all.puzzle.without(gone)?, all.objective, 40_000)?;
            Some(less.optimum().is_some())
        };
        for core in &answer.cores {
            assert!(core.minimal, "seed {seed}");
            assert_ne!(solvable(&gone(&core.parts)), Some(true), "seed {seed}");
            for part in &core.parts {
                let fewer: Vec<usize> =
                    core.parts.iter().copied().filter(|it| it != part).collect();
                let found = solvable(&gone(&fewer));
                assert_ne!(found, Some(false), "seed {seed}: {}", parts[*part].name);
                looked_at += u64::from(found.is_some());
            }
        }
        true
    });
    // Elsewhere hardly a wall is to blame.
    let enough = if P::NAME == "sokoban" { boards(objectives) / 3 } else { u64::from(is_whole()) };
    assert!(looked_at >= enough, "{}: {looked_at} parts", P::NAME);
}

/// Constraints for a board: cells of it, moves, and what can be required.
fn random_constraints<P: Moves>(all: &Everything<P>, seed: u64) -> Constraints {
    let mut rng = fastrand::Rng::with_seed(seed);
    let states: Vec<&P::State> = all.solvable().collect();
    let mut constraints = Constraints::default();
    for _ in 0..rng.usize(1..=2) {
        let state = if states.is_empty() {
            all.puzzle.start()
        } else {
            states[rng.usize(0..states.len())].clone()
        };
        let pieces = all.puzzle.pieces(&state);
        let (row, column) = match rng.choice(&pieces.others) {
            Some(piece) if rng.bool() => piece[0],
            _ => pieces.player,
        };
        let at = format!("{},{}", row + 1, column + 1);
        if let Some(line) = all.puzzle.rule_lines().and_then(|lines| rng.choice(lines))
            && rng.bool()
        {
            let _ = match rng.bool() {
                true => constraints.forbid(&format!("rule {line}")),
                false => constraints.require(&format!("rule {line}")),
            };
            continue;
        }
        let _ = match rng.u8(0..8) {
            0 => constraints.forbid(&format!("box {at}")),
            1 => constraints.forbid(&format!("cell {at}")),
            2 => constraints.forbid(&format!("player {at}")),
            3 => constraints.forbid(&format!("pushed {at}")),
            4 => {
                let plan = all.random_game(seed);
                let letter = all.puzzle.solution(&plan[..plan.len().min(1)]).to_string();
                constraints.forbid(&format!("move {letter}"))
            }
            5 => constraints.forbid(&format!("modifier {at}")),
            6 => constraints.require(&format!("player {at}")),
            _ => constraints.require(&format!("box {at}")),
        };
    }
    constraints
}

/// What excludes cheaper solutions under constraints is closed, and is not with an entry less.
fn closed_sets_keep_constraints(
    instance: &dyn Instance,
    constraints: &Constraints,
    optimum: Option<Cost>,
    seed: u64,
) {
    let game = instance.moves().expect("a game");
    let states = instance.capability::<dyn StateSpace>().expect("a game");
    let close = |claim, use_bound| {
        let closing = ClosureTask { claim, use_bound, max_states: None };
        states.close(constraints, closing, &Limits::none(), &mut |_| {})
    };
    let claim = match optimum.map(Cost::primary) {
        None => Budget::Any,
        Some(0) => return,
        Some(cost) => {
            let too_much = close(Budget::Within(cost), false);
            assert_eq!(too_much.err(), Some(ClosureError::Solvable), "seed {seed}: {constraints}");
            Budget::Within(cost - 1)
        }
    };
    for use_bound in [false, true] {
        let mut set = match close(claim, use_bound) {
            Ok(set) => set,
            Err(ClosureError::NoBound) if use_bound => continue,
            Err(error) => panic!("seed {seed}: {constraints}: {error}"),
        };
        let limits = Limits::none();
        let check =
            |set: &_| game.check_closed(constraints, set, &mut Monitor::new(&limits, &mut |_| {}));
        assert!(check(&set).is_ok(), "seed {seed}: {constraints}");
        if !set.entries.is_empty() {
            set.entries.remove(seed as usize % set.entries.len());
            assert!(check(&set).is_err(), "seed {seed}: {constraints}: an entry less is enough");
        }
    }
}

/// Solutions under constraints are those of exhaustive search, and they keep to the constraints.
fn constraints_are_kept<P: Moves>(objectives: &[Objective]) {
    let (mut worse, mut lost) = (0, 0);
    each_board::<P>(objectives, |all, instance, seed| {
        let constraints = random_constraints(all, seed);
        if constraints.is_empty() || all.optimum().is_none() {
            return false;
        }
        let constrained = ConstrainedPuzzle::of(&all.puzzle, &constraints);
        let Some(expected) = Everything::of(constrained.clone(), all.objective, 4 * MOST) else {
            return false;
        };
        let mut asked = Analysis::new(instance, &constraints).expect("a game");
        let answer = hint(&mut asked, None, usize::MAX, &Limits::none());
        assert_eq!(
            answer.rest,
            expected.optimum(),
            "seed {seed}: {constraints}\n{}",
            instance.text()
        );
        worse += u64::from(expected.optimum() > all.optimum());
        lost += u64::from(expected.optimum().is_none());
        closed_sets_keep_constraints(instance, &constraints, expected.optimum(), seed);
        let Some(moves) = answer.moves else { return true };
        let game = instance.moves().expect("a game");
        assert!(game.verify(&constraints, &moves).is_ok(), "seed {seed}: {constraints}: {moves}");
        let solution = all.puzzle.read_solution(&moves).expect("moves");
        let plan = all.puzzle.plan(&solution);
        let states = all.puzzle.replay(&plan).states;
        let played = states.iter().zip(&plan);
        let played = played.filter_map(|(from, &mv)| all.puzzle.step_with_rules(from, mv).ok());
        let acting: BTreeSet<usize> = played.flat_map(|(_, lines)| lines).collect();
        let start = all.puzzle.pieces(&states[0]);
        let covered = |pieces: &Pieces, at| pieces.others.iter().any(|it| it.contains(at));
        for pieces in states.iter().map(|state| all.puzzle.pieces(state)) {
            for forbidden in &constraints.forbidden {
                let broken = match forbidden {
                    Prohibition::Piece(at) => covered(&start, at) && !covered(&pieces, at),
                    Prohibition::Cell(at) => pieces.player == *at || covered(&pieces, at),
                    Prohibition::Player(at) => pieces.player == *at,
                    Prohibition::Pushed(at) => covered(&pieces, at),
                    Prohibition::Move(letter) => moves.to_lowercase().contains(letter),
                    Prohibition::Rule(line) => acting.contains(line),
                    _ => false,
                };
                assert!(!broken, "seed {seed}: {constraints}: {moves}");
            }
        }
        for required in &constraints.required {
            let happens =
                states.iter().map(|state| all.puzzle.pieces(state)).any(|pieces| match required {
                    Requirement::Player(at) => pieces.player == *at,
                    Requirement::Piece(at) => covered(&pieces, at),
                    Requirement::Rule(line) => acting.contains(line),
                    _ => true,
                });
            assert!(happens, "seed {seed}: {constraints}: {moves}");
        }
        true
    });
    // Random rules seldom leave a second way.
    let is_worse = P::NAME == "puzzlescript" || 30 * worse > boards(objectives);
    assert!(
        is_worse && 100 * lost > boards(objectives),
        "{}: {worse} longer, {lost} lost",
        P::NAME
    );
}

/// A rule acts in a shortest solution where one in which it must is as short.
fn acting_rules_are_all<P: Moves>(objectives: &[Objective]) {
    let (mut acting, mut idle) = (0, 0);
    each_board::<P>(objectives, |all, instance, seed| {
        let Some(optimum) = all.optimum() else { return false };
        let mut atlas = atlas(instance, &Constraints::default()).expect("a game");
        let found = acting_rules(atlas.as_mut(), optimum, &Limits::none()).expect("no limit");
        let lines = all.puzzle.rule_lines().expect("rules in a file");
        assert!(found.is_subset(&lines), "seed {seed}");
        for line in lines {
            let mut constraints = Constraints::default();
            constraints.require(&format!("rule {line}")).expect("a constraint");
            let puzzle = ConstrainedPuzzle::of(&all.puzzle, &constraints);
            let Some(required) = Everything::of(puzzle, all.objective, 4 * MOST) else { continue };
            let acts = all.puzzle.starting().contains(&line) || required.optimum() == Some(optimum);
            assert_eq!(found.contains(&line), acts, "seed {seed}: {line}\n{}", instance.text());
            *(if acts { &mut acting } else { &mut idle }) += 1;
        }
        true
    });
    assert!(
        4 * acting > boards(objectives) && 4 * idle > boards(objectives),
        "{acting} act, {idle} do not"
    );
}

const COUNTED: [Objective; 4] =
    [Objective::Pushes, Objective::PushesMoves, Objective::Moves, Objective::MovesPushes];

/// What is counted where rules are written in a file.
const CHANGES: [Objective; 2] = [Objective::Moves, Objective::Pushes];

macro_rules! for_each_family {
    ($($test:ident => $check:ident, $puzzle:ty, $objectives:expr;)+) => {
        $(#[test]
        fn $test() {
            $check::<$puzzle>($objectives);
        })+
    };
}

for_each_family! {
    sokoban_costs => costs_are_exact, Sokoban, &COUNTED;
    snowman_costs => costs_are_exact, Snowman, &COUNTED;
    sokobond_costs => costs_are_exact, Sokobond, &[Objective::Moves];
    warehouse_costs => costs_are_exact, Warehouse, &COUNTED;
    sokoban_diagnoses => diagnoses_are_exhaustive_answers, Sokoban, &COUNTED;
    snowman_diagnoses => diagnoses_are_exhaustive_answers, Snowman, &COUNTED;
    puzzlescript_costs => costs_are_exact, PuzzleScript, &CHANGES;
    puzzlescript_diagnoses => diagnoses_are_exhaustive_answers, PuzzleScript, &CHANGES;
    puzzlescript_hints => hints_are_optimal_and_go_on, PuzzleScript, &CHANGES;
    puzzlescript_parts => parts_are_needed_as_search_says, PuzzleScript, &CHANGES;
    sokobond_diagnoses => diagnoses_are_exhaustive_answers, Sokobond, &[Objective::Moves];
    warehouse_diagnoses => diagnoses_are_exhaustive_answers, Warehouse, &COUNTED;
    sokoban_hints => hints_are_optimal_and_go_on, Sokoban, &COUNTED;
    snowman_hints => hints_are_optimal_and_go_on, Snowman, &COUNTED;
    sokobond_hints => hints_are_optimal_and_go_on, Sokobond, &[Objective::Moves];
    warehouse_hints => hints_are_optimal_and_go_on, Warehouse, &COUNTED;
    sokoban_plans => plans_are_counted_exactly, Sokoban, &COUNTED;
    snowman_plans => plans_are_counted_exactly, Snowman, &COUNTED;
    sokobond_plans => plans_are_counted_exactly, Sokobond, &[Objective::Moves];
    warehouse_plans => plans_are_counted_exactly, Warehouse, &COUNTED;
    sokoban_parts => parts_are_needed_as_search_says, Sokoban, &COUNTED;
    snowman_parts => parts_are_needed_as_search_says, Snowman, &COUNTED;
    sokobond_parts => parts_are_needed_as_search_says, Sokobond, &[Objective::Moves];
    warehouse_parts => parts_are_needed_as_search_says, Warehouse, &COUNTED;
    sokoban_explanations => explanations_are_minimal, Sokoban, &COUNTED;
    snowman_explanations => explanations_are_minimal, Snowman, &COUNTED;
    sokobond_explanations => explanations_are_minimal, Sokobond, &[Objective::Moves];
    warehouse_explanations => explanations_are_minimal, Warehouse, &COUNTED;
    sokoban_constraints => constraints_are_kept, Sokoban, &COUNTED;
    snowman_constraints => constraints_are_kept, Snowman, &COUNTED;
    sokobond_constraints => constraints_are_kept, Sokobond, &[Objective::Moves];
    warehouse_constraints => constraints_are_kept, Warehouse, &COUNTED;
    puzzlescript_constraints => constraints_are_kept, PuzzleScript, &CHANGES;
    puzzlescript_rules => acting_rules_are_all, PuzzleScript, &CHANGES;
}
