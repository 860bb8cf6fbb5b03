//! The results of an experiment: tables for people, programs and papers.

use super::design::ExperimentDesign;
use super::errors::ExperimentSummary;
use super::protocol::Protocol;
use super::ranking::{RankedMethod, Ranking};
use super::results::{Facet, SettingErrorRow, facets, setting_rows};
use super::rows::SampleRow;
use crate::notes::describe_posteriors;
use crate::results::{Note, ResultTable, Results, TableDescription, describe_table, percent};
use indexmap::IndexMap;
use serde_json::{Value, json};
use truecount::evaluation::Measure;
use truecount::model::Posteriors;

/// File with all samples, in the folder of the experiment.
pub const SAMPLES: &str = "samples.parquet";
/// File with the tables for a paper.
pub const PAPER: &str = "tables.tex";
/// File with the results for programs.
pub const SUMMARY: &str = "summary.json";

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<RankedMethod>(), describe_table::<SettingErrorRow>(), describe_table::<SampleRow>()]
}

/// The tables of an experiment.
pub struct ExperimentTables<'a> {
    experiment: &'a ExperimentDesign,
    /// The ranking of each protocol.
    pub rankings: Vec<Ranking>,
    /// For every protocol, the breakdowns of its samples.
    facets: Vec<Vec<Facet>>,
    parts: Vec<SettingErrorRow>,
    /// The origins of the posterior probabilities of each method that reads any.
    posteriors: &'a [(String, Posteriors)],
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
    /// Computes the tables.
    pub fn new(experiment: &'a ExperimentDesign, summary: &'a ExperimentSummary) -> Self {
        let measure = experiment.measure;
        let rankings = Ranking::all(summary, measure, &experiment.reference);
        let facets = rankings.iter().map(|ranking| facets(summary, ranking, measure)).collect();
        Self { experiment, rankings, facets, parts: setting_rows(summary), posteriors: &summary.posteriors }
    }

    /// Returns the names of the files that an experiment may write.
    pub fn files(experiment: &ExperimentDesign) -> Vec<String> {
        let figures =
            experiment.protocols.iter().flat_map(|protocol| [protocol.rank_figure(), protocol.shift_figure()]);
        let names = [PAPER, SUMMARY].into_iter().map(str::to_owned).chain(figures);
        names.chain([SAMPLES.to_owned()]).collect()
    }

    /// Returns the abbreviation of the measure.
    pub fn measure(&self) -> String {
        match self.experiment.measure {
            Measure::AbsoluteError => "MAE".to_owned(),
            Measure::RelativeAbsoluteError => "RAE".to_owned(),
            other => other.to_string(),
        }
    }

    /// Returns the errors of each part of the experiment.
    pub fn parts(&self) -> &[SettingErrorRow] {
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
        if !self.experiment.class_methods.is_empty() {
            notes.push(Note::new(
                "several classes: errors, coverage and width are means over the classes, and intervals allow for \
                 misfit; shift is half the sum of the absolute differences between the shares of a sample and those \
                 of the labelled rows",
            ));
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

    /// Returns the origin of the posterior probabilities of each method that reads any, for programs.
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
                any(|row| row.errors.intervals()[0][0].is_some()),
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

    /// Returns each protocol with its ranking and the breakdowns of its samples.
    pub fn protocols(&self) -> impl Iterator<Item = (&Protocol, &Ranking, &[Facet])> {
        let rankings = self.rankings.iter().zip(&self.facets);
        self.experiment
            .protocols
            .iter()
            .zip(rankings)
            .map(|(protocol, (ranking, facets))| (protocol, ranking, &facets[..]))
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
