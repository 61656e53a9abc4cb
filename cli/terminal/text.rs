//! What may reach a terminal: text that does nothing but show itself.
//!
//! Titles, labels, file names, fields of certificates and answers of solvers were written by
//! others. An escape sequence in one of them could make a terminal show a verdict that was never given.
//! So everything that is printed becomes a [`Text`], and making one escapes every character that is
//! not printable. Only our own drawings may have colours, and nothing else.

use std::fmt;
use std::io::{self, Write};
use unstuck_puzzles::printable::escape;
pub(crate) use unstuck_puzzles::printable::{cut, one_line};

/// A text that is harmless wherever it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(String);

impl Text {
    /// A drawing of ours, which may switch colours.
    pub(crate) fn drawing(drawing: &str) -> Self {
        let mut text = Self::default();
        text.push_drawing(drawing);
        text
    }

    /// Appends a text from anywhere.
    pub(crate) fn push_str(&mut self, text: &str) {
        escape(text, &mut self.0);
    }

    /// Appends a board with the end of its last line.
    pub(crate) fn push_board(&mut self, board: &str) {
        self.push_drawing(board.trim_end_matches('\n'));
        self.push_str("\n");
    }

    /// Appends another text.
    pub(crate) fn push_text(&mut self, text: &Self) {
        self.0.push_str(&text.0);
    }

