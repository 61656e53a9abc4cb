//! Who may know what: the rules of the layout that cargo cannot enforce.

use crate::paths::{Paths, is_colon, is_word, modules, sources, word};
use crate::project::Project;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::Path;
use unstuck::registry::FAMILIES;
use unstuck_check::registry as judging;
use unstuck_puzzles::catalogue;

/// The rooms of `src/` from the ground upwards: a room uses itself and rooms on lower steps. Those
/// that share a step do not know each other. A new room is one more entry here.
const LADDER: &[&[&str]] = &[
    &["machine", "tuning"],
    &["backend"],
    &["proof", "search", "feature_search", "improve", "learn"],
    &["transition"],
    &["atlas", "closed", "invariant"],
    &["instance"],
    &["registry"],
    &["ledger"],
    &["engines"],
    &["solve"],
    &["certificate", "report"],
    &["questions"],
];

/// The same for the rooms of `check/`. Those of its names that are no rooms of `src/` are on its
/// ground.
const CHECKER: &[&[&str]] = &[
    &["advice", "machine", "strict_json"],
    &["limits"],
    &["formula"],
    &["proof"],
    &["transition"],
    &["closed", "patterns"],
    &["instance"],
    &["registry"],
    &["certificate"],
    &["program"],
];

/// The same for the rooms of `cli/`.
const PROGRAM: &[&[&str]] = &[
    &["terminal", "runner"],
    &["input"],
    &["answer"],
    &["driver", "pictures", "store"],
    &["commands"],
    &["first_words", "play"],
    &["schema"],
];

/// What is wrong with what a module of a room of the library says, by the ladder.
fn faults(module: &[String], text: &str) -> Vec<String> {
    against(LADDER, "unstuck", module, text)
}

fn against(ladder: &[&[&str]], name: &str, module: &[String], text: &str) -> Vec<String> {
    let step = |room: &str| ladder.iter().position(|rooms| rooms.contains(&room));
    let Some(room) = module.first() else { return Vec::new() };
    let Some(own) = step(room) else { return vec![format!("the room `{room}` is on no step")] };
    let allowed = |path: &&String| {
        let used = path.split("::").next().unwrap_or_default();
        let on_the_ground =
            || name == "unstuck" && CHECKER.iter().any(|rooms| rooms.contains(&used));
        used == room || step(used).map_or_else(on_the_ground, |step| step < own)
    };
    if says(text, "#[path") {
        return vec![format!("{} takes a module from another place", module.join("::"))];
    }
    let paths = Paths::of(name, &[], module, text);
    let wrong = paths.iter().filter(|path| !allowed(path));
    wrong.map(|path| format!("{} uses `crate::{path}`", module.join("::"))).collect()
}

#[test]
fn rooms_use_rooms_below_them_only() {
    keeps_to(CHECKER, "unstuck_check", "check");
    keeps_to(LADDER, "unstuck", "src");
    keeps_to(PROGRAM, "unstuck_cli", "cli");
}

fn keeps_to(ladder: &[&[&str]], name: &str, folder: &str) {
    let mut modules = modules(folder);
    // The root of the program chooses among its commands.
    modules
        .retain(|(module, _)| !matches!(module.first().map(String::as_str), None | Some("main")));
    let faults: Vec<String> =
        modules.iter().flat_map(|(module, text)| against(ladder, name, module, text)).collect();
    assert!(faults.is_empty(), "against the order of rooms:\n{}", faults.join("\n"));
    let rooms: BTreeSet<&str> =
        modules.iter().filter_map(|(module, _)| Some(module.first()?.as_str())).collect();
    let listed: Vec<&str> = ladder.iter().copied().flatten().copied().collect();
    assert_eq!(
        rooms,
        listed.iter().copied().collect(),
        "the rooms of the ladder are those of {folder}/"
    );
    assert_eq!(rooms.len(), listed.len(), "a room stands on one step");
}

/// An engine knows the ledger and what several of them share, and no other engine.
#[test]
fn engines_know_no_engine() {
    let shared = ["plans", "sat"];
    let modules = modules("src");
    let engines = modules.iter().filter(|(module, _)| module.len() == 2 && module[0] == "engines");
    let mut found = 0;
    for (module, text) in engines {
        found += 1;
        for path in Paths::of("unstuck", &[], module, text) {
            let mut parts = path.split("::");
            let is_engine = parts.next() == Some("engines");
            let used = parts.next().unwrap_or_default().to_owned();
            let own = module[1].as_str();
            assert!(
                !is_engine || used == own || shared.contains(&used.as_str()),
                "the engine `{own}` uses {path}"
            );
            let is_shared = shared.contains(&own);
            assert!(!is_shared || !is_engine || used == own, "`{own}` serves engines: {path}");
        }
    }
    assert!(found > 8, "{found}");
}

