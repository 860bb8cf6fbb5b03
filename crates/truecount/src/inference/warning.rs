//! Warnings about estimates, each with its reason and its consequence.

use super::Excess;
use crate::calibration::CoxCalibration;
use crate::class::Class;
use crate::condition::Severity;
use crate::conditions;
use crate::numeric::gauss;
use std::fmt;

/// Number of labelled scores of a class below which a standard error is unreliable.
pub const FEW_LABELLED: u64 = 10;

/// Effective number of weighted scores below which they are few.
const FEW_EFFECTIVE: f64 = 30.0;

/// P-value below which labels contradict a classifier's probabilities.
const CONTRADICTED: f64 = 0.01;

/// Number of standard errors outside [0, 1] that chance does not explain.
const FAR: f64 = 3.0;

conditions! {
    /// A reason to read an estimate with care.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[non_exhaustive]
    pub enum Warning, severity: Severity {
        /// The unclipped estimate lies outside [0, 1].
        #[condition("outside-unit-interval", Note, "{}", Outside(*raw))]
        OutsideUnitInterval {
            /// The unclipped estimate.
            raw: f64,
        },

        /// The unclipped estimate lies more than three standard errors outside [0, 1].
        #[condition(
            "far-outside-unit-interval", Unreliable,
            "{}, {} standard errors away: these scores are not of the kind that was labelled, and the interval is \
             not to be trusted",
            Outside(*raw), FourDecimals(*distance)
        )]
        FarOutside {
            /// The unclipped estimate.
            raw: f64,
            /// The distance from [0, 1] in standard errors.
            distance: f64,
        },

        /// At the given error rates no prevalence explains the number of positives.
        #[condition(
            "rates-contradicted", Unreliable,
            "{}, {} standard errors away: at this sensitivity and specificity no prevalence explains the positives, \
             so these rates are not those of the test as it was used here, and the interval is not to be trusted",
            Outside(*raw), FourDecimals(*distance)
        )]
        RatesContradicted {
            /// The unclipped estimate.
            raw: f64,
            /// The distance from [0, 1] in standard errors.
            distance: f64,
        },

        /// The method does not correct for the classifier's errors.
        #[condition(
            "not-corrected", Caution,
            "not corrected for the classifier's errors, and so off wherever the prevalence is not the labelled one; \
             es, the default, corrects for them"
        )]
        Uncorrected,

        /// There is a single test score.
        #[condition("single-score", Unreliable, "a single test score says next to nothing about a prevalence")]
        SingleScore,

        /// The weights are so uneven that Kish's effective number of test scores is below 30, where
        /// the U.S. National Center for Health Statistics does not publish a proportion (Parker et
        /// al. 2017), and below half of the number of scores.
        #[condition(
            "uneven-weights", Unreliable,
            "the weights are so uneven that {n} test scores are worth only {effective:.1}: a few of them decide the \
             estimate, and the interval is not to be trusted; look at the largest weights"
        )]
        UnevenWeights {
            /// The number of test scores with a weight above 0.
            n: u64,
            /// Kish's effective number of test scores.
            effective: f64,
        },

        /// Every test score lies outside the sweep's region.
        #[condition(
            "none-in-region", Caution,
            "no test score lies inside the region, so only their number on either side counts"
        )]
        NoneInRegion,

        /// Every test score has the same influence, for example because all are equal.
        #[condition(
            "no-spread", Unreliable,
            "all test scores have the same influence: they carry no information, whatever the interval"
        )]
        NoSpread,

        /// The labelled rates differ by less than the threshold at every test score, and one cut
        /// was used instead.
        #[condition(
            "single-cut-used", Caution,
            "at no test score do the labelled rates differ by {threshold:.4} or more; Adjusted Count where they \
             differ most was used instead"
        )]
        NoThreshold {
            /// The threshold.
            threshold: f64,
        },

        /// The solver used up its steps.
        #[condition("not-converged", Unreliable, "the solver stopped after {steps} steps without having converged")]
        NotConverged {
            /// The number of steps.
            steps: u32,
        },

        /// Expectation maximisation met its stopping rule before reaching the maximum of the
        /// likelihood.
        #[condition(
            "em-not-converged", Caution,
            "stopped after {steps} steps by its rule, but the maximum of the likelihood is at {maximum:.4} (method ml)"
        )]
        EmNotConverged {
            /// The number of steps.
            steps: u32,
            /// The prevalence at the maximum.
            maximum: f64,
        },

        /// The standard error is 0 or close to it, because there is no spread within the classes.
        #[condition(
            "zero-standard-error", Unreliable,
            "there is next to no spread within the classes, and so a standard error of 0, which is not the truth: \
             label more data to learn the error rates"
        )]
        ZeroStandardError,

        /// Labelled positives are not above the cutoff more often than labelled negatives.
        #[condition(
            "useless-cutoff", Unreliable,
            "labelled positives are not above the cutoff more often than negatives; choose a cutoff between the classes"
        )]
        UselessCutoff,

        /// The maximum of a class's likelihood is in a limit of the family.
        #[condition(
            "boundary-fit", Caution,
            "the {class} class is fitted best by the {limit} limit of its family: the scores end abruptly, or are \
             too few"
        )]
        AtLimit {
            /// The class.
            class: Class,
            /// The limit.
            limit: &'static str,
        },

        /// A class has fewer than ten labelled scores.
        #[condition(
            "few-labelled", Unreliable,
            "a class has only {n} labelled score{}: what was learnt from them is more uncertain than any standard \
             error can tell",
            if *n == 1 { "" } else { "s" }
        )]
        FewLabelled {
            /// The size of the smaller class.
            n: u64,
        },

        /// The effective number of a class's labelled scores is below ten.
        #[condition(
            "few-labelled-units", Unreliable,
            "by their weights or clusters the {n} labelled scores of a class are worth only {effective:.1}: what was \
             learnt from them is more uncertain than any standard error can tell"
        )]
        FewLabelledUnits {
            /// The number of labelled scores of the class with the smaller effective number.
            n: u64,
            /// The effective number (Kish), or the number of clusters if that is smaller.
            effective: f64,
        },

        /// The labelled scores have too few different values for a fitted continuous distribution.
        #[condition(
            "few-values", Caution,
            "the labelled scores have only {values} different values, which no fitted distribution has: rates taken \
             from one may be far off; take them from the labelled scores"
        )]
        FewValues {
            /// The number of different values.
            values: usize,
        },

        /// The labelled scores contradict the fitted family, by less than the standard error.
        #[condition(
            "family-in-doubt", Caution,
            "the labelled scores contradict the fitted classes ({}), and this estimate is too {} by about {:.4}; es \
             fits no family",
            PValue(*p_value), Direction(*by), by.abs()
        )]
        FamilyInDoubt {
            /// The error of the estimate; positive if the estimate is too high.
            by: f64,
            /// The probability of an error at least this large if the family were right.
            p_value: f64,
        },

        /// The labelled scores contradict the fitted family, by more than the standard error.
        #[condition(
            "family-contradicted", Unreliable,
            "the labelled scores contradict the fitted classes ({}), and this estimate is too {} by about {:.4}, \
             more than its standard error, so that its interval does not hold; es fits no family",
            PValue(*p_value), Direction(*by), by.abs()
        )]
        FamilyContradicted {
            /// The error of the estimate; positive if the estimate is too high.
            by: f64,
            /// The probability of an error at least this large if the family were right.
            p_value: f64,
        },

        /// The classifier's probabilities belong to another share of positives than that of the
        /// labelled scores.
        #[condition(
            "probabilities-prior-mismatch", Caution,
            "the probabilities are those of a share of {share:.3} positives, not of the {labelled:.3} among the \
             labelled scores ({}), and are taken at their word: adjust them, or use es or pacc, which learn from the \
             labels",
            PValue(*p_value)
        )]
        OtherShare {
            /// The share of positives at which the probabilities would be calibrated.
            share: f64,
            /// The share of positives among the labelled scores.
            labelled: f64,
            /// The probability of labels at least this contradictory if the probabilities were
            /// calibrated.
            p_value: f64,
        },

        /// The classifier's probabilities are not calibrated.
        #[condition(
            "not-calibrated", Caution,
            "the probabilities are not calibrated (slope {slope:.2}, intercept {intercept:.2}, {}), and are taken at \
             their word, so that the interval is too narrow: calibrate the classifier, or use es or pacc, which \
             learn from the labels",
            PValue(*p_value)
        )]
        Uncalibrated {
            /// Slope of the log odds of a positive on the logit of its probability; 1 if
            /// calibrated.
            slope: f64,
            /// Intercept of the same line; 0 if calibrated.
            intercept: f64,
            /// The probability of labels at least this contradictory if the probabilities were
            /// calibrated.
            p_value: f64,
        },

        /// The difference of the classes (max J, or the difference of a count's two rates) is
        /// within three of its standard errors of 0, where the linear theory of the standard error
        /// fails.
        #[condition(
            "weak-separation", Unreliable,
            "what was learnt hardly tells the classes apart: a difference of {difference:.3} with a standard error \
             of {noise:.3}, none at all with a probability of {}; a standard error is too small here, an interval is \
             wide; label more data",
            FourDecimals(gauss::tails(difference / noise).1)
        )]
        WeakSeparation {
            /// The difference.
            difference: f64,
            /// Standard error of the difference.
            noise: f64,
        },

        /// The test scores are close to a mixture of the labelled classes, and the interval allows
        /// for the misfit.
        #[condition(
            "prior-shift-doubtful", Caution,
            "the test scores are not quite a mixture of the labelled classes ({}; too many: {worst}): more than the \
             prevalence has changed, and the interval allows for errors {scale:.1} times as large as chance \
             explains",
            PValue(*p_value)
        )]
        PriorShiftDoubtful {
            /// The probability of scores at least as far from a mixture, if they were one.
            p_value: f64,
            /// The score range with the most excess scores.
            worst: Excess,
            /// The scale factor S, at most 3.
            scale: f64,
        },

        /// The test scores are not a mixture of the labelled classes: more than the prevalence has
        /// changed.
        #[condition(
            "prior-shift-rejected", Unreliable,
            "the test scores are no mixture of the labelled classes ({}; too many: {worst}): more than the \
             prevalence has changed, and errors are about {scale:.1} times as large as chance explains",
            PValue(*p_value)
        )]
        PriorShiftRejected {
            /// The probability of scores at least as far from a mixture, if they were one.
            p_value: f64,
            /// The score range with the most excess scores.
            worst: Excess,
            /// The scale factor S.
            scale: f64,
        },

        /// Some rows have no score and are not counted.
        #[condition(
            "missing-scores", Caution,
            "{}", if *n == 1 {
                "1 row has no score and is not counted".to_owned()
            } else {
                format!("{n} rows have no score and are not counted")
            }
        )]
        MissingScores {
            /// The number of rows without a score.
            n: u64,
        },

        /// Some bootstrap resamples allow no estimate, and the standard error and interval come
        /// from the others.
        #[condition(
            "resamples-lost", Caution,
            "{lost} of {of} resamples allow no estimate, and the standard error and interval are those of the others"
        )]
        ResamplesLost {
            /// The number of resamples without an estimate.
            lost: usize,
            /// The number of all resamples.
            of: usize,
        },

        /// Too many bootstrap resamples allow no estimate for a standard error and an interval.
        #[condition(
            "too-many-resamples-lost", Unreliable,
            "{lost} of {of} resamples allow no estimate, too many for a standard error and an interval: label more data"
        )]
        TooManyResamplesLost {
            /// The number of resamples without an estimate.
            lost: usize,
            /// The number of all resamples.
            of: usize,
        },
    }
}

