//! The LeQua application, emulated: scores are drawn from the skew-normals that the paper fitted to
//! its classifier's scores.
//!
//! Training samples have 5000 scores, half of them positive, and test samples 250 scores with
//! prevalences uniform on [0, 1], as in the competition. There are twenty training samples, because
//! with only one, chance would decide the order of close methods. Continuous and Efficient Sweep
//! fit skew-normals, as in the paper. `dys` and `sld` get posterior probabilities by Bayes' rule
//! with the true densities, where the paper uses Platt scaling; `sld fitted` uses the fitted
//! skew-normals. Estimates are clipped to [0, 1].

use super::TrueClasses;
use crate::shared::{CellFormat, ResultColumn, ResultRow, ResultTable};
use crate::studies::samples::{each_arm, labels, outcomes, positives};
use crate::studies::{ArmOutcome, Statistics, Study, StudyResults, Summary, count, mean};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use truecount::distribution::{Family, SkewNormal};
use truecount::evaluation::{self, Measure};
use truecount::scores::PerClass;
use truecount::{Batch, Error, Estimate, IntervalOptions, LabelledScores, Method, Model, Settings};

/// Location, scale and shape of the positives and the negatives.
const POSITIVE: [f64; 3] = [1.0309, 1.4119, 1.0068];
const NEGATIVE: [f64; 3] = [0.8425, 1.6677, -1.7983];

const N_TRAIN: u32 = 5000;
const ALPHA_TRAIN: f64 = 0.5;
const N: u32 = 250;
const TRAINING_SAMPLES: u32 = 20;

/// The paper's results (Table 1 and §5.3): MAE, RMSE, RAE, and the share of the test samples on
/// which O-CS is closer.
const PAPER: [(&str, [f64; 3], Option<f64>); 4] = [
    ("sld", [0.0231, 0.0292, 0.1103], Some(2188.0 / 5000.0)),
    ("dys", [0.0251, 0.0316, 0.1314], Some(2508.0 / 5000.0)),
    ("o-cs", [0.0256, 0.0322, 0.1556], None),
    ("t-ms", [0.0294, 0.0375, 0.2123], Some(2957.0 / 5000.0)),
];

/// The LeQua application, emulated.
#[derive(Debug)]
pub struct EmulatedStudy;

/// A training sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrainingSample {
    /// The number of the sample, from 1.
    pub training_sample: u32,
}

impl TrainingSample {
    /// Returns all training samples.
    pub fn all() -> Vec<Self> {
        (1..=TRAINING_SAMPLES).map(|training_sample| Self { training_sample }).collect()
    }
}

/// The models fitted to a training sample.
#[derive(Debug)]
pub struct FittedModels {
    truth: TrueClasses,
    /// The model fitted to the scores alone.
    skew_normal: Model,
    /// The model with posterior probabilities by the true densities.
    with_posteriors: Model,
}

impl FittedModels {
    /// Returns every arm's estimate of a test sample.
    fn estimate(&self, test: &[f64]) -> Result<[Estimate; 6], Error> {
        let options = IntervalOptions::default();
        let skew_normal = self.skew_normal.estimate_with(test, &options)?;
        let probabilities = self.truth.posteriors.posteriors(test);
        let batch = Batch::new(test).with_probabilities(&probabilities)?;
        let with_posteriors = self.with_posteriors.estimate_with(batch, &options)?;
        let [o_cs, es, sld_fitted] = <[_; 3]>::try_from(Vec::from_iter(skew_normal)).expect("three methods");
        let [t_ms, dys, sld] = <[_; 3]>::try_from(Vec::from_iter(with_posteriors)).expect("three methods");
        Ok([o_cs, t_ms, dys, sld, es, sld_fitted])
    }
}

