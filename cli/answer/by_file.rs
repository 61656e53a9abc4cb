//! Tables of levels, in which each file is named once.

use crate::terminal::columns::{clear_empty, columns, shortened};
use crate::terminal::output::parent;
use crate::terminal::text::one_line;
use console::{measure_text_width, style};
use std::path::Path;

/// How wide a table may be, and a name in it.
pub(crate) const WIDTH: usize = 80;
const NAME_WIDTH: usize = 28;

/// A level in a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelRow {
    /// The file of the level.
    pub file: String,
    /// The heads of all columns.
    pub heads: Vec<String>,
    /// The number of the level, what it is called, and what is said of it.
    pub cells: Vec<String>,
    /// What stands next to the name of its file where levels of several files share a part.
    pub title: String,
    /// Whether the name of its file names it, where no other level of the file is in the table.
    pub by_its_file: bool,
}

/// The rows under the names of their files. Files that name their one row share a part of the table
/// with the others of their folder; so do rows with the same heads only. Columns from `right` are
/// flushed right; with `quiet` there are neither names of files nor heads.
pub(crate) fn by_file(rows: &[LevelRow], right: &[usize], quiet: bool) -> String {
    let files: Vec<&[LevelRow]> = rows.chunk_by(|a, b| a.file == b.file).collect();
    let folder = |file: &str| parent(Path::new(file)).to_owned();
    let beside = |a: &&[LevelRow], b: &&[LevelRow]| {
        let alike = folder(&a[0].file) == folder(&b[0].file) && a[0].heads == b[0].heads;
        alike && [a, b].iter().all(|rows| rows.len() == 1 && rows[0].by_its_file)
    };
    let parts = files.chunk_by(beside).map(|files| {
        let rows = files.iter().copied().flatten();
        let mut cells = vec![files[0][0].heads.clone()];
        let mut heading = files[0][0].file.clone();
        if files.len() > 1 {
            heading = format!("{}/", folder(&heading).display());
            cells.extend(rows.map(named_by_file));
        } else {
            cells.extend(rows.map(|row| row.cells.clone()));
        }
        clear_empty(&mut cells);
        shorten_names(&mut cells);
        match quiet {
            true => columns(&cells[1..], right),
            false => format!("{}\n{}", one_line(&heading), columns(&cells, right)),
        }
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// A verdict, in colour where standard output takes it.
pub(crate) fn painted(verdict: &str, exit: u8) -> String {
    let verdict = style(verdict);
    let painted = match exit {
        0 => verdict.green(),
        30 => verdict.yellow(),
        _ => verdict.red(),
    };
    painted.to_string()
}

/// The cells of a row that is known by its file.
fn named_by_file(row: &LevelRow) -> Vec<String> {
    let file = Path::new(&row.file).file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{}  {}", one_line(&file), row.title);
    let name = name.trim_end().to_owned();
    [&[String::new(), name], &row.cells[2..]].concat()
}

/// Shortens the names, the second column, until the table fits the width.
fn shorten_names(cells: &mut [Vec<String>]) {
    let widest =
        |at: usize| cells.iter().map(|row| measure_text_width(&row[at])).max().unwrap_or(0);
    let others = (0..cells[0].len()).filter(|&at| at != 1).map(widest).filter(|&width| width > 0);
    let taken: usize = others.map(|width| width + 2).sum();
    let room = WIDTH.saturating_sub(taken).clamp(5, NAME_WIDTH);
    for row in cells {
        row[1] = shortened(&row[1], room);
    }
}
