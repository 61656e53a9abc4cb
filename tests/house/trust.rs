//! The page on what has to be trusted says which files that are and how long they are. Both are
//! found here, by following every path in the code from the judge, so that the page cannot forget a
//! file.

use crate::project::Project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// No part that has to be trusted may be longer.
const MOST: usize = 1_500;

/// Where the judge begins.
const JUDGE: &str = "src/certificate/check.rs";

/// What the judge's code can name without that a verdict rests on it, each with the reason. Files,
/// or folders that end in `/`.
const CUTS: &[(&str, &str)] = &[
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
    ("puzzles/flow/formats.rs", "writes levels; the judge reads them only"),
    ("puzzles/flow/generate.rs", "makes levels"),
    ("puzzles/flow/picture.rs", "draws boards"),
    ("puzzles/flow/print.rs", "writes levels; the judge reads them only"),
    ("puzzles/flow/sample.rs", "makes levels for tests"),
    ("puzzles/flow/sketch.rs", "draws under a person's hand"),
    ("puzzles/flow/svg.rs", "draws boards"),
    ("puzzles/part.rs", "parts of a level, for questions"),
    ("puzzles/puzzlescript/drawing.rs", "draws boards, writes levels; the judge reads them only"),
    ("puzzles/puzzlescript/parts.rs", "parts of a level, for questions"),
    ("puzzles/puzzlescript/sample.rs", "makes levels for tests"),
    ("puzzles/resemblance.rs", "says whose fault is reported of a text that no family reads"),
    ("puzzles/session.rs", "plays under a person's hand"),
    ("puzzles/sketch.rs", "draws under a person's hand"),
    ("puzzles/snowman/generate.rs", "makes levels"),
    ("puzzles/snowman/parts.rs", "parts of a level, for questions"),
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
    ("puzzles/warehouse/picture.rs", "draws boards"),
    ("puzzles/warehouse/sample.rs", "makes levels for tests"),
    ("puzzles/text_format.rs", "writes levels; the judge reads them only"),
    ("src/advice.rs", "the way out of an error, for people"),
    ("src/atlas/position_graph.rs", "answers questions, which no certificate speaks of"),
    ("src/atlas/mod.rs", "answers questions, which no certificate speaks of"),
    ("src/backend/", "solvers, whose proofs are checked"),
    (
        "src/certificate/external_check.rs",
        "runs another checker beside ours, where that is asked for",
    ),
    ("src/closed/close.rs", "finds closed sets, which are checked"),
    ("src/formula/dimspec.rs", "writes formulas for other solvers"),
    ("src/improve/", "finds plans, which are replayed"),
    (
        "src/instance/from_end.rs",
        "finds plans, which are replayed, and bounds without certificates",
    ),
    ("src/instance/satisficing.rs", "finds plans, which are replayed"),
    ("src/invariant/", "finds invariants, whose proofs are checked"),
    ("src/laws.rs", "holds encodings to laws in tests"),
    ("src/learn/", "finds dead patterns, which are judged"),
    ("src/limits/", "can only end a check before its verdict"),
    ("src/machine.rs", "clock and threads: a check can only be delayed by them"),
    ("src/machine/", "removes what killed runs have left"),
    ("src/search/", "finds plans, which are replayed"),
    ("src/ledger/", "finds verdicts; claims are made from them and checked"),
    ("src/transition/lrat.rs", "writes proofs, which are checked"),
];

/// What the judge reaches, each with the file that first named it; and the cuts that were met.
fn reached(project: &Project) -> (BTreeMap<&str, &str>, BTreeSet<&'static str>) {
    let (judge, _) = project.0.get_key_value(JUDGE).expect("the judge");
    let mut reached = BTreeMap::from([(judge.as_str(), "")]);
    let (mut open, mut met) = (vec![judge.as_str()], BTreeSet::new());
    let gives: Vec<(&str, Vec<BTreeSet<&str>>)> =
        project.0.keys().map(|path| (path.as_str(), project.gives(path))).collect();
    loop {
        let mut found: Vec<(&str, &str)> = Vec::new();
        let next = open.pop();
        match next {
            Some(path) => found.extend(project.uses(path).into_iter().map(|used| (used, path))),
            None => {
                for (path, impls) in &gives {
                    let all = |files: &&BTreeSet<&str>| {
                        files.iter().all(|file| reached.contains_key(file))
                    };
                    let from = impls.iter().find(all).and_then(|files| files.first());
                    found.extend(from.map(|from| (*path, *from)));
                }
            }
        }
        for (used, from) in found {
            let is_in = |(cut, _): &&(&str, &str)| {
                used == *cut || (cut.ends_with('/') && used.starts_with(cut))
            };
            if let Some((cut, _)) = CUTS.iter().find(is_in) {
                met.insert(*cut);
            } else if !reached.contains_key(used) {
                reached.insert(used, from);
                open.push(used);
            }
        }
        if next.is_none() && open.is_empty() {
            return (reached, met);
        }
    }
}

