//! Planners of sample sizes for the shares of several classes, with the labelled rows as the pilot.
//!
//! Unlabelled rows and further labelled ones are expected to have the mix of the pilot. If a class has the share p
//! and the others keep their proportions, its estimated share has the variance
//!
//! ```text
//! V(p) = t(p)/n + w(p) (p²/n₊ + (1−p)²/n₋)
//! ```
//!
//! with n₊ labelled rows of the class and n₋ others. t and w follow from the covariance that the method has for the
//! pilot's own rows, so the class is planned for as the positives of two classes are.

use super::estimate::{self, interval};
use super::linear::LinearShares;
use super::mixture::ClassMixture;
use super::model::{FittedClasses, with_share};
use super::sampling::ShareErrors;
use super::{ClassWarning, MulticlassModel};
use crate::inference::{IntervalOptions, Precision};
use crate::plan::{HalfWidth, Planner, WorstCaseSearch};
use crate::quantifier::{Operation, UnsupportedOperation};
use crate::{Error, PerClass, Problem};
use std::borrow::Cow;

/// The number of steps between the shares at which an interval has its own precision.
const STEPS: u32 = 20;

impl MulticlassModel {
    /// Returns the number of labelled rows of each class.
    pub fn labelled_counts(&self) -> Vec<u64> {
        self.in_callers_order(|class| self.counts[class])
    }

    /// Returns a planner for the share of each class. Its positives are the rows of the class, and plans need a fixed
    /// [`ClassSplit::Share`](crate::plan::ClassSplit::Share) of them, that of the labelled rows.
    ///
    /// # Errors
    /// Returns the error of [`Operation::Plan`] for `cc` and `sld`, [`Problem::PilotSharesUnknown`] if as many rows as
    /// are labelled do not determine the shares, and [`Problem::ClassesNotSeparated`] if the precision is not finite.
    pub fn planners(&self, options: &IntervalOptions) -> Result<Vec<Planner>, Error> {
        if self.method.is_uncorrected() {
            let (why, able) = (Some("the labelled rows do not correct"), vec!["ml", "ac", "pacc"]);
            let error = Operation::Plan.unsupported_by([self.method]);
            return Err(UnsupportedOperation { why, able, ..error }.into());
        }
        for warning in self.pilot_warnings(options) {
            if let ClassWarning::SharesUnknown { class, .. } = warning {
                return Err(Problem::PilotSharesUnknown { class }.into());
            }
        }
        let (errors, shares) = self.pilot_errors();
        let planner = |class: usize| {
            let positive = self.counts[class];
            let counts = PerClass { positive, negative: self.counts.iter().sum::<u64>() - positive };
            let precision = |share: f64| {
                let [all, test] = errors.variances(class, &with_share(&shares, class, share), 1.0, 0.0);
                let rows = share * share / counts.positive as f64 + (1.0 - share).powi(2) / counts.negative as f64;
                let [test, training] =
                    [test, (all - test) / rows].map(|v| PerClass { positive: v.max(0.0), negative: v.max(0.0) });
                Precision::new(test, training, PerClass::default(), Some(counts))
            };
            let precisions = (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
            let precisions = precisions.map(|share| (share, precision(share))).collect();
            let share = (Some(shares[class]), WorstCaseSearch::Exact);
            let planner = Planner::new(|share| vec![precision(share)], share, options)?;
            let half_width = |(share, std_error): (f64, f64), quantile: f64, variance: &dyn Fn(f64) -> f64| {
                0.5 * interval(share, std_error, quantile, |share| [variance(share), 0.0, 0.0]).0.width()
            };
            Ok(planner.with_half_width(HalfWidth::ClassInterval(half_width, precisions)))
        };
        self.in_callers_order(planner).into_iter().collect()
    }

    /// Returns the warnings about the shares of as many unlabelled rows as there are labelled ones, with the same mix.
    pub fn pilot_warnings(&self, options: &IntervalOptions) -> Vec<ClassWarning> {
        let (n, (errors, shares)) = (self.counts.iter().sum(), self.pilot_errors());
        let covariance = errors.covariance(n as f64, options.finite_population_correction(n).unwrap_or(0.0));
        let shares = (&shares[..], &shares[..], &covariance);
        estimate::warnings(self.labelled_classes(), shares, (None, None), options)
    }

    /// Estimates the shares of the labelled rows. Also returns the shares themselves.
    fn pilot_errors(&self) -> (Box<dyn ShareErrors + '_>, Vec<f64>) {
        let n = self.sizes.iter().sum::<f64>();
        let errors: Box<dyn ShareErrors> = match &self.fitted {
            FittedClasses::Mixture(rows, calibration) => {
                let errors = calibration.as_ref().map(|calibration| &calibration.errors);
                Box::new(ClassMixture::new((rows, &self.weights, n), (rows, &self.weights, &self.sizes), errors))
            }
            FittedClasses::Means(means) => {
                Box::new(LinearShares::new(means, Cow::Borrowed(&means.means), (&self.sizes, n)))
            }
        };
        (errors, self.sizes.iter().map(|size| size / n).collect())
    }
}
