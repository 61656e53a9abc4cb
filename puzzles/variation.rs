//! Other boards like one: in its printed text cells change places, or become what others are.
//!
//! The result need not be a level: that is for the family's reader to say.

use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt;

/// The rows of a puzzle in its own format, and the text before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    before: String,
    rows: Vec<Vec<char>>,
}

impl Drawing {
    /// Takes a printed puzzle apart: its rows are the lines after the last empty one.
    pub fn of(text: &str) -> Self {
        let text = text.trim_end();
        let (before, rows) = text.split_at(text.rfind("\n\n").map_or(0, |at| at + 2));
        let rows = rows.lines().map(|line| line.chars().collect()).collect();
        Self { before: before.to_owned(), rows }
    }

    /// The drawing after so many random edits: two cells that differ change places, or one becomes
    /// what another one is.
    #[must_use]
    pub fn varied(&self, edits: usize, random: &mut Rng) -> Self {
        let mut varied = self.clone();
        let places = self.places();
        for _ in 0..edits {
            let [one, other] = [(); 2].map(|()| random.choice(&places).copied());
            let Some(((row, column), (other_row, other_column))) = one.zip(other) else { break };
            let before = varied.rows[row][column];
            varied.rows[row][column] = varied.rows[other_row][other_column];
            if random.bool() {
                varied.rows[other_row][other_column] = before;
            }
        }
        varied
    }

    /// The drawing in which this cell is as most cells inside are; `None` where it is so already.
    pub fn cleared(&self, (row, column): (usize, usize)) -> Option<Self> {
        let plain = self.most_frequent().filter(|&plain| plain != self.rows[row][column])?;
        let mut cleared = self.clone();
        cleared.rows[row][column] = plain;
        Some(cleared)
    }

    /// What most cells are that are not on the rim.
    fn most_frequent(&self) -> Option<char> {
        let mut counts = BTreeMap::new();
        for row in self.rows.iter().skip(1).take(self.rows.len().saturating_sub(2)) {
            for &cell in row.iter().skip(1).take(row.len().saturating_sub(2)) {
                *counts.entry(cell).or_insert(0_usize) += 1;
            }
        }
        counts.into_iter().max_by_key(|&(_, count)| count).map(|(cell, _)| cell)
    }

    /// Row and column of each cell, row by row.
    pub fn places(&self) -> Vec<(usize, usize)> {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(row, cells)| (0..cells.len()).map(move |column| (row, column))).collect()
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.before)?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{}", row.iter().collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "title\n\n#####\n#@$.#\n#   #\n#####\n";

    #[test]
    fn what_stands_before_the_rows_stays() {
        let drawing = Drawing::of(LEVEL);
        assert_eq!(drawing.to_string(), LEVEL);
        let mut random = Rng::with_seed(7);
        let varied: Vec<String> =
            (0..20).map(|_| drawing.varied(2, &mut random).to_string()).collect();
        assert!(
            varied.iter().all(|text| text.starts_with("title\n\n") && text.lines().count() == 6)
        );
        assert!(varied.iter().filter(|&text| text != LEVEL).count() > 10, "{varied:?}");
        assert_eq!(Drawing::of("").varied(3, &mut random), Drawing::of(""));
    }

    #[test]
    fn one_cell_more_is_plain_in_each() {
        let drawing = Drawing::of("#####\n#@ .#\n#   #\n#####\n");
        let places = drawing.places().into_iter();
        let cleared: Vec<String> =
            places.filter_map(|place| Some(drawing.cleared(place)?.to_string())).collect();
        // The wall around, the player and the goal; the four plain cells are so already.
        assert_eq!(cleared.len(), 16);
        assert!(cleared.contains(&"#####\n#  .#\n#   #\n#####\n".to_owned()));
    }
}
