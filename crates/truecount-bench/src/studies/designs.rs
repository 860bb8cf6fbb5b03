//! Coverage of nominal 95 % intervals under survey designs, against the simulated truth.
//!
//! Fourteen designs of the test rows or of the labelled rows, 30, 100 or 300 labels a class, and the
//! prevalences 0.05, 0.2 and 0.5: 126 settings. Classes are normal with means 0 and 1.8 and standard
//! deviation 1. Labelled and test rows are new in every replication. The arms are Efficient Sweep and
//! Adjusted Count.

use super::samples::{cross, draw_labelled, each_arm, normal, normal_classes, outcomes};
use super::{ArmOutcome, IntervalStudy, StudyResults, StudySummary};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
use truecount::compare::JointErrors;
use truecount::distribution::Distribution;
use truecount::model::{ReplicateVariance, StratumPopulation, TestDesign, TestStrata};
use truecount::{
    Batch, Error, Estimate, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Tally, Target,
};

const DISTANCE: f64 = 1.8;

/// The score from which Adjusted Count calls a row positive.
const CUTOFF: f64 = 0.9;

/// Test rows, or about as many.
const N: u32 = 600;

/// Numbers of labels of each class.
const LABELS: [u32; 3] = [30, 100, 300];

const PREVALENCES: [f64; 3] = [0.05, 0.2, 0.5];

/// The standard deviation of the score that all rows of a cluster share.
const CLUSTER_EFFECT: f64 = 0.5;

/// Inner edges of the intervals of the score in which labels are drawn.
const STRATA: [f64; 4] = [0.0, 0.6, 1.2, 1.8];

/// The share of the labels that are drawn in each of these intervals, about as `truecount plan
/// --allocate` has it.
const DRAWN: [f64; 5] = [0.3, 0.2, 0.2, 0.15, 0.15];

/// The study of survey designs.
#[derive(Debug)]
pub struct SurveyStudy;

/// A survey design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SurveyDesign {
    /// Test rows drawn more often the higher they score, with weights; the share in the population.
    DrawnByScore,
    /// Test rows with weights that depend on their class; the share by weight in the sample.
    WeightsByClass,
    /// A weighted sample of half of a finite population.
    FinitePopulation,
    /// Test rows in clusters of ten with prevalences of their own; the share in the population.
    ClustersOfPopulation,
    /// Fixed numbers of test rows from three strata with prevalences of their own; the share in the population.
    Strata,
    /// A third to five sixths of the rows of each stratum of a finite population.
    StrataOfFinitePopulation,
    /// Clusters of ten, with prevalences of their own, from three strata.
    ClustersInStrata,
    /// Clusters in strata that are described by bootstrap replicate weights.
    ReplicateWeights,
    /// Test and labelled rows in clusters of ten with errors in common; the share in the sample.
    ClustersOfSample,
    /// Labels drawn with a probability by score, with weights.
    LabelWeights,
    /// Fixed numbers of labels drawn within intervals of the score, with weights.
    LabelStrata,
    /// Two groups of known sizes whose rows come from the same clusters, with prevalences of their own;
    /// the total in the population.
    TotalInClusters,
    /// Four groups of known sizes, with half to one and a half times the prevalence; their total.
    TotalOfGroups,
    /// Simple random samples of test and labelled rows, for comparison.
    Simple,
}

impl SurveyDesign {
    /// All designs, with their descriptions.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::Simple, "simple random samples"),
        (Self::DrawnByScore, "test rows drawn by score, population"),
        (Self::WeightsByClass, "weights by class, sample"),
        (Self::FinitePopulation, "weights, finite population"),
        (Self::ClustersOfPopulation, "clusters, population"),
        (Self::Strata, "strata, population"),
        (Self::StrataOfFinitePopulation, "strata, finite population"),
        (Self::ClustersInStrata, "clusters in strata, population"),
        (Self::ReplicateWeights, "bootstrap replicate weights, population"),
        (Self::TotalInClusters, "total of groups that share clusters"),
        (Self::ClustersOfSample, "clusters with common errors, sample"),
        (Self::LabelWeights, "labels drawn by score, weights"),
        (Self::LabelStrata, "labels drawn by score, strata"),
        (Self::TotalOfGroups, "total of groups of known sizes"),
    ];
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurveySetting {
    /// The survey design.
    pub design: SurveyDesign,
    /// The number of labels of each class, about.
    pub labels: u32,
    /// The prevalence, about.
    pub alpha: f64,
}

