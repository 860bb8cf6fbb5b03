//! Test scores by group: tallied in one pass, or kept in memory.

use super::Groups;
use super::counted::GroupCounts;
use super::gather::Gather;
use super::numbering::{GroupInterner, GroupPlace};
use super::placed::{Placed, Placing};
use super::spread::spread;
use crate::Progress;
use crate::input::{self, Fingerprint, FormatChunk, Reading, ScoreValues};
use crate::parallel::AllThreads;
use arrow_buffer::ScalarBuffer;
use rayon::prelude::*;
use std::path::PathBuf;
use truecount::check::{ShiftCheck, ShiftTally};
use truecount::{Error, ErrorLocation, Estimates, IntervalOptions, Model, Position, Problem, ScoreBins, Tallies};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::{GroupNames, MAX_CHECKED_GROUPS, add_shift_tally};
use truecount_analysis::shift_test::{ShiftTest, ShiftTestTally};
use truecount_text::{ColumnSelection, GroupRows, RowNumbers, ScoreColumns};

/// Rows buffered per group before scattering, so that a group is not visited for every single row; and the most rows
/// buffered in all.
const ROWS_PER_GROUP: usize = 4;
const MOST_ROWS: usize = 1 << 22;

/// Which files and columns test scores are read from.
pub struct TestFiles<'a> {
    /// The files, in their order; `-` is standard input.
    pub paths: &'a [PathBuf],
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The columns whose values make a group.
    pub by: &'a [String],
    /// Takes note of every row, if it is to be known which they were.
    pub fingerprint: Option<&'a Fingerprint>,
    /// Shows progress while reading.
    pub progress: &'a dyn Progress,
}

/// How the rows of a group are collected.
pub(crate) trait Collect: Sync {
    type Content: Send + Sync;

    /// The content of a group without rows.
    fn empty(&self) -> Self::Content;

    /// Adds rows to a content.
    fn add(&self, content: &mut Self::Content, rows: &ScoreValues<&[f64]>) -> Result<(), Error>;

    /// Merges another content into this one.
    fn merge(&self, content: &mut Self::Content, other: Self::Content);

    /// The check that every content holds a tally of its own of, if any.
    fn check(&self) -> Option<&ShiftCheck> {
        None
    }

    /// Takes the check's tally out of a content.
    fn take_shift(&self, _: &mut Self::Content) -> Option<ShiftTally> {
        None
    }
}

/// Collects a model's tallies.
struct TallyCollector<'a> {
    model: &'a Model,
    empty: Tallies,
}

impl Collect for TallyCollector<'_> {
    type Content = Tallies;

    fn empty(&self) -> Tallies {
        self.empty.clone()
    }

    fn add(&self, tallies: &mut Tallies, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        self.model.update(tallies, rows.batch()?)
    }

    fn merge(&self, tallies: &mut Tallies, other: Tallies) {
        tallies.merge(&other).expect("tallies of one model");
    }

    fn check(&self) -> Option<&ShiftCheck> {
        self.model.check().filter(|_| !self.empty.counts_for_check())
    }

    fn take_shift(&self, tallies: &mut Tallies) -> Option<ShiftTally> {
        tallies.take_shift()
    }
}

/// Collects tallies of the check alone.
struct ShiftCheckCollector<'a>(&'a ShiftCheck);

impl Collect for ShiftCheckCollector<'_> {
    type Content = ShiftTally;

    fn empty(&self) -> ShiftTally {
        self.0.tally()
    }

    fn add(&self, tally: &mut ShiftTally, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        self.0.update(tally, rows.batch()?)
    }

    fn merge(&self, tally: &mut ShiftTally, other: ShiftTally) {
        tally.merge(&other).expect("tallies of one check");
    }
}

/// Keeps the rows themselves.
pub(crate) struct RowCollector;

impl Collect for RowCollector {
    type Content = ScoreValues<Vec<f64>>;

    fn empty(&self) -> ScoreValues<Vec<f64>> {
        ScoreValues::default()
    }

