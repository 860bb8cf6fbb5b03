//! What several estimates have in common, against replicates of the bootstrap, which fits everything anew to one resample of the
//! labelled scores for all groups.

use super::*;
use crate::distribution::{Distribution, Normal};
use crate::{Estimate, Labelled, LabelledScores, Method, Overlap, Settings, Target, Together};

const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];
const LABELS: usize = 400;
const REPLICATES: u64 = 800;

/// The quantiles of a normal with this mean: scores of which nothing is by chance.
fn class(mean: f64, n: usize) -> impl Iterator<Item = f64> {
    let class = Normal::new(mean, 1.0).unwrap();
    (0..n).map(move |i| class.quantile((i as f64 + 0.5) / n as f64))
}

fn scores(positives: usize, negatives: usize) -> Vec<f64> {
    class(1.5, positives).chain(class(0.0, negatives)).collect()
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    a.iter().zip(b).map(|(x, y)| (x - of_a) * (y - of_b)).sum::<f64>() / (a.len() - 1) as f64
}

/// Within four Monte Carlo errors √((v₁v₂ + c²)/B) of the replicates' covariance, which for a variance is √(2/B) of it.
fn assert_covariance(said: f64, first: &[f64], second: &[f64], what: &str) {
    let found = covariance(first, second);
    let product = covariance(first, first) * covariance(second, second);
    let error = ((product + found * found) / first.len() as f64).sqrt();
    assert!((said - found).abs() < 4.0 * error, "{what}: {said:e}, not {found:e} ± {error:e}");
}

/// For the sample, what drawing the test scores adds to the replicates is added to what is said: to variances, and to the covariance
/// of two methods on the same scores. Two groups do not share it.
#[test]
fn variances_and_covariances_are_those_of_replicates() {
    let positive: Vec<bool> = (0..2 * LABELS).map(|i| i < LABELS).collect();
    let settings = Settings { methods: METHODS.to_vec(), cutoff: Some(0.75), ..Settings::default() };
    let train = LabelledScores::new(&scores(LABELS, LABELS), &positive).unwrap();
    let model = Model::fit(&train, &settings).unwrap().without_check();
    let groups = [scores(300, 700), scores(1200, 800)];
    let bootstrap = Bootstrap::new(&model, groups.iter().map(Batch::from).collect(), 1).unwrap();
    let replicates: Vec<Replicate> = (0..REPLICATES).map(|number| bootstrap.replicate(number)).collect();
    let found = |group: usize, method: usize| -> Vec<f64> {
        let place = group * METHODS.len() + method;
        replicates.iter().map(|replicate| replicate.found[place].unwrap()).collect()
    };
    for target in [Target::Sample, Target::Population] {
        let reporting = Reporting::new(0.95, target).unwrap();
        let [first, second] = groups.each_ref().map(|group| model.estimate(group, &reporting).unwrap());
        let se = |estimate: &Estimate| estimate.uncertainty.unwrap().se;
        let drawing = |estimate: &Estimate| match target {
            Target::Sample => estimate.prevalence * (1.0 - estimate.prevalence) / estimate.n as f64,
            Target::Population => 0.0,
        };
        for (place, method) in METHODS.into_iter().enumerate() {
            let what = format!("{method} of the {target}");
            for (group, estimate) in [&first[place], &second[place]].into_iter().enumerate() {
                let of_group = found(group, place);
                assert_covariance(se(estimate).powi(2) + drawing(estimate), &of_group, &of_group, &what);
            }
            let said = |together: Together, a: &Estimate, b: &Estimate, overlap| {
                together.difference(a, b, overlap, &reporting).unwrap().correlation * se(a) * se(b)
            };
            let (a, b) = (&first[place], &second[place]);
            let groups = said(Together::of(&model, method).unwrap(), a, b, Overlap::None);
            assert_covariance(groups, &found(0, place), &found(1, place), &what);
            // On the same scores.
            let next = (place + 1) % METHODS.len();
            let two = Together::of_two([(&model, method), (&model, METHODS[next])], Labelled::Paired).unwrap();
            let methods = said(two, a, &first[next], Overlap::All) + drawing(a);
            assert_covariance(methods, &found(0, place), &found(0, next), &format!("{what} and {}", METHODS[next]));
        }
    }
}
