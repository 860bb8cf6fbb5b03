//! Strictly increasing maps of the score. Prevalence does not change under them; families fit better.
//!
//! * `logit`: ln(s/(1−s)), for scores that are probabilities.
//! * `rank`: the normal quantiles of the class-balanced labelled distribution ½F̂⁺ + ½F̂⁻, which tames heavy tails. The
//!   map
//!   is a monotone cubic (Fritsch and Carlson 1980) through about forty quantiles and bends from a line into a logarithm beyond
//!   them, so that an outlier stays one but no longer rules the fit.

use crate::choice::choice;
use crate::distribution::logit;
use crate::numeric::gauss;
use crate::{Error, LabelledScores, PerClass};
use serde::{Deserialize, Serialize};

/// What to do to the scores before a family is fitted to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Transform {
    /// Nothing.
    #[default]
    None,
    /// ln(s/(1−s)); scores must lie strictly between 0 and 1.
    Logit,
    /// Normal quantiles of the class-balanced labelled distribution.
    Rank,
}

impl Transform {
    /// Every transform: name, transform, what it does.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("none", Self::None, "the scores as they are"),
        ("logit", Self::Logit, "ln(s/(1-s)), for scores that are probabilities"),
        ("rank", Self::Rank, "normal quantiles of the labelled scores, which tames heavy tails"),
    ];

    /// The labelled scores on the scale where families are fitted to them.
    ///
    /// # Errors
    /// [`Error::OutsideUnitInterval`] for a logit of what is not strictly between 0 and 1; [`Error::NoRanks`] when the
    /// scores are all but equal.
    pub fn labelled(self, train: &LabelledScores) -> Result<PerClass<Vec<f64>>, Error> {
        let scale = Scale::fit(self, train)?;
        Ok(train.scores().map(|scores| scores.iter().map(|s| scale.apply(*s)).collect()))
    }
}

choice!(Transform, "transform");

/// What needs scores strictly between 0 and 1.
pub(crate) const LOGIT: &str = "the logit transform";

/// Quantiles the rank map passes through, when there are scores enough.
const KNOTS: usize = 40;

/// Labelled scores per quantile, at least.
const SCORES_PER_KNOT: usize = 4;

/// How far beyond the last quantile, in standard deviations of the normal, the line has become a logarithm.
const TAIL: f64 = 1.0;

/// A transform after seeing the labelled scores.
#[derive(Clone, Debug)]
pub(crate) enum Scale {
    Identity,
    Logit,
    Rank(Vec<Knot>),
}

/// A point of the rank map and its slope there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    x: f64,
    y: f64,
    slope: f64,
}

impl Scale {
    pub(crate) fn fit(transform: Transform, train: &LabelledScores) -> Result<Self, Error> {
        match transform {
            Transform::None => Ok(Self::Identity),
            Transform::Logit => {
                train.scores().try_map(|_, scores| Error::unless_in_unit_interval(scores, LOGIT))?;
                Ok(Self::Logit)
            }
            Transform::Rank => rank(train).map(Self::Rank),
        }
    }

    /// The scores where the map is not smooth, ascending.
    pub(crate) fn knots(&self) -> Vec<f64> {
        match self {
            Self::Identity | Self::Logit => Vec::new(),
            Self::Rank(knots) => knots.iter().map(|knot| knot.x).collect(),
        }
    }

    pub(crate) fn apply(&self, score: f64) -> f64 {
        match self {
            Self::Identity => score,
            Self::Logit => logit(score),
            Self::Rank(knots) => interpolate(knots, score),
        }
    }
}

/// The knots: quantiles of ½F̂⁺ + ½F̂⁻ at (k+½)/K and the normal quantiles they go to.
fn rank(train: &LabelledScores) -> Result<Vec<Knot>, Error> {
    let half = |scores: &[f64]| 0.5 / scores.len() as f64;
    let weigh = |scores: &[f64]| scores.iter().map(|s| (*s, half(scores))).collect::<Vec<_>>();
    let mut weighted = [weigh(train.positive()), weigh(train.negative())].concat();
    weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = KNOTS.min(weighted.len() / SCORES_PER_KNOT).max(2);
    let mut points: Vec<(f64, f64, u32)> = Vec::with_capacity(count);
    let (mut below, mut rest) = (0.0, weighted.iter());
    let mut here = rest.next();
    for k in 0..count {
        let p = (k as f64 + 0.5) / count as f64;
        // The score whose middle, in the cumulated weights, is the first at or above p.
        while let Some((_, weight)) = here
            && below + 0.5 * weight < p
            && rest.len() > 0
        {
            below += weight;
            here = rest.next();
        }
        let x = here.map_or(f64::NAN, |(x, _)| *x);
        match points.last_mut() {
            // Tied scores: one knot at the mean of what they should go to.
            Some(last) if last.0 == x => {
                last.1 += gauss::quantile(p);
                last.2 += 1;
            }
            _ => points.push((x, gauss::quantile(p), 1)),
        }
    }
    let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y, n)| (x, y / f64::from(n))).collect();
    if points.len() < 2 {
        return Err(Error::NoRanks { distinct: points.len() });
    }
    Ok(with_slopes(&points))
}

