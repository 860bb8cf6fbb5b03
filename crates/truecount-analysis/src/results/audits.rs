//! The columns of plans of an audit: how many rows it takes.

use super::column::{Column, Look, Unit};
use super::note::Note;
use super::numbers::{digits, percent};
use super::row::Row;
use truecount::{AuditKind, AuditPlan, Error, Model, Problem, Reporting, Tallies};

/// A way to audit a group, and what it takes.
pub struct AuditPlanRow {
    group: usize,
    kind: AuditKind,
    n: u64,
    plan: AuditPlan,
    z: f64,
}

/// The ways: value, name, what it means.
const KINDS: [(AuditKind, &str, &str); 3] = [
    (AuditKind::Labels, "labels alone", "rows drawn evenly, the labels alone"),
    (AuditKind::Powered, "with scores", "rows drawn evenly, with what the scores say of all rows"),
    (AuditKind::ByScore, "by score", "rows drawn by their score, with what the scores say of all rows"),
];

impl AuditPlanRow {
    /// Names and meanings of the ways.
    pub fn ways() -> impl Iterator<Item = (&'static str, &'static str)> {
        KINDS.into_iter().map(|(_, name, what)| (name, what))
    }

    /// A row for each way to audit a group that was tallied, for intervals of this half-width.
    ///
    /// # Errors
    /// [`Problem::Parameter`] for a half-width that is not above 0; those of [`Model::audit_design`].
    pub fn each(
        model: &Model,
        group: usize,
        tallies: &Tallies,
        half_width: f64,
        reporting: &Reporting,
    ) -> Result<[Self; 3], Error> {
        if half_width.is_nan() || half_width <= 0.0 {
            return Err(Problem::Parameter { name: "half-width", value: half_width, domain: "above 0" }.into());
        }
        let design = model.audit_design(tallies)?;
        let z = reporting.quantile();
        let row = |kind| Self { group, kind, n: design.items(), plan: design.fewest(kind, half_width / z), z };
        Ok(KINDS.map(|(kind, ..)| row(kind)))
    }
}

impl Row for AuditPlanRow {
    const NAME: &'static str = "audits";

    fn columns() -> Vec<Column<Self>> {
        let name = |kind: AuditKind| KINDS.iter().find(|(known, ..)| *known == kind).map_or("", |(_, name, _)| name);
        vec![
            Column::new("audit", Unit::Text, "how rows are drawn and read", move |row: &Self| name(row.kind).into())
                .shown(Look::AsIs),
            Column::new("n", Unit::Count, "rows of the target", |row: &Self| row.n.into()).shown(Look::AsIs),
            Column::new("audited", Unit::Count, "rows to audit", |row: &Self| row.plan.audited.into())
                .shown(Look::AsIs),
            Column::new("se", Unit::Share, "standard error to be expected", |row: &Self| row.plan.se.into())
                .shown(Look::StandardError),
            Column::new("half_width", Unit::Share, "half of the interval to be expected", |row: &Self| {
                (row.z * row.plan.se).into()
            })
            .heading("half-width", Look::StandardError),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
}

/// What such plans are for, and what the ways are.
pub fn audit_plan_notes(half_width: f64, reporting: &Reporting) -> Vec<Note> {
    let level = percent(reporting.level());
    let mut notes = vec![
        Note::new(format!("the fewest rows for a {level} % interval of half-width {}", digits(half_width))),
        Note::new("at the prevalence that labels from elsewhere give, if they carry over"),
    ];
    notes.extend(AuditPlanRow::ways().map(|(name, what)| Note::line(format!("{name}: {what}"))));
    notes
}
