//! Pictures of every family: SVG, PNG, films.

use super::{EASY, TestFolder, own};
use serde_json::Value;
use std::fs;

/// A level of each family, in a folder of its name.
const LEVELS: [&str; 5] = [
    "sokoban/pantry.xsb",
    "sokobond/water.sokobond",
    "snowman/first-snowman.snowman",
    "warehouse/first-box.warehouse",
    "flow/first-paths.txt",
];

#[test]
fn every_family_is_drawn_at_its_start_and_at_its_end() {
    let place = TestFolder::new();
    for name in LEVELS {
        let (level, family) = (own(name), name.split('/').next().expect("a folder"));
        let start = format!("list {level} --puzzle {family} -q --svg s.svg --png s.png --force");
        place.run(&start).ends(0);
        let end = format!("solve {level} --puzzle {family} -q --svg e.svg --png e.png --force");
        place.run(&end).ends(0);
        let (first, last) = (place.read("s.svg"), place.read("e.svg"));
        assert_ne!(first, last, "{family}: nothing happened");
        for svg in [first, last] {
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{family}");
            assert!(svg.contains("viewBox") && !svg.contains("<text"), "{family}: needs a font");
        }
        for png in ["s.png", "e.png"] {
            let bytes = fs::read(place.path(png)).expect("written");
            assert!(bytes.starts_with(b"\x89PNG\r\n") && bytes.len() > 500, "{family} {png}");
        }
    }
}

/// The pictures of a page that shows a solution: the moves made, and the picture.
fn film(page: &str) -> Vec<(u64, String)> {
    let (_, rest) = page.split_once("<script id=\"frames\"").expect("the pictures");
    let (_, rest) = rest.split_once('>').expect("an element");
    let (json, _) = rest.split_once("</script>").expect("its end");
    let packed: Value = serde_json::from_str(json).expect("JSON");
    let line = |at: &Value| packed["lines"][at.as_u64().expect("a number") as usize].as_str();
    let frames = packed["frames"].as_array().expect("pictures");
    let picture = |frame: &Value| {
        let lines = frame[1].as_array().expect("lines").iter();
        let lines: Vec<&str> = lines.map(|at| line(at).expect("a line")).collect();
        (frame[0].as_u64().expect("moves"), lines.join("\n"))
    };
    frames.iter().map(picture).collect()
}

#[test]
fn a_page_shows_the_solution_of_every_family_and_replaces_nothing() {
    let place = TestFolder::new();
    for name in LEVELS {
        let level = own(name);
        place.run(&format!("solve {level} --html page.html --force")).ends(0).says("solved");
        let page = place.read("page.html");
        assert!(page.starts_with("<!doctype html>") && !page.contains("{{"), "{name}");
        // It fetches nothing, and leads to where it comes from.
        let home = format!("<a href=\"{}\">", env!("CARGO_PKG_REPOSITORY"));
        assert_eq!(page.matches(&home).count(), 1, "{name}");
        let rest = page.replace(&home, "");
        for elsewhere in [" src=", "href=", "url(", "@import", "http-equiv=\"refresh"] {
            assert!(!rest.contains(elsewhere), "{name}: {elsewhere}");
        }
        let film = film(&page);
        if !name.starts_with("flow/") {
            place.run(&format!("solve {level} -q --svg end.svg --force")).ends(0);
            assert!(film.len() > 2 && film[0].0 == 0, "{name}");
            assert!(film.windows(2).all(|pair| pair[0].0 < pair[1].0), "{name}");
            assert!(film.iter().all(|(_, picture)| picture.starts_with("<svg")), "{name}");
            let end = place.read("end.svg");
            assert_eq!(film.last().expect("an end").1.trim_end(), end.trim_end(), "{name}");
        } else {
            assert!(film.is_empty() && page.contains("<svg"), "{name}");
        }
        place.run(&format!("solve {level} --html page.html")).ends(2).complains("--force");
        assert_eq!(place.read("page.html"), page);
    }
}

