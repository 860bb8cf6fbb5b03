//! Evaluation of models on samples of known prevalence that are drawn from a labelled pool.

use super::request::EvaluateRequest;
use super::samples::{
    CheckSummary, MethodEstimates, PlainAndWidened, SampleEstimates, SampleTruth, SamplingDesign, summarise_checks,
};
use crate::AnalysisProblem;
use crate::executor::Executor;
use crate::sets::TestSet;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::error::Condition;
use truecount::evaluation::{Measure, Outcome, SamplingProtocol, TestSample, TestSampler};
use truecount::scores::PerClass;
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Model, Warning};

/// A labelled pool. Each model may read other columns of it.
pub struct LabelledPool<'a> {
    /// Whether each row is positive.
    pub positive: &'a [bool],
    /// The columns that each model reads.
    pub sets: Vec<TestSet<'a>>,
}

/// The estimates of all samples.
pub struct PoolResult {
    /// The estimates by every method of every model, in order.
    pub evaluated: SampleEstimates,
    /// The estimates of each sample by the same methods, with their warnings except those about misfit.
    pub estimates: Vec<Vec<Estimate>>,
}

impl PoolResult {
    /// Returns the warnings [by method and kind](warnings_by_kind).
    pub fn warnings(&self) -> Vec<(usize, &Warning, String)> {
        warnings_by_kind(&self.estimates, |estimate| &estimate.warnings)
    }
}

/// Returns one entry per method and kind of warning: the index of the method, its first warning, and words that
/// precede this: they name the first sample and count the others, unless all samples have the same warning.
/// A second warning of an estimate with the same code, such as that of another class, is a kind of its own.
/// `estimates` has the estimates of each sample by the same methods.
pub fn warnings_by_kind<E, W: Condition + PartialEq>(
    estimates: &[Vec<E>],
    warnings: impl Fn(&E) -> &[W],
) -> Vec<(usize, &W, String)> {
    let samples = estimates.len();
    let mut kinds: BTreeMap<_, Vec<(usize, &W)>> = BTreeMap::new();
    for (sample, estimates) in estimates.iter().enumerate() {
        for (method, estimate) in estimates.iter().enumerate() {
            let warnings = warnings(estimate);
            for (index, warning) in warnings.iter().enumerate() {
                let before = warnings[..index].iter().filter(|other| other.code() == warning.code()).count();
                kinds.entry((method, warning.code(), before)).or_default().push((sample, warning));
            }
        }
    }
    let entry = |((method, ..), samples_warned): ((usize, _, _), Vec<(usize, _)>)| {
        let (first, warning) = (samples_warned[0].0 + 1, samples_warned[0].1);
        let place = match samples_warned.len() {
            n if n == samples && samples_warned.iter().all(|(_, other)| *other == warning) => String::new(),
            1 => format!("in sample {first} of {samples}, "),
            2 => format!("in sample {first} and 1 other of {samples}, "),
            n => format!("in sample {first} and {} others of {samples}, ", n - 1),
        };
        (method, warning, place)
    };
    kinds.into_iter().map(entry).collect()
}

/// An evaluation of every model on the same samples. A sample depends only on the seed and its number.
pub struct PoolEvaluation<'a> {
    /// The models with their names, which distinguish the methods of several models.
    models: &'a [(&'a str, &'a Model)],
    pool: &'a LabelledPool<'a>,
    request: &'a EvaluateRequest,
    protocol: SamplingProtocol,
    number: u32,
    interval_options: IntervalOptions,
    /// The pool with row numbers as scores.
    rows: LabelledScores,
}

