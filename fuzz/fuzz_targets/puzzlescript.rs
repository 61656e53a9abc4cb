//! Any text as a PuzzleScript game: nothing panics or takes long, and a game in a session plays as
//! it does turn by turn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::puzzlescript::{Game, Input, Key, Session, Stage};

fuzz_target!(|input: (&[u8], &str)| {
    let (keys, text) = input;
    let Ok(game) = Game::read(text) else { return };
    let _ = game.refusal();
    for (at, stage) in game.levels.iter().enumerate().take(2) {
        let Stage::Level(map) = stage else { continue };
        let Ok(mut state) = game.start(map) else { continue };
        let Ok(mut session) = Session::new(&game, at).expect("a level") else { continue };
        // After a turn that only one of them can play they go their own ways.
        let mut together = true;
        for key in keys.iter().take(8) {
            let key = match key % 8 {
                5 => Key::Tick,
                6 => Key::Undo,
                7 => Key::Restart,
                input => Key::Input(Input::ALL[usize::from(input)]),
            };
            if let Key::Input(input) = key
                && let Ok(next) = game.turn(map, &state, input)
            {
                state = next;
            } else {
                together = false;
            }
            if session.press(key).is_err() {
                break;
            }
            together &= !state.won && session.wins() == 0;
            assert!(!together || session.cells() == state.cells);
        }
    }
});
