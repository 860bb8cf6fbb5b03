//! Intervals widened because the test scores do not fit a mixture of the labelled classes.

use crate::common::{fit_normals, labelled, normals, variance, variance_error};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, StudentsT};
use truecount::compare::{JointErrors, Overlap};
use truecount::inference::{IntervalKind, OnMisfit};
use truecount::shift_test::ShiftCheck;
use truecount::{Estimate, IntervalOptions, Method, Model, Settings, Target, Warning};

const METHODS: [Method; 3] = [Method::ES, Method::O_CS, Method::AC];
const DISTANCE: f64 = 1.8;

/// Draws scores of two normal classes, the positives first.
fn sample(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Vec<f64> {
    normals(rng, DISTANCE, positives, negatives)
}

/// Fits a model to this many labels of each class.
fn model(rng: &mut ChaCha8Rng, labels: usize, methods: &[Method]) -> Model {
    fit_normals(rng, DISTANCE, labels, &Settings::new(methods.iter().copied()).with_cutoff(0.5 * DISTANCE))
}

/// Scores as another version of the classifier might give them.
fn scaled(scores: &[f64], factor: f64) -> Vec<f64> {
    scores.iter().map(|score| score * factor).collect()
}

fn width(estimate: &Estimate) -> f64 {
    estimate.interval.unwrap().width()
}

/// Two-sided quantile of Student's t.
fn t_quantile(level: f64, dof: f64) -> f64 {
    StudentsT::new(0.0, 1.0, dof).unwrap().inverse_cdf(0.5 + 0.5 * level)
}

/// The degrees of freedom for which P(|T| < t) = level, by bisection.
fn solve_dof(t: f64, level: f64) -> f64 {
    let (mut from, mut to) = (1.0, 100.0);
    for _ in 0..60 {
        let middle = 0.5 * (from + to);
        if t_quantile(level, middle) > t { from = middle } else { to = middle }
    }
    from
}

fn wald(level: f64, on: OnMisfit) -> IntervalOptions {
    IntervalOptions::new(level, Target::Sample).unwrap().with_interval(IntervalKind::Wald).on_misfit(on)
}

/// Half-width of the widened Wald interval.
fn half_width(model: &Model, test: &[f64], level: f64) -> f64 {
    let estimate = &model.estimate_with(test, &wald(level, OnMisfit::Widen)).unwrap()[0];
    let ends = estimate.interval.unwrap();
    assert!((0.5 * (ends.upper + ends.lower) - estimate.raw).abs() < 1e-12);
    0.5 * ends.width()
}

/// At every level the half-width is t·S standard errors, t being Student's quantile with the same
/// degrees of freedom. (The library's expansion of the quantile is good to 1e-3 here.) The degrees
/// of freedom follow from the statistic T ~ Σλχ² of the check: they are 2 (E T)²/Var T, as 2000
/// samples under prior probability shift confirm.
#[test]
fn half_width_is_students_quantile_times_the_scale_factor() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let model = model(&mut rng, 2000, &[Method::AC]);
    let test = scaled(&sample(&mut rng, 2500, 2500), 0.75);
    let plain = &model.estimate_with(&test, &wald(0.95, OnMisfit::Warn)).unwrap()[0];
    let scale = plain.misfit.unwrap().scale;
    assert!(scale > 3.0, "{scale}");
    let t = |level| half_width(&model, &test, level) / (scale * plain.std_error.unwrap());
    let dof = solve_dof(t(0.5), 0.5);
    for level in [0.3, 0.8, 0.9, 0.95] {
        let expected = t_quantile(level, dof);
        assert!((t(level) / expected - 1.0).abs() < 2e-3, "{level}: {} {expected}", t(level));
    }

    let statistics: Vec<f64> = (0..2000)
        .map(|_| {
            let (train, test) = (sample(&mut rng, 400, 400), sample(&mut rng, 500, 500));
            let check = ShiftCheck::new(&labelled(&train, 400)).unwrap();
            let mut tally = check.tally();
            check.update(&mut tally, &test).unwrap();
            check.test(&tally).unwrap().statistic
        })
        .collect();
    let (variance, error) = (variance(&statistics), variance_error(&statistics));
    // Nearly all of the variance is systematic, so nearly all degrees of freedom belong to it.
    let expected = 2.0 / (dof * (1.0 - scale.powi(-2)).powi(2));
    assert!((variance - expected).abs() < 4.0 * error, "{variance} ± {error}, {expected}");
}

