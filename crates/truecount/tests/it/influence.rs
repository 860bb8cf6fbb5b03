//! The influence of each test score on an estimate, and of each labelled score on its error:
//! identities, and derivatives by the weights.

use crate::common::{labelled, normals};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::error::{Operation, UnsupportedOperation};
use truecount::quantifier::RateSource;
use truecount::scores::PerClass;
use truecount::{Batch, Estimate, LabelledScores, Method, Model, Settings};

const POSITIVES: usize = 60;
const ALL: usize = 150;

/// Draws scores between 0 and 1, which also serve as probabilities; the positives come first.
fn scores(seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let normal = |mean: f64| Normal::new(mean, 0.15).unwrap();
    let (plus, minus) = (normal(0.65), normal(0.4));
    let score = |i| -> f64 { if i < POSITIVES { &plus } else { &minus }.sample(&mut rng) };
    (0..ALL).map(score).map(|score| score.clamp(0.01, 0.99)).collect()
}

fn model(weights: Option<&[f64]>, clusters: Option<&[u32]>, settings: &Settings) -> Model {
    let scores = scores(1);
    let positive: Vec<bool> = (0..ALL).map(|i| i < POSITIVES).collect();
    let rows = LabelledScores::builder(&scores, &positive).probabilities(&scores).weights(weights).clusters(clusters);
    Model::fit(&rows.build().unwrap(), settings).unwrap()
}

fn settings(method: Method) -> Settings {
    let rates = method.default_rates().map(|_| RateSource::Labels);
    Settings::new([method]).with_rates(rates)
}

fn weights() -> Vec<f64> {
    (0..ALL).map(|i| 1.0 + (i % 7) as f64).collect()
}

/// Every seventeenth row is in the same cluster, so that clusters contain both classes.
fn clusters() -> Vec<u32> {
    (0..ALL).map(|i| u32::try_from(i % 17).unwrap()).collect()
}

fn estimate(model: &Model) -> Estimate {
    let test = scores(2);
    let batch = Batch::new(&test).with_probabilities(&test).unwrap();
    model.estimate(batch).unwrap()[0].clone()
}

fn unbiased_methods() -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| method.is_corrected_mean()).collect()
}

/// Asserts that the value is the training variance of the estimate. The ψ of `es` is one of several,
/// chosen by an earlier step.
#[track_caller]
fn assert_training_variance(value: f64, model: &Model, estimate: &Estimate) {
    let variance = |alpha: f64| {
        let precision = model.quantifiers()[0].precision(alpha, estimate.n as f64).unwrap();
        precision.training_variance(estimate.prevalence)
    };
    let mut steps = (0..=100).map(|k| (estimate.prevalence + 0.002 * f64::from(k - 50)).clamp(0.0, 1.0));
    assert!(
        steps.any(|alpha| (variance(alpha) / value - 1.0).abs() < 1e-12),
        "{}: {value}, not {}",
        estimate.method,
        variance(estimate.prevalence)
    );
}

/// Sum of squared influences of independent rows, with n/(n−1) in each class.
fn sum_of_squares(influences: &PerClass<Vec<f64>>) -> f64 {
    let class_sum =
        |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>() * values.len() as f64 / (values.len() as f64 - 1.0);
    class_sum(&influences.positive) + class_sum(&influences.negative)
}

#[test]
fn squared_influences_add_up_to_the_training_variance() {
    for method in unbiased_methods() {
        for weights in [None, Some(weights())] {
            if weights.is_some() && !method.supports_label_design() {
                continue;
            }
            let model = model(weights.as_deref(), None, &settings(method));
            let estimate = estimate(&model);
            let influences = model.labelled_error_contributions(0, &estimate).unwrap();
            assert_eq!((influences.positive.len(), influences.negative.len()), (POSITIVES, ALL - POSITIVES));
            let context = format!("{method}, {}", weights.is_some());
            assert_training_variance(sum_of_squares(&influences), &model, &estimate);
            for class in [&influences.positive, &influences.negative] {
                assert!(class.iter().sum::<f64>().abs() < 1e-15, "{context}");
            }
        }
    }
}

