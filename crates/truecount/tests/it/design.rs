//! Labelled rows with weights and clusters: identities, R's survey package, invalid input, and
//! coverage by simulation.

use crate::common::labels;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::bootstrap::Bootstrap;
use truecount::error::{Condition, ErrorLocation, Field, Operation, Problem, UnsupportedOperation};
use truecount::scores::Class;
use truecount::shift_test::ShiftCheck;
use truecount::{Error, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Warning};

/// Owned columns of labelled rows.
#[derive(Clone, Default)]
struct Table {
    scores: Vec<f64>,
    positive: Vec<bool>,
    weights: Option<Vec<f64>>,
    clusters: Option<Vec<u32>>,
    strata: Option<Vec<u32>>,
}

impl Table {
    fn draw(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Self {
        let (plus, minus) = (Normal::new(0.65, 0.15).unwrap(), Normal::new(0.4, 0.15).unwrap());
        let mut score = |class: &Normal<f64>| class.sample(rng).clamp(0.01, 0.99);
        let scores: Vec<f64> =
            (0..positives + negatives).map(|i| score(if i < positives { &plus } else { &minus })).collect();
        Self { scores, positive: labels(positives, positives + negatives), ..Self::default() }
    }

    fn labelled(&self) -> Result<LabelledScores, Error> {
        LabelledScores::builder(&self.scores, &self.positive)
            .probabilities(&self.scores)
            .weights(self.weights.as_deref())
            .clusters(self.clusters.as_deref())
            .strata(self.strata.as_deref())
            .build()
    }

    fn model(&self, methods: &[Method]) -> Model {
        let settings = Settings::new(methods.iter().copied());
        Model::fit(&self.labelled().unwrap(), &settings).unwrap()
    }

    /// Returns the warning with this code of the fitted `es`.
    fn warning(&self, code: &str) -> Option<Warning> {
        let model = self.model(&[Method::ES]);
        model.quantifiers()[0].warnings().iter().find(|warning| warning.code() == code).copied()
    }
}

fn capable_methods() -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| method.supports_label_design()).collect()
}

fn estimates(model: &Model, scores: &[f64]) -> Estimates {
    let batch = truecount::Batch::new(scores).with_probabilities(scores).unwrap();
    model.estimate(batch).unwrap()
}

#[test]
fn equal_weights_within_each_class_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut table = Table::draw(&mut rng, 80, 120);
    let test = Table::draw(&mut rng, 50, 250).scores;
    let methods: Vec<Method> = Method::ALL.to_vec();
    let (plain, expected) = (table.labelled().unwrap(), estimates(&table.model(&methods), &test));
    for (positive, negative) in [(1.0, 1.0), (0.1, 0.1), (3.0, 1e-7), (1e100, 1e-100)] {
        table.weights = Some(table.positive.iter().map(|p| if *p { positive } else { negative }).collect());
        assert_eq!(table.labelled().unwrap(), plain);
        // Debug prints every bit of a double.
        assert_eq!(format!("{:?}", estimates(&table.model(&methods), &test)), format!("{expected:?}"));
    }
}

#[test]
fn rows_of_weight_0_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut table = Table::draw(&mut rng, 60, 60);
    let weights: Vec<f64> = (0..120).map(|_| rng.random_range(1.0..5.0)).collect();
    table.weights = Some(weights);
    let test = Table::draw(&mut rng, 50, 250).scores;
    let expected = estimates(&table.model(&capable_methods()), &test);
    for (score, positive) in [(0.001, true), (0.999, false), (0.5, true)] {
        table.scores.insert(7, score);
        table.positive.insert(7, positive);
        table.weights.as_mut().unwrap().insert(7, 0.0);
    }
    assert_eq!(format!("{:?}", estimates(&table.model(&capable_methods()), &test)), format!("{expected:?}"));
}

