//! What comes out of a level, and an outcome as text.

use crate::answer::text_boards;
use crate::terminal::failure::Failure;
use crate::terminal::text::Text;
use std::fmt::Write;
use unstuck::instance::Instance;
use unstuck::report::sentences;
use unstuck::solve::{Outcome, Progress, Request, Verdict, solve_readings};
use unstuck_puzzles::Style;

/// What is said of a proof: to players that there is one, else how it was found, too.
fn proved(outcome: &Outcome, verbose: bool) -> Option<String> {
    let shown = outcome.shown.as_ref().filter(|_| sentences::is_proved(outcome))?;
    let by = if verbose { format!(" by {shown}") } else { String::new() };
    Some(format!("proved{by}; `unstuck prove` writes a certificate"))
}

/// Solves a level under its readings: the one that counts, and what came out of it.
///
/// # Errors
/// An internal error, or what the engine cannot do.
pub(crate) fn solved<'a>(
    instances: &'a [Box<dyn Instance>],
    request: &Request,
    note: Progress<'_>,
) -> Result<(&'a dyn Instance, Outcome), Failure> {
    let outcomes = solve_readings(instances, request, note);
    let mut outcomes = outcomes.map_err(|error| Failure::solving(&error))?;
    // The others came out with nothing.
    let outcome = outcomes.pop().expect("every puzzle has a reading");
    Ok((instances[outcomes.len()].as_ref(), outcome))
}

/// An outcome as text: the answer first, then the verdict, then what showed it.
pub(crate) fn text(
    instance: &dyn Instance,
    outcome: &Outcome,
    style: Style,
    verbose: bool,
) -> Text {
    let mut text = Text::default();
    if let Some(best) = &outcome.best {
        if instance.moves().is_some() {
            let _ = writeln!(text, "{}", best.text());
        } else {
            let others: Vec<_> = outcome.all().skip(1).collect();
            text.push_drawing(&text_boards::solutions(instance, best, &others, style));
        }
        text.push_str(&text_boards::fact_lines(best.facts()));
    }
    let _ = writeln!(text, "{}", sentences::verdict(instance, outcome));
    let uniqueness = sentences::uniqueness(instance, outcome);
    for sentence in [uniqueness, proved(outcome, verbose), sentences::bound_shown(outcome)]
        .into_iter()
        .flatten()
    {
        let _ = writeln!(text, "{sentence}");
    }
    if let Some(drawing) = sentences::lost(outcome) {
        text.push_str(&drawing);
    }
    if outcome.verdict == Verdict::Unsolvable {
        for (option, value, permits) in instance.encoded().relaxing_options() {
            let _ = writeln!(text, "perhaps with `--{option} {value}`: {permits}");
        }
    }
    text
}
