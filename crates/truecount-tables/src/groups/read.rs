//! Reads test scores by group: tallied in one pass, or in memory.

use super::Groups;
use super::accumulator::{GroupAccumulator, GroupedChunk, arrange};
use super::interner::{GroupInterner, NumberedKeys, RowPosition};
use super::numbered_rows::NumberedRowCollector;
use super::partition::add_by_group;
use crate::Progress;
use crate::input::{self, FilesReader, Fingerprint, FormatChunk, ScoreValues};
use rayon::prelude::*;
use std::path::PathBuf;
use truecount::error::{ErrorLocation, Position, Problem};
use truecount::shift_test::{ShiftCheck, ShiftTally};
use truecount::{Error, Model, Tally};
use truecount_analysis::groups::{
    ColumnBands, ColumnPeriods, DateForm, GroupNames, MAX_CHECKED_GROUPS, add_shift_tally,
};
use truecount_analysis::shift_test::{Check, CheckTally};
use truecount_analysis::{AnalysisProblem, TableProblem};
use truecount_text::{ColumnSelection, GroupRows, NumberedRows, ScoreColumns, check_weights};

/// Number of rows to buffer per group before they are added, so that a group is not visited for every row.
const ROWS_PER_GROUP: usize = 4;
/// Maximum number of rows to buffer.
const MAX_BUFFERED_ROWS: usize = 1 << 22;

/// Files with test scores, and the columns to read.
pub struct TestFiles<'a> {
    /// The files, in their order; `-` is standard input.
    pub paths: &'a [PathBuf],
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The grouping columns.
    pub by: &'a [String],
    /// The grouping columns that need a value in every row, such as labels and clusters.
    pub required: &'a [String],
    /// The periods that replace the dates of a grouping column.
    pub every: Option<ColumnPeriods<'a>>,
    /// The bands that replace the numbers of grouping columns.
    pub bands: &'a [ColumnBands],
    /// A fingerprint to update with every row.
    pub fingerprint: Option<&'a Fingerprint>,
    /// Reports progress while reading.
    pub progress: &'a dyn Progress,
}

pub(crate) trait Collect: Sync {
    type Content: Send + Sync;

    /// Returns the content of a group without rows.
    fn empty(&self) -> Self::Content;

    fn add(&self, content: &mut Self::Content, rows: &ScoreValues<&[f64]>) -> Result<(), Error>;

    fn merge(&self, content: &mut Self::Content, other: Self::Content);

    /// Returns the shift check, if every content has its own tally of it.
    fn check(&self) -> Option<&ShiftCheck> {
        None
    }

    /// Removes the tally of the shift check from a content.
    fn take_shift(&self, _: &mut Self::Content) -> Option<ShiftTally> {
        None
    }
}

/// Collects a model's tallies.
struct TallyCollector<'a> {
    model: &'a Model,
    empty: Tally,
}

impl Collect for TallyCollector<'_> {
    type Content = Tally;

    fn empty(&self) -> Tally {
        self.empty.clone()
    }

    fn add(&self, tallies: &mut Tally, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        tallies.update(rows.batch()?)
    }

    fn merge(&self, tallies: &mut Tally, other: Tally) {
        tallies.merge(&other).expect("tallies of one model");
    }

    fn check(&self) -> Option<&ShiftCheck> {
        self.model.check().filter(|_| !self.empty.counts_for_check())
    }

    fn take_shift(&self, tallies: &mut Tally) -> Option<ShiftTally> {
        tallies.take_shift()
    }
}

/// Collects the rows themselves.
pub(crate) struct RowCollector;

impl Collect for RowCollector {
    type Content = ScoreValues<Vec<f64>>;

    fn empty(&self) -> ScoreValues<Vec<f64>> {
        ScoreValues::default()
    }

    fn add(&self, values: &mut ScoreValues<Vec<f64>>, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        values.extend(rows);
        Ok(())
    }

    fn merge(&self, values: &mut ScoreValues<Vec<f64>>, other: ScoreValues<Vec<f64>>) {
        values.extend(&other.map(Vec::as_slice));
    }
}

/// All groups, with the first row of each.
pub(crate) struct GroupedRows<T> {
    pub groups: Groups<T>,
    pub first_rows: Vec<RowPosition>,
    /// The unit of row numbers, line or row.
    pub unit: fn(u64) -> Position,
}

