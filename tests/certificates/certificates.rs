//! Certificates: every way to forge one is refused with its reason.

use crate::common::sample::Sample;
use crate::common::{self, Case, claimed, proof_options};
use std::fs;
use unstuck::certificate::check::check;
use unstuck::certificate::external_check::{ExternalCheck, OutsideChecker, Program};
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProofOptions, ProveError};
use unstuck::certificate::{Evidence, MANIFEST, Manifest};
use unstuck::instance::Instance;
use unstuck::limits::{Limits, Monitor};
use unstuck::registry::by_name;
use unstuck::transition::Budget;
use unstuck_puzzles::Objective;

const TWO_PUSHES: &str = "#######\n#@ $ .#\n#     #\n#######\n";

const STUCK: &str = "######\n#$   #\n#@ . #\n######\n";

/// A Sokoban level under `pushes`.
fn sokoban(text: &str) -> Box<dyn Instance> {
    common::sokoban(text, Objective::Pushes)
}

fn case<'a>(instance: &'a dyn Instance, text: &'a str) -> Case<'a> {
    let claimed = claimed(instance).expect("something to claim");
    Case { instance, text, claimed }
}

/// A certificate of a Sokoban level.
fn sample(level: &str, options: &ProofOptions) -> Sample {
    let instance = sokoban(level);
    Sample::new(&case(instance.as_ref(), level), options)
}

fn horizon() -> Sample {
    sample(TWO_PUSHES, &proof_options(EvidenceKind::Horizon, BoundUse::Never))
}

fn closed() -> Sample {
    sample(TWO_PUSHES, &proof_options(EvidenceKind::Closed, BoundUse::Never))
}

fn drop_line(number: usize) -> impl FnOnce(Vec<u8>) -> Vec<u8> {
    move |bytes| {
        let text = String::from_utf8(bytes).expect("text");
        let kept = text.lines().enumerate().filter(|(index, _)| *index != number);
        kept.map(|(_, line)| format!("{line}\n")).collect::<String>().into_bytes()
    }
}

/// Line numbers (from 0) of the first clauses of a CNF.
fn first_clause(text: &str) -> usize {
    text.lines().position(|line| line.starts_with("p cnf")).expect("a header") + 1
}

#[test]
fn a_file_that_is_not_the_listed_one_is_refused() {
    let sample = horizon();
    fs::write(sample.path().join("moves.txt"), "rrRR\n").unwrap();
    sample.refused("moves.txt is not the file");
    let sample = horizon();
    fs::remove_file(sample.path().join("horizon-1.cnf")).unwrap();
    sample.refused("horizon-1.cnf is missing");
    let sample = horizon();
    sample.change_text(MANIFEST, "\"schema\": 1", "\"schema\": 2");
    sample.refused("this program reads schema 1");
}

#[test]
fn a_changed_move_is_refused() {
    let sample = horizon();
    sample.change_text("moves.txt", "R", "L");
    sample.refused("moves.txt");
    let sample = horizon();
    sample.change("moves.txt", |_| b"rR\n".to_vec());
    sample.refused("not every box is on a goal");
}

#[test]
fn a_changed_puzzle_is_refused() {
    let sample = horizon();
    sample.change_text("puzzle.txt", "#@ $ .#", "#@ $. #");
    sample.refused("moves.txt");
    // The moves still solve this one; the formula is another.
    let sample = horizon();
    sample.change_text("puzzle.txt", "#     #", "#    ##");
    sample.refused("horizon-1.cnf");
    let sample = closed();
    sample.change_text("puzzle.txt", "#     #", "#    ##");
    sample.refused("");
}

