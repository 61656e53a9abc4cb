//! The program `unstuck` as its users run it. Everything that needs the binary or the command
//! line's own code is here, and nothing else.

mod asking;
#[cfg(unix)]
mod checkers;
mod cli;
mod command_line;
mod docs;
#[path = "../../../tests/common/extent.rs"]
mod extent;
mod levels;
mod limits;
#[cfg(unix)]
mod parts;
#[cfg(unix)]
mod playing;
#[cfg(unix)]
mod prove;
mod store_folder;
mod stores;
mod test_folder;
mod wait;

use std::path::Path;

/// The folder of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the project")
}

/// Whether a program is there.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
