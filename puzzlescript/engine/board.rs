//! A board in the middle of a turn: objects, and what moves where.

use crate::game::{CellPattern, Direction, Game, Replacement, Rule};
use crate::mask::{Mask, clear_movement, has, insert_movement, movement};

/// A player's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The action key.
    Action,
}

impl Input {
    /// All inputs.
    pub const ALL: [Self; 5] = [Self::Up, Self::Down, Self::Left, Self::Right, Self::Action];

    /// Its letter where a play is written down: `udlr` for the arrows and `x` for the action key.
    pub fn letter(self) -> char {
        ['u', 'd', 'l', 'r', 'x'][self as usize]
    }

    /// The movement that it gives to players.
    fn movement(self) -> u64 {
        1 << self as u32
    }
}

/// Why the end of a turn cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEnd {
    /// It takes more steps than anyone would wait for.
    TooLong,
    /// The engine stops with an error: two rules move an object in two directions at once, more than
    /// a hundred groups or loops of the turn end by a counter, or a row with two ellipses is found in
    /// too many places, or has them side by side and its beginning is found.
    Torn,
    /// The engine begins the level again, or shows a message after `cancel`, and the board that it
    /// then looks at may be won, or is none where one has been.
    Unmodelled,
}

impl NoEnd {
    /// Name of the rule that forbids such a turn.
    pub fn rule(self) -> &'static str {
        match self {
            Self::TooLong => "too-long",
            Self::Torn => "torn",
            Self::Unmodelled => "unmodelled",
        }
    }

    /// Whether a rule that forbids a turn is one of these.
    pub fn names(rule: &str) -> bool {
        [Self::TooLong, Self::Torn, Self::Unmodelled].iter().any(|no_end| no_end.rule() == rule)
    }
}

/// The board of a turn. Cells are counted column by column.
#[derive(Clone, Debug)]
pub(crate) struct Board<'a> {
    pub(crate) game: &'a Game,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) objects: Vec<u64>,
    pub(crate) movements: Vec<u64>,
    /// Objects and movements that may be somewhere on the board; what is missing here is nowhere.
    seen: (Mask, Mask),
    /// Where rigid rules have set something in motion: in the bits of movements of a layer all
    /// five, and the number of the group that did.
    pub(crate) rigid: Vec<u64>,
    pub(crate) rigid_group: Vec<u64>,
}

