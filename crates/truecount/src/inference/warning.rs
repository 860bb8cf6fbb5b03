//! What a reader of an estimate must know; each says why and what it means.

use crate::Class;
use crate::check::Excess;
use crate::numeric::gauss;
use std::fmt;

/// Labelled scores of a class below which a warning says that the fit itself is uncertain.
pub(crate) const FEW_LABELLED: u64 = 10;

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
    /// The formula gives a standard error of 0 or next to it, because it sees no spread within the classes.
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
    /// The labelled scores have few different values, which are taken for a sample of a continuous distribution.
    FewValues {
        /// How many.
        values: usize,
    },
    /// The classes' difference, max J or that of the rates of a count, is within three of its standard errors of 0, where the
    /// linear theory of the standard error fails.
    WeakSeparation {
        /// The difference.
        difference: f64,
        /// Its standard error.
        noise: f64,
    },
    /// The test scores are no mixture of the labelled classes: more than the prevalence has changed.
    NoMixture {
        /// The probability of scores as far from a mixture as these, if they were one.
        p_value: f64,
        /// Where they are too many.
        worst: Excess,
    },
    /// Some rows have no score, and count for nothing.
    MissingScores {
        /// How many.
        n: u64,
    },
    /// Some bootstrap resamples allow no estimate.
    LostReplicates {
        /// How many.
        lost: usize,
        /// Of so many.
        of: usize,
        /// Whether they are too many for a standard error and an interval.
        withheld: bool,
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
                    write!(f, "the estimate {} lies outside [0, 1] and is reported as {kept}", Short(*raw))?;
                }
                if let Some(distance) = distance.filter(|distance| *distance > 3.0) {
                    let distance = Short(distance);
                    write!(
                        f,
                        ", {distance} standard errors away: these scores are not of the kind that was labelled, and the \
                         interval is not to be trusted"
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
                "there is next to no spread within the classes, and so a standard error of 0, which is not the truth: label \
                 more data to learn the error rates"
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
                "a class has only {n} labelled score{}: what was learnt from them is more uncertain than any standard error \
                 can tell",
                if *n == 1 { "" } else { "s" }
            ),
            Self::FewValues { values } => write!(
                f,
                "the labelled scores have only {values} different values, which no fitted distribution has: rates taken from one may \
                 be far off; take them from the labelled scores (--anchor sample, or a method such as es, ac or pacc)"
            ),
            Self::WeakSeparation { difference, noise } => write!(
                f,
                "what was learnt hardly tells the classes apart: a difference of {difference:.3} with a standard error of \
                 {noise:.3}, none at all with a probability of {}; a standard error is too small here, an interval is wide; \
                 label more data",
                Short(gauss::tails(difference / noise).1)
            ),
            Self::NoMixture { p_value, worst } => write!(
                f,
                "the test scores are no mixture of the labelled classes ({}; too many: {worst}): more than the prevalence has changed; see \
                 `truecount check`",
                if *p_value < 1e-6 { "p < 1e-6".to_owned() } else { format!("p = {p_value:.0e}") }
            ),
            Self::MissingScores { n: 1 } => write!(f, "1 row has no score and is not counted"),
            Self::MissingScores { n } => write!(f, "{n} rows have no score and are not counted"),
            Self::LostReplicates { lost, of, withheld } => write!(
                f,
                "{lost} of {of} resamples allow no estimate, {}",
                if *withheld {
                    "too many for a standard error and an interval: label more data"
                } else {
                    "and the standard error and interval are those of the others"
                }
            ),
        }
    }
}

/// Four decimals, or an exponent where the number is large.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.abs() < 1e4 { write!(f, "{:.4}", self.0) } else { write!(f, "{:.1e}", self.0) }
    }
}
