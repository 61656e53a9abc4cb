//! Positions in a few machine words, one for each class of positions that are the same.

use super::graph::Ball;
use super::graph::{Floor, Spot};
use crate::space::PackingError;
use unstuck_puzzles::snowman::Snowman;

/// The most balls that a position can hold.
pub const MAX_BALLS: usize = 15;

/// The most cells that may hold snow.
const SNOW_CELLS: usize = 128;

/// A packed position: the balls in increasing order, the snow, the player, each in as few bits as
/// the level allows.
pub type PackedState<const W: usize> = [u64; W];

/// A position that can be computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackedState {
    /// The balls; only as many as the level has are used.
    pub balls: [Ball; MAX_BALLS],
    /// A bit for each cell that may hold snow (see [`Packing::snow_spots`]).
    pub snow: u128,
    /// Where the player is.
    pub player: u8,
}

/// A symmetry of the floor.
#[derive(Clone, Debug)]
struct Symmetry {
    /// For each spot its image.
    image: Vec<u8>,
    /// The spots for balls in the order of their images.
    order: Vec<u8>,
    /// For each snow bit its image.
    snow: Vec<u8>,
    /// For each spot and size a random number: sums of them distinguish sets of balls.
    weight: Vec<[u64; 4]>,
}

/// How positions of one level are packed.
#[derive(Clone, Debug)]
pub struct Packing<const W: usize> {
    balls: usize,
    ball_bits: u32,
    player_bits: u32,
    /// Bits of snow in the low and the high word.
    snow_bits: [u32; 2],
    snow_spots: Vec<u8>,
    snow_index: Vec<Option<u8>>,
    /// The identity first.
    symmetries: Vec<Symmetry>,
    /// For each spot its bit in masks of cells.
    bits: Vec<u32>,
    stride: u32,
    /// All spots for balls as a mask.
    floor: u128,
    /// For each bit of a mask its spot.
    spot_at: Vec<u8>,
}

/// Writes numbers into words one after the other.
struct Writer<const W: usize> {
    words: PackedState<W>,
    at: u32,
}

impl<const W: usize> Writer<W> {
    #[inline]
    fn put(&mut self, value: u64, bits: u32) {
        if bits == 0 {
            return;
        }
        let (word, shift) = ((self.at / 64) as usize, self.at % 64);
        self.words[word] |= value << shift;
        if shift + bits > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.at += bits;
    }
}

/// Reads what a [`Writer`] wrote.
struct Reader<'a, const W: usize> {
    words: &'a PackedState<W>,
    at: u32,
}

impl<const W: usize> Reader<'_, W> {
    #[inline]
    fn take(&mut self, bits: u32) -> u64 {
        if bits == 0 {
            return 0;
        }
        let (word, shift) = ((self.at / 64) as usize, self.at % 64);
        let mut value = self.words[word] >> shift;
        if shift + bits > 64 {
            value |= self.words[word + 1] << (64 - shift);
        }
        self.at += bits;
        value & (u64::MAX >> (64 - bits))
    }
}

/// Bits that distinguish so many things.
fn bits_for(things: usize) -> u32 {
    usize::BITS - things.saturating_sub(1).leading_zeros()
}

macro_rules! flood {
    ($name:ident, $word:ty) => {
        /// The cells that can be walked to over free ones; bit i is next to i ± 1 and i ± stride.
        #[inline]
        fn $name(from: $word, free: $word, stride: u32) -> $word {
            let mut reached = from;
            loop {
                let before = reached;
                for _ in 0..2 {
                    let row = reached << 1 | reached >> 1;
                    reached |= (row | reached << stride | reached >> stride) & free;
                }
                if reached == before {
                    return reached;
                }
            }
        }
    };
}

flood!(flood_narrow, u64);
flood!(flood_wide, u128);

