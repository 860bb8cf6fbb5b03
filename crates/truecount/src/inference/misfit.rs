//! Misfit of the test scores to every mixture of the labelled classes, which adds to the variance of an
//! estimate, and misfit of the labelled scores to a fitted family, which moves an estimate.
//!
//! # Test scores
//!
//! The nearest mixture leaves deviations D from the test scores whose mean square is T, E T by chance alone. A scale factor
//! S = √(T/E T) (Birge 1932; the Particle Data Group's, of a statistic that weighs deviations over many scores as an estimate does) says
//! how many times larger they are than chance explains. Those along the difference of the classes cannot be seen, because they look
//! like another prevalence; if they are as large as the others, an estimate of variance V has a systematic error of variance
//!
//! ```text
//! (S² − 1) V
//! ```
//!
//! S² is known with few degrees of freedom, as T rests on few deviations: (Σλ)²/Σλ² of its weights λ, which is about 3. Where both
//! errors are there, their degrees of freedom are put together as Welch (1947) and Satterthwaite do.
//!
//! # Labelled scores
//!
//! Labelled scores can contradict the fitted classes that rates are taken from. Under the family the mean of g over the labelled scores of a class estimates E±g as its fitted expectation does, only with a
//! larger variance: v±/n± instead of w±/n± (`inference::learning`). Their difference e± then has mean 0 and the variance
//! (v± − w±)/n± (Hausman 1978), and the estimate that takes the one differs from that which takes the other by
//!
//! ```text
//! (α e₊ + (1−α) e₋)/(E₊g − E₋g)
//! ```

use super::skewness::student;
use super::{OnMisfit, TrainingMoments, Warning};
use crate::PerClass;
use crate::numeric::gauss;
use crate::sweep::ClassMoments;

/// The scale factor above which most of an estimate's error is systematic, nine tenths of its variance, and no interval is relied on.
const MOST_SCALE: f64 = 3.0;

/// How far test scores are from the nearest mixture of the labelled classes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Misfit {
    /// S = √max(1, T/E T): how many times larger the deviations from the nearest mixture are than chance explains.
    pub scale: f64,
    /// The share of the test scores that no mixture explains: the largest excess over the nearest mixture between any two edges, times
    /// √(1 − 1/S²), the share of it that is not chance.
    pub unexplained: f64,
    /// By how much each end of the interval is farther from the estimate for it, on average; 0 where it is not widened.
    pub more: f64,
}

/// What the check finds in the scores of an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assessed {
    pub(crate) misfit: Misfit,
    /// Where it speaks against a mixture.
    pub(crate) alarm: Option<Alarm>,
}

/// Evidence against a mixture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alarm {
    pub(crate) scale: Scale,
    pub(crate) warning: Warning,
}

impl Assessed {
    /// By what the interval is widened, if it is.
    pub(crate) fn widening(&self, on: OnMisfit) -> Option<Scale> {
        self.alarm.filter(|_| on == OnMisfit::Widen).map(|alarm| alarm.scale)
    }

    /// What to say of an estimate whose interval is widened, or not.
    pub(crate) fn warning(&self, widened: bool) -> Option<Warning> {
        let Alarm { scale, warning } = self.alarm?;
        match warning {
            Warning::PriorShiftRejected { p_value, worst, scale: told } if widened && scale.factor <= MOST_SCALE => {
                Some(Warning::PriorShiftDoubtful { p_value, worst, scale: told })
            }
            warning => Some(warning),
        }
    }
}

/// A scale factor above 1, and the degrees of freedom with which its square is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) factor: f64,
    pub(crate) freedom: f64,
}

/// The systematic error of one estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Systematic {
    pub(crate) variance: f64,
    pub(crate) freedom: f64,
}

impl Scale {
    /// That of an estimate of this variance.
    pub(crate) fn systematic_variance(self, variance: f64) -> Systematic {
        Systematic { variance: (self.factor * self.factor - 1.0) * variance, freedom: self.freedom }
    }
}

impl Systematic {
    /// None at all.
    pub(crate) const NONE: Self = Self { variance: 0.0, freedom: f64::INFINITY };

    /// How many times farther from the estimate, together with another error of this variance, ends lie that are z standard deviations away.
    pub(crate) fn wider(&self, variance: f64, z: f64) -> f64 {
        let heavier = student(z, self.freedom_with(variance, f64::INFINITY)) / z;
        ((variance + self.variance) / variance).sqrt() * heavier
    }

