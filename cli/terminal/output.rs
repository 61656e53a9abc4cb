//! Files, standard output, colours: the one door through which everything goes that is printed or
//! written. Nothing else in the program writes to a terminal (`tests/house/architecture.rs` lists what
//! may), so nothing can forget to be harmless ([`Text`]) or to report that a disk is full.

use crate::terminal::failure::{Failure, USAGE};
use crate::terminal::text::{self, Harmless, Text};
use crate::terminal::{file_id, screen};
use clap::Args;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use unstuck::machine::file_id::FileId;
pub(crate) use unstuck::machine::file_id::is_device;
use unstuck::machine::{groups, stale_files};
use unstuck_puzzles::Style;

/// Heading of help under which stands how long work may take, and what comes out.
pub(crate) const HEADING: &str = "Limits and output";

/// What is printed.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct OutputArgs {
    /// Print one JSON object for each level
    #[arg(help_heading = HEADING, long)]
    pub json: bool,
    /// Print only the answer, without progress
    #[arg(help_heading = HEADING, long, short)]
    pub quiet: bool,
}

impl OutputArgs {
    /// Whether anything is said beside the answers.
    pub(crate) fn talks(self) -> bool {
        !self.json && !self.quiet
    }
}

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Standard output: `-`.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl From<OsString> for Target {
    fn from(path: OsString) -> Self {
        if path == "-" { Self::Stdout } else { Self::File(path.into()) }
    }
}

impl Target {
    /// The path of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Stdout => None,
        }
    }

    /// Writes a text whole or not at all; see [`write_file`]. On standard output it is harmless, in
    /// a file it is as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(
        &self,
        force: bool,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::File(path) => write_file(path, force, write),
            Self::Stdout => to_stdout(|out| {
                let mut harmless = Harmless::new(BufWriter::new(out));
                write(&mut harmless).and_then(|()| harmless.end())
            }),
        }
    }

    /// Writes what is no text: a picture, say.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write_bytes(&self, force: bool, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::File(path) => write_file(path, force, |out| out.write_all(bytes)),
            Self::Stdout => to_stdout(|mut out| out.write_all(bytes).and_then(|()| out.flush())),
        }
    }
}

/// Writes to standard output; a reader that went away is no fault.
fn to_stdout(write: impl FnOnce(io::StdoutLock<'_>) -> io::Result<()>) -> Result<(), Failure> {
    match write(io::stdout().lock()) {
        Err(error) if !is_unread(&error) => Err(Failure::file("standard output", &error)),
        _ => Ok(()),
    }
}

/// Whether what was written has no reader any more.
fn is_unread(error: &io::Error) -> bool {
    // What Windows says of pipes with a name, and wine of all.
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED)
}

/// An output of a command: the option that names it, and what it names, if it was given.
pub(crate) type NamedOutput<'a> = (&'static str, Option<&'a Target>);

/// Looks at all outputs of a command before any work is done: none may stand in the way of another,
/// be there already without `force`, or lie in a folder that is not there. When one of them is
/// standard output, what is said goes to standard error.
///
/// # Errors
/// The first conflict.
pub(crate) fn prepare(json: bool, force: bool, outputs: &[NamedOutput<'_>]) -> Result<(), Failure> {
    let (mut files, mut known) = (BTreeSet::new(), BTreeSet::new());
    let mut on_stdout: Option<&str> = json.then_some("json");
    for &(option, target) in outputs {
        match target {
            None => {}
            Some(Target::Stdout) => {
                if let Some(other) = on_stdout {
                    let message = format!("--{other} and --{option} both want standard output");
                    return Err(Failure::usage(message).help("name a file for one of them"));
                }
                on_stdout = Some(option);
                speak_aside();
            }
            Some(Target::File(path)) => {
                let again = FileId::at(path).is_some_and(|id| !known.insert(id));
                if !files.insert(path) || again {
                    let message = format!("{}: two outputs for one file", path.display());
                    return Err(Failure::usage(message).help("name two files"));
                }
                // A run that was killed before its first solution leaves an empty record.
                let empty = || path.metadata().is_ok_and(|it| it.is_file() && it.len() == 0);
                writable(path, force || (option == "record" && empty()))?;
            }
        }
    }
    Ok(())
}

/// Whether a file can be written, as far as that can be known beforehand.
///
/// # Errors
/// Why not.
pub(crate) fn writable(path: &Path, force: bool) -> Result<(), Failure> {
    if path.is_dir() {
        let message = format!("{}: is a folder", path.display());
        return Err(Failure::usage(message).help("name a file in it"));
    }
    if is_device(path) {
        return Ok(());
    }
    not_input(path)?;
    free(path, force, "`--force` replaces it")
}

/// Whether nothing is in the way of a file or a folder, or `force` replaces it, and the folder in
/// which it will lie is there.
///
/// # Errors
/// When that is not so, with the help for what is in the way.
pub(crate) fn free(path: &Path, force: bool, help: &str) -> Result<(), Failure> {
    let shown = path.display();
    if path.symlink_metadata().is_ok() && !force {
        return Err(Failure::usage(format!("{shown}: already exists")).help(help));
    }
    let folder = parent(path);
    if !folder.is_dir() {
        let message = format!("{shown}: there is no folder {}", folder.display());
        return Err(Failure::usage(message).help("make the folder first"));
    }
    Ok(())
}

/// Refuses to write to a file that was read, with `--force` too.
///
/// # Errors
/// When it was read.
pub(crate) fn not_input(path: &Path) -> Result<(), Failure> {
    if !file_id::is_input(path) {
        return Ok(());
    }
    let message = format!("{}: this file is an input: it is not replaced", path.display());
    Err(Failure::usage(message).help("name another file"))
}

/// The folder of a file.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a folder, and those above it, unless it is there.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::file(&path.display().to_string(), &error))
}

