//! Chunks of rows: checked numbers, texts that make groups, and where the rows are in their file.

use truecount::{Error, Field, LabelledScores, Model, Position, Problem};
use truecount_analysis::{SCORE, ScoreValues, TableProblem};

/// The mark between the whole part of a number and its fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimal {
    /// 0.25
    #[default]
    Point,
    /// 0,25
    Comma,
}

impl Decimal {
    /// The mark of a number, which is the last one in it: the others are between thousands.
    pub fn parse(cell: &[u8]) -> Option<Self> {
        Some(if cell[memchr::memrchr2(b',', b'.', cell)?] == b',' { Self::Comma } else { Self::Point })
    }

    /// A number that is written so, with a point. One with another mark besides is none.
    pub fn pointed(self, text: &str) -> Option<String> {
        match self {
            Self::Point => Some(text.to_owned()),
            Self::Comma => (!text.contains('.')).then(|| text.replace(',', ".")),
        }
    }
}

/// The columns with scores and probabilities, by their names.
#[derive(Clone, Copy)]
pub struct ScoreColumns<'a> {
    /// The column with the scores; without a name it is `score`, or that of the probabilities in a table that has none.
    pub score: Option<&'a str>,
    /// The column with a classifier's probabilities of being positive.
    pub probability: Option<&'a str>,
    /// How their numbers, and those of weights and sizes, are written in text; without it as is seen.
    pub decimal: Option<Decimal>,
    /// The sheet of workbooks, if not the first; text has no sheets.
    pub sheet: Option<&'a str>,
}

impl<'a> ScoreColumns<'a> {
    /// Where a model's test scores are, which must be what it learnt from: without a name the probabilities, if these were its
    /// labelled scores, and else `score`.
    #[must_use]
    pub fn for_model(self, model: &Model) -> Self {
        self.like(model.labelled())
    }

    /// Where test scores are that are like these labelled scores.
    #[must_use]
    pub fn like(self, labelled: &LabelledScores) -> Self {
        let instead = self.probability.filter(|_| labelled.probabilities() == Some(labelled.scores()));
        Self { score: self.score.or(instead).or(Some(SCORE)), ..self }
    }

    /// The column with the scores of a table that has such columns: without a name it is `score`, or where there is none that of the
    /// probabilities, which are scores as well.
    pub fn score_in(&self, has: impl Fn(&str) -> bool) -> &'a str {
        match (self.score, self.probability) {
            (Some(named), _) => named,
            (None, Some(probability)) if !has(SCORE) => probability,
            (None, _) => SCORE,
        }
    }
}

/// The columns to read. Without `by`, all rows form one group.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
    /// The name of what needs scores strictly between 0 and 1, if anything does.
    pub unit_interval: Option<&'static str>,
}

/// Rows read and checked together: all scores are finite numbers, probabilities lie between 0 and 1, and so on.
pub struct TextChunk<N = Vec<f64>, C = TextColumn> {
    /// The scores, probabilities and weights.
    pub numbers: ScoreValues<N>,
    /// The grouping columns.
    pub by: Vec<C>,
    /// Where the rows are.
    pub places: RowPlaces,
}

/// Texts one after the other, laid out like Arrow's arrays of strings.
pub struct TextColumn {
    /// Where each text begins in `texts`, and where the last one ends.
    offsets: Vec<i32>,
    texts: String,
    /// Whether each text is there, from the first missing one on.
    present: Option<Vec<bool>>,
}

impl Default for TextColumn {
    fn default() -> Self {
        Self { offsets: vec![0], texts: String::new(), present: None }
    }
}

impl TextColumn {
    /// The number of texts.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no texts, not even missing ones.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.texts.push_str(text);
        self.end(true);
    }

    /// Adds a text that is missing.
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

    /// The text of a row; `None` if it is missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        let place = |row: usize| self.offsets[row].unsigned_abs() as usize;
        let is_present = self.present.as_ref().is_none_or(|present| present[row]);
        is_present.then(|| &self.texts[place(row)..place(row + 1)])
    }

    /// Where each text begins and the last one ends, all texts, and which of them are there, if some are missing.
    pub fn into_parts(self) -> (Vec<i32>, String, Option<Vec<bool>>) {
        (self.offsets, self.texts, self.present)
    }
}

/// Where the rows of a chunk are in their file, ascending: as lines of a text, or as rows counted from 1.
#[derive(Clone, Default)]
pub struct RowPlaces {
    rows: usize,
    /// Runs of consecutive places: the index of each run's first row, and that row's place.
    runs: Vec<(usize, u64)>,
}

impl RowPlaces {
    /// This many rows, one after another.
    pub fn consecutive(first: u64, rows: usize) -> Self {
        Self { rows, runs: vec![(0, first)] }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds a row.
    pub fn push(&mut self, place: u64) {
        let next = self.runs.last().map(|(first, start)| start + (self.rows - first) as u64);
        if next != Some(place) {
            self.runs.push((self.rows, place));
        }
        self.rows += 1;
    }

    /// The place of a row.
    pub fn at(&self, row: usize) -> u64 {
        let (first, place) = self.runs[self.runs.partition_point(|(first, _)| *first <= row) - 1];
        place + (row - first) as u64
    }
}

/// The rows of a group, whatever they were read from.
pub struct GroupRows {
    /// The values of the grouping columns; a missing value is an empty text.
    pub values: Vec<String>,
    /// What is in the rows.
    pub rows: ScoreValues<Vec<f64>>,
    /// Where the first of them is.
    pub place: Position,
}

/// Takes a cell, whatever its column is for: the place of the column; the cell as people read it, which is empty where it is missing; and the
/// same as a finite number, if it is one.
pub type See<'a> = dyn FnMut(usize, &str, Option<f64>) + 'a;

/// The error of a cell that holds no finite number, in a column of scores.
pub fn at_score(error: Error) -> Error {
    match error.problem() {
        Some(TableProblem::NotFinite { value }) => {
            error.location().clone().error(Problem::NotFinite { value: Field::Text(value.clone()) })
        }
        _ => error,
    }
}

/// Why a finite number is no score: something needs them strictly between 0 and 1.
pub fn invalid_score(value: f64, unit_interval: Option<&'static str>) -> Option<Problem> {
    let needed_by = unit_interval?;
    (value <= 0.0 || value >= 1.0).then_some(Problem::OutsideUnitInterval { value, needed_by })
}

/// Why a finite number is no probability: it is not between 0 and 1.
pub fn invalid_probability(value: f64) -> Option<Problem> {
    (!(0.0..=1.0).contains(&value)).then_some(Problem::NotAProbability { value })
}

/// Why a finite number is no weight: it is neither 0, nor positive with a square that does not overflow or underflow.
pub fn invalid_weight(value: f64) -> Option<Problem> {
    let is_weight = value == 0.0 || (1e-100..=1e100).contains(&value);
    (!is_weight).then_some(Problem::NotAWeight { value: Field::Number(value) })
}
