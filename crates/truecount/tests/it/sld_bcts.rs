//! Maximum likelihood with a classifier's probabilities. SLD with bias-corrected temperature scaling,
//! against its definition: the likelihood equations of the recalibration, and SLD of the recalibrated
//! probabilities. The standard error from the sampling of the labelled share.

use crate::common::{assert_coverage, first_estimate, labels, normal, normals, probabilities};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::bootstrap::Bootstrap;
use truecount::error::Problem;
use truecount::{Error, LabelledScores, Method, Model, Settings};

fn fit(method: Method, probabilities: &[f64], labels: &[bool]) -> Result<Model, Error> {
    let labelled = LabelledScores::builder(probabilities, labels).probabilities(probabilities).build()?;
    Model::fit(&labelled, &Settings::new([method]))
}

fn estimate(model: &Model, test: &[f64]) -> truecount::Estimate {
    first_estimate(model, probabilities(test))
}

fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Draws scores of two normals with means one apart, as probabilities whose log odds are
/// miscalibrated linearly.
fn draw(rng: &mut ChaCha8Rng, n: usize, positives: usize) -> Vec<f64> {
    normals(rng, 1.0, positives, n - positives).iter().map(|score| logistic(2.5 * score - 1.0)).collect()
}

/// The sums of the residuals, and of residuals times log odds, are 0. The estimate is SLD of the
/// recalibrated probabilities.
#[test]
fn equals_sld_of_the_recalibrated_probabilities() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (n, positives) in [(40, 20), (300, 60)] {
        let (train, test) = (draw(&mut rng, n, positives), draw(&mut rng, 500, 150));
        let labels = labels(positives, n);
        let model = fit(Method::SLD_BCTS, &train, &labels).unwrap();
        let parameters = model.quantifiers()[0].parameters();
        let parameter = |name| parameters.iter().find(|(known, _)| *known == name).unwrap().1;
        let (slope, intercept) = (parameter("slope"), parameter("intercept"));
        let recalibrated = |p: &f64| logistic(slope * logit(*p) + intercept);
        let residual = |(p, label): (&f64, &bool)| f64::from(u8::from(*label)) - recalibrated(p);
        let rows = || train.iter().zip(&labels);
        let sum: f64 = rows().map(residual).sum();
        let product: f64 = rows().map(|(p, label)| residual((p, label)) * logit(*p)).sum();
        assert!(sum.abs() < 1e-11 && product.abs() < 1e-11, "{sum:e} {product:e}");
        let recalibrated_train: Vec<f64> = train.iter().map(recalibrated).collect();
        let sld = fit(Method::SLD, &recalibrated_train, &labels).unwrap();
        let (actual, expected) =
            (estimate(&model, &test), estimate(&sld, &test.iter().map(recalibrated).collect::<Vec<_>>()));
        assert!((actual.raw - expected.raw).abs() < 1e-12, "{} not {}", actual.raw, expected.raw);
        // It adds the uncertainty of the recalibration. The share of a thousand times as many labelled rows
        // has hardly any.
        let exact = fit(Method::SLD, &recalibrated_train.repeat(1000), &labels.repeat(1000)).unwrap();
        let exact = estimate(&exact, &test.iter().map(recalibrated).collect::<Vec<_>>());
        assert!(actual.std_error.unwrap() > exact.std_error.unwrap());
    }
}

/// With separated classes, a probability above the midpoint of the log odds counts as positive, one
/// exactly there as half a positive.
#[test]
fn separable_classes_are_counted_at_a_cut() {
    let (train, labels) = ([0.9, 0.8, 0.2, 0.1], [true, true, false, false]);
    let model = fit(Method::SLD_BCTS, &train, &labels).unwrap();
    let estimated = estimate(&model, &[0.95, 0.7, 0.51, 0.49, 0.3, 0.0, 1.0, 0.0]);
    assert!((estimated.raw - 0.5).abs() < 1e-4, "{}", estimated.raw);
    // Both classes tie at one value, and all others are separated: the cut is that value.
    let model = fit(Method::SLD_BCTS, &[0.9, 0.5, 0.5, 0.5, 0.1], &[true, true, false, false, false]).unwrap();
    assert!(model.quantifiers()[0].parameters().contains(&("cut_of_log_odds", 0.0)));
}

/// The positives have the higher mean probability, but the lower mean log odds.
#[test]
fn classes_the_wrong_way_round_are_refused() {
    let error = fit(Method::SLD_BCTS, &[0.9, 0.9, 1e-4, 0.5, 0.5], &[true, true, true, false, false]).unwrap_err();
    assert!(matches!(error.problem(), Some(Problem::ClassesNotSeparatedInMean { what: "log odds", .. })), "{error}");
}