impl Study for EmulatedStudy {
    const NAME: &'static str = "lequa";
    const REPLICATIONS: u32 = 5000;
    const ARMS: &'static [&'static str] = &["o-cs", "t-ms", "dys", "sld", "es", "sld fitted"];

    type Setting = TrainingSample;
    type Shared = FittedModels;
    type Statistics = EmulatedStatistics;
    type Summary = EmulatedSummary;

    fn prepare(_: &TrainingSample, rng: &mut ChaCha8Rng) -> FittedModels {
        let class =
            |[location, scale, shape]: [f64; 3]| SkewNormal::new(location, scale, shape).expect("the paper's fit");
        let classes = PerClass { positive: class(POSITIVE).into(), negative: class(NEGATIVE).into() };
        let truth = TrueClasses::new(classes, ALPHA_TRAIN);
        let scores = truth.draw(N_TRAIN, ALPHA_TRAIN, rng);
        let plain = LabelledScores::new(&scores, &labels(N_TRAIN, ALPHA_TRAIN));
        let with_probabilities = truth.labelled(&scores, N_TRAIN, ALPHA_TRAIN);
        let fit = |train: Result<LabelledScores, _>, methods: &[Method], family| {
            let settings = Settings::new(methods.iter().copied()).with_family(family);
            Model::fit(&train.expect("classes far apart"), &settings).expect("every method is possible").without_check()
        };
        let skew_normal = fit(plain, &[Method::O_CS, Method::ES, Method::SLD], Family::SkewNormal);
        let with_posteriors = fit(with_probabilities, &[Method::T_MS, Method::DYS, Method::SLD], Family::Normal);
        FittedModels { truth, skew_normal, with_posteriors }
    }

    fn replicate(_: &TrainingSample, models: &FittedModels, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let truth = f64::from(positives(N, rng.random())) / f64::from(N);
        let test = models.truth.draw(N, truth, rng);
        outcomes(truth, each_arm(Self::ARMS.len(), models.estimate(&test)))
    }
}

/// An arm's errors over the test samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmulatedStatistics {
    /// Test samples.
    pub samples: u32,
    /// Mean absolute error.
    pub mae: Option<f64>,
    /// Root mean squared error.
    pub rmse: Option<f64>,
    /// Mean relative absolute error, smoothed with ε = 1/(2n), over both classes.
    pub rae: Option<f64>,
    /// Mean error.
    pub bias: Option<f64>,
    /// Share of the test samples on which the first arm is closer.
    pub first_closer: Option<f64>,
}

impl Statistics for EmulatedStatistics {
    type Outcome = ArmOutcome;

    fn new(arm: &[&ArmOutcome], first: &[&ArmOutcome]) -> Self {
        let evaluate = |outcome: &ArmOutcome| {
            let (truth, estimate) = outcome.pair()?;
            evaluation::Outcome::new(truth, estimate.prevalence, Some(estimate.n)).ok()
        };
        let pairs = arm.iter().zip(first).filter_map(|(arm, first)| Some((evaluate(arm)?, evaluate(first)?)));
        let pairs: Vec<_> = pairs.collect();
        let mean_of =
            |measure: Measure| mean(pairs.iter().map(|(arm, _)| measure.evaluate(arm).expect("the size is known")));
        let error = |outcome| Measure::AbsoluteError.evaluate(outcome);
        Self {
            samples: count(pairs.len()),
            mae: mean_of(Measure::AbsoluteError),
            rmse: mean_of(Measure::SquaredError).map(f64::sqrt),
            rae: mean_of(Measure::RelativeAbsoluteError),
            bias: mean_of(Measure::Bias),
            first_closer: mean(pairs.iter().map(|(arm, first)| f64::from(u8::from(error(first) < error(arm))))),
        }
    }
}

/// The summary of the study.
#[derive(Clone, Debug, Serialize)]
pub struct EmulatedSummary {
    /// The results of every arm.
    pub methods: Vec<EmulatedRow>,
    /// The number of training samples.
    pub training_samples: usize,
    /// The number of training samples in which the MAE ranks the paper's arms as in the paper (SLD,
    /// DyS, O-CS, T-MS).
    pub in_the_order_of_the_paper: usize,
    /// The number of test samples for each training sample.
    #[serde(skip)]
    replications: u32,
}

/// The results of an arm over all training samples, with the paper's results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmulatedRow {
    /// The arm's name.
    pub arm: &'static str,
    /// MAE, RMSE and RAE: means over the training samples.
    #[serde(rename = "found")]
    pub errors: [f64; 3],
    /// Standard deviations of `errors` between training samples.
    pub sd: [f64; 3],
    /// The paper's errors, for its one training sample.
    pub paper: Option<[f64; 3]>,
    /// The share of the test samples on which O-CS is closer.
    pub first_closer: f64,
    /// The share of the test samples on which O-CS is closer in the paper.
    pub paper_first_closer: Option<f64>,
}

