//! What is shown of a level that was solved.

use crate::answer::{outcome, text_boards};
use crate::commands::solve::args::SolveCommand;
use crate::commands::solve::solved::SolvedLevel;
use crate::commands::solve::{improved, unique};
use crate::input::SelectedLevel;
use crate::terminal::text::{Text, one_line};
use unstuck::instance::{Instance, Verified, VerifyError};
use unstuck::report::RecordedReport;
use unstuck::solve::Outcome;
use unstuck_puzzles::{FrameOptions, Style};

/// What is printed of a level by itself.
pub(super) fn rendered(args: &SolveCommand, chosen: &SelectedLevel, solved: &SolvedLevel) -> Text {
    let (instance, outcome) = (solved.instance(), &solved.outcome);
    let (style, shown) = (args.answer.plain.style(), &args.solution.shown);
    let unique = unique::text(solved);
    if args.answer.output.quiet {
        let answer = outcome.best.as_ref().map(|best| best.text().to_owned());
        let answer = answer.unwrap_or_else(|| solved.verdict());
        return Text::from(&format!("{answer}\n{unique}"));
    }
    let mut text = outcome::text(instance, outcome, style, shown.verbose);
    // They were read before.
    let constraints = args.answer.constraints.read().unwrap_or_default();
    if !constraints.is_empty() {
        text.push_str(&format!("with the constraints: {constraints}\n"));
    }
    text.push_str(&unique);
    improved::sentence(solved).iter().for_each(|sentence| text.push_str(sentence));
    if shown.compare {
        for (solution, word) in compare(chosen, instance, outcome) {
            text.push_str(&format!("recorded {}: {}\n", solution.trim_end(), one_line(&word)));
        }
    }
    if let (true, Some(best)) = (shown.stages, &outcome.best) {
        text.push_drawing(&stages(instance, best, style));
    }
    text
}

/// The boards of a plan, the start first.
fn stages(instance: &dyn Instance, plan: &Verified, style: Style) -> String {
    let replayed = instance.replay(plan.text(), style, Some(FrameOptions::all(false, style)));
    replayed.map(|replayed| text_boards::stages(&replayed.frames)).unwrap_or_default()
}

/// For each recorded solution whether it is right, and whether it is as short as the best known.
fn compare(
    chosen: &SelectedLevel,
    instance: &dyn Instance,
    outcome: &Outcome,
) -> Vec<(String, String)> {
    let objective = instance.objective();
    let unit = instance.measures().first(objective);
    let judge = |text: &String| {
        let word = match instance.verify(text) {
            // The moves of another kind of play, say in reverse.
            Err(VerifyError::Unreadable(error)) => format!("not checked: {error}"),
            Err(error) => format!("wrong: {error}"),
            Ok(plan) => {
                let length = objective.primary(plan.tally());
                let best = outcome.best.as_ref().map(|best| objective.primary(best.tally()));
                match best.map(|best| length.saturating_sub(best)) {
                    _ if length <= outcome.lower => "right and shortest".to_owned(),
                    Some(0) if outcome.optimal => "right and shortest".to_owned(),
                    None | Some(0) => "right; not known whether it is shortest".to_owned(),
                    Some(more) => format!("right, but {} longer than necessary", unit.count(more)),
                }
            }
        };
        (text.clone(), word)
    };
    chosen.level.solutions.iter().map(judge).collect()
}

/// The same for programs.
pub(super) fn compared(chosen: &SelectedLevel, solved: &SolvedLevel) -> Vec<RecordedReport> {
    let compared = compare(chosen, solved.instance(), &solved.outcome);
    compared.into_iter().map(|(moves, verdict)| RecordedReport { moves, verdict }).collect()
}
