//! A game compiled for one level: rules as masks over small words, without what cannot happen.

use crate::puzzlescript::analysis::cells::Cells;
use crate::puzzlescript::analysis::facts::{Facts, MOVEMENTS, STEPS_A_FIND, Sites};
use crate::puzzlescript::analysis::numbering::{LAYERS_A_WORD, Numbering, Words, place};
use crate::puzzlescript::analysis::relevance;
use crate::space::PackingError;
use std::sync::Arc;
use unstuck_puzzles::puzzlescript::{
    CellPattern, Command, Direction, Game, Group as SourceGroup, Input, Kind, Mask, Pattern,
    Quantifier, Rule as SourceRule, bits,
};

/// An object or a property that has more objects than that is not looked for on bitboards.
const MAX_ALTERNATIVES: usize = 4;

pub(crate) fn is_within<const N: usize>(part: &Words<N>, whole: &Words<N>) -> bool {
    (0..N).all(|at| part[at] & !whole[at] == 0)
}

pub(crate) fn meets<const N: usize>(one: &Words<N>, other: &Words<N>) -> bool {
    (0..N).any(|at| one[at] & other[at] != 0)
}

/// Some bitboards, one of which has a cell at an offset from the first of a row.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) boards: Box<[usize]>,
    pub(crate) offset: isize,
}

/// What a rule makes of a cell.
#[derive(Clone, Debug)]
pub(crate) struct Change<const N: usize> {
    pub(crate) clear: Words<N>,
    pub(crate) set: Words<N>,
    /// Movements that end, beside those that begin.
    pub(crate) stop: Words<N>,
    pub(crate) start: Words<N>,
    /// All movements of the layers whose movement the rule decides, for rigid groups.
    pub(crate) decided: Words<N>,
}

/// What a rule looks for in one cell.
#[derive(Clone, Debug)]
pub(crate) struct CellTest<const N: usize> {
    pub(crate) present: Words<N>,
    pub(crate) absent: Words<N>,
    pub(crate) moving: Words<N>,
    pub(crate) not_moving: Words<N>,
    pub(crate) any: Box<[Words<N>]>,
    pub(crate) change: Option<Change<N>>,
}

/// A row of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Row<const N: usize> {
    pub(crate) cells: Box<[CellTest<N>]>,
    /// Before which cells an ellipsis stands.
    pub(crate) dots: Box<[usize]>,
    /// Where it can begin.
    pub(crate) starts: Cells,
    pub(crate) filters: Box<[Filter]>,
}

/// A rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule<const N: usize> {
    pub(crate) direction: Direction,
    pub(crate) step: isize,
    pub(crate) rows: Arc<[Row<N>]>,
    /// All objects and movements that must be on the board.
    pub(crate) needs: (Words<N>, Words<N>),
    pub(crate) replaces: bool,
    pub(crate) rigid: bool,
    pub(crate) commands: Commands,
}

/// A group of rules; one without rules keeps its place for loops.
#[derive(Clone, Debug)]
pub(crate) struct Group<const N: usize> {
    pub(crate) rules: Box<[Rule<N>]>,
    pub(crate) loop_to: Option<usize>,
    pub(crate) rigid: Option<u64>,
    /// As many places as the judge looks at in a round, at most, beside those where it finds a rule
    /// of this group.
    pub(crate) places: u64,
}

/// What rules ask for, as a set: a bit for each word of the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Commands(pub(crate) u32);

impl Commands {
    pub(crate) const CANCEL: u32 = 1;
    pub(crate) const RESTART: u32 = 2;
    pub(crate) const WIN: u32 = 4;
    pub(crate) const AGAIN: u32 = 8;
    pub(crate) const MESSAGE: u32 = 16;
    const CHECKPOINT: u32 = 32;
    const SOUND: u32 = 64;

    fn new(commands: &[Command]) -> Self {
        let bit = |command: &Command| match command {
            Command::Cancel => Self::CANCEL,
            Command::Restart => Self::RESTART,
            Command::Win => Self::WIN,
            Command::Again => Self::AGAIN,
            Command::Message(_) => Self::MESSAGE,
            Command::Checkpoint => Self::CHECKPOINT,
            // Which sound it is does not matter, only whether there is any.
            Command::Sound(_) => Self::SOUND,
        };
        Self(commands.iter().map(bit).fold(0, |all, bit| all | bit))
    }

    pub(crate) fn asks(self, command: u32) -> bool {
        self.0 & command != 0
    }

    /// Adds what a rule asks for. CANCEL drops everything else, before and after it, and RESTART
    /// everything but CANCEL.
    pub(crate) fn queue(&mut self, more: Self) {
        if more.0 == 0 || self.asks(Self::CANCEL) {
            return;
        }
        if self.asks(Self::RESTART) && !more.asks(Self::CANCEL) {
            return;
        }
        if more.asks(Self::CANCEL | Self::RESTART) {
            self.0 = 0;
        }
        self.0 |= more.0;
    }
}

/// What a cell has for a win condition.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Any(Vec<usize>),
    All(Vec<usize>),
}

