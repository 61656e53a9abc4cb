//! Any text as a Sokobond level and as a move string: nothing panics, what was read survives
//! printing, and every position on the way survives being written down.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::sokobond::Sokobond;
use unstuck_puzzles::{Moves, Options, Play, Puzzle, PuzzleExt, Style};

fuzz_target!(|text: &str| {
    let options = Options::new(Sokobond::OPTIONS, []).expect("defaults are allowed");
    let Ok(levels) = Sokobond::read(text, &options) else { return };
    for level in levels {
        let Ok(puzzle) = level.puzzle else { continue };
        assert_eq!(Sokobond::parse(&puzzle.print(), &options).as_ref(), Ok(&puzzle));
        assert_eq!(Sokobond::parse(&level.text, &options).as_ref(), Ok(&puzzle));
        for solution in &level.solutions {
            let Ok(keys) = puzzle.read_solution(solution) else { continue };
            let plan = puzzle.plan(&keys);
            for state in puzzle.replay(&plan).states {
                assert_eq!(puzzle.read_state(&puzzle.write_state(&state)), Some(state));
            }
            let _ = puzzle.check(&keys);
            let _ = puzzle.picture(Some(&keys), Style::Unicode { color: true });
        }
    }
});
