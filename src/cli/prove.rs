//! `unstuck prove`: a verdict with a certificate that a stranger can check.

use super::progress::Display;
use super::{Ending, Failure, INTERNAL, USAGE, arguments, check, export, input, output};
use crate::backend::ProofFormat;
use crate::certificate::prove::{Manner, ProveError, Task, UseBound, Wanted, prove};
use crate::certificate::{Claim, check::Report};
use crate::instance::{Instance, Verified};
use crate::solve::{Outcome, SolveError, Verdict, solve_readings};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::collections::BTreeMap;
use std::path::PathBuf;
use unstuck_puzzles::Objective;

const AFTER_HELP: &str = "\
Solves the level, then writes a folder with the puzzle's text, the moves, and evidence that nothing
is shorter (or that there is no solution at all). The certificate is checked before it is kept.

Evidence: `closed` lists the states that can be reached, each with what it cannot be finished with,
and needs no trust in any solver; `horizon` is a formula and a solver's refutation of it;
`invariant` (for puzzles without any solution) lists what is wrong with the states that can be
reached, as few literals as possible, with refutations of three small formulas. `auto` closes a set
where it can, else takes an invariant or a horizon.

Examples:
  unstuck prove level.xsb -o certificate
  unstuck prove level.xsb -o certificate --lrat       with formulas and proofs for outside checkers
  unstuck prove level.xsb -o certificate --evidence horizon --backend cadical
  unstuck prove level.xsb -o certificate --horizon 11     no solution within 11 steps";

pub fn command() -> Command {
    Command::new("prove")
        .about("Solve a level and write a certificate of the verdict")
        .after_help(AFTER_HELP)
        .args(arguments::level(false))
        .args(arguments::solving())
        .args(arguments::output())
        .args([
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Folder of the certificate"),
            Arg::new("evidence")
                .long("evidence")
                .value_parser(PossibleValuesParser::new(["auto", "closed", "horizon", "invariant"]))
                .default_value("auto")
                .help("Kind of evidence"),
            Arg::new("bound")
                .long("bound")
                .value_parser(PossibleValuesParser::new(["auto", "always", "never"]))
                .default_value("auto")
                .help("Closed sets: leave out states by the family's bound, which is then trusted"),
            Arg::new("lrat").long("lrat").action(ArgAction::SetTrue).help(
                "Closed sets: also write them as CNF and LRAT files, for outside proof checkers",
            ),
            Arg::new("proof")
                .long("proof")
                .value_parser(PossibleValuesParser::new(["drat", "binary-drat", "lrat"]))
                .help("The form in which the solver writes its proofs, which become LRAT [default: its own]"),
            Arg::new("reading")
                .long("reading")
                .value_name("NAME")
                .help("The reading of the rules, where there are several"),
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Replace a certificate that exists"),
        ])
}

fn manner(matches: &ArgMatches) -> Manner {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    Manner {
        wanted: match text("evidence") {
            Some("closed") => Wanted::Closed,
            Some("horizon") => Wanted::Horizon,
            Some("invariant") => Wanted::Invariant,
            _ => Wanted::Auto,
        },
        use_bound: match text("bound") {
            Some("always") => UseBound::Always,
            Some("never") => UseBound::Never,
            _ => UseBound::Auto,
        },
        lrat: matches.get_flag("lrat"),
        format: text("proof").map(|name| match name {
            "drat" => ProofFormat::Drat,
            "binary-drat" => ProofFormat::BinaryDrat,
            _ => ProofFormat::Lrat,
        }),
        force: matches.get_flag("force"),
    }
}

/// What an outcome lets us claim; `None` when it is too little.
fn claim(instance: &dyn Instance, outcome: &Outcome) -> Option<Claim> {
    match outcome.verdict {
        Verdict::Unsolvable => Some(Claim::Unsolvable),
        Verdict::NoSolutionWithin(horizon) => Some(Claim::NothingWithin(horizon)),
        Verdict::Unknown(_) => None,
        Verdict::Solved if instance.moves().is_some() => {
            let best = outcome.best.as_ref().filter(|_| outcome.optimal)?;
            Some(Claim::Optimal(instance.objective().primary(best.tally())))
        }
        Verdict::Solved => {
            let solutions = outcome.solutions.as_ref()?;
            (solutions.complete && solutions.others.is_empty()).then_some(Claim::Unique)
        }
    }
}

