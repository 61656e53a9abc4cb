//! Invariants: reverse property-directed reachability against exhaustive search, certificates of
//! unsolvable boards by both kinds of evidence, and every way to forge an invariant.

use crate::common::extent::extent;
use crate::common::sample::{Sample, change_manifest};
use crate::common::{self, Case, on_path, proof_options};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use unstuck::backend::varisat::Varisat;
use unstuck::backend::{Answer, Backend, Prover};
use unstuck::certificate::check::check;
use unstuck::certificate::external_check::Program;
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProveError};
use unstuck::certificate::{Claim, Evidence};
use unstuck::formula::dimacs;
use unstuck::instance::{Instance, SearchEnd, SingleSteps};
use unstuck::invariant::pdr::{self, InvariantError};
use unstuck::limits::{Limits, Monitor, Stop};
use unstuck::machine::resident_memory;
use unstuck::registry::{self, FAMILIES};
use unstuck::search::Strategy;
use unstuck::transition::{Budget, CubeList, NOT, Obligation};
use unstuck_puzzles::Objective;

/// States after which exhaustive search gives a sample up.
const STATES: usize = 30_000;

/// Time for one proof: plenty, on a busy machine too.
const LIMIT: Duration = Duration::from_secs(3600);

/// Time for a proof whose kind is open: each kind gets a share of it.
const SHARED: Duration = Duration::from_secs(120);

/// Two boxes side by side on a wall, a third one free.
const PAIR: &str = "########\n#  $$  #\n# .@ $ #\n#  . . #\n########\n";

/// The list that shows that it is lost, and one cube more, which does no harm.
const PAIR_LIST: &str = "unstuck invariant 1\nclaim *\ncubes 2\n\
                         * box(1,3) box(1,4) -player(1,3) -player(1,4)\n* box(1,1)\n";

const TWO_PUSHES: &str = "#######\n#@ $ .#\n#     #\n#######\n";

/// Questions after which a search for an invariant gives up.
const QUESTIONS: u64 = 4000;

/// Whether there is a solution, by exhaustive search of the plain space; `None` when that is too
/// large.
fn solvable(instance: &dyn Instance) -> Option<bool> {
    common::oracle(instance, STATES).map(|plan| plan.is_some())
}

fn within(time: Duration) -> Limits {
    Limits::new(Some(time), None)
}

fn find(instance: &dyn Instance, limits: &Limits) -> Result<CubeList, InvariantError> {
    instance.capability::<dyn SingleSteps>().expect("a game").invariant(
        &Varisat,
        limits,
        &mut |_| {},
    )
}

/// What a search for an invariant finds with so many questions to the solver (and those of its last
/// step): the same on every machine, however busy.
fn find_asking(instance: &dyn Instance, questions: u64) -> Result<CubeList, InvariantError> {
    let enough = Arc::new(AtomicBool::new(false));
    let limits = Limits::none().with_flag(enough.clone());
    let mut look = |stats: pdr::PdrStats| {
        enough.fetch_or(stats.questions > questions, Ordering::Relaxed);
    };
    instance
        .capability::<dyn SingleSteps>()
        .expect("a game")
        .invariant(&Varisat, &limits, &mut look)
}

/// Whether all three formulas of a list are refuted.
fn holds(instance: &dyn Instance, list: &CubeList) -> bool {
    let induction = instance
        .moves()
        .expect("a game")
        .induction(list)
        .unwrap_or_else(|reason| panic!("{reason}"));
    Obligation::ALL.into_iter().all(|part| {
        let formula = induction.formula(part, &mut Monitor::silent(&Limits::none())).unwrap();
        Varisat.solve(&formula, &Limits::none()).unwrap() == Answer::Unsat
    })
}

/// A Sokoban level under `pushes`.
fn sokoban(text: &str) -> Box<dyn Instance> {
    common::sokoban(text, Objective::Pushes)
}

