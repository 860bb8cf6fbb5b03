//! Models: labelled scores and the quantifiers fitted to them.

mod estimation;
pub(crate) mod influence;
mod json;
mod known_distributions;
mod label;
mod pooled_tally;
mod score_bins;
mod settings;
mod tally;
mod test_design;

pub use crate::quantifier::design_variance::{LonelyPsu, ReplicateVariance};
pub use known_distributions::KnownDistributions;
pub use label::Label;
pub use pooled_tally::PooledTally;
pub use score_bins::ScoreBins;
pub use settings::{Settings, SettingsRequest};
pub use tally::{CheckState, Tally, TallyState};
pub use test_design::{SampledRows, StratumPopulation, TestDesign, TestStrata};

use crate::choice::choice;
use crate::inference::IntervalOptions;
use crate::plan::Planner;
use crate::quantifier::{Method, Quantifier};
use crate::shift_test::ShiftCheck;
use crate::sweep::Separation;
pub use crate::tally::{BinWeights, MethodState};
use crate::training::Training;
use crate::{Error, LabelledScores, PerClass, Problem};
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

impl Posteriors {
    /// All origins: name, origin, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] =
        &[("given", Self::Given, "from the input"), ("fitted", Self::Fitted, "from the fitted classes")];
}

choice!(Posteriors, "posteriors");

/// Methods fitted to labelled scores, ready for test scores. A clone is cheap.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Model, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// for estimate in model.estimate(&[1.7, 0.2, -0.5, 2.2, 0.8])? {
///     println!("{}: {:.2}", estimate.method, estimate.prevalence);
/// }
/// // A model is saved as a JSON string, and reads back with the same results.
/// let restored = Model::from_json(&model.to_json())?;
/// assert_eq!(restored.estimate(&[1.7, 0.2])?, model.estimate(&[1.7, 0.2])?);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Model(Arc<ModelContents>);

#[derive(Clone, Debug)]
struct ModelContents {
    training: Arc<Training>,
    settings: Settings,
    quantifiers: Vec<Quantifier>,
    /// Whether the last quantifier only counts the apparent prevalence.
    counts_apparent: bool,
    omitted: Vec<OmittedMethod>,
    /// Computed on first use, since many models serve for a single estimate.
    fingerprint: OnceLock<u64>,
    /// The check of prior probability shift, computed on first use. The outer `None` means that the
    /// check is [turned off](Model::without_check), the inner one that the labelled scores do not
    /// allow a check.
    check: Option<Arc<OnceLock<Option<ShiftCheck>>>>,
    positive: Option<Label>,
}

/// A method that the labelled scores do not allow.
#[derive(Clone, Debug, PartialEq)]
pub struct OmittedMethod {
    /// The method.
    pub method: Method,
    /// The reason.
    pub error: Error,
}

impl Model {
    /// Fits the methods in the settings. A family is fitted only if one of the methods needs it.
    ///
    /// If the settings [leave out unavailable methods](Settings::available_only),
    /// [`omitted`](Self::omitted) has the methods that the labelled scores do not allow.
    ///
    /// # Errors
    /// Returns [`Problem::ClassOfOneScore`] for a class with a single labelled score, except for methods
    /// with a posterior distribution;
    /// [`Problem::NoMethods`] without methods; [`Problem::ParameterOutOfRange`] for a cutoff that is not finite; and an error if the [`Transform`](crate::scores::Transform), the
    /// [`Family`](crate::distribution::Family) or a method does not fit the labelled scores. An error of
    /// a method is returned unless it is left out and another method can be fitted.
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Method, Model, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let labelled = LabelledScores::new(&[2.1, 1.4, -0.2, -0.2], &[true, true, false, false])?;
    /// // The normal family, which the negatives do not allow, is for Continuous Sweep.
    /// let settings = Settings::new([Method::AC, Method::O_CS]);
    /// let model = Model::fit(&labelled, &settings.available_only())?;
    /// assert_eq!(model.settings().methods, [Method::AC]);
    /// println!("without {}: {}", model.omitted()[0].method, model.omitted()[0].error);
    /// # Ok(()) }
    /// ```
    pub fn fit(labelled: &LabelledScores, settings: &Settings) -> Result<Self, Error> {
        if !settings.skip_unavailable {
            settings.methods.iter().try_for_each(|method| check_labels(labelled, *method))?;
            return Self::fit_to_any_labels(labelled, settings);
        }
        let (mut possible, mut refused) = (Vec::new(), Vec::new());
        for &method in &settings.methods {
            match check_labels(labelled, method) {
                Ok(()) => possible.push(method),
                Err(error) => refused.push(OmittedMethod { method, error }),
            }
        }
        if let Some(first) = refused.first().filter(|_| possible.is_empty()) {
            return Err(first.error.clone());
        }
        let model = Self::fit_possible(labelled, &settings.clone().with_methods(possible))?;
        Ok(model.with_contents(|contents| contents.omitted.extend(refused)))
    }

    /// Fits every method in the settings, also to a single labelled score of a class.
    pub(crate) fn fit_to_any_labels(labelled: &LabelledScores, settings: &Settings) -> Result<Self, Error> {
        let model = Self::fit_possible(labelled, settings)?;
        match model.omitted().first() {
            Some(OmittedMethod { method, error }) => Err(error.clone().for_method(*method)),
            None => Ok(model),
        }
    }

    /// Returns the methods of the settings that the labelled scores do not allow, with the reasons. A
    /// model that was read from a file has none.
    pub fn omitted(&self) -> &[OmittedMethod] {
        &self.0.omitted
    }