/// The rule sees an import upwards in whatever form it comes.
#[test]
fn imports_upwards_are_seen() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
    for (at, text) in [
        ("backend", "use crate::solve::Request;"),
        ("engines", "use crate::solve::schedule;"),
        ("ledger", "use crate::engines::search;"),
        ("backend", "use crate::{formula::Clauses, solve};"),
        ("backend", "use crate::{limits::{Limits, Stop}, registry::{self, FAMILIES}};"),
        ("backend", "use super::solve;"),
        ("backend::varisat", "use super::super::solve::Request;"),
        ("backend::varisat", "use super::{Answer, super::solve};"),
        ("backend::varisat", "fn f() { let _ = super::super::solve::solve; }"),
        ("backend", "fn f() -> crate::questions::Hint { todo!() }"),
        ("backend", "mod tests { use super::super::registry::by_name; }"),
        ("backend", "mod tests { mod inner { use super::super::super::registry; } }"),
        ("backend", "fn f() { vec![crate::solve::GREEDY] }"),
        ("backend", "macro_rules! m { () => { $crate::solve::GREEDY } }"),
        ("backend", "use unstuck::solve::Request;"),
        ("backend", "pub use ::unstuck::solve::Request;"),
        ("backend", "use crate as all;"),
        ("backend", "use crate::*;"),
        ("backend", "use crate::{self as all};"),
        ("backend", "use super as all;"),
        ("backend", "use self::super::solve;"),
        ("backend", "use crate /* here */ :: solve;"),
        ("backend", "use crate::Outcome;"),
        ("backend", "#[cfg(test)]\nuse crate::solve;"),
        ("closed", "use crate::invariant::pdr;"),
        ("invariant", "use crate::closed::ClosedSet;"),
        ("backend", "#[path = \"../solve/mod.rs\"]\nmod solve;"),
        ("cellar", "use std::fmt;"),
    ] {
        assert!(!faults(&module(at), text).is_empty(), "unseen in {at}: {text}");
    }
    for (at, text) in [
        ("backend", "use crate::{formula::{Clauses, dimacs}, limits};"),
        (
            "backend",
            "// use crate::solve;\n/// See [`crate::solve`].\nfn f() { \"crate::solve\"; }",
        ),
        ("backend", "mod tests { use super::*; }"),
        ("backend::varisat", "use super::Answer;\nmod tests { use super::super::from_name; }"),
        ("backend::varisat", "pub(super) fn f(&self) {}\npub(in crate::backend) fn g<'a>() {}"),
        ("backend", "fn f() { std::solve::crate_of(a::solve) }"),
        ("solve", "use crate::registry::by_name;"),
        ("engines::horizons", "use super::sat::{SatOutcome, ask};"),
    ] {
        assert_eq!(faults(&module(at), text), Vec::<String>::new(), "in {at}: {text}");
    }
}

/// Files of a room can be read one at a time: at most two use each other. Errors and types that
/// several files need have files of their own.
#[test]
fn files_do_not_use_each_other_in_circles() {
    let project = Project::read();
    let circles = project.circles(2);
    let described = circles.iter().map(|circle| {
        let uses = |file: &&str| {
            let used = project.uses(file).into_iter().filter(|it| circle.contains(it));
            format!("{file} uses {}", used.collect::<Vec<_>>().join(", "))
        };
        circle.iter().map(uses).collect::<Vec<_>>().join("\n")
    });
    let described: Vec<String> = described.collect();
    assert!(described.is_empty(), "{} circles:\n{}", described.len(), described.join("\n\n"));
}

/// The modules of a crate, without its program: that of `check/` prints what it has escaped.
fn library(folder: &str) -> Vec<(Vec<String>, String)> {
    let mut modules = modules(folder);
    modules.retain(|(_, text)| folder != "check" || !text.contains("\nfn main()"));
    modules
}

/// Whether the code of a source contains a text, comments left aside.
fn says(text: &str, wanted: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter().any(|line| line.contains(wanted))
}

