//! Requirements on every family of score distributions. A new family needs a line or two in
//! `distributions`.

use crate::common::{integral, normal_class as normal, parameters, with_parameter};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use truecount::distribution::Distribution;
use truecount::distribution::{Beta, Family, Kernel, Logistic, ScoreDistribution, SkewNormal, StudentT};
use truecount::error::Problem;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::scores::Class;
use truecount::sweep::{MinSeparation, Separation};

fn skew_normal(location: f64, scale: f64, shape: f64) -> ScoreDistribution {
    SkewNormal::new(location, scale, shape).unwrap().into()
}

fn logistic(location: f64, scale: f64) -> ScoreDistribution {
    Logistic::new(location, scale).unwrap().into()
}

fn student_t(location: f64, scale: f64, degrees_of_freedom: f64) -> ScoreDistribution {
    StudentT::new(location, scale, degrees_of_freedom).unwrap().into()
}

fn beta(a: f64, b: f64) -> ScoreDistribution {
    Beta::new(a, b).unwrap().into()
}

fn kernel(scores: &[f64], bandwidth: f64) -> ScoreDistribution {
    Kernel::with_bandwidth(scores, bandwidth).unwrap().into()
}

fn distributions() -> Vec<ScoreDistribution> {
    let waves: Vec<f64> = (0..500).map(|k| (f64::from(k) * 0.7).sin() + 0.004 * f64::from(k)).collect();
    vec![
        normal(1.0, 2.0),
        normal(-3e4, 1e-3),
        skew_normal(1.0, 1.4, 1.0),
        skew_normal(0.8, 1.7, -1.8),
        skew_normal(-3.0, 2.5, 12.0),
        skew_normal(1e4, 0.1, -150.0),
        skew_normal(0.0, 1.0, -1e12),
        skew_normal(1.0, 2.0, f64::INFINITY),
        skew_normal(3.0, 2.0, f64::NEG_INFINITY),
        logistic(0.5, 1.0),
        logistic(-2e6, 30.0),
        student_t(0.7, 1.5, 0.5),
        student_t(-3.0, 1.0, 1.0),
        student_t(2e3, 0.1, 2.7),
        student_t(0.1, 2.0, 12.0),
        student_t(5.0, 1.0, 150.0),
        beta(2.0, 5.0),
        beta(0.4, 0.7),
        beta(0.05, 3.0),
        beta(8.0, 0.3),
        beta(1.0, 1.0),
        beta(900.0, 40.0),
        kernel(&[-1.0, 2.5], 0.8),
        kernel(&[0.0, 0.5, 0.5, 0.7, 0.8, 0.9, 1.1, 30.0, 1e4], 0.3),
        kernel(&waves, 0.15),
    ]
}

/// Relative change of a tail when x changes by its rounding error.
fn resolution(d: &ScoreDistribution, x: f64, tail: f64) -> f64 {
    4.0 * f64::EPSILON * x.abs() * d.ln_pdf(x).exp() / tail
}

/// Returns whether x is the last double inside the support.
fn is_outermost(d: &ScoreDistribution, x: f64) -> bool {
    let (low, high) = d.support();
    x <= low + f64::MIN_POSITIVE || x >= high.next_down()
}

fn draws(d: &ScoreDistribution, n: usize, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| d.sample(&mut rng)).collect()
}

/// Kolmogorov–Smirnov distance between scores and a distribution.
fn distance(d: &ScoreDistribution, mut scores: Vec<f64>) -> f64 {
    scores.sort_by(f64::total_cmp);
    let n = scores.len() as f64;
    let gap = |(i, x): (usize, &f64)| {
        let below = d.tails(*x).0;
        (below - i as f64 / n).abs().max((below - (i + 1) as f64 / n).abs())
    };
    scores.iter().enumerate().map(gap).fold(0.0, f64::max)
}

/// Critical Kolmogorov–Smirnov distance at level 1e-6: 2 exp(−2 n D²) = 1e-6.
fn critical(n: usize) -> f64 {
    (0.5 * (2e6f64).ln() / n as f64).sqrt()
}

