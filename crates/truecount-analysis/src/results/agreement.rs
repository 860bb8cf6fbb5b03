//! Columns of the agreement of people who labelled the same audited rows, and of the prevalence if their
//! labels have errors.

use super::column::{CellFormat, ResultColumn};
use super::note::Note;
use super::numbers::percent;
use super::row::ResultRow;
use super::table::ResultTable;
use crate::groups::GroupNames;
use truecount::Target;
use truecount::audit::{AuditSummary, CorrectedPrevalence, LabelAgreement, LabelErrors};

/// The agreement of the people who labelled a group's audited rows.
pub struct AgreementRow {
    group: Option<usize>,
    agreement: LabelAgreement,
    level: f64,
}

/// The prevalence of a group under an assumption about the errors of labels.
pub struct LabelErrorRow {
    group: Option<usize>,
    corrected: CorrectedPrevalence,
    level: f64,
    target: Target,
}

/// The agreement of people in each group, and what their errors mean for the prevalence.
#[derive(Default)]
pub struct AgreementRows {
    /// A row for each group with rows that several people labelled.
    pub agreement: Vec<AgreementRow>,
    /// A row for each assumption about the errors in each group.
    pub errors: Vec<LabelErrorRow>,
}

impl AgreementRows {
    /// Adds the rows of a group; `None` is all groups together.
    pub fn add(&mut self, group: Option<usize>, summary: &AuditSummary) {
        let AuditSummary { level, target, .. } = *summary;
        let Some(agreement) = &summary.agreement else { return };
        let row = |corrected: &CorrectedPrevalence| LabelErrorRow { group, corrected: *corrected, level, target };
        self.errors.extend(agreement.corrected.iter().map(row));
        self.agreement.push(AgreementRow { group, agreement: agreement.clone(), level });
    }

    /// Appends the rows of all groups together.
    pub fn add_total(&mut self, total: Self) {
        self.agreement.extend(total.agreement.into_iter().map(|row| AgreementRow { group: None, ..row }));
        self.errors.extend(total.errors.into_iter().map(|row| LabelErrorRow { group: None, ..row }));
    }

    /// Returns the tables, if several people labelled a row.
    pub fn tables<'a>(&'a self, keys: Option<&'a dyn GroupNames>) -> Vec<ResultTable<'a>> {
        let Some(AgreementRow { level, .. }) = self.agreement.first() else { return Vec::new() };
        let interval = || format!("{} % interval", percent(*level));
        let title = |title: &str| vec![title.to_owned()];
        let agreement = ResultTable::new(&self.agreement).headed("kappa_lower", interval());
        let errors = ResultTable::new(&self.errors).headed("lower", interval());
        let tables = [
            agreement.titled(title("Agreement of the people who labelled:")),
            errors.titled(title("Share (ppi++) if labels have errors:")),
        ];
        let with_groups = |table: ResultTable<'a>| match keys {
            Some(keys) => table.with_groups(keys),
            None => table,
        };
        tables.into_iter().map(with_groups).collect()
    }

    /// Returns the notes on the tables.
    pub fn notes(&self) -> Vec<Note> {
        if self.agreement.is_empty() {
            return Vec::new();
        }
        let is_used = |errors: LabelErrors| self.errors.iter().any(|row| row.corrected.errors == errors);
        let used = LabelErrors::TABLE.iter().filter(|(_, errors, _)| is_used(*errors));
        let mut notes = vec![Note::new(
            "the label of a row is the mean of its labels; in the table of errors, people err independently of each \
             other, all with the same rates",
        )];
        notes.extend(used.map(|(name, _, meaning)| Note::line(format!("{name}: {meaning}"))));
        notes
    }
}

impl ResultRow for AgreementRow {
    const NAME: &'static str = "agreement";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::count("people", "people who labelled", |row| row.agreement.people).shown(CellFormat::AsIs),
            Self::count("rows", "audited rows with two labels or more", |row| row.agreement.items)
                .shown(CellFormat::AsIs),
            Self::share("agreement", "share of pairs of labels that agree", |row| row.agreement.agreement)
                .shown(CellFormat::Decimals(4)),
            Self::number("kappa", "kappa, Cohen's for two people, Fleiss's for more", |row| {
                row.agreement.kappa.map(|kappa| kappa.value)
            })
            .shown(CellFormat::Decimals(4)),
            Self::number("kappa_se", "standard error of kappa", |row| row.agreement.kappa.map(|kappa| kappa.std_error))
                .heading("se", CellFormat::StandardError),
            Self::number("kappa_lower", "lower end of the interval of kappa", |row| {
                row.agreement.kappa.map(|kappa| kappa.interval.lower)
            })
            .heading("interval", CellFormat::IntervalTo("kappa_upper")),
            Self::number("kappa_upper", "upper end of the interval of kappa", |row| {
                row.agreement.kappa.map(|kappa| kappa.interval.upper)
            }),
            Self::share("level", "nominal coverage of the interval", |row| row.level),
        ]
    }

    fn group(&self) -> Option<usize> {
        self.group
    }
}

impl ResultRow for LabelErrorRow {
    const NAME: &'static str = "label_errors";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text("errors", "the assumption about the errors of labels", |row| {
                row.corrected.errors.to_string().into()
            })
            .shown(CellFormat::AsIs),
            Self::share("sensitivity", "share of positives with the right label", |row| row.corrected.sensitivity)
                .shown(CellFormat::Decimals(4)),
            Self::share("specificity", "share of negatives with the right label", |row| row.corrected.specificity)
                .shown(CellFormat::Decimals(4)),
            Self::share("prevalence", "the share of positives under that assumption, clipped to [0, 1]", |row| {
                row.corrected.prevalence
            })
            .shown(CellFormat::Decimals(4)),
            Self::share("raw", "the estimate before it is clipped to [0, 1]", |row| row.corrected.raw),
            Self::share("se", "standard error", |row| row.corrected.std_error).shown(CellFormat::StandardError),
            Self::share("lower", "lower end of the interval", |row| row.corrected.interval.lower)
                .heading("interval", CellFormat::IntervalTo("upper")),
            Self::share("upper", "upper end of the interval", |row| row.corrected.interval.upper),
            Self::share("level", "nominal coverage of the interval", |row| row.level),
            ResultColumn::target(|row: &Self| row.target),
        ]
    }

    fn group(&self) -> Option<usize> {
        self.group
    }
}
