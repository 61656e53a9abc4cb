//! How many objects there can be, and how many of them a turn can move.

use super::facts::Facts;
use super::relevance::effects;
use unstuck_puzzles::puzzlescript::{
    CellPattern, Command, Direction, Game, Kind, Mask, Pattern, Rule,
};

/// Whether a rule may leave more objects of a set than it has found.
///
/// What moves stays as many. A rule that changes the set in one row only finds that row as its
/// patterns say, in as many cells as these are, so the changes of the cells can be added up.
pub(crate) fn can_become_more(game: &Game, facts: &Facts, set: &[usize]) -> bool {
    facts.possible(game).any(|(_, rule, _)| {
        let mut rows = rule.rows.iter().filter_map(|row| {
            let cells = row.iter().filter_map(|pattern| match pattern {
                Pattern::Cell(cell) => difference(facts, cell, set),
                Pattern::Ellipsis => None,
            });
            cells.reduce(|sum, more| sum + more)
        });
        let first = rows.next().unwrap_or(0);
        first > 0 || rows.next().is_some()
    })
}

/// Whether the level begins with one object of a set, and there never are more.
pub(crate) fn is_single(game: &Game, facts: &Facts, set: &[usize]) -> bool {
    facts.at_start(set) == 1 && !can_become_more(game, facts, set)
}

/// By how much a pattern's replacement adds to a set in a cell, at most; nothing if it has
/// nothing to do with the set.
fn difference(facts: &Facts, cell: &CellPattern, set: &[usize]) -> Option<i32> {
    let change = cell.replacement.as_ref()?;
    let among =
        |mask: &Mask| -> Vec<usize> { mask.bits().filter(|bit| set.contains(bit)).collect() };
    let (put, cleared) = (among(&change.set), among(&change.clear));
    let mut layers: Vec<usize> =
        put.iter().chain(&cleared).map(|&object| facts.layer[object]).collect();
    layers.sort_unstable();
    layers.dedup();
    let difference = |layer: usize| {
        let here = |object: &usize| facts.layer[*object] == layer;
        let found = wanted(cell)
            .into_iter()
            .find(|part| part.iter().all(|object| here(object) && set.contains(object)));
        let goes = |found: &Vec<usize>| found.iter().all(|object| cleared.contains(object));
        match (put.iter().any(here), found) {
            (true, found) => i32::from(found.is_none()),
            (false, found) => -i32::from(found.is_some_and(|found| goes(&found))),
        }
    };
    layers.into_iter().map(difference).reduce(|sum, more| sum + more)
}

/// Whether a turn moves at most one object of a set, by at most one cell, and changes nothing else
/// about any of them; so that what each of them needs can be added up.
///
/// This is shown where all of the following hold.
///
/// * There is one player, for ever, and early rules neither put nor take players. So before objects
///   move, the player is in one cell, and what is ahead of it is in one cell.
/// * Rules give a player no movement but one that it has, so it has that of the input.
/// * The objects of the set are in one layer, and no rule puts or takes any of them.
/// * A rule that sets one of them in motion does so in the cell ahead of a player that moves.
///
/// Then only what is in that cell can be in motion, which is one object of the set at most; and it
/// moves once, because a turn has one tick and no movement is left over in its layer.
pub(crate) fn move_alone(game: &Game, facts: &Facts, set: &[usize]) -> bool {
    let (Kind::Any(player) | Kind::All(player)) = &game.player;
    let players: Vec<usize> = player.bits().collect();
    let layer = |object: &usize| facts.layer[*object];
    let Some(own) = set.first().map(layer) else { return false };
    let is_adrift = |layer: usize| facts.adrift[layer].iter().any(|cells| !cells.is_empty());
    let is_simple = is_single(game, facts, &players)
        && set.iter().all(|object| layer(object) == own && !players.contains(object))
        && !is_adrift(own)
        && !players.iter().any(|object| is_adrift(layer(object)));
    is_simple
        && facts.possible(game).all(|(late, rule, _)| {
            let (put, taken) = effects(facts, rule);
            let mut changed = put.iter().chain(&taken);
            let keeps = changed.all(|it| !set.contains(it) && (late || !players.contains(it)));
            keeps
                && !rule.commands.contains(&Command::Again)
                && (late || pushes(facts, rule, set, &players))
        })
}

/// Whether a rule sets objects in motion only in the cell ahead of a moving player, and players only
/// as they move already.
fn pushes(facts: &Facts, rule: &Rule, set: &[usize], players: &[usize]) -> bool {
    // Which players a pattern wants, if it wants any, and their movement.
    let moves = |cell: &CellPattern| -> Option<u64> {
        let wanted = wanted(cell).into_iter();
        let mut wanted = wanted.filter(|part| part.iter().all(|object| players.contains(object)));
        Some(cell.moving.movement(facts.layer[*wanted.next()?.first()?]))
    };
    rule.rows.iter().all(|row| {
        row.iter().enumerate().all(|(at, pattern)| {
            let Pattern::Cell(cell) = pattern else { return true };
            let Some(change) = &cell.replacement else { return true };
            change.start.movements(facts.members.len()).all(|(layer, start)| {
                let (objects, _) = facts.named(cell, layer);
                let is_player = objects.iter().any(|object| players.contains(object));
                let is_known = start & !cell.moving.movement(layer) == 0;
                let is_pushed = |from: Option<usize>, way: Direction| {
                    let player = from.and_then(|from| match row.get(from)? {
                        Pattern::Cell(cell) => moves(cell),
                        Pattern::Ellipsis => None,
                    });
                    player == Some(1_u64 << way as u32)
                };
                let ahead = || {
                    is_pushed(at.checked_sub(1), rule.direction)
                        || is_pushed(Some(at + 1), opposite(rule.direction))
                };
                (!is_player || is_known)
                    && (!objects.iter().any(|object| set.contains(object)) || ahead())
            })
        })
    })
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// Sets of objects, one of each of which a pattern wants.
pub(crate) fn wanted(cell: &CellPattern) -> Vec<Vec<usize>> {
    let present = cell.present.bits().map(|object| vec![object]);
    present.chain(cell.any.iter().map(|any| any.bits().collect())).collect()
}
