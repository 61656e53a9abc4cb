//! What the preparation knows of a level, for `list`.

use super::bounds::Bounds;
use super::graph::Spot;
use crate::matching::INFINITE_COST;
use itertools::Itertools;
use unstuck_puzzles::Facts;

/// Live squares, the parity of all plans, the lower bound in pushes, and the dead squares drawn:
/// `x` is dead (a box there, alone on the floor, is lost wherever the player is), `.` a goal.
pub(super) fn facts(bounds: &Bounds) -> Facts {
    let floor = bounds.floor();
    let is_live = |spot: Spot| {
        let goals = 0..floor.goals().len();
        let slots = bounds.sides().of(spot);
        slots
            .cartesian_product(goals)
            .any(|(slot, goal)| bounds.distance(slot, goal) < INFINITE_COST)
    };
    let letter = |spot: Spot| match (floor.is_goal(spot), is_live(spot)) {
        (true, _) => '.',
        (false, true) => ' ',
        (false, false) => 'x',
    };
    let places: Vec<_> = floor.places().iter().map(|place| place.indices()).collect();
    let height = places.iter().map(|&(row, _)| row + 2).max().unwrap_or(0);
    let width = places.iter().map(|&(_, column)| column + 2).max().unwrap_or(0);
    let mut drawing = vec![vec!['#'; width]; height];
    for (spot, &(row, column)) in places.iter().enumerate() {
        drawing[row][column] = letter(spot);
    }
    let parity = match (bounds.fills_all_goals(), bounds.lower_bound()) {
        (true, Some(lower)) if lower % 2 == 0 => "even",
        (true, Some(_)) => "odd",
        _ => "any",
    };
    let live = (0..floor.len()).filter(|&spot| is_live(spot)).count();
    vec![
        ("live squares", live.into()),
        ("parity of pushes", parity.into()),
        ("pushes at least", bounds.lower_bound().into()),
        (
            "dead squares",
            drawing.iter().map(|row| row.iter().collect::<String>()).join("\n").into(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use unstuck_puzzles::sokoban::Sokoban;
    use unstuck_puzzles::{Options, Puzzle, PuzzleExt};

    #[test]
    fn corners_are_dead_and_goals_are_drawn() {
        let level = "######\n#@   #\n# $ .#\n#    #\n######\n";
        let options = Options::new(Sokoban::OPTIONS, []).expect("defaults");
        let puzzle = Sokoban::parse(level, &options).expect("a level");
        let facts = facts(&Bounds::new(&puzzle));
        let fact = |name: &str| &facts.iter().find(|fact| fact.0 == name).expect("a fact").1;
        assert_eq!(fact("pushes at least"), 2);
        assert_eq!(fact("parity of pushes"), "even");
        assert_eq!(fact("dead squares"), "######\n#xxxx#\n#x  .#\n#xxxx#\n######");
        assert_eq!(fact("live squares"), 3);
    }
}
