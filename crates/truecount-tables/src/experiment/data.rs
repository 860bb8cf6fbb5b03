//! What the cells of an experiment need of a data set, whatever its number of classes.

use super::ExternalMethod;
use crate::Progress;
use crate::input::MissingPolicy;
use sha2::Sha256;
use truecount::evaluation::SamplingProtocol;
use truecount::model::Posteriors;
use truecount::{Error, IntervalOptions};
use truecount_analysis::experiment::{
    ExperimentDesign, SampleEstimate, ScoreFiles, ShiftProtocol, TrainingSpec, experiment_error,
};

/// Draws the sample with this number.
pub type Sampler<'a, S> = Box<dyn Fn(u64) -> S + Sync + 'a>;

/// The sampler of every setting, with the value that identifies the setting; `None` if it is the only one.
pub type Samplers<'a, S> = Vec<(Option<f64>, Sampler<'a, S>)>;

/// The labelled rows of a data set, and the pools that each protocol draws samples from.
pub trait DataSet: Sized + Sync {
    /// Rows with labels.
    type Sample;

    /// Reads both files.
    fn read(
        files: &ScoreFiles,
        experiment: &ExperimentDesign,
        missing: MissingPolicy,
        progress: &dyn Progress,
    ) -> Result<Self, Error>;

    /// Returns the names of the classes if there are several.
    fn classes(&self) -> &[String];

    /// Returns the number of rows of each class in a sample, or among all labelled rows; positives are first.
    fn counts(&self, sample: Option<&Self::Sample>) -> Vec<usize>;

    /// Returns the samplers of a protocol and its index.
    fn samplers(
        &self,
        protocol: (usize, &ShiftProtocol),
        size: usize,
        seed: u64,
    ) -> Result<Samplers<'_, Self::Sample>, Error>;

    /// Returns the sampler of labelled samples.
    fn labelled_sampler(&self, training: &TrainingSpec, seed: u64) -> Result<Sampler<'_, Self::Sample>, Error>;

    /// Returns a warning if samples by a protocol with this index contain most of their pool.
    fn overlap_warning(&self, protocol: (usize, SamplingProtocol), size: usize) -> Option<String>;

    /// Fits all methods to a labelled sample, or to all labelled rows.
    fn fit<'a>(
        &'a self,
        sample: Option<&Self::Sample>,
        methods: (&'a ExperimentDesign, &'a [ExternalMethod]),
        options: IntervalOptions,
    ) -> FittedMethods<'a, Self::Sample>;

    /// Adds the labelled rows and the pools of the protocol with this index to a hash.
    fn hash(&self, protocol: usize, hash: &mut Sha256);
}

/// The methods of an experiment, as far as they could be fitted.
pub struct FittedMethods<'a, S> {
    /// The origin of the posterior probabilities of each method that reads any.
    pub posteriors: Vec<Option<Posteriors>>,
    /// Estimates a sample by each method.
    pub estimate: Box<dyn Fn(&S) -> Vec<MethodResult> + Sync + 'a>,
}

/// The result of a method on a sample.
pub struct MethodResult {
    /// Whether the sample does not fit any mix of the labelled classes; `None` if that was not checked.
    pub misfit: Option<bool>,
    /// The estimates of the share of positives, or of each class; or the reason why they are missing.
    pub estimates: Result<Vec<SampleEstimate>, String>,
}

impl MethodResult {
    /// Returns the result of a method without estimates.
    pub fn missing(reason: String) -> Self {
        Self { misfit: None, estimates: Err(reason) }
    }
}

/// Returns the error that both files of a data set have the same rows.
pub fn same_rows(files: &ScoreFiles) -> Error {
    let [train, pool] = [&files.train, &files.pool].map(|path| crate::input::name(path));
    experiment_error(
        format!("the errors would be too small, as {train} and {pool} have the same scores"),
        "divide the labelled scores at random into two files, one for each",
    )
}
