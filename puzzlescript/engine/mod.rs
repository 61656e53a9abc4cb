//! Playing: a board in the middle of a turn, a tick, a turn, a session. This is the judge.

pub(crate) mod board;
pub(crate) mod session;
pub(crate) mod tick;
pub(crate) mod turn;
