//! A batch as a person reads it: a line while it runs, a table at the end, totals.

use crate::answer::by_file::{LevelRow, WIDTH, by_file, painted};
use crate::answer::rule_use;
use crate::store::result::LevelResult;
use crate::store::summary::Summary;
use crate::terminal::columns::{DOTS, figure};
use crate::terminal::text::one_line;
use crate::terminal::values::{self, shown_time};
use console::{Alignment, measure_text_width, pad_str};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;
use unstuck::instance::{in_brackets, not_asked_for};
use unstuck::registry::by_name;
use unstuck::report::{Length, RuleUse, sentences};
use unstuck_puzzles::{Measures, Tally};

/// One level of a batch, from its object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row {
    /// The file of the level.
    pub file: String,
    /// Number in its file.
    pub number: Option<u64>,
    /// Title, or how the level is called without one.
    pub name: String,
    /// The verdict in a word or two.
    pub verdict: String,
    /// What lengths are called in the family: `moves/pushes`.
    pub measured: String,
    /// Length of the plan, or another measure of the solution.
    pub length: String,
    /// Lower bound, where it says more than the plan does.
    pub lower: String,
    /// Whether there is no other solution, where that was asked: `yes`, `no` or `?`.
    pub unique: &'static str,
    /// The number of shortest solutions of a game, where that was asked; `?` where it stays open.
    pub plans: String,
    /// The rules that act in them, where that was asked and is known.
    pub rules: Option<Option<RuleUse>>,
    /// Wall-clock time.
    pub time: Duration,
    /// Where it was read, if it was not found in this run: `store`.
    pub from: &'static str,
    /// The exit code of the level alone.
    pub exit: u8,
}

impl Row {
    /// The row of a result of `solve`.
    pub(crate) fn of(name: String, LevelResult { asked, answer, .. }: &LevelResult) -> Self {
        let optimal = *answer.optimal == Some(true);
        let terms = answer.terms.as_deref().unwrap_or_default();
        let verdict = match answer.verdict.as_str() {
            "" => "error".to_owned(),
            "solved" if optimal => "optimal".to_owned(),
            "solved" if *answer.unique == Some(true) => {
                format!("solved, unique{}", one_line(&in_brackets(terms)))
            }
            "no-solution-within" => {
                let none =
                    |horizon| format!("none within {horizon}{}", one_line(&not_asked_for(terms)));
                answer.horizon.map_or_else(String::new, none)
            }
            "unsolvable" => format!("unsolvable{}", one_line(&not_asked_for(terms))),
            "unknown" => match answer.stopped_by.as_deref() {
                Some("interrupted") => "interrupted".to_owned(),
                Some(limit) => format!("unknown ({})", one_line(limit)),
                None => "unknown".to_owned(),
            },
            word => one_line(word),
        };
        let lower = answer.lower.filter(|&lower| lower > 0 && !optimal);
        let lower = lower.filter(|_| answer.verdict != "unsolvable");
        let unique = match *answer.unique {
            _ if !asked.question.unique || answer.verdict != "solved" => "",
            Some(true) => "yes",
            Some(false) => "no",
            None => "?",
        };
        let plans = &answer.optimal_plans;
        let plans = if plans.is_missing() { String::new() } else { self::plans(plans.as_ref()) };
        let length = answer.solution.as_ref().and_then(|solution| solution.length);
        let length = length.map(|Length { moves, pushes }| Tally { moves, pushes });
        Self {
            file: asked.file.clone(),
            number: asked.number,
            name,
            verdict,
            measured: measured(asked.puzzle.as_deref()),
            length: length.map_or_else(String::new, sentences::slashed),
            lower: lower.map_or_else(String::new, |lower| lower.to_string()),
            unique,
            plans,
            rules: asked.question.rules.then(|| (*answer.rules).clone()),
            time: Duration::try_from_secs_f64(answer.seconds.unwrap_or(0.0)).unwrap_or_default(),
            from: if *answer.from_store == Some(true) { "store" } else { "" },
            exit: answer.exit.unwrap_or(2),
        }
    }

