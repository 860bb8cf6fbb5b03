//! Intervals that are widened where the test scores are no mixture of the labelled classes: identities, and coverage by simulation.

use crate::common::integral;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::f64::consts::FRAC_PI_2;
use truecount::check::ShiftCheck;
use truecount::inference::Interval;
use truecount::{
    Estimate, IntervalEstimate, IntervalOptions, JointErrors, LabelledScores, Method, Model, OnMisfit, Overlap,
    Settings, Target, Warning,
};

const METHODS: [Method; 3] = [Method::ES, Method::O_CS, Method::AC];
const DISTANCE: f64 = 1.8;

/// Normal classes, so many scores of each, those of the positives first.
fn sample(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Vec<f64> {
    let mean = |i: usize| if i < positives { DISTANCE } else { 0.0 };
    let normal = |i: usize, noise: f64| mean(i) + noise;
    (0..positives + negatives).map(|i| normal(i, StandardNormal.sample(rng))).collect()
}

/// As many labels of each class.
fn model(rng: &mut ChaCha8Rng, labels: usize, methods: &[Method]) -> Model {
    let scores = sample(rng, labels, labels);
    let positive: Vec<bool> = (0..scores.len()).map(|i| i < labels).collect();
    let settings = Settings { methods: methods.to_vec(), cutoff: Some(0.5 * DISTANCE), ..Settings::default() };
    Model::fit(&LabelledScores::new(&scores, &positive).unwrap(), &settings).unwrap()
}

/// Scores of another version of the classifier.
fn times(scores: &[f64], factor: f64) -> Vec<f64> {
    scores.iter().map(|score| score * factor).collect()
}

fn interval(estimate: &Estimate) -> IntervalEstimate {
    estimate.uncertainty.unwrap()
}

fn width(estimate: &Estimate) -> f64 {
    interval(estimate).upper - interval(estimate).lower
}

/// A method's intervals, plain and widened, as means over the replications.
#[derive(Default)]
struct Found {
    held: [f64; 2],
    widths: [f64; 2],
    rejected: f64,
}

/// Labels of each class, and test scores.
const SIZES: [(usize, usize); 2] = [(500, 1000), (2000, 5000)];

/// Shares of positives among the test scores, in per cent.
const PREVALENCES: [usize; 4] = [5, 20, 50, 80];

const SETTINGS: u32 = 8;

/// Every method over so many replications of every size and prevalence, the test scores times a factor.
fn replicate(replications: u32, seed: u64, factor: f64) -> [Found; METHODS.len()] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut found: [Found; METHODS.len()] = Default::default();
    let one = f64::from(replications * SETTINGS).recip();
    let settings = SIZES.into_iter().flat_map(|size| PREVALENCES.map(|percent| (size, percent)));
    for ((labels, n), percent) in settings {
        let (positives, truth) = (n * percent / 100, percent as f64 / 100.0);
        for _ in 0..replications {
            let model = model(&mut rng, labels, &METHODS);
            let test = times(&sample(&mut rng, positives, n - positives), factor);
            for (place, on) in [OnMisfit::Warn, OnMisfit::Widen].into_iter().enumerate() {
                let estimates = model.estimate(&test, &IntervalOptions::default().on_misfit(on)).unwrap();
                for (of, estimate) in found.iter_mut().zip(&*estimates) {
                    let ends = interval(estimate);
                    of.held[place] += if (ends.lower..=ends.upper).contains(&truth) { one } else { 0.0 };
                    of.widths[place] += one * width(estimate);
                    let rejected = estimate.warnings.iter().any(Warning::is_of_misfit);
                    of.rejected += if rejected && on == OnMisfit::Widen { one } else { 0.0 };
                }
            }
        }
    }
    found
}

/// Where nothing is broken intervals hold, widened or not, and what widening costs are false alarms: one sample in a hundred, and less than
/// twice as much more width there.
#[test]
fn little_is_lost_where_nothing_is_broken() {
    let replications = 60;
    let error = |share: f64| 4.0 * (share * (1.0 - share) / f64::from(replications * SETTINGS)).sqrt();
    for (method, found) in METHODS.iter().zip(replicate(replications, 11, 1.0)) {
        let Found { held: [plain, widened], widths, rejected } = found;
        assert!((plain - 0.95).abs() < error(0.95), "{method}: {plain}");
        assert!(plain <= widened && widened <= plain + rejected + 1e-12, "{method}: {plain} {widened}");
        assert!(rejected < 0.01 + error(0.01), "{method}: {rejected}");
        let lost = widths[1] / widths[0] - 1.0;
        assert!(lost > 0.0 && lost < 2.0 * rejected, "{method}: {lost} {rejected}");
    }
}

