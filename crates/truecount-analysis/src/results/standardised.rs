//! Columns of crude and standardised shares, side by side.

use super::Mark;
use super::column::{CellFormat, ResultColumn};
use super::differences::CLASS;
use super::estimates::{EstimateRow, PUBLISH};
use super::row::ResultRow;
use super::table::ResultTable;
use crate::groups::{GroupKeys, GroupNames, PartialNames};
use crate::results::percent;
use crate::standard::StandardisedEstimates;

/// The crude and the standardised share of a set of groups, by one method or of one class.
pub struct StandardisedRow<R = EstimateRow> {
    /// The estimate of all rows of the set.
    pub crude: R,
    /// The standardised estimate.
    pub standardised: R,
}

/// The columns of the standardised share.
const STANDARDISED: [&str; 21] = [
    "prevalence", "raw", "se", "se_labelled", "lower", "upper", "lower_all", "upper_all", "population_size",
    "positives", "positives_lower", "positives_upper", "misfit", "unexplained", "widening", "se_widened", PUBLISH,
    "level", "target", "severity", "warnings",
];

/// The columns of the crude share: the column of estimates, its name here, and its meaning.
const CRUDE: [(&str, &str, &str); 4] = [
    ("prevalence", "crude", "the share without standardisation"),
    ("se", "crude_se", "standard error of crude"),
    ("lower", "crude_lower", "lower end of the interval of crude"),
    ("upper", "crude_upper", "upper end of the interval of crude"),
];

impl<R: ResultRow + 'static> ResultRow for StandardisedRow<R> {
    const NAME: &'static str = "standardised";

    fn columns() -> Vec<ResultColumn<Self>> {
        // Shares of classes have fewer columns.
        let column = |name: &str, part: fn(&Self) -> &R| {
            let column = R::columns().into_iter().find(|column| column.description().name == name)?;
            Some(column.for_part(part))
        };
        let parts = [(CLASS, Self::crude as fn(&Self) -> &R), ("method", Self::crude), ("n", Self::crude)];
        let mut columns: Vec<_> = parts.into_iter().filter_map(|(name, part)| column(name, part)).collect();
        columns.extend(CRUDE.into_iter().filter_map(|(name, crude, meaning)| {
            let mut column = column(name, Self::crude)?;
            (column.description.name, column.description.meaning, column.heading) =
                (crude.into(), meaning.into(), None);
            Some(match name {
                "prevalence" => column.heading(crude, CellFormat::Decimals(4)),
                "lower" => column.heading("interval", CellFormat::IntervalTo("crude_upper")),
                _ => column,
            })
        }));
        columns.extend(STANDARDISED.into_iter().filter_map(|name| {
            let column = column(name, |row| &row.standardised)?;
            Some(match name {
                "prevalence" => column.heading("standardised", CellFormat::Decimals(4)),
                "lower" | PUBLISH => column,
                _ => ResultColumn { heading: None, ..column },
            })
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

impl<R> StandardisedRow<R> {
    fn crude(&self) -> &R {
        &self.crude
    }
}

/// The crude and standardised shares of sets of groups.
pub struct StandardisedSets<R = EstimateRow> {
    /// The names of the sets: those of the groups, by the columns that define sets.
    pub names: Box<dyn GroupNames>,
    /// The standard population.
    pub population: String,
    /// The rows, set by set.
    pub rows: Vec<StandardisedRow<R>>,
}

impl StandardisedSets {
    /// Creates the rows of the sets of these groups.
    pub fn new(names: impl GroupKeys, estimates: StandardisedEstimates) -> Self {
        Self::with_rows(names, estimates, |group, is_total, estimates| {
            let row = |estimate| EstimateRow { is_total, ..EstimateRow::new(group, estimate) };
            estimates.into_iter().map(row).collect()
        })
    }

    /// Returns the table; `several` says whether the shares are by several methods.
    pub fn table(&self, several: bool) -> ResultTable<'_> {
        let level = self.rows.first().map_or(0.0, |row| row.standardised.estimate.level);
        let table = self.table_at(level, several);
        let is_judged = self.rows.iter().any(|row| row.standardised.publication.is_some());
        if is_judged { table } else { table.without(PUBLISH) }
    }
}

impl<R: ResultRow + 'static> StandardisedSets<R> {
    /// Creates the rows of the sets of these groups. `rows` returns the rows of an estimate, with its group, and whether
    /// it is the total.
    pub fn with_rows<E>(
        names: impl GroupKeys,
        estimates: StandardisedEstimates<E>,
        rows: impl Fn(usize, bool, E) -> Vec<R>,
    ) -> Self {
        let StandardisedEstimates { population, columns, first_groups, crude, standardised } = estimates;
        let population = population.unwrap_or_else(|| "the standard population".to_owned());
        let is_total = columns.is_empty();
        let of_set = |((group, crude), standardised)| {
            let pairs = rows(group, is_total, crude).into_iter().zip(rows(group, is_total, standardised));
            pairs.map(|(crude, standardised)| StandardisedRow { crude, standardised })
        };
        let rows = first_groups.into_iter().zip(crude).zip(standardised).flat_map(of_set).collect();
        Self { names: Box::new(PartialNames::new(names, columns)), population, rows }
    }

    /// Returns the estimates, to be changed.
    pub fn estimates_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.iter_mut().flat_map(|row| [&mut row.standardised, &mut row.crude])
    }

    /// Returns the estimates.
    pub fn estimates(&self) -> impl Iterator<Item = &R> + Clone {
        self.rows.iter().flat_map(|row| [&row.standardised, &row.crude])
    }

    /// Returns the table with intervals of this level; `several` says whether the shares are by several methods.
    pub(crate) fn table_at(&self, level: f64, several: bool) -> ResultTable<'_> {
        let interval = format!("{} % interval", percent(level));
        let table = ResultTable::new(&self.rows).headed("crude_lower", interval.clone()).headed("lower", interval);
        let table = if several { table } else { table.hidden("method") };
        let table = table.titled(vec![format!("Crude shares, and shares standardised to {}:", self.population)]);
        if self.names.columns().next().is_some() { table.with_groups(self.names.as_ref()) } else { table }
    }
}
