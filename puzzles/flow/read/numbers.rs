//! Grids of numbers alone, in which 0 is a blank cell: as programs write them. Above the rows may stand
//! one line, `W H`, or three: how many rows, how many columns (or the other way round), how many pairs.

use crate::error::ParseError;
use crate::level::Warning;
use std::collections::BTreeSet;

/// The text of such a grid with `.` for its blank cells and empty lines for a header of three, and what
/// to say of it; `None` where it is none. All that stays keeps its place.
///
/// # Errors
/// When a header of three lines is about another board.
pub(super) fn rewritten(text: &str) -> Result<Option<(String, Vec<Warning>)>, ParseError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(grid) = Grid::of(&lines) else { return Ok(None) };
    let mut notes: Vec<Warning> = Vec::new();
    if let Some(pairs) = grid.pairs {
        let labels = grid.labels(&lines);
        if labels.len() != pairs {
            let message = format!("{pairs} pairs are announced, and {} are there", labels.len());
            return Err(ParseError::at(grid.first, 1, message)
                .help("the three lines above the board are its rows, its columns and its pairs"));
        }
        let said =
            "the three lines above the board were read as its rows, its columns and its pairs";
        notes.push(said.into());
    }
    let zeros = grid.cells(&lines).filter(|&cell| cell == "0").count();
    let is_blank = match zeros {
        0 => false,
        2 if grid.pairs.is_none() => {
            notes.push("0 stands on two cells and was read as a label; a blank cell is `.`".into());
            false
        }
        _ => {
            let cells = if zeros == 1 { "1 cell".to_owned() } else { format!("{zeros} cells") };
            notes.push(format!("0 stands on {cells} and was read as a blank cell").into());
            true
        }
    };
    let rewrite = |(at, line): (usize, &&str)| match at {
        _ if grid.rows.contains(&at) && is_blank => grid.dotted(line),
        _ if at < grid.rows.start && grid.pairs.is_some() => String::new(),
        _ => (*line).to_owned(),
    };
    let rewritten: Vec<String> = lines.iter().enumerate().map(rewrite).collect();
    Ok(Some((rewritten.join("\n") + "\n", notes)))
}

/// Where the rows of a grid of numbers are, and how they are written.
struct Grid {
    rows: std::ops::Range<usize>,
    /// Whether each cell is a word; else it is a digit.
    has_words: bool,
    /// How many pairs a header announces, and in which line, from 1.
    pairs: Option<usize>,
    first: usize,
}

impl Grid {
    /// The grid that a text is, if it is nothing else.
    fn of(lines: &[&str]) -> Option<Self> {
        let is_numbers =
            |line: &&str| line.bytes().all(|c| c.is_ascii_digit() || c == b' ' || c == b'\t');
        let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
        let begin = lines.iter().position(|line| !line.trim().is_empty())?;
        let body = &lines[begin..end];
        if !body.iter().all(|line| is_numbers(line) && !line.trim().is_empty()) {
            return None;
        }
        let number = |line: &str| line.trim().parse::<usize>().ok();
        if let [rows, columns, pairs, board @ ..] = body
            && let (Some(rows), Some(columns), Some(pairs)) =
                (number(rows), number(columns), number(pairs))
            && let Some((height, width, has_words)) = shape(board)
            && ([rows, columns] == [height, width] || [columns, rows] == [height, width])
        {
            let rows = begin + 3..end;
            return Some(Self { rows, has_words, pairs: Some(pairs), first: begin + 3 });
        }
        let sized = body.split_first().and_then(|(first, board)| {
            let mut size = first.split_whitespace().map(number);
            let (width, height, more) = (size.next()??, size.next()??, size.next());
            let (rows, columns, has_words) = shape(board)?;
            (more.is_none() && (rows, columns) == (height, width)).then_some(has_words)
        });
        let (from, has_words) = match sized {
            Some(has_words) => (begin + 1, has_words),
            None => (begin, shape(body)?.2),
        };
        Some(Self { rows: from..end, has_words, pairs: None, first: from + 1 })
    }

    fn cells<'a>(&self, lines: &[&'a str]) -> impl Iterator<Item = &'a str> {
        let has_words = self.has_words;
        let rows = lines[self.rows.clone()].to_vec();
        rows.into_iter().flat_map(move |row| -> Vec<&'a str> {
            if has_words { row.split_whitespace().collect() } else { digits(row) }
        })
    }

    fn labels<'a>(&self, lines: &[&'a str]) -> BTreeSet<&'a str> {
        self.cells(lines).filter(|&cell| cell != "0").collect()
    }

    /// A row with `.` in place of each 0.
    fn dotted(&self, row: &str) -> String {
        if !self.has_words {
            return row.replace('0', ".");
        }
        let words = row.split_inclusive([' ', '\t']);
        words
            .map(|word| if word.trim_end() == "0" { word.replace('0', ".") } else { word.into() })
            .collect()
    }
}

