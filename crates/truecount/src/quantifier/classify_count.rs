//! Classify & Count (Forman 2005): the share of test scores at or above the cutoff.
//!
//! Biased unless the classifier makes no errors. V = [α p⁺(1−p⁺) + (1−α) p⁻(1−p⁻)]/n (Kloos et al., §2), the spread
//! about its own, biased expectation.

use super::influence::Influence;
use super::linear::{Anchor, Linear};
use crate::model::Cutoff;

pub(super) fn fit(cutoff: &Cutoff) -> Linear {
    Linear::new(Influence::Step { cut: cutoff.score() }, Anchor::ZeroAndOne, cutoff.moments())
}
