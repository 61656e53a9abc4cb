//! What meets the terminal: text that is harmless there, standard output and files, progress, the
//! limits of a command, and why there is no answer. Knows no level.

pub(crate) mod cells;
pub(crate) mod columns;
pub(crate) mod failure;
pub(crate) mod file_id;
pub(crate) mod guard;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod screen;
pub(crate) mod text;
pub(crate) mod values;