#[test]
fn density_integrates_to_the_tails_between_landmarks() {
    for d in distributions() {
        let landmarks = d.landmarks();
        assert!(landmarks.is_sorted_by(|a, b| a < b), "{d:?}");
        let mut total = 0.0;
        for w in landmarks.windows(2) {
            let (from, to) = (d.tails(w[0]), d.tails(w[1]));
            let mass = if from.0 < 0.5 { to.0 - from.0 } else { from.1 - to.1 };
            let integrated = integral(|x| d.ln_pdf(x).exp(), w[0], w[1], 12);
            let rounding = (w[1].abs() + w[0].abs()) * f64::EPSILON * (d.ln_pdf(w[0]).exp() + d.ln_pdf(w[1]).exp());
            assert!(
                (integrated - mass).abs() < 1e-12 + rounding,
                "{d:?}: {integrated} not {mass} from {} to {}",
                w[0],
                w[1]
            );
            total += mass;
        }
        let outside = d.tails(landmarks[0]).0 + d.tails(landmarks[landmarks.len() - 1]).1;
        assert!((total + outside - 1.0).abs() < 1e-13);
    }
}

#[test]
fn tails_are_monotone_and_sum_to_one() {
    for d in distributions() {
        let landmarks = d.landmarks();
        let grid = landmarks.windows(2).flat_map(|w| (0..100).map(|k| w[0] + (w[1] - w[0]) * f64::from(k) / 100.0));
        let mut before = (0.0f64, 1.0f64);
        for x in grid {
            let (lower, upper) = d.tails(x);
            assert!((lower + upper - 1.0).abs() < 1e-14, "{d:?}: {lower} + {upper}");
            // Monotone up to the stated accuracy.
            assert!(lower >= before.0 * (1.0 - 1e-12) && upper <= before.1 * (1.0 + 1e-12), "{d:?} at {x}");
            before = (lower, upper);
        }
    }
}

#[test]
fn quantiles_invert_the_tails() {
    for d in distributions() {
        for p in [1e-100, 1e-30, 1e-12, 1e-5, 0.01, 0.2, 0.5, 0.7, 0.999] {
            let (lower, upper) = (d.inverse_cdf(p), d.inverse_sf(p));
            for (x, tail) in [(lower, d.tails(lower).0), (upper, d.tails(upper).1)] {
                // A quantile too close to the end of the support is the last double inside.
                if is_outermost(&d, x) {
                    continue;
                }
                let tolerance = 1e-12 + resolution(&d, x, p);
                assert!((tail / p - 1.0).abs() < tolerance, "{d:?}: P = {tail:e} at {x}, not {p:e}");
            }
        }
    }
}

#[test]
fn density_is_the_slope_of_the_tails() {
    for d in distributions() {
        for p in [1e-100, 1e-30, 1e-10, 1e-4, 0.1, 0.4] {
            for (a, b, lower) in
                [(d.inverse_cdf(p), d.inverse_cdf(1.1 * p), true), (d.inverse_sf(1.1 * p), d.inverse_sf(p), false)]
            {
                let (left, right) = (d.tails(a), d.tails(b));
                let mass = if lower { right.0 - left.0 } else { left.1 - right.1 };
                // Doubles may be too coarse, or the quantile may lie in a gap of a kernel density.
                if resolution(&d, a, p) > 1e-13 || mass < 0.09 * p || d.tails(0.5 * (a + b)) == d.tails(a) {
                    continue;
                }
                let integrated = integral(|x| d.ln_pdf(x).exp(), a, b, 40);
                let tolerance = 2e-11 + 100.0 * resolution(&d, a, p);
                assert!((integrated / mass - 1.0).abs() < tolerance, "{d:?} at {a}: {integrated:e}, not {mass:e}");
            }
        }
    }
}

