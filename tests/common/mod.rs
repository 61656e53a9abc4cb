//! What several tests need: our own levels, and certificates of what can be claimed of a puzzle.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod brute;
pub(crate) mod extent;
pub(crate) mod mutants;
pub(crate) mod sample;
pub(crate) mod second;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use unstuck::backend::{Answer, BUILT_IN, from_name};
use unstuck::certificate::Claim;
use unstuck::certificate::check::{CheckError, Report, check};
use unstuck::certificate::prove::{
    BoundUse, EvidenceKind, ProofOptions, ProofTask, ProveError, prove,
};
use unstuck::closed::ClosedSet;
use unstuck::closed::close::{ClosureError, ClosureTask};
use unstuck::formula::Clauses;
use unstuck::instance::{Instance, Question, SearchEnd, SearchReport, StateSpace, Verified};
use unstuck::limits::Limits;
use unstuck::registry::{Family, ParsedPuzzle, readings};
use unstuck::search::Strategy;
use unstuck::solve::{Request, Verdict, solve};
use unstuck::transition::Budget;
use unstuck_check::program;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Level, Objective, Options, Tally};

/// Checks the certificate in a folder, also by the checker's program: its exit code says the same.
pub(crate) fn checked(path: &Path) -> Result<Report, CheckError> {
    let checked = check(path, None, &Limits::none(), &mut |_| {});
    let mut out = Vec::new();
    let arguments = ["--json".into(), path.as_os_str().to_owned()];
    let code = program::run(&arguments, &mut out, &mut Vec::new()).expect("memory");
    let said: Value = serde_json::from_slice(&out).expect("one object");
    let (wanted, verdict) = match &checked {
        Ok(_) => (0, "valid"),
        Err(CheckError::Invalid { .. }) => (1, "invalid"),
        Err(CheckError::Stopped(_)) => (30, "not judged"),
        Err(_) => (2, "not judged"),
    };
    assert_eq!((code, said["verdict"].as_str()), (wanted, Some(verdict)), "{said}");
    checked
}

/// The folder of a family's own levels.
pub(crate) fn folder(family: &Family) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles/levels").join(family.name)
}

