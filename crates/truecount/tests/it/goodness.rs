//! The goodness of fit of a family to a class, against SciPy's statistic and published critical
//! values.

use crate::common::assert_share;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use truecount::distribution::{Distribution, Family, Logistic, Normal, SkewNormal};
use truecount::scores::Class;
use truecount::shift_test::Goodness;

fn draws(distribution: &dyn Distribution, n: usize, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| distribution.sample(&mut rng)).collect()
}

fn replicates(goodness: &Goodness, count: u64) -> Vec<f64> {
    (0..count).map(|replicate| goodness.replicate(6, replicate)).collect()
}

/// `scipy.stats.cramervonmises(x, 'norm', args=(x.mean(), x.std(ddof=1))).statistic` of SciPy 1.17.
#[test]
fn the_statistic_agrees_with_scipy() {
    let scores = [1.3, -1.4, -0.9, -0.6, 2.9, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0];
    let goodness = Goodness::new(Family::Normal, Class::Positive, &scores).unwrap();
    assert!((goodness.statistic() - 0.032_382_722_031_692_37).abs() < 1e-13, "{}", goodness.statistic());
}

/// D'Agostino and Stephens (1986), Tables 4.7 and 4.22, with both parameters estimated: in 10, 5
/// and 1 % of the samples, W²(1 + 0.5/n) exceeds 0.104, 0.126 and 0.179 (normal), and (nW² −
/// 0.08)/(n − 1) exceeds 0.081, 0.098 and 0.136 (logistic). The tolerance is four Monte Carlo
/// standard errors of 10,000 replicates plus 0.3 points for the rounding of the critical values.
#[test]
fn replicates_exceed_the_critical_values_at_their_levels() {
    let normal: fn(f64) -> f64 = |w| w * 1.005;
    let logistic: fn(f64) -> f64 = |w| (100.0 * w - 0.08) / 99.0;
    for (family, scores, modified, critical) in [
        (Family::Normal, draws(&Normal::new(3.0, 2.0).unwrap(), 100, 1), normal, [0.104, 0.126, 0.179]),
        (Family::Logistic, draws(&Logistic::new(3.0, 2.0).unwrap(), 100, 2), logistic, [0.081, 0.098, 0.136]),
    ] {
        let goodness = Goodness::new(family, Class::Positive, &scores).unwrap();
        let replicates = replicates(&goodness, 10_000);
        for (critical, level) in critical.into_iter().zip([0.1f64, 0.05, 0.01]) {
            let exceed = replicates.iter().map(|w| u32::from(modified(*w) >= critical)).sum();
            assert_share(exceed, 10_000, level, 0.003, family);
        }
    }
}

#[test]
fn a_wrong_family_is_rejected_and_the_right_one_is_not() {
    let skewed = draws(&SkewNormal::new(0.0, 1.0, 6.0).unwrap(), 400, 3);
    let p = |family| {
        let goodness = Goodness::new(family, Class::Negative, &skewed).unwrap();
        goodness.p_value(&replicates(&goodness, 199))
    };
    assert_eq!(p(Family::Normal), 1.0 / 200.0);
    assert!(p(Family::SkewNormal) > 0.05);
}

/// No family fits integers from 1 to 5. The skew-normal fit becomes a half-normal that begins at 1.
#[test]
fn few_different_values_fit_no_family() {
    let grades: Vec<f64> = (0..100).map(|k| f64::from(k * k % 10 / 2 + 1)).collect();
    for family in [Family::Normal, Family::SkewNormal, Family::Logistic, Family::StudentT] {
        let goodness = Goodness::new(family, Class::Negative, &grades).unwrap();
        assert!(goodness.statistic().is_finite());
        assert_eq!(goodness.p_value(&replicates(&goodness, 199)), 1.0 / 200.0, "{family}");
    }
}

#[test]
fn edge_cases_give_a_result_or_an_error() {
    let fit = |scores: &[f64]| Goodness::new(Family::Normal, Class::Negative, scores);
    assert_eq!(Goodness::new(Family::Beta, Class::Negative, &[0.2, 1.5]).unwrap_err().code(), "score-outside-support");
    // With one outlier the fitted normal has F = ½ at all other scores.
    let scores: Vec<f64> = (0..1000).map(|k| f64::from(k % 7)).chain([1e9]).collect();
    let far = fit(&scores).unwrap();
    assert!((10.0..100.0).contains(&far.statistic()));
    assert_eq!(far.p_value(&[]), 1.0);
    assert_eq!(far.p_value(&[f64::INFINITY, 0.5, 0.1]), 0.5);
}