    fn add(&self, kept: &mut ScoreValues<Vec<f64>>, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        kept.extend(rows);
        Ok(())
    }

    fn merge(&self, kept: &mut ScoreValues<Vec<f64>>, other: ScoreValues<Vec<f64>>) {
        kept.extend(&other.map(Vec::as_slice));
    }
}

/// All groups, and where each first appears.
pub(crate) struct GroupedRows<T> {
    pub groups: Groups<T>,
    pub places: Vec<GroupPlace>,
    /// Whether places are lines or rows.
    pub unit: fn(u64) -> Position,
}

impl GroupedRows<ScoreValues<Vec<f64>>> {
    /// The rows of each group.
    pub fn into_rows(self) -> Vec<GroupRows> {
        let Self { groups, places, unit } = self;
        let texts = groups.keys.texts();
        let row = |(group, (rows, (_, place)))| GroupRows {
            values: texts.group_texts(group).collect(),
            rows,
            place: unit(place),
        };
        groups.contents.into_iter().zip(places).enumerate().map(row).collect()
    }
}

impl TestFiles<'_> {
    /// Every group's tallies; of constant size for most methods.
    ///
    /// # Errors
    /// If a file cannot be read, or a group's scores cannot be used.
    pub fn tallied(&self, model: &Model) -> Result<Groups<Tallies>, Error> {
        if let Some(bins) = countable(self, model) {
            return counted(self, bins, |tallies, _| Ok(tallies));
        }
        let empty = if self.weight.is_some() { model.weighted_tallies()? } else { model.tallies() };
        let tallied = self.read(model.unit_interval(), usize::MAX, &TallyCollector { model, empty })?.groups;
        self.counting(tallied, |tallies| tallies.n() > 0)
    }

    /// Every group's estimates: of its tallies, finished.
    ///
    /// # Errors
    /// Those of [`tallied`](Self::tallied) and [`Groups::finish`].
    pub fn estimated(&self, model: &Model, reporting: &IntervalOptions) -> Result<Groups<Estimates>, Error> {
        match countable(self, model) {
            Some(bins) => {
                counted(self, bins, |tallies, groups| model.estimates(&tallies, &reporting.with_multiplicity(groups)))
            }
            None => Ok(self.tallied(model)?.finish(&AllThreads, model, reporting)?),
        }
    }

    /// Every group's scores, in memory.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn kept(&self, model: &Model) -> Result<Groups<ScoreValues<Vec<f64>>>, Error> {
        let kept = self.read(model.unit_interval(), usize::MAX, &RowCollector)?.groups;
        self.counting(kept, ScoreValues::has_positive_weight)?.with_shift_total(&AllThreads, model)
    }

    /// The same for several models, each for some of the groups. `unit_interval` names what needs scores strictly between 0 and 1,
    /// if anything does.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn scores(&self, unit_interval: Option<&'static str>) -> Result<Groups<ScoreValues<Vec<f64>>>, Error> {
        Ok(self.read(unit_interval, usize::MAX, &RowCollector)?.groups)
    }

    /// Every group's scores, in memory, with the numbers of their rows.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn placed(&self, model: &Model) -> Result<Groups<Placed>, Error> {
        let (mut reading, mut numbering) = begin(self, model.unit_interval())?;
        let placed = gathered(&mut reading, &mut numbering, self, usize::MAX, Placing::default())?.groups;
        self.counting(placed, |Placed { numbers, .. }| numbers.has_positive_weight())
    }

    /// Every group's tally of the shift test.
    ///
    /// # Errors
    /// If a file cannot be read, all weights of a group are 0, or there are too many groups for a check that corrects for their number.
    pub fn checked(&self, test: &ShiftTest) -> Result<Groups<ShiftTestTally>, Error> {
        let GroupedRows { groups, .. } = self.read(None, MAX_CHECKED_GROUPS, &ShiftTestCollector(test))?;
        if groups.contents.len() > MAX_CHECKED_GROUPS {
            return Err(ErrorLocation::file(input::title(self.paths))
                .error(TableProblem::TooManyGroups { most: MAX_CHECKED_GROUPS }));
        }
        self.counting(groups, |tally| tally.n() > 0)
    }

    /// Reads and collects all groups; where there are more than `most`, some of them. `unit_interval` names what needs scores strictly
    /// between 0 and 1, if anything does.
    pub(crate) fn read<T: Send + Sync>(
        &self,
        unit_interval: Option<&'static str>,
        most: usize,
        collect: &impl Collect<Content = T>,
    ) -> Result<GroupedRows<T>, Error> {
        let (mut reading, mut numbering) = begin(self, unit_interval)?;
        let mut scattered = Scattered { collect, contents: Vec::new(), together: None };
        if self.by.is_empty() {
            whole(&mut reading, &mut numbering, collect, &mut scattered.contents, self.paths)?;
        }
        gathered(&mut reading, &mut numbering, self, most, scattered)
    }

    /// All groups, provided that something in each counts; every group has rows, so if nothing does, all their weights
    /// are 0.
    fn counting<T>(&self, groups: Groups<T>, counts: impl Fn(&T) -> bool) -> Result<Groups<T>, Error> {
        let Some(empty) = groups.contents.iter().position(|content| !counts(content)) else { return Ok(groups) };
        let location =
            ErrorLocation { group: groups.keys.name(empty), ..ErrorLocation::file(input::title(self.paths)) };
        Err(location.error(Problem::AllWeightsZero))
    }
}

