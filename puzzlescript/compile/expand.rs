//! From rules as they are written to rules without directions, aggregates and words for several
//! things: the steps of PuzzleScript's compiler, in its order, because order is meaning.

use crate::compile::tables::Tables;
use crate::error::ParseError;
use crate::language::legend::{ELLIPSIS, Name};
use crate::language::rule::{Cell, Command, SourceRule, Term, print};
use crate::language::words;
use crate::mask::Mask;
use std::collections::{HashMap, HashSet, VecDeque};

/// A rule that looks in one direction.
#[derive(Clone, Debug)]
pub(crate) struct DirectedRule {
    pub(crate) direction: &'static str,
    pub(crate) rule: SourceRule,
    /// How the engine prints it.
    pub(crate) text: String,
}

/// All rules of a game together take at most so many words, about: what stands for several things
/// multiplies.
const MAX_SIZE: usize = 4_000_000;

/// The cells and objects of a rule, in words of their bits, and what it says.
fn size(tables: &Tables, rule: &SourceRule) -> usize {
    let cells = rule.left.iter().chain(&rule.right).flatten();
    let terms: usize = cells.map(|cell| 1 + cell.len()).sum();
    let said = rule.commands.iter().map(|command| match command {
        Command::Message(text) => 1 + text.len() / 8,
        _ => 1,
    });
    terms * (tables.object_words + tables.movement_words) + said.sum::<usize>()
}

fn too_many(line: usize) -> ParseError {
    ParseError::at(line, 0, "with this rule the game has too many rules to be played")
        .help("properties and words like `moving` stand for one rule for each of their meanings")
}

/// Expands all rules of a game.
pub(crate) fn expand(
    tables: &Tables,
    mut rules: Vec<SourceRule>,
    warnings: &mut Vec<(usize, String)>,
) -> Result<Vec<DirectedRule>, ParseError> {
    for rule in &mut rules {
        drop_needless_no(tables, rule, warnings)?;
    }
    let mut expanded = Vec::new();
    // The size of what is expanded already.
    let mut made = 0;
    for source in rules {
        for &direction in &source.directions {
            let mut rule = DirectedRule { direction, rule: source.clone(), text: String::new() };
            make_absolute(&mut rule);
            turn_forward(&mut rule);
            for cell in cells(&mut rule.rule) {
                replace_aggregates(tables, cell, source.line)?;
                for term in cell {
                    if term.name != ELLIPSIS
                        && tables.legend.object(tables.legend.resolved(term.name)).is_some()
                    {
                        term.name = tables.legend.resolved(term.name);
                    }
                }
            }
            for rule in with_single_movements(tables, rule, made)? {
                for rule in with_single_objects(tables, rule, made)? {
                    made += size(tables, &rule.rule);
                    expanded.push(rule);
                }
            }
        }
    }
    for directed in &mut expanded {
        stop_new_objects(tables, &mut directed.rule);
        directed.text = print(&tables.legend, &directed.rule, directed.direction);
    }
    Ok(without_copies(expanded))
}

fn cells(rule: &mut SourceRule) -> impl Iterator<Item = &mut Cell> {
    rule.left.iter_mut().chain(&mut rule.right).flatten()
}

