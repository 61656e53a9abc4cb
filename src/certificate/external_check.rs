//! Independent proof checkers.
//!
//! What counts is the status line, never the exit code: cake_lpr ends with 0 when it rejects, and
//! lrat-trim with 20 when it accepts.

use crate::backend::external::{self, words};
use crate::limits::Limits;
use crate::proof::{ProofError, veripb};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
pub use unstuck_check::certificate::outside::{ExternalCheck, OutsideChecker};

/// A checker by its name on PATH, its path, or a command in which `{cnf}` and `{proof}` stand for
/// the two files; without these they are added at its end.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a>(pub &'a str);

impl OutsideChecker for Program<'_> {
    fn name(&self) -> &str {
        self.0
    }

    fn check(&self, formula: &Path, proof: &Path, limits: &Limits) -> ExternalCheck {
        let name = name(self.0);
        let sums = proof.extension().is_some_and(|extension| extension == veripb::EXTENSION);
        match (sums, name.contains("veripb")) {
            (true, true) => run(self.0, formula, proof, &["--opb"], limits),
            (true, false) => {
                let reason = format!("`{}` does not read proofs that add constraints", self.0);
                ExternalCheck::Missing(reason)
            }
            (false, _) if name.contains("drat") => {
                ExternalCheck::Missing(format!("`{}` does not read LRAT", self.0))
            }
            (false, true) => translated(self.0, formula, proof, limits),
            (false, false) => run(self.0, formula, proof, &[], limits),
        }
    }
}

/// The words of a checker's command. A path may have spaces, and is no command then.
fn command(program: &str) -> Vec<String> {
    let words = if Path::new(program).is_file() { None } else { words(program) };
    words.filter(|words| !words.is_empty()).unwrap_or_else(|| vec![program.to_owned()])
}

/// The name of a checker's program, which tells what it reads: of a command the first word that is the
/// name of one which is known.
fn name(program: &str) -> String {
    let file = |word: &String| {
        let name = Path::new(word).file_name().unwrap_or_default();
        name.to_string_lossy().to_lowercase()
    };
    let names: Vec<String> = command(program).iter().map(file).collect();
    let known = names.iter().find(|name| name.contains("veripb") || name.contains("drat"));
    known.unwrap_or(&names[0]).clone()
}

/// Runs VeriPB on a formula and its proof, which is translated for it.
fn translated(program: &str, cnf: &Path, proof: &Path, limits: &Limits) -> ExternalCheck {
    let translate = || {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("proof.pbp");
        let open = |path| File::open(path).map(BufReader::new);
        let (formula, proof) = (open(cnf)?, open(proof)?);
        let mut out = BufWriter::new(File::create(&path)?);
        veripb::translate(formula, proof, &mut out, limits)?;
        out.flush()?;
        Ok((folder, path))
    };
    match translate() {
        Ok((_folder, path)) => run(program, cnf, &path, &["--cnf"], limits),
        Err(ProofError::Stopped(stop)) => ExternalCheck::Stopped(stop),
        Err(error) => ExternalCheck::Missing(format!("the proof cannot be translated: {error}")),
    }
}

/// The status that an output reports: `Some(true)` verified, `Some(false)` refused; `None` where it says
/// neither, because the program failed.
pub fn status(output: &str) -> Option<bool> {
    let mut verified = None;
    for line in output.split(['\n', '\r']) {
        match line.trim() {
            "s VERIFIED" | "s VERIFIED UNSAT" | "s VERIFIED UNSATISFIABLE" | "c VERIFIED" => {
                verified = verified.or(Some(true));
            }
            line if REFUSALS.iter().any(|words| line.contains(words)) => {
                verified = Some(false);
            }
            _ => {}
        }
    }
    verified
}

/// What checkers say of a proof that they do not accept.
const REFUSALS: [&str; 4] = ["NOT VERIFIED", "FAILED", "Checking failed", "Verification error"];

/// Runs a checker on a formula and its proof. Where its command does not say how, it is given these
/// options.
fn run(
    program: &str,
    cnf: &Path,
    proof: &Path,
    options: &[&str],
    limits: &Limits,
) -> ExternalCheck {
    let missing =
        |error: std::io::Error| ExternalCheck::Missing(format!("cannot run `{program}`: {error}"));
    let Ok(folder) = tempfile::tempdir() else {
        return ExternalCheck::Missing("no folder for temporary files".to_owned());
    };
    let log = folder.path().join("output");
    let words = command(program);
    let fill = |word: &String| {
        let path = |file: &Path| file.display().to_string();
        word.replace("{cnf}", &path(cnf)).replace("{proof}", &path(proof))
    };
    let mut command = Command::new(&words[0]);
    command.args(words[1..].iter().map(fill)).stdin(Stdio::null());
    if !words.iter().any(|word| word.contains("{cnf}") || word.contains("{proof}")) {
        command.args(options).args([cnf, proof]);
    }
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
        None => ExternalCheck::Missing(format!(
            "`{program}` failed: it says neither that the proof is verified nor that it is not \
             ({ended}); last: {last}"
        )),
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
        assert_eq!(name("/x/Drat-Trim -f"), "drat-trim");
        let none = Path::new("none");
        let refused = Program("/x/drat-trim").check(none, none, &Limits::none());
        assert!(matches!(refused, ExternalCheck::Missing(reason) if reason.contains("LRAT")));
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
            run(&program.display().to_string(), none, none, &[], &Limits::none())
        };
        assert!(matches!(ask("echo 's VERIFIED'; exit 20"), ExternalCheck::Accepts(_)));
        assert!(matches!(ask("echo 's NOT VERIFIED'; exit 0"), ExternalCheck::Rejects(_)));
        assert!(matches!(
            ask("echo 'Error: Verification error at p:2'"),
            ExternalCheck::Rejects(_)
        ));
        for failure in ["exit 0", "exit 127", "echo oops; kill -9 $$"] {
            assert!(matches!(ask(failure), ExternalCheck::Missing(why) if why.contains("failed")));
        }
        let with = |name: &str| format!("{name} -a '{{proof}}' {{cnf}}");
        std::fs::write(&program, "#!/bin/sh\n[ \"$*\" = '-a p f' ] && echo 's VERIFIED'\n")
            .unwrap();
        let (cnf, proof) = (Path::new("f"), Path::new("p"));
        let command = with(&program.display().to_string());
        assert!(matches!(
            run(&command, cnf, proof, &[], &Limits::none()),
            ExternalCheck::Accepts(_)
        ));
        let missing = run("no-such-checker", Path::new("a"), Path::new("b"), &[], &Limits::none());
        assert!(matches!(missing, ExternalCheck::Missing(_)));
    }
}
