//! Questions as users ask them: what the commands print, and their exit codes.

use crate::levels::own;
use crate::test_folder::TestFolder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use unstuck::certificate::files::hex;

const CORNER: &str = "#######\n#     #\n# $@  #\n# ##  #\n#   . #\n#######\n";
const TWO: &str = "#######\n#.$ $.#\n#  @  #\n#######\n";

#[test]
fn a_hint_gives_no_more_than_is_asked() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    for degree in ["solvable", "plan"] {
        place.object(&format!("hint level.xsb --degree {degree} --steps 2"), 2);
    }
    let value = place.object("hint level.xsb --degree solvable", 0);
    assert_eq!(value["solvable"], true);
    assert!(value["moves"].is_null() && value["pieces"].is_null() && value["rest"].is_null());
    let value = place.object("hint level.xsb --degree piece", 0);
    assert_eq!(value["pieces"][0], "box (3,3)");
    assert!(value["moves"].is_null());
    let value = place.object("hint level.xsb --degree plan", 0);
    let plan = value["moves"].as_str().expect("a plan");
    place.run(&format!("replay level.xsb {plan}")).ends(0);
    // From a position, and from a lost one.
    let later = plan.split_at(plan.len() / 2).0;
    let value = place.object(&format!("hint level.xsb --after {later} --degree plan"), 0);
    let rest = value["moves"].as_str().expect("a plan");
    place.run(&format!("replay level.xsb {later}{rest}")).ends(0);
    let value = place.object("hint level.xsb --after ulldL", 2);
    assert!(value["solvable"].is_null(), "an illegal move is a usage error");
    let printed = |line: &str| place.run(line).out.trim_end().to_owned();
    let lost = printed("hint level.xsb --after L");
    assert_eq!(lost, "no longer solvable: undo some moves");
    // Where no move was made there is none to take back.
    place.write("lost.xsb", "#####\n#@ $#\n#  .#\n#$ .#\n#####\n");
    assert_eq!(printed("hint lost.xsb"), "unsolvable");
    // Nor where the level never had a solution.
    let never = printed("hint lost.xsb --after d");
    assert_eq!(never, "unsolvable, and so is the start of the level");
    let never = printed("hint level.xsb --after L --forbid 'solution moves < 99'");
    assert!(!never.contains("no longer"), "{never}");
    assert_eq!(place.object("hint level.xsb --after L", 20)["solvable"], false);
}

#[test]
fn solve_goes_on_after_moves() {
    let place = TestFolder::new().with("level.xsb", TWO);
    place.write("game.txt", "uL");
    let value = place.object("solve level.xsb --after @game.txt", 0);
    assert_eq!((&value["verdict"], &value["upper"]), (&"solved".into(), &1.into()));
    assert_eq!(value["after"], "uL");
    place.run("solve level.xsb --after dddd").ends(2).complains("move 1");
}

#[test]
fn a_diagnosis_names_the_fatal_move_and_its_reason() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    let value = place.object("diagnose level.xsb --moves rlLrr", 0);
    assert_eq!(value["fatal"], 3);
    let moves = value["moves"].as_array().expect("a list");
    let classes: Vec<&Value> = moves.iter().map(|it| &it["class"]).collect();
    assert_eq!(
        classes,
        [&"free".into(), &"free".into(), &Value::from("fatal"), &Value::Null, &Value::Null]
    );
    assert_eq!(moves[2]["move"], "L");
    let reason = value["reason"]["text"].as_str();
    assert!(reason.is_some_and(|text| text.contains("row 3, column 2")), "{value}");
    let value = place.object("diagnose level.xsb --moves uuuu", 1);
    assert_eq!((&value["illegal"]["move"], &value["fatal"]), (&2.into(), &Value::Null));
}

#[test]
fn plans_are_counted_and_listed() {
    let place = TestFolder::new().with("level.xsb", TWO);
    let value = place.object("enumerate level.xsb", 0);
    assert_eq!((&value["optimal_plans"], &value["complete"]), (&1.into(), &true.into()));
    assert_eq!(value["plans"].as_array().map(Vec::len), Some(1));
    let value = place.object("enumerate level.xsb --forbid 'pushed 2,2'", 20);
    assert_eq!(value["optimal_plans"], 0);
}

