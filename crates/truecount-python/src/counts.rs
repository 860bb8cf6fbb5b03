//! Prevalences from counts of positive tests and published error rates.

use crate::differences::{Differences, PyLevels, PyNames, PyReference, group_differences};
use crate::error::raised;
use crate::estimates::columns;
use crate::options::Options;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use truecount::counts::Rate;
use truecount::{Error, Estimates};
use truecount_analysis::compare::count_differences;
use truecount_analysis::counts::{CountedGroup, count_rows};
use truecount_analysis::groups::TextNames;
use truecount_analysis::request::CountsRequest;
use truecount_analysis::results::CountRow;

/// A column of rates: shares, or counts with their denominators; or texts such as `90/100`.
#[derive(FromPyObject)]
pub enum RateColumn<'py> {
    Numbers(PyReadonlyArray1<'py, f64>, Option<PyReadonlyArray1<'py, f64>>),
    Texts(Vec<String>),
}

impl RateColumn<'_> {
    /// Returns the rate of each row. Errors name the column and the row.
    fn rates(&self, py: Python<'_>, name: &str) -> PyResult<Vec<Rate>> {
        match self {
            Self::Numbers(shares, None) => Ok(shares.as_slice()?.iter().map(|share| Rate::Exact(*share)).collect()),
            Self::Numbers(counts, Some(denominators)) => {
                let pairs = counts.as_slice()?.iter().zip(denominators.as_slice()?);
                Ok(pairs.map(|(count, of)| Rate::Counted { count: whole(*count), of: whole(*of) }).collect())
            }
            Self::Texts(texts) => {
                let at_column = |error: PyErr| -> PyResult<PyErr> {
                    let field = [("column", name)].into_py_dict(py)?;
                    Ok(PyErr::from_value(error.value(py).call_method("at", (name,), Some(&field))?))
                };
                let rate = |(row, text): (usize, &String)| {
                    let located = |error: Error| if texts.len() > 1 { error.at_row(row) } else { error };
                    let parsed = text.parse::<Rate>().map_err(|error| raised(located(error)));
                    parsed.map_err(|error| at_column(error).unwrap_or_else(|error| error))
                };
                texts.iter().enumerate().map(rate).collect()
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the caller passes whole numbers
fn whole(count: f64) -> u64 {
    count as u64
}

/// Columns of counts from Python: the numbers of positives and of the tested, the sensitivity, and the
/// specificity. All have the same length, and counts are whole numbers.
#[derive(FromPyObject)]
pub struct PyCounts<'py>(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>, RateColumn<'py>, RateColumn<'py>);

impl PyCounts<'_> {
    fn groups(&self, py: Python<'_>) -> PyResult<Vec<CountedGroup>> {
        let Self(positives, tested, sensitivity, specificity) = self;
        let rates = sensitivity.rates(py, "sensitivity")?.into_iter().zip(specificity.rates(py, "specificity")?);
        let counts = positives.as_slice()?.iter().zip(tested.as_slice()?).zip(rates);
        let group = |((positives, tested), (sensitivity, specificity)): ((&f64, &f64), (Rate, Rate))| CountedGroup {
            positives: whole(*positives),
            tested: whole(*tested),
            sensitivity,
            specificity,
        };
        Ok(counts.map(group).collect())
    }
}

/// Estimates the prevalence of each row, and with `total` that of all rows together. Returns the columns
/// of the estimates and of the total, and the sources of uncertainty in standard errors and intervals.
///
/// Errors name the row if there are several.
#[pyfunction]
pub fn counts<'py>(
    py: Python<'py>,
    counts: PyCounts<'py>,
    options: Options<'py>,
) -> PyResult<(Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, &'static str)> {
    let request: CountsRequest = options.read()?;
    let output = request.run(TextNames::none(), &counts.groups(py)?, &[]).map_err(raised)?;
    let (groups, total) = output.rows.split_at(output.groups().len());
    let estimates = |rows: &[CountRow]| -> Estimates { rows.iter().map(|row| row.row.estimate.clone()).collect() };
    let total = (!total.is_empty()).then(|| columns(py, &[estimates(total)], None)).transpose()?;
    Ok((columns(py, &[estimates(groups)], None)?, total, output.interval.accounts_for()))
}

/// Compares the prevalences of the rows, which are groups, with a reference.
#[pyfunction]
pub fn compare_counts<'py>(
    py: Python<'py>,
    counts: PyCounts<'py>,
    options: Options<'py>,
    levels: PyLevels<'py>,
    reference: PyReference,
    names: PyNames,
) -> PyResult<Differences<'py>> {
    let (interval, options) = options.read::<CountsRequest>()?.interval_options().map_err(raised)?;
    let rows = count_rows(&counts.groups(py)?, &[], interval, &options).map_err(raised)?;
    let (levels, reference, names) = (levels.parse()?, reference.parse()?, TextNames::from_columns(names));
    let result = count_differences(&rows, &names, (&levels, &reference), interval, &options).map_err(raised)?;
    group_differences(py, &result, &names)
}
