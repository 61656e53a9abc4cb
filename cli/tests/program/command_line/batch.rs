//! Nothing lost, nothing skipped.

use super::{COLLECTION, CommandOutput, EASY, ENDLESS, STUCK, TestFolder, own};
#[cfg(unix)]
use crate::store_folder::signal;
use crate::wait::{Conversation, until};
use serde_json::Value;
use std::fs;

/// A table without times and without what it says of answers that come from the store.
fn table(printed: &CommandOutput) -> String {
    let plain = |line: &str| {
        let found = match line.split_once(" of them from the store, not found in this run") {
            Some((before, after)) => {
                format!("{}{after}", before.rsplit_once(", ").map_or(before, |(before, _)| before))
            }
            None => line.to_owned(),
        };
        let found = found.strip_suffix(" store").unwrap_or(&found);
        let words = found.split_whitespace().filter(|word| *word != "s");
        let words = words.filter(|word| !word.contains('.') || word.ends_with(".sok"));
        words.collect::<Vec<_>>().join(" ")
    };
    printed.out.lines().map(plain).collect::<Vec<_>>().join("\n")
}

#[test]
fn results_are_known_by_level_and_question_not_by_name_and_place() {
    let place = TestFolder::new().with("a.sok", COLLECTION);
    place.run("solve a.sok --log log").ends(0).says("3 levels: 3 solved (all optimal)");
    assert_eq!(place.values("log").len(), 3);
    // Another name, another order, other white space: nothing is solved again.
    let board = "######\n#@ $.#\n######\n";
    place.write("b.sok", &format!("{board}\n\n{EASY}\n"));
    place.run("solve b.sok --log log").ends(0).says("2 levels: 2 solved (all optimal)");
    assert_eq!(place.values("log").len(), 3);
    // Another objective, engine, horizon or option is another question; another limit is not.
    place.run("solve b.sok --log log --timeout 9m").ends(0);
    assert_eq!(place.values("log").len(), 3);
    place.run("solve b.sok --log log --objective moves").ends(0).says("2 solved");
    assert_eq!(place.values("log").len(), 5);
    place.run("solve b.sok --log log --engine sat").ends(0);
    assert_eq!(place.values("log").len(), 7);
    place.run("solve b.sok --log log --horizon 5").ends(0);
    assert_eq!(place.values("log").len(), 9);
    // An edited level is a new one, the others are known.
    place.write("a.sok", &COLLECTION.replace("#@ $ .#", "#@ $. #"));
    place.run("solve a.sok --log log").ends(0).says("3 levels: 3 solved");
    assert_eq!(place.values("log").len(), 10);
}

#[test]
fn turned_levels_share_a_name_but_not_their_moves() {
    let place = TestFolder::new();
    let turned = "#####\n#.$@#\n#####\n";
    place.write("both.xsb", &format!("{EASY}\n{turned}\n"));
    let first = place.objects("solve both.xsb --log log", 0);
    assert_eq!(first[0]["id"], first[1]["id"]);
    let moves =
        |objects: &[Value]| [&objects[0], &objects[1]].map(|o| o["solution"]["moves"].clone());
    assert_eq!(moves(&first), ["R", "L"].map(Value::from));
    let again = place.objects("solve both.xsb --log log", 0);
    assert_eq!(moves(&again), moves(&first));
    assert_eq!(place.values("log").len(), 2);
}

#[test]
fn a_single_level_is_logged_too() {
    let place = TestFolder::new().with("one.xsb", EASY);
    let first = place.run("solve one.xsb --log log").ends(0).says("1 push");
    assert_eq!(place.values("log").len(), 1);
    let again =
        place.run("solve one.xsb --log log").ends(0).says("as the store of an earlier run says");
    assert_eq!(first.out.lines().next(), again.out.lines().next());
    assert_eq!(place.values("log").len(), 1);
}

