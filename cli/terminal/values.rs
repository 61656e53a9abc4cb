//! Values of options that are more than a word or a number: times, sizes, horizons.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A time: seconds, or with units (`90`, `1.5`, `10m`, `1h 30m`).
///
/// # Errors
/// When it is no time.
pub(crate) fn time(text: &str) -> Result<Duration, &'static str> {
    let time = match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text.trim()).ok(),
    };
    time.ok_or("give seconds, or a time like `90s`, `10m` or `1h30m`")
}

/// Values that have names: help lists these.
pub(crate) fn words<T: Clone + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(words.each_ref().map(|(name, _)| *name));
    names.map(move |given: String| {
        let value = words.iter().find(|(name, _)| *name == given);
        value.expect("only these are possible").1.clone()
    })
}

/// A time as a person writes it.
pub(crate) fn shown_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..10.0 => format!("{seconds:.2} s"),
        ..60.0 => format!("{seconds:.1} s"),
        _ => humantime::format_duration(Duration::from_secs(seconds.round() as u64)).to_string(),
    }
}

/// Seconds as a person writes them; nothing where they are no time.
pub(crate) fn shown_seconds(seconds: f64) -> String {
    shown_time(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

/// An amount of memory in bytes: MiB, or with a unit (`500`, `500M`, `2G`).
///
/// # Errors
/// When it is no amount.
pub(crate) fn memory(text: &str) -> Result<u64, &'static str> {
    let sizes = parse_size::Config::new().with_binary().with_default_factor(1 << 20);
    let bytes = sizes.parse_size(text).ok().filter(|&bytes| bytes > 0);
    bytes.ok_or("give MiB, or an amount like `500M` or `2G`")
}

/// One horizon, or several for a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Horizons(pub RangeInclusive<u32>);

impl Horizons {
    /// Each of them; none where the question has no horizon.
    pub(crate) fn each(given: Option<&Self>) -> Vec<Option<u32>> {
        given.map_or_else(|| vec![None], |Self(range)| range.clone().map(Some).collect())
    }
}

/// A horizon (`20`), or the first and the last of several (`3..8`).
impl FromStr for Horizons {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let to = to.strip_prefix('=').unwrap_or(to);
        match (from.trim().parse(), to.trim().parse()) {
            (Ok(from), Ok(to)) if from <= to => Ok(Self(from..=to)),
            _ => Err("give a number, or the first and the last of several, like `3..8`"),
        }
    }
}

/// Moves a second in a film.
///
/// # Errors
/// When it is none that can be followed.
pub(crate) fn speed(text: &str) -> Result<f64, &'static str> {
    let speed = text.parse().ok().filter(|speed| (0.01..=1000.0).contains(speed));
    speed.ok_or("give moves a second, between 0.01 and 1000; 6 is a good speed to follow")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| time(text).map(|time| time.as_secs_f64());
        for (text, wanted) in [("90", 90.0), ("1.5", 1.5), ("10m", 600.0), ("1h 30m", 5400.0)] {
            assert_eq!(seconds(text), Ok(wanted), "{text}");
        }
        for text in ["", "-1", "NaN", "inf", "ten", "10 parsecs"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_of_memory_are_mebibytes_unless_said() {
        for (text, wanted) in [("500", 500 << 20), ("2G", 2 << 30), ("1.5 GiB", 3 << 29)] {
            assert_eq!(memory(text), Ok(wanted), "{text}");
        }
        for text in ["", "-1", "0", "much", "1e99", "5 potatoes"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn horizons_are_one_or_several() {
        let horizons = |text: &str| text.parse::<Horizons>();
        assert_eq!(horizons("7"), Ok(Horizons(7..=7)));
        assert_eq!(horizons("3..8"), Ok(Horizons(3..=8)));
        for text in ["", "8..3", "..", "3..", "-1", "x"] {
            assert!(horizons(text).is_err(), "{text}");
        }
    }
}
