//! Every command ends soon after its time limit, and soon after it is asked to end.
//!
//! The commands are those that the program's own help lists: a new one is covered as soon as this
//! file says how it is run, and until then the first test fails. The boards are so large that
//! single steps of the work take longer than the limits: commands once ignored both on them.
//!
//! By default each command meets a few of the boards; in the whole (`UNSTUCK_TESTS=all`) it meets all
//! of them.

use crate::command_line::{commands, json};
use crate::extent::is_whole;
use crate::test_folder::TestFolder;
use crate::wait::{Conversation, until};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::process::Output;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use unstuck::certificate::files::hex;

/// The time limit of the runs.
const LIMIT: Duration = Duration::from_millis(500);

/// What a run may take beyond its limit, or beyond the signal. A quiet machine needs one second of
/// it; on a busy one the guard waits for two and a half.
const BEYOND: Duration = Duration::from_secs(9);

/// In this time after its limit, or the signal, a run may end with an answer.
const SOON: Duration = Duration::from_secs(1);

/// Commands that are not run, each with the reason.
const EXEMPT: [(&str, &str); 5] = [
    ("completions", "reads no level"),
    ("man", "reads no level"),
    ("backends", "reads no level"),
    ("merge", "reads stores, and solves nothing"),
    ("play", "needs a terminal, and ends between two keys: see playing.rs beside this file"),
];

/// What once ignored its limits, and on which board.
const ESCAPED: [(&str, &str); 10] = [
    ("hint", "hall"),
    ("diagnose", "hall"),
    ("enumerate", "hall"),
    ("needed", "hall"),
    ("needed", "room"),
    ("explain", "hall"),
    ("forced", "hall"),
    ("difficulty", "hall"),
    ("lock", "hall"),
    ("generate", "flow"),
];

/// A board on which limits were once ignored, or one like it of another family.
struct Board {
    name: &'static str,
    file: &'static str,
    has_moves: bool,
    text: fn() -> String,
}

const BOARDS: [Board; 6] = [
    Board { name: "hall", file: "hall.xsb", has_moves: true, text: hall },
    Board { name: "room", file: "room.xsb", has_moves: true, text: room },
    Board { name: "flow", file: "large.flow", has_moves: false, text: flow },
    Board { name: "warehouse", file: "large.warehouse", has_moves: true, text: warehouse },
    Board { name: "snowman", file: "large.snowman", has_moves: true, text: snowman },
    Board { name: "sokobond", file: "large.sokobond", has_moves: true, text: sokobond },
];

/// A walled rectangle of one sign, with others in their places.
fn rectangle(
    size: usize,
    [wall, floor]: [char; 2],
    signs: impl IntoIterator<Item = (usize, usize, char)>,
) -> String {
    let mut rows = vec![vec![floor; size]; size];
    for (at, row) in rows.iter_mut().enumerate() {
        let rim = at == 0 || at == size - 1;
        row.iter_mut().for_each(|cell| *cell = if rim { wall } else { *cell });
        (row[0], row[size - 1]) = (wall, wall);
    }
    signs.into_iter().for_each(|(row, column, sign)| rows[row][column] = sign);
    rows.into_iter().map(|row| String::from_iter(row) + "\n").collect()
}

/// So many places that are not beside each other, in lines of `wide`, from a row and a column on.
fn places(count: usize, wide: usize, (row, column): (usize, usize)) -> Vec<(usize, usize)> {
    (0..count).map(|at| (row + 3 * (at / wide), column + 3 * (at % wide))).collect()
}

fn signed(places: Vec<(usize, usize)>, sign: char) -> impl Iterator<Item = (usize, usize, char)> {
    places.into_iter().map(move |(row, column)| (row, column, sign))
}

/// Sokoban, 250 x 250 with 300 boxes.
fn hall() -> String {
    let boxes = signed(places(300, 30, (100, 80)), '$');
    let goals = signed(places(300, 30, (10, 10)), '.');
    rectangle(250, ['#', ' '], boxes.chain(goals).chain([(200, 200, '@')]))
}

/// Sokoban, 40 x 40 with 12 boxes.
fn room() -> String {
    let boxes = signed(places(12, 4, (20, 20)), '$');
    let goals = signed(places(12, 4, (4, 4)), '.');
    rectangle(40, ['#', ' '], boxes.chain(goals).chain([(36, 36, '@')]))
}

/// Flow, 150 x 150 with 48 pairs, each in a row of its own.
fn flow() -> String {
    let mut rows = vec![vec!['.'; 150]; 150];
    for (at, label) in ('A'..='Z').chain('a'..='v').enumerate() {
        (rows[3 * at][0], rows[3 * at][149]) = (label, label);
    }
    rows.into_iter().map(|row| String::from_iter(row) + "\n").collect()
}