#[test]
fn unknown_levels_are_tried_again_as_asked() {
    let place = TestFolder::new().with("hard.xsb", &format!("{EASY}\n{ENDLESS}\n"));
    let tries = |arguments: &str| {
        let printed = place
            .run(&format!("solve hard.xsb --engine search --log log --json {arguments}"))
            .ends(30);
        let objects = printed.objects();
        assert_eq!(objects.len(), 2, "all levels are reported, old and new");
        objects[1]["limits"]["seconds"].as_f64()
    };
    assert_eq!(tries("--timeout 0.1"), Some(0.1));
    assert_eq!(tries("--timeout 0.05 --retry none"), Some(0.1), "smaller limits try nothing new");
    assert_eq!(tries("--timeout 0.2 --retry none"), Some(0.2), "larger ones always do");
    assert_eq!(tries("--timeout 0.1"), Some(0.1), "unknown levels are tried again");
    assert_eq!(place.values("log").len(), 2, "a later line replaces an earlier one");
    place.run("solve hard.xsb --engine search --log log --retry all --timeout 0.1").ends(30);
    assert_eq!(place.values("log").len(), 2);
    place.run("solve hard.xsb --retry all").ends(2);
}

#[test]
fn a_torn_last_line_is_tolerated_and_other_files_are_not_touched() {
    let place = TestFolder::new().with("a.sok", COLLECTION);
    let whole = place.run("solve a.sok --log log").ends(0);
    let text = place.read("log");
    for cut in [text.len() - 1, text.len() - 40, text.rfind("{\"schema").expect("a line") + 3] {
        place.write("log", &text[..cut]);
        let again = place.run("solve a.sok --log log").ends(0);
        assert_eq!(table(&again), table(&whole), "cut at {cut}");
        assert_eq!(place.values("log").len(), 3, "cut at {cut}");
    }
    for (name, text, fault) in [
        ("a.sok", COLLECTION, "is an input"),
        ("b.sok", COLLECTION, "not a result of unstuck"),
        ("x", "hello", "not a result of unstuck"),
        ("y", "{\"a\": 1}\n{}\n", "not a result of unstuck"),
    ] {
        place.write(name, text);
        place.run(&format!("solve a.sok --log {name}")).ends(2).complains(fault);
        assert_eq!(place.read(name), text);
    }
}

#[test]
fn two_runs_do_not_write_one_log() {
    let place = TestFolder::new().with("hard.xsb", ENDLESS).with("easy.xsb", EASY);
    let line = "solve hard.xsb --engine search --log log --progress 0.1";
    let mut first = Conversation::start(&mut place.command(line));
    first.until("hard.xsb: ");
    place.run("solve easy.xsb --log log").ends(2).complains("another run is writing this store");
    first.kill();
    place.run("solve easy.xsb --log log").ends(0);
}

#[test]
fn records_keep_what_files_say_and_are_resumed() {
    let place = TestFolder::new().with("a.sok", COLLECTION);
    place.run("solve a.sok -l 1-2 --log log --record r.sok").ends(0);
    let first = place.read("r.sok");
    for kept in ["Odds and ends", "Author: Somebody\n", "free for all", "Somebody Else"] {
        assert!(first.contains(kept), "{kept}: {first}");
    }
    for kept in ["Hardness: 1", "One push will do.", "Snapshot 1/0", "Solver: unstuck"] {
        assert!(first.contains(kept), "{kept}: {first}");
    }
    // The rest of the levels is added, what was there stays.
    place.run("solve a.sok --log log --record r.sok").ends(0);
    let all = place.read("r.sok");
    assert!(all.starts_with(&first), "{all}");
    assert_eq!(all.matches("Solver: unstuck").count(), 3);
    // A run that finds nothing new drops nothing.
    place.run("solve a.sok --log log --record r.sok").ends(0);
    assert_eq!(place.read("r.sok"), all);
    // A torn record is rewritten from the log.
    place.write("r.sok", &all[..all.len() - 30]);
    place.run("solve a.sok --log log --record r.sok").ends(0);
    assert_eq!(place.read("r.sok"), all);
    // What is not in the log is not replaced unasked.
    let other = format!("{all}\nMy own\n\n####\n#@ #\n#$ #\n#. #\n####\n");
    place.write("r.sok", &other);
    place.run("solve a.sok --log log --record r.sok").ends(2).complains("more than the log knows");
    assert_eq!(place.read("r.sok"), other);
    place.run("solve a.sok --log log --record r.sok --force").ends(0);
    assert_eq!(place.read("r.sok"), all);
    // The record reads back, with its solutions.
    place.run("replay r.sok -l 2").ends(0).says("valid: solved in 2 moves and 1 push");
    place.run("list r.sok").ends(0).says("recorded");
}

