//! How many ball actions a position needs at least.
//!
//! Every snowman is a triple of balls that play the roles small, medium and large and meet at one
//! base. A ball that must still grow has to pass as many cells of snow as sizes are missing. So
//! for each ball, role and base cell there is a least number of pushes, walls alone considered: a
//! push from c to the next cell needs room for the player behind c. A triple costs the least sum
//! over bases and over the six ways to give out the roles; the bound is the cheapest way to part
//! the balls into triples. When there is none, the position is dead: that covers balls in
//! corners, wrong sizes, missing snow, and targets that cannot be reached.
//!
//! Two refinements. A ball that lies where it is to end, but not on what belongs under it, must
//! leave and come back, since nothing gets under a ball; the same goes for a small ball that
//! becomes the medium one on the snow of its own base. And stacks that can never move again (a
//! greatest fixed point) must be bases.
//!
//! All bases are looked at together: a distance is a byte, a row of distances an array of fixed
//! width on which saturating sums and minima are single instructions for many bytes.
//!
//! The cost of no ball depends on another one but for the meeting place, so after a move of one
//! ball only the triples that it is in need a second look ([`Bounds::moved`]).

use super::freeze::Freezer;
use super::graph::Ball;
use super::graph::{Floor, Push};
use super::triples::{TABULATED_SNOWMEN, TriplePartition, UNSOLVABLE_COST};
use std::collections::VecDeque;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::snowman::Snowman;

/// Name of the bound in certificates and reports.
pub const NAME: &str = "snowman-triples";

/// A distance that cannot be bridged.
const UNREACHABLE: u8 = u8::MAX;
/// Distances above this count as this: six of them still add up to less than [`UNREACHABLE`].
const FAR_DISTANCE: u8 = 42;
/// The most triples that a ball is in, for the snowmen of [`TABULATED_SNOWMEN`].
const MAX_TRIPLES_OF_BALL: usize = 28;

/// One byte for each base cell.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Lanes<const L: usize>([u8; L]);

impl<const L: usize> Lanes<L> {
    const UNREACHABLE: Self = Self([UNREACHABLE; L]);

    #[inline(always)]
    fn zip(mut self, other: &Self, f: impl Fn(u8, u8) -> u8) -> Self {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a = f(*a, b);
        }
        self
    }

    #[inline(always)]
    fn plus(self, other: &Self) -> Self {
        self.zip(other, u8::saturating_add)
    }

    #[inline(always)]
    fn min(self, other: &Self) -> Self {
        self.zip(other, u8::min)
    }

    /// `self = min(self, other + extra)`.
    #[inline(always)]
    fn lower(&mut self, other: &Self, extra: u8) {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a = (*a).min(b.saturating_add(extra));
        }
    }

    /// The least entry of the cheapest of three sums.
    #[inline(always)]
    fn least_sum(sums: [[&Self; 2]; 3]) -> u8 {
        let [[a, b], [c, d], [e, f]] = sums.map(|sum| sum.map(|lanes| &lanes.0));
        let sum = |a: &[u8; L], b: &[u8; L], lane: usize| a[lane].saturating_add(b[lane]);
        let at = |lane| sum(a, b, lane).min(sum(c, d, lane)).min(sum(e, f, lane));
        (0..L).map(at).fold(UNREACHABLE, u8::min)
    }

    /// Cuts finite entries to [`FAR_DISTANCE`].
    fn clip(self) -> Self {
        Self(self.0.map(|d| if d == UNREACHABLE { UNREACHABLE } else { d.min(FAR_DISTANCE) }))
    }
}

/// Least pushes of one ball to each base, for the roles small, medium, large.
type Roles<const L: usize> = [Lanes<L>; 3];

