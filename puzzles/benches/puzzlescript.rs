//! Prints and reads levels of PuzzleScript games.
//!
//! ```text
//! cargo bench -p unstuck-puzzles --bench puzzlescript -- GAME...
//! ```
//!
//! Each level as a puzzle must be the same when it is printed and read, and so must each position of
//! a short play. The games are not part of the project: without one there is nothing to do.

use std::collections::BTreeMap;
use unstuck_puzzles::puzzlescript::{Input, PuzzleScript};
use unstuck_puzzles::{Moves, Options, Puzzle, PuzzleExt};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut counts = BTreeMap::<String, usize>::new();
    let options = Options::new(PuzzleScript::OPTIONS, [])?;
    // Cargo adds a flag of its own.
    for file in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        let levels = match PuzzleScript::read(&std::fs::read_to_string(&file)?, &options) {
            Ok(levels) => levels,
            Err(error) => {
                *counts.entry(format!("whole games refused: {}", error.message)).or_default() += 1;
                continue;
            }
        };
        for level in levels {
            let Ok(puzzle) = &level.puzzle else {
                *counts.entry("refused".to_owned()).or_default() += 1;
                continue;
            };
            let is_same = |text: &str, cells: &[u64]| {
                let read = PuzzleScript::parse(text, &options);
                read.is_ok_and(|read| read.map().cells == cells && read.print() == text)
            };
            let begins = is_same(&level.text, &puzzle.map().cells);
            let plan = [Input::Up, Input::Left, Input::Down, Input::Right, Input::Right];
            let states = plan.iter().scan(puzzle.start(), |state, &input| {
                *state = puzzle.step(state, input).map_or(state.clone(), |next| next.state);
                Some(state.clone())
            });
            let goes_on = states.into_iter().all(|state| {
                puzzle.read_state(&puzzle.write_state(&state)).as_ref() == Some(&state)
                    && is_same(&puzzle.begun_at(&state).print(), &state.cells)
            });
            let result = match (begins, goes_on) {
                (true, true) => "survive printing",
                (false, _) => "CHANGE when printed",
                _ => "change after some moves",
            };
            *counts.entry(result.to_owned()).or_default() += 1;
            if !(begins && goes_on) {
                println!("{file} line {}", level.line);
            }
        }
    }
    for (result, count) in counts {
        println!("{count:6} {result}");
    }
    Ok(())
}
