//! What is known of groups together: a total, by their scores or by their sizes, and finite populations.

use super::asked::of_population;
use super::cells::Cells;
use super::fitted::Fitted;
use super::refused::Failure;
use crate::executor::Executor;
use truecount::quantifier::Quantifier;
use truecount::{Error, Estimate, Estimates, Method, Model, Reporting, Together, Warning};

/// What is asked of groups together.
#[derive(Clone, Debug)]
pub struct Summed {
    /// How all is reported.
    pub reporting: Reporting,
    /// Whether all groups together are asked for.
    pub total: bool,
    /// The weights of the groups, if they are not added up by their scores.
    pub weights: Option<Vec<f64>>,
    /// How many there are of each in the population, if that is finite.
    pub populations: Option<Vec<f64>>,
}

/// What is found in tallies.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The estimates of each group.
    pub groups: Vec<Estimates>,
    /// Those of all groups together, where they are asked for.
    pub total: Option<Estimates>,
    /// What the check says of all groups together, where it looks at them so.
    pub warning: Option<Warning>,
}

/// The estimates of tallied groups.
///
/// # Errors
/// Those of [`Cells::together`], of the group, and of [`Together`].
pub fn finish(
    executor: &impl Executor,
    (fitted, check): (&Fitted, bool),
    cells: &Cells,
    summed: &Summed,
) -> Result<Finished, Failure> {
    let (model, of_all) = (fitted.checked_if(check && cells.shift.is_none()), fitted.checked_if(check));
    let groups = cells.each(executor, model, |group| summed.of_group(group)).map_err(Failure::of_set)?;
    let total = match &summed.weights {
        Some(weights) => Some(added_up(&groups, &together(of_all)?, weights, &summed.of_group(0))?),
        None if summed.total => Some(cells.together(of_all, 0..cells.number(), &summed.of_all())?),
        None => None,
    };
    let warning = match (of_all.check(), cells.shift) {
        (Some(check), Some(tally)) => check.warning(tally, 1)?,
        _ => None,
    };
    Ok(Finished { groups, total, warning })
}

impl Summed {
    /// How a group is reported.
    pub(super) fn of_group(&self, group: usize) -> Reporting {
        self.populations.as_ref().map_or(self.reporting, |sizes| of_population(&self.reporting, sizes[group]))
    }

    /// How all groups together are.
    pub(super) fn of_all(&self) -> Reporting {
        let sum = |sizes: &Vec<f64>| of_population(&self.reporting, sizes.iter().sum());
        self.populations.as_ref().map_or(self.reporting, sum)
    }
}

/// All groups by every method, with these weights.
///
/// # Errors
/// Those of [`truecount::Total`], for a weight that is none.
pub fn added_up(
    groups: &[Estimates],
    together: &[(Method, Together)],
    weights: &[f64],
    reporting: &Reporting,
) -> Result<Estimates, Error> {
    let of = |(method, together): &(Method, Together)| {
        let mut total = together.total();
        for (estimates, weight) in groups.iter().zip(weights) {
            total.add(by(estimates, *method), *weight)?;
        }
        Ok(total.estimate(reporting))
    };
    together.iter().map(of).collect()
}

/// What the estimates by each method have in common.
pub(super) fn together(model: &Model) -> Result<Vec<(Method, Together)>, Error> {
    methods(model).map(|method| Ok((method, Together::of(model, method)?))).collect()
}

/// The methods of a model.
pub(super) fn methods(model: &Model) -> impl Iterator<Item = Method> + '_ {
    model.quantifiers().iter().map(Quantifier::method)
}

/// The estimate by a method of the model.
pub(super) fn by(estimates: &Estimates, method: Method) -> &Estimate {
    estimates.of(method).expect("an estimate by every method")
}
