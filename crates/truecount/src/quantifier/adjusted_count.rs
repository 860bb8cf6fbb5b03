//! Adjusted Count (Forman 2005; Kuha & Skinner 1997): α̂ = (CC − p⁻)/(p⁺ − p⁻), with the rates p⁺, p⁻ of the labelled
//! sample at the cutoff.
//!
//! V = [α p⁺(1−p⁺) + (1−α) p⁻(1−p⁻)] / (n (p⁺ − p⁻)²) (Kloos et al., §2).

use super::influence::Influence;
use super::linear::{Anchor, Linear};
use crate::Error;
use crate::model::Cutoff;

pub(super) fn fit(cutoff: &Cutoff) -> Result<Linear, Error> {
    let (positive, negative) = (cutoff.true_positive_rate(), cutoff.false_positive_rate());
    if positive <= negative {
        return Err(Error::NoSeparationAtCutoff { cutoff: cutoff.score(), positive, negative });
    }
    Ok(Linear::new(Influence::Step { cut: cutoff.score() }, Anchor::ClassMeans, cutoff.moments()))
}
