//! Boxes as pieces that only hinder each other: Sokoban for the learning engine.

use super::bounds::{Bounds, Potential};
use super::graph::Spot;
use crate::pieces::{Field, Goal, NOWHERE, Pieces, Shove, Site, WAYS};
use std::collections::VecDeque;
use unstuck_puzzles::Objective;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::sokoban::Sokoban;

/// A level with the potential of its matching.
#[derive(Clone, Debug)]
pub struct SokobanPieces {
    bounds: Bounds,
    field: Field,
}

impl Pieces for SokobanPieces {
    type Puzzle = Sokoban;

    fn new(puzzle: &Sokoban, objective: Objective) -> Option<Self> {
        if objective.first() == Objective::Moves {
            return None;
        }
        let bounds = Bounds::new(puzzle);
        let potential = Potential::new(&bounds).unwrap_or_else(|| Potential::plain(&bounds));
        let field = field(&bounds, &potential);
        Some(Self { bounds, field })
    }

    fn field(&self) -> &Field {
        &self.field
    }

    fn plan(&self, shoves: &[(Site, usize)]) -> Option<Vec<Direction>> {
        let floor = self.bounds.floor();
        let mut has_box = vec![false; floor.len()];
        floor.boxes().iter().for_each(|&at| has_box[at] = true);
        let mut player = floor.player();
        let mut plan = Vec::new();
        for &(from, way) in shoves {
            let push = self.bounds.push(usize::from(from), Direction::ALL[way])?;
            if !has_box[push.from] || has_box[push.to] {
                return None;
            }
            plan.extend(self.walk(&has_box, player, push.behind)?);
            plan.push(push.direction);
            has_box[push.from] = false;
            has_box[push.to] = true;
            player = push.from;
        }
        Some(plan)
    }

    fn place(&self, site: Site) -> (usize, usize) {
        self.bounds.floor().place(usize::from(site)).indices()
    }
}

impl SokobanPieces {
    /// A shortest walk past the boxes.
    fn walk(&self, has_box: &[bool], from: Spot, to: Spot) -> Option<Vec<Direction>> {
        let floor = self.bounds.floor();
        let mut came = vec![None; floor.len()];
        let mut open = VecDeque::from([to]);
        // Backwards, so that the way can be read off forwards.
        while let Some(spot) = open.pop_front() {
            if spot == from {
                break;
            }
            for direction in Direction::ALL {
                if let Some(next) = floor.ahead(spot, direction)
                    && !has_box[next]
                    && next != to
                    && came[next].is_none()
                {
                    came[next] = Some(direction.opposite());
                    open.push_back(next);
                }
            }
        }
        let mut walk = Vec::new();
        let mut at = from;
        while at != to {
            let direction = came[at]?;
            walk.push(direction);
            at = floor.ahead(at, direction)?;
        }
        Some(walk)
    }
}

fn site(spot: Option<Spot>) -> Site {
    spot.map_or(NOWHERE, |spot| spot as Site)
}

fn field(bounds: &Bounds, potential: &Potential) -> Field {
    let (floor, sides) = (bounds.floor(), bounds.sides());
    let spots = 0..floor.len();
    let shove = |spot, way: usize| {
        let push = bounds.push(spot, Direction::ALL[way])?;
        let waste = potential.waste(push)?;
        Some(Shove { to: push.to as Site, stand: push.behind as Site, waste })
    };
    let goal = |(number, &spot): (usize, &Spot)| Goal {
        site: spot as Site,
        price: potential.price(number),
        slack: sides.of(spot).map(|slot| potential.slack(number, slot)).collect(),
        spare: potential.spare(number),
    };
    Field {
        near: spots
            .clone()
            .map(|spot| Direction::ALL.map(|direction| site(floor.ahead(spot, direction))))
            .collect(),
        shoves: spots
            .clone()
            .map(|spot| std::array::from_fn::<_, WAYS, _>(|way| shove(spot, way)))
            .collect(),
        sides: spots.clone().map(|spot| sides.table(spot)).collect(),
        first_slot: spots.map(|spot| sides.of(spot).start).chain([sides.slots()]).collect(),
        potential: (0..sides.slots()).map(|slot| potential.phi(slot)).collect(),
        goals: floor.goals().iter().enumerate().map(goal).collect(),
        pieces: floor.boxes().iter().map(|&at| at as Site).collect(),
        walker: floor.player() as Site,
        lower: potential.lower_bound(),
        unit: potential.unit(),
    }
}
