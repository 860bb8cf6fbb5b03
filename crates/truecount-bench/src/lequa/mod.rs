//! `truecount-bench lequa`: the binary task of the LeQua competitions, from features to prevalences
//! and, if the true prevalences are known, errors.

mod classifier;
mod cross_fit;
mod features;
mod folder;
mod results;

use crate::shared::{CliError, diagnostics, fit_notes, learn, one_of, print_message};
use classifier::{Classifier, ClassifierKind};
use cross_fit::{FOLDS, Sigmoid, choose_learner, stratified_folds};
use features::{FeatureNames, TrainingData};
use folder::{CompetitionFolder, SampleSet};
use results::ResultFolder;
use std::path::{Path, PathBuf};
use truecount::distribution::Family;
use truecount::model::Request;
use truecount::{Batch, Estimates, LabelledScores, Model, Settings};

const AFTER: &str = "\
DIR holds training_data.txt, the folder test_samples with 0.txt, 1.txt, …, and perhaps test_prevalences.txt; as T1A/public of \
LeQua2022, or T1/public or T4/public of LeQua2024.

The output folder gets predictions-METHOD.csv in the competition's format, train_scores.csv (score, probability and label; for \
fit, check and plan), and where the prevalences are known estimates.csv (for evaluate) and figures.

Example:
  truecount-bench lequa T1A/public --classifier svm --tune --output results";

/// Learns a classifier, scores the training data by cross-validation and every sample, and
/// estimates each sample's prevalence.
///
/// The sweeps read the classifier's raw scores; the methods that need posterior probabilities read
/// probabilities that Platt scaling makes of them.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct LequaArgs {
    /// The competition's folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// What gives the scores
    #[arg(long, value_enum, default_value_t)]
    classifier: ClassifierKind,
    /// Choose the classifier's hyperparameters from a grid by cross-validated area under the ROC
    /// curve
    #[arg(long)]
    tune: bool,
    /// Methods, separated by commas, or all; `truecount help estimate` describes them
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "sld,dys,o-cs,t-ms")]
    method: Vec<String>,
    /// Family of the classes' score distributions, for the methods that fit one [default:
    /// skew-normal]
    #[arg(long, value_parser = one_of(Family::TABLE))]
    family: Option<Family>,
    /// Which samples
    #[arg(long, value_enum, default_value_t)]
    samples: SampleSet,
    /// Of the random folds
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder for the results, made if need be
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub fn run(args: &LequaArgs) -> Result<(), CliError> {
    let settings = args.settings()?;
    let folder = CompetitionFolder::open(&args.dir, args.samples)?;
    let results = ResultFolder::open(&args.output, &settings.methods, &folder)?;
    let training = TrainingData::read(&folder.training)?;
    let folds = folds(&training, args.seed, &folder.training)?;
    // All headers are checked before the long work begins.
    if folder.each_sample("headers", args.threads, |sample| training.features.check(sample))?.contains(&true) {
        print_message("note: the samples have labels, which are not read");
    }

    let count = training.features.count();
    let learners = if args.tune { args.classifier.grid(count) } else { vec![args.classifier.plain(count)] };
    let chosen = choose_learner(&learners, &training.rows, &training.positive, &folds, args.threads)?;
    let candidates = if args.tune { format!(", the largest of {} settings", learners.len()) } else { String::new() };
    print_message(&format!("training data: {} rows, {count} features", training.positive.len()));
    print_message(&format!("classifier: {}", chosen.learner));
    print_message(&format!("area under the ROC curve: {:.4}, mean of {FOLDS} folds{candidates}", chosen.auc));
    let sigmoid = Sigmoid::platt(&chosen.scores, &training.positive);
    let probabilities = sigmoid.probabilities(&chosen.scores);
    let labelled = LabelledScores::builder(&chosen.scores, &training.positive)
        .probabilities(&probabilities)
        .build()
        .map_err(|e| training_error(e, &folder.training))?;
    // The kind of shift is known: the prevalence in T1A and T1, the covariates in T4. So the shift
    // check is left out.
    let model = learn(&labelled, &settings, &folder.training)?.without_check();
    for line in fit_notes(&model).into_iter().chain(diagnostics(&model)) {
        print_message(&line);
    }

    let classifier = chosen.learner.fit(&training.rows, &training.positive);
    let estimator =
        SampleEstimator { features: &training.features, classifier: classifier.as_ref(), sigmoid, model: &model };
    let estimates = folder.each_sample("samples", args.threads, |sample| estimator.estimate(sample))?;

    results.training_scores(&chosen.scores, &probabilities, &training.positive)?;
    results.estimates(&folder, &model, &estimates)
}

impl LequaArgs {
    fn settings(&self) -> Result<Settings, CliError> {
        let request = Request { methods: self.method.clone(), family: self.family, ..Request::default() };
        let settings = request.settings()?;
        // The choice of Kloos et al. for these data.
        let family = self.family.unwrap_or(Family::SkewNormal);
        Ok(settings.with_family(family))
    }
}

/// Returns the fold of every row.
///
/// # Errors
/// Returns an error if a class has fewer rows than there are folds.
fn folds(training: &TrainingData, seed: u64, path: &Path) -> Result<Vec<usize>, CliError> {
    let positives = training.positive.iter().filter(|positive| **positive).count();
    let negatives = training.positive.len() - positives;
    if positives.min(negatives) < FOLDS {
        return Err(CliError::Data(
            format!(
                "{}: {positives} rows have label 1 and {negatives} label 0; cross-validation needs {FOLDS} of each",
                path.display()
            )
            .into(),
        ));
    }
    Ok(stratified_folds(&training.positive, seed))
}

/// Returns the error for labelled scores; inverted cross-fitted scores are a sign of uninformative
/// features.
fn training_error(error: truecount::Error, path: &Path) -> CliError {
    match error.problem() {
        Some(truecount::error::Problem::ClassesInverted { discordance, .. }) => CliError::Data(
            format!(
                "{}: the classifier learns nothing of the labels from these features: rows it has not seen score lower \
                 with label 1 than with label 0 in {:.1} % of pairs; check the labels, or try --tune or another \
                 --classifier",
                path.display(),
                100.0 * discordance
            )
            .into(),
        ),
        _ => error.in_file(path.display()).into(),
    }
}

/// Estimates the prevalences of samples.
struct SampleEstimator<'a> {
    features: &'a FeatureNames,
    classifier: &'a dyn Classifier,
    sigmoid: Sigmoid,
    model: &'a Model,
}

impl SampleEstimator<'_> {
    /// Returns every method's estimate of a sample.
    fn estimate(&self, path: &Path) -> Result<Estimates, CliError> {
        let scores = self.classifier.scores(&self.features.read(path)?);
        let probabilities = self.sigmoid.probabilities(&scores);
        let batch = Batch::new(&scores).with_probabilities(&probabilities)?;
        let estimates = self.model.estimate(batch);
        Ok(estimates.map_err(|error| error.in_file(path.display()))?)
    }
}
