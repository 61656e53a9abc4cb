use super::{fault, level};
use crate::extras::PuzzleExt;
use crate::level::Level;
use crate::options::Options;
use crate::puzzle::{Puzzle, Recording};
use crate::sokoban::{Collection, Note, Sokoban, solution_record};
use std::time::Duration;

const FIRST: &str = "####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####\n";

fn levels(text: &str) -> Vec<Level<Sokoban>> {
    Sokoban::read(text, &Options::default()).expect("levels")
}

fn titles(text: &str) -> Vec<Option<String>> {
    levels(text).into_iter().map(|level| level.title).collect()
}

#[test]
fn every_notation_gives_the_same_level() {
    let plain = level(FIRST);
    assert_eq!(plain.print(), FIRST);
    for other in [
        "####\n#-.#\n#--###\n#*@--#\n#--$-#\n#--###\n####",
        "4#\n#_.#\n#2_3#\n#*@2-#\n#2-$-#\n#--3#\n4#\n",
        "4#|#-.#|#2-3#|#*@2-#|#2-$-#|#2-3#|4#|",
        "wwww\nw .W\nw  www\nwBp  w\nw  b w\nw  www\nwwww\n",
        "####\r\n# .#\r\n#  ###\r\n#*@  #\r\n#  $ #\r\n#  ###\r\n####\r\n",
        "\u{feff}####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####\n",
        "\t####\n\t# .#\n\t#  ###\n\t#*@  #\n\t#  $ #\n\t#  ###\n\t####\n",
        "   ####   \n   # .#  \n   #  ###\n   #*@  #   \n   #  $ #\n   #  ###\n   ####\n",
    ] {
        assert_eq!(level(other), plain, "{other}");
    }
}

#[test]
fn nested_groups_are_written_out() {
    // 2(3(#-)#) is #-#-#-##-#-#-#
    let level = level("15#\n#2(3(--)-)#\n#@$.10-#\n2(7#)#\n");
    assert_eq!(level.grid().width(), 16);
    let row: String = level.print().lines().nth(1).unwrap().to_owned();
    assert_eq!(row, "#              #");
}

#[test]
fn an_empty_row_inside_is_a_dash() {
    let text = "###\n#@#\n###\n-\n #*#\n";
    assert_eq!(level(text).print(), text);
}

#[test]
fn scenery_out_of_reach_is_legal_and_stays() {
    let text = "#######\n#@$.#*#  ###\n#########. #\n        ####\n";
    assert_eq!(level(text).print(), text);
    assert_eq!(level(text).goals().len(), 3);
}

#[test]
fn more_goals_than_boxes_are_legal() {
    assert_eq!(level("######\n#@$..#\n######\n").goals().len(), 2);
}

#[test]
fn titles_stand_above_boards() {
    let board = "#####\n#@$.#\n#####\n";
    let plain =
        format!("; Three levels\n; in one file\n\n; 1\n\n{board}\n; 2\n'Duh!'\n\n{board}\n{board}");
    assert_eq!(titles(&plain), [Some("1".into()), Some("'Duh!'".into()), None]);
    let boxoban = format!("; 0\n{board}\n; 1\n{board}");
    assert_eq!(titles(&boxoban), [Some("0".into()), Some("1".into())]);
    let below = format!("{board}; one\n\n{board}; two\n\n");
    assert_eq!(titles(&below), [Some("one".into()), Some("two".into())]);
    let keyed = format!("{board}Title: one\n\n{board}\nAuthor: me\ntitle:two\n");
    assert_eq!(titles(&keyed), [Some("one".into()), Some("two".into())]);
    let touching = format!("Title: one\nAuthor: me\n{board}\nTitle: two\n{board}");
    assert_eq!(titles(&touching), [Some("one".into()), Some("two".into())]);
}

