//! Dead patterns of small random boards: they exclude all that is shorter than the optimum, and
//! never the optimum itself; where there is no solution they say so.

use crate::common;
use crate::common::extent::extent;
use unstuck::certificate::Claim;
use unstuck::certificate::check::{CheckError, check};
use unstuck::certificate::prove::{self, BoundUse, EvidenceKind};
use unstuck::certificate::{Counts, Evidence, PatternProofs};
use unstuck::instance::{Instance, LearnEnd, LearnReport, PatternJudge, Relaxation};
use unstuck::learn::LearnOptions;
use unstuck::limits::{Limits, Monitor};
use unstuck::registry::{FAMILIES, by_name};
use unstuck::transition::{Obligation, lrat};
use unstuck_puzzles::Objective;
use unstuck_puzzles::patterns::{PatternError, PatternList, PatternReason};

/// States after which a board is skipped.
pub(super) const STATES: usize = 20_000;

pub(super) fn board(seed: u64) -> Box<dyn Instance> {
    let family = by_name("sokoban").expect("registered");
    let mut instances = (family.sample)(seed).instances(Objective::Pushes).expect("listed");
    instances.remove(0)
}

/// A random room in which boxes and goals are close together: harder than the family's samples.
pub(super) fn room(seed: u64) -> Option<Box<dyn Instance>> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (width, height) = (rng.usize(6..=8), rng.usize(6..=8));
    let mut rows = vec![vec!['#'; width]; height];
    let mut floor = Vec::new();
    for (row, cells) in rows.iter_mut().enumerate().take(height - 1).skip(1) {
        for (column, cell) in cells.iter_mut().enumerate().take(width - 1).skip(1) {
            if rng.f32() >= 0.15 {
                *cell = ' ';
                floor.push((row, column));
            }
        }
    }
    let boxes = rng.usize(2..=4);
    let spare = usize::from(rng.u8(0..4) == 0);
    rng.shuffle(&mut floor);
    // Goals lie together, so that boxes are in each other's way.
    let (row, column) = *floor.first()?;
    floor.sort_by_key(|at| at.0.abs_diff(row) + at.1.abs_diff(column));
    let mut rest = floor.split_off((boxes + spare).min(floor.len()));
    floor.iter().for_each(|&(row, column)| rows[row][column] = '.');
    rng.shuffle(&mut rest);
    let free = |row: usize, column: usize| rows[row][column] != '#';
    let (mut movable, mut others): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|&(row, column)| {
            free(row - 1, column)
                && free(row + 1, column)
                && free(row, column - 1)
                && free(row, column + 1)
        });
    for _ in 0..boxes {
        let (row, column) = movable.pop()?;
        rows[row][column] = '$';
    }
    others.append(&mut movable);
    let (row, column) = others.pop()?;
    rows[row][column] = '@';
    let text: String =
        rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect();
    let family = by_name("sokoban").expect("registered");
    let options = unstuck_puzzles::Options::new(family.options, []).expect("defaults fit");
    let opened = (family.read)(&text, &options).ok()?.pop()?.puzzle.ok()?;
    opened.instances(Objective::Pushes)?.pop()
}

pub(super) fn learn(instance: &dyn Instance, learn_options: LearnOptions<'_>) -> LearnReport {
    let dropping = instance.capability::<dyn Relaxation>().expect("boxes may be dropped");
    dropping.learn(learn_options, &Limits::none(), &mut |_| {}).expect("boxes may be dropped")
}

pub(super) fn judge(instance: &dyn Instance, list: &PatternList) -> Result<(), PatternError> {
    let dropping = instance.capability::<dyn PatternJudge>().expect("boxes may be dropped");
    dropping.judge_patterns(list, &mut Monitor::silent(&Limits::none())).map(|_| ())
}

fn is_refused(instance: &dyn Instance, list: &PatternList) -> bool {
    matches!(judge(instance, list), Err(PatternError::Refused(_)))
}

/// A list reads back as it was written.
fn reads_back(list: &PatternList, seed: u64) {
    let read = PatternList::read(list.to_string().as_bytes());
    assert_eq!(read.as_ref(), Ok(list), "seed {seed}");
}

