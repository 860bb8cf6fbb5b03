//! Random numbers: an interface for the caller's generators, and the library's own streams.

use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;

/// A source of random bits, which every generator of the crate `rand` implements.
pub trait RandomBits {
    /// Returns the next 32 bits.
    fn next_u32(&mut self) -> u32;

    /// Returns the next 64 bits.
    fn next_u64(&mut self) -> u64;
}

impl<R: Rng> RandomBits for R {
    fn next_u32(&mut self) -> u32 {
        Rng::next_u32(self)
    }

    fn next_u64(&mut self) -> u64 {
        Rng::next_u64(self)
    }
}

/// A source of random bits as a generator of the crate `rand`, which its distributions need.
pub(crate) struct Bits<'a>(pub(crate) &'a mut dyn RandomBits);

impl TryRng for Bits<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.next_u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// Returns the random stream with this number.
///
/// Its values depend only on the seed and the number, so that streams can be used in any order and
/// by any number of threads.
pub(crate) fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}
