//! Reads text files on one thread: their rows by group, and their first rows.

use crate::format;
use crate::json;
use crate::missing::MissingRows;
use crate::numbers::NumberParser;
use crate::rows::{CellVisitor, ColumnSelection, GroupRows, ScoreColumns, TextChunk};
use crate::source::{self, FileFormat, GZIP, Input};
use crate::table::TextTable;
use crate::{Progress, workbook};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount::error::{ErrorLocation, Position, Problem};
use truecount::{DatePeriod, Error, Model, Tally};
use truecount_analysis::groups::{
    GroupNames, MAX_CHECKED_GROUPS, NamedGroups, Partition, PeriodGrouper, TextNames, add_shift_tally,
};
use truecount_analysis::{ScoreValues, TableProblem};

/// Replacement character, shown for a cell that is not text.
const REPLACEMENT: &str = "\u{fffd}";

/// Text files with test scores, and the columns to read.
pub struct TextFiles<'a> {
    /// The files, in their order; `-` is standard input.
    pub paths: &'a [PathBuf],
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The columns whose values make a group.
    pub by: &'a [String],
    /// The grouping columns that need a value in every row, such as clusters.
    pub required: &'a [String],
    /// The period that replaces each date in the grouping column with this index.
    pub every: Option<(usize, DatePeriod)>,
    /// Reports progress while reading.
    pub progress: &'a dyn Progress,
}

impl<'a> TextFiles<'a> {
    /// Creates files without weights, whose grouping columns are read as they are.
    pub fn new(paths: &'a [PathBuf], columns: ScoreColumns<'a>, by: &'a [String], progress: &'a dyn Progress) -> Self {
        Self { paths, columns, weight: None, by, required: &[], every: None, progress }
    }

    /// Reads the scores of every group into memory. `unit_interval` names the feature that needs scores strictly
    /// between 0 and 1, if any.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if all weights of a group are 0.
    pub fn scores(
        &self,
        unit_interval: Option<&'static str>,
    ) -> Result<NamedGroups<ScoreValues<Vec<f64>>, TextNames>, Error> {
        let groups = self.read_groups(unit_interval, self.required, usize::MAX, ScoreValues::default, extend)?.groups();
        check_weights(self.paths, groups, ScoreValues::has_positive_weight)
    }

    /// Tallies every group, in constant memory per group for most methods.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the scores of a group are invalid.
    pub fn tally(&self, model: &Model) -> Result<NamedGroups<Tally, TextNames>, Error> {
        let empty = if self.weight.is_some() { Tally::weighted(model)? } else { Tally::new(model) };
        let update =
            |tallies: &mut Tally, rows: &NumberedRows| tallies.update(rows.numbers.map(Vec::as_slice).batch()?);
        let mut groups =
            self.read_groups(model.unit_interval(), self.required, usize::MAX, || empty.clone(), update)?.groups();
        if groups.contents.len() > MAX_CHECKED_GROUPS {
            for tallies in &mut groups.contents {
                add_shift_tally(&mut groups.shift_total, tallies.take_shift());
            }
        }
        check_weights(self.paths, groups, |tallies| tallies.n() > 0)
    }

