//! The difference estimator of the share of positives among all items, with predictions of all items or
//! without.
//!
//! With r = y − λf, the items being given and only the draw at random (Poisson or of a fixed number, ω_i = 1/π_i, Σω = N):
//!
//! ```text
//! V = Σ ω(ω − 1)(r − r̄)² / N²                  alike probabilities: (1/m − 1/N) Var r
//! V + [λ² Var f + 2λ Cov(f, r) + Var r]/N      of the population that the N items are drawn from
//! ```
//!
//! Variances divide by the number of items, as Wilson's interval and ppi-python do (the last one, of all items, by one less). As a function of the prevalence V is taken to be
//! proportional to α(1−α), so that of labels alone the interval is Wilson's; with predictions half an error more is added to Σ(r − r̄)²
//! for the interval, which no audited item can have shown.
//!
//! # Predictions
//!
//! The prediction of an item is the posterior of its bin, learnt from the audited labels of other items:
//!
//! ```text
//! logit f_b = η_b + ln(Σω⁺/Σω⁻)
//! ```
//!
//! with η the calibration curve (`calibration`) of the audited rows without a tenth of them: ten curves, by each of which the items are
//! predicted that it has not seen, and all others by their mean. Any other prediction would do too, but less well.

use crate::calibration::cross_fit;
use crate::inference::{EstimateDistribution, IntervalEstimate, IntervalOptions, Quadratic};
use crate::numeric::sum::CompensatedSum;

/// An audited item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AuditedItem {
    pub(crate) positive: bool,
    /// What is predicted of it.
    pub(crate) prediction: f64,
    /// How many items it stands for; only the ratios count.
    pub(crate) weight: f64,
}

/// What is predicted of all items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredictionMoments {
    /// How many there are.
    pub(crate) n: f64,
    pub(crate) mean: f64,
    /// By n − 1.
    pub(crate) variance: f64,
}

/// What audited items say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DifferenceEstimate {
    pub(crate) raw: f64,
    /// How much of the predictions is used.
    pub(crate) lambda: f64,
    /// V.
    pub(crate) variance: f64,
    /// What drawing the items from a population adds to it.
    drawing: f64,
    /// V, and what drawing adds, over α(1−α).
    factors: [f64; 2],
    n: f64,
}

/// Means, variances and the covariance, by weights that add up to 1.
struct Moments {
    /// What all weights add up to.
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
        let mean = |of: &dyn Fn(&AuditedItem) -> f64| {
            drawn.iter().map(|item| item.weight / total * of(item)).collect::<CompensatedSum>().value()
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
    /// From the labels alone, of so many items.
    pub(crate) fn by_labels(drawn: &[AuditedItem], n: f64) -> Self {
        Self::new(drawn, &Moments::from_items(drawn), &PredictionMoments { n, mean: 0.0, variance: 0.0 }, 0.0)
    }

    /// With the predictions.
    pub(crate) fn powered(drawn: &[AuditedItem], whole: &PredictionMoments) -> Self {
        let moments = Moments::from_items(drawn);
        let lambda = moments.covariance / whole.variance;
        Self::new(drawn, &moments, whole, if lambda.is_finite() { lambda.max(0.0) } else { 0.0 })
    }

    fn new(drawn: &[AuditedItem], moments: &Moments, whole: &PredictionMoments, lambda: f64) -> Self {
        let n = whole.n;
        let by_drawing = |item: &AuditedItem| {
            let stands_for = item.weight * n / moments.total;
            stands_for * (stands_for - 1.0).max(0.0) / (n * n)
        };
        let residual =
            |item: &AuditedItem| label_of(item) - moments.label - lambda * (item.prediction - moments.prediction);
        let variance =
            drawn.iter().map(|item| by_drawing(item) * residual(item).powi(2)).collect::<CompensatedSum>().value();
        // λ²Var f + 2λ Cov(f, y − λf) + Var(y − λf), the last two from the audited items.
        let of_labels = moments.label_variance + lambda * lambda * (whole.variance - moments.prediction_variance);
        // Where all labels are alike V is that of labels of which a share α is not.
        let unit = drawn.iter().map(by_drawing).collect::<CompensatedSum>().value();
        let unseen = if lambda > 0.0 { 0.5 * unit / drawn.len() as f64 } else { 0.0 };
        let spread = moments.label_variance;
        let factors = if spread > 0.0 {
            [(variance + unseen) / spread, of_labels.max(0.0) / (n * spread)]
        } else {
            [unit, n.recip()]
        };
        Self {
            raw: moments.label + lambda * (whole.mean - moments.prediction),
            lambda,
            variance,
            drawing: of_labels.max(0.0) / n,
            factors,
            n,
        }
    }

    /// Its variance with such a share of the drawing of the items.
    pub(crate) fn variance_with(&self, drawn: f64) -> f64 {
        self.variance + drawn * self.drawing
    }

    /// What is reported of it, with such a share of the drawing.
    pub(crate) fn uncertainty(&self, drawn: f64, reporting: &IntervalOptions) -> IntervalEstimate {
        let [own, of_items] = self.factors;
        let side = Quadratic::drawing((own + drawn * of_items).recip());
        EstimateDistribution::with_sides(self.raw, self.n, self.variance_with(drawn), side).uncertainty(reporting)
    }
}

/// An audited item, with the bin of its score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinnedItem {
    pub(crate) bin: usize,
    pub(crate) positive: bool,
    pub(crate) weight: f64,
}

