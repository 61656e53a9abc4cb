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
//! Two refinements. A small ball that becomes the medium one cannot take the snow under its own
//! base and stay, since the large ball must get under it: it must leave and come back, at two more
//! pushes. And stacks that can never move again (a greatest fixed point) must be bases.
//!
//! All bases are looked at together: a distance is a byte, a row of distances an array of fixed
//! width on which saturating sums and minima are single instructions for many bytes.
//!
//! The cost of no ball depends on another one but for the meeting place, so after a move of one
//! ball only the triples that it is in need a second look ([`Bounds::moved`]).

use super::board::{Board, Push};
use std::collections::VecDeque;
use unstuck_puzzles::grid::Direction;
use unstuck_puzzles::snowman::Snowman;

/// Name of the bound in certificates and reports.
pub const NAME: &str = "snowman-triples";

/// A distance that cannot be bridged.
const NEVER: u8 = u8::MAX;
/// Distances above this count as this: six of them still add up to less than [`NEVER`].
const FAR: u8 = 42;
/// No triple of these balls can become a snowman.
const HOPELESS: u16 = 10_000;
/// No spot.
const NONE: u8 = u8::MAX;
/// Up to this many snowmen the cheapest partition is found exactly.
const EXACT: usize = 3;

/// A ball: where it is (a spot that takes balls), and its size from 0 (small) to 2 (large).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ball {
    /// Its spot.
    pub spot: u8,
    /// Its size.
    pub size: u8,
}

/// One byte for each base cell.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Lanes<const L: usize>([u8; L]);

impl<const L: usize> Lanes<L> {
    const NEVER: Self = Self([NEVER; L]);

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

    #[inline(always)]
    fn least(&self) -> u8 {
        self.0.iter().copied().fold(NEVER, u8::min)
    }

    /// Cuts finite entries to [`FAR`].
    fn clip(self) -> Self {
        Self(self.0.map(|d| if d == NEVER { NEVER } else { d.min(FAR) }))
    }
}

/// Least pushes of one ball to each base, for the roles small, medium, large.
type Roles<const L: usize> = [Lanes<L>; 3];

/// How so many balls can be parted into triples.
#[derive(Clone, Debug)]
struct Parting {
    /// All triples of balls.
    triples: Vec<[u8; 3]>,
    /// For each ball the triples that it is in.
    with: Vec<Vec<u16>>,
    /// For each triple the ways to part the other balls into two triples (for three snowmen), or
    /// the triple of the other balls, twice (for two).
    rest: Vec<Vec<[u16; 2]>>,
}

impl Parting {
    fn new(snowmen: usize) -> Self {
        let balls = 3 * snowmen as u8;
        let all = |balls: u8| {
            (0..balls).flat_map(move |i| {
                (i + 1..balls).flat_map(move |j| (j + 1..balls).map(move |k| [i, j, k]))
            })
        };
        let triples: Vec<[u8; 3]> = all(balls).collect();
        let number = |triple: [u8; 3]| triples.binary_search(&triple).expect("listed") as u16;
        let with = (0..balls).map(|ball| {
            (0u16..).zip(&triples).filter(|(_, it)| it.contains(&ball)).map(|(t, _)| t).collect()
        });
        let others = |triple: &[u8; 3]| -> Vec<u8> {
            (0..balls).filter(|ball| !triple.contains(ball)).collect()
        };
        let rest = triples.iter().map(|triple| {
            let others = others(triple);
            match snowmen {
                2 => vec![[number([others[0], others[1], others[2]]); 2]],
                // The first of the other six is in one half: ten ways to choose its partners.
                3 => all(6)
                    .filter(|half| half[0] == 0)
                    .map(|half| {
                        let of = |places: &[u8]| {
                            number([0, 1, 2].map(|i| others[usize::from(places[i])]))
                        };
                        let other: Vec<u8> = (0..6).filter(|p| !half.contains(p)).collect();
                        [of(&half), of(&other)]
                    })
                    .collect(),
                _ => Vec::new(),
            }
        });
        Self { with: with.collect(), rest: rest.collect(), triples }
    }

