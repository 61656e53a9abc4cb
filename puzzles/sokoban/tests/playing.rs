use super::level;
use crate::error::Violation;
use crate::extras::PuzzleExt;
use crate::grid::{Cell, Direction};
use crate::moves::Moves;
use crate::objective::{Objective, Tally};
use crate::picture::{FrameOptions, Style};
use crate::play::Play;
use crate::puzzle::Puzzle;
use crate::sokoban::{Sokoban, State};

/// Two boxes, one push each.
const TWO: &str = "#######\n#.$@$.#\n#######\n";

fn verdict(level: &Sokoban, moves: &str) -> Result<Tally, Violation> {
    level.check(&level.read_solution(moves).expect("moves"))
}

#[test]
fn the_case_is_recomputed() {
    let level = level(TWO);
    for text in ["LrR", "lrr", "LRR", "L r\nr", "l2R", "L*rR", "1l2(r)"] {
        let solution = level.read_solution(text).expect("moves");
        assert_eq!(solution.to_string(), "LrR", "{text}");
        assert_eq!(level.check(&solution), Ok(Tally { moves: 3, pushes: 2 }));
    }
}

#[test]
fn the_first_wrong_move_is_named_with_its_rule() {
    let level = level("#######\n#.@$$.#\n#  $ .#\n#     #\n#######\n");
    let at = |moves| verdict(&level, moves).expect_err("a wrong string");
    assert_eq!((at("lul").at, at("lul").rule), (Some(2), "wall"));
    assert_eq!((at("r").at, at("r").rule), (Some(1), "box-against-box"));
    assert_eq!((at("ddru").at, at("ddrU").rule), (Some(4), "box-against-box"));
    let wall = super::level("######\n#.@$##\n######\n");
    assert_eq!(verdict(&wall, "R").expect_err("a wall").rule, "box-against-wall");
    assert_eq!(verdict(&wall, "R").expect_err("a wall").at, Some(1));
    assert_eq!((at("l").at, at("l").rule), (None, "not-solved"));
}

#[test]
fn other_notations_are_refused_with_a_reason() {
    let level = level(TWO);
    let message = |text| level.read_solution(text).expect_err("a fault").to_string();
    assert!(message("[lrr]").contains("reverse play"));
    assert!(message("{1}lrr").contains("several players"));
    assert_eq!(message("lr\nrn"), "line 2, column 2: `n` is not a move");
    assert!(message("lrr4").contains("nothing to repeat"));
    assert!(message("9999999999l").contains("too long"));
}

#[test]
fn reach_is_what_free_moves_reach() {
    for seed in 0..300 {
        let level = Sokoban::sample(seed);
        let start = level.start();
        // The definition, against the override.
        let mut class = vec![start.clone()];
        let mut next = 0;
        while next < class.len() {
            for mv in level.moves(&class[next]) {
                let stepped = level.step(&class[next], mv).expect("a legal move");
                if stepped.tally.pushes == 0 && !class.contains(&stepped.state) {
                    class.push(stepped.state);
                }
            }
            next += 1;
        }
        class.sort();
        assert_eq!(level.class(&start, Objective::Pushes), class);
        assert_eq!(level.representative(&start, Objective::Pushes), class[0]);
        assert_eq!(level.class(&start, Objective::MovesPushes), vec![start.clone()]);
        assert_eq!(level.representative(&start, Objective::Moves), start);
    }
}

#[test]
fn states_of_other_boards_are_not_read() {
    let level = level(TWO);
    let written = level.write_state(&level.start());
    assert_eq!(written, "10 9 11");
    for wrong in
        ["", "10", "10 9", "10 11 9", "9 9 11", "0 9 11", "10 9 99", "10 9  11", "010 9 11", "x"]
    {
        assert_eq!(level.read_state(wrong), None, "{wrong}");
    }
}

#[test]
fn boxes_stay_sorted() {
    let level = level("######\n# @  #\n#$ $ #\n#.  .#\n######\n");
    let state = State { boxes: vec![Cell(13), Cell(15)], player: Cell(16) };
    let stepped = level.step(&state, Direction::Left).expect("a push");
    assert_eq!(stepped.state.boxes, [Cell(13), Cell(14)]);
    assert_eq!(stepped.tally, Tally { moves: 1, pushes: 1 });
}

#[test]
fn frames_show_each_push() {
    let level = level(TWO);
    let solution = level.read_solution("lrr").expect("moves");
    let labels = |every_move| -> Vec<_> {
        level
            .frames(&solution, FrameOptions::all(every_move, Style::Plain))
            .into_iter()
            .map(|frame| frame.label)
            .collect()
    };
    assert_eq!(labels(false), ["", "L", "rR"]);
    assert_eq!(labels(true), ["", "L", "r", "R"]);
    let last =
        level.frames(&solution, FrameOptions::all(false, Style::Plain)).pop().expect("a frame");
    assert_eq!((last.moves, last.board.as_str()), (3, "#######\n#*  @*#\n#######\n"));
}

#[test]
fn pictures_show_the_end() {
    let level = level(TWO);
    let solution = level.read_solution("lrr").expect("moves");
    let picture = |style| level.picture(Some(&solution), style).expect("a picture");
    assert_eq!(picture(Style::Plain), "#######\n#*  @*#\n#######\n");
    assert_eq!(
        picture(Style::Unicode { color: false }),
        "██████████████\n██▓▓    ◖◗▓▓██\n██████████████\n"
    );
    assert!(picture(Style::Unicode { color: true }).contains("\u{1b}[32m▓▓\u{1b}[0m"));
    assert_eq!(picture(Style::Svg).matches("#00785a").count(), 2);
}
