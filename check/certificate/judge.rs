//! Judging what a certificate says, file by file.

use super::claim::{BlockingError, NoMovesToken};
use super::compare::{Difference, compare};
use super::error::{CheckError, invalid};
use super::manifest_files::ManifestFiles;
use super::outside::{ExternalCheck, OutsideChecker};
use super::readme::readme;
use super::{
    CUBES, Counts, Evidence, LIST, LRAT, MANIFEST, MODEL, Manifest, PATTERNS, PatternProofs,
    PuzzleClaim, README, Refutation, SOLUTION, patterns, refutations,
};
use crate::closed::ClosedSet;
use crate::closed::check::ClosedSetError;
use crate::formula::dimacs;
use crate::formula::{ClauseList, Clauses};
use crate::instance::{Formula, Game, Instance, PatternJudge, Question, Verified};
use crate::limits::{Monitor, Stop};
use crate::proof::veripb::{EXTENSION as PBP, FORMULA_EXTENSION as OPB};
use crate::proof::{ProofError, ProofStats, cutting_planes, lrat, veripb};
use crate::transition::{Budget, CubeList, Obligation, StepGuide, WriteError};
use std::collections::BTreeSet;
use std::io::{self, BufReader};
use unstuck_encodings::Lit;
use unstuck_puzzles::patterns::{PatternError, PatternList};

/// A certificate that is being judged.
pub(super) struct Judge<'a> {
    pub files: ManifestFiles<'a>,
    pub with: Option<&'a dyn OutsideChecker>,
    pub manifest: &'a Manifest,
    pub claimed: PuzzleClaim<'a>,
    pub instance: &'a dyn Instance,
    pub checked: Vec<String>,
    pub trusted: Vec<String>,
    /// The files for VeriPB that were judged.
    pub for_veripb: BTreeSet<String>,
    pub monitor: Monitor<'a>,
}