/// An integer weight gives the same estimate as repeating the row, for methods of counts and means.
/// Efficient Sweep fits and smooths its g with effective counts, which are smaller than the counts
/// of repeated rows: its estimates differ, here by less than a tenth of a standard error.
#[test]
fn integer_weights_are_repeated_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let test = Table::draw(&mut rng, 150, 450).scores;
    for _ in 0..5 {
        let mut table = Table::draw(&mut rng, 150, 150);
        let times: Vec<usize> = (0..300).map(|_| rng.random_range(1..4)).collect();
        let repeat = |i: usize| std::iter::repeat_n(i, times[i]);
        let rows: Vec<usize> = (0..300).flat_map(repeat).collect();
        let repeated = Table {
            scores: rows.iter().map(|i| table.scores[*i]).collect(),
            positive: rows.iter().map(|i| table.positive[*i]).collect(),
            ..Table::default()
        };
        table.weights = Some(times.iter().map(|n| *n as f64).collect());
        let (weighted, repeated) =
            (estimates(&table.model(&capable_methods()), &test), estimates(&repeated.model(&capable_methods()), &test));
        for (a, b) in weighted.iter().zip(&repeated) {
            let (difference, se) = ((a.raw - b.raw).abs(), a.std_error.unwrap());
            // The calibration curve is smoother for the smaller effective numbers of weighted rows.
            let allowed = if a.method == Method::ES { 0.25 * se } else { 1e-12 };
            assert!(difference < allowed, "{}: {difference:e}, se {se}", a.method);
        }
    }
}

/// Results of R 4.2.2 with survey 4.1.1 for the rows of [`twelve_rows`]:
///
/// ```r
/// library(survey)
/// d <- data.frame(
///   g = c(.9,.8,.35,.7,.6,.95,.2,.5,.1,.4,.65,.3), label = c(1,1,1,1,1,1,0,0,0,0,0,0),
///   w = c(1,2,4,1.5,2,1,3,2,5,2.5,1,4), cluster = c(1,1,2,3,3,4,1,2,2,4,4,5))
/// one <- function(class) svymean(~g, svydesign(ids = ~1, weights = ~w, data = subset(d, label == class)))
/// means <- svyby(~g, ~label, svydesign(ids = ~cluster, weights = ~w, data = d), svymean, covmat = TRUE)
/// for (a in c(.2, .5, .9)) svycontrast(means, c("1" = a, "0" = 1 - a))
/// ```
const R: &[(&str, f64)] = &[
    ("mean +", 0.617_391_304_347_826_1),
    ("mean -", 0.282_857_142_857_142_86),
    ("se +", 0.116_056_722_537_062_53),
    ("se -", 0.071_688_343_954_175_2),
    ("clustered se +", 0.126_095_246_055_190_9),
    ("clustered se -", 0.054_678_645_457_386_38),
    ("se at 0.2", 0.060_713_285_419_170_62),
    ("se at 0.5", 0.080_613_102_868_052_94),
    ("se at 0.9", 0.116_397_069_043_335_09),
];

fn twelve_rows() -> Table {
    Table {
        scores: vec![0.9, 0.8, 0.35, 0.7, 0.6, 0.95, 0.2, 0.5, 0.1, 0.4, 0.65, 0.3],
        positive: (0..12).map(|i| i < 6).collect(),
        weights: Some(vec![1.0, 2.0, 4.0, 1.5, 2.0, 1.0, 3.0, 2.0, 5.0, 2.5, 1.0, 4.0]),
        ..Table::default()
    }
}

#[track_caller]
fn assert_as_in_r(actual: f64, name: &str) {
    let expected = R.iter().find(|(parameter, _)| *parameter == name).unwrap().1;
    assert!((actual - expected).abs() < 1e-10 * expected.abs(), "{name}: {actual}, not {expected}");
}

