//! Who may know what: the rules of the layout that cargo cannot enforce.

use crate::paths::{modules, paths_in, sources};
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

/// The same for the files of one room, which uses others as it likes: engines know the ledger and
/// what several of them share, and no other engine.
const ENGINES: &[&[&str]] = &[
    &["plans", "sat"],
    &[
        "backward",
        "counting",
        "features",
        "horizons",
        "improvement",
        "invariant",
        "learning",
        "search",
        "steps",
        "weighted",
    ],
];

/// What is wrong with what a module says, by the ladder of the rooms that begin with `within`.
fn faults(
    (own, within, ladder): (&str, &str, &[&[&str]]),
    module: &[String],
    text: &str,
) -> Vec<String> {
    let step = |room: &str| ladder.iter().position(|rooms| rooms.contains(&room));
    let module = module.join("::");
    let Some(room) = room_of(&module, within) else { return Vec::new() };
    let Some(at) = step(room) else { return vec![format!("the room `{room}` is on no step")] };
    if says(text, "#[path") {
        return vec![format!("{module} takes a module from another place")];
    }
    let is_wrong = |path: &String| {
        // A glob or the room itself hands out all that is inside.
        let path = format!("{path}::");
        let Some(used) = path.strip_prefix(within) else { return false };
        let used = used.split("::").next().unwrap_or_default();
        let on_the_ground =
            || own == "unstuck" && CHECKER.iter().any(|rooms| rooms.contains(&used));
        used != room && !step(used).map_or_else(on_the_ground, |step| step < at)
    };
    let paths = paths_in(own, &[], &split(&module), text).into_iter().filter(is_wrong);
    paths.map(|path| format!("{module} uses `crate::{path}`")).collect()
}

/// The name after a prefix in the path of a module.
fn room_of<'a>(module: &'a str, within: &str) -> Option<&'a str> {
    module.strip_prefix(within)?.split("::").next().filter(|room| !room.is_empty())
}

fn split(path: &str) -> Vec<String> {
    path.split("::").map(str::to_owned).collect()
}

#[test]
fn rooms_use_rooms_below_them_only() {
    for (folder, own, within, ladder) in [
        ("check", "unstuck_check", "", CHECKER),
        ("src", "unstuck", "", LADDER),
        ("src", "unstuck", "engines::", ENGINES),
        ("cli", "unstuck_cli", "", PROGRAM),
    ] {
        let mut modules = modules(folder);
        // The root of the program chooses among its commands.
        modules.retain(|(module, _)| *module != ["main"]);
        let wrong =
            modules.iter().flat_map(|(module, text)| faults((own, within, ladder), module, text));
        let wrong: Vec<String> = wrong.collect();
        assert!(wrong.is_empty(), "against the order of rooms:\n{}", wrong.join("\n"));
        let paths = modules.iter().map(|(module, _)| module.join("::"));
        let rooms: BTreeSet<String> =
            paths.filter_map(|path| room_of(&path, within).map(str::to_owned)).collect();
        let mut listed: Vec<&str> = ladder.concat();
        listed.sort_unstable();
        assert!(rooms.iter().eq(&listed), "{folder}/{within} has {rooms:?}, each on one step");
    }
}

/// The rule sees an import upwards in whatever form it comes.
#[test]
fn imports_upwards_are_seen() {
    let faults = |at, text| {
        let ladders = [("", LADDER), ("engines::", ENGINES)].into_iter();
        ladders
            .flat_map(|(within, steps)| faults(("unstuck", within, steps), &split(at), text))
            .collect::<Vec<_>>()
    };
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
        ("engines::search", "use super::horizons;"),
        ("engines::sat", "use crate::engines::horizons::race;"),
    ] {
        assert!(!faults(at, text).is_empty(), "unseen in {at}: {text}");
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
        assert_eq!(faults(at, text), Vec::<String>::new(), "in {at}: {text}");
    }
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

/// The crates of the project that are no page and no test, from the ground upwards.
const CRATES: &[&str] = &["puzzlescript", "puzzles", "encodings", "check", "src", "cli"];

/// The same but for the program: what may be on a machine that has little.
const LIBRARY: &[&str] = &["puzzlescript", "puzzles", "encodings", "check", "src"];

