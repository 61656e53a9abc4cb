//! The checker in the book that runs the engine of PuzzleScript, on certificates of this program and
//! on tampered ones. The engine is a checkout that `UNSTUCK_PUZZLESCRIPT` names.

use crate::common::extent::extent;
use crate::common::sample::with_forged;
use crate::common::{self, Case, claimed, folder, on_path, proof_options};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProofOptions, ProofTask, prove};
use unstuck::certificate::{Claim, MANIFEST};
use unstuck::instance::Instance;
use unstuck::limits::Limits;
use unstuck::questions::analysis::Analysis;
use unstuck::questions::hint::hint;
use unstuck::registry::{Family, by_name};
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, Options};

fn engine() -> Option<OsString> {
    let engine = std::env::var_os("UNSTUCK_PUZZLESCRIPT").filter(|_| on_path("node"));
    if engine.is_none() {
        eprintln!("SKIPPED: `UNSTUCK_PUZZLESCRIPT` names no engine, or `node` is not on PATH");
    }
    engine
}

/// Exit code and what it says of a certificate, or of a level of a game for it.
fn judged(engine: &OsString, folder: &Path, level: &[&str]) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/check_puzzlescript.js");
    let output = Command::new("node")
        .arg(script)
        .arg(engine)
        .arg(folder)
        .args(level)
        .output()
        .expect("node");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// A certificate of what can be claimed; none where a list would be long.
fn proved(instance: &dyn Instance, text: &str, to: &Path) -> Option<Claim> {
    let claimed = claimed(instance)?;
    let claim = claimed.0;
    let case = Case { instance, text, claimed };
    let proof_options =
        ProofOptions { lrat: false, ..proof_options(EvidenceKind::Closed, BoundUse::Never) };
    case.prove(&proof_options, Limits::none(), to).unwrap_or_else(|error| panic!("{error}"));
    Some(claim)
}

/// Whether a changed file, with its sum forged, is accepted. Everything is put back.
fn accepted(
    engine: &OsString,
    folder: &Path,
    name: &str,
    change: impl Fn(&str) -> Option<String>,
) -> Option<bool> {
    let before = fs::read_to_string(folder.join(name)).expect("a file");
    let after = change(&before).filter(|after| *after != before)?;
    let (code, said) = with_forged(folder, name, &after, || judged(engine, folder, &[]));
    assert!(matches!(code, Some(0..=2)), "{said}");
    Some(code == Some(0))
}

/// A list without one of its entries, and announced so.
fn without_entry(list: &str, entry: usize) -> Option<String> {
    let mut lines: Vec<String> = list.lines().map(str::to_owned).collect();
    if entry + 4 >= lines.len() {
        return None;
    }
    lines.remove(entry + 4);
    lines[3] = format!("entries {}", lines.len() - 4);
    Some(lines.join("\n") + "\n")
}

/// A list with another budget of an entry.
fn with_budget(list: &str, entry: usize, change: impl Fn(u32) -> Option<u32>) -> Option<String> {
    let mut lines: Vec<String> = list.lines().map(str::to_owned).collect();
    let line = lines.get_mut(entry + 4)?;
    let (budget, state) = line.split_once(' ')?;
    let budget = change(budget.parse().ok()?)?;
    *line = format!("{budget} {state}");
    Some(lines.join("\n") + "\n")
}

/// Everything that claims more than is shown is refused. An entry may stand in a list that needs
/// none, so of single entries only those that are missing or worth less are certain to be missed.
fn spoil(
    engine: &OsString,
    folder: &Path,
    claim: Claim,
    objective: Objective,
    name: &str,
) -> usize {
    let refused = |file: &str, change: &dyn Fn(&str) -> Option<String>| {
        let accepted = accepted(engine, folder, file, change);
        assert_ne!(accepted, Some(true), "{name}: {file}");
        usize::from(accepted.is_some())
    };
    let list = fs::read_to_string(folder.join("closed-set.txt")).expect("a list");
    let entries = list.lines().count() - 4;
    let mut tried = 0;
    for entry in [0, entries / 2, entries - 1] {
        tried += refused("closed-set.txt", &|text| without_entry(text, entry));
        tried +=
            refused("closed-set.txt", &|text| with_budget(text, entry, |it| it.checked_sub(1)));
    }
    if let Claim::Optimal(cost) = claim {
        let costs = |from: u32, to: u32| {
            move |text: &str| {
                let cost = |cost: u32| format!("\"cost\": {cost},");
                Some(text.replace(&cost(from), &cost(to)))
            }
        };
        tried += refused(MANIFEST, &costs(cost, cost + 1));
        tried += refused(MANIFEST, &costs(cost, cost - 1));
        // A plan with a walk less may win, too.
        if objective == Objective::Moves {
            tried +=
                refused("moves.txt", &|text| Some(text.replacen(['u', 'd', 'l', 'r', 'x'], "", 1)));
        }
        tried += refused("moves.txt", &|text| Some(format!("{}u\n", text.trim())));
        tried += refused("closed-set.txt", &|text| {
            // The whole list as one of the cost itself: then a solution must show.
            let lines = text.lines().map(|line| match line.split_once(' ') {
                Some(("claim", _)) => format!("claim {cost}"),
                Some((budget, state)) => match budget.parse::<u32>() {
                    Ok(budget) => format!("{} {state}", budget + 1),
                    Err(_) => line.to_owned(),
                },
                None => line.to_owned(),
            });
            Some(lines.map(|line| line + "\n").collect())
        });
        tried += refused(MANIFEST, &|text| Some(text.replace("\"optimal\"", "\"unsolvable\"")));
    }
    tried += refused("closed-set.txt", &|text| Some(text.replace("bound none", "bound some")));
    tried += refused("puzzle.txt", &|text| Some(text.to_lowercase().replace("winconditions", "")));
    tried
}