    /// The level while the batch runs: `[ 99/155] title  97/33 optimal  0.4 s`. The title is cut so
    /// that a terminal of this width can hold it.
    pub(crate) fn line(&self, at: usize, of: usize, width: usize) -> String {
        let digits = of.to_string().len();
        let mut tail = format!("{:>9}  {}", self.length, painted(&self.verdict, self.exit));
        if !self.lower.is_empty() {
            let _ = write!(tail, ", at least {}", self.lower);
        }
        tail.push_str(match self.unique {
            "yes" if !self.verdict.contains("unique") => ", unique",
            "no" => ", not unique",
            "?" => ", unique?",
            _ => "",
        });
        let _ = write!(tail, "  {}", self.shown_time());
        let head = format!("[{at:>digits$}/{of}] ");
        let room = width
            .min(WIDTH)
            .saturating_sub(head.len() + measure_text_width(&tail) + 2)
            .clamp(8, 36);
        format!("{head}{}  {tail}", pad_str(&self.name, room, Alignment::Left, Some(DOTS)))
    }

    /// The level in the table at the end.
    fn shown(&self) -> LevelRow {
        let length = self.measured.as_str();
        let heads =
            ["#", "level", "verdict", length, "at least", "unique", "plans", "rules", "time"];
        let unique = if self.plans.is_empty() { self.unique } else { "" };
        let rules = self.rules.as_ref().map(|rules| rule_use::cell(rules.as_ref()));
        let cells = vec![
            self.number.map_or_else(String::new, |number| number.to_string()),
            self.name.clone(),
            painted(&self.verdict, self.exit),
            self.length.clone(),
            self.lower.clone(),
            unique.to_owned(),
            self.plans.clone(),
            rules.unwrap_or_default(),
            self.shown_time(),
        ];
        let (file, heads) = (self.file.clone(), heads.map(str::to_owned).to_vec());
        LevelRow { file, heads, cells, title: String::new(), by_its_file: true }
    }

    /// The time; of what was not found in this run, where it comes from.
    fn shown_time(&self) -> String {
        if self.from.is_empty() { shown_time(self.time) } else { self.from.to_owned() }
    }
}

/// How many shortest solutions there are: a number that is too long for a table is rounded.
fn plans(number: Option<&Value>) -> String {
    let number =
        number.and_then(|it| it.as_u64().map(u128::from).or_else(|| it.as_str()?.parse().ok()));
    figure(number.map(|number| match number {
        0..1_000_000_000 => number.to_string(),
        _ => format!("~{:.1e}", number as f64),
    }))
}

/// What lengths are called in a family.
fn measured(family: Option<&str>) -> String {
    let measures = family.and_then(by_name).map_or(Measures::PLAIN, |family| family.measures);
    format!("{}/{}", measures.moves.many, measures.pushes.many)
}

/// A batch as a table: each file is named once.
pub(crate) fn table(rows: &[Row]) -> String {
    let rows: Vec<LevelRow> = rows.iter().map(Row::shown).collect();
    by_file(&rows, &[0, 3, 4, 5, 6, 7, 8], false)
}

/// For each game of a batch the rules that act in no shortest solution, where that was asked.
pub(crate) fn idle_rules(rows: &[Row]) -> String {
    let games = rows.chunk_by(|a, b| a.file == b.file);
    let asked = games.filter_map(|rows| {
        let levels: Vec<_> = rows.iter().filter_map(|row| row.rules.clone()).collect();
        (!levels.is_empty()).then(|| rule_use::of_game(&one_line(&rows[0].file), &levels))
    });
    asked.collect()
}

/// What a batch came to: the last result of each level, by its place, with its row.
#[derive(Default)]
pub(crate) struct Reported(BTreeMap<usize, (Row, LevelResult)>);

impl Reported {
    /// Adds the result of a level under a name, in place of an earlier one.
    pub(crate) fn add(&mut self, at: usize, name: String, result: &LevelResult) -> &Row {
        let (row, result) = (Row::of(name, result), result.clone());
        self.0.insert(at, (row, result));
        &self.0[&at].0
    }

