//! From the mean of an influence function to a prevalence, with its variance.
//!
//! ```text
//! α̂ = (mean g − a₋)/(a₊ − a₋)
//! V(α) = [(α v₊ + (1−α) v₋)/n + α² v₊/n₊ + (1−α)² v₋/n₋] / (a₊ − a₋)²
//! ```
//!
//! with v± the variances of g in the classes. Anchored in the model, a± and v± are those of the fitted distributions, taken as
//! known: the last two terms are absent. Anchored in the sample they are those of g over the labelled scores, as Adjusted
//! Count has always done: consistent whatever g is, even where the family is wrong.

use super::Finding;
use super::influence::Influence;
use crate::inference::{Quadratic, Variance};
use crate::numeric::sum::Sum;
use crate::sweep::ClassMoments;
use crate::{Error, PerClass};

/// Where the rates of a linear quantifier come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// From the fitted family: efficient where it is right.
    Model,
    /// From the labelled scores themselves: consistent where it is not.
    Sample,
}

impl Anchor {
    /// Both anchors: name, anchor, what it means.
    pub const TABLE: [(&'static str, Self, &'static str); 2] = [
        ("model", Self::Model, "rates of the fitted family: best where the family is right"),
        ("sample", Self::Sample, "rates of the labelled scores: right for any family"),
    ];
}

/// The two rates with what is known of their uncertainty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchored {
    moments: PerClass<ClassMoments>,
    rates: Rates,
}

#[derive(Clone, Copy, Debug)]
enum Rates {
    /// The class means, known.
    Known,
    /// The class means of so many labelled scores.
    Learnt(PerClass<u64>),
    /// 0 and 1, as if g told the classes apart without error; the moments only serve the variance.
    ZeroAndOne,
}

impl Anchored {
    /// At the moments of the fitted distributions.
    pub(super) fn in_model(moments: PerClass<ClassMoments>) -> Self {
        Self { moments, rates: Rates::Known }
    }

    /// At the means of g over the labelled scores.
    ///
    /// # Errors
    /// [`Error::NotFinite`] never happens for labelled scores.
    pub(super) fn in_sample(influence: &Influence, labelled: &PerClass<Vec<f64>>) -> Result<Self, Error> {
        Ok(Self { moments: sample_moments(influence, labelled)?, rates: Rates::Learnt(labelled.sizes()) })
    }

    /// Nowhere: the mean of g is the estimate.
    pub(super) fn uncorrected(influence: &Influence, labelled: &PerClass<Vec<f64>>) -> Result<Self, Error> {
        Ok(Self { moments: sample_moments(influence, labelled)?, rates: Rates::ZeroAndOne })
    }

    /// Mean and variance of g in both classes.
    pub(super) fn moments(&self) -> &PerClass<ClassMoments> {
        &self.moments
    }

    /// a₊ − a₋.
    pub(super) fn distance(&self) -> f64 {
        self.moments.positive.mean - self.moments.negative.mean
    }

    /// a₊ − a₋ and its standard error, if they come from the labelled scores.
    pub(super) fn separated(&self) -> Option<(f64, f64)> {
        let Rates::Learnt(sizes) = self.rates else { return None };
        let PerClass { positive, negative } = self.moments.map(|m| m.variance);
        let square = positive / sizes.positive as f64 + negative / sizes.negative as f64;
        Some((self.distance(), square.sqrt()))
    }

    /// What V(α) holds.
    pub(super) fn variance_of(&self) -> &'static str {
        match self.rates {
            Rates::Known => "test sampling only, the fitted classes taken as known",
            Rates::Learnt(_) => "test and training sampling",
            Rates::ZeroAndOne => "test sampling only, about a biased expectation",
        }
    }

    /// The estimate from the mean of g over n test scores.
    pub(super) fn finding(&self, mean: f64, n: u64) -> Finding {
        let corrected = (mean - self.moments.negative.mean) / self.distance();
        let raw = if let Rates::ZeroAndOne = self.rates { mean } else { corrected };
        let variance = Variance { test: self.variance(corrected, n), drawing: self.drawing(corrected, n) };
        Finding { raw, variance: Some(variance), warnings: Vec::new() }
    }

    fn variance(&self, corrected: f64, n: u64) -> Quadratic {
        let PerClass { positive, negative } = self.moments.map(|m| m.variance);
        let test = Quadratic::new(negative, positive - negative, 0.0).times((n as f64).recip());
        let scale = self.distance().powi(-2);
        match self.rates {
            Rates::Known => test.times(scale),
            Rates::Learnt(sizes) => {
                let (p, m) = (positive / sizes.positive as f64, negative / sizes.negative as f64);
                test.plus(&Quadratic::new(m, -2.0 * m, p + m)).times(scale)
            }
            Rates::ZeroAndOne => Quadratic::new(test.at(held(corrected)), 0.0, 0.0),
        }
    }

    /// What drawing the test scores from their population adds: α(1−α)/n in the prevalence.
    fn drawing(&self, corrected: f64, n: u64) -> Quadratic {
        let drawing = Quadratic::sampling(n);
        match self.rates {
            Rates::Known | Rates::Learnt(_) => drawing,
            Rates::ZeroAndOne => Quadratic::new(drawing.at(held(corrected)) * self.distance().powi(2), 0.0, 0.0),
        }
    }
}

/// An uncorrected quantifier estimates not α but E g, so its variance cannot be a function of its own estimate: it is held at
/// the α that the corrected one would give. Where the classes do not differ any α will do.
fn held(corrected: f64) -> f64 {
    if corrected.is_finite() { corrected.clamp(0.0, 1.0) } else { 0.5 }
}

/// Mean and variance in two passes: where the classes hardly overlap, Σg²/n − mean² would be nothing but rounding.
fn sample_moments(influence: &Influence, labelled: &PerClass<Vec<f64>>) -> Result<PerClass<ClassMoments>, Error> {
    labelled.try_map(|_, scores| {
        let mean = influence.moments(scores)?.mean();
        let squares = scores.iter().map(|s| (influence.value(*s) - mean).powi(2)).collect::<Sum>().value();
        Ok(ClassMoments { mean, variance: squares / scores.len() as f64 })
    })
}
