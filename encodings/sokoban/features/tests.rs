//! Macro moves, sides and regions against brute force; no false prune along known solutions.

mod known_plans;

use super::macros::Ways;
use super::survey::{NO_SIDE, Survey, beside, flood, regions};
use super::*;
use itertools::Itertools;
use std::collections::{BTreeSet, HashMap, VecDeque};
use unstuck_puzzles::{Moves, Options, Play, Puzzle};

type Small = SokobanFeatures<2>;

/// A variant that packs in a consistent order.
const BY_PACKING: u32 = 1;

/// A variant that follows a plan, and leaves boxes in corridors, too.
const BY_PLAN: u32 = 4;

fn boards(count: u64) -> impl Iterator<Item = (u64, Sokoban, Small)> {
    boards_by(BY_PACKING, count)
}

fn boards_by(variant: u32, count: u64) -> impl Iterator<Item = (u64, Sokoban, Small)> {
    (0..count).map(move |seed| {
        let puzzle = Sokoban::sample(seed);
        let space = Small::new(&puzzle, variant).expect("samples are small");
        (seed, puzzle, space)
    })
}

/// Small boards with more boxes than samples have, so that boxes stand in the way of boxes.
fn crowded(count: u64) -> impl Iterator<Item = (u64, Small)> {
    const SIZE: (usize, usize) = (6, 5);
    (0..count).filter_map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (rows, columns) = (SIZE.0 + 2, SIZE.1 + 2);
        let mut board = vec![vec!['#'; columns]; rows];
        let mut cells: Vec<(usize, usize)> =
            (1..rows - 1).cartesian_product(1..columns - 1).collect();
        rng.shuffle(&mut cells);
        for (place, &(row, column)) in cells.iter().enumerate() {
            board[row][column] = match place {
                0 => '@',
                1..5 => '$',
                5..9 => '.',
                9..15 => '#',
                _ => ' ',
            };
        }
        let text = board.into_iter().map(String::from_iter).join("\n");
        let mut levels = Sokoban::read(&text, &Options::default()).ok()?;
        // Boards with a box that can never be reached are no levels.
        let puzzle = levels.remove(0).puzzle.ok()?;
        Some((seed, Small::new(&puzzle, BY_PACKING).expect("it is small")))
    })
}

/// Random positions of a board: its boxes thrown anywhere.
fn thrown(space: &Small, rng: &mut fastrand::Rng) -> FeatureState<2> {
    let cells = space.field.len();
    let mut boxes = BitSet::EMPTY;
    for _ in 0..space.field.boxes::<2>().len().min(cells - 1) {
        boxes.insert(rng.usize(..cells));
    }
    let free: Vec<usize> = space.field.all::<2>().minus(&boxes).iter().collect();
    FeatureState::new(&space.field, boxes, free[rng.usize(..free.len())])
}

#[test]
fn sides_and_parts_are_those_of_floods() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (seed, _, space) in boards(150) {
        let field = &space.field;
        let walls = thrown(&space, &mut rng).boxes;
        let mut survey = Survey::new(field.len());
        let Some(root) = field.all::<2>().minus(&walls).first() else { continue };
        survey.walk(field, &walls, root);
        let component = flood(field, &walls, root);
        for at in component.iter() {
            let blocked = walls.with(at);
            let sides = survey.sides(field, at);
            for (d, one) in field.around(at).into_iter().enumerate() {
                let open = one != field::NO_CELL && component.has(usize::from(one));
                assert_eq!(sides[d] != NO_SIDE, open, "seed {seed}");
                for (e, other) in field.around(at).into_iter().enumerate() {
                    if open && other != field::NO_CELL && component.has(usize::from(other)) {
                        let together =
                            flood(field, &blocked, usize::from(one)).has(usize::from(other));
                        assert_eq!(sides[d] == sides[e], together, "seed {seed}");
                    }
                }
            }
            let before = regions(field, &walls);
            let parts = survey.parts(field, at);
            assert_eq!(before + parts, regions(field, &blocked) + 1, "seed {seed}");
        }
    }
}

