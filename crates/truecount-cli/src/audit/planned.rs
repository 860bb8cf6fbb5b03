//! How many rows to audit.

use crate::failure::Failure;
use crate::output::{self, Form};
use std::path::Path;
use truecount::{AuditKind, AuditPlan, Error, Model, Reporting};
use truecount_io::groups::{Groups, Keys, TestFiles};
use truecount_io::results::{Column, Look, Note, Results, Row, Table, Unit, digits, percent};

/// A way to audit a group, and what it takes.
pub struct PlannedRow {
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
    (AuditKind::ByScore, "by score", "rows drawn by their score (--draw), with what the scores say of all rows"),
];

impl Row for PlannedRow {
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

pub fn print(
    model: &Model,
    files: &TestFiles,
    half_width: f64,
    reporting: &Reporting,
    form: Form,
    file: Option<&Path>,
) -> Result<(), Failure> {
    if half_width.is_nan() || half_width <= 0.0 {
        return Err(Error::Parameter { name: "half-width", value: half_width, domain: "above 0" }.into());
    }
    let Groups { keys, contents: tallies, .. } = Groups::tallied(files, model)?;
    let z = reporting.quantile();
    let mut rows = Vec::new();
    for (group, tallies) in tallies.iter().enumerate() {
        let design = model.audit_design(tallies)?;
        rows.extend(KINDS.map(|(kind, ..)| PlannedRow {
            group,
            kind,
            n: design.items(),
            plan: design.fewest(kind, half_width / z),
            z,
        }));
    }
    output::print(&results(&rows, &keys, half_width, reporting), form, file)
}

fn results<'a>(rows: &'a [PlannedRow], keys: &'a Keys, half_width: f64, reporting: &Reporting) -> Results<'a> {
    let level = percent(reporting.level());
    let mut notes = vec![
        Note::new(format!("the fewest rows for a {level} % interval of half-width {}", digits(half_width))),
        Note::new("at the prevalence that labels from elsewhere give, if they carry over"),
    ];
    notes.extend(KINDS.map(|(_, name, what)| Note::line(format!("{name}: {what}"))));
    Results { tables: vec![Table::new(rows).with_groups(keys)], notes, ..Results::default() }
}
