//! Score distributions: models of a class's scores, and how they are fitted.
//!
//! Each family has a file. A family must compute both tails of its distribution accurately. The
//! sweep derives everything else from the tails.

/// Defines the serialised form of a family, whose parameters are checked when they are read.
macro_rules! serialised_parameters {
    ($family:ident, $parameters:ident { $($parameter:ident),+ }) => {
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $parameters {
            $($parameter: f64),+
        }

        impl TryFrom<$parameters> for $family {
            type Error = crate::Error;

            fn try_from(p: $parameters) -> Result<Self, crate::Error> {
                Self::new($(p.$parameter),+)
            }
        }

        impl From<$family> for $parameters {
            fn from(family: $family) -> Self {
                Self { $($parameter: family.$parameter),+ }
            }
        }
    };
}

mod beta;
mod cross_validation;
mod empirical;
mod kernel;
mod logistic;
mod normal;
mod skew_normal;
mod student_t;

pub use beta::Beta;
pub(crate) use cross_validation::{ScoreFolds, rank_families};
pub(crate) use empirical::Empirical;
pub use kernel::Kernel;
pub use logistic::Logistic;
pub(crate) use logistic::logit;
pub use normal::Normal;
pub use skew_normal::SkewNormal;
pub use student_t::StudentT;
pub(crate) use student_t::upper_tail as student_upper_tail;

use crate::choice::choice;
use crate::random::RandomBits;
use crate::{Class, Error};
use serde::{Deserialize, Serialize};

/// The largest absolute location and the largest scale of scores. Its inverse is the smallest
/// scale. Within these bounds squares neither overflow nor underflow.
const MAX_MAGNITUDE: f64 = 1e150;

/// The tail probability at the outer landmarks of heavy-tailed families: a millionth of the smallest p_Δ, 1e-6.
const OUTER_LANDMARK_TAIL: f64 = 1e-12;

/// Checks that a double can hold the squares of a location and a scale.
///
/// Each argument is a parameter's name and its value.
///
/// # Errors
/// Returns an error if the location is outside [−1e150, 1e150] or the scale is outside [1e-150,
/// 1e150].
fn check_location_and_scale(location: (&'static str, f64), scale: (&'static str, f64)) -> Result<(), Error> {
    Error::unless_in_domain(location.1.abs() <= MAX_MAGNITUDE, location, "between -1e150 and 1e150")?;
    let is_scale = (MAX_MAGNITUDE.recip()..=MAX_MAGNITUDE).contains(&scale.1);
    Error::unless_in_domain(is_scale, scale, "between 1e-150 and 1e150")
}

/// A continuous distribution of scores.
pub trait Distribution {
    /// Returns (P(S < x), P(S ≥ x)), the smaller of the two to full relative accuracy.
    fn tails(&self, x: f64) -> (f64, f64);

    /// Returns the distribution function P(S ≤ x).
    fn cdf(&self, x: f64) -> f64 {
        self.tails(x).0
    }

    /// Returns the survival function P(S > x).
    fn sf(&self, x: f64) -> f64 {
        self.tails(x).1
    }

    /// Returns the natural logarithm of the density at x; −∞ outside the support.
    fn ln_pdf(&self, x: f64) -> f64;

    /// Returns the score x with P(S ≤ x) = p, for 0 < p < 1; accurate for small p.
    fn inverse_cdf(&self, p: f64) -> f64;

    /// Returns the score x with P(S > x) = q, for 0 < q < 1; accurate for small q.
    fn inverse_sf(&self, q: f64) -> f64;

    /// Returns ascending points at which integrals and searches are split.
    ///
    /// The density is smooth between neighbouring points and negligible beyond the outer ones.
    fn landmarks(&self) -> Vec<f64>;

    /// Draws one random score.
    fn sample(&self, bits: &mut dyn RandomBits) -> f64;

    /// Returns a basis of the family's tangent space at this distribution, evaluated at x.
    ///
    /// Together with the constants, the basis functions span the derivatives of ln f with respect
    /// to the fitted parameters. Unused entries are 0. Returns `None` if the family is
    /// nonparametric, so that any distribution could have been fitted.
    fn tangents(&self, x: f64) -> Option<[f64; 3]>;