    /// The cheapest way to part the balls that are not in a triple.
    #[inline]
    fn remainder(&self, triple: usize, costs: &[u16]) -> u16 {
        let cost = |t: u16| costs[usize::from(t)];
        let ways = self.rest[triple].iter();
        match self.with.len() {
            3 => 0,
            6 => ways.map(|&[only, _]| cost(only)).min().unwrap_or(HOPELESS),
            _ => ways.map(|&[a, b]| cost(a) + cost(b)).min().unwrap_or(HOPELESS),
        }
    }
}

/// What the bound of a position is made of, kept so that its neighbours cost less.
#[derive(Clone, Debug, Default)]
pub struct Valued<const L: usize> {
    balls: Vec<Ball>,
    roles: Vec<Roles<L>>,
    /// For balls i < j, at i * balls + j: one plays medium, the other small.
    pairs: Vec<Lanes<L>>,
    /// For each triple its cost.
    costs: Vec<u16>,
    /// For each triple the cost of all other balls; empty until needed.
    rest: Vec<u16>,
}

impl<const L: usize> Valued<L> {
    #[inline(always)]
    fn pair(&self, i: u8, j: u8) -> &Lanes<L> {
        &self.pairs[usize::from(i.min(j)) * self.balls.len() + usize::from(i.max(j))]
    }
}

#[inline(always)]
fn pair<const L: usize>(a: &Roles<L>, b: &Roles<L>) -> Lanes<L> {
    a[1].plus(&b[0]).min(&a[0].plus(&b[1]))
}

#[inline(always)]
fn capped(least: u8) -> u16 {
    if least == NEVER { HOPELESS } else { u16::from(least) }
}

/// The bound of a level, for boards with at most `L` cells for balls.
#[derive(Clone, Debug)]
pub struct Bounds<const L: usize> {
    /// Next spot in each direction, [`NONE`] for walls; teleporters included.
    ahead: Vec<[u8; 4]>,
    grounds: u8,
    /// Least pushes from each spot to each other.
    away: Vec<Lanes<L>>,
    /// The same, but with no way to stay at the spot itself.
    leaving: Vec<Lanes<L>>,
    /// Zero where a snowman may stand, [`NEVER`] elsewhere.
    bases: Lanes<L>,
    /// Whether some distance is so large that sums must be cut.
    wide: bool,
    dismantle: bool,
    partings: Vec<Parting>,
}

/// Least pushes of a ball from one spot to all others, walls alone considered; [`NEVER`] where it
/// cannot get.
fn pushes_from(board: &Board, from: usize) -> Vec<u8> {
    let mut away = vec![NEVER; board.grounds()];
    away[from] = 0;
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for direction in Direction::ALL {
            let push = Push { at, direction };
            if let (Some(_), Some(next)) = (board.behind(push), board.beyond(push))
                && away[next] == NEVER
            {
                away[next] = (away[at] + 1).min(NEVER - 1);
                open.push_back(next);
            }
        }
    }
    away
}

/// For each spot that takes balls the least pushes to each other; `None` where there is no way.
pub fn distances(board: &Board) -> Vec<Vec<Option<u32>>> {
    let finite = |d: u8| (d != NEVER).then_some(u32::from(d));
    (0..board.grounds())
        .map(|from| pushes_from(board, from).into_iter().map(finite).collect())
        .collect()
}