/// A win condition over bitboards.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) quantifier: Quantifier,
    pub(crate) what: Test,
    /// Nothing where every cell will do: each has a background.
    pub(crate) on: Option<Test>,
}

/// A game for one level.
#[derive(Clone, Debug)]
pub(crate) struct Program<const N: usize> {
    pub(crate) numbering: Arc<Numbering>,
    /// Early groups for each input, and for a tick without one: rules that no movement wakes are
    /// left out.
    pub(crate) early: [Vec<Group<N>>; 6],
    pub(crate) late: Vec<Group<N>>,
    pub(crate) player: Test,
    pub(crate) player_mask: Words<N>,
    /// The objects of each moving layer.
    pub(crate) layers: Vec<Words<N>>,
    /// The moving layer of each object.
    pub(crate) mover: Vec<Option<usize>>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) require_movement: bool,
    pub(crate) is_rigid: bool,
}

impl<const N: usize> Program<N> {
    pub(crate) fn new(
        game: &Game,
        facts: &Facts,
        relevant: &[bool],
        numbering: Arc<Numbering>,
    ) -> Result<Self, PackingError> {
        let (objects, movers) = (numbering.objects.len(), numbering.moving.len());
        if objects > 64 * N || movers > LAYERS_A_WORD * N {
            let message = format!("{objects} objects, {movers} layers in which something moves");
            return Err(PackingError(message));
        }
        let compiler = Compiler { game, facts, numbering: &numbering, relevant };
        let early = compiler.groups(&game.rules, &facts.early);
        let late = compiler.groups(&game.late_rules, &facts.late);
        let mask = |mask: &Mask| numbering.mask::<N>(mask);
        let (Kind::Any(player) | Kind::All(player)) = &game.player;
        let mover = |&bit: &usize| numbering.mover[facts.layer[bit]];
        let awake = |way: usize| {
            let mut movements = [0; N];
            let moved = player.bits().filter(|_| way < MOVEMENTS);
            for layer in moved.filter_map(|bit| numbering.mover[facts.layer[bit]]) {
                let (word, shift) = place(layer);
                movements[word] |= 1_u64 << way << shift;
            }
            awake(&early, movements)
        };
        let test = |kind: &Kind| test(&numbering, kind);
        let conditions = game.conditions.iter().map(|condition| Condition {
            quantifier: condition.quantifier,
            what: test(&condition.what),
            on: condition.on.as_ref().map(test),
        });
        let no_action = game.settings.no_action;
        Ok(Self {
            early: std::array::from_fn(awake),
            late,
            player: test(&game.player),
            player_mask: mask(player),
            layers: numbering.moving.iter().map(|&layer| mask(&game.layers[layer])).collect(),
            mover: numbering.objects.iter().map(mover).collect(),
            conditions: conditions.collect(),
            inputs: Input::ALL
                .into_iter()
                .filter(|&input| !(no_action && input == Input::Action))
                .collect(),
            require_movement: game.settings.require_player_movement,
            is_rigid: game.rules.iter().any(|group| group.rigid.is_some()),
            numbering,
        })
    }
}

fn test(numbering: &Numbering, kind: &Kind) -> Test {
    match kind {
        Kind::Any(mask) => Test::Any(mask.bits().filter_map(|bit| numbering.object[bit]).collect()),
        Kind::All(mask) => {
            let objects: Option<Vec<usize>> =
                mask.bits().map(|bit| numbering.object[bit]).collect();
            // Without one of them it never holds, and neither does "any of none".
            objects.map_or(Test::Any(Vec::new()), Test::All)
        }
    }
}

/// The groups without the rules that need a movement which neither these movements nor those that
/// other rules begin can be.
fn awake<const N: usize>(groups: &[Group<N>], mut movements: Words<N>) -> Vec<Group<N>> {
    loop {
        let before = movements;
        for rule in groups.iter().flat_map(|group| &group.rules) {
            if is_within(&rule.needs.1, &movements) {
                let cells = rule.rows.iter().flat_map(|row| row.cells.iter());
                for change in cells.filter_map(|cell| cell.change.as_ref()) {
                    (0..N).for_each(|at| movements[at] |= change.start[at]);
                }
            }
        }
        if movements == before {
            break;
        }
    }
    let groups = groups.iter().map(|group| {
        let rules = group.rules.iter().filter(|rule| is_within(&rule.needs.1, &movements));
        Group { rules: rules.cloned().collect(), ..group.clone() }
    });
    groups.collect()
}

struct Compiler<'a> {
    game: &'a Game,
    facts: &'a Facts,
    numbering: &'a Numbering,
    relevant: &'a [bool],
}