fn case<'a>(instance: &'a dyn Instance, text: &'a str, claim: Claim) -> Case<'a> {
    let solution = claim.has_solution().then(|| instance.verify("rRR").expect("its plan"));
    Case { instance, text, claimed: (claim, solution) }
}

#[test]
fn an_invariant_is_found_exactly_where_exhaustive_search_finds_nothing() {
    let samples = extent(12, 25);
    for family in FAMILIES {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let objectives = family.objectives.iter().filter(|o| o.first() == **o).take(2);
        for (&objective, seed) in objectives.flat_map(|o| (0..samples).map(move |seed| (o, seed))) {
            let instance = (family.sample)(seed).instances(objective).expect("listed").remove(0);
            let instance = instance.as_ref();
            let name = format!("{} {} {seed}", family.name, objective.name());
            if instance.moves().is_none() || !common::has_clauses(instance) {
                continue;
            }
            let Some(solvable) = solvable(instance) else { continue };
            let count = match find_asking(instance, QUESTIONS) {
                Ok(list) => {
                    assert!(!solvable, "{name}: an invariant, but there is a solution");
                    assert!(holds(instance, &list), "{name}: no invariant");
                    "lost"
                }
                Err(InvariantError::Solvable) => {
                    assert!(solvable, "{name}: a solution, but there is none");
                    "solvable"
                }
                Err(InvariantError::Stopped(Stop::Interrupted)) if solvable => {
                    "solvable, not settled"
                }
                Err(InvariantError::Stopped(Stop::Interrupted)) => "lost, not settled",
                Err(other) => panic!("{name}: {other:?}"),
            };
            *counts.entry(count).or_default() += 1;
        }
        println!("{}: {counts:?}", family.name);
        let settled = ["lost", "solvable"].map(|key| counts.get(key).copied().unwrap_or(0));
        let all: usize = counts.values().sum();
        assert!(2 * settled.iter().sum::<usize>() >= all, "{}: {counts:?}", family.name);
        assert!(all == 0 || settled[0] >= 3, "{}: {counts:?}", family.name);
    }
}

#[test]
fn lost_boards_have_certificates_of_both_kinds() {
    let wanted = extent(40, 200);
    let family = registry::by_name("sokoban").expect("registered");
    let place = tempfile::tempdir().expect("a temporary folder");
    let (mut boards, mut kinds) = (0, BTreeMap::<&str, u64>::new());
    for seed in 0.. {
        let instance = (family.sample)(seed).instances(Objective::Pushes).expect("listed");
        let instance = instance[0].as_ref();
        if solvable(instance) != Some(false) {
            continue;
        }
        let text = instance.text();
        let case = case(instance, &text, Claim::Unsolvable);
        for kind in [EvidenceKind::Auto, EvidenceKind::Invariant] {
            let target = place.path().join(format!("{seed}-{kind:?}"));
            let proof_options = proof_options(kind, BoundUse::Never);
            let report = case.prove(&proof_options, within(LIMIT), &target);
            let report = report.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
            *kinds.entry(report.manifest.evidence.name()).or_default() += 1;
        }
        boards += 1;
        if boards == wanted {
            break;
        }
    }
    println!("{kinds:?}");
    assert!(kinds["invariant"] >= wanted && 2 * kinds["closed"] > wanted, "{kinds:?}");
}

