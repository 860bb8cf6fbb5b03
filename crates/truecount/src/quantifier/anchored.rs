//! The estimator that turns the mean of an influence function g into a prevalence, with its
//! variance.
//!
//! ```text
//! α̂ = (mean g − a₋)/(a₊ − a₋)
//! V(α) = [(α v₊ + (1−α) v₋)/n + α² w₊/n₊ + (1−α)² w₋/n₋] / (a₊ − a₋)²
//! ```
//!
//! Here a± are the class means of g (the two rates), v± its class variances, and w±/n± the
//! variances of the rates. The rates have one of two sources:
//!
//! * The fitted family: a± and v± are moments of the fitted distributions and w± = bᵀI⁻¹b
//!   (`inference::learning`).
//! * The labelled scores: a± are means of g over the labelled scores and w± = v±, as in Adjusted
//!   Count. The estimate is consistent for every g, even if the family is wrong. For labelled rows
//!   with weights or in clusters, `class_means` has the estimates.

use super::class_means::{ClassMeanEstimates, PairCovariance};
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::choice::choice;
use crate::design::LabelDesign;
use crate::inference::{
    EffectiveSampleSize, FamilyError, FamilyMisfit, Precision, Quadratic, SystematicError, ThirdMoments,
    TrainingMoments, Variance,
};
use crate::numeric::sum::CompensatedSum;
use crate::sweep::ClassMoments;
use crate::tally::{InfluenceFunction, SampleStatistics};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};

/// The source of the rates of a linear quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateSource {
    /// The fitted family: efficient if the family is right.
    Family,
    /// The labelled scores: consistent even if the family is wrong.
    Labels,
}

impl RateSource {
    /// Both sources: name, source, summary.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("family", Self::Family, "rates of the fitted family: best where the family is right"),
        ("labels", Self::Labels, "rates of the labelled scores: right for any family"),
    ];
}

choice!(RateSource, "rates");

/// The class means of g, which correct the mean of g over the test scores, and their uncertainty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearEstimator {
    moments: PerClass<ClassMoments>,
    correction: Correction,
    evidence: LabelEvidence,
    /// Whether unseen errors are like scores of the other class. Otherwise they are half a score at
    /// the mean of the other class.
    errors_like_the_other_class: bool,
}

/// Further evidence of the labelled scores.
#[derive(Clone, Copy, Debug)]
enum LabelEvidence {
    /// No further evidence.
    None,
    /// About rates that come from a fitted family.
    Family(FamilyMisfit),
    /// The covariance of g within clusters.
    Clusters(PairCovariance),
}

/// The correction of the mean of g.
#[derive(Clone, Copy, Debug)]
enum Correction {
    /// By known class means.
    Known,
    /// By class means that are estimated from `labelled` scores.
    Estimated { training: PerClass<TrainingMoments>, labelled: PerClass<u64>, sample_size: EffectiveSampleSize },
    /// No correction: the mean of g is the estimate, as if the class means were 0 and 1.
    None,
}

/// The numbers that turn the mean of g over test scores into an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EstimatorCoefficients {
    /// a₋.
    pub(crate) negative: f64,
    /// a₊ − a₋.
    pub(crate) distance: f64,
    /// V(α) of the corrected estimate; `None` if the estimate is uncorrected.
    pub(crate) precision: Option<Precision>,
}

impl LinearEstimator {
    /// Creates the estimator without further evidence, with half an error as the unseen error.
    fn new(moments: PerClass<ClassMoments>, correction: Correction) -> Self {
        Self { moments, correction, evidence: LabelEvidence::None, errors_like_the_other_class: false }
    }

    /// Returns the numbers that turn the mean of g into an estimate.
    pub(crate) fn coefficients(&self) -> EstimatorCoefficients {
        EstimatorCoefficients {
            negative: self.moments.negative.mean,
            distance: self.mean_difference(),
            precision: self.precision(),
        }
    }

