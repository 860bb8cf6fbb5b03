//! What a method is before anything has been fitted: one row, in which all that is true of it stands.
//!
//! Each quantifier's own file has its row, and [`Method::MAX_RESULT_BYTES`] lists them.

use super::anchored::RateSource;
use super::quantify::Fitted;
use crate::LabelledScores;
use crate::sweep::{PDelta, Separation};
use crate::training::{InputKind, Training};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The reason why sizes cannot be planned, unless a method has another one.
pub(super) const NO_FORMULA: &str = "has no formula for its variance";

/// A quantifier with its settings; its name is its [`Display`](fmt::Display) form.
#[derive(Clone, Copy)]
pub struct Method {
    row: &'static MethodRow,
    /// The threshold of `cs`; all others have none of their own.
    threshold: Option<PDelta>,
}

/// All there is to say of a method.
pub(super) struct MethodRow {
    /// What people type, and what results are called.
    pub(super) name: &'static str,
    /// Other names that stand for it.
    pub(super) aliases: &'static [&'static str],
    /// What it is, in a line.
    pub(super) summary: &'static str,
    /// What it reads of a test score.
    pub(super) reads: InputKind,
    /// What it keeps of the test scores.
    pub(super) keeps: SummaryKind,
    /// What it needs the fitted family for.
    pub(super) family: FamilyUse,
    /// Where its rates or densities come from.
    pub(super) rates: RatesFrom,
    /// The row of the same method anchored in the model, if that is another than this.
    pub(super) in_model: Option<&'static Self>,
    /// Whether its rates may be those of labelled scores with weights or in clusters; where it reads posterior probabilities, only given
    /// ones.
    pub(super) takes_design: bool,
    /// Where its variance comes from.
    pub(super) variance: VarianceFrom,
    /// Fits it to labelled scores.
    pub(super) fit: fn(&Training, &FitOptions) -> Fitted,
    /// Makes it for two known distributions, if those are all that it needs to know of the classes.
    pub(super) known: Option<fn(&Separation, &KnownOptions) -> Fitted>,
}

/// What a method keeps of the test scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SummaryKind {
    /// The mean of one function of the score.
    Mean,
    /// The means of several functions.
    Means,
    /// How many scores fall into each of the bins that the labelled scores are cut into.
    ScoreBins,
    /// How many scores, or posterior probabilities, fall into each of a few bins, whose edges are known beforehand.
    Bins,
    /// How many scores lie between any two labelled scores.
    Counts,
    /// Every score.
    Scores,
}

/// What a method needs the fitted family for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FamilyUse {
    /// Nothing.
    Nothing,
    /// Its threshold alone.
    Threshold,
    /// All that it does.
    Everything,
    /// Posterior probabilities, unless a classifier gave some.
    Posteriors,
}

/// Where a method's rates or densities come from, and so whether the family must be right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RatesFrom {
    /// The labelled scores.
    Labels,
    /// The anchor asked for, or this one.
    Anchor(RateSource),
    /// The posterior probabilities, taken at their word.
    Posteriors,
}

/// Where a method's variance comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VarianceFrom {
    /// A formula.
    Formula,
    /// A formula in what the test scores show: nothing can be planned by it.
    Observed,
    /// A formula for the spread about an expectation that is not the prevalence.
    BiasedFormula,
    /// The posterior distribution of each test set.
    Posterior,
    /// There is no formula.
    Nowhere,
}

/// What a method is told besides the labelled scores.
pub(super) struct FitOptions {
    /// Where Classify & Count and Adjusted Count cut.
    pub(super) cutoff: f64,
    /// Where the sweeps take their rates from.
    pub(super) anchor: RateSource,
    /// The threshold of `cs`.
    pub(super) threshold: Option<PDelta>,
}

/// What a method is told besides two known distributions.
pub(super) struct KnownOptions {
    /// The prevalence that posterior probabilities are at.
    pub(super) prior: f64,
    /// The prevalence at which the optimal threshold has the least variance.
    pub(super) optimal_at: f64,
    /// The threshold of `cs`.
    pub(super) threshold: Option<PDelta>,
}

impl Method {
    pub(super) const fn from_row(row: &'static MethodRow) -> Self {
        Self { row, threshold: None }
    }

    /// The method of this row with a threshold of its own.
    pub(super) const fn with_threshold(row: &'static MethodRow, threshold: PDelta) -> Self {
        Self { row, threshold: Some(threshold) }
    }

