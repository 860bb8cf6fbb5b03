//! Tallies from test scores, and estimates from tallies.

use super::Model;
use super::tallies::{PlainShift, PlainTallies, ShiftCounts, Tallies, state_from_plain};
use crate::check::{ShiftCheck, ShiftTally};
use crate::inference::{IntervalOptions, ShiftAssessment};
use crate::quantifier::{Estimates, Quantifier, SummaryKind, VarianceSource};
use crate::tally::{MAX_SCORES, TallyState};
use crate::{Batch, Error, Operation, Problem};

impl Model {
    /// Creates empty tallies.
    pub fn tallies(&self) -> Tallies {
        self.tallies_with_states(self.states())
    }

    /// Creates empty tallies for test scores with weights.
    ///
    /// # Errors
    /// Returns [`Operation::Weights`] if a method needs more than means of the test scores.
    pub fn weighted_tallies(&self) -> Result<Tallies, Error> {
        Ok(self.tallies_with_states(self.weighted_states()?))
    }

    /// Restores tallies from plain numbers.
    ///
    /// # Errors
    /// Returns [`Problem::TallyCountMismatch`] unless there is one tally for each method;
    /// [`Problem::NotATally`] for numbers that no tally of the method, or of the check, can have;
    /// and [`Operation::Weights`] for weighted tallies if a method needs more than means of the
    /// test scores.
    pub fn tallies_from(&self, plain: PlainTallies) -> Result<Tallies, Error> {
        let PlainTallies { weighted, methods: plain, shift } = plain;
        if plain.len() != self.quantifiers.len() {
            return Err(Problem::TallyCountMismatch { found: plain.len(), methods: self.quantifiers.len() }.into());
        }
        let empty = if weighted { self.weighted_states()? } else { self.states() };
        let states = self.quantifiers.iter().zip(empty.iter().zip(plain));
        let states = states.map(|(quantifier, (empty, plain))| state_from_plain(quantifier, empty, plain));
        let states = states.collect::<Result<_, _>>()?;
        let shift = match (shift, self.check()) {
            (PlainShift::None, _) | (PlainShift::Own(_), None) => ShiftCounts::Missing,
            (PlainShift::Own(tally), Some(check)) => ShiftCounts::Separate(check.tally_from(tally)?),
            (PlainShift::Shared, _) => self.shared_shift().unwrap_or(ShiftCounts::Missing),
        };
        Ok(Tallies { owner: self.fingerprint_number(), states, shift })
    }

