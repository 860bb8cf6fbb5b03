//! The results of an experiment: tables for people, programs and papers, and figures.

use super::SAMPLES;
use super::design::ExperimentDesign;
use super::protocol::Protocol;
use crate::error::CliError;
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::path::Path;
use truecount::evaluation::Measure;
use truecount::model::Posteriors;
use truecount_analysis::experiment::{
    ExperimentSummary, Facet, PartRow, RankedMethod, Ranking, SampleRow, facets, part_rows,
};
use truecount_analysis::notes::describe_posteriors;
use truecount_analysis::results::{
    Note, ResultFormat, ResultTable, Results, TableDescription, describe_table, percent,
};
use truecount_report::charts::experiment::{critical_difference, errors_by_shift};
use truecount_tables::parallel::AllThreads;
use truecount_tables::whole_file;

const PAPER: &str = "tables.tex";
const SUMMARY: &str = "summary.json";

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<RankedMethod>(), describe_table::<PartRow>(), describe_table::<SampleRow>()]
}

/// The tables of an experiment.
pub struct ExperimentTables<'a> {
    experiment: &'a ExperimentDesign,
    rankings: Vec<Ranking>,
    /// For every protocol, the breakdowns of its samples.
    facets: Vec<Vec<Facet>>,
    parts: Vec<PartRow>,
    /// The origins of the posterior probabilities of each method that reads any.
    posteriors: &'a [(String, Posteriors)],
}

fn rank_figure(protocol: &Protocol) -> String {
    format!("critical-difference-{}.svg", protocol.slug())
}

fn shift_figure(protocol: &Protocol) -> String {
    format!("error-by-shift-{}.svg", protocol.slug())
}

/// Returns the test of differences between the methods of a protocol, for programs.
fn test(ranking: &Ranking) -> Value {
    let Ranking { protocol, data_sets, samples, p_value, critical_difference, .. } = ranking;
    json!({
        "protocol": protocol, "data_sets": data_sets, "samples": samples, "p_value": p_value,
        "critical_difference": critical_difference,
    })
}

impl<'a> ExperimentTables<'a> {
    pub fn new(experiment: &'a ExperimentDesign, summary: &'a ExperimentSummary) -> Self {
        let measure = experiment.measure;
        let rankings = Ranking::all(summary, measure, &experiment.reference);
        let facets = rankings.iter().map(|ranking| facets(summary, ranking, measure)).collect();
        Self { experiment, rankings, facets, parts: part_rows(summary), posteriors: &summary.posteriors }
    }

    /// Returns the names of the files that an experiment may write.
    pub fn files(experiment: &ExperimentDesign) -> Vec<String> {
        let figures = experiment.protocols.iter().flat_map(|protocol| [rank_figure(protocol), shift_figure(protocol)]);
        [PAPER, SUMMARY].into_iter().map(str::to_owned).chain(figures).collect()
    }

    /// Returns the abbreviation of the measure.
    fn measure(&self) -> String {
        match self.experiment.measure {
            Measure::AbsoluteError => "MAE".to_owned(),
            Measure::RelativeAbsoluteError => "RAE".to_owned(),
            other => other.to_string(),
        }
    }

    /// Returns the methods with their ranks and errors, in the order of the protocols.
    pub fn ranked_methods(self) -> Vec<RankedMethod> {
        self.rankings.into_iter().flat_map(|ranking| ranking.methods).collect()
    }

    /// Returns the errors of each part of the experiment.
    pub fn parts(&self) -> &[PartRow] {
        &self.parts
    }

