//! The difference estimator of the prevalence among all items, with or without predictions.
//!
//! The items are fixed and only the draw is random. With r = y − λf, V is the variance of the weighted
//! mean of r under the sampling design (`sample`). For a draw of single items with weights ω_i = 1/π_i
//! and Σω = N, by Poisson sampling or of a fixed number:
//!
//! ```text
//! V = Σ ω(ω − 1)(r − r̄)² / N²                  equal probabilities: (1/m − 1/N) Var r
//! V + [λ² Var f + 2λ Cov(f, r) + Var r]/N      for the population that the N items are drawn from
//! ```
//!
//! If items of the population are drawn in clusters, the second line is the sum over all clusters of the target of
//! (Σω(r − r̄) + λΣ(f − f̄))²/N², the first sum over audited items and the second over all items of the cluster.
//!
//! Variances of audited items divide by their number, as Wilson's interval and ppi-python do; Var f over all items
//! divides by one less. If several people labelled the items, y is the mean of an item's labels, and V includes the
//! chance of each label: it adds Σω s²/(kN²) for the variance s² of the k labels of an item. As a function of the
//! prevalence, V is taken to be proportional to α(1−α), so the interval from labels alone is Wilson's. With predictions
//! or strata, the interval adds ½ to Σ(r − r̄)² of one stratum, for errors that no audited item has shown. If all
//! labels are equal, the labels of a cluster are taken to be equal in the whole target.
//!
//! # Predictions
//!
//! The prediction for an item is the posterior of its bin, learnt from the audited labels of other items:
//!
//! ```text
//! logit f_b = η_b + ln(Σω⁺/Σω⁻)
//! ```
//!
//! where η is the calibration curve (`calibration`). There are ten curves, each fitted without a tenth of the audited
//! items. Each curve predicts the audited items left out of its fit, and the mean of the curves predicts all other
//! items. Clusters are left out as a whole. Any other prediction is valid too, but less precise.

use super::sample::{AuditSample, BinnedItem};
use crate::calibration::cross_fit;
use crate::inference::{EstimateDistribution, IntervalEstimate, IntervalOptions, Quadratic};
use std::collections::HashMap;

/// Moments of the predictions for all items of the target.
#[derive(Clone, Debug)]
pub(crate) struct TargetMoments {
    pub(crate) n: f64,
    /// f̄.
    pub(crate) mean: f64,
    /// The variance of the predictions within strata, with the divisor n − 1.
    pub(crate) variance: f64,
    /// The sum of squares over items, or clusters, of their contributions to f̄.
    pub(crate) sampling_variance: f64,
    /// The sum of squares of the shares of items, or clusters.
    pub(crate) squared_shares: f64,
    /// The contribution of each cluster to f̄, if items are in clusters.
    pub(crate) clusters: Option<HashMap<u32, f64>>,
}

/// A prevalence estimated from audited items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DifferenceEstimate {
    pub(crate) raw: f64,
    /// The coefficient λ of the predictions.
    pub(crate) lambda: f64,
    /// V.
    pub(crate) variance: f64,
    /// The degrees of freedom of V.
    pub(crate) dof: f64,
    /// V divided by the variance of items drawn one by one, both with half an error more.
    pub(crate) design_effect: f64,
    item_sampling_variance: f64,
    /// The variance that half an unseen error adds.
    unseen: f64,
    /// `variance` and `item_sampling_variance`, each divided by α(1−α).
    factors: [f64; 2],
    n: f64,
}

/// Labels and predictions of audited items, with their moments.
struct Moments<'a> {
    sample: &'a AuditSample,
    target: &'a TargetMoments,
    labels: Vec<f64>,
    predictions: &'a [f64],
    label: f64,
    prediction: f64,
}

impl DifferenceEstimate {
    /// Estimates the prevalence from the labels alone. λ is 0, so that `target` counts only for its
    /// number of items and their shares.
    pub(crate) fn from_labels(sample: &AuditSample, target: &TargetMoments) -> Self {
        Self::new(&Moments::new(sample, &vec![0.0; sample.len()], target), 0.0)
    }

    /// Estimates the prevalence from the labels and the predictions. λ is 0 if the predictions would
    /// not make the interval narrower.
    pub(crate) fn with_predictions(sample: &AuditSample, predictions: &[f64], target: &TargetMoments) -> Self {
        let moments = Moments::new(sample, predictions, target);
        let covariance = sample.mean_product(&sample.centred(&moments.labels), &sample.centred(predictions));
        let lambda = covariance / target.variance;
        let without = Self::new(&moments, 0.0);
        if !lambda.is_finite() || lambda <= 0.0 {
            return without;
        }
        let with = Self::new(&moments, lambda);
        if with.factors[0] < without.factors[0] { with } else { without }
    }

