//! The bootstrap of both samples (Efron 1979): labelled scores are drawn with replacement within each class, with their weights if they have
//! some, and everything is fitted to them anew, then each group's test scores are drawn with replacement, and estimated from.
//!
//! A replicate depends on the seed and its number alone (a ChaCha8 stream for each), so that they can be made in any order and
//! by any number of threads.

use super::Model;
use crate::check::ShiftTally;
use crate::inference::{Assessed, Reporting};
use crate::quantifier::{Estimates, Quantifier, Spreading};
use crate::random::stream;
use crate::scores::{rows, taken};
use crate::tally::State;
use crate::{Batch, Error, Problem};

/// A bootstrap of a model and groups of test scores.
///
/// # Examples
/// ```
/// use truecount::{Bootstrap, LabelledScores, Model, Replicate, Reporting, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let bootstrap = Bootstrap::new(&model, vec![(&[1.7, 0.2, -0.5, 2.2, 0.8]).into()], 1)?;
/// let replicates: Vec<Replicate> = (0..200).map(|number| bootstrap.replicate(number)).collect();
/// let estimate = &bootstrap.finish(&replicates, &Reporting::default())?[0][0];
/// let interval = estimate.uncertainty.expect("nearly every resample of these scores can be fitted");
/// assert!(interval.lower < estimate.prevalence && estimate.prevalence < interval.upper);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Bootstrap<'a> {
    model: &'a Model,
    groups: Vec<Batch<'a>>,
    tallied: Vec<(Vec<State>, Option<ShiftTally>)>,
    seed: u64,
}

/// What every quantifier finds in every group of one replicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicate {
    /// The estimators as defined, by group and then by method; none where the resample allows no estimate.
    found: Vec<Option<f64>>,
}

impl<'a> Bootstrap<'a> {
    /// # Errors
    /// [`Problem::NoTestScores`] for a group without; [`Problem::BootstrapOfWeighted`] for one with weights;
    /// [`Problem::BootstrapOfClusters`] for a model of labelled scores in clusters; those of
    /// [`Model::push`].
    pub fn new(model: &'a Model, groups: Vec<Batch<'a>>, seed: u64) -> Result<Self, Error> {
        if model.labelled().clusters().is_some() {
            return Err(Problem::BootstrapOfClusters.into());
        }
        let tally = |group: &Batch<'a>| {
            if group.scores.is_empty() {
                return Err(Problem::NoTestScores.into());
            }
            if group.weights.is_some() {
                return Err(Problem::BootstrapOfWeighted.into());
            }
            let (mut states, mut shift) = (model.states(), model.empty_shift());
            model.check_batch(group)?;
            model.add(&mut states, group)?;
            model.add_to_shift(shift.as_mut(), group)?;
            let shift = model.shift_of(&states, shift);
            Ok((states, shift))
        };
        let tallied = groups.iter().map(tally).collect::<Result<_, Error>>()?;
        Ok(Self { model, groups, tallied, seed })
    }

    /// The replicate of that number.
    pub fn replicate(&self, number: u64) -> Replicate {
        let mut rng = stream(self.seed, number);
        let methods = self.model.quantifiers();
        let mut found = vec![None; self.groups.len() * methods.len()];
        let labelled = self.model.labelled().resampled(&mut rng);
        let fitted = labelled.and_then(|labelled| Model::fit_possible(&labelled, &self.model.settings));
        if let Ok((model, _)) = fitted {
            for (group, found) in self.groups.iter().zip(found.chunks_mut(methods.len())) {
                let rows = rows(group.scores.len(), &mut rng);
                let (scores, given) =
                    (taken(group.scores, &rows), group.probabilities.map(|given| taken(given, &rows)));
                let mut states = model.states();
                let batch = Batch { scores: &scores, probabilities: given.as_deref(), weights: None };
                // A family chosen anew may not allow every score.
                if model.check_batch(&batch).and_then(|()| model.add(&mut states, &batch)).is_err() {
                    continue;
                }
                // What could be fitted comes in the same order.
                let mut tallied = model.quantifiers().iter().zip(&states).peekable();
                for (method, found) in methods.iter().map(Quantifier::method).zip(found) {
                    let fitted = tallied.next_if(|(quantifier, _)| quantifier.method() == method);
                    *found = fitted.map(|(quantifier, state)| quantifier.raw(state)).filter(|raw| raw.is_finite());
                }
            }
        }
        Replicate { found }
    }

    /// The estimates of every group and method, with standard error and interval from the replicates.
    ///
    /// The interval's level and target are those of the reporting; its kind is not for the bootstrap.
    ///
    /// # Errors
    /// None for a bootstrap that could be made.
    ///
    /// # Panics
    /// When these are not replicates of this bootstrap.
    pub fn finish(&self, replicates: &[Replicate], reporting: &Reporting) -> Result<Vec<Estimates>, Error> {
        let quantifiers = self.model.quantifiers();
        let estimate = |group: usize, method: usize, assessed: Option<&Assessed>| {
            let place = group * quantifiers.len() + method;
            let found: Vec<Option<f64>> = replicates.iter().map(|replicate| replicate.found[place]).collect();
            let (states, _) = &self.tallied[group];
            quantifiers[method].estimate(&states[method], Spreading::Replicates(&found), assessed, reporting)
        };
        let estimates = |group: usize| {
            let assessed = self.model.assess(self.tallied[group].1.as_ref(), reporting)?;
            (0..quantifiers.len()).map(|method| estimate(group, method, assessed.as_ref())).collect()
        };
        (0..self.groups.len()).map(estimates).collect()
    }
}

#[cfg(test)]
mod tests;
