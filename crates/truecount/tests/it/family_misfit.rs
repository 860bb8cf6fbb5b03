//! The warning that labelled scores contradict a fitted family: seldom where it is right, always where it is far off.

#![allow(missing_docs)]

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Gamma, Normal};
use truecount::distribution::Family;
use truecount::{IntervalOptions, LabelledScores, Method, Model, RateSource, Settings, Warning};

/// What is said of a method's estimates, as means over the data sets.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    doubt: f64,
    contradicted: f64,
    /// By how much they are said to be off, nothing where nothing is said, and by how much they are.
    by: f64,
    error: f64,
}

fn said(settings: &Settings, sets: u64, labelled: usize, draw: impl Fn(&mut ChaCha8Rng, bool) -> f64) -> Vec<Said> {
    let mut all = vec![Said::default(); settings.methods.len()];
    for set in 0..sets {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        rng.set_stream(set);
        let labels: Vec<bool> = (0..2 * labelled).map(|i| i < labelled).collect();
        let scores: Vec<f64> = labels.iter().map(|label| draw(&mut rng, *label)).collect();
        let test: Vec<f64> = (0..300).map(|i| draw(&mut rng, i < 60)).collect();
        let model = Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), settings).unwrap().without_check();
        for (estimate, said) in model.estimate(&test, &IntervalOptions::default()).unwrap().into_iter().zip(&mut all) {
            said.error += (estimate.raw - 0.2) / sets as f64;
            for warning in estimate.warnings {
                let (times, off) = match warning {
                    Warning::FamilyInDoubt { by, .. } => (&mut said.doubt, by),
                    Warning::FamilyContradicted { by, .. } => (&mut said.contradicted, by),
                    _ => continue,
                };
                *times += 1.0 / sets as f64;
                said.by += off / sets as f64;
            }
        }
    }
    all
}

/// At a level of 0.01, and within four standard errors of a share of 400.
#[test]
fn a_right_family_is_seldom_in_doubt() {
    let methods = vec![Method::O_CS, Method::ES, Method::SLD];
    let settings = Settings { methods, rates: Some(RateSource::Model), ..Settings::default() };
    for labelled in [30, 100, 1000] {
        let normal =
            |rng: &mut ChaCha8Rng, positive| Normal::new(f64::from(u8::from(positive)) * 1.5, 1.0).unwrap().sample(rng);
        for said in said(&settings, 400, labelled, normal) {
            assert!(said.doubt < 0.03 && said.contradicted == 0.0, "{labelled}: {said:?}");
        }
    }
}

#[test]
fn a_wrong_family_is_contradicted_by_as_much_as_it_is_off() {
    let methods = vec![Method::O_CS, Method::T_CS, Method::SLD, Method::ES, Method::X];
    for (family, anchor) in
        [(Family::Normal, None), (Family::Logistic, Some(RateSource::Model)), (Family::Kernel, None)]
    {
        let settings = Settings { methods: methods.clone(), family, rates: anchor, ..Settings::default() };
        let skewed = |rng: &mut ChaCha8Rng, positive| {
            let x = Gamma::new(0.7, 1.0).unwrap().sample(rng);
            if positive { 3.0 - x } else { x }
        };
        let all = said(&settings, 40, 700, skewed);
        for (method, said) in methods.iter().zip(all) {
            let family_decides = *method != Method::X && (*method != Method::ES || anchor.is_some());
            if family == Family::Kernel || !family_decides {
                assert_eq!((said.doubt, said.contradicted), (0.0, 0.0), "{family} {method}");
            } else if said.error.abs() > 0.02 {
                assert!(said.doubt + said.contradicted > 0.7, "{family} {method}: {said:?}");
                assert!((said.by - said.error).abs() < 0.015, "{family} {method}: {said:?}");
            }
        }
    }
}
