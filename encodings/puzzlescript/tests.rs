//! The machine against the judge.

use super::PuzzleScriptSpace;
use crate::space::Space;
use unstuck_puzzles::puzzlescript::PuzzleScript;
use unstuck_puzzles::{Moves, Objective, Puzzle};

type Small = PuzzleScriptSpace<[u64; 4], 1>;

/// Positions along a random walk.
fn positions(puzzle: &PuzzleScript, seed: u64) -> Vec<<PuzzleScript as Moves>::State> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut states = vec![puzzle.start()];
    for _ in 0..30 {
        let state = &states[states.len() - 1];
        let Some(mv) = rng.choice(puzzle.moves(state)) else { break };
        states.push(puzzle.step(state, mv).expect("a legal move").state);
    }
    states
}

#[test]
fn the_machine_plays_as_the_judge() {
    for seed in 0..1000 {
        let puzzle = PuzzleScript::sample(seed);
        let mut space = Small::new(&puzzle, Objective::Moves).expect("a small game");
        for state in positions(&puzzle, seed) {
            let packed = space.pack(&state).expect("a position");
            assert_eq!(space.is_goal(&packed), state.won);
            let mut successors = Vec::new();
            space.expand(&packed, &mut successors);
            let mut ours: Vec<_> = successors.into_iter().map(|it| it.0).collect();
            let judged = puzzle.moves(&state).into_iter().map(|mv| puzzle.step(&state, mv));
            let judged = judged.map(|next| space.pack(&next.expect("a move").state));
            let mut judged: Vec<_> = judged.map(|next| next.expect("a position")).filter(|next| *next != packed).collect();
            ours.sort();
            judged.sort();
            assert_eq!(ours, judged, "seed {seed}\n{}\n{}", puzzle.print(), puzzle.write_state(&state));
        }
    }
}
