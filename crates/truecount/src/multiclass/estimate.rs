//! Estimated shares of several classes, with intervals and warnings.

use super::MulticlassMethod;
use super::mix_test::{ClassMixTest, MixCell, SIGNIFICANCE_LEVEL};
use super::totals::ShareTotals;
use super::warning::ClassWarning;
use crate::inference::{FEW_LABELLED, Interval, IntervalOptions, MAX_SCALE, ScaleFactor, Target};
use crate::numeric::dense::Matrix;

/// Two classes cannot be told apart if their errors have a correlation below this,
const CANCELLING: f64 = -0.95;

/// if both have a larger standard error than this,
const UNCERTAIN: f64 = 0.05;

/// The number of standard errors outside [0, 1] that chance does not explain, and the rounding error of a share.
const FAR: f64 = 3.0;
const ROUNDING: f64 = 1e-9;

/// The standard error above which a share is not determined: no random number in [0, 1] has a larger
/// standard deviation.
const UNKNOWN: f64 = 0.5;

/// and if that of their sum, relative to the smaller one, is below this.
const KNOWN_SUM: f64 = 0.5;

/// The estimated shares of K classes, in the order of the caller.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MulticlassEstimate {
    /// The method.
    pub method: MulticlassMethod,
    /// The number of test rows.
    pub n: u64,
    /// The shares, shape (K), not negative and with the sum 1.
    pub shares: Vec<f64>,
    /// The covariance of their errors, shape (K, K), whose rows have the sum 0.
    pub covariance: Vec<Vec<f64>>,
    /// The part of each standard error that comes from the labelled rows, before it is widened, shape (K).
    pub labelled_std_errors: Vec<f64>,
    /// The interval of each share at the level.
    pub intervals: Vec<Interval>,
    /// Intervals that cover all shares at once with the nominal coverage, by Bonferroni's inequality.
    pub simultaneous: Vec<Interval>,
    /// The nominal coverage of the intervals.
    pub level: f64,
    /// The estimand of the covariance and the intervals.
    pub target: Target,
    /// The test that the rows are a mixture of the labelled classes; `None` if there are too few rows.
    pub mix_test: Option<ClassMixTest>,
    /// The warnings.
    pub warnings: Vec<ClassWarning>,
    pub(super) summed: ShareTotals,
}

impl MulticlassEstimate {
    /// Returns the standard error of each share, shape (K).
    pub fn std_errors(&self) -> Vec<f64> {
        (0..self.shares.len()).map(|k| self.covariance[k][k].sqrt()).collect()
    }

    /// Returns whether the intervals allow for rows that fit no mixture of the labelled classes.
    pub fn is_widened(&self) -> bool {
        self.summed.is_widened()
    }
}

/// An interval, with the coefficients of 1, p and p² in the test and labelled parts of the variance.
pub(super) type IntervalWithParts = (Interval, [[f64; 3]; 2]);

/// The smallest 1 − z² c, with c the curvature of V, at which the ends follow from the quadratic.
const LEAST_QUADRATIC: f64 = 0.5;

/// The interval of all shares p in [0, 1] with (p − estimate)² ≤ z² V(p), for a V that is nearly
/// quadratic. It is Wilson's (1927) if V is p(1 − p)/n.
///
/// V is evaluated at three points around the estimate. If it grows too fast there, its largest value is
/// taken for all p.
///
/// `variances` returns V(p), followed by its test and labelled parts. Also returns the coefficients of these parts.
pub(super) fn interval(
    estimate: f64,
    std_error: f64,
    z: f64,
    variances: impl Fn(f64) -> [f64; 3],
) -> IntervalWithParts {
    let half = (z * std_error).max(0.05);
    let (from, to) = ((estimate - half).max(0.0), (estimate + half).min(1.0));
    let half = 0.5 * (to - from);
    let values = [from, from + half, to].map(&variances);
    // V(from + t) = start + slope t + curvature t².
    let quadratic = |place: usize| {
        let [start, middle, end] = values.map(|variances| variances[place]);
        let curvature = (start + end - 2.0 * middle) / (2.0 * half * half);
        (start, (middle - start) / half - curvature * half, curvature, start.max(middle).max(end))
    };
    let (c, z2) = (estimate - from, z * z);
    let parts = [1, 2].map(|part| {
        let (start, slope, curvature, largest) = quadratic(part);
        // Only the first part has an interval of its own.
        if part == 1 && 1.0 - z2 * curvature < LEAST_QUADRATIC {
            [largest, 0.0, 0.0]
        } else {
            [start + from * (curvature * from - slope), slope - 2.0 * curvature * from, curvature]
        }
    });
    let (start, slope, curvature, largest) = quadratic(0);
    // (t − c)² ≤ z² V, with c the distance of the estimate from `from`.
    let (a, b, constant) = (1.0 - z2 * curvature, c + 0.5 * z2 * slope, c * c - z2 * start);
    if a < LEAST_QUADRATIC {
        // The ends would be far from where V is known.
        let reach = z * largest.sqrt();
        return (Interval { lower: (estimate - reach).max(0.0), upper: (estimate + reach).min(1.0) }, parts);
    }
    let root = (b * b - a * constant).max(0.0).sqrt();
    let [lower, upper] = [-root, root].map(|side| (from + (b + side) / a).clamp(0.0, 1.0));
    (Interval { lower: lower.min(estimate), upper: upper.max(estimate) }, parts)
}