    fn new(moments: &Moments, lambda: f64) -> Self {
        let Moments { sample, target, label, prediction, .. } = *moments;
        let residuals = sample.centred(&moments.residuals(lambda, 0.0));
        let label_noise = sample.label_variance();
        let variance = sample.variance(&residuals) + label_noise;
        let item_sampling_variance = (moments.item_sampling_variance(lambda) - label_noise).max(0.0);
        let label_variance = label * (1.0 - label);
        // The variance for labels of variance 1, which replaces V/α(1−α) if all labels are equal.
        let ones = vec![1.0; sample.len()];
        let (unit, unseen) = (sample.variance(&ones), sample.unseen_variance(&ones));
        let unseen_in_interval = if lambda > 0.0 || sample.is_stratified() { unseen } else { 0.0 };
        let factors = if label_variance > 0.0 {
            [(variance + unseen_in_interval) / label_variance, item_sampling_variance / label_variance]
        } else {
            [unit, target.squared_shares]
        };
        let independent = sample.independent_variance(&residuals.iter().map(|r| r * r).collect::<Vec<_>>());
        let design_effect =
            if sample.is_clustered() && independent > 0.0 { (variance + unseen) / independent } else { 1.0 };
        Self {
            raw: label + lambda * (target.mean - prediction),
            lambda,
            variance,
            dof: sample.dof(&residuals),
            design_effect,
            unseen,
            item_sampling_variance,
            factors,
            n: target.n,
        }
    }

    /// Returns the variance, including this fraction of the sampling of the items (0 sample, 1 population).
    pub(crate) fn variance_with(&self, sampled_fraction: f64) -> f64 {
        self.variance + sampled_fraction * self.item_sampling_variance
    }

    /// Returns the variance with half an error more than was observed, which is positive even if all
    /// audited labels are equal.
    pub(crate) fn variance_with_unseen(&self) -> f64 {
        self.variance + self.unseen
    }

    /// Returns the standard error and the interval, including this fraction of the sampling of the items.
    pub(crate) fn interval_estimate(&self, sampled_fraction: f64, options: &IntervalOptions) -> IntervalEstimate {
        let [audit, items] = self.factors;
        let factor = audit + sampled_fraction * items;
        let (variance, side) = (self.variance_with(sampled_fraction), Quadratic::binomial(factor.recip()));
        EstimateDistribution::of_share(self.raw, self.n, variance, side, factor / (audit + items))
            .with_dof(self.dof)
            .interval_estimate(options)
    }
}

impl<'a> Moments<'a> {
    fn new(sample: &'a AuditSample, predictions: &'a [f64], target: &'a TargetMoments) -> Self {
        let labels = sample.labels();
        let (label, prediction) = (sample.mean(&labels), sample.mean(predictions));
        Self { sample, target, labels, predictions, label, prediction }
    }

    /// Returns y − λf, less a constant.
    fn residuals(&self, lambda: f64, constant: f64) -> Vec<f64> {
        self.labels.iter().zip(self.predictions).map(|(y, f)| y - lambda * f - constant).collect()
    }

    /// Returns the variance of the estimate from sampling the target's items from their population.
    fn item_sampling_variance(&self, lambda: f64) -> f64 {
        let Self { sample, target, predictions, label, prediction, .. } = *self;
        let target_sums: Vec<f64> = match &target.clusters {
            Some(sums) => sample.clusters().map(|cluster| lambda * sums[&cluster]).collect(),
            None => sample.own_terms(&predictions.iter().map(|f| lambda * (f - prediction)).collect::<Vec<_>>()),
        };
        let residuals = self.residuals(lambda, label - lambda * prediction);
        sample.item_sampling_variance(&residuals, &target_sums, lambda * lambda * target.sampling_variance)
    }
}

