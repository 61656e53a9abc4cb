//! Flow as clauses: which neighbours are joined, and which pair each node belongs to.
//!
//! One variable for each edge, and the number of its pair in binary for each node. The degree of
//! each node makes paths and loops; equal numbers along joined edges keep paths apart; where paths
//! may not touch themselves, neighbours that are not joined differ in a bit. Loops are left open
//! and cut when a model has one ([`Cuts`](crate::Cuts)). There is no time: everything is layer 0.
//!
//! What clauses on cycles of three and four edges gain, and how this compares with one variable
//! for each node and colour, is measured in the chapter on Flow of the book.

mod bounds;
mod constraints;
mod cycles;
mod decode;
mod encoding;
mod reduction;
mod rules;
#[cfg(test)]
mod tests;
mod vars;

pub use bounds::{Obstacle, obstacle};
pub use constraints::PATH_CONSTRAINT;
pub use encoding::FlowEdges;
pub use reduction::FLIP;
pub use rules::{DEGREE, NO_TOUCH, ONE_COLOUR, SHORT_CYCLE, TERMINUS};
pub use vars::{Site, Var};
