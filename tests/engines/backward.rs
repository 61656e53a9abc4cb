//! Search from the end against exhaustive search from the start: they agree on every board.

use crate::common;
use fastrand::Rng;
use unstuck::instance::{FromTheEnd, Instance, SearchEnd};
use unstuck::limits::Limits;
use unstuck::search::Strategy;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Objective, Options};

/// States after which the oracle gives up on a board.
const STATES: usize = 60_000;

/// A random room with up to five boxes and up to two goals more, the player anywhere in it.
fn room(rng: &mut Rng) -> String {
    let (width, height) = (rng.usize(5..=8), rng.usize(5..=7));
    let mut rows = vec![vec!['#'; width]; height];
    let mut floor = Vec::new();
    for (row, cells) in rows.iter_mut().enumerate().take(height - 1).skip(1) {
        for (column, cell) in cells.iter_mut().enumerate().take(width - 1).skip(1) {
            if rng.u8(..6) > 0 {
                *cell = ' ';
                floor.push((row, column));
            }
        }
    }
    rng.shuffle(&mut floor);
    let boxes = rng.usize(1..=5).min(floor.len() / 3);
    let goals = boxes + if rng.bool() { 0 } else { rng.usize(1..=2) };
    // A third of the boxes begin on goals.
    let at_home = (0..boxes).filter(|_| rng.u8(..3) == 0).count();
    for (number, (row, column)) in floor.into_iter().enumerate() {
        rows[row][column] = match number {
            number if number < at_home => '*',
            number if number < goals => '.',
            number if number < goals + boxes - at_home => '$',
            number if number == goals + boxes - at_home => '@',
            _ => continue,
        };
    }
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// Small random boards, named.
fn boards(objective: Objective) -> impl Iterator<Item = (String, Box<dyn Instance>)> {
    let family = unstuck::registry::by_name(unstuck::SOKOBAN).expect("it is built in");
    let samples = (0..1_500).map(|seed| (format!("sample {seed}"), (family.sample)(seed)));
    let mut rng = Rng::with_seed(67);
    let rooms = (0..2_500).filter_map(move |number| {
        let options = Options::new(family.options, []).expect("defaults fit");
        let level = (family.read)(&room(&mut rng), &options).ok()?.pop()?.puzzle.ok()?;
        Some((format!("room {number}"), level))
    });
    samples.chain(rooms).map(move |(name, level)| {
        (name, level.instances(objective).expect("a known objective").remove(0))
    })
}

/// Greedy search finds a plan if and only if there is one; A* and breadth-first search a shortest
/// one, and the bound that they show on the way is never too high.
#[test]
fn what_is_found_from_the_end_is_what_there_is() {
    let [mut solvable, mut unsolvable, mut spare, mut bounded] = [0; 4];
    for (name, instance) in boards(Objective::Pushes) {
        let Some(known) = common::optimum(instance.as_ref(), STATES) else { continue };
        let game = instance.capability::<dyn FromTheEnd>().expect("it can be played backwards");
        for (weight_tenths, greedy, batch) in
            [(0, false, 1), (10, false, 64), (20, false, 16), (10, true, 1), (10, true, 64)]
        {
            let search = |strategy: Strategy| {
                let strategy = Strategy { weight_tenths, greedy, batch, ..strategy };
                game.begin_search(strategy).expect("it is small")(&Limits::none(), &mut |_| {})
            };
            let report = search(Strategy::default());
            let found = match &report.end {
                SearchEnd::Found(plan) => Some(plan.tally().pushes),
                SearchEnd::Exhausted => None,
                end => panic!("{name}: {end:?}"),
            };
            assert_eq!(found.is_some(), known.is_some(), "{name} by {weight_tenths}");
            if greedy || weight_tenths > 10 {
                continue;
            }
            assert_eq!(found, known, "{name} by {weight_tenths}");
            let Some(known) = known else { continue };
            assert_eq!(report.stats.lower.primary(), known, "{name} by {weight_tenths}");
            // Cut short, it has shown a lower bound.
            let cut = search(Strategy { max_states: Some(1), ..Strategy::default() });
            if matches!(cut.end, SearchEnd::Stopped(_)) {
                assert!(cut.stats.lower.primary() <= known, "{name} by {weight_tenths}");
                bounded += u32::from(cut.stats.lower.primary() > 0);
            }
            // Nothing is left below the optimum.
            let Some(below) = known.checked_sub(1) else { continue };
            let below = search(Strategy { cap: Some(Cost::up_to(below)), ..Strategy::default() });
            assert!(matches!(below.end, SearchEnd::Exhausted), "{name} by {weight_tenths}");
        }
        *if known.is_some() { &mut solvable } else { &mut unsolvable } += 1;
        let facts: std::collections::BTreeMap<_, _> = instance.facts().into_iter().collect();
        spare += u32::from(facts["goals"] != facts["boxes"]);
    }
    let counts = [solvable, unsolvable, spare, bounded];
    assert!(counts[..3].iter().all(|&count| count > 400), "{counts:?}");
    // Most boards are so small that one state shows nothing, or everything.
    assert!(bounded > 10, "{counts:?}");
    assert!(solvable + unsolvable > 3_000, "{counts:?}");
}
