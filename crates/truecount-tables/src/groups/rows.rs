//! Unlabelled rows in files or in tallies, as requests for estimates read them.

use super::replicates::replicate_columns;
use super::{Groups, Keys, TestFiles};
use crate::Progress;
use crate::input::{Decimal, MissingPolicy, ScoreValues};
use crate::parallel::AllThreads;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use truecount::error::{ErrorLocation, Problem};
use truecount::multiclass::{ClassProbabilities, MulticlassModel};
use truecount::{Error, Estimates, IntervalOptions, Model, Tally, Warning};
use truecount_analysis::design_tallies::CellDesign;
use truecount_analysis::executor::Executor;
use truecount_analysis::groups::{GroupKeys, GroupNames};
use truecount_analysis::request::{ClassColumn, ColumnRoles, EstimateRequest, MAX_PARTS, PARTS};
use truecount_analysis::rows::{GroupCells, MemoryRows, TestRows};
use truecount_analysis::{AnalysisProblem, TableProblem};
use truecount_text::{ClassFiles, SIZE, ScoreColumns, SizeFormat, check_weights, split_into_parts};

/// Test scores in files, in the groups and parts of a request. They are read with all threads.
pub struct FileRows<'a> {
    /// The files; their grouping columns are those of the request.
    pub files: TestFiles<'a>,
    /// The request with the roles of the columns.
    pub request: &'a EstimateRequest,
}

impl FileRows<'_> {
    /// Returns the files, grouped by the columns of these roles.
    fn files<'b>(&'b self, ColumnRoles { columns, required, .. }: &'b ColumnRoles) -> TestFiles<'b> {
        TestFiles { by: columns, required, ..self.files }
    }

    /// Divides groups into their parts. Only parts of groups, such as a cluster, may be without weight.
    fn split<T>(
        &self,
        files: &TestFiles,
        rows: Groups<T>,
        roles: &ColumnRoles,
        has_weight: impl Fn(&T) -> bool,
    ) -> Result<GroupCells<T, Keys>, Error> {
        let rows = if self.request.has_design() { rows } else { check_weights(files.paths, rows, has_weight)? };
        split(rows, roles, self.files.columns.decimal, self.files.progress)
    }

    /// Reads the probabilities of classes, with these columns for the classes, or the predicted classes in a single
    /// column.
    ///
    /// # Errors
    /// Returns the errors of [`ClassFiles::read`].
    pub fn read_classes(
        &self,
        columns: &[ClassColumn],
        model: &MulticlassModel,
    ) -> Result<GroupCells<ClassProbabilities, Keys>, Error> {
        let roles = self.request.roles();
        let replicates = self.replicates()?;
        let read =
            |files: &ClassFiles<_>| ClassFiles { replicates: &replicates, ..*files }.read(columns, model, self.request);
        let rows = self.files(&roles).with_class_files(read)?;
        let mut cells = split(rows, &roles, self.files.columns.decimal, self.files.progress)?;
        if !replicates.is_empty() {
            cells.design =
                CellDesign::with_row_replicates(&cells.contents, replicates.len(), self.request.replicate_kind()?)?;
        }
        Ok(cells)
    }

    /// Returns the columns of replicate weights, if there are any.
    fn replicates(&self) -> Result<Vec<String>, Error> {
        let Some(pattern) = &self.request.replicates else { return Ok(Vec::new()) };
        let columns = replicate_columns(pattern, &self.files)?;
        if self.files.columns.missing == Some(MissingPolicy::Drop) {
            return Err(AnalysisProblem::option_conflict(
                "{--replicates} cannot be used with {--missing=drop}",
                "leave out the rows without a value, with their replicate weights",
            ));
        }
        Ok(columns)
    }
}

/// Returns the weights of all rows by group, of the estimate itself or of a replicate.
fn read_weights(files: &TestFiles, replicate: Option<&String>) -> Result<Vec<f64>, Error> {
    let weight = replicate.map(String::as_str).or(files.weight);
    let files = TestFiles { weight, fingerprint: None, ..*files };
    let rows = files.scores(None).map_err(in_column(weight.unwrap_or_default()))?.contents;
    Ok(rows.into_iter().filter_map(|rows| rows.weights).flatten().collect())
}

/// Returns a function that adds a column to the location of an error.
fn in_column(column: &str) -> impl FnOnce(Error) -> Error {
    move |error| error.or_location(ErrorLocation { column: Some(column.to_owned()), ..ErrorLocation::default() })
}

