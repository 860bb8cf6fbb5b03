//! Tallies: the mergeable summary of a group's test scores.

use super::Model;
use crate::inference::IntervalOptions;
use crate::quantifier::{Estimates, Quantifier};
use crate::shift_test::ShiftTally;
use crate::tally::{BinWeights, MAX_SCORES, MethodState, MethodTally};
use crate::{Batch, Error, Operation, Problem};
use serde::{Deserialize, Serialize};

/// An accumulator of test scores for all methods of a model, and for its test of prior probability shift.
///
/// A tally takes scores in batches, and tallies of one model merge in any order, so that batches,
/// threads, groups and files are all the same operation. Its memory is constant for most methods.
/// Its [state](Self::state) can be stored or sent to another machine.
///
/// # Examples
/// Tallies merge:
/// ```
/// use truecount::{LabelledScores, Model, Settings, Tally};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// # let labels = [true, true, true, true, false, false, false, false];
/// # let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let (mut here, mut there) = (Tally::new(&model), Tally::new(&model));
/// here.update(&[1.7, 0.2])?;
/// there.update(&[-0.5, 2.2])?;
/// here.merge(&there)?;
/// let at_once = model.estimate(&[1.7, 0.2, -0.5, 2.2])?;
/// assert!((here.evaluate()?[0].raw - at_once[0].raw).abs() < 1e-15);
/// // A tally is stored, here as JSON, and restored with its model.
/// let json = serde_json::to_string(&here.state())?;
/// assert_eq!(Tally::from_state(&model, serde_json::from_str(&json)?)?, here);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Tally {
    model: Model,
    /// One tally for each method, either all weighted or none.
    pub(crate) methods: Vec<MethodTally>,
    shift: CheckCounts,
}

/// The location of the shift test's counts.
#[derive(Clone, Debug, PartialEq)]
enum CheckCounts {
    /// No counts: there is no test, or some scores were tallied without it.
    Missing,
    /// A separate tally; boxed to keep the other variants small.
    Separate(Box<ShiftTally>),
    /// The tally of a method that counts in the same bins.
    Shared,
}

/// The contents of a [`Tally`] as plain numbers, from which its model restores it exactly. serde reads and writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TallyState {
    /// The [fingerprint](Model::fingerprint_number) of the model.
    pub model: u64,
    /// Whether the scores have weights.
    pub weighted: bool,
    /// The state of each method, in their order.
    pub methods: Vec<MethodState>,
    /// The counts of the shift test.
    pub shift: CheckState,
}

/// The counts of the shift test as plain numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum CheckState {
    /// No counts.
    #[default]
    None,
    /// A tally of the test.
    Own(MethodState),
    /// The tally of a method that counts in the same bins.
    Shared,
}

impl Tally {
    /// Creates a tally without scores.
    pub fn new(model: &Model) -> Self {
        Self::with_methods(model, model.method_tallies())
    }

    /// Creates a tally without scores, for test scores with weights.
    ///
    /// # Errors
    /// Returns [`Operation::Weights`] if a method reads test scores one by one, such as `sld`.
    pub fn weighted(model: &Model) -> Result<Self, Error> {
        Ok(Self::with_methods(model, model.weighted_method_tallies()?))
    }

    /// Creates a tally with these tallies of the methods and an empty tally of the shift test.
    pub(super) fn with_methods(model: &Model, methods: Vec<MethodTally>) -> Self {
        // The shift test's tally is its own unless it shares the counts of a method.
        let check = model.check().filter(|_| model.index_of_shared_bins().is_none());
        let separate = || check.map_or(CheckCounts::Missing, |check| CheckCounts::Separate(check.tally().into()));
        Self { model: model.clone(), methods, shift: shared_shift(model).unwrap_or_else(separate) }
    }

