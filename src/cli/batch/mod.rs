//! Many levels one after the other: what is known already, what is kept, what is told.

pub mod log;
mod question;
mod record;
pub mod table;

pub use log::{Log, Retry};
pub use question::{Question, limits};
pub use record::Record;
