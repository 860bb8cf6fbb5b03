//! The precision of a quantifier: its variances per score, the third moments of its influence
//! function, and the effective size of its labelled sample.

use super::quadratic::Quadratic;
use crate::PerClass;

/// Variance components per score of a quantifier without bias.
///
/// V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋, plus 2α(1−α) w₊₋/√(n₊n₋) if clusters of
/// labelled scores hold both classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// t±: the sampling variance of one test score, by class.
    pub test: PerClass<f64>,
    /// w±: the training variance of one labelled score, by class.
    pub training: PerClass<f64>,
    /// n±: the numbers of labelled scores; `None` if the distributions are known.
    pub labelled: Option<PerClass<u64>>,
    pub(crate) third: PerClass<ThirdMoments>,
    /// The moments of an unseen error of each class.
    pub(crate) unseen: PerClass<UnseenError>,
    /// The effective sizes of the labelled sample with its weights and clusters.
    pub(crate) sample_size: EffectiveSampleSize,
}

/// Number of labelled scores that stands for known distributions.
const UNLIMITED_LABELS: f64 = u64::MAX as f64;

impl Precision {
    /// Precision of an influence function g in units of E₊g − E₋g.
    pub(crate) fn new(
        test: PerClass<f64>,
        training: PerClass<f64>,
        third: PerClass<ThirdMoments>,
        labelled: Option<PerClass<u64>>,
    ) -> Self {
        let unseen = PerClass { positive: UnseenError::JEFFREYS, negative: UnseenError::JEFFREYS };
        Self { test, training, labelled, third, unseen, sample_size: EffectiveSampleSize::PLAIN }
    }

    /// Makes the unseen error of each class like a score of the other class, for rates that are means
    /// over labelled scores.
    pub(crate) fn with_errors_like_the_other_class(self) -> Self {
        let unseen = PerClass {
            positive: UnseenError::like_other_class(-1.0, self.test.negative, self.third.negative.score),
            negative: UnseenError::like_other_class(1.0, self.test.positive, self.third.positive.score),
        };
        Self { unseen, ..self }
    }

    /// Interpolates linearly between the precisions of two functions with the same labelled scores.
    fn interpolate(&self, other: &Self, share: f64) -> Self {
        let number = |a: &f64, b: &f64| a + share * (b - a);
        Self {
            test: self.test.zip_map(&other.test, number),
            training: self.training.zip_map(&other.training, number),
            third: self.third.zip_map(&other.third, |a, b| a.interpolate(b, share)),
            unseen: self.unseen.zip_map(&other.unseen, |a, b| a.interpolate(b, share)),
            ..*self
        }
    }

    /// Interpolates precisions at rising prevalences, at the prevalence alpha.
    pub(crate) fn between(precisions: &[(f64, Self)], alpha: f64) -> Self {
        let after = precisions.partition_point(|(at, _)| *at < alpha).clamp(1, precisions.len() - 1);
        let [(from, below), (to, above)] = [&precisions[after - 1], &precisions[after]];
        below.interpolate(above, ((alpha - from) / (to - from)).clamp(0.0, 1.0))
    }

    /// Sampling variance of n test scores, given their classes: [α t₊ + (1−α) t₋]/n.
    pub fn sampling_variance(&self, alpha: f64, n: f64) -> f64 {
        (alpha * self.test.positive + (1.0 - alpha) * self.test.negative) / n
    }

    /// Training variance: α² w₊/n₊ + (1−α)² w₋/n₋ + 2α(1−α) w₊₋/√(n₊n₋).
    pub fn training_variance(&self, alpha: f64) -> f64 {
        let (Self { training, .. }, sizes) = (self, self.sizes());
        alpha * alpha * training.positive / sizes.positive
            + (1.0 - alpha).powi(2) * training.negative / sizes.negative
            + 2.0 * alpha * (1.0 - alpha) * self.covariance()
    }

