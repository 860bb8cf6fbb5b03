//! What a reader of an estimate must know; each says why and what it means.

use std::fmt;

/// A reason to read an estimate with care.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The estimator, which is not bounded, fell outside [0, 1].
    OutsideUnitInterval {
        /// Its value.
        raw: f64,
    },
    /// One test score cannot tell a prevalence.
    SingleScore,
    /// Every test score lies outside R.
    NoneInRegion,
    /// Every test score has the same influence, as when all are equal.
    NoSpread,
    /// The labelled sample has no error at the cutoff, so the formula gives a standard error of 0.
    PerfectTraining,
    /// max J is within three of its own standard errors of 0.
    WeakSeparation {
        /// The fitted maximum of J.
        max_j: f64,
        /// Its standard error.
        noise: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::OutsideUnitInterval { raw } => {
                write!(f, "the estimate {raw:.4} lies outside [0, 1] and is reported as {}", raw.clamp(0.0, 1.0))
            }
            Self::SingleScore => write!(f, "a single test score says next to nothing about a prevalence"),
            Self::NoneInRegion => {
                write!(f, "no test score lies inside the region, so only their number on either side counts")
            }
            Self::NoSpread => {
                write!(f, "all test scores have the same influence: the estimate is exact but carries no information")
            }
            Self::PerfectTraining => write!(
                f,
                "no labelled score is on the wrong side of the cutoff, so the formula's standard error is 0; \
                 label more data to learn the true error rates"
            ),
            Self::WeakSeparation { max_j, noise } => write!(
                f,
                "the labelled scores hardly separate the classes: max J = {max_j:.3} with a standard error of \
                 {noise:.3}; expect wide intervals, and label more data"
            ),
        }
    }
}
