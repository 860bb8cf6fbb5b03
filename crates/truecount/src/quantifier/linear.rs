//! Every quantifier that is the mean of one influence function: the counts, the means of posterior probabilities and of scores,
//! and what Continuous Sweep tallies.

use super::anchored::LinearEstimator;
use super::anchored_mean::AnchoredMean;
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::inference::Warning;
use crate::sweep::ClassMoments;
use crate::tally::{FunctionMoments, InfluenceFunction, SampleStatistics, TallyState};
use crate::{Error, PerClass};
use std::slice;

/// A fitted linear quantifier.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    mean: AnchoredMean,
}

impl Linear {
    pub(super) fn new(influence: InfluenceFunction, anchored: LinearEstimator) -> Self {
        Self { mean: AnchoredMean::new(0.5, influence, anchored) }
    }

    /// The value a score adds: g(s). For the sweeps 0 on the far left and non-decreasing.
    pub(super) fn influence(&self, score: f64) -> f64 {
        self.mean.influence().value(score)
    }

    /// Mean and variance of g in both classes.
    pub(super) fn moments(&self) -> &PerClass<ClassMoments> {
        self.mean.anchored().moments()
    }

    fn warnings(&self, sampled: &SampleStatistics) -> Vec<Warning> {
        let SampleStatistics { total: n, sum, sum_squares: squares, .. } = *sampled;
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
            // No more than the rounding of a block of 32: scores of one class may well be all but equal here.
            _ if squares - sum * sum / n <= 64.0 * f64::EPSILON * squares => vec![Warning::NoSpread],
            _ => Vec::new(),
        }
    }
}

impl Quantify for Linear {
    fn empty(&self) -> TallyState {
        TallyState::Moments(FunctionMoments::default())
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        let TallyState::Moments(moments) = state else { unreachable!("a tally of this quantifier") };
        self.mean.influence().update(moments, values)
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let sampled = state.statistics(0);
        let mut finding = self.mean.anchored().finding(&sampled);
        if state.n() > 1 {
            finding.warnings = self.warnings(&sampled);
        }
        finding
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
            // a₊ − a₋ of EDy.
            InfluenceFunction::Lines { ref edges, .. } => {
                vec![("energy_distance", means.positive - means.negative), ("knots", edges.len() as f64)]
            }
            InfluenceFunction::Smooth(_) | InfluenceFunction::MixtureScore { .. } | InfluenceFunction::Steps { .. } => {
                vec![("mean_positive", means.positive), ("mean_negative", means.negative)]
            }
        }
    }

    fn means(&self) -> &[AnchoredMean] {
        slice::from_ref(&self.mean)
    }

    /// By how much the class means of g differ, if they come from the labelled scores.
    fn separated(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.mean.anchored().separated()
    }

    fn fit_warnings(&self) -> Vec<Warning> {
        let means = self.moments().map(|m| m.mean);
        let useless =
            matches!(self.mean.influence(), InfluenceFunction::Step { .. }) && means.positive <= means.negative;
        if useless { vec![Warning::UselessCutoff] } else { Vec::new() }
    }
}
