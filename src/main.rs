//! The command line of unstuck.
fn main() {}