/// Fritsch and Carlson's slopes in the form of Fritsch and Butland (1984): harmonic means of neighbouring secants, so
/// that the interpolant is monotone; at the ends the secant itself, which the line beyond goes on with.
fn with_slopes(points: &[(f64, f64)]) -> Vec<Knot> {
    let secants: Vec<(f64, f64)> =
        points.windows(2).map(|w| (w[1].0 - w[0].0, (w[1].1 - w[0].1) / (w[1].0 - w[0].0))).collect();
    let slope = |i: usize| {
        if i == 0 {
            return secants[0].1;
        }
        let Some(&(right, after)) = secants.get(i) else { return secants[i - 1].1 };
        let (left, before) = secants[i - 1];
        let (a, b) = (2.0 * right + left, right + 2.0 * left);
        (a + b) / (a / before + b / after)
    };
    points.iter().enumerate().map(|(i, &(x, y))| Knot { x, y, slope: slope(i) }).collect()
}

fn interpolate(knots: &[Knot], x: f64) -> f64 {
    let after = knots.partition_point(|knot| knot.x <= x);
    // A line at first, a logarithm far out; the slope is continuous and never 0.
    let beyond = |knot: &Knot| {
        let steps = knot.slope * (x - knot.x);
        knot.y + (TAIL * (steps.abs().min(f64::MAX) / TAIL).ln_1p()).copysign(steps)
    };
    if after == 0 {
        return beyond(&knots[0]);
    }
    let left = &knots[after - 1];
    let Some(right) = knots.get(after) else { return beyond(left) };
    let width = right.x - left.x;
    let t = (x - left.x) / width;
    // Cubic Hermite: y + t (w m₀ + t (3Δ − 2w m₀ − w m₁ + t (w m₀ + w m₁ − 2Δ))).
    let (rise, from, to) = (right.y - left.y, width * left.slope, width * right.slope);
    left.y + t * (from + t * (3.0 * rise - 2.0 * from - to + t * (from + to - 2.0 * rise)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn labelled() -> LabelledScores {
        // Quantiles of two Cauchy distributions: as heavy as tails get.
        let of = |shift: f64| (0..200).map(move |k| shift + (PI * ((f64::from(k) + 0.5) / 200.0 - 0.5)).tan());
        let scores: Vec<f64> = of(1.0).chain(of(0.0)).collect();
        let labels: Vec<bool> = (0..400).map(|i| i < 200).collect();
        LabelledScores::new(&scores, &labels).unwrap()
    }

    #[test]
    fn rank_map_is_smooth_and_strictly_increasing() {
        let scale = Scale::fit(Transform::Rank, &labelled()).unwrap();
        let Scale::Rank(knots) = &scale else { panic!() };
        assert_eq!(knots.len(), KNOTS);
        let at = |k: i32| scale.apply(f64::from(k) * 0.01);
        for k in -9000..9000 {
            assert!(at(k) < at(k + 1), "at {k}");
        }
        for knot in knots {
            let h = 1e-5;
            let (left, right) = (scale.apply(knot.x - h), scale.apply(knot.x + h));
            assert!(((knot.y - left) / h - (right - knot.y) / h).abs() < 1e-2 * knot.slope);
        }
    }

    #[test]
    fn rank_map_makes_the_balanced_scores_normal() {
        let train = labelled();
        let scale = Scale::fit(Transform::Rank, &train).unwrap();
        // KS distance between the mapped scores and the standard normal: below half the spacing of the knots.
        let mut mapped: Vec<f64> = train.positive().iter().chain(train.negative()).map(|s| scale.apply(*s)).collect();
        mapped.sort_by(f64::total_cmp);
        let n = mapped.len() as f64;
        let distance = mapped.iter().enumerate().map(|(i, z)| (gauss::tails(*z).0 - (i as f64 + 0.5) / n).abs());
        assert!(distance.fold(0.0, f64::max) < 0.5 / KNOTS as f64);
    }

    #[test]
    fn outliers_stay_near() {
        let scale = Scale::fit(Transform::Rank, &labelled()).unwrap();
        assert!(scale.apply(1e9) < 25.0 && scale.apply(-1e9) > -25.0);
        assert!(scale.apply(f64::MAX).is_finite() && scale.apply(f64::MAX) > scale.apply(1e300));
    }

    #[test]
    fn logit_is_exact_and_refuses_others() {
        assert!((Scale::Logit.apply(0.75) - 3f64.ln()).abs() < 1e-15);
        assert!((Scale::Logit.apply(1e-300) + 300.0 * std::f64::consts::LN_10).abs() < 1e-12);
        assert!(matches!(Scale::fit(Transform::Logit, &labelled()), Err(Error::OutsideUnitInterval { .. })));
    }

    #[test]
    fn ties_share_a_knot() {
        let scores = [vec![1.0; 30], vec![0.0; 30]].concat();
        let labels: Vec<bool> = (0..60).map(|i| i < 30).collect();
        let scale = Scale::fit(Transform::Rank, &LabelledScores::new(&scores, &labels).unwrap()).unwrap();
        assert!(scale.apply(0.0) < -0.5 && scale.apply(1.0) > 0.5);
        let same = LabelledScores::new(&[1.0; 8], &[true, true, true, true, false, false, false, false]).unwrap();
        assert!(matches!(Scale::fit(Transform::Rank, &same), Err(Error::NoRanks { distinct: 1 })));
    }
}