#[test]
fn constraints_are_read_and_errors_reported() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    let value = place.object("solve level.xsb --forbid 'pushed 3,3'", 20);
    assert_eq!((&value["verdict"], &value["certified"]), (&"unsolvable".into(), &false.into()));
    let value = place.object("solve level.xsb --require 'player 5,2'", 0);
    assert_eq!(value["verdict"], "solved");
    place.run("solve level.xsb --forbid nonsense").ends(2).complains("modifier R,C");
    // Constraints and engines exclude each other.
    place.run("solve level.xsb --forbid 'move u' --engine sat").ends(2);
}

#[test]
fn generated_levels_meet_their_conditions() {
    let place = TestFolder::new();
    let line = "generate sokoban --width 6 --height 6 --boxes 2 --at-least 6 --at-most 9 \
                --count 3 --tighten -o made.sok";
    place.run(line).ends(0);
    let objects = place.run("solve made.sok --compare --json").objects();
    assert_eq!(objects.len(), 3);
    for (number, value) in (1..).zip(objects) {
        assert!(value["optimal"] == true && value["lower"].as_u64().is_some(), "{value}");
        assert!((6..=9).contains(&value["lower"].as_u64().expect("a bound")), "{value}");
        assert_eq!(value["title"], format!("Level {number}, seed 1"));
        assert_eq!(value["recorded"][0]["verdict"], "right and shortest", "{value}");
    }
    for (family, options) in [("sokobond", "--atoms ohh"), ("snowman", "--snowmen 1")] {
        place.run(&format!("generate {family} -o {family} {options}")).ends(0);
        place.object(&format!("solve {family} --puzzle {family}"), 0);
    }
    place.run("generate flow --colours 4 --every-piece -o made.flow").ends(0);
    let value = place.object("needed made.flow --kind pair --plans", 0);
    let parts = value["parts"].as_array().expect("parts");
    assert!(parts.iter().all(|part| part["effect"] != "none"), "{value}");
    // Under the rule by which cells may stay empty there are more solutions, and yet only one.
    let empty = "generate flow --cover no --touch allow -o empty.flow";
    place.run(empty).ends(0);
    let value = place.object("solve empty.flow", 0);
    assert_eq!(value["unique"], true, "{value}");
    assert_eq!(
        (&value["terms"][0]["value"], &value["terms"][1]["value"]),
        (&"allow".into(), &"no".into()),
        "{value}"
    );
    place.run(empty).ends(2).complains("already exists");
    let hopeless = place.run("generate sokoban --at-least 9999 --attempts 3").ends(2);
    hopeless.complains("0 of 1 levels found in 3 drafts");
}

/// Levels like one, by its own rules: longer, not to be done without a rule, and without what is idle.
#[test]
fn a_level_is_varied() {
    let place =
        TestFolder::new().with("level.xsb", "#######\n#     #\n#@$ . #\n#  $ .#\n#######\n");
    let game = crate::root().join("puzzles/levels/puzzlescript/push.puzzlescript");
    place.write("game.txt", &fs::read_to_string(game).expect("a game"));
    let line = "generate like game.txt -l 2 --needs 'rule 78' --at-least 9 --count 2 --tighten";
    place.run(&format!("{line} -o new.txt")).ends(0);
    for file in ["new-1.txt", "new-2.txt"] {
        let solved = place.object(&format!("solve {file}"), 0);
        assert!(solved["lower"].as_u64().is_some_and(|least| least >= 9), "{solved}");
        let without = place.run(&format!("solve {file} --forbid 'rule 78' --json"));
        let without = without.objects().remove(0);
        let length = |answer: &Value| answer["solution"]["length"]["moves"].as_u64();
        assert!(without["verdict"] == "unsolvable" || length(&without) > length(&solved), "{file}");
    }
    place.run("generate like level.xsb --unique --count 3 -o like.sok").ends(0);
    let objects = place.run("solve like.sok --unique --json").objects();
    assert!(objects.len() == 3 && objects.iter().all(|it| it["unique"] == true), "{objects:?}");
    for (line, said) in [
        ("generate like level.xsb --needs 'rule 3' --attempts 2", "not written in a file"),
        ("generate flow --needs 'box 1,1' --attempts 2", "no moves"),
        ("generate like level.xsb --needs nonsense", "unknown constraint"),
        ("generate like none.xsb", "none.xsb"),
        ("generate like level.xsb --objective any", "shortest solutions"),
        ("generate like level.xsb --at-least 999 --attempts 3", "raise `--edits`"),
    ] {
        place.run(line).ends(2).complains(said);
    }
}

