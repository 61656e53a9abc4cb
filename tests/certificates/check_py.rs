//! The checker in the book that shares nothing with this program, on certificates of this program
//! and on tampered ones.

use crate::common::extent::{extent, is_whole};
use crate::common::sample::with_forged;
use crate::common::second::Second;
use crate::common::{self, Case, claimed, on_path, proof_options};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use unstuck::certificate::check::{CheckError, check};
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProofOptions, ProofTask, prove};
use unstuck::certificate::{Claim, MANIFEST, Manifest};
use unstuck::instance::{Instance, Verified};
use unstuck::limits::Limits;
use unstuck::registry::{FAMILIES, Family, by_name};
use unstuck_puzzles::Objective;

/// Certificates of each family and objective.
static EACH: LazyLock<usize> = LazyLock::new(|| extent(1, 3) as usize);

/// Exit code and what it says.
fn judged(folder: &Path) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/check.py");
    let output = Command::new("python3").arg(script).arg(folder).output().expect("python3 runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Replaces a text of a file, forges the sum, and puts all back after the verdict, which must be
/// "invalid" or "not read".
fn refused(folder: &Path, name: &str, change: impl Fn(&str) -> String) -> bool {
    let before = fs::read_to_string(folder.join(name)).expect("a file");
    let after = change(&before);
    assert_ne!(after, before, "{name} should change");
    let (code, _) = with_forged(folder, name, &after, || judged(folder));
    matches!(code, Some(1 | 2))
}

fn without_last_line(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    lines.join("\n") + "\n"
}

/// A list without its last entry, and announced so: `word` stands before their number.
fn one_less(list: &str, word: &str) -> String {
    let (head, tail) = list.split_once(&format!("\n{word} ")).expect("a list");
    let count: usize = tail.lines().next().and_then(|n| n.parse().ok()).expect("a number");
    let less = tail.replacen(&count.to_string(), &(count - 1).to_string(), 1);
    without_last_line(&format!("{head}\n{word} {less}"))
}

fn without_a_clause(text: &str) -> String {
    let head = text.lines().find(|line| line.starts_with("p cnf")).expect("a header");
    let words: Vec<&str> = head.split(' ').collect();
    let clauses: usize = words[3].parse().expect("a number");
    let fewer = format!("p cnf {} {}", words[2], clauses - 1);
    without_last_line(&text.replacen(head, &fewer, 1))
}

/// A random puzzle with what can be claimed of it.
fn sample(
    family: &Family,
    objective: Objective,
    seed: u64,
) -> Option<(Box<dyn Instance>, Claim, Option<Verified>)> {
    let mut readings = (family.sample)(seed).instances(objective).expect("listed");
    let instance = readings.swap_remove(seed as usize % readings.len());
    let small = |instance: &dyn Instance| common::optimum(instance, 500).is_some();
    if instance.moves().is_some() && !small(instance.as_ref()) {
        return None;
    }
    let (claim, solution) = claimed(instance.as_ref())?;
    Some((instance, claim, solution))
}

/// Writes a certificate; its folder.
fn proved(
    (instance, claim, solution): &(Box<dyn Instance>, Claim, Option<Verified>),
    wanted: EvidenceKind,
    folder: PathBuf,
) -> PathBuf {
    let case = Case {
        instance: instance.as_ref(),
        text: &instance.text(),
        claimed: (*claim, solution.clone()),
    };
    let lrat = wanted != EvidenceKind::Horizon;
    let proof_options =
        ProofOptions { lrat, veripb: lrat, ..proof_options(wanted, BoundUse::Never) };
    case.prove(&proof_options, Limits::none(), &folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

fn has_python() -> bool {
    let found = on_path("python3");
    if !found {
        eprintln!("SKIPPED: `python3` is not on PATH");
    }
    found
}

#[test]
fn the_book_s_checker_agrees_on_games() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    // It does not know games whose rules stand in a file: the engine judges these.
    for family in FAMILIES.iter().filter(|family| family.name != "puzzlescript") {
        let counting = family.objectives.iter();
        for &objective in counting.filter(|&&objective| objective != Objective::Any) {
            let found = (0..).filter_map(|seed| Some((seed, sample(family, objective, seed)?)));
            let tied = objective != objective.first();
            let fits = |case: &(u64, (_, Claim, _))| {
                let excluded = case.1.1.excluded();
                excluded.is_some_and(|budget| budget.second().is_some() == tied)
            };
            for (seed, case) in found.filter(fits).take(*EACH) {
                let name = format!("{}-{seed}-{}", family.name, objective.name());
                let folder = proved(&case, EvidenceKind::Closed, place.path().join(&name));
                let (code, said) = judged(&folder);
                assert_eq!(code, Some(0), "{name}: {said}\n{}", case.0.text());
                spoilt(&folder, case.1, &name);
                if matches!(case.1, Claim::Optimal(cost) if cost <= 6) {
                    let folder = place.path().join(format!("{name}-horizon"));
                    let (code, said) = judged(&proved(&case, EvidenceKind::Horizon, folder));
                    assert_eq!(code, Some(3), "{name}: {said}");
                    assert!(said.contains("the plan, horizon-"), "{said}");
                }
            }
        }
    }
}

#[test]
fn the_book_s_checker_agrees_on_patterns() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let family = by_name("sokoban").expect("registered");
    let levels = ["long-haul", "spare-places", "staircase"];
    let texts = levels.map(|name| {
        let path = common::folder(family).join(format!("{name}.xsb"));
        (name, fs::read_to_string(path).expect("an own level"))
    });
    let pair = ("pair", "########\n#  $$ .#\n# .@ $ #\n#  .   #\n########\n".to_owned());
    for (name, text) in texts.into_iter().chain([pair]) {
        let instance = common::sokoban(&text, Objective::Pushes);
        let (claim, solution) = claimed(instance.as_ref()).expect("a verdict");
        let case = (instance, claim, solution);
        let folder = proved(&case, EvidenceKind::Patterns, place.path().join(name));
        let (code, said) = judged(&folder);
        assert_eq!(code, Some(0), "{name}: {said}");
        assert!(said.contains("the patterns"), "{name}: {said}");
        let dearer = |list: &str| {
            let at = list.find("price ").expect("a price");
            let end = at + list[at..].find('\n').expect("lines");
            format!("{}{}4{}", &list[..at], &list[at..end], &list[end..])
        };
        assert!(refused(&folder, "patterns.txt", dearer), "{name}");
        let fewer = |list: &str| one_less(list, "patterns");
        if ["long-haul", "pair"].contains(&name) {
            assert!(refused(&folder, "patterns.txt", fewer), "{name}");
            let worse = |list: &str| list.replacen(" player ", " player 9", 1);
            assert!(refused(&folder, "patterns.txt", worse), "{name}");
        }
    }
}

#[test]
fn the_book_s_checker_plays_what_went_before() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let text = "#######\n#  @  #\n# $$  #\n#. .  #\n#######\n";
    let proved = |name: &str, after: &str| {
        let later = common::sokoban(text, Objective::Pushes).continued(after).expect("a position");
        let claim = claimed(later.as_ref()).expect("a verdict");
        let folder = place.path().join(name);
        let mut task = ProofTask::new(later.as_ref(), text, claim.0);
        task.solution = claim.1.as_ref().filter(|_| claim.0.has_solution());
        task.after = after;
        let proof_options =
            ProofOptions { lrat: false, ..proof_options(EvidenceKind::Closed, BoundUse::Never) };
        prove(&task, &proof_options, &common::request(Limits::none()), &folder, &mut |_| {})
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        folder
    };
    // The case of a letter shows a reader what is pushed; the program does without.
    for (name, after) in [("written", "lD"), ("typed", "ld")] {
        let folder = proved(name, after);
        let (code, said) = judged(&folder);
        assert_eq!(code, Some(0), "{name}: {said}");
        let other =
            |text: &str| text.replacen(&format!("\"after\": \"{after}"), "\"after\": \"l", 1);
        assert!(refused(&folder, MANIFEST, other), "{name}: one move less");
    }
    let (code, said) = judged(&proved("drawn", "#######\n#     #\n# @$  #\n#.$.  #\n#######\n"));
    assert!(
        code == Some(2) && said.contains("not read: after"),
        "a position without letters: {said}"
    );
}

