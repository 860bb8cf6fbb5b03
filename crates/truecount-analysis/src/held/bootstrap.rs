//! The estimates of many test sets with standard errors and intervals from a bootstrap.

use super::estimates::estimates;
use super::fitted::Fitted;
use super::refused::Failure;
use super::sets::{Set, Sets};
use crate::executor::Executor;
use truecount::{Bootstrap, Estimates, Reporting, Resamples};

/// The estimates of each set, from so many resamples.
///
/// # Errors
/// Those of [`Resamples`], of [`Bootstrap`], and of each set; a stop.
pub fn bootstrap(
    executor: &impl Executor,
    (fitted, check): (&Fitted, bool),
    sets: &Sets,
    reporting: &Reporting,
    resamples: u64,
    seed: u64,
) -> Result<Vec<Estimates>, Failure> {
    let (model, unchecked) = (fitted.checked_if(check), fitted.checked_if(false));
    let weighted = sets.sets.iter().any(|set| set.weights.is_some());
    let resamples = Resamples::new(resamples, weighted, reporting)?;
    resamples.check_room(sets.sets.len() * model.quantifiers().len())?;
    // The library's error does not tell of which set: each is tried.
    estimates(executor, unchecked, sets, reporting)?;
    let batches = sets.sets.iter().map(Set::batch).collect::<Result<Vec<_>, _>>()?;
    let bootstrap = Bootstrap::new(model, batches, seed)?;
    let replicates = executor.map_range(resamples.number(), |number| bootstrap.replicate(number))?;
    Ok(bootstrap.finish(&replicates, &reporting.among(sets.sets.len()))?)
}
