//! Patterns that count what boxes waste outside a zone around the goals.
//!
//! The contents of a zone are shown by the pushes that begin or end in it, and by what ending
//! wastes. These patterns count no such push. So what they promise is added to what the contents
//! of their zone promise: every push is counted once.

use super::ground::Set;
use super::judge::{Counted, Entry, Judge};
use super::weights::refuse;
use super::{Cover, PatternError};

impl Judge<'_> {
    /// A pattern shown by the pushes of its boxes, none of which is in the zone. A push into the zone
    /// wastes nothing here, and a box that is there is in no pattern that covers what follows.
    pub(super) fn outside(
        &mut self,
        number: usize,
        zone: u32,
        covers: &[Cover],
    ) -> Result<(), PatternError> {
        // It holds all goals, so no solved state has a box outside: nothing is to be said of the end.
        let inside = self.zone(zone)?;
        let entry = &self.entries[number];
        if !entry.empty.is_empty() {
            return refuse("its own boxes do not need empty cells");
        }
        if entry.boxes.is_empty() || entry.boxes.iter().any(|&at| inside.has(at)) {
            return refuse("its boxes must stand outside its zone");
        }
        let covers = self.covers_by_push(covers)?;
        let (counted, nothing) = (Counted::Outside(zone), Set::default());
        let Entry { boxes, part, value, .. } = entry;
        self.judged.pushes += self.own_pushes(boxes, part, *value, &nothing, counted, &covers)?;
        Ok(())
    }
}
