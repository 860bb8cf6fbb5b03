//! Transforms of the score: strictly increasing maps that leave the prevalence unchanged and help
//! families fit.
//!
//! * `logit`: ln(s/(1−s)), for scores that are probabilities.
//! * `rank`: the normal quantiles of the class-balanced labelled distribution ½F̂⁺ + ½F̂⁻, which
//!   tames heavy tails. The map is a monotone cubic (Fritsch and Carlson 1980) through about forty
//!   quantiles. Beyond them it bends from a line into a logarithm, so that an outlier remains an
//!   outlier but no longer dominates the fit.

use crate::choice::choice;
use crate::distribution::logit;
use crate::numeric::gauss;
use crate::{Error, LabelledScores, PerClass, Problem};
use serde::{Deserialize, Serialize};

/// A transform applied to the scores before a family is fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Transform {
    /// No transform.
    #[default]
    None,
    /// Log odds ln(s/(1−s)); scores must lie strictly between 0 and 1.
    Logit,
    /// Normal quantiles of the class-balanced labelled distribution.
    Rank,
}

impl Transform {
    /// All transforms: name, transform, summary.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("none", Self::None, "no transform"),
        ("logit", Self::Logit, "ln(s/(1-s)), for scores that are probabilities"),
        ("rank", Self::Rank, "normal quantiles of the labelled scores, which tames heavy tails"),
    ];

    /// Fits the transform to the labelled scores and returns the transformed labelled scores.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreOutsideUnitInterval`] if the transform is the logit and a score is not
    /// strictly between 0 and 1, and [`Problem::TooFewValuesForRanks`] if the transform is the rank map and the
    /// scores have fewer than two distinct quantiles.
    pub fn apply_to_labelled(self, train: &LabelledScores) -> Result<PerClass<Vec<f64>>, Error> {
        let scale = FittedTransform::fit(self, train)?;
        Ok(train.scores().map(|scores| scores.iter().map(|s| scale.apply(*s)).collect()))
    }
}

choice!(Transform, "transform");

/// The name of the logit transform in error messages.
pub(crate) const LOGIT_NAME: &str = "the logit transform";

/// The number of quantiles that the rank map passes through, if there are enough scores.
const KNOTS: usize = 40;

/// The minimum number of labelled scores per quantile.
const SCORES_PER_KNOT: usize = 4;

/// The distance from the last quantile, in standard deviations of the normal, at which the line has
/// become a logarithm.
const TAIL_SCALE: f64 = 1.0;

#[derive(Clone, Debug)]
pub(crate) enum FittedTransform {
    Identity,
    Logit,
    Rank(RankMap),
}

/// The rank map; its knots are scores divided by `unit`, a power of two.
#[derive(Clone, Debug)]
pub(crate) struct RankMap {
    unit: f64,
    knots: Vec<Knot>,
}

/// A point of the rank map and the slope there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    x: f64,
    y: f64,
    slope: f64,
}

impl FittedTransform {
    /// Fits a transform to the labelled scores.
    ///
    /// # Errors
    /// Returns an error if the transform is the logit and a score is not strictly between 0 and 1,
    /// or if it is the rank map and the scores have fewer than two distinct quantiles.
    pub(crate) fn fit(transform: Transform, train: &LabelledScores) -> Result<Self, Error> {
        match transform {
            Transform::None => Ok(Self::Identity),
            Transform::Logit => {
                train.scores().try_map(|_, scores| Error::unless_in_unit_interval(scores, LOGIT_NAME))?;
                Ok(Self::Logit)
            }
            Transform::Rank => fit_rank_map(train).map(Self::Rank),
        }
    }

    pub(crate) fn apply(&self, score: f64) -> f64 {
        match self {
            Self::Identity => score,
            Self::Logit => logit(score),
            Self::Rank(ranks) => ranks.apply(score),
        }
    }
}

/// Fits the rank map, whose knots are the quantiles of ½F̂⁺ + ½F̂⁻ at (k+½)/K and their normal
/// quantiles.
fn fit_rank_map(train: &LabelledScores) -> Result<RankMap, Error> {
    // In units of the largest score, neither differences nor slopes overflow.
    let unit = train.scores().power_of_two();
    // Weights that balance the classes, in whole numbers: whether a quantile falls between two
    // scores must depend neither on rounding nor on the end from which the weights are summed.
    let n = train.scores().sizes();
    let weigh = |scores: &[f64], weight: u64| scores.iter().map(|s| (s / unit, u128::from(weight))).collect::<Vec<_>>();
    let mut weighted = [weigh(train.positive(), n.negative), weigh(train.negative(), n.positive)].concat();
    weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: u128 = weighted.iter().map(|(_, weight)| weight).sum();
    let count = KNOTS.min(weighted.len() / SCORES_PER_KNOT).max(2);
    let mut points: Vec<(f64, f64, u32)> = Vec::with_capacity(count);
    let (mut index, mut above) = (0, weighted[0].1);
    for (k, y) in gauss::normal_scores(count).into_iter().enumerate() {
        // The score at the quantile, or the midpoint if the quantile falls between two scores; all
        // weights times 2K.
        let (p, scale) = ((2 * k + 1) as u128 * total, 2 * count as u128);
        while above * scale < p {
            index += 1;
            above += weighted[index].1;
        }
        let x = match weighted.get(index + 1) {
            Some((next, _)) if above * scale == p => 0.5 * weighted[index].0 + 0.5 * next,
            _ => weighted[index].0,
        };
        match points.last_mut() {
            // Tied scores share a knot at the mean of their normal quantiles.
            Some(last) if last.0 == x => {
                last.1 += y;
                last.2 += 1;
            }
            _ => points.push((x, y, 1)),
        }
    }
    let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y, n)| (x, y / f64::from(n))).collect();
    if points.len() < 2 {
        return Err(Problem::TooFewValuesForRanks { distinct: points.len() }.into());
    }
    Ok(RankMap { unit, knots: knots_with_slopes(&points) })
}