/// What the bound of a position is made of, kept so that its neighbours cost less.
#[derive(Clone, Debug, Default)]
pub struct BoundParts<const L: usize> {
    balls: Vec<Ball>,
    roles: Vec<Roles<L>>,
    /// For balls i and j, at i * balls + j: one plays medium, the other small.
    pairs: Vec<Lanes<L>>,
    /// For each triple its cost.
    costs: Vec<u16>,
    /// For each triple the cost of all other balls, once it was needed.
    rest: Vec<Option<u16>>,
}

impl<const L: usize> BoundParts<L> {
    #[inline(always)]
    fn pair(&self, i: u8, j: u8) -> &Lanes<L> {
        &self.pairs[usize::from(i) * self.balls.len() + usize::from(j)]
    }
}

#[inline(always)]
fn pair<const L: usize>(a: &Roles<L>, b: &Roles<L>) -> Lanes<L> {
    a[1].plus(&b[0]).min(&a[0].plus(&b[1]))
}

#[inline(always)]
fn capped(least: u8) -> u16 {
    if least == UNREACHABLE { UNSOLVABLE_COST } else { u16::from(least) }
}

/// The bound of a level, for boards with at most `L` cells for balls.
#[derive(Clone, Debug)]
pub struct Bounds<const L: usize> {
    freezer: Freezer,
    /// Least pushes from each spot to each other.
    away: Vec<Lanes<L>>,
    /// The same, but with no way to stay at the spot itself.
    leaving: Vec<Lanes<L>>,
    /// For each spot the least pushes away from it and back.
    back: Vec<u8>,
    /// Zero where a snowman may stand, [`UNREACHABLE`] elsewhere.
    bases: Lanes<L>,
    /// Whether some distance is so large that sums must be cut.
    wide: bool,
    dismantle: bool,
    partings: Vec<TriplePartition>,
}

/// Least pushes of a ball from one spot to all others, walls alone considered; [`UNREACHABLE`] where it
/// cannot get.
fn pushes_from(floor: &Floor, from: usize) -> Vec<u8> {
    let mut away = vec![UNREACHABLE; floor.grounds()];
    away[from] = 0;
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for direction in Direction::ALL {
            let push = Push { at, direction };
            if let (Some(_), Some(next)) = (floor.behind(push), floor.beyond(push))
                && away[next] == UNREACHABLE
            {
                away[next] = (away[at] + 1).min(UNREACHABLE - 1);
                open.push_back(next);
            }
        }
    }
    away
}

/// For each spot that takes balls the least pushes to each other; `None` where there is no way.
pub fn distances(floor: &Floor) -> Vec<Vec<Option<u32>>> {
    let finite = |d: u8| (d != UNREACHABLE).then_some(u32::from(d));
    (0..floor.grounds())
        .map(|from| pushes_from(floor, from).into_iter().map(finite).collect())
        .collect()
}

impl<const L: usize> Bounds<L> {
    /// The bound of a level; `None` when the board does not fit.
    pub fn new(puzzle: &Snowman, floor: &Floor) -> Option<Self> {
        if floor.grounds() > L || floor.len() >= usize::from(u8::MAX) {
            return None;
        }
        let mut wide = false;
        let away: Vec<Lanes<L>> = (0..floor.grounds())
            .map(|from| {
                let mut lanes = Lanes::UNREACHABLE;
                let pushes = pushes_from(floor, from);
                wide |= pushes.iter().any(|&d| d != UNREACHABLE && d > FAR_DISTANCE);
                lanes.0[..pushes.len()].copy_from_slice(&pushes);
                lanes.clip()
            })
            .collect();
        let mut leaving = away.clone();
        let mut bases = Lanes::UNREACHABLE;
        for (spot, lanes) in leaving.iter_mut().enumerate().take(floor.grounds()) {
            lanes.0[spot] = UNREACHABLE;
            if floor.is_base(spot) {
                bases.0[spot] = 0;
            }
        }
        let balls: usize = puzzle.balls().iter().sum();
        let back = (0..floor.grounds()).map(|spot| {
            let first = Direction::ALL.map(|direction| {
                let push = Push { at: spot, direction };
                let next = floor.behind(push).and_then(|_| floor.beyond(push));
                next.map_or(UNREACHABLE, |next| away[next].0[spot].saturating_add(1))
            });
            first.into_iter().min().unwrap_or(UNREACHABLE)
        });
        Some(Self {
            freezer: Freezer::new(floor, puzzle.dismantle()),
            back: back.collect(),
            away,
            leaving,
            bases,
            wide,
            dismantle: puzzle.dismantle(),
            partings: (0..=balls / 3).map(TriplePartition::new).collect(),
        })
    }

