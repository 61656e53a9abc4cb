//! enc
