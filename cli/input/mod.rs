//! From arguments to levels: reading, finding the family, choosing the level.

pub(crate) mod applies;
pub(crate) mod args;
pub(crate) mod families;
pub(crate) mod file_names;
mod files;
pub(crate) mod selection;
mod stream;

pub(super) use files::{
    STDIN, answer, built_in, decoded, family_of, is_piped, source, source_of_output,
};
pub(super) use selection::Selection;
pub(super) use stream::Levels;

use crate::input::families::FamilyArgs;
use crate::input::selection::SelectionArgs;
use crate::terminal::failure::Failure;
use crate::terminal::guard::Place;
use crate::terminal::output;
use crate::terminal::text::one_line;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use unstuck::instance::Instance;
use unstuck::registry::{Family, ParsedPuzzle};
use unstuck::report::sentences;
use unstuck_puzzles::{Level, Lines, Objective, Options, Warning};

/// A level as the user named it.
pub(crate) struct SelectedLevel {
    /// The file as the user wrote it; `<stdin>` for standard input.
    pub source: String,
    /// Number of the level in its file, from 1.
    pub number: usize,
    /// How many levels the file has; where it is read in pieces, an upper limit.
    pub of: usize,
    /// Its family.
    pub family: &'static Family,
    /// The family's options.
    pub options: Options,
    /// The level.
    pub level: Level<ParsedPuzzle>,
    /// The lines of its file.
    lines: Arc<Lines>,
}

impl SelectedLevel {
    /// File and, in a collection, number and title: as reports name the level.
    pub(crate) fn name(&self) -> String {
        let mut name = one_line(&self.source);
        if self.of > 1 {
            name.push_str(&format!(" #{}", self.number));
        }
        if let Some(title) = &self.level.title {
            name.push_str(&format!(" \"{}\"", one_line(title)));
        }
        name
    }

    /// The title; without one the number in a collection, else the name of the file: as tables
    /// name the level below the name of its file.
    pub(crate) fn short_name(&self) -> String {
        let name = match &self.level.title {
            Some(title) => title.clone(),
            None if self.of > 1 => format!("#{}", self.number),
            None => {
                let stem = Path::new(&self.source).file_name();
                stem.map_or_else(|| self.source.clone(), |name| name.to_string_lossy().into_owned())
            }
        };
        one_line(&name)
    }

    /// Where it is.
    pub(crate) fn place(&self) -> Place {
        Place::level(&self.source, self.number, self.level.title.as_deref())
    }

    /// See [`unstuck_puzzles::Extras::identity`]; `None` for a broken level.
    pub(crate) fn id(&self) -> Option<String> {
        self.level.puzzle.as_ref().ok().map(|opened| opened.identity())
    }

    /// The objective to use: the given one, or the family's first.
    ///
    /// # Errors
    /// When the family does not know the objective.
    pub(crate) fn objective(&self, given: Option<Objective>) -> Result<Objective, Failure> {
        let objective = given.unwrap_or(self.family.objectives[0]);
        if self.family.objectives.contains(&objective) {
            return Ok(objective);
        }
        let known: Vec<_> = self.family.objectives.iter().map(|o| o.name()).collect();
        let message = format!("{} has no objective `{}`", self.family.name, objective.name());
        Err(Failure::usage(message).help(format!("it has: {}", known.join(" "))))
    }

    /// The puzzle of the level.
    ///
    /// # Errors
    /// When the level is broken: what is wrong, where in its file.
    pub(crate) fn opened(&self) -> Result<&ParsedPuzzle, Failure> {
        let fault = |error| Failure::parse_lines(&self.source, error, &self.lines);
        self.level.puzzle.as_ref().map_err(fault)
    }

    /// The instances for an objective, one for each reading.
    ///
    /// # Errors
    /// When the level itself is broken, or the family does not know the objective.
    pub(crate) fn instances(
        &self,
        given: Option<Objective>,
    ) -> Result<Vec<Box<dyn Instance>>, Failure> {
        let objective = self.objective(given)?;
        let opened = self.opened()?;
        let instances = opened.instances(objective);
        Ok(instances.expect("the registry serves every objective that a family names"))
    }

    /// The one level of a text whose family and options are known.
    ///
    /// # Errors
    /// When it cannot be read, or is not one level.
    pub(crate) fn of_text(
        name: &str,
        family: &'static Family,
        options: Options,
        text: &str,
    ) -> Result<Self, Failure> {
        let fail = |error: &unstuck_puzzles::ParseError| Failure::parse(name, error, text);
        let mut levels = (family.read)(text, &options).map_err(|error| fail(&error))?;
        let (Some(level), 0) = (levels.pop(), levels.len()) else {
            return Err(Failure::usage(format!("{name}: expected exactly one level")));
        };
        let (source, lines) = (name.to_owned(), Arc::new(Lines::new(text)));
        Ok(Self { source, number: 1, of: 1, family, options, level, lines })
    }
}

/// What the arguments name: levels, and files that could not be read, in the order in which they
/// were named.
pub(super) type SelectedLevels = Vec<Result<SelectedLevel, ReadFailure>>;

/// A file of which there is no level.
pub(crate) struct ReadFailure {
    /// The file as the user wrote it.
    pub source: String,
    /// Why.
    pub failure: Failure,
}

