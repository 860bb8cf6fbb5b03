//! AVX-512: eight values are searched at once among edges in registers, and 64 bins are counted at
//! once without memory access.
//!
//! The sign of x − e is the result of a comparison. It is shifted into the number that holds the
//! state of the search; after six steps this is the number of edges above x, of 63 edges. The bits
//! of 64 such numbers are sorted into six words. From these follow masks of the numbers with the
//! same lower three bits and of those with the same upper three bits; a bin's values are the
//! intersection of two masks.

use super::super::super::pass;
use super::{CountArray, EdgeArray, MAX_EDGES};
use std::arch::x86_64::{
    __m512d, __m512i, _mm_cvtsi128_si64, _mm512_add_epi64, _mm512_alignr_epi64, _mm512_and_si512, _mm512_castpd_si512,
    _mm512_cvtepi64_epi8, _mm512_mask_blend_pd, _mm512_maskz_mov_epi64, _mm512_movepi64_mask, _mm512_or_si512,
    _mm512_permutex2var_pd, _mm512_permutexvar_pd, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi8,
    _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setr_pd, _mm512_setzero_pd, _mm512_setzero_si512, _mm512_shldi_epi64,
    _mm512_slli_epi64, _mm512_srli_epi64, _mm512_sub_pd, _mm512_test_epi8_mask, _mm512_xor_si512,
};

/// Eight bytes of 63, the largest result of a search of six steps.
const MAX_RESULT_BYTES: u64 = u64::from_ne_bytes([63; 8]);

/// The number of values searched together: one for each bit of a word and each byte of a vector.
const BLOCK: usize = 64;

/// The number of vectors whose search steps alternate.
const VECTORS: usize = 4;
/// The number of values in these vectors.
const VALUES: usize = 8 * VECTORS;

