//! All optimal plans, counted exactly without listing them.
//!
//! A plan is taken as the sequence of its pushes (actions), each with the walk before it left out.
//! Two optimal plans count as one when the one becomes the other by exchanging neighbouring pushes,
//! again and again: pushes a and b may be exchanged where after the same pushes both "a, then b"
//! and "b, then a" are parts of optimal plans and lead to the same position.
//!
//! # How they are counted
//! The positions on optimal plans (to be exact, the sets of positions to which the same pushes can
//! lead, which is more than one with some constraints only), layer by layer (a layer holds what can
//! be reached by so many pushes), form a graph. Let C(v) be the set of classes of ways from the
//! start to v. It is the disjoint union of C(u) over the edges u -> v, with those ways identified
//! that differ in the order of their last two pushes: an identification before that is inherited
//! from C(u). So the classes of a layer follow from those of the two layers before it: which pairs
//! (class, push) become one is determined by the classes two layers back and by nothing else.
//!
//! Draw the classes of two neighbouring layers as a graph, each class joined to its extensions.
//! Its connected components do not interact ever after, and a component's future depends only on
//! its shape: the positions of its classes and its edges. So components of the same shape are kept
//! once, with the number of their copies. Where many things can be done in many ways the numbers
//! grow, not the work.

use super::analysis::Analysis;
use super::hint::optimal_actions;
use super::sentences;
use crate::atlas::{Action, ActionId, Atlas, CostToGo, Id, WALK};
use crate::limits::{Limits, Stop};
use crate::report::{Field, RuleUse};
use hashbrown::HashMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unstuck_encodings::Cost;
use unstuck_puzzles::{Measures, Objective};

/// What is known of the optimal plans.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, ts_rs::TS))]
#[non_exhaustive]
pub struct Enumeration {
    /// How many there are.
    pub sentence: String,
    /// What an optimal plan costs, where that is known.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"), ts(as = "Option<u32>"))]
    pub optimum: Option<Cost>,
    /// What every plan costs at least, where that is known.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u32>"), ts(as = "Option<u32>"))]
    pub at_least: Option<Cost>,
    /// The number of optimal plans, up to exchanges; not known when a limit struck, or when it
    /// does not fit into 128 bits. For programs a number, or a text where it is larger than others can
    /// read.
    #[serde(rename = "optimal_plans", serialize_with = "number")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Value", extend("type" = ["integer", "string", "null"])),
        ts(type = "number | string | null")
    )]
    pub plans: Option<u128>,
    /// Whether that number is known.
    pub complete: bool,
    /// The moves of plans, one for each class, as many as were wanted.
    #[serde(rename = "plans")]
    pub moves: Vec<String>,
    /// Whether these are all.
    pub all_listed: bool,
    /// Pushes that every optimal plan makes, as often as each does, in the order of a first plan;
    /// in words.
    #[serde(rename = "common")]
    pub common_names: Option<Vec<String>>,
    /// Positions on optimal plans, the start and the ends included.
    pub positions: u64,
    /// Whether there is a plan, where that is known.
    pub solvable: Option<bool>,
    /// The limit that struck.
    pub stop: Option<Stop>,
    /// Which rules of the game act in the plans, where that was asked (see [`super::rules`]).
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[cfg_attr(feature = "schema", ts(optional = nullable, as = "Option<RuleUse>"))]
    pub rules: Field<RuleUse>,
    /// The plans that are listed.
    #[serde(skip)]
    pub listed: Vec<Vec<Action>>,
    /// The pushes that are common.
    #[serde(skip)]
    pub common: Vec<ActionId>,
    /// The same pushes, each once, by when they are made, the earliest first.
    #[serde(skip)]
    pub shared: Vec<CommonAction>,
}

impl Enumeration {
    /// Of a game that has no plan.
    pub fn unsolvable() -> Self {
        Self { solvable: Some(false), plans: Some(0), complete: true, ..Self::default() }
    }