#[test]
fn a_changed_formula_is_refused() {
    let sample = horizon();
    let text = sample.read("horizon-1.cnf");
    let at = first_clause(&text);
    sample.change("horizon-1.cnf", drop_line(at));
    sample.refused("clause 1 is not the one compiled again");
    let sample = horizon();
    sample.change("horizon-1.cnf", drop_line(text.lines().count() - 1));
    sample.refused("the header promises");
    let counts: Vec<&str> = text.lines().nth(at - 1).unwrap().split(' ').collect();
    let (variables, clauses) = (counts[2], counts[3].parse::<usize>().unwrap());
    let header = |clauses: usize| format!("p cnf {variables} {clauses}");
    // Consistently dropped.
    let sample = horizon();
    sample.change("horizon-1.cnf", drop_line(at));
    sample.change_text("horizon-1.cnf", &header(clauses), &header(clauses - 1));
    sample.refused("compiled again it has");
    // Added: the empty clause would make every refutation right.
    let sample = horizon();
    sample.change_text("horizon-1.cnf", &header(clauses), &header(clauses + 1));
    sample.change("horizon-1.cnf", |bytes| [&bytes[..], b"0\n"].concat());
    sample.refused("does not follow from its rules");
    // One literal of a clause changed.
    let sample = horizon();
    let line = text.lines().nth(at).unwrap();
    let other = line.strip_prefix('-').map_or_else(|| format!("-{line}"), str::to_owned);
    sample.change_text("horizon-1.cnf", &format!("\n{line}\n"), &format!("\n{other}\n"));
    sample.refused("clause 1 is not the one compiled again");
    let sample = closed();
    let text = sample.read("step.cnf");
    let line = text.lines().nth(first_clause(&text)).unwrap();
    sample.change_text("step.cnf", &format!("\n{line}\n"), "\n1 2 0\n");
    sample.refused("step.cnf: clause 1 is not the one compiled again");
}

/// The right proof of a wrong formula is refused above, whatever the form of the proof.
#[test]
fn a_proof_for_another_checker_is_the_same_proof() {
    let kinds = [
        (TWO_PUSHES, EvidenceKind::Closed, "step"),
        (TWO_PUSHES, EvidenceKind::Horizon, "horizon-1"),
        (TWO_PUSHES, EvidenceKind::Patterns, "step"),
        (STUCK, EvidenceKind::Invariant, "step"),
    ];
    for (level, wanted, name) in kinds {
        let options =
            ProofOptions { lrat: true, veripb: true, ..proof_options(wanted, BoundUse::Never) };
        let new = || sample(level, &options);
        let sample = new();
        let (own, readme) = (format!("{name}.pbp"), sample.read("README.txt"));
        let report = sample.report();
        let judged = format!("{own}: the same proof in VeriPB's format");
        assert!(report.checked.contains(&judged), "{:?}", report.checked);
        assert!(readme.contains(&format!("veripb --cnf {name}.cnf {own}\n")), "{readme}");
        if common::on_path("veripb") {
            let program = Program("veripb");
            let seen = check(&sample.path(), Some(&program), &Limits::none(), &mut |_| {});
            assert!(
                seen.is_ok_and(|seen| seen.checked.iter().any(|line| line.contains("VERIFIED")))
            );
        }
        // A constraint less, another hint, no refutation, another's proof.
        sample.change(&own, drop_line(2));
        sample.refused(&format!("{own}: it is not {name}.lrat translated"));
        let sample = new();
        sample.change_text(&own, " ~ ;", " 1 ~ ;");
        sample.refused("translated");
        let sample = new();
        sample.change_text(&own, "UNSAT", "NONE");
        sample.refused("translated");
        let sample = new();
        sample.change(&own, |bytes| bytes[..bytes.len() - 1].to_vec());
        sample.refused("translated");
        let sample = new();
        let proof = sample.read(&own);
        sample.put("goal-2.pbp", proof.as_bytes());
        sample.refused("goal-2.pbp: it belongs to no proof of this certificate");
        let sample = new();
        sample.change_text("README.txt", "objective: pushes", "objective: moves");
        sample.refused("README.txt says something else");
    }
}

