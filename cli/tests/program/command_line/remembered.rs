//! What a file remembers is never told as found: single fields of logs, locks and stores are changed,
//! and each change is refused, or its answer is said to be remembered.

use super::hostile::places;
use super::{COLLECTION, CommandOutput, EASY, STUCK, TestFolder, own};
use serde_json::{Value, json};
use std::fs;

/// Other values in the place of one.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0), json!("unsolvable")],
        Value::Bool(it) => vec![json!(!it), Value::Null],
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            match number.fract() == 0.0 {
                true => vec![json!(number as i64 + 1), json!(-1), Value::Null],
                false => vec![json!(-number), json!(1e300), Value::Null],
            }
        }
        Value::String(text) if text == "solved" => vec![json!("unsolvable"), json!("unknown")],
        Value::String(text) => vec![json!(format!("{text}x")), json!(""), json!("unsolvable")],
        _ => Vec::new(),
    }
}

/// The same with one field changed, all ways after the other.
fn changed(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (place, _) in places(value).into_iter().filter(|(_, is_key)| !is_key) {
        let here = value.pointer(&place).expect("a leaf");
        for other in others(here).into_iter().filter(|other| other != here) {
            let mut changed = value.clone();
            let what = format!("{place} = {other}");
            *changed.pointer_mut(&place).expect("a leaf") = other;
            all.push((what, changed));
        }
    }
    all
}

/// What an answer says of its level.
fn said(answer: &Value) -> Vec<Value> {
    let names = ["file", "number", "puzzle", "id", "verdict", "exit", "lower", "optimal", "unique"];
    names.map(|name| answer[name].clone()).to_vec()
}

#[test]
fn each_change_of_a_log_is_refused_or_said_to_be_remembered() {
    let place = TestFolder::new().with("stuck.xsb", STUCK).with("two.flow", "A..\n...\n..A\n");
    place.write("easy.xsb", "Longer\n\n######\n#@ $.#\n######\n");
    let line = "solve easy.xsb stuck.xsb two.flow --log log --json";
    let found = place.run(line).objects();
    let log = place.values("log");
    let (mut refused, mut again, mut remembered) = (0, 0, 0);
    for (at, entry) in log.iter().enumerate() {
        for (what, forged) in changed(entry) {
            let mut lines = log.clone();
            lines[at] = forged;
            place.write_values("log", &lines);
            let printed = place.run(line);
            if printed.code == 2 {
                let named = format!("log:{}: not a result of unstuck", at + 1);
                printed.complains(&named);
                refused += 1;
                continue;
            }
            let answers = printed.objects();
            assert_eq!(answers.len(), 3, "{what}: {printed:?}");
            for (answer, found) in answers.iter().zip(&found) {
                if answer["from_store"] == true {
                    assert_eq!(answer["certified"], false, "{what}: {answer}");
                    remembered += 1;
                } else {
                    assert_eq!(said(answer), said(found), "{what}");
                    again += 1;
                }
            }
            // The same in words.
            place.write_values("log", &lines);
            let table = place.run(&line.replace(" --json", ""));
            let count = answers.iter().filter(|answer| answer["from_store"] == true).count();
            let said = format!("{count} of them from the store, not found in this run");
            assert_eq!(table.out.contains(&said), count > 0, "{what}: {}", table.out);
        }
    }
    println!("{refused} refused, {again} solved again, {remembered} remembered");
    assert!(refused >= 10 && again >= 30 && remembered >= 100, "{refused} {again} {remembered}");
}

/// The cases that were found: false verdicts, and times that are none.
#[test]
fn a_log_that_was_edited_certifies_nothing_and_ends_no_run() {
    let place = TestFolder::new();
    let game = own("puzzlescript/push.puzzlescript");
    let line = format!("solve {game} --log log");
    place.run(&line).ends(20);
    let log = place.values("log");
    let edited = |edit: &dyn Fn(&mut [Value])| {
        let mut lines = log.clone();
        edit(&mut lines);
        place.write_values("log", &lines);
    };
    edited(&|lines| {
        lines[1]["verdict"] = json!("unsolvable");
        lines[1]["exit"] = json!(20);
        for name in ["solution", "upper", "optimal"] {
            lines[1][name] = Value::Null;
        }
        lines[1]["certified"] = json!(true);
        lines[1]["sentence"] = json!("unsolvable, certified");
    });
    let printed = place.run(&line).ends(20);
    let printed =
        printed.says("unsolvable").says("4 of them from the store, not found in this run");
    assert!(!printed.out.contains("certified"), "{}", printed.out);
    let answer = place.objects(&line, 20).remove(1);
    assert_eq!((&answer["from_store"], &answer["certified"]), (&json!(true), &json!(false)));
    assert_eq!(answer["sentence"], "unsolvable: there is no solution of any length");
    let one = place.run(&format!("{line} -l 2")).ends(20).says("unsolvable");
    one.says("as the store of an earlier run says; not found in this one, not certified");
    place.run(&format!("{line} --quiet")).ends(20).complains("note: 4 answers from the store");
    // What contradicts itself is not taken.
    edited(&|lines| lines[0]["upper"] = json!(9));
    let printed = place.run(&line).complains("#1: what the store says is not taken: ");
    printed.says("3 of them from the store");
    for seconds in [json!(-1), json!(-0.5), json!(1e300), json!("1")] {
        edited(&|lines| lines[2]["seconds"] = seconds.clone());
        place.run(&line).ends(2).complains("log:3: not a result of unstuck");
    }
    edited(&|lines| lines[2]["seconds"] = json!(1.8e19));
    place.run(&line).ends(20).says("of them from the store");
}

