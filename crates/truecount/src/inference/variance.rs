//! The variance of one estimate, by source, and what an interval needs to know besides.

use super::precision::{Basis, Precision};
use super::quadratic::Quadratic;
use super::reporting::Target;
use super::skewness;
use crate::PerClass;

/// V as a function of the prevalence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variance {
    /// What each class's scores contribute, test scores and labelled ones, the classes of the test scores being given.
    pub(crate) given: PerClass<Quadratic>,
    /// What the two have in common where clusters of labelled scores hold both classes.
    pub(crate) between: Quadratic,
    /// What drawing the test scores from a population adds.
    pub(crate) drawing: Quadratic,
    /// Where V was learnt from labelled scores: what it was learnt as.
    pub(crate) learnt: Option<Basis>,
}

impl Variance {
    /// The whole, for a target.
    pub(crate) fn of(&self, target: Target) -> Quadratic {
        let given = self.given.positive.plus(&self.given.negative).plus(&self.between);
        match target {
            Target::Sample => given,
            Target::Population => given.plus(&self.drawing),
        }
    }

    /// What the labelled scores cannot have shown: a sample without errors does not make a classifier without errors. Half an
    /// error in n± labelled scores has the variance ½/n± in units of (E₊g − E₋g)², as an error rate has that Jeffreys' prior puts
    /// at (0 + ½)/n±; where the classes overlap that is next to nothing. Of weighted scores n± is their effective number.
    pub(crate) fn unseen(&self) -> Quadratic {
        let Some(Basis { precision, labelled, n }) = &self.learnt else { return Quadratic::constant(0.0) };
        let half = |labelled: &f64| {
            let each = 0.5 / labelled;
            (each / n, each / labelled)
        };
        let effective = precision.worth.effective(labelled);
        let PerClass { positive, negative } = Quadratic::of_classes(&effective.map(half), 0.0);
        positive.plus(&negative)
    }

    /// The degrees of freedom with which V is known at α, after Satterthwaite (1946): V²/(V₊²/(n₊−1) + V₋²/(n₋−1)). For
    /// weighted scores n± is their effective number, for clustered ones the clusters that hold the class; and clusters that may hold
    /// both leave no more than one less than all of them.
    pub(crate) fn freedom(&self, alpha: f64, target: Target) -> f64 {
        let Some(Basis { precision, labelled, .. }) = &self.learnt else { return f64::INFINITY };
        let part = |of: &Quadratic, units: f64| of.at(alpha).powi(2) / (units - 1.0).max(1.0);
        let PerClass { positive, negative } = &self.given;
        let units = precision.worth.units(labelled);
        let parts = part(positive, units.positive) + part(negative, units.negative);
        let freedom = self.of(target).at(alpha).powi(2) / parts;
        // Never below the smaller one, but for rounding.
        let most = precision.worth.clusters(labelled).map_or(f64::INFINITY, |clusters| clusters - 1.0);
        if freedom.is_nan() { most } else { freedom.min(most).max(1.0) }
    }

    /// By how much the estimate is moved for an interval of so many standard errors (`inference::skewness`).
    pub(crate) fn lean(&self, alpha: f64, target: Target, variance: f64, z: f64) -> f64 {
        self.learnt.as_ref().map_or(0.0, |basis| skewness::lean(basis, target, alpha, variance, z))
    }

    /// Of a maximum of likelihood with known densities and the information I that the test scores show: 1/(nI) for the population, of
    /// which drawing them is a part.
    pub(crate) fn observed(information: f64, n: f64) -> Self {
        let whole = Quadratic::constant((n * information).recip());
        let drawing = Quadratic::drawing(n);
        let nothing = Quadratic::constant(0.0);
        let given = PerClass { positive: whole.plus(&drawing.negated()), negative: nothing };
        Self { given, between: nothing, drawing, learnt: None }
    }
}

impl Precision {
    /// V for so many test scores. Of weighted ones n is the effective number, and the shift what the prevalence by squared weights
    /// has more than α: held fixed, so that V stays a quadratic.
    pub(crate) fn variance(&self, n: f64, shift: f64) -> Variance {
        let parts = |test: f64, training: f64, labelled: f64| (test / n, training / labelled);
        let sizes = self.sizes();
        let given = PerClass {
            positive: parts(self.test.positive, self.training.positive, sizes.positive),
            negative: parts(self.test.negative, self.training.negative, sizes.negative),
        };
        Variance {
            given: Quadratic::of_classes(&given, shift),
            between: Quadratic::between(self.covariance()),
            drawing: Quadratic::weighted_drawing(n, shift),
            learnt: self.labelled.map(|labelled| Basis { precision: *self, labelled, n }),
        }
    }
}
