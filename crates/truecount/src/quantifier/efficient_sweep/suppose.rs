//! What if some items of a class score otherwise than the labelled ones do? No test of the scores can tell a shift that looks like another
//! prevalence, but how far it moves the estimate is bounded: if a share ε of class c lies in bin b of the score, by
//!
//! ```text
//! ε α_c (ψ_b − E_cψ)/(E₊ψ − E₋ψ)
//! ```
//!
//! with α_c the share of the class. ψ is bounded, so that the worst bins on both sides bound any such change.

use super::BinnedSweep;
use crate::tally::InfluenceFunction;
use crate::{Class, Error, PerClass, Problem};

/// By how much an estimate moves if a share of one class scores otherwise. All of it in shares of the test scores.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Supposed {
    /// Of which class.
    pub class: Class,
    /// How much of the class.
    pub share: f64,
    /// The most that the estimate falls by, at most 0.
    pub down: f64,
    /// The most that it rises by.
    pub up: f64,
    /// What is typical: the root mean square if they score as the test scores do, whatever their class.
    pub typical: f64,
}

impl BinnedSweep {
    /// By how much an estimate of alpha, from test scores of which so many lie in each bin, moves if a share of one class scores otherwise.
    ///
    /// # Errors
    /// [`Problem::Parameter`] for a share outside [0, 1]; [`Problem::NoTestScores`]; [`Problem::OtherTally`] for the counts of other bins.
    pub fn suppose(&self, share: f64, alpha: f64, counts: &[u64]) -> Result<PerClass<Supposed>, Error> {
        if !(0.0..=1.0).contains(&share) {
            return Err(Problem::Parameter {
                name: "the share that scores otherwise",
                value: share,
                domain: "between 0 and 1",
            }
            .into());
        }
        let n = counts.iter().sum::<u64>() as f64;
        if n == 0.0 {
            return Err(Problem::NoTestScores.into());
        }
        let moves = PerClass {
            positive: self.moves(Class::Positive, share, alpha),
            negative: self.moves(Class::Negative, share, alpha),
        };
        if counts.len() != moves.negative.len() {
            return Err(Problem::OtherTally.into());
        }
        let supposed = |class: Class, moves: &[f64]| {
            let square: f64 = moves.iter().zip(counts).map(|(by, count)| by * by * (*count as f64 / n)).sum();
            let (down, up) = moves.iter().fold((0.0, 0.0), |(down, up): (f64, f64), by| (down.min(*by), up.max(*by)));
            Supposed { class, share, down, up, typical: square.sqrt() }
        };
        Ok(PerClass {
            positive: supposed(Class::Positive, &moves.positive),
            negative: supposed(Class::Negative, &moves.negative),
        })
    }

    /// The same bin by bin: by how much the estimate moves if all of the share score there.
    pub fn moves(&self, class: Class, share: f64, alpha: f64) -> Vec<f64> {
        let step = self.step(alpha);
        let rated = step.anchored().rated();
        let (part, mean) = match class {
            Class::Positive => (alpha, rated.negative + rated.distance),
            Class::Negative => (1.0 - alpha, rated.negative),
        };
        let InfluenceFunction::Steps { values, .. } = step.influence() else { unreachable!("steps on bins") };
        values.iter().map(|psi| share * part * (psi - mean) / rated.distance).collect()
    }
}
