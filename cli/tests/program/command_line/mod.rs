//! The program as its users run it, point by point: nothing lost, nothing ignored, readable.

mod batch;
mod collections;
mod first_words;
mod hostile;
pub(crate) mod json;
mod locks;
mod lost;
mod options;
mod output;
mod pictures;
mod puzzlescript;
mod reading;
mod remembered;
#[cfg(unix)]
mod solvers;
mod terms;

use crate::levels::{EASY, ENDLESS, STUCK, own};
use crate::test_folder::{CommandOutput, TestFolder};

/// Three levels, with all that a collection may say around them.
const COLLECTION: &str = "\
Collection: Odds and ends
Author: Somebody
Copyright: free for all

First steps

#####
#@$.#
#####

Author: Somebody Else
Hardness: 1
Comment:
One push will do.
Comment-End:

Second steps

######
#@ $.#
######

Snapshot 1/0
r

3

#######
#@ $ .#
#######
";

/// The commands that help lists.
pub(crate) fn commands() -> Vec<String> {
    let command = unstuck_cli::command();
    let listed = command.get_subcommands().filter(|it| !it.is_hide_set());
    listed.map(|it| it.get_name().to_owned()).collect()
}
