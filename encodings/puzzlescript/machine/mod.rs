//! Turns as search plays them: a game compiled for one level, boards in masks, packed states.

pub(crate) mod board;
pub(crate) mod packing;
pub(crate) mod play;
pub(crate) mod program;
