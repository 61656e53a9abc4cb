//! Any text as a snowman level under any options: nothing panics, what was read survives printing,
//! and any moves keep the pieces in order.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::{Moves, Options, Play, Puzzle, PuzzleExt};

fuzz_target!(|input: (u8, &str, &str)| {
    let (choice, moves, text) = input;
    let legend = ["auto", "published", "author", "research"][usize::from(choice % 4)];
    let dismantle = if choice & 4 == 0 { "false" } else { "true" };
    let given = [("legend", legend), ("dismantle", dismantle)];
    let options = Options::new(Snowman::OPTIONS, given).expect("values that are allowed");
    let Ok(level) = Snowman::parse(text, &options) else { return };
    let plain = Options::new(Snowman::OPTIONS, []).expect("defaults are allowed");
    let printed = level.print();
    assert_eq!(Snowman::parse(&printed, &plain).map(|again| again.print()), Ok(printed));
    let Ok(solution) = level.read_solution(moves) else { return };
    assert_eq!(level.read_solution(&solution.to_string()), Ok(solution.clone()));
    let _ = level.check(&solution);
    let balls: usize = level.balls().iter().sum();
    for state in level.replay(&level.plan(&solution)).states {
        let stacks = state.stacks.values().map(|stack| stack.balls().count());
        assert_eq!(stacks.sum::<usize>(), balls);
        assert_eq!(level.read_state(&level.write_state(&state)), Some(state));
    }
    let _ = level.read_state(text);
});
