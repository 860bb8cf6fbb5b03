//! Test scores by group: tallied in one pass, or kept as they are.

use super::numbering::Numbering;
use super::reading::{Place, Reading};
use super::rows::{Chunk, Numbers, Wanted};
use super::spread::spread;
use super::{Columns, Keys, files};
use crate::failure::Failure;
use arrow::buffer::ScalarBuffer;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::PathBuf;
use truecount::check::{ShiftCheck, ShiftTally};
use truecount::{Model, Tallies};

/// Groups above which the shift check looks at all of them together: it allows for their number, and among so many no single group
/// could show anything.
pub const CHECKED_EACH: usize = 20_000;

/// Rows that wait for each other before they are added to their groups: several for each, so that a group is not visited for every
/// single row; but no more in memory than that.
const ROWS_PER_GROUP: usize = 4;
const MOST_ROWS: usize = 1 << 22;

/// Where test scores are read.
pub struct TestFiles<'a> {
    pub paths: &'a [PathBuf],
    pub columns: &'a Columns<'a>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The columns whose values make a group.
    pub by: &'a [String],
    /// What every group is tallied for besides, where the labelled scores allow it.
    pub shift: Option<&'a ShiftCheck>,
}

/// Groups in order of first appearance; a single one without `--by`.
pub struct Groups<T> {
    pub keys: Keys,
    /// What is known of each group's scores.
    pub contents: Vec<T>,
    pub shift: Shifts,
}

/// Tallies of the shift check.
pub enum Shifts {
    None,
    /// Each group's.
    Each(Vec<ShiftTally>),
    /// That of all groups together, where they are too many for each to have its own.
    Together(ShiftTally),
}

/// What is collected of a group's rows.
pub trait Collect: Sync {
    type Content: Send;

    /// Of no rows.
    fn empty(&self) -> Self::Content;

    /// With these rows.
    fn add(&self, content: &mut Self::Content, rows: &Numbers<&[f64]>) -> Result<(), Failure>;

    /// Both together.
    fn merge(&self, content: &mut Self::Content, other: Self::Content);
}

/// Tallies of the model, which is without the check.
struct Tallied<'a> {
    model: &'a Model,
    empty: Tallies,
}

impl Collect for Tallied<'_> {
    type Content = Tallies;

    fn empty(&self) -> Tallies {
        self.empty.clone()
    }

    fn add(&self, tallies: &mut Tallies, rows: &Numbers<&[f64]>) -> Result<(), Failure> {
        Ok(self.model.push(tallies, rows.batch()?)?)
    }

    fn merge(&self, tallies: &mut Tallies, other: Tallies) {
        tallies.merge(&other).expect("tallies of one model");
    }
}

/// The rows themselves.
pub struct Kept;

impl Collect for Kept {
    type Content = Numbers<Vec<f64>>;

    fn empty(&self) -> Numbers<Vec<f64>> {
        Numbers::default()
    }

    fn add(&self, kept: &mut Numbers<Vec<f64>>, rows: &Numbers<&[f64]>) -> Result<(), Failure> {
        let add = |column: &mut Option<Vec<f64>>, more: Option<&[f64]>| {
            if let Some(more) = more {
                column.get_or_insert_default().extend_from_slice(more);
            }
        };
        kept.scores.extend_from_slice(rows.scores);
        add(&mut kept.probabilities, rows.probabilities);
        add(&mut kept.weights, rows.weights);
        Ok(())
    }

    fn merge(&self, kept: &mut Numbers<Vec<f64>>, other: Numbers<Vec<f64>>) {
        // Vectors can always be added.
        let _ = self.add(kept, &other.map(Vec::as_slice));
    }
}

/// Nothing.
struct Nothing;

impl Collect for Nothing {
    type Content = ();

    fn empty(&self) {}

    fn add(&self, (): &mut (), _: &Numbers<&[f64]>) -> Result<(), Failure> {
        Ok(())
    }

    fn merge(&self, (): &mut (), (): ()) {}
}

/// The tally of the shift check, besides something else.
struct Shifted<'a, C> {
    collect: &'a C,
    check: Option<&'a ShiftCheck>,
}

