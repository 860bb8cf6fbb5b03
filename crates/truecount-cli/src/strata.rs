//! A model for each stratum: estimates of each group in each stratum, added up by the strata's shares of the group.

use crate::failure::Failure;
use crate::models::learn;
use crate::options::{Few, Summed, Train};
use crate::progress::Bars;
use crate::whole::{Asked, Stratum, Whole, compare, methods};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::HashMap;
use truecount::inference::FEW_LABELLED;
use truecount::{Estimates, Method, Model, PerClass, Reporting, Settings, Together};
use truecount_io::groups::{Groups, ScoreColumns, TestFiles};
use truecount_io::results::visible;
use truecount_io::{LabelledTable, input};

/// Where strata are, and what to do with those of few labels.
pub struct Asking<'a> {
    pub train: &'a Train,
    pub settings: &'a Settings,
    pub columns: ScoreColumns<'a>,
    pub stratum: &'a str,
    pub few: Few,
}

/// A group in a stratum: their numbers.
struct Cell {
    group: usize,
    block: usize,
}

impl Asking<'_> {
    /// Reads, fits and estimates.
    pub fn estimate(&self, source: &TestFiles, asked: &Asked, reporting: &Reporting) -> Result<Whole, Failure> {
        if asked.summed.population.is_some() {
            return Err(Failure::Usage("--population and --stratum do not go together: leave out one of them".to_owned()));
        }
        let Self { train, settings, columns, stratum, few } = *self;
        let Some(path) = &train.labelled.path else {
            return Err(Failure::Usage("--stratum fits a model for each stratum: give labelled scores with --train".to_owned()));
        };
        let unit_interval = settings.unit_interval(columns.probability.is_some());
        let labelled = train.labelled.file(path, columns, unit_interval).table(Some(stratum), &Bars)?;
        // The strata come last, or where they are one of the grouping columns.
        let by = asked.columns(source.by);
        let place = by.iter().position(|column| column == stratum);
        let read: Vec<String> = by.iter().cloned().chain(place.is_none().then(|| stratum.to_owned())).collect();
        let kept = Groups::scores(&TestFiles { by: &read, ..*source }, unit_interval)?;
        let texts = kept.keys.texts();
        let place = place.unwrap_or(read.len() - 1);
        let of_cells: Vec<String> = (0..kept.contents.len()).filter_map(|cell| texts.of(cell).nth(place)).collect();
        let blocks = blocks(&labelled, &of_cells, few, stratum, &input::name(path))?;
        drop(texts);
        let mut strata = Vec::new();
        for members in &blocks.members {
            let name = members.iter().map(|stratum| labelled.strata()[*stratum].as_str()).collect::<Vec<_>>().join(" + ");
            let within = |failure: Failure| failure.inside(&format!("{stratum} {}", visible(&name)));
            let scores = labelled.scores(Some(members)).map_err(|error| within(error.into()))?;
            strata.push(Stratum { model: learn(&scores, settings, path).map_err(within)?, name });
        }
        let among = reporting.among(kept.contents.len());
        let estimate = |(cell, rows): (usize, &input::Numbers<Vec<f64>>)| {
            let model = &strata[blocks.of_stratum[&of_cells[cell]]].model;
            Ok(model.estimate(rows.batch()?, &among)?)
        };
        let cells = kept.contents.par_iter().enumerate().map(estimate).collect::<Result<Vec<Estimates>, Failure>>()?;
        let (groups, numbers) = kept.keys.merged(by.len());
        let (keys, of_columns) = asked.sizes_of(groups, source.by.len())?;
        let places: Vec<Cell> = numbers
            .iter()
            .zip(&of_cells)
            .map(|(group, stratum)| Cell { group: *group as usize, block: blocks.of_stratum[stratum] })
            .collect();
        let number = keys.batch().num_rows();
        let models: Vec<&Model> = strata.iter().map(|stratum| &stratum.model).collect();
        let together: Vec<(Method, Together)> = methods(models[0])
            .map(|method| Ok((method, Together::of_strata(&models, method)?)))
            .collect::<Result<_, Failure>>()?;
        let contents = (0..number).map(|_| Vec::with_capacity(together.len())).collect::<Vec<_>>();
        let (mut contents, mut whole) = (contents, Vec::new());
        for (method, together) in &together {
            let mut totals = vec![together.total(); number];
            let mut warnings = vec![Vec::new(); number];
            let mut all = together.total();
            for (Cell { group, block }, estimates) in places.iter().zip(&cells) {
                let estimate = estimates.of(*method).expect("an estimate by every method");
                totals[*group].add_of(*block, estimate, estimate.total_weight(), reporting)?;
                all.add_of(*block, estimate, estimate.total_weight(), reporting)?;
                for warning in &estimate.warnings {
                    if !warnings[*group].contains(warning) {
                        warnings[*group].push(*warning);
                    }
                }
            }
            for ((total, more), estimates) in totals.iter().zip(warnings).zip(&mut contents) {
                let mut estimate = total.of_sampled_shares(reporting)?;
                estimate.warnings.extend(more);
                estimates.push(estimate);
            }
            whole.push(all.of_sampled_shares(reporting)?);
        }
        let contents = contents.into_iter().map(Estimates::from_iter).collect();
        let groups = Groups { keys, contents, together: None };
        let weights = asked.weights(&groups.keys, &of_columns)?;
        let Summed { total, .. } = asked.summed;
        let total = match &weights {
            Some(weights) => Some(added_up(&groups, &together, weights, reporting)?),
            None => total.then(|| whole.into_iter().collect()),
        };
        let differences = asked.against.map(|reference| {
            compare(reference, &groups, weights.as_deref(), &together, None, reporting)
        });
        Ok(Whole { groups, total, differences: differences.transpose()?, strata })
    }
}
