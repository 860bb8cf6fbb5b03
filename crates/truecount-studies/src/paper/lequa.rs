//! The LeQua application, emulated: scores are drawn from the skew-normals that the paper fitted to its classifier's
//! scores.
//!
//! A training sample of 5000, half of it positive, and test samples of 250 with prevalences uniform on [0, 1], as in
//! the competition; twenty training samples, since with only one, chance would decide the order of close methods.
//! Continuous and Efficient Sweep fit skew-normals, as in the paper. `dys` and `sld` are given posterior probabilities
//! by Bayes' rule with the true densities, where the paper uses Platt's; `sld fitted` has those of the fitted
//! skew-normals. Estimates are clipped to [0, 1].

use super::known::separated;
use crate::study::{count, mean};
use crate::{Outcome, Results, Statistics, Study, data};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use truecount::distribution::{Family, ScoreDistribution, SkewNormal};
use truecount::evaluation::{self, Measure};
use truecount::{Batch, Known, LabelledScores, Method, Model, PerClass, Reporting, Settings};

/// Location, scale and shape of the positives and the negatives.
const POSITIVE: [f64; 3] = [1.0309, 1.4119, 1.0068];
const NEGATIVE: [f64; 3] = [0.8425, 1.6677, -1.7983];

const N_TRAIN: u32 = 5000;
const ALPHA_TRAIN: f64 = 0.5;
const N: u32 = 250;
const TRAINING_SAMPLES: u32 = 20;

/// The paper's results (Table 1 and §5.3): MAE, RMSE, RAE, and the share of the test samples on which O-CS is closer.
const PAPER: [(&str, [f64; 3], Option<f64>); 4] = [
    ("sld", [0.0231, 0.0292, 0.1103], Some(2188.0 / 5000.0)),
    ("dys", [0.0251, 0.0316, 0.1314], Some(2508.0 / 5000.0)),
    ("o-cs", [0.0256, 0.0322, 0.1556], None),
    ("t-ms", [0.0294, 0.0375, 0.2123], Some(2957.0 / 5000.0)),
];

/// The LeQua application, emulated.
#[derive(Clone, Debug)]
pub struct Emulated {
    settings: Vec<Setting>,
}

/// A training sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Its number, from 1.
    pub training_sample: u32,
}

/// Everything fitted to a training sample.
#[derive(Debug)]
pub struct Shared {
    classes: PerClass<ScoreDistribution>,
    truth: Known,
    skewed: Model,
    given: Model,
}

/// An arm's errors over the test samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
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

/// An arm over all training samples, beside the paper's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmulatedRow {
    /// Its name.
    pub arm: &'static str,
    /// MAE, RMSE and RAE: means over the training samples.
    pub found: [f64; 3],
    /// Their standard deviations between training samples.
    pub sd: [f64; 3],
    /// The paper's, for its one training sample.
    pub paper: Option<[f64; 3]>,
    /// The share of the test samples on which O-CS is closer.
    pub first_closer: f64,
    /// The paper's.
    pub paper_first_closer: Option<f64>,
}

impl Statistics for Metrics {
    type Outcome = Outcome;

    fn new(arm: &[&Outcome], first: &[&Outcome]) -> Self {
        let pair = |outcome: &Outcome| {
            let estimate = outcome.found.as_ref().ok()?;
            evaluation::Outcome::new(outcome.truth, estimate.prevalence, Some(estimate.n)).ok()
        };
        let pairs: Vec<_> = arm.iter().zip(first).filter_map(|(arm, first)| Some((pair(arm)?, pair(first)?))).collect();
        let of = |measure: Measure| mean(pairs.iter().map(|(arm, _)| measure.of(arm).expect("the size is known")));
        let off = |outcome| Measure::AbsoluteError.of(outcome);
        Self {
            samples: count(pairs.len()),
            mae: of(Measure::AbsoluteError),
            rmse: of(Measure::SquaredError).map(f64::sqrt),
            rae: of(Measure::RelativeAbsoluteError),
            bias: of(Measure::Bias),
            first_closer: mean(pairs.iter().map(|(arm, first)| f64::from(u8::from(off(first) < off(arm))))),
        }
    }
}

impl Emulated {
    /// All training samples.
    pub fn all() -> Self {
        Self { settings: (1..=TRAINING_SAMPLES).map(|training_sample| Setting { training_sample }).collect() }
    }

