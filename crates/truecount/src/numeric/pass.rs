//! The scoring loops: Σ g(s) and Σ g(s)² over a slice, in one pass without allocation.
//!
//! Each loop is compiled once per instruction set and chosen at run time. Scores are processed in blocks of independent
//! lanes, so that the compiler fills whole vectors and keeps several vectors in flight. Every few thousand scores, lane
//! sums are added to compensated sums, so the result is exact to about one rounding for any number of scores.
//!
//! Loops are written out, because a closure passed to another function, such as `array::map`, may
//! be compiled without the instruction set, which makes it three times slower.

use super::polynomial::Ramp;
use super::sum::CompensatedSum;
use multiversion::multiversion;
use multiversion::target::target_cfg_f;

/// The number of independent scores per step: four AVX-512 vectors, enough to hide the latency of a fused multiply-add.
const LANES: usize = 32;

/// The number of scores after which lane sums are added to the compensated sums.
const FLUSH_INTERVAL: usize = 128 * LANES;

type LaneBlock = [f64; LANES];

/// The result of one pass over a slice.
#[derive(Debug, Default)]
pub(crate) struct PassSums {
    pub(crate) sum: CompensatedSum,
    pub(crate) sum_squares: CompensatedSum,
    /// Whether all scores were finite; otherwise the sums are meaningless.
    pub(crate) finite: bool,
}

/// Sums the step function 1{s ≥ cut}.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn sum_step(scores: &[f64], cut: f64) -> PassSums {
    sum_blocks(scores, f64::MIN, |s| {
        let mut g = [0.0; LANES];
        for (g, s) in g.iter_mut().zip(s) {
            *g = if *s >= cut { 1.0 } else { 0.0 };
        }
        g
    })
}

/// The largest |(s − origin)/unit|; values beyond are clipped, so that sums, squares and weighted sums do not overflow.
pub(crate) const MAX_STANDARDISED: f64 = 1e50;

/// Sums (s − origin)/unit, clipped to ±[`MAX_STANDARDISED`].
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn sum_line(values: &[f64], origin: f64, unit: f64) -> PassSums {
    let scale = unit.recip();
    sum_blocks(values, origin, |s| {
        let mut g = [0.0; LANES];
        for (g, s) in g.iter_mut().zip(s) {
            *g = ((s - origin) * scale).clamp(-MAX_STANDARDISED, MAX_STANDARDISED);
        }
        g
    })
}

/// Sums the score function of a mixture, from the posterior probabilities p at the prior π.
///
/// The score function is (p − π)/(α(1−π) p + (1−α)π (1−p)) = (f⁺ − f⁻)/(α f⁺ + (1−α) f⁻).
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn sum_mixture_score(posteriors: &[f64], prior: f64, alpha: f64) -> PassSums {
    let (positive, negative) = (alpha * (1.0 - prior), (1.0 - alpha) * prior);
    sum_blocks(posteriors, prior, |p| {
        let mut g = [0.0; LANES];
        for (g, p) in g.iter_mut().zip(p) {
            *g = (p - prior) / (positive * p + negative * (1.0 - p));
        }
        g
    })
}

/// Returns the sum of [`sum_mixture_score`] without the squares, for 0 < α < 1.
///
/// Four fractions are brought to a common denominator before dividing, since divisions take most of the time.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn mixture_score_sum(posteriors: &[f64], prior: f64, alpha: f64) -> f64 {
    const QUARTER: usize = LANES / 4;
    let (positive, negative) = (alpha * (1.0 - prior), (1.0 - alpha) * prior);
    let mut sum = CompensatedSum::default();
    for chunk in posteriors.chunks(FLUSH_INTERVAL) {
        let mut sums = [0.0; QUARTER];
        for_each_block(chunk, prior, |p| {
            let (mut over, mut under) = ([0.0; LANES], [0.0; LANES]);
            for i in 0..LANES {
                over[i] = p[i] - prior;
                under[i] = positive * p[i] + negative * (1.0 - p[i]);
            }
            for (a, sum) in sums.iter_mut().enumerate() {
                let (b, c, d) = (a + QUARTER, a + 2 * QUARTER, a + 3 * QUARTER);
                let (ab, cd) = (under[a] * under[b], under[c] * under[d]);
                let left = over[a] * under[b] + over[b] * under[a];
                let right = over[c] * under[d] + over[d] * under[c];
                *sum += (left * cd + right * ab) / (ab * cd);
            }
        });
        sum.add(sums.iter().sum());
    }
    sum.value()
}