/// The influence function of PACC is the score itself.
#[test]
fn means_and_standard_errors_agree_with_rs_survey() {
    let mut table = twelve_rows();
    let class_means = |table: &Table| {
        let model = table.model(&[Method::PACC]);
        let quantifier = &model.quantifiers()[0];
        let parameter =
            |name: &str| quantifier.parameters().iter().find(|(parameter, _)| *parameter == name).unwrap().1;
        (parameter("mean_positive"), parameter("mean_negative"), quantifier.precision(0.5, 1.0).unwrap())
    };
    let (positive, negative, precision) = class_means(&table);
    assert_as_in_r(positive, "mean +");
    assert_as_in_r(negative, "mean -");
    // Standard errors of the prevalence are in units of the difference of the class means.
    let unit = positive - negative;
    assert_as_in_r(precision.training_variance(1.0).sqrt() * unit, "se +");
    assert_as_in_r(precision.training_variance(0.0).sqrt() * unit, "se -");
    table.clusters = Some(vec![1, 1, 2, 3, 3, 4, 1, 2, 2, 4, 4, 5]);
    let (positive, negative, precision) = class_means(&table);
    assert_as_in_r(positive, "mean +");
    assert_as_in_r(negative, "mean -");
    for (alpha, name) in
        [(1.0, "clustered se +"), (0.0, "clustered se -"), (0.2, "se at 0.2"), (0.5, "se at 0.5"), (0.9, "se at 0.9")]
    {
        assert_as_in_r(precision.training_variance(alpha).sqrt() * unit, name);
    }
}

#[test]
fn invalid_designs_are_errors() {
    let error = |change: fn(&mut Table)| {
        let mut table = twelve_rows();
        change(&mut table);
        table.labelled().unwrap_err()
    };
    let weigh = |table: &mut Table, row: usize, weight: f64| table.weights.as_mut().unwrap()[row] = weight;
    assert_eq!(
        error(|table| table.weights.as_mut().unwrap()[3] = f64::NAN).to_string(),
        "weight 3 is NaN; a weight is 0, or between 1e-100 and 1e100"
    );
    assert_eq!(
        error(|table| table.weights.as_mut().unwrap()[4] = -1.0),
        ErrorLocation::value("weights", 4).error(Problem::WeightOutOfRange { value: Field::Number(-1.0) })
    );
    let mut table = twelve_rows();
    (6..12).for_each(|row| weigh(&mut table, row, 0.0));
    assert_eq!(table.labelled().unwrap_err(), Problem::ClassWeightsZero { class: Class::Negative }.into());
    let too_few = Problem::TooFewClusters { class: Class::Positive, n: 1 }.into();
    assert_eq!(error(|table| table.clusters = Some(vec![5, 5, 5, 5, 5, 5, 1, 2, 3, 4, 5, 6])), too_few);
    let short = Problem::LengthMismatch { column: "clusters", values: 2, others: 12 }.into();
    assert_eq!(error(|table| table.clusters = Some(vec![5, 5])), short);
}

#[test]
fn methods_that_use_more_than_means_take_no_label_design() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut table = Table::draw(&mut rng, 60, 60);
    table.weights = Some((0..120).map(|i| f64::from(1 + i % 3)).collect());
    let labelled = table.labelled().unwrap();
    let fit = |method: Method, labelled: &LabelledScores| Model::fit(labelled, &Settings::new([method]));
    for &method in Method::ALL {
        match fit(method, &labelled) {
            Ok(_) => assert!(method.supports_label_design(), "{method}"),
            Err(error) => {
                let not_possible =
                    error.problem::<UnsupportedOperation>().unwrap_or_else(|| panic!("{method}: {error}"));
                assert_eq!(not_possible.operation, Operation::LabelDesign, "{method}");
                assert!(!method.supports_label_design() && not_possible.methods == [method.name()], "{method}");
                assert_eq!(not_possible.able, capable_methods().iter().map(|method| method.name()).collect::<Vec<_>>());
            }
        }
    }
    // Without given probabilities PACC uses posteriors of a fitted family, which ignores weights.
    let rows = LabelledScores::builder(&table.scores, &table.positive);
    let without_probabilities = rows.weights(table.weights.as_deref()).build();
    assert_eq!(fit(Method::PACC, &without_probabilities.unwrap()).unwrap_err().code(), "label-design-not-possible");
    let all = Settings::new(Method::ALL.iter().copied()).available_only();
    let model = Model::fit(&labelled, &all).unwrap();
    assert_eq!(
        (model.quantifiers().len(), model.omitted().len()),
        (capable_methods().len(), Method::ALL.len() - capable_methods().len())
    );
}

