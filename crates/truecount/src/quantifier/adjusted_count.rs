//! Adjusted Count (Forman 2005; Kuha & Skinner 1997): α̂ = (CC − p⁻)/(p⁺ − p⁻), with the rates p⁺, p⁻ of the labelled
//! sample at the cutoff; its probabilistic form (Bella et al. 2010), with means of the posterior probabilities in the place of
//! rates; and Sample Mean Matching (Hassan, Maletzke & Batista 2020), with means of the scores.

use super::anchored::Anchored;
use super::linear::Linear;
use crate::tally::Influence;
use crate::training::{Column, Training};
use crate::{Error, PerClass};

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
    let linear = fit(training, Column::Posterior, Influence::ITSELF)?;
    let PerClass { positive, negative } = linear.moments().map(|m| m.mean);
    if positive > negative {
        Ok(linear)
    } else {
        Err(Error::NoSeparationInMean { what: "probabilities", positive, negative })
    }
}

/// `smm`.
pub(super) fn of_scores(training: &Training) -> Result<Linear, Error> {
    // From the negatives' mean on, in units of the distance of the means: scores far from 0 keep their digits.
    let labelled = training.column(Column::Transformed)?;
    let mean = labelled.try_map(|_, scores| Ok(Influence::ITSELF.moments(scores)?.mean()))?;
    if mean.positive <= mean.negative {
        return Err(Error::NoSeparationInMean { what: "scores", positive: mean.positive, negative: mean.negative });
    }
    let influence = Influence::Line { origin: mean.negative, unit: mean.positive - mean.negative };
    fit(training, Column::Transformed, influence)
}

fn fit(training: &Training, column: Column, influence: Influence) -> Result<Linear, Error> {
    let anchored = Anchored::in_sample(&influence, training.column(column)?)?;
    Ok(Linear::new(column, influence, anchored))
}