    /// The rows, in the order of the levels.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.0.values().map(|(row, _)| row.clone()).collect()
    }

    /// The levels that there is a result of, with the exit code of each.
    pub(crate) fn exits(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.0.iter().map(|(&at, (row, _))| (at, row.exit))
    }

    /// How many levels there is a result of.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many results are those of earlier runs.
    pub(crate) fn remembered(&self) -> u32 {
        self.0.values().filter(|(row, _)| !row.from.is_empty()).count() as u32
    }

    /// The totals.
    pub(crate) fn totals(&self) -> String {
        let mut summary = Summary::default();
        self.0.values().for_each(|(_, result)| summary.add(result, None));
        let mut text = summary.text();
        let remembered = self.remembered();
        if remembered > 0 {
            let from = "of them from the store, not found in this run";
            text.push_str(&format!(", {remembered} {from}"));
        }
        format!("{text}; {}\n", values::shown_seconds(summary.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::columns::{columns, shortened};
    use serde_json::json;

    #[test]
    fn files_of_one_level_share_a_part_of_the_table() {
        let row = |file: &str, name: &str| Row {
            file: file.to_owned(),
            number: Some(1),
            name: name.to_owned(),
            verdict: "optimal".to_owned(),
            ..Row::default()
        };
        let (a, b) = (row("maps/a.xsb", "A title"), row("maps/b.xsb", "b.xsb"));
        let printed = table(&[a.clone(), b.clone(), row("c.sok", "1"), row("c.sok", "2")]);
        let heads: Vec<&str> =
            printed.lines().filter(|line| line.ends_with('/') || *line == "c.sok").collect();
        assert_eq!(heads, ["maps/", "c.sok"], "{printed}");
        assert!(printed.contains("\na.xsb") && printed.contains("\nb.xsb"), "{printed}");
        assert!(table(&[a]).contains("maps/a.xsb\n#  level"));
        assert!(table(&[row("x.xsb", ""), row("y.xsb", "")]).starts_with("./\n"));
    }

    #[test]
    fn tables_fit_eighty_columns() {
        let row = Row {
            file: "a.xsb".to_owned(),
            number: Some(12345),
            name: "a title that is much too long for any table of this width".to_owned(),
            verdict: "unknown (memory)".to_owned(),
            measured: "instructions/pushes".to_owned(),
            length: "12345/1234".to_owned(),
            lower: "1234".to_owned(),
            unique: "",
            plans: String::new(),
            rules: None,
            time: Duration::from_secs(3599),
            from: "store",
            exit: 30,
        };
        let open = Row { verdict: "solved".to_owned(), unique: "?", ..row.clone() };
        let plans = plans(Some(&json!(u128::MAX.to_string())));
        assert_eq!(plans, "~3.4e38");
        assert_eq!(self::plans(Some(&json!(2))), "2");
        let (verdict, lower) = ("optimal".to_owned(), String::new());
        let many = Row { verdict, lower, plans, unique: "no", ..row.clone() };
        // Rules are asked of PuzzleScript only.
        let measured = "moves/changes".to_owned();
        let ruled = Row { measured, rules: Some(Some(RuleUse::default())), ..many.clone() };
        let unruled = Row { lower: row.lower.clone(), rules: Some(None), ..ruled.clone() };
        for rows in [vec![row.clone()], vec![open], vec![many, row], vec![ruled, unruled]] {
            let lines: Vec<String> = rows.iter().map(|row| row.line(99, 155, 120)).collect();
            for line in lines.iter().map(String::as_str).chain(table(&rows).lines()) {
                assert!(measure_text_width(line) <= 80, "{line}");
            }
        }
    }

    #[test]
    fn lines_fit_a_narrow_terminal() {
        let name = "a title of some length".to_owned();
        let (verdict, length) = ("optimal".to_owned(), "127/29".to_owned());
        let row = Row { name, verdict, length, ..Row::default() };
        assert_eq!(row.line(7, 155, 50), "[  7/155] a title o...     127/29  optimal  0.00 s");
        assert_eq!(measure_text_width(&row.line(7, 155, 60)), 60);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        let row = |name: &str| vec!["1".to_owned(), name.to_owned(), "optimal".to_owned()];
        let text = columns(&[row("倉庫番"), row("plain")], &[]);
        assert_eq!(text, "1  倉庫番  optimal\n1  plain   optimal\n");
        assert_eq!(shortened("倉庫番の問題", 9), "倉庫番...");
    }
}
