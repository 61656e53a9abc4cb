//! Forged locks are refused, and each check is what refuses one of them.

use super::*;
use crate::commands::lock::check::{Finding, all};
use crate::commands::lock::entry::LockedCertificate;
use crate::store::derive::tests::{names, own};
use clap::{Command, FromArgMatches};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use unstuck::certificate::Claim;
use unstuck::certificate::prove::{ProofOptions, ProofTask, prove as certify};
use unstuck::limits::Limits;
use unstuck::registry::by_name;
use unstuck::solve::Request;
use unstuck_puzzles::{Objective, Options};

const EASY: &str = "#####\n#@$.#\n#####\n";
const LONGER: &str = "######\n#@ $.#\n######\n";
const FARTHER: &str = "#######\n#@  $.#\n#######\n";
const STUCK: &str = "######\n#$   #\n#@ . #\n######\n";

/// A folder with levels and what is locked of them.
struct Coord {
    folder: tempfile::TempDir,
}

impl Coord {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        let two = format!("Easy\n\n{EASY}\nLonger\n\n{LONGER}\n");
        place.lock("two", "xsb", &two, &["--forbid", "move d"]);
        place.lock("moves", "xsb", EASY, &["--objective", "moves"]);
        place.lock("any", "xsb", LONGER, &["--objective", "any"]);
        place.lock("farther", "xsb", FARTHER, &[]);
        place.lock("stuck", "xsb", STUCK, &[]);
        place.lock("one", "flow", "A.A\n", &[]);
        place.lock("several", "flow", "A..\n...\n..A\n", &[]);
        place
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Locks a file.
    fn lock(&self, name: &str, extension: &str, text: &str, further: &[&str]) {
        let level = self.path().join(format!("{name}.{extension}"));
        fs::write(&level, text).unwrap();
        let lock = self.path().join(format!("{name}.lock"));
        let (level, lock) = (level.display().to_string(), lock.display().to_string());
        let words = [&["lock", &level, "-o", &lock, "--quiet", "--force"], further].concat();
        let mut matches =
            LockCommand::augment_args(Command::new("lock")).try_get_matches_from(words).unwrap();
        let command = LockCommand::from_arg_matches_mut(&mut matches).unwrap();
        assert_eq!(Box::leak(Box::new(command)).run().unwrap(), 0, "{name}");
    }

    fn read(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path().join(format!("{name}.lock"))).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// What comes of the entries of a lock.
    fn judged(&self, lock: &Value, checks: Checks) -> Vec<(Finding, String)> {
        let lock = Lock::of(self.path(), lock["levels"].as_array().unwrap());
        let checked = all(&lock, &Limits::none(), checks);
        checked.into_iter().map(|it| (it.finding, it.faults.join("; "))).collect()
    }

    /// Whether nothing is wrong with a lock.
    fn accepts(&self, lock: &Value, checks: Checks) -> bool {
        let right = |finding| !matches!(finding, Finding::Changed | Finding::Gone);
        self.judged(lock, checks).iter().all(|&(finding, _)| right(finding))
    }
}

/// A forgery: the check that sees it, and no other; the lock that is forged; and how.
type Forgery = (&'static str, &'static str, fn(&mut Value, &Coord));

fn remove(entry: &mut Value, name: &str) {
    entry.as_object_mut().unwrap().shift_remove(name);
}

/// What was certified after moves that lead back to where they began.
fn certificate_after(place: &Coord) -> Value {
    let family = by_name("sokoban").unwrap();
    let options = Options::new(family.options, []).unwrap();
    let level = (family.read)(FARTHER, &options).unwrap().remove(0);
    let text = level.text.clone();
    let before = level.puzzle.unwrap().instances(Objective::Pushes).unwrap().remove(0);
    let later = before.continued("rl").unwrap();
    let plan = later.verify("rrR").unwrap();
    let task = ProofTask {
        solution: Some(&plan),
        after: "rl",
        ..ProofTask::new(later.as_ref(), &text, Claim::Optimal(1))
    };
    let target = place.path().join("unstuck.certificates/after");
    let proof_options = ProofOptions { force: true, ..ProofOptions::default() };
    assert!(certify(&task, &proof_options, &Request::default(), &target, &mut |_| {}).is_ok());
    json!(LockedCertificate::at(&target, "unstuck.certificates/after".to_owned()).unwrap())
}