#[test]
fn patterns_exclude_what_is_shorter_than_the_optimum_and_nothing_more() {
    let (mut solvable, mut with_patterns, mut unsolvable) = (0, 0, 0);
    let number = extent(200, 1000);
    let boards = (0..number).map(|seed| (seed, Some(board(seed))));
    let rooms = (0..number + number / 2).map(|seed| (seed, room(seed)));
    for (seed, instance) in boards.chain(rooms) {
        let Some(instance) = instance else { continue };
        let instance = instance.as_ref();
        let Some(optimum) = common::optimum(instance, STATES) else { continue };
        for simple in [false, true] {
            let LearnReport { end, list, .. } =
                learn(instance, LearnOptions { simple, ..LearnOptions::default() });
            match (optimum, end) {
                (Some(optimum), LearnEnd::Found(plan, None)) => {
                    assert_eq!(plan.tally().pushes, optimum, "seed {seed}, simple {simple}");
                    solvable += 1;
                    with_patterns += u64::from(!list.patterns.is_empty());
                    if optimum == 0 {
                        continue;
                    }
                    assert_eq!(list.claim, Some(optimum - 1), "seed {seed}");
                    judge(instance, &list).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
                    let claim = Some(optimum);
                    let too_much = PatternList { claim, ..PatternList::clone(&list) };
                    assert!(is_refused(instance, &too_much), "seed {seed}");
                    let too_much = PatternList { claim: None, ..PatternList::clone(&list) };
                    assert!(is_refused(instance, &too_much), "seed {seed}");
                }
                (None, LearnEnd::Lost) => {
                    unsolvable += 1;
                    assert_eq!(list.claim, None, "seed {seed}");
                    judge(instance, &list).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
                }
                (optimum, end) => panic!("seed {seed}: {optimum:?}, but {end:?}"),
            }
            reads_back(&list, seed);
            if simple {
                let alone = |why: &PatternReason| match why {
                    PatternReason::Dead(covers) => covers.iter().all(|cover| cover.by.len() == 1),
                    _ => false,
                };
                assert!(list.patterns.iter().all(|pattern| alone(&pattern.why)), "seed {seed}");
            }
        }
    }
    println!("{solvable} solvable, {with_patterns} with patterns, {unsolvable} unsolvable");
    let enough =
        5 * solvable > 3 * number && 50 * with_patterns > number && 5 * unsolvable > number;
    assert!(enough, "{solvable}, {with_patterns}, {unsolvable}");
}

#[test]
fn what_is_to_be_excluded_is_excluded_and_no_more() {
    for seed in 0..extent(60, 150) {
        let instance = board(seed);
        let Some(Some(optimum)) = common::optimum(instance.as_ref(), STATES) else { continue };
        for length in [optimum.saturating_sub(3), optimum.saturating_sub(1), optimum] {
            let learn_options = LearnOptions { exclude: Some(length), ..LearnOptions::default() };
            let LearnReport { end, list, .. } = learn(instance.as_ref(), learn_options);
            match end {
                LearnEnd::Excluded => {
                    assert!(length < optimum, "seed {seed}");
                    let claimed = PatternList { claim: Some(length), ..PatternList::clone(&list) };
                    assert_eq!(judge(instance.as_ref(), &claimed), Ok(()), "seed {seed}");
                }
                LearnEnd::Found(plan, None) => {
                    assert!(plan.tally().pushes == optimum && length >= optimum, "seed {seed}");
                }
                end => panic!("seed {seed}: {end:?}"),
            }
        }
    }
}

/// What is reported when there is no time to judge the patterns: the potential's own bound.
#[test]
fn a_list_without_its_patterns_shows_the_bound_of_the_potential() {
    let mut shown = 0;
    let rooms = extent(150, 500);
    for seed in 0..rooms {
        let Some(room) = room(seed) else { continue };
        let learned = learn(room.as_ref(), LearnOptions::default());
        let lower =
            learn(room.as_ref(), LearnOptions { exclude: Some(0), ..LearnOptions::default() })
                .stats;
        if learned.list.patterns.is_empty() || lower.lower == 0 || lower.nodes > 0 {
            continue;
        }
        let claim = Some(lower.lower - 1);
        let (zones, root, patterns) = (Vec::new(), Vec::new(), Vec::new());
        let bare =
            PatternList { claim, zones, root, patterns, ..PatternList::clone(&learned.list) };
        assert_eq!(judge(room.as_ref(), &bare), Ok(()), "seed {seed}");
        let more = PatternList { claim: Some(lower.lower), ..bare };
        assert!(is_refused(room.as_ref(), &more), "seed {seed}");
        shown += 1;
    }
    assert!(50 * shown > rooms, "{shown}");
}

#[test]
fn families_whose_pieces_may_not_be_dropped_say_so() {
    let learn_options = LearnOptions::default();
    for family in FAMILIES.iter().filter(|family| family.name != "sokoban") {
        for instance in (family.sample)(1).instances(family.objectives[0]).expect("listed") {
            let Some(dropping) = instance.capability::<dyn Relaxation>() else { continue };
            assert!(dropping.learn(learn_options, &Limits::none(), &mut |_| {}).is_none());
            assert!(is_refused(instance.as_ref(), &PatternList::default()));
        }
    }
    let family = by_name("sokoban").expect("registered");
    for instance in (family.sample)(1).instances(Objective::Moves).expect("listed") {
        let dropping = instance.capability::<dyn Relaxation>().expect("boxes may be dropped");
        assert!(dropping.learn(learn_options, &Limits::none(), &mut |_| {}).is_none());
    }
}

