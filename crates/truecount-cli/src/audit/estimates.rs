//! Estimates from audited rows, alone and together with external labels.

use crate::error::CliError;
use crate::options::AuditColumns;
use crate::output::{OutputArgs, fit_notes, warning_lines};
use crate::progress::ProgressBars;
use std::path::Path;
use truecount::audit::{AuditSummary, AuditedRows};
use truecount::error::Problem;
use truecount::{Error, Model, Tally};
use truecount_analysis::audit::{AuditGroups, AuditResult, add_audited};
use truecount_analysis::compare::{ComparisonSets, ReferenceOption, audit_differences};
use truecount_analysis::groups::{GroupKeys, GroupNames};
use truecount_analysis::request::AuditRequest;
use truecount_analysis::results::{
    EstimateRow, Note, Results, Sort, escape_untrusted, evidence_notes, evidence_tables,
};
use truecount_tables::AuditFile;
use truecount_tables::groups::{Groups, Keys, TestFiles};

/// Estimates from audited rows in a file.
pub struct AuditEstimation<'a> {
    pub request: AuditRequest,
    /// The model of external labels, if there is one.
    pub external: Option<Model>,
    /// The file of the audited rows, grouped by the columns of `design` too.
    pub file: AuditFile<'a>,
    pub design: AuditColumns<'a>,
    /// The grouping columns of the results.
    pub by: &'a [String],
    /// The reference of comparisons between groups, if there are any.
    pub reference: Option<&'a ReferenceOption>,
}

impl AuditEstimation<'_> {
    /// Reads the audited and the test rows, and prints the estimates.
    pub fn run<'t>(
        &self,
        test: impl FnOnce(&Model) -> TestFiles<'t>,
        sort: &Sort,
        output: &OutputArgs,
    ) -> Result<(), CliError> {
        let request = &self.request;
        request.check(self.external.is_some(), !self.by.is_empty())?;
        let table = self.file.read(&ProgressBars)?;
        let model = match &self.external {
            Some(model) => model.clone(),
            None => table.model()?,
        };
        let files =
            TestFiles { by: self.file.by, required: self.file.required, weight: self.design.weight, ..test(&model) };
        let Groups { keys: part_keys, contents: mut tallies, .. } = files.tally(&model)?;
        let row_parts = table.groups(&part_keys)?;
        let rows = table.rows(&row_parts);
        if request.audit_outside_test {
            add_audited(&rows, &mut tallies)?;
        }
        let parts = Parts::new(&part_keys, self.by.len(), &self.design)?;
        let keys = &parts.groups.0;
        let mut result = self.estimate(&model, (&rows, &row_parts), &tallies, &parts)?;
        sort.sort(&mut result.rows, keys);
        if request.total {
            let all = Parts::total(&part_keys, self.by.len(), &self.design)?;
            result = result.with_total(self.estimate(&model, (&rows, &row_parts), &tallies, &all)?);
        }
        let compare = |reference: &ReferenceOption| {
            let levels = ComparisonSets::new(keys);
            let comparison = (&levels, &levels.resolve_group_reference(reference, keys)?);
            audit_differences(self.external.as_ref(), &result.summaries, keys, comparison, &request.intervals)
        };
        let differences = self.reference.map(compare).transpose()?;
        let mut notes = evidence_notes(&result.summaries, request.margin, table.is_weighted());
        notes.extend(result.agreement.notes());
        notes.extend(self.design.notes());
        notes.extend(self.external.iter().flat_map(fit_notes).map(Note::source));
        notes.extend(differences.iter().flat_map(|differences| differences.notes(keys)));
        let mut tables = evidence_tables(&result.rows, Some(keys));
        tables.extend(result.agreement.tables(Some(keys)));
        let level = request.intervals.level();
        tables.extend(differences.iter().map(|differences| differences.table(keys, level, false)));
        let warnings = external_warnings(&result.summaries, keys);
        output.print(Results { tables, notes, warnings, ..Results::default() })
    }

    /// Estimates from audited rows and from the tallies of these parts of the target. `row_parts` has the
    /// part of each audited row.
    fn estimate(
        &self,
        model: &Model,
        (rows, row_parts): (&AuditedRows, &[u32]),
        tallies: &[Tally],
        parts: &Parts,
    ) -> Result<AuditResult, CliError> {
        let numbers_of_rows =
            |numbers: &[u32]| row_parts.iter().map(|part| numbers[*part as usize]).collect::<Vec<u32>>();
        let groups = numbers_of_rows(&parts.groups.1);
        let [strata, clusters] = [&parts.strata, &parts.clusters]
            .map(|numbered| numbered.as_ref().map(|(_, numbers)| numbers_of_rows(numbers)));
        let rows =
            AuditedRows { groups: Some(&groups), strata: strata.as_deref(), clusters: clusters.as_deref(), ..*rows };
        let path = self.file.path;
        let groups = parts.audit_groups(tallies);
        let result = self.request.estimate((model, self.external.is_some()), &rows, &groups, 0..groups.number());
        result.map_err(|error| match (error.problem(), &parts.strata) {
            (Some(Problem::AuditStratumTooSmall { .. }), Some((strata, _))) => in_group(strata, path)(error),
            _ => in_group(&parts.groups.0, path)(error),
        })
    }
}