/// Counts values in bins.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2,avx512vpopcntdq")]
pub(super) fn count(edges: &EdgeArray, values: &[f64]) -> CountArray {
    let search = VectorSearch::new(edges);
    let mut tally = ByteTally::new();
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    let mut last = [f64::MIN; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    // A single loop, so that the search is inlined.
    for block in blocks.iter().chain([&last]) {
        tally.add(search.above(block));
    }
    let mut counts = tally.counts();
    counts[usize::from(edges[0] <= f64::MIN)] -= (BLOCK - rest.len()) as u64;
    // The 64th edge is not in the search.
    if edges[MAX_EDGES - 1].is_finite() {
        let above = pass::count_at_or_above(values, edges[MAX_EDGES - 1]);
        counts[MAX_EDGES - 1] -= above;
        counts[MAX_EDGES] += above;
    }
    counts
}

/// Writes the bin of each value.
#[target_feature(enable = "avx512f,avx512dq,avx512vbmi2")]
pub(super) fn bins(edges: &EdgeArray, values: &[f64], bins: &mut [u8]) {
    let search = VectorSearch::new(edges);
    let (blocks, rest) = values.as_chunks::<VALUES>();
    let (result, result_rest) = bins.as_chunks_mut::<VALUES>();
    for (block, result) in blocks.iter().zip(result) {
        search.bins(block, result);
    }
    let (mut last, mut result) = ([0.0; VALUES], [0; VALUES]);
    last[..rest.len()].copy_from_slice(rest);
    search.bins(&last, &mut result);
    result_rest.copy_from_slice(&result[..rest.len()]);
    // The 64th edge is not in the search.
    for (bin, x) in bins.iter_mut().zip(values) {
        *bin += u8::from(edges[MAX_EDGES - 1] <= *x);
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn vector([a, b, c, d, e, f, g, h]: [f64; 8]) -> __m512d {
    _mm512_setr_pd(a, b, c, d, e, f, g, h)
}

/// The candidate edges of each search step: 1, 2, 4, …, 32 edges, repeated to fill a vector.
struct VectorSearch {
    first: __m512d,
    second: __m512d,
    third: __m512d,
    fourth: __m512d,
    fifth: [__m512d; 2],
    sixth: [__m512d; 4],
}

impl VectorSearch {
    #[target_feature(enable = "avx512f")]
    fn new(edges: &EdgeArray) -> Self {
        // Every 2^(7 − step)-th of the descending edges, from the middle of the first stretch on.
        let edge = |step: usize, k: usize| {
            let (candidates, stretch) = (1 << (step - 1), MAX_EDGES >> step);
            let edge = edges[MAX_EDGES - 1 - (2 * (k % candidates) + 1) * stretch];
            // Neither zero lies below the other: x − (−0) is +0 for both.
            if edge == 0.0 { -0.0 } else { edge }
        };
        let from = |step: usize, k: usize| {
            vector([
                edge(step, k),
                edge(step, k + 1),
                edge(step, k + 2),
                edge(step, k + 3),
                edge(step, k + 4),
                edge(step, k + 5),
                edge(step, k + 6),
                edge(step, k + 7),
            ])
        };
        Self {
            first: from(1, 0),
            second: from(2, 0),
            third: from(3, 0),
            fourth: from(4, 0),
            fifth: [from(5, 0), from(5, 8)],
            sixth: [from(6, 0), from(6, 8), from(6, 16), from(6, 24)],
        }
    }

    /// Returns the number of edges above each value as bytes, in arbitrary order.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2")]
    #[inline]
    fn above(&self, block: &[f64; BLOCK]) -> __m512i {
        let mut all = _mm512_setzero_si512();
        for vectors in block.as_chunks::<8>().0.as_chunks::<VECTORS>().0 {
            for above in self.above_each(vectors) {
                all = _mm512_or_si512(_mm512_slli_epi64::<8>(all), above);
            }
        }
        all
    }

    /// Writes the number of edges at or below each value, without the 64th edge.
    #[target_feature(enable = "avx512f,avx512dq,avx512vbmi2")]
    #[inline]
    fn bins(&self, values: &[f64; VALUES], bins: &mut [u8; VALUES]) {
        let (vectors, bins) = (values.as_chunks::<8>().0, bins.as_chunks_mut::<8>().0);
        for (group, bins) in vectors.as_chunks::<VECTORS>().0.iter().zip(bins.as_chunks_mut::<VECTORS>().0) {
            for (above, bins) in self.above_each(group).into_iter().zip(bins) {
                let above = _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(above)).cast_unsigned();
                *bins = (MAX_RESULT_BYTES - above).to_ne_bytes();
            }
        }
    }

    /// Returns the number of edges above each value; steps of several vectors alternate, so that
    /// they need not wait for each other.
    #[target_feature(enable = "avx512f,avx512dq,avx512vbmi2")]
    #[inline]
    fn above_each(&self, vectors: &[[f64; 8]; VECTORS]) -> [__m512i; VECTORS] {
        let mut x = [_mm512_setzero_pd(); VECTORS];
        let (mut first, mut above) = ([_mm512_setzero_si512(); VECTORS], [_mm512_setzero_si512(); VECTORS]);
        for i in 0..VECTORS {
            x[i] = vector(vectors[i]);
            first[i] = difference(x[i], self.first);
            above[i] = _mm512_srli_epi64::<63>(first[i]);
        }
        // A look-up uses only the lowest bits that it needs.
        for edges in [self.second, self.third, self.fourth] {
            for i in 0..VECTORS {
                above[i] = step(above[i], x[i], _mm512_permutexvar_pd(above[i], edges));
            }
        }
        for i in 0..VECTORS {
            above[i] = step(above[i], x[i], _mm512_permutex2var_pd(self.fifth[0], above[i], self.fifth[1]));
        }
        for i in 0..VECTORS {
            let lower = _mm512_permutex2var_pd(self.sixth[0], above[i], self.sixth[1]);
            let upper = _mm512_permutex2var_pd(self.sixth[2], above[i], self.sixth[3]);
            let edges = _mm512_mask_blend_pd(_mm512_movepi64_mask(first[i]), lower, upper);
            above[i] = step(above[i], x[i], edges);
        }
        above
    }
}

/// Returns x − edge, which is negative only where x lies below the edge.
#[target_feature(enable = "avx512f")]
#[inline]
fn difference(x: __m512d, edges: __m512d) -> __m512i {
    _mm512_castpd_si512(_mm512_sub_pd(x, edges))
}

/// Shifts the result of a comparison into the state of the search.
#[target_feature(enable = "avx512f,avx512vbmi2")]
#[inline]
fn step(above: __m512i, x: __m512d, edges: __m512d) -> __m512i {
    _mm512_shldi_epi64::<1>(above, difference(x, edges))
}

/// Counts of bytes: lane l of vector r counts the bytes with lower three bits l and upper three
/// bits l + r.
struct ByteTally([__m512i; 8]);

impl ByteTally {
    #[target_feature(enable = "avx512f")]
    fn new() -> Self {
        Self([_mm512_setzero_si512(); 8])
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq")]
    #[inline]
    fn add(&mut self, bytes: __m512i) {
        let (lower, upper) = (with_bits(bytes, 0), with_bits(bytes, 3));
        let Self([a, b, c, d, e, f, g, h]) = self;
        *a = add_common(*a, lower, upper);
        *b = add_common(*b, lower, _mm512_alignr_epi64::<1>(upper, upper));
        *c = add_common(*c, lower, _mm512_alignr_epi64::<2>(upper, upper));
        *d = add_common(*d, lower, _mm512_alignr_epi64::<3>(upper, upper));
        *e = add_common(*e, lower, _mm512_alignr_epi64::<4>(upper, upper));
        *f = add_common(*f, lower, _mm512_alignr_epi64::<5>(upper, upper));
        *g = add_common(*g, lower, _mm512_alignr_epi64::<6>(upper, upper));
        *h = add_common(*h, lower, _mm512_alignr_epi64::<7>(upper, upper));
    }

    /// Returns the counts by the number of edges at or below, which is 63 minus the number above.
    #[target_feature(enable = "avx512f")]
    fn counts(&self) -> CountArray {
        let mut counts = [0; MAX_EDGES + 1];
        for (r, lanes) in self.0.iter().enumerate() {
            for l in 0..8 {
                let count = _mm512_reduce_add_epi64(_mm512_maskz_mov_epi64(1 << l, *lanes));
                counts[MAX_EDGES - 1 - (8 * ((l + r) % 8) + l)] = count.cast_unsigned();
            }
        }
        counts
    }
}

/// Returns masks: lane l has a bit for each byte whose three bits from bit `from` on equal l.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn with_bits(bytes: __m512i, from: u32) -> __m512i {
    let word = |bit: u32| _mm512_set1_epi64(_mm512_test_epi8_mask(bytes, _mm512_set1_epi8(1 << bit)).cast_signed());
    let one = _mm512_xor_si512(word(from), _mm512_setr_epi64(-1, 0, -1, 0, -1, 0, -1, 0));
    let two = _mm512_xor_si512(word(from + 1), _mm512_setr_epi64(-1, -1, 0, 0, -1, -1, 0, 0));
    let three = _mm512_xor_si512(word(from + 2), _mm512_setr_epi64(-1, -1, -1, -1, 0, 0, 0, 0));
    _mm512_and_si512(_mm512_and_si512(one, two), three)
}

/// Adds the number of common bits of two masks.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
#[inline]
fn add_common(count: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi64(count, _mm512_popcnt_epi64(_mm512_and_si512(a, b)))
}
