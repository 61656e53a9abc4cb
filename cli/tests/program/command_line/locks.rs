//! A lock is a store beside a collection: judged, not believed, and compared with the level files; and no
//! file that another file names can hang the program, fill its memory, or lead out of a folder.

use super::{EASY, ENDLESS, STUCK, TestFolder};
use serde_json::{Value, json};
use std::fs;

const LONGER: &str = "######\n#@ $.#\n######\n";

const RESULTS: &str = "unstuck.lock/results-00000.jsonl";

/// Two levels with titles.
fn two() -> String {
    format!("Easy\n\n{EASY}\nLonger\n\n{LONGER}\n")
}

/// A folder with two locked levels, and the lines of the lock.
fn locked() -> (TestFolder, Vec<Value>) {
    let place = TestFolder::new().with("two.xsb", &two());
    place.run("lock two.xsb").ends(0).says("certified");
    let lines = place.values(RESULTS);
    (place, lines)
}

#[test]
fn a_forged_result_is_never_valid() {
    let (place, lines) = locked();
    let valid = "valid: 2 levels, 2 of them certified, 0 changed\n";
    place.soon("check unstuck.lock").ends(0).says(valid);
    let objects = place.objects("check --locked", 0);
    assert!(objects.iter().all(|it| it["verdict"] == "valid" && it["certified"] == true));
    let check = |what: &str, forge: &dyn Fn(&mut [Value])| {
        let mut forged = lines.clone();
        forge(&mut forged);
        place.write_values(RESULTS, &forged);
        place.soon("check unstuck.lock").ends(1).says(what).says("invalid: ");
        place.soon("check unstuck.lock --allow-uncertified").ends(1);
    };
    check("`verdict` is", &|lines| lines[0]["verdict"] = json!("unsolvable"));
    check("there is no solution", &|lines| lines[0]["solution"] = Value::Null);
    check("`upper` is", &|lines| lines[0]["upper"] = json!(0));
    check("the solution is wrong", &|lines| lines[0]["solution"]["moves"] = json!("l"));
    check("certified without", &|lines| lines[0]["certificate"] = Value::Null);
    check("another checksum", &|lines| lines[0]["certificate"]["offset"] = json!(1));
    check("key", &|lines| lines[0]["key"] = json!("0123456789abcdef"));
    check("key", &|lines| lines[0]["question"]["objective"] = json!("moves"));
    check("cannot be read", &|lines| lines[0]["file"] = json!("other.xsb"));
    check("no puzzle", &|lines| lines[0]["puzzle"] = json!("chess"));
    // The results of two levels exchanged: each is about what its own text says.
    check("key", &|lines| {
        let first = lines[0]["key"].clone();
        lines[0]["key"] = lines[1]["key"].clone();
        lines[1]["key"] = first;
    });
    check("key", &|lines| {
        let first = lines[0]["text"].clone();
        lines[0]["text"] = lines[1]["text"].clone();
        lines[1]["text"] = first;
    });
    place.write_values(RESULTS, &[]);
    place.soon("check unstuck.lock").ends(2).complains("has no levels");
    place.write(RESULTS, "{\"schema\":2}\n");
    place.soon("check unstuck.lock").ends(2).complains("not a result of unstuck");
    place.write_values(RESULTS, &lines);
    place.write("unstuck.lock/store.json", "{\"schema\": 1, \"shards\": 1, \"lock\": true}");
    place.soon("check unstuck.lock").ends(2).complains("not a store of this version");
    // What the lock calls a level is not repeated: its file says that.
    let mut renamed = lines.clone();
    (renamed[0]["title"], renamed[0]["number"]) = (json!("Longer"), json!(2));
    place.write_values(RESULTS, &renamed);
    place.write("unstuck.lock/store.json", "{\"schema\": 2, \"shards\": 1, \"lock\": true}");
    let printed = place.soon("check unstuck.lock --json").ends(0).objects();
    let titles: Vec<_> =
        printed.iter().map(|it| (it["number"].clone(), it["title"].clone())).collect();
    assert_eq!(titles, [(json!(1), json!("Easy")), (json!(2), json!("Longer"))]);
}