#[test]
fn the_bootstrap_resamples_weighted_rows_but_no_clusters() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut table = Table::draw(&mut rng, 100, 100);
    table.weights = Some((0..200).map(|_| rng.random_range(1.0..4.0)).collect());
    let test = Table::draw(&mut rng, 100, 300).scores;
    let batch = || truecount::Batch::new(&test).with_probabilities(&test).unwrap();
    let model = table.model(&[Method::AC]);
    let bootstrap = Bootstrap::new(&model, vec![batch()], 1).unwrap();
    let replicates: Vec<_> = (0..1000).map(|number| bootstrap.replicate(number)).collect();
    let by_bootstrap = bootstrap.estimates(&replicates, &IntervalOptions::default()).unwrap()[0][0].std_error.unwrap();
    let by_formula = estimates(&model, &test)[0].std_error.unwrap();
    // The bootstrap resamples the test scores, which adds α(1−α)/n. Tolerance: four Monte Carlo
    // errors plus 5 % for second-order terms.
    let expected = (by_formula.powi(2) + 0.25 * 0.75 / 400.0).sqrt();
    assert!((by_bootstrap / expected - 1.0).abs() < 4.0 / 2000f64.sqrt() + 0.05, "{by_bootstrap} {expected}");
    table.clusters = Some((0..200).map(|i| i / 3).collect());
    let model = table.model(&[Method::AC]);
    assert_eq!(Bootstrap::new(&model, vec![batch()], 1).unwrap_err(), Problem::BootstrapOfClusters.into());
}

#[test]
fn a_model_file_contains_the_design() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut table = Table::draw(&mut rng, 60, 60);
    let test = Table::draw(&mut rng, 50, 250).scores;
    let version = |model: &Model| model.to_json().lines().nth(2).unwrap().trim().to_owned();
    assert_eq!(version(&table.model(&capable_methods())), "\"version\": 2,");
    table.weights = Some((0..120).map(|_| rng.random_range(1.0..5.0)).collect());
    let weighted = table.model(&capable_methods());
    table.clusters = Some((0..120).map(|i| 1000 - i / 2).collect());
    for model in [weighted, table.model(&capable_methods())] {
        assert_eq!(version(&model), "\"version\": 3,");
        let read = Model::from_json(&model.to_json()).unwrap();
        assert_eq!(read.fingerprint(), model.fingerprint());
        assert_eq!(format!("{:?}", estimates(&read, &test)), format!("{:?}", estimates(&model, &test)));
    }
}

#[test]
fn few_effective_labels_give_a_warning() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut table = Table::draw(&mut rng, 60, 60);
    assert_eq!(table.warning("few-labelled-units"), None);
    table.clusters = Some((0..120).map(|i| i % 8).collect());
    let few = Warning::FewLabelledUnits { n: 60, effective: 8.0 };
    assert_eq!(table.warning("few-labelled-units"), Some(few));
    table.clusters = None;
    table.weights = Some((0..120).map(|i| if i == 70 { 30.0 } else { 1.0 }).collect());
    // (Σw)²/Σw² = 89²/959.
    let warning = table.warning("few-labelled-units");
    let Some(Warning::FewLabelledUnits { n: 60, effective }) = warning else { panic!("{warning:?}") };
    assert!((effective - 7921.0 / 959.0).abs() < 1e-12);
    assert_eq!(ShiftCheck::new(&table.labelled().unwrap()).unwrap_err().code(), "class-too-uneven-to-check");
}

/// Without errors among 30 rows of each class, the 95 % bound of an error rate is 3/30, and without errors
/// among 20 and 60 rows, the mean of the bounds is (3/20 + 3/60)/2, a tenth in both cases.
#[test]
fn perfectly_separated_labels_give_a_warning() {
    let is_warned = |positives: usize, negatives: usize, errors: usize| {
        // Positives score 1000 and more, except the errors with the lowest score of the negatives.
        let score = |i: usize| if (errors..positives).contains(&i) { 1000 + i } else { i.saturating_sub(positives) };
        let scores: Vec<f64> = (0..positives + negatives).map(|i| score(i) as f64).collect();
        let labelled = LabelledScores::new(&scores, &labels(positives, scores.len())).unwrap();
        let model = Model::fit(&labelled, &Settings::new([Method::ES])).unwrap();
        model.quantifiers()[0].warnings().contains(&Warning::PerfectSeparation)
    };
    for ((positives, negatives, errors), expected) in [
        ((30, 30, 0), true),
        ((29, 30, 0), false),
        ((20, 60, 0), true),
        ((20, 59, 0), false),
        ((30, 30, 1), false),
        ((600, 600, 1), true),
        ((600, 600, 2), false),
    ] {
        assert_eq!(is_warned(positives, negatives, errors), expected, "{positives}, {negatives}, {errors}");
    }
}