#[test]
fn lost_halls_are_shown_lost_where_search_cannot_exhaust() {
    let halls = [
        ("sokoban", "lost-halls.sok", Objective::Pushes, 1..=3),
        ("puzzlescript", "lamps.puzzlescript", Objective::Moves, 3..=3),
    ];
    let levels = halls.into_iter().flat_map(|(family, file, objective, levels)| {
        levels.map(move |level| (family, objective, json!({ "file": file, "level": level })))
    });
    for (family, objective, name) in levels {
        let family = registry::by_name(family).expect("registered");
        let opened = common::open(family, &name).puzzle;
        let opened = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        let instance = opened.instances(objective).expect("listed").remove(0);
        let few = Strategy { max_states: Some(100_000), ..Strategy::default() };
        let searched = common::search(instance.as_ref(), few);
        assert!(matches!(searched.end, SearchEnd::Stopped(Stop::Memory)), "{name}");
        let list = find(instance.as_ref(), &within(LIMIT));
        let list = list.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        println!("{name}: {} cubes", list.cubes.len());
        assert!(holds(instance.as_ref(), &list), "{name}");
        if family.name == "puzzlescript" {
            // Objects have the names that the game gives them.
            let text = instance.text().to_lowercase();
            for word in list.cubes.iter().flat_map(|(_, words)| words) {
                let named = word.trim_start_matches(NOT).split('(').next().unwrap_or_default();
                assert!(named == "won" || text.contains(&format!("\n{named}\n")), "{word}");
            }
        }
    }
}

#[test]
fn other_evidence_takes_the_place_of_a_closed_set_that_is_too_large() {
    let level = "############\n#          #\n#  $ $ $   #\n#     .    #\n#   $ .  @ #\n#     .    #\n\
                 #  .. .    #\n#          #\n##### ######\n##### ######\n#####$######\n##### ######\n\
                 #####$######\n##### ######\n#       ####\n#       ####\n############\n";
    let place = tempfile::tempdir().expect("a temporary folder");
    let instance = sokoban(level);
    let case = case(instance.as_ref(), level, Claim::Unsolvable);
    // A closed set without the bound may have so many states and no more: no clock decides.
    let auto = proof_options(EvidenceKind::Auto, BoundUse::Auto);
    let report = case.prove(&auto, within(SHARED), &place.path().join("certificate"));
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    // Dead patterns are tried first; where they take too long, there is an invariant.
    let kind = report.manifest.evidence.name();
    assert!(["patterns", "invariant"].contains(&kind), "{kind}");
}

/// A certificate of a level that is lost, by invariant.
fn pair_sample() -> Sample {
    let instance = sokoban(PAIR);
    let case = case(instance.as_ref(), PAIR, Claim::Unsolvable);
    Sample::new(&case, &proof_options(EvidenceKind::Invariant, BoundUse::Never))
}

/// Puts a list there, with the formulas that belong to it. The proofs are new where there are any,
/// else they stay as they are.
fn forge(sample: &Sample, level: &str, list: &str) {
    change_manifest(&sample.path(), |it| it.evidence = Evidence::Invariant);
    let list = CubeList::read(list.as_bytes()).expect("a list");
    let mut text = Vec::new();
    list.write(&mut text).expect("memory");
    sample.put("invariant.txt", &text);
    let induction =
        sokoban(level).moves().expect("a game").induction(&list).expect("cubes of this level");
    let limits = Limits::none();
    for part in Obligation::ALL {
        let formula = induction.formula(part, &mut Monitor::silent(&limits)).unwrap();
        let (mut cnf, mut proof) = (Vec::new(), Vec::new());
        dimacs::write_cnf(&mut cnf, &formula, induction.names()).expect("memory");
        sample.put(&format!("{}.cnf", part.name()), &cnf);
        let answer = Varisat.refute(&formula, &mut proof, &limits);
        if answer.expect("no failure") == Answer::Unsat {
            sample.put(&format!("{}.lrat", part.name()), &proof);
        }
    }
}

#[test]
fn an_invariant_from_elsewhere_is_as_good() {
    let sample = pair_sample();
    forge(&sample, PAIR, PAIR_LIST);
    sample.report();
}

