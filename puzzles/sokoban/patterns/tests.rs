//! Lists that prove, and lists that only seem to.
