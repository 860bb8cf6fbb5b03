//! Labelled rows with weights and clusters: identities, R's survey package, and invalid input.

use crate::common::{assert_close, labels, mean, probabilities, variance};
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
    /// Whether the scores are no probabilities.
    bare: bool,
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

    /// These rows, without a design.
    fn select(&self, rows: &[usize]) -> Self {
        let scores = rows.iter().map(|row| self.scores[*row]).collect();
        Self { scores, positive: rows.iter().map(|row| self.positive[*row]).collect(), ..Self::default() }
    }

    fn labelled(&self) -> Result<LabelledScores, Error> {
        let rows = LabelledScores::builder(&self.scores, &self.positive);
        let rows = if self.bare { rows } else { rows.probabilities(&self.scores) };
        rows.weights(self.weights.as_deref()).clusters(self.clusters.as_deref()).strata(self.strata.as_deref()).build()
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
    model.estimate(probabilities(scores)).unwrap()
}

/// Debug prints every bit of a double.
fn estimates_to_the_bit(table: &Table, methods: &[Method], test: &[f64]) -> String {
    format!("{:?}", estimates(&table.model(methods), test))
}

#[test]
fn equal_weights_within_each_class_and_rows_of_weight_0_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut table = Table::draw(&mut rng, 80, 120);
    let test = Table::draw(&mut rng, 50, 250).scores;
    let (plain, expected) = (table.labelled().unwrap(), estimates_to_the_bit(&table, Method::ALL, &test));
    for (positive, negative) in [(1.0, 1.0), (0.1, 0.1), (3.0, 1e-7), (1e100, 1e-100)] {
        table.weights = Some(table.positive.iter().map(|p| if *p { positive } else { negative }).collect());
        assert_eq!(table.labelled().unwrap(), plain);
        assert_eq!(estimates_to_the_bit(&table, Method::ALL, &test), expected);
    }
    table.weights = Some((0..200).map(|_| rng.random_range(1.0..5.0)).collect());
    let expected = estimates_to_the_bit(&table, &capable_methods(), &test);
    for (score, positive) in [(0.001, true), (0.999, false), (0.5, true)] {
        table.scores.insert(7, score);
        table.positive.insert(7, positive);
        table.weights.as_mut().unwrap().insert(7, 0.0);
    }
    assert_eq!(estimates_to_the_bit(&table, &capable_methods(), &test), expected);
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
        let repeated = table.select(&rows);
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

/// Results of R 4.2.2 with survey 4.1.1 for the rows of [`twelve_rows`]; the influence function of PACC is the
/// score itself:
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
#[test]
fn means_and_standard_errors_agree_with_rs_survey() {
    const MEANS: [f64; 2] = [0.617_391_304_347_826_1, 0.282_857_142_857_142_86];
    let clusters = vec![1, 1, 2, 3, 3, 4, 1, 2, 2, 4, 4, 5];
    for (clusters, std_errors) in [
        (None, &[(1.0, 0.116_056_722_537_062_53), (0.0, 0.071_688_343_954_175_2)][..]),
        (
            Some(clusters),
            &[
                (1.0, 0.126_095_246_055_190_9),
                (0.0, 0.054_678_645_457_386_38),
                (0.2, 0.060_713_285_419_170_62),
                (0.5, 0.080_613_102_868_052_94),
                (0.9, 0.116_397_069_043_335_09),
            ],
        ),
    ] {
        let model = Table { clusters, ..twelve_rows() }.model(&[Method::PACC]);
        let parameters = model.quantifiers()[0].parameters();
        let close = |actual: f64, expected: f64| {
            assert!((actual - expected).abs() < 1e-10 * expected.abs(), "{actual}, not {expected}");
        };
        for (name, mean) in ["mean_positive", "mean_negative"].into_iter().zip(MEANS) {
            close(parameters.iter().find(|(parameter, _)| *parameter == name).unwrap().1, mean);
        }
        // Standard errors of the prevalence are in units of the difference of the class means.
        let precision = model.quantifiers()[0].precision(0.5, 1.0).unwrap();
        for (alpha, std_error) in std_errors {
            close(precision.training_variance(*alpha).sqrt() * (MEANS[0] - MEANS[1]), *std_error);
        }
    }
}

