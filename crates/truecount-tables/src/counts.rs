//! Tables of counts: one row per group with its positives, its number tested, and optionally its
//! sensitivity and specificity.

use crate::Progress;
use crate::groups::{GroupedRows, Keys, ScoreColumns, SheetChoice, TestFiles, read_sizes};
use crate::input::{self, Decimal, MissingPolicy};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use truecount::Error;
use truecount::counts::Rate;
use truecount::error::ErrorLocation;
use truecount_analysis::TableProblem;
use truecount_analysis::counts::{CountedGroup, with_denominator};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::request::{CountsRequest, Sizes};
use truecount_analysis::standard::Standard;
use truecount_text::{MissingRows, SizeFormat, group_sizes, whole};

/// The table with counts, and the columns to read.
pub struct CountsFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The request, whose counts and rates are names of columns, or rates of all rows.
    pub request: &'a CountsRequest,
    /// The decimal separator of numbers in text; detected by default.
    pub decimal: Option<Decimal>,
    /// The sheet of a workbook.
    pub sheet: SheetChoice<'a>,
    /// The policy for rows without a count or a rate.
    pub missing: MissingPolicy,
}

/// A value for all rows, or a column with a value for each row.
#[derive(Clone, Copy)]
enum ValueOrColumn<'a, T> {
    /// A value for all rows.
    Value(T),
    /// The name of a column.
    Column(&'a str),
}

/// The source of a rate and of its denominator.
#[derive(Clone, Copy)]
struct RateInput<'a> {
    /// The name of the rate, which is also the name of its column in the results.
    name: &'a str,
    /// The rate, which may include a denominator; by default the column with its name.
    rate: Option<ValueOrColumn<'a, Rate>>,
    /// The denominator; by default the column `sensitivity_of` or `specificity_of`, if the table
    /// has it. In a row without a denominator, the rate is as it is without the column.
    denominator: Option<ValueOrColumn<'a, u64>>,
}

/// A column of a rate or of its denominator.
struct NamedRateColumn {
    name: String,
    /// Whether the table may lack the column.
    is_optional: bool,
}

impl<'a, T: FromStr> ValueOrColumn<'a, T> {
    /// Returns the text as a value if it is one, otherwise as the name of a column.
    fn parse(text: &'a str) -> Self {
        text.parse().map_or(Self::Column(text), Self::Value)
    }
}

impl<'a> RateInput<'a> {
    fn new(name: &'a str, rate: Option<&'a str>, denominator: Option<&'a str>) -> Self {
        Self { name, rate: rate.map(ValueOrColumn::parse), denominator: denominator.map(ValueOrColumn::parse) }
    }

    /// Returns the column of the rate. A value replaces the table's own rate, which a row with a
    /// denominator must still have.
    fn rate_column(&self) -> Option<NamedRateColumn> {
        let (name, is_optional) = match (self.rate, self.denominator) {
            (None, _) => (self.name, false),
            (Some(ValueOrColumn::Column(name)), _) => (name, false),
            (Some(ValueOrColumn::Value(_)), None) => (self.name, true),
            (Some(ValueOrColumn::Value(_)), Some(_)) => return None,
        };
        Some(NamedRateColumn { name: name.to_owned(), is_optional })
    }

    fn denominator_column(&self) -> Option<NamedRateColumn> {
        match self.denominator {
            None => Some(NamedRateColumn { name: format!("{}_of", self.name), is_optional: true }),
            Some(ValueOrColumn::Column(name)) => Some(NamedRateColumn { name: name.to_owned(), is_optional: false }),
            Some(ValueOrColumn::Value(_)) => None,
        }
    }

    fn columns(&self) -> impl Iterator<Item = NamedRateColumn> {
        self.rate_column().into_iter().chain(self.denominator_column())
    }

    /// Returns the rate of a row. `cells` are the row's cells of [`columns`](Self::columns), in order.
    fn in_row<'c>(&self, mut cells: impl Iterator<Item = CountCell<'c>>) -> Result<Rate, Error> {
        let mut next = |column: Option<NamedRateColumn>| column.map(|_| cells.next().expect("a cell for each column"));
        let (rate_cell, denominator_cell) = (next(self.rate_column()), next(self.denominator_column()));
        let rate = match (self.rate, &rate_cell) {
            (Some(ValueOrColumn::Value(rate)), _) => rate,
            (_, cell) => cell.as_ref().expect("a column without a value").rate()?,
        };
        let denominator_cell = denominator_cell.filter(|cell| !cell.text.is_empty());
        let denominator = match (self.rate, self.denominator, denominator_cell) {
            (Some(ValueOrColumn::Value(_)), None, Some(cell)) => {
                let has_own_rate = rate_cell.is_some_and(|own| !own.text.is_empty());
                let problem = || TableProblem::DenominatorWithoutRate { rate: self.name.to_owned() };
                return if has_own_rate { Ok(rate) } else { Err(cell.error(problem())) };
            }
            (_, Some(ValueOrColumn::Value(denominator)), _) => denominator,
            (_, _, Some(cell)) => cell.whole()?,
            (_, _, None) => return Ok(rate),
        };
        with_denominator(rate, denominator).map_err(|problem| match &rate_cell {
            Some(cell) => cell.error(problem),
            None => problem.into(),
        })
    }
}

/// The text of a cell, with its location.
struct CountCell<'a> {
    text: &'a str,
    column: &'a str,
    row: &'a ErrorLocation,
    decimal: Option<Decimal>,
}

