//! Finding evidence and writing it down.
//!
//! Which kind: a closed set without the bound where search can close the board (nothing is trusted
//! but the rules); else dead patterns, where pieces may be dropped (nothing else is trusted there
//! either); else, where there is no solution at all, an invariant; else a closed set with the bound;
//! else the refutation of a horizon. Families without
//! moves, and claims of uniqueness, have formulas only. Whatever was written is checked from the
//! folder before anything is said.

use super::check::{self, CheckError, Report};
use super::claim::{Moveless, NotExcluded};
use super::cubes::{Refuted, Refuter};
use super::files::{Draft, Place, Scratch};
#[cfg(feature = "files")]
use super::folder::Folder;
use super::patterns;
use super::{
    CUBES, Claim, Claimed, Evidence, LIST, MODEL, Manifest, PATTERNS, PUZZLE, ProofKind, SOLUTION,
};
use crate::advice::Advice;
use crate::backend::{Answer, BackendError, ProofFormat, Prover};
use crate::closed::ClosedSet;
use crate::closed::close::{Closing, NotClosed};
use crate::formula::{Clauses, dimacs};
use crate::instance::{Closable, Formula, Game, Instance, Question, Verified};
use crate::invariant::pdr::{self, NotFound};
use crate::learn;
use crate::limits::{Limits, Stop, Watch};
use crate::proof::derivation::Derivation;
use crate::proof::{ProofError, drat};
use crate::search::Effort;
use crate::solve::Request;
use crate::transition::lrat::{Formulas, NotWritten};
use crate::transition::{Budget, Part};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufReader, Read, SeekFrom, Write};
#[cfg(feature = "files")]
use std::path::Path;
use unstuck_encodings::{Filter, Model};
use unstuck_puzzles::wishes::Wishes;

/// Entries up to which a list without the bound is preferred when the kind is open.
const WITHOUT_BOUND: usize = 200_000;

/// Entries up to which a list is preferred to a refutation when the kind is open.
const WITH_BOUND: usize = 1_000_000;

/// Which evidence is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The strongest that can be had.
    #[default]
    Auto,
    /// The refutation of a horizon.
    Horizon,
    /// A closed set.
    Closed,
    /// An invariant: for puzzles without any solution.
    Invariant,
    /// Dead patterns: where pieces may be dropped.
    Patterns,
}

/// Whether closed sets may rest on the family's bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UseBound {
    /// Only when the list would be too long without it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to prove.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Which evidence.
    pub wanted: Wanted,
    /// The bound in closed sets.
    pub use_bound: UseBound,
    /// Write the formulas of a closed set and their LRAT proofs.
    pub lrat: bool,
    /// Form in which the solver writes its proofs, which become LRAT; its own preference when open.
    pub format: Option<ProofFormat>,
    /// Into how many cubes the question of a horizon is split; `None` when it is not.
    pub cubes: Option<usize>,
    /// Replace a certificate that exists.
    pub force: bool,
}

/// What is to be proved, of which puzzle.
pub struct Task<'a> {
    /// The puzzle.
    pub instance: &'a dyn Instance,
    /// Its text.
    pub text: &'a str,
    /// The options of its family.
    pub options: BTreeMap<String, String>,
    /// The claim.
    pub claim: Claim,
    /// The solution, where the claim has one.
    pub solution: Option<&'a Verified>,
    /// The moves after which the claim holds, where the instance is the puzzle after moves.
    pub after: &'a str,
    /// What must not happen, and what must; an instance without moves has them as its rules already
    /// (see [`Instance::wishing`]).
    pub wishes: Wishes,
}

impl<'a> Task<'a> {
    /// A claim about a puzzle that was read from a text with its family's defaults, and that no
    /// solution is part of.
    pub fn new(instance: &'a dyn Instance, text: &'a str, claim: Claim) -> Self {
        let (options, wishes) = (BTreeMap::new(), Wishes::default());
        Self { instance, text, options, claim, solution: None, after: "", wishes }
    }

