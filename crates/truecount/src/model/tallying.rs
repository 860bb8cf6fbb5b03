//! From test scores to tallies, and from tallies to estimates.

use super::Model;
use super::tallies::{PlainShift, PlainTallies, ShiftCountsLocation, Tallies, state_from};
use crate::check::{ShiftCheck, ShiftTally};
use crate::inference::{Assessed, IntervalOptions};
use crate::quantifier::{Estimates, Quantifier, SummaryKind, VarianceSource};
use crate::tally::{MAX_SCORES, TallyState};
use crate::{Batch, Error, Operation, Problem};

impl Model {
    /// Empty tallies.
    pub fn tallies(&self) -> Tallies {
        self.owned(self.states())
    }

    /// The same for test scores with weights.
    ///
    /// # Errors
    /// [`Operation::Weights`] when a method needs more of the test scores than means.
    pub fn weighted_tallies(&self) -> Result<Tallies, Error> {
        Ok(self.owned(self.weighted_states()?))
    }

    /// The tallies of which these are the plain numbers.
    ///
    /// # Errors
    /// [`Problem::TallyNumber`]; [`Problem::NotATally`] for numbers that no tally of the method, or of the check, has;
    /// [`Operation::Weights`].
    pub fn tallies_from(&self, plain: PlainTallies) -> Result<Tallies, Error> {
        let PlainTallies { weighted, methods: plain, shift } = plain;
        if plain.len() != self.quantifiers.len() {
            return Err(Problem::TallyNumber { found: plain.len(), methods: self.quantifiers.len() }.into());
        }
        let empty = if weighted { self.weighted_states()? } else { self.states() };
        let states = self.quantifiers.iter().zip(empty.iter().zip(plain));
        let states = states.map(|(quantifier, (empty, plain))| state_from(quantifier, empty, plain));
        let states = states.collect::<Result<_, _>>()?;
        let shift = match (shift, self.check()) {
            (PlainShift::None, _) | (PlainShift::Own(_), None) => ShiftCountsLocation::Nowhere,
            (PlainShift::Own(own), Some(check)) => ShiftCountsLocation::Own(check.tally_from(own)?),
            (PlainShift::Shared, _) => self.shared_shift().unwrap_or(ShiftCountsLocation::Nowhere),
        };
        Ok(Tallies { owner: self.number(), states, shift })
    }

