use super::facts::Facts;
use super::packing::Packing;
use unstuck_puzzles::puzzlescript::PuzzleScript;

#[derive(Debug)]
pub(super) struct Bounds;

impl Bounds {
    pub(super) fn new(_: &PuzzleScript, _: &Facts, _: &Packing) -> Self {
        Self
    }

    pub(super) fn of(&self, _: &Packing, words: &[u64]) -> Option<u32> {
        Some(u32::from(!Packing::is_won(words)))
    }
}
