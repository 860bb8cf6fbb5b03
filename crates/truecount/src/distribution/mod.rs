//! Score distributions: what a class's scores look like, and how they are fitted.
//!
//! One file a family. A family is anything that gives both tails of its distribution accurately; everything the
//! sweep needs follows from those.

mod moments;
mod normal;
mod skew_normal;

pub use normal::Normal;
pub use skew_normal::SkewNormal;

use crate::{Class, Error};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// The largest location and scale of a score, and the inverse of the smallest scale: squares neither over- nor underflow.
const LARGEST: f64 = 1e150;

/// A continuous distribution of scores.
pub trait Distribution {
    /// (P(S < x), P(S ≥ x)), the smaller of the two to full relative accuracy.
    fn tails(&self, x: f64) -> (f64, f64);

    /// Natural logarithm of the density at x; −∞ outside the support.
    fn ln_pdf(&self, x: f64) -> f64;

    /// The score with P(S < x) = p, for 0 < p < 1; accurate for small p.
    fn quantile(&self, p: f64) -> f64;

    /// The score with P(S ≥ x) = q, for 0 < q < 1; accurate for small q.
    fn upper_quantile(&self, q: f64) -> f64;

    /// Points, in ascending order, close enough together that the density is smooth between two of them and
    /// negligible beyond the outer ones. Integrals and searches are broken there.
    fn landmarks(&self) -> Vec<f64>;

    /// One random score.
    fn sample(&self, rng: &mut dyn Rng) -> f64;

    /// The open interval outside which no score can lie: the whole line unless the family says otherwise.
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// The families there are, by the name users give them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// [`Normal`], fitted by mean and standard deviation (n − 1).
    #[default]
    Normal,
    /// [`SkewNormal`], fitted by maximum likelihood.
    SkewNormal,
}

impl Family {
    /// The name on the command line and in model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::SkewNormal => "skew-normal",
        }
    }

    /// Fits the family to one class's scores.
    ///
    /// # Errors
    /// [`Error::ClassTooSmall`], [`Error::NoSpread`], [`Error::OutOfScale`] where the scores cannot determine the parameters.
    pub fn fit(self, class: Class, scores: &[f64]) -> Result<ScoreDistribution, Error> {
        match self {
            Self::Normal => Normal::fit(class, scores).map(ScoreDistribution::Normal),
            Self::SkewNormal => SkewNormal::fit(class, scores).map(ScoreDistribution::SkewNormal),
        }
    }
}

/// A fitted distribution of any family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case")]
pub enum ScoreDistribution {
    /// See [`Normal`].
    Normal(Normal),
    /// See [`SkewNormal`].
    SkewNormal(SkewNormal),
}

impl ScoreDistribution {
    /// The family it belongs to.
    pub fn family(&self) -> Family {
        match self {
            Self::Normal(_) => Family::Normal,
            Self::SkewNormal(_) => Family::SkewNormal,
        }
    }
}

impl From<Normal> for ScoreDistribution {
    fn from(normal: Normal) -> Self {
        Self::Normal(normal)
    }
}

impl From<SkewNormal> for ScoreDistribution {
    fn from(skew_normal: SkewNormal) -> Self {
        Self::SkewNormal(skew_normal)
    }
}

impl Deref for ScoreDistribution {
    type Target = dyn Distribution;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Normal(normal) => normal,
            Self::SkewNormal(skew_normal) => skew_normal,
        }
    }
}
