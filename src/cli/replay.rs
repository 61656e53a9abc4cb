//! `unstuck replay`: judges a solution and shows it.

use super::input;
use super::{Ending, Failure, INVALID, arguments, output, report};
use crate::instance::Replayed;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use std::fmt::Write;
use unstuck_puzzles::{Frame, Shots, Style};

const AFTER_HELP: &str = "\
Examples:
  unstuck replay level.xsb rrDDrULL
  unstuck replay level.xsb @moves.txt --stages     moves from a file, boards after each push
  unstuck replay level.sok --level 2               the solutions recorded in the file";

pub fn command() -> Command {
    Command::new("replay")
        .about("Check a solution by the rules, and show it")
        .after_help(AFTER_HELP)
        .args(arguments::level(false))
        .args(arguments::output())
        .args([
            Arg::new("moves")
                .value_name("MOVES")
                .allow_hyphen_values(true)
                .help("The moves, or @FILE; without it the solutions recorded in the level file"),
            Arg::new("stages")
                .long("stages")
                .action(ArgAction::SetTrue)
                .help("Print the board after each push"),
            Arg::new("trace")
                .long("trace")
                .action(ArgAction::SetTrue)
                .help("Print the board after every move"),
        ])
}

pub fn run(matches: &ArgMatches) -> Ending {
    let chosen = input::single(matches)?;
    let instances = chosen.instances(arguments::objective(matches))?;
    let given = matches.get_one::<String>("moves");
    let texts = match given {
        Some(moves) => vec![moves_text(moves)?],
        None => chosen.level.solutions.clone(),
    };
    if texts.is_empty() {
        return Err(Failure::usage(format!(
            "{}: no recorded solution\n  = help: give the moves after the file",
            chosen.name()
        )));
    }
    let (stages, trace) = (matches.get_flag("stages"), matches.get_flag("trace"));
    let frames = (stages || trace).then_some(Shots::all(trace, Style::Plain));
    let (json, quiet) = (matches.get_flag("json"), matches.get_flag("quiet"));
    let mut code = 0;
    for text in &texts {
        // The most generous reading judges: a solution right under one reading is right.
        let mut replayed = None;
        for instance in &instances {
            let this = instance
                .replay(text, Style::Plain, frames)
                .map_err(|error| Failure::usage(error.render("solution", text)))?;
            let right = this.verdict.is_ok();
            replayed = Some((instance.reading(), this));
            if right {
                break;
            }
        }
        let (reading, replayed) = replayed.expect("every puzzle has a reading");
        if replayed.verdict.is_err() {
            code = INVALID;
        }
        if json {
            output::print(&format!("{}\n", replay_json(&chosen, reading, &replayed)));
        } else {
            output::print(&replay_text(reading, &replayed, quiet));
        }
    }
    Ok(code)
}

/// The moves themselves, or those of a file after `@`. In no notation is a lone `@` a move.
fn moves_text(given: &str) -> Result<String, Failure> {
    match given.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("{path}: {error}"))),
        None => Ok(given.to_owned()),
    }
}

/// Frames one under the other, each with the moves that led to it.
pub fn frames_text(frames: &[Frame]) -> String {
    frames.iter().fold(String::new(), |mut text, frame| {
        let label = if frame.label.is_empty() { "start" } else { &frame.label };
        let _ =
            writeln!(text, "\n{}: {label}\n{}", frame.moves, frame.board.trim_end_matches('\n'));
        text
    })
}

fn replay_text(reading: &str, replayed: &Replayed, quiet: bool) -> String {
    let mut text = String::new();
    if !quiet {
        text.push_str(frames_text(&replayed.frames).trim_start_matches('\n'));
        if let (true, Some(last)) = (replayed.frames.is_empty(), &replayed.last) {
            let _ = writeln!(text, "{}", last.trim_end_matches('\n'));
        }
        text.push_str(&report::fact_lines(&replayed.facts));
    }
    let under = if reading.is_empty() { String::new() } else { format!(" [{reading}]") };
    match &replayed.verdict {
        Ok(verified) => {
            let length = report::length(verified.tally());
            let _ = writeln!(text, "valid: {length} moves/pushes{under}");
        }
        Err(violation) => {
            let _ = writeln!(text, "invalid: {violation}{under}");
        }
    }
    text
}

fn replay_json(chosen: &input::Chosen, reading: &str, replayed: &Replayed) -> Value {
    let mut value = json!({
        "schema": report::SCHEMA,
        "command": "replay",
        "file": chosen.source,
        "number": chosen.number,
        "title": chosen.level.title,
        "puzzle": chosen.family.name,
        "reading": reading,
        "verdict": if replayed.verdict.is_ok() { "valid" } else { "invalid" },
        "moves": replayed.text,
        "board": replayed.last,
    });
    match &replayed.verdict {
        Ok(verified) => {
            let tally = verified.tally();
            value["length"] = json!({ "moves": tally.moves, "pushes": tally.pushes });
        }
        Err(violation) => {
            value["fault"] = json!({
                "move": violation.at,
                "rule": violation.rule,
                "message": violation.message,
            });
        }
    }
    for (name, fact) in &replayed.facts {
        value[*name] = fact.clone();
    }
    if !replayed.frames.is_empty() {
        value["frames"] = replayed
            .frames
            .iter()
            .map(|f| json!({ "moves": f.moves, "label": f.label, "board": f.board }))
            .collect();
    }
    value
}
