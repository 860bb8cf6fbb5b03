//! What each test score adds to an estimate, and each labelled score to its error: identities, and derivatives by the weights.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::{
    Batch, Estimate, IntervalOptions, LabelledRows, LabelledScores, Method, Model, NotPossible, Operation, PerClass,
    RateSource, Settings,
};

const POSITIVES: usize = 60;
const ALL: usize = 150;

/// Labelled scores between 0 and 1, which are probabilities too.
fn scores(seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let of = |mean: f64| Normal::new(mean, 0.15).unwrap();
    let (plus, minus) = (of(0.65), of(0.4));
    let score = |i| -> f64 { if i < POSITIVES { &plus } else { &minus }.sample(&mut rng) };
    (0..ALL).map(score).map(|score| score.clamp(0.01, 0.99)).collect()
}

fn model(weights: Option<&[f64]>, clusters: Option<&[u32]>, settings: &Settings) -> Model {
    let scores = scores(1);
    let positive: Vec<bool> = (0..ALL).map(|i| i < POSITIVES).collect();
    let rows = LabelledRows { scores: &scores, positive: &positive, probabilities: Some(&scores), weights, clusters };
    Model::fit(&LabelledScores::from_rows(&rows).unwrap(), settings).unwrap()
}

fn settings(method: Method) -> Settings {
    let anchor = method.default_anchor().map(|_| RateSource::Sample);
    Settings { methods: vec![method], rates: anchor, ..Settings::default() }
}

fn weights() -> Vec<f64> {
    (0..ALL).map(|i| 1.0 + (i % 7) as f64).collect()
}

/// Of every third row, so that clusters hold both classes.
fn clusters() -> Vec<u32> {
    (0..ALL).map(|i| u32::try_from(i % 17).unwrap()).collect()
}

fn estimate(model: &Model) -> Estimate {
    let test = scores(2);
    let batch = Batch::with_probabilities(&test, &test).unwrap();
    model.estimate(batch, &IntervalOptions::default()).unwrap()[0].clone()
}

fn unbiased() -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| method.is_unbiased_mean()).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{what}: {found} {expected}");
}

fn learning(model: &Model, estimate: &Estimate) -> f64 {
    model.quantifiers()[0].precision(estimate.prevalence).unwrap().learning(estimate.prevalence)
}

/// Of rows that were drawn one by one.
fn squares(each: &PerClass<Vec<f64>>) -> f64 {
    let of = |each: &[f64]| each.iter().map(|x| x * x).sum::<f64>() * each.len() as f64 / (each.len() as f64 - 1.0);
    of(&each.positive) + of(&each.negative)
}

#[test]
fn squares_add_up_to_what_the_labelled_scores_leave_uncertain() {
    for method in unbiased() {
        for weights in [None, Some(weights())] {
            if weights.is_some() && !method.takes_label_design() {
                continue;
            }
            let model = model(weights.as_deref(), None, &settings(method));
            let estimate = estimate(&model);
            let each = model.labelled_influence(0, &estimate).unwrap();
            assert_eq!((each.positive.len(), each.negative.len()), (POSITIVES, ALL - POSITIVES));
            let what = format!("{method}, {}", weights.is_some());
            assert_close(squares(&each), learning(&model, &estimate), &what);
            for of in [&each.positive, &each.negative] {
                assert!(of.iter().sum::<f64>().abs() < 1e-15, "{what}");
            }
        }
    }
}

#[test]
fn squares_of_clusters_do_too() {
    let of_rows = clusters();
    for method in unbiased().into_iter().filter(|method| method.takes_label_design()) {
        let model = model(Some(&weights()), Some(&of_rows), &settings(method));
        let estimate = estimate(&model);
        let each = model.labelled_influence(0, &estimate).unwrap();
        let mut sums = [0.0; 17];
        let rows = each.positive.iter().chain(&each.negative).zip(&of_rows);
        rows.for_each(|(x, cluster)| sums[*cluster as usize] += x);
        let squares = sums.iter().map(|sum| sum * sum).sum::<f64>() * 17.0 / 16.0;
        assert_close(squares, learning(&model, &estimate), &method.to_string());
    }
}

