//! Forged results are refused, and each check is what refuses one of them.

use super::*;
use crate::commands::work::WorkCommand;
use crate::input::SelectedLevel;
use crate::input::args::SolveArgs;
use crate::store::derive::tests::{names, of_result};
use crate::store::open_store::OpenStore;
use crate::store::pack;
use crate::store::question;
use crate::store::result::GivenLimits;
use clap::{Args, Command, FromArgMatches};
use serde_json::json;
use sha2::{Digest, Sha256};
use unstuck::certificate::Claim;
use unstuck::certificate::files::MemoryFiles;
use unstuck::certificate::prove::{ProofOptions, ProofTask, prove_in};
use unstuck::registry::{by_name, readings};
use unstuck::solve::Request;
use unstuck_puzzles::Options;
use unstuck_puzzles::constraints::Constraints;

/// What words mean for a command with these arguments.
fn read<A: Args + FromArgMatches>(words: &[&str]) -> A {
    let words = [&["it"], words].concat();
    let mut given = A::augment_args(Command::new("it")).try_get_matches_from(words).unwrap();
    A::from_arg_matches_mut(&mut given).unwrap()
}

/// A store of one shard with the results of these levels, each in an objective and with these words
/// for its worker.
fn store(
    folder: &std::path::Path,
    levels: &[(&str, &str, Option<Objective>, &[&str])],
) -> (Store, Vec<Value>) {
    let store = OpenStore::open(Store::begin(folder, Some(1)).unwrap()).unwrap();
    let solve: SolveArgs = read(&[]);
    for &(family, text, objective, words) in levels {
        let worker: WorkCommand = read(words);
        let family = by_name(family).unwrap();
        let options = Options::new(family.options, []).unwrap();
        let chosen = SelectedLevel::of_text("x", family, options, text).unwrap();
        let means = (&solve, GivenLimits::default());
        let asked = question::asked("solve", &chosen, objective, means, None);
        let asked = asked.unwrap().in_store(&chosen);
        let (line, packed) = worker.answered(&asked.to_string()).unwrap();
        store.keep(asked.stored_key().unwrap(), line, &packed).unwrap();
    }
    let mut lines = Vec::new();
    let visited = store.store.visit(0, &mut |_, line| {
        lines.push(line);
        Ok::<(), shards::StoreError>(())
    });
    visited.unwrap();
    (store.store, lines)
}

const LEVEL: &str = "######\n#@ $.#\n######\n";

/// Results: certified; without a certificate; a board with several solutions; one with one.
fn some(folder: &std::path::Path) -> (Store, Vec<Value>) {
    let prove: &[&str] = &["--prove"];
    store(
        folder,
        &[
            ("sokoban", LEVEL, None, prove),
            ("sokoban", LEVEL, Some(Objective::Moves), &[]),
            ("flow", "A..\n...\n..A\n", None, &[]),
            ("flow", "A.A\n", None, prove),
        ],
    )
}

fn judged(store: &Store, line: &Value, checks: Checks) -> Result<CheckedResult, CheckFailure> {
    let key = line["key"].as_str().and_then(shards::key_of).unwrap();
    let judge =
        Judge { store, limits: &Limits::none(), room: MAX_CERTIFICATE_BYTES as u64, checks };
    judge.result(key, line)
}

