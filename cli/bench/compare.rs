//! Columns of a benchmark against each other: levels settled, ratios of time, a scatter plot.
//!
//! Runs of one level stand side by side in time, so that other work on the machine hits both alike;
//! processor time is compared where the system reports it, seconds else. A ratio needs both runs to
//! have settled the level; the others count as settled by one alone.

use serde_json::Value;
use std::fmt::Write as _;

/// Shorter times than this are noise, and count as this.
const MIN_SECONDS: f64 = 0.01;

/// Size of the plot, and of the margin around it, in pixels.
const SIZE: f64 = 480.0;
const MARGIN: f64 = 60.0;

/// Colours of the columns after the first.
const COLOURS: [&str; 6] = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bc4c00", "#57606a"];

/// What became of a level in two columns.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair<'a> {
    level: &'a str,
    number: u64,
    times: [f64; 2],
    settled: [bool; 2],
}

/// Whether a row has its answer: a plan that is as short as it can be (or any, where nothing is
/// counted), or the proof that there is none.
fn is_settled(row: &Value) -> bool {
    match row["verdict"].as_str() {
        Some("solved" | "unique" | "several") => row["optimal"] != false,
        Some("unsolvable") => true,
        _ => false,
    }
}

fn time(row: &Value) -> f64 {
    let seconds = row["cpu_seconds"].as_f64().or(row["seconds"].as_f64());
    seconds.unwrap_or_default().max(MIN_SECONDS)
}

/// The levels that both columns have.
fn pairs<'a>(rows: &'a [Value], names: [&str; 2]) -> Vec<Pair<'a>> {
    let of = |name: &str| rows.iter().filter(move |row| row["variant"] == name).collect::<Vec<_>>();
    let (first, second) = (of(names[0]), of(names[1]));
    let same = |a: &Value, b: &Value| a["file"] == b["file"] && a["number"] == b["number"];
    let pair = |a: &'a Value| {
        let b = second.iter().find(|b| same(a, b))?;
        Some(Pair {
            level: a["file"].as_str().unwrap_or_default(),
            number: a["number"].as_u64().unwrap_or_default(),
            times: [time(a), time(b)],
            settled: [is_settled(a), is_settled(b)],
        })
    };
    first.iter().filter_map(|a| pair(a)).collect()
}

/// Each column against the first, in sentences; nothing for one column.
pub(super) fn sentences(rows: &[Value], names: &[String]) -> String {
    let Some((first, others)) = names.split_first() else { return String::new() };
    others.iter().fold(String::new(), |mut text, name| {
        let pairs = pairs(rows, [first, name]);
        let count = |settled: [bool; 2]| pairs.iter().filter(|it| it.settled == settled).count();
        let (both, only) = (count([true, true]), [count([true, false]), count([false, true])]);
        let _ = write!(
            text,
            "{name} vs {first}: solved {0}/{2} and {1}/{2}, only by one of them {3} and {4}",
            both + only[1],
            both + only[0],
            pairs.len(),
            only[1],
            only[0]
        );
        let ratios: Vec<f64> = pairs
            .iter()
            .filter(|it| it.settled == [true, true])
            .map(|it| it.times[1] / it.times[0])
            .collect();
        if let Some(mean) = geometric_mean(&ratios) {
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let most = ratios.iter().copied().fold(0.0, f64::max);
            let _ = write!(text, "; time ratio {mean:.2} ({least:.2} to {most:.2})");
        }
        text.push('\n');
        text
    })
}

/// None for no numbers.
fn geometric_mean(numbers: &[f64]) -> Option<f64> {
    let logarithms: f64 = numbers.iter().map(|number| number.ln()).sum();
    (!numbers.is_empty()).then(|| (logarithms / numbers.len() as f64).exp())
}