/// Warehouse, 200 x 200 with 250 boxes: the second map has them elsewhere.
fn warehouse() -> String {
    let boxes = signed(places(250, 25, (80, 80)), 'O');
    let homes = signed(places(250, 25, (10, 10)), 'O');
    let start = rectangle(200, ['#', '.'], boxes.chain([(150, 190, '@')]));
    let end = rectangle(200, ['#', '.'], homes.chain([(150, 190, '@')]));
    format!("{start}\n{end}")
}

/// Snowman, 200 x 200 with 60 balls and snow on the other half of the garden.
fn snowman() -> String {
    let balls = places(60, 10, (60, 60)).into_iter().enumerate();
    let balls = balls.map(|(at, (row, column))| (row, column, if at % 3 == 2 { '2' } else { '1' }));
    let snow = (100..190).flat_map(|row| (10..190).map(move |column| (row, column, '*')));
    rectangle(200, ['X', '-'], balls.chain(snow).chain([(20, 20, '#')]))
}

/// Sokobond, 200 x 200 with 200 atoms.
fn sokobond() -> String {
    let atoms = signed(places(199, 20, (50, 50)), 'h');
    rectangle(200, ['x', '-'], atoms.chain([(20, 20, 'H')]))
}

/// How a command is run.
struct Plan {
    line: String,
    /// How it may end when a limit has struck.
    codes: &'static [i32],
    /// Whether it has a time limit.
    limited: bool,
}

/// How a command is run on a board; `None` where it is not made for the family. `at` makes outputs
/// of runs differ.
fn plan(command: &str, board: &Board, at: usize) -> Option<Plan> {
    let (mut codes, mut limited): (&[i32], bool) = (&[30], true);
    let line = match command {
        "solve" | "prove" | "export" | "lock" | "hint" | "diagnose" | "enumerate" | "needed"
        | "explain" | "forced" | "difficulty" | "bench" | "list" | "replay" | "decode" => {
            format!("{command} {}", board.file)
        }
        _ => command.to_owned(),
    };
    let horizon = if board.has_moves { " --horizon 400" } else { "" };
    let more = match command {
        "solve" | "needed" | "explain" | "forced" | "difficulty" => " --json".to_owned(),
        "hint" | "enumerate" if board.has_moves => " --json".to_owned(),
        "diagnose" if board.has_moves => format!(" --moves {} --json", board.step()),
        "prove" => format!(" -o out-{at} --json"),
        "export" => format!("{horizon} -o out-{at}.cnf --json"),
        "lock" => format!(" -o out-{at}.lock"),
        "check" if board.name == "hall" => {
            codes = &[1, 30];
            " hall.certificate --json".to_owned()
        }
        "bench" => {
            codes = &[0, 30];
            String::new()
        }
        "generate" => match board.name {
            "hall" => " sokoban --width 60 --height 60 --boxes 60 --at-least 9999".to_owned(),
            "flow" => " flow --width 200 --height 200 --colours 100".to_owned(),
            "snowman" => " snowman --width 20 --height 20 --snowmen 4 --at-least 9999".to_owned(),
            _ => return None,
        },
        // What has no limit of its own ends when it is asked to.
        "list" => {
            codes = &[0, 30];
            " --json".to_owned()
        }
        "replay" if board.has_moves => {
            (codes, limited) = (&[1, 30], false);
            format!(" {}", board.step())
        }
        "decode" => {
            (codes, limited) = (&[1, 30], false);
            format!("{horizon} answer.txt")
        }
        _ => return None,
    };
    Some(Plan { line: line + &more, codes, limited })
}

impl Board {
    /// A first move.
    fn step(&self) -> &'static str {
        match self.name {
            "warehouse" => "^",
            "snowman" | "sokobond" => "W",
            _ => "r",
        }
    }
}

/// A folder with the boards.
fn place() -> TestFolder {
    let place = TestFolder::new();
    for board in &BOARDS {
        place.write(board.file, &(board.text)());
    }
    place.write("answer.txt", "s SATISFIABLE\nv 1 0\n");
    certificate(&place);
    place
}

/// A certificate about the hall, as far as one can be had: that of a small level with another text.
fn certificate(place: &TestFolder) {
    place.write("small.xsb", "#######\n#@ $ .#\n#######\n");
    place.run("prove small.xsb --evidence horizon --horizon 1 -o hall.certificate").ends(21);
    let (text, path) = (hall(), "hall.certificate/certificate.json");
    let mut manifest: Value = serde_json::from_str(&place.read(path)).expect("JSON");
    manifest["files"]["puzzle.txt"] = hex(&Sha256::digest(&text)).into();
    place.write("hall.certificate/puzzle.txt", &text).write(path, &manifest.to_string());
}

