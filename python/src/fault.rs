//! Errors as exceptions of the package, which has their classes.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use std::fmt::Display;
use unstuck::puzzles::ParseError;

/// An exception of this class of `unstuck.errors`.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made = py
        .import("unstuck.errors")
        .and_then(|errors| errors.getattr(class))
        .and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What is wrong with a text, and where: `LevelError`.
pub(crate) fn unreadable(py: Python<'_>, error: &ParseError) -> PyErr {
    let place = |number: usize| Some(number).filter(|&number| number > 0);
    let (line, column) = (place(error.line), place(error.column));
    exception(py, "LevelError", (&error.message, line, column, &error.help))
}

/// A move that is not possible: `IllegalMove`.
pub(crate) fn illegal(py: Python<'_>, why: impl Display) -> PyErr {
    exception(py, "IllegalMove", (why.to_string(),))
}

/// A question that means nothing for this level: `QuestionError`.
pub(crate) fn unfit(py: Python<'_>, why: impl Display) -> PyErr {
    exception(py, "QuestionError", (why.to_string(),))
}
