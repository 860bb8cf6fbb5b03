//! Chunks of rows: validated numbers, texts of grouping columns, and row numbers.

use crate::missing::{MissingPolicy, MissingRows};
use truecount::error::{Field, Position, Problem};
use truecount::{Error, LabelledScores, Model};
use truecount_analysis::{SCORE, ScoreValues, TableProblem};

/// The decimal separator of numbers in text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimal {
    /// 0.25
    #[default]
    Point,
    /// 0,25
    Comma,
}

impl Decimal {
    /// Returns the decimal separator of a number: the last point or comma in it, since any before
    /// separate thousands.
    pub fn detect(cell: &[u8]) -> Option<Self> {
        Some(if cell[memchr::memrchr2(b',', b'.', cell)?] == b',' { Self::Comma } else { Self::Point })
    }

    /// Returns the decimal separator of a number, unless it may separate thousands: a comma before
    /// three digits that follow one to three digits, not all of them 0.
    pub fn detect_certain(cell: &[u8]) -> Option<Self> {
        let number = cell.trim_ascii().strip_prefix(b"-").unwrap_or(cell.trim_ascii());
        let decimal = Self::detect(number)?;
        let mut parts = number.split(|byte| *byte == b',');
        let is_group = |part: &[u8]| part.len() == 3 && part.iter().all(u8::is_ascii_digit);
        let (first, may_be_thousands) = (parts.next()?, parts.clone().all(is_group));
        let may_be_thousands = may_be_thousands && (1..=3).contains(&first.len()) && first[0] != b'0';
        (decimal == Self::Point || !may_be_thousands).then_some(decimal)
    }

    /// Rewrites a number with a decimal point; `None` if it contains the other separator.
    pub fn to_decimal_point(self, text: &str) -> Option<String> {
        match self {
            Self::Point => Some(text.to_owned()),
            Self::Comma => (!text.contains('.')).then(|| text.replace(',', ".")),
        }
    }
}

/// The sheet of a workbook that is read.
#[derive(Clone, Copy, Default)]
pub enum SheetChoice<'a> {
    /// The first visible sheet.
    #[default]
    First,
    /// The sheet with this name. The table must be a workbook.
    Named(&'a str),
    /// The sheet that was named for another table, if this table is a workbook too.
    Shared(&'a str),
}

impl<'a> SheetChoice<'a> {
    /// Returns the sheet with a name, if one is given.
    pub fn named(name: Option<&'a str>) -> Self {
        name.map_or(Self::First, Self::Named)
    }

    /// Returns the sheet of another table, whose name, if one is given, replaces the name of this
    /// sheet.
    #[must_use]
    pub fn for_other_table(self, name: Option<&'a str>) -> Self {
        match (name, self) {
            (Some(name), _) => Self::Named(name),
            (None, Self::Named(name)) => Self::Shared(name),
            (None, choice) => choice,
        }
    }

    /// Returns the name of the sheet; `None` for the first.
    pub fn name(self) -> Option<&'a str> {
        match self {
            Self::First => None,
            Self::Named(name) | Self::Shared(name) => Some(name),
        }
    }
}

/// How a column of scores with words is read.
#[derive(Clone, Copy)]
pub enum ScoreWords<'a> {
    /// Two verdicts of a test, of which this one is 1 and the other one 0.
    Verdicts(&'a str),
    /// Any words, which are all 0: the column is read only because rows need a score.
    Any,
}

/// Names of the columns with scores and probabilities, and how to read them.
#[derive(Clone, Copy, Default)]
pub struct ScoreColumns<'a> {
    /// The column with the scores. By default `score`, or the column of probabilities if a table
    /// has no `score`.
    pub score: Option<&'a str>,
    /// The column with a classifier's probabilities of being positive.
    pub probability: Option<&'a str>,
    /// The columns with the probabilities of several classes.
    pub classes: &'a [String],
    /// The decimal separator of all numbers in text; detected by default.
    pub decimal: Option<Decimal>,
    /// The sheet of workbooks.
    pub sheet: SheetChoice<'a>,
    /// How scores are read, if they are words.
    pub words: Option<ScoreWords<'a>>,
    /// The policy for rows without a value; `None`, if the interface offers no choice, is an error.
    pub missing: Option<MissingPolicy>,
}

impl<'a> ScoreColumns<'a> {
    /// Returns a column with scores alone, with the defaults of everything else.
    pub const fn named(score: &'a str) -> Self {
        let (probability, decimal, words, missing) = (None, None, None, None);
        Self { score: Some(score), probability, classes: &[], decimal, sheet: SheetChoice::First, words, missing }
    }

    /// Resolves the default score column for test scores of a model: the probabilities if the model
    /// was fitted to probabilities as scores, or else `score`.
    #[must_use]
    pub fn for_model(self, model: &Model) -> Self {
        self.for_labelled(model.labelled())
    }

    /// Resolves the default score column for test scores of the same kind as these labelled scores.
    #[must_use]
    pub fn for_labelled(self, labelled: &LabelledScores) -> Self {
        let probability = self.probability.filter(|_| labelled.probabilities() == Some(labelled.scores()));
        Self { score: self.score.or(probability).or(Some(SCORE)), ..self }
    }