    /// Adds test scores to the tallies.
    ///
    /// # Errors
    /// The tallies are unchanged after an error. Returns
    /// - [`Problem::ScoreNotFinite`] for a NaN or infinite score;
    /// - [`Problem::ProbabilityOutOfRange`] for a probability outside [0, 1];
    /// - [`Problem::OutsideUnitInterval`] for a score outside (0, 1) if the
    ///   [logit transform or the beta family](Self::unit_interval) is used;
    /// - [`Problem::ProbabilitiesMissing`] or [`Problem::ProbabilitiesUnexpected`] if only one of
    ///   model and batch has probabilities;
    /// - [`Problem::WeightOutOfRange`] for a weight that is neither 0 nor in [1e-100, 1e100];
    /// - [`Problem::WeightsMissing`] or [`Problem::WeightsUnexpected`] if only one of tallies and
    ///   batch has weights;
    /// - [`Problem::TallyModelMismatch`] for tallies of another model.
    pub fn update<'a>(&self, tallies: &mut Tallies, batch: impl Into<Batch<'a>>) -> Result<(), Error> {
        let batch = batch.into();
        self.check_batch(&batch)?;
        self.check_owner(tallies)?;
        match (tallies.is_weighted(), batch.weights.is_some()) {
            (true, false) => return Err(Problem::WeightsMissing.into()),
            (false, true) => return Err(Problem::WeightsUnexpected.into()),
            _ => {}
        }
        self.add(&mut tallies.states, &batch)?;
        match &mut tallies.shift {
            ShiftCounts::Separate(shift) => self.add_to_shift(Some(shift), &batch),
            ShiftCounts::Missing | ShiftCounts::Shared { .. } => Ok(()),
        }
    }

    /// Adds n scores to a bin of the tally of the method with this index.
    ///
    /// The method must count in bins of the posterior probability or of the score: `dys` and
    /// `dys-topsoe` in the eighths of [0, 1], `hdy` between all edges of its histograms, `bcc` on
    /// the two sides of the cutoff, and `pq` in the quarters of the labelled scores. Bins are
    /// numbered from 0, in ascending order. The tallies lose their tally of the check, which needs
    /// the scores.
    ///
    /// # Errors
    /// The tallies are unchanged after an error. Returns [`Problem::TallyModelMismatch`] for
    /// tallies of another model; [`Operation::Bins`] for another method; [`Problem::UnknownBin`]
    /// for a bin that the method does not have; and [`Problem::ParameterOutOfRange`] for more than
    /// 2^53 scores in a bin.
    pub fn add_to_bin(&self, tallies: &mut Tallies, index: usize, bin: usize, n: u64) -> Result<(), Error> {
        self.check_owner(tallies)?;
        let method = self.method_name(index);
        let bins =
            self.quantifiers.get(index).filter(|quantifier| quantifier.method().summary_kind() == SummaryKind::Bins);
        let (Some(_), Some(TallyState::Counts(counts))) = (bins, tallies.states.get_mut(index)) else {
            return Err(Operation::Bins.unsupported_by([method]).into());
        };
        let last = counts.len() - 1;
        let count = counts.count(bin).ok_or(Problem::UnknownBin { method, bin, last })?;
        if count.checked_add(n).is_none_or(|total| total > MAX_SCORES) {
            let name = "the number of scores in a bin";
            return Err(Problem::ParameterOutOfRange { name, value: n as f64, domain: "at most 2^53" }.into());
        }
        counts.add(bin, n);
        tallies.shift = ShiftCounts::Missing;
        Ok(())
    }

    /// Estimates the prevalence from tallies with every quantifier. Each estimate has a warning if
    /// the test scores are not a mixture of the labelled classes.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] for empty tallies; [`Problem::AllWeightsZero`] if all
    /// weights are 0; and [`Problem::TallyModelMismatch`] for tallies of another model.
    pub fn estimates(&self, tallies: &Tallies, options: &IntervalOptions) -> Result<Estimates, Error> {
        self.check_owner(tallies)?;
        self.estimates_from_states(&tallies.states, tallies.shift().as_ref(), options)
    }

    /// Estimates the prevalence from the tallies of clusters of test scores, with every quantifier.
    ///
    /// If the target is the population, the variance is that of sums over clusters. If it is the
    /// sample, the clusters do not matter.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`estimates`](Self::estimates);
    /// [`Operation::Clusters`] for a method that is not an unbiased mean of a function of the
    /// score; and [`Problem::OneCluster`] for a single cluster.
    pub fn estimates_from_clusters(
        &self,
        clusters: &[&Tallies],
        options: &IntervalOptions,
    ) -> Result<Estimates, Error> {
        clusters.iter().try_for_each(|tallies| self.check_owner(tallies))?;
        let Some((first, others)) = clusters.split_first() else { return Err(Problem::NoTestScores.into()) };
        let mut merged = (*first).clone();
        others.iter().try_for_each(|tallies| merged.merge(tallies))?;
        let assessed = self.assess(merged.shift().as_ref(), options)?;
        let mut estimates = Vec::with_capacity(merged.states.len());
        for (index, (quantifier, state)) in self.quantifiers.iter().zip(&merged.states).enumerate() {
            let states: Vec<&TallyState> = clusters.iter().map(|tallies| &tallies.states[index]).collect();
            let source = VarianceSource::Clusters(&states);
            estimates.push(quantifier.estimate(state, source, assessed.as_ref(), options)?);
        }
        Ok(estimates.into_iter().collect())
    }

    /// The check of prior probability shift; `None` if the labelled scores do not allow a check, or
    /// if it is [turned off](Self::without_check).
    pub fn check(&self) -> Option<&ShiftCheck> {
        let check = || ShiftCheck::on(self.training.bins().map(AsRef::as_ref), self.labelled()).ok();
        self.check.as_ref()?.get_or_init(check).as_ref()
    }

    /// The name of the method with this index.
    pub(super) fn method_name(&self, index: usize) -> String {
        self.quantifiers.get(index).map_or_else(|| "no method".to_owned(), |quantifier| quantifier.method().to_string())
    }

    /// Returns [`Problem::OtherTally`] for tallies of another model.
    fn check_owner(&self, tallies: &Tallies) -> Result<(), Error> {
        if tallies.owner == self.fingerprint_number() { Ok(()) } else { Err(Problem::TallyModelMismatch.into()) }
    }

    /// Creates tallies of this model with these states and an empty tally of the check.
    pub(super) fn tallies_with_states(&self, states: Vec<TallyState>) -> Tallies {
        let separate = || self.empty_shift().map_or(ShiftCounts::Missing, ShiftCounts::Separate);
        let shift = self.shared_shift().unwrap_or_else(separate);
        Tallies { owner: self.fingerprint_number(), states, shift }
    }
}

