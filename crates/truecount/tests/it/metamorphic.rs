//! Metamorphic tests: estimates must not change if the scores are reordered or rescaled.

use crate::common::figures;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::distribution::Family;
use truecount::{Estimate, Estimates, LabelledScores, Method, Model, Settings};

/// Labelled and test scores with few binary digits, so that scaling and shifting are exact.
struct Data {
    scores: Vec<f64>,
    labels: Vec<bool>,
    test: Vec<f64>,
}

impl Data {
    /// Data without ties, and data with many.
    fn without_and_with_ties() -> [Self; 2] {
        [(-20f64).exp2(), 0.25].map(|step| {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let mut draw = |positive: bool| {
                let z: f64 = StandardNormal.sample(&mut rng);
                ((if positive { 1.1 + 1.2 * z } else { -0.6 + z }) / step).round() * step
            };
            let labels: Vec<bool> = (0..150).map(|i| i % 5 < 2).collect();
            let scores = labels.iter().map(|label| draw(*label)).collect();
            Self { scores, labels, test: (0..101).map(|i| draw(i % 4 == 0)).collect() }
        })
    }

    fn model(&self, settings: &Settings) -> Model {
        Model::fit(&LabelledScores::new(&self.scores, &self.labels).unwrap(), settings).unwrap()
    }

    fn estimates(&self, settings: &Settings) -> Estimates {
        self.model(settings).estimate(&self.test).unwrap()
    }
}

/// Settings of every method with every family that fits bare scores.
fn settings(cutoff: f64) -> impl Iterator<Item = Settings> {
    let families = Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| !family.requires_probabilities());
    families.map(move |family| Settings::new(Method::ALL.iter().copied()).with_family(family).with_cutoff(cutoff))
}

fn assert_close(a: &Estimate, b: &Estimate, tolerance: f64) {
    for (x, y) in figures(a).into_iter().zip(figures(b)) {
        assert!((x - y).abs() < tolerance, "{}: {x} and {y}", a.method);
    }
}

#[test]
fn row_order_does_not_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for data in Data::without_and_with_ties() {
        for settings in settings(0.3) {
            let mut order: Vec<usize> = (0..data.scores.len()).collect();
            (1..order.len()).for_each(|k| order.swap(k, rng.random_range(0..=k)));
            let mut test = data.test.clone();
            (1..test.len()).for_each(|k| test.swap(k, rng.random_range(0..=k)));
            let other = Data {
                scores: order.iter().map(|row| data.scores[*row]).collect(),
                labels: order.iter().map(|row| data.labels[*row]).collect(),
                test,
            };
            for (a, b) in data.estimates(&settings).iter().zip(&other.estimates(&settings)) {
                assert_eq!(a.warnings.len(), b.warnings.len(), "{}", a.method);
                assert_close(a, b, 1e-9);
            }
        }
    }
}

/// The scores are scaled and shifted without rounding.
#[test]
fn unit_and_origin_of_the_scores_do_not_matter() {
    for data in Data::without_and_with_ties() {
        for (factor, shift) in [(0.5, 0.0), (1024.0, 0.0), (1.0, 8.0), (4.0, -64.0)] {
            let move_all = |scores: &[f64]| scores.iter().map(|s| s * factor + shift).collect::<Vec<_>>();
            let moved =
                Data { scores: move_all(&data.scores), labels: data.labels.clone(), test: move_all(&data.test) };
            for (settings, other) in settings(0.3125).zip(settings(0.3125 * factor + shift)) {
                for (a, b) in data.estimates(&settings).iter().zip(&moved.estimates(&other)) {
                    assert_close(a, b, 1e-9);
                }
            }
        }
    }
}
