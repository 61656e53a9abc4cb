//! Strengthening: of a plan and its mirror images only one is looked for.
//!
//! A level that looks the same in a mirror (or turned), stacks, snow and player included, has for
//! each plan the mirrored one. Pushes are ordered by cell and direction; the first of all images of
//! a plan in alphabetical order is never after its own image: as long as a plan is its own image,
//! it makes no push that stands after the mirrored one.

use super::graph::{Floor, Push, Spot};
use super::rules::PushRules;
use super::vars::Var;
use crate::cnf::{Cnf, Step};
use crate::steps::{MIRROR, first_of_image};
use std::cmp::Ordering;
use unstuck_puzzles::snowman::Snowman;
use unstuck_puzzles::{Direction, Moves};

/// The images under which a level looks the same, other than itself: for each spot its own. `exact`
/// distinguishes the player's cell from others in its part of the floor.
pub(super) fn images(puzzle: &Snowman, floor: &Floor, exact: bool) -> Vec<Vec<Spot>> {
    let start = puzzle.start();
    let content = |spot: Spot| {
        let cell = floor.cell(spot);
        (start.stacks.get(&cell).map(|stack| stack.number()), start.snow.contains(&cell))
    };
    let Some(player) = floor.spot(start.player) else { return Vec::new() };
    let is_joined = |other: Spot| {
        let blocked = |spot| content(spot).0.is_some();
        other == player || !exact && floor.walk(player, other, blocked).is_some()
    };
    let fits = |image: &Vec<Spot>| {
        let moves = (0..floor.len()).any(|spot| image[spot] != spot);
        let same = (0..floor.len()).all(|spot| content(spot) == content(image[spot]));
        moves && same && is_joined(image[player])
    };
    floor.symmetries().filter(fits).collect()
}

/// The image of a push.
fn of(floor: &Floor, image: &[Spot], Push { at, direction }: Push) -> Option<Push> {
    let (at, beyond) = (image[at], image[floor.ahead(at, direction)?]);
    let direction = Direction::ALL.into_iter().find(|&it| floor.ahead(at, it) == Some(beyond))?;
    Some(Push { at, direction })
}

/// Plans that do not come after their images.
pub(super) fn add(rules: &PushRules, images: &[Vec<Spot>], horizon: Step, cnf: &mut Cnf<Var>) {
    if !cnf.keeps(MIRROR) {
        return;
    }
    for image in images {
        let (mut own, mut later) = (Vec::new(), Vec::new());
        for &push in &rules.pushes {
            let Some(mirrored) = of(&rules.floor, image, push) else { continue };
            let action = Var::Push(rules.place(push.at), push.direction);
            match mirrored.cmp(&push) {
                Ordering::Equal => own.push(action),
                Ordering::Less => later.push(action),
                Ordering::Greater => {}
            }
        }
        first_of_image(horizon, cnf, &own, &later);
    }
}
