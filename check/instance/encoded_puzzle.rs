//! An encoding with its types erased: what it knows of a puzzle before anything is asked.

use unstuck_encodings::{Encoding, Step};
use unstuck_puzzles::Facts;

/// What an [`Encoding`] knows of its puzzle; each method is that of the same name.
pub trait EncodedPuzzle {
    /// See [`Encoding::refusal`].
    fn refusal(&self) -> Option<&str> {
        None
    }

    /// See [`Encoding::lower_bound`].
    fn lower_bound(&self) -> Option<Step>;

    /// See [`Encoding::unsolvable_reason`].
    fn unsolvable_reason(&self) -> Option<String>;

    /// See [`Encoding::after`].
    fn after(&self, refuted: Step) -> Step;

    /// See [`Encoding::completeness_threshold`].
    fn completeness_threshold(&self) -> Option<Step>;

    /// See [`Encoding::relaxing_options`].
    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)>;

    /// See [`Encoding::facts`].
    fn facts(&self) -> Facts;
}

impl<E: Encoding> EncodedPuzzle for E {
    fn lower_bound(&self) -> Option<Step> {
        Encoding::lower_bound(self)
    }

    fn unsolvable_reason(&self) -> Option<String> {
        Encoding::unsolvable_reason(self)
    }

    fn after(&self, refuted: Step) -> Step {
        Encoding::after(self, refuted)
    }

    fn completeness_threshold(&self) -> Option<Step> {
        Encoding::completeness_threshold(self)
    }

    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        Encoding::relaxing_options(self)
    }

    fn facts(&self) -> Facts {
        Encoding::facts(self)
    }
}

/// A puzzle that its encoding refuses: nothing is known of it.
pub(super) struct RefusedPuzzle(pub(super) String);

impl EncodedPuzzle for RefusedPuzzle {
    fn refusal(&self) -> Option<&str> {
        Some(&self.0)
    }

    fn lower_bound(&self) -> Option<Step> {
        Some(0)
    }

    fn unsolvable_reason(&self) -> Option<String> {
        None
    }

    fn after(&self, refuted: Step) -> Step {
        refuted + 1
    }

    fn completeness_threshold(&self) -> Option<Step> {
        None
    }

    fn relaxing_options(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        Vec::new()
    }

    fn facts(&self) -> Facts {
        Facts::new()
    }
}
