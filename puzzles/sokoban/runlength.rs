//! Run-length notation: `3#` is `###`, and `2(3(#-)#)` is `#-#-#-##-#-#-#`.
//!
//! Rows of boards and move strings share it. Every character keeps its place in the text.

use itertools::Itertools;

/// A character and where it stands.
pub(super) type PlacedChar<P> = (char, P);

/// What is wrong with a run-length text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunLengthError<P> {
    /// A number with nothing to repeat after it.
    Dangling(P),
    /// A bracket that is never closed or never opened.
    Bracket(P),
    /// The text would become longer than the limit.
    TooLong(P),
}

impl<P: Copy> RunLengthError<P> {
    /// Where to look.
    pub(super) fn place(self) -> P {
        match self {
            Self::Dangling(place) | Self::Bracket(place) | Self::TooLong(place) => place,
        }
    }

    /// What to say, as one sentence without a full stop.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Dangling(_) => "this number has nothing to repeat after it",
            Self::Bracket(_) => "this bracket has no partner",
            Self::TooLong(_) => "these repetitions make the text too long",
        }
    }
}

/// Writes all repetitions out, to at most `limit` characters.
pub(super) fn expand<P: Copy>(
    text: impl IntoIterator<Item = PlacedChar<P>>,
    limit: usize,
) -> Result<Vec<PlacedChar<P>>, RunLengthError<P>> {
    let mut out: Vec<PlacedChar<P>> = Vec::new();
    // Per open bracket: its repetitions, where its content starts in `out`, and its place.
    let mut open: Vec<(usize, usize, P)> = Vec::new();
    let mut number: Option<(usize, P)> = None;
    for (symbol, place) in text {
        if let Some(digit) = symbol.to_digit(10) {
            let (value, start) = number.unwrap_or((0, place));
            number = Some((value.saturating_mul(10).saturating_add(digit as usize), start));
            continue;
        }
        let count = number.take().map(|(value, _)| value);
        match symbol {
            '(' => open.push((count.unwrap_or(1), out.len(), place)),
            ')' => {
                if count.is_some() {
                    return Err(RunLengthError::Dangling(place));
                }
                let (times, from, at) = open.pop().ok_or(RunLengthError::Bracket(place))?;
                let group = out.split_off(from);
                repeat(&mut out, &group, times, limit).ok_or(RunLengthError::TooLong(at))?;
            }
            _ => repeat(&mut out, &[(symbol, place)], count.unwrap_or(1), limit)
                .ok_or(RunLengthError::TooLong(place))?,
        }
    }
    match (number, open.pop()) {
        (Some((_, place)), _) => Err(RunLengthError::Dangling(place)),
        (None, Some((_, _, place))) => Err(RunLengthError::Bracket(place)),
        (None, None) => Ok(out),
    }
}

/// Rows of a board in one line: runs as a number and a symbol, `-` for floor, `|` between rows.
pub(super) fn rows(board: &str) -> String {
    let row = |row: &str| {
        let runs = row.trim_end().chars().dedup_with_count();
        runs.fold(String::new(), |line, (count, symbol)| {
            let symbol = if symbol == ' ' { '-' } else { symbol };
            if count == 1 { format!("{line}{symbol}") } else { format!("{line}{count}{symbol}") }
        })
    };
    format!("{}\n", board.lines().map(row).join("|"))
}

/// Appends a group so many times, unless that goes beyond the limit.
fn repeat<T: Copy>(out: &mut Vec<T>, group: &[T], times: usize, limit: usize) -> Option<()> {
    let length = group.len().checked_mul(times)?.checked_add(out.len())?;
    if length > limit {
        return None;
    }
    if !group.is_empty() {
        (0..times).for_each(|_| out.extend_from_slice(group));
    }
    Some(())
}
