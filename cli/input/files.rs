//! Texts of files, of standard input, and of all files below a folder.

use crate::terminal::columns;
use crate::terminal::failure::Failure;
use crate::terminal::{file_id, guard, output};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use unstuck::SOKOBAN;
use unstuck::machine::file_id::stdin_is_piped;
use unstuck::machine::regular;
use unstuck::registry::{self, Family, by_name};
use unstuck::report::sentences;
use unstuck_puzzles::catalogue::Recognition;

/// How standard input is shown.
pub(crate) const STDIN: &str = "<stdin>";

/// A text with the name under which it is shown.
pub(crate) struct Source {
    /// The file as the user wrote it; [`STDIN`] for standard input.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn source(path: &str) -> Result<Source, Failure> {
    let bytes = bytes(path)?;
    let name = if path == "-" { STDIN } else { path };
    Ok(Source { name: name.to_owned(), text: decoded(bytes) })
}

/// UTF-8, or UTF-16 with its mark in front, as Windows writes it. Old collections are often
/// Latin-1: a wrong letter in a title must not stop anyone. Lines end as they did on old Macs, too, but
/// not those of a game whose engine does not see them so.
pub(crate) fn decoded(bytes: Vec<u8>) -> String {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    let text = match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8(bytes)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()),
    };
    if !text.contains('\r') || text.contains('\n') {
        return text;
    }
    let lines = text.replace('\r', "\n");
    let is_game = |family: &&'static Family| matches!(family.sniff, Recognition::Headings(_));
    if registry::guess(None, &lines).iter().any(is_game) { text } else { lines }
}

/// A solver's answer: a file, or standard input for `-`. Bytes that are no text do no harm.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn answer(path: &str) -> Result<String, Failure> {
    Ok(decoded(bytes(path)?))
}

/// What a file holds that is written by us as well, so that it is no input.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn source_of_output(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    let bytes = regular::read(path, u64::MAX).map_err(|error| Failure::file(&name, &error))?;
    Ok(Source { name, text: decoded(bytes) })
}

/// The bytes of a file, or of standard input for `-`. No output replaces it from now on.
fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let bytes = read(path).map_err(|error| Failure::file(path, &error))?;
    if path != "-" {
        file_id::note_input(Path::new(path));
    }
    guard::reading(bytes.len());
    Ok(bytes)
}

/// More bytes than any collection or solver's answer has: some files have no end.
const MOST_BYTES: u64 = 1 << 28;

/// Reads a file, or standard input for `-`. What is no regular file may have to be waited for.
fn read(path: &str) -> std::io::Result<Vec<u8>> {
    let file = || File::open(path).and_then(all);
    match path {
        "-" => guard::waiting(read_stdin),
        path if Path::new(path).is_file() => file(),
        _ => guard::waiting(file),
    }
}

/// All bytes of a file, unless there are more than anyone needs.
fn all(file: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("larger than {} MiB", MOST_BYTES >> 20);
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Standard input, read once and kept: it may be asked for twice.
fn read_stdin() -> std::io::Result<Vec<u8>> {
    static KEPT: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    if let Some(kept) = KEPT.get() {
        return Ok(kept.clone());
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        output::say(format!("reading the level from standard input; end it with {end}"));
    }
    file_id::note_stdin();
    let bytes = all(stdin.lock())?;
    Ok(KEPT.get_or_init(|| bytes).clone())
}

/// Checks that all files and folders are there, before any work is done.
///
/// # Errors
/// The first that is not.
pub(super) fn exist<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
    let missing = |path: &'a str| match path {
        "-" => None,
        path => Some((path, std::fs::metadata(path).err()?)),
    };
    let Some((path, error)) = paths.into_iter().find_map(missing) else { return Ok(()) };
    if path.is_empty() {
        return Err(Failure::usage("the name of the file is empty"));
    }
    let failure = Failure::file(path, &error);
    if path.contains("://") {
        return Err(failure.help(
            "addresses are not fetched: save the level as a file; an address that holds its level \
             itself can be piped in: `echo ADDRESS | unstuck solve -`",
        ));
    }
    let is_number = path.bytes().all(|byte| byte.is_ascii_digit() || b"-,".contains(&byte));
    Err(match is_number {
        true => failure.help(format!("a level of a collection is chosen with `--level {path}`")),
        false => failure,
    })
}

