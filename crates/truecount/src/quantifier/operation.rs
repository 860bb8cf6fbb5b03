//! Operations that only some methods support, and the error for the others.

use super::method::NO_FORMULA;
use super::{Method, SummaryKind};
use crate::condition::{Condition, ErrorCondition, ErrorKind, Field, ToFields, fill, fmt_condition};
use crate::{Error, LabelledScores};
use std::fmt;

/// The error of an operation. Its problem and hint have their fields in braces: `method` if the
/// error is always about one method, otherwise `methods`.
struct OperationError {
    operation: Operation,
    code: &'static str,
    kind: ErrorKind,
    meaning: &'static str,
    supports: fn(Method) -> bool,
    problem: &'static str,
    hint: &'static str,
}

/// Defines the operations, each with its error: code, kind, meaning, the methods that support it,
/// problem, hint.
macro_rules! operations {
    ($(
        $(#[doc = $about:literal])+
        $operation:ident: $code:literal, $kind:ident, $meaning:literal, $supports:expr,
        $problem:literal, $hint:literal;
    )+) => {
        /// An operation that only some methods support.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[doc = $about])+ $operation,)+
        }

        impl Operation {
            /// All operations.
            pub const ALL: &'static [Self] = &[$(Self::$operation),+];
        }

        const ERRORS: &[OperationError] = &[$(OperationError {
            operation: Operation::$operation,
            code: $code,
            kind: ErrorKind::$kind,
            meaning: $meaning,
            supports: $supports,
            problem: $problem,
            hint: $hint,
        }),+];
    };
}

operations! {
    /// Weights of test scores.
    Weights: "weights-not-possible", Options,
        "A method does not accept weights of test scores.",
        Method::supports_weights,
        "weights of test scores cannot be used with {methods}",
        "the methods that accept them are {able}";

    /// Weights, clusters and strata of labelled scores.
    LabelDesign: "label-design-not-possible", Options,
        "A method does not accept weights, clusters and strata of labelled scores.",
        Method::supports_label_design,
        "weights, clusters and strata of labelled scores cannot be used with {method}",
        "the methods that accept them are {able} (those that read posterior probabilities need given probabilities)";

    /// Tallies from counts in bins.
    Bins: "method-without-bins", Tally,
        "A tally is to be made from counts in bins, but the method has no bins.",
        Method::supports_sql,
        "{method} has no bins, so a tally cannot be made from counts in bins",
        "the methods with bins are {able}";

    /// Planning of sample sizes.
    Plan: "plan-not-possible", Options,
        "Sample sizes cannot be planned for a method, which has no variance or is biased.",
        |method| method.without_precision().is_none(),
        "sample sizes cannot be planned for {method}, which {why}",
        "the methods with plans are {able}";

    /// Known distributions instead of labelled scores.
    KnownDistributions: "method-needs-labels", Options,
        "A method needs labelled scores, but only distributions are known.",
        Method::supports_known_distributions,
        "{method} needs labelled scores",
        "the methods for known distributions are {able}";

    /// Queries.
    Sql: "sql-not-possible", Options,
        "A method needs more than counts of scores in bins, so no query can compute it.",
        Method::supports_sql,
        "a query cannot compute {methods}, as that takes more than counts of scores in bins",
        "fit a model with some of {able} (those that read posterior probabilities need given probabilities), or tally \
         the scores";

    /// Queries of estimates.
    SqlEstimates: "sql-only-counts", Options,
        "A query of estimates is requested, but the method has only queries of counts.",
        |method| method.summary_kind() == SummaryKind::ScoreBins,
        "a query returns counts of {methods}, not estimates",
        "query the counts and finish them, or fit a model with {able} alone";

    /// The influence of each test score.
    Influence: "method-without-influence", Options,
        "A method is not the mean of one function of the score.",
        Method::supports_weights,
        "{method} is not the mean of a function of the score, so single scores have no influence value",
        "the methods with influence values are {able}; all methods have tallies";

    /// A family of distributions.
    Family: "family-unused", Options,
        "A family is requested, but no method fits one.",
        Method::fits_family,
        "the family has no effect on {methods}",
        "leave the family out, or use es with rates from a family, or one of {able}";

    /// A transform of the scores.
    Transform: "transform-unused", Options,
        "A transform is requested, but no method uses one.",
        |method| method.uses_transform(false),
        "the transform has no effect on {methods}",
        "leave the transform out, or use es with rates from a family, or one of {able}";

    /// The covariance of two estimates.
    Covariance: "no-covariance", Options,
        "The covariance of two estimates by a method has no formula.",
        Method::is_corrected_mean,
        "there is no formula for the covariance of estimates by {method}",
        "the methods with a formula are {able}";

    /// Sampling designs of test scores.
    TestDesign: "test-design-not-possible", Options,
        "A method has no variance for the sampling design of test scores.",
        Method::supports_weights,
        "{method} has no variance for test scores in clusters or strata, or with replicate weights",
        "the methods with such a variance are {able}";
}