impl SurveySetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let settings = cross(SurveyDesign::ALL, cross(LABELS, PREVALENCES)).into_iter();
        settings.map(|((design, _), (labels, alpha))| Self { design, labels, alpha }).collect()
    }
}

/// Rows with everything a design may say about them.
#[derive(Default)]
struct Rows {
    scores: Vec<f64>,
    positive: Vec<bool>,
    weights: Vec<f64>,
    /// Clusters, or strata of labels.
    units: Vec<u32>,
}

impl Rows {
    fn push(&mut self, (score, is_positive): (f64, bool), weight: f64, unit: u32) {
        self.scores.push(score);
        self.positive.push(is_positive);
        self.weights.push(weight);
        self.units.push(unit);
    }

    /// The prevalence by weight.
    fn share(&self) -> f64 {
        let positive = self.positive.iter().zip(&self.weights).filter(|(positive, _)| **positive);
        positive.map(|(_, weight)| weight).sum::<f64>() / self.weights.iter().sum::<f64>()
    }

    /// Draws rows in clusters of ten. The clusters' prevalences differ by up to `spread`, and their
    /// scores by a common effect with this standard deviation.
    fn in_clusters(number: u32, alpha: f64, (spread, effect): (f64, f64), rng: &mut ChaCha8Rng) -> Self {
        let mut rows = Self::default();
        for cluster in 0..number {
            let prevalence = alpha + spread * (2.0 * rng.random::<f64>() - 1.0);
            let common = normal(0.0, 1.0).sample(rng) * effect;
            for _ in 0..10 {
                let is_positive = rng.random_bool(prevalence);
                let (score, is_positive) = row(is_positive, rng);
                rows.push((score + common, is_positive), 1.0, cluster);
            }
        }
        rows
    }

    /// Draws rows one by one from a population with the prevalence alpha.
    fn simple(n: u32, alpha: f64, rng: &mut ChaCha8Rng) -> Self {
        let mut rows = Self::default();
        for _ in 0..n {
            let is_positive = rng.random_bool(alpha);
            rows.push(row(is_positive, rng), 1.0, 0);
        }
        rows
    }

    /// Sets the weight of every row.
    fn with_weight(mut self, weight: f64) -> Self {
        self.weights.fill(weight);
        self
    }

    /// Returns the weights of a bootstrap replicate of m clusters of ten: m − 1 are drawn with
    /// replacement (Rao and Wu 1988).
    fn bootstrap_weights(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let m = self.scores.len() / 10;
        let mut counts = vec![0.0; m];
        for _ in 1..m {
            counts[rng.random_range(0..m)] += 1.0;
        }
        let factor = m as f64 / (m as f64 - 1.0);
        self.weights.iter().enumerate().map(|(row, weight)| weight * factor * counts[row / 10]).collect()
    }

    fn clusters(&self) -> impl Iterator<Item = &[f64]> {
        self.scores.chunks(10)
    }
}

fn row(is_positive: bool, rng: &mut ChaCha8Rng) -> (f64, bool) {
    let mean = if is_positive { DISTANCE } else { 0.0 };
    (normal(mean, 1.0).sample(rng), is_positive)
}

impl IntervalStudy for SurveyStudy {
    const NAME: &'static str = "designs";
    const REPLICATIONS: u32 = 1000;
    const ARMS: &'static [&'static str] = &["es", "ac"];

    type Setting = SurveySetting;

    fn replicate(setting: &SurveySetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (truth, estimates) = match simulate(setting, rng) {
            Ok((truth, estimates)) => (truth, Ok(estimates)),
            Err(error) => (setting.alpha, Err(error)),
        };
        outcomes(truth, each_arm(Self::ARMS.len(), estimates))
    }

    /// Summarises every method over the prevalences, for each design and number of labels.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        for (design, description) in SurveyDesign::ALL {
            let arms = LABELS.into_iter().flat_map(|labels| {
                let arms = results.arms(move |s| s.design == design && s.labels == labels);
                arms.map(move |(arm, settings)| {
                    let key = json!({"design": design, "labels": labels, "arm": arm});
                    (format!("{arm}, {labels} labels"), key, settings)
                })
            });
            summary.add_intervals(description, arms);
        }
    }
}

