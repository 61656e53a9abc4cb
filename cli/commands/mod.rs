//! A module for each command, and what several of them share.

pub(crate) mod backends;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod constrained;
pub(crate) mod decode;
pub(crate) mod diagnose;
pub(crate) mod difficulty;
pub(crate) mod enumerate;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fill;
pub(crate) mod forced;
pub(crate) mod generate;
pub(crate) mod hint;
pub(crate) mod list;
pub(crate) mod lock;
pub(crate) mod merge;
pub(crate) mod needed;
pub(crate) mod prove;
pub(crate) mod query;
pub(crate) mod replay;
pub(crate) mod shell;
pub(crate) mod solve;
pub(crate) mod work;
