//! The sources themselves: who may know what, what public types are called, what has to be
//! trusted, what documentation names.
//! Nothing here solves a puzzle.

mod architecture;
mod circles;
mod dependencies;
mod names;
mod paths;
mod tables;
mod trust;
