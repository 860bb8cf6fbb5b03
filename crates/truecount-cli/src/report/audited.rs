//! What audited rows say of all rows together and of each group. The share that is published takes the place of the estimate from scores
//! alone; what was warned of the latter holds only where it is itself what is published.

use crate::audit::of_each;
use crate::failure::Failure;
use std::path::Path;
use truecount::{Audited, AuditedRows, Estimate, Model, Reporting, Source, Tallies, Warning};
use truecount_analysis::Numbers;
use truecount_tables::AuditTable;
use truecount_tables::groups::{Groups, Keys};

/// Audited rows, with the group of each.
pub struct Audits {
    /// All rows together.
    pub whole: Audited,
    /// What is published of them.
    pub answer: Estimate,
    /// Each group, in the order of the keys.
    pub each: Vec<Audited>,
    /// Whether rows say how many they stand for.
    pub weighted: bool,
    reporting: Reporting,
}

impl Audits {
    /// Of rows that hold the audited ones, which are of these groups and from that file. All together are the groups put together by their
    /// sizes if each has audited rows; else the rows are taken as drawn from all.
    pub fn new(
        model: &Model,
        (table, of_groups, path): (&AuditTable, &[u32], &Path),
        rows: &Groups<Numbers<Vec<f64>>>,
        reporting: &Reporting,
    ) -> Result<Self, Failure> {
        let tallied = |model: &Model, numbers: &Numbers<Vec<f64>>| -> Result<Tallies, Failure> {
            let mut tallies = model.tallies();
            model.push(&mut tallies, numbers.batch()?)?;
            Ok(tallies)
        };
        let within = || Failure::within(path.display());
        let drawn = table.rows(of_groups);
        let (each_model, each_reporting) = rows.for_each(model, reporting);
        let audit = each_model.audit(&drawn).map_err(within())?;
        let tallies = rows.contents.iter().map(|rows| tallied(&each_model, rows)).collect::<Result<Vec<_>, _>>()?;
        let each = of_each(&audit, true, (&rows.keys, &tallies), &each_reporting, path)?;
        let sizes: Vec<usize> = rows.contents.iter().map(|rows| rows.scores.len()).collect();
        let weights = table.across(of_groups, &sizes);
        let drawn = AuditedRows { weights: weights.as_deref().or(drawn.weights), groups: None, ..drawn };
        let audit = model.audit(&drawn).map_err(within())?;
        let tallies = [tallied(model, &Numbers::joined(rows.contents.iter()))?];
        let whole = of_each(&audit, true, (&Keys::none(), &tallies), reporting, path)?.swap_remove(0);
        let answer = published(&whole, reporting);
        Ok(Self { whole, answer, each, weighted: table.is_weighted(), reporting: *reporting })
    }

    /// What is published of a group.
    pub fn of(&self, group: usize) -> Estimate {
        published(&self.each[group], &self.reporting)
    }

    /// The number of groups without audited rows.
    pub fn unaudited(&self) -> usize {
        self.each.iter().filter(|group| group.audited == 0).count()
    }
}

fn published(audited: &Audited, reporting: &Reporting) -> Estimate {
    let elsewhere = audited.elsewhere.as_ref().expect("a report has labels from elsewhere");
    if audited.answer == Source::Elsewhere {
        return elsewhere.clone();
    }
    let found = audited.published();
    let mut estimate = Estimate::new(elsewhere.method, audited.n, found.raw, Some(found.uncertainty), reporting);
    let missing = elsewhere.warnings.iter().filter(|warning| matches!(warning, Warning::MissingScores { .. }));
    estimate.warnings.extend(missing.copied());
    estimate
}
