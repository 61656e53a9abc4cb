//! How many rounds of a group of rules can change anything, if the rules determine that.
//!
//! A group is applied in rounds until one changes nothing. Say that a rule at a place *wakes* another
//! (or the same, at another place) if its change there may be what makes the other one fit, or may
//! undo what the other one has changed while that still fits. Then a rule changes something in a
//! round after the first only if one that wakes it has changed something since its turn in the round
//! before:
//!
//! * If it was applied then, what it had changed has been undone since. Either it has fitted all the
//!   time since that was undone, or its pattern has come to fit later, which is the only way if it does
//!   not fit after its own change.
//! * Else it did not fit when the rule was looked for or when its turn came, so it has come to fit since.
//!
//! So where waking makes no circle, a rule at a place at the end of a chain of n changes nothing after
//! round n, and is not found after it unless it was in that round. More rounds than the longest chain
//! has parts change nothing.

use super::effects::{CellEffect, Form, effects, object_bits};
use super::places::PlacedRule;
use crate::encoding::EncodeError;
use crate::puzzlescript::analysis::facts::Facts;
use std::collections::HashMap;
use unstuck_puzzles::puzzlescript::Mask;

/// Comparing the places of a group takes at most so many steps.
const MAX_WORK: usize = 20_000_000;

/// How the rules of a group are applied.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// After so many rounds nothing changes.
    pub(super) rounds: usize,
    /// The form of each rule.
    pub(super) forms: Vec<Form>,
    /// For each rule and place of the row that its form names, the last round in which it may change
    /// anything; for other forms of the rule as a whole.
    pub(super) last: Vec<Vec<usize>>,
}

/// A row of a rule in a place.
struct Site<'a> {
    rule: usize,
    effects: &'a [CellEffect],
    cells: &'a [usize],
    /// Where what wakes it leads.
    node: usize,
    /// Whether it changes anything.
    acts: bool,
    /// Whether the rule does not fit after its own change.
    is_spent: bool,
    /// Sets of objects of which there is one at most, with the cells in which one is before the change,
    /// and after it.
    lone: [Vec<(usize, usize)>; 2],
}

