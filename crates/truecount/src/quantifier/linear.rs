//! Quantifiers that are the mean of one influence function: the counts, the means of posterior
//! probabilities and of scores, and Continuous Sweep.

use super::anchored::LinearEstimator;
use super::anchored_mean::InfluenceMean;
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::inference::Warning;
use crate::sweep::ClassMoments;
use crate::tally::{FunctionMoments, InfluenceFunction, MethodTally, SampleStatistics};
use crate::{Error, PerClass};
use std::slice;

/// A fitted linear quantifier.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    mean: InfluenceMean,
}

impl Linear {
    pub(super) fn new(influence: InfluenceFunction, estimator: LinearEstimator) -> Self {
        Self { mean: InfluenceMean::new(0.5, influence, estimator) }
    }

    /// Returns g(s). For the sweeps g is non-decreasing and 0 for small scores.
    pub(super) fn influence(&self, score: f64) -> f64 {
        self.mean.influence().value(score)
    }

    /// Returns the mean and the variance of g in both classes.
    pub(super) fn moments(&self) -> &PerClass<ClassMoments> {
        self.mean.estimator().moments()
    }

    /// Returns the warnings about test scores with these statistics.
    fn warnings(&self, statistics: &SampleStatistics) -> Vec<Warning> {
        let SampleStatistics { total: n, sum, sum_squares: squares, .. } = *statistics;
        let influence = self.mean.influence();
        match influence {
            InfluenceFunction::Step { .. } => Vec::new(),
            // Σ g (g(∞) − g) is 0 only if every score lies beyond an end of R.
            InfluenceFunction::Smooth(_)
                if influence.value_at_infinity() * sum - squares
                    <= 1e-12 * n * influence.value_at_infinity().powi(2) =>
            {
                vec![Warning::NoneInRegion]
            }
            // The tolerance is the rounding error of a block of 32, as scores of one class can be
            // almost equal.
            _ if squares - sum * sum / n <= 64.0 * f64::EPSILON * squares => vec![Warning::NoSpread],
            _ => Vec::new(),
        }
    }
}

impl Quantify for Linear {
    fn empty_state(&self) -> MethodTally {
        MethodTally::Moments(FunctionMoments::default())
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        let MethodTally::Moments(moments) = state else { unreachable!("a tally of this quantifier") };
        self.mean.influence().update(moments, values)
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let statistics = state.statistics(0);
        let mut estimate = self.mean.estimator().estimate(&statistics);
        if state.n() > 1 {
            estimate.warnings = self.warnings(&statistics);
        }
        estimate
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let means = self.moments().map(|m| m.mean);
        match *self.mean.influence() {
            InfluenceFunction::Step { cut } => {
                vec![("cutoff", cut), ("true_positive_rate", means.positive), ("false_positive_rate", means.negative)]
            }
            InfluenceFunction::Line { origin, unit } => {
                vec![
                    ("mean_positive", origin + unit * means.positive),
                    ("mean_negative", origin + unit * means.negative),
                ]
            }
            // EDy: a₊ − a₋ is the energy distance of the classes.
            InfluenceFunction::Lines { ref edges, .. } => {
                vec![("energy_distance", means.positive - means.negative), ("knots", edges.len() as f64)]
            }
            InfluenceFunction::Smooth(_) | InfluenceFunction::MixtureScore { .. } | InfluenceFunction::Steps { .. } => {
                vec![("mean_positive", means.positive), ("mean_negative", means.negative)]
            }
        }
    }

    fn anchored_means(&self) -> &[InfluenceMean] {
        slice::from_ref(&self.mean)
    }

    /// Returns the difference of the class means of g, if they come from the labelled scores.
    fn class_difference(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.mean.estimator().class_difference()
    }

    fn fit_warnings(&self) -> Vec<Warning> {
        let means = self.moments().map(|m| m.mean);
        let is_count = matches!(self.mean.influence(), InfluenceFunction::Step { .. });
        if is_count && means.positive <= means.negative { vec![Warning::UselessCutoff] } else { Vec::new() }
    }
}