/// Formulas with sums are those of the level and of the claim: a checker of proofs cannot see that, and
/// accepts what is refused here.
#[test]
fn a_right_proof_of_a_wrong_sum_is_refused() {
    let options =
        ProofOptions { veripb: true, ..proof_options(EvidenceKind::Patterns, BoundUse::Auto) };
    // So many pushes that a number has several bits.
    let level = "#########\n#@$    .#\n#       #\n#########\n";
    let new = || sample(level, &options);
    let sample = new();
    let report = sample.report();
    let says = |what: &str| report.checked.iter().any(|line| line.contains(what));
    assert!(says("step.opb: compiled again"), "{:?}", report.checked);
    assert!(says("step.pbp: a refutation"), "{:?}", report.checked);
    assert!(sample.read("README.txt").contains("veripb --opb step.opb step.pbp\n"));
    let accepts = |sample: &Sample, part: &str| {
        let file = |kind| sample.path().join(format!("{part}.{kind}"));
        let seen = Program("veripb").check(&file("opb"), &file("pbp"), &Limits::none());
        !common::on_path("veripb") || matches!(seen, ExternalCheck::Accepts(_))
    };
    for part in ["start", "goal", "step"] {
        assert!(accepts(&sample, part), "{part}");
        // The right proof of a wrong formula.
        let (opb, pbp) = (format!("{part}.opb"), format!("{part}.pbp"));
        let other = "* #variable= 1 #constraint= 2\n1 x1 >= 1 ;\n1 ~x1 >= 1 ;\n";
        let proof = "pseudo-Boolean proof version 3.0\nf 2 ;\npol 1 2 + ;\noutput NONE ;\n\
                     conclusion UNSAT : 3 ;\nend pseudo-Boolean proof ;\n";
        let sample = new();
        sample.change(&opb, |_| other.as_bytes().to_vec());
        sample.change(&pbp, |_| proof.as_bytes().to_vec());
        assert!(accepts(&sample, part));
        sample.refused(&format!("{opb} is not the one compiled again"));
        // A proof cut short, of another part, and without a step.
        let sample = new();
        sample.change(&pbp, |bytes| bytes[..bytes.len() - 30].to_vec());
        sample.refused(&format!("{pbp}: line"));
        let sample = new();
        sample.change(&pbp, drop_line(2));
        sample.refused(&format!("{pbp}: line"));
    }
    // A weaker objective, a dropped constraint, swapped counters, another meaning.
    let total = |text: &str| {
        // Of numbers what is left, in bits.
        let line = text.lines().find(|line| line.starts_with("1 ~x") && line.contains(" 2 ~x"));
        line.expect("a sum").to_owned()
    };
    let sample = new();
    let line = total(&sample.read("start.opb"));
    let (sum, least) = line.split_once(" >= ").expect("a sum");
    let least: u64 = least.trim_end_matches(" ;").parse().expect("a number");
    sample.change_text("start.opb", &line, &format!("{sum} >= {} ;", least + 1));
    sample.refused("start.opb is not");
    let sample = new();
    sample.change("step.opb", |bytes| {
        let text = String::from_utf8(bytes).expect("text");
        text.replacen(&format!("{}\n", total(&text)), "", 1).into_bytes()
    });
    sample.refused("step.opb is not");
    for (from, to) in [("2 x", "4 x"), ("* x1 ", "* x2 "), ("constraint= ", "constraint= 1")] {
        let sample = new();
        sample.change_text("goal.opb", from, to);
        sample.refused("goal.opb is not");
    }
    let sample = new();
    sample.put("more.opb", b"");
    sample.refused("more.opb: it belongs to no proof");
}

#[test]
fn a_changed_proof_is_refused() {
    for change in [
        (|_| Vec::new()) as fn(Vec<u8>) -> Vec<u8>,
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |_| b"0\n".to_vec(),
    ] {
        let sample = horizon();
        let proof = fs::read(sample.path().join("horizon-1.lrat")).unwrap();
        if proof != change(proof.clone()) && proof.len() > 2 {
            sample.change("horizon-1.lrat", change);
            sample.refused("horizon-1.lrat");
        }
    }
    for name in ["start.lrat", "goal.lrat", "step.lrat"] {
        let sample = closed();
        sample.change(name, |_| Vec::new());
        sample.refused("without the empty clause");
        let sample = closed();
        sample.change(name, |bytes| bytes[..bytes.len() - 3].to_vec());
        sample.refused(name);
        let sample = closed();
        let other = if name == "start.lrat" { "goal.lrat" } else { "start.lrat" };
        let foreign = fs::read(sample.path().join(other)).unwrap();
        sample.change(name, |_| foreign);
        sample.refused(name);
    }
}