/// What other crates and the standard library have, and the rooms of these folders that may use it.
const KNOWN: &[(&[&str], &[&str], &[&str])] = &[
    (&["puzzlescript", "puzzles", "check", "src", "cli"], &["petgraph"], &[]),
    (&["src"], &["varisat::Solver", "varisat::ExtendFormula"], &["backend::varisat"]),
    (&["check", "src"], &["rustix"], &["machine"]),
    (&["check", "src"], &["tempfile", "shlex"], OF_FILES),
    // What is written for other programs goes through one writer for each form.
    (&["cli"], &["csv"], &["terminal::cells"]),
    (&["cli"], &["flate2", "tar"], &["store::pack"]),
    // What can be left out of the program: its features of these names.
    (&["cli"], &["gif", "png", "resvg"], &["pictures"]),
    (&["cli"], &["ansi_to_tui", "ratatui"], &["play"]),
    // What WebAssembly has not, or panics at.
    (LIBRARY, &["std::time::Instant", "std::time::SystemTime", "std::thread"], &["machine"]),
    (
        LIBRARY,
        &["std::fs", "std::process", "std::env", "std::net"],
        &["machine", "certificate::folder", "certificate::external_check", "backend::external"],
    ),
];

/// What the feature `files` is of.
const OF_FILES: &[&str] =
    &["certificate::folder", "certificate::external_check", "backend::external"];

/// Whether a path is in a room, or is the room itself.
fn within(path: &str, room: &str) -> bool {
    path.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// What a module of a folder uses and must not know.
fn strangers(folder: &str, module: &[String], text: &str) -> Vec<String> {
    let own = module.join("::");
    let mut found = Vec::new();
    for (folders, things, rooms) in KNOWN {
        if !folders.contains(&folder) || rooms.iter().any(|room| within(&own, room)) {
            continue;
        }
        for thing in *things {
            // Inside a module of the same name, the name alone is the module's.
            let root = thing.split("::").next().unwrap_or_default();
            let uses = paths_in("unstuck", &[root], module, text);
            // A glob or the parent itself hands out all that is inside.
            let uses = uses.into_iter().filter(|path| {
                within(path, thing) || path.starts_with("std") && within(thing, path)
            });
            found.extend(uses);
        }
    }
    found
}

#[test]
fn what_others_have_is_known_where_it_may_be_only() {
    for &folder in CRATES {
        for (module, text) in library(folder) {
            // Tests run on machines that have all this.
            if !module.iter().any(|name| name == "tests") {
                let found = strangers(folder, &module, &text);
                assert!(found.is_empty(), "{folder}: {} uses {found:?}", module.join("::"));
            }
        }
    }
    for (at, text) in [
        ("solve", "use std::time::{Duration, Instant};"),
        ("solve", "use std::time;"),
        ("solve", "use std::time::*;"),
        ("search::workers", "fn f() { std::thread::spawn(|| ()); }"),
        ("limits", "use std::{fmt, thread};"),
        ("backend::by_name", "use std::process::Command;"),
    ] {
        assert!(!strangers("src", &split(at), text).is_empty(), "unseen in {at}: {text}");
    }
    for (at, text) in [
        ("solve", "use std::time::Duration;"),
        ("solve", "use crate::machine::{Instant, sleep};"),
        ("certificate::folder", "use std::fs::{self, File};"),
        ("solve", "// std::thread::spawn\nfn f() { \"std::thread\"; }"),
    ] {
        assert_eq!(strangers("src", &split(at), text), Vec::<String>::new(), "in {at}: {text}");
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

/// The ways to standard output and standard error.
const WAYS_OUT: &[&str] = &[
    "print!",
    "println!",
    "dbg!",
    "stdout()",
    "stderr()",
    // Of an error of clap's.
    "error.print()",
    "error.exit()",
];

/// What others wrote reaches a terminal through one door, where it is made harmless.
#[test]
fn one_module_writes_to_the_terminal() {
    for &folder in CRATES {
        for (module, text) in library(folder) {
            let path = module.join("::");
            if folder == "cli" && PAST_THE_DOOR.iter().any(|(room, _)| within(&path, room)) {
                continue;
            }
            // What clap says of an error.
            let text = text.replace("error.use_stderr()", "");
            let ways: Vec<_> = WAYS_OUT.iter().filter(|way| says(&text, way)).collect();
            assert!(ways.is_empty(), "{folder}: {path} writes to the terminal: {ways:?}");
        }
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
            for path in paths_in(own, &crates, &module, &text) {
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