/// Whether a game is none of those that the engine judges: the position does not determine where it
/// goes back to.
fn is_unread(text: &str) -> bool {
    text.contains("-> restart") && text.contains("-> checkpoint")
}

#[test]
fn the_engine_confirms_closed_sets_and_refuses_others() {
    let Some(engine) = engine() else { return };
    let family: &Family = by_name("puzzlescript").expect("registered");
    let place = tempfile::tempdir().expect("a temporary folder");
    let objectives = [Objective::Moves, Objective::Pushes];
    let all = (0..extent(60, 400)).flat_map(|seed| objectives.map(|objective| (seed, objective)));
    let mut counts = [(0, 0, 0); 2];
    for (seed, objective) in all {
        let (optimal, lost, tried) = &mut counts[usize::from(objective == Objective::Pushes)];
        let mut sample = (family.sample)(seed).instances(objective).expect("listed");
        let instance = sample.remove(0);
        let text = instance.text();
        let folder = place.path().join(format!("{seed}-{}", objective.name()));
        let Some(claim) = proved(instance.as_ref(), &text, &folder) else { continue };
        let (code, said) = judged(&engine, &folder, &[]);
        if is_unread(&text) {
            assert_eq!(code, Some(2), "sample {seed}, {objective:?}: {said}\n{text}");
            continue;
        }
        assert_eq!(code, Some(0), "sample {seed}, {objective:?}: {said}\n{text}");
        *(if claim == Claim::Unsolvable { lost } else { optimal }) += 1;
        // What walks alone win needs no list.
        if seed < extent(12, 60) && claim != Claim::Optimal(0) {
            let name = format!("sample {seed}, {objective:?}");
            *tried += spoil(&engine, &folder, claim, objective, &name);
        }
    }
    println!("optimal, lost, tampered: {counts:?}");
    let enough = |&(optimal, lost, tried): &_| optimal >= 10 && lost >= 10 && tried >= 60;
    assert!(counts.iter().all(enough), "{counts:?}");
}

/// Claims about rules that never act, or must, are confirmed by what the engine says of its rules.
#[test]
fn the_engine_confirms_which_rules_act() {
    let Some(engine) = engine() else { return };
    let family = by_name("puzzlescript").expect("registered");
    let place = tempfile::tempdir().expect("a temporary folder");
    let (mut optimal, mut lost) = (0, 0);
    // The last two restart themselves, one of them at checkpoints.
    for seed in (0..extent(60, 300)).chain([188, 126]) {
        let instance = (family.sample)(seed).instances(Objective::Moves).expect("listed").remove(0);
        let text = instance.text();
        let game = instance.moves().expect("a game");
        let lines: Vec<usize> = game.rule_lines().expect("rules in a file").into_iter().collect();
        let is_small = common::oracle(instance.as_ref(), 2000).is_some();
        let Some(line) = lines.get(seed as usize % lines.len().max(1)).filter(|_| is_small) else {
            continue;
        };
        for put in [Constraints::forbid, Constraints::require] {
            let mut constraints = Constraints::default();
            put(&mut constraints, &format!("rule {line}")).expect("a constraint");
            let mut asked = Analysis::new(instance.as_ref(), &constraints).expect("a game");
            let moves = hint(&mut asked, None, usize::MAX, &Limits::none()).moves;
            let plan = moves.map(|moves| game.verify(&constraints, &moves));
            let plan = plan.map(|plan| plan.expect("a plan"));
            let claim = match &plan {
                Some(plan) => Claim::optimal(Objective::Moves, plan.tally(), false),
                None => Claim::Unsolvable,
            };
            let task = ProofTask {
                solution: plan.as_ref(),
                constraints: constraints.clone(),
                ..ProofTask::new(instance.as_ref(), &text, claim)
            };
            let options = ProofOptions {
                lrat: false,
                force: true,
                ..proof_options(EvidenceKind::Closed, BoundUse::Never)
            };
            let folder = place.path().join("claim");
            prove(&task, &options, &common::request(Limits::none()), &folder, &mut |_| {})
                .unwrap_or_else(|error| panic!("sample {seed}: {error}"));
            let (code, said) = judged(&engine, &folder, &[]);
            let is_unread =
                is_unread(&text) || code == Some(2) && said.contains("won before any input");
            let expected = if is_unread { 2 } else { 0 };
            assert_eq!(code, Some(expected), "sample {seed}, {constraints}: {said}\n{text}");
            *(if claim == Claim::Unsolvable { &mut lost } else { &mut optimal }) += 1;
        }
    }
    println!("{optimal} optimal, {lost} lost");
    assert!(optimal >= 10 && lost >= 10, "{optimal} {lost}");
}

#[test]
fn a_claim_is_confirmed_for_a_level_of_a_game() {
    let Some(engine) = engine() else { return };
    let family = by_name("puzzlescript").expect("registered");
    let place = tempfile::tempdir().expect("a temporary folder");
    let game = folder(family).join("push.puzzlescript");
    let path = game.to_str().expect("a path").to_owned();
    let text = fs::read_to_string(&game).expect("an own game");
    let options = Options::new(family.options, []).expect("defaults");
    let levels = (family.read)(&text, &options).expect("an own game");
    for (number, level) in (1..).zip(levels) {
        let opened = level.puzzle.expect("a level");
        let instance = opened.instances(Objective::Moves).expect("listed").remove(0);
        let folder = place.path().join(format!("{number}"));
        proved(instance.as_ref(), &level.text, &folder).expect("settled");
        for other in 1..5 {
            let (code, said) = judged(&engine, &folder, &[&path, &other.to_string()]);
            assert_eq!(code, Some(i32::from(other != number)), "{number}, {other}: {said}");
        }
    }
}
