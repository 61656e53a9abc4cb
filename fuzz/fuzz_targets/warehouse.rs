//! Any text as a warehouse under any options: nothing panics, what was read survives printing,
//! and the fast replay agrees with the rules.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::warehouse::{FastState, InstructionEffect, Warehouse, sniff};
use unstuck_puzzles::{Moves, Options, Puzzle, PuzzleExt};

fuzz_target!(|input: (u8, &str, &str)| {
    let (choice, gps, text) = input;
    sniff(text);
    let widen = (choice % 3).to_string();
    let boxes = if choice & 8 == 0 { "double" } else { "grow" };
    let given = [("widen", widen.as_str()), ("widen-boxes", boxes), ("gps", gps)];
    let options = Options::new(Warehouse::OPTIONS, given).expect("values that are allowed");
    let Ok(warehouse) = Warehouse::parse(text, &options) else { return };
    let plain = Options::new(Warehouse::OPTIONS, []).expect("defaults are allowed");
    assert_eq!(Warehouse::parse(&warehouse.print(), &plain).as_ref(), Ok(&warehouse));
    let mut board = FastState::new(&warehouse);
    let mut state = warehouse.start();
    for &direction in warehouse.instructions().0.iter().take(200) {
        let effect = board.obey(direction);
        match warehouse.step(&state, direction) {
            Ok(stepped) => state = stepped.state,
            Err(_) => assert_eq!(effect, InstructionEffect::Blocked),
        }
        assert_eq!(board.state(), state);
    }
    assert_eq!(warehouse.read_state(&warehouse.write_state(&state)), Some(state));
    let _ = warehouse.read_state(text);
});