#[test]
fn squared_cluster_sums_add_up_to_the_training_variance() {
    let cluster_of_row = clusters();
    for method in unbiased_methods().into_iter().filter(|method| method.supports_label_design()) {
        let model = model(Some(&weights()), Some(&cluster_of_row), &settings(method));
        let estimate = estimate(&model);
        let influences = model.labelled_error_contributions(0, &estimate).unwrap();
        let mut sums = [0.0; 17];
        let rows = influences.positive.iter().chain(&influences.negative).zip(&cluster_of_row);
        rows.for_each(|(x, cluster)| sums[*cluster as usize] += x);
        let squares = sums.iter().map(|sum| sum * sum).sum::<f64>() * 17.0 / 16.0;
        assert_training_variance(squares, &model, &estimate);
    }
}

/// The influence is w ∂α̂/∂w if g does not depend on the labelled scores.
#[test]
fn labelled_influence_is_the_derivative_by_the_weight() {
    const STEP: f64 = 1e-4;
    for method in [Method::AC, Method::SMM, Method::PACC] {
        let raw = |row: usize, factor: f64| {
            let mut weights = weights();
            weights[row] *= factor;
            estimate(&model(Some(&weights), None, &settings(method))).raw
        };
        let model = model(Some(&weights()), None, &settings(method));
        let influences = model.labelled_error_contributions(0, &estimate(&model)).unwrap();
        for (row, influence) in influences.positive.iter().chain(&influences.negative).enumerate() {
            let slope = (raw(row, 1.0 + STEP) - raw(row, 1.0 - STEP)) / (2.0 * STEP);
            assert!((influence - slope).abs() < 1e-10, "{method} {row}: {influence} {slope}");
        }
    }
}

/// With a right family, the expectation of the squared influences is the training variance. Their
/// sum over n± scores of a class has a relative standard deviation of about √(2/n±), or more if the
/// projections are skewed.
#[test]
fn squared_influences_match_the_training_variance_of_a_fitted_family() {
    const PER_CLASS: usize = 20_000;
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let scores = normals(&mut rng, 1.5, PER_CLASS, PER_CLASS);
    let labelled = labelled(&scores, PER_CLASS);
    for method in [Method::O_CS, Method::ES] {
        let settings = Settings::new([method]).with_rates(RateSource::Family);
        let model = Model::fit(&labelled, &settings).unwrap();
        let estimate = model.estimate(&scores[PER_CLASS / 2..]).unwrap()[0].clone();
        let influences = model.labelled_error_contributions(0, &estimate).unwrap();
        let alpha = estimate.prevalence;
        let precision = model.quantifiers()[0].precision(alpha, estimate.n as f64).unwrap();
        let ratio = sum_of_squares(&influences) / precision.training_variance(alpha);
        assert!((ratio - 1.0).abs() < 4.0 * (2.0 / PER_CLASS as f64).sqrt(), "{method}: {ratio}");
    }
}

/// The weights change the first estimate, and thereby the later steps of Efficient Sweep.
#[test]
fn the_weighted_mean_influence_is_the_weighted_estimate() {
    let (model, test) = (model(None, None, &settings(Method::ES)), scores(2));
    for factor in [0.01, 1.0, 100.0] {
        let weights: Vec<f64> = test.iter().map(|score| if *score > 0.5 { factor } else { 1.0 }).collect();
        let batch = || Batch::new(&test).with_probabilities(&test).unwrap().with_weights(&weights).unwrap();
        let influences = model.influence(0, batch()).unwrap();
        let sum: f64 = influences.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
        let raw = model.estimate(batch()).unwrap()[0].raw;
        assert!((sum / weights.iter().sum::<f64>() - raw).abs() < 1e-13, "{factor}");
    }
}

#[test]
fn methods_without_training_variance_have_no_labelled_influence() {
    let (cc, ac) = (model(None, None, &settings(Method::CC)), model(None, None, &settings(Method::AC)));
    let (cc_estimate, ac_estimate) = (estimate(&cc), estimate(&ac));
    for (model, index, estimate, name) in
        [(&cc, 0, &cc_estimate, "cc"), (&ac, 0, &cc_estimate, "ac"), (&ac, 1, &ac_estimate, "no method")]
    {
        let error = model.labelled_error_contributions(index, estimate).unwrap_err();
        let not_possible = error.problem::<UnsupportedOperation>().unwrap();
        assert_eq!(
            (not_possible.operation, &not_possible.methods[..]),
            (Operation::LabelledInfluence, &[name.to_owned()][..])
        );
    }
}