    /// Of a game of which nothing is known; `stop` is the limit that struck.
    pub fn unknown(stop: Option<Stop>) -> Self {
        Self { stop, ..Self::default() }
    }

    /// Whether there is one plan alone, where that is known.
    pub fn is_unique(&self) -> Option<bool> {
        let more_than_fit = self.optimum.is_some() && self.stop.is_none();
        self.plans.map(|plans| plans == 1).or(more_than_fit.then_some(false))
    }

    /// The number of plans as programs read it.
    pub fn number(&self) -> Value {
        number(&self.plans, serde_json::value::Serializer).unwrap_or_default()
    }
}

/// As text where JSON readers could not hold it.
fn number<S: Serializer>(plans: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
    match plans.map(|plans| u64::try_from(plans).map_err(|_| plans)) {
        None => to.serialize_none(),
        Some(Ok(plans)) => to.serialize_u64(plans),
        Some(Err(plans)) => to.collect_str(&plans),
    }
}

/// A push that every optimal plan makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonAction {
    /// The push.
    pub action: ActionId,
    /// Which push it is, from 1, where it comes first.
    pub first: u32,
    /// Which push it is where it comes last.
    pub last: u32,
    /// Whether all optimal plans come to one position in which no other push keeps the optimum.
    pub only: bool,
}

/// Counts the optimal plans and lists up to `most` of them.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use unstuck::limits::Limits;
/// use unstuck::puzzles::Objective;
/// use unstuck::puzzles::constraints::Constraints;
/// use unstuck::questions::analysis::Analysis;
/// use unstuck::questions::enumerate::enumerate;
///
/// // Two boxes, each beside its goal: which goes first makes no difference.
/// let text = "#######\n#.$ $.#\n#  @  #\n#######\n";
/// let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
/// let none = Constraints::default();
/// let mut game = Analysis::new(level.first(), &none).ok_or("it has moves")?;
/// let answer = enumerate(&mut game, 10, &Limits::none());
/// assert_eq!((answer.plans, answer.common.len()), (Some(1), 2));
/// # Ok(())
/// # }
/// ```
pub fn enumerate(game: &mut Analysis<'_>, most: usize, limits: &Limits) -> Enumeration {
    let mut answer = counted(game, most, limits);
    let atlas = game.atlas.as_mut();
    answer.complete = answer.plans.is_some();
    answer.moves = answer.listed.iter().filter_map(|actions| atlas.plan(actions)).collect();
    let names = answer.common.iter().map(|&action| atlas.action_name(action).to_owned());
    answer.common_names = answer.optimum.map(|_| names.collect());
    answer.sentence = sentence(&answer, atlas.measures(), atlas.objective());
    answer
}

/// How many shortest solutions there are.
pub fn sentence(answer: &Enumeration, measures: Measures, objective: Objective) -> String {
    let length = answer.optimum.map(|optimum| sentences::cost(measures, objective, optimum));
    let length = length.unwrap_or_default();
    let but =
        format!("apart from different walks and the order of independent {}", measures.pushes.many);
    match (answer.plans, answer.stop) {
        _ if answer.solvable == Some(false) => "the level has no solution".to_owned(),
        (Some(1), _) => format!("there is only one shortest solution ({length}), {but}"),
        (Some(plans), _) => format!("there are {plans} shortest solutions ({length}), {but}"),
        (None, Some(stop)) => {
            let least = sentences::at_least(measures, objective, answer.at_least);
            format!("unknown how many shortest solutions there are{least}: {stop}")
        }
        (None, None) => {
            format!("there are more shortest solutions ({length}) than 128 bits can count")
        }
    }
}

