//! What labelled rows with weights or in clusters tell of a function g of them.
//!
//! ```text
//! a± = Σ w g / Σ w,    V± = n/(n−1) Σ w² (g − a±)² / (Σ w)²        over the n rows of the class
//! ```
//!
//! and of rows in C clusters, which may hold both classes, with S±_c = Σ_{i in c} w (g − a±)/Σ w over the rows of a class in cluster c,
//!
//! ```text
//! V± = C/(C−1) Σ_c S±_c²,    Cov(a₊, a₋) = C/(C−1) Σ_c S₊_c S₋_c.
//! ```
//!
//! That is Taylor linearisation with units drawn with replacement, as in R's package survey (Lumley 2004): without clusters `svymean` of
//! each class by itself, with clusters the domain means of `svyby(~g, ~label, design, svymean, covmat = TRUE)`.
//!
//! The variance of g within a class is v± = n*/(n*−1) Σ w (g − a±)²/Σ w, n* = (Σ w)²/Σ w² the effective number (Kish 1965): without bias
//! where weights tell nothing of g, and the usual one where they are equal. Third moments (`inference::skewness`) are those of the sums
//! over rows or clusters, so that divided by powers of n they are the third cumulants.

use crate::design::Design;
use crate::inference::{EffectiveSampleSize, ThirdMoments, TrainingMoments};
use crate::numeric::sum::CompensatedSum;
use crate::sweep::ClassMoments;
use crate::{Class, PerClass};

/// Means and variances of g, and how far they are known.
pub(super) struct ClassMeanEstimates {
    pub(super) moments: PerClass<ClassMoments>,
    pub(super) learnt: PerClass<TrainingMoments>,
    pub(super) worth: EffectiveSampleSize,
}

/// One class.
struct OfClass {
    moments: ClassMoments,
    learnt: TrainingMoments,
    /// S.
    sums: Vec<f64>,
}

impl ClassMeanEstimates {
    /// Of the rows' values of g.
    pub(super) fn new(design: &Design, values: &PerClass<Vec<f64>>) -> Self {
        let (means, shares) = (design.means(values), design.shares());
        let positive = OfClass::new(design, Class::Positive, &values.positive, &shares.positive, means.positive);
        let negative = OfClass::new(design, Class::Negative, &values.negative, &shares.negative, means.negative);
        let n = PerClass { positive: values.positive.len() as f64, negative: values.negative.len() as f64 };
        let covariance = design.cluster_number().map_or(0.0, |clusters| {
            let products =
                positive.sums.iter().zip(&negative.sums).map(|(p, n)| p * n).collect::<CompensatedSum>().value();
            unbiased(clusters as f64) * products * (n.positive * n.negative).sqrt()
        });
        let each =
            |all: PerClass<f64>| PerClass { positive: all.positive / n.positive, negative: all.negative / n.negative };
        let clusters = design.cluster_number().map(|number| number as f64 / (n.positive + n.negative));
        let worth = EffectiveSampleSize {
            effective: each(design.effective()),
            units: each(design.units()),
            clusters,
            covariance,
        };
        Self {
            moments: PerClass { positive: positive.moments, negative: negative.moments },
            learnt: PerClass { positive: positive.learnt, negative: negative.learnt },
            worth,
        }
    }
}

impl OfClass {
    fn new(design: &Design, class: Class, values: &[f64], shares: &[f64], mean: f64) -> Self {
        let n = values.len() as f64;
        let apart = || values.iter().zip(shares).map(|(g, share)| (g - mean, *share));
        let sum = |term: fn((f64, f64)) -> f64| apart().map(term).collect::<CompensatedSum>().value();
        let squares = sum(|(_, share)| share * share);
        // One row that has all of the weight shows no spread, as a single row does not.
        let unbiased_variance = if squares < 1.0 { 1.0 / (1.0 - squares) } else { 1.0 };
        let variance = unbiased_variance * sum(|(d, share)| share * d * d);
        let sums = design.by_unit(class, apart().map(|(d, share)| share * d));
        let spreads = design.by_unit(class, apart().map(|(d, share)| share * d * d));
        let over_units =
            |term: fn((&f64, &f64)) -> f64| sums.iter().zip(&spreads).map(term).collect::<CompensatedSum>().value();
        let of_mean =
            unbiased(design.cluster_number().map_or(n, |number| number as f64)) * over_units(|(sum, _)| sum * sum);
        let of_sums = n * n * over_units(|(sum, _)| sum * sum * sum);
        let third = ThirdMoments {
            whole: sum(|(d, share)| share * d * d * d),
            learnt: of_sums,
            of_test: n * over_units(|(sum, spread)| sum * spread),
            of_training: of_sums,
        };
        Self {
            moments: ClassMoments { mean, variance },
            learnt: TrainingMoments { variance: n * of_mean, third },
            sums,
        }
    }
}

/// n/(n − 1), by which sums of squares about a mean are too small; of a single unit there is none.
fn unbiased(n: f64) -> f64 {
    if n > 1.0 { n / (n - 1.0) } else { 1.0 }
}
