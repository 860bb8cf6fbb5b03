//! Files of text on one thread: their rows by group, and their first rows.

use crate::format;
use crate::json::first_objects;
use crate::pieces::{BytePiece, Pieces};
use crate::rows::{GroupRows, ScoreColumns, See, TextChunk, TextColumn, Wanted};
use crate::source::{self, GZIP, Input, Kind};
use crate::table::TextTable;
use crate::{Meter, Progress};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Estimates, IntervalOptions, Model, Position, Problem, Tallies};
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::{GroupNames, MAX_CHECKED_GROUPS, NamedGroups, TextNames, add_shift_tally};
use truecount_analysis::{ScoreValues, TableProblem};

/// What people see of a text that is not UTF-8.
const UNREADABLE: &str = "\u{fffd}";

/// Which files of text and columns test scores are read from.
pub struct TextFiles<'a> {
    /// The files, in their order; `-` is standard input.
    pub paths: &'a [PathBuf],
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The columns whose values make a group.
    pub by: &'a [String],
    /// Shows progress while reading.
    pub progress: &'a dyn Progress,
}

impl TextFiles<'_> {
    /// Every group's scores, in memory.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or all weights of a group are 0.
    pub fn kept(&self, model: &Model) -> Result<NamedGroups<ScoreValues<Vec<f64>>, TextNames>, Error> {
        let kept = self.grouped(model.unit_interval(), usize::MAX, ScoreValues::default, extend)?.groups();
        self.counting(kept, ScoreValues::has_positive_weight)?.with_shift_total(&Sequential, model)
    }

    /// Every group's tallies; of constant size for most methods.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or a group's scores cannot be used.
    pub fn tallied(&self, model: &Model) -> Result<NamedGroups<Tallies, TextNames>, Error> {
        let empty = if self.weight.is_some() { model.weighted_tallies()? } else { model.tallies() };
        let push = |tallies: &mut Tallies, rows: &ScoreValues<&[f64]>| model.update(tallies, rows.batch()?);
        let mut tallied = self.grouped(model.unit_interval(), usize::MAX, || empty.clone(), push)?.groups();
        if tallied.contents.len() > MAX_CHECKED_GROUPS {
            for tallies in &mut tallied.contents {
                add_shift_tally(&mut tallied.shift_total, tallies.take_shift());
            }
        }
        self.counting(tallied, |tallies| tallies.n() > 0)
    }

    /// Every group's estimates.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or a group's scores cannot be used.
    pub fn estimated(
        &self,
        model: &Model,
        reporting: &IntervalOptions,
    ) -> Result<NamedGroups<Estimates, TextNames>, Error> {
        self.tallied(model)?.finish(&Sequential, model, reporting)
    }

    /// The rows of all groups, or of some of them if there are more than `most`.
    pub(crate) fn rows(&self, unit_interval: Option<&'static str>, most: usize) -> Result<Vec<GroupRows>, Error> {
        let Grouped { interner, contents } = self.grouped(unit_interval, most, ScoreValues::default, extend)?;
        let names = interner.rows.into_iter().zip(interner.places).zip(contents);
        let values = |row: Vec<Option<String>>| row.into_iter().map(Option::unwrap_or_default).collect();
        Ok(names.map(|((row, place), rows)| GroupRows { values: values(row), rows, place }).collect())
    }

    /// Adds all rows to the contents of their groups, until there are more groups than `most`.
    fn grouped<T>(
        &self,
        unit_interval: Option<&'static str>,
        most: usize,
        empty: impl Fn() -> T,
        mut add: impl FnMut(&mut T, &ScoreValues<&[f64]>) -> Result<(), Error>,
    ) -> Result<Grouped<T>, Error> {
        let Self { paths, columns, weight, by, .. } = *self;
        let wanted = Wanted { columns, weight, by, unit_interval };
        let meter = self.progress.begin(&source::title(paths), source::length(paths.iter().map(PathBuf::as_path)));
        let mut interner = Interner { columns: by.to_vec(), ..Interner::default() };
        let mut contents = Vec::new();
        for path in paths {
            let mut chunks = FileChunks::open(path, &wanted, &meter)?;
            while let Some(chunk) = chunks.next()? {
                let groups = interner.numbers(&chunk, chunks.pieces.unit());
                contents.resize_with(interner.rows.len(), &empty);
                by_group(&groups, &chunk.numbers, |group, rows| add(&mut contents[group], rows))?;
                if contents.len() > most {
                    return Ok(Grouped { interner, contents });
                }
            }
        }
        if contents.is_empty() {
            return Err(ErrorLocation::file(source::title(paths)).error(TableProblem::NoRows));
        }
        Ok(Grouped { interner, contents })
    }

    /// All groups, provided that something in each counts; every group has rows, so if nothing does, all their weights are 0.
    fn counting<T>(
        &self,
        groups: NamedGroups<T, TextNames>,
        counts: impl Fn(&T) -> bool,
    ) -> Result<NamedGroups<T, TextNames>, Error> {
        let Some(empty) = groups.contents.iter().position(|content| !counts(content)) else { return Ok(groups) };
        let location =
            ErrorLocation { group: groups.keys.name(empty), ..ErrorLocation::file(source::title(self.paths)) };
        Err(location.error(Problem::AllWeightsZero))
    }
}