impl<const L: usize> Bounds<L> {
    /// The bound of a level; `None` when the board does not fit.
    pub fn new(puzzle: &Snowman, board: &Board) -> Option<Self> {
        if board.grounds() > L || board.len() >= usize::from(NONE) {
            return None;
        }
        let mut wide = false;
        let away: Vec<Lanes<L>> = (0..board.grounds())
            .map(|from| {
                let mut lanes = Lanes::NEVER;
                let pushes = pushes_from(board, from);
                wide |= pushes.iter().any(|&d| d != NEVER && d > FAR);
                lanes.0[..pushes.len()].copy_from_slice(&pushes);
                lanes.clip()
            })
            .collect();
        let mut leaving = away.clone();
        let mut bases = Lanes::NEVER;
        for (spot, lanes) in leaving.iter_mut().enumerate().take(board.grounds()) {
            lanes.0[spot] = NEVER;
            if board.is_base(spot) {
                bases.0[spot] = 0;
            }
        }
        let ahead =
            |spot| Direction::ALL.map(|d| board.ahead(spot, d).map_or(NONE, |next| next as u8));
        let balls: usize = puzzle.balls().iter().sum();
        Some(Self {
            ahead: (0..board.len()).map(ahead).collect(),
            grounds: board.grounds() as u8,
            away,
            leaving,
            bases,
            wide,
            dismantle: puzzle.dismantle(),
            partings: (0..=balls / 3).map(Parting::new).collect(),
        })
    }

