//! Paths in the code of this project, read token by token: who uses what.
#![allow(dead_code, reason = "each test uses its part")]

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The sources in a folder of the project.
pub(crate) fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                walk(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a readable source");
                into.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

/// The sources of one of our crates, each with the path of its module (empty for the root).
pub(crate) fn modules(folder: &str) -> Vec<(Vec<String>, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let module = |(path, text): (PathBuf, String)| {
        let path =
            path.strip_prefix(&root).expect("a source lies in its folder").with_extension("");
        let mut names: Vec<String> =
            path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        names.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        (names, text)
    };
    let of_crate = |(names, _): &(Vec<String>, String)| {
        names.first().is_none_or(|n| n != "benches" && n != "tests")
    };
    sources(folder).into_iter().map(module).filter(of_crate).collect()
}

/// All paths in code that begin at a crate's root or at a module around them, as they are seen from
/// that root: `crate::a::b`, `super::super::a`, those in braces, also in macros and inline modules.
/// Comments and strings are no code. A crate's own name begins a path too, and so do the names in
/// `starts`.
pub(crate) struct Paths<'a> {
    /// The name by which a crate is known outside itself.
    own: &'a str,
    /// Names that begin a path beside it, and what they stand for.
    starts: &'a BTreeMap<String, Vec<String>>,
    found: BTreeSet<String>,
}

impl Paths<'_> {
    /// The paths of a module; the names of `others` begin paths that they stand before.
    pub(crate) fn of(
        own: &str,
        others: &[&str],
        module: &[String],
        text: &str,
    ) -> BTreeSet<String> {
        let stands = |name: &&str| ((*name).to_owned(), vec![(*name).to_owned()]);
        Paths::in_tokens(own, &others.iter().map(stands).collect(), module, &tokens(text))
    }

    /// The paths in tokens of a module.
    pub(crate) fn in_tokens(
        own: &str,
        starts: &BTreeMap<String, Vec<String>>,
        module: &[String],
        tokens: &[TokenTree],
    ) -> BTreeSet<String> {
        let mut paths = Paths { own, starts, found: BTreeSet::new() };
        paths.read(module, tokens);
        paths.found
    }

    fn read(&mut self, module: &[String], tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => {
                    let inside: Vec<_> = group.stream().into_iter().collect();
                    let opens = at >= 2 && is_word(&tokens[at - 2], "mod");
                    let inline = if opens { word(&tokens[at - 1]) } else { None };
                    let module: Vec<_> = module.iter().cloned().chain(inline).collect();
                    self.read(&module, &inside);
                }
                TokenTree::Ident(first) if at == 0 || !ends_path(tokens, at) => {
                    let first = first.to_string();
                    let base = match first.as_str() {
                        "crate" => Some(Vec::new()),
                        "self" => Some(module.to_vec()),
                        "super" => Some(up(module.to_vec())),
                        name if name == self.own => Some(Vec::new()),
                        name => self.starts.get(name).cloned(),
                    };
                    if let Some(base) = base {
                        // What stands after `self` or `super` alone is no path: `&self`, `pub(super)`.
                        if begins_path(tokens, at + 1) {
                            self.follow(base, &tokens[at + 3..]);
                        } else if is_word_at(tokens, at + 1, "as") {
                            self.note(&base);
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// What follows in a path after its `::`.
    fn follow(&mut self, mut base: Vec<String>, tokens: &[TokenTree]) {
        match tokens.first() {
            Some(TokenTree::Ident(name)) => {
                match name.to_string().as_str() {
                    "super" => base = up(base),
                    "self" => {}
                    name => base.push(name.to_owned()),
                }
                if begins_path(tokens, 1) {
                    self.follow(base, &tokens[3..]);
                } else {
                    self.note(&base);
                }
            }
            Some(TokenTree::Group(group)) => {
                let inside: Vec<_> = group.stream().into_iter().collect();
                let comma =
                    |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
                for part in inside.split(comma).filter(|part| !part.is_empty()) {
                    self.follow(base.clone(), part);
                }
            }
            // A glob: all that is there.
            _ => self.note(&base),
        }
    }

    fn note(&mut self, path: &[String]) {
        self.found.insert(path.join("::"));
    }
}

/// What a source consists of.
pub(crate) fn tokens(text: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = text.parse().expect("a source that compiles has tokens");
    tokens.into_iter().collect()
}

fn up(mut module: Vec<String>) -> Vec<String> {
    module.pop();
    module
}

pub(crate) fn word(token: &TokenTree) -> Option<String> {
    if let TokenTree::Ident(ident) = token { Some(ident.to_string()) } else { None }
}

pub(crate) fn is_word(token: &TokenTree, wanted: &str) -> bool {
    word(token).is_some_and(|word| word == wanted)
}

fn is_word_at(tokens: &[TokenTree], at: usize, wanted: &str) -> bool {
    tokens.get(at).is_some_and(|token| is_word(token, wanted))
}

pub(crate) fn is_colon(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

/// Whether `::` stands here, and something after it.
fn begins_path(tokens: &[TokenTree], at: usize) -> bool {
    is_colon(tokens, at) && is_colon(tokens, at + 1) && tokens.len() > at + 2
}

/// Whether a word goes on a path that began before it; `use ::name` begins one.
fn ends_path(tokens: &[TokenTree], at: usize) -> bool {
    let colons = at >= 3 && is_colon(tokens, at - 1) && is_colon(tokens, at - 2);
    colons && word(&tokens[at - 3]).is_some_and(|before| before != "use")
}
