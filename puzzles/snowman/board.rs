//! The level: ground, snow, stacks of balls, the player, and what makes them a legal level.

use crate::grid::{Cell, Direction, Grid};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Size of a ball. Rolling over snow makes a ball one size larger; a large ball stays large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// The head.
    Small,
    /// The body.
    Medium,
    /// The base.
    Large,
}

impl Size {
    /// All sizes, the smallest first.
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// The size after rolling over snow.
    #[must_use]
    pub fn grown(self) -> Self {
        match self {
            Self::Small => Self::Medium,
            _ => Self::Large,
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Balls on one cell, piled strictly largest at the bottom: so a set of sizes says it all.
///
/// Its number is the sum of 1 for a small, 2 for a medium and 4 for a large ball: 1 to 7, the
/// digit of the level formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stack(u8);

impl Stack {
    /// A finished snowman.
    pub const SNOWMAN: Self = Self(7);

    /// A single ball.
    pub fn single(size: Size) -> Self {
        Self(size.bit())
    }

    /// The stack of a number from 1 to 7.
    pub fn from_number(number: u8) -> Option<Self> {
        (1..=7).contains(&number).then_some(Self(number))
    }

    /// Its number, from 1 to 7.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The balls, the topmost (smallest) first.
    pub fn balls(self) -> impl Iterator<Item = Size> {
        Size::ALL.into_iter().filter(move |size| self.0 & size.bit() != 0)
    }

    /// The ball on top: the smallest.
    pub fn top(self) -> Size {
        self.balls().next().expect("a stack holds a ball")
    }

    /// What is left without the top ball; `None` when it was the only one.
    pub fn without_top(self) -> Option<Self> {
        Self::from_number(self.0 & !self.top().bit())
    }

    /// The stack with a ball put on top; `None` when the ball is not smaller than the top.
    pub fn with(self, ball: Size) -> Option<Self> {
        (ball < self.top()).then_some(Self(self.0 | ball.bit()))
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stack({})", self.0)
    }
}

/// What a cell is, whatever lies or stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Nothing gets in. Everything outside the board is wall too.
    Wall,
    /// Plain ground.
    Floor,
    /// A place where a snowman should stand. When a level has any, all snowmen must.
    Target,
    /// Stepping in puts the player at another teleporter. Balls cannot enter.
    Teleporter,
}

/// The characters of a level file, as its author meant them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legend {
    /// `+` is a target on bare ground and `=` a target on snow.
    Published,
    /// `=` is a target on bare ground and `+` a target on snow.
    Author,
    /// The level files of the planning papers.
    Research,
}

impl Legend {
    /// The name in header lines and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Author => "author",
            Self::Research => "research",
        }
    }

    /// The legend of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Published, Self::Author, Self::Research].into_iter().find(|it| it.name() == name)
    }
}

/// A legal level.
///
/// Legal means: there is a ball, the player stands on open ground, nothing stands in a wall or a
/// teleporter, and a teleporter is never alone. A level may well be hopeless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snowman {
    ground: Grid<Ground>,
    snow: BTreeSet<Cell>,
    stacks: BTreeMap<Cell, Stack>,
    player: Cell,
    teleporters: Vec<Cell>,
    /// Whether the top of a finished snowman can be pushed off, as the planning papers have it.
    dismantle: bool,
    /// The legend under which the level was read.
    legend: Legend,
}

/// What lies and stands on the ground at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Cells with snow.
    pub snow: BTreeSet<Cell>,
    /// Cells with balls.
    pub stacks: BTreeMap<Cell, Stack>,
    /// Where the player stands.
    pub player: Cell,
}

/// A position of the game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The stacks by their cells; balls have no identity.
    pub stacks: BTreeMap<Cell, Stack>,
    /// Cells with snow. No stack is on one of them.
    pub snow: BTreeSet<Cell>,
    /// Where the player is.
    pub player: Cell,
}

/// Why a board is not a legal level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    /// The cell to look at, where there is one.
    pub cell: Option<Cell>,
    /// What is wrong, as one sentence without a full stop.
    pub message: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

impl Snowman {
    /// A level from its parts.
    ///
    /// # Errors
    /// The first thing that makes the level illegal.
    pub fn new(ground: Grid<Ground>, pieces: Pieces, dismantle: bool) -> Result<Self, LevelError> {
        check_places(&ground, &pieces)?;
        let teleporters: Vec<Cell> =
            ground.cells().filter(|&cell| ground[cell] == Ground::Teleporter).collect();
        if let [alone] = teleporters[..] {
            return Err(LevelError {
                cell: Some(alone),
                message: "a teleporter without another one leads nowhere",
                help: "add a second teleporter, or make this one a wall",
            });
        }
        let Pieces { snow, stacks, player } = pieces;
        let legend = Legend::Published;
        Ok(Self { ground, snow, stacks, player, teleporters, dismantle, legend })
    }

