//! Estimates from test scores: the steps that tallies, resamples and single calls share.

use super::Model;
use crate::inference::{IntervalOptions, MisfitAssessment};
use crate::quantifier::{Estimate, Estimates, Quantifier, SummaryKind, VarianceSource};
use crate::shift_test::{ShiftCheck, ShiftTally};
use crate::tally::MethodTally;
use crate::{Batch, Error, Operation};
use std::borrow::Cow;

impl Model {
    /// Estimates the prevalence in these test scores with every method, with 95 % intervals for the
    /// sample.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`estimate_with`](Self::estimate_with).
    pub fn estimate<'a>(&self, scores: impl Into<Batch<'a>>) -> Result<Estimates, Error> {
        self.estimate_with(scores, &IntervalOptions::default())
    }

    /// Estimates the prevalence in these test scores with every method. Each estimate has a warning
    /// if the test scores are not a mixture of the labelled classes.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`Tally::update`](crate::Tally::update) and
    /// [`Tally::evaluate_with`](crate::Tally::evaluate_with), and for weighted scores of
    /// [`Tally::weighted`](crate::Tally::weighted).
    ///
    /// # Examples
    /// ```
    /// use truecount::{IntervalOptions, LabelledScores, Model, Settings, Target};
    /// # fn main() -> Result<(), truecount::Error> {
    /// # let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// # let labels = [true, true, true, true, false, false, false, false];
    /// # let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let options = IntervalOptions::default().with_level(0.9)?.with_target(Target::Population);
    /// let estimates = model.estimate_with(&[1.7, 0.2, -0.5, 2.2, 0.8], &options)?;
    /// let interval = estimates[0].interval.expect("es has a standard error");
    /// println!("{:.2} to {:.2}", interval.lower, interval.upper);
    /// # Ok(()) }
    /// ```
    pub fn estimate_with<'a>(
        &self,
        scores: impl Into<Batch<'a>>,
        options: &IntervalOptions,
    ) -> Result<Estimates, Error> {
        let (tallies, shift) = self.tally_batch(&scores.into())?;
        self.estimates_from(&tallies, shift.as_ref(), options)
    }

    /// The check of prior probability shift; `None` if the labelled scores do not allow a check, or
    /// if it is [turned off](Self::without_check).
    pub fn check(&self) -> Option<&ShiftCheck> {
        let check = || ShiftCheck::on(self.0.training.bins().map(AsRef::as_ref), self.labelled()).ok();
        self.0.check.as_ref()?.get_or_init(check).as_ref()
    }

    pub(super) fn method_name(&self, index: usize) -> String {
        let quantifier = self.quantifiers().get(index);
        quantifier.map_or_else(|| "no method".to_owned(), |quantifier| quantifier.method().to_string())
    }

    pub(crate) fn tally_batch(&self, batch: &Batch) -> Result<(Vec<MethodTally>, Option<ShiftTally>), Error> {
        let weighted = batch.weights.is_some();
        let mut tallies = if weighted { self.weighted_method_tallies()? } else { self.method_tallies() };
        self.check_batch(batch)?;
        self.add(&mut tallies, batch)?;
        let shift = match (self.index_of_shared_bins(), self.check()) {
            (_, None) => None,
            (Some(method), Some(check)) => Some(ShiftTally::new(check.owner(), tallies[method].clone())),
            (None, Some(check)) => {
                let mut shift = check.tally();
                check.add(&mut shift, batch)?;
                Some(shift)
            }
        };
        Ok((tallies, shift))
    }

    /// Creates an empty tally of each method.
    pub(crate) fn method_tallies(&self) -> Vec<MethodTally> {
        self.quantifiers().iter().map(Quantifier::empty).collect()
    }

    /// Creates an empty tally of each method for weighted scores.
    ///
    /// # Errors
    /// Returns [`Operation::Weights`] if a method needs more than means of the test scores.
    pub(crate) fn weighted_method_tallies(&self) -> Result<Vec<MethodTally>, Error> {
        let tallies = self.quantifiers().iter().map(Quantifier::weighted_empty).collect::<Option<_>>();
        tallies.ok_or_else(|| {
            let unsupported = self.settings().methods.iter().filter(|method| !method.supports_weights());
            Operation::Weights.unsupported_by(unsupported).into()
        })
    }

    /// The index of the method whose counts the shift test shares, if there is one.
    pub(super) fn index_of_shared_bins(&self) -> Option<usize> {
        self.quantifiers().iter().position(|quantifier| quantifier.method().summary_kind() == SummaryKind::ScoreBins)
    }

    /// Returns an error for an invalid batch, before any tally has changed. Untransformed scores
    /// need no check here: the first quantifier checks them before the others change their tallies.
    pub(crate) fn check_batch(&self, batch: &Batch) -> Result<(), Error> {
        let training = self.training();
        let plain = self.quantifiers().iter().all(|q| training.is_plain(q.reads()));
        let unit_interval = self.unit_interval();
        let probabilities = batch.probabilities.is_some() || self.labelled().probabilities().is_some();
        if !plain || probabilities || unit_interval.is_some() || batch.weights.is_some() {
            training.check(batch, unit_interval)?;
        }
        Ok(())
    }

    /// Adds a checked batch, with weights if the tallies are weighted.
    pub(crate) fn add(&self, tallies: &mut [MethodTally], batch: &Batch) -> Result<(), Error> {
        self.quantifiers().iter().zip(tallies).try_for_each(|(quantifier, tally)| self.add_to(quantifier, tally, batch))
    }

    /// Adds a checked batch to the tally of one quantifier.
    pub(super) fn add_to(&self, quantifier: &Quantifier, tally: &mut MethodTally, batch: &Batch) -> Result<(), Error> {
        let mut remaining_weights = batch.weights;
        self.training().read(batch, quantifier.reads(), |values| match &mut remaining_weights {
            None => quantifier.update(tally, values),
            Some(remaining) => {
                let (weights, rest) = remaining.split_at(values.len());
                *remaining = rest;
                quantifier.push_weighted(tally, values, weights);
                Ok(())
            }
        })
    }

    /// Estimates the prevalence from the tallies of all methods.
    pub(super) fn estimates_from(
        &self,
        tallies: &[MethodTally],
        shift: Option<&ShiftTally>,
        options: &IntervalOptions,
    ) -> Result<Estimates, Error> {
        let assessed = self.assess(shift, options)?;
        let estimate = |index: usize, quantifier: &Quantifier| {
            quantifier.estimate(&tallies[index], VarianceSource::Formula, assessed.as_ref(), options)
        };
        self.collect_estimates(estimate, |index| Cow::Borrowed(&tallies[index]))
    }

    /// Collects the estimate by each method. A model [with a count](Self::with_count) has the apparent
    /// prevalence from the state of its last method instead of an estimate.
    pub(super) fn collect_estimates<'a>(
        &self,
        estimate: impl Fn(usize, &Quantifier) -> Result<Estimate, Error>,
        state: impl Fn(usize) -> Cow<'a, MethodTally>,
    ) -> Result<Estimates, Error> {
        let number = self.quantifiers().len() - usize::from(self.0.counts_apparent);
        // The capacity is exact because there may be a million groups.
        let mut estimates = Vec::with_capacity(number);
        for (index, quantifier) in self.quantifiers()[..number].iter().enumerate() {
            estimates.push(estimate(index, quantifier)?);
        }
        if let Some(count) = self.quantifiers().get(number) {
            let apparent = Some(count.raw(&state(number)).clamp(0.0, 1.0));
            for estimate in &mut estimates {
                estimate.apparent = apparent;
            }
        }
        Ok(estimates.into_iter().collect())
    }

    /// Checks test scores for prior probability shift; `None` without a check or without scores.
    pub(crate) fn assess(
        &self,
        shift: Option<&ShiftTally>,
        options: &IntervalOptions,
    ) -> Result<Option<MisfitAssessment>, Error> {
        // Without scores the estimate returns the error.
        let shift = shift.filter(|shift| shift.n() > 0);
        self.check().zip(shift).map(|(check, shift)| check.assess(shift, options.multiplicity())).transpose()
    }
}