/// Returns the truth and an estimate by each method.
fn simulate(setting: &SurveySetting, rng: &mut ChaCha8Rng) -> Result<(f64, Vec<Estimate>), Error> {
    use SurveyDesign::{
        ClustersInStrata, ClustersOfPopulation, ClustersOfSample, DrawnByScore, FinitePopulation, LabelStrata,
        LabelWeights, ReplicateWeights, Simple, Strata, StrataOfFinitePopulation, TotalInClusters, TotalOfGroups,
        WeightsByClass,
    };
    let SurveySetting { design, labels, alpha } = *setting;
    let model = model(design, labels, rng)?;
    let sample = IntervalOptions::default();
    let population = sample.with_target(Target::Population);
    match design {
        Simple | LabelWeights | LabelStrata => {
            let rows = Rows::simple(N, alpha, rng);
            Ok((rows.share(), model.estimate(&rows.scores)?.into_iter().collect()))
        }
        DrawnByScore | WeightsByClass | FinitePopulation => {
            let (rows, truth, options) = match design {
                DrawnByScore => (drawn_by_score(alpha, rng), alpha, population),
                WeightsByClass => {
                    let rows = weighted_by_class(alpha, rng);
                    let share = rows.share();
                    (rows, share, sample)
                }
                _ => {
                    let (rows, share) = drawn_from_finite_population(alpha, rng);
                    (rows, share, population.with_population(u64::from(2 * N)))
                }
            };
            let batch = Batch::new(&rows.scores).with_weights(&rows.weights)?;
            Ok((truth, model.estimate_with(batch, &options)?.into_iter().collect()))
        }
        ClustersOfPopulation | ClustersOfSample => {
            let (truth, rows, options) = if design == ClustersOfPopulation {
                (alpha, Rows::in_clusters(N / 10, alpha, (0.9 * alpha, 0.0), rng), population)
            } else {
                let rows = Rows::in_clusters(N / 10, alpha, (0.0, CLUSTER_EFFECT), rng);
                (rows.share(), rows, sample)
            };
            Ok((truth, estimate_clusters(&model, rows.clusters(), &options)?.into_iter().collect()))
        }
        Strata | StrataOfFinitePopulation | ClustersInStrata | ReplicateWeights => {
            let (truth, rows) = drawn_in_strata(design, alpha, rng);
            Ok((truth, estimate_strata(&model, design, &rows, &population, rng)?.into_iter().collect()))
        }
        TotalInClusters => {
            let rows = Rows::in_clusters(N / 10, alpha, (0.9 * alpha, 0.0), rng);
            let of_group = |first: usize| rows.clusters().map(move |scores| &scores[first..first + 5]);
            let estimate = |first: usize| estimate_clusters(&model, of_group(first), &population);
            let groups = [(estimate(0)?, 1000.0), (estimate(5)?, 3000.0)];
            Ok((alpha, totals(&model, &groups, &population)?))
        }
        TotalOfGroups => {
            let groups = [(0.5, 4000.0), (1.0, 3000.0), (1.5, 2000.0), (1.0, 1000.0)];
            let groups = groups.map(|(factor, size)| (Rows::simple(N / 4, factor * alpha, rng), size));
            let truth = groups.iter().map(|(rows, size)| size * rows.share()).sum::<f64>() / 10_000.0;
            let estimate = |(rows, size): &(Rows, f64)| Ok((model.estimate(&rows.scores)?, *size));
            let estimates = groups.iter().map(estimate).collect::<Result<Vec<_>, Error>>()?;
            Ok((truth, totals(&model, &estimates, &sample)?))
        }
    }
}

const METHODS: [Method; 2] = [Method::ES, Method::AC];

/// Returns the total of groups, given their estimates and sizes, by each method.
fn totals(model: &Model, groups: &[(Estimates, f64)], options: &IntervalOptions) -> Result<Vec<Estimate>, Error> {
    let total = |(index, method): (usize, Method)| {
        let joint = JointErrors::new(model, method)?;
        let mut total = joint.total();
        groups.iter().try_for_each(|(estimates, size)| total.add(&estimates[index], *size))?;
        Ok(total.estimate(options))
    };
    METHODS.into_iter().enumerate().map(total).collect()
}

