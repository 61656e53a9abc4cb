//! A store survives the loss of any process, and has in the end what an undisturbed run leaves.

use crate::levels::{EASY, ENDLESS};
#[cfg(target_os = "linux")]
use crate::limits::children;
use crate::store_folder::{all_said, rooms, signal, size};
use crate::test_folder::{CommandOutput, TestFolder};
use crate::wait::until;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::process::Child;
use unstuck::certificate::Claim;
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::files::hex;
use unstuck::certificate::prove::{ProofOptions, ProofTask, prove_in};
use unstuck::registry::readings;
use unstuck::solve::Request;
use unstuck_cli::store::pack::pack;
use unstuck_puzzles::Objective;

/// The results of a store of one shard, and their certificates.
const RESULTS: &str = "run/results-00000.jsonl";
const CERTIFICATES: &str = "run/certificates-00000.tar.gz";

#[test]
fn what_a_store_has_is_what_solve_answers() {
    let place = TestFolder::new().with("rooms.txt", &rooms(60, 1));
    let printed = place.object("solve rooms.txt --store run --workers 2", 0);
    assert_eq!(printed["read"], 60, "{printed}");
    let lines = place.lines("run");
    assert_eq!(lines.len() as u64 + printed["duplicates"].as_u64().expect("a count"), 60);
    let solved = place.run("solve rooms.txt --json").objects();
    for line in lines.values() {
        let number = line["number"].as_u64().expect("a number") as usize;
        let other = &solved[number - 1];
        for name in ["id", "title", "file", "puzzle", "verdict", "lower", "upper", "optimal"] {
            assert_eq!(line[name], other[name], "{name} of {number}");
        }
        assert_eq!(line["question"], other["question"]);
        assert_eq!(line["solution"]["length"]["pushes"], other["solution"]["length"]["pushes"]);
    }
    // Nothing is left to do, wherever the levels are now.
    fs::rename(place.path("rooms.txt"), place.path("moved.txt")).expect("renamed");
    let again = place.object("solve moved.txt --store run", 0);
    let [known, answered] = ["from_store", "answered"].map(|it| again[it]["levels"].clone());
    assert_eq!((known, answered), (lines.len().into(), 0.into()));
    assert_eq!(again["from_store"]["verdicts"], printed["answered"]["verdicts"]);
    let status = place.object("list run", 0);
    assert_eq!(status["answered"]["levels"], lines.len());
    // Another question is another answer.
    let moves = place.object("solve moved.txt --store run --objective moves", 0);
    assert_eq!(moves["answered"]["levels"], lines.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_killed_ten_times_leaves_what_an_undisturbed_one_leaves() {
    let place = TestFolder::new().with("rooms.txt", &rooms(400, 2));
    let line = "solve rooms.txt --store killed --workers 2 --prove --shards 3 --quiet";
    place.run(&line.replace("killed", "whole")).ends(0);
    let whole = place.lines("whole");
    let bytes = size(&place.path("whole"));
    let mut random = fastrand::Rng::with_seed(3);
    let (mut of_workers, mut of_run) = (0, 0);
    // A machine that is busy with other things may be late for some: then all begins anew.
    for _ in 0..100 {
        if of_workers + of_run >= 10 {
            break;
        }
        let mut solving: Child = place.command(line).spawn().expect("it starts");
        let (killed, process) = (place.path("killed"), solving.id());
        let mut is_more = |bytes: u64| {
            let goal = size(&killed) + bytes;
            until("a result", || {
                size(&killed) >= goal || solving.try_wait().expect("waited").is_some()
            });
            solving.try_wait().expect("waited").is_none()
        };
        // Somewhere in the next tenth of the work.
        let mut at_work = is_more(random.u64(1..=bytes / 12));
        if at_work && random.bool() {
            let workers = children(process);
            if !workers.is_empty() {
                signal(workers[random.usize(..workers.len())], "-KILL");
                of_workers += 1;
            }
            // The run goes on; it is killed too, when it has done more.
            at_work = is_more(random.u64(1..=bytes / 40));
        }
        if at_work {
            signal(process, "-KILL");
            of_run += 1;
        }
        solving.wait().expect("waited");
        if !at_work {
            fs::remove_dir_all(&killed).expect("removed");
        }
    }
    assert!(of_run >= 3 && of_workers >= 1 && of_run + of_workers >= 10);
    place.run(line).ends(0);
    let killed = place.lines("killed");
    assert_eq!(all_said(&killed), all_said(&whole));
    assert!(killed.values().all(|line| !line["certificate"].is_null()), "all are certified");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_run_soon_and_the_same_command_goes_on() {
    let place = TestFolder::new().with("rooms.txt", &rooms(300, 4));
    let line = "solve rooms.txt --store run --workers 2";
    let solving = place.command(line).spawn().expect("it starts");
    until("some results", || size(&place.path("run")) >= 20_000);
    signal(solving.id(), "-INT");
    let ended = CommandOutput::of(&solving.wait_with_output().expect("it ends"));
    if ended.code != 0 {
        ended.ends(30).says("repeat the command to resume");
    }
    let before = place.lines("run").len();
    place.run(line).ends(0);
    place.run(&line.replace("run", "whole")).ends(0);
    assert!(before <= place.lines("whole").len());
    assert_eq!(all_said(&place.lines("run")), all_said(&place.lines("whole")));
}

#[test]
fn what_a_limit_ended_is_tried_again_with_a_larger_one() {
    let place = TestFolder::new().with("room.xsb", ENDLESS).with("easy.xsb", EASY);
    let line = "solve room.xsb easy.xsb --store run --objective moves --engine search";
    let printed = place.object(&format!("{line} --timeout 1"), 30);
    assert_eq!(printed["answered"]["verdicts"]["unknown (time)"], 1, "{printed}");
    let answered = |options: &str, code: i32| {
        place.object(&format!("{line} {options}"), code)["answered"]["levels"].clone()
    };
    assert_eq!(answered("--timeout 1", 30), 0);
    assert_eq!(answered("--timeout 1 --retry unknown", 30), 1);
    assert_eq!(answered("--timeout 1.5", 30), 1);
    assert_eq!(answered("--timeout 1.5 --retry all", 30), 2);
}

/// All workers share the memory: what there is no room for beside others is asked again alone, with all
/// of it, and what that is not enough for is said to have had all of it.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_shared_and_what_has_no_room_is_asked_again_alone() {
    let place = TestFolder::new();
    let other = ENDLESS.replacen("$ $", "$  ", 1).replacen(".....", ".... ", 1);
    place.write("one.xsb", ENDLESS).write("two.xsb", &other).write("easy.xsb", EASY);
    let line = "solve one.xsb two.xsb easy.xsb --store run --objective moves --engine search \
                --workers 2 --memory 40M --timeout 600";
    let printed = place.object(line, 30);
    let verdicts = &printed["answered"]["verdicts"];
    assert_eq!((&verdicts["unknown (memory)"], &verdicts["solved"]), (&2.into(), &1.into()));
    for line in place.lines("run").values() {
        assert_eq!(line["limits"]["memory_bytes"], 40 << 20, "{line}");
    }
    // What had all of it is tried again with more only.
    assert_eq!(place.object(line, 30)["answered"]["levels"], 0);
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_is_done() {
    let place = TestFolder::new();
    place.write("good.xsb", "#####\n#@$.#\n#####\n").write("bad.xsb", "#####\n#@$ #\n#####\n");
    place.write("board.flow", "A.\n.A\n").write("unread.xsb", "no level\n");
    let printed = place.run("solve good.xsb bad.xsb unread.xsb board.flow --store run").ends(2);
    printed.complains("bad.xsb").complains("unread.xsb");
    assert_eq!(place.lines("run").len(), 2);
    place.write("two.xsb", "#####\n#@$.#\n#####\n\n#####\n#@$?#\n#####\n");
    let printed = place.run("solve two.xsb --store run").ends(2);
    printed.complains("two.xsb:6:4: ").complains("| #@$?#");
    for (line, said) in [
        ("solve good.xsb --store run --shards 3", "16 shards"),
        ("solve good.xsb --store .", "no store"),
        ("merge nowhere", "no store here"),
        ("solve board.flow --store other --engine search", "--engine"),
    ] {
        place.run(line).ends(2).complains(said).complains("help");
    }
}

/// A level with a fault looks like no family's: the files beside it say what it is, wherever they come.
#[test]
fn a_level_with_a_fault_in_a_folder_is_no_foreign_file() {
    let place = TestFolder::new();
    fs::create_dir_all(place.path("all/programs")).expect("a folder");
    place
        .write("all/programs/read.flow", "{\"A\": \"A..A\"}\n")
        .write("all/a.flow", "A.\n?\n")
        .write("all/b.flow", "A.\n.A\n")
        .write("all/c.txt", "Words.\n");
    place.write("all/d.xsb", "#####\n# $.#\n#####\n").write("all/e.xsb", "#####\n#@$.#\n#####\n");
    let printed = place.run("solve all --store run").ends(2);
    let printed = printed.complains("all/a.flow:2:2: ").complains("all/d.xsb:1: ");
    printed.says("2 files skipped: not level files");
    let printed = place.object("solve all --store run", 2);
    let known = &printed["from_store"]["levels"];
    assert_eq!((known, &printed["unread"]), (&2.into(), &2.into()));
}

/// In the engine a restart wins this level, which is drawn won; here the result of a restart is not known.
const RESTARTED: &str = "noaction\n\nOBJECTS\nbackground .\nblack\n\nplayer P\nblue\n\ncrate *\nbrown\n\nLEGEND\n\n\
    SOUNDS\n\nCOLLISIONLAYERS\nbackground\nplayer, crate\n\nRULES\n[ > Player ] -> restart\n\n\
    WINCONDITIONS\nno Crate\n\nLEVELS\n\nP.\n";

#[test]
fn a_move_without_a_known_end_is_kept_as_a_reason() {
    let place = TestFolder::new().with("restarted.puzzlescript", RESTARTED);
    let solve = "solve restarted.puzzlescript --store run";
    let verdicts = place.object(solve, 30)["answered"]["verdicts"].clone();
    assert_eq!(verdicts["unknown (unknown-move)"], 1, "{verdicts}");
    assert_eq!(place.object("check run", 0)["checked"]["wrong"], 0);
    // More time would not help.
    assert_eq!(place.object(&format!("{solve} --timeout 9m"), 30)["answered"]["levels"], 0);
    let printed = place.run("diagnose restarted.puzzlescript u").ends(1);
    let printed = printed.says("incomplete: a move without a known end");
    assert!(!printed.out.contains("no solution"), "{printed}");
}

/// Memory of the process itself does not grow with the number of levels.
#[cfg(target_os = "linux")]
#[test]
fn many_levels_take_no_more_memory_than_few() {
    let place = TestFolder::new();
    let peak = |name: &str, levels: usize| {
        place.write(&format!("{name}.txt"), &rooms(levels, 5));
        let printed = place.object(&format!("solve {name}.txt --store {name} --workers 1"), 0);
        assert_eq!(printed["read"], levels);
        printed["peak_memory_bytes"].as_u64().expect("a figure")
    };
    // Below some thousand levels buffers have not come to their sizes.
    let (few, many) = (peak("few", 3_000), peak("many", 7_000));
    assert!(many < few + (4 << 20), "{few} and {many} bytes");
}

#[test]
fn a_store_is_judged_again_and_forgeries_are_seen() {
    let place = TestFolder::new().with("rooms.txt", &rooms(40, 6));
    place.run("solve rooms.txt --store run --prove --shards 1").ends(0);
    let lines = place.lines("run").len();
    let printed = place.object("check run", 0);
    assert_eq!(printed["checked"]["results"], lines);
    assert_eq!(printed["checked"]["certificates"], lines);
    let some = place.object("check run --sample 7 --seed 3", 0);
    assert_eq!(some["checked"]["results"], 7);
    let results = place.values(RESULTS);
    let mut solved = (0..results.len()).filter(|&at| results[at]["upper"].as_u64() > Some(1));
    let first = solved.next().expect("a solved one");
    let other = &results[solved.next().expect("another one")];
    let forge = |change: &dyn Fn(&mut Value)| {
        let mut forged = results.clone();
        change(&mut forged[first]);
        place.write_values(RESULTS, &forged);
        let printed = place.object("check run", 1);
        assert_eq!(printed["checked"]["wrong"], 1, "{}", forged[first]);
    };
    forge(&|line| {
        let cost = line["upper"].as_u64().expect("a cost") - 1;
        (line["upper"], line["lower"]) = (cost.into(), cost.into());
    });
    forge(&|line| line["solution"]["moves"] = "llll".into());
    forge(&|line| line["optimal"] = false.into());
    forge(&|line| line["verdict"] = "unsolvable".into());
    forge(&|line| line["id"] = "0123456789abcdef".into());
    forge(&|line| line["text"] = "#####\n#@$.#\n#####".into());
    forge(&|line| line["question"]["objective"] = "moves".into());
    // An answer to another question, with all that belongs to it.
    place.run("solve rooms.txt --store moves --objective moves --prove --shards 1").ends(0);
    let packed = fs::read(place.path("moves/certificates-00000.tar.gz")).expect("certificates");
    let own = fs::read(place.path(CERTIFICATES)).expect("certificates");
    fs::write(place.path(CERTIFICATES), packed).expect("written");
    let (asked, moves) = (&results[first], place.values("moves/results-00000.jsonl"));
    let same = moves.into_iter().find(|line| line["text"] == asked["text"]);
    let mut line = same.expect("the same level");
    (line["question"], line["key"]) = (asked["question"].clone(), asked["key"].clone());
    assert_eq!(checked(&place, &line, "", 1)["checked"]["wrong"], 1, "{line}");
    fs::write(place.path(CERTIFICATES), own).expect("written");
    // Fields that do not fit each other.
    forge(&|line| line["certified"] = false.into());
    forge(&|line| line["verdict"] = "crashed".into());
    forge(&|line| line["lower"] = 1_000.into());
    forge(&|line| {
        (line["verdict"], line["solution"], line["certified"]) =
            ("unknown".into(), Value::Null, false.into());
        (line["certificate"], line["upper"]) = (Value::Null, Value::Null);
    });
    forge(&|line| line["certificate"]["sha256"] = "0".into());
    forge(&|line| line["certificate"] = Value::Null);
    // The certificate of another level.
    forge(&|line| line["certificate"] = other["certificate"].clone());
    place.write_values(RESULTS, &results);
    place.run("check run").ends(0);
    // Bytes that were changed in a certificate.
    let mut bytes = fs::read(place.path(CERTIFICATES)).expect("certificates");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(place.path(CERTIFICATES), bytes).expect("written");
    assert_eq!(place.object("check run", 1)["checked"]["wrong"], 1);
}

/// The store of one level, with its result.
fn store_of_one(words: &str) -> (TestFolder, Value) {
    let place = TestFolder::new().with("level.xsb", "######\n#@ $.#\n######\n");
    place.run(&format!("solve level.xsb --store run --shards 1 {words}")).ends(0);
    let line = place.lines("run").into_values().next().expect("a result");
    (place, line)
}

/// Judges the store with another result in place of its own.
#[track_caller]
fn checked(place: &TestFolder, line: &Value, words: &str, code: i32) -> Value {
    place.write_values(RESULTS, std::slice::from_ref(line));
    place.object(&format!("check run {words}"), code)
}

#[test]
fn a_certificate_of_the_first_count_shows_no_tie_break() {
    let (place, mut line) = store_of_one("--objective pushes,moves");
    assert_eq!(line["tie_break_optimal"], true, "{line}");
    // Two moves more than there need be, said to be least.
    line["solution"]["moves"] = "rlrR".into();
    line["solution"]["length"]["moves"] = 4.into();
    assert_eq!(checked(&place, &line, "", 0)["checked"]["uncertified"], 1);
    let text = line["text"].as_str().expect("a text");
    let instances = readings("sokoban", text, Objective::PushesMoves);
    let instance = instances.expect("a level").remove(0);
    let plan = instance.verify("rlrR").expect("it solves");
    let task = ProofTask {
        solution: Some(&plan),
        ..ProofTask::new(instance.as_ref(), text, Claim::Optimal(1))
    };
    let mut files = MemoryFiles::new(1 << 24);
    let (proof_options, request) = (ProofOptions::default(), Request::default());
    let proved = prove_in(&mut files, &task, &proof_options, &request, &mut |_| {});
    assert!(proved.is_ok());
    place_certificate(&place, &mut line, &files);
    let printed = checked(&place, &line, "", 1);
    assert!(
        printed["faults"][0]["fault"].as_str().is_some_and(|it| it.contains("tie_break_optimal"))
    );
    line["tie_break_optimal"] = false.into();
    let printed = checked(&place, &line, "", 0);
    assert_eq!(
        (&printed["checked"]["certificates"], &printed["checked"]["uncertified"]),
        (&1.into(), &0.into())
    );
}

/// Packs a certificate into the store and lets the result speak of it.
fn place_certificate(place: &TestFolder, line: &mut Value, files: &MemoryFiles) {
    let packed = pack(line["key"].as_str().expect("a key"), files).expect("packed");
    place_packed(place, line, &packed);
}

fn place_packed(place: &TestFolder, line: &mut Value, packed: &[u8]) {
    fs::write(place.path(CERTIFICATES), packed).expect("written");
    line["certificate"] = json!({
        "shard": 0,
        "offset": 0,
        "bytes": packed.len(),
        "sha256": hex(&Sha256::digest(packed)),
    });
    line["certified"] = true.into();
}

#[test]
fn bounds_and_counts_that_nothing_shows_are_wrong_or_counted() {
    let (place, line) = store_of_one("");
    let forged = |line: &Value, forge: &dyn Fn(&mut Value), code: i32| {
        let mut line = line.clone();
        forge(&mut line);
        checked(&place, &line, "", code)["checked"].clone()
    };
    let printed = |forge: &dyn Fn(&mut Value), code: i32| forged(&line, forge, code);
    assert_eq!(printed(&|_| {}, 0)["uncertified"], 1);
    let bound = |line: &mut Value, lower: u64| {
        (line["optimal"], line["lower"]) = (false.into(), lower.into());
    };
    assert_eq!(printed(&|line| bound(line, 0), 0)["uncertified"], 0);
    assert_eq!(printed(&|line| bound(line, 1), 0)["uncertified"], 1);
    printed(&|line| bound(line, 2), 1);
    printed(&|line| line["unique"] = false.into(), 1);
    printed(&|line| line["others"] = json!([{ "moves": "rlrR" }]), 1);
    printed(&|line| line["tie_break_optimal"] = true.into(), 1);
    printed(&|line| line["exit"] = 20.into(), 1);
    printed(&|line| line["horizon"] = 3.into(), 1);
    printed(&|line| line["schema"] = 1.into(), 1);
    printed(&|line| (line["verdict"], line["exit"]) = ("unsolvable".into(), 20.into()), 1);
    printed(&|line| line["verdict"] = "crashed".into(), 1);
    // Fields that are not judged are named, those that this program does not know too.
    let mut line = line.clone();
    line["blessing"] = "certainly".into();
    let names = checked(&place, &line, "", 0)["not_judged"].to_string();
    assert!(names.contains("blessing") && names.contains("sentence"), "{names}");
    assert!(!names.contains("verdict") && !names.contains("lower"), "{names}");
    // Two fields of one name: which one is read?
    let twice = line.to_string().replacen("\"optimal\"", "\"optimal\":false,\"optimal\"", 1);
    place.write(RESULTS, &(twice + "\n"));
    place.run("check run").ends(2);
    // Boards with several solutions.
    place.write("board.flow", "A..\n...\n..A\n");
    place.run("solve board.flow --store run2 --shards 1").ends(0);
    let board = place.lines("run2").into_values().next().expect("a result");
    let printed = |forge: &dyn Fn(&mut Value), code: i32| forged(&board, forge, code);
    assert_eq!(board["unique"], false, "{board}");
    printed(&|_| {}, 0);
    printed(&|line| line["others"][0]["moves"] = "nonsense".into(), 1);
    printed(&|line| line["others"][0] = line["solution"].clone(), 1);
    printed(&|line| line["others"] = json!([]), 1);
    assert_eq!(printed(&|line| line["all_found"] = true.into(), 0)["uncertified"], 1);
}

#[test]
fn certificates_are_unpacked_within_what_is_allowed() {
    let (place, mut line) = store_of_one("");
    // An archive whose header says how much follows, and what follows.
    let archive = |key: &str, says: u64, zeros: usize| {
        let mut header = tar::Header::new_gnu();
        header.set_path(format!("{key}/certificate.json")).expect("a short name");
        header.set_size(says);
        header.set_cksum();
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(header.as_bytes()).expect("packed");
        let piece = vec![0; 1 << 20];
        for _ in 0..zeros >> 20 {
            packed.write_all(&piece).expect("packed");
        }
        packed.finish().expect("packed")
    };
    let key = line["key"].as_str().expect("a key").to_owned();
    let mut printed = |says: u64, zeros: usize, code: i32| {
        place_packed(&place, &mut line, &archive(&key, says, zeros));
        checked(&place, &line, "--memory 300 --workers 1", code)
    };
    // More than the limit allows is not unpacked: nothing is known of it then.
    assert_eq!(printed(400 << 20, 400 << 20, 30)["stopped_by"], "memory limit");
    // More than any store has is wrong, and so is what is not what its header says.
    for (says, zeros) in [(0, 4 << 20), (2 << 20, 1 << 20), (1 << 20, 2 << 20)] {
        assert_eq!(printed(says, zeros, 1)["checked"]["wrong"], 1, "{says} {zeros}");
    }
    // Of a packed one that is larger than the limit nothing is read.
    let large = fs::File::create(place.path(CERTIFICATES));
    large.and_then(|file| file.set_len(1 << 36)).expect("sparse");
    line["certificate"]["bytes"] = (1_u64 << 36).into();
    checked(&place, &line, "--memory 300", 30);
    line["certificate"]["bytes"] = u64::MAX.into();
    checked(&place, &line, "--memory 300", 1);
    // A line without an end.
    let large = fs::File::create(place.path(RESULTS));
    large.and_then(|file| file.set_len(1 << 36)).expect("sparse");
    place.run("check run --memory 300").ends(2);
}

#[cfg(unix)]
#[test]
fn files_of_a_store_are_no_pipes() {
    let (place, _) = store_of_one("--prove");
    for name in [CERTIFICATES, RESULTS] {
        place.make_pipe(name);
        for line in ["check run", "solve level.xsb --store run"] {
            let printed = place.soon(line);
            assert!([1, 2].contains(&printed.code), "{printed}");
        }
    }
}

#[test]
fn stores_become_one_table() {
    let place = TestFolder::new().with("one.txt", &rooms(20, 7)).with("two.txt", &rooms(30, 8));
    place.write("both.txt", &(rooms(20, 7) + &rooms(30, 8)));
    for (levels, store) in [("one", "a"), ("two", "b"), ("both", "c")] {
        place.run(&format!("solve {levels}.txt --store {store}")).ends(0);
    }
    place.run("merge a b c -o table.csv").ends(0);
    let table = place.read("table.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let column = |name: &str| {
        let head = table.lines().next().expect("a head");
        head.split(',').position(|column| column == name).expect("a column")
    };
    let lines = place.lines("c");
    let mut rows = 0;
    for row in reader.records() {
        let row = row.expect("a row");
        let line = &lines[&row[column("key")]];
        assert_eq!(&row[column("verdict")], line["verdict"].as_str().expect("a verdict"));
        assert_eq!(&row[column("text")], line["text"].as_str().expect("a text"));
        let upper = line["upper"].as_u64().map_or(String::new(), |upper| upper.to_string());
        assert_eq!(&row[column("upper")], upper);
        rows += 1;
    }
    assert_eq!(rows, lines.len());
    place.run("merge a -o table.csv").ends(2).complains("--force");
}
