//! Evaluation of methods for several classes on samples that are drawn from a labelled pool.

use super::pool::estimate_samples;
use super::request::EvaluateRequest;
use super::samples::{MethodEstimates, SampleEstimates, SampleTruth, SamplingDesign};
use crate::AnalysisProblem;
use crate::executor::Executor;
use truecount::Error;
use truecount::evaluation::{ClassSampler, SamplingProtocol};
use truecount::multiclass::{ClassProbabilities, MulticlassEstimate, MulticlassModel};

/// The estimates of all samples from a pool with several classes.
pub struct ClassPoolResult {
    /// The estimates of each class by every method.
    pub evaluated: Vec<SampleEstimates>,
    /// The estimates of each sample by the same methods.
    pub estimates: Vec<Vec<MulticlassEstimate>>,
}

impl EvaluateRequest {
    /// Estimates samples from a pool, whose rows are those of the first class, followed by those of the others;
    /// `counts` has the number of rows of each class. The models have the same classes.
    ///
    /// # Errors
    /// Returns the errors of [`EvaluateRequest::sampling`]; an error for the grid, whose prevalences are for two
    /// classes; an error if the pool is too small for the samples; and the first error of a model.
    pub fn evaluate_classes(
        &self,
        executor: &impl Executor,
        models: &[MulticlassModel],
        (pool, counts): (&ClassProbabilities, &[usize]),
    ) -> Result<ClassPoolResult, Error> {
        let (protocol, samples, options) = self.sampling()?;
        if protocol == SamplingProtocol::Grid {
            let problem = "{--protocol=grid} is for two classes, and {--class-scores} for several";
            return Err(AnalysisProblem::option_conflict(problem, "use {--protocol=uniform}"));
        }
        let names = models[0].names();
        let starts: Vec<usize> = counts.iter().scan(0, |end, n| Some(std::mem::replace(end, *end + n))).collect();
        let sampler = ClassSampler::new(counts.to_vec(), protocol, self.size, self.seed);
        let sampler = sampler.map_err(|error| match error.location().set {
            Some(class) => {
                let (class, n, size) = (names[class].clone(), counts[class], self.size);
                AnalysisProblem::ClassPoolTooSmall { class, n, size }.into()
            }
            None => error,
        })?;
        let estimate = |number| {
            let rows = sampler.sample(number);
            let indices: Vec<usize> =
                rows.iter().zip(&starts).flat_map(|(rows, start)| rows.iter().map(move |row| start + row)).collect();
            let sample = pool.select(&indices);
            let estimates = models.iter().map(|model| model.estimate(&sample, &options));
            Ok((rows.iter().map(Vec::len).collect(), estimates.collect::<Result<_, _>>()?))
        };
        let (drawn, estimates): (Vec<Vec<usize>>, Vec<Vec<MulticlassEstimate>>) =
            estimate_samples(executor, samples, estimate)?.into_iter().unzip();
        let by_class = |(class, name): (usize, &String)| {
            let truth = |(number, drawn): (usize, &Vec<usize>)| SampleTruth {
                id: number.to_string(),
                n: Some(self.size as u64),
                truth: drawn[class] as f64 / self.size as f64,
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
                samples: drawn.iter().enumerate().map(truth).collect(),
                methods: models.iter().enumerate().map(method).collect(),
                design: Some(SamplingDesign { protocol, level: options.level() }),
                checks: None,
            }
        };
        Ok(ClassPoolResult { evaluated: names.iter().enumerate().map(by_class).collect(), estimates })
    }
}
