//! Prevalences from counts of positive tests and published error rates.

use crate::differences::{Differences, PyLevels, PyNames, PyReference, group_differences};
use crate::error::raised;
use crate::estimates::columns;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use std::iter;
use truecount::counts::Rate;
use truecount::{Error, Estimates};
use truecount_analysis::counts::CountedGroup;
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

/// The level, the target and the type of the intervals.
type PyCountOptions = (f64, String, String);

impl PyCounts<'_> {
    fn rows(&self, py: Python<'_>, request: &CountsRequest) -> PyResult<Vec<CountRow>> {
        let Self(positives, tested, sensitivity, specificity) = self;
        let rates = sensitivity.rates(py, "sensitivity")?.into_iter().zip(specificity.rates(py, "specificity")?);
        let counts = positives.as_slice()?.iter().zip(tested.as_slice()?);
        let groups: Vec<CountedGroup> = counts
            .zip(rates)
            .map(|((positives, tested), (sensitivity, specificity))| CountedGroup {
                positives: whole(*positives),
                tested: whole(*tested),
                sensitivity,
                specificity,
            })
            .collect();
        request.rows(&groups, &[]).map_err(raised)
    }
}

fn request((level, target, interval): PyCountOptions) -> CountsRequest {
    CountsRequest { level, target, interval, ..CountsRequest::default() }
}

/// Estimates the prevalence of each row, and with `total` that of all rows together. Returns the columns
/// of the estimates and of the total, and the sources of uncertainty in standard errors and intervals.
///
/// Errors name the row if there are several.
#[pyfunction]
pub fn counts<'py>(
    py: Python<'py>,
    counts: PyCounts<'py>,
    options: PyCountOptions,
    total: bool,
    grouped: bool,
) -> PyResult<(Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, &'static str)> {
    let by = grouped.then(|| "by".to_owned()).into_iter().collect();
    let request = CountsRequest { by, total, ..request(options) };
    let rows = counts.rows(py, &request)?;
    let total = total.then(|| request.overall(&rows)).transpose().map_err(raised)?;
    let total = total.map(|total| columns(py, &[iter::once(total.row.estimate).collect()])).transpose()?;
    let estimates: Estimates = rows.into_iter().map(|row| row.row.estimate).collect();
    let (interval, _) = request.interval_options().map_err(raised)?;
    Ok((columns(py, &[estimates])?, total, interval.accounts_for()))
}

/// Compares the prevalences of the rows, which are groups, with a reference.
#[pyfunction]
pub fn compare_counts<'py>(
    py: Python<'py>,
    counts: PyCounts<'py>,
    options: PyCountOptions,
    levels: PyLevels<'py>,
    reference: PyReference,
    names: PyNames,
) -> PyResult<Differences<'py>> {
    let request = request(options);
    let rows = counts.rows(py, &request)?;
    let (levels, reference, names) = (levels.parse()?, reference.parse()?, TextNames::from_columns(names));
    let result = request.differences(&rows, &names, (&levels, &reference)).map_err(raised)?;
    group_differences(py, &result, &names)
}
