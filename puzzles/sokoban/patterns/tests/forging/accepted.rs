//! Whatever the judge accepts of honest and forged lists is held to [`truth`](super::super::truth).

use super::super::truth::{Board, Mask, Wastes, bit, bits, falsehood};
use super::{FLAWS, Flaw, Forge, boards, is_accepted};
use crate::patterns::{Pattern, PatternError, PatternList, PatternReason, PatternRules};
use fastrand::Rng;

/// A list that is as strong as the definition allows is accepted; one that breaks a rule of it is
/// refused, or says nothing false.
#[test]
fn what_is_accepted_is_true() {
    let (mut honest, mut refused, mut harmless) = (0, [0; FLAWS.len()], 0);
    for (seed, board, mut rng) in boards(1_000, 200) {
        let optimum = board.optimum();
        for own_empty in [false, true] {
            let kind = if own_empty { Flaw::OwnEmpty } else { Flaw::None };
            let forge = Forge::new(&board, &mut rng, kind);
            let wastes = Wastes::of(&board, &forge.list);
            let start = forge.with_player((false, board.boxes, 0), board.player).expect("listed");
            for (at, &flaw) in FLAWS.iter().enumerate() {
                if own_empty != (flaw == Flaw::OwnEmpty) {
                    continue;
                }
                for _ in 0..3 {
                    let forged = forge.forge(flaw, &mut rng);
                    let mut first = vec![start];
                    first.extend((0..6).map(|_| rng.usize(..forge.shapes.len())));
                    let (mut list, numbers) = forge.list(&forged, &first);
                    list.root = vec![numbers[&start]];
                    let Some(claim) = forge.claim(forged.values[start]) else { continue };
                    list.claim = claim;
                    let accepted = is_accepted(&board, &list);
                    if flaw == Flaw::None {
                        assert!(accepted, "seed {seed}: {:?}\n{list}", judged(&board, &list));
                        honest += 1;
                    }
                    if !accepted {
                        refused[at] += 1;
                        continue;
                    }
                    harmless += usize::from(flaw != Flaw::None);
                    let wrong = falsehood(&board, optimum, Some(&wastes), &list);
                    assert_eq!(wrong, None, "seed {seed}, {flaw:?}: {list}");
                }
            }
        }
    }
    assert!(honest > 300, "{honest}");
    assert!(refused.iter().skip(1).all(|&it| it > 15), "{refused:?}");
    assert!(harmless > 1_000, "{harmless}");
}

fn judged(board: &Board, list: &PatternList) -> Result<(), PatternError> {
    board.level.judge_patterns(list, &mut || true).map(|_| ())
}

/// Whatever covers the start, no more is claimed than is true.
#[test]
fn no_root_shows_more_than_is_true() {
    let (mut accepted, mut refused) = (0, 0);
    for (seed, board, mut rng) in boards(2_000, 150) {
        let Some(optimum) = board.optimum() else { continue };
        let forge = Forge::new(&board, &mut rng, Flaw::None);
        let forged = forge.forge(Flaw::None, &mut rng);
        for _ in 0..200 {
            // Those with some of the boxes of the start, or with any.
            let near = rng.u8(..4) > 0;
            let mut roots: Vec<usize> = (0..forge.shapes.len())
                .filter(|&it| !near || forge.shapes[it].boxes & !board.boxes == 0)
                .filter(|&it| forged.values[it] > 0)
                .collect();
            rng.shuffle(&mut roots);
            if roots.is_empty() {
                continue;
            }
            let count = rng.usize(1..=roots.len().min(3));
            let (list, numbers) = forge.list(&forged, &roots[..count]);
            let root = roots[..count].iter().map(|it| numbers[it]).collect();
            let sum = roots[..count].iter().map(|&it| forged.values[it]).sum();
            let claim = forge.claim(sum).unwrap_or(Some(0));
            let list = PatternList { root, claim, ..list };
            if is_accepted(&board, &list) {
                accepted += 1;
                let said = list.claim.map(i64::from);
                assert!(said.is_some_and(|said| said < optimum), "seed {seed}: {list}");
            } else {
                refused += 1;
            }
            for claim in [None, list.claim.map(|it| it + 1), Some(optimum as u32)] {
                let more = PatternList { claim, ..list.clone() };
                assert!(
                    !is_accepted(&board, &more)
                        || more.claim.is_some_and(|it| i64::from(it) < optimum),
                    "seed {seed}: {more}"
                );
            }
        }
    }
    assert!(accepted > 200 && refused > 1000, "{accepted}, {refused}");
}

