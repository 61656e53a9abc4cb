//! The sources of our crates as a graph: which file uses which, whatever modules hand on between
//! them.
#![allow(dead_code, reason = "each test uses its part")]

use crate::paths::{Paths, is_word, modules, tokens, word};
use proc_macro2::TokenTree;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The crates by name, and their folders.
const CRATES: [(&str, &str); 6] = [
    ("unstuck_cli", "cli"),
    ("unstuck", "src"),
    ("unstuck_check", "check"),
    ("unstuck_encodings", "encodings"),
    ("unstuck_puzzles", "puzzles"),
    ("puzzlescript_engine", "puzzlescript"),
];

/// A source of one of our crates.
pub(crate) struct File {
    own: &'static str,
    module: Vec<String>,
    /// The code without its tests.
    code: Vec<TokenTree>,
    pub(crate) lines: usize,
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
pub(crate) struct Project(
    pub(crate) BTreeMap<String, File>,
    HashMap<(&'static str, Vec<String>), String>,
);

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
    pub(crate) fn read() -> Self {
        let mut files = BTreeMap::new();
        for (own, folder) in CRATES {
            for (module, text) in modules(folder) {
                let is_test = module.iter().any(|name| name == "tests" || name == "benches");
                if is_test || text.contains("\nfn main()") {
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

    /// What a file uses.
    pub(crate) fn uses(&self, path: &str) -> BTreeSet<&str> {
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

    /// The files that use one another, by whatever way round: each lot of more than `most`, sorted.
    pub(crate) fn circles(&self, most: usize) -> Vec<Vec<&str>> {
        let uses: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|path| (path.as_str(), self.uses(path))).collect();
        let reached = |from: &str| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&str> = uses[from].iter().copied().collect();
            while let Some(path) = open.pop() {
                if reached.insert(path) {
                    open.extend(&uses[path]);
                }
            }
            reached
        };
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            uses.keys().map(|path| (*path, reached(path))).collect();
        let circle = |path: &&str| -> Vec<&str> {
            reached[path].iter().copied().filter(|other| reached[other].contains(path)).collect()
        };
        let circles: BTreeSet<Vec<&str>> = uses.keys().map(circle).collect();
        circles.into_iter().filter(|files| files.len() > most).collect()
    }
}

fn split(path: &str) -> Vec<String> {
    path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
