//! Tallies as plain numbers, which travel.

use super::state::TallyState;
use crate::numeric::sum::CompensatedSum;
use crate::{Error, Problem};

/// The largest number of scores that a tally is made with: up to it whole numbers are doubles.
pub(crate) const MOST: u64 = 1 << 53;

/// One tally as plain numbers, from which what made it makes it again without a loss.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTally {
    /// The number of scores; of weighted ones, of those with a weight above 0.
    pub n: u64,
    /// The scores in each bin, of the methods that count in bins and of the shift check.
    pub counts: Vec<u64>,
    /// Of the methods that are means, compensated sums, each as its two parts, the sum and what was lost when it was rounded:
    /// Σg and Σg² of each function g of the score; with weights Σw and Σw², then Σwg, Σwg² and Σw²g of each function. Of the
    /// methods that need every score, one number for each.
    pub sums: Vec<f64>,
}

impl PlainTally {
    /// All there is to a state.
    pub(crate) fn of(state: &TallyState) -> Self {
        let (counts, sums) = match state {
            TallyState::Counts(counts) => (counts.iter().collect(), Vec::new()),
            TallyState::Values(values) => (Vec::new(), values.clone()),
            means => (means.counts(), means.sums().into_iter().flat_map(CompensatedSum::parts).collect()),
        };
        Self { n: state.n(), counts, sums }
    }

    /// The state of that shape.
    ///
    /// # Errors
    /// [`Problem::NotATally`], of something of that name.
    pub(crate) fn state(self, name: &str, empty: &TallyState) -> Result<TallyState, Error> {
        let Self { n, counts, sums } = self;
        let wrong = |reason: String| Err(Problem::NotATally { name: name.to_owned(), reason }.into());
        let (bins, numbers) = match empty {
            TallyState::Counts(bins) => (bins.len(), 0),
            TallyState::Values(_) => (0, usize::try_from(n).unwrap_or(usize::MAX)),
            means => (means.counts().len(), 2 * means.sums().len()),
        };
        if n > MOST {
            return wrong(format!("it is of {n} scores, and at most 2^53 are possible"));
        }
        if counts.len() != bins {
            return wrong(format!("it has {} counts in the place of {bins}", counts.len()));
        }
        if sums.len() != numbers {
            return wrong(format!("it has {} sums in the place of {numbers}", sums.len()));
        }
        if let Some(sum) = sums.iter().find(|sum| !sum.is_finite()) {
            return wrong(format!("it has a sum of {sum}"));
        }
        // Numbers of scores, each with the sums of their weights and of the squares of these.
        let weighed: Vec<(u64, &[f64])> = match empty {
            TallyState::Weighted(_) => vec![(n, &sums[..4])],
            TallyState::WeightedCounts(_) => counts.iter().copied().zip(sums.chunks(4)).collect(),
            _ => Vec::new(),
        };
        if weighed.iter().any(|(n, sums)| *n > 0 && !(sums[0] > 0.0 && sums[2] > 0.0)) {
            return wrong("it has scores, but no weights above 0".to_owned());
        }
        let total = counts.iter().try_fold(0_u64, |total, count| total.checked_add(*count));
        if bins > 0 && total != Some(n) {
            return wrong(format!("its counts do not add up to its {n} scores"));
        }
        Ok(match empty {
            TallyState::Counts(_) => TallyState::Counts(counts.into_iter().collect()),
            TallyState::Values(_) => TallyState::Values(sums),
            _ if n == 0 && sums.iter().any(|sum| *sum != 0.0) => {
                return wrong("it has sums, but of no scores".to_owned());
            }
            _ if weighed.iter().any(|(n, sums)| *n == 0 && sums.iter().any(|sum| *sum != 0.0)) => {
                return wrong("it has weights, but of no scores".to_owned());
            }
            means => means.with_sums(n, &counts, sums.as_chunks().0.iter().map(|parts| CompensatedSum::of_parts(*parts))),
        })
    }
}