/// A picture with a point for each level: across, the time in the first column, upwards in another;
/// below the diagonal the other is faster. Runs without an answer lie on the far edges.
pub(super) fn scatter(rows: &[Value], names: &[String], limit: f64) -> String {
    let limit = limit.max(10.0 * MIN_SECONDS);
    // Logarithmic from the least time to the limit; what is not settled lies a little beyond.
    let along = |seconds: f64, settled: bool| {
        let share =
            (seconds.clamp(MIN_SECONDS, limit) / MIN_SECONDS).ln() / (limit / MIN_SECONDS).ln();
        SIZE * if settled { 0.95 * share } else { 1.0 }
    };
    let (x, y) = (|at: f64| MARGIN + at, |at: f64| MARGIN + SIZE - at);
    let whole = SIZE + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"{whole}\" \
         viewBox=\"0 0 {whole} {whole}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{whole}\" height=\"{whole}\" fill=\"white\"/>\n\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"none\" \
         stroke=\"#888\"/>\n"
    );
    let mut line = |from: (f64, f64), to: (f64, f64)| {
        let (x1, y1, x2, y2) = (x(from.0), y(from.1), x(to.0), y(to.1));
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ccc\"/>"
        );
    };
    let end = along(limit, true);
    line((0.0, 0.0), (end, end));
    line((end, 0.0), (end, SIZE));
    line((0.0, end), (SIZE, end));
    let mut words = |x: f64, y: f64, anchor: &str, fill: &str, words: &str| {
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{words}</text>"
        );
    };
    let decades = std::iter::successors(Some(MIN_SECONDS), |tick| Some(tick * 10.0));
    for tick in decades.take_while(|&tick| tick <= limit * 1.0001) {
        let at = along(tick, true);
        words(x(at), y(0.0) + 16.0, "middle", "#333", &format!("{tick} s"));
        words(x(0.0) - 6.0, y(at) + 4.0, "end", "#333", &format!("{tick}"));
    }
    let first = names.first().map_or("", String::as_str);
    words(x(SIZE / 2.0), y(0.0) + 40.0, "middle", "#333", first);
    for (index, name) in names.iter().skip(1).enumerate() {
        let fill = COLOURS[index % COLOURS.len()];
        words(x(8.0), y(SIZE) + 18.0 + 16.0 * index as f64, "start", fill, name);
    }
    for (index, name) in names.iter().skip(1).enumerate() {
        let fill = COLOURS[index % COLOURS.len()];
        for pair in pairs(rows, [first, name]) {
            let at = [0, 1].map(|column| along(pair.times[column], pair.settled[column]));
            let level = pair.level.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{fill}\" fill-opacity=\"0.6\">\
                 <title>{level} #{}</title></circle>",
                x(at[0]),
                y(at[1]),
                pair.number
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(number: u64, variant: &str, verdict: &str, cpu: f64) -> Value {
        let optimal = (verdict == "solved").then_some(true);
        json!({"file": "a<b", "number": number, "variant": variant, "verdict": verdict,
               "optimal": optimal, "cpu_seconds": cpu, "seconds": 100.0})
    }

    fn rows() -> Vec<Value> {
        vec![
            row(1, "all", "solved", 1.0),
            row(1, "less", "solved", 4.0),
            row(2, "all", "unsolvable", 2.0),
            row(2, "less", "unsolvable", 2.0),
            row(3, "all", "solved", 1.0),
            row(3, "less", "unknown", 9.0),
            row(4, "all", "solved", 1.0),
        ]
    }

    #[test]
    fn columns_are_compared_on_the_levels_that_both_have() {
        let names = ["all", "less"].map(str::to_owned);
        assert_eq!(
            sentences(&rows(), &names),
            "less vs all: solved 2/3 and 3/3, only by one of them 0 and 1; time ratio 2.00 (1.00 to 4.00)\n"
        );
        assert_eq!(sentences(&rows(), &names[..1]), "");
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn a_plot_has_a_point_for_each_level_and_names_it() {
        let names = ["all", "less"].map(str::to_owned);
        let svg = scatter(&rows(), &names, 10.0);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("<title>a&lt;b #3</title>") && svg.ends_with("</svg>\n"));
        // Without an answer: on the upper edge.
        let edge = format!("cy=\"{MARGIN:.1}\"");
        assert_eq!(svg.matches(&edge).count(), 1);
    }
}
