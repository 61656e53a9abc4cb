//! From files to levels: reading, finding the family, choosing the level.

use super::{Failure, arguments};
use crate::instance::Instance;
use crate::registry::{self, Family, Opened};
use clap::ArgMatches;
use std::io::{IsTerminal, Read};
use std::path::Path;
use unstuck_puzzles::{Level, Objective, Options};

/// A level as the user named it.
pub struct Chosen {
    /// The file as the user wrote it; `<stdin>` for standard input.
    pub source: String,
    /// Number of the level in its file, from 1.
    pub number: usize,
    /// How many levels the file has.
    pub of: usize,
    /// Its family.
    pub family: &'static Family,
    /// The family's options.
    pub options: Options,
    /// The level.
    pub level: Level<Box<dyn Opened>>,
}

impl Chosen {
    /// File and, in a collection, number and title: as reports name the level.
    pub fn name(&self) -> String {
        let mut name = self.source.clone();
        if self.of > 1 {
            name.push_str(&format!(" #{}", self.number));
        }
        if let Some(title) = &self.level.title {
            name.push_str(&format!(" \"{title}\""));
        }
        name
    }

    /// The objective to use: the given one, or the family's first.
    ///
    /// # Errors
    /// When the family does not know the objective.
    pub fn objective(&self, given: Option<Objective>) -> Result<Objective, Failure> {
        let objective = given.unwrap_or(self.family.objectives[0]);
        if self.family.objectives.contains(&objective) {
            return Ok(objective);
        }
        let known: Vec<_> = self.family.objectives.iter().map(|o| o.name()).collect();
        Err(Failure::usage(format!(
            "{} has no objective `{}`; it has: {}",
            self.family.name,
            objective.name(),
            known.join(" ")
        )))
    }

    /// The instances for an objective, one for each reading.
    ///
    /// # Errors
    /// When the level itself is broken, or the family does not know the objective.
    pub fn instances(&self, given: Option<Objective>) -> Result<Vec<Box<dyn Instance>>, Failure> {
        let objective = self.objective(given)?;
        let opened = match &self.level.puzzle {
            Ok(opened) => opened,
            Err(_) => return Err(Failure::usage(self.fault().unwrap_or_default())),
        };
        let instances = opened.instances(objective);
        Ok(instances.expect("the registry serves every objective that a family names"))
    }

    /// What is wrong with the level, rendered with its place; `None` when nothing is.
    pub fn fault(&self) -> Option<String> {
        let error = self.level.puzzle.as_ref().err()?;
        let text = read(&self.source).unwrap_or_default();
        Some(error.render(&self.source, &text))
    }
}