    /// Reads the scores of every group into memory, with the numbers of their rows.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn numbered_rows(&self) -> Result<NamedGroups<NumberedRows, TextNames>, Error> {
        let add = |all: &mut NumberedRows, rows: &NumberedRows| {
            all.rows.extend(&rows.rows);
            all.classes.extend(&rows.classes);
            extend(&mut all.numbers, rows)
        };
        Ok(self.read_groups(None, self.required, usize::MAX, NumberedRows::default, add)?.groups())
    }

    /// Reads the rows of every group of labels, which need a value in every grouping column; stops
    /// early if there are more than `max_groups`.
    pub(crate) fn labelled_rows(
        &self,
        unit_interval: Option<&'static str>,
        max_groups: usize,
    ) -> Result<Vec<GroupRows>, Error> {
        let GroupedContents { interner, contents } =
            self.read_groups(unit_interval, self.by, max_groups, ScoreValues::default, extend)?;
        let names = interner.rows.into_iter().zip(interner.first_rows).zip(contents);
        let values = |row: Vec<Option<String>>| row.into_iter().map(Option::unwrap_or_default).collect();
        Ok(names.map(|((row, first_row), rows)| GroupRows { values: values(row), rows, place: first_row }).collect())
    }

    /// Adds all rows to the contents of their groups; stops early if there are more than
    /// `max_groups`. The `required` grouping columns need a value in every row.
    fn read_groups<T>(
        &self,
        unit_interval: Option<&'static str>,
        required: &[String],
        max_groups: usize,
        empty: impl Fn() -> T,
        mut add: impl FnMut(&mut T, &NumberedRows) -> Result<(), Error>,
    ) -> Result<GroupedContents<T>, Error> {
        let Self { paths, columns, weight, by, every, .. } = *self;
        let selection = ColumnSelection { columns, weight, by, required, optional: &[], unit_interval };
        let meter = self.progress.begin(&source::title(paths), source::length(paths.iter().map(PathBuf::as_path)));
        let mut interner = Interner { columns: by.to_vec(), ..Interner::default() };
        let (mut contents, mut rows_before) = (Vec::new(), 0);
        let mut missing = MissingRows::default();
        let mut periods = every.map(|(index, every)| (index, PeriodGrouper::new(every)));
        // Chunks wait until a date shows whether the day or the month comes first.
        let mut waiting: Vec<PlacedChunk> = Vec::new();
        let mut add_all = |chunks: &mut Vec<PlacedChunk>, periods: &Option<(usize, PeriodGrouper)>| {
            for (file, unit, mut chunk) in chunks.drain(..) {
                if let Some((index, periods)) = periods {
                    let dates = &mut chunk.by[*index];
                    *dates = periods.periods_of(&by[*index], dates.iter())?.into_iter().collect();
                }
                let groups = interner.intern(&chunk, unit);
                contents.resize_with(interner.rows.len(), &empty);
                let rows_by_group = Partition::new(&groups, contents.len());
                for (group, content) in contents.iter_mut().enumerate() {
                    let rows = rows_by_group.parts(group);
                    if !rows.is_empty() {
                        add(content, &NumberedRows::select(&chunk, rows, rows_before))?;
                    }
                }
                rows_before += groups.len() + chunk.row_numbers.skipped().len();
                missing.merge(file, chunk.missing, groups.len(), chunk.row_numbers.last());
            }
            Ok::<_, Error>(contents.len())
        };
        for (file, path) in paths.iter().enumerate() {
            let mut pieces = format::open(Input::open_metered(path, &meter, &[GZIP])?, &selection)?;
            while let Some(piece) = pieces.next()? {
                // A piece of text is a single chunk.
                let Some(chunk) = piece.read()?.0 else { continue };
                if let Some((index, periods)) = &mut periods {
                    periods.learn_format(chunk.by[*index].iter());
                }
                waiting.push((file, pieces.unit(), chunk));
                let is_format_known = periods.as_ref().is_none_or(|(_, periods)| periods.knows_format());
                if is_format_known && add_all(&mut waiting, &periods)? > max_groups {
                    return Ok(GroupedContents { interner, contents });
                }
            }
        }
        add_all(&mut waiting, &periods)?;
        if let Some((index, periods)) = &periods {
            missing.count_by_group(*index, |date| periods.period_of(date));
        }
        missing.finish(columns.missing, paths, meter.as_ref())?;
        if contents.is_empty() {
            return Err(ErrorLocation::file(source::title(paths)).error(TableProblem::NoRows));
        }
        Ok(GroupedContents { interner, contents })
    }
}

/// Returns the groups if each has a positive weight; `paths` are the files that they are from.
///
/// # Errors
/// Returns [`Problem::AllWeightsZero`] for the first group without one.
pub fn check_weights<T, N: GroupNames>(
    paths: &[PathBuf],
    groups: NamedGroups<T, N>,
    has_weight: impl Fn(&T) -> bool,
) -> Result<NamedGroups<T, N>, Error> {
    let Some(empty) = groups.contents.iter().position(|content| !has_weight(content)) else { return Ok(groups) };
    let location = ErrorLocation { group: groups.keys.name(empty), ..ErrorLocation::file(source::title(paths)) };
    Err(location.error(Problem::AllWeightsZero))
}

#[allow(clippy::unnecessary_wraps)] // other contents may not take rows
fn extend(values: &mut ScoreValues<Vec<f64>>, rows: &NumberedRows) -> Result<(), Error> {
    values.extend(&rows.numbers.map(Vec::as_slice));
    Ok(())
}

