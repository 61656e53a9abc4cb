//! The machine, the packing and the bound against the judge.

use super::{PuzzleScriptFeatures, PuzzleScriptSpace, Store};
use crate::cost::Cost;
use crate::features::{FeatureSpace, Features};
use crate::puzzlescript::machine::play::Turn;
use crate::space::Space;
use itertools::Itertools;
use std::collections::{HashMap, HashSet, VecDeque};
use unstuck_puzzles::puzzlescript::{Input, PuzzleScript, State};
use unstuck_puzzles::{Moves, Objective, Options, Play, Puzzle, PuzzleExt, Successor, Tally};

/// What samples are searched in, and what they fall back to.
type Small = PuzzleScriptSpace<[u64; 4], 1>;
type Large = PuzzleScriptSpace<Box<[u64]>, 3>;

/// The states that can be reached from the start of a puzzle; once there are more than so many, no
/// others are looked for.
pub(super) fn reached(puzzle: &PuzzleScript, most: usize) -> Vec<State> {
    let mut known = HashSet::from([puzzle.start()]);
    let mut states = vec![puzzle.start()];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned().filter(|_| states.len() <= most) {
        next += 1;
        for mv in puzzle.moves(&state) {
            let after = puzzle.step(&state, mv).expect("a legal move").state;
            if known.insert(after.clone()) {
                states.push(after);
            }
        }
    }
    states
}

/// Positions along a random walk.
fn walk(puzzle: &PuzzleScript, seed: u64) -> Vec<State> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut states = vec![puzzle.start()];
    for _ in 0..40 {
        let state = &states[states.len() - 1];
        let Some(mv) = rng.choice(puzzle.moves(state)) else { break };
        states.push(puzzle.step(state, mv).expect("a legal move").state);
    }
    states
}

/// What a space makes of a state must be what the judge makes of it.
fn agrees<S: Store, const N: usize>(
    space: &mut PuzzleScriptSpace<S, N>,
    puzzle: &PuzzleScript,
    state: &State,
) {
    let context = || format!("{}\n{}", puzzle.print(), puzzle.write_state(state));
    let packed = space.pack(state).unwrap_or_else(|| panic!("no packed state\n{}", context()));
    assert_eq!(space.is_goal(&packed), state.won, "{}", context());
    assert_eq!(space.pack(&space.unpack(&packed)).as_ref(), Some(&packed), "{}", context());
    let mut successors = Vec::new();
    space.expand(&packed, &mut successors);
    let ours: HashSet<(S, Cost)> = successors.into_iter().collect();
    let judged = puzzle.moves(state).into_iter().map(|mv| {
        let next = puzzle.step(state, mv).expect("a legal move");
        let cost = Cost::of(space.objective, next.tally);
        let packed = space.pack(&next.state);
        let leaves = || panic!("{mv:?} leads out of the space\n{}", context());
        (packed.unwrap_or_else(leaves), cost)
    });
    // A turn that changes only what does not matter leads to the same packed state.
    let judged: HashSet<(S, Cost)> = judged.filter(|(next, _)| *next != packed).collect();
    assert_eq!(ours, judged, "{}", context());
}

#[test]
fn the_machine_plays_as_the_judge() {
    let mut changes = [0, 0];
    for (seed, objective) in (0..2200).cartesian_product([Objective::Moves, Objective::Pushes]) {
        let puzzle = PuzzleScript::sample(seed);
        let mut space = Small::new(&puzzle, objective).expect("a small game");
        let states = walk(&puzzle, seed);
        for state in &states {
            agrees(&mut space, &puzzle, state);
        }
        // What such a walk is as a plan: no longer, and of the same changes.
        if objective == Objective::Pushes {
            let path: Vec<_> =
                states.iter().map(|state| space.pack(state).expect("a position")).collect();
            let played = puzzle.replay(&space.plan(&path));
            assert!(played.stop.is_none() && played.states.last() == states.last(), "{seed}");
            assert!((played.tally.moves as usize) < states.len(), "{seed}");
            let pushes: u32 = states
                .windows(2)
                .map(|pair| u32::from(puzzle.action(&pair[0], &pair[1]) != "nothing"))
                .sum();
            assert_eq!(played.tally.pushes, pushes, "{seed}");
            changes[0] += pushes as usize;
            changes[1] += states.len() - 1 - played.tally.moves as usize;
        }
    }
    assert!(changes.iter().all(|&count| count > 1000), "changes, and moves saved: {changes:?}");
    for seed in 0..200 {
        let puzzle = PuzzleScript::sample(seed);
        let mut space = Large::new(&puzzle, Objective::Moves).expect("a small game");
        for state in walk(&puzzle, seed) {
            agrees(&mut space, &puzzle, &state);
        }
    }
}

