//! The checker as a program: `unstuck-check FOLDER...`.
//!
//! What it prints was written by others, so all of it is escaped.

use crate::certificate::check::{CheckError, check, why};
use crate::certificate::sentences::{self, ValidAnswer};
use crate::limits::Limits;
use crate::machine::half_of_memory;
use serde::Serialize;
use serde_json::json;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use unstuck_puzzles::printable::{cut, escape, one_line};

const HELP: &str = "\
Judges certificates of unstuck, without search and without a solver

Usage: unstuck-check [--json] [--trace-failed] FOLDER...

  --json          one JSON object a line
  --trace-failed  of a proof that fails, the step, what it names, and what follows from that
  -h, --help      this text
  -V, --version   the version

Exit codes: 0 all are valid, 1 one is not, 2 one cannot be read,
30 one is not judged: memory ran out, or what a move leads to is not known
";

/// What one certificate comes to.
#[derive(Serialize)]
#[serde(untagged)]
enum Verdict {
    Valid(Box<ValidAnswer>),
    Other(serde_json::Value),
}

/// Judges one certificate: the exit code, the text and the object.
fn judged(path: &Path, trace_failed: bool) -> (u8, String, Verdict) {
    let shown = path.display().to_string();
    let failed = |exit: u8, verdict: &str, reason: String| {
        let object =
            json!({"certificate": shown, "verdict": verdict, "exit": exit, "reason": reason});
        (exit, format!("{verdict}: {}\n", cut(&reason)), Verdict::Other(object))
    };
    // A certificate may ask for all the memory that there is.
    let limits = Limits::new(None, half_of_memory());
    match check(path, None, &limits, &mut |_| {}) {
        Ok(report) => {
            let text = format!("valid: {}", sentences::text(&report));
            (0, text, Verdict::Valid(Box::new(ValidAnswer::of(&report, &shown, 0))))
        }
        Err(CheckError::Invalid { reason, trace }) => {
            failed(1, "invalid", why(reason, &trace, trace_failed))
        }
        Err(CheckError::Stopped(stop)) => failed(30, "not judged", stop.to_string()),
        Err(error) => failed(2, "not judged", error.to_string()),
    }
}

/// Prints text that others have written, harmless.
fn print(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut shown = String::new();
    escape(text, &mut shown);
    out.write_all(shown.as_bytes())
}

/// Does what the arguments ask for; the exit code.
///
/// # Errors
/// When nothing can be written.
pub fn run(arguments: &[OsString], out: &mut dyn Write, errors: &mut dyn Write) -> io::Result<u8> {
    let (options, folders): (Vec<&OsString>, Vec<&OsString>) =
        arguments.iter().partition(|argument| argument.as_encoded_bytes().starts_with(b"-"));
    let (mut is_json, mut trace_failed) = (false, false);
    for option in options {
        match option.to_string_lossy().as_ref() {
            "--json" => is_json = true,
            "--trace-failed" => trace_failed = true,
            "-h" | "--help" => return print(out, HELP).map(|()| 0),
            "-V" | "--version" => {
                let version = env!("CARGO_PKG_VERSION");
                return print(out, &format!("unstuck-check {version}\n")).map(|()| 0);
            }
            other => {
                print(errors, &format!("there is no option {}\n\n{HELP}", one_line(other)))?;
                return Ok(2);
            }
        }
    }
    if folders.is_empty() {
        print(errors, &format!("no certificate given\n\n{HELP}"))?;
        return Ok(2);
    }
    let mut codes = Vec::with_capacity(folders.len());
    for folder in folders {
        let (code, text, verdict) = judged(Path::new(folder), trace_failed);
        codes.push(code);
        let text = match is_json {
            true => format!("{}\n", serde_json::to_string(&verdict)?),
            false => format!("{}\n{text}", one_line(&folder.to_string_lossy())),
        };
        print(out, &text)?;
    }
    // What is invalid outweighs what could not be judged.
    Ok([1, 2, 30].into_iter().find(|code| codes.contains(code)).unwrap_or(0))
}
