//! What packed bytes may unpack to, where that is said before it is done and room is made for it.

/// So many bytes, and beyond that so many times as many as there are. Columns of few values pack to next to nothing, those of scores do not.
const FREELY: u64 = 1 << 26;
const RATIO: u64 = 8;

/// Whether so many bytes may unpack to so many.
pub fn is_possible(packed: u64, unpacked: u64) -> bool {
    unpacked <= most(packed)
}

/// How many bytes so many may unpack to.
pub fn most(packed: u64) -> u64 {
    FREELY.saturating_add(packed.saturating_mul(RATIO))
}
