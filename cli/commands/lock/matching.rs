//! Which level of a file a result of a lock was about, where no level has its rules and its board any
//! more: levels have come, gone, moved or changed.

use serde::Serialize;
use std::fmt;

/// A level for programs, as it is now where it is there.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LevelName {
    /// The file of the level.
    pub file: String,
    /// Its number in the file, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    pub number: u64,
    /// Its title.
    pub title: Option<String>,
    /// The family.
    pub puzzle: String,
    /// The same for the same level, wherever it is.
    pub id: Option<String>,
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}", self.file, self.number)?;
        self.title.iter().try_for_each(|title| write!(f, " \"{title}\""))
    }
}

/// For each result the place of its level among those that have none: the one of the same title, else
/// the one of the same number, where no other result is about it. `None` where the level is gone.
pub(super) fn matched(results: &[LevelName], levels: &[LevelName]) -> Vec<Option<usize>> {
    type Same = fn(&LevelName, &LevelName) -> bool;
    let ways: [Same; 2] =
        [|a, b| a.title.is_some() && a.title == b.title, |a, b| a.number == b.number];
    let mut found: Vec<Option<usize>> = vec![None; results.len()];
    for same in ways {
        for (at, result) in results.iter().enumerate() {
            if found[at].is_none() {
                let is_free = |place: &usize| !found.contains(&Some(*place));
                let fits = |place: &usize| is_free(place) && same(result, &levels[*place]);
                found[at] = (0..levels.len()).find(fits);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels, each as its number and its title: `2:Two`.
    fn known(levels: &[&str]) -> Vec<LevelName> {
        let one = |level: &&str| {
            let (number, title) = level.split_once(':').unwrap_or((level, ""));
            let title = Some(title.to_owned()).filter(|title| !title.is_empty());
            LevelName { title, number: number.parse().unwrap(), ..LevelName::default() }
        };
        levels.iter().map(one).collect()
    }

    #[test]
    fn levels_are_found_by_title_then_number() {
        for (results, levels, expected) in [
            (&["1"][..], &["1"][..], &[Some(0)][..]),
            (&["1", "3"], &["2", "3"], &[None, Some(1)]),
            (&["1:One", "2:Two"], &["1:Two", "2:One"], &[Some(1), Some(0)]),
            (&["1:One"], &["1:New", "2:One"], &[Some(1)]),
            (&["1:One", "2"], &["2:One"], &[Some(0), None]),
            (&["1", "1"], &["1"], &[Some(0), None]),
            (&["1"], &[], &[None]),
        ] {
            assert_eq!(matched(&known(results), &known(levels)), expected, "{results:?}");
        }
    }
}
