//! Questions as users ask them: what the commands print, and their exit codes.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const CORNER: &str = "#######\n#     #\n# $@  #\n# ##  #\n#   . #\n#######\n";
const TWO: &str = "#######\n#.$ $.#\n#  @  #\n#######\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("written");
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_unstuck"))
            .args(arguments)
            .current_dir(self.path())
            .output()
            .expect("the program runs")
    }

    /// Exit code and the one JSON object that was printed.
    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let (code, mut values) = self.objects(arguments);
        assert_eq!(values.len(), 1, "{arguments:?}");
        (code, values.remove(0))
    }

    /// Exit code and the JSON objects that were printed.
    fn objects(&self, arguments: &[&str]) -> (i32, Vec<Value>) {
        let mut all = arguments.to_vec();
        all.push("--json");
        let output = self.run(&all);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let object = |line| {
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {text}"))
        };
        (output.status.code().expect("ends by itself"), text.lines().map(object).collect())
    }
}

fn text(output: &Output) -> String {
    let all = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn a_hint_gives_no_more_than_is_asked() {
    let folder = Folder::new();
    folder.write("level.xsb", CORNER);
    for degree in ["solvable", "plan"] {
        let ignored = ["hint", "level.xsb", "--degree", degree, "--steps", "2"];
        assert_eq!(folder.json(&ignored).0, 2, "{degree} has no steps");
    }
    let (code, value) = folder.json(&["hint", "level.xsb", "--degree", "solvable"]);
    assert_eq!((code, &value["solvable"]), (0, &true.into()));
    assert!(value["moves"].is_null() && value["pieces"].is_null() && value["rest"].is_null());
    let (_, value) = folder.json(&["hint", "level.xsb", "--degree", "piece"]);
    assert_eq!(value["pieces"][0], "box (3,3)");
    assert!(value["moves"].is_null());
    let (_, value) = folder.json(&["hint", "level.xsb", "--degree", "plan"]);
    let plan = value["moves"].as_str().expect("a plan").to_owned();
    assert_eq!(folder.run(&["replay", "level.xsb", &plan]).status.code(), Some(0));
    // From a position, and from a lost one.
    let later = plan.split_at(plan.len() / 2).0;
    let (code, value) = folder.json(&["hint", "level.xsb", "--after", later, "--degree", "plan"]);
    let rest = value["moves"].as_str().expect("a plan");
    assert_eq!(code, 0);
    assert_eq!(
        folder.run(&["replay", "level.xsb", &format!("{later}{rest}")]).status.code(),
        Some(0)
    );
    let (code, value) = folder.json(&["hint", "level.xsb", "--after", "ulldL"]);
    assert_eq!((code, &value["solvable"]), (2, &Value::Null), "an illegal move is a usage error");
    let printed = |arguments: &[&str]| {
        String::from_utf8(folder.run(arguments).stdout).expect("text").trim_end().to_owned()
    };
    let lost = printed(&["hint", "level.xsb", "--after", "L"]);
    assert_eq!(lost, "no longer solvable: undo some moves");
    // Where no move was made there is none to take back.
    folder.write("lost.xsb", "#####\n#@ $#\n#  .#\n#$ .#\n#####\n");
    assert_eq!(printed(&["hint", "lost.xsb"]), "unsolvable");
    // Nor where the level never had a solution.
    let never = printed(&["hint", "lost.xsb", "--after", "d"]);
    assert_eq!(never, "unsolvable, and so is the start of the level");
    let never = printed(&["hint", "level.xsb", "--after", "L", "--forbid", "solution moves < 99"]);
    assert!(!never.contains("no longer"), "{never}");
    let (code, value) = folder.json(&["hint", "level.xsb", "--after", "L"]);
    assert_eq!((code, &value["solvable"]), (20, &false.into()));
}

#[test]
fn solve_goes_on_after_moves() {
    let folder = Folder::new();
    folder.write("level.xsb", TWO);
    folder.write("game.txt", "uL");
    let (code, value) = folder.json(&["solve", "level.xsb", "--after", "@game.txt"]);
    assert_eq!((code, &value["verdict"], &value["upper"]), (0, &"solved".into(), &1.into()));
    assert_eq!(value["after"], "uL");
    let wrong = folder.run(&["solve", "level.xsb", "--after", "dddd"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).contains("move 1"), "{}", text(&wrong));
}

#[test]
fn a_diagnosis_names_the_fatal_move_and_its_reason() {
    let folder = Folder::new();
    folder.write("level.xsb", CORNER);
    let (code, value) = folder.json(&["diagnose", "level.xsb", "--moves", "rlLrr"]);
    assert_eq!((code, &value["fatal"]), (0, &3.into()));
    let classes: Vec<&Value> =
        value["moves"].as_array().expect("a list").iter().map(|it| &it["class"]).collect();
    assert_eq!(
        classes,
        [&"free".into(), &"free".into(), &Value::from("fatal"), &Value::Null, &Value::Null]
    );
    assert_eq!(value["moves"][2]["move"], "L");
    assert!(
        value["reason"]["text"].as_str().is_some_and(|text| text.contains("row 3, column 2")),
        "{value}"
    );
    let (code, value) = folder.json(&["diagnose", "level.xsb", "--moves", "uuuu"]);
    assert_eq!((code, &value["illegal"]["move"], &value["fatal"]), (1, &2.into(), &Value::Null));
}

#[test]
fn plans_are_counted_and_listed() {
    let folder = Folder::new();
    folder.write("level.xsb", TWO);
    let (code, value) = folder.json(&["enumerate", "level.xsb"]);
    assert_eq!((code, &value["optimal_plans"], &value["complete"]), (0, &1.into(), &true.into()));
    assert_eq!(value["plans"].as_array().map(Vec::len), Some(1));
    let (code, value) = folder.json(&["enumerate", "level.xsb", "--forbid", "pushed 2,2"]);
    assert_eq!((code, &value["optimal_plans"]), (20, &0.into()));
}

#[test]
fn constraints_are_read_and_errors_reported() {
    let folder = Folder::new();
    folder.write("level.xsb", CORNER);
    let (code, value) = folder.json(&["solve", "level.xsb", "--forbid", "pushed 3,3"]);
    assert_eq!(
        (code, &value["verdict"], &value["certified"]),
        (20, &"unsolvable".into(), &false.into())
    );
    let (code, value) = folder.json(&["solve", "level.xsb", "--require", "player 5,2"]);
    assert_eq!((code, &value["verdict"]), (0, &"solved".into()));
    let wrong = folder.run(&["solve", "level.xsb", "--forbid", "nonsense"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).contains("modifier R,C"), "{}", text(&wrong));
    let both = folder.run(&["solve", "level.xsb", "--forbid", "move u", "--engine", "sat"]);
    assert_eq!(both.status.code(), Some(2), "constraints and engines exclude each other");
}

#[test]
fn a_lock_is_checked_without_search_and_changes_are_found() {
    let folder = Folder::new();
    folder.write("levels.xsb", &format!("First\n\n{CORNER}\nSecond\n\n{TWO}\n"));
    let locked = folder.run(&["lock", "levels.xsb"]);
    assert_eq!(locked.status.code(), Some(0), "{}", text(&locked));
    let again = folder.run(&["lock", "levels.xsb"]);
    assert_eq!(again.status.code(), Some(2), "nothing is overwritten");
    let (code, values) = folder.objects(&["check", "--locked"]);
    assert_eq!((code, values.len()), (0, 2));
    assert!(values.iter().all(|it| it["verdict"] == "valid" && it["certified"] == true));
    folder.write(
        "levels.xsb",
        &format!("First\n\n{CORNER}\nSecond\n\n{}\n", TWO.replace("# ", "##")),
    );
    let report = folder.run(&["check", "--locked", "unstuck.lock"]);
    assert_eq!(report.status.code(), Some(1), "{}", text(&report));
    assert!(text(&report).contains("1 changed") && text(&report).contains("Second"));
}

#[test]
fn generated_levels_meet_their_conditions() {
    let folder = Folder::new();
    let size = ["generate", "sokoban", "--width", "6", "--height", "6", "--boxes", "2"];
    let length =
        ["--at-least", "6", "--at-most", "9", "--count", "3", "--tighten", "-o", "made.sok"];
    let made = folder.run(&[&size[..], &length[..]].concat());
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    let (_, objects) = folder.objects(&["solve", "made.sok", "--compare"]);
    assert_eq!(objects.len(), 3);
    for (number, value) in (1..).zip(objects) {
        assert!(value["optimal"] == true && value["lower"].as_u64().is_some(), "{value}");
        assert!((6..=9).contains(&value["lower"].as_u64().expect("a bound")), "{value}");
        assert_eq!(value["title"], format!("Level {number}, seed 1"));
        assert_eq!(value["recorded"][0]["verdict"], "right and shortest", "{value}");
    }
    for (family, options) in [("sokobond", ["--atoms", "ohh"]), ("snowman", ["--snowmen", "1"])] {
        let made = folder.run(&[&["generate", family, "-o", family], &options[..]].concat());
        assert_eq!(made.status.code(), Some(0), "{family}: {}", text(&made));
        assert_eq!(folder.json(&["solve", family, "--puzzle", family]).0, 0, "{family}");
    }
    let flow = ["generate", "flow", "--colours", "4", "--every-piece", "-o", "made.flow"];
    assert_eq!(folder.run(&flow).status.code(), Some(0));
    let (code, value) = folder.json(&["needed", "made.flow", "--kind", "pair", "--plans"]);
    let parts = value["parts"].as_array().expect("parts");
    assert!(code == 0 && parts.iter().all(|part| part["effect"] != "none"), "{value}");
    // Under the rule by which cells may stay empty there are more solutions, and yet only one.
    let empty = ["generate", "flow", "--cover", "no", "--touch", "allow", "-o", "empty.flow"];
    assert_eq!(folder.run(&empty).status.code(), Some(0));
    let (code, value) = folder.json(&["solve", "empty.flow"]);
    assert_eq!((code, &value["unique"]), (0, &true.into()), "{value}");
    assert_eq!(
        (&value["terms"][0]["value"], &value["terms"][1]["value"]),
        (&"allow".into(), &"no".into()),
        "{value}"
    );
    assert_eq!(folder.run(&empty).status.code(), Some(2), "nothing is overwritten");
    let hopeless = folder.run(&["generate", "sokoban", "--at-least", "9999", "--attempts", "3"]);
    assert_eq!(hopeless.status.code(), Some(2));
    assert!(text(&hopeless).contains("0 of 1 levels found in 3 drafts"), "{}", text(&hopeless));
}

/// Levels like one, by its own rules: longer, not to be done without a rule, and without what is idle.
#[test]
fn a_level_is_varied() {
    let folder = Folder::new();
    let game = crate::root().join("puzzles/levels/puzzlescript/push.puzzlescript");
    folder.write("game.txt", &fs::read_to_string(game).expect("a game"));
    let rule = ["generate", "like", "game.txt", "-l", "2", "--needs", "rule 78", "--at-least", "9"];
    let made = folder.run(&[&rule[..], &["--count", "2", "--tighten", "-o", "new.txt"]].concat());
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    for file in ["new-1.txt", "new-2.txt"] {
        let (code, solved) = folder.json(&["solve", file]);
        assert!(code == 0 && solved["lower"].as_u64().is_some_and(|least| least >= 9), "{solved}");
        let (_, without) = folder.json(&["solve", file, "--forbid", "rule 78"]);
        let length = |answer: &Value| answer["solution"]["length"]["moves"].as_u64();
        assert!(without["verdict"] == "unsolvable" || length(&without) > length(&solved), "{file}");
    }
    folder.write("level.xsb", "#######\n#     #\n#@$ . #\n#  $ .#\n#######\n");
    let like = ["generate", "like", "level.xsb", "--unique", "--count", "3", "-o", "like.sok"];
    let made = folder.run(&like);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    let (_, objects) = folder.objects(&["solve", "like.sok", "--unique"]);
    assert!(objects.len() == 3 && objects.iter().all(|it| it["unique"] == true), "{objects:?}");
    for (from, needs, said) in [
        (&["like", "level.xsb"][..], "rule 3", "not written in a file"),
        (&["flow"], "box 1,1", "no moves"),
    ] {
        let asked = [&["generate"], from, &["--needs", needs, "--attempts", "2"]].concat();
        let idle = folder.run(&asked);
        assert_eq!(idle.status.code(), Some(2), "{needs}");
        assert!(text(&idle).contains(said), "{needs}: {}", text(&idle));
    }
    for (line, said) in [
        ("generate like level.xsb --needs nonsense", "unknown constraint"),
        ("generate like none.xsb", "none.xsb"),
        ("generate like level.xsb --objective any", "shortest solutions"),
        ("generate like level.xsb --at-least 999 --attempts 3", "raise `--edits`"),
    ] {
        let refused = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert!(text(&refused).contains(said), "{line}: {}", text(&refused));
    }
}

/// What an author asks: which of the levels can be done without this?
#[test]
fn a_game_is_solved_without_a_trick_level_by_level() {
    let folder = Folder::new();
    folder.write("two.sok", "A\n\n#####\n#@$.#\n#####\n\nB\n\n#####\n#.$@#\n#####\n");
    let without = ["solve", "two.sok", "--forbid", "move r"];
    let verdicts: Vec<_> =
        folder.objects(&without).1.iter().map(|value| value["verdict"].clone()).collect();
    assert_eq!(verdicts, ["unsolvable", "solved"]);
    let table = folder.run(&without);
    assert_eq!(table.status.code(), Some(20), "{}", text(&table));
    for row in ["level", "A  ", "unsolvable", "B  ", "solved"] {
        assert!(text(&table).contains(row), "{}", text(&table));
    }
}

#[test]
fn figures_and_reasons_are_printed_for_flow_too() {
    let folder = Folder::new();
    folder.write("board.flow", "A.B\n...\nA.B\n");
    let (code, value) = folder.json(&["forced", "board.flow"]);
    assert!(code == 0 || code == 20, "{value}");
    let (_, value) = folder.json(&["difficulty", "board.flow"]);
    assert!(value["figures"]["direct"].is_u64(), "{value}");
    folder.write("crossed.flow", "AB\nBA\n");
    let (code, value) = folder.json(&["explain", "crossed.flow"]);
    assert_eq!((code, &value["solvable"]), (20, &false.into()), "{value}");
    let (code, value) = folder.json(&["needed", "board.flow"]);
    assert!(
        code == 0 && value["parts"].as_array().is_some_and(|parts| parts.len() == 3),
        "{value}"
    );
}

#[test]
fn constraints_and_positions_are_proved() {
    let folder = Folder::new();
    folder.write("level.xsb", CORNER);
    let proved = folder.run(&["prove", "level.xsb", "--forbid", "pushed 3,3", "-o", "wished"]);
    assert_eq!(proved.status.code(), Some(20), "{}", text(&proved));
    let checked = folder.run(&["check", "wished"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked));
    let first = text(&checked).lines().next().unwrap_or_default().to_owned();
    assert!(first.contains("with the constraints: no piece is ever on (3,3)"), "{first}");
    assert!(first.contains("unsolvable, certified"), "{first}");
    let required =
        ["prove", "level.xsb", "--require", "player 5,2", "-o", "longer", "--objective", "moves"];
    assert_eq!(folder.run(&required).status.code(), Some(0));
    assert_eq!(folder.run(&["check", "longer"]).status.code(), Some(0));
    let after = folder.run(&["prove", "level.xsb", "--after", "rlL", "-o", "lost"]);
    assert_eq!(after.status.code(), Some(20), "{}", text(&after));
    let checked = folder.run(&["check", "lost"]);
    assert!(text(&checked).contains("after the moves rlL"), "{}", text(&checked));
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
        let kept = fs::read_to_string(folder.path().join(&manifest)).expect("a certificate");
        assert!(kept.contains(from), "{kept}");
        folder.write(&manifest, &kept.replacen(from, to, 1));
        let judged = folder.run(&["check", name]);
        assert_eq!(judged.status.code(), Some(1), "{from} to {to}: {}", text(&judged));
        folder.write(&manifest, &kept);
    }
    // An entry less, with sums that fit, is found out by the rules.
    for name in ["wished", "lost"] {
        let list = folder.path().join(name).join("closed-set.txt");
        let kept = fs::read_to_string(&list).expect("a list");
        let manifest = folder.path().join(name).join("certificate.json");
        let described = fs::read_to_string(&manifest).expect("a certificate");
        let sum = |text: &str| {
            use sha2::Digest;
            let digest = sha2::Sha256::digest(text.as_bytes());
            digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let entries = kept.lines().count() - 4;
        let last = kept.trim_end().rfind('\n').expect("lines") + 1;
        let less = kept[..last]
            .replace(&format!("entries {entries}"), &format!("entries {}", entries - 1));
        fs::write(&list, &less).expect("written");
        let forged = described.replace(&sum(&kept), &sum(&less));
        assert_ne!(forged, described, "the sum is listed");
        fs::write(&manifest, forged).expect("written");
        let judged = folder.run(&["check", name]);
        assert_eq!(judged.status.code(), Some(1), "{}", text(&judged));
        assert!(text(&judged).contains("listed"), "{}", text(&judged));
    }
    for wrong in [
        ["prove", "level.xsb", "--forbid", "move u", "-o", "x", "--engine", "sat"].as_slice(),
        &["prove", "level.xsb", "--after", "rl", "-o", "x", "--evidence", "horizon"],
    ] {
        assert_eq!(folder.run(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn answers_come_with_certificates() {
    let folder = Folder::new();
    folder.write("level.xsb", CORNER);
    folder.write("lost.xsb", "#######\n# $$  #\n#     #\n# .@. #\n#######\n");
    let arguments = ["diagnose", "level.xsb", "--moves", "rlLrr", "--certificate", "fatal"];
    let (code, value) = folder.json(&arguments);
    assert_eq!((code, &value["certificate"]), (0, &"fatal".into()), "{value}");
    assert_eq!(folder.run(&arguments).status.code(), Some(2), "nothing is overwritten");
    let (code, value) = folder.json(&["check", "fatal"]);
    assert_eq!((code, &value["after"]), (0, &"rlL".into()), "{value}");
    let (code, value) = folder.json(&["explain", "lost.xsb", "--certificate", "why"]);
    assert_eq!((code, &value["certificate"]), (20, &"why".into()), "{value}");
    assert_eq!(folder.json(&["check", "why"]).0, 0);
    let kept = fs::read_to_string(folder.path().join("why/puzzle.txt")).expect("a level");
    assert_eq!(kept.matches('$').count(), 1, "one of the boxes is enough: {kept}");
    folder.write("crossed.flow", "AB\nBA\n");
    assert_eq!(folder.json(&["explain", "crossed.flow", "--certificate", "crossed"]).0, 20);
    assert_eq!(folder.json(&["check", "crossed"]).0, 0);
    // What is solved has no certificate of being lost.
    let (code, value) =
        folder.json(&["diagnose", "level.xsb", "--moves", "r", "--certificate", "n"]);
    assert_eq!((code, &value["certificate"]), (0, &Value::Null), "{value}");
    assert!(!folder.path().join("n").exists());
}

#[test]
fn path_constraints_are_rules_of_the_board() {
    let folder = Folder::new();
    folder.write("board.flow", "A.A\nB.B\n");
    let (code, value) = folder.json(&["solve", "board.flow"]);
    assert_eq!((code, &value["unique"]), (0, &true.into()), "{value}");
    let paths = value["solution"]["moves"].as_str().expect("paths").to_owned();
    assert!(paths.contains("A: 0,0 0,1 0,2"), "{paths}");
    let constraints = |constraint: &str, text: &str, wanted: i32| {
        let (code, value) = folder.json(&["solve", "board.flow", constraint, text]);
        assert_eq!(code, wanted, "{constraint} {text}: {value}");
        assert_eq!(
            folder.run(&["prove", "board.flow", constraint, text, "-o", "c"]).status.code(),
            Some(code)
        );
        let checked = folder.run(&["check", "c"]);
        assert_eq!(checked.status.code(), Some(0), "{}", self::text(&checked));
        assert!(self::text(&checked).contains("with the constraints"), "{}", self::text(&checked));
        // The constraint belongs to the question.
        let manifest = folder.path().join("c/certificate.json");
        let kept = fs::read_to_string(&manifest).expect("a certificate");
        let other = if constraint == "--forbid" { "\"require\"" } else { "\"forbid\"" };
        for forged in [
            kept.replace(&format!("\"{}\"", &constraint[2..]), other),
            kept.replace(&format!("\"{}\"", &constraint[2..]), "\"nothing\""),
        ] {
            assert_ne!(forged, kept);
            fs::write(&manifest, forged).expect("written");
            assert_eq!(folder.run(&["check", "c"]).status.code(), Some(1), "{constraint} {text}");
        }
        fs::remove_dir_all(folder.path().join("c")).expect("removed");
    };
    constraints("--forbid", "colour 1,2 A", 20);
    constraints("--forbid", "edge 1,1 2,1", 0);
    constraints("--require", "edge 1,2 1,3", 0);
    constraints("--require", "colour 1,3 B", 20);
    for (command, wanted) in [("forced", 20), ("explain", 20), ("needed", 0), ("difficulty", 0)] {
        let (code, value) = folder.json(&[command, "board.flow", "--forbid", "colour 1,2 A"]);
        assert_eq!(code, wanted, "{command}: {value}");
        assert_eq!(value["wishes"], "A is never on (1,2)", "{value}");
    }
    folder.write("level.xsb", CORNER);
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
        let printed = folder.run(&["solve", file, "--forbid", constraint]);
        assert_eq!(printed.status.code(), Some(2), "{file} {constraint}");
        assert!(text(&printed).contains(constraint), "{}", text(&printed));
    }
    let bond = folder.run(&["hint", "level.xsb", "--require", "bond 2,2 2,3"]);
    assert_eq!(bond.status.code(), Some(2));
    assert!(text(&bond).contains("has no bonds"), "{}", text(&bond));
}

#[test]
fn a_snapshot_is_a_position() {
    let folder = Folder::new();
    folder.write("level.xsb", CORNER);
    folder.write("now.xsb", "#######\n#     #\n#$@   #\n# ##  #\n#   . #\n#######\n");
    folder.write("moves.txt", "rlL");
    let (code, drawn) = folder.json(&["hint", "level.xsb", "--after", "@now.xsb"]);
    assert_eq!((code, &drawn["solvable"]), (20, &false.into()), "{drawn}");
    let (code, played) = folder.json(&["hint", "level.xsb", "--after", "@moves.txt"]);
    assert_eq!((code, &played["solvable"]), (20, &false.into()), "{played}");
    let proved = folder.run(&["prove", "level.xsb", "--after", "@now.xsb", "-o", "lost"]);
    assert_eq!(proved.status.code(), Some(20), "{}", text(&proved));
    let checked = folder.run(&["check", "lost"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked));
    assert!(text(&checked).contains("in the position that `after` draws"), "{}", text(&checked));
    for (name, board, said) in [
        ("wall.xsb", "#######\n#     #\n#$@ # #\n# ##  #\n#   . #\n#######\n", "another level"),
        ("two.xsb", "#######\n#  $  #\n#$@   #\n# ##  #\n#  .. #\n#######\n", "another level"),
        ("file", "level.xsb", "@level.xsb"),
    ] {
        let given = if name == "file" { board.to_owned() } else { format!("@{name}") };
        if name != "file" {
            folder.write(name, board);
        }
        let printed = folder.run(&["solve", "level.xsb", "--after", &given]);
        assert_eq!(printed.status.code(), Some(2), "{name}");
        assert!(text(&printed).contains(said), "{}", text(&printed));
    }
    // Bonds have no place in the format.
    folder.write("gas.sokobond", "xxxxx\nxH-hx\nx---x\nxxxxx\n");
    let printed =
        folder.run(&["solve", "gas.sokobond", "--puzzle", "sokobond", "--after", "@gas.sokobond"]);
    assert_eq!(printed.status.code(), Some(2));
    assert!(text(&printed).contains("give the moves"), "{}", text(&printed));
}

#[test]
fn marks_are_drawn_on_hexagons_too() {
    let folder = Folder::new();
    let made = ["generate", "flow", "--hex", "--colours", "3", "--width", "4", "--height", "4"];
    assert_eq!(folder.run(&[&made[..], &["-o", "board.flow"]].concat()).status.code(), Some(0));
    let drawn = folder.run(&["forced", "board.flow", "--puzzle", "flow", "--svg", "steps.svg"]);
    assert_eq!(drawn.status.code(), Some(0), "{}", text(&drawn));
    let plain = folder.run(&["solve", "board.flow", "--puzzle", "flow", "--svg", "plain.svg"]);
    assert_eq!(plain.status.code(), Some(0), "{}", text(&plain));
    let plates = |name: &str| {
        let picture = fs::read_to_string(folder.path().join(name)).expect("a picture");
        picture.matches("#9a9a9a").count()
    };
    assert_eq!(plates("plain.svg"), 0);
    assert!(plates("steps.svg") > 3);
}

#[test]
fn solve_says_whether_the_shortest_solution_is_the_only_one() {
    let folder = Folder::new();
    let levels = crate::root().join("puzzles/levels/sokoban");
    let (pantry, steps) = (levels.join("pantry.xsb"), levels.join("first-steps.sok"));
    let (pantry, steps) = (pantry.to_str().expect("plain"), steps.to_str().expect("plain"));
    // In the words of `enumerate`, under the solution and as an answer to nothing else.
    let words = "there is only one shortest solution (6 pushes), apart from different walks and the \
                 order of independent pushes\n";
    assert!(text(&folder.run(&["enumerate", pantry])).ends_with(words));
    assert!(text(&folder.run(&["solve", pantry, "--unique"])).contains(words));
    assert!(!text(&folder.run(&["solve", pantry])).contains("only one shortest solution"));
    let quiet = text(&folder.run(&["solve", pantry, "--unique", "-q"]));
    assert!(quiet.ends_with(words) && quiet.lines().count() == 2, "{quiet}");
    // Of every level the same number.
    let (code, solved) = folder.objects(&["solve", steps, "--unique", "--log", "log"]);
    let (_, counted) = folder.objects(&["enumerate", steps]);
    assert_eq!((code, solved.len()), (0, counted.len()));
    for (solved, counted) in solved.iter().zip(&counted) {
        assert_eq!(solved["optimal_plans"], counted["optimal_plans"], "{solved}");
        assert_eq!(solved["unique"], counted["optimal_plans"] == 1, "{solved}");
    }
    // A column of the table; the log knows it, and knows that it is another question.
    let table = folder.run(&["solve", steps, "--unique", "-l", "1-2", "--log", "log"]);
    let table = text(&table);
    assert!(table.contains("moves/pushes  plans  "), "{table}");
    assert!(
        table.contains("2 solved (all optimal), 1 unique, 2 of them from the store"),
        "{table}"
    );
    let lines = || fs::read_to_string(folder.path().join("log")).expect("a log").lines().count();
    assert_eq!(lines(), counted.len());
    let plain = text(&folder.run(&["solve", steps, "-l", "1-2", "--log", "log"]));
    assert!(!plain.contains("unique"), "{plain}");
    assert_eq!(lines(), counted.len() + 2);
}

#[test]
fn the_table_of_a_game_has_plans_and_rules_as_enumerate_has_them() {
    let folder = Folder::new();
    let games = crate::root().join("puzzles/levels/puzzlescript");
    let games = ["push", "slide"].map(|name| games.join(format!("{name}.puzzlescript")));
    let [push, slide] = games.each_ref().map(|path| path.to_str().expect("plain"));
    fn of<'a>(command: &[&'a str], game: &'a str) -> Vec<&'a str> {
        [command, &[game, "--rules"]].concat()
    }
    let solve = ["solve", "--unique", "--log", "log"];
    for game in [push, slide] {
        let (code, solved) = folder.objects(&of(&solve, game));
        let (same, counted) = folder.objects(&of(&["enumerate"], game));
        assert_eq!((code, solved.len()), (same, counted.len()));
        for (solved, counted) in solved.iter().zip(&counted) {
            assert!(!counted["rules"]["idle"].is_null(), "{counted}");
            assert_eq!(solved["rules"], counted["rules"], "{solved}");
            let plans = (solved["verdict"] == "solved").then_some(&counted["optimal_plans"]);
            assert_eq!(solved.get("optimal_plans"), plans, "{solved}");
        }
        // The table says it of the levels that were just solved, and of those in the log.
        let said = text(&folder.run(&of(&["enumerate"], game)));
        let said = said.lines().last().expect("the rules of the game");
        assert!(said.contains("act in no shortest solution of 4 levels: "), "{said}");
        for command in [&solve[..], &solve[..2]] {
            let table = text(&folder.run(&of(command, game)));
            assert!(table.ends_with(&format!("\n{said}\n")), "{table}");
            assert!(table.contains("moves/changes  plans  rules  "), "{table}");
        }
    }
    // What a limit leaves open is no number, and is said where rules are.
    let (code, open) = folder.objects(&of(&["solve", "--unique", "--timeout", "0"], push));
    assert_eq!((code, &open[0]["verdict"], open[0].get("rules")), (30, &"unknown".into(), None));
    let table = text(&folder.run(&of(&["solve", "--unique", "--timeout", "0"], push)));
    assert!(table.contains("of 4 levels (3 unknown): ") && table.contains("  ?  "), "{table}");
    // One level says it in words.
    let one = text(&folder.run(&[&of(&["solve", "--unique"], slide)[..], &["-l", "1"]].concat()));
    let words = text(&folder.run(&[&of(&["enumerate"], slide)[..], &["-l", "1"]].concat()));
    let words = words.split_once("apart from").expect("a sentence").1;
    assert!(one.ends_with(words) && words.contains("rules that act in none: lines "), "{one}");
    // Rules that are written in no file have no lines, and no rules are asked about alone.
    folder.write("corner.xsb", CORNER);
    folder.write("board.flow", "A.A\nB.B\n");
    for (line, reason) in [
        (&["solve", "corner.xsb", "--unique", "--rules"][..], "are not written in a file"),
        (&["solve", "board.flow", "--unique", "--rules"][..], "flow has no moves"),
        (&["solve", push, "--rules"][..], "required arguments were not provided"),
    ] {
        let output = folder.run(line);
        assert_eq!(output.status.code(), Some(2), "{line:?}");
        assert!(text(&output).contains(reason), "{line:?}: {}", text(&output));
    }
}

#[test]
fn uniqueness_is_not_said_where_it_is_not_known_or_makes_no_sense() {
    let folder = Folder::new();
    folder.write("corner.xsb", CORNER);
    folder.write("lost.xsb", "######\n#$ @.#\n#    #\n######\n");
    folder.write("board.flow", "A.A\nB.B\n");
    let (code, value) = folder.json(&["solve", "lost.xsb", "--unique"]);
    assert_eq!((code, &value["unique"], value.get("optimal_plans")), (20, &Value::Null, None));
    // Without moves the solver's own answer says it.
    let (code, value) = folder.json(&["solve", "board.flow", "--unique"]);
    assert_eq!((code, &value["unique"]), (0, &true.into()), "{value}");
    for (options, reason) in [
        (&["--objective", "any"][..], "looks for no shortest solution"),
        (&["--forbid", "player 2,2"][..], "`enumerate` counts"),
        (&["--count", "3"][..], "cannot be used with"),
        (&["--improve"][..], "cannot be used with"),
        (&["--horizon", "3"][..], "cannot be used with"),
    ] {
        let output = folder.run(&[&["solve", "corner.xsb", "--unique"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(text(&output).contains(reason), "{options:?}: {}", text(&output));
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
    let folder = Folder::new();
    folder.write("rooms.xsb", &rooms());
    let limits = ["--timeout", "60"];
    let asked = |arguments: &[&str]| folder.json(&[arguments, &limits].concat());
    let (code, solved) = asked(&["solve", "rooms.xsb"]);
    assert_eq!((code, &solved["optimal"]), (0, &Value::Bool(true)), "{solved}");
    let (moves, optimum) = (solved["solution"]["moves"].as_str().expect("moves"), &solved["upper"]);
    let (code, hint) = asked(&["hint", "rooms.xsb"]);
    assert_eq!((code, &hint["rest"]), (0, optimum), "{hint}");
    // Of a game that follows an optimal plan no move is costly.
    let (code, diagnosis) = asked(&["diagnose", "rooms.xsb", &moves[..moves.len() / 2]]);
    let classes = diagnosis["moves"].as_array().expect("moves");
    assert!(classes.iter().all(|it| it["class"] == "free"), "{diagnosis}");
    assert_eq!((code, &diagnosis["optimum"]), (0, optimum));
    // These end only with their time: there is too much to count. A busy machine has more of it.
    let answered = |arguments: &[&str], field: &str| {
        let mut value = Value::Null;
        for seconds in ["20", "60", "180"] {
            (_, value) = folder.json(&[arguments, &["--timeout", seconds]].concat());
            if value.pointer(field) == Some(optimum) {
                break;
            }
        }
        assert_eq!(value.pointer(field), Some(optimum), "{value}");
        value
    };
    answered(&["difficulty", "rooms.xsb"], "/figures/optimum");
    answered(&["enumerate", "rooms.xsb"], "/at_least");
    let unique = answered(&["solve", "rooms.xsb", "--unique"], "/lower");
    let sentence = unique["sentence"].as_str().expect("a sentence");
    let bound = format!("lower bound {optimum}");
    assert!(!sentence.contains("lower bound") || sentence.contains(&bound), "{sentence}");
}
