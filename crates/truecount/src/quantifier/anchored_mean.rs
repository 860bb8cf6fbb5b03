//! A function of the score whose mean over test scores becomes an estimate.

use super::anchored::LinearEstimator;
use crate::tally::InfluenceFunction;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

/// An influence function with its rates.
#[derive(Clone, Debug)]
pub(crate) struct AnchoredMean {
    /// The prevalence that it is best for; of a single function it does not matter.
    best_at: f64,
    influence: InfluenceFunction,
    rates: MeanRates,
}

#[derive(Clone, Debug)]
enum MeanRates {
    Made(LinearEstimator),
    /// Made when first asked for: of several functions an estimate asks for one or two.
    Later(Arc<dyn MakeRates>, OnceLock<LinearEstimator>),
}

/// What makes the rates of any influence function.
pub(super) trait MakeRates: Debug + Send + Sync {
    /// The rates of the function that is best at the prevalence alpha.
    fn rates(&self, alpha: f64, influence: &InfluenceFunction) -> LinearEstimator;
}

impl AnchoredMean {
    pub(super) fn new(best_at: f64, influence: InfluenceFunction, anchored: LinearEstimator) -> Self {
        Self { best_at, influence, rates: MeanRates::Made(anchored) }
    }

    /// With rates that are made when they are asked for.
    pub(super) fn later(best_at: f64, influence: InfluenceFunction, maker: Arc<dyn MakeRates>) -> Self {
        Self { best_at, influence, rates: MeanRates::Later(maker, OnceLock::new()) }
    }

    pub(crate) fn best_at(&self) -> f64 {
        self.best_at
    }

    pub(crate) fn influence(&self) -> &InfluenceFunction {
        &self.influence
    }

    /// Where its rates come from, with what is known of their uncertainty.
    pub(crate) fn anchored(&self) -> &LinearEstimator {
        match &self.rates {
            MeanRates::Made(anchored) => anchored,
            MeanRates::Later(maker, made) => made.get_or_init(|| maker.rates(self.best_at, &self.influence)),
        }
    }

    /// The place of the one that is best nearest to a prevalence, the first of equals; none of none.
    pub(super) fn place(means: &[Self], alpha: f64) -> Option<usize> {
        let distance = |place: &usize| (means[*place].best_at - alpha).abs();
        (0..means.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The one that is best nearest to a prevalence.
    pub(super) fn nearest(means: &[Self], alpha: f64) -> Option<&Self> {
        Self::place(means, alpha).map(|place| &means[place])
    }
}