/// What an author asks: which of the levels can be done without this?
#[test]
fn a_game_is_solved_without_a_trick_level_by_level() {
    let place = TestFolder::new();
    place.write("two.sok", "A\n\n#####\n#@$.#\n#####\n\nB\n\n#####\n#.$@#\n#####\n");
    let without = "solve two.sok --forbid 'move r'";
    let verdicts: Vec<_> =
        place.objects(without, 20).iter().map(|value| value["verdict"].clone()).collect();
    assert_eq!(verdicts, ["unsolvable", "solved"]);
    let table = place.run(without).ends(20).says("level").says("A  ").says("unsolvable");
    table.says("B  ").says("solved");
}

#[test]
fn figures_and_reasons_are_printed_for_flow_too() {
    let place = TestFolder::new();
    place.write("board.flow", "A.B\n...\nA.B\n").write("crossed.flow", "AB\nBA\n");
    let forced = place.run("forced board.flow --json");
    assert!(forced.code == 0 || forced.code == 20, "{forced}");
    let value = place.run("difficulty board.flow --json").objects().remove(0);
    assert!(value["figures"]["direct"].is_u64(), "{value}");
    let value = place.object("explain crossed.flow", 20);
    assert_eq!(value["solvable"], false, "{value}");
    let value = place.object("needed board.flow", 0);
    assert_eq!(value["parts"].as_array().map(Vec::len), Some(3), "{value}");
}

#[test]
fn constraints_and_positions_are_proved() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    place.run("prove level.xsb --forbid 'pushed 3,3' -o wished").ends(20);
    let checked = place.run("check wished").ends(0);
    let first = checked.out.lines().next().unwrap_or_default();
    assert!(first.contains("with the constraints: no piece is ever on (3,3)"), "{first}");
    assert!(first.contains("unsolvable, certified"), "{first}");
    place.run("prove level.xsb --require 'player 5,2' -o longer --objective moves").ends(0);
    place.run("check longer").ends(0);
    place.run("prove level.xsb --after rlL -o lost").ends(20);
    place.run("check lost").says("after the moves rlL");
    // The question belongs to the certificate: without it, or with another, it shows nothing.
    for (name, from, to) in [
        ("wished", "pushed 3,3", "pushed 2,6"),
        ("wished", "\"forbid\"", "\"forbidden\""),
        ("longer", "player 5,2", "player 2,3"),
        ("longer", "\"require\"", "\"required\""),
        ("lost", "rlL", "rl"),
        ("lost", "\"after\"", "\"before\""),
        ("lost", "\"files\"", "\"forbid\": [\"nonsense\"], \"files\""),
    ] {
        let manifest = format!("{name}/certificate.json");
        let kept = place.read(&manifest);
        assert!(kept.contains(from), "{kept}");
        place.write(&manifest, &kept.replacen(from, to, 1));
        let judged = place.run(&format!("check {name}"));
        assert_eq!(judged.code, 1, "{from} to {to}: {judged}");
        place.write(&manifest, &kept);
    }
    // An entry less, with sums that fit, is found out by the rules.
    for name in ["wished", "lost"] {
        let (list, manifest) =
            (format!("{name}/closed-set.txt"), format!("{name}/certificate.json"));
        let (kept, described) = (place.read(&list), place.read(&manifest));
        let sum = |text: &str| hex(&Sha256::digest(text.as_bytes()));
        let entries = kept.lines().count() - 4;
        let last = kept.trim_end().rfind('\n').expect("lines") + 1;
        let less = kept[..last]
            .replace(&format!("entries {entries}"), &format!("entries {}", entries - 1));
        let forged = described.replace(&sum(&kept), &sum(&less));
        assert_ne!(forged, described, "the sum is listed");
        place.write(&list, &less).write(&manifest, &forged);
        place.run(&format!("check {name}")).ends(1).says("listed");
    }
    for wrong in ["--forbid 'move u' -o x --engine sat", "--after rl -o x --evidence horizon"] {
        place.run(&format!("prove level.xsb {wrong}")).ends(2);
    }
}

