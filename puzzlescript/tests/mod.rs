//! Tests on small games, and on texts that are no games.

mod faults;
mod levels;
mod reading;
mod robustness;
mod texts;
mod turns;

use crate::{Game, Input, Map, Session, Stage, State};
use texts::text;

fn game(settings: &str, rules: &str, conditions: &str, level: &str) -> Game {
    let text = text(settings, rules, conditions, level);
    Game::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn map(game: &Game) -> &Map {
    let maps = game.levels.iter().filter_map(|stage| match stage {
        Stage::Level(map) => Some(map),
        Stage::Message(_) => None,
    });
    maps.into_iter().next().expect("a level")
}

/// A board as letters: the first of these that a cell has, and `@` and `Q` for two.
fn drawn(game: &Game, map: &Map, cells: &[u64]) -> String {
    let has = |at: usize, name: &str| {
        let object = game.objects.iter().find(|object| object.name == name).expect("an object");
        crate::mask::has(&cells[at * game.object_words..], object.bit)
    };
    let glyph = |at: usize| match () {
        () if has(at, "crate") && has(at, "target") => '@',
        () if has(at, "player") && has(at, "red") => 'Q',
        () if has(at, "player") => 'P',
        () if has(at, "crate") => '*',
        () if has(at, "wall") => '#',
        () if has(at, "red") => 'r',
        () if has(at, "blue") => 'b',
        () if has(at, "target") => 'O',
        () => '.',
    };
    let row = |row| (0..map.width).map(|column| glyph(column * map.height + row)).collect();
    (0..map.height).map(row).collect::<Vec<String>>().join("/")
}

fn inputs(text: &str) -> impl Iterator<Item = Input> + '_ {
    text.chars().map(|letter| match letter {
        'u' => Input::Up,
        'd' => Input::Down,
        'l' => Input::Left,
        'r' => Input::Right,
        _ => Input::Action,
    })
}

/// Plays inputs (`udlrx`) from the start, as far as they are moves.
fn play(game: &Game, moves: &str) -> Result<State, &'static str> {
    let map = map(game);
    inputs(moves).try_fold(game.start(map)?, |state, input| game.turn(map, &state, input))
}

/// The board after some inputs, from a level in one line of rows joined by `/`.
fn after(rules: &str, level: &str, moves: &str) -> String {
    let game = game("", rules, "no player", &level.replace('/', "\n"));
    let state = play(&game, moves).expect("moves");
    drawn(&game, map(&game), &state.cells)
}

fn session(game: &Game) -> Session<'_> {
    let first = game.levels.iter().position(|stage| matches!(stage, Stage::Level(_)));
    let session = Session::new(game, first.expect("a level")).expect("a level");
    session.expect("a beginning with an end")
}