    /// Returns the score column of a table; `has` returns whether the table has a column. The
    /// default is `score`, or the column of probabilities in a table without `score`.
    pub fn score_column(&self, has: impl Fn(&str) -> bool) -> &'a str {
        match (self.score, self.probability) {
            (Some(named), _) => named,
            (None, Some(probability)) if !has(SCORE) => probability,
            (None, _) => SCORE,
        }
    }
}

/// The columns to read. If `by` is empty, all rows form one group.
#[derive(Clone, Copy)]
pub struct ColumnSelection<'a> {
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
    /// The grouping columns that need a value in every row, such as labels and clusters.
    pub required: &'a [String],
    /// The grouping columns that a table may lack; their values are then missing.
    pub optional: &'a [String],
    /// The feature that needs scores strictly between 0 and 1, if any; named in messages.
    pub unit_interval: Option<&'static str>,
}

/// Number of first rows among which the header is looked for.
pub const MAX_TITLE_ROWS: usize = 20;

impl ColumnSelection<'_> {
    /// Returns a selection of a column that no table has, for readers of tables whose columns are
    /// not known yet.
    pub const fn unknown() -> Self {
        let columns = ScoreColumns::named("\0");
        Self { columns, weight: None, by: &[], required: &[], optional: &[], unit_interval: None }
    }

    /// Returns the index of the header among the first rows: the first row with all selected
    /// columns, or else, if at most half of the columns have a text in the first row, the first row
    /// with the most names.
    pub fn find_header<S: AsRef<str>>(&self, rows: &[Vec<S>]) -> usize {
        let is_header = |row: &Vec<S>| {
            let has = |name: &str| row.iter().any(|known| known.as_ref() == name);
            let score = self.columns.score_column(has);
            let others = self.columns.probability.into_iter().chain(self.weight);
            let by = self.by.iter().filter(|name| !self.optional.contains(name)).map(String::as_str);
            let classes = self.columns.classes.iter().map(String::as_str);
            others.chain(by).chain(classes).chain([score]).all(has)
        };
        let texts = |row: &Vec<S>| row.iter().filter(|cell| !cell.as_ref().is_empty()).count();
        let is_number = |cell: &S| cell.as_ref().replace(',', ".").parse::<f64>().is_ok();
        let width = rows.iter().map(texts).max().unwrap_or_default();
        let is_narrow = |row: &Vec<S>| 2 * texts(row) <= width;
        let has_title = rows.first().is_some_and(is_narrow);
        let is_below_title = |(_, row): &(usize, &Vec<S>)| has_title && !is_narrow(row) && !row.iter().any(is_number);
        let header = rows.iter().position(is_header);
        // `max_by_key` returns the last maximum.
        let below_title = || rows.iter().enumerate().rev().filter(is_below_title).max_by_key(|(_, row)| texts(row));
        header.or_else(|| below_title().map(|(index, _)| index)).unwrap_or_default()
    }
}

/// Maximum number of rows in a chunk, few enough to stay in the caches while they are processed.
pub const MAX_ROWS: usize = 1 << 16;

/// Returns the index of the only column with this name.
///
/// # Errors
/// Returns the problem that there is no such column, or that there are several.
pub fn find_column<'n>(names: impl Iterator<Item = &'n str> + Clone, name: &str) -> Result<usize, TableProblem> {
    let mut matches = names.clone().enumerate().filter(|(_, known)| *known == name).map(|(index, _)| index);
    let column = name.to_owned();
    match (matches.next(), matches.next()) {
        (Some(index), None) => Ok(index),
        (Some(_), Some(_)) => Err(TableProblem::ColumnAmbiguous { column }),
        _ => Err(TableProblem::ColumnUnknown { column, columns: names.map(str::to_owned).collect() }),
    }
}

/// A chunk of validated rows: scores are finite, probabilities lie in [0, 1], and weights are
/// valid.
pub struct TextChunk<N = Vec<f64>, C = TextColumn> {
    /// The scores, probabilities and weights.
    pub numbers: ScoreValues<N>,
    /// The probabilities of several classes, row by row; empty if none were selected.
    pub classes: Vec<f64>,
    /// The grouping columns.
    pub by: Vec<C>,
    /// The lines or row numbers of the rows.
    pub row_numbers: RowNumbers,
    /// The rows without a value, which are not among the others.
    pub missing: MissingRows,
}

/// The score, probability and weight of a row, and its probabilities of several classes.
pub(crate) type RowValues = (f64, Option<f64>, Option<f64>, Vec<f64>);

/// A column of texts, with the memory layout of an Arrow string array.
pub struct TextColumn {
    /// The start of each text in `texts`, followed by the end of the last one.
    offsets: Vec<i32>,
    texts: String,
    /// Whether each text is present; `None` while no text is missing.
    present: Option<Vec<bool>>,
}

impl Default for TextColumn {
    fn default() -> Self {
        Self { offsets: vec![0], texts: String::new(), present: None }
    }
}

