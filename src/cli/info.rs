//! `unstuck info`: what can be said of a level without solving it.

use super::input;
use super::{Ending, arguments, output, report};
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

pub fn command() -> Command {
    Command::new("info")
        .about("Facts about a level: size, pieces, lower bound, identifiers")
        .after_help("Examples:\n  unstuck info level.xsb\n  unstuck info collection.xsb --json")
        .args(arguments::level(true))
        .args(arguments::output())
        .arg(
            Arg::new("plain")
                .long("plain")
                .action(ArgAction::SetTrue)
                .help("Draw the board with plain letters"),
        )
}

pub fn run(matches: &ArgMatches) -> Ending {
    let (json, quiet) = (matches.get_flag("json"), matches.get_flag("quiet"));
    let mut code = 0;
    for chosen in input::levels(matches)? {
        let instances = match chosen.instances(arguments::objective(matches)) {
            Ok(instances) => instances,
            Err(failure) => {
                eprintln!("error: {}", failure.message);
                code = failure.code;
                continue;
            }
        };
        for instance in &instances {
            let lower = instance.lower_bound();
            let mut facts = instance.facts();
            facts.push(("objective", json!(instance.objective().name())));
            if !instance.reading().is_empty() {
                facts.push(("reading", json!(instance.reading())));
            }
            if instance.moves().is_some() {
                facts.push(("lower bound", json!(lower)));
            }
            if lower.is_none() {
                let reason = instance.hopeless().unwrap_or_else(|| "by its bound".to_owned());
                facts.push(("unsolvable", json!(reason)));
            }
            facts.extend(instance.encoding_facts());
            if json {
                let mut value = json!({
                    "schema": report::SCHEMA,
                    "command": "info",
                    "file": chosen.source,
                    "number": chosen.number,
                    "title": chosen.level.title,
                    "puzzle": chosen.family.name,
                });
                for (name, fact) in facts {
                    value[name] = fact;
                }
                output::print(&format!("{value}\n"));
                continue;
            }
            let mut text = format!("{}\n", chosen.name());
            let picture = instance.picture(None, output::style(matches.get_flag("plain")));
            if let (false, Some(picture)) = (quiet, picture) {
                text.push_str(&format!("{}\n", picture.trim_end_matches('\n')));
            }
            text.push_str(&format!("puzzle: {}\n", chosen.family.name));
            text.push_str(&report::fact_lines(&facts));
            output::print(&text);
        }
    }
    Ok(code)
}