/// A potential, prices and a unit that were changed are refused, or keep to the rules all the same.
#[test]
fn a_changed_potential_keeps_to_the_rules_or_is_refused() {
    let (mut accepted, mut refused) = (0, 0);
    for (seed, board, mut rng) in boards(3_000, 100) {
        let optimum = board.optimum();
        let forge = Forge::new(&board, &mut rng, Flaw::None);
        let list =
            PatternList { claim: optimum.and_then(|it| u32::try_from(it - 1).ok()), ..forge.list };
        // Where no box can be anywhere, there is nothing to change.
        if list.potential.is_empty() || list.prices.is_empty() {
            continue;
        }
        for _ in 0..30 {
            let mut list = list.clone();
            let at = rng.usize(..list.potential.len());
            let goal = rng.usize(..list.prices.len());
            let step = *rng.choice(&[-2, -1, 1, 2]).expect("some");
            match rng.u8(..8) {
                0 => drop(list.potential.remove(at)),
                1 => list.unit = 3 - list.unit,
                2 => list.prices[goal].1 += step,
                3 => {
                    list.potential.iter_mut().for_each(|it| it.2 += step);
                    list.prices.iter_mut().for_each(|it| it.1 -= step);
                }
                4 => list.potential[at].2 += 1 << 20,
                _ => list.potential[at].2 += step,
            }
            list.claim = match rng.u8(..3) {
                0 => list.claim,
                _ => Some(0),
            };
            if is_accepted(&board, &list) {
                accepted += 1;
                assert_eq!(falsehood(&board, optimum, None, &list), None, "seed {seed}: {list}");
            } else {
                refused += 1;
            }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted}, {refused}");
}

/// A pattern that is shown without looking at what follows, at random: boxes that stand still,
/// goals that are not served, a zone. What its pushes lead to is covered by the list.
fn leaf(
    forge: &Forge<'_>,
    kind: usize,
    rng: &mut Rng,
) -> (Mask, Mask, Vec<(super::Shove, Vec<usize>)>, Mask) {
    let board = forge.board;
    let count = board.boxes.count_ones();
    let some = |mask: Mask, rng: &mut Rng| mask & rng.u32(..);
    let near = board.goals | board.boxes;
    let mut boxes = some(if rng.bool() { near } else { board.all() }, rng);
    if kind == 2 && rng.u8(..4) == 0 {
        boxes = board.goals;
    }
    while boxes.count_ones() > count {
        boxes &= !bit(rng.choice(bits(boxes)).expect("some"));
    }
    let mut still = some(boxes, rng);
    if rng.u8(..12) == 0 {
        still |= some(board.goals, rng);
    }
    let empty = match kind {
        0 if rng.u8(..6) > 0 => 0,
        _ => some(forge.empties, rng) & !boxes,
    };
    let mut covers = Vec::new();
    for shove in
        board.shoves.iter().filter(|it| still & bit(it.from) != 0 && still & bit(it.to) == 0)
    {
        let after = still & !bit(shove.from) | bit(shove.to);
        if let Some(by) = forge.with_player((false, after, 0), shove.from)
            && rng.u8(..12) > 0
        {
            covers.push((*shove, vec![by]));
        }
    }
    (boxes, still, covers, empty)
}

/// The strongest value that the judge accepts of patterns that are shown without looking at what
/// follows is true. How strong it is in all is fixed: a check that refuses too much is noticed.
#[test]
fn still_boxes_unserved_goals_and_zones_promise_what_is_true() {
    let mut strength = [(0, 0); 3];
    for (seed, board, mut rng) in boards(4_000, 250) {
        let optimum = board.optimum();
        let forge = Forge::new(&board, &mut rng, Flaw::None);
        let forged = forge.forge(Flaw::None, &mut rng);
        let wastes = Wastes::of(&board, &forge.list);
        let start = forge.with_player((false, board.boxes, 0), board.player).expect("listed");
        // The potential may exclude something by itself.
        let bare = forge.claim(0);
        let Some(claim) = bare.or_else(|| forge.claim(forged.values[start])) else { continue };
        for kind in (0..3).flat_map(|kind| [kind; 8]) {
            let (boxes, still, covers, empty) = leaf(&forge, kind, &mut rng);
            let outside = board.all() & !boxes;
            if outside == 0 {
                continue;
            }
            let player = rng.choice(bits(outside)).expect("some");
            let mut first: Vec<usize> = covers.iter().flat_map(|(_, by)| by.clone()).collect();
            first.extend(bare.is_none().then_some(start));
            let (mut list, numbers) = forge.list(&forged, &first);
            let PatternReason::Dead(covers) = forge.reason(false, &covers, &numbers) else {
                unreachable!("not total")
            };
            list.root = bare.is_none().then(|| numbers[&start]).into_iter().collect();
            list.claim = claim;
            let still = board.places(still);
            let why = match kind {
                0 => PatternReason::Matching(still, covers),
                1 => {
                    let goals = board.goals & (rng.u32(..) | rng.u32(..));
                    PatternReason::Unserved(still, board.places(goals), covers)
                }
                _ => {
                    let around = board.goals | boxes | board.all() & rng.u32(..) & rng.u32(..);
                    let without = match rng.u8(..8) {
                        0 => board.goals & rng.u32(..),
                        1 => boxes & rng.u32(..),
                        _ => 0,
                    };
                    // Another zone, which says something else.
                    list.zones = vec![board.places(board.goals), board.places(around & !without)];
                    list.patterns.push(Pattern {
                        pieces: board.places(board.goals & boxes),
                        empty: Vec::new(),
                        player: board.place(player),
                        value: Some(0),
                        why: PatternReason::Zone(0),
                    });
                    PatternReason::Zone(1)
                }
            };
            for value in [Some(0), Some(1), Some(2), Some(3), Some(5), Some(20), None] {
                let pattern = Pattern {
                    pieces: board.places(boxes),
                    empty: board.places(empty),
                    player: board.place(player),
                    value,
                    why: why.clone(),
                };
                let mut with = list.clone();
                with.patterns.push(pattern);
                if !is_accepted(&board, &with) {
                    break;
                }
                strength[kind].0 += 1;
                strength[kind].1 += value.unwrap_or(50);
                let wrong = falsehood(&board, optimum, Some(&wastes), &with);
                assert_eq!(wrong, None, "seed {seed}: {with}");
            }
        }
    }
    assert_eq!(strength, [(7639, 75136), (5186, 49852), (4231, 18382)]);
}
