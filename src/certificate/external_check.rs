//! Independent proof checkers.
//!
//! What counts is the status line, never the exit code: cake_lpr ends with 0 when it rejects, and
//! lrat-trim with 20 when it accepts.

use crate::backend::external;
use crate::limits::Limits;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
pub use unstuck_check::certificate::outside::{ExternalCheck, OutsideChecker};

/// A checker by its name on PATH, or its path.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a>(pub &'a str);

impl OutsideChecker for Program<'_> {
    fn name(&self) -> &str {
        self.0
    }

    fn check(&self, cnf: &Path, proof: &Path, limits: &Limits) -> ExternalCheck {
        match reads(self.0) {
            true => run(self.0, cnf, proof, limits),
            false => ExternalCheck::Missing(format!("`{}` does not read LRAT", self.0)),
        }
    }
}

/// Whether a checker reads LRAT, as far as its name shows.
fn reads(program: &str) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    !name.contains("drat")
}

/// The status that an output reports: `Some(true)` verified, `Some(false)` refused.
pub fn status(output: &str) -> Option<bool> {
    let mut verified = None;
    for line in output.split(['\n', '\r']) {
        match line.trim() {
            "s VERIFIED" | "s VERIFIED UNSAT" | "c VERIFIED" => verified = verified.or(Some(true)),
            line if line.contains("NOT VERIFIED") || line.contains("FAILED") => {
                verified = Some(false);
            }
            _ => {}
        }
    }
    verified
}

/// Runs a checker (a name on PATH, or a path) on a formula and its proof.
fn run(program: &str, cnf: &Path, proof: &Path, limits: &Limits) -> ExternalCheck {
    let missing =
        |error: std::io::Error| ExternalCheck::Missing(format!("cannot run `{program}`: {error}"));
    let Ok(folder) = tempfile::tempdir() else {
        return ExternalCheck::Missing("no folder for temporary files".to_owned());
    };
    let log = folder.path().join("output");
    let mut command = Command::new(program);
    command.args([cnf, proof]).stdin(Stdio::null());
    let ended = File::create(&log).and_then(|out| {
        let errors = out.try_clone()?;
        external::run(command.stdout(out).stderr(errors), limits)
    });
    let ended = match ended {
        Ok(Ok(status)) => status,
        Ok(Err(stop)) => return ExternalCheck::Stopped(stop),
        Err(error) => return missing(error),
    };
    let output = match std::fs::read(&log) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return missing(error),
    };
    let last = output.split(['\n', '\r']).map(str::trim).rfind(|line| !line.is_empty());
    let last = last.unwrap_or("no output").to_owned();
    match status(&output) {
        Some(true) => ExternalCheck::Accepts("VERIFIED".to_owned()),
        Some(false) => ExternalCheck::Rejects(last),
        None => {
            ExternalCheck::Rejects(format!("no line that says VERIFIED ({ended}); last: {last}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_counts() {
        assert_eq!(status("c hello\n\rs VERIFIED\n"), Some(true));
        assert_eq!(status("s VERIFIED UNSAT\n"), Some(true));
        assert_eq!(status("c VERIFIED\n"), Some(true));
        assert_eq!(status("s NOT VERIFIED\n"), Some(false));
        assert_eq!(status("c FAILED\ns VERIFIED\n"), Some(false));
        assert_eq!(status("c the word VERIFIED in a sentence\n"), None);
        assert_eq!(status(""), None);
    }

    #[test]
    fn names_tell_what_a_checker_reads() {
        assert!(["/x/lrat-check", "cake_lpr", "mine"].into_iter().all(reads));
        assert!(!reads("/x/drat-trim"));
    }

    #[cfg(unix)]
    #[test]
    fn exit_codes_are_not_believed() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("checker");
        let ask = |script: &str| {
            std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&program, mode).unwrap();
            let none = Path::new("none");
            run(&program.display().to_string(), none, none, &Limits::none())
        };
        assert!(matches!(ask("echo 's VERIFIED'; exit 20"), ExternalCheck::Accepts(_)));
        assert!(matches!(ask("echo 's NOT VERIFIED'; exit 0"), ExternalCheck::Rejects(_)));
        assert!(matches!(ask("exit 0"), ExternalCheck::Rejects(_)));
        let missing = run("no-such-checker", Path::new("a"), Path::new("b"), &Limits::none());
        assert!(matches!(missing, ExternalCheck::Missing(_)));
    }
}
