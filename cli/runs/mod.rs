//! A farm: very many levels, worked on by several processes, with a store on disk that survives the
//! loss of any of them.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `store` | results as lines of JSON in shards: what is known already, appended to, cut where torn |
//! | `pack` | certificates packed into a few files, each beside the shard of its result |
//! | `pool` | worker processes: fed, replaced when they die, ended |
//! | `frame` | what goes between farm and worker |
//! | `tasks` | work written down for machines that share a file system, and what comes of it |
//! | `retry` | which results of earlier runs are tried again |
//! | `result` | what is kept of a level, by its fields |
//! | `sample` | a random sample, chosen by a seed |
//!
//! How a question is answered others know: to the store a result is an object with a key, to the pool
//! work is a text for a process.

pub mod frame;
pub(crate) mod locked_file;
pub(crate) mod log;
pub mod pack;
pub mod pool;
pub mod result;
pub mod retry;
pub mod sample;
pub mod store;
pub mod tasks;
