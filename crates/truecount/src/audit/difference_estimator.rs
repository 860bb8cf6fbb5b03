//! The difference estimator of the prevalence among all items, with or without predictions.
//!
//! The items are fixed and only the draw is random: Poisson sampling or a fixed number, with
//! weights ω_i = 1/π_i and Σω = N. With r = y − λf the variance is
//!
//! ```text
//! V = Σ ω(ω − 1)(r − r̄)² / N²                  equal probabilities: (1/m − 1/N) Var r
//! V + [λ² Var f + 2λ Cov(f, r) + Var r]/N      for the population that the N items are drawn from
//! ```
//!
//! Variances of audited items divide by their number, as Wilson's interval and ppi-python do; Var f
//! over all items divides by one less. As a function of the prevalence, V is taken to be
//! proportional to α(1−α), so the interval from labels alone is Wilson's. With predictions, the
//! interval adds ½ to Σ(r − r̄)², for prediction errors that no audited item has shown.
//!
//! # Predictions
//!
//! The prediction for an item is the posterior of its bin, learnt from the audited labels of other
//! items:
//!
//! ```text
//! logit f_b = η_b + ln(Σω⁺/Σω⁻)
//! ```
//!
//! where η is the calibration curve (`calibration`). There are ten curves, each fitted without a
//! tenth of the audited items. Each curve predicts the audited items left out of its fit, and the
//! mean of the curves predicts all other items. Any other prediction is valid too, but less
//! precise.

use crate::calibration::cross_fit;
use crate::inference::{EstimateDistribution, IntervalEstimate, IntervalOptions, Quadratic};
use crate::numeric::sum::CompensatedSum;

/// An audited item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AuditedItem {
    pub(crate) positive: bool,
    /// The prediction of the label.
    pub(crate) prediction: f64,
    /// The sampling weight; only the ratios of weights matter.
    pub(crate) weight: f64,
}

/// The number, mean and variance of the predictions for all items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredictionMoments {
    /// The number of items.
    pub(crate) n: f64,
    pub(crate) mean: f64,
    /// The variance, with the divisor n − 1.
    pub(crate) variance: f64,
}

/// A prevalence estimated from audited items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DifferenceEstimate {
    pub(crate) raw: f64,
    /// The coefficient λ of the predictions.
    pub(crate) lambda: f64,
    /// V.
    pub(crate) variance: f64,
    /// The variance from sampling the items from their population.
    item_sampling_variance: f64,
    /// The variance that half an unseen error adds.
    unseen: f64,
    /// `variance` and `item_sampling_variance`, each divided by α(1−α).
    factors: [f64; 2],
    n: f64,
}

/// Weighted means, variances and the covariance of labels and predictions.
struct Moments {
    /// The sum of the weights.
    total: f64,
    label: f64,
    prediction: f64,
    label_variance: f64,
    prediction_variance: f64,
    covariance: f64,
}

impl Moments {
    fn from_items(drawn: &[AuditedItem]) -> Self {
        let total: f64 = drawn.iter().map(|item| item.weight).collect::<CompensatedSum>().value();
        let mean = |value: &dyn Fn(&AuditedItem) -> f64| {
            drawn.iter().map(|item| item.weight / total * value(item)).collect::<CompensatedSum>().value()
        };
        let (label, prediction) = (mean(&label_of), mean(&|item| item.prediction));
        let product =
            |a: &dyn Fn(&AuditedItem) -> f64, b: &dyn Fn(&AuditedItem) -> f64| mean(&|item| a(item) * b(item));
        let (y, f) = (|item: &AuditedItem| label_of(item) - label, |item: &AuditedItem| item.prediction - prediction);
        Self {
            total,
            label,
            prediction,
            label_variance: label * (1.0 - label),
            prediction_variance: product(&f, &f),
            covariance: product(&y, &f),
        }
    }
}

fn label_of(item: &AuditedItem) -> f64 {
    f64::from(u8::from(item.positive))
}

impl DifferenceEstimate {
    /// Estimates the prevalence among `n` items from the labels alone.
    pub(crate) fn from_labels(drawn: &[AuditedItem], n: f64) -> Self {
        Self::new(drawn, &Moments::from_items(drawn), &PredictionMoments { n, mean: 0.0, variance: 0.0 }, 0.0)
    }

    /// Estimates the prevalence from the labels and the predictions. λ is 0 if the predictions would
    /// not make the interval narrower.
    pub(crate) fn with_predictions(drawn: &[AuditedItem], all: &PredictionMoments) -> Self {
        let moments = Moments::from_items(drawn);
        let lambda = moments.covariance / all.variance;
        let without = Self::new(drawn, &moments, all, 0.0);
        if !lambda.is_finite() || lambda <= 0.0 {
            return without;
        }
        let with = Self::new(drawn, &moments, all, lambda);
        if with.factors[0] < without.factors[0] { with } else { without }
    }