/// Text of a file, or of standard input for `-` (or its shown name).
fn read(source: &str) -> Result<String, Failure> {
    let fail = |error: std::io::Error| Failure::usage(format!("{source}: {error}"));
    let bytes = if source == "-" || source == STDIN {
        read_stdin().map_err(fail)?
    } else {
        std::fs::read(source).map_err(fail)?
    };
    // Old collections are often Latin-1: a wrong letter in a title must not stop anyone.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}

/// A solver's answer: a file, or standard input for `-`. Bytes that are no text do no harm.
///
/// # Errors
/// When it cannot be read.
pub fn answer(path: &str) -> Result<String, Failure> {
    let bytes = if path == "-" { read_stdin() } else { std::fs::read(path) };
    let bytes = bytes.map_err(|error| Failure::usage(format!("{path}: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How standard input is shown.
const STDIN: &str = "<stdin>";

/// Standard input, read once and kept: errors want to show its lines.
fn read_stdin() -> std::io::Result<Vec<u8>> {
    static KEPT: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    if let Some(kept) = KEPT.get() {
        return Ok(kept.clone());
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        eprintln!("reading the level from standard input; end it with Ctrl-D");
    }
    let mut bytes = Vec::new();
    stdin.lock().read_to_end(&mut bytes)?;
    Ok(KEPT.get_or_init(|| bytes).clone())
}

/// The family of a file: as given, by its name, or by its content when only one fits.
fn family(matches: &ArgMatches, source: &str, text: &str) -> Result<&'static Family, Failure> {
    if let Some(name) = matches.get_one::<String>("puzzle") {
        return Ok(registry::by_name(name).expect("clap accepts known names only"));
    }
    let extension = Path::new(source).extension().and_then(|e| e.to_str()).map(str::to_lowercase);
    match registry::guess(extension.as_deref(), text).as_slice() {
        [family] => Ok(family),
        fitting => {
            let fitting = if fitting.is_empty() {
                registry::FAMILIES.iter().collect()
            } else {
                fitting.to_vec()
            };
            let names: Vec<_> = fitting.iter().map(|family| family.name).collect();
            Err(Failure::usage(format!(
                "{source}: name and content do not settle which puzzle this is\n  \
                 = help: add `--puzzle NAME`, one of: {}",
                names.join(", ")
            )))
        }
    }
}

/// The options of a family among those that were given.
fn options(matches: &ArgMatches, family: &'static Family) -> Result<Options, Failure> {
    let given = arguments::given_options(matches);
    let pairs = given.iter().map(|(name, value)| (*name, value.as_str()));
    Options::new(family.options, pairs)
        .map_err(|error| Failure::usage(error.render(family.name, "")))
}

/// All levels that the arguments name.
///
/// # Errors
/// When a file cannot be read, its family is not settled, or no level has the given number or title.
pub fn levels(matches: &ArgMatches) -> Result<Vec<Chosen>, Failure> {
    let mut chosen = Vec::new();
    for source in matches.get_many::<String>("file").unwrap_or_default() {
        chosen.extend(levels_of(matches, source)?);
    }
    Ok(chosen)
}

/// The one level that the arguments name.
///
/// # Errors
/// Like [`levels`]; also when several levels remain.
pub fn single(matches: &ArgMatches) -> Result<Chosen, Failure> {
    let mut chosen = levels(matches)?;
    match (chosen.pop(), chosen.len()) {
        (Some(only), 0) => Ok(only),
        (Some(last), others) => Err(Failure::usage(format!(
            "{}: {} levels, but this command works on one\n  = help: choose it with `--level`",
            last.source,
            others + 1
        ))),
        (None, _) => Err(Failure::usage("no level to work on")),
    }
}

fn levels_of(matches: &ArgMatches, source: &str) -> Result<Vec<Chosen>, Failure> {
    let text = read(source)?;
    let source = if source == "-" { STDIN } else { source };
    let family = family(matches, source, &text)?;
    let options = options(matches, family)?;
    let levels = (family.read)(&text, &options)
        .map_err(|error| Failure::usage(error.render(source, &text)))?;
    let of = levels.len();
    let mut chosen: Vec<Chosen> = (1..)
        .zip(levels)
        .map(|(number, level)| Chosen {
            source: source.to_owned(),
            number,
            of,
            family,
            options: options.clone(),
            level,
        })
        .collect();
    if let Some(wanted) = matches.get_one::<String>("level") {
        let by_number = wanted.parse().ok();
        let titled = |c: &Chosen| c.level.title.as_deref() == Some(wanted.as_str());
        let any_title = chosen.iter().any(titled);
        chosen.retain(|c| if any_title { titled(c) } else { Some(c.number) == by_number });
        if chosen.is_empty() {
            return Err(Failure::usage(format!(
                "{source}: no level `{wanted}` among its {of} (numbers count from 1)"
            )));
        }
    }
    if chosen.is_empty() {
        return Err(Failure::usage(format!("{source}: no level in this file")));
    }
    for c in &chosen {
        for warning in &c.level.warnings {
            eprintln!("warning: {}: {warning}", c.name());
        }
    }
    Ok(chosen)
}