/// Intervals include the uncertainty of the recalibration, up to 1 % for the linear approximation.
#[test]
fn intervals_cover() {
    for (per_class, n, positives) in [(50, 500, 100), (200, 500, 250), (100, 2000, 200)] {
        assert_coverage(format!("{per_class} {n} {positives}"), (2000, 20_261_123, 0.01), |rng| {
            let train = draw(rng, 2 * per_class, per_class);
            let model = fit(Method::SLD_BCTS, &train, &labels(per_class, 2 * per_class)).unwrap();
            let estimates = model.estimate(probabilities(&draw(rng, n, positives))).unwrap();
            Some((estimates, positives as f64 / n as f64))
        });
    }
}

/// Probabilities of normal classes with means this far apart that are exact for a share of positives.
fn exact(rng: &mut ChaCha8Rng, distance: f64, prior: f64, n: usize, share: f64) -> (Vec<f64>, Vec<bool>) {
    let row = |_| {
        let positive = rng.random::<f64>() < share;
        let score = normal(rng, if positive { distance } else { 0.0 });
        (logistic(logit(prior) + distance * (score - 0.5 * distance)), positive)
    };
    (0..n).map(row).unzip()
}

/// The estimate has the derivative d by the log odds of the labelled share π of m rows, so that its
/// sampling adds d²/(mπ(1−π)) to the variance; d is that of the estimates themselves. The bootstrap
/// adds the same.
#[test]
fn the_labelled_share_adds_to_the_variance() {
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_128);
    let (test, _) = exact(&mut rng, 2.0, 0.1, 3000, 0.3);
    let with_labels = |positives: usize, m: usize| {
        let probability = positives as f64 / m as f64;
        fit(Method::ML, &vec![probability; m], &labels(positives, m)).unwrap()
    };
    let [below, above] = [1990, 2010].map(|positives| estimate(&with_labels(positives, 20_000), &test).raw);
    let derivative = (above - below) / (logit(2010.0 / 20_000.0) - logit(1990.0 / 20_000.0));
    let (few, many) = (with_labels(50, 500), with_labels(2000, 20_000));
    let [variance, least] = [&few, &many].map(|model| estimate(model, &test).std_error.unwrap().powi(2));
    let expected = derivative * derivative * (1.0 / 45.0 - 1.0 / 1800.0);
    assert!(derivative < 0.0 && ((variance - least) / expected - 1.0).abs() < 1e-3, "{variance} {least} {expected}");
    let bootstrap = |model: &Model| {
        let bootstrap = Bootstrap::new(model, vec![probabilities(&test)], 1).unwrap();
        let replicates: Vec<_> = (0..200).map(|number| bootstrap.replicate(number)).collect();
        let estimates = bootstrap.estimates(&replicates, &truecount::IntervalOptions::default()).unwrap();
        estimates[0][0].std_error.unwrap().powi(2)
    };
    // The bootstrap variances of 200 replicates have standard errors of 10 %.
    assert!(((bootstrap(&few) - bootstrap(&many)) / expected - 1.0).abs() < 0.2);
}

/// With exact probabilities and labels drawn at random. Without the sampling of the labelled share the
/// interval would cover 45 to 65 %.
#[test]
fn intervals_cover_whatever_share_was_labelled() {
    for (m, prior, share) in [(500, 0.1, 0.03), (500, 0.3, 0.6), (2000, 0.1, 0.3)] {
        assert_coverage(format!("{m} labels, {prior}, {share}"), (400, 20_261_128, 0.01), |rng| {
            let (train, labels) = exact(rng, 2.0, prior, m, prior);
            let (test, positive) = exact(rng, 2.0, prior, 3000, share);
            let truth = positive.iter().filter(|positive| **positive).count() as f64 / 3000.0;
            let model = fit(Method::ML, &train, &labels).unwrap();
            Some((model.estimate(probabilities(&test)).unwrap(), truth))
        });
    }
}

/// Kernels of probabilities near 0 are wider than the classes, which biases `kdey-ml` by −0.08 even for
/// the labelled rows themselves; its interval allows for it.
#[test]
fn the_interval_of_kernel_densities_allows_for_their_bias() {
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_128);
    let (train, labels) = exact(&mut rng, 1.0, 0.1, 2000, 0.1);
    let truth = labels.iter().filter(|positive| **positive).count() as f64 / 2000.0;
    let estimate = estimate(&fit(Method::KDEY_ML, &train, &labels).unwrap(), &train);
    let (raw, se, interval) = (estimate.raw, estimate.std_error.unwrap(), estimate.interval.unwrap());
    assert!(raw < truth - 0.04 && se > truth - raw && interval.contains(truth), "{raw} {se} {interval:?} {truth}");
}