fn start(place: &TestFolder, plan: &Plan, limit: bool) -> Run {
    let mut command = place.command(&plan.line);
    if limit && plan.limited {
        command.args(["--timeout", &format!("{}ms", LIMIT.as_millis())]);
    }
    let talk = Conversation::start(&mut command);
    Run { talk, since: Instant::now(), before: Duration::ZERO }
}

/// What the system says of a process.
#[derive(Default)]
struct ProcessStat {
    parent: u32,
    /// It has ended, and was not waited for.
    is_over: bool,
    /// Processor time, with that of the children that it has waited for.
    time: Duration,
}

/// What is known of a process; `None` where there is no such process, or nobody to ask.
fn stat(process: u32) -> Option<ProcessStat> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields[11..15].iter().filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
    let (parent, time) = (fields[1].parse().ok()?, Duration::from_millis(10 * ticks));
    Some(ProcessStat { parent, is_over: fields[0] == "Z", time })
}

/// The processes that a process has started.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|it| it.file_name().to_str()?.parse().ok());
    processes.filter(|&it| stat(it).is_some_and(|it| it.parent == parent)).collect()
}

/// The processor time of a program and of those that it has started.
fn worked(program: u32) -> Option<Duration> {
    let own = stat(program)?.time;
    let children = children(program).into_iter().filter_map(stat);
    Some(children.map(|it| it.time).sum::<Duration>() + own)
}

/// A run with what its time is counted from.
struct Run {
    talk: Conversation,
    since: Instant,
    /// Processor time by then.
    before: Duration,
}

impl Run {
    /// The same with its time counted from now.
    fn counted_anew(self) -> Self {
        let before = worked(self.talk.id()).unwrap_or_default();
        Self { since: Instant::now(), before, ..self }
    }

    /// What it printed, and what it took: the time that passed, or its processor time where that is
    /// less, since the machine may be busy with other things.
    fn ended(mut self) -> (Output, Duration) {
        self.talk.hear_all();
        // The time of a program that was waited for is not known any more.
        let process = self.talk.id();
        let is_over = || stat(process).is_none_or(|it| it.is_over);
        until("the end", is_over);
        let passed = self.since.elapsed();
        let worked = worked(process).map(|time| time.saturating_sub(self.before));
        (self.talk.end(), worked.map_or(passed, |worked| worked.min(passed)))
    }
}

/// What was measured of a run, or what is wrong with it.
fn measured(run: Run, plan: &Plan, limit: Duration) -> Result<f64, String> {
    let (output, took) = run.ended();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut faults = String::new();
    if took > limit + BEYOND {
        let _ = write!(faults, "took {took:.1?}; ");
    }
    let code = output.status.code();
    // What is quick enough may have an answer: no limit was ignored.
    let answered = took < limit + SOON && matches!(code, Some(0 | 20));
    if !answered && !code.is_some_and(|code| plan.codes.contains(&code)) {
        let _ = write!(faults, "ended with {}; ", output.status);
    }
    if plan.line.contains(" --json") {
        let mut lines = out.lines().map(serde_json::from_str::<Value>);
        match (lines.next(), lines.next()) {
            (Some(Ok(value)), None) if json::schema().is_valid(&value) => {}
            _ => faults.push_str("did not print one object of the schema; "),
        }
    }
    match faults.is_empty() {
        true => Ok(took.as_secs_f64()),
        false => {
            let cut = |text: &str| text.chars().take(2000).collect::<String>();
            Err(format!("{}: {faults}\n{}{}", plan.line, cut(&out), cut(&err)))
        }
    }
}

/// What is run: each command on some of the boards, or on all.
fn matrix(commands: &[String]) -> Vec<(String, &'static Board, Plan)> {
    let all = is_whole();
    let mut matrix = Vec::new();
    for (at, command) in commands.iter().enumerate() {
        if EXEMPT.iter().any(|(exempt, _)| exempt == command) {
            continue;
        }
        let plans = BOARDS.iter().enumerate();
        let plans = plans.filter_map(|(number, board)| {
            Some((board, plan(command, board, BOARDS.len() * at + number)?))
        });
        let plans: Vec<_> = plans.collect();
        let count = plans.len();
        for (number, (board, plan)) in plans.into_iter().enumerate() {
            // What once escaped is run in any case; beside it each command meets a board in turn.
            let once = ESCAPED.contains(&(command.as_str(), board.name));
            if all || once || number == at % count {
                matrix.push((command.clone(), board, plan));
            }
        }
    }
    matrix
}

