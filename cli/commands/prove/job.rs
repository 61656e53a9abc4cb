//! How a claim becomes a certificate, and what is printed about it.

use crate::answer::evidence::{self, ValidAnswer};
use crate::answer::json;
use crate::answer::outcome;
use crate::commands::constrained;
use crate::commands::prove::{ProveCommand, bounds, failure};
use crate::input::SelectedLevel;
use crate::terminal::failure::{CommandResult, Failure};
use crate::terminal::output;
use crate::terminal::progress::Display;
use serde::Serialize;
use std::path::Path;
use unstuck::certificate::prove::{ProofOptions, ProofTask, ProveError, prove};
use unstuck::certificate::{Claim, check::Report};
use unstuck::instance::{Instance, Verified};
use unstuck::report::{LevelAnswer, sentences};
use unstuck::solve::{Outcome, Request};
use unstuck_puzzles::Style;
use unstuck_puzzles::constraints::Constraints;

/// A certificate in the making.
pub(super) struct CertificateJob<'a> {
    pub args: &'a ProveCommand,
    pub chosen: &'a SelectedLevel,
    pub proof_options: &'a ProofOptions,
    pub target: &'a Path,
    /// The moves after which the claim holds.
    pub after: &'a str,
    pub constraints: &'a Constraints,
}

impl CertificateJob<'_> {
    pub(super) fn certify(
        &self,
        display: Display,
        request: &Request,
        instance: &dyn Instance,
        claim: Claim,
        outcome: Option<&Outcome>,
        code: u8,
    ) -> CommandResult {
        let solution = outcome.and_then(|outcome| outcome.best.as_ref());
        let task = self.task(instance, claim, solution);
        let proved =
            prove(&task, self.proof_options, request, self.target, &mut |text| display.say(text));
        drop(display);
        match proved {
            Ok(report) => self.print(&report, code),
            Err(error) => {
                if let (ProveError::Stopped(_), Some(outcome)) = (&error, outcome) {
                    self.bounds(instance, outcome);
                }
                return Err(failure(&self.target.display().to_string(), &error));
            }
        }
        Ok(code)
    }

    fn task<'t>(
        &'t self,
        instance: &'t dyn Instance,
        claim: Claim,
        solution: Option<&'t Verified>,
    ) -> ProofTask<'t> {
        ProofTask {
            solution: solution.filter(|_| claim.has_solution()),
            after: self.after,
            constraints: self.constraints.clone(),
            ..ProofTask::new(instance, &self.chosen.level.text, claim)
        }
    }

    /// What search finds of a game with constraints, certified.
    pub(super) fn constrained(
        &self,
        display: Display,
        request: &Request,
        instances: &[Box<dyn Instance>],
    ) -> CommandResult {
        let found = constrained::search(instances, self.constraints, &request.limits)?;
        let Some(claim) = found.claim() else {
            let stop =
                found.answer.stop.map_or("nothing was proved".to_owned(), |stop| stop.to_string());
            return Err(Failure::new(30, format!("no certificate: {stop}")));
        };
        let code = if found.plan.is_some() { 0 } else { 20 };
        let task = self.task(found.instance, claim, found.plan.as_ref());
        let proved =
            prove(&task, self.proof_options, request, self.target, &mut |text| display.say(text));
        drop(display);
        let shown = self.target.display().to_string();
        self.print(&proved.map_err(|error| failure(&shown, &error))?, code);
        Ok(code)
    }

    fn print(&self, report: &Report, code: u8) {
        let target = self.target.display().to_string();
        if self.args.shown.json {
            let fields = ProofAnswer { valid: ValidAnswer::of(report, &target), exit: code };
            output::print(format!("{}\n", json::of_level("prove", self.chosen, fields)));
        } else if self.args.shown.quiet {
            output::print(format!("{target}\n"));
        } else {
            output::print(format!("{}certificate: {target}\n", evidence::text(report)));
        }
    }

    /// What was found, without a certificate.
    pub(super) fn bounds(&self, instance: &dyn Instance, outcome: &Outcome) {
        if !self.args.shown.json && !self.args.shown.quiet {
            output::print(outcome::text(instance, outcome, Style::Plain));
        }
    }

    /// There is nothing that could be certified: what was found is reported all the same.
    pub(super) fn undecided(&self, instance: &dyn Instance, outcome: &Outcome) {
        let could = outcome.stop.is_some() && !bounds(instance, outcome).is_empty();
        let advice = if could { "; with `--bound-only` the lower bound is certified" } else { "" };
        let reason = sentences::uncertified(outcome) + advice;
        if self.args.shown.json {
            let fields = UndecidedAnswer {
                objective: instance.objective().name(),
                answer: LevelAnswer { exit: 30.into(), ..LevelAnswer::of(instance, outcome) },
                certificate: (),
                reason,
            };
            output::print(format!("{}\n", json::of_level("prove", self.chosen, fields)));
        } else if self.args.shown.quiet {
            output::print(format!("{}\n", sentences::verdict(instance, outcome)));
        } else {
            self.bounds(instance, outcome);
            output::print(format!("no certificate: {reason}\n"));
        }
    }
}

/// A certificate that was written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProofAnswer<'a> {
    #[serde(flatten)]
    valid: ValidAnswer<'a>,
    /// The exit code of the level alone.
    exit: u8,
}

/// What is known where nothing could be certified.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct UndecidedAnswer {
    /// What a shortest solution is shortest in.
    objective: &'static str,
    #[serde(flatten)]
    answer: LevelAnswer,
    /// None.
    certificate: (),
    /// Why there is none.
    reason: String,
}
