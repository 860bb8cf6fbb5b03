//! The columns of prevalences from counts: those of an estimate that say something here, and what it is made of.

use super::Mark;
use super::column::{Column, Look, Unit};
use super::estimates::EstimateRow;
use super::note::Note;
use super::numbers::percent;
use super::row::{Row, Span};
use super::table::Table;
use truecount::Target;
use truecount::counts::{Rate, RateInterval, Rates};

/// A prevalence from counts, with what was counted.
pub struct CountRow {
    /// Those whose test is positive.
    pub positives: u64,
    /// Sensitivity and specificity.
    pub rates: Rates,
    /// What was found.
    pub found: EstimateRow,
}

/// The columns of estimates that are those of counts too.
const SHARED: [&str; 8] = ["prevalence", "raw", "se", "lower", "upper", "level", "severity", "warnings"];

impl CountRow {
    fn apparent(&self) -> f64 {
        self.positives as f64 / self.found.estimate.n as f64
    }
}

impl Row for CountRow {
    const NAME: &'static str = "counts";

    fn columns() -> Vec<Column<Self>> {
        let shared = EstimateRow::columns().into_iter().filter(|column| SHARED.contains(&&*column.description().name));
        let mut columns: Vec<Column<Self>> = shared.map(|column| column.of(|row: &Self| &row.found)).collect();
        let denominator = |rate: &Rate| rate.of().into();
        columns.splice(
            0..0,
            [
                Column::new("n", Unit::Count, "all tests", |row: &Self| row.found.estimate.n.into()).shown(Look::AsIs),
                Column::new("positives", Unit::Count, "positive tests", |row: &Self| row.positives.into())
                    .shown(Look::AsIs),
                Column::new("apparent", Unit::Share, "the share of positive tests", |row: &Self| row.apparent().into()),
                Column::new("sensitivity", Unit::Share, "the test's sensitivity", |row: &Self| {
                    row.rates.sensitivity().share().into()
                }),
                Column::new(
                    "sensitivity_of",
                    Unit::Count,
                    "those it was found from; nothing where it is exact",
                    move |row: &Self| denominator(row.rates.sensitivity()),
                )
                .optional(),
                Column::new("specificity", Unit::Share, "the test's specificity", |row: &Self| {
                    row.rates.specificity().share().into()
                }),
                Column::new(
                    "specificity_of",
                    Unit::Count,
                    "those it was found from; nothing where it is exact",
                    move |row: &Self| denominator(row.rates.specificity()),
                )
                .optional(),
            ],
        );
        columns
    }

    fn group(&self) -> Option<usize> {
        self.found.group()
    }

    fn mark(&self) -> Mark {
        self.found.mark()
    }

    fn span(&self) -> Option<Span> {
        self.found.span()
    }
}

/// The table of them, of which there is one at least.
pub fn count_table(rows: &[CountRow]) -> Table<'_> {
    let level = rows.first().map_or(0.0, |row| row.found.estimate.level);
    Table::new(rows).headed("lower", format!("{} % interval", percent(level)))
}

/// Which interval it is and what it accounts for, and the rates if all rows have the same.
pub fn count_notes(rows: &[CountRow], interval: RateInterval, target: Target) -> Vec<Note> {
    let whose = match target {
        Target::Population => "the prevalence of the population",
        Target::Sample => "the share among the tested themselves",
    };
    let mut notes = vec![
        Note::new(format!("se and interval: {}", interval.accounts_for())),
        Note::new(format!("interval: {}, for {whose}", interval.title())),
    ];
    if let Some((first, rest)) = rows.split_first()
        && rest.iter().all(|row| row.rates == first.rates)
    {
        let (sensitivity, specificity) = (shown(first.rates.sensitivity()), shown(first.rates.specificity()));
        notes.push(Note::source(format!("sensitivity {sensitivity}, specificity {specificity}")));
    }
    notes
}

fn shown(rate: &Rate) -> String {
    match rate {
        Rate::Exact(_) => format!("{rate} (exact)"),
        Rate::Counted { .. } | Rate::Measured { .. } => rate.to_string(),
    }
}
