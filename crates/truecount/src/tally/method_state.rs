//! The state of one method's tally as plain numbers, for storage and transfer.

use super::method_tally::MethodTally;
use crate::numeric::sum::CompensatedSum;
use crate::{Error, Problem};
use serde::{Deserialize, Serialize};

/// The largest number of scores in a tally: up to 2⁵³ a double holds every whole number.
pub(crate) const MAX_SCORES: u64 = 1 << 53;

/// The tally of one method, or of the shift test, as plain numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MethodState {
    /// The number of scores; with weights, the number of scores with a positive weight.
    pub n: u64,
    /// The number of scores in each bin, for methods that count in bins and for the shift check;
    /// otherwise empty.
    pub counts: Vec<u64>,
    /// The sums, depending on the method.
    ///
    /// For methods based on means, each sum is compensated and takes two numbers: the sum and its
    /// rounding error. The sums are Σg and Σg² of each function g of the score; with weights, Σw
    /// and Σw², followed by Σwg, Σwg², Σw²g and Σw²g² of each function. For methods that need every score,
    /// one number for each score.
    pub sums: Vec<f64>,
}

impl MethodState {
    pub(crate) fn from_tally(tally: &MethodTally) -> Self {
        let (counts, sums) = match tally {
            MethodTally::Counts(counts) => (counts.iter().collect(), Vec::new()),
            MethodTally::Values(values) => (Vec::new(), values.clone()),
            means => (means.counts(), means.sums().into_iter().flat_map(CompensatedSum::parts).collect()),
        };
        Self { n: tally.n(), counts, sums }
    }

    /// Restores a tally of the same form as `empty`.
    ///
    /// `name` is the name of the method or check, for error messages.
    ///
    /// # Errors
    /// Returns [`Problem::NotATally`] if the numbers are not a tally of that form.
    pub(crate) fn into_tally(self, name: &str, empty: &MethodTally) -> Result<MethodTally, Error> {
        let Self { n, counts, sums } = self;
        let invalid = |reason: String| Err(Problem::NotATally { name: name.to_owned(), reason }.into());
        let (bins, numbers) = match empty {
            MethodTally::Counts(bins) => (bins.len(), 0),
            MethodTally::Values(_) => (0, usize::try_from(n).unwrap_or(usize::MAX)),
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
            MethodTally::Weighted(_) => vec![(n, &sums[..4])],
            MethodTally::WeightedCounts(_) => counts.iter().copied().zip(sums.chunks(4)).collect(),
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
            MethodTally::Counts(_) => MethodTally::Counts(counts.into_iter().collect()),
            MethodTally::Values(_) => MethodTally::Values(sums),
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
