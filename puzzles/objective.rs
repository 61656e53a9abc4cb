//! How long a solution is, what a shortest one is shortest in, and what people call these numbers.

use serde::Serialize;

/// How long a solution is. Families without moves leave it at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS))]
pub struct Tally {
    /// Player moves, pushes included (for the warehouse: instructions).
    pub moves: u32,
    /// Moves that push (for the snowman: ball actions).
    pub pushes: u32,
}

/// What a number counts, as people say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Measure {
    /// The word for one of them, such as `push`.
    pub one: &'static str,
    /// The word for several, such as `pushes`.
    pub many: &'static str,
}

impl Measure {
    /// One layer of an encoding, whatever happens in it.
    pub const STEPS: Self = Self { one: "step", many: "steps" };

    /// So many of them, in words.
    pub fn count(self, number: u32) -> String {
        format!("{number} {}", if number == 1 { self.one } else { self.many })
    }
}

/// What the two numbers of a [`Tally`] are called in a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Measures {
    /// What [`Tally::moves`] counts.
    pub moves: Measure,
    /// What [`Tally::pushes`] counts.
    pub pushes: Measure,
}

impl Measures {
    /// Moves and pushes, as most families have them.
    pub const PLAIN: Self = Self {
        moves: Measure { one: "move", many: "moves" },
        pushes: Measure { one: "push", many: "pushes" },
    };

    /// What an objective counts first. Under [`Objective::Any`] no length is asked for; a horizon
    /// is then a number of steps of the encoding.
    pub fn first(self, objective: Objective) -> Measure {
        match objective.first() {
            Objective::Any => Measure::STEPS,
            Objective::Moves => self.moves,
            _ => self.pushes,
        }
    }

    /// The tie-break of an objective.
    pub fn second(self, objective: Objective) -> Option<Measure> {
        match objective {
            Objective::PushesMoves => Some(self.moves),
            Objective::MovesPushes => Some(self.pushes),
            _ => None,
        }
    }

    /// Length of a plan as a person says it.
    pub fn length(self, tally: Tally) -> String {
        format!("{} and {}", self.moves.count(tally.moves), self.pushes.count(tally.pushes))
    }
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { moves: self.moves + other.moves, pushes: self.pushes + other.pushes }
    }
}

/// What a shortest solution is shortest in.
///
/// The names are those of the solver statistics of the Sokoban community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Objective {
    /// Any solution will do: no length is asked for or spoken of, and no bound is shown. What needs
    /// a length to go by (search, hints) goes by the family's first objective.
    Any,
    /// Fewest pushes.
    Pushes,
    /// Fewest pushes, and among those fewest moves.
    PushesMoves,
    /// Fewest moves.
    Moves,
    /// Fewest moves, and among those fewest pushes.
    MovesPushes,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Self; 5] =
        [Self::Any, Self::Pushes, Self::PushesMoves, Self::Moves, Self::MovesPushes];

    /// The name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Pushes => "pushes",
            Self::PushesMoves => "pushes,moves",
            Self::Moves => "moves",
            Self::MovesPushes => "moves,pushes",
        }
    }

    /// The objective of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|objective| objective.name() == name)
    }

    /// The number that the objective counts first; 0 for [`Objective::Any`].
    pub fn primary(self, tally: Tally) -> u32 {
        match self {
            Self::Any => 0,
            Self::Pushes | Self::PushesMoves => tally.pushes,
            Self::Moves | Self::MovesPushes => tally.moves,
        }
    }

    /// The tie-break; 0 where there is none.
    pub fn secondary(self, tally: Tally) -> u32 {
        match self {
            Self::PushesMoves => tally.moves,
            Self::MovesPushes => tally.pushes,
            _ => 0,
        }
    }

    /// The objective without its tie-break.
    #[must_use]
    pub fn first(self) -> Self {
        match self {
            Self::PushesMoves => Self::Pushes,
            Self::MovesPushes => Self::Moves,
            other => other,
        }
    }
}
