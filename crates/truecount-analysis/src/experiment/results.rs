//! Columns of the summary of an experiment: ranked methods, parts, and means by the amount of shift and other facets.

use super::errors::{ErrorTotals, ExperimentSummary, MeanErrors, SettingTotals, ShiftLevel, distinct};
use super::ranking::{RankedMethod, Ranking};
use super::rows::ExperimentCell;
use crate::results::{CellFormat, Note, ResultColumn, ResultRow, ResultTable, format_p_value};
use truecount::evaluation::{Measure, PairedComparison};

/// Returns the columns of mean errors.
fn error_columns<R: ResultRow + 'static>(errors: fn(&R) -> &MeanErrors) -> Vec<ResultColumn<R>> {
    let intervals =
        |name, meaning, [i, j]: [usize; 2]| R::share(name, meaning, move |row| errors(row).intervals()[i][j]);
    let mut columns = vec![
        R::count("samples", "number of samples", move |row| errors(row).samples),
        R::count("failed", "samples without an estimate, which the means leave out", move |row| errors(row).failed)
            .shown(CellFormat::AsIs),
        R::count("warned", "samples whose estimate has a warning", move |row| errors(row).warned),
    ];
    columns.extend(Measure::TABLE.iter().map(|&(name, measure, meaning)| {
        let column = R::share(name, meaning, move |row| errors(row).mean(measure));
        match measure {
            Measure::AbsoluteError => column.heading("MAE", CellFormat::Decimals(4)),
            Measure::RelativeAbsoluteError => column.heading("RAE", CellFormat::Decimals(4)),
            Measure::Bias => column.shown(CellFormat::Signed),
            _ => column.shown(CellFormat::Decimals(4)),
        }
    }));
    columns.extend([
        R::share("rmse", "root mean squared error", move |row| errors(row).rmse())
            .heading("RMSE", CellFormat::Decimals(4)),
        intervals("coverage", "share of the intervals that contain the true prevalence", [0, 0])
            .shown(CellFormat::Percent(1)),
        intervals("width", "mean width of the intervals", [0, 1]).shown(CellFormat::Decimals(4)),
        intervals("coverage_widened", "coverage of the intervals that are widened for misfit", [1, 0])
            .heading("widened", CellFormat::Percent(1)),
        intervals("width_widened", "mean width of intervals that are widened for misfit", [1, 1])
            .shown(CellFormat::Decimals(4)),
    ]);
    columns
}

impl ResultRow for RankedMethod {
    const NAME: &'static str = "ranking";

    fn columns() -> Vec<ResultColumn<Self>> {
        let count = |name, meaning, value: fn(&PairedComparison) -> usize| {
            Self::count(name, meaning, move |row| row.comparison.as_ref().map(value))
        };
        let mut columns = vec![
            Self::text("protocol", "the protocol", |row| row.protocol.as_str().into()),
            Self::text("method", "the method", |row| row.method.as_str().into()).shown(CellFormat::AsIs),
            Self::number("rank", "mean over the data sets of the method's rank", |row| row.rank)
                .shown(CellFormat::Decimals(2)),
            Self::count("first", "data sets on which no method has a smaller error", |row| row.first)
                .shown(CellFormat::AsIs),
        ];
        columns.extend(error_columns(|row: &Self| &row.errors));
        columns.extend([
            Self::text("reference", "the method it is compared with", |row| row.reference.as_deref().into()).optional(),
            count("reference_wins", "data sets on which the reference has the smaller error", |compared| compared.wins)
                .heading("wins", CellFormat::AsIs),
            count("reference_losses", "data sets on which the reference has the larger error", |compared| {
                compared.losses
            })
            .heading("losses", CellFormat::AsIs),
            Self::share(
                "difference",
                "mean over the data sets of the method's error minus that of the reference",
                |row| row.comparison.as_ref().map(|compared| compared.difference.value),
            )
            .shown(CellFormat::Signed),
            Self::p_value("p_value", "Wilcoxon's signed-rank test of these differences", |row| {
                row.comparison.as_ref()?.p_value
            }),
            Self::p_value("p_value_holm", "p_value with Holm's correction for the number of comparisons", |row| {
                row.adjusted
            })
            .heading("p (Holm)", CellFormat::PValue),
        ]);
        columns
    }
}

impl RankedMethod {
    /// Returns whether widening for misfit has changed the coverage.
    pub fn is_widened(&self) -> bool {
        let [[plain, _], [widened, _]] = self.errors.intervals();
        widened.is_some() && widened != plain
    }
}