/// With `OnMisfit::Warn`, estimates equal those of a model without the check to the bit.
#[test]
fn warning_leaves_estimates_unchanged() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let model = model(&mut rng, 500, &METHODS);
    let test = scaled(&sample(&mut rng, 200, 800), 0.75);
    let unchecked = model.clone().without_check();
    for level in [0.5, 0.95] {
        let options = IntervalOptions::new(level, Target::Population).unwrap();
        let warned = model.estimate_with(&test, &options.on_misfit(OnMisfit::Warn)).unwrap();
        let widened = model.estimate_with(&test, &options).unwrap();
        for ((warned, plain), widened) in
            warned.iter().zip(&unchecked.estimate_with(&test, &options).unwrap()).zip(&widened)
        {
            assert_eq!((warned.raw, warned.interval), (plain.raw, plain.interval));
            assert!(warned.warnings.iter().any(Warning::is_misfit));
            assert_eq!(warned.misfit.unwrap().widening, 0.0);
            assert!(width(widened) > width(plain));
            let more = 0.5 * (width(widened) - width(plain));
            assert!((widened.misfit.unwrap().widening - more).abs() < 1e-15);
        }
    }
}

/// A misfitting group widens its difference from another group. The difference of two groups that
/// fit stays the same to the bit.
#[test]
fn differences_are_widened_for_misfitting_groups() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let model = model(&mut rng, 500, &[Method::ES]);
    let groups = [sample(&mut rng, 500, 500), sample(&mut rng, 300, 700), scaled(&sample(&mut rng, 300, 700), 0.75)];
    let joint = JointErrors::new(&model, Method::ES).unwrap();
    let difference = |other: usize, on| {
        let options = IntervalOptions::default().on_misfit(on);
        let [first, second] = [&groups[0], &groups[other]].map(|scores| model.estimate_with(scores, &options).unwrap());
        joint.difference(&first[0], &second[0], Overlap::None, &options).unwrap().interval
    };
    assert_eq!(difference(1, OnMisfit::Widen), difference(1, OnMisfit::Warn));
    let (widened, plain) = (difference(2, OnMisfit::Widen), difference(2, OnMisfit::Warn));
    assert!(widened.lower < plain.lower && plain.upper < widened.upper, "{widened:?} {plain:?}");
}

/// The systematic errors E of the groups are independent. In a total their variance is ΣW²E/(ΣW)²,
/// with the degrees of freedom of Welch and Satterthwaite.
#[test]
fn a_total_adds_the_systematic_variances() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let model = model(&mut rng, 2000, &[Method::AC]);
    let groups = [(3.0, 0.7), (2.0, 1.0), (5.0, 0.8)].map(|(weight, factor)| {
        let scores = scaled(&sample(&mut rng, 2500, 2500), factor);
        (weight, scores)
    });
    let (level, mut variance, mut squares) = (0.5, 0.0, 0.0);
    let joint = JointErrors::new(&model, Method::AC).unwrap();
    let (mut total, options) = (joint.total(), wald(level, OnMisfit::Widen));
    let mut misfits = 0;
    for (weight, scores) in &groups {
        let estimate = &model.estimate_with(scores, &options).unwrap()[0];
        total.add(estimate, *weight).unwrap();
        let misfit = estimate.misfit.unwrap();
        if misfit.widening == 0.0 {
            continue;
        }
        misfits += 1;
        let whole = estimate.std_error.unwrap().powi(2) * misfit.scale.powi(2);
        let systematic = whole * (1.0 - misfit.scale.powi(-2));
        let dof = solve_dof(half_width(&model, scores, level) / whole.sqrt(), level) * (systematic / whole).powi(2);
        let share = (weight / 10.0_f64).powi(2) * systematic;
        variance += share;
        squares += share * share / dof;
    }
    assert_eq!(misfits, 2);
    let estimate = total.estimate(&options);
    let whole = estimate.std_error.unwrap().powi(2) + variance;
    let dof = variance * variance / squares * (whole / variance).powi(2);
    let expected = t_quantile(level, dof) * whole.sqrt();
    assert!((0.5 * width(&estimate) / expected - 1.0).abs() < 1e-3, "{} {expected}", width(&estimate));
}

