//! Inductive invariants over one layer: lower bounds and unsolvability by a list of cubes.
//!
//! A cube is a conjunction of literals that describe a state: not a whole state, only as much of it
//! as matters, such as "a box in this corner". With a budget r it says: "a state in this cube
//! cannot be finished with cost r or less". The list is a proof when the start lies in a cube with
//! at least the claimed budget, no solved state lies in any, and every step from a state in a cube
//! leads into some cube with what is left of its budget. That is the argument of a closed set
//! ([`crate::closed`]), but a cube stands for more states than could be walked through, so it is
//! not verified move by move: the three conditions are formulas ([`crate::transition::Induction`])
//! over the one-move transition, and each has a refutation by a SAT solver.
//!
//! The checker of a list need not know where it comes from.
//!
//! * [`pdr`]: finds lists for unsolvable puzzles, by property-directed reachability.
//! * [`confine`]: makes lists for lower bounds, from all states that matter.
//! * [`states`] and [`oracle`]: what the rules and what the solver contribute to that.
//! * [`houdini`]: invariants by guessing, on which it builds.
//! * [`trim`]: drops the cubes of a list that its proof does not need.

pub mod confine;
mod error;
pub mod houdini;
pub mod oracle;
pub mod pdr;
pub mod states;
pub mod trim;
