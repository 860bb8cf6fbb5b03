//! What the labelled scores leave uncertain of several functions at once.
//!
//! ```text
//! C±(j, k)/n± = ρ± √(w±_j w±_k)/n±
//! ```
//!
//! with w± what one labelled score tells of each function's class mean (`inference::precision`), so that C(j, j) is the V that a single
//! estimate has, and ρ± the correlation, over the labelled scores of the class, of what each score tells: g itself where rates are
//! those of the labelled scores, its projection on the family's tangent space where they are those of a fitted family.

use crate::inference::{Precision, Shared, told};
use crate::model::Model;
use crate::quantifier::Quantifier;
use crate::{Error, Method, PerClass};

/// The functions of one method, or of two.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    /// With the covariances of what is learnt.
    pub(super) shared: Vec<Shared>,
    /// Correlations of g within the classes, for estimates from the same test scores.
    test: Vec<Vec<PerClass<f64>>>,
}

/// A function as the labelled scores tell of it: numbers of mean 0 in each class.
struct Told {
    precision: Precision,
    g: PerClass<Vec<f64>>,
    learnt: PerClass<Vec<f64>>,
}

impl Functions {
    /// The functions of these methods of these models, one after the other. `paired` says that the models learnt from the same
    /// labelled items.
    ///
    /// # Errors
    /// [`Error::NoCovariance`] for a method that is no unbiased mean of a function of the score; [`Error::NotPaired`] for models
    /// with other numbers of labelled scores.
    pub(super) fn new(of: &[(&Model, &Quantifier)], paired: bool) -> Result<Self, Error> {
        let mut functions: Vec<(usize, Told)> = Vec::new();
        for (number, (model, quantifier)) in of.iter().enumerate() {
            functions.extend(told_of(model, quantifier)?.into_iter().map(|told| (number, told)));
        }
        if paired && of.windows(2).any(|pair| pair[0].0.labelled_counts() != pair[1].0.labelled_counts()) {
            return Err(Error::NotPaired);
        }
        // Two methods of one model have the same labelled scores.
        let related = |a: usize, b: usize| a == b || paired || std::ptr::eq(of[a].0, of[b].0);
        let correlations = |(a, first): &(usize, Told), column: fn(&Told) -> &PerClass<Vec<f64>>| {
            let with = |(b, second): &(usize, Told)| {
                if !related(*a, *b) {
                    return PerClass { positive: 0.0, negative: 0.0 };
                }
                let (first, second) = (column(first), column(second));
                PerClass {
                    positive: correlation(&first.positive, &second.positive),
                    negative: correlation(&first.negative, &second.negative),
                }
            };
            functions.iter().map(with).collect::<Vec<_>>()
        };
        let shared = functions.iter().map(|function| {
            let precision = function.1.precision;
            let with = |(rho, (_, other)): (&PerClass<f64>, &(usize, Told))| {
                let (w, v) = (precision.training_each(), other.precision.training_each());
                PerClass {
                    positive: rho.positive * (w.positive * v.positive).sqrt(),
                    negative: rho.negative * (w.negative * v.negative).sqrt(),
                }
            };
            let learnt = correlations(function, |told| &told.learnt).iter().zip(&functions).map(with).collect();
            Shared { precision, learnt }
        });
        let shared = shared.collect();
        let test = functions.iter().map(|function| correlations(function, |told| &told.g)).collect();
        Ok(Self { shared, test })
    }

    /// What n test scores, each read by both functions, leave uncertain together where the prevalence is alpha.
    pub(super) fn sampling(&self, (j, k): (usize, usize), alpha: f64, n: f64) -> f64 {
        let (t, u, rho) = (&self.shared[j].precision.test, &self.shared[k].precision.test, &self.test[j][k]);
        let positive = rho.positive * (t.positive * u.positive).sqrt();
        let negative = rho.negative * (t.negative * u.negative).sqrt();
        (alpha * positive + (1.0 - alpha) * negative) / n
    }
}

fn told_of(model: &Model, quantifier: &Quantifier) -> Result<Vec<Told>, Error> {
    let refused = || Error::NoCovariance { method: quantifier.method().to_string(), able: able() };
    let training = model.training();
    let labelled = training.column(quantifier.reads())?;
    let each = quantifier.means().iter().map(|mean| {
        let influence = mean.influence();
        let precision = mean.anchored().rated().precision.ok_or_else(refused)?;
        let g = labelled.map(|values| centred(values.iter().map(|x| influence.value(*x)).collect()));
        let learnt = match training.fitted().filter(|_| mean.anchored().is_of_family()) {
            None => g.clone(),
            Some(separation) => {
                let transformed = training.column(crate::training::Reads::Transformed)?;
                let balanced = quantifier.reads() == crate::training::Reads::Balanced;
                let value = |x: f64| influence.value(if balanced { separation.balanced(x) } else { x });
                let told = told(separation, transformed, value);
                PerClass { positive: centred(told.positive), negative: centred(told.negative) }
            }
        };
        Ok(Told { precision, g, learnt })
    });
    let functions: Vec<Told> = each.collect::<Result<_, Error>>()?;
    if functions.is_empty() { Err(refused()) } else { Ok(functions) }
}

/// The methods whose estimates can be put together.
fn able() -> Vec<&'static str> {
    Method::names_where(|method| method.takes_weights() && method.check_precision().is_ok())
}

fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

/// Of numbers of mean 0; 0 where one of them does not vary.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let (own, square) = (product(a, b), product(a, a) * product(b, b));
    if std::ptr::eq(a, b) { 1.0 } else if square > 0.0 { (own / square.sqrt()).clamp(-1.0, 1.0) } else { 0.0 }
}
