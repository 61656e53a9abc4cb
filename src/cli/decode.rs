//! `unstuck decode`: a solver's answer to an exported question, back into moves.

use super::{Ending, Failure, INVALID, arguments, export, input, output, report};
use crate::formula::dimacs::{self, Said};
use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use unstuck_puzzles::Style;

const AFTER_HELP: &str = "\
Give the same level, objective and horizon (and options) as to `export`. The answer is what the
solver printed (`s` and `v` lines) or MiniSat's result file. A model is checked against the formula
and its moves are replayed before anything is printed.

Examples:
  cadical -q level.cnf | unstuck decode level.xsb --horizon 20 -
  minisat level.cnf result.txt; unstuck decode level.xsb --horizon 20 result.txt";

pub fn command() -> Command {
    Command::new("decode")
        .about("Turn an outside solver's answer back into moves, and replay them")
        .after_help(AFTER_HELP)
        .args(arguments::level(false))
        .args(export::question_arguments())
        .args(arguments::output())
        .arg(
            Arg::new("answer")
                .value_name("ANSWER")
                .required(true)
                .help("File with the solver's answer; `-` is standard input"),
        )
}

pub fn run(matches: &ArgMatches) -> Ending {
    let chosen = input::single(matches)?;
    let instance = export::instance(matches, &chosen)?;
    let question = export::question(matches, instance.as_ref())?;
    let path = matches.get_one::<String>("answer").expect("required");
    let text = input::answer(path)?;
    let said =
        dimacs::read_output(&text).map_err(|error| Failure::usage(format!("{path}: {error}")))?;
    let json = matches.get_flag("json");
    let within = match question.horizon {
        horizon if instance.moves().is_some() => format!("no solution within {horizon} steps"),
        _ => "no solution".to_owned(),
    };
    let (word, sentence, code) = match said {
        Said::Unsat => {
            ("no-solution-within", format!("the solver says: {within}; nothing was checked"), 21)
        }
        Said::Unknown => ("unknown", "the solver did not decide".to_owned(), 30),
        Said::Sat(lits) => {
            let mut formula = instance.formula(&question);
            let invalid =
                |message: String| Failure { message: format!("{path}: {message}"), code: INVALID };
            let model = dimacs::checked_model(formula.as_ref(), &lits)
                .map_err(|error| invalid(error.to_string()))?;
            if formula.refine(&model) > 0 {
                let names: Vec<_> = formula.cuts().iter().map(|(_, name)| name.as_str()).collect();
                return Err(invalid(format!(
                    "the model is no solution, it needs the clauses: {}\n  = help: `unstuck \
                     export --answer {path}` writes the formula with them",
                    names.join(", ")
                )));
            }
            let plan = formula.read(&model).map_err(|fault| invalid(fault.to_string()))?;
            if json {
                let tally = plan.tally();
                let value = json!({
                    "schema": report::SCHEMA,
                    "command": "decode",
                    "verdict": "solved",
                    "exit": 0,
                    "moves": plan.text(),
                    "length": { "moves": tally.moves, "pushes": tally.pushes },
                });
                output::print(&format!("{value}\n"));
            } else if instance.moves().is_some() {
                let length = report::length(plan.tally());
                output::print(&format!("{}\nmoves/pushes: {length}\n", plan.text()));
            } else {
                let picture = instance.picture(Some(&plan), Style::Plain);
                output::print(&picture.unwrap_or_else(|| format!("{}\n", plan.text())));
            }
            return Ok(0);
        }
    };
    if json {
        let value = json!({
            "schema": report::SCHEMA, "command": "decode", "verdict": word, "exit": code,
        });
        output::print(&format!("{value}\n"));
    } else {
        output::print(&format!("{sentence}\n"));
    }
    Ok(code)
}