/// Predictions in bins.
#[derive(Clone, Debug)]
pub(crate) struct Predicted {
    /// The fold of each audited item.
    folds: Vec<usize>,
    /// f of every bin, from the items outside each fold.
    curves: Vec<Vec<f64>>,
}

impl Predicted {
    /// By so many bins; none where the audited items cannot be left out, for want of labels of both kinds or of bins.
    pub(crate) fn new(bins: usize, items: &[BinnedItem]) -> Option<Self> {
        if bins == 2 {
            // Any function of two values is as good as another.
            return Some(Self { folds: vec![0; items.len()], curves: vec![vec![0.0, 1.0]] });
        }
        let weight =
            |positive: bool| items.iter().filter(|of| of.positive == positive).map(|of| of.weight).sum::<f64>();
        let offset = (weight(true) / weight(false)).ln();
        let (folds, curves) = cross_fit(bins, items.iter().map(|of| (of.bin, of.positive, of.weight)))?;
        let posterior = |eta: f64| 1.0 / (1.0 + (-(eta + offset)).exp());
        let curves = curves.into_iter().map(|eta| eta.into_iter().map(posterior).collect()).collect();
        Some(Self { folds, curves })
    }

    /// Of the audited item in that place and bin.
    pub(crate) fn probability(&self, place: usize, bin: usize) -> f64 {
        self.curves[self.folds[place]][bin]
    }

    /// Of all items of a bin, to go with audited items in those places and of those weights: each curve counts as much as the items
    /// that it predicts.
    pub(crate) fn all(&self, audited: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut shares = vec![0.0; self.curves.len()];
        audited.for_each(|(place, weight)| shares[self.folds[place]] += weight);
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
    use crate::inference::Interval;

    fn drawn(labels: &[u8], predictions: &[f64], weights: &[f64]) -> Vec<AuditedItem> {
        let rows = labels.iter().zip(predictions).zip(weights);
        rows.map(|((label, prediction), weight)| AuditedItem {
            positive: *label == 1,
            prediction: *prediction,
            weight: *weight,
        })
        .collect()
    }

    /// Wilson (1927) for 15 of 50 at z = 1.96 is 0.1910 to 0.4375 (Newcombe 1998 has the formula); of 200 items, the variance is
    /// 1 − 50/200 as large, that of a sample of 1/(1/50 − 1/200).
    #[test]
    fn labels_alone_are_a_binomial_share() {
        let labels: Vec<u8> = (0..50).map(|i| u8::from(i < 15)).collect();
        let found = DifferenceEstimate::by_labels(&drawn(&labels, &[0.0; 50], &[4.0; 50]), 200.0);
        assert!((found.raw - 0.3).abs() < 1e-15);
        assert!((found.variance_with(0.0) - 0.21 / 50.0 * 0.75).abs() < 1e-16);
        assert!((found.variance_with(1.0) - 0.21 / 50.0).abs() < 1e-16);
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
                found.uncertainty(share, &IntervalOptions::new(0.95, target).unwrap());
            let [low, high] = wilson(n);
            assert!((lower - low).abs() < 1e-14 && (upper - high).abs() < 1e-14, "{lower} {upper} {low} {high}");
        }
    }

