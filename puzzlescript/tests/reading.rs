//! What is made of a text.

use super::texts::text;
use super::{game, map};
use crate::{Game, Stage};

/// The expanded rules, as text.
fn rules(rules: &str) -> Vec<String> {
    let game = game("", rules, "no crate", "P*.");
    let groups = game.rules.iter().chain(&game.late_rules).flat_map(|group| &group.rules);
    let strip = |text: &str| {
        let text = text.split_once(") ").map_or(text, |(_, text)| text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    groups.map(|rule| strip(&rule.text)).collect()
}

#[test]
fn a_rule_looks_in_four_directions_as_two() {
    assert_eq!(
        rules("[ > Player | Crate ] -> [ > Player | > Crate ]"),
        [
            "DOWN [ crate | up player ] -> [ up crate | up player ]",
            "DOWN [ down player | crate ] -> [ down player | down crate ]",
            "RIGHT [ crate | left player ] -> [ left crate | left player ]",
            "RIGHT [ right player | crate ] -> [ right player | right crate ]",
        ]
    );
    // Here all directions look alike.
    assert_eq!(rules("[ Player Red ] -> [ Player ]").len(), 1);
    assert_eq!(rules("[ > Player ] -> [ Player ]").len(), 4);
    assert_eq!(rules("left [ > Player ] -> [ Player ]"), ["[ left player ] -> [ player ]"]);
}

#[test]
fn words_for_several_directions_are_spelt_out() {
    assert_eq!(
        rules("right [ perpendicular Player | Crate ] -> [ Player | perpendicular Crate ]"),
        [
            "RIGHT [ up player | crate ] -> [ player | up crate ]",
            "RIGHT [ down player | crate ] -> [ player | down crate ]",
        ]
    );
    assert_eq!(rules("[ moving Player ] -> [ Player ]").len(), 5);
    let error = Game::read(&text("", "[ Player ] -> [ moving Player ]", "no crate", "P*."));
    assert!(error.is_err_and(|error| error.message.contains("`moving`")));
}

#[test]
fn properties_are_spelt_out_where_it_matters() {
    // One layer, and the right side asks for none in particular.
    assert_eq!(rules("right [ > Player | Solid ] -> [ > Player | > Solid ]").len(), 1);
    // Several layers.
    assert_eq!(rules("right [ Any ] -> [ ]"), ["[ crate ] -> [ ]", "[ red ] -> [ ]"]);
    // The one on the left says which is meant on the right.
    assert_eq!(
        rules("right [ Paint | ] -> [ | Paint ]"),
        ["RIGHT [ red | ] -> [ | stationary red ]", "RIGHT [ blue | ] -> [ | stationary blue ]",]
    );
    let error = Game::read(&text("", "[ Player ] -> [ Paint ]", "no crate", "P*."));
    assert!(error.is_err_and(|error| error.message.contains("`paint`")));
}

#[test]
fn aggregates_are_their_parts() {
    assert_eq!(rules("[ > Q ] -> [ Q ]")[0], "[ up player up red ] -> [ player red ]");
    let error = Game::read(&text("", "[ no Q ] -> [ Crate ]", "no crate", "P*."));
    assert!(error.is_err_and(|error| error.message.contains("NO cannot")));
}

#[test]
fn groups_and_loops_keep_their_places() {
    let game = game(
        "",
        "[ Red ] -> [ Blue ]\nstartloop\n[ Crate ] -> [ Red ]\n+ [ Wall ] -> [ Blue ]\n\
         [ Blue ] -> [ Red ]\nendloop\nlate [ Red ] -> [ ]",
        "no crate",
        "P*.",
    );
    let loops: Vec<_> = game.rules.iter().map(|group| (group.rules.len(), group.loop_to)).collect();
    assert_eq!(loops, [(1, None), (2, None), (1, Some(1))]);
    assert_eq!(game.late_rules.len(), 1);
}

#[test]
fn comments_can_stand_anywhere() {
    let plain =
        text("title A", "[ > Player | Crate ] -> [ > Player | > Crate ]", "no crate", "P*.");
    let odd = plain
        .replace("* = Crate", "(one (in another)) * (a star) = Crate (again)")
        .replace("Player, Wall, Crate", "Player, Wall, Crate (and\nno more)")
        .replace("no crate", "(nothing)\nno crate (is left)")
        .replace("P*.", "(a small one)\nP*.");
    let (plain, odd) = (Game::read(&plain).expect("a game"), Game::read(&odd).expect("a game"));
    assert_eq!((map(&plain).width, &map(&plain).cells), (map(&odd).width, &map(&odd).cells));
    assert_eq!((plain.title, plain.conditions.len()), (odd.title, odd.conditions.len()));
}

#[test]
fn short_rows_go_on_and_a_background_is_everywhere() {
    let game = game("", "", "no crate", "P*.\nO\n\nmessage Well\n\n#");
    let [Stage::Level(first), Stage::Message(text), Stage::Level(last)] = &game.levels[..] else {
        panic!("two levels with a message between them");
    };
    assert_eq!((first.width, first.height, text.as_str()), (3, 2, "Well"));
    assert_eq!(super::drawn(&game, first, &first.cells), "P*./OOO");
    assert_eq!((last.width, last.height), (1, 1));
    let background = game.background;
    assert!(first.cells.iter().all(|cell| cell >> background & 1 == 1));
    assert!(game.warnings.iter().any(|(_, warning)| warning.contains("equally long")));
}

#[test]
fn rules_that_can_never_be_found_are_left_out() {
    assert_eq!(rules("[ Crate no Solid ] -> [ ]").len(), 0);
    assert_eq!(rules("[ Crate ] [ Crate ] -> [ ]").len(), 0);
}
