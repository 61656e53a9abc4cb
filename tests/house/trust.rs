//! The page on what has to be trusted says which files that are and how long they are. Cargo shows
//! that no search and no solver is among them: the checker is a crate that depends on none. Of that
//! crate and of the three below it each file is in one row of the table, or in a list of exceptions.

use crate::project::Project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// No part that has to be trusted may be longer.
const MOST: usize = 1_500;

/// Where the judge's code is.
const CRATES: [&str; 4] = ["check/", "encodings/", "puzzles/", "puzzlescript/"];

/// What no verdict rests on, each with the reason. Files, or folders that end in `/`.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("check/advice.rs", "the way out of an error, for people"),
    ("check/formula/dimspec.rs", "writes formulas for other solvers"),
    ("check/lib.rs", "names the modules"),
    ("check/limits/", "can only end a check before its verdict"),
    ("check/machine.rs", "clock and threads: a check can only be delayed by them"),
    ("check/machine/", "memory, and files that are opened without waiting"),
    ("encodings/features.rs", "features guide a search for plans, which are replayed"),
    ("encodings/laws.rs", "holds encodings to laws in tests"),
    ("encodings/lib.rs", "names the modules"),
    ("encodings/pieces.rs", "what learning knows of a game; what it finds is judged"),
    ("encodings/puzzlescript/machine/board.rs", "plays turns for search, whose plans are replayed"),
    ("encodings/puzzlescript/machine/play.rs", "plays turns for search, whose plans are replayed"),
    (
        "encodings/puzzlescript/machine/program.rs",
        "plays turns for search, whose plans are replayed",
    ),
    ("encodings/sokoban/features/", "features guide a search for plans, which are replayed"),
    ("encodings/sokoban/pieces.rs", "what learning knows of a game; what it finds is judged"),
    (
        "encodings/sokoban/pulls/",
        "finds plans, which are replayed, and bounds without certificates",
    ),
    ("puzzles/built_in.rs", "levels that come along"),
    ("puzzles/flow/formats.rs", "writes levels; the judge reads them only"),
    ("puzzles/flow/generate.rs", "makes levels"),
    ("puzzles/flow/picture.rs", "draws boards"),
    ("puzzles/flow/print.rs", "writes levels; the judge reads them only"),
    ("puzzles/flow/sample.rs", "makes levels for tests"),
    ("puzzles/flow/sketch.rs", "draws under a person's hand"),
    ("puzzles/flow/svg.rs", "draws boards"),
    ("puzzles/lib.rs", "names the modules"),
    ("puzzles/part.rs", "parts of a level, for questions"),
    ("puzzles/pointing.rs", "plays under a person's hand"),
    ("puzzles/puzzlescript/drawing.rs", "draws boards, writes levels; the judge reads them only"),
    ("puzzles/puzzlescript/parts.rs", "parts of a level, for questions"),
    ("puzzles/puzzlescript/sample.rs", "makes levels for tests"),
    ("puzzlescript/engine/session.rs", "plays under a person's hand"),
    ("puzzles/resemblance.rs", "says whose fault is reported of a text that no family reads"),
    ("puzzles/session.rs", "plays under a person's hand"),
    ("puzzles/sketch.rs", "draws under a person's hand"),
    ("puzzles/snowman/generate.rs", "makes levels"),
    ("puzzles/snowman/parts.rs", "parts of a level, for questions"),
    ("puzzles/snowman/picture.rs", "draws boards"),
    ("puzzles/snowman/sample.rs", "makes levels for tests"),
    ("puzzles/sokoban/generate.rs", "makes levels"),
    ("puzzles/sokoban/identity.rs", "names levels"),
    ("puzzles/sokoban/parts.rs", "parts of a level, for questions"),
    ("puzzles/sokoban/picture.rs", "draws boards"),
    ("puzzles/sokoban/sample.rs", "makes levels for tests"),
    ("puzzles/sokobond/generate.rs", "makes levels"),
    ("puzzles/sokobond/picture.rs", "draws boards"),
    ("puzzles/sokobond/sample.rs", "makes levels for tests"),
    ("puzzles/svg.rs", "draws boards"),
    ("puzzles/text_format.rs", "writes levels; the judge reads them only"),
    ("puzzles/warehouse/picture.rs", "draws boards"),
    ("puzzles/warehouse/sample.rs", "makes levels for tests"),
];

/// A part of the table on the page.
struct Row {
    name: String,
    said: usize,
    /// Its files; a folder stands for what is in it and named elsewhere neither here nor in
    /// [`EXCEPTIONS`].
    files: Vec<String>,
}

/// The rows of the page, with files in the place of folders, and the exceptions in the same form.
fn table(project: &Project) -> (Vec<Row>, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trust.md");
    let page = fs::read_to_string(path).expect("the page");
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let rows = rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let said = cells[2].replace(',', "").parse().ok()?;
        let files = cells[3].split_whitespace().map(|file| file.trim_matches('`').to_owned());
        Some(Row { name: cells[1].to_owned(), said, files: files.collect() })
    });
    let mut rows: Vec<Row> = rows.collect();
    let excepted = EXCEPTIONS.iter().map(|(place, _)| (*place).to_owned());
    let named: BTreeSet<String> =
        rows.iter().flat_map(|row| row.files.clone()).chain(excepted.clone()).collect();
    // Of folders in folders the inner one has its files.
    let home = |file: &str| {
        let folders = named.iter().filter(|it| it.ends_with('/') && file.starts_with(*it));
        folders.max_by_key(|folder| folder.len())
    };
    let inside = |entry: String| -> Vec<String> {
        if !entry.ends_with('/') {
            return vec![entry];
        }
        let files = project.0.keys().filter(|file| home(file) == Some(&entry));
        files.filter(|file| !named.contains(*file)).cloned().collect()
    };
    for row in &mut rows {
        row.files = std::mem::take(&mut row.files).into_iter().flat_map(inside).collect();
    }
    let excepted = excepted.flat_map(inside).collect();
    (rows, excepted)
}

#[test]
fn the_page_on_trust_leaves_nothing_out_and_counts_right() {
    let project = Project::read();
    let (rows, excepted) = table(&project);
    let mut faults: Vec<String> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut listed = String::new();
    for row in &rows {
        let mut lines = 0;
        for file in &row.files {
            listed += &format!("{}\t{file}\n", row.name);
            lines += project.0.get(file).map_or(0, |file| file.lines);
        }
        if lines >= MOST {
            faults.push(format!("{}: {lines} lines", row.name));
        }
        // Rounded up, so that the page need not follow every line.
        if row.said < lines || row.said > lines + lines / 4 + 50 {
            faults.push(format!("{}: the page says {}, but it is {lines}", row.name, row.said));
        }
    }
    for file in rows.iter().flat_map(|row| &row.files).chain(&excepted) {
        *places.entry(file).or_default() += 1;
    }
    let judged = project.0.keys().filter(|file| CRATES.iter().any(|it| file.starts_with(it)));
    for file in judged {
        match places.remove(file.as_str()) {
            Some(1) => {}
            Some(places) => faults.push(format!("{file} stands in {places} places")),
            None => faults.push(format!("{file} ({} lines) is in no row", project.0[file].lines)),
        }
    }
    faults.extend(places.keys().map(|file| format!("{file} stands in a row, but is not there")));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    // `.ci/coverage` asks which lines of these files the tests run.
    if let Some(list) = std::env::var_os("UNSTUCK_TRUSTED_FILES") {
        fs::write(list, listed).expect("a list of files");
    }
}