fn twelve_rows() -> Table {
    Table {
        scores: vec![0.9, 0.8, 0.35, 0.7, 0.6, 0.95, 0.2, 0.5, 0.1, 0.4, 0.65, 0.3],
        positive: (0..12).map(|i| i < 6).collect(),
        weights: Some(vec![1.0, 2.0, 4.0, 1.5, 2.0, 1.0, 3.0, 2.0, 5.0, 2.5, 1.0, 4.0]),
        ..Table::default()
    }
}

#[test]
fn invalid_designs_are_errors() {
    let error = |change: fn(&mut Table)| {
        let mut table = twelve_rows();
        change(&mut table);
        table.labelled().unwrap_err()
    };
    assert_eq!(
        error(|table| table.weights.as_mut().unwrap()[4] = -1.0),
        ErrorLocation::value("weights", 4).error(Problem::WeightOutOfRange { value: Field::Number(-1.0) })
    );
    assert_eq!(error(|table| table.weights.as_mut().unwrap()[3] = f64::NAN).code(), "weight-out-of-range");
    let zero = Problem::ClassWeightsZero { class: Class::Negative }.into();
    assert_eq!(error(|table| table.weights.as_mut().unwrap()[6..].fill(0.0)), zero);
    let too_few = Problem::TooFewClusters { class: "positive".to_owned(), n: 1 }.into();
    assert_eq!(error(|table| table.clusters = Some(vec![5, 5, 5, 5, 5, 5, 1, 2, 3, 4, 5, 6])), too_few);
    let short = Problem::LengthMismatch { column: "clusters", values: 2, others: 12 }.into();
    assert_eq!(error(|table| table.clusters = Some(vec![5, 5])), short);
    let lonely = Error::from(Problem::SingleUnitStrata { strata: 2 }).in_set(5);
    assert_eq!(error(|table| table.strata = Some([vec![5], vec![0; 10], vec![7]].concat())), lonely);
    let across = Problem::ClustersAcrossStrata { clusters: 2 }.into();
    assert_eq!(
        error(|table| {
            table.clusters = Some((0..12).map(|i| i / 3 % 2).collect());
            table.strata = Some((0..12).map(|i| i % 2).collect());
        }),
        across
    );
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
    let bare = Table { bare: true, ..table }.labelled().unwrap();
    assert_eq!(fit(Method::PACC, &bare).unwrap_err().code(), "label-design-not-possible");
    let all = Settings::new(Method::ALL.iter().copied()).available_only();
    let model = Model::fit(&labelled, &all).unwrap();
    assert_eq!(
        (model.quantifiers().len(), model.omitted().len()),
        (capable_methods().len(), Method::ALL.len() - capable_methods().len())
    );
}

#[test]
fn the_bootstrap_resamples_weighted_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut table = Table::draw(&mut rng, 100, 100);
    table.weights = Some((0..200).map(|_| rng.random_range(1.0..4.0)).collect());
    let test = Table::draw(&mut rng, 100, 300).scores;
    let model = table.model(&[Method::AC]);
    let bootstrap = Bootstrap::new(&model, vec![probabilities(&test)], 1).unwrap();
    let replicates: Vec<_> = (0..1000).map(|number| bootstrap.replicate(number)).collect();
    let by_bootstrap = bootstrap.estimates(&replicates, &IntervalOptions::default()).unwrap()[0][0].std_error.unwrap();
    let by_formula = estimates(&model, &test)[0].std_error.unwrap();
    // The bootstrap resamples the test scores, which adds α(1−α)/n. Tolerance: four Monte Carlo
    // errors plus 5 % for second-order terms.
    let expected = (by_formula.powi(2) + 0.25 * 0.75 / 400.0).sqrt();
    assert!((by_bootstrap / expected - 1.0).abs() < 4.0 / 2000f64.sqrt() + 0.05, "{by_bootstrap} {expected}");
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
        assert_eq!(estimates(&read, &test), estimates(&model, &test));
    }
}

