//! Puzzles as graphs and clauses.
//!
//! Each family models its board as a petgraph graph and compiles it, layer by layer, into clauses
//! over typed variables. This crate knows no solver, no proof and no file; it is given a sink for
//! clauses ([`Cnf`]) and gives back what a model means ([`Encoding::decode`]).
//!
//! The laws that every encoding keeps stand on the trait [`Encoding`]; one suite ([`laws`]) tests them
//! for every entry of the registry.

pub mod bit_set;
/// The front page, whose code is run as a test.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

pub mod cell_coord;
pub mod cnf;
pub mod constrained;
pub mod cost;
pub mod encoding;
pub mod features;
pub mod floor;
pub mod flow;
pub mod laws;
pub mod logic;
pub mod matching;
pub mod pair_table;
pub mod pieces;
pub mod puzzlescript;
pub mod reach;
pub mod snowman;
pub mod sokoban;
pub mod sokobond;
pub mod space;
pub mod steps;
pub mod warehouse;

pub use cnf::{Assignment, Atom, Cnf, Filter, Lit, Model, Name, Rule, Step, Strength};
pub use constrained::ConstrainedSpace;
pub use cost::Cost;
pub use encoding::{
    Cuts, DecodeError, EncodeError, Encoding, EncodingExtras, PieceLiterals, Reduction, StepCost,
    Transition,
};
pub use features::{Choice, FeatureSpace, Features, TurnRule};
pub use pieces::{Field, Pieces};
pub use space::{CostTable, PackingError, PlainSpace, Space};
