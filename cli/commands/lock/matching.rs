//! Which level of a file an entry of a lock is about, when levels have come, gone, moved or changed.

use std::collections::HashMap;

/// What a level is known by: in an entry, and in the file as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LevelKey {
    pub identity: String,
    pub title: Option<String>,
    /// From 1.
    pub number: u64,
}

/// For each entry the place of its level among those that are there now: the same level (where there
/// are several of them, the one of the same number or title), else the one of the same title, else the
/// one of the same number, where no other entry is about it. `None` where the level is gone.
pub(super) fn matched(entries: &[LevelKey], levels: &[LevelKey]) -> Vec<Option<usize>> {
    type Key = fn(&LevelKey) -> Option<String>;
    let same = |known: &LevelKey| format!("{} {}", known.identity, known.number);
    let keys: [Key; 4] = [
        |known| Some(format!("{} {}", known.identity, known.title.as_ref()?)),
        |known| Some(known.identity.clone()),
        |known| known.title.clone(),
        |known| Some(known.number.to_string()),
    ];
    let mut found: Vec<Option<usize>> = vec![None; entries.len()];
    let mut taken = vec![false; levels.len()];
    // Two entries about one level are both about it.
    let by_place: HashMap<String, usize> =
        levels.iter().enumerate().map(|(at, level)| (same(level), at)).collect();
    for (entry, found) in entries.iter().zip(&mut found) {
        *found = by_place.get(&same(entry)).copied();
        found.iter().for_each(|&at| taken[at] = true);
    }
    for key in keys {
        let mut free: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, level) in levels.iter().enumerate().rev().filter(|&(at, _)| !taken[at]) {
            if let Some(key) = key(level) {
                free.entry(key).or_default().push(at);
            }
        }
        for (entry, found) in entries.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = key(entry).and_then(|key| free.get_mut(&key)?.pop());
            found.iter().for_each(|&at| taken[at] = true);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels in their order, each as its identity and its title: `a:One`.
    fn known(levels: &[&str]) -> Vec<LevelKey> {
        let one = |(number, level): (u64, &&str)| {
            let (identity, title) = level.split_once(':').unwrap_or((level, ""));
            let title = Some(title.to_owned()).filter(|title| !title.is_empty());
            LevelKey { identity: identity.to_owned(), title, number }
        };
        (1..).zip(levels).map(one).collect()
    }

    #[test]
    fn levels_are_found_by_identity_then_title_then_number() {
        for (entries, levels, expected) in [
            // Nothing has changed; one has come, one has gone, wherever that was.
            (&["a", "b", "c"][..], &["a", "b", "c"][..], &[Some(0), Some(1), Some(2)][..]),
            (&["a", "b"], &["x", "a", "b"], &[Some(1), Some(2)]),
            (&["a", "b", "c"], &["b", "c"], &[None, Some(0), Some(1)]),
            (&["a", "b", "c"], &["a", "c"], &[Some(0), None, Some(1)]),
            (&["a", "b", "c"], &["a", "c", "x"], &[Some(0), None, Some(1)]),
            (&["a", "b"], &[], &[None, None]),
            // One has changed: known by its title, else by its number.
            (&["a:One", "b:Two"], &["b:Two", "x:One"], &[Some(1), Some(0)]),
            (&["a", "b"], &["a", "x"], &[Some(0), Some(1)]),
            (&["a:One", "b:Two"], &["a:One", "x:New"], &[Some(0), Some(1)]),
            // Of two that are the same each has its own.
            (&["a:One", "a:Two"], &["a:Two", "a:One"], &[Some(0), Some(1)]),
            (&["a:One", "a:Two"], &["x", "a:Two", "a:One"], &[Some(2), Some(1)]),
            (&["a", "a"], &["x", "a"], &[Some(0), Some(1)]),
        ] {
            assert_eq!(
                matched(&known(entries), &known(levels)),
                expected,
                "{entries:?} {levels:?}"
            );
        }
        // Two entries about one level.
        let entries = [known(&["a"]), known(&["a"])].concat();
        assert_eq!(matched(&entries, &known(&["a"])), [Some(0), Some(0)]);
    }
}