/// The action key makes dust that spreads by a cell a round, to the end of one row of cells.
fn dusty(rules: &str, width: usize) -> PuzzleScript {
    let spread = "right [ action Player ] -> [ action Player Dust ]\n\
                  + right [ Dust | no Dust ] -> [ Dust | Dust ]";
    let row = format!("P{}O", ".".repeat(width - 2));
    level(&format!("{spread}\n{rules}"), "all target on dust", &row)
}

#[test]
fn a_group_is_left_after_as_many_rounds_as_the_judge_plays() {
    for width in [2, 198, 199, 200, 201, 230] {
        let puzzle = dusty("", width);
        let mut space = Large::new(&puzzle, Objective::Moves).expect("a game");
        agrees(&mut space, &puzzle, &puzzle.start());
        let judged = puzzle.step(&puzzle.start(), Input::Action).map(|next| next.state.won);
        // Dust lies on the first two cells after the first round.
        assert_eq!(judged, Ok(width <= 201), "{width}");
    }
}

/// The action key begins to count in binary, a tick for each number.
#[test]
fn ticks_are_played_as_long_as_the_judge_plays_them() {
    let count = "[ action Player | no Dust ] -> [ Player | Dust ]\n\
                 [ stationary Player | no Dust ] -> [ Player | Dust ]\n\
                 right [ Dust Crate | ] -> [ | Dust ]\n\
                 [ Dust no Crate ] -> [ Crate ] again";
    for bits in [3, 9, 11] {
        let row = format!("P{}O", ".".repeat(bits));
        let puzzle = level(count, "all target on crate", &row);
        let mut space = Large::new(&puzzle, Objective::Moves).expect("a game");
        agrees(&mut space, &puzzle, &puzzle.start());
        let judged = puzzle.step(&puzzle.start(), Input::Action).map(|next| next.state.won);
        assert_eq!(judged, Ok(true), "{bits}");
    }
}

/// Marks are left where a counter ends the group that takes them away, and behind a loop that one
/// ends; a loop over dust that no rule reads takes a jump from the others.
#[test]
fn what_counters_leave_is_known_or_said_to_be_unknown() {
    let seen = "[ > Player Dust ] -> [ > Player Dust Target ]\n";
    let group = "late [ Dust ] -> [ ]\n+ late [ Player no Dust ] -> [ Player Dust ]";
    let looped = "startloop\nlate [ Player no Dust ] -> [ Player Dust ]\n\
                  late [ Player Dust ] -> [ Player ]\n\
                  late [ Player no Dust ] -> [ Player Dust ]\nendloop\nlate [ Dust ] -> [ ]";
    let shared = "startloop\n[ no Dust ] -> [ Dust ]\nendloop\n\
                  startloop\nright [ Crate | no Crate ] -> [ | Crate ]\nendloop";
    for (rules, leaves) in [(group, true), (looped, true), (shared, false)] {
        let puzzle = level(&format!("{seen}{rules}"), "some target on player", "#P.#");
        let mut space = Large::new(&puzzle, Objective::Moves).expect("a game");
        let mut successors = Vec::new();
        let start = space.start();
        space.expand(&start, &mut successors);
        let moves = puzzle.moves(&puzzle.start());
        let is_known = successors.len() == moves.len() && !puzzle.met_unknown_move();
        assert!(is_known || (leaves && puzzle.met_unknown_move()), "{rules}");
        if is_known {
            agrees(&mut space, &puzzle, &puzzle.start());
        }
    }
}