    /// What a ball needs to get to each base in each role. `is_placed_right` says that all larger sizes
    /// are under it.
    fn roles(&self, ball: Ball, is_placed_right: bool, snow: &[u8]) -> Roles<L> {
        let here = usize::from(ball.spot);
        let mut roles = [Lanes::UNREACHABLE; 3];
        let from = &self.away[here];
        roles[usize::from(ball.size)] = *from;
        if !is_placed_right {
            roles[usize::from(ball.size)].0[here] = self.back[here];
        }
        let to = |x: u8| from.0[usize::from(x)];
        match ball.size {
            0 => {
                // Past one cell of snow and on; or to stay on it, away and back.
                let mut grown = Lanes::UNREACHABLE;
                for &x in snow {
                    grown.lower(&self.leaving[usize::from(x)], to(x));
                }
                let mut twice = Lanes::UNREACHABLE;
                for &x in snow {
                    twice.lower(&self.away[usize::from(x)], grown.0[usize::from(x)]);
                }
                for &x in snow {
                    let back = &mut grown.0[usize::from(x)];
                    *back = (*back).min(to(x).saturating_add(self.back[usize::from(x)]));
                }
                roles[1] = grown;
                roles[2] = twice;
            }
            1 => {
                let mut grown = Lanes::UNREACHABLE;
                for &x in snow {
                    grown.lower(&self.away[usize::from(x)], to(x));
                }
                roles[2] = grown;
            }
            _ => {}
        }
        roles[2] = roles[2].plus(&self.bases);
        if self.wide { roles.map(Lanes::clip) } else { roles }
    }

    /// Looks at all balls of `valued` again.
    fn value(&mut self, snow: &[u8], valued: &mut BoundParts<L>) {
        valued.roles.clear();
        for &ball in &valued.balls {
            valued.roles.push(self.roles(ball, is_placed_right(&valued.balls, ball), snow));
        }
        let n = valued.balls.len();
        valued.pairs.resize(n * n, Lanes::UNREACHABLE);
        for i in 0..n {
            for j in i + 1..n {
                let pair = pair(&valued.roles[i], &valued.roles[j]);
                valued.pairs[i * n + j] = pair;
                valued.pairs[j * n + i] = pair;
            }
        }
        let parting = &self.partings[n / 3];
        let mut costs = std::mem::take(&mut valued.costs);
        parting.clear(&mut costs);
        for (cost, &[i, j, k]) in costs.iter_mut().zip(&parting.triples) {
            let large = |ball: u8| &valued.roles[usize::from(ball)][2];
            *cost = capped(Lanes::least_sum([
                [large(i), valued.pair(j, k)],
                [large(j), valued.pair(i, k)],
                [large(k), valued.pair(i, j)],
            ]));
        }
        valued.costs = costs;
        valued.rest.clear();
        valued.rest.resize(parting.triples.len(), None);
    }

    /// The bound of a position that was looked at.
    fn total(&self, valued: &BoundParts<L>) -> Option<u32> {
        let total = self.partings[valued.balls.len() / 3].total(&valued.costs);
        (total < UNSOLVABLE_COST).then_some(u32::from(total))
    }

