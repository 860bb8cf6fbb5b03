//! Columns of audit plans: the number of rows to label.

use super::column::{CellFormat, ResultColumn};
use super::note::Note;
use super::numbers::{all_digits, percent};
use super::row::ResultRow;
use serde::Deserialize;
use truecount::audit::{AuditKind, AuditPlan};
use truecount::{Error, IntervalOptions, Model, Tally};

/// A design for the audit of a group, with the number of rows that it needs.
pub struct AuditPlanRow {
    group: usize,
    kind: AuditKind,
    n: u64,
    plan: AuditPlan,
    prevalence: f64,
    half_width: f64,
}

/// The goal of an audit plan.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct AuditGoal {
    /// The half-width of the interval.
    pub half_width: f64,
    /// The prevalence to plan for; `None` for the one in the interval of the external estimate that
    /// is closest to one half.
    pub prevalence: Option<f64>,
    /// The variance of an audit in clusters divided by that of rows drawn one by one.
    pub design_effect: f64,
}

/// The designs: value, name and meaning.
const KINDS: [(AuditKind, &str, &str); 3] = [
    (AuditKind::LabelsOnly, "labels alone", "every row has the same chance to be drawn; only the labels are used"),
    (
        AuditKind::Ppi,
        "with scores",
        "every row has the same chance to be drawn; the labels are combined with the scores of all rows",
    ),
    (
        AuditKind::ByScore,
        "by score",
        "rows with uncertain scores are more likely to be drawn; the labels are combined with the scores of all rows",
    ),
];

impl AuditPlanRow {
    /// Returns the names and meanings of the designs.
    pub fn designs() -> impl Iterator<Item = (&'static str, &'static str)> {
        KINDS.into_iter().map(|(_, name, meaning)| (name, meaning))
    }

    /// Returns a row for each design of the audit of a tallied group.
    ///
    /// # Errors
    /// Returns an error for a half-width that no plan may have, for a prevalence that is not between
    /// 0 and 1, and if the model has no audit design.
    pub fn for_group(
        model: &Model,
        group: usize,
        tallies: &Tally,
        goal: &AuditGoal,
        options: &IntervalOptions,
    ) -> Result<Vec<Self>, Error> {
        let AuditGoal { half_width, prevalence, design_effect } = *goal;
        let prevalence = match prevalence {
            Some(prevalence) => prevalence,
            None => model.audit_planning_prevalence(tallies, options)?,
        };
        let design = model.audit_design_at(tallies, prevalence)?.with_design_effect(design_effect)?;
        let row = |(kind, ..): &(AuditKind, &str, &str)| {
            let plan = design.smallest_plan(*kind, half_width, options)?;
            let half_width = design.half_width(*kind, plan.audited, options)?;
            Ok(Self { group, kind: *kind, n: design.items(), plan, prevalence, half_width })
        };
        KINDS.iter().map(row).collect()
    }
}

impl ResultRow for AuditPlanRow {
    const NAME: &'static str = "audits";

    fn columns() -> Vec<ResultColumn<Self>> {
        let name = |kind: AuditKind| KINDS.iter().find(|(known, ..)| *known == kind).map_or("", |(_, name, _)| name);
        vec![
            Self::text("audit", "how rows are drawn and used", move |row| name(row.kind).into())
                .shown(CellFormat::AsIs),
            Self::count("n", "rows of the target", |row| row.n).shown(CellFormat::AsIs),
            Self::share("prevalence", "the prevalence planned for", |row| row.prevalence)
                .shown(CellFormat::Decimals(4)),
            Self::count("audited", "rows to audit", |row| row.plan.audited).shown(CellFormat::AsIs),
            Self::share("se", "expected standard error", |row| row.plan.std_error).shown(CellFormat::StandardError),
            Self::share("half_width", "expected half-width of the interval", |row| row.half_width)
                .heading("half-width", CellFormat::StandardError),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}

/// Returns the notes on audit plans: their goal, the prevalence planned for, and the meaning of the designs.
pub fn audit_plan_notes(goal: &AuditGoal, options: &IntervalOptions) -> Vec<Note> {
    let level = percent(options.level());
    let mut notes = vec![
        Note::new(format!(
            "audited: the smallest number of rows that gives a {level} % interval of half-width {}",
            all_digits(goal.half_width)
        )),
        Note::new(if goal.prevalence.is_some() {
            "planned for the given prevalence"
        } else {
            "planned for the prevalence in the interval of the external estimate that is closest to one half, where \
             intervals are widest"
        }),
    ];
    if goal.design_effect != 1.0 {
        notes.push(Note::new(format!("design effect of the clusters: {}", all_digits(goal.design_effect))));
    }
    notes.extend(AuditPlanRow::designs().map(|(name, meaning)| Note::line(format!("{name}: {meaning}"))));
    notes
}