    /// What a ball needs to get to each base in each role.
    fn roles(&self, ball: Ball, snow: &[u8]) -> Roles<L> {
        let here = usize::from(ball.spot);
        let mut roles = [Lanes::NEVER; 3];
        let from = &self.away[here];
        roles[usize::from(ball.size)] = *from;
        let to = |x: u8| from.0[usize::from(x)];
        match ball.size {
            0 => {
                // Past one cell of snow and on; or to stay on it, away and back.
                let mut grown = Lanes::NEVER;
                for &x in snow {
                    grown.lower(&self.leaving[usize::from(x)], to(x));
                }
                let mut twice = Lanes::NEVER;
                for &x in snow {
                    twice.lower(&self.away[usize::from(x)], grown.0[usize::from(x)]);
                }
                for &x in snow {
                    let back = &mut grown.0[usize::from(x)];
                    *back = (*back).min(to(x).saturating_add(2));
                }
                roles[1] = grown;
                roles[2] = twice;
            }
            1 => {
                let mut grown = Lanes::NEVER;
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

    /// Looks at the balls of `valued` anew.
    fn value(&self, snow: &[u8], valued: &mut Valued<L>) {
        valued.roles.clear();
        valued.roles.extend(valued.balls.iter().map(|&ball| self.roles(ball, snow)));
        valued.rest.clear();
        let n = valued.balls.len();
        valued.pairs.resize(n * n, Lanes::NEVER);
        for i in 0..n {
            for j in i + 1..n {
                valued.pairs[i * n + j] = pair(&valued.roles[i], &valued.roles[j]);
            }
        }
        let parting = &self.partings[n / 3];
        let mut costs = std::mem::take(&mut valued.costs);
        costs.clear();
        costs.extend(parting.triples.iter().map(|&[i, j, k]| {
            let large = |ball: u8| valued.roles[usize::from(ball)][2];
            let i_large = large(i).plus(valued.pair(j, k));
            let j_large = large(j).plus(valued.pair(i, k));
            let k_large = large(k).plus(valued.pair(i, j));
            capped(i_large.min(&j_large).min(&k_large).least())
        }));
        valued.costs = costs;
    }

    /// The bound of a position that was looked at.
    fn total(&self, valued: &Valued<L>) -> Option<u32> {
        let snowmen = valued.balls.len() / 3;
        let parting = &self.partings[snowmen];
        let total = match snowmen {
            0 => 0,
            1..=EXACT => {
                let first = parting.with[0].iter().map(|&t| usize::from(t));
                first
                    .map(|t| valued.costs[t] + parting.remainder(t, &valued.costs))
                    .min()
                    .unwrap_or(HOPELESS)
            }
            // Each ball pays a third of the cheapest triple that it can be in.
            _ => {
                let cheapest = parting.with.iter().map(|with| {
                    with.iter().map(|&t| valued.costs[usize::from(t)]).min().unwrap_or(HOPELESS)
                });
                let mut sum = 0u32;
                for cost in cheapest {
                    if cost >= HOPELESS {
                        return None;
                    }
                    sum += u32::from(cost);
                }
                return Some(sum.div_ceil(3));
            }
        };
        (total < HOPELESS).then_some(u32::from(total))
    }

    /// The bound of a neighbour in which one ball is elsewhere (and perhaps of another size) and
    /// the snow is the same.
    fn total_moved(
        &self,
        valued: &mut Valued<L>,
        ball: usize,
        to: Ball,
        snow: &[u8],
    ) -> Option<u32> {
        let snowmen = valued.balls.len() / 3;
        let parting = &self.partings[snowmen];
        if valued.rest.is_empty() {
            let rest = (0..parting.triples.len()).map(|t| parting.remainder(t, &valued.costs));
            valued.rest.extend(rest);
        }
        let roles = self.roles(to, snow);
        let mut pairs = [Lanes::NEVER; 3 * EXACT];
        for (other, pairs) in pairs[..valued.balls.len()].iter_mut().enumerate() {
            *pairs = pair(&roles, &valued.roles[other]);
        }
        let mut total = HOPELESS;
        for &t in &parting.with[ball] {
            let t = usize::from(t);
            let [i, j, k] = parting.triples[t];
            let (a, b) = match ball as u8 {
                it if it == i => (j, k),
                it if it == j => (i, k),
                _ => (i, j),
            };
            let moved_large = roles[2].plus(valued.pair(a, b));
            let a_large = valued.roles[usize::from(a)][2].plus(&pairs[usize::from(b)]);
            let b_large = valued.roles[usize::from(b)][2].plus(&pairs[usize::from(a)]);
            let cost = capped(moved_large.min(&a_large).min(&b_large).least());
            total = total.min(cost + valued.rest[t]);
        }
        (total < HOPELESS).then_some(u32::from(total))
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
        let mut reach = Lanes::<L>::NEVER;
        for ball in balls.iter().filter(|ball| ball.size < 2) {
            reach = reach.min(&self.away[usize::from(ball.spot)]);
        }
        snow.iter().filter(|&&x| reach.0[usize::from(x)] == NEVER).count()
    }

    /// Whether the stacks that can never move again show that the position is dead.
    ///
    /// Frozen is what cannot move on either axis because of walls and other frozen stacks: the
    /// greatest such set. A frozen stack may grow at the top, but what is put on it can only leave
    /// where the stack itself could, so the set stays frozen. Each frozen stack is a base.
    fn is_stuck(&self, balls: &[Ball]) -> bool {
        let mut stacks = [0u8; 256];
        for ball in balls {
            stacks[usize::from(ball.spot)] |= 1 << ball.size;
        }
        let mut frozen = [false; 256];
        let mut rest: Vec<u8> = balls.iter().map(|ball| ball.spot).collect();
        rest.sort_unstable();
        rest.dedup();
        rest.iter().for_each(|&at| frozen[usize::from(at)] = true);
        loop {
            let before = rest.len();
            rest.retain(|&at| {
                let stays = !self.can_move(at, &stacks, &frozen);
                frozen[usize::from(at)] = stays;
                stays
            });
            if rest.len() == before {
                break;
            }
        }
        rest.len() > balls.len() / 3
            || rest.iter().any(|&at| !self.can_be_base(at, &stacks, &frozen))
    }

    /// Whether a stack could be pushed some day, were it not for the frozen ones.
    fn can_move(&self, at: u8, stacks: &[u8; 256], frozen: &[bool; 256]) -> bool {
        let stack = stacks[usize::from(at)];
        if stack == 7 && !self.dismantle {
            return false;
        }
        let single = stack.is_power_of_two();
        (0..4).any(|direction| {
            let beyond = self.ahead[usize::from(at)][direction];
            let behind = self.ahead[usize::from(at)][(direction + 2) % 4];
            if beyond >= self.grounds || behind == NONE || frozen[usize::from(behind)] {
                return false;
            }
            let onto = stacks[usize::from(beyond)];
            !frozen[usize::from(beyond)] || single && onto & onto.wrapping_neg() > stack
        })
    }

    /// Whether a frozen stack can become a snowman that may stay where it is.
    fn can_be_base(&self, at: u8, stacks: &[u8; 256], frozen: &[bool; 256]) -> bool {
        let stack = stacks[usize::from(at)];
        // Large at the bottom; small on large can never get its middle.
        if stack & 4 == 0 || stack == 5 || self.bases.0[usize::from(at)] == NEVER {
            return false;
        }
        stack == 7
            || (0..4).any(|direction| {
                let ball = self.ahead[usize::from(at)][direction];
                if ball >= self.grounds || frozen[usize::from(ball)] {
                    return false;
                }
                let player = self.ahead[usize::from(ball)][direction];
                player != NONE && !frozen[usize::from(player)]
            })
    }

    /// The balls that still matter: all, or those outside of snowmen that nobody can take apart.
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
            } else if self.bases.0[usize::from(ball.spot)] == NEVER {
                return None;
            }
        }
        Some(())
    }

