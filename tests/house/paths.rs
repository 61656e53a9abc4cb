//! Paths in the code of this project, read token by token: who uses what.

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

/// The source without its module of tests.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// A path from the root of a crate, name by name.
pub(crate) type Names = Vec<String>;

/// All paths in the code of a module that begin at its crate's root or at a module around them, as
/// they are seen from that root: `crate::a::b`, `super::super::a`, those in braces, also in macros
/// and inline modules. Comments and strings are no code.
///
/// A name in `starts` begins a path too, and stands for another one.
pub(crate) fn paths(
    starts: &BTreeMap<String, Names>,
    module: &[String],
    tokens: &[TokenTree],
) -> BTreeSet<Names> {
    let mut found = BTreeSet::new();
    read(starts, module, tokens, &mut found);
    found
}

/// The same of a text, for names that stand for themselves; `own` is the crate's.
pub(crate) fn paths_in(
    own: &str,
    others: &[&str],
    module: &[String],
    text: &str,
) -> BTreeSet<String> {
    let others = others.iter().map(|name| ((*name).to_owned(), vec![(*name).to_owned()]));
    let starts = others.chain([(own.to_owned(), Vec::new())]).collect();
    paths(&starts, module, &tokens(text)).iter().map(|path| path.join("::")).collect()
}

fn read(
    starts: &BTreeMap<String, Names>,
    module: &[String],
    tokens: &[TokenTree],
    found: &mut BTreeSet<Names>,
) {
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let opens = at >= 2 && is_word(&tokens[at - 2], "mod");
                let inline = if opens { word(&tokens[at - 1]) } else { None };
                let module: Vec<_> = module.iter().cloned().chain(inline).collect();
                read(starts, &module, &inside(group), found);
            }
            TokenTree::Ident(first) if !ends_path(tokens, at) => {
                let base = match first.to_string().as_str() {
                    "crate" => Some(Vec::new()),
                    "self" => Some(module.to_vec()),
                    "super" => Some(up(module.to_vec())),
                    name => starts.get(name).cloned(),
                };
                // What stands after `self` or `super` alone is no path: `&self`, `pub(super)`.
                match base {
                    Some(base) if begins_path(tokens, at + 1) => {
                        follow(base, &tokens[at + 3..], found);
                    }
                    Some(base) if tokens.get(at + 1).is_some_and(|it| is_word(it, "as")) => {
                        found.insert(base);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// What follows in a path after its `::`.
fn follow(mut base: Names, tokens: &[TokenTree], found: &mut BTreeSet<Names>) {
    match tokens.first() {
        Some(TokenTree::Ident(name)) => {
            match name.to_string().as_str() {
                "super" => base = up(base),
                "self" => {}
                name => base.push(name.to_owned()),
            }
            if begins_path(tokens, 1) {
                follow(base, &tokens[3..], found);
            } else {
                found.insert(base);
            }
        }
        Some(TokenTree::Group(group)) => {
            let parts = inside(group);
            let parts = parts.split(|token| is_mark(Some(token), ','));
            parts
                .filter(|part| !part.is_empty())
                .for_each(|part| follow(base.clone(), part, found));
        }
        // A glob: all that is there.
        _ => {
            found.insert(base);
        }
    }
}

/// What a source consists of.
pub(crate) fn tokens(text: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = text.parse().expect("a source that compiles has tokens");
    tokens.into_iter().collect()
}

pub(crate) fn inside(group: &proc_macro2::Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

fn up(mut module: Names) -> Names {
    module.pop();
    module
}

fn word(token: &TokenTree) -> Option<String> {
    if let TokenTree::Ident(ident) = token { Some(ident.to_string()) } else { None }
}

pub(crate) fn is_word(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == wanted)
}

pub(crate) fn is_mark(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// Whether `::` stands here, and something after it.
fn begins_path(tokens: &[TokenTree], at: usize) -> bool {
    is_mark(tokens.get(at), ':') && is_mark(tokens.get(at + 1), ':') && tokens.len() > at + 2
}

/// Whether a word goes on a path that began before it; `use ::name` begins one.
fn ends_path(tokens: &[TokenTree], at: usize) -> bool {
    at >= 3
        && begins_path(tokens, at - 2)
        && word(&tokens[at - 3]).is_some_and(|before| before != "use")
}
