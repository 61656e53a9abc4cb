//! A lock is derived from its evidence, not believed; and no file that another file names can hang the
//! program, fill its memory, or lead out of a folder.

use super::{CommandOutput, EASY, ENDLESS, STUCK, TestFolder};
use crate::wait::until_ended;
use serde_json::{Value, json};
use std::fs;
use std::process::Stdio;

const LONGER: &str = "######\n#@ $.#\n######\n";

/// Two levels with titles.
fn two() -> String {
    format!("Easy\n\n{EASY}\nLonger\n\n{LONGER}\n")
}

/// A folder with two locked levels, and the lock.
fn locked() -> (TestFolder, Value) {
    let place = TestFolder::new();
    place.write("two.xsb", &two());
    place.run("lock two.xsb").ends(0);
    let lock = serde_json::from_str(&place.read("unstuck.lock")).expect("JSON");
    (place, lock)
}

impl TestFolder {
    /// Runs the words of a line, which must end soon: what hangs is ended, and is a failure.
    #[track_caller]
    fn soon(&self, line: &str) -> CommandOutput {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut child = self.command(&words).stdin(Stdio::null()).spawn().expect("it starts");
        until_ended(&mut child, line);
        CommandOutput::of(&child.wait_with_output().expect("it has ended"))
    }
}

#[test]
fn a_forged_entry_is_never_valid() {
    let (place, lock) = locked();
    let check = |what: &str, forge: &dyn Fn(&mut Value)| {
        let mut forged = lock.clone();
        forge(&mut forged["levels"][0]);
        place.write("unstuck.lock", &forged.to_string());
        place.soon("check --locked").ends(1).says(what).says("invalid: ");
        place.soon("check --locked --allow-uncertified").ends(1);
    };
    // The certificate says: solved with 1 push.
    check("`verdict` is \"unsolvable\"", &|entry| entry["verdict"] = json!("unsolvable"));
    check("there is no solution", &|entry| {
        entry["verdict"] = json!("unsolvable");
        (entry["solution"], entry["optimum"]) = (Value::Null, Value::Null);
    });
    check("`verdict` is \"no-solution-within\"", &|entry| {
        (entry["verdict"], entry["horizon"]) = (json!("no-solution-within"), json!(0));
    });
    check("`unique` is true", &|entry| entry["unique"] = json!(true));
    check("`optimum` is 0", &|entry| entry["optimum"] = json!(0));
    check("`optimum` is null", &|entry| entry["optimum"] = Value::Null);
    check("`solution` is wrong", &|entry| entry["solution"] = json!("l"));
    check("`verdict` is \"won\"", &|entry| entry["verdict"] = json!("won"));
    check("the level has changed", &|entry| entry["identity"] = json!("0123456789abcdef"));
    check("no objective", &|entry| entry["objective"] = json!("beauty"));
    check("another objective", &|entry| entry["objective"] = json!("moves"));
    check("no reading", &|entry| entry["reading"] = json!("mine"));
    check("no puzzle", &|entry| entry["puzzle"] = json!("chess"));
    // What is found by its identity is shown by number and title, too.
    check("the lock says that this is level 3", &|entry| entry["number"] = json!(3));
    check("its title is \"Longer\"", &|entry| entry["title"] = json!("Longer"));
    check("it has no title", &|entry| entry["title"] = Value::Null);
    // What no certificate could ever show is wrong without one, too.
    check("`unique`", &|entry| {
        (entry["certificate"], entry["unique"]) = (Value::Null, json!(true));
    });
    check("said to have none", &|entry| {
        entry["certificate"] = Value::Null;
        (entry["verdict"], entry["optimum"]) = (json!("unsolvable"), Value::Null);
    });
    // The form is closed.
    check("unknown field `note`", &|entry| entry["note"] = json!("unsolvable"));
    check("`title` cannot be", &|entry| entry["title"] = json!(1));
    check("`number` cannot be", &|entry| entry["number"] = json!(-1));
    check("`number` cannot be", &|entry| entry["number"] = json!(0));
    check("`horizon` cannot be", &|entry| entry["horizon"] = Value::Null);
    check("`another` cannot be", &|entry| entry["another"] = Value::Null);
    check("`optimum` cannot be", &|entry| entry["optimum"] = json!("1"));
    check("`certificate` cannot be", &|entry| entry["certificate"] = json!(true));
    check("unknown field `certificate.note`", &|entry| entry["certificate"]["note"] = json!(1));
    check("missing field `unique`", &|entry| {
        entry.as_object_mut().expect("an object").shift_remove("unique");
    });
    check("unknown field `tricks[0].note`", &|entry| {
        entry["tricks"] = json!([{
            "forbid": "move u", "claim": "", "solution": null, "certificate": null, "note": 1,
        }]);
    });
    for whole in [
        json!({ "format": 2, "levels": [] }),
        json!({ "format": "1", "levels": [] }),
        json!({ "format": 1, "levels": {} }),
        json!({ "format": 1, "levels": [] }),
        json!({ "format": 1, "levels": [], "valid": true }),
        json!([]),
    ] {
        place.write("unstuck.lock", &whole.to_string());
        place.soon("check --locked").ends(2).complains("unstuck.lock");
    }
    let twice = lock.to_string().replacen("\"unique\":", "\"unique\":true,\"unique\":", 1);
    place.write("unstuck.lock", &twice);
    place.soon("check --locked").ends(2).complains("two fields of one name");
    place.write("unstuck.lock", &lock.to_string());
    place.soon("check --locked").ends(0).says("valid: 2 levels, 2 of them certified, 0 changed\n");
}