/// Writes the cell of each value, counted from the origin in units of 1/scale and clipped to the last cell.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn cell_numbers(values: &[f64], origin: f64, scale: f64, last: usize, cells: &mut [u32]) {
    let last = last as f64;
    for (cell, x) in cells.iter_mut().zip(values) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and the last
        let number = ((x - origin) * scale).clamp(0.0, last) as u32;
        *cell = number;
    }
}

/// Returns the number of values at or above the cut.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn count_at_or_above(values: &[f64], cut: f64) -> u64 {
    let mut n = 0;
    for s in values {
        n += u64::from(*s >= cut);
    }
    n
}

/// Replaces each share with (share − from)/distance, clipped to [0, 1].
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn adjust_and_clip(shares: &mut [f64], from: &[f64], distance: &[f64]) {
    for ((share, from), distance) in shares.iter_mut().zip(from).zip(distance) {
        *share = ((*share - from) / distance).clamp(0.0, 1.0);
    }
}

/// Returns whether all values are finite.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn all_finite(values: &[f64]) -> bool {
    let mut all = true;
    for s in values {
        all &= s.is_finite();
    }
    all
}

/// Returns whether all values lie in [0, 1].
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn all_probabilities(values: &[f64]) -> bool {
    let mut all = true;
    for p in values {
        #[allow(clippy::needless_bitwise_bool)] // without a branch
        let inside = (*p >= 0.0) & (*p <= 1.0);
        all &= inside;
    }
    all
}

/// Sums a function that is a sum of ramps, by Horner's rule in t = (s − middle)·scale, clipped to [−1, 1].
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn sum_ramps(scores: &[f64], ramps: &[Ramp]) -> PassSums {
    let fused = target_cfg_f!(any(target_feature = "fma", target_feature = "neon"));
    sum_blocks(scores, f64::MIN, |s| {
        let mut g = [0.0; LANES];
        for Ramp { middle, scale, powers } in ramps {
            let mut t = [0.0; LANES];
            for (t, s) in t.iter_mut().zip(s) {
                *t = ((s - middle) * scale).clamp(-1.0, 1.0);
            }
            let mut sum = [0.0_f64; LANES];
            for c in powers.iter().rev() {
                for (sum, t) in sum.iter_mut().zip(&t) {
                    *sum = if fused { sum.mul_add(*t, *c) } else { *sum * *t + *c };
                }
            }
            for (g, sum) in g.iter_mut().zip(&sum) {
                *g += sum;
            }
        }
        g
    })
}

/// Sums g and g² over the slice.
///
/// The last block is filled up with `padding`, where g is 0. The function is inlined, so that it is
/// compiled for its caller's instruction set.
#[allow(clippy::inline_always)]
#[inline(always)]
fn sum_blocks(scores: &[f64], padding: f64, g: impl Fn(&LaneBlock) -> LaneBlock) -> PassSums {
    let mut result = PassSums::default();
    let mut poison = [0.0; LANES];
    for chunk in scores.chunks(FLUSH_INTERVAL) {
        let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
        for_each_block(chunk, padding, |s| {
            let g = g(s);
            for i in 0..LANES {
                sums[i] += g[i];
                squares[i] += g[i] * g[i];
                // s·0 is 0 for finite numbers and NaN for all others, which tests without a branch.
                poison[i] += s[i] * 0.0;
            }
        });
        result.sum.add(sums.iter().sum());
        result.sum_squares.add(squares.iter().sum());
    }
    result.finite = !poison.iter().any(|p| p.is_nan());
    result
}

/// Calls `block` with each block of values, the last one filled up with `padding`.
///
/// The function is inlined, so that it is compiled for its caller's instruction set.
#[allow(clippy::inline_always)]
#[inline(always)]
fn for_each_block(values: &[f64], padding: f64, mut block: impl FnMut(&LaneBlock)) {
    let (blocks, rest) = values.as_chunks::<LANES>();
    blocks.iter().for_each(&mut block);
    if !rest.is_empty() {
        let mut last = [padding; LANES];
        last[..rest.len()].copy_from_slice(rest);
        block(&last);
    }
}
