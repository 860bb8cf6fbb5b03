//! Audits: random labelled samples of the target. The module combines audited rows with the scores,
//! plans their number, and draws them.

use crate::AnalysisProblem;
use crate::estimates::tally_sets;
use crate::executor::Executor;
use crate::groups::{Partition, group_starts};
use crate::results::{
    AgreementRows, AuditDraw, AuditGoal, AuditPlanRow, DrawnRow, EvidenceRow, ResultTable, evidence_tables,
};
use crate::sets::{TestSet, TestSets, sort_by_group, split_at_starts};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::slice;
use truecount::audit::{AuditSummary, AuditedRows, ModelAudit, TargetCell};
use truecount::error::Problem;
use truecount::{Batch, Error, IntervalOptions, Model, Tally};

/// The tallies of groups of the target: one for each group, or one for each part of a group, by stratum and cluster.
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

    fn parts(&self, group: usize) -> Vec<TargetCell<'a>> {
        let number = |numbers: Option<&[u32]>, part: usize| numbers.map_or(0, |numbers| numbers[part]);
        let part = |part: &usize| TargetCell {
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
    /// The agreement of people who labelled the same rows.
    pub agreement: AgreementRows,
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
        let (mut answers, mut rows, mut agreement) = (Vec::new(), Vec::new(), AgreementRows::default());
        for group in order {
            let number = u32::try_from(group).expect("fewer groups than rows");
            let summary = audit
                .compare_sources(number, &groups.parts(group), has_external_labels, options)
                .map_err(|error| error.in_set(group))?;
            rows.extend(EvidenceRow::from_audit(group, &summary));
            agreement.add(Some(group), &summary);
            answers.push(summary);
        }
        Ok(Self { summaries: answers, rows, agreement })
    }

    /// Appends the rows of an audit of all groups together.
    #[must_use]
    pub fn with_total(mut self, total: Self) -> Self {
        self.rows.extend(total.rows.into_iter().map(|row| EvidenceRow { is_total: true, ..row }));
        self.agreement.add_total(total.agreement);
        self
    }

    /// Returns the table for people.
    pub fn table(&self) -> ResultTable<'_> {
        evidence_tables(&self.rows, None).swap_remove(0).hidden("n")
    }
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

/// How the rows of a target were drawn together: numbers of their strata and clusters, in the caller's
/// order, as those of the audited rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetUnits<'a> {
    /// The stratum of each row, if a sample was drawn from each stratum.
    pub strata: Option<&'a [u32]>,
    /// The cluster of each row, if clusters were drawn.
    pub clusters: Option<&'a [u32]>,
}

/// A request for estimates of groups from audited rows.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AuditRequest {
    /// Whether the audited rows are missing from the target and must be added to it.
    pub audit_outside_test: bool,
    /// Whether all groups together are estimated.
    pub total: bool,
    /// The margin of the equivalence test of the external labels, if there is one.
    pub margin: Option<f64>,
    /// The options of the intervals.
    #[serde(skip)]
    pub intervals: IntervalOptions,
}

impl AuditRequest {
    /// Returns an error if options exclude each other.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::OptionConflict`], and [`Problem::ParameterOutOfRange`] unless the margin
    /// is above 0 and below 1.
    pub fn check(&self, has_external_labels: bool, has_groups: bool) -> Result<(), Error> {
        let conflict = |problem, hint| Err(AnalysisProblem::option_conflict(problem, hint));
        match self.margin {
            Some(_) if !has_external_labels => {
                conflict("{--margin} tests external labels, and there are none", "add {--model}, a model of them")
            }
            Some(value) if !(value > 0.0 && value < 1.0) => {
                let domain = "between 0 and 1, both excluded";
                Err(Problem::ParameterOutOfRange { name: "margin", value, domain }.into())
            }
            _ if self.total && !has_groups => {
                conflict("{--total} adds groups up, and there are none", "name the grouping columns with {--by}")
            }
            _ => Ok(()),
        }
    }