#[test]
fn a_page_is_made_of_solutions_and_of_replayed_moves() {
    let place = TestFolder::new();
    place.write("one.xsb", EASY).write("none.xsb", "#####\n#$ .#\n#@  #\n#####\n");
    place.run("solve one.xsb --html one.html").ends(0);
    assert!(place.read("one.html").contains("no solution has fewer pushes"));
    place.run("replay one.xsb R --html two.html").ends(0);
    assert!(place.read("two.html").contains("valid: solved in 1 move and 1 push"));
    place.run("solve none.xsb --html none.html").ends(20).says("unsolvable");
    assert!(!place.has("none.html"));
    let printed = place.run("solve one.xsb --html -").ends(0);
    assert!(printed.out.starts_with("<!doctype html>") && printed.out.ends_with("</html>\n"));
}

#[test]
fn each_stage_can_have_a_file_of_its_own() {
    let place = TestFolder::new();
    let level = own("sokoban/pantry.xsb");
    place.run(&format!("solve {level} -q --svg stage-{{n}}.svg")).ends(0);
    let stages = (0..7).map(|n| place.read(&format!("stage-{n}.svg"))).collect::<Vec<_>>();
    assert!(stages.windows(2).all(|pair| pair[0] != pair[1]), "start, pushes, end");
    assert!(!place.has("stage-8.svg"));
}

#[test]
fn both_solutions_of_a_flow_board_stand_side_by_side() {
    let place = TestFolder::new().with("two.flow", "A..\n...\n..A\n");
    let printed = place.run("solve two.flow --svg two.svg").ends(0);
    printed.says("solution 1").says("solution 2").says("where they differ");
    assert_eq!(place.read("two.svg").matches("<svg ").count(), 3);
}

/// Width, height and number of pictures of a GIF, by its blocks.
fn gif(bytes: &[u8]) -> (u16, u16, usize) {
    assert!(bytes.starts_with(b"GIF89a"));
    let side = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let controls = bytes.windows(3).filter(|block| *block == [0x21, 0xF9, 0x04]).count();
    (side(6), side(8), controls)
}

#[test]
fn plans_and_replays_become_films() {
    let place = TestFolder::new().with("a.xsb", EASY);
    let level = own("sokoban/pantry.xsb");
    place.run(&format!("solve {level} -q --film p.gif")).ends(0);
    let (width, height, pictures) = gif(&fs::read(place.path("p.gif")).expect("written"));
    assert!(width > 100 && height > 100);
    assert_eq!(pictures, 27, "the start and each of 26 moves");
    place.run("replay a.xsb R --film a.png --speed 2").ends(0);
    let bytes = fs::read(place.path("a.png")).expect("written");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.windows(4).any(|chunk| chunk == b"acTL"));
    place.run(&format!("solve {level} -q --film p.png")).ends(0);
    let bytes = fs::read(place.path("p.png")).expect("written");
    assert_eq!(bytes.windows(4).filter(|chunk| *chunk == b"fcTL").count(), 27);
    // A game that is not solved can be filmed too.
    place.run(&format!("replay {level} uL --film half.gif")).ends(1);
    assert!(place.has("half.gif"));
}

#[test]
fn long_runs_become_films_of_a_minute() {
    let place = TestFolder::new();
    let side = 20;
    let mut rows = vec!["#".repeat(side)];
    rows.extend((2..side).map(|_| format!("#{}#", ".".repeat(side - 2))));
    rows.push("#".repeat(side));
    rows[1].replace_range(1..2, "@");
    rows[5].replace_range(5..6, "O");
    let instructions = ">".repeat(8) + &"v".repeat(8) + &"<".repeat(8) + &"^".repeat(8);
    let text = format!("{}\n\n{}\n", rows.join("\n"), instructions.repeat(90));
    place.write("long.warehouse", &text);
    place.run("replay long.warehouse -q --film long.gif").ends(0);
    let (_, _, pictures) = gif(&fs::read(place.path("long.gif")).expect("written"));
    assert!((1000..=1201).contains(&pictures), "{pictures} pictures of 2,880 instructions");
}