/// The check that sees a forgery, and no other; which result is forged; how.
type Forgery = (&'static str, usize, fn(&mut Value));

fn keyed(line: &mut Value) {
    let asked = LevelQuestion::deserialize(&*line).unwrap();
    let chosen = asked.level().unwrap();
    line["key"] = json!(asked.in_store(&chosen).key);
}

const FORGERIES: &[Forgery] = &[
    ("schema", 0, |line| line["schema"] = json!(1)),
    ("key", 0, |line| line["question"]["engine"] = json!("another")),
    ("nothing", 1, |line| line["verdict"] = json!("crashed")),
    ("id", 0, |line| line["id"] = json!("0123456789abcdef")),
    ("options", 1, |line| {
        line["question"]["options"]["cover"] = json!("yes");
        keyed(line);
    }),
    ("certified", 1, |line| line["certified"] = json!(true)),
    ("place", 0, |line| line["certificate"]["note"] = json!("unsolvable")),
    ("lower", 0, |line| line["lower"] = json!(0)),
    ("stopped", 0, |line| line["stopped_by"] = json!("boredom")),
    ("objective", 0, |line| line["objective"] = json!("moves")),
    ("terms", 2, |line| line["terms"][1]["value"] = json!("no")),
    ("verdict", 1, |line| {
        (line["verdict"], line["optimal"]) = (json!("won"), json!(false));
    }),
    ("exit", 0, |line| line["exit"] = json!(20)),
    ("horizon", 0, |line| line["horizon"] = json!(3)),
    ("solution", 0, |line| line["solution"]["length"]["moves"] = json!(1)),
    ("upper", 0, |line| line["upper"] = json!(2)),
    ("optimal", 0, |line| line["optimal"] = json!(false)),
    ("tie_break_optimal", 0, |line| line["tie_break_optimal"] = json!(true)),
    ("unique", 0, |line| line["unique"] = json!(true)),
    ("all_found", 0, |line| line["all_found"] = json!(true)),
    ("others", 0, |line| line["others"] = json!([])),
];

#[test]
fn each_check_of_a_store_is_what_refuses_a_forgery() {
    let folder = tempfile::tempdir().unwrap();
    let (store, lines) = some(&folder.path().join("store"));
    for line in &lines {
        assert!(judged(&store, line, Checks::ALL).is_ok(), "{line}");
    }
    for &(check, at, forge) in FORGERIES {
        let mut line = lines[at].clone();
        forge(&mut line);
        let right = judged(&store, &line, Checks::ALL);
        assert!(matches!(right, Err(CheckFailure::Fault(_))), "{check}: {right:?}");
        let without = judged(&store, &line, Checks::without(check));
        assert!(without.is_ok(), "without {check}: {without:?}");
    }
    // No check is left that no forgery is for.
    let made: BTreeSet<&str> = names(SOURCE).into_iter().chain(of_result()).collect();
    let forged: BTreeSet<&str> = FORGERIES.iter().map(|&(check, ..)| check).collect();
    assert_eq!(made, forged);
}

#[test]
fn what_no_evidence_shows_is_wrong_or_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (store, lines) = some(&folder.path().join("store"));
    let printed = |at: usize, forge: &dyn Fn(&mut Value)| {
        let mut line = lines[at].clone();
        forge(&mut line);
        judged(&store, &line, Checks::ALL)
    };
    let open = |at: usize, forge: &dyn Fn(&mut Value)| {
        printed(at, forge).unwrap_or_else(|wrong| panic!("{wrong:?}")).is_open()
    };
    let wrong = |at: usize, forge: &dyn Fn(&mut Value)| assert!(printed(at, forge).is_err());
    assert!(!open(0, &|_| {}) && open(1, &|_| {}) && !open(3, &|_| {}));
    // Two solutions show that there are several, and nothing that there are no more.
    assert!(lines[2]["others"].as_array().is_some_and(|it| it.len() == 1), "{}", lines[2]);
    assert!(!open(2, &|line| line["all_found"] = json!(false)));
    assert!(open(2, &|line| line["all_found"] = json!(true)));
    wrong(2, &|line| line["others"][0] = line["solution"].clone());
    wrong(2, &|line| line["others"][0]["moves"] = json!("A-A"));
    wrong(2, &|line| line["others"] = json!([]));
    wrong(2, &|line| line["unique"] = json!(true));
    wrong(3, &|line| line["all_found"] = json!(false));
    wrong(3, &|line| line["unique"] = json!(false));
    wrong(3, &|line| line["lower"] = json!(0));
    // What cannot be read is wrong, too.
    wrong(0, &|line| line["certificate"]["offset"] = Value::Null);
    wrong(1, &|line| line["solution"] = json!("R"));
    // A bound that nothing shows is counted; one that cannot be is wrong.
    let bound = |line: &mut Value, lower: u64| {
        line["optimal"] = json!(false);
        line["lower"] = json!(lower);
    };
    assert!(open(1, &|line| bound(line, 1)) && !open(1, &|line| bound(line, 0)));
    wrong(1, &|line| bound(line, 3));
    wrong(1, &|line| line["lower"] = Value::Null);
    let unknown = |line: &mut Value, lower: u64| {
        (line["verdict"], line["exit"]) = (json!("unknown"), json!(30));
        line["stopped_by"] = json!("time");
        for name in ["solution", "upper", "optimal", "tie_break_optimal"] {
            line[name] = Value::Null;
        }
        line["lower"] = json!(lower);
    };
    assert!(open(1, &|line| unknown(line, 9)) && !open(1, &|line| unknown(line, 0)));
    // What nothing has ended would never be tried again.
    wrong(1, &|line| {
        unknown(line, 0);
        line["stopped_by"] = Value::Null;
    });
    // What a farm writes of a worker that did not heed a limit is no answer.
    let ended = printed(1, &|line| {
        unknown(line, 0);
        (line["reading"], line["lower"]) = (Value::Null, Value::Null);
    });
    assert!(ended.is_ok_and(|right| right.derived.is_none()));
    wrong(1, &|line| {
        unknown(line, 4);
        line["reading"] = Value::Null;
    });
}

/// A certificate of the first count alone shows nothing of the tie-break.
#[test]
fn a_tie_break_needs_a_certificate_that_claims_it() {
    let folder = tempfile::tempdir().unwrap();
    let tied: (_, _, _, &[&str]) = ("sokoban", LEVEL, Some(Objective::PushesMoves), &["--prove"]);
    let (store, lines) = self::store(&folder.path().join("store"), &[tied]);
    let line = &lines[0];
    assert_eq!(line["tie_break_optimal"], true, "{line}");
    assert!(judged(&store, line, Checks::ALL).is_ok());
    let mut weaker = line.clone();
    weaker["tie_break_optimal"] = json!(false);
    assert!(judged(&store, &weaker, Checks::ALL).is_err());
    // Without one a longer plan may be said to be shortest, which is counted.
    let mut forged = line.clone();
    (forged["certified"], forged["certificate"]) = (json!(false), Value::Null);
    forged["solution"]["moves"] = json!("rlrR");
    forged["solution"]["length"]["moves"] = json!(4);
    assert!(judged(&store, &forged, Checks::ALL).is_ok_and(|right| right.is_open()));
}

