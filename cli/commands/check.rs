//! `unstuck check`: judges a certificate from the puzzle's text alone.

pub(crate) mod store;

use crate::answer::Answer;
use crate::commands::check::store::StoreCheckArgs;
use crate::commands::lock;
use crate::driver::{self, Run, Watched};
use crate::input::applies::{REMOVE, refuse_idle};
use crate::input::args::long_help;
use crate::store::shards::Store;
use crate::terminal::failure::{CommandResult, Failure, INVALID, USAGE, of_checks};
use crate::terminal::guard::{self, LimitArgs};
use crate::terminal::output::{self, OutputArgs};
use crate::terminal::progress::Display;
use crate::terminal::text::{Text, cut, one_line};
use clap::Args;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use unstuck::certificate::MANIFEST;
use unstuck::certificate::check::{CheckError, Report, check, why};
use unstuck::certificate::external_check::{OutsideChecker, Program};
use unstuck::certificate::sentences::{self as evidence, ValidAnswer};
use unstuck_puzzles::Style;

const LONG_HELP: &str = "\
PATH is the folder of a certificate, a folder of such folders, a lock, or a store
or log of `solve`.

Formulas are compiled again from the puzzle's text and compared clause for
clause, moves are replayed, lists and proofs are verified. The answer says what
was checked, and what had to be trusted.

A lock is judged as other stores are, and compared with the level files beside it,
level by level: levels are known by rules and board. Of one that has changed (it is
found by title, else by number) the locked solution is replayed, and it is solved
again, 10 seconds unless --timeout says otherwise: old and new verdict stand side
by side. A lock is valid when every level of its files is in it, none is gone, and
a certificate (where any solution will do, a solution) shows all that it says.
With --allow-uncertified what nothing contradicts and levels that are not locked
are counted and accepted; what has changed, is gone or is wrong never is.

Of a store each level is read again from its text, each plan is replayed by the
rules, and each certificate is unpacked, compared with its sum, and judged. The
answer is derived again from these, and each field must be what they say: a
bound, a tie-break, or that there is one solution only needs a certificate that
claims it. Answers that say more than their solutions show and have no
certificate are counted, and so are results without an answer; neither is wrong.
Fields that are not judged are named.

Exit codes: 0 valid; 1 invalid; 2 wrong usage, or not a certificate that can be
read; 30 a limit struck first.";

const EXAMPLES: &str = "\
Examples:
  unstuck check certificate
  unstuck check certificate --with lrat-check  verified by an external checker too
  unstuck check certificates                  all in this folder
  unstuck check maps/unstuck.lock             all that `unstuck lock` wrote
  unstuck check run                           all that `solve --store` wrote
  unstuck check run --sample 1000 --seed 7    a thousand results of it";

/// Check certificates, locks and stores
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help!(LONG_HELP, EXAMPLES))]
pub(crate) struct CheckCommand {
    /// Folder of a certificate, a folder of several, a lock, or a store
    #[arg(value_name = "PATH", required_unless_present = "locked")]
    certificate: Option<PathBuf>,
    /// The same as PATH for a lock [default: unstuck.lock]
    #[arg(
        long,
        value_name = "LOCK",
        num_args = 0..=1,
        default_missing_value = lock::LOCK,
        conflicts_with_all = ["certificate", "with"],
        hide_short_help = true
    )]
    locked: Option<PathBuf>,
    /// Locks: accept what no certificate shows, and levels without entry
    #[arg(long)]
    allow_uncertified: bool,
    #[arg(
        long,
        value_name = "PROGRAM|COMMAND",
        help = "An external checker for the proofs: lrat-check, lrat-trim, cake_lpr, a path, or a command with {cnf} and {proof}"
    )]
    with: Option<String>,
    /// Of a proof that fails, show the step, what it names, and what follows from that
    #[arg(long, hide_short_help = true)]
    trace_failed: bool,
    #[command(flatten)]
    stores: StoreCheckArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl Run for CheckCommand {
    fn watched(&self) -> Watched {
        Watched { json: self.output.json, limits: Some(self.limits) }
    }

    fn run(&'static self) -> CommandResult {
        let Some(path) = self.locked.as_ref().or(self.certificate.as_ref()) else {
            return Err(Failure::usage("no certificate given"));
        };
        // A lock that cannot be read must not pass for none.
        let beside = path.join(lock::LOCK);
        let is_beside = beside.symlink_metadata().is_ok() && !Store::is_at(path);
        let is_certificate = path.join(MANIFEST).symlink_metadata().is_ok();
        let path = if is_beside && !is_certificate { &beside } else { path };
        let is_store = Store::is_at(path) || self.locked.is_some() || is_beside && !is_certificate;
        let is_lock = is_store && !path.is_file() && Store::open(path)?.is_lock();
        self.check_options(is_store, is_lock)?;
        if is_lock {
            let (allow, limits) = (self.allow_uncertified, self.limits);
            return lock::check::check_lock(path, allow, self.output, limits);
        }
        if path.is_file() && lock::is_old(path) {
            let message = format!("{}: a lock of an earlier version", path.display());
            return Err(Failure::usage(message)
                .help("`unstuck lock FILES --force` writes it again, as a store"));
        }
        if self.locked.is_some() || path.is_file() && !is_store {
            let message = format!("{}: not a lock", path.display());
            return Err(Failure::usage(message).help("`unstuck lock` writes them"));
        }
        if is_store {
            return store::check(path, &self.stores, self.limits, self.output);
        }
        let is_one = is_certificate || !path.is_dir();
        let paths = if is_one { vec![path.clone()] } else { certificates_below(path)? };
        if paths.is_empty() {
            let message = format!("{}: no certificate in this folder", path.display());
            return Err(Failure::usage(message).help("`unstuck prove` writes them"));
        }
        let codes = driver::each("check", self.output, &paths, |certificate| {
            let answer = self.one(certificate)?;
            if is_one {
                return Ok(answer);
            }
            let path = one_line(&certificate.display().to_string());
            let mut text = Text::from(&format!("{path}\n"));
            text.push_text(&answer.text);
            Ok(Answer { quiet: text.clone(), text, ..answer })
        })?;
        if !is_one {
            let (valid, all) = (codes.iter().filter(|&&code| code == 0).count(), paths.len());
            driver::sum_up(self.output, format!("{valid} of {all} certificates are valid\n"));
        }
        Ok(guard::answered(of_checks(&codes)))
    }
}

