//! Tallies: mergeable summaries of test scores, in the file format that all interfaces share.

use crate::error::raised;
use crate::keys::{self, KeyColumn};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use truecount::{Error, Model};
use truecount_analysis::design_tallies::{DesignTallies, PartDesign};
use truecount_analysis::groups::MergedTallies;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_tables::groups::Groups;
use truecount_tables::tally::{self, TallyFile};

/// A model's tallies of the test scores of groups. Python has the groups' values, in the same
/// order.
#[pyclass(frozen)]
pub struct Tally {
    pub merged: MergedTallies,
    sources: Sources,
    /// The group of each tally, the number of groups, and the sampling design; `None` if each tally is a
    /// group.
    parts: Option<(Vec<u32>, usize, PartDesign)>,
}

#[pymethods]
impl Tally {
    /// Number of scores, without scores of weight 0.
    #[getter]
    fn n(&self) -> u64 {
        self.merged.contents.iter().map(truecount::Tally::n).sum()
    }

    /// Adds tallies up. Each comes with the numbers of its groups in the sum, where a new group has
    /// the next number.
    #[staticmethod]
    fn sum(parts: Vec<(Py<Self>, Vec<u32>)>) -> PyResult<Self> {
        let (mut merged, mut sources) = (MergedTallies::default(), Sources::default());
        for (tally, numbers) in &parts {
            merged.add(numbers, tally.get().merged.clone()).map_err(raised)?;
            sources.add(&tally.get().sources);
        }
        Ok(Self { merged, sources, parts: None })
    }
}

impl Tally {
    /// Creates a tally of these sets; the random number identifies it.
    pub fn new(contents: Vec<truecount::Tally>, number: u64) -> Self {
        let sources = Sources { files: Vec::new(), numbers: Some(number) };
        Self { merged: MergedTallies { contents, shift_total: None }, sources, parts: None }
    }

    /// Creates a tally of the parts of groups under a sampling design.
    pub fn with_design(tallies: DesignTallies) -> Self {
        let DesignTallies { tallies, groups, number, design } = tallies;
        Self { parts: Some((groups, number, design)), ..Self::new(tallies, 0) }
    }

    /// Returns the groups, tallied by this model.
    pub fn groups<'a>(&'a self, model: &'a Model) -> Result<TalliedGroups<'a>, Error> {
        let contents = &self.merged.contents;
        let groups = TalliedGroups::new(model, contents, self.merged.shift_total.as_ref());
        Ok(match &self.parts {
            Some((of_tallies, number, design)) => {
                groups.with_parts(of_tallies, *number, design.with_tallies(contents)?)
            }
            None => groups,
        })
    }

    /// Returns the work that the groups take, in scores: an estimate from a tally takes as long as
    /// some dozens of scores.
    pub fn work(&self) -> usize {
        64 * self.merged.contents.len()
    }

    /// Returns a tally file of groups with these values.
    pub fn write<'py>(&self, py: Python<'py>, model: &Model, columns: &[KeyColumn]) -> PyResult<Bound<'py, PyBytes>> {
        let MergedTallies { contents, shift_total } = self.merged.clone();
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
        Ok((keys::columns(py, &keys)?, Self { merged: MergedTallies { contents, shift_total }, sources, parts: None }))
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
