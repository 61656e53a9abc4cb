//! Certificates: a verdict with all that a stranger needs to check it.
//!
//! What a certificate is, and what judges it, is in the crate `unstuck-check`; what finds one and
//! writes it down is here.
//!
//! * [`mod@prove`]: finds a verdict, chooses the evidence, writes the folder, and checks it.
//! * [`files`]: where the files are put; in memory, where there are no folders.
//! * `folder`: writes folders whole or not at all (feature `files`).
//! * `external_check`: runs independent checkers (feature `files`).

mod derive;
mod evidence;
#[cfg(feature = "files")]
pub mod external_check;
pub mod files;
#[cfg(feature = "files")]
pub mod folder;
mod patterns;
mod proof_task;
pub mod prove;
mod refutation;

pub use unstuck_check::certificate::*;
