//! What an input does.

use super::{after, drawn, game, map, play, session};
use crate::{Game, Input, Key, NoEnd};

const PUSH: &str = "[ > Player | Crate ] -> [ > Player | > Crate ]";

#[test]
fn a_crate_is_pushed_and_two_are_not() {
    assert_eq!(after(PUSH, "P*..", "r"), ".P*.");
    assert_eq!(after(PUSH, "P**.", "r"), "P**.");
    assert_eq!(after(PUSH, "P*", "r"), "P*");
    assert_eq!(after(PUSH, "..*P/....", "ll"), "*P../....");
    assert_eq!(after(PUSH, "./*/P", "u"), "*/P/.");
}

#[test]
fn a_group_is_applied_until_nothing_changes() {
    let chain = "[ > Player | Crate ] -> [ > Player | > Crate ]\n\
                 + [ > Crate | Crate ] -> [ > Crate | > Crate ]";
    assert_eq!(after(chain, "P***..", "rr"), "..P***");
    assert_eq!(after(chain, "P***#.", "r"), "P***#.");
    // In groups of their own the second is not waited for, but its own rounds are enough here.
    assert_eq!(after(&chain.replace('+', ""), "P***..", "r"), ".P***.");
    // The other way round the crates behind the first are not asked again.
    let turned = "[ > Crate | Crate ] -> [ > Crate | > Crate ]\n\
                  [ > Player | Crate ] -> [ > Player | > Crate ]";
    assert_eq!(after(turned, "P**..", "r"), "P**..");
}

#[test]
fn who_comes_first_moves_first() {
    // Both want the middle; cells are looked at column by column.
    let rules = "right [ right Player ] [ Crate ] -> [ right Player ] [ left Crate ]";
    assert_eq!(after(rules, "P.*", "r"), ".P*");
    let rules = "left [ left Player ] [ Crate ] -> [ left Player ] [ right Crate ]";
    assert_eq!(after(rules, "*.P", "l"), ".*P");
    // No two swap their places.
    let rules = "[ > Player | Crate ] -> [ > Player | < Crate ]";
    assert_eq!(after(rules, "P*", "r"), "P*");
}

#[test]
fn several_rows_are_found_anywhere_in_all_combinations() {
    let rules = "[ action Player ] [ Crate ] -> [ Player ] [ Crate Red ]";
    assert_eq!(after(rules, "P*.*", "x"), after("[ action Player ] -> [ Player ]", "P*.*", "x"));
    // Each pair is looked at again before it changes: one crate for one target only.
    let rules = "[ action Player ] [ Crate ] [ Target ] -> [ action Player ] [ ] [ Red ]";
    assert_eq!(after(rules, "P*.OO", "x"), "P..rO");
    let rules =
        "[ action Player ] [ Crate no Red ] [ Target ] -> [ action Player ] [ Crate Red ] [ Blue ]";
    assert_eq!(after(rules, "P**OO", "x"), "P**bb");
}

#[test]
fn an_ellipsis_is_any_number_of_cells() {
    let rules = "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]";
    assert_eq!(after(rules, "P.*.*.", "r"), ".P.*.*");
    assert_eq!(after(rules, ".*.*.P", "l"), "*.*.P.");
    let rules = "[ > Player | ... | Crate | ... | Wall ] -> [ Player | ... | | ... | Wall ]";
    assert_eq!(after(rules, "P.*.*.#", "r"), "P...*.#");
    let rules = "left [ left Player | ... | Wall ] -> [ left Player | ... | Crate ]";
    assert_eq!(after(rules, "#.#P", "l"), "*.*P");
}

#[test]
fn late_rules_see_what_has_moved() {
    let rules = "late [ Player | Crate ] -> [ Player | ]";
    assert_eq!(after(rules, "P.*", "r"), ".P.");
    assert_eq!(after("[ Player | Crate ] -> [ Player | ]", "P.*", "r"), ".P*");
}

#[test]
fn a_loop_begins_again_as_long_as_something_changes() {
    let groups = "right [ Red | Crate ] -> [ Red | Red ]\nright [ Red | Wall ] -> [ Red | Crate ]";
    // Red goes on to a crate, and a wall beside red becomes one.
    let paint = |rules: &str| after(rules, "Q##*#.", "u");
    let looped = format!("startloop\n{groups}\nendloop");
    assert_eq!((paint(groups), paint(&looped)), ("Q*#*#.".to_owned(), "Qrrrr.".to_owned()));
}

#[test]
fn again_goes_on_as_long_as_it_does_something() {
    let fall = "down [ Crate | no Solid ] -> [ down Crate | ]\nlate [ Crate ] -> again";
    assert_eq!(after(fall, "*P/../../#.", "u"), ".P/../*./#.");
    // A tick that would change nothing is not played: the chain is over.
    assert_eq!(after("late [ Player ] -> again", "P.", "r"), ".P");
}

