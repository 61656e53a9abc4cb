//! The contents of a zone and patterns that count what is wasted outside it, honest and forged: what
//! the judge accepts of them is held to [`truth`](super::super::truth).

use super::super::truth::{Board, Mask, NEVER, Wastes, bit, bits, falsehood};
use super::{Flaw, Forge, Shove, boards, is_accepted, subsets, value};
use crate::patterns::{Cover, Pattern, PatternId, PatternList, PatternReason};
use fastrand::Rng;
use std::collections::HashMap;

/// The rule that a list breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breach {
    None,
    /// A push into the zone is said to waste outside it.
    Entering,
    /// A goal is outside the zone.
    Goal,
    /// A box of a pattern is inside the zone.
    Inside,
    /// The player may be elsewhere.
    Player,
    /// A pattern that counts all pushes of its boxes covers one that does not.
    Dead,
    /// The contents of the zone count twice.
    Twice,
    /// The contents are those of another zone.
    OtherZone,
    /// A pattern that counts all pushes of its boxes is added to the contents.
    Beside,
    /// A box counts twice.
    Shared,
    /// Values are too high by one, somewhere.
    Higher,
}

const BREACHES: [Breach; 11] = [
    Breach::None,
    Breach::Entering,
    Breach::Goal,
    Breach::Inside,
    Breach::Player,
    Breach::Dead,
    Breach::Twice,
    Breach::OtherZone,
    Breach::Beside,
    Breach::Shared,
    Breach::Higher,
];

/// A pattern outside the zone: its boxes, the player's part, and what its pushes lead to.
struct Shape {
    boxes: Mask,
    player: usize,
    part: Mask,
    shown: Vec<(Shove, i64, Vec<By>)>,
    value: i64,
}

/// What covers a push: a pattern outside the zone, or one that counts all pushes of its boxes.
#[derive(Clone, Copy)]
enum By {
    Outside(usize),
    Dead(usize),
}

/// The patterns outside a zone, as strong as their covers show.
struct Outside<'a> {
    board: &'a Board,
    shapes: Vec<Shape>,
    by: HashMap<Mask, Vec<usize>>,
}

impl<'a> Outside<'a> {
    fn new(
        forge: &Forge<'a>,
        dead: &[i64],
        zone: Mask,
        breach: Breach,
        rng: &mut Rng,
    ) -> Outside<'a> {
        let board = forge.board;
        let mut outside = Self { board, shapes: Vec::new(), by: HashMap::new() };
        let cells = if breach == Breach::Inside { board.all() } else { board.all() & !zone };
        for boxes in subsets(cells).filter(|&boxes| boxes != 0) {
            if boxes.count_ones() > board.boxes.count_ones() {
                continue;
            }
            let mut rest = board.all() & !boxes;
            while rest != 0 {
                let player = rest.trailing_zeros() as usize;
                let part = board.reach(boxes, player);
                rest &= !part;
                outside.by.entry(boxes).or_default().push(outside.shapes.len());
                outside.shapes.push(Shape { boxes, player, part, shown: Vec::new(), value: NEVER });
            }
        }
        for at in 0..outside.shapes.len() {
            outside.shapes[at].shown = outside.shown(at, forge, zone, breach, rng);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..outside.shapes.len() {
                for (_, waste, by) in &outside.shapes[at].shown {
                    let values = by.iter().map(|by| match *by {
                        By::Outside(at) => outside.shapes[at].value,
                        By::Dead(at) => dead[at],
                    });
                    let most = (waste + values.sum::<i64>()).min(NEVER);
                    if most < outside.shapes[at].value {
                        outside.shapes[at].value = most;
                        changed = true;
                        break;
                    }
                }
            }
        }
        if breach == Breach::Higher
            && let Some(shape) = rng.choice(&mut outside.shapes)
        {
            shape.value = (shape.value + 1).min(NEVER);
        }
        outside
    }

    fn find(&self, boxes: Mask, player: usize) -> Option<usize> {
        let mut all = self.by.get(&boxes)?.iter().copied();
        all.find(|&at| self.shapes[at].part & bit(player) != 0)
    }

    fn shown(
        &self,
        at: usize,
        forge: &Forge<'_>,
        zone: Mask,
        breach: Breach,
        rng: &mut Rng,
    ) -> Vec<(Shove, i64, Vec<By>)> {
        let shape = &self.shapes[at];
        let own = |it: &&Shove| {
            let (from, to) = (bit(it.from), bit(it.to));
            shape.boxes & from != 0 && shape.boxes & to == 0 && shape.part & bit(it.behind) != 0
        };
        let mut shown = Vec::new();
        for shove in self.board.shoves.iter().filter(own) {
            let Some(waste) = forge.waste(shove) else { continue };
            let touches = zone & (bit(shove.from) | bit(shove.to)) != 0;
            let waste = if touches && breach != Breach::Entering { 0 } else { waste };
            let stays = zone & bit(shove.to) == 0 || breach == Breach::Inside;
            let after = shape.boxes & !bit(shove.from) | if stays { bit(shove.to) } else { 0 };
            let some = after & rng.u32(..);
            let breaks = rng.u8(..3) > 0;
            let mut by: Vec<By> = match breach {
                Breach::Player if breaks => {
                    let parts = self.by.get(&after).into_iter().flatten();
                    let other =
                        parts.copied().find(|&it| self.shapes[it].part & bit(shove.from) == 0);
                    other.map(By::Outside).into_iter().collect()
                }
                Breach::Dead if breaks => forge
                    .with_player((false, after, 0), shove.from)
                    .map(By::Dead)
                    .into_iter()
                    .collect(),
                Breach::Shared if breaks && some != 0 => {
                    let twice = [self.find(after, shove.from), self.find(some, shove.from)];
                    twice.into_iter().flatten().map(By::Outside).collect()
                }
                _ => Vec::new(),
            };
            if by.is_empty() {
                let parts = if rng.u8(..4) == 0 { [some, after & !some] } else { [after, 0] };
                by.extend(
                    parts.iter().filter_map(|&it| self.find(it, shove.from)).map(By::Outside),
                );
            }
            shown.push((*shove, waste, by));
        }
        shown
    }

    /// The patterns after those that count all pushes of their boxes.
    fn patterns(&self, dead: &HashMap<usize, PatternId>, before: usize) -> Vec<Pattern> {
        let cover = |(shove, _, by): &(Shove, i64, Vec<By>)| Cover {
            from: self.board.place(shove.from),
            direction: shove.direction,
            by: by
                .iter()
                .map(|by| match by {
                    By::Outside(at) => (before + at) as PatternId,
                    By::Dead(at) => dead[at],
                })
                .collect(),
        };
        let patterns = self.shapes.iter().map(|shape| Pattern {
            pieces: self.board.places(shape.boxes),
            empty: Vec::new(),
            player: self.board.place(shape.player),
            value: value(shape.value),
            why: PatternReason::Outside(0, shape.shown.iter().map(cover).collect()),
        });
        patterns.collect()
    }
}