/// Entries that exchange what they are shown by would say of each level what is true of the other.
#[test]
fn entries_that_exchange_their_numbers_and_titles_are_refused() {
    let (place, lock) = locked();
    for fields in [&["number"][..], &["title"], &["number", "title"]] {
        let mut forged = lock.clone();
        for &field in fields {
            let [first, second] = [0, 1].map(|at| lock["levels"][at][field].clone());
            forged["levels"][0][field] = second;
            forged["levels"][1][field] = first;
        }
        place.write("unstuck.lock", &forged.to_string());
        for allowed in ["", " --allow-uncertified"] {
            let printed = place.soon(&format!("check --locked{allowed}")).ends(1);
            printed.says("2 changed").says("the lock says that");
        }
    }
}

#[test]
fn what_no_certificate_shows_is_said_and_counted() {
    let (place, mut lock) = locked();
    lock["levels"][1]["certificate"] = Value::Null;
    place.write("unstuck.lock", &lock.to_string());
    let said = "2 levels, 1 of them certified, 0 changed, 1 not certified";
    place.soon("check --locked").ends(1).says("\"Longer\": not certified").says(said);
    place.soon("check --locked --allow-uncertified").ends(0).says("valid: ").says(said);
    // A claim that nothing shows and nothing contradicts.
    let entry = &mut lock["levels"][1];
    (entry["verdict"], entry["horizon"]) = (json!("no-solution-within"), json!(0));
    (entry["solution"], entry["optimum"]) = (Value::Null, Value::Null);
    place.write("unstuck.lock", &lock.to_string());
    place.soon("check --locked").ends(1).says("not certified");
    // Where any solution will do, a solution shows all; of an unknown verdict nothing can be shown.
    place.run("lock two.xsb --objective any -o any.lock").ends(0);
    place.soon("check --locked any.lock").ends(0).says("0 of them certified, 0 changed\n");
    place.write("open.xsb", ENDLESS).write("stuck.xsb", STUCK);
    place.run("lock open.xsb -o open.lock --engine search --timeout 0.2").ends(30);
    let printed = place.soon("check --locked open.lock").ends(1);
    printed.says("the verdict is unknown: there is nothing to certify");
    place.run("lock stuck.xsb -o stuck.lock").ends(0);
    place.soon("check --locked stuck.lock").ends(0).says("1 of them certified");
    // A limit is no fault.
    place.soon("check --locked stuck.lock --timeout 0.000001").ends(30).says("not judged: time");
}

