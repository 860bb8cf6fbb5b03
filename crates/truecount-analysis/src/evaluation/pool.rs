//! Models on samples of known prevalence, drawn from a labelled pool.

use super::samples::{PlainAndWidened, ShiftCheckSummary, SamplingDesign, SampleEstimates, MethodEstimates, SampleTruth, summarise_checks, number_of_samples};
use crate::AnalysisProblem;
use crate::executor::Executor;
use crate::sets::TestSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::evaluation::{TestSampler, GRID_SIZE, Measure, Outcome, SamplingProtocol, TestSample};
use truecount::{Error, Estimate, LabelledScores, Model, PerClass, Reporting, Target};

/// Labelled rows, which each model may read other columns of.
pub struct LabelledPool<'a> {
    /// Which rows are positive.
    pub positive: &'a [bool],
    /// For each model the columns that it reads.
    pub sets: Vec<TestSet<'a>>,
}

/// Which samples are drawn.
#[derive(Clone, Copy, Debug)]
pub struct SamplingOptions {
    /// Which prevalences they have.
    pub protocol: SamplingProtocol,
    /// How many, if it is said.
    pub samples: Option<u32>,
    /// Scores in each.
    pub size: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

/// What was found.
pub struct PoolResult {
    /// Every method of every model, in their order.
    pub evaluated: SampleEstimates,
    /// The estimates of each sample by the same methods, with what is to be said of them but for misfit.
    pub estimates: Vec<Vec<Estimate>>,
}

/// The estimates of the same samples by every model: a sample depends on the seed and its number alone.
pub struct PoolEvaluation<'a> {
    /// The names of several models tell their methods apart.
    models: &'a [(&'a str, &'a Model)],
    pool: &'a LabelledPool<'a>,
    drawing: SamplingOptions,
    number: u32,
    reporting: Reporting,
    /// The pool, with the numbers of its rows as scores.
    rows: LabelledScores,
}

impl<'a> PoolEvaluation<'a> {
    /// Checks that samples can be drawn, and that each model can estimate the pool.
    ///
    /// # Errors
    /// [`AnalysisProblem::PartOfGrid`]; [`AnalysisProblem::PoolLearntFrom`], and every error of a model on the pool, with the model; those of
    /// [`TestSampler::new`].
    pub fn new(
        models: &'a [(&'a str, &'a Model)],
        pool: &'a LabelledPool<'a>,
        drawing: SamplingOptions,
        level: f64,
    ) -> Result<Self, Error> {
        let number = number_of_samples(drawing.protocol, drawing.samples).map_err(|next| {
            AnalysisProblem::PartOfGrid { samples: drawing.samples.unwrap_or_default().into(), grid: GRID_SIZE.into(), next }
        })?;
        let reporting = Reporting::new(level, Target::Sample)?;
        for (at, ((_, model), set)) in models.iter().zip(&pool.sets).enumerate() {
            // Here a wrong row is known, and no sample need hold it.
            set.batch().and_then(|batch| model.estimate(batch, &reporting)).map_err(|error| error.in_set(at))?;
            if is_fitted_to(model, set.scores, pool.positive) {
                return Err(Error::from(AnalysisProblem::PoolLearntFrom).in_set(at));
            }
        }
        let rows = pool_of_row_numbers(pool.positive)?;
        drawing.sampler(&rows)?;
        Ok(Self { models, pool, drawing, number, reporting, rows })
    }

    /// Draws the samples and estimates each. The first error ends the work.
    ///
    /// # Errors
    /// Those of the models; an interruption.
    pub fn run(&self, executor: &impl Executor) -> Result<PoolResult, Error> {
        let draws = self.drawing.sampler(&self.rows)?;
        let failed = AtomicBool::new(false);
        let one = |number| {
            if failed.load(Ordering::Relaxed) {
                return None;
            }
            let estimated = self.estimate(&draws.sample(number));
            failed.fetch_or(estimated.is_err(), Ordering::Relaxed);
            Some(estimated)
        };
        let made = executor.map_range(self.number.into(), one)?;
        let (truths, found): (Vec<f64>, Vec<Vec<PlainAndWidened>>) =
            made.into_iter().flatten().collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
        Ok(gather(self.models, truths, found, self.drawing, self.reporting.level()))
    }

    /// The prevalence of a sample, and the estimates of every model.
    fn estimate(&self, sample: &TestSample) -> Result<(f64, Vec<PlainAndWidened>), Error> {
        let rows: Vec<usize> = sample_rows(sample, self.pool.positive.len()).collect();
        let of = |((_, model), set): (&(&str, &Model), &TestSet)| {
            let drawn = set.map(|column| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>());
            PlainAndWidened::new(model, drawn.batch()?, &self.reporting)
        };
        Ok((sample.prevalence(), self.models.iter().zip(&self.pool.sets).map(of).collect::<Result<_, _>>()?))
    }
}

impl SamplingOptions {
    fn sampler<'p>(&self, pool: &'p LabelledScores) -> Result<TestSampler<'p>, Error> {
        TestSampler::new(pool, self.protocol, self.size, self.seed)
    }
}