/// Each labelled row occurs five times. One row more, and rows of a named cluster, are no copies.
#[test]
fn copied_labels_give_a_warning() {
    let copies = |table: &Table| table.warning("copied-labels");
    let mut table = Table::draw(&mut ChaCha8Rng::seed_from_u64(10), 60, 60);
    assert_eq!(copies(&table), None);
    let rows = table.scores.len();
    table.scores = (0..5 * rows).map(|row| table.scores[row % rows]).collect();
    table.positive = (0..5 * rows).map(|row| table.positive[row % rows]).collect();
    assert_eq!(copies(&table), Some(Warning::CopiedLabels { times: 5 }));
    table.clusters = Some((0..120).cycle().take(5 * rows).collect());
    assert_eq!(copies(&table), None);
    table.clusters = None;
    table.scores.push(0.5);
    table.positive.push(true);
    assert_eq!(copies(&table), None);
}

/// Uneven weights make 84 labels worth 15.2, less than 30 and than half of them. Weights that make
/// them worth 30 give no warning, and neither do 15 labels without weights.
#[test]
fn uneven_weights_of_many_labels_give_a_warning() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut table = Table::draw(&mut rng, 84, 60);
    let few_labelled = |table: &Table| table.warning("few-labelled-units");
    let weights = |heavy: f64| Some((0..144).map(|row| if row < 4 { heavy } else { 1.0 }).collect::<Vec<f64>>());
    table.weights = weights(20.0);
    // (80 + 80)²/(80 + 1600).
    let warning = few_labelled(&table).unwrap();
    assert_eq!(
        warning.to_string(),
        "the standard error may be too small: by their weights or clusters, the 84 labelled scores of a class have an \
         effective sample size of 15.2"
    );
    // (80 + 40)²/(80 + 400).
    table.weights = weights(10.0);
    assert_eq!(few_labelled(&table), None);
    assert_eq!(few_labelled(&Table::draw(&mut rng, 15, 60)), None);
}

/// R's survey: `svyby(~score, ~label, svydesign(~1, strata = ~h, weights = ~w), svymean, covmat = TRUE)`
/// has the linearised contributions of rows centred within the strata. The variance of `smm` is
/// computed here row by row from them.
#[test]
fn the_variance_within_strata_is_that_of_centred_contributions() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let table = Table {
        weights: Some((0..120).map(|i| f64::from(1 + i % 3)).collect()),
        strata: Some((0..120).map(|i| i % 3).collect()),
        ..Table::draw(&mut rng, 40, 80)
    };
    let model = table.model(&[Method::SMM]);
    let precision = model.quantifiers()[0].precision(0.5, 1.0).unwrap();
    let weights = table.weights.as_ref().unwrap();
    let labels = &table.positive;
    let mean = |class: bool| {
        let rows = || (0..120).filter(move |i| labels[*i] == class);
        let total: f64 = rows().map(|i| weights[i]).sum();
        (rows().map(|i| weights[i] * table.scores[i]).sum::<f64>() / total, total)
    };
    let (positive, negative) = (mean(true), mean(false));
    for alpha in [0.0, 0.2, 0.5, 1.0] {
        // The contribution of each row to α a₊ + (1 − α) a₋, over a₊ − a₋.
        let contribution = |i: usize| {
            let ((mean, total), share) = if table.positive[i] { (positive, alpha) } else { (negative, 1.0 - alpha) };
            share * weights[i] * (table.scores[i] - mean) / total / (positive.0 - negative.0)
        };
        let within = (0..3).map(|stratum| {
            let rows = || (0..40).map(move |k| 3 * k + stratum);
            let mean = rows().map(contribution).sum::<f64>() / 40.0;
            40.0 / 39.0 * rows().map(|i| (contribution(i) - mean).powi(2)).sum::<f64>()
        });
        let (expected, actual) = (within.sum::<f64>(), precision.training_variance(alpha));
        assert!((actual / expected - 1.0).abs() < 1e-12, "{alpha}: {actual}, not {expected}");
    }
}

