//! A board in the middle of a turn: words for each cell, and bitboards for each object and movement.

use super::program::{CellTest, Change, Program, Row, Test, is_within, meets};
use crate::puzzlescript::analysis::facts::MOVEMENTS;
use crate::puzzlescript::analysis::numbering::{Words, place};
use std::sync::Arc;
use unstuck_puzzles::puzzlescript::{Quantifier, bits};

/// Two movements of one object at once, which stop the engine with an error.
pub(crate) struct Torn;

/// The board of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Board<const N: usize> {
    program: Arc<Program<N>>,
    width: usize,
    height: usize,
    /// Words of a bitboard.
    words: usize,
    objects: Vec<Words<N>>,
    movements: Vec<Words<N>>,
    /// The cells of each object, then of each movement of each moving layer.
    boards: Vec<u64>,
    /// The cells with any movement.
    moving: Vec<u64>,
    /// Objects and movements that may be somewhere on the board; what is missing here is nowhere.
    seen: (Words<N>, Words<N>),
    /// Where rigid groups have set something in motion, in the bits of movements: all five of a
    /// layer, and the number of the group.
    rigid: Vec<(Words<N>, Words<N>)>,
}

impl<const N: usize> Board<N> {
    /// A board without objects.
    pub(crate) fn new(program: Arc<Program<N>>, width: usize, height: usize) -> Self {
        let cells = width * height;
        let words = cells.div_ceil(64);
        let boards = program.numbering.objects.len() + MOVEMENTS * program.layers.len();
        Self {
            width,
            height,
            words,
            objects: vec![[0; N]; cells],
            movements: vec![[0; N]; cells],
            boards: vec![0; boards * words],
            moving: vec![0; words],
            seen: ([0; N], [0; N]),
            rigid: vec![([0; N], [0; N]); if program.is_rigid { cells } else { 0 }],
            program,
        }
    }

    /// Takes over another board of the same level.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.objects.copy_from_slice(&other.objects);
        self.movements.copy_from_slice(&other.movements);
        self.boards.copy_from_slice(&other.boards);
        self.moving.copy_from_slice(&other.moving);
        self.seen = other.seen;
        self.rigid.copy_from_slice(&other.rigid);
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The objects of the cells.
    pub(crate) fn objects(&self) -> &[Words<N>] {
        &self.objects
    }

    /// Adds an object to a cell that has none in its layer.
    pub(crate) fn put(&mut self, at: usize, object: usize) {
        self.objects[at][object / 64] |= 1 << (object % 64);
        self.boards[object * self.words + at / 64] |= 1 << (at % 64);
        self.seen.0[object / 64] |= 1 << (object % 64);
    }

    /// Whether objects and movements may all be on the board.
    pub(crate) fn may_have(&self, needs: &(Words<N>, Words<N>)) -> bool {
        (0..N).all(|at| needs.0[at] & !self.seen.0[at] == 0 && needs.1[at] & !self.seen.1[at] == 0)
    }

    /// Whether a cell fits what a rule wants there.
    pub(crate) fn fits(&self, test: &CellTest<N>, at: usize) -> bool {
        let (objects, movements) = (&self.objects[at], &self.movements[at]);
        let single = (0..N).all(|word| {
            test.present[word] & !objects[word] == 0
                && test.absent[word] & objects[word] == 0
                && test.moving[word] & !movements[word] == 0
                && test.not_moving[word] & movements[word] == 0
        });
        single && test.any.iter().all(|any| meets(any, objects))
    }