/// A part of the table on the page.
struct Row {
    name: String,
    said: usize,
    /// Its files; a folder stands for what is reached in it and named in no row.
    files: Vec<String>,
}

/// The table, with files in the place of folders.
fn table(reached: &BTreeMap<&str, &str>) -> Vec<Row> {
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
    let named: BTreeSet<String> = rows.iter().flat_map(|row| row.files.clone()).collect();
    // Of folders in folders the inner one has its files.
    let home = |file: &str| {
        let folders = named.iter().filter(|it| it.ends_with('/') && file.starts_with(*it));
        folders.max_by_key(|folder| folder.len()).cloned()
    };
    for row in &mut rows {
        let inside = |entry: String| -> Vec<String> {
            if !entry.ends_with('/') {
                return vec![entry];
            }
            let files = reached.keys().filter(|file| home(file).as_ref() == Some(&entry));
            let files = files.filter(|file| !named.contains(**file));
            files.map(|file| (*file).to_owned()).collect()
        };
        row.files = std::mem::take(&mut row.files).into_iter().flat_map(inside).collect();
    }
    rows
}

#[test]
fn the_page_on_trust_leaves_nothing_out_and_counts_right() {
    let project = Project::read();
    let (reached, met) = reached(&project);
    let mut faults: Vec<String> = Vec::new();
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    let mut listed = String::new();
    for row in table(&reached) {
        let mut lines = 0;
        for file in row.files {
            listed += &format!("{}\t{file}\n", row.name);
            lines += project.0.get(&file).map_or(0, |file| file.lines);
            *rows.entry(file).or_default() += 1;
        }
        if lines >= MOST {
            faults.push(format!("{}: {lines} lines", row.name));
        }
        // Rounded up, so that the page need not follow every line.
        if row.said < lines || row.said > lines + lines / 4 + 50 {
            faults.push(format!("{}: the page says {}, but it is {lines}", row.name, row.said));
        }
    }
    for (file, from) in &reached {
        match rows.get(*file) {
            Some(1) => {}
            Some(rows) => faults.push(format!("{file} stands in {rows} rows")),
            None => {
                let lines = project.0[*file].lines;
                faults.push(format!("{file} ({lines} lines, named by {from}) is in no row"));
            }
        }
    }
    let unreached = rows.keys().filter(|file| !reached.contains_key(file.as_str()));
    faults.extend(unreached.map(|file| format!("{file} stands in a row, but is not reached")));
    let unmet = CUTS.iter().filter(|(cut, _)| !met.contains(cut));
    faults.extend(unmet.map(|(cut, _)| format!("nothing that is trusted names {cut}")));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    // `.ci/coverage` asks which lines of these files the tests run.
    if let Some(list) = std::env::var_os("UNSTUCK_TRUSTED_FILES") {
        fs::write(list, listed).expect("a list of files");
    }
}

/// Code is followed also where nothing names it: rules that a file only implements, and formats
/// behind several modules.
#[test]
fn what_is_behind_a_trait_is_reached() {
    let project = Project::read();
    let (reached, _) = reached(&project);
    for file in [
        "puzzles/sokoban/rules.rs",
        "puzzles/sokoban/slc.rs",
        "puzzles/sokoban/patterns/zone.rs",
        "puzzles/flow/read/graph.rs",
        "puzzles/constraints.rs",
        "encodings/sokoban/pushes.rs",
        "src/instance/constrained.rs",
    ] {
        assert!(reached.contains_key(file), "{file} is not reached");
    }
    for file in ["cli/lib.rs", "src/report/mod.rs", "puzzles/sokoban/generate.rs"] {
        assert!(!reached.contains_key(file), "{file} is reached");
    }
}