const FORGERIES: &[Forgery] = &[
    ("options", "one", |entry, _| remove(&mut entry["options"], "cover")),
    ("identity", "any", |_, place| {
        let changed = LONGER.replacen("######\n", "######\n#    #\n", 1);
        fs::write(place.path().join("any.xsb"), changed).unwrap();
    }),
    ("number", "any", |entry, _| entry["number"] = json!(2)),
    ("title", "two", |entry, _| entry["title"] = json!("Longer")),
    ("sum", "two", |entry, _| entry["certificate"]["sha256"] = json!("00")),
    ("puzzle", "two", |entry, place| {
        entry["certificate"] = place.read("two")["levels"][1]["certificate"].clone();
    }),
    ("terms", "one", |entry, _| entry["terms"][1]["value"] = json!("no")),
    ("terms", "two", |entry, place| {
        entry["certificate"] = place.read("moves")["levels"][0]["certificate"].clone();
    }),
    ("twice", "two", |entry, place| *entry = place.read("two")["levels"][1].clone()),
    ("after", "farther", |entry, place| {
        entry["certificate"] = certificate_after(place);
    }),
    ("wishes", "two", |entry, _| {
        entry["certificate"] = entry["tricks"][0]["certificate"].clone();
    }),
    ("possible", "any", |entry, _| entry["optimum"] = json!(0)),
    ("different", "several", |entry, _| entry["another"] = entry["solution"].clone()),
    ("none", "two", |entry, _| {
        (entry["verdict"], entry["optimum"]) = (json!("unsolvable"), Value::Null);
        entry["certificate"] = Value::Null;
    }),
    ("some", "two", |entry, _| {
        (entry["solution"], entry["optimum"]) = (Value::Null, Value::Null);
    }),
    ("cost", "moves", |entry, place| {
        place.lock("moves", "xsb", LONGER, &["--objective", "moves"]);
        *entry = place.read("moves")["levels"][0].clone();
        (entry["solution"], entry["optimum"]) = (json!("rlrR"), json!(4));
    }),
    ("verdict", "two", |entry, _| entry["verdict"] = json!("unsolvable")),
    ("horizon", "two", |entry, _| entry["horizon"] = json!(3)),
    ("optimum", "two", |entry, _| entry["optimum"] = Value::Null),
    ("unique", "two", |entry, _| entry["unique"] = json!(true)),
    ("solution", "any", |entry, _| {
        entry["solution"] = json!(format!(" {}", entry["solution"].as_str().unwrap()));
    }),
    ("another", "any", |entry, _| entry["another"] = json!("rlrR")),
    ("claim", "two", |entry, _| entry["tricks"][0]["claim"] = json!("unsolvable")),
    ("plan", "two", |entry, _| entry["tricks"][0]["solution"] = Value::Null),
];

#[test]
fn each_check_of_a_lock_is_what_refuses_a_forgery() {
    let place = Coord::new();
    for name in ["two", "moves", "any", "farther", "stuck", "one", "several"] {
        assert!(place.accepts(&place.read(name), Checks::ALL), "{name}");
    }
    for &(check, name, forge) in FORGERIES {
        // One forges the file beside the lock.
        fs::write(place.path().join("any.xsb"), LONGER).unwrap();
        let mut lock = place.read(name);
        forge(&mut lock["levels"][0], &place);
        let printed = place.judged(&lock, Checks::ALL);
        assert!(!place.accepts(&lock, Checks::ALL), "{check}: {printed:?}");
        let printed = place.judged(&lock, Checks::without(check));
        assert!(place.accepts(&lock, Checks::without(check)), "without {check}: {printed:?}");
    }
    // No check is left that no forgery is for.
    let compared = ["verdict", "horizon", "optimum", "unique", "solution", "another", "claim"];
    let made = [own(), names(include_str!("entry.rs")), names(include_str!("check.rs"))].concat();
    let made: BTreeSet<&str> = made.into_iter().chain(compared).collect();
    let forged: BTreeSet<&str> = FORGERIES.iter().map(|&(check, ..)| check).collect();
    assert_eq!(made, forged);
}