#[test]
fn every_family_with_a_place_for_solutions_records_them() {
    let place = TestFolder::new();
    for (level, record) in [
        ("sokobond/water.sokobond", "r.sokobond"),
        ("snowman/first-snowman.snowman", "r.snowman"),
        ("warehouse/first-box.warehouse", "r.warehouse"),
    ] {
        let level = own(level);
        let line = format!("solve {level} --log log --record {record} --json");
        let solved = place.run(&line).ends(0).objects().remove(0);
        place.run(&format!("replay {record}")).ends(0).says("valid: solved in");
        place.run(&format!("solve {record} --compare")).ends(0).says("right and shortest");
        let read = place.object(&format!("list {record}"), 0);
        assert_eq!(read["id"], solved["id"], "{record} holds the same level");
        // What the log knows is rewritten.
        let text = place.read(record);
        place.run(&line).ends(0);
        assert_eq!(place.read(record), text);
    }
    // Levels that are recorded become a collection.
    let water = own("sokobond/water.sokobond");
    place.run(&format!("solve {water} {water} --record two.sokobond")).ends(0);
    place.run("solve two.sokobond").ends(0).says("2 levels: 2 solved (all optimal)");
    let first = place.read("r.snowman");
    let second = first.replace("First Snowman", "Second");
    place.write("two.snowman", &format!("; by us\n{first}\n{second}"));
    place.run("solve two.snowman --record both.snowman").ends(0);
    let both = place.read("both.snowman");
    assert_eq!(both.matches("; solution: ").count(), 2, "{both}");
    assert!(both.contains("; title: Second") && both.contains("; by us"), "{both}");
    // A warehouse has its file for itself, and flow boards have no place for solutions.
    let warehouse = own("warehouse/first-box.warehouse");
    let printed = place.run(&format!("solve {warehouse} {warehouse} --record x")).ends(2);
    printed.complains("a file of warehouse holds one level").complains("--log");
    place.write("f.flow", "A..\n...\n..A\n");
    place.run("solve f.flow --record x").ends(2).complains("have no place for solutions");
    assert!(!place.has("x"));
}