impl TestRows for FileRows<'_> {
    type Names = Keys;

    fn is_simple(&self) -> bool {
        self.request.has_simple_groups()
    }

    fn estimate(
        &self,
        _: &impl Executor,
        model: &Model,
        options: &IntervalOptions,
    ) -> Result<Groups<Estimates>, Error> {
        self.files.tally(model)?.estimate(&AllThreads, model, options)
    }

    fn tally(&self, _: &impl Executor, model: &Model) -> Result<GroupCells<Tally, Keys>, Error> {
        let roles = self.request.roles();
        let files = self.files(&roles);
        let max_parts = if self.request.has_design() { MAX_PARTS } else { usize::MAX };
        let mut parts =
            self.split(&files, files.tally_parts(model, max_parts, PARTS)?, &roles, |tally| tally.n() > 0)?;
        let columns = self.replicates()?;
        if parts.contents.len() * (1 + columns.len()) > max_parts {
            return Err(Problem::ResultTooLarge { what: PARTS, most: MAX_PARTS as u64 }.into());
        }
        let mut replicates = vec![0; parts.contents.len()];
        for (replicate, column) in (1..).zip(&columns) {
            let files = TestFiles { weight: Some(column), fingerprint: None, ..files };
            let Groups { keys, contents, .. } =
                files.tally_parts(model, max_parts, PARTS).map_err(in_column(column))?;
            parts.groups.extend(keys.group_by(0..roles.columns.len())?.1);
            replicates.extend(contents.iter().map(|_| replicate));
            parts.contents.extend(contents);
        }
        if !columns.is_empty() {
            let weights = |index: usize| read_weights(&files, index.checked_sub(1).map(|index| &columns[index]));
            let formula = self.request.replicate_kind()?.variance(columns.len(), weights)?;
            parts.design = CellDesign::Replicates(replicates, formula);
        }
        Ok(parts)
    }

    fn read(&self, unit_interval: Option<&'static str>) -> Result<MemoryRows<'_, Keys>, Error> {
        let roles = self.request.roles();
        let files = self.files(&roles);
        let rows = files.scores(unit_interval)?;
        let mut rows = MemoryRows::new(self.split(&files, rows, &roles, ScoreValues::has_positive_weight)?);
        let columns = self.replicates()?;
        if !columns.is_empty() {
            let weights = columns.iter().map(|column| read_weights(&files, Some(column)));
            let weights = weights.collect::<Result<Vec<_>, Error>>()?;
            let formula =
                self.request.replicate_kind()?.variance(columns.len(), |index| match index.checked_sub(1) {
                    Some(index) => Ok(weights[index].clone()),
                    None => read_weights(&files, None),
                })?;
            rows.replicates = Some((weights.into_iter().map(Cow::Owned).collect(), formula));
        }
        Ok(rows)
    }
}

/// The merged tallies of groups and their parts.
pub struct TallyRows<'a> {
    /// The tallies, by the columns of the request's roles.
    pub tallies: Groups<Tally>,
    /// Rows without a score, by tally and method; empty if there are none.
    pub missing: Vec<Vec<u64>>,
    /// The request with the roles of the columns.
    pub request: &'a EstimateRequest,
    /// Reports progress while tables of sizes are read.
    pub progress: &'a dyn Progress,
}

impl TallyRows<'_> {
    /// Returns the error that tallies have no scores, which the bootstrap needs.
    pub fn without_scores() -> Error {
        AnalysisProblem::option_conflict(
            "{--interval=bootstrap} needs the scores, which tallies do not contain",
            "use {--interval=wilson} or wald, or `truecount estimate`",
        )
    }
}

impl TestRows for TallyRows<'_> {
    type Names = Keys;

    fn is_simple(&self) -> bool {
        self.request.has_simple_groups()
    }

    fn estimate(
        &self,
        executor: &impl Executor,
        model: &Model,
        options: &IntervalOptions,
    ) -> Result<Groups<Estimates>, Error> {
        let mut estimates = self.tallies.estimate(executor, model, options)?;
        for (estimate, missing) in estimates.contents.iter_mut().flatten().zip(self.missing.iter().flatten()) {
            estimate.warnings.extend((*missing > 0).then_some(Warning::MissingScores { n: *missing }));
        }
        Ok(estimates)
    }

    fn tally(&self, _: &impl Executor, _: &Model) -> Result<GroupCells<Tally, Keys>, Error> {
        let Groups { keys, contents, shift_total } = &self.tallies;
        let roles = self.request.roles();
        for (index, column) in roles.columns.iter().enumerate().filter(|(_, column)| roles.required.contains(column)) {
            let texts = keys.texts();
            let without_value = |part: &usize| {
                texts.group_texts(*part).nth(index).is_some_and(|text| TableProblem::without_value(&text).is_some())
            };
            let parts: Vec<usize> = (0..contents.len()).filter(without_value).collect();
            if let Some(first) = parts.first() {
                let first = format!("tally {}", first + 1);
                let rows = parts.iter().map(|part| contents[*part].n()).sum();
                let total = contents.iter().map(Tally::n).sum();
                let problem = TableProblem::RowsWithoutValue { rows, total, first, policy: None };
                return Err(in_column(column)(problem.into()));
            }
        }
        let tallies = Groups { keys: keys.clone(), contents: contents.clone(), shift_total: shift_total.clone() };
        split(tallies, &roles, None, self.progress)
    }

    fn read(&self, _: Option<&'static str>) -> Result<MemoryRows<'_, Keys>, Error> {
        Err(Self::without_scores())
    }
}

/// Divides rows, grouped by the columns of the roles, into the parts of groups.
fn split<T>(
    rows: Groups<T>,
    roles: &ColumnRoles,
    decimal: Option<Decimal>,
    progress: &dyn Progress,
) -> Result<GroupCells<T, Keys>, Error> {
    let read = |path: &Path, by: &[String], may_lack: bool| read_sizes(path, by, may_lack, (decimal, progress));
    split_into_parts(rows, roles, &SizeFormat { decimal, read: &read })
}

/// Reads a table of sizes by the columns of groups, which the table may lack if `may_lack` is true.
pub(crate) fn read_sizes(
    path: &Path,
    by: &[String],
    may_lack: bool,
    (decimal, progress): (Option<Decimal>, &dyn Progress),
) -> Result<Groups<ScoreValues<Vec<f64>>>, Error> {
    let paths: [PathBuf; 1] = [path.to_owned()];
    let columns = ScoreColumns { score: Some(SIZE), decimal, ..ScoreColumns::default() };
    let optional = if may_lack { by } else { &[] };
    Ok(TestFiles::new(&paths, columns, by, progress).read_rows(optional)?.groups)
}
