//! Readable: sentences, tables, help.

use super::{COLLECTION, CommandOutput, EASY, ENDLESS, STUCK, TestFolder, commands, own};
use crate::store_folder::signal;
use crate::wait::Conversation;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn verdicts_are_sentences_in_the_unit_of_the_objective() {
    let place = TestFolder::new().with("a.xsb", "#######\n#@ $ .#\n#######\n").with("s.xsb", STUCK);
    place.write("e.xsb", ENDLESS);
    let solved = place.run("solve a.xsb").ends(0);
    let solved = solved.says("solved in 3 moves and 2 pushes; no solution has fewer pushes\n");
    assert!(solved.out.contains("\nproved; `unstuck prove` writes a certificate\n"));
    place.run("solve a.xsb -v").ends(0).says("\nproved by exhaustive search with the bound ");
    place.run("solve a.xsb --objective moves").says("no solution has fewer moves");
    place.run("solve a.xsb --objective pushes,moves").says("nor fewer moves with as many pushes");
    place.run("solve a.xsb --objective any").says("not known to be shortest");
    let within = "no solution within 1 push; longer ones are not ruled out";
    place.run("solve a.xsb --horizon 1").ends(21).says(within);
    place.run("solve a.xsb --horizon 1 --objective moves").ends(21).says("within 1 move;");
    let stuck = "unsolvable: the box in row 2, column 2 cannot be pushed to any goal";
    place.run("solve s.xsb").ends(20).says(stuck);
    place.run("list s.xsb").ends(0).says("unsolvable");
    let listed = &place.run("list s.xsb --json").objects()[0]["readings"][0]["unsolvable"];
    assert!(listed.as_str().is_some_and(|why| why.contains("the box in row 2, column 2")));
    let unknown = place.run("solve e.xsb --engine search --timeout 1").ends(30);
    let unknown = unknown.says("unknown (time limit): lower bound ");
    for printed in [solved, unknown] {
        assert!(!printed.out.contains("null") && !printed.out.contains("None"), "{}", printed.out);
    }
    let value = place.object("solve a.xsb", 0);
    assert_eq!(value["tie_break_optimal"], serde_json::Value::Null, "there is no tie to break");
    let value = place.object("solve a.xsb --objective pushes,moves", 0);
    assert_eq!(value["tie_break_optimal"], true);
    let value = place.object("solve s.xsb", 20);
    assert!(value["optimal"].is_null() && value["solution"].is_null());
}

