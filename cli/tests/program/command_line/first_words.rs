//! What people type before they have read anything.

use super::{CommandOutput, EASY, ENDLESS, STUCK, TestFolder};
use std::fs::File;

#[test]
fn a_level_without_a_command_is_solved() {
    let place = TestFolder::new().with("a.xsb", EASY).with("solve", EASY);
    place.run("a.xsb").ends(0).says("R\n").says("1 push");
    place.run("a.xsb --json").ends(0).says("\"command\":\"solve\"");
    place.run("./solve").ends(0).says("1 push");
    // Commands come first, and what is neither is an error as before.
    place.run("list a.xsb").ends(0).says("1 box");
    place.run("nothing.xsb").ends(2).complains("unrecognized subcommand");
}

#[test]
fn what_is_piped_in_is_read_where_no_file_is_named() {
    let place = TestFolder::new();
    for line in ["solve", "", "solve -q", "hint", "-"] {
        place.fed(line, EASY).ends(0).says("R\n");
    }
    place.run("solve").ends(2).complains("it is empty");
    // A file, too; but nothing that could never end.
    place.write("a.xsb", EASY);
    let mut command = place.command("solve");
    command.stdin(File::open(place.path("a.xsb")).expect("there"));
    assert_eq!(command.output().expect("it ran").status.code(), Some(0));
    #[cfg(unix)]
    {
        let output = place.command("solve").output().expect("it ran");
        let printed = CommandOutput::of(&output).ends(2).complains("<FILE>");
        printed.complains("tip: levels come along: `unstuck list`");
    }
    // What is missing beside the file is said as before.
    place.fed("export", EASY).ends(2).complains("horizon");
}

#[test]
fn moves_may_stand_behind_the_level() {
    let place = TestFolder::new().with("a.xsb", "#######\n#@ $ .#\n#######\n");
    let long = place.run("hint a.xsb --after r").ends(0);
    assert_eq!(place.run("hint a.xsb r").ends(0).out, long.out);
    let long = place.run("diagnose a.xsb --moves rRR").ends(0);
    assert_eq!(place.run("diagnose a.xsb rRR").ends(0).out, long.out);
    place.write("moves", "rRR\n");
    assert_eq!(place.run("diagnose a.xsb @moves").ends(0).out, long.out);
    place.run("hint a.xsb r --after r").ends(2).complains("cannot be used with");
}

#[test]
fn several_plans_and_explanations_can_be_asked_for() {
    let place = TestFolder::new().with("a.xsb", EASY).with("b.xsb", STUCK);
    place.run("enumerate a.xsb --count 5").ends(0).says("R\n");
    place.run("explain b.xsb --count 2").ends(20).says("no solution because of");
    place.run("solve a.xsb --count 5").ends(2).complains("one shortest solution");
}

#[test]
fn certificates_have_a_place_of_their_own() {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("two.xsb", &format!("{EASY}\n; B\n\n{STUCK}"));
    place.run("prove a.xsb").ends(0);
    place.run("check a.certificate").ends(0).says("valid");
    place.run("prove a.xsb").ends(2).complains("already exists");
    place.run("prove two.xsb");
    place.run("check certificates").ends(0).says("2 of 2 certificates are valid");
    place.run("check certificates --allow-uncertified").ends(2).complains("is for locks");
    place.run("check .").ends(0).says("1 of 1 certificates are valid");
    // One that is wrong is named, and the others are judged all the same.
    let first = std::fs::read_dir(place.path("certificates")).expect("there").flatten().next();
    let manifest = first.expect("two").path().join("certificate.json");
    std::fs::write(manifest, "{}").expect("written");
    place.run("check certificates").ends(1).says("1 of 2 certificates are valid");
    assert_eq!(place.objects("check certificates", 1).len(), 2);
    std::fs::remove_file(place.path("certificates/two-1/puzzle.txt")).expect("removed");
    assert_eq!(place.run("check certificates --json").objects().len(), 2);
}

#[test]
fn locks_are_checked_by_their_file_or_their_folder() {
    let place = TestFolder::new().with("a.xsb", EASY);
    place.run("check .").ends(2).complains("no certificate in this folder");
    place.run("lock a.xsb").ends(0);
    let long = place.run("check --locked unstuck.lock").ends(0);
    for words in ["check unstuck.lock", "check ."] {
        assert_eq!(place.run(words).ends(0).out, long.out, "{words}");
    }
    place.run("check . --with lrat-check").ends(2).complains("--with");
    place.run("check a.xsb").ends(2).complains("not a lock");
    // A lock that cannot be read is not passed over for what lies beside it.
    place.run("prove a.xsb").ends(0);
    std::fs::remove_file(place.path("unstuck.lock/store.json")).expect("removed");
    place.run("check .").ends(2).complains("unstuck.lock");
}

