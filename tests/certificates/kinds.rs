//! Certificates of every claim by every kind of evidence, for every family and objective: from our
//! own levels, and from random boards where these are too few.

use crate::common::extent::extent;
use crate::common::mutants::{MutantReport, mutate};
use crate::common::{self, Case, claimed, for_each_family, on_path, proof_options, seen_by_ordeal};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use unstuck::certificate::Claim;
use unstuck::certificate::check::check;
use unstuck::certificate::external_check::Program;
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProveError};
use unstuck::closed::close::ClosureTask;
use unstuck::instance::{Instance, Relaxation, StateSpace};
use unstuck::learn::LearnOptions as Learning;
use unstuck::limits::Limits;
use unstuck::registry::{Family, by_name};
use unstuck::transition::Budget;
use unstuck_puzzles::constraints::Constraints;
use unstuck_puzzles::{Objective, Options};

/// Certificates for each family, objective, claim and kind. Of each kind the first one is mutated, so
/// the sample loses no mutant: the whole has five boards in the place of one.
static EACH: LazyLock<usize> = LazyLock::new(|| extent(1, 5) as usize);

/// Random boards to look through for them.
const SEEDS: u64 = 400;

/// From this one on only those that cannot be solved, which are rare.
const UNSOLVABLE: u64 = 120;

/// Longer plans make the refutation of a horizon slow.
const LONGEST: u32 = 6;

/// Own levels with more classes of states are skipped.
static ENTRIES: LazyLock<usize> = LazyLock::new(|| extent(300, 1_000) as usize);

/// Questions to the solver after which an invariant is given up: some take long, and a closed set is
/// there all the same.
const QUESTIONS: u64 = 4_000;

/// Programs that see the proofs too, where they are there.
const OUTSIDE: [&str; 3] = ["lrat-check", "lrat-trim", "cake_lpr"];

/// A puzzle with the text that it was read from.
struct Source {
    name: String,
    instance: Box<dyn Instance>,
    text: String,
}

/// Our own levels for an objective.
fn own(family: &Family, objective: Objective) -> impl Iterator<Item = Source> + '_ {
    let entries = common::expected(family).into_iter();
    let fitting = entries.filter(move |entry| common::objective(family, entry) == objective);
    fitting.filter_map(move |entry| {
        let level = common::open(family, &entry);
        let mut instances = level.puzzle.ok()?.instances(objective)?;
        let reading = entry["reading"].as_str();
        let excluded = match entry["optimum"].as_u64() {
            Some(optimum) => Budget::Within(u32::try_from(optimum).ok()?.checked_sub(1)?),
            None => Budget::Any,
        };
        instances.retain(|instance| reading.is_none_or(|name| instance.reading() == name));
        let instance = instances.into_iter().next()?;
        let small = instance.moves().is_none() || is_small(instance.as_ref(), excluded);
        small.then_some(Source {
            name: entry["file"].as_str()?.to_owned(),
            instance,
            text: level.text,
        })
    })
}

/// Random boards, as far as their text reads back as the same puzzle.
fn random(family: &Family, objective: Objective) -> impl Iterator<Item = Source> + '_ {
    (0..SEEDS).filter_map(move |seed| {
        let sample = (family.sample)(seed).instances(objective).expect("listed").remove(0);
        if seed >= UNSOLVABLE && sample.moves().is_some() && !is_small(sample.as_ref(), Budget::Any)
        {
            return None;
        }
        let (text, options) = (sample.text(), Options::new(family.options, []).ok()?);
        let opened = (family.read)(&text, &options).ok()?.pop()?.puzzle.ok()?;
        let instance = opened
            .instances(objective)?
            .into_iter()
            .find(|other| other.reading() == sample.reading() && other.text() == sample.text())?;
        Some(Source { name: format!("seed {seed}"), instance, text })
    })
}

/// Whether all states that can be reached within the budget are few and unsolved.
fn is_small(instance: &dyn Instance, excluded: Budget) -> bool {
    let closing = ClosureTask { claim: excluded, use_bound: false, max_states: Some(*ENTRIES) };
    instance
        .capability::<dyn StateSpace>()
        .expect("a game")
        .close(&Constraints::default(), closing, &Limits::none(), &mut |_| {})
        .is_ok()
}

