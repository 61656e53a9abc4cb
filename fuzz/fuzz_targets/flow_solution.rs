//! Any text as paths on a board that the first byte chooses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::flow::Board;
use unstuck_puzzles::{Puzzle, Style};

fuzz_target!(|input: (u8, &str)| {
    let (seed, text) = input;
    let board = Board::sample(seed.into());
    let Ok(solution) = board.read_solution(text) else { return };
    let printed = solution.to_string();
    assert_eq!(board.read_solution(&printed).as_ref(), Ok(&solution));
    let accepted = board.check(&solution).is_ok();
    assert!(!accepted || solution.flows.len() == board.pairs().len());
    for style in [Style::Plain, Style::Unicode { color: true }, Style::Svg] {
        assert!(board.picture(Some(&solution), style).is_some());
    }
});