#[test]
fn files_that_are_missing_are_noticed_before_any_work() {
    let place = TestFolder::new().with("a.xsb", EASY);
    let printed = place.run("solve a.xsb 3").ends(2).complains("3: No such file");
    assert!(printed.out.is_empty() && printed.err.contains("`--level 3`"), "{printed:?}");
    place.run("solve ''").ends(2).complains("name of the file is empty");
}

#[test]
fn rules_that_define_a_puzzle_are_not_left_out_of_answers() {
    let place = TestFolder::new().with("a.xsb", EASY);
    for engine in ["", " --engine sat --horizon 3"] {
        let line = format!("solve a.xsb --without one-push{engine}");
        place.run(&line).ends(2).complains("`one-push` defines the puzzle");
    }
    place.run("export a.xsb --horizon 3 --without one-push").ends(0);
}

#[test]
fn texts_of_windows_and_of_old_macs_are_read() {
    let place = TestFolder::new();
    let bytes =
        |name: &str, bytes: Vec<u8>| std::fs::write(place.path(name), bytes).expect("written");
    let units = std::iter::once(0xfeff).chain(EASY.encode_utf16());
    bytes("little.xsb", units.clone().flat_map(u16::to_le_bytes).collect());
    bytes("big.xsb", units.flat_map(u16::to_be_bytes).collect());
    bytes("mac.xsb", EASY.replace('\n', "\r").into_bytes());
    for name in ["little.xsb", "big.xsb", "mac.xsb"] {
        place.run(&format!("solve {name}")).ends(0).says("1 push");
    }
    let dtd = "<?xml version=\"1.0\"?>\n<!DOCTYPE SokobanLevels SYSTEM \"SokobanLev.dtd\">\n\
               <SokobanLevels><LevelCollection><Level Id=\"A\">\n<L>#####</L>\n<L>#@$.#</L>\n\
               <L>#####</L>\n</Level></LevelCollection></SokobanLevels>\n";
    place.write("old.slc", dtd);
    place.run("solve old.slc").ends(0).says("1 push");
    // Entities are not taken apart: they could stand for more than memory holds.
    let entity = dtd.replace(" SYSTEM \"SokobanLev.dtd\"", " [<!ENTITY a \"#####\">]");
    place.write("entity.slc", &entity);
    place.run("solve entity.slc").ends(2).complains("broken XML");
}

#[test]
fn the_map_of_what_is_needed_has_walls() {
    let place = TestFolder::new().with("a.xsb", "######\n#@ $.#\n######\n");
    place.run("needed a.xsb --kind box").ends(0).says("######\n#  ");
}

#[test]
fn a_formula_without_its_map_is_not_taken_for_a_level() {
    let place = TestFolder::new().with("a.xsb", EASY).with("answer", "s SATISFIABLE\nv 0\n");
    place.run("export a.xsb --horizon 1 -o a.cnf").ends(0);
    std::fs::remove_file(place.path("a.cnf.map.json")).expect("removed");
    let printed = place.run("decode a.cnf answer").ends(2);
    printed.complains("a.cnf.map.json: the map of the formula is missing");
}

#[test]
fn boards_that_no_draft_can_fill_are_named_so() {
    let place = TestFolder::new();
    let line = "generate sokoban --width 3 --height 3 --boxes 9 --attempts 5";
    let printed = place.run(line).ends(2);
    assert!(printed.err.contains("make it larger") || printed.err.contains("--"), "{printed:?}");
}

#[test]
fn what_is_not_known_of_a_level_is_no_number() {
    let place = TestFolder::new().with("e.xsb", ENDLESS);
    let printed = place.run("difficulty e.xsb --timeout 0.05").ends(30);
    let row = printed.out.lines().last().expect("a row");
    assert!(row.contains("?") && row.matches(" - ").count() >= 3, "{row}");
}

#[test]
fn help_says_how_stages_are_named() {
    let place = TestFolder::new();
    place.run("solve --help").ends(0).says("`{n}`");
    place.run("solve --help --colors never").ends(0);
}

