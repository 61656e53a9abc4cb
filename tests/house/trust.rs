//! The page on what has to be trusted says which files that are and how long they are. Cargo shows
//! that no solver is among them, and not the library that searches: the checker is a crate that depends
//! on neither. Of that
//! crate and of the three below it each file is in one row of the table, or in a list of exceptions.

use crate::paths::{sources, without_tests};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// No part that has to be trusted may be longer.
const MOST: usize = 1_500;

/// Where the judge's code is.
const CRATES: [&str; 4] = ["check/", "encodings/", "puzzles/", "puzzlescript/"];

/// What no verdict rests on, each with the reason: files, folders that end in `/`, and files of the
/// rules that have a name in any family, which begins with `/`.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("/generate.rs", "makes levels"),
    ("/part.rs", "parts of a level, for questions"),
    ("/parts.rs", "parts of a level, for questions"),
    ("/picture.rs", "draws boards"),
    ("/sample.rs", "makes levels for tests"),
    ("/session.rs", "plays under a person's hand"),
    ("/sketch.rs", "draws under a person's hand"),
    ("/svg.rs", "draws boards"),
    ("check/advice.rs", "the way out of an error, for people"),
    ("check/formula/dimspec.rs", "writes formulas for other solvers"),
    ("check/formula/wcnf.rs", "writes formulas for other solvers"),
    ("check/lib.rs", "names the modules"),
    ("check/limits/", "can only end a check before its verdict"),
    ("check/machine.rs", "clock and threads: a check can only be delayed by them"),
    ("check/machine/", "memory, and files that are opened without waiting"),
    ("encodings/features.rs", "features guide a search for plans, which are replayed"),
    ("encodings/laws.rs", "holds encodings to laws in tests"),
    ("encodings/lib.rs", "names the modules"),
    ("encodings/pieces.rs", "what learning knows of a game; what it finds is judged"),
    ("encodings/puzzlescript/features.rs", "features guide a search for plans, which are replayed"),
    ("encodings/puzzlescript/guide.rs", "features guide a search for plans, which are replayed"),
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
    ("puzzles/flow/print.rs", "writes levels; the judge reads them only"),
    ("puzzles/lib.rs", "names the modules"),
    ("puzzles/pointing.rs", "plays under a person's hand"),
    ("puzzles/puzzlescript/drawing.rs", "draws boards, writes levels; the judge reads them only"),
    ("puzzles/resemblance.rs", "says whose fault is reported of a text that no family reads"),
    ("puzzles/sokoban/identity.rs", "names levels"),
    ("puzzles/text_format.rs", "writes levels; the judge reads them only"),
    ("puzzles/variation.rs", "makes levels"),
    ("puzzlescript/engine/session.rs", "plays under a person's hand"),
];

/// Whether a file of the rules has a name that is excepted in every family.
fn is_named(file: &str, exception: &str) -> bool {
    exception.starts_with('/') && file.starts_with("puzzles/") && file.ends_with(exception)
}

/// Whether a file is the exception.
fn is(file: &str, exception: &str) -> bool {
    match exception.ends_with('/') {
        true => file.starts_with(exception),
        false => file == exception || is_named(file, exception),
    }
}

/// The rows of the page: the name of a part, its length, and its files and folders.
fn table(page: &str) -> Vec<(&str, usize, Vec<&str>)> {
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let rows = rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let said = cells[2].replace(',', "").parse().ok()?;
        Some((cells[1], said, cells[3].split_whitespace().map(|it| it.trim_matches('`')).collect()))
    });
    rows.collect()
}

/// Lines of code: tests, comments and blank lines left aside.
fn lines_of_code(text: &str) -> usize {
    let code = without_tests(text).lines().map(str::trim);
    code.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// The judge's files, but for tests and the program, with their lines of code.
fn lengths() -> BTreeMap<String, usize> {
    let files = CRATES.into_iter().flat_map(sources).filter_map(|(path, text)| {
        let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("a file of the project");
        let is_test = path.iter().any(|it| it == "tests" || it == "tests.rs" || it == "benches");
        let name = path.iter().map(|it| it.to_string_lossy()).collect::<Vec<_>>().join("/");
        (!is_test && !text.contains("\nfn main()")).then(|| (name, lines_of_code(&text)))
    });
    files.collect()
}

#[test]
fn the_page_on_trust_leaves_nothing_out_and_counts_right() {
    let lengths = lengths();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trust.md");
    let page = fs::read_to_string(path).expect("the page");
    let rows = table(&page);
    // A folder stands for what is in it and named in no other way; of folders in folders the inner
    // one has its files.
    let places = || rows.iter().flat_map(|(_, _, places)| places.iter().copied());
    let home = |file: &str| {
        let folders = places().filter(|it| it.ends_with('/') && file.starts_with(it));
        places().find(|it| *it == file).or_else(|| folders.max_by_key(|it| it.len()))
    };
    let mut faults: Vec<String> = Vec::new();
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    // What a row names itself is excepted by no name.
    let excepted =
        |file: &str| home(file) != Some(file) && EXCEPTIONS.iter().any(|(it, _)| is(file, it));
    for file in lengths.keys().filter(|file| !excepted(file)) {
        match home(file) {
            Some(place) => files.entry(place).or_default().push(file),
            None => faults.push(format!("{file} ({} lines) is in no row", lengths[file])),
        }
    }
    let mut listed = String::new();
    for (name, said, places) in &rows {
        let mut lines = 0;
        for place in places {
            match files.remove(place) {
                Some(found) => found.into_iter().for_each(|file| {
                    listed += &format!("{name}\t{file}\n");
                    lines += lengths[file];
                }),
                None => faults.push(format!("{place} is not there, excepted, or in two rows")),
            }
        }
        if lines >= MOST {
            faults.push(format!("{name}: {lines} lines"));
        }
        // Rounded up, so that the page need not follow every line.
        if *said < lines || *said > lines + lines / 4 + 50 {
            faults.push(format!("{name}: the page says {said}, but it is {lines}"));
        }
    }
    let unmet = EXCEPTIONS.iter().filter(|(it, _)| !lengths.keys().any(|file| is(file, it)));
    faults.extend(unmet.map(|(it, _)| format!("the exception {it} is not there")));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    // `.ci/coverage` asks which lines of these files the tests run.
    if let Some(list) = std::env::var_os("UNSTUCK_TRUSTED_FILES") {
        fs::write(list, listed).expect("a list of files");
    }
}