/// Returns the warnings that follow from the method, the labelled rows, the covariance and the test.
pub(super) fn warnings(
    (method, names, (counts, units)): (MulticlassMethod, Vec<&str>, (&[u64], &[f64])),
    (shares, raw, covariance): (&[f64], &[f64], &Matrix),
    (mix_test, widening): (Option<&ClassMixTest>, Option<ScaleFactor>),
    options: &IntervalOptions,
) -> Vec<ClassWarning> {
    let mut warnings = Vec::new();
    if let Some(test) = mix_test {
        let p_value = test.p_value;
        let MixCell { class, probability: [from, to], observed, expected } = test.cells[0].clone();
        let class = class.map_or("several rare classes", |class| names[class]).to_owned();
        match widening {
            Some(ScaleFactor { factor: scale, .. }) if scale <= MAX_SCALE => {
                warnings.push(ClassWarning::ClassMixWidened { p_value, class, from, to, observed, expected, scale });
            }
            _ if p_value < SIGNIFICANCE_LEVEL / options.multiplicity() as f64 => {
                warnings.push(ClassWarning::ClassMixRejected { p_value, class, from, to, observed, expected });
            }
            _ => (),
        }
    }
    for (class, raw) in raw.iter().enumerate() {
        let distance = (raw - 1.0).max(-raw) / covariance[(class, class)].sqrt().max(ROUNDING);
        if distance > FAR {
            warnings.push(ClassWarning::ClassFarOutside { class: names[class].to_owned(), raw: *raw, distance });
        }
    }
    let few = names.iter().zip(counts).zip(units).filter(|(_, units)| **units < FEW_LABELLED as f64);
    warnings.extend(few.map(|((class, n), units)| {
        let effective = (*n >= FEW_LABELLED).then_some(*units);
        ClassWarning::ClassFewLabelled { class: class.to_string(), n: *n, effective }
    }));
    let unknown = (0..counts.len()).map(|k| (k, covariance[(k, k)].sqrt())).filter(|(_, error)| *error > UNKNOWN);
    if let Some((class, std_error)) = unknown.max_by(|(_, first), (_, second)| first.total_cmp(second)) {
        warnings.push(ClassWarning::SharesUnknown { class: names[class].to_owned(), std_error });
    }
    // With two classes alone, the errors always cancel.
    let several = if counts.len() > 2 { counts.len() } else { 0 };
    for first in 0..several {
        for second in first + 1..several {
            let [v, w, both] = [(first, first), (second, second), (first, second)].map(|place| covariance[place]);
            let sum = (v + w + 2.0 * both).max(0.0);
            let (uncertain, known) = (UNCERTAIN * UNCERTAIN, KNOWN_SUM * KNOWN_SUM * v.min(w));
            if both < CANCELLING * (v * w).sqrt() && v.min(w) > uncertain && sum < known {
                warnings.push(ClassWarning::ClassesIndistinguishable {
                    first: names[first].to_owned(),
                    second: names[second].to_owned(),
                    sum: shares[first] + shares[second],
                    std_error: sum.sqrt(),
                });
            }
        }
    }
    match method {
        MulticlassMethod::Sld => warnings.push(ClassWarning::ProbabilitiesTrusted),
        MulticlassMethod::Cc => warnings.push(ClassWarning::ClassesNotCorrected),
        MulticlassMethod::Ml | MulticlassMethod::Ac | MulticlassMethod::Pacc => (),
    }
    warnings
}

/// Returns a warning if groups that fit no mixture carry enough weight to move the mean by more than its largest
/// standard error.
pub(super) fn groups_warning(groups: &[(&MulticlassEstimate, f64)], covariance: &Matrix) -> Option<ClassWarning> {
    let rejected = |group: &MulticlassEstimate| {
        group.warnings.iter().any(|warning| matches!(warning, ClassWarning::ClassMixRejected { .. }))
    };
    let weight = |groups: &mut dyn Iterator<Item = &(&MulticlassEstimate, f64)>| groups.map(|(_, w)| w).sum::<f64>();
    let share = weight(&mut groups.iter().filter(|(group, _)| rejected(group))) / weight(&mut groups.iter());
    let std_error = (0..covariance.rows()).map(|k| covariance[(k, k)].max(0.0).sqrt()).fold(0.0, f64::max);
    // Shares of such groups may be anywhere in [0, 1], so they move the mean by their weight at most.
    (share > std_error).then_some(ClassWarning::ClassGroupsRejected { share })
}
