//! Improvement against exhaustive search on a game without bound or pieces.

use unstuck::improve::{ImproveOutcome, edges, improve};
use unstuck::limits::Limits;
use unstuck::search::{Search, SearchOutcome, Strategy};
use unstuck_encodings::{Cost, PlainSpace, Space, sokoban::SokobanSpace};
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::{Moves, Objective, Puzzle};

/// Solutions by depth first search: long ones.
fn rambling(puzzle: &Sokoban, most: usize) -> Option<Vec<<Sokoban as Moves>::State>> {
    let mut path = vec![puzzle.start()];
    let mut known = std::collections::HashSet::from([puzzle.start()]);
    while let Some(state) = path.last().cloned() {
        if puzzle.is_goal(&state) {
            return Some(path);
        }
        if known.len() > most {
            return None;
        }
        let steps = puzzle.moves(&state).into_iter();
        let mut next = steps.filter_map(|mv| puzzle.step(&state, mv).ok());
        match next.find(|stepped| known.insert(stepped.state.clone())) {
            Some(stepped) => path.push(stepped.state),
            None => _ = path.pop(),
        }
    }
    None
}

/// The length of a plan, of the plan made of it, and of a shortest one.
fn lengths<S: Space<Puzzle = Sokoban>>(mut space: S, puzzle: &Sokoban) -> Option<[u32; 3]> {
    let ramble = rambling(puzzle, 20_000)?;
    let passed: Vec<S::State> = ramble[1..].iter().map_while(|state| space.pack(state)).collect();
    let path = edges(&mut space, &passed).expect("moves are edges, or lie within some");
    let before = path.iter().fold(Cost::ZERO, |cost, (_, edge)| cost + *edge);
    let (better, end, stats) = improve(&mut space, path, 100_000, &Limits::none(), &mut |_| {});
    assert_eq!(end, ImproveOutcome::Settled);
    let plan = puzzle.solution(&space.plan(&better));
    let tally = puzzle.check(&plan).expect("a solution");
    let mut search = Search::new(space.clone(), Strategy::default());
    let shortest = search.run(&Limits::none(), &mut |_| {});
    let SearchOutcome::Found(shortest) = shortest.0 else { panic!("there is a solution") };
    let shortest = puzzle.check(&puzzle.solution(&space.plan(&shortest))).expect("a solution");
    assert_eq!(stats.cost.primary(), tally.moves);
    Some([before.primary(), tally.moves, shortest.moves])
}

#[test]
fn where_all_states_are_near_a_shortest_plan_comes_out() {
    let mut rambled = 0;
    for seed in 0..400 {
        let puzzle = Sokoban::sample(seed);
        let Some([before, after, shortest]) =
            lengths(PlainSpace::of(&puzzle, Objective::Moves), &puzzle)
        else {
            continue;
        };
        assert_eq!(after, shortest, "{seed}");
        rambled += u32::from(before > shortest);
    }
    assert!(rambled > 30, "{rambled}");
}

#[test]
fn near_a_long_plan_there_is_a_short_one() {
    let (mut sum_before, mut sum_after, mut sum_shortest) = (0, 0, 0);
    for seed in 0..120 {
        let puzzle = Sokoban::sample(seed);
        let Ok(space) = SokobanSpace::<8>::new(&puzzle, Objective::Moves) else { continue };
        let Some([before, after, shortest]) = lengths(space, &puzzle) else { continue };
        assert!(after <= before && after >= shortest, "{seed}");
        (sum_before, sum_after, sum_shortest) =
            (sum_before + before, sum_after + after, sum_shortest + shortest);
    }
    assert!(sum_before > 2 * sum_shortest, "{sum_before} {sum_shortest}");
    assert!(sum_after * 100 <= sum_shortest * 101, "{sum_after} {sum_shortest}");
}
