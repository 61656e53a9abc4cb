//! What can happen on a level at all, what of that matters, and how far things still have to go.

pub(crate) mod cells;
pub(crate) mod counting;
pub(crate) mod facts;
pub(crate) mod numbering;
mod prepared;
pub(crate) mod relevance;
pub(crate) mod travel;
