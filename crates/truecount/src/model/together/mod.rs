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

mod comparing;
mod shared;
mod total;

pub use comparing::{Comparator, Comparison, Contrast, GroupContrasts, Reference};
pub use total::Total;

pub(crate) use shared::InCommon;

use super::Model;
use crate::inference::{
    Common, Covariances, Difference, EstimateDistribution, IntervalOptions, Quadratic, SharedErrorBlocks, Sum, Term,
    TestSamplingError, VarianceComponents,
};
use crate::quantifier::{EstimateSource, Quantifier};
use crate::{Error, Estimate, Method, Operation, Problem};
use shared::Functions;
use std::borrow::Cow;

/// One method of a model, or of two: the errors of its estimates.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Method, Model, Overlap, IntervalOptions, Settings, JointErrors};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let reporting = IntervalOptions::default();
/// let before = &model.estimate(&[1.7, 0.2, -0.5, 2.2], &reporting)?[0];
/// let after = &model.estimate(&[-0.7, 0.2, -0.5, 0.1], &reporting)?[0];
/// let together = JointErrors::new(&model, Method::ES)?;
/// let found = together.difference(after, before, Overlap::None, &reporting)?;
/// assert_eq!(found.difference, after.prevalence - before.prevalence);
/// let [a, b] = [before, after].map(|estimate| estimate.uncertainty.map_or(0.0, |found| found.se));
/// assert!(found.se < (a * a + b * b).sqrt());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct JointErrors {
    owners: Vec<MethodFunctions>,
    functions: Functions,
}

/// A method of a model.
#[derive(Clone, Copy, Debug)]
struct MethodFunctions {
    method: Method,
    /// The block of its functions, and its first function there.
    place: (usize, usize),
}

/// Which test scores two estimates have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// None.
    None,
    /// All: two methods, or two classifiers, on the same items.
    All,
}

/// Which labelled scores two models have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRelation {
    /// None: the samples are independent.
    Apart,
    /// All, in the same order: two classifiers' scores of the same labelled items.
    Paired,
}

impl JointErrors {
    /// A model's method.
    ///
    /// # Errors
    /// [`Operation::Covariance`] for a method that is no unbiased mean of a function of the score;
    /// [`Problem::MethodMissing`] for one that the model does not have.
    pub fn new(model: &Model, method: Method) -> Result<Self, Error> {
        Self::for_strata(&[model], method)
    }

    /// The same method of models that have learnt from independent labelled samples, such as those of strata.
    ///
    /// # Errors
    /// Those of [`of`](Self::new).
    pub fn for_strata(models: &[&Model], method: Method) -> Result<Self, Error> {
        let each: Vec<(&Model, &Quantifier)> =
            models.iter().map(|model| Ok((*model, quantifier(model, method)?))).collect::<Result<_, Error>>()?;
        let blocks: Vec<&[(&Model, &Quantifier)]> = each.chunks(1).collect();
        let owners = (0..models.len()).map(|block| MethodFunctions { method, place: (block, 0) }).collect();
        Ok(Self { owners, functions: Functions::new(&blocks)? })
    }

    /// A method of one model and a method of another, or another of the same.
    ///
    /// # Errors
    /// Those of [`of`](Self::new); [`Problem::NotPaired`] for models that cannot have learnt from the same items.
    pub fn for_two_models(
        [(first, a), (second, b)]: [(&Model, Method); 2],
        labelled: LabelRelation,
    ) -> Result<Self, Error> {
        let both = [(first, quantifier(first, a)?), (second, quantifier(second, b)?)];
        let (blocks, place): (Vec<&[_]>, _) = match labelled {
            LabelRelation::Paired => (vec![&both], (0, both[0].1.means().len())),
            LabelRelation::Apart => (both.chunks(1).collect(), (1, 0)),
        };
        let owners = vec![MethodFunctions { method: a, place: (0, 0) }, MethodFunctions { method: b, place }];
        Ok(Self { owners, functions: Functions::new(&blocks)? })
    }

    /// How far the first estimate is from the second, which share these test scores, for the target that each was reported for; level
    /// and kind of the interval are those of the reporting.
    ///
    /// # Errors
    /// [`Operation::Covariance`] for an estimate that is not one by these methods and models.
    pub fn difference(
        &self,
        first: &Estimate,
        second: &Estimate,
        overlap: Overlap,
        reporting: &IntervalOptions,
    ) -> Result<Difference, Error> {
        let last = self.owners.len().min(2) - 1;
        let (a, b) = (self.part(0, first)?, self.part(last, second)?);
        Ok(self.between(&self.side(a), &self.side(b), overlap, reporting))
    }

