//! A plain sum as fast as the machine allows, the lower bound for reading scores.

use multiversion::multiversion;

/// Returns a sum in 32 lanes, which the compiler vectorises as wide as the scoring loops.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub fn plain_sum(scores: &[f64]) -> f64 {
    let mut lanes = [0.0; 32];
    let (blocks, rest) = scores.as_chunks::<32>();
    for block in blocks {
        for (lane, s) in lanes.iter_mut().zip(block) {
            *lane += s;
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().sum::<f64>()
}