#[test]
fn conflicts_of_outputs_are_found_before_the_work() {
    let place = TestFolder::new().with("hard.xsb", ENDLESS).with("there", "x");
    for outputs in [
        "--record there",
        "--svg there",
        "--png there",
        "--film there.gif --record nowhere/at/all",
        "--svg same --record same",
        "--svg - --png -",
        "--svg - --json",
        "--record .",
    ] {
        // A run that began its work would not end.
        let printed = place.run(&format!("solve hard.xsb {outputs}"));
        assert_eq!(printed.code, 2, "{outputs}: {}{}", printed.out, printed.err);
        assert!(printed.err.contains("help"), "{outputs}: {}", printed.err);
    }
    assert_eq!(place.read("there"), "x");
    place.run("prove hard.xsb -o there").ends(2).complains("already exists");
    place.run("export hard.xsb --horizon 2 -o there").ends(2).complains("already exists");
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_is_solved() {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("bad.xsb", "#####\n#$.#\n#####\n").write("s.xsb", STUCK);
    place.write("unread.xsb", "no level\n");
    let printed = place.run("solve a.xsb unread.xsb bad.xsb s.xsb").ends(2);
    let printed =
        printed.complains("unread.xsb").complains("no player").says("1 solved (all optimal)");
    printed.says("1 unsolvable").says("2 not read");
    place.run("list a.xsb unread.xsb").ends(2).says("a.xsb").complains("unread.xsb");
    place.run("export a.xsb unread.xsb --horizon 1 -o out").ends(2).complains("unread.xsb");
    assert!(place.has("out/a.cnf"));
    place.run("prove a.xsb unread.xsb -o certificates").ends(2).complains("unread.xsb");
    place.run("check certificates/a").ends(0);
    place.run("bench a.xsb unread.xsb --engine search").ends(2).says("1 solved");
    // Without faults of reading the first unsolved level gives the code.
    place.run("solve a.xsb s.xsb").ends(20);
}

#[test]
fn a_dash_is_standard_output() {
    let place = TestFolder::new().with("a.xsb", EASY);
    let svg = place.run("solve a.xsb --svg -").ends(0).complains("solved in 1 move");
    assert!(svg.out.starts_with("<svg") && svg.out.trim_end().ends_with("</svg>"), "{}", svg.out);
    let record = place.run("solve a.xsb --record -").ends(0);
    assert!(record.out.starts_with("#####") && record.out.contains("\nR\n"), "{}", record.out);
    place.write("b.sok", COLLECTION);
    let record = place.run("solve b.sok --record - --log log").ends(0);
    assert_eq!(record.out.matches("Solution ").count(), 3, "{}", record.out);
    let again = place.run("solve b.sok --record - --log log").ends(0);
    assert_eq!(again.out, record.out);
    let cnf = place.run("export a.xsb --horizon 1 -o -").ends(0);
    assert!(cnf.out.contains("p cnf "), "{}", cnf.out);
    assert!(!place.has("-"), "no file is called so");
    let film = place.run("replay a.xsb R --film -").ends(0);
    assert!(film.out.starts_with("GIF89a"));
}

#[test]
fn prove_reports_the_bounds_and_certifies_them_when_asked() {
    let place = TestFolder::new().with("hard.xsb", ENDLESS);
    // How long a bound takes is up to the machine and what else it does: the first limit that
    // is enough.
    let within_some_limit = |arguments: &str, enough: &dyn Fn(&CommandOutput) -> bool| {
        let line = format!("prove hard.xsb --engine sat -o c {arguments} --timeout");
        let runs = [0.7, 1.5, 6.0, 24.0, 96.0].map(|seconds| format!("{line} {seconds}"));
        runs.iter().map(|line| place.run(line)).find(enough).expect("some limit is enough")
    };
    let printed = within_some_limit("", &|printed| printed.out.contains("lower bound"));
    printed.ends(30).says("no certificate").says("--bound-only");
    assert!(!place.has("c"));
    let printed = within_some_limit("--bound-only", &|printed| printed.code == 21);
    let printed = printed.says("no solution within").says("certified");
    place.run("check c").ends(0).says("no solution within");
    assert!(printed.out.contains("certificate: c"), "{}", printed.out);
}

/// A batch that takes a while, and in which every run gives the same plans.
fn batch(place: &TestFolder) -> String {
    let text = [
        fs::read_to_string(own("sokoban/first-steps.sok")).expect("own levels"),
        fs::read_to_string(own("sokoban/no-way-out.sok")).expect("own levels"),
    ];
    place.write("batch.sok", &text.join("\n"));
    // Horizons have all the time that they need: whether they or single steps show an optimum would
    // else depend on what a busy machine does within a second.
    "solve batch.sok -l 1-14 --engine sat --threads 1 --objective moves --log log \
     --record record.sok --tune horizons_solo=600000"
        .to_owned()
}

/// What must be the same whenever and however often a run was interrupted.
fn essence(place: &TestFolder) -> (Vec<Value>, String) {
    let volatile = ["seconds", "peak_memory_bytes", "search", "limits"];
    let mut lines = place.values("log");
    for line in &mut lines {
        volatile.iter().for_each(|name| line[*name] = Value::Null);
        for asked in line["horizons"].as_array_mut().into_iter().flatten() {
            asked["seconds"] = Value::Null;
        }
    }
    let record = if place.has("record.sok") { place.read("record.sok") } else { String::new() };
    let record: Vec<_> = record.lines().filter(|line| !line.starts_with("Solver time")).collect();
    (lines, record.join("\n"))
}

/// A batch of Flow, whose levels are begun while those before them are at work; one file cannot be
/// read without more information.
fn side_by_side(place: &TestFolder, threads: usize) -> String {
    let boards =
        fs::read_dir(own("flow")).expect("own levels").map(|it| it.expect("a file").path());
    let mut boards: Vec<_> =
        boards.filter(|it| it.extension().is_some_and(|it| it == "txt")).collect();
    boards.sort();
    let names = boards.iter().map(|board| {
        let name = board.file_name().and_then(|it| it.to_str()).expect("a name");
        place.write(name, &fs::read_to_string(board).expect("a board"));
        name.to_owned()
    });
    let names: Vec<String> = names.collect();
    format!("solve {} --threads {threads} --log log", names.join(" "))
}

#[cfg(unix)]
#[test]
fn interrupted_batches_end_like_uninterrupted_ones() {
    interrupted_ends_like_uninterrupted(&batch, 20);
}

#[cfg(unix)]
#[test]
fn interrupted_batches_of_levels_side_by_side_end_like_uninterrupted_ones() {
    interrupted_ends_like_uninterrupted(&|place| side_by_side(place, 2), 2);
}

#[test]
fn parallel_levels_are_reported_like_sequential_ones() {
    let runs = [1, 3].map(|threads| {
        let place = TestFolder::new();
        let printed = place.run(&side_by_side(&place, threads)).ends(2);
        (table(&printed), essence(&place))
    });
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].1.0.len() > 30, "{} levels", runs[0].1.0.len());
}