/// A class of fewer than 30 effective labels gives a warning if clusters or weights are what makes them few:
/// 8 clusters of 60 rows, one weight of 30 among 60 rows, 89²/959, and 84 labels worth 160²/1680 = 15.2. Weights
/// that make them worth 120²/480 = 30 give none, and neither do 15 labels without weights.
#[test]
fn few_effective_labels_give_a_warning() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let plain = Table::draw(&mut rng, 60, 60);
    let weighted = |rows: usize, heavy: std::ops::Range<usize>, weight: f64| {
        Some((0..rows).map(|row| if heavy.contains(&row) { weight } else { 1.0 }).collect::<Vec<f64>>())
    };
    let clustered = Table { clusters: Some((0..120).map(|i| i % 8).collect()), ..plain.clone() };
    let one_heavy = Table { weights: weighted(120, 70..71, 30.0), ..plain.clone() };
    assert_eq!(ShiftCheck::new(&one_heavy.labelled().unwrap()).unwrap_err().code(), "class-too-uneven-to-check");
    let uneven = Table { weights: weighted(144, 0..4, 20.0), ..Table::draw(&mut rng, 84, 60) };
    let enough = Table { weights: weighted(144, 0..4, 10.0), ..uneven.clone() };
    let few = Table::draw(&mut rng, 15, 60);
    for (table, expected) in [
        (plain, None),
        (clustered, Some((60, 8.0))),
        (one_heavy, Some((60, 7921.0 / 959.0))),
        (uneven, Some((84, 160.0 * 160.0 / 1680.0))),
        (enough, None),
        (few, None),
    ] {
        match (table.warning("few-labelled-units"), expected) {
            (None, None) => {}
            (Some(Warning::FewLabelledUnits { n, effective }), Some((of, expected))) => {
                assert_eq!(n, of);
                assert_close(effective, expected, 1e-12);
            }
            (warning, expected) => panic!("{warning:?}, not {expected:?}"),
        }
    }
}

/// Without errors among 30 rows of each class, the 95 % bound of an error rate is 3/30, and without errors
/// among 20 and 60 rows, the mean of the bounds is (3/20 + 3/60)/2, a tenth in both cases.
#[test]
fn perfectly_separated_labels_give_a_warning() {
    for ((positives, negatives, errors), expected) in [
        ((30, 30, 0), true),
        ((29, 30, 0), false),
        ((20, 60, 0), true),
        ((20, 59, 0), false),
        ((30, 30, 1), false),
        ((600, 600, 1), true),
        ((600, 600, 2), false),
    ] {
        // Positives score 1000 and more, except the errors with the lowest score of the negatives.
        let score = |i: usize| if (errors..positives).contains(&i) { 1000 + i } else { i.saturating_sub(positives) };
        let scores = (0..positives + negatives).map(|i| score(i) as f64).collect();
        let table =
            Table { scores, positive: labels(positives, positives + negatives), bare: true, ..Table::default() };
        let warning = table.warning("perfect-separation");
        assert_eq!(warning.is_some(), expected, "{positives}, {negatives}, {errors}");
    }
}

/// Each labelled row occurs five times. One row more, and rows of a named cluster, are no copies.
#[test]
fn copied_labels_give_a_warning() {
    let copies = |table: &Table| table.warning("copied-labels");
    let mut table = Table::draw(&mut ChaCha8Rng::seed_from_u64(10), 60, 60);
    assert_eq!(copies(&table), None);
    table = table.select(&(0..600).map(|row| row % 120).collect::<Vec<usize>>());
    assert_eq!(copies(&table), Some(Warning::CopiedLabels { times: 5 }));
    table.clusters = Some((0..600).map(|row| row % 120).collect());
    assert_eq!(copies(&table), None);
    table.clusters = None;
    table.scores.push(0.5);
    table.positive.push(true);
    assert_eq!(copies(&table), None);
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
    let g = pilot.influence(0, probabilities(&pool.scores)).unwrap();
    let rows_by_interval: Vec<Vec<usize>> = (0..allocation.intervals.len())
        .map(|k| {
            let from = allocation.intervals[k].from.unwrap_or(f64::NEG_INFINITY);
            let to = allocation.intervals.get(k + 1).map_or(f64::INFINITY, |next| next.from.unwrap());
            (0..pool.scores.len()).filter(|i| (from..to).contains(&pool.scores[*i])).collect()
        })
        .collect();
    let mean = mean(&g);
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
    let ratio = variance(&allocated) / variance(&at_random);
    // Monte Carlo standard error of the ratio of two variances.
    let error = ratio * (4.0 / f64::from(RUNS)).sqrt();
    assert!((ratio - allocation.variance_ratio).abs() < 3.0 * error, "{ratio} {}", allocation.variance_ratio);
    assert!(allocation.variance_ratio < 0.8);
}