impl GroupedRows<ScoreValues<Vec<f64>>> {
    /// Returns the rows of each group.
    pub fn into_rows(self) -> Vec<GroupRows> {
        let Self { groups, first_rows, unit } = self;
        let texts = groups.keys.texts();
        let row = |(group, (rows, (_, number)))| GroupRows {
            values: texts.group_texts(group).collect(),
            rows,
            place: unit(number),
        };
        groups.contents.into_iter().zip(first_rows).enumerate().map(row).collect()
    }
}

impl<'a> TestFiles<'a> {
    /// Creates files without weights, whose grouping columns are read as they are.
    pub fn new(paths: &'a [PathBuf], columns: ScoreColumns<'a>, by: &'a [String], progress: &'a dyn Progress) -> Self {
        Self { paths, columns, weight: None, by, required: &[], every: None, bands: &[], fingerprint: None, progress }
    }

    /// Tallies every group, in constant memory per group for most methods.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if the scores of a group are invalid, or if all weights
    /// of a group are 0.
    pub fn tally(&self, model: &Model) -> Result<Groups<Tally>, Error> {
        check_weights(self.paths, self.tally_parts(model, usize::MAX, "groups")?, |tallies| tallies.n() > 0)
    }

    /// Tallies every part of groups, unless there are more than `most`. `what` describes the parts, in
    /// the plural. Parts may be without weight.
    ///
    /// # Errors
    /// Returns [`Problem::ResultTooLarge`] if there are more parts, and an error if a file cannot be read
    /// or if the scores of a part are invalid.
    pub fn tally_parts(&self, model: &Model, most: usize, what: &'static str) -> Result<Groups<Tally>, Error> {
        let empty = if self.weight.is_some() { Tally::weighted(model)? } else { Tally::new(model) };
        let groups = self.read(model.unit_interval(), most, &TallyCollector { model, empty })?.groups;
        if groups.contents.len() > most {
            return Err(Problem::ResultTooLarge { what, most: most as u64 }.into());
        }
        Ok(groups)
    }

    /// Reads the scores of every group into memory. `unit_interval` names the feature that needs scores
    /// strictly between 0 and 1, if any.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn scores(&self, unit_interval: Option<&'static str>) -> Result<Groups<ScoreValues<Vec<f64>>>, Error> {
        Ok(self.read(unit_interval, usize::MAX, &RowCollector)?.groups)
    }

    /// Reads the scores of every group into memory, with the numbers of their rows.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if all weights of a group are 0.
    pub fn read_numbered_rows(&self, model: &Model) -> Result<Groups<NumberedRows>, Error> {
        let groups = self.numbered_rows(model.unit_interval())?;
        check_weights(self.paths, groups, |NumberedRows { numbers, .. }| numbers.has_positive_weight())
    }

    pub(super) fn numbered_rows(&self, unit_interval: Option<&'static str>) -> Result<Groups<NumberedRows>, Error> {
        let (mut reading, interner) = open(self, unit_interval, &[])?;
        Ok(accumulate(&mut reading, interner, self, usize::MAX, NumberedRowCollector::default())?.groups)
    }

    /// Tallies every group for the shift test.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if all weights of a group are 0, or if there are
    /// too many groups for a test that corrects for their number.
    pub fn tally_shift_test(&self, test: &Check) -> Result<Groups<CheckTally>, Error> {
        let GroupedRows { groups, .. } = self.read(None, MAX_CHECKED_GROUPS, &CheckCollector(test))?;
        if groups.contents.len() > MAX_CHECKED_GROUPS {
            return Err(ErrorLocation::file(input::title(self.paths))
                .error(TableProblem::TooManyGroups { most: MAX_CHECKED_GROUPS }));
        }
        check_weights(self.paths, groups, |tally| tally.n() > 0)
    }

    /// Reads and collects all groups; stops early if there are more than `max_groups`.
    /// `unit_interval` names the feature that needs scores strictly between 0 and 1, if any.
    pub(crate) fn read<T: Send + Sync>(
        &self,
        unit_interval: Option<&'static str>,
        max_groups: usize,
        collect: &impl Collect<Content = T>,
    ) -> Result<GroupedRows<T>, Error> {
        let (mut reading, mut interner) = open(self, unit_interval, &[])?;
        let mut accumulator = CollectingAccumulator { collect, contents: Vec::new(), shift_total: None };
        if self.by.is_empty() {
            read_single_group(&mut reading, &mut interner, collect, &mut accumulator.contents, self.paths)?;
        }
        accumulate(&mut reading, interner, self, max_groups, accumulator)
    }

    /// Reads the rows of every group into memory. The table may lack the `optional` columns among
    /// the grouping columns; their values are then missing.
    pub(crate) fn read_rows(&self, optional: &[String]) -> Result<GroupedRows<ScoreValues<Vec<f64>>>, Error> {
        let (mut reading, interner) = open(self, None, optional)?;
        let accumulator = CollectingAccumulator { collect: &RowCollector, contents: Vec::new(), shift_total: None };
        accumulate(&mut reading, interner, self, usize::MAX, accumulator)
    }
}

