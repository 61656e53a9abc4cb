//! Levels as tasks for planners.
//!
//! A cell has a stack, which may be empty, and is snowy or bare. What happens to stacks is in static
//! facts: which ball is alone, what a top leaves, what a ball makes of the stack that it climbs. A
//! snowman that is complete is counted by an action without cost, and stands still from then on: so
//! the goal is a number, and not a disjunction for each cell.

use super::board::{Ground, Size, Snowman, Stack};
use crate::grid::{Cell, Direction};
use crate::objective::Objective;
use crate::planning::{PlanningTask, direction_name, increase, location};
use std::fmt::Write;

/// Actions that are moves, and the one that only counts.
pub(super) const MOVES: [&str; 6] = ["walk", "roll", "roll-snow", "climb", "tip", "tip-snow"];
pub(super) const IDLE: [&str; 1] = ["finish"];

/// A level as a task.
pub(super) fn task(level: &Snowman, objective: Objective) -> Result<PlanningTask, &'static str> {
    if !level.teleporters().is_empty() {
        return Err("there is no action for teleporters");
    }
    Ok(PlanningTask { domain: domain(objective), problem: problem(level) })
}

fn domain(objective: Objective) -> String {
    let (walk, push) = (increase(objective.first() == Objective::Moves), increase(true));
    let mut text = String::from(
        "(define (domain snowman)\n\
         (:requirements :typing :action-costs)\n\
         (:types location direction stack count)\n\
         (:constants nothing snowman finished - stack)\n\
         (:predicates (player ?l - location) (stack ?l - location ?k - stack)\n\
         \x20 (snow ?l - location) (bare ?l - location) (target ?l - location)\n\
         \x20 (next ?from ?to - location ?d - direction)\n\
         \x20 (alone ?k - stack) (grown ?k ?g - stack) (tops ?k ?ball ?rest - stack)\n\
         \x20 (piled ?ball ?k ?sum - stack) (built ?n - count) (follows ?n ?m - count))\n\
         (:functions (total-cost) - number)\n",
    );
    let _ = writeln!(
        text,
        "(:action walk :parameters (?from ?to - location ?d - direction)\n\
         \x20:precondition (and (player ?from) (next ?from ?to ?d) (stack ?to nothing))\n\
         \x20:effect (and (not (player ?from)) (player ?to){walk}))"
    );
    let mut action = |name: &str, more: &str, before: &str, after: &str| {
        let _ = writeln!(
            text,
            "(:action {name}\n\
             \x20:parameters (?from ?at ?to - location ?k{more} - stack ?d - direction)\n\
             \x20:precondition (and (player ?from) (next ?from ?at ?d) (next ?at ?to ?d)\n\
             \x20 (stack ?at ?k) {before})\n\
             \x20:effect (and (not (stack ?at ?k)) {after}{push}))"
        );
    };
    // A ball that rolls takes the player along.
    let rolls = "(not (player ?from)) (player ?at) (stack ?at nothing)";
    let lands = "(not (stack ?to nothing))";
    action(
        "roll",
        "",
        "(alone ?k) (stack ?to nothing) (bare ?to)",
        &format!("{rolls} {lands} (stack ?to ?k)"),
    );
    action(
        "roll-snow",
        " ?g",
        "(alone ?k) (grown ?k ?g) (stack ?to nothing) (snow ?to)",
        &format!("{rolls} {lands} (stack ?to ?g) (not (snow ?to)) (bare ?to)"),
    );
    action(
        "climb",
        " ?onto ?sum",
        "(alone ?k) (stack ?to ?onto) (piled ?k ?onto ?sum)",
        &format!("{rolls} (not (stack ?to ?onto)) (stack ?to ?sum)"),
    );
    action(
        "tip",
        " ?ball ?rest",
        "(tops ?k ?ball ?rest) (stack ?to nothing) (bare ?to)",
        &format!("(stack ?at ?rest) {lands} (stack ?to ?ball)"),
    );
    action(
        "tip-snow",
        " ?ball ?rest ?g",
        "(tops ?k ?ball ?rest) (grown ?ball ?g) (stack ?to nothing) (snow ?to)",
        &format!("(stack ?at ?rest) {lands} (stack ?to ?g) (not (snow ?to)) (bare ?to)"),
    );
    text + "(:action finish :parameters (?l - location ?n ?m - count)\n\
            \x20:precondition (and (stack ?l snowman) (target ?l) (built ?n) (follows ?n ?m))\n\
            \x20:effect (and (not (stack ?l snowman)) (stack ?l finished) (not (built ?n)) (built ?m)))\n)\n"
}

