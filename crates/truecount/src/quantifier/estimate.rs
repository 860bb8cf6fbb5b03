//! An estimate as it is published, and the estimates of several methods.

use super::Method;
use super::origin::Origin;
use crate::condition::Severity;
use crate::inference::{Misfit, Reporting, Uncertainty, Warning};
use std::ops::{Deref, DerefMut};
use std::{slice, vec};

/// A prevalence estimate. All shares lie between 0 and 1, but for `raw`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Who made it.
    pub method: Method,
    /// Number of test scores; of weighted ones, of those with a weight above 0.
    pub n: u64,
    /// The effective number of weighted scores, (Σw)²/Σw² (Kish 1965); none without weights.
    pub effective_n: Option<f64>,
    /// `raw` kept inside [0, 1].
    pub prevalence: f64,
    /// The estimator as defined, never clipped.
    pub raw: f64,
    /// Standard error and interval, of the methods that have a formula for them.
    pub uncertainty: Option<Uncertainty>,
    /// Nominal coverage of the interval.
    pub level: f64,
    /// How far the scores are from a mixture of the labelled classes; none where that was not checked.
    pub misfit: Option<Misfit>,
    /// What to beware of.
    pub warnings: Vec<Warning>,
    /// By which it can be put together with others.
    pub(crate) origin: Option<Origin>,
}

impl Estimate {
    /// What n scores without weights give, to be reported at a level; with the warnings that follow from the numbers themselves.
    pub fn new(method: Method, n: u64, raw: f64, uncertainty: Option<Uncertainty>, reporting: &Reporting) -> Self {
        Self::with_warnings(method, (n, None), raw, uncertainty, reporting, (Vec::new(), None))
    }

    pub(crate) fn with_warnings(
        method: Method,
        (n, effective_n): (u64, Option<f64>),
        raw: f64,
        uncertainty: Option<Uncertainty>,
        reporting: &Reporting,
        (mut warnings, origin): (Vec<Warning>, Option<Origin>),
    ) -> Self {
        if let Some(outside) = Warning::unless_inside(raw, uncertainty.map(|uncertainty| uncertainty.se)) {
            warnings.insert(0, outside);
        }
        if uncertainty.is_some_and(|uncertainty| uncertainty.is_without_spread(effective_n.unwrap_or(n as f64))) {
            warnings.push(Warning::ZeroStandardError);
        }
        // There may be a million such lists.
        warnings.shrink_to_fit();
        let (prevalence, level) = (raw.clamp(0.0, 1.0), reporting.level());
        Self { method, n, effective_n, prevalence, raw, uncertainty, level, misfit: None, warnings, origin }
    }

    /// The sum of the weights of its scores; their number where that is not known.
    pub fn total_weight(&self) -> f64 {
        match &self.origin {
            Some(Origin::Mean { total, .. }) => *total,
            Some(Origin::Sum(sum)) => sum.weight(),
            None => self.n as f64,
        }
    }

    /// What the most serious of its warnings means; none without warnings.
    pub fn severity(&self) -> Option<Severity> {
        self.warnings.iter().map(Warning::severity).max()
    }
}

/// The estimates of one set of test scores by each of a model's methods, in their order.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Method, Model, Reporting, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let settings = Settings { methods: vec![Method::O_CS, Method::AC], cutoff: Some(0.5), ..Settings::default() };
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &settings)?;
/// let estimates = model.estimate(&[1.7, 0.2, -0.5, 2.2], &Reporting::default())?;
/// assert_eq!(estimates.of(Method::AC).map(|estimate| estimate.prevalence), Some(0.5));
/// assert!(estimates.of(Method::SLD).is_none());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates(Vec<Estimate>);

impl Estimates {
    /// The estimate by a method, if the model has it.
    pub fn of(&self, method: Method) -> Option<&Estimate> {
        self.0.iter().find(|estimate| estimate.method == method)
    }
}

impl Deref for Estimates {
    type Target = [Estimate];

    fn deref(&self) -> &[Estimate] {
        &self.0
    }
}

impl DerefMut for Estimates {
    fn deref_mut(&mut self) -> &mut [Estimate] {
        &mut self.0
    }
}

impl FromIterator<Estimate> for Estimates {
    fn from_iter<I: IntoIterator<Item = Estimate>>(estimates: I) -> Self {
        Self(estimates.into_iter().collect())
    }
}

impl IntoIterator for Estimates {
    type Item = Estimate;
    type IntoIter = vec::IntoIter<Estimate>;

    fn into_iter(self) -> vec::IntoIter<Estimate> {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Estimates {
    type Item = &'a Estimate;
    type IntoIter = slice::Iter<'a, Estimate>;

    fn into_iter(self) -> slice::Iter<'a, Estimate> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Estimates {
    type Item = &'a mut Estimate;
    type IntoIter = slice::IterMut<'a, Estimate>;

    fn into_iter(self) -> slice::IterMut<'a, Estimate> {
        self.0.iter_mut()
    }
}
