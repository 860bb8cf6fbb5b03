//! The variance of one estimate, by source, with its degrees of freedom.

use super::precision::{Precision, VarianceBasis};
use super::quadratic::Quadratic;
use crate::PerClass;

/// V as a function of the prevalence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variance {
    /// The contribution of each class's test and labelled scores, given the test scores' classes.
    pub(crate) given: PerClass<Quadratic>,
    /// The covariance between the classes, if clusters of labelled scores hold both.
    pub(crate) between: Quadratic,
    /// The variance of the test scores' prevalence about that of their population.
    pub(crate) drawing: Quadratic,
    /// The basis from which V was estimated; `None` if the distributions are known.
    pub(crate) learnt: Option<VarianceBasis>,
    /// The contribution of the test scores to `given`.
    pub(crate) test: Quadratic,
    /// The degrees of freedom of the test scores' contribution: infinite, or one less than the
    /// number of their clusters.
    pub(crate) test_freedom: f64,
}

impl Variance {
    /// V for a target; `fpc` is the [finite population correction](super::IntervalOptions::drawn).
    pub(crate) fn with_sampling(&self, fpc: f64) -> Quadratic {
        let sample = self.given.positive.plus(&self.given.negative).plus(&self.between);
        if fpc > 0.0 { sample.plus(&self.drawing.times(fpc)) } else { sample }
    }

    /// V for a target, with the unseen errors.
    pub(crate) fn with_unseen(&self, fpc: f64) -> Quadratic {
        self.with_sampling(fpc).plus(&self.unseen())
    }

    /// The variance of the [unseen errors](VarianceBasis::unseen).
    pub(crate) fn unseen(&self) -> Quadratic {
        self.learnt.as_ref().map_or(Quadratic::constant(0.0), VarianceBasis::unseen)
    }

    /// The degrees of freedom of V at α.
    pub(crate) fn dof(&self, alpha: f64, fpc: f64) -> f64 {
        let given = self.given.map(|class| class.at(alpha));
        let variance = self.with_sampling(fpc).at(alpha);
        let labelled = self.learnt.as_ref().map_or(f64::INFINITY, |basis| basis.dof(&given, variance));
        if self.test_freedom.is_infinite() {
            return labelled;
        }
        let test = self.test.plus(&self.drawing.times(fpc)).at(alpha);
        (labelled.recip() + (test / variance).powi(2) / self.test_freedom).recip().max(1.0)
    }

    /// Variance of a maximum likelihood estimate with known densities and observed information I
    /// per test score: 1/(nI) for the population, which includes the binomial variance.
    pub(crate) fn observed(information: f64, n: f64) -> Self {
        let population = Quadratic::constant((n * information).recip());
        let drawing = Quadratic::drawing(n);
        let zero = Quadratic::constant(0.0);
        let given = PerClass { positive: population.plus(&drawing.times(-1.0)), negative: zero };
        Self { given, between: zero, drawing, learnt: None, test: zero, test_freedom: f64::INFINITY }
    }

    /// Adds a training variance that is the same at every prevalence.
    pub(crate) fn plus_learning(self, variance: f64) -> Self {
        let positive = self.given.positive.plus(&Quadratic::constant(variance));
        Self { given: PerClass { positive, ..self.given }, ..self }
    }
}

impl Precision {
    /// V for n test scores. For weighted scores n is their effective number, and `shift` is the
    /// w²-weighted prevalence less α, which stays fixed so that V is a quadratic.
    pub(crate) fn variance(&self, n: f64, shift: f64) -> Variance {
        let sizes = self.sizes();
        let parts = PerClass {
            positive: (self.test.positive / n, self.training.positive / sizes.positive),
            negative: (self.test.negative / n, self.training.negative / sizes.negative),
        };
        let test = Quadratic::from_classes(&self.test.map(|t| (t / n, 0.0)), shift);
        Variance {
            given: Quadratic::from_classes(&parts, shift),
            between: Quadratic::class_covariance(self.covariance()),
            drawing: Quadratic::weighted_drawing(n, shift),
            learnt: self.basis(n),
            test: test.positive.plus(&test.negative),
            test_freedom: f64::INFINITY,
        }
    }

    /// V for test scores in clusters, with n their effective number and the degrees of freedom of
    /// their contribution.
    pub(crate) fn clustered_variance(&self, n: f64, shift: f64, test_freedom: f64) -> Variance {
        Variance { test_freedom, ..self.variance(n, shift) }
    }
}