    /// Returns the names of the columns of the rankings for people.
    pub fn display_columns(&self) -> Vec<&'static str> {
        let protocol = (self.rankings.len() > 1).then_some("protocol");
        let columns = self.rankings.first().map(|ranking| ranking.shown(self.experiment.measure));
        protocol.into_iter().chain(columns.unwrap_or_default()).collect()
    }

    /// Returns the results for all formats.
    pub fn results(&self) -> Results<'_> {
        let measure = self.measure();
        let mut tables: Vec<ResultTable> =
            self.rankings.iter().map(|ranking| ResultTable::new(&ranking.methods).for_programs()).collect();
        tables.push(ResultTable::new(&self.parts).for_programs());
        for (ranking, facets) in self.rankings.iter().zip(&self.facets) {
            let plural = if ranking.data_sets == 1 { "data set" } else { "data sets" };
            let Ranking { protocol, data_sets, samples, .. } = ranking;
            let title = format!("{protocol}: {samples} samples of {data_sets} {plural}");
            tables.push(ranking.table(self.experiment.measure).titled(vec![title]));
            for facet in facets {
                let title = format!("{protocol}: {measure} by {}", facet.by);
                tables.extend(facet.table().map(|table| table.titled(vec![title])));
            }
        }
        let mut notes = self.notes();
        if self.facets.iter().flatten().any(|facet| facet.is_shift) {
            let note = "by shift: means over the data sets with such samples, possibly not all data sets";
            notes.insert(1, Note::new(note));
        }
        let about = vec![
            ("measure", json!(self.experiment.measure.to_string())),
            ("level", json!(self.experiment.level)),
            ("seed", json!(self.experiment.seed)),
            ("posteriors", self.posteriors_json()),
            ("tests", json!(self.rankings.iter().map(test).collect::<Vec<_>>())),
        ];
        Results { about, tables, notes, ..Results::default() }
    }

    /// Returns the notes on the rankings.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = vec![Note::new(self.explain_columns())];
        if self.experiment.training.iter().all(Option::is_none) {
            let note =
                "coverage is based on one labelled sample for each data set and classifier; [[training]] draws more";
            notes.push(Note::new(note));
        }
        notes.extend(self.rankings.iter().flat_map(Ranking::notes));
        notes.extend(self.posterior_notes());
        notes.extend(self.rankings.iter().filter_map(warning_note));
        notes
    }

    /// Says where the posterior probabilities come from: a note for each origin.
    fn posterior_notes(&self) -> Vec<Note> {
        let mut origins: IndexMap<&str, Vec<&str>> = IndexMap::new();
        for (method, origin) in self.posteriors {
            origins.entry(describe_posteriors(*origin)).or_default().push(method);
        }
        let note = |(origin, methods): (&str, Vec<&str>)| {
            Note::new(format!("posterior probabilities of {}: {origin}", methods.join(", ")))
        };
        origins.into_iter().map(note).collect()
    }

    /// Returns the origin of the posterior probabilities of each method that reads any, for
    /// programs.
    fn posteriors_json(&self) -> Value {
        let origin =
            |(method, origin): &(String, Posteriors)| json!({ "method": method, "origin": origin.to_string() });
        self.posteriors.iter().map(origin).collect()
    }

    /// Explains the columns that are shown.
    fn explain_columns(&self) -> String {
        let any = |condition: fn(&RankedMethod) -> bool| {
            self.rankings.iter().flat_map(|ranking| &ranking.methods).any(condition)
        };
        let level = percent(self.experiment.level);
        let width = self.rankings.iter().any(|ranking| ranking.shown(self.experiment.measure).contains(&"width"));
        let parts = [
            (true, format!("rank: mean over the data sets of the rank by {}", self.measure())),
            (
                true,
                "MAE, RAE: mean absolute and mean relative absolute error of prevalences in [0, 1], means over the \
                 data sets"
                    .to_owned(),
            ),
            (
                any(|row| row.errors.coverage.is_some()),
                format!("coverage: share of the {level} % intervals that contain the truth"),
            ),
            (width, "width: mean width of the intervals".to_owned()),
            (any(RankedMethod::is_widened), "widened: the coverage of intervals that allow for misfit".to_owned()),
            (
                any(|row| row.errors.failed > 0),
                format!(
                    "failed: samples without an estimate (the column error of {SAMPLES} says why); means leave these \
                     samples out, the method ranks last on that data set, and tests leave the data set out"
                ),
            ),
        ];
        parts.into_iter().filter_map(|(is_shown, part)| is_shown.then_some(part)).collect::<Vec<_>>().join("; ")
    }

    /// Writes tables and figures into a folder, and returns the names of their files.
    pub fn write(&self, folder: &Path) -> Result<Vec<String>, CliError> {
        let results = self.results();
        for (name, format) in [(PAPER, ResultFormat::Latex), (SUMMARY, ResultFormat::Json)] {
            whole_file::write_with(&folder.join(name), |out| results.write(&AllThreads, format, out))?;
        }
        let protocols = self.experiment.protocols.iter().zip(self.rankings.iter().zip(&self.facets));
        let mut figures = Vec::new();
        for (protocol, (ranking, facets)) in protocols {
            if let Some(difference) = ranking.critical_difference {
                figures.push((rank_figure(protocol), rank_chart(ranking, difference)));
            }
            if let Some(facet) = facets.first().filter(|facet| facet.is_shift) {
                figures.push((shift_figure(protocol), shift_chart(facet, &self.measure())));
            }
        }
        for (name, svg) in &figures {
            whole_file::write(&folder.join(name), svg.as_bytes())?;
        }
        let figures = figures.into_iter().map(|(name, _)| name);
        Ok([PAPER, SUMMARY].into_iter().map(str::to_owned).chain(figures).collect())
    }
}

/// Returns the numbers of samples with warnings, by method; `None` without warnings.
fn warning_note(ranking: &Ranking) -> Option<Note> {
    let warned = ranking.methods.iter().filter(|row| row.errors.warned > 0);
    let counts: Vec<String> = warned
        .map(|RankedMethod { method, errors, .. }| format!("{method} {} of {}", errors.warned, errors.samples))
        .collect();
    let note = || Note::new(format!("{}: samples with warnings: {}", ranking.protocol, counts.join(", ")));
    (!counts.is_empty()).then(note)
}

/// Draws the critical difference diagram of a ranking as SVG.
fn rank_chart(ranking: &Ranking, difference: f64) -> String {
    let methods: Vec<(&str, f64)> = ranking.methods.iter().map(|row| (row.method.as_str(), row.rank)).collect();
    critical_difference(&methods, ranking.data_sets, difference)
}

/// Draws the methods' errors by shift as SVG, in the order of the ranking.
fn shift_chart(facet: &Facet, measure: &str) -> String {
    let points = |means: &[Option<f64>]| {
        facet.positions.iter().zip(means).filter_map(|(x, mean)| mean.map(|mean| (*x, mean))).collect()
    };
    let methods: Vec<(&str, Vec<(f64, f64)>)> =
        facet.rows.iter().map(|row| (row.method.as_str(), points(&row.means))).collect();
    errors_by_shift(&methods, facet.by, measure)
}
