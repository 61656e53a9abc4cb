//! What of a level a state must know: layers that matter, and objects that outlive a turn.

use super::cells::Cells;
use super::facts::Facts;
use std::collections::HashSet;
use unstuck_puzzles::Moves;
use unstuck_puzzles::puzzlescript::{
    CellPattern, Command, Game, Group, Kind, Mask, Pattern, PuzzleScript, Rule,
};

/// Which layers of a game matter on a level.
///
/// The layers that are left out are *cosmetic*: what is in them never decides about anything else.
/// This is the argument. Call a rule cosmetic if it changes cosmetic layers only and asks for
/// nothing that the end of a turn depends on. By the closure below,
///
/// * no other rule, win condition or player looks at a cosmetic layer, and nothing moves in one, so
///   one application of any other rule does the same to the other layers whatever is in these;
/// * with cosmetic rules or effects a group (or loop) goes on as long as any layer changes. In a
///   round in which the others do not change, cosmetic effects reach a standstill, because within a
///   group or loop they set and clear different objects and never make a match that was not there:
///   every match of the next round was one before, and has had its effect. So there is at most one
///   more round, which finds the other layers as they are and leaves them so;
/// * whether a tick follows by AGAIN depends on all layers, so with that command all matter; and all
///   loops of a turn share a counter of jumps, so with a loop all matter, too.
///
/// What differs is that a turn that changes only cosmetic layers leads to the same state. A group that
/// a counter ends may have been in its last round anyway.
pub(crate) fn relevant_layers(game: &Game, facts: &Facts) -> Vec<bool> {
    let mut relevant = vec![false; game.layers.len()];
    let rules: Vec<(bool, &Rule, _)> = facts.possible(game).collect();
    let asks = |command: &Command| rules.iter().any(|(_, it, _)| it.commands.contains(command));
    let is_tied = |group: &Group| group.rigid.is_some() || group.loop_to.is_some();
    if asks(&Command::Again) || game.rules.iter().chain(&game.late_rules).any(is_tied) {
        return vec![true; game.layers.len()];
    }
    let wins = asks(&Command::Win);
    let objects = |kind: &Kind| match kind {
        Kind::Any(mask) | Kind::All(mask) => mask.bits().collect::<Vec<_>>(),
    };
    let conditions =
        game.conditions.iter().flat_map(|condition| [Some(&condition.what), condition.on.as_ref()]);
    for kind in conditions.flatten().chain([&game.player]) {
        objects(kind).into_iter().for_each(|object| relevant[facts.layer[object]] = true);
    }
    for (layer, relevant) in relevant.iter_mut().enumerate() {
        *relevant |= facts.is_moving(layer);
    }
    let possible: HashSet<*const Rule> = rules.iter().map(|it| std::ptr::from_ref(it.1)).collect();
    let units = [units(&game.rules), units(&game.late_rules)].concat();
    let units = units.iter().map(|unit| -> Vec<&Rule> {
        let rules = unit.iter().flat_map(|group| &group.rules);
        rules.filter(|rule| possible.contains(&std::ptr::from_ref(*rule))).collect()
    });
    let units: Vec<Vec<&Rule>> = units.collect();
    loop {
        let before = relevant.clone();
        for (_, rule, _) in &rules {
            if is_relevant(game, facts, rule, &relevant, wins) {
                cells(rule).for_each(|cell| look_at(game, facts, cell, &mut relevant));
            }
        }
        for unit in &units {
            settle(facts, unit, &mut relevant);
        }
        if relevant == before {
            return relevant;
        }
    }
}

/// Whether RESTART is no move on a level, and CANCEL leaves everything as it is, where rules ask for
/// them: that a board is won without a turn is seen at its start.
pub(crate) fn is_plain(puzzle: &PuzzleScript) -> bool {
    let (game, map) = (puzzle.game(), puzzle.map());
    let has_restart = game.has_command(|command| matches!(command, Command::Restart));
    let has_cancel = game.has_command(|command| matches!(command, Command::Cancel));
    (!has_restart || game.restarts_plainly(map))
        && (!has_cancel || game.cancels_plainly(&puzzle.start().cells))
}

/// Whether a rule has a part in what a state must know.
pub(crate) fn is_relevant(
    game: &Game,
    facts: &Facts,
    rule: &Rule,
    relevant: &[bool],
    wins: bool,
) -> bool {
    let asks = |command: &Command| match command {
        Command::Cancel | Command::Restart | Command::Win | Command::Again => true,
        // A message takes WIN away.
        Command::Message(_) => wins,
        Command::Checkpoint | Command::Sound(_) => false,
    };
    let moves = cells(rule).filter_map(|cell| cell.replacement.as_ref()).any(|change| {
        let movements = [&change.stop, &change.start, &change.decided].into_iter();
        let mut layers = movements.flat_map(|mask| mask.movements(game.layers.len()));
        layers.any(|(layer, _)| relevant[layer])
    });
    let (set, cleared) = effects(facts, rule);
    let changes = moves || set.into_iter().chain(cleared).any(|it| relevant[facts.layer[it]]);
    changes || rule.commands.iter().any(asks)
}

/// The patterns of single cells of a rule.
pub(crate) fn cells(rule: &Rule) -> impl Iterator<Item = &CellPattern> {
    rule.rows.iter().flatten().filter_map(|pattern| match pattern {
        Pattern::Cell(cell) => Some(cell),
        Pattern::Ellipsis => None,
    })
}