    /// Restores a tally of the model from its state.
    ///
    /// # Errors
    /// Returns [`Problem::TallyModelMismatch`] for the state of another model's tally;
    /// [`Problem::TallyNumber`] unless there is one state for each method;
    /// [`Problem::NotATally`] for numbers that no tally of the method, or of the shift test, can
    /// have; and [`Operation::Weights`] for weighted scores if a method needs more than means of
    /// the test scores.
    pub fn from_state(model: &Model, state: TallyState) -> Result<Self, Error> {
        let TallyState { model: fingerprint, weighted, methods: states, shift } = state;
        if fingerprint != model.fingerprint_number() {
            return Err(Problem::TallyModelMismatch.into());
        }
        let quantifiers = model.quantifiers();
        if states.len() != quantifiers.len() {
            return Err(Problem::TallyNumber { found: states.len(), methods: quantifiers.len() }.into());
        }
        let empty = if weighted { model.weighted_method_tallies()? } else { model.method_tallies() };
        let restored = quantifiers.iter().zip(empty.iter().zip(states));
        let restored = restored.map(|(quantifier, (empty, state))| restore_method(quantifier, empty, state));
        let methods = restored.collect::<Result<_, _>>()?;
        let shift = match (shift, model.check()) {
            (CheckState::None, _) | (CheckState::Own(_), None) => CheckCounts::Missing,
            (CheckState::Own(state), Some(check)) => CheckCounts::Separate(check.tally_from(state)?.into()),
            (CheckState::Shared, _) => shared_shift(model).unwrap_or(CheckCounts::Missing),
        };
        Ok(Self { model: model.clone(), methods, shift })
    }

    /// Returns the contents as plain numbers.
    pub fn state(&self) -> TallyState {
        TallyState {
            model: self.model.fingerprint_number(),
            weighted: self.is_weighted(),
            methods: self.methods.iter().map(MethodState::from_tally).collect(),
            shift: match &self.shift {
                CheckCounts::Missing => CheckState::None,
                CheckCounts::Separate(tally) => CheckState::Own(tally.plain()),
                CheckCounts::Shared => CheckState::Shared,
            },
        }
    }

