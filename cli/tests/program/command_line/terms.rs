//! Every answer names all the rules that it rests on, and whether they were asked for.

use crate::test_folder::TestFolder;
use serde_json::{Value, json};
use unstuck::registry::FAMILIES;
use unstuck_puzzles::{OptionSpec, Values};

/// A board of which the paths cannot cover every cell.
const SPARSE: &str = "https://puzz.link/p?numlin/3/3/1g1i2g2\n";

/// The same as a grid.
const SPARSE_GRID: &str = "A.A\n...\nB.B\n";

/// Nobody can solve this: the two paths would cross.
const CROSSED: &str = "AB\nBA\n";

/// A path that has to lie beside itself.
const TOUCHING: &str = "A..A\n....\n....\n";

/// A level of a family with options, as it is written for a value of one of them.
fn level(family: &str, value: &str) -> &'static str {
    match (family, value) {
        ("flow", _) => "A.A\nB.B\n",
        ("sokobond", _) => "h-H\n",
        ("snowman", "research") => "q1'6\n",
        ("snowman", _) => "#1-6\n",
        ("warehouse", _) => "#######\n#@.O..#\n#######\n\n>>>\n",
        _ => unreachable!("{family} has no options, or none that this test knows"),
    }
}

/// All values but the default.
fn values(spec: &OptionSpec) -> Vec<String> {
    match spec.values {
        Values::Flag => vec!["true".to_owned()],
        Values::Choice(words) => words
            .iter()
            .filter(|&&word| word != spec.default)
            .map(|&word| word.to_owned())
            .collect(),
        Values::Number(least, _) => vec![(least + 1).to_string()],
        Values::Text(_) => vec![">=0".to_owned()],
    }
}

/// What an answer says of an option: it names the rule in force, and that it was asked for.
#[track_caller]
fn named(terms: &Value, option: &str, asked: bool) -> (String, String) {
    let terms = terms.as_array().unwrap_or_else(|| panic!("no terms: {terms}"));
    let term = terms.iter().find(|term| term["option"] == option);
    let term = term.unwrap_or_else(|| panic!("{option} is not named: {terms:?}"));
    assert_eq!(term["asked"], asked, "{term}");
    let text = |field: &str| term[field].as_str().expect("a text").to_owned();
    (text("value"), text("rule"))
}

/// Options of all families, each with each of its values, through all that is written of an answer.
#[test]
fn every_option_of_every_family_is_named_by_every_answer() {
    let mut seen = 0;
    for family in FAMILIES.iter().filter(|family| !family.options.is_empty()) {
        for spec in family.options {
            for given in values(spec) {
                walk(family.name, spec, &given);
                seen += 1;
            }
        }
    }
    assert!(seen >= 16, "{seen} values");
}

fn walk(family: &str, spec: &OptionSpec, given: &str) {
    let place = TestFolder::new();
    let file = format!("a.{family}");
    place.write(&file, level(family, given));
    let flag = match spec.values {
        Values::Flag => format!("--{}", spec.name),
        _ => format!("--{}={given}", spec.name),
    };
    let ask = format!("{file} --puzzle {family} {flag}");
    let what = format!("{family} {flag}");

    let solved = place.object(&format!("solve {ask}"), 0);
    let (value, rule) = named(&solved["terms"], spec.name, true);
    assert!(
        !["source", "file", "auto"].contains(&value.as_str()),
        "{what}: {value} leaves it open"
    );
    assert!(!rule.is_empty(), "{what}");
    for other in solved["terms"].as_array().expect("a list") {
        assert_eq!(other["asked"], other["option"] == spec.name, "{what}: {other}");
    }
    let sentence = solved["sentence"].as_str().expect("a sentence");
    assert!(sentence.contains(&format!("{rule} (as asked)")), "{what}: {sentence}");
    place.run(&format!("solve {ask}")).ends(0).says(&rule);

    place.run(&format!("prove {ask} -o proof")).ends(0);
    let manifest: Value =
        serde_json::from_str(&place.read("proof/certificate.json")).expect("JSON");
    for term in solved["terms"].as_array().expect("a list") {
        let option = term["option"].as_str().expect("a name");
        assert_eq!(manifest["options"][option], term["value"], "{what}: {manifest}");
    }
    place.run("check proof").ends(0).says(&format!("{} {value}", spec.name));
    let checked = place.object("check proof", 0);
    assert_eq!(checked["options"][spec.name], value, "{what}: {checked}");

    place.run(&format!("lock {ask} -o a.lock")).ends(0);
    let lock = place.read("a.lock/results-00000.jsonl");
    let lock: Value = serde_json::from_str(&lock).expect("JSON");
    assert_eq!(lock["terms"], solved["terms"], "{what}: {lock}");
    place.run("check --locked a.lock").ends(0);

    let horizon = if family == "flow" { "" } else { "--horizon 9" };
    place.run(&format!("export {ask} {horizon} -o a.cnf")).ends(0);
    let comments = place.read("a.cnf");
    assert!(comments.contains(&format!("option {} = ", spec.name)), "{what}");
    assert!(comments.contains(&rule), "{what}");
    let map: Value = serde_json::from_str(&place.read("a.cnf.map.json")).expect("JSON");
    named(&map["terms"], spec.name, true);
    place.write("unsat.txt", "s UNSATISFIABLE\n");
    place.run("decode a.cnf unsat.txt").says(&rule);

    for command in ["hint", "enumerate", "difficulty", "forced"] {
        let still = command == "difficulty" || command == "forced";
        if (family == "flow") == still {
            let answer = place.run(&format!("{command} {ask} --json")).objects().remove(0);
            named(&answer["terms"], spec.name, true);
        }
    }
}

