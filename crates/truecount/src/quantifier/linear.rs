//! Every quantifier that is the mean of one influence function: the sweeps, the counts, the means of posteriors.

use super::anchored::{Anchored, Rated};
use super::{Finding, Quantify};
use crate::inference::{Estimate, Precision, Reporting, Warning};
use crate::sweep::ClassMoments;
use crate::tally::{Influence, Moments, Sampled, State};
use crate::training::Column;
use crate::{Error, PerClass};

/// A fitted linear quantifier.
#[derive(Clone, Debug)]
pub struct Linear {
    column: Column,
    influence: Influence,
    anchored: Anchored,
}

impl Linear {
    pub(super) fn new(column: Column, influence: Influence, anchored: Anchored) -> Self {
        Self { column, influence, anchored }
    }

    /// The value a score adds: g(s). For the sweeps 0 on the far left and non-decreasing.
    pub fn influence(&self, score: f64) -> f64 {
        self.influence.value(score)
    }

    /// Mean and variance of g in both classes.
    pub fn moments(&self) -> &PerClass<ClassMoments> {
        self.anchored.moments()
    }

    /// The prevalence among these scores, with standard error and interval.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or infinite score, [`Error::NoTestScores`] for none.
    pub fn estimate(&self, scores: &[f64], reporting: &Reporting) -> Result<Estimate, Error> {
        let mut state = self.empty();
        self.push(&mut state, scores)?;
        super::finish(self, &state, &[], None, reporting)
    }

    /// The distance of the class means of g over the labelled scores, and its standard error; none if it is not used.
    pub(super) fn separated(&self) -> Option<(f64, f64)> {
        self.anchored.separated()
    }

    fn warnings(&self, sampled: &Sampled) -> Vec<Warning> {
        let Sampled { total: n, sum, sum_squares: squares, .. } = *sampled;
        match self.influence {
            Influence::Step { .. } => Vec::new(),
            // Σ g (g(∞) − g) is 0 only if every score lies beyond an end of R.
            Influence::Smooth(_)
                if self.influence.largest() * sum - squares <= 1e-12 * n * self.influence.largest().powi(2) =>
            {
                vec![Warning::NoneInRegion]
            }
            // No more than the rounding of a block of 32: scores of one class may well be all but equal here.
            _ if squares - sum * sum / n <= 64.0 * f64::EPSILON * squares => vec![Warning::NoSpread],
            _ => Vec::new(),
        }
    }
}

impl Quantify for Linear {
    fn column(&self) -> Column {
        self.column
    }

    fn empty(&self) -> State {
        State::Moments(Moments::default())
    }

    fn push(&self, state: &mut State, values: &[f64]) -> Result<(), Error> {
        let State::Moments(moments) = state else { unreachable!("a tally of this quantifier") };
        self.influence.push(moments, values)
    }

    fn find(&self, state: &State) -> Finding {
        let sampled = state.sampled(0);
        let mut finding = self.anchored.finding(&sampled);
        if state.n() > 1 {
            finding.warnings = self.warnings(&sampled);
        }
        finding
    }

    fn influences(&self) -> Vec<&Influence> {
        vec![&self.influence]
    }

    fn rated_means(&self) -> Vec<(f64, Rated)> {
        vec![(0.5, self.anchored.rated())]
    }

    fn variance_of(&self) -> Option<&'static str> {
        Some(self.anchored.variance_of())
    }

    fn precision(&self, _: f64) -> Option<Precision> {
        self.anchored.precision()
    }

    fn learnt(&self) -> Vec<(&'static str, f64)> {
        let means = self.moments().map(|m| m.mean);
        match self.influence {
            Influence::Step { cut } => {
                vec![("cutoff", cut), ("true_positive_rate", means.positive), ("false_positive_rate", means.negative)]
            }
            Influence::Line { origin, unit } => {
                vec![
                    ("mean_positive", origin + unit * means.positive),
                    ("mean_negative", origin + unit * means.negative),
                ]
            }
            Influence::Smooth(_) | Influence::MixtureScore { .. } => {
                vec![("mean_positive", means.positive), ("mean_negative", means.negative)]
            }
        }
    }
}