    /// Returns the estimator with rates of known distributions.
    pub(super) fn with_known_rates(moments: PerClass<ClassMoments>) -> Self {
        Self::new(moments, Correction::Known)
    }

    /// Returns the estimator with rates of distributions that are fitted to `labelled` scores.
    pub(super) fn with_model_rates(
        moments: PerClass<ClassMoments>,
        training: PerClass<TrainingMoments>,
        labelled: PerClass<u64>,
    ) -> Self {
        Self::new(moments, Correction::Estimated { training, labelled, sample_size: EffectiveSampleSize::PLAIN })
    }

    /// Adds the misfit of the labelled scores to rates from a fitted family. `labelled` has the
    /// input values of the labelled scores.
    pub(super) fn with_misfit(self, influence: &InfluenceFunction, labelled: &PerClass<Vec<f64>>) -> Self {
        let Correction::Estimated { training, labelled: sizes, .. } = self.correction else { return self };
        let sum = |scores: &Vec<f64>| scores.iter().map(|s| influence.value(*s)).collect::<CompensatedSum>().value();
        let means = labelled.map(sum).zip_map(&sizes, |sum, n| sum / *n as f64);
        let misfit = FamilyMisfit::new(&self.moments, &training, means, sizes);
        Self { evidence: misfit.map_or(LabelEvidence::None, LabelEvidence::Family), ..self }
    }

    /// Returns the estimator whose unseen errors are like scores of the other class, for functions g
    /// of any shape.
    pub(super) fn with_errors_like_the_other_class(self) -> Self {
        Self { errors_like_the_other_class: true, ..self }
    }

    /// Returns whether the rates come from a fitted family.
    pub(crate) fn has_family_rates(&self) -> bool {
        matches!(self.evidence, LabelEvidence::Family(_))
    }

    /// Returns the bias of an estimate that the labelled scores show in the rates of the family, or
    /// `None` if the rates do not come from a family.
    pub(super) fn family_bias(&self, prevalence: f64) -> Option<FamilyError> {
        match self.evidence {
            LabelEvidence::Family(misfit) => Some(misfit.error(prevalence)),
            _ => None,
        }
    }

    /// Returns (α a₊ + (1−α) a₋)/(a₊ − a₋) with the class means a± of g.
    pub(super) fn mixture_mean(&self, alpha: f64) -> f64 {
        let PerClass { positive, negative } = self.moments.map(|m| m.mean);
        (alpha * positive + (1.0 - alpha) * negative) / self.mean_difference()
    }

    /// Returns the estimator with rates of the labelled rows, under their sampling design.
    ///
    /// # Errors
    /// Returns an error if the input values cannot be computed.
    pub(super) fn with_labelled_rates(
        influence: &InfluenceFunction,
        training: &Training,
        input: InputKind,
    ) -> Result<Self, Error> {
        let inputs = training.column(input)?;
        match training.labelled().design() {
            None => Self::with_sample_rates(influence, inputs),
            Some(design) => Ok(Self::with_design_rates(design, &values(influence, inputs))),
        }
    }

    /// Returns the estimator with rates of a simple random sample of labelled scores.
    ///
    /// # Errors
    /// Returns [`Problem::NotFinite`](crate::Problem::NotFinite) if a score is not finite; labelled
    /// scores are.
    pub(super) fn with_sample_rates(
        influence: &InfluenceFunction,
        labelled: &PerClass<Vec<f64>>,
    ) -> Result<Self, Error> {
        let moments = sample_moments(influence, labelled)?;
        let training = moments.zip_map(labelled, |moments, scores| {
            let cubes =
                scores.iter().map(|s| (influence.value(*s) - moments.mean).powi(3)).collect::<CompensatedSum>().value();
            TrainingMoments { variance: moments.variance, third: ThirdMoments::empirical(cubes / scores.len() as f64) }
        });
        let (labelled, sample_size) = (labelled.sizes(), EffectiveSampleSize::PLAIN);
        Ok(Self::new(moments, Correction::Estimated { training, labelled, sample_size }))
    }