    /// The same of two estimates whose spread is known.
    fn between(
        &self,
        a: &ComparedEstimate,
        b: &ComparedEstimate,
        overlap: Overlap,
        reporting: &IntervalOptions,
    ) -> Difference {
        let shared = &self.functions.shared;
        let own = match overlap {
            Overlap::None => 0.0,
            Overlap::All => self.common(a, b),
        };
        let covariances = |of: &dyn Fn(&SummedEstimate, &SummedEstimate) -> f64| Covariances {
            first: of(&a.part, &a.part),
            second: of(&b.part, &b.part),
            both: of(&a.part, &b.part),
        };
        let common = Common {
            own,
            learnt: covariances(&|a, b| match (a, b) {
                (SummedEstimate::Mean(a), SummedEstimate::Mean(b)) => shared.training_covariance(a, b),
                (a, b) => a.sum(shared).learnt_with(&b.sum(shared), shared),
            }),
            unseen: covariances(&|a, b| match (a, b) {
                (SummedEstimate::Mean(a), SummedEstimate::Mean(b)) => shared.unseen(a, b),
                (a, b) => a.sum(shared).unseen_with(&b.sum(shared), shared),
            }),
            freedom: shared.freedom(),
        };
        Difference::new((&a.spread, &a.own), (&b.spread, &b.own), &common, reporting)
    }

    /// An estimate with all that a comparison asks of it.
    fn side(&self, part: SummedEstimate) -> ComparedEstimate {
        let shared = &self.functions.shared;
        let (spread, own) = match &part {
            SummedEstimate::Mean(term) => (term.spread(shared), term.own(shared)),
            SummedEstimate::Sum(sum) => (sum.spread(shared), sum.own(shared)),
        };
        ComparedEstimate { part, spread, own }
    }

    /// An estimate by the first method with the parts of its variance.
    ///
    /// # Errors
    /// [`Operation::Covariance`] for an estimate that is not one of test scores by this method.
    pub(crate) fn parts(&self, estimate: &Estimate) -> Result<VarianceComponents, Error> {
        match self.part(0, estimate)? {
            SummedEstimate::Mean(term) => Ok(term.parts(&self.functions.shared)),
            SummedEstimate::Sum(_) => Err(Operation::Covariance.not_possible([estimate.method]).into()),
        }
    }

    /// What the estimates by two functions of the first method have in common, by their places.
    pub(crate) fn common_of(&self, first: usize, second: usize) -> InCommon {
        self.functions.common(first, second)
    }

    /// An empty mean of these methods' groups.
    pub fn total(&self) -> Total<'_> {
        Total::new(self)
    }

    /// What two estimates from the same test scores have in common: by the correlation of both functions between their prevalences.
    fn common(&self, a: &ComparedEstimate, b: &ComparedEstimate) -> f64 {
        let (SummedEstimate::Mean(first), SummedEstimate::Mean(second)) = (&a.part, &b.part) else {
            return a.own.variance();
        };
        let alpha = 0.5 * (a.spread.estimate() + b.spread.estimate());
        let drawing = first.drawn.min(second.drawn) * Quadratic::weighted_drawing(first.n, first.shift).at(alpha);
        let of = |j: &Term, k: &Term| self.functions.sampling(j.place, k.place, alpha + first.shift, first.n) + drawing;
        let product = of(first, first) * of(second, second);
        if product > 0.0 {
            of(first, second) / product.sqrt() * (a.own.variance() * b.own.variance()).sqrt()
        } else {
            0.0
        }
    }

    /// An estimate, of the owner in that place.
    fn part(&self, owner: usize, estimate: &Estimate) -> Result<SummedEstimate, Error> {
        let MethodFunctions { method, place: (block, first) } = self.owners[owner];
        let refused = || Operation::Covariance.not_possible([estimate.method]);
        match estimate.origin.as_ref().filter(|_| estimate.method == method).ok_or_else(refused)? {
            EstimateSource::Mean { place, shift, drawn, freedom, systematic, .. } => Ok(SummedEstimate::Mean(Term {
                place: (block, first + place),
                raw: estimate.raw,
                n: estimate.effective_n.unwrap_or(estimate.n as f64),
                shift: *shift,
                drawn: *drawn,
                freedom: *freedom,
                systematic: *systematic,
            })),
            EstimateSource::Sum(sum) => Ok(SummedEstimate::Sum(sum.clone())),
        }
    }
}

/// An estimate that is compared.
#[derive(Clone, Debug)]
struct ComparedEstimate {
    part: SummedEstimate,
    spread: EstimateDistribution,
    own: TestSamplingError,
}

/// An estimate that is put together with others.
#[derive(Clone, Debug)]
enum SummedEstimate {
    Mean(Term),
    Sum(Box<Sum>),
}

impl SummedEstimate {
    fn sum(&self, shared: &SharedErrorBlocks) -> Cow<'_, Sum> {
        match self {
            Self::Mean(term) => {
                let mut sum = shared.sum();
                sum.add(1.0, term, shared);
                Cow::Owned(sum)
            }
            Self::Sum(sum) => Cow::Borrowed(sum),
        }
    }
}

fn quantifier(model: &Model, method: Method) -> Result<&Quantifier, Error> {
    let found = model.quantifiers().iter().find(|quantifier| quantifier.method() == method);
    found.ok_or_else(|| {
        Problem::MethodMissing {
            method: method.to_string(),
            fitted: model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect(),
        }
        .into()
    })
}
