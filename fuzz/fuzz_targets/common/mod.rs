//! What the targets of several readers have in common.

use unstuck_puzzles::flow::Board;
use unstuck_puzzles::{Options, Puzzle, PuzzleExt, Style};

/// Reads Flow boards: nothing panics, and what was read survives printing and can be drawn.
pub fn flow(text: &str) {
    let options = Options::new(Board::OPTIONS, []).expect("defaults");
    let Ok(levels) = Board::read(text, &options) else { return };
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
}