#[test]
fn addresses_are_played_by_the_rules_of_their_site() {
    let place = TestFolder::new().with("a.txt", SPARSE).with("a.flow", SPARSE_GRID);
    for site in ["https://puzz.link/p?", "http://pzv.jp/p.html?", "https://pzprxs.vercel.app/p?"] {
        place.write("b.txt", &SPARSE.replace("https://puzz.link/p?", site));
        place.run("solve b.txt").ends(0).says("solved [self-touch allowed, cells may stay empty]");
    }
    // The rules of Flow Free are not asked for by an address, and by a grid only in its own game.
    let printed = place.run("solve a.txt --cover yes --touch never").ends(20);
    printed.says("no self-touch (as asked), every cell on a path (as asked)]");
    let grid = place.run("solve a.flow --touch never").ends(20);
    let first = grid.out.lines().next().expect("a line");
    assert!(first.ends_with("every cell on a path (not asked for)]"), "{first}");
    place.run("solve a.flow --cover no").ends(0).says("cells may stay empty (as asked)");
    let proved = place.run("prove a.flow --touch never -o proof").ends(20);
    let first = proved.out.lines().next().expect("a line");
    assert!(
        first.contains("unsolvable [every cell on a path (not asked for)], certified"),
        "{first}"
    );
    let table = place.run("solve a.flow a.txt --touch never");
    table.says("unsolvable [every cell on a path (not asked for)]");
}

#[test]
fn a_certificate_of_before_means_what_it_meant() {
    let place = TestFolder::new();
    // Without words on its rules an address was read by those of Flow Free.
    place.write("a.txt", SPARSE);
    place.run("prove a.txt --touch never --cover yes -o before").ends(20);
    let manifest = place.read("before/certificate.json");
    let before = manifest.replace("\"never\"", "\"file\"").replace("\"yes\"", "\"file\"");
    assert_ne!(manifest, before);
    place.write("before/certificate.json", &before);
    place.run("check before").ends(0).says("cover yes");
    let now = before.replace("\"file\"", "\"source\"");
    place.write("before/certificate.json", &now);
    place.run("check before").ends(1);
}

#[test]
fn one_formula_is_one_reading() {
    let place = TestFolder::new().with("a.flow", TOUCHING).with("b.flow", CROSSED);
    place.write("unsat.txt", "s UNSATISFIABLE\n");
    place.run("solve a.flow").ends(0).says("self-touch allowed");
    let printed = place.run("export a.flow -o a.cnf").ends(0);
    printed.complains("reading `no self-touch`, not of `self-touch allowed`");
    assert!(place.read("a.cnf").contains("not in this formula: reading self-touch allowed"));
    let printed = place.run("decode a.cnf unsat.txt").ends(30).says("no self-touch");
    printed.says("left: self-touch allowed");
    let decoded = place.object("decode a.cnf unsat.txt", 30);
    assert_eq!(
        (&decoded["verdict"], &decoded["left"]),
        (&json!("unknown"), &json!(["self-touch allowed"]))
    );
    // The same with the level in place of the map.
    place.run("decode a.flow unsat.txt").ends(30);
    // Who chooses a reading has asked for no other.
    place.run("export a.flow -o c.cnf --reading 'no self-touch'").ends(0);
    let decoded = place.run("decode c.cnf unsat.txt").ends(20);
    decoded.says("[no self-touch (as asked), every cell on a path (not");
    place.run("export a.flow --touch never -o d.cnf").ends(0);
    place.run("decode d.cnf unsat.txt").ends(20).says("no self-touch (as asked)");
    // The last reading allows most: nothing is left.
    place.run("export b.flow -o e.cnf --reading 'self-touch allowed'").ends(0);
    place.run("decode e.cnf unsat.txt").ends(20);
}

#[test]
fn a_map_says_what_its_level_and_options_make() {
    let place = TestFolder::new().with("a.flow", TOUCHING).with("unsat.txt", "s UNSATISFIABLE\n");
    place.run("export a.flow --touch allow -o a.cnf").ends(0);
    let map = place.read("a.cnf.map.json");
    let forged = map.replacen("every cell on a path", "cells may stay empty", 1);
    assert_ne!(map, forged);
    place.write("a.cnf.map.json", &forged);
    place.run("decode a.cnf unsat.txt").ends(2).complains("other rules than it says");
}
