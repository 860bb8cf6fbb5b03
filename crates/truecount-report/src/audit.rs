//! Estimates from audited rows, for all rows together and for each group.
//!
//! The published estimate replaces the estimate from scores alone. Warnings about the latter are
//! kept only if the scores alone are the published source.

use truecount::Tally;
use truecount::audit::{AuditSource, AuditSummary, AuditedRows, ModelAudit};
use truecount::{Error, Estimate, IntervalOptions, Model, Warning};
use truecount_analysis::ScoreValues;
use truecount_analysis::groups::NamedGroups;

/// The estimates from audited rows.
pub struct AuditData {
    /// The estimates for all rows together.
    pub overall: AuditSummary,
    /// The published estimate for all rows together.
    pub published: Estimate,
    /// The estimates for each group, by its number.
    pub groups: Vec<AuditSummary>,
    /// Whether the audited rows are weighted.
    pub weighted: bool,
    interval_options: IntervalOptions,
}

impl AuditData {
    /// Estimates from audited rows, which are a sample of `rows`.
    ///
    /// If each group has audited rows, `overall_weights` weights them by the sizes of their groups.
    /// Otherwise, audited rows are taken as a random sample of all rows.
    ///
    /// # Errors
    /// Returns an error if the audited rows allow no estimate, with the number of the group if only
    /// its rows do not.
    pub fn new<N>(
        model: &Model,
        (audited, overall_weights): (&AuditedRows, Option<&[f64]>),
        rows: &NamedGroups<ScoreValues<Vec<f64>>, N>,
        interval_options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let (group_model, group_options) = rows.single_group_settings(model, interval_options);
        let audit = group_model.audit(audited)?;
        let groups = (rows.contents.iter().enumerate())
            .map(|(group, rows)| {
                summarise(&audit, &group_model, (group, rows), &group_options).map_err(|error| error.in_set(group))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let all = AuditedRows { weights: overall_weights.or(audited.weights), groups: None, ..*audited };
        let audit = model.audit(&all)?;
        let joined = ScoreValues::concatenate(rows.contents.iter());
        let overall = summarise(&audit, model, (0, &joined), interval_options)?;
        let published = published(&overall, interval_options);
        let (weighted, interval_options) = (audited.weights.is_some(), *interval_options);
        Ok(Self { overall, published, groups, weighted, interval_options })
    }

    /// Returns the published estimate of a group.
    pub fn estimate(&self, group: usize) -> Estimate {
        published(&self.groups[group], &self.interval_options)
    }

    /// Number of groups without audited rows.
    pub fn unaudited(&self) -> usize {
        self.groups.iter().filter(|group| group.audited == 0).count()
    }
}

/// Summarises the audit of one group.
fn summarise(
    audit: &ModelAudit,
    model: &Model,
    (group, rows): (usize, &ScoreValues<Vec<f64>>),
    interval_options: &IntervalOptions,
) -> Result<AuditSummary, Error> {
    let mut tallies = Tally::new(model);
    tallies.update(rows.batch()?)?;
    let number = u32::try_from(group).expect("fewer groups than rows");
    audit.compare_sources(number, &[(&tallies).into()], true, interval_options)
}

fn published(summary: &AuditSummary, interval_options: &IntervalOptions) -> Estimate {
    let external = summary.external.as_ref().expect("a report has labels from elsewhere");
    if summary.recommended == AuditSource::External {
        return external.clone();
    }
    let row = summary.published();
    let estimate = Estimate::new(external.method, summary.n, row.raw);
    let mut estimate = estimate.with_interval(row.std_error, row.interval, interval_options);
    let missing = external.warnings.iter().filter(|warning| matches!(warning, Warning::MissingScores { .. }));
    estimate.warnings.extend(missing.copied());
    estimate
}