    /// Estimates the tallied groups of the target, in `order`, from audited rows. With external labels,
    /// the model is that of these labels.
    ///
    /// # Errors
    /// Returns an error for audited rows that cannot be used, and the errors of [`AuditResult::new`].
    pub fn estimate(
        &self,
        (model, has_external_labels): (&Model, bool),
        rows: &AuditedRows,
        groups: &AuditGroups,
        order: impl IntoIterator<Item = usize>,
    ) -> Result<AuditResult, Error> {
        let intervals = self.intervals.with_multiplicity(groups.number());
        let mut result = AuditResult::new(&model.audit(rows)?, has_external_labels, groups, order, &intervals)?;
        for row in &mut result.rows {
            row.margin = self.margin.filter(|_| row.transport.is_some());
        }
        Ok(result)
    }

    /// Combines audited rows, whose groups are the numbers of sets, with these sets, in `order`. Returns
    /// the result for each group and, if it is requested, that for all groups together.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Self::check), and an error for audited rows or scores that cannot
    /// be used, with the table's name or the number of the set.
    pub fn run(
        &self,
        executor: &impl Executor,
        model: Option<&Model>,
        (sets, units): (&TestSets, &TargetUnits),
        rows: &AuditedRows,
        order: &[usize],
    ) -> Result<(AuditResult, Option<AuditResult>), Error> {
        self.check(model.is_some(), rows.groups.is_some())?;
        let has_external_labels = model.is_some();
        let fitted = || rows.model().map(Cow::Owned).map_err(in_audited_table);
        let model = model.map_or_else(fitted, |model| Ok(Cow::Borrowed(model)))?;
        let parts = TargetCells::new(executor, &model, (sets, units), self.audit_outside_test.then_some(rows))?;
        let estimate = |rows: &AuditedRows, groups: &AuditGroups, order: &[usize]| {
            self.estimate((&model, has_external_labels), rows, groups, order.iter().copied()).map_err(without_stratum)
        };
        let [groups, strata, clusters] =
            [0, 1, 2].map(|part| parts.keys.iter().map(|key| key[part]).collect::<Vec<u32>>());
        let clusters = units.clusters.map(|_| clusters.as_slice());
        let strata = units.strata.map(|_| strata.as_slice());
        let by_group = AuditGroups::new(&parts.tallies).with_parts(&groups, sets.sets.len(), strata, clusters);
        let result = estimate(rows, &by_group, order)?;
        if !self.total {
            return Ok((result, None));
        }
        // Each group is a stratum, or has its strata.
        let mut numbers: HashMap<[u32; 2], u32> = HashMap::new();
        let mut number = |[group, stratum, _]: [u32; 3]| {
            let next = index(numbers.len());
            *numbers.entry([group, stratum]).or_insert(next)
        };
        let strata: Vec<u32> = parts.keys.iter().map(|key| number(*key)).collect();
        let row_strata: Vec<u32> = (0..rows.scores.len()).map(|row| number(part_of_row(rows, row))).collect();
        let rows = AuditedRows { groups: None, strata: Some(&row_strata), ..*rows };
        let zeros = vec![0; strata.len()];
        let all = AuditGroups::new(&parts.tallies).with_parts(&zeros, 1, Some(&strata), clusters);
        Ok((result, Some(estimate(&rows, &all, &[0])?)))
    }
}

/// Removes the number of a stratum, which is not that of a group, and names the audited rows as the
/// place of an error that is not about a group.
fn without_stratum(error: Error) -> Error {
    match error.problem() {
        Some(problem @ Problem::AuditStratumTooSmall { .. }) => in_audited_table(problem.clone().into()),
        _ if error.location().set.is_none() => in_audited_table(error),
        _ => error,
    }
}

/// The cells of a target: its groups, split into strata and clusters.
struct TargetCells {
    /// The group, the stratum and the cluster of each cell.
    keys: Vec<[u32; 3]>,
    tallies: Vec<Tally>,
}

