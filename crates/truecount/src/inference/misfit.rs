//! Misfit of the test scores to every mixture of the labelled classes, which adds to the variance
//! of an estimate, and misfit of the labelled scores to a fitted family, which biases an estimate.
//!
//! # Test scores
//!
//! The deviations of the test scores from the nearest mixture have the mean square T, whose
//! expectation by chance alone is E T. The scale factor S = √(T/E T) says how many times larger the
//! deviations are than chance explains. It is Birge's ratio (1932; used by the Particle Data
//! Group), for a statistic that weighs deviations over many scores as an estimate does. Deviations
//! along the difference of the classes cannot be seen, because they look like another prevalence.
//! If they are as large as the others, an estimate of variance V has a systematic error of variance
//!
//! ```text
//! (S² − 1) V
//! ```
//!
//! T rests on few deviations, so S² has few degrees of freedom: (Σλ)²/Σλ² of the weights λ in T,
//! about 3. The degrees of freedom of sampling and systematic error are combined as in Welch (1947)
//! and Satterthwaite (1946).
//!
//! # Labelled scores
//!
//! Labelled scores can contradict the fitted classes that provide the rates. Under the family, two
//! values estimate E±g: the expectation of g in the fitted class, with the variance w±/n±
//! (`inference::training_variance`), and the mean of g over the labelled scores of the class, with
//! the larger variance v±/n±. Their difference e± has mean 0 and the variance (v± − w±)/n± (Hausman
//! 1978). The estimates with the one and with the other differ by
//!
//! ```text
//! (α e₊ + (1−α) e₋)/(E₊g − E₋g)
//! ```

use super::skewness::student_quantile;
use super::{OnMisfit, ParallelShift, SharedVariance, TrainingMoments, Warning};
use crate::PerClass;
use crate::numeric::gauss;
use crate::sweep::ClassMoments;

/// Scale factor above which no interval is reliable, as the systematic error is nine tenths of the
/// variance.
pub(crate) const MAX_SCALE: f64 = 3.0;

/// The distance of the test scores from the nearest mixture of the labelled classes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Misfit {
    /// S = √max(1, T/E T): the deviations from the nearest mixture, relative to those by chance.
    pub scale: f64,
    /// The share of the test scores that no mixture explains: the largest excess over the nearest
    /// mixture between any two edges, times √(1 − 1/S²), the share of it that is not chance.
    pub unexplained: f64,
    /// The average distance by which misfit moves the ends of the interval outwards; 0 if it does
    /// not widen the interval.
    pub widening: f64,
    /// The parallel shift of both classes that fits the test scores best; `None` for a total.
    pub parallel_shift: Option<ParallelShift>,
}

/// The result of the shift check for the scores of an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MisfitAssessment {
    pub(crate) misfit: Misfit,
    /// The evidence against a mixture, if the check rejects it.
    pub(crate) alarm: Option<MisfitAlarm>,
}

/// Evidence against a mixture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MisfitAlarm {
    pub(crate) scale: ScaleFactor,
    pub(crate) warning: Warning,
}

impl MisfitAssessment {
    /// Returns the scale factor by which to widen the interval; `None` if it stays as it is.
    pub(crate) fn widening(&self, on_misfit: OnMisfit) -> Option<ScaleFactor> {
        self.alarm.filter(|_| on_misfit == OnMisfit::Widen).map(|alarm| alarm.scale)
    }

    /// Returns the systematic error of the estimate from the shift that groups show together.
    pub(crate) fn shared_error(&self, SharedVariance { variance, dof }: SharedVariance) -> SystematicError {
        let effect = self.misfit.parallel_shift.map_or(0.0, |shift| shift.effect);
        SystematicError { variance: variance * effect * effect, dof }
    }

    /// Returns the warning about the estimate, which is milder if its interval is widened enough.
    pub(crate) fn warning(&self, widened: bool) -> Option<Warning> {
        let MisfitAlarm { scale: ScaleFactor { factor, .. }, warning } = self.alarm?;
        match warning {
            Warning::PriorShiftRejected { p_value, worst, scale } if widened && factor <= MAX_SCALE => {
                Some(Warning::MisfitWidened { p_value, worst, scale })
            }
            warning => Some(warning),
        }
    }
}

/// A scale factor above 1, and the degrees of freedom of its square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScaleFactor {
    pub(crate) factor: f64,
    pub(crate) dof: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SystematicError {
    pub(crate) variance: f64,
    pub(crate) dof: f64,
}

impl ScaleFactor {
    /// The systematic error of an estimate with this sampling variance.
    pub(crate) fn systematic_variance(self, variance: f64) -> SystematicError {
        SystematicError { variance: (self.factor * self.factor - 1.0) * variance, dof: self.dof }
    }
}

impl SystematicError {
    /// No systematic error.
    pub(crate) const NONE: Self = Self { variance: 0.0, dof: f64::INFINITY };

    /// Returns this error relative to a sampling variance.
    pub(crate) fn scale_factor(self, variance: f64) -> ScaleFactor {
        ScaleFactor { factor: (1.0 + self.variance / variance).sqrt(), dof: self.dof }
    }

