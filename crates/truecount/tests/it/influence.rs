//! The influence of each test score on an estimate, and of each labelled score on its error:
//! identities, and derivatives by the weights.

use crate::common::{first_estimate, labelled, labels, normals, probabilities};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use truecount::error::Operation;
use truecount::quantifier::RateSource;
use truecount::scores::PerClass;
use truecount::{Estimate, LabelledScores, Method, Model, Settings};

const POSITIVES: usize = 60;
const ALL: usize = 150;

/// Draws scores between 0 and 1, which also serve as probabilities; the positives come first.
fn scores(seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scores = normals(&mut rng, 5.0 / 3.0, POSITIVES, ALL - POSITIVES);
    scores.into_iter().map(|score| (0.4 + 0.15 * score).clamp(0.01, 0.99)).collect()
}

fn model(weights: Option<&[f64]>, clusters: Option<&[u32]>, settings: &Settings) -> Model {
    let scores = scores(1);
    let positive = labels(POSITIVES, ALL);
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
    first_estimate(model, probabilities(&scores(2)))
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

/// Of independent rows, and of rows in clusters the sums by cluster, with 17/16.
#[test]
fn squared_influences_add_up_to_the_training_variance() {
    let (weights, cluster_of_row) = (weights(), clusters());
    for method in unbiased_methods() {
        for (weights, clusters) in
            [(None, None), (Some(&weights[..]), None), (Some(&weights[..]), Some(&cluster_of_row[..]))]
        {
            if weights.is_some() && !method.supports_label_design() {
                continue;
            }
            let model = model(weights, clusters, &settings(method));
            let estimate = estimate(&model);
            let influences = model.labelled_error_contributions(0, &estimate).unwrap();
            assert_eq!((influences.positive.len(), influences.negative.len()), (POSITIVES, ALL - POSITIVES));
            let mut squares = sum_of_squares(&influences);
            if let Some(clusters) = clusters {
                let mut sums = [0.0; 17];
                let rows = influences.positive.iter().chain(&influences.negative).zip(clusters);
                rows.for_each(|(x, cluster)| sums[*cluster as usize] += x);
                squares = sums.iter().map(|sum| sum * sum).sum::<f64>() * 17.0 / 16.0;
            }
            assert_training_variance(squares, &model, &estimate);
            for class in [&influences.positive, &influences.negative] {
                assert!(class.iter().sum::<f64>().abs() < 1e-15, "{method}, {}", weights.is_some());
            }
        }
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
        let model = Model::fit(&labelled, &Settings::new([method]).with_rates(RateSource::Family)).unwrap();
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
        let batch = || probabilities(&test).with_weights(&weights).unwrap();
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
        assert_eq!(error, Operation::LabelledInfluence.unsupported_by([name]).into());
    }
}