    /// Every arm over the training samples.
    pub fn rows(&self, results: &Results<Metrics>) -> Vec<EmulatedRow> {
        let row = |arm: usize| {
            let of = |value: fn(&Metrics) -> Option<f64>| -> Vec<f64> {
                results.of_arm(self, arm).filter_map(|(_, metrics)| value(metrics)).collect()
            };
            let columns = [of(|m| m.mae), of(|m| m.rmse), of(|m| m.rae)];
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let sd = |values: &[f64]| {
                let centre = mean(values);
                (values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
            };
            let name = self.arms()[arm];
            let paper = PAPER.iter().find(|(arm, ..)| *arm == name);
            EmulatedRow {
                arm: name,
                found: columns.each_ref().map(|column| mean(column)),
                sd: columns.each_ref().map(|column| sd(column)),
                paper: paper.map(|(_, values, _)| *values),
                first_closer: mean(&of(|m| m.first_closer)),
                paper_first_closer: paper.and_then(|(.., closer)| *closer),
            }
        };
        (0..self.arms().len()).map(row).collect()
    }

    /// The number of training samples in which the paper's arms rank as in the paper by the MAE (SLD, DyS, O-CS, T-MS),
    /// and the number of all.
    pub fn in_order(&self, results: &Results<Metrics>) -> (usize, usize) {
        let places =
            PAPER.map(|(name, ..)| self.arms().iter().position(|arm| *arm == name).expect("an arm of the paper"));
        let of_arms: Vec<Vec<f64>> =
            places.map(|arm| results.of_arm(self, arm).filter_map(|(_, m)| m.mae).collect()).into();
        let samples = of_arms[0].len();
        let ordered = |sample: &usize| of_arms.windows(2).all(|pair| pair[0][*sample] < pair[1][*sample]);
        ((0..samples).filter(ordered).count(), samples)
    }
}

impl Study for Emulated {
    type Setting = Setting;
    type Shared = Shared;
    type Statistics = Metrics;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["o-cs", "t-ms", "dys", "sld", "es", "sld fitted"]
    }

    fn prepare(&self, _: &Setting, rng: &mut ChaCha8Rng) -> Shared {
        let class =
            |[location, scale, shape]: [f64; 3]| SkewNormal::new(location, scale, shape).expect("the paper's fit");
        let classes = PerClass { positive: class(POSITIVE).into(), negative: class(NEGATIVE).into() };
        let truth = Known::new(&separated(&classes), &[], ALPHA_TRAIN, 0.5).expect("a prior");
        let scores = data::draw(&classes, N_TRAIN, ALPHA_TRAIN, rng);
        let labels = data::labels(N_TRAIN, ALPHA_TRAIN);
        let plain = LabelledScores::new(&scores, &labels);
        let probabilities = truth.posteriors(&scores);
        let with = LabelledScores::with_probabilities(&scores, &probabilities, &labels);
        let fit = |train: Result<LabelledScores, _>, methods: &[Method], family| {
            let settings = Settings { methods: methods.to_vec(), family, ..Settings::default() };
            Model::fit(&train.expect("classes far apart"), &settings).expect("every method is possible").without_check()
        };
        let skewed = fit(plain, &[Method::O_CS, Method::ES, Method::SLD], Family::SkewNormal);
        let given = fit(with, &[Method::T_MS, Method::DYS, Method::SLD], Family::Normal);
        Shared { classes, truth, skewed, given }
    }

    fn replicate(&self, shared: &Shared, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let positives = data::positives(N, rng.random());
        let truth = f64::from(positives) / f64::from(N);
        let test = data::draw(&shared.classes, N, truth, rng);
        let reporting = Reporting::default();
        let estimate = || {
            let skewed = shared.skewed.estimate(&test, &reporting)?;
            let probabilities = shared.truth.posteriors(&test);
            let given = shared.given.estimate(Batch::with_probabilities(&test, &probabilities)?, &reporting)?;
            let [o_cs, es, fitted] = <[_; 3]>::try_from(Vec::from_iter(skewed)).expect("three methods");
            let [t_ms, dys, sld] = <[_; 3]>::try_from(Vec::from_iter(given)).expect("three methods");
            Ok([o_cs, t_ms, dys, sld, es, fitted].into_iter().collect())
        };
        super::outcomes(truth, super::each(self.arms().len(), estimate()))
    }
}