/// All levels that are selected of files, and of all files with levels in folders.
///
/// # Errors
/// When a family does not have the options that were given, or no level is as `--level` says.
pub(super) fn found(
    paths: &[String],
    selection: &SelectionArgs,
    family: &FamilyArgs,
) -> Result<SelectedLevels, Failure> {
    let found = Levels::all(paths, family)?;
    let found = match &selection.level {
        Some(selection) => selected(selection, found)?,
        None => found,
    };
    for chosen in found.iter().flatten() {
        let (of_file, own): (Vec<_>, Vec<_>) =
            chosen.level.warnings.iter().partition(|warning| warning.of_file);
        warn(&one_line(&chosen.source), &of_file);
        warn(&chosen.name(), &own);
    }
    Ok(found)
}

/// Says what is odd about a file or a level, which is named once.
fn warn(name: &str, warnings: &[&Warning]) {
    match warnings {
        [] => {}
        [only] => output::say(format!("warning: {name}: {}", doubt(only))),
        several => {
            let lines: Vec<_> = several.iter().map(|warning| doubt(warning)).collect();
            output::say(format!("warning: {name}:\n  {}", lines.join("\n  ")));
        }
    }
}

/// What a warning says, with the option that settles it.
pub(super) fn doubt(warning: &Warning) -> String {
    let help = warning.option.map(|(name, value)| format!("\n  = help: `--{name} {value}`"));
    format!("{}{}", warning.text, help.unwrap_or_default())
}

/// The one selected level of a file.
///
/// # Errors
/// Like [`found`]; also when it cannot be read, or several levels remain.
pub(super) fn single(
    path: &str,
    selection: &SelectionArgs,
    family: &FamilyArgs,
) -> Result<SelectedLevel, Failure> {
    let chosen = found(&[path.to_owned()], selection, family)?.into_iter();
    let chosen: Result<Vec<_>, _> = chosen.map(|one| one.map_err(|it| it.failure)).collect();
    <[SelectedLevel; 1]>::try_from(chosen?).map(|[only]| only).map_err(|several| {
        let name = several.first().map_or(path, |chosen| &chosen.source);
        Failure::usage(format!("{name}: expected a single level, got {}", several.len()))
            .help("choose it: `--level N` or `--level TITLE`")
    })
}

/// The levels that are selected, file by file.
fn selected(selection: &Selection, found: SelectedLevels) -> Result<SelectedLevels, Failure> {
    let most = found.iter().flatten().map(|chosen| chosen.of).max().unwrap_or(0);
    if let (Some(number), true) = (selection.beyond(most), most > 0) {
        let message = match most {
            1 => format!("no level {number}: there is only one"),
            most => format!("no level {number}: there are only {most}"),
        };
        return Err(Failure::usage(message)
            .help(format!("numbers count from 1; a title is asked for by `--level '={number}'`")));
    }
    let mut kept: SelectedLevels = Vec::new();
    let mut levels = 0;
    let mut found = found.into_iter().peekable();
    while let Some(first) = found.next() {
        let Ok(first) = first else {
            kept.push(first);
            continue;
        };
        let source = first.source.clone();
        let mut file = vec![first];
        while let Some(Ok(next)) =
            found.next_if(|next| next.as_ref().is_ok_and(|n| n.source == source))
        {
            file.push(next);
        }
        let titles: Vec<_> = file.iter().map(|chosen| chosen.level.title.as_deref()).collect();
        let chosen = selection.choose(&titles).map_err(|several| {
            let named = |&at: &usize| format!("{} \"{}\"", file[at].number, file[at].short_name());
            let names: Vec<_> = several.iter().take(4).map(named).collect();
            let dots = if several.len() > names.len() { ", ..." } else { "" };
            Failure::usage(format!("`{selection}` is a part of {} titles", several.len()))
                .help(format!("say more: {}{dots}", names.join(", ")))
        })?;
        levels += chosen.len();
        let file = file.into_iter().enumerate().filter(|(at, _)| chosen.contains(at));
        kept.extend(file.map(|(_, level)| Ok(level)));
    }
    if levels == 0 && most > 0 {
        let message = format!("no level `{selection}` among the {most}");
        return Err(Failure::usage(message)
            .help("numbers count from 1; `unstuck list FILE` shows numbers and titles"));
    }
    Ok(kept)
}

/// Says which levels are the same as one before, up to what their identity leaves out.
pub(crate) fn note_duplicates(found: &SelectedLevels) {
    let (mut first, mut same) = (HashMap::new(), Vec::new());
    for chosen in found.iter().flatten() {
        let Some(id) = chosen.id() else { continue };
        match first.entry((chosen.family.name, id)) {
            Entry::Vacant(place) => drop(place.insert(chosen)),
            Entry::Occupied(known) => {
                same.push(format!("{} is {}", chosen.name(), known.get().name()));
            }
        }
    }
    if !same.is_empty() {
        let levels = sentences::count(same.len() as u32, "levels");
        let dots = if same.len() > 3 { ", ..." } else { "" };
        let named = same.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        output::say(format!("note: {levels} the same as one before: {named}{dots}"));
    }
}

/// The options of a level's family, as certificates and locks name them.
pub(crate) fn options(options: &Options) -> BTreeMap<String, String> {
    options.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
