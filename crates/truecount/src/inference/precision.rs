//! The precision of a quantifier: the variance of an estimate by source before the numbers of scores are
//! put in, the third moments of its influence function, and the effective size of its labelled sample.

use super::quadratic::Quadratic;
use crate::PerClass;

/// The parts of V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋ of a quantifier that estimates α without bias; where
/// clusters of labelled scores hold both classes, also + 2α(1−α) w₊₋/√(n₊n₋).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// t±: the variance that one test score of the class brings, its class being given.
    pub test: PerClass<f64>,
    /// w±: the variance that learning from one labelled score of the class leaves.
    pub training: PerClass<f64>,
    /// n±: how many labelled scores there are; none where the distributions are known.
    pub labelled: Option<PerClass<u64>>,
    pub(crate) third: PerClass<ThirdMoments>,
    /// What weights and clusters make of the labelled scores.
    pub(crate) worth: EffectiveSampleSize,
}

/// So many labelled scores leave as little uncertain as known distributions.
const AS_GOOD_AS_KNOWN: f64 = u64::MAX as f64;

impl Precision {
    /// Of an influence function g in units of E₊g − E₋g.
    pub(crate) fn new(
        test: PerClass<f64>,
        training: PerClass<f64>,
        third: PerClass<ThirdMoments>,
        labelled: Option<PerClass<u64>>,
    ) -> Self {
        Self { test, training, labelled, third, worth: EffectiveSampleSize::PLAIN }
    }

    /// The same, learnt from weighted or clustered scores; the covariance is in the same units.
    pub(crate) fn with_worth(self, worth: EffectiveSampleSize) -> Self {
        Self { worth, ..self }
    }

    /// Of a function between those of this and another one learnt from the same scores, at a share of the way.
    fn towards(&self, other: &Self, share: f64) -> Self {
        let of = |here: PerClass<f64>, there: PerClass<f64>| PerClass {
            positive: here.positive + share * (there.positive - here.positive),
            negative: here.negative + share * (there.negative - here.negative),
        };
        let third = PerClass {
            positive: self.third.positive.towards(&other.third.positive, share),
            negative: self.third.negative.towards(&other.third.negative, share),
        };
        Self { test: of(self.test, other.test), training: of(self.training, other.training), third, ..*self }
    }

    /// Between those nearest to α of several at rising prevalences.
    pub(crate) fn between(several: &[(f64, Self)], alpha: f64) -> Self {
        let after = several.partition_point(|(at, _)| *at < alpha).clamp(1, several.len() - 1);
        let [(from, below), (to, above)] = [&several[after - 1], &several[after]];
        below.towards(above, ((alpha - from) / (to - from)).clamp(0.0, 1.0))
    }

    /// What n test scores leave uncertain, their classes being given: [α t₊ + (1−α) t₋]/n.
    pub fn sampling(&self, alpha: f64, n: f64) -> f64 {
        (alpha * self.test.positive + (1.0 - alpha) * self.test.negative) / n
    }

    /// What the labelled scores leave uncertain: α² w₊/n₊ + (1−α)² w₋/n₋ + 2α(1−α) w₊₋/√(n₊n₋).
    pub fn learning(&self, alpha: f64) -> f64 {
        let (Self { training, .. }, sizes) = (self, self.sizes());
        alpha * alpha * training.positive / sizes.positive
            + (1.0 - alpha).powi(2) * training.negative / sizes.negative
            + 2.0 * alpha * (1.0 - alpha) * self.covariance()
    }

    /// The covariance of what is learnt of the two classes: w₊₋/√(n₊n₋).
    pub(crate) fn covariance(&self) -> f64 {
        let PerClass { positive, negative } = self.sizes();
        self.worth.covariance / (positive * negative).sqrt()
    }

    /// What V was learnt as, for n test scores; none where nothing was learnt.
    pub(super) fn basis(&self, n: f64) -> Option<Basis> {
        self.labelled.map(|labelled| Basis { precision: *self, labelled, n })
    }

    /// The same learnt from other numbers of labelled scores, none for unlimited ones; what is known stays known.
    pub(super) fn learnt_from(&self, labelled: Option<PerClass<u64>>) -> Self {
        Self { labelled: self.labelled.and(labelled), ..*self }
    }

    /// w±/n±: what learning leaves uncertain of each class mean.
    pub(crate) fn training_each(&self) -> PerClass<f64> {
        let sizes = self.sizes();
        PerClass {
            positive: self.training.positive / sizes.positive,
            negative: self.training.negative / sizes.negative,
        }
    }

    /// n±, as numbers to divide by.
    pub(super) fn sizes(&self) -> PerClass<f64> {
        let known = PerClass { positive: AS_GOOD_AS_KNOWN, negative: AS_GOOD_AS_KNOWN };
        self.labelled.map_or(known, |labelled| labelled.map(|n| *n as f64))
    }
}

/// Where the function is taken by which an estimate judges α, if there is another for every prevalence: no nearer to 0 or 1 than the
/// estimate.
pub(crate) fn judge(alpha: f64, estimate: f64) -> f64 {
    let rest = 1.0 - estimate;
    alpha.clamp(estimate.min(rest), estimate.max(rest))
}

/// What a variance was learnt as: for so many test scores, from so many labelled ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis {
    pub(super) precision: Precision,
    pub(super) labelled: PerClass<u64>,
    pub(super) n: f64,
}

