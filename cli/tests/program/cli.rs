//! The program as its users run it: exit codes, what is printed where, files, limits.

use crate::levels::{EASY, ENDLESS, STUCK};
use crate::on_path;
#[cfg(unix)]
use crate::store_folder::signal;
use crate::test_folder::{CommandOutput, TestFolder};
#[cfg(unix)]
use crate::wait::Conversation;
use serde_json::Value;
use std::fs;
#[cfg(unix)]
use std::io::Write;
use std::process::{Command, Stdio};
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{Answer, Backend};
use unstuck::formula::dimacs::CnfReader;
use unstuck::formula::{ClauseList, Clauses};
use unstuck::limits::Limits;

/// Runs a command on a level of Sokoban that is piped in.
fn sokoban(line: &str, level: &str) -> CommandOutput {
    let (command, options) = line.split_once(' ').unwrap_or((line, ""));
    TestFolder::new().fed(&format!("{command} - --puzzle sokoban {options}"), level)
}

#[test]
fn exit_codes_say_what_was_shown() {
    for engine in ["auto", "sat", "search"] {
        let solved = sokoban(&format!("solve --engine {engine} --json"), EASY).ends(0);
        let value = &solved.objects()[0];
        assert_eq!((&value["verdict"], &value["optimal"]), (&"solved".into(), &true.into()));
        assert_eq!((value["lower"].as_u64(), value["upper"].as_u64()), (Some(1), Some(1)));
        assert_eq!(value["solution"]["moves"], "R");
    }
    sokoban("solve", STUCK).ends(20);
    let within = "#######\n#@ $ .#\n#######\n";
    for engine in ["sat", "search", "auto"] {
        let line = format!("solve --engine {engine}");
        let none = sokoban(&format!("{line} --horizon 1 --json"), within).ends(21);
        assert_eq!(none.objects()[0]["horizon"], 1);
        sokoban(&format!("{line} --horizon 2"), within).ends(0);
        sokoban(&format!("{line} --max-horizon 1"), within).ends(21);
    }
}

#[test]
fn objectives_are_distinguished() {
    for objective in ["any", "pushes", "pushes,moves", "moves", "moves,pushes"] {
        for engine in ["auto", "sat", "search"] {
            let line = format!("solve --objective {objective} --engine {engine} --json");
            let output = sokoban(&line, EASY).ends(0);
            assert_eq!(output.objects()[0]["objective"], objective);
        }
    }
    sokoban("solve --objective pulls", EASY).ends(2);
}

#[test]
fn bad_input_names_its_place_and_the_way_out() {
    let two = sokoban("solve", "#####\n#@$.#\n#@  #\n#####\n").ends(2);
    two.complains(":3:2:").complains("  ^").complains("help");
    for nonsense in ["", "hello", "\0\0\0", "####\n"] {
        sokoban("solve", nonsense).ends(2);
    }
    let place = TestFolder::new();
    place.run("solve no-such-file.xsb").ends(2);
    place.run("solve").ends(2);
    for options in ["--timeout -1", "--backend no-such-solver --engine sat", "--level 2"] {
        sokoban(&format!("solve {options}"), EASY).ends(2);
    }
}

#[test]
fn replay_says_at_which_move_a_wrong_string_fails() {
    sokoban("replay R", EASY).ends(0);
    sokoban("replay RR", EASY).ends(1).says("move 2");
    sokoban("replay l", EASY).ends(1);
    sokoban("replay x", EASY).ends(2);
    let unsolved = sokoban("replay --json r", "#######\n#@  $.#\n#######\n").ends(1);
    let replay = &unsolved.objects()[0]["replays"][0];
    assert_eq!(replay["fault"]["rule"], "not-solved");
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
                let asked = format!("solve --engine {engine} --objective {objective}");
                let output = sokoban(&format!("{asked} --timeout {seconds} --json"), ENDLESS);
                (output.objects().remove(0), output)
            };
            let enough = |(value, _): &(Value, _)| value["lower"].as_u64() > Some(0);
            let found = [1, 8, 64].into_iter().map(run).find(enough);
            let (value, output) = found.expect("some limit is enough");
            // With a plan that is not known to be shortest, or without one.
            let wanted = if value["solution"].is_null() { 30 } else { 0 };
            output.ends(wanted);
            assert!(engine != "search" || wanted == 30, "{engine} {objective}: {value}");
            assert_ne!(value["optimal"], true, "{engine} {objective}: {value}");
            assert_eq!(value["stopped_by"], "time", "{engine} {objective}");
        }
    }
}

