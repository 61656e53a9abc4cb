//! `unstuck check`: judges a certificate from the puzzle's text alone.

use super::progress::Display;
use super::text::{Text, cut, one_line};
use super::{
    CommandResult, Failure, INVALID, USAGE, applies, arguments, guard, json, lock, of_checks,
    output,
};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use unstuck::certificate::check::{CheckError, Report, check};
use unstuck::certificate::{Evidence, MANIFEST};
use unstuck::registry::by_name;
use unstuck_puzzles::Style;

const LONG_HELP: &str = "\
PATH is the folder of a certificate, a folder of such folders, or a lock.

Formulas are compiled again from the puzzle's text and compared clause for
clause, moves are replayed, lists and proofs are verified. The answer says what
was checked, and what had to be trusted.

Each field of a lock is derived again from its solutions and
certificates, and compared; levels are found by what they are, else by title,
else by number. A lock is valid when every level of its files has an entry, no
entry has lost its level, and a certificate (where any solution will do, a
solution) shows all that each entry says. With --allow-uncertified entries that
nothing contradicts and levels without an entry are counted and accepted; what
has changed, is gone or is wrong never is.

Exit codes: 0 valid; 1 invalid; 2 wrong usage, or not a certificate that can be
read; 30 a limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck check certificate
  unstuck check certificate --with drat-trim  verified by an external checker too
  unstuck check certificates                  all in this folder
  unstuck check maps/unstuck.lock             all that `unstuck lock` wrote";

pub(super) fn command() -> Command {
    arguments::command("check", "Check certificates and locks", LONG_HELP, EXAMPLES)
        .args([
            Arg::new("certificate")
                .value_name("PATH")
                .required_unless_present("locked")
                .value_parser(value_parser!(PathBuf))
                .help("Folder of a certificate, a folder of several, or a lock"),
            Arg::new("locked")
                .long("locked")
                .value_name("LOCK")
                .num_args(0..=1)
                .default_missing_value(lock::LOCK)
                .conflicts_with_all(["certificate", "with"])
                .value_parser(value_parser!(PathBuf))
                .hide_short_help(true)
                .help("The same as PATH for a lock [default: unstuck.lock]"),
            Arg::new("allow-uncertified")
                .long("allow-uncertified")
                .action(ArgAction::SetTrue)
                .help("Locks: accept what no certificate shows, and levels without entry"),
            arguments::target("junit", "FILE", "Locks: a report for build servers"),
            arguments::force().requires("junit"),
            Arg::new("with").long("with").value_name("PROGRAM").help(
                "An external checker for the proofs: drat-trim, lrat-check, lrat-trim, cake_lpr, or a path",
            ),
        ])
        .args(arguments::limits())
        .args(arguments::output())
}

pub(super) fn run(matches: &ArgMatches) -> CommandResult {
    if let Some(lock) = matches.get_one::<PathBuf>("locked") {
        return lock::check_locked(matches, lock);
    }
    let path = matches.get_one::<PathBuf>("certificate").expect("required");
    let beside = path.join(lock::LOCK);
    // A lock that cannot be read must not pass for none.
    let is_beside = beside.symlink_metadata().is_ok();
    let lock = if path.is_file() { Some(path) } else { Some(&beside).filter(|_| is_beside) };
    let is_certificate = path.join(MANIFEST).symlink_metadata().is_ok();
    if let (false, Some(lock)) = (is_certificate, lock) {
        applies::none(matches, &["with"], "a lock has its certificates beside it")?;
        return lock::check_locked(matches, lock);
    }
    applies::none(matches, &["junit", "allow-uncertified"], "is for locks")?;
    if is_certificate || !path.is_dir() {
        return one(matches, path);
    }
    let below = certificates_below(path)?;
    if below.is_empty() {
        let message = format!("{}: no certificate in this folder", path.display());
        return Err(Failure::usage(message)
            .help("`unstuck prove` writes them; a store is checked by `unstuck farm check`"));
    }
    guard::levels(below.len());
    let mut codes = Vec::new();
    for certificate in &below {
        if arguments::interrupt().load(Ordering::Relaxed) {
            codes.push(30);
            break;
        }
        if !matches.get_flag("json") {
            output::print(format!("{}\n", one_line(&certificate.display().to_string())));
        }
        let as_json = matches.get_flag("json");
        let checked = one(matches, certificate);
        codes.push(checked.unwrap_or_else(|failure| failure.report("check", as_json)));
    }
    if !matches.get_flag("json") {
        let valid = codes.iter().filter(|&&code| code == 0).count();
        output::print(format!("{valid} of {} certificates are valid\n", below.len()));
    }
    Ok(of_checks(&codes))
}

/// The certificates in a folder of several, by name.
///
/// # Errors
/// When the folder cannot be read whole: none of them must be passed over.
fn certificates_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |error| Failure::file(&folder.display().to_string(), &error);
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(fail)?.collect();
    let folders = entries.map_err(fail)?.into_iter().map(|entry| entry.path());
    let mut found: Vec<_> =
        folders.filter(|path| path.join(MANIFEST).symlink_metadata().is_ok()).collect();
    found.sort();
    Ok(found)
}

