//! The least total cost of giving each row a column of its own.
//!
//! The Hungarian algorithm by shortest augmenting paths, as in the bound of search, but with an
//! early end: often it is enough to know that the cost is above a budget.

use super::field_tables::DEAD;

/// A cost that stands for "never" in a table.
pub(super) const INFINITE_COST: u16 = u16::MAX;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignment {
    row_price: Vec<i32>,
    column_price: Vec<i32>,
    owner: Vec<usize>,
    came_from: Vec<usize>,
    slack: Vec<i32>,
    visited: Vec<bool>,
}

const INFINITE: i32 = i32::MAX / 4;

impl Assignment {
    /// The least cost of the rows; [`DEAD`] when there is no way, and any number above `budget`
    /// when it is above.
    pub(super) fn least(&mut self, rows: &[&[u16]], columns: usize, budget: u32) -> u32 {
        if rows.len() > columns {
            return DEAD;
        }
        for list in [&mut self.row_price, &mut self.column_price, &mut self.slack] {
            list.clear();
        }
        self.row_price.resize(rows.len() + 1, 0);
        self.column_price.resize(columns + 1, 0);
        self.slack.resize(columns + 1, INFINITE);
        self.owner.clear();
        self.owner.resize(columns + 1, 0);
        self.came_from.clear();
        self.came_from.resize(columns + 1, 0);
        self.visited.clear();
        self.visited.resize(columns + 1, false);
        let mut total = 0;
        for row in 1..=rows.len() {
            let Some(step) = self.augment(row, rows, columns) else { return DEAD };
            total += step;
            if total > budget {
                return total;
            }
        }
        total
    }

    /// Gives a row a column, moving other rows; what the total grows by.
    fn augment(&mut self, row: usize, rows: &[&[u16]], columns: usize) -> Option<u32> {
        // Most rows find a free column at once.
        let costs = rows[row - 1];
        let mut least = (INFINITE, 0);
        for column in 1..=columns {
            let cost = costs[column - 1];
            let reduced = i32::from(cost) - self.column_price[column];
            if cost != INFINITE_COST && reduced < least.0 {
                least = (reduced, column);
            }
        }
        if least.1 == 0 {
            return None;
        }
        if self.owner[least.1] == 0 {
            self.owner[least.1] = row;
            self.row_price[row] = least.0;
            // A free column has never been priced.
            return Some(least.0.max(0) as u32);
        }
        self.owner[0] = row;
        self.slack.fill(INFINITE);
        self.visited.fill(false);
        let mut column = 0;
        let mut length = 0;
        while self.owner[column] != 0 {
            self.visited[column] = true;
            let owner = self.owner[column];
            let (costs, price) = (rows[owner - 1], self.row_price[owner]);
            let mut step = INFINITE;
            let mut next = 0;
            for other in 1..=columns {
                if self.visited[other] {
                    continue;
                }
                let cost = costs[other - 1];
                if cost != INFINITE_COST {
                    let reduced = i32::from(cost) - price - self.column_price[other];
                    if reduced < self.slack[other] {
                        self.slack[other] = reduced;
                        self.came_from[other] = column;
                    }
                }
                if self.slack[other] < step {
                    step = self.slack[other];
                    next = other;
                }
            }
            if next == 0 {
                return None;
            }
            for other in 0..=columns {
                if self.visited[other] {
                    self.row_price[self.owner[other]] += step;
                    self.column_price[other] -= step;
                } else if self.slack[other] < INFINITE {
                    self.slack[other] -= step;
                }
            }
            length += step;
            column = next;
        }
        while column != 0 {
            let previous = self.came_from[column];
            self.owner[column] = self.owner[previous];
            column = previous;
        }
        Some(length.max(0) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute(rows: &[Vec<u16>], used: u32) -> u32 {
        let Some((row, rest)) = rows.split_first() else { return 0 };
        let options = row
            .iter()
            .enumerate()
            .filter(|&(column, &cost)| cost != INFINITE_COST && used >> column & 1 == 0);
        options
            .map(|(column, &cost)| u32::from(cost).saturating_add(brute(rest, used | 1 << column)))
            .min()
            .unwrap_or(DEAD)
            .min(DEAD)
    }

    proptest! {
        #[test]
        fn assignments_are_least(
            columns in 1usize..6,
            table in proptest::collection::vec(
                proptest::collection::vec(proptest::option::weighted(0.8, 0u16..9), 6), 0..6),
            budget in 0u32..30,
        ) {
            let rows: Vec<Vec<u16>> = table
                .iter()
                .map(|row| row[..columns].iter().map(|cost| cost.unwrap_or(INFINITE_COST)).collect())
                .collect();
            let slices: Vec<&[u16]> = rows.iter().map(Vec::as_slice).collect();
            let expected = brute(&rows, 0);
            let mut assignment = Assignment::default();
            prop_assert_eq!(assignment.least(&slices, columns, DEAD), expected);
            prop_assert_eq!(assignment.least(&slices, columns, budget) > budget, expected > budget);
        }
    }
}