#[test]
fn answers_come_with_certificates() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    place.write("lost.xsb", "#######\n# $$  #\n#     #\n# .@. #\n#######\n");
    place.write("crossed.flow", "AB\nBA\n");
    let line = "diagnose level.xsb --moves rlLrr --certificate fatal";
    assert_eq!(place.object(line, 0)["certificate"], "fatal");
    place.run(line).ends(2).complains("already exists");
    assert_eq!(place.object("check fatal", 0)["after"], "rlL");
    for (file, folder) in [("lost.xsb", "why"), ("crossed.flow", "crossed")] {
        let value = place.object(&format!("explain {file} --certificate {folder}"), 20);
        assert_eq!(value["certificate"], folder, "{value}");
        place.object(&format!("check {folder}"), 0);
    }
    let kept = place.read("why/puzzle.txt");
    assert_eq!(kept.matches('$').count(), 1, "one of the boxes is enough: {kept}");
    // What is solved has no certificate of being lost.
    let value = place.object("diagnose level.xsb --moves r --certificate n", 0);
    assert!(value["certificate"].is_null() && !place.has("n"), "{value}");
}

#[test]
fn path_constraints_are_rules_of_the_board() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    place.write("board.flow", "A.A\nB.B\n");
    let value = place.object("solve board.flow", 0);
    assert_eq!(value["unique"], true, "{value}");
    let paths = value["solution"]["moves"].as_str().expect("paths");
    assert!(paths.contains("A: 0,0 0,1 0,2"), "{paths}");
    for (word, text, code) in [
        ("forbid", "colour 1,2 A", 20),
        ("forbid", "edge 1,1 2,1", 0),
        ("require", "edge 1,2 1,3", 0),
        ("require", "colour 1,3 B", 20),
    ] {
        place.object(&format!("solve board.flow --{word} '{text}'"), code);
        place.run(&format!("prove board.flow --{word} '{text}' -o c")).ends(code);
        place.run("check c").ends(0).says("with the constraints");
        // The constraint belongs to the question.
        let kept = place.read("c/certificate.json");
        let other = if word == "forbid" { "\"require\"" } else { "\"forbid\"" };
        for forged in [other, "\"nothing\""] {
            let forged = kept.replace(&format!("\"{word}\""), forged);
            assert_ne!(forged, kept);
            place.write("c/certificate.json", &forged).run("check c").ends(1);
        }
        fs::remove_dir_all(place.path("c")).expect("removed");
    }
    for (command, code) in [("forced", 20), ("explain", 20), ("needed", 0), ("difficulty", 0)] {
        let value = place.object(&format!("{command} board.flow --forbid 'colour 1,2 A'"), code);
        assert_eq!(value["wishes"], "A is never on (1,2)", "{value}");
    }
    for (file, constraint) in [
        ("board.flow", "box 1,2"),
        ("board.flow", "move u"),
        ("board.flow", "colour 1,2 Z"),
        ("board.flow", "colour 9,2 A"),
        ("board.flow", "edge 1,1 2,2"),
        ("level.xsb", "edge 2,2 2,3"),
        ("level.xsb", "box 2,2"),
        ("level.xsb", "move q"),
        ("level.xsb", "modifier 2,2"),
        ("level.xsb", "cell 2,22"),
    ] {
        place.run(&format!("solve {file} --forbid '{constraint}'")).ends(2).complains(constraint);
    }
    let bond = place.run("hint level.xsb --require 'bond 2,2 2,3'").ends(2);
    bond.complains("has no bonds");
}

#[test]
fn a_snapshot_is_a_position() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    place.write("now.xsb", "#######\n#     #\n#$@   #\n# ##  #\n#   . #\n#######\n");
    place.write("moves.txt", "rlL");
    for position in ["@now.xsb", "@moves.txt"] {
        let value = place.object(&format!("hint level.xsb --after {position}"), 20);
        assert_eq!(value["solvable"], false, "{value}");
    }
    place.run("prove level.xsb --after @now.xsb -o lost").ends(20);
    place.run("check lost").ends(0).says("in the position that `after` draws");
    place.write("wall.xsb", "#######\n#     #\n#$@ # #\n# ##  #\n#   . #\n#######\n");
    place.write("two.xsb", "#######\n#  $  #\n#$@   #\n# ##  #\n#  .. #\n#######\n");
    // Bonds have no place in the format.
    place.write("gas.sokobond", "xxxxx\nxH-hx\nx---x\nxxxxx\n");
    for (line, said) in [
        ("solve level.xsb --after @wall.xsb", "another level"),
        ("solve level.xsb --after @two.xsb", "another level"),
        ("solve level.xsb --after level.xsb", "@level.xsb"),
        ("solve gas.sokobond --puzzle sokobond --after @gas.sokobond", "give the moves"),
    ] {
        place.run(line).ends(2).complains(said);
    }
}