/// The object that stands for a stack.
fn stack_name(stack: Stack) -> String {
    if stack == Stack::SNOWMAN { "snowman".to_owned() } else { format!("stack-{}", stack.number()) }
}

/// All stacks.
fn stacks() -> impl Iterator<Item = Stack> {
    (1..=7).filter_map(Stack::from_number)
}

fn problem(level: &Snowman) -> String {
    let ground = level.ground();
    let place = |cell: Cell| location(ground.place(cell));
    let open: Vec<Cell> = ground.cells().filter(|&cell| level.takes_balls(cell)).collect();
    let names = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(" ");
    // Each snowman has three balls; one that is not complete is never counted.
    let balls: usize = level.balls().iter().sum();
    let wanted = balls.div_ceil(3);
    let mut text = String::from("(define (problem level)\n(:domain snowman)\n(:objects\n");
    let _ = writeln!(
        text,
        " {} - location\n {} - direction\n {} - stack\n {} - count)\n(:init\n (= (total-cost) 0)",
        names(&mut open.iter().map(|&cell| place(cell))),
        Direction::ALL.map(direction_name).join(" "),
        names(&mut stacks().filter(|&stack| stack != Stack::SNOWMAN).map(stack_name)),
        names(&mut (0..=wanted).map(|number| format!("built-{number}"))),
    );
    for stack in stacks() {
        let top = stack.top();
        let name = stack_name(stack);
        match stack.without_top() {
            None => {
                let grown = stack_name(Stack::single(top.grown()));
                let _ = write!(text, " (alone {name}) (grown {name} {grown})");
            }
            Some(rest) if stack != Stack::SNOWMAN || level.dismantle() => {
                let (ball, rest) = (stack_name(Stack::single(top)), stack_name(rest));
                let _ = write!(text, " (tops {name} {ball} {rest})");
            }
            Some(_) => {}
        }
        for size in Size::ALL {
            if let Some(sum) = stack.with(size) {
                let (ball, sum) = (stack_name(Stack::single(size)), stack_name(sum));
                let _ = write!(text, " (piled {ball} {name} {sum})");
            }
        }
    }
    text.push_str("\n (built built-0)");
    for number in 0..wanted {
        let _ = write!(text, " (follows built-{number} built-{})", number + 1);
    }
    let _ = writeln!(text, "\n (player {})", place(level.player()));
    let targets = level.targets().count() > 0;
    for &cell in &open {
        let at = place(cell);
        let stack = level.stacks().get(&cell).map_or("nothing".to_owned(), |&it| stack_name(it));
        let snow = if level.snow().contains(&cell) { "snow" } else { "bare" };
        let _ = write!(text, " (stack {at} {stack}) ({snow} {at})");
        if !targets || ground[cell] == Ground::Target {
            let _ = write!(text, " (target {at})");
        }
        for (direction, next) in ground.neighbours(cell) {
            if level.takes_balls(next) {
                let _ = write!(text, " (next {at} {} {})", place(next), direction_name(direction));
            }
        }
        text.push('\n');
    }
    let _ =
        write!(text, ")\n(:goal (and (built built-{wanted})))\n(:metric minimize (total-cost)))\n");
    text
}
