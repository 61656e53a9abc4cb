//! Judges the certificates of unstuck.
//!
//! To trust a certificate, read this crate, and the parts of `encodings/`, `puzzles/` and
//! `puzzlescript/` that `docs/trust.md` lists. It contains no search, no solver, and no code that
//! finds what it judges.
//!
//! ```no_run
//! # #[cfg(feature = "files")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::path::Path;
//! use unstuck_check::certificate::check::check;
//! use unstuck_check::limits::Limits;
//!
//! let report = check(Path::new("no-way"), None, &Limits::none(), &mut |_| {})?;
//! let (manifest, instance) = (&report.manifest, &report.instance);
//! println!("{}", manifest.claim.sentence(instance.measures(), manifest.objective));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "files"))]
//! # fn main() {}
//! ```
//!
//! To read it, begin with [`certificate::check`](mod@certificate::check). From the rules of a family
//! and from its clauses an [`instance`] is made; [`proof`] judges refutations of its formulas, and
//! [`closed`], [`patterns`] and [`transition`] judge lists of its positions.

/// The front page, whose code is run as a test.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

pub mod advice;
pub mod certificate;
pub mod closed;
pub mod formula;
pub mod instance;
pub mod limits;
pub mod machine;
pub mod patterns;
#[cfg(feature = "files")]
pub mod program;
pub mod proof;
pub mod registry;
pub mod strict_json;
pub mod transition;
