//! Adjusted Count (Forman 2005; Kuha & Skinner 1997): α̂ = (CC − p⁻)/(p⁺ − p⁻), with the rates p⁺, p⁻ of the labelled
//! sample at the cutoff; its probabilistic form (Bella et al. 2010), with means of the posterior probabilities in the place of
//! rates; and Sample Mean Matching (Hassan, Maletzke & Batista 2020), with means of the scores.

use super::anchored::Anchored;
use super::influence::Influence;
use super::linear::Linear;
use crate::Error;
use crate::training::{Column, Training};

/// `ac`, and `t50`, `max` and `x` with cuts of their own.
pub(super) fn crisp(training: &Training, cut: f64) -> Result<Linear, Error> {
    let linear = fit(training, Column::Score, Influence::Step { cut })?;
    let means = linear.moments().map(|m| m.mean);
    if means.positive <= means.negative {
        return Err(Error::NoSeparationAtCutoff { cutoff: cut, positive: means.positive, negative: means.negative });
    }
    Ok(linear)
}

/// `pacc`.
pub(super) fn probabilistic(training: &Training) -> Result<Linear, Error> {
    separated("probabilities", fit(training, Column::Posterior, Influence::Itself)?)
}

/// `smm`.
pub(super) fn of_scores(training: &Training) -> Result<Linear, Error> {
    separated("scores", fit(training, Column::Transformed, Influence::Itself)?)
}

fn fit(training: &Training, column: Column, influence: Influence) -> Result<Linear, Error> {
    let anchored = Anchored::in_sample(&influence, training.column(column)?)?;
    Ok(Linear::new(column, influence, anchored))
}

fn separated(what: &'static str, linear: Linear) -> Result<Linear, Error> {
    let means = linear.moments().map(|m| m.mean);
    if means.positive > means.negative {
        Ok(linear)
    } else {
        Err(Error::NoSeparationInMean { what, positive: means.positive, negative: means.negative })
    }
}
