//! Names of files that are written for one of several levels.

use crate::input::{STDIN, SelectedLevel};
use crate::terminal::failure::Failure;
use crate::terminal::output;
use std::path::{Path, PathBuf};

/// A name for the output of a level: `collection-003-its-title`.
pub(crate) fn of_level(chosen: &SelectedLevel) -> String {
    let stem = Path::new(&chosen.source).file_stem().map(|stem| stem.to_string_lossy());
    let stem = match stem {
        Some(stem) if chosen.source != STDIN => slug(&stem),
        _ => "level".to_owned(),
    };
    let mut name = stem;
    if chosen.of > 1 {
        let digits = chosen.of.to_string().len();
        name.push_str(&format!("-{:0digits$}", chosen.number));
        let title = chosen.level.title.as_deref().map(slug).unwrap_or_default();
        if !title.is_empty() {
            name.push_str(&format!("-{title}"));
        }
    }
    name
}

/// A text as a part of a file's name: letters, digits and dashes.
fn slug(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).take(60).collect();
    plain.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase()
}

/// Paths in a folder for each of these names, all of them different and none of them there yet (without
/// `force`). The folder is made.
///
/// # Errors
/// When the folder cannot be made, or a file is there.
pub(crate) fn in_folder(
    folder: &Path,
    names: &[String],
    force: bool,
) -> Result<Vec<PathBuf>, Failure> {
    let shown = folder.display().to_string();
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::usage(format!("{shown}: several outputs need a folder"))
            .help("name a folder: `-o FOLDER`"));
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    for name in names {
        let mut path = folder.join(name);
        let mut copy = 1;
        while paths.contains(&path) {
            copy += 1;
            let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
            let dot = if extension.is_empty() { "" } else { "." };
            path = folder.join(format!("{stem}-{copy}{dot}{extension}"));
        }
        output::not_input(&path)?;
        if path.symlink_metadata().is_ok() && !force {
            let message = format!("{}: already exists", path.display());
            return Err(Failure::usage(message).help("`--force` replaces it"));
        }
        paths.push(path);
    }
    output::folder(folder)?;
    Ok(paths)
}
