//! unstuck solves grid puzzles with a SAT solver: it finds a solution, proves that none is
//! shorter, or proves that there is none.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use unstuck::puzzles::Objective;
//! use unstuck::solve::Request;
//!
//! let text = "#######\n#@ $ .#\n#######\n";
//! let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
//! let outcome = level.solve(&Request::default())?;
//!
//! // A plan comes out only after the rules have replayed it.
//! let plan = outcome.best.ok_or("no plan")?;
//! assert_eq!(plan.text(), "rRR");
//! assert!(outcome.optimal);
//! # Ok(())
//! # }
//! ```
//!
//! What is said can be proved, for anyone to check:
//!
//! ```
//! # #[cfg(feature = "files")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use unstuck::check::check;
//! use unstuck::limits::Limits;
//! use unstuck::prove::{Claim, ProofOptions, ProofTask, prove};
//! use unstuck::puzzles::Objective;
//! use unstuck::solve::Request;
//!
//! // The box is in a corner, so there is no way.
//! let text = "#####\n#$  #\n#@ .#\n#####\n";
//! let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
//! let folder = tempfile::tempdir()?;
//! let certificate = folder.path().join("no-way");
//! let task = ProofTask::new(level.first(), text, Claim::Unsolvable);
//! prove(&task, &ProofOptions::default(), &Request::default(), &certificate, &mut |_| {})?;
//!
//! let report = check(&certificate, None, &Limits::none(), &mut |_| {})?;
//! assert_eq!(report.manifest.claim, Claim::Unsolvable);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "files"))]
//! # fn main() {}
//! ```
//!
//! And more can be asked of a level than its solution:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use unstuck::limits::Limits;
//! use unstuck::puzzles::Objective;
//! use unstuck::puzzles::constraints::Constraints;
//! use unstuck::questions::analysis::Analysis;
//! use unstuck::questions::hint::hint;
//!
//! let text = "#######\n#@ $ .#\n#######\n";
//! let level = unstuck::open(unstuck::SOKOBAN, text, Objective::Pushes)?;
//! let mut game = Analysis::new(level.first(), &Constraints::default()).ok_or("it has moves")?;
//! let answer = hint(&mut game, None, 1, &Limits::none());
//! assert_eq!(answer.moves.as_deref(), Some("rR"));
//! // Every answer is an object for programs, too: the one that the program prints.
//! assert_eq!(serde_json::to_value(&answer)?["rest"], 2);
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! | to | look at |
//! | --- | --- |
//! | solve a level | [`open`], [`mod@solve`] (what is asked, and what came out), [`limits`] |
//! | read files, and choose a family | [`registry`], [`puzzles`] |
//! | ask more of a level: hints, counts, causes | [`questions`] |
//! | prove and check | [`mod@prove`], [`mod@check`] |
//! | say it to people and programs | [`report`] |
//! | see which engine works when, or add one | [`solve::schedule`], [`engines`] |
//!
//! Data flows one way: [`registry`] finds the family of a text and reads its levels; an
//! [`Instance`](solve::Instance) joins one puzzle with its encoding and search space; [`mod@solve`]
//! asks engines until a verdict stands; only an instance can make a [`Verified`](solve::Verified)
//! solution, and only those are reported. The rules of the games are in [`puzzles`], a crate of their
//! own, as is the checker, `unstuck-check`.
//!
//! The folder `examples/` shows how to solve a level, count the solutions of a board made in code,
//! write and check a certificate, bring a solver of your own, and add a family without changing
//! this crate.
//!
//! # Features
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `files` (default) | certificates in folders (else in memory), and any solver by its command |
//! | `schema` | a JSON schema of every answer, and its type in TypeScript |
//! | `internals` | the parts of which all this is made, for experiments: they change with any version |
//!
//! Without any of them the library builds for `wasm32-unknown-unknown`, where the host sets a clock
//! (`machine::set_clock` of `unstuck-check`).

#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        rustdoc::private_intra_doc_links,
        reason = "most of what is public in a room is for our own packages"
    )
)]

pub use registry::{FAMILIES, FLOW, PUZZLESCRIPT, SNOWMAN, SOKOBAN, SOKOBOND, WAREHOUSE};
pub use rooms::certificate::{check, prove};
pub use rooms::{engines, limits, questions, registry, report, solve};
pub use solve::{OpenedLevel, open};
pub use unstuck_puzzles as puzzles;

#[cfg(feature = "internals")]
pub use rooms::*;
#[cfg(not(feature = "internals"))]
use rooms::*;

/// All modules, in the folder of this file: what is public in them is so outside of the crate as far
/// as it is named above.
#[path = "."]
mod rooms {
    pub use unstuck_check::{advice, formula, limits, patterns, strict_json};
    pub use unstuck_encodings as encodings;
    pub use unstuck_encodings::laws;

    pub mod atlas;
    pub mod backend;
    pub mod certificate;
    pub mod closed;
    pub mod engines;
    pub mod feature_search;
    pub mod improve;
    pub mod instance;
    pub mod invariant;
    pub mod learn;
    pub mod ledger;
    pub mod machine;
    pub mod proof;
    pub mod questions;
    pub mod registry;
    pub mod report;
    pub mod search;
    pub mod solve;
    pub mod transition;
    pub mod tuning;
}
