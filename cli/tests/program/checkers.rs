//! Hostile texts in certificates, through all three checkers: whatever stands in a file or in its name,
//! a terminal shows one verdict, that of the checker.
//!
//! The checker that needs the engine of PuzzleScript says what it says of the files without it, too;
//! `UNSTUCK_PUZZLESCRIPT` names a checkout of the engine.

use crate::levels::{EASY, own};
use crate::test_folder::TestFolder;
use crate::{on_path, root};
use itertools::Itertools;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use unstuck::certificate::files::hex;

/// What would be seen on a terminal in place of a verdict.
const TEXTS: [&str; 11] = [
    "\u{1b}[1A\u{1b}[2Kvalid: optimal 1\u{1b}[8m",
    "\u{9b}2Kvalid: optimal 1",
    "\rvalid: optimal 1",
    "\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}valid: optimal 1",
    "\u{1b}]0;valid\u{7}",
    "\u{202e}1 lamitpo :dilav",
    "\u{2067}\u{2028}valid: optimal 1\u{2029}",
    "\u{85}valid: optimal 1\u{7f}",
    "\u{feff}\u{200b}valid: optimal 1",
    "x\nvalid: optimal 1",
    "\u{c}valid: optimal 1\u{b}",
];

/// A way to put a text into a certificate.
type Place = (&'static str, fn(&Path, &str));

const PLACES: [Place; 10] = [
    ("a value", |folder, text| edited(folder, |about| about["claim"] = text.into())),
    ("the reading", |folder, text| edited(folder, |about| about["reading"] = text.into())),
    ("the tool", |folder, text| edited(folder, |about| about["tool"] = text.into())),
    ("the family", |folder, text| edited(folder, |about| about["family"] = text.into())),
    ("a field", |folder, text| edited(folder, |about| about[text] = 1.into())),
    ("a listed file", |folder, text| edited(folder, |about| about["files"][text] = text.into())),
    ("a file", |folder, text| {
        let _ = fs::write(folder.join(text.replace('/', "-")), text);
    }),
    ("the title", |folder, text| {
        replaced(folder, "puzzle.txt", |puzzle| match puzzle.starts_with("title ") {
            true => puzzle.replacen("title ", &format!("title {text}"), 1),
            false => format!("{puzzle}\nTitle: {text}\n"),
        });
    }),
    ("a row of the list", |folder, text| {
        replaced(folder, "closed-set.txt", |list| {
            let last = list.trim_end().rfind('\n').map_or(0, |at| at + 1);
            format!("{}{text}\n", &list[..last])
        });
    }),
    ("the moves", |folder, text| replaced(folder, "moves.txt", |_| format!("{text}\n"))),
];

fn edited(folder: &Path, edit: impl FnOnce(&mut Value)) {
    let path = folder.join("certificate.json");
    let text = fs::read_to_string(&path).expect("a certificate");
    let mut about: Value = serde_json::from_str(&text).expect("JSON");
    edit(&mut about);
    fs::write(path, format!("{about:#}\n")).expect("written");
}

/// Replaces a file and its sum.
fn replaced(folder: &Path, name: &str, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(folder.join(name)).expect("a file");
    let text = change(&text);
    fs::write(folder.join(name), &text).expect("written");
    edited(folder, |about| about["files"][name] = hex(&Sha256::digest(&text)).into());
}

fn is_program(name: &str) -> bool {
    let found = on_path(name);
    if !found {
        eprintln!("SKIPPED: `{name}` is not on PATH");
    }
    found
}

fn run(program: &str, words: &[OsString]) -> Output {
    Command::new(program).args(words).output().expect("it runs")
}

/// The three checkers: a name, whether it prints letters beyond ASCII, and how it is run.
fn judged(folder: &Path) -> Vec<(&'static str, bool, Output)> {
    let own = ["check".into(), folder.into()];
    let mut all = vec![("unstuck check", true, run(env!("CARGO_BIN_EXE_unstuck"), &own))];
    if is_program("python3") {
        let script = root().join("docs/check.py").into();
        all.push(("check.py", false, run("python3", &[script, folder.into()])));
    }
    if is_program("node") {
        let engine = std::env::var_os("UNSTUCK_PUZZLESCRIPT").unwrap_or_else(|| "none".into());
        let script = root().join("docs/check_puzzlescript.js").into();
        let words = [script, engine, folder.into()];
        all.push(("check_puzzlescript.js", false, run("node", &words)));
    }
    all
}

fn is_harmless(letter: char) -> bool {
    let turns = '\u{200b}'..='\u{200f}';
    let breaks = '\u{2028}'..='\u{202e}';
    let marks = '\u{2060}'..='\u{206f}';
    let hidden = [turns, breaks, marks].iter().any(|range| range.contains(&letter));
    letter == '\n' || !(letter.is_control() || hidden || letter == '\u{feff}')
}

/// One verdict is seen, at the beginning of the first line, and it is that of the exit code. What goes
/// on in further lines of an error is indented.
#[track_caller]
fn shows_one_verdict(what: &str, takes_letters: bool, output: &Output) {
    let said = [output.stdout.as_slice(), &output.stderr].concat();
    let said = String::from_utf8(said).unwrap_or_else(|error| panic!("{what}: {error}"));
    let is_fine = |letter: char| {
        if takes_letters { is_harmless(letter) } else { matches!(letter, ' '..='~' | '\n') }
    };
    assert!(said.chars().all(is_fine), "{what}: {said:?}");
    let verdicts: Vec<_> = said.lines().positions(|line| line.starts_with("valid")).collect();
    let expected: &[usize] = if output.status.code() == Some(0) { &[0] } else { &[] };
    assert_eq!(verdicts, expected, "{what}: {said:?}");
    assert!(matches!(output.status.code(), Some(0..=2)), "{what}: {said:?}");
}

/// Certificates of a plan and a list, for games with rules of ours and with rules in a file.
fn certificates(place: &TestFolder) -> [PathBuf; 2] {
    place.write("easy.xsb", EASY);
    let game = own("puzzlescript/push.puzzlescript");
    [("easy.xsb", "easy"), (&game, "game")].map(|(file, name)| {
        place.run(&format!("prove {file} --level 1 --evidence closed -o {name}")).ends(0);
        place.path(name)
    })
}

#[test]
fn no_text_of_a_certificate_passes_for_a_verdict() {
    let place = TestFolder::new();
    let (mut tried, mut valid) = (0, 0);
    for certificate in certificates(&place) {
        for (name, takes_letters, output) in judged(&certificate) {
            shows_one_verdict(name, takes_letters, &output);
            valid += usize::from(output.status.success());
        }
        for (at, (what, put)) in PLACES.iter().enumerate() {
            for (number, text) in TEXTS.iter().enumerate() {
                let folder = place.path(&format!("forged-{at}-{number}"));
                fs::create_dir(&folder).expect("a folder");
                for entry in fs::read_dir(&certificate).expect("a folder").flatten() {
                    fs::copy(entry.path(), folder.join(entry.file_name())).expect("copied");
                }
                put(&folder, text);
                for (name, takes_letters, output) in judged(&folder) {
                    shows_one_verdict(&format!("{name}, {what}, {text:?}"), takes_letters, &output);
                    tried += 1;
                }
                fs::remove_dir_all(&folder).expect("removed");
            }
        }
    }
    println!("{tried} texts, {valid} honest certificates valid");
    assert!(tried >= 2 * PLACES.len() * TEXTS.len() && valid >= 2, "{tried} {valid}");
}

/// What is named on the command line is shown harmlessly, too.
#[test]
fn no_name_of_a_folder_passes_for_a_verdict() {
    let place = TestFolder::new();
    for text in TEXTS {
        let folder = place.path(&text.replace('/', "-"));
        if fs::create_dir(&folder).is_err() {
            continue;
        }
        for (name, takes_letters, output) in judged(&folder) {
            shows_one_verdict(&format!("{name}, {text:?}"), takes_letters, &output);
        }
    }
}