impl FromIterator<Option<String>> for TextColumn {
    fn from_iter<I: IntoIterator<Item = Option<String>>>(texts: I) -> Self {
        let mut column = Self::default();
        texts.into_iter().for_each(|text| match text {
            Some(text) => column.push(&text),
            None => column.push_missing(),
        });
        column
    }
}

impl TextColumn {
    /// Returns the number of texts, including missing ones.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.texts.push_str(text);
        self.end(true);
    }

    /// Adds a missing text.
    pub fn push_missing(&mut self) {
        let before = self.len();
        self.present.get_or_insert_with(|| vec![true; before]);
        self.end(false);
    }

    fn end(&mut self, is_present: bool) {
        self.offsets.push(i32::try_from(self.texts.len()).expect("a chunk of less than 2 GB"));
        if let Some(present) = &mut self.present {
            present.push(is_present);
        }
    }

    /// Returns all texts, `None` for missing ones.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Returns the text of a row, or `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        let offset = |row: usize| self.offsets[row].unsigned_abs() as usize;
        let is_present = self.present.as_ref().is_none_or(|present| present[row]);
        is_present.then(|| &self.texts[offset(row)..offset(row + 1)])
    }

    /// Returns the offsets of the texts, the texts, and which of them are present if some are
    /// missing.
    pub fn into_parts(self) -> (Vec<i32>, String, Option<Vec<bool>>) {
        (self.offsets, self.texts, self.present)
    }
}

/// The numbers of a chunk's rows in their file, ascending: lines of a text, or rows, counted from
/// 1.
#[derive(Clone, Default)]
pub struct RowNumbers {
    rows: usize,
    /// Runs of consecutive numbers: the index of each run's first row, and that row's number.
    runs: Vec<(usize, u64)>,
    /// The numbers of rows that are left out.
    skipped: Vec<u64>,
}

impl RowNumbers {
    /// Creates the numbers of `rows` consecutive rows from `first` on.
    pub fn consecutive(first: u64, rows: usize) -> Self {
        Self { rows, runs: vec![(0, first)], skipped: Vec::new() }
    }

    /// Returns how many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds a row with this number, which must be larger than those before.
    pub fn push(&mut self, number: u64) {
        let next = self.runs.last().map(|(first, start)| start + (self.rows - first) as u64);
        if next != Some(number) {
            self.runs.push((self.rows, number));
        }
        self.rows += 1;
    }

    /// Adds the number of a row that is left out.
    pub fn skip(&mut self, number: u64) {
        self.skipped.push(number);
    }

    /// Returns the numbers of the rows that are left out.
    pub fn skipped(&self) -> &[u64] {
        &self.skipped
    }

    /// Returns the number of the last row, also if it is left out.
    pub fn last(&self) -> Option<u64> {
        let complete = self.rows.checked_sub(1).map(|last| self.at(last));
        complete.max(self.skipped.last().copied())
    }

    /// Returns the number of the row at this index of the chunk.
    pub fn at(&self, row: usize) -> u64 {
        let (first, number) = self.runs[self.runs.partition_point(|(first, _)| *first <= row) - 1];
        number + (row - first) as u64
    }
}

/// The rows of a group, independent of the file format.
pub struct GroupRows {
    /// The values of the grouping columns; a missing value is an empty text.
    pub values: Vec<String>,
    /// The scores, probabilities and weights.
    pub rows: ScoreValues<Vec<f64>>,
    /// The position of the group's first row.
    pub place: Position,
}

/// A function that receives a cell: the index of its column, its text (empty if missing), and its
/// value if it is a finite number.
pub type CellVisitor<'a> = dyn FnMut(usize, &str, Option<f64>) + 'a;

/// Turns the error of a cell that is not a finite number into [`Problem::ScoreNotFinite`], for the
/// column of scores.
pub fn as_score_error(error: Error) -> Error {
    match error.problem() {
        Some(TableProblem::ValueNotFinite { value }) => {
            error.location().clone().error(Problem::ScoreNotFinite { value: Field::Text(value.clone()) })
        }
        _ => error,
    }
}

/// Returns the problem of a finite number as a score, which must lie in (0, 1) if a feature needs
/// that.
pub fn invalid_score(value: f64, unit_interval: Option<&'static str>) -> Option<Problem> {
    let needed_by = unit_interval?;
    (value <= 0.0 || value >= 1.0).then_some(Problem::ScoreOutsideUnitInterval { value, needed_by })
}

/// Returns the problem of a finite number as a probability, which must lie in [0, 1].
pub fn invalid_probability(value: f64) -> Option<Problem> {
    (!(0.0..=1.0).contains(&value)).then_some(Problem::ProbabilityOutOfRange { value })
}

/// Returns the problem of a finite number as a weight, which must be 0 or in [1e-100, 1e100], so
/// that its square neither overflows nor underflows.
pub fn invalid_weight(value: f64) -> Option<Problem> {
    let is_weight = value == 0.0 || (1e-100..=1e100).contains(&value);
    (!is_weight).then_some(Problem::WeightOutOfRange { value: Field::Number(value) })
}