    /// The same with the solution that the claim speaks of.
    #[must_use]
    pub fn with_solution(self, solution: &'a Verified) -> Self {
        Self { solution: Some(solution), ..self }
    }
}

/// Why there is no certificate.
#[derive(Debug)]
pub enum ProveError {
    /// A limit struck.
    Stopped(Stop),
    /// This kind of evidence cannot be had for the claim.
    Unfit {
        /// Why not, as one sentence without a full stop.
        reason: String,
        /// What can be had instead.
        advice: Option<Advice>,
    },
    /// The solver failed.
    Backend(BackendError),
    /// Something is there already that was not to be replaced.
    Exists,
    /// A file cannot be written.
    Io(io::Error),
    /// The certificate did not pass its own check, or the claim is false: a mistake of ours.
    Fault(String),
}

impl From<io::Error> for ProveError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Stop> for ProveError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => write!(f, "no certificate: {stop}"),
            Self::Unfit { reason, .. } | Self::Fault(reason) => f.write_str(reason),
            Self::Backend(error) => error.fmt(f),
            Self::Exists => f.write_str("exists already"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProveError {}

impl ProveError {
    /// The way out, where there is one.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Unfit { advice, .. } => *advice,
            Self::Exists => Some(Advice::Replace),
            _ => None,
        }
    }
}

/// Evidence that cannot be had, and what can be had instead.
fn unfit(reason: impl Into<String>, advice: impl Into<Option<Advice>>) -> ProveError {
    ProveError::Unfit { reason: reason.into(), advice: advice.into() }
}

/// Writes a certificate to the folder `target` and checks it.
///
/// # Errors
/// See [`ProveError`]; nothing is left at `target` then.
#[cfg(feature = "files")]
pub fn prove(
    task: &Task<'_>,
    manner: &Manner,
    request: &Request,
    target: &Path,
    say: &mut dyn FnMut(&str),
) -> Result<Report, ProveError> {
    claimed(task)?;
    let folder = Folder::new(target, manner.force);
    let mut folder = folder.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if !manner.force => ProveError::Exists,
        _ => ProveError::Io(error),
    })?;
    let report = prove_in(&mut folder, task, manner, request, say)?;
    folder.keep()?;
    Ok(report)
}

fn claimed<'a>(task: &Task<'a>) -> Result<Claimed<'a>, ProveError> {
    task.claim.of(task.instance).map_err(|reason| unfit(reason, None))
}

/// Writes a certificate wherever its files may be, and checks it there.
///
/// # Errors
/// See [`ProveError`]; what was written until then is no certificate.
pub fn prove_in(
    place: &mut dyn Place,
    task: &Task<'_>,
    manner: &Manner,
    request: &Request,
    say: &mut dyn FnMut(&str),
) -> Result<Report, ProveError> {
    let claimed = claimed(task)?;
    let mut draft = Draft::new(place);
    draft.file(PUZZLE, |out| out.write_all(task.text.as_bytes()))?;
    if let Some(solution) = task.solution {
        draft.file(SOLUTION, |out| writeln!(out, "{}", solution.text()))?;
    }
    let evidence = {
        let mut writer = Writer { task, claimed, manner, request, draft: &mut draft, say };
        writer.evidence()?
    };
    draft.describe(Manifest {
        claim: task.claim,
        objective: task.instance.objective(),
        after: task.after.to_owned(),
        wishes: task.wishes.clone(),
        family: task.instance.family().to_owned(),
        reading: task.instance.reading().to_owned(),
        options: task.options.clone(),
        evidence,
        encodings: task.instance.encodings(),
        files: BTreeMap::new(),
        tool: format!("unstuck {}", env!("CARGO_PKG_VERSION")),
    })?;
    say("checking the certificate");
    let report = check::check_files(&*place, None, &request.limits, say);
    report.map_err(|error| match error {
        CheckError::Stopped(stop) => ProveError::Stopped(stop),
        error => ProveError::Fault(format!("the certificate did not pass its own check: {error}")),
    })
}

