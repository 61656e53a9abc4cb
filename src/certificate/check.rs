//! Judging a certificate from the puzzle's text alone.
//!
//! The sums of the files come first, but nothing rests on them: the puzzle is parsed again, its
//! formulas are compiled again and compared clause for clause, the plan is replayed, proofs and
//! lists are verified. A forged list of sums changes nothing.

use super::claim::{Moveless, NotExcluded};
use super::compare::{Difference, compare};
use super::files::{self, Opened};
#[cfg(feature = "files")]
use super::outside;
use super::{
    CUBES, Claimed, Evidence, LIST, MANIFEST, MODEL, Manifest, PATTERNS, PUZZLE, ProofKind,
    SOLUTION, patterns,
};
use crate::advice::Advice;
use crate::closed::ClosedSet;
use crate::closed::check::NotProved;
use crate::formula::dimacs;
use crate::formula::{ClauseList, Clauses};
use crate::instance::{Formula, Instance, Question, Verified, WishedGame};
use crate::limits::{Limits, Stop, Watch, Watched};
use crate::proof::{Accepted, ProofError, drat, lrat};
use crate::registry;
use crate::transition::lrat::{Formulas, NotWritten};
use crate::transition::{Budget, CubeList, Part};
use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Read};
#[cfg(feature = "files")]
use std::path::Path;
use unstuck_encodings::{Filter, Lit};
use unstuck_puzzles::Options;
use unstuck_puzzles::patterns::NotShown;

/// Most bytes of a file that is held in memory whole: descriptions, puzzles, plans.
const SMALL: u64 = 64 << 20;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// It is wrong: the first thing that fails.
    Invalid(String),
    /// It cannot be judged: a file that cannot be read, a checker that is not there.
    Unable(String),
    /// It was written with another version of the encoding.
    OtherVersion(String),
    /// There are no proof files for this outside checker.
    NoProofs(String),
    /// A limit struck.
    Stopped(Stop),
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Invalid(reason) | Self::Unable(reason) | Self::OtherVersion(reason) => {
                f.write_str(reason)
            }
            Self::NoProofs(program) => write!(f, "there are no proof files for `{program}`"),
            Self::Stopped(stop) => write!(f, "stopped: {stop}"),
        }
    }
}

impl std::error::Error for CheckError {}

impl CheckError {
    /// The way out, where there is one.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::NoProofs(_) => Some(Advice::WithFormulas),
            Self::OtherVersion(_) => Some(Advice::ProveAgain),
            _ => None,
        }
    }
}

impl From<Stop> for CheckError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

fn invalid(reason: impl Into<String>) -> CheckError {
    CheckError::Invalid(reason.into())
}

/// What was found right.
pub struct Report {
    /// What the certificate says of itself.
    pub manifest: Manifest,
    /// The title of the level, if it has one.
    pub title: Option<String>,
    /// All options of the family: they belong to the question.
    pub options: Options,
    /// The instance that it is about.
    pub instance: Box<dyn Instance>,
    /// The solution, where there is one.
    pub solution: Option<Verified>,
    /// What was checked, one sentence each.
    pub checked: Vec<String>,
    /// What had to be trusted, one sentence each.
    pub trusted: Vec<String>,
}

/// Checks the certificate in a folder; `with` names an outside checker that is to see the proofs
/// too.
///
/// # Errors
/// See [`CheckError`].
#[cfg(feature = "files")]
pub fn check(
    path: &Path,
    with: Option<&str>,
    limits: &Limits,
    say: &mut dyn FnMut(&str),
) -> Result<Report, CheckError> {
    check_files(&path, with, limits, say)
}

