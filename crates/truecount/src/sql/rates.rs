//! The table of fitted rates: one row for each averaged function, with the constants that turn its
//! mean into an estimate.

use super::names::format_number;
use super::values::ONE;
use crate::PerClass;
use crate::inference::EffectiveSampleSize;
use crate::quantifier::EstimatorCoefficients;

/// The value below which variances and third moments are set to 0, so that their products do not
/// underflow.
const UNDERFLOW: f64 = 1e-60;

/// The number of labelled scores that stands for infinitely many, for methods that estimate nothing
/// from labels.
const INFINITE_SAMPLE: f64 = 1e100;

/// An averaged function of a method.
pub(super) struct RateRow {
    pub(super) method: String,
    /// The index of the function's mean.
    pub(super) place: usize,
    pub(super) rated: EstimatorCoefficients,
}

/// Returns the number, or 0 if products with it could underflow.
pub(super) fn flush_to_zero(value: f64) -> f64 {
    if value.abs() < UNDERFLOW { 0.0 } else { value }
}

/// The columns that a table of rates has.
#[derive(Clone, Copy)]
pub(super) struct RateColumns {
    /// Whether some means are themselves the estimates, as for uncorrected counts.
    pub(super) biased: bool,
    /// Whether the test and training influence functions of all methods are the same.
    ///
    /// One variance and one third moment per class then suffice.
    pub(super) plain: bool,
    /// The number of labelled scores in each class.
    labelled: PerClass<f64>,
    /// The effective numbers of labelled scores, if they have weights, clusters or strata.
    design: Option<EffectiveNumbers>,
}

/// Effective numbers of labelled scores with weights, clusters or strata.
#[derive(Clone, Copy)]
struct EffectiveNumbers {
    /// The effective sample size of each class.
    effective: PerClass<f64>,
    /// The number of sampling units in each class.
    units: PerClass<f64>,
    /// The number of units of both classes, if they are not drawn independently.
    common_units: Option<f64>,
}

impl RateColumns {
    /// Determines the columns that these rows need.
    pub(super) fn for_rows(rows: &[&RateRow]) -> Self {
        let rows = || rows.iter().copied();
        Self {
            biased: rows().any(RateRow::is_biased),
            plain: rows().all(RateRow::is_plain),
            labelled: rows()
                .find_map(RateRow::labelled)
                .unwrap_or(PerClass { positive: INFINITE_SAMPLE, negative: INFINITE_SAMPLE }),
            design: rows().find_map(RateRow::design),
        }
    }

    /// Returns columns with the numbers of labelled scores and their degrees of freedom, which are
    /// the same for all methods.
    pub(super) fn labelled_columns(self) -> Vec<(String, String)> {
        let column = |name: &str, n: f64| {
            let n = if self.biased {
                format!("CASE WHEN biased > 0E0 THEN {} ELSE {} END", format_number(INFINITE_SAMPLE), format_number(n))
            } else {
                format_number(n)
            };
            (name.to_owned(), format!("{n} * {ONE}"))
        };
        let PerClass { positive, negative } = self.labelled;
        let free = |n: f64| (n - 1.0).max(1.0);
        let units = self.design.map_or(self.labelled, |design| design.units);
        let mut columns = vec![
            column("labelled_p", positive),
            column("labelled_n", negative),
            column("dof_p", free(units.positive)),
            column("dof_n", free(units.negative)),
        ];
        if let Some(EffectiveNumbers { effective, .. }) = self.design {
            columns.extend([column("effective_p", effective.positive), column("effective_n", effective.negative)]);
        }
        if let Some(units) = self.common_units() {
            columns.push(column("dof_max", free(units)));
        }
        columns
    }

    /// Returns the column with the effective sample size of a class.
    pub(super) fn effective_n(self, class: &str) -> String {
        format!("{}_{class}", if self.design.is_some() { "effective" } else { "labelled" })
    }

    /// Returns the number of sampled units of labelled scores, if the classes are not drawn
    /// independently: with clusters or strata.
    ///
    /// There are then additional columns: `dof_max`, the maximum number of degrees of freedom, and
    /// `shared`, twice the covariance of the two classes' training influences.
    pub(super) fn common_units(self) -> Option<f64> {
        self.design?.common_units
    }

    /// Returns the column with the variance of the training influence of a class.
    pub(super) fn training_variance(self, class: &str) -> String {
        format!("{}_{class}", if self.plain { "test" } else { "training" })
    }