impl<C: Collect> Collect for Shifted<'_, C> {
    type Content = (C::Content, Option<ShiftTally>);

    fn empty(&self) -> Self::Content {
        (self.collect.empty(), self.check.map(ShiftCheck::tally))
    }

    fn add(&self, (content, tally): &mut Self::Content, rows: &Numbers<&[f64]>) -> Result<(), Failure> {
        if let (Some(check), Some(tally)) = (self.check, tally) {
            check.push(tally, rows.batch()?)?;
        }
        self.collect.add(content, rows)
    }

    fn merge(&self, (content, tally): &mut Self::Content, (other, more): Self::Content) {
        self.collect.merge(content, other);
        merge(tally, more);
    }
}

fn merge(tally: &mut Option<ShiftTally>, more: Option<ShiftTally>) {
    match (tally, more) {
        (Some(tally), Some(more)) => tally.merge(&more).expect("tallies of one check"),
        (tally @ None, more) => *tally = more,
        (Some(_), None) => {}
    }
}

/// All groups, and where each was found.
pub struct Found<T> {
    pub groups: Groups<T>,
    pub places: Vec<Place>,
    /// What the places are: lines, or rows.
    pub unit: &'static str,
}

impl Groups<Tallies> {
    /// Every group's tallies; of constant size for most methods.
    pub fn tallied(files: &TestFiles, model: &Model) -> Result<Self, Failure> {
        let empty = if files.weight.is_some() { model.weighted_tallies()? } else { model.tallies() };
        let collect = Tallied { model, empty };
        let tallied = Groups::read(files, model.unit_interval(), &collect, CHECKED_EACH)?.groups;
        tallied.counting(files, |tallies| tallies.n() > 0)
    }
}

impl Groups<Numbers<Vec<f64>>> {
    /// Every group's scores, in memory.
    pub fn kept(files: &TestFiles, model: &Model) -> Result<Self, Failure> {
        let kept = Groups::read(files, model.unit_interval(), &Kept, CHECKED_EACH)?.groups;
        kept.counting(files, |rows| rows.weights.as_ref().is_none_or(|weights| weights.iter().any(|w| *w > 0.0)))
    }

    /// All rows as one group, those of the first group first.
    pub fn together(&self) -> Groups<Numbers<Vec<f64>>> {
        let mut all = Kept.empty();
        // Vectors can always be added.
        self.contents.iter().for_each(|group| drop(Kept.add(&mut all, &group.map(Vec::as_slice))));
        let shift = match &self.shift {
            Shifts::None => None,
            Shifts::Together(tally) => Some(tally.clone()),
            Shifts::Each(tallies) => {
                let mut all = None;
                for tally in tallies {
                    merge(&mut all, Some(tally.clone()));
                }
                all
            }
        };
        let shift = shift.map_or(Shifts::None, |tally| Shifts::Each(vec![tally]));
        Groups { keys: Keys::none(), contents: vec![all], shift }
    }
}

impl Groups<()> {
    /// Every group's tally of the shift check alone.
    pub fn checked(files: &TestFiles) -> Result<Self, Failure> {
        Ok(Groups::read(files, None, &Nothing, usize::MAX)?.groups)
    }
}