/// All positions that come about when one box is pushed and the others stay.
fn by_single_pushes(
    space: &Small,
    state: FeatureState<2>,
    from: usize,
) -> BTreeSet<(usize, usize)> {
    let field = &space.field;
    let others = state.boxes.without(from);
    let region = |at: usize, player: usize| {
        flood(field, &others.with(at), player).first().expect("the player stands there")
    };
    let mut found = BTreeSet::new();
    let mut open = VecDeque::from([(from, usize::from(state.player))]);
    while let Some((at, player)) = open.pop_front() {
        let reach = flood(field, &others.with(at), player);
        for push in field.bounds().pushes_from(at) {
            let free = reach.has(push.behind) && !others.has(push.to);
            if free && field.bounds().is_live(push.after) {
                let next = (push.to, region(push.to, at));
                if found.insert(next) {
                    open.push_back(next);
                }
            }
        }
    }
    found.remove(&(from, usize::from(state.player)));
    found
}

#[test]
fn macro_moves_are_the_ways_of_one_box() {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut seen = 0;
    for (seed, _, space) in boards(300) {
        for state in [space.start(), thrown(&space, &mut rng), thrown(&space, &mut rng)] {
            let reach = flood(&space.field, &state.boxes, usize::from(state.player));
            let mut ways = Ways::new(space.field.len());
            for from in state.boxes.iter() {
                let stops = ways.of(&space.field, &state.boxes, &reach, from, [true; 4]).to_vec();
                let others = state.boxes.without(from);
                let found: Vec<(usize, usize)> = stops
                    .iter()
                    .skip(1)
                    .map(|stop| {
                        let to = usize::from(stop.cell);
                        let next = FeatureState::new(
                            &space.field,
                            others.with(to),
                            usize::from(stop.player),
                        );
                        (to, usize::from(next.player))
                    })
                    .collect();
                let distinct: BTreeSet<(usize, usize)> = found.iter().copied().collect();
                assert_eq!(distinct.len(), found.len(), "seed {seed}: one for each region");
                assert_eq!(distinct, by_single_pushes(&space, state, from), "seed {seed}");
                seen += found.len();
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// The states after each choice.
fn followers<F: FeatureSpace>(space: &mut F, state: &F::State) -> Vec<F::State> {
    let mut choices = Vec::new();
    space.choices(state, &mut choices);
    choices.into_iter().map(|choice| space.after(state, choice.mv)).collect()
}

/// How many choices give the features of the state after them, from the start on.
fn choices_with_features(space: &mut impl FeatureSpace, seed: u64) -> usize {
    let mut choices_with_features = 0;
    let mut open = vec![space.start()];
    for _ in 0..20 {
        let Some(state) = open.pop() else { break };
        let mut choices = Vec::new();
        space.choices(&state, &mut choices);
        for choice in choices {
            let next = space.after(&state, choice.mv);
            assert_eq!(space.features(&next), choice.features, "seed {seed}");
            open.push(next);
            choices_with_features += 1;
        }
    }
    choices_with_features
}

#[test]
fn choices_tell_the_features_of_what_comes_after() {
    for variant in [BY_PACKING, 0, BY_PLAN] {
        let boards = boards_by(variant, 150);
        let looked: usize =
            boards.map(|(seed, _, mut space)| choices_with_features(&mut space, seed)).sum();
        assert!(looked > 1_000, "{looked}");
    }
}

/// What single pushes make of a position, none of them pruned.
fn pushes(space: &Small, state: &FeatureState<2>) -> Vec<FeatureState<2>> {
    let field = &space.field;
    let reach = flood(field, &state.boxes, usize::from(state.player));
    let from = |at| {
        let free = |to| !state.boxes.has(to);
        let pushes = field.bounds().pushes_from(at);
        let pushes = pushes.filter(|push| reach.has(push.behind) && free(push.to));
        pushes.map(move |push| (at, push.to)).collect_vec()
    };
    let all = state.boxes.iter().flat_map(from);
    all.map(|(at, to)| FeatureState::new(&space.field, state.boxes.without(at).with(to), at))
        .collect()
}

/// The pushes of a shortest solution as positions, the start first; `None` when there is none.
fn solution(space: &Small, limit: usize) -> Option<Vec<FeatureState<2>>> {
    let start = space.start();
    let mut came = HashMap::from([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        if space.is_goal(&state) {
            let mut path = vec![state];
            while let Some(before) = came[&path[path.len() - 1]] {
                path.push(before);
            }
            path.reverse();
            return Some(path);
        }
        if came.len() > limit {
            return None;
        }
        for next in pushes(space, &state) {
            came.entry(next).or_insert_with(|| {
                open.push_back(next);
                Some(state)
            });
        }
    }
    None
}

#[test]
fn without_corrals_nothing_on_a_known_solution_is_pruned() {
    let mut solvable = 0;
    for (seed, _, mut space) in boards(400).chain(boards_by(BY_PLAN, 400)) {
        space.prunes_corrals = false;
        let Some(path) = solution(&space, 20_000) else { continue };
        solvable += 1;
        for pair in path.windows(2) {
            assert!(!space.is_doomed(&pair[0]), "seed {seed}");
            assert!(followers(&mut space, &pair[0]).contains(&pair[1]), "seed {seed}");
        }
    }
    assert!(solvable > 300, "{solvable}");
}

/// Whether some pushes lead from a position to a goal.
fn ends_well(space: &Small, from: FeatureState<2>) -> bool {
    let field = &space.field;
    let mut known = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        if space.is_goal(&state) {
            return true;
        }
        let reach = flood(field, &state.boxes, usize::from(state.player));
        for at in state.boxes.iter() {
            for push in field.bounds().pushes_from(at) {
                let next =
                    FeatureState::new(&space.field, state.boxes.without(at).with(push.to), at);
                let free = reach.has(push.behind) && !state.boxes.has(push.to);
                if free && known.insert(next) {
                    open.push(next);
                }
            }
        }
    }
    false
}

#[test]
fn pairs_are_permitted_when_both_can_come_to_goals() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut good, mut lost) = (0, 0);
    for (seed, _, space) in boards(400) {
        if space.field.goals::<2>().len() < 2 || space.field.boxes::<2>().len() != 2 {
            continue;
        }
        let pairs = space.pairs.as_ref().expect("samples are small");
        for _ in 0..20 {
            let state = thrown(&space, &mut rng);
            let Some(at) = state.boxes.first() else { continue };
            let permitted = pairs.permit(&state.boxes.without(at), at, usize::from(state.player));
            let (together, alone) = (ends_well(&space, state), state.boxes.len() < 2);
            assert!(permitted == together || alone, "seed {seed}: {state:?}");
            (good, lost) = (good + u32::from(together), lost + u32::from(!together));
        }
    }
    assert!(good > 50 && lost > 50, "{good} {lost}");
}

/// All positions that can be reached, and those from which the level can be solved; `None` when
/// there are too many.
fn solvable(space: &Small, limit: usize) -> Option<BTreeSet<FeatureState<2>>> {
    let mut before: HashMap<FeatureState<2>, Vec<FeatureState<2>>> = HashMap::new();
    let mut open = vec![space.start()];
    before.insert(space.start(), Vec::new());
    while let Some(state) = open.pop() {
        if before.len() > limit {
            return None;
        }
        for next in pushes(space, &state) {
            let known = before.entry(next).or_insert_with(|| {
                open.push(next);
                Vec::new()
            });
            known.push(state);
        }
    }
    let mut open: Vec<FeatureState<2>> =
        before.keys().filter(|state| space.is_goal(state)).copied().collect();
    let mut found: BTreeSet<FeatureState<2>> = open.iter().copied().collect();
    while let Some(state) = open.pop() {
        open.extend(before[&state].iter().filter(|&&earlier| found.insert(earlier)));
    }
    Some(found)
}

#[test]
fn with_corrals_what_can_be_solved_still_can() {
    let (mut looked, mut fewer, mut farther) = (0, 0, 0);
    let samples = boards(400).chain(boards_by(BY_PLAN, 200)).map(|(seed, _, space)| (seed, space));
    for (seed, mut space) in samples.chain(crowded(300)) {
        let Some(solvable) = solvable(&space, 6_000) else { continue };
        for state in solvable.iter().filter(|state| !space.is_goal(state)).copied().collect_vec() {
            assert!(!space.is_doomed(&state), "seed {seed}");
            let goes_on = followers(&mut space, &state).iter().any(|next| solvable.contains(next));
            assert!(goes_on, "seed {seed}: {state:?}");
            looked += 1;
            let reach = flood(&space.field, &state.boxes, usize::from(state.player));
            let Some(corral) = corral::find(&space.field, &state.boxes, &reach) else { continue };
            fewer += 1;
            let near = beside(&space.field, &corral.region);
            farther += usize::from(!corral.boxes.is_within(&near));
        }
    }
    assert!(looked > 2_000 && fewer > 80 && farther > 20, "{looked} {fewer} {farther}");
}

/// A random walk of macro moves from the start, all positions of it.
fn walked(space: &mut Small, rng: &mut fastrand::Rng, moves: usize) -> Vec<FeatureState<2>> {
    let mut path = vec![space.start()];
    for _ in 0..moves {
        let Some(next) = rng.choice(followers(space, &path[path.len() - 1])) else { break };
        path.push(next);
    }
    path
}

#[test]
fn plans_of_macro_moves_obey_the_rules() {
    for (seed, puzzle, mut space) in boards(150) {
        let path = walked(&mut space, &mut fastrand::Rng::with_seed(seed), 8);
        let state = path[path.len() - 1];
        let replay = puzzle.replay(&space.plan(&path));
        assert!(replay.stop.is_none(), "seed {seed}");
        let last = replay.states.last().expect("the start is there");
        let floor = space.field.bounds().floor();
        let boxes = last.boxes.iter().filter_map(|&cell| floor.spot(cell)).collect();
        let player = floor.spot(last.player).expect("the player is inside");
        assert_eq!(FeatureState::new(&space.field, boxes, player), state, "seed {seed}");
    }
}

/// A plan of the packing ends with boxes on all goals, whatever it parks on the way, and none of its
/// boxes comes to a cell that holds one.
#[test]
fn plans_of_the_packing_fill_all_goals() {
    let mut plans = 0;
    for (seed, _, space) in boards_by(0, 300) {
        let Some(guide) = &space.guide else { continue };
        if solution(&space, 20_000).is_none() {
            continue;
        }
        let goals = space.goals;
        let done = guide.plan.done(&goals);
        assert_eq!(guide.plan.left(&goals, done), 0, "seed {seed}");
        assert!(goals.is_within(guide.plan.cells()), "seed {seed}");
        plans += 1;
    }
    assert!(plans > 80, "{plans}");
}

/// One push from where a level can be solved: sieges and walls give up only positions from which it
/// cannot, and some of these.
#[test]
fn what_sieges_and_walls_give_up_is_lost() {
    let (mut besieged, mut walled) = (0, 0);
    let samples = boards(400).map(|(seed, _, space)| (seed, space));
    for (seed, mut space) in samples.chain(crowded(300)) {
        let Some(solvable) = solvable(&space, 6_000) else { continue };
        for next in solvable.iter().flat_map(|state| pushes(&space, state)).collect::<BTreeSet<_>>()
        {
            let given_up = [space.is_besieged(&next), space.is_walled_off(&next)];
            assert!(given_up == [false; 2] || !solvable.contains(&next), "seed {seed}: {next:?}");
            besieged += u32::from(given_up[0]);
            walled += u32::from(given_up[1]);
        }
    }
    assert!(besieged > 50 && walled > 50, "{besieged} {walled}");
}
