//! How boards are drawn, and which stages of a replay.

use serde::Serialize;

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Letters only, in the family's own file format where that can show the board.
    Plain,
    /// Box drawing and other Unicode, with ANSI colour when `color` is set.
    Unicode {
        /// Whether ANSI colour codes may be used.
        color: bool,
    },
    /// A picture as SVG text.
    Svg,
}

/// A drawn board.
pub type Picture = String;

/// One stage of a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Frame {
    /// Moves made so far.
    pub moves: u32,
    /// What has just been done, as a word or a piece of the move string; empty for the start.
    pub label: String,
    /// The board.
    pub board: Picture,
}

/// Which stages of a replay are drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameOptions {
    /// After every move; else after each push and at the end.
    pub every_move: bool,
    /// How boards are drawn.
    pub style: Style,
    /// At most so many, start and end included, evenly spread over the replay: long replays have
    /// more stages than anyone would look at.
    pub most: usize,
}

impl FrameOptions {
    /// All stages: after every move, or after each push only.
    pub fn all(every_move: bool, style: Style) -> Self {
        Self { every_move, style, most: usize::MAX }
    }

    /// Which of `count` stages after the start are drawn, the last always.
    pub fn picks(self, count: usize) -> impl Fn(usize) -> bool {
        let drawn = self.most.saturating_sub(1).clamp(1, count.max(1));
        // The stage `index` (from 1) is drawn when a multiple of count/drawn falls on it.
        move |index: usize| {
            let (index, drawn, count) = (index as u128, drawn as u128, count.max(1) as u128);
            index * drawn / count > (index.saturating_sub(1)) * drawn / count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_picked_evenly_and_the_last_always() {
        for count in 0..40 {
            for most in 1..45 {
                let shots = FrameOptions { most, ..FrameOptions::all(true, Style::Plain) };
                let picks = shots.picks(count);
                let picked: Vec<usize> = (1..=count).filter(|&stage| picks(stage)).collect();
                let wanted = count.min((most - 1).max(1));
                assert_eq!(picked.len(), wanted, "{count} {most}");
                assert_eq!(picked.last().copied().unwrap_or(0), count, "{count} {most}");
                let gaps = picked.windows(2).map(|pair| pair[1] - pair[0]);
                let (least, largest) =
                    gaps.fold((usize::MAX, 0), |(a, b), gap| (a.min(gap), b.max(gap)));
                assert!(picked.len() < 3 || largest - least <= 1, "{count} {most}: {picked:?}");
            }
        }
    }
}
