//! Differences and totals of several estimates, with the covariances of their errors.
//!
//! All estimates of a model rest on the same labelled scores. To first order the error of each is a
//! sum over its test scores and a sum over the labelled scores. For two estimates, of methods or
//! groups j and k,
//!
//! ```text
//! Cov(α̂_j, α̂_k) = α_jα_k C₊(g_j, g_k)/n₊ + (1−α_j)(1−α_k) C₋(g_j, g_k)/n₋
//! ```
//!
//! in units in which the class means of each g are 0 and 1, with C± the covariance within a class
//! of the labelled scores. Estimates from the same test scores also share their sampling error.

mod functions;
mod group_contrasts;
mod total;

pub use group_contrasts::{Comparator, Comparison, Contrast, GroupContrasts, Reference};
pub use total::Total;

pub use crate::inference::{Difference, Ratio};

use crate::inference::{
    Common, Covariances, ErrorContributions, EstimateDistribution, FunctionBlocks, FunctionIndex, IntervalOptions,
    Quadratic, Term, TestSamplingError, VarianceComponents, WeightedSum,
};
use crate::model::Model;
use crate::quantifier::{EstimateSource, Quantifier};
use crate::{Error, Estimate, Method, Operation, Problem};
use functions::JointFunctions;
use std::borrow::Cow;

impl Model {
    /// Returns the difference of two estimates by one method of the model, from test samples without
    /// common items, with the level of the first estimate. Both rest on the same labelled scores, and
    /// the standard error allows for it.
    ///
    /// The target is that of the two estimates. By default it is the sample: did the share change among
    /// these very items? Whether it changed in the population that they were drawn from is answered by
    /// estimates with [`Target::Population`](crate::Target::Population).
    ///
    /// [`JointErrors`] is for samples with common items, for several methods or models, and for many
    /// differences.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`JointErrors::new`] and
    /// [`JointErrors::difference`].
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Model, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let january = model.estimate(&[-0.7, 0.2, -0.5, 0.1])?;
    /// let february = model.estimate(&[1.7, 0.2, -0.5, 2.2])?;
    /// let change = model.difference(&february[0], &january[0])?;
    /// println!("{:+.2}, p = {:.2}", change.difference, change.p_value);
    /// # Ok(()) }
    /// ```
    pub fn difference(&self, first: &Estimate, second: &Estimate) -> Result<Difference, Error> {
        let options = IntervalOptions::default().with_level(first.level)?;
        JointErrors::new(self, first.method)?.difference(first, second, Overlap::None, &options)
    }
}

/// The joint distribution of the errors of estimates by one method of a model, or by several
/// methods or models.
#[derive(Clone, Debug)]
pub struct JointErrors {
    methods: Vec<ModelMethod>,
    functions: JointFunctions,
}

/// A method of a model, with its influence functions.
#[derive(Clone, Copy, Debug)]
struct ModelMethod {
    method: Method,
    /// The first of the method's functions; the others follow it.
    first: FunctionIndex,
}

/// The overlap of the test scores of two estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// No common test scores, but perhaps common clusters.
    None,
    /// The same test items, for two methods or two classifiers.
    All,
}

/// The relation between the labelled scores of two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRelation {
    /// Independent labelled samples.
    Independent,
    /// Two classifiers' scores of the same labelled items, in the same order.
    Paired,
}

impl JointErrors {
    /// Joint errors of estimates by one method of a model.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`] for a method that is not an unbiased mean of a function of
    /// the score, and [`Problem::MethodMissing`] for a method that the model does not have.
    pub fn new(model: &Model, method: Method) -> Result<Self, Error> {
        Self::for_strata(&[model], method)
    }

    /// Joint errors of estimates by one method of several models with independent labelled samples,
    /// such as those of strata.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`new`](Self::new).
    pub fn for_strata(models: &[&Model], method: Method) -> Result<Self, Error> {
        let quantifiers: Vec<(&Model, &Quantifier)> =
            models.iter().map(|model| Ok((*model, quantifier(model, method)?))).collect::<Result<_, Error>>()?;
        let blocks: Vec<&[(&Model, &Quantifier)]> = quantifiers.chunks(1).collect();
        let first = |block| FunctionIndex { block, function: 0 };
        let methods = (0..models.len()).map(|block| ModelMethod { method, first: first(block) }).collect();
        Ok(Self { methods, functions: JointFunctions::new(&blocks)? })
    }

