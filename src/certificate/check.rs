//! Judging a certificate from the puzzle's text alone.
//!
//! The sums of the files come first, but nothing rests on them: the puzzle is parsed again, its
//! formulas are compiled again and compared clause for clause, the plan is replayed, proofs and
//! lists are verified. A forged list of sums changes nothing.

use super::{
    Claim, Evidence, LIST, MANIFEST, MODEL, Manifest, PUZZLE, ProofKind, SOLUTION, folder, outside,
};
use crate::backend::Clauses;
use crate::closed::check::NotProved;
use crate::closed::lrat::{NotWritten, Part};
use crate::closed::{Budget, ClosedSet};
use crate::dimacs;
use crate::instance::{Formula, Instance, Question, Verified};
use crate::limits::{Limits, Stop};
use crate::proof::{Accepted, ProofError, drat, lrat};
use crate::registry;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use unstuck_encodings::{Filter, Lit};
use unstuck_puzzles::Options;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// It is wrong: the first thing that fails.
    Invalid(String),
    /// It cannot be judged: a file that cannot be read, a checker that is not there.
    Unable(String),
    /// A limit struck.
    Stopped(Stop),
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Invalid(reason) | Self::Unable(reason) => f.write_str(reason),
            Self::Stopped(stop) => write!(f, "stopped: {stop}"),
        }
    }
}

impl std::error::Error for CheckError {}

fn invalid(reason: impl Into<String>) -> CheckError {
    CheckError::Invalid(reason.into())
}

/// What was found right.
pub struct Report {
    /// What the certificate says of itself.
    pub manifest: Manifest,
    /// The instance that it is about.
    pub instance: Box<dyn Instance>,
    /// The solution, where there is one.
    pub solution: Option<Verified>,
    /// What was checked, one sentence each.
    pub checked: Vec<String>,
    /// What had to be trusted, one sentence each.
    pub trusted: Vec<String>,
}

/// Checks a certificate; `with` names an outside checker that is to see the proofs too.
///
/// # Errors
/// See [`CheckError`].
pub fn check(
    path: &Path,
    with: Option<&str>,
    limits: &Limits,
    say: &mut dyn FnMut(&str),
) -> Result<Report, CheckError> {
    let text = read_text(path, MANIFEST)?;
    let manifest =
        Manifest::read(&text).map_err(|reason| invalid(format!("{MANIFEST}: {reason}")))?;
    say("comparing the sums of the files");
    sums(path, &manifest)?;
    let instance = instance(path, &manifest)?;
    let mut judge = Judge {
        path,
        with,
        limits,
        manifest: &manifest,
        instance: instance.as_ref(),
        checked: vec![format!("the sums of {} files", manifest.files.len())],
        trusted: vec![
            "the rules of the game, as this program has them, and the parser of its format"
                .to_owned(),
        ],
        say,
    };
    let solution = judge.solution()?;
    judge.evidence(solution.as_ref())?;
    let Judge { checked, trusted, .. } = judge;
    Ok(Report { manifest, instance, solution, checked, trusted })
}

