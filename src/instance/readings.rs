//! The readings of a level, one after the other.

use super::{ContinueError, Instance};

/// What comes of the first reading that is not lost, else of the last. What is asked says of each
/// whether it is: it has no solution, or moves are not legal under it.
///
/// # Errors
/// The first error of what is asked.
///
/// # Panics
/// Where there is no reading: every puzzle has one.
pub fn first_open<'a, T, E>(
    readings: &'a [Box<dyn Instance>],
    mut ask: impl FnMut(&'a dyn Instance) -> Result<(T, bool), E>,
) -> Result<T, E> {
    let (last, others) = readings.split_last().expect("every puzzle has a reading");
    for instance in others {
        if let (found, false) = ask(instance.as_ref())? {
            return Ok(found);
        }
    }
    Ok(ask(last.as_ref())?.0)
}

/// The readings as they stand after some moves: those under which the moves are legal.
///
/// # Errors
/// When they are legal under none.
pub fn continued(
    readings: Vec<Box<dyn Instance>>,
    moves: &str,
) -> Result<Vec<Box<dyn Instance>>, ContinueError> {
    let (mut later, mut fault) = (Vec::new(), None);
    for instance in readings {
        match instance.continued(moves) {
            Ok(instance) => later.push(instance),
            Err(error) => fault = Some(error),
        }
    }
    match fault {
        Some(error) if later.is_empty() => Err(error),
        _ => Ok(later),
    }
}
