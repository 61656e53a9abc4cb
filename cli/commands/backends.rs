//! `unstuck backends`: the SAT solvers that are there, and what each can do.

use crate::answer::Answer;
use crate::driver::{self, Run, Watched};
use crate::input::args::{self, long_help};
use crate::terminal::failure::CommandResult;
use crate::terminal::output::OutputArgs;
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::process::{Command as Process, Stdio};
use unstuck::backend::{self, Backend, ProofFormat, external};

const LONG_HELP: &str = "\
Without arguments: built-in solvers and the well-known programs that are found.
Names and commands are those that `--backend` takes.

Exit codes: 0 all requested solvers are available; 2 one is not.";

const EXAMPLES: &str = "\
Examples:
  unstuck backends
  unstuck backends 'glucose {cnf}' --json";

/// List available SAT solvers and what each can do
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct BackendsCommand {
    /// Only these solvers [default: built-in ones and well-known programs]
    #[arg(value_name = "NAME|COMMAND")]
    backends: Vec<String>,
    /// Print one JSON object for each
    #[arg(long)]
    json: bool,
}

/// A solver and what is known of it.
struct BackendInfo {
    /// What `--backend` takes.
    given: String,
    backend: Box<dyn Backend>,
    version: Option<String>,
}

/// A solver that is there.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BackendAnswer {
    /// What `--backend` takes.
    backend: String,
    /// Its name.
    name: String,
    /// Its version, where it says so.
    version: Option<String>,
    /// Whether it is part of the program.
    built_in: bool,
    /// The format in which it writes proofs; none where it writes none.
    #[cfg_attr(test, schemars(extend("items" = { "enum": ["drat", "binary-drat", "lrat"] })))]
    proofs: Vec<&'static str>,
    /// Whether it goes on from question to question.
    assumptions: bool,
}

impl BackendInfo {
    fn proofs(&self) -> Vec<&'static str> {
        let format = self.backend.prover().and_then(|prover| prover.format());
        let name = |format| match format {
            ProofFormat::Drat => "drat",
            ProofFormat::BinaryDrat => "binary-drat",
            ProofFormat::Lrat => "lrat",
        };
        format.map(name).into_iter().collect()
    }

    fn is_built_in(&self) -> bool {
        backend::is_built_in(&self.given)
    }

    fn answer(&self) -> BackendAnswer {
        BackendAnswer {
            backend: self.given.clone(),
            name: self.backend.name(),
            version: self.version.clone(),
            built_in: self.is_built_in(),
            proofs: self.proofs(),
            assumptions: self.backend.incremental().is_some(),
        }
    }

    fn sentences(&self) -> String {
        let mut text = format!("{}\n", self.given);
        let kind = if self.is_built_in() { "built in" } else { "external program" };
        let version = self.version.as_deref().map_or(String::new(), |it| format!(", version {it}"));
        let _ = writeln!(text, "  {}: {kind}{version}", self.backend.name());
        let proofs = self.proofs();
        let _ = match &proofs[..] {
            [] => writeln!(text, "  proofs: none"),
            some => writeln!(text, "  proofs: {}", some.join(", ")),
        };
        let assumptions = self.backend.incremental().is_some();
        let _ = writeln!(
            text,
            "  incremental, with assumptions: {}",
            if assumptions { "yes" } else { "no" }
        );
        text
    }
}

/// The first line that a program says when asked for its version, if that is one.
fn version(template: &str) -> Option<String> {
    let program = external::words(template)?.into_iter().next()?;
    let mut asked = Process::new(program);
    asked.arg("--version").stdin(Stdio::null()).stderr(Stdio::null());
    let said = String::from_utf8(asked.output().ok()?.stdout).ok()?;
    let line = said.lines().next()?.trim();
    let is_version = line.contains(|c: char| c.is_ascii_digit()) && line.len() <= 80;
    is_version.then(|| line.to_owned())
}

fn seen(given: &str) -> Result<BackendInfo, unstuck::backend::BackendError> {
    let backend = backend::from_name(given)?;
    let version = if backend::is_built_in(given) { None } else { version(given) };
    Ok(BackendInfo { given: given.to_owned(), backend, version })
}

/// What is known of a program by the first of its commands that writes proofs, or by the last.
fn best(templates: &[&str]) -> Option<BackendInfo> {
    let (last, others) = templates.split_last()?;
    let mut proving = others.iter().filter_map(|template| seen(template).ok());
    proving.find(|it| !it.proofs().is_empty()).or_else(|| seen(last).ok())
}

impl Run for BackendsCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.json, limits: None }
    }

    fn run(&'static self) -> CommandResult {
        let mut all = Vec::new();
        for name in &self.backends {
            args::backend_of(name)?;
            all.extend(seen(name).ok());
        }
        if self.backends.is_empty() {
            all.extend(backend::BUILT_IN.iter().filter_map(|name| seen(name).ok()));
            all.extend(args::KNOWN.into_iter().filter_map(best));
        }
        let output = OutputArgs { json: self.json, quiet: false };
        driver::each("backends", output, &all, |solver| {
            Ok(Answer::new(0, solver.answer()).saying(solver.sentences()))
        })?;
        Ok(0)
    }
}