fn digits(row: &str) -> Vec<&str> {
    let row = row.trim();
    (0..row.len()).map(|at| &row[at..=at]).collect()
}

/// How many rows and columns a board has, and whether its cells are words.
fn shape(board: &[&str]) -> Option<(usize, usize, bool)> {
    let equal = |widths: Vec<usize>| {
        let width = *widths.first()?;
        (width > 1 && widths.iter().all(|&it| it == width)).then_some(width)
    };
    if let Some(width) = equal(board.iter().map(|row| row.split_whitespace().count()).collect()) {
        return Some((board.len(), width, true));
    }
    let is_one_word = board.iter().all(|row| row.split_whitespace().count() == 1);
    let width =
        equal(board.iter().map(|row| row.trim().len()).collect()).filter(|_| is_one_word)?;
    Some((board.len(), width, false))
}

#[cfg(test)]
mod tests {
    use crate::flow::Board;
    use crate::level::Level;
    use crate::options::Options;
    use crate::puzzle::Puzzle;

    fn read(text: &str) -> Level<Board> {
        let options = Options::new(Board::OPTIONS, []).expect("defaults");
        let mut levels = Board::read(text, &options).expect("a level");
        assert_eq!(levels.len(), 1, "{text}");
        levels.remove(0)
    }

    fn said(level: &Level<Board>) -> Vec<&str> {
        level.warnings.iter().map(|warning| warning.text.as_str()).collect()
    }

    const DOTTED: &str = "1.2\n...\n1.2\n";

    #[test]
    fn zeros_are_blank_cells_with_a_note() {
        let dotted = read(DOTTED).puzzle.expect("a board").print();
        for text in [
            "102\n000\n102\n",
            "1 0 2\n0 0 0\n1 0 2\n",
            "3 3\n102\n000\n102\n",
            "3 3\n1 0 2\n0 0 0\n1 0 2\n\n",
            "3\n3\n2\n1 0 2\n0 0 0\n1 0 2\n",
            "3\n3\n2\n102\n000\n102\n",
        ] {
            let level = read(text);
            let board = level.puzzle.as_ref().unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(board.print(), dotted, "{text}");
            let said = said(&level);
            assert!(said.contains(&"0 stands on 5 cells and was read as a blank cell"), "{said:?}");
            // What a certificate keeps says the same by itself.
            assert_eq!(read(&level.text).puzzle.expect("a board").print(), dotted, "{text}");
        }
    }

    #[test]
    fn a_header_of_three_lines_gives_rows_and_columns_in_any_order_and_the_pairs() {
        for head in ["2\n4\n2\n", "4\n2\n2\n"] {
            let level = read(&format!("{head}1 0 0 1\n2 0 0 2\n"));
            let board = level.puzzle.as_ref().expect("a board");
            let other = read("1..1\n2..2\n").puzzle.expect("a board");
            assert_eq!(board.print(), other.print());
            assert!(said(&level)[0].starts_with("the three lines above the board"));
        }
        let options = Options::new(Board::OPTIONS, []).expect("defaults");
        let fault = Board::read("2\n4\n3\n1 0 0 1\n2 0 0 2\n", &options).expect_err("other pairs");
        assert_eq!(
            (fault.line, fault.message.as_str()),
            (3, "3 pairs are announced, and 2 are there")
        );
        // A zero is no label there even where it stands on two cells.
        assert!(read("2\n2\n1\n1 0\n1 0\n").puzzle.expect("a board").print().contains('.'));
    }

    #[test]
    fn what_has_other_blank_cells_has_zeros_for_labels() {
        let level = read("0.1\n...\n0.1\n");
        assert!(level.puzzle.is_ok() && level.warnings.is_empty());
        assert!(read("0.0\n0.1\n..1\n").puzzle.is_err());
        // Two of them may be a pair.
        let level = read("001\n221\n");
        assert!(level.puzzle.is_ok());
        assert!(said(&level)[0].contains("read as a label"), "{:?}", level.warnings);
        assert!(read("112\n332\n").warnings.is_empty());
    }
}
