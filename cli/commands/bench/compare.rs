//! Columns of a benchmark against each other: levels settled, ratios of time.
//!
//! Runs of one level stand side by side in time, so that other work on the machine hits both alike;
//! processor time is compared where the system reports it, seconds else. A ratio needs both runs to
//! have settled the level; the others count as settled by one alone.

use crate::commands::bench::BenchRow;
use crate::store::result::Question;
use std::fmt::Write as _;

/// Shorter times than this are noise, and count as this.
const MIN_SECONDS: f64 = 0.01;

/// What became of a level in two columns.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    times: [f64; 2],
    settled: [bool; 2],
    /// Whether the columns ask other formulas, or other solvers, and neither run asked any.
    needless: bool,
}

/// Whether a row has its answer: a plan that is as short as it can be (or any, where nothing is
/// counted), or the proof that there is none.
fn is_settled(row: &BenchRow) -> bool {
    let answer = &row.result.answer;
    match answer.verdict.as_str() {
        "solved" => *answer.optimal != Some(false),
        "unsolvable" | "no-solution-within" => true,
        _ => false,
    }
}

fn time(row: &BenchRow) -> f64 {
    let seconds = row.result.cpu_seconds.or(*row.result.answer.seconds);
    seconds.unwrap_or_default().max(MIN_SECONDS)
}

/// Whether two runs of a level differ in nothing but formulas and solvers, and asked neither.
fn is_needless(a: &BenchRow, b: &BenchRow) -> bool {
    let beside_formulas = |row: &BenchRow| {
        let question = row.result.asked.question.clone();
        Question { backend: String::new(), without: Vec::new(), ..question }
    };
    [a, b].iter().all(|row| row.formulas().is_empty()) && beside_formulas(a) == beside_formulas(b)
}

/// The levels that both columns have.
fn pairs(rows: &[BenchRow], names: [&str; 2]) -> Vec<Pair> {
    let of = |name: &str| rows.iter().filter(move |row| row.variant == name).collect::<Vec<_>>();
    let (first, second) = (of(names[0]), of(names[1]));
    let level = |row: &BenchRow| (row.result.asked.file.clone(), row.result.asked.number);
    let pair = |a: &&BenchRow| {
        let b = second.iter().find(|b| level(a) == level(b))?;
        Some(Pair {
            times: [time(a), time(b)],
            settled: [is_settled(a), is_settled(b)],
            needless: is_needless(a, b),
        })
    };
    first.iter().filter_map(pair).collect()
}

/// Each column against the first, in sentences; nothing for one column.
pub(super) fn sentences(rows: &[BenchRow], names: &[String]) -> String {
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
        if !pairs.is_empty() && pairs.iter().all(|it| it.needless) {
            text.push_str("; no level needed a formula");
        } else if let Some(mean) = geometric_mean(&ratios) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::result::{LevelQuestion, LevelResult};
    use unstuck::report::{HorizonReport, LevelAnswer};

    fn row(number: u64, variant: &str, verdict: &str, cpu: f64) -> BenchRow {
        let answer = LevelAnswer {
            verdict: verdict.to_owned(),
            optimal: (verdict == "solved").then_some(true).into(),
            seconds: 100.0.into(),
            ..LevelAnswer::default()
        };
        let (file, number) = ("a<b".to_owned(), Some(number));
        let asked = LevelQuestion { file, number, ..LevelQuestion::default() };
        let mut result = LevelResult::new(asked, answer);
        result.cpu_seconds = Some(cpu);
        with_formulas(BenchRow { variant: variant.to_owned(), result }, 1)
    }

    fn with_formulas(mut row: BenchRow, count: usize) -> BenchRow {
        let formula = HorizonReport {
            horizon: 1,
            tie_break_cap: None,
            variables: 1,
            clauses: 1,
            conflicts: None,
            rounds: 1,
            answer: "sat".to_owned(),
            seconds: 0.0,
        };
        row.result.answer.horizons = vec![formula; count].into();
        row
    }

    fn rows() -> Vec<BenchRow> {
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
    fn columns_that_differ_in_formulas_alone_are_alike_where_there_were_none() {
        let names = ["all", "less"].map(str::to_owned);
        let row = |variant: &str, without: &str, horizons: usize| {
            let mut row = row(1, variant, "solved", 1.0);
            row.result.asked.question.without = vec![without.to_owned()];
            with_formulas(row, horizons)
        };
        let rows = |horizons| [row("all", "", 0), row("less", "mirror", horizons)];
        assert!(sentences(&rows(0), &names).ends_with("0 and 0; no level needed a formula\n"));
        assert!(sentences(&rows(1), &names).contains("time ratio 1.00"));
    }
}