    fn fit_possible(labelled: &LabelledScores, settings: &Settings) -> Result<Self, Error> {
        // The lowest double stands for "no score" in the scoring loop.
        let cutoff = settings.cutoff.unwrap_or_else(|| labelled.cutoff());
        Error::unless_in_domain(cutoff.is_finite() && cutoff != f64::MIN, ("cutoff", cutoff), "finite")?;
        let training = Training::new(labelled.clone(), settings.family, settings.transform);
        let (mut quantifiers, mut omitted) = (Vec::new(), Vec::new());
        for &method in &settings.methods {
            match Quantifier::fit(method, &training, cutoff, settings.rates) {
                Ok(quantifier) => quantifiers.push(quantifier),
                Err(error) => omitted.push(OmittedMethod { method, error }),
            }
        }
        if quantifiers.is_empty() {
            return Err(omitted.into_iter().next().map_or_else(|| Problem::NoMethods.into(), |first| first.error));
        }
        let methods = quantifiers.iter().map(Quantifier::method).collect();
        let model = ModelContents {
            training: Arc::new(training),
            settings: Settings { methods, skip_unavailable: false, cutoff: Some(cutoff), ..settings.clone() },
            quantifiers,
            counts_apparent: false,
            omitted,
            fingerprint: OnceLock::new(),
            check: Some(Arc::default()),
            positive: None,
        };
        Ok(Self(Arc::new(model)))
    }

    /// Returns a planner of sample sizes for the first method, with the labelled scores as the pilot
    /// sample, at one prevalence or at the worst.
    ///
    /// # Errors
    /// Returns the errors of [`Quantifier::planner`].
    pub fn planner(&self, prevalence: Option<f64>, options: &IntervalOptions) -> Result<Planner, Error> {
        self.quantifiers()[0].planner(prevalence, options)
    }

    /// Turns off the check of prior probability shift and its warnings: for studies and for
    /// thousands of small test sets, where the check takes longer than the estimates.
    #[must_use]
    pub fn without_check(self) -> Self {
        self.with_contents(|contents| contents.check = None)
    }

    /// Tallies Classify & Count in addition, for the [apparent](crate::Estimate::apparent) prevalence of each
    /// estimate; `None` if the model has the method, or if the cutoff does not separate the labelled scores.
    pub fn with_count(&self) -> Option<Self> {
        let Settings { cutoff, methods, .. } = self.settings();
        let cutoff = cutoff.filter(|_| !methods.contains(&Method::CC))?;
        let fit = |method| Quantifier::fit(method, self.training(), cutoff, None).ok();
        let (_, count) = fit(Method::AC).zip(fit(Method::CC))?;
        Some(self.clone().with_contents(|contents| {
            contents.settings.methods.push(Method::CC);
            contents.quantifiers.push(count);
            contents.counts_apparent = true;
            contents.fingerprint = OnceLock::new();
        }))
    }

    /// Sets the label of the positives.
    #[must_use]
    pub fn with_positive(self, label: Label) -> Self {
        self.with_contents(|contents| contents.positive = Some(label))
    }

    /// Changes the contents, of which other clones keep a copy.
    fn with_contents(self, change: impl FnOnce(&mut ModelContents)) -> Self {
        let mut contents = Arc::unwrap_or_clone(self.0);
        change(&mut contents);
        Self(Arc::new(contents))
    }

    /// Returns whether two models were fitted to the same labelled scores with the same settings.
    fn is_equal(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.fingerprint_number() == other.fingerprint_number()
    }

    /// The label of the positives, if known.
    pub fn positive(&self) -> Option<&Label> {
        self.0.positive.as_ref()
    }

    /// The settings of the fit, with the fitted methods and the cutoff.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// The labelled scores.
    pub fn labelled(&self) -> &LabelledScores {
        self.0.training.labelled()
    }

    /// The labelled scores in every form that quantifiers read.
    pub(crate) fn training(&self) -> &Training {
        &self.0.training
    }

    /// The number of labelled scores in each class.
    pub fn labelled_counts(&self) -> PerClass<u64> {
        self.0.training.sizes()
    }

    /// The fitted distributions of the transformed scores, if a method needs them.
    pub fn separation(&self) -> Option<&Separation> {
        self.0.training.fitted()
    }

    /// The source of the posterior probabilities, if a quantifier reads them.
    pub fn posteriors(&self) -> Option<Posteriors> {
        let source = if self.labelled().probabilities().is_some() { Posteriors::Given } else { Posteriors::Fitted };
        self.0.quantifiers.iter().any(|q| q.method().reads_posteriors()).then_some(source)
    }

    /// Names the logit transform or the beta family if it is used, as it requires test scores in
    /// (0, 1).
    pub fn unit_interval(&self) -> Option<&'static str> {
        let used = self.0.quantifiers.iter().any(|q| self.0.training.needs_family(q.reads()));
        if used { self.0.training.unit_interval() } else { None }
    }

    /// The quantifiers, in the order of the settings' methods.
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.0.quantifiers
    }
}

/// Returns an error for a class with a single labelled score, which does not show how much the
/// scores of the class vary, unless the method has a posterior distribution.
fn check_labels(labelled: &LabelledScores, method: Method) -> Result<(), Error> {
    let check = |class, scores: &Vec<f64>| match scores.len() {
        1 if !method.has_posterior_distribution() => Err(Problem::ClassOfOneScore { class }),
        _ => Ok(()),
    };
    Ok(labelled.scores().try_map(check).map(|_| ())?)
}
