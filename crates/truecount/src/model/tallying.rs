//! From test scores to tallies, and from tallies to estimates.

use super::Model;
use crate::inference::{Estimate, Reporting};
use crate::quantifier::{Keeps, Method, Quantifier};
use crate::tally::{MOST, PlainTally, State, Tally};
use crate::{Batch, Error};

impl Model {
    /// One empty tally for each quantifier.
    pub fn tallies(&self) -> Vec<Tally> {
        self.owned(self.states())
    }

    /// The same for test scores with weights.
    ///
    /// # Errors
    /// [`Error::NoWeights`] when a method needs more of the test scores than means.
    pub fn weighted_tallies(&self) -> Result<Vec<Tally>, Error> {
        Ok(self.owned(self.weighted_states()?))
    }

    /// The tallies of which these are the plain numbers, one for each quantifier.
    ///
    /// # Errors
    /// [`Error::TallyNumber`]; [`Error::NotATally`] for numbers that no tally of the method has; [`Error::NoWeights`].
    pub fn tallies_from(&self, weighted: bool, plain: Vec<PlainTally>) -> Result<Vec<Tally>, Error> {
        self.check_number(plain.len())?;
        let empty = if weighted { self.weighted_states()? } else { self.states() };
        let states = self.quantifiers.iter().zip(empty.iter().zip(plain)).map(|(quantifier, (empty, plain))| {
            let name = quantifier.method().to_string();
            if matches!(empty, State::Values(_)) && quantifier.method().reads_posteriors() {
                let wrong = |e: Error| Error::NotATally { name: name.clone(), reason: e.to_string() };
                Error::unless_probabilities(&plain.sums).map_err(wrong)?;
            }
            plain.state(&name, empty)
        });
        Ok(self.owned(states.collect::<Result<_, _>>()?))
    }

    /// Adds test scores to every quantifier's tally.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or infinite score, [`Error::NotAProbability`] and [`Error::OutsideUnitInterval`] for
    /// values outside the range of their kind; [`Error::ProbabilitiesMissing`] and [`Error::ProbabilitiesUnknown`] when model and batch do not agree on having some;
    /// [`Error::NotAWeight`], and [`Error::WeightsMissing`] and [`Error::WeightsUnknown`] when tallies and batch do not agree on
    /// having some; [`Error::TallyNumber`] and [`Error::OtherTally`] when these are not tallies of this model, as
    /// [`tallies`](Self::tallies) or [`weighted_tallies`](Self::weighted_tallies) makes them. No tally is changed then.
    pub fn push<'a>(&self, tallies: &mut [Tally], batch: impl Into<Batch<'a>>) -> Result<(), Error> {
        let batch = batch.into();
        self.check_number(tallies.len())?;
        self.check(&batch)?;
        let weighted = batch.weights.is_some();
        for (tally, owner) in tallies.iter().zip(self.owners()) {
            tally.of(owner)?;
            if tally.is_weighted() != weighted {
                return Err(if weighted { Error::WeightsUnknown } else { Error::WeightsMissing });
            }
        }
        self.add(
            tallies.iter_mut().zip(self.owners()).map(|(tally, owner)| tally.of_mut(owner).expect("checked")),
            &batch,
        )
    }

    /// Adds n scores to a bin of the tally of a method that counts in bins of the posterior probability: `dys` and `dys-topsoe`, whose
    /// bins are the eighths of [0, 1], and `hdy`, whose bins lie between all edges of its histograms. Bins count from 0, in ascending order.
    ///
    /// # Errors
    /// [`Error::OtherTally`]; [`Error::NoBins`] of another method; [`Error::UnknownBin`]; [`Error::Parameter`] above 2^53
    /// scores. The tally is then as it was.
    pub fn push_to_bin(&self, tally: &mut Tally, bin: usize, n: u64) -> Result<(), Error> {
        let whose = self.quantifiers.iter().zip(self.owners()).find(|(_, owner)| tally.of(*owner).is_ok());
        let (quantifier, owner) = whose.ok_or(Error::OtherTally)?;
        let method = || quantifier.method().to_string();
        let no_bins = || Error::NoBins { method: method(), able: Method::names_where(|m| m.keeps() == Keeps::Bins) };
        let State::Counts(counts) = tally.of_mut(owner)? else { return Err(no_bins()) };
        if quantifier.method().keeps() != Keeps::Bins {
            return Err(no_bins());
        }
        let last = counts.len() - 1;
        let count = counts.get_mut(bin).ok_or_else(|| Error::UnknownBin { method: method(), bin, last })?;
        let more = count.checked_add(n).filter(|more| *more <= MOST);
        *count = more.ok_or(Error::Parameter {
            name: "the number of scores in a bin",
            value: n as f64,
            domain: "at most 2^53",
        })?;
        Ok(())
    }

    /// Every quantifier's estimate from its tally.
    ///
    /// # Errors
    /// [`Error::NoTestScores`] when nothing was pushed, [`Error::NothingWeighed`] when nothing with a weight above 0; [`Error::TallyNumber`] and
    /// [`Error::OtherTally`] when these are not tallies of this model, as [`tallies`](Self::tallies) makes them.
    pub fn finish(&self, tallies: &[Tally], reporting: &Reporting) -> Result<Vec<Estimate>, Error> {
        self.check_number(tallies.len())?;
        let each = self.quantifiers.iter().zip(tallies.iter().zip(self.owners()));
        each.map(|(quantifier, (tally, owner))| quantifier.estimate(tally.of(owner)?, reporting)).collect()
    }

    /// What the tallies of this model are marked with, in the order of the quantifiers.
    fn owners(&self) -> impl Iterator<Item = u64> {
        let first = self.number();
        (0..).map(move |place| first.wrapping_add(place))
    }
}