/// Mean log-likelihood.
fn likelihood(d: &ScoreDistribution, scores: &[f64]) -> f64 {
    scores.iter().map(|s| d.ln_pdf(*s)).sum::<f64>() / scores.len() as f64
}

/// Returns the distributions with one parameter changed by ±0.3 %.
fn neighbours(d: &ScoreDistribution) -> Vec<ScoreDistribution> {
    let factors = |parameter| [0.997, 1.003].map(|factor| (parameter, factor));
    let changed = |((name, value, _), factor): (&(String, f64, f64), f64)| with_parameter(d, name, value * factor);
    parameters(d).iter().flat_map(factors).filter_map(changed).collect()
}

#[test]
fn random_scores_follow_the_tails_and_fits_recover_the_distribution() {
    for (seed, d) in (100..).zip(distributions()) {
        let scores = draws(&d, 200_000, seed);
        assert!(distance(&d, scores.clone()) < critical(scores.len()), "{d:?}");
        if d.family() == Family::Beta && scores.iter().any(|s| *s < 1e-290) {
            // Scores underflow to the smallest double.
            continue;
        }
        let fit = d.family().fit(Class::Positive, &scores).unwrap();
        if d.family() == Family::Kernel {
            // The bandwidth widens the distribution, so the fit is only near.
            assert!(distance(&fit, scores) < 0.01, "{d:?}");
            continue;
        }
        let best = likelihood(&fit, &scores);
        assert!(best >= likelihood(&d, &scores) - 1e-9, "{fit:?} for {d:?}");
        for other in neighbours(&fit) {
            assert!(likelihood(&other, &scores) <= best, "{other:?} is likelier than {fit:?}");
        }
        assert!(distance(&fit, scores.clone()) < critical(scores.len()), "{fit:?} for {d:?}");
        let max_difference = d.landmarks().iter().map(|x| (fit.tails(*x).0 - d.tails(*x).0).abs()).fold(0.0, f64::max);
        // Five standard errors of an empirical share; parametric fits are more precise.
        assert!(max_difference < 2.5 / (scores.len() as f64).sqrt(), "{fit:?} for {d:?}: {max_difference}");
    }
}