    /// Least number of ball actions that a position needs; `None` when it is dead. `snow` lists
    /// the spots with snow. The position is kept in `valued` for [`Bounds::moved`].
    pub fn bound(&self, balls: &[Ball], snow: &[u8], valued: &mut Valued<L>) -> Option<u32> {
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

    /// The bound of a neighbour of a position that was looked at, with the same snow, in which one
    /// ball is elsewhere: `balls` with `from` replaced by `to`. `None` for the outer option when it
    /// has to be looked at anew.
    pub fn moved(
        &self,
        valued: &mut Valued<L>,
        balls: &[Ball],
        snow: &[u8],
        from: Ball,
        to: Ball,
    ) -> Option<Option<u32>> {
        let same_snowmen = self.dismantle || !finished(balls, to.spot);
        let exact = (1..=EXACT).contains(&(valued.balls.len() / 3));
        let index = valued.balls.iter().position(|&ball| ball == from)?;
        if !same_snowmen || !exact {
            return None;
        }
        valued.balls[index] = to;
        let short = self.is_short(&valued.balls, snow);
        valued.balls[index] = from;
        let dead = short || self.is_stuck(balls);
        Some(if dead { None } else { self.total_moved(valued, index, to, snow) })
    }
}

/// Whether all three sizes are at a spot.
fn finished(balls: &[Ball], spot: u8) -> bool {
    balls.iter().filter(|ball| ball.spot == spot).count() == 3
}

/// The bound of a level at its start; `None` when it is hopeless. Boards that are too large for
/// the bound count as needing nothing.
pub fn of_level(puzzle: &Snowman, board: &Board) -> Option<u32> {
    fn with<const L: usize>(puzzle: &Snowman, board: &Board) -> Option<Option<u32>> {
        let spot = |cell| board.spot(cell).expect("balls and snow are on the board") as u8;
        let bounds = Bounds::<L>::new(puzzle, board)?;
        let balls: Vec<Ball> = puzzle
            .stacks()
            .iter()
            .flat_map(|(&at, stack)| {
                stack.balls().map(move |size| Ball { spot: spot(at), size: size as u8 })
            })
            .collect();
        let snow: Vec<u8> = puzzle.snow().iter().map(|&cell| spot(cell)).collect();
        Some(bounds.bound(&balls, &snow, &mut Valued::default()))
    }
    if puzzle.hopeless().is_some() {
        return None;
    }
    let bound =
        if board.grounds() <= 64 { with::<64>(puzzle, board) } else { with::<256>(puzzle, board) };
    bound.unwrap_or(Some(0))
}

/// Why a level is hopeless by this bound, as one sentence for people; `None` when it is not.
pub fn why_hopeless(puzzle: &Snowman, bound: Option<u32>) -> Option<String> {
    if bound.is_some() {
        return None;
    }
    Some(puzzle.hopeless().unwrap_or_else(|| {
        "the walls, the snow and the sizes of the balls leave no way to bring every ball into a \
         snowman"
            .to_owned()
    }))
}
