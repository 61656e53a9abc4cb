//! The checker in the book that shares nothing with this program, on certificates of this program
//! and on tampered ones.

mod common;

use common::{Case, claimed, manner, on_path};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::process::Command;
use unstuck::certificate::prove::{UseBound, Wanted};
use unstuck::certificate::{Claim, MANIFEST, Manifest};
use unstuck::limits::Limits;
use unstuck::registry::by_name;
use unstuck_puzzles::{Objective, Options};

/// Certificates of each kind.
const EACH: usize = 3;

/// Exit code and what it says.
fn judged(folder: &Path) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/check.py");
    let output = Command::new("python3").arg(script).arg(folder).output().expect("python3 runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Replaces a text of a file, forges the sum, and puts all back after the verdict.
fn tampered(folder: &Path, name: &str, change: impl Fn(&str) -> String) -> Option<i32> {
    let paths = [folder.join(name), folder.join(MANIFEST)];
    let before = paths.each_ref().map(|path| fs::read_to_string(path).expect("a file"));
    let after = change(&before[0]);
    assert_ne!(after, before[0], "{name} should change");
    fs::write(&paths[0], &after).expect("a writable file");
    if name != MANIFEST {
        let mut manifest = Manifest::read(&before[1]).expect("a description");
        let sum = Sha256::digest(&after).iter().map(|byte| format!("{byte:02x}")).collect();
        manifest.files.insert(name.to_owned(), sum);
        fs::write(&paths[1], manifest.to_string()).expect("a writable file");
    }
    let (code, _) = judged(folder);
    for (path, text) in paths.iter().zip(&before) {
        fs::write(path, text).expect("a writable file");
    }
    code
}

fn without_last_line(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    lines.join("\n") + "\n"
}

#[test]
fn the_book_s_checker_agrees() {
    if !on_path("python3") {
        eprintln!("SKIPPED: `python3` is not on PATH");
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let family = by_name("sokoban").expect("registered");
    for objective in [Objective::Pushes, Objective::Moves] {
        let (mut closed, mut horizons) = (0, 0);
        for seed in 0.. {
            let instance = (family.sample)(seed).instances(objective).expect("listed").remove(0);
            let text = instance.text();
            let Some((claim, solution)) = claimed(instance.as_ref()) else { continue };
            if claim.excluded().is_none() || common::optimum(instance.as_ref(), 2_000).is_none() {
                continue;
            }
            let options = Options::new(family.options, []).expect("defaults fit");
            let options = common::listed(&options);
            let case = Case {
                instance: instance.as_ref(),
                text: &text,
                options,
                claimed: (claim, solution),
            };
            let folder = place.path().join(format!("{seed}-{}", objective.name()));
            case.prove(&manner(Wanted::Closed, UseBound::Never), Limits::none(), &folder)
                .unwrap_or_else(|error| panic!("{seed}: {error}"));
            let (code, said) = judged(&folder);
            assert_eq!(code, Some(0), "{seed}: {said}\n{text}");
            let fewer = tampered(&folder, "closed-set.txt", |list| {
                let entries = list.lines().count() - 4;
                let counts = (format!("entries {entries}"), format!("entries {}", entries - 1));
                without_last_line(&list.replacen(&counts.0, &counts.1, 1))
            });
            let least = matches!(claim, Claim::Optimal(_));
            assert!(fewer == Some(1) || !least, "{seed}: an entry less");
            assert_eq!(tampered(&folder, "step.lrat", without_last_line), Some(1), "{seed}");
            if least {
                let cheaper = |text: &str| {
                    let cost = Manifest::read(text).expect("a description").claim.excluded();
                    let cost = cost.and_then(|budget| budget.number()).expect("a cost") + 1;
                    text.replacen(
                        &format!("\"cost\": {cost}"),
                        &format!("\"cost\": {}", cost - 1),
                        1,
                    )
                };
                assert_eq!(tampered(&folder, MANIFEST, cheaper), Some(1), "{seed}");
                let shorter =
                    |text: &str| text.trim_end().split_at(text.trim_end().len() - 1).0.to_owned();
                assert_eq!(tampered(&folder, "moves.txt", shorter), Some(1), "{seed}");
            }
            closed += 1;
            if matches!(claim, Claim::Optimal(cost) if cost <= 6) {
                let folder = place.path().join(format!("{seed}-{}-horizon", objective.name()));
                case.prove(&manner(Wanted::Horizon, UseBound::Never), Limits::none(), &folder)
                    .unwrap_or_else(|error| panic!("{seed}: {error}"));
                let (code, said) = judged(&folder);
                assert_eq!(code, Some(3), "{seed}: {said}");
                assert!(said.contains("the plan, horizon-"), "{said}");
                horizons += 1;
            }
            if closed >= EACH && horizons >= EACH {
                break;
            }
        }
    }
}
