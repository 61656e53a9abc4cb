//! `unstuck prove`: verdicts with certificates that a stranger can check.

pub(crate) mod job;

use crate::answer::{Answer, outcome};
use crate::commands::prove::job::{CertificateJob, ProofAnswer, undecided};
use crate::commands::query::{self, AnswerArgs, CertificateArgs};
use crate::commands::{constrained, export};
use crate::driver::{Ask, Asked, Subject};
use crate::input::applies::{self, Demand, refused};
use crate::input::args::{
    AfterArgs, ConstraintArgs, ForceArgs, Given, LevelsArgs, ReadingNameArgs, SolveArgs, helping,
    long_help,
};
use crate::input::{SelectedLevels, file_names};
use crate::terminal::failure::Failure;
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::progress::Display;
use crate::terminal::text::Text;
use crate::terminal::values::words;
use crate::terminal::{columns, file_id};
use clap::Args;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use unstuck::certificate::prove::{
    BoundUse, EvidenceKind, ProofOptions, ProofTask, ProveError, prove,
};
use unstuck::certificate::{Claim, check::Report};
use unstuck::instance::Instance;
use unstuck::machine::lock;
use unstuck::report::sentences;
use unstuck::solve::{EngineChoice, Event, Outcome, Request, Verdict};
use unstuck_puzzles::{Objective, Style};

const LONG_HELP: &str = "\
Solves the level, then writes a folder with the puzzle's text, the moves, and
evidence that nothing is shorter (or that there is no solution at all). The
certificate is checked before it is kept. Several levels become folders in a
folder.

Evidence: `closed` lists the states that can be reached, each with what it
cannot be finished with, and needs no trust in any solver; `horizon` is a
formula and a solver's refutation of it; `invariant` (for puzzles without any
solution) lists what is wrong with the states that can be reached, as few
literals as possible, with refutations of three small formulas; `patterns`
(where pieces only hinder each other: Sokoban) lists what a few pieces waste
wherever the others are. `auto` closes a small set, else takes patterns, a
larger set, an invariant or a horizon.

Exit codes: 0 solved; 2 wrong usage or bad input; 20 unsolvable; 21 no solution
within the horizon (with `--bound-only`: within the bound reached); 30 a limit
struck before there was something to certify; 70 internal error:
please report it.";

const EXAMPLES: &str = "\
Examples:
  unstuck prove level.xsb -o proof
  unstuck prove levels.xsb -l 1-20 -o proofs     a folder of folders
  unstuck prove level.xsb -o proof --lrat        for external checkers too
  unstuck prove level.xsb -o proof --format veripb
  unstuck prove level.xsb -o proof --evidence horizon --backend 'kissat -q {cnf} {proof}'
  unstuck prove level.xsb -o proof --horizon 11  no solution within 11 steps
  unstuck prove level.xsb -o proof --timeout 10m --bound-only
  unstuck prove level.xsb -o proof --after rrDL  the position after these moves
  unstuck prove level.xsb -o proof --forbid 'pushed 3,4'

After moves and with constraints the evidence of a game is a closed set, which
rests on the rules alone.";

