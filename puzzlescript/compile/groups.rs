//! From expanded rules to patterns of bits, in groups and loops: the second half of PuzzleScript's
//! compiler.

use crate::compile::expand::DirectedRule;
use crate::compile::tables::Tables;
use crate::error::ParseError;
use crate::game::{CellPattern, Direction, Group, Pattern, Replacement, Rule};
use crate::language::legend::{ELLIPSIS, Name};
use crate::language::rule::Cell;
use crate::language::words;
use crate::mask::Mask;
use itertools::Itertools;

/// All movements of a layer.
const ANY_MOVEMENT: u64 = 0b11111;

/// More groups than that cannot be rigid, since the engine numbers them with five bits.
const MAX_RIGID_GROUPS: usize = 30;

/// Groups of rules, and those of late rules.
pub(crate) struct Groups {
    pub(crate) rules: Vec<Group>,
    pub(crate) late_rules: Vec<Group>,
}

/// A rule with its group and, if it asks for two objects of one layer in a cell, these two.
struct Compiled {
    rule: Rule,
    group: usize,
    late: bool,
    impossible: Option<(Name, Name)>,
}

/// Compiles all rules; `loops` are the lines where loops start (`true`) and end.
pub(crate) fn compile(
    tables: &Tables,
    rules: Vec<DirectedRule>,
    loops: &[(usize, bool)],
    warnings: &mut Vec<(usize, String)>,
) -> Result<Groups, ParseError> {
    let mut compiled = Vec::new();
    for rule in rules {
        compiled.extend(compile_rule(tables, rule, warnings)?);
    }
    let (late, early): (Vec<_>, Vec<_>) = compiled.into_iter().partition(|rule| rule.late);
    let mut groups = Groups { rules: grouped(tables, early)?, late_rules: grouped(tables, late)? };
    let mut rigid = 0;
    for group in &mut groups.rules {
        if group.rules.iter().any(|rule| rule.rigid) {
            rigid += 1;
            group.rigid = Some(rigid as u64);
            if rigid > MAX_RIGID_GROUPS {
                let message =
                    format!("this is rigid group {rigid}, and there can be {MAX_RIGID_GROUPS}");
                return Err(ParseError::at(group.rules[0].line, 0, message));
            }
        }
    }
    check_loops(loops)?;
    set_loops(&mut groups.rules, loops)?;
    set_loops(&mut groups.late_rules, loops)?;
    Ok(groups)
}