#[test]
fn a_missing_certificate_is_said_to_be_missing() {
    let (place, _) = locked();
    fs::remove_file(place.path("unstuck.lock/certificates-00000.tar.gz")).expect("removed");
    let printed = place.soon("check unstuck.lock").ends(1).says("the certificate is not there");
    printed
        .says("invalid: 2 levels, 0 of them certified, 0 changed, 2 without their certificate\n");
    place.soon("check unstuck.lock --allow-uncertified").ends(1);
    // It is made again.
    place.run("lock two.xsb --force").ends(0);
    place.soon("check unstuck.lock").ends(0);
}

#[test]
fn what_no_certificate_shows_is_said_and_counted() {
    let place = TestFolder::new();
    place.write("two.xsb", &two()).write("open.xsb", ENDLESS).write("stuck.xsb", STUCK);
    // Where any solution will do, a solution shows all; of an unknown verdict nothing can be shown.
    place.run("lock two.xsb --objective any -o any.lock").ends(0);
    place.soon("check any.lock").ends(0).says("0 of them certified, 0 changed\n");
    place.run("lock open.xsb -o open.lock --engine search --timeout 0.2").ends(30);
    let printed = place.soon("check open.lock").ends(1);
    printed.says("the verdict is unknown: there is nothing to certify").says("1 not certified");
    place.soon("check open.lock --allow-uncertified").ends(0).says("valid: ");
    place.run("lock stuck.xsb -o stuck.lock").ends(0);
    place.soon("check stuck.lock").ends(0).says("1 of them certified");
    // A limit is no fault.
    place.soon("check stuck.lock --timeout 0.000001").ends(30).says("not judged: time");
    place.write("f.flow", "A..\n...\n..A\n").write("one.flow", "A.A\n");
    place.run("lock f.flow -o f.lock").ends(0);
    place.soon("check f.lock").ends(0).says("1 level, 0 of them certified, 0 changed\n");
    place.run("lock one.flow -o one.lock").ends(0);
    place.soon("check one.lock").ends(0).says("1 of them certified");
    place.run("check one.lock --sample 3").ends(2).complains("are for stores");
}

#[test]
fn levels_that_come_go_move_or_change_are_told_apart() {
    let (place, _) = locked();
    let stuck = format!("Stuck\n\n{STUCK}\n");
    place.write("two.xsb", &format!("{stuck}{}", two()));
    let printed = place.soon("check unstuck.lock").ends(1);
    let printed =
        printed.says("two.xsb #1 \"Stuck\": the level is not locked: `unstuck lock --force`");
    printed
        .says("2 levels, 2 of them certified, 0 changed, 1 not locked")
        .complains("lock --force");
    place.soon("check unstuck.lock --allow-uncertified").ends(0).says("valid: ");
    // Titles, order and white space change nothing.
    place.write("two.xsb", &format!("Long\n\n{LONGER}\n; a comment\nShort\n\n{EASY}\n"));
    place.soon("check unstuck.lock").ends(0).says("2 of them certified, 0 changed\n");
    place.write("two.xsb", &two().replace('\n', "\r\n"));
    place.soon("check unstuck.lock").ends(0);
    place.write("two.xsb", &format!("Easy\n\n{EASY}\n"));
    let printed = place.soon("check unstuck.lock --allow-uncertified").ends(1);
    printed.says("level 2 is gone").says("2 levels, 1 of them certified, 0 changed, 1 gone");
    // A change: is the locked solution still one, and what is the level now?
    place.write("two.xsb", &two().replace("#@ $.#\n######", "#@ $.#\n#    #\n######"));
    let printed = place.soon("check unstuck.lock --allow-uncertified").ends(1);
    let printed = printed.says("\"Longer\": the level has changed since it was locked");
    let printed = printed.says("still works, with 2 moves and 1 push; it was solved in 2 moves");
    printed.says("; it is solved in 2 moves").says("1 changed\n");
    place.write("two.xsb", &two().replace("#@ $.#", "#@$ .#"));
    let printed = place.soon("check unstuck.lock").ends(1);
    printed.says("still works, with 2 moves and 2 pushes; it was solved in 2 moves and 1 push");
    let objects = place.soon("check unstuck.lock --json").ends(1).objects();
    let changed = objects.iter().find(|it| it["title"] == "Longer").expect("the level");
    assert!(changed["locked"].as_str().is_some_and(|it| it.contains("1 push")), "{changed}");
    assert!(changed["now"].as_str().is_some_and(|it| it.contains("2 pushes")), "{changed}");
    place.write("two.xsb", &two().replace("#@ $.#", "#@. $#"));
    let printed = place.soon("check unstuck.lock").ends(1);
    printed.says("no longer solves it; it was solved in 2 moves").says("; it is unsolvable");
    // A level that cannot be read is no level that is locked.
    place.write("two.xsb", &two().replace("#@ $.#", "#@ $?#"));
    place.soon("check unstuck.lock --allow-uncertified").ends(1);
    fs::remove_file(place.path("two.xsb")).expect("removed");
    place.soon("check unstuck.lock").ends(1).says("2 gone");
    let printed = place.soon("check --locked --json").ends(1);
    assert!(printed.objects().iter().all(|it| it["verdict"] == "invalid" && it["exit"] == 1));
}