/// Solve levels and write certificates of the verdicts
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = long_help!(LONG_HELP, EXAMPLES),
    mut_arg("force", helping("Replace an existing certificate")),
    mut_arg("after", |arg| arg.conflicts_with_all(["SolverArgs", "FilterArgs", "lrat", "format"]))
)]
pub(crate) struct ProveCommand {
    #[command(flatten)]
    levels: LevelsArgs,
    #[command(flatten)]
    solve: Given<SolveArgs>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    shown: OutputArgs,
    /// Folder of the certificate [default: LEVEL.certificate], or of the certificates of several
    /// levels [default: certificates]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Kind of evidence
    #[arg(
        long,
        value_name = "KIND",
        value_parser = words([
            ("auto", EvidenceKind::Auto),
            ("closed", EvidenceKind::Closed),
            ("backwards", EvidenceKind::Backwards),
            ("horizon", EvidenceKind::Horizon),
            ("invariant", EvidenceKind::Invariant),
            ("patterns", EvidenceKind::Patterns),
        ]),
        default_value = "auto"
    )]
    evidence: EvidenceKind,
    /// When a limit or Ctrl-C ends the search, certify the lower bound reached
    ///
    /// The certificate gets the same time again.
    #[arg(long)]
    bound_only: bool,
    /// Closed sets: omit states by the family's bound, which is then trusted
    ///
    /// Patterns with `--lrat`: `always` has formulas count waste by a potential that the rules judge,
    /// `never` has them count pushes and define the potential, so that their proofs show it; `auto`
    /// does so where about a million lemmas suffice.
    #[arg(
        long,
        value_name = "WHEN",
        value_parser = words([
            ("auto", BoundUse::Auto),
            ("always", BoundUse::Always),
            ("never", BoundUse::Never),
        ]),
        hide_short_help = true
    )]
    bound: Option<BoundUse>,
    /// Lists: also write CNF and LRAT files for external proof checkers
    #[arg(long)]
    lrat: bool,
    /// Write formulas and proofs in the format of another checker
    ///
    /// Those of dead patterns are in this format alone, unless `--lrat` is given: their patterns may
    /// add up, which LRAT cannot say. All other proofs are LRAT, too.
    #[arg(long, value_name = "FORMAT", value_parser = words([("veripb", ProofFormat::VeriPb)]), hide_short_help = true)]
    format: Option<ProofFormat>,
    #[command(flatten)]
    reading: ReadingNameArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    after: AfterArgs,
    #[command(flatten)]
    constraints: ConstraintArgs,
    /// The folders of the levels that are still to be proved.
    #[arg(skip)]
    targets: Mutex<VecDeque<PathBuf>>,
}

/// The format of another checker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProofFormat {
    VeriPb,
}

impl ProveCommand {
    fn proof_options(&self) -> ProofOptions {
        ProofOptions {
            wanted: self.evidence,
            use_bound: self.bound.unwrap_or(BoundUse::Auto),
            lrat: self.lrat,
            veripb: self.format == Some(ProofFormat::VeriPb),
            force: self.force.force,
        }
    }

    /// Refuses options that the kind of evidence, the family or the objective has no use for.
    fn applies(&self, found: &SelectedLevels) -> Result<(), Failure> {
        let objective = self.levels.reading.objective;
        applies::solving(&self.solve, objective, found)?;
        let meaningless = self.solve.words.iter().filter(|option| *option != "tune");
        // Neither is there for what search alone answers.
        let format = self.format.is_some();
        let flags = [("lrat", self.lrat), ("format", format), ("bound-only", self.bound_only)];
        let flags = flags.into_iter().filter(|(_, given)| *given);
        let flags: Vec<_> = flags.map(|(name, _)| name.to_owned()).collect();
        let meaningless = meaningless.chain(&flags);
        let constrained = applies::constrained(&self.constraints, found, meaningless)?;
        let wanted = self.evidence;
        let closes = matches!(wanted, EvidenceKind::Auto | EvidenceKind::Closed);
        let patterns = wanted == EvidenceKind::Patterns;
        let bound = self.bound.is_some() && !(closes || patterns && self.lrat);
        let (lrat, why) = (self.lrat && !(closes || patterns), "is for closed sets");
        let help = "use `--evidence closed`, or remove this option";
        applies::refuse_idle([("lrat", lrat, why), ("bound", bound, why)], help)?;
        let horizon = self.solve.horizon()?;
        for chosen in found.iter().flatten() {
            let family = chosen.family;
            let objective = chosen.objective(objective)?;
            let of_moves = [EvidenceKind::Closed, EvidenceKind::Backwards, EvidenceKind::Invariant];
            if !family.has_moves && of_moves.contains(&wanted) {
                let why = format!("{} has no moves, so there are horizons only", family.name);
                return Err(refused("evidence", &why, "use `--evidence horizon` or `auto`"));
            }
            let nothing = wanted == EvidenceKind::Invariant || horizon.is_some();
            if family.has_moves && objective == Objective::Any && !nothing {
                let why = "a solution under `any` claims nothing that needs proof";
                let help =
                    "use another objective; `solve` prints any solution, and `replay` checks it";
                return Err(refused("objective", why, help));
            }
        }
        let games = found.iter().flatten().any(|chosen| chosen.family.has_moves);
        if constrained || (games && self.after.after.is_some()) {
            if !closes {
                let why = "there is no evidence of this kind after moves or with constraints";
                return Err(refused("evidence", why, "use `--evidence closed` or `auto`"));
            }
            applies::check(found, [Demand::one_level("after", self.after.after.is_some())])?;
        }
        if wanted == EvidenceKind::Horizon {
            let backend = self.solve.solver.open()?;
            if backend.prover().is_none() {
                let why = format!("{} writes no proofs", backend.name());
                let help = "give a command with `{proof}`, or take `varisat`";
                return Err(refused("backend", &why, help));
            }
        }
        self.solve.solver.check()
    }
}