    /// Adds test scores.
    ///
    /// # Errors
    /// The tally is unchanged after an error. Returns
    /// - [`Problem::ScoreNotFinite`] for a NaN or infinite score;
    /// - [`Problem::ProbabilityOutOfRange`] for a probability outside [0, 1];
    /// - [`Problem::ScoreOutsideUnitInterval`] for a score outside (0, 1) if the
    ///   [logit transform or the beta family](Model::unit_interval) is used;
    /// - [`Problem::ProbabilitiesMissing`] or [`Problem::ProbabilitiesUnexpected`] if only one of
    ///   model and batch has probabilities;
    /// - [`Problem::WeightOutOfRange`] for a weight that is neither 0 nor in [1e-100, 1e100];
    /// - [`Problem::WeightsMissing`] or [`Problem::WeightsUnexpected`] if only one of tally and
    ///   batch has weights ([`Tally::weighted`]).
    pub fn update<'b>(&mut self, batch: impl Into<Batch<'b>>) -> Result<(), Error> {
        let batch = batch.into();
        self.model.check_batch(&batch)?;
        match (self.is_weighted(), batch.weights.is_some()) {
            (true, false) => return Err(Problem::WeightsMissing.into()),
            (false, true) => return Err(Problem::WeightsUnexpected.into()),
            _ => {}
        }
        self.model.add(&mut self.methods, &batch)?;
        match &mut self.shift {
            CheckCounts::Separate(shift) => self.model.check().map_or(Ok(()), |check| check.add(shift, &batch)),
            CheckCounts::Missing | CheckCounts::Shared => Ok(()),
        }
    }

    /// Adds n scores to a bin of the method with this index; for weighted scores, together with their weights.
    ///
    /// The method must count in bins of the posterior probability or of the score: `es` between
    /// quantiles of the labelled scores, `dys` and `dys-topsoe` in the eighths of [0, 1], `hdy` between
    /// all edges of its histograms, `bcc` on the two sides of the cutoff, and `pq` in the quarters of
    /// the labelled scores. Bins are numbered from 0, in ascending order. The shift test uses the counts
    /// of `es`; without them the tally loses its counts of the shift test, which needs the scores.
    ///
    /// # Errors
    /// The tally is unchanged after an error. Returns [`Operation::Bins`] for another method;
    /// [`Problem::BinUnknown`] for a bin that the method does not have;
    /// [`Problem::ParameterOutOfRange`] for more than 2^53 scores in a bin; [`Problem::NotATally`] for
    /// sums that n weights cannot have; and [`Problem::WeightsMissing`] or
    /// [`Problem::WeightsUnexpected`] if only one of tally and bin has weights.
    pub fn add_to_bin(&mut self, index: usize, bin: usize, n: u64, weights: Option<BinWeights>) -> Result<(), Error> {
        let method = self.model.method_name(index);
        let quantifier = self.model.quantifiers().get(index);
        let (Some(tally), true) =
            (self.methods.get_mut(index), quantifier.is_some_and(|quantifier| quantifier.method().supports_sql()))
        else {
            return Err(Operation::Bins.unsupported_by([method]).into());
        };
        let counts = tally.counts();
        let Some(count) = counts.get(bin) else {
            return Err(Problem::BinUnknown { method, bin, last: counts.len() - 1 }.into());
        };
        let has_room = count.checked_add(n).is_some_and(|total| total <= MAX_SCORES);
        Error::unless_in_domain(has_room, ("the number of scores in a bin", n as f64), "at most 2^53")?;
        match (tally, weights) {
            (MethodTally::Counts(counts), None) => counts.add(bin, n),
            (MethodTally::WeightedCounts(counts), Some(weights)) => {
                if !weights.are_possible(n) {
                    let BinWeights { sum, sum_squares } = weights;
                    let reason = format!("no {n} weights have the sum {sum} and the sum of squares {sum_squares}");
                    return Err(Problem::NotATally { name: method, reason }.into());
                }
                counts.add_sums(bin, n, weights);
            }
            (MethodTally::Counts(_), Some(_)) => return Err(Problem::WeightsUnexpected.into()),
            _ => return Err(Problem::WeightsMissing.into()),
        }
        if matches!(self.shift, CheckCounts::Separate(_)) {
            self.shift = CheckCounts::Missing;
        }
        Ok(())
    }

    /// Adds another tally of the same model.
    ///
    /// The order of merging does not matter: counts are added exactly, and sums by compensated
    /// summation. The result has counts of the shift test only if both have them.
    ///
    /// # Errors
    /// Returns [`Problem::TallyModelMismatch`] for a tally of another model, and
    /// [`Problem::OneTallyWeighted`] if only one of the two has weights. `self` is then unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        self.model.check_model_of(other)?;
        if self.is_weighted() != other.is_weighted() {
            return Err(Problem::OneTallyWeighted.into());
        }
        self.methods.iter_mut().zip(&other.methods).for_each(|(tally, more)| tally.merge(more));
        match (&mut self.shift, &other.shift) {
            (CheckCounts::Separate(shift), CheckCounts::Separate(more)) => {
                shift.merge(more).expect("tallies of one model");
            }
            (CheckCounts::Shared, CheckCounts::Shared) => {}
            (shift, _) => *shift = CheckCounts::Missing,
        }
        Ok(())
    }

    /// Estimates the prevalence with every method, with 95 % intervals for the sample.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] without scores, and [`Problem::AllWeightsZero`] if all
    /// weights are 0.
    pub fn evaluate(&self) -> Result<Estimates, Error> {
        self.evaluate_with(&IntervalOptions::default())
    }

    /// Estimates the prevalence with every method. Each estimate has a warning if the test scores
    /// are not a mixture of the labelled classes.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`evaluate`](Self::evaluate), and
    /// [`Problem::SmallPopulation`] for a population with fewer items than there are scores.
    pub fn evaluate_with(&self, options: &IntervalOptions) -> Result<Estimates, Error> {
        self.model.estimate_tally(self, options)
    }

    /// The model of the tally.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The number of scores, without those of weight 0. If counts were added to the bins of some
    /// methods only, it is the smallest number of a method.
    pub fn n(&self) -> u64 {
        self.sizes().min().unwrap_or(0)
    }

    /// The number of scores of each method. All are equal unless counts were added to bins.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.methods.iter().map(MethodTally::n)
    }

    /// Kish's effective number of weighted scores, (Σw)²/Σw²; `None` without weights.
    pub fn effective_n(&self) -> Option<f64> {
        self.methods.first().and_then(MethodTally::effective_n)
    }

    /// Returns whether the scores have weights.
    pub fn is_weighted(&self) -> bool {
        self.methods.first().is_some_and(MethodTally::is_weighted)
    }

    /// Returns whether the shift test uses the counts of a method.
    pub fn counts_for_check(&self) -> bool {
        matches!(self.shift, CheckCounts::Shared)
    }

    /// Returns whether there are counts of the shift test.
    pub fn has_shift(&self) -> bool {
        self.shift != CheckCounts::Missing
    }

    /// The tally of the shift test, if there is one.
    pub fn shift(&self) -> Option<ShiftTally> {
        match &self.shift {
            CheckCounts::Missing => None,
            CheckCounts::Separate(tally) => Some((**tally).clone()),
            CheckCounts::Shared => {
                let (check, method) = self.model.check().zip(self.model.index_of_shared_bins())?;
                Some(ShiftTally::new(check.owner(), self.methods[method].clone()))
            }
        }
    }

    /// Removes the counts of the shift test, for analyses with too many groups to test each one.
    #[must_use]
    pub fn without_shift(self) -> Self {
        Self { shift: CheckCounts::Missing, ..self }
    }

    /// Takes the tally of the shift test out, for analyses with too many groups to test each one.
    pub fn take_shift(&mut self) -> Option<ShiftTally> {
        let tally = self.shift();
        self.shift = CheckCounts::Missing;
        tally
    }
}

