//! Any text: nothing panics or hangs, and two ways of playing agree.

use super::levels::GAMES;
use super::text;
use crate::puzzlescript::{Game, Input, Key, PuzzleScript, Session, Stage};
use crate::{Moves, Options, Puzzle};
use fastrand::Rng;

/// Words that bend a game more than single letters do.
const WORDS: [&str; 34] = [
    "[",
    "]",
    "|",
    "->",
    "...",
    ">",
    "<",
    "^",
    "v",
    "no",
    "late",
    "rigid",
    "+",
    "startloop\n",
    "endloop\n",
    "again",
    "cancel",
    "win",
    "restart",
    "checkpoint",
    "message",
    "moving",
    "stationary",
    "perpendicular",
    "parallel",
    "up",
    "horizontal",
    "action",
    "and",
    "or",
    "=",
    "(",
    ")",
    "\n\n",
];

/// Games to bend: those of the project, and one with everything.
fn seeds() -> Vec<String> {
    let rules = "right [ > Player | Crate ] -> [ > Player | > Crate ]\n\
                 rigid [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]\nstartloop\n\
                 right [ Paint | ... | no Paint ] -> [ | ... | Paint ]\n\
                 + [ Any ] [ Red ] -> [ Any ] [ ]\n\
                 endloop\n[ action Q ] -> [ > Player Blue ] again\n\
                 late [ Player Target ] -> checkpoint\nlate [ Q | Solid ] -> cancel\n\
                 late [ Blue | Blue ] -> message Two\n\
                 late [ Blue | ... | @ ] -> [ | ... | Crate ] again";
    let settings = "title A\nrun_rules_on_level_start\nrequire_player_movement";
    let level = "#####.\nPr*@O.\n.b.Q#.\n\nmessage Next\n\nP*O\n.r.";
    let mut games: Vec<String> = GAMES.map(str::to_owned).to_vec();
    games.push(text(settings, rules, "all crate on target\nno paint", level));
    games.push(text("", &rules.replace("late ", ""), "some any on parked", level));
    games
}

/// The text with some pieces cut out, doubled, moved or replaced.
fn bent(rng: &mut Rng, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..=letters.len());
        let length = rng.usize(..12).min(letters.len() - at);
        let piece: Vec<char> = letters[at..at + length].to_vec();
        match rng.u32(..5) {
            0 => drop(letters.drain(at..at + length)),
            1 => drop(letters.splice(at..at, piece)),
            2 => {
                let word = format!(" {} ", rng.choice(WORDS).unwrap_or_default());
                drop(letters.splice(at..at, word.chars()));
            }
            3 => {
                letters.drain(at..at + length);
                let to = rng.usize(..=letters.len());
                drop(letters.splice(to..to, piece));
            }
            _ => {
                let any =
                    rng.choice(['\u{301}', 'ß', '\t', '0', 'P', '*', '\u{1F600}', '\r', '#', ',']);
                drop(letters.splice(at..at, any));
            }
        }
    }
    letters.into_iter().collect()
}

/// Reads a text and plays a little; whether it was a game.
fn play(rng: &mut Rng, text: &str) -> bool {
    let Ok(game) = Game::read(text) else { return false };
    for (at, stage) in game.levels.iter().enumerate().take(2) {
        let Stage::Level(map) = stage else { continue };
        let Ok(mut state) = game.start(map) else { continue };
        let session = Session::new(&game, at).expect("a level");
        let Ok(mut session) = session else { continue };
        let mut goes_together = true;
        for _ in 0..6 {
            let input = Input::ALL[rng.usize(..5)];
            let turn = game.turn(map, &state, input);
            if let Ok(next) = turn {
                state = next;
            } else {
                goes_together &= turn == Err("no-action");
                if goes_together {
                    continue;
                }
            }
            let pressed = session.press(Key::Input(input));
            goes_together &= pressed.is_ok() && !state.won;
            if goes_together {
                // A win that a message has hidden is one for the session, which shows none.
                if session.wins() > 0 {
                    break;
                }
                assert_eq!(session.cells(), state.cells, "{text}");
            }
            let key = rng.choice([Key::Tick, Key::Undo, Key::Restart]).unwrap_or(Key::Tick);
            if !goes_together {
                let _ = session.press(key);
            }
        }
    }
    true
}

#[test]
fn bent_games_do_no_harm() {
    let mut rng = Rng::with_seed(7);
    let seeds = seeds();
    for text in &seeds {
        assert!(play(&mut rng, text), "{:?} {text}", Game::read(text).err());
    }
    let games = (0..3000).filter(|_| {
        let seed = &seeds[rng.usize(..seeds.len())];
        let text = bent(&mut rng, seed);
        play(&mut rng, &text)
    });
    let games = games.count();
    assert!((300..2500).contains(&games), "{games} of the texts are games");
}

#[test]
fn levels_of_bent_games_survive_printing() {
    let mut rng = Rng::with_seed(9);
    let seeds = seeds();
    let options = Options::new(PuzzleScript::OPTIONS, []).expect("defaults");
    let mut levels = 0;
    for _ in 0..2000 {
        let seed = &seeds[rng.usize(..seeds.len())];
        let text = bent(&mut rng, seed);
        let Ok(read) = PuzzleScript::read(&text, &options) else { continue };
        for level in read {
            let Ok(puzzle) = level.puzzle else { continue };
            levels += 1;
            let again = PuzzleScript::parse(&level.text, &options);
            let again = again.unwrap_or_else(|error| panic!("{error}\n{}", level.text));
            assert_eq!(again.map().cells, puzzle.map().cells, "{text}");
            assert_eq!((again.print(), again.identity()), (level.text, puzzle.identity()));
            if let Some(&input) = puzzle.moves(&puzzle.start()).first() {
                let state = puzzle.step(&puzzle.start(), input).expect("a move").state;
                let text = puzzle.begun_at(&state).print();
                assert!(PuzzleScript::parse(&text, &options).is_ok(), "{text}");
                assert_eq!(puzzle.read_state(&puzzle.write_state(&state)), Some(state));
            }
        }
    }
    assert!(levels > 200, "{levels} levels");
}

#[test]
fn random_texts_do_no_harm() {
    let mut rng = Rng::with_seed(8);
    for _ in 0..3000 {
        let bytes: Vec<u8> = (0..rng.usize(..200)).map(|_| rng.u8(..)).collect();
        play(&mut rng, &String::from_utf8_lossy(&bytes));
        let headings = [
            "OBJECTS\n",
            "LEGEND\n",
            "SOUNDS\n",
            "COLLISIONLAYERS\n",
            "RULES\n",
            "WINCONDITIONS\n",
            "LEVELS\n",
        ];
        let mut words = String::new();
        for heading in headings {
            words += heading;
            for _ in 0..rng.usize(..8) {
                words += rng.choice(WORDS).unwrap_or_default();
                words += rng
                    .choice([" ", "\n", "a", "1", "player ", "background ", "red\n"])
                    .unwrap_or_default();
            }
            words.push('\n');
        }
        play(&mut rng, &words);
    }
}
