//! Order, unit and origin of the scores: the estimates are the same in any unit, unless an error says that
//! doubles cannot represent the scores.

use crate::common::figures;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::distribution::Family;
use truecount::error::Problem;
use truecount::scores::Transform;
use truecount::{Error, Estimate, Estimates, LabelledScores, Method, Model, Settings};

/// Log-normal scores, skewed as classifier confidences often are.
struct Data {
    scores: Vec<f64>,
    labels: Vec<bool>,
    test: Vec<f64>,
}

impl Data {
    fn new() -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut draw = |positive: bool| {
            let z: f64 = StandardNormal.sample(&mut rng);
            (if positive { 1.3 + z } else { z }).exp()
        };
        let labels: Vec<bool> = (0..160).map(|i| i < 80).collect();
        let scores = labels.iter().map(|label| draw(*label)).collect();
        Self { scores, labels, test: (0..150).map(|i| draw(i % 3 == 0)).collect() }
    }

    /// The same data in another unit and from another origin.
    fn moved(&self, factor: f64, shift: f64) -> Self {
        let move_all = |scores: &[f64]| scores.iter().map(|s| s * factor + shift).collect();
        Self { scores: move_all(&self.scores), labels: self.labels.clone(), test: move_all(&self.test) }
    }

    fn estimates(&self, settings: &Settings) -> Result<Estimates, Error> {
        Model::fit(&LabelledScores::new(&self.scores, &self.labels)?, settings)?.estimate(&self.test)
    }

    /// Estimate from scores in another unit and from another origin.
    fn estimate(&self, settings: &Settings, factor: f64, shift: f64) -> Result<Estimate, Error> {
        let settings = settings.clone().with_cutoff(CUTOFF * factor + shift);
        Ok(self.moved(factor, shift).estimates(&settings)?[0].clone())
    }
}

const CUTOFF: f64 = 2.1;

/// Settings of every method with every family that it fits, with and without the rank transform.
fn settings() -> impl Iterator<Item = Settings> {
    let families = |method: &Method| if method.fits_family() { Family::TABLE } else { &Family::TABLE[..1] };
    let families_of = move |method: Method| {
        let usable = families(&method).iter().map(|(_, family, _)| *family);
        usable.filter(|family| !family.requires_probabilities()).map(move |family| (method, family))
    };
    let both = |(method, family)| {
        [Transform::None, Transform::Rank]
            .map(|transform| Settings::new([method]).with_family(family).with_transform(transform))
    };
    Method::ALL.iter().copied().flat_map(families_of).flat_map(both)
}

#[test]
fn estimates_do_not_depend_on_the_unit() {
    let data = Data::new();
    for settings in settings() {
        let context = format!("{} {} {}", settings.methods[0], settings.family, settings.transform);
        let expected = data.estimate(&settings, 1.0, 0.0);
        for factor in [1e-312, 1e-307, 1e-200, 1e-153, 1e-100, 1e100, 1e149, 1e155, 1e200, 1e300, 1e305, 2e306] {
            match (data.estimate(&settings, factor, 0.0), &expected) {
                (Ok(actual), Ok(expected)) => {
                    for (a, b) in figures(&actual).into_iter().zip(figures(expected)) {
                        assert!((a - b).abs() < 1e-9, "{context} at {factor:e}: {a}, not {b}");
                    }
                }
                (Err(actual), Err(expected)) => assert!(
                    actual.code() == expected.code()
                        || matches!(actual.problem(), Some(Problem::ClassOutOfScale { .. })),
                    "{context} at {factor:e}: {actual}"
                ),
                // Fits need the squares of scores.
                (Err(actual), Ok(_)) if actual.code() == "class-out-of-scale" => {
                    let fits = settings.methods[0].fits_family() || settings.methods[0] == Method::SMM;
                    let extreme = !(1e-149..1e149).contains(&factor);
                    assert!(fits && extreme && settings.transform == Transform::None, "{context} at {factor:e}");
                }
                (actual, _) => panic!("{context} at {factor:e}: {actual:?}"),
            }
        }
    }
}

/// The scores are scaled and shifted without rounding, with hardly any ties and with many.
#[test]
fn order_unit_and_origin_do_not_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let families = Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| !family.requires_probabilities());
    for (family, step) in families.flat_map(|family| [(family, (-20f64).exp2()), (family, 0.25)]) {
        let settings = Settings::new(Method::ALL.iter().copied()).with_family(family);
        let Data { mut scores, labels, mut test } = Data::new();
        scores.iter_mut().chain(&mut test).for_each(|score| *score = (*score / step).round() * step);
        let expected = Data { scores: scores.clone(), labels: labels.clone(), test: test.clone() };
        let expected = expected.estimates(&settings.clone().with_cutoff(CUTOFF)).unwrap();
        for (factor, shift) in [(0.5, 0.0), (1024.0, 0.0), (1.0, 8.0), (4.0, -64.0)] {
            let mut rows: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
            rows.shuffle(&mut rng);
            test.shuffle(&mut rng);
            let (scores, labels) = rows.into_iter().unzip();
            let moved = Data { scores, labels, test: test.clone() }.moved(factor, shift);
            let moved = moved.estimates(&settings.clone().with_cutoff(CUTOFF * factor + shift)).unwrap();
            for (a, b) in moved.iter().zip(&expected) {
                assert_eq!(a.warnings.len(), b.warnings.len(), "{family} {}", a.method);
                let pairs = figures(a).into_iter().zip(figures(b));
                assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-9), "{family} {}: {a:?} {b:?}", a.method);
            }
        }
    }
}

/// Shifts by 1e15 round the scores to eighths.
#[test]
fn scores_far_from_zero_give_an_estimate_or_an_error() {
    let data = Data::new();
    for settings in settings() {
        let expected = data.estimate(&settings, 1.0, 0.0);
        for (factor, shift) in [(1.0, 1e15), (1.0, -1e15), (1.0, 1e17), (1e-3, 1e15), (1e140, 1e155)] {
            let context = format!("{} {} {}", settings.methods[0], settings.family, settings.transform);
            match data.estimate(&settings, factor, shift) {
                Ok(estimate) => {
                    assert!(figures(&estimate).iter().all(|x| x.is_finite()), "{context}: {estimate:?}");
                    let Ok(expected) = &expected else { continue };
                    // Rounding to eighths moves an estimate little compared with its standard
                    // error.
                    if let (Some(se), true) = (expected.std_error, factor == 1.0 && shift.abs() == 1e15) {
                        let off = (estimate.raw - expected.raw).abs() / se;
                        assert!(off < 0.5, "{context}: {off} standard errors off");
                    }
                }
                Err(error) => assert!(!error.to_string().contains("NaN"), "{context}: {error}"),
            }
        }
    }
}

/// Ordinary labelled scores, with test scores at the extremes of doubles.
#[test]
fn extreme_test_scores_give_finite_figures() {
    let data = Data::new();
    let extremes = [
        vec![1e308; 3],
        vec![f64::MAX, f64::MIN, 1.0],
        vec![1e200, -1e200, 1e155, 2.0, 3.0],
        vec![1e-310, 5e-324, -5e-324, 0.0],
    ];
    for settings in settings() {
        let Ok(model) = Model::fit(&LabelledScores::new(&data.scores, &data.labels).unwrap(), &settings) else {
            continue;
        };
        for scores in &extremes {
            let estimate = &model.estimate(scores).unwrap()[0];
            let context = format!("{} {} {}", settings.methods[0], settings.family, settings.transform);
            assert!(figures(estimate).iter().all(|x| x.is_finite()), "{context}, {scores:?}: {estimate:?}");
        }
    }
}
