//! What is known of groups together: a total, by their scores or by their sizes, and finite populations.

use crate::named::{AskedReporting, of_population};
use crate::parallel::each;
use numpy::{PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use truecount::quantifier::Quantifier;
use truecount::{Error, Estimate, Estimates, Method, Model, Reporting, Tallies, Together};

/// Whether all groups together are asked for, the weights of the groups, and how many there are of each in the population.
#[derive(FromPyObject)]
pub struct AskedSummed<'py>(bool, Option<PyReadonlyArray1<'py, f64>>, Option<PyReadonlyArray1<'py, f64>>);

/// What is asked of groups together.
pub struct Summed {
    reporting: Reporting,
    total: bool,
    pub weights: Option<Vec<f64>>,
    populations: Option<Vec<f64>>,
}

impl AskedSummed<'_> {
    pub fn get(&self, reporting: &AskedReporting) -> PyResult<Summed> {
        let Self(total, weights, populations) = self;
        let vec = |array: &Option<PyReadonlyArray1<f64>>| array.as_ref().map(|array| array.to_vec()).transpose();
        let (weights, populations) = (vec(weights)?, vec(populations)?);
        Ok(Summed { reporting: reporting.get()?, total: *total, weights, populations })
    }
}

impl Summed {
    /// How a group is reported.
    fn of_group(&self, group: usize) -> Reporting {
        self.populations.as_ref().map_or(self.reporting, |sizes| of_population(&self.reporting, sizes[group]))
    }

    /// How all groups together are.
    pub fn of_all(&self) -> Reporting {
        let sum = |sizes: &Vec<f64>| of_population(&self.reporting, sizes.iter().sum());
        self.populations.as_ref().map_or(self.reporting, sum)
    }

    /// The estimates of every group, or an error with the group's number.
    pub fn groups(&self, model: &Model, tallies: &[Tallies]) -> Result<Vec<Estimates>, (Option<usize>, Error)> {
        let numbered: Vec<(usize, &Tallies)> = tallies.iter().enumerate().collect();
        let finish = |(group, tallies): &(usize, &Tallies)| {
            let reporting = self.of_group(*group).among(numbered.len());
            model.finish(tallies, &reporting).map_err(|error| (Some(*group), error))
        };
        each(&numbered, finish).into_iter().collect()
    }

    /// The estimates of all groups together, if they are asked for.
    pub fn total(&self, model: &Model, tallies: &[Tallies], groups: &[Estimates]) -> Result<Option<Estimates>, Error> {
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
pub fn merged<'a>(tallies: impl IntoIterator<Item = &'a Tallies>) -> Result<Tallies, Error> {
    let mut tallies = tallies.into_iter();
    let first = tallies.next().ok_or(Error::NothingToCompare)?.clone();
    tallies.try_fold(first, |mut whole, part| whole.merge(part).map(|()| whole))
}

/// The methods of a model.
pub fn methods(model: &Model) -> impl Iterator<Item = Method> + '_ {
    model.quantifiers().iter().map(Quantifier::method)
}

/// The estimate by a method of the model.
pub fn by(estimates: &Estimates, method: Method) -> &Estimate {
    estimates.of(method).expect("an estimate by every method")
}
