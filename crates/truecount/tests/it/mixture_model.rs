//! Forman's mixture model beside its definition: the P-P plot is drawn, its area measured, and no other prevalence leaves less.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings, Warning};

fn draw(rng: &mut ChaCha8Rng, n: usize, shift: f64, digits: f64) -> Vec<f64> {
    (0..n).map(|_| ((rng.random::<f64>() + rng.random::<f64>() + shift) * digits).round() / digits).collect()
}

fn model(positive: &[f64], negative: &[f64]) -> Model {
    let labels: Vec<bool> = (0..positive.len() + negative.len()).map(|row| row < positive.len()).collect();
    let labelled = LabelledScores::new(&[positive, negative].concat(), &labels).unwrap();
    Model::fit(&labelled, &Settings { methods: vec![Method::MM], ..Settings::default() }).unwrap()
}

fn at_most(scores: &[f64], x: f64) -> f64 {
    scores.iter().filter(|s| **s <= x).count() as f64 / scores.len() as f64
}

/// The area between the plot, a line from each score's point to that of the next, and the diagonal: trapezoids in coordinates along and
/// across the diagonal.
fn area(p: f64, positive: &[f64], negative: &[f64], test: &[f64]) -> f64 {
    let mut scores = [positive, negative, test].concat();
    scores.sort_by(f64::total_cmp);
    let at = |x: &f64| (p * at_most(positive, *x) + (1.0 - p) * at_most(negative, *x), at_most(test, *x));
    let points: Vec<(f64, f64)> = [(0.0, 0.0)].into_iter().chain(scores.iter().map(at)).collect();
    let piece = |pair: &[(f64, f64)]| {
        let [(along, across), (then_along, then_across)] = [pair[0], pair[1]].map(|(x, y)| (0.5 * (x + y), y - x));
        let length = then_along - along;
        let both = across.abs() + then_across.abs();
        if across * then_across < 0.0 {
            0.5 * length * (across * across + then_across * then_across) / both
        } else {
            0.5 * length * both
        }
    };
    points.windows(2).map(piece).sum()
}

#[test]
fn no_other_prevalence_leaves_less_area() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut inside = 0;
    for round in 0..120 {
        // Few different scores, many, and all different.
        let digits = [3.0, 20.0, 1e12][round % 3];
        let n = |rng: &mut ChaCha8Rng| rng.random_range(2..40);
        let sizes = [n(&mut rng), n(&mut rng), n(&mut rng)];
        let positive = draw(&mut rng, sizes[0], 0.6, digits);
        let negative = draw(&mut rng, sizes[1], 0.0, digits);
        let share = rng.random_range(0..=sizes[2]);
        let test = [draw(&mut rng, share, 0.6, digits), draw(&mut rng, sizes[2] - share + 1, 0.0, digits)].concat();
        if positive.iter().all(|x| at_most(&positive, x.next_down()) >= at_most(&negative, x.next_down())) {
            continue;
        }
        let found = model(&positive, &negative).estimate(&test, &IntervalOptions::default()).unwrap()[0].raw;
        let least = area(found, &positive, &negative, &test);
        inside += usize::from(found > 0.0 && found < 1.0);
        let tried = (0..=500).map(|k| f64::from(k) / 500.0);
        let near = [1e-3, 1e-5, 1e-7].into_iter().flat_map(|step| [found - step, found + step]);
        for p in tried.chain(near.filter(|p| (0.0..=1.0).contains(p))) {
            let other = area(p, &positive, &negative, &test);
            assert!(other >= least - 1e-14, "round {round}: {other} at {p}, {least} at {found}");
        }
    }
    assert!(inside > 60, "{inside} are no ends");
}

/// With scores of two values the plot has one corner, which Adjusted Count puts on the diagonal.
#[test]
fn of_two_values_is_adjusted_count() {
    let ones = |ones: usize, n: usize| -> Vec<f64> { (0..n).map(|row| f64::from(u8::from(row < ones))).collect() };
    let found = model(&ones(8, 10), &ones(6, 20)).estimate(&ones(50, 100), &IntervalOptions::default()).unwrap()[0].raw;
    assert!((found - 0.4).abs() < 1e-15, "{found}");
}

/// Between the classes F₋ is 1 and F₊ 0: the plot stands at 1 − p, in the middle of the heights it has there.
#[test]
fn worked_by_hand() {
    let model = model(&[2.0, 3.0], &[0.0, 1.0]);
    let found = |test: &[f64]| model.estimate(test, &IntervalOptions::default()).unwrap()[0].clone();
    assert!((found(&[1.5]).raw - 0.5).abs() < 1e-15);
    assert_eq!(found(&[0.5]).raw, 0.0);
    assert!((found(&[1.5, 1.5, 5.0, 5.0, 5.0]).raw - 0.8).abs() < 1e-15);
    // Beyond all labelled scores nothing is told: every p is as good.
    let nothing = found(&[-1.0, 9.0]);
    assert_eq!(nothing.raw, 0.5);
    assert!(nothing.warnings.contains(&Warning::NoSpread), "{:?}", nothing.warnings);
}
