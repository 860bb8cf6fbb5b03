//! The combination of an audit with an estimate from external labels.
//!
//! Given the items, only chance decides which ones are audited, and the external estimate does not depend on the
//! choice. So the errors of the external estimate ê and of the audit's estimate p̂ are independent. Their difference D
//! has the variance V_e + V_p and tests whether the external labels are valid for these items.
//!
//! For the test, V_p is the variance that the audit's estimate has if the external labels are valid: a
//! score test. An audit without positives has an observed variance of 0, and a test with that would
//! reject any external estimate above 0. Where the external estimate and the audit are combined, V_p
//! is the observed variance with half an error more, for the same reason.
//!
//! A bias that the test has not detected need not be 0. D estimates the bias with standard error
//! √(V_e + V_p), so D² + V_e + V_p is taken as its mean square. This is added to the variance of ê,
//! and both estimates are weighted by precision:
//!
//! ```text
//! α̂ = p̂ + w(ê − p̂),    w = V_p/(V_p + V_e + B),    B = D² + V_e + V_p
//! ```
//!
//! For two normal estimates with V_e/V_p from 0.1 to 3, the 95 % interval covers 95 to 96 % if ê is unbiased and 88 to
//! 94 % at the worst bias. It is 5 to 19 % narrower than the audit's. Without B, combining whenever the test does not
//! reject, it would cover 24 to 88 % at the worst bias. No interval with the nominal coverage at every bias can be much
//! narrower than the audit's (Armstrong and Kolesár 2018). If the test rejects, the audit's estimate is the one to
//! publish. The ends of the interval follow MOVER for a weighted sum of independent estimates (Zou and Donner 2008).

use crate::choice::choice;
use crate::distribution::student_upper_tail;
use crate::inference::{Ends, Interval, IntervalEstimate, mover_difference};
use crate::numeric::gauss;

/// The level of the test that the external labels are valid for the target.
const LEVEL: f64 = 0.05;

/// The smallest effective number of audited items for external labels to pass an equivalence test.
const FEWEST_TO_PASS: f64 = 20.0;

/// The difference between the external estimate and the audit's, with its test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TransportTest {
    /// The external estimate less the audit's, both unclipped.
    pub difference: f64,
    /// The standard error of the difference if the external labels are valid.
    pub std_error: f64,
    /// The p-value for the hypothesis that the external labels are valid for the target, that is,
    /// that only the prevalence differs.
    pub p_value: f64,
    /// The interval of the difference between both estimates, clipped to [0, 1].
    pub interval: Interval,
    /// The effective number of audited items, or of clusters with audited items (Kish): (Σω)²/Σω² for their weights ω.
    pub effective_audited: f64,
}

/// The result of a test whether external labels give the prevalence within a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquivalenceVerdict {
    /// The interval of the difference lies within the margin.
    Pass,
    /// The interval of the difference lies outside the margin.
    Fail,
    /// The interval of the difference contains an end of the margin, or there are too few audited items.
    Inconclusive,
}

impl EquivalenceVerdict {
    /// All verdicts: name, verdict, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("pass", Self::Pass, "the external labels may be relied on within the margin"),
        ("fail", Self::Fail, "the external labels are off by more than the margin"),
        ("inconclusive", Self::Inconclusive, "the audit is too small to tell"),
    ];
}

choice!(EquivalenceVerdict, "verdict");

impl TransportTest {
    /// Compares two independent estimates of the items' prevalence. `audit_variance` is the variance
    /// of the audit's estimate if the external labels are valid, with its degrees of freedom.
    pub(crate) fn new(
        external: &CombinedTerm,
        audit: &CombinedTerm,
        (audit_variance, dof): (f64, f64),
        effective_audited: f64,
    ) -> Self {
        let (difference, variance) = (external.raw - audit.raw, external.variance + audit_variance);
        let se = variance.sqrt();
        // Satterthwaite (1946), the external variance taken as known.
        let dof = dof * (variance / audit_variance).powi(2);
        let p_value = if difference == 0.0 { 1.0 } else { two_sided_p_value(difference / se, dof) };
        let (lower, upper) = mover_difference(&external.ends(), &audit.ends(), 0.0, 0.0);
        let interval = Interval { lower: lower.max(-1.0), upper: upper.min(1.0) };
        Self { difference, std_error: se, p_value, interval, effective_audited }
    }

    /// Tests whether the external labels give the prevalence within ± `margin`: whether they may be
    /// relied on, which a test that does not reject cannot show.
    ///
    /// They pass if the interval of the difference lies within the margin, and fail if it lies
    /// outside. They never pass with an effective number of audited items, or clusters, below 20.
    pub fn equivalence(&self, margin: f64) -> EquivalenceVerdict {
        let Interval { lower, upper } = self.interval;
        if lower > margin || upper < -margin {
            EquivalenceVerdict::Fail
        } else if -margin <= lower && upper <= margin && self.effective_audited >= FEWEST_TO_PASS {
            EquivalenceVerdict::Pass
        } else {
            EquivalenceVerdict::Inconclusive
        }
    }

    /// Returns whether a test at the 5 % level rejects that the external labels are valid for the target.
    pub fn is_rejected(&self) -> bool {
        self.p_value < LEVEL
    }
}

/// An estimate to combine with another: its value, its variance and its interval at z standard errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CombinedTerm {
    pub(crate) raw: f64,
    pub(crate) variance: f64,
    pub(crate) interval: IntervalEstimate,
}

