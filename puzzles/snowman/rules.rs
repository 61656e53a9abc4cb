//! The game: what the player may do, and when it is won.

use super::board::{Ground, Snowman, Stack, State};
use super::solution::{Move, Solution};
use crate::canonical::canonical;
use crate::error::Violation;
use crate::game_extras::GameExtras;
use crate::grid::{Cell, Direction};
use crate::moves::{self, MoveError, Moves, Successor};
use crate::objective::Tally;
use crate::picture::Style;
use crate::pieces::Pieces;
use crate::scene::Figure;
use crate::walking::{self, Walks};
use std::collections::BTreeSet;

impl Snowman {
    /// The cells to which the player can walk without pushing and without teleporters, in
    /// increasing order. On a teleporter that is the teleporter alone.
    ///
    /// Such walks can be walked back; a way through a teleporter cannot always, because its exit
    /// may be shut in by balls.
    pub fn reach(&self, state: &State) -> BTreeSet<Cell> {
        let mut reach = BTreeSet::from([state.player]);
        let mut open = vec![state.player];
        while let Some(cell) = open.pop() {
            for (_, next) in self.ground().neighbours(cell) {
                if self.takes_balls(cell)
                    && self.takes_balls(next)
                    && !state.stacks.contains_key(&next)
                    && reach.insert(next)
                {
                    open.push(next);
                }
            }
        }
        reach
    }

    /// Where the player comes out who steps into the teleporter `entered`.
    fn teleported(&self, from: Cell, entered: Cell, exit: Option<u16>) -> Option<Cell> {
        let others = || self.teleporters().iter().copied().filter(|&cell| cell != entered);
        let out = match exit {
            Some(number) => *self.teleporters().get(usize::from(number).checked_sub(1)?)?,
            None if others().count() == 1 => others().next()?,
            None => return None,
        };
        (out != entered && out != from).then_some(out)
    }

    /// The player at `state.player` pushes the stack on the next cell.
    fn push(&self, state: &State, mv: Move) -> Result<State, MoveError> {
        let Some(at) = self.open_next(state.player, mv.direction) else {
            return Err("wall".into());
        };
        let stack = state.stacks[&at];
        if stack == Stack::SNOWMAN && !self.dismantle() {
            return Err("snowman".into());
        }
        let rest = stack.without_top();
        let blocked = if rest.is_none() { "ball-blocked" } else { "stack-blocked" };
        let beyond = self.open_next(at, mv.direction).filter(|&cell| self.takes_balls(cell));
        let beyond = beyond.ok_or(blocked)?;

        let mut next = state.clone();
        let ball = stack.top();
        let landed = match state.stacks.get(&beyond) {
            None if next.snow.remove(&beyond) => Stack::single(ball.grown()),
            None => Stack::single(ball),
            // Only a ball that rolls can climb; a top that is pushed off needs a free cell.
            Some(onto) if rest.is_none() => onto.with(ball).ok_or(blocked)?,
            Some(_) => return Err(blocked.into()),
        };
        next.stacks.insert(beyond, landed);
        match rest {
            Some(rest) => {
                next.stacks.insert(at, rest);
            }
            None => {
                next.stacks.remove(&at);
                next.player = at;
            }
        }
        Ok(next)
    }

    fn figures(&self, state: &State) -> Vec<Figure> {
        let place = |cell: Cell| self.ground().place(cell);
        let snow = state.snow.iter().map(|&cell| Figure::at("snow", place(cell)));
        let stacks = state.stacks.iter().map(|(&cell, stack)| Figure {
            number: stack.number().into(),
            ..Figure::at("balls", place(cell))
        });
        snow.chain(stacks).chain([Figure::at("player", place(state.player))]).collect()
    }
}

