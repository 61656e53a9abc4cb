//! The page on what has to be trusted says which files that are and how long they are. Both are
//! found here, by following every path in the code from the judge, so that the page cannot forget a
//! file.

#[path = "common/paths.rs"]
mod paths;

use paths::{Paths, is_word, modules, tokens, word};
use proc_macro2::{Delimiter, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

/// No part that has to be trusted may be longer.
const MOST: usize = 1_500;

/// Where the judge begins.
const JUDGE: &str = "src/certificate/check.rs";

/// The crates by name, and their folders.
const CRATES: [(&str, &str); 3] =
    [("unstuck", "src"), ("unstuck_encodings", "encodings"), ("unstuck_puzzles", "puzzles")];

/// What the judge's code can name without that a verdict rests on it, each with the reason. Files,
/// or folders that end in `/`.
const CUTS: &[(&str, &str)] = &[
    ("encodings/pieces.rs", "what learning knows of a game; what it finds is judged"),
    ("encodings/sokoban/features/", "features guide a search for plans, which are replayed"),
    ("encodings/sokoban/pieces.rs", "what learning knows of a game; what it finds is judged"),
    ("puzzles/flow/formats.rs", "writes levels; the judge reads them only"),
    ("puzzles/flow/generate.rs", "makes levels"),
    ("puzzles/flow/picture.rs", "draws boards"),
    ("puzzles/flow/print.rs", "writes levels; the judge reads them only"),
    ("puzzles/flow/sample.rs", "makes levels for tests"),
    ("puzzles/flow/sketch.rs", "draws under a person's hand"),
    ("puzzles/flow/svg.rs", "draws boards"),
    ("puzzles/part.rs", "parts of a level, for questions"),
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
    ("src/instance/satisficing.rs", "finds plans, which are replayed"),
    ("src/invariant/", "finds invariants, whose proofs are checked"),
    ("src/laws.rs", "holds encodings to laws in tests"),
    ("src/learn/", "finds dead patterns, which are judged"),
    ("src/limits/", "can only end a check before its verdict"),
    ("src/machine/", "removes what killed runs have left"),
    ("src/proof/drat.rs", "turns DRAT into LRAT, which is checked"),
    ("src/search/", "finds plans, which are replayed"),
    ("src/ledger/", "finds verdicts; claims are made from them and checked"),
    ("src/transition/lrat.rs", "writes proofs, which are checked"),
];

/// A source of one of our crates.
struct File {
    own: &'static str,
    module: Vec<String>,
    /// The code without its tests.
    code: Vec<TokenTree>,
    lines: usize,
    /// The paths in its `use` items; those that are only handed on have a name that stands nowhere
    /// else in it.
    imports: Vec<Vec<String>>,
}

impl File {
    /// How often a name stands in the code.
    fn mentions(&self, name: &str) -> usize {
        fn count(code: &[TokenTree], name: &str) -> usize {
            let within = |token: &TokenTree| match token {
                TokenTree::Group(group) => {
                    count(&group.stream().into_iter().collect::<Vec<_>>(), name)
                }
                token => usize::from(is_word(token, name)),
            };
            code.iter().map(within).sum()
        }
        count(&self.code, name)
    }
}

/// All sources by their paths, and the paths by crate and module.
struct Project(BTreeMap<String, File>, HashMap<(&'static str, Vec<String>), String>);

/// The source without its module of tests.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// Lines of code: tests, comments and blank lines left aside.
fn lines_of_code(text: &str) -> usize {
    let code = without_tests(text).lines().map(str::trim);
    code.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

impl Project {
    fn read() -> Self {
        let mut files = BTreeMap::new();
        for (own, folder) in CRATES {
            for (module, text) in modules(folder) {
                let is_test = module.iter().any(|name| name == "tests" || name == "benches");
                if is_test || text.contains("fn main()") {
                    continue;
                }
                let root = Path::new(env!("CARGO_MANIFEST_DIR"));
                let place = [folder].into_iter().chain(module.iter().map(String::as_str));
                let place = place.collect::<Vec<_>>().join("/");
                let named =
                    [format!("{place}.rs"), format!("{place}/mod.rs"), format!("{place}/lib.rs")];
                let path = named.into_iter().find(|it| root.join(it).is_file()).expect("its file");
                let (code, lines) = (tokens(without_tests(&text)), lines_of_code(&text));
                let file = File { own, module, code, lines, imports: Vec::new() };
                files.insert(path, file);
            }
        }
        let of = |(path, file): (&String, &File)| ((file.own, file.module.clone()), path.clone());
        let by_module = files.iter().map(of).collect();
        let mut project = Self(files, by_module);
        let imports = |path: &String| (path.clone(), project.use_items(path));
        let imports: Vec<_> = project.0.keys().map(imports).collect();
        for (path, imports) in imports {
            project.0.get_mut(&path).expect("listed").imports = imports;
        }
        project
    }

    /// The file of a module.
    fn file(&self, own: &'static str, module: &[String]) -> Option<&str> {
        self.1.get(&(own, module.to_vec())).map(String::as_str)
    }

    /// The file in which a path ends, imports followed, and whether it ends at the module itself.
    fn found(&self, own: &'static str, path: &[String], depth: usize) -> Option<(&str, bool)> {
        let (own, path) = match path.split_first() {
            Some((first, rest)) if CRATES.iter().any(|(name, _)| name == first) => {
                (CRATES.iter().find(|(name, _)| name == first)?.0, rest)
            }
            _ => (own, path),
        };
        let deepest = (0..=path.len()).rev().find(|&to| self.file(own, &path[..to]).is_some())?;
        let file = self.file(own, &path[..deepest])?;
        let Some(name) = path.get(deepest) else { return Some((file, true)) };
        if depth < 8 {
            for target in &self.0[file].imports {
                if target.last() == Some(name) && *target != path {
                    let longer: Vec<String> =
                        target.iter().chain(&path[deepest + 1..]).cloned().collect();
                    return self.found(own, &longer, depth + 1);
                }
            }
            for glob in self.0[file].imports.iter().filter(|it| !it.is_empty()) {
                // Names that a glob brings: those that its module declares.
                if let Some((inside, true)) = self.found(own, glob, 8)
                    && inside != file
                    && self.declares(inside, name)
                {
                    return Some((inside, false));
                }
            }
        }
        Some((file, false))
    }

    /// The paths in the `use` items of a file.
    fn use_items(&self, path: &str) -> Vec<Vec<String>> {
        let file = &self.0[path];
        let mut found = Vec::new();
        let mut rest = file.code.as_slice();
        while let Some(at) = rest.iter().position(|token| is_word(token, "use")) {
            rest = &rest[at + 1..];
            let ends =
                |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ';');
            let end = rest.iter().position(ends).unwrap_or(rest.len());
            let starts = self.starts(path, false);
            let paths = Paths::in_tokens(file.own, &starts, &file.module, &rest[..end]);
            found.extend(paths.iter().map(|path| split(path)));
            rest = &rest[end..];
        }
        found
    }

    /// The names that begin a path in a file: our other crates, modules below it, and, with
    /// `imported`, modules that it imports.
    fn starts(&self, path: &str, imported: bool) -> BTreeMap<String, Vec<String>> {
        let file = &self.0[path];
        let mut starts: BTreeMap<String, Vec<String>> =
            CRATES.iter().map(|(name, _)| ((*name).to_owned(), vec![(*name).to_owned()])).collect();
        starts.remove(file.own);
        for (_, below) in self.below(path) {
            starts.insert(below.module.last().expect("a name").clone(), below.module.clone());
        }
        if imported {
            for target in &self.0[path].imports {
                if let (Some(name), Some((module, true))) =
                    (target.last(), self.found(file.own, target, 0))
                {
                    let module = &self.0[module];
                    let base = [module.own.to_owned()].into_iter().chain(module.module.clone());
                    let base = base.skip(usize::from(module.own == file.own)).collect();
                    starts.insert(name.clone(), base);
                }
            }
        }
        starts
    }

    fn below(&self, path: &str) -> impl Iterator<Item = (&String, &File)> {
        let file = &self.0[path];
        let depth = file.module.len();
        self.0.iter().filter(move |(_, it)| {
            it.own == file.own
                && it.module.len() == depth + 1
                && it.module[..depth] == file.module[..]
        })
    }

    fn declares(&self, path: &str, name: &str) -> bool {
        let code = &self.0[path].code;
        let kinds = ["struct", "enum", "trait", "type", "const", "static", "fn", "mod"];
        code.windows(2).any(|two| {
            is_word(&two[1], name) && word(&two[0]).is_some_and(|it| kinds.contains(&it.as_str()))
        })
    }

    /// What a file gives to types and traits of other files: for each such `impl` the files in
    /// which these are declared. Who uses them runs its code without naming it.
    fn gives(&self, path: &str) -> Vec<BTreeSet<&str>> {
        let file = &self.0[path];
        let code = &file.code;
        let headers = (0..code.len()).filter(|&at| is_word(&code[at], "impl")).map(|at| {
            let body = |token: &TokenTree| {
                matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
            };
            let header = code[at + 1..].iter().take_while(|token| !body(token));
            let (mut depth, mut names, mut before) = (0, Vec::new(), '.');
            for token in header {
                match token {
                    TokenTree::Punct(punct) => {
                        depth += match punct.as_char() {
                            '<' => 1,
                            '>' if before != '-' => -1,
                            _ => 0,
                        };
                        before = punct.as_char();
                    }
                    TokenTree::Ident(name) if *name == "where" && depth == 0 => break,
                    TokenTree::Ident(name) if depth == 0 => names.push(name.to_string()),
                    _ => {}
                }
            }
            names
        });
        let foreign = headers.filter(|names| !names.iter().any(|it| self.declares(path, it)));
        let declared = foreign.map(|names| {
            let imports = file.imports.iter();
            let named = imports.filter(|it| it.last().is_some_and(|name| names.contains(name)));
            named.filter_map(|it| Some(self.found(file.own, it, 0)?.0)).collect()
        });
        declared.filter(|files: &BTreeSet<&str>| !files.is_empty()).collect()
    }

    /// What a file uses.
    fn uses(&self, path: &str) -> BTreeSet<&str> {
        let file = &self.0[path];
        let starts = self.starts(path, true);
        let paths = Paths::in_tokens(file.own, &starts, &file.module, &file.code);
        let used = |path: &&Vec<String>| {
            !file.imports.contains(path) || path.last().is_none_or(|name| file.mentions(name) > 1)
        };
        let paths: Vec<Vec<String>> = paths.iter().map(|path| split(path)).collect();
        let named = paths.iter().filter(used);
        let named = named.filter_map(|path| self.found(file.own, path, 0));
        named.map(|(file, _)| file).filter(|it| *it != path).collect()
    }

    /// What the judge reaches, each with the file that first named it; and the cuts that were met.
    fn reached(&self) -> (BTreeMap<&str, &str>, BTreeSet<&'static str>) {
        let (judge, _) = self.0.get_key_value(JUDGE).expect("the judge");
        let mut reached = BTreeMap::from([(judge.as_str(), "")]);
        let (mut open, mut met) = (vec![judge.as_str()], BTreeSet::new());
        let gives: Vec<(&str, Vec<BTreeSet<&str>>)> =
            self.0.keys().map(|path| (path.as_str(), self.gives(path))).collect();
        loop {
            let mut found: Vec<(&str, &str)> = Vec::new();
            let next = open.pop();
            match next {
                Some(path) => found.extend(self.uses(path).into_iter().map(|used| (used, path))),
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
}

fn split(path: &str) -> Vec<String> {
    path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
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
    let (reached, met) = project.reached();
    let mut faults: Vec<String> = Vec::new();
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    for row in table(&reached) {
        let mut lines = 0;
        for file in row.files {
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
}

/// Code is followed also where nothing names it: rules that a file only implements, and formats
/// behind several modules.
#[test]
fn what_is_behind_a_trait_is_reached() {
    let project = Project::read();
    let (reached, _) = project.reached();
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
    for file in ["src/cli/mod.rs", "src/report/mod.rs", "puzzles/sokoban/generate.rs"] {
        assert!(!reached.contains_key(file), "{file} is reached");
    }
}
