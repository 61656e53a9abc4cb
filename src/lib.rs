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
//! use unstuck::certificate::check::check;
//! use unstuck::certificate::prove::{ProofOptions, ProofTask, prove};
//! use unstuck::certificate::Claim;
//! use unstuck::limits::Limits;
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
//! # Where things are
//!
//! | to | look at |
//! | --- | --- |
//! | solve a level | [`open`], [`mod@solve`] (what is asked, and what came out), [`limits`] |
//! | read files, and choose a family | [`registry`], [`puzzles`] |
//! | ask more of a level: hints, counts, causes | [`questions`], with an [`atlas`] of the level |
//! | prove and check | [`certificate`] |
//! | say it to people and programs | [`report`] |
//! | bring a solver, an engine or a family | [`backend`], [`engines`], [`registry`] |
//!
//! The other modules are the parts of which these are made, for experiments; they change more
//! often.
//!
//! Data flows one way: [`registry`] finds the family of a text and reads its levels; an
//! [`instance::Instance`] joins one puzzle with its encoding and search space; [`mod@solve`] asks
//! [`backend`]s and [`search`] until a verdict stands; only an instance can make a
//! [`instance::Verified`] solution, and only those are reported. The rules of the games are in
//! [`puzzles`], their clauses in [`encodings`]: both are crates of their own, and this one is all
//! that you need to name.
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
//!
//! Without any of them the library builds for `wasm32-unknown-unknown` (see [`machine`]).

pub use registry::{FAMILIES, FLOW, PUZZLESCRIPT, SNOWMAN, SOKOBAN, SOKOBOND, WAREHOUSE};
pub use solve::{OpenedLevel, open};
pub use unstuck_check::{advice, formula, limits, patterns, strict_json};
pub use unstuck_encodings as encodings;
pub use unstuck_encodings::laws;
pub use unstuck_puzzles as puzzles;

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