/// The program at work on levels, by search alone, with progress all the time.
#[cfg(unix)]
fn solving(place: &TestFolder, levels: &str, as_json: bool) -> Conversation {
    let mut command = place.command("solve - --puzzle sokoban --engine search --progress 0.1");
    let command = command.args(as_json.then_some("--json")).stdin(Stdio::piped());
    let mut solving = Conversation::start(command);
    solving.stdin().write_all(levels.as_bytes()).expect("written");
    solving
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_the_bounds_so_far() {
    let place = TestFolder::new();
    for as_json in [false, true] {
        let mut solving = solving(&place, ENDLESS, as_json);
        solving.until("at least ");
        // Twice at once, as `timeout` does with a process and its group: that is one request.
        let process = solving.id().to_string();
        let killed = Command::new("kill").args(["-INT", &process, &process]).status();
        assert!(killed.expect("kill runs").success());
        let output = CommandOutput::of(&solving.end()).ends(30);
        let output = output.says("interrupted").says("lower bound");
        if as_json {
            assert_eq!(output.objects()[0]["stopped_by"], "interrupted");
        }
    }
}

/// Without a limit of time no level waits for a harder one: that has another turn after all others.
#[cfg(unix)]
#[test]
fn levels_have_turns_in_rounds() {
    let place = TestFolder::new();
    for as_json in [false, true] {
        let mut solving = solving(&place, &[ENDLESS, EASY, STUCK, ENDLESS].join("\n"), as_json);
        // The second turn of the first, after all others have had one.
        solving.until(" of 8s");
        signal(solving.id(), "-INT");
        let output = CommandOutput::of(&solving.end()).ends(30);
        if as_json {
            let verdict = |value: Value| (value["number"].as_u64(), value["verdict"].to_string());
            let verdicts: Vec<_> = output.objects().into_iter().map(verdict).collect();
            let (open, shut) = ("\"unknown\"", "\"unsolvable\"");
            let wanted = [(2, "\"solved\""), (3, shut), (1, open), (4, open)];
            assert_eq!(verdicts, wanted.map(|(at, verdict)| (Some(at), verdict.to_owned())));
        } else {
            let said = &output.out;
            let places = ["interrupted", "optimal", "unsolvable"].map(|word| said.find(word));
            assert!(places.is_sorted() && places[0].is_some(), "{said}");
            output.says("interrupted: 4 of 4 were looked at");
        }
    }
}

#[test]
fn files_are_never_overwritten_unasked() {
    let place = TestFolder::new().with("level.xsb", EASY);
    let line = "export level.xsb --horizon 1 -o level.cnf";
    place.run(line).ends(0);
    let first = place.read("level.cnf");
    place.run(line).ends(2);
    place.run(&format!("{line} --force")).ends(0);
    assert_eq!(place.read("level.cnf"), first);
    assert!(place.has("level.cnf.map.json"));
    place.run("export level.xsb --horizon 1 -o no/such/folder/level.cnf").ends(2);
}

#[test]
fn loop_cuts_are_exported_by_name() {
    let place = TestFolder::new();
    // Without self-touch only a ring fits on the right, and one on the left: no solution.
    place.write("rings.flow", "..AB..\n..AB..\n");
    let flow = |command: &str, options: &str| {
        place.run(&format!("{command} rings.flow --touch never {options}"))
    };
    let export = |options: &str| {
        let text = flow("export", &format!("--without short-cycle {options}")).ends(0).out;
        let cuts = text.lines().filter(|line| line.starts_with("c cut loop(")).count();
        let mut reader = CnfReader::new(text.as_bytes()).expect("a header");
        let mut clauses = ClauseList::default();
        while let Some(clause) = reader.next_clause().expect("a clause") {
            clauses.add(clause.iter().copied());
        }
        assert!(cuts == 0 || text.contains(&format!("clause {}", clauses.len())), "{text}");
        (cuts, clauses)
    };
    let (cuts, formula) = export("");
    assert_eq!(cuts, 0);
    let Ok(Answer::Sat(model)) = Varisat.solve(&formula, &Limits::none()) else {
        panic!("rings are no paths, but the clauses without cuts allow them")
    };
    let values: Vec<_> = model.lits().map(|lit| lit.to_string()).collect();
    place.write("first.txt", &format!("s SATISFIABLE\nv {} 0\n", values.join(" ")));
    let refused = flow("decode", "--without short-cycle first.txt").ends(1);
    refused.complains("unstuck export --answer");
    let (cuts, cut) = export("--answer first.txt");
    assert_eq!((cuts, cut.len()), (2, formula.len() + 2), "both rings in one round");
    assert_eq!(Varisat.solve(&cut, &Limits::none()), Ok(Answer::Unsat));
    assert_eq!(export("--cuts").0, 2);
    place.write("second.txt", "s UNSATISFIABLE\n");
    flow("export", "--answer second.txt").ends(2);
}

#[test]
fn outside_solvers_answer_exported_questions() {
    let place = TestFolder::new();
    place.write("level.xsb", "#######\n#@ $ .#\n# $  .#\n#     #\n#######\n");
    place.run("export level.xsb --horizon 6 -o level.cnf").ends(0);
    let decode = "decode level.xsb --horizon 6 out.txt";
    for (program, writes_file) in [("cadical", false), ("minisat", true), ("picosat", false)] {
        if !on_path(program) {
            eprintln!("SKIPPED: `{program}` is not on PATH");
            continue;
        }
        let mut command = Command::new(program);
        command.current_dir(place.folder.path()).arg("level.cnf");
        command.args(writes_file.then_some("out.txt"));
        let output = command.output().expect("the solver runs");
        if !writes_file {
            fs::write(place.path("out.txt"), &output.stdout).expect("written");
        }
        place.run(decode).ends(0);
        let backend =
            if writes_file { "minisat {cnf} {out}".into() } else { format!("{program} {{cnf}}") };
        // With a greatest horizon the solver is alone: the plan is its own.
        let line = format!("solve level.xsb --engine sat --backend '{backend}' --max-horizon 9");
        assert_eq!(place.object(&line, 0)["optimal"], true, "{program}");
    }
    place.write("out.txt", "s SATISFIABLE\nv 1 2 3 0\n").run(decode).ends(1);
    place.write("out.txt", "s UNSATISFIABLE\n").run(decode).ends(21);
}

#[test]
fn dimspec_has_its_four_sections() {
    let text = sokoban("export --format dimspec --objective moves", EASY).ends(0).out;
    for section in ["i cnf", "u cnf", "g cnf", "t cnf"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(section)).count(), 1, "{section}");
    }
}