impl Basis {
    /// What the labelled scores cannot have shown: a sample without errors does not make a classifier without errors. Half an
    /// error in n± labelled scores has the variance ½/n± in units of (E₊g − E₋g)², as an error rate has that Jeffreys' prior puts
    /// at (0 + ½)/n±; where the classes overlap that is next to nothing. Of weighted scores n± is their effective number.
    pub(super) fn unseen(&self) -> Quadratic {
        self.half(|each, labelled| (each / self.n, each / labelled))
    }

    /// The part of it that is of the test scores.
    pub(super) fn unseen_of_test(&self) -> Quadratic {
        self.half(|each, _| (each / self.n, 0.0))
    }

    /// The part of it that is of the class means.
    pub(super) fn unseen_of_means(&self) -> PerClass<f64> {
        self.precision.worth.effective(&self.labelled).map(|labelled| 0.5 / labelled / labelled)
    }

    fn half(&self, parts: impl Fn(f64, f64) -> (f64, f64)) -> Quadratic {
        let effective = self.precision.worth.effective(&self.labelled);
        let of = effective.map(|labelled| parts(0.5 / labelled, *labelled));
        let PerClass { positive, negative } = Quadratic::from_classes(&of, 0.0);
        positive.plus(&negative)
    }

    /// The degrees of freedom with which the mean of the class is known that is known less.
    pub(super) fn least_freedom(&self) -> f64 {
        let PerClass { positive, negative } = self.precision.worth.units(&self.labelled);
        (positive.min(negative) - 1.0).max(1.0)
    }

    /// The degrees of freedom of a variance to which each class contributes so much, after Satterthwaite (1946):
    /// V²/(V₊²/(n₊−1) + V₋²/(n₋−1)). For weighted scores n± is their effective number, for clustered ones the clusters that hold the
    /// class; and clusters that may hold both leave no more than one less than all of them.
    pub(super) fn freedom(&self, classes: &PerClass<f64>, variance: f64) -> f64 {
        let worth = &self.precision.worth;
        let units = worth.units(&self.labelled);
        let part = |of: f64, units: f64| of.powi(2) / (units - 1.0).max(1.0);
        let parts = part(classes.positive, units.positive) + part(classes.negative, units.negative);
        let freedom = variance.powi(2) / parts;
        // Never below the smaller one, but for rounding.
        let most = worth.clusters(&self.labelled).map_or(f64::INFINITY, |clusters| clusters - 1.0);
        if freedom.is_nan() { most } else { freedom.min(most).max(1.0) }
    }
}

/// The expectations of one class, in units of (E₊g − E₋g)³.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ThirdMoments {
    /// E(g − Eg)³.
    pub(crate) whole: f64,
    /// Eh³.
    pub(crate) learnt: f64,
    /// E((g − Eg)² h).
    pub(crate) of_test: f64,
    /// E(h²(2(g − Eg) − h)).
    pub(crate) of_training: f64,
}

impl ThirdMoments {
    /// Of a class that is its labelled scores: h is all of g − Eg.
    pub(crate) fn empirical(third: f64) -> Self {
        Self { whole: third, learnt: third, of_test: third, of_training: third }
    }

    /// Between these and others, at a share of the way.
    pub(crate) fn towards(&self, other: &Self, share: f64) -> Self {
        let of = |here: f64, there: f64| here + share * (there - here);
        Self {
            whole: of(self.whole, other.whole),
            learnt: of(self.learnt, other.learnt),
            of_test: of(self.of_test, other.of_test),
            of_training: of(self.of_training, other.of_training),
        }
    }

    pub(crate) fn times(&self, factor: f64) -> Self {
        let Self { whole, learnt, of_test, of_training } = self;
        Self {
            whole: whole * factor,
            learnt: learnt * factor,
            of_test: of_test * factor,
            of_training: of_training * factor,
        }
    }
}

/// The design of a labelled sample in numbers that stay when more are labelled in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EffectiveSampleSize {
    /// The effective number of scores, (Σw)²/Σw², over their number.
    pub(crate) effective: PerClass<f64>,
    /// Units drawn over scores: clusters that hold the class, or without clusters the effective number. The degrees of freedom are one less.
    pub(crate) units: PerClass<f64>,
    /// Clusters over all scores of both classes, if scores are in clusters.
    pub(crate) clusters: Option<f64>,
    /// The covariance of what is learnt of the two class means, times √(n₊n₋).
    pub(crate) covariance: f64,
}

impl EffectiveSampleSize {
    /// Of scores that are drawn one by one and weigh alike.
    pub(crate) const PLAIN: Self = {
        let one = PerClass { positive: 1.0, negative: 1.0 };
        Self { effective: one, units: one, clusters: None, covariance: 0.0 }
    };

    /// What n± scores are worth.
    pub(crate) fn effective(&self, labelled: &PerClass<u64>) -> PerClass<f64> {
        times(&self.effective, labelled)
    }

    /// The units among n± scores.
    pub(crate) fn units(&self, labelled: &PerClass<u64>) -> PerClass<f64> {
        times(&self.units, labelled)
    }

    /// The clusters of n± scores, if they are in clusters.
    pub(crate) fn clusters(&self, labelled: &PerClass<u64>) -> Option<f64> {
        self.clusters.map(|each| each * (labelled.positive + labelled.negative) as f64)
    }
}

fn times(share: &PerClass<f64>, labelled: &PerClass<u64>) -> PerClass<f64> {
    PerClass {
        positive: share.positive * labelled.positive as f64,
        negative: share.negative * labelled.negative as f64,
    }
}