    /// The covariance of the two class means: w₊₋/√(n₊n₋).
    pub(crate) fn covariance(&self) -> f64 {
        let PerClass { positive, negative } = self.sizes();
        self.sample_size.covariance / (positive * negative).sqrt()
    }

    /// The basis of V for n test scores; `None` if the distributions are known.
    pub(super) fn basis(&self, n: f64) -> Option<VarianceBasis> {
        self.labelled.map(|labelled| VarianceBasis { precision: *self, labelled, n })
    }

    /// Sets the numbers of labelled scores, `None` for unlimited ones. Known distributions stay
    /// known.
    pub(crate) fn with_labelled(&self, labelled: Option<PerClass<u64>>) -> Self {
        Self { labelled: self.labelled.and(labelled), ..*self }
    }

    /// The degrees of freedom of the labelled scores' clusters; `None` if the classes are drawn
    /// independently.
    pub(crate) fn cluster_dof(&self) -> Option<f64> {
        self.sample_size.common_units(self.labelled.as_ref()?).map(|units| units - 1.0)
    }

    /// The variance of each class mean: w±/n±.
    pub(crate) fn class_mean_variances(&self) -> PerClass<f64> {
        self.training.zip_map(&self.sizes(), |training, n| training / n)
    }

    /// The third moments with those of the unseen errors.
    pub(crate) fn third_with_unseen(&self) -> PerClass<ThirdMoments> {
        let Self { third, unseen, .. } = self;
        let Some(labelled) = &self.labelled else { return *third };
        let effective = self.sample_size.effective(labelled);
        PerClass::from_fn(|class| third.get(class).plus(unseen.get(class).cube / effective.get(class)))
    }

    /// Returns the numbers of independent labelled scores whose class means have the same variances;
    /// `None` if a variance is 0.
    pub(crate) fn effective_sizes(&self) -> Option<PerClass<f64>> {
        let sizes = self.test.zip_map(&self.class_mean_variances(), |test, variance| test / variance);
        (sizes.positive.is_finite() && sizes.negative.is_finite()).then_some(sizes)
    }

    /// Returns the correlation of the errors of the two class means.
    pub(crate) fn class_mean_correlation(&self) -> f64 {
        let PerClass { positive, negative } = self.class_mean_variances();
        let correlation = self.covariance() / (positive * negative).sqrt();
        if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 }
    }

    pub(crate) fn effective_n(&self) -> PerClass<f64> {
        self.labelled.map_or(self.sizes(), |labelled| self.sample_size.effective(&labelled))
    }

    /// The degrees of freedom of each class mean.
    pub(crate) fn class_dof(&self) -> PerClass<f64> {
        self.labelled.map_or(self.sizes(), |labelled| self.sample_size.units(&labelled)).map(|n| (n - 1.0).max(1.0))
    }

    /// n± as divisors.
    pub(crate) fn sizes(&self) -> PerClass<f64> {
        let known = PerClass { positive: UNLIMITED_LABELS, negative: UNLIMITED_LABELS };
        self.labelled.map_or(known, |labelled| labelled.map(|n| *n as f64))
    }
}

/// Returns the prevalence whose influence function tests α against an estimate, for a quantifier
/// with one function per prevalence: α, but no nearer to 0 or 1 than the estimate.
pub(crate) fn testing_prevalence(alpha: f64, estimate: f64) -> f64 {
    let rest = 1.0 - estimate;
    alpha.clamp(estimate.min(rest), estimate.max(rest))
}

/// The basis from which V is estimated: the precision and the numbers of labelled and test scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VarianceBasis {
    pub(super) precision: Precision,
    pub(super) labelled: PerClass<u64>,
    pub(super) n: f64,
}

