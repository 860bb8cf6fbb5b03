//! Estimates from audited rows, for all rows together and for each group.
//!
//! The published share replaces the estimate from scores alone. Warnings of the latter apply only
//! where it
//! is itself published.

use truecount::{AuditSummary, AuditedRows, Error, Estimate, IntervalOptions, Model, ModelAudit, Source, Warning};
use truecount_analysis::ScoreValues;
use truecount_analysis::groups::NamedGroups;

/// The estimates from audited rows.
pub struct AuditData {
    /// All rows together.
    pub whole: AuditSummary,
    /// The published estimate of all rows.
    pub answer: Estimate,
    /// Each group, by its number.
    pub each: Vec<AuditSummary>,
    /// Whether the audited rows are weighted.
    pub weighted: bool,
    reporting: IntervalOptions,
}

impl AuditData {
    /// What audited rows say, which are among the others. All together are the groups put together
    /// by their sizes, with the weights `across`
    /// the groups, if each has audited rows; else the rows are taken as drawn from all.
    ///
    /// # Errors
    /// Returns an error for audited rows that say nothing, with the number of the group where it is
    /// about one.
    pub fn new<N>(
        model: &Model,
        (drawn, across): (&AuditedRows, Option<&[f64]>),
        rows: &NamedGroups<ScoreValues<Vec<f64>>, N>,
        reporting: &IntervalOptions,
    ) -> Result<Self, Error> {
        let (each_model, each_reporting) = rows.for_each(model, reporting);
        let audit = each_model.audit(drawn)?;
        let each = (rows.contents.iter().enumerate())
            .map(|(group, rows)| {
                one(&audit, &each_model, (group, rows), &each_reporting).map_err(|error| error.in_set(group))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let all = AuditedRows { weights: across.or(drawn.weights), groups: None, ..*drawn };
        let audit = model.audit(&all)?;
        let joined = ScoreValues::concatenate(rows.contents.iter());
        let whole = one(&audit, model, (0, &joined), reporting)?;
        let answer = published(&whole, reporting);
        Ok(Self { whole, answer, each, weighted: drawn.weights.is_some(), reporting: *reporting })
    }

    /// Returns the published estimate of a group.
    pub fn estimate(&self, group: usize) -> Estimate {
        published(&self.each[group], &self.reporting)
    }

    /// The number of groups without audited rows.
    pub fn unaudited(&self) -> usize {
        self.each.iter().filter(|group| group.audited == 0).count()
    }
}

/// What audited rows say of the scores of one group.
fn one(
    audit: &ModelAudit,
    model: &Model,
    (group, rows): (usize, &ScoreValues<Vec<f64>>),
    reporting: &IntervalOptions,
) -> Result<AuditSummary, Error> {
    let mut tallies = model.tallies();
    model.update(&mut tallies, rows.batch()?)?;
    let number = u32::try_from(group).expect("fewer groups than rows");
    audit.compare_sources(number, &tallies, true, reporting)
}

fn published(audited: &AuditSummary, reporting: &IntervalOptions) -> Estimate {
    let elsewhere = audited.elsewhere.as_ref().expect("a report has labels from elsewhere");
    if audited.answer == Source::External {
        return elsewhere.clone();
    }
    let found = audited.published();
    let mut estimate = Estimate::new(elsewhere.method, audited.n, found.raw, Some(found.uncertainty), reporting);
    let missing = elsewhere.warnings.iter().filter(|warning| matches!(warning, Warning::MissingScores { .. }));
    estimate.warnings.extend(missing.copied());
    estimate
}