/// Of a value h they are −α (w/Σw) (h − 1) for a positive and −(1−α) (w/Σw) h for a negative.
#[test]
fn values_of_labelled_scores_are_what_their_errors_are_made_of() {
    for method in unbiased() {
        for weights in [None, Some(weights())] {
            if weights.is_some() && !method.takes_label_design() {
                continue;
            }
            let (model, test) = (model(weights.as_deref(), None, &settings(method)), scores(2));
            let alpha = estimate(&model).prevalence;
            let errors = model.labelled_influence(0, &estimate(&model)).unwrap();
            let values = model.influence_of_labelled(0, Batch::with_probabilities(&test, &test).unwrap()).unwrap();
            let weights = weights.unwrap_or_else(|| vec![1.0; ALL]);
            let (plus, minus) = weights.split_at(POSITIVES);
            for (values, errors, weights, mean, share) in [
                (&values.positive, &errors.positive, plus, 1.0, alpha),
                (&values.negative, &errors.negative, minus, 0.0, 1.0 - alpha),
            ] {
                assert_eq!(values.len(), weights.len());
                let sum: f64 = weights.iter().sum();
                for ((value, error), weight) in values.iter().zip(errors).zip(weights) {
                    assert!((error + share * weight / sum * (value - mean)).abs() < 1e-14, "{method}: {value} {error}");
                }
            }
        }
    }
}

/// w ∂α̂/∂w, where g does not depend on the labelled scores.
#[test]
fn it_is_the_derivative_by_the_weight() {
    const STEP: f64 = 1e-4;
    for method in [Method::AC, Method::SMM, Method::PACC] {
        let raw = |row: usize, factor: f64| {
            let mut weights = weights();
            weights[row] *= factor;
            estimate(&model(Some(&weights), None, &settings(method))).raw
        };
        let model = model(Some(&weights()), None, &settings(method));
        let each = model.labelled_influence(0, &estimate(&model)).unwrap();
        for (row, found) in each.positive.iter().chain(&each.negative).enumerate() {
            let slope = (raw(row, 1.0 + STEP) - raw(row, 1.0 - STEP)) / (2.0 * STEP);
            assert!((found - slope).abs() < 1e-10, "{method} {row}: {found} {slope}");
        }
    }
}

/// A family that is right: the squares have the variance's expectation. With n± scores a class the squares of a sum have a relative
/// standard deviation of about √(2/n±), those of skewed projections more.
#[test]
fn of_a_fitted_family_they_do_so_in_expectation() {
    const EACH: usize = 20_000;
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (plus, minus) = (Normal::new(1.5, 1.0).unwrap(), Normal::new(0.0, 1.0).unwrap());
    let scores: Vec<f64> = (0..2 * EACH).map(|i| if i < EACH { &plus } else { &minus }.sample(&mut rng)).collect();
    let positive: Vec<bool> = (0..2 * EACH).map(|i| i < EACH).collect();
    let labelled = LabelledScores::new(&scores, &positive).unwrap();
    for method in [Method::O_CS, Method::ES] {
        let settings = Settings { methods: vec![method], rates: Some(RateSource::Model), ..Settings::default() };
        let model = Model::fit(&labelled, &settings).unwrap();
        let estimate = model.estimate(&scores[EACH / 2..], &IntervalOptions::default()).unwrap()[0].clone();
        let each = model.labelled_influence(0, &estimate).unwrap();
        let ratio = squares(&each) / learning(&model, &estimate);
        assert!((ratio - 1.0).abs() < 4.0 * (2.0 / EACH as f64).sqrt(), "{method}: {ratio}");
    }
}

/// Weights that move the first estimate, and so the second step of Efficient Sweep.
#[test]
fn the_weighted_mean_is_the_weighted_estimate() {
    let (model, test) = (model(None, None, &settings(Method::ES)), scores(2));
    for factor in [0.01, 1.0, 100.0] {
        let weights: Vec<f64> = test.iter().map(|score| if *score > 0.5 { factor } else { 1.0 }).collect();
        let batch = || Batch::with_probabilities(&test, &test).unwrap().with_weights(&weights).unwrap();
        let each = model.influence(0, batch()).unwrap();
        let sum: f64 = each.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
        let raw = model.estimate(batch(), &IntervalOptions::default()).unwrap()[0].raw;
        assert!((sum / weights.iter().sum::<f64>() - raw).abs() < 1e-13, "{factor}");
    }
}

#[test]
fn what_is_not_learnt_is_refused() {
    let (count, adjusted) = (model(None, None, &settings(Method::CC)), model(None, None, &settings(Method::AC)));
    let (of_count, of_adjusted) = (estimate(&count), estimate(&adjusted));
    for (model, place, estimate, name) in
        [(&count, 0, &of_count, "cc"), (&adjusted, 0, &of_count, "ac"), (&adjusted, 1, &of_adjusted, "no method")]
    {
        let error = model.labelled_influence(place, estimate).unwrap_err();
        let refused = error.problem::<NotPossible>().unwrap();
        assert_eq!((refused.operation, &refused.methods[..]), (Operation::LabelledInfluence, &[name.to_owned()][..]));
    }
}