/// The misfit of a total over strata with separate models: the scale factor adds up independent
/// systematic errors, and one group alone keeps its misfit.
#[test]
fn a_total_has_the_misfit_of_its_groups() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let models = [model(&mut rng, 300, &[Method::ES]), model(&mut rng, 200, &[Method::ES])];
    let joint = JointErrors::for_strata(&[&models[0], &models[1]], Method::ES).unwrap();
    let tests = [scaled(&sample(&mut rng, 300, 700), 1.4), scaled(&sample(&mut rng, 100, 500), 1.5)];
    let estimates = |on: OnMisfit| {
        let options = IntervalOptions::default().on_misfit(on);
        let estimate = |(model, test): (&Model, &Vec<f64>)| model.estimate_with(test, &options).unwrap()[0].clone();
        models.iter().zip(&tests).map(estimate).collect::<Vec<Estimate>>()
    };
    let total = |parts: &[(usize, &Estimate)]| {
        let mut total = joint.total();
        for (model, part) in parts {
            total.add_from_model(*model, part, part.n as f64).unwrap();
        }
        total.estimate(&IntervalOptions::default())
    };
    let (parts, narrow) = (estimates(OnMisfit::Widen), estimates(OnMisfit::Warn));
    assert!(parts.iter().all(|part| part.warnings.iter().any(Warning::is_misfit)));
    let misfits: Vec<_> = parts.iter().map(|part| part.misfit.unwrap()).collect();
    for (model, part) in parts.iter().enumerate() {
        let (own, alone) = (misfits[model], total(&[(model, part)]).misfit.unwrap());
        for (own, alone) in [(own.scale, alone.scale), (own.unexplained, alone.unexplained)] {
            assert!((own / alone - 1.0).abs() < 1e-12, "{own} {alone}");
        }
    }
    let both = total(&[(0, &parts[0]), (1, &parts[1])]);
    let without = total(&[(0, &narrow[0]), (1, &narrow[1])]);
    let misfit = both.misfit.unwrap();
    let variance = |part: &Estimate| (part.n as f64 * part.std_error.unwrap()).powi(2);
    let whole: f64 = parts.iter().map(variance).sum();
    let scaled: f64 = parts.iter().zip(&misfits).map(|(part, misfit)| misfit.scale.powi(2) * variance(part)).sum();
    assert!((misfit.scale - (scaled / whole).sqrt()).abs() < 1e-12, "{misfit:?}");
    let unexplained = (1000.0 * misfits[0].unexplained + 600.0 * misfits[1].unexplained) / 1600.0;
    assert!((misfit.unexplained - unexplained).abs() < 1e-15, "{misfit:?}");
    assert!((misfit.widening - 0.5 * (width(&both) - width(&without))).abs() < 1e-15, "{misfit:?}");
    assert_eq!(without.misfit.unwrap().widening, 0.0);
    // A group that has not been checked leaves the total's misfit unknown.
    let unchecked = models[0].clone().without_check().estimate(&tests[0]).unwrap()[0].clone();
    assert_eq!(total(&[(0, &unchecked), (1, &parts[1])]).misfit, None);
}