/// Puts one rule in bits; nothing if it can never be found.
fn compile_rule(
    tables: &Tables,
    directed: DirectedRule,
    warnings: &mut Vec<(usize, String)>,
) -> Result<Option<Compiled>, ParseError> {
    let DirectedRule { direction, rule, text } = directed;
    let mut impossible = None;
    let mut rows = Vec::new();
    let mut needs = (Mask::empty(tables.object_words), Mask::empty(tables.movement_words));
    for (at, left) in rule.left.iter().enumerate() {
        let right = rule.right.get(at);
        check_ellipses(rule.line, left, right)?;
        if left.windows(2).any(|pair| pair.iter().all(is_ellipsis)) {
            let said = "two ellipses side by side say no more than one, and the engine stops with an \
                        error where the cells before them are found";
            let warning = (rule.line, said.to_owned());
            // The rule stands for one in each direction.
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let mut row = Vec::new();
        for (column, cell) in left.iter().enumerate() {
            if is_ellipsis(cell) {
                row.push(Pattern::Ellipsis);
                continue;
            }
            let (mut pattern, used) = pattern(tables, cell, &mut impossible);
            if pattern.present.meets(pattern.absent.words()) {
                warnings.push((
                    rule.line,
                    "a cell asks for an object and for NO such object: the rule is left out"
                        .to_owned(),
                ));
                return Ok(None);
            }
            needs.0.add(&pattern.present);
            needs.1.add(&pattern.moving);
            if let Some(right) = right {
                pattern.replacement = replacement(
                    tables,
                    &pattern,
                    &used,
                    &right[column],
                    rule.line,
                    impossible.is_some(),
                )?;
            }
            row.push(Pattern::Cell(pattern));
        }
        rows.push(row);
    }
    let direction = match direction {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "left" => Direction::Left,
        _ => Direction::Right,
    };
    let compiled = Rule {
        line: rule.line,
        direction,
        rows,
        needs,
        replaces: !rule.right.is_empty(),
        rigid: rule.rigid,
        commands: rule.commands,
        text,
    };
    Ok(Some(Compiled { rule: compiled, group: rule.group, late: rule.late, impossible }))
}

fn is_ellipsis(cell: &Cell) -> bool {
    cell.iter().any(|term| term.name == ELLIPSIS)
}

/// Dots must stand between cells, alone, and on both sides in the same places.
fn check_ellipses(line: usize, left: &[Cell], right: Option<&Vec<Cell>>) -> Result<(), ParseError> {
    let dots = is_ellipsis;
    let fault = |message: &str| Err(ParseError::at(line, 0, message));
    let cells = left.iter().chain(right.into_iter().flatten());
    if cells.into_iter().any(|cell| dots(cell) && cell.len() > 1) {
        return fault("an ellipsis must be alone in its cell");
    }
    if left.first().is_some_and(dots) || left.last().is_some_and(dots) {
        return fault("an ellipsis at the start or end of a row says nothing");
    }
    if right.is_some_and(|right| left.iter().map(dots).ne(right.iter().map(dots))) {
        return fault("an ellipsis must be in the same place on both sides");
    }
    if left.iter().filter(|cell| dots(cell)).count() > 2 {
        return fault("a row can have at most two ellipses");
    }
    Ok(())
}

/// What must be in a cell, and the name that each layer is asked for by.
fn pattern(
    tables: &Tables,
    cell: &Cell,
    impossible: &mut Option<(Name, Name)>,
) -> (CellPattern, Vec<Option<Name>>) {
    let objects = || Mask::empty(tables.object_words);
    let movements = || Mask::empty(tables.movement_words);
    let mut used = vec![None; tables.layers.len()];
    let mut pattern = CellPattern {
        present: objects(),
        absent: objects(),
        any: Vec::new(),
        moving: movements(),
        not_moving: movements(),
        replacement: None,
    };
    for term in cell {
        let (Some(mask), Some(layer)) = (tables.mask(term.name), tables.layer(term.name)) else {
            continue;
        };
        if term.word == "no" {
            pattern.absent.add(mask);
            continue;
        }
        if let Some(other) = used[layer].replace(term.name) {
            *impossible = Some((term.name, other));
        }
        if tables.legend.object(term.name).is_some() {
            pattern.present.add(mask);
        } else {
            pattern.any.push(mask.clone());
        }
        if term.word == "stationary" {
            pattern.not_moving.insert_movement(layer, ANY_MOVEMENT);
        } else {
            pattern.moving.insert_movement(layer, words::movement(term.word));
        }
    }
    (pattern, used)
}

/// The change of a cell; nothing where there is none.
fn replacement(
    tables: &Tables,
    pattern: &CellPattern,
    used_left: &[Option<Name>],
    cell: &Cell,
    line: usize,
    is_impossible: bool,
) -> Result<Option<Replacement>, ParseError> {
    let objects = || Mask::empty(tables.object_words);
    let movements = || Mask::empty(tables.movement_words);
    let mut used: Vec<Option<Name>> = vec![None; tables.layers.len()];
    let (mut clear, mut set) = (objects(), objects());
    let (mut stop, mut start, mut decided) = (movements(), movements(), movements());
    for term in cell {
        let (Some(mask), Some(layer)) = (tables.mask(term.name), tables.layer(term.name)) else {
            continue;
        };
        if term.word == "no" {
            clear.add(mask);
            continue;
        }
        if let Some(other) = used[layer].replace(term.name)
            && !is_impossible
        {
            let (one, other) = (tables.legend.text(term.name), tables.legend.text(other));
            let message =
                format!("`{one}` and `{other}` are in one layer and cannot stand together");
            return Err(ParseError::at(line, 0, message));
        }
        if !term.word.is_empty() {
            decided.insert_movement(layer, ANY_MOVEMENT);
        }
        if tables.legend.object(term.name).is_some() {
            set.add(mask);
            clear.add(&tables.layers[layer]);
        }
        if term.word == "stationary" {
            stop.insert_movement(layer, ANY_MOVEMENT);
        } else {
            start.insert_movement(layer, words::movement(term.word));
        }
    }
    if !pattern.present.is_within(set.words()) {
        clear.add(&pattern.present);
    }
    if !pattern.moving.is_within(start.words()) {
        stop.add(&pattern.moving);
    }
    for (layer, (left, right)) in used_left.iter().zip(&used).enumerate() {
        if left.is_some() && right.is_none() {
            clear.add(&tables.layers[layer]);
            decided.insert_movement(layer, ANY_MOVEMENT);
        }
        // Where a certain object was and none is put, what moves there is decided too.
        let layer_mask = &tables.layers[layer];
        if layer_mask.meets(pattern.present.words()) && !layer_mask.meets(set.words()) {
            decided.insert_movement(layer, ANY_MOVEMENT);
        }
    }
    let changes = [&clear, &set, &stop, &start, &decided].into_iter().any(|mask| !mask.is_empty());
    Ok(changes.then_some(Replacement { clear, set, stop, start, decided }))
}

/// Rules in their groups. A line of which nothing is left because it asks for the impossible is a
/// fault; one of whose many meanings only some are impossible is none.
fn grouped(tables: &Tables, rules: Vec<Compiled>) -> Result<Vec<Group>, ParseError> {
    let mut groups: Vec<(usize, Vec<Compiled>)> = Vec::new();
    for rule in rules {
        match groups.last_mut() {
            Some((group, rules)) if *group == rule.group => rules.push(rule),
            _ => groups.push((rule.group, vec![rule])),
        }
    }
    let mut result = Vec::new();
    for (_, rules) in groups {
        let mut kept: Vec<Rule> = Vec::new();
        let mut open = rules.into_iter().peekable();
        while let Some(rule) = open.next() {
            let Some((one, other)) = rule.impossible else {
                kept.push(rule.rule);
                continue;
            };
            let line = rule.rule.line;
            let before = kept.last().is_some_and(|kept| kept.line == line);
            let after = open.peek().is_some_and(|next| next.rule.line == line);
            if !(before || after) || kept.is_empty() && open.peek().is_none() {
                let (one, other) = (tables.legend.text(one), tables.legend.text(other));
                let message = format!(
                    "`{one}` and `{other}` are in one layer, so this rule looks for what cannot be"
                );
                return Err(ParseError::at(line, 0, message));
            }
        }
        if !kept.is_empty() {
            result.push(Group { rules: kept, loop_to: None, rigid: None });
        }
    }
    Ok(result)
}

fn check_loops(loops: &[(usize, bool)]) -> Result<(), ParseError> {
    for (at, &(line, begins)) in loops.iter().enumerate() {
        if begins != (at % 2 == 0) {
            let message = if begins {
                "this loop starts inside another"
            } else {
                "no loop has started that could end here"
            };
            return Err(ParseError::at(line, 0, message));
        }
    }
    match loops.last() {
        Some(&(line, true)) => Err(ParseError::at(line, 0, "this loop does not end (ENDLOOP)")),
        _ => Ok(()),
    }
}

/// Says of the last group of each loop where it leads back to.
fn set_loops(groups: &mut [Group], loops: &[(usize, bool)]) -> Result<(), ParseError> {
    for (&(begin, _), &(end, _)) in loops.iter().tuples() {
        let lines = |group: &Group| {
            let line = |rule: Option<&Rule>| rule.map_or(0, |rule| rule.line);
            (line(group.rules.first()), line(group.rules.last()))
        };
        let mut first = None;
        for at in 0..groups.len() {
            let (top, bottom) = lines(&groups[at]);
            if (top..=bottom).contains(&begin) || (top..=bottom).contains(&end) {
                return Err(ParseError::at(
                    begin,
                    0,
                    "this loop starts or ends in the middle of a rule group",
                ));
            }
            if end < top {
                break;
            }
            if begin <= top {
                let first = *first.get_or_insert(at);
                if at > 0 && groups[at - 1].loop_to == Some(first) {
                    groups[at - 1].loop_to = None;
                }
                groups[at].loop_to = Some(first);
            }
        }
    }
    Ok(())
}
