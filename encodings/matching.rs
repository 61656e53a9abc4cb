//! Minimum-cost matching of boxes to goals, or of any rows to columns.
//!
//! The Hungarian algorithm by shortest augmenting paths with column prices (Kuhn 1955, Munkres
//! 1957; in the form of Jonker and Volgenant, "A Shortest Augmenting Path Algorithm for Dense and
//! Sparse Linear Assignment Problems", 1987). The prices of the last matching are kept, and where
//! rows have names, so are their columns: states that search looks at one after the other differ in
//! a box or two, and only these have to find a column.

/// A cost that means "never": more than any sum of real costs.
pub const INFINITE_COST: i32 = 1 << 24;

/// How far prices may fall before they are reset. The least path to a free column is as long as its
/// real costs and the price at its end, so it stays below half of [`INFINITE_COST`] if it does
/// without a cost of [`INFINITE_COST`], and above if it does not.
const MAX_PRICE_DRIFT: i32 = INFINITE_COST / 8;

/// The name of no row.
const NAMELESS: usize = usize::MAX;

/// A matching of rows (boxes) to columns (goals), with its working memory.
#[derive(Clone, Debug)]
pub struct Matching {
    columns: usize,
    /// Price of a column; entry 0 stands for no column.
    price: Vec<i32>,
    /// Price of a row.
    row_price: Vec<i32>,
    /// The row (from 1) that has a column; 0 for none.
    owner: Vec<usize>,
    /// How many rows the last matching had by names; 0 if that was another kind or failed.
    named: usize,
    /// The names of rows that have a column.
    name_of: Vec<usize>,
    /// The row that had a name last.
    row_of: Vec<usize>,
    /// Rows that keep their columns.
    stays: Vec<bool>,
    came_from: Vec<usize>,
    slack: Vec<i32>,
    visited: Vec<bool>,
}

impl Matching {
    /// Working memory for a number of columns.
    pub fn new(columns: usize) -> Self {
        let mut matching = Self {
            columns,
            price: Vec::new(),
            row_price: Vec::new(),
            owner: Vec::new(),
            named: 0,
            name_of: Vec::new(),
            row_of: Vec::new(),
            stays: Vec::new(),
            came_from: Vec::new(),
            slack: Vec::new(),
            visited: Vec::new(),
        };
        matching.resize(columns);
        matching
    }

    fn resize(&mut self, columns: usize) {
        self.columns = columns;
        let size = columns + 1;
        for list in [&mut self.price, &mut self.row_price, &mut self.slack] {
            list.resize(size, 0);
        }
        for list in [&mut self.owner, &mut self.came_from] {
            list.resize(size, 0);
        }
        self.name_of.resize(size, NAMELESS);
        for list in [&mut self.stays, &mut self.visited] {
            list.resize(size, false);
        }
    }

    /// Prices only ever fall, those of columns that no row wants together without end. Before they
    /// could pass for a cost of [`INFINITE_COST`] they are reset; whether they were.
    fn reset_prices(&mut self) -> bool {
        self.price[0] = 0;
        let are_low = self.price.iter().any(|&price| price < -MAX_PRICE_DRIFT);
        if are_low {
            self.price.fill(0);
        }
        are_low
    }

    /// The least total cost of giving each of `rows` rows a column of its own; `None` when there
    /// is no way.
    pub fn least(&mut self, rows: usize, cost: impl Fn(usize, usize) -> i32) -> Option<u32> {
        if rows > self.columns {
            return None;
        }
        // Rows without cost stand for the columns that stay free.
        let padded = |row, column| if row < rows { cost(row, column) } else { 0 };
        let costs = |row| move |column| padded(row, column);
        self.owner.fill(0);
        self.named = 0;
        self.reset_prices();
        for row in 1..=self.columns {
            let settled = self.settle(row, &costs(row - 1), false);
            if settled.or_else(|| self.augment(row, &costs)).is_none() {
                self.price.fill(0);
                return None;
            }
        }
        let owned = (0..self.columns).map(|column| padded(self.owner[column + 1] - 1, column));
        owned.sum::<i32>().try_into().ok()
    }

