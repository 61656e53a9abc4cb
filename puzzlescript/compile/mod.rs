//! From source rules to directed rules, and from these to patterns of bits.

mod expand;
mod groups;
mod read;
mod tables;
