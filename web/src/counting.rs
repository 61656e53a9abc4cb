//! How many shortest solutions there are.

use crate::PageError;
use crate::hints::atlas;
use crate::protocol::{Bounds, Count, Level};
use crate::reading::open;
use crate::solving::{instances, limits};
use unstuck::questions::enumerate::{Enumeration, enumerate};

/// Counts the shortest solutions of a level, under the strictest reading that has one. A count is
/// a text: it may have 39 digits.
pub(crate) fn count(level: &Level, objective: &str, bounds: &Bounds) -> Result<Count, PageError> {
    let (family, opened) = open(level)?;
    let limits = limits(bounds);
    let mut response = None;
    for instance in instances(family, opened.as_ref(), objective)? {
        let mut atlas = atlas(instance.as_ref())?;
        let answer = enumerate(atlas.as_mut(), 0, &limits);
        let plans = if answer.unsolvable { Some(0) } else { answer.plans };
        response = Some(Count {
            plans: plans.map(|plans| plans.to_string()),
            sentence: sentence(&answer),
        });
        if !answer.unsolvable {
            break;
        }
    }
    response.ok_or_else(PageError::unread)
}

fn sentence(answer: &Enumeration) -> String {
    let but = "not counting different walks or the order of independent pushes";
    match (answer.plans, answer.stop) {
        _ if answer.unsolvable => "There is no solution.".to_owned(),
        (Some(1), _) => format!("It is the only shortest solution ({but})."),
        (Some(plans), _) => format!("There are {plans} shortest solutions ({but})."),
        (None, Some(stop)) => format!("How many shortest solutions there are is unknown: {stop}."),
        (None, None) => "There are more shortest solutions than 128 bits can count.".to_owned(),
    }
}
