//! Limits on decompressed sizes, to be checked before memory is allocated for what a header states.

/// The limit is `ALLOWANCE + RATIO` × the compressed size, in bytes: columns of few values compress
/// to almost nothing, columns of scores do not.
const ALLOWANCE: u64 = 1 << 26;
const RATIO: u64 = 8;

/// Returns whether bytes of this compressed size may decompress to this size.
pub fn is_plausible(packed: u64, unpacked: u64) -> bool {
    unpacked <= max_unpacked_size(packed)
}

/// Returns the maximum decompressed size.
pub fn max_unpacked_size(packed: u64) -> u64 {
    ALLOWANCE.saturating_add(packed.saturating_mul(RATIO))
}
