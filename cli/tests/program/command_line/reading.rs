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
fn ambiguous_files_are_described() {
    let place = TestFolder::new();
    place.write("letter.txt", "Dear reader,\nthis is no level at all.\n");
    let printed = place.run("solve letter.txt").ends(2).complains("cannot tell which puzzle");
    let printed = printed.complains("2 lines, up to 24 wide, mostly words");
    for family in ["sokoban", "flow", "sokobond", "snowman", "warehouse", "puzzlescript"] {
        assert!(printed.err.contains(&format!("not {family}:")), "{}", printed.err);
    }
    assert!(printed.err.contains("--puzzle"));
    place.write("empty.txt", "");
    place.run("list empty.txt").ends(2).complains("it is empty");
    std::fs::write(place.path("binary"), [0_u8, 1, 2, 255]).expect("written");
    place.run("list binary").ends(2).complains("not text");
    place.run_with(&["solve", "-"], EASY).ends(0);
}
