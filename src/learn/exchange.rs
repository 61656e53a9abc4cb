//! Threads that learn beside each other: what one has learned or refuted, all come to know.
//!
//! Each thread refutes the same waste in an order of its own. Now and then it sends the others what
//! it has learned since, and receives what they have. An entry keeps its number everywhere, so what
//! it rests on need not be translated: the entries that it names were sent before it.

use super::cover::KnowledgeBase;
use super::reason::Reason;
use super::sets::Id;
use super::store::Entry;
use crate::machine::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// An entry that a thread has shared.
struct SharedEntry<const W: usize> {
    by: usize,
    id: Id,
    entry: Entry<W>,
}

struct Log<const W: usize> {
    entries: Vec<SharedEntry<W>>,
    /// Why nothing within `cap` minus one is possible.
    root: Option<Reason<W>>,
    /// The waste that is being refuted.
    cap: u32,
}

/// Where threads share what they have learned.
pub(super) struct Exchange<const W: usize> {
    log: Mutex<Log<W>>,
    nodes: AtomicU64,
}

/// How much of an exchange a thread has read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    entries: usize,
    nodes: u64,
}

impl<const W: usize> Default for Exchange<W> {
    fn default() -> Self {
        let log = Mutex::new(Log { entries: Vec::new(), root: None, cap: 0 });
        Self { log, nodes: AtomicU64::new(0) }
    }
}

impl<const W: usize> Exchange<W> {
    /// Shares what was learned and refuted, and receives the same from the others; the cap that is
    /// now being refuted, with the reason why everything below it is.
    pub(super) fn meet(
        &self,
        known: &mut KnowledgeBase<'_, W>,
        cursor: &mut Cursor,
        refuted: Option<&Reason<W>>,
    ) -> (u32, Option<Reason<W>>) {
        let (own, pieces) = (known.thread, known.board.field.pieces.len());
        let mut log = lock(&self.log);
        for entries in &log.entries[cursor.entries..] {
            if entries.by != own {
                // As those who learned it decided: see `KnowledgeBase` and the prover.
                let is_whole = entries.entry.sites.len() == pieces && !entries.entry.negative;
                known.store.hear(entries.id, entries.entry.clone(), is_whole);
            }
        }
        let new = known.store.take_new();
        log.entries.extend(new.into_iter().map(|(id, entry)| SharedEntry { by: own, id, entry }));
        cursor.entries = log.entries.len();
        if let Some(reason) = refuted
            && reason.value > log.cap
        {
            log.cap = reason.value;
            log.root = Some(reason.clone());
        }
        (log.cap, log.root.clone())
    }

    /// Adds a thread's nodes; the sum of all.
    pub(super) fn count(&self, cursor: &mut Cursor, nodes: u64) -> u64 {
        let more = nodes - cursor.nodes;
        cursor.nodes = nodes;
        self.nodes.fetch_add(more, Ordering::Relaxed) + more
    }
}