/// Takes away every NO that says nothing, and finds those that contradict the rest of their cell.
fn drop_needless_no(
    tables: &Tables,
    rule: &mut SourceRule,
    warnings: &mut Vec<(usize, String)>,
) -> Result<(), ParseError> {
    let legend = &tables.legend;
    for cell in rule.right.iter().flatten() {
        let mut present = Mask::empty(tables.object_words);
        let objects = cell.iter().filter(|term| term.word != "no");
        objects
            .filter_map(|term| legend.object(term.name))
            .for_each(|object| present.insert(object.bit));
        for term in cell.iter().filter(|term| term.word == "no") {
            if tables.mask(term.name).is_some_and(|mask| mask.meets(present.words())) {
                let name = legend.text(term.name);
                let message =
                    format!("the right side wants NO {name} beside an object of that kind");
                return Err(ParseError::at(rule.line, 0, message));
            }
        }
    }
    // What the left side says already need not be said on the right. The engine's loop passes over
    // the word after each that it takes away.
    for (row, left_row) in rule.right.iter_mut().zip(&rule.left) {
        for (cell, left) in row.iter_mut().zip(left_row) {
            let mut at = 0;
            while at < cell.len() {
                if cell[at].word == "no" && left.contains(&cell[at]) {
                    cell.remove(at);
                }
                at += 1;
            }
        }
    }
    for cell in rule.left.iter_mut().flatten() {
        let mut layers = vec![false; tables.layers.len()];
        let mut objects = Mask::empty(tables.object_words);
        for term in cell.iter().filter(|term| term.word != "no") {
            // A synonym says nothing here, and a property only if it is of one layer.
            if legend.property(term.name).is_some() && legend.single_layer(term.name).is_none() {
                continue;
            }
            if legend.object(term.name).is_none()
                && legend.object(legend.resolved(term.name)).is_some()
            {
                continue;
            }
            for member in legend.members(term.name) {
                if let Some(object) = legend.object(member) {
                    layers[object.layer] = true;
                    objects.insert(object.bit);
                }
            }
        }
        cell.retain(|term| {
            let mask = tables.mask(term.name).filter(|_| term.word == "no");
            let is_needless = mask.is_some_and(|mask| {
                let covered = tables.layers.iter().zip(&layers);
                let mut covered = covered.filter(|(layer, _)| layer.meets(mask.words()));
                covered.all(|(_, &covered)| covered) && !mask.meets(objects.words())
            });
            if is_needless {
                let name = legend.text(term.name);
                warnings.push((
                    rule.line,
                    format!("NO {name} says nothing here: other objects fill its layers"),
                ));
            }
            !is_needless
        });
    }
    Ok(())
}

/// Puts the direction of the rule in the place of relative ones.
fn make_absolute(rule: &mut DirectedRule) {
    let meanings = words::absolute(rule.direction);
    for term in cells(&mut rule.rule).flatten() {
        if let Some(at) = words::RELATIVE.iter().position(|&word| word == term.word) {
            term.word = meanings[at];
        }
    }
}

/// A rule that looks up or left is one that looks down or right, with its cells the other way
/// round; with dots the order of the matches would be another.
fn turn_forward(rule: &mut DirectedRule) {
    if rule.rule.left.iter().flatten().flatten().any(|term| term.name == ELLIPSIS) {
        return;
    }
    rule.direction = match rule.direction {
        "up" => "down",
        "left" => "right",
        _ => return,
    };
    rule.rule.left.iter_mut().chain(&mut rule.rule.right).for_each(|row| row.reverse());
}

/// Puts the objects of an aggregate in its place: the first where it stood, the others at the end.
fn replace_aggregates(tables: &Tables, cell: &mut Cell, line: usize) -> Result<(), ParseError> {
    for at in 0..cell.len() {
        let Term { word, name } = cell[at];
        let Some(members) = tables.legend.aggregate(name) else { continue };
        if word == "no" {
            let message = format!(
                "NO cannot stand before `{}`, several objects together (AND)",
                tables.legend.text(name)
            );
            return Err(ParseError::at(line, 0, message));
        }
        for (place, &name) in members.iter().enumerate() {
            if place == 0 {
                cell[at].name = name;
            } else {
                cell.push(Term { word, name });
            }
        }
    }
    Ok(())
}

/// What has been put in the place of a word so far.
#[derive(Clone)]
struct Choice<T> {
    chosen: T,
    /// How often the word stood on the left side.
    times: usize,
    /// The cell in which it stood first.
    cell: (usize, usize),
}

fn replace_word(cell: &mut Cell, word: &str, name: Option<Name>, direction: &'static str) {
    for term in cell.iter_mut() {
        if term.word == word && name.is_none_or(|name| term.name == name) {
            term.word = direction;
        }
    }
}

