//! Columns of crude and standardised shares, side by side.

use super::Mark;
use super::column::{CellFormat, ResultColumn};
use super::estimates::{EstimateRow, PUBLISH};
use super::row::ResultRow;
use super::table::ResultTable;
use crate::groups::{GroupKeys, GroupNames, PartialNames};
use crate::results::percent;
use crate::standard::StandardisedEstimates;

/// The crude and the standardised share of a set of groups, by one method.
pub struct StandardisedRow {
    /// The estimate of all rows of the set.
    pub crude: EstimateRow,
    /// The standardised estimate.
    pub standardised: EstimateRow,
}

/// The columns of the standardised share.
const STANDARDISED: [&str; 18] = [
    "prevalence", "raw", "se", "lower", "upper", "population_size", "positives", "positives_lower", "positives_upper",
    "misfit", "unexplained", "widening", "se_widened", PUBLISH, "level", "target", "severity", "warnings",
];

/// The columns of the crude share: the column of estimates, its name here, and its meaning.
const CRUDE: [(&str, &str, &str); 4] = [
    ("prevalence", "crude", "the share without standardisation"),
    ("se", "crude_se", "standard error of crude"),
    ("lower", "crude_lower", "lower end of the interval of crude"),
    ("upper", "crude_upper", "upper end of the interval of crude"),
];

impl ResultRow for StandardisedRow {
    const NAME: &'static str = "standardised";

    fn columns() -> Vec<ResultColumn<Self>> {
        let estimate = |name: &str| {
            let mut columns = EstimateRow::columns().into_iter();
            columns.find(|column| column.description().name == name).expect("a column of estimates")
        };
        let mut columns = vec![
            estimate("method").for_part(|row: &Self| &row.standardised),
            estimate("n").for_part(|row: &Self| &row.crude),
        ];
        columns.extend(CRUDE.into_iter().map(|(name, crude, meaning)| {
            let mut column = estimate(name).for_part(|row: &Self| &row.crude);
            (column.description.name, column.description.meaning, column.heading) =
                (crude.into(), meaning.into(), None);
            match name {
                "prevalence" => column.heading(crude, CellFormat::Decimals(4)),
                "lower" => column.heading("interval", CellFormat::IntervalTo("crude_upper")),
                _ => column,
            }
        }));
        columns.extend(STANDARDISED.into_iter().map(|name| {
            let column = estimate(name).for_part(|row: &Self| &row.standardised);
            match name {
                "prevalence" => column.heading("standardised", CellFormat::Decimals(4)),
                "lower" | PUBLISH => column,
                _ => ResultColumn { heading: None, ..column },
            }
        }));
        columns
    }

    fn group(&self) -> Option<usize> {
        self.standardised.group()
    }

    fn mark(&self) -> Mark {
        match self.standardised.mark() {
            Mark::None => self.crude.mark(),
            mark => mark,
        }
    }
}

/// The crude and standardised shares of sets of groups.
pub struct StandardisedSets {
    /// The names of the sets: those of the groups, by the columns that define sets.
    pub names: Box<dyn GroupNames>,
    /// The standard population.
    pub population: String,
    /// The rows, set by set.
    pub rows: Vec<StandardisedRow>,
}

impl StandardisedSets {
    /// Creates the rows of the sets of these groups.
    pub fn new(names: impl GroupKeys, estimates: StandardisedEstimates) -> Self {
        let StandardisedEstimates { population, columns, first_groups, crude, standardised } = estimates;
        let population = population.unwrap_or_else(|| "the standard population".to_owned());
        let is_total = columns.is_empty();
        let mut rows = Vec::new();
        for ((group, crude), standardised) in first_groups.into_iter().zip(crude).zip(standardised) {
            let row = |estimate| EstimateRow { is_total, ..EstimateRow::new(group, estimate) };
            let pairs = crude.into_iter().zip(standardised);
            rows.extend(pairs.map(|pair| StandardisedRow { crude: row(pair.0), standardised: row(pair.1) }));
        }
        Self { names: Box::new(PartialNames::new(names, columns)), population, rows }
    }

    /// Returns the estimates, to be changed.
    pub fn estimates_mut(&mut self) -> impl Iterator<Item = &mut EstimateRow> {
        self.rows.iter_mut().flat_map(|row| [&mut row.standardised, &mut row.crude])
    }

    /// Returns the estimates.
    pub fn estimates(&self) -> impl Iterator<Item = &EstimateRow> + Clone {
        self.rows.iter().flat_map(|row| [&row.standardised, &row.crude])
    }

    /// Returns the table; `several` says whether the shares are by several methods.
    pub fn table(&self, several: bool) -> ResultTable<'_> {
        let level = self.rows.first().map_or(0.0, |row| row.standardised.estimate.level);
        let interval = format!("{} % interval", percent(level));
        let table = ResultTable::new(&self.rows).headed("crude_lower", interval.clone()).headed("lower", interval);
        let table = if several { table } else { table.hidden("method") };
        let is_judged = self.rows.iter().any(|row| row.standardised.publication.is_some());
        let table = if is_judged { table } else { table.without(PUBLISH) };
        let table = table.titled(vec![format!("Shares, crude and standardised to {}:", self.population)]);
        if self.names.columns().next().is_some() { table.with_groups(self.names.as_ref()) } else { table }
    }
}
