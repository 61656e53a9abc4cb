//! One hard question that several processes work on: cubes in a folder that they share. Any of them
//! may be lost, the folder may hold what it likes, and the certificate is the same.

use crate::farm_folder::{FarmFolder, signal};
use crate::wait::{Conversation, until};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command};

/// Nothing within six pushes: a dozen cubes, each of which propagation alone refutes.
const ROOM: &str = "#########\n#@      #\n# $ $   #\n#  $    #\n#    ...#\n#########\n";

/// A solver in a shell, for formulas that propagation refutes. It says when it begins, and waits
/// while there is a file `hold`.
const SOLVER: &str = r#"#!/bin/sh
home=$(dirname "$0")
echo begun >> "$home/log"
while test -e "$home/hold"; do sleep 0.02; done
echo 0 > "$2"
echo 's UNSATISFIABLE'
exit 20
"#;

const PROVE: &str = "prove room.xsb -o c --evidence horizon --horizon 6 --cubes 200 --tasks shared \
                     --threads 1 --quiet --backend";

fn prepared() -> FarmFolder {
    let place = FarmFolder::new();
    place.write("room.xsb", ROOM).write("solver", SOLVER);
    fs::set_permissions(place.path("solver"), fs::Permissions::from_mode(0o755)).expect("set");
    place
}

/// A command whose solver is the shell's.
fn slow(place: &FarmFolder, line: &str) -> Command {
    let mut command = place.command(line.trim_end_matches("--backend").trim());
    command.args(["--backend", "./solver {cnf} {proof}"]);
    command
}

fn runs(place: &FarmFolder) -> usize {
    fs::read_to_string(place.path("log")).map_or(0, |text| text.lines().count())
}

#[track_caller]
fn kill(mut child: Child) {
    signal(child.id(), "-KILL");
    child.wait().expect("waited");
}

/// The one folder of cubes.
fn cubes(place: &FarmFolder) -> PathBuf {
    let entries = fs::read_dir(place.path("shared")).expect("a folder");
    let mut folders = entries.map(|entry| entry.expect("an entry").path());
    let first = folders.next().expect("a folder of cubes");
    assert!(folders.next().is_none() && first.join("cubes.txt").is_file());
    first
}

/// How many refutations are there.
fn refutations(place: &FarmFolder) -> usize {
    let entries = fs::read_dir(cubes(place)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").path());
    names.filter(|path| path.extension().is_some_and(|it| it == "lrat")).count()
}

/// The number of a count at the beginning of what was printed.
fn count(printed: &str) -> usize {
    printed
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("{printed}"))
}

#[track_caller]
fn is_certified(place: &FarmFolder) {
    let printed = place.run("check c", 0);
    assert!(printed.contains("horizon-6.lrat: a refutation"), "{printed}");
    let left = fs::read_dir(place.path("shared")).expect("a folder").count();
    assert_eq!(left, 0, "cubes that are of no use any more");
}

/// A prover that holds one cube, and all others refuted by a helper; the prover is killed.
fn all_but_one() -> (FarmFolder, usize) {
    let place = prepared();
    place.write("hold", "");
    let prover = slow(&place, PROVE).spawn().expect("it starts");
    until("the first cube", || runs(&place) == 1);
    let printed = place.run("farm refute shared --threads 2", 0);
    assert!(printed.ends_with("other processes are working on 1\n"), "{printed}");
    kill(prover);
    let refuted = count(&printed);
    assert!(refuted > 8 && refutations(&place) == refuted, "{printed}");
    fs::remove_file(place.path("hold")).expect("it was there");
    fs::remove_file(place.path("log")).expect("it was there");
    (place, refuted)
}

#[test]
fn when_one_helper_is_lost_the_others_go_on() {
    let place = prepared();
    place.write("hold", "");
    let mut command = slow(&place, "farm refute shared --wait 1m --threads 1");
    // A helper that comes before there is anything to do.
    let early = command.spawn().expect("it starts");
    let prover = slow(&place, PROVE).spawn().expect("it starts");
    until("two cubes", || runs(&place) == 2);
    kill(early);
    // What the helper held is open again, what the prover holds is not.
    let printed = place.run("farm refute shared --threads 2", 0);
    assert!(printed.ends_with("other processes are working on 1\n"), "{printed}");
    let refuted = count(&printed);
    assert!(refuted > 8 && refutations(&place) == refuted, "{printed}");
    let printed = place.json("farm refute shared", 0);
    assert_eq!((&printed["refuted"], &printed["elsewhere"]), (&0.into(), &1.into()));
    kill(prover);
    fs::remove_file(place.path("hold")).expect("it was there");
    // The same command again does what is left.
    let ended = slow(&place, PROVE).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(21), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(runs(&place), 3);
    is_certified(&place);
}

#[test]
fn a_prover_waits_for_helpers_and_takes_what_they_lose() {
    let (place, refuted) = all_but_one();
    // The cube that is open becomes a helper's.
    place.write("hold", "");
    let helper = slow(&place, "farm refute shared --threads 1").spawn().expect("it starts");
    until("the helper's cube", || runs(&place) == 1);
    let quick = PROVE.replace("--quiet --backend", "--progress 0.05");
    let mut prover = Conversation::start(&mut place.command(&quick));
    // It says so for as long as it waits.
    let waits = format!("{refuted} of {} cubes refuted", refuted + 1);
    (0..5).for_each(|_| prover.until(&waits));
    assert_eq!(refutations(&place), refuted);
    kill(helper);
    assert_eq!(prover.end().status.code(), Some(21));
    assert_eq!(runs(&place), 1);
    is_certified(&place);
}

