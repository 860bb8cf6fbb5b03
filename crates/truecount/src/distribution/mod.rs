//! Score distributions: models of a class's scores, and how they are fitted.
//!
//! One file per family. A family is anything that gives both tails of its distribution accurately; everything the sweep
//! needs follows from those.

mod beta;
mod cross_validation;
mod empirical;
mod kernel;
mod logistic;
mod normal;
mod skew_normal;
mod student_t;

pub use beta::Beta;
pub(crate) use cross_validation::{ScoreFolds, ranking};
pub(crate) use empirical::Empirical;
pub use kernel::Kernel;
pub use logistic::Logistic;
pub(crate) use logistic::logit;
pub use normal::Normal;
pub use skew_normal::SkewNormal;
pub use student_t::StudentT;

use crate::choice::choice;
use crate::random::RandomBits;
use crate::{Class, Error, Problem};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// The largest location and scale of scores, and the inverse of the smallest scale: squares neither over- nor
/// underflow.
const LARGEST: f64 = 1e150;

/// The largest probability beyond an outer landmark where it matters: it is a millionth of the smallest threshold,
/// 1e-6.
const NEGLIGIBLE: f64 = 1e-12;

/// Refuses a location or scale (each given with its name) whose square a double cannot hold.
fn in_scale(location: (&'static str, f64), scale: (&'static str, f64)) -> Result<(), Error> {
    if location.1.is_nan() || location.1.abs() > LARGEST {
        return Err(
            Problem::Parameter { name: location.0, value: location.1, domain: "between -1e150 and 1e150" }.into()
        );
    }
    if (LARGEST.recip()..=LARGEST).contains(&scale.1) {
        Ok(())
    } else {
        Err(Problem::Parameter { name: scale.0, value: scale.1, domain: "between 1e-150 and 1e150" }.into())
    }
}

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

    /// Points, in ascending order, close enough together that the density is smooth between neighbours, and negligible
    /// beyond the outer ones. Integrals and searches are split there.
    fn landmarks(&self) -> Vec<f64>;

    /// One random score.
    fn sample(&self, bits: &mut dyn RandomBits) -> f64;

    /// A basis of the tangent space of the family here: functions of x whose span, with the constants, is that of the
    /// derivatives of ln f by the fitted parameters; 0 where there are fewer parameters. `None` if any distribution
    /// could have been fitted.
    fn tangents(&self, x: f64) -> Option<[f64; 3]>;

    /// If the fit ran to a limit of its family, that limit's name.
    fn limit(&self) -> Option<&'static str> {
        None
    }

    /// The open interval outside which no score can lie: the whole line unless the family says otherwise.
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// Declares the families: of each its type, whose name is the family's, the name users give it, and what it is for.
macro_rules! families {
    ($($(#[$about:meta])* $family:ident, $name:literal, $summary:literal;)+) => {
        /// The families, by the name users give them.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Family {
            $($(#[$about])* $family,)+
            /// For each class, the family with the largest held-out log-likelihood (six folds).
            Auto,
        }

        impl Family {
            /// Every family: name, family, what it is for.
            pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
                $(($name, Self::$family, $summary),)+
                ("auto", Self::Auto, "for each class the family with the largest held-out log-likelihood"),
            ];

            /// Fits the family to one class's scores.
            ///
            /// # Errors
            /// [`Problem::ClassTooSmall`], [`Problem::NoSpread`], [`Problem::OutOfScale`] where the scores cannot determine
            /// the parameters; [`Problem::OutsideSupport`] for a score that the family says cannot occur.
            pub fn fit(self, class: Class, scores: &[f64]) -> Result<ScoreDistribution, Error> {
                match self {
                    $(Self::$family => $family::fit(class, scores).map(ScoreDistribution::$family),)+
                    // If no family can be fitted to the scores, the error is that of the normal.
                    Self::Auto => {
                        ranking(class, scores).first().map_or(Self::Normal, |(best, _)| *best).fit(class, scores)
                    }
                }
            }
        }

        /// A fitted distribution of any family.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "family", rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum ScoreDistribution {
            $(#[doc = concat!("See [`", stringify!($family), "`].")] $family($family),)+
        }

        impl ScoreDistribution {
            /// The family it belongs to.
            pub fn family(&self) -> Family {
                match self {
                    $(Self::$family(_) => Family::$family,)+
                }
            }
        }

        impl Deref for ScoreDistribution {
            type Target = dyn Distribution;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$family(distribution) => distribution,)+
                }
            }
        }

        $(impl From<$family> for ScoreDistribution {
            fn from(distribution: $family) -> Self {
                Self::$family(distribution)
            }
        })+
    };
}

families! {
    /// [`Normal`], fitted by mean and standard deviation (n − 1).
    #[default]
    Normal, "normal", "mean and standard deviation";
    /// [`SkewNormal`], by maximum likelihood.
    SkewNormal, "skew-normal", "a normal with one tail longer than the other";
    /// [`Logistic`], by maximum likelihood.
    Logistic, "logistic", "symmetric, tails a little heavier than the normal's";
    /// [`StudentT`], by maximum likelihood.
    StudentT, "student-t", "symmetric, tails as heavy as need be";
    /// [`Beta`], by maximum likelihood, for scores that are probabilities.
    Beta, "beta", "for scores that are probabilities";
    /// [`Kernel`], with the bandwidth of Silverman's rule.
    Kernel, "kernel", "Gaussian kernel density: any shape";
}

choice!(Family, "family");

impl Family {
    /// Whether it is for scores strictly between 0 and 1, as they are.
    pub fn is_for_probabilities(self) -> bool {
        self == Self::Beta
    }

    /// Whether it has a shape that can be wrong: a kernel density follows any scores, and so does the best of several families.
    pub fn has_a_shape(self) -> bool {
        !matches!(self, Self::Kernel | Self::Auto)
    }
}