    /// Returns the column with one of the third moments of a class.
    pub(super) fn third_moment(self, which: &str, class: &str) -> String {
        format!("{}_{class}", if self.plain { "third" } else { which })
    }

    /// Returns the table of rates as a query.
    pub(super) fn table(self, rows: &[RateRow]) -> String {
        let mut selects = Vec::with_capacity(rows.len());
        for row in rows {
            let columns = row.columns(self);
            let named = |(name, value): &(&str, String)| format!("{value} AS {name}");
            let columns: Vec<String> = if selects.is_empty() {
                columns.iter().map(named).collect()
            } else {
                columns.into_iter().map(|(_, value)| value).collect()
            };
            selects.push(format!("SELECT {}", columns.join(", ")));
        }
        selects.join("\n  UNION ALL ")
    }
}

impl RateRow {
    /// Returns whether the mean itself is the estimate.
    fn is_biased(&self) -> bool {
        self.rated.precision.is_none()
    }

    /// Returns the numbers of labelled scores; `None` if the mean itself is the estimate.
    fn labelled(&self) -> Option<PerClass<f64>> {
        let labelled = self.rated.precision?.labelled.expect("learnt from labelled scores");
        Some(labelled.map(|n| *n as f64))
    }

    /// Returns the effective numbers of labelled scores, if they have weights, clusters or strata.
    fn design(&self) -> Option<EffectiveNumbers> {
        let precision = self.rated.precision.filter(|precision| precision.sample_size != EffectiveSampleSize::PLAIN)?;
        let labelled = precision.labelled.expect("learnt from labelled scores");
        let (effective, units) = (precision.sample_size.effective(&labelled), precision.sample_size.units(&labelled));
        Some(EffectiveNumbers { effective, units, common_units: precision.sample_size.common_units(&labelled) })
    }

    /// Returns whether the test and training influence functions are the same.
    fn is_plain(&self) -> bool {
        self.rated.precision.is_some_and(|precision| {
            let PerClass { positive, negative } = precision.third;
            let all_one = [positive, negative]
                .iter()
                .all(|third| [third.training, third.test_covariance, third.training_covariance] == [third.score; 3]);
            all_one && precision.test == precision.training
        })
    }

    /// Returns the names and values of the row's columns.
    fn columns(&self, rate_columns: RateColumns) -> Vec<(&'static str, String)> {
        let EstimatorCoefficients { negative, distance, variances, precision } = &self.rated;
        let mut columns = vec![("method", format!("'{}'", self.method)), ("place", self.place.to_string())];
        let (of_mean, unit) = if precision.is_some() { (*negative, *distance) } else { (0.0, 1.0) };
        columns.extend([("negative", format_number(of_mean)), ("distance", format_number(unit))]);
        let mut add = |names: [&'static str; 2], values: PerClass<f64>| {
            columns.push((names[0], format_number(flush_to_zero(values.positive))));
            columns.push((names[1], format_number(flush_to_zero(values.negative))));
        };
        let (training, third) =
            precision.map(|precision| (precision.training, precision.third_with_unseen())).unwrap_or_default();
        add(["test_p", "test_n"], precision.map_or(*variances, |precision| precision.test));
        let unseen = precision.map_or_else(PerClass::default, |precision| precision.unseen.map(|unseen| unseen.square));
        add(["unseen_p", "unseen_n"], unseen);
        if rate_columns.plain {
            add(["third_p", "third_n"], third.map(|third| third.score));
        } else {
            add(["training_p", "training_n"], training);
            add(["whole_p", "whole_n"], third.map(|third| third.score));
            add(["cube_p", "cube_n"], third.map(|third| third.training));
            add(["cross_p", "cross_n"], third.map(|third| third.test_covariance));
            add(["own_p", "own_n"], third.map(|third| third.training_covariance));
        }
        if rate_columns.common_units().is_some() {
            let covariance = precision.map_or(0.0, |precision| 2.0 * precision.covariance());
            columns.push(("shared", format_number(flush_to_zero(covariance))));
        }
        if rate_columns.biased {
            // If the class means are equal, the prevalence is set to ½.
            let (base, slope) = if *distance == 0.0 { (0.5, 0.0) } else { (-negative / distance, distance.recip()) };
            let constants = [
                ("biased", f64::from(u8::from(self.is_biased()))),
                ("clipped_base", base),
                ("clipped_slope", slope),
                ("square", if self.is_biased() { distance * distance } else { 1.0 }),
            ];
            columns.extend(constants.map(|(name, value)| (name, format_number(value))));
        }
        columns
    }
}