impl<T: Send> Groups<T> {
    /// What needs scores strictly between 0 and 1, if anything does; what is collected; and up to how many groups each has a shift
    /// check of its own.
    pub fn read(
        files: &TestFiles,
        unit_interval: Option<&'static str>,
        collect: &impl Collect<Content = T>,
        checked_each: usize,
    ) -> Result<Found<T>, Failure> {
        let wanted = Wanted {
            score: files.columns.score,
            probability: files.columns.probability,
            weight: files.weight,
            by: files.by,
            unit_interval,
        };
        let mut reading = Reading::new(files.paths, wanted)?;
        let mut numbering = Numbering::new(files.by);
        let mut each = Shifted { collect, check: files.shift };
        let (mut contents, mut together) = (Vec::new(), None);
        if files.by.is_empty() {
            whole(&mut reading, &mut numbering, &each, &mut contents, files.paths)?;
        }
        // Rows that are not yet in their groups.
        let mut waiting: Vec<(Vec<u32>, Numbers<ScalarBuffer<f64>>)> = Vec::new();
        loop {
            let number = |file, chunk: Chunk| Ok((numbering.look_up(file, &chunk.by, chunk.places)?, chunk.numbers));
            let wave = reading.wave(number)?;
            let ended = wave.is_none();
            for (mut numbered, numbers) in wave.into_iter().flatten() {
                numbering.learn(&mut numbered, files.paths)?;
                waiting.push((numbered.groups, numbers));
            }
            let rows: usize = waiting.iter().map(|(groups, _)| groups.len()).sum();
            if ended && rows == 0 {
                break;
            }
            if !ended && rows < (ROWS_PER_GROUP * numbering.len()).min(MOST_ROWS) {
                continue;
            }
            contents.resize_with(numbering.len(), || each.empty());
            if numbering.len() > checked_each && each.check.take().is_some() {
                for (_, tally) in &mut contents {
                    merge(&mut together, tally.take());
                }
            }
            let chunks: Vec<(&[u32], Numbers<&[f64]>)> =
                waiting.iter().map(|(groups, numbers)| (groups.as_slice(), numbers.map(AsRef::as_ref))).collect();
            spread(&chunks, &mut contents, |content, rows| each.add(content, rows))?;
            if let (None, Some(check)) = (each.check, files.shift) {
                let all = Shifted { collect: &Nothing, check: Some(check) };
                let tally = |(_, rows): &(&[u32], Numbers<&[f64]>)| {
                    let mut content = all.empty();
                    all.add(&mut content, rows).map(|()| content.1)
                };
                let tallies = chunks.par_iter().map(tally).collect::<Result<Vec<_>, Failure>>()?;
                for tally in tallies {
                    merge(&mut together, tally);
                }
            }
            waiting.clear();
        }
        if contents.is_empty() {
            let name = files::title(files.paths);
            return Err(Failure::Data(format!("{name}: there are no rows below the header")));
        }
        let (order, places) = numbering.order();
        let keys = numbering.keys(&order);
        let mut contents: Vec<_> = contents.into_iter().map(Some).collect();
        let ordered = order.iter().map(|group| contents[*group as usize].take().expect("each group once"));
        let (contents, tallies): (Vec<_>, Vec<_>) = ordered.unzip();
        let shift = match (together, tallies.into_iter().collect()) {
            (Some(together), _) => Shifts::Together(together),
            (None, Some(each)) => Shifts::Each(each),
            (None, None) => Shifts::None,
        };
        Ok(Found { groups: Groups { keys, contents, shift }, places, unit: reading.unit() })
    }

    /// All groups, if something in each counts: a group has rows, so that otherwise their weights are 0.
    fn counting(self, files: &TestFiles, counts: impl Fn(&T) -> bool) -> Result<Self, Failure> {
        let Some(empty) = self.contents.iter().position(|content| !counts(content)) else { return Ok(self) };
        let values = self.keys.texts().of(empty).collect::<Vec<_>>().join(", ");
        let of = if files.by.is_empty() { String::new() } else { format!(" of '{values}'") };
        let name = files::title(files.paths);
        Err(Failure::Data(format!("{name}: all weights{of} are 0; remove these rows, or weigh some of them")))
    }

    /// The same groups with something else known of each.
    pub fn with<U>(self, contents: Vec<U>) -> Groups<U> {
        Groups { keys: self.keys, contents, shift: self.shift }
    }

    /// Does the same to every group.
    pub fn map<U>(self, each: impl FnMut(T) -> Result<U, Failure>) -> Result<Groups<U>, Failure> {
        let Self { keys, contents, shift } = self;
        Ok(Groups { keys, contents: contents.into_iter().map(each).collect::<Result<_, Failure>>()?, shift })
    }
}

/// All rows as one group.
fn whole<C: Collect>(
    reading: &mut Reading,
    numbering: &mut Numbering,
    collect: &C,
    contents: &mut Vec<C::Content>,
    paths: &[PathBuf],
) -> Result<(), Failure> {
    loop {
        let known = &*numbering;
        let collected = |file, chunk: Chunk| {
            let mut content = collect.empty();
            collect.add(&mut content, &chunk.numbers.map(AsRef::as_ref))?;
            Ok((known.look_up(file, &[], chunk.places)?, content))
        };
        let Some(wave) = reading.wave(collected)? else { return Ok(()) };
        for (mut numbered, content) in wave {
            numbering.learn(&mut numbered, paths)?;
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