impl Warning {
    /// Returns the warning about a classifier's probabilities that a method uses without
    /// recalibration. `labelled` is the share of positives among the labelled items.
    pub(crate) fn for_calibration(calibration: &CoxCalibration, labelled: f64) -> Option<Self> {
        let CoxCalibration { slope, intercept, p_value, intercept_at_slope_one: shift, slope_p_value, .. } =
            *calibration;
        if p_value >= CONTRADICTED {
            return None;
        }
        if slope_p_value < CONTRADICTED {
            return Some(Self::Uncalibrated { slope, intercept, p_value });
        }
        // The probabilities' odds are too small by the factor e^shift.
        let odds = labelled / (1.0 - labelled) * (-shift).exp();
        Some(Self::OtherShare { share: odds / (1.0 + odds), labelled, p_value })
    }

    /// Returns whether the warning is about test scores that are not quite, or not at all, a
    /// mixture of the labelled classes.
    pub fn is_of_misfit(&self) -> bool {
        matches!(self, Self::PriorShiftDoubtful { .. } | Self::PriorShiftRejected { .. })
    }

    /// Returns the warning about the weights of n scores with this effective number.
    pub(crate) fn for_weights(n: u64, effective: f64) -> Option<Self> {
        (effective < FEW_EFFECTIVE && 2.0 * effective < n as f64).then_some(Self::UnevenWeights { n, effective })
    }

