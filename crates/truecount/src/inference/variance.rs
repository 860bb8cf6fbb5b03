//! The variance of one estimate, by source, with its degrees of freedom.

use super::precision::{Precision, VarianceBasis};
use super::quadratic::Quadratic;
use crate::PerClass;

/// V as a function of the prevalence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variance {
    /// The contribution of each class's test and labelled scores, given the test scores' classes.
    pub(crate) by_class: PerClass<Quadratic>,
    /// The covariance between the classes, if clusters of labelled scores hold both.
    pub(crate) class_covariance: Quadratic,
    /// The variance of the test scores' prevalence about that of their population.
    pub(crate) binomial: Quadratic,
    /// The basis from which V was estimated; `None` if the distributions are known.
    pub(crate) training_basis: Option<VarianceBasis>,
    /// The contribution of the test scores to `given`.
    pub(crate) test: Quadratic,
    /// The degrees of freedom of the test scores' contribution: infinite, or one less than the
    /// number of their clusters.
    pub(crate) test_dof: f64,
    /// The contribution of the share of positives among the labelled rows, which no bootstrap
    /// replicate shows; `by_class` includes it.
    pub(crate) labelled_share: f64,
}

impl Variance {
    /// V for a target; `fpc` is the [finite population correction](super::IntervalOptions::drawn).
    pub(crate) fn with_sampling(&self, fpc: f64) -> Quadratic {
        let sample = self.by_class.positive.plus(&self.by_class.negative).plus(&self.class_covariance);
        if fpc > 0.0 { sample.plus(&self.binomial.times(fpc)) } else { sample }
    }

    /// V for a target, with the unseen errors.
    pub(crate) fn with_unseen(&self, fpc: f64) -> Quadratic {
        self.with_sampling(fpc).plus(&self.unseen())
    }

    /// The variance of the [unseen errors](VarianceBasis::unseen).
    pub(crate) fn unseen(&self) -> Quadratic {
        self.training_basis.as_ref().map_or(Quadratic::constant(0.0), VarianceBasis::unseen)
    }

    /// The degrees of freedom of V at α.
    pub(crate) fn dof(&self, alpha: f64, fpc: f64) -> f64 {
        let given = self.by_class.map(|class| class.at(alpha));
        let variance = self.with_sampling(fpc).at(alpha);
        let labelled = self.training_basis.as_ref().map_or(f64::INFINITY, |basis| basis.dof(&given, variance));
        if self.test_dof.is_infinite() {
            return labelled;
        }
        let test = self.test.plus(&self.binomial.times(fpc)).at(alpha);
        (labelled.recip() + (test / variance).powi(2) / self.test_dof).recip().max(1.0)
    }

    /// Variance of a maximum likelihood estimate with known densities and observed information I
    /// per test score: 1/(nI) for the population, which includes the binomial variance.
    pub(crate) fn observed(information: f64, n: f64) -> Self {
        let population = Quadratic::constant((n * information).recip());
        let drawing = Quadratic::binomial(n);
        let zero = Quadratic::constant(0.0);
        let given = PerClass { positive: population.plus(&drawing.times(-1.0)), negative: zero };
        Self {
            by_class: given,
            class_covariance: zero,
            binomial: drawing,
            training_basis: None,
            test: zero,
            test_dof: f64::INFINITY,
            labelled_share: 0.0,
        }
    }

    /// Adds the variance from the share of positives among the labelled rows.
    pub(crate) fn plus_labelled_share(self, variance: f64) -> Self {
        Self { labelled_share: variance, ..self.plus_learning(variance) }
    }

    /// Adds the square of a bias, half of it to each class.
    pub(crate) fn plus_squared_bias(self, square: f64) -> Self {
        let half = Quadratic::constant(0.5 * square);
        Self { by_class: self.by_class.map(|class| class.plus(&half)), ..self }
    }

    /// Adds a training variance that is the same at every prevalence.
    pub(crate) fn plus_learning(self, variance: f64) -> Self {
        let positive = self.by_class.positive.plus(&Quadratic::constant(variance));
        Self { by_class: PerClass { positive, ..self.by_class }, ..self }
    }
}

impl Precision {
    /// V for n test scores. For weighted scores n is their effective number, and `shift` is the
    /// w²-weighted prevalence less α, which stays fixed so that V is a quadratic.
    pub(crate) fn variance(&self, n: f64, shift: f64) -> Variance {
        let sizes = self.sizes();
        let parts = PerClass::from_fn(|class| (self.test.get(class) / n, self.training.get(class) / sizes.get(class)));
        let test = Quadratic::from_classes(&self.test.map(|t| (t / n, 0.0)), shift);
        Variance {
            by_class: Quadratic::from_classes(&parts, shift),
            class_covariance: Quadratic::class_covariance(self.covariance()),
            binomial: Quadratic::weighted_binomial(n, shift),
            training_basis: self.basis(n),
            test: test.positive.plus(&test.negative),
            test_dof: f64::INFINITY,
            labelled_share: 0.0,
        }
    }
}