#[test]
fn every_flipped_byte_of_a_proof_is_noticed_or_harmless() {
    let sample = closed();
    let proof = fs::read(sample.path().join("step.lrat")).unwrap();
    let mut refused = 0;
    let step = (proof.len() / 60).max(1);
    for at in (0..proof.len()).step_by(step) {
        let mut changed = proof.clone();
        changed[at] ^= 1;
        sample.put("step.lrat", &changed);
        // Whatever is accepted has been checked step by step: a flip may hit an idle hint.
        refused += usize::from(check(&sample.path(), None, &Limits::none(), &mut |_| {}).is_err());
    }
    assert!(refused >= 30, "only {refused} of about 60 flips were refused");
}

#[test]
fn a_changed_closed_set_is_refused() {
    // Without its formulas, so that only the list is judged.
    let bare = |use_bound| {
        let sample = sample(TWO_PUSHES, &proof_options(EvidenceKind::Closed, use_bound));
        let manifest = sample.read(MANIFEST).replace("\"lrat\": true", "\"lrat\": false");
        fs::write(sample.path().join(MANIFEST), manifest).unwrap();
        sample
    };
    let sample = bare(BoundUse::Never);
    let text = sample.read("closed-set.txt");
    let entries: Vec<&str> = text.lines().skip(4).collect();
    assert!(entries.len() > 2 && entries[0].starts_with("1 "), "{text}");
    for (index, entry) in entries.iter().enumerate() {
        let sample = bare(BoundUse::Never);
        sample.change("closed-set.txt", drop_line(4 + index));
        let count = |count: usize| format!("entries {count}");
        sample.change_text("closed-set.txt", &count(entries.len()), &count(entries.len() - 1));
        let reason = if index == 0 { "the start is not listed" } else { "is not listed with" };
        sample.refused(reason);
        let sample = bare(BoundUse::Never);
        let (budget, state) = entry.split_once(' ').unwrap();
        let more = budget.parse::<u32>().unwrap() + 1;
        let (from, to) = (format!("\n{entry}\n"), format!("\n{more} {state}\n"));
        sample.change_text("closed-set.txt", &from, &to);
        sample.refused("");
    }
    let sample = bare(BoundUse::Never);
    let (_, state) = entries[1].split_once(' ').unwrap();
    sample.change_text("closed-set.txt", state, "0 0");
    sample.refused("is no state of this puzzle");
    let sample = bare(BoundUse::Never);
    sample.change_text("closed-set.txt", "claim 1", "claim 0");
    sample.refused("is about another claim");
    let sample = bare(BoundUse::Always);
    sample.change_text("closed-set.txt", "\nbound ", "\nbound un");
    sample.refused("name different bounds");
}

#[test]
fn a_smaller_claim_is_refused() {
    for sample in [horizon(), closed()] {
        sample.change_text(MANIFEST, "\"cost\": 2", "\"cost\": 1");
        sample.refused("has 2 pushes, but the certificate claims 1");
    }
    let sample = horizon();
    sample.change_text(MANIFEST, "\"claim\": \"optimal\"", "\"claim\": \"unsolvable\"");
    sample.change_text(MANIFEST, "\"cost\": 2", "\"cost\": null");
    sample.refused("does not show the claim");
    let sample = horizon();
    sample.change_text(MANIFEST, "\"claim\": \"optimal\"", "\"claim\": \"nothing-within\"");
    sample.refused("does not show the claim");
    let sample = horizon();
    let evidence = "\"kind\": \"horizon\",\n    \"horizon\": 1,\n    \"proof\": \"lrat\"\n";
    sample.change_text(MANIFEST, evidence, "\"kind\": \"nothing\"\n");
    sample.refused("there is no evidence");
}

