//! The families of puzzles: rules, formats, encodings and levels of each, against exhaustive search
//! by the rules alone.

#[path = "../common/mod.rs"]
mod common;

mod constraints;
mod dropping;
mod flow;
mod formats;
mod laws;
mod levels;
mod max_sat;
mod planner;
mod pointing;
mod puzzlescript;
mod snowman;
mod sokoban;
mod sokobond;
mod warehouse;
