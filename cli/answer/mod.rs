//! What comes out of a level: fields for programs, text for people.

pub(crate) mod by_file;
pub(crate) mod json;
pub(crate) mod outcome;
pub(crate) mod rule_use;
pub(crate) mod text_boards;

use crate::input::SelectedLevel;
use crate::terminal::output::OutputArgs;
use crate::terminal::text::Text;
use serde::Serialize;

/// What came of a question about a level, a certificate or a solver.
pub(crate) struct Answer<F> {
    /// For programs, beside what the object says of its subject.
    pub fields: F,
    /// For people.
    pub text: Text,
    /// The same with `--quiet`.
    pub quiet: Text,
    /// The cells of its row in a table of several levels, after the name.
    pub cells: Vec<String>,
    /// What is to be said beside it, on standard error.
    pub note: Option<String>,
    /// The exit code.
    pub code: u8,
}

impl<F> Answer<F> {
    /// An answer that says nothing to people.
    pub(crate) fn new(code: u8, fields: F) -> Self {
        Self {
            fields,
            text: Text::default(),
            quiet: Text::default(),
            cells: Vec::new(),
            note: None,
            code,
        }
    }

    /// With this text for people, all of it with `--quiet`, too.
    #[must_use]
    pub(crate) fn saying(self, text: impl Into<Text>) -> Self {
        let text = text.into();
        Self { quiet: text.clone(), text, ..self }
    }

    /// With another text with `--quiet`.
    #[must_use]
    pub(crate) fn quietly(self, quiet: impl Into<Text>) -> Self {
        Self { quiet: quiet.into(), ..self }
    }

    /// With these cells.
    #[must_use]
    pub(crate) fn row(self, cells: Vec<String>) -> Self {
        Self { cells, ..self }
    }
}

impl<F: Serialize> Answer<F> {
    /// As it is printed by a command; of what it is about, unless the fields name that.
    pub(crate) fn printed(
        &self,
        command: &str,
        about: Option<&SelectedLevel>,
        output: OutputArgs,
    ) -> Text {
        self.as_wanted(output, || match about {
            Some(chosen) => json::of_level(command, chosen, &self.fields).to_string(),
            None => json::object(command, &self.fields).to_string(),
        })
    }

    /// As it is printed where the fields say themselves which command they are of.
    pub(crate) fn printed_alone(&self, output: OutputArgs) -> Text {
        self.as_wanted(output, || json::line(&self.fields))
    }

    fn as_wanted(&self, output: OutputArgs, object: impl FnOnce() -> String) -> Text {
        match output {
            OutputArgs { json: true, .. } => Text::from(object() + "\n"),
            OutputArgs { quiet: true, .. } => self.quiet.clone(),
            _ => self.text.clone(),
        }
    }
}