fn open(path: &Path, name: &str) -> Result<BufReader<File>, CheckError> {
    match File::open(path.join(name)) {
        Ok(file) => Ok(BufReader::with_capacity(1 << 16, file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && name != MANIFEST => {
            Err(invalid(format!("{name} is missing")))
        }
        Err(error) => Err(CheckError::Unable(format!("{}: {error}", path.join(name).display()))),
    }
}

fn read_text(path: &Path, name: &str) -> Result<String, CheckError> {
    let text = io::read_to_string(open(path, name)?);
    text.map_err(|error| invalid(format!("{name}: {error}")))
}

fn sums(path: &Path, manifest: &Manifest) -> Result<(), CheckError> {
    for (name, expected) in &manifest.files {
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(invalid(format!("`{name}` is no plain file name")));
        }
        drop(open(path, name)?);
        let sum = folder::sum(&path.join(name))
            .map_err(|error| CheckError::Unable(format!("{name}: {error}")))?;
        if sum != *expected {
            return Err(invalid(format!("{name} is not the file that {MANIFEST} lists (SHA-256)")));
        }
    }
    Ok(())
}

/// The instance that a certificate is about, from its text.
fn instance(path: &Path, manifest: &Manifest) -> Result<Box<dyn Instance>, CheckError> {
    let family = registry::by_name(&manifest.family)
        .ok_or_else(|| invalid(format!("no puzzle family `{}`", manifest.family)))?;
    let given = manifest.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options =
        Options::new(family.options, given).map_err(|error| invalid(error.to_string()))?;
    let text = read_text(path, PUZZLE)?;
    let fault = |error: unstuck_puzzles::ParseError| invalid(error.render(PUZZLE, &text));
    let mut levels = (family.read)(&text, &options).map_err(fault)?;
    let level = match (levels.pop(), levels.len()) {
        (Some(level), 0) => level,
        _ => return Err(invalid(format!("{PUZZLE} does not hold exactly one level"))),
    };
    let opened = level.puzzle.map_err(fault)?;
    let instances = opened.instances(manifest.objective).ok_or_else(|| {
        let objective = manifest.objective.name();
        invalid(format!("{} has no objective `{objective}`", manifest.family))
    })?;
    instances
        .into_iter()
        .find(|instance| instance.reading() == manifest.reading)
        .ok_or_else(|| invalid(format!("no reading `{}` of the rules", manifest.reading)))
}

struct Judge<'a> {
    path: &'a Path,
    with: Option<&'a str>,
    limits: &'a Limits,
    manifest: &'a Manifest,
    instance: &'a dyn Instance,
    checked: Vec<String>,
    trusted: Vec<String>,
    say: &'a mut dyn FnMut(&str),
}