    /// Joint errors of estimates by two methods, of one model or of two. A model is
    /// [paired](LabelRelation::Paired) with itself.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`new`](Self::new), and [`Problem::NotPaired`] for
    /// paired models with different numbers of labelled scores.
    pub fn for_two_models(
        first: &Model,
        first_method: Method,
        second: &Model,
        second_method: Method,
        labelled: LabelRelation,
    ) -> Result<Self, Error> {
        let both = [(first, quantifier(first, first_method)?), (second, quantifier(second, second_method)?)];
        let (blocks, second): (Vec<&[_]>, _) = match labelled {
            LabelRelation::Paired => (vec![&both], FunctionIndex { block: 0, function: both[0].1.means().len() }),
            LabelRelation::Independent => (both.chunks(1).collect(), FunctionIndex { block: 1, function: 0 }),
        };
        let methods = vec![
            ModelMethod { method: first_method, first: FunctionIndex { block: 0, function: 0 } },
            ModelMethod { method: second_method, first: second },
        ];
        Ok(Self { methods, functions: JointFunctions::new(&blocks)? })
    }

    /// Estimates the difference of two prevalences from estimates with this overlap of test scores.
    ///
    /// Each estimate keeps its own target; `options` determine the level and kind of the interval.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`] for an estimate by another method or model.
    pub fn difference(
        &self,
        first: &Estimate,
        second: &Estimate,
        overlap: Overlap,
        options: &IntervalOptions,
    ) -> Result<Difference, Error> {
        let last = self.methods.len().min(2) - 1;
        let a = self.compared(self.summand(0, first)?);
        let b = self.compared(self.summand(last, second)?);
        let blocks = &self.functions.blocks;
        let test = match overlap {
            Overlap::None => a.summand.shared_covariance(&b.summand),
            Overlap::All => self.test_covariance(&a, &b),
        };
        let covariances = |covariance: &dyn Fn(&Summand, &Summand) -> f64| Covariances {
            first: covariance(&a.summand, &a.summand),
            second: covariance(&b.summand, &b.summand),
            both: covariance(&a.summand, &b.summand),
        };
        let common = Common {
            test,
            training: covariances(&|a, b| match (a, b) {
                (Summand::Term(a), Summand::Term(b)) => blocks.training_covariance(a, b),
                (a, b) => a.sum(blocks).training_covariance(&b.sum(blocks), blocks),
            }),
            unseen: covariances(&|a, b| match (a, b) {
                (Summand::Term(a), Summand::Term(b)) => blocks.unseen_covariance(a, b),
                (a, b) => a.sum(blocks).unseen_covariance(&b.sum(blocks), blocks),
            }),
            dof: blocks.min_dof(),
        };
        Ok(Difference::new(a.parts(), b.parts(), &common, options))
    }

    /// Computes the distribution of an estimate for a comparison.
    fn compared(&self, summand: Summand) -> ComparedEstimate {
        let blocks = &self.functions.blocks;
        let (distribution, test_error) = match &summand {
            Summand::Term(term) => (term.distribution(blocks), term.test_error(blocks)),
            Summand::Sum(sum) => (sum.distribution(blocks), sum.test_error(blocks)),
        };
        ComparedEstimate { summand, distribution, test_error }
    }

    /// Returns an estimate by the first method with its variance components.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`] for an estimate by another method, and for a total.
    pub(crate) fn variance_components(&self, estimate: &Estimate) -> Result<VarianceComponents, Error> {
        match self.summand(0, estimate)? {
            Summand::Term(term) => Ok(term.components(&self.functions.blocks)),
            Summand::Sum(_) => Err(Operation::Covariance.unsupported_by([estimate.method]).into()),
        }
    }