/// Returns the variance of a difference estimate whose residuals have these expected squares, with
/// half an error more, for items drawn one by one.
///
/// `mean_squares` has the mean of the expected squares over all items of each stratum.
pub(crate) fn expected_variance(sample: &AuditSample, squares: &[f64], mean_squares: &[f64]) -> f64 {
    let drawn = sample.stratum_means(squares);
    let ratios: Vec<f64> = mean_squares.iter().zip(drawn).map(|(all, drawn)| all / drawn).collect();
    sample.independent_variance(&sample.scaled(squares, &ratios))
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
    /// Fits the calibration curves; `None` if there are too few bins or too few labels of either class.
    pub(crate) fn new(bins: usize, items: &[BinnedItem]) -> Option<Self> {
        if bins == 2 {
            // All non-constant functions of two bins give the same estimate.
            return Some(Self { folds: vec![0; items.len()], curves: vec![vec![0.0, 1.0]] });
        }
        // Each label of an item is a row, and an item with several labels is a cluster.
        let rows = items.iter().enumerate().flat_map(|(index, item)| {
            let weight = item.weight() / f64::from(item.labels.number);
            item.labels.sorted().map(move |positive| (index, (item.bin, positive, weight)))
        });
        let (indices, rows): (Vec<usize>, Vec<(usize, bool, f64)>) = rows.unzip();
        let weight = |class: bool| {
            rows.iter().filter(|(_, positive, _)| *positive == class).map(|(.., weight)| weight).sum::<f64>()
        };
        let offset = (weight(true) / weight(false)).ln();
        let has_several = rows.len() > items.len();
        let number = |index: usize| u32::try_from(index).expect("fewer audited items than 2³²");
        let cluster = |index: &usize| items[*index].cluster.or_else(|| has_several.then(|| number(*index)));
        let clusters: Option<Vec<u32>> = indices.iter().map(cluster).collect();
        let (row_folds, curves) = cross_fit(bins, rows.into_iter(), clusters.as_deref())?;
        let mut folds = vec![0; items.len()];
        indices.into_iter().zip(row_folds).for_each(|(index, fold)| folds[index] = fold);
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
    use super::super::item_labels::ItemLabels;
    use super::super::sample::StratumSize;
    use super::*;
    use crate::Target;
    use crate::golden::wilson;
    use crate::inference::IntervalKind;

    fn item(label: u8, sampling_weight: f64) -> BinnedItem {
        let labels = ItemLabels { number: 1, positive: label.into(), first: label == 1 };
        BinnedItem { bin: 0, labels, sampling_weight, item_weight: 1.0, stratum: 0, cluster: None }
    }

    /// A sample of `n` items without strata and clusters.
    fn simple_sample(items: &[BinnedItem], n: u64) -> AuditSample {
        let drawn: Vec<(BinnedItem, usize)> = items.iter().map(|item| (*item, 0)).collect();
        AuditSample::new(&drawn, &[StratumSize { number: 0, n, share: 1.0 }], false).unwrap()
    }

    fn target(n: u64, mean: f64, variance: f64) -> TargetMoments {
        let n = n as f64;
        TargetMoments { n, mean, variance, sampling_variance: variance / n, squared_shares: n.recip(), clusters: None }
    }

    fn from_labels(items: &[BinnedItem], n: u64) -> DifferenceEstimate {
        DifferenceEstimate::from_labels(&simple_sample(items, n), &target(n, 0.0, 0.0))
    }

    /// Wilson (1927) for 15 of 50 at z = 1.96 is 0.1910 to 0.4375. For a sample from 200 items the variance is
    /// multiplied by 1 − 50/200: the sample is then worth 1/(1/50 − 1/200) items.
    #[test]
    fn interval_from_labels_alone_is_wilsons() {
        let items: Vec<BinnedItem> = (0..50).map(|i| item(u8::from(i < 15), 4.0)).collect();
        let estimate = from_labels(&items, 200);
        assert!((estimate.raw - 0.3).abs() < 1e-15);
        assert!((estimate.variance_with(0.0) - 0.21 / 50.0 * 0.75).abs() < 1e-16);
        assert!((estimate.variance_with(1.0) - 0.21 / 50.0).abs() < 1e-16);
        for (target, n) in
            [(Target::Sample, (50.0_f64.recip() - 200.0_f64.recip()).recip()), (Target::Population, 50.0)]
        {
            let share = if target == Target::Sample { 0.0 } else { 1.0 };
            let IntervalEstimate { lower, upper, .. } =
                estimate.interval_estimate(share, &IntervalOptions::new(0.95, target).unwrap());
            let [low, high] = wilson(0.3, n, 1.959_963_984_540_054);
            assert!((lower - low).abs() < 1e-14 && (upper - high).abs() < 1e-14, "{lower} {upper} {low} {high}");
        }
    }

    /// ppi-python 0.2.3, `ppi_mean_pointestimate` and `ppi_mean_ci`, on the example of its README: 1000 labelled
    /// galaxies drawn with `numpy.random.seed(0)`, and as unlabelled ones all but the first thousand, at 90 %. Only
    /// means, variances and the covariance of labels and predictions matter, and these thousand items have those of the
    /// example. (ppi-python takes the variance of the predictions within the labelled and the unlabelled items; here it
    /// is the variance over all items.)
    #[test]
    fn agrees_with_ppi_python() {
        let (m, labels, predictions, squares, products) =
            (1000.0, 229.0, 239.172_975_438_181_3, 155.443_030_325_494_62, 153.329_523_297_958_08);
        let (others, sum_of_others, squares_of_others) = (15_743.0, 4_108.729_875_027_158, 2_810.576_969_317_610_7);
        let (share, mean) = (labels / m, predictions / m);
        let slope = (products / m - share * mean) / (share * (1.0 - share));
        let rest = squares / m - mean * mean - slope * slope * share * (1.0 - share);
        // In each class one prediction is the mean, and half of the others are `distance` to either side.
        let distance = f64::sqrt(rest * m / (m - 2.0));
        let (mut items, mut predicted) = (Vec::new(), Vec::new());
        for (label, pairs, centre) in [(1, 114, mean + slope * (1.0 - share)), (0, 385, mean - slope * share)] {
            for (prediction, times) in [(centre, 1), (centre - distance, pairs), (centre + distance, pairs)] {
                items.extend(std::iter::repeat_n(item(label, 1.0), times));
                predicted.extend(std::iter::repeat_n(prediction, times));
            }
        }
        let n = m + others;
        let mean = (predictions + sum_of_others) / n;
        let variance = (squares + squares_of_others - n * mean * mean) / (n - 1.0);
        let sample = simple_sample(&items, 16_743);
        let estimate = DifferenceEstimate::with_predictions(&sample, &predicted, &target(16_743, mean, variance));
        assert!((estimate.raw - 0.247_425_271_506_440_5).abs() < 1e-9, "{}", estimate.raw);
        let options = IntervalOptions::new(0.9, Target::Population).unwrap().with_interval(IntervalKind::Wald);
        let IntervalEstimate { lower, upper, .. } = estimate.interval_estimate(1.0, &options);
        assert!((lower - 0.232_246_663_031_598_3).abs() < 2e-7, "{lower}");
        assert!((upper - 0.262_603_879_981_283_2).abs() < 2e-7, "{upper}");
    }

    /// By hand: items drawn from ten with probabilities ½ and ¼.
    #[test]
    fn unequal_probabilities_agree_with_hand_calculation() {
        let weighted = |factor: f64| [(1, 2.0), (0, 2.0), (1, 2.0), (0, 4.0)].map(|(y, w)| item(y, factor * w));
        let estimate = from_labels(&weighted(1.0), 10);
        assert!((estimate.raw - 0.4).abs() < 1e-15);
        // Σ ω(ω − 1)(y − 0.4)²/100.
        let variance = (2.0 * 2.0 * 0.36 + 2.0 * 0.16 + 12.0 * 0.16) / 100.0;
        assert!((estimate.variance_with(0.0) - variance).abs() < 1e-16);
        // Only the ratios of the weights matter.
        assert_eq!(from_labels(&weighted(0.5), 10), estimate);
    }

    /// By hand: five of 100 items, each with the expected square p(1 − p) of the labels alone.
    #[test]
    fn expected_variance_agrees_with_hand_calculation() {
        let factor = 0.2 - 0.01;
        let uniform = expected_variance(&simple_sample(&[item(0, 1.0); 5], 100), &[0.09; 5], &[0.09]);
        assert!((uniform - factor * (0.09 + 0.5 / 5.0)).abs() < 1e-15);
        // Drawn with probabilities ½ and ¼ from ten items; the ratio of the means is 0.2/0.18.
        let sample = simple_sample(&[2.0, 2.0, 2.0, 4.0].map(|weight| item(0, weight)), 10);
        let sum = (2.0 * 0.25 + 2.0 * 0.16 + 2.0 * 0.25 + 12.0 * 0.12) / 100.0;
        let variance = sum * 0.2 / 0.18 + 0.5 * 18.0 / 100.0 / 4.0;
        assert!((expected_variance(&sample, &[0.25, 0.16, 0.25, 0.12], &[0.2]) - variance).abs() < 1e-15);
    }

    /// If all items are audited, the prevalence is known and predictions add nothing.
    #[test]
    fn variance_is_zero_if_all_items_are_audited() {
        let items = [1, 0, 1, 0, 0].map(|label| item(label, 1.0));
        let (predictions, mean): ([f64; 5], f64) = ([0.9, 0.2, 0.4, 0.5, 0.3], 0.46);
        let variance = predictions.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / 4.0;
        let sample = simple_sample(&items, 5);
        let estimate = DifferenceEstimate::with_predictions(&sample, &predictions, &target(5, mean, variance));
        assert!((estimate.raw - 0.4).abs() < 1e-15 && estimate.variance_with(0.0) == 0.0);
    }
}
