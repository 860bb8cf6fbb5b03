//! Class means of a function g over labelled rows with weights or in clusters, and their variances.
//!
//! ```text
//! a± = Σ w g / Σ w,    V± = n/(n−1) Σ w² (g − a±)² / (Σ w)²        over the n rows of the class
//! ```
//!
//! For rows in C clusters, which may hold both classes, let S±_c = Σ_{i in c} w (g − a±)/Σ w over
//! the rows of a class in cluster c. Then
//!
//! ```text
//! V± = C/(C−1) Σ_c S±_c²,    Cov(a₊, a₋) = C/(C−1) Σ_c S₊_c S₋_c.
//! ```
//!
//! This is Taylor linearisation with units drawn with replacement, as in R's package survey (Lumley
//! 2004): without clusters `svymean` of each class, with clusters the domain means of `svyby(~g,
//! ~label, design, svymean, covmat = TRUE)`.
//!
//! Within strata, S±_c is centred (`design`).
//!
//! The covariance of g between two rows of a cluster, given their classes, is the mean of (g − a)(g' −
//! a') over all pairs of rows. It shows how much the classifier's errors in a cluster agree.
//!
//! V± has the degrees of freedom 2 V±²/Var V±, estimated by 2/(Σ S⁴/(Σ S²)² − 1/m) from the contributions S
//! of the class's m rows or clusters, but at least 1 and at most n* − 1 or
//! C − 1. A few rows with large weights and unusual
//! scores may account for most of V±.
//!
//! The variance of g within a class is v± = n*/(n*−1) Σ w (g − a±)²/Σ w with the effective number
//! n* = (Σ w)²/Σ w² (Kish 1965). It is unbiased if weights and g are independent, and is the usual
//! sample variance if the weights are equal. Third moments (`inference::skewness`) are scaled sums
//! over rows or clusters: divided by powers of n they are third cumulants.

use crate::design::{LabelDesign, satterthwaite_dof};
use crate::inference::{EffectiveSampleSize, ThirdMoments, TrainingMoments};
use crate::numeric::sum::CompensatedSum;
use crate::sweep::ClassMoments;
use crate::{Class, PerClass};

/// Estimated class means and variances of g.
pub(super) struct ClassMeanEstimates {
    pub(super) moments: PerClass<ClassMoments>,
    pub(super) training: PerClass<TrainingMoments>,
    pub(super) sample_size: EffectiveSampleSize,
    /// The covariance of g within clusters; `None` if no cluster has two rows.
    pub(super) within_clusters: Option<PairCovariance>,
}

/// The covariance of g between two rows of a cluster, given their classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairCovariance {
    /// Of two rows of the same class.
    same: PerClass<f64>,
    /// Of two rows of different classes.
    different: f64,
}

struct ClassEstimates {
    moments: ClassMoments,
    training: TrainingMoments,
    /// S±_c.
    sums: Vec<f64>,
}

impl ClassMeanEstimates {
    /// Returns the estimates from the values of g for the rows.
    pub(super) fn new(design: &LabelDesign, values: &PerClass<Vec<f64>>) -> Self {
        let means = design.means(values);
        let classes =
            PerClass::from_fn(|class| ClassEstimates::new(design, class, values.get(class), *means.get(class)));
        let n = values.map(|values| values.len() as f64);
        let covariance = if design.units().common_units().is_some() {
            let pairs = classes.positive.sums.iter().zip(&classes.negative.sums);
            let products = pairs.map(|(p, n)| p * n).collect::<CompensatedSum>().value();
            design.units().unbiased(values.positive.len()) * products * (n.positive * n.negative).sqrt()
        } else {
            0.0
        };
        let per_row = |sizes: PerClass<f64>| sizes.zip_map(&n, |size, n| size / n);
        let sample_size = EffectiveSampleSize {
            effective: per_row(design.effective_sizes()),
            units: per_row(
                classes
                    .zip_map(&design.class_units(), |class, units| (1.0 + satterthwaite_dof(&class.sums)).min(*units)),
            ),
            common_units: design.units().common_units().map(|units| units / (n.positive + n.negative)),
            covariance,
        };
        Self {
            moments: classes.map(|class| class.moments),
            training: classes.map(|class| class.training),
            sample_size,
            within_clusters: design.units().cluster_count().and_then(|_| PairCovariance::new(design, values, means)),
        }
    }
}

impl PairCovariance {
    /// Returns the covariance, or `None` if no cluster has two rows.
    fn new(design: &LabelDesign, values: &PerClass<Vec<f64>>, means: PerClass<f64>) -> Option<Self> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).collect::<CompensatedSum>().value();
        let mean = |sum: f64, pairs: f64| if pairs > 0.0 { sum / pairs } else { 0.0 };
        let class = |class: Class, values: &[f64], mean: f64| {
            let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
            let sizes = design.sums_by_cluster(class, deviations.iter().map(|_| 1.0));
            let sums = design.sums_by_cluster(class, deviations.iter().copied());
            let pairs = dot(&sizes, &sizes) - deviations.len() as f64;
            (dot(&sums, &sums) - dot(&deviations, &deviations), pairs, sums, sizes)
        };
        let positive = class(Class::Positive, &values.positive, means.positive);
        let negative = class(Class::Negative, &values.negative, means.negative);
        let mixed_pairs = dot(&positive.3, &negative.3);
        (positive.1 + negative.1 + mixed_pairs > 0.0).then(|| Self {
            same: PerClass { positive: mean(positive.0, positive.1), negative: mean(negative.0, negative.1) },
            different: mean(dot(&positive.2, &negative.2), mixed_pairs),
        })
    }

    /// Returns the covariance between two rows of a cluster at the prevalence alpha.
    pub(super) fn at(&self, alpha: f64) -> f64 {
        alpha * alpha * self.same.positive
            + 2.0 * alpha * (1.0 - alpha) * self.different
            + (1.0 - alpha).powi(2) * self.same.negative
    }
}

impl ClassEstimates {
    fn new(design: &LabelDesign, class: Class, values: &[f64], mean: f64) -> Self {
        let (n, shares) = (values.len() as f64, design.normalized_weights().get(class));
        let deviations = || values.iter().zip(shares).map(|(g, share)| (g - mean, *share));
        let sum = |term: fn((f64, f64)) -> f64| deviations().map(term).collect::<CompensatedSum>().value();
        let squares = sum(|(_, share)| share * share);
        // If one row has all of the weight, the variance is 0, as for a single row.
        let bias_correction = if squares < 1.0 { 1.0 / (1.0 - squares) } else { 1.0 };
        let variance = bias_correction * sum(|(d, share)| share * d * d);
        let sums = design.sums_by_unit(class, deviations().map(|(d, share)| share * d));
        let square_sums = design.sums_by_unit(class, deviations().map(|(d, share)| share * d * d));
        let over_units =
            |term: fn((&f64, &f64)) -> f64| sums.iter().zip(&square_sums).map(term).collect::<CompensatedSum>().value();
        let mean_variance = design.units().unbiased(values.len()) * over_units(|(sum, _)| sum * sum);
        let cube_sum = n * n * over_units(|(sum, _)| sum * sum * sum);
        let third = ThirdMoments {
            score: sum(|(d, share)| share * d * d * d),
            training: cube_sum,
            test_covariance: n * over_units(|(sum, square)| sum * square),
            training_covariance: cube_sum,
        };
        Self {
            moments: ClassMoments { mean, variance },
            training: TrainingMoments { variance: n * mean_variance, third },
            sums,
        }
    }
}
