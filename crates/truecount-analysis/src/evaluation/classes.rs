//! Evaluation of methods for several classes on samples that are drawn from a labelled pool.

use super::pool::estimate_samples;
use super::request::EvaluateRequest;
use super::samples::{MethodEstimates, SampleEstimates, SampleTruth, SamplingDesign, overlap_warning_for};
use crate::AnalysisProblem;
use crate::executor::Executor;
use std::mem;
use truecount::Error;
use truecount::error::Problem;
use truecount::evaluation::{ClassSampler, SamplingProtocol};
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassEstimate, MulticlassModel};

/// Labelled rows of several classes, sorted by class.
#[derive(Clone, Debug)]
pub struct ClassPool {
    /// The names of the classes, and of other verdicts.
    pub names: Vec<String>,
    /// The rows of the first class, followed by those of the others.
    pub rows: ClassProbabilities,
    /// The number of rows of each class.
    pub counts: Vec<usize>,
}

impl ClassPool {
    /// Draws the sample with this number.
    #[must_use]
    pub fn sample(&self, sampler: &ClassSampler, number: u64) -> Self {
        let drawn = sampler.sample(number);
        let starts = self.counts.iter().scan(0, |end, n| Some(mem::replace(end, *end + n)));
        let rows: Vec<usize> =
            drawn.iter().zip(starts).flat_map(|(rows, start)| rows.iter().map(move |row| start + row)).collect();
        let counts = drawn.iter().map(Vec::len).collect();
        Self { names: self.names.clone(), rows: self.rows.select(&rows), counts }
    }

    /// Returns the rows to fit a model to.
    ///
    /// # Errors
    /// Returns an error if a class has fewer than two rows.
    pub fn labelled(&self) -> Result<LabelledProbabilities, Error> {
        if let Some((class, n)) = self.names.iter().zip(&self.counts).find(|(_, n)| **n < 2) {
            return Err(Problem::NamedClassTooSmall { class: class.clone(), n: *n as u64 }.into());
        }
        let labels = self.counts.iter().enumerate().flat_map(|(class, n)| vec![class; *n]);
        LabelledProbabilities::new(&self.names, self.rows.clone(), &labels.collect::<Vec<_>>())
    }

    /// Returns a warning if samples contain most of the pool or of its smallest class.
    pub fn overlap_warning(&self, protocol: SamplingProtocol, size: usize) -> Option<String> {
        let words = self.names.iter().map(|class| format!("rows of class '{class}'"));
        overlap_warning_for(&self.counts.iter().copied().zip(words).collect::<Vec<_>>(), "rows", protocol, size)
    }
}

/// Returns the share of each class, from the numbers of rows.
pub fn class_shares(counts: &[usize]) -> Vec<f64> {
    let n = counts.iter().sum::<usize>() as f64;
    counts.iter().map(|count| *count as f64 / n).collect()
}

/// The estimates of all samples from a pool with several classes.
pub struct ClassPoolResult {
    /// The estimates of each class by every method.
    pub evaluated: Vec<SampleEstimates>,
    /// The estimates of each sample by the same methods.
    pub estimates: Vec<Vec<MulticlassEstimate>>,
}

impl EvaluateRequest {
    /// Estimates samples from a pool. The models have the same classes.
    ///
    /// # Errors
    /// Returns the errors of [`EvaluateRequest::sampling`]; an error for the grid, whose prevalences are for two
    /// classes; an error if the pool is too small for the samples; and the first error of a model.
    pub fn evaluate_classes(
        &self,
        executor: &impl Executor,
        models: &[MulticlassModel],
        pool: &ClassPool,
    ) -> Result<ClassPoolResult, Error> {
        let (protocol, samples, options) = self.sampling()?;
        if protocol == SamplingProtocol::Grid {
            let problem = "{--protocol=grid} is for two classes, and {--class-scores} for several";
            return Err(AnalysisProblem::option_conflict(problem, "use {--protocol=uniform}"));
        }
        let names = models[0].names();
        let sampler = ClassSampler::new(pool.counts.clone(), protocol, self.size, self.seed);
        let sampler = sampler.map_err(|error| match error.location().set {
            Some(class) => {
                let (class, n, size) = (names[class].clone(), pool.counts[class], self.size);
                AnalysisProblem::ClassPoolTooSmall { class, n, size }.into()
            }
            None => error,
        })?;
        let estimate = |number| {
            let sample = pool.sample(&sampler, number);
            let estimates = models.iter().map(|model| model.estimate(&sample.rows, &options));
            Ok((class_shares(&sample.counts), estimates.collect::<Result<_, _>>()?))
        };
        let (shares, estimates): (Vec<Vec<f64>>, Vec<Vec<MulticlassEstimate>>) =
            estimate_samples(executor, samples, estimate)?.into_iter().unzip();
        let by_class = |(class, name): (usize, &String)| {
            let truth = |(number, shares): (usize, &Vec<f64>)| SampleTruth {
                id: number.to_string(),
                n: Some(self.size as u64),
                truth: shares[class],
            };
            let method = |(method, model): (usize, &MulticlassModel)| {
                let estimates = || estimates.iter().map(|by_method| &by_method[method]);
                let interval = |estimate: &MulticlassEstimate| estimate.intervals[class];
                MethodEstimates {
                    name: model.method().to_string(),
                    estimates: estimates().map(|estimate| estimate.shares[class]).collect(),
                    intervals: Some(estimates().map(interval).map(|u| [u.lower, u.upper]).collect()),
                }
            };
            SampleEstimates {
                class: Some(name.clone()),
                samples: shares.iter().enumerate().map(truth).collect(),
                methods: models.iter().enumerate().map(method).collect(),
                design: Some(SamplingDesign { protocol, level: options.level() }),
                checks: None,
            }
        };
        Ok(ClassPoolResult { evaluated: names.iter().enumerate().map(by_class).collect(), estimates })
    }
}