/// A title line follows a blank line, or is the only line of text there.
#[test]
fn the_last_line_of_a_paragraph_is_no_title() {
    let board = "#####\n#@$.#\n#####\n";
    let title = |text: &str| titles(text).pop().flatten();
    assert_eq!(title(&format!("Some notes\non all of it\n\n{board}")), None);
    assert_eq!(title(&format!("Some notes\non all of it\n\nOne\n\n{board}")), Some("One".into()));
    assert_eq!(title(&format!("Some notes\n\nOne\n{board}")), Some("One".into()));
    assert_eq!(title(&format!("One\n{board}")), Some("One".into()));
    assert_eq!(title(&format!("{board}\nabout it,\nand more\n\n{board}")), None);
    assert_eq!(
        title(&format!("{board}\nabout it,\nand more\n\nTwo\n\n{board}")),
        Some("Two".into())
    );
    let kept = levels(&format!("x\n\n{board}\nabout it,\nand more\n\n{board}"));
    assert!(kept[0].notes.level.contains("and more"), "{:?}", kept[0].notes);
}

#[test]
fn a_level_knows_its_place_and_its_own_text() {
    let text = format!("; 1\n\n{FIRST}\n; 2\n\n4#|#@.#|#$-#|#--#|4#\n");
    let levels = levels(&text);
    assert_eq!((levels[0].line, levels[1].line), (3, 13));
    for level in levels {
        assert_eq!(super::level(&level.text), level.puzzle.expect("a level"));
    }
}

#[test]
fn metadata_comments_and_games_round_trip() {
    let text = "\
Collection: Two
Mood: calm
:: for people
Comment:
What follows is no level:
#####
#@$.#
#####
Comment-End:

First

#####
#@$.#
#####

Author: somebody
Shoe size: 43
Comment:

spaced
Comment-End:

Solution 1/1 (YASS 2.1)
R
Solver: YASS
Solver time: 00:00:01

Saved game
r*

#####
#@.$#
#####

Title: #5#
";
    let collection = Collection::read(text).expect("a collection");
    assert_eq!(collection.to_string(), text);
    let titles: Vec<_> = collection.entries.iter().map(|entry| entry.title()).collect();
    assert_eq!(titles, [Some("First"), Some("#5#")]);
    assert_eq!(collection.entries[0].solutions(), ["R"]);
}

#[test]
fn recorded_solutions_are_found() {
    let text = format!("{FIRST}\nSolution 33/8\ndlUr\nrrdl\n\nSolution: lurdlurd\n\nlluurrddll\n");
    assert_eq!(levels(&text)[0].solutions, ["dlUr\nrrdl", "lurdlurd", "lluurrddll"]);
}

#[test]
fn words_of_the_letters_l_u_r_d_are_text() {
    assert_eq!(titles("dull\n\n#####\n#@$.#\n#####\n"), [Some("dull".into())]);
}

#[test]
fn a_new_solution_is_written_as_others_write_theirs() {
    let mut collection = Collection::read("One\n\n#####\n#@$.#\n#####\n").expect("a collection");
    let entry = &mut collection.entries[0];
    let puzzle = entry.puzzle.clone().expect("a level");
    let solution = puzzle.read_solution("r").expect("a solution");
    entry.notes.extend(solution_record(&puzzle, &solution, Duration::from_secs(3723)));
    let version = env!("CARGO_PKG_VERSION");
    let written = format!(
        "One\n\n#####\n#@$.#\n#####\n\nSolution 1/1 (unstuck)\nR\n\
         Solver: unstuck {version}\nSolver time: 01:02:03\n"
    );
    assert_eq!(collection.to_string(), written);
    let again = Collection::read(&written).expect("a collection");
    assert_eq!(again.entries[0].solutions(), ["R"]);
}

