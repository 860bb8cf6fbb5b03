//! The methods for several classes.

use crate::choice::choice;

/// A method for the shares of several classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MulticlassMethod {
    /// Maximum likelihood with probabilities that the labelled rows calibrate.
    #[default]
    Ml,
    /// Classify & Count: the shares of the classes with the highest probability.
    Cc,
    /// Adjusted Count: Classify & Count corrected by the confusion matrix.
    Ac,
    /// Probabilistic Adjusted Count: mean probabilities corrected by those of the labelled classes.
    Pacc,
    /// Saerens, Latinne and Decaestecker (2002), also called EMQ: maximum likelihood with the
    /// probabilities as they are, for classes as frequent as among the labelled rows.
    Sld,
}

impl MulticlassMethod {
    /// All methods: name, method, summary.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("ml", Self::Ml, "maximum likelihood with probabilities calibrated by the labelled rows"),
        ("cc", Self::Cc, "Classify & Count: share of rows most probably in the class, uncorrected"),
        ("ac", Self::Ac, "Adjusted Count: corrected by the confusion matrix"),
        ("pacc", Self::Pacc, "Probabilistic Adjusted Count"),
        ("sld", Self::Sld, "SLD (EMQ): maximum likelihood with the probabilities as they are"),
    ];

    /// Returns whether labelled rows do not correct the classifier's errors.
    pub fn is_uncorrected(self) -> bool {
        matches!(self, Self::Cc | Self::Sld)
    }

    /// Returns the name and the summary.
    pub fn describe(self) -> (&'static str, &'static str) {
        let (name, _, summary) = Self::TABLE.iter().find(|(_, method, _)| *method == self).expect("a row");
        (name, summary)
    }
}

choice!(MulticlassMethod, "method for several classes");
