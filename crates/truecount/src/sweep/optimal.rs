//! The optimal threshold: the `p_Δ` in (0, max J) with the least variance (Kloos et al., §3.3).
//!
//! Found as the zero of dV/dp rather than by comparing values of V, which would give only half the digits. For well
//! separated classes it lies within 1e-6 of max J, so the search runs in the logarithm of max J − p.

use super::{Integrals, Region, Separation};
use crate::Error;
use crate::numeric::root;

/// With a miss below this, the classes are perfectly separated for every purpose, and products of tails underflow.
const PERFECT: f64 = 1e-150;

/// Ratio of two neighbouring depths below max J in the search for sign changes.
const STEP: f64 = 4.0;

/// The region of the threshold that minimises α Var₊(g) + (1−α) Var₋(g). The paper takes α = ½ if the prevalence is
/// unknown; it matters little.
///
/// Exact to about 1e-9 relative in max J − `p_Δ`, unless the least 1 − J is below 1e-150: any threshold will do then,
/// and one 1e-150 below max J is taken. Every sign change of dV/dp on a grid is refined, and the best one kept.
///
/// # Errors
/// [`Problem::ThresholdNotReached`](crate::Problem::ThresholdNotReached) where spreads are so unequal that no region around max J can be told from a point.
pub fn optimal_region(separation: &Separation, alpha: f64) -> Result<Region, Error> {
    let region = |ln_depth: f64| separation.region(separation.below_max(ln_depth.exp()));
    if separation.min_miss() < PERFECT {
        return region(PERFECT.ln());
    }
    let pull = |ln_depth: f64| {
        region(ln_depth).map(|region| Integrals::new(separation, &region).pull(separation, &region, alpha))
    };
    // Near max J widening R helps (pull below 0); near p = 0 it hurts.
    let deepest = (0.999 * separation.max_j()).ln();
    let mut start = (1e-3 * separation.max_j().min(separation.min_miss())).ln();
    let mut here = pull(start)?;
    while here.0 >= 0.0
        && let Ok(above) = pull(start - STEP.ln())
    {
        (start, here) = (start - STEP.ln(), above);
    }
    let mut best = (start, here.1);
    let mut ln_depth = start;
    while ln_depth < deepest {
        let next_depth = (ln_depth + STEP.ln()).min(deepest);
        let next = pull(next_depth)?;
        let candidate = if here.0 < 0.0 && next.0 >= 0.0 {
            let sign = |d: f64| pull(d).map_or(f64::NAN, |(pull, _)| pull);
            let optimum = root::solve_bracketed(sign, (ln_depth, here.0), (next_depth, next.0));
            (optimum, pull(optimum)?.1)
        } else {
            (next_depth, next.1)
        };
        if candidate.1 < best.1 {
            best = candidate;
        }
        (ln_depth, here) = (next_depth, next);
    }
    region(best.0)
}
