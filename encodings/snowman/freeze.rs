//! Stacks that can never move again.
//!
//! Frozen is what cannot move on either axis because of walls and other frozen stacks: the
//! greatest such set. A frozen stack may grow at the top, but what is put on it can only leave
//! where the stack itself could, so the set stays frozen. Each frozen stack is a base.

use super::graph::{Ball, Floor};
use unstuck_puzzles::grid::Direction;

/// No spot.
const NO_SPOT: u8 = u8::MAX;
/// Mark of a frozen stack, beside its sizes.
const FROZEN: u8 = 8;

/// Looks for frozen stacks, in memory that is used again and again.
#[derive(Clone, Debug)]
pub struct Freezer {
    /// Next spot in each direction, [`NO_SPOT`] for walls; teleporters included.
    ahead: Vec<[u8; 4]>,
    grounds: u8,
    dismantle: bool,
    /// For each spot what stands there; all zero between two looks.
    marks: [u8; 256],
}

impl Freezer {
    /// For a board with fewer than 255 open cells.
    pub fn new(floor: &Floor, dismantle: bool) -> Self {
        let ahead =
            |spot| Direction::ALL.map(|d| floor.ahead(spot, d).map_or(NO_SPOT, |next| next as u8));
        Self {
            ahead: (0..floor.len()).map(ahead).collect(),
            grounds: floor.grounds() as u8,
            dismantle,
            marks: [0; 256],
        }
    }

    /// Whether frozen stacks show that a position is dead.
    pub fn is_stuck(&mut self, balls: &[Ball], is_base: impl Fn(u8) -> bool) -> bool {
        for ball in balls {
            self.marks[usize::from(ball.spot)] |= FROZEN | 1 << ball.size;
        }
        let mut thaws = true;
        while thaws {
            thaws = false;
            for ball in balls {
                if self.mark(ball.spot) & FROZEN != 0 && self.can_move(ball.spot) {
                    self.marks[usize::from(ball.spot)] &= !FROZEN;
                    thaws = true;
                }
            }
        }
        // The smallest ball stands for the stack.
        let frozen = balls.iter().filter(|ball| {
            let mark = self.mark(ball.spot);
            mark & FROZEN != 0 && mark.trailing_zeros() == u32::from(ball.size)
        });
        let stuck = frozen.clone().count() > balls.len() / 3
            || frozen.clone().any(|ball| !is_base(ball.spot) || !self.can_be_base(ball.spot));
        for ball in balls {
            self.marks[usize::from(ball.spot)] = 0;
        }
        stuck
    }

    #[inline]
    fn mark(&self, spot: u8) -> u8 {
        self.marks[usize::from(spot)]
    }

    #[inline]
    fn is_frozen(&self, spot: u8) -> bool {
        self.mark(spot) & FROZEN != 0
    }

    /// Whether a stack could be pushed some day, were it not for the frozen ones.
    #[inline]
    fn can_move(&self, at: u8) -> bool {
        let stack = self.mark(at) & 7;
        if stack == 7 && !self.dismantle {
            return false;
        }
        let single = stack.is_power_of_two();
        let ahead = &self.ahead[usize::from(at)];
        (0..4).any(|direction| {
            let (beyond, behind) = (ahead[direction], ahead[(direction + 2) % 4]);
            if beyond >= self.grounds || behind == NO_SPOT || self.is_frozen(behind) {
                return false;
            }
            let onto = self.mark(beyond) & 7;
            !self.is_frozen(beyond) || single && onto & onto.wrapping_neg() > stack
        })
    }

    /// Whether a frozen stack can become a snowman.
    fn can_be_base(&self, at: u8) -> bool {
        let stack = self.mark(at) & 7;
        // Large at the bottom; small on large can never get its middle.
        if stack & 4 == 0 || stack == 5 {
            return false;
        }
        stack == 7
            || (0..4).any(|direction| {
                let ball = self.ahead[usize::from(at)][direction];
                if ball >= self.grounds || self.is_frozen(ball) {
                    return false;
                }
                let player = self.ahead[usize::from(ball)][direction];
                player != NO_SPOT && !self.is_frozen(player)
            })
    }
}
