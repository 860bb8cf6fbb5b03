//! Audits: random labelled samples of the target. The module combines audited rows with the scores,
//! plans their number, and draws them.

use crate::estimates::tally_sets;
use crate::executor::Executor;
use crate::groups::Partition;
use crate::results::{AuditDraw, AuditGoal, AuditPlanRow, DrawnRow, EvidenceRow, ResultTable, evidence_tables};
use crate::sets::{TestSet, TestSets};
use std::borrow::Cow;
use std::slice;
use truecount::audit::{AuditSummary, AuditedRows, ModelAudit, TargetPart};
use truecount::error::Problem;
use truecount::{Batch, Error, IntervalOptions, Model, Tally};

/// The tallies of groups of the target: one for each group, or one for each part of a group, by stratum
/// and cluster.
pub struct AuditGroups<'a> {
    tallies: &'a [Tally],
    partition: Partition,
    /// The stratum of each tally, if a sample was drawn from each stratum.
    strata: Option<&'a [u32]>,
    /// The cluster of each tally, if clusters were drawn.
    clusters: Option<&'a [u32]>,
}

impl<'a> AuditGroups<'a> {
    /// Creates groups with one tally each.
    pub fn new(tallies: &'a [Tally]) -> Self {
        Self { tallies, partition: Partition::singletons(tallies.len()), strata: None, clusters: None }
    }

    /// Assigns the tallies to `number` groups: `groups` has the group of each tally, `strata` and
    /// `clusters` its stratum and its cluster.
    #[must_use]
    pub fn with_parts(
        self,
        groups: &[u32],
        number: usize,
        strata: Option<&'a [u32]>,
        clusters: Option<&'a [u32]>,
    ) -> Self {
        Self { partition: Partition::new(groups, number), strata, clusters, ..self }
    }

    /// Returns the number of groups.
    pub fn number(&self) -> usize {
        self.partition.number()
    }

    fn parts(&self, group: usize) -> Vec<TargetPart<'a>> {
        let number = |numbers: Option<&[u32]>, part: usize| numbers.map_or(0, |numbers| numbers[part]);
        let part = |part: &usize| TargetPart {
            stratum: number(self.strata, *part),
            cluster: number(self.clusters, *part),
            tally: &self.tallies[*part],
        };
        self.partition.parts(group).iter().map(part).collect()
    }
}

/// The result of an audit of several groups.
pub struct AuditResult {
    /// The result for each group, in order.
    pub summaries: Vec<AuditSummary>,
    /// A row for each source of each group.
    pub rows: Vec<EvidenceRow>,
}

impl AuditResult {
    /// Combines audited rows with their groups, in `order`. With external labels, the tallies belong to
    /// the model of these labels, otherwise to the model of the audited rows.
    ///
    /// # Errors
    /// Returns an error for a group whose audit allows no estimate, with its number; for a stratum with
    /// too few audited rows, the number is that of the stratum.
    pub fn new(
        audit: &ModelAudit,
        has_external_labels: bool,
        groups: &AuditGroups,
        order: impl IntoIterator<Item = usize>,
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let (mut answers, mut rows) = (Vec::new(), Vec::new());
        for group in order {
            let number = u32::try_from(group).expect("fewer groups than rows");
            let summary = audit
                .compare_sources(number, &groups.parts(group), has_external_labels, options)
                .map_err(|error| error.in_set(group))?;
            rows.extend(EvidenceRow::from_audit(group, &summary));
            answers.push(summary);
        }
        Ok(Self { summaries: answers, rows })
    }

    /// Tests whether the external labels give the prevalence of each group within ± `margin`.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless the margin is above 0 and below 1.
    pub fn with_margin(mut self, margin: f64) -> Result<Self, Error> {
        check_margin(margin)?;
        for row in &mut self.rows {
            row.margin = row.transport.is_some().then_some(margin);
        }
        Ok(self)
    }

    /// Appends the rows of an audit of all groups together.
    #[must_use]
    pub fn with_total(mut self, total: Self) -> Self {
        self.rows.extend(total.rows.into_iter().map(|row| EvidenceRow { is_total: true, ..row }));
        self
    }

    /// Returns the table for people.
    pub fn table(&self) -> ResultTable<'_> {
        evidence_tables(&self.rows, None).swap_remove(0).hidden("n")
    }
}

/// Checks the margin of an equivalence test.
///
/// # Errors
/// Returns [`Problem::ParameterOutOfRange`] unless the margin is above 0 and below 1.
pub fn check_margin(margin: f64) -> Result<(), Error> {
    if margin > 0.0 && margin < 1.0 {
        return Ok(());
    }
    let domain = "between 0 and 1, both excluded";
    Err(Problem::ParameterOutOfRange { name: "margin", value: margin, domain }.into())
}

/// Adds the scores of audited rows to the tallies of their groups.
///
/// # Errors
/// Returns an error for a score that the model cannot use.
pub fn add_audited(rows: &AuditedRows, tallies: &mut [Tally]) -> Result<(), Error> {
    let groups = rows.groups.into_iter().flatten();
    rows.scores.iter().zip(groups).enumerate().try_for_each(|(row, (score, group))| {
        let weight = rows.item_weights.map(|weights| &weights[row..=row]);
        tallies[*group as usize].update(Batch::new(slice::from_ref(score)).with_weights(weight)?)
    })
}

