//! The ways to part balls into triples, and the cheapest of them.

/// No triple of these balls can become a snowman.
pub const UNSOLVABLE_COST: u16 = 10_000;
/// Up to this many snowmen [`TriplePartition::remainder`] is known.
pub const TABULATED_SNOWMEN: usize = 3;
/// For this many snowmen the cheapest parting is found by halves; for more only a bound on it.
const EXACT_SNOWMEN: usize = 4;

/// The number that stands for no triple; it costs nothing.
const NO_TRIPLE: u8 = u8::MAX;

/// Costs of triples by their numbers; the last place is for `NO_TRIPLE`.
pub type TripleCosts = [u16; 256];

/// Ten pairs of triples.
type Ways = [[u8; 2]; 10];

/// How so many balls can be parted into triples.
#[derive(Clone, Debug)]
pub struct TriplePartition {
    snowmen: usize,
    /// All triples of balls.
    pub triples: Vec<[u8; 3]>,
    /// For each ball the triples that it is in.
    pub with: Vec<Vec<u16>>,
    /// For up to three snowmen: for each triple the ways to part the other balls.
    others: Vec<Ways>,
    /// For four snowmen: for each set of six balls the ways to part it.
    sixes: Vec<Ways>,
    /// The sets of six with the first ball, each with the set of the other six.
    halves: Vec<[u16; 2]>,
}

fn triples(balls: u8) -> Vec<[u8; 3]> {
    let above =
        move |i: u8| (i + 1..balls).flat_map(move |j| (j + 1..balls).map(move |k| [i, j, k]));
    (0..balls).flat_map(above).collect()
}

fn without(balls: u8, some: &[u8]) -> Vec<u8> {
    (0..balls).filter(|ball| !some.contains(ball)).collect()
}

impl TriplePartition {
    /// The ways for a number of snowmen.
    pub fn new(snowmen: usize) -> Self {
        let balls = 3 * snowmen as u8;
        let triples = triples(balls);
        let with = (0..balls).map(|ball| {
            (0u16..).zip(&triples).filter(|(_, it)| it.contains(&ball)).map(|(t, _)| t).collect()
        });
        let mut parting = Self {
            snowmen,
            with: with.collect(),
            triples,
            others: Vec::new(),
            sixes: Vec::new(),
            halves: Vec::new(),
        };
        match snowmen {
            1..=TABULATED_SNOWMEN => {
                let others = parting.triples.iter().map(|it| parting.ways(&without(balls, it)));
                parting.others = others.collect();
            }
            EXACT_SNOWMEN => parting.list_sixes(),
            _ => {}
        }
        parting
    }

    fn number(&self, triple: [u8; 3]) -> u8 {
        self.triples.binary_search(&triple).expect("the balls are in order") as u8
    }

    /// The ways to part no, three or six balls.
    fn ways(&self, balls: &[u8]) -> Ways {
        match *balls {
            [] => [[NO_TRIPLE; 2]; 10],
            [i, j, k] => [[self.number([i, j, k]), NO_TRIPLE]; 10],
            // The first one is in one half: ten ways to choose its partners.
            _ => {
                let halves: Vec<[u8; 3]> = triples(6).into_iter().filter(|it| it[0] == 0).collect();
                std::array::from_fn(|way| {
                    let half = halves[way];
                    let other = without(6, &half);
                    let of = |place: u8| balls[usize::from(place)];
                    [self.number(half.map(of)), self.number([0, 1, 2].map(|i| of(other[i])))]
                })
            }
        }
    }

    fn list_sixes(&mut self) {
        let mask = |balls: &[u8]| balls.iter().fold(0u16, |mask, ball| mask | 1 << ball);
        let members = |mask: u16| (0..12).filter(move |ball| mask >> ball & 1 == 1);
        let sets: Vec<u16> = (0..1 << 12).filter(|set: &u16| set.count_ones() == 6).collect();
        self.sixes = sets.iter().map(|&set| self.ways(&members(set).collect::<Vec<_>>())).collect();
        let number = |set: u16| sets.binary_search(&set).expect("half of the balls") as u16;
        let with_first = sets.iter().filter(|&&set| set & 1 == 1);
        let all = mask(&without(12, &[]));
        self.halves = with_first.map(|&set| [number(set), number(all ^ set)]).collect();
    }

    /// Room for the costs of all triples, `NO_TRIPLE` at no cost.
    pub fn clear(&self, costs: &mut Vec<u16>) {
        costs.clear();
        costs.resize(self.triples.len().max(256), 0);
    }

    /// The cheapest way to part the balls that are not in a triple, for up to three snowmen.
    #[inline]
    pub fn remainder(&self, triple: usize, costs: &TripleCosts) -> u16 {
        cheapest(&self.others[triple], costs)
    }

    /// No way to part the balls costs less; [`UNSOLVABLE_COST`] or more when there is none.
    pub fn total(&self, costs: &[u16]) -> u16 {
        match (self.snowmen, costs.first_chunk()) {
            (0, _) => 0,
            (1..=TABULATED_SNOWMEN, Some(known)) => {
                let first = self.with[0].iter().map(|&t| usize::from(t));
                first.map(|t| costs[t] + self.remainder(t, known)).min().unwrap_or(UNSOLVABLE_COST)
            }
            (EXACT_SNOWMEN, Some(known)) => {
                let sixes: Vec<u16> = self.sixes.iter().map(|ways| cheapest(ways, known)).collect();
                let halves = self.halves.iter();
                let sums = halves.map(|half| half.map(|six| sixes[usize::from(six)]).iter().sum());
                sums.min().unwrap_or(UNSOLVABLE_COST)
            }
            // Each ball pays a third of the cheapest triple that it can be in.
            _ => {
                let cheapest = self.with.iter().map(|with| {
                    with.iter().map(|&t| costs[usize::from(t)]).min().unwrap_or(UNSOLVABLE_COST)
                });
                let sum = cheapest.fold(0u16, |sum, cost| sum.saturating_add(cost));
                if sum >= UNSOLVABLE_COST { UNSOLVABLE_COST } else { sum.div_ceil(3) }
            }
        }
    }
}

#[inline]
fn cheapest(ways: &Ways, costs: &TripleCosts) -> u16 {
    let cost = |triple: u8| costs[usize::from(triple)];
    ways.iter().map(|&[a, b]| cost(a) + cost(b)).min().unwrap_or(UNSOLVABLE_COST)
}