/// Estimates the prevalence from the scores of each cluster.
fn estimate_clusters<'a>(
    model: &Model,
    clusters: impl Iterator<Item = &'a [f64]>,
    options: &IntervalOptions,
) -> Result<Estimates, Error> {
    let tally = |scores: &[f64]| {
        let mut tally = Tally::new(model);
        tally.update(scores).map(|()| tally)
    };
    let tallies = clusters.map(tally).collect::<Result<Vec<_>, _>>()?;
    let clusters: Vec<u32> = (0..).zip(&tallies).map(|(cluster, _)| cluster).collect();
    let parts: Vec<usize> = (0..tallies.len()).collect();
    model.estimate_design(&TestDesign::clusters(&tallies, &clusters), &parts, options)
}

/// The strata of the test rows: the share of the population, the number of rows drawn, and the
/// prevalence over that of the population.
const TEST_STRATA: [(f64, u32, f64); 3] = [(0.6, 240, 0.8), (0.3, 200, 1.2), (0.1, 160, 1.6)];

/// The number of rows of the finite population of each stratum.
const STRATUM_SIZES: [u32; 3] = [720, 360, 192];

/// The number of bootstrap replicate weights.
const REPLICATES: u32 = 100;

/// Draws rows, or clusters of ten rows, in strata. Returns the prevalence of the population and the rows of
/// each stratum.
fn drawn_in_strata(design: SurveyDesign, alpha: f64, rng: &mut ChaCha8Rng) -> (f64, [Rows; 3]) {
    let (mut positives, mut total) = (0.0, 0.0);
    let strata = std::array::from_fn(|stratum| {
        let (share, n, factor) = TEST_STRATA[stratum];
        let prevalence = factor * alpha;
        match design {
            SurveyDesign::Strata => Rows::simple(n, prevalence, rng),
            SurveyDesign::StrataOfFinitePopulation => {
                let size = STRATUM_SIZES[stratum];
                let population = Rows::simple(size, prevalence, rng);
                positives += population.share() * f64::from(size);
                total += f64::from(size);
                // The rows of the population are exchangeable, so the first ones are a random sample.
                let mut rows = Rows::default();
                for row in 0..n as usize {
                    rows.push((population.scores[row], population.positive[row]), 1.0, 0);
                }
                rows
            }
            _ => Rows::in_clusters(n / 10, prevalence, (0.2 * prevalence.min(1.0 - prevalence), 0.0), rng),
        }
        .with_weight(match design {
            SurveyDesign::StrataOfFinitePopulation => f64::from(STRATUM_SIZES[stratum]) / f64::from(n),
            _ => share / f64::from(n),
        })
    });
    (if total > 0.0 { positives / total } else { alpha }, strata)
}

/// Estimates the prevalence of the population from rows in strata.
fn estimate_strata(
    model: &Model,
    design: SurveyDesign,
    rows: &[Rows; 3],
    options: &IntervalOptions,
    rng: &mut ChaCha8Rng,
) -> Result<Estimates, Error> {
    let is_finite = design == SurveyDesign::StrataOfFinitePopulation;
    let mut tallies = Vec::new();
    let (mut strata, mut units) = (Vec::new(), Vec::new());
    if design == SurveyDesign::ReplicateWeights {
        for replicate in 0..=REPLICATES {
            let mut tally = Tally::weighted(model)?;
            for rows in rows {
                let weights = if replicate == 0 { rows.weights.clone() } else { rows.bootstrap_weights(rng) };
                tally.update(Batch::new(&rows.scores).with_weights(&weights)?)?;
            }
            tallies.push(tally);
            units.push(replicate);
        }
        let factors = vec![f64::from(REPLICATES).recip(); REPLICATES as usize];
        let formula = ReplicateVariance { factors, about_mean: false, dof: f64::from(REPLICATES - 1) };
        let parts: Vec<usize> = (0..tallies.len()).collect();
        return model.estimate_design(&TestDesign::replicates(&tallies, &units, formula), &parts, options);
    }
    let size = if design == SurveyDesign::ClustersInStrata { 10 } else { usize::MAX };
    for (stratum, rows) in (0..).zip(rows) {
        for (scores, weights) in rows.scores.chunks(size).zip(rows.weights.chunks(size)) {
            let mut tally = Tally::weighted(model)?;
            tally.update(Batch::new(scores).with_weights(weights)?)?;
            units.push(u32::try_from(tallies.len()).expect("few clusters"));
            tallies.push(tally);
            strata.push(stratum);
        }
    }
    let clusters = (design == SurveyDesign::ClustersInStrata).then_some(units);
    let population = is_finite.then(|| StratumPopulation::Rows(STRATUM_SIZES.map(f64::from).to_vec()));
    let strata = TestStrata { strata, clusters, population, ..TestStrata::default() };
    let test_design = TestDesign::strata(&tallies, &strata)?;
    let parts: Vec<usize> = (0..tallies.len()).collect();
    model.estimate_design(&test_design, &parts, options)
}