    /// The same for rows with names, all different, where a name costs the same in every call: rows
    /// that the last call had, too, keep their columns.
    pub fn least_of(&mut self, names: &[usize], cost: impl Fn(usize, usize) -> i32) -> Option<u32> {
        let rows = names.len();
        if self.named != rows || rows == 0 || self.reset_prices() {
            let least = self.least(rows, |row, column| cost(names[row], column))?;
            self.named = rows;
            self.name_of.fill(NAMELESS);
            (1..).zip(names).for_each(|(row, &name)| self.call(row, name));
            return Some(least);
        }
        self.stays.fill(false);
        for &name in names {
            if let Some(row) = self.row_of(name) {
                self.stays[row] = true;
            }
        }
        // Rows whose names are gone lose their columns, and get the new names.
        for owner in &mut self.owner[1..] {
            if *owner <= rows && !self.stays[*owner] {
                *owner = 0;
            }
        }
        (1..=rows).filter(|&row| !self.stays[row]).for_each(|row| self.name_of[row] = NAMELESS);
        let mut row = 0;
        for &name in names {
            if self.row_of(name).is_some() {
                continue;
            }
            row = (row + 1..=rows).find(|&row| !self.stays[row]).expect("as many as new names");
            self.call(row, name);
            let name_of = std::mem::take(&mut self.name_of);
            let costs = |row: usize| {
                let (name, cost) = (name_of[row + 1], &cost);
                move |column| if name == NAMELESS { 0 } else { cost(name, column) }
            };
            let settled = self.settle(row, &costs(row - 1), true);
            let found = settled.or_else(|| self.augment(row, &costs));
            self.name_of = name_of;
            if found.is_none() {
                // The next call gives this row and those after it new names.
                self.name_of[row] = NAMELESS;
                return None;
            }
        }
        let owned = (1..=self.columns).map(|column| match self.name_of[self.owner[column]] {
            NAMELESS => 0,
            name => cost(name, column - 1),
        });
        owned.sum::<i32>().try_into().ok()
    }

    /// The row of the last matching with a name.
    fn row_of(&self, name: usize) -> Option<usize> {
        self.row_of.get(name).copied().filter(|&row| self.name_of.get(row) == Some(&name))
    }

    /// Gives a row a name.
    fn call(&mut self, row: usize, name: usize) {
        if name >= self.row_of.len() {
            self.row_of.resize(name + 1, 0);
        }
        (self.row_of[name], self.name_of[row]) = (row, name);
    }

    /// The least total cost of giving each row a column of its own, whatever came before; any
    /// number above `budget` when it is above, and `None` when there is no way. `costs` gives the
    /// row of a table.
    pub fn least_within<C: Fn(usize) -> i32>(
        &mut self,
        (rows, columns): (usize, usize),
        costs: impl Fn(usize) -> C,
        budget: u32,
    ) -> Option<u32> {
        if rows > columns {
            return None;
        }
        self.resize(columns);
        self.owner.fill(0);
        self.named = 0;
        self.price.fill(0);
        let mut total = 0;
        for row in 1..=rows {
            // Without earlier prices the way to a free column is as long as the total grows.
            total += match self.settle(row, &costs(row - 1), false) {
                Some(cost) => cost,
                None => self.augment(row, &costs)?,
            };
            if total > budget {
                break;
            }
        }
        Some(total)
    }

    /// Gives a row its cheapest column if that is free, and if several are as cheap the first, or
    /// the first that is free; then this is what the total grows by.
    fn settle(
        &mut self,
        row: usize,
        cost: &impl Fn(usize) -> i32,
        rather_free: bool,
    ) -> Option<u32> {
        let mut least = (INFINITE_COST, false);
        let mut cheapest = 0;
        for column in 1..=self.columns {
            let is_taken = rather_free && self.owner[column] != 0;
            let reduced = (cost(column - 1) - self.price[column], is_taken);
            if reduced < least {
                (least, cheapest) = (reduced, column);
            }
        }
        let is_free = cheapest != 0 && self.owner[cheapest] == 0;
        is_free.then(|| {
            self.owner[cheapest] = row;
            self.row_price[row] = least.0;
            least.0.max(0) as u32
        })
    }

    /// Prices of the columns after a matching: dual values, at most 0 and 0 for free columns when
    /// there are fewer rows than columns.
    pub fn prices(&self, rows: usize) -> Vec<i32> {
        let prices = &self.price[1..];
        let top = prices.iter().copied().max().filter(|_| rows < self.columns).unwrap_or(0);
        prices.iter().map(|price| price - top).collect()
    }