impl<'a> PoolEvaluation<'a> {
    /// Creates an evaluation, and checks that samples can be drawn and that each model can estimate the pool.
    ///
    /// # Errors
    /// Returns the errors of [`EvaluateRequest::sampling`]; with the number of the model,
    /// [`AnalysisProblem::PoolIsTrainingData`] if it was fitted to the pool, and its error on the pool;
    /// and an error if the pool is too small for the samples.
    pub fn new(
        models: &'a [(&'a str, &'a Model)],
        pool: &'a LabelledPool<'a>,
        request: &'a EvaluateRequest,
    ) -> Result<Self, Error> {
        let (protocol, number, options) = request.sampling()?;
        for (number, ((_, model), set)) in models.iter().zip(&pool.sets).enumerate() {
            // Estimating the whole pool reports the row of an invalid value, even if no sample has it.
            set.batch().and_then(|batch| model.estimate_with(batch, &options)).map_err(|error| error.in_set(number))?;
            if is_fitted_to(model, set.scores, pool.positive) {
                return Err(Error::from(AnalysisProblem::PoolIsTrainingData).in_set(number));
            }
        }
        let rows = pool_of_row_numbers(pool.positive)?;
        let evaluation = Self { models, pool, request, protocol, number, interval_options: options, rows };
        evaluation.sampler()?;
        Ok(evaluation)
    }

    /// Draws the samples and estimates each of them. The first error ends the work.
    ///
    /// # Errors
    /// Returns the first error of a model, and an error if the user interrupts the work.
    pub fn run(&self, executor: &impl Executor) -> Result<PoolResult, Error> {
        let sampler = self.sampler()?;
        let samples = estimate_samples(executor, self.number, |number| self.estimate(&sampler.sample(number)))?;
        let (truths, estimates): (Vec<f64>, Vec<Vec<PlainAndWidened>>) = samples.into_iter().unzip();
        let design = SamplingDesign { protocol: self.protocol, level: self.interval_options.level() };
        Ok(gather(self.models, truths, estimates, design, self.request.size))
    }

    fn sampler(&self) -> Result<TestSampler<'_>, Error> {
        TestSampler::new(&self.rows, self.protocol, self.request.size, self.request.seed)
    }

    /// Returns the prevalence of a sample and the estimates by every model.
    fn estimate(&self, sample: &TestSample) -> Result<(f64, Vec<PlainAndWidened>), Error> {
        let rows: Vec<usize> = sample_rows(sample, self.pool.positive.len()).collect();
        let by_model = |((_, model), set): (&(&str, &Model), &TestSet)| {
            let values = set.map(|column| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>());
            PlainAndWidened::new(model, values.batch()?, &self.interval_options)
        };
        Ok((sample.prevalence(), self.models.iter().zip(&self.pool.sets).map(by_model).collect::<Result<_, _>>()?))
    }
}

/// Estimates the samples with the numbers from 0. The first error ends the work.
pub(super) fn estimate_samples<T: Send>(
    executor: &impl Executor,
    samples: u32,
    estimate: impl Fn(u64) -> Result<T, Error> + Sync + Send,
) -> Result<Vec<T>, Error> {
    let has_failed = AtomicBool::new(false);
    let unless_failed = |number| {
        if has_failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = estimate(number);
        has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    };
    executor.map_range(samples.into(), unless_failed)?.into_iter().flatten().collect()
}

/// Gathers the estimates of all samples by model and method.
fn gather(
    models: &[(&str, &Model)],
    truths: Vec<f64>,
    by_sample: Vec<Vec<PlainAndWidened>>,
    design: SamplingDesign,
    size: usize,
) -> PoolResult {
    let mut by_model: Vec<Vec<PlainAndWidened>> = models.iter().map(|_| Vec::with_capacity(by_sample.len())).collect();
    for sample in by_sample {
        by_model.iter_mut().zip(sample).for_each(|(model, estimates)| model.push(estimates));
    }
    let (mut methods, mut checks) = (Vec::new(), Vec::new());
    for ((name, model), samples) in models.iter().zip(&by_model) {
        // Names of models are needed if there are several.
        let prefix = if models.len() == 1 { String::new() } else { format!("{name}: ") };
        let named = |method: MethodEstimates| MethodEstimates { name: format!("{prefix}{}", method.name), ..method };
        let with_name = |methods: Vec<MethodEstimates>| methods.into_iter().map(named);
        let plain: Vec<_> = samples.iter().map(|estimates| &estimates.plain).collect();
        methods.extend(with_name(MethodEstimates::for_model(model, &plain)));
        checks.push(
            summarise_checks(model, samples)
                .map(|summary| CheckSummary { widened: with_name(summary.widened).collect(), ..summary }),
        );
    }
    let sample = |(number, truth): (usize, f64)| SampleTruth { id: number.to_string(), n: Some(size as u64), truth };
    let evaluated = SampleEstimates {
        class: None,
        samples: truths.into_iter().enumerate().map(sample).collect(),
        methods,
        design: Some(design),
        // The check's result is reported for a single model only.
        checks: if checks.len() == 1 { checks.pop().flatten() } else { None },
    };
    let mut estimates: Vec<Vec<Estimate>> = evaluated.samples.iter().map(|_| Vec::new()).collect();
    for samples in by_model {
        estimates.iter_mut().zip(samples).for_each(|(all, sample)| all.extend(sample.without_misfit()));
    }
    PoolResult { evaluated, estimates }
}