/// The parts of the target that are tallied one by one: the names and the number of each part's group,
/// stratum and cluster.
struct Parts {
    groups: (Keys, Vec<u32>),
    strata: Option<(Keys, Vec<u32>)>,
    clusters: Option<(Keys, Vec<u32>)>,
}

impl Parts {
    /// Splits the names of parts into those of groups, which come first, of strata and of clusters.
    fn new(keys: &Keys, group_columns: usize, design: &AuditColumns) -> Result<Self, Error> {
        let mut columns = group_columns..;
        let mut next = |column: Option<&str>| {
            column.and_then(|_| columns.next()).map(|column| keys.group_by([column])).transpose()
        };
        Ok(Self {
            strata: next(design.stratum)?,
            clusters: next(design.cluster)?,
            groups: keys.group_by(0..group_columns)?,
        })
    }

    /// Takes all groups together, with each group as a stratum, or with its strata.
    fn total(keys: &Keys, group_columns: usize, design: &AuditColumns) -> Result<Self, Error> {
        let strata = group_columns + usize::from(design.stratum.is_some());
        Ok(Self {
            groups: keys.group_by(0..0)?,
            strata: Some(keys.group_by(0..strata)?),
            ..Self::new(keys, group_columns, design)?
        })
    }

    fn audit_groups<'a>(&'a self, tallies: &'a [Tally]) -> AuditGroups<'a> {
        let (keys, groups) = &self.groups;
        let [strata, clusters] =
            [&self.strata, &self.clusters].map(|part| part.as_ref().map(|(_, numbers)| numbers.as_slice()));
        AuditGroups::new(tallies).with_parts(groups, keys.number(), strata, clusters)
    }
}

impl AuditColumns<'_> {
    /// Returns the columns of the parts that are tallied one by one: those of groups, the stratum and the cluster.
    ///
    /// # Errors
    /// Returns an error if a column is named twice.
    pub fn part_columns(&self, by: &[String]) -> Result<Vec<String>, CliError> {
        let mut columns: Vec<(&str, &str)> = by.iter().map(|column| ("--by", column.as_str())).collect();
        for (option, column) in [("--stratum", self.stratum), ("--cluster", self.cluster)] {
            let Some(column) = column else { continue };
            if let Some((other, _)) = columns.iter().find(|(_, known)| *known == column) {
                return Err(CliError::usage(
                    format!("{option} and {other} name the same column"),
                    "name another column",
                ));
            }
            columns.push((option, column));
        }
        Ok(columns.into_iter().map(|(_, column)| column.to_owned()).collect())
    }

    /// Says how the audit was drawn and how rows count.
    fn notes(&self) -> impl Iterator<Item = Note> + '_ {
        let weight = self.weight.map(|column| format!("each row counts by its {}", escape_untrusted(column)));
        let stratum = self
            .stratum
            .map(|column| format!("the audited rows of each {} stand for all its rows", escape_untrusted(column)));
        let cluster = self.cluster.map(|column| {
            format!("standard errors allow for rows of the same {} that were drawn together", escape_untrusted(column))
        });
        [weight, stratum, cluster].into_iter().flatten().map(Note::new)
    }
}

/// Returns a function for `map_err` that names the file of the audited rows, and their group.
pub fn in_group(keys: &Keys, path: &Path) -> impl FnOnce(Error) -> CliError {
    move |error| {
        let group = error.location().set.and_then(|group| keys.name(group));
        let error = CliError::from(error.in_file(path.display()));
        match group {
            Some(name) => error.inside(&escape_untrusted(&name)),
            None => error,
        }
    }
}

/// Returns the warnings about the estimates from external labels.
fn external_warnings(summaries: &[AuditSummary], keys: &Keys) -> Vec<String> {
    let external = |(group, summary): (usize, &AuditSummary)| Some(EstimateRow::new(group, summary.external.clone()?));
    let estimates: Vec<EstimateRow> = summaries.iter().enumerate().filter_map(external).collect();
    warning_lines(estimates.iter(), keys, 1)
}
