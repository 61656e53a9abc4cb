//! Texts of files, of standard input, and of all files below a folder.

use crate::terminal::failure::Failure;
use crate::terminal::{file_id, guard, output};
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use unstuck::machine::file_id::stdin_is_piped;
use unstuck::machine::lock;
use unstuck::machine::regular;
use unstuck::registry::{self, Family};
use unstuck::report::sentences;
use unstuck_puzzles::built_in::{self, BUILT_IN, BuiltIn};
use unstuck_puzzles::catalogue::Recognition;
use unstuck_puzzles::{Options, ParseError};

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
    if let Some(BuiltIn { file, text, .. }) = built_in(path) {
        return Ok(Source { name: (*file).to_owned(), text: (*text).to_owned() });
    }
    let bytes = bytes(path)?;
    let name = if path == "-" { STDIN } else { path };
    Ok(Source { name: name.to_owned(), text: decoded(bytes) })
}

/// The levels that come with the program under a name that no file has.
pub(crate) fn built_in(path: &str) -> Option<&'static BuiltIn> {
    built_in::by_name(path).filter(|_| !Path::new(path).exists())
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

/// Reads a file, or standard input for `-`. What is no regular file may have to be waited for; it is
/// read once and kept: it may be asked for twice.
fn read(path: &str) -> std::io::Result<Vec<u8>> {
    static KEPT: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    if Path::new(path).is_file() {
        return File::open(path).and_then(all);
    }
    if let Some(kept) = lock(&KEPT).get(path) {
        return Ok(kept.clone());
    }
    let wait = || if path == "-" { read_stdin() } else { File::open(path).and_then(all) };
    let bytes = guard::waiting(wait)?;
    Ok(lock(&KEPT).entry(path.to_owned()).or_insert(bytes).clone())
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

/// All of standard input.
fn read_stdin() -> std::io::Result<Vec<u8>> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        output::say(format!("reading the level from standard input; end it with {end}"));
    }
    file_id::note_stdin();
    all(stdin.lock())
}

/// Checks that all files and folders are there, before any work is done.
///
/// # Errors
/// The first that is not.
pub(super) fn exist<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
    let missing = |path: &'a str| match path {
        path if path == "-" || built_in(path).is_some() => None,
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
    if is_number {
        return Err(
            failure.help(format!("a level of a collection is chosen with `--level {path}`"))
        );
    }
    let names = BUILT_IN.iter().map(|known| known.name);
    let near = names.min_by_key(|name| strsim::osa_distance(name, path));
    Err(match near.filter(|name| strsim::osa_distance(name, path) <= 2) {
        Some(name) => failure.help(format!("did you mean `{name}`, which comes with unstuck?")),
        None => failure,
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

/// A text that no family takes for its own: the one that it resembles says what is wrong with it.
fn unknown(source: &Source) -> Failure {
    let look = look(&source.text);
    let looks = format!("{}: cannot tell which puzzle this is: it is {look}", source.name);
    let families: Vec<_> = registry::families().iter().map(|family| family.name).collect();
    let (choice, way_out) = (families.join(", "), way_out(source));
    // A game whose engine sees one line has its headings all the same.
    let lines = source.text.replace('\r', "\n");
    let Some(family) = registry::resembled(&lines, false).filter(|_| way_out.is_none()) else {
        let other = || format!("`--puzzle NAME` says which: {choice}");
        return Failure::usage(looks).help(way_out.map_or_else(other, str::to_owned));
    };
    let named = format!("`--puzzle {}`", family.name);
    let fault = faulty(family, source);
    let failure = match fault {
        Some(error) => Failure::parse(&source.name, &error, &source.text),
        None if source.text.trim().lines().count() == 1 => {
            let message =
                format!("{}: looks like a {} level in one line", source.name, family.name);
            return Failure::usage(message).help(format!("{named} reads it"));
        }
        None => Failure::usage(format!("{}: nearly a level of {}", source.name, family.name)),
    };
    let before = before_walls(&source.text)
        .map(|before| format!("take away `{before}`, which stands before the rows, and the like"));
    let help = before.or_else(|| failure.help.clone());
    let help = help.map_or_else(String::new, |help| format!("{help}\n    "));
    let other = format!("{help}read as {}; `--puzzle NAME` reads it otherwise", family.name);
    failure.help(other)
}

/// What keeps a text from being levels of a family.
fn faulty(family: &Family, source: &Source) -> Option<ParseError> {
    let options = Options::new(family.options, []).expect("defaults fit");
    match (family.read)(&source.text, &options) {
        Err(error) => Some(error),
        Ok(levels) => levels.into_iter().find_map(|level| level.puzzle.err()),
    }
}

/// What stands before all the walls of a board: numbers of its rows, or the marks of a quotation.
fn before_walls(text: &str) -> Option<&str> {
    let mut rows = text.lines().filter(|row| row.contains("##") || row.ends_with('#'));
    let first = rows.next()?;
    let mark = &first[..first.find('#')?];
    let is_mark = |row: &str| {
        row.find('#').is_some_and(|at| row[..at].contains(|c: char| !c.is_whitespace()))
    };
    (is_mark(first) && rows.all(is_mark)).then_some(mark)
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
    let resembled = || registry::resembled(text, true).filter(|_| wanted.is_none());
    fitting.filter(|_| is_drawn(text)).or_else(resembled)
}

/// Whether a text can be a drawing: it has more in it than words.
fn is_drawn(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    let all = text.chars().filter(|c| !"\r\n".contains(*c)).count();
    all > 0 && letters * 4 <= all * 3
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
        _ if is_drawn(text) => return size,
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
        assert_eq!(look("~~~ %%% ^^^"), "1 line, up to 11 wide");
    }

    #[test]
    fn a_faulty_text_has_one_reason() {
        let said = |text: &str| {
            unknown(&Source { name: "a.txt".to_owned(), text: text.to_owned() }).to_string()
        };
        for (text, first, help) in [
            ("#####\n# $.#\n#####\n", "a.txt:1: this board has no player", "read as sokoban"),
            ("1 #####\n2 #@$.#\n3 #####\n", "a.txt: nearly a level of sokoban", "`1 `"),
            ("> #####\n> #@$.#\n> #####\n", "a.txt: no Sokoban board", "take away `> `"),
            ("5#|#@$.#|5#", "a.txt: looks like a sokoban level in one line", "--puzzle sokoban"),
            ("####\n#.O#\n####\n\n<>\n", "a.txt:1: no robot", "read as warehouse"),
            ("####\n#@O#\n####\n\n<f>\n", "a.txt:5:2: `f` is not", "read as warehouse"),
            ("Dear reader\n", "a.txt: cannot tell which puzzle this is", "sokoban, flow"),
        ] {
            let text = said(text);
            assert!(text.starts_with(&format!("error: {first}")), "{text}");
            assert!(text.contains(help) && text.lines().count() < 6, "{text}");
        }
    }
}
