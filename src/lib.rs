//! unstuck