    fn new(drawn: &[AuditedItem], moments: &Moments, all: &PredictionMoments, lambda: f64) -> Self {
        let n = all.n;
        let variance_factor = |item: &AuditedItem| {
            let weight = item.weight * n / moments.total;
            weight * (weight - 1.0).max(0.0) / (n * n)
        };
        let residual =
            |item: &AuditedItem| label_of(item) - moments.label - lambda * (item.prediction - moments.prediction);
        let variance =
            drawn.iter().map(|item| variance_factor(item) * residual(item).powi(2)).collect::<CompensatedSum>().value();
        // λ²Var f + 2λ Cov(f, y − λf) + Var(y − λf), the last two from the audited items.
        let label_variance = moments.label_variance;
        let population_variance = label_variance + lambda * lambda * (all.variance - moments.prediction_variance);
        // The variance for labels of variance 1, which replaces V/α(1−α) if all labels are equal.
        let unit = drawn.iter().map(variance_factor).collect::<CompensatedSum>().value();
        let unseen = 0.5 * unit / drawn.len() as f64;
        let unseen_predictions = if lambda > 0.0 { unseen } else { 0.0 };
        let factors = if label_variance > 0.0 {
            [(variance + unseen_predictions) / label_variance, population_variance.max(0.0) / (n * label_variance)]
        } else {
            [unit, n.recip()]
        };
        Self {
            raw: moments.label + lambda * (all.mean - moments.prediction),
            lambda,
            variance,
            unseen,
            item_sampling_variance: population_variance.max(0.0) / n,
            factors,
            n,
        }
    }

    /// Returns the variance, including this fraction of the sampling of the items (0 sample, 1
    /// population).
    pub(crate) fn variance_with(&self, sampled_fraction: f64) -> f64 {
        self.variance + sampled_fraction * self.item_sampling_variance
    }

    /// Returns the variance with half an error more than was observed, which is positive even if all
    /// audited labels are equal.
    pub(crate) fn variance_with_unseen(&self) -> f64 {
        self.variance + self.unseen
    }

    /// Returns the standard error and the interval, including this fraction of the sampling of the
    /// items.
    pub(crate) fn interval_estimate(&self, sampled_fraction: f64, options: &IntervalOptions) -> IntervalEstimate {
        let [audit, items] = self.factors;
        let side = Quadratic::binomial((audit + sampled_fraction * items).recip());
        EstimateDistribution::with_sides(self.raw, self.n, self.variance_with(sampled_fraction), side)
            .interval_estimate(options)
    }
}

/// Returns the variance of a difference estimate among `n` items, with half an error more.
///
/// `drawn` has the weight of each audited item and the expected square of its residual, whose mean
/// over all items is `mean_square`.
pub(crate) fn expected_variance(drawn: &[(f64, f64)], mean_square: f64, n: f64) -> f64 {
    let sum = |term: &dyn Fn(f64, f64) -> f64| {
        drawn.iter().map(|(weight, square)| term(*weight, *square)).collect::<CompensatedSum>().value()
    };
    let total = sum(&|weight, _| weight);
    let factor = |weight: f64| {
        let weight = weight * n / total;
        weight * (weight - 1.0).max(0.0) / (n * n)
    };
    let drawn_mean = sum(&|weight, square| weight / total * square);
    sum(&|weight, square| factor(weight) * square) * mean_square / drawn_mean
        + 0.5 * sum(&|weight, _| factor(weight)) / drawn.len() as f64
}

/// An audited item, with the bin of its score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinnedItem {
    pub(crate) bin: usize,
    pub(crate) positive: bool,
    pub(crate) weight: f64,
}

/// Out-of-fold predictions for audited items, and predictions for all items, by bin.
#[derive(Clone, Debug)]
pub(crate) struct CrossFitPredictions {
    /// The fold of each audited item.
    folds: Vec<usize>,
    /// f of every bin, fitted without each fold.
    curves: Vec<Vec<f64>>,
}