impl Ranking {
    /// Returns the names of the columns for people, so that the table fits 80 characters.
    pub fn shown(&self, measure: Measure) -> Vec<&'static str> {
        let any = |condition: fn(&RankedMethod) -> bool| self.methods.iter().any(condition);
        let has_failed = any(|row| row.errors.failed > 0);
        let has_p_values = self.data_sets > 1 && any(|row| row.adjusted.is_some());
        let mut columns = vec!["method", "rank", "mae", "mrae"];
        if let Some((name, ..)) =
            Measure::TABLE.iter().find(|(name, known, _)| *known == measure && !columns.contains(name))
        {
            // Replaces the relative error.
            columns[3] = name;
        }
        let has_intervals = any(|row| row.errors.intervals()[0][0].is_some());
        columns.extend(has_intervals.then_some("coverage"));
        let is_widened = any(RankedMethod::is_widened);
        let has_room = !(has_failed && is_widened && has_p_values);
        columns.extend((has_room && has_intervals).then_some("width"));
        columns.extend(is_widened.then_some("coverage_widened"));
        columns.extend(has_failed.then_some("failed"));
        columns.extend(has_p_values.then_some("p_value_holm"));
        columns
    }

    /// Returns the table of the ranking for people.
    pub fn table(&self, measure: Measure) -> ResultTable<'_> {
        ResultTable::new(&self.methods).view(&self.shown(measure))
    }

    /// Returns notes on the tests of the differences between the methods.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let protocol = &self.protocol;
        if let (Some(p), Some(difference)) = (self.p_value, self.critical_difference) {
            let p = format_p_value(p);
            notes.push(format!(
                "{protocol}: p {} for the hypothesis that all methods have the same mean rank (Friedman's test); mean \
                 ranks differ significantly if they are {difference:.2} apart (Nemenyi's test, 5 %)",
                if p.starts_with('<') { p.replacen('<', "< ", 1) } else { format!("= {p}") }
            ));
        }
        if let Some(reference) = self
            .methods
            .iter()
            .find_map(|row| row.reference.as_ref().filter(|_| self.data_sets > 1 && row.adjusted.is_some()))
        {
            notes.push(format!(
                "{protocol}: p (Holm): Wilcoxon's signed-rank test against {reference} over {} data sets, adjusted for \
                 the comparisons",
                self.data_sets
            ));
        }
        notes.into_iter().map(Note::new).collect()
    }
}

/// The mean errors of a method in one combination of settings.
pub struct SettingErrorRow {
    cell: ExperimentCell,
    labelled: u64,
    n: u64,
    level: ShiftLevel,
    method: String,
    errors: MeanErrors,
}

/// Returns a row for every combination of settings and method.
pub fn setting_rows(summary: &ExperimentSummary) -> Vec<SettingErrorRow> {
    let rows = |part: &SettingTotals| -> Vec<SettingErrorRow> {
        let row = |(method, totals): (&String, &ErrorTotals)| SettingErrorRow {
            cell: part.cell.clone(),
            labelled: part.labelled,
            n: part.n,
            level: part.level,
            method: method.clone(),
            errors: totals.errors(),
        };
        summary.methods.iter().zip(&part.totals).map(row).collect()
    };
    summary.parts.iter().flat_map(rows).collect()
}

impl ResultRow for SettingErrorRow {
    const NAME: &'static str = "parts";

    fn columns() -> Vec<ResultColumn<Self>> {
        let distance = |name, meaning, end: usize| {
            Self::share(name, meaning, move |row| row.level.distances().map(|range| range[end]))
        };
        let mut columns = vec![
            Self::text("data", "the data set", |row| row.cell.data.as_str().into()),
            Self::text("training", "how its labelled scores came about", |row| row.cell.training.as_str().into()),
            Self::text("classifier", "the classifier", |row| row.cell.classifier.as_str().into()),
            Self::count("labelled", "the number of labelled scores", |row| row.labelled),
            Self::count("n", "the number of scores in a sample", |row| row.n),
            Self::text("protocol", "the protocol", |row| row.cell.protocol.as_str().into()),
            Self::number(
                "setting",
                "setting of the protocol: the share of the domain, the prevalence or the cut of the grade",
                |row| if let ShiftLevel::Setting(setting) = row.level { Some(setting) } else { None },
            ),
            distance(
                "distance_from",
                "smallest distance between the samples' prevalence and that of the labelled scores",
                0,
            ),
            distance("distance_to", "largest distance between them", 1),
            Self::text("method", "the method", |row| row.method.as_str().into()),
        ];
        columns.extend(error_columns(|row: &Self| &row.errors));
        columns
    }
}

/// The largest number of values in a table for people.
const MAX_VALUES: usize = 8;

/// The mean of a measure at each value of a property in which the samples of a protocol differ.
pub struct Facet {
    /// The property.
    pub by: &'static str,
    /// Whether the property is the amount of shift.
    pub is_shift: bool,
    /// The values, in words.
    pub values: Vec<String>,
    /// The positions of the values on an axis; for names, their indices.
    pub positions: Vec<f64>,
    /// The methods, in the order of the ranking.
    pub rows: Vec<FacetRow>,
}