    /// Without a positive there is still an upper end: Wilson's, z²/(m + z²) (of very many items).
    #[test]
    fn none_of_forty() {
        let found = DifferenceEstimate::by_labels(&drawn(&[0; 40], &[0.0; 40], &[1.0; 40]), 1e9);
        let IntervalEstimate { se, lower, upper } = found.uncertainty(0.0, &IntervalOptions::default());
        let z2 = 1.959_963_984_540_054_f64.powi(2);
        assert!(se == 0.0 && lower == 0.0 && (upper - z2 / (40.0 + z2)).abs() < 1e-6, "{upper}");
    }

    /// ppi-python 0.2.3, `ppi_mean_pointestimate` and `ppi_mean_ci`, on the example of its README: galaxies, 1000 labelled ones drawn with
    /// `numpy.random.seed(0)`, the unlabelled ones all but the first thousand, at 90 %. Labels and predictions enter by their means,
    /// variances and covariance only, which these thousand items share with the example. (ppi-python takes the variance of the predictions within
    /// the labelled and the others, here it is that of all.)
    #[test]
    fn the_example_of_prediction_powered_inference() {
        let (m, labels, predictions, squares, products) =
            (1000.0, 229.0, 239.172_975_438_181_3, 155.443_030_325_494_62, 153.329_523_297_958_08);
        let (others, sum_of_others, squares_of_others) = (15_743.0, 4_108.729_875_027_158, 2_810.576_969_317_610_7);
        let (share, mean) = (labels / m, predictions / m);
        let slope = (products / m - share * mean) / (share * (1.0 - share));
        let rest = squares / m - mean * mean - slope * slope * share * (1.0 - share);
        // As many above as below their class's mean, one of each class at it.
        let apart = f64::sqrt(rest * m / (m - 2.0));
        let mut items = Vec::new();
        for (positive, pairs, centre) in [(true, 114, mean + slope * (1.0 - share)), (false, 385, mean - slope * share)]
        {
            for (prediction, times) in [(centre, 1), (centre - apart, pairs), (centre + apart, pairs)] {
                items.extend(std::iter::repeat_n(AuditedItem { positive, prediction, weight: 1.0 }, times));
            }
        }
        let n = m + others;
        let mean = (predictions + sum_of_others) / n;
        let variance = (squares + squares_of_others - n * mean * mean) / (n - 1.0);
        let found = DifferenceEstimate::powered(&items, &PredictionMoments { n, mean, variance });
        assert!((found.raw - 0.247_425_271_506_440_5).abs() < 1e-9, "{}", found.raw);
        let reporting = IntervalOptions::new(0.9, Target::Population).unwrap().with_interval(Interval::Wald);
        let IntervalEstimate { lower, upper, .. } = found.uncertainty(1.0, &reporting);
        assert!((lower - 0.232_246_663_031_598_3).abs() < 2e-7, "{lower}");
        assert!((upper - 0.262_603_879_981_283_2).abs() < 2e-7, "{upper}");
    }

    /// By hand: items drawn with probabilities ½ and ¼ of ten.
    #[test]
    fn unlike_probabilities() {
        let items = drawn(&[1, 0, 1, 0], &[0.0; 4], &[2.0, 2.0, 2.0, 4.0]);
        let found = DifferenceEstimate::by_labels(&items, 10.0);
        assert!((found.raw - 0.4).abs() < 1e-15);
        // Σ ω(ω − 1)(y − 0.4)²/100.
        let variance = (2.0 * 2.0 * 0.36 + 2.0 * 0.16 + 12.0 * 0.16) / 100.0;
        assert!((found.variance_with(0.0) - variance).abs() < 1e-16);
        // Only their ratios count.
        let twice = drawn(&[1, 0, 1, 0], &[0.0; 4], &[1.0, 1.0, 1.0, 2.0]);
        assert_eq!(DifferenceEstimate::by_labels(&twice, 10.0), found);
    }

    /// Where all items are audited nothing is left to learn, and predictions are of no use.
    #[test]
    fn all_of_them() {
        let items = drawn(&[1, 0, 1, 0, 0], &[0.9, 0.2, 0.4, 0.5, 0.3], &[1.0; 5]);
        let mean = 0.46;
        let variance = items.iter().map(|item| (item.prediction - mean).powi(2)).sum::<f64>() / 4.0;
        let found = DifferenceEstimate::powered(&items, &PredictionMoments { n: 5.0, mean, variance });
        assert!((found.raw - 0.4).abs() < 1e-15 && found.variance_with(0.0) == 0.0);
    }
}