/// Adds the slopes of a monotone cubic to the points (Fritsch and Carlson 1980, in the form of
/// Fritsch and Butland 1984).
///
/// The slopes are harmonic means of neighbouring secants, so that the interpolant is monotone. At
/// both ends the slope is the secant's, with which the line beyond the end continues.
fn knots_with_slopes(points: &[(f64, f64)]) -> Vec<Knot> {
    let widths: Vec<f64> = points.windows(2).map(|w| w[1].0 - w[0].0).collect();
    let rises: Vec<f64> = points.windows(2).map(|w| w[1].1 - w[0].1).collect();
    let secant = |i: usize| rises[i] / widths[i];
    let slope = |i: usize| {
        if i == 0 {
            return secant(0);
        }
        if i == widths.len() {
            return secant(i - 1);
        }
        let (left, right) = (widths[i - 1], widths[i]);
        // Weights 2·right + left and right + 2·left, divided by their sum, without a product of two
        // widths, which may underflow.
        let (a, b) = ((1.0 + right / (left + right)) / 3.0, (1.0 + left / (left + right)) / 3.0);
        (a * (left / rises[i - 1]) + b * (right / rises[i])).recip()
    };
    points.iter().enumerate().map(|(i, &(x, y))| Knot { x, y, slope: slope(i) }).collect()
}

impl RankMap {
    fn apply(&self, score: f64) -> f64 {
        let (knots, x) = (&self.knots, score / self.unit);
        let after = knots.partition_point(|knot| knot.x <= x);
        // A line near the knot, a logarithm far out; the slope is continuous and never 0.
        let beyond = |knot: &Knot| {
            let steps = knot.slope * (x - knot.x);
            knot.y + (TAIL_SCALE * (steps.abs().min(f64::MAX) / TAIL_SCALE).ln_1p()).copysign(steps)
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn labelled() -> LabelledScores {
        // Quantiles of two Cauchy distributions, for very heavy tails.
        let quantiles = |shift: f64| (0..200).map(move |k| shift + (PI * ((f64::from(k) + 0.5) / 200.0 - 0.5)).tan());
        let scores: Vec<f64> = quantiles(1.0).chain(quantiles(0.0)).collect();
        let labels: Vec<bool> = (0..400).map(|i| i < 200).collect();
        LabelledScores::new(&scores, &labels).unwrap()
    }

    #[test]
    fn rank_map_is_smooth_and_strictly_increasing() {
        let scale = FittedTransform::fit(Transform::Rank, &labelled()).unwrap();
        let FittedTransform::Rank(RankMap { knots, unit }) = &scale else { panic!() };
        assert_eq!(knots.len(), KNOTS);
        let at = |k: i32| scale.apply(f64::from(k) * 0.01);
        for k in -9000..9000 {
            assert!(at(k) < at(k + 1), "at {k}");
        }
        for knot in knots {
            let h = 1e-5;
            let (left, right) = (scale.apply(knot.x * unit - h), scale.apply(knot.x * unit + h));
            assert!(((knot.y - left) / h - (right - knot.y) / h).abs() < 1e-2 * knot.slope / unit);
        }
    }

    #[test]
    fn rank_map_makes_the_balanced_scores_normal() {
        let train = labelled();
        let scale = FittedTransform::fit(Transform::Rank, &train).unwrap();
        // KS distance between the mapped scores and the standard normal: below half the spacing of
        // the knots.
        let mut mapped: Vec<f64> = train.positive().iter().chain(train.negative()).map(|s| scale.apply(*s)).collect();
        mapped.sort_unstable_by(f64::total_cmp);
        let n = mapped.len() as f64;
        let distance = mapped.iter().enumerate().map(|(i, z)| (gauss::tails(*z).0 - (i as f64 + 0.5) / n).abs());
        assert!(distance.fold(0.0, f64::max) < 0.5 / KNOTS as f64);
    }

    #[test]
    fn outliers_stay_near() {
        let scale = FittedTransform::fit(Transform::Rank, &labelled()).unwrap();
        assert!(scale.apply(1e9) < 25.0 && scale.apply(-1e9) > -25.0);
        assert!(scale.apply(f64::MAX).is_finite() && scale.apply(f64::MAX) > scale.apply(1e300));
    }

    #[test]
    fn logit_is_exact_and_needs_probabilities() {
        assert!((FittedTransform::Logit.apply(0.75) - 3f64.ln()).abs() < 1e-15);
        assert!((FittedTransform::Logit.apply(1e-300) + 300.0 * std::f64::consts::LN_10).abs() < 1e-12);
        assert_eq!(
            FittedTransform::fit(Transform::Logit, &labelled()).unwrap_err().code(),
            "score-outside-unit-interval"
        );
    }

    #[test]
    fn ties_share_a_knot() {
        let scores = [vec![1.0; 30], vec![0.0; 30]].concat();
        let labels: Vec<bool> = (0..60).map(|i| i < 30).collect();
        let scale = FittedTransform::fit(Transform::Rank, &LabelledScores::new(&scores, &labels).unwrap()).unwrap();
        assert!(scale.apply(0.0) < -0.5 && scale.apply(1.0) > 0.5);
        let same = LabelledScores::new(&[1.0; 8], &[true, true, true, true, false, false, false, false]).unwrap();
        assert!(matches!(
            FittedTransform::fit(Transform::Rank, &same).unwrap_err().problem(),
            Some(Problem::TooFewValuesForRanks { distinct: 1 })
        ));
    }
}