impl CheckCommand {
    /// Refuses an option that is for something else.
    fn check_options(&self, is_store: bool, is_lock: bool) -> Result<(), Failure> {
        let of_stores = self.stores.sample.is_some() || self.stores.workers.is_some();
        let of_certificates = "is for certificates; `tar -xzf` unpacks those of a store";
        let idle = [
            ("with", self.with.is_some() && is_store, of_certificates),
            ("trace-failed", self.trace_failed && is_store, of_certificates),
            ("allow-uncertified", self.allow_uncertified && !is_lock, "is for locks"),
            ("sample, --workers", of_stores && (!is_store || is_lock), "are for stores"),
        ];
        refuse_idle(idle, REMOVE)
    }

    /// Checks one certificate.
    fn one(&self, path: &Path) -> Result<Answer<CheckAnswer>, Failure> {
        let limits = self.limits.begin();
        let shown = path.display().to_string();
        guard::subject(&shown);
        let display = Display::new(&shown, self.output, self.limits.timeout);
        let program = self.with.as_deref().map(Program);
        let with = program.as_ref().map(|program| program as &dyn OutsideChecker);
        let checked = check(path, with, &limits, &mut |text| display.say(text));
        drop(display);
        match checked {
            Ok(report) => {
                let fields = CheckAnswer::Valid(Box::new(JudgedAnswer {
                    valid: ValidAnswer::of(&report, &shown, 0),
                    puzzle: report.manifest.family.clone(),
                    title: report.title.clone(),
                    board: report.instance.picture(None, Style::Plain),
                }));
                Ok(Answer::new(0, fields).saying(judged(&report)).quietly("valid\n"))
            }
            Err(CheckError::Invalid { reason, trace }) => {
                let reason = why(reason, &trace, self.trace_failed);
                let text = format!("invalid: {}\n", cut(&reason));
                let verdict = "invalid";
                let fields = InvalidAnswer { certificate: shown, verdict, exit: INVALID, reason };
                Ok(Answer::new(INVALID, CheckAnswer::Invalid(fields)).saying(text))
            }
            Err(CheckError::Stopped(stop)) => {
                Err(Failure::new(30, format!("{shown}: not judged: {stop}")))
            }
            Err(error) => Err(Failure::new(USAGE, error.to_string()).advised(error.advice())),
        }
    }
}

/// The certificates in a folder of several, by name.
///
/// # Errors
/// When the folder cannot be read whole: none of them must be passed over.
fn certificates_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |error| Failure::file(&folder.display().to_string(), &error);
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(fail)?.collect();
    let folders = entries.map_err(fail)?.into_iter().map(|entry| entry.path());
    let mut found: Vec<_> =
        folders.filter(|path| path.join(MANIFEST).symlink_metadata().is_ok()).collect();
    found.sort();
    Ok(found)
}

/// The verdict with the board that it is about: the reader of a verdict has to see what was asked.
fn judged(report: &Report) -> Text {
    let text = evidence::text(report);
    let (question, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut shown = Text::from(&format!("valid: {question}\n"));
    if let Some(board) = report.instance.picture(None, output::style(false)) {
        shown.push_board(&format!("board:\n{board}"));
    }
    shown.push_str(rest);
    shown
}

/// What a certificate comes to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum CheckAnswer {
    Valid(Box<JudgedAnswer>),
    Invalid(InvalidAnswer),
}

/// A certificate that holds, with the board of its level.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct JudgedAnswer {
    #[serde(flatten)]
    valid: ValidAnswer,
    /// The family.
    puzzle: String,
    /// The title of the level.
    title: Option<String>,
    /// The board.
    board: Option<String>,
}

/// A certificate that does not hold.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct InvalidAnswer {
    /// The folder.
    certificate: String,
    /// That it does not hold.
    #[cfg_attr(test, schemars(extend("const" = "invalid")))]
    verdict: &'static str,
    /// The exit code.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    exit: u8,
    /// Why not.
    reason: String,
}