/// Fixed numbers of labels are drawn in five intervals of the score. The standard errors agree with the
/// simulation, and without the strata they are too large.
#[test]
fn labels_drawn_within_intervals_of_the_score_have_less_variance() {
    const RUNS: u32 = 500;
    const CUTS: [f64; 4] = [0.3, 0.42, 0.52, 0.64];
    const DRAWN: [usize; 5] = [30, 60, 120, 60, 30];
    let methods = [Method::AC, Method::ES];
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut errors, mut variances) = ([Vec::new(), Vec::new()], [[0.0; 2]; 2]);
    for _ in 0..RUNS {
        let pool = Table::draw(&mut rng, 1500, 3500);
        let stratum = |score: f64| CUTS.iter().filter(|cut| **cut <= score).count();
        let mut table = Table { weights: Some(Vec::new()), strata: Some(Vec::new()), ..Table::default() };
        for (h, drawn) in (0_u32..).zip(DRAWN) {
            let mut rows: Vec<usize> = (0..5000).filter(|i| stratum(pool.scores[*i]) == h as usize).collect();
            let size = rows.len();
            rows.shuffle(&mut rng);
            for row in &rows[..drawn] {
                table.scores.push(pool.scores[*row]);
                table.positive.push(pool.positive[*row]);
                table.weights.as_mut().unwrap().push(size as f64 / drawn as f64);
                table.strata.as_mut().unwrap().push(h);
            }
        }
        let test = Table::draw(&mut rng, 300, 700).scores;
        for (kind, table) in [table.clone(), Table { strata: None, ..table }].iter().enumerate() {
            for (k, estimate) in estimates(&table.model(&methods), &test).iter().enumerate() {
                variances[k][kind] += estimate.std_error.unwrap().powi(2) / f64::from(RUNS);
                if kind == 0 {
                    errors[k].push(estimate.raw - 0.3);
                }
            }
        }
    }
    for ((method, errors), variances) in methods.iter().zip(errors).zip(variances) {
        let variance = errors.iter().map(|e| e * e).sum::<f64>() / f64::from(RUNS);
        let error = (2.0 / f64::from(RUNS)).sqrt();
        let [with, without] = variances.map(|expected| expected / variance);
        println!("{method}: expected / simulated variance {with:.3} with strata, {without:.3} without, ± {error:.3}");
        assert!((with - 1.0).abs() < 4.0 * error + 0.02, "{method}: {with}");
        assert!(without > 1.1 * with, "{method}: {without}");
    }
}

#[test]
fn strata_need_two_units_and_whole_clusters() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let table = Table::draw(&mut rng, 6, 6);
    let single = Table { strata: Some([vec![5], vec![0; 10], vec![7]].concat()), ..table.clone() };
    let lonely = Error::from(Problem::SingleUnitStrata { strata: 2 }).in_set(5);
    assert_eq!(single.labelled().unwrap_err(), lonely);
    let clusters = Some((0..12).map(|i| i / 3 % 2).collect::<Vec<u32>>());
    let across = Table { clusters, strata: Some((0..12).map(|i| i % 2).collect()), ..table };
    assert_eq!(across.labelled().unwrap_err(), Problem::ClustersAcrossStrata { clusters: 2 }.into());
}

/// Probability that a row is labelled: larger near a score of ½, as in trust-and-safety reviews.
fn label_probability(score: f64) -> f64 {
    if (score - 0.5).abs() < 0.12 { 0.5 } else { 0.08 }
}