#[test]
fn batches_are_a_table_that_fits() {
    let place = TestFolder::new();
    let long = format!("{COLLECTION}\n{}\n\n{STUCK}\n\nE\n\n{ENDLESS}", "A title ".repeat(20));
    place.write("a.sok", &long);
    let printed = place.run("solve a.sok --engine search --timeout 2").ends(20);
    let printed = printed.says("5 levels: 3 solved (all optimal), 1 unknown (time), 1 unsolvable;");
    assert_eq!(printed.out.matches("First steps").count(), 1, "nothing twice: {}", printed.out);
    for line in printed.out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert_eq!(printed.out.matches("a.sok").count(), 1, "the file is named once: {}", printed.out);
    assert!(!printed.out.contains("\nrR\n"), "moves on request only");
    place.run("solve a.sok -l 1-2 --moves").ends(0).says("[1/2] First steps").says("\nrR\n");
    let list = place.run("list a.sok").ends(0);
    let list = list.says("a.sok\n#  title").says("1 box");
    assert!(list.out.lines().all(|line| line.chars().count() <= 80), "{}", list.out);
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_says_so() {
    let place = TestFolder::new().with("a.sok", &format!("{EASY}\n{ENDLESS}\n{EASY}"));
    let line = "solve a.sok --engine search --progress 0.1";
    let mut solving = Conversation::start(&mut place.command(line));
    // A sign of life of the second level.
    solving.until("[2/3]");
    signal(solving.id(), "-INT");
    let printed = CommandOutput::of(&solving.end());
    let printed = printed.ends(30).says("interrupted: 2 of 3 were looked at").says("--log FILE");
    assert!(printed.out.contains("\n2  #2     interrupted"), "{}", printed.out);
}

#[test]
fn there_is_a_sign_of_life_without_a_terminal() {
    let place = TestFolder::new().with("e.xsb", ENDLESS);
    let printed = place.run("solve e.xsb --engine search --timeout 2 --progress 0.3").ends(30);
    let signs: Vec<_> = printed.err.lines().filter(|line| line.starts_with("e.xsb: ")).collect();
    assert!(!signs.is_empty() && signs[0].contains(" of 2s: "), "{}", printed.err);
    let silent = place.run("solve e.xsb --engine search --timeout 1 --progress 0").ends(30);
    assert_eq!(silent.err, "");
}

#[test]
fn half_played_games_are_shown_and_not_called_invalid() {
    let place = TestFolder::new().with("a.xsb", "#######\n#@ $ .#\n#######\n");
    let printed = place.run("replay a.xsb r").ends(1).says("# @$ .#").says("not solved yet: ");
    assert!(!printed.out.contains("invalid"), "{}", printed.out);
    place.run("replay a.xsb u").ends(1).says("invalid: move 1");
    // Stages and replay draw alike.
    let stages = place.run("replay a.xsb rRR --stages").ends(0).says("0: start\n#######\n#@ $ .#");
    let solved = place.run("solve a.xsb --stages").ends(0);
    let boards = |text: &str| {
        text.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(boards(&stages.out), boards(&solved.out));
}

#[test]
fn help_shows_the_family_at_hand() {
    let place = TestFolder::new().with("f.flow", "A.\nA.\n").with("a.xsb", EASY);
    let bare = place.run("solve --help").ends(0).says("--help all");
    assert!(!bare.out.contains("--touch"), "{}", bare.out);
    let flow = place.run("solve --help f.flow").ends(0).says("--touch").says("--cover");
    assert!(!flow.out.contains("--dismantle"), "{}", flow.out);
    place.run("solve --help --puzzle snowman").ends(0).says("--dismantle");
    place.run("solve --help all").ends(0).says("--touch").says("--dismantle").says("--widen");
    place.run("--help").ends(0).says("Exit codes");
    let short = place.run("solve -h").ends(0).says("Examples:");
    assert!(short.out.lines().count() < bare.out.lines().count());
    for command in commands() {
        let long = place.run(&format!("{command} --help")).ends(0).says("Examples:");
        place.run(&format!("{command} -h")).ends(0).says("Examples:");
        if !["completions", "man"].contains(&command.as_str()) {
            long.says("Exit codes");
        }
    }
}

#[test]
fn help_fits_80_columns() {
    let place = TestFolder::new();
    let below = ["", "generate flow", "generate sokoban"].map(str::to_owned);
    for command in commands().into_iter().chain(below) {
        for help in ["-h", "--help", "--help all"] {
            let printed = place.run(&format!("{command} {help}"));
            let wide = printed.out.lines().find(|line| line.chars().count() > 80);
            assert!(wide.is_none(), "{command} {help}: {wide:?}");
        }
    }
}

#[test]
fn shells_and_man_are_served() {
    let place = TestFolder::new();
    for (shell, part) in
        [("bash", "complete -F"), ("zsh", "#compdef unstuck"), ("fish", "complete")]
    {
        place.run(&format!("completions {shell}")).ends(0).says(part).says("solve");
    }
    place.run("man").ends(0).says(".TH unstuck 1");
    place.run("man -o pages").ends(0);
    assert!(place.has("pages/unstuck.1") && place.has("pages/unstuck-solve.1"));
}

#[test]
fn colours_are_as_asked() {
    let place = TestFolder::new().with("a.xsb", EASY);
    assert!(!place.run("replay a.xsb R").ends(0).out.contains('\x1b'));
    assert!(place.run("replay a.xsb R --color always").ends(0).out.contains('\x1b'));
    assert!(place.run("--color always replay a.xsb R").ends(0).out.contains('\x1b'));
    assert!(!place.run("replay a.xsb R --color never").ends(0).out.contains('\x1b'));
}

/// The words of a text that begin with two dashes.
fn long_options(text: &str) -> BTreeSet<String> {
    let part = |c: char| !(c.is_ascii_lowercase() || c == '-');
    let words = text.split(part).filter(|word| word.starts_with("--"));
    let words = words.map(|word| word.trim_end_matches('-'));
    words.filter(|word| word.len() > 3).map(str::to_owned).collect()
}

#[test]
fn the_book_knows_every_option_and_no_other() {
    let place = TestFolder::new();
    let book = crate::root().join("docs/command-line.md");
    let book = fs::read_to_string(book).expect("the chapter");
    let mut known = BTreeSet::new();
    for command in commands() {
        let help = place.run(&format!("{command} --help all")).ends(0).out;
        let usage = help.split("Examples:").next().unwrap_or_default().to_owned();
        let lines = usage.lines().filter(|line| {
            let line = line.trim_start();
            line.starts_with("--") || line.starts_with('-') && line.contains(", --")
        });
        let options = lines.flat_map(|line| {
            let head = line.trim_start().split("  ").next().unwrap_or_default();
            long_options(head)
        });
        let options: BTreeSet<_> = options.collect();
        let missing: Vec<_> = options.iter().filter(|option| !book.contains(*option)).collect();
        assert!(missing.is_empty(), "{command}: the chapter does not tell of {missing:?}");
        assert!(book.contains(&format!("`{command}`")), "{command}");
        known.extend(options);
    }
    known.extend(long_options(&place.run("generate flow --help").ends(0).out));
    let unknown: Vec<_> =
        long_options(&book).into_iter().filter(|it| !known.contains(it)).collect();
    assert!(unknown.is_empty(), "no command has {unknown:?}");
}

#[test]
fn the_own_levels_are_listed() {
    let place = TestFolder::new();
    let printed = place.run(&format!("list {}", own("sokoban/first-steps.sok"))).ends(0);
    printed.says("10  All at home");
    // Files of one level stand together.
    let printed = place.run(&format!("list {}", own("snowman"))).ends(0);
    printed.says("levels/snowman/\n").says("twins.snowman  Twins");
    place.write("a.xsb", EASY).write("b.xsb", STUCK).write("unread.xsb", "no level\n");
    let printed = place.run("solve a.xsb b.xsb unread.xsb").ends(2).says("./\n");
    printed.says("unread.xsb").says("b.xsb");
}

#[test]
fn a_known_solution_is_made_shorter() {
    let place = TestFolder::new();
    place.write("a.xsb", "#######\n#@ $ .#\n#     #\n#######\n").write("f.txt", "A.A\n");
    place.write("moves.txt", "rldruRR\n");
    let line = "solve a.xsb --improve --objective moves --from-solution @moves.txt";
    let printed = place.run(line).ends(0).says("rRR\n").says("solved in 3 moves");
    printed.says("the solution to improve had 7 moves and 2 pushes\n");
    let printed = place.run("solve a.xsb --improve --from-solution rRR").ends(0);
    printed.says("as short as the solution to improve\n");
    place.run("solve a.xsb --improve --objective any").ends(0).says("not known to be shortest");
    place.run("solve a.xsb --improve --json").ends(0).says("\"engine\":\"improve\"");
    let wrong = place.run("solve a.xsb --improve --from-solution rr").ends(2);
    assert!(wrong.err.contains("--from-solution") && wrong.err.contains("replay"), "{}", wrong.err);
    let bad = place.run("solve a.xsb --improve --from-solution xyz").ends(2);
    assert!(bad.err.contains("--from-solution"), "{}", bad.err);
    place.run("solve a.xsb --from-solution rRR").ends(2);
    place.run("solve a.xsb --improve --engine sat").ends(2);
    place.run("solve f.txt --puzzle flow --improve").ends(2);
}

/// A verdict is nothing without the board and the question that it is about.
#[test]
fn a_certificate_is_judged_with_its_question() {
    let place = TestFolder::new();
    place.write("a.xsb", "#######\n#@ $ .#\n#######\n").write("f.flow", "AB\nAB\n");
    place.run("prove a.xsb -o plain").ends(0);
    let printed = place.run("check plain").ends(0);
    let printed = printed.says("valid: sokoban, objective pushes: solvable with 2 pushes");
    printed.says("\nboard:\n#######\n#@ $ .#\n#######\nsolution: ");
    place.run("prove a.xsb --after r -o after").ends(0);
    let printed = place.run("check after").ends(0).says("after the moves r,");
    printed.says("\nboard:\n#######\n# @$ .#\n#######\n");
    place.run("prove a.xsb --forbid 'push box (2,4) to (2,5)' -o wished").ends(20);
    place.run("check wished").ends(0).says("with the constraints: not box (2,4) to (2,5),");
    place.run("prove f.flow -o flow").ends(0);
    place.run("check flow").ends(0).says("valid: flow,").says("\nboard:\n").says("\nAB\nAB\n");
    assert_eq!(place.run("check flow --quiet").ends(0).out, "valid\n");
    let value = place.object("check wished", 0);
    assert_eq!(value["board"], "#######\n#@ $ .#\n#######\n");
    assert_eq!(value["wishes"], "not box (2,4) to (2,5)");
    for field in ["puzzle", "title", "options", "reading", "objective", "after", "claim"] {
        assert!(value.get(field).is_some(), "{field}: {value}");
    }
}

/// What spreadsheets would run is text, in every table.
#[test]
fn tables_have_no_formulas() {
    let place = TestFolder::new();
    place.write("=cmd.sok", "=1+2\n\n#####\n#@$.#\n#####\n\n@sum\n\n######\n#@ $.#\n######\n");
    place.run("solve =cmd.sok --store run --workers 1").ends(0);
    let merged = place.run("merge run").ends(0).out;
    let bench = place.run("bench =cmd.sok --engine search --timeout 5 --format csv").ends(0).out;
    assert!(merged.contains(",'=1+2,") && merged.contains(",'@sum,"), "{merged}");
    for table in [merged, bench] {
        let mut read = csv::Reader::from_reader(table.as_bytes());
        let cells = read
            .records()
            .flat_map(|row| row.expect("a row").iter().map(str::to_owned).collect::<Vec<_>>());
        let cells: Vec<String> = cells.collect();
        assert!(cells.contains(&"'=cmd.sok".to_owned()), "{cells:?}");
        let formula =
            |cell: &&String| cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
        assert_eq!(cells.iter().find(formula), None);
    }
}

#[test]
fn commands_stand_under_headings() {
    let place = TestFolder::new();
    for help in ["-h", "--help"] {
        let printed = place.run(help).ends(0).out;
        let heads = ["Play:", "Ask:", "Prove:", "Design:", "Formulas:", "Many levels:"];
        let places = heads.map(|head| printed.find(&format!("\n{head}\n")));
        assert!(places.is_sorted() && places[0].is_some(), "{printed}");
        for command in commands() {
            let line = format!("\n  {command:<11}  ");
            assert_eq!(printed.matches(&line).count(), 1, "{command}: {printed}");
            // What a command is for is said in the same words in its own help.
            let about = place.run(&format!("{command} {help}")).ends(0).out;
            let about = about.lines().next().unwrap_or_default();
            let words: Vec<&str> = printed.split_whitespace().collect();
            assert!(words.join(" ").contains(about), "{command}: {about}");
            assert!(about.starts_with(char::is_uppercase) && !about.starts_with("What"), "{about}");
        }
    }
}

#[test]
fn the_command_farm_says_what_took_its_place() {
    let place = TestFolder::new();
    for line in ["farm a.xsb --store run", "farm status run", "farm --help", "farm"] {
        let printed = place.run(line).ends(2).complains("no command `farm`");
        printed.complains("`solve FILES --store DIR`").complains("`list`, `check` and `merge`");
    }
}
