//! The games of the project.

use super::inputs;
use super::texts::GAMES;
use crate::{Game, Input, Map, Stage, State};
use std::collections::{HashMap, VecDeque};

/// A shortest solution, found by looking at all positions.
fn shortest(game: &Game, map: &Map) -> Option<String> {
    let start = game.start(map).expect("a start");
    let mut came: HashMap<State, Option<(State, char)>> = HashMap::from([(start.clone(), None)]);
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        if state.won {
            let mut moves = String::new();
            let mut at = &state;
            while let Some((before, letter)) = &came[at] {
                moves.insert(0, *letter);
                at = before;
            }
            return Some(moves);
        }
        for (input, letter) in Input::ALL.into_iter().zip("udlrx".chars()) {
            if let Ok(next) = game.turn(map, &state, input)
                && !came.contains_key(&next)
            {
                came.insert(next.clone(), Some((state.clone(), letter)));
                open.push_back(next);
            }
        }
    }
    None
}

#[test]
fn the_games_of_the_project_can_be_played() {
    let lengths = GAMES.map(|text| {
        let game = Game::read(text).expect("a game");
        assert!(game.refusal().is_none() && game.warnings.is_empty(), "{:?}", game.warnings);
        let maps = game.levels.iter().filter_map(|stage| match stage {
            Stage::Level(map) => Some(map),
            Stage::Message(_) => None,
        });
        let solved = maps.map(|map| {
            let moves = shortest(&game, map)?;
            let start = game.start(map).expect("a start");
            let end = inputs(&moves).try_fold(start, |state, input| game.turn(map, &state, input));
            assert!(end.expect("moves").won);
            Some(moves.len())
        });
        solved.collect::<Vec<_>>()
    });
    assert_eq!(lengths[0], [Some(3), Some(8), Some(6), None]);
    assert_eq!(lengths[1], [Some(1), Some(3), Some(4), None]);
    assert_eq!(lengths[2], [Some(4), Some(14), Some(7)]);
}
