//! Labelled scores: the small sample from which everything is learnt.

use crate::Error;
use std::fmt;

/// One of the two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// What is counted.
    Positive,
    /// The rest.
    Negative,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        })
    }
}

/// Finite scores of both classes, higher meaning more positive.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledScores {
    positive: Vec<f64>,
    negative: Vec<f64>,
}

impl LabelledScores {
    /// From scores and, in the same order, whether each belongs to a positive.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::NotFinite`] for a NaN or infinite score; [`Error::MissingClass`] when a class
    /// has no score; [`Error::Inverted`] when positives score lower on the whole (by their mean).
    pub fn new(scores: &[f64], positive: &[bool]) -> Result<Self, Error> {
        if scores.len() != positive.len() {
            return Err(Error::LengthMismatch { scores: scores.len(), labels: positive.len() });
        }
        if scores.iter().any(|s| !s.is_finite()) {
            return Err(Error::first_not_finite(scores));
        }
        let of = |class: bool| scores.iter().zip(positive).filter(|(_, p)| **p == class).map(|(s, _)| *s).collect();
        let (positive, negative): (Vec<f64>, Vec<f64>) = (of(true), of(false));
        if positive.is_empty() || negative.is_empty() {
            return Err(Error::MissingClass { positive: positive.len(), negative: negative.len() });
        }
        let mean = |s: &[f64]| s.iter().map(|x| x / s.len() as f64).sum::<f64>();
        let (mean_positive, mean_negative) = (mean(&positive), mean(&negative));
        if mean_positive < mean_negative {
            return Err(Error::Inverted { positive: mean_positive, negative: mean_negative });
        }
        Ok(Self { positive, negative })
    }

    /// The positives' scores, in their order.
    pub fn positive(&self) -> &[f64] {
        &self.positive
    }

    /// The negatives' scores, in their order.
    pub fn negative(&self) -> &[f64] {
        &self.negative
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_classes_apart_and_in_order() {
        let train = LabelledScores::new(&[3.0, 0.0, 2.0, 1.0], &[true, false, true, false]).unwrap();
        assert_eq!((train.positive(), train.negative()), ([3.0, 2.0].as_slice(), [0.0, 1.0].as_slice()));
    }

    #[test]
    fn refuses_what_cannot_be_learnt_from() {
        let error = |scores: &[f64], labels: &[bool]| LabelledScores::new(scores, labels).unwrap_err();
        assert_eq!(error(&[1.0], &[]), Error::LengthMismatch { scores: 1, labels: 0 });
        assert!(matches!(error(&[1.0, f64::NAN], &[true, false]), Error::NotFinite { index: 1, .. }));
        assert_eq!(error(&[1.0, 2.0], &[true, true]), Error::MissingClass { positive: 2, negative: 0 });
        assert_eq!(error(&[1.0, 2.0], &[true, false]), Error::Inverted { positive: 1.0, negative: 2.0 });
    }
}
