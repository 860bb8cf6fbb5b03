//! Estimates from audited rows, alone and together with external labels.

use crate::error::CliError;
use crate::output::{self, OutputFormat, fit_notes, print_wrapped_message, warning_lines};
use crate::progress::ProgressBars;
use std::path::Path;
use truecount::audit::AuditSummary;
use truecount::{Error, IntervalOptions, Model};
use truecount_analysis::audit::{AuditResult, add_audited};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{
    EstimateRow, Note, Results, Sort, escape_untrusted, evidence_notes, evidence_tables,
};
use truecount_tables::AuditFile;
use truecount_tables::groups::{Groups, Keys, TestFiles};

/// A request for estimates from audited rows.
pub struct AuditRequest<'a> {
    /// The model of external labels, if there is one.
    pub external: Option<Model>,
    pub file: AuditFile<'a>,
    /// Whether the audited rows are missing from the test table and must be added to it.
    pub audit_outside_test: bool,
    /// The margin of the equivalence test of the external labels, if there is one.
    pub margin: Option<f64>,
    pub interval_options: &'a IntervalOptions,
}

impl AuditRequest<'_> {
    /// Reads the audited and the test rows, and prints the estimates.
    pub fn run<'t>(
        &self,
        test: impl FnOnce(&Model) -> TestFiles<'t>,
        sort: &Sort,
        format: OutputFormat,
        file: Option<&Path>,
    ) -> Result<(), CliError> {
        let table = self.file.read(&ProgressBars)?;
        let model = match &self.external {
            Some(model) => model.clone(),
            None => table.model()?,
        };
        let Groups { keys, contents: mut tallies, .. } = test(&model).tally(&model)?;
        let groups = table.groups(&keys)?;
        let rows = table.rows(&groups);
        if self.audit_outside_test {
            add_audited(&rows, &mut tallies)?;
        }
        let path = self.file.path;
        let audit = model.audit(&rows).map_err(|error| error.in_file(path.display()))?;
        let interval_options = self.interval_options.with_multiplicity(tallies.len());
        let result = AuditResult::new(&audit, self.external.is_some(), &tallies, 0..tallies.len(), &interval_options);
        let mut result = result.map_err(in_group(&keys, path))?;
        if let Some(margin) = self.margin {
            result = result.with_margin(margin)?;
        }
        sort.sort(&mut result.rows, &keys);
        let mut notes = evidence_notes(&result.summaries, self.margin, table.is_weighted());
        notes.extend(self.external.iter().flat_map(fit_notes).map(Note::source));
        let tables = evidence_tables(&result.rows, Some(&keys));
        let warnings = external_warnings(&result.summaries, &keys);
        let results = Results { about: Vec::new(), tables, notes, warnings };
        output::print(&results, format, file)?;
        results.warnings.iter().for_each(|warning| print_wrapped_message(warning));
        Ok(())
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
    let external = |(group, summary): (usize, &AuditSummary)| {
        Some(EstimateRow { group, is_total: false, estimate: summary.external.clone()? })
    };
    let estimates: Vec<EstimateRow> = summaries.iter().enumerate().filter_map(external).collect();
    warning_lines(estimates.iter(), keys, summaries.len(), 1)
}
