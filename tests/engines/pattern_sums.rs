//! Dead patterns that add up, as pseudo-Boolean formulas: along every plan the numbers of the boxes
//! keep what the formulas say of them, and the proofs of true lists are written and accepted.

use super::patterns::{STATES, board, judge, learn, room};
use crate::common;
use crate::common::extent::extent;
use std::collections::{BTreeMap, HashMap};
use unstuck::certificate::check::check;
use unstuck::certificate::external_check::Program;
use unstuck::certificate::prove::{BoundUse, EvidenceKind, ProofOptions};
use unstuck::certificate::{Claim, Evidence, PatternProofs};
use unstuck::formula::pseudo_boolean::WeightedLit;
use unstuck::instance::{Instance, PatternJudge};
use unstuck::learn::LearnOptions;
use unstuck::limits::{Limits, Monitor};
use unstuck::transition::{Obligation, cutting_planes};
use unstuck_puzzles::Objective;
use unstuck_puzzles::patterns::{PatternList, PatternReason};

/// Boards and rooms, by their numbers.
fn levels(number: u64) -> impl Iterator<Item = Box<dyn Instance>> {
    (0..number).map(board).chain((0..2 * number).filter_map(room))
}

fn adds_up(list: &PatternList) -> bool {
    list.patterns.iter().all(|pattern| matches!(pattern.why, PatternReason::Dead(_)))
}

/// The cells of boxes by their number.
type Boxes = BTreeMap<usize, (i64, i64)>;

/// Walks through a plan: before and after each move the cells of all boxes by their number, and the
/// push, as its variable is called.
fn walk(text: &str, plan: &str) -> Vec<(Boxes, Option<(usize, String)>)> {
    let (mut player, mut boxes) = ((0, 0), BTreeMap::new());
    for (row, line) in (0..).zip(text.lines()) {
        for (column, symbol) in (0..).zip(line.chars()) {
            if matches!(symbol, '@' | '+') {
                player = (row, column);
            } else if matches!(symbol, '$' | '*') {
                boxes.insert(boxes.len(), (row, column));
            }
        }
    }
    let mut seen = vec![(boxes.clone(), None)];
    for letter in plan.chars() {
        let (delta, name) = match letter.to_ascii_lowercase() {
            'u' => ((-1, 0), "up"),
            'd' => ((1, 0), "down"),
            'l' => ((0, -1), "left"),
            _ => ((0, 1), "right"),
        };
        let add = |at: (i64, i64)| (at.0 + delta.0, at.1 + delta.1);
        player = add(player);
        let pushed = boxes.iter().find(|(_, at)| **at == player).map(|(&number, _)| number);
        let push = pushed.map(|number| {
            boxes.insert(number, add(player));
            (number, format!("push({},{},{name})", player.0, player.1))
        });
        assert_eq!(push.is_some(), letter.is_ascii_uppercase(), "{plan} on\n{text}");
        seen.push((boxes.clone(), push));
    }
    seen
}

/// Whether a constraint holds where the named variables have these values and all others are false.
fn holds(
    (terms, least): (&[WeightedLit], u64),
    names: &HashMap<u32, String>,
    value: &dyn Fn(&str) -> bool,
) -> bool {
    let is_true = |lit: &unstuck_encodings::Lit| {
        names.get(&lit.number()).is_some_and(|name| value(name)) == lit.is_positive()
    };
    terms.iter().filter(|(_, lit)| is_true(lit)).map(|(weight, _)| weight).sum::<u64>() >= least
}

