//! Puzzles written in every format that a family has, and read again.

use unstuck::registry::{FAMILIES, Family, ParsedPuzzle};
use unstuck_puzzles::{Options, text_format::TextFormat};

const SAMPLES: u64 = 150;

/// Formats that give other names to what they hold.
const RENAME: [&str; 2] = ["puzz.link address", "JSON graph"];

fn read_again(family: &Family, written: &TextFormat) -> ParsedPuzzle {
    let none: [(&str, &str); 0] = [];
    let options = Options::new(family.options, none).expect("no options");
    let text = &written.text;
    let mut levels = (family.read)(text, &options).unwrap_or_else(|e| panic!("{text}\n{e}"));
    assert_eq!(levels.len(), 1, "{}:\n{text}", written.name);
    levels.remove(0).puzzle.unwrap_or_else(|e| panic!("{}:\n{text}\n{e}", written.name))
}

#[test]
fn every_format_reads_back_as_the_same_puzzle() {
    for family in FAMILIES {
        let mut seen: Vec<&str> = Vec::new();
        for seed in 0..SAMPLES {
            let formats = (family.sample)(seed).formats();
            for written in &formats {
                seen.push(written.name);
                let again = read_again(family, written).formats();
                let same = again.iter().find(|it| it.name == written.name);
                assert_eq!(same, Some(written), "{} {seed}", family.name);
                if !RENAME.contains(&written.name) {
                    let (own, before) = (&again[0].text, &formats[0].text);
                    assert_eq!(own, before, "{} {seed} as {}", family.name, written.name);
                }
            }
        }
        seen.sort_unstable();
        seen.dedup();
        let expected: &[&str] = match family.name {
            "sokoban" => &["XSB", "run lengths"],
            "sokobond" => &["second format (v2)", "unstuck's own format"],
            "snowman" => &["published legend", "the author's legend"],
            "warehouse" => &["unstuck's own format"],
            "puzzlescript" => &["PuzzleScript"],
            _ => &[
                "JSON graph",
                "drawing",
                "puzz.link address",
                "rows with their size",
                "unstuck's own format",
            ],
        };
        assert_eq!(seen, expected, "{}", family.name);
    }
}
