//! How a claim becomes a certificate, and what is said of it.

use crate::answer::{Answer, outcome};
use crate::driver::Subject;
use serde::Serialize;
use std::path::Path;
use unstuck::certificate::prove::{ProofOptions, ProofTask, ProveError, prove};
use unstuck::certificate::sentences::{self as evidence, ValidAnswer};
use unstuck::certificate::{Claim, check::Report};
use unstuck::instance::{Instance, Verified};
use unstuck::report::{LevelAnswer, sentences};
use unstuck::solve::{Outcome, Request};
use unstuck_puzzles::Style;
use unstuck_puzzles::constraints::Constraints;

/// A certificate in the making.
pub(super) struct CertificateJob<'a> {
    pub subject: &'a Subject,
    pub proof_options: &'a ProofOptions,
    pub target: &'a Path,
    /// The moves after which the claim holds.
    pub after: &'a str,
    pub constraints: &'a Constraints,
}

impl CertificateJob<'_> {
    /// Certifies a claim, with the solution that it speaks of.
    pub(super) fn certify(
        &self,
        request: &Request,
        instance: &dyn Instance,
        claim: Claim,
        solution: Option<&Verified>,
        code: u8,
    ) -> Result<Answer<ProofAnswer>, ProveError> {
        let task = ProofTask {
            solution: solution.filter(|_| claim.has_solution()),
            after: self.after,
            constraints: self.constraints.clone(),
            ..ProofTask::new(instance, &self.subject.chosen.level.text, claim)
        };
        let say = &mut |text: &str| self.subject.say(text);
        let report = prove(&task, self.proof_options, request, self.target, say)?;
        Ok(self.answer(&report, code))
    }

    fn answer(&self, report: &Report, code: u8) -> Answer<ProofAnswer> {
        let target = self.target.display().to_string();
        let valid = ValidAnswer::of(report, &target, code);
        Answer::new(code, ProofAnswer::Certified(Box::new(valid)))
            .saying(format!("{}certificate: {target}\n", evidence::text(report)))
            .quietly(format!("{target}\n"))
    }
}

/// What was found, without a certificate.
pub(super) fn undecided(
    instance: &dyn Instance,
    outcome: &Outcome,
    reason: String,
) -> Answer<ProofAnswer> {
    let mut text = outcome::text(instance, outcome, Style::Plain, false);
    text.push_str(&format!("no certificate: {reason}\n"));
    let fields = UndecidedAnswer {
        objective: instance.objective().name(),
        answer: LevelAnswer { exit: 30.into(), ..LevelAnswer::of(instance, outcome) },
        certificate: (),
        reason,
    };
    Answer::new(30, ProofAnswer::Undecided(Box::new(fields)))
        .saying(text)
        .quietly(format!("{}\n", sentences::verdict(instance, outcome)))
}

/// A certificate that was written, or what is known without one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum ProofAnswer {
    Certified(Box<ValidAnswer>),
    Undecided(Box<UndecidedAnswer>),
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