/// Everything that a forger may change about a list, each in a list of its own, with a name.
fn forgeries(list: &PatternList) -> Vec<(String, PatternList)> {
    let mut forged = Vec::new();
    let mut add = |name: String, change: &dyn Fn(&mut PatternList)| {
        let mut copy = list.clone();
        change(&mut copy);
        forged.push((name, copy));
    };
    add("claims more".to_owned(), &|list| list.claim = list.claim.map(|claim| claim + 1));
    add("claims everything".to_owned(), &|list| list.claim = None);
    add("has no root".to_owned(), &|list| list.root.clear());
    for number in 0..list.potential.len() {
        add(format!("potential {number} is higher"), &|list| list.potential[number].2 += 2);
        add(format!("potential {number} is missing"), &|list| {
            list.potential.remove(number);
        });
    }
    for number in 0..list.prices.len() {
        add(format!("price {number} is higher"), &|list| list.prices[number].1 += 2);
    }
    for number in 0..list.patterns.len() {
        add(format!("pattern {number} promises more"), &|list| {
            list.patterns[number].value = list.patterns[number].value.map(|value| value + 1);
        });
        add(format!("pattern {number} promises everything"), &|list| {
            list.patterns[number].value = None;
        });
        add(format!("pattern {number} lacks a piece"), &|list| {
            list.patterns[number].pieces.pop();
        });
        add(format!("pattern {number} lacks an empty cell"), &|list| {
            list.patterns[number].empty.pop();
        });
        add(format!("pattern {number} lacks its reasons"), &|list| {
            if let PatternReason::Dead(covers) | PatternReason::Total(covers) =
                &mut list.patterns[number].why
            {
                covers.clear();
            }
        });
        let places: Vec<_> = list.potential.iter().map(|(place, ..)| *place).collect();
        for (other, place) in places.into_iter().enumerate().filter(|(other, _)| other % 5 == 0) {
            add(format!("pattern {number} has the player elsewhere ({other})"), &|list| {
                list.patterns[number].player = place;
            });
        }
    }
    forged.retain(|(_, copy)| copy != list);
    forged
}

/// Whatever is changed, a list that is accepted proves something true: never more than the
/// optimum allows. And most changes are noticed.
#[test]
fn forged_lists_prove_nothing_false() {
    let (mut refused, mut accepted) = (0, 0);
    let rooms = extent(300, 1500);
    for seed in 0..rooms {
        let Some(instance) = room(seed) else { continue };
        let instance = instance.as_ref();
        let Some(optimum) = common::optimum(instance, STATES) else { continue };
        let list = learn(instance, LearnOptions::default()).list;
        if optimum == Some(0) || list.patterns.is_empty() || list.patterns.len() > 20 {
            continue;
        }
        for (name, forged) in forgeries(&list) {
            match judge(instance, &forged) {
                Err(_) => refused += 1,
                Ok(()) => {
                    accepted += 1;
                    let is_true = match (forged.claim, optimum) {
                        (_, None) => true,
                        (None, Some(_)) => false,
                        (Some(claim), Some(optimum)) => claim < optimum,
                    };
                    assert!(is_true, "seed {seed}: a list that {name} is accepted");
                }
            }
        }
    }
    println!("{refused} refused, {accepted} harmless");
    assert!(3 * refused > 2 * rooms, "{refused} refused, {accepted} harmless");
}

/// Nothing is wasted: the potential alone excludes what is shorter.
const ROW: &str = "#######\n#@ $ .#\n#  $ .#\n#######\n";

/// A box that is lost from the start.
const CORNER: &str = "#####\n#$$.#\n# @.#\n#####\n";

/// Two boxes that hold each other, and a third one that does not matter.
const PAIR: &str = "########\n#  $$ .#\n# .@ $ #\n#  .   #\n########\n";

#[test]
fn certificates_of_patterns_are_written_and_checked_and_changed_ones_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("row", ROW), ("corner", CORNER), ("pair", PAIR)] {
        let instance = common::sokoban(text, Objective::Pushes);
        let claimed = common::claimed(instance.as_ref()).expect("a claim");
        let case = common::Case { instance: instance.as_ref(), text, claimed };
        let path = folder.path().join(name);
        let learn_options = common::proof_options(EvidenceKind::Patterns, BoundUse::Never);
        let report =
            case.prove(&learn_options, Limits::none(), &path).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.manifest.evidence, Evidence::Patterns { proofs: PatternProofs::None });
        let again = || check(&path, None, &Limits::none(), &mut |_| {});
        assert!(again().is_ok());
        let file = path.join("patterns.txt");
        let list = std::fs::read_to_string(&file).expect("the list");
        std::fs::write(&file, list.replace("claim ", "claim 1")).expect("writable");
        assert!(matches!(again(), Err(CheckError::Invalid { .. })), "{name}");
    }
}

