//! Replications of simulations: their random numbers, and the share of them in which something holds.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Returns the generator of one of the independent streams of a seed.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// Returns the percentage of the replications for which a condition holds.
pub fn percent<T>(replications: &[T], condition: impl Fn(&T) -> bool) -> f64 {
    100.0 * replications.iter().filter(|replication| condition(replication)).count() as f64 / replications.len() as f64
}
