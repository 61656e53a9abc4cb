//! `unstuck farm refute`: helps with the cubes of one hard level, on as many machines as there are.

use crate::progress::Display;
use crate::{CommandResult, Failure, arguments, json as objects, output, prove, values};
use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use unstuck::certificate::prove::ProveError;
use unstuck::certificate::shared::{Helper, HelperReport};
use unstuck::machine::Instant;
use unstuck::report::sentences;

/// Time between two looks for cubes, where one waits for them.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

const LONG_HELP: &str = "\
`unstuck prove --evidence horizon --cubes K --tasks DIR` splits a hard question
into cubes and writes these into a folder. This command refutes those that
no process is working on, one by one, until none is left; any number of
processes can do so at the same time, on all machines that see the folder. Each
refutation appears there whole or not at all, and `prove` checks it; the cubes
of a process that is killed are open again. So schedulers need to know nothing:
they start this command as often as they like.

Exit codes:
   0  nothing is left to do
   2  wrong usage, or a folder or solver that does not work
  30  a limit or Ctrl-C ended it; what it was working on is open again";

const EXAMPLES: &str = "\
Examples:
  unstuck farm refute shared --threads 8
  unstuck farm refute shared --wait 10m    started before there are cubes
  unstuck farm refute shared --backend 'cadical -q {cnf} {proof}'
  hq submit --array=1-32 -- unstuck farm refute shared --threads 1
  sbatch --array=1-32 --wrap 'unstuck farm refute shared --threads 1'";

pub(super) fn command() -> Command {
    let limits = arguments::limits().into_iter().map(|argument| match argument.get_id().as_str() {
        "timeout" => argument.help("Time limit of this process, like 90s or 10m"),
        _ => argument,
    });
    arguments::command(
        "refute",
        "Help to refute the cubes of `unstuck prove --tasks`",
        LONG_HELP,
        EXAMPLES,
    )
    .args([
        Arg::new("folder")
            .value_name("DIR")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help("The folder of the cubes"),
        arguments::solver(),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..))
            .help("Cubes at a time [default: all cores]"),
        Arg::new("wait")
            .long("wait")
            .value_name("TIME")
            .allow_hyphen_values(true)
            .value_parser(values::time_parser())
            .help("How long to wait for cubes where none are open [default: not at all]"),
    ])
    .args(limits)
    .args(super::output())
}

pub(super) fn run(matches: &ArgMatches) -> CommandResult {
    let folder = matches.get_one::<PathBuf>("folder").expect("required");
    let wait = matches.get_one::<Duration>("wait").copied().unwrap_or_default();
    let limits = arguments::given_limits(matches);
    let backend = arguments::given_backend(matches)?;
    arguments::check_backend(matches)?;
    let prover = backend.prover().ok_or_else(|| {
        Failure::usage(format!("--backend: {} writes no proofs", backend.name()))
            .help("give a command with `{proof}`, or take `varisat`")
    })?;
    if wait.is_zero() && !folder.is_dir() {
        let message = format!("{}: there is no such folder", folder.display());
        return Err(Failure::usage(message).help("`--wait TIME` waits for it"));
    }
    let helper = Helper { prover, threads: arguments::threads(matches), limits: &limits };
    let shown = folder.display().to_string();
    let display = Display::of(&shown, matches);
    let mut all = HelperReport::default();
    let mut idle = Instant::now();
    let stop = loop {
        let before = all.refuted;
        if folder.is_dir() {
            match helper.help(folder, &mut all, &mut |text| display.say(text)) {
                Err(ProveError::Stopped(stop)) => break Some(stop),
                helped => helped.map_err(|error| prove::failure(&shown, &error))?,
            }
        }
        if all.refuted > before {
            idle = Instant::now();
        }
        if let Some(stop) = limits.reached() {
            break Some(stop);
        }
        if idle.elapsed() >= wait {
            break None;
        }
        display.say("waiting for cubes");
        thread::sleep(POLL_INTERVAL);
    };
    drop(display);
    let code = if stop.is_some() { 30 } else { 0 };
    if matches.get_flag("json") {
        let mut value = objects::object("farm");
        value["folder"] = json!(shown);
        value["refuted"] = json!(all.refuted);
        value["elsewhere"] = json!(all.elsewhere);
        value["stopped_by"] = json!(stop.map(|stop| stop.name()));
        value["exit"] = json!(code);
        output::print(format!("{value}\n"));
    } else if !matches.get_flag("quiet") {
        let cubes = sentences::count(all.refuted as u64, "cubes");
        let others = match all.elsewhere {
            0 => String::new(),
            others => format!("; other processes are working on {others}"),
        };
        let stop = stop.map_or(String::new(), |stop| format!("; {stop}"));
        output::print(format!("{cubes} refuted{others}{stop}\n"));
    }
    Ok(code)
}