#[test]
fn a_board_with_several_solutions_is_shown_by_two() {
    let place = TestFolder::new();
    place.write("f.flow", "A..\n...\n..A\n").write("one.flow", "A.A\n");
    place.run("lock f.flow").ends(0);
    place.soon("check --locked").ends(0).says("1 level, 0 of them certified, 0 changed\n");
    let lock: Value = serde_json::from_str(&place.read("unstuck.lock")).expect("JSON");
    assert_eq!(lock["levels"][0]["unique"], false, "{lock}");
    let check = |what: &str, forge: &dyn Fn(&mut Value)| {
        let mut forged = lock.clone();
        forge(&mut forged["levels"][0]);
        place.write("unstuck.lock", &forged.to_string());
        place.soon("check --locked --allow-uncertified").ends(1).says(what);
    };
    check("listed twice", &|entry| entry["another"] = entry["solution"].clone());
    check("`another` is wrong", &|entry| entry["another"] = json!("A-A"));
    check("`unique` is false", &|entry| {
        entry.as_object_mut().expect("an object").shift_remove("another");
    });
    check("`unique` is true", &|entry| entry["unique"] = json!(true));
    check("not all options", &|entry| {
        entry["options"].as_object_mut().expect("options").shift_remove("cover");
    });
    check("option `cover`", &|entry| entry["options"]["cover"] = json!("perhaps"));
    place.run("lock one.flow -o one.lock").ends(0);
    place.soon("check --locked one.lock").ends(0).says("1 of them certified");
}

#[test]
fn levels_that_come_go_or_move_are_told_apart() {
    let (place, _) = locked();
    let stuck = format!("Stuck\n\n{STUCK}\n");
    place.write("two.xsb", &format!("{stuck}{}", two()));
    let printed =
        place.soon("check --locked").ends(1).says("two.xsb #1 \"Stuck\": the level is not");
    let printed = printed.says("two.xsb #2 \"Easy\": the lock says that this is level 1;");
    printed.says("2 levels, 0 of them certified, 2 changed, 1 not locked");
    place.write("two.xsb", &format!("{}{stuck}", two()));
    place.soon("check --locked").ends(1).says("two.xsb #3 \"Stuck\": the level is not");
    place.soon("check --locked --allow-uncertified").ends(0).says("valid: ");
    place.write("two.xsb", &format!("Easy\n\n{EASY}\n"));
    let printed = place.soon("check --locked --allow-uncertified").ends(1).says("level 2 is gone");
    printed.says("2 levels, 1 of them certified, 0 changed, 1 gone");
    place.write("two.xsb", &format!("Longer\n\n{LONGER}\nEasy\n\n{EASY}\n"));
    place.soon("check --locked").ends(1).says("2 changed\n");
    place.write("two.xsb", &two().replace("#@ $.#", "#@$ .#"));
    let printed = place.soon("check --locked --allow-uncertified").ends(1);
    printed.says("\"Longer\": the level has changed").says("1 changed\n");
    // A level that cannot be read is no level that is locked.
    place.write("two.xsb", &two().replace("#@ $.#", "#@ $?#"));
    place.soon("check --locked --allow-uncertified").ends(1);
    fs::remove_file(place.path("two.xsb")).expect("removed");
    place.soon("check --locked").ends(1).says("2 changed");
    let printed = place.soon("check --locked --json").ends(1);
    assert!(printed.objects().iter().all(|it| it["verdict"] == "invalid" && it["exit"] == 1));
}

/// Certificates that lie where those of a lock go are taken where they are right, and not replaced.
#[test]
fn a_level_is_locked_again_with_the_certificate_that_is_there() {
    let (place, lock) = locked();
    place.run("lock two.xsb -o again.lock").ends(0).says("; certified");
    let again: Value = serde_json::from_str(&place.read("again.lock")).expect("JSON");
    assert_eq!(again["levels"][0]["certificate"], lock["levels"][0]["certificate"]);
    place.soon("check again.lock").ends(0).says("valid: 2 levels, 2 of them certified");
    let folder = lock["levels"][0]["certificate"]["folder"].as_str().expect("a folder");
    place.write(&format!("{folder}/puzzle.txt"), LONGER);
    let printed = place.run("lock two.xsb -o third.lock").ends(30);
    printed.says("no certificate: already exists");
}