/// Whether standard input is a pipe, a socket or a file, so that there may be something in it. What
/// is neither these nor a terminal, as in many background jobs, is not waited for.
pub(crate) fn is_piped() -> bool {
    // Some terminals of Windows are pipes.
    stdin_is_piped() && !std::io::stdin().is_terminal()
}

/// All files below a folder in the order of their names, hidden ones left out.
///
/// # Errors
/// When a folder cannot be read.
pub(super) fn below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |error: std::io::Error| Failure::file(&folder.display().to_string(), &error);
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).map_err(fail)?.collect();
    let mut paths: Vec<_> = entries.map_err(fail)?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    let hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut files = Vec::new();
    for path in paths.into_iter().filter(|path| !hidden(path)) {
        // Links to folders could lead round in circles.
        let link = path.symlink_metadata().is_ok_and(|it| it.file_type().is_symlink());
        if path.is_dir() && !link {
            files.extend(below(&path)?);
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

/// The family of a text: as asked for, by the name of its file, or by its content when only one
/// fits.
///
/// # Errors
/// What it looked like, and what each family said.
pub(crate) fn family_of(
    wanted: Option<&'static Family>,
    source: &Source,
) -> Result<&'static Family, Failure> {
    if let Some(family) = wanted {
        return Ok(family);
    }
    let extension = Path::new(&source.name).extension().and_then(|e| e.to_str());
    let fitting = registry::guess(extension.map(str::to_lowercase).as_deref(), &source.text);
    match fitting.as_slice() {
        [family] => Ok(family),
        [] => Err(unknown(source)),
        several => {
            let names: Vec<_> = several.iter().map(|family| family.name).collect();
            let message = format!("{}: this can be {}", source.name, names.join(" or "));
            Err(Failure::usage(message).help("choose one: `--puzzle NAME`"))
        }
    }
}

/// A text that no family takes for its own.
fn unknown(source: &Source) -> Failure {
    let mut message = format!(
        "{}: cannot tell which puzzle this is\n  it is {}",
        source.name,
        look(&source.text)
    );
    for family in registry::FAMILIES {
        let options = unstuck_puzzles::Options::new(family.options, []).expect("defaults fit");
        let fault = match (family.read)(&source.text, &options) {
            Err(error) => Some(error),
            Ok(levels) => levels.into_iter().find_map(|level| level.puzzle.err()),
        };
        let fault = fault.map_or_else(
            || "readable, but unlike its levels".to_owned(),
            |error| error.to_string(),
        );
        message.push_str(&format!("\n  not {}: {}", family.name, shortened(&fault)));
    }
    let other = "if it is one of these, name it: `--puzzle NAME`";
    Failure::usage(message).help(way_out(source).unwrap_or(other))
}

/// What to do with a text of a kind that is known, and not read.
fn way_out(source: &Source) -> Option<&'static str> {
    let (text, extension) = (source.text.trim_start(), Path::new(&source.name).extension());
    let is_markup = text.starts_with('<');
    let has = |letter| text.lines().any(|line| line.starts_with('#') && line.contains(letter));
    match () {
        () if is_markup && text.contains("sourceCode") && text.contains("WINCONDITIONS") => Some(
            "this is a PuzzleScript game as a page: save its text, which is in the page as \
             `sourceCode`, as FILE.puzzlescript",
        ),
        () if extension.is_some_and(|it| it.eq_ignore_ascii_case("ssx")) => Some(
            "this is a library of SokoSolve, which is not read: save the rows of its levels as text, \
             FILE.xsb",
        ),
        () if !is_markup && has('&') && has('B') => Some(
            "if B, X and & are a box, a box on a goal and the player, write $, * and @, and name it: \
             `--puzzle sokoban`",
        ),
        () => None,
    }
}

/// At most so much of a sentence that lines stay lines.
fn shortened(text: &str) -> String {
    columns::shortened(text.lines().next().unwrap_or_default(), 100)
}