/// Changes a certificate of a game in ways that must be noticed.
fn spoilt(folder: &Path, claim: Claim, name: &str) {
    assert!(refused(folder, "step.lrat", without_last_line), "{name}");
    if !matches!(claim, Claim::Optimal(_) | Claim::OptimalTied(..)) {
        return;
    }
    if let Claim::OptimalTied(_, tie) = claim {
        for other in [tie - 1, tie + 1] {
            let said = |number: u32| format!("\"tie_break\": {number}");
            let change = |text: &str| text.replacen(&said(tie), &said(other), 1);
            assert!(refused(folder, MANIFEST, change), "{name}: tie-break {other}");
        }
    }
    let fewer = refused(folder, "closed-set.txt", |list| one_less(list, "entries"));
    let list = || fs::read_to_string(folder.join("closed-set.txt"));
    assert!(fewer, "{name}: an entry less of {:?}", list());
    let cheaper = |text: &str| {
        let (Claim::Optimal(cost) | Claim::OptimalTied(cost, _)) =
            Manifest::read(text).expect("a description").claim
        else {
            panic!("another claim")
        };
        text.replacen(&format!("\"cost\": {cost}"), &format!("\"cost\": {}", cost - 1), 1)
    };
    assert!(refused(folder, MANIFEST, cheaper), "{name}");
    let shorter = |text: &str| text.trim_end().split_at(text.trim_end().len() - 1).0.to_owned();
    assert!(refused(folder, "moves.txt", shorter), "{name}");
}

