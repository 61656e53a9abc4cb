//! The strategies
