//! Tallies: the mergeable summary of a group's test scores.

use crate::check::ShiftTally;
use crate::quantifier::Quantifier;
use crate::tally::{PlainTally, TallyState};
use crate::{Error, Problem};

/// A summary of test scores: one tally for each quantifier of a model and one for the check of
/// prior probability shift, if the labelled scores allow a check.
///
/// Tallies merge in any order, so that batches, threads, groups and files are all the same
/// operation. They work only with their own model, or with an equal one: fitted to the same
/// labelled scores with the same settings.
///
/// # Examples
/// ```
/// use truecount::{Error, LabelledScores, Model, IntervalOptions, Settings};
/// # fn main() -> Result<(), Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// // Two machines tally one part each and send their tallies as plain numbers.
/// let mut parts = Vec::new();
/// for part in [[1.7, 0.2], [-0.5, 2.2]] {
///     let mut tallies = model.tallies();
///     model.update(&mut tallies, &part)?;
///     parts.push(tallies.plain());
/// }
/// let mut merged = model.tallies();
/// for part in parts {
///     merged.merge(&model.tallies_from(part)?)?;
/// }
/// let whole = model.estimate(&[1.7, 0.2, -0.5, 2.2], &IntervalOptions::default())?;
/// let from_parts = model.estimates(&merged, &IntervalOptions::default())?;
/// assert!((from_parts[0].raw - whole[0].raw).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tallies {
    /// The fingerprint of the model.
    pub(super) owner: u64,
    /// One state for each quantifier, either all weighted or none.
    pub(super) states: Vec<TallyState>,
    pub(super) shift: ShiftCounts,
}

/// The location of the check's counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ShiftCounts {
    /// No counts: there is no check, or some scores were tallied without the check.
    Missing,
    /// A tally of the check.
    Separate(ShiftTally),
    /// The tally of a method that counts in the same bins.
    Shared {
        /// The method's index.
        method: usize,
        /// The owner of the check's tallies.
        owner: u64,
    },
}

/// Tallies as plain numbers, from which their model can restore them exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTallies {
    /// Whether the scores have weights.
    pub weighted: bool,
    /// One tally for each method, in their order.
    pub methods: Vec<PlainTally>,
    /// The check's counts.
    pub shift: PlainShift,
}

/// The check's counts as plain numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PlainShift {
    /// No counts.
    #[default]
    None,
    /// A tally of the check.
    Own(PlainTally),
    /// The tally of a method that counts in the same bins.
    Shared,
}

impl Tallies {
    /// The number of scores, without those of weight 0. If counts were added to the bins of some
    /// methods only, it is the smallest number of a method.
    pub fn n(&self) -> u64 {
        self.sizes().min().unwrap_or(0)
    }

    /// The number of scores in each method's tally. All are equal unless counts were added to bins.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.states.iter().map(TallyState::n)
    }

    /// Kish's effective number of weighted scores, (Σw)²/Σw²; `None` without weights.
    pub fn effective_n(&self) -> Option<f64> {
        self.states.first().and_then(TallyState::effective_n)
    }

    /// Returns whether the scores have weights.
    pub fn is_weighted(&self) -> bool {
        self.states.first().is_some_and(TallyState::is_weighted)
    }

    /// Adds other tallies of the same model.
    ///
    /// The order of merging does not matter: counts are added exactly, and sums by compensated
    /// summation. The result has a tally of the check only if both have one.
    ///
    /// # Errors
    /// Returns [`Problem::TallyModelMismatch`] for tallies of another model, and
    /// [`Problem::WeightsMismatch`] if only one of the two has weights. `self` is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if self.owner != other.owner {
            return Err(Problem::TallyModelMismatch.into());
        }
        if self.is_weighted() != other.is_weighted() {
            return Err(Problem::WeightsMismatch.into());
        }
        self.states.iter_mut().zip(&other.states).for_each(|(state, more)| state.merge(more));
        match (&mut self.shift, &other.shift) {
            (ShiftCounts::Separate(shift), ShiftCounts::Separate(more)) => {
                shift.merge(more).expect("tallies of one model");
            }
            (ShiftCounts::Shared { .. }, ShiftCounts::Shared { .. }) => {}
            (shift, _) => *shift = ShiftCounts::Missing,
        }
        Ok(())
    }

    /// Returns whether the check uses the counts of a method.
    pub fn counts_for_check(&self) -> bool {
        matches!(self.shift, ShiftCounts::Shared { .. })
    }

    /// Returns whether there is a tally of the check.
    pub fn has_shift(&self) -> bool {
        self.shift != ShiftCounts::Missing
    }

    /// The check's tally, if there is one.
    pub fn shift(&self) -> Option<ShiftTally> {
        match &self.shift {
            ShiftCounts::Missing => None,
            ShiftCounts::Separate(tally) => Some(tally.clone()),
            ShiftCounts::Shared { method, owner } => Some(ShiftTally::new(*owner, self.states[*method].counts())),
        }
    }

    /// Removes the check's tally, for analyses with too many groups to check each one.
    #[must_use]
    pub fn without_shift(self) -> Self {
        Self { shift: ShiftCounts::Missing, ..self }
    }

    /// Takes the check's tally out, for analyses with too many groups to check each one.
    pub fn take_shift(&mut self) -> Option<ShiftTally> {
        let tally = self.shift();
        self.shift = ShiftCounts::Missing;
        tally
    }

    /// Converts the tallies to plain numbers.
    pub fn plain(&self) -> PlainTallies {
        PlainTallies {
            weighted: self.is_weighted(),
            methods: self.states.iter().map(PlainTally::from_state).collect(),
            shift: match &self.shift {
                ShiftCounts::Missing => PlainShift::None,
                ShiftCounts::Separate(tally) => PlainShift::Own(tally.plain()),
                ShiftCounts::Shared { .. } => PlainShift::Shared,
            },
        }
    }
}

/// Restores the tally of one quantifier from its plain numbers.
///
/// # Errors
/// Returns [`Problem::NotATally`] for numbers that no tally of the method can have.
pub(super) fn state_from_plain(
    quantifier: &Quantifier,
    empty: &TallyState,
    plain: PlainTally,
) -> Result<TallyState, Error> {
    let name = quantifier.method().to_string();
    if matches!(empty, TallyState::Values(_)) && quantifier.method().reads_posteriors() {
        let not_a_tally = |e: Error| Problem::NotATally { name: name.clone(), reason: e.to_string() };
        Error::unless_probabilities(&plain.sums).map_err(not_a_tally)?;
    }
    plain.into_state(&name, empty)
}
