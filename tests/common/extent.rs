//! How much of a long test is run.
//!
//! Comparisons with exhaustive search get better with every board, and slower. By default each takes a
//! sample, always the same, in which every objective, rule and outcome still occurs: the tests say
//! how many of which they have seen. The environment variable `UNSTUCK_TESTS` asks for more: `all`
//! for the whole, or a number for so many times the whole, where boards are random.
#![allow(dead_code, reason = "each test uses its part")]

/// How many are looked at: those of the sample, of the whole, or of many times the whole.
pub(crate) fn extent(sample: u64, whole: u64) -> u64 {
    match std::env::var("UNSTUCK_TESTS").unwrap_or_default().as_str() {
        "" => sample,
        "all" => whole,
        times => {
            let times = times.parse().unwrap_or_else(|_| panic!("UNSTUCK_TESTS={times}: what?"));
            whole.saturating_mul(times)
        }
    }
}

/// Whether more than a sample is asked for.
pub(crate) fn is_whole() -> bool {
    extent(0, 1) > 0
}
