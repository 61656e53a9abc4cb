//! Columns of text.

use console::{Alignment, measure_text_width, pad_str, truncate_str};
use std::fmt::Write;

/// What stands at the end of a text where something is left out.
pub(crate) const DOTS: &str = "...";

/// As much of a text as fits into this number of columns.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    truncate_str(text, most, DOTS).into_owned()
}

/// Columns of text, each as wide as its widest cell; those from `right` on are flushed right.
pub(crate) fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| {
        rows.iter().filter_map(|row| row.get(at)).map(|cell| measure_text_width(cell)).max()
    };
    let widths: Vec<usize> = (0..count).map(|at| width(at).unwrap_or(0)).collect();
    rows.iter().fold(String::new(), |mut text, row| {
        let cell = |(at, cell): (usize, &String)| {
            let side = if right.contains(&at) { Alignment::Right } else { Alignment::Left };
            pad_str(cell, widths[at], side, None).into_owned()
        };
        let cells = row.iter().enumerate().filter(|(at, _)| widths[*at] > 0).map(cell);
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        text
    })
}

/// Clears the heads of columns with nothing else: they say nothing.
pub(crate) fn clear_empty(rows: &mut [Vec<String>]) {
    let empty = |at: usize| rows[1..].iter().all(|row| row[at].is_empty());
    for at in (0..rows[0].len()).filter(|&at| empty(at)).collect::<Vec<_>>() {
        rows[0][at].clear();
    }
}

/// A number where it is known.
pub(crate) fn figure(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "?".to_owned(), |number| number.to_string())
}