impl Moves for Snowman {
    const GAME: GameExtras<Self> = GameExtras {
        classes: walking::classes(),
        figures: Self::figures,
        // Balls grow and snow goes, but no ball comes or goes.
        drawn: Some(|level, other| {
            let (start, state) = (level.start(), other.start());
            let balls =
                |state: &State| state.stacks.values().map(|it| it.balls().count()).sum::<usize>();
            let same = level.ground() == other.ground()
                && balls(&state) == balls(&start)
                && state.snow.is_subset(&start.snow);
            same.then_some(state)
        }),
        says: |shape| {
            let sizes = ["small", "medium", "large"];
            let is_stack = |kind: &str| kind.split('+').all(|size| sizes.contains(&size));
            let stacks = |words: &[&str]| moves::are_placed(words, is_stack);
            moves::says_of(shape, stacks, stacks)
        },
        ..GameExtras::NONE
    };

    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { stacks: self.stacks().clone(), snow: self.snow().clone(), player: self.player() }
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        let exits = |direction| {
            let into = self.open_next(state.player, direction);
            let teleports = into.is_some_and(|cell| self.ground()[cell] == Ground::Teleporter);
            let numbers = 1..=self.teleporters().len() as u16;
            if teleports { numbers.map(Some).collect() } else { vec![None] }
        };
        let all = Direction::ALL.into_iter().flat_map(|direction| {
            exits(direction).into_iter().map(move |exit| Move { direction, exit })
        });
        all.filter(|&mv| self.step(state, mv).is_ok()).collect()
    }

    fn step(&self, state: &State, mv: Move) -> Result<Successor<State>, MoveError> {
        let to = self.open_next(state.player, mv.direction).ok_or("wall")?;
        if self.ground()[to] == Ground::Teleporter {
            let player = self.teleported(state.player, to, mv.exit).ok_or("teleporter-exit")?;
            let state = State { player, ..state.clone() };
            return Ok(Successor { state, tally: Tally { moves: 1, pushes: 0 } });
        }
        if mv.exit.is_some() {
            return Err("no-teleporter".into());
        }
        if state.stacks.contains_key(&to) {
            let state = self.push(state, mv)?;
            return Ok(Successor { state, tally: Tally { moves: 1, pushes: 1 } });
        }
        let state = State { player: to, ..state.clone() };
        Ok(Successor { state, tally: Tally { moves: 1, pushes: 0 } })
    }

    fn is_goal(&self, state: &State) -> bool {
        let targets = self.targets().count() > 0;
        state.stacks.iter().all(|(&cell, &stack)| {
            stack == Stack::SNOWMAN && (!targets || self.ground()[cell] == Ground::Target)
        })
    }

    fn solution(&self, plan: &[Move]) -> Solution {
        Solution::new(plan)
    }

    fn plan(&self, solution: &Solution) -> Vec<Move> {
        solution.moves().to_vec()
    }

    fn pieces(&self, state: &State) -> Pieces {
        let place = |cell: &Cell| self.ground().place(*cell);
        let others = state.stacks.keys().map(|cell| vec![place(cell)]).collect();
        Pieces { player: place(&state.player), others }
    }

    fn begun_at(&self, state: &State) -> Self {
        self.with_pieces(state.clone())
    }

    fn action(&self, before: &State, after: &State) -> String {
        let changed = |one: &State, other: &State| {
            let stacks = one.stacks.iter().filter(|&(cell, it)| other.stacks.get(cell) != Some(it));
            let named = |(&cell, it): (&Cell, &Stack)| {
                let balls = it.balls().map(|size| format!("{size:?}").to_lowercase());
                format!("{} {}", itertools::join(balls, "+"), self.ground().words(cell))
            };
            stacks.map(named).collect::<Vec<_>>()
        };
        moves::action_of(changed(before, after), changed(after, before))
    }

    fn draw(&self, state: &State, style: Style) -> Option<String> {
        Some(match style {
            Style::Plain | Style::Unicode { .. } => self.drawing(state),
            Style::Svg => super::picture::svg(self, state),
        })
    }

    /// The player's cell, the cells with snow and the stacks: `12/3,4,9/20:1,21:3`.
    fn write_state(&self, state: &State) -> String {
        let snow: Vec<String> = state.snow.iter().map(|cell| cell.0.to_string()).collect();
        let stacks = state.stacks.iter().map(|(at, it)| format!("{}:{}", at.0, it.number()));
        let stacks: Vec<String> = stacks.collect();
        format!("{}/{}/{}", state.player.0, snow.join(","), stacks.join(","))
    }

    fn read_state(&self, text: &str) -> Option<State> {
        let cell = |word: &str| {
            canonical(word).map(Cell).filter(|&cell| cell.index() < self.ground().len())
        };
        let list = |part: &'_ str| -> Vec<String> {
            if part.is_empty() { Vec::new() } else { part.split(',').map(str::to_owned).collect() }
        };
        let [player, snow, stacks] = text.split('/').collect::<Vec<_>>().try_into().ok()?;
        let player = cell(player).filter(|&cell| self.is_open(cell))?;
        let snow: Vec<Cell> = list(snow).iter().map(|word| cell(word)).collect::<Option<_>>()?;
        let stacks: Vec<(Cell, Stack)> = list(stacks)
            .iter()
            .map(|word| {
                let (at, stack) = word.split_once(':')?;
                let stack = canonical(stack).and_then(Stack::from_number)?;
                Some((cell(at)?, stack))
            })
            .collect::<Option<_>>()?;
        let state = State {
            stacks: stacks.into_iter().collect(),
            snow: snow.into_iter().collect(),
            player,
        };
        let held = || state.stacks.keys().chain(&state.snow);
        let sound = held().all(|&cell| self.takes_balls(cell))
            && state.stacks.keys().all(|cell| !state.snow.contains(cell))
            && !state.stacks.contains_key(&player)
            && self.write_state(&state) == text;
        sound.then_some(state)
    }
}

impl Walks for Snowman {
    fn player(state: &State) -> Cell {
        state.player
    }

    fn with_player(state: &State, player: Cell) -> State {
        State { player, ..state.clone() }
    }

    fn ahead(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        self.open_next(cell, direction)
    }

    fn within_reach(&self, state: &State) -> BTreeSet<Cell> {
        self.reach(state)
    }
}

/// The judge's verdict in words that fit the game.
pub(super) fn explain(violation: Violation) -> Violation {
    let message = match violation.rule {
        "wall" => "the player would walk into a wall",
        "snowman" => "a finished snowman cannot be taken apart",
        "ball-blocked" => "the ball can neither roll on nor climb what is behind it",
        "stack-blocked" => "the top of a stack can only be pushed off onto a free cell",
        "teleporter-exit" => {
            "the step needs the number of another teleporter to come out at, as in D2"
        }
        "no-teleporter" => "there is no teleporter where the move names an exit",
        "not-solved" => {
            "all moves are legal, but at the end not every ball is in a snowman that stands where \
             it should"
        }
        _ => return violation,
    };
    Violation { message: message.to_owned(), ..violation }
}
