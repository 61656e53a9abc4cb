//! Any text as a Sokoban collection: nothing panics, and what was read survives printing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::sokoban::{Collection, Sokoban};
use unstuck_puzzles::{Options, Puzzle, PuzzleExt};

fuzz_target!(|text: &str| {
    let options = Options::default();
    let Ok(levels) = Sokoban::read(text, &options) else { return };
    for level in levels {
        let Ok(puzzle) = level.puzzle else { continue };
        assert_eq!(Sokoban::parse(&puzzle.print(), &options).as_ref(), Ok(&puzzle));
        assert_eq!(Sokoban::parse(&level.text, &options).as_ref(), Ok(&puzzle));
        assert_eq!(puzzle.facts().len(), 7);
    }
    let collection = Collection::read(text).expect("it was read before");
    let printed = collection.to_string();
    let again = Collection::read(&printed).expect("what we print can be read");
    assert_eq!(again.to_string(), printed);
    for (one, other) in collection.entries.iter().zip(&again.entries) {
        assert_eq!(one.title(), other.title());
        assert_eq!(one.solutions(), other.solutions());
        assert_eq!(one.puzzle.as_ref().ok(), other.puzzle.as_ref().ok());
    }
    assert_eq!(collection.entries.len(), again.entries.len());
});