/// The most that the judge accepts of the contents of a zone.
fn contents(
    board: &Board,
    list: &PatternList,
    (boxes, player): (Mask, usize),
    zone: u32,
) -> Option<(Pattern, i64)> {
    let mut best = None;
    for waste in 0..9 {
        let pattern = Pattern {
            pieces: board.places(boxes),
            empty: Vec::new(),
            player: board.place(player),
            value: Some(waste),
            why: PatternReason::Zone(zone),
        };
        let bare =
            PatternList { root: Vec::new(), patterns: vec![pattern.clone()], ..list.clone() };
        if !is_accepted(board, &bare) {
            break;
        }
        best = Some((pattern, i64::from(waste)));
    }
    best
}

#[test]
fn a_zone_and_its_outside_add_up_to_what_is_true() {
    let (mut refused, mut harmless, mut added) = ([0; BREACHES.len()], 0, 0);
    let mut honest = 0;
    for (seed, board, mut rng) in boards(6_000, 400) {
        if board.goals.count_ones() != board.boxes.count_ones() {
            continue;
        }
        let optimum = board.optimum();
        let forge = Forge::new(&board, &mut rng, Flaw::None);
        let Some(claim) = forge.claim(0) else { continue };
        let forged = forge.forge(Flaw::None, &mut rng);
        let wastes = Wastes::of(&board, &forge.list);
        for (number, &breach) in BREACHES.iter().enumerate() {
            let goal = rng.choice(bits(board.goals)).expect("a goal");
            let random = |rng: &mut Rng| board.goals | board.all() & rng.u32(..) & rng.u32(..);
            let (mut zone, other) = (random(&mut rng), random(&mut rng));
            if breach == Breach::Goal {
                zone &= !bit(goal);
            }
            let outside = Outside::new(&forge, &forged.values, zone, breach, &mut rng);
            let dead: Vec<usize> = (0..forge.shapes.len())
                .filter(|&it| !forge.shapes[it].total && forge.shapes[it].empty == 0)
                .collect();
            let (mut list, numbers) = forge.list(&forged, &dead);
            list.zones = vec![board.places(zone), board.places(other)];
            list.claim = claim;
            let before = list.patterns.len();
            let numbers: HashMap<usize, PatternId> = numbers.into_iter().collect();
            list.patterns.extend(outside.patterns(&numbers, before));
            let (of, zone) = if breach == Breach::OtherZone { (1, other) } else { (0, zone) };
            let inside = board.boxes & zone;
            let most = contents(&board, &list, (inside, board.player), of);
            let mut sum = 0;
            list.root.clear();
            if let Some((pattern, waste)) = most {
                let times = if breach == Breach::Twice { 2 } else { 1 };
                list.root.extend([list.patterns.len() as PatternId].repeat(times));
                list.patterns.push(pattern);
                sum += waste * times as i64;
            }
            let rest = board.boxes & !inside;
            let some = rest & rng.u32(..);
            let beside = breach == Breach::Beside;
            for part in [some, rest & !some] {
                if beside && let Some(at) = forge.with_player((false, part, 0), board.player) {
                    list.root.push(numbers[&at]);
                    sum += forged.values[at];
                } else if let Some(at) = outside.find(part, board.player) {
                    list.root.push((before + at) as PatternId);
                    sum += outside.shapes[at].value;
                }
            }
            let Some(claim) = forge.claim(sum.min(NEVER)) else { continue };
            list.claim = claim;
            if breach == Breach::None {
                honest += 1;
                added += usize::from(list.root.len() > 1 && sum > 0);
                assert!(is_accepted(&board, &list), "seed {seed}: {list}");
            }
            if is_accepted(&board, &list) {
                harmless += usize::from(breach != Breach::None);
                let wrong = falsehood(&board, optimum, Some(&wastes), &list);
                assert_eq!(wrong, None, "seed {seed}, {breach:?}: {list}");
            } else {
                refused[number] += 1;
            }
        }
    }
    assert!(harmless > 500, "{harmless}");
    assert!(honest > 100 && added > 50, "{honest}, {added}");
    assert!(refused.iter().skip(1).all(|&it| it > 5), "{refused:?}");
}
