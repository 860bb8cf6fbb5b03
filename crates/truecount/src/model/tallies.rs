//! What a model keeps of the test scores of one group.

use crate::check::ShiftTally;
use crate::quantifier::Quantifier;
use crate::tally::{PlainTally, TallyState};
use crate::{Error, Problem};

/// What a model keeps of the test scores pushed so far: a tally for each of its quantifiers and, where the labelled scores allow
/// it, one for the check of prior probability shift. Mergeable in any order: batches, threads, groups and files are all the same
/// operation.
///
/// They can be used only with the model that made them, or an equal one: learnt from the same labelled scores with the same
/// settings.
///
/// # Examples
/// ```
/// use truecount::{Error, LabelledScores, Model, IntervalOptions, Settings};
/// # fn main() -> Result<(), Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// // Two machines tally a part each; what they found travels as plain numbers.
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
/// assert!((model.estimates(&merged, &IntervalOptions::default())?[0].raw - whole[0].raw).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tallies {
    /// Which model.
    pub(super) owner: u64,
    /// One for each quantifier, all weighted or none.
    pub(super) states: Vec<TallyState>,
    pub(super) shift: ShiftCountsLocation,
}

/// Where the check's counts are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ShiftCountsLocation {
    /// Nowhere: there is no check, or some of the scores were tallied without it.
    Nowhere,
    /// In a tally of their own.
    Own(ShiftTally),
    /// Where a method counts the same bins, the one in this place; with the owner of the check's tallies.
    In(usize, u64),
}

/// Tallies as plain numbers, from which the model that made them makes them again without a loss.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTallies {
    /// Whether the scores have weights.
    pub weighted: bool,
    /// One tally for each method, in their order.
    pub methods: Vec<PlainTally>,
    /// Where the check's counts are.
    pub shift: PlainShift,
}

/// The check's counts as plain numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PlainShift {
    /// There are none.
    #[default]
    None,
    /// A tally of their own.
    Own(PlainTally),
    /// They are the counts of a method, which is in the same bins.
    Shared,
}

impl Tallies {
    /// The number of scores; of weighted ones, of those with a weight above 0. Where bins were filled for some of the methods,
    /// it is that of the method with the fewest.
    pub fn n(&self) -> u64 {
        self.sizes().min().unwrap_or(0)
    }

    /// The number of scores in each method's tally, in their order: the same, unless bins were filled.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.states.iter().map(TallyState::n)
    }

    /// Kish's effective number of weighted scores, (Σw)²/Σw²; none without weights.
    pub fn effective_n(&self) -> Option<f64> {
        self.states.first().and_then(TallyState::effective_n)
    }

    /// Whether its scores have weights.
    pub fn is_weighted(&self) -> bool {
        self.states.first().is_some_and(TallyState::is_weighted)
    }

    /// Adds other tallies of the same model.
    ///
    /// The order of merging does not matter: whole numbers are added exactly, and sums by compensated summation, to one rounding.
    /// Scores that were tallied without the check leave the whole without it.
    ///
    /// # Errors
    /// [`Problem::OtherTally`]; [`Problem::OneWeighted`] when one has weights and the other none. These are then as they were.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if self.owner != other.owner {
            return Err(Problem::OtherTally.into());
        }
        if self.is_weighted() != other.is_weighted() {
            return Err(Problem::OneWeighted.into());
        }
        self.states.iter_mut().zip(&other.states).for_each(|(state, more)| state.merge(more));
        match (&mut self.shift, &other.shift) {
            (ShiftCountsLocation::Own(shift), ShiftCountsLocation::Own(more)) => {
                shift.merge(more).expect("tallies of one model");
            }
            (ShiftCountsLocation::In(..), ShiftCountsLocation::In(..)) => {}
            (shift, _) => *shift = ShiftCountsLocation::Nowhere,
        }
        Ok(())
    }

    /// Whether the check reads what a method counts.
    pub fn counts_for_check(&self) -> bool {
        matches!(self.shift, ShiftCountsLocation::In(..))
    }

    /// Whether there is a tally of the check.
    pub fn has_shift(&self) -> bool {
        self.shift != ShiftCountsLocation::Nowhere
    }

    /// The check's tally, if there is one.
    pub fn shift(&self) -> Option<ShiftTally> {
        match &self.shift {
            ShiftCountsLocation::Nowhere => None,
            ShiftCountsLocation::Own(tally) => Some(tally.clone()),
            ShiftCountsLocation::In(place, owner) => Some(ShiftTally::new(*owner, self.states[*place].counts())),
        }
    }

    /// The same without the check's tally: for groups so many that all of them are checked together.
    #[must_use]
    pub fn without_shift(self) -> Self {
        Self { shift: ShiftCountsLocation::Nowhere, ..self }
    }

    /// The check's tally, which these are without from now on: for groups so many that all of them are checked together.
    pub fn take_shift(&mut self) -> Option<ShiftTally> {
        let tally = self.shift();
        self.shift = ShiftCountsLocation::Nowhere;
        tally
    }

    /// All there is to them as plain numbers.
    pub fn plain(&self) -> PlainTallies {
        PlainTallies {
            weighted: self.is_weighted(),
            methods: self.states.iter().map(PlainTally::from_state).collect(),
            shift: match &self.shift {
                ShiftCountsLocation::Nowhere => PlainShift::None,
                ShiftCountsLocation::Own(tally) => PlainShift::Own(tally.plain()),
                ShiftCountsLocation::In(..) => PlainShift::Shared,
            },
        }
    }
}

/// The tally of one quantifier from its plain numbers.
///
/// # Errors
/// [`Problem::NotATally`] for numbers that no tally of the method has.
pub(super) fn state_from(quantifier: &Quantifier, empty: &TallyState, plain: PlainTally) -> Result<TallyState, Error> {
    let name = quantifier.method().to_string();
    if matches!(empty, TallyState::Values(_)) && quantifier.method().reads_posteriors() {
        let wrong = |e: Error| Problem::NotATally { name: name.clone(), reason: e.to_string() };
        Error::unless_probabilities(&plain.sums).map_err(wrong)?;
    }
    plain.into_state(&name, empty)
}
