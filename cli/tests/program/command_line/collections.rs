//! Questions about whole collections.

use super::{EASY, STUCK, TestFolder, own};

/// One level with two shortest plans, one that is stuck, one with a fault, one with one plan.
fn collection(place: &TestFolder) {
    let two = "#######\n#     #\n#. $ .#\n#  @  #\n#######\n";
    let text =
        format!("{two}; two ways\n\n{STUCK}; stuck\n\n##\n#@$\n; fault\n\n{EASY}; one way\n");
    place.write("all.xsb", &text);
}

#[test]
fn plans_are_counted_level_by_level() {
    let place = TestFolder::new();
    collection(&place);
    let table = place.run("enumerate all.xsb").ends(2).complains("all.xsb");
    let rows: Vec<Vec<&str>> = table.out.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["level", "optimum", "plans"]);
    let of = |name: &str| {
        let row = rows.iter().find(|row| row.join(" ").starts_with(name));
        row.unwrap_or_else(|| panic!("{name}: {}", table.out)).clone()
    };
    assert_eq!(of("stuck")[1..], ["none", "0"]);
    assert_eq!(of("one way")[2..], ["1", "1"]);
    assert!(of("two ways")[3].parse::<u32>().expect("a number") > 1, "{}", table.out);
    // A row says what the level alone says.
    for (number, code) in [(1, 0), (2, 20), (3, 2), (4, 0)] {
        place.run(&format!("enumerate all.xsb --level {number} -q")).ends(code);
    }
    // Programs get an object for each, the fault among them.
    let objects = place.objects("enumerate all.xsb", 2);
    let plans: Vec<_> = objects.iter().map(|it| it["optimal_plans"].as_u64()).collect();
    assert_eq!(plans.len(), 4);
    assert_eq!((plans[1], plans[2], plans[3]), (Some(0), None, Some(1)));
    assert_eq!(objects[2]["exit"], 2);
}

