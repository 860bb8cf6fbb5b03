//! Bin numbers of test scores, for callers that count scores themselves, such as tables of many
//! groups.

use super::{Model, Tally};
use crate::Error;
use crate::numeric::edges::Edges;
use crate::quantifier::SummaryKind;
use crate::tally::{BinCounts, MethodTally};

/// The score bins of a model whose tallies are the counts of unweighted test scores in these bins.
///
/// # Examples
/// ```
/// use truecount::{Error, LabelledScores, Model, Settings, Tally};
/// # fn main() -> Result<(), Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// let bins = model.score_bins().expect("`es` counts in bins");
/// let mut counts = vec![0; bins.number()];
/// for bin in bins.bin_numbers(&[1.7, 0.2, -0.5, 2.2])? {
///     counts[usize::from(bin)] += 1;
/// }
/// let mut tally = Tally::new(&model);
/// tally.update(&[1.7, 0.2, -0.5, 2.2])?;
/// assert_eq!(bins.tally(counts), tally);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScoreBins<'a> {
    model: &'a Model,
    edges: &'a Edges,
}

impl Model {
    /// The bins of the model's tallies; `None` if tallies hold anything else, or if test scores
    /// come with probabilities.
    pub fn score_bins(&self) -> Option<ScoreBins<'_>> {
        let [quantifier] = self.quantifiers() else { return None };
        let bins_only =
            quantifier.method().summary_kind() == SummaryKind::ScoreBins && self.labelled().probabilities().is_none();
        let bins = self.training().bins().filter(|bins| bins_only && bins.len() <= 1 + usize::from(u8::MAX))?;
        Some(ScoreBins { model: self, edges: bins.edges() })
    }
}

impl ScoreBins<'_> {
    /// The number of bins.
    pub fn number(&self) -> usize {
        self.edges.len() + 1
    }

    /// The bin number of each score, from 0.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreNotFinite`](crate::Problem::ScoreNotFinite) for a NaN or infinite
    /// score.
    pub fn bin_numbers(&self, scores: &[f64]) -> Result<Vec<u8>, Error> {
        self.edges.bins(scores).ok_or_else(|| Error::first_not_finite(scores))
    }

    /// Returns the tally for these numbers of scores in each bin.
    ///
    /// # Panics
    /// Panics unless there is one count for each bin.
    pub fn tally(&self, counts: impl IntoIterator<Item = u64>) -> Tally {
        let counts: BinCounts = counts.into_iter().collect();
        assert_eq!(counts.len(), self.number(), "a count for each bin");
        Tally::with_methods(self.model, vec![MethodTally::Counts(counts)])
    }
}