/// Certificates with LRAT proofs: a sample of boards and rooms, all seen by a checker of other people.
#[test]
fn simple_patterns_are_refuted_without_a_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut bounds, mut lost, mut refused) = (0, 0, 0);
    let number = extent(20, 60);
    let boards = (0..number).map(|seed| (seed, Some(board(seed))));
    let rooms = (0..2 * number).map(|seed| (seed, room(seed)));
    for (number, (seed, instance)) in boards.chain(rooms).enumerate() {
        let Some(instance) = instance else { continue };
        let instance = instance.as_ref();
        let Some(optimum) = common::optimum(instance, STATES) else { continue };
        let claimed = match optimum {
            Some(0) => continue,
            Some(optimum) => (Claim::NothingWithin(optimum - 1), None),
            None => (Claim::Unsolvable, None),
        };
        let text = instance.text();
        let case = common::Case { instance, text: &text, claimed };
        let path = folder.path().join(number.to_string());
        // Waste, by prices that the rules judge; and pushes, by formulas that show the potential.
        for (use_bound, counts) in
            [(BoundUse::Always, Counts::Waste), (BoundUse::Never, Counts::Pushes)]
        {
            let learn_options = common::proof_options(EvidenceKind::Patterns, use_bound);
            let learn_options = prove::ProofOptions { lrat: true, force: true, ..learn_options };
            let report = case.prove(&learn_options, Limits::none(), &path);
            let report = report.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            let proofs = PatternProofs::Lrat(counts);
            assert_eq!(report.manifest.evidence, Evidence::Patterns { proofs });
            common::seen_by_ordeal(&path);
        }
        *(if optimum.is_some() { &mut bounds } else { &mut lost }) += 1;
        // Without one of its patterns a list proves nothing, and its formulas are not refuted.
        let file = path.join("patterns.txt");
        let list = PatternList::read(std::fs::read(&file).expect("the list").as_slice());
        let mut list = list.expect("a list");
        if let Some(last) = list.patterns.last_mut() {
            last.value = last.value.map(|value| value + 1);
            let _ = last.pieces.pop();
            let dropping = instance.capability::<dyn PatternJudge>().expect("boxes may be dropped");
            let limits = Limits::none();
            let mut monitor = Monitor::silent(&limits);
            for counts in Counts::ALL {
                let formulas = dropping.pattern_formulas(&list, counts, &mut monitor);
                let proved = formulas.and_then(|formulas| {
                    Obligation::ALL.into_iter().try_for_each(|part| {
                        let out = &mut std::io::sink();
                        lrat::prove(formulas.as_ref(), part, out, &mut monitor).map(drop)
                    })
                });
                refused += u64::from(proved.is_err());
                assert!(proved.is_err() || judge(instance, &list).is_ok(), "seed {seed}: {list}");
            }
        }
    }
    println!("{bounds} bounds, {lost} without a solution, {refused} changed lists refused");
    let enough = 2 * bounds > number && 2 * lost > number && 2 * refused > number;
    assert!(enough, "{bounds}, {lost}, {refused}");
}

/// Threads share what they learn; what comes out is the same.
#[test]
fn threads_find_the_same_optimum() {
    let mut seen = 0;
    let rooms = extent(60, 150);
    for seed in 0..rooms {
        let Some(instance) = room(seed) else { continue };
        let Some(optimum) = common::optimum(instance.as_ref(), STATES) else { continue };
        let learn_options = LearnOptions { threads: 3, ..LearnOptions::default() };
        let LearnReport { end, list, .. } = learn(instance.as_ref(), learn_options);
        match (optimum, end) {
            (Some(0), LearnEnd::Found(_, None)) => continue,
            (Some(optimum), LearnEnd::Found(plan, None)) => {
                assert_eq!(plan.tally().pushes, optimum, "seed {seed}");
                assert_eq!(list.claim, Some(optimum - 1), "seed {seed}");
            }
            (None, LearnEnd::Lost) => assert_eq!(list.claim, None, "seed {seed}"),
            (optimum, end) => panic!("seed {seed}: {optimum:?}, but {end:?}"),
        }
        assert_eq!(judge(instance.as_ref(), &list), Ok(()), "seed {seed}");
        seen += 1;
    }
    assert!(3 * seen > rooms, "{seen}");
}

/// With one thread two runs are alike.
#[test]
fn one_thread_repeats_itself() {
    for seed in 0..extent(15, 40) {
        let Some(instance) = room(seed) else { continue };
        let run =
            || learn(instance.as_ref(), LearnOptions { threads: 1, ..LearnOptions::default() });
        let (one, other) = (run(), run());
        assert_eq!((one.stats, one.list), (other.stats, other.list), "seed {seed}");
    }
}