fn counted(game: &mut Analysis<'_>, most: usize, limits: &Limits) -> Enumeration {
    let cost = game.rest(limits).cost;
    let atlas = game.atlas.as_mut();
    let start = atlas.start();
    let Some(optimum) = cost.exactly() else {
        return match cost {
            CostToGo::Never => Enumeration::unsolvable(),
            _ => Enumeration { at_least: cost.at_least(), ..Enumeration::unknown(cost.stop()) },
        };
    };
    let mut answer = Enumeration {
        optimum: Some(optimum),
        at_least: Some(optimum),
        solvable: Some(true),
        stop: cost.stop(),
        ..Enumeration::default()
    };
    let graph = match Graph::of_optimal_plans(atlas, start, optimum, limits) {
        Ok(graph) => graph,
        Err(stop) => return Enumeration { stop: Some(stop), ..answer },
    };
    answer.positions = graph.positions();
    answer.common = graph.common();
    answer.shared = graph.shared(&answer.common);
    match count(&graph, most, limits) {
        Ok((plans, listed)) => {
            answer.all_listed = plans.is_some_and(|plans| plans == listed.len() as u128);
            answer.plans = plans;
            answer.listed = listed.iter().map(|way| graph.actions(way)).collect();
        }
        Err(stop) => answer.stop = Some(stop),
    }
    answer
}

/// Where optimal plans can stand after the same pushes. That is one position, but where what has
/// happened on a walk makes a difference (see [`unstuck_puzzles::constraints`]).
struct Stand {
    /// The positions, each with what the rest costs and the actions that go on.
    members: Vec<(Id, Cost, Rc<[Action]>)>,
    /// The most that the rest costs, so that it gets less with every push.
    rest: Cost,
    /// What can be done, each with the number of the stand after it.
    actions: Vec<Action>,
    /// Whether a plan can end here.
    ends: bool,
}

/// The stands of optimal plans by number, the start first.
struct Graph(Vec<Stand>);

/// The first stand.
const START: Id = 0;

impl Graph {
    fn of_optimal_plans(
        atlas: &mut dyn Atlas,
        start: Id,
        optimum: Cost,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let first = vec![(start, optimum)];
        let mut numbers: HashMap<Vec<(Id, Cost)>, Id> = HashMap::from([(first.clone(), START)]);
        let mut known: HashMap<(Id, Cost), Rc<[Action]>> = HashMap::new();
        let mut stands: Vec<Option<Stand>> = vec![None];
        let mut open = vec![(START, first)];
        while let Some((number, positions)) = open.pop() {
            if let Some(stop) = limits.reached() {
                return Err(stop);
            }
            let rest = positions.iter().map(|&(_, rest)| rest).max().unwrap_or_default();
            let ends = positions.iter().any(|&(id, _)| atlas.is_goal(id));
            let mut members = Vec::new();
            let mut after: Vec<(ActionId, Vec<(Id, Cost)>)> = Vec::new();
            for (id, rest) in positions {
                let actions = match known.get(&(id, rest)) {
                    Some(actions) => actions.clone(),
                    None if atlas.is_goal(id) => Rc::from([]),
                    None => match optimal_actions(atlas, id, rest, usize::MAX, limits) {
                        (_, Some(stop)) => return Err(stop),
                        (actions, None) => Rc::from(actions),
                    },
                };
                known.insert((id, rest), actions.clone());
                // A walk to the goal is no push: where a plan can end without it, it is the same.
                for action in actions.iter().filter(|action| !ends || action.name != WALK) {
                    let Some(rest) = rest.after(action.cost) else { continue };
                    match after.iter_mut().find(|(name, _)| *name == action.name) {
                        Some((_, to)) => to.push((action.to, rest)),
                        None => after.push((action.name, vec![(action.to, rest)])),
                    }
                }
                members.push((id, rest, actions));
            }
            let mut actions = Vec::new();
            for (name, mut to) in after {
                to.sort_unstable();
                to.dedup();
                let next = *numbers.entry(to.clone()).or_insert_with(|| {
                    let next = stands.len() as Id;
                    stands.push(None);
                    open.push((next, to));
                    next
                });
                actions.push(Action { name, to: next, cost: Cost::ZERO });
            }
            stands[number as usize] = Some(Stand { members, rest, actions, ends });
        }
        Ok(Self(stands.into_iter().map(|stand| stand.expect("all were open")).collect()))
    }