/// The claims that follow from what was found, each with the kinds of evidence that apply.
fn claims(instance: &dyn Instance, found: Claim) -> Vec<(Claim, EvidenceKind, BoundUse)> {
    let closed =
        [(EvidenceKind::Closed, BoundUse::Never), (EvidenceKind::Closed, BoundUse::Always)];
    let horizon = (EvidenceKind::Horizon, BoundUse::Never);
    // Alone, with formulas that count waste, with formulas that count pushes.
    let patterns = if learns(instance) {
        [BoundUse::Auto, BoundUse::Always, BoundUse::Never].as_slice()
    } else {
        &[]
    };
    let patterns = patterns.iter().map(|&use_bound| (EvidenceKind::Patterns, use_bound));
    let closed = closed.into_iter().chain(goes_back(instance).then_some(BACKWARDS));
    let mut ways = Vec::new();
    let mut add = |claim: Claim, way: (EvidenceKind, BoundUse)| ways.push((claim, way.0, way.1));
    match found {
        Claim::Optimal(cost) => {
            for claim in [found, Claim::NothingWithin(cost - 1)] {
                closed.clone().chain(patterns.clone()).for_each(|way| add(claim, way));
                if cost <= LONGEST {
                    add(claim, horizon);
                }
            }
        }
        Claim::OptimalTied(cost, _) => {
            closed.filter(|way| *way != BACKWARDS).for_each(|way| add(found, way));
            if cost <= LONGEST {
                add(found, horizon);
            }
        }
        Claim::Unsolvable if instance.moves().is_some() => {
            closed.chain(patterns).for_each(|way| add(found, way));
            add(found, (EvidenceKind::Invariant, BoundUse::Never));
        }
        _ => add(found, horizon),
    }
    ways.retain(|(_, kind, _)| *kind == EvidenceKind::Closed || common::has_clauses(instance));
    ways
}

const BACKWARDS: (EvidenceKind, BoundUse) = (EvidenceKind::Backwards, BoundUse::Never);

/// Whether what leads to the end of the game is known.
fn goes_back(instance: &dyn Instance) -> bool {
    instance.family() == "sokoban" && instance.objective().first() != Objective::Moves
}

/// Whether dead patterns are learned of the game.
fn learns(instance: &dyn Instance) -> bool {
    let proof_options = Learning { exclude: Some(0), ..Learning::default() };
    let dropping = instance.capability::<dyn Relaxation>();
    dropping.is_some_and(|dropping| {
        dropping.learn(proof_options, &Limits::none(), &mut |_| {}).is_some()
    })
}