/// Objects that a rule can put where they were not, and those that it can take away.
pub(crate) fn effects(facts: &Facts, rule: &Rule) -> (Vec<usize>, Vec<usize>) {
    let (mut set, mut cleared) = (Vec::new(), Vec::new());
    for cell in cells(rule) {
        let Some(change) = &cell.replacement else { continue };
        // With several rows, another one may have taken away what this one has found.
        let present: Vec<usize> = match rule.rows.len() {
            1 => cell.present.bits().collect(),
            _ => Vec::new(),
        };
        let put: Vec<usize> = change.set.bits().collect();
        let is_excluded =
            |bit: usize| present.iter().any(|&it| it != bit && facts.layer[it] == facts.layer[bit]);
        cleared.extend(change.clear.bits().filter(|bit| !put.contains(bit) && !is_excluded(*bit)));
        set.extend(put.into_iter().filter(|bit| !present.contains(bit)));
    }
    (set, cleared)
}

/// Notes the layers that a pattern looks at.
fn look_at(game: &Game, facts: &Facts, cell: &CellPattern, relevant: &mut [bool]) {
    let objects = [&cell.present, &cell.absent].into_iter().chain(&cell.any).flat_map(Mask::bits);
    objects.for_each(|object| relevant[facts.layer[object]] = true);
    let movements = [&cell.moving, &cell.not_moving].into_iter();
    let layers = movements.flat_map(|mask| mask.movements(game.layers.len()));
    layers.for_each(|(layer, _)| relevant[layer] = true);
}

/// Groups that are applied again as long as any of them changes something.
fn units(groups: &[Group]) -> Vec<Vec<&Group>> {
    let mut units: Vec<(usize, Vec<&Group>)> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        units.push((at, vec![group]));
        if let Some(first) = group.loop_to {
            while units.len() > 1 && units[units.len() - 1].0 > first {
                let (_, last) = units.pop().unwrap_or_default();
                let before = units.len() - 1;
                units[before].1.extend(last);
            }
        }
    }
    units.into_iter().map(|(_, groups)| groups).collect()
}

/// Makes those layers matter in which the rules of a group or loop might not come to a standstill
/// by themselves.
fn settle(facts: &Facts, rules: &[&Rule], relevant: &mut [bool]) {
    let objects = facts.layer.len();
    let (mut set, mut cleared) = (vec![false; objects], vec![false; objects]);
    for (puts, takes) in rules.iter().map(|rule| effects(facts, rule)) {
        puts.into_iter().for_each(|bit| set[bit] = true);
        takes.into_iter().for_each(|bit| cleared[bit] = true);
    }
    for cell in rules.iter().flat_map(|rule| cells(rule)) {
        let wanted = [&cell.present].into_iter().chain(&cell.any).flat_map(Mask::bits);
        let made = wanted.filter(|&bit| set[bit]);
        for bit in made.chain(cell.absent.bits().filter(|&bit| cleared[bit])) {
            relevant[facts.layer[bit]] = true;
        }
    }
    (0..objects).filter(|&bit| set[bit] && cleared[bit]).for_each(|bit| {
        relevant[facts.layer[bit]] = true;
    });
}

/// Where each object can be at the end of a turn: nowhere if a late group takes it away wherever it
/// is, nothing after that group puts it back, and the level begins without it.
///
/// A group goes on until its rules change nothing, so none is left after it, unless a counter ends
/// it: who plays turns looks for what is left then. A loop that a counter ends leaves out all groups
/// behind it, so with late loops nothing is said. A turn that is cancelled ends where it began.
pub(crate) fn lasting(game: &Game, facts: &Facts, start: &[u64]) -> Vec<Cells> {
    let mut lasting = facts.at.clone();
    if game.late_rules.iter().any(|group| group.loop_to.is_some()) {
        return lasting;
    }
    let is_there = |object: usize| {
        let mut cells = start.chunks(game.object_words);
        cells.any(|cell| cell[object / 64] >> (object % 64) & 1 == 1)
    };
    // Later groups first: the last one that does anything to an object decides.
    for (object, lasting) in lasting.iter_mut().enumerate() {
        let groups = game.late_rules.iter().zip(&facts.late).rev();
        for (group, sites) in groups {
            if group.rules.iter().any(|rule| takes_away(facts, rule, object)) && !is_there(object) {
                *lasting = facts.grid.none();
            }
            let possible = group.rules.iter().zip(sites).filter(|(_, sites)| sites.is_some());
            let mut changes =
                possible.flat_map(|(rule, _)| cells(rule)).filter_map(|it| it.replacement.as_ref());
            if lasting.is_empty()
                || changes.any(|change| change.set.bits().any(|set| set == object))
            {
                break;
            }
        }
    }
    lasting
}

/// Whether a rule takes an object away wherever it is.
fn takes_away(facts: &Facts, rule: &Rule, object: usize) -> bool {
    let [row] = &rule.rows[..] else { return false };
    let [Pattern::Cell(cell)] = &row[..] else { return false };
    let Some(change) = &cell.replacement else { return false };
    let has = |mask: &Mask| mask.bits().any(|bit| bit == object);
    // What is in every cell, such as a background that never changes.
    let is_everywhere = |bit: usize| facts.missing[bit].is_empty();
    rule.replaces
        && cell.present.bits().all(|bit| bit == object || is_everywhere(bit))
        && cell.any.iter().all(|any| has(any) || any.bits().any(is_everywhere))
        && cell.absent.is_empty()
        && cell.moving.is_empty()
        && has(&change.clear)
        && !has(&change.set)
}