/// Labels sampled by score: estimates with weights are unbiased, and their intervals cover.
#[test]
fn weights_correct_for_sampling_labels_by_score() {
    const RUNS: u32 = 400;
    let methods = [Method::ES, Method::AC];
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut covered, mut errors, mut unweighted_bias) = ([0_u32; 2], [Vec::new(), Vec::new()], [0.0; 2]);
    let mut false_alarms = 0_u32;
    for _ in 0..RUNS {
        let pool = Table::draw(&mut rng, 400, 800);
        let rows: Vec<usize> = (0..1200).filter(|i| rng.random::<f64>() < label_probability(pool.scores[*i])).collect();
        let mut table = Table {
            scores: rows.iter().map(|i| pool.scores[*i]).collect(),
            positive: rows.iter().map(|i| pool.positive[*i]).collect(),
            weights: Some(rows.iter().map(|i| label_probability(pool.scores[*i]).recip()).collect()),
            ..Table::default()
        };
        let test = Table::draw(&mut rng, 60, 540).scores;
        for (k, estimate) in estimates(&table.model(&methods), &test).iter().enumerate() {
            covered[k] += u32::from(estimate.interval.unwrap().contains(0.1));
            errors[k].push(estimate.raw - 0.1);
            false_alarms += u32::from(estimate.warnings.iter().any(Warning::is_misfit));
        }
        table.weights = None;
        for (k, estimate) in estimates(&table.model(&methods), &test).iter().enumerate() {
            unweighted_bias[k] += (estimate.raw - 0.1) / f64::from(RUNS);
        }
    }
    for (k, method) in methods.iter().enumerate() {
        let n = f64::from(RUNS);
        let bias = errors[k].iter().sum::<f64>() / n;
        let sd = (errors[k].iter().map(|e| (e - bias).powi(2)).sum::<f64>() / n).sqrt();
        let coverage = f64::from(covered[k]) / n;
        println!(
            "{method}: bias {bias:.4} (without weights {:.4}), sd {sd:.4}, coverage {coverage:.3}",
            unweighted_bias[k]
        );
        // Three Monte Carlo errors, plus the second-order bias of a ratio of means: at most a tenth
        // of the standard deviation.
        assert!(bias.abs() < 3.0 * sd / n.sqrt() + 0.1 * sd, "{method}: {bias}");
        assert!((coverage - 0.95).abs() < 3.0 * (0.95 * 0.05 / n).sqrt() + 0.01, "{method}: {coverage}");
    }
    // The check at level 1 % is counted once per method. With so few labels its rate is 1.7 % (205
    // of 12,000 such samples).
    let allowed = 0.018 * f64::from(RUNS);
    println!("false alarms: {} of {RUNS}", false_alarms / 2);
    assert!(f64::from(false_alarms) / 2.0 < allowed + 4.0 * allowed.sqrt());
}

/// Clusters of both classes whose rows share much of their variance: the interval covers only if it
/// accounts for clusters.
#[test]
fn clustered_labels_need_clustered_intervals() {
    const RUNS: u32 = 400;
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut covered, mut covered_by_rows) = (0_u32, 0_u32);
    for _ in 0..RUNS {
        let shared = Normal::new(0.0, 0.12).unwrap();
        let mut table = Table::default();
        let mut clusters = Vec::new();
        for cluster in 0..40_u32 {
            let shift = shared.sample(&mut rng);
            for i in 0..10 {
                let mean = if i < 5 { 0.62 } else { 0.38 };
                let score: f64 = mean + shift + Normal::new(0.0, 0.08).unwrap().sample(&mut rng);
                table.scores.push(score.clamp(0.0, 1.0));
                table.positive.push(i < 5);
                clusters.push(cluster);
            }
        }
        // The test scores are independent: each comes from a cluster of its own.
        let noise = Normal::new(0.0, (0.12f64.powi(2) + 0.08f64.powi(2)).sqrt()).unwrap();
        let mean = |i: u32| -> f64 { if i < 1000 { 0.62 } else { 0.38 } };
        let mut test: Vec<f64> = (0..2000).map(|i| (mean(i) + noise.sample(&mut rng)).clamp(0.0, 1.0)).collect();
        test.shuffle(&mut rng);
        let covers = |table: &Table| {
            let interval = estimates(&table.model(&[Method::PACC]), &test)[0].interval.unwrap();
            u32::from(interval.lower <= 0.5 && 0.5 <= interval.upper)
        };
        covered_by_rows += covers(&table);
        table.clusters = Some(clusters);
        covered += covers(&table);
    }
    let (covered, covered_by_rows) =
        (f64::from(covered) / f64::from(RUNS), f64::from(covered_by_rows) / f64::from(RUNS));
    println!("coverage {covered:.3} by clusters, {covered_by_rows:.3} by rows");
    assert!((covered - 0.95).abs() < 3.0 * (0.95 * 0.05 / f64::from(RUNS)).sqrt() + 0.01, "{covered}");
    assert!(covered_by_rows < 0.8, "{covered_by_rows}");
}