/// The kinds that every family must have certificates of.
fn kinds(instance: &dyn Instance, objective: Objective) -> Vec<String> {
    let lost = ["Closed, bound Never", "Closed, bound Always", "Invariant, bound Never"];
    let all = ["Closed, bound Never", "Closed, bound Always", "Horizon, bound Never"];
    let learned = ["Patterns, bound Auto", "Patterns, bound Always", "Patterns, bound Never"];
    let learned = if learns(instance) { learned.as_slice() } else { &[] };
    let back = ["Backwards, bound Never"];
    let back = if goes_back(instance) { back.as_slice() } else { &[] };
    let and_learned = |kinds: &[&'static str]| [kinds, back, learned].concat();
    let by_rules = |by: &&str| common::has_clauses(instance) || *by == "Closed, bound Never";
    let ways = match (instance.moves().is_some(), objective) {
        (false, _) => vec![("exactly", all[2..].to_vec()), ("unsolvable", all[2..].to_vec())],
        // Any solution will do: nothing about it needs proof.
        (true, Objective::Any) => vec![("unsolvable", and_learned(&lost))],
        // A tie-break changes no other certificate.
        (true, _) if objective != objective.first() => vec![("solvable", all.to_vec())],
        (true, _) => vec![
            ("solvable", and_learned(&all)),
            ("no", and_learned(&all)),
            ("unsolvable", and_learned(&lost)),
        ],
    };
    let objective = objective.name();
    let name = |word: &str, by: &&str| format!("{objective}: {word} by {by}");
    let ways = ways.iter().flat_map(|(word, by)| by.iter().map(move |by| (word, by)));
    ways.filter(|(_, by)| by_rules(by)).map(|(word, by)| name(word, by)).collect()
}

/// Counts certificates by objective, claim and kind.
type Counts = BTreeMap<String, usize>;

fn certify(
    source: &Source,
    place: &Path,
    programs: &[&str],
    counts: &mut Counts,
    mutants: &mut MutantReport,
) {
    let instance = source.instance.as_ref();
    let Some((found, solution)) = claimed(instance) else { return };
    if found == Claim::Unsolvable && instance.objective() != instance.objective().first() {
        return;
    }
    let Some(excluded) = found.excluded() else { return };
    if instance.moves().is_some() && !is_small(instance, excluded) {
        return;
    }
    for (claim, wanted, use_bound) in claims(instance, found) {
        let word = claim.sentence(instance.measures(), instance.objective());
        let word = word.split([' ', ',']).next().unwrap_or_default();
        let objective = instance.objective().name();
        let kind = format!("{objective}: {word} by {wanted:?}, bound {use_bound:?}");
        let count = counts.entry(kind.clone()).or_default();
        if *count >= *EACH {
            continue;
        }
        let name = format!("{} {} {kind}", instance.family(), source.name);
        let target = place.join(format!("{count} {name}").replace([' ', ',', ':', '/'], "-"));
        let text = source.text.as_str();
        let case = Case { instance, text, claimed: (claim, solution.clone()) };
        let mut proof_options = proof_options(wanted, use_bound);
        proof_options.lrat |= wanted == EvidenceKind::Patterns && use_bound != BoundUse::Auto;
        proof_options.lrat &= common::has_clauses(instance);
        let hasty = wanted == EvidenceKind::Invariant;
        let enough = Arc::new(AtomicBool::new(false));
        let mut look = |said: &str| {
            let asked = said.strip_suffix(" questions").and_then(|it| it.rsplit(' ').next());
            let asked = asked.and_then(|it| it.parse::<u64>().ok());
            enough.fetch_or(hasty && asked.is_some_and(|it| it > QUESTIONS), Ordering::Relaxed);
        };
        let limits = Limits::none().with_flag(enough.clone());
        match case.prove_saying(&proof_options, limits, &target, &mut look) {
            Ok(report) => assert!(!report.checked.is_empty()),
            Err(ProveError::Stopped(_)) if hasty => continue,
            // Not every family has a bound for every board.
            Err(ProveError::Unfit { .. }) if use_bound == BoundUse::Always => continue,
            Err(error) => panic!("{name}: {error}\n{text}"),
        }
        *count += 1;
        if *count == 1 {
            let tried = mutate(&target, 1, &name);
            assert!(4 * tried.open <= tried.tried, "{name}: {tried:?}");
            mutants.add(tried);
        }
        seen_by_ordeal(&target);
        for program in programs {
            if use_bound == BoundUse::Never {
                let seen = check(&target, Some(&Program(program)), &Limits::none(), &mut |_| {});
                seen.map(drop).unwrap_or_else(|error| panic!("{name}, {program}: {error}"));
            }
        }
    }
}

/// A family gets certificates of every claim and kind.
fn gets_all(family: &str) {
    let family = by_name(family).expect("registered");
    let place = tempfile::tempdir().expect("a temporary folder");
    let programs: Vec<_> = OUTSIDE.into_iter().filter(|program| on_path(program)).collect();
    for program in OUTSIDE.iter().filter(|outside| !programs.contains(outside)) {
        eprintln!("SKIPPED: `{program}` is not on PATH");
    }
    for &objective in family.objectives {
        let sample = (family.sample)(0).instances(objective).expect("listed").remove(0);
        let kinds = kinds(sample.as_ref(), objective);
        let short = |counts: &Counts| {
            let few = |kind: &&String| counts.get(*kind).is_none_or(|&count| count < *EACH);
            kinds.iter().find(few).cloned()
        };
        let mut counts = Counts::new();
        let mut mutants = MutantReport::default();
        let mut from_own = 0;
        let own = own(family, objective).map(|source| (1, source));
        for (own, source) in own.chain(random(family, objective).map(|source| (0, source))) {
            if short(&counts).is_none() {
                break;
            }
            certify(&source, place.path(), &programs, &mut counts, &mut mutants);
            from_own += own;
        }
        println!("{} ({from_own} own levels looked at): {counts:?}, {mutants:?}", family.name);
        assert!(mutants.tried > 0 && mutants.accepted < mutants.tried / 2, "{mutants:?}");
        assert_eq!(short(&counts), None, "{}: {counts:?}", family.name);
    }
}

for_each_family! { gets_all: flow puzzlescript snowman sokoban sokobond warehouse }
