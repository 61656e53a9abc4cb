//! From text to words, sections and source rules.

pub(crate) mod legend;
pub(crate) mod rule;
pub(crate) mod sections;
pub(crate) mod source;
pub(crate) mod stream;
pub(crate) mod words;
