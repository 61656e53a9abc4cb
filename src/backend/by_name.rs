//! Solvers by their names.

#[cfg(feature = "files")]
use super::external;
use super::{Backend, BackendError, varisat};

/// The solvers that are built in, by the names that [`from_name`] takes.
pub const BUILT_IN: &[&str] = &["varisat"];

/// Whether a name is that of a solver that is built in.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.contains(&name)
}

/// The backend of a name or command template, as given on the command line.
///
/// # Errors
/// When the template is empty or quoted wrongly, or its program is not there.
pub fn from_name(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    match name {
        "varisat" => Ok(Box::new(varisat::Varisat)),
        #[cfg(feature = "files")]
        template => {
            let external = external::ExternalSolver::new(template)?;
            external.find_program()?;
            Ok(Box::new(external))
        }
        #[cfg(not(feature = "files"))]
        _ => Err(BackendError(format!("{name} is not built in, and this build runs no programs"))),
    }
}
