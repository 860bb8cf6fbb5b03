//! SLD with recalibrated posteriors beside its definition: the likelihood's equations, and SLD of the recalibrated probabilities.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution;
use truecount::{Batch, Error, IntervalOptions, LabelledScores, Method, Model, Problem, Settings};

fn fit(method: Method, probabilities: &[f64], labels: &[bool]) -> Result<Model, Error> {
    let labelled = LabelledScores::with_probabilities(probabilities, probabilities, labels)?;
    Model::fit(&labelled, &Settings { methods: vec![method], ..Settings::default() })
}

fn estimate(model: &Model, test: &[f64]) -> truecount::Estimate {
    model.estimate(Batch::with_probabilities(test, test).unwrap(), &IntervalOptions::default()).unwrap()[0].clone()
}

fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Scores of two normals, one apart, as probabilities that are off by a line of the log odds.
fn draw(rng: &mut ChaCha8Rng, n: usize, positives: usize) -> Vec<f64> {
    let normal = rand_distr::Normal::new(0.0, 1.0).unwrap();
    let score = |row: usize, rng: &mut ChaCha8Rng| normal.sample(rng) + f64::from(u8::from(row < positives));
    (0..n).map(|row| logistic(2.5 * score(row, rng) - 1.0)).collect()
}

/// Sums of residuals and of residuals times the log odds are 0, and what remains is SLD.
#[test]
fn is_sld_of_the_most_likely_line() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (n, positives) in [(40, 20), (300, 60)] {
        let (train, test) = (draw(&mut rng, n, positives), draw(&mut rng, 500, 150));
        let labels: Vec<bool> = (0..n).map(|row| row < positives).collect();
        let model = fit(Method::SLD_BCTS, &train, &labels).unwrap();
        let learnt = model.quantifiers()[0].parameters();
        let of = |name| learnt.iter().find(|(known, _)| *known == name).unwrap().1;
        let (slope, intercept) = (of("slope"), of("intercept"));
        let recalibrated = |p: &f64| logistic(slope * logit(*p) + intercept);
        let residual = |(p, label): (&f64, &bool)| f64::from(u8::from(*label)) - recalibrated(p);
        let each = || train.iter().zip(&labels);
        let sum: f64 = each().map(residual).sum();
        let product: f64 = each().map(|(p, label)| residual((p, label)) * logit(*p)).sum();
        assert!(sum.abs() < 1e-11 && product.abs() < 1e-11, "{sum:e} {product:e}");
        let of_line: Vec<f64> = train.iter().map(recalibrated).collect();
        let sld = fit(Method::SLD, &of_line, &labels).unwrap();
        let (found, expected) =
            (estimate(&model, &test), estimate(&sld, &test.iter().map(recalibrated).collect::<Vec<_>>()));
        assert!((found.raw - expected.raw).abs() < 1e-12, "{} not {}", found.raw, expected.raw);
        // The noise of the line comes on top.
        assert!(found.uncertainty.unwrap().se > expected.uncertainty.unwrap().se);
    }
}

/// Perfectly told apart: what is above the middle, in log odds, is positive. A probability exactly there is half of one.
#[test]
fn separable_classes_are_counted() {
    let (train, labels) = ([0.9, 0.8, 0.2, 0.1], [true, true, false, false]);
    let model = fit(Method::SLD_BCTS, &train, &labels).unwrap();
    let found = estimate(&model, &[0.95, 0.7, 0.51, 0.49, 0.3, 0.0, 1.0, 0.0]);
    assert!((found.raw - 0.5).abs() < 1e-4, "{}", found.raw);
    // Two at the same place, and all else told apart: their share of positives.
    let model = fit(Method::SLD_BCTS, &[0.9, 0.5, 0.5, 0.5, 0.1], &[true, true, false, false, false]).unwrap();
    assert!(model.quantifiers()[0].parameters().contains(&("cut_of_log_odds", 0.0)));
}

/// The positives' probabilities have the higher mean, their log odds the lower one.
#[test]
fn classes_the_wrong_way_round_are_refused() {
    let error = fit(Method::SLD_BCTS, &[0.9, 0.9, 1e-4, 0.5, 0.5], &[true, true, true, false, false]).unwrap_err();
    assert!(matches!(error.problem(), Some(Problem::NoSeparationInMean { what: "log odds", .. })), "{error}");
}

/// Intervals count what learning the line leaves uncertain: 95 % of 2000 hold the truth, within four Monte Carlo errors and 1 % for what the
/// linear theory may be off, and the mean of the squared errors is that of the variances within the same.
#[test]
fn intervals_hold() {
    const SETS: u64 = 2000;
    for (each, n, positives) in [(50, 500, 100), (200, 500, 250), (100, 2000, 200)] {
        let labels: Vec<bool> = (0..2 * each).map(|row| row < each).collect();
        let truth = positives as f64 / n as f64;
        let (mut held, mut squares, mut variances) = (0, Vec::new(), 0.0);
        for set in 0..SETS {
            let mut rng = ChaCha8Rng::seed_from_u64(20_261_123);
            rng.set_stream(set);
            let model = fit(Method::SLD_BCTS, &draw(&mut rng, 2 * each, each), &labels).unwrap();
            let found = estimate(&model, &draw(&mut rng, n, positives));
            let uncertainty = found.uncertainty.unwrap();
            held += u32::from((uncertainty.lower..=uncertainty.upper).contains(&truth));
            squares.push((found.raw - truth).powi(2));
            variances += uncertainty.se.powi(2) / SETS as f64;
        }
        let sets = SETS as f64;
        let mean = squares.iter().sum::<f64>() / sets;
        let noise = (squares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / sets / sets).sqrt();
        let coverage = f64::from(held) / sets;
        println!(
            "{each} {n} {positives}: holds {coverage}, squared error {mean:.3e} ± {noise:.1e}, variance {variances:.3e}"
        );
        assert!((coverage - 0.95).abs() < 4.0 * (0.95_f64 * 0.05 / sets).sqrt() + 0.01, "{coverage}");
    }
}
