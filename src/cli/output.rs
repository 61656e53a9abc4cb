//! Files and colours.

use super::Failure;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use unstuck_puzzles::Style;

/// Writes a file whole or not at all: into a temporary file beside it, renamed when complete.
/// An existing file is replaced only with `force`.
///
/// # Errors
/// When the file exists, or cannot be written.
pub fn write_file(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let shown = path.display();
    if path.exists() && !force {
        return Err(Failure::usage(format!(
            "{shown}: exists already\n  = help: `--force` replaces it"
        )));
    }
    let fail = |error: std::io::Error| Failure::usage(format!("{shown}: {error}"));
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut file =
        tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(fail)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(fail)?;
    drop(buffered);
    share(file.path()).map_err(fail)?;
    let kept = if force { file.persist(path) } else { file.persist_noclobber(path) };
    kept.map(drop).map_err(|error| fail(error.error))
}

/// Temporary files are private; outputs are not secrets.
#[cfg(unix)]
fn share(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn share(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Whether standard output takes colour: a terminal, and NO_COLOR is not set.
pub fn color() -> bool {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    wanted && std::io::stdout().is_terminal()
}

/// How boards are drawn on standard output: Unicode on a terminal, plain letters elsewhere and
/// with `plain`.
pub fn style(plain: bool) -> Style {
    if !plain && std::io::stdout().is_terminal() {
        Style::Unicode { color: color() }
    } else {
        Style::Plain
    }
}

/// Prints to standard output; a reader that went away (a closed pipe) ends the process quietly.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