impl Operation {
    /// Returns code, [`ErrorKind`] and meaning of the errors of all operations.
    pub fn table() -> Vec<(&'static str, ErrorKind, &'static str)> {
        ERRORS.iter().map(|error| (error.code, error.kind, error.meaning)).collect()
    }

    /// Returns whether the method supports the operation.
    pub fn is_supported_by(self, method: Method) -> bool {
        (self.error().supports)(method)
    }

    /// Returns the error for methods that do not support the operation.
    pub fn unsupported_by(self, methods: impl IntoIterator<Item: ToString>) -> UnsupportedOperation {
        UnsupportedOperation {
            operation: self,
            methods: methods.into_iter().map(|method| method.to_string()).collect(),
            why: (self == Self::Plan).then_some(NO_FORMULA),
            able: Method::names_where(|method| self.is_supported_by(method)),
        }
    }

    fn error(self) -> &'static OperationError {
        ERRORS.iter().find(|error| error.operation == self).expect("a row for each operation")
    }
}

impl Method {
    /// Checks that the method supports the sampling design of the labelled scores.
    ///
    /// # Errors
    /// Returns the error of [`Operation::LabelDesign`] if the scores have weights, clusters or strata
    /// and the method needs more than their means.
    pub(super) fn check_design(self, labelled: &LabelledScores) -> Result<(), Error> {
        if labelled.design().is_none() || self.takes_design_of(labelled) {
            Ok(())
        } else {
            Err(Operation::LabelDesign.unsupported_by([self]).into())
        }
    }

    /// Checks that sample sizes can be planned for the method.
    ///
    /// # Errors
    /// Returns the error of [`Operation::Plan`] if the method is biased or has no formula for its
    /// variance.
    pub fn check_precision(self) -> Result<(), Error> {
        self.without_precision().map_or(Ok(()), |why| Err(self.no_precision(why)))
    }

    /// Returns the error of [`Operation::Plan`] with this reason.
    pub(super) fn no_precision(self, why: &'static str) -> Error {
        // All methods that rely on calibrated posteriors have the same reason.
        let has_same_reason = |other: Self| self.needs_calibrated_posteriors() && other.needs_calibrated_posteriors();
        let mut error = Operation::Plan.unsupported_by([self]);
        error.able.retain(|name| !name.parse().is_ok_and(has_same_reason));
        UnsupportedOperation { why: Some(why), ..error }.into()
    }
}

/// The error of an operation that some of the methods do not support.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedOperation {
    /// The operation.
    pub operation: Operation,
    /// The requested methods that do not support the operation.
    pub methods: Vec<String>,
    /// The reason, if it depends on the method.
    pub why: Option<&'static str>,
    /// The methods that support the operation.
    pub able: Vec<&'static str>,
}

impl Condition for UnsupportedOperation {
    fn code(&self) -> &'static str {
        self.operation.error().code
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let mut fields = Vec::new();
        if self.operation.error().problem.contains("{method}") {
            self.methods.join(", ").add_fields("method", &mut fields);
        } else {
            self.methods.add_fields("methods", &mut fields);
        }
        self.why.add_fields("why", &mut fields);
        self.able.add_fields("able", &mut fields);
        fields
    }

    fn problem(&self) -> String {
        self.fill(self.operation.error().problem)
    }

    fn hint(&self) -> Option<String> {
        Some(self.fill(self.operation.error().hint))
    }
}

impl ErrorCondition for UnsupportedOperation {
    fn kind(&self) -> ErrorKind {
        self.operation.error().kind
    }
}

impl UnsupportedOperation {
    fn fill(&self, sentence: &str) -> String {
        fill(sentence, &self.fields()).expect("the fields of the sentence")
    }
}

impl fmt::Display for UnsupportedOperation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt_condition(self, f)
    }
}
