//! `unstuck backends`: the SAT solvers that are there, and what each can do.

use crate::answer::Answer;
use crate::driver::{self, Run, Watched};
use crate::input::args::{self, long_help};
use crate::terminal::failure::CommandResult;
use crate::terminal::output::OutputArgs;
use clap::Args;
use serde::Serialize;
use std::process::{Command as Process, Stdio};
use unstuck::backend::{self, ProofFormat, external};

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

/// A solver that is there.
#[derive(Clone, Serialize)]
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

impl BackendAnswer {
    fn sentences(&self) -> String {
        let kind = if self.built_in { "built in" } else { "external program" };
        let version = self.version.as_deref().map_or(String::new(), |it| format!(", version {it}"));
        let proofs =
            if self.proofs.is_empty() { "none".to_owned() } else { self.proofs.join(", ") };
        let assumptions = if self.assumptions { "yes" } else { "no" };
        format!(
            "{}\n  {}: {kind}{version}\n  proofs: {proofs}\n  \
             incremental, with assumptions: {assumptions}\n",
            self.backend, self.name
        )
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

fn seen(given: &str) -> Option<BackendAnswer> {
    let backend = backend::from_name(given).ok()?;
    let format = backend.prover().and_then(|prover| prover.format());
    let name = |format| match format {
        ProofFormat::Drat => "drat",
        ProofFormat::BinaryDrat => "binary-drat",
        ProofFormat::Lrat => "lrat",
    };
    let built_in = backend::is_built_in(given);
    Some(BackendAnswer {
        backend: given.to_owned(),
        name: backend.name(),
        version: if built_in { None } else { version(given) },
        built_in,
        proofs: format.map(name).into_iter().collect(),
        assumptions: backend.incremental().is_some(),
    })
}

/// What is known of a program by the first of its commands that writes proofs, or by the last.
fn best(templates: &[&str]) -> Option<BackendAnswer> {
    let (last, others) = templates.split_last()?;
    let mut proving = others.iter().filter_map(|template| seen(template));
    proving.find(|it| !it.proofs.is_empty()).or_else(|| seen(last))
}

impl Run for BackendsCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.json, limits: None }
    }

    fn run(&'static self) -> CommandResult {
        let mut all = Vec::new();
        for name in &self.backends {
            args::backend_of(name)?;
            all.extend(seen(name));
        }
        if self.backends.is_empty() {
            all.extend(backend::BUILT_IN.iter().filter_map(|name| seen(name)));
            all.extend(args::KNOWN.into_iter().filter_map(best));
        }
        let output = OutputArgs { json: self.json, quiet: false };
        driver::each("backends", output, &all, |solver| {
            Ok(Answer::new(0, solver.clone()).saying(solver.sentences()))
        })?;
        Ok(0)
    }
}