/// The formulas exclude no plan, whatever the prices are: along a shortest plan there are numbers that
/// keep to them, if what is claimed is no less than its length.
#[test]
fn the_numbers_of_a_plan_keep_to_the_formulas() {
    let mut plans = 0;
    let mut random = fastrand::Rng::with_seed(7);
    for instance in levels(extent(25, 100)) {
        let instance = instance.as_ref();
        let Some(Some(plan)) = common::oracle(instance, STATES) else { continue };
        let (text, pushes) = (instance.text(), plan.tally().pushes);
        let learned = learn(instance, LearnOptions::default()).list;
        let mut list = PatternList::clone(&learned);
        list.patterns.clear();
        list.root.clear();
        list.claim = Some(pushes + random.u32(0..3));
        // What was found solved, or at once, has no potential.
        if list.prices.is_empty() {
            continue;
        }
        let Some(sums) = sums_of(instance, &list) else { continue };
        let limits = Limits::none();
        let formula = |part| sums.formula(part, &mut Monitor::silent(&limits)).expect("no limit");
        let names: HashMap<u32, String> = sums
            .comments()
            .map(|line| {
                let (number, name) = line.split_once(' ').expect("a number and a name");
                (number[1..].parse().expect("a number"), name.to_owned())
            })
            .collect();
        // What each box takes until the end: its pushes, less the price of its goal, and the lift.
        let price: HashMap<(i64, i64), i64> = list
            .prices
            .iter()
            .map(|&((row, column), price)| ((row.into(), column.into()), price.into()))
            .collect();
        let lift = price.values().copied().max().unwrap_or(0).max(0);
        let seen = walk(&text, plan.text());
        let end = &seen.last().expect("a state").0;
        let mut takes: BTreeMap<usize, i64> =
            end.iter().map(|(&number, at)| (number, lift - price.get(at).unwrap_or(&0))).collect();
        let named = |boxes: &Boxes, takes: &BTreeMap<usize, i64>, layer| {
            let mut values: HashMap<String, bool> = HashMap::new();
            for (number, (row, column)) in boxes {
                values.insert(format!("box({row},{column})@{layer}"), true);
                for bit in 0..40 {
                    let name = format!("takes({row},{column}).{bit}@{layer}");
                    values.insert(name, takes[number] >> bit & 1 == 1);
                }
            }
            values
        };
        let check = |part, values: &HashMap<String, bool>| {
            let formula = formula(part);
            let value = |name: &str| values.get(name).copied().unwrap_or(false);
            let last = formula.violated.first().map_or(formula.some, |first| first - 1);
            let numbers = formula.constraints.iter().take(last).skip(formula.numbers - 1);
            for (index, constraint) in numbers.enumerate() {
                assert!(holds(constraint, &names, &value), "{part:?} {index} of\n{text}{plan:?}");
            }
        };
        check(Obligation::Safety, &named(end, &takes, 0));
        for step in (1..seen.len()).rev() {
            let after = named(&seen[step].0, &takes, 1);
            let push = seen[step].1.as_ref();
            if let Some((number, _)) = push {
                *takes.get_mut(number).expect("a box") += 1;
            }
            let mut values = named(&seen[step - 1].0, &takes, 0);
            values.extend(after);
            values.extend(push.map(|(_, name)| (format!("{name}@0"), true)));
            check(Obligation::Consecution, &values);
        }
        check(Obligation::Initiation, &named(&seen[0].0, &takes, 0));
        plans += 1;
    }
    assert!(plans > 20, "{plans}");
}

fn sums_of(instance: &dyn Instance, list: &PatternList) -> Option<unstuck::patterns::PatternSums> {
    let judge = instance.capability::<dyn PatternJudge>().expect("boxes may be dropped");
    judge.pattern_sums(list, &mut Monitor::silent(&Limits::none())).ok()
}

/// Whether all three proofs are written.
fn is_proved(instance: &dyn Instance, list: &PatternList) -> bool {
    let Some(sums) = sums_of(instance, list) else { return false };
    let limits = Limits::none();
    let mut monitor = Monitor::silent(&limits);
    Obligation::ALL.into_iter().all(|part| {
        let formula = sums.formula(part, &mut monitor).expect("no limit");
        cutting_planes::prove(&sums, part, &formula, &mut std::io::sink(), &mut monitor).is_ok()
    })
}

