//! A farm on many machines: schedulers run its tasks, lose them and begin them again, and what comes
//! out is what one machine answers.

use crate::farm_folder::{FarmFolder, all_said, rooms, signal, size};
use crate::wait::until;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// A scheduler in a shell that understands what the program says to `hq`: it runs the tasks of its one
/// job one after the other. While there is a file `hold` only the first one runs; where there is a
/// file `lose` one of the others is killed when it has a result, and begun again, as HyperQueue does.
const SCHEDULER: &str = r#"#!/bin/sh
home=$(dirname "$0")
echo "$*" >> "$home/asked"
case "$1 $2" in
    "server info") ;;
    "job list")
        if test -e "$home/running"; then echo '[{"id": 7}]'; else echo '[]'; fi ;;
    "job cancel")
        touch "$home/cancelled"
        kill "$(cat "$home/task")" 2>/dev/null ;;
    submit*)
        while test "$1" != --; do
            case "$1" in --array=0-*) last=${1#--array=0-} ;; esac
            shift
        done
        shift
        touch "$home/running"
        (
            number=0
            while test "$number" -le "$last" && ! test -e "$home/cancelled"; do
                if test "$number" -gt 0 && test -e "$home/hold"; then
                    sleep 0.02
                    continue
                fi
                HQ_TASK_ID=$number "$@" &
                echo $! > "$home/task"
                if test "$number" -gt 0 && test -e "$home/lose"; then
                    looks=0
                    result=$home/../run/tasks/$(printf %06d "$number")/results-00000.jsonl
                    while ! test -s "$result" && test "$looks" -lt 10000; do
                        sleep 0.01
                        looks=$((looks + 1))
                    done
                    kill -KILL $!
                fi
                wait $!
                case $? in
                    0) number=$((number + 1)) ;;
                    137) mv "$home/lose" "$home/lost" ;;
                esac
            done
            rm "$home/running"
        ) > "$home/log" 2>&1 < /dev/null &
        echo 7 ;;
    *) exit 1 ;;
esac
"#;

/// A folder with a scheduler before all else that is on the PATH.
fn scheduled() -> (FarmFolder, Vec<PathBuf>) {
    let place = FarmFolder::new();
    let own = place.path("bin");
    fs::create_dir(&own).expect("a folder");
    place.write("bin/hq", SCHEDULER);
    fs::set_permissions(own.join("hq"), fs::Permissions::from_mode(0o755)).expect("a program");
    let before = std::env::var_os("PATH").unwrap_or_default();
    let path = [own].into_iter().chain(std::env::split_paths(&before)).collect();
    (place, path)
}

fn with_path(mut command: Command, path: &[PathBuf]) -> Command {
    command.env("PATH", std::env::join_paths(path).expect("a path"));
    command
}