/// Checks a certificate wherever its files are. An outside checker finds them in folders only.
///
/// # Errors
/// See [`CheckError`].
pub fn check_files(
    place: &dyn files::Files,
    with: Option<&str>,
    limits: &Limits,
    say: &mut dyn FnMut(&str),
) -> Result<Report, CheckError> {
    let text = read_small(place, MANIFEST)?;
    let manifest =
        Manifest::read(&text).map_err(|reason| invalid(format!("{MANIFEST}: {reason}")))?;
    let mut watch = Watch::new(limits, say);
    let files = Listed { place, listed: &manifest.files };
    files.sums(&mut watch)?;
    let Asked { mut instance, title, options } = question(files, &manifest)?;
    if !manifest.wishes.is_empty() && instance.moves().is_none() {
        // Here wishes are rules, which formulas know.
        let wishing = instance.wishing(&manifest.wishes);
        instance = wishing.map_err(|error| invalid(error.to_string()))?;
    }
    let claimed = manifest.claim.of(instance.as_ref()).map_err(invalid)?;
    let wished = match (manifest.wishes.is_empty(), instance.moves()) {
        (true, _) | (_, None) => None,
        (false, Some(game)) => Some(game.wished(&manifest.wishes)),
    };
    let mut judge = Judge {
        files,
        with,
        manifest: &manifest,
        claimed,
        instance: instance.as_ref(),
        wished: wished.as_deref(),
        checked: vec![format!("the sums of {} files", manifest.files.len())],
        trusted: vec![
            "the rules of the game, as this program has them, and the parser of its format"
                .to_owned(),
        ],
        watch,
    };
    let solution = judge.solution()?;
    judge.evidence(solution.as_ref())?;
    let Judge { checked, trusted, .. } = judge;
    Ok(Report { manifest, title, options, instance, solution, checked, trusted })
}

/// The files of a certificate: plain ones that its description lists, and nothing beyond them.
#[derive(Clone, Copy)]
struct Listed<'a> {
    place: &'a dyn files::Files,
    listed: &'a BTreeMap<String, String>,
}

/// Reads a file that is held in memory whole.
fn read_small(place: &dyn files::Files, name: &str) -> Result<String, CheckError> {
    let mut text = String::new();
    let read = place.open(name)?.input.take(SMALL + 1).read_to_string(&mut text);
    read.map_err(|error| invalid(format!("{name}: {error}")))?;
    if text.len() as u64 > SMALL {
        return Err(invalid(format!("{name} is larger than {} MiB", SMALL >> 20)));
    }
    Ok(text)
}

/// A file that is read under a watch.
type Input<'f, 'w, 'a> = BufReader<Watched<'w, 'a, Box<dyn Read + 'f>>>;

impl<'f> Listed<'f> {
    fn open(self, name: &str) -> Result<Opened<'f>, CheckError> {
        if !self.listed.contains_key(name) {
            return Err(invalid(format!("{name} is not listed in {MANIFEST}")));
        }
        self.place.open(name)
    }

    fn read_text(self, name: &str) -> Result<String, CheckError> {
        self.open(name)?;
        read_small(self.place, name)
    }

    /// Opens a file for a task that reads it whole.
    fn watched<'w, 'a>(
        self,
        name: &str,
        task: &str,
        watch: &'w mut Watch<'a>,
    ) -> Result<Input<'f, 'w, 'a>, CheckError> {
        let file = self.open(name)?;
        watch.begin(format!("{task} {name}"), file.bytes)?;
        Ok(BufReader::with_capacity(1 << 16, watch.over(file.input)))
    }

    /// Compares all files with the list.
    fn sums(self, watch: &mut Watch<'_>) -> Result<(), CheckError> {
        for (name, expected) in self.listed {
            if name.contains(['/', '\\']) || name.starts_with('.') {
                return Err(invalid(format!("{name:?} is no plain file name")));
            }
            let sum = files::sum(self.watched(name, "comparing the sum of", watch)?);
            let sum = sum.map_err(|error| match watch.stopped() {
                Some(stop) => CheckError::Stopped(stop),
                None => CheckError::Unable(format!("{name}: {error}")),
            })?;
            if sum != *expected {
                let reason = format!("{name} is not the file that {MANIFEST} lists (SHA-256)");
                return Err(invalid(reason));
            }
        }
        Ok(())
    }
}