/// Returns whether a model was fitted to these scores, in any order.
fn is_fitted_to(model: &Model, scores: &[f64], positive: &[bool]) -> bool {
    let sorted = |mut scores: Vec<f64>| {
        scores.sort_unstable_by(f64::total_cmp);
        scores
    };
    let is_same = |class: bool, fitted: &Vec<f64>| {
        let in_class = scores.iter().zip(positive).filter(|(_, flag)| **flag == class).map(|(score, _)| *score);
        let in_class: Vec<f64> = in_class.collect();
        in_class.len() == fitted.len() && sorted(in_class) == sorted(fitted.clone())
    };
    let PerClass { positive, negative } = model.labelled().scores();
    is_same(true, positive) && is_same(false, negative)
}

/// Draws the samples with these numbers. Returns their rows, sample after sample and positives
/// first, and the share of positives in each sample.
///
/// # Errors
/// Returns an error if the pool has only one class or is too small for the samples.
pub fn draw_sample_rows(
    positive: &[bool],
    (protocol, size, seed): (SamplingProtocol, usize, u64),
    numbers: Range<u64>,
) -> Result<(Vec<usize>, Vec<f64>), Error> {
    let pool = pool_of_row_numbers(positive)?;
    let sampler = TestSampler::new(&pool, protocol, size, seed)?;
    let (mut rows, mut prevalences) = (Vec::new(), Vec::new());
    for number in numbers {
        let sample = sampler.sample(number);
        rows.extend(sample_rows(&sample, positive.len()));
        prevalences.push(sample.prevalence());
    }
    Ok((rows, prevalences))
}

/// Creates a pool whose scores are row numbers. Row numbers of positives are increased by the
/// number of rows, as scores of positives must be larger.
fn pool_of_row_numbers(positive: &[bool]) -> Result<LabelledScores, Error> {
    let n = positive.len();
    let score = |(row, positive): (usize, &bool)| (row + if *positive { n } else { 0 }) as f64;
    let scores: Vec<f64> = positive.iter().enumerate().map(score).collect();
    LabelledScores::new(&scores, positive)
}

/// Returns the rows of a sample from a pool of n rows.
fn sample_rows(sample: &TestSample, n: usize) -> impl Iterator<Item = usize> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // row numbers
    sample.scores().iter().map(move |score| *score as usize % n)
}

/// Returns the error measure of each estimate; NaN if the measure needs a size that is unknown.
///
/// # Errors
/// Returns an error for a prevalence that is not in [0, 1], with its row.
pub fn measure_errors(
    measure: Measure,
    truths: &[f64],
    estimates: &[f64],
    size: impl Fn(usize) -> Option<u64>,
) -> Result<Vec<f64>, Error> {
    let evaluate = |(row, (truth, estimate)): (usize, (&f64, &f64))| {
        let outcome = Outcome::new(*truth, *estimate, size(row)).map_err(|error| error.at_row(row))?;
        Ok(measure.evaluate(&outcome).unwrap_or(f64::NAN))
    };
    truths.iter().zip(estimates).enumerate().map(evaluate).collect()
}