/// The families of files by folder and ending, `None` where those that stand together differ.
#[derive(Default)]
pub(super) struct Siblings(HashMap<(PathBuf, OsString), Option<&'static Family>>);

impl Siblings {
    fn key(path: &Path) -> (PathBuf, OsString) {
        let folder = path.parent().unwrap_or(Path::new(""));
        (folder.to_owned(), path.extension().unwrap_or_default().to_owned())
    }

    /// Notes the family of a file.
    pub(super) fn note(&mut self, path: &Path, family: &'static Family) {
        let known = self.0.entry(Self::key(path)).or_insert(Some(family));
        *known = known.filter(|known| known.name == family.name);
    }

    /// The family of all files beside this one whose names end alike, if it is one.
    pub(super) fn of(&self, path: &Path) -> Option<&'static Family> {
        self.0.get(&Self::key(path)).copied().flatten()
    }
}

/// The family of a file in a folder, by its own look: any text would do where a family was named, and
/// what programs write is no level.
pub(super) fn family_below(
    wanted: Option<&'static Family>,
    source: &Source,
) -> Option<&'static Family> {
    let family = family_of(None, source).ok()?;
    let fits = wanted.is_none_or(|wanted| wanted.name == family.name);
    (fits && !is_json(&source.text)).then_some(family)
}

/// The family of a file in a folder that looks like no family's, if it is a level with a fault: the
/// files beside it say, or the drawing itself.
pub(super) fn family_of_faulty(
    wanted: Option<&'static Family>,
    siblings: Option<&'static Family>,
    text: &str,
) -> Option<&'static Family> {
    let fitting = siblings.filter(|it| wanted.is_none_or(|wanted| wanted.name == it.name));
    let board = || by_name(SOKOBAN).filter(|_| wanted.is_none() && has_board(text));
    fitting.filter(|_| is_drawn(text)).or_else(board)
}

/// Whether a text can be a drawing: it has more in it than words.
fn is_drawn(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    let all = text.chars().filter(|c| !"\r\n".contains(*c)).count();
    all > 0 && letters * 4 <= all * 3
}

/// Whether there is a board of Sokoban in a text, perhaps with a fault: rows from wall to wall, with
/// hardly anything in them that no board has.
fn has_board(text: &str) -> bool {
    let walled = |row: &&str| row.len() > 2 && row.starts_with('#') && row.ends_with('#');
    let rows: Vec<&str> = text.lines().map(str::trim).filter(walled).collect();
    let all = rows.iter().flat_map(|row| row.chars());
    let foreign = all.clone().filter(|c| !"#@+$*. -_".contains(*c)).count();
    rows.len() > 2 && foreign * 10 <= all.count()
}

/// Whether a text is an object or a list for programs.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What a text looks like, in a few words.
fn look(text: &str) -> String {
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    if trimmed.is_empty() {
        return if text.is_empty() { "empty" } else { "blank" }.to_owned();
    }
    if text.contains('\0') {
        return "not text: it contains bytes that are not valid in text".to_owned();
    }
    let lines = text.lines().count();
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let size = format!("{}, up to {width} wide", sentences::count(lines as u32, "lines"));
    let kind = match trimmed.chars().next() {
        Some('<') => "markup (XML or HTML)",
        Some(_) if is_json(trimmed) => "JSON",
        _ if is_drawn(text) => "mostly signs",
        _ => "mostly words",
    };
    format!("{size}, {kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_texts_are_described() {
        assert_eq!(look(""), "empty");
        assert_eq!(look(" \n"), "blank");
        assert_eq!(look("<a>\n</a>"), "2 lines, up to 4 wide, markup (XML or HTML)");
        assert_eq!(look("{\"a\": 1}"), "1 line, up to 8 wide, JSON");
        assert!(look("Dear reader, this is a letter.").ends_with("mostly words"));
        assert!(look("~~~ %%% ^^^").ends_with("mostly signs"));
        assert!(has_board("One\n#####\n#@$?#\n#####\n") && !has_board("#####\n#####\n"));
        assert!(!has_board("# A #\n## Chapter ##\n### Word for word ###\n"));
    }
}
