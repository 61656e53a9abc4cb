//! Nothing ignored.

use super::{COLLECTION, EASY, STUCK, TestFolder};

const RING: &str = "A.\nA.\n";

#[test]
fn options_that_do_not_apply_are_refused_with_advice() {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("b.sok", COLLECTION).write("f.flow", RING);
    for (line, what) in [
        ("solve a.xsb --count 3", "--count"),
        ("solve f.flow --horizon 3", "--horizon"),
        ("solve f.flow --max-horizon 3", "--max-horizon"),
        ("solve f.flow --stages", "--stages"),
        ("solve f.flow --engine search", "--engine"),
        ("solve f.flow --film x.gif", "--film"),
        ("solve f.flow --record x", "--record"),
        ("solve f.flow --compare", "--compare"),
        ("solve a.xsb --compare", "--compare"),
        ("solve a.xsb --touch never", "touch"),
        ("solve b.sok --svg x.svg", "--svg"),
        ("solve b.sok --film x.gif", "--film"),
        ("solve a.xsb --moves", "--moves"),
        ("solve a.xsb --engine search --backend varisat", "--backend"),
        ("solve a.xsb --engine search --without push", "--without"),
        ("solve a.xsb --film x.avi", "x.avi"),
        ("solve a.xsb --film x.gif --speed 0", "--speed"),
        ("export f.flow --format dimspec", "--format"),
        ("export a.xsb --horizon 1 --cuts", "--cuts"),
        ("export f.flow --horizon 1", "--horizon"),
        ("export b.sok --horizon 1", "standard output"),
        ("export a.xsb", "missing `--horizon`"),
        ("export a.xsb --horizon 1 --reading strict", "no reading"),
        ("replay f.flow --film x.gif A:", "--film"),
        ("prove a.xsb -o c --objective any", "--objective"),
        ("prove f.flow -o c --evidence closed", "--evidence"),
        ("prove a.xsb -o c --evidence horizon --lrat", "--lrat"),
        ("prove a.xsb -o c --horizon 1..3", "horizon"),
        ("prove a.xsb -o -", "folder"),
        ("replay b.sok R", "expected a single level"),
        ("generate sokoban --backend varisat", "solver"),
        ("generate flow --at-least 9", "no moves"),
        ("forced a.xsb --backend varisat", "solver"),
        ("difficulty a.xsb --backend varisat", "solver"),
        ("lock a.xsb --without nonsense -o x", "nonsense"),
        ("lock a.xsb --count 2 -o x", "--count"),
        ("bench a.xsb --engine sat --without nonsense", "nonsense"),
        ("bench a.xsb --engine sat --backend nonsense", "nonsense"),
    ] {
        let printed = place.run(line).ends(2).complains(what).complains("help");
        assert!(printed.out.is_empty(), "nothing is done before: {printed}");
    }
    for left in ["x", "x.svg", "x.gif", "c"] {
        assert!(!place.has(left), "{left} was written");
    }
}