/// The engine stops with an error where the beginning of such a row is found.
#[test]
fn two_ellipses_side_by_side_have_no_result() {
    let rule = "[ > Player | ... | ... | Crate ] -> [ > Player | ... | ... | > Crate ]";
    for (row, is_known) in [("#P.*.O#", false), ("#P.O..#", true)] {
        let puzzle = level(&format!("{rule}\n{PUSH}"), "all target on crate", row);
        let mut space = Large::new(&puzzle, Objective::Moves).expect("a game");
        let mut successors = Vec::new();
        let start = space.start();
        space.expand(&start, &mut successors);
        assert_eq!(successors.len(), puzzle.moves(&puzzle.start()).len(), "{row}");
        assert_eq!(puzzle.met_unknown_move(), !is_known, "{row}");
    }
}

#[test]
fn the_judge_decides_about_turns_that_may_be_too_long() {
    // Nobody finds this rule, but it could take long to look for it.
    let sought = "+ right [ Crate | ... | Crate | ... | Crate ] -> [ | ... | | ... | ]\n\
                  late [ Player Target ] -> again";
    for width in [60, 199, 200, 230] {
        let puzzle = dusty(sought, width);
        let mut space = Large::new(&puzzle, Objective::Moves).expect("a game");
        let start = space.start();
        space.set_up(&start);
        assert_eq!(space.machine.turn(Input::Action), Turn::Unknown, "{width}");
        agrees(&mut space, &puzzle, &puzzle.start());
        assert!(puzzle.step(&puzzle.start(), Input::Action).is_ok());
    }
}

/// As many groups as can be rigid: each sets the crate in motion once more, until all are left out.
/// So the counter of 50 tries is out of reach.
#[test]
fn rigid_groups_are_left_out_one_after_another() {
    let rigid = |groups: usize| {
        let rule = "rigid [ > Player | Crate ] -> [ > Player | > Crate ]\n";
        rule.repeat(groups) + "late [ Player | Crate | Wall ] -> [ Player Dust | Crate | Wall ]"
    };
    for groups in [1, 2, 29, 30] {
        for row in ["#P*..O#", "#P*#O.#", "#P**.O#", "#.*P*O#"] {
            let puzzle = level(&rigid(groups), "all target on crate", row);
            let mut space = Large::new(&puzzle, Objective::Moves).expect("a game");
            for state in walk(&puzzle, groups as u64) {
                agrees(&mut space, &puzzle, &state);
            }
        }
    }
}