    /// Returns the warning about an unclipped estimate outside [0, 1].
    pub(crate) fn unless_inside(raw: f64, se: Option<f64>) -> Option<Self> {
        let outside = (raw - raw.clamp(0.0, 1.0)).abs();
        match se.map(|se| outside / se) {
            _ if outside == 0.0 => None,
            Some(distance) if distance > FAR => Some(Self::FarOutside { raw, distance }),
            _ => Some(Self::OutsideUnitInterval { raw }),
        }
    }
}

/// Formats an estimate outside [0, 1] together with its clipped value.
struct Outside(f64);

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let clipped = self.0.clamp(0.0, 1.0);
        let distance = (self.0 - clipped).abs();
        if distance < 5e-5 {
            write!(f, "the estimate lies {distance:.0e} outside [0, 1] and is reported as {clipped}")
        } else {
            write!(f, "the estimate {} lies outside [0, 1] and is reported as {clipped}", FourDecimals(self.0))
        }
    }
}

/// Formats a p-value.
struct PValue(f64);

impl fmt::Display for PValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 < 1e-6 { write!(f, "p < 1e-6") } else { write!(f, "p = {:.0e}", self.0) }
    }
}

/// Formats the sign of an error as "high" or "low".
struct Direction(f64);

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0 > 0.0 { "high" } else { "low" })
    }
}

/// Formats a number with four decimals, or with an exponent if it is large.
struct FourDecimals(f64);

impl fmt::Display for FourDecimals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.abs() < 1e4 { write!(f, "{:.4}", self.0) } else { write!(f, "{:.1e}", self.0) }
    }
}