    /// The same level, noted as read under a legend.
    #[must_use]
    pub(super) fn read_by(self, legend: Legend) -> Self {
        Self { legend, ..self }
    }

    /// The same level with other things on the same ground, as moves could have left them.
    pub(super) fn with_pieces(&self, State { stacks, snow, player }: State) -> Self {
        Self { stacks, snow, player, ..self.clone() }
    }

    /// The board without anything on it.
    pub fn ground(&self) -> &Grid<Ground> {
        &self.ground
    }

    /// The cells with snow at the start.
    pub fn snow(&self) -> &BTreeSet<Cell> {
        &self.snow
    }

    /// The stacks at the start.
    pub fn stacks(&self) -> &BTreeMap<Cell, Stack> {
        &self.stacks
    }

    /// Where the player stands at the start.
    pub fn player(&self) -> Cell {
        self.player
    }

    /// All teleporters in reading order; move strings number them from 1.
    pub fn teleporters(&self) -> &[Cell] {
        &self.teleporters
    }

    /// All targets in reading order.
    pub fn targets(&self) -> impl Iterator<Item = Cell> + '_ {
        self.ground.cells().filter(|&cell| self.ground[cell] == Ground::Target)
    }

    /// Whether finished snowmen can be taken apart.
    pub fn dismantle(&self) -> bool {
        self.dismantle
    }

    /// The legend under which the level was read; [`Legend::Published`] when it was not read.
    pub fn legend(&self) -> Legend {
        self.legend
    }

    /// Whether the player can be on a cell as far as the ground is concerned.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.ground[cell] != Ground::Wall
    }

    /// Whether a ball can be on a cell as far as the ground is concerned.
    pub fn takes_balls(&self, cell: Cell) -> bool {
        matches!(self.ground[cell], Ground::Floor | Ground::Target)
    }

    /// The next cell in a direction, unless that is a wall.
    pub fn open_next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.ground.next(cell, direction).filter(|&next| self.is_open(next))
    }

    /// How many balls of each size the level starts with: small, medium, large.
    pub fn balls(&self) -> [usize; 3] {
        Size::ALL.map(|size| {
            self.stacks.values().flat_map(|stack| stack.balls()).filter(|&it| it == size).count()
        })
    }

    /// How many sizes the balls must still grow, all together: a snowman has sizes 0, 1 and 2.
    /// Negative when the balls are too large already.
    pub fn growth(&self) -> isize {
        let [small, medium, large] = self.balls().map(|count| count as isize);
        small + medium + large - (medium + 2 * large)
    }

    /// Why the level cannot be solved whatever the player does, as far as counting shows; one
    /// sentence without a full stop.
    pub fn unsolvable_reason(&self) -> Option<String> {
        let [small, medium, large] = self.balls();
        let balls = small + medium + large;
        let snowmen = balls / 3;
        if !balls.is_multiple_of(3) {
            return Some(format!("{balls} balls cannot all be in snowmen of three"));
        }
        let targets = self.targets().count();
        if (1..snowmen).contains(&targets) {
            let noun = if targets == 1 { "target" } else { "targets" };
            return Some(format!("{snowmen} snowmen, but only {targets} {noun} for them"));
        }
        if large > snowmen {
            return Some(format!(
                "{large} large balls for {snowmen} snowmen, and none ever shrinks"
            ));
        }
        if small < snowmen {
            return Some(format!(
                "{small} small balls for {snowmen} snowmen, and none ever shrinks"
            ));
        }
        let (growth, snow) = (self.growth(), self.snow.len());
        (snow as isize).lt(&growth).then(|| {
            format!("the balls must grow {growth} sizes, but there are only {snow} cells of snow")
        })
    }
}

fn check_places(ground: &Grid<Ground>, pieces: &Pieces) -> Result<(), LevelError> {
    let standing = pieces.stacks.keys().chain(&pieces.snow);
    if standing.chain([&pieces.player]).any(|cell| cell.index() >= ground.len()) {
        let message = "something stands beside the board";
        return Err(LevelError { cell: None, message, help: "use cells of this board" });
    }
    let takes = |cell: Cell| matches!(ground[cell], Ground::Floor | Ground::Target);
    let at = |cell, message, help| Err(LevelError { cell: Some(cell), message, help });
    if let Some(&cell) = pieces.stacks.keys().chain(&pieces.snow).find(|&&cell| !takes(cell)) {
        return at(cell, "balls and snow need open ground", "put it on the floor");
    }
    if let Some(&cell) = pieces.stacks.keys().find(|cell| pieces.snow.contains(cell)) {
        return at(cell, "a ball lies on snow", "a ball takes the snow under it: remove it");
    }
    if ground[pieces.player] == Ground::Wall || pieces.stacks.contains_key(&pieces.player) {
        return at(pieces.player, "the player needs a cell of its own", "move the player");
    }
    if pieces.stacks.is_empty() {
        let message = "no ball on the board";
        return Err(LevelError { cell: None, message, help: "add balls: a digit from 1 to 7" });
    }
    Ok(())
}