#[cfg(unix)]
fn interrupted_ends_like_uninterrupted(batch: &dyn Fn(&TestFolder) -> String, code: i32) {
    let whole = TestFolder::new();
    let line = batch(&whole);
    let uninterrupted = whole.run(&line).ends(code);
    let place = TestFolder::new();
    batch(&place);
    let files = ["log", "record.sok"];
    let written = |place: &TestFolder| {
        let size = |name| fs::metadata(place.path(name)).map_or(0, |about| about.len());
        files.map(size).iter().sum::<u64>()
    };
    let all = written(&whole);
    let mut random = fastrand::Rng::with_seed(1);
    let mut kinds = ["-INT", "-KILL"].into_iter().cycle().take(16).peekable();
    // A machine that is busy with other things may be late for some: then the batch begins anew.
    for _ in 0..200 {
        let Some(&kind) = kinds.peek() else { break };
        let mut child = place.command(&line).spawn().expect("the program starts");
        // At once, in the middle of a level, between a line of the log and one of the record.
        let goal = written(&place) + random.u64(0..=all / 20);
        let mut has_ended = || child.try_wait().expect("a state").is_some();
        until("more of the batch", || written(&place) >= goal || has_ended());
        if has_ended() {
            files.iter().for_each(|name| drop(fs::remove_file(place.path(name))));
            continue;
        }
        signal(child.id(), kind);
        kinds.next();
        child.wait().expect("the program ends");
    }
    assert_eq!(kinds.next(), None, "runs ended before they were interrupted");
    let resumed = place.run(&line).ends(code);
    assert_eq!(table(&resumed), table(&uninterrupted));
    assert_eq!(essence(&place), essence(&whole));
}