#[test]
fn evidence_of_another_puzzle_is_refused() {
    let sample = sample(STUCK, &proof_options(EvidenceKind::Closed, BoundUse::Never));
    let other = closed();
    for name in ["closed-set.txt", "start.cnf", "goal.cnf", "step.cnf"] {
        let foreign = fs::read(other.path().join(name)).unwrap();
        sample.change(name, |_| foreign);
    }
    sample.refused("closed-set.txt");
}

#[test]
fn nothing_is_left_when_a_folder_cannot_be_written() {
    let place = tempfile::tempdir().unwrap();
    let instance = sokoban(TWO_PUSHES);
    let case = case(instance.as_ref(), TWO_PUSHES);
    let missing = place.path().join("no/such/place");
    let failed = case.prove(
        &proof_options(EvidenceKind::Horizon, BoundUse::Never),
        Limits::none(),
        &missing,
    );
    assert!(matches!(failed, Err(ProveError::Io(_))));
    let at_once = Limits::new(Some(std::time::Duration::ZERO), None);
    let target = place.path().join("certificate");
    for wanted in [EvidenceKind::Horizon, EvidenceKind::Closed, EvidenceKind::Auto] {
        let how = proof_options(wanted, BoundUse::Auto);
        let failed = case.prove(&how, at_once.clone(), &target);
        assert!(matches!(failed, Err(ProveError::Stopped(_))), "{wanted:?}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "{wanted:?}");
    }
}

/// From the end the same is known as from the start, by the rules alone; and the count is judged.
#[test]
fn what_leads_to_the_end_says_what_all_states_say() {
    let family = by_name("sokoban").expect("registered");
    let (mut solved, mut lost) = (0, 0);
    for seed in 0..2_000 {
        let sample = (family.sample)(seed).instances(Objective::Pushes).expect("listed").remove(0);
        let Some(optimum) = common::optimum(sample.as_ref(), 3_000) else { continue };
        let game = sample.moves().expect("a game");
        let (limits, what) = (Limits::none(), format!("seed {seed}: {}", sample.text()));
        let count = |excluded, claimed| {
            game.check_backwards(excluded, claimed, &mut Monitor::silent(&limits))
        };
        let right = match optimum {
            None => Budget::Any,
            Some(0) => continue,
            Some(cost) => Budget::Within(cost - 1),
        };
        let classes = count(right, None).unwrap_or_else(|error| panic!("{error}, {what}"));
        assert_eq!(count(right, Some(classes)), Ok(classes), "{what}");
        assert!(count(right, Some(classes + 1)).is_err(), "{what}");
        assert!(classes == 0 || count(right, Some(classes - 1)).is_err(), "{what}");
        if let Some(cost) = optimum {
            for wrong in [Budget::Within(cost), Budget::Within(cost + 9), Budget::Any] {
                assert!(count(wrong, None).is_err(), "{what}");
            }
        }
        *if optimum.is_some() { &mut solved } else { &mut lost } += 1;
    }
    assert!(solved > 200 && lost > 800, "{solved} {lost}");
}

#[test]
fn a_changed_count_of_what_leads_to_the_end_is_refused() {
    let sample = || sample(TWO_PUSHES, &proof_options(EvidenceKind::Backwards, BoundUse::Never));
    let text = sample().read(MANIFEST);
    let manifest = Manifest::read(&text).expect("readable");
    let Evidence::Backwards { classes } = manifest.evidence else { panic!("{text}") };
    for (wrong, reason) in [(classes + 1, "fewer classes"), (classes - 1, "more classes")] {
        let sample = sample();
        let count = |number: u32| format!("\"classes\": {number}");
        sample.change_text(MANIFEST, &count(classes), &count(wrong));
        sample.refused(reason);
    }
    let sample = sample();
    sample.change_text(MANIFEST, "\"objective\": \"pushes\"", "\"objective\": \"moves\"");
    sample.change_text(MANIFEST, "\"cost\": 2", "\"cost\": 3");
    sample.refused("cannot be played backwards under this objective");
}
