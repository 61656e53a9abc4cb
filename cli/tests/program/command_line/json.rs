//! Every object of every command is as `docs/schema.json` says.

use super::{COLLECTION, EASY, ENDLESS, STUCK, TestFolder};
use jsonschema::Validator;
use serde_json::Value;
use std::fs;

/// The schema, without room for fields that it does not describe.
pub(crate) fn schema() -> Validator {
    let path = crate::root().join("docs/schema.json");
    let text = fs::read_to_string(path).expect("docs/schema.json");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    close(&mut value);
    jsonschema::validator_for(&value).expect("a schema")
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[track_caller]
fn holds(schema: &Validator, value: &Value) {
    let faults: Vec<_> = schema.iter_errors(value).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{value}\n{}", faults.join("\n"));
}

#[test]
fn every_object_is_as_the_schema_says() {
    let schema = schema();
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("b.sok", COLLECTION).write("s.xsb", STUCK);
    place.write("e.xsb", ENDLESS).write("bad.xsb", "#####\n#$.#\n#####\n");
    place.write("unread.xsb", "no level\n");
    place.write("f.flow", "A..\n...\n..A\n").write("u.flow", "AB\nBA\n");
    place.write("unsat.txt", "s UNSATISFIABLE\n");
    place.run("export a.xsb --horizon 1 -o a.cnf").ends(0);
    place.run("prove a.xsb -o good").ends(0);
    place.run("prove a.xsb -o forged").ends(0);
    place.write("forged/puzzle.txt", "#######\n#@ $ .#\n#######\n");
    let lines = [
        ("solve a.xsb", 1),
        ("solve a.xsb --objective moves,pushes --engine sat", 1),
        ("solve a.xsb --objective any", 1),
        ("solve a.xsb --horizon 0..2", 3),
        ("solve b.sok --log log", 3),
        ("solve b.sok --log log", 3),
        ("solve r.sok --compare", 3),
        ("solve s.xsb", 1),
        ("solve e.xsb --engine search --timeout 0.5", 1),
        ("solve a.xsb --unique", 1),
        ("solve s.xsb e.xsb --unique --timeout 0.5", 2),
        ("solve f.flow", 1),
        ("solve f.flow --count 9", 1),
        ("solve u.flow", 1),
        ("solve bad.xsb", 1),
        ("solve a.xsb bad.xsb unread.xsb", 3),
        ("solve missing.xsb", 1),
        ("solve a.xsb --count 2", 1),
        ("solve a.xsb --no-such-option", 1),
        ("list b.sok", 3),
        ("list bad.xsb", 1),
        ("list f.flow", 1),
        ("list s.xsb", 1),
        ("replay a.xsb R", 1),
        ("replay a.xsb r", 1),
        ("replay b.sok rr -l 2", 1),
        ("replay b.sok rr -l 2 --trace", 1),
        ("replay r.sok -l 1", 1),
        ("decode a.cnf unsat.txt", 1),
        ("decode u.flow unsat.txt", 1),
        ("decode a.xsb unsat.txt", 1),
        ("prove a.xsb -o c1", 1),
        ("prove s.xsb -o c2", 1),
        ("prove e.xsb --engine search -o c3 --timeout 0.5", 1),
        ("prove b.sok -o c4", 3),
        ("prove a.xsb -o c1", 1),
        ("backends varisat", 1),
        ("check good", 1),
        ("check forged", 1),
        ("check missing", 1),
        ("check --locked b.lock", 3),
        ("check --locked missing.lock", 1),
        ("export a.xsb --horizon 1 -o b.cnf", 1),
        ("export a.xsb --format dimspec -o b.dimspec", 1),
        ("export a.xsb --format wcnf --horizon 2 -o b.wcnf", 1),
        ("export a.xsb --horizon 1..2 -o questions", 2),
        ("export a.xsb bad.xsb unread.xsb --horizon 1 -o more", 3),
        ("solve a.xsb --html a.html", 1),
        ("solve a.xsb --html a.html", 1),
        ("solve s.xsb --html s.html", 1),
        ("solve f.flow --html f.html", 1),
        ("export a.xsb --horizon 1", 1),
        ("export f.flow -o f.cnf", 1),
        ("generate sokoban --boxes 1 --count 2", 2),
        ("generate flow --width 4 --height 4 --colours 3 -o g.flow", 1),
        ("generate sokoban --at-least 999 --attempts 2", 1),
        ("generate sokoban --boxes none", 1),
        ("solve a.xsb --forbid 'stay away'", 1),
        ("solve a.xsb --forbid 'move r'", 1),
        ("solve a.xsb --require 'player 2,3'", 1),
        ("hint a.xsb", 1),
        ("hint a.xsb --degree plan --after R", 1),
        ("hint s.xsb", 1),
        ("hint f.flow", 1),
        ("hint b.sok", 1),
        ("diagnose a.xsb --moves R", 1),
        ("diagnose b.sok -l 2 --moves rrl", 1),
        ("enumerate a.xsb", 1),
        ("enumerate s.xsb", 1),
        ("needed a.xsb", 1),
        ("explain s.xsb", 1),
        ("explain u.flow", 1),
        ("forced a.xsb", 1),
        ("forced f.flow", 1),
        ("difficulty b.sok f.flow unread.xsb", 5),
        ("lock a.xsb s.xsb unread.xsb", 3),
        ("lock e.xsb --timeout 0.3 -o e.lock", 1),
        ("solve a.xsb b.sok bad.xsb --store run", 1),
        ("solve f.flow s.xsb --store run --prove", 1),
        ("list run", 1),
        ("check run --sample 3", 1),
        ("check missing", 1),
    ];
    place.run("solve b.sok --record r.sok").ends(0);
    place.run("lock b.sok -o b.lock").ends(0);
    for (line, count) in lines {
        let printed = place.run(&format!("{line} --json"));
        let objects = printed.objects();
        assert_eq!(objects.len(), count, "{printed}");
        for object in &objects {
            assert_eq!(object["command"], line.split(' ').next().unwrap_or_default(), "{line}");
            holds(&schema, object);
        }
        let failed = objects.iter().any(|object| !object["error"].is_null());
        assert!(!failed || printed.code != 0, "{line}");
    }
    let map: Value = serde_json::from_str(&place.read("a.cnf.map.json")).expect("JSON");
    holds(&schema, &map);
    let bench = place.run("bench b.sok f.flow --engine auto --format json --log rows").ends(0);
    let rows: Vec<Value> = serde_json::from_str(&bench.out).expect("JSON");
    assert_eq!(rows.len(), 4);
    rows.iter().for_each(|row| holds(&schema, row));
    let results = (0..16).map(|shard| place.path(&format!("run/results-{shard:05}.jsonl")));
    let results: Vec<String> = results.filter_map(|path| fs::read_to_string(path).ok()).collect();
    assert_eq!(results.concat().lines().count(), 5);
    for line in place.read("log").lines().chain(results.concat().lines()) {
        holds(&schema, &serde_json::from_str(line).expect("JSON"));
    }
}

#[test]
fn the_schema_is_not_content_with_anything() {
    let schema = schema();
    let place = TestFolder::new().with("a.xsb", EASY);
    let good = place.object("solve a.xsb", 0);
    holds(&schema, &good);
    for (name, value) in [
        ("schema", Value::from(1)),
        ("command", Value::from("dance")),
        ("verdict", Value::from("fine")),
        ("lower", Value::from(-1)),
        ("Odd-Name", Value::from(1)),
        ("solution", Value::from("R")),
        ("sentence", Value::from("at least null")),
        ("stopped_by", Value::from("cancelled")),
        ("certified", Value::Null),
        ("exit", Value::from(1)),
        ("surprise", Value::from(1)),
    ] {
        let mut bad = good.clone();
        bad[name] = value;
        assert!(!schema.is_valid(&bad), "{name}");
    }
}
