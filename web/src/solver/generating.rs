//! Levels that are made: the level of the day, say.

use super::Host;
use super::protocol::{Bounds, Generated};
use super::solving::{Question, limits, solve};
use crate::PageError;
use crate::protocol::{Level, Options};
use unstuck::registry;
use unstuck_puzzles::Options as Chosen;

/// Drafts that are looked at.
const DRAFTS: u64 = 2000;

/// What is to be made.
pub(super) struct Recipe {
    pub(super) puzzle: String,
    /// Those of the family's generator.
    pub(super) options: Options,
    pub(super) seed: u32,
    /// The least length of a shortest solution; without a meaning in families without moves.
    pub(super) least: u32,
}

/// The first draft of a seed that is as it should be.
pub(super) fn generate(
    recipe: &Recipe,
    bounds: Bounds,
    host: &dyn Host,
) -> Result<Generated, PageError> {
    let unknown = || PageError::unknown(&recipe.puzzle);
    let family = registry::by_name(&recipe.puzzle).ok_or_else(unknown)?;
    let none = || PageError::plain(format!("{} makes no levels", family.name));
    let generator = family.generator.ok_or_else(none)?;
    let given = recipe.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = Chosen::new(generator.options, given)?;
    let ends = limits(&bounds);
    let go_on = || ends.reached().is_none();
    let mut question = Question {
        level: plain(family.name, String::new()),
        objective: family.objectives[0].name().to_owned(),
        engine: "auto".to_owned(),
        limits: bounds,
    };
    for attempt in (0..DRAFTS).take_while(|_| go_on()) {
        let draft = generator.attempt(&options, recipe.seed.into(), attempt, &go_on)?;
        let Some(text) = draft else { continue };
        question.level = plain(family.name, text);
        let verdict = solve(&question, host)?;
        let length = verdict.answer.upper.unwrap_or(0);
        let fits = match family.has_moves {
            true => *verdict.answer.optimal == Some(true) && length >= recipe.least,
            false => *verdict.answer.unique == Some(true),
        };
        if fits {
            return Ok(Generated { text: question.level.text, verdict });
        }
    }
    Err(PageError::plain("no level was found that is as it should be"))
}

/// A level as its text says it.
fn plain(family: &str, text: String) -> Level {
    Level { text, puzzle: family.to_owned(), options: Options::new(), title: None }
}