impl Model {
    /// Estimates the prevalence with every method from a tally of this model, or of an equal one.
    /// The shift test is that of this model, which may be [turned off](Self::without_check).
    ///
    /// # Errors
    /// Returns an error under the conditions of [`Tally::evaluate_with`], and
    /// [`Problem::TallyModelMismatch`] for a tally of another model.
    pub fn estimate_tally(&self, tally: &Tally, options: &IntervalOptions) -> Result<Estimates, Error> {
        self.check_model_of(tally)?;
        self.estimates_from(&tally.methods, tally.shift().as_ref(), options)
    }

    /// Returns [`Problem::TallyModelMismatch`] for a tally of another model.
    pub(super) fn check_model_of(&self, tally: &Tally) -> Result<(), Error> {
        if self.is_equal(&tally.model) { Ok(()) } else { Err(Problem::TallyModelMismatch.into()) }
    }
}

/// Tallies are equal if their models and contents are.
impl PartialEq for Tally {
    fn eq(&self, other: &Self) -> bool {
        self.methods == other.methods && self.shift == other.shift && self.model.is_equal(&other.model)
    }
}

/// Returns the shift test's counts in the tally of a method that counts in the test's bins, if there are both.
fn shared_shift(model: &Model) -> Option<CheckCounts> {
    model.index_of_shared_bins()?;
    model.check().map(|_| CheckCounts::Shared)
}

/// Restores the tally of one quantifier from its state.
///
/// # Errors
/// Returns [`Problem::NotATally`] for numbers that no tally of the method can have.
fn restore_method(quantifier: &Quantifier, empty: &MethodTally, state: MethodState) -> Result<MethodTally, Error> {
    let name = quantifier.method().to_string();
    if matches!(empty, MethodTally::Values(_)) && quantifier.method().reads_posteriors() {
        let not_a_tally = |e: Error| Problem::NotATally { name: name.clone(), reason: e.to_string() };
        Error::unless_probabilities(&state.sums).map_err(not_a_tally)?;
    }
    state.into_tally(&name, empty)
}