#[derive(Clone)]
struct Moving {
    rule: DirectedRule,
    /// For each word for several directions and the object that it stands before.
    by_object: HashMap<(&'static str, Name), Choice<&'static str>>,
    by_word: HashMap<&'static str, Choice<&'static str>>,
}

/// One rule for each meaning of words like `moving` and `horizontal`.
///
/// What a word means on the left side it means in the same cell on the right; a word that stands
/// once on the left means the same everywhere on the right.
fn with_single_movements(
    tables: &Tables,
    rule: DirectedRule,
    made: usize,
) -> Result<Vec<DirectedRule>, ParseError> {
    let line = rule.rule.line;
    let first = Moving { rule, by_object: HashMap::new(), by_word: HashMap::new() };
    let mut open = VecDeque::from([first]);
    let mut done: Vec<DirectedRule> = Vec::new();
    while let Some(moving) = open.pop_front() {
        if made + (open.len() + done.len()) * size(tables, &moving.rule.rule) > MAX_SIZE {
            return Err(too_many(line));
        }
        let mut is_single = true;
        for (at, row) in moving.rule.rule.left.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                let Some(&Term { word, name }) =
                    cell.iter().find(|term| !words::several(term.word).is_empty())
                else {
                    continue;
                };
                // Each cell is taken as if it were the only one, so that copies come about; they
                // are thrown away later, the last staying, which decides about the order.
                is_single = false;
                for &direction in words::several(word) {
                    let mut next = moving.clone();
                    replace_word(&mut next.rule.rule.left[at][column], word, Some(name), direction);
                    if let Some(row) = next.rule.rule.right.get_mut(at) {
                        replace_word(&mut row[column], word, Some(name), direction);
                    }
                    let cell = (at, column);
                    let choice = Choice { chosen: direction, times: 0, cell };
                    let by_object = next.by_object.entry((word, name)).or_insert(choice.clone());
                    by_object.times += usize::from(by_object.times == 0 || by_object.cell != cell);
                    next.by_word.entry(word).or_insert(choice).times += 1;
                    open.push_back(next);
                }
            }
        }
        if is_single {
            done.push(settle_movements(moving));
        }
    }
    let several = |term: &&Term| !words::several(term.word).is_empty();
    if let Some(term) =
        done.iter().flat_map(|rule| &rule.rule.right).flatten().flatten().find(several)
    {
        let word = term.word.trim_end_matches("_par").trim_end_matches("_perp");
        let message = format!("the left side does not say what `{word}` means on the right");
        return Err(ParseError::at(line, 0, message));
    }
    Ok(done)
}

/// Puts what stood once on the left in the place of the same words on the right.
fn settle_movements(moving: Moving) -> DirectedRule {
    let Moving { mut rule, by_object, by_word } = moving;
    for cell in rule.rule.right.iter_mut().flatten() {
        for (&(word, name), choice) in by_object.iter().filter(|(_, choice)| choice.times == 1) {
            replace_word(cell, word, Some(name), choice.chosen);
        }
    }
    for cell in rule.rule.right.iter_mut().flatten() {
        for (word, choice) in by_word.iter().filter(|(_, choice)| choice.times == 1) {
            replace_word(cell, word, None, choice.chosen);
        }
    }
    rule
}

fn replace_name(cell: &mut Cell, name: Name, object: Name) {
    cell.iter_mut().filter(|term| term.name == name).for_each(|term| term.name = object);
}