/// Combines audited rows with a target. `scores` are all scores of the target, or, with
/// `audit_outside_test`, all scores except those of the audited rows.
///
/// # Errors
/// Returns an error for audited rows or scores that cannot be used, with the table's name.
pub fn audit(
    model: Option<&Model>,
    scores: &[f64],
    rows: &AuditedRows,
    audit_outside_test: bool,
    options: &IntervalOptions,
) -> Result<AuditSummary, Error> {
    let has_external_labels = model.is_some();
    let model = audit_model(model, rows)?;
    let mut tallies = Tally::new(&model);
    tallies.update(scores).map_err(|error| error.in_table("target"))?;
    if audit_outside_test {
        tallies.update(rows.scores).map_err(in_audited_table)?;
    }
    let result = model
        .audit(rows)
        .and_then(|audit| audit.compare_sources(0, &[(&tallies).into()], has_external_labels, options));
    result.map_err(in_audited_table)
}

/// Combines audited rows, whose groups are the numbers of sets, with these sets, in `order`. With
/// `audit_outside_test`, the audited rows are added to the sets first.
///
/// # Errors
/// Returns an error for audited rows or scores that cannot be used, with the table's name or the
/// number of the set.
pub fn audit_groups(
    executor: &impl Executor,
    model: Option<&Model>,
    sets: &TestSets,
    rows: &AuditedRows,
    audit_outside_test: bool,
    options: &IntervalOptions,
    order: &[usize],
) -> Result<AuditResult, Error> {
    let has_external_labels = model.is_some();
    let model = audit_model(model, rows)?;
    let mut tallies = tally_sets(executor, &model, sets)?;
    if audit_outside_test {
        add_audited(rows, &mut tallies).map_err(in_audited_table)?;
    }
    let options = options.with_multiplicity(sets.sets.len());
    let audit = model.audit(rows).map_err(in_audited_table)?;
    AuditResult::new(&audit, has_external_labels, &AuditGroups::new(&tallies), order.iter().copied(), &options)
}

/// Returns the model of the external labels, or else a model of the audited rows alone.
fn audit_model<'a>(model: Option<&'a Model>, rows: &AuditedRows) -> Result<Cow<'a, Model>, Error> {
    model.map_or_else(|| rows.model().map(Cow::Owned).map_err(in_audited_table), |model| Ok(Cow::Borrowed(model)))
}

fn in_audited_table(error: Error) -> Error {
    error.in_table("audited")
}

/// Plans the audit of each set: the numbers of rows to label for a goal.
///
/// # Errors
/// Returns the errors of [`plan_audit`], and an error for scores that the model cannot use, with
/// the number of the set.
pub fn plan_audit_of_sets(
    executor: &impl Executor,
    model: &Model,
    sets: &TestSets,
    goal: &AuditGoal,
    options: &IntervalOptions,
    order: &[usize],
) -> Result<Vec<AuditPlanRow>, Error> {
    let tallies = tally_sets(executor, model, sets)?;
    plan_audit(model, &tallies, order.iter().copied(), goal, options)
}

/// Plans the audit of each tallied group, in `order`: the numbers of rows to label for a goal.
///
/// # Errors
/// Returns the errors of [`AuditPlanRow::for_group`], with the number of the group.
pub fn plan_audit(
    model: &Model,
    tallies: &[Tally],
    order: impl IntoIterator<Item = usize>,
    goal: &AuditGoal,
    options: &IntervalOptions,
) -> Result<Vec<AuditPlanRow>, Error> {
    let mut rows = Vec::new();
    for group in order {
        let designs = AuditPlanRow::for_group(model, group, &tallies[group], goal, options);
        rows.extend(designs.map_err(|error| error.in_set(group))?);
    }
    Ok(rows)
}

/// Draws the rows of an audit from each set. Rows are numbered from 0 across all sets.
///
/// # Errors
/// Returns the errors of [`AuditDraw::rows`], with the number of the set.
pub fn draw_audit(model: &Model, sets: &TestSets, draw: AuditDraw, order: &[usize]) -> Result<Vec<DrawnRow>, Error> {
    let start = |next: &mut u64, set: &TestSet| {
        let start = *next;
        *next += set.scores.len() as u64;
        Some(start)
    };
    let starts: Vec<u64> = sets.sets.iter().scan(0, start).collect();
    let mut rows: Vec<DrawnRow> = Vec::new();
    for group in order {
        let drawn = draw.rows(model, sets.sets[*group].scores, |index| (*group, starts[*group] + index as u64));
        rows.extend(drawn.map_err(|error| sets.map_row(error.in_set(*group)))?);
    }
    Ok(rows)
}

/// Returns weights for an audit across groups that was sampled within each group: the weights of a
/// group's rows add up to the size of the group. `None` if a group has no audited rows.
pub fn pooled_weights(groups: &[u32], weights: Option<&[f64]>, sizes: &[usize]) -> Option<Vec<f64>> {
    let own_weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let mut sums = vec![0.0; sizes.len()];
    for (row, group) in groups.iter().enumerate() {
        sums[*group as usize] += own_weight(row);
    }
    let weight = |(row, group): (usize, &u32)| own_weight(row) * sizes[*group as usize] as f64 / sums[*group as usize];
    (!sums.contains(&0.0)).then(|| groups.iter().enumerate().map(weight).collect())
}