#[test]
fn marks_are_drawn_on_hexagons_too() {
    let place = TestFolder::new();
    let made = "generate flow --hex --colours 3 --width 4 --height 4 -o board.flow";
    place.run(made).ends(0);
    place.run("forced board.flow --puzzle flow --svg steps.svg").ends(0);
    place.run("solve board.flow --puzzle flow --svg plain.svg").ends(0);
    let plates = |name: &str| place.read(name).matches("#9a9a9a").count();
    assert_eq!(plates("plain.svg"), 0);
    assert!(plates("steps.svg") > 3);
}

#[test]
fn solve_says_whether_the_shortest_solution_is_the_only_one() {
    let place = TestFolder::new();
    let [pantry, steps] = ["sokoban/pantry.xsb", "sokoban/first-steps.sok"].map(own);
    // In the words of `enumerate`, under the solution and as an answer to nothing else.
    let words = "there is only one shortest solution (6 pushes), apart from different walks and the \
                 order of independent pushes\n";
    assert!(place.run(&format!("enumerate {pantry}")).out.ends_with(words));
    place.run(&format!("solve {pantry} --unique")).says(words);
    let plain = place.run(&format!("solve {pantry}"));
    assert!(!plain.out.contains("only one shortest solution"), "{plain}");
    let quiet = place.run(&format!("solve {pantry} --unique -q")).out;
    assert!(quiet.ends_with(words) && quiet.lines().count() == 2, "{quiet}");
    // Of every level the same number.
    let solved = place.objects(&format!("solve {steps} --unique --log log"), 0);
    let counted = place.run(&format!("enumerate {steps} --json")).objects();
    assert_eq!(solved.len(), counted.len());
    for (solved, counted) in solved.iter().zip(&counted) {
        assert_eq!(solved["optimal_plans"], counted["optimal_plans"], "{solved}");
        assert_eq!(solved["unique"], counted["optimal_plans"] == 1, "{solved}");
    }
    // A column of the table; the log knows it, and knows that it is another question.
    let table = place.run(&format!("solve {steps} --unique -l 1-2 --log log"));
    let table = table.says("moves/pushes  plans  ");
    table.says("2 solved (all optimal), 1 unique, 2 of them from the store");
    let lines = || place.read("log").lines().count();
    assert_eq!(lines(), counted.len());
    let plain = place.run(&format!("solve {steps} -l 1-2 --log log"));
    assert!(!plain.out.contains("unique"), "{plain}");
    assert_eq!(lines(), counted.len() + 2);
}

#[test]
fn the_table_of_a_game_has_plans_and_rules_as_enumerate_has_them() {
    let place = TestFolder::new();
    let [push, slide] =
        ["push", "slide"].map(|name| own(&format!("puzzlescript/{name}.puzzlescript")));
    for game in [&push, &slide] {
        let (solve, enumerate) =
            (format!("solve {game} --rules --unique"), format!("enumerate {game} --rules"));
        let logged = format!("{solve} --log log");
        let answers = |line: &str| {
            let printed = place.run(&format!("{line} --json"));
            (printed.code, printed.objects())
        };
        let ((code, solved), (same, counted)) = (answers(&logged), answers(&enumerate));
        assert_eq!((code, solved.len()), (same, counted.len()));
        for (solved, counted) in solved.iter().zip(&counted) {
            assert!(!counted["rules"]["idle"].is_null(), "{counted}");
            assert_eq!(solved["rules"], counted["rules"], "{solved}");
            let plans = (solved["verdict"] == "solved").then_some(&counted["optimal_plans"]);
            assert_eq!(solved.get("optimal_plans"), plans, "{solved}");
        }
        // The table says it of the levels that were just solved, and of those in the log.
        let said = place.run(&enumerate).out;
        let said = said.lines().last().expect("the rules of the game");
        assert!(said.contains("act in no shortest solution of 4 levels: "), "{said}");
        for line in [&logged, &solve] {
            let table = place.run(line).says("moves/changes  plans  rules  ");
            assert!(table.out.ends_with(&format!("\n{said}\n")), "{table}");
        }
    }
    // What a limit leaves open is no number, and is said where rules are.
    let line = format!("solve --unique {push} --rules --timeout 0");
    let open = &place.objects(&line, 30)[0];
    assert_eq!((&open["verdict"], open.get("rules")), (&"unknown".into(), None));
    place.run(&line).says("of 4 levels (3 unknown): ").says("  ?  ");
    // One level says it in words.
    let one = place.run(&format!("solve --unique {slide} --rules -l 1")).out;
    let words = place.run(&format!("enumerate {slide} --rules -l 1")).out;
    let words = words.split_once("apart from").expect("a sentence").1;
    assert!(one.ends_with(words) && words.contains("rules that act in none: lines "), "{one}");
    // Rules that are written in no file have no lines, and no rules are asked about alone.
    place.write("corner.xsb", CORNER).write("board.flow", "A.A\nB.B\n");
    for (asked, reason) in [
        ("corner.xsb --unique --rules", "are not written in a file"),
        ("board.flow --unique --rules", "flow has no moves"),
        (&format!("{push} --rules"), "required arguments were not provided"),
    ] {
        place.run(&format!("solve {asked}")).ends(2).complains(reason);
    }
}

