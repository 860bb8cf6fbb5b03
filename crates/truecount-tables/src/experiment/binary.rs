//! Data sets with two classes: the score files of one classifier and data set.

use super::ExternalMethod;
use super::cells::Predict;
use super::data::{DataSet, FittedMethods, MethodResult, Sampler, Samplers, same_rows};
use crate::groups::ScoreColumns;
use crate::input::{self, MissingPolicy};
use crate::{LabelledFile, LabelledTable, Progress};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use truecount::evaluation::{SamplingProtocol, TestSample, TestSampler};
use truecount::scores::PerClass;
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Model};
use truecount_analysis::evaluation::{PlainAndWidened, overlap_warning};
use truecount_analysis::experiment::{
    Domain, ExperimentDesign, Protocol, SampleEstimate, ScoreFiles, ShiftProtocol, TrainingSpec, experiment_error,
};
use truecount_analysis::{LABEL, POSITIVE, SCORE, TableProblem};

/// The labelled scores, and the pools of each protocol.
pub struct BinaryData {
    train: LabelledScores,
    /// The pools of each protocol: one, the two domains of a shift, or one for each cut of a grade. Protocols that are
    /// not for this data set have none.
    pools: Vec<Vec<LabelledScores>>,
}

impl DataSet for BinaryData {
    type Sample = TestSample;

    /// Reads both files, the pool once for each column that a protocol needs of it.
    fn read(
        files: &ScoreFiles,
        ExperimentDesign { settings, protocols, .. }: &ExperimentDesign,
        missing: MissingPolicy,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let unit_interval = settings.unit_interval(files.probability.is_some());
        let (score, probability) = (Some(files.score.as_deref().unwrap_or(SCORE)), files.probability.as_deref());
        let columns = ScoreColumns { score, probability, missing: Some(missing), ..ScoreColumns::default() };
        let label = (files.label.as_deref().unwrap_or(LABEL), files.positive.as_deref().unwrap_or(POSITIVE));
        let file = |path| {
            let file = LabelledFile::new(path, columns, label);
            LabelledFile { unit_interval, ..file }
        };
        let train = file(files.train.as_path()).read(progress)?;
        let read = |column| {
            let table = file(files.pool.as_path()).table(column, progress)?;
            if table.scores(None)? == train {
                return Err(same_rows(files));
            }
            Ok(table)
        };
        let mut tables: HashMap<Option<&str>, LabelledTable> = HashMap::new();
        let mut pools = Vec::new();
        for protocol in protocols {
            if !protocol.is_for(&files.data) {
                pools.push(Vec::new());
                continue;
            }
            let table = match tables.entry(protocol.column()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(read(protocol.column())?),
            };
            pools.push(read_pools(table, protocol, &files.pool)?);
        }
        Ok(Self { train, pools })
    }

    fn classes(&self) -> &[String] {
        &[]
    }

    fn counts(&self, sample: Option<&TestSample>) -> Vec<usize> {
        sample.map_or_else(
            || [self.train.positive(), self.train.negative()].map(<[f64]>::len).into(),
            |sample| vec![sample.positives(), sample.scores().len() - sample.positives()],
        )
    }