#[test]
fn parts_that_do_not_hold_are_done_again() {
    let (place, refuted) = all_but_one();
    let folder = cubes(&place);
    let entries = fs::read_dir(&folder).expect("a folder");
    let mut parts: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    parts.retain(|path| path.extension().is_some_and(|it| it == "lrat"));
    parts.sort();
    let text = |path: &PathBuf| fs::read_to_string(path).expect("text");
    let whole: Vec<String> = parts.iter().map(text).collect();
    let longest = (0..whole.len()).max_by_key(|&part| whole[part].len()).expect("a part");
    let mut bad = 0;
    let mut forge = |part: usize, forged: &str| {
        assert_ne!(forged, whole[part]);
        fs::write(&parts[part], forged).expect("written");
        bad += 1;
    };
    let others: Vec<usize> = (0..whole.len()).filter(|&part| part != longest).collect();
    // Empty, torn, foreign, without reasons, no proof at all.
    forge(others[0], "");
    forge(others[1], &whole[others[1]][..whole[others[1]].len() / 2]);
    forge(others[2], "7 1 0 1 2 0\n8 0 7 0\n");
    forge(others[3], "99999999 0 0\n");
    forge(others[4], "\u{0}a no proof");
    // That of another cube, which rests on the other's literals.
    let foreign = others.iter().copied().skip(6).find(|&part| whole[part] != whole[longest]);
    forge(longest, &whole[foreign.expect("another proof")]);
    // Missing, and a link to what is no file.
    fs::remove_file(&parts[others[5]]).expect("removed");
    fs::remove_file(&parts[others[6]]).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", &parts[others[6]]).expect("linked");
    // A model that is none.
    fs::write(folder.join("model"), "s SATISFIABLE\nv 1 2 3 0\n").expect("written");
    let ended = slow(&place, PROVE).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(21), "{}", String::from_utf8_lossy(&ended.stderr));
    // The one that was open, the missing one, the link, and those that were forged.
    assert_eq!((runs(&place), refuted > 8), (bad + 3, true));
    is_certified(&place);
}

#[test]
fn provers_of_one_question_do_not_disturb_each_other() {
    let place = prepared();
    place.write("hold", "");
    let mut prover = slow(&place, PROVE).spawn().expect("it starts");
    until("the first cube", || runs(&place) == 1);
    // As by one that has its certificate.
    fs::remove_dir_all(cubes(&place)).expect("it was there");
    fs::remove_file(place.path("hold")).expect("it was there");
    assert_eq!(prover.wait().expect("it ends").code(), Some(21));
    is_certified(&place);
    for _ in 0..4 {
        let provers = ["c", "d", "e"].map(|name| {
            let line = PROVE.replace("-o c", &format!("-o {name} --force"));
            place.command(line.trim_end_matches("--backend").trim()).spawn().expect("it starts")
        });
        for mut prover in provers {
            assert_eq!(prover.wait().expect("it ends").code(), Some(21));
        }
        for name in ["c", "d", "e"] {
            place.run(&format!("check {name}"), 0);
        }
    }
    is_certified(&place);
}

#[test]
fn a_folder_that_is_not_what_it_says_is_refused() {
    let (place, _) = all_but_one();
    let formula = cubes(&place).join("formula.cnf");
    let honest = fs::read_to_string(&formula).expect("text");
    let (rest, _) = honest.trim_end().rsplit_once('\n').expect("clauses");
    let (head, tail) = rest.split_once('\n').expect("a header");
    let forged = format!("{head}\n1 0\n{tail}\n");
    fs::write(&formula, &forged).expect("written");
    let printed = place.run(PROVE.trim_end_matches("--backend"), 2);
    assert!(printed.contains("not what its name says"), "{printed}");
    assert!(!place.has("c"));
    // A helper refutes what it finds: the caller will see that it is of no use.
    place.run("farm refute shared", 0);
    fs::write(&formula, "no formula").expect("written");
    fs::write(cubes(&place).join("cubes.txt"), "a 1 0\na -1\n").expect("written");
    let printed = place.run("farm refute shared", 2);
    assert!(printed.contains("no list of cubes"), "{printed}");
}

#[test]
fn where_there_is_a_solution_it_is_found() {
    let place = prepared();
    place.write("open.xsb", "#######\n#@ $ .#\n#     #\n#######\n");
    let line = "prove open.xsb -o c --evidence horizon --horizon 4 --cubes 9 --tasks shared";
    let printed = place.run(line, 0);
    assert!(printed.contains("solvable with 2 pushes, and not with fewer"), "{printed}");
    assert_eq!(fs::read_dir(place.path("shared")).expect("a folder").count(), 0);
    place.run("check c", 0);
    place.write("lost.flow", "AB\nBA\n");
    place.run("prove lost.flow -o f --evidence horizon --cubes 9 --tasks shared", 20);
    place.run("check f", 0);
}

#[test]
fn helpers_say_what_they_cannot_do() {
    let place = prepared();
    for (line, part) in [
        ("farm refute missing", "--wait"),
        ("farm refute . --backend ./solver", "writes no proofs"),
        ("farm refute room.xsb", "no such folder"),
        ("prove room.xsb -o c --tasks shared", "--cubes"),
    ] {
        let printed = place.run(line, 2);
        assert!(printed.contains(part), "{line}: {printed}");
    }
    place.run("farm refute missing --wait 0.2", 0);
    let printed = place.run("farm refute . --timeout 0.3 --wait 1m", 30);
    assert!(printed.contains("time limit"), "{printed}");
    fs::create_dir(place.path("empty")).expect("a folder");
    assert_eq!(place.run("farm refute empty", 0), "0 cubes refuted\n");
}