    /// Finds a column for a row, moving other rows where that is cheapest, and says how long the
    /// way to it is. Finds none when any way costs [`INFINITE_COST`] or more.
    fn augment<C: Fn(usize) -> i32>(
        &mut self,
        row: usize,
        costs: &impl Fn(usize) -> C,
    ) -> Option<u32> {
        self.row_price[row] = 0;
        self.owner[0] = row;
        self.slack.fill(i32::MAX);
        self.visited.fill(false);
        let mut column = 0;
        let mut length = 0;
        while self.owner[column] != 0 {
            self.visited[column] = true;
            let owner = self.owner[column];
            let (cost, price) = (costs(owner - 1), self.row_price[owner]);
            let mut step = i32::MAX;
            let mut next = 0;
            for other in 1..=self.columns {
                if self.visited[other] {
                    continue;
                }
                let reduced = cost(other - 1) - price - self.price[other];
                if reduced < self.slack[other] {
                    self.slack[other] = reduced;
                    self.came_from[other] = column;
                }
                if self.slack[other] < step {
                    step = self.slack[other];
                    next = other;
                }
            }
            length += step;
            if length >= INFINITE_COST / 2 {
                return None;
            }
            for other in 0..=self.columns {
                if self.visited[other] {
                    self.row_price[self.owner[other]] += step;
                    self.price[other] -= step;
                } else if self.slack[other] != i32::MAX {
                    self.slack[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            self.owner[column] = self.owner[self.came_from[column]];
            column = self.came_from[column];
        }
        Some(length.max(0) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;
    use proptest::prelude::*;

    fn brute(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> i32) -> Option<u32> {
        (0..columns)
            .permutations(rows)
            .map(|chosen| chosen.iter().enumerate().map(|(row, &column)| cost(row, column)).sum())
            .filter(|&sum: &i32| sum < INFINITE_COST)
            .min()
            .map(|sum| sum as u32)
    }

    #[test]
    fn prices_do_not_drift_away() {
        // Two rows that both want the one column, then the other: each time its price falls. The
        // third row and column have nothing to do with them, and their price stays.
        let mut matching = Matching::new(3);
        for turn in 0..100_000 {
            let cost = |row: usize, column: usize| match (row == 2, column == 2) {
                (true, true) => 0,
                (false, false) if column == turn % 2 => 0,
                (false, false) => 1000,
                _ => INFINITE_COST,
            };
            assert_eq!(matching.least(3, cost), Some(1000), "turn {turn}");
        }
    }

    proptest! {
        #[test]
        fn rows_with_names_may_keep_their_columns(
            columns in 1usize..6,
            table in proptest::collection::vec(proptest::option::weighted(0.7, 0i32..12), 10 * 6),
            calls in proptest::collection::vec(
                (0usize..7, proptest::collection::vec(0usize..10, 6), any::<bool>()),
                1..60,
            ),
        ) {
            let cost = |name: usize, column: usize| table[name * 6 + column].unwrap_or(INFINITE_COST);
            let mut matching = Matching::new(columns);
            for (rows, names, is_other) in &calls {
                let names: Vec<usize> = names.iter().copied().unique().take(*rows).collect();
                let least = matching.least_of(&names, cost);
                prop_assert_eq!(least, brute(names.len(), columns, |row, column| cost(names[row], column)));
                if *is_other {
                    matching.least(columns, |row, column| (row * column) as i32);
                }
            }
        }

        #[test]
        fn matchings_are_least_whatever_came_before(
            columns in 1usize..6,
            tables in proptest::collection::vec(
                (0usize..7, proptest::collection::vec(proptest::option::weighted(0.8, 0i32..12), 36)),
                1..6,
            ),
        ) {
            let mut matching = Matching::new(columns);
            for (rows, table) in &tables {
                let cost = |row: usize, column: usize| table[row * 6 + column].unwrap_or(INFINITE_COST);
                let least = matching.least(*rows, cost);
                prop_assert_eq!(least, brute(*rows, columns, cost));
                let mut fresh = Matching::new(1);
                let mut within = |budget| {
                    let costs = |row| move |column| cost(row, column);
                    fresh.least_within((*rows, columns), costs, budget)
                };
                prop_assert_eq!(within(u32::MAX), least);
                let above = |least: Option<u32>| least.is_none_or(|least| least > 20);
                prop_assert_eq!(above(within(20)), above(least));
                if least.is_some() {
                    // The prices are dual: they prove the least cost from below.
                    let prices = matching.prices(*rows);
                    let rows_sum: i32 = (0..*rows)
                        .map(|row| (0..columns).map(|k| cost(row, k) - prices[k]).min().unwrap())
                        .sum();
                    prop_assert_eq!(least, Some((rows_sum + prices.iter().sum::<i32>()) as u32));
                    if *rows < columns {
                        prop_assert!(prices.iter().all(|&price| price <= 0));
                    }
                }
            }
        }
    }
}