#[test]
fn a_turn_goes_on_from_where_a_counter_ends_it() {
    let flip = "[ Player Red ] -> [ Player Blue ]\n+ [ Player Blue ] -> [ Player Red ]";
    assert_eq!(after(flip, "Q.", "r"), "rP");
    let looped = "startloop\n[ Red ] -> [ Blue ]\n[ Blue ] -> [ Red ]\nendloop";
    assert_eq!(after(looped, "Pr", "x"), "Pr");
    let swing = "[ Red | no Paint ] -> [ | Red ] again";
    assert_eq!(after(swing, "Pr.", "x"), "Pr.");
}

/// Each tick adds one to a number in binary: so many ticks as it takes are played.
#[test]
fn a_chain_of_ticks_is_as_long_as_it_takes() {
    let count = "[ Player | no Paint ] -> [ Player | Blue ]\n\
                 right [ Blue Crate | ] -> [ | Blue ]\n\
                 [ Blue no Crate ] -> [ Crate ] again";
    let count = format!("{count}\n[ Target Crate ] -> win");
    for bits in [3, 9, 11] {
        let row = format!("P{}O", ".".repeat(bits));
        let game = game("", &count, "", &row);
        let state = play(&game, "x").expect("a move");
        assert!(state.won, "{bits}");
        let digits = drawn(&game, map(&game), &state.cells);
        assert_eq!(digits, format!("P{}@", ".".repeat(bits)), "{bits}");
    }
}

/// What the engine does then is not modelled: it looks at boards on which no turn has ended, or stops.
#[test]
fn where_the_engine_goes_ways_of_its_own_nothing_is_said() {
    let unknown = |game: Game, key: &str| {
        let rule = play(&game, key).expect_err("no move");
        assert!(NoEnd::names(rule), "{rule}");
        rule
    };
    // The level is won as it is drawn, which is seen when it begins again, or a message is closed.
    let restarts = "[ > Player ] -> restart";
    assert_eq!(unknown(game("", restarts, "no crate", "P."), "r"), "unmodelled");
    let said = "[ > Player ] -> cancel message hello";
    assert_eq!(unknown(game("", said, "no crate", "P."), "r"), "unmodelled");
    let saved = "[ action Player ] -> checkpoint\n[ > Player ] -> restart";
    assert_eq!(unknown(game("", saved, "some crate", "P."), "r"), "unmodelled");
    let begun = "[ stationary Player no Crate ] -> [ Player ] again\n[ > Player ] -> restart";
    let game_of = |rules: &str| game("run_rules_on_level_start", rules, "some crate", "P.");
    assert_eq!(unknown(game_of(begun), "r"), "unmodelled");
    // Otherwise both are what they seem to be.
    assert_eq!(play(&game("", restarts, "some crate", "P."), "r"), Err("restart"));
    assert_eq!(after(said, "P.", "r"), "P.");
    // A counter may end a hundred groups of a turn.
    let flip = "[ action Player ] [ Red ] -> [ action Player ] [ Blue ]\n\
                + [ action Player ] [ Blue ] -> [ action Player ] [ Red ]\n";
    assert!(play(&game("", &flip.repeat(100), "some crate", "Pr"), "x").is_ok());
    assert_eq!(unknown(game("", &flip.repeat(101), "some crate", "Pr"), "x"), "torn");
    let sought = "right [ Player | ... | Red | ... | Red ] -> [ Player | ... | Blue | ... | Red ]";
    let row = |red: usize| format!("P{}", "r".repeat(red));
    assert!(play(&game("", sought, "some crate", &row(300)), "x").is_ok());
    assert_eq!(unknown(game("", sought, "some crate", &row(330)), "x"), "torn");
    // Of two ellipses side by side the engine takes the second for a cell, where it gets that far.
    let twice = "[ > Player | ... | ... | Crate ] -> [ > Player | ... | ... | > Crate ]";
    let game_of = |row: &str| game("", twice, "no target", row);
    let warned = game_of("P").warnings.into_iter().filter(|(_, said)| said.contains("ellipses"));
    assert_eq!(warned.count(), 1);
    assert_eq!(unknown(game_of(".P.*."), "r"), "torn");
    assert_eq!(unknown(game_of(".P.*."), "l"), "torn");
    assert!(play(&game_of(".P...\n....*"), "x").is_ok(), "no player moves");
    assert!(play(&game_of(".P..."), "r").is_ok(), "no crate is anywhere");
}

#[test]
fn a_turn_without_end_is_no_move() {
    let blink = "[ stationary Red ] -> [ action Blue ] again\n\
                 [ stationary Blue ] -> [ action Red ] again";
    assert_eq!(play(&game("", blink, "no player", "Pr"), "x"), Err("endless"));
}