/// One rule for each object of a property, where it matters which one it is.
///
/// It does not matter if all are in one layer and the right side asks for no other than the left
/// side has in the same cell.
fn with_single_objects(
    tables: &Tables,
    mut first: DirectedRule,
    made: usize,
) -> Result<Vec<DirectedRule>, ParseError> {
    let legend = &tables.legend;
    let line = first.rule.line;
    for cell in cells(&mut first.rule) {
        let terms = std::mem::take(cell).into_iter();
        *cell = terms.flat_map(|term| spell_out_no(tables, term)).collect();
    }
    let properties = |cell: &Cell| -> Vec<Name> {
        cell.iter().map(|term| term.name).filter(|&name| legend.property(name).is_some()).collect()
    };
    let mut asked: HashSet<Name> = HashSet::new();
    for (right, left) in first.rule.right.iter().zip(&first.rule.left) {
        for (right, left) in right.iter().zip(left) {
            let left = properties(left);
            asked.extend(properties(right).into_iter().filter(|name| !left.contains(name)));
        }
    }
    let matters = |name: Name| legend.single_layer(name).is_none() || asked.contains(&name);
    let mut open: VecDeque<(DirectedRule, HashMap<Name, Choice<Name>>)> =
        VecDeque::from([(first, HashMap::new())]);
    let mut done: Vec<DirectedRule> = Vec::new();
    while let Some((mut rule, choices)) = open.pop_front() {
        if made + (open.len() + done.len()) * size(tables, &rule.rule) > MAX_SIZE {
            return Err(too_many(line));
        }
        let found = rule.rule.left.iter().enumerate().find_map(|(at, row)| {
            row.iter().enumerate().find_map(|(column, cell)| {
                properties(cell)
                    .into_iter()
                    .find(|&name| matters(name))
                    .map(|name| (at, column, name))
            })
        });
        let Some((at, column, name)) = found else {
            for cell in rule.rule.right.iter_mut().flatten() {
                for (&name, choice) in choices.iter().filter(|(_, choice)| choice.times == 1) {
                    replace_name(cell, name, choice.chosen);
                }
            }
            done.push(rule);
            continue;
        };
        for &object in legend.property(name).unwrap_or_default() {
            let mut next = rule.clone();
            replace_name(&mut next.rule.left[at][column], name, object);
            if let Some(row) = next.rule.right.get_mut(at) {
                replace_name(&mut row[column], name, object);
            }
            let mut choices = choices.clone();
            let choice = Choice { chosen: object, times: 0, cell: (at, column) };
            choices.entry(name).or_insert(choice).times += 1;
            open.push_back((next, choices));
        }
    }
    let left_over = done.iter().flat_map(|rule| &rule.rule.right).flatten().flat_map(&properties);
    if let Some(name) = left_over.into_iter().find(|name| asked.contains(name)) {
        let message = format!(
            "the left side does not say which `{}` is meant on the right",
            legend.text(name)
        );
        return Err(ParseError::at(line, 0, message).help(
            "it must stand in that cell on the left too, or just once on the whole left side",
        ));
    }
    Ok(done)
}

/// NO before a property is NO before each of its objects.
fn spell_out_no(tables: &Tables, term: Term) -> Vec<Term> {
    match tables.legend.property(term.name) {
        Some(objects) if term.word == "no" => {
            objects.iter().map(|&name| Term { name, ..term }).collect()
        }
        _ => vec![term],
    }
}

/// Objects that a rule puts where nothing of their layer was do not move, whatever moved there.
fn stop_new_objects(tables: &Tables, rule: &mut SourceRule) {
    if rule.late {
        return;
    }
    let legend = &tables.legend;
    for (right, left) in rule.right.iter_mut().zip(&rule.left) {
        for (right, left) in right.iter_mut().zip(left) {
            let before: Vec<Name> =
                left.iter().flat_map(|term| legend.members(term.name)).collect();
            let layers: Vec<usize> = before.iter().filter_map(|&name| tables.layer(name)).collect();
            for term in right.iter_mut().filter(|term| term.word.is_empty()) {
                if let Some(object) = legend.object(term.name)
                    && !before.contains(&term.name)
                    && !layers.contains(&object.layer)
                {
                    term.word = "stationary";
                }
            }
        }
    }
}

/// Of rules of one group that are printed alike the last stays.
fn without_copies(rules: Vec<DirectedRule>) -> Vec<DirectedRule> {
    let mut kept: Vec<DirectedRule> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut group = None;
    for rule in rules.into_iter().rev() {
        if group != Some(rule.rule.group) {
            group = Some(rule.rule.group);
            seen.clear();
        }
        if seen.insert(rule.text.clone()) {
            kept.push(rule);
        }
    }
    kept.reverse();
    kept
}
