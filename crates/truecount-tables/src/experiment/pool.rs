//! The score files of one classifier and data set, and the pools that a protocol draws from. The files have two classes
//! or several.

use crate::groups::ScoreColumns;
use crate::input::{self, MissingPolicy};
use crate::{LabelledFile, LabelledTable, Progress};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use truecount::evaluation::{ClassSampler, SamplingProtocol, TestSample, TestSampler};
use truecount::multiclass::{LabelledProbabilities, MulticlassMethod, MulticlassModel};
use truecount::scores::PerClass;
use truecount::{Error, LabelledScores, Settings};
use truecount_analysis::evaluation::{ClassPool, overlap_warning};
use truecount_analysis::experiment::{Domain, Protocol, ScoreFiles, ShiftProtocol, TrainingSpec, experiment_error};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::{AnalysisProblem, LABEL, POSITIVE, SCORE, TableProblem};

/// The labelled rows, and the pools of each protocol.
pub struct ExperimentFiles {
    pub train: LabelledRows,
    /// The pools of each protocol: one, the two domains of a shift, or one for each cut of a grade. Protocols that are
    /// not for this data set have none.
    pub pools: Vec<Vec<LabelledRows>>,
}

/// Rows with labels.
#[derive(Clone)]
pub enum LabelledRows {
    /// Rows of a file, with two classes.
    Binary(LabelledScores),
    /// A sample of them.
    BinarySample(TestSample),
    /// Rows of a file or a sample, with several classes; the labelled file's also in its order, which breaks ties.
    Multiclass(ClassPool, Option<LabelledProbabilities>),
}

/// Draws the sample with this number.
pub type Sampler<'a> = Box<dyn Fn(u64) -> LabelledRows + Sync + 'a>;

impl ExperimentFiles {
    /// Reads both files, the pool once for each column that a protocol needs of it.
    pub fn read(
        files: &ScoreFiles,
        protocols: &[Protocol],
        settings: &Settings,
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
        let check_other = |is_train: bool| {
            let (train, pool) = (input::name(&files.train), input::name(&files.pool));
            let problem = format!("the errors would be too small, as {train} and {pool} have the same scores");
            let hint = "divide the labelled scores at random into two files, one for each";
            if is_train { Err(experiment_error(problem, hint)) } else { Ok(()) }
        };
        if !files.class_scores.is_empty() {
            let in_design = |error: Error| match error.problem::<AnalysisProblem>() {
                Some(problem) => {
                    let problem = problem.to_string().replace("class_scores", "class-scores");
                    let problem = format!("[[scores]] of {}: {}", files.data, problem.split(';').next().unwrap_or(""));
                    experiment_error(
                        problem,
                        "write a list with a column for each label, as in [\"good=p1\", \"wrong=p2\"]",
                    )
                }
                None => error,
            };
            let labelled = file(&files.train).read_classes((&files.class_scores, None), progress);
            let (columns, labelled) = labelled.map_err(in_design)?;
            // These methods fit quickly; `cc` takes only verdicts that are classes.
            let fit = |method| MulticlassModel::fit(&labelled, method);
            let model = fit(MulticlassMethod::Cc).or_else(|_| fit(MulticlassMethod::Ac))?;
            let pool = file(&files.pool).read_class_pool(&columns, &model, &EstimateRequest::default(), progress)?;
            check_other(labelled.has_rows(&pool.rows, &pool.counts))?;
            let (rows, counts) = labelled.sorted_by_class();
            let train = ClassPool { names: pool.names.clone(), rows, counts };
            let train = LabelledRows::Multiclass(train, Some(labelled));
            return Ok(Self { train, pools: vec![vec![LabelledRows::Multiclass(pool, None)]; protocols.len()] });
        }
        let train = file(&files.train).read(progress)?;
        let read = |column| {
            let table = file(&files.pool).table(column, progress)?;
            check_other(table.scores(None)? == train)?;
            Ok::<_, Error>(table)
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
            let scores = match &protocol.shift {
                ShiftProtocol::Prior(_) | ShiftProtocol::Fixed(_) => vec![table.scores(None)?],
                ShiftProtocol::Covariate { domain, .. } | ShiftProtocol::Local { domain, .. } => {
                    domains(table, domain, &files.pool)?
                }
                ShiftProtocol::Concept { grade, cuts } => {
                    cuts.iter().map(|cut| relabelled(table, grade, *cut, &files.pool)).collect::<Result<_, _>>()?
                }
            };
            pools.push(scores.into_iter().map(LabelledRows::Binary).collect());
        }
        Ok(Self { train: LabelledRows::Binary(train), pools })
    }