/// Labels sampled by `allocation` reduce the variance by the predicted ratio, with the pilot's own
/// g and a large pool. The pilot is split between the classes as the pool is, so that q = α is best.
#[test]
fn an_allocation_reduces_the_variance_as_predicted() {
    const RUNS: u32 = 500;
    const LABELS: usize = 4000;
    const ALPHA: f64 = 0.11;
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let pilot = Table::draw(&mut rng, 1100, 8900).model(&[Method::ES]);
    let pool = Table::draw(&mut rng, 2200, 17_800);
    let quantifier = &pilot.quantifiers()[0];
    let allocation = quantifier.binned_sweep().unwrap().allocation(ALPHA).unwrap();
    let sum =
        |field: fn(&truecount::quantifier::LabelInterval) -> f64| allocation.intervals.iter().map(field).sum::<f64>();
    assert!((sum(|i| i.scores) - 1.0).abs() < 1e-12 && (sum(|i| i.labels) - 1.0).abs() < 1e-12);
    assert!(allocation.intervals.iter().all(|i| i.weight <= 10.0 && (i.weight * i.labels - i.scores).abs() < 1e-12));
    let g = pilot.influence(0, truecount::Batch::new(&pool.scores).with_probabilities(&pool.scores).unwrap()).unwrap();
    let rows_by_interval: Vec<Vec<usize>> = (0..allocation.intervals.len())
        .map(|k| {
            let from = allocation.intervals[k].from.unwrap_or(f64::NEG_INFINITY);
            let to = allocation.intervals.get(k + 1).map_or(f64::INFINITY, |next| next.from.unwrap());
            (0..pool.scores.len()).filter(|i| (from..to).contains(&pool.scores[*i])).collect()
        })
        .collect();
    let mean = g.iter().sum::<f64>() / g.len() as f64;
    // Estimates the pool's prevalence from weighted class means of g.
    let estimate = |rows: &[(usize, f64)]| {
        let class_mean = |class: bool| {
            let rows = || rows.iter().filter(|(i, _)| pool.positive[*i] == class);
            rows().map(|(i, w)| w * g[*i]).sum::<f64>() / rows().map(|(_, w)| w).sum::<f64>()
        };
        (mean - class_mean(false)) / (class_mean(true) - class_mean(false))
    };
    let (mut at_random, mut allocated) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let rows: Vec<_> = (0..LABELS).map(|_| (rng.random_range(0..g.len()), 1.0)).collect();
        at_random.push(estimate(&rows));
        // Independent draws, as the prediction assumes: fixed numbers per interval would have a
        // smaller variance.
        let rows: Vec<_> = (0..LABELS)
            .map(|_| {
                let mut left = rng.random::<f64>();
                let chosen = allocation.intervals.iter().position(|interval| {
                    left -= interval.labels;
                    left < 0.0
                });
                let k = chosen.unwrap_or(rows_by_interval.len() - 1);
                let rows = &rows_by_interval[k];
                (rows[rng.random_range(0..rows.len())], rows.len() as f64 / allocation.intervals[k].labels)
            })
            .collect();
        allocated.push(estimate(&rows));
    }
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64
    };
    let ratio = variance(&allocated) / variance(&at_random);
    println!("ratio {ratio:.3}, predicted {:.3}", allocation.variance_ratio);
    // Monte Carlo standard error of the ratio of two variances.
    let error = ratio * (4.0 / f64::from(RUNS)).sqrt();
    assert!((ratio - allocation.variance_ratio).abs() < 3.0 * error, "{ratio} {}", allocation.variance_ratio);
    assert!(allocation.variance_ratio < 0.8);
}