fn assert_only_in(folders: &[&str], wanted: &str, allowed: &dyn Fn(&Path) -> bool) {
    for folder in folders {
        for (path, text) in sources(folder) {
            assert!(
                allowed(&path) || !says(&text, wanted),
                "{} says `{wanted}`, which it must not know",
                path.display()
            );
        }
    }
}

/// No code of these folders uses a crate, except where it is allowed.
fn assert_crate_only_in(folders: &[&str], wanted: &str, allowed: &dyn Fn(&[String]) -> bool) {
    for folder in folders {
        for (module, text) in modules(folder) {
            // Inside a module of the same name, the name alone is the module's.
            let paths = Paths::of("unstuck", &[wanted], &module, &text);
            let uses = paths.iter().any(|path| path.split("::").next() == Some(wanted));
            assert!(!uses || allowed(&module), "{folder}: {} uses {wanted}", module.join("::"));
        }
    }
}

/// The crates of the project that are no page and no test, from the ground upwards.
const CRATES: &[&str] = &["puzzlescript", "puzzles", "encodings", "check", "src", "cli"];

#[test]
fn petgraph_is_known_in_encodings_only() {
    let others: Vec<&str> = CRATES.iter().copied().filter(|it| *it != "encodings").collect();
    assert_crate_only_in(&others, "petgraph", &|_| false);
}

#[test]
fn varisat_is_known_in_its_backend_only() {
    let backend = |path: &Path| path.ends_with("src/backend/varisat.rs");
    // `varisat::` alone is also the path of our own module.
    assert_only_in(CRATES, "varisat::Solver", &backend);
    assert_only_in(CRATES, "varisat::ExtendFormula", &backend);
}

/// What the features of the package bring along, and the modules that may use it.
#[test]
fn optional_crates_are_known_where_their_feature_is_only() {
    let room = |rooms: &'static [&'static str]| {
        move |module: &[String]| {
            let path = module.join("::");
            rooms.iter().any(|room| path == *room || path.starts_with(&format!("{room}::")))
        }
    };
    let of_files = room(&[
        "certificate::folder",
        "certificate::external_check",
        "certificate::shared",
        "backend::external",
    ]);
    // What is written for other programs goes through one writer for each form.
    assert_crate_only_in(&["cli"], "csv", &room(&["terminal::cells"]));
    for name in ["tempfile", "shlex"] {
        assert_crate_only_in(&["check", "src"], name, &of_files);
    }
    for name in ["flate2", "tar"] {
        assert_crate_only_in(&["cli"], name, &room(&["store::pack"]));
    }
    assert_crate_only_in(&["check", "src"], "rustix", &room(&["machine"]));
    // What can be left out of the program: its features of these names.
    for name in ["gif", "png", "resvg"] {
        assert_crate_only_in(&["cli"], name, &room(&["pictures"]));
    }
    for name in ["ansi_to_tui", "ratatui"] {
        assert_crate_only_in(&["cli"], name, &room(&["play"]));
    }
}

/// Modules that may write to a terminal without `output`, each with the reason.
const PAST_THE_DOOR: &[(&str, &str)] = &[
    ("terminal::output", "the door itself"),
    (
        "terminal::progress",
        "asks whether standard error is a terminal; its line is made of one_line",
    ),
    ("play", "draws cells of the terminal by ratatui, which takes no control characters"),
    ("commands::work", "answers in frames, which are no text"),
];

/// The ways to standard output and standard error that a module takes.
fn ways_out(text: &str) -> Vec<String> {
    fn walk(tokens: TokenStream, found: &mut Vec<String>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            if let TokenTree::Group(group) = token {
                walk(group.stream(), found);
            }
            let Some(word) = word(token) else { continue };
            let called = matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.stream().is_empty());
            let method =
                at > 0 && matches!(&tokens[at - 1], TokenTree::Punct(it) if it.as_char() == '.');
            let a_macro =
                matches!(tokens.get(at + 1), Some(TokenTree::Punct(it)) if it.as_char() == '!');
            let is_way = match word.as_str() {
                // Of an error of clap's; others have methods of these names, too.
                "print" if method => called && is_word(&tokens[at - 2], "error"),
                "print" | "println" | "eprint" | "eprintln" | "dbg" => a_macro,
                // A command's `.stdout(…)` says where a child writes.
                "stdout" | "stderr" => !method && !is_field(&tokens, at),
                "exit" if method => called && is_word(&tokens[at - 2], "error"),
                _ => false,
            };
            if is_way {
                found.push(word);
            }
        }
    }
    let mut found = Vec::new();
    walk(text.parse().expect("a source that compiles has tokens"), &mut found);
    found
}

