//! Classify & Count (Forman 2005), the share of test scores at or above the cutoff, and its probabilistic form (Bella et al.
//! 2010), the mean of the posterior probabilities.
//!
//! Biased unless the classifier makes no errors. For Classify & Count V = [α p⁺(1−p⁺) + (1−α) p⁻(1−p⁻)]/n (Kloos et al.,
//! §2), the spread about its own, biased expectation.

use super::anchored::Anchored;
use super::linear::Linear;
use crate::Error;
use crate::tally::Influence;
use crate::training::{Column, Training};

/// `cc`.
pub(super) fn crisp(training: &Training, cut: f64) -> Result<Linear, Error> {
    fit(training, Column::Score, Influence::Step { cut })
}

/// `pcc`.
pub(super) fn probabilistic(training: &Training) -> Result<Linear, Error> {
    fit(training, Column::Posterior, Influence::ITSELF)
}

fn fit(training: &Training, column: Column, influence: Influence) -> Result<Linear, Error> {
    let anchored = Anchored::uncorrected(&influence, training.column(column)?)?;
    Ok(Linear::new(column, influence, anchored))
}