/// What is tried again takes over what the log knew, and says so.
#[test]
fn a_bound_of_the_log_is_remembered_where_a_level_is_tried_again() {
    let place = TestFolder::new().with("hard.xsb", super::ENDLESS);
    let line = "solve hard.xsb --engine search --timeout 0.1 --log log --json";
    place.run(line).ends(30);
    let mut lines = place.values("log");
    lines[0]["lower"] = json!(9999);
    place.write_values("log", &lines);
    let again = place.run(line).ends(30).objects().remove(0);
    assert_eq!((&again["lower"], &again["from_store"]), (&json!(9999), &json!(true)), "{again}");
    assert_eq!(place.values("log")[0]["from_store"], true);
}

#[test]
fn measurements_of_earlier_runs_are_said_to_be_such() {
    let place = TestFolder::new().with("a.xsb", EASY);
    let line = "bench a.xsb --engine search --log rows";
    let first = place.run(line).ends(0);
    assert!(!first.err.contains("earlier runs"), "{}", first.err);
    place.run(line).ends(0).complains("note: 1 row from rows, measured by earlier runs");
    let mut lines = place.values("rows");
    lines[0]["seconds"] = json!(1e300);
    place.write_values("rows", &lines);
    place.run(line).ends(2).complains("rows:1: not a result of unstuck");
}

#[test]
fn each_change_of_a_lock_is_refused_or_not_repeated() {
    let place = TestFolder::new();
    place.write("a.sok", COLLECTION).write("s.xsb", STUCK).write("f.flow", "A..\n...\n..A\n");
    place.run("lock a.sok s.xsb f.flow").ends(0);
    place.run("check --locked").ends(0);
    let results = "unstuck.lock/results-00000.jsonl";
    let lines = place.values(results);
    let valid = place.run("check --locked --json").ends(0).out;
    let mut count = 0;
    for (at, line) in lines.iter().enumerate() {
        for (what, forged) in changed(line) {
            let mut lines = lines.clone();
            lines[at] = forged;
            place.write_values(results, &lines);
            let printed = place.run("check --locked --allow-uncertified --json");
            // What is not judged is not repeated either.
            let is_told = printed.code == 0 && printed.out != valid;
            let is_counted = printed.out.contains("\"uncertified\"");
            assert!(!is_told || is_counted, "{what}: {printed:?}");
            assert!(matches!(printed.code, 0..=2), "{what}: {printed:?}");
            count += usize::from(printed.code != 0);
        }
    }
    println!("{count} changes of a lock");
    assert!(count >= 100, "{count}");
}

#[test]
fn each_change_of_a_store_is_refused_or_named_as_not_judged() {
    let place = TestFolder::new().with("a.sok", COLLECTION).with("s.xsb", STUCK);
    place.run("solve a.sok s.xsb --store run --shards 1 --prove --quiet --workers 1").ends(0);
    let shard = "run/results-00000.jsonl";
    let lines = place.values(shard);
    let valid = place.run("check run").ends(0);
    let (mut refused, mut named) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        for (what, forged) in changed(line) {
            let mut lines = lines.clone();
            lines[at] = forged;
            place.write_values(shard, &lines);
            let printed = place.run("check run");
            if printed.code == 0 {
                // A certificate that is taken away is counted.
                let field = what.split(['/', ' ']).nth(1).expect("a field");
                // Where there is no solution every bound holds.
                let holds = field == "lower" && line["verdict"] == "unsolvable";
                assert!(holds || is_told(&printed, &valid, field), "{what}: {printed:?}");
                named += 1;
            } else {
                assert!(matches!(printed.code, 1 | 2), "{what}: {printed:?}");
                refused += 1;
            }
        }
    }
    println!("{refused} refused, {named} named");
    assert!(refused >= 100 && named >= 10, "{refused} {named}");
    fs::remove_dir_all(place.path("run")).expect("removed");
}

/// Whether a check names a field as not judged, or counts another number of something.
fn is_told(printed: &CommandOutput, valid: &CommandOutput, field: &str) -> bool {
    let named = printed.out.lines().find_map(|line| line.strip_prefix("not judged: "));
    let mut names = named.into_iter().flat_map(|names| names.split(", "));
    names.any(|name| name == field) || printed.out.lines().next() != valid.out.lines().next()
}