    /// Returns the names of the classes if there are several.
    pub fn classes(&self) -> &[String] {
        match &self.train {
            LabelledRows::Multiclass(ClassPool { names, counts, .. }, _) => &names[..counts.len()],
            _ => &[],
        }
    }
}

/// Returns the sampler of every setting of a protocol, with the value that identifies the setting; `None` if it is the
/// only one.
pub fn samplers<'a>(
    pools: &'a [LabelledRows],
    shift: &ShiftProtocol,
    size: usize,
    seed: u64,
) -> Result<Vec<(Option<f64>, Sampler<'a>)>, Error> {
    let domains = || [pools[0].scores(), pools[1].scores()];
    let samplers: Vec<(Option<f64>, Result<TestSampler, Error>)> = match shift {
        ShiftProtocol::Prior(protocol) => return Ok(vec![(None, pools[0].sampler(*protocol, size, seed)?)]),
        ShiftProtocol::Fixed(prevalences) => {
            at_each(prevalences, |prevalence| TestSampler::with_prevalence(pools[0].scores(), prevalence, size, seed))
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
            let sampler =
                |pool: &'a LabelledRows| TestSampler::new(pool.scores(), SamplingProtocol::Natural, size, seed);
            cuts.iter().copied().map(Some).zip(pools.iter().map(sampler)).collect()
        }
    };
    samplers.into_iter().map(|(value, sampler)| Ok((value, binary_sampler(sampler?)))).collect()
}

fn binary_sampler(sampler: TestSampler) -> Sampler {
    Box::new(move |number| LabelledRows::BinarySample(sampler.sample(number)))
}

impl LabelledRows {
    /// Returns the scores of a file with two classes.
    fn scores(&self) -> &LabelledScores {
        let Self::Binary(scores) = self else { unreachable!("rows of a file, and a design for two classes") };
        scores
    }

    /// Returns the number of rows of each class; positives are first.
    pub fn counts(&self) -> Vec<usize> {
        match self {
            Self::Binary(scores) => vec![scores.positive().len(), scores.negative().len()],
            Self::BinarySample(sample) => vec![sample.positives(), sample.scores().len() - sample.positives()],
            Self::Multiclass(pool, _) => pool.counts.clone(),
        }
    }

    /// Returns a sampler with shares by a protocol.
    pub fn sampler(&self, protocol: SamplingProtocol, size: usize, seed: u64) -> Result<Sampler<'_>, Error> {
        let Self::Multiclass(pool, _) = self else {
            return TestSampler::new(self.scores(), protocol, size, seed).map(binary_sampler);
        };
        let sampler = ClassSampler::new(pool.counts.clone(), protocol, size, seed);
        let sampler = sampler.map_err(|error| match error.location().set {
            Some(class) => {
                let (name, n) = (&pool.names[class], pool.counts[class]);
                let hint = if n == 0 { "use natural prevalences" } else { "draw smaller samples" };
                experiment_error(format!("there are {n} rows of class '{name}', but a sample may need {size}"), hint)
            }
            None => error,
        })?;
        Ok(Box::new(move |number| Self::Multiclass(pool.sample(&sampler, number), None)))
    }

    /// Returns a sampler of labelled samples.
    pub fn labelled_sampler(&self, training: &TrainingSpec, seed: u64) -> Result<Sampler<'_>, Error> {
        let size = training.size as usize;
        match training.prevalence {
            Some(prevalence) => TestSampler::with_prevalence(self.scores(), prevalence, size, seed).map(binary_sampler),
            None => self.sampler(SamplingProtocol::Natural, size, seed),
        }
    }

    /// Returns a warning if samples by a protocol contain most of the rows.
    pub fn overlap_warning(&self, protocol: SamplingProtocol, size: usize) -> Option<String> {
        match self {
            Self::Multiclass(pool, _) => pool.overlap_warning(protocol, size),
            _ => overlap_warning(self.counts().try_into().expect("two classes"), protocol, size),
        }
    }

    /// Adds the rows to a hash, those of the first class first.
    pub fn hash(&self, hash: &mut Sha256) {
        if let Self::Multiclass(pool, labelled) = self {
            // Every digit of a number is in its text.
            return hash.update(format!("{pool:?}{labelled:?}"));
        }
        let columns = [Some(self.scores().scores()), self.scores().probabilities()];
        for column in columns.into_iter().flatten().flat_map(|values| [&values.positive, &values.negative]) {
            hash.update((column.len() as u64).to_le_bytes());
            for value in column {
                hash.update(value.to_le_bytes());
            }
        }
    }
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