#[test]
fn a_list_with_budgets_bounds_the_cost_of_a_plan() {
    let instance = sokoban(TWO_PUSHES);
    let case = case(instance.as_ref(), TWO_PUSHES, Claim::Optimal(2));
    let sample = Sample::new(&case, &proof_options(EvidenceKind::Closed, BoundUse::Never));
    let forge = |claim: &str, cubes: &[&str]| {
        let (count, cubes) = (cubes.len(), cubes.join("\n"));
        let list = format!("unstuck invariant 1\nclaim {claim}\ncubes {count}\n{cubes}\n");
        forge(&sample, TWO_PUSHES, &list);
    };
    let cubes = ["1 box(1,3)", "0 box(1,2)", "0 box(1,4)"];
    forge("1", &cubes);
    sample.report();
    // Each cube is needed, and no budget can be larger.
    forge("1", &cubes[..2]);
    sample.refused("step.lrat");
    forge("1", &cubes[1..]);
    sample.refused("start.lrat");
    forge("1", &["1 box(1,3)", "0 box(1,2)", "1 box(1,4)"]);
    sample.refused("step.lrat");
    forge("2", &["2 box(1,3)", "1 box(1,2)", "1 box(1,4)"]);
    sample.refused("is about another claim");
    forge("1", &["1 box(1,5)", "1 box(1,3)", "0 box(1,2)", "0 box(1,4)"]);
    sample.refused("goal.lrat");
}

#[test]
fn a_changed_list_is_refused() {
    let list = "unstuck invariant 1\nclaim *\ncubes 1\n";
    let pair = "* box(1,3) box(1,4) -player(1,3) -player(1,4)\n";
    // With the old formulas, and with the formulas that belong to it.
    for (cubes, reason) in [
        ("* box(1,3) -player(1,3) -player(1,4)\n", "step.lrat"),
        ("* box(1,3) box(1,4)\n", "step.lrat"),
        ("* -player(1,3) -player(1,4)\n", "goal.lrat"),
        ("* box(1,1)\n", "start.lrat"),
        ("*\n", "goal.lrat"),
    ] {
        let sample = pair_sample();
        forge(&sample, PAIR, &format!("{list}{pair}"));
        sample.report();
        let text = format!("{list}{cubes}");
        sample.put("invariant.txt", text.as_bytes());
        sample.refused("compiled again");
        forge(&sample, PAIR, &text);
        sample.refused(reason);
    }
    let none = "unstuck invariant 1\nclaim *\ncubes 0\n";
    let sample = pair_sample();
    sample.put("invariant.txt", none.as_bytes());
    sample.refused("start.cnf: line ");
    forge(&sample, PAIR, none);
    sample.refused("start.lrat");
    for (text, reason) in [
        (format!("{list}* box(9,9)\n"), "no state here has `box(9,9)`"),
        (format!("{list}* go(up)\n"), "no state here has `go(up)`"),
        (format!("{list}{pair}{pair}"), "more cubes than announced"),
        (format!("unstuck invariant 1\nclaim 3\ncubes 1\n{pair}"), "is about another claim"),
    ] {
        let sample = pair_sample();
        sample.put("invariant.txt", text.as_bytes());
        sample.refused(reason);
    }
}

