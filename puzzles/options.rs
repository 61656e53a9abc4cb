//! Choices that a family offers: declared once, checked once, offered by every command.

use crate::error::ParseError;
use std::collections::BTreeMap;

/// What an option may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Present or not; its value is `true` or `false`.
    Flag,
    /// One of the listed words.
    Choice(&'static [&'static str]),
    /// A whole number in a range, both ends included.
    Number(u64, u64),
    /// Any text; the family's parser judges it.
    Text(&'static str),
}

/// Declaration of an option: the command line is built from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Long name without dashes; the same name with the same [`Values`] in every family that has it.
    pub name: &'static str,
    /// What it may hold.
    pub values: Values,
    /// Value when it is not given (for a text option "" means not given).
    pub default: &'static str,
    /// One sentence for `--help`.
    pub help: &'static str,
}

impl OptionSpec {
    /// An option that is a number between two others, both included.
    pub const fn number(
        name: &'static str,
        least: u64,
        most: u64,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self { name, values: Values::Number(least, most), default, help }
    }
}

/// What an option comes to for one puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// A value of the option that leaves nothing open. Read with it, the same text gives the same
    /// puzzle.
    pub value: String,
    /// The rule that this value means, as part of a sentence; empty where it changes nothing.
    pub rule: String,
    /// Whether there may be solutions under another value where there are none under this one.
    pub is_strict: bool,
}

/// The value of an option.
pub type OptionValue = String;

/// Values of a family's options, each checked against its declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    values: BTreeMap<&'static str, OptionValue>,
}

impl Options {
    /// Checks the given values against the declarations and fills in the defaults.
    ///
    /// # Errors
    /// An unknown name or a value outside its range, with the values that would do.
    pub fn new<'a>(
        specs: &[OptionSpec],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ParseError> {
        let mut values: BTreeMap<_, _> =
            specs.iter().map(|spec| (spec.name, spec.default.to_owned())).collect();
        for (name, value) in given {
            let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
                let known: Vec<_> = specs.iter().map(|spec| spec.name).collect();
                let help = if known.is_empty() {
                    "this puzzle family has no options".to_owned()
                } else {
                    format!("it has: {}", known.join(", "))
                };
                return Err(ParseError::whole(format!("no option `{name}` here")).help(help));
            };
            let allowed = match spec.values {
                Values::Flag => matches!(value, "true" | "false"),
                Values::Choice(words) => words.contains(&value),
                Values::Number(low, high) => {
                    value.parse().is_ok_and(|n: u64| (low..=high).contains(&n))
                }
                Values::Text(_) => true,
            };
            if !allowed {
                let help = match spec.values {
                    Values::Flag => "it is `true` or `false`".to_owned(),
                    Values::Choice(words) => format!("it is one of: {}", words.join(", ")),
                    Values::Number(low, high) => format!("it is a number from {low} to {high}"),
                    Values::Text(what) => what.to_owned(),
                };
                let message = format!("option `{name}` cannot be `{value}`");
                return Err(ParseError::whole(message).help(help));
            }
            values.insert(spec.name, value.to_owned());
        }
        Ok(Self { values })
    }

    /// The value of an option, its default when not given.
    ///
    /// # Panics
    /// When the family never declared the option: a mistake in our code, not in the input.
    pub fn get(&self, name: &str) -> &str {
        self.values.get(name).expect("an option must be declared before it is asked for")
    }

    /// Whether a flag is set. Panics like [`Options::get`].
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    /// The value of a number option. Panics like [`Options::get`].
    pub fn number(&self, name: &str) -> u64 {
        self.get(name).parse().expect("checked when the options were made")
    }

    /// All values in the order of their names: certificates write them down.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values.iter().map(|(&name, value)| (name, value.as_str()))
    }
}