    /// The bound of a neighbour in which one ball was pushed and the snow is the same; for few
    /// snowmen.
    fn total_moved(
        &mut self,
        valued: &mut BoundParts<L>,
        ball: usize,
        to: Ball,
        snow: &[u8],
    ) -> Option<u32> {
        // What lies under other balls stays there.
        let roles = self.roles(to, is_placed_right(&valued.balls, to), snow);
        let mut pairs = [Lanes::UNREACHABLE; 3 * TABULATED_SNOWMEN];
        for (pairs, other) in pairs.iter_mut().zip(&valued.roles) {
            *pairs = pair(&roles, other);
        }
        let parting = &self.partings[valued.balls.len() / 3];
        let known = valued.costs.first_chunk().expect("there is room for all triples of few balls");
        let with = &parting.with[ball];
        let mut before = [UNSOLVABLE_COST; MAX_TRIPLES_OF_BALL];
        let mut first = 0;
        for (at, &t) in with.iter().enumerate() {
            let t = usize::from(t);
            let rest = *valued.rest[t].get_or_insert_with(|| parting.remainder(t, known));
            before[at] = known[t] + rest;
            first = if before[at] < before[first] { at } else { first };
        }
        let cost = |t: u16| {
            let [i, j, k] = parting.triples[usize::from(t)];
            let (a, b) = match ball as u8 {
                it if it == i => (j, k),
                it if it == j => (i, k),
                _ => (i, j),
            };
            let large = |ball: u8| &valued.roles[usize::from(ball)][2];
            capped(Lanes::least_sum([
                [&roles[2], valued.pair(a, b)],
                [large(a), &pairs[usize::from(b)]],
                [large(b), &pairs[usize::from(a)]],
            ]))
        };
        // The triple that was in the cheapest parting most likely still is.
        let order = std::iter::once(first).chain((0..with.len()).filter(|&at| at != first));
        let mut total = UNSOLVABLE_COST;
        for at in order {
            // A push that eats no snow brings a ball nearer by one at most.
            if before[at] <= total {
                let rest = before[at] - known[usize::from(with[at])];
                total = total.min(cost(with[at]) + rest);
            }
        }
        (total < UNSOLVABLE_COST).then_some(u32::from(total))
    }

    /// Whether counting shows that these balls cannot all end in snowmen.
    fn is_short(&self, open: &[Ball], snow: &[u8]) -> bool {
        let snowmen = open.len() / 3;
        let with = |least: u8| open.iter().filter(|ball| ball.size >= least).count();
        let (large, medium) = (with(2), with(1));
        if !open.len().is_multiple_of(3) || large > snowmen || medium > 2 * snowmen {
            return true;
        }
        let growth = 3 * snowmen - medium - large;
        let Some(spare) = snow.len().checked_sub(growth) else { return true };
        spare < snow.len() && self.wasted(open, snow) > spare
    }

    /// Cells of snow that no ball can use that has still to grow.
    fn wasted(&self, balls: &[Ball], snow: &[u8]) -> usize {
        let mut reach = Lanes::<L>::UNREACHABLE;
        for ball in balls.iter().filter(|ball| ball.size < 2) {
            reach = reach.min(&self.away[usize::from(ball.spot)]);
        }
        snow.iter().filter(|&&x| reach.0[usize::from(x)] == UNREACHABLE).count()
    }

    /// The balls that still matter: all, or those outside of snowmen that cannot be taken apart.
    /// `None` when such a snowman is in the wrong place.
    fn open(&self, balls: &[Ball], open: &mut Vec<Ball>) -> Option<()> {
        open.clear();
        if self.dismantle {
            open.extend_from_slice(balls);
            return Some(());
        }
        for ball in balls {
            if !finished(balls, ball.spot) {
                open.push(*ball);
            } else if self.bases.0[usize::from(ball.spot)] == UNREACHABLE {
                return None;
            }
        }
        Some(())
    }