/// All scores times ¾: the plain intervals are far too narrow, the widened ones hold nine times in ten.
#[test]
fn widened_intervals_hold_for_another_version_of_the_scores() {
    for (method, found) in METHODS.iter().zip(replicate(30, 12, 0.75)) {
        let Found { held: [plain, widened], rejected, .. } = found;
        assert!(plain <= 0.4 && widened >= 0.9, "{method}: {plain} {widened}");
        assert!(rejected > 0.95, "{method}: {rejected}");
    }
}

/// P(|T| < t) for Student's T with any number of degrees of freedom: with t = √f tan θ its density is proportional to cos^(f−1) θ.
fn within(t: f64, freedom: f64) -> f64 {
    let density = |angle: f64| angle.cos().max(0.0).powf(freedom - 1.0);
    let to = (t / freedom.sqrt()).atan();
    integral(density, 0.0, to, 40) / integral(density, 0.0, FRAC_PI_2, 200)
}

/// Where an increasing function is a value.
fn solve(f: impl Fn(f64) -> f64, value: f64, mut from: f64, mut to: f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (from + to);
        if f(middle) < value { from = middle } else { to = middle }
    }
    from
}

fn student(level: f64, freedom: f64) -> f64 {
    solve(|t| within(t, freedom), level, 0.0, 1e3)
}

/// The degrees of freedom with which so much lies within t; fewer have heavier tails.
fn freedom(t: f64, level: f64) -> f64 {
    solve(|freedom| within(t, freedom), level, 1.0, 100.0)
}

fn wald(level: f64, on: OnMisfit) -> IntervalOptions {
    IntervalOptions::new(level, Target::Sample).unwrap().with_interval(Interval::Wald).on_misfit(on)
}

/// Half the width of Wald's interval.
fn half(model: &Model, test: &[f64], level: f64) -> f64 {
    let estimate = &model.estimate(test, &wald(level, OnMisfit::Widen)).unwrap()[0];
    let ends = interval(estimate);
    assert!((0.5 * (ends.upper + ends.lower) - estimate.raw).abs() < 1e-12);
    0.5 * width(estimate)
}

/// At every level the ends are t standard errors times S from the estimate, with t Student's quantile for one number of degrees of
/// freedom. (The library's expansion of it is good to 1e-3 here.) That number is what the law of the check's statistic says: of
/// Σλχ² it is 2 (E T)²/Var T, as it is in 2000 samples where nothing is broken.
#[test]
fn ends_are_students_quantile_times_the_scale_factor() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let model = model(&mut rng, 2000, &[Method::ES]);
    let test = times(&sample(&mut rng, 2500, 2500), 0.75);
    let plain = &model.estimate(&test, &wald(0.95, OnMisfit::Warn)).unwrap()[0];
    let scale = plain.misfit.unwrap().scale;
    assert!(scale > 3.0, "{scale}");
    let t = |level| half(&model, &test, level) / (scale * interval(plain).se);
    let found = freedom(t(0.5), 0.5);
    for level in [0.3, 0.8, 0.9, 0.95] {
        let expected = student(level, found);
        assert!((t(level) / expected - 1.0).abs() < 2e-3, "{level}: {} {expected}", t(level));
    }

    let statistics: Vec<f64> = (0..2000)
        .map(|_| {
            let (train, test) = (sample(&mut rng, 400, 400), sample(&mut rng, 500, 500));
            let labels: Vec<bool> = (0..800).map(|i| i < 400).collect();
            let check = ShiftCheck::new(&LabelledScores::new(&train, &labels).unwrap()).unwrap();
            let mut tally = check.tally();
            check.update(&mut tally, &test).unwrap();
            check.test(&tally).unwrap().statistic
        })
        .collect();
    let n = statistics.len() as f64;
    let mean = statistics.iter().sum::<f64>() / n;
    let moment = |power| statistics.iter().map(|s| (s - mean).powi(power)).sum::<f64>() / n;
    let (variance, error) = (moment(2), ((moment(4) - moment(2).powi(2)) / n).sqrt());
    // The systematic error is nearly all of the variance, and its degrees of freedom nearly all of them.
    let expected = 2.0 / (found * (1.0 - scale.powi(-2)).powi(2));
    assert!((variance - expected).abs() < 4.0 * error, "{variance} ± {error}, {expected}");
}