impl TargetCells {
    /// Tallies each cell of the sets, together with the audited rows outside them.
    fn new(
        executor: &impl Executor,
        model: &Model,
        (sets, units): (&TestSets, &TargetUnits),
        outside: Option<&AuditedRows>,
    ) -> Result<Self, Error> {
        let mut parts =
            Self { keys: (0..sets.sets.len()).map(|set| [index(set), 0, 0]).collect(), tallies: Vec::new() };
        let outside_rows =
            || outside.into_iter().flat_map(|rows| (0..rows.scores.len()).map(|row| part_of_row(rows, row)));
        let mut numbers: HashMap<[u32; 3], u32> = parts.keys.iter().zip(0..).map(|(key, part)| (*key, part)).collect();
        if units.strata.is_none() && units.clusters.is_none() {
            parts.tallies = tally_sets(executor, model, sets)?;
        } else {
            let n = sets.number_of_scores();
            let lengths = [units.strata, units.clusters].into_iter().flatten().map(<[u32]>::len);
            if let Some(values) = lengths.into_iter().find(|values| *values != n) {
                return Err(Problem::LengthMismatch { column: "units", values, others: n }.into());
            }
            parts.keys.clear();
            numbers.clear();
            let mut number = |key: [u32; 3]| {
                *numbers.entry(key).or_insert_with(|| {
                    parts.keys.push(key);
                    index(parts.keys.len() - 1)
                })
            };
            let number_at = |numbers: Option<&[u32]>, row: usize| numbers.map_or(0, |numbers| numbers[row]);
            let key = |row: usize| [sets.groups, units.strata, units.clusters].map(|numbers| number_at(numbers, row));
            let row_parts: Vec<u32> = (0..n).map(|row| number(key(row))).collect();
            for key in outside_rows() {
                number(key);
            }
            // The sets have the rows sorted by group.
            let groups: Vec<u32> = (0..n).map(|row| number_at(sets.groups, row)).collect();
            let mut next = group_starts(&groups, sets.sets.len());
            let mut sorted_parts = vec![0; n];
            for (part, group) in row_parts.iter().zip(&groups) {
                sorted_parts[next[*group as usize]] = *part;
                next[*group as usize] += 1;
            }
            let column = |column: fn(&TestSet) -> Option<Vec<f64>>| {
                sets.sets.iter().map(column).collect::<Option<Vec<_>>>().map(|columns| columns.concat())
            };
            let columns = [column(|set| Some(set.scores.to_vec())), column(|set| set.weights.map(<[f64]>::to_vec))];
            let slices: Vec<&[f64]> = columns.iter().flatten().map(Vec::as_slice).collect();
            let (columns, starts) = sort_by_group(&slices, &sorted_parts, parts.keys.len());
            let weights = columns.get(1).map(Vec::as_slice);
            let whole = TestSet { scores: &columns[0], probabilities: None, weights };
            let part_sets = split_at_starts(whole, &starts).expect("starts of the columns");
            let part_sets = TestSets { sets: part_sets, groups: Some(&row_parts) };
            // An error names the group, not the part.
            parts.tallies = tally_sets(executor, model, &part_sets)
                .map_err(|error| tally_sets(executor, model, sets).err().unwrap_or(error))?;
        }
        if let Some(rows) = outside {
            let row_parts: Vec<u32> = outside_rows().map(|key| numbers[&key]).collect();
            add_audited(&AuditedRows { groups: Some(&row_parts), ..*rows }, &mut parts.tallies)
                .map_err(in_audited_table)?;
        }
        Ok(parts)
    }
}

/// Returns the group, the stratum and the cluster of an audited row.
fn part_of_row(rows: &AuditedRows, row: usize) -> [u32; 3] {
    [rows.groups, rows.strata, rows.clusters].map(|numbers| numbers.map_or(0, |numbers| numbers[row]))
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("fewer parts than rows")
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
