//! The influence function g(s) = (1/|R|) ∫_{R ∩ (−∞, s]} du/J(u) as a sum of polynomial ramps.
//!
//! Continuous Sweep is the mean of g over the test scores, minus c. 1/(|R| J) is interpolated at
//! Chebyshev points and integrated term by term. A single ramp covers R if it is accurate enough;
//! otherwise there is a ramp between any two breaks of the quadrature of [`Integrals`]. The ramps
//! are checked against this quadrature, which has other nodes and another method. If they miss the
//! tolerance, each ramp is halved.

use super::integrals::breaks_between;
use super::{Integrals, Region, Separation};
use crate::numeric::polynomial::{self, Ramp};

/// The target for the difference from the exact integral, relative to max(1, g(∞)).
const TOLERANCE: f64 = 1e-12;

/// The number of Chebyshev points for a single ramp over R.
const SINGLE_RAMP_POINTS: usize = 40;

/// The number of Chebyshev points for each of several ramps.
const RAMP_POINTS: usize = 20;

/// The number of ramps between two breaks in successive attempts.
const PIECES: [u32; 3] = [1, 2, 4];

/// Returns ramps whose sum is g, to the tolerance or to the accuracy of the last attempt.
pub(crate) fn influence_ramps(separation: &Separation, region: &Region, integrals: &Integrals) -> Vec<Ramp> {
    let tolerance = tolerance(separation, integrals);
    let builder = RampBuilder { separation, width: region.width(), negligible: 1e-3 * tolerance };
    let is_close = |ramps: &[Ramp]| agree_at_nodes(ramps, integrals, tolerance);
    if let &[[left, right]] = region.intervals() {
        let single = vec![builder.ramp(left, right, SINGLE_RAMP_POINTS)];
        if is_close(&single) {
            return single;
        }
    }
    let mut ramps = Vec::new();
    for pieces in PIECES {
        ramps = builder.ramps(region, pieces);
        if is_close(&ramps) {
            break;
        }
    }
    ramps
}

/// Returns the target for the difference from g, or the effect of rounding if that is larger.
fn tolerance(separation: &Separation, integrals: &Integrals) -> f64 {
    (TOLERANCE * integrals.max_influence().max(1.0)).max(16.0 * f64::EPSILON * integrals.condition_number(separation))
}

/// Returns whether the sum of the ramps agrees with g at the nodes.
///
/// Ramps and nodes are both ascending, and there may be thousands of them, so one loop runs along
/// both.
fn agree_at_nodes(ramps: &[Ramp], integrals: &Integrals, tolerance: f64) -> bool {
    // The sum of the ramps that end before x, and the next ramp.
    let (mut completed, mut next) = (0.0, 0);
    integrals.influence_at_nodes().all(|(x, g)| {
        while let Some(ramp) = ramps.get(next)
            && x >= ramp.right()
        {
            completed += ramp.value(x);
            next += 1;
        }
        let value = completed + ramps.get(next).map_or(0.0, |ramp| ramp.value(x));
        (value - g).abs() <= tolerance
    })
}

struct RampBuilder<'a> {
    separation: &'a Separation,
    width: f64,
    /// The bound on the sum of the coefficients that may be dropped.
    negligible: f64,
}

impl RampBuilder<'_> {
    /// Returns the integral of 1/(|R| J) from `left` on as a ramp, from n Chebyshev points.
    fn ramp(&self, left: f64, right: f64, n: usize) -> Ramp {
        let (middle, half) = (0.5 * (left + right), 0.5 * (right - left));
        let slope = |t: f64| half / (self.width * self.separation.j(middle + half * t));
        let mut series = polynomial::antiderivative(&polynomial::interpolate(n, slope));
        let mut dropped = 0.0;
        while series.len() > 2
            && let Some(last) = series.last()
            && dropped + last.abs() < self.negligible
        {
            dropped += last.abs();
            series.pop();
        }
        Ramp::new(left, right, polynomial::to_powers(&series))
    }

    /// Returns ramps over R, `pieces` of them between two breaks.
    fn ramps(&self, region: &Region, pieces: u32) -> Vec<Ramp> {
        let mut ramps = Vec::new();
        for &[left, right] in region.intervals() {
            let mut from = left;
            for to in breaks_between(self.separation, region.threshold(), [left, right]) {
                let edge =
                    |k: u32| if k == pieces { to } else { from + (to - from) * f64::from(k) / f64::from(pieces) };
                ramps.extend((0..pieces).map(|k| self.ramp(edge(k), edge(k + 1), RAMP_POINTS)));
                from = to;
            }
        }
        ramps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Normal, ScoreDistribution};
    use crate::numeric::polynomial;
    use crate::sweep::optimal_region;

    #[test]
    fn ramps_agree_with_the_quadrature() {
        let normal = |mean, sd| ScoreDistribution::Normal(Normal::new(mean, sd).unwrap());
        for distance in [1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 40.0, 1e4] {
            for sd in [1e-4, 0.01, 0.3, 1.0, 2.5, 100.0, 3e3] {
                let separation = Separation::new(normal(distance, sd), normal(0.0, 1.0)).unwrap();
                let shares = [0.01, 0.03, 0.25, 0.5, 0.9, 0.99];
                let fixed = shares.map(|s| separation.below_max((1.0 - s) * separation.max_j()));
                let optimal = optimal_region(&separation, 0.5).unwrap();
                for region in fixed.map(|p| separation.region(p).unwrap()).into_iter().chain([optimal]) {
                    let p = region.threshold();
                    let integrals = Integrals::new(&separation, &region);
                    let g = influence_ramps(&separation, &region, &integrals);
                    let largest = integrals.max_influence();
                    let tolerance = tolerance(&separation, &integrals);
                    let worst = integrals
                        .influence_at_nodes()
                        .map(|(x, exact)| (polynomial::sum_of_ramps(&g, x) - exact).abs());
                    let worst = worst.fold(0.0, f64::max);
                    let setting = format!("{distance} apart, sd {sd}, threshold {p:?}, {} ramps", g.len());
                    assert!(worst <= tolerance, "{setting}: off by {worst:e} of {largest}");
                    assert!(g.len() < 100, "{setting}");
                }
            }
        }
    }
}
