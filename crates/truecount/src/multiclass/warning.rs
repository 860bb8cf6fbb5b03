//! Warnings about shares of several classes.

use crate::condition::Severity;
use crate::conditions;
use crate::inference::PValue;

conditions! {
    /// A reason to read shares of several classes with care.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[allow(missing_docs)] // the sentences say what the fields are
    pub enum ClassWarning, severity: Severity {
        /// The test rows hardly fit a mixture of the labelled classes, which widens the intervals.
        #[condition(
            "class-mix-widened", Caution,
            "the intervals allow for errors {scale:.1} times as large as chance explains: the new rows hardly fit a mix \
             of the labelled classes ({}; {observed} rows, and not {expected:.0}, look most like {class}{})",
            PValue(*p_value), probability(*from, *to)
        )]
        ClassMixWidened { p_value: f64, class: String, from: f64, to: f64, observed: u64, expected: f64, scale: f64 },

        /// The test rows do not fit a mixture of the labelled classes, and the intervals do not allow for it: they
        /// would be too wide, or are not widened.
        #[condition(
            "class-mix-rejected", Unreliable,
            "do not rely on these shares: the new rows do not fit any mix of the labelled classes ({}; {observed} rows, and \
             not {expected:.0}, look most like {class}{}), so more than the shares has changed",
            PValue(*p_value), probability(*from, *to)
        )]
        ClassMixRejected { p_value: f64, class: String, from: f64, to: f64, observed: u64, expected: f64 },

        /// A corrected share lay far outside [0, 1] before it was made possible.
        #[condition(
            "class-far-outside", Unreliable,
            "do not rely on these shares: the raw share of {class} is {raw:.2}, {distance:.1} standard errors outside \
             [0, 1], so the new rows look different from the labelled ones"
        )]
        ClassFarOutside { class: String, raw: f64, distance: f64 },

        /// Groups that do not fit a mixture of the labelled classes have a notable part of a mean's weight.
        #[condition(
            "class-groups-rejected", Unreliable,
            "do not rely on this total: groups with {:.1} % of the weight do not fit any mix of the labelled classes; \
             leave them out, or label some of their rows",
            100.0 * share
        )]
        ClassGroupsRejected { share: f64 },

        /// The errors of two shares almost cancel in their sum.
        #[condition(
            "classes-indistinguishable", Caution,
            "the classifier hardly distinguishes {first} from {second}: each share is uncertain, but their sum is \
             {sum:.4} with a standard error of {std_error:.4}"
        )]
        ClassesIndistinguishable { first: String, second: String, sum: f64, std_error: f64 },

        /// The scores do not determine a share.
        #[condition(
            "shares-unknown", Unreliable,
            "the rows do not determine the shares: that of {class} has a standard error of {std_error:.2}; use more rows, \
             or a classifier that tells the classes apart"
        )]
        SharesUnknown { class: String, std_error: f64 },

        /// A class has fewer than ten labelled rows, or an effective number of them (Kish's, or the number of clusters
        /// if that is smaller) below ten.
        #[condition(
            "class-few-labelled", Unreliable,
            "the standard errors may be too small: the class {class} has only {n} labelled rows{}",
            match effective {
                Some(size) => format!(" with an effective sample size of {size:.1}, by their weights or clusters"),
                None if *n < 3 => "; label at least ten, or correct the label if it is misspelt".to_owned(),
                None => "; label at least ten".to_owned(),
            }
        )]
        ClassFewLabelled { class: String, n: u64, effective: Option<f64> },

        /// The rows have no weight in some replicates. The other replicates count for these.
        #[condition(
            "class-empty-replicates", Caution,
            "{empty} of {replicates} replicates give these rows no weight, so the standard errors are those of \
             the others"
        )]
        EmptyReplicates { empty: u64, replicates: u64 },

        /// The method takes the probabilities as they are.
        #[condition(
            "probabilities-trusted", Caution,
            "the shares are off and the intervals too narrow unless the probabilities are calibrated; ml, the default, \
             calibrates them with the labelled rows"
        )]
        ProbabilitiesTrusted,

        /// The method counts the most probable classes without a correction.
        #[condition(
            "classes-not-corrected", Caution,
            "the shares are biased: this method does not correct for the classifier's errors; ac and ml do"
        )]
        ClassesNotCorrected,
    }
}

/// Describes the range of a probability, unless it is [0, 1] in two decimals.
fn probability(from: f64, to: f64) -> String {
    if from < 0.005 && to >= 0.995 { String::new() } else { format!(" with a probability from {from:.2} to {to:.2}") }
}

impl ClassWarning {
    /// Returns whether the warning is about this class, as a warning about all classes is.
    pub fn concerns(&self, name: &str) -> bool {
        match self {
            Self::ClassFewLabelled { class, .. } => class == name,
            Self::ClassesIndistinguishable { first, second, .. } => first == name || second == name,
            Self::ClassMixRejected { .. }
            | Self::ClassFarOutside { .. }
            | Self::ClassGroupsRejected { .. }
            | Self::ClassMixWidened { .. }
            | Self::SharesUnknown { .. }
            | Self::EmptyReplicates { .. }
            | Self::ProbabilitiesTrusted
            | Self::ClassesNotCorrected => true,
        }
    }
}