    /// Returns the name of the family's boundary case if the fit ended there.
    fn boundary(&self) -> Option<&'static str> {
        None
    }

    /// Returns the open interval that contains all possible scores; by default the whole line.
    fn support(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// Declares the families: for each its type, the name that users type, and a summary.
macro_rules! families {
    ($($(#[$about:meta])* $family:ident, $name:literal, $summary:literal;)+) => {
        /// A family of score distributions.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Family {
            $($(#[$about])* $family,)+
            /// The family with the largest held-out log-likelihood in six folds, chosen for each class separately.
            Auto,
        }

        impl Family {
            /// All families: name, family, summary.
            #[doc(hidden)]
            pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
                $(($name, Self::$family, $summary),)+
                ("auto", Self::Auto, "for each class the family with the largest held-out log-likelihood"),
            ];

            /// Fits the family to one class's scores.
            ///
            /// # Errors
            /// Returns [`Problem::ClassTooSmall`](crate::Problem::ClassTooSmall) if the class has too few scores,
            /// [`Problem::ClassVarianceZero`](crate::Problem::ClassVarianceZero) if all scores are equal,
            /// [`Problem::ClassOutOfScale`](crate::Problem::ClassOutOfScale) if a double cannot hold the squares of the
            /// scores or resolve their differences, and
            /// [`Problem::ScoreOutsideSupport`](crate::Problem::ScoreOutsideSupport) if a score lies outside the family's
            /// support.
            pub fn fit(self, class: Class, scores: &[f64]) -> Result<ScoreDistribution, Error> {
                match self {
                    $(Self::$family => $family::fit(class, scores).map(ScoreDistribution::$family),)+
                    // If no family can be fitted, the error is the normal family's.
                    Self::Auto => {
                        rank_families(class, scores).first().map_or(Self::Normal, |(best, _)| *best).fit(class, scores)
                    }
                }
            }
        }

        /// A fitted distribution of any family.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "family", rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum ScoreDistribution {
            $(#[doc = concat!("A [`", stringify!($family), "`] distribution.")] $family($family),)+
        }

        impl ScoreDistribution {
            /// Returns the family of the distribution.
            pub fn family(&self) -> Family {
                match self {
                    $(Self::$family(_) => Family::$family,)+
                }
            }
        }

        impl Distribution for ScoreDistribution {
            fn tails(&self, x: f64) -> (f64, f64) {
                match self { $(Self::$family(distribution) => distribution.tails(x),)+ }
            }

            fn ln_pdf(&self, x: f64) -> f64 {
                match self { $(Self::$family(distribution) => distribution.ln_pdf(x),)+ }
            }

            fn inverse_cdf(&self, p: f64) -> f64 {
                match self { $(Self::$family(distribution) => distribution.inverse_cdf(p),)+ }
            }

            fn inverse_sf(&self, q: f64) -> f64 {
                match self { $(Self::$family(distribution) => distribution.inverse_sf(q),)+ }
            }

            fn landmarks(&self) -> Vec<f64> {
                match self { $(Self::$family(distribution) => distribution.landmarks(),)+ }
            }

            fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
                match self { $(Self::$family(distribution) => distribution.sample(bits),)+ }
            }

            fn tangents(&self, x: f64) -> Option<[f64; 3]> {
                match self { $(Self::$family(distribution) => distribution.tangents(x),)+ }
            }

            fn boundary(&self) -> Option<&'static str> {
                match self { $(Self::$family(distribution) => distribution.boundary(),)+ }
            }

            fn support(&self) -> (f64, f64) {
                match self { $(Self::$family(distribution) => distribution.support(),)+ }
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
    /// [`SkewNormal`], fitted by maximum likelihood.
    SkewNormal, "skew-normal", "a normal with one tail longer than the other";
    /// [`Logistic`], fitted by maximum likelihood.
    Logistic, "logistic", "symmetric, tails a little heavier than the normal's";
    /// [`StudentT`], fitted by maximum likelihood.
    StudentT, "student-t", "symmetric, tails as heavy as needed";
    /// [`Beta`], fitted by maximum likelihood to scores that are probabilities.
    Beta, "beta", "for scores that are probabilities";
    /// [`Kernel`], with the bandwidth of Silverman's rule.
    Kernel, "kernel", "Gaussian kernel density: any shape";
}

choice!(Family, "family");

impl Family {
    /// Returns whether the family requires scores strictly between 0 and 1.
    pub fn requires_probabilities(self) -> bool {
        self == Self::Beta
    }

    /// Returns whether the family is parametric, so that it may fail to fit the scores.
    ///
    /// A kernel density follows any scores, and so does the best of several families.
    pub fn is_parametric(self) -> bool {
        !matches!(self, Self::Kernel | Self::Auto)
    }
}