#[test]
fn no_bound_exceeds_the_distance() {
    // Samples that are bounded by more than one turn or by any change, and dead states.
    let (mut bounded, mut dead) = ([0, 0], [0, 0]);
    // Positions that a look sees to be dead and distances do not, and those among them that the bound
    // knows after others.
    let (mut seen, mut known) = ([0, 0], [0, 0]);
    for seed in 0..1700 {
        let puzzle = PuzzleScript::sample(seed);
        let states = reached(&puzzle, 600);
        if states.len() > 600 {
            continue;
        }
        let numbers: HashMap<&State, usize> = states.iter().zip(0..).collect();
        let mut before = vec![Vec::new(); states.len()];
        for (number, state) in states.iter().enumerate() {
            for mv in puzzle.moves(state) {
                let Successor { state, tally } = puzzle.step(state, mv).expect("a legal move");
                before[numbers[&state]].push((number, tally));
            }
        }
        for (at, objective) in [Objective::Moves, Objective::Pushes].into_iter().enumerate() {
            let mut distances = vec![None; states.len()];
            let won = (0..states.len()).filter(|&at| states[at].won);
            let mut open: VecDeque<(usize, u32)> = won.map(|at| (at, 0)).collect();
            while let Some((at, distance)) = open.pop_front() {
                if distances[at].is_some() {
                    continue;
                }
                distances[at] = Some(distance);
                for &(previous, tally) in &before[at] {
                    match objective.primary(tally) {
                        0 => open.push_front((previous, distance)),
                        cost => open.push_back((previous, distance + cost)),
                    }
                }
            }
            let mut space = Small::new(&puzzle, objective).expect("a small game");
            for (state, distance) in states.iter().zip(&distances) {
                let packed = space.pack(state).expect("a position");
                let bound = space.bound(&packed);
                let cost = |count| Cost::of(objective, Tally { moves: count, pushes: count });
                let holds = match (bound, distance) {
                    (None, distance) => distance.is_none(),
                    (Some(_), None) => true,
                    (Some(bound), &Some(count)) => bound <= cost(count),
                };
                assert!(
                    holds,
                    "seed {seed}, {objective:?}: bound {bound:?}, distance {distance:?}\n{}\n{}",
                    puzzle.print(),
                    puzzle.begun_at(state).print()
                );
                let least = cost(u32::from(objective == Objective::Moves));
                bounded[at] += usize::from(bound.is_some_and(|bound| bound > least));
                dead[at] += usize::from(bound.is_none());
            }
            let fresh = Small::new(&puzzle, objective).expect("a small game");
            for (state, distance) in states.iter().zip(&distances) {
                let packed = space.pack(state).expect("a position");
                let knows = space.bound(&packed).is_none();
                let is_bounded = fresh.bounds.of(fresh.packing(), packed.as_ref()).is_none();
                let is_seen = fresh.clone().is_dead(&packed);
                let context = || format!("{}\n{}", puzzle.print(), puzzle.begun_at(state).print());
                assert!(!space.is_dead(&packed) || is_seen, "{seed}: by others\n{}", context());
                assert!(!is_seen || distance.is_none(), "{seed}: not dead\n{}", context());
                assert!(!knows || is_seen || is_bounded, "{seed}: not seen\n{}", context());
                seen[at] += usize::from(is_seen && !is_bounded);
                known[at] += usize::from(knows && !is_bounded);
            }
        }
    }
    // Fewer of them where players do not count.
    let enough = bounded[0] > 1000 && bounded[1] > 500 && dead.iter().all(|&dead| dead > 1000);
    assert!(enough, "{bounded:?} bounded, {dead:?} dead");
    let enough = seen.iter().chain(&known).all(|&dead| dead > 1000);
    assert!(enough, "{seen:?} seen to be dead, {known:?} known after others");
}

