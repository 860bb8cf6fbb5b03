//! The LeQua application, emulated: scores are drawn from the skew-normals that the paper fitted to
//! its classifier's scores.
//!
//! Training samples have 5000 scores, half of them positive, and test samples 250 scores with prevalences uniform on
//! [0, 1], as in the competition. There are twenty training samples, because with only one, chance would decide the
//! order of close methods. Continuous and Efficient Sweep fit skew-normals, as in the paper. `dys` and `sld` get
//! posterior probabilities by Bayes' rule with the true densities, where the paper uses Platt scaling; `sld fitted`
//! uses the fitted skew-normals. Estimates are clipped to [0, 1].

use super::TrueClasses;
use crate::studies::samples::{each_arm, labels, outcomes, positives};
use crate::studies::summary::{decimals, percent};
use crate::studies::{ArmOutcome, Statistics, Study, StudyResults, StudySummary, SummaryTable, covariance, mean};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
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

/// The paper's results (Table 1 and §5.3): MAE, RMSE, RAE, and the share of the test samples on which O-CS is closer.
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
    type Outcome = ArmOutcome;

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

    fn statistics(arm: &[&ArmOutcome], first: &[&ArmOutcome]) -> Statistics {
        let evaluate = |outcome: &ArmOutcome| {
            let (truth, estimate) = outcome.pair()?;
            evaluation::Outcome::new(truth, estimate.points?[1], Some(N.into())).ok()
        };
        let pairs = arm.iter().zip(first).filter_map(|(arm, first)| Some((evaluate(arm)?, evaluate(first)?)));
        let pairs: Vec<_> = pairs.collect();
        let mean_of =
            |measure: Measure| mean(pairs.iter().map(|(arm, _)| measure.evaluate(arm).expect("the size is known")));
        let error = |outcome| Measure::AbsoluteError.evaluate(outcome);
        let values = [
            ("mae", mean_of(Measure::AbsoluteError)),
            ("rmse", mean_of(Measure::SquaredError).map(f64::sqrt)),
            // Smoothed with ε = 1/(2n), over both classes.
            ("rae", mean_of(Measure::RelativeAbsoluteError)),
            ("bias", mean_of(Measure::Bias)),
            ("first_closer", mean(pairs.iter().map(|(arm, first)| f64::from(u8::from(error(first) < error(arm)))))),
        ];
        Statistics::new([("samples", pairs.len())], values)
    }

    /// Summarises every arm over all training samples, with the paper's results for its one training sample.
    fn summary(results: &StudyResults<Self>) -> StudySummary {
        let (ordered, samples) = count_in_order(results);
        let order =
            format!("sld < dys < o-cs < t-ms by the MAE, as in the paper: {ordered} of {samples} training samples");
        let mut summary = StudySummary::with_notes([
            &order,
            "MAE, RMSE, RAE: means over the training samples, of which the paper has one",
            "± sd: standard deviation of the MAE between training samples",
        ]);
        let replications = results.plan().replications;
        let mut table = SummaryTable::new(["method", "MAE", "± sd", "paper", "RMSE", "paper", "RAE", "paper"])
            .titled("LeQua 2022, emulated: skew-normal scores as the paper fitted them")
            .titled(format!("{samples} training samples of {N_TRAIN}, {replications} test samples of {N} for each"))
            .titled("");
        let mut closer_table = SummaryTable::new(["o-cs closer than", "of the test samples", "paper"]);
        for (arm, settings) in results.arms(|_| true) {
            let columns = ["mae", "rmse", "rae"].map(|name| settings.values(name));
            let errors = columns.each_ref().map(|values| mean(values.iter().copied()));
            let sd = columns.each_ref().map(|values| covariance(values, values).map(f64::sqrt));
            let paper = PAPER.iter().find(|(name, ..)| *name == arm);
            let (paper, paper_closer) = (paper.map(|paper| paper.1), paper.and_then(|paper| paper.2));
            let closer = settings.mean("first_closer");
            let fields = json!({
                "arm": arm, "found": errors, "sd": sd, "paper": paper, "first_closer": closer,
                "paper_first_closer": paper_closer,
            });
            summary.push("methods", [fields]);
            let in_paper = |error: usize| paper.map_or_else(String::new, |paper| decimals(paper[error], 4));
            let [mae, rmse, rae] = errors.map(|error| decimals(error, 4));
            let arm = arm.to_owned();
            if arm != "o-cs" {
                let percentage = |share: Option<f64>| format!("{} %", percent(share, 1));
                let paper = paper_closer.map_or_else(String::new, |share| percentage(Some(share)));
                closer_table.push([arm.clone(), percentage(closer), paper]);
            }
            table.push([arm, mae, decimals(sd[0], 4), in_paper(0), rmse, in_paper(1), rae, in_paper(2)]);
        }
        summary.json.insert("training_samples".to_owned(), json!(samples));
        summary.json.insert("in_the_order_of_the_paper".to_owned(), json!(ordered));
        summary.tables.extend([table, closer_table]);
        summary
    }
}

/// Returns the number of training samples in which the MAE ranks the paper's arms as in the paper,
/// and the number of all training samples.
fn count_in_order(results: &StudyResults<EmulatedStudy>) -> (usize, usize) {
    let index = |name| EmulatedStudy::ARMS.iter().position(|arm| *arm == name).expect("an arm of the paper");
    let errors_by_arm: Vec<Vec<f64>> = PAPER
        .iter()
        .map(|(name, ..)| results.in_arm(index(*name)).filter_map(|(_, statistics)| statistics.value("mae")).collect())
        .collect();
    let samples = errors_by_arm[0].len();
    let ordered = |sample: &usize| errors_by_arm.windows(2).all(|pair| pair[0][*sample] < pair[1][*sample]);
    ((0..samples).filter(ordered).count(), samples)
}