#[test]
fn distributions_round_trip_through_json() {
    for d in distributions() {
        let text = serde_json::to_string(&d).unwrap();
        assert!(text.starts_with(&format!(r#"{{"family":"{}""#, d.family())), "{text}");
        assert_eq!(serde_json::from_str::<ScoreDistribution>(&text).unwrap(), d);
    }
    for (family, d) in
        [("student-t", student_t(0.0, 1.0, 3.0)), ("beta", beta(2.0, 3.0)), ("logistic", logistic(0.0, 1.0))]
    {
        let mut fields = serde_json::to_value(&d).unwrap();
        fields["extra"] = 1.0.into();
        assert!(serde_json::from_value::<ScoreDistribution>(fields).is_err(), "{family}");
    }
    for text in [
        r#"{"family": "student-t", "location": 0, "scale": 1, "degrees_of_freedom": 0}"#,
        r#"{"family": "beta", "a": -1, "b": 1}"#,
        r#"{"family": "logistic", "location": 0, "scale": 0}"#,
        r#"{"family": "kernel", "bandwidth": 1, "scores": []}"#,
    ] {
        assert!(serde_json::from_str::<ScoreDistribution>(text).is_err(), "{text}");
    }
}

#[test]
fn fits_of_too_few_or_equal_scores_are_errors() {
    for (_, family, _) in Family::TABLE.iter().copied().filter(|(_, family, _)| *family != Family::Auto) {
        let fit = |scores: &[f64]| family.fit(Class::Negative, scores);
        for scores in [&[][..], &[0.5]] {
            let error = fit(scores).unwrap_err();
            let Some(Problem::ClassTooSmall { n, needed, family: name, .. }) = error.problem() else {
                panic!("{family:?}")
            };
            let parameters = if matches!(family, Family::SkewNormal | Family::StudentT) { 3 } else { 2 };
            assert_eq!((*n, *needed, (*name).to_owned()), (scores.len(), parameters, family.to_string()));
        }
        assert!(
            matches!(
                fit(&[0.25; 9]).unwrap_err().problem(),
                Some(Problem::ClassVarianceZero { n: 9, value: 0.25, .. })
            ),
            "{family:?}"
        );
        let extreme = if family == Family::Beta { "score-outside-support" } else { "class-out-of-scale" };
        assert_eq!(fit(&[1e200, -1e200, 0.0]).unwrap_err().code(), extreme, "{family:?}");
        assert!(fit(&[0.1, 0.6, 0.3, 0.35]).is_ok(), "{family:?}");
    }
}

/// Two distributions of each family, positives first.
fn pairs() -> Vec<(ScoreDistribution, ScoreDistribution)> {
    let spread = |middle: f64, n: u32| -> Vec<f64> {
        (0..n).map(|k| middle + 1.5 * (f64::from(k) * 1.3).sin() + 0.8 * (f64::from(k) * 0.37).cos()).collect()
    };
    let heavy: Vec<f64> = [spread(0.0, 80), vec![-60.0, 300.0, 1e5]].concat();
    vec![
        (normal(2.0, 1.0), normal(0.0, 1.5)),
        (normal(0.02, 1.0), normal(0.0, 1.0)),
        (normal(5.0, 1e-3), normal(0.0, 1.0)),
        (normal(20.0, 1.0), normal(0.0, 2e-3)),
        (normal(9.0, 1e-2), normal(0.0, 1e-2)),
        (skew_normal(0.0, 2.0, f64::INFINITY), normal(0.8, 0.5)),
        (skew_normal(1.0, 1.0, f64::INFINITY), skew_normal(0.0, 1.0, f64::NEG_INFINITY)),
        (skew_normal(0.0, 1.5, 6.0), skew_normal(0.5, 1.5, -6.0)),
        (skew_normal(0.2, 1.5, 4.0), skew_normal(1.0, 0.5, -200.0)),
        (logistic(2.0, 0.5), logistic(0.0, 1.0)),
        (logistic(60.0, 1.0), logistic(0.0, 1.0)),
        (student_t(1.5, 1.0, 0.5), student_t(0.0, 1.0, 0.5)),
        (student_t(2.0, 1.0, 1.0), student_t(0.0, 2.0, 4.0)),
        (student_t(3.0, 0.5, 30.0), student_t(0.0, 1.0, 2.0)),
        (student_t(1e4, 1.0, 3.0), student_t(0.0, 1.0, 200.0)),
        (beta(4.0, 2.0), beta(2.0, 4.0)),
        (beta(3.0, 0.4), beta(0.5, 2.0)),
        (beta(0.6, 0.3), beta(0.3, 0.6)),
        (beta(2.0, 0.25), beta(0.05, 1.0)),
        (beta(300.0, 5.0), beta(2.0, 40.0)),
        (kernel(&spread(2.0, 60), 0.4), kernel(&spread(0.0, 90), 0.3)),
        (kernel(&spread(2.0, 60), 0.05), kernel(&spread(0.0, 90), 0.05)),
        (kernel(&spread(1.5, 400), 0.2), kernel(&heavy, 0.3)),
        (kernel(&[2.0, 3.0], 0.5), kernel(&[0.0, 1.0], 0.5)),
    ]
}

/// Skew-normals from symmetric ones to half-normals on either side, positives first.
fn steep_pairs() -> impl Iterator<Item = (ScoreDistribution, ScoreDistribution)> {
    let shapes = [0.0, 3.0, -3.0, 1e3, -1e3, f64::INFINITY, f64::NEG_INFINITY];
    let centred = |mean, sd, shape| SkewNormal::centred(mean, sd, shape).unwrap().into();
    shapes.into_iter().flat_map(move |a| shapes.map(|b| (centred(1.3, 1.0, a), centred(0.0, 0.8, b))))
}

/// E g(S) in one class as ∫ g f: over R between the landmarks of both classes, with g constant
/// between the intervals of R.
fn density_mean(sweep: &ContinuousSweep, separation: &Separation, class: &ScoreDistribution) -> f64 {
    let g = |s: f64| sweep.influence(s);
    let landmarks = [separation.positive().landmarks(), separation.negative().landmarks()].concat();
    let intervals = sweep.region().intervals();
    let mut mean = 0.0;
    for (i, &[left, right]) in intervals.iter().enumerate() {
        let mut breaks: Vec<f64> = landmarks.iter().copied().filter(|x| left < *x && *x < right).collect();
        // Panels shrink towards the ends of R, near which 1/J may have a pole.
        let closer = (1..40).map(|k| (right - left) * 0.5f64.powi(k));
        breaks.extend(closer.flat_map(|d| [left + d, right - d]).chain([left, right]));
        breaks.sort_by(f64::total_cmp);
        for w in breaks.windows(2) {
            mean += integral(|x| g(x) * class.ln_pdf(x).exp(), w[0], w[1], 10);
        }
        let next = intervals.get(i + 1).map_or(f64::INFINITY, |next| next[0]);
        mean += g(right) * (class.tails(right).1 - class.tails(next).1);
    }
    mean
}

#[test]
fn sweeps_of_every_family_have_unit_difference() {
    const SHARES: &[f64] = &[4e-6, 1e-3, 0.02, 0.3, 0.7, 0.95];
    let pairs = pairs().into_iter().map(|pair| (pair, SHARES));
    for ((positive, negative), shares) in pairs.chain(steep_pairs().map(|pair| (pair, &SHARES[3..5]))) {
        let separation = Separation::new(positive, negative).unwrap();
        let context = format!("{:?} and {:?}", separation.positive(), separation.negative());
        let context = &context[..context.len().min(200)];
        let threshold =
            |share| Threshold::Fixed(MinSeparation::new(f64::max(share * separation.max_j(), 1e-6)).unwrap());
        for threshold in shares.iter().map(|share| threshold(*share)).chain([Threshold::Optimal]) {
            let sweep = ContinuousSweep::new(&separation, threshold).unwrap();
            let p = sweep.region().threshold();
            let mut coarsest = 0.0f64;
            for end in sweep.region().intervals().as_flattened() {
                if is_outermost(separation.positive(), *end) {
                    coarsest = f64::INFINITY;
                    continue;
                }
                let j = separation.j(*end);
                let rounding =
                    resolution(separation.positive(), *end, 1.0) + resolution(separation.negative(), *end, 1.0);
                assert!((j - p.value()).abs() < 1e-10 + rounding, "{context}: J({end}) = {j}, not {}", p.value());
                coarsest = coarsest.max(rounding / p.value());
            }
            // Near 1, where a beta density may have a pole, doubles are too coarse for the
            // quadrature.
            if coarsest > 1e-6 {
                continue;
            }
            // If J is largest at the jump of a half-normal, the optimal R is almost a point, and g a step.
            let largest = sweep.influence(f64::MAX);
            if sweep.region().width() < 1e-6 {
                assert!((largest * p.value() - 1.0).abs() < 2e-3, "{context} at {p:?}: {largest}");
                continue;
            }
            let mean = |class| density_mean(&sweep, &separation, class);
            // g is accurate to 1e-12 of its maximum, which is hundreds of thousands if J is small.
            // Most of the error is the same in both classes.
            let (negative_mean, exact) = (mean(separation.negative()), sweep.moments().negative.mean);
            assert!(
                (negative_mean - exact).abs() < 1e-12 * (1.0 + largest),
                "{context} at {p:?}: {negative_mean}, not {exact}"
            );
            let difference = mean(separation.positive()) - negative_mean;
            assert!((difference - 1.0).abs() < 1e-10_f64.max(1e-14 * largest), "{context} at {p:?}: {difference}");
        }
    }
}