struct Writer<'a, 'p> {
    task: &'a Task<'a>,
    claimed: Claimed<'a>,
    manner: &'a Manner,
    request: &'a Request,
    draft: &'a mut Draft<'p>,
    say: &'a mut dyn FnMut(&str),
}

impl<'a> Writer<'a, '_> {
    fn evidence(&mut self) -> Result<Evidence, ProveError> {
        let Some(excluded) = self.task.claim.excluded() else { return Ok(Evidence::Nothing) };
        let wished = !self.task.wishes.is_empty() && self.task.instance.moves().is_some();
        if wished || !self.task.after.is_empty() {
            return self.by_rules(excluded);
        }
        match (self.manner.wanted, self.task.instance.moves()) {
            (Wanted::Horizon, _) => self.horizon(excluded),
            (Wanted::Closed, None) => {
                let family = self.task.instance.family();
                let reason = format!("{family} has no moves, so no closed sets");
                Err(unfit(reason, Advice::Horizon))
            }
            (Wanted::Closed, Some(game)) => {
                let set = self.closed(game, excluded, None)?;
                self.list(Some(game), set)
            }
            (Wanted::Invariant, Some(game)) if excluded == Budget::Any => {
                self.invariant(game, &self.request.limits.clone())
            }
            (Wanted::Invariant, _) => {
                let reason =
                    "invariants are found for games with moves that have no solution at all";
                Err(unfit(reason, Advice::AnyEvidence))
            }
            (Wanted::Patterns, _) => self.patterns(excluded, &self.request.limits.clone()),
            (Wanted::Auto, None) => {
                (self.say)("evidence: a refutation, because there are no moves to close under");
                self.horizon(excluded)
            }
            (Wanted::Auto, Some(game))
                if excluded == Budget::Any && self.manner.use_bound != UseBound::Always =>
            {
                self.unsolvable(game)
            }
            (Wanted::Auto, Some(game)) => match self.any_list(game, excluded) {
                Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) => {
                    (self.say)(&format!(
                        "evidence: a refutation, because every list is too large ({stop})"
                    ));
                    self.horizon(excluded)
                }
                other => other,
            },
        }
    }

    /// Evidence of a claim about a position, or with wishes: formulas know neither, so it must come
    /// from the rules.
    fn by_rules(&mut self, excluded: Budget) -> Result<Evidence, ProveError> {
        if !matches!(self.manner.wanted, Wanted::Auto | Wanted::Closed) || self.manner.lrat {
            let reason = "after moves and with wishes only closed sets, without LRAT, are evidence";
            return Err(unfit(reason, Advice::ClosedSet));
        }
        let instance = self.task.instance;
        let none = || unfit(format!("{} has no closed sets", instance.family()), None);
        let game = instance.moves().ok_or_else(none)?;
        let set = if self.task.wishes.is_empty() {
            self.closed(game, excluded, None)?
        } else {
            let wished = game.wished(&self.task.wishes);
            self.closed(wished.as_ref(), excluded, None)?
        };
        self.list(None, set)
    }

    /// Finds dead patterns and writes them.
    fn patterns(&mut self, excluded: Budget, limits: &Limits) -> Result<Evidence, ProveError> {
        let say = &mut self.say;
        say("learning dead patterns");
        let mut report = |effort: learn::Effort| say(&effort.to_string());
        let lrat = self.manner.lrat;
        // Only simple patterns can be said in clauses.
        let manner =
            learn::Manner { simple: lrat, threads: self.request.threads, ..Default::default() };
        let found = patterns::find(self.task.instance, excluded, manner, limits, &mut report);
        let list = found.map_err(|error| match error {
            patterns::NotFound::Stopped(stop) => ProveError::Stopped(stop),
            patterns::NotFound::Unfit(reason) => unfit(&reason, Advice::AnyEvidence),
            patterns::NotFound::Fault(reason) => ProveError::Fault(reason),
        })?;
        (self.say)(&format!("evidence: {} dead patterns", list.patterns.len()));
        self.draft.file(PATTERNS, |out| write!(out, "{list}"))?;
        if let (true, Some(game)) = (lrat, self.task.instance.moves()) {
            let mut watch = Watch::new(limits, &mut *self.say);
            let formulas = game.pattern_formulas(&list, &mut watch).map_err(not_written)?;
            self.formulas(formulas.as_ref())?;
        }
        Ok(Evidence::Patterns { lrat })
    }

    /// Limits with a part of the time that is left.
    fn part(&self, share: Option<f64>) -> Limits {
        share.map_or_else(|| self.request.limits.clone(), |share| self.request.limits.share(share))
    }

    /// Evidence that there is no solution at all, of the kind that trusts least and can be had.
    fn unsolvable(&mut self, game: &dyn Game) -> Result<Evidence, ProveError> {
        let most = self.manner.use_bound == UseBound::Auto;
        let limits = self.part(Some(0.4));
        let stop =
            match self.close(game, Budget::Any, false, most.then_some(WITHOUT_BOUND), &limits) {
                Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) => stop,
                other => return self.list(Some(game), other?),
            };
        match self.patterns(Budget::Any, &self.part(Some(0.4))) {
            Err(ProveError::Unfit { .. } | ProveError::Stopped(Stop::Time | Stop::Memory)) => {}
            other => return other,
        }
        (self.say)(&format!(
            "looking for an invariant, because the closed set is too large ({stop})"
        ));
        let horizon = self.task.instance.enough().is_some();
        let share = (most || horizon).then_some(0.6);
        let stop = match self.invariant(game, &self.part(share)) {
            Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) if share.is_some() => stop,
            other => return other,
        };
        if most {
            let limits = self.part(horizon.then_some(0.5));
            match self.close(game, Budget::Any, true, Some(WITH_BOUND), &limits) {
                Err(ProveError::Unfit { .. } | ProveError::Stopped(Stop::Time | Stop::Memory)) => {}
                other => return self.list(Some(game), other?),
            }
        }
        if horizon { self.horizon(Budget::Any) } else { Err(ProveError::Stopped(stop)) }
    }

    /// A closed set without the bound where that is small; else patterns, which are trusted no less;
    /// else a closed set with the bound.
    fn any_list(&mut self, game: &dyn Game, excluded: Budget) -> Result<Evidence, ProveError> {
        if self.manner.use_bound == UseBound::Auto {
            let limits = self.part(Some(0.3));
            match self.close(game, excluded, false, Some(WITHOUT_BOUND), &limits) {
                Err(ProveError::Stopped(Stop::Time | Stop::Memory)) => {}
                other => return self.list(Some(game), other?),
            }
            match self.patterns(excluded, &self.part(Some(0.4))) {
                Err(ProveError::Unfit { .. } | ProveError::Stopped(Stop::Time | Stop::Memory)) => {}
                other => return other,
            }
            let limits = self.part(Some(0.5));
            let set = self.close(game, excluded, true, Some(WITH_BOUND), &limits)?;
            return self.list(Some(game), set);
        }
        let set = self.closed(game, excluded, Some(0.5))?;
        self.list(Some(game), set)
    }

    /// A closed set, without the bound where it can be had.
    fn closed(
        &mut self,
        game: &dyn Closable,
        excluded: Budget,
        share: Option<f64>,
    ) -> Result<ClosedSet, ProveError> {
        let open = share.is_some();
        let try_both = self.manner.use_bound == UseBound::Auto;
        if self.manner.use_bound != UseBound::Always {
            let most = try_both.then_some(WITHOUT_BOUND);
            let limits = if try_both { self.part(Some(0.4)) } else { self.part(share) };
            match self.close(game, excluded, false, most, &limits) {
                Err(ProveError::Stopped(Stop::Time | Stop::Memory)) if try_both => {}
                other => return other,
            }
        }
        self.close(game, excluded, true, open.then_some(WITH_BOUND), &self.part(share))
    }

    /// Writes a closed set.
    fn list(&mut self, game: Option<&dyn Game>, set: ClosedSet) -> Result<Evidence, ProveError> {
        let (entries, name) = (set.entries.len(), set.bound.as_deref());
        let given = name.map_or(String::new(), |name| format!(", given the bound {name}"));
        (self.say)(&format!("evidence: a closed set of {entries} entries{given}"));
        self.draft.file(LIST, |out| set.write(out))?;
        let game = game.filter(|_| self.manner.lrat);
        if let Some(game) = game {
            let mut watch = Watch::new(&self.request.limits, &mut *self.say);
            let formulas = game.closed_formulas(&set, &mut watch).map_err(not_written)?;
            self.formulas(formulas.as_ref())?;
        }
        let lrat = game.is_some();
        Ok(Evidence::ClosedSet { bound: set.bound, lrat })
    }

    /// Finds an invariant, writes it and its formulas, and has each refuted.
    fn invariant(&mut self, game: &dyn Game, limits: &Limits) -> Result<Evidence, ProveError> {
        (self.say)("reverse reachability: which states cannot reach the goal");
        let say = &mut self.say;
        let mut report = |effort: pdr::Effort| say(&effort.to_string());
        let found = game.invariant(self.request.incremental(), limits, &mut report);
        let list = found.map_err(|error| match error {
            NotFound::Stopped(stop) => ProveError::Stopped(stop),
            NotFound::Solvable => {
                unfit("there is a solution, so no invariant", Advice::AnyEvidence)
            }
            NotFound::Unfit(reason) => {
                unfit(format!("no invariant: {reason}"), Advice::AnyEvidence)
            }
        })?;
        (self.say)(&format!("evidence: an invariant of {} cubes", list.cubes.len()));
        self.draft.file(CUBES, |out| list.write(out))?;
        let fault = |reason| ProveError::Fault(format!("{CUBES}: {reason}"));
        let induction = game.induction(&list).map_err(fault)?;
        for part in Part::ALL {
            let name = part.name();
            let formula =
                induction.formula(part, &mut Watch::new(&self.request.limits, &mut *self.say))?;
            self.draft.file(&format!("{name}.cnf"), |out| {
                dimacs::write_cnf(out, &formula, induction.names())
            })?;
            if self.refutation(&formula, name)? != Answer::Unsat {
                return Err(ProveError::Fault(format!("the invariant fails: {name}.cnf")));
            }
        }
        Ok(Evidence::Invariant { proof: ProofKind::Lrat })
    }

    fn close(
        &mut self,
        game: &dyn Closable,
        claim: Budget,
        use_bound: bool,
        max_states: Option<usize>,
        limits: &Limits,
    ) -> Result<ClosedSet, ProveError> {
        let closing = Closing { claim, use_bound, max_states };
        let say = &mut self.say;
        let with = if use_bound { "with" } else { "without" };
        say(&format!("closing the reachable states {with} the bound"));
        let mut report = |effort: Effort| {
            if effort.expanded.is_multiple_of(16 * 256) {
                say(&format!("closing: {} of {} entries", effort.expanded, effort.states));
            }
        };
        game.close(closing, limits, &mut report).map_err(|error| match error {
            NotClosed::Stopped(stop) => ProveError::Stopped(stop),
            NotClosed::NoBound => unfit("the family has no bound to use", None),
            NotClosed::Solvable => ProveError::Fault(
                "the claim is false: a solution was met where there should be none".to_owned(),
            ),
        })
    }

    /// Writes three formulas and their proofs.
    fn formulas(&mut self, formulas: &dyn Formulas) -> Result<(), ProveError> {
        let mut watch = Watch::new(&self.request.limits, &mut *self.say);
        for part in Part::ALL {
            let name = part.name();
            let formula = formulas.formula(part, &mut watch)?;
            let file = format!("{name}.cnf");
            watch.begin(format!("writing {file}"), 0)?;
            let written =
                self.draft.file(&file, |out| dimacs::write_cnf(&mut watch.over(out), &formula, []));
            written.map_err(|error| watch.stopped().map_or(error.into(), ProveError::Stopped))?;
            drop(formula);
            self.draft
                .file(&format!("{name}.lrat"), |out| formulas.prove(part, out, &mut watch))
                .map_err(not_written)?;
        }
        Ok(())
    }

    fn horizon(&mut self, excluded: Budget) -> Result<Evidence, ProveError> {
        let instance = self.task.instance;
        let horizon = match excluded {
            Budget::Within(horizon) => horizon,
            Budget::Any => instance.enough().ok_or_else(|| {
                unfit("no horizon shows that there is no solution at all", Advice::ClosedSet)
            })?,
        };
        let question = Question { filter: Filter::defining(), ..Question::within(horizon) };
        (self.say)(&format!("compiling horizon {horizon}"));
        let mut formula = instance.formula_within(&question, &self.request.limits)?;
        if let Claimed::Unique(moveless) = self.claimed {
            self.exclude(moveless, formula.as_mut())?;
        }
        self.refute(formula.as_mut(), horizon)?;
        let name = format!("horizon-{horizon}.cnf");
        self.draft.file(&name, |out| dimacs::write_cnf(out, formula.as_ref(), formula.names()))?;
        Ok(Evidence::Horizon { horizon, proof: ProofKind::Lrat })
    }

    /// Forbids the known solution, and keeps the model that stands for it.
    fn exclude(&mut self, moveless: Moveless, formula: &mut dyn Formula) -> Result<(), ProveError> {
        let solution = self.task.solution.expect("a claim of uniqueness has a solution");
        let model = self.model(formula)?;
        moveless.exclude(formula, &model, solution).map_err(|error| match error {
            NotExcluded::Meaningless(fault) => ProveError::Fault(fault),
            NotExcluded::Another => ProveError::Fault("there are two solutions".to_owned()),
            NotExcluded::Inseparable => unfit("solutions cannot be told apart", None),
        })?;
        self.draft.file(MODEL, |out| {
            writeln!(out, "s SATISFIABLE")?;
            write!(out, "v")?;
            model.lits().try_for_each(|lit| write!(out, " {lit}"))?;
            writeln!(out, " 0")
        })?;
        Ok(())
    }

    /// A model of the formula that means a solution. The cuts that it takes go into a copy.
    fn model(&mut self, formula: &dyn Formula) -> Result<Model, ProveError> {
        let question = Question { filter: Filter::defining(), ..Question::default() };
        let mut cut = self.task.instance.formula_within(&question, &self.request.limits)?;
        debug_assert_eq!(cut.len(), formula.len());
        loop {
            let answer = self.request.backend.solve(cut.as_ref(), &self.request.limits);
            match answer.map_err(ProveError::Backend)? {
                Answer::Stopped(stop) => return Err(ProveError::Stopped(stop)),
                Answer::Unsat => return Err(ProveError::Fault("there is no solution".to_owned())),
                Answer::Sat(model) if cut.refine(&model) == 0 => return Ok(model),
                Answer::Sat(_) => {}
            }
        }
    }

    /// Refutes a formula by one-shot runs, each with its proof; a model that means no solution adds
    /// the clauses that it lacks, and the next run begins afresh.
    fn refute(&mut self, formula: &mut dyn Formula, horizon: u32) -> Result<(), ProveError> {
        let name = format!("horizon-{horizon}");
        while let Answer::Sat(model) = self.refutation(formula, &name)? {
            if formula.refine(&model) == 0 {
                return Err(ProveError::Fault(
                    "the claim is false: the formula has a model".to_owned(),
                ));
            }
            (self.say)("a model without meaning: clauses added");
        }
        Ok(())
    }

    /// One run of the solver on a formula; its proof, turned into LRAT and trimmed, goes into the
    /// file of that name.
    fn refutation(&mut self, formula: &dyn Clauses, name: &str) -> Result<Answer, ProveError> {
        let (prover, format) = self.prover()?;
        if let Some(wanted) = self.manner.cubes {
            let Self { request, draft, say, .. } = self;
            let by = Refuter { prover, format, threads: request.threads, limits: &request.limits };
            return match by.refute(formula, wanted, draft, *say)? {
                Refuted::Model(model) => Ok(Answer::Sat(model)),
                Refuted::By(whole) => {
                    self.draft.file(&format!("{name}.lrat"), |out| whole.write(out))?;
                    Ok(Answer::Unsat)
                }
            };
        }
        (self.say)(&format!(
            "{} on {name}: {} variables, {} clauses",
            prover.name(),
            formula.variables(),
            formula.len()
        ));
        let limits = &self.request.limits;
        let mut proof = self.draft.scratch()?;
        let answer = prover.refute(formula, format, &mut proof, limits);
        match answer.map_err(ProveError::Backend)? {
            Answer::Stopped(stop) => return Err(ProveError::Stopped(stop)),
            Answer::Sat(model) => return Ok(Answer::Sat(model)),
            Answer::Unsat => {}
        }
        proof.flush()?;
        let mut watch = Watch::new(limits, &mut *self.say);
        let derived = derive(formula, proof.as_mut(), prover, format, &mut watch)?;
        self.draft.file(&format!("{name}.lrat"), |out| derived.write(out))?;
        Ok(Answer::Unsat)
    }

    /// The solver as one that writes proofs, and the form in which it is to write them.
    fn prover(&self) -> Result<(&'a dyn Prover, ProofFormat), ProveError> {
        let request: &'a Request = self.request;
        let backend = request.backend.as_ref();
        let name = backend.name();
        let prover = backend
            .prover()
            .ok_or_else(|| unfit(format!("`{name}` writes no proofs"), Advice::ProvingSolver))?;
        match self.manner.format {
            None => Ok((prover, prover.formats()[0])),
            Some(format) if prover.formats().contains(&format) => Ok((prover, format)),
            Some(_) => Err(unfit(format!("`{name}` does not write this proof format"), None)),
        }
    }
}

