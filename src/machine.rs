//! What the library asks of the machine that it runs on: the time, threads, memory, files and other
//! programs. No other module asks for them.

#[cfg(feature = "files")]
pub mod file_id;
#[cfg(feature = "files")]
pub mod groups;
#[cfg(feature = "files")]
pub mod locks;
#[cfg(feature = "files")]
pub mod stale_files;

pub use unstuck_check::machine::*;
