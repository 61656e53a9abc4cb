//! The whole question that an answer is about.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use unstuck_puzzles::{Objective, Options, Puzzle};

/// The whole question: what is asked of which puzzle, and under which rules. Sentences, objects for
/// programs, certificates, locks, stores and formulas say it in this form, and in no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// Name of the family.
    #[serde(skip)]
    pub family: &'static str,
    /// What a shortest solution is shortest in.
    #[serde(serialize_with = "name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub objective: Objective,
    /// The reading of the rules; empty where there is only one.
    pub reading: &'static str,
    /// What each option of the family comes to.
    pub terms: Vec<Term>,
}

/// What an option of the family comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    /// The option.
    pub option: String,
    /// Its value in force.
    pub value: String,
    /// The rule that this is, in words; empty where the value changes nothing.
    pub rule: String,
    /// Whether it was asked for; else the file decides, or its format, or the family.
    pub asked: bool,
    /// Whether there may be solutions under another value where there are none under this one.
    pub strict: bool,
}

fn name<S: serde::Serializer>(objective: &Objective, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(objective.name())
}

impl Terms {
    /// What is asked of a puzzle under a reading, where these options were given.
    pub(super) fn of<P: Puzzle>(
        puzzle: &P,
        objective: Objective,
        reading: &'static str,
        options: &Options,
    ) -> Self {
        let given: BTreeMap<&str, &str> = options.iter().collect();
        let term = |spec: &unstuck_puzzles::OptionSpec| {
            let given = given.get(spec.name).copied().unwrap_or(spec.default);
            let term = (P::EXTRAS.term)(puzzle, spec.name, given);
            let asked = given != spec.default;
            let rule = match asked && term.rule.is_empty() {
                true => format!("{} {}", spec.name, term.value),
                false => term.rule,
            };
            let (option, value) = (spec.name.to_owned(), term.value);
            Term { option, value, rule, asked, strict: term.is_strict }
        };
        Self { family: P::NAME, objective, reading, terms: P::OPTIONS.iter().map(term).collect() }
    }

    /// The options of the family that leave nothing open: read with them, the text of the puzzle
    /// gives this reading and no other.
    pub fn options(&self) -> BTreeMap<String, String> {
        self.terms.iter().map(|term| (term.option.clone(), term.value.clone())).collect()
    }

    /// The rules in words; empty where none has an option.
    pub fn rules(&self) -> String {
        listed(self.reading_alone().chain(self.terms.iter().map(Term::said)))
    }

    /// The rules, behind a sentence that says that there is a solution.
    pub fn bracketed(&self) -> String {
        bracketed(&self.rules())
    }

    /// The rules, behind a sentence that says that there is none: which of them nobody asked for is
    /// said, where without it there may be one.
    pub fn against(&self) -> String {
        bracketed(&listed(self.reading_alone().chain(self.terms.iter().map(Term::said_against))))
    }

    /// The reading, where no option is what it is about.
    fn reading_alone(&self) -> impl Iterator<Item = String> {
        let named = self.terms.iter().any(|term| term.rule == self.reading);
        (!named).then(|| self.reading.to_owned()).into_iter()
    }

    /// Whether the other question is the same, whatever of it was asked for.
    pub fn is_same(&self, other: &Self) -> bool {
        let question = |it: &Self| (it.family, it.objective, it.reading, it.options());
        question(self) == question(other)
    }

    /// Each option that makes a rule, with its value: `cover yes`.
    pub fn values(&self) -> impl Iterator<Item = String> {
        let shown = |value: &str| match value.chars().all(|c| c.is_ascii_graphic()) {
            true => value.to_owned(),
            false => format!("{value:?}"),
        };
        let ruling = self.terms.iter().filter(|term| !term.rule.is_empty());
        ruling.map(move |term| format!("{} {}", term.option, shown(&term.value)))
    }
}

impl Term {
    fn said(&self) -> String {
        format!("{}{}", self.rule, if self.asked { " (as asked)" } else { "" })
    }

    fn said_against(&self) -> String {
        match self.strict && !self.asked {
            true => format!("{} (not asked for)", self.rule),
            false => self.said(),
        }
    }
}

/// The rules, for a table.
pub fn in_brackets(terms: &[Term]) -> String {
    bracketed(&listed(terms.iter().map(Term::said)))
}

/// Those rules that nobody asked for and without which there may be a solution, for a table.
pub fn not_asked_for(terms: &[Term]) -> String {
    let unasked = terms.iter().filter(|term| term.strict && !term.asked);
    bracketed(&listed(unasked.map(Term::said_against)))
}

fn listed(rules: impl Iterator<Item = String>) -> String {
    rules.filter(|rule| !rule.is_empty()).collect::<Vec<_>>().join(", ")
}

fn bracketed(rules: &str) -> String {
    if rules.is_empty() { String::new() } else { format!(" [{rules}]") }
}
