//! Tallies as plain numbers, for storage and transfer.

use super::state::TallyState;
use crate::numeric::sum::CompensatedSum;
use crate::{Error, Problem};

/// The largest number of scores in a tally: up to 2⁵³ a double holds every whole number.
pub(crate) const MAX_SCORES: u64 = 1 << 53;

/// A tally as plain numbers, from which its model or shift check can restore it exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTally {
    /// The number of scores; with weights, the number of scores with a positive weight.
    pub n: u64,
    /// The number of scores in each bin, for methods that count in bins and for the shift check;
    /// otherwise empty.
    pub counts: Vec<u64>,
    /// The sums, depending on the method.
    ///
    /// For methods based on means, each sum is compensated and takes two numbers: the sum and its
    /// rounding error. The sums are Σg and Σg² of each function g of the score; with weights, Σw
    /// and Σw², followed by Σwg, Σwg² and Σw²g of each function. For methods that need every score,
    /// one number for each score.
    pub sums: Vec<f64>,
}

impl PlainTally {
    /// Creates the plain form of a tally state.
    pub(crate) fn from_state(state: &TallyState) -> Self {
        let (counts, sums) = match state {
            TallyState::Counts(counts) => (counts.iter().collect(), Vec::new()),
            TallyState::Values(values) => (Vec::new(), values.clone()),
            means => (means.counts(), means.sums().into_iter().flat_map(CompensatedSum::parts).collect()),
        };
        Self { n: state.n(), counts, sums }
    }

    /// Restores a tally state of the same form as `empty`.
    ///
    /// `name` is the name of the method or check, for error messages.
    ///
    /// # Errors
    /// Returns [`Problem::NotATally`] if the numbers are not a tally of that form.
    pub(crate) fn into_state(self, name: &str, empty: &TallyState) -> Result<TallyState, Error> {
        let Self { n, counts, sums } = self;
        let invalid = |reason: String| Err(Problem::NotATally { name: name.to_owned(), reason }.into());
        let (bins, numbers) = match empty {
            TallyState::Counts(bins) => (bins.len(), 0),
            TallyState::Values(_) => (0, usize::try_from(n).unwrap_or(usize::MAX)),
            means => (means.counts().len(), 2 * means.sums().len()),
        };
        if n > MAX_SCORES {
            return invalid(format!("it has {n} scores, but at most 2^53 are possible"));
        }
        if counts.len() != bins {
            return invalid(format!("it has {} counts instead of {bins}", counts.len()));
        }
        if sums.len() != numbers {
            return invalid(format!("it has {} sums instead of {numbers}", sums.len()));
        }
        if let Some(sum) = sums.iter().find(|sum| !sum.is_finite()) {
            return invalid(format!("it has the sum {sum}, which is not finite"));
        }
        // Numbers of scores, each with the compensated sums of weights and squared weights.
        let weighted: Vec<(u64, &[f64])> = match empty {
            TallyState::Weighted(_) => vec![(n, &sums[..4])],
            TallyState::WeightedCounts(_) => counts.iter().copied().zip(sums.chunks(4)).collect(),
            _ => Vec::new(),
        };
        if weighted.iter().any(|(n, sums)| *n > 0 && !(sums[0] > 0.0 && sums[2] > 0.0)) {
            return invalid("it has scores but no positive weights".to_owned());
        }
        let total = counts.iter().try_fold(0_u64, |total, count| total.checked_add(*count));
        if bins > 0 && total != Some(n) {
            return invalid(format!("its counts do not add up to its {n} scores"));
        }
        Ok(match empty {
            TallyState::Counts(_) => TallyState::Counts(counts.into_iter().collect()),
            TallyState::Values(_) => TallyState::Values(sums),
            _ if n == 0 && sums.iter().any(|sum| *sum != 0.0) => {
                return invalid("it has sums but no scores".to_owned());
            }
            _ if weighted.iter().any(|(n, sums)| *n == 0 && sums.iter().any(|sum| *sum != 0.0)) => {
                return invalid("it has weights but no scores".to_owned());
            }
            means => {
                means.with_sums(n, &counts, sums.as_chunks().0.iter().map(|parts| CompensatedSum::from_parts(*parts)))
            }
        })
    }
}
