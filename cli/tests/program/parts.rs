//! Many machines: parts that have no level in common and have all of them together, each solved into a
//! store of its own, resumed there, and merged.

use crate::store_folder::{all_said, rooms, signal, size};
use crate::test_folder::TestFolder;
use crate::wait::until;
use std::fs;
use std::process::{Child, Command, Stdio};

const LINE: &str = "solve rooms.txt --prove --timeout 60 --quiet --workers 1";

fn solved_part(place: &TestFolder, number: u32, of: u32) -> usize {
    place.run(&format!("{LINE} --store part-{number} --part {number}/{of}")).ends(0);
    place.lines(&format!("part-{number}")).len()
}

/// The store has what one run over all levels finds.
fn assert_same(place: &TestFolder, store: &str) {
    place.run(&format!("{LINE} --store whole")).ends(0);
    let said = [store, "whole"].map(|store| all_said(&place.lines(store)));
    assert_eq!(said[0], said[1]);
    let printed = place.object(&format!("check {store}"), 0);
    assert_eq!(printed["checked"]["certificates"], said[0].len(), "{printed}");
}

#[test]
fn parts_are_disjoint_complete_and_the_same_wherever_the_levels_stand() {
    let place = TestFolder::new().with("rooms.txt", &rooms(90, 11));
    let sizes = [1, 2, 3].map(|number| solved_part(&place, number, 3));
    assert!(sizes.iter().all(|&size| size > 10), "{sizes:?}");
    place.run("merge part-1 part-2 part-3 -o run").ends(0);
    assert_eq!(place.lines("run").len(), sizes.iter().sum::<usize>(), "no level is in two parts");
    assert_same(&place, "run");
    // Nothing is added twice.
    place.run("merge part-2 -o run").ends(0).says("0 results added");
    // In another order, with other titles: each level is in the part in which it was.
    let text = rooms(90, 11);
    let mut levels: Vec<&str> = text.split("; ").filter(|level| !level.is_empty()).collect();
    levels.reverse();
    place.write("rooms.txt", &levels.iter().map(|level| format!("; x{level}")).collect::<String>());
    for number in [1, 2, 3] {
        let printed = place.object(&format!("{LINE} --store part-{number} --part {number}/3"), 0);
        assert_eq!(printed["answered"]["levels"], 0, "{printed}");
    }
    // What is not in the store has to be found.
    let added = format!("{} results added", place.lines("run").len());
    place.run("merge part-1 run -o new").ends(0).says(&added);
}

#[test]
fn an_unsettled_answer_is_replaced_by_a_settled_one() {
    let place = TestFolder::new();
    place.write("room.txt", crate::levels::ENDLESS).write("easy.txt", crate::levels::EASY);
    let line = "solve room.txt easy.txt --engine search --objective moves";
    place.run(&format!("{line} --timeout 0.5 --store open")).ends(30);
    place.run("solve easy.txt --engine search --objective moves --store easy").ends(0);
    place.run("merge easy open -o both").ends(0);
    let verdict = |store: &str| place.object(&format!("list {store}"), 30)["answered"].clone();
    assert_eq!(verdict("both")["verdicts"], verdict("open")["verdicts"]);
    // A certificate that is not what its result says is not merged.
    place.run("solve easy.txt --prove --store proved --shards 1").ends(0);
    let packed = place.path("proved/certificates-00000.tar.gz");
    let mut bytes = fs::read(&packed).expect("certificates");
    bytes[20] ^= 1;
    fs::write(&packed, bytes).expect("written");
    let printed = place.run("merge proved -o bad").ends(2);
    printed.complains("another checksum").complains("unstuck check");
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

/// The recipe of the book with HyperQueue itself, where it is: a server and two workers, one of which
/// is killed in the middle; its part is begun again elsewhere and resumed.
#[test]
fn hyperqueue_loses_a_worker_and_no_result() {
    let there = Command::new("hq").arg("--version").stdout(Stdio::null()).status();
    if there.is_err() {
        eprintln!("skipped: the program `hq` is not on the PATH");
        return;
    }
    let place = TestFolder::new();
    // Enough for seconds, so that it is seen in the middle.
    place.write("rooms.txt", &rooms(1_500, 16));
    let server = place.path("server");
    let hq = |words: &[&str]| {
        let mut hq = Command::new("hq");
        hq.args(words).env("HQ_SERVER_DIR", &server).current_dir(place.folder.path());
        hq.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        hq
    };
    let start = |words: &[&str]| hq(words).spawn().expect("it starts");
    let mut ends = Ends(vec![start(&["server", "start"])]);
    until("the server", || hq(&["server", "info"]).status().is_ok_and(|status| status.success()));
    for _ in 0..2 {
        ends.0.push(start(&["worker", "start", "--cpus=1", "--on-server-lost=stop"]));
    }
    let program = env!("CARGO_BIN_EXE_unstuck");
    let part = format!("{program} {LINE} --store part-$HQ_TASK_ID --part $HQ_TASK_ID/4");
    let submit =
        ["submit", "--array=1-4", "--crash-limit=20", "--wait", "--", "sh", "-c", part.as_str()];
    let mut job = start(&submit);
    let parts = |number: u32| size(&place.path(&format!("part-{number}")));
    until("results of two parts", || (1..=4).filter(|&it| parts(it) > 4_000).count() > 1);
    signal(ends.0[1].id(), "-KILL");
    assert!(job.wait().expect("waited").success(), "all parts are done");
    place.run("merge part-1 part-2 part-3 part-4 -o run").ends(0);
    assert_same(&place, "run");
}