/// What the lower bound alone lets us claim, and weaker claims that are easier to certify.
fn bounds(instance: &dyn Instance, outcome: &Outcome) -> Vec<Claim> {
    if instance.moves().is_none() || instance.objective() == Objective::Any {
        return Vec::new();
    }
    let least = instance.encoded().lower_bound().unwrap_or(0).min(outcome.lower);
    let claims = [outcome.lower, least.midpoint(outcome.lower), least];
    let mut claims: Vec<u32> = claims.iter().filter_map(|lower| lower.checked_sub(1)).collect();
    claims.dedup();
    claims.into_iter().map(Claim::NothingWithin).collect()
}

impl Ask for ProveCommand {
    type Fields = ProofAnswer;
    const NAME: &'static str = "prove";

    fn asked(&self) -> Asked<'_> {
        Asked { levels: &self.levels, limits: Some(self.limits), output: self.shown }
    }

    fn check(&self, found: &'static SelectedLevels) -> Result<(), Failure> {
        self.applies(found)?;
        let force = self.force.force;
        let targets = match found.as_slice() {
            [only] => {
                let chosen = only.as_ref().map_err(|read_failure| read_failure.failure.clone())?;
                let named = || format!("{}.certificate", file_names::of_level(chosen)).into();
                let target = self.output.clone().unwrap_or_else(named);
                free(&target, force)?;
                vec![target]
            }
            _ => {
                let folder = self.output.as_deref().unwrap_or(Path::new("certificates"));
                let names: Vec<String> = found.iter().flatten().map(file_names::of_level).collect();
                file_names::in_folder(folder, &names, force)?
            }
        };
        lock(&self.targets).extend(targets);
        Ok(())
    }

    fn ask(&'static self, subject: &Subject) -> Result<Answer<ProofAnswer>, Failure> {
        let target = lock(&self.targets).pop_front().expect("a folder for each level");
        let mut answer = self.one(subject, &target)?;
        if !subject.alone {
            let name = columns::shortened(&subject.chosen.name(), 80);
            answer.text = together(Text::from(&format!("{name}\n")), &answer.text);
        }
        Ok(answer)
    }
}

/// Whether a certificate can be written here.
fn free(target: &Path, force: bool) -> Result<(), Failure> {
    let shown = target.display();
    if target.as_os_str() == "-" {
        return Err(Failure::usage("a certificate is a folder, which standard output is not")
            .help("name a folder: `-o DIR`"));
    }
    if file_id::has_input(target) {
        let message = format!("{shown}: an input lies in this folder: it is not replaced");
        return Err(Failure::usage(message).help("name another folder"));
    }
    output::free(target, force, "`--force` replaces a certificate")
}

