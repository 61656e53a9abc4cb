//! Many levels one after the other: what is known already, what is kept, what is reported.

mod question;
mod record;
pub(super) mod table;

pub(super) use question::{SOLUTIONS, Search, about, asked};
pub(super) use record::Record;