#[allow(clippy::unnecessary_wraps)] // other contents may not take rows
fn extend(kept: &mut ScoreValues<Vec<f64>>, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
    kept.extend(rows);
    Ok(())
}

/// Groups in the order in which they first appear, and their contents.
struct Grouped<T> {
    interner: Interner,
    contents: Vec<T>,
}

impl<T> Grouped<T> {
    fn groups(self) -> NamedGroups<T, TextNames> {
        let Self { interner: Interner { columns, rows, .. }, contents } = self;
        NamedGroups { keys: TextNames::new(columns, rows), contents, shift_total: None }
    }
}

/// A file that is read chunk by chunk.
struct FileChunks {
    pieces: Box<dyn Pieces<TextChunk>>,
    /// The rest of the piece that is being read.
    rest: Option<Box<dyn BytePiece<TextChunk>>>,
}

impl FileChunks {
    fn open(path: &Path, wanted: &Wanted, meter: &Arc<dyn Meter>) -> Result<Self, Error> {
        let pieces = format::open(Input::metered(path, meter, &[GZIP])?, wanted)?;
        Ok(Self { pieces, rest: None })
    }

    fn next(&mut self) -> Result<Option<TextChunk>, Error> {
        loop {
            let piece = match self.rest.take() {
                Some(rest) => rest,
                None => match self.pieces.next()? {
                    Some(piece) => piece,
                    None => return Ok(None),
                },
            };
            let (chunk, rest) = piece.read()?;
            self.rest = rest;
            if chunk.is_some() {
                return Ok(chunk);
            }
        }
    }
}

/// Numbers groups in the order in which they first appear.
#[derive(Default)]
struct Interner {
    columns: Vec<String>,
    /// The number of each group, by its values in one text.
    numbers: HashMap<String, u32>,
    /// The values of each group, and where it first appears.
    rows: Vec<Vec<Option<String>>>,
    places: Vec<Position>,
}

impl Interner {
    /// The number of each row's group.
    fn numbers(&mut self, chunk: &TextChunk, unit: fn(u64) -> Position) -> Vec<u32> {
        let mut key = String::new();
        let mut number = |row: usize| {
            key.clear();
            chunk.by.iter().for_each(|column| write_value(&mut key, column.get(row)));
            if let Some(known) = self.numbers.get(&key) {
                return *known;
            }
            let new = u32::try_from(self.rows.len()).expect("no more groups than rows in memory");
            self.numbers.insert(key.clone(), new);
            self.rows.push(chunk.by.iter().map(|column: &TextColumn| column.get(row).map(str::to_owned)).collect());
            self.places.push(unit(chunk.places.at(row)));
            new
        };
        (0..chunk.places.len()).map(&mut number).collect()
    }
}

/// Adds a value to a text in such a way that different values make different texts.
fn write_value(key: &mut String, value: Option<&str>) {
    match value {
        Some(text) => write!(key, "{}:{text}", text.len()).expect("a text takes all"),
        None => key.push('-'),
    }
}

/// Hands out the rows of each group together, in their order.
fn by_group(
    groups: &[u32],
    numbers: &ScoreValues<Vec<f64>>,
    mut add: impl FnMut(usize, &ScoreValues<&[f64]>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|row| groups[*row]);
    let sorted = numbers.map(|column| order.iter().map(|row| column[*row]).collect::<Vec<f64>>());
    let mut from = 0;
    for same in order.chunk_by(|a, b| groups[*a] == groups[*b]) {
        let to = from + same.len();
        add(groups[same[0]] as usize, &sorted.map(|column| &column[from..to]))?;
        from = to;
    }
    Ok(())
}

/// Shows the cells of so many rows, or of all if there are fewer, row by row in the order of the columns, and returns the columns' names.
///
/// # Errors
/// Returns an error if the file cannot be read, is no text, or has no rows.
pub fn first_rows(path: &Path, most: usize, progress: &dyn Progress, see: &mut See) -> Result<Vec<String>, Error> {
    let input = Input::open(path, progress, &[GZIP])?;
    if input.kind() == Kind::JsonLines {
        return first_objects(input, most, see);
    }
    let mut table = TextTable::new(input, None)?;
    let names = table.header().to_vec();
    table.see_decimal(&(0..names.len()).collect::<Vec<_>>());
    let mut rows = 0;
    while rows < most && table.advance()? {
        for column in 0..names.len() {
            // A column that cannot be read may be one that nobody wants.
            see(column, table.text(column).unwrap_or(UNREADABLE), table.number(column).ok());
        }
        rows += 1;
    }
    if rows == 0 { Err(table.without_rows()) } else { Ok(names) }
}
