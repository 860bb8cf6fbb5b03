//! FNV-1a (Fowler, Noll and Vo), 64 bits: protects against damage and mistakes, not against intent.

/// Returns the checksum of bytes.
pub(crate) fn checksum(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    /// The expected values are from the authors' `test_fnv.c`.
    #[test]
    fn checksums_are_those_of_the_authors() {
        assert_eq!(checksum([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(*b"foobar"), 0x8594_4171_f739_67e8);
    }
}
