//! Which levels of a file are meant: `-l 3`, `-l 1-20,40`, `-l '=3'`, `-l 'part of a title'`.

use crate::input::families::LEVELS;
use clap::Args;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Which levels of a collection.
#[derive(Args, Clone)]
pub(crate) struct SelectionArgs {
    /// Select levels of a collection, by number (from 1) or title
    ///
    /// A number (`3`), several (`1-20,40`, `30-`), a title, or part of a title if it is unique; `=3`
    /// is the title 3.
    #[arg(help_heading = LEVELS, long, short = 'l', value_name = "N|TITLE")]
    #[arg(allow_hyphen_values = true)]
    pub level: Option<Selection>,
}

/// One of several parts of all levels, which have none in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// From 0.
    number: u64,
    of: u64,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            let (number, of): (u64, u64) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&number).then(|| Self { number: number - 1, of })
        });
        numbers.ok_or_else(|| "expected K/N, such as 2/8 for the second of 8 parts".to_owned())
    }
}

impl Part {
    /// Whether a level of this identity belongs to the part; what has none belongs to the first.
    pub(crate) fn has(self, id: Option<&str>) -> bool {
        let number = |id: &str| {
            id.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
        };
        id.map_or(0, number) % self.of == self.number
    }
}

/// What `--level` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    given: String,
    levels: Levels,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Levels {
    /// Levels by number, from 1: single ones and ranges.
    Numbers(Vec<RangeInclusive<usize>>),
    /// The level of this very title.
    Title(String),
    /// The level of this title, or the only one whose title has it as a part.
    Part(String),
}

/// Numbers, commas and dashes mean numbers; `=` means a title; all else is a title or a part of one.
/// It is an error when a range ends before it begins, or counts from 0.
impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { given: text.to_owned(), levels: levels(text)? })
    }
}

fn levels(text: &str) -> Result<Levels, String> {
    if let Some(title) = text.strip_prefix('=') {
        return Ok(Levels::Title(title.to_owned()));
    }
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | ' ');
    if !text.chars().all(numeric) || !text.contains(|c: char| c.is_ascii_digit()) {
        return match text.trim() {
            "" => Err("give a number from 1, or a title".to_owned()),
            _ => Ok(Levels::Part(text.to_owned())),
        };
    }
    let range = |part: &str| {
        let (first, last) = match part.split_once('-') {
            None => (part.trim().parse().ok(), part.trim().parse().ok()),
            // `20-` goes on to the last level.
            Some((first, last)) if last.trim().is_empty() => {
                (first.trim().parse().ok(), Some(usize::MAX))
            }
            Some((first, last)) => (first.trim().parse().ok(), last.trim().parse().ok()),
        };
        match (first, last) {
            (Some(first), Some(last)) if 0 < first && first <= last => Ok(first..=last),
            (Some(0), Some(_)) => Err("levels are numbered from 1".to_owned()),
            _ => Err(format!("`{}` is not a range of level numbers, like `1-20,40`", part.trim())),
        }
    };
    text.split(',').map(range).collect::<Result<_, _>>().map(Levels::Numbers)
}

/// As it was given.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.given)
    }
}

impl Selection {
    /// The places (from 0) among these titles that are meant, in order; none when nothing fits.
    ///
    /// # Errors
    /// When a part of a title fits several levels: all of them.
    pub(crate) fn choose(&self, titles: &[Option<&str>]) -> Result<Vec<usize>, Vec<usize>> {
        let titled = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..titles.len()).filter(|&at| titles[at].is_some_and(fits)).collect()
        };
        match &self.levels {
            Levels::Numbers(ranges) => {
                let named = |at: &usize| ranges.iter().any(|range| range.contains(&(at + 1)));
                Ok((0..titles.len()).filter(named).collect())
            }
            Levels::Title(wanted) => Ok(titled(&|title| title == wanted)),
            Levels::Part(wanted) => {
                let exact = titled(&|title| title == wanted);
                if !exact.is_empty() {
                    return Ok(exact);
                }
                let wanted = wanted.to_lowercase();
                let parts = titled(&|title| title.to_lowercase().contains(&wanted));
                if parts.len() > 1 { Err(parts) } else { Ok(parts) }
            }
        }
    }

    /// The first number beyond the largest file, which has `most` levels.
    pub(crate) fn beyond(&self, most: usize) -> Option<usize> {
        let Levels::Numbers(ranges) = &self.levels else { return None };
        let beyond = |range: &RangeInclusive<usize>| {
            let last = if *range.end() == usize::MAX { *range.start() } else { *range.end() };
            (last > most).then_some(last)
        };
        ranges.iter().find_map(beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_in_one_part() {
        for of in 1..9_u64 {
            let parts = (1..=of).map(|number| format!("{number}/{of}").parse::<Part>().unwrap());
            let parts: Vec<Part> = parts.collect();
            let mut sizes = vec![0_u32; parts.len()];
            for level in 0..1_000_u64 {
                let id = format!("{:016x}", level.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                let has = (0..parts.len()).filter(|&at| parts[at].has(Some(&id)));
                let [part] = has.collect::<Vec<_>>()[..] else { panic!("{level}") };
                sizes[part] += 1;
            }
            // About the same work for each.
            let even = 1_000 / of as u32;
            assert!(sizes.iter().all(|size| (even / 2..=2 * even).contains(size)), "{sizes:?}");
            assert_eq!(parts.iter().filter(|part| part.has(None)).count(), 1);
        }
        for wrong in ["", "1", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    const TITLES: [Option<&str>; 5] =
        [Some("Dawn"), None, Some("Noon 1"), Some("Noon 2"), Some("3")];

    fn chosen(text: &str) -> Result<Vec<usize>, Vec<usize>> {
        text.parse::<Selection>().expect("a selection").choose(&TITLES)
    }

    #[test]
    fn numbers_and_titles_are_distinguished() {
        assert_eq!(chosen("3"), Ok(vec![2]));
        assert_eq!(chosen("=3"), Ok(vec![4]));
        assert_eq!(chosen("1-2, 4"), Ok(vec![0, 1, 3]));
        assert_eq!(chosen("4-"), Ok(vec![3, 4]));
        assert_eq!(chosen("Dawn"), Ok(vec![0]));
        assert_eq!(chosen("daw"), Ok(vec![0]));
        assert_eq!(chosen("noon"), Err(vec![2, 3]));
        assert_eq!(chosen("Noon 2"), Ok(vec![3]));
        assert_eq!(chosen("dusk"), Ok(vec![]));
        assert_eq!(chosen("=noon"), Ok(vec![]));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "  ", "0", "5-3", "1,,2", "1-2-3"] {
            assert!(text.parse::<Selection>().is_err(), "{text:?}");
        }
        assert_eq!("0".parse::<Selection>(), Err("levels are numbered from 1".to_owned()));
        let beyond = |text: &str| text.parse::<Selection>().expect("a range").beyond(5);
        assert_eq!((beyond("2-9"), beyond("2-")), (Some(9), None));
    }
}
