//! Options of the puzzle families as arguments: each family's own are shown where they matter.

use crate::terminal::failure::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::collections::BTreeMap;
use unstuck::registry::{self, FAMILIES, Family};
use unstuck_puzzles::{OptionSpec, Options, Values};

/// Heading under which help lists the options of the families.
pub(crate) const HEADING: &str = "Options of puzzle families";

/// Heading under which it lists what says which levels are meant.
pub(crate) const LEVELS: &str = "Levels";

/// The family of a level, and its options.
#[derive(Args, Clone)]
pub(crate) struct FamilyArgs {
    /// Puzzle family [default: detected from name and content]
    #[arg(help_heading = LEVELS, long, value_name = "FAMILY", value_parser = families())]
    pub puzzle: Option<&'static Family>,
    #[command(flatten)]
    pub options: FamilyOptions,
}

fn families() -> impl TypedValueParser<Value = &'static Family> {
    let names = PossibleValuesParser::new(FAMILIES.iter().map(|family| family.name));
    names.map(|name: String| registry::by_name(&name).expect("only these are possible"))
}

impl FamilyArgs {
    /// The options of a family among those that were given.
    ///
    /// # Errors
    /// When the family does not have one of them, or it cannot have this value.
    pub(crate) fn of(&self, family: &'static Family) -> Result<Options, Failure> {
        let given = self.options.0.iter().map(|(name, value)| (*name, value.as_str()));
        Options::new(family.options, given).map_err(|error| Failure::parse(family.name, &error, ""))
    }
}

/// The options of families that were given, each with its value.
#[derive(Clone)]
pub(crate) struct FamilyOptions(pub Vec<(&'static str, String)>);

/// One argument for each option of a family, hidden; families that share a name share the argument.
impl Args for FamilyOptions {
    fn augment_args(command: Command) -> Command {
        let argument = |(spec, families): (OptionSpec, Vec<&str>)| {
            let help = format!("{}: {}", families.join(", "), spec.help);
            option(spec, &help).help_heading(HEADING).hide(true)
        };
        command.args(specs().into_values().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FamilyOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(given(specs().into_values().map(|(spec, _)| spec), matches.clone())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options of all families, each with the families that have it.
fn specs() -> BTreeMap<&'static str, (OptionSpec, Vec<&'static str>)> {
    let mut specs: BTreeMap<&str, (OptionSpec, Vec<&str>)> = BTreeMap::new();
    for family in FAMILIES {
        for &spec in family.options {
            specs.entry(spec.name).or_insert((spec, Vec::new())).1.push(family.name);
        }
    }
    specs
}

/// The declared options that were given, each with its value.
pub(crate) fn given(
    specs: impl Iterator<Item = OptionSpec>,
    mut matches: ArgMatches,
) -> Vec<(&'static str, String)> {
    let mut value = |spec: &OptionSpec| match spec.values {
        Values::Flag => {
            matches.remove_one::<bool>(spec.name).filter(|&is| is).map(|is| is.to_string())
        }
        _ => matches.remove_one::<String>(spec.name),
    };
    specs.filter_map(|spec| Some((spec.name, value(&spec)?))).collect()
}

/// The argument of a declared option.
pub(crate) fn option(spec: OptionSpec, help: &str) -> Arg {
    let default = match spec.values {
        Values::Flag => String::new(),
        _ if spec.default.is_empty() => String::new(),
        _ => format!(" [default: {}]", spec.default),
    };
    let argument = Arg::new(spec.name).long(spec.name).help(format!("{help}{default}"));
    match spec.values {
        Values::Flag => argument.action(ArgAction::SetTrue),
        Values::Choice(words) => {
            argument.value_name("WORD").value_parser(PossibleValuesParser::new(words))
        }
        Values::Number(..) => argument.value_name("N"),
        Values::Text(_) => argument.value_name("TEXT").allow_hyphen_values(true),
    }
}