#[test]
fn levels_come_along() {
    let place = TestFolder::new();
    let run = |line: &str| CommandOutput::of(&place.command(line).output().expect("it ran"));
    run("list").ends(0).says("Down and left").says("pantry").says("twelve");
    run("solve pantry -q").ends(0).says("uLrdrruuLLLrrruullDurrddlL");
    run("first-steps -l 1").ends(0).says("no solution has fewer pushes");
    run("first-paths").ends(0).says("it is the only solution");
    // It gets as far as anyone gets without a terminal.
    run("play").ends(2).complains("play needs a terminal");
    run("solve pantri").ends(2).complains("did you mean `pantry`");
    // A file of that name comes first.
    place.write("pantry", EASY);
    run("solve pantry -q").ends(0).says("R\n");
}

#[test]
fn the_game_so_far_is_given_in_one_way() {
    let place = TestFolder::new();
    place.write("a.xsb", "#######\n#@ $ .#\n#######\n").write("m.txt", "rRR\n");
    for command in ["hint", "diagnose", "replay"] {
        let short = place.run(&format!("{command} a.xsb rRR"));
        for given in
            ["--moves rRR", "--after rRR", "@m.txt", "--moves @m.txt", ">>→", "--after=>>>"]
        {
            let same = place.run(&format!("{command} a.xsb {given}"));
            assert_eq!((&same.out, same.code), (&short.out, short.code), "{command} {given}");
        }
        let piped = place.fed(&format!("{command} a.xsb -"), "rRR");
        assert_eq!(piped.out, short.out, "{command}");
        place.run(&format!("{command} a.xsb m.txt")).ends(2).complains("did you mean `@m.txt`?");
    }
}

#[test]
fn no_tip_leads_astray() {
    let place = TestFolder::new().with("a.xsb", EASY);
    for line in ["solve a.xsb --output b", "hint a.xsb --thorough", "solve a.xsb --fast"] {
        let said = place.run(line).ends(2);
        assert!(!said.err.contains("tip:"), "{}", said.err);
    }
    place.run("solve a.xsb --tmeout 3").ends(2).complains("--timeout");
}

/// As Advent of Code gives it: what is asked is where the instructions lead.
#[test]
fn instructions_are_followed_where_a_file_asks_for_nothing_else() {
    let place = TestFolder::new();
    let input = "#######\n#.....#\n#.@O..#\n#.....#\n#######\n\n>>v<\n^\n";
    place.write("input.txt", input);
    let said = place.run("input.txt").ends(0).says("score: 205").says("valid");
    said.complains("part 1").complains("--widen 1");
    place.run("input.txt --widen 1").ends(0).says("score: 207");
    place.fed("", input).ends(0).says("score: 205");
    // A pipe can be read only once.
    #[cfg(unix)]
    for (text, said) in [(input, "score: 205"), (EASY, "solved in")] {
        place.fed("/dev/stdin", text).ends(0).says(said);
    }
    // What belongs to `solve` means it.
    place.run("input.txt --timeout 60").ends(0).says("no solution has fewer instructions");
    place.run("solve input.txt").ends(0).says("no solution has fewer instructions");
}

#[test]
fn help_and_manual_have_headings() {
    let place = TestFolder::new();
    let help = place.run("solve --help").ends(0);
    for heading in ["\nLevels:", "\nOptions:", "\nSolving:", "\nLimits and output:", "\nPictures:"]
    {
        assert!(help.out.contains(heading), "{heading}\n{}", help.out);
    }
    place.run("man -o pages").ends(0);
    let page = std::fs::read_to_string(place.path("pages/unstuck-solve.1")).expect("a page");
    for heading in [".SH \"EXAMPLES\"\n.PP\n.nf\n", ".SH \"EXIT CODES\"\n", ".SH SOLVING\n"] {
        assert!(page.contains(heading), "{heading}\n{page}");
    }
    assert!(!page.contains("EXTRA"));
    let workers = page.split(".TP").find(|part| part.contains("workers")).expect("an option");
    assert!(workers.contains("Levels at the same time"), "{workers}");
    assert!(!place.has("pages/unstuck-_work.1"));
    let synopsis = page.split(".SH ").find(|part| part.starts_with("SYNOPSIS")).expect("one");
    assert!(synopsis.lines().count() < 5, "{synopsis}");
    place.run("completions").ends(2).complains("bash, elvish, fish");
}
