//! Standard error and interval from bootstrap replicates of an estimate.
//!
//! Resampling the test scores imitates drawing them from their population, so the replicates' variance V* is that of
//! `Target::Population`. The prevalence of these very scores does not vary: for it the deviations of the replicates are
//! scaled by √((V* − D)/V*), with D the variance of the share of positives in a sample, α(1−α)/n. V* − D is taken for no less
//! than V* √(2/B), the Monte Carlo error of V* from B replicates.

use super::{Reporting, Target, Uncertainty, Warning};
use crate::numeric::sum::Sum;

/// Share of lost replicates above which the others tell too little.
const MOST_LOST: f64 = 0.1;

/// What replicates say of an estimate from n test scores, a replicate that allowed no estimate being none; and a warning
/// if there are such. `drawing` is D.
pub(crate) fn by_resampling(
    raw: f64,
    n: f64,
    replicates: &[Option<f64>],
    drawing: f64,
    reporting: &Reporting,
) -> (Option<Uncertainty>, Option<Warning>) {
    let found: Vec<f64> = replicates.iter().flatten().copied().collect();
    let (lost, of) = (replicates.len() - found.len(), replicates.len());
    let withheld = found.len() < 2 || lost as f64 > MOST_LOST * of as f64;
    let warning = (lost > 0).then_some(Warning::LostReplicates { lost, of, withheld });
    if withheld {
        return (None, warning);
    }
    let b = found.len() as f64;
    let mean = found.iter().copied().collect::<Sum>().value() / b;
    let population = found.iter().map(|x| (x - mean).powi(2)).collect::<Sum>().value() / (b - 1.0);
    let variance = match reporting.target() {
        Target::Population => population,
        Target::Sample => (population - drawing).max(population * (2.0 / b).sqrt()),
    };
    let scale = if population > 0.0 { (variance / population).sqrt() } else { 0.0 };
    let mut deviations: Vec<f64> = found.iter().map(|x| scale * (x - raw)).collect();
    deviations.sort_unstable_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - reporting.level());
    let ends = (raw + quantile(&deviations, tail), raw + quantile(&deviations, 1.0 - tail));
    (Some(Uncertainty::around(raw.clamp(0.0, 1.0), n, variance.sqrt(), ends)), warning)
}

/// The quantile of sorted values: the value at (m + 1) p of m, between two of them by proportion (Hyndman & Fan 1996, type 6).
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = ((sorted.len() as f64 + 1.0) * p - 1.0).clamp(0.0, last as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and the last
    let below = place as usize;
    sorted[below] + place.fract() * (sorted[last.min(below + 1)] - sorted[below])
}
