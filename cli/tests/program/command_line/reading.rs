//! What is read, and what is reported of files that are not.

use super::{EASY, TestFolder};

#[test]
fn levels_of_other_programs_are_read_from_xml() {
    let place = TestFolder::new();
    let xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<SokobanLevels>\n<Title>Few</Title>\n\
               <LevelCollection Copyright=\"us\">\n<Level Id=\"One\">\n<L>#####</L>\n<L>#@$.#</L>\n\
               <L>#####</L>\n</Level>\n<Level Id=\"Two\">\n<L>#####</L>\n<L>#@$$#</L>\n\
               <L>#####</L>\n</Level>\n</LevelCollection>\n</SokobanLevels>\n";
    // By its extension and by its content.
    for name in ["few.slc", "few.xml"] {
        place.write(name, xml);
        place.run(&format!("solve {name} -l One")).ends(0).says("R\n").says("1 push");
        place.run(&format!("list {name} -l One")).ends(0).says("One");
        place.run(&format!("solve {name}")).ends(2).complains(&format!("{name}:1"));
    }
    place.write("broken.slc", "<SokobanLevels><Level>");
    place.run("solve broken.slc").ends(2).complains("broken XML");
}

#[test]
fn capital_walls_of_sokobond_are_read_with_a_warning() {
    let place = TestFolder::new();
    place
        .write("small.sokobond", "xxxxx\nx-hHx\nxxxxx\n")
        .write("big.sokobond", "XXXXX\nX-hHX\nXXXXX\n");
    let small = place.run("solve small.sokobond").ends(0);
    let big = place.run("solve big.sokobond").ends(0);
    assert_eq!(small.out, big.out);
    assert!(!small.err.contains("warning") && big.err.contains("`X` was read as a wall"));
}

#[test]
fn files_of_other_kinds_are_named_with_what_helps() {
    let place = TestFolder::new();
    let page = "<html><body><script>sourceCode=\"title a\\n\\nOBJECTS\\n\\nWINCONDITIONS\\n\\n\";\
                compile([\"restart\"],sourceCode);</script></body></html>";
    place.write("game.html", page);
    place.run("solve game.html").ends(2).complains("a PuzzleScript game as a page: save its text");
    place.write("some.ssx", "<SokobanLibrary><Puzzle><Row>~~~</Row></Puzzle></SokobanLibrary>");
    place.run("solve some.ssx").ends(2).complains("a library of SokoSolve, which is not read");
    let letters = "######\n#&B. #\n#X   #\n######\n";
    place.write("letters.txt", letters);
    place.run("solve letters.txt").ends(2).complains("write $, * and @, and name it");
    let printed = place.run("solve letters.txt --puzzle sokoban").ends(2);
    printed.complains("`&` is not on Sokoban boards").complains("write $, * and @");
    let changed = letters.replace('B', "$").replace('X', "*").replace('&', "@");
    place.write("letters.txt", &changed);
    place.run("solve letters.txt --puzzle sokoban").ends(0);
    let address = "https://puzz.link/p?numlin/2/2/1122";
    let printed = place.run(&format!("solve {address}")).ends(2);
    printed.complains("addresses are not fetched").complains("| unstuck solve -`");
    place.fed("solve -", address).ends(0);
    place.run("solve https://example.org/levels.xsb").ends(2).complains("save the level as a file");
}

#[test]
fn games_whose_lines_end_as_on_old_macs_are_read_as_their_engine_reads_them() {
    let place = TestFolder::new();
    let game = place_text("puzzlescript/push.puzzlescript");
    place.write("old.puzzlescript", &game.replace('\n', "\r"));
    place.write("old.txt", &game.replace('\n', "\r")).write("old.xsb", &EASY.replace('\n', "\r"));
    place.run("solve old.puzzlescript").ends(2).complains("carriage returns alone");
    place.run("solve old.txt").ends(2).complains("carriage returns alone");
    place.run("solve old.xsb").ends(0).says("1 push");
    place.write("new.puzzlescript", &game.replace('\n', "\r\n"));
    place.run("solve new.puzzlescript -l 1").ends(0);
}

fn place_text(level: &str) -> String {
    std::fs::read_to_string(super::own(level)).expect("an own level")
}

#[test]
fn recorded_games_of_reverse_play_are_not_checked() {
    let place = TestFolder::new();
    let level = "#######\n#@ $ .#\n#######\n";
    place.write("a.sok", &format!("{level}\nSolution\n[rr]LLlu\n"));
    let printed = place.run("solve a.sok --compare").ends(0);
    let printed = printed.says("recorded [rr]LLlu: not checked: ").says("from reverse play");
    assert!(!printed.out.contains("wrong"), "{}", printed.out);
    let printed = place.run("replay a.sok").ends(2).complains("is not checked");
    printed.complains("no recorded solution");
    place.write("b.sok", &format!("{level}\nSolution\n[rr]LLlu\n\nSolution\nrRR\n"));
    place.run("replay b.sok").ends(0).says("valid").complains("is not checked");
    place.run("solve b.sok --compare").ends(0).says("right and shortest").says("not checked");
}

#[test]
fn ambiguous_files_are_described() {
    let place = TestFolder::new().with("letter.txt", "Dear reader,\nthis is no level at all.\n");
    let printed = place.run("solve letter.txt").ends(2).complains("cannot tell which puzzle");
    let printed = printed.complains("2 lines, up to 24 wide, mostly words");
    for family in ["sokoban", "flow", "sokobond", "snowman", "warehouse", "puzzlescript"] {
        assert!(printed.err.contains(family), "{}", printed.err);
    }
    assert!(printed.err.contains("--puzzle"));
    place.write("empty.txt", "");
    place.run("list empty.txt").ends(2).complains("it is empty");
    std::fs::write(place.path("binary"), [0_u8, 1, 2, 255]).expect("written");
    place.run("list binary").ends(2).complains("not text");
    place.fed("solve -", EASY).ends(0);
}
