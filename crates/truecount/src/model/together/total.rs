//! The mean of several groups' prevalences, with known weights.

use super::Together;
use crate::inference::{Reporting, Sum};
use crate::{Error, Estimate};

/// Groups' estimates by one method, added up with weights such as the known sizes of the groups.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Method, Model, Reporting, Settings, Together};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let reporting = Reporting::default();
/// let together = Together::of(&model, Method::ES)?;
/// let mut total = together.total();
/// for (scores, size) in [([1.7, 0.2, -0.5, 2.2], 3000.0), ([-0.7, 0.2, -0.5, 0.1], 1000.0)] {
///     total.add(&model.estimate(&scores, &reporting)?[0], size, &reporting)?;
/// }
/// let whole = total.estimate(&reporting);
/// assert_eq!(whole.n, 8);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Total<'a> {
    together: &'a Together,
    sum: Sum,
    n: u64,
    weighted: bool,
}

impl<'a> Total<'a> {
    pub(super) fn new(together: &'a Together) -> Self {
        Self { together, sum: Sum::new(together.functions.shared.len()), n: 0, weighted: false }
    }

    /// Adds a group with its weight.
    ///
    /// # Errors
    /// [`Error::NoCovariance`] for an estimate by another method or model; [`Error::SmallPopulation`];
    /// [`Error::Parameter`] unless the weight is a finite number, at least 0.
    pub fn add(&mut self, estimate: &Estimate, weight: f64, reporting: &Reporting) -> Result<(), Error> {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::Parameter { name: "the weight of a group", value: weight, domain: "at least 0" });
        }
        self.sum.add(weight, &self.together.term(0, estimate, reporting)?);
        self.n += estimate.n;
        self.weighted |= estimate.effective_n.is_some();
        Ok(())
    }

    /// The same without a group that was added with this weight.
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn without(&self, estimate: &Estimate, weight: f64, reporting: &Reporting) -> Result<Self, Error> {
        let mut rest = self.clone();
        rest.sum.add(-weight, &self.together.term(0, estimate, reporting)?);
        rest.n -= estimate.n;
        Ok(rest)
    }

    /// The number of test scores.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The sum of the weights.
    pub fn weight(&self) -> f64 {
        self.sum.weight()
    }

    /// The mean of the groups' prevalences, each with its weight.
    pub fn estimate(&self, reporting: &Reporting) -> Estimate {
        let spread = self.sum.spread(&self.together.functions.shared);
        let effective_n = self.weighted.then_some(spread.effective_n());
        let found = Some(spread.uncertainty(reporting));
        Estimate::with_warnings(self.together.methods[0], (self.n, effective_n), spread.raw(), found, reporting, (Vec::new(), None))
    }

    pub(super) fn sum(&self) -> &Sum {
        &self.sum
    }
}