    /// Appends the cells where a row may begin, as far as bitboards can say.
    pub(crate) fn candidates(&self, row: &Row<N>, found: &mut Vec<usize>) {
        for (at, &starts) in row.starts.words().iter().enumerate() {
            let mut rest = starts;
            for filter in &row.filters {
                if rest == 0 {
                    break;
                }
                let boards = filter.boards.iter();
                rest &= boards.fold(0, |all, &board| all | self.shifted(board, at, filter.offset));
            }
            while rest != 0 {
                found.push(64 * at + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// A word of a bitboard in which each cell stands for the one at an offset from it.
    fn shifted(&self, board: usize, at: usize, offset: isize) -> u64 {
        let words = &self.boards[board * self.words..(board + 1) * self.words];
        let by = offset.unsigned_abs();
        let (skip, shift) = (by / 64, by % 64);
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let back = |by: usize| at.checked_sub(by).map_or(0, word);
        match (offset >= 0, shift) {
            (true, 0) => word(at + skip),
            (true, _) => word(at + skip) >> shift | word(at + skip + 1) << (64 - shift),
            (false, 0) => back(skip),
            (false, _) => back(skip) << shift | back(skip + 1) >> (64 - shift),
        }
    }

    fn set_objects(&mut self, at: usize, next: Words<N>) {
        for (word, &next) in next.iter().enumerate() {
            let mut changed = self.objects[at][word] ^ next;
            while changed != 0 {
                let object = 64 * word + changed.trailing_zeros() as usize;
                self.boards[object * self.words + at / 64] ^= 1 << (at % 64);
                changed &= changed - 1;
            }
            self.seen.0[word] |= next;
        }
        self.objects[at] = next;
    }

    fn set_movements(&mut self, at: usize, next: Words<N>) {
        let first = self.program.numbering.objects.len();
        for (word, &next) in next.iter().enumerate() {
            let mut changed = self.movements[at][word] ^ next;
            while changed != 0 {
                // Five bits of a word's sixty-four are for no layer, and never set.
                let bit = 60 * word + changed.trailing_zeros() as usize;
                self.boards[(first + bit) * self.words + at / 64] ^= 1 << (at % 64);
                changed &= changed - 1;
            }
            self.seen.1[word] |= next;
        }
        self.movements[at] = next;
        let moves = next.iter().any(|&word| word != 0);
        let word = &mut self.moving[at / 64];
        *word = *word & !(1 << (at % 64)) | u64::from(moves) << (at % 64);
    }

    /// A word of the bitboard of what a test asks for.
    fn tested(&self, test: &Test, at: usize) -> u64 {
        let word = |&object: &usize| self.boards[object * self.words + at];
        match test {
            Test::Any(objects) => objects.iter().map(word).fold(0, |all, word| all | word),
            Test::All(objects) => objects.iter().map(word).fold(u64::MAX, |all, word| all & word),
        }
    }

    /// Whether the win conditions hold; never where there are none.
    pub(crate) fn conditions_hold(&self) -> bool {
        let conditions = &self.program.conditions;
        !conditions.is_empty()
            && conditions.iter().all(|condition| {
                let mut pairs = (0..self.words).map(|at| {
                    let on = condition.on.as_ref().map_or(u64::MAX, |on| self.tested(on, at));
                    (self.tested(&condition.what, at), on)
                });
                match condition.quantifier {
                    Quantifier::No => pairs.all(|(what, on)| what & on == 0),
                    Quantifier::Some => pairs.any(|(what, on)| what & on != 0),
                    Quantifier::All => pairs.all(|(what, on)| what & !on == 0),
                }
            })
    }

    /// Sets the players in motion, by the bit of the input, and appends their cells.
    pub(crate) fn push_players(&mut self, input: usize, players: &mut Vec<usize>) {
        let program = self.program.clone();
        let standing: Vec<u64> =
            (0..self.words).map(|at| self.tested(&program.player, at)).collect();
        for at in bits(&standing) {
            players.push(at);
            let mut movements = self.movements[at];
            let here: Words<N> =
                std::array::from_fn(|word| self.objects[at][word] & program.player_mask[word]);
            for object in bits(&here) {
                if let Some(layer) = program.mover[object] {
                    let (word, shift) = place(layer);
                    movements[word] |= 1_u64 << input << shift;
                }
            }
            self.set_movements(at, movements);
        }
    }

    /// Changes a cell as a rule says, `rigid` if for a rigid group; whether that makes a difference.
    pub(crate) fn replace(&mut self, change: &Change<N>, rigid: Option<u64>, at: usize) -> bool {
        let objects: Words<N> = std::array::from_fn(|word| {
            self.objects[at][word] & !change.clear[word] | change.set[word]
        });
        let movements: Words<N> = std::array::from_fn(|word| {
            self.movements[at][word] & !change.stop[word] | change.start[word]
        });
        let mut changed = false;
        if objects != self.objects[at] {
            self.set_objects(at, objects);
            changed = true;
        }
        if movements != self.movements[at] {
            self.set_movements(at, movements);
            changed = true;
        }
        if let Some(group) = rigid {
            changed |= self.mark_rigid(group, &change.decided, at);
        }
        changed
    }

    /// Remembers which rigid group has decided about the movement in a cell.
    fn mark_rigid(&mut self, group: u64, decided: &Words<N>, at: usize) -> bool {
        let mut number = [0; N];
        for layer in 0..self.program.layers.len() {
            let (word, shift) = place(layer);
            if decided[word] >> shift & 0b11111 != 0 {
                number[word] |= group << shift;
            }
        }
        let (applied, groups) = &mut self.rigid[at];
        if is_within(&number, groups) || is_within(decided, applied) {
            return false;
        }
        for word in 0..N {
            groups[word] |= number[word];
            applied[word] |= decided[word];
        }
        true
    }

    /// Lets everything move that can, cell by cell, once; whether anything did.
    ///
    /// Who comes first is served first, and a place must be free when it is entered.
    pub(crate) fn sweep(&mut self) -> Result<bool, Torn> {
        let mut moved = false;
        for word in 0..self.words {
            let mut rest = self.moving[word];
            while rest != 0 {
                let at = 64 * word + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                for layer in 0..self.program.layers.len() {
                    let (word, shift) = place(layer);
                    let movement = self.movements[at][word] >> shift & 0b11111;
                    if movement != 0 && self.move_layer(at, layer, movement)? {
                        let mut movements = self.movements[at];
                        movements[word] &= !(0b11111 << shift);
                        self.set_movements(at, movements);
                        moved = true;
                    }
                }
            }
        }
        Ok(moved)
    }

    /// Moves what one layer of a cell has, if there is room.
    fn move_layer(&mut self, at: usize, layer: usize, movement: u64) -> Result<bool, Torn> {
        let (column, row) = (at / self.height, at % self.height);
        let mask = self.program.layers[layer];
        let to = match movement {
            0b00001 if row > 0 => at - 1,
            0b00010 if row + 1 < self.height => at + 1,
            0b00100 if column > 0 => at - self.height,
            0b01000 if column + 1 < self.width => at + self.height,
            0b00001 | 0b00010 | 0b00100 | 0b01000 => return Ok(false),
            0b10000 => return Ok(true),
            // Up and down at once, or all four directions: stays where it is.
            0b00011 | 0b01111 => return Ok(!meets(&mask, &self.objects[at])),
            _ => return Err(Torn),
        };
        if meets(&mask, &self.objects[to]) {
            return Ok(false);
        }
        let here = self.objects[at];
        if meets(&mask, &here) {
            let there = self.objects[to];
            self.set_objects(to, std::array::from_fn(|it| there[it] | here[it] & mask[it]));
            self.set_objects(at, std::array::from_fn(|it| here[it] & !mask[it]));
        }
        Ok(true)
    }

    /// Forgets movements that could not be made, and says which rigid groups had set them: a group
    /// for each cell, with its number from 1.
    pub(crate) fn clear_movements(&mut self) -> Vec<u64> {
        let mut failed = Vec::new();
        for at in 0..self.rigid.len() {
            let (applied, groups) = &self.rigid[at];
            let stuck = |layer: &usize| {
                let (word, shift) = place(*layer);
                (self.movements[at][word] & applied[word]) >> shift & 0b11111 != 0
            };
            let layer = (0..self.program.layers.len()).find(stuck);
            failed.extend(layer.map(|layer| {
                let (word, shift) = place(layer);
                groups[word] >> shift & 0b11111
            }));
        }
        for word in 0..self.words {
            while self.moving[word] != 0 {
                let at = 64 * word + self.moving[word].trailing_zeros() as usize;
                self.set_movements(at, [0; N]);
            }
        }
        self.seen.1 = [0; N];
        self.rigid.fill(([0; N], [0; N]));
        failed
    }
}
