//! The optimal threshold: the `p_Δ` in (0, max J) with the least variance (Kloos et al., §3.3).
//!
//! Found as the zero of dV/dp, not as the lowest of compared values, which would know only half the digits. For
//! well separated classes it lies within 1e-6 of max J, so the search runs in the logarithm of max J − p.

use super::{Integrals, PDelta, Region, Separation};
use crate::numeric::root;

/// Below this miss the classes are perfectly separated for every purpose, and products of tails underflow.
const PERFECT: f64 = 1e-150;

/// Ratio of two neighbouring depths below max J in the search for sign changes.
const STEP: f64 = 4.0;

/// The threshold that minimises α Var₊(g) + (1−α) Var₋(g), and its region. The paper takes α = ½ where the prevalence
/// is unknown; it matters little.
///
/// Exact to about 1e-9 relative in max J − `p_Δ`. Every sign change of dV/dp on a grid is refined and the best kept.
pub fn optimal_threshold(separation: &Separation, alpha: f64) -> (PDelta, Region) {
    let region = |depth: f64| {
        let p = separation.below_max(depth);
        (p, separation.region(p).expect("every depth below max J has a region"))
    };
    if separation.min_miss() < PERFECT {
        return region(PERFECT);
    }
    let pull = |ln_depth: f64| {
        let (p, region) = region(ln_depth.exp());
        Integrals::new(separation, &region).pull(separation, &region, p.value(), alpha)
    };
    // Near max J widening R helps (pull below 0); near p = 0 it hurts.
    let deepest = (0.999 * separation.max_j()).ln();
    let mut ln_depth = (1e-3 * separation.max_j().min(separation.min_miss())).ln();
    let mut best: Option<(f64, f64)> = None;
    let mut here = pull(ln_depth);
    while ln_depth < deepest {
        let next_depth = (ln_depth + STEP.ln()).min(deepest);
        let next = pull(next_depth);
        if here.0 < 0.0 && next.0 >= 0.0 {
            let optimum = root::bracketed(|d| pull(d).0, (ln_depth, here.0), (next_depth, next.0));
            let variance = pull(optimum).1;
            if best.is_none_or(|(_, least)| variance < least) {
                best = Some((optimum, variance));
            }
        }
        (ln_depth, here) = (next_depth, next);
    }
    region(best.map_or(deepest, |(optimum, _)| optimum).exp())
}
