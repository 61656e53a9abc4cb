//! Boards on which answers were wrong, found by `benches/campaign`.

use std::collections::BTreeSet;
use unstuck::limits::Limits;
use unstuck::open;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::diagnose;
use unstuck::questions::enumerate::enumerate;
use unstuck::questions::explain::explain;
use unstuck::questions::needed::{Change, needed};
use unstuck_encodings::Cost;
use unstuck_puzzles::Objective;
use unstuck_puzzles::constraints::Constraints;

fn requiring(constraint: &str) -> Constraints {
    let mut constraints = Constraints::default();
    constraints.require(constraint).expect("a constraint");
    constraints
}

/// The box that stands where one is required makes the level easier: without it another has to be
/// pushed there.
const NEEDED: &str = "\
######
#    #
#    #
#  *##
#  @ #
#    #
#*   #
######
";

#[test]
fn a_level_can_be_harder_without_a_piece_that_is_required() {
    let level = open("sokoban", NEEDED, Objective::Moves).expect("a level");
    let constraints = requiring("box 7,2");
    let answer =
        needed(level.first(), None, false, &constraints, &Limits::none(), &mut |_, _, _| {});
    let answer = answer.expect("answered");
    assert_eq!(answer.level.optimum, Some(Cost::ZERO));
    let part = answer.parts.iter().find(|it| it.part.name == "box (7,2)").expect("a part");
    assert_eq!((part.effect, part.without.optimum), (Change::Later(11), Some(Cost::new(11, 0))));
}

/// A place that must be visited can be visited before one push or another; what is counted are
/// pushes.
const VISITED: &str = "\
#######
#.    #
#  #  #
#. $$ #
#  # @#
#######
";

#[test]
fn plans_that_differ_in_walks_only_count_once() {
    let level = open("sokoban", VISITED, Objective::MovesPushes).expect("a level");
    let mut constraints = requiring("player 5,2");
    constraints.forbid("push box (4,2) to (3,2)").expect("a constraint");
    let mut asked = Analysis::new(level.first(), &constraints).expect("a game");
    let answer = enumerate(&mut asked, 40, &Limits::none());
    assert_eq!(answer.plans, Some(answer.listed.len() as u128));
    let pushes = answer.listed.iter().map(|actions| actions.iter().map(|it| it.name).collect());
    let different: BTreeSet<Vec<u32>> = pushes.collect();
    assert_eq!((answer.listed.len(), different.len()), (2, 2));
    let game = level.first().moves().expect("a game");
    for actions in &answer.listed {
        let plan = asked.atlas.plan(actions).expect("possible");
        assert!(game.verify(&constraints, &plan).is_ok(), "{plan}");
    }
}

/// The cells of a graph have no places, but its pairs are no rules all the same.
const GRAPH: &str = r#"{
  "nodes": ["n0","n1","n2","n3","n4","n5"],
  "edges": [["n0","n1"],["n0","n3"],["n1","n2"],["n2","n3"],["n2","n5"],["n3","n4"],["n4","n5"]],
  "pairs": [["n0","n1","b"],["n2","n4","A"],["n3","n5","10"]],
  "cover": true,
  "touch": "never"
}"#;

#[test]
fn parts_of_an_explanation_are_those_of_the_board_without_its_rule() {
    let board = open("flow", GRAPH, Objective::Any).expect("a level");
    let answer = explain(board.first(), &[], 3, &Constraints::default(), &Limits::none());
    let answer = answer.expect("answered");
    let less = board.first().without(&[0]).expect("a board");
    let parts = less.parts();
    assert!(!answer.cores.is_empty());
    for core in &answer.cores {
        let named: Vec<_> = core.parts.iter().map(|&part| parts[part].clone()).collect();
        assert_eq!(core.named, named);
    }
}

/// Where a key is forbidden, walks cannot be walked back: the last one to the goal is a step of its
/// own, which costs nothing.
#[test]
fn plans_can_end_with_a_walk_that_costs_nothing() {
    let level = open("warehouse", "@..\n\n..@\n", Objective::Pushes).expect("a level");
    let mut constraints = Constraints::default();
    constraints.forbid("move <").expect("a constraint");
    let mut asked = Analysis::new(level.first(), &constraints).expect("a game");
    let answer = enumerate(&mut asked, 10, &Limits::none());
    assert_eq!((answer.optimum, answer.plans), (Some(Cost::ZERO), Some(1)));
}

/// Where a key is forbidden, a game can be a walk short of its end; a walk costs nothing.
#[test]
fn a_game_is_solved_where_nothing_that_counts_is_left() {
    let level = open("warehouse", "@..\n\n..@\n", Objective::Pushes).expect("a level");
    for (key, solved) in [("move <", true), ("move >", false)] {
        let mut constraints = Constraints::default();
        constraints.forbid(key).expect("a constraint");
        let mut asked = Analysis::new(level.first(), &constraints).expect("a game");
        let game = asked.atlas.play("").expect("no moves");
        let answer = diagnose(&mut asked, &game, &Limits::none());
        assert_eq!(answer.solved, solved, "{key}");
        assert_eq!(answer.rest, solved.then_some(Cost::ZERO), "{key}");
    }
}

/// Of the positions after the last push one has seen what is required and one has not.
#[test]
fn a_plan_ends_where_everything_required_has_happened() {
    let text = "; legend: published\nT--\n--U\ng-a\n--f\n";
    let level = open("snowman", text, Objective::Pushes).expect("a level");
    let mut constraints = requiring("player 1,1");
    constraints.forbid("cell 4,2").expect("a constraint");
    let mut asked = Analysis::new(level.first(), &constraints).expect("a game");
    let answer = enumerate(&mut asked, 10, &Limits::none());
    assert_eq!((answer.optimum, answer.plans), (Some(Cost::new(1, 0)), Some(1)));
    let game = level.first().moves().expect("a game");
    let plan = asked.atlas.plan(&answer.listed[0]).expect("possible");
    assert!(game.verify(&constraints, &plan).is_ok(), "{plan}");
}

/// Without an atom two neighbours have free electrons: the next move bonds them, although they are
/// of one molecule, which holds its shape, or where the player cannot come.
#[test]
fn neighbours_that_an_atom_kept_apart_bond() {
    for (text, atom) in
        [("ooo\nEoo\n", "atom (1,1)"), ("E----\nxxxxx\n---n-\nx--h-\nx--h-\n", "atom (3,4)")]
    {
        let level = open("sokobond", text, Objective::Moves).expect("a level");
        let (constraints, limits) = (Constraints::default(), Limits::none());
        let level = level.first();
        let answer = needed(level, Some("atom"), false, &constraints, &limits, &mut |_, _, _| {});
        let answer = answer.expect("answered");
        let part = answer.parts.iter().find(|it| it.part.name == atom).expect("a part");
        assert_eq!(part.without.optimum, Some(Cost::new(1, 0)), "{text}");
    }
}
