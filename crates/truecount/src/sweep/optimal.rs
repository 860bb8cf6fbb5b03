//! The optimal threshold: the `p_Δ` in (0, max J) with the smallest variance (Kloos et al., §3.3).
//!
//! The search is for a zero of dV/dp, as comparing values of V would give only half the digits. It
//! runs over ln(max J − p), since the optimum of well separated classes lies within 1e-6 of max J.

use super::{Integrals, Region, Separation};
use crate::Error;
use crate::numeric::root;

/// The miss below which classes count as perfectly separated; products of tails underflow there.
const PERFECT_MISS: f64 = 1e-150;

/// The ratio of neighbouring depths max J − p in the search for sign changes.
const DEPTH_RATIO: f64 = 4.0;

/// Returns the region of the threshold that minimises α Var₊(g) + (1−α) Var₋(g).
///
/// The paper uses α = ½ if the prevalence is unknown; the choice matters little. Every sign change
/// of dV/dp on a grid is refined, and the one with the smallest variance is returned. The relative
/// error of its distance from max J is about 1e-9. If min(1 − J) is below 1e-150, all thresholds
/// are equally good, and the one 1e-150 below max J is returned.
///
/// # Errors
/// Returns [`Problem::ThresholdNotReached`](crate::Problem::ThresholdNotReached) if the spreads are
/// so unequal that the region around max J is a single point up to rounding.
pub fn optimal_region(separation: &Separation, alpha: f64) -> Result<Region, Error> {
    let region = |ln_depth: f64| separation.region(separation.below_max(ln_depth.exp()));
    if separation.min_miss() < PERFECT_MISS {
        return region(PERFECT_MISS.ln());
    }
    let gradient = |ln_depth: f64| {
        region(ln_depth).map(|region| Integrals::new(separation, &region).variance_gradient(separation, &region, alpha))
    };
    // Widening R lowers the variance near max J and raises it near p = 0.
    let deepest = (0.999 * separation.max_j()).ln();
    let mut start = (1e-3 * separation.max_j().min(separation.min_miss())).ln();
    let mut current = gradient(start)?;
    while current.0 >= 0.0
        && let Ok(above) = gradient(start - DEPTH_RATIO.ln())
    {
        (start, current) = (start - DEPTH_RATIO.ln(), above);
    }
    let mut best = (start, current.1);
    let mut ln_depth = start;
    while ln_depth < deepest {
        let next_depth = (ln_depth + DEPTH_RATIO.ln()).min(deepest);
        let next = gradient(next_depth)?;
        let candidate = if current.0 < 0.0 && next.0 >= 0.0 {
            let slope = |ln_depth: f64| gradient(ln_depth).map_or(f64::NAN, |(slope, _)| slope);
            let optimum = root::solve_bracketed(slope, (ln_depth, current.0), (next_depth, next.0));
            (optimum, gradient(optimum)?.1)
        } else {
            (next_depth, next.1)
        };
        if candidate.1 < best.1 {
            best = candidate;
        }
        (ln_depth, current) = (next_depth, next);
    }
    region(best.0)
}
