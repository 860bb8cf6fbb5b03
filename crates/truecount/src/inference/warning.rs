//! What a reader of an estimate must know; each says why and what it means.

use super::Excess;
use crate::calibration::CoxCalibration;
use crate::class::Class;
use crate::condition::Severity;
use crate::conditions;
use crate::numeric::gauss;
use std::fmt;

/// Labelled scores of a class below which a warning says that the fit itself is uncertain.
pub const FEW_LABELLED: u64 = 10;

/// The effective number of weighted scores below which they are few.
const FEW_EFFECTIVE: f64 = 30.0;

/// The p-value below which labels contradict the probabilities that are given for them.
const CONTRADICTED: f64 = 0.01;

/// Standard errors outside [0, 1] that chance does not explain.
const FAR: f64 = 3.0;

conditions! {
    /// A reason to read an estimate with care.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[non_exhaustive]
    pub enum Warning, severity: Severity {
        /// The estimator, which is not bounded, fell outside [0, 1].
        #[condition("outside-unit-interval", Note, "{}", Outside(*raw))]
        OutsideUnitInterval {
            /// Its value.
            raw: f64,
        },

        /// The estimator fell more than three of its standard errors outside [0, 1].
        #[condition(
            "far-outside-unit-interval", Unreliable,
            "{}, {} standard errors away: these scores are not of the kind that was labelled, and the interval is not \
             to be trusted",
            Outside(*raw), FourDecimals(*distance)
        )]
        FarOutside {
            /// Its value.
            raw: f64,
            /// How many of its standard errors it lies outside.
            distance: f64,
        },

        /// No prevalence goes with so many or so few positives at these error rates.
        #[condition(
            "rates-contradicted", Unreliable,
            "{}, {} standard errors away: at this sensitivity and specificity no prevalence explains the positives, so these rates are not \
             those of the test as it was used here, and the interval is not to be trusted",
            Outside(*raw), FourDecimals(*distance)
        )]
        RatesContradicted {
            /// The estimator's value.
            raw: f64,
            /// How many of its standard errors it lies outside.
            distance: f64,
        },

        /// The method does not correct for the classifier's errors.
        #[condition(
            "not-corrected", Caution,
            "not corrected for the classifier's errors, and so off wherever the prevalence is not the labelled one; es, the default, \
             corrects for them"
        )]
        Uncorrected,

        /// There is a single test score.
        #[condition("single-score", Unreliable, "a single test score says next to nothing about a prevalence")]
        SingleScore,

        /// The weights are so uneven that the test scores are worth few: Kish's effective number is below 30, where the standards of
        /// the U.S. National Center for Health Statistics (Parker et al. 2017) do not publish a proportion, and below half of their
        /// number, so that it is the weights that make them few.
        #[condition(
            "uneven-weights", Unreliable,
            "the weights are so uneven that {n} test scores are worth only {effective:.1}: a few of them decide the estimate, and \
             the interval is not to be trusted; look at the largest weights"
        )]
        UnevenWeights {
            /// The number of test scores with a weight above 0.
            n: u64,
            /// Their effective number.
            effective: f64,
        },

        /// Every test score lies outside the region that is swept.
        #[condition(
            "none-in-region", Caution,
            "no test score lies inside the region, so only their number on either side counts"
        )]
        NoneInRegion,

        /// Every test score has the same influence, as when all are equal.
        #[condition(
            "no-spread", Unreliable,
            "all test scores have the same influence: they carry no information, whatever the interval"
        )]
        NoSpread,

        /// At no test score do the labelled rates differ by the threshold; one cut was used instead.
        #[condition(
            "single-cut-used", Caution,
            "at no test score do the labelled rates differ by {threshold:.4} or more; Adjusted Count where they differ \
             most was used instead"
        )]
        NoThreshold {
            /// The threshold.
            threshold: f64,
        },

        /// The solver used up its steps.
        #[condition("not-converged", Unreliable, "the solver stopped after {steps} steps without having converged")]
        NotConverged {
            /// How many.
            steps: u32,
        },

        /// Expectation maximisation stopped by its own rule, but not at the maximum of the likelihood.
        #[condition(
            "em-not-converged", Caution,
            "stopped after {steps} steps by its rule, but the maximum of the likelihood is at {maximum:.4} (method ml)"
        )]
        EmNotConverged {
            /// After so many steps.
            steps: u32,
            /// Where the maximum is.
            maximum: f64,
        },

        /// The formula gives a standard error of 0 or next to it, because it sees no spread within the classes.
        #[condition(
            "zero-standard-error", Unreliable,
            "there is next to no spread within the classes, and so a standard error of 0, which is not the truth: \
             label more data to learn the error rates"
        )]
        ZeroStandardError,

        /// The labelled positives are not above the cutoff more often than the negatives.
        #[condition(
            "useless-cutoff", Unreliable,
            "labelled positives are not above the cutoff more often than negatives; choose a cutoff between the classes"
        )]
        UselessCutoff,

        /// The likelihood of a class's scores has its maximum in a limit of the family.
        #[condition(
            "boundary-fit", Caution,
            "the {class} class is fitted best by the {limit} limit of its family: the scores end abruptly, or are too \
             few"
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

        /// The labelled scores of a class are worth fewer than ten that are drawn one by one and weigh alike.
        #[condition(
            "few-labelled-units", Unreliable,
            "by their weights or clusters the {n} labelled scores of a class are worth only {effective:.1}: what was learnt from them is \
             more uncertain than any standard error can tell"
        )]
        FewLabelledUnits {
            /// The labelled scores of the class that is worth least.
            n: u64,
            /// Its effective number (Kish), or that of its clusters if these are fewer.
            effective: f64,
        },

        /// The labelled scores have few different values, which are taken for a sample of a continuous distribution.
        #[condition(
            "few-values", Caution,
            "the labelled scores have only {values} different values, which no fitted distribution has: rates taken \
             from one may be far off; take them from the labelled scores"
        )]
        FewValues {
            /// How many.
            values: usize,
        },

        /// The labelled scores contradict the fitted family, by less than the standard error.
        #[condition(
            "family-in-doubt", Caution,
            "the labelled scores contradict the fitted classes ({}), and this estimate is too {} by about {:.4}; es fits no \
             family",
            PValue(*p_value), Direction(*by), by.abs()
        )]
        FamilyInDoubt {
            /// By how much the estimate is too high; too low, if negative.
            by: f64,
            /// The probability of so much if the family were right.
            p_value: f64,
        },

        /// The labelled scores contradict the fitted family, by more than the standard error.
        #[condition(
            "family-contradicted", Unreliable,
            "the labelled scores contradict the fitted classes ({}), and this estimate is too {} by about {:.4}, more than \
             its standard error, so that its interval does not hold; es fits no family",
            PValue(*p_value), Direction(*by), by.abs()
        )]
        FamilyContradicted {
            /// By how much the estimate is too high; too low, if negative.
            by: f64,
            /// The probability of so much if the family were right.
            p_value: f64,
        },

        /// The given probabilities are those of another share of positives than that of the labelled scores.
        #[condition(
            "probabilities-prior-mismatch", Caution,
            "the probabilities are those of a share of {share:.3} positives, not of the {labelled:.3} among the labelled scores ({}), and \
             are taken at their word: adjust them, or use es or pacc, which learn from the labels",
            PValue(*p_value)
        )]
        OtherShare {
            /// The share that they are true at.
            share: f64,
            /// That of the labelled scores.
            labelled: f64,
            /// The probability of labels that contradict them so much, if they were true.
            p_value: f64,
        },

        /// The given probabilities are not calibrated.
        #[condition(
            "not-calibrated", Caution,
            "the probabilities are not calibrated (slope {slope:.2}, intercept {intercept:.2}, {}), and are taken at their word, so \
             that the interval is too narrow: calibrate the classifier, or use es or pacc, which learn from the labels",
            PValue(*p_value)
        )]
        Uncalibrated {
            /// Of the log odds of a positive on the logit of its probability; 1 if calibrated.
            slope: f64,
            /// 0 if calibrated.
            intercept: f64,
            /// The probability of labels that contradict them so much, if they were true.
            p_value: f64,
        },

        /// The classes' difference, max J or that of the rates of a count, is within three of its standard errors of 0,
        /// where the linear theory of the standard error fails.
        #[condition(
            "weak-separation", Unreliable,
            "what was learnt hardly tells the classes apart: a difference of {difference:.3} with a standard error of \
             {noise:.3}, none at all with a probability of {}; a standard error is too small here, an interval is \
             wide; label more data",
            FourDecimals(gauss::tails(difference / noise).1)
        )]
        WeakSeparation {
            /// The difference.
            difference: f64,
            /// Its standard error.
            noise: f64,
        },

        /// The test scores are no mixture of the labelled classes, but not far from one, and the interval allows for it.
        #[condition(
            "prior-shift-doubtful", Caution,
            "the test scores are not quite a mixture of the labelled classes ({}; too many: {worst}): more than the prevalence has \
             changed, and the interval allows for errors {scale:.1} times as large as chance explains",
            PValue(*p_value)
        )]
        PriorShiftDoubtful {
            /// The probability of scores as far from a mixture as these, if they were one.
            p_value: f64,
            /// Where they are too many.
            worst: Excess,
            /// S, at most 3.
            scale: f64,
        },

        /// The test scores are no mixture of the labelled classes: more than the prevalence has changed.
        #[condition(
            "prior-shift-rejected", Unreliable,
            "the test scores are no mixture of the labelled classes ({}; too many: {worst}): more than the prevalence \
             has changed, and errors are about {scale:.1} times as large as chance explains",
            PValue(*p_value)
        )]
        PriorShiftRejected {
            /// The probability of scores as far from a mixture as these, if they were one.
            p_value: f64,
            /// Where they are too many.
            worst: Excess,
            /// S.
            scale: f64,
        },

        /// Some rows have no score, and count for nothing.
        #[condition(
            "missing-scores", Caution,
            "{}", if *n == 1 {
                "1 row has no score and is not counted".to_owned()
            } else {
                format!("{n} rows have no score and are not counted")
            }
        )]
        MissingScores {
            /// How many.
            n: u64,
        },

        /// Some bootstrap resamples allow no estimate; standard error and interval are those of the others.
        #[condition(
            "resamples-lost", Caution,
            "{lost} of {of} resamples allow no estimate, and the standard error and interval are those of the others"
        )]
        ResamplesLost {
            /// How many.
            lost: usize,
            /// Of so many.
            of: usize,
        },

        /// So many bootstrap resamples allow no estimate that there is no standard error and no interval.
        #[condition(
            "too-many-resamples-lost", Unreliable,
            "{lost} of {of} resamples allow no estimate, too many for a standard error and an interval: label more data"
        )]
        TooManyResamplesLost {
            /// How many.
            lost: usize,
            /// Of so many.
            of: usize,
        },
    }
}