impl VarianceBasis {
    /// The variance of unseen errors, which are too rare to occur in the labelled sample.
    ///
    /// A sample without errors does not prove a classifier without errors. The unseen error of a class
    /// adds its mean square over n± to the variance of the class ([`UnseenError`]). If the classes
    /// overlap, this is negligible. For weighted scores n± is their effective number.
    pub(super) fn unseen(&self) -> Quadratic {
        self.unseen_parts(|each, labelled| (each / self.n, each / labelled))
    }

    /// The part of the unseen errors' variance that is due to the test scores.
    pub(super) fn unseen_in_test(&self) -> Quadratic {
        self.unseen_parts(|each, _| (each / self.n, 0.0))
    }

    /// The part of the unseen errors' variance that is due to the class means.
    pub(super) fn unseen_in_means(&self) -> PerClass<f64> {
        let effective = self.precision.sample_size.effective(&self.labelled);
        self.precision.unseen.zip_map(&effective, |unseen, n| unseen.square / n / n)
    }

    /// Variance of the unseen errors, from their variances of the test and of the labelled mean.
    fn unseen_parts(&self, parts: impl Fn(f64, f64) -> (f64, f64)) -> Quadratic {
        let (effective, unseen) = (self.precision.sample_size.effective(&self.labelled), &self.precision.unseen);
        let by_class = unseen.zip_map(&effective, |unseen, labelled| parts(unseen.square / labelled, *labelled));
        let PerClass { positive, negative } = Quadratic::from_classes(&by_class, 0.0);
        positive.plus(&negative)
    }

    /// The degrees of freedom of the less certain class mean.
    pub(super) fn min_dof(&self) -> f64 {
        let PerClass { positive, negative } = self.precision.sample_size.units(&self.labelled);
        (positive.min(negative) - 1.0).max(1.0)
    }

    /// The degrees of freedom of a variance from the contributions V± of both classes, after
    /// Satterthwaite (1946): V²/(V₊²/(n₊−1) + V₋²/(n₋−1)).
    ///
    /// n± is the effective number of weighted scores, or the number of clusters that hold the
    /// class. With clusters or strata, the degrees of freedom are at most the number of all clusters or
    /// rows less the number of strata.
    pub(super) fn dof(&self, classes: &PerClass<f64>, variance: f64) -> f64 {
        let worth = &self.precision.sample_size;
        let units = worth.units(&self.labelled);
        let term = |variance: f64, units: f64| variance.powi(2) / (units - 1.0).max(1.0);
        let terms = term(classes.positive, units.positive) + term(classes.negative, units.negative);
        let dof = variance.powi(2) / terms;
        let max = worth.common_units(&self.labelled).map_or(f64::INFINITY, |units| units - 1.0);
        // Without rounding errors, the result is at least the smaller class's degrees of freedom.
        if dof.is_nan() { max } else { dof.min(max).max(1.0) }
    }
}

/// The moments of an unseen error of one class: of the part of a labelled score that stands for
/// scores of the class that are too rare to be labelled, about the class mean and in units of
/// E₊g − E₋g.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UnseenError {
    /// The mean square, times the part of a score.
    pub(crate) square: f64,
    /// The mean cube, times the part of a score.
    pub(crate) cube: f64,
}

impl UnseenError {
    /// Half a score at the mean of the other class, as Jeffreys' prior has an error rate of
    /// (0 + ½)/n.
    const JEFFREYS: Self = Self { square: 0.5, cube: 0.0 };

    /// The part of a score that is like the scores of the other class, for a g of any shape.
    ///
    /// Between the ½ of Jeffreys and the 1 of Laplace. In simulations with many shapes of scores,
    /// intervals cover too seldom with ½, and are wider than needed with 1.
    const PART: f64 = 0.75;

    /// An error that is like a score of the other class, whose mean is `offset` from the class mean,
    /// with its variance and third central moment.
    fn like_other_class(offset: f64, variance: f64, third: f64) -> Self {
        let (square, cube) = (offset * offset + variance, offset * (offset * offset + 3.0 * variance) + third);
        Self { square: Self::PART * square, cube: Self::PART * cube }
    }

