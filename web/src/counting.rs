//! How many shortest solutions there are.

use crate::hints::atlas;
use crate::reading::open;
use crate::solving::{instances, limits};
use crate::{PageError, text};
use serde_json::{Value, json};
use unstuck::questions::enumerate::{Enumeration, enumerate};

/// Counts the shortest solutions of the level of a request, under the strictest reading that has
/// one. A count is a text: it may have 39 digits.
pub(crate) fn count(request: &Value) -> Result<Value, PageError> {
    let (family, opened) = open(request)?;
    let (limits, mut response) = (limits(request), Value::Null);
    for instance in instances(family, opened.as_ref(), text(request, "objective")?)? {
        let mut atlas = atlas(instance.as_ref())?;
        let answer = enumerate(atlas.as_mut(), 0, &limits);
        let plans = if answer.unsolvable { Some(0) } else { answer.plans };
        response = json!({
            "plans": plans.map(|plans| plans.to_string()),
            "sentence": sentence(&answer),
        });
        if !answer.unsolvable {
            break;
        }
    }
    Ok(response)
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