impl Warning {
    /// What to say of given probabilities that are taken at their word, from labelled items of which this is the share of positives.
    pub(crate) fn for_calibration(given: &CoxCalibration, labelled: f64) -> Option<Self> {
        let CoxCalibration {
            slope,
            intercept,
            p_value,
            intercept_at_slope_one: shift,
            slope_p_value: p_value_of_slope,
            ..
        } = *given;
        if p_value >= CONTRADICTED {
            return None;
        }
        if p_value_of_slope < CONTRADICTED {
            return Some(Self::Uncalibrated { slope, intercept, p_value });
        }
        // Their odds are e^shift times too small.
        let odds = labelled / (1.0 - labelled) * (-shift).exp();
        Some(Self::OtherShare { share: odds / (1.0 + odds), labelled, p_value })
    }

    /// Whether it is that the test scores are no mixture of the labelled classes, or a poor one.
    pub fn is_of_misfit(&self) -> bool {
        matches!(self, Self::PriorShiftDoubtful { .. } | Self::PriorShiftRejected { .. })
    }

    /// What to say of the weights of so many scores.
    pub(crate) fn for_weights(n: u64, effective: f64) -> Option<Self> {
        (effective < FEW_EFFECTIVE && 2.0 * effective < n as f64).then_some(Self::UnevenWeights { n, effective })
    }