/// Writes a file whole or not at all: into a temporary file beside it, renamed when complete.
/// An existing file is replaced only with `force`, and an input never.
///
/// # Errors
/// When the file exists, or cannot be written.
pub(crate) fn write_file(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    writable(path, force)?;
    if is_device(path) {
        let fail = |error: io::Error| Failure::file(&path.display().to_string(), &error);
        let mut out = BufWriter::new(File::options().write(true).open(path).map_err(fail)?);
        return write(&mut out).and_then(|()| out.flush()).map_err(fail);
    }
    put(path, force, |_| Ok(()), write).map(drop)
}

/// Puts a complete file in the place of a path; `begin` sees it before anybody else can.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn put(
    path: &Path,
    force: bool,
    begin: impl FnOnce(&File) -> io::Result<()>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<File, Failure> {
    let fail = |error: io::Error| Failure::file(&path.display().to_string(), &error);
    stale_files::sweep(parent(path));
    let named = tempfile::Builder::new().prefix(stale_files::PREFIX).tempfile_in(parent(path));
    let mut file = named.map_err(fail)?;
    let _held = stale_files::hold_open(file.path(), file.as_file());
    begin(file.as_file()).map_err(fail)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(fail)?;
    drop(buffered);
    share(file.path()).map_err(fail)?;
    let kept = if force { file.persist(path) } else { file.persist_noclobber(path) };
    kept.map_err(|error| fail(error.error))
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

/// When colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// Takes note of `--color`.
pub(crate) fn set_color(wanted: ColorChoice) {
    if wanted != ColorChoice::Auto {
        console::set_colors_enabled(wanted == ColorChoice::Always);
        console::set_colors_enabled_stderr(wanted == ColorChoice::Always);
    }
}

/// Whether standard output takes colour: as `--color` says, else on a terminal that knows colours
/// where NO_COLOR is not set.
pub(crate) fn color() -> bool {
    console::colors_enabled()
}

/// How boards are drawn on standard output: Unicode on a terminal or in colours, plain letters
/// elsewhere and with `plain`.
pub(crate) fn style(plain: bool) -> Style {
    let unicode = is_on_terminal() || color();
    if !plain && unicode { Style::Unicode { color: color() } } else { Style::Plain }
}

/// Whether standard output holds a file, so that what is said goes to standard error.
static ASIDE: AtomicBool = AtomicBool::new(false);

/// Whether answers go to a terminal.
pub(crate) fn is_on_terminal() -> bool {
    io::stdout().is_terminal()
}

/// From now on what is said goes to standard error: standard output holds a file.
pub(crate) fn speak_aside() {
    ASIDE.store(true, Ordering::Relaxed);
}

/// Prints an answer to standard output (to standard error where a file is there). An answer that is
/// lost ends the process: quietly where the reader went away (a closed pipe), with an error else.
pub(crate) fn print(text: impl Into<Text>) {
    let text = text.into();
    let text = if color() { text.coloured() } else { text };
    let aside = ASIDE.load(Ordering::Relaxed);
    let write = || {
        if aside {
            return io::stderr().lock().write_all(text.as_str().as_bytes());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_str().as_bytes()).and_then(|()| out.flush())
    };
    if let Err(error) = screen::printing(write) {
        let mut code = 0;
        if !is_unread(&error) {
            let place = if aside { "standard error" } else { "standard output" };
            say(Failure::file(place, &error).to_string());
            code = USAGE;
        }
        groups::end_all();
        stale_files::remove_unfinished();
        std::process::exit(code.into());
    }
}

/// Says something beside the answers: a line, or some, on standard error.
pub(crate) fn say(text: impl Into<Text>) {
    let mut line = text.into();
    line.push_str("\n");
    if console::colors_enabled_stderr() {
        line = line.coloured();
    }
    // Where standard error is closed there is nowhere left to say so.
    let _ = screen::aside(|| io::stderr().lock().write_all(line.as_str().as_bytes()));
}

/// Says why something failed.
pub(crate) fn complain(failure: &Failure) {
    say(text::cut(&failure.to_string()));
}
