//! What is known of groups together: a total, by their scores or by their sizes, and finite populations.

use super::asked::of_population;
use super::fitted::Fitted;
use super::refused::Failure;
use super::workers::Workers;
use crate::tally::MergedTallies;
use truecount::quantifier::Quantifier;
use truecount::{Error, Estimate, Estimates, Method, Model, Reporting, Tallies, Together, Warning};

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
/// Those of [`Model::finish`], of the group, and of [`Together`].
pub fn finish(
    workers: &impl Workers,
    (fitted, check): (&Fitted, bool),
    tallied: &MergedTallies,
    summed: &Summed,
) -> Result<Finished, Failure> {
    let MergedTallies { contents, together } = tallied;
    let (model, of_all) = (fitted.checked_if(check && together.is_none()), fitted.checked_if(check));
    let groups = summed.groups(workers, model, contents).map_err(Failure::of_set)?;
    let total = summed.total(of_all, contents, &groups)?;
    let warning = match (of_all.check(), together) {
        (Some(check), Some(tally)) => check.warning(tally, 1)?,
        _ => None,
    };
    Ok(Finished { groups, total, warning })
}

impl Summed {
    /// How a group is reported.
    fn of_group(&self, group: usize) -> Reporting {
        self.populations.as_ref().map_or(self.reporting, |sizes| of_population(&self.reporting, sizes[group]))
    }

    /// How all groups together are.
    pub(super) fn of_all(&self) -> Reporting {
        let sum = |sizes: &Vec<f64>| of_population(&self.reporting, sizes.iter().sum());
        self.populations.as_ref().map_or(self.reporting, sum)
    }

    /// The estimates of every group, or an error with the group's number.
    pub(super) fn groups(
        &self,
        workers: &impl Workers,
        model: &Model,
        tallies: &[Tallies],
    ) -> Result<Vec<Estimates>, (usize, Error)> {
        let numbered: Vec<(usize, &Tallies)> = tallies.iter().enumerate().collect();
        let finish = |(group, tallies): &(usize, &Tallies)| {
            let reporting = self.of_group(*group).among(numbered.len());
            model.finish(tallies, &reporting).map_err(|error| (*group, error))
        };
        workers.each(&numbered, finish).into_iter().collect()
    }

    /// The estimates of all groups together, if they are asked for.
    fn total(&self, model: &Model, tallies: &[Tallies], groups: &[Estimates]) -> Result<Option<Estimates>, Error> {
        let Some(weights) = &self.weights else {
            let whole = || model.finish(&merged(tallies)?, &self.of_all());
            return self.total.then(whole).transpose();
        };
        let of = |method: Method| {
            let together = Together::of(model, method)?;
            let mut total = together.total();
            for (estimates, weight) in groups.iter().zip(weights) {
                total.add(by(estimates, method), *weight)?;
            }
            Ok(total.estimate(&self.of_group(0)))
        };
        methods(model).map(of).collect::<Result<_, _>>().map(Some)
    }
}

/// The tallies of all of them; there must be one.
pub(super) fn merged<'a>(tallies: impl IntoIterator<Item = &'a Tallies>) -> Result<Tallies, Error> {
    let mut tallies = tallies.into_iter();
    let first = tallies.next().ok_or(Error::NothingToCompare)?.clone();
    tallies.try_fold(first, |mut whole, part| whole.merge(part).map(|()| whole))
}

/// The methods of a model.
pub(super) fn methods(model: &Model) -> impl Iterator<Item = Method> + '_ {
    model.quantifiers().iter().map(Quantifier::method)
}

/// The estimate by a method of the model.
pub(super) fn by(estimates: &Estimates, method: Method) -> &Estimate {
    estimates.of(method).expect("an estimate by every method")
}
