//! Any text: nothing panics or hangs, and two ways of playing agree.

use super::texts::{WORDS, bent, seeds};
use crate::{Game, Input, Key, Session, Stage};
use fastrand::Rng;

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
