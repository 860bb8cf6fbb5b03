//! Columns of prevalences from counts: the counts, the rates, and the columns of estimates that apply to counts.

use super::Mark;
use super::column::{CellFormat, ResultColumn};
use super::estimates::EstimateRow;
use super::note::Note;
use super::numbers::percent;
use super::row::{ResultRow, Span};
use super::table::ResultTable;
use truecount::Target;
use truecount::counts::{Rate, RateInterval, Rates};

/// A prevalence from counts, with the counts and rates.
pub struct CountRow {
    /// The number of positive tests.
    pub positives: u64,
    /// The sensitivity and specificity of the test; `None` for a total of different ones.
    pub rates: Option<Rates>,
    /// The estimate.
    pub row: EstimateRow,
}

/// The columns that counts share with estimates.
const SHARED: [&str; 9] = ["prevalence", "raw", "se", "lower", "upper", "level", "target", "severity", "warnings"];

impl CountRow {
    /// Returns the share of the tested with a positive result.
    pub fn apparent(&self) -> f64 {
        self.positives as f64 / self.row.estimate.n as f64
    }

    fn rate(&self, rate: fn(&Rates) -> &Rate) -> Option<f64> {
        self.rates.as_ref().map(|rates| rate(rates).share())
    }

    fn denominator(&self, rate: fn(&Rates) -> &Rate) -> Option<u64> {
        self.rates.as_ref().and_then(|rates| rate(rates).denominator())
    }
}

impl ResultRow for CountRow {
    const NAME: &'static str = "counts";

    fn columns() -> Vec<ResultColumn<Self>> {
        let shared = EstimateRow::columns().into_iter().filter(|column| SHARED.contains(&&*column.description().name));
        let mut columns: Vec<ResultColumn<Self>> =
            shared.map(|column| column.for_part(|row: &Self| &row.row)).collect();
        columns.splice(
            0..0,
            [
                Self::count("n", "number of tested", |row| row.row.estimate.n).shown(CellFormat::AsIs),
                Self::count("positives", "number of tested with a positive result", |row| row.positives)
                    .shown(CellFormat::AsIs),
                Self::share("apparent", "share of the tested with a positive result", Self::apparent),
                Self::share("sensitivity", "the test's sensitivity", |row| row.rate(Rates::sensitivity)),
                Self::count(
                    "sensitivity_of",
                    "number that this rate was estimated from; missing if the rate is exact",
                    |row| row.denominator(Rates::sensitivity),
                ),
                Self::share("specificity", "the test's specificity", |row| row.rate(Rates::specificity)),
                Self::count(
                    "specificity_of",
                    "number that this rate was estimated from; missing if the rate is exact",
                    |row| row.denominator(Rates::specificity),
                ),
            ],
        );
        columns
    }

    fn group(&self) -> Option<usize> {
        self.row.group()
    }

    fn mark(&self) -> Mark {
        self.row.mark()
    }

    fn span(&self) -> Option<Span> {
        self.row.span()
    }
}

/// Returns the table of at least one row.
pub fn count_table(rows: &[CountRow]) -> ResultTable<'_> {
    let level = rows.first().map_or(0.0, |row| row.row.estimate.level);
    ResultTable::new(rows).headed("lower", format!("{} % interval", percent(level)))
}

/// Returns notes on the interval: its type and the sampling it accounts for. If all rows have the
/// same rates, a further note states them.
pub fn count_notes(rows: &[CountRow], interval: RateInterval, target: Target) -> Vec<Note> {
    let estimand = match target {
        Target::Population => "the prevalence of the population",
        Target::Sample => "the share among the tested themselves",
    };
    let mut notes = vec![
        Note::new(format!("uncertainty: {}", interval.accounts_for())),
        Note::new(format!("interval: {}, of {estimand}", interval.title())),
    ];
    let first_rates = rows.first().and_then(|row| row.rates);
    if let Some(rates) = first_rates.filter(|rates| rows.iter().all(|row| row.rates == Some(*rates))) {
        let (sensitivity, specificity) = (format_rate(rates.sensitivity()), format_rate(rates.specificity()));
        notes.push(Note::source(format!("sensitivity {sensitivity}, specificity {specificity}")));
    }
    if rows.iter().any(|row| row.row.is_total && row.rates.is_none()) {
        notes.push(Note::new(
            "total: groups weighted by the number tested in each, with an interval from the Wilson intervals of all \
             counts and rates",
        ));
    }
    notes
}

fn format_rate(rate: &Rate) -> String {
    match rate {
        Rate::Exact(_) => format!("{rate} (exact)"),
        Rate::Counted { .. } | Rate::Measured { .. } => rate.to_string(),
    }
}
