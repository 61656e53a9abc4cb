//! Certificates of every kind: the honest ones are accepted, by both checkers, and nothing else is.

#[path = "../common/mod.rs"]
mod common;

mod certificates;
mod check_engine;
mod check_py;
mod forgeries;
mod kinds;
