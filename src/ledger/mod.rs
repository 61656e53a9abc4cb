//! What is asked, what is known of it, and who may find out more: the words that engines and
//! schedules share.
//!
//! * A [`Request`] says what is wanted and with what means; a [`Task`] is a request about a puzzle.
//! * The [`Ledger`] is the only place where bounds, plans, verdicts and cancellation meet. Everyone
//!   writes to it, monotonically; anyone may read it or wait for it. Progress is a view of it.
//! * An [`Engine`] works on a task until it has nothing left to say. It knows the ledger, and no
//!   other engine.

mod book;
mod engine;
mod error;
mod event;
mod outcome;
mod request;

pub use book::{Goal, Ledger};
pub use engine::{Budget, Engine, EngineEnd, Task, Work};
pub use error::SolveError;
pub use event::{Event, Progress};
pub use outcome::{HorizonStats, Justification, Outcome, Solutions, StageReport, Verdict};
pub use request::{EngineChoice, Request};
