//! Levels as tasks for planners.
//!
//! Boxes in a row are pushed together, and no box differs from another: a push of several takes the
//! first of their cells and adds the cell behind the last. So there is an action for each number of
//! boxes that may stand in a row.

use super::Warehouse;
use super::board::Cell;
use super::goal::Goal;
use crate::grid::Direction;
use crate::objective::Objective;
use crate::planning::{PlanningTask, direction_name, increase, location};
use std::fmt::Write;

/// Actions, which are all moves; the number of boxes follows a name.
pub(super) const MOVES: [&str; 2] = ["move", "push"];

/// A level as a task.
pub(super) fn task(level: &Warehouse, objective: Objective) -> Result<PlanningTask, &'static str> {
    if level.start.boxes.iter().any(|wide| wide.width > 1) {
        return Err("wide boxes fan out, which takes an action for each shape of a heap");
    }
    let asked = match &level.goal {
        Goal::Score(_) => return Err("a score is no state that a task can name"),
        Goal::Anything => None,
        Goal::Map(asked) | Goal::Same(asked) => Some(asked),
    };
    if asked.is_some_and(|asked| asked.boxes.iter().any(|wide| wide.width > 1)) {
        return Err("wide boxes are wanted, and there is none");
    }
    let layout = &level.layout;
    let floor: Vec<Cell> = layout.floor().collect();
    let longest = floor.iter().flat_map(|&cell| {
        Direction::ALL.map(|direction| {
            let mut next = cell;
            let row = std::iter::from_fn(|| {
                next = layout.next_floor(next, direction)?;
                Some(next)
            });
            row.take(level.start.boxes.len() + 1).count()
        })
    });
    // The last cell of a row stays free for the last box.
    let most = longest.max().unwrap_or(0).saturating_sub(1).min(level.start.boxes.len());

    let place = |cell: Cell| location(layout.place(cell));
    let names: Vec<String> = floor.iter().map(|&cell| place(cell)).collect();
    let mut problem = format!(
        "(define (problem level)\n(:domain warehouse)\n(:objects\n {} - location\n {} - direction)\n\
         (:init\n (= (total-cost) 0)\n (robot {})\n",
        names.join(" "),
        Direction::ALL.map(direction_name).join(" "),
        place(level.start.robot)
    );
    for &cell in &floor {
        let at = place(cell);
        let what = if level.start.box_at(cell).is_some() { "box" } else { "free" };
        let _ = write!(problem, " ({what} {at})");
        for direction in Direction::ALL {
            if let Some(next) = layout.next_floor(cell, direction) {
                let _ =
                    write!(problem, " (next {at} {} {})", place(next), direction_name(direction));
            }
        }
        problem.push('\n');
    }
    let mut goal = String::new();
    if let Some(asked) = asked {
        for wide in &asked.boxes {
            let _ = write!(goal, " (box {})", place(wide.left));
        }
        for &cell in &asked.clear {
            let _ = write!(goal, " (free {})", place(cell));
        }
        if let Some(robot) = asked.robot {
            let _ = write!(goal, " (robot {})", place(robot));
        }
    }
    if goal.is_empty() {
        // Planners take an empty goal for a rule, which admissible heuristics do not know.
        return Err("nothing is asked for, so there is nothing to plan");
    }
    let _ = write!(problem, ")\n(:goal (and{goal}))\n(:metric minimize (total-cost)))\n");
    Ok(PlanningTask { domain: domain(objective, most), problem })
}

/// The domain, with pushes of up to so many boxes.
fn domain(objective: Objective, most: usize) -> String {
    let step = increase(objective.first() == Objective::Moves);
    let mut text = format!(
        "(define (domain warehouse)\n\
         (:requirements :typing :action-costs)\n\
         (:types location direction)\n\
         (:predicates (robot ?l - location) (box ?l - location) (free ?l - location)\n\
         \x20 (next ?from ?to - location ?d - direction))\n\
         (:functions (total-cost) - number)\n\
         (:action move :parameters (?from ?to - location ?d - direction)\n\
         \x20:precondition (and (robot ?from) (next ?from ?to ?d) (free ?to))\n\
         \x20:effect (and (not (robot ?from)) (robot ?to){step}))\n"
    );
    for count in 1..=most {
        let boxes: Vec<String> = (1..=count).map(|number| format!("?b{number}")).collect();
        let row: Vec<&str> =
            ["?from"].into_iter().chain(boxes.iter().map(String::as_str)).chain(["?to"]).collect();
        let _ = write!(
            text,
            "(:action push-{count} :parameters ({} - location ?d - direction)\n\
             \x20:precondition (and (robot ?from) (free ?to)",
            row.join(" ")
        );
        for pair in row.windows(2) {
            let _ = write!(text, " (next {} {} ?d)", pair[0], pair[1]);
        }
        boxes.iter().for_each(|at| text.push_str(&format!(" (box {at})")));
        let _ = writeln!(
            text,
            ")\n\
             \x20:effect (and (not (robot ?from)) (robot ?b1) (not (box ?b1)) (free ?b1)\n\
             \x20 (not (free ?to)) (box ?to){}))",
            increase(true)
        );
    }
    text + ")\n"
}