impl<'a> Board<'a> {
    pub(crate) fn new(game: &'a Game, width: usize, height: usize, objects: &[u64]) -> Self {
        let mut seen = (Mask::empty(game.object_words), Mask::empty(game.movement_words));
        objects.chunks(game.object_words).for_each(|cell| seen.0.add_words(cell));
        let words = width * height * game.movement_words;
        let rigid = if game.rules.iter().any(|group| group.rigid.is_some()) { words } else { 0 };
        Self {
            game,
            width,
            height,
            objects: objects.to_vec(),
            movements: vec![0; words],
            seen,
            rigid: vec![0; rigid],
            rigid_group: vec![0; rigid],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.width * self.height
    }

    #[inline]
    pub(crate) fn cell(&self, at: usize) -> &[u64] {
        let words = self.game.object_words;
        &self.objects[at * words..(at + 1) * words]
    }

    #[inline]
    fn movements_at(&self, at: usize) -> &[u64] {
        let words = self.game.movement_words;
        &self.movements[at * words..(at + 1) * words]
    }

    /// How far the next cell in a direction is.
    pub(crate) fn step(&self, direction: Direction) -> isize {
        match direction {
            Direction::Up => -1,
            Direction::Down => 1,
            Direction::Left => -(self.height as isize),
            Direction::Right => self.height as isize,
        }
    }

    /// Whether a rule can be found at all, as far as that can be seen at a glance.
    pub(crate) fn may_have(&self, rule: &Rule) -> bool {
        rule.needs.0.is_within(self.seen.0.words()) && rule.needs.1.is_within(self.seen.1.words())
    }

    #[inline]
    pub(crate) fn fits(&self, pattern: &CellPattern, at: usize) -> bool {
        pattern.fits(self.cell(at), self.movements_at(at))
    }

    /// The cells in which players stand.
    pub(crate) fn players(&self) -> Vec<usize> {
        (0..self.len()).filter(|&at| self.game.player.is_in(self.cell(at))).collect()
    }

    /// Sets the players in these cells in motion.
    pub(crate) fn push_players(&mut self, players: &[usize], input: Input) {
        let words = self.game.movement_words;
        for &at in players {
            for object in &self.game.objects {
                if self.game.player.has(object.bit) && has(self.cell(at), object.bit) {
                    let cell = &mut self.movements[at * words..(at + 1) * words];
                    insert_movement(cell, object.layer, input.movement());
                    self.seen.1.insert_movement(object.layer, input.movement());
                }
            }
        }
    }

    /// Changes a cell as a rule says; whether that makes a difference.
    pub(crate) fn replace(
        &mut self,
        rule: &Rule,
        rigid_group: Option<u64>,
        change: &Replacement,
        at: usize,
    ) -> bool {
        let words = self.game.object_words;
        let cell = &mut self.objects[at * words..(at + 1) * words];
        let mut changed = false;
        for ((word, clear), set) in
            cell.iter_mut().zip(change.clear.words()).zip(change.set.words())
        {
            let next = *word & !clear | set;
            changed |= next != *word;
            *word = next;
        }
        let words = self.game.movement_words;
        let cell = &mut self.movements[at * words..(at + 1) * words];
        let stop = change.stop.words().iter().zip(change.decided.words());
        for ((word, (stop, decided)), start) in cell.iter_mut().zip(stop).zip(change.start.words())
        {
            let next = *word & !(stop | decided) | start;
            changed |= next != *word;
            *word = next;
        }
        if changed {
            self.seen.0.add(&change.set);
            self.seen.1.add(&change.start);
        }
        if rule.rigid
            && let Some(group) = rigid_group
        {
            changed |= self.mark_rigid(group, &change.decided, at);
        }
        changed
    }

    /// Remembers which rigid group has decided about the movement in a cell.
    fn mark_rigid(&mut self, group: u64, decided: &Mask, at: usize) -> bool {
        let words = self.game.movement_words;
        let range = at * words..(at + 1) * words;
        let mut number = Mask::empty(words);
        for (layer, _) in decided.movements(self.game.layers.len()) {
            number.insert_movement(layer, group);
        }
        let (groups, applied) = (&mut self.rigid_group[range.clone()], &mut self.rigid[range]);
        if number.is_within(groups) || decided.is_within(applied) {
            return false;
        }
        groups.iter_mut().zip(number.words()).for_each(|(word, more)| *word |= more);
        applied.iter_mut().zip(decided.words()).for_each(|(word, more)| *word |= more);
        true
    }

    /// Lets everything move that can, cell by cell, once; whether anything did.
    ///
    /// Who comes first is served first, and a place must be free when it is entered.
    pub(crate) fn sweep(&mut self) -> Result<bool, NoEnd> {
        let mut moved = false;
        for at in 0..self.len() {
            if self.movements_at(at).iter().all(|&word| word == 0) {
                continue;
            }
            for layer in 0..self.game.layers.len() {
                let movement = movement(self.movements_at(at), layer);
                if movement != 0 && self.move_layer(at, layer, movement)? {
                    let words = self.game.movement_words;
                    clear_movement(&mut self.movements[at * words..(at + 1) * words], layer);
                    moved = true;
                }
            }
        }
        Ok(moved)
    }

    /// Moves what one layer of a cell has, if there is room.
    fn move_layer(&mut self, at: usize, layer: usize, movement: u64) -> Result<bool, NoEnd> {
        let (column, row) = (at / self.height, at % self.height);
        let to = match movement {
            0b00001 if row > 0 => at - 1,
            0b00010 if row + 1 < self.height => at + 1,
            0b00100 if column > 0 => at - self.height,
            0b01000 if column + 1 < self.width => at + self.height,
            0b00001 | 0b00010 | 0b00100 | 0b01000 => return Ok(false),
            0b10000 => return Ok(true),
            // Up and down at once, or all four directions: stays where it is.
            0b00011 | 0b01111 => return Ok(!self.game.layers[layer].meets(self.cell(at))),
            _ => return Err(NoEnd::Torn),
        };
        let mask = &self.game.layers[layer];
        if mask.meets(self.cell(to)) {
            return Ok(false);
        }
        let words = self.game.object_words;
        for (word, mask) in mask.words().iter().enumerate() {
            let moving = self.objects[at * words + word] & mask;
            self.objects[at * words + word] &= !mask;
            self.objects[to * words + word] |= moving;
        }
        Ok(true)
    }

    /// Forgets movements that could not be made, and says which rigid groups had set them: a group
    /// for each cell, with its number from 1.
    pub(crate) fn clear_movements(&mut self) -> Vec<u64> {
        let words = self.game.movement_words;
        let mut failed = Vec::new();
        for at in (0..self.len()).filter(|_| !self.rigid.is_empty()) {
            let range = at * words..(at + 1) * words;
            let (movements, rigid) = (&self.movements[range.clone()], &self.rigid[range.clone()]);
            let stuck: Vec<u64> =
                movements.iter().zip(rigid).map(|(word, rigid)| word & rigid).collect();
            let layer = (0..self.game.layers.len()).find(|&layer| movement(&stuck, layer) != 0);
            failed.extend(layer.map(|layer| movement(&self.rigid_group[range], layer)));
        }
        self.movements.fill(0);
        self.seen.1 = Mask::empty(words);
        self.rigid.fill(0);
        self.rigid_group.fill(0);
        failed
    }
}