    /// The degrees of freedom together with another error.
    pub(crate) fn freedom_with(&self, variance: f64, freedom: f64) -> f64 {
        if self.variance == 0.0 {
            return freedom;
        }
        let whole = variance + self.variance;
        ((variance / whole).powi(2) / freedom + (self.variance / whole).powi(2) / self.freedom).recip()
    }
}

/// Share of its variance that a mean of labelled scores must have beyond that of the fitted one: a fit to every detail, as a kernel
/// density is, has none.
const LEAST: f64 = 1e-6;

/// What the labelled scores say of the fitted class means of an influence function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyMisfit {
    /// e±.
    error: PerClass<f64>,
    /// Its variance under the family.
    variance: PerClass<f64>,
    /// E₊g − E₋g.
    distance: f64,
}

/// By how much an estimate is off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Off {
    /// Too high, or if negative too low, by so much.
    pub(crate) by: f64,
    /// The probability of at least that under the family.
    pub(crate) p_value: f64,
}

impl FamilyMisfit {
    /// From the fitted moments of g, what learning their means leaves uncertain, and the means over so many labelled scores; none for
    /// classes that are fitted in every detail.
    pub(crate) fn new(
        fitted: &PerClass<ClassMoments>,
        learnt: &PerClass<TrainingMoments>,
        means: PerClass<f64>,
        labelled: PerClass<u64>,
    ) -> Option<Self> {
        let variance = |fitted: &ClassMoments, learnt: &TrainingMoments, n: u64| {
            let more = fitted.variance - learnt.variance;
            (more > LEAST * fitted.variance).then(|| more / n as f64)
        };
        Some(Self {
            error: PerClass {
                positive: means.positive - fitted.positive.mean,
                negative: means.negative - fitted.negative.mean,
            },
            variance: PerClass {
                positive: variance(&fitted.positive, &learnt.positive, labelled.positive)?,
                negative: variance(&fitted.negative, &learnt.negative, labelled.negative)?,
            },
            distance: fitted.positive.mean - fitted.negative.mean,
        })
    }

    /// For an estimate.
    pub(crate) fn off(&self, prevalence: f64) -> Off {
        let error = |alpha: f64| alpha * self.error.positive + (1.0 - alpha) * self.error.negative;
        // Where the estimate would be with the means of the labelled scores.
        let alpha = (prevalence - error(prevalence) / self.distance).clamp(0.0, 1.0);
        let variance = alpha * alpha * self.variance.positive + (1.0 - alpha).powi(2) * self.variance.negative;
        let (by, p_value) = (error(alpha), 2.0 * gauss::tails(error(alpha).abs() / variance.sqrt()).1);
        Off { by: by / self.distance, p_value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::ThirdMoments;

    #[test]
    fn a_systematic_error_makes_up_for_the_factor() {
        let systematic = Scale { factor: 3.0, freedom: 4.0 }.systematic_variance(0.02);
        assert!((systematic.variance + 0.02 - 9.0 * 0.02).abs() < 1e-15);
        // (1/9)²/16 + (8/9)²/4.
        assert!((systematic.freedom_with(0.02, 16.0) - 81.0 / (1.0 / 16.0 + 16.0)).abs() < 1e-12);
        assert_eq!(Systematic::NONE.freedom_with(0.02, 7.0), 7.0);
    }

    #[test]
    fn an_error_of_two_standard_errors_has_the_normal_tail() {
        let class = |mean| ClassMoments { mean, variance: 3.0 };
        let learnt = |variance| TrainingMoments { variance, third: ThirdMoments::default() };
        let (fitted, sizes) =
            (PerClass { positive: class(2.0), negative: class(0.0) }, PerClass { positive: 100, negative: 50 });
        let learnt_all = PerClass { positive: learnt(2.0), negative: learnt(1.0) };
        // √((3 − 2)/100) = 0.1 and √((3 − 1)/50) = 0.2.
        let misfit = FamilyMisfit::new(&fitted, &learnt_all, PerClass { positive: 2.2, negative: 0.4 }, sizes).unwrap();
        let off = misfit.off(1.0 + 0.1);
        assert!((off.by - 0.1).abs() < 1e-15 && (off.p_value - 0.045_500_263_896_358_4).abs() < 1e-15, "{off:?}");
        let off = misfit.off(0.0 + 0.2);
        assert!((off.by - 0.2).abs() < 0.03 && off.p_value < 0.1, "{off:?}");
        let of_kernels = PerClass { positive: learnt(3.0), negative: learnt(3.0) };
        assert!(FamilyMisfit::new(&fitted, &of_kernels, PerClass { positive: 2.2, negative: 0.4 }, sizes).is_none());
    }
}