/// The bins in which it is enough to count the scores of each group.
fn countable<'a>(files: &TestFiles, model: &'a Model) -> Option<ScoreBins<'a>> {
    let plain = files.weight.is_none() && files.columns.probability.is_none() && !files.by.is_empty();
    model.score_bins().filter(|_| plain)
}

fn counted<T: Send>(
    files: &TestFiles,
    bins: ScoreBins,
    make: impl Fn(Tallies, usize) -> Result<T, Error> + Sync,
) -> Result<Groups<T>, Error> {
    let (mut reading, mut numbering) = begin(files, None)?;
    Ok(gathered(&mut reading, &mut numbering, files, usize::MAX, GroupCounts::new(bins, make))?.groups)
}

/// Collects tallies of the shift test.
struct ShiftTestCollector<'a>(&'a ShiftTest<'a>);

impl Collect for ShiftTestCollector<'_> {
    type Content = ShiftTestTally;

    fn empty(&self) -> ShiftTestTally {
        self.0.tally()
    }

    fn add(&self, tally: &mut ShiftTestTally, rows: &ScoreValues<&[f64]>) -> Result<(), Error> {
        self.0.push(tally, rows)
    }

    fn merge(&self, tally: &mut ShiftTestTally, other: ShiftTestTally) {
        tally.merge(&other);
    }
}

fn begin<'a>(files: &'a TestFiles, unit_interval: Option<&'static str>) -> Result<(Reading<'a>, GroupInterner), Error> {
    let TestFiles { paths, columns, weight, by, fingerprint, progress } = *files;
    let wanted = ColumnSelection { columns, weight, by, unit_interval };
    Ok((Reading::new(paths, wanted, fingerprint, progress)?, GroupInterner::new(by)))
}