const GAME: &str = "title Ice\nauthor Somebody\n\nOBJECTS\nBackground\ngreen\n\nWall\ngray\n\nPlayer\nblack\n\n\
    Crate\nbrown\n\nTarget\nblue\n\nLEGEND\n. = Background\n# = Wall\nP = Player\n* = Crate\nO = Target\n\n\
    SOUNDS\n\nCOLLISIONLAYERS\nBackground\nTarget\nPlayer, Wall, Crate\n\nRULES\n\
    [ > Player | Crate ] -> [ > Player | > Crate ]\n\nWINCONDITIONS\nall Target on Crate\n\n\
    LEVELS\n\n#####\n#P*O#\n#####\n\nmessage again\n\n######\n#P*.O#\n######\n";

/// What a game looks like and what it says changes no verdict; what its rules are does.
#[test]
fn a_game_is_known_by_its_rules_and_boards() {
    let place = TestFolder::new().with("ice.puzzlescript", GAME);
    place.run("lock ice.puzzlescript").ends(0);
    place.soon("check unstuck.lock").ends(0).says("2 levels, 2 of them certified");
    for (from, to) in [
        ("title Ice", "title Snow"),
        ("author Somebody", "author Somebody Else\nhomepage example.org"),
        ("gray", "red"),
        ("RULES\n", "RULES\n(a comment)\n\n"),
        ("message again", "message once more"),
        ("\n", "\r\n"),
    ] {
        place.write("ice.puzzlescript", &GAME.replace(from, to));
        place.soon("check unstuck.lock").ends(0).says("2 of them certified, 0 changed\n");
    }
    // A rule that breaks both levels, and one that changes nothing of their solutions.
    place.write("ice.puzzlescript", &GAME.replace("all Target on Crate", "no Crate"));
    let printed = place.soon("check unstuck.lock").ends(1).says("2 changed");
    printed.says("no longer solves it; it was solved in 1 move").says("it is unsolvable");
    place.write(
        "ice.puzzlescript",
        &GAME.replace("RULES\n", "RULES\nlate [ Player | Player ] -> cancel\n"),
    );
    let printed = place.soon("check unstuck.lock").ends(1).says("still works");
    printed.says("; it is solved in 1 move").says("2 changed");
}

#[test]
fn what_a_lock_shows_is_taken_over_by_the_next_one() {
    let (place, lines) = locked();
    place.run("lock two.xsb").ends(2).complains("already exists");
    // With no time at all nothing could be solved.
    place.run("lock two.xsb --force --timeout 0.000001").ends(0).says("; certified");
    place.soon("check unstuck.lock").ends(0).says("2 of them certified");
    // What is forged is not taken over.
    let mut forged = lines;
    forged[0]["solution"]["moves"] = json!("l");
    place.write_values(RESULTS, &forged);
    place.run("lock two.xsb --force --timeout 0.000001").ends(30).says("no certificate");
    // A lock of some levels says nothing of the others, and one level counts once.
    place.run("lock two.xsb --level 1 -o one.lock").ends(0);
    let printed = place.soon("check one.lock").ends(1);
    printed.says("invalid: 1 level, 1 of them certified, 0 changed, 1 not locked");
    place.soon("check one.lock --allow-uncertified").ends(0).says("valid: 1 level,");
    let printed = place.run("lock two.xsb two.xsb -o twice.lock").ends(0);
    printed.says("twice.lock: 2 levels\n").complains("two.xsb #1 \"Easy\": named twice");
    // Nothing else is replaced.
    fs::create_dir(place.path("mine")).expect("a folder");
    place.write("mine/letter", "mine").write("file", "mine");
    for other in ["mine", "file"] {
        place.run(&format!("lock two.xsb -o {other} --force")).ends(2).complains("no lock");
    }
    assert_eq!(place.read("mine/letter"), "mine");
    // A lock as it was before is named as such, and replaced.
    place.write("old.lock", "{\"format\": 1, \"levels\": []}");
    place
        .soon("check old.lock")
        .ends(2)
        .complains("a lock of an earlier version")
        .complains("--force");
    place.run("lock two.xsb -o old.lock --force").ends(0);
    place.soon("check old.lock").ends(0);
}

