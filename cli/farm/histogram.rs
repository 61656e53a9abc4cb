//! The distribution of optimum, search and time over the results of a store, as one picture.

use crate::plot::{self, Bar, Kind};
use serde_json::Value;
use std::collections::BTreeMap;

/// The three figures; each has bars of its own.
const KINDS: [Kind; 3] = [
    Kind { name: "OPTIMUM", colour: "#0072b2" },
    Kind { name: "STATES", colour: "#e69f00" },
    Kind { name: "SECONDS", colour: "#009e73" },
];

/// The most bars of the optimum.
const OPTIMA: u64 = 16;

/// How many times as much the next bar of states holds.
const STATES: u64 = 4;

/// The first bar of seconds ends at a ten-thousandth; three times as many end the next, then ten.
const FIRST: i32 = -8;

/// How many levels have how much.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// By the exponent of [`STATES`] that is not exceeded.
    states: BTreeMap<u32, usize>,
    /// By half decades.
    seconds: BTreeMap<i32, usize>,
}

impl Histogram {
    pub(super) fn add(&mut self, line: &Value) {
        if let Some(expanded) = line["search"]["expanded"].as_u64() {
            let most = (0..).find(|&at| STATES.saturating_pow(at) >= expanded).unwrap_or(u32::MAX);
            *self.states.entry(most).or_default() += 1;
        }
        if let Some(seconds) = line["seconds"].as_f64() {
            let at = (FIRST..=40).find(|&at| seconds <= bound(at)).unwrap_or(40);
            *self.seconds.entry(at).or_default() += 1;
        }
    }

    /// The picture; for the optima it states how many levels have each.
    pub(super) fn picture(&self, optima: &BTreeMap<u64, u64>) -> String {
        let mut bars = Vec::new();
        let most = optima.keys().next_back().map_or(0, |most| most + 1);
        let step = most.div_ceil(OPTIMA).max(1);
        for first in (0..most).step_by(step as usize) {
            let count = optima.range(first..first + step).map(|(_, &count)| count as usize).sum();
            let name = match step {
                1 => format!("{first}"),
                _ => format!("{first} to {}", first + step - 1),
            };
            bars.push(bar(0, name, count));
        }
        let last = self.states.keys().next_back().map_or(0, |last| last + 1);
        for at in 0..last {
            let count = self.states.get(&at).copied().unwrap_or_default();
            bars.push(bar(1, format!("up to {} states", STATES.saturating_pow(at)), count));
        }
        let last = self.seconds.keys().next_back().map_or(FIRST, |last| last + 1);
        for at in FIRST..last {
            let count = self.seconds.get(&at).copied().unwrap_or_default();
            bars.push(bar(2, format!("up to {} seconds", bound(at)), count));
        }
        plot::bars(&KINDS, &bars, false)
    }
}

/// Where a bar of seconds ends: 0.0001, 0.0003, 0.001 and so on.
fn bound(at: i32) -> f64 {
    let lead = if at.rem_euclid(2) == 0 { "1" } else { "3" };
    format!("{lead}e{}", at.div_euclid(2)).parse().unwrap_or(f64::INFINITY)
}

fn bar(kind: usize, name: String, count: usize) -> Bar {
    let mut parts = vec![0; KINDS.len()];
    parts[kind] = count;
    Bar { name, parts, figure: count.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn levels_stand_in_the_bar_that_holds_them() {
        let mut histogram = Histogram::default();
        for (expanded, seconds) in [(0, 0.00001), (4, 0.0001), (5, 0.0002), (16, 2.0)] {
            histogram.add(&json!({ "search": { "expanded": expanded }, "seconds": seconds }));
        }
        histogram.add(&json!({ "search": null, "seconds": null }));
        assert_eq!(histogram.states, BTreeMap::from([(0, 1), (1, 1), (2, 2)]));
        assert_eq!(histogram.seconds, BTreeMap::from([(-8, 2), (-7, 1), (1, 1)]));
        assert_eq!((bound(-8), bound(-7), bound(0), bound(1)), (0.0001, 0.0003, 1.0, 3.0));
        let picture = histogram.picture(&BTreeMap::from([(3, 2), (40, 4)]));
        // Fourteen bars of three pushes, three of states, ten of seconds; the longest has four.
        let heights = (14 + 3 + 10) as f64 + 2.5;
        assert!(picture.contains(&format!("height=\"{}\"", heights * 22.0)), "{picture}");
        assert!(picture.contains("width=\"400\"") && picture.contains("width=\"200\""));
        assert!(Histogram::default().picture(&BTreeMap::new()).contains("<svg"));
    }
}