fn level(rules: &str, conditions: &str, level: &str) -> PuzzleScript {
    let text = format!(
        "OBJECTS\nBackground\ngreen\n\nWall\ngray\n\nPlayer\nblack\n\nCrate\nbrown\n\n\
         Target\nblue\n\nDust\ngray\n\nLEGEND\n. = Background\n# = Wall\nP = Player\n\
         * = Crate\nO = Target\n@ = Crate and Target\n\nSOUNDS\n\nCOLLISIONLAYERS\nBackground\n\
         Target\nPlayer, Wall, Crate\nDust\n\nRULES\n{rules}\n\nWINCONDITIONS\n{conditions}\n\n\
         LEVELS\n\n{level}\n"
    );
    let options = Options::new(PuzzleScript::OPTIONS, []).expect("defaults");
    PuzzleScript::parse(&text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const PUSH: &str = "[ > Player | Crate ] -> [ > Player | > Crate ]";

fn bound(puzzle: &PuzzleScript) -> Option<u32> {
    let mut space = Small::new(puzzle, Objective::Moves).expect("a small game");
    let start = space.start();
    space.bound(&start).map(Cost::primary)
}

#[test]
fn bounds_are_how_far_the_farthest_has_to_go() {
    let of = |conditions: &str, map: &str| bound(&level(PUSH, conditions, map));
    let far = "########\n#P*...O#\n#......#\n########";
    assert_eq!(of("all crate on target", far), Some(4));
    assert_eq!(of("all target on crate", far), Some(4));
    assert_eq!(of("some crate on target", far), Some(4));
    assert_eq!(of("some player on target", far), Some(5));
    assert_eq!(of("no crate", far), None);
    // Moves are added up where one player pushes one crate at a time.
    let two = "#######\n#P.*.O#\n#..*.O#\n#.....#\n#######";
    assert_eq!(of("all crate on target", two), Some(4));
    assert_eq!(of("all target on crate", two), Some(4));
    assert_eq!(of("all crate on target", &two.replace("#..*", "#P.*")), Some(2));
    let chain = format!("{PUSH}\n+ [ > Crate | Crate ] -> [ > Crate | > Crate ]");
    assert_eq!(bound(&level(&chain, "all crate on target", two)), Some(2));
    // A corner is dead, and so is a wall without a target, where every crate is needed.
    let wall = "######\n#.P..#\n#.O..#\n#....#\n#..*.#\n######";
    assert_eq!(of("all target on crate", wall), None);
    let spare = "######\n#.P*.#\n#....#\n#.*O.#\n#..*.#\n######";
    assert_eq!(of("all target on crate", spare), Some(1));
    assert_eq!(of("all crate on target", spare), None);
}

/// Squares from which no box can be pushed to a goal, whatever else is on the board: those that no
/// box can be pulled to from a goal.
fn dead_squares(rows: &[Vec<char>]) -> HashSet<(usize, usize)> {
    let floor = |(row, column): (usize, usize)| rows[row][column] != '#';
    let all = (1..rows.len() - 1).flat_map(|row| (1..rows[0].len() - 1).map(move |it| (row, it)));
    let mut dead: HashSet<(usize, usize)> = all.filter(|&cell| floor(cell)).collect();
    let mut open: Vec<(usize, usize)> = dead.iter().copied().collect();
    open.retain(|&(row, column)| matches!(rows[row][column], 'O' | '@'));
    while let Some((row, column)) = open.pop() {
        if !dead.remove(&(row, column)) {
            continue;
        }
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let ahead = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
            // The walls around the board stop a pulling player before the edge.
            if floor(ahead)
                && floor((ahead.0.wrapping_add_signed(down), ahead.1.wrapping_add_signed(right)))
            {
                open.push(ahead);
            }
        }
    }
    dead
}

#[test]
fn dead_squares_of_sokoban_are_found() {
    let (mut dead, mut live) = (0, 0);
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (width, height) = (rng.usize(6..9), rng.usize(6..9));
        let mut rows = vec![vec!['#'; width]; height];
        for row in &mut rows[1..height - 1] {
            row[1..width - 1]
                .iter_mut()
                .for_each(|it| *it = if rng.u32(0..6) == 0 { '#' } else { '.' });
        }
        for piece in ['P', '*', '*', 'O', 'O'] {
            rows[rng.usize(1..height - 1)][rng.usize(1..width - 1)] = piece;
        }
        let text: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let text = text.join("\n");
        let count = |piece| text.matches(piece).count();
        if count('P') == 0 || count('*') == 0 || count('*') != count('O') {
            continue;
        }
        let squares = dead_squares(&rows);
        let is_crate = |&&(row, column): &&(usize, usize)| rows[row][column] == '*';
        let expected = squares.iter().any(|cell| is_crate(&cell));
        for conditions in ["all target on crate", "all crate on target"] {
            let bound = bound(&level(PUSH, conditions, &text));
            // What is not dead by itself may still be so because the player comes nowhere near it.
            assert!(!expected || bound.is_none(), "{conditions}\n{text}");
            *(if bound.is_none() { &mut dead } else { &mut live }) += 1;
        }
    }
    assert!(dead > 100 && live > 50, "{dead} dead, {live} live");
}

#[test]
fn what_does_not_matter_takes_no_bits() {
    let bits = |rules: &str, conditions: &str| {
        let puzzle = level(rules, conditions, "######\n#P*.O#\n######");
        Small::new(&puzzle, Objective::Moves).expect("a small game").state_bits()
    };
    let plain = bits(PUSH, "all target on crate");
    let dust = format!("{PUSH}\nlate [ Player no Dust ] -> [ Player Dust ]");
    assert_eq!(bits(&dust, "all target on crate"), plain);
    assert!(bits(&dust, "all target on dust") > plain);
    // What is gone after every turn.
    let mark = format!(
        "{PUSH}\nlate [ Player ] -> [ Player Dust ]\n\
                        late [ Dust Target ] -> win\nlate [ Dust ] -> [ ]"
    );
    assert_eq!(bits(&mark, "all target on crate"), plain);
    // A group that runs in circles is relevant, since the engine's counters end it.
    let circle = format!(
        "{PUSH}\nlate [ Player no Dust ] -> [ Player Dust ]\n\
                          + late [ Player Dust ] -> [ Player ]"
    );
    assert!(bits(&circle, "all target on crate") > plain);
}