pub fn run(matches: &ArgMatches) -> Ending {
    let chosen = input::single(matches)?;
    let instances = match matches.get_one::<String>("reading") {
        Some(_) => vec![export::instance(matches, &chosen)?],
        None => chosen.instances(arguments::objective(matches))?,
    };
    let mut request = arguments::request(matches)?;
    request.solutions = 2;
    let target = matches.get_one::<PathBuf>("output").expect("required");
    let manner = manner(matches);
    if target.exists() && !manner.force {
        let message =
            format!("{}: exists already\n  = help: `--force` replaces it", target.display());
        return Err(Failure::usage(message));
    }
    let quiet = matches.get_flag("quiet") || matches.get_flag("json");
    let display = Display::new(&chosen.name(), quiet);
    let options: BTreeMap<String, String> =
        chosen.options.iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let text = &chosen.level.text;
    let certify = |display: Display, task: &Task<'_>, code: u8| {
        let proved = prove(task, &manner, &request, target, &mut |text| display.say(text));
        drop(display);
        let report = proved.map_err(|error| failure(&target.display().to_string(), &error))?;
        output::print(&shown(matches, &report, target.display().to_string()));
        Ok(code)
    };
    if manner.wanted == Wanted::Invariant {
        // The search for the invariant is itself what finds the verdict.
        let instance = instances.last().expect("every puzzle has a reading").as_ref();
        let claim = Claim::Unsolvable;
        let task = Task { instance, text, options, claim, solution: None };
        return certify(display, &task, Verdict::Unsolvable.exit_code());
    }
    let outcomes = solve_readings(&instances, &request, &|event| display.note(event));
    let outcome = match outcomes {
        Ok(mut outcomes) => outcomes.pop().expect("every puzzle has a reading"),
        Err(error @ SolveError::Fault { .. }) => {
            return Err(Failure { message: error.to_string(), code: INTERNAL });
        }
        Err(error) => return Err(Failure::usage(error.to_string())),
    };
    let instance = instances.iter().find(|i| i.reading() == outcome.reading);
    let instance = instance.expect("an outcome names one of the readings").as_ref();
    let Some(claim) = claim(instance, &outcome) else {
        return Ok(undecided(instance, &outcome));
    };
    let solution = outcome.best.as_ref().filter(|_| claim.has_solution());
    certify(
        display,
        &Task { instance, text, options, claim, solution },
        outcome.verdict.exit_code(),
    )
}

/// There is nothing that could be certified.
fn undecided(instance: &dyn Instance, outcome: &Outcome) -> u8 {
    let best: Option<&Verified> = outcome.best.as_ref();
    let reason = match (best, outcome.stop) {
        (_, Some(stop)) => format!("{stop} before the verdict"),
        (Some(_), None) if instance.objective() == Objective::Any => {
            "a solution under the objective `any` claims nothing that needs proof: `unstuck solve` \
             prints it, `unstuck replay` checks it"
                .to_owned()
        }
        (Some(_), None) => "there is more than one solution, so nothing to prove".to_owned(),
        (None, None) => "no verdict".to_owned(),
    };
    output::print(&format!("no certificate: {reason}\n"));
    30
}

fn failure(target: &str, error: &ProveError) -> Failure {
    let message = match error {
        ProveError::Io(error) => format!("{target}: {error}"),
        other => other.to_string(),
    };
    let code = match error {
        ProveError::Stopped(_) => 30,
        ProveError::Fault(_) => INTERNAL,
        ProveError::Unfit(_) | ProveError::Backend(_) | ProveError::Io(_) => USAGE,
    };
    Failure { message, code }
}

fn shown(matches: &ArgMatches, report: &Report, target: String) -> String {
    if matches.get_flag("json") {
        return format!("{}\n", check::json(report, "prove", &target));
    }
    if matches.get_flag("quiet") {
        return format!("{target}\n");
    }
    format!("{}certificate: {target}\n", check::text(report))
}