struct CheckCollector<'a>(&'a Check<'a>);

impl Collect for CheckCollector<'_> {
    type Content = CheckTally;

    fn empty(&self) -> CheckTally {
        self.0.tally()
    }

    fn add(&self, tally: &mut CheckTally, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        self.0.update(tally, rows)
    }

    fn merge(&self, tally: &mut CheckTally, other: CheckTally) {
        tally.merge(&other);
    }
}

fn open<'a>(
    files: &'a TestFiles,
    unit_interval: Option<&'static str>,
    optional: &'a [String],
) -> Result<(FilesReader<'a>, GroupInterner), Error> {
    let TestFiles { paths, columns, weight, by, required, every, bands, fingerprint, progress } = *files;
    if let Some(ColumnBands { column, .. }) = bands.iter().find(|bands| !by.contains(&bands.column)) {
        return Err(AnalysisProblem::option_conflict(
            format!("{{--band={column}}} is not a grouping column"),
            "name the column in {--by}",
        ));
    }
    let is_second =
        |index: &usize| bands[..*index].iter().any(|bands_before| bands_before.column == bands[*index].column);
    if let Some(index) = (0..bands.len()).find(is_second) {
        return Err(AnalysisProblem::option_conflict(
            format!("{{--band}} is given twice for '{}'", bands[index].column),
            "give all limits in one of them",
        ));
    }
    let selection = ColumnSelection { columns, weight, by, required, optional, unit_interval };
    Ok((FilesReader::new(paths, selection, fingerprint, progress)?, GroupInterner::new(by, every, bands)))
}

/// Reads chunks until the order of day and month in dates that are replaced by periods is known.
fn read_until_date_format(
    reading: &mut FilesReader,
    interner: &mut GroupInterner,
) -> Result<Vec<(usize, FormatChunk)>, Error> {
    let mut chunks = Vec::new();
    while interner.needs_date_format() {
        let Some(wave) = reading.read_wave(|file, chunk| Ok((file, chunk)))? else { break };
        for (_, chunk) in &wave {
            interner.learn_date_format(&chunk.by)?;
        }
        chunks.extend(wave);
    }
    Ok(chunks)
}

/// Reads and accumulates all remaining rows; stops early if there are more than `max_groups`.
fn accumulate<G: GroupAccumulator>(
    reading: &mut FilesReader,
    mut interner: GroupInterner,
    files: &TestFiles,
    max_groups: usize,
    mut accumulator: G,
) -> Result<GroupedRows<G::Content>, Error> {
    let mut buffered: Vec<GroupedChunk> = Vec::new();
    let mut total_rows = 0;
    let mut first_chunks = read_until_date_format(reading, &mut interner)?;
    loop {
        let look_up = |file, FormatChunk { by, row_numbers, numbers, classes, .. }: FormatChunk| {
            Ok((interner.look_up(file, &by, row_numbers)?, numbers, classes))
        };
        for (index, grouper) in interner.groupers() {
            reading.count_missing_by_group(*index, grouper);
        }
        let wave = if interner.len() > max_groups {
            None
        } else if first_chunks.is_empty() {
            reading.read_wave(look_up)?
        } else {
            let chunks = std::mem::take(&mut first_chunks).into_par_iter();
            let looked_up: Vec<Result<_, Error>> = chunks.map(|(file, chunk)| look_up(file, chunk)).collect();
            Some(looked_up.into_iter().collect::<Result<_, _>>()?)
        };
        let mut ended = wave.is_none();
        for (mut numbered, numbers, classes) in wave.into_iter().flatten() {
            interner.intern(&mut numbered, |file| input::name(&files.paths[file]))?;
            let NumberedKeys { groups, file, row_numbers, .. } = numbered;
            total_rows += groups.len();
            buffered.push(GroupedChunk { groups, file, row_numbers, numbers, classes });
            if interner.len() > max_groups {
                ended = true;
                break;
            }
        }
        let rows: usize = buffered.iter().map(|chunk| chunk.groups.len()).sum();
        if ended && buffered.is_empty() {
            break;
        }
        if ended || rows >= (ROWS_PER_GROUP * interner.len()).min(MAX_BUFFERED_ROWS) {
            accumulator.add(&buffered, interner.len())?;
            buffered.clear();
        }
    }
    if interner.len() == 0 {
        return Err(ErrorLocation::file(input::title(files.paths)).error(TableProblem::NoRows));
    }
    let (keys, order, first_rows) = interner.finish();
    for (column, date) in keys.ambiguous_dates() {
        reading.note(&format!(
            "note: column '{column}': dates such as {date} are read as month, day and year; write them as 2026-01-31 \
             if the day is first"
        ));
    }
    if let Some(name) = keys.last_total() {
        reading.note(&format!("note: the last group is '{name}'; if it is a total row, remove the row"));
    }
    let groups = order.len();
    let is_by_time = || keys.dates().is_some_and(|dates| dates.form == DateForm::Time);
    if let Some(column) = files.by.last()
        && files.every.is_none()
        && files.required.is_empty()
        && 2 * groups > total_rows
        && is_by_time()
    {
        reading.note(&format!(
            "note: column '{column}': every time is a group of its own, {groups} groups for {total_rows} rows; add \
             --every day to group by day"
        ));
    }
    let (contents, shift_total) = accumulator.finish(&order, order.len() <= MAX_CHECKED_GROUPS)?;
    Ok(GroupedRows { groups: Groups { keys, contents, shift_total }, first_rows, unit: reading.unit() })
}

