//! Tables of counts: a row for each group with its positives, its tested, and sensitivity and specificity, where these differ.

use crate::Progress;
use crate::groups::{GroupedRows, Keys, RowCollector, ScoreColumns, TestFiles};
use crate::input::{self, Decimal};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use truecount::counts::{Rate, RateInterval};
use truecount::{Error, ErrorLocation, IntervalOptions};
use truecount_analysis::counts::CountedGroup;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::CountRow;
use truecount_analysis::{TableProblem, with_denominator};

/// Which table and columns counts are read from.
pub struct CountsFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The columns that tell groups apart.
    pub by: &'a [String],
    /// How numbers are written in text; without it with a point, or as is seen.
    pub decimal: Option<Decimal>,
    /// The sheet of a workbook, if not the first.
    pub sheet: Option<&'a str>,
    /// The column with the numbers of positives.
    pub positives: &'a str,
    /// The column with the numbers of tested.
    pub tested: &'a str,
    /// The sensitivity.
    pub sensitivity: GivenRate<'a>,
    /// The specificity.
    pub specificity: GivenRate<'a>,
}

/// The same for all rows, or a column.
#[derive(Clone, Copy)]
pub enum Given<'a, T> {
    /// The same for all.
    Value(T),
    /// The column that has it.
    Column(&'a str),
}

/// A rate, and its denominator where that stands by itself.
#[derive(Clone, Copy)]
pub struct GivenRate<'a> {
    /// The rate, which may be so many of so many.
    pub rate: Given<'a, Rate>,
    /// Those it was found from.
    pub of: Option<Given<'a, u64>>,
}

impl GivenRate<'_> {
    /// The columns it stands in.
    fn columns(&self) -> impl Iterator<Item = &str> {
        let rate = if let Given::Column(name) = self.rate { Some(name) } else { None };
        let of = if let Some(Given::Column(name)) = self.of { Some(name) } else { None };
        rate.into_iter().chain(of)
    }

    /// That of a row, of which `cells` has the columns, in their order.
    fn in_row<'c>(&self, mut cells: impl Iterator<Item = CountCell<'c>>) -> Result<Rate, Error> {
        let mut next = || cells.next().expect("a cell for each column");
        let (rate, cell) = match self.rate {
            Given::Value(rate) => (rate, None),
            Given::Column(_) => {
                let cell = next();
                (cell.rate()?, Some(cell))
            }
        };
        let of = match self.of {
            None => return Ok(rate),
            Some(Given::Value(of)) => of,
            Some(Given::Column(_)) => next().whole()?,
        };
        with_denominator(rate, of).map_err(|problem| match cell {
            Some(cell) => cell.error(problem),
            None => problem.into(),
        })
    }
}

/// A value in a row, and where it is.
struct CountCell<'a> {
    text: &'a str,
    column: &'a str,
    row: &'a ErrorLocation,
}

impl CountCell<'_> {
    fn error(&self, problem: impl Into<Error>) -> Error {
        self.row.clone().column(self.column).error(problem)
    }

    /// A count; typed tables may have it as a number with decimals that are 0.
    fn whole(&self) -> Result<u64, Error> {
        if self.text.is_empty() {
            return Err(self.error(TableProblem::Empty));
        }
        let number = self.text.parse().ok().and_then(whole);
        number.ok_or_else(|| self.error(TableProblem::NotWhole { value: self.text.to_owned() }))
    }

    fn rate(&self) -> Result<Rate, Error> {
        if self.text.is_empty() {
            return Err(self.error(TableProblem::Empty));
        }
        self.text.parse().map_err(|error: Error| self.error(error))
    }
}

/// A number that is whole, from 0 to 2^53.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is whole, and in the range
fn whole(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    is_whole.then_some(number as u64)
}

impl CountsFile<'_> {
    /// The prevalence of every group, in the order of the rows.
    ///
    /// # Errors
    /// If the table cannot be read, has several rows of a group, or counts and rates that cannot be.
    pub fn estimates(
        &self,
        interval: RateInterval,
        reporting: &IntervalOptions,
        progress: &dyn Progress,
    ) -> Result<(Keys, Vec<CountRow>), Error> {
        let Self { path, by, decimal, sheet, positives, tested, sensitivity, specificity } = self;
        let others: Vec<&str> =
            [*tested].into_iter().chain(sensitivity.columns()).chain(specificity.columns()).collect();
        let columns: Vec<String> =
            by.iter().map(String::as_str).chain(others.iter().copied()).map(str::to_owned).collect();
        let paths: [PathBuf; 1] = [path.to_path_buf()];
        let counts = ScoreColumns { score: Some(positives), probability: None, decimal: *decimal, sheet: *sheet };
        let files =
            TestFiles { paths: &paths, columns: counts, weight: None, by: &columns, fingerprint: None, progress };
        // Every row is a group by all of these columns.
        let GroupedRows { groups, places, unit } = files.read(None, usize::MAX, &RowCollector)?;
        let texts = groups.keys.texts();
        let (mut rows, mut seen) = (Vec::with_capacity(places.len()), HashSet::new());
        for (group, (numbers, (_, place))) in groups.contents.iter().zip(places).enumerate() {
            let row = ErrorLocation::file(input::name(path)).at(unit(place));
            let mut texts: Vec<String> = texts.group_texts(group).collect();
            let values = texts.split_off(by.len());
            let (&[count], true) = (numbers.scores.as_slice(), seen.insert(texts.clone())) else {
                let group = (!by.is_empty()).then(|| texts.join(", "));
                return Err(ErrorLocation::file(input::name(path)).error(TableProblem::GroupTwice { group }));
            };
            let values: Vec<String> = match decimal {
                Some(Decimal::Comma) => values.iter().map(|text| text.replace(',', ".")).collect(),
                _ => values,
            };
            let mut cells =
                values.iter().zip(&others).map(|(text, column)| CountCell { text: text.trim(), column, row: &row });
            let tested = cells.next().expect("the column of the tested").whole()?;
            let sensitivity = sensitivity.in_row(cells.by_ref())?;
            let specificity = specificity.in_row(cells)?;
            let positives = whole(count).ok_or_else(|| {
                row.clone()
                    .column(*positives)
                    .error(TableProblem::NotWhole { value: truecount::Digits(count).to_string() })
            })?;
            let counted = CountedGroup { positives, tested, sensitivity, specificity };
            rows.push(counted.estimate(group, interval, reporting).map_err(|error| row.error(error))?);
        }
        Ok((groups.keys.select_columns(0..by.len()), rows))
    }
}