    /// Returns the estimator with rates of labelled rows with weights or in clusters, from the
    /// values of g for the rows.
    pub(super) fn with_design_rates(design: &LabelDesign, values: &PerClass<Vec<f64>>) -> Self {
        let ClassMeanEstimates { moments, training, sample_size, within_clusters } =
            ClassMeanEstimates::new(design, values);
        let correction = Correction::Estimated { training, labelled: values.sizes(), sample_size };
        let evidence = within_clusters.map_or(LabelEvidence::None, LabelEvidence::Clusters);
        Self { evidence, ..Self::new(moments, correction) }
    }

    /// Returns the estimator with rates of a simple random sample, from the distinct values of g
    /// and the number of labelled scores with each value.
    pub(super) fn with_counted_rates(labelled: &PerClass<Vec<(f64, u64)>>) -> Self {
        let sizes = labelled.map(|values| values.iter().map(|(_, count)| count).sum::<u64>());
        let sum = |values: &[(f64, u64)], term: &dyn Fn(f64) -> f64| {
            values.iter().map(|(value, count)| *count as f64 * term(*value)).collect::<CompensatedSum>().value()
        };
        let moments = |values: &[(f64, u64)], n: u64| {
            let mean = sum(values, &|value| value) / n as f64;
            let variance = sum(values, &|value| (value - mean).powi(2)) / (n as f64 - 1.0).max(1.0);
            let third = ThirdMoments::empirical(sum(values, &|value| (value - mean).powi(3)) / n as f64);
            (ClassMoments { mean, variance }, TrainingMoments { variance, third })
        };
        let (positive, negative) =
            (moments(&labelled.positive, sizes.positive), moments(&labelled.negative, sizes.negative));
        let training = PerClass { positive: positive.1, negative: negative.1 };
        let moments = PerClass { positive: positive.0, negative: negative.0 };
        let sample_size = EffectiveSampleSize::PLAIN;
        Self::new(moments, Correction::Estimated { training, labelled: sizes, sample_size })
    }

    /// Returns the estimator without a correction: the mean of g is the estimate.
    ///
    /// # Errors
    /// Returns an error if the input values cannot be computed.
    pub(super) fn uncorrected(
        influence: &InfluenceFunction,
        training: &Training,
        input: InputKind,
    ) -> Result<Self, Error> {
        let inputs = training.column(input)?;
        let moments = match training.labelled().design() {
            None => sample_moments(influence, inputs)?,
            Some(design) => ClassMeanEstimates::new(design, &values(influence, inputs)).moments,
        };
        Ok(Self::new(moments, Correction::None))
    }

    /// Returns the mean and the variance of g in both classes.
    pub(super) fn moments(&self) -> &PerClass<ClassMoments> {
        &self.moments
    }

    /// Returns a₊ − a₋.
    pub(super) fn mean_difference(&self) -> f64 {
        self.moments.positive.mean - self.moments.negative.mean
    }

    /// Returns the covariance of two estimates' contributions within a cluster, given their classes,
    /// in units of (a₊ − a₋)²; `None` if the labelled scores do not show it.
    pub(super) fn covariance_within_clusters(&self, alpha: f64) -> Option<f64> {
        match self.evidence {
            LabelEvidence::Clusters(covariance) => Some(covariance.at(alpha) / self.mean_difference().powi(2)),
            _ => None,
        }
    }

    /// Returns a₊ − a₋ and its standard error, if the rates are estimated.
    pub(super) fn class_difference(&self) -> Option<(f64, f64)> {
        let Correction::Estimated { training: PerClass { positive, negative }, labelled, sample_size } =
            self.correction
        else {
            return None;
        };
        let n = labelled.map(|n| *n as f64);
        let covariance = sample_size.covariance / (n.positive * n.negative).sqrt();
        let variance = positive.variance / n.positive + negative.variance / n.negative - 2.0 * covariance;
        Some((self.mean_difference(), variance.max(0.0).sqrt()))
    }