impl EmulatedRow {
    fn new(results: &StudyResults<EmulatedStudy>, arm: usize) -> Self {
        let values = |value: fn(&EmulatedStatistics) -> Option<f64>| -> Vec<f64> {
            results.in_arm(arm).filter_map(|(_, statistics)| value(statistics)).collect()
        };
        let columns = [values(|s| s.mae), values(|s| s.rmse), values(|s| s.rae)];
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let sd = |values: &[f64]| {
            let centre = mean(values);
            (values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
        };
        let name = EmulatedStudy::ARMS[arm];
        let paper = PAPER.iter().find(|(arm, ..)| *arm == name);
        Self {
            arm: name,
            errors: columns.each_ref().map(|column| mean(column)),
            sd: columns.each_ref().map(|column| sd(column)),
            paper: paper.map(|(_, values, _)| *values),
            first_closer: mean(&values(|s| s.first_closer)),
            paper_first_closer: paper.and_then(|(.., closer)| *closer),
        }
    }
}

/// Returns the number of training samples in which the MAE ranks the paper's arms as in the paper,
/// and the number of all training samples.
fn count_in_order(results: &StudyResults<EmulatedStudy>) -> (usize, usize) {
    let index = |name| EmulatedStudy::ARMS.iter().position(|arm| *arm == name).expect("an arm of the paper");
    let errors_by_arm: Vec<Vec<f64>> = PAPER
        .iter()
        .map(|(name, ..)| results.in_arm(index(*name)).filter_map(|(_, statistics)| statistics.mae).collect())
        .collect();
    let samples = errors_by_arm[0].len();
    let ordered = |sample: &usize| errors_by_arm.windows(2).all(|pair| pair[0][*sample] < pair[1][*sample]);
    ((0..samples).filter(ordered).count(), samples)
}

impl Summary<EmulatedStudy> for EmulatedSummary {
    fn new(results: &StudyResults<EmulatedStudy>) -> Self {
        let (in_the_order_of_the_paper, training_samples) = count_in_order(results);
        let methods = (0..EmulatedStudy::ARMS.len()).map(|arm| EmulatedRow::new(results, arm)).collect();
        let replications = results.plan().replications;
        Self { methods, training_samples, in_the_order_of_the_paper, replications }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        let Self { methods, training_samples, replications, .. } = self;
        let title = vec![
            "LeQua 2022, emulated: skew-normal scores as the paper fitted them".to_owned(),
            format!("{training_samples} training samples of {N_TRAIN}, {replications} test samples of {N} for each"),
            String::new(),
        ];
        let errors = ["method", "mae", "mae_sd", "mae_paper", "rmse", "rmse_paper", "rae", "rae_paper"];
        let closer = ["method", "first_closer", "first_closer_paper"];
        let others = (0..methods.len()).filter(|index| methods[*index].arm != "o-cs").collect();
        vec![
            ResultTable::new(methods).for_programs(),
            ResultTable::new(methods).view(&errors).titled(title),
            ResultTable::new(methods).view(&closer).headed("method", "o-cs closer than".to_owned()).only(others),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let (ordered, samples) = (self.in_the_order_of_the_paper, self.training_samples);
        vec![
            format!("sld < dys < o-cs < t-ms by the MAE, as in the paper: {ordered} of {samples} training samples"),
            "MAE, RMSE, RAE: means over the training samples, of which the paper has one".to_owned(),
            "± sd: standard deviation of the MAE between training samples".to_owned(),
        ]
    }
}

impl ResultRow for EmulatedRow {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<ResultColumn<Self>> {
        let errors = [
            ("mae", "MAE", "mean absolute error, mean over the training samples"),
            ("rmse", "RMSE", "root mean squared error, mean over the training samples"),
            ("rae", "RAE", "mean relative absolute error, mean over the training samples"),
        ];
        let mut columns = vec![Self::text("method", "the method", |row| row.arm.into()).shown(CellFormat::AsIs)];
        for (k, (name, heading, meaning)) in errors.into_iter().enumerate() {
            let sd = (format!("{name}_sd"), format!("standard deviation of {name} between training samples"));
            let paper = (format!("{name}_paper"), format!("{name} in the paper, of its one training sample"));
            columns.extend([
                Self::share(name, meaning, move |row| row.errors[k]).heading(heading, CellFormat::Decimals(4)),
                Self::share(sd.0, sd.1, move |row| row.sd[k]).heading("± sd", CellFormat::Decimals(4)),
                Self::share(paper.0, paper.1, move |row| row.paper.map(|paper| paper[k]))
                    .heading("paper", CellFormat::Decimals(4))
                    .optional_as(""),
            ]);
        }
        columns.extend([
            Self::share("first_closer", "test samples on which o-cs is closer", |row| row.first_closer)
                .heading("of the test samples", CellFormat::Percent(1)),
            Self::share("first_closer_paper", "the same in the paper", |row| row.paper_first_closer)
                .heading("paper", CellFormat::Percent(1))
                .optional_as(""),
        ]);
        columns
    }
}
