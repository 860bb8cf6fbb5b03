//! What is known of two estimates without knowing either: of the same scores twice, in another order, on another scale.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::distribution::Family;
use truecount::{Estimate, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

/// Scores of few binary digits, so that doubling and shifting round nothing; all different, or many alike.
struct Data {
    scores: Vec<f64>,
    labels: Vec<bool>,
    test: Vec<f64>,
}

impl Data {
    fn each() -> [Self; 2] {
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
        self.model(settings).estimate(&self.test, &IntervalOptions::default()).unwrap()
    }
}

/// Every method with every family that the scores may have.
fn settings(cutoff: f64) -> impl Iterator<Item = Settings> {
    let families = Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| !family.requires_probabilities());
    families.map(move |family| Settings {
        methods: Method::ALL.to_vec(),
        family,
        cutoff: Some(cutoff),
        ..Settings::default()
    })
}

fn assert_close(a: &Estimate, b: &Estimate, tolerance: f64) {
    let numbers = |e: &Estimate| {
        let [se, lower, upper] = e.uncertainty.map_or([0.0; 3], |u| [u.se, u.lower, u.upper]);
        [e.raw, se, lower, upper]
    };
    for (x, y) in numbers(a).into_iter().zip(numbers(b)) {
        assert!((x - y).abs() < tolerance, "{}: {x} and {y}", a.method);
    }
}

/// The estimate stays, and of its variance the part that is drawn with the test scores is halved.
#[test]
fn the_same_test_scores_twice() {
    for data in Data::each() {
        let twice = [data.test.as_slice(), &data.test].concat();
        for settings in settings(0.3) {
            let model = data.model(&settings);
            for target in [Target::Sample, Target::Population] {
                let reporting = IntervalOptions::new(0.95, target).unwrap();
                let (once, twice) =
                    (model.estimate(&data.test, &reporting).unwrap(), model.estimate(&twice, &reporting).unwrap());
                for ((quantifier, a), b) in model.quantifiers().iter().zip(&once).zip(&twice) {
                    // The mean of a posterior is drawn to the prior's by as much as a score or two weigh.
                    if [Method::BCC, Method::PQ].contains(&a.method) {
                        assert!((a.raw - b.raw).abs() < 0.02, "{}: {} and {}", a.method, a.raw, b.raw);
                        continue;
                    }
                    assert!((a.raw - b.raw).abs() < 1e-12, "{}: {} and {}", a.method, a.raw, b.raw);
                    let (Some(a_found), Some(b_found)) = (a.uncertainty, b.uncertainty) else {
                        assert_eq!(a.uncertainty, b.uncertainty, "{}", a.method);
                        continue;
                    };
                    // What the recalibration owes the labelled scores stays too, and no plan tells how much that is.
                    if a.method == Method::SLD_BCTS {
                        let ratio = (a_found.se / b_found.se).powi(2);
                        assert!((1.0..2.0).contains(&ratio), "{ratio}");
                        continue;
                    }
                    let precision = quantifier.precision(a.prevalence);
                    let learnt = precision.map_or(0.0, |precision| precision.learning(a.prevalence));
                    let drawn = [(a_found, 1.0), (b_found, 2.0)].map(|(u, times)| (u.se * u.se - learnt) * times);
                    assert!((drawn[0] - drawn[1]).abs() < 1e-12, "{}, {target:?}: {drawn:?}", a.method);
                    assert!(b_found.upper - b_found.lower < a_found.upper - a_found.lower, "{}", a.method);
                }
            }
        }
    }
}

#[test]
fn rows_in_another_order() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for data in Data::each() {
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

/// Of scores that are moved without rounding.
#[test]
fn another_unit_and_origin() {
    for data in Data::each() {
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
