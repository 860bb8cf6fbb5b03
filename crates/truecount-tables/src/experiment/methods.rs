//! The methods of an experiment, fitted to labelled rows.

use super::pool::LabelledRows;
use truecount::inference::Interval;
use truecount::model::Posteriors;
use truecount::multiclass::{ClassMixTest, MulticlassEstimate, MulticlassModel};
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Model};
use truecount_analysis::evaluation::PlainAndWidened;
use truecount_analysis::experiment::{ExperimentDesign, SampleEstimate};

/// Predicts the share of positives among scores, or says why it cannot.
pub type Predict = Box<dyn Fn(&[f64]) -> Result<f64, String> + Send + Sync>;

/// Fits a method to labelled scores, or says why it cannot.
pub type Fit = Box<dyn Fn(&LabelledScores) -> Result<Predict, String> + Send + Sync>;

/// A method that is not part of this program, for two classes.
pub struct ExternalMethod {
    /// The name in the results.
    pub name: String,
    /// The function that fits it.
    pub fit: Fit,
}

/// All methods, as far as they could be fitted.
pub enum FittedMethods<'a> {
    Binary(&'a [Method], Result<Model, Error>, Vec<Result<Predict, String>>),
    Multiclass(Vec<Result<MulticlassModel, String>>),
}

/// The result of a method on a sample.
pub struct MethodResult {
    /// Whether the sample does not fit any mix of the labelled classes; `None` if that was not checked.
    pub misfit: Option<bool>,
    /// The origin of the posterior probabilities, if the method reads any.
    pub posteriors: Option<Posteriors>,
    /// The estimates of the share of positives or of each class, or the reason why they are missing.
    pub estimates: Result<Vec<SampleEstimate>, String>,
}

impl<'a> FittedMethods<'a> {
    /// Fits the methods of an experiment and others.
    pub fn fit(
        ExperimentDesign { settings, class_methods, .. }: &'a ExperimentDesign,
        others: &[ExternalMethod],
        train: LabelledRows,
    ) -> Self {
        let train = match train {
            LabelledRows::Binary(scores) => Ok(scores),
            LabelledRows::BinarySample(sample) => sample.labelled(),
            LabelledRows::Multiclass(pool, labelled) => {
                let labelled = labelled.map_or_else(|| pool.labelled(), Ok);
                let fit = |method| MulticlassModel::fit(labelled.as_ref().map_err(Clone::clone)?, method);
                return Self::Multiclass(class_methods.iter().map(|method| fit(*method).map_err(reason)).collect());
            }
        };
        let fit_other = |other: &ExternalMethod| match &train {
            Ok(train) => (other.fit)(train),
            Err(error) => Err(error.to_string()),
        };
        let others = others.iter().map(fit_other).collect();
        let model = train.and_then(|train| Model::fit(&train, &settings.clone().available_only()));
        Self::Binary(&settings.methods, model, others)
    }

    /// Estimates a sample by each method.
    pub fn estimate(&self, sample: &LabelledRows, options: &IntervalOptions) -> Vec<MethodResult> {
        match (self, sample) {
            (Self::Binary(methods, model, others), LabelledRows::BinarySample(sample)) => {
                let fitted = model.as_ref().map_err(Clone::clone);
                let estimates =
                    fitted.and_then(|model| Ok((model, PlainAndWidened::new(model, sample.batch(), options)?)));
                let estimates = estimates.map_err(reason);
                let origin = model.as_ref().ok().and_then(Model::posteriors);
                let own = methods.iter().map(|method| {
                    let estimates = estimates.as_ref().map_err(Clone::clone);
                    let estimate = estimates.and_then(|(model, all)| sample_estimate(model, all, *method));
                    (origin.filter(|_| method.reads_posteriors()), estimate)
                });
                let predict = |other: &Result<Predict, String>| other.as_ref().map_err(Clone::clone)?(sample.scores());
                let others = others.iter().map(|other| (None, predict(other).map(SampleEstimate::without_error)));
                let misfit = estimates.as_ref().ok().and_then(|(_, estimates)| estimates.misfit());
                let result = |(posteriors, estimate): (_, Result<_, _>)| {
                    let estimates = estimate.map(|estimate| vec![estimate]);
                    MethodResult { misfit, posteriors, estimates }
                };
                own.chain(others).map(result).collect()
            }
            (Self::Multiclass(models), LabelledRows::Multiclass(sample, _)) => {
                let estimate = |model: &Result<MulticlassModel, String>| {
                    model.as_ref().map_err(Clone::clone)?.estimate(&sample.rows, options).map_err(reason)
                };
                let result = |model| {
                    let estimate = estimate(model);
                    let test = estimate.as_ref().ok().and_then(|estimate| estimate.mix_test.as_ref());
                    let misfit = test.map(ClassMixTest::is_rejected);
                    let estimates = estimate.map(|estimate| class_estimates(&estimate));
                    MethodResult { misfit, posteriors: None, estimates }
                };
                models.iter().map(result).collect()
            }
            _ => unreachable!("the labelled rows and the samples of a data set have the same classes"),
        }
    }
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn reason(error: Error) -> String {
    error.condition().to_string()
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

/// Returns the share of each class. Its interval allows for misfit, as in other commands.
fn class_estimates(estimate: &MulticlassEstimate) -> Vec<SampleEstimate> {
    let std_errors = estimate.std_errors();
    let shares = estimate.shares.iter().zip(&estimate.intervals).zip(std_errors);
    let share = |((share, interval), std_error): ((&f64, &Interval), f64)| SampleEstimate {
        std_error: Some(std_error),
        interval: Some([interval.lower, interval.upper]),
        warnings: estimate.warnings.len() as u64,
        ..SampleEstimate::without_error(*share)
    };
    shares.map(share).collect()
}
