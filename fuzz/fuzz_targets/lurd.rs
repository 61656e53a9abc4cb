//! Any text as a move string for a level that the first byte chooses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::sokoban::Sokoban;
use unstuck_puzzles::{FrameOptions, Puzzle, PuzzleExt, Style};

fuzz_target!(|input: (u8, &str)| {
    let (seed, text) = input;
    let level = Sokoban::sample(seed.into());
    let Ok(solution) = level.read_solution(text) else { return };
    let printed = solution.to_string();
    assert_eq!(level.read_solution(&printed).as_ref(), Ok(&solution));
    if let Ok(tally) = level.check(&solution) {
        assert_eq!(tally.moves as usize, solution.len());
        assert_eq!(tally.pushes as usize, solution.pushes());
    }
    // Frames hold a board each: only for solutions of a size that a person would look at.
    if solution.len() < 1000 {
        assert!(
            level.frames(&solution, FrameOptions::all(true, Style::Plain)).len()
                <= solution.len() + 1
        );
    }
});