/// A lock of some levels says nothing of the others, and one level counts once.
#[test]
fn a_lock_of_some_levels_and_of_one_level_twice() {
    let (place, lock) = locked();
    place.run("lock two.xsb --level 1 -o one.lock --force").ends(0);
    let printed = place.soon("check --locked one.lock").ends(1);
    let printed = printed.says("invalid: 1 level, 1 of them certified, 0 changed, 1 not locked");
    printed.complains("`--allow-uncertified`");
    place.soon("check --locked one.lock --allow-uncertified").ends(0).says("valid: 1 level,");
    let printed = place.run("lock two.xsb two.xsb -o twice.lock --force").ends(0);
    printed.says("twice.lock: 2 levels\n").complains("two.xsb #1 \"Easy\": named twice");
    place.soon("check --locked twice.lock").ends(0).says("valid: 2 levels, 2 of them certified");
    let mut twice = lock.clone();
    let copy = twice["levels"][0].clone();
    twice["levels"].as_array_mut().expect("levels").push(copy);
    place.write("unstuck.lock", &twice.to_string());
    let printed = place.soon("check --locked --allow-uncertified").ends(1);
    printed.says("\"Easy\": the lock has another entry about the same question").says("1 changed");
    // What is left out and what is wrong: the way out of the one does not help.
    let place_one = place.read("one.lock").replace("\"optimum\": 1", "\"optimum\": 0");
    place.write("one.lock", &place_one);
    let printed = place.soon("check --locked one.lock").ends(1);
    assert!(!printed.err.contains("--allow-uncertified"));
}

