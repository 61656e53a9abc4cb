//! Choosing evidence, and writing lists.
//!
//! Which kind: a closed set without the bound where that is small (nothing is trusted but the
//! rules, and people can read it); else dead patterns, where pieces may be dropped (nothing else is
//! trusted there either, and they are found in a fraction of the time); else a larger closed set;
//! else all that leads to the end, where that is likely little (the rules are trusted backwards,
//! too); else, where there is no solution at all, an invariant; else a closed set with the bound;
//! else the refutation of a horizon. Families without moves, and claims of uniqueness, have formulas
//! only.

use super::files::CertificateWriter;
use super::patterns;
use super::proof_task::{BoundUse, EvidenceKind, ProofOptions, ProofTask, ProveError, unfit};
use super::{CUBES, Claim, Counts, Evidence, LIST, PATTERNS, PatternProofs, PuzzleClaim};
use crate::advice::Advice;
use crate::backend::Answer;
use crate::closed::ClosedSet;
use crate::closed::check::ClosedSetError;
use crate::closed::close::{ClosureError, ClosureTask};
use crate::formula::dimacs;
use crate::instance::{FromTheEnd, Game, PatternJudge, SingleSteps, StateSpace};
use crate::invariant::pdr::{self, InvariantError};
use crate::learn;
use crate::limits::{Limits, Monitor, Stop};
use crate::proof::veripb::{EXTENSION, FORMULA_EXTENSION};
use crate::search::SearchStats;
use crate::solve::Request;
use crate::transition::{Budget, Obligation, StepGuide, WriteError, cutting_planes, lrat};
use std::time::Duration;
use unstuck_puzzles::Objective;
use unstuck_puzzles::patterns::PatternList;

/// Entries up to which a list without the bound is preferred to everything else.
const SMALL_LIST_ENTRIES: usize = 1_000;

/// Time for dead patterns before a larger list is tried.
const LEARNING_TIME: Duration = Duration::from_secs(2);

/// Time to count what leads to the end before dead patterns are tried for longer.
const BACKWARDS_TIME: Duration = Duration::from_secs(60);

/// Entries up to which a list without the bound is preferred when the kind is open.
const MAX_ENTRIES_WITHOUT_BOUND: usize = 200_000;

/// Entries up to which a list is preferred to a refutation when the kind is open.
const MAX_ENTRIES_WITH_BOUND: usize = 1_000_000;

/// Lemmas about a potential up to which it is shown inside the formulas when that is open.
const MAX_POTENTIAL_LEMMAS: u64 = 1_000_000;

/// The evidence of a certificate in the making.
pub(super) struct Writer<'a, 'p> {
    pub task: &'a ProofTask<'a>,
    pub claimed: PuzzleClaim<'a>,
    pub proof_options: &'a ProofOptions,
    pub request: &'a Request,
    pub draft: &'a mut CertificateWriter<'p>,
    pub say: &'a mut dyn FnMut(&str),
}

