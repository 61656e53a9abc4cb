//! Any SAT solver that reads a DIMACS file, run as a child process.
//!
//! A command template names it: `cadical -q {cnf}`, `minisat {cnf} {out}`, `kissat --time={time}
//! {cnf} {proof}`. Without `{cnf}` the file's name is added at the end. The same template covers
//! wrappers that send the formula to another machine. The program is looked up on PATH.

use super::{Answer, Backend, BackendError, ProofFormat, Prover, SolverResult};
use crate::formula::dimacs::{self, SolverStatus};
use crate::formula::{ClauseList, Clauses};
use crate::limits::{Limits, Stop};
use crate::machine::groups;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use unstuck_encodings::{Lit, Model};

/// Exit codes of the SAT competitions; clasp ends with both together where its model is the only one.
const EXIT_SAT: i32 = 10;
const EXIT_UNSAT: i32 = 20;
const EXIT_ONLY_MODEL: i32 = EXIT_SAT + EXIT_UNSAT;

/// How long a program may take to show the form of its proofs.
const ASKING: Duration = Duration::from_secs(2);

/// How often a child process is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Whether a program is at this path; on Windows its name may lack `.exe`.
fn is_program(path: &Path) -> bool {
    let mut full = path.as_os_str().to_owned();
    full.push(std::env::consts::EXE_SUFFIX);
    path.is_file() || Path::new(&full).is_file()
}

/// The words of a command, quoted as in a shell; `None` where a quote is not closed. On Windows
/// backslashes are those of paths and quote nothing.
pub fn words(template: &str) -> Option<Vec<String>> {
    if cfg!(windows) { words_of_paths(template) } else { shlex::split(template) }
}

fn words_of_paths(template: &str) -> Option<Vec<String>> {
    // No argument of a program can have the stand-in.
    let words = shlex::split(&template.replace('\\', "\0"))?;
    Some(words.into_iter().map(|word| word.replace('\0', "\\")).collect())
}

/// A solver given as a command template.
#[derive(Clone, Debug)]
pub struct ExternalSolver {
    template: String,
    words: Vec<String>,
    /// The form of its proofs, once it was asked.
    format: OnceLock<Option<ProofFormat>>,
}

impl ExternalSolver {
    /// A solver from a command template; words may be quoted as in a shell.
    ///
    /// # Errors
    /// When the template is empty or a quote is not closed.
    pub fn new(template: &str) -> Result<Self, BackendError> {
        let words = words(template)
            .ok_or_else(|| BackendError(format!("`{template}`: a quote is not closed")))?;
        if words.is_empty() {
            return Err(BackendError("the solver's command is empty".to_owned()));
        }
        Ok(Self { template: template.to_owned(), words, format: OnceLock::new() })
    }

    /// Checks that the program can be run: that it is on PATH, or at the path that is given.
    ///
    /// # Errors
    /// When it is not there.
    pub fn find_program(&self) -> Result<(), BackendError> {
        let name = &self.words[0];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let given = Path::new(name).components().count() > 1;
        let there = match given {
            true => is_program(Path::new(name)),
            false => std::env::split_paths(&path).any(|folder| is_program(&folder.join(name))),
        };
        if there { Ok(()) } else { Err(BackendError(format!("program `{name}` not found"))) }
    }

    fn mentions(&self, placeholder: &str) -> bool {
        self.words.iter().any(|word| word.contains(placeholder))
    }

    fn command(&self, folder: &Path, limits: &Limits) -> Command {
        let seconds = limits.time_left().map_or(u64::from(u32::MAX), |left| left.as_secs() + 1);
        let path = |name: &str| folder.join(name).display().to_string();
        let fill = |word: &String| {
            word.replace("{cnf}", &path("formula.cnf"))
                .replace("{proof}", &path("proof"))
                .replace("{out}", &path("result"))
                .replace("{time}", &seconds.to_string())
        };
        let mut words = self.words.iter().map(fill);
        let mut command = Command::new(words.next().expect("a template has words"));
        command.args(words);
        if !self.mentions("{cnf}") {
            command.arg(folder.join("formula.cnf"));
        }
        command
    }

