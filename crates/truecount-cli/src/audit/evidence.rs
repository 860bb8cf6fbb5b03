//! What audited rows say, beside labels from elsewhere.

use crate::failure::CliError;
use crate::output::{self, OutputFormat, fit_notes, say_wrapped, warning_lines};
use crate::progress::ProgressBars;
use std::path::Path;
use truecount::{AuditSummary, Error, IntervalOptions, Model};
use truecount_analysis::audit::{AuditResult, add_audited};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{
    EstimateRow, Note, Results, Sort, escape_untrusted, evidence_notes, evidence_tables,
};
use truecount_tables::AuditFile;
use truecount_tables::groups::{Groups, Keys, TestFiles};

/// Audited rows, and what they are put beside.
pub struct AuditRequest<'a> {
    /// The model of labels from elsewhere.
    pub elsewhere: Option<Model>,
    pub file: AuditFile<'a>,
    /// Whether the rows come besides those of the test table.
    pub audit_outside_test: bool,
    pub reporting: &'a IntervalOptions,
}

impl AuditRequest<'_> {
    /// Reads and prints.
    pub fn print<'t>(
        &self,
        test: impl FnOnce(&Model) -> TestFiles<'t>,
        sort: &Sort,
        form: OutputFormat,
        file: Option<&Path>,
    ) -> Result<(), CliError> {
        let table = self.file.read(&ProgressBars)?;
        let model = match &self.elsewhere {
            Some(model) => model.clone(),
            None => table.model()?,
        };
        let Groups { keys, contents: mut tallies, .. } = test(&model).tallied(&model)?;
        let groups = table.groups(&keys)?;
        let rows = table.rows(&groups);
        if self.audit_outside_test {
            add_audited(&model, &rows, &mut tallies)?;
        }
        let path = self.file.path;
        let audit = model.audit(&rows).map_err(|error| error.in_file(path.display()))?;
        let reporting = self.reporting.with_multiplicity(tallies.len());
        let found = AuditResult::new(&audit, self.elsewhere.is_some(), &tallies, 0..tallies.len(), &reporting);
        let mut found = found.map_err(in_group(&keys, path))?;
        sort.sort(&mut found.rows, &keys);
        let mut notes = evidence_notes(&found.answers, table.is_weighted());
        notes.extend(self.elsewhere.iter().flat_map(fit_notes).map(Note::source));
        let (tables, warnings) = (evidence_tables(&found.rows, Some(&keys)), warnings(&found.answers, &keys));
        let results = Results { about: Vec::new(), tables, notes, warnings };
        output::print(&results, form, file)?;
        results.warnings.iter().for_each(|warning| say_wrapped(warning));
        Ok(())
    }
}

/// For `map_err`: an error of audited rows, which are from that file, with the name of their group.
pub fn in_group(keys: &Keys, path: &Path) -> impl FnOnce(Error) -> CliError {
    move |error| {
        let group = error.location().set.and_then(|group| keys.name(group));
        let failure = CliError::from(error.in_file(path.display()));
        match group {
            Some(name) => failure.inside(&escape_untrusted(&name)),
            None => failure,
        }
    }
}

/// The warnings of the estimates from elsewhere.
fn warnings(answers: &[AuditSummary], keys: &Keys) -> Vec<String> {
    let of_group = |(group, audited): (usize, &AuditSummary)| {
        Some(EstimateRow { group, is_total: false, estimate: audited.elsewhere.clone()? })
    };
    let estimates: Vec<EstimateRow> = answers.iter().enumerate().filter_map(of_group).collect();
    warning_lines(estimates.iter(), keys, answers.len(), 1)
}