/// The question that a certificate is about, from its text: the instance, and all options, those
/// that it leaves out with their defaults.
fn question(files: Listed<'_>, manifest: &Manifest) -> Result<Asked, CheckError> {
    let family = registry::by_name(&manifest.family)
        .ok_or_else(|| invalid(format!("no puzzle family `{}`", manifest.family)))?;
    let given = manifest.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options =
        Options::new(family.options, given).map_err(|error| invalid(error.to_string()))?;
    let text = files.read_text(PUZZLE)?;
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
    let instance = instances
        .into_iter()
        .find(|instance| instance.reading() == manifest.reading)
        .ok_or_else(|| invalid(format!("no reading `{}` of the rules", manifest.reading)))?;
    let instance = if manifest.after.is_empty() {
        instance
    } else {
        let later = instance.continued(&manifest.after);
        later.map_err(|error| invalid(format!("`after`: {error}")))?
    };
    Ok(Asked { instance, title: level.title, options })
}

struct Asked {
    instance: Box<dyn Instance>,
    title: Option<String>,
    options: Options,
}

struct Judge<'a> {
    files: Listed<'a>,
    with: Option<&'a str>,
    manifest: &'a Manifest,
    claimed: Claimed<'a>,
    instance: &'a dyn Instance,
    /// The game with wishes, where there are some.
    wished: Option<&'a dyn WishedGame>,
    checked: Vec<String>,
    trusted: Vec<String>,
    watch: Watch<'a>,
}

