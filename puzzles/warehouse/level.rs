//! A level: building, start, instructions, and what is asked.

use super::board::{Instructions, Layout, State};
use super::goal::Goal;

/// A warehouse: the building, the start, instructions, and what is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warehouse {
    pub(super) layout: Layout,
    pub(super) start: State,
    pub(super) instructions: Instructions,
    pub(super) goal: Goal,
}

impl Warehouse {
    /// The building.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is asked.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The instructions of the file; none when it has none.
    pub fn instructions(&self) -> &Instructions {
        &self.instructions
    }
}
