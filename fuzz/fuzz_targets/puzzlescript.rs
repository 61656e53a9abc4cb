//! Any text as a PuzzleScript game: nothing panics or takes long, a game in a session plays as it
//! does turn by turn, and levels survive printing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::puzzlescript::{Game, Input, Key, Map, PuzzleScript, Session, Stage};
use unstuck_puzzles::{Moves, Options, Play, Puzzle, PuzzleExt, Style};

fuzz_target!(|input: (&[u8], &str)| {
    let (keys, text) = input;
    let Ok(game) = Game::read(text) else { return };
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
    let options = Options::new(PuzzleScript::OPTIONS, []).expect("defaults");
    for level in PuzzleScript::read(text, &options).into_iter().flatten().take(2) {
        let Ok(puzzle) = level.puzzle else { continue };
        let again = PuzzleScript::parse(&level.text, &options).expect("a level");
        assert_eq!(again.map(), &Map { line: again.map().line, ..puzzle.map().clone() });
        assert_eq!((again.print(), again.identity()), (level.text, puzzle.identity()));
        let inputs = puzzle.read_solution("udlrx").expect("inputs");
        let _ = puzzle.check(&inputs);
        for state in puzzle.replay(&inputs.0).states {
            assert_eq!(puzzle.read_state(&puzzle.write_state(&state)).as_ref(), Some(&state));
            // It is a level, though one whose rules may find no end when they run at its start.
            assert!(PuzzleScript::read(&puzzle.begun_at(&state).print(), &options).is_ok());
            assert!(puzzle.draw(&state, Style::Svg).is_some());
            puzzle.pieces(&state);
        }
        let _ = puzzle.read_state(text);
        let _ = puzzle.read_solution(text);
    }
});
