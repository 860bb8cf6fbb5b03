//! Test scores as the numbers of bins, for those who count them on their own: in tables of many groups, say.

use super::Model;
use super::tallies::Tallies;
use crate::Error;
use crate::numeric::edges::Edges;
use crate::quantifier::SummaryKind;
use crate::tally::{BinCounts, TallyState};

/// The bins of a model that needs to know of test scores without weights only how many lie in each bin.
///
/// # Examples
/// ```
/// use truecount::{Error, LabelledScores, Model, Settings};
/// # fn main() -> Result<(), Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// let bins = model.score_bins().expect("what `es` counts in");
/// let mut counts = vec![0; bins.number()];
/// for bin in bins.bin_numbers(&[1.7, 0.2, -0.5, 2.2])? {
///     counts[usize::from(bin)] += 1;
/// }
/// let mut tallies = model.tallies();
/// model.update(&mut tallies, &[1.7, 0.2, -0.5, 2.2])?;
/// assert_eq!(bins.tallies(counts), tallies);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScoreBins<'a> {
    model: &'a Model,
    edges: &'a Edges,
}

impl Model {
    /// The bins of its tallies; none where these hold, or test scores come with, anything else.
    pub fn score_bins(&self) -> Option<ScoreBins<'_>> {
        let [quantifier] = self.quantifiers.as_slice() else { return None };
        let alone = quantifier.method().keeps() == SummaryKind::ScoreBins && self.labelled().probabilities().is_none();
        let bins = self.training.bins().filter(|bins| alone && bins.len() <= 1 + usize::from(u8::MAX))?;
        Some(ScoreBins { model: self, edges: bins.edges() })
    }
}

impl ScoreBins<'_> {
    /// How many there are.
    pub fn number(&self) -> usize {
        self.edges.len() + 1
    }

    /// The bin of each score, counted from 0.
    ///
    /// # Errors
    /// [`Problem::NotFinite`](crate::Problem::NotFinite).
    pub fn bin_numbers(&self, scores: &[f64]) -> Result<Vec<u8>, Error> {
        self.edges.bins(scores).ok_or_else(|| Error::first_not_finite(scores))
    }

    /// The tallies of so many scores in each bin.
    ///
    /// # Panics
    /// If there is not one count for each bin.
    pub fn tallies(&self, counts: impl IntoIterator<Item = u64>) -> Tallies {
        let counts: BinCounts = counts.into_iter().collect();
        assert_eq!(counts.len(), self.number(), "a count for each bin");
        self.model.owned(vec![TallyState::Counts(counts)])
    }
}
