//! No answer is lost, and no input: a full disk is an error, no output replaces what was read, and
//! two runs do not write one file.

use super::{COLLECTION, CommandOutput, EASY, ENDLESS, TestFolder};
#[cfg(unix)]
use crate::store_folder::signal;
use crate::wait::until;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;

/// Lines for all commands, each of which prints something.
const LINES: &[&str] = &[
    "solve a.xsb",
    "solve a.xsb --json",
    "solve b.sok --moves",
    "solve a.xsb --quiet",
    "solve a.xsb --record -",
    "solve a.xsb --svg -",
    "solve a.xsb --film -",
    "solve missing.xsb --json",
    "list b.sok",
    "list b.sok --json",
    "replay a.xsb R",
    "solve a.xsb --html -",
    "export a.xsb --horizon 1",
    "export a.xsb --format dimspec",
    "decode a.xsb answer --horizon 1",
    "prove a.xsb -o made --force",
    "check proof",
    "check proof --json",
    "check --locked lock",
    "hint a.xsb",
    "diagnose a.xsb --moves R",
    "enumerate a.xsb",
    "needed a.xsb",
    "explain a.xsb",
    "forced a.xsb",
    "difficulty b.sok",
    "lock a.xsb -o lock --force",
    "list run",
    "merge run",
    "check run",
    "solve b.sok --store run",
    "generate flow --width 4 --height 4 --colours 3",
    "generate flow --width 4 --height 4 --colours 3 --json",
    "bench a.xsb --engine search --timeout 5 --log results",
    "bench a.xsb --engine search --timeout 5 --log results --format csv",
    "backends",
    "completions bash",
    "man",
    "--help",
    "help solve",
    "solve --help",
    "--version",
];

fn place() -> TestFolder {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("b.sok", COLLECTION).write("answer", "s UNSATISFIABLE\n");
    for line in [
        "prove a.xsb -o proof",
        "lock a.xsb -o lock",
        "solve b.sok --store run --workers 1",
        "bench a.xsb --engine search --timeout 5 --log results",
    ] {
        place.run(line).ends(0);
    }
    place
}