    fn samplers(
        &self,
        (protocol, shift): (usize, &ShiftProtocol),
        size: usize,
        seed: u64,
    ) -> Result<Samplers<'_, TestSample>, Error> {
        let pools = &self.pools[protocol];
        let domains = || [&pools[0], &pools[1]];
        let samplers: Vec<(Option<f64>, Result<TestSampler, Error>)> = match shift {
            ShiftProtocol::Prior(protocol) => vec![(None, TestSampler::new(&pools[0], *protocol, size, seed))],
            ShiftProtocol::Fixed(prevalences) => {
                at_each(prevalences, |prevalence| TestSampler::with_prevalence(&pools[0], prevalence, size, seed))
            }
            ShiftProtocol::Covariate { shares, prevalences, .. } => {
                let prevalences: Vec<Option<f64>> =
                    prevalences.as_ref().map_or(vec![None], |list| list.iter().copied().map(Some).collect());
                let with_share = |&share: &f64| {
                    let sampler = |&prevalence: &Option<f64>| {
                        let sampler = TestSampler::global_covariate_shift(domains(), share, prevalence, size, seed);
                        (Some(share), sampler)
                    };
                    prevalences.iter().map(sampler).collect::<Vec<_>>()
                };
                shares.iter().flat_map(with_share).collect()
            }
            ShiftProtocol::Local { prevalences, .. } => {
                at_each(prevalences, |prevalence| TestSampler::local_covariate_shift(domains(), prevalence, size, seed))
            }
            ShiftProtocol::Concept { cuts, .. } => {
                let sampler = |pool| TestSampler::new(pool, SamplingProtocol::Natural, size, seed);
                cuts.iter().copied().map(Some).zip(pools.iter().map(sampler)).collect()
            }
        };
        samplers.into_iter().map(|(value, sampler)| Ok((value, boxed(sampler?)))).collect()
    }

    fn labelled_sampler(
        &self,
        TrainingSpec { size, prevalence, .. }: &TrainingSpec,
        seed: u64,
    ) -> Result<Sampler<'_, TestSample>, Error> {
        let (train, size) = (&self.train, *size as usize);
        Ok(boxed(match prevalence {
            Some(prevalence) => TestSampler::with_prevalence(train, *prevalence, size, seed)?,
            None => TestSampler::new(train, SamplingProtocol::Natural, size, seed)?,
        }))
    }

    fn overlap_warning(&self, (index, protocol): (usize, SamplingProtocol), size: usize) -> Option<String> {
        let pool = &self.pools[index][0];
        overlap_warning([pool.positive().len(), pool.negative().len()], protocol, size)
    }

    fn fit<'a>(
        &'a self,
        sample: Option<&TestSample>,
        (experiment, others): (&'a ExperimentDesign, &'a [ExternalMethod]),
        options: IntervalOptions,
    ) -> FittedMethods<'a, TestSample> {
        let train = sample.map_or_else(|| Ok(self.train.clone()), TestSample::labelled);
        let fit_other = |other: &ExternalMethod| match &train {
            Ok(train) => (other.fit)(train),
            Err(error) => Err(error.to_string()),
        };
        let others: Vec<Result<Predict, String>> = others.iter().map(fit_other).collect();
        let settings = &experiment.settings;
        let fitted = train.and_then(|train| Model::fit(&train, &settings.clone().available_only()));
        let origin = fitted.as_ref().ok().and_then(Model::posteriors);
        let own = settings.methods.iter().map(|method| origin.filter(|_| method.reads_posteriors()));
        let posteriors = own.chain(others.iter().map(|_| None)).collect();
        let estimate = move |sample: &TestSample| {
            let estimated = fitted
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|model| Ok((model, PlainAndWidened::new(model, sample.batch(), &options)?)));
            let misfit = estimated.as_ref().ok().and_then(|(_, estimates)| estimates.misfit());
            let own = settings.methods.iter().map(|method| match &estimated {
                Ok((model, estimates)) => sample_estimate(model, estimates, *method),
                Err(error) => Err(error.condition().to_string()),
            });
            let predict = |other: &Result<Predict, String>| other.as_ref().map_err(Clone::clone)?(sample.scores());
            let others = others.iter().map(|other| predict(other).map(SampleEstimate::without_error));
            own.chain(others)
                .map(|estimate| MethodResult { misfit, estimates: estimate.map(|estimate| vec![estimate]) })
                .collect()
        };
        FittedMethods { posteriors, estimate: Box::new(estimate) }
    }

    /// Adds scores and probabilities to a hash, positives first.
    fn hash(&self, protocol: usize, hash: &mut Sha256) {
        for scores in [&self.train].into_iter().chain(&self.pools[protocol]) {
            let columns = [Some(scores.scores()), scores.probabilities()];
            for column in columns.into_iter().flatten().flat_map(|values| [&values.positive, &values.negative]) {
                hash.update((column.len() as u64).to_le_bytes());
                column.iter().for_each(|value| hash.update(value.to_le_bytes()));
            }
        }
    }
}

