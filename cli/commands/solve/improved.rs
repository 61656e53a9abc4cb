//! `--improve`: a known solution is made shorter.

use crate::commands::solve::solved::{Note, SolvedLevel, failure};
use crate::input::SelectedLevel;
use crate::input::args::MovesArg;
use crate::terminal::failure::Failure;
use unstuck::instance::{Instance, Verified, VerifyError};
use unstuck::solve::{Request, improve};

/// A solution, and the number of the reading under which it is one.
type StartingPlan = (usize, Verified);

/// The solution to begin with: the one that was given, else the best one that the file records.
///
/// # Errors
/// When the one that was given is none.
fn begun(
    given: Option<&MovesArg>,
    chosen: &SelectedLevel,
    instances: &[Box<dyn Instance>],
) -> Result<Option<StartingPlan>, Failure> {
    if let Some(given) = given {
        let text = given.read()?;
        let text = text.trim();
        return judged(instances, text).map(Some).map_err(|error| refusal(chosen, &error, text));
    }
    let recorded = chosen.level.solutions.iter();
    let right = recorded.filter_map(|text| judged(instances, text).ok());
    let key = |(reading, plan): &StartingPlan| {
        let objective = instances[*reading].objective();
        (objective.primary(plan.tally()), objective.secondary(plan.tally()))
    };
    Ok(right.min_by_key(key))
}

/// The first reading that accepts a solution; what the last one says where none does.
fn judged(instances: &[Box<dyn Instance>], text: &str) -> Result<StartingPlan, VerifyError> {
    let mut judged = instances.iter().enumerate().map(|(reading, instance)| {
        let plan = instance.verify(text)?;
        Ok((reading, plan))
    });
    let last = judged.by_ref().find(Result::is_ok);
    last.unwrap_or_else(|| {
        let instance = instances.last().expect("every puzzle has a reading");
        instance.verify(text).map(|plan| (instances.len() - 1, plan))
    })
}

fn refusal(chosen: &SelectedLevel, error: &VerifyError, text: &str) -> Failure {
    match error {
        VerifyError::Unreadable(error) => Failure::parse("--from-solution", error, text),
        VerifyError::Wrong(violation) => {
            let message = format!("--from-solution: no solution of {}: {violation}", chosen.name());
            Failure::usage(message).help("`unstuck replay` shows how far it goes")
        }
    }
}

/// Makes the solution of a level shorter, or looks for a first one under each reading.
///
/// # Errors
/// When the one that was given is none, and like [`unstuck::solve::solve`].
pub(super) fn solved(
    given: Option<&MovesArg>,
    chosen: &SelectedLevel,
    instances: Vec<Box<dyn Instance>>,
    request: &Request,
    note: &Note<'_>,
) -> Result<SolvedLevel, Failure> {
    let begun = begun(given, chosen, &instances)?;
    let improved = |reading: usize, plan| {
        let instance = instances[reading].as_ref();
        let outcome = improve(instance, plan, request, &|event| note(event, &instances));
        outcome.map_err(|error| failure(chosen, &error))
    };
    let outcome = match &begun {
        Some((reading, plan)) => improved(*reading, Some(plan.clone()))?,
        None => {
            let mut outcome = improved(0, None)?;
            for reading in 1..instances.len() {
                if outcome.best.is_none() {
                    outcome = improved(reading, None)?;
                }
            }
            outcome
        }
    };
    let begun = begun.map(|(_, plan)| plan);
    Ok(SolvedLevel { begun, ..SolvedLevel::new(instances, outcome) })
}

/// How long the solution was with which it began.
pub(super) fn sentence(solved: &SolvedLevel) -> Option<String> {
    let (begun, best) = solved.begun.as_ref().zip(solved.outcome.best.as_ref())?;
    let length = solved.instance().measures().length(begun.tally());
    Some(match begun.tally() == best.tally() {
        true => "as short as the solution to improve\n".to_owned(),
        false => format!("the solution to improve had {length}\n"),
    })
}