/// The means of a method.
pub struct FacetRow {
    /// The method.
    pub method: String,
    /// The mean at each value; `None` if the method has no estimate.
    pub means: Vec<Option<f64>>,
}

/// A function that returns the value of a property of a part: its name and, for numbers, its position.
type PropertyOf = fn(&SettingTotals) -> (String, Option<f64>);

/// The properties in which parts may differ, in addition to the protocol. The first one is the amount of shift.
const FACETS: [(&str, PropertyOf); 6] = [
    (SHIFT, |part| (part.level.to_string(), Some(part.level.middle()))),
    ("number of labelled scores", |part| (part.labelled.to_string(), Some(part.labelled as f64))),
    ("size of the samples", |part| (part.n.to_string(), Some(part.n as f64))),
    ("training", |part| (part.cell.training.clone(), None)),
    ("classifier", |part| (part.cell.classifier.clone(), None)),
    (DATA, |part| (part.cell.data.clone(), None)),
];

const SHIFT: &str = "shift";
const DATA: &str = "data set";

/// Returns the means of a measure by each property in which the samples of a ranking's protocol differ. Means are over
/// the data sets with such samples. The shift comes first, if samples differ in shift.
pub fn facets(summary: &ExperimentSummary, ranking: &Ranking, measure: Measure) -> Vec<Facet> {
    let has_protocol = |part: &&SettingTotals| part.cell.protocol == ranking.protocol;
    let parts = || summary.parts.iter().filter(has_protocol);
    let facet = |&(by, value): &(&'static str, PropertyOf)| {
        let mut values = distinct(parts().map(value));
        let position = |(_, position): &(String, Option<f64>)| *position;
        values.sort_by(|a, b| position(a).partial_cmp(&position(b)).expect("numbers"));
        let is_shift = by == SHIFT;
        let by = match parts().next().map(|part| part.level) {
            Some(ShiftLevel::Distance(_)) if is_shift => "shift of the prevalence from the labelled one",
            Some(ShiftLevel::Setting(_)) if is_shift => "setting of the protocol",
            _ => by,
        };
        let by_data: Vec<Vec<Vec<MeanErrors>>> =
            values.iter().map(|each| summary.by_data(|part| has_protocol(&part) && value(part) == *each)).collect();
        let row = |ranked: &RankedMethod| {
            let index = summary.methods.iter().position(|method| *method == ranked.method);
            let method = index.expect("a method of the summary");
            let mean = |data_sets: &Vec<Vec<MeanErrors>>| {
                MeanErrors::over(&data_sets.iter().map(|data| data[method].clone()).collect::<Vec<_>>()).mean(measure)
            };
            let means = by_data.iter().map(mean).collect();
            FacetRow { method: ranked.method.clone(), means }
        };
        let positions = values.iter().enumerate().map(|(i, (_, position))| position.unwrap_or(i as f64)).collect();
        let rows = ranking.methods.iter().map(row).collect();
        Facet { by, is_shift, values: values.into_iter().map(|(name, _)| name).collect(), positions, rows }
    };
    // A property with one value in each data set is redundant, as the data set determines it.
    let differs = |(by, value): &&(&'static str, PropertyOf)| {
        let data_sets = distinct(parts().map(|part| part.cell.data.as_str()));
        let differs_within =
            |data: &&str| distinct(parts().filter(|part| part.cell.data == *data).map(value)).len() > 1;
        [SHIFT, DATA].contains(by) || data_sets.iter().any(differs_within)
    };
    FACETS.iter().filter(differs).map(facet).filter(|facet| facet.values.len() > 1).collect()
}

impl ResultRow for FacetRow {
    const NAME: &'static str = "facets";

    fn columns() -> Vec<ResultColumn<Self>> {
        let method = Self::text("method", "the method", |row| row.method.as_str().into());
        let mean = |index: usize| {
            Self::share(format!("at_{index}"), "the mean of the measure", move |row| {
                row.means.get(index).copied().flatten()
            })
            .shown(CellFormat::Decimals(4))
        };
        [method.shown(CellFormat::AsIs)].into_iter().chain((0..MAX_VALUES).map(mean)).collect()
    }
}

impl Facet {
    /// Returns the rows as a table for people; `None` if the values do not fit into 80 characters.
    pub fn table(&self) -> Option<ResultTable<'_>> {
        let width = |text: &String| 3 + text.chars().count().max(6);
        let methods = self.rows.iter().map(|row| row.method.chars().count()).max();
        let total_width = self.values.iter().map(width).sum::<usize>() + methods.unwrap_or_default().max(6);
        if self.values.len() > MAX_VALUES || total_width > 80 {
            return None;
        }
        let names: Vec<String> = (0..self.values.len()).map(|index| format!("at_{index}")).collect();
        let columns: Vec<&str> = ["method"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let table = ResultTable::new(&self.rows).view(&columns);
        Some(names.iter().zip(&self.values).fold(table, |table, (name, value)| table.headed(name, value.clone())))
    }
}