#[test]
fn entries_stay_in_the_folder_of_the_lock() {
    let (place, lock) = locked();
    fs::create_dir(place.path("inner")).expect("a folder");
    for (from, to) in [("two.xsb", "inner/two.xsb"), ("unstuck.certificates", "inner/certs")] {
        fs::rename(place.path(from), place.path(to)).expect("renamed");
    }
    let outside = |what: &str, forge: &dyn Fn(&mut Value)| {
        let mut forged = lock.clone();
        for at in 0..2 {
            let entry = &mut forged["levels"][at];
            let name = entry["certificate"]["folder"].as_str().expect("a folder").to_owned();
            entry["file"] = json!("inner/two.xsb");
            entry["certificate"]["folder"] =
                json!(name.replace("unstuck.certificates", "inner/certs"));
        }
        place.write("unstuck.lock", &forged.to_string());
        place.soon("check --locked").ends(0);
        forge(&mut forged);
        place.write("inner/unstuck.lock", &forged.to_string());
        place.write("unstuck.lock", &forged.to_string());
        place.soon("check --locked").ends(1).says(what);
    };
    let absolute = place.path("inner/two.xsb").display().to_string();
    outside("leads out of the folder", &|lock| lock["levels"][0]["file"] = json!(absolute));
    outside("leads out of the folder", &|lock| {
        lock["levels"][0]["file"] = json!("inner/../inner/two.xsb");
    });
    outside("leads out of the folder", &|lock| {
        let folder = &mut lock["levels"][0]["certificate"]["folder"];
        *folder = json!(format!("./../{}", folder.as_str().expect("a folder")));
    });
    // What is not in its folder cannot be locked; what is named in another way can.
    place.run("lock two.xsb -o inner/a.lock").ends(2);
    place.write("two.xsb", EASY);
    place.run("lock two.xsb -o inner/a.lock").ends(2).complains("folder of the lock");
    place.run("lock ./inner/../two.xsb -o b.lock").ends(0);
    let words = ["lock", &place.path("two.xsb").display().to_string(), "-o", "c.lock", "--force"];
    place.run_with(&words, "").ends(0);
    for lock in ["b.lock", "c.lock"] {
        assert!(place.read(lock).contains("\"file\": \"two.xsb\""), "{}", place.read(lock));
        place.soon(&format!("check --locked {lock}")).ends(0);
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_and_devices_are_no_files() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    let (place, lock) = locked();
    let pipe = |name: &str| {
        let _ = fs::remove_file(place.path(name));
        let made = Command::new("mkfifo").arg(place.path(name)).status().expect("mkfifo runs");
        assert!(made.success());
    };
    // Level files that the user names may be pipes.
    place.run_with(&["solve", "/dev/stdin"], EASY).ends(0);
    // The lock itself.
    pipe("pipe.lock");
    place.soon("check --locked pipe.lock").ends(2).complains("not a regular file");
    place.soon("check --locked /dev/zero --memory 300").ends(2).complains("not a regular file");
    fs::File::create(place.path("large.lock")).and_then(|it| it.set_len(1 << 36)).expect("sparse");
    place.soon("check --locked large.lock").ends(2).complains("larger than");
    // A level file that the lock names.
    let name = |file: &str| {
        let mut forged = lock.clone();
        forged["levels"][0]["file"] = json!(file);
        place.write("unstuck.lock", &forged.to_string());
    };
    pipe("pipe.xsb");
    name("pipe.xsb");
    place.soon("check --locked").ends(1).says("not a regular file");
    let elsewhere = TestFolder::new();
    elsewhere.write("secret.xsb", EASY);
    symlink(elsewhere.path("secret.xsb"), place.path("link.xsb")).expect("a link");
    symlink(elsewhere.folder.path(), place.path("up")).expect("a link");
    symlink("/dev/zero", place.path("zero.xsb")).expect("a link");
    for file in ["link.xsb", "up/secret.xsb", "zero.xsb"] {
        name(file);
        place.soon("check --locked --memory 300").ends(1).says("leads out of the folder");
    }
    place.write("unstuck.lock", &lock.to_string());
    place.run("lock link.xsb -o link.lock").ends(2).complains("cannot be locked");
    // The files of a certificate, and its folder.
    let folder = lock["levels"][0]["certificate"]["folder"].as_str().expect("a folder");
    let manifest = format!("{folder}/certificate.json");
    let kept = fs::read(place.path(&manifest)).expect("a manifest");
    pipe(&manifest);
    place.soon("check --locked").ends(1).says("not a regular file");
    place.soon(&format!("check {folder}")).ends(1);
    fs::remove_file(place.path(&manifest)).expect("removed");
    fs::write(place.path(&manifest), kept).expect("written");
    pipe(&format!("{folder}/puzzle.txt"));
    place.soon("check --locked").ends(1).says("not a regular file");
    let (whole, moved) = (place.path("unstuck.certificates"), elsewhere.path("certificates"));
    fs::rename(&whole, &moved).expect("renamed");
    symlink(&moved, &whole).expect("a link");
    place.soon("check --locked").ends(1).says("leads out of the folder");
    // What is appended to.
    pipe("log");
    place.soon("solve two.xsb --log log").ends(2).complains("a log is a file");
    place.soon("solve two.xsb --log results --record log").ends(2).complains("not a regular file");
    place.soon("farm check .").ends(2);
    pipe("store.json");
    place.soon("farm check .").ends(2).complains("not a regular file");
}

#[test]
fn a_lock_can_demand_solutions() {
    let place = TestFolder::new();
    place.write("a.xsb", EASY).write("s.xsb", STUCK);
    place.run("lock a.xsb s.xsb").ends(0).says("unsolvable");
    let demanding = place.run("lock a.xsb s.xsb --solvable --force --json").ends(20);
    let codes: Vec<_> = demanding.objects().iter().map(|it| it["exit"].clone()).collect();
    assert_eq!(codes, [0, 20]);
    place.run("lock a.xsb --solvable --force").ends(0);
}
