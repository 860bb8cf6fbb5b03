//! Models: labelled scores and the quantifiers fitted to them.

mod audit;
mod bootstrap;
mod estimation;
mod influence;
mod joint;
mod json;
mod known_distributions;
mod label;
mod score_bins;
mod settings;
mod tallies;

pub use audit::{AuditedRows, ModelAudit};
pub use bootstrap::{Bootstrap, Replicate, Resamples};
pub use joint::{
    Comparator, Comparison, Contrast, GroupContrasts, JointErrors, LabelRelation, Overlap, Reference, Total,
};
pub use known_distributions::KnownDistributions;
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

/// The source of the posterior probabilities that some methods need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Posteriors {
    /// A classifier provides the probabilities together with the scores.
    Given,
    /// Bayes' rule computes them from the fitted classes, at the share of positives among the
    /// labelled scores.
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
/// // All at once, or in any number of batches.
/// let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2, 0.8], &IntervalOptions::default())?[0];
/// let mut tallies = model.tallies();
/// model.update(&mut tallies, &[1.7, 0.2])?;
/// model.update(&mut tallies, &[-0.5, 2.2, 0.8])?;
/// let from_batches = &model.estimates(&tallies, &IntervalOptions::default())?[0];
/// assert!((estimate.raw - from_batches.raw).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    training: Arc<Training>,
    settings: Settings,
    quantifiers: Vec<Quantifier>,
    /// Computed on first use, since many models serve for a single estimate.
    fingerprint: OnceLock<u64>,
    /// The check of prior probability shift, computed on first use. The outer `None` means that the
    /// check is [turned off](Model::without_check), the inner one that the labelled scores do not
    /// allow a check.
    check: Option<Arc<OnceLock<Option<ShiftCheck>>>>,
    positive: Option<Label>,
}

impl Model {
    /// Fits the methods in the settings. A family is fitted only if one of the methods needs it.
    ///
    /// # Errors
    /// Returns [`Problem::NoMethods`] without methods; [`Problem::ParameterOutOfRange`] for a
    /// cutoff that is not finite; and an error if the [`Transform`](crate::Transform), the
    /// [`Family`](crate::distribution::Family) or a method does not fit the labelled scores.
    pub fn fit(train: &LabelledScores, settings: &Settings) -> Result<Self, Error> {
        Ok(Self::fit_available(train, settings)?.0)
    }

    /// Fits the methods in the settings, and returns the model with the omitted methods and the
    /// reasons. A method that the labelled scores do not allow is omitted if the settings say so.
    ///
    /// # Errors
    /// Returns an error, with its method, under the conditions of [`fit`](Self::fit).
    pub fn fit_available(train: &LabelledScores, settings: &Settings) -> Result<(Self, Vec<(Method, Error)>), Error> {
        let (model, omitted) = Self::fit_possible(train, settings)?;
        match omitted.first() {
            Some((method, error)) if !settings.skip_unavailable => Err(error.clone().for_method(method)),
            _ => Ok((model, omitted)),
        }
    }

    /// Fits the methods that these labelled scores allow, and returns the others with their errors.
    fn fit_possible(train: &LabelledScores, settings: &Settings) -> Result<(Self, Vec<(Method, Error)>), Error> {
        // The lowest double stands for "no score" in the scoring loop.
        let cutoff = settings.cutoff.unwrap_or_else(|| train.cutoff());
        if !cutoff.is_finite() || cutoff == f64::MIN {
            return Err(Problem::ParameterOutOfRange { name: "cutoff", value: cutoff, domain: "finite" }.into());
        }
        let training = Training::new(train.clone(), settings.family, settings.transform);
        let (mut quantifiers, mut omitted) = (Vec::new(), Vec::new());
        for &method in &settings.methods {
            match Quantifier::fit(method, &training, cutoff, settings.rates) {
                Ok(quantifier) => quantifiers.push(quantifier),
                Err(error) => omitted.push((method, error)),
            }
        }
        if quantifiers.is_empty() {
            return Err(omitted.into_iter().next().map_or_else(|| Problem::NoMethods.into(), |(_, error)| error));
        }
        let methods = quantifiers.iter().map(Quantifier::method).collect();
        Ok((
            Self {
                training: Arc::new(training),
                settings: Settings { methods, skip_unavailable: false, cutoff: Some(cutoff), ..settings.clone() },
                quantifiers,
                fingerprint: OnceLock::new(),
                check: Some(Arc::default()),
                positive: None,
            },
            omitted,
        ))
    }

    /// Turns off the check of prior probability shift and its warnings: for studies and for
    /// thousands of small test sets, where the check takes longer than the estimates.
    #[must_use]
    pub fn without_check(self) -> Self {
        Self { check: None, ..self }
    }

    /// Sets the label of the positives.
    #[must_use]
    pub fn with_positive(self, label: Label) -> Self {
        Self { positive: Some(label), ..self }
    }

    /// The label of the positives, if known.
    pub fn positive(&self) -> Option<&Label> {
        self.positive.as_ref()
    }

    /// The settings of the fit, with the fitted methods and the cutoff.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The labelled scores.
    pub fn labelled(&self) -> &LabelledScores {
        self.training.labelled()
    }

    /// The labelled scores in every form that quantifiers read.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// The number of labelled scores in each class.
    pub fn labelled_counts(&self) -> PerClass<u64> {
        self.training.sizes()
    }

    /// The fitted distributions of the transformed scores, if a method needs them.
    pub fn separation(&self) -> Option<&Separation> {
        self.training.fitted()
    }

    /// The source of the posterior probabilities, if a quantifier reads them.
    pub fn posteriors(&self) -> Option<Posteriors> {
        let source = if self.labelled().probabilities().is_some() { Posteriors::Given } else { Posteriors::Fitted };
        self.quantifiers.iter().any(|q| q.method().reads_posteriors()).then_some(source)
    }

    /// Names the logit transform or the beta family if it is used, as it requires test scores in
    /// (0, 1).
    pub fn unit_interval(&self) -> Option<&'static str> {
        let used = self.quantifiers.iter().any(|q| self.training.needs_family(q.reads()));
        if used { self.training.unit_interval() } else { None }
    }

    /// The quantifiers, in the order of the settings' methods.
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// Estimates the prevalence in these test scores with every quantifier. Each estimate has a
    /// warning if the test scores are not a mixture of the labelled classes.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`weighted_tallies`](Self::weighted_tallies) (for
    /// weighted scores), [`update`](Self::update) and [`estimates`](Self::estimates).
    pub fn estimate<'a>(&self, batch: impl Into<Batch<'a>>, options: &IntervalOptions) -> Result<Estimates, Error> {
        let batch = batch.into();
        let mut states = if batch.weights.is_some() { self.weighted_states()? } else { self.states() };
        self.check_batch(&batch)?;
        self.add(&mut states, &batch)?;
        let mut shift = self.empty_shift();
        self.add_to_shift(shift.as_mut(), &batch)?;
        let shift = self.shift_tally(&states, shift);
        self.estimates_from_states(&states, shift.as_ref(), options)
    }
}
