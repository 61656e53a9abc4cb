//! Tests of Sokoban: reading, playing, naming, and laws on arbitrary text.

mod naming;
mod playing;
mod properties;
mod reading;

use super::Sokoban;
use crate::extras::PuzzleExt;
use crate::options::Options;

/// The one level of a text.
fn level(text: &str) -> Sokoban {
    Sokoban::parse(text, &Options::default()).expect("a level")
}

/// The fault of a text's one level as a person sees it, from the second line on.
fn fault(text: &str) -> String {
    let fault = Sokoban::parse(text, &Options::default()).expect_err("a fault");
    fault.render("level", text)
}
