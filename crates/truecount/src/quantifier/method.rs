//! The table of methods.

use super::cuts::Criterion;
use super::{Divergence, Threshold};
use crate::Error;
use crate::sweep::PDelta;
use std::fmt;

/// A quantifier with its settings; its name is its [`Display`](fmt::Display) form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Continuous Sweep: `o-cs` with the optimal threshold, `t-cs` with the traditional ¼, `cs` with another.
    ContinuousSweep(Threshold),
    /// Efficient Sweep, `es`: the weighted sweep of least variance.
    EfficientSweep,
    /// Median Sweep over the test scores with the traditional threshold ¼, `t-ms`, also called `ms`.
    MedianSweep,
    /// The same with Continuous Sweep's optimal threshold, `o-ms`.
    OptimalMedianSweep,
    /// Median Sweep over the labelled scores, as `QuaPy` has it, `ms-quapy`.
    MedianSweepQuaPy,
    /// The same where the rates differ by more than ¼, `ms2`.
    MedianSweep2,
    /// Classify & Count, `cc`: the share of scores at or above the cutoff.
    ClassifyCount,
    /// Adjusted Count, `ac`: Classify & Count corrected by the labelled sample's rates at the cutoff.
    AdjustedCount,
    /// Adjusted Count at a cut chosen from the labelled scores: `max`, `t50`, `x`.
    ChosenCut(Criterion),
    /// Probabilistic Classify & Count, `pcc`: the mean posterior probability.
    ProbabilisticCount,
    /// Probabilistic Adjusted Count, `pacc`.
    ProbabilisticAdjusted,
    /// Sample Mean Matching, `smm`: Adjusted Count with means of scores.
    SampleMean,
    /// Saerens, Latinne and Decaestecker's expectation maximisation, `sld`.
    Sld,
    /// The exact maximum of the same likelihood, `ml`.
    MaximumLikelihood,
    /// `KDEy`: maximum likelihood with kernel densities of the posterior probabilities, `kdey-ml`.
    KernelLikelihood,
    /// Matching histograms of posterior probabilities: `dys`, `dys-topsoe`.
    Dys(Divergence),
    /// The same over eleven bin counts, `hdy`.
    Hdy,
}

impl Method {
    /// Continuous Sweep with the optimal threshold.
    pub const O_CS: Self = Self::ContinuousSweep(Threshold::Optimal);
    /// Continuous Sweep with the traditional threshold ¼.
    pub const T_CS: Self = Self::ContinuousSweep(Threshold::Fixed(PDelta::TRADITIONAL));

    /// Every method that needs no number: name, method, what it does.
    pub const TABLE: [(&'static str, Self, &'static str); 21] = [
        ("o-cs", Self::O_CS, "Continuous Sweep, optimal threshold"),
        ("t-cs", Self::T_CS, "Continuous Sweep, traditional threshold 1/4"),
        ("es", Self::EfficientSweep, "Efficient Sweep"),
        ("o-ms", Self::OptimalMedianSweep, "Median Sweep, Continuous Sweep's optimal threshold"),
        ("t-ms", Self::MedianSweep, "Median Sweep, threshold 1/4; also ms"),
        ("ms-quapy", Self::MedianSweepQuaPy, "Median Sweep over the labelled scores, as QuaPy has it"),
        ("ms2", Self::MedianSweep2, "Median Sweep over the labelled scores where the rates differ by more than 1/4"),
        ("cc", Self::ClassifyCount, "Classify & Count, uncorrected"),
        ("ac", Self::AdjustedCount, "Adjusted Count at the cutoff"),
        ("max", Self::ChosenCut(Criterion::LargestDifference), "Adjusted Count where the rates differ most"),
        ("t50", Self::ChosenCut(Criterion::HalfOfPositives), "Adjusted Count where half of the positives are"),
        ("x", Self::ChosenCut(Criterion::EqualErrors), "Adjusted Count where both errors are alike"),
        ("pcc", Self::ProbabilisticCount, "Probabilistic Classify & Count: mean posterior, uncorrected"),
        ("pacc", Self::ProbabilisticAdjusted, "Probabilistic Adjusted Count"),
        ("smm", Self::SampleMean, "Sample Mean Matching: Adjusted Count with means of scores"),
        ("sld", Self::Sld, "Saerens-Latinne-Decaestecker expectation maximisation"),
        ("ml", Self::MaximumLikelihood, "Maximum likelihood: the exact maximum that sld looks for"),
        ("kdey-ml", Self::KernelLikelihood, "KDEy: maximum likelihood with kernel densities"),
        ("dys", Self::Dys(Divergence::Hellinger), "DyS: histograms of posteriors, Hellinger distance"),
        ("dys-topsoe", Self::Dys(Divergence::Topsoe), "DyS with Topsøe's divergence"),
        ("hdy", Self::Hdy, "HDy: median over eleven histograms of posteriors"),
    ];

    /// Refuses methods for which sizes cannot be planned: it takes the variance of an estimate without bias.
    ///
    /// # Errors
    /// [`Error::NoPrecision`], which lists the names of the others.
    pub fn check_precision(self) -> Result<(), Error> {
        self.without_precision().map_or(Ok(()), |why| Err(self.no_precision(why)))
    }

