//! What the labelled scores leave uncertain of several functions at once.
//!
//! ```text
//! C±(j, k)/n± = ρ± √(w±_j w±_k)/n±
//! ```
//!
//! with w± what one labelled score tells of each function's class mean (`inference::precision`), so that C(j, j) is the V that a single
//! estimate has, and ρ± the correlation, over the labelled scores of the class, of what each score tells: g itself where rates are
//! those of the labelled scores, its projection on the family's tangent space where they are those of a fitted family.

use crate::design::Design;
use crate::inference::{Function, FunctionBlock, Precision, SharedErrorBlocks, SharedLearnt as Learnt};
use crate::model::Model;
use crate::model::influence::{centred, projected};
use crate::quantifier::Quantifier;
use crate::{Class, Error, Operation, PerClass, Problem};

/// The functions of some methods of some models.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    pub(super) shared: SharedErrorBlocks,
    /// Of each block the correlations of g within the classes, for estimates from the same test scores.
    test: Vec<Vec<Vec<PerClass<f64>>>>,
}

/// What the estimates by two functions have in common through the labelled scores, times α and 1 − α of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InCommon {
    pub(crate) learnt: Learnt,
    /// Of the negatives' mean of the first and the positives' mean of the second, where clusters hold both classes.
    pub(crate) other_between: f64,
}

/// A function as the labelled scores tell of it, in numbers of mean 0 in each class.
struct CentredFunction {
    precision: Precision,
    /// g of each score, times the root of its weight.
    g: PerClass<Vec<f64>>,
    /// What each unit tells of the class mean: a score, or a cluster of them.
    learnt: PerClass<Vec<f64>>,
    /// Whether the units are clusters, which may hold both classes.
    clustered: bool,
}

impl Functions {
    /// The functions of these methods of these models, in blocks of which each has labelled items of its own, in the same order for
    /// all models of the block.
    ///
    /// # Errors
    /// [`Operation::Covariance`] for a method that is no unbiased mean of a function of the score; [`Problem::NotPaired`] for models
    /// of one block with other numbers of labelled scores.
    pub(super) fn new(blocks: &[&[(&Model, &Quantifier)]]) -> Result<Self, Error> {
        let (mut shared, mut test) = (Vec::new(), Vec::new());
        for block in blocks {
            if block.windows(2).any(|pair| pair[0].0.labelled_counts() != pair[1].0.labelled_counts()) {
                return Err(Problem::NotPaired.into());
            }
            let told: Vec<Vec<CentredFunction>> =
                block.iter().map(|(model, quantifier)| told_of(model, quantifier)).collect::<Result<_, _>>()?;
            let told: Vec<CentredFunction> = told.into_iter().flatten().collect();
            let function = |first: &CentredFunction| {
                let with = |second: &CentredFunction| {
                    let (w, v) = (first.precision.training_each(), second.precision.training_each());
                    let rho = correlations(&first.learnt, &second.learnt);
                    let between = if std::ptr::eq(first, second) {
                        first.precision.covariance()
                    } else if first.clustered && second.clustered {
                        correlation(&first.learnt.positive, &second.learnt.negative) * (w.positive * v.negative).sqrt()
                    } else {
                        0.0
                    };
                    Learnt {
                        positive: rho.positive * (w.positive * v.positive).sqrt(),
                        negative: rho.negative * (w.negative * v.negative).sqrt(),
                        between,
                    }
                };
                Function { precision: first.precision, learnt: told.iter().map(with).collect() }
            };
            shared.push(FunctionBlock(told.iter().map(function).collect()));
            let with_all =
                |first: &CentredFunction| told.iter().map(|second| correlations(&first.g, &second.g)).collect();
            test.push(told.iter().map(with_all).collect());
        }
        Ok(Self { shared: SharedErrorBlocks(shared), test })
    }

    /// What two functions of the first block have in common.
    pub(super) fn common(&self, first: usize, second: usize) -> InCommon {
        let functions = &self.shared.0[0].0;
        InCommon { learnt: functions[first].learnt[second], other_between: functions[second].learnt[first].between }
    }

    /// What n test scores, each read by both functions, leave uncertain together where the prevalence is alpha.
    pub(super) fn sampling(&self, first: (usize, usize), second: (usize, usize), alpha: f64, n: f64) -> f64 {
        let precision = |(block, place): (usize, usize)| &self.shared.0[block].0[place].precision.test;
        let (t, u) = (precision(first), precision(second));
        let rho = if first.0 == second.0 { self.test[first.0][first.1][second.1] } else { PerClass::default() };
        let positive = rho.positive * (t.positive * u.positive).sqrt();
        let negative = rho.negative * (t.negative * u.negative).sqrt();
        (alpha * positive + (1.0 - alpha) * negative) / n
    }
}

fn told_of(model: &Model, quantifier: &Quantifier) -> Result<Vec<CentredFunction>, Error> {
    let refused = || Operation::Covariance.not_possible([quantifier.method()]);
    let training = model.training();
    let labelled = training.column(quantifier.reads())?;
    let design = training.labelled().design();
    let each = quantifier.means().iter().map(|mean| {
        let influence = mean.influence();
        let precision = mean.anchored().rated().precision.ok_or_else(refused)?;
        let g = centred(design, labelled.map(|values| values.iter().map(|x| influence.value(*x)).collect()));
        let learnt = match training.fitted().filter(|_| mean.anchored().is_of_family()) {
            None => by_unit(design, &g),
            Some(separation) => projected(quantifier, influence, training, separation)?,
        };
        let clustered = design.is_some_and(|design| design.clusters().is_some());
        Ok(CentredFunction { precision, g: weighed(design, g), learnt, clustered })
    });
    let functions: Vec<CentredFunction> = each.collect::<Result<_, Error>>()?;
    if functions.is_empty() { Err(refused().into()) } else { Ok(functions) }
}

/// What the rows of each unit tell together.
fn by_unit(design: Option<&Design>, values: &PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    let Some(design) = design else { return values.clone() };
    let of = |class, values: &[f64], shares: &[f64]| {
        design.by_unit(class, values.iter().zip(shares).map(|(value, share)| value * share))
    };
    let shares = design.shares();
    PerClass {
        positive: of(Class::Positive, &values.positive, &shares.positive),
        negative: of(Class::Negative, &values.negative, &shares.negative),
    }
}

/// Each times the root of its weight.
fn weighed(design: Option<&Design>, values: PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    let Some(shares) = design.map(Design::shares) else { return values };
    let of = |values: Vec<f64>, shares: &[f64]| values.iter().zip(shares).map(|(g, share)| g * share.sqrt()).collect();
    PerClass { positive: of(values.positive, &shares.positive), negative: of(values.negative, &shares.negative) }
}

fn correlations(a: &PerClass<Vec<f64>>, b: &PerClass<Vec<f64>>) -> PerClass<f64> {
    PerClass { positive: correlation(&a.positive, &b.positive), negative: correlation(&a.negative, &b.negative) }
}

/// Of numbers of mean 0; 0 where one of them does not vary.
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