    /// Appends a drawing of ours, which may switch colours.
    pub(crate) fn push_drawing(&mut self, drawing: &str) {
        let mut parts = drawing.split('\x1b');
        self.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let rest =
                part.trim_start_matches(|c: char| matches!(c, '[' | ';') || c.is_ascii_digit());
            let colour = &part[..part.len() - rest.len()];
            match (colour.strip_prefix('['), rest.strip_prefix('m')) {
                (Some(codes), Some(rest)) if !codes.contains('[') => {
                    self.0.push_str(&format!("\x1b[{codes}m"));
                    self.push_str(rest);
                }
                _ => {
                    self.push_str("\x1b");
                    self.push_str(part);
                }
            }
        }
    }

    /// The same with the word in colour with which a line begins that is a verdict, or bad news.
    #[must_use]
    pub(crate) fn coloured(&self) -> Self {
        let colour = |line: &str| {
            let known = COLOURS.iter().find(|(word, _)| {
                let rest = line.strip_prefix(word);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            });
            match known {
                Some((word, code)) => format!("\x1b[{code}m{word}\x1b[0m{}", &line[word.len()..]),
                None => line.to_owned(),
            }
        };
        Self(self.0.split('\n').map(colour).collect::<Vec<_>>().join("\n"))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl<T: AsRef<str>> From<T> for Text {
    fn from(text: T) -> Self {
        let mut harmless = Self::default();
        harmless.push_str(text.as_ref());
        harmless
    }
}

/// Words at the beginning of a line that have a colour, each with its code.
const COLOURS: &[(&str, &str)] = &[
    ("error:", "1;31"),
    ("warning:", "1;33"),
    ("note:", "1;36"),
    ("  = help:", "1;36"),
    ("solved", "32"),
    ("valid", "32"),
    ("solvable", "32"),
    ("unsolvable", "33"),
    ("no longer solvable", "33"),
    ("no solution", "33"),
    ("unknown", "33"),
    ("interrupted", "33"),
    ("invalid", "31"),
];

/// Writes text that comes in pieces, harmless.
pub(crate) struct Harmless<W> {
    out: W,
    /// The beginning of a character whose end has not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Harmless<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn end(mut self) -> io::Result<()> {
        let left = String::from_utf8_lossy(&self.begun).into_owned();
        self.out.write_all(Text::from(&left).as_str().as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        if self.begun.is_empty() && bytes.iter().all(plain) {
            return self.out.write(bytes);
        }
        self.begun.extend_from_slice(bytes);
        let mut whole = Text::default();
        let mut left = self.begun.len();
        for chunk in self.begun.utf8_chunks() {
            whole.push_str(chunk.valid());
            left -= chunk.valid().len() + chunk.invalid().len();
            // At the end of a piece the rest of a character may still come.
            if left == 0 && chunk.invalid().len() < 4 && begins_character(chunk.invalid()) {
                left = chunk.invalid().len();
                break;
            }
            if !chunk.invalid().is_empty() {
                whole.push_str("\u{fffd}");
            }
        }
        self.begun.drain(..self.begun.len() - left);
        self.out.write_all(whole.as_str().as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether these bytes can be the beginning of a character.
fn begins_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck_puzzles::is_printable;

    #[test]
    fn nothing_that_is_printed_does_anything_to_a_terminal() {
        let text = |text: &str| Text::from(text).0;
        assert_eq!(text("a\tb\n  = help: ç界"), "a\tb\n  = help: ç界");
        assert_eq!(text("\x1b[2J\u{7}\r\u{202e}x"), "\\u001b[2J\\u0007\\u000d\\u202ex");
        assert_eq!(text("\u{e0041}"), "\\udb40\\udc41");
        assert_eq!(one_line("a\nvalid: b\tc"), "a\\nvalid: b\\tc");
    }

    #[test]
    fn json_keeps_its_value() {
        let all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let value = serde_json::json!({ all.as_str(): [all, 1, "\n"] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let shown = Text::from(&text).0;
            assert!(shown.chars().all(|c| is_printable(c) || c == '\n'));
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }

    #[test]
    fn drawings_have_colours_and_nothing_else() {
        let drawing = |text: &str| Text::drawing(text).0;
        for fine in ["\x1b[38;2;1;2;3mA\x1b[0m", "\x1b[1m\x1b[4mUsage:\x1b[0m x\n", "\x1b[m"] {
            assert_eq!(drawing(fine), fine);
        }
        for bad in
            ["\x1b[2J", "\x1b]0;m\x07", "\x1b", "\x1b[[1m", "\x1bm", "\u{9b}1m", "\x1b[1;x m"]
        {
            assert!(!drawing(bad).contains(['\x1b', '\u{9b}']), "{bad:?}");
        }
        assert_eq!(drawing("\x1b[1mA\u{202e}\x1b[2J\x1b[0m"), "\x1b[1mA\\u202e\\u001b[2J\x1b[0m");
    }

    #[test]
    fn lines_are_coloured_by_their_first_words_alone() {
        let coloured = |text: &str| Text::from(text).coloured().0;
        assert_eq!(coloured("rrU\nsolved in 3 moves"), "rrU\n\x1b[32msolved\x1b[0m in 3 moves");
        assert_eq!(
            coloured("error: a\n  = help: b"),
            "\x1b[1;31merror:\x1b[0m a\n\x1b[1;36m  = help:\x1b[0m b"
        );
        for plain in ["it is solved", "solvedness", "{\"verdict\":\"solved\"}", ""] {
            assert_eq!(coloured(plain), plain);
        }
    }

    #[test]
    fn pieces_are_joined_wherever_they_were_cut() {
        let text = "plain\nç界\u{1f600}\x1b[31m\u{202e}\u{85}end";
        let wanted = "plain\nç界\u{1f600}\\u001b[31m\\u202e\\u0085end";
        for size in 1..=text.len() {
            let mut out = Vec::new();
            let mut harmless = Harmless::new(&mut out);
            for piece in text.as_bytes().chunks(size) {
                harmless.write_all(piece).unwrap();
            }
            harmless.end().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), wanted, "{size}");
        }
        let mut out = Vec::new();
        let mut harmless = Harmless::new(&mut out);
        for piece in [&b"a\x9b1m"[..], b"\xff\xe2", b"\x80", b"b\xf0\x9f"] {
            harmless.write_all(piece).unwrap();
        }
        harmless.end().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}1m\u{fffd}\u{fffd}b\u{fffd}");
    }
}