    /// Writes the formula, runs the solver, and reads its answer.
    fn run(
        &self,
        folder: &Path,
        clauses: &dyn Clauses,
        limits: &Limits,
    ) -> Result<(Answer, Option<u64>), BackendError> {
        let failed = |what: &str, error: &io::Error| BackendError(format!("{what}: {error}"));
        let write = || {
            let mut file = BufWriter::new(File::create(folder.join("formula.cnf"))?);
            dimacs::write_cnf(&mut file, clauses, [])?;
            file.flush()
        };
        write().map_err(|error| failed("the formula cannot be written", &error))?;
        let output = File::create(folder.join("output"))
            .map_err(|error| failed("the solver's output cannot be kept", &error))?;
        let mut command = self.command(folder, limits);
        command.stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
        let status = match run(&mut command, limits) {
            Ok(Ok(status)) => status,
            Ok(Err(stop)) => return Ok((Answer::Stopped(stop), None)),
            Err(error) => return Err(failed(&format!("cannot run `{}`", self.words[0]), &error)),
        };
        let read = |name: &str| {
            let bytes = std::fs::read(folder.join(name))
                .map_err(|error| failed("the solver's answer cannot be read", &error))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let output = read("output")?;
        let conflicts = conflicts(&output);
        let said = if self.mentions("{out}") { read("result")? } else { output };
        Ok((self.judge(clauses, status, &said)?, conflicts))
    }

    /// An answer counts only when exit code and status line agree and a model is one.
    fn judge(
        &self,
        clauses: &dyn Clauses,
        status: ExitStatus,
        text: &str,
    ) -> Result<Answer, BackendError> {
        let name = &self.words[0];
        let said = dimacs::read_output(text)
            .map_err(|error| BackendError(format!("`{name}` ({status}) said: {error}")))?;
        match (said, status.code()) {
            (SolverStatus::Sat(lits), Some(EXIT_SAT | EXIT_ONLY_MODEL)) => {
                let model: Model = dimacs::checked_model(clauses, &lits)
                    .map_err(|error| BackendError(format!("the model of `{name}`: {error}")))?;
                Ok(Answer::Sat(model))
            }
            (SolverStatus::Unsat, Some(EXIT_UNSAT)) => Ok(Answer::Unsat),
            (SolverStatus::Unknown, _) => Ok(Answer::Stopped(Stop::Time)),
            (said, _) => {
                let word =
                    if said == SolverStatus::Unsat { "unsatisfiable" } else { "satisfiable" };
                let message = format!("`{name}` says {word} but ends with {status}");
                Err(BackendError(message))
            }
        }
    }
}

/// Runs a program until it ends or a limit strikes. It gets a process group of its own, which ends
/// with it: whatever it has started ends too. The outer error is the system's.
///
/// # Errors
/// When the program cannot be started or watched.
pub fn run(command: &mut Command, limits: &Limits) -> io::Result<Result<ExitStatus, Stop>> {
    let mut child = groups::spawn_apart(command)?;
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(Ok(status)),
            Ok(None) => {}
            Err(error) => break Err(error),
        }
        if let Some(stop) = limits.reached_any() {
            break Ok(Err(stop));
        }
        crate::machine::sleep(POLL_INTERVAL);
    };
    groups::end(&mut child);
    ended
}

/// The number of conflicts in a solver's statistics: a line such as `c conflicts: 123` (CaDiCaL,
/// Kissat) or `conflicts : 123` (MiniSat and its children).
fn conflicts(output: &str) -> Option<u64> {
    output.lines().find_map(|line| {
        let line = line.strip_prefix("c ").unwrap_or(line).trim_start();
        let after = line.strip_prefix("conflicts")?;
        let number = after.trim_start().strip_prefix(':')?.split_whitespace().next()?;
        number.parse().ok()
    })
}

fn folder() -> Result<tempfile::TempDir, BackendError> {
    tempfile::Builder::new()
        .prefix("unstuck-")
        .tempdir()
        .map_err(|error| BackendError(format!("no folder for temporary files: {error}")))
}

impl Backend for ExternalSolver {
    fn name(&self) -> String {
        self.template.clone()
    }

    /// One: a program may use all cores by itself.
    fn at_once(&self) -> usize {
        1
    }

    /// There is no common way to ask for models nearby, so any model will do.
    fn decide(
        &self,
        clauses: &dyn Clauses,
        _near: Option<&Model>,
        limits: &Limits,
    ) -> Result<SolverResult, BackendError> {
        let (answer, conflicts) = self.run(folder()?.path(), clauses, limits)?;
        Ok(SolverResult { answer, conflicts })
    }

    fn prover(&self) -> Option<&dyn Prover> {
        self.mentions("{proof}").then_some(self)
    }
}

impl Prover for ExternalSolver {
    /// What the options of the template make it write, as a small refutation shows.
    fn format(&self) -> Option<ProofFormat> {
        *self.format.get_or_init(|| {
            let mut contradiction = ClauseList::default();
            for (one, other) in [(1, 2), (1, -2), (-1, 2), (-1, -2)] {
                contradiction.add([one, other].into_iter().filter_map(Lit::from_dimacs));
            }
            let limits = Limits::none().within(ASKING);
            let mut proof = Vec::new();
            let answer = self.refute(&contradiction, &mut proof, &limits);
            ProofFormat::of(&proof).filter(|_| answer == Ok(Answer::Unsat))
        })
    }

    fn refute(
        &self,
        clauses: &dyn Clauses,
        proof: &mut (dyn Write + Send),
        limits: &Limits,
    ) -> Result<Answer, BackendError> {
        let folder = folder()?;
        let (answer, _) = self.run(folder.path(), clauses, limits)?;
        if answer == Answer::Unsat {
            let copied = File::open(folder.path().join("proof"))
                .and_then(|mut file| io::copy(&mut file, proof));
            copied.map_err(|error| BackendError(format!("the solver's proof: {error}")))?;
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_read_from_statistics() {
        assert_eq!(conflicts("c ---\nc conflicts:   123   45.00 per second\n"), Some(123));
        assert_eq!(conflicts("restarts : 2\nconflicts             : 77  (5 /sec)\n"), Some(77));
        assert_eq!(conflicts("s UNSATISFIABLE\n"), None);
    }

    #[test]
    fn backslashes_of_windows_are_those_of_paths() {
        let words = |template: &str| words_of_paths(template).unwrap_or_default();
        assert_eq!(words(r"C:\sat\kissat.exe -q {cnf}"), [r"C:\sat\kissat.exe", "-q", "{cnf}"]);
        for quote in ['"', '\''] {
            let template = format!(r"{quote}C:\my solvers\a.exe{quote} {quote}D:\{quote} {{cnf}}");
            assert_eq!(words(&template), [r"C:\my solvers\a.exe", r"D:\", "{cnf}"]);
        }
        assert_eq!(words_of_paths(r#"C:\a "open"#), None);
    }

    #[test]
    fn templates_are_words() {
        assert!(ExternalSolver::new("").is_err() && ExternalSolver::new("solver 'open").is_err());
        let solver = ExternalSolver::new("solver --proof={proof} {cnf}").expect("a template");
        assert!(solver.prover().is_some() && !solver.mentions("{out}"));
    }
}