/// Checks one certificate.
fn one(matches: &ArgMatches, path: &Path) -> CommandResult {
    let with = matches.get_one::<String>("with").map(String::as_str);
    let limits = arguments::given_limits(matches);
    let shown = path.display().to_string();
    let (as_json, quiet) = (matches.get_flag("json"), matches.get_flag("quiet"));
    guard::subject(&shown);
    let display = Display::of(&shown, matches);
    let checked = check(path, with, &limits, &mut |text| display.say(text));
    drop(display);
    match checked {
        Ok(report) => {
            output::print(match (as_json, quiet) {
                (true, _) => {
                    let mut value = json::object("check");
                    complete(&mut value, &report, &shown);
                    value["board"] = json!(report.instance.picture(None, Style::Plain));
                    value["exit"] = json!(0);
                    Text::from(&format!("{value}\n"))
                }
                (_, true) => Text::from("valid\n"),
                _ => judged(&report),
            });
            Ok(guard::answered(0))
        }
        Err(CheckError::Invalid(reason)) => {
            output::print(&if as_json {
                let mut value = json::object("check");
                value["certificate"] = json!(shown);
                value["verdict"] = json!("invalid");
                value["exit"] = json!(INVALID);
                value["reason"] = json!(reason);
                format!("{value}\n")
            } else {
                format!("invalid: {}\n", cut(&reason))
            });
            Ok(INVALID)
        }
        Err(CheckError::Stopped(stop)) => {
            Err(Failure::new(30, format!("{shown}: not judged: {stop}")))
        }
        Err(error) => Err(Failure::new(USAGE, error.to_string()).advised(error.advice())),
    }
}

/// The question: puzzle, options that are not the default, objective, reading. The reader of the
/// verdict has to know what was asked.
fn question(report: &Report) -> String {
    let manifest = &report.manifest;
    let mut parts = vec![manifest.family.clone()];
    parts.extend(report.title.as_ref().map(|title| format!("{title:?}")));
    let specs = by_name(&manifest.family).map_or(&[][..], |family| family.options);
    for (name, value) in report.options.iter() {
        let spec = specs.iter().find(|spec| spec.name == name);
        if spec.is_none_or(|spec| spec.default != value) {
            let plain = value.chars().all(|c| c.is_ascii_graphic());
            let value = if plain { value.to_owned() } else { format!("{value:?}") };
            parts.push(format!("{name} {value}"));
        }
    }
    if !manifest.after.is_empty() {
        // What is no line of moves is drawn.
        parts.push(match manifest.after.trim_end().contains('\n') {
            true => "in the position that `after` draws in certificate.json".to_owned(),
            false => format!("after the moves {}", one_line(&cut(manifest.after.trim_end()))),
        });
    }
    if !manifest.constraints.is_empty() {
        parts.push(format!("with the constraints: {}", manifest.constraints));
    }
    parts.push(format!("objective {}", manifest.objective.name()));
    if !manifest.reading.is_empty() {
        parts.push(format!("reading {}", manifest.reading));
    }
    parts.join(", ")
}

fn claim(report: &Report) -> String {
    let manifest = &report.manifest;
    manifest.claim.sentence(report.instance.measures(), manifest.objective)
}

/// The verdict with the board that it is about: the reader of a verdict has to see what was asked.
fn judged(report: &Report) -> Text {
    let text = text(report);
    let (question, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut shown = Text::from(&format!("valid: {question}\n"));
    if let Some(board) = report.instance.picture(None, output::style(false)) {
        let board = board.trim_end_matches('\n');
        shown.push_drawing(&format!("board:\n{board}\n"));
    }
    shown.push_str(rest);
    shown
}

/// What is certified, what was checked, what had to be trusted.
pub(super) fn text(report: &Report) -> String {
    let manifest = &report.manifest;
    let mut text = format!("{}: {}, certified", question(report), claim(report));
    if let Evidence::ClosedSet { bound: Some(bound), .. } = &manifest.evidence {
        text.push_str(&format!(" given the bound {}", one_line(bound)));
    }
    text.push('\n');
    if let Some(solution) = &report.solution {
        text.push_str(&format!("solution: {}\n", solution.text().trim_end()));
    }
    for sentence in &report.checked {
        text.push_str(&format!("checked: {sentence}\n"));
    }
    for sentence in &report.trusted {
        text.push_str(&format!("trusted: {sentence}\n"));
    }
    text
}

/// The same for programs: completes an object.
pub(super) fn complete(value: &mut Value, report: &Report, path: &str) {
    let manifest = &report.manifest;
    let bound = match &manifest.evidence {
        Evidence::ClosedSet { bound, .. } => bound.as_deref(),
        _ => None,
    };
    let fields = json!({
        "certificate": path,
        "verdict": "valid",
        "claim": claim(report),
        "objective": manifest.objective.name(),
        "puzzle": manifest.family,
        "title": report.title,
        "options": report.options.iter().collect::<BTreeMap<_, _>>(),
        "reading": manifest.reading,
        "after": Some(&manifest.after).filter(|after| !after.is_empty()),
        "wishes": (!manifest.constraints.is_empty()).then(|| manifest.constraints.to_string()),
        "evidence": manifest.evidence.name(),
        "bound": bound,
        "moves": report.solution.as_ref().map(|solution| solution.text()),
        "checked": report.checked,
        "trusted": report.trusted,
    });
    for (name, field) in fields.as_object().into_iter().flatten() {
        value[name] = field.clone();
    }
}