    pub(super) fn no_precision(self, why: &'static str) -> Error {
        // What refuses one of these refuses the other.
        let alike = |other: Self| [self, other].iter().all(|m| matches!(m, Self::Sld | Self::MaximumLikelihood));
        let able = Self::names_where(|other| other.without_precision().is_none() && !alike(other));
        Error::NoPrecision { method: self.to_string(), why, able }
    }

    /// Whether it is an uncorrected count, which is biased unless there are no errors.
    pub fn is_uncorrected(self) -> bool {
        matches!(self, Self::ClassifyCount | Self::ProbabilisticCount)
    }

    fn without_precision(self) -> Option<&'static str> {
        match self {
            Self::ClassifyCount | Self::ProbabilisticCount => Some("is biased by more than it varies"),
            Self::MedianSweep
            | Self::OptimalMedianSweep
            | Self::MedianSweepQuaPy
            | Self::MedianSweep2
            | Self::Dys(_)
            | Self::Hdy => Some("has no formula for its variance"),
            Self::ContinuousSweep(_)
            | Self::EfficientSweep
            | Self::AdjustedCount
            | Self::ChosenCut(_)
            | Self::ProbabilisticAdjusted
            | Self::SampleMean
            | Self::Sld
            | Self::MaximumLikelihood
            | Self::KernelLikelihood => None,
        }
    }

    /// Whether it reads the transformed score, or a posterior probability computed from it.
    pub(crate) fn uses_transform(self, with_probabilities: bool) -> bool {
        match self {
            Self::ClassifyCount
            | Self::AdjustedCount
            | Self::ChosenCut(_)
            | Self::MedianSweepQuaPy
            | Self::MedianSweep2
            | Self::MedianSweep => false,
            Self::ContinuousSweep(_) | Self::EfficientSweep | Self::OptimalMedianSweep | Self::SampleMean => true,
            Self::ProbabilisticCount
            | Self::ProbabilisticAdjusted
            | Self::Sld
            | Self::MaximumLikelihood
            | Self::KernelLikelihood
            | Self::Dys(_)
            | Self::Hdy => !with_probabilities,
        }
    }

    /// Whether test scores may have weights: where nothing but means of them is needed.
    pub fn takes_weights(self) -> bool {
        match self {
            Self::ContinuousSweep(_)
            | Self::EfficientSweep
            | Self::ClassifyCount
            | Self::AdjustedCount
            | Self::ChosenCut(_)
            | Self::ProbabilisticCount
            | Self::ProbabilisticAdjusted
            | Self::SampleMean => true,
            Self::MedianSweep
            | Self::OptimalMedianSweep
            | Self::MedianSweepQuaPy
            | Self::MedianSweep2
            | Self::Sld
            | Self::MaximumLikelihood
            | Self::KernelLikelihood
            | Self::Dys(_)
            | Self::Hdy => false,
        }
    }

    /// Whether nothing but counts in bins is needed of the test scores.
    pub(crate) fn counts(self) -> bool {
        matches!(self, Self::Dys(_) | Self::Hdy)
    }

    /// Whether known distributions are all it needs to know of the classes.
    pub(crate) fn is_defined_by_distributions(self) -> bool {
        matches!(
            self,
            Self::ContinuousSweep(_)
                | Self::EfficientSweep
                | Self::MedianSweep
                | Self::OptimalMedianSweep
                | Self::Sld
                | Self::MaximumLikelihood
                | Self::Dys(_)
        )
    }

    /// The names of the table's methods for which it holds.
    pub(crate) fn names_where(it_holds: impl Fn(Self) -> bool) -> Vec<&'static str> {
        Self::TABLE.iter().filter(|(_, method, _)| it_holds(*method)).map(|(name, ..)| *name).collect()
    }

    /// The method of that name; `threshold` is what `cs` stands for, when one was chosen.
    ///
    /// # Errors
    /// [`Error::UnknownMethod`], which lists the names there are.
    pub fn named(name: &str, threshold: Option<Threshold>) -> Result<Self, Error> {
        match (name, threshold) {
            ("cs", Some(threshold)) => Ok(Self::ContinuousSweep(threshold)),
            ("ms", _) => Ok(Self::MedianSweep),
            _ => Self::TABLE
                .iter()
                .find(|(n, ..)| *n == name)
                .map(|(_, method, _)| *method)
                .ok_or_else(|| Error::UnknownMethod { name: name.to_owned(), known: Self::names_where(|_| true) }),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = Self::TABLE.iter().find(|(_, method, _)| method == self).map_or("cs", |(name, ..)| name);
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_methods_agree() {
        for (name, method, _) in Method::TABLE {
            assert_eq!(method.to_string(), name);
            assert_eq!(Method::named(name, None).unwrap(), method);
        }
        let half = Threshold::Fixed(PDelta::new(0.5).unwrap());
        assert_eq!(Method::named("cs", Some(half)).unwrap().to_string(), "cs");
        assert_eq!(Method::named("ms", None).unwrap().to_string(), "t-ms");
        let message = Method::named("cs", None).unwrap_err().to_string();
        assert!(message.starts_with("there is no method 'cs'; the methods are o-cs, t-cs, es, o-ms, "), "{message}");
        assert!(message.ends_with(", hdy, and cs with a threshold of its own"), "{message}");
    }
}