#[test]
fn results_stay_in_the_folder_of_the_lock() {
    let (place, lines) = locked();
    fs::create_dir(place.path("inner")).expect("a folder");
    fs::rename(place.path("two.xsb"), place.path("inner/two.xsb")).expect("renamed");
    let named = |file: &str| {
        let mut lines = lines.clone();
        lines.iter_mut().for_each(|line| line["file"] = json!(file));
        place.write_values(RESULTS, &lines);
    };
    named("inner/two.xsb");
    place.soon("check unstuck.lock").ends(0);
    let absolute = place.path("inner/two.xsb").display().to_string();
    for outside in [absolute.as_str(), "inner/../inner/two.xsb", "./../two.xsb"] {
        named(outside);
        place.soon("check unstuck.lock").ends(1).says("leads out of the folder");
    }
    // What is not in its folder cannot be locked; what is named in another way can.
    place.write("two.xsb", EASY);
    place.run("lock two.xsb -o inner/a.lock").ends(2).complains("folder of the lock");
    place.run("lock ./inner/../two.xsb -o b.lock").ends(0);
    let absolute = place.path("two.xsb");
    place.run(&format!("lock {} -o c.lock --force", absolute.display())).ends(0);
    for lock in ["b.lock", "c.lock"] {
        let results = place.read(&format!("{lock}/results-00000.jsonl"));
        assert!(results.contains("\"file\":\"two.xsb\""), "{results}");
        place.soon(&format!("check {lock}")).ends(0);
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_and_devices_are_no_files() {
    use std::os::unix::fs::symlink;
    let (place, lines) = locked();
    // Level files that the user names may be pipes.
    place.fed("solve /dev/stdin", EASY).ends(0);
    place.make_pipe("pipe.lock");
    place.soon("check --locked pipe.lock").ends(2);
    place.soon("check --locked /dev/zero --memory 300").ends(2);
    // A level file that the lock names.
    let name = |file: &str| {
        let mut forged = lines.clone();
        forged[0]["file"] = json!(file);
        place.write_values(RESULTS, &forged);
    };
    place.make_pipe("pipe.xsb");
    name("pipe.xsb");
    place.soon("check unstuck.lock").ends(1).says("not a regular file");
    let elsewhere = TestFolder::new();
    elsewhere.write("secret.xsb", EASY);
    symlink(elsewhere.path("secret.xsb"), place.path("link.xsb")).expect("a link");
    symlink(elsewhere.folder.path(), place.path("up")).expect("a link");
    symlink("/dev/zero", place.path("zero.xsb")).expect("a link");
    for file in ["link.xsb", "up/secret.xsb", "zero.xsb"] {
        name(file);
        place.soon("check unstuck.lock --memory 300").ends(1).says("leads out of the folder");
    }
    place.write_values(RESULTS, &lines);
    place.run("lock link.xsb -o link.lock").ends(2).complains("cannot be locked");
    // Its own files.
    for file in ["certificates-00000.tar.gz", "results-00000.jsonl", "store.json"] {
        place.make_pipe(&format!("unstuck.lock/{file}"));
        let printed = place.soon("check unstuck.lock");
        assert!([1, 2].contains(&printed.code), "{file}: {printed:?}");
    }
    // What is appended to.
    place.make_pipe("log");
    place.soon("solve two.xsb --log log").ends(2).complains("a log is a file");
    place.soon("solve two.xsb --log results --record log").ends(2).complains("not a regular file");
    place.soon("merge .").ends(2);
    place.make_pipe("store.json");
    place.soon("merge .").ends(2).complains("not a regular file");
}

#[test]
fn a_lock_can_demand_solutions() {
    let place = TestFolder::new().with("a.xsb", EASY).with("s.xsb", STUCK);
    place.run("lock a.xsb s.xsb").ends(0).says("unsolvable");
    let demanding = place.objects("lock a.xsb s.xsb --solvable --force", 20);
    let codes: Vec<_> = demanding.iter().map(|it| it["exit"].clone()).collect();
    assert_eq!(codes, [0, 20]);
    place.run("lock a.xsb --solvable --force").ends(0);
}
