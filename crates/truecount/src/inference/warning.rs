//! Warnings about estimates, each with its reason and its consequence.

use super::Excess;
use super::excess::ThreeDigits;
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
    #[allow(missing_docs)] // the sentences say what the fields are; raw is the unclipped estimate
    pub enum Warning, severity: Severity {
        /// The unclipped estimate lies outside [0, 1].
        #[condition("outside-unit-interval", Note, "{}", Outside(*raw))]
        OutsideUnitInterval { raw: f64 },

        /// The unclipped estimate lies more than three standard errors outside [0, 1].
        #[condition(
            "far-outside-unit-interval", Unreliable,
            "do not rely on this estimate: its raw value {} lies {} standard errors outside [0, 1], so the new scores \
             look different from the labelled ones: another scale, model version or kind of case?",
            FourDecimals(*raw), FourDecimals(*distance)
        )]
        FarOutsideUnitInterval { raw: f64, distance: f64 },

        /// At the given error rates no prevalence explains the number of positives.
        #[condition(
            "rates-contradicted", Unreliable,
            "do not rely on this estimate: its raw value {} lies {} standard errors outside [0, 1], so no prevalence \
             explains these positives; the test must have had another sensitivity or specificity here",
            FourDecimals(*raw), FourDecimals(*distance)
        )]
        RatesContradicted { raw: f64, distance: f64 },

        /// The groups of test scores together contradict the labelled scores, as if they had shifted by
        /// this number of standard deviations of the scores.
        #[condition(
            "groups-shifted", Caution,
            "the groups' scores contradict the labelled ones, so both classes may have moved in this group too, which \
             its own scores cannot show: the interval allows for a shift of {shift:.2} standard deviations of the \
             scores, as the groups together show; label some rows of each group"
        )]
        GroupsShifted { shift: f64 },

        /// Other groups contradict the labelled scores or the error rates that this estimate also relies on.
        #[condition(
            "other-groups-contradict", Caution,
            "the share may be wrong, although the group's own data cannot show it: {contradicted} of {groups} groups \
             contradict{} the labelled rows or rates that this group also relies on; label some of the group's rows",
            if *contradicted == 1 { "s" } else { "" }
        )]
        OtherGroupsContradict { contradicted: usize, groups: usize },

        /// The method does not correct for the classifier's errors.
        #[condition(
            "not-corrected", Caution,
            "the estimate is biased at most prevalences: this method does not correct for the classifier's errors; es, \
             the default, does"
        )]
        NotCorrected,

        /// Groups whose estimates are unreliable have a larger share of the total than its standard error.
        #[condition(
            "groups-unreliable", Unreliable,
            "do not rely on this total: groups without a reliable estimate have {:.1} % of its weight", 100.0 * share
        )]
        GroupsUnreliable { share: f64 },

        /// There is a single test score.
        #[condition("single-score", Unreliable, "a single test score says almost nothing about a prevalence")]
        SingleScore,

        /// The weights are so uneven that Kish's effective number of test scores is below 30, where
        /// the U.S. National Center for Health Statistics does not publish a proportion (Parker et
        /// al. 2017), and below half of the number of scores.
        #[condition(
            "uneven-weights", Unreliable,
            "do not rely on the interval: the weights are so uneven that {n} test scores have an effective sample size \
             of {effective:.1}; look at the largest weights"
        )]
        UnevenWeights { n: u64, effective: f64 },

        /// The scores have no weight in some replicates. The other replicates count for these.
        #[condition(
            "empty-replicates", Caution,
            "{empty} of {replicates} replicates give these scores no weight, so the standard error is that of the others"
        )]
        EmptyReplicates { empty: u64, replicates: u64 },

        /// Every test score lies outside the sweep's region.
        #[condition(
            "none-in-region", Caution,
            "no test score lies inside the region, so only the numbers of scores on either side count"
        )]
        NoneInRegion,

        /// Every test score has the same influence, for example because all are equal.
        #[condition(
            "no-spread", Unreliable,
            "the test scores carry no information about the prevalence, because all have the same influence"
        )]
        NoSpread,

        /// The labelled rates differ by less than the threshold at every test score, and one cut was used instead.
        #[condition(
            "single-cut-used", Caution,
            "a single threshold was used, the one with the largest J: at no test score is J at least {threshold:.4}"
        )]
        SingleCutUsed { threshold: f64 },

        /// The solver used up its steps.
        #[condition("not-converged", Unreliable, "do not rely on this estimate: the solver stopped after {steps} steps \
                                                  without convergence")]
        NotConverged { steps: u32 },

        /// Expectation maximisation met its stopping rule before reaching the maximum of the likelihood.
        #[condition(
            "em-not-converged", Caution,
            "the estimate is not the maximum of the likelihood, which is at {maximum:.4} (method ml): the stopping \
             rule ended the iteration after {steps} steps"
        )]
        EmNotConverged { steps: u32, maximum: f64 },

        /// The standard error is 0 or close to it, because there is no spread within the classes.
        #[condition(
            "zero-standard-error", Unreliable,
            "the standard error is too small: the labelled scores hardly vary within the classes; label more rows \
             that the classifier was not trained on"
        )]
        ZeroStandardError,

        /// The labelled scores separate the classes almost perfectly, as those of the classifier's own
        /// training rows often do.
        #[condition(
            "perfect-separation", Caution,
            "the estimate may be far off: the labelled scores separate the classes almost perfectly; were these rows in \
             the classifier's training? if so, use out-of-fold scores or label other rows"
        )]
        PerfectSeparation,

        /// Labelled positives are not above the cutoff more often than labelled negatives.
        #[condition(
            "useless-cutoff", Unreliable,
            "the cutoff does not separate the classes: labelled positives are above it no more often than negatives; \
             choose a cutoff between the classes"
        )]
        UselessCutoff,

        /// The maximum of a class's likelihood is in a limit of the family.
        #[condition(
            "boundary-fit", Caution,
            "the fitted {class} class is the {limit} limit of its family: its scores end abruptly, or are too few"
        )]
        BoundaryFit { class: Class, limit: &'static str },

        /// A class has fewer than ten labelled scores; n is the size of the smaller class.
        #[condition(
            "few-labelled", Unreliable,
            "the standard error may be too small: a class has only {n} labelled score{}; label at least ten",
            if *n == 1 { "" } else { "s" }
        )]
        FewLabelled { n: u64 },

        /// The effective number (Kish's, or the number of clusters if that is smaller) of a class's labelled scores
        /// is below ten, or uneven weights make it less than 30 and less than half of their number.
        #[condition(
            "few-labelled-units", Unreliable,
            "the standard error may be too small: by their weights or clusters, the {n} labelled scores of a class \
             have an effective sample size of {effective:.1}"
        )]
        FewLabelledUnits { n: u64, effective: f64 },

        /// The number of labelled rows with each score is a multiple of the same number, as if every
        /// row had been copied.
        #[condition(
            "copied-labels", Unreliable,
            "the standard error is too small if rows were copied: the number of rows with each labelled score is a \
             multiple of {times}; remove the copies, or cluster by the unit that they share"
        )]
        CopiedLabels { times: u64 },

        /// A labelled score looks like a code for a missing value.
        #[condition(
            "missing-code", Caution,
            "the {class} score {value:?} may be a code for a missing value: it is a whole number far from all other \
             labelled scores; leave such rows out"
        )]
        MissingCode { class: Class, value: f64 },

        /// The labelled scores have too few different values for a fitted continuous distribution.
        #[condition(
            "few-values", Caution,
            "the rates may be far off: the labelled scores have only {values} different values, unlike any fitted \
             distribution; take the rates from the labelled scores"
        )]
        FewValues { values: usize },

        /// The means of the labelled scores contradict the fitted family, by less than the standard error. The error is
        /// above 0 if the estimate is too high.
        #[condition(
            "family-in-doubt", Caution,
            "the estimate is too {} by about {:.4}: the labelled scores contradict the fitted family ({}); es fits no \
             family",
            Direction(*by), by.abs(), PValue(*p_value)
        )]
        FamilyInDoubt { by: f64, p_value: f64 },

        /// The distribution of the labelled scores contradicts the fitted family, or their means do by
        /// more than the standard error.
        #[condition(
            "family-contradicted", Unreliable,
            "do not rely on the interval: the estimate is too {} by about {:.4}, or more, because the labelled scores \
             contradict the fitted family ({}); es fits no family",
            Direction(*by), by.abs(), PValue(*p_value)
        )]
        FamilyContradicted { by: f64, p_value: f64 },

        /// The classifier's probabilities belong to another share of positives than that of the labelled scores.
        #[condition(
            "probabilities-prior-mismatch", Caution,
            "the estimate is off: the probabilities assume that a share of {share:.3} is positive, but among the \
             labelled rows it is {labelled:.3} ({}); adjust the probabilities, or use es or pacc, which learn from the \
             labels",
            PValue(*p_value)
        )]
        ProbabilitiesPriorMismatch { share: f64, labelled: f64, p_value: f64 },

        /// The classifier's probabilities are not calibrated: the log odds of a positive on the logit of its probability
        /// have a slope other than 1, or an intercept other than 0.
        #[condition(
            "not-calibrated", Caution,
            "the estimate is off and the interval too narrow: the probabilities are not calibrated (slope {slope:.2}, \
             intercept {intercept:.2}, {}); calibrate the classifier, or use es or pacc, which learn from the labels",
            PValue(*p_value)
        )]
        NotCalibrated { slope: f64, intercept: f64, p_value: f64 },

        /// The difference of the classes (max J, or the difference of a count's two rates) is within three of its
        /// standard errors of 0, where the linear theory of the standard error fails.
        #[condition(
            "weak-separation", Unreliable,
            "the standard error is too small and the interval wide: the scores hardly separate the labelled classes (a \
             difference of {difference:.3} with standard error {noise:.3}, one-sided p = {}); label more rows",
            FourDecimals(gauss::tails(difference / noise).1)
        )]
        WeakSeparation { difference: f64, noise: f64 },

        /// The check rejects that the test scores are a mixture of the labelled classes, and the
        /// interval is widened for the misfit, by a factor of at most 3.
        #[condition(
            "misfit-widened", Caution,
            "the interval allows for errors {scale:.1} times as large as chance explains: the new scores do not fit \
             any mix of the labelled classes ({}; too many: {worst})",
            PValue(*p_value)
        )]
        MisfitWidened { p_value: f64, worst: Excess, scale: f64 },

        /// The check rejects that the test scores are a mixture of the labelled classes, and the
        /// misfit is too large for a widened interval, or the interval is not widened.
        #[condition(
            "prior-shift-rejected", Unreliable,
            "do not rely on this estimate: the new scores do not fit any mix of the labelled classes ({}; too many: \
             {worst}), so more than the share has changed; errors are about {scale:.1} times as large as chance \
             explains",
            PValue(*p_value)
        )]
        PriorShiftRejected { p_value: f64, worst: Excess, scale: f64 },

        /// Most test scores lie beyond the scores of almost all labelled rows, and they are not a
        /// mixture of the labelled classes. The range includes its lower end only; the share of the labelled
        /// rows in it is the mean of the two classes' shares.
        #[condition(
            "scores-outside-range", Unreliable,
            "do not rely on this estimate: {} of the new scores lie outside the range of {} of the labelled ones \
             ({} to {}); score both with the same version of the classifier and on the same scale",
            WholePercent(*share), WholePercent(*labelled), ThreeDigits(*from), ThreeDigits(*to)
        )]
        ScoresOutsideRange { share: f64, labelled: f64, from: f64, to: f64 },

        /// Some rows have no score and are not counted.
        #[condition(
            "missing-scores", Caution,
            "{}", if *n == 1 {
                "1 row has no score and is not counted".to_owned()
            } else {
                format!("{n} rows have no score and are not counted")
            }
        )]
        MissingScores { n: u64 },

        /// Some bootstrap resamples allow no estimate, and the standard error and interval come from the others.
        #[condition(
            "resamples-lost", Caution,
            "{lost} of {of} resamples gave no estimate; the standard error and the interval are those of the others"
        )]
        ResamplesLost { lost: usize, of: usize },

        /// Too many bootstrap resamples allow no estimate for a standard error and an interval.
        #[condition(
            "too-many-resamples-lost", Unreliable,
            "there is no standard error and no interval: {lost} of {of} resamples gave no estimate; label more rows"
        )]
        TooManyResamplesLost { lost: usize, of: usize },
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
            return Some(Self::NotCalibrated { slope, intercept, p_value });
        }
        // The probabilities' odds are too small by the factor e^shift.
        let odds = labelled / (1.0 - labelled) * (-shift).exp();
        Some(Self::ProbabilitiesPriorMismatch { share: odds / (1.0 + odds), labelled, p_value })
    }

    /// Returns whether the warning is about test scores that are not a mixture of the labelled classes.
    pub fn is_misfit(&self) -> bool {
        matches!(self, Self::MisfitWidened { .. } | Self::PriorShiftRejected { .. } | Self::ScoresOutsideRange { .. })
    }

    /// Returns the p-value of the assumption for a warning that rejects it, and 1 for any other warning.
    fn contradiction(&self) -> f64 {
        match self {
            Self::FarOutsideUnitInterval { distance, .. } | Self::RatesContradicted { distance, .. } => {
                gauss::tails(*distance).1
            }
            Self::PriorShiftRejected { p_value, .. } => *p_value,
            Self::ScoresOutsideRange { .. } => 0.0,
            _ => 1.0,
        }
    }

    /// Returns whether a group's warnings show that it contradicts the labelled scores or rates that all groups
    /// share, at level 1 % with Bonferroni's correction.
    pub fn contradict_labels(warnings: &[Self], groups: usize) -> bool {
        warnings.iter().any(|warning| warning.contradiction() < CONTRADICTED / groups as f64)
    }

    /// Adds [`OtherGroupsContradict`](Self::OtherGroupsContradict) to a group's warnings, if other groups
    /// [contradict](Self::contradict_labels) the labels, unless its interval already allows for
    /// [shifted groups](Self::GroupsShifted).
    pub fn warn_of_contradicting_groups(warnings: &mut Vec<Self>, contradicted: usize, groups: usize) {
        let is_widened = |warning: &Self| matches!(warning, Self::GroupsShifted { .. });
        if contradicted > 0 && !Self::contradict_labels(warnings, groups) && !warnings.iter().any(is_widened) {
            warnings.push(Self::OtherGroupsContradict { contradicted, groups });
        }
    }

    /// [Warns](Self::warn_of_contradicting_groups) each group of others that contradict the labelled scores or rates.
    pub fn warn_of_contradictions<'a>(groups: impl IntoIterator<Item = &'a mut Vec<Self>>) {
        let groups: Vec<_> = groups.into_iter().collect();
        let number = groups.len();
        let contradicted = groups.iter().filter(|group| Self::contradict_labels(group, number)).count();
        for group in groups {
            Self::warn_of_contradicting_groups(group, contradicted, number);
        }
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
            Some(distance) if distance > FAR => Some(Self::FarOutsideUnitInterval { raw, distance }),
            _ => Some(Self::OutsideUnitInterval { raw }),
        }
    }
}