#[test]
fn long_solutions_are_wrapped_and_empty_ones_kept() {
    let level = level("#####\n#@ *#\n#####\n");
    let walk = level.read_solution(&"rl".repeat(100)).expect("moves");
    let Note::Record(record) = &solution_record(&level, &walk, Duration::ZERO)[0] else {
        panic!("a record comes first");
    };
    assert_eq!(record.moves.iter().map(String::len).collect::<Vec<_>>(), [76, 76, 48]);
    let none = level.read_solution("").expect("no moves");
    let mut collection = Collection::read(&level.print()).expect("a collection");
    collection.entries[0].notes = solution_record(&level, &none, Duration::ZERO);
    let again = Collection::read(&collection.to_string()).expect("a collection");
    assert_eq!(again.entries[0].solutions(), [""]);
}

#[test]
fn records_keep_what_the_file_says() {
    let text = "Author: All of it\nCopyright: free\n\nOne\n\n#####\n#@$.#\n#####\n\n\
                Author: This one\nHardness: 1\nComment:\nA remark.\nComment-End:\n\n\
                Snapshot 1/0\nl\n\nTwo\n\n######\n#@ $.#\n######\n";
    let record = |level: &Level<Sokoban>, moves: &str| {
        let puzzle = level.puzzle.as_ref().expect("a level");
        let solution = puzzle.read_solution(moves).expect("moves");
        let recording = Recording {
            title: level.title.as_deref(),
            notes: Some(&level.notes),
            ..Recording::default()
        };
        crate::AnyPuzzle::record_of(puzzle, &solution, recording).expect("Sokoban has records")
    };
    let levels = levels(text);
    let first = record(&levels[0], "R");
    for kept in ["One", "Author: This one", "Hardness: 1", "A remark.", "Snapshot 1/0", "free"] {
        assert!(first.contains(kept), "{kept}: {first}");
    }
    assert!(!first.contains("All of it"), "the level says otherwise: {first}");
    let second = record(&levels[1], "rR");
    assert!(second.contains("Author: All of it") && second.contains("Two"), "{second}");
    // What was recorded is kept, and recorded once only.
    let again = Sokoban::read(&first, &Options::default()).expect("a record");
    assert_eq!(again[0].solutions, ["R"]);
    assert_eq!(record(&again[0], "R"), first);
}

#[test]
fn other_games_are_refused_by_name() {
    let board = "#####\n#@$.#\n#####\n";
    for game in ["Hexoban", "Trioban", "Multiban"] {
        for line in ["Game: ", "Game=", "game = ", "; Game: "].map(|key| format!("{key}{game}")) {
            let fault = fault(&format!("{board}\n{line}\n"));
            assert!(fault.contains(&format!("this level is for {game}, a variant")), "{fault}");
        }
        // A board that no other game could have is refused by the name, too, not by its holes.
        let hexagons = fault(&format!("  # #\n # @ #\n# $ . #\n # #\n\nGame = {game}\n"));
        assert!(hexagons.contains(&format!("this level is for {game}")), "{hexagons}");
        let whole = levels(&format!("Game: {game}\n\nx\n\n{board}\ny\n\n{board}"));
        assert!(whole.iter().all(|level| level.puzzle.is_err()));
    }
    for key in ["boxorder", "goalorder"] {
        let fault = fault(&format!("{board}\n{key}: 1\n"));
        assert!(fault.contains("this level is for Sokoban+"), "{fault}");
    }
    assert!(Sokoban::parse(&format!("{board}\nGame: Sokoban\n"), &Options::default()).is_ok());
    // What is no key that is known is text, whatever stands before its equals sign.
    assert_eq!(titles(&format!("a = b\n\n{board}")), [Some("a = b".into())]);
    assert_eq!(titles(&format!("{board}\nTitle = One: two\n")), [Some("One: two".into())]);
}