/// The rows of a group.
#[derive(Default)]
pub struct NumberedRows {
    /// The number of each row, counted from 1 over all files in their order.
    pub rows: Vec<u64>,
    /// The scores, probabilities and weights.
    pub numbers: ScoreValues<Vec<f64>>,
    /// The probabilities of several classes, row by row; empty if none were read.
    pub classes: Vec<f64>,
}

impl NumberedRows {
    /// Selects rows of a chunk that begins after `rows_before` rows.
    fn select(chunk: &TextChunk, rows: &[usize], rows_before: usize) -> Self {
        let (row_numbers, width) = (&chunk.row_numbers, chunk.classes.len() / chunk.row_numbers.len());
        let skipped = |row: usize| row_numbers.skipped().partition_point(|number| *number < row_numbers.at(row));
        Self {
            rows: rows.iter().map(|row| (rows_before + skipped(*row) + row + 1) as u64).collect(),
            numbers: chunk.numbers.map(|column| rows.iter().map(|row| column[*row]).collect()),
            classes: rows.iter().flat_map(|row| &chunk.classes[row * width..(row + 1) * width]).copied().collect(),
        }
    }
}

/// A chunk with the index of its file and the unit of its row numbers.
type PlacedChunk = (usize, fn(u64) -> Position, TextChunk);

/// Groups in order of first appearance, and their contents.
struct GroupedContents<T> {
    interner: Interner,
    contents: Vec<T>,
}

impl<T> GroupedContents<T> {
    fn groups(self) -> NamedGroups<T, TextNames> {
        let Self { interner: Interner { columns, rows, .. }, contents } = self;
        NamedGroups { keys: TextNames::new(columns, rows), contents, shift_total: None }
    }
}

/// Numbers groups in order of first appearance.
#[derive(Default)]
struct Interner {
    columns: Vec<String>,
    /// The number of each group, by its values.
    numbers: HashMap<Vec<Option<String>>, u32>,
    /// The values of each group, and its first row.
    rows: Vec<Vec<Option<String>>>,
    first_rows: Vec<Position>,
}

impl Interner {
    /// Returns the group number of each row, and numbers new groups.
    fn intern(&mut self, chunk: &TextChunk, unit: fn(u64) -> Position) -> Vec<u32> {
        let Self { numbers, rows, first_rows, .. } = self;
        let number = |row: usize| {
            let values = chunk.by.iter().map(|column| column.get(row).map(str::to_owned)).collect();
            *numbers.entry(values).or_insert_with_key(|values| {
                rows.push(values.clone());
                first_rows.push(unit(chunk.row_numbers.at(row)));
                u32::try_from(rows.len() - 1).expect("no more groups than rows in memory")
            })
        };
        (0..chunk.row_numbers.len()).map(number).collect()
    }
}

/// Visits the cells of the first `max` rows, row by row in the order of the columns, and returns
/// the names of the columns.
///
/// # Errors
/// Returns an error if the file cannot be read, is not text, or has no rows.
pub fn first_rows(
    path: &Path,
    max: usize,
    progress: &dyn Progress,
    visit: &mut CellVisitor,
) -> Result<Vec<String>, Error> {
    let input = Input::open(path, progress, &[GZIP])?;
    match input.kind() {
        FileFormat::JsonLines | FileFormat::JsonArray => return json::first_rows(input, max, visit),
        FileFormat::Workbook => return workbook::first_rows(input, max, visit),
        _ => {}
    }
    let mut table = TextTable::with_columns(input, &ColumnSelection::unknown())?;
    let names = table.header().to_vec();
    // Each column may have another decimal separator, as only one of them may be of numbers.
    let mut parsers: Vec<Option<NumberParser>> = names.iter().map(|_| None).collect();
    let mut rows = 0;
    while rows < max && table.advance()? {
        for (column, parser) in parsers.iter_mut().enumerate() {
            // The column may not be needed, so an invalid cell is not an error here.
            let text = table.text(column).unwrap_or(REPLACEMENT.into());
            let decimal = table.detect_decimal(text.as_bytes());
            let undecided = NumberParser::new(decimal);
            let parser =
                if decimal.is_some() { parser.get_or_insert(undecided) } else { parser.as_ref().unwrap_or(&undecided) };
            visit(column, &text, parser.parse(&text).ok());
        }
        rows += 1;
    }
    if rows == 0 { Err(table.without_rows()) } else { Ok(names) }
}
