//! Runs over many levels, each of whose results is kept as soon as it is there: what a killed run
//! leaves is whole, and the same run resumes there.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `result` | what is kept of a level, by its fields |
//! | `lines` | lines of a file that is only appended to, the whole ones |
//! | `locked_file` | a file to which one process alone appends, all or nothing |
//! | `log` | a file of results, for `solve` and `bench`: one is found by its level and question |
//! | `shards` | a folder of results, for farms: shards, each with packed certificates beside it |
//! | `question`, `record` | what is asked of each of many levels; solutions in a family's own format |
//! | `table` | a batch as a person reads it |
//! | `derive` | what evidence says of a level: locks and stores are compared with it |
//! | `retry` | which results of earlier runs are tried again |
//! | `pack` | certificates packed into a few files, each beside the shard of its result |
//! | `pool` | worker processes: fed, replaced when they die, ended |
//! | `frame` | what goes between farm and worker |
//! | `tasks` | work written down for machines that share a file system, and what comes of it |
//! | `sample` | a random sample, chosen by a seed |
//!
//! How a question is answered others know: to the store a result is an object with a key, to the pool
//! work is a text for a process.

pub(crate) mod derive;
pub mod frame;
mod lines;
pub(crate) mod locked_file;
pub(crate) mod log;
pub mod pack;
pub mod pool;
pub(crate) mod question;
pub(crate) mod record;
pub mod result;
pub mod retry;
pub mod sample;
pub mod shards;
pub(crate) mod table;
pub mod tasks;