impl Judge<'_> {
    /// A file is faulty; or it only seems so, because a limit struck while it was read.
    fn faulty(&self, name: &str, fault: &dyn std::fmt::Display) -> CheckError {
        match self.monitor.stopped() {
            Some(stop) => CheckError::Stopped(stop),
            None => invalid(format!("{name}: {fault}")),
        }
    }

    /// A proof is not accepted; what is known of the step that fails goes along.
    fn failed(&self, name: &str, error: ProofError) -> CheckError {
        if let ProofError::Stopped(stop) = error {
            return CheckError::Stopped(stop);
        }
        match (self.faulty(name, &error), error) {
            (CheckError::Invalid { reason, .. }, ProofError::Refused { trace, .. }) => {
                CheckError::Invalid { reason, trace }
            }
            (failed, _) => failed,
        }
    }

    /// The game, where there are constraints on it.
    fn constrained(&self) -> Option<&dyn Game> {
        self.instance.moves().filter(|_| !self.manifest.constraints.is_empty())
    }

    /// Replays the solution.
    pub(super) fn solution(&mut self) -> Result<Option<Verified>, CheckError> {
        if !self.manifest.claim.has_solution() {
            return Ok(None);
        }
        let text = self.files.read_text(SOLUTION)?;
        let judged = match self.constrained() {
            Some(game) => game.verify(&self.manifest.constraints, text.trim_end()),
            None => self.instance.verify(text.trim_end()),
        };
        let solution = judged.map_err(|error| invalid(format!("{SOLUTION}: {error}")))?;
        if let PuzzleClaim::Optimal(counted, cost, tie) = self.claimed {
            let differs = |actual: String, claimed: u32| {
                let reason =
                    format!("{SOLUTION} has {actual}, but the certificate claims {claimed}");
                Err(invalid(reason))
            };
            let actual = counted.cost(&solution);
            if actual != cost {
                return differs(counted.words(actual), cost);
            }
            let actual = counted.tie(&solution);
            let tie = match tie {
                Some(tie) if actual != tie => return differs(counted.tie_words(actual), tie),
                Some(tie) => format!(", {tie} in the tie-break"),
                None => String::new(),
            };
            let sentence =
                format!("{SOLUTION}: replayed, it solves the puzzle at cost {cost}{tie}");
            self.checked.push(sentence);
        } else {
            self.checked.push(format!("{SOLUTION}: it solves the puzzle"));
        }
        Ok(Some(solution))
    }

    pub(super) fn evidence(&mut self, solution: Option<&Verified>) -> Result<(), CheckError> {
        let excluded = self.manifest.claim.excluded();
        let from_rules = matches!(
            &self.manifest.evidence,
            Evidence::Nothing | Evidence::ClosedSet { lrat: false, .. }
        );
        if !from_rules && (self.constrained().is_some() || !self.manifest.after.is_empty()) {
            return Err(invalid("only closed sets know constraints and earlier moves"));
        }
        match (&self.manifest.evidence, excluded) {
            (Evidence::Nothing, None) => {
                self.checked.push("no cost is below 0".to_owned());
                Ok(())
            }
            (Evidence::Nothing, Some(_)) => Err(invalid("there is no evidence for the claim")),
            (_, None) => Err(invalid("there is evidence where none is needed")),
            (&Evidence::Horizon { horizon, tie }, Some(excluded)) => {
                self.horizons(horizon, tie, excluded, solution)
            }
            (Evidence::ClosedSet { bound, lrat }, Some(excluded)) => {
                self.closed_set(bound.as_deref(), *lrat, excluded)
            }
            (&Evidence::Backwards { classes }, Some(excluded)) => self.backwards(classes, excluded),
            (Evidence::Invariant, Some(excluded)) => self.invariant(excluded),
            (&Evidence::Patterns { proofs }, Some(_)) => self.patterns(proofs),
        }
    }

    fn horizons(
        &mut self,
        horizon: u32,
        tie: Option<u32>,
        excluded: Budget,
        solution: Option<&Verified>,
    ) -> Result<(), CheckError> {
        let enough = match (excluded, tie) {
            (Budget::Within(needed), None) => horizon >= needed,
            (Budget::Any, None) => self
                .instance
                .encoded()
                .completeness_threshold()
                .is_some_and(|enough| horizon >= enough),
            (Budget::Tied(needed, least), Some(tie)) => horizon >= needed && tie >= least,
            _ => false,
        };
        if !enough {
            return Err(invalid(format!("refuting horizon {horizon} does not show the claim")));
        }
        for Refutation { name, question } in refutations(horizon, tie) {
            self.horizon(&name, question, solution)?;
        }
        Ok(())
    }

    /// Judges the refutation of one formula.
    fn horizon(
        &mut self,
        name: &str,
        question: Question,
        solution: Option<&Verified>,
    ) -> Result<(), CheckError> {
        let most = question.secondary.max(Some(question.horizon)).unwrap_or_default();
        self.says_so_much(&format!("{name}.cnf"), most)?;
        self.monitor.begin(format!("compiling {name} again"), 0)?;
        let mut formula = self.instance.formula_within(&question, self.monitor.limits())?;
        if let (PuzzleClaim::Unique(moveless), Some(solution)) = (self.claimed, solution) {
            self.block(moveless, formula.as_mut(), solution)?;
        }
        let cnf = format!("{name}.cnf");
        let own = formula.len();
        let further = self.compare(&cnf, formula.as_ref(), formula.names())?;
        for (index, clause) in further.iter().enumerate() {
            if !formula.cut(clause) {
                let number = own + index + 1;
                return Err(invalid(format!(
                    "{cnf}: clause {number} is not one of the puzzle's, and does not follow from \
                     its rules"
                )));
            }
        }
        let cuts = further.len();
        let mut sentence = format!("{cnf}: compiled again, {own} clauses are the same");
        if cuts > 0 {
            sentence.push_str(&format!("; {cuts} further ones hold in every solution"));
        }
        self.checked.push(sentence);
        let trusted = format!(
            "the compiler from the rules to the clauses of `{}`: that it loses no solution",
            self.instance.encoding()
        );
        if !self.trusted.contains(&trusted) {
            self.trusted.push(trusted);
        }
        self.proof(name, formula.as_ref())
    }

    /// Looks whether a file is long enough for a formula that a number makes long, before the same
    /// formula is compiled again: each step of a horizon and each unit of a budget has a clause, and
    /// no clause is shorter than two bytes.
    fn says_so_much(&self, name: &str, number: u32) -> Result<(), CheckError> {
        let bytes = self.files.open(name)?.bytes;
        if bytes / 2 < u64::from(number) {
            return Err(invalid(format!("{name}: {bytes} bytes are too few for {number}")));
        }
        Ok(())
    }

    /// Compares a stored formula with the same one compiled again, comment for comment and clause
    /// for clause; the clauses that follow after these.
    fn compare<'n>(
        &mut self,
        name: &str,
        own: &dyn Clauses,
        comments: impl IntoIterator<Item = String> + 'n,
    ) -> Result<Vec<Vec<Lit>>, CheckError> {
        let input = self.files.watched(name, "comparing", &mut self.monitor)?;
        match compare(input, own, comments) {
            Ok(further) => Ok(further),
            Err(Difference::Unreadable(error)) => Err(self.faulty(name, &error)),
            Err(Difference::Counts { what, stored, own }) => {
                Err(self.other(format!("{name} has {stored} {what}, compiled again it has {own}")))
            }
            Err(Difference::Clause(number)) => {
                Err(self.other(format!("{name}: clause {number} is not the one compiled again")))
            }
        }
    }

    /// A formula is not the one compiled again: forged, or of another version of its encoding.
    fn other(&self, reason: String) -> CheckError {
        let written = &self.manifest.encodings;
        let mut encodings = self.instance.encodings().into_iter();
        let changed = encodings.find_map(|(name, own)| {
            let stored = written.get(&name).copied().unwrap_or(1);
            (stored != own).then_some((name, stored, own))
        });
        let Some((name, stored, own)) = changed else { return invalid(reason) };
        CheckError::OtherVersion(format!(
            "{reason}\n  = note: it was compiled by version {stored} of the encoding `{name}`, and \
             this program has version {own}, which makes other clauses"
        ))
    }

    /// Forbids the one solution, by the model that stands for it.
    fn block(
        &mut self,
        moveless: NoMovesToken,
        formula: &mut dyn Formula,
        one: &Verified,
    ) -> Result<(), CheckError> {
        let text = self.files.read_text(MODEL)?;
        let fail = |reason: String| invalid(format!("{MODEL}: {reason}"));
        let said = dimacs::read_output(&text).map_err(|error| fail(error.to_string()))?;
        let dimacs::SolverStatus::Sat(lits) = said else { return Err(fail("no model".to_owned())) };
        let model =
            dimacs::checked_model(formula, &lits).map_err(|error| fail(error.to_string()))?;
        moveless.block(formula, &model, one).map_err(|error| match error {
            BlockingError::Meaningless(fault) => fail(fault),
            BlockingError::Another => fail(format!("it means another solution than {SOLUTION}")),
            BlockingError::Inseparable => {
                fail("it cannot be distinguished from other solutions".to_owned())
            }
        })?;
        self.checked.push(format!("{MODEL}: it satisfies the formula and means {SOLUTION}"));
        Ok(())
    }

    fn closed_set(
        &mut self,
        bound: Option<&str>,
        with_proofs: bool,
        excluded: Budget,
    ) -> Result<(), CheckError> {
        let read = ClosedSet::read(self.files.watched(LIST, "reading", &mut self.monitor)?);
        let set = read.map_err(|reason| self.faulty(LIST, &reason))?;
        if set.claim != excluded {
            return Err(invalid(format!("{LIST} is about another claim")));
        }
        if set.bound.as_deref() != bound {
            return Err(invalid(format!("{LIST} and {MANIFEST} name different bounds")));
        }
        let game = self
            .instance
            .moves()
            .ok_or_else(|| invalid(format!("{LIST}: a puzzle without moves has no closed sets")))?;
        let constraints = &self.manifest.constraints;
        let looked = game.check_closed(constraints, &set, &mut self.monitor);
        let looked = looked.map_err(|error| not_closed(LIST, error))?;
        let mut sentence = format!(
            "{LIST}: closed under the rules ({}, {}, {}), unsolved, and it holds the start",
            plural(looked.classes, "class", "classes"),
            plural(looked.states, "state", "states"),
            plural(looked.moves, "move", "moves")
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
                return Err(CheckError::NoProofs(program.name().to_owned()));
            }
            return Ok(());
        }
        let most = set.claim.first().max(set.claim.second());
        self.says_so_much("start.cnf", most.unwrap_or(0))?;
        let formulas = game.closed_formulas(&set, &mut self.monitor);
        drop(set);
        self.formulas(LIST, formulas)
    }

    fn backwards(&mut self, classes: u32, excluded: Budget) -> Result<(), CheckError> {
        if let Some(program) = self.with {
            return Err(CheckError::NoProofs(program.name().to_owned()));
        }
        let none = || invalid("a puzzle without moves is not played backwards");
        let game = self.instance.moves().ok_or_else(none)?;
        let counted = game.check_backwards(excluded, Some(classes), &mut self.monitor);
        counted.map_err(|error| not_closed(MANIFEST, error))?;
        let within = excluded.first().map_or(String::new(), |most| format!(" within {most}"));
        self.checked.push(format!(
            "found anew by the rules: {} to the end{within}, and the start is not among them",
            plural(classes.into(), "class leads", "classes lead"),
        ));
        self.trusted.push(
            "the rules backwards: that no push into a class is left out, and no end".to_owned(),
        );
        Ok(())
    }

    /// Judges the three formulas of a list and their proofs.
    fn formulas(
        &mut self,
        list: &str,
        formulas: Result<Box<dyn StepGuide>, WriteError>,
    ) -> Result<(), CheckError> {
        let formulas = formulas.map_err(|error| match error {
            WriteError::Stopped(stop) => CheckError::Stopped(stop),
            other => invalid(format!("{list}: {other}")),
        })?;
        for part in Obligation::ALL {
            let formula = formulas.cubes().formula(part, &mut self.monitor)?;
            self.part(part, &formula, [])?;
        }
        Ok(())
    }

    /// Judges one of the three formulas of a list and its proof.
    fn part<'n>(
        &mut self,
        part: Obligation,
        formula: &ClauseList,
        comments: impl IntoIterator<Item = String> + 'n,
    ) -> Result<(), CheckError> {
        let cnf = format!("{}.cnf", part.name());
        if !self.compare(&cnf, formula, comments)?.is_empty() {
            return Err(invalid(format!("{cnf} has clauses that the list has not")));
        }
        self.checked.push(format!("{cnf}: compiled again, {} clauses are the same", formula.len()));
        self.proof(part.name(), formula)
    }

    fn invariant(&mut self, excluded: Budget) -> Result<(), CheckError> {
        let read = CubeList::read(self.files.watched(CUBES, "reading", &mut self.monitor)?);
        let list = read.map_err(|reason| self.faulty(CUBES, &reason))?;
        if list.claim != excluded {
            return Err(invalid(format!("{CUBES} is about another claim")));
        }
        self.says_so_much("start.cnf", list.claim.first().unwrap_or(0))?;
        let game = self
            .instance
            .moves()
            .ok_or_else(|| invalid(format!("{CUBES}: a puzzle without moves has no invariants")))?;
        let induction = game.induction(&list);
        let induction = induction.map_err(|reason| invalid(format!("{CUBES}: {reason}")))?;
        for part in Obligation::ALL {
            let formula = induction.formula(part, &mut self.monitor)?;
            self.part(part, &formula, induction.names())?;
        }
        self.checked.push(format!(
            "{CUBES}: the list (cubes: {}) holds the start, no solved state, and all that one step \
             leads to",
            induction.len()
        ));
        self.trusted.push(format!(
            "the compiler from the rules to the clauses of `{}`: that it permits every legal move",
            induction.transition()
        ));
        Ok(())
    }

    fn patterns(&mut self, proofs: PatternProofs) -> Result<(), CheckError> {
        if let (Some(program), PatternProofs::None) = (self.with, proofs) {
            return Err(CheckError::NoProofs(program.name().to_owned()));
        }
        // The whole list is in memory before it is judged.
        let text =
            io::read_to_string(self.files.watched(PATTERNS, "reading", &mut self.monitor)?)
                .map_err(|error| self.faulty(PATTERNS, &error))?;
        self.monitor.begin(format!("judging {PATTERNS}"), 0)?;
        let claim = self.manifest.claim;
        let judged = patterns::judge(self.instance, claim, text.as_bytes(), &mut self.monitor);
        let (list, judged) = judged.map_err(|error| match (error, self.monitor.stopped()) {
            (_, Some(stop)) => CheckError::Stopped(stop),
            (PatternError::Refused(reason), _) => invalid(format!("{PATTERNS}: {reason}")),
            (PatternError::Stopped, None) => CheckError::Stopped(Stop::Cancelled),
        })?;
        self.checked.push(format!(
            "{PATTERNS}: the potential keeps its rules, all pushes of {} are covered ({}, {} of \
             zones), and they cover the start",
            plural(judged.patterns as u64, "pattern", "patterns"),
            plural(judged.pushes as u64, "push", "pushes"),
            plural(judged.contents as u64, "content", "contents"),
        ));
        let dropping = self.instance.capability::<dyn PatternJudge>();
        let dropping = dropping.ok_or_else(|| invalid(format!("{PATTERNS}: no formulas here")))?;
        let counts = match proofs {
            PatternProofs::None => return Ok(()),
            PatternProofs::CuttingPlanes => return self.sums(dropping, &list),
            PatternProofs::Lrat(counts) => counts,
        };
        if list.claim.is_some() {
            self.checked.push(match counts {
                Counts::Waste => format!("{PATTERNS}: its formulas count waste by this potential"),
                Counts::Pushes => format!(
                    "{PATTERNS}: its formulas count pushes, and define the potential: their \
                     refutations show that too"
                ),
            });
        }
        let formulas = dropping.pattern_formulas(&list, counts, &mut self.monitor);
        self.formulas(PATTERNS, formulas)
    }

    /// Judges the three pseudo-Boolean formulas of a list and their proofs.
    fn sums(&mut self, dropping: &dyn PatternJudge, list: &PatternList) -> Result<(), CheckError> {
        let sums = dropping.pattern_sums(list, &mut self.monitor).map_err(|error| match error {
            WriteError::Stopped(stop) => CheckError::Stopped(stop),
            other => invalid(format!("{PATTERNS}: {other}")),
        })?;
        let limits = self.monitor.limits().clone();
        for part in Obligation::ALL {
            let formula = sums.formula(part, &mut self.monitor)?.constraints;
            let (opb, file) = (format!("{}.{OPB}", part.name()), format!("{}.{PBP}", part.name()));
            let input = self.files.watched(&opb, "comparing", &mut self.monitor)?;
            let same = veripb::is_same(input, |out| Ok(formula.write_opb(out, sums.comments())?));
            if !same.map_err(|error| self.faulty(&opb, &error))? {
                return Err(self.other(format!("{opb} is not the one compiled again")));
            }
            let count = formula.len();
            self.checked.push(format!("{opb}: compiled again, {count} constraints are the same"));
            let input = self.files.watched(&file, "checking", &mut self.monitor)?;
            let accepted = cutting_planes::check(&formula, input, &limits);
            let ProofStats { lemmas, .. } = accepted.map_err(|error| self.failed(&file, error))?;
            self.checked.push(format!(
                "{file}: a refutation of {}, by the checker of cutting planes of this program",
                plural(lemmas, "lemma", "lemmas"),
            ));
            if let Some(program) = self.with {
                self.outside(program, &opb, &file)?;
            }
            self.for_veripb.extend([opb, file]);
        }
        Ok(())
    }

    /// Judges a proof of a formula.
    fn proof(&mut self, name: &str, clauses: &dyn Clauses) -> Result<(), CheckError> {
        let file = format!("{name}.{LRAT}");
        let limits = self.monitor.limits().clone();
        let input = self.files.watched(&file, "checking", &mut self.monitor)?;
        let accepted = lrat::check(clauses, input, &limits);
        let ProofStats { lemmas, steps } = accepted.map_err(|error| self.failed(&file, error))?;
        self.checked.push(format!(
            "{file}: a refutation of {} in {}, by the LRAT checker of this program",
            plural(lemmas, "lemma", "lemmas"),
            plural(steps, "step", "steps"),
        ));
        self.translation(name, &file)?;
        let cnf = format!("{name}.cnf");
        self.with.map_or(Ok(()), |program| self.outside(program, &cnf, &file))
    }

    /// Judges a proof in VeriPB's format: where there is one, it is the other one translated.
    fn translation(&mut self, name: &str, file: &str) -> Result<(), CheckError> {
        let translated = format!("{name}.{PBP}");
        if !self.files.listed.contains_key(&translated) {
            return Ok(());
        }
        let limits = self.monitor.limits().clone();
        let formula = BufReader::new(self.files.open(&format!("{name}.cnf"))?.input);
        let proof = BufReader::new(self.files.open(file)?.input);
        let input = self.files.watched(&translated, "comparing", &mut self.monitor)?;
        let same = veripb::is_translation(formula, proof, input, &limits);
        if !same.map_err(|error| self.failed(&translated, error))? {
            return Err(invalid(format!("{translated}: it is not {file} translated")));
        }
        self.checked.push(format!("{translated}: the same proof in VeriPB's format"));
        self.for_veripb.insert(translated);
        Ok(())
    }

    /// Whether nothing is listed for people or for a judge elsewhere that was not judged here. What is
    /// not listed is not part of the certificate.
    pub(super) fn strangers(&mut self) -> Result<(), CheckError> {
        let is_strange = |name: &&String| {
            let small = name.to_lowercase();
            let is_proof = [OPB, PBP].iter().any(|kind| small.ends_with(&format!(".{kind}")));
            let is_readme = small.starts_with("readme") && **name != README;
            is_readme || is_proof && !self.for_veripb.contains(*name)
        };
        if let Some(name) = self.files.listed.keys().find(is_strange) {
            return Err(invalid(format!("{name}: it belongs to no proof of this certificate")));
        }
        if self.files.listed.contains_key(README) {
            if !self.manifest.after.is_empty() {
                return Err(invalid(format!("{README}: it knows no earlier moves")));
            }
            if self.files.read_text(README)? != readme(self.manifest) {
                return Err(invalid(format!("{README} says something else than {MANIFEST}")));
            }
            self.checked.push(format!("{README}: it says what {MANIFEST} says"));
        }
        Ok(())
    }

    /// Has a proof judged by another program.
    fn outside(
        &mut self,
        program: &dyn OutsideChecker,
        formula: &str,
        file: &str,
    ) -> Result<(), CheckError> {
        let shown = program.name();
        let Some(folder) = self.files.place.folder() else {
            let reason = format!("`{shown}` reads files, and these are in memory");
            return Err(CheckError::Unable(reason));
        };
        self.monitor.begin(format!("asking {shown}"), 0)?;
        let formula = folder.join(formula);
        match program.check(&formula, &folder.join(file), self.monitor.limits()) {
            ExternalCheck::Accepts(word) => {
                self.checked.push(format!("{file}: {shown} says {word}"));
                Ok(())
            }
            ExternalCheck::Rejects(word) => {
                Err(invalid(format!("{file}: {shown} does not accept it: {word}")))
            }
            ExternalCheck::Missing(reason) => Err(CheckError::Unable(reason)),
            ExternalCheck::Stopped(stop) => Err(CheckError::Stopped(stop)),
        }
    }
}

fn not_closed(name: &str, error: ClosedSetError) -> CheckError {
    match error {
        ClosedSetError::Refused(reason) => invalid(format!("{name}: {reason}")),
        ClosedSetError::Stopped(stop) => CheckError::Stopped(stop),
    }
}

/// A number of things: "1 lemma", "2 lemmas".
fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
