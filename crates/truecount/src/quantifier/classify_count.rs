//! Classify & Count (Forman 2005), the share of test scores at or above the cutoff, and its probabilistic form (Bella et al.
//! 2010), the mean of the posterior probabilities.
//!
//! Biased unless the classifier makes no errors. For Classify & Count V = [α p⁺(1−p⁺) + (1−α) p⁻(1−p⁻)]/n (Kloos et al.,
//! §2), the spread about its own, biased expectation.

use super::Method;
use super::anchored::Anchored;
use super::linear::Linear;
use super::method::{FamilyUse, Keeps, MethodRow, RatesFrom, VarianceFrom};
use crate::Error;
use crate::tally::Influence;
use crate::training::{Reads, Training};
use std::sync::Arc;

impl Method {
    /// Classify & Count, `cc`: the share of scores at or above the cutoff.
    pub const CC: Self = Self::of(&CC);
    /// Probabilistic Classify & Count, `pcc`: the mean posterior probability.
    pub const PCC: Self = Self::of(&MethodRow {
        name: "pcc",
        summary: "Probabilistic Classify & Count: mean posterior, uncorrected",
        reads: Reads::Posterior,
        family: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(fit(training, Reads::Posterior, Influence::ITSELF)?)),
        ..CC
    });
}

const CC: MethodRow = MethodRow {
    name: "cc",
    aliases: &[],
    summary: "Classify & Count, uncorrected",
    reads: Reads::Score,
    keeps: Keeps::Mean,
    family: FamilyUse::Nothing,
    rates: RatesFrom::Labels,
    in_model: None,
    takes_design: true,
    variance: VarianceFrom::BiasedFormula,
    fit: |training, options| Ok(Arc::new(fit(training, Reads::Score, Influence::Step { cut: options.cutoff })?)),
    known: None,
};

fn fit(training: &Training, reads: Reads, influence: Influence) -> Result<Linear, Error> {
    let anchored = Anchored::uncorrected(&influence, training, reads)?;
    Ok(Linear::new(influence, anchored))
}