/// Whether a word is the name of a field in a pattern or a literal: `stdout: pipe`.
fn is_field(tokens: &[TokenTree], at: usize) -> bool {
    is_colon(tokens, at + 1) && !is_colon(tokens, at + 2)
}

/// What others wrote reaches a terminal through one door, where it is made harmless.
#[test]
fn one_module_writes_to_the_terminal() {
    for &folder in CRATES {
        for (module, text) in library(folder) {
            let path = module.join("::");
            let may =
                |(room, _): &(&str, &str)| path == *room || path.starts_with(&format!("{room}::"));
            if folder == "cli" && PAST_THE_DOOR.iter().any(may) {
                continue;
            }
            let ways = ways_out(&text);
            assert!(
                ways.is_empty(),
                "{folder}: {path} writes to the terminal: {}",
                ways.join(", ")
            );
        }
    }
}

#[test]
fn every_way_to_the_terminal_is_seen() {
    for text in [
        "fn f() { println!(\"x\"); }",
        "fn f() { std::eprintln!(\"{x}\"); }",
        "fn f() { if x { eprint!(\"\") } }",
        "fn f() { std::io::stdout().write_all(b) }",
        "use std::io::{stderr, Write};",
        "fn f() { let _ = stderr().lock(); }",
        "fn f(error: clap::Error) { error.exit() }",
        "fn f(error: clap::Error) { error.print().ok(); }",
        "macro_rules! m { () => { println!() } }",
    ] {
        assert!(!ways_out(text).is_empty(), "unseen: {text}");
    }
    for text in [
        "fn f() { output::print(&text); std::process::exit(0); }",
        "fn f() { command.stdout(Stdio::piped()).stderr(Stdio::null()); }",
        "fn f() { let Output { stdout: said, .. } = child.output(); }",
        "fn f() { output.stdout.len() }",
        "// println!(\"x\")\nfn f() { \"stdout()\" }",
    ] {
        assert_eq!(ways_out(text), Vec::<String>::new(), "{text}");
    }
}

/// What of the standard library a module uses that WebAssembly has not, or panics at.
fn asks_the_machine(module: &[String], text: &str) -> Vec<String> {
    let rooms: [(&[&str], &[&str]); 2] = [
        (&["std::time::Instant", "std::time::SystemTime", "std::thread"], &["machine"]),
        (
            &["std::fs", "std::process", "std::env", "std::net"],
            &[
                "machine",
                "certificate::folder",
                "certificate::external_check",
                "certificate::shared",
                "backend::external",
            ],
        ),
    ];
    let within = |path: &str, room: &str| path == room || path.starts_with(&format!("{room}::"));
    let own = module.join("::");
    let uses = Paths::of("unstuck", &["std"], module, text);
    let forbidden = |path: &&String| {
        // A glob or the parent itself hands out all that is inside.
        let asks = |asked: &str| within(path, asked) || (*path == "std" || *path == "std::time");
        rooms.iter().any(|(asked, allowed)| {
            asked.iter().any(|asked| asks(asked)) && !allowed.iter().any(|room| within(&own, room))
        })
    };
    uses.iter().filter(forbidden).cloned().collect()
}

#[test]
fn clock_threads_and_files_are_asked_for_where_they_may_be_missing_only() {
    for folder in ["puzzlescript", "puzzles", "encodings", "check", "src"] {
        for (module, text) in library(folder) {
            // Tests run on machines that have all this.
            if module.iter().any(|name| name == "tests") {
                continue;
            }
            let asked = asks_the_machine(&module, &text);
            assert!(asked.is_empty(), "{folder}: {} uses {}", module.join("::"), asked.join(", "));
        }
    }
}