    fn stand(&self, number: Id) -> &Stand {
        &self.0[number as usize]
    }

    /// How many positions there are.
    fn positions(&self) -> u64 {
        let members = self.0.iter().flat_map(|stand| &stand.members);
        members.map(|&(id, ..)| id).collect::<BTreeSet<Id>>().len() as u64
    }

    /// The actions of a way through stands, from position to position.
    fn actions(&self, way: &[Action]) -> Vec<Action> {
        let stands: Vec<&Stand> = [START]
            .into_iter()
            .chain(way.iter().map(|action| action.to))
            .map(|it| self.stand(it))
            .collect();
        // From behind, so that each position has a way to the end: a goal, where nothing goes on.
        let last = stands[way.len()].members.iter().find(|(.., actions)| actions.is_empty());
        let mut at = last.map(|&(id, rest, _)| (id, rest));
        let mut found = Vec::new();
        for (step, stand) in way.iter().zip(&stands).rev() {
            let Some((to, rest)) = at else { break };
            let before = stand.members.iter().find_map(|&(id, whole, ref actions)| {
                let action = actions.iter().find(|action| {
                    action.name == step.name
                        && action.to == to
                        && whole.after(action.cost) == Some(rest)
                })?;
                Some(((id, whole), *action))
            });
            at = before.map(|(from, action)| {
                found.push(action);
                from
            });
        }
        found.reverse();
        found
    }

    /// The pushes that every optimal plan makes, as often as every plan makes them, in the order of
    /// a first plan.
    fn common(&self) -> Vec<ActionId> {
        let mut first = Vec::new();
        let mut at = START;
        while let Some(action) = self.stand(at).actions.first() {
            first.push(action.name);
            at = action.to;
        }
        let names: BTreeSet<ActionId> = first.iter().copied().collect();
        let least = names.into_iter().map(|name| (name, self.least_uses(name)));
        let least: HashMap<ActionId, usize> = least.collect();
        let mut used: HashMap<ActionId, usize> = HashMap::new();
        first.retain(|name| {
            let used = used.entry(*name).or_default();
            *used += 1;
            *used <= least[name]
        });
        first
    }

    /// When the common pushes are made, and which of them nothing else can stand for.
    fn shared(&self, common: &[ActionId]) -> Vec<CommonAction> {
        // Those with most before them come last.
        let mut order = self.by_rest();
        order.reverse();
        let mut before: HashMap<Id, (u32, u32)> = HashMap::from([(START, (0, 0))]);
        let mut all: BTreeMap<ActionId, CommonAction> = BTreeMap::new();
        // Ways that have begun before a position and end behind it; alone if there are none, and no
        // other position costs the same.
        let mut ends: BTreeMap<Cost, usize> = BTreeMap::new();
        let mut open = 0;
        for (at, &(rest, id)) in order.iter().enumerate() {
            let same = |other: Option<&(Cost, Id)>| other.is_some_and(|it| it.0 == rest);
            if !same(at.checked_sub(1).and_then(|at| order.get(at))) {
                open -= ends.remove(&rest).unwrap_or(0);
            }
            let alone = open == 0
                && !same(order.get(at + 1))
                && !same(at.checked_sub(1).and_then(|at| order.get(at)));
            let Some(&(least, most)) = before.get(&id) else { continue };
            let Stand { actions, ends: can_end, .. } = self.stand(id);
            for action in actions {
                let seen = before.entry(action.to).or_insert((least + 1, most + 1));
                *seen = (seen.0.min(least + 1), seen.1.max(most + 1));
                *ends.entry(self.stand(action.to).rest).or_default() += 1;
                open += 1;
                if action.name != WALK && common.contains(&action.name) {
                    let shared = all.entry(action.name).or_insert(CommonAction {
                        action: action.name,
                        first: least + 1,
                        last: most + 1,
                        only: false,
                    });
                    shared.first = shared.first.min(least + 1);
                    shared.last = shared.last.max(most + 1);
                    shared.only |= alone && actions.len() == 1 && !can_end;
                }
            }
        }
        let mut all: Vec<CommonAction> = all.into_values().collect();
        all.sort_by_key(|shared| (shared.first, shared.last, shared.action));
        all
    }

