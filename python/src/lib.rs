//! unstuck for Python. `python/unstuck` is the package; this is the module that it loads.
//!
//! What comes out of a question crosses as the JSON that the program prints: the package makes
//! dataclasses of it. Only what is asked thousands of times a second ([`game`], [`label`]) crosses as
//! values of Python.
//!
//! | module | what it is the home of |
//! | --- | --- |
//! | `fault` | errors as exceptions |
//! | `waiting` | long work without Python's lock, which Ctrl-C ends |
//! | `level` | levels, and what is asked about one |
//! | `game` | a level that is played, with the truth about each position |
//! | `label` | what is true of many levels and positions, by many threads |

mod fault;
mod game;
mod label;
mod level;
mod waiting;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program `unstuck`, whose name is the first argument, and returns its exit code. `own` is
/// the command that starts this program again.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>, own: Vec<OsString>) -> u8 {
    py.detach(|| unstuck_cli::run_as(arguments, own))
}

#[pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::label::Labels;
    #[pymodule_export]
    use super::level::{Level, families, read};
    #[pymodule_export]
    use super::run;

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