#[track_caller]
fn ended(command: &mut Command, code: i32) -> String {
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let printed =
        [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(status.code(), Some(code), "{printed}");
    printed
}

/// A farm of tasks of which the first one has results, and the others are held: its command line, and
/// its process.
fn in_the_middle(place: &FarmFolder, path: &[PathBuf], rooms: &str) -> (String, Child) {
    place.write("rooms.txt", rooms);
    place.write("bin/hold", "");
    let line = format!("{LINE} --cluster hq --task-levels 40");
    let farm = with_path(place.command(&line), path).spawn().expect("it starts");
    until("a result of a task", || size(&place.path("run/tasks/000000")) > 4_000);
    (line, farm)
}

/// Holds no task any more.
fn go_on(place: &FarmFolder) {
    fs::remove_file(place.path("bin/hold")).expect("it was there");
}

const LINE: &str = "farm rooms.txt --store run --prove --timeout 60";

fn assert_same(place: &FarmFolder, store: &str) {
    place.run(&format!("{LINE} --quiet").replace("run", "whole"), 0);
    let said = [store, "whole"].map(|store| all_said(&place.lines(store)));
    let other = said[1].iter().filter(|(key, line)| said[0].get(*key) != Some(*line)).count();
    assert_eq!((said[0].len(), other), (said[1].len(), 0), "others than on one machine");
    let printed = place.json(&format!("farm check {store}"), 0);
    assert_eq!(printed["checked"]["certificates"], place.lines(store).len(), "{printed}");
    assert!(!place.has(&format!("{store}/tasks")));
}

#[test]
fn tasks_are_submitted_once_collected_and_begun_again_when_they_are_lost() {
    let (place, path) = scheduled();
    place.write("rooms.txt", &rooms(120, 11));
    place.write("bin/lose", "");
    let line = format!("{LINE} --cluster hq --task-levels 25 --memory 500M --threads 2");
    let printed = ended(&mut with_path(place.command(&line), &path), 0);
    assert!(printed.contains("with a certificate"), "{printed}");
    assert!(place.has("bin/lost"), "a task was killed");
    let asked = fs::read_to_string(place.path("bin/asked")).expect("what was asked");
    let submits: Vec<&str> = asked.lines().filter(|line| line.starts_with("submit")).collect();
    let &[submit] = &submits[..] else { panic!("{submits:?}") };
    for word in ["--array=0-", "--cpus=2", "--resource=mem=700", "--time-request=160s", "--prove"] {
        assert!(submit.contains(word), "{word}: {submit}");
    }
    let last = fs::read_to_string(place.path("bin/log")).expect("a log");
    assert!(!last.contains("error"), "{last}");
    assert_same(&place, "run");
    // Nothing is left to submit.
    let printed = ended(&mut with_path(place.command(&line), &path), 0);
    assert!(printed.contains("already in the store: "), "{printed}");
    assert_eq!(place.read("bin/asked").matches("submit").count(), 1);
}

#[test]
fn a_farm_that_is_killed_finds_its_tasks_again() {
    let (place, path) = scheduled();
    let (line, mut farm) = in_the_middle(&place, &path, &rooms(200, 12));
    signal(farm.id(), "-KILL");
    farm.wait().expect("waited");
    go_on(&place);
    ended(&mut with_path(place.command(&line), &path), 0);
    assert_eq!(place.read("bin/asked").matches("submit").count(), 1, "the job is resumed");
    assert_same(&place, "run");
}

#[test]
fn ctrl_c_cancels_the_job_and_keeps_what_there_is() {
    let (place, path) = scheduled();
    let (line, farm) = in_the_middle(&place, &path, &rooms(200, 13));
    signal(farm.id(), "-INT");
    let printed = farm.wait_with_output().expect("it ends");
    assert_eq!(printed.status.code(), Some(30), "{}", String::from_utf8_lossy(&printed.stderr));
    assert!(String::from_utf8_lossy(&printed.stdout).contains("repeat the command to resume"));
    assert!(place.has("bin/cancelled"));
    until("the end of the job", || !place.has("bin/running"));
    fs::remove_file(place.path("bin/cancelled")).expect("it was there");
    go_on(&place);
    assert!(!place.lines("run").is_empty());
    ended(&mut with_path(place.command(&line), &path), 0);
    assert_same(&place, "run");
}

#[test]
fn without_hyperqueue_the_message_says_how_to_get_it() {
    let place = FarmFolder::new();
    place.write("rooms.txt", &rooms(3, 14));
    let mut command = place.command("farm rooms.txt --store run --cluster hq");
    command.env("PATH", place.path("nowhere"));
    let printed = ended(&mut command, 2);
    assert!(printed.contains("help") && printed.contains("hyperqueue"), "{printed}");
    assert!(!place.has("run/tasks"));
}

/// Ends what it started.
struct Ends(Vec<Child>);

impl Drop for Ends {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// HyperQueue itself, where it is: a server and two workers, one of which is killed in the middle.
#[test]
fn hyperqueue_loses_a_worker_and_no_result() {
    let there = Command::new("hq").arg("--version").stdout(Stdio::null()).status();
    if there.is_err() {
        eprintln!("skipped: the program `hq` of HyperQueue is not on the PATH");
        return;
    }
    let place = FarmFolder::new();
    // Enough for seconds, so that it is seen in the middle.
    place.write("rooms.txt", &rooms(3_000, 16));
    let server = place.path("server");
    let hq = |words: &[&str]| {
        let mut hq = Command::new("hq");
        hq.args(words).env("HQ_SERVER_DIR", &server).stdin(Stdio::null());
        hq.stdout(Stdio::null()).stderr(Stdio::null());
        hq
    };
    let start = |words: &[&str]| hq(words).spawn().expect("it starts");
    let mut ends = Ends(vec![start(&["server", "start"])]);
    until("the server", || hq(&["server", "info"]).status().is_ok_and(|status| status.success()));
    for _ in 0..2 {
        ends.0.push(start(&["worker", "start", "--cpus=1", "--on-server-lost=stop"]));
    }
    let line = format!("{LINE} --cluster hq --task-levels 500");
    let mut farm = place.command(&line);
    let farm = farm.env("HQ_SERVER_DIR", &server).spawn().expect("it starts");
    let parts = |number: u32| size(&place.path(&format!("run/tasks/{number:06}")));
    until("results of two tasks", || (0..6).filter(|&number| parts(number) > 4_000).count() > 1);
    signal(ends.0[1].id(), "-KILL");
    let printed = farm.wait_with_output().expect("it ends");
    let text =
        [printed.stdout, printed.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert_eq!(printed.status.code(), Some(0), "{}", text.concat());
    assert_same(&place, "run");
}