impl Plan {
    /// The plan of a group; `lone` are sets of objects of which there is one at most.
    ///
    /// # Errors
    /// Why the rules do not determine it.
    pub(super) fn new(
        rules: &[PlacedRule<'_>],
        facts: &Facts,
        lone: &[Vec<usize>],
    ) -> Result<Self, EncodeError> {
        let lone: Vec<Mask> = lone.iter().map(|objects| object_bits(facts, objects)).collect();
        let (effects, forms): (Vec<_>, Vec<_>) =
            rules.iter().map(|rule| effects(facts, rule.rule)).unzip();
        // The nodes of a rule: one for each place of the row that changes, and one that stands for
        // the other rows and wakes all these; or one for all.
        let (mut first, mut nodes) = (Vec::new(), 0);
        let mut sites = Vec::new();
        let mut graph = Graph::default();
        for (number, rule) in rules.iter().enumerate() {
            first.push(nodes);
            let own = own_row(&forms, rules, number);
            let places = own.map_or(0, |row| rule.rows[row].places.len());
            let hub = nodes + places;
            let is_spent = effects[number].iter().flatten().any(CellEffect::is_spent);
            let lone: Vec<Vec<[Vec<usize>; 2]>> = effects[number]
                .iter()
                .map(|row| row.iter().map(|effect| effect.lone(&lone)).collect())
                .collect();
            for (at, row) in rule.rows.iter().enumerate() {
                for (place, cells) in row.places.iter().enumerate() {
                    let node = if own == Some(at) { nodes + place } else { hub };
                    let acts = match forms[number] {
                        Form::Asks => false,
                        Form::Row(row) => row == at,
                        Form::Apart | Form::Product => true,
                    };
                    let effects = &effects[number][at][..];
                    let lone = [0, 1].map(|when| {
                        let cells = lone[at].iter().zip(cells.iter());
                        let sets = cells.flat_map(|(sets, &cell)| {
                            sets[when].iter().map(move |&set| (set, cell))
                        });
                        sets.collect()
                    });
                    sites.push(Site { rule: number, effects, cells, node, acts, is_spent, lone });
                }
            }
            if own.is_some() && rule.rows.len() > 1 {
                graph.hubs.push(hub);
                (nodes..hub).for_each(|node| graph.edges.push((hub, node)));
            }
            nodes = hub + 1;
        }
        graph.nodes = nodes;
        let line = |node: usize| {
            let rule = first.partition_point(|&first| first <= node) - 1;
            rules[rule].rule.line
        };
        let woken = compare(&sites)
            .ok_or_else(|| format!("the rule of line {} has too many places", line(0)))?;
        for (number, rule) in rules.iter().enumerate() {
            // For each place of a row behind the one that changes, that one is looked at in all its
            // places again: unless there is one such place at most.
            let is_once = |at: usize| {
                let row = &effects[number][at];
                let is_lone = |effect: &CellEffect| !effect.lone(&lone)[0].is_empty();
                rule.rule.rows[at].len() == row.len() && row.iter().any(is_lone)
            };
            let wakes_itself = || {
                woken
                    .iter()
                    .any(|&(from, to)| sites[from].rule == number && sites[to].rule == number)
            };
            if let Form::Row(row) = forms[number]
                && !(row + 1..rule.rows.len()).all(is_once)
                && wakes_itself()
            {
                return Err(format!(
                    "the rule of line {} can set itself off while it is applied",
                    rule.rule.line
                )
                .into());
            }
        }
        graph.edges.extend(woken.iter().map(|&(from, to)| (sites[from].node, sites[to].node)));
        let last = graph.longest().map_err(|circle| {
            let mut lines: Vec<usize> = circle.into_iter().map(line).collect();
            lines.sort_unstable();
            lines.dedup();
            match lines[..] {
                [line] => format!("rules of line {line} can set each other off again"),
                _ => {
                    let lines = itertools::join(lines, ", ");
                    format!("rules of lines {lines} can set each other off again")
                }
            }
        })?;
        let rounds = last.iter().copied().max().unwrap_or(0);
        first.push(nodes);
        let last = first.windows(2).map(|it| last[it[0]..it[1]].to_vec()).collect();
        Ok(Self { rounds, forms, last })
    }
}

/// The row of a rule whose places are looked at one by one.
fn own_row(forms: &[Form], rules: &[PlacedRule<'_>], number: usize) -> Option<usize> {
    match forms[number] {
        Form::Row(row) => Some(row),
        Form::Asks if rules[number].rows.len() == 1 => Some(0),
        _ => None,
    }
}

/// The pairs of sites of which the first wakes the second; nothing if there are too many.
fn compare(sites: &[Site<'_>]) -> Option<Vec<(usize, usize)>> {
    let mut there: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for (number, site) in sites.iter().enumerate() {
        for (at, &cell) in site.cells.iter().enumerate() {
            there.entry(cell).or_default().push((number, at));
        }
    }
    let mut known: HashMap<[*const CellEffect; 2], bool> = HashMap::new();
    let (mut pairs, mut work) = (Vec::new(), 0);
    for (from, site) in sites.iter().enumerate().filter(|(_, site)| site.acts) {
        let mut woken = Vec::new();
        for (effect, cell) in site.effects.iter().zip(site.cells) {
            if !effect.changes() {
                continue;
            }
            for &(to, at) in &there[cell] {
                work += 1;
                let (other, is_spent) = (&sites[to].effects[at], sites[to].is_spent);
                let wakes = known
                    .entry([effect, other].map(std::ptr::from_ref))
                    .or_insert_with(|| effect.wakes(other, is_spent));
                if to != from && *wakes {
                    woken.push(to);
                }
            }
        }
        woken.sort_unstable();
        woken.dedup();
        work += woken.len();
        // Where they meet in several cells, all must fit, and nothing that there is once is in two.
        let fits = |to: &usize| {
            let [before, after] = [&sites[*to].lone[0], &site.lone[1]];
            let is_apart = |&(set, cell): &(usize, usize)| {
                before.iter().any(|&(other, at)| other == set && at != cell)
            };
            !after.iter().any(is_apart)
                && sites[*to].cells.iter().zip(sites[*to].effects).all(|(cell, other)| {
                    let at = site.cells.iter().position(|it| it == cell);
                    at.is_none_or(|at| site.effects[at].leaves(other))
                })
        };
        pairs.extend(woken.into_iter().filter(fits).map(|to| (from, to)));
        if work > MAX_WORK {
            return None;
        }
    }
    Some(pairs)
}

#[derive(Default)]
struct Graph {
    nodes: usize,
    edges: Vec<(usize, usize)>,
    /// Nodes that count for nothing in a chain.
    hubs: Vec<usize>,
}

impl Graph {
    /// The number of nodes on the longest chain that ends in each node, or the nodes of a circle.
    fn longest(&self) -> Result<Vec<usize>, Vec<usize>> {
        let mut before = vec![0; self.nodes];
        let mut after = vec![Vec::new(); self.nodes];
        for &(from, to) in &self.edges {
            after[from].push(to);
            before[to] += 1;
        }
        let mut weight = vec![1; self.nodes];
        self.hubs.iter().for_each(|&hub| weight[hub] = 0);
        let mut longest = weight.clone();
        let mut open: Vec<usize> = (0..self.nodes).filter(|&it| before[it] == 0).collect();
        let mut done = 0;
        while let Some(node) = open.pop() {
            done += 1;
            for &next in &after[node] {
                longest[next] = longest[next].max(longest[node] + weight[next]);
                before[next] -= 1;
                if before[next] == 0 {
                    open.push(next);
                }
            }
        }
        if done == self.nodes { Ok(longest) } else { Err(self.circle(&before)) }
    }

    /// A circle among the nodes that wait for one before them.
    fn circle(&self, waits: &[usize]) -> Vec<usize> {
        let mut back = HashMap::new();
        for &(from, to) in self.edges.iter().filter(|(from, to)| waits[*from] > 0 && waits[*to] > 0)
        {
            back.entry(to).or_insert(from);
        }
        let mut path = Vec::new();
        let mut at = (0..self.nodes).find(|node| waits[*node] > 0 && back.contains_key(node));
        while let Some(node) = at {
            if let Some(begin) = path.iter().position(|&it| it == node) {
                return path.split_off(begin);
            }
            path.push(node);
            at = back.get(&node).copied();
        }
        path
    }
}