/// Does this with all runs, as many at a time as there are cores, and says what came of it.
fn all(takes: fn(&Plan) -> bool, run: impl Fn(&TestFolder, &Plan) -> Result<f64, String> + Sync) {
    let place = place();
    let mut matrix = matrix(&commands());
    matrix.retain(|(_, _, plan)| takes(plan));
    let (runs, ended) = (Mutex::new(matrix.iter()), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((command, board, plan)) = runs.lock().unwrap().next() else { return };
                    let result = run(&place, plan);
                    ended.lock().unwrap().push((command, board.name, result));
                }
            });
        }
    });
    let ended = ended.into_inner().unwrap();
    for (command, board, result) in &ended {
        if let Ok(seconds) = result {
            println!("| {command} | {board} | {seconds:.2} |");
        }
    }
    let left = std::fs::read_dir(place.folder.path()).expect("a folder").flatten();
    let left = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let left: Vec<_> = left.filter(|name| name.starts_with(".unstuck-")).collect();
    assert!(left.is_empty(), "left behind: {left:?}");
    let faults: Vec<_> = ended.iter().filter_map(|(_, _, result)| result.as_ref().err()).collect();
    assert!(faults.is_empty(), "{} of {}: {faults:#?}", faults.len(), ended.len());
}

#[test]
fn every_command_is_run_or_exempt() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        let exempt = EXEMPT.iter().any(|(name, _)| name == command);
        let is_run = (0..).zip(&BOARDS).any(|(at, board)| plan(command, board, at).is_some());
        assert!(exempt != is_run, "{command}: say how it is run, or why it is not");
    }
    for (name, _) in EXEMPT {
        assert!(commands.iter().any(|command| command == name), "no command {name}");
    }
}

#[test]
fn every_command_ends_soon_after_its_time_limit() {
    let limited = |plan: &Plan| plan.limited;
    all(limited, |place, plan| measured(start(place, plan, true), plan, LIMIT));
}

/// The signal comes when the work is known to have begun.
#[cfg(target_os = "linux")]
mod signals {
    use super::{all, measured, start, stat, worked};
    use crate::store_folder::signal;
    use crate::wait::until;
    use std::time::Duration;

    /// Processor time after which a run is at work.
    const WORK: Duration = Duration::from_millis(250);

    fn wait_for_work(process: u32) {
        let has_ended = || stat(process).is_none_or(|it| it.is_over);
        until("work", || has_ended() || worked(process).is_none_or(|time| time >= WORK));
    }

    #[test]
    fn every_command_ends_soon_after_it_is_asked_to() {
        all(
            |_| true,
            |place, plan| {
                let run = start(place, plan, false);
                wait_for_work(run.talk.id());
                let run = run.counted_anew();
                signal(run.talk.id(), "-TERM");
                measured(run, plan, Duration::ZERO)
            },
        );
    }
}

/// Each level of a batch has its turn, however far those before it run over their time.
#[test]
fn a_level_that_overruns_costs_no_other_its_turn() {
    let place = TestFolder::new();
    for board in &BOARDS {
        place.write(board.file, &(board.text)());
    }
    // Many small ones that a limit ends are as bad as a few large ones.
    let rooms: String = (0..40).map(|_| room() + "\n").collect();
    place.write("rooms.xsb", &rooms);
    let objects = place.objects("solve . --timeout 50ms", 30);
    assert_eq!(objects.len(), BOARDS.len() + 40);
    let verdicts: Vec<&Value> = objects.iter().map(|object| &object["verdict"]).collect();
    assert!(
        verdicts.iter().all(|&verdict| verdict == "unknown" || verdict == "solved"),
        "{verdicts:?}"
    );
}

/// What does not heed the memory limit is left to itself, as what does not heed the time limit.
#[cfg(target_os = "linux")]
#[test]
fn a_level_that_takes_too_much_memory_costs_no_other_its_turn() {
    let place = TestFolder::new();
    let easy = |gap: &str| format!("#####{0}\n#@$.{gap}#\n#####{0}\n", "#".repeat(gap.len()));
    place.write("a.xsb", &easy("")).write("b.xsb", &hall()).write("c.xsb", &easy(" "));
    let printed = place.run("solve a.xsb b.xsb c.xsb --memory 60M").ends(30);
    printed.says("2 solved (all optimal), 1 unknown (memory)");
}