/// An accumulator that adds rows to the contents of a collector.
struct CollectingAccumulator<'a, C: Collect> {
    collect: &'a C,
    contents: Vec<C::Content>,
    shift_total: Option<ShiftTally>,
}

impl<C: Collect> CollectingAccumulator<'_, C> {
    /// Moves the tallies of the shift check from all groups to the total.
    fn move_shift_to_total(&mut self) {
        let Self { collect, contents, shift_total } = self;
        for content in contents {
            add_shift_tally(shift_total, collect.take_shift(content));
        }
    }
}

impl<C: Collect> GroupAccumulator for CollectingAccumulator<'_, C> {
    type Content = C::Content;

    fn add(&mut self, chunks: &[GroupedChunk], groups: usize) -> Result<(), Error> {
        let collect = self.collect;
        self.contents.resize_with(groups, || collect.empty());
        let check = collect.check().filter(|_| groups > MAX_CHECKED_GROUPS);
        if check.is_some() {
            self.move_shift_to_total();
        }
        let chunks: Vec<(&[u32], ScoreValues<&[f64]>)> =
            chunks.iter().map(|chunk| (chunk.groups.as_slice(), chunk.numbers.map(AsRef::as_ref))).collect();
        add_by_group(&chunks, &mut self.contents, |content, rows| collect.add(content, rows))?;
        if let Some(check) = check {
            let tally = |(_, rows): &(&[u32], ScoreValues<&[f64]>)| {
                let mut tally = check.tally();
                check.update(&mut tally, rows.batch()?).map(|()| tally)
            };
            let tallies = chunks.par_iter().map(tally).collect::<Result<Vec<_>, Error>>()?;
            for tally in tallies {
                add_shift_tally(&mut self.shift_total, Some(tally));
            }
        }
        Ok(())
    }

    fn finish(mut self, order: &[u32], check_each: bool) -> Result<(Vec<C::Content>, Option<ShiftTally>), Error> {
        if !check_each {
            self.move_shift_to_total();
        }
        Ok((arrange(self.contents, order), self.shift_total))
    }
}

/// Reads and collects all rows as a single group.
fn read_single_group<C: Collect>(
    reading: &mut FilesReader,
    interner: &mut GroupInterner,
    collect: &C,
    contents: &mut Vec<C::Content>,
    paths: &[PathBuf],
) -> Result<(), Error> {
    loop {
        let known_groups = &*interner;
        let collect_chunk = |file, chunk: FormatChunk| {
            let mut content = collect.empty();
            collect.add(&mut content, &chunk.numbers.map(AsRef::as_ref))?;
            Ok((known_groups.look_up(file, &[], chunk.row_numbers)?, content))
        };
        let Some(wave) = reading.read_wave(collect_chunk)? else { return Ok(()) };
        for (mut numbered, content) in wave {
            interner.intern(&mut numbered, |file| input::name(&paths[file]))?;
            if numbered.groups.is_empty() {
                continue;
            }
            match contents.first_mut() {
                Some(whole) => collect.merge(whole, content),
                None => contents.push(content),
            }
        }
    }
}
