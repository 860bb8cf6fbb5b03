//! A rate, and the number that it was found from where that stands by itself.

use crate::AnalysisProblem;
use truecount::counts::Rate;

/// A rate that was found from so many.
///
/// # Errors
/// [`AnalysisProblem::DenominatorTwice`] if it has a denominator already.
pub fn with_denominator(rate: Rate, of: u64) -> Result<Rate, AnalysisProblem> {
    match rate {
        Rate::Exact(share) => Ok(Rate::Measured { share, of }),
        Rate::Counted { .. } | Rate::Measured { .. } => {
            Err(AnalysisProblem::DenominatorTwice { value: rate.to_string(), of })
        }
    }
}