impl CountCell<'_> {
    fn error(&self, problem: impl Into<Error>) -> Error {
        self.row.clone().column(self.column).error(problem)
    }

    /// Returns the text, unless the cell has no value.
    fn value(&self) -> Result<&str, Error> {
        match TableProblem::without_value(self.text) {
            Some(problem) => Err(self.error(problem)),
            None => Ok(self.text),
        }
    }

    /// Parses a count; in typed tables it may be a floating-point number with an integer value.
    fn whole(&self) -> Result<u64, Error> {
        let text = self.value()?;
        let has_comma = self.decimal == Some(Decimal::Comma);
        let parsed = if has_comma { text.replace(',', ".").parse() } else { text.parse() };
        let number = parsed.ok().and_then(whole);
        number.ok_or_else(|| self.error(TableProblem::ValueNotWhole { value: text.to_owned() }))
    }

    fn rate(&self) -> Result<Rate, Error> {
        self.value()?.parse().map_err(|error: Error| self.error(error))
    }
}

impl CountsFile<'_> {
    /// Reads the sizes of the groups in a standard population.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read, or if a group has no size.
    pub fn standard(&self, path: &Path, keys: &Keys, progress: &dyn Progress) -> Result<Standard, Error> {
        let read = |path: &Path, by: &[String], may_lack| read_sizes(path, by, may_lack, (self.decimal, progress));
        let (sizes, format) = (Sizes::Table(path.to_owned()), SizeFormat { decimal: self.decimal, read: &read });
        let sizes = group_sizes(keys, self.request.by.len(), [Some(&sizes), None], &format)?.1;
        Ok(sizes.standard.expect("a standard population was requested"))
    }

    /// Reads the counts and rates of every group with their locations, in the order of the rows.
    ///
    /// # Errors
    /// Returns an error if the table cannot be read, or has several rows for a group.
    pub fn read(&self, progress: &dyn Progress) -> Result<(Keys, Vec<CountedGroup>, Vec<ErrorLocation>), Error> {
        let Self { path, request, decimal, sheet, missing } = self;
        let CountsRequest { by, positives, tested, sensitivity_of, specificity_of, .. } = request;
        let positives = positives.as_deref().unwrap_or("positives");
        let tested = tested.as_deref().unwrap_or("tested");
        let sensitivity = RateInput::new("sensitivity", request.sensitivity.as_deref(), sensitivity_of.as_deref());
        let specificity = RateInput::new("specificity", request.specificity.as_deref(), specificity_of.as_deref());
        let rate_columns: Vec<NamedRateColumn> = sensitivity.columns().chain(specificity.columns()).collect();
        let text_columns: Vec<&str> =
            [tested].into_iter().chain(rate_columns.iter().map(|column| column.name.as_str())).collect();
        let columns: Vec<String> =
            by.iter().map(String::as_str).chain(text_columns.iter().copied()).map(str::to_owned).collect();
        let is_required = |name: &String| {
            let required = rate_columns.iter().filter(|column| !column.is_optional).map(|column| &column.name);
            by.iter().chain(required).any(|column| column == name) || name == tested
        };
        let optional: Vec<String> = columns.iter().filter(|name| !is_required(name)).cloned().collect();
        let paths: [PathBuf; 1] = [path.to_path_buf()];
        let counts = ScoreColumns {
            score: Some(positives),
            decimal: *decimal,
            sheet: *sheet,
            missing: Some(*missing),
            ..ScoreColumns::default()
        };
        let files = TestFiles::new(&paths, counts, &columns, progress);
        // Grouping by all columns but the count keeps the rows apart.
        let GroupedRows { groups, first_rows, unit } = files.read_rows(&optional)?;
        let texts = groups.keys.texts();
        let last_row = first_rows.last().map(|(_, row_number)| *row_number);
        let (mut rows, mut locations, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let (mut incomplete, mut complete) = (MissingRows::default(), Vec::new());
        for (group, (numbers, (_, row_number))) in groups.contents.iter().zip(first_rows).enumerate() {
            let row = ErrorLocation::file(input::name(path)).at(unit(row_number));
            let mut texts: Vec<String> = texts.group_texts(group).collect();
            let values = texts.split_off(by.len());
            let (&[count], true) = (numbers.scores.as_slice(), seen.insert(texts.clone())) else {
                let group = (!by.is_empty()).then(|| texts.join(", "));
                return Err(ErrorLocation::file(input::name(path)).error(TableProblem::GroupTwice { group }));
            };
            let mut cells = values.iter().zip(&text_columns).map(|(text, column)| CountCell {
                text: text.trim(),
                column,
                row: &row,
                decimal: *decimal,
            });
            let mut read = || {
                let tested = cells.next().expect("the column of the tested").whole()?;
                Ok((tested, sensitivity.in_row(cells.by_ref())?, specificity.in_row(cells.by_ref())?))
            };
            let (tested, sensitivity, specificity) = match read() {
                Ok(values) => values,
                Err(error) => {
                    incomplete.add(error, row_number, texts)?;
                    continue;
                }
            };
            let positives = whole(count).ok_or_else(|| {
                row.clone()
                    .column(positives)
                    .error(TableProblem::ValueNotWhole { value: truecount::internal::Digits(count).to_string() })
            })?;
            rows.push(CountedGroup { positives, tested, sensitivity, specificity });
            locations.push(row);
            complete.push(u32::try_from(group).expect("fewer groups than rows"));
        }
        let mut all = MissingRows::default();
        all.merge(0, incomplete, rows.len(), last_row);
        all.finish(Some(*missing), &paths, progress.begin(&input::name(path), None).as_ref())?;
        Ok((groups.keys.select_columns(0..by.len()).select_groups(&complete), rows, locations))
    }
}