    pub(super) fn row(self) -> &'static MethodRow {
        self.row
    }

    /// The method with its rates from where they are asked for.
    pub(crate) fn anchored(self, anchor: Option<RateSource>) -> Self {
        match self.row.in_model {
            Some(row) if anchor == Some(RateSource::Model) => Self { row, ..self },
            _ => self,
        }
    }

    /// What people type, and what results are called.
    pub fn name(self) -> &'static str {
        self.row.name
    }

    /// Other names that stand for it.
    pub fn aliases(self) -> &'static [&'static str] {
        self.row.aliases
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        self.row.summary
    }

    /// The threshold of a Continuous Sweep that is neither `o-cs` nor `t-cs`.
    pub fn threshold(self) -> Option<PDelta> {
        self.threshold
    }

    /// What it keeps of the test scores.
    pub fn keeps(self) -> SummaryKind {
        self.row.keeps
    }

    /// Whether test scores may have weights: where nothing but means of them is needed.
    pub fn takes_weights(self) -> bool {
        matches!(self.row.keeps, SummaryKind::Mean | SummaryKind::Means | SummaryKind::ScoreBins)
    }

    /// Whether labelled scores may have weights and be in clusters: where nothing but means of them is needed, and no family is fitted.
    /// Methods of posterior probabilities take them where a classifier gave these.
    pub fn takes_label_design(self) -> bool {
        self.row.takes_design
    }

    /// The same for these scores, which come with posterior probabilities or not.
    pub(super) fn takes_design_of(self, labelled: &LabelledScores) -> bool {
        let fitted = self.row.family == FamilyUse::Posteriors && labelled.probabilities().is_none();
        self.row.takes_design && !fitted
    }

    /// Whether a query can compute what it keeps, see [`Model::sql`](crate::Model::sql).
    pub fn is_in_sql(self) -> bool {
        self.takes_weights() || self.row.keeps == SummaryKind::Bins
    }

    /// Whether it reads posterior probabilities.
    pub fn reads_posteriors(self) -> bool {
        self.row.reads == InputKind::Posterior
    }

    /// Whether it takes posterior probabilities at their word, so that they must be calibrated.
    pub fn trusts_posteriors(self) -> bool {
        self.row.rates == RatesFrom::Posteriors
    }

    /// Where a sweep takes its rates from, if it is not said; none for methods that have no choice.
    pub fn default_anchor(self) -> Option<RateSource> {
        match self.row.rates {
            RatesFrom::Anchor(anchor) => Some(anchor),
            RatesFrom::Labels | RatesFrom::Posteriors => None,
        }
    }

    /// Whether it is an uncorrected count, which is biased unless there are no errors.
    pub fn is_uncorrected(self) -> bool {
        self.row.variance == VarianceFrom::BiasedFormula
    }

    /// Whether known distributions are all that it needs to know of the classes, see [`Known`](crate::KnownDistributions).
    pub fn is_defined_by_distributions(self) -> bool {
        self.row.known.is_some()
    }

    /// Whether it is the mean of a function of the score, corrected by class means of the same function.
    pub fn is_unbiased_mean(self) -> bool {
        self.takes_weights() && self.without_precision().is_none()
    }

    pub(super) fn without_precision(self) -> Option<&'static str> {
        match self.row.variance {
            VarianceFrom::Formula => None,
            VarianceFrom::Observed => Some("has a variance that only test scores show"),
            VarianceFrom::BiasedFormula => Some("is biased by more than it varies"),
            VarianceFrom::Posterior => {
                Some("has a posterior distribution for each test set, and no formula for its variance")
            }
            VarianceFrom::Nowhere => Some(NO_FORMULA),
        }
    }

    /// Whether it reads the transformed score, or what is computed from it.
    pub(crate) fn uses_transform(self, with_probabilities: bool) -> bool {
        match self.row.family {
            FamilyUse::Threshold | FamilyUse::Everything => true,
            FamilyUse::Posteriors => !with_probabilities,
            FamilyUse::Nothing => self.row.reads == InputKind::Transformed,
        }
    }

    /// Whether it fits a family to the labelled scores, wherever posterior probabilities come from.
    pub fn fits_family(self) -> bool {
        self.row.family != FamilyUse::Nothing
    }

    /// Whether what it reads of test scores, or what it does with them, depends on the fitted distributions.
    pub(super) fn rests_on_family(self, with_probabilities: bool) -> bool {
        match self.row.family {
            FamilyUse::Everything => true,
            FamilyUse::Posteriors => !with_probabilities,
            FamilyUse::Threshold | FamilyUse::Nothing => false,
        }
    }

    /// Whether both rates, or the densities, are those of the fitted family, so that it must be right.
    pub(super) fn trusts_family(self, anchor: RateSource, with_probabilities: bool) -> bool {
        match self.row.rates {
            RatesFrom::Labels => false,
            RatesFrom::Anchor(_) => anchor == RateSource::Model,
            RatesFrom::Posteriors => !with_probabilities,
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
