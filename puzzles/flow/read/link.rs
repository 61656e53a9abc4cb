//! Addresses of the puzzle site puzz.link (and pzv.jp before it, and pzprxs): `numlin/W/H/body`.
//!
//! These sites play the Numberlink of Nikoli: cells may stay empty, and nothing is said of a path
//! that lies beside itself.
//!
//! The body lists the cells row by row: a digit 0 to f is a number, `-` begins one of two hex
//! digits, `+` one of three, and g to z skip 1 to 20 blank cells. `.` is a number that the puzzle
//! leaves open.

use super::super::board::{Board, Touch};
use super::super::builder::{BoardError, Builder, fits};
use crate::error::ParseError;
use crate::level::Level;

const MARK: &str = "numlin/";

/// Whether every line that is not blank is such an address.
pub(crate) fn is_link(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| line.contains(MARK))
}

pub(super) fn read(text: &str) -> Vec<Level<Board>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| Level::new(index + 1, format!("{line}\n"), board(line, index + 1)))
        .collect()
}

fn board(line: &str, number: usize) -> Result<Board, ParseError> {
    let whole = |message: String| {
        ParseError::at(number, 0, message).help("an address ends in `numlin/width/height/cells`")
    };
    let start = line.find(MARK).unwrap_or(0) + MARK.len();
    let mut parts = line[start..].trim_end().split('/').peekable();
    // Some addresses have a part with switches, such as `v:`, before the size.
    parts.next_if(|part| part.contains(':'));
    let mut size = || parts.next().and_then(|part| part.parse::<usize>().ok());
    let (Some(width), Some(height)) = (size(), size()) else {
        return Err(whole("this address has no width and height".to_owned()));
    };
    let Some(body) = parts.next() else {
        return Err(whole("this address has no cells".to_owned()));
    };
    let before = line[..body.as_ptr() as usize - line.as_ptr() as usize].chars().count();
    let refused = |fault: BoardError| ParseError { help: fault.help, ..whole(fault.message) };
    fits(width, height).map_err(refused)?;
    // The address says a size; only cells that are there make a board of it.
    let mut termini = Vec::new();
    let mut cell = 0;
    let symbols: Vec<char> = body.chars().collect();
    let mut at = 0;
    while let Some(&symbol) = symbols.get(at) {
        let here = |message: String| ParseError::at(number, before + at + 1, message);
        let digits = match symbol {
            'g'..='z' => {
                cell += symbol as usize - 'f' as usize;
                at += 1;
                continue;
            }
            '.' => {
                let message = "a number that is left open cannot be solved for".to_owned();
                return Err(here(message).help("give the number in place of `.`"));
            }
            '-' => 2,
            '+' => 3,
            _ => 1,
        };
        let from = if digits == 1 { at } else { at + 1 };
        let text: String = symbols[from..].iter().take(digits).collect();
        let hex = text.len() == digits && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
        let value = u32::from_str_radix(&text, 16).ok().filter(|_| hex);
        let Some(value) = value else {
            return Err(here(format!("`{symbol}{text}` is no number of this format")));
        };
        if cell >= width * height {
            return Err(here(format!("more cells than {width} x {height}")));
        }
        termini.push((value.to_string(), cell, before + at + 1));
        cell += 1;
        at = from + digits;
    }
    if cell != width * height {
        return Err(whole(format!("{cell} cells, not {width} x {height}")));
    }
    let mut builder = Builder::square(width, height).map_err(refused)?;
    for (label, cell, column) in termini {
        let put = builder.terminus(label, (cell / width, cell % width));
        put.map_err(|fault| ParseError::at(number, column, fault.message))?;
    }
    builder.touch(Touch::Allow).cover(false).build().map_err(refused)
}