    /// How often a push occurs at least in an optimal plan.
    fn least_uses(&self, name: ActionId) -> usize {
        // The successors come first.
        let mut least: HashMap<Id, usize> = HashMap::new();
        for (_, id) in self.by_rest() {
            let stand = self.stand(id);
            let uses = |action: &Action| least[&action.to] + usize::from(action.name == name);
            let uses = stand.actions.iter().map(uses).min().filter(|_| !stand.ends).unwrap_or(0);
            least.insert(id, uses);
        }
        least[&START]
    }

    /// The stands in the order of the cost of the rest. A last walk can cost nothing; so of stands
    /// with the same rest those at the end come first.
    fn by_rest(&self) -> Vec<(Cost, Id)> {
        let mut order: Vec<(Cost, Id)> =
            self.0.iter().zip(START..).map(|(stand, number)| (stand.rest, number)).collect();
        order.sort_by_key(|&(rest, number)| (rest, !self.stand(number).actions.is_empty(), number));
        order
    }
}

/// A way to a class: its last action, and the way before.
type Way = Option<Rc<Link>>;

struct Link {
    action: Action,
    before: Way,
}

/// The classes of two neighbouring layers that are connected.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Component {
    /// Positions of the classes of the earlier layer.
    earlier: Vec<Id>,
    /// Positions of the classes of the later layer.
    later: Vec<Id>,
    /// Which class of the later layer an action makes of one of the earlier layer, in increasing
    /// order.
    joins: Vec<(u32, ActionId, u32)>,
}

/// Copies of a component: how many, and the ways to the later classes in some of them.
struct Copies {
    number: Option<u128>,
    ways: Vec<Vec<Way>>,
}

type Layer = BTreeMap<Component, Copies>;
type CountedPlans = (Option<u128>, Vec<Vec<Action>>);

fn count(graph: &Graph, most: usize, limits: &Limits) -> Result<CountedPlans, Stop> {
    let first = Component { earlier: Vec::new(), later: vec![START], joins: Vec::new() };
    let mut layer = Layer::new();
    layer.insert(first, Copies { number: Some(1), ways: vec![vec![None]] });
    let (mut total, mut listed) = (Some(0u128), Vec::new());
    while !layer.is_empty() {
        let mut next = Layer::new();
        for (component, copies) in layer {
            if let Some(stop) = limits.reached() {
                return Err(stop);
            }
            let ended = |id: &Id| graph.stand(*id).ends;
            let ends = component.later.iter().filter(|&id| ended(id)).count() as u128;
            total = sum(total, copies.number.and_then(|number| number.checked_mul(ends)));
            for ways in &copies.ways {
                let ways = component.later.iter().zip(ways).filter(|(id, _)| ended(id));
                let room = most.saturating_sub(listed.len());
                listed.extend(ways.take(room).map(|(_, way)| actions_of(way)));
            }
            for part in component.extended(graph) {
                let Part { component, from } = part;
                let kept = next
                    .entry(component)
                    .or_insert_with(|| Copies { number: Some(0), ways: Vec::new() });
                kept.number = sum(kept.number, copies.number);
                let room = most.saturating_sub(kept.ways.len());
                kept.ways.extend(copies.ways.iter().take(room).map(|ways| extend(ways, &from)));
            }
        }
        layer = next;
    }
    Ok((total, listed))
}

fn sum(one: Option<u128>, other: Option<u128>) -> Option<u128> {
    one?.checked_add(other?)
}

fn extend(ways: &[Way], from: &[(usize, Action)]) -> Vec<Way> {
    let longer = |&(class, action): &(usize, Action)| {
        Some(Rc::new(Link { action, before: ways[class].clone() }))
    };
    from.iter().map(longer).collect()
}