#[test]
fn every_command_is_tried() {
    let all: BTreeSet<String> =
        unstuck_cli::command().get_subcommands().map(|it| it.get_name().to_owned()).collect();
    let tried = LINES.iter().filter_map(|line| line.split(' ').next());
    let tried: BTreeSet<String> =
        tried.filter(|name| *name != "play" && !name.starts_with('-')).map(str::to_owned).collect();
    let missing: Vec<_> = all.difference(&tried).collect();
    assert_eq!(
        missing,
        ["_work", "play"],
        "play draws on a terminal only, workers speak in frames"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = place();
    for line in LINES {
        let full = File::options().write(true).open("/dev/full").expect("there is one");
        let output = place.command(line).stdout(full).output().expect("it runs");
        let printed = CommandOutput::of(&output);
        assert_eq!(printed.code, 2, "{line}: {}", printed.err);
        assert!(printed.err.contains("No space left"), "{line}: {}", printed.err);
    }
}

/// What goes to standard error because standard output holds a file is an answer, too.
#[cfg(target_os = "linux")]
#[test]
fn answers_aside_are_not_lost() {
    let place = place();
    let full = File::options().write(true).open("/dev/full").expect("there is one");
    let output = place.command("solve a.xsb --svg -").stderr(full).output();
    assert_eq!(output.expect("it runs").status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_reader_that_went_away_ends_it_quietly() {
    let place = place();
    for line in [
        "solve a.xsb",
        "list b.sok --json",
        "merge run",
        "export a.xsb --horizon 1",
        "man",
        "--help",
    ] {
        let mut child = place.command(line).spawn().expect("it runs");
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{line}: {err}");
        assert_eq!(err, "", "{line}");
    }
}

/// Outputs of all kinds, as `OUT`.
const OUTPUTS: &[&str] = &[
    "solve a.xsb --svg OUT",
    "solve a.xsb --png OUT",
    "solve a.xsb --record OUT",
    "solve a.xsb --log OUT",
    "list a.xsb --svg OUT",
    "replay a.xsb R --svg OUT",
    "replay a.xsb @moves --svg MOVES",
    "solve a.xsb --html OUT",
    "export a.xsb --horizon 1 -o OUT",
    "decode a.xsb answer --horizon 1 --svg OUT",
    "decode a.xsb answer --horizon 1 --svg ANSWER",
    "hint a.xsb --svg OUT",
    "hint a.xsb --after @moves --svg MOVES",
    "diagnose a.xsb --moves R --svg OUT",
    "lock a.xsb -o OUT",
    "merge run -o STORE",
    "bench a.xsb --engine search --timeout 5 --log OUT",
    "play a.xsb --game OUT",
];

#[cfg(unix)]
#[test]
fn no_output_replaces_an_input() {
    let place = place();
    place.write("moves", "R").write("a.xsb", EASY);
    place.write("answer", "s SATISFIABLE\n");
    let about = std::fs::read_dir(place.path("run")).expect("a store").flatten();
    let shard =
        about.map(|entry| entry.file_name()).find(|it| it.to_string_lossy().ends_with("jsonl"));
    let shard = format!("run/{}", shard.expect("results").to_string_lossy());
    for (name, input) in
        [("OUT", "a.xsb"), ("MOVES", "moves"), ("ANSWER", "answer"), ("STORE", &*shard)]
    {
        let mut links = vec![input.to_owned(), format!("./{input}")];
        std::os::unix::fs::symlink(place.path(input), place.path(&format!("soft{name}")))
            .expect("linked");
        std::fs::hard_link(place.path(input), place.path(&format!("hard{name}"))).expect("linked");
        links.extend([format!("soft{name}"), format!("hard{name}")]);
        let before = place.read(input);
        for line in OUTPUTS.iter().filter(|line| line.ends_with(name)) {
            for link in &links {
                for force in ["", " --force"] {
                    let has_force = !["--log", "--game"].iter().any(|it| line.contains(it));
                    if force.is_empty() || has_force {
                        let line = format!("{}{force}", line.replace(name, link));
                        let printed = place.run(&line).ends(2);
                        // Without `--force` it is enough that the file is there.
                        let said = printed.err.contains("is an input")
                            || (force.is_empty() && printed.err.contains("already exists"));
                        assert!(said, "{line}: {}", printed.err);
                        assert_eq!(place.read(input), before, "{line}");
                    }
                }
            }
        }
    }
    // The film has to end in .gif: the level may be called so.
    place.write("level.gif", EASY);
    let printed = place.run("solve level.gif --puzzle sokoban --film level.gif --force").ends(2);
    printed.complains("is an input");
    // A folder that is replaced holds no input either.
    let printed = place.run("prove proof/puzzle.txt --puzzle sokoban -o proof --force").ends(2);
    printed.complains("an input lies in this folder");
    place.run("check proof").ends(0);
    // Standard input may be a file.
    let mut command = place.command("solve - --puzzle sokoban --svg a.xsb --force");
    command.stdin(File::open(place.path("a.xsb")).expect("a level"));
    let printed = CommandOutput::of(&command.output().expect("it runs")).ends(2);
    printed.complains("is an input");
    assert_eq!(place.read("a.xsb"), EASY);
    // Two names of one file are one output.
    place.write("out.svg", "");
    std::fs::hard_link(place.path("out.svg"), place.path("other.svg")).expect("linked");
    let printed = place.run("solve a.xsb --svg out.svg --png other.svg --force").ends(2);
    printed.complains("two outputs for one file");
}

#[test]
fn a_record_is_replaced_and_never_mixed() {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("b.sok", COLLECTION).write("e.xsb", ENDLESS);
    place.run("solve b.sok --record r.sok").ends(0);
    let whole = place.read("r.sok");
    assert_eq!(whole.matches("Solution ").count(), 3, "{whole}");
    place.run("solve a.xsb --record r.sok").ends(2).complains("already exists");
    assert_eq!(place.read("r.sok"), whole);
    place.run("solve a.xsb --record r.sok --force").ends(0);
    let other = place.read("r.sok");
    assert_eq!(other.matches("Solution").count(), 1, "{other}");
    // Without a solution there is no record, and none of another level.
    place.run("solve e.xsb --engine search --timeout 0.3 --record r.sok --force").ends(30);
    assert!(!place.has("r.sok"));
    // What a killed run left before its first solution is in nobody's way.
    place.write("r.sok", "");
    place.run("solve a.xsb --record r.sok").ends(0);
    assert_eq!(place.read("r.sok").matches("Solution").count(), 1);
}

/// Two runs on one record: the second is refused, and the first is not disturbed.
#[cfg(unix)]
#[test]
fn a_record_has_one_writer() {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("ae.sok", &format!("{EASY}\n{ENDLESS}\n{EASY}"));
    for log in ["", "--log log"] {
        let line = format!("solve ae.sok --engine search --record r.sok {log}");
        let mut first = place.command(&line).spawn().expect("it runs");
        until("the first solution", || {
            assert!(first.try_wait().expect("a child").is_none(), "the first run goes on");
            place.has("r.sok") && place.read("r.sok").contains("Solution")
        });
        let written = place.read("r.sok");
        let printed = place.run("solve a.xsb --record r.sok --force").ends(2);
        printed.complains("another run is writing this record");
        assert_eq!(place.read("r.sok"), written);
        signal(first.id(), "-INT");
        first.wait_with_output().expect("it ends");
        place.run("list r.sok").ends(0);
        place.run("solve a.xsb --record r.sok --force").ends(0);
        assert_eq!(place.read("r.sok").matches("Solution").count(), 1);
        std::fs::remove_file(place.path("r.sok")).expect("removed");
    }
}

/// A full disk leaves whole lines.
#[cfg(target_os = "linux")]
#[test]
fn records_and_logs_on_devices_are_errors_or_work() {
    let place = TestFolder::new().with("a.xsb", EASY);
    place.run("solve a.xsb --record /dev/null").ends(0);
    place.run("solve a.xsb --record /dev/full").ends(2).complains("No space left");
    place.run("solve a.xsb --svg /dev/full").ends(2).complains("No space left");
    place.run("solve a.xsb --log /dev/full").ends(2).complains("a log is a file");
    place.run("export a.xsb --format dimspec -o /dev/full").ends(2).complains("No space left");
}