/// Fits the methods to new labelled rows, `labels` of each class or about as many.
fn model(design: SurveyDesign, labels: u32, rng: &mut ChaCha8Rng) -> Result<Model, Error> {
    let total = 2 * labels;
    let settings = Settings::new(METHODS).with_cutoff(CUTOFF);
    let labelled = match design {
        SurveyDesign::ClustersOfSample => {
            let rows = Rows::in_clusters(total / 10, 0.5, (0.0, CLUSTER_EFFECT), rng);
            LabelledScores::builder(&rows.scores, &rows.positive).clusters(&rows.units).build()
        }
        SurveyDesign::LabelWeights | SurveyDesign::LabelStrata => {
            let pool = Rows::simple(10_000, 0.5, rng);
            let stratum = |score: f64| STRATA.iter().filter(|edge| **edge <= score).count();
            let mut rows = Rows::default();
            for (number, share) in (0_u32..).zip(DRAWN) {
                let mut members: Vec<usize> =
                    (0..pool.scores.len()).filter(|row| stratum(pool.scores[*row]) == number as usize).collect();
                let drawn = share * f64::from(total);
                if design == SurveyDesign::LabelStrata {
                    members.shuffle(rng);
                }
                let probability = drawn / members.len() as f64;
                for (place, row) in members.iter().enumerate() {
                    let is_drawn = match design {
                        SurveyDesign::LabelStrata => (place as f64) < drawn,
                        _ => rng.random_bool(probability),
                    };
                    if is_drawn {
                        rows.push((pool.scores[*row], pool.positive[*row]), probability.recip(), number);
                    }
                }
            }
            let strata = (design == SurveyDesign::LabelStrata).then_some(&rows.units);
            LabelledScores::builder(&rows.scores, &rows.positive).weights(&rows.weights).strata(strata).build()
        }
        _ => draw_labelled(&normal_classes(DISTANCE, 0.0), total, 0.5, rng),
    };
    Model::fit(&labelled?, &settings)
}

/// Draws rows with a probability from 0.2 for low to 1 for high scores.
fn drawn_by_score(alpha: f64, rng: &mut ChaCha8Rng) -> Rows {
    let mut rows = Rows::default();
    while rows.scores.len() < N as usize {
        let is_positive = rng.random_bool(alpha);
        let row = row(is_positive, rng);
        let probability = 0.2 + 0.8 / (1.0 + (2.0 - 1.5 * row.0).exp());
        if rng.random_bool(probability) {
            rows.push(row, probability.recip(), 0);
        }
    }
    rows
}

/// Draws rows with weights of ½ or 1½ for positives, and of 1 or 5 for negatives.
fn weighted_by_class(alpha: f64, rng: &mut ChaCha8Rng) -> Rows {
    let mut rows = Rows::default();
    for _ in 0..N {
        let is_positive = rng.random_bool(alpha);
        let weights = if is_positive { [0.5, 1.5] } else { [1.0, 5.0] };
        rows.push(row(is_positive, rng), weights[rng.random_range(0..2)], 0);
    }
    rows
}

/// Draws a finite population and about half of its rows, with probabilities of ¼, ½ and ¾. Returns
/// the sample and the prevalence of the population.
fn drawn_from_finite_population(alpha: f64, rng: &mut ChaCha8Rng) -> (Rows, f64) {
    let (mut rows, mut positives) = (Rows::default(), 0.0);
    for _ in 0..2 * N {
        let is_positive = rng.random_bool(alpha);
        positives += f64::from(u8::from(is_positive));
        let probability = [0.25, 0.5, 0.75][rng.random_range(0..3)];
        let row = row(is_positive, rng);
        if rng.random_bool(probability) {
            rows.push(row, probability.recip(), 0);
        }
    }
    (rows, positives / f64::from(2 * N))
}
