//! What can be pointed at: places, pieces and squares.

/// Row and column, from 0.
pub type Coord = (usize, usize);

/// What a person sees of a state: where the player is, and the pieces that can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The player's place.
    pub player: Coord,
    /// The places that each piece covers, in increasing order.
    pub others: Vec<Vec<Coord>>,
}

/// A board as a picture of squares that can be pointed at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Squares {
    /// Number of rows of the picture.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// What is joined by drawing: each label with its two places. Empty where pieces move.
    pub ends: Vec<(String, [Coord; 2])>,
}
