//! Files of a room can be read one at a time: at most two use each other. Errors and types that
//! several files need have files of their own.

use crate::paths::{Names, inside, is_mark, is_word, modules, paths, tokens, without_tests};
use proc_macro2::TokenTree;
use std::collections::{BTreeMap, BTreeSet};

/// A source of a crate.
struct Source {
    code: Vec<TokenTree>,
    /// The paths in its `use` items: others may come by them to what they name.
    imports: BTreeSet<Names>,
}

/// The sources of a crate by their modules.
struct Sources(BTreeMap<Names, Source>);

impl Sources {
    fn read(folder: &str) -> Self {
        let is_program = |text: &str| text.contains("\nfn main()");
        let read = modules(folder).into_iter().filter(|(module, text)| {
            !module.iter().any(|name| name == "tests") && !is_program(text)
        });
        let source =
            |text: &str| Source { code: tokens(without_tests(text)), imports: BTreeSet::new() };
        let mut sources = Self(read.map(|(module, text)| (module, source(&text))).collect());
        let imports = |(module, source): (&Names, &Source)| {
            let starts = sources.below(module);
            let items = source.code.split(|token| is_mark(Some(token), ';'));
            let items = items.filter_map(|item| {
                let at = item.iter().position(|token| is_word(token, "use"))?;
                Some(paths(&starts, module, &item[at..]))
            });
            items.flatten().collect()
        };
        let imports: Vec<_> = sources.0.iter().map(imports).collect();
        sources.0.values_mut().zip(imports).for_each(|(source, it)| source.imports = it);
        sources
    }

    /// The modules below one, by the names that begin a path in it.
    fn below(&self, module: &[String]) -> BTreeMap<String, Names> {
        let below = self.0.keys().filter(|it| it.split_last().is_some_and(|(_, up)| up == module));
        below.map(|it| (it.last().expect("a name").clone(), it.clone())).collect()
    }

    /// The module in which a path ends, imports followed.
    fn end(&self, path: &[String], depth: usize) -> &Names {
        let deepest = (0..=path.len()).rev().find_map(|to| self.0.get_key_value(&path[..to]));
        let (module, source) = deepest.expect("the root is there");
        let rest = &path[module.len()..];
        let target = rest.first().and_then(|name| {
            source.imports.iter().find(|it| it.last() == Some(name) && *it != path)
        });
        match target {
            Some(target) if depth < 8 => self.end(&[target, &rest[1..]].concat(), depth + 1),
            _ => module,
        }
    }

    /// The modules that one uses; what it only hands on it does not use.
    fn uses(&self, module: &Names) -> BTreeSet<&Names> {
        let source = &self.0[module];
        let mut starts = self.below(module);
        // A module that is imported begins a path too.
        let imported = source.imports.iter().filter(|it| self.0.contains_key(*it));
        starts.extend(imported.filter_map(|it| Some((it.last()?.clone(), it.clone()))));
        let paths = paths(&starts, module, &source.code);
        let used = |path: &&Names| {
            !source.imports.contains(*path)
                || path.last().is_none_or(|name| mentions(&source.code, name) > 1)
        };
        let ends = paths.iter().filter(used).map(|path| self.end(path, 0));
        ends.filter(|end| *end != module).collect()
    }

    /// The modules that use one another, by whatever way round: each lot of more than two.
    fn circles(&self) -> BTreeSet<Vec<&Names>> {
        let uses: BTreeMap<&Names, BTreeSet<&Names>> =
            self.0.keys().map(|module| (module, self.uses(module))).collect();
        let reached = |from: &&Names| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&Names> = uses[from].iter().copied().collect();
            while let Some(module) = open.pop() {
                if reached.insert(module) {
                    open.extend(&uses[module]);
                }
            }
            reached
        };
        let reached: BTreeMap<&Names, BTreeSet<&Names>> =
            uses.keys().map(|module| (*module, reached(module))).collect();
        let circle = |module: &&Names| -> Vec<&Names> {
            reached[module].iter().copied().filter(|it| reached[it].contains(module)).collect()
        };
        uses.keys().map(circle).filter(|circle| circle.len() > 2).collect()
    }
}

/// How often a name stands in code.
fn mentions(code: &[TokenTree], name: &str) -> usize {
    let within = |token: &TokenTree| match token {
        TokenTree::Group(group) => mentions(&inside(group), name),
        token => usize::from(is_word(token, name)),
    };
    code.iter().map(within).sum()
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    for folder in ["puzzlescript", "puzzles", "encodings", "check", "src", "cli"] {
        let sources = Sources::read(folder);
        let uses = |module: &&Names| format!("{module:?} uses {:?}", sources.uses(module));
        let circles = sources.circles();
        let described: Vec<_> =
            circles.iter().map(|circle| circle.iter().map(uses).collect::<Vec<_>>()).collect();
        assert!(described.is_empty(), "{folder}: {described:#?}");
    }
}