fn not_written(error: NotWritten) -> ProveError {
    match error {
        NotWritten::Unfit(reason) => unfit(format!("no LRAT: {reason}"), Advice::ListAlone),
        NotWritten::Stopped(stop) => ProveError::Stopped(stop),
        NotWritten::Io(error) => ProveError::Io(error),
    }
}

/// The derivation that a solver's proof tells.
pub(super) fn derive(
    formula: &dyn Clauses,
    proof: &mut dyn Scratch,
    prover: &dyn Prover,
    format: ProofFormat,
    watch: &mut Watch<'_>,
) -> Result<Derivation, ProveError> {
    read(formula, proof, format, watch).map_err(|error| match error {
        ProofError::Stopped(stop) => ProveError::Stopped(stop),
        error => watch.stopped().map_or_else(
            || {
                let name = prover.name();
                let reason = format!("the proof that `{name}` wrote does not hold: {error}");
                ProveError::Backend(BackendError(reason))
            },
            ProveError::Stopped,
        ),
    })
}

fn read(
    formula: &dyn Clauses,
    proof: &mut dyn Scratch,
    format: ProofFormat,
    watch: &mut Watch<'_>,
) -> Result<Derivation, ProofError> {
    let limits = watch.limits().clone();
    let bytes = proof.seek(SeekFrom::End(0))?;
    proof.rewind()?;
    let mut head = Vec::new();
    (&mut *proof as &mut dyn Read).take(64).read_to_end(&mut head)?;
    proof.rewind()?;
    watch.begin("finding the hints of the proof", bytes)?;
    let input = BufReader::with_capacity(1 << 16, watch.over(proof));
    match format {
        ProofFormat::Lrat => Derivation::of_lrat(formula, input, &limits),
        // An outside program's template decides its form.
        _ => drat::convert(formula, input, looks_binary(&head), &limits),
    }
}

/// Whether a proof begins in the compact binary form: with bytes that no text has.
fn looks_binary(head: &[u8]) -> bool {
    head.first() == Some(&b'a') || head.iter().any(|byte| !b"0123456789-d \t\r\n".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_proofs_are_told_apart() {
        assert!(looks_binary(b"a\x02\x00") && looks_binary(b"d\x02\x04\x00"));
        assert!(!looks_binary(b"1 -2 0\nd 1 0\n") && !looks_binary(b"d 1 2 0\n"));
    }
}
