//! The program as people run it: exit codes, and what it prints.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use unstuck_check::certificate::files::hex;

/// A level whose box cannot leave its corner, and the closed set that shows it.
const LEVEL: &str = "#####\n#$  #\n#@ .#\n#####\n";

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn sum(text: &str) -> String {
    hex(&Sha256::digest(text))
}

/// A certificate that the level is solved already, or not, with a title that would clear a terminal.
fn certificate(folder: &Path, level: &str) {
    let level = format!("{level}Title: \u{1b}[2Jvalid\n");
    let manifest = serde_json::json!({
        "schema": 1, "tool": "by hand", "family": "sokoban", "reading": "", "options": {},
        "objective": "pushes", "claim": "optimal", "cost": 0, "evidence": {"kind": "nothing"},
        "encodings": {},
        "files": {"puzzle.txt": sum(&level), "moves.txt": sum("\n")},
    });
    fs::write(folder.join("puzzle.txt"), level).expect("a file");
    fs::write(folder.join("moves.txt"), "\n").expect("a file");
    fs::write(folder.join("certificate.json"), manifest.to_string()).expect("a file");
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unstuck-check")).args(arguments).output().expect("it runs")
}

#[test]
fn exit_codes_and_words() {
    let (valid, invalid) = (folder("valid"), folder("invalid"));
    certificate(&valid, "####\n#@*#\n####\n");
    certificate(&invalid, LEVEL);
    let [valid, invalid] = [&valid, &invalid].map(|it| it.to_str().expect("text"));
    let missing = format!("{valid}/missing");
    for (arguments, code, word) in [
        (vec![valid], 0, "valid: sokoban"),
        (vec![invalid], 1, "invalid: moves.txt"),
        (vec![&missing, valid], 2, "not judged: "),
        (vec![valid, &missing, invalid], 1, "invalid: "),
        (vec!["--json", valid], 0, "\"verdict\":\"valid\""),
        (vec!["--json", valid], 0, "\"exit\":0}"),
        (vec!["--json", invalid], 1, "\"verdict\":\"invalid\""),
        (vec!["--help"], 0, "Usage: unstuck-check"),
        (vec!["--version"], 0, "unstuck-check 0."),
    ] {
        let said = run(&arguments);
        let out = String::from_utf8(said.stdout).expect("text");
        assert_eq!(said.status.code(), Some(code), "{arguments:?}: {out}");
        assert!(out.contains(word), "{arguments:?}: {out}");
        assert!(!out.contains('\u{1b}'), "{arguments:?}: {out}");
    }
    for arguments in [vec![], vec!["--with", "x"], vec!["--json"]] {
        let said = run(&arguments);
        assert_eq!(said.status.code(), Some(2), "{arguments:?}");
        assert!(said.stdout.is_empty() && !said.stderr.is_empty(), "{arguments:?}");
    }
}