#[test]
fn faults_name_their_place() {
    assert_eq!(
        fault("####\n#@.#\n#$ ##\n# $#\n####\n"),
        "level:3:2: 2 boxes but only 1 goal
  | #$ ##
  |  ^
  = help: add goals or remove boxes"
    );
    assert_eq!(
        fault("#####\n#@$.#\n### #\n"),
        "level:3:4: the board leaks: from here the player can walk off it
  | ### #
  |    ^
  = help: close the wall around the part that the player can reach"
    );
    assert_eq!(
        fault("#####\n#@$.#\n#@  #\n#####\n"),
        "level:3:2: a second player on this board
  | #@  #
  |  ^
  = help: leave one player; Multiban, where there are several, is another game"
    );
    assert_eq!(
        fault("title\n\n#####\n# $.#\n#####\n"),
        "level:3: this board has no player
  = help: put the player on it: `@`, or `+` on a goal"
    );
    assert_eq!(
        fault("########\n#@$.# .#\n#   #$ #\n########\n"),
        "level:3:6: this box is off goal and the player can never get near it
  | #   #$ #
  |      ^
  = help: open a way to it, put it on a goal, or remove it"
    );
    assert_eq!(
        fault("####\n#@O#\n# .#\n####\n"),
        "level:2:3: `O` is not on Sokoban boards
  | #@O#
  |   ^
  = help: boards are drawn with # @ + $ * . and spaces, - or _"
    );
    let blank = fault("####\n#@\u{a0}#\n# .#\n####\n");
    assert!(blank.starts_with("level:2:3: the blank U+00A0 is not on Sokoban boards"), "{blank}");
    assert_eq!(
        fault("5#\n#@$.#\n#2(-#\n5#\n"),
        "level:3:3: this bracket has no partner
  | #2(-#
  |   ^
  = help: run lengths are written `3#` or `2(3(#-)#)`"
    );
    assert!(fault("nothing here").starts_with("level: no Sokoban board in this text"));
}

#[test]
fn a_fault_stays_with_its_level() {
    let levels = levels("1\n\n#####\n#@$.#\n#####\n\n2\n\n#####\n# $.#\n#####\n");
    assert!(levels[0].puzzle.is_ok());
    assert_eq!(levels[1].puzzle.as_ref().map_err(|fault| fault.line), Err(9));
}

#[test]
fn small_files_cannot_ask_for_huge_boards() {
    for bomb in [
        "99999999999999999999#\n#@$.#\n#####\n",
        "9(9(9(9(9(9(9(9(9(9(9#))))))))))\n#@$.#\n#####\n",
    ] {
        let fault = Sokoban::parse(bomb, &Options::default()).expect_err("too large");
        assert!(fault.message.contains("too long"), "{fault}");
    }
    assert!(fault("99999(99999(99999()))#\n#@$.#\n#####\n").contains("leaks"));
    let many = format!("{}#@$.#\n", "1000#\n".repeat(70));
    assert!(fault(&many).contains("more than 65535 cells"));
}

#[test]
fn warnings_are_reported() {
    let warnings = |text: &str| -> Vec<String> {
        levels(text).swap_remove(0).warnings.into_iter().map(|warning| warning.text).collect()
    };
    assert_eq!(warnings("#####\n#@$.#\n#####\n"), [""; 0]);
    assert!(warnings("####\n#@ #\n####\n")[0].contains("no box"));
    assert!(warnings("\t#####\n\t#@$.#\n\t#####\n")[0].contains("tabs"));
}

#[test]
fn rulers_and_headings_are_no_boards() {
    let text = "##########\n## Levels ##\n##########\n\n#1\n\n#####\n#@$.#\n#####\n-----\n";
    assert_eq!(titles(text), [Some("#1".into())]);
}

#[test]
fn moves_may_be_arrows() {
    let level = level("#####\n#@$.#\n#   #\n#####\n");
    for moves in ["drluR", "v><^>", "↓→←↑→", "D>l^R"] {
        let solution = level.read_solution(moves).expect("moves");
        assert_eq!(solution.to_string(), "drluR", "{moves}");
    }
}