/// Operations on states without an owner, which never leave the library.
impl Model {
    pub(super) fn states(&self) -> Vec<TallyState> {
        self.quantifiers.iter().map(Quantifier::empty).collect()
    }

    pub(super) fn weighted_states(&self) -> Result<Vec<TallyState>, Error> {
        let states = self.quantifiers.iter().map(Quantifier::weighted_empty).collect::<Option<_>>();
        states.ok_or_else(|| {
            let unsupported = self.settings.methods.iter().filter(|method| !method.supports_weights());
            Operation::Weights.unsupported_by(unsupported).into()
        })
    }

    /// The check's counts in the tally of a method that counts in the check's bins, if there are
    /// both.
    fn shared_shift(&self) -> Option<ShiftCounts> {
        let method = self
            .quantifiers
            .iter()
            .position(|quantifier| quantifier.method().summary_kind() == SummaryKind::ScoreBins)?;
        self.check().map(|check| ShiftCounts::Shared { method, owner: check.owner() })
    }

    /// An empty tally of the check, unless it shares the counts of a method.
    pub(super) fn empty_shift(&self) -> Option<ShiftTally> {
        if self.shared_shift().is_some() { None } else { self.check().map(ShiftCheck::tally) }
    }

    /// The check's tally, from a method's counts if they are shared, or else the separate one.
    pub(super) fn shift_tally(&self, states: &[TallyState], separate: Option<ShiftTally>) -> Option<ShiftTally> {
        match self.shared_shift() {
            Some(ShiftCounts::Shared { method, owner }) => Some(ShiftTally::new(owner, states[method].counts())),
            _ => separate,
        }
    }

    /// Returns an error for an invalid batch, before any state has changed. Untransformed scores
    /// need no check here: the first quantifier checks them before the others change their states.
    pub(super) fn check_batch(&self, batch: &Batch) -> Result<(), Error> {
        let plain = self.quantifiers.iter().all(|q| self.training.is_plain(q.reads()));
        let unit_interval = self.unit_interval();
        let probabilities = batch.probabilities.is_some() || self.labelled().probabilities().is_some();
        if !plain || probabilities || unit_interval.is_some() || batch.weights.is_some() {
            self.training.check(batch, unit_interval)?;
        }
        Ok(())
    }

    /// Adds a checked batch, with weights if the states are weighted.
    pub(super) fn add(&self, states: &mut [TallyState], batch: &Batch) -> Result<(), Error> {
        self.quantifiers.iter().zip(states).try_for_each(|(quantifier, state)| self.add_to(quantifier, state, batch))
    }

    /// Adds a checked batch to the state of one quantifier.
    pub(super) fn add_to(&self, quantifier: &Quantifier, state: &mut TallyState, batch: &Batch) -> Result<(), Error> {
        let mut remaining_weights = batch.weights;
        self.training.read(batch, quantifier.reads(), |values| match &mut remaining_weights {
            None => quantifier.update(state, values),
            Some(remaining) => {
                let (weights, rest) = remaining.split_at(values.len());
                *remaining = rest;
                quantifier.push_weighted(state, values, weights);
                Ok(())
            }
        })
    }

    /// Adds a batch that all quantifiers have accepted to the check's tally.
    pub(super) fn add_to_shift(&self, shift: Option<&mut ShiftTally>, batch: &Batch) -> Result<(), Error> {
        self.check().zip(shift).map_or(Ok(()), |(check, shift)| check.add(shift, batch))
    }

    /// Estimates the prevalence from the states of all quantifiers.
    pub(super) fn estimates_from_states(
        &self,
        states: &[TallyState],
        shift: Option<&ShiftTally>,
        options: &IntervalOptions,
    ) -> Result<Estimates, Error> {
        let assessed = self.assess(shift, options)?;
        // The capacity is exact because there may be a million groups.
        let mut estimates = Vec::with_capacity(states.len());
        for (quantifier, state) in self.quantifiers.iter().zip(states) {
            estimates.push(quantifier.estimate(state, VarianceSource::Formula, assessed.as_ref(), options)?);
        }
        Ok(estimates.into_iter().collect())
    }

    /// Checks test scores for prior probability shift; `None` without a check or without scores.
    pub(super) fn assess(
        &self,
        shift: Option<&ShiftTally>,
        options: &IntervalOptions,
    ) -> Result<Option<ShiftAssessment>, Error> {
        // Without scores the estimate returns the error.
        let shift = shift.filter(|shift| shift.n() > 0);
        self.check().zip(shift).map(|(check, shift)| check.assess(shift, options.multiplicity())).transpose()
    }
}
