//! Forged results are refused, and each check is what refuses one of them.

use super::*;
use crate::commands::farm::QuestionArgs;
use crate::input::SelectedLevel;
use crate::store::derive::tests::{names, of_result};
use crate::store::question;
use crate::store::shards::Shard;
use clap::{Command, FromArgMatches};
use serde_json::json;
use unstuck::registry::by_name;
use unstuck_puzzles::Options;

/// A store of one shard with the results of these levels, each asked for with these words.
fn store(folder: &std::path::Path, levels: &[(&str, &str, &[&str])]) -> (Store, Vec<Value>) {
    let store = Store::begin(folder, Some(1)).unwrap();
    let mut shard = Shard::open(&store, 0, &mut |_, _| {}).unwrap();
    for &(family, text, words) in levels {
        let words = [&["work"], words].concat();
        let asked = QuestionArgs::augment_args(Command::new("work"));
        let mut asked = asked.try_get_matches_from(words).unwrap();
        let question = QuestionArgs::from_arg_matches_mut(&mut asked).unwrap();
        let family = by_name(family).unwrap();
        let options = Options::new(family.options, []).unwrap();
        let chosen = SelectedLevel::of_text("x", family, options, text).unwrap();
        let QuestionArgs { reading, solve, limits, .. } = &question;
        let (objective, search) = (reading.objective, question.search());
        let asked = question::asked(&chosen, objective, (solve, limits), search, None).unwrap();
        let (key, within) = (shards::key(&asked, &chosen.level.text), asked.limits);
        let asked = asked.in_store(key, chosen.level.text, within);
        let (line, packed) = work::answered(&question, &asked.to_string()).unwrap();
        shard.append(line, &packed).unwrap();
    }
    let mut lines = Vec::new();
    let visited = store.visit(0, &mut |_, line| {
        lines.push(line);
        Ok::<(), shards::StoreError>(())
    });
    visited.unwrap();
    (store, lines)
}

const LEVEL: &str = "######\n#@ $.#\n######\n";

/// Results: certified; without a certificate; a board with several solutions; one with one.
fn some(folder: &std::path::Path) -> (Store, Vec<Value>) {
    let prove: &[&str] = &["--prove"];
    store(
        folder,
        &[
            ("sokoban", LEVEL, prove),
            ("sokoban", LEVEL, &["--objective", "moves"]),
            ("flow", "A..\n...\n..A\n", &[]),
            ("flow", "A.A\n", prove),
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
    let text = asked.text.as_deref().unwrap();
    line["key"] = json!(shards::shown(shards::key(&asked, text)));
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
        printed(at, forge).unwrap_or_else(|wrong| panic!("{wrong:?}")).open
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
    assert!(ended.is_ok_and(|right| !right.answer && !right.open));
    wrong(1, &|line| {
        unknown(line, 4);
        line["reading"] = Value::Null;
    });
}

/// A certificate of the first count alone shows nothing of the tie-break.
#[test]
fn a_tie_break_needs_a_certificate_that_claims_it() {
    let folder = tempfile::tempdir().unwrap();
    let tied: &[&str] = &["--objective", "pushes,moves", "--prove"];
    let (store, lines) = self::store(&folder.path().join("store"), &[("sokoban", LEVEL, tied)]);
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
    assert!(judged(&store, &forged, Checks::ALL).is_ok_and(|right| right.open));
}
