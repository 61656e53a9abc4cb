//! The program as its users run it: exit codes, what is printed where, files, limits.

use crate::levels::{EASY, ENDLESS, STUCK};
use crate::wait::Conversation;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{Answer, Backend};
use unstuck::formula::dimacs::CnfReader;
use unstuck::formula::{ClauseList, Clauses};
use unstuck::limits::Limits;

fn unstuck(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_unstuck"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that fails early does not read its input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn sokoban(command: &str, arguments: &[&str], input: &str) -> Output {
    let mut all = vec![command, "-", "--puzzle", "sokoban"];
    all.extend(arguments);
    unstuck(&all, input)
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("ends by itself")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn exit_codes_say_what_was_shown() {
    for engine in ["auto", "sat", "search"] {
        let solved = sokoban("solve", &["--engine", engine, "--json"], EASY);
        assert_eq!(code(&solved), 0, "{engine}: {}", stderr(&solved));
        let value = json(&solved);
        assert_eq!((&value["verdict"], &value["optimal"]), (&"solved".into(), &true.into()));
        assert_eq!((value["lower"].as_u64(), value["upper"].as_u64()), (Some(1), Some(1)));
        assert_eq!(value["solution"]["moves"], "R");
    }
    assert_eq!(code(&sokoban("solve", &[], STUCK)), 20);
    let within = "#######\n#@ $ .#\n#######\n";
    for engine in ["sat", "search", "auto"] {
        let none = sokoban("solve", &["--engine", engine, "--horizon", "1", "--json"], within);
        assert_eq!(code(&none), 21, "{engine}: {}{}", stdout(&none), stderr(&none));
        assert_eq!(json(&none)["horizon"], 1);
        let some = sokoban("solve", &["--engine", engine, "--horizon", "2"], within);
        assert_eq!(code(&some), 0, "{engine}");
        let capped = sokoban("solve", &["--engine", engine, "--max-horizon", "1"], within);
        assert_eq!(code(&capped), 21, "{engine}");
    }
}

#[test]
fn objectives_are_distinguished() {
    for objective in ["any", "pushes", "pushes,moves", "moves", "moves,pushes"] {
        for engine in ["auto", "sat", "search"] {
            let output =
                sokoban("solve", &["--objective", objective, "--engine", engine, "--json"], EASY);
            assert_eq!(code(&output), 0, "{objective} {engine}: {}", stderr(&output));
            assert_eq!(json(&output)["objective"], objective);
        }
    }
    let unknown = sokoban("solve", &["--objective", "pulls"], EASY);
    assert_eq!(code(&unknown), 2);
}

#[test]
fn bad_input_names_its_place_and_the_way_out() {
    let two = sokoban("solve", &[], "#####\n#@$.#\n#@  #\n#####\n");
    assert_eq!(code(&two), 2);
    let shown = stderr(&two);
    assert!(shown.contains(":3:2:") && shown.contains("  ^") && shown.contains("help"), "{shown}");
    for nonsense in ["", "hello", "\0\0\0", "####\n"] {
        assert_eq!(code(&sokoban("solve", &[], nonsense)), 2, "{nonsense:?}");
    }
    assert_eq!(code(&unstuck(&["solve", "no-such-file.xsb"], "")), 2);
    assert_eq!(code(&unstuck(&["solve"], "")), 2);
    assert_eq!(code(&sokoban("solve", &["--timeout", "-1"], EASY)), 2);
    assert_eq!(
        code(&sokoban("solve", &["--backend", "no-such-solver", "--engine", "sat"], EASY)),
        2
    );
    assert_eq!(code(&sokoban("solve", &["--level", "2"], EASY)), 2);
}

#[test]
fn replay_says_at_which_move_a_wrong_string_fails() {
    assert_eq!(code(&sokoban("replay", &["R"], EASY)), 0);
    let wrong = sokoban("replay", &["RR"], EASY);
    assert_eq!(code(&wrong), 1);
    assert!(stdout(&wrong).contains("move 2"), "{}", stdout(&wrong));
    assert_eq!(code(&sokoban("replay", &["l"], EASY)), 1);
    assert_eq!(code(&sokoban("replay", &["x"], EASY)), 2);
    let unsolved = sokoban("replay", &["--json", "r"], "#######\n#@  $.#\n#######\n");
    let replay = &json(&unsolved)["replays"][0];
    assert_eq!((code(&unsolved), &replay["fault"]["rule"]), (1, &"not-solved".into()));
    assert_eq!(replay["verdict"], "not-solved");
}

#[test]
fn a_time_limit_ends_with_the_bounds_so_far() {
    for engine in ["auto", "sat", "search"] {
        // By pushes it is solved by `auto` in a second: dead patterns show the optimum.
        let objectives: &[&str] = if engine == "auto" { &["moves"] } else { &["pushes", "moves"] };
        for &objective in objectives {
            // How long a bound takes is up to the machine and what else it does: the first limit
            // that is enough. How soon a limit ends is for `limits`.
            let run = |seconds| {
                let asked = ["--engine", engine, "--objective", objective, "--timeout", seconds];
                let output = sokoban("solve", &[&asked[..], &["--json"]].concat(), ENDLESS);
                (json(&output), output)
            };
            let enough = |(value, _): &(Value, _)| value["lower"].as_u64() > Some(0);
            let found = ["1", "8", "64"].into_iter().map(run).find(enough);
            let (value, output) = found.expect("some limit is enough");
            // With a plan that is not known to be shortest, or without one.
            let wanted = if value["solution"].is_null() { 30 } else { 0 };
            assert_eq!(code(&output), wanted, "{engine} {objective}: {}", stdout(&output));
            assert!(engine != "search" || wanted == 30, "{engine} {objective}: {value}");
            assert_ne!(value["optimal"], true, "{engine} {objective}: {value}");
            assert_eq!(value["stopped_by"], "time", "{engine} {objective}");
        }
    }
}

/// The program at work on levels, by search alone, with progress all the time.
#[cfg(unix)]
fn solving(levels: &str, as_json: bool) -> Conversation {
    let mut solving = Conversation::start(
        Command::new(env!("CARGO_BIN_EXE_unstuck"))
            .args(["solve", "-", "--puzzle", "sokoban", "--engine", "search"])
            .args(["--progress", "0.1"])
            .args(as_json.then_some("--json"))
            .stdin(Stdio::piped()),
    );
    solving.stdin().write_all(levels.as_bytes()).expect("written");
    solving
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_the_bounds_so_far() {
    for as_json in [false, true] {
        let mut solving = solving(ENDLESS, as_json);
        solving.until("at least ");
        // Twice at once, as `timeout` does with a process and its group: that is one request.
        let process = solving.id().to_string();
        let killed = Command::new("kill").args(["-INT", &process, &process]).status();
        assert!(killed.expect("kill runs").success());
        let output = solving.end();
        assert_eq!(code(&output), 30);
        let said = stdout(&output);
        assert!(said.contains("interrupted") && said.contains("lower bound"), "{said}");
        if as_json {
            assert_eq!(json(&output)["stopped_by"], "interrupted");
        }
    }
}

/// Without a limit of time no level waits for a harder one: that has another turn after all others.
#[cfg(unix)]
#[test]
fn levels_have_turns_in_rounds() {
    for as_json in [false, true] {
        let mut solving = solving(&[ENDLESS, EASY, STUCK, ENDLESS].join("\n"), as_json);
        // The second turn of the first, after all others have had one.
        solving.until(" of 8s");
        let killed = Command::new("kill").args(["-INT", &solving.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        let output = solving.end();
        let said = stdout(&output);
        assert_eq!(code(&output), 30, "{said}");
        if as_json {
            let answers = said.lines().map(|line| serde_json::from_str(line).expect("an object"));
            let verdict = |value: Value| (value["number"].as_u64(), value["verdict"].to_string());
            let verdicts: Vec<_> = answers.map(verdict).collect();
            let (open, shut) = ("\"unknown\"", "\"unsolvable\"");
            let wanted = [(2, "\"solved\""), (3, shut), (1, open), (4, open)];
            assert_eq!(verdicts, wanted.map(|(at, verdict)| (Some(at), verdict.to_owned())));
        } else {
            let places = ["interrupted", "optimal", "unsolvable"].map(|word| said.find(word));
            assert!(places.is_sorted() && places[0].is_some(), "{said}");
            assert!(said.contains("interrupted: 4 of 4 were looked at"), "{said}");
        }
    }
}

#[test]
fn files_are_never_overwritten_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("level.cnf");
    let name = path.to_str().expect("a plain name");
    let export = |extra: &[&str]| {
        let mut arguments = vec!["--horizon", "1", "-o", name];
        arguments.extend(extra);
        code(&sokoban("export", &arguments, EASY))
    };
    assert_eq!(export(&[]), 0);
    let first = fs::read_to_string(&path).expect("written");
    assert_eq!((export(&[]), export(&["--force"])), (2, 0));
    assert_eq!(fs::read_to_string(&path).expect("written"), first);
    assert!(folder.path().join("level.cnf.map.json").exists());
    let nowhere = folder.path().join("no/such/folder/level.cnf");
    let output = sokoban("export", &["--horizon", "1", "-o", nowhere.to_str().unwrap()], EASY);
    assert_eq!(code(&output), 2);
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[test]
fn loop_cuts_are_exported_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = ["first.txt", "second.txt"].map(|name| folder.path().join(name));
    let answers = answers.map(|path| path.to_str().expect("plain").to_owned());
    // Without self-touch only a ring fits on the right, and one on the left: no solution.
    let flow = |command: &str, extra: &[&str]| {
        let arguments = [command, "-", "--puzzle", "flow", "--touch", "never"];
        unstuck(&[&arguments[..], extra].concat(), "..AB..\n..AB..\n")
    };
    let export = |extra: &[&str]| {
        let output = flow("export", &[&["--without", "short-cycle"], extra].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        let cuts = text.lines().filter(|line| line.starts_with("c cut loop(")).count();
        let mut reader = CnfReader::new(text.as_bytes()).expect("a header");
        let mut clauses = ClauseList::default();
        while let Some(clause) = reader.next_clause().expect("a clause") {
            clauses.add(clause.iter().copied());
        }
        assert!(cuts == 0 || text.contains(&format!("clause {}", clauses.len())), "{text}");
        (cuts, clauses)
    };
    let (cuts, formula) = export(&[]);
    assert_eq!(cuts, 0);
    let Ok(Answer::Sat(model)) = Varisat.solve(&formula, &Limits::none()) else {
        panic!("rings are no paths, but the clauses without cuts allow them")
    };
    let values: Vec<_> = model.lits().map(|lit| lit.to_string()).collect();
    fs::write(&answers[0], format!("s SATISFIABLE\nv {} 0\n", values.join(" "))).expect("written");
    let refused = flow("decode", &["--without", "short-cycle", &answers[0]]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("unstuck export --answer"), "{}", stderr(&refused));
    let (cuts, cut) = export(&["--answer", &answers[0]]);
    assert_eq!((cuts, cut.len()), (2, formula.len() + 2), "both rings in one round");
    assert_eq!(Varisat.solve(&cut, &Limits::none()), Ok(Answer::Unsat));
    assert_eq!(export(&["--cuts"]).0, 2);
    fs::write(&answers[1], "s UNSATISFIABLE\n").expect("written");
    assert_eq!(code(&flow("export", &["--answer", &answers[1]])), 2);
}

#[test]
fn outside_solvers_answer_exported_questions() {
    let level = "#######\n#@ $ .#\n# $  .#\n#     #\n#######\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (cnf, out) = (path("level.cnf"), path("out.txt"));
    assert_eq!(code(&sokoban("export", &["--horizon", "6", "-o", &cnf], level)), 0);
    let mut tried = 0;
    for (program, writes_file) in [("cadical", false), ("minisat", true), ("picosat", false)] {
        if !on_path(program) {
            eprintln!("SKIPPED: `{program}` is not on PATH");
            continue;
        }
        tried += 1;
        let mut command = Command::new(program);
        command.arg(&cnf);
        if writes_file {
            command.arg(&out);
        }
        let output = command.output().expect("the solver runs");
        if !writes_file {
            fs::write(&out, &output.stdout).expect("written");
        }
        let decoded = sokoban("decode", &["--horizon", "6", &out], level);
        assert_eq!(code(&decoded), 0, "{program}: {}{}", stdout(&decoded), stderr(&decoded));
        let backend =
            if writes_file { "minisat {cnf} {out}".into() } else { format!("{program} {{cnf}}") };
        // With a greatest horizon the solver is alone: the plan is its own.
        let asked = ["--engine", "sat", "--backend", &backend, "--max-horizon", "9", "--json"];
        let solved = sokoban("solve", &asked, level);
        assert_eq!(code(&solved), 0, "{program}: {}", stderr(&solved));
        assert_eq!(json(&solved)["optimal"], true, "{program}");
    }
    if tried == 0 {
        eprintln!("SKIPPED: no outside SAT solver on PATH");
    }
    let forged = "s SATISFIABLE\nv 1 2 3 0\n";
    fs::write(&out, forged).expect("written");
    assert_eq!(code(&sokoban("decode", &["--horizon", "6", &out], level)), 1);
    fs::write(&out, "s UNSATISFIABLE\n").expect("written");
    assert_eq!(code(&sokoban("decode", &["--horizon", "6", &out], level)), 21);
}

#[test]
fn dimspec_has_its_four_sections() {
    let output = sokoban("export", &["--format", "dimspec", "--objective", "moves"], EASY);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    for section in ["i cnf", "u cnf", "g cnf", "t cnf"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(section)).count(), 1, "{section}");
    }
}

#[test]
fn wcnf_has_hard_clauses_and_one_soft_one_a_step() {
    let output = sokoban("export", &["--format", "wcnf", "--horizon", "3"], EASY);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(lines("1 "), 3);
    assert_eq!(lines("h ") + lines("c ") + 3, text.lines().count());
    assert_eq!(code(&sokoban("export", &["--format", "wcnf"], EASY)), 2);
    assert_eq!(code(&sokoban("export", &["--format", "wcnf", "--horizon", "3999999999"], EASY)), 2);
}

#[test]
fn batches_go_on_after_faults_and_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let log = log.to_str().expect("plain");
    let collection = format!("{EASY}\nTitle: one\n\n#####\n#@ .#\n#####\n\n{STUCK}\n");
    let first = sokoban("solve", &["--log", log], &collection);
    let table = stdout(&first);
    assert!(table.contains("moves/pushes") && table.contains("unsolvable"), "{table}");
    assert_eq!(code(&first), 20, "that of the first level not solved: {}", stderr(&first));
    let lines = fs::read_to_string(log).expect("written").lines().count();
    let second = sokoban("solve", &["--log", log], &collection);
    assert_eq!(fs::read_to_string(log).expect("written").lines().count(), lines);
    assert!(table.starts_with("<stdin>\n"), "{table}");
    let verdicts = |table: &str| {
        let rows = table.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let words = rows.map(|row| row.split_whitespace().take(3).collect::<Vec<_>>().join(" "));
        words.take(3).collect::<Vec<String>>()
    };
    assert_eq!(verdicts(&stdout(&second)), verdicts(&table), "the same table");
    let totals = "3 levels: 2 solved (all optimal), 1 unsolvable, 3 of them from the store";
    assert!(stdout(&second).contains(totals), "{}", stdout(&second));
    assert_eq!(code(&second), 20);
}

#[test]
fn help_has_examples_for_every_command() {
    let program = |arguments: &[&str]| stdout(&unstuck(arguments, ""));
    assert!(program(&["--help"]).contains("Exit codes"));
    for command in ["solve", "export", "decode", "replay", "list", "bench"] {
        let help = program(&[command, "--help"]);
        assert!(help.contains("Examples:"), "{command}: {help}");
    }
}

#[test]
fn nothing_but_data_on_standard_output() {
    let output = sokoban("solve", &["--quiet"], EASY);
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("R\n", ""));
}