impl<const W: usize> Packing<W> {
    /// The packing of a level, up to the symmetries of its floor or without any.
    ///
    /// # Errors
    /// When a position does not fit.
    pub fn new(puzzle: &Snowman, floor: &Floor, symmetric: bool) -> Result<Self, PackingError> {
        let too_large = |what: &str| Err(PackingError(format!("{what} for packed positions")));
        let balls: usize = puzzle.balls().iter().sum();
        if balls > MAX_BALLS {
            return too_large("too many balls");
        }
        if floor.len() >= usize::from(u8::MAX) {
            return too_large("too many cells");
        }
        let (first_row, first_column, stride, size) = floor.frame();
        if size > 128 {
            return too_large("too large a board");
        }
        let bits: Vec<u32> = (0..floor.len())
            .map(|spot| {
                let (row, column) = floor.place(spot).indices();
                ((row - first_row) * stride + column - first_column) as u32
            })
            .collect();
        let mut spot_at = vec![0; 128];
        for (spot, &bit) in bits.iter().enumerate() {
            spot_at[bit as usize] = spot as u8;
        }
        let short = |image: Vec<Spot>| image.into_iter().map(|spot| spot as u8).collect();
        let kept = if symmetric { usize::MAX } else { 1 };
        let mut images: Vec<Vec<u8>> = floor.symmetries().take(kept).map(short).collect();
        let start: Vec<Spot> = puzzle.snow().iter().filter_map(|&cell| floor.spot(cell)).collect();
        let mut snow_spots = closure(&start, &images);
        if snow_spots.len() > SNOW_CELLS {
            images.truncate(1);
            snow_spots = closure(&start, &images);
        }
        if snow_spots.len() > SNOW_CELLS {
            return too_large("too much snow");
        }
        let mut snow_index = vec![None; floor.len()];
        for (index, &spot) in (0u8..).zip(&snow_spots) {
            snow_index[usize::from(spot)] = Some(index);
        }
        let packing = Self {
            balls,
            ball_bits: bits_for(3 * floor.grounds()),
            player_bits: bits_for(floor.len()),
            symmetries: images
                .into_iter()
                .map(|image| symmetry(image, floor, &snow_spots, &snow_index))
                .collect(),
            floor: (0..floor.grounds()).fold(0, |mask, spot| mask | 1 << bits[spot]),
            snow_bits: [
                snow_spots.len().min(64) as u32,
                snow_spots.len().saturating_sub(64) as u32,
            ],
            snow_spots,
            snow_index,
            bits,
            stride: stride as u32,
            spot_at,
        };
        let needed = balls as u32 * packing.ball_bits
            + packing.snow_spots.len() as u32
            + packing.player_bits;
        if needed > 64 * W as u32 {
            too_large("too many things to tell apart")
        } else {
            Ok(packing)
        }
    }

    /// Number of balls.
    pub fn balls(&self) -> usize {
        self.balls
    }

    /// The spots that may hold snow, by their bit.
    pub fn snow_spots(&self) -> &[u8] {
        &self.snow_spots
    }

    /// The bit of a spot's snow; 0 when it never holds any.
    #[inline]
    pub fn snow_bit(&self, spot: u8) -> u128 {
        self.snow_index[usize::from(spot)].map_or(0, |index| 1 << index)
    }

    /// A spot as a mask of one cell.
    #[inline]
    pub fn mask(&self, spot: u8) -> u128 {
        1 << self.bits[usize::from(spot)]
    }

    /// The cells under the balls.
    #[inline]
    pub fn occupied(&self, position: &UnpackedState) -> u128 {
        position.balls[..self.balls].iter().fold(0, |mask, ball| mask | self.mask(ball.spot))
    }

    /// The cells that the player can walk to past the occupied ones, teleporters left alone.
    #[inline]
    pub fn region(&self, player: u8, occupied: u128) -> u128 {
        let (from, free) = (self.mask(player), self.floor & !occupied);
        if from & self.floor == 0 {
            from
        } else if self.floor >> 64 == 0 {
            u128::from(flood_narrow(from as u64, free as u64, self.stride))
        } else {
            flood_wide(from, free, self.stride)
        }
    }

