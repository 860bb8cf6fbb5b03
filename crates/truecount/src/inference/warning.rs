//! What a reader of an estimate must know; each says why and what it means.

use crate::Class;
use std::fmt;

/// A reason to read an estimate with care.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The estimator, which is not bounded, fell outside [0, 1].
    OutsideUnitInterval {
        /// Its value.
        raw: f64,
        /// How many of its standard errors it lies outside, where there is a standard error.
        distance: Option<f64>,
    },
    /// One test score cannot tell a prevalence.
    SingleScore,
    /// Every test score lies outside R.
    NoneInRegion,
    /// Every test score has the same influence, as when all are equal.
    NoSpread,
    /// No test score reaches the threshold; one cut was used instead.
    NoThreshold {
        /// The threshold.
        threshold: f64,
    },
    /// The solver used up its steps.
    NotConverged {
        /// How many.
        steps: u32,
    },
    /// Expectation maximisation stopped by its own rule, but not at the maximum.
    StoppedShort {
        /// After so many steps.
        steps: u32,
        /// Where the maximum is.
        maximum: f64,
    },
    /// The formula gives a standard error of 0, because the labelled scores show no error.
    ZeroStandardError,
    /// The labelled positives are not above the cutoff more often than the negatives.
    UselessCutoff,
    /// The likelihood of a class's scores has its maximum in a limit of the family.
    AtLimit {
        /// The class.
        class: Class,
        /// The limit.
        limit: &'static str,
    },
    /// A class has fewer than ten labelled scores.
    FewLabelled {
        /// The size of the smaller class.
        n: u64,
    },
    /// max J is within three of its own standard errors of 0, so nothing is known: the interval is [0, 1].
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
            Self::OutsideUnitInterval { raw, distance } => {
                let kept = raw.clamp(0.0, 1.0);
                if (raw - kept).abs() < 5e-5 {
                    write!(f, "the estimate lies {:.0e} outside [0, 1] and is reported as {kept}", (raw - kept).abs())?;
                } else {
                    write!(f, "the estimate {raw:.4} lies outside [0, 1] and is reported as {kept}")?;
                }
                if let Some(distance) = distance.filter(|distance| *distance > 3.0) {
                    write!(
                        f,
                        ", {distance:.1} standard errors away: the fitted classes do not describe these scores, \
                         and the interval is not to be trusted"
                    )?;
                }
                Ok(())
            }
            Self::SingleScore => {
                write!(f, "a single test score says next to nothing about a prevalence")
            }
            Self::NoneInRegion => {
                write!(f, "no test score lies inside the region, so only their number on either side counts")
            }
            Self::NoSpread => {
                write!(f, "all test scores have the same influence: they carry no information, whatever the interval")
            }
            Self::NoThreshold { threshold } => write!(
                f,
                "at no test score do the labelled rates differ by {threshold:.4} or more; Adjusted Count where they differ \
                 most was used instead"
            ),
            Self::NotConverged { steps } => {
                write!(f, "the solver stopped after {steps} steps without having converged")
            }
            Self::StoppedShort { steps, maximum } => write!(
                f,
                "stopped after {steps} steps by its rule, but the maximum of the likelihood is at {maximum:.4} (method ml)"
            ),
            Self::ZeroStandardError => write!(
                f,
                "the formula's standard error is 0 because the labelled scores show no error here; \
                 label more data to learn the true error rates"
            ),
            Self::UselessCutoff => write!(
                f,
                "labelled positives are not above the cutoff more often than negatives; choose a cutoff between the classes"
            ),
            Self::AtLimit { class, limit } => write!(
                f,
                "the {class} class is fitted best by the {limit} limit of its family: the scores end abruptly, or are too few"
            ),
            Self::FewLabelled { n } => write!(
                f,
                "a class has only {n} labelled scores: what was fitted to them is itself uncertain, and the standard \
                 error does not show it"
            ),
            Self::WeakSeparation { max_j, noise } => write!(
                f,
                "the labelled scores hardly separate the classes: max J = {max_j:.3} with a standard error of \
                 {noise:.3}; the interval is all of [0, 1], label more data"
            ),
        }
    }
}