impl ProveCommand {
    /// Proves one level.
    fn one(&self, subject: &Subject, target: &Path) -> Result<Answer<ProofAnswer>, Failure> {
        let chosen = subject.chosen;
        let instances = chosen.instances(self.levels.reading.objective)?;
        let instances = match &self.reading.reading {
            Some(name) => vec![export::of_reading(instances, Some(name))?.instance],
            None => instances,
        };
        let after = self.after.read()?.unwrap_or_default();
        let instances =
            if after.is_empty() { instances } else { query::continued(instances, &after)? };
        let mut request = self.solve.request(self.solve.horizon()?, &self.limits)?;
        request.limits = subject.limits.clone();
        request.solutions = 2;
        let proof_options = self.proof_options();
        if proof_options.wanted == EvidenceKind::Patterns && request.engine == EngineChoice::Auto {
            // Who finds the patterns finds the plan as well.
            request.engine = EngineChoice::Learn;
        }
        let constraints = self.constraints.read()?;
        let instances = query::constrained(instances, &constraints)?;
        let proving = CertificateJob {
            subject,
            proof_options: &proof_options,
            target,
            after: &after,
            constraints: &constraints,
        };
        let failed = |error| failure(&target.display().to_string(), &error);
        if !constraints.is_empty() && chosen.family.has_moves {
            let found = constrained::search(&instances, &constraints, &request.limits)?;
            let Some(claim) = found.claim() else {
                let stop = found.answer.stop.map(|stop| stop.to_string());
                let stop = stop.unwrap_or_else(|| "nothing was proved".to_owned());
                return Err(Failure::new(30, format!("no certificate: {stop}")));
            };
            let code = if found.plan.is_some() { 0 } else { 20 };
            let plan = found.plan.as_ref();
            return proving.certify(&request, found.instance, claim, plan, code).map_err(failed);
        }
        if proof_options.wanted == EvidenceKind::Invariant {
            // The search for the invariant is itself what finds the verdict.
            let instance = instances.last().expect("every puzzle has a reading").as_ref();
            let code = Verdict::Unsolvable.exit_code();
            let proved = proving.certify(&request, instance, Claim::Unsolvable, None, code);
            return proved.map_err(failed);
        }
        let note = |event: &Event| subject.note(event, &instances);
        let (instance, outcome) = outcome::solved(&instances, &request, &note)?;
        if let Some(mut claim) = outcome.claim(instance) {
            if proof_options.wanted == EvidenceKind::Patterns {
                // They count pushes alone.
                claim = claim.untied();
            }
            let (plan, code) = (outcome.best.as_ref(), outcome.verdict.exit_code());
            return match proving.certify(&request, instance, claim, plan, code) {
                // What was found is the answer.
                Err(error @ ProveError::Stopped(_)) => {
                    Ok(undecided(instance, &outcome, error.to_string()))
                }
                proved => proved.map_err(failed),
            };
        }
        let claims = bounds(instance, &outcome);
        let could = outcome.stop.is_some() && !claims.is_empty();
        let advice = if could { "; with `--bound-only` the lower bound is certified" } else { "" };
        let undecided = undecided(instance, &outcome, sentences::uncertified(&outcome) + advice);
        if claims.is_empty() || !self.bound_only {
            return Ok(undecided);
        }
        subject.know(&undecided);
        // What ended the search must not end this too; a second Ctrl-C does.
        guard::interrupt().store(false, Ordering::Relaxed);
        let mut ending = Ok(undecided);
        for claim in claims {
            subject.say("certifying the bound");
            guard::should_retry();
            let request = request.clone().with_limits(self.limits.begin());
            ending = proving.certify(&request, instance, claim, None, 21);
            // A bound that cannot be certified in time gives way to a smaller one.
            let stopped = matches!(&ending, Err(ProveError::Stopped(_)));
            if !stopped || guard::is_interrupted() {
                break;
            }
        }
        let found = outcome::text(instance, &outcome, Style::Plain, false);
        let answer = ending.map_err(failed)?;
        Ok(Answer { text: together(found, &answer.text), ..answer })
    }
}

/// A text after another.
fn together(mut first: Text, second: &Text) -> Text {
    first.push_text(second);
    first
}

pub(crate) fn failure(target: &str, error: &ProveError) -> Failure {
    match error {
        ProveError::Io(error) => Failure::file(target, error),
        ProveError::Stopped(_) => Failure::new(30, error.to_string()),
        ProveError::False | ProveError::Fault(_) => Failure::internal(error.to_string()),
        ProveError::Exists => Failure::usage(format!("{target}: {error}")),
        _ => Failure::usage(error.to_string()),
    }
    .advised(error.advice())
}

/// Whether the folder that `--certificate` names can be made: asked before the work.
pub(crate) fn prepare(args: &CertificateArgs, force: ForceArgs) -> Result<(), Failure> {
    args.certificate.as_ref().map_or(Ok(()), |target| free(target, force.force))
}

/// Writes a certificate beside another answer, into the folder that `--certificate` names.
pub(crate) fn beside(
    args: &CertificateArgs,
    answer: &AnswerArgs,
    task: &ProofTask<'_>,
) -> Result<Option<Report>, Failure> {
    let Some(target) = &args.certificate else { return Ok(None) };
    let proof_options = ProofOptions { force: answer.force.force, ..ProofOptions::default() };
    // What has answered the question must not end this too.
    guard::should_retry();
    let request = Request::default().with_limits(answer.limits.begin());
    let shown = target.display().to_string();
    let display = Display::new(&shown, answer.output, answer.limits.timeout);
    let proved = prove(task, &proof_options, &request, target, &mut |text| display.say(text));
    drop(display);
    proved.map(Some).map_err(|error| failure(&shown, &error))
}