/// Reads all that is left to read, until there are more groups than `most`.
fn gathered<G: Gather>(
    reading: &mut Reading,
    numbering: &mut GroupInterner,
    files: &TestFiles,
    most: usize,
    mut gather: G,
) -> Result<GroupedRows<G::Content>, Error> {
    let mut waiting: Vec<(Vec<u32>, G::Rows)> = Vec::new();
    loop {
        let number = |file, chunk: FormatChunk| {
            let rows = gather.rows(file, &chunk.places, chunk.numbers)?;
            Ok((numbering.look_up(file, &chunk.by, chunk.places)?, rows))
        };
        let wave = if numbering.len() > most { None } else { reading.wave(number)? };
        let mut ended = wave.is_none();
        for (mut numbered, rows) in wave.into_iter().flatten() {
            numbering.learn(&mut numbered, |file| input::name(&files.paths[file]))?;
            waiting.push((numbered.groups, rows));
            if numbering.len() > most {
                ended = true;
                break;
            }
        }
        let rows: usize = waiting.iter().map(|(groups, _)| groups.len()).sum();
        if ended && rows == 0 {
            break;
        }
        if ended || rows >= (ROWS_PER_GROUP * numbering.len()).min(MOST_ROWS) {
            gather.add(&waiting, numbering.len())?;
            waiting.clear();
        }
    }
    if numbering.len() == 0 {
        return Err(ErrorLocation::file(input::title(files.paths)).error(TableProblem::NoRows));
    }
    let (order, places) = numbering.order();
    let keys = numbering.keys(&order);
    let (contents, together) = gather.contents(&order, order.len() <= MAX_CHECKED_GROUPS)?;
    Ok(GroupedRows { groups: Groups { keys, contents, shift_total: together }, places, unit: reading.unit() })
}

/// Rows on their way to groups that collect them.
struct Scattered<'a, C: Collect> {
    collect: &'a C,
    contents: Vec<C::Content>,
    together: Option<ShiftTally>,
}

impl<C: Collect> Scattered<'_, C> {
    /// Leaves the check to all groups together.
    fn take_all(&mut self) {
        let Self { collect, contents, together } = self;
        for content in contents {
            add_shift_tally(together, collect.take_shift(content));
        }
    }
}

impl<C: Collect> Gather for Scattered<'_, C> {
    type Rows = ScoreValues<ScalarBuffer<f64>>;
    type Content = C::Content;

    fn rows(&self, _: usize, _: &RowNumbers, numbers: Self::Rows) -> Result<Self::Rows, Error> {
        Ok(numbers)
    }

    fn add(&mut self, chunks: &[(Vec<u32>, Self::Rows)], groups: usize) -> Result<(), Error> {
        let collect = self.collect;
        self.contents.resize_with(groups, || collect.empty());
        let check = collect.check().filter(|_| groups > MAX_CHECKED_GROUPS);
        if check.is_some() {
            self.take_all();
        }
        let chunks: Vec<(&[u32], ScoreValues<&[f64]>)> =
            chunks.iter().map(|(groups, numbers)| (groups.as_slice(), numbers.map(AsRef::as_ref))).collect();
        spread(&chunks, &mut self.contents, |content, rows| collect.add(content, rows))?;
        if let Some(check) = check.map(ShiftCheckCollector) {
            let tally = |(_, rows): &(&[u32], ScoreValues<&[f64]>)| {
                let mut tally = check.empty();
                check.add(&mut tally, rows).map(|()| tally)
            };
            let tallies = chunks.par_iter().map(tally).collect::<Result<Vec<_>, Error>>()?;
            for tally in tallies {
                add_shift_tally(&mut self.together, Some(tally));
            }
        }
        Ok(())
    }

    fn contents(mut self, order: &[u32], each: bool) -> Result<(Vec<C::Content>, Option<ShiftTally>), Error> {
        if !each {
            self.take_all();
        }
        let mut contents: Vec<_> = self.contents.into_iter().map(Some).collect();
        let contents = order.iter().map(|group| contents[*group as usize].take().expect("each group once")).collect();
        Ok((contents, self.together))
    }
}

/// Collects all rows as one group.
fn whole<C: Collect>(
    reading: &mut Reading,
    numbering: &mut GroupInterner,
    collect: &C,
    contents: &mut Vec<C::Content>,
    paths: &[PathBuf],
) -> Result<(), Error> {
    loop {
        let known = &*numbering;
        let collected = |file, chunk: FormatChunk| {
            let mut content = collect.empty();
            collect.add(&mut content, &chunk.numbers.map(AsRef::as_ref))?;
            Ok((known.look_up(file, &[], chunk.places)?, content))
        };
        let Some(wave) = reading.wave(collected)? else { return Ok(()) };
        for (mut numbered, content) in wave {
            numbering.learn(&mut numbered, |file| input::name(&paths[file]))?;
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