    /// Returns an empty total of estimates by these methods.
    pub fn total(&self) -> Total<'_> {
        Total::new(self)
    }

    /// Returns the covariance of two estimates from the same test scores, from the correlation of
    /// both functions at the mean of their prevalences.
    fn test_covariance(&self, a: &ComparedEstimate, b: &ComparedEstimate) -> f64 {
        let (Summand::Term(first), Summand::Term(second)) = (&a.summand, &b.summand) else {
            return a.test_error.variance();
        };
        let alpha = 0.5 * (a.distribution.estimate() + b.distribution.estimate());
        let population = first.fpc.min(second.fpc) * Quadratic::weighted_binomial(first.n, first.shift).at(alpha);
        let covariance = |j: &Term, k: &Term| {
            self.functions.sampling_covariance(j.index, k.index, alpha + first.shift, first.n) + population
        };
        let product = covariance(first, first) * covariance(second, second);
        if product > 0.0 {
            let correlation = covariance(first, second) / product.sqrt();
            correlation * (a.test_error.variance() * b.test_error.variance()).sqrt()
        } else {
            0.0
        }
    }

    /// Returns the summand for an estimate by the method with this index.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`] for an estimate by another method.
    fn summand(&self, index: usize, estimate: &Estimate) -> Result<Summand, Error> {
        let ModelMethod { method, first } = self.methods[index];
        let unsupported = || Operation::Covariance.unsupported_by([estimate.method]);
        match estimate.origin.as_ref().filter(|_| estimate.method == method).ok_or_else(unsupported)? {
            EstimateSource::Mean {
                function: place,
                weight_shift: shift,
                fpc: drawn,
                test_dof: freedom,
                misfit_variance: systematic,
                contributions,
                ..
            } => Ok(Summand::Term(Term {
                index: FunctionIndex { block: first.block, function: first.function + place },
                raw: estimate.raw,
                n: estimate.variance_n(),
                shift: *shift,
                fpc: *drawn,
                test_dof: *freedom,
                systematic: *systematic,
                contributions: contributions.clone(),
            })),
            EstimateSource::Sum(sum) => Ok(Summand::Sum(sum.clone())),
        }
    }
}

/// An estimate with its distribution, for a comparison.
#[derive(Clone, Debug)]
struct ComparedEstimate {
    summand: Summand,
    distribution: EstimateDistribution,
    test_error: TestSamplingError,
}

impl ComparedEstimate {
    fn parts(&self) -> (f64, f64, &TestSamplingError) {
        (self.distribution.raw(), self.distribution.variance(), &self.test_error)
    }
}

/// A summand of a weighted sum: a single estimate, or a weighted sum itself.
#[derive(Clone, Debug)]
enum Summand {
    Term(Term),
    Sum(Box<WeightedSum>),
}

impl Summand {
    /// Returns the covariance of two sampling errors from clusters that both have.
    fn shared_covariance(&self, other: &Self) -> f64 {
        match (self.contributions(), other.contributions()) {
            (Some((first, weight)), Some((second, other_weight))) => first.covariance(second) / (weight * other_weight),
            _ => 0.0,
        }
    }

    /// Returns the contributions of clusters to the weighted sum, with the sum of the weights.
    fn contributions(&self) -> Option<(&ErrorContributions, f64)> {
        match self {
            Self::Term(term) => Some((term.contributions.as_deref()?, 1.0)),
            Self::Sum(sum) => Some((sum.contributions(), sum.weight())),
        }
    }

    fn sum(&self, functions: &FunctionBlocks) -> Cow<'_, WeightedSum> {
        match self {
            Self::Term(term) => {
                let mut sum = functions.empty_sum();
                sum.add(1.0, term, functions);
                Cow::Owned(sum)
            }
            Self::Sum(sum) => Cow::Borrowed(sum),
        }
    }
}

fn quantifier(model: &Model, method: Method) -> Result<&Quantifier, Error> {
    let quantifier = model.quantifiers().iter().find(|quantifier| quantifier.method() == method);
    quantifier.ok_or_else(|| {
        Problem::MethodMissing {
            method: method.to_string(),
            fitted: model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect(),
        }
        .into()
    })
}
