//! Tallies: mergeable summaries of test scores, in the file format that all interfaces share.

use crate::error::raised;
use crate::keys::{self, KeyColumn};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use truecount::Model;
use truecount_analysis::groups::{MergedTallies, NamedGroups, TextNames};
use truecount_analysis::rows::GroupCells;
use truecount_tables::groups::Groups;
use truecount_tables::tally::{self, TallyFile};

/// The tallies of groups or of their parts, whose names Python has.
pub type PyCellTallies = GroupCells<truecount::Tally, TextNames>;

/// A model's tallies of the test scores of groups. Python has the groups' values, in the same
/// order.
#[pyclass(frozen)]
pub struct Tally {
    pub parts: PyCellTallies,
    sources: Sources,
}

#[pymethods]
impl Tally {
    /// Number of scores, without scores of weight 0.
    #[getter]
    fn n(&self) -> u64 {
        self.parts.contents.iter().map(truecount::Tally::n).sum()
    }

    /// Adds tallies up. Each comes with the numbers of its groups in the sum, where a new group has
    /// the next number.
    #[staticmethod]
    fn sum(parts: Vec<(Py<Self>, Vec<u32>)>) -> PyResult<Self> {
        let (mut merged, mut sources) = (MergedTallies::default(), Sources::default());
        for (tally, numbers) in &parts {
            let PyCellTallies { contents, shift_total, .. } = tally.get().parts.clone();
            merged.add(numbers, MergedTallies { contents, shift_total }).map_err(raised)?;
            sources.add(&tally.get().sources);
        }
        Ok(Self::from_merged(merged, sources))
    }
}

impl Tally {
    /// Creates a tally of these sets; the random number identifies it.
    pub fn new(contents: Vec<truecount::Tally>, number: u64) -> Self {
        let sources = Sources { files: Vec::new(), numbers: Some(number) };
        Self::from_merged(MergedTallies { contents, shift_total: None }, sources)
    }

    fn from_merged(tallies: MergedTallies, sources: Sources) -> Self {
        let MergedTallies { contents, shift_total } = tallies;
        let keys = TextNames::new(Vec::new(), vec![Vec::new(); contents.len()]);
        Self { parts: GroupCells::from_groups(NamedGroups { keys, contents, shift_total }), sources }
    }

    /// Returns the work that the groups take, in scores: an estimate from a tally takes as long as
    /// some dozens of scores.
    pub fn work(&self) -> usize {
        64 * self.parts.contents.len()
    }

    /// Returns a tally file of groups with these values.
    pub fn write<'py>(&self, py: Python<'py>, model: &Model, columns: &[KeyColumn]) -> PyResult<Bound<'py, PyBytes>> {
        let PyCellTallies { contents, shift_total, .. } = self.parts.clone();
        let weighted = contents.iter().any(truecount::Tally::is_weighted);
        let groups = Groups { keys: keys::keys(columns, contents.len())?, contents, shift_total };
        let content = py.detach(|| tally::bytes(&groups, model, weighted, self.sources.texts(), None));
        Ok(PyBytes::new(py, &content))
    }

    /// Returns the values of the groups in a tally file, and their tallies.
    pub fn read<'py>(py: Python<'py>, model: &Model, content: Vec<u8>) -> PyResult<(Vec<KeyColumn<'py>>, Self)> {
        let file = py.detach(|| TallyFile::parse(content, model)).map_err(raised)?;
        let sources = Sources::from_texts(file.sources());
        let Groups { keys, contents, shift_total } = file.groups;
        Ok((keys::columns(py, &keys)?, Self::from_merged(MergedTallies { contents, shift_total }, sources)))
    }
}

/// Where scores came from, which distinguishes a tally from another one with equal counts.
#[derive(Clone, Default)]
struct Sources {
    files: Vec<String>,
    /// Sum of the random numbers of the tallies made in Python, which does not depend on their
    /// order; `None` without such tallies.
    numbers: Option<u64>,
}

/// Prefix of that sum in a file.
const NUMBERS: &str = "Python ";

impl Sources {
    fn from_texts(texts: &[String]) -> Self {
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
