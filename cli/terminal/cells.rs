//! Tables as CSV, for spreadsheets and programs.

use csv::{ErrorKind, Writer};
use std::io::{self, Write};

/// A table that is written row by row.
pub(crate) struct Table<W: Write>(Writer<W>);

impl<W: Write> Table<W> {
    pub(crate) fn new(out: W) -> Self {
        Self(Writer::from_writer(out))
    }

    /// Writes a row. A text that a spreadsheet would take for a formula gets a `'` in front.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn row(
        &mut self,
        cells: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> io::Result<()> {
        let cells = cells.into_iter().map(|cell| tame(cell.as_ref()));
        self.0.write_record(cells).map_err(|error| match error.into_kind() {
            // Whether a reader went away is asked of it.
            ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    }

    /// Ends the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Numbers stay as they are, with their sign.
fn tame(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe whose reader went away.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_went_away_is_known_as_such() {
        let mut table = Table::new(Closed);
        let written = (0..10_000).try_for_each(|_| table.row(["some", "cells"]));
        assert_eq!(written.map_err(|error| error.kind()), Err(io::ErrorKind::BrokenPipe));
    }

    #[test]
    fn no_cell_is_a_formula() {
        let mut out = Vec::new();
        let mut table = Table::new(&mut out);
        table
            .row(["=1+2", "+a", "-cmd", "@x", "\t=1", "\r=1", "-1.5", "a=b", "", "a,\"b\"\nc"])
            .unwrap();
        table.end().unwrap();
        let text = String::from_utf8(out).unwrap();
        let cells = "'=1+2,'+a,'-cmd,'@x,'\t=1,\"'\r=1\",-1.5,a=b,,\"a,\"\"b\"\"\nc\"\n";
        assert_eq!(text, cells);
    }
}