#[test]
fn wcnf_has_hard_clauses_and_one_soft_one_a_step() {
    let text = sokoban("export --format wcnf --horizon 3", EASY).ends(0).out;
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(lines("1 "), 3);
    assert_eq!(lines("h ") + lines("c ") + 3, text.lines().count());
    sokoban("export --format wcnf", EASY).ends(2);
    sokoban("export --format wcnf --horizon 3999999999", EASY).ends(2);
}

#[test]
fn batches_go_on_after_faults_and_resume() {
    let place = TestFolder::new();
    let collection = format!("{EASY}\nTitle: one\n\n#####\n#@ .#\n#####\n\n{STUCK}\n");
    let solve = || place.fed("solve - --puzzle sokoban --log log", &collection);
    // The code is that of the first level not solved.
    let first = solve().ends(20).says("moves/pushes").says("unsolvable");
    assert!(first.out.starts_with("<stdin>\n"), "{first}");
    let lines = place.read("log").lines().count();
    let totals = "3 levels: 2 solved (all optimal), 1 unsolvable, 3 of them from the store";
    let second = solve().ends(20).says(totals);
    assert_eq!(place.read("log").lines().count(), lines);
    let verdicts = |printed: &CommandOutput| {
        let rows =
            printed.out.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let words = rows.map(|row| row.split_whitespace().take(3).collect::<Vec<_>>().join(" "));
        words.take(3).collect::<Vec<String>>()
    };
    assert_eq!(verdicts(&second), verdicts(&first), "the same table");
}

#[test]
fn nothing_but_data_on_standard_output() {
    let output = sokoban("solve --quiet", EASY);
    assert_eq!((output.out.as_str(), output.err.as_str()), ("R\n", ""));
}

#[test]
fn backends_are_listed_with_what_they_can_do() {
    let place = TestFolder::new();
    let printed = place.object("backends varisat", 0);
    assert_eq!((&printed["backend"], &printed["built_in"]), (&"varisat".into(), &true.into()));
    assert_eq!(printed["assumptions"], true);
    assert!(printed["proofs"].as_array().is_some_and(|proofs| !proofs.is_empty()), "{printed}");
    assert!(place.run("backends").out.starts_with("varisat\n"));
    place.run("backends 'no-such-solver {cnf}'").ends(2).complains("no-such-solver");
}

#[test]
fn bench_makes_a_table_and_resumes() {
    let place = TestFolder::new().with("easy.xsb", EASY);
    let run = |format: &str| {
        let line = "bench easy.xsb --engine sat --engine search --log results";
        place.run(&format!("{line} --format {format}")).ends(0)
    };
    let text = run("text").says("sat: 1 level: 1 solved (all optimal)");
    text.says("search: 1 level: 1 solved");
    assert_eq!(place.read("results").lines().count(), 2);
    let rows: Value = serde_json::from_str(&run("json").out).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert!(run("csv").out.starts_with("file,number,variant"));
}

#[test]
fn bench_keeps_columns_apart_and_says_where_no_formula_was_needed() {
    let place = TestFolder::new().with("easy.xsb", EASY);
    let bench =
        |options: &str| place.run(&format!("bench easy.xsb --engine sat {options}")).ends(0);
    // Plan and bound meet: what the formula lacks makes no difference.
    let printed = bench("--without '' --without idle-last");
    let printed = printed.says("sat -idle-last vs sat: solved 1/1 and 1/1");
    assert!(printed.out.ends_with("; no level needed a formula\n"), "{printed}");
    assert!(!bench("").out.contains(" vs "), "one column has nothing to be compared with");
    let printed = bench("--tune search_solo=500 --tune search_solo=600 --log results");
    printed.says("sat search_solo=600 vs sat search_solo=500: solved 1/1");
    assert_eq!(place.read("results").lines().count(), 2);
}