    /// Adds test scores to the tallies.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] for a NaN or infinite score, [`Problem::NotAProbability`] and [`Problem::OutsideUnitInterval`] for
    /// values outside the range of their kind; [`Problem::ProbabilitiesMissing`] and [`Problem::ProbabilitiesUnknown`] when model
    /// and batch do not agree on having some; [`Problem::NotAWeight`], and [`Problem::WeightsMissing`] and
    /// [`Problem::WeightsUnknown`] when tallies and batch do not agree on having some; [`Problem::OtherTally`] when these are not
    /// tallies of this model. The tallies are then as they were.
    pub fn update<'a>(&self, tallies: &mut Tallies, batch: impl Into<Batch<'a>>) -> Result<(), Error> {
        let batch = batch.into();
        self.check_batch(&batch)?;
        self.owns(tallies)?;
        match (tallies.is_weighted(), batch.weights.is_some()) {
            (true, false) => return Err(Problem::WeightsMissing.into()),
            (false, true) => return Err(Problem::WeightsUnknown.into()),
            _ => {}
        }
        self.add(&mut tallies.states, &batch)?;
        match &mut tallies.shift {
            ShiftCountsLocation::Own(shift) => self.add_to_shift(Some(shift), &batch),
            ShiftCountsLocation::Nowhere | ShiftCountsLocation::In(..) => Ok(()),
        }
    }

    /// Adds n scores to a bin of the tally of the method in that place, which must count in bins of the posterior probability or of the
    /// score: `dys` and `dys-topsoe`, whose bins are the eighths of [0, 1], `hdy`, whose bins lie between all edges of its
    /// histograms, `bcc` with the two sides of the cutoff, and `pq` with the quarters of the labelled scores. Bins count from 0, in ascending order. The tallies are then without the check, which needs the scores.
    ///
    /// # Errors
    /// [`Problem::OtherTally`]; [`Operation::Bins`] of another method; [`Problem::UnknownBin`]; [`Problem::Parameter`] above 2^53
    /// scores. The tallies are then as they were.
    pub fn push_to_bin(&self, tallies: &mut Tallies, place: usize, bin: usize, n: u64) -> Result<(), Error> {
        self.owns(tallies)?;
        let method = self.name_of(place);
        let bins = self.quantifiers.get(place).filter(|quantifier| quantifier.method().keeps() == SummaryKind::Bins);
        let (Some(_), Some(TallyState::Counts(counts))) = (bins, tallies.states.get_mut(place)) else {
            return Err(Operation::Bins.not_possible([method]).into());
        };
        let last = counts.len() - 1;
        let count = counts.count(bin).ok_or(Problem::UnknownBin { method, bin, last })?;
        if count.checked_add(n).is_none_or(|more| more > MAX_SCORES) {
            let name = "the number of scores in a bin";
            return Err(Problem::Parameter { name, value: n as f64, domain: "at most 2^53" }.into());
        }
        counts.add(bin, n);
        tallies.shift = ShiftCountsLocation::Nowhere;
        Ok(())
    }

    /// Every quantifier's estimate from its tally, each with a warning where the test scores are no mixture of the labelled
    /// classes.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`] when nothing was pushed, [`Problem::AllWeightsZero`] when nothing with a weight above 0;
    /// [`Problem::OtherTally`] when these are not tallies of this model.
    pub fn estimates(&self, tallies: &Tallies, reporting: &IntervalOptions) -> Result<Estimates, Error> {
        self.owns(tallies)?;
        self.found(&tallies.states, tallies.shift().as_ref(), reporting)
    }

    /// The same for test scores that were drawn in clusters, of which these are the tallies: for the prevalence of a population the
    /// variance is that of sums over clusters; that of these very scores does not ask how they were drawn.
    ///
    /// # Errors
    /// Those of [`estimates`](Self::estimates); [`Operation::Clusters`] for a method that is no unbiased mean of a function of the score;
    /// [`Problem::OneCluster`] for fewer than two.
    pub fn finish_clusters(&self, clusters: &[&Tallies], reporting: &IntervalOptions) -> Result<Estimates, Error> {
        clusters.iter().try_for_each(|tallies| self.owns(tallies))?;
        let Some((first, others)) = clusters.split_first() else { return Err(Problem::NoTestScores.into()) };
        let mut whole = (*first).clone();
        others.iter().try_for_each(|tallies| whole.merge(tallies))?;
        let assessed = self.assess(whole.shift().as_ref(), reporting)?;
        let mut estimates = Vec::with_capacity(whole.states.len());
        for (place, (quantifier, state)) in self.quantifiers.iter().zip(&whole.states).enumerate() {
            let states: Vec<&TallyState> = clusters.iter().map(|tallies| &tallies.states[place]).collect();
            estimates.push(quantifier.estimate(
                state,
                VarianceSource::Clusters(&states),
                assessed.as_ref(),
                reporting,
            )?);
        }
        Ok(estimates.into_iter().collect())
    }

    /// The check of prior probability shift; none where the labelled scores do not allow one, and
    /// [without it](Self::without_check).
    pub fn check(&self) -> Option<&ShiftCheck> {
        let made = self.check.as_ref()?;
        let check = || ShiftCheck::on(self.training.bins().map(AsRef::as_ref), self.labelled()).ok();
        made.get_or_init(check).as_ref()
    }

    /// What the method in a place is called.
    pub(super) fn name_of(&self, place: usize) -> String {
        self.quantifiers.get(place).map_or_else(|| "no method".to_owned(), |quantifier| quantifier.method().to_string())
    }

    fn owns(&self, tallies: &Tallies) -> Result<(), Error> {
        if tallies.owner == self.number() { Ok(()) } else { Err(Problem::OtherTally.into()) }
    }

    pub(super) fn owned(&self, states: Vec<TallyState>) -> Tallies {
        let own = || self.empty_shift().map_or(ShiftCountsLocation::Nowhere, ShiftCountsLocation::Own);
        Tallies { owner: self.number(), states, shift: self.shared_shift().unwrap_or_else(own) }
    }
}