#[test]
fn a_changed_formula_or_proof_is_refused() {
    for part in Obligation::ALL {
        let (cnf, lrat) = (format!("{}.cnf", part.name()), format!("{}.lrat", part.name()));
        let sample = pair_sample();
        let text = sample.read(&cnf);
        let header = text.lines().find(|line| line.starts_with("p cnf")).expect("a header");
        let first = text.lines().skip_while(|line| *line != header).nth(1).expect("a clause");
        let words: Vec<&str> = header.split(' ').collect();
        let (variables, clauses) = (words[2], words[3].parse::<usize>().expect("a number"));
        let with = |clauses: usize| text.replace(header, &format!("p cnf {variables} {clauses}"));
        let removed = with(clauses - 1).replacen(&format!("\n{first}\n"), "\n", 1);
        sample.put(&cnf, removed.as_bytes());
        sample.refused("compiled again it has");
        sample.put(&cnf, format!("{}0\n", with(clauses + 1)).as_bytes());
        sample.refused("has clauses that the list has not");
        let weakened = text.replacen(&format!("\n{first}\n"), &format!("\n1 2 3 {first}\n"), 1);
        sample.put(&cnf, weakened.as_bytes());
        sample.refused("clause 1 is not the one compiled again");
        sample.put(&cnf, text.as_bytes());
        sample.report();
        // The proof: none, truncated, nonsense, missing.
        let proof = sample.read(&lrat);
        sample.put(&lrat, b"");
        sample.refused(&lrat);
        sample.put(&lrat, &proof.as_bytes()[..proof.len().saturating_sub(3)]);
        sample.refused(&lrat);
        sample.put(&lrat, b"nonsense");
        sample.refused(&lrat);
        fs::remove_file(sample.path().join(&lrat)).expect("a file");
        sample.refused("is missing");
    }
    let sample = pair_sample();
    let other = PAIR.replace("# .@ $ #", "# .@$  #");
    sample.put("puzzle.txt", other.as_bytes());
    sample.refused("start.cnf");
}

#[test]
fn what_can_be_solved_or_has_no_time_gets_no_certificate() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let target = place.path().join("certificate");
    let proof_options = proof_options(EvidenceKind::Invariant, BoundUse::Never);
    let instance = sokoban(TWO_PUSHES);
    let of = case(instance.as_ref(), TWO_PUSHES, Claim::Unsolvable);
    let failed = of.prove(&proof_options, Limits::none(), &target);
    assert!(
        matches!(failed, Err(ProveError::Unfit { reason, .. }) if reason.contains("a solution"))
    );
    let of = case(instance.as_ref(), TWO_PUSHES, Claim::Optimal(2));
    assert!(matches!(
        of.prove(&proof_options, Limits::none(), &target),
        Err(ProveError::Unfit { .. })
    ));
    let instance = sokoban(PAIR);
    let of = case(instance.as_ref(), PAIR, Claim::Unsolvable);
    let raised = Limits::none().with_flag(Arc::new(AtomicBool::new(true)));
    for (limits, stop) in [(within(Duration::ZERO), Stop::Time), (raised, Stop::Interrupted)] {
        let failed = of.prove(&proof_options, limits, &target);
        assert!(matches!(failed, Err(ProveError::Stopped(struck)) if struck == stop));
    }
    if resident_memory().is_some() {
        let stopped = find(sokoban(HARD).as_ref(), &Limits::new(None, Some(1)));
        assert_eq!(stopped, Err(InvariantError::Stopped(Stop::Memory)));
    }
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0);
}

/// It takes more obligations than pass between two looks at the limits.
const HARD: &str = "########\n#   #@ #\n#. ##$##\n# $ $  #\n#  .$  #\n#  .# .#\n########\n";

#[test]
fn outside_checkers_accept_it() {
    let program = "lrat-trim";
    if !on_path(program) {
        eprintln!("SKIPPED: `{program}` is not on PATH");
        return;
    }
    for given in [false, true] {
        let sample = pair_sample();
        if given {
            forge(&sample, PAIR, PAIR_LIST);
        }
        let seen = check(&sample.path(), Some(&Program(program)), &Limits::none(), &mut |_| {});
        let report = seen.unwrap_or_else(|error| panic!("{error}"));
        let says = |line: &&String| line.contains(&format!("{program} says"));
        assert_eq!(report.checked.iter().filter(says).count(), 3);
    }
}

#[test]
fn a_list_of_another_game_names_nothing_here() {
    let list = CubeList { claim: Budget::Any, cubes: vec![(Budget::Any, vec!["x".to_owned()])] };
    for family in FAMILIES {
        let instances = (family.sample)(1).instances(family.objectives[0]).expect("listed");
        let Some(game) = instances[0].moves() else { continue };
        assert!(game.induction(&list).is_err(), "{}", family.name);
    }
}