type SmallFeatures = PuzzleScriptFeatures<[u64; 4], 1>;

/// Each state that can be reached is offered exactly once, from a state that it follows, and what is
/// won looks better than all else.
#[test]
fn features_leave_out_no_state() {
    let (mut states, mut won) = (0, 0);
    for seed in 0..600 {
        let puzzle = PuzzleScript::sample(seed);
        let reached = reached(&puzzle, 600);
        if reached.len() > 600 {
            continue;
        }
        let mut space = Small::new(&puzzle, Objective::Moves).expect("a small game");
        let pack = |state: &State| space.pack(state).expect("a position");
        let expected: HashSet<[u64; 4]> = reached.iter().map(pack).collect();
        let mut features = SmallFeatures::new(&puzzle, seed as u32).expect("a small game");
        let mut found = vec![features.start()];
        let (mut next, mut choices, mut successors) = (0, Vec::new(), Vec::new());
        while let Some(state) = found.get(next).copied() {
            next += 1;
            assert_eq!(features.features(&state) == [0; 4], features.is_goal(&state), "{seed}");
            won += usize::from(features.is_goal(&state));
            if features.is_goal(&state) {
                continue;
            }
            features.choices(&state, &mut choices);
            space.expand(&state, &mut successors);
            for choice in choices.drain(..) {
                let after = features.after(&state, choice.mv);
                assert!(successors.iter().any(|it| it.0 == after), "{seed}");
                assert_eq!(choice.features, features.features(&after), "{seed}");
                found.push(after);
            }
            successors.clear();
        }
        let known: HashSet<[u64; 4]> = found.iter().copied().collect();
        assert_eq!((found.len(), &known), (expected.len(), &expected), "seed {seed}");
        states += found.len();
    }
    assert!(states > 5_000 && won > 100, "{states} states, {won} won");
}

/// Features of the start in a variant.
fn features(conditions: &str, map: &str, variant: u32) -> Features {
    let mut space = SmallFeatures::new(&level(PUSH, conditions, map), variant).expect("small");
    let start = space.start();
    space.features(&start)
}

#[test]
fn features_say_how_far_conditions_are_from_holding() {
    let of = |conditions: &str, map: &str| features(conditions, map, 2);
    let far = "########\n#P*..O.#\n#*...O.#\n########";
    assert_eq!(of("all crate on target", far), [2 + 3 + 4, 0, 0, 0]);
    assert_eq!(of("all target on crate", far), [2 + 3 + 4, 0, 0, 0]);
    assert_eq!(of("some crate on target", far), [1 + 3, 0, 0, 0]);
    assert_eq!(of("some dust on target", far), [1 + 8 + 4, 0, 0, 0]);
    assert_eq!(of("no crate", far), [2, 0, 0, 0]);
    assert_eq!(of("no crate on target", &far.replace('O', "@")), [2, 0, 0, 0]);
    // What has its place needs that itself.
    let taken = "########\n#P*@.O.#\n#......#\n########";
    assert_eq!(of("all crate on target", taken), [1 + 3, 0, 0, 0]);
    assert_eq!(of("all crate on target\nno crate", taken), [1 + 3 + 2, 0, 0, 0]);
}

#[test]
fn features_set_apart_what_looks_alike() {
    let of = |map: &str, variant| features("all crate on target", map, variant);
    let (open, shut) = ("#####\n#P..#\n#*.O#\n#####", "#####\n#P*.#\n#*.O#\n#####");
    // Two regions around the crates, and the player's own.
    assert_eq!((of(open, 4)[1], of(shut, 4)[1]), (1, 2));
    assert_eq!((of(open, 0)[1], of(shut, 0)[1]), (0, 0));
    assert_ne!(of(open, 0)[2], of(shut, 0)[2]);
    assert_eq!((of(open, 2)[2], of(shut, 2)[2]), (0, 0));
}
