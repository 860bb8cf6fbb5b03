//! Methods before fitting: each is a row of properties.
//!
//! The row of a method is in the file of its quantifier; [`Method::ALL`] lists the methods.

use super::anchored::RateSource;
use super::quantify::FitResult;
use crate::LabelledScores;
use crate::sweep::{MinSeparation, Separation};
use crate::training::{InputKind, Training};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The default reason why sample sizes cannot be planned for a method.
pub(super) const NO_FORMULA: &str = "has no formula for its variance";

/// A quantifier with its settings; its name is its [`Display`](fmt::Display) form.
#[derive(Clone, Copy)]
pub struct Method {
    row: &'static MethodRow,
    /// The threshold p_Δ of a Continuous Sweep with a fixed threshold; `None` for other methods.
    threshold: Option<MinSeparation>,
}

pub(super) struct MethodRow {
    /// The name that users type and that results show.
    pub(super) name: &'static str,
    /// Other names that users may type.
    pub(super) aliases: &'static [&'static str],
    /// A description of one line.
    pub(super) summary: &'static str,
    /// The value that the method reads for each test score.
    pub(super) input: InputKind,
    /// The summary of the test scores in a tally.
    pub(super) summary_kind: SummaryKind,
    pub(super) family_use: FamilyUse,
    /// The origin of the rates or densities.
    pub(super) rates: RatesOrigin,
    /// The row of the method with the rates of the fitted family, if that is another row.
    pub(super) model_rates: Option<&'static Self>,
    /// Whether the labelled scores may have weights and clusters. A method that reads posterior
    /// probabilities then also needs a classifier's probabilities.
    pub(super) takes_label_design: bool,
    /// The origin of the variance.
    pub(super) variance: VarianceOrigin,
    /// Fits the method to labelled scores.
    pub(super) fit: fn(&Training, &FitOptions) -> FitResult,
    /// Fits the method to two known distributions, if the method needs nothing else.
    pub(super) fit_known: Option<fn(&Separation, &KnownOptions) -> FitResult>,
}

impl MethodRow {
    /// Returns the row of a method that reads untransformed scores, tallies the mean of one
    /// function, takes its rates from the labels, and has no family, no label design and no
    /// formula for the variance.
    pub(super) const fn new(
        name: &'static str,
        summary: &'static str,
        fit: fn(&Training, &FitOptions) -> FitResult,
    ) -> Self {
        Self {
            name,
            aliases: &[],
            summary,
            input: InputKind::Score,
            summary_kind: SummaryKind::Mean,
            family_use: FamilyUse::Unused,
            rates: RatesOrigin::Labels,
            model_rates: None,
            takes_label_design: false,
            variance: VarianceOrigin::Unavailable,
            fit,
            fit_known: None,
        }
    }
}

/// The summary of the test scores that a method needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SummaryKind {
    /// The mean of one function of the score.
    Mean,
    /// The means of several functions.
    Means,
    /// Counts of the scores in bins between quantiles of the labelled scores.
    ScoreBins,
    /// Counts of the scores, or posterior probabilities, in a few bins with fixed edges.
    Bins,
    /// Counts of the scores between each two neighbouring labelled scores.
    Counts,
    /// Every score.
    Scores,
}

/// The use that a method makes of the fitted family.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FamilyUse {
    /// The method does not use the family.
    Unused,
    /// The family determines only the threshold.
    Threshold,
    /// The family determines the influence function or the densities.
    All,
    /// The family gives the posterior probabilities, unless a classifier does.
    Posteriors,
}

/// The origin of the rates or densities of a method. The estimates are biased if they come from the
/// family and the family is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RatesOrigin {
    /// The labelled scores.
    Labels,
    /// The source that the user chooses, by default this one.
    Choice(RateSource),
    /// The posterior probabilities, which must be calibrated.
    Posteriors,
}

/// The origin of the variance of a method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VarianceOrigin {
    /// A formula.
    Formula,
    /// A formula that needs the test scores, so that sample sizes cannot be planned with it.
    Observed,
    /// A formula for the variance of an estimator whose expectation is not the prevalence.
    BiasedFormula,
    /// The posterior distribution of each test set.
    Posterior,
    /// There is no formula.
    Unavailable,
}

/// The options of fitting to labelled scores.
pub(super) struct FitOptions {
    /// The score from which on Classify & Count and Adjusted Count call a score positive.
    pub(super) cutoff: f64,
    /// The source of the rates of the sweeps.
    pub(super) rates: RateSource,
    /// The threshold of `cs`.
    pub(super) threshold: Option<MinSeparation>,
}

/// The options of fitting to two known distributions.
pub(super) struct KnownOptions {
    /// The prior of the posterior probabilities.
    pub(super) prior: f64,
    /// The prevalence at which the optimal threshold minimises the variance.
    pub(super) optimal_at: f64,
    /// The threshold of `cs`.
    pub(super) threshold: Option<MinSeparation>,
}

impl Method {
    pub(super) const fn from_row(row: &'static MethodRow) -> Self {
        Self { row, threshold: None }
    }

    pub(super) const fn with_threshold(row: &'static MethodRow, threshold: MinSeparation) -> Self {
        Self { row, threshold: Some(threshold) }
    }

