//! `EDy` against its definition: the minimum of the energy distance between posterior
//! probabilities.

use crate::common::{labels, normal, stream};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::{Batch, Error, LabelledScores, Method, Model, Settings};

/// Draws probabilities; rounding to few digits makes ties.
fn draw(rng: &mut ChaCha8Rng, n: usize, power: f64, digits: Option<f64>) -> Vec<f64> {
    (0..n)
        .map(|_| {
            let p = rng.random::<f64>().powf(power);
            digits.map_or(p, |digits| (p * digits).round() / digits)
        })
        .collect()
}

/// Mean |x − y| over all pairs.
fn distance(xs: &[f64], ys: &[f64]) -> f64 {
    xs.iter().map(|x| ys.iter().map(|y| (x - y).abs()).sum::<f64>()).sum::<f64>() / (xs.len() * ys.len()) as f64
}

fn model(positive: &[f64], negative: &[f64]) -> Result<Model, Error> {
    let labelled = [positive, negative].concat();
    let labels = labels(positive.len(), labelled.len());
    let labelled = LabelledScores::builder(&labelled, &labels).probabilities(&labelled).build()?;
    Model::fit(&labelled, &Settings::new([Method::EDY]))
}

fn estimate_and_se(model: &Model, test: &[f64]) -> (f64, f64) {
    let batch = Batch::new(test).with_probabilities(test).unwrap();
    let estimate = &model.estimate(batch).unwrap()[0];
    (estimate.raw, estimate.std_error.unwrap())
}

/// The energy distance is a parabola in α, α² (2 d(P,N) − d(P,P) − d(N,N)) + …, whose vertex is the
/// estimate. The variance is that of an anchored mean of g(t) = mean |N − t| − mean |P − t|.
#[test]
fn minimises_the_energy_distance() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for digits in [None, Some(20.0), Some(2.0)] {
        for (n_positive, n_negative, n) in [(4, 5, 6), (30, 50, 200), (150, 90, 40)] {
            let (positive, negative) =
                (draw(&mut rng, n_positive, 0.6, digits), draw(&mut rng, n_negative, 2.0, digits));
            let test = draw(&mut rng, n, 1.1, digits);
            let d = |a: &[f64], b: &[f64]| distance(a, b);
            let square = 2.0 * d(&positive, &negative) - d(&positive, &positive) - d(&negative, &negative);
            let linear = d(&test, &negative) - d(&negative, &negative) - d(&test, &positive) + d(&positive, &negative);
            let expected = linear / square;
            let g = |t: &f64| d(&[*t], &negative) - d(&[*t], &positive);
            let variance = |scores: &[f64]| {
                let values: Vec<f64> = scores.iter().map(g).collect();
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
            };
            let (plus, minus) = (variance(&positive), variance(&negative));
            let alpha = expected.clamp(0.0, 1.0);
            let squared_error = (alpha * plus + (1.0 - alpha) * minus) / n as f64
                + alpha * alpha * plus / n_positive as f64
                + (1.0 - alpha).powi(2) * minus / n_negative as f64;
            let (raw, se) = estimate_and_se(&model(&positive, &negative).unwrap(), &test);
            let context = format!("{digits:?} {n_positive} {n_negative} {n}");
            assert!((raw - expected).abs() < 1e-13 / square, "{context}: {raw} not {expected}");
            assert!((se - squared_error.sqrt() / square).abs() < 1e-13 / square, "{context}: {se}");
        }
    }
}

#[test]
fn two_values_give_adjusted_count() {
    let ones = |ones: usize, n: usize| -> Vec<f64> { (0..n).map(|row| f64::from(u8::from(row < ones))).collect() };
    let (raw, _) = estimate_and_se(&model(&ones(8, 10), &ones(6, 20)).unwrap(), &ones(50, 100));
    assert!((raw - 0.4).abs() < 1e-15, "{raw}");
}

/// The labelled scores define g and also anchor it, which to first order costs nothing. With few
/// labels of classes one standard deviation apart, 95 % of 3000 intervals cover, within four Monte
/// Carlo errors plus 1 % for the linear approximation.
#[test]
fn intervals_cover_with_few_labels() {
    const SETS: u64 = 3000;
    for (per_class, n, positives) in [(20, 200, 60), (30, 1000, 50), (100, 500, 250)] {
        let truth = positives as f64 / n as f64;
        let (mut covered, mut errors, mut variances) = (0, Vec::new(), 0.0);
        for set in 0..SETS {
            let mut rng = stream(20_261_123, set);
            let mut draw = |n: usize, mean: f64| -> Vec<f64> {
                (0..n).map(|_| 1.0 / (1.0 + (-normal(&mut rng, mean)).exp())).collect()
            };
            let (positive, negative) = (draw(per_class, 1.0), draw(per_class, 0.0));
            let test = [draw(positives, 1.0), draw(n - positives, 0.0)].concat();
            let batch = Batch::new(&test).with_probabilities(&test).unwrap();
            // Rarely the positives have the lower mean, and the fit fails.
            let Ok(model) = model(&positive, &negative) else { continue };
            let estimate = model.estimate(batch).unwrap()[0].clone();
            covered += u32::from(estimate.interval.unwrap().contains(truth));
            errors.push(estimate.raw - truth);
            variances += estimate.std_error.unwrap().powi(2);
        }
        let sets = errors.len() as f64;
        let bias = errors.iter().sum::<f64>() / sets;
        let variance = errors.iter().map(|e| (e - bias).powi(2)).sum::<f64>() / sets;
        let coverage = f64::from(covered) / sets;
        let noise = (variance / sets).sqrt();
        println!(
            "{per_class} {n} {positives}: covers {coverage:.4}, bias {bias:+.4} ± {noise:.4}, \
             variance {variance:.5} of {:.5}",
            variances / sets
        );
        assert!((coverage - 0.95).abs() < 4.0 * (0.95_f64 * 0.05 / sets).sqrt() + 0.01, "{coverage}");
    }
}