impl Compiler<'_> {
    fn groups<const N: usize>(
        &self,
        groups: &[SourceGroup],
        sites: &[Vec<Sites>],
    ) -> Vec<Group<N>> {
        let rules = |(group, sites): (&SourceGroup, &Vec<Sites>)| {
            let rules = group.rules.iter().zip(sites);
            let is_kept = |rule: &SourceRule, sites: &Sites| {
                let (game, relevant) = (self.game, self.relevant);
                sites.is_some() && relevance::is_relevant(game, self.facts, rule, relevant, true)
            };
            let places = |(rule, sites): (&SourceRule, &Sites)| {
                let finds = if is_kept(rule, sites) { 0 } else { STEPS_A_FIND };
                rule.rows.iter().map(|row| self.places(row) * (1 + finds)).sum::<u64>()
            };
            Group {
                places: rules.clone().map(places).sum(),
                // A message that would only matter with WIN is kept without it too.
                rules: rules
                    .filter(|(rule, sites)| is_kept(rule, sites))
                    .filter_map(|(rule, sites)| Some(self.rule(rule, sites.as_ref()?)))
                    .collect(),
                loop_to: group.loop_to,
                rigid: group.rigid,
            }
        };
        groups.iter().zip(sites).map(rules).collect()
    }

    /// As many places as the judge looks at for a row, at most.
    fn places(&self, row: &[Pattern]) -> u64 {
        let grid = &self.facts.grid;
        let dots = row.iter().filter(|pattern| matches!(pattern, Pattern::Ellipsis)).count();
        let most = grid.width.max(grid.height) + 1;
        (grid.len() as u64).saturating_mul((most as u64).saturating_pow(dots as u32))
    }

    fn rule<const N: usize>(&self, rule: &SourceRule, sites: &[Vec<Cells>]) -> Rule<N> {
        let step = self.facts.grid.step(rule.direction);
        let rows: Arc<[Row<N>]> =
            rule.rows.iter().zip(sites).map(|(row, sites)| self.row(row, sites, step)).collect();
        let mut needs = ([0; N], [0; N]);
        for cell in rows.iter().flat_map(|row| row.cells.iter()) {
            for at in 0..N {
                needs.0[at] |= cell.present[at];
                needs.1[at] |= cell.moving[at];
            }
        }
        Rule {
            direction: rule.direction,
            step,
            rows,
            needs,
            replaces: rule.replaces,
            rigid: rule.rigid,
            commands: Commands::new(&rule.commands),
        }
    }

    fn row<const N: usize>(&self, row: &[Pattern], sites: &[Cells], step: isize) -> Row<N> {
        let (mut cells, mut dots) = (Vec::new(), Vec::new());
        for pattern in row {
            match pattern {
                Pattern::Ellipsis => dots.push(cells.len()),
                Pattern::Cell(cell) => cells.push(self.cell(cell)),
            }
        }
        let fixed = dots.first().copied().unwrap_or(cells.len());
        let mut filters = Vec::new();
        for (at, cell) in cells[..fixed].iter().enumerate() {
            let offset = at as isize * step;
            self.filters(cell, offset, &mut filters);
        }
        // What fewest cells have comes first: movements, then objects.
        filters.sort_by_key(|filter| {
            let is_movement = filter.boards.iter().all(|&it| it >= self.numbering.objects.len());
            (!is_movement, filter.boards.len())
        });
        Row {
            cells: cells.into(),
            dots: dots.into(),
            starts: sites[0].clone(),
            filters: filters.into(),
        }
    }

    fn filters<const N: usize>(&self, cell: &CellTest<N>, offset: isize, to: &mut Vec<Filter>) {
        let objects = self.numbering.objects.len();
        let is_everywhere =
            |&object: &usize| self.facts.missing[self.numbering.objects[object]].is_empty();
        for object in bits(&cell.present).filter(|it| !is_everywhere(it)) {
            to.push(Filter { boards: [object].into(), offset });
        }
        for layer in 0..self.numbering.moving.len() {
            let (word, shift) = place(layer);
            let movement = cell.moving[word] >> shift;
            for way in (0..MOVEMENTS).filter(|way| movement >> way & 1 == 1) {
                let board = objects + MOVEMENTS * layer + way;
                to.push(Filter { boards: [board].into(), offset });
            }
        }
        for any in &cell.any {
            let boards: Box<[usize]> = bits(any).collect();
            if boards.len() <= MAX_ALTERNATIVES {
                to.push(Filter { boards, offset });
            }
        }
    }

    fn cell<const N: usize>(&self, pattern: &CellPattern) -> CellTest<N> {
        let objects = |mask: &Mask| self.numbering.mask::<N>(mask);
        let movements = |mask: &Mask| self.numbering.movements::<N>(mask);
        let change = pattern.replacement.as_ref().map(|change| {
            let (stop, decided) = (movements(&change.stop), movements(&change.decided));
            Change {
                clear: objects(&change.clear),
                set: objects(&change.set),
                stop: std::array::from_fn(|at| stop[at] | decided[at]),
                start: movements(&change.start),
                decided,
            }
        });
        CellTest {
            present: objects(&pattern.present),
            absent: objects(&pattern.absent),
            moving: movements(&pattern.moving),
            not_moving: movements(&pattern.not_moving),
            any: pattern.any.iter().map(objects).collect(),
            change,
        }
    }
}