#[test]
fn backends_are_listed_with_what_they_can_do() {
    let output = unstuck(&["backends", "varisat", "--json"], "");
    let printed = json(&output);
    assert_eq!((&printed["backend"], &printed["built_in"]), (&"varisat".into(), &true.into()));
    assert_eq!(printed["assumptions"], true);
    assert!(printed["proofs"].as_array().is_some_and(|proofs| !proofs.is_empty()), "{printed}");
    assert!(stdout(&unstuck(&["backends"], "")).starts_with("varisat\n"));
    let output = unstuck(&["backends", "no-such-solver {cnf}"], "");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no-such-solver"), "{}", stderr(&output));
}

#[test]
fn bench_makes_a_table_and_resumes() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("easy.xsb"), EASY).expect("written");
    let results = folder.path().join("results.jsonl");
    let run = |format: &str| {
        let path = |p: &Path| p.to_str().expect("plain").to_owned();
        let (levels, results) = (path(folder.path()), path(&results));
        let output = unstuck(
            &[
                "bench",
                &format!("{levels}/easy.xsb"),
                "--engine",
                "sat",
                "--engine",
                "search",
                "--log",
                &results,
                "--format",
                format,
            ],
            "",
        );
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let text = run("text");
    assert!(
        text.contains("sat: 1 level: 1 solved (all optimal)")
            && text.contains("search: 1 level: 1 solved")
    );
    assert_eq!(fs::read_to_string(&results).expect("rows").lines().count(), 2);
    let rows: Value = serde_json::from_str(&run("json")).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert!(run("csv").starts_with("file,number,variant"));
}

#[test]
fn bench_keeps_columns_apart_and_says_where_no_formula_was_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("easy.xsb"), EASY).expect("written");
    let level = folder.path().join("easy.xsb");
    let results = folder.path().join("results.jsonl");
    let (level, results) = (level.to_str().expect("plain"), results.to_str().expect("plain"));
    let bench = |options: &[&str]| {
        let output = unstuck(&[&["bench", level, "--engine", "sat"], options].concat(), "");
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    // Plan and bound meet: what the formula lacks makes no difference.
    let printed = bench(&["--without", "", "--without", "idle-last"]);
    assert!(printed.contains("sat -idle-last vs sat: solved 1/1 and 1/1"), "{printed}");
    assert!(printed.ends_with("; no level needed a formula\n"), "{printed}");
    assert!(!bench(&[]).contains(" vs "), "one column has nothing to be compared with");
    let tunes = ["--tune", "search_solo=500", "--tune", "search_solo=600", "--log", results];
    let printed = bench(&tunes);
    assert!(
        printed.contains("sat search_solo=600 vs sat search_solo=500: solved 1/1"),
        "{printed}"
    );
    assert_eq!(fs::read_to_string(results).expect("rows").lines().count(), 2);
}