/// The same without owners, for what never leaves the library.
impl Model {
    pub(super) fn states(&self) -> Vec<TallyState> {
        self.quantifiers.iter().map(Quantifier::empty).collect()
    }

    pub(super) fn weighted_states(&self) -> Result<Vec<TallyState>, Error> {
        let states = self.quantifiers.iter().map(Quantifier::weighted_empty).collect::<Option<_>>();
        states.ok_or_else(|| {
            let unable = self.settings.methods.iter().filter(|method| !method.takes_weights());
            Operation::Weights.not_possible(unable).into()
        })
    }

    /// The method that counts in the check's own bins, if there is a check and such a method.
    fn shared_shift(&self) -> Option<ShiftCountsLocation> {
        let place =
            self.quantifiers.iter().position(|quantifier| quantifier.method().keeps() == SummaryKind::ScoreBins)?;
        self.check().map(|check| ShiftCountsLocation::In(place, check.owner()))
    }

    /// An empty tally of the check, unless a method counts for it.
    pub(super) fn empty_shift(&self) -> Option<ShiftTally> {
        if self.shared_shift().is_some() { None } else { self.check().map(ShiftCheck::tally) }
    }

    /// The check's tally: its own, or what a method has counted for it.
    pub(super) fn shift_of(&self, states: &[TallyState], own: Option<ShiftTally>) -> Option<ShiftTally> {
        match self.shared_shift() {
            Some(ShiftCountsLocation::In(place, owner)) => Some(ShiftTally::new(owner, states[place].counts())),
            _ => own,
        }
    }

    /// Refuses a batch before any state has changed. Plain scores every quantifier checks by itself, while it reads them; the
    /// first refuses before the others have changed.
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

    /// The same of one quantifier.
    pub(super) fn add_to(&self, quantifier: &Quantifier, state: &mut TallyState, batch: &Batch) -> Result<(), Error> {
        let mut rest = batch.weights;
        self.training.read(batch, quantifier.reads(), |values| match &mut rest {
            None => quantifier.update(state, values),
            Some(weights) => {
                let (these, others) = weights.split_at(values.len());
                *weights = others;
                quantifier.push_weighted(state, values, these);
                Ok(())
            }
        })
    }

    /// Adds a batch that the quantifiers have taken.
    pub(super) fn add_to_shift(&self, shift: Option<&mut ShiftTally>, batch: &Batch) -> Result<(), Error> {
        self.check().zip(shift).map_or(Ok(()), |(check, shift)| check.add(shift, batch))
    }

    pub(super) fn found(
        &self,
        states: &[TallyState],
        shift: Option<&ShiftTally>,
        reporting: &IntervalOptions,
    ) -> Result<Estimates, Error> {
        let assessed = self.assess(shift, reporting)?;
        // With room for no more than there are: there may be a million groups.
        let mut estimates = Vec::with_capacity(states.len());
        for (quantifier, state) in self.quantifiers.iter().zip(states) {
            estimates.push(quantifier.estimate(state, VarianceSource::Formula, assessed.as_ref(), reporting)?);
        }
        Ok(estimates.into_iter().collect())
    }

    /// What the check finds in test scores, if there is a check.
    pub(super) fn assess(
        &self,
        shift: Option<&ShiftTally>,
        reporting: &IntervalOptions,
    ) -> Result<Option<Assessed>, Error> {
        // Of nothing the finish says what is missing.
        let shift = shift.filter(|shift| shift.n() > 0);
        self.check().zip(shift).map(|(check, shift)| check.assess(shift, reporting.sets())).transpose()
    }
}