impl CrossFitPredictions {
    /// Fits the calibration curves; `None` if there are too few bins or too few labels of either
    /// class.
    pub(crate) fn new(bins: usize, items: &[BinnedItem]) -> Option<Self> {
        if bins == 2 {
            // All non-constant functions of two bins give the same estimate.
            return Some(Self { folds: vec![0; items.len()], curves: vec![vec![0.0, 1.0]] });
        }
        let weight =
            |positive: bool| items.iter().filter(|item| item.positive == positive).map(|item| item.weight).sum::<f64>();
        let offset = (weight(true) / weight(false)).ln();
        let (folds, curves) = cross_fit(bins, items.iter().map(|item| (item.bin, item.positive, item.weight)))?;
        let posterior = |eta: f64| 1.0 / (1.0 + (-(eta + offset)).exp());
        let curves = curves.into_iter().map(|eta| eta.into_iter().map(posterior).collect()).collect();
        Some(Self { folds, curves })
    }

    /// Returns the out-of-fold prediction for the audited item with this index, which is in `bin`.
    pub(crate) fn probability(&self, index: usize, bin: usize) -> f64 {
        self.curves[self.folds[index]][bin]
    }

    /// Returns the prediction for all items of each bin: the mean of the curves.
    ///
    /// `audited` has indices and weights of audited items. A curve's weight in the mean is the
    /// weight of the items that it predicts.
    pub(crate) fn all(&self, audited: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut shares = vec![0.0; self.curves.len()];
        audited.for_each(|(index, weight)| shares[self.folds[index]] += weight);
        let total: f64 = shares.iter().sum();
        let mut mean = vec![0.0; self.curves[0].len()];
        for (share, curve) in shares.iter().zip(&self.curves) {
            mean.iter_mut().zip(curve).for_each(|(mean, f)| *mean += share / total * f);
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::inference::IntervalKind;

    fn drawn(labels: &[u8], predictions: &[f64], weights: &[f64]) -> Vec<AuditedItem> {
        let rows = labels.iter().zip(predictions).zip(weights);
        rows.map(|((label, prediction), weight)| AuditedItem {
            positive: *label == 1,
            prediction: *prediction,
            weight: *weight,
        })
        .collect()
    }

    /// Wilson (1927) for 15 of 50 at z = 1.96 is 0.1910 to 0.4375 (Newcombe 1998 has the formula).
    /// For a sample from 200 items the variance is multiplied by 1 − 50/200: the sample is then
    /// worth 1/(1/50 − 1/200) items.
    #[test]
    fn interval_from_labels_alone_is_wilsons() {
        let labels: Vec<u8> = (0..50).map(|i| u8::from(i < 15)).collect();
        let estimate = DifferenceEstimate::from_labels(&drawn(&labels, &[0.0; 50], &[4.0; 50]), 200.0);
        assert!((estimate.raw - 0.3).abs() < 1e-15);
        assert!((estimate.variance_with(0.0) - 0.21 / 50.0 * 0.75).abs() < 1e-16);
        assert!((estimate.variance_with(1.0) - 0.21 / 50.0).abs() < 1e-16);
        let wilson = |n: f64| {
            let (p, z2) = (0.3, 1.959_963_984_540_054_f64.powi(2));
            let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt();
            let (centre, scale) = (p + z2 / (2.0 * n), 1.0 + z2 / n);
            [(centre - half) / scale, (centre + half) / scale]
        };
        for (target, n) in
            [(Target::Sample, (50.0_f64.recip() - 200.0_f64.recip()).recip()), (Target::Population, 50.0)]
        {
            let share = if target == Target::Sample { 0.0 } else { 1.0 };
            let IntervalEstimate { lower, upper, .. } =
                estimate.interval_estimate(share, &IntervalOptions::new(0.95, target).unwrap());
            let [low, high] = wilson(n);
            assert!((lower - low).abs() < 1e-14 && (upper - high).abs() < 1e-14, "{lower} {upper} {low} {high}");
        }
    }

    /// Without positives the upper end is Wilson's, z²/(m + z²), if the items are very many.
    #[test]
    fn interval_without_positives_has_wilsons_upper_end() {
        let estimate = DifferenceEstimate::from_labels(&drawn(&[0; 40], &[0.0; 40], &[1.0; 40]), 1e9);
        let IntervalEstimate { se, lower, upper } = estimate.interval_estimate(0.0, &IntervalOptions::default());
        let z2 = 1.959_963_984_540_054_f64.powi(2);
        assert!(se == 0.0 && lower == 0.0 && (upper - z2 / (40.0 + z2)).abs() < 1e-6, "{upper}");
    }

    /// ppi-python 0.2.3, `ppi_mean_pointestimate` and `ppi_mean_ci`, on the example of its README:
    /// 1000 labelled galaxies drawn with `numpy.random.seed(0)`, and as unlabelled ones all but the
    /// first thousand, at 90 %. Only means, variances and the covariance of labels and predictions
    /// matter, and these thousand items have those of the example. (ppi-python takes the variance
    /// of the predictions within the labelled and the unlabelled items; here it is the variance
    /// over all items.)
    #[test]
    fn agrees_with_ppi_python() {
        let (m, labels, predictions, squares, products) =
            (1000.0, 229.0, 239.172_975_438_181_3, 155.443_030_325_494_62, 153.329_523_297_958_08);
        let (others, sum_of_others, squares_of_others) = (15_743.0, 4_108.729_875_027_158, 2_810.576_969_317_610_7);
        let (share, mean) = (labels / m, predictions / m);
        let slope = (products / m - share * mean) / (share * (1.0 - share));
        let rest = squares / m - mean * mean - slope * slope * share * (1.0 - share);
        // In each class one prediction is the mean, and half of the others are `distance` to either
        // side.
        let distance = f64::sqrt(rest * m / (m - 2.0));
        let mut items = Vec::new();
        for (positive, pairs, centre) in [(true, 114, mean + slope * (1.0 - share)), (false, 385, mean - slope * share)]
        {
            for (prediction, times) in [(centre, 1), (centre - distance, pairs), (centre + distance, pairs)] {
                items.extend(std::iter::repeat_n(AuditedItem { positive, prediction, weight: 1.0 }, times));
            }
        }
        let n = m + others;
        let mean = (predictions + sum_of_others) / n;
        let variance = (squares + squares_of_others - n * mean * mean) / (n - 1.0);
        let estimate = DifferenceEstimate::with_predictions(&items, &PredictionMoments { n, mean, variance });
        assert!((estimate.raw - 0.247_425_271_506_440_5).abs() < 1e-9, "{}", estimate.raw);
        let options = IntervalOptions::new(0.9, Target::Population).unwrap().with_interval(IntervalKind::Wald);
        let IntervalEstimate { lower, upper, .. } = estimate.interval_estimate(1.0, &options);
        assert!((lower - 0.232_246_663_031_598_3).abs() < 2e-7, "{lower}");
        assert!((upper - 0.262_603_879_981_283_2).abs() < 2e-7, "{upper}");
    }

    /// By hand: items drawn from ten with probabilities ½ and ¼.
    #[test]
    fn unequal_probabilities_agree_with_hand_calculation() {
        let items = drawn(&[1, 0, 1, 0], &[0.0; 4], &[2.0, 2.0, 2.0, 4.0]);
        let estimate = DifferenceEstimate::from_labels(&items, 10.0);
        assert!((estimate.raw - 0.4).abs() < 1e-15);
        // Σ ω(ω − 1)(y − 0.4)²/100.
        let variance = (2.0 * 2.0 * 0.36 + 2.0 * 0.16 + 12.0 * 0.16) / 100.0;
        assert!((estimate.variance_with(0.0) - variance).abs() < 1e-16);
        // Only the ratios of the weights matter.
        let halved = drawn(&[1, 0, 1, 0], &[0.0; 4], &[1.0, 1.0, 1.0, 2.0]);
        assert_eq!(DifferenceEstimate::from_labels(&halved, 10.0), estimate);
    }

    /// By hand: five of 100 items, each with the expected square p(1 − p) of the labels alone.
    #[test]
    fn expected_variance_agrees_with_hand_calculation() {
        let factor = 0.2 - 0.01;
        let uniform = expected_variance(&[(1.0, 0.09); 5], 0.09, 100.0);
        assert!((uniform - factor * (0.09 + 0.5 / 5.0)).abs() < 1e-15);
        // Drawn with probabilities ½ and ¼ from ten items; the ratio of the means is 0.2/0.18.
        let drawn = [(2.0, 0.25), (2.0, 0.16), (2.0, 0.25), (4.0, 0.12)];
        let sum = (2.0 * 0.25 + 2.0 * 0.16 + 2.0 * 0.25 + 12.0 * 0.12) / 100.0;
        let variance = sum * 0.2 / 0.18 + 0.5 * 18.0 / 100.0 / 4.0;
        assert!((expected_variance(&drawn, 0.2, 10.0) - variance).abs() < 1e-15);
    }

    /// If all items are audited, the prevalence is known and predictions add nothing.
    #[test]
    fn variance_is_zero_if_all_items_are_audited() {
        let items = drawn(&[1, 0, 1, 0, 0], &[0.9, 0.2, 0.4, 0.5, 0.3], &[1.0; 5]);
        let mean = 0.46;
        let variance = items.iter().map(|item| (item.prediction - mean).powi(2)).sum::<f64>() / 4.0;
        let estimate = DifferenceEstimate::with_predictions(&items, &PredictionMoments { n: 5.0, mean, variance });
        assert!((estimate.raw - 0.4).abs() < 1e-15 && estimate.variance_with(0.0) == 0.0);
    }
}
