//! The influence function g(s) = (1/|R|) ∫_{R ∩ (−∞, s]} du/J(u) as one polynomial ramp, or a few.
//!
//! Continuous Sweep is the mean of g over the test scores, minus c. 1/(|R| J) is interpolated at Chebyshev points and
//! integrated term by term: over the whole of R at once if that is accurate enough, else between the same breaks as the
//! quadrature of [`Integrals`]. The result is checked against that quadrature, which has other nodes and another
//! method; where it misses the tolerance, the parts are halved.

use super::integrals::breaks_between;
use super::{Integrals, Region, Separation};
use crate::numeric::polynomial::{self, Ramp};

/// The difference from the exact integral that is aimed at, relative to the larger of 1 and g(∞).
const TOLERANCE: f64 = 1e-12;

/// Chebyshev points for a single ramp over all of R, and for each of several ramps.
const WHOLE: usize = 40;
const PART: usize = 20;

/// The number of pieces between two breaks, from one attempt to the next.
const PIECES: [u32; 3] = [1, 2, 4];

pub(crate) fn build(separation: &Separation, region: &Region, integrals: &Integrals) -> Vec<Ramp> {
    let tolerance = tolerance(separation, integrals);
    let builder = Builder { separation, width: region.width(), negligible: 1e-3 * tolerance };
    let close = |ramps: &[Ramp]| is_close(ramps, integrals, tolerance);
    if let &[[left, right]] = region.intervals() {
        let whole = vec![builder.ramp(left, right, WHOLE)];
        if close(&whole) {
            return whole;
        }
    }
    let mut ramps = Vec::new();
    for pieces in PIECES {
        ramps = builder.parts(region, pieces);
        if close(&ramps) {
            break;
        }
    }
    ramps
}

/// The difference aimed at, or the effect of rounding if that is larger.
fn tolerance(separation: &Separation, integrals: &Integrals) -> f64 {
    (TOLERANCE * integrals.max_influence().max(1.0)).max(16.0 * f64::EPSILON * integrals.sensitivity(separation))
}

/// Whether the sum of the ramps agrees with g at the nodes. Ramps and nodes both ascend, so one walk along both
/// suffices: there can be thousands of either.
fn is_close(ramps: &[Ramp], integrals: &Integrals, tolerance: f64) -> bool {
    let (mut passed, mut next) = (0.0, 0);
    integrals.influence_at_nodes().all(|(x, g)| {
        while let Some(ramp) = ramps.get(next)
            && x >= ramp.right()
        {
            passed += ramp.value(x);
            next += 1;
        }
        let value = passed + ramps.get(next).map_or(0.0, |ramp| ramp.value(x));
        (value - g).abs() <= tolerance
    })
}

struct Builder<'a> {
    separation: &'a Separation,
    width: f64,
    /// Coefficients are dropped if together they stay below this.
    negligible: f64,
}

impl Builder<'_> {
    /// ∫ 1/(|R| J) from the left edge on, from n Chebyshev points.
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

    /// Ramps side by side, `pieces` between two breaks.
    fn parts(&self, region: &Region, pieces: u32) -> Vec<Ramp> {
        let mut ramps = Vec::new();
        for &[left, right] in region.intervals() {
            let mut from = left;
            for to in breaks_between(self.separation, region.threshold(), [left, right]) {
                let edge =
                    |k: u32| if k == pieces { to } else { from + (to - from) * f64::from(k) / f64::from(pieces) };
                ramps.extend((0..pieces).map(|k| self.ramp(edge(k), edge(k + 1), PART)));
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
    fn agrees_with_the_quadrature_everywhere() {
        let normal = |mean, sd| ScoreDistribution::Normal(Normal::new(mean, sd).unwrap());
        for apart in [1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 40.0, 1e4] {
            for sd in [1e-4, 0.01, 0.3, 1.0, 2.5, 100.0, 3e3] {
                let separation = Separation::new(normal(apart, sd), normal(0.0, 1.0)).unwrap();
                let shares = [0.01, 0.03, 0.25, 0.5, 0.9, 0.99];
                let fixed = shares.map(|s| separation.below_max((1.0 - s) * separation.max_j()));
                let optimal = optimal_region(&separation, 0.5).unwrap();
                for region in fixed.map(|p| separation.region(p).unwrap()).into_iter().chain([optimal]) {
                    let p = region.threshold();
                    let integrals = Integrals::new(&separation, &region);
                    let g = build(&separation, &region, &integrals);
                    let largest = integrals.max_influence();
                    let tolerance = tolerance(&separation, &integrals);
                    let worst = integrals
                        .influence_at_nodes()
                        .map(|(x, exact)| (polynomial::sum_of_ramps(&g, x) - exact).abs());
                    let worst = worst.fold(0.0, f64::max);
                    let what = format!("{apart} apart, sd {sd}, threshold {p:?}, {} ramps", g.len());
                    assert!(worst <= tolerance, "{what}: off by {worst:e} of {largest}");
                    assert!(g.len() < 100, "{what}");
                }
            }
        }
    }
}
