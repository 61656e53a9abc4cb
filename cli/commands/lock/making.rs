//! How the entry of a level is made: solved, derived from what was found, and certified.

use crate::answer::outcome;
use crate::commands::constrained;
use crate::commands::lock::entry::{Entry, LockedCertificate, Trick};
use crate::commands::lock::{CERTIFICATES, LockCommand, identity};
use crate::input;
use crate::input::SelectedLevel;
use crate::store::derive;
use crate::store::derive::Checks;
use crate::terminal::failure::Failure;
use crate::terminal::guard;
use crate::terminal::progress::Display;
use std::path::Path;
use unstuck::certificate::Claim;
use unstuck::certificate::prove::{ProofOptions, ProofTask, ProveError, prove as certify};
use unstuck::instance::Verified;
use unstuck::limits::Limits;
use unstuck::report::sentences;
use unstuck_puzzles::constraints::Constraints;

/// The entry of a level, what it says in words, and the exit code: 30 where a limit left it open.
pub(super) fn locked(
    args: &LockCommand,
    chosen: &SelectedLevel,
    folder: &Path,
    file: &str,
    tricks: &[(&str, Constraints)],
) -> Result<(Entry, String, u8), Failure> {
    guard::level(chosen.place(), &chosen.name());
    let instances = chosen.instances(args.levels.reading.objective)?;
    let mut request = args.solve.request(args.solve.horizon()?, &args.limits)?;
    request.solutions = 2;
    let display = Display::new(&chosen.name(), args.shown, args.limits.timeout);
    let (instance, outcome) = outcome::solved(&instances, &request, &|event| {
        guard::hear(event, &instances);
        display.note(event);
    })?;
    let claim = Claim::shown_by(instance, &outcome);
    let solutions = outcome.all().take(2).cloned().collect();
    // The entry says what the evidence will say when the lock is checked, and no more.
    let derived = derive::outcome(Checks::ALL, instance, solutions, claim);
    let derived = derived.map_err(|wrong| Failure::internal(format!("{wrong:?}")))?;
    let identity = identity(chosen);
    let mut entry = Entry {
        file: file.to_owned(),
        number: chosen.number as u64,
        title: chosen.level.title.clone(),
        puzzle: chosen.family.name.to_owned(),
        options: input::options(&chosen.options),
        identity: identity.clone(),
        objective: instance.objective().name().to_owned(),
        reading: instance.reading().to_owned(),
        ..Entry::default()
    };
    entry.state(instance, &derived);
    let mut words = sentences::verdict(instance, &outcome);
    let Some(claim) = claim else {
        let open = derive::left_open(instance, &derived, false);
        let code = if open.is_none() { 0 } else { 30 };
        return Ok((entry, format!("{words}; no certificate"), code));
    };
    let name = format!("{identity}-{}", instance.objective().name().replace(',', "-"));
    std::fs::create_dir_all(folder.join(CERTIFICATES))
        .map_err(|error| Failure::usage(format!("{}: {error}", folder.display())))?;
    let proof_options = ProofOptions { force: args.force.force, ..ProofOptions::default() };
    // Certifies a claim into a folder of this name; why not, where it cannot be certified.
    let certified = |name: &str,
                     task: ProofTask<'_>|
     -> Result<Result<LockedCertificate, ProveError>, Failure> {
        let target = folder.join(CERTIFICATES).join(name);
        match certify(&task, &proof_options, &request, &target, &mut |it| display.say(it)) {
            // An earlier lock of the level has left it here.
            Err(ProveError::Exists) if is_certified(&task, &target, &request.limits) => {}
            Err(error) => return Ok(Err(error)),
            Ok(_) => {}
        }
        let certificate = LockedCertificate::at(&target, format!("{CERTIFICATES}/{name}"));
        certificate.map(Ok).map_err(|error| Failure::file(&target.display().to_string(), &error))
    };
    let task = ProofTask {
        solution: outcome.best.as_ref().filter(|_| claim.has_solution()),
        ..ProofTask::new(instance, &chosen.level.text, claim)
    };
    match certified(&name, task)? {
        Ok(certificate) => entry.certificate = Some(certificate),
        Err(error) => return Ok((entry, format!("{words}; no certificate: {error}"), 30)),
    }
    words.push_str("; certified");
    for (number, (constraint, constraints)) in (1..).zip(tricks) {
        let found = constrained::search(&instances, constraints, &request.limits)?;
        let Some(claim) = found.claim() else {
            return Ok((entry, format!("{words}; unknown without `{constraint}`"), 30));
        };
        let task = ProofTask {
            solution: found.plan.as_ref(),
            constraints: constraints.clone(),
            ..ProofTask::new(found.instance, &chosen.level.text, claim)
        };
        let certificate = match certified(&format!("{name}-{number}"), task)? {
            Ok(certificate) => certificate,
            Err(error) => {
                let words = format!("{words}; no certificate without `{constraint}`: {error}");
                return Ok((entry, words, 30));
            }
        };
        let plan = found.plan.as_ref();
        let trick = Trick::new(constraint, found.instance, claim, plan, certificate);
        words.push_str(&format!("; without `{constraint}`: {}", trick.claim));
        entry.tricks.push(trick);
    }
    Ok((entry, words, 0))
}

/// Whether a folder has the certificate of a task.
fn is_certified(task: &ProofTask<'_>, folder: &Path, limits: &Limits) -> bool {
    let ProofTask { instance, constraints, .. } = task;
    let judged = derive::certified(Checks::ALL, &folder, *instance, constraints, limits);
    let text = |plan: &Verified| plan.text().to_owned();
    judged.is_ok_and(|report| {
        // What is locked without a trick has the certificate's own solution.
        let same = report.solution.as_ref().map(text) == task.solution.map(text);
        report.manifest.claim == task.claim && (same || constraints.is_empty())
    })
}