    /// What to say of an estimator's value, if it lies outside [0, 1].
    pub(crate) fn unless_inside(raw: f64, se: Option<f64>) -> Option<Self> {
        let outside = (raw - raw.clamp(0.0, 1.0)).abs();
        match se.map(|se| outside / se) {
            _ if outside == 0.0 => None,
            Some(distance) if distance > FAR => Some(Self::FarOutside { raw, distance }),
            _ => Some(Self::OutsideUnitInterval { raw }),
        }
    }
}

/// An estimate outside [0, 1], and what is reported instead.
struct Outside(f64);

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kept = self.0.clamp(0.0, 1.0);
        let by = (self.0 - kept).abs();
        if by < 5e-5 {
            write!(f, "the estimate lies {by:.0e} outside [0, 1] and is reported as {kept}")
        } else {
            write!(f, "the estimate {} lies outside [0, 1] and is reported as {kept}", FourDecimals(self.0))
        }
    }
}

/// A small p-value.
struct PValue(f64);

impl fmt::Display for PValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 < 1e-6 { write!(f, "p < 1e-6") } else { write!(f, "p = {:.0e}", self.0) }
    }
}

/// Whether an estimate is too high or too low.
struct Direction(f64);

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0 > 0.0 { "high" } else { "low" })
    }
}

/// Four decimals, or an exponent where the number is large.
struct FourDecimals(f64);

impl fmt::Display for FourDecimals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.abs() < 1e4 { write!(f, "{:.4}", self.0) } else { write!(f, "{:.1e}", self.0) }
    }
}
