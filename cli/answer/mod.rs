//! What comes out of a level, as text.

pub(crate) mod evidence;
pub(crate) mod json;
pub(crate) mod outcome;
pub(crate) mod rule_use;
pub(crate) mod text_boards;