    /// Describes the errors that V(α) includes.
    pub(super) fn variance_description(&self) -> &'static str {
        match self.correction {
            Correction::Known => "sampling of the new rows only, as the classes' distributions are known",
            Correction::Estimated { .. } => "sampling of the new and the labelled rows",
            Correction::None => "sampling of the new rows; without the bias of the count",
        }
    }

    /// Returns V(α) by source, or `None` without a correction, as the mean of g then does not
    /// estimate α.
    pub(super) fn precision(&self) -> Option<Precision> {
        let (training, labelled, sample_size) = match self.correction {
            Correction::Known => (PerClass::default(), None, EffectiveSampleSize::PLAIN),
            Correction::Estimated { training, labelled, sample_size } => (training, Some(labelled), sample_size),
            Correction::None => return None,
        };
        let unit = self.mean_difference().recip();
        let precision = Precision::new(
            self.moments.map(|m| m.variance * unit * unit),
            training.map(|training| training.variance * unit * unit),
            training.map(|training| training.third.times(unit.powi(3))),
            labelled,
        );
        let precision =
            if self.errors_like_the_other_class { precision.with_errors_like_the_other_class() } else { precision };
        let covariance = sample_size.covariance * unit * unit;
        Some(Precision { sample_size: EffectiveSampleSize { covariance, ..sample_size }, ..precision })
    }

    /// Returns the unclipped estimate.
    pub(super) fn raw(&self, statistics: &SampleStatistics) -> f64 {
        match self.correction {
            Correction::None => statistics.mean(),
            Correction::Known | Correction::Estimated { .. } => self.corrected(statistics.mean()),
        }
    }

    pub(super) fn corrected(&self, mean: f64) -> f64 {
        (mean - self.moments.negative.mean) / self.mean_difference()
    }

    /// Returns the estimate from the statistics of g over the test scores.
    pub(super) fn estimate(&self, statistics: &SampleStatistics) -> RawEstimate {
        let (alpha, shift) = self.prevalence_and_shift(statistics);
        let n = self.effective_n(statistics, alpha, shift);
        let gain = self.score_variance(alpha, 0.0) / self.score_variance(alpha, shift);
        let source = || EstimateSource::Mean {
            n,
            function: 0,
            weight_shift: shift,
            total: statistics.total,
            fpc: 0.0,
            test_dof: f64::INFINITY,
            misfit_variance: SystematicError::NONE,
            contributions: None,
        };
        let raw = self.raw(statistics);
        RawEstimate {
            effective_n: Some(n),
            class_weight_gain: if gain.is_finite() { gain } else { 1.0 },
            variance: Some(self.variance(alpha, n, shift)),
            origin: self.is_corrected().then(source),
            ..RawEstimate::without_variance(raw, Vec::new())
        }
    }

    /// Returns the prevalence of test scores, clipped to [0, 1], and how much higher it is with squared
    /// weights.
    pub(super) fn prevalence_and_shift(&self, statistics: &SampleStatistics) -> (f64, f64) {
        let alpha = clipped(self.corrected(statistics.mean()));
        (alpha, clipped(self.corrected(statistics.mean_by_squared_weight)) - alpha)
    }

    /// Returns the prevalence of an estimate, clipped to [0, 1]; of an uncorrected one by correcting it.
    pub(super) fn prevalence(&self, raw: f64) -> f64 {
        clipped(if self.is_corrected() { raw } else { self.corrected(raw) })
    }

    fn is_corrected(&self) -> bool {
        !matches!(self.correction, Correction::None)
    }

    /// Returns the unit of estimates: a₊ − a₋, or 1 without a correction.
    pub(super) fn unit(&self) -> f64 {
        if self.is_corrected() { self.mean_difference() } else { 1.0 }
    }

    /// Returns V for n test scores with the prevalence alpha.
    pub(super) fn variance(&self, alpha: f64, n: f64, shift: f64) -> Variance {
        match self.precision() {
            Some(precision) => precision.variance(n, shift),
            None => self.uncorrected_variance(alpha, n, shift),
        }
    }

    /// Returns the effective number of test scores: Kish's, corrected for weights that depend on g
    /// within a class, as when rows are drawn by their scores.
    ///
    /// The correction is the ratio of the variances Σw²(g−ḡ)²/Σw² and Σw(g−ḡ)²/Σw, over its
    /// expectation for weights that depend only on the class. With it the variance for the
    /// population is Σw²(g−ḡ)²/(Σw)² in units of (a₊ − a₋)², as for a mean in R's package survey. The
    /// effective number is at most the number of scores, since the ratio of a few scores is noise.
    fn effective_n(&self, statistics: &SampleStatistics, alpha: f64, shift: f64) -> f64 {
        let kish = statistics.effective_size;
        let expected = |shift| self.score_variance(alpha, shift);
        let correction = statistics.variance_ratio().map(|ratio| ratio * expected(0.0) / expected(shift));
        let correction = correction.filter(|correction| correction.is_finite() && *correction > 0.0);
        (kish / correction.unwrap_or(1.0)).min(statistics.n)
    }

    /// Returns the variance of g over scores of a population with prevalence alpha, whose prevalence
    /// by squared weights is higher by `shift`.
    fn score_variance(&self, alpha: f64, shift: f64) -> f64 {
        let PerClass { positive, negative } = self.moments.map(|m| m.variance);
        let between = Quadratic::weighted_binomial(1.0, shift).at(alpha) * self.mean_difference().powi(2);
        (alpha + shift) * positive + (1.0 - alpha - shift) * negative + between
    }

    /// Returns the variance of an uncorrected estimate from n scores at the corrected estimate
    /// alpha.
    ///
    /// The variance is constant: an uncorrected quantifier estimates E g instead of α, so that V(α)
    /// cannot be evaluated at its own estimate.
    fn uncorrected_variance(&self, alpha: f64, n: f64, shift: f64) -> Variance {
        let PerClass { positive, negative } = self.moments.map(|m| m.variance);
        let sampling = Quadratic::weighted_binomial(n, shift).at(alpha);
        let by_class = PerClass {
            positive: Quadratic::constant((alpha + shift) * positive / n),
            negative: Quadratic::constant((1.0 - alpha - shift) * negative / n),
        };
        Variance {
            test: by_class.positive.plus(&by_class.negative),
            by_class,
            class_covariance: Quadratic::constant(0.0),
            binomial: Quadratic::constant(sampling * self.mean_difference().powi(2)),
            training_basis: None,
            test_dof: f64::INFINITY,
            labelled_share: 0.0,
        }
    }
}

/// Returns an estimate clipped to [0, 1], or ½ if the estimate is not finite because the classes do
/// not differ.
fn clipped(estimate: f64) -> f64 {
    if estimate.is_finite() { estimate.clamp(0.0, 1.0) } else { 0.5 }
}

/// Returns the values of g for input values of labelled scores.
fn values(influence: &InfluenceFunction, labelled: &PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    labelled.map(|scores| scores.iter().map(|s| influence.value(*s)).collect())
}

/// Returns the mean and the variance of g over labelled scores of both classes.
///
/// Two passes, because Σg²/n − mean² would be mostly rounding error for classes that hardly
/// overlap.
fn sample_moments(
    influence: &InfluenceFunction,
    labelled: &PerClass<Vec<f64>>,
) -> Result<PerClass<ClassMoments>, Error> {
    labelled.try_map(|_, scores| {
        let mean = influence.moments(scores)?.mean();
        let squares = scores.iter().map(|s| (influence.value(*s) - mean).powi(2)).collect::<CompensatedSum>().value();
        Ok(ClassMoments { mean, variance: squares / (scores.len() as f64 - 1.0).max(1.0) })
    })
}