/// Returns the estimate by a method, or the reason why it is missing.
fn sample_estimate(model: &Model, estimates: &PlainAndWidened, method: Method) -> Result<SampleEstimate, String> {
    let interval = |estimate: &Estimate| estimate.interval.map(|u| [u.lower, u.upper]);
    let estimate = estimates.pairs().find(|(plain, _)| plain.method == method).map(|(plain, widened)| SampleEstimate {
        prevalence: plain.prevalence,
        raw: plain.raw,
        std_error: plain.std_error,
        interval: interval(plain),
        widened: interval(widened),
        warnings: plain.warnings.len() as u64,
    });
    estimate.ok_or_else(|| {
        let omitted = model.omitted().iter().find(|omitted| omitted.method == method);
        omitted.map_or_else(String::new, |omitted| omitted.error.to_string())
    })
}

fn boxed(sampler: TestSampler) -> Sampler<TestSample> {
    Box::new(move |number| sampler.sample(number))
}

/// Returns the pools of a protocol.
fn read_pools(table: &LabelledTable, protocol: &Protocol, path: &Path) -> Result<Vec<LabelledScores>, Error> {
    Ok(match &protocol.shift {
        ShiftProtocol::Prior(_) | ShiftProtocol::Fixed(_) => vec![table.scores(None)?],
        ShiftProtocol::Covariate { domain, .. } | ShiftProtocol::Local { domain, .. } => domains(table, domain, path)?,
        ShiftProtocol::Concept { grade, cuts } => {
            cuts.iter().map(|cut| relabelled(table, grade, *cut, path)).collect::<Result<_, _>>()?
        }
    })
}

/// Returns each value with its sampler.
fn at_each<T>(values: &[f64], sampler: impl Fn(f64) -> T) -> Vec<(Option<f64>, T)> {
    values.iter().map(|value| (Some(*value), sampler(*value))).collect()
}

/// Returns the scores of a domain, and those of all other domains.
fn domains(table: &LabelledTable, domain: &Domain, path: &Path) -> Result<Vec<LabelledScores>, Error> {
    let Domain { column, is } = domain;
    let values = table.strata();
    let first = is.as_ref().or(values.first()).and_then(|is| values.iter().position(|value| value == is));
    let file = input::name(path);
    let Some(first) = first else {
        let is = is.as_deref().unwrap_or_default();
        let known = values.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        return Err(experiment_error(
            format!("{file}, column {column}: no row is '{is}'"),
            format!("the values are {known}"),
        ));
    };
    let others: Vec<usize> = (0..values.len()).filter(|other| *other != first).collect();
    if others.is_empty() {
        let value = &values[first];
        return Err(experiment_error(
            format!("{file}, column {column}: all rows are '{value}'"),
            "a shift between domains needs at least two",
        ));
    }
    [&[first][..], &others].into_iter().map(|strata| table.scores(Some(strata))).collect()
}

/// Returns the scores of a pool with new labels: a row is positive if its grade is at least the cut.
fn relabelled(table: &LabelledTable, grade: &str, cut: f64, path: &Path) -> Result<LabelledScores, Error> {
    let file = input::name(path);
    let number = |text: &String| {
        text.parse::<f64>().ok().filter(|grade| grade.is_finite()).ok_or_else(|| {
            experiment_error(format!("{file}, column {grade}: '{text}' is not a number"), "write grades as numbers")
        })
    };
    let grades = table.strata().iter().map(number).collect::<Result<Vec<f64>, _>>()?;
    let scores = table.scores(None)?;
    let strata = table.row_strata();
    let rows = strata.positive.iter().chain(&strata.negative);
    let positive: Vec<bool> = rows.map(|stratum| grades[*stratum as usize] >= cut).collect();
    let both = |values: &PerClass<Vec<f64>>| [values.positive.as_slice(), &values.negative].concat();
    let all = both(scores.scores());
    let relabelled = match scores.probabilities() {
        Some(probabilities) => LabelledScores::builder(&all, &positive).probabilities(&both(probabilities)).build(),
        None => LabelledScores::new(&all, &positive),
    };
    relabelled.map_err(TableProblem::unreadable(format!("{file}, {grade} ≥ {cut}")))
}