#[test]
fn other_questions_have_tables_too() {
    let place = TestFolder::new().with("a.xsb", &format!("{EASY}; easy\n\n{STUCK}; stuck\n"));
    let rows = |line: &str, code: i32| -> Vec<Vec<String>> {
        let out = place.run(line).ends(code).out;
        out.lines().map(|l| l.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let needed = rows("needed a.xsb --kind box", 0);
    assert_eq!(needed[0][1..], ["optimum", "parts", "needed", "no", "use", "unknown"]);
    assert_eq!(needed[1], ["easy", "1", "1", "1", "0", "0"]);
    assert_eq!((needed[2][0].as_str(), needed[2][1].as_str()), ("stuck", "none"));
    let explained = rows("explain a.xsb", 20);
    assert_eq!(explained[1], ["easy", "yes", "-", "-"]);
    assert_eq!((explained[2][1].as_str(), explained[2][3].as_str()), ("no", "yes"));
    let forced = rows("forced a.xsb", 20);
    assert_eq!(forced[1], ["easy", "yes", "1", "-"]);
    assert_eq!(forced[2], ["stuck", "no", "?", "-"]);
    // Without the heads for those who want the bare answers.
    assert_eq!(rows("forced a.xsb -q", 20).len(), 2);
}

#[test]
fn files_are_called_what_they_are() {
    let place = TestFolder::new().with("a.xsb", EASY).with("empty.xsb", "\n \n");
    place.run("solve a.xsb --record out.slc").ends(2).complains("expect XML");
    assert!(!place.path("out.slc").exists());
    place.run("solve empty.xsb").ends(2).complains("the file is empty");
    place.run("solve a.xsb -l 3").ends(2).complains("there is only one");
    place.run("export a.xsb --horizon 1 -o a.cnf").ends(0);
    place.write("model", "s SATISFIABLE\n");
    place.run("decode a.cnf model").ends(1).complains("no literals");
    let list = place.run(&format!("list {}", own("snowman/exact-change.snowman"))).ends(0);
    assert!(list.out.contains(" balls") && !list.out.contains("grow"), "{}", list.out);
    let listed = place.run(&format!("list {} --json", own("sokobond/two-waters.sokobond")));
    listed.says("\"free_electrons\":6");
    #[cfg(unix)]
    place.run("solve /dev/zero").ends(2).complains("larger than 256 MiB");
}

#[test]
fn a_level_of_a_collection_keeps_its_number_where_it_is_listed_alone() {
    let place = TestFolder::new();
    let two = format!("{EASY}\n{STUCK}");
    place.write("a.xsb", &two).write("b.xsb", &two).write("c.xsb", EASY).write("d.xsb", EASY);
    let listed = place.run("list a.xsb b.xsb -l 2").ends(0).out;
    assert_eq!(listed.lines().filter(|line| line.starts_with("2 ")).count(), 2, "{listed}");
    // Where there is no other level, the file is enough.
    let listed = place.run("list c.xsb d.xsb").ends(0).out;
    assert!(listed.starts_with("./\n") && listed.contains("\nc.xsb"), "{listed}");
}

#[test]
fn what_works_on_one_level_is_refused() {
    let place = TestFolder::new();
    collection(&place);
    for (line, option) in [
        ("enumerate all.xsb --after r", "--after"),
        ("needed all.xsb --svg a.svg", "--svg"),
        ("explain all.xsb --certificate c", "--certificate"),
    ] {
        place.run(line).ends(2).complains(option).complains("--level N");
    }
    assert!(!place.path("a.svg").exists() && !place.path("c").exists());
}

#[test]
fn the_answer_of_the_puzzle_of_the_day_is_seen_at_once() {
    let place = TestFolder::new().with("day15.txt", "#####\n#@O.#\n#####\n\n>>\n");
    // One box, one row down and three columns to the right; the second instruction is blocked.
    place.run("replay day15.txt -q").says("score: 103\n");
    place.run("solve day15.txt").complains("as recorded in the file: score 103");
    assert!(!place.run("solve day15.txt -q").err.contains("score"));
    // Where instructions are many, a shorter way may not be found in any time.
    place.run("solve day15.txt").complains("for 10 s a shorter way to the same end is looked for");
    place.run("--color never solve day15.txt").complains("for 10 s a shorter way");
    for line in [
        "solve day15.txt --timeout 1",
        "solve day15.txt --explain-schedule",
        "solve day15.txt -q",
        "solve day15.txt --json",
    ] {
        assert!(!place.run(line).err.contains("shorter way"), "{line}");
    }
}

#[test]
fn options_of_another_family_are_one_fault_however_many_files_there_are() {
    let place = TestFolder::new();
    std::fs::create_dir(place.path("levels")).expect("made");
    for name in ["a.xsb", "b.xsb", "c.xsb"] {
        place.write(&format!("levels/{name}"), EASY);
    }
    for line in ["solve levels --touch never", "list levels --touch never"] {
        let printed = place.run(line).ends(2);
        assert_eq!(printed.err.matches("error:").count(), 1, "{}", printed.err);
    }
    let printed = place.run("solve levels --store run --touch never").ends(2);
    assert_eq!(printed.err.matches("error:").count(), 1, "{}", printed.err);
}

#[test]
fn levels_come_in_the_order_of_their_files() {
    let place = TestFolder::new();
    std::fs::create_dir_all(place.path("levels/a")).expect("made");
    place.write("z.xsb", EASY).write("levels/b.xsb", EASY).write("levels/notes.md", "Words.\n");
    place.write("levels/a/c.xsb", &format!("{EASY}\n; two\n{EASY}")).write("a.xsb", EASY);
    let listed = place.run("list z.xsb levels a.xsb --json").ends(0);
    let files = listed.objects().into_iter().map(|it| format!("{} {}", it["file"], it["number"]));
    let wanted = ["z.xsb", "levels/a/c.xsb", "levels/a/c.xsb", "levels/b.xsb", "a.xsb"];
    let numbers = [1, 1, 2, 1, 1];
    let wanted = wanted.iter().zip(numbers).map(|(file, number)| format!("\"{file}\" {number}"));
    assert_eq!(files.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    listed.complains("1 file skipped: not level files: notes.md");
    let printed = place.run("solve levels --puzzle flow").ends(2);
    printed.complains("levels: no level in this folder").complains("notes.md");
}
