//! Several estimates at once: differences and sums, with what their errors have in common.
//!
//! All estimates of a model rest on the same labelled scores. To first order the error of each is a sum over its test scores and a sum
//! over the labelled ones, so that for two of them, of methods or groups j and k,
//!
//! ```text
//! Cov(α̂_j, α̂_k) = α_jα_k C₊(g_j, g_k)/n₊ + (1−α_j)(1−α_k) C₋(g_j, g_k)/n₋     (+ the same of the test scores they share)
//! ```
//!
//! in units in which the class means of each g are 0 and 1, C± the covariance within a class of the labelled scores.

mod shared;
mod total;

pub use total::Total;

use super::Model;
use crate::inference::{Difference, Reporting, Term};
use crate::quantifier::Quantifier;
use crate::{Error, Estimate, Method};
use shared::Functions;

/// One method of a model, or of two: the errors of its estimates.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Method, Model, Overlap, Reporting, Settings, Together};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let reporting = Reporting::default();
/// let before = &model.estimate(&[1.7, 0.2, -0.5, 2.2], &reporting)?[0];
/// let after = &model.estimate(&[-0.7, 0.2, -0.5, 0.1], &reporting)?[0];
/// let together = Together::of(&model, Method::ES)?;
/// let found = together.difference(after, before, Overlap::None, &reporting)?;
/// assert_eq!(found.difference, after.prevalence - before.prevalence);
/// let [a, b] = [before, after].map(|estimate| estimate.uncertainty.map_or(0.0, |found| found.se));
/// assert!(found.se < (a * a + b * b).sqrt());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Together {
    /// The first method and the second: the same unless two are compared.
    methods: [Method; 2],
    /// Where the second one's functions begin.
    second: usize,
    functions: Functions,
}

/// Which test scores two estimates have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// None.
    None,
    /// All: two methods, or two classifiers, on the same items.
    All,
    /// Those of the first are some of those of the second.
    Part,
}

/// Which labelled scores two models have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labelled {
    /// None: the samples are independent.
    Apart,
    /// All, in the same order: two classifiers' scores of the same labelled items.
    Paired,
}

impl Together {
    /// A model's method.
    ///
    /// # Errors
    /// [`Error::NoCovariance`] for a method that is no unbiased mean of a function of the score;
    /// [`Error::MethodMissing`](crate::Error::MethodMissing) for one that the model does not have.
    pub fn of(model: &Model, method: Method) -> Result<Self, Error> {
        let quantifier = quantifier(model, method)?;
        let functions = Functions::new(&[(model, quantifier)], true)?;
        Ok(Self { methods: [method; 2], second: 0, functions })
    }

    /// Two methods of one model.
    ///
    /// # Errors
    /// Those of [`of`](Self::of).
    pub fn of_methods(model: &Model, first: Method, second: Method) -> Result<Self, Error> {
        Self::of_two([(model, first), (model, second)], Labelled::Paired)
    }

    /// A method of one model and a method of another.
    ///
    /// # Errors
    /// Those of [`of`](Self::of); [`Error::NotPaired`] for models that cannot have learnt from the same items.
    pub fn of_two(of: [(&Model, Method); 2], labelled: Labelled) -> Result<Self, Error> {
        let [(first, a), (second, b)] = of;
        let (a, b) = (quantifier(first, a)?, quantifier(second, b)?);
        let functions = Functions::new(&[(first, a), (second, b)], labelled == Labelled::Paired)?;
        Ok(Self { methods: of.map(|(_, method)| method), second: a.means().len(), functions })
    }

    /// How far the first estimate is from the second, which share these test scores.
    ///
    /// # Errors
    /// [`Error::NoCovariance`] for an estimate that is not one by these methods and models;
    /// [`Error::SmallPopulation`].
    pub fn difference(
        &self,
        first: &Estimate,
        second: &Estimate,
        overlap: Overlap,
        reporting: &Reporting,
    ) -> Result<Difference, Error> {
        let (a, b) = (self.term(0, first, reporting)?, self.term(1, second, reporting)?);
        let shared = &self.functions.shared;
        Ok(Difference::new(&a.spread(shared), &b.spread(shared), self.covariance(&a, &b, first, second, overlap), reporting))
    }

    /// How far an estimate is from the mean of some of this method's groups, of which its own is one or not.
    ///
    /// # Errors
    /// Those of [`difference`](Self::difference).
    pub fn difference_from_total(
        &self,
        estimate: &Estimate,
        total: &Total,
        weight: f64,
        reporting: &Reporting,
    ) -> Result<Difference, Error> {
        let term = self.term(0, estimate, reporting)?;
        let (sum, shared) = (total.sum(), &self.functions.shared);
        let covariance = sum.learnt_with(&term, shared) + weight / sum.weight() * term.own(shared);
        Ok(Difference::new(&term.spread(shared), &sum.spread(shared), covariance, reporting))
    }

    /// An empty mean of this method's groups.
    pub fn total(&self) -> Total<'_> {
        Total::new(self)
    }

    /// What two estimates have in common.
    fn covariance(&self, a: &Term, b: &Term, first: &Estimate, second: &Estimate, overlap: Overlap) -> f64 {
        let (alpha, beta) = (first.prevalence, second.prevalence);
        let learnt = &self.functions.shared[a.place].learnt[b.place];
        let learnt = alpha * beta * learnt.positive + (1.0 - alpha) * (1.0 - beta) * learnt.negative;
        let places = (a.place, b.place);
        let scores = |share: f64, alpha: f64, shift: f64| {
            let drawing = if a.drawn.min(b.drawn) > 0.0 { b.drawn * alpha * (1.0 - alpha) / a.n } else { 0.0 };
            share * (self.functions.sampling(places, alpha + shift, a.n) + drawing)
        };
        learnt
            + match overlap {
                Overlap::None => 0.0,
                Overlap::All => scores(1.0, 0.5 * (alpha + beta), 0.5 * (a.shift + b.shift)),
                Overlap::Part => {
                    let total = |estimate: &Estimate| estimate.origin.map_or(0.0, |origin| origin.total);
                    scores(total(first) / total(second), alpha, a.shift)
                }
            }
    }

    fn term(&self, which: usize, estimate: &Estimate, reporting: &Reporting) -> Result<Term, Error> {
        let method = estimate.method;
        let Some(origin) = estimate.origin.filter(|_| method == self.methods[which]) else {
            return Err(Error::NoCovariance { method: method.to_string(), able: vec![] });
        };
        Ok(Term {
            place: origin.place + which * self.second,
            raw: estimate.raw,
            n: estimate.effective_n.unwrap_or(estimate.n as f64),
            shift: origin.shift,
            drawn: reporting.drawn(estimate.n)?,
        })
    }
}

fn quantifier(model: &Model, method: Method) -> Result<&Quantifier, Error> {
    let found = model.quantifiers().iter().find(|quantifier| quantifier.method() == method);
    found.ok_or_else(|| Error::MethodMissing {
        method: method.to_string(),
        fitted: model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect(),
    })
}
