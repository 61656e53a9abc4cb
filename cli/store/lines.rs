//! The lines of a file that is only appended to. What has no end was torn off when its writer was
//! killed, or is being written now.

use std::io::{self, BufRead, Read};
use unstuck::machine::regular;

/// Most bytes of a line.
pub(super) const MAX_LINE_BYTES: u64 = regular::MOST;

/// Reads one whole line after the other.
pub(super) struct WholeLines<R> {
    input: R,
    line: Vec<u8>,
    /// Behind the last whole line.
    end: u64,
    /// Whole lines so far.
    count: usize,
}

/// A whole line; or the beginning of one that is longer than any.
pub(super) struct Line<'a> {
    pub start: u64,
    /// From 1.
    pub number: usize,
    pub text: &'a [u8],
}

impl<R: BufRead> WholeLines<R> {
    /// The lines of an input.
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), end: 0, count: 0 }
    }

    /// The next whole line.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub(super) fn advance(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut input = self.input.by_ref().take(MAX_LINE_BYTES + 1);
        let bytes = input.read_until(b'\n', &mut self.line)? as u64;
        if !self.line.ends_with(b"\n") && bytes <= MAX_LINE_BYTES {
            return Ok(None);
        }
        let start = self.end;
        (self.end, self.count) = (start + bytes, self.count + 1);
        Ok(Some(Line { start, number: self.count, text: &self.line }))
    }

    /// The place behind the last whole line.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// What is behind the last whole line, when there is no other.
    pub(super) fn torn(&self) -> &[u8] {
        &self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_and_what_is_torn_are_all_of_a_file() {
        for length in 0..8_u32 {
            for number in 0..1_u32 << length {
                let byte = |at: u32| if number >> at & 1 == 1 { b'\n' } else { b'a' };
                let bytes: Vec<u8> = (0..length).map(byte).collect();
                let (mut lines, mut read) = (WholeLines::new(bytes.as_slice()), Vec::new());
                while let Some(Line { start, number, text }) = lines.advance().unwrap() {
                    assert_eq!(start, read.len() as u64);
                    read.extend_from_slice(text);
                    assert_eq!(text.iter().position(|&it| it == b'\n'), Some(text.len() - 1));
                    assert_eq!(number, read.iter().filter(|&&it| it == b'\n').count());
                }
                assert_eq!(lines.end(), read.len() as u64);
                assert!(!lines.torn().contains(&b'\n'));
                assert_eq!([&read, lines.torn()].concat(), bytes);
            }
        }
    }
}
