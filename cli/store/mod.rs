//! Runs over many levels, each of whose results is kept as soon as it is there: what a killed run
//! leaves is whole, and the same run resumes there.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `result`, `question` | what is kept of a level, by its fields; what is asked of it |
//! | `lines` | lines of a file that is only appended to, the whole ones |
//! | `locked_file` | a file to which one process alone appends, all or nothing |
//! | `shards` | stores: folders of shards with packed certificates, and logs, which are one file |
//! | `open_store` | one that is written to: results are found by their keys, and appended |
//! | `derive` | what evidence says of a level: results that were read are compared with it |
//! | `retry` | which results of earlier runs are tried again |
//! | `pack` | certificates packed into a few files, each beside the shard of its result |
//! | `record` | solutions in a family's own format |
//! | `summary`, `table` | what came out of many levels, counted and as a table |
//!
//! How a question is answered others know: to the store a result is an object with a key.

pub(crate) mod derive;
mod lines;
pub(crate) mod locked_file;
pub(crate) mod open_store;
pub mod pack;
pub(crate) mod question;
pub(crate) mod record;
pub(crate) mod result;
pub(crate) mod retry;
pub(crate) mod shards;
pub(crate) mod summary;
pub(crate) mod table;
