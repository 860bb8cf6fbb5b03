//! Efficient Sweep on bins: invariances, and its estimates for scores of few values.

use crate::common::{assert_close, labelled_probabilities, labels, normal, normals, probabilities, tally};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use truecount::{Estimate, LabelledScores, Method, Model, Settings, Tally};

fn model(scores: &[f64], labels: &[bool]) -> Model {
    Model::fit(&LabelledScores::new(scores, labels).unwrap(), &Settings::default()).unwrap()
}

fn estimate(scores: &[f64], labels: &[bool], test: &[f64]) -> Estimate {
    model(scores, labels).estimate(test).unwrap()[0].clone()
}

/// Labelled scores of both classes, and test scores.
struct Samples {
    scores: Vec<f64>,
    labels: Vec<bool>,
    test: Vec<f64>,
}

fn draw(rng: &mut ChaCha8Rng, [positive, negative, test]: [usize; 3], alpha: f64) -> Samples {
    let scores = normals(rng, 1.5, positive, negative);
    let is_positive = |i: usize| (i as f64) < alpha * test as f64;
    let test = (0..test).map(|i| normal(rng, if is_positive(i) { 1.5 } else { 0.0 })).collect();
    Samples { scores, labels: labels(positive, positive + negative), test }
}

fn bits(estimate: &Estimate) -> [u64; 4] {
    let interval = estimate.interval.unwrap();
    [estimate.raw, estimate.std_error.unwrap(), interval.lower, interval.upper].map(f64::to_bits)
}

#[test]
fn order_of_rows_and_merging_leave_every_bit() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for sizes in [[5, 7, 11], [40, 60, 500], [900, 300, 5000]] {
        let Samples { scores, labels, mut test } = draw(&mut rng, sizes, 0.3);
        let expected = bits(&estimate(&scores, &labels, &test));
        let mut rows: Vec<(f64, bool)> = scores.into_iter().zip(labels).collect();
        rows.shuffle(&mut rng);
        test.shuffle(&mut rng);
        let (scores, labels): (Vec<f64>, Vec<bool>) = rows.into_iter().unzip();
        let model = model(&scores, &labels);
        assert_eq!(bits(&model.estimate(&test).unwrap()[0]), expected);
        let mut whole = Tally::new(&model);
        for piece in test.chunks(7).rev() {
            whole.merge(&Tally::from_state(&model, tally(&model, piece).state()).unwrap()).unwrap();
        }
        assert_eq!(bits(&whole.evaluate().unwrap()[0]), expected);
    }
}

/// With scores of two values every weighting of the bins gives Adjusted Count, and so do the energy
/// distance and the only corner of a P-P plot. Only the unseen errors of `es` differ, which for a count
/// are half an error in each class.
#[test]
fn two_values_give_adjusted_count() {
    for n in [4_usize, 30, 1000] {
        let score = |i: usize, label: bool| f64::from(u8::from((i % n).is_multiple_of(5) != label));
        let scores: Vec<f64> = (0..2 * n).map(|i| score(i, i < n)).collect();
        let test: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i % 7 < 3))).collect();
        let model = Model::fit(
            &labelled_probabilities(&scores, n),
            &Settings::new([Method::AC, Method::ES, Method::EDY, Method::MM]),
        )
        .unwrap();
        let estimates = model.estimate(probabilities(&test)).unwrap();
        for estimate in &estimates[1..] {
            assert_close(estimate.raw, estimates[0].raw, 1e-13);
        }
        assert_close(estimates[1].std_error.unwrap(), estimates[0].std_error.unwrap(), 1e-13);
    }
}

/// An increasing map may move a test score across a bin edge between two labelled scores, and so
/// change the step. The root mean square of the difference is a few hundredths of the standard error.
#[test]
fn increasing_maps_hardly_change_the_estimate() {
    let logistic = |s: &f64| (1.0 + (-2.0 * s).exp()).recip();
    let stretched = |s: &f64| s + s.powi(3);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for (labelled, sets, bound) in [(30, 1000, 0.04), (100, 200, 0.04)] {
        let mut squares = [0.0; 2];
        for _ in 0..sets {
            let Samples { scores, labels, test } = draw(&mut rng, [labelled, labelled, 500], 0.3);
            let plain = estimate(&scores, &labels, &test);
            for (square, map) in squares.iter_mut().zip([&logistic as &dyn Fn(&f64) -> f64, &stretched]) {
                let mapped = |scores: &[f64]| scores.iter().map(map).collect::<Vec<f64>>();
                let mapped_estimate = estimate(&mapped(&scores), &labels, &mapped(&test));
                *square += ((plain.raw - mapped_estimate.raw) / plain.std_error.unwrap()).powi(2);
            }
        }
        let differences = squares.map(|square| (square / f64::from(sets)).sqrt());
        assert!(differences.iter().all(|difference| *difference < bound), "{labelled}: {differences:?}");
    }
}
