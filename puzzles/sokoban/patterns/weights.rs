//! Potential and prices, and what they must keep to.

use super::ground::{self, Ground, Spot};
use crate::patterns::{PatternCoord, PatternError, PatternList};

/// A waste that no plan has: more than any sum of values.
pub(super) const INFINITE_COST: u64 = 1 << 48;

pub(super) fn refuse<T>(reason: impl Into<String>) -> Result<T, PatternError> {
    Err(PatternError::because(reason))
}

/// What a push means under the potential.
pub(super) enum Push {
    /// It wastes so many units.
    Wastes(u64),
    /// The box is lost, before or after it.
    Loses,
}

/// A potential that was found to be in order.
pub(super) struct Weights {
    unit: u32,
    /// The potential by cell and side.
    potential: Vec<Vec<Option<i64>>>,
    price: Vec<i64>,
}

/// Numbers beyond this are nonsense; so sums cannot overflow.
const MAX_WEIGHT: i32 = 1 << 24;

impl Weights {
    /// Reads the potential of a list and holds it to the rules.
    pub(super) fn new(ground: &Ground, list: &PatternList) -> Result<Self, PatternError> {
        if !matches!(list.unit, 1 | 2) {
            return refuse("the unit of waste is neither one push nor two");
        }
        let spot = |place: PatternCoord| {
            let none = || PatternError::because(format!("no cell {},{}", place.0, place.1));
            ground.spot(place).ok_or_else(none)
        };
        let mut potential = vec![vec![None; 5]; ground.len()];
        for &(at, player, value) in &list.potential {
            let (at, player) = (spot(at)?, spot(player)?);
            if at == player || value.abs() > MAX_WEIGHT {
                return refuse("a potential that makes no sense");
            }
            // One number for the whole side.
            let side = usize::from(ground.side(at, player));
            if potential[at][side].replace(i64::from(value)).is_some() {
                return refuse("a potential is given twice");
            }
        }
        let mut price = vec![None; ground.len()];
        for &(goal, value) in &list.prices {
            let goal = spot(goal)?;
            if !ground.is_goal(goal) || value.abs() > MAX_WEIGHT || price[goal].is_some() {
                return refuse("a price that makes no sense");
            }
            price[goal] = Some(i64::from(value));
        }
        if ground.goals.iter().any(|&goal| price[goal].is_none()) {
            return refuse("a goal has no price");
        }
        let price = price.into_iter().map(Option::unwrap_or_default).collect();
        let weights = Self { unit: list.unit, potential, price };
        weights.goals(ground)?;
        weights.pushes(ground)?;
        Ok(weights)
    }

    pub(super) fn unit(&self) -> u32 {
        self.unit
    }

    fn of(&self, ground: &Ground, at: Spot, player: Spot) -> Option<i64> {
        self.potential[at][usize::from(ground.side(at, player))]
    }

    /// A box on a goal is not lost, and nothing is gained by ending.
    fn goals(&self, ground: &Ground) -> Result<(), PatternError> {
        let is_full = ground.goals.len() == ground.boxes.len();
        for &goal in &ground.goals {
            if !is_full && self.price[goal] > 0 {
                return refuse("a goal that may stay empty has a price above 0");
            }
            for player in (0..ground.len()).filter(|&player| player != goal) {
                let Some(potential) = self.of(ground, goal, player) else {
                    return refuse("a box on a goal is said to be lost");
                };
                self.units(-self.price[goal] - potential)?;
            }
        }
        Ok(())
    }

    /// No push gains, and none brings a lost box back.
    fn pushes(&self, ground: &Ground) -> Result<(), PatternError> {
        for push in (0..ground.len()).flat_map(|from| ground.pushes(from)) {
            let before = self.of(ground, push.from, push.behind);
            let after = self.of(ground, push.to, push.from);
            match (before, after) {
                (None, Some(_)) => return refuse("a push brings a lost box back"),
                (Some(before), Some(after)) => {
                    self.units(1 + after - before)?;
                }
                (_, None) => {}
            }
        }
        Ok(())
    }

    /// A waste in units, if it is one.
    fn units(&self, waste: i64) -> Result<u64, PatternError> {
        match u64::try_from(waste) {
            Ok(waste) if waste % u64::from(self.unit) == 0 => Ok(waste / u64::from(self.unit)),
            _ => refuse(format!("the potential gives a waste of {waste}")),
        }
    }

    /// What a push wastes.
    pub(super) fn push(&self, ground: &Ground, push: &ground::Push) -> Push {
        let before = self.of(ground, push.from, push.behind);
        let after = self.of(ground, push.to, push.from);
        match (before, after) {
            (Some(before), Some(after)) => {
                Push::Wastes((1 + after - before) as u64 / u64::from(self.unit))
            }
            _ => Push::Loses,
        }
    }

    /// The potential of a box on a cell with the player on this side; `None` where it is lost.
    pub(super) fn number(&self, at: Spot, side: u8) -> Option<i64> {
        self.potential[at][usize::from(side)]
    }

    /// The sum of all prices.
    pub(super) fn prices(&self, ground: &Ground) -> i64 {
        ground.goals.iter().map(|&goal| self.price[goal]).sum()
    }

    /// Whether a box on a cell is lost with the player on this side.
    pub(super) fn is_lost(&self, at: Spot, side: u8) -> bool {
        self.number(at, side).is_none()
    }

    /// What a box wastes by ending on a goal.
    pub(super) fn end(&self, goal: Spot, side: u8) -> u64 {
        let potential = self.potential[goal].get(usize::from(side)).copied().flatten();
        let waste = -self.price[goal] - potential.unwrap_or(-self.price[goal]);
        waste as u64 / u64::from(self.unit)
    }

    /// What is wasted by a goal that stays empty.
    pub(super) fn unused(&self, goal: Spot) -> u64 {
        u64::try_from(-self.price[goal]).unwrap_or(0) / u64::from(self.unit)
    }

    /// The pushes of a plan without waste; `None` when a box is lost at the start.
    pub(super) fn start(&self, ground: &Ground) -> Option<i64> {
        let boxes = ground.boxes.iter().map(|&at| self.of(ground, at, ground.player));
        let boxes: i64 = boxes.sum::<Option<i64>>()?;
        Some(boxes + self.prices(ground))
    }
}