/// What all models have found in each sample.
fn gather(
    models: &[(&str, &Model)],
    truths: Vec<f64>,
    found: Vec<Vec<PlainAndWidened>>,
    SamplingOptions { protocol, size, .. }: SamplingOptions,
    level: f64,
) -> PoolResult {
    let mut of_models: Vec<Vec<PlainAndWidened>> = models.iter().map(|_| Vec::with_capacity(found.len())).collect();
    for sample in found {
        of_models.iter_mut().zip(sample).for_each(|(of_model, both)| of_model.push(both));
    }
    let (mut methods, mut all_checked) = (Vec::new(), Vec::new());
    for ((name, model), found) in models.iter().zip(&of_models) {
        let named = |methods: Vec<MethodEstimates>| methods.into_iter().map(|method| with_model_name(name, models.len(), method));
        methods.extend(named(MethodEstimates::for_model(model, &found.iter().map(|both| &both.plain).collect::<Vec<_>>())));
        all_checked.push(summarise_checks(model, found).map(|of| ShiftCheckSummary { widened: named(of.widened).collect(), ..of }));
    }
    let sample = |(number, truth): (usize, f64)| SampleTruth { id: number.to_string(), n: Some(size as u64), truth };
    let evaluated = SampleEstimates {
        samples: truths.into_iter().enumerate().map(sample).collect(),
        methods,
        design: Some(SamplingDesign { protocol, level }),
        // What the check finds is said of one model.
        checks: if all_checked.len() == 1 { all_checked.pop().flatten() } else { None },
    };
    let mut estimates: Vec<Vec<Estimate>> = evaluated.samples.iter().map(|_| Vec::new()).collect();
    for of_model in of_models {
        estimates.iter_mut().zip(of_model).for_each(|(all, both)| all.extend(both.without_misfit()));
    }
    PoolResult { evaluated, estimates }
}

/// A method of one of several models, which its name says.
fn with_model_name(model: &str, models: usize, method: MethodEstimates) -> MethodEstimates {
    if models == 1 { method } else { MethodEstimates { name: format!("{model}: {}", method.name), ..method } }
}

/// Whether a model was fitted to these very scores, in whatever order.
fn is_fitted_to(model: &Model, scores: &[f64], positive: &[bool]) -> bool {
    let sorted = |mut scores: Vec<f64>| {
        scores.sort_unstable_by(f64::total_cmp);
        scores
    };
    let is_same = |class: bool, fitted: &Vec<f64>| {
        let of_class = scores.iter().zip(positive).filter(|(_, flag)| **flag == class).map(|(score, _)| *score);
        let of_class: Vec<f64> = of_class.collect();
        of_class.len() == fitted.len() && sorted(of_class) == sorted(fitted.clone())
    };
    let PerClass { positive, negative } = model.labelled().scores();
    is_same(true, positive) && is_same(false, negative)
}

/// The rows of the samples of these numbers, sample after sample, positives first; and the share of positives in each.
///
/// # Errors
/// Those of [`LabelledScores::new`] and [`TestSampler::new`].
pub fn draw_sample_rows(
    positive: &[bool],
    (protocol, size, seed): (SamplingProtocol, usize, u64),
    numbers: Range<u64>,
) -> Result<(Vec<usize>, Vec<f64>), Error> {
    let pool = pool_of_row_numbers(positive)?;
    let draws = TestSampler::new(&pool, protocol, size, seed)?;
    let (mut rows, mut prevalences) = (Vec::new(), Vec::new());
    for number in numbers {
        let sample = draws.sample(number);
        rows.extend(sample_rows(&sample, positive.len()));
        prevalences.push(sample.prevalence());
    }
    Ok((rows, prevalences))
}

/// A pool whose scores are the numbers of the rows; the positives' are made larger, as scores are.
fn pool_of_row_numbers(positive: &[bool]) -> Result<LabelledScores, Error> {
    let n = positive.len();
    let place = |(row, positive): (usize, &bool)| (row + if *positive { n } else { 0 }) as f64;
    let places: Vec<f64> = positive.iter().enumerate().map(place).collect();
    LabelledScores::new(&places, positive)
}

/// The rows of a sample from a pool of so many.
fn sample_rows(sample: &TestSample, n: usize) -> impl Iterator<Item = usize> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // row numbers
    sample.scores().iter().map(move |place| *place as usize % n)
}

/// The measure of each estimate; NaN where it needs sizes that are not known.
///
/// # Errors
/// Those of [`Outcome::new`], of the row.
pub fn measure_errors(
    measure: Measure,
    truths: &[f64],
    estimates: &[f64],
    size: impl Fn(usize) -> Option<u64>,
) -> Result<Vec<f64>, Error> {
    let of = |(row, (truth, estimate)): (usize, (&f64, &f64))| {
        let outcome = Outcome::new(*truth, *estimate, size(row)).map_err(|error| error.at_row(row))?;
        Ok(measure.evaluate(&outcome).unwrap_or(f64::NAN))
    };
    truths.iter().zip(estimates).enumerate().map(of).collect()
}
