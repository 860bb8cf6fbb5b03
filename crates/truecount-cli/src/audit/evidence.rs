//! What audited rows say, beside labels from elsewhere.

use crate::failure::Failure;
use crate::output::{self, Form, fitted, say_wrapped, warnings_of};
use crate::progress::Bars;
use std::path::Path;
use truecount::{Audit, Audited, Model, Reporting, Tallies};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{EstimateRow, EvidenceRow, Note, Results, Sort, evidence, evidence_notes, visible};
use truecount_tables::AuditFile;
use truecount_tables::groups::{Groups, Keys, TestFiles};

/// Audited rows, and what they are put beside.
pub struct Asked<'a> {
    /// The model of labels from elsewhere.
    pub elsewhere: Option<Model>,
    pub file: AuditFile<'a>,
    /// Whether the rows come besides those of the test table.
    pub beside: bool,
    pub reporting: &'a Reporting,
}

/// What was found of every group.
struct Answers {
    keys: Keys,
    audited: Vec<Audited>,
    weighted: bool,
}

impl Asked<'_> {
    /// Reads and prints.
    pub fn print<'t>(
        &self,
        test: impl FnOnce(&Model) -> TestFiles<'t>,
        sort: &Sort,
        form: Form,
        file: Option<&Path>,
    ) -> Result<(), Failure> {
        let table = self.file.read(&Bars)?;
        let model = match &self.elsewhere {
            Some(model) => model.clone(),
            None => table.model()?,
        };
        let Groups { keys, contents: mut tallies, .. } = test(&model).tallied(&model)?;
        let groups = table.groups(&keys)?;
        if self.beside {
            table.add(&model, &groups, &mut tallies)?;
        }
        let path = self.file.path;
        let audit = model.audit(&table.rows(&groups)).map_err(Failure::within(path.display()))?;
        let reporting = self.reporting.among(tallies.len());
        let audited = of_each(&audit, self.elsewhere.is_some(), (&keys, &tallies), &reporting, path)?;
        Answers { keys, audited, weighted: table.is_weighted() }.print(self.elsewhere.as_ref(), sort, form, file)
    }
}

/// What is known of each group from its tallies and its audited rows, which are from that file.
pub fn of_each(
    audit: &Audit,
    has_elsewhere: bool,
    (keys, tallies): (&Keys, &[Tallies]),
    reporting: &Reporting,
    path: &Path,
) -> Result<Vec<Audited>, Failure> {
    let of = |(group, tallies): (usize, &Tallies)| {
        let number = u32::try_from(group).expect("fewer groups than rows");
        let within = Failure::within(path.display());
        audit.of(number, tallies, has_elsewhere, reporting).map_err(|error| match keys.name(group) {
            Some(name) => within(error).inside(&visible(&name)),
            None => within(error),
        })
    };
    tallies.iter().enumerate().map(of).collect()
}

impl Answers {
    fn print(&self, elsewhere: Option<&Model>, sort: &Sort, form: Form, file: Option<&Path>) -> Result<(), Failure> {
        let Self { keys, audited, .. } = self;
        let mut rows: Vec<EvidenceRow> =
            audited.iter().enumerate().flat_map(|(group, audited)| EvidenceRow::each(group, audited)).collect();
        sort.sort(&mut rows, keys);
        let mut notes = evidence_notes(audited, self.weighted);
        notes.extend(elsewhere.into_iter().flat_map(fitted).map(Note::source));
        let results =
            Results { about: Vec::new(), tables: evidence(&rows, Some(keys)), notes, warnings: self.warnings() };
        output::print(&results, form, file)?;
        results.warnings.iter().for_each(|warning| say_wrapped(warning));
        Ok(())
    }

    /// Those of the estimates from elsewhere.
    fn warnings(&self) -> Vec<String> {
        let of_group = |(group, audited): (usize, &Audited)| {
            Some(EstimateRow { group, is_total: false, estimate: audited.elsewhere.clone()? })
        };
        let estimates: Vec<EstimateRow> = self.audited.iter().enumerate().filter_map(of_group).collect();
        warnings_of(estimates.iter(), &self.keys, self.audited.len(), 1)
    }
}
