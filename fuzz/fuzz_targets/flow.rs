//! Any text as Flow boards, in each of the formats: nothing panics, and what was read survives
//! printing. The first number steers the text into one of the readers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_puzzles::flow::Board;
use unstuck_puzzles::{Options, Puzzle, Style};

const HEADS: [&str; 8] = [
    "",
    "STANDARD\n",
    "HEX\n",
    "WARPS\n",
    "shape: square\n\n",
    "shape: hex\n\n",
    "https://puzz.link/p?numlin/4/4/",
    "{\"nodes\":[\"a\",\"b\",\"c\",\"d\"],\"edges\":[[\"a\",\"b\"],[\"b\",\"c\"]],\"pairs\":",
];

fuzz_target!(|input: (u8, &str)| {
    let (head, text) = input;
    let text = format!("{}{text}", HEADS[usize::from(head) % HEADS.len()]);
    let options = Options::new(Board::OPTIONS, []).expect("defaults");
    let Ok(levels) = Board::read(&text, &options) else { return };
    for level in levels {
        let Ok(board) = level.puzzle else { continue };
        let printed = board.print();
        let again = Board::parse(&printed, &options);
        assert_eq!(again.as_ref(), Ok(&board), "{printed}");
        assert_eq!(Board::parse(&level.text, &options).as_ref(), Ok(&board));
        for style in [Style::Plain, Style::Unicode { color: true }, Style::Svg] {
            assert!(board.picture(None, style).is_some());
        }
    }
});