impl Judge<'_> {
    /// A file is faulty; or it only seems so, because a limit struck while it was read.
    fn faulty(&self, name: &str, fault: &dyn std::fmt::Display) -> CheckError {
        match self.watch.stopped() {
            Some(stop) => CheckError::Stopped(stop),
            None => invalid(format!("{name}: {fault}")),
        }
    }

    /// Replays the solution.
    fn solution(&mut self) -> Result<Option<Verified>, CheckError> {
        if !self.manifest.claim.has_solution() {
            return Ok(None);
        }
        let text = self.files.read_text(SOLUTION)?;
        let judged = match self.wished {
            Some(game) => game.verify(text.trim_end()),
            None => self.instance.verify(text.trim_end()),
        };
        let solution = judged.map_err(|error| invalid(format!("{SOLUTION}: {error}")))?;
        if let Claimed::Optimal(counted, cost) = self.claimed {
            let actual = counted.cost(&solution);
            if actual != cost {
                let actual = counted.words(actual);
                return Err(invalid(format!(
                    "{SOLUTION} has {actual}, but the certificate claims {cost}"
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
        let from_rules = matches!(
            &self.manifest.evidence,
            Evidence::Nothing | Evidence::ClosedSet { lrat: false, .. }
        );
        if !from_rules && (self.wished.is_some() || !self.manifest.after.is_empty()) {
            return Err(invalid("formulas know neither wishes nor what was before"));
        }
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
            (Evidence::Invariant { proof }, Some(excluded)) => self.invariant(*proof, excluded),
            (Evidence::Patterns { lrat }, Some(_)) => self.patterns(*lrat),
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
        self.says_so_much(&format!("{name}.cnf"), horizon)?;
        self.watch.begin(format!("compiling horizon {horizon} again"), 0)?;
        let question = Question { filter: Filter::defining(), ..Question::within(horizon) };
        let mut formula = self.instance.formula_within(&question, self.watch.limits())?;
        if let (Claimed::Unique(moveless), Some(solution)) = (self.claimed, solution) {
            self.exclude(moveless, formula.as_mut(), solution)?;
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
        self.trusted.push(format!(
            "the compiler from the rules to the clauses of `{}`: that it loses no solution",
            self.instance.encoding()
        ));
        self.proof(&name, proof, formula.as_ref())
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
        let input = self.files.watched(name, "comparing", &mut self.watch)?;
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
    fn exclude(
        &mut self,
        moveless: Moveless,
        formula: &mut dyn Formula,
        one: &Verified,
    ) -> Result<(), CheckError> {
        let text = self.files.read_text(MODEL)?;
        let fail = |reason: String| invalid(format!("{MODEL}: {reason}"));
        let said = dimacs::read_output(&text).map_err(|error| fail(error.to_string()))?;
        let dimacs::Said::Sat(lits) = said else { return Err(fail("no model".to_owned())) };
        let model =
            dimacs::checked_model(formula, &lits).map_err(|error| fail(error.to_string()))?;
        moveless.exclude(formula, &model, one).map_err(|error| match error {
            NotExcluded::Meaningless(fault) => fail(fault),
            NotExcluded::Another => fail(format!("it means another solution than {SOLUTION}")),
            NotExcluded::Inseparable => fail("it cannot be told from other solutions".to_owned()),
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
        let read = ClosedSet::read(self.files.watched(LIST, "reading", &mut self.watch)?);
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
        let looked = match self.wished {
            Some(wished) => wished.check_closed(&set, &mut self.watch),
            None => game.check_closed(&set, &mut self.watch),
        };
        let looked = looked.map_err(|error| match error {
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
                return Err(CheckError::NoProofs(program.to_owned()));
            }
            return Ok(());
        }
        self.says_so_much("start.cnf", set.claim.number().unwrap_or(0))?;
        let formulas = game.closed_formulas(&set, &mut self.watch);
        drop(set);
        self.formulas(LIST, formulas)
    }

    /// Judges the three formulas of a list and their proofs.
    fn formulas(
        &mut self,
        list: &str,
        formulas: Result<Box<dyn Formulas>, NotWritten>,
    ) -> Result<(), CheckError> {
        let formulas = formulas.map_err(|error| match error {
            NotWritten::Stopped(stop) => CheckError::Stopped(stop),
            other => invalid(format!("{list}: {other}")),
        })?;
        for part in Part::ALL {
            let formula = formulas.formula(part, &mut self.watch)?;
            self.part(part, &formula, [], ProofKind::Lrat)?;
        }
        Ok(())
    }

    /// Judges one of the three formulas of a list and its proof.
    fn part<'n>(
        &mut self,
        part: Part,
        formula: &ClauseList,
        comments: impl IntoIterator<Item = String> + 'n,
        proof: ProofKind,
    ) -> Result<(), CheckError> {
        let cnf = format!("{}.cnf", part.name());
        if !self.compare(&cnf, formula, comments)?.is_empty() {
            return Err(invalid(format!("{cnf} has clauses that the list has not")));
        }
        self.checked.push(format!("{cnf}: compiled again, {} clauses are the same", formula.len()));
        self.proof(part.name(), proof, formula)
    }

    fn invariant(&mut self, proof: ProofKind, excluded: Budget) -> Result<(), CheckError> {
        let read = CubeList::read(self.files.watched(CUBES, "reading", &mut self.watch)?);
        let list = read.map_err(|reason| self.faulty(CUBES, &reason))?;
        if list.claim != excluded {
            return Err(invalid(format!("{CUBES} is about another claim")));
        }
        self.says_so_much("start.cnf", list.claim.number().unwrap_or(0))?;
        let game = self
            .instance
            .moves()
            .ok_or_else(|| invalid(format!("{CUBES}: a puzzle without moves has no invariants")))?;
        let induction = game.induction(&list);
        let induction = induction.map_err(|reason| invalid(format!("{CUBES}: {reason}")))?;
        for part in Part::ALL {
            let formula = induction.formula(part, &mut self.watch)?;
            self.part(part, &formula, induction.names(), proof)?;
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

    fn lrat(
        &mut self,
        file: &str,
        clauses: &dyn Clauses,
    ) -> Result<Result<Accepted, ProofError>, CheckError> {
        let limits = self.watch.limits().clone();
        let input = self.files.watched(file, "checking", &mut self.watch)?;
        Ok(lrat::check(clauses, input, &limits))
    }

    /// A proof without hints is turned into one with hints, and that is checked.
    fn drat(
        &mut self,
        file: &str,
        clauses: &dyn Clauses,
        binary: bool,
    ) -> Result<Result<Accepted, ProofError>, CheckError> {
        let limits = self.watch.limits().clone();
        let input = self.files.watched(file, "finding the hints of", &mut self.watch)?;
        let place = self.files.place;
        let turned = drat::convert(clauses, input, binary, &limits).and_then(|derived| {
            let mut spool = place.scratch()?;
            derived.write(BufWriter::new(&mut spool))?;
            drop(derived);
            spool.rewind()?;
            lrat::check(clauses, BufReader::new(spool), &limits)
        });
        Ok(turned)
    }

    fn patterns(&mut self, with_proofs: bool) -> Result<(), CheckError> {
        if let (Some(program), false) = (self.with, with_proofs) {
            return Err(CheckError::NoProofs(program.to_owned()));
        }
        // The whole list is in memory before it is judged.
        let text = io::read_to_string(self.files.watched(PATTERNS, "reading", &mut self.watch)?)
            .map_err(|error| self.faulty(PATTERNS, &error))?;
        self.watch.begin(format!("judging {PATTERNS}"), 0)?;
        let claim = self.manifest.claim;
        let judged = patterns::judge(self.instance, claim, text.as_bytes(), &mut self.watch);
        let (list, judged) = judged.map_err(|error| match (error, self.watch.stopped()) {
            (_, Some(stop)) => CheckError::Stopped(stop),
            (NotShown::Refused(reason), _) => invalid(format!("{PATTERNS}: {reason}")),
            (NotShown::Stopped, None) => CheckError::Stopped(Stop::Interrupted),
        })?;
        self.checked.push(format!(
            "{PATTERNS}: the potential keeps its rules, all pushes of {} patterns are covered \
             ({} pushes, {} contents of zones), and they cover the start",
            judged.patterns, judged.pushes, judged.contents
        ));
        let Some(game) = self.instance.moves().filter(|_| with_proofs) else { return Ok(()) };
        let formulas = game.pattern_formulas(&list, &mut self.watch);
        self.formulas(PATTERNS, formulas)
    }

    fn proof(
        &mut self,
        name: &str,
        kind: ProofKind,
        clauses: &dyn Clauses,
    ) -> Result<(), CheckError> {
        let file = format!("{name}.{}", kind.extension());
        let accepted = match kind {
            ProofKind::Lrat => self.lrat(&file, clauses),
            ProofKind::Drat => self.drat(&file, clauses, false),
            ProofKind::BinaryDrat => self.drat(&file, clauses, true),
        };
        let Accepted { lemmas, steps } = accepted?.map_err(|error| match error {
            ProofError::Stopped(stop) => CheckError::Stopped(stop),
            other => self.faulty(&file, &other),
        })?;
        let turned = if kind == ProofKind::Lrat { "" } else { "turned into LRAT, " };
        self.checked.push(format!(
            "{file}: {turned}a refutation of {lemmas} lemmas in {steps} steps, by the LRAT checker \
             of this program"
        ));
        self.with.map_or(Ok(()), |program| self.outside(program, name, &file, kind))
    }

    /// Has a proof judged by another program.
    #[cfg(feature = "files")]
    fn outside(
        &mut self,
        program: &str,
        name: &str,
        file: &str,
        kind: ProofKind,
    ) -> Result<(), CheckError> {
        if !outside::reads(program, kind) {
            return Err(CheckError::Unable(format!("`{program}` does not read {}", kind.name())));
        }
        let Some(folder) = self.files.place.folder() else { return Err(nowhere(program)) };
        self.watch.begin(format!("asking {program}"), 0)?;
        let cnf = folder.join(format!("{name}.cnf"));
        match outside::run(program, &cnf, &folder.join(file), self.watch.limits()) {
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

    /// Without files there are no other programs either.
    #[cfg(not(feature = "files"))]
    fn outside(&mut self, program: &str, _: &str, _: &str, _: ProofKind) -> Result<(), CheckError> {
        Err(nowhere(program))
    }
}

fn nowhere(program: &str) -> CheckError {
    CheckError::Unable(format!("`{program}` reads files, and these are in memory"))
}