/// The same without owners, for what never leaves the library.
impl Model {
    pub(super) fn states(&self) -> Vec<State> {
        self.quantifiers.iter().map(Quantifier::empty).collect()
    }

    pub(super) fn weighted_states(&self) -> Result<Vec<State>, Error> {
        let states = self.quantifiers.iter().map(Quantifier::weighted_empty).collect::<Option<_>>();
        states.ok_or_else(|| {
            let unable = self.settings.methods.iter().filter(|method| !method.takes_weights());
            let methods = unable.map(ToString::to_string).collect();
            Error::NoWeights { methods, able: Method::names_where(Method::takes_weights) }
        })
    }

    /// Refuses a batch before any state has changed. Plain scores every quantifier checks by itself, while it reads them; the first
    /// refuses before the others have changed.
    pub(super) fn check(&self, batch: &Batch) -> Result<(), Error> {
        let plain = self.quantifiers.iter().all(|q| self.training.is_plain(q.reads()));
        let unit_interval = self.unit_interval();
        let probabilities = batch.probabilities.is_some() || self.labelled().probabilities().is_some();
        if !plain || probabilities || unit_interval.is_some() || batch.weights.is_some() {
            self.training.check(batch, unit_interval)?;
        }
        Ok(())
    }

    /// Adds a checked batch, with weights if the states are weighted.
    pub(super) fn add<'s>(&self, states: impl IntoIterator<Item = &'s mut State>, batch: &Batch) -> Result<(), Error> {
        self.quantifiers.iter().zip(states).try_for_each(|(quantifier, state)| {
            let mut rest = batch.weights;
            self.training.read(batch, quantifier.reads(), |values| match &mut rest {
                None => quantifier.push(state, values),
                Some(weights) => {
                    let (these, others) = weights.split_at(values.len());
                    *weights = others;
                    quantifier.push_weighted(state, values, these);
                    Ok(())
                }
            })
        })
    }

    pub(super) fn found(&self, states: &[State], reporting: &Reporting) -> Result<Vec<Estimate>, Error> {
        self.quantifiers.iter().zip(states).map(|(quantifier, state)| quantifier.estimate(state, reporting)).collect()
    }

    fn owned(&self, states: Vec<State>) -> Vec<Tally> {
        states.into_iter().zip(self.owners()).map(|(state, owner)| Tally::new(owner, state)).collect()
    }

    fn check_number(&self, found: usize) -> Result<(), Error> {
        let methods = self.quantifiers.len();
        if found == methods { Ok(()) } else { Err(Error::TallyNumber { found, methods }) }
    }
}