/// What is known of the own levels.
pub(crate) fn expected(family: &Family) -> Vec<Value> {
    let path = folder(family).join("expected.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let value: Value = serde_json::from_str(&text).expect("expected.json is JSON");
    value["levels"].as_array().expect("a list of levels").clone()
}

/// What every solver that is built in says of a formula: all the same.
pub(crate) fn decide(formula: &dyn Clauses) -> Answer {
    let ask = |name: &&str| {
        let backend = from_name(name).expect("built in");
        backend.solve(formula, &Limits::none()).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let mut answers = BUILT_IN.iter().map(ask);
    let first = answers.next().expect("varisat is built in");
    let same = |other| matches!(other, Answer::Sat(_)) == matches!(first, Answer::Sat(_));
    assert!(answers.all(same), "the solvers contradict each other");
    first
}

/// How long the plan is that every solver finds, if any does; the rules have replayed it.
pub(crate) fn plan(instance: &dyn Instance, question: &Question) -> Option<Tally> {
    let formula = instance.formula(question);
    match decide(formula.as_ref()) {
        Answer::Sat(model) => {
            let plan = formula.read(&model);
            Some(plan.unwrap_or_else(|fault| panic!("{fault}\n{}", instance.text())).tally())
        }
        Answer::Unsat => None,
        Answer::Stopped(stop) => panic!("stopped by {stop} without a limit"),
    }
}

/// Whether a puzzle can be put into clauses.
pub(crate) fn has_clauses(instance: &dyn Instance) -> bool {
    instance.encoded().refusal().is_none()
}

/// The options of an entry of `expected.json`, or the defaults.
pub(crate) fn options(family: &Family, entry: &Value) -> Options {
    let given: Vec<(String, String)> = entry["options"].as_object().map_or_else(Vec::new, |map| {
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        map.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    });
    let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Options::new(family.options, pairs).expect("options of the family")
}

/// Options as certificates hold them.
pub(crate) fn listed(options: &Options) -> BTreeMap<String, String> {
    options.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The level of an entry, opened with the entry's options.
pub(crate) fn open(family: &Family, entry: &Value) -> Level<ParsedPuzzle> {
    let file = entry["file"].as_str().expect("a file name");
    let text = fs::read_to_string(folder(family).join(file)).expect("a readable level");
    let options = options(family, entry);
    let levels = (family.read)(&text, &options).unwrap_or_else(|e| panic!("{file}: {e}"));
    let (title, number) = (entry["title"].as_str(), entry["level"].as_u64().unwrap_or(1));
    let mut fitting = levels.into_iter().filter(|l| title.is_none() || l.title.as_deref() == title);
    fitting.nth(number as usize - 1).unwrap_or_else(|| panic!("{entry}: no such level"))
}

/// A Sokoban level with default options.
pub(crate) fn sokoban(text: &str, objective: Objective) -> Box<dyn Instance> {
    instance("sokoban", text, objective)
}

/// A level with default options, under its first reading.
pub(crate) fn instance(family: &str, text: &str, objective: Objective) -> Box<dyn Instance> {
    readings(family, text, objective).unwrap_or_else(|error| panic!("{error}")).remove(0)
}

/// The objective of an entry.
pub(crate) fn objective(family: &Family, entry: &Value) -> Objective {
    let name = entry["objective"].as_str();
    name.map_or(family.objectives[0], |name| Objective::from_name(name).expect("an objective"))
}

/// A request under limits.
pub(crate) fn request(limits: Limits) -> Request {
    Request::default().with_solutions(2).with_limits(limits)
}

/// What explicit search finds without limits.
pub(crate) fn search(instance: &dyn Instance, strategy: Strategy) -> SearchReport {
    let states = instance.capability::<dyn StateSpace>().expect("a game");
    states.search(strategy, &Limits::none(), &mut |_| {})
}

/// A closed set for a claim, however large.
pub(crate) fn close(
    instance: &dyn Instance,
    claim: Budget,
    use_bound: bool,
) -> Result<ClosedSet, ClosureError> {
    let closing = ClosureTask { claim, use_bound, max_states: None };
    let states = instance.capability::<dyn StateSpace>().expect("a game");
    states.close(&Constraints::default(), closing, &Limits::none(), &mut |_| {})
}

/// A shortest plan by exhaustive search of the plain space, which shares no code with the encodings:
/// `Some(None)` when there is none, `None` when there are more states than `states`.
pub(crate) fn oracle(instance: &dyn Instance, states: usize) -> Option<Option<Verified>> {
    let strategy = Strategy { plain: true, max_states: Some(states), ..Strategy::default() };
    match search(instance, strategy).end {
        SearchEnd::Found(plan) => Some(Some(plan)),
        SearchEnd::Exhausted => Some(None),
        SearchEnd::Stopped(_) => None,
        SearchEnd::Fault(fault) => panic!("the oracle's own plan is refused: {fault}"),
    }
}

/// The length of such a plan.
pub(crate) fn optimum(instance: &dyn Instance, states: usize) -> Option<Option<u32>> {
    let length = |plan: Verified| instance.objective().primary(plan.tally());
    oracle(instance, states).map(|plan| plan.map(length))
}

/// How to prove: closed sets without a bound come with LRAT.
pub(crate) fn proof_options(wanted: EvidenceKind, use_bound: BoundUse) -> ProofOptions {
    let lrat = wanted == EvidenceKind::Closed && use_bound == BoundUse::Never;
    ProofOptions { wanted, use_bound, lrat, ..ProofOptions::default() }
}

/// What can be claimed of an instance.
pub(crate) fn claimed(instance: &dyn Instance) -> Option<(Claim, Option<Verified>)> {
    let outcome = solve(instance, &request(Limits::none()), &|_| {}).expect("a verdict");
    match outcome.verdict {
        Verdict::Unsolvable => Some((Claim::Unsolvable, None)),
        Verdict::Solved if instance.moves().is_none() => {
            let solutions = outcome.solutions.as_ref()?;
            let one = solutions.complete && solutions.others.is_empty();
            one.then_some((Claim::Unique, outcome.best))
        }
        Verdict::Solved if outcome.optimal => {
            let best = outcome.best?;
            let tie = outcome.tie_optimal;
            Some((Claim::optimal(instance.objective(), best.tally(), tie), Some(best)))
        }
        _ => None,
    }
}

/// A puzzle with what is claimed of it.
pub(crate) struct Case<'a> {
    /// The puzzle.
    pub instance: &'a dyn Instance,
    /// Its text.
    pub text: &'a str,
    /// The claim, with the solution that belongs to it.
    pub claimed: (Claim, Option<Verified>),
}

impl Case<'_> {
    /// Writes a certificate.
    pub(crate) fn prove(
        &self,
        proof_options: &ProofOptions,
        limits: Limits,
        to: &Path,
    ) -> Result<Report, ProveError> {
        self.prove_saying(proof_options, limits, to, &mut |_| {})
    }

    /// Writes a certificate, and reports what is done.
    pub(crate) fn prove_saying(
        &self,
        proof_options: &ProofOptions,
        limits: Limits,
        to: &Path,
        say: &mut dyn FnMut(&str),
    ) -> Result<Report, ProveError> {
        let (claim, solution) = &self.claimed;
        let task = ProofTask {
            solution: solution.as_ref().filter(|_| claim.has_solution()),
            ..ProofTask::new(self.instance, self.text, *claim)
        };
        prove(&task, proof_options, &request(limits), to, say)
    }
}

/// Whether a program is on PATH.
pub(crate) fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Has a checker of other people, which is written to be verified, judge every proof: it demands
/// consecutive numbers, and of each hint that it is a unit clause there or false.
pub(crate) fn seen_by_ordeal(folder: &Path) {
    let entries = std::fs::read_dir(folder).expect("a certificate");
    let paths = entries.map(|entry| entry.expect("readable").path());
    for path in paths.filter(|path| path.extension().is_some_and(|end| end == "lrat")) {
        let input = std::fs::read(path.with_extension("cnf")).expect("its formula");
        let mut reader =
            unstuck::formula::dimacs::CnfReader::new(input.as_slice()).expect("a formula");
        let mut formula = Vec::new();
        while let Some(clause) = reader.next_clause().expect("a formula") {
            formula.push(clause.iter().map(|lit| lit.to_dimacs()).collect());
        }
        let proof = std::fs::read_to_string(&path).expect("text");
        let seen = ordeal_lrat::check(&formula, &proof);
        assert_eq!(seen, Ok(()), "{}", path.display());
    }
}

/// A test of each family, by its name, and one that no family is left out.
#[allow(unused_macros, reason = "each test uses its part")]
macro_rules! for_each_family {
    ($check:ident: $($name:ident)+) => {
        $(#[test]
        fn $name() {
            $check(stringify!($name));
        })+

        #[test]
        fn no_family_is_left_out() {
            let here = [$(stringify!($name)),+];
            assert!(unstuck::registry::FAMILIES.iter().all(|family| here.contains(&family.name)));
        }
    };
}
#[allow(unused_imports, reason = "each test uses its part")]
pub(crate) use for_each_family;
