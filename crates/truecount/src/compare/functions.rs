//! Training covariances of several influence functions.
//!
//! ```text
//! C±(j, k)/n± = ρ± √(w±_j w±_k)/n±
//! ```
//!
//! with w± the training variance of one labelled score (`inference::precision`), so that
//! C±(j, j)/n± is the training variance of a single estimate. ρ± is the correlation, over the
//! labelled scores of the class, of their contributions to the class means. The contribution is g
//! itself if the rates are those of the labelled scores, and the projection of g on the family's
//! tangent space if they are those of a fitted family.

use crate::design::LabelDesign;
use crate::inference::{FunctionBlock, FunctionBlocks, FunctionErrors, FunctionIndex, Precision, TrainingCovariance};
use crate::model::Model;
use crate::model::influence::{centred, projected};
use crate::quantifier::Quantifier;
use crate::{Error, Operation, PerClass, Problem};

/// The influence functions of several methods or models, with the covariances of their errors.
#[derive(Clone, Debug)]
pub(super) struct JointFunctions {
    pub(super) blocks: FunctionBlocks,
    /// The correlations of each block's functions within the classes, by first and second function.
    correlations: Vec<Vec<Vec<PerClass<f64>>>>,
}

/// An influence function at the labelled scores, centred at its mean in each class.
struct CentredFunction {
    precision: Precision,
    /// g of each score, times the root of its weight.
    g: PerClass<Vec<f64>>,
    /// The contribution of each sampled unit, a score or a cluster, to the class mean.
    contributions: PerClass<Vec<f64>>,
    /// Whether the units are clusters, which may hold both classes.
    clustered: bool,
}

impl JointFunctions {
    /// Computes the covariances of these methods' functions. Models of one block have the same
    /// labelled items, in the same order; the items of different blocks are independent.
    ///
    /// # Errors
    /// Returns [`Operation::Covariance`] for a method that is not an unbiased mean of a function of
    /// the score, and [`Problem::NotPaired`] for a block of models with different numbers of
    /// labelled scores.
    pub(super) fn new(blocks: &[&[(&Model, &Quantifier)]]) -> Result<Self, Error> {
        let (mut function_blocks, mut block_correlations) = (Vec::new(), Vec::new());
        for block in blocks {
            if block.windows(2).any(|pair| pair[0].0.labelled_counts() != pair[1].0.labelled_counts()) {
                return Err(Problem::NotPaired.into());
            }
            let by_model: Vec<Vec<CentredFunction>> = block
                .iter()
                .map(|(model, quantifier)| centred_functions(model, quantifier))
                .collect::<Result<_, _>>()?;
            let functions: Vec<CentredFunction> = by_model.into_iter().flatten().collect();
            let errors = |first: &CentredFunction| FunctionErrors {
                precision: first.precision,
                covariances: functions.iter().map(|second| first.training_covariance(second)).collect(),
            };
            function_blocks.push(FunctionBlock(functions.iter().map(errors).collect()));
            let with_each =
                |first: &CentredFunction| functions.iter().map(|second| correlations(&first.g, &second.g)).collect();
            block_correlations.push(functions.iter().map(with_each).collect());
        }
        Ok(Self { blocks: FunctionBlocks(function_blocks), correlations: block_correlations })
    }

    /// Returns the sampling covariance of two functions' means over the same n test scores, given
    /// their classes, at the prevalence alpha.
    pub(super) fn sampling_covariance(&self, first: FunctionIndex, second: FunctionIndex, alpha: f64, n: f64) -> f64 {
        let test = |index: FunctionIndex| &self.blocks.0[index.block].0[index.function].precision.test;
        let (t, u) = (test(first), test(second));
        let rho = if first.block == second.block {
            self.correlations[first.block][first.function][second.function]
        } else {
            PerClass::default()
        };
        let positive = rho.positive * (t.positive * u.positive).sqrt();
        let negative = rho.negative * (t.negative * u.negative).sqrt();
        (alpha * positive + (1.0 - alpha) * negative) / n
    }
}

impl CentredFunction {
    fn training_covariance(&self, other: &Self) -> TrainingCovariance {
        let (w, v) = (self.precision.class_mean_variances(), other.precision.class_mean_variances());
        let rho = correlations(&self.contributions, &other.contributions);
        let between = if std::ptr::eq(self, other) {
            self.precision.covariance()
        } else if self.clustered && other.clustered {
            correlation(&self.contributions.positive, &other.contributions.negative) * (w.positive * v.negative).sqrt()
        } else {
            0.0
        };
        TrainingCovariance {
            positive: rho.positive * (w.positive * v.positive).sqrt(),
            negative: rho.negative * (w.negative * v.negative).sqrt(),
            between,
        }
    }
}

/// Evaluates a method's influence functions at the labelled scores.
///
/// # Errors
/// Returns [`Operation::Covariance`] for a method that is not an unbiased mean of a function of the
/// score.
fn centred_functions(model: &Model, quantifier: &Quantifier) -> Result<Vec<CentredFunction>, Error> {
    let unsupported = || Operation::Covariance.unsupported_by([quantifier.method()]);
    let training = model.training();
    let labelled = training.column(quantifier.reads())?;
    let design = training.labelled().design();
    let functions = quantifier.means().iter().map(|mean| {
        let influence = mean.influence();
        let precision = mean.estimator().coefficients().precision.ok_or_else(unsupported)?;
        let g = centred(design, &labelled.map(|values| values.iter().map(|x| influence.value(*x)).collect()));
        let contributions = match training.fitted().filter(|_| mean.estimator().has_family_rates()) {
            None => weighted_unit_sums(design, &g),
            Some(separation) => projected(quantifier, influence, training, separation)?,
        };
        let clustered = design.is_some_and(|design| design.units().common_units().is_some());
        Ok(CentredFunction { precision, g: times_root_weight(design, g), contributions, clustered })
    });
    let functions: Vec<CentredFunction> = functions.collect::<Result<_, Error>>()?;
    if functions.is_empty() { Err(unsupported().into()) } else { Ok(functions) }
}

fn weighted_unit_sums(design: Option<&LabelDesign>, values: &PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    let Some(design) = design else { return values.clone() };
    PerClass::from_fn(|class| {
        let rows = values.get(class).iter().zip(design.normalized_weights().get(class));
        design.sums_by_unit(class, rows.map(|(value, weight)| value * weight))
    })
}

/// Returns each value times the root of its weight.
fn times_root_weight(design: Option<&LabelDesign>, values: PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    let Some(weights) = design.map(LabelDesign::normalized_weights) else { return values };
    values.zip_map(weights, |values, weights| values.iter().zip(weights).map(|(g, weight)| g * weight.sqrt()).collect())
}

fn correlations(a: &PerClass<Vec<f64>>, b: &PerClass<Vec<f64>>) -> PerClass<f64> {
    PerClass { positive: correlation(&a.positive, &b.positive), negative: correlation(&a.negative, &b.negative) }
}

/// Correlation of numbers with mean 0; 0 if either does not vary.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let square = product(a, a) * product(b, b);
    if std::ptr::eq(a, b) {
        1.0
    } else if square > 0.0 {
        (product(a, b) / square.sqrt()).clamp(-1.0, 1.0)
    } else {
        0.0
    }
}
