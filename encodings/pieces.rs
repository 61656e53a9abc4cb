//! A game whose pieces only hinder each other, as the learning engine sees it.
//!
//! *Dropping a piece is a relaxation*: every plan of the whole game is, with the moves of the other
//! pieces left out, a plan of the pieces that remain, because a piece that is taken away only
//! opens ground to walk and to shove on. So whatever a few pieces can be shown to waste, they
//! waste in every position that contains them. That is what dead patterns rest on
//! (`docs/dead-patterns.md`).
//!
//! A [`Field`] is such a game as numbers: sites to walk on, shoves of one piece from site to site
//! with the walker behind it, and the **waste** of each shove under a potential (at least 0, and
//! summed over a plan it says how much longer the plan is than the lower bound). The reader of a
//! field needs to know nothing of the game.

use unstuck_puzzles::{Moves, Objective};

/// A place for a walker or a piece, counted from 0.
pub type Site = u16;

/// No site.
pub const NOWHERE: Site = Site::MAX;

/// Directions in which pieces are shoved, at most.
pub const WAYS: usize = 4;

/// One piece goes from its site to the next. The walker stands on [`Shove::stand`] before it and
/// on the piece's old site after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shove {
    /// Where the piece comes to.
    pub to: Site,
    /// Where the walker must be.
    pub stand: Site,
    /// What it wastes, in units of the potential.
    pub waste: u32,
}

/// A site on which a piece may end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Its site.
    pub site: Site,
    /// Its price, from which the potential is made.
    pub price: i32,
    /// What a piece loses by ending here, for each slot of the site.
    pub slack: Vec<u32>,
    /// What is lost when it stays empty.
    pub spare: u32,
}

/// A game of shoves under a potential.
///
/// A **slot** is a piece's site together with the side of it on which the walker is: as long as the
/// piece stays, the walker cannot change sides.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// The sites next to each site, [`NOWHERE`] for none.
    pub near: Vec<[Site; WAYS]>,
    /// The shoves of a piece on each site that do not lose it for good.
    pub shoves: Vec<[Option<Shove>; WAYS]>,
    /// For a site that parts the ground: the side of every other site; else empty.
    pub sides: Vec<Vec<u8>>,
    /// The first slot of each site, and the number of slots at the end.
    pub first_slot: Vec<usize>,
    /// The potential of each slot; `None` where a piece is lost.
    pub potential: Vec<Option<i32>>,
    /// Where pieces may end.
    pub goals: Vec<Goal>,
    /// Where the pieces are at the start.
    pub pieces: Vec<Site>,
    /// Where the walker is at the start.
    pub walker: Site,
    /// The length of a plan without waste.
    pub lower: u32,
    /// How many steps one unit of waste stands for.
    pub unit: u32,
}

impl Field {
    /// Number of sites.
    pub fn sites(&self) -> usize {
        self.near.len()
    }

    /// The slot of a piece when the walker is somewhere else.
    pub fn slot(&self, at: Site, walker: Site) -> usize {
        let at = usize::from(at);
        let side = self.sides[at].get(usize::from(walker)).copied().unwrap_or(0);
        self.first_slot[at] + usize::from(side)
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.first_slot.last().copied().unwrap_or(0)
    }
}

/// A family whose pieces may be dropped.
pub trait Pieces: Sized + Send + Sync {
    /// The family.
    type Puzzle: Moves;

    /// Prepares a puzzle; `None` where there is no field for this objective.
    fn new(puzzle: &Self::Puzzle, objective: Objective) -> Option<Self>;

    /// The game as numbers.
    fn field(&self) -> &Field;

    /// The moves of a plan given as shoves (site and way), with shortest walks between; `None` when
    /// a shove is not possible.
    fn plan(&self, shoves: &[(Site, usize)]) -> Option<Vec<<Self::Puzzle as Moves>::Move>>;

    /// The name of a site in certificates.
    fn place(&self, site: Site) -> (usize, usize);
}
