//! Data sets with several classes.

use super::ExternalMethod;
use super::data::{DataSet, FittedMethods, MethodResult, Sampler, Samplers, same_rows};
use crate::groups::ScoreColumns;
use crate::input::MissingPolicy;
use crate::{LabelledFile, Progress};
use sha2::{Digest, Sha256};
use truecount::evaluation::{ClassSampler, SamplingProtocol};
use truecount::multiclass::{
    ClassMixTest, LabelledProbabilities, MulticlassEstimate, MulticlassMethod, MulticlassModel,
};
use truecount::{Error, IntervalOptions};
use truecount_analysis::evaluation::{ClassPool, overlap_warning_for};
use truecount_analysis::experiment::{ExperimentDesign, SampleEstimate, ScoreFiles, ShiftProtocol, TrainingSpec};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::{LABEL, POSITIVE, TableProblem};

/// The rows of a data set with several classes.
pub struct MulticlassData {
    classes: Vec<String>,
    /// The classes, and other verdicts.
    verdicts: Vec<String>,
    train: LabelledProbabilities,
    /// The labelled rows, to draw from.
    labelled: ClassPool,
    pool: ClassPool,
}

impl MulticlassData {
    fn sampler<'a>(
        &self,
        pool: &'a ClassPool,
        protocol: SamplingProtocol,
        size: usize,
        seed: u64,
    ) -> Result<Sampler<'a, ClassPool>, Error> {
        let sampler = ClassSampler::new(pool.counts.clone(), protocol, size, seed);
        let sampler = sampler.map_err(|error| match error.location().set {
            Some(class) => TableProblem::unreadable(format!("class '{}'", self.classes[class]))(error),
            None => error,
        })?;
        Ok(Box::new(move |number| pool.sample(&sampler, number)))
    }
}

impl DataSet for MulticlassData {
    type Sample = ClassPool;

    fn read(
        files: &ScoreFiles,
        _: &ExperimentDesign,
        missing: MissingPolicy,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let columns = ScoreColumns { missing: Some(missing), ..ScoreColumns::default() };
        let label = (files.label.as_deref().unwrap_or(LABEL), POSITIVE);
        let file = |path| LabelledFile::new(path, columns, label);
        let (columns, train) = file(&files.train).read_classes((&files.class_scores, None), progress)?;
        // These methods fit quickly, `ac` also with other verdicts.
        let [cc, ac] = [MulticlassMethod::Cc, MulticlassMethod::Ac].map(|method| MulticlassModel::fit(&train, method));
        let model = cc.or(ac)?;
        let pool = file(&files.pool).read_class_pool(&columns, &model, &EstimateRequest::default(), progress)?;
        if train.has_rows(&pool.rows, &pool.counts) {
            return Err(same_rows(files));
        }
        let (rows, counts) = train.sorted_by_class();
        let [classes, verdicts] = [model.names(), model.verdicts()].map(<[String]>::to_vec);
        Ok(Self { classes, verdicts, train, labelled: ClassPool { rows, counts }, pool })
    }

    fn classes(&self) -> &[String] {
        &self.classes
    }

    fn counts(&self, sample: Option<&ClassPool>) -> Vec<usize> {
        sample.unwrap_or(&self.labelled).counts.clone()
    }

    fn samplers(
        &self,
        (_, shift): (usize, &ShiftProtocol),
        size: usize,
        seed: u64,
    ) -> Result<Samplers<'_, ClassPool>, Error> {
        let ShiftProtocol::Prior(protocol) = *shift else { unreachable!("the design has protocols for classes") };
        Ok(vec![(None, self.sampler(&self.pool, protocol, size, seed)?)])
    }

    fn labelled_sampler(&self, training: &TrainingSpec, seed: u64) -> Result<Sampler<'_, ClassPool>, Error> {
        self.sampler(&self.labelled, SamplingProtocol::Natural, training.size as usize, seed)
    }

    fn overlap_warning(&self, (_, protocol): (usize, SamplingProtocol), size: usize) -> Option<String> {
        let rows = |(n, class): (&usize, &String)| (*n, format!("rows of class '{class}'"));
        let rows: Vec<(usize, String)> = self.pool.counts.iter().zip(&self.classes).map(rows).collect();
        overlap_warning_for(&rows, "rows", protocol, size)
    }

    fn fit<'a>(
        &'a self,
        sample: Option<&ClassPool>,
        (experiment, _): (&'a ExperimentDesign, &'a [ExternalMethod]),
        options: IntervalOptions,
    ) -> FittedMethods<'a, ClassPool> {
        let train = sample.map_or_else(|| Ok(self.train.clone()), |sample| sample.labelled(&self.verdicts));
        let reason = |error: Error| error.condition().to_string();
        let fit = |method: &MulticlassMethod| MulticlassModel::fit(train.as_ref().map_err(Clone::clone)?, *method);
        let models: Vec<Result<MulticlassModel, String>> =
            experiment.class_methods.iter().map(|method| fit(method).map_err(reason)).collect();
        let estimate = move |sample: &ClassPool| {
            let estimate = |model: &Result<MulticlassModel, String>| {
                let estimate = model.as_ref().map_err(Clone::clone)?.estimate(&sample.rows, &options);
                estimate.map(|estimate| method_result(&estimate)).map_err(reason)
            };
            let result = |model| estimate(model).unwrap_or_else(MethodResult::missing);
            models.iter().map(result).collect()
        };
        FittedMethods { posteriors: vec![None; experiment.class_methods.len()], estimate: Box::new(estimate) }
    }

    fn hash(&self, _: usize, hash: &mut Sha256) {
        hash.update(format!("{:?}", self.verdicts));
        for ClassPool { rows, counts } in [&self.labelled, &self.pool] {
            hash.update(format!("{counts:?}"));
            rows.values().iter().for_each(|value| hash.update(value.to_le_bytes()));
        }
    }
}

/// Returns the shares of the classes. Their intervals allow for misfit, as in other commands.
fn method_result(estimate: &MulticlassEstimate) -> MethodResult {
    let std_errors = estimate.std_errors();
    let share = |(class, share): (usize, &f64)| SampleEstimate {
        std_error: Some(std_errors[class]),
        interval: Some([estimate.intervals[class].lower, estimate.intervals[class].upper]),
        warnings: estimate.warnings.len() as u64,
        ..SampleEstimate::without_error(*share)
    };
    let misfit = estimate.mix_test.as_ref().map(ClassMixTest::is_rejected);
    MethodResult { misfit, estimates: Ok(estimate.shares.iter().enumerate().map(share).collect()) }
}