#[test]
fn only_machine_asks_the_system() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
    for (at, text) in [
        ("solve", "use std::time::{Duration, Instant};"),
        ("solve", "use std::time;"),
        ("solve", "use std::time::*;"),
        ("search::workers", "fn f() { std::thread::spawn(|| ()); }"),
        ("limits", "use std::{fmt, thread};"),
        ("transition", "use std::time::SystemTime;"),
        ("formula", "fn f() { std::fs::read(path) }"),
        ("backend::varisat", "use std::process::Command;"),
    ] {
        assert!(!asks_the_machine(&module(at), text).is_empty(), "unseen in {at}: {text}");
    }
    for (at, text) in [
        ("solve", "use std::time::Duration;"),
        ("solve", "use crate::machine::{Instant, sleep};"),
        ("machine", "use std::thread;"),
        ("certificate::folder", "use std::fs::{self, File};"),
        ("solve", "// std::thread::spawn\nfn f() { \"std::thread\"; }"),
    ] {
        assert_eq!(asks_the_machine(&module(at), text), Vec::<String>::new(), "in {at}: {text}");
    }
}

/// Errors of the library carry their advice as data; only the command line says it in flags. (The
/// flags of other programs are theirs: tests and commands of solvers may have them.)
#[test]
fn flags_are_named_on_the_command_line_only() {
    let flagless = |(module, _): &(Vec<String>, String)| *module != ["program"];
    for (module, text) in ["check", "src"].into_iter().flat_map(library).filter(flagless) {
        let tested = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
        for flag in ["`--", "\"--", " --", "help:"] {
            let theirs = ["`--no-factor`", "veripb --", "\"--cnf\"", "\"--opb\""];
            let code =
                theirs.iter().fold(text[..tested].to_owned(), |code, it| code.replace(it, ""));
            assert!(!says(&code, flag), "{} says {flag:?}", module.join("::"));
        }
    }
    for (module, text) in ["puzzlescript", "puzzles", "encodings"].into_iter().flat_map(modules) {
        let tested = module.iter().any(|name| name == "tests");
        for flag in ["`--", "\"--"].into_iter().filter(|_| !tested) {
            assert!(!says(&text, flag), "{} says {flag:?}", module.join("::"));
        }
    }
}

/// A family is a folder of this name in both crates below; only the catalogue of their rules and the
/// registry name it, and no family names another.
#[test]
fn only_the_registry_names_families() {
    let families: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    let ruled: Vec<&str> = catalogue::FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(families, ruled, "the registry has the families of the catalogue");
    let judged: Vec<&str> = judging::FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(families, judged, "what is solved can be judged");
    let crates = ["unstuck_puzzles", "unstuck_encodings"];
    for (folder, own) in [
        ("puzzles", crates[0]),
        ("encodings", crates[1]),
        ("check", "unstuck_check"),
        ("src", "unstuck"),
        ("cli", "unstuck_cli"),
    ] {
        for (module, text) in modules(folder) {
            let room = module.first().map(String::as_str).unwrap_or_default();
            let named = [("puzzles", "catalogue"), ("check", "registry"), ("src", "registry")];
            if named.contains(&(folder, room)) {
                continue;
            }
            for path in Paths::of(own, &crates, &module, &text) {
                let names: Vec<&str> = path.split("::").collect();
                let named = names.get(usize::from(crates.contains(&names[0])));
                let other = named.filter(|name| families.contains(name) && **name != room);
                assert!(other.is_none(), "{folder}: {} names `{path}`", module.join("::"));
            }
        }
    }
    for family in families {
        for folder in ["puzzles", "encodings"] {
            assert!(
                modules(folder)
                    .iter()
                    .any(|(module, _)| module.first().is_some_and(|m| m == family)),
                "{family} has no folder in {folder}"
            );
        }
    }
}

#[test]
fn the_project_names_no_place_of_a_machine() {
    let own = |path: &Path| path.ends_with("tests/house/architecture.rs");
    // The folder that this checkout stands in, whatever it is called, and whatever lies beside it.
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a checkout has a place");
    let around = format!("{}/", around.display().to_string().trim_end_matches('/'));
    let folders = [CRATES, &["tests"]].concat();
    for place in ["/home/", "/root/", around.as_str()].into_iter().filter(|p| *p != "/") {
        assert_only_in(&folders, place, &own);
    }
    for (path, text) in folders.into_iter().flat_map(sources) {
        // What binaries of tests share lies beside them.
        let text = ["../common/", "../../../tests/common/", "../../puzzlescript/tests/"]
            .into_iter()
            .fold(text, |text, place| text.replace(&format!("#[path = \"{place}"), ""));
        assert!(own(&path) || !says(&text, "\"../"), "{} leads out of its folder", path.display());
    }
}
