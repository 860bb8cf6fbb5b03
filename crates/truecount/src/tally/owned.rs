//! Tallies as they are seen from outside: each knows whose it is.

use super::state::State;
use crate::Error;
use crate::numeric::sum::Sum;

/// The largest number of scores that a tally is made with: up to it whole numbers are doubles.
pub(crate) const MOST: u64 = 1 << 53;

/// What a quantifier, or the shift check, keeps of the test scores pushed so far. Mergeable in any order: batches, threads, groups and
/// files are all the same operation.
///
/// It can be used only with the model that made it, or an equal one: learnt from the same labelled scores with the same settings.
///
/// # Examples
/// ```
/// use truecount::{Error, LabelledScores, Model, Reporting, Settings};
/// # fn main() -> Result<(), Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// // Two machines tally a part each; what they found travels as plain numbers.
/// let mut parts = Vec::new();
/// for part in [[1.7, 0.2], [-0.5, 2.2]] {
///     let mut tallies = model.tallies();
///     model.push(&mut tallies, &part)?;
///     parts.push(tallies[0].plain());
/// }
/// let mut merged = model.tallies();
/// for part in parts {
///     merged[0].merge(&model.tallies_from(false, vec![part])?[0])?;
/// }
/// let whole = model.estimate(&[1.7, 0.2, -0.5, 2.2], &Reporting::default())?;
/// assert!((model.finish(&merged, &Reporting::default())?[0].raw - whole[0].raw).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// Which quantifier of which model, or which shift check.
    owner: u64,
    state: State,
}

/// A tally as plain numbers, from which the model that made it makes it again without a loss.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTally {
    /// The number of scores; of weighted ones, of those with a weight above 0.
    pub n: u64,
    /// The scores in each bin, of the methods that count in bins and of the shift check.
    pub counts: Vec<u64>,
    /// Of the methods that are means, compensated sums, each as its two parts, the sum and what was lost when it was rounded: Σg and Σg²
    /// of each function g of the score; with weights Σw and Σw², then Σwg, Σwg² and Σw²g of each function. Of the
    /// methods that need every score, one number for each.
    pub sums: Vec<f64>,
}

impl Tally {
    pub(crate) fn new(owner: u64, state: State) -> Self {
        Self { owner, state }
    }

    /// The number of scores; of weighted ones, of those with a weight above 0.
    pub fn n(&self) -> u64 {
        self.state.n()
    }

    /// Kish's effective number of weighted scores, (Σw)²/Σw²; none without weights.
    pub fn effective_n(&self) -> Option<f64> {
        self.state.effective_n()
    }

    /// Whether its scores have weights.
    pub fn is_weighted(&self) -> bool {
        self.state.is_weighted()
    }

    /// Adds another tally of the same quantifier of the same model, or of the same shift check.
    ///
    /// The order of merging does not matter: whole numbers are added exactly, and sums by compensated summation, to one rounding.
    ///
    /// # Errors
    /// [`Error::OtherTally`]; [`Error::OneWeighted`] when one has weights and the other none. This one is then as it was.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if self.owner != other.owner {
            return Err(Error::OtherTally);
        }
        if self.is_weighted() != other.is_weighted() {
            return Err(Error::OneWeighted);
        }
        self.state.merge(&other.state);
        Ok(())
    }

    /// All there is to it as plain numbers.
    pub fn plain(&self) -> PlainTally {
        let n = self.n();
        match &self.state {
            State::Counts(counts) => PlainTally { n, counts: counts.clone(), sums: Vec::new() },
            State::Values(values) => PlainTally { n, counts: Vec::new(), sums: values.clone() },
            means => {
                PlainTally { n, counts: Vec::new(), sums: means.sums().into_iter().flat_map(Sum::parts).collect() }
            }
        }
    }

    /// The state, if it belongs to this owner.
    pub(crate) fn of(&self, owner: u64) -> Result<&State, Error> {
        if self.owner == owner { Ok(&self.state) } else { Err(Error::OtherTally) }
    }

    /// The state, to be changed.
    pub(crate) fn of_mut(&mut self, owner: u64) -> Result<&mut State, Error> {
        if self.owner == owner { Ok(&mut self.state) } else { Err(Error::OtherTally) }
    }
}

impl PlainTally {
    /// The state of that shape.
    ///
    /// # Errors
    /// [`Error::NotATally`], of something of that name.
    pub(crate) fn state(self, name: &str, empty: &State) -> Result<State, Error> {
        let Self { n, counts, sums } = self;
        let wrong = |reason: String| Err(Error::NotATally { name: name.to_owned(), reason });
        let (bins, numbers) = match empty {
            State::Counts(bins) => (bins.len(), 0),
            State::Values(_) => (0, usize::try_from(n).unwrap_or(usize::MAX)),
            means => (0, 2 * means.sums().len()),
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
        if matches!(empty, State::Weighted(_)) && n > 0 && !(sums[0] > 0.0 && sums[2] > 0.0) {
            return wrong("it has scores, but no weights above 0".to_owned());
        }
        let total = counts.iter().try_fold(0_u64, |total, count| total.checked_add(*count));
        if bins > 0 && total != Some(n) {
            return wrong(format!("its counts do not add up to its {n} scores"));
        }
        Ok(match empty {
            State::Counts(_) => State::Counts(counts),
            State::Values(_) => State::Values(sums),
            _ if n == 0 && sums.iter().any(|sum| *sum != 0.0) => {
                return wrong("it has sums, but of no scores".to_owned());
            }
            means => means.with_sums(n, sums.as_chunks().0.iter().map(|parts| Sum::of_parts(*parts))),
        })
    }
}
