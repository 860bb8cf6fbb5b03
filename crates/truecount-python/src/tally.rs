//! Tallies: what is known of test scores, to be merged and to travel in the one file format of every door.

use crate::error::raised;
use crate::keys::{self, KeyColumn};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use truecount::{Model, Tallies};
use truecount_analysis::groups::MergedTallies;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_tables::groups::Groups;
use truecount_tables::tally::{self, TallyFile};

/// What a model keeps of the test scores of groups, which Python knows by their numbers.
#[pyclass(frozen)]
pub struct Tally {
    pub merged: MergedTallies,
    sources: Sources,
}

#[pymethods]
impl Tally {
    /// The number of scores; of weighted ones, of those with a weight above 0.
    #[getter]
    fn n(&self) -> u64 {
        self.merged.contents.iter().map(Tallies::n).sum()
    }

    /// The sum of tallies whose groups have these numbers in it; a group that is new has the next one.
    #[staticmethod]
    fn sum(parts: Vec<(Py<Self>, Vec<u32>)>) -> PyResult<Self> {
        let (mut merged, mut sources) = (MergedTallies::default(), Sources::default());
        for (tally, numbers) in &parts {
            merged.add(numbers, tally.get().merged.clone()).map_err(raised)?;
            sources.add(&tally.get().sources);
        }
        Ok(Self { merged, sources })
    }
}

impl Tally {
    /// Of so many sets, with a random number that tells them from all others.
    pub fn new(contents: Vec<Tallies>, number: u64) -> Self {
        let sources = Sources { files: Vec::new(), numbers: Some(number) };
        Self { merged: MergedTallies { contents, shift_total: None }, sources }
    }

    /// Returns the groups, tallied by this model.
    pub fn groups<'a>(&'a self, model: &'a Model) -> TalliedGroups<'a> {
        TalliedGroups::new(model, &self.merged.contents, self.merged.shift_total.as_ref())
    }

    /// Returns how long the groups take, in scores: to finish a tally takes as long as some dozens of scores.
    pub fn work(&self) -> usize {
        64 * self.merged.contents.len()
    }

    /// A tally file of groups with these values.
    pub fn write<'py>(&self, py: Python<'py>, model: &Model, columns: &[KeyColumn]) -> PyResult<Bound<'py, PyBytes>> {
        let MergedTallies { contents, shift_total } = self.merged.clone();
        let weighted = contents.iter().any(Tallies::is_weighted);
        let groups = Groups { keys: keys::keys(columns, contents.len())?, contents, shift_total };
        let content = py.detach(|| tally::bytes(&groups, model, weighted, self.sources.texts(), None));
        Ok(PyBytes::new(py, &content))
    }

    /// The values of the groups of a tally file, and their tallies.
    pub fn read<'py>(py: Python<'py>, model: &Model, content: Vec<u8>) -> PyResult<(Vec<KeyColumn<'py>>, Self)> {
        let file = py.detach(|| TallyFile::parse(content, model)).map_err(raised)?;
        let sources = Sources::of(file.sources());
        let Groups { keys, contents, shift_total } = file.groups;
        Ok((keys::columns(py, &keys)?, Self { merged: MergedTallies { contents, shift_total }, sources }))
    }
}

/// Where scores came from: what tells a tally from another one that happens to count the same.
#[derive(Clone, Default)]
struct Sources {
    files: Vec<String>,
    /// The sum of the random numbers of all that was tallied here, whatever its order; none if nothing was.
    numbers: Option<u64>,
}

/// How that sum is called in a file.
const NUMBERS: &str = "Python ";

impl Sources {
    fn of(texts: &[String]) -> Self {
        let mut sources = Self::default();
        for text in texts {
            match text.strip_prefix(NUMBERS).and_then(|number| u64::from_str_radix(number, 16).ok()) {
                Some(number) => sources.add_number(number),
                None => sources.files.push(text.clone()),
            }
        }
        sources
    }

    fn texts(&self) -> Vec<String> {
        let numbers = self.numbers.map(|number| format!("{NUMBERS}{number:016x}"));
        self.files.iter().cloned().chain(numbers).collect()
    }

    fn add(&mut self, other: &Self) {
        self.files.extend(other.files.iter().cloned());
        other.numbers.into_iter().for_each(|number| self.add_number(number));
    }

    fn add_number(&mut self, number: u64) {
        self.numbers = Some(self.numbers.map_or(number, |sum| sum.wrapping_add(number)));
    }
}