impl CombinedTerm {
    /// Returns the estimate, clipped to [0, 1], with the ends of its interval.
    fn ends(&self) -> Ends {
        let IntervalEstimate { lower, upper, .. } = self.interval;
        Ends { lower, estimate: self.raw.clamp(0.0, 1.0), upper }
    }
}

/// Returns P(|T| ≥ |t|) for Student's T, or for the normal distribution with infinite degrees of freedom.
fn two_sided_p_value(t: f64, dof: f64) -> f64 {
    let tail = if dof.is_finite() { student_upper_tail(t.abs(), dof) } else { gauss::tails(t.abs()).1 };
    2.0 * tail
}

/// Returns the combined estimate, the weight of the external estimate, and the standard error with
/// a two-sided interval at `z` standard errors.
pub(crate) fn combine(external: &CombinedTerm, audit: &CombinedTerm, z: f64) -> (f64, f64, IntervalEstimate) {
    let difference = external.raw - audit.raw;
    let sampling = audit.variance + external.variance;
    let squared_bias = difference * difference + sampling;
    let total = sampling + squared_bias;
    // Equal weights if neither estimate has any error.
    let weight = if total > 0.0 { audit.variance / total } else { 0.5 };
    let rest = 1.0 - weight;
    let raw = audit.raw + weight * difference;
    let systematic = weight * weight * squared_bias;
    let estimate = raw.clamp(0.0, 1.0);
    let distance_to_end = |distance: fn(&Ends) -> f64| {
        let [a, b] = [weight * distance(&external.ends()), rest * distance(&audit.ends())];
        (a * a + b * b + z * z * systematic).sqrt()
    };
    let [below, above] = [Ends::below, Ends::above].map(distance_to_end);
    let se = (weight * weight * external.variance + rest * rest * audit.variance + systematic).sqrt();
    (
        raw,
        weight,
        IntervalEstimate { std_error: se, lower: (estimate - below).max(0.0), upper: (estimate + above).min(1.0) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(raw: f64, se: f64) -> CombinedTerm {
        let interval = IntervalEstimate { std_error: se, lower: raw - 1.96 * se, upper: raw + 1.96 * se };
        CombinedTerm { raw, variance: se * se, interval }
    }

    /// By hand: D = 0.04 and variances of 0.0001 and 0.0004 give a squared bias of 0.0021.
    #[test]
    fn combination_and_test_agree_with_hand_calculation() {
        let (raw, weight, interval) = combine(&part(0.34, 0.01), &part(0.3, 0.02), 1.96);
        let expected = 0.0004 / (0.0004 + 0.0001 + 0.0021);
        assert!((weight - expected).abs() < 1e-15 && (raw - 0.3 - 0.04 * expected).abs() < 1e-15);
        // 1/se² = 1/V_p + 1/(V_e + B).
        assert!((interval.std_error.powi(-2) - (2500.0 + 1.0 / 0.0022)).abs() < 1e-9);
        assert!(
            (interval.upper - raw - 1.96 * interval.std_error).abs() < 1e-15
                && (raw - interval.lower - 1.96 * interval.std_error).abs() < 1e-15
        );
        let test = TransportTest::new(&part(0.34, 0.01), &part(0.3, 0.02), (0.0004, f64::INFINITY), 100.0);
        // D/se = 1.788854: p = 0.0736 (tables of the normal distribution).
        assert!((test.p_value - 0.0736).abs() < 5e-5 && !test.is_rejected());
        assert!(TransportTest::new(&part(0.35, 0.01), &part(0.3, 0.02), (0.0004, f64::INFINITY), 100.0).is_rejected());
    }

    /// Tables of Student's t distribution: 2.228 leaves 5 % outside at 10 degrees of freedom, and 2.0930
    /// at 19. With half of the variance from the audit, the degrees of freedom are four times as many.
    #[test]
    fn the_test_has_the_degrees_of_freedom_of_the_audit() {
        assert!((two_sided_p_value(2.2281, 10.0) - 0.05).abs() < 1e-5);
        assert!((two_sided_p_value(-2.0930, 19.0) - 0.05).abs() < 1e-5);
        assert!((two_sided_p_value(1.96, 1e12) - two_sided_p_value(1.96, f64::INFINITY)).abs() < 1e-12);
        let test = TransportTest::new(&part(0.34, 0.01), &part(0.3, 0.02), (0.0001, 5.0), 20.0);
        assert_eq!(test.p_value, two_sided_p_value(test.difference / test.std_error, 20.0));
    }

    #[test]
    fn equivalence_is_decided_by_the_interval() {
        let test = |external: f64, audited: f64| {
            TransportTest::new(&part(external, 0.003), &part(0.3, 0.004), (0.000_016, f64::INFINITY), audited)
        };
        // The interval is the difference ± 1.96 · 0.005.
        assert_eq!(test(0.301, 20.0).equivalence(0.02), EquivalenceVerdict::Pass);
        assert_eq!(test(0.301, 19.9).equivalence(0.02), EquivalenceVerdict::Inconclusive);
        assert_eq!(test(0.301, 20.0).equivalence(0.01), EquivalenceVerdict::Inconclusive);
        assert_eq!(test(0.312, 20.0).equivalence(0.02), EquivalenceVerdict::Inconclusive);
        assert_eq!(test(0.331, 5.0).equivalence(0.02), EquivalenceVerdict::Fail);
        assert_eq!(test(0.269, 20.0).equivalence(0.02), EquivalenceVerdict::Fail);
        assert_eq!(test(0.269, 20.0).equivalence(0.05), EquivalenceVerdict::Pass);
    }
}
