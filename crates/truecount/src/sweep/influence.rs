//! The influence function g(s) = (1/|R|) ∫_{R ∩ (−∞, s]} du/J(u) as one polynomial, or a few panels.
//!
//! Continuous Sweep is the mean of g over the test scores, minus c. 1/(|R| J) is interpolated at Chebyshev points
//! and integrated term by term. The result is checked against the quadrature of [`Integrals`], which shares neither
//! nodes nor method with it; where one polynomial misses the tolerance, R is halved until every panel meets it.

use super::{Integrals, Region, Separation};
use crate::numeric::chebyshev;
use crate::numeric::piecewise::Piecewise;

/// Largest difference from the exact integral, relative to the larger of 1 and g(∞).
const TOLERANCE: f64 = 1e-12;

/// Chebyshev points for one polynomial over the whole of R, and for one of several panels.
const WHOLE: usize = 40;
const PANEL: usize = 20;

/// Halvings before a panel is accepted as it is: its width is then below the rounding of the scores.
const DEPTH: u32 = 48;

pub(crate) fn build(separation: &Separation, region: &Region, integrals: &Integrals) -> Piecewise {
    let largest = integrals.max_influence();
    let tolerance = TOLERANCE * largest.max(1.0);
    let builder = Builder { separation, width: region.width(), tolerance: 0.01 * tolerance };
    if let &[[left, right]] = region.intervals()
        && let Some(series) = builder.converged(left, right, WHOLE)
    {
        let whole = Piecewise::new(&[(left, right, pinned(chebyshev::to_powers(&series), 0.0))]);
        if integrals.influence_at_nodes().all(|(x, g)| (whole.value(x) - g).abs() <= tolerance) {
            return whole;
        }
    }
    let mut panels = Vec::new();
    let mut level = 0.0;
    let mut end = f64::NAN;
    for &[left, right] in region.intervals() {
        if !panels.is_empty() {
            panels.push((end, left, vec![level]));
        }
        builder.panels(left, right, DEPTH, &mut level, &mut panels);
        end = right;
    }
    Piecewise::new(&panels)
}

struct Builder<'a> {
    separation: &'a Separation,
    width: f64,
    tolerance: f64,
}

impl Builder<'_> {
    /// The Chebyshev series of ∫ 1/(|R| J) from the left edge, cut where the rest no longer matters; none when n points
    /// do not resolve it.
    fn converged(&self, left: f64, right: f64, n: usize) -> Option<Vec<f64>> {
        let mut series = self.series(left, right, n);
        let tail: f64 = series[n - n / 8..].iter().map(|c| c.abs()).sum();
        if tail > self.tolerance {
            return None;
        }
        let mut dropped = 0.0;
        while let Some(last) = series.last()
            && dropped + last.abs() < 0.1 * self.tolerance
        {
            dropped += last.abs();
            series.pop();
        }
        Some(series)
    }

    fn series(&self, left: f64, right: f64, n: usize) -> Vec<f64> {
        let (middle, half) = (0.5 * (left + right), 0.5 * (right - left));
        chebyshev::integrate(&chebyshev::interpolate(n, |t| half / (self.width * self.separation.j(middle + half * t))))
    }

    fn panels(&self, left: f64, right: f64, depth: u32, level: &mut f64, panels: &mut Vec<(f64, f64, Vec<f64>)>) {
        let middle = 0.5 * (left + right);
        let series = self.converged(left, right, PANEL).or_else(|| {
            (depth == 0 || middle <= left || middle >= right).then(|| self.series(left, right, PANEL))
        });
        if let Some(series) = series {
            let powers = pinned(chebyshev::to_powers(&series), *level);
            *level = powers.iter().rev().fold(0.0, |sum, c| sum + c);
            panels.push((left, right, powers));
        } else {
            self.panels(left, middle, depth - 1, level, panels);
            self.panels(middle, right, depth - 1, level, panels);
        }
    }
}

/// The polynomial shifted to take exactly the given value at t = −1 (Horner's steps at ±1 have exact products, so this
/// holds with and without fused multiply-add): scores left of R then count exactly 0.
fn pinned(mut powers: Vec<f64>, level: f64) -> Vec<f64> {
    let rest = powers[1..].iter().rev().fold(0.0, |sum, c| c - sum);
    powers[0] = level + rest;
    powers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Normal, ScoreDistribution};
    use crate::sweep::{PDelta, optimal_threshold};

    #[test]
    fn agrees_with_the_quadrature_everywhere() {
        let normal = |mean, sd| ScoreDistribution::Normal(Normal::new(mean, sd).unwrap());
        for apart in [0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 40.0] {
            for sd in [0.01, 0.3, 1.0, 2.5, 100.0] {
                let separation = Separation::new(normal(apart, sd), normal(0.0, 1.0)).unwrap();
                let shares = [0.001, 0.03, 0.25, 0.5, 0.9, 0.99];
                let fixed = shares.map(|s| PDelta::new(s * separation.max_j()).unwrap());
                for p in fixed.into_iter().chain([optimal_threshold(&separation, 0.5).0]) {
                    let region = separation.region(p).unwrap();
                    let integrals = Integrals::new(&separation, &region);
                    let g = build(&separation, &region, &integrals);
                    // J itself is good to a few units of rounding, absolutely, and 1/J accordingly.
                    let largest = integrals.max_influence();
                    let tolerance = TOLERANCE.max(16.0 * f64::EPSILON / p.value()) * largest.max(1.0);
                    let worst = integrals.influence_at_nodes().map(|(x, exact)| (g.value(x) - exact).abs());
                    let worst = worst.fold(0.0, f64::max);
                    let what = format!("{apart} apart, sd {sd}, threshold {p:?}, {} panels", g.panels());
                    assert!(worst <= tolerance, "{what}: off by {worst:e} of {largest}");
                    assert!(g.panels() < 100, "{what}");
                }
            }
        }
    }
}