    /// Packs a position. `region` holds the cells among which the player's place is not
    /// distinguished.
    pub fn pack(&self, position: &UnpackedState, region: u128) -> PackedState<W> {
        let balls = &position.balls[..self.balls];
        let mut best: Option<(PackedState<W>, u64)> = None;
        for symmetry in &self.symmetries {
            let weight =
                |ball: &Ball| symmetry.weight[usize::from(ball.spot)][usize::from(ball.size)];
            let sum = balls.iter().fold(0u64, |sum, ball| sum.wrapping_add(weight(ball)));
            // The image with the least sum is the one to keep; words decide when sums are equal.
            if best.is_some_and(|(_, least)| least < sum) {
                continue;
            }
            let words = self.image(position, region, symmetry);
            if best.is_none_or(|(kept, least)| sum < least || words < kept) {
                best = Some((words, sum));
            }
        }
        best.expect("the identity is a symmetry").0
    }

    /// The image of a position, packed.
    fn image(&self, position: &UnpackedState, region: u128, symmetry: &Symmetry) -> PackedState<W> {
        let mut codes = [0u16; MAX_BALLS];
        for (placed, ball) in position.balls[..self.balls].iter().enumerate() {
            let image = u16::from(symmetry.image[usize::from(ball.spot)]);
            let code = 3 * image + u16::from(ball.size);
            let mut at = placed;
            while at > 0 && codes[at - 1] > code {
                codes[at] = codes[at - 1];
                at -= 1;
            }
            codes[at] = code;
        }
        let mut writer = Writer { words: [0; W], at: 0 };
        codes[..self.balls].iter().for_each(|&code| writer.put(u64::from(code), self.ball_bits));
        let mut snow = 0u128;
        let mut rest = position.snow;
        while rest != 0 {
            snow |= 1 << symmetry.snow[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        let [low, high] = self.snow_bits;
        writer.put(snow as u64, low);
        writer.put((snow >> 64) as u64, high);
        let first = symmetry.order.iter().find(|&&spot| self.mask(spot) & region != 0);
        let player = first.copied().unwrap_or(self.spot_at[region.trailing_zeros() as usize]);
        writer.put(u64::from(symmetry.image[usize::from(player)]), self.player_bits);
        writer.words
    }

    /// The position of packed words.
    pub fn unpack(&self, words: &PackedState<W>) -> UnpackedState {
        let mut reader = Reader { words, at: 0 };
        let mut balls = [Ball::default(); MAX_BALLS];
        for ball in &mut balls[..self.balls] {
            let code = reader.take(self.ball_bits) as u16;
            *ball = Ball { spot: (code / 3) as u8, size: (code % 3) as u8 };
        }
        let [low, high] = self.snow_bits.map(|bits| u128::from(reader.take(bits)));
        let snow = low | high << 64;
        UnpackedState { balls, snow, player: reader.take(self.player_bits) as u8 }
    }
}

/// The images of some spots under all symmetries, in increasing order.
fn closure(spots: &[Spot], images: &[Vec<u8>]) -> Vec<u8> {
    let mut all: Vec<u8> =
        images.iter().flat_map(|image| spots.iter().map(|&spot| image[spot])).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A fixed pseudo-random number (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

fn symmetry(
    image: Vec<u8>,
    floor: &Floor,
    snow_spots: &[u8],
    snow_index: &[Option<u8>],
) -> Symmetry {
    let mut order: Vec<u8> = (0..floor.grounds() as u8).collect();
    order.sort_unstable_by_key(|&spot| image[usize::from(spot)]);
    let snow = snow_spots.iter().map(|&spot| {
        let to = usize::from(image[usize::from(spot)]);
        snow_index[to].expect("snow is closed under symmetries")
    });
    let weight = |&to: &u8| [0, 1, 2, 3].map(|size| mix(u64::from(to) << 2 | size));
    Symmetry { snow: snow.collect(), order, weight: image.iter().map(weight).collect(), image }
}
