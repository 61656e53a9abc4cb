//! Frame lemmas: what an action does to one literal of the layer before it.
//!
//! That is the same from every cube, so it becomes a lemma of its own the first time, which keeps
//! the hints of all that follows short.

use crate::proof::propagate::{Id, LratWriter, Propagator};
use hashbrown::HashMap;
use std::io::{self, Write};
use unstuck_encodings::Lit;

/// Frame lemmas speak of at most this many literals of the layer before.
const FRAME_LITERALS: usize = 3;

/// A proof in the making, to which clauses are added that follow by propagation.
pub(super) trait Lemmas {
    /// Adds a clause, with what it follows from; its number.
    ///
    /// # Errors
    /// When the proof cannot be written.
    fn lemma(&mut self, lits: &[Lit], hints: &[Id]) -> io::Result<Id>;
}

impl<W: Write> Lemmas for LratWriter<W> {
    fn lemma(&mut self, lits: &[Lit], hints: &[Id]) -> io::Result<Id> {
        LratWriter::lemma(self, lits, hints)
    }
}

/// The frame lemmas of a proof.
#[derive(Default)]
pub(super) struct Frames(HashMap<Box<[Lit]>, Id>);

impl Frames {
    /// Hints for true literals, by frame lemmas where these are short and an action is assumed.
    pub(super) fn explain(
        &mut self,
        engine: &mut Propagator,
        proof: &mut impl Lemmas,
        lits: &[Lit],
        action: Option<Lit>,
    ) -> io::Result<Vec<Id>> {
        let Some(action) = action else { return Ok(engine.explain(lits.iter().copied())) };
        let mut needed = Vec::new();
        let mut frames = Vec::new();
        let mut rest = Vec::new();
        for &lit in lits {
            let Some((support, hints)) = engine.support(lit, FRAME_LITERALS + 1) else {
                rest.push(lit);
                continue;
            };
            let clause: Box<[Lit]> =
                std::iter::once(lit).chain(support.iter().map(|&lit| !lit)).collect();
            needed.extend(support.into_iter().filter(|&lit| lit != action));
            let id = match self.0.get(&clause) {
                Some(&id) => id,
                None => {
                    let id = proof.lemma(&clause, &hints)?;
                    self.0.insert(clause, id);
                    id
                }
            };
            frames.push((lit, id));
        }
        needed.extend(rest);
        let mut hints = engine.explain(needed);
        // Strict checkers refuse a hint that says what is known already.
        let unknown = frames.into_iter().filter(|&(lit, _)| !engine.was_explained(lit));
        hints.extend(unknown.map(|(_, id)| id));
        Ok(hints)
    }
}
