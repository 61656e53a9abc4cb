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

use crate::levels::{EASY, ENDLESS, STUCK};
use crate::test_folder::TestFolder;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

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

impl TestFolder {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unstuck"));
        command.args(arguments).current_dir(self.folder.path()).env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> CommandOutput {
        let mut child = self.command(arguments).spawn().expect("the program starts");
        // A program that fails early does not read its input.
        let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
        CommandOutput::of(&child.wait_with_output().expect("the program ends"))
    }

    /// Runs the words of a line.
    fn run(&self, line: &str) -> CommandOutput {
        self.run_with(&line.split_whitespace().collect::<Vec<_>>(), "")
    }
}

/// What the program printed.
#[derive(Debug)]
struct CommandOutput {
    code: i32,
    out: String,
    err: String,
}

impl CommandOutput {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The objects that were printed, one a line.
    fn objects(&self) -> Vec<Value> {
        let object =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        self.out.lines().map(object).collect()
    }

    #[track_caller]
    fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn says(self, part: &str) -> Self {
        assert!(self.out.contains(part), "not said: {part}\n{}{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn complains(self, part: &str) -> Self {
        assert!(self.err.contains(part), "not complained: {part}\n{}{}", self.out, self.err);
        self
    }
}

/// The project's own levels.
fn own(path: &str) -> String {
    let folder = crate::root().join("puzzles/levels");
    folder.join(path).to_str().expect("a plain name").to_owned()
}