#[test]
fn uniqueness_is_not_said_where_it_is_not_known_or_makes_no_sense() {
    let place = TestFolder::new().with("level.xsb", CORNER);
    place.write("lost.xsb", "######\n#$ @.#\n#    #\n######\n").write("board.flow", "A.A\nB.B\n");
    let value = place.object("solve lost.xsb --unique", 20);
    assert_eq!((&value["unique"], value.get("optimal_plans")), (&Value::Null, None));
    // Without moves the solver's own answer says it.
    let value = place.object("solve board.flow --unique", 0);
    assert_eq!(value["unique"], true, "{value}");
    for (options, reason) in [
        ("--objective any", "looks for no shortest solution"),
        ("--forbid 'player 2,2'", "`enumerate` counts"),
        ("--count 3", "cannot be used with"),
        ("--improve", "cannot be used with"),
        ("--horizon 3", "cannot be used with"),
    ] {
        place.run(&format!("solve level.xsb --unique {options}")).ends(2).complains(reason);
    }
}

/// Ten rooms around a corridor, each of which takes two pushes more than the bound sees: search alone
/// has to go through all combinations.
fn rooms() -> String {
    let rows = ["#  # ", " $ $ ", " .  .", "#    "].map(|row| format!("#{}#", [row; 5].join("#")));
    let doors = format!("#{}#", ["## ##"; 5].join("#"));
    let (rim, corridor) = ("#".repeat(31), " ".repeat(29));
    let mut above = vec![rim];
    above.extend(rows);
    above.push(doors);
    let below: Vec<String> = above.iter().rev().cloned().collect();
    let corridor = [format!("#@{}#", &corridor[1..]), format!("#{corridor}#")];
    [above, corridor.to_vec(), below].concat().join("\n") + "\n"
}

/// What `solve` proves, every question knows.
#[test]
fn no_question_says_less_than_solve() {
    let place = TestFolder::new().with("rooms.xsb", &rooms());
    let asked = |line: &str| place.object(&format!("{line} --timeout 60"), 0);
    let solved = asked("solve rooms.xsb");
    assert_eq!(solved["optimal"], true, "{solved}");
    let (moves, optimum) = (solved["solution"]["moves"].as_str().expect("moves"), &solved["upper"]);
    let hint = asked("hint rooms.xsb");
    assert_eq!(hint["rest"], *optimum, "{hint}");
    // Of a game that follows an optimal plan no move is costly.
    let diagnosis = asked(&format!("diagnose rooms.xsb {}", &moves[..moves.len() / 2]));
    let classes = diagnosis["moves"].as_array().expect("moves");
    assert!(classes.iter().all(|it| it["class"] == "free"), "{diagnosis}");
    assert_eq!(diagnosis["optimum"], *optimum);
    // These end only with their time: there is too much to count. A busy machine has more of it.
    let answered = |line: &str, field: &str| {
        let mut value = Value::Null;
        for seconds in [20, 60, 180] {
            let printed = place.run(&format!("{line} rooms.xsb --timeout {seconds} --json"));
            value = printed.objects().remove(0);
            if value.pointer(field) == Some(optimum) {
                break;
            }
        }
        assert_eq!(value.pointer(field), Some(optimum), "{value}");
        value
    };
    answered("difficulty", "/figures/optimum");
    answered("enumerate", "/at_least");
    let unique = answered("solve --unique", "/lower");
    let sentence = unique["sentence"].as_str().expect("a sentence");
    let bound = format!("lower bound {optimum}");
    assert!(!sentence.contains("lower bound") || sentence.contains(&bound), "{sentence}");
}
