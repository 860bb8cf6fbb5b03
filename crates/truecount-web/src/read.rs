//! Reads files.

use crate::error::PageError;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally};
use truecount_analysis::executor::Executor;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::rows::{GroupCells, MemoryRows, TestRows};
use truecount_report::{FileContent, InputFile};
use truecount_text::{Meter, Progress, SizeFormat, TextFiles, name, split_into_parts};

/// Shows notes about the files below the answer. The page itself counts the bytes.
pub struct PageProgress;

impl Progress for PageProgress {
    fn begin(&self, _: &str, _: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(Self)
    }
}

impl Meter for PageProgress {
    fn advance(&self, _: u64) {}

    fn note(&self, message: &str) {
        eprintln!("{message}");
    }
}

/// Test scores in text files, in groups that are named by their texts in the file.
pub struct PageRows<'a> {
    pub files: TextFiles<'a>,
    /// The request with the roles of the columns.
    pub request: &'a EstimateRequest,
}

impl PageRows<'_> {
    /// Reads the rows, grouped by the columns of all roles, and divides them into the parts of groups.
    pub fn parts<T>(
        &self,
        read: impl FnOnce(&TextFiles) -> Result<NamedGroups<T, TextNames>, Error>,
    ) -> Result<GroupCells<T, TextNames>, Error> {
        let roles = self.request.roles();
        let rows = read(&TextFiles { by: &roles.columns, required: &roles.required, ..self.files })?;
        let no_tables = |_: &Path, _: &[String], _| unreachable!("the sizes of a page's request are in columns");
        split_into_parts(rows, &roles, &SizeFormat { decimal: self.files.columns.decimal, read: &no_tables })
    }
}

impl TestRows for PageRows<'_> {
    type Names = TextNames;

    fn is_simple(&self) -> bool {
        self.request.has_simple_groups()
    }

    fn estimate(
        &self,
        executor: &impl Executor,
        model: &Model,
        options: &IntervalOptions,
    ) -> Result<NamedGroups<Estimates, TextNames>, Error> {
        self.files.tally(model)?.estimate(executor, model, options)
    }

    fn tally(&self, _: &impl Executor, model: &Model) -> Result<GroupCells<Tally, TextNames>, Error> {
        self.parts(|files| files.tally(model))
    }

    fn read(&self, unit_interval: Option<&'static str>) -> Result<MemoryRows<'_, TextNames>, Error> {
        Ok(MemoryRows::new(self.parts(|files| files.scores(unit_interval))?))
    }
}

/// Returns the name, size and hash of a file.
pub fn input_file(path: &Path) -> Result<InputFile, PageError> {
    let name = name(path);
    let content = File::open(path).and_then(|mut file| FileContent::read(&mut file)).map_err(PageError::at(&name))?;
    Ok(InputFile { name, content: Some(content) })
}