/// An estimate outside [0, 1], and the value that is reported instead.
struct Outside(f64);

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let raw = FourDecimals(self.0);
        if self.0 < 0.0 {
            write!(
                f,
                "the share is reported as 0, because there are fewer positives than false alarms alone would give (raw \
                 estimate {raw})"
            )
        } else {
            write!(
                f,
                "the share is reported as 1, because there are more positives than if every row were positive (raw \
                 estimate {raw})"
            )
        }
    }
}

/// Formats a p-value.
pub(crate) struct PValue(pub(crate) f64);

impl fmt::Display for PValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 < 1e-6 { write!(f, "p < 1e-6") } else { write!(f, "p = {:.0e}", self.0) }
    }
}

/// Formats a share as a whole number of percent.
struct WholePercent(f64);

impl fmt::Display for WholePercent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.0} %", 100.0 * self.0)
    }
}

/// Formats the sign of an error as "high" or "low".
struct Direction(f64);

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0 > 0.0 { "high" } else { "low" })
    }
}

/// Four decimals, or an exponent for large and for tiny numbers.
struct FourDecimals(f64);

impl fmt::Display for FourDecimals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0.abs() {
            1e4.. => write!(f, "{:.1e}", self.0),
            size if size < 5e-5 => write!(f, "{:.0e}", self.0),
            _ => write!(f, "{:.4}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The p-value of 3.5 standard errors is 0.000233, which is 1 % of 43 groups.
    #[test]
    fn groups_are_warned_of_one_that_chance_does_not_explain() {
        let warned = |groups: usize| {
            let mut warnings = vec![vec![Warning::SingleScore]; groups];
            warnings[0].push(Warning::FarOutsideUnitInterval { raw: -0.1, distance: 3.5 });
            Warning::warn_of_contradictions(&mut warnings);
            (warnings[0].len(), warnings[1].clone())
        };
        let other = Warning::OtherGroupsContradict { contradicted: 1, groups: 42 };
        assert_eq!(warned(42), (2, vec![Warning::SingleScore, other]));
        assert_eq!(warned(43), (2, vec![Warning::SingleScore]));
    }
}
