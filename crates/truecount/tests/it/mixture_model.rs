//! Forman's mixture model against its definition: no other prevalence has a P-P plot with a smaller
//! area.

use crate::common::labelled;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::{Method, Model, Settings, Warning};

fn draw(rng: &mut ChaCha8Rng, n: usize, shift: f64, digits: f64) -> Vec<f64> {
    (0..n).map(|_| ((rng.random::<f64>() + rng.random::<f64>() + shift) * digits).round() / digits).collect()
}

fn model(positive: &[f64], negative: &[f64]) -> Model {
    let labelled = labelled(&[positive, negative].concat(), positive.len());
    Model::fit(&labelled, &Settings::new([Method::MM])).unwrap()
}

fn ecdf(scores: &[f64], x: f64) -> f64 {
    scores.iter().filter(|s| **s <= x).count() as f64 / scores.len() as f64
}

/// Area between the P-P plot, joined by straight lines, and the diagonal: trapezoids in coordinates
/// along and across the diagonal.
fn pp_plot_area(p: f64, positive: &[f64], negative: &[f64], test: &[f64]) -> f64 {
    let mut scores = [positive, negative, test].concat();
    scores.sort_by(f64::total_cmp);
    let at = |x: &f64| (p * ecdf(positive, *x) + (1.0 - p) * ecdf(negative, *x), ecdf(test, *x));
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
fn no_other_prevalence_has_a_smaller_area() {
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
        if positive.iter().all(|x| ecdf(&positive, x.next_down()) >= ecdf(&negative, x.next_down())) {
            continue;
        }
        let estimate = model(&positive, &negative).estimate(&test).unwrap()[0].raw;
        let min_area = pp_plot_area(estimate, &positive, &negative, &test);
        inside += usize::from(estimate > 0.0 && estimate < 1.0);
        let grid = (0..=500).map(|k| f64::from(k) / 500.0);
        let near = [1e-3, 1e-5, 1e-7].into_iter().flat_map(|step| [estimate - step, estimate + step]);
        for p in grid.chain(near.filter(|p| (0.0..=1.0).contains(p))) {
            let other = pp_plot_area(p, &positive, &negative, &test);
            assert!(other >= min_area - 1e-14, "round {round}: {other} at {p}, {min_area} at {estimate}");
        }
    }
    assert!(inside > 60, "{inside} estimates inside (0, 1)");
}

/// Between the classes F₋ = 1 and F₊ = 0, so the plot is vertical at 1 − p. The best p puts the
/// diagonal halfway up that line.
#[test]
fn estimates_by_hand() {
    let model = model(&[2.0, 3.0], &[0.0, 1.0]);
    let estimate = |test: &[f64]| model.estimate(test).unwrap()[0].clone();
    assert!((estimate(&[1.5]).raw - 0.5).abs() < 1e-15);
    assert_eq!(estimate(&[0.5]).raw, 0.0);
    assert!((estimate(&[1.5, 1.5, 5.0, 5.0, 5.0]).raw - 0.8).abs() < 1e-15);
    // Scores beyond all labelled ones carry no information: every p is equally good.
    let uninformative = estimate(&[-1.0, 9.0]);
    assert_eq!(uninformative.raw, 0.5);
    assert!(uninformative.warnings.contains(&Warning::NoSpread), "{:?}", uninformative.warnings);
}
