//! What is asked of groups together: a total, by their scores or by their sizes, and finite populations.

use crate::named::AskedReporting;
use numpy::{PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use truecount_analysis::held::Summed;

/// Whether all groups together are asked for, the weights of the groups, and how many there are of each in the population.
#[derive(FromPyObject)]
pub struct AskedSummed<'py>(bool, Option<PyReadonlyArray1<'py, f64>>, Option<PyReadonlyArray1<'py, f64>>);

impl AskedSummed<'_> {
    pub fn get(&self, reporting: &AskedReporting) -> PyResult<Summed> {
        let Self(total, weights, populations) = self;
        let vec = |array: &Option<PyReadonlyArray1<f64>>| array.as_ref().map(|array| array.to_vec()).transpose();
        let (weights, populations) = (vec(weights)?, vec(populations)?);
        Ok(Summed { reporting: reporting.get()?, total: *total, weights, populations })
    }
}