/// Asked only to warn, estimates are to the bit those of a model that does not check.
#[test]
fn a_warning_changes_no_digit() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let model = model(&mut rng, 500, &METHODS);
    let test = times(&sample(&mut rng, 200, 800), 0.75);
    let unchecked = model.clone().without_check();
    for level in [0.5, 0.95] {
        let reporting = IntervalOptions::new(level, Target::Population).unwrap();
        let warned = model.estimate(&test, &reporting.on_misfit(OnMisfit::Warn)).unwrap();
        let widened = model.estimate(&test, &reporting).unwrap();
        for ((warned, plain), widened) in
            warned.iter().zip(&unchecked.estimate(&test, &reporting).unwrap()).zip(&widened)
        {
            assert_eq!((warned.raw, warned.uncertainty), (plain.raw, plain.uncertainty));
            assert!(warned.warnings.iter().any(Warning::is_of_misfit));
            assert_eq!(warned.misfit.unwrap().more, 0.0);
            assert!(width(widened) > width(plain));
            let more = 0.5 * (width(widened) - width(plain));
            assert!((widened.misfit.unwrap().more - more).abs() < 1e-15);
        }
    }
}

/// A group that is no mixture widens its difference from another; two that are mixtures have the same difference to the bit.
#[test]
fn differences_allow_for_the_groups_that_misfit() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let model = model(&mut rng, 500, &[Method::ES]);
    let groups = [sample(&mut rng, 500, 500), sample(&mut rng, 300, 700), times(&sample(&mut rng, 300, 700), 0.75)];
    let together = JointErrors::new(&model, Method::ES).unwrap();
    let difference = |other: usize, on| {
        let reporting = IntervalOptions::default().on_misfit(on);
        let [first, second] = [&groups[0], &groups[other]].map(|scores| model.estimate(scores, &reporting).unwrap());
        let found = together.difference(&first[0], &second[0], Overlap::None, &reporting).unwrap();
        [found.lower, found.upper]
    };
    assert_eq!(difference(1, OnMisfit::Widen), difference(1, OnMisfit::Warn));
    let ([lower, upper], [least, most]) = (difference(2, OnMisfit::Widen), difference(2, OnMisfit::Warn));
    assert!(lower < least && most < upper, "{lower} {least} {most} {upper}");
}

/// The systematic errors of groups are independent: of a total they have the variance ΣW²E/(ΣW)², and the degrees of freedom that Welch
/// and Satterthwaite give them.
#[test]
fn a_total_adds_the_systematic_variances() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let model = model(&mut rng, 2000, &[Method::ES]);
    let groups = [(3.0, 0.7), (2.0, 1.0), (5.0, 0.8)].map(|(weight, factor)| {
        let scores = times(&sample(&mut rng, 2500, 2500), factor);
        (weight, scores)
    });
    let (level, mut variance, mut squares) = (0.5, 0.0, 0.0);
    let together = JointErrors::new(&model, Method::ES).unwrap();
    let (mut total, reporting) = (together.total(), wald(level, OnMisfit::Widen));
    let mut misfits = 0;
    for (weight, scores) in &groups {
        let estimate = &model.estimate(scores, &reporting).unwrap()[0];
        total.add(estimate, *weight).unwrap();
        let misfit = estimate.misfit.unwrap();
        if misfit.more == 0.0 {
            continue;
        }
        misfits += 1;
        let whole = interval(estimate).se.powi(2) * misfit.scale.powi(2);
        let systematic = whole * (1.0 - misfit.scale.powi(-2));
        let freedom = freedom(half(&model, scores, level) / whole.sqrt(), level) * (systematic / whole).powi(2);
        let share = (weight / 10.0_f64).powi(2) * systematic;
        variance += share;
        squares += share * share / freedom;
    }
    assert_eq!(misfits, 2);
    let estimate = total.estimate(&reporting);
    let whole = interval(&estimate).se.powi(2) + variance;
    let freedom = variance * variance / squares * (whole / variance).powi(2);
    let expected = student(level, freedom) * whole.sqrt();
    assert!((0.5 * width(&estimate) / expected - 1.0).abs() < 1e-3, "{} {expected}", width(&estimate));
}