fn actions_of(way: &Way) -> Vec<Action> {
    let links = std::iter::successors(way.as_ref(), |link| link.before.as_ref());
    let mut actions: Vec<Action> = links.map(|link| link.action).collect();
    actions.reverse();
    actions
}

/// A component of the next pair of layers, with a way to each of its later classes: a class of the
/// component before, and the action from there.
struct Part {
    component: Component,
    from: Vec<(usize, Action)>,
}

impl Component {
    /// The components of this one's later layer and the next.
    fn extended(&self, graph: &Graph) -> Vec<Part> {
        // Every later class with every action, in order; `first[class]` is where its actions begin.
        let mut raw: Vec<(usize, Action)> = Vec::new();
        let mut first = Vec::new();
        for (class, id) in self.later.iter().enumerate() {
            first.push(raw.len());
            raw.extend(graph.stand(*id).actions.iter().map(|&action| (class, action)));
        }
        let mut same = Sets::new(raw.len());
        let find = |class: u32, name: ActionId| -> Option<usize> {
            let begin = first[class as usize];
            let actions = &graph.stand(self.later[class as usize]).actions;
            actions.iter().position(|action| action.name == name).map(|at| begin + at)
        };
        for joined in self.joins.chunk_by(|a, b| a.0 == b.0) {
            for (index, &(_, a, after_a)) in joined.iter().enumerate() {
                for &(_, b, after_b) in &joined[index + 1..] {
                    if let (Some(ab), Some(ba)) = (find(after_a, b), find(after_b, a))
                        && raw[ab].1.to == raw[ba].1.to
                    {
                        same.join(ab, ba);
                    }
                }
            }
        }
        self.parts(&raw, &mut same)
    }

    /// Cuts the later layer and its extensions into connected parts.
    fn parts(&self, raw: &[(usize, Action)], same: &mut Sets) -> Vec<Part> {
        // Classes of this layer and raw extensions in one numbering.
        let mut together = Sets::new(self.later.len() + raw.len());
        for (at, &(class, _)) in raw.iter().enumerate() {
            together.join(class, self.later.len() + at);
            together.join(self.later.len() + at, self.later.len() + same.root(at));
        }
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut order = Vec::new();
        for (at, &(class, _)) in raw.iter().enumerate() {
            let root = together.root(class);
            let list = members.entry(root).or_insert_with(|| {
                order.push(root);
                Vec::new()
            });
            list.push(at);
        }
        order.iter().map(|root| self.part(raw, same, &members[root])).collect()
    }

    /// One such part, from the raw extensions in it.
    fn part(&self, raw: &[(usize, Action)], same: &mut Sets, members: &[usize]) -> Part {
        let mut earlier: Vec<usize> = members.iter().map(|&at| raw[at].0).collect();
        earlier.dedup();
        earlier.sort_by_key(|&class| self.later[class]);
        let mut later: Vec<usize> = members.iter().map(|&at| same.root(at)).collect();
        later.sort_unstable();
        later.dedup();
        later.sort_by_key(|&root| raw[root].1.to);
        let place = |list: &[usize], wanted: usize| {
            list.iter().position(|&it| it == wanted).expect("members of the part") as u32
        };
        let mut joins: Vec<(u32, ActionId, u32)> = members
            .iter()
            .map(|&at| {
                let (class, action) = raw[at];
                (place(&earlier, class), action.name, place(&later, same.root(at)))
            })
            .collect();
        joins.sort_unstable();
        let component = Component {
            earlier: earlier.iter().map(|&class| self.later[class]).collect(),
            later: later.iter().map(|&root| raw[root].1.to).collect(),
            joins,
        };
        Part { component, from: later.iter().map(|&root| raw[root]).collect() }
    }
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (least, most) = (one.min(other), one.max(other));
        self.0[most] = least;
    }
}