/// What is claimed is proved, and what is more than that is not: a larger claim, and larger or smaller
/// patterns.
#[test]
fn sums_are_refuted_by_cutting_planes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut lost, mut refused, mut judged) = (0, 0, 0);
    let number = extent(25, 80);
    for (number, instance) in levels(number).enumerate() {
        let instance = instance.as_ref();
        let Some(optimum) = common::optimum(instance, STATES) else { continue };
        let claim = match optimum {
            Some(0) => continue,
            Some(optimum) => Claim::NothingWithin(optimum - 1),
            None => Claim::Unsolvable,
        };
        let text = instance.text();
        let case = common::Case { instance, text: &text, claimed: (claim, None) };
        let path = folder.path().join(number.to_string());
        let options = common::proof_options(EvidenceKind::Patterns, BoundUse::Auto);
        let options = ProofOptions { veripb: true, ..options };
        let report = case.prove(&options, Limits::none(), &path);
        let report = report.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let proofs = PatternProofs::CuttingPlanes;
        assert_eq!(report.manifest.evidence, Evidence::Patterns { proofs });
        if number % 5 == 0 && common::on_path("veripb") {
            let program = Program("veripb");
            let seen = check(&path, Some(&program), &Limits::none(), &mut |_| {});
            seen.unwrap_or_else(|error| panic!("{error}\n{text}"));
            judged += 1;
        }
        let list = PatternList::read(
            std::fs::read(path.join("patterns.txt")).expect("the list").as_slice(),
        );
        let list = list.expect("a list");
        assert!(adds_up(&list));
        lost += usize::from(optimum.is_none());
        let mut changed = vec![];
        if let Some(claim) = list.claim {
            changed.push(PatternList { claim: Some(claim + list.unit), ..list.clone() });
            changed.push(PatternList { claim: None, ..list.clone() });
        }
        for pattern in 0..list.patterns.len().min(5) {
            let mut more = list.clone();
            more.patterns[pattern].value = more.patterns[pattern].value.map(|value| value + 1);
            changed.push(more);
            let mut fewer = list.clone();
            let _ = fewer.patterns[pattern].pieces.pop();
            changed.push(fewer);
        }
        for changed in changed.into_iter().filter(|changed| *changed != list) {
            let is_proved = is_proved(instance, &changed);
            refused += usize::from(!is_proved);
            assert!(!is_proved || judge(instance, &changed).is_ok(), "{changed}\n{text}");
        }
    }
    println!("{lost} lost, {refused} changed lists refused, {judged} seen by VeriPB");
    assert!(lost > 10 && refused > 40, "{lost}, {refused}");
}

/// Two rooms of two halves: what is wasted in one half is wasted beside that of the other.
const TWO_HALVES: &str = " ####### ########
##@  # ####   # ###
# #        #      #
# $ $  # # $ $  # #
# #### $ # #### $ #
#...    ##...    ##
##################
";

#[test]
fn patterns_without_a_common_box_are_added() {
    let level = unstuck::open("sokoban", TWO_HALVES, Objective::Pushes).expect("a level");
    let instance = level.first();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("certificate");
    let claim = Claim::NothingWithin(87);
    let case = common::Case { instance, text: TWO_HALVES, claimed: (claim, None) };
    let options = common::proof_options(EvidenceKind::Patterns, BoundUse::Auto);
    let options = ProofOptions { veripb: true, ..options };
    case.prove(&options, Limits::none(), &path).unwrap_or_else(|error| panic!("{error}"));
    let list = std::fs::read(path.join("patterns.txt")).expect("the list");
    let list = PatternList::read(list.as_slice()).expect("a list");
    let added = list.patterns.iter().map(|pattern| match &pattern.why {
        PatternReason::Dead(covers) => covers.iter().filter(|cover| cover.by.len() > 1).count(),
        _ => 0,
    });
    let added: usize = added.sum();
    assert!(added > 50, "{added}");
    // A value more is not proved.
    let mut refused = 0;
    for index in (0..list.patterns.len()).filter(|&index| list.patterns[index].value.is_some()) {
        let mut more = list.clone();
        more.patterns[index].value = more.patterns[index].value.map(|value| value + 1);
        let is_proved = is_proved(instance, &more);
        assert!(!is_proved || judge(instance, &more).is_ok(), "{index}");
        refused += usize::from(!is_proved);
        if refused == 20 {
            break;
        }
    }
    assert_eq!(refused, 20);
    if common::on_path("veripb") {
        let program = Program("veripb");
        let seen = check(&path, Some(&program), &Limits::none(), &mut |_| {});
        seen.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// With a claim of 0 no number is ever above 0, and there are numbers all the same.
#[test]
fn that_one_push_is_needed_is_proved() {
    let text = "####\n## #\n# +#\n# $#\n#  #\n####\n";
    let level = unstuck::open("sokoban", text, Objective::Pushes).expect("a level");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("certificate");
    let claim = Claim::NothingWithin(0);
    let case = common::Case { instance: level.first(), text, claimed: (claim, None) };
    let options = common::proof_options(EvidenceKind::Patterns, BoundUse::Auto);
    let options = ProofOptions { veripb: true, ..options };
    case.prove(&options, Limits::none(), &path).unwrap_or_else(|error| panic!("{error}"));
    let list = std::fs::read(path.join("patterns.txt")).expect("the list");
    let list = PatternList::read(list.as_slice()).expect("a list");
    let more = PatternList { claim: Some(2), ..list.clone() };
    assert!(is_proved(level.first(), &list) && !is_proved(level.first(), &more));
    if common::on_path("veripb") {
        let seen = check(&path, Some(&Program("veripb")), &Limits::none(), &mut |_| {});
        seen.unwrap_or_else(|error| panic!("{error}"));
    }
}