    /// Returns the larger of two errors.
    pub(crate) fn max(self, other: Self) -> Self {
        if other.variance > self.variance { other } else { self }
    }

    /// Returns the factor by which this error lengthens an interval of z standard errors, for a
    /// sampling error of this variance.
    pub(crate) fn wider(&self, variance: f64, z: f64) -> f64 {
        let student_factor = student_quantile(z, self.dof_with(variance, f64::INFINITY)) / z;
        ((variance + self.variance) / variance).sqrt() * student_factor
    }

    /// The degrees of freedom of the sum of this error and an independent one.
    pub(crate) fn dof_with(&self, variance: f64, dof: f64) -> f64 {
        if self.variance == 0.0 {
            return dof;
        }
        let total = variance + self.variance;
        ((variance / total).powi(2) / dof + (self.variance / total).powi(2) / self.dof).recip()
    }
}

/// Least excess of the labelled mean's variance over that of the fitted mean, as a share of the
/// former. For a flexible fit, such as a kernel density, the two variances are equal.
const MIN_EXCESS_VARIANCE: f64 = 1e-6;

/// The differences between labelled and fitted class means of an influence function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyMisfit {
    /// e±.
    error: PerClass<f64>,
    /// The variance of e± under the family.
    variance: PerClass<f64>,
    /// E₊g − E₋g.
    distance: f64,
}

/// The error of an estimate due to a wrong family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyError {
    /// The estimate less the value with the labelled means: positive if the estimate is too high.
    pub(crate) by: f64,
    /// The two-sided p-value under the family.
    pub(crate) p_value: f64,
}

impl FamilyMisfit {
    /// Compares fitted class means with the means over the labelled scores, whose numbers are
    /// `labelled`. Returns `None` if the fit is so flexible that both means agree.
    pub(crate) fn new(
        fitted: &PerClass<ClassMoments>,
        training: &PerClass<TrainingMoments>,
        means: PerClass<f64>,
        labelled: PerClass<u64>,
    ) -> Option<Self> {
        let variance = |fitted: &ClassMoments, training: &TrainingMoments, n: u64| {
            let excess = fitted.variance - training.variance;
            (excess > MIN_EXCESS_VARIANCE * fitted.variance).then(|| excess / n as f64)
        };
        Some(Self {
            error: means.zip_map(fitted, |mean, fitted| mean - fitted.mean),
            variance: PerClass {
                positive: variance(&fitted.positive, &training.positive, labelled.positive)?,
                negative: variance(&fitted.negative, &training.negative, labelled.negative)?,
            },
            distance: fitted.positive.mean - fitted.negative.mean,
        })
    }

    pub(crate) fn error(&self, prevalence: f64) -> FamilyError {
        let error = |alpha: f64| alpha * self.error.positive + (1.0 - alpha) * self.error.negative;
        // The estimate with the means of the labelled scores.
        let alpha = (prevalence - error(prevalence) / self.distance).clamp(0.0, 1.0);
        let variance = alpha * alpha * self.variance.positive + (1.0 - alpha).powi(2) * self.variance.negative;
        let (by, p_value) = (error(alpha), 2.0 * gauss::tails(error(alpha).abs() / variance.sqrt()).1);
        FamilyError { by: by / self.distance, p_value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::ThirdMoments;

    #[test]
    fn systematic_and_sampling_variance_add_up_to_the_scaled_variance() {
        let systematic = ScaleFactor { factor: 3.0, dof: 4.0 }.systematic_variance(0.02);
        assert!((systematic.variance + 0.02 - 9.0 * 0.02).abs() < 1e-15);
        // 1/f = (1/9)²/16 + (8/9)²/4.
        assert!((systematic.dof_with(0.02, 16.0) - 81.0 / (1.0 / 16.0 + 16.0)).abs() < 1e-12);
        assert_eq!(SystematicError::NONE.dof_with(0.02, 7.0), 7.0);
    }

    #[test]
    fn an_error_of_two_standard_errors_has_the_normal_tail() {
        let class = |mean| ClassMoments { mean, variance: 3.0 };
        let moments = |variance| TrainingMoments { variance, third: ThirdMoments::default() };
        let fitted = PerClass { positive: class(2.0), negative: class(0.0) };
        let (means, sizes) = (PerClass { positive: 2.2, negative: 0.4 }, PerClass { positive: 100, negative: 50 });
        // √((3 − 2)/100) = 0.1 and √((3 − 1)/50) = 0.2.
        let training = PerClass { positive: moments(2.0), negative: moments(1.0) };
        let misfit = FamilyMisfit::new(&fitted, &training, means, sizes).unwrap();
        let off = misfit.error(1.0 + 0.1);
        assert!((off.by - 0.1).abs() < 1e-15 && (off.p_value - 0.045_500_263_896_358_4).abs() < 1e-15, "{off:?}");
        let off = misfit.error(0.0 + 0.2);
        assert!((off.by - 0.2).abs() < 0.03 && off.p_value < 0.1, "{off:?}");
        let kernels = PerClass { positive: moments(3.0), negative: moments(3.0) };
        assert!(FamilyMisfit::new(&fitted, &kernels, means, sizes).is_none());
    }
}