#[test]
fn rigid_things_move_together_or_not_at_all() {
    let pull = |word: &str| {
        format!(
            "{word} [ > Player | Crate ] -> [ > Player | > Crate ]\n\
             + {word} [ moving Crate | Crate ] -> [ moving Crate | moving Crate ]"
        )
    };
    let level = "P*.../.*#..";
    assert_eq!(after(&pull(""), level, "r"), ".P*../.*#..");
    assert_eq!(after(&pull("rigid"), level, "r"), "P*.../.*#..");
    assert_eq!(after(&pull("rigid"), "P*.../.*...", "r"), ".P*../..*..");
}

#[test]
fn cancel_and_missing_movement_undo_a_turn() {
    let cancel = "late [ Player Target ] -> cancel";
    assert_eq!(after(cancel, "P.O", "rr"), ".PO");
    let settings = "require_player_movement";
    let rules = "[ > Player | Wall ] -> [ > Player | Crate ]";
    let moved = game(settings, rules, "no player", "P#");
    let state = play(&moved, "r").expect("a move");
    assert_eq!(drawn(&moved, map(&moved), &state.cells), "P#");
    let free = game("", rules, "no player", "P#");
    let state = play(&free, "r").expect("a move");
    assert_eq!(drawn(&free, map(&free), &state.cells), "P*");
}

#[test]
fn levels_are_won_after_a_turn_only() {
    // The level begins solved, and any input wins, even a bump.
    let solved = game("", "", "all crate on target", "P@");
    assert!(!play(&solved, "").expect("a start").won);
    assert!(play(&solved, "u").expect("a move").won);
    assert_eq!(play(&solved, "uu"), Err("over"));
    let by_rule = game("", "late [ Player Target ] -> win", "", "P.O");
    assert!(!play(&by_rule, "r").expect("a move").won);
    assert!(play(&by_rule, "rr").expect("a move").won);
    // A message takes the command away, but not the conditions.
    let announced = game("", "late [ Player Target ] -> win message Well done", "", "PO");
    assert!(!play(&announced, "r").expect("a move").won);
    let announced =
        game("", "late [ Player Target ] -> message Well done", "some player on target", "PO");
    assert!(play(&announced, "r").expect("a move").won);
}

#[test]
fn win_conditions_are_about_all_cells() {
    let won = |conditions: &str, level: &str| {
        play(&game("", "", conditions, level), "u").expect("a move").won
    };
    assert!(won("no crate", "P.O"));
    assert!(!won("no crate", "P*O"));
    assert!(won("no crate on target", "P*O"));
    assert!(won("some crate", "P*O"));
    assert!(won("any crate on target", "P@O"));
    assert!(!won("some crate on target", "P*O"));
    assert!(won("all crate on target", "P@O"));
    assert!(!won("all target on crate", "P@O"));
    assert!(won("all target on any", "P@@"));
    // Aggregates are all of their parts: what is parked is a crate on a target.
    assert!(won("no parked", "P*O"));
    assert!(!won("no parked", "P@O"));
    assert!(!won("no crate\nsome target", "P*O"));
}

#[test]
fn rules_may_run_before_the_first_input() {
    let rules = "[ stationary Player ] [ Crate ] -> [ Player ] [ Red ]";
    let game = game("run_rules_on_level_start", rules, "no crate", "P*");
    let start = game.start(map(&game)).expect("a start");
    assert_eq!(drawn(&game, map(&game), &start.cells), "Pr");
    assert!(!start.won);
}

#[test]
fn the_action_key_may_be_missing() {
    let game = game("noaction", "", "no player", "P.");
    assert_eq!(play(&game, "x"), Err("no-action"));
}

#[test]
fn a_restart_is_no_move_but_a_key() {
    let rules = "late [ Player Target ] -> restart";
    assert_eq!(play(&game("", rules, "no player", "P.O"), "rr"), Err("restart"));
    let game = game("", "late [ Player Target ] -> checkpoint", "no player", "P.O.");
    let mut session = session(&game);
    let mut board = |keys: &[Key]| {
        keys.iter().for_each(|&key| session.press(key).expect("an end"));
        drawn(&game, map(&game), session.cells())
    };
    let right = Key::Input(Input::Right);
    assert_eq!(board(&[right, right, right]), "..OP");
    assert_eq!(board(&[Key::Undo]), "..P.");
    assert_eq!(board(&[right, Key::Restart]), "..P.");
    assert_eq!(board(&[Key::Undo]), "..OP");
    assert_eq!(board(&[Key::Undo, Key::Undo, Key::Undo, Key::Undo]), "P.O.");
    assert_eq!(board(&[Key::Undo]), "P.O.");
}

#[test]
fn a_session_goes_on_to_the_next_level() {
    let game = game("", super::turns::PUSH, "all target on crate", "P*O\n\nP..*O");
    let mut session = session(&game);
    assert_eq!(session.map().width, 3);
    session.press(Key::Input(Input::Right)).expect("an end");
    assert_eq!((session.map().width, session.wins()), (5, 1));
    session.press(Key::Tick).expect("an end");
    assert_eq!(drawn(&game, session.map(), session.cells()), "P..*O");
}