#[test]
fn names_of_rules_and_solvers_are_checked_when_they_are_named() {
    let place = TestFolder::new().with("a.xsb", EASY).with("s.xsb", STUCK);
    // Solved by search at once, and unsolvable by the bound: neither would use them.
    for file in ["a.xsb", "s.xsb"] {
        let printed = place.run(&format!("solve {file} --without one-psuh")).ends(2);
        printed.complains("no rule `one-psuh`").complains("did you mean `one-push`?");
        let printed = place.run(&format!("solve {file} --backend no-such-solver")).ends(2);
        printed.complains("program `no-such-solver` not found");
        place.run(&format!("prove {file} -o c --without nonsense")).ends(2).complains("nonsense");
    }
    place.run(r#"solve a.xsb --backend "'not closed""#).ends(2).complains("quote");
    // `true` is a program everywhere, if no solver: its command says nothing of the formula.
    place.run("solve a.xsb --backend true").ends(0).complains("has no {cnf}");
    place.run("export a.xsb --horizon 1 --without nonsense").ends(2).complains("nonsense");
}

#[test]
fn comma_lists_mean_the_same_everywhere() {
    let place = TestFolder::new().with("a.xsb", EASY);
    let rules = |printed: &str| printed.lines().filter(|l| l.starts_with("c rule ")).count();
    let export = |extra: &str| place.run(&format!("export a.xsb --horizon 2 {extra}")).ends(0).out;
    let clauses = |printed: &str| {
        let header = printed.lines().find(|line| line.starts_with("p cnf")).expect("a header");
        header.split_whitespace().last().map(str::to_owned)
    };
    let apart = export("--without one-push --without goal-count");
    let listed = export("--without one-push,goal-count");
    assert_eq!((rules(&apart), clauses(&apart)), (rules(&listed), clauses(&listed)));
    assert_ne!(clauses(&listed), clauses(&export("")));
    // A rule of later horizons only, where shorter plans were ruled out.
    place.run("solve a.xsb --engine sat --without not-shorter").ends(0);
    place.run("solve a.xsb --engine sat --without one-push,nonsense").ends(2).complains("nonsense");
    let bench = "bench a.xsb --engine sat,search --without one-push,goal-count --format csv";
    let printed = place.run(bench).ends(0);
    assert_eq!(printed.out.lines().count(), 3, "{}", printed.out);
    assert!(printed.out.contains("-goal-count,one-push"), "{}", printed.out);
}

#[test]
fn levels_are_chosen_by_number_range_title_and_part() {
    let place = TestFolder::new().with("a.sok", COLLECTION);
    let titles = |selection: &str| {
        let objects = place.objects(&format!("list a.sok -l '{selection}'"), 0);
        let titles = objects.into_iter().map(|o| o["title"].as_str().map(str::to_owned));
        titles.map(Option::unwrap_or_default).collect::<Vec<_>>().join("|")
    };
    assert_eq!(titles("2"), "Second steps");
    assert_eq!(titles("3"), "3");
    assert_eq!(titles("=3"), "3");
    assert_eq!(titles("1-2"), "First steps|Second steps");
    assert_eq!(titles("1,3"), "First steps|3");
    assert_eq!(titles("2-"), "Second steps|3");
    assert_eq!(titles("Second steps"), "Second steps");
    assert_eq!(titles("second"), "Second steps");
    for (wrong, part) in
        [("steps", "a part of 2 titles"), ("4", "no level 4"), ("x", "no level `x`"), ("0", "0")]
    {
        place.run(&format!("list a.sok -l {wrong}")).ends(2).complains(part);
    }
    place.run("list a.sok -l 3-1").ends(2).complains("not a range");
}

#[test]
fn folders_are_taken_where_files_are() {
    let place = TestFolder::new();
    std::fs::create_dir_all(place.path("levels/deep")).expect("made");
    place.write("levels/a.xsb", EASY).write("levels/deep/b.sok", COLLECTION);
    place.write("levels/notes.md", "Dear reader, this is no level.\n").write("levels/.x.xsb", EASY);
    let printed = place.run("solve levels").ends(0).says("4 levels: 4 solved");
    printed.complains("notes.md");
    place.run("list levels").ends(0).says("levels/a.xsb").says("levels/deep/b.sok");
    place.run("list levels -q").ends(0).says("Second steps");
    place.run("solve levels --puzzle flow").ends(2).complains("no level in this folder");
}

#[test]
fn times_sizes_and_horizons_have_units_and_ranges() {
    let place = TestFolder::new().with("a.xsb", "#######\n#@ $ .#\n#######\n");
    for good in ["90", "10m", "1.5", "1h30m", "500ms"] {
        place.run(&format!("solve a.xsb --timeout {good} --memory 2G")).ends(0);
    }
    for bad in ["--timeout ten", "--timeout -1", "--memory some", "--horizon 5..2", "--horizon x"] {
        place.run(&format!("solve a.xsb {bad}")).ends(2);
    }
    let sweep = place.objects("solve a.xsb --horizon 0..3", 0);
    let verdicts: Vec<_> = sweep.iter().map(|o| o["verdict"].as_str().unwrap_or("")).collect();
    let none = "no-solution-within";
    assert_eq!(verdicts, [none, none, "solved", "solved"]);
    place.run("solve a.xsb --horizon 0..1").ends(21).says("none within 1");
    place.run("solve a.xsb --horizon 0..3").ends(0).says("none within 1").says("optimal");
}

#[test]
fn many_questions_and_certificates_go_into_a_folder() {
    let place = TestFolder::new().with("a.sok", COLLECTION);
    place.run("export a.sok --horizon 1..2 -o out").ends(0);
    let names: Vec<_> = std::fs::read_dir(place.path("out")).expect("a folder").collect();
    assert_eq!(names.len(), 3 * 2 * 2, "a formula and a map for each level and horizon");
    assert!(place.has("out/a-2-second-steps-h1.cnf.map.json"));
    place.run("export a.sok --horizon 1..2 -o out").ends(2).complains("already exists");
    place.run("export a.sok --horizon 1..2 -o out --force").ends(0);
    place.run("prove a.sok -l 1-2 -o proofs").ends(0).says("certified");
    place.run("check proofs/a-1-first-steps").ends(0);
    place.run("check proofs/a-2-second-steps").ends(0);
}

#[test]
fn decode_takes_everything_from_the_map() {
    let place = TestFolder::new().with("a.xsb", EASY);
    place.run("export a.xsb --horizon 1 --objective moves --without nonsense").ends(2);
    place.run("export a.xsb --horizon 1 --objective moves -o a.cnf").ends(0);
    place.write("unsat.txt", "s UNSATISFIABLE\n").write("unknown.txt", "s UNKNOWN\n");
    place.run("decode a.cnf unsat.txt").ends(21).says("no solution within 1 move");
    place.run("decode a.cnf.map.json unknown.txt").ends(30);
    let refused = place.run("decode a.cnf unsat.txt --horizon 2").ends(2);
    refused.complains("already given by the formula's map");
    // A model made by hand: the solver that is built in is asked through solve, so take its own.
    let horizon = place.object("solve a.xsb --engine sat --objective moves --horizon 1", 0);
    assert_eq!(horizon["solution"]["moves"], "R");
    place.write("broken.map.json", "{}");
    place.run("decode broken.map.json unsat.txt").ends(2).complains("another version");
    let huge = place.read("a.cnf.map.json").replace("\"horizon\":1", "\"horizon\":4294967296");
    place.write("huge.map.json", &huge);
    place.run("decode huge.map.json unsat.txt").ends(2).complains("horizon: invalid value");
}

#[test]
fn no_solution_of_a_flow_board_has_one_exit_code_everywhere() {
    let place = TestFolder::new();
    // Two pairs that must cross.
    place.write("f.flow", "AB\nBA\n").write("unsat.txt", "s UNSATISFIABLE\n");
    place.run("solve f.flow").ends(20).says("unsolvable");
    place.run("prove f.flow -o c").ends(20).says("unsolvable");
    place.run("export f.flow --touch allow -o f.cnf").ends(0);
    place.run("decode f.cnf unsat.txt").ends(20).says("no solution");
    place.run("decode f.flow --touch allow unsat.txt").ends(20);
}

#[test]
fn what_an_engine_cannot_say_anything_about_is_refused_before_any_work() {
    let place = TestFolder::new().with("a.flow", RING).with("b.flow", "A.A\n");
    let batch = place.run("solve a.flow b.flow --engine search").ends(2);
    assert!(batch.out.is_empty(), "{}", batch.out);
    batch.complains("--engine: flow has no moves to search through").complains("`--engine sat`");
    place.run("solve a.flow --store run --engine search").ends(2).complains("--engine");
}

#[test]
fn a_game_with_constraints_is_filmed_as_any_other() {
    let place = TestFolder::new().with("a.xsb", EASY);
    let line = "solve a.xsb --require 'box 2,4'";
    place.run(&format!("{line} --film a.gif --png a.png")).ends(0).says("solved");
    assert!(place.has("a.gif") && place.has("a.png"));
    for option in ["--engine=auto", "--threads=1", "--stages", "--improve"] {
        let printed = place.run(&format!("{line} {option}")).ends(2);
        printed.complains("a game with constraints is solved by explicit search");
    }
}

#[test]
fn a_broken_level_among_others_is_a_fault_and_a_letter_is_none() {
    let place = TestFolder::new();
    std::fs::create_dir(place.path("levels")).expect("made");
    place.write("levels/a.txt", EASY).write("levels/b.txt", EASY);
    place.write("levels/letter.txt", "Dear reader,\nthese are two levels.\n");
    place.run("solve levels").ends(0).says("2 solved").complains("letter.txt");
    // Without a player no family takes it for its own; its neighbours tell whose it is.
    place.write("levels/c.txt", "#####\n# $.#\n#####\n");
    let printed = place.run("solve levels").ends(2).says("2 solved").says("1 not read");
    printed.complains("levels/c.txt").complains("player");
    // Without neighbours its rows do; what is for programs is no level, whatever it looks like.
    std::fs::create_dir(place.path("mixed")).expect("made");
    place.write("mixed/a.sok", EASY).write("mixed/bad.txt", "#####\n#@$?#\n#####\n");
    place.write("mixed/pairs.json", "{\n  \"A\": \"B\",\n  \"B\": \"A\"\n}\n");
    let printed = place.run("solve mixed").ends(2).says("1 solved").says("1 not read");
    printed.complains("mixed/bad.txt:2:4").complains("1 file skipped: not level files: pairs.json");
}

#[test]
fn formulas_say_what_is_known_of_their_answer() {
    let place = TestFolder::new();
    place
        .write("s.sok", "########\n#@ $  .#\n########\n\nSolution 4/3\nrRRR\n")
        .write("a.xsb", EASY);
    for (horizon, code, known) in [
        (1, 21, "c status UNSATISFIABLE (no solution takes fewer than 3 pushes)"),
        (2, 21, "c status UNSATISFIABLE"),
        (3, 0, "c status SATISFIABLE (the file records a solution in 3 pushes)"),
        (9, 0, "c status SATISFIABLE"),
    ] {
        place.run(&format!("export s.sok --horizon {horizon}")).ends(0).says(known);
        place.run(&format!("solve s.sok --engine sat --horizon {horizon}")).ends(code);
    }
    // Nothing is said where nothing shows it, or where rules are left out.
    for line in ["a.xsb --horizon 9", "s.sok --horizon 2 --defining-only"] {
        assert!(!place.run(&format!("export {line}")).ends(0).out.contains("c status"), "{line}");
    }
}

#[test]
fn the_examples_of_generators_make_levels() {
    let place = TestFolder::new();
    place.write("level.xsb", "#######\n#     #\n#@$ . #\n#  $ .#\n#######\n");
    let help = place.run("generate --help").ends(0).out;
    let examples = help.lines().filter_map(|line| line.trim().strip_prefix("unstuck "));
    let examples: Vec<&str> = examples.filter(|line| line.starts_with("generate ")).collect();
    assert!(examples.len() >= 6, "{help}");
    for example in examples {
        place.run(example).ends(0);
    }
}

#[test]
fn a_misspelt_option_is_not_answered_by_leave_to_replace_files() {
    let place = TestFolder::new();
    let printed = place.run("solve a.xsb --trace").ends(2).complains("unexpected argument");
    assert!(!printed.err.contains("--force"), "{}", printed.err);
    place.run("solve a.xsb --forse").ends(2).complains("'--force'");
}

#[test]
fn files_of_generated_levels_make_a_collection() {
    let place = TestFolder::new();
    place.run("generate sokoban --boxes 1 --count 2 -o gen.xsb").ends(0);
    place.run("list gen.xsb --json").ends(0).says("\"recorded\":1").objects();
    place.run("replay gen.xsb --level 2").ends(0).says("valid: solved");
    // A file of Flow holds one board.
    let line = "generate flow --width 4 --height 4 --colours 3 --count 2 -o g.flow";
    place.run(line).ends(0).complains("written: g-1.flow to g-2.flow");
    place.run("list g-1.flow g-2.flow").ends(0);
    place.run("solve g-1.flow g-2.flow").ends(0);
}

#[test]
fn a_transition_system_has_no_map() {
    let place = TestFolder::new().with("a.xsb", EASY).with("answer", "s SATISFIABLE\n");
    place.run("export a.xsb --format dimspec -o a.dimspec").ends(0);
    place.run("decode a.dimspec answer").ends(2).complains("transition system");
    place.run("export a.xsb --format wcnf --horizon 2 -o a.wcnf").ends(0);
    place.run("decode a.wcnf answer").ends(2).complains("a question for MaxSAT");
}

#[test]
fn a_task_for_planners_is_read_again_and_so_are_their_plans() {
    let place = TestFolder::new().with("a.xsb", EASY).with("a.flow", "AA\n");
    place.run("export a.xsb --format pddl -o a.pddl --json").ends(0).says("a.pddl.domain.pddl");
    place.run("export a.xsb --format pddl -o a.pddl").ends(2).complains("already exists");
    // A domain has no levels of its own.
    place.run("solve a.pddl.domain.pddl a.pddl").ends(0).says("no solution has fewer pushes");
    place.run("export a.xsb --format pddl").ends(0).says("(define (problem level)");
    let moves = place.run("solve a.pddl -q").ends(0).out.trim().to_owned();
    let action = |letter: char| {
        let name = if letter.is_uppercase() { "push-to-goal" } else { "move" };
        let along = match letter.to_ascii_lowercase() {
            'u' => "up",
            'd' => "down",
            'l' => "left",
            _ => "right",
        };
        format!("({name} player-1 dir-{along})\n")
    };
    let plan: String = moves.chars().map(action).collect();
    place.write("sas_plan", &format!("{plan}; cost = 1 (general cost)\n"));
    place.run("replay a.xsb --moves @sas_plan").ends(0).says("valid: solved");
    place.run("export a.flow --format pddl").ends(2).complains("--format");
    place.run("export a.xsb --format pddl --horizon 3").ends(2).complains("--horizon");
}

#[test]
fn uniqueness_names_the_reading_for_which_it_holds() {
    let place = TestFolder::new().with("a.flow", "A.A\nB.B\n").with("b.flow", "AA\nBB\n");
    for (line, said) in [
        ("solve a.flow b.flow", "solved, unique [no self-touch, every cell on a path]"),
        ("difficulty a.flow b.flow", "level [no self-touch, every cell on a path]"),
        ("difficulty a.flow --touch allow", "level [self-touch allowed (as asked), every"),
    ] {
        place.run(line).ends(0).says(said);
    }
}

#[test]
fn a_doubt_about_a_legend_names_the_option_that_settles_it() {
    let place = TestFolder::new().with("a.snowman", "--------\n-2--1-4-\n----+---\nXXX#XXXX\n");
    place.run("list a.snowman").ends(0).complains("`--legend author`");
    let settled = place.run("list a.snowman --legend author");
    assert!(!settled.err.contains("--legend"), "{}", settled.err);
}
