//! Analyses of estimates by the first method of a model.

use super::Model;
use crate::compare::{Difference, JointErrors, Overlap};
use crate::inference::IntervalOptions;
use crate::monitor::{MonitorOptions, MonitorResult, Period};
use crate::plan::Planner;
use crate::{Error, Estimate};

impl Model {
    /// Returns the difference of two estimates by one method of the model, from test samples without
    /// common items, with the level of the first estimate. Both rest on the same labelled scores, and
    /// the standard error allows for it.
    ///
    /// The target is that of the two estimates. By default it is the sample: did the share change among
    /// these very items? Whether it changed in the population that they were drawn from is answered by
    /// estimates with [`Target::Population`](crate::Target::Population).
    ///
    /// [`JointErrors`](crate::compare::JointErrors) is for samples with common items, for several methods or models, and for many
    /// differences.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`JointErrors::new`](crate::compare::JointErrors::new) and
    /// [`JointErrors::difference`](crate::compare::JointErrors::difference).
    ///
    /// # Examples
    /// ```
    /// use truecount::{LabelledScores, Model, Settings};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let january = model.estimate(&[-0.7, 0.2, -0.5, 0.1])?;
    /// let february = model.estimate(&[1.7, 0.2, -0.5, 2.2])?;
    /// let change = model.difference(&february[0], &january[0])?;
    /// println!("{:+.2}, p = {:.2}", change.difference, change.p_value);
    /// # Ok(()) }
    /// ```
    pub fn difference(&self, first: &Estimate, second: &Estimate) -> Result<Difference, Error> {
        let options = IntervalOptions::default().with_level(first.level)?;
        JointErrors::new(self, first.method)?.difference(first, second, Overlap::None, &options)
    }

    /// Returns a planner of sample sizes for the first method, with the labelled scores as the pilot
    /// sample, at one prevalence or at the worst.
    ///
    /// # Errors
    /// Returns the errors of [`Quantifier::planner`](crate::quantifier::Quantifier::planner).
    pub fn planner(&self, prevalence: Option<f64>, options: &IntervalOptions) -> Result<Planner, Error> {
        self.quantifiers()[0].planner(prevalence, options)
    }

    /// Monitors periods in ascending order of time with estimates by the first method.
    ///
    /// # Errors
    /// Returns the errors of [`JointErrors::new`] and [`JointErrors::monitor`].
    pub fn monitor(
        &self,
        periods: &[Period],
        options: &MonitorOptions,
        interval_options: &IntervalOptions,
    ) -> Result<MonitorResult, Error> {
        JointErrors::new(self, self.quantifiers()[0].method())?.monitor(periods, options, interval_options)
    }
}
