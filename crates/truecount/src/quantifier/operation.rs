//! Operations that only some methods support, and the error for the others.

use super::method::NO_FORMULA;
use super::{Method, SummaryKind};
use crate::condition::{Condition, ErrorCondition, ErrorKind, Field, ToFields, fill};
use crate::{Error, LabelledScores};
use std::fmt;

/// The error of an operation. Its sentence has the fields in braces: `method` if the error is always
/// about one method, otherwise `methods`.
struct OperationError {
    operation: Operation,
    code: &'static str,
    kind: ErrorKind,
    meaning: &'static str,
    supports: fn(Method) -> bool,
    sentence: &'static str,
}

/// Defines the operations, each with its error: code, kind, meaning, the methods that support it,
/// sentence.
macro_rules! operations {
    ($(
        $(#[doc = $about:literal])+
        $operation:ident: $code:literal, $kind:ident, $meaning:literal, $supports:expr, $sentence:literal;
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
            sentence: $sentence,
        }),+];
    };
}

operations! {
    /// Weights of test scores.
    Weights: "weights-not-possible", Options,
        "A method needs more of the test scores than weighted means.",
        Method::takes_weights,
        "weights are not possible for {methods}; the methods that take them are {able}";

    /// Weights and clusters of labelled scores.
    LabelDesign: "label-design-not-possible", Options,
        "A method needs more of the labelled scores than weighted means.",
        Method::takes_label_design,
        "weights and clusters of labelled scores are not possible for {method}; the methods that take them are {able} \
        (those of posterior probabilities if these are given)";

    /// Tallies from counts in bins.
    Bins: "method-without-bins", Tally,
        "A tally is to be made from counts in bins for a method that has none.",
        |method| method.keeps() == SummaryKind::Bins,
        "{method} has no bins; tallies are made from bins for {able}";

    /// Planning of sample sizes.
    Plan: "plan-not-possible", Options,
        "Sizes cannot be planned for a method, for want of a variance or of freedom from bias.",
        |method| method.without_precision().is_none(),
        "sizes cannot be planned for {method}, which {why}; they can for {able}";

    /// Known distributions instead of labelled scores.
    KnownDistributions: "method-needs-labels", Options,
        "A method is learnt from labelled scores, and there are only known distributions.",
        Method::is_defined_by_distributions,
        "{method} is learnt from labelled scores; known distributions are enough for {able}";

    /// SQL queries.
    Sql: "sql-not-possible", Options,
        "A method needs every test score at once, which no query has.",
        Method::is_in_sql,
        "{methods} cannot be computed in SQL, which would need every score at once; fit a model with some of {able}";

    /// SQL queries of totals over several groups.
    SqlTotals: "sql-only-tallies", Options,
        "A query that gives tallies has no rows of several groups.",
        |method| method.is_in_sql() && method.takes_weights(),
        "the query for {methods} gives a tally of each group, and nothing of several together; fit a model with some of \
        {able}";

    /// The influence of each test score.
    Influence: "method-without-influence", Options,
        "A method is not the mean of one function of the score.",
        Method::takes_weights,
        "{method} is not the mean of one function of the score; the methods that are: {able} (tallies are for all methods)";

    /// The influence of each labelled score.
    LabelledInfluence: "method-learns-no-means", Options,
        "A method is not corrected by means of one function over the labelled scores.",
        Method::is_unbiased_mean,
        "what each labelled score adds to the error of an estimate is not known of {method}; it is known of {able}";

    /// A family of distributions.
    Family: "family-unused", Options,
        "A family is asked for that no method would fit.",
        Method::fits_family,
        "no family is fitted for {methods}: leave the family out; it is for {able}, and for es anchored in the model";

    /// A transform of the scores.
    Transform: "transform-unused", Options,
        "A transform is asked for that no method would use.",
        |method| method.uses_transform(false),
        "scores are not transformed for {methods}: leave the transform out; it is for {able}, and for es anchored in the \
        model";

    /// The covariance of two estimates.
    Covariance: "no-covariance", Options,
        "The covariance of an estimate with others is not known.",
        Method::is_unbiased_mean,
        "no formula tells what estimates of {method} have in common; there is one for {able}";

    /// Test scores in clusters.
    Clusters: "no-clusters", Options,
        "A method has no variance for clusters.",
        Method::is_unbiased_mean,
        "{method} has no variance for test scores drawn in clusters; there is one for {able}";
}

impl Operation {
    /// Returns code, [`ErrorKind`] and meaning of the errors of all operations.
    pub fn table() -> Vec<(&'static str, ErrorKind, &'static str)> {
        ERRORS.iter().map(|error| (error.code, error.kind, error.meaning)).collect()
    }

    /// Returns whether the method supports the operation.
    pub fn is_possible_for(self, method: Method) -> bool {
        (self.error().supports)(method)
    }

    /// Returns the error for methods that do not support the operation.
    pub fn not_possible(self, methods: impl IntoIterator<Item: ToString>) -> NotPossible {
        NotPossible {
            operation: self,
            methods: methods.into_iter().map(|method| method.to_string()).collect(),
            why: (self == Self::Plan).then_some(NO_FORMULA),
            able: Method::names_where(|method| self.is_possible_for(method)),
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
    /// Returns the error of [`Operation::LabelDesign`] if the scores have weights or clusters and the
    /// method needs more than their means.
    pub(super) fn check_design(self, labelled: &LabelledScores) -> Result<(), Error> {
        if labelled.design().is_none() || self.takes_design_of(labelled) {
            Ok(())
        } else {
            Err(Operation::LabelDesign.not_possible([self]).into())
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
        let has_same_reason = |other: Self| self.trusts_posteriors() && other.trusts_posteriors();
        let mut error = Operation::Plan.not_possible([self]);
        error.able.retain(|name| !name.parse().is_ok_and(has_same_reason));
        NotPossible { why: Some(why), ..error }.into()
    }
}

/// The error of an operation that some of the methods do not support.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotPossible {
    /// The operation.
    pub operation: Operation,
    /// The requested methods that do not support the operation.
    pub methods: Vec<String>,
    /// The reason, if it depends on the method.
    pub why: Option<&'static str>,
    /// The methods that support the operation.
    pub able: Vec<&'static str>,
}

impl Condition for NotPossible {
    fn code(&self) -> &'static str {
        self.operation.error().code
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        let mut fields = Vec::new();
        if self.operation.error().sentence.contains("{method}") {
            self.methods.join(", ").add_fields("method", &mut fields);
        } else {
            self.methods.add_fields("methods", &mut fields);
        }
        self.why.add_fields("why", &mut fields);
        self.able.add_fields("able", &mut fields);
        fields
    }
}

impl ErrorCondition for NotPossible {
    fn kind(&self) -> ErrorKind {
        self.operation.error().kind
    }
}

impl fmt::Display for NotPossible {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&fill(self.operation.error().sentence, &self.fields()).expect("the fields of the sentence"))
    }
}
