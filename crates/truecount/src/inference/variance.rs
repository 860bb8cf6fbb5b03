//! The variance of one estimate, by source, and what an interval needs to know besides.

use super::precision::{Basis, Precision};
use super::quadratic::Quadratic;
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
    /// What the test scores contribute to `given`.
    pub(crate) test: Quadratic,
    /// The degrees of freedom of that: infinite, or one less than the clusters they were drawn in.
    pub(crate) test_freedom: f64,
}

impl Variance {
    /// The whole, with such a share of the drawing ([`IntervalOptions::drawn`](super::Reporting::drawn)).
    pub(crate) fn with_sampling(&self, drawn: f64) -> Quadratic {
        let given = self.given.positive.plus(&self.given.negative).plus(&self.between);
        if drawn > 0.0 { given.plus(&self.drawing.times(drawn)) } else { given }
    }

    /// The same with what the labelled scores cannot have shown.
    pub(crate) fn whole(&self, drawn: f64) -> Quadratic {
        self.with_sampling(drawn).plus(&self.unseen())
    }

    /// What the labelled scores cannot have shown.
    pub(crate) fn unseen(&self) -> Quadratic {
        self.learnt.as_ref().map_or(Quadratic::constant(0.0), Basis::unseen)
    }

    /// The degrees of freedom with which V is known at α.
    pub(crate) fn freedom(&self, alpha: f64, drawn: f64) -> f64 {
        let classes = self.given.map(|of| of.at(alpha));
        let variance = self.with_sampling(drawn).at(alpha);
        let learnt = self.learnt.as_ref().map_or(f64::INFINITY, |basis| basis.freedom(&classes, variance));
        if self.test_freedom.is_infinite() {
            return learnt;
        }
        let own = self.test.plus(&self.drawing.times(drawn)).at(alpha);
        (learnt.recip() + (own / variance).powi(2) / self.test_freedom).recip().max(1.0)
    }

    /// Of a maximum of likelihood with known densities and the information I that the test scores show: 1/(nI) for the population, of
    /// which drawing them is a part.
    pub(crate) fn observed(information: f64, n: f64) -> Self {
        let whole = Quadratic::constant((n * information).recip());
        let drawing = Quadratic::drawing(n);
        let nothing = Quadratic::constant(0.0);
        let given = PerClass { positive: whole.plus(&drawing.times(-1.0)), negative: nothing };
        Self { given, between: nothing, drawing, learnt: None, test: nothing, test_freedom: f64::INFINITY }
    }

    /// The same where learning, by itself, leaves so much uncertain at every prevalence.
    pub(crate) fn plus_learning(self, variance: f64) -> Self {
        let positive = self.given.positive.plus(&Quadratic::constant(variance));
        Self { given: PerClass { positive, ..self.given }, ..self }
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
            given: Quadratic::from_classes(&given, shift),
            between: Quadratic::between(self.covariance()),
            drawing: Quadratic::weighted_drawing(n, shift),
            learnt: self.basis(n),
            test: {
                let test = Quadratic::from_classes(&self.test.map(|t| (t / n, 0.0)), shift);
                test.positive.plus(&test.negative)
            },
            test_freedom: f64::INFINITY,
        }
    }

    /// The same where the scores were drawn in clusters, with so many degrees of freedom, and n is what they are worth.
    pub(crate) fn clustered_variance(&self, n: f64, shift: f64, freedom: f64) -> Variance {
        Variance { test_freedom: freedom, ..self.variance(n, shift) }
    }
}