impl<'a> Writer<'a, '_> {
    /// Evidence for the claim. Where the kind is open and a limit leaves no evidence for the
    /// tie-break, evidence for the claim without it.
    pub(super) fn evidence(&mut self) -> Result<(Claim, Evidence), ProveError> {
        let claim = self.task.claim;
        let untied = claim.untied();
        let tied = claim.excluded().is_some_and(|excluded| excluded.second().is_some());
        if !tied
            || self.proof_options.wanted != EvidenceKind::Auto
            || self.proof_options.with_proofs()
        {
            return Ok((claim, self.evidence_of(claim)?));
        }
        match self.evidence_of(claim) {
            Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) => {
                (self.say)(&format!(
                    "no evidence for the tie-break: every list is too large ({stop})"
                ));
                Ok((untied, self.evidence_of(untied)?))
            }
            evidence => Ok((claim, evidence?)),
        }
    }

    fn evidence_of(&mut self, claim: Claim) -> Result<Evidence, ProveError> {
        let Some(excluded) = claim.excluded() else { return Ok(Evidence::Nothing) };
        let constrained = !self.task.constraints.is_empty() && self.task.instance.moves().is_some();
        if constrained || !self.task.after.is_empty() {
            return self.by_rules(excluded);
        }
        match (self.proof_options.wanted, self.task.instance.moves()) {
            (EvidenceKind::Auto, Some(game)) if excluded.second().is_some() => {
                self.tied(game, excluded)
            }
            (EvidenceKind::Horizon, _) => self.horizon(excluded),
            (EvidenceKind::Closed | EvidenceKind::Backwards, None) => {
                let family = self.task.instance.family();
                let reason = format!("{family} has no moves, so no closed sets");
                Err(unfit(reason, Advice::Horizon))
            }
            (EvidenceKind::Closed, Some(game)) => {
                let set = self.closed(excluded, None)?;
                self.list(Some(game), set)
            }
            (EvidenceKind::Backwards, Some(game)) => {
                self.backwards(game, excluded, &self.request.limits.clone())
            }
            (EvidenceKind::Invariant, Some(game)) if excluded == Budget::Any => {
                self.invariant(game, &self.request.limits.clone())
            }
            (EvidenceKind::Invariant, _) => {
                let reason =
                    "invariants are found for games with moves that have no solution at all";
                Err(unfit(reason, Advice::AnyEvidence))
            }
            (EvidenceKind::Patterns, _) => self.patterns(excluded, &self.request.limits.clone()),
            (EvidenceKind::Auto, None) => {
                (self.say)("evidence: a refutation, because there are no moves to close under");
                self.horizon(excluded)
            }
            (EvidenceKind::Auto, Some(game)) if self.has_lists_only() => {
                let set = self.closed(excluded, None)?;
                self.list(Some(game), set)
            }
            (EvidenceKind::Auto, Some(game))
                if excluded == Budget::Any && self.proof_options.use_bound != BoundUse::Always =>
            {
                self.unsolvable(game)
            }
            (EvidenceKind::Auto, Some(game)) => match self.any_list(game, excluded) {
                Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) => {
                    (self.say)(&format!(
                        "evidence: a refutation, because every list is too large ({stop})"
                    ));
                    ran_out(self.horizon(excluded), stop)
                }
                other => other,
            },
        }
    }

    /// Whether nothing but a closed set can be had: there are no clauses, and no pieces to drop.
    fn has_lists_only(&self) -> bool {
        let instance = self.task.instance;
        let drops = instance.capability::<dyn PatternJudge>().is_some();
        instance.encoded().refusal().is_some() && !drops
    }

    /// Evidence of a claim about a position, or with constraints: formulas know neither, so it must
    /// come from the rules.
    fn by_rules(&mut self, excluded: Budget) -> Result<Evidence, ProveError> {
        if !matches!(self.proof_options.wanted, EvidenceKind::Auto | EvidenceKind::Closed)
            || self.proof_options.with_proofs()
        {
            let reason =
                "after moves and with constraints only closed sets, without LRAT, are evidence";
            return Err(unfit(reason, Advice::ClosedSet));
        }
        let instance = self.task.instance;
        let none = || unfit(format!("{} has no closed sets", instance.family()), None);
        instance.moves().ok_or_else(none)?;
        let set = self.closed(excluded, None)?;
        self.list(None, set)
    }

    /// Finds dead patterns and writes them.
    fn patterns(&mut self, excluded: Budget, limits: &Limits) -> Result<Evidence, ProveError> {
        let say = &mut self.say;
        say("learning dead patterns");
        let mut report = |stats: learn::LearnStats| say(&stats.to_string());
        let lrat = self.proof_options.lrat;
        let sums = self.proof_options.veripb && !lrat;
        let mut find = |simple| {
            let learn_options = learn::LearnOptions {
                simple,
                threads: self.request.threads,
                tuning: &self.request.tuning,
                ..Default::default()
            };
            patterns::find(self.task.instance, excluded, learn_options, limits, &mut report)
        };
        // Only simple patterns can be said in clauses.
        let mut list = find(lrat)?;
        if sums && !patterns::add_up(&list) {
            list = find(true)?;
        }
        (self.say)(&format!("evidence: {} dead patterns", list.patterns.len()));
        self.draft.file(PATTERNS, |out| write!(out, "{list}"))?;
        let (true, Some(dropping)) =
            (lrat || sums, self.task.instance.capability::<dyn PatternJudge>())
        else {
            return Ok(Evidence::Patterns { proofs: PatternProofs::None });
        };
        if sums {
            self.sums(dropping, &list)?;
            return Ok(Evidence::Patterns { proofs: PatternProofs::CuttingPlanes });
        }
        let counts = match self.proof_options.use_bound {
            BoundUse::Always => Counts::Waste,
            BoundUse::Never => Counts::Pushes,
            BoundUse::Auto => match dropping.potential_lemmas(&list) {
                ..=MAX_POTENTIAL_LEMMAS => Counts::Pushes,
                lemmas => {
                    (self.say)(&format!(
                        "the formulas count waste: about {lemmas} lemmas would show the potential"
                    ));
                    Counts::Waste
                }
            },
        };
        let mut monitor = Monitor::new(limits, &mut *self.say);
        let formulas =
            dropping.pattern_formulas(&list, counts, &mut monitor).map_err(not_written)?;
        self.formulas(formulas.as_ref())?;
        Ok(Evidence::Patterns { proofs: PatternProofs::Lrat(counts) })
    }

    /// Writes the three pseudo-Boolean formulas of dead patterns, and their proofs.
    fn sums(&mut self, dropping: &dyn PatternJudge, list: &PatternList) -> Result<(), ProveError> {
        let mut monitor = Monitor::new(&self.request.limits, &mut *self.say);
        let sums = dropping.pattern_sums(list, &mut monitor).map_err(not_written)?;
        for part in Obligation::ALL {
            let name = part.name();
            let formula = sums.formula(part, &mut monitor)?;
            self.draft.file(&format!("{name}.{FORMULA_EXTENSION}"), |out| {
                formula.constraints.write_opb(out, sums.comments())
            })?;
            self.draft
                .file(&format!("{name}.{EXTENSION}"), |out| {
                    cutting_planes::prove(&sums, part, &formula, out, &mut monitor)
                })
                .map_err(not_written)?;
        }
        Ok(())
    }

    /// Limits with a part of the time that is left.
    fn part(&self, share: Option<f64>) -> Limits {
        share.map_or_else(|| self.request.limits.clone(), |share| self.request.limits.share(share))
    }

    /// Evidence that there is no solution at all, of the kind that trusts least and can be had.
    fn unsolvable(&mut self, game: &dyn Game) -> Result<Evidence, ProveError> {
        let most = self.proof_options.use_bound == BoundUse::Auto;
        if let Some(evidence) = self.soon(game, Budget::Any)? {
            return Ok(evidence);
        }
        let limits = self.part(Some(0.4));
        let stop = match self.close(
            Budget::Any,
            false,
            most.then_some(MAX_ENTRIES_WITHOUT_BOUND),
            &limits,
        ) {
            Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) => stop,
            other => return self.list(Some(game), other?),
        };
        if let Some(evidence) = self.backwards_soon(game, Budget::Any)? {
            return Ok(evidence);
        }
        if let Some(evidence) = if_any(self.patterns(Budget::Any, &self.part(Some(0.4))))? {
            return Ok(evidence);
        }
        (self.say)(&format!(
            "looking for an invariant, because the closed set is too large ({stop})"
        ));
        let horizon = self.task.instance.encoded().completeness_threshold().is_some();
        let share = (most || horizon).then_some(0.6);
        let found = ran_out(self.invariant(game, &self.part(share)), stop);
        let stop = match found {
            Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) if share.is_some() => stop,
            other => return other,
        };
        if most && !self.proof_options.with_proofs() {
            let limits = self.part(horizon.then_some(0.5));
            let set = self.close(Budget::Any, true, Some(MAX_ENTRIES_WITH_BOUND), &limits);
            if let Some(set) = if_any(set)? {
                return self.list(Some(game), set);
            }
        }
        match horizon {
            true => ran_out(self.horizon(Budget::Any), stop),
            false => Err(ProveError::Stopped(stop)),
        }
    }

    /// Evidence that is found soon or not at all: a small closed set, else dead patterns.
    fn soon(&mut self, game: &dyn Game, excluded: Budget) -> Result<Option<Evidence>, ProveError> {
        // Who asks for clauses, or for another bound, is given the kind that this is about.
        if self.proof_options.use_bound != BoundUse::Auto || self.proof_options.lrat {
            return Ok(None);
        }
        match self.close(excluded, false, Some(SMALL_LIST_ENTRIES), &self.part(Some(0.3))) {
            Err(ProveError::Stopped(Stop::Time | Stop::Memory)) => {}
            set => return self.list(Some(game), set?).map(Some),
        }
        let limits = self.part(Some(0.3)).within(LEARNING_TIME);
        if_any(self.patterns(excluded, &limits))
    }

    /// A closed set without the bound where that can be had; else patterns, which are trusted no
    /// less; else a closed set with the bound.
    fn any_list(&mut self, game: &dyn Game, excluded: Budget) -> Result<Evidence, ProveError> {
        if let Some(evidence) = self.soon(game, excluded)? {
            return Ok(evidence);
        }
        if self.proof_options.use_bound == BoundUse::Auto {
            let limits = self.part(Some(0.3));
            let stop = match self.close(excluded, false, Some(MAX_ENTRIES_WITHOUT_BOUND), &limits) {
                Err(ProveError::Stopped(stop @ (Stop::Time | Stop::Memory))) => stop,
                other => return self.list(Some(game), other?),
            };
            if let Some(evidence) = self.backwards_soon(game, excluded)? {
                return Ok(evidence);
            }
            if let Some(evidence) = if_any(self.patterns(excluded, &self.part(Some(0.4))))? {
                return Ok(evidence);
            }
            if self.proof_options.with_proofs() {
                // Formulas of closed sets know no bound.
                return Err(ProveError::Stopped(stop));
            }
            let limits = self.part(Some(0.5));
            let set = self.close(excluded, true, Some(MAX_ENTRIES_WITH_BOUND), &limits)?;
            return self.list(Some(game), set);
        }
        let set = self.closed(excluded, Some(0.5))?;
        self.list(Some(game), set)
    }

    /// All that leads to the end, where the end is likely the easier one.
    fn backwards_soon(
        &mut self,
        game: &dyn Game,
        excluded: Budget,
    ) -> Result<Option<Evidence>, ProveError> {
        let end = self.task.instance.capability::<dyn FromTheEnd>();
        if self.proof_options.with_proofs() || end.is_none_or(|end| !end.leads()) {
            return Ok(None);
        }
        let limits = self.part(Some(0.3)).within(BACKWARDS_TIME);
        if_any(self.backwards(game, excluded, &limits))
    }

    /// Counts what leads to the end.
    fn backwards(
        &mut self,
        game: &dyn Game,
        excluded: Budget,
        limits: &Limits,
    ) -> Result<Evidence, ProveError> {
        let instance = self.task.instance;
        let counts =
            instance.objective().first() != Objective::Moves && excluded.second().is_none();
        let has_end = instance.capability::<dyn FromTheEnd>().is_some();
        if self.proof_options.with_proofs() || !counts || !has_end {
            let reason = "what leads to the end is counted by pushes alone, and in no formula";
            return Err(unfit(reason, Advice::AnyEvidence));
        }
        let mut monitor = Monitor::new(limits, &mut *self.say);
        let counted = game.check_backwards(excluded, None, &mut monitor);
        let classes = counted.map_err(|error| match error {
            ClosedSetError::Refused(reason) => {
                ProveError::Fault(format!("the claim is false: {reason}"))
            }
            ClosedSetError::Stopped(stop) => ProveError::Stopped(stop),
        })?;
        (self.say)(&format!("evidence: {classes} classes lead to the end"));
        Ok(Evidence::Backwards { classes })
    }

    /// A closed set that counts the tie-break, with half of the time for it.
    fn tied(&mut self, game: &dyn Game, excluded: Budget) -> Result<Evidence, ProveError> {
        if self.proof_options.use_bound != BoundUse::Always {
            let limits = self.part(Some(0.3));
            match self.close(excluded, false, Some(MAX_ENTRIES_WITHOUT_BOUND), &limits) {
                Err(ProveError::Stopped(Stop::Time | Stop::Memory))
                    if self.proof_options.use_bound == BoundUse::Auto
                        && !self.proof_options.with_proofs() => {}
                other => return self.list(Some(game), other?),
            }
        }
        let set = self.close(excluded, true, Some(MAX_ENTRIES_WITH_BOUND), &self.part(Some(0.3)));
        match set {
            Err(ProveError::Unfit { .. }) => Err(ProveError::Stopped(Stop::Memory)),
            set => self.list(Some(game), set?),
        }
    }

    /// A closed set, without the bound where it can be had.
    fn closed(&mut self, excluded: Budget, share: Option<f64>) -> Result<ClosedSet, ProveError> {
        let open = share.is_some();
        let try_both = self.proof_options.use_bound == BoundUse::Auto;
        if self.proof_options.use_bound != BoundUse::Always {
            let most = try_both.then_some(MAX_ENTRIES_WITHOUT_BOUND);
            let limits = if try_both { self.part(Some(0.4)) } else { self.part(share) };
            match self.close(excluded, false, most, &limits) {
                Err(ProveError::Stopped(Stop::Time | Stop::Memory)) if try_both => {}
                other => return other,
            }
        }
        self.close(excluded, true, open.then_some(MAX_ENTRIES_WITH_BOUND), &self.part(share))
    }

    /// Writes a closed set.
    fn list(&mut self, game: Option<&dyn Game>, set: ClosedSet) -> Result<Evidence, ProveError> {
        let (entries, name) = (set.entries.len(), set.bound.as_deref());
        let given = name.map_or(String::new(), |name| format!(", given the bound {name}"));
        (self.say)(&format!("evidence: a closed set of {entries} entries{given}"));
        self.draft.file(LIST, |out| set.write(out))?;
        let game = game.filter(|_| self.proof_options.with_proofs());
        if let Some(game) = game {
            let mut monitor = Monitor::new(&self.request.limits, &mut *self.say);
            let formulas = game.closed_formulas(&set, &mut monitor).map_err(not_written)?;
            self.formulas(formulas.as_ref())?;
        }
        let lrat = game.is_some();
        Ok(Evidence::ClosedSet { bound: set.bound, lrat })
    }

    /// Finds an invariant, writes it and its formulas, and has each refuted.
    fn invariant(&mut self, game: &dyn Game, limits: &Limits) -> Result<Evidence, ProveError> {
        (self.say)("reverse reachability: which states cannot reach the goal");
        let say = &mut self.say;
        let mut report = |stats: pdr::PdrStats| say(&stats.to_string());
        let steps = self.task.instance.capability::<dyn SingleSteps>();
        let steps =
            steps.ok_or_else(|| unfit("no clauses say its single moves", Advice::AnyEvidence))?;
        let found = steps.invariant(self.request.incremental(), limits, &mut report);
        let list = found.map_err(|error| match error {
            InvariantError::Stopped(stop) => ProveError::Stopped(stop),
            InvariantError::Solvable => {
                unfit("there is a solution, so no invariant", Advice::AnyEvidence)
            }
            error @ (InvariantError::TooMany(_) | InvariantError::Unfit(_)) => {
                unfit(format!("no invariant: {error}"), Advice::AnyEvidence)
            }
        })?;
        (self.say)(&format!("evidence: an invariant of {} cubes", list.cubes.len()));
        self.draft.file(CUBES, |out| list.write(out))?;
        let fault = |reason| ProveError::Fault(format!("{CUBES}: {reason}"));
        let induction = game.induction(&list).map_err(fault)?;
        for part in Obligation::ALL {
            let name = part.name();
            let formula =
                induction.formula(part, &mut Monitor::new(&self.request.limits, &mut *self.say))?;
            self.draft.file(&format!("{name}.cnf"), |out| {
                dimacs::write_cnf(out, &formula, induction.names())
            })?;
            if self.refutation(&formula, name)? != Answer::Unsat {
                return Err(ProveError::Fault(format!("the invariant fails: {name}.cnf")));
            }
        }
        Ok(Evidence::Invariant)
    }

    fn close(
        &mut self,
        claim: Budget,
        use_bound: bool,
        max_states: Option<usize>,
        limits: &Limits,
    ) -> Result<ClosedSet, ProveError> {
        let closing = ClosureTask { claim, use_bound, max_states };
        let say = &mut self.say;
        let with = if use_bound { "with" } else { "without" };
        say(&format!("closing the reachable states {with} the bound"));
        let mut report = |stats: SearchStats| {
            if stats.expanded.is_multiple_of(16 * 256) {
                say(&format!("closing: {} of {} entries", stats.expanded, stats.states));
            }
        };
        let states = self.task.instance.capability::<dyn StateSpace>();
        let states = states.ok_or_else(|| unfit("there are no moves to close under", None))?;
        let set = states.close(&self.task.constraints, closing, limits, &mut report);
        set.map_err(|error| match error {
            ClosureError::Stopped(stop) => ProveError::Stopped(stop),
            ClosureError::NoBound => unfit("the family has no bound to use", None),
            ClosureError::Solvable => ProveError::Fault(
                "the claim is false: a solution was met where there should be none".to_owned(),
            ),
        })
    }

    /// Writes three formulas and their proofs.
    fn formulas(&mut self, formulas: &dyn StepGuide) -> Result<(), ProveError> {
        let mut monitor = Monitor::new(&self.request.limits, &mut *self.say);
        for part in Obligation::ALL {
            let name = part.name();
            let formula = formulas.cubes().formula(part, &mut monitor)?;
            let file = format!("{name}.cnf");
            monitor.begin(format!("writing {file}"), 0)?;
            let written = self
                .draft
                .file(&file, |out| dimacs::write_cnf(&mut monitor.over(out), &formula, []));
            written.map_err(|error| monitor.stopped().map_or(error.into(), ProveError::Stopped))?;
            drop(formula);
            self.draft
                .file(&format!("{name}.lrat"), |out| lrat::prove(formulas, part, out, &mut monitor))
                .map_err(not_written)?;
        }
        Ok(())
    }
}

/// What came of a kind of evidence that may be missing: none where the puzzle has no such evidence, or
/// where time or memory ran out.
fn if_any<T>(evidence: Result<T, ProveError>) -> Result<Option<T>, ProveError> {
    match evidence {
        Err(ProveError::Unfit { .. } | ProveError::Stopped(Stop::Time | Stop::Memory)) => Ok(None),
        other => other.map(Some),
    }
}

/// What came of a kind of evidence that was tried because another ran into a limit: where the puzzle
/// has no such evidence, that limit is why there is none.
fn ran_out(evidence: Result<Evidence, ProveError>, stop: Stop) -> Result<Evidence, ProveError> {
    match evidence {
        Err(ProveError::Unfit { .. }) => Err(ProveError::Stopped(stop)),
        other => other,
    }
}

fn not_written(error: WriteError) -> ProveError {
    match error {
        WriteError::Unfit(reason) => unfit(format!("no proofs: {reason}"), Advice::ListAlone),
        WriteError::Stopped(stop) => ProveError::Stopped(stop),
        WriteError::Io(error) => ProveError::Io(error),
    }
}
