//! A level: board, start, and how ambiguous bonds are treated.

use super::state::{State, StaticBoard};

/// What happens when it depends on the order of bonding which bonds form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonding {
    /// Tried strict first, then ordered; a given solution is judged as ordered.
    Auto,
    /// Such a move is not allowed, so a plan holds under any order.
    Strict,
    /// The order that fits the recorded solutions.
    Ordered,
}

/// A level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sokobond {
    /// Walls and modifiers.
    pub board: StaticBoard,
    /// Where the game begins.
    pub start: State,
    /// Whether the file says that several molecules are to be made. It changes no rule: solved is
    /// when no atom has a free electron.
    pub multiple: bool,
    /// How ambiguous bonds are treated.
    pub bonding: Bonding,
}

impl Sokobond {
    /// The same level with another treatment of ambiguous bonds.
    #[must_use]
    pub fn with_bonding(&self, bonding: Bonding) -> Self {
        Self { bonding, ..self.clone() }
    }
}