    /// Whether frozen stacks show that a position is dead.
    fn is_stuck(&mut self, balls: &[Ball]) -> bool {
        let bases = &self.bases;
        self.freezer.is_stuck(balls, |spot| bases.0[usize::from(spot)] == 0)
    }

    /// Least number of ball actions that a position needs; `None` when it is dead. `snow` lists
    /// the spots with snow. The position is kept in `valued` for [`Bounds::moved`].
    pub fn bound(
        &mut self,
        balls: &[Ball],
        snow: &[u8],
        valued: &mut BoundParts<L>,
    ) -> Option<u32> {
        let mut open = std::mem::take(&mut valued.balls);
        let alive = self.open(balls, &mut open).is_some()
            && !self.is_short(&open, snow)
            && !self.is_stuck(balls);
        valued.balls = open;
        if !alive {
            return None;
        }
        self.value(snow, valued);
        self.total(valued)
    }

    /// The bound of a neighbour of a position that was looked at: by one push that ate no snow,
    /// `balls` has `to` instead of `from`. `None` for the outer option when it has to be
    /// recomputed.
    pub fn moved(
        &mut self,
        valued: &mut BoundParts<L>,
        balls: &[Ball],
        snow: &[u8],
        from: Ball,
        to: Ball,
    ) -> Option<Option<u32>> {
        let same_snowmen = self.dismantle || !finished(balls, to.spot);
        let few = (1..=TABULATED_SNOWMEN).contains(&(valued.balls.len() / 3));
        let index = valued.balls.iter().position(|&ball| ball == from)?;
        if !same_snowmen || !few {
            return None;
        }
        valued.balls[index] = to;
        let short = self.is_short(&valued.balls, snow);
        valued.balls[index] = from;
        let dead = short || self.is_stuck(balls);
        Some(if dead { None } else { self.total_moved(valued, index, to, snow) })
    }
}

/// Whether all sizes above that of a ball are under it.
fn is_placed_right(balls: &[Ball], ball: Ball) -> bool {
    let larger = |other: &&Ball| other.spot == ball.spot && other.size > ball.size;
    balls.iter().filter(larger).count() == 2 - usize::from(ball.size)
}

/// Whether all three sizes are at a spot.
fn finished(balls: &[Ball], spot: u8) -> bool {
    balls.iter().filter(|ball| ball.spot == spot).count() == 3
}

/// The bound of a level at its start; `None` when it is hopeless. Boards that are too large for
/// the bound count as needing nothing.
pub fn of_level(puzzle: &Snowman, floor: &Floor) -> Option<u32> {
    fn with<const L: usize>(puzzle: &Snowman, floor: &Floor) -> Option<Option<u32>> {
        let spot = |cell| floor.spot(cell).expect("balls and snow are on the board") as u8;
        let mut bounds = Bounds::<L>::new(puzzle, floor)?;
        let balls: Vec<Ball> = puzzle
            .stacks()
            .iter()
            .flat_map(|(&at, stack)| {
                stack.balls().map(move |size| Ball { spot: spot(at), size: size as u8 })
            })
            .collect();
        let snow: Vec<u8> = puzzle.snow().iter().map(|&cell| spot(cell)).collect();
        Some(bounds.bound(&balls, &snow, &mut BoundParts::default()))
    }
    if puzzle.unsolvable_reason().is_some() {
        return None;
    }
    let bound =
        if floor.grounds() <= 64 { with::<64>(puzzle, floor) } else { with::<256>(puzzle, floor) };
    bound.unwrap_or(Some(0))
}

/// Why a level is hopeless by this bound, as one sentence for people; `None` when it is not.
pub fn why_hopeless(puzzle: &Snowman, bound: Option<u32>) -> Option<String> {
    if bound.is_some() {
        return None;
    }
    Some(puzzle.unsolvable_reason().unwrap_or_else(|| {
        "the walls, the snow and the sizes of the balls leave no way to bring every ball into a \
         snowman"
            .to_owned()
    }))
}
