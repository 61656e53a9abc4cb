//! Files, standard output, colours.

use super::{Failure, guard, progress};
use crate::machine::leftovers;
use clap::ArgMatches;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use unstuck_puzzles::Style;

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Standard output: `-`.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Target {
    /// What an argument names.
    pub(super) fn of(matches: &ArgMatches, argument: &str) -> Option<Self> {
        let path = matches.get_one::<PathBuf>(argument)?;
        let stdout = path.as_os_str() == "-";
        Some(if stdout { Self::Stdout } else { Self::File(path.clone()) })
    }

    /// Writes the output whole or not at all; see [`write_file`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(
        &self,
        force: bool,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Self::File(path) = self else {
            let mut out = BufWriter::new(io::stdout().lock());
            return match write(&mut out).and_then(|()| out.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(Failure::file("standard output", &error))
                }
                _ => Ok(()),
            };
        };
        write_file(path, force, write)
    }
}

/// Looks at all outputs of a command before any work is done: none may stand in the way of another,
/// be there already without `--force`, or lie in a folder that is not there. When one of them is
/// standard output, what is said goes to standard error.
///
/// # Errors
/// The first conflict.
pub(super) fn prepare(matches: &ArgMatches, arguments: &[&str]) -> Result<(), Failure> {
    let force = matches.try_get_one::<bool>("force").ok().flatten() == Some(&true);
    let json = matches.try_get_one::<bool>("json").ok().flatten() == Some(&true);
    let mut files = BTreeSet::new();
    let mut on_stdout: Option<&str> = json.then_some("--json");
    for argument in arguments {
        match Target::of(matches, argument) {
            None => {}
            Some(Target::Stdout) => {
                let option = matches_name(argument);
                if let Some(other) = on_stdout {
                    let message = format!("{other} and {option} both want standard output");
                    return Err(Failure::usage(message).help("name a file for one of them"));
                }
                on_stdout = Some(option);
                speak_aside();
            }
            Some(Target::File(path)) => {
                if !files.insert(path.clone()) {
                    let message = format!("{}: two outputs for one file", path.display());
                    return Err(Failure::usage(message).help("name two files"));
                }
                writable(&path, force)?;
            }
        }
    }
    Ok(())
}

/// How an output's argument is written.
fn matches_name(argument: &str) -> &'static str {
    match argument {
        "output" => "--output",
        "svg" => "--svg",
        "png" => "--png",
        "film" => "--film",
        "scatter" => "--scatter",
        "plot" => "--plot",
        _ => "--record",
    }
}

/// Whether a file can be written, as far as that can be known beforehand.
///
/// # Errors
/// Why not.
pub(super) fn writable(path: &Path, force: bool) -> Result<(), Failure> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::usage(format!("{shown}: is a folder")).help("name a file in it"));
    }
    if is_device(path) {
        return Ok(());
    }
    if path.symlink_metadata().is_ok() && !force {
        let message = format!("{shown}: exists already");
        return Err(Failure::usage(message).help("`--force` replaces it"));
    }
    let folder = parent(path);
    if !folder.is_dir() {
        let message = format!("{shown}: there is no folder {}", folder.display());
        return Err(Failure::usage(message).help("make the folder first"));
    }
    Ok(())
}

/// Whether a path is there but is no file, like `/dev/null` or a pipe: it is written to, never
/// replaced.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|it| !it.is_file() && !it.is_dir())
}

/// The folder of a file.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a folder, and those above it, unless it is there.
///
/// # Errors
/// When it cannot be made.
pub(super) fn folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::file(&path.display().to_string(), &error))
}

/// Writes a file whole or not at all: into a temporary file beside it, renamed when complete.
/// An existing file is replaced only with `force`.
///
/// # Errors
/// When the file exists, or cannot be written.
pub(super) fn write_file(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    writable(path, force)?;
    let fail = |error: io::Error| Failure::file(&path.display().to_string(), &error);
    if is_device(path) {
        let mut out = BufWriter::new(std::fs::File::create(path).map_err(fail)?);
        return write(&mut out).and_then(|()| out.flush()).map_err(fail);
    }
    leftovers::sweep(parent(path));
    let named = tempfile::Builder::new().prefix(leftovers::PREFIX).tempfile_in(parent(path));
    let mut file = named.map_err(fail)?;
    let _held = leftovers::hold(file.path()).map_err(fail)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(fail)?;
    drop(buffered);
    share(file.path()).map_err(fail)?;
    let kept = if force { file.persist(path) } else { file.persist_noclobber(path) };
    kept.map(drop).map_err(|error| fail(error.error))
}

/// Temporary files are private; outputs are not secrets.
#[cfg(unix)]
fn share(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn share(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Most characters of a line of an error, and most lines of it.
const LONGEST: usize = 500;
const MOST_LINES: usize = 100;

/// A text from elsewhere as it can be shown on a terminal: control characters are escaped, and what
/// is too long is cut.
pub(super) fn harmless(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().take(MOST_LINES) {
        let mut shown = String::new();
        for (index, c) in line.chars().enumerate() {
            match c {
                _ if index == LONGEST => {
                    shown.push('…');
                    break;
                }
                '\t' => shown.push(c),
                // Direction marks turn a line around without being control characters.
                '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                    shown.extend(c.escape_unicode());
                }
                _ if c.is_control() => shown.extend(c.escape_default()),
                _ => shown.push(c),
            }
        }
        lines.push(shown);
    }
    if text.lines().nth(MOST_LINES).is_some() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

/// Whether colour is wanted: what `--color` says.
static COLOR: OnceLock<bool> = OnceLock::new();

/// Takes note of `--color`: `always`, `never`, or `auto`.
pub(super) fn set_color(wanted: &str) {
    let _ = match wanted {
        "always" => COLOR.set(true),
        "never" => COLOR.set(false),
        _ => Ok(()),
    };
}

/// Whether standard output takes colour: as `--color` says, else on a terminal where NO_COLOR is
/// not set.
pub(super) fn color() -> bool {
    let wanted = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    COLOR.get().copied().unwrap_or_else(|| wanted() && io::stdout().is_terminal())
}

/// How boards are drawn on standard output: Unicode on a terminal, plain letters elsewhere and
/// with `plain`.
pub(super) fn style(plain: bool) -> Style {
    let unicode = io::stdout().is_terminal() || COLOR.get() == Some(&true);
    if !plain && unicode { Style::Unicode { color: color() } } else { Style::Plain }
}

/// Whether standard output holds a file, so that what is said goes to standard error.
static ASIDE: AtomicBool = AtomicBool::new(false);

/// From now on what is said goes to standard error: standard output holds a file.
pub(super) fn speak_aside() {
    ASIDE.store(true, Ordering::Relaxed);
}

/// Prints an answer to standard output (to standard error where a file is there); a reader that
/// went away (a closed pipe) ends the process quietly.
pub(super) fn print(text: &str) {
    guard::printing(|| progress::aside(|| print_now(text)));
}

fn print_now(text: &str) {
    if ASIDE.load(Ordering::Relaxed) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
        return;
    }
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_do_nothing_to_a_terminal() {
        assert_eq!(harmless("a\tb\n  = help: c"), "a\tb\n  = help: c");
        assert_eq!(harmless("\x1b[2J\u{7}\u{202e}x"), "\\u{1b}[2J\\u{7}\\u{202e}x");
        assert_eq!(harmless(&"x".repeat(9999)).chars().count(), LONGEST + 1);
        assert_eq!(harmless(&"x\n".repeat(9999)).lines().count(), MOST_LINES + 1);
    }
}