/// A certificate of the level that is forged, in place of its own: its files are packed under its key.
fn replaced(store: &Store, line: &mut Value, files: &MemoryFiles) {
    let key = line["key"].as_str().unwrap();
    let packed = pack::pack(key, files).unwrap();
    let path = store.certificates(0);
    let mut all = std::fs::read(&path).unwrap();
    line["certificate"] = json!({
        "shard": 0,
        "offset": all.len(),
        "bytes": packed.len(),
        "sha256": unstuck::certificate::files::hex(&Sha256::digest(&packed)),
    });
    all.extend(packed);
    std::fs::write(path, all).unwrap();
}

/// What is certified about the level under an objective: after these moves, with these constraints.
fn certified(objective: Objective, after: &str, forbidden: &str, plan: &str) -> MemoryFiles {
    let before = readings("sokoban", LEVEL, objective).unwrap().remove(0);
    let later = if after.is_empty() { before } else { before.continued(after).unwrap() };
    let plan = later.verify(plan).unwrap();
    let mut constraints = Constraints::default();
    if !forbidden.is_empty() {
        constraints.forbid(forbidden).unwrap();
    }
    let claim = Claim::Optimal(objective.primary(plan.tally()));
    let task = ProofTask {
        solution: Some(&plan),
        after,
        constraints,
        ..ProofTask::new(later.as_ref(), LEVEL, claim)
    };
    let mut files = MemoryFiles::new(1 << 24);
    let (options, request) = (ProofOptions::default(), Request::default());
    let proved = prove_in(&mut files, &task, &options, &request, &mut |_| {});
    assert!(proved.is_ok(), "{:?}", proved.err());
    files
}

/// A certificate about anything else than the question of the result shows nothing of it, and neither
/// does a claim that the solutions contradict.
#[test]
fn certificates_about_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (store, lines) = some(&folder.path().join("store"));
    let refused = |at: usize, what: &str, forge: &dyn Fn(&mut Value)| {
        let mut line = lines[at].clone();
        forge(&mut line);
        match judged(&store, &line, Checks::ALL) {
            Err(wrong) => assert!(wrong.to_string().contains(what), "{what}: {wrong}"),
            Ok(right) => panic!("{what}: {right:?}"),
        }
    };
    let pushes = Objective::Pushes;
    refused(0, "another objective", &|line| {
        replaced(&store, line, &certified(Objective::Moves, "", "", "rR"));
    });
    refused(0, "another position", &|line| {
        replaced(&store, line, &certified(pushes, "rl", "", "rR"));
    });
    refused(0, "its constraints differ", &|line| {
        replaced(&store, line, &certified(pushes, "", "move d", "rR"));
    });
    let other = "#######\n#@  $.#\n#######\n";
    let prove: &[&str] = &["--prove"];
    let one = [("sokoban", other, None, prove)];
    let (others, lines_of_other) = self::store(&folder.path().join("other"), &one);
    let asked = LevelQuestion::deserialize(&lines_of_other[0]).unwrap();
    let none = Limits::none();
    let mut watch = Monitor::silent(&none);
    let files = others.certificate(&asked, 1 << 24, &mut watch).unwrap().unwrap();
    refused(0, "another puzzle", &|line| replaced(&store, line, &files));
    // Without a certificate a claim must at least be one that can be.
    refused(2, "listed twice", &|line| line["others"][0] = line["solution"].clone());
    refused(1, "said to have none", &|line| line["verdict"] = json!("unsolvable"));
    refused(0, "there is no solution", &|line| line["solution"] = Value::Null);
    refused(1, "cannot be claimed", &|line| {
        line["question"]["objective"] = json!("any");
        keyed(line);
    });
}

#[test]
fn a_sample_is_chosen_by_its_seed_and_not_by_an_order() {
    fn sample(keys: impl Iterator<Item = u64>, size: usize, seed: u64) -> BTreeSet<u64> {
        let mut kept = BTreeSet::new();
        keys.for_each(|key| draw(&mut kept, key, size, seed));
        kept.into_iter().map(|(_, key)| key).collect()
    }
    let forward = sample(0..10_000, 50, 7);
    assert_eq!(forward.len(), 50);
    assert_eq!(forward, sample((0..10_000).rev(), 50, 7));
    assert_ne!(forward, sample(0..10_000, 50, 8));
    assert_eq!(sample(0..9, 50, 7), (0..9).collect());
    // Nothing is preferred: about half of them lie in the upper half.
    let upper = sample(0..10_000, 1_000, 1).into_iter().filter(|&key| key >= 5_000).count();
    assert!((400..600).contains(&upper), "{upper}");
}