    /// Interpolates linearly between two errors.
    fn interpolate(&self, other: &Self, share: f64) -> Self {
        let between = |a: f64, b: f64| a + share * (b - a);
        Self { square: between(self.square, other.square), cube: between(self.cube, other.cube) }
    }
}

/// Third moments of one class, in units of (E₊g − E₋g)³. h is the estimated part of g − Eg
/// (`inference::skewness`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ThirdMoments {
    /// E(g − Eg)³.
    pub(crate) score: f64,
    /// Eh³.
    pub(crate) training: f64,
    /// E((g − Eg)² h).
    pub(crate) test_covariance: f64,
    /// E(h²(2(g − Eg) − h)).
    pub(crate) training_covariance: f64,
}

impl ThirdMoments {
    /// Moments of an empirical distribution, for which h is g − Eg.
    pub(crate) fn empirical(third: f64) -> Self {
        Self { score: third, training: third, test_covariance: third, training_covariance: third }
    }

    /// Interpolates linearly between two sets of moments.
    fn interpolate(&self, other: &Self, share: f64) -> Self {
        let between = |a: f64, b: f64| a + share * (b - a);
        Self {
            score: between(self.score, other.score),
            training: between(self.training, other.training),
            test_covariance: between(self.test_covariance, other.test_covariance),
            training_covariance: between(self.training_covariance, other.training_covariance),
        }
    }

    /// Adds the third moment of independent scores, for which h is g − Eg.
    fn plus(&self, third: f64) -> Self {
        Self {
            score: self.score + third,
            training: self.training + third,
            test_covariance: self.test_covariance + third,
            training_covariance: self.training_covariance + third,
        }
    }

    pub(crate) fn times(&self, factor: f64) -> Self {
        let Self { score: whole, training: learnt, test_covariance: of_test, training_covariance: of_training } = self;
        Self {
            score: whole * factor,
            training: learnt * factor,
            test_covariance: of_test * factor,
            training_covariance: of_training * factor,
        }
    }
}

/// The effective sizes of a labelled sample, per score, so that they also hold for a larger sample
/// with the same design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EffectiveSampleSize {
    /// The effective number of scores, (Σw)²/Σw², per score.
    pub(crate) effective: PerClass<f64>,
    /// Sampled units per score: the clusters that hold the class, or the effective number without
    /// clusters. The degrees of freedom are the number of units less 1.
    pub(crate) units: PerClass<f64>,
    /// Sampled units of either class per score, less further strata; `None` if the classes are drawn
    /// independently, without clusters and strata.
    pub(crate) common_units: Option<f64>,
    /// The covariance of the two class means, times √(n₊n₋).
    pub(crate) covariance: f64,
}

impl EffectiveSampleSize {
    /// A simple random sample without weights.
    pub(crate) const PLAIN: Self = {
        let one = PerClass { positive: 1.0, negative: 1.0 };
        Self { effective: one, units: one, common_units: None, covariance: 0.0 }
    };

    /// The effective number of n± scores.
    pub(crate) fn effective(&self, labelled: &PerClass<u64>) -> PerClass<f64> {
        times(&self.effective, labelled)
    }

    /// The number of sampled units in n± scores.
    pub(crate) fn units(&self, labelled: &PerClass<u64>) -> PerClass<f64> {
        times(&self.units, labelled)
    }

    /// The number of sampled units of either class in n± scores, less further strata; `None` if the
    /// classes are drawn independently.
    pub(crate) fn common_units(&self, labelled: &PerClass<u64>) -> Option<f64> {
        self.common_units.map(|each| each * (labelled.positive + labelled.negative) as f64)
    }
}

fn times(per_score: &PerClass<f64>, labelled: &PerClass<u64>) -> PerClass<f64> {
    per_score.zip_map(labelled, |per_score, labelled| per_score * *labelled as f64)
}
