//! Another order among equals.

/// What is added, so that equals come in another order: less than 16.
pub(super) fn noise(seed: u32, from: u16, to: u16) -> u32 {
    if seed == 0 {
        return 0;
    }
    let word = u32::from(from) << 16 | u32::from(to);
    let word = word ^ seed.wrapping_mul(0x85EB_CA6B);
    word.wrapping_mul(0x9E37_79B1) >> 28
}