#[test]
fn the_book_s_checker_agrees_on_boards_without_moves() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let family = by_name("flow").expect("registered");
    for wanted in [Claim::Unique, Claim::Unsolvable] {
        let found = (0..).filter_map(|seed| Some((seed, sample(family, Objective::Any, seed)?)));
        let mut judged_whole = 0;
        for (seed, case) in found.filter(|case| case.1.1 == wanted) {
            let name = format!("flow-{seed}-{wanted:?}");
            let folder = proved(&case, EvidenceKind::Horizon, place.path().join(&name));
            let (code, said) = judged(&folder);
            let text = case.0.text();
            // Hexagons, warps and graphs it does not read.
            if code == Some(2) {
                assert!(
                    said.starts_with("not read: ") && !said.contains("fault"),
                    "{said}\n{text}"
                );
                continue;
            }
            assert_eq!(code, Some(0), "{name}: {said}\n{text}");
            assert!(refused(&folder, "horizon-0.lrat", without_last_line), "{name}");
            if wanted == Claim::Unique {
                let other = |text: &str| text.replacen(',', "1,", 1);
                assert!(refused(&folder, "moves.txt", other), "{name}");
                assert!(refused(&folder, "horizon-0.cnf", without_a_clause), "{name}");
            }
            judged_whole += 1;
            if judged_whole == 2 * *EACH {
                break;
            }
        }
    }
}

/// Runs `tests/check_py/run.py`; what it says.
fn run(words: &[&str]) -> String {
    let output = Command::new("python3").arg(common::second::runner()).args(words).output();
    let output = output.expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let faults = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}{faults}");
    said
}

/// Forgeries, and honest certificates: what each is stands in `tests/check_py/cases.py`.
#[test]
fn the_book_s_checker_has_the_right_exit_code_for_every_case() {
    if has_python() {
        println!("{}", run(&["cases"]));
    }
}

/// In the whole every check is deleted in turn, else some of them.
#[test]
fn every_check_that_is_deleted_from_the_book_s_checker_is_missed() {
    if has_python() {
        let words: &[&str] = if is_whole() { &["deletions"] } else { &["deletions", "15"] };
        println!("{}", run(words));
    }
}

/// Neither checker accepts a false claim, and what both read they judge alike.
#[test]
fn both_checkers_judge_the_cases_alike() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    run(&["write", place.path().to_str().expect("text")]);
    let index = fs::read_to_string(place.path().join("index.txt")).expect("an index");
    let mut wrong = Vec::new();
    for line in index.lines() {
        let [folder, code, flag, name] = *line.split('\t').collect::<Vec<_>>() else {
            panic!("no case: {line}")
        };
        let path = place.path().join(folder);
        let verdict = check(&path, None, &Limits::none(), &mut |_| {});
        let fits = match flag {
            "true" => verdict.is_ok(),
            "false" => matches!(verdict, Err(CheckError::Invalid { .. } | CheckError::Unable(_))),
            // Other formats, and formulas that are made up.
            _ => true,
        };
        if !fits || flag == "false" && !["1", "2"].contains(&code) {
            wrong.push(format!("{name}: {flag}, {code}, {:?}", verdict.map(|_| ())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said is made of printable ASCII, whatever stands in the files.
#[test]
fn the_book_s_checker_says_what_it_judged() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let instance = common::sokoban("#######\n#@ $ .#\n#     #\n#######\n", Objective::Pushes);
    let (claim, solution) = claimed(instance.as_ref()).expect("a verdict");
    let case = (instance, claim, solution);
    let folder = proved(&case, EvidenceKind::Closed, place.path().join("two"));
    let (code, said) = judged(&folder);
    assert_eq!(code, Some(0), "{said}");
    let rest = said.lines().skip(1).collect::<Vec<_>>().join("\n");
    let board = "sokoban, objective pushes\n#######\n#@ $ .#\n#     #\n#######";
    assert_eq!(rest, board, "{said}");
    let mut second = Second::start().expect("python3 runs");
    assert_eq!(second.judge(&folder).0, 0);
}
