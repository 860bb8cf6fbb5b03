//! A model: labelled scores and the quantifiers fitted to them.

mod audit;
mod bootstrap;
mod influence;
mod joint;
mod known;
mod label;
mod score_bins;
mod settings;
mod tallies;
mod tallying;
mod text;

pub use audit::{AuditedRows, ModelAudit};
pub use bootstrap::{Bootstrap, Replicate, Resamples};
pub use joint::{
    Comparator, Comparison, Contrast, GroupContrasts, JointErrors, LabelRelation, Overlap, Reference, Total,
};
pub use known::KnownDistributions;
pub use label::Label;
pub use score_bins::ScoreBins;
pub use settings::{Request, Settings};
pub use tallies::{PlainShift, PlainTallies, Tallies};

use crate::check::ShiftCheck;
use crate::inference::IntervalOptions;
use crate::quantifier::{Estimates, Method, Quantifier};
use crate::sweep::Separation;
use crate::training::Training;
use crate::{Batch, Error, LabelledScores, PerClass, Problem};
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// Where the posterior probabilities come from that some methods need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Posteriors {
    /// A classifier gave them with the scores.
    Given,
    /// Bayes' rule, from the fitted classes at the share of positives among the labelled scores.
    Fitted,
}

/// Fitted quantifiers, ready for test scores.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Model, IntervalOptions, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// // In one go, or in any number of pieces.
/// let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2, 0.8], &IntervalOptions::default())?[0];
/// let mut tallies = model.tallies();
/// model.update(&mut tallies, &[1.7, 0.2])?;
/// model.update(&mut tallies, &[-0.5, 2.2, 0.8])?;
/// let pieces = &model.estimates(&tallies, &IntervalOptions::default())?[0];
/// assert!((estimate.raw - pieces.raw).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    training: Arc<Training>,
    settings: Settings,
    quantifiers: Vec<Quantifier>,
    /// Found when first asked for: many models are made for one estimate only.
    fingerprint: OnceLock<u64>,
    /// The check of prior probability shift, made when first asked for, unless nobody is to be warned; it cannot be made for all
    /// labelled scores.
    check: Option<Arc<OnceLock<Option<ShiftCheck>>>>,
    positive: Option<Label>,
}

impl Model {
    /// Fits the methods asked for. A family is fitted only if one of them needs it.
    ///
    /// # Errors
    /// What the [`Transform`](crate::Transform), [`Family::fit`](crate::distribution::Family::fit), [`Separation::new`] and the
    /// methods report; [`Problem::NoMethods`]; [`Problem::Parameter`] for a cutoff that is not finite.
    pub fn fit(train: &LabelledScores, settings: &Settings) -> Result<Self, Error> {
        Ok(Self::fit_available(train, settings)?.0)
    }

    /// The same, telling which methods are left out, and why: those that the labelled scores do not allow, if the settings say
    /// that they may be left out.
    ///
    /// # Errors
    /// Those of [`fit`](Self::fit), with the method that they are about.
    pub fn fit_available(train: &LabelledScores, settings: &Settings) -> Result<(Self, Vec<(Method, Error)>), Error> {
        let (model, refused) = Self::fit_possible(train, settings)?;
        match refused.first() {
            Some((method, error)) if !settings.may_leave_out => Err(error.clone().for_method(method)),
            _ => Ok((model, refused)),
        }
    }

    /// Fits the methods that these labelled scores allow, and tells why not the others.
    fn fit_possible(train: &LabelledScores, settings: &Settings) -> Result<(Self, Vec<(Method, Error)>), Error> {
        // The lowest double stands for "no score" in the scoring loop.
        let cutoff = settings.cutoff.unwrap_or_else(|| train.cutoff());
        if !cutoff.is_finite() || cutoff == f64::MIN {
            return Err(Problem::Parameter { name: "cutoff", value: cutoff, domain: "finite" }.into());
        }
        let training = Training::new(train.clone(), settings.family, settings.transform);
        let (mut quantifiers, mut refused) = (Vec::new(), Vec::new());
        for &method in &settings.methods {
            match Quantifier::fit(method, &training, cutoff, settings.rates) {
                Ok(quantifier) => quantifiers.push(quantifier),
                Err(error) => refused.push((method, error)),
            }
        }
        if quantifiers.is_empty() {
            return Err(refused.into_iter().next().map_or_else(|| Problem::NoMethods.into(), |(_, error)| error));
        }
        let methods = quantifiers.iter().map(Quantifier::method).collect();
        Ok((
            Self {
                training: Arc::new(training),
                settings: Settings { methods, may_leave_out: false, cutoff: Some(cutoff), ..settings.clone() },
                quantifiers,
                fingerprint: OnceLock::new(),
                check: Some(Arc::default()),
                positive: None,
            },
            refused,
        ))
    }

    /// The same model that does not look whether test scores are a mixture of the labelled classes, and never warns of it: for
    /// studies and for thousands of small test sets, where it would take longer than the estimates.
    #[must_use]
    pub fn without_check(self) -> Self {
        Self { check: None, ..self }
    }

    /// The same model that knows what its positives are called.
    #[must_use]
    pub fn with_positive(self, label: Label) -> Self {
        Self { positive: Some(label), ..self }
    }

    /// What positives are called, if it was said.
    pub fn positive(&self) -> Option<&Label> {
        self.positive.as_ref()
    }

    /// What was asked for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The labelled scores.
    pub fn labelled(&self) -> &LabelledScores {
        self.training.labelled()
    }

    /// The same in every form that quantifiers read.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// The number of labelled scores in each class.
    pub fn labelled_counts(&self) -> PerClass<u64> {
        self.training.sizes()
    }

    /// The classes' fitted distributions of the transformed scores, if a method needed them.
    pub fn separation(&self) -> Option<&Separation> {
        self.training.fitted()
    }

    /// Where posterior probabilities come from, if a quantifier reads them.
    pub fn posteriors(&self) -> Option<Posteriors> {
        let source = if self.labelled().probabilities().is_some() { Posteriors::Given } else { Posteriors::Fitted };
        self.quantifiers.iter().any(|q| q.method().reads_posteriors()).then_some(source)
    }

    /// What, if anything, needs test scores strictly between 0 and 1: the logit transform or the beta family.
    pub fn unit_interval(&self) -> Option<&'static str> {
        let used = self.quantifiers.iter().any(|q| self.training.needs_family(q.reads()));
        if used { self.training.unit_interval() } else { None }
    }

    /// The quantifiers, in the order asked for.
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// Every quantifier's estimate for these test scores, each with a warning where they are no mixture of the labelled classes.
    ///
    /// # Errors
    /// Those of [`weighted_tallies`](Self::weighted_tallies), [`update`](Self::update) and [`estimates`](Self::estimates).
    pub fn estimate<'a>(&self, batch: impl Into<Batch<'a>>, reporting: &IntervalOptions) -> Result<Estimates, Error> {
        let batch = batch.into();
        let mut states = if batch.weights.is_some() { self.weighted_states()? } else { self.states() };
        self.check_batch(&batch)?;
        self.add(&mut states, &batch)?;
        let mut shift = self.empty_shift();
        self.add_to_shift(shift.as_mut(), &batch)?;
        let shift = self.shift_of(&states, shift);
        self.found(&states, shift.as_ref(), reporting)
    }
}
