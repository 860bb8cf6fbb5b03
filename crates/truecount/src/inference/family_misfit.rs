//! Whether labelled scores contradict the fitted classes that rates are taken from, and by how much an estimate is then off.
//!
//! Under the family the mean of g over the labelled scores of a class estimates E±g as its fitted expectation does, only with a
//! larger variance: v±/n± instead of w±/n± (`inference::learning`). Their difference e± then has mean 0 and the variance
//! (v± − w±)/n± (Hausman 1978), and the estimate that takes the one differs from that which takes the other by
//!
//! ```text
//! (α e₊ + (1−α) e₋)/(E₊g − E₋g)
//! ```

use super::Learnt;
use crate::PerClass;
use crate::numeric::gauss;
use crate::sweep::ClassMoments;

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
        learnt: &PerClass<Learnt>,
        means: PerClass<f64>,
        labelled: PerClass<u64>,
    ) -> Option<Self> {
        let variance = |fitted: &ClassMoments, learnt: &Learnt, n: u64| {
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
    fn an_error_of_two_standard_errors_has_the_normal_tail() {
        let class = |mean| ClassMoments { mean, variance: 3.0 };
        let learnt = |variance| Learnt { variance, third: ThirdMoments::default() };
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