    pub(super) fn row(self) -> &'static MethodRow {
        self.row
    }

    /// Returns the method with the rates of this source; by default its own source.
    pub(crate) fn anchored(self, rates: Option<RateSource>) -> Self {
        match self.row.model_rates {
            Some(row) if rates == Some(RateSource::Family) => Self { row, ..self },
            _ => self,
        }
    }

    /// Returns the name that users type and that results show.
    pub fn name(self) -> &'static str {
        self.row.name
    }

    /// Returns other names that users may type.
    pub fn aliases(self) -> &'static [&'static str] {
        self.row.aliases
    }

    /// Returns a description of one line.
    pub fn summary(self) -> &'static str {
        self.row.summary
    }

    /// Returns the fixed threshold of a Continuous Sweep; `None` for other methods.
    pub fn threshold(self) -> Option<MinSeparation> {
        self.threshold
    }

    /// Returns the kind of summary of the test scores that the method needs.
    pub fn summary_kind(self) -> SummaryKind {
        self.row.summary_kind
    }

    /// Returns whether the test scores may have weights, which is so if the method needs only
    /// means.
    pub fn supports_weights(self) -> bool {
        matches!(self.row.summary_kind, SummaryKind::Mean | SummaryKind::Means | SummaryKind::ScoreBins)
    }

    /// Returns whether the labelled scores may have weights and clusters.
    ///
    /// They may if the method needs only their means and fits no family. Methods that read
    /// posterior probabilities also need a classifier's probabilities.
    pub fn supports_label_design(self) -> bool {
        self.row.takes_label_design
    }

    /// Returns whether these labelled scores may have weights and clusters, given whether they have
    /// probabilities.
    pub(super) fn takes_design_of(self, labelled: &LabelledScores) -> bool {
        let fits_family = self.row.family_use == FamilyUse::Posteriors && labelled.probabilities().is_none();
        self.row.takes_label_design && !fits_family
    }

    /// Returns whether an SQL query can compute the summary of the test scores, which are counts in bins,
    /// see [`Model::sql`](crate::Model::sql).
    pub fn supports_sql(self) -> bool {
        matches!(self.row.summary_kind, SummaryKind::ScoreBins | SummaryKind::Bins)
    }

    /// Returns whether the method reads posterior probabilities.
    pub fn reads_posteriors(self) -> bool {
        self.row.input == InputKind::Posterior
    }

    /// Returns whether the posterior probabilities must be calibrated, because the method does not
    /// correct them.
    pub fn needs_calibrated_posteriors(self) -> bool {
        self.row.rates == RatesOrigin::Posteriors
    }

    /// Returns the default source of the rates, or `None` for methods without a choice.
    pub fn default_rates(self) -> Option<RateSource> {
        match self.row.rates {
            RatesOrigin::Choice(default) => Some(default),
            RatesOrigin::Labels | RatesOrigin::Posteriors => None,
        }
    }

    /// Returns whether the method is an uncorrected count, which is biased if the classifier errs.
    pub fn is_uncorrected(self) -> bool {
        self.row.variance == VarianceOrigin::BiasedFormula
    }

    /// Returns whether standard error and interval come from a posterior distribution, which is exact
    /// for any number of labels.
    pub(crate) fn has_posterior_distribution(self) -> bool {
        self.row.variance == VarianceOrigin::Posterior
    }

    /// Returns whether the method can be fitted to [known distributions](crate::model::KnownDistributions)
    /// of the classes.
    pub fn supports_known_distributions(self) -> bool {
        self.row.fit_known.is_some()
    }

    /// Returns whether the method is the mean of a function of the score, corrected by the class
    /// means of the function.
    pub fn is_corrected_mean(self) -> bool {
        self.supports_weights() && self.without_precision().is_none()
    }

    /// Returns the reason why sample sizes cannot be planned, or `None` if they can.
    pub(super) fn without_precision(self) -> Option<&'static str> {
        match self.row.variance {
            VarianceOrigin::Formula => None,
            VarianceOrigin::Observed => Some("has a variance that depends on the test scores"),
            VarianceOrigin::BiasedFormula => Some("has a bias that can exceed its standard error"),
            VarianceOrigin::Posterior => {
                Some("has a posterior distribution for each test set, and no formula for its variance")
            }
            VarianceOrigin::Unavailable => Some(NO_FORMULA),
        }
    }

    /// Returns whether the method reads the transformed score or a value computed from it.
    pub(crate) fn uses_transform(self, with_probabilities: bool) -> bool {
        match self.row.family_use {
            FamilyUse::Threshold | FamilyUse::All => true,
            FamilyUse::Posteriors => !with_probabilities,
            FamilyUse::Unused => self.row.input == InputKind::Transformed,
        }
    }

    /// Returns whether the method fits a family to the labelled scores, at least without a
    /// classifier's probabilities.
    pub fn fits_family(self) -> bool {
        self.row.family_use != FamilyUse::Unused
    }

    /// Returns whether the input or the influence function depends on the fitted distributions.
    pub(super) fn rests_on_family(self, with_probabilities: bool) -> bool {
        match self.row.family_use {
            FamilyUse::All => true,
            FamilyUse::Posteriors => !with_probabilities,
            FamilyUse::Threshold | FamilyUse::Unused => false,
        }
    }

    /// Returns whether both rates, or the densities, come from the fitted family, so that a wrong
    /// family biases the estimates.
    pub(super) fn trusts_family(self, rates: RateSource, with_probabilities: bool) -> bool {
        match self.row.rates {
            RatesOrigin::Labels => false,
            RatesOrigin::Choice(_) => rates == RateSource::Family,
            RatesOrigin::Posteriors => !with_probabilities,
        }
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        (self.row.name, self.threshold) == (other.row.name, other.threshold)
    }
}

impl Eq for Method {}

impl Hash for Method {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.row.name, self.threshold).hash(state);
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.row.name)
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.threshold {
            None => write!(f, "Method({})", self.row.name),
            Some(p) => write!(f, "Method({} {})", self.row.name, p.value()),
        }
    }
}