impl Judge<'_> {
    /// Replays the solution.
    fn solution(&mut self) -> Result<Option<Verified>, CheckError> {
        let claim = self.manifest.claim;
        if !claim.has_solution() {
            return Ok(None);
        }
        let text = read_text(self.path, SOLUTION)?;
        let solution = self
            .instance
            .verify(text.trim_end())
            .map_err(|error| invalid(format!("{SOLUTION}: {error}")))?;
        if let Claim::Optimal(cost) = claim {
            let objective = self.manifest.objective;
            let actual = objective.primary(solution.tally());
            if actual != cost {
                let unit = objective.first().name();
                return Err(invalid(format!(
                    "{SOLUTION} has {actual} {unit}, but the certificate claims {cost}"
                )));
            }
            self.checked.push(format!("{SOLUTION}: replayed, it solves the puzzle at cost {cost}"));
        } else {
            self.checked.push(format!("{SOLUTION}: it solves the puzzle"));
        }
        Ok(Some(solution))
    }

    fn evidence(&mut self, solution: Option<&Verified>) -> Result<(), CheckError> {
        let excluded = self.manifest.claim.excluded();
        match (&self.manifest.evidence, excluded) {
            (Evidence::Nothing, None) => {
                self.checked.push("no cost is below 0".to_owned());
                Ok(())
            }
            (Evidence::Nothing, Some(_)) => Err(invalid("there is no evidence for the claim")),
            (_, None) => Err(invalid("there is evidence where none is needed")),
            (Evidence::Horizon { horizon, proof }, Some(excluded)) => {
                self.horizon(*horizon, *proof, excluded, solution)
            }
            (Evidence::ClosedSet { bound, lrat }, Some(excluded)) => {
                self.closed_set(bound.as_deref(), *lrat, excluded)
            }
        }
    }

    fn horizon(
        &mut self,
        horizon: u32,
        proof: ProofKind,
        excluded: Budget,
        solution: Option<&Verified>,
    ) -> Result<(), CheckError> {
        let enough = match excluded {
            Budget::Within(needed) => horizon >= needed,
            Budget::Any => self.instance.enough().is_some_and(|enough| horizon >= enough),
        };
        if !enough {
            return Err(invalid(format!("refuting horizon {horizon} does not show the claim")));
        }
        let name = format!("horizon-{horizon}");
        (self.say)(&format!("compiling horizon {horizon} again"));
        let question = Question { filter: Filter::defining(), ..Question::within(horizon) };
        let mut formula = self.instance.formula(&question);
        if let (Claim::Unique, Some(solution)) = (self.manifest.claim, solution) {
            self.exclude(formula.as_mut(), solution)?;
        }
        let cnf = format!("{name}.cnf");
        let own = formula.len();
        let stored = read_cnf(self.path, &cnf)?;
        same_start(&cnf, formula.as_ref(), &stored)?;
        for index in own..stored.clauses.len() {
            if !formula.cut(&stored.clauses[index]) {
                let number = index + 1;
                return Err(invalid(format!(
                    "{cnf}: clause {number} is not one of the puzzle's, and does not follow from \
                     its rules"
                )));
            }
        }
        let cuts = stored.clauses.len() - own;
        let mut sentence = format!("{cnf}: compiled again, {own} clauses are the same");
        if cuts > 0 {
            sentence.push_str(&format!("; {cuts} further ones hold in every solution"));
        }
        self.checked.push(sentence);
        self.trusted.push(format!(
            "the compiler from the rules to the clauses of `{}`: that it loses no solution",
            self.instance.encoding()
        ));
        drop(stored);
        self.proof(&name, proof, formula.as_ref())
    }

    /// Forbids the one solution, by the model that stands for it.
    fn exclude(&mut self, formula: &mut dyn Formula, one: &Verified) -> Result<(), CheckError> {
        let text = read_text(self.path, MODEL)?;
        let fail = |reason: String| invalid(format!("{MODEL}: {reason}"));
        let said = dimacs::read_output(&text).map_err(|error| fail(error.to_string()))?;
        let dimacs::Said::Sat(lits) = said else { return Err(fail("no model".to_owned())) };
        let model =
            dimacs::checked_model(formula, &lits).map_err(|error| fail(error.to_string()))?;
        let meant = formula.read(&model).map_err(|fault| fail(fault.to_string()))?;
        if meant.text() != one.text() {
            return Err(fail(format!("it means another solution than {SOLUTION}")));
        }
        if !formula.exclude(&model) {
            return Err(fail("it cannot be told from other solutions".to_owned()));
        }
        self.checked.push(format!("{MODEL}: it satisfies the formula and means {SOLUTION}"));
        Ok(())
    }

    fn closed_set(
        &mut self,
        bound: Option<&str>,
        with_proofs: bool,
        excluded: Budget,
    ) -> Result<(), CheckError> {
        let set = ClosedSet::read(open(self.path, LIST)?)
            .map_err(|reason| invalid(format!("{LIST}: {reason}")))?;
        if set.claim != excluded {
            return Err(invalid(format!("{LIST} is about another claim")));
        }
        if set.bound.as_deref() != bound {
            return Err(invalid(format!("{LIST} and {MANIFEST} name different bounds")));
        }
        (self.say)(&format!("verifying {} entries by the rules", set.entries.len()));
        let looked =
            self.instance.check_closed(&set, self.limits).map_err(|error| match error {
                NotProved::Refused(reason) => invalid(format!("{LIST}: {reason}")),
                NotProved::Stopped(stop) => CheckError::Stopped(stop),
            })?;
        let mut sentence = format!(
            "{LIST}: closed under the rules ({} classes of {} states, {} moves), unsolved, and it \
             holds the start",
            looked.classes, looked.states, looked.moves
        );
        if let Some(bound) = bound {
            sentence.push_str(&format!("; {} moves are ruled out by {bound}", looked.bounded));
            self.trusted.push(format!(
                "the bound {bound}, which was computed again: that it never exceeds the true cost"
            ));
        }
        self.checked.push(sentence);
        if !with_proofs {
            if let Some(program) = self.with {
                return Err(CheckError::Unable(format!(
                    "there are no proof files for `{program}`\n  = help: `unstuck prove --lrat` \
                     writes them"
                )));
            }
            return Ok(());
        }
        let formulas = self.instance.closed_formulas(&set).map_err(|error| match error {
            NotWritten::Stopped(stop) => CheckError::Stopped(stop),
            other => invalid(format!("{LIST}: {other}")),
        })?;
        for part in Part::ALL {
            (self.say)(&format!("compiling {} again and checking its proof", part.name()));
            let formula = formulas.formula(part);
            let cnf = format!("{}.cnf", part.name());
            let stored = read_cnf(self.path, &cnf)?;
            same_start(&cnf, &formula, &stored)?;
            if stored.clauses.len() > formula.len() {
                return Err(invalid(format!(
                    "{cnf} has {} clauses, compiled again it has {}",
                    stored.clauses.len(),
                    formula.len()
                )));
            }
            drop(stored);
            self.checked
                .push(format!("{cnf}: compiled again, {} clauses are the same", formula.len()));
            self.proof(part.name(), ProofKind::Lrat, &formula)?;
        }
        Ok(())
    }

    fn proof(
        &mut self,
        name: &str,
        kind: ProofKind,
        clauses: &dyn Clauses,
    ) -> Result<(), CheckError> {
        let file = format!("{name}.{}", kind.extension());
        (self.say)(&format!("checking {file}"));
        let input = open(self.path, &file)?;
        let accepted = match kind {
            ProofKind::Lrat => lrat::check(clauses, input, self.limits),
            ProofKind::Drat => drat::check(clauses, input, false, self.limits),
            ProofKind::BinaryDrat => drat::check(clauses, input, true, self.limits),
        };
        let Accepted { lemmas, steps } = accepted.map_err(|error| match error {
            ProofError::Stopped(stop) => CheckError::Stopped(stop),
            other => invalid(format!("{file}: {other}")),
        })?;
        let checker = match kind {
            ProofKind::Lrat => "the LRAT checker of this program",
            _ => "the crate dratify",
        };
        self.checked.push(format!(
            "{file}: a refutation of {lemmas} lemmas in {steps} steps, by {checker}"
        ));
        let Some(program) = self.with else { return Ok(()) };
        if !outside::reads(program, kind) {
            return Err(CheckError::Unable(format!("`{program}` does not read {}", kind.name())));
        }
        (self.say)(&format!("asking {program}"));
        let cnf = self.path.join(format!("{name}.cnf"));
        match outside::run(program, &cnf, &self.path.join(&file), self.limits) {
            outside::Outside::Accepts(word) => {
                self.checked.push(format!("{file}: {program} says {word}"));
                Ok(())
            }
            outside::Outside::Rejects(word) => {
                Err(invalid(format!("{file}: {program} does not accept it: {word}")))
            }
            outside::Outside::Missing(reason) => Err(CheckError::Unable(reason)),
            outside::Outside::Stopped(stop) => Err(CheckError::Stopped(stop)),
        }
    }
}

/// A formula file.
struct Stored {
    variables: usize,
    clauses: Vec<Vec<Lit>>,
}

fn read_cnf(path: &Path, name: &str) -> Result<Stored, CheckError> {
    let (variables, clauses) =
        dimacs::read_cnf(open(path, name)?).map_err(|error| invalid(format!("{name}: {error}")))?;
    Ok(Stored { variables, clauses })
}

/// Whether a file begins with the clauses of a formula, in their order.
fn same_start(name: &str, formula: &dyn Clauses, stored: &Stored) -> Result<(), CheckError> {
    if stored.variables != formula.variables() {
        return Err(invalid(format!(
            "{name} has {} variables, compiled again it has {}",
            stored.variables,
            formula.variables()
        )));
    }
    if stored.clauses.len() < formula.len() {
        return Err(invalid(format!(
            "{name} has {} clauses, compiled again it has {}",
            stored.clauses.len(),
            formula.len()
        )));
    }
    match (0..formula.len()).find(|&index| stored.clauses[index] != formula.clause(index)) {
        Some(index) => {
            Err(invalid(format!("{name}: clause {} is not the one compiled again", index + 1)))
        }
        None => Ok(()),
    }
}
