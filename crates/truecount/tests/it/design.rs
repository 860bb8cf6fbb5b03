//! Labelled rows with weights and in clusters: identities, R's survey, bad input, and coverage by simulation.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::check::ShiftCheck;
use truecount::{
    Bootstrap, Class, Error, ErrorLocation, Estimates, Field, IntervalOptions, LabelledRows, LabelledScores, Method,
    Model, NotPossible, Operation, Problem, Settings, Warning,
};

/// Columns of labelled rows, some of their own.
#[derive(Clone, Default)]
struct Table {
    scores: Vec<f64>,
    positive: Vec<bool>,
    weights: Option<Vec<f64>>,
    clusters: Option<Vec<u32>>,
}

impl Table {
    fn drawn(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Self {
        let (plus, minus) = (Normal::new(0.65, 0.15).unwrap(), Normal::new(0.4, 0.15).unwrap());
        let mut inside = |of: &Normal<f64>| of.sample(rng).clamp(0.01, 0.99);
        let scores: Vec<f64> =
            (0..positives + negatives).map(|i| inside(if i < positives { &plus } else { &minus })).collect();
        let positive = (0..positives + negatives).map(|i| i < positives).collect();
        Self { scores, positive, ..Self::default() }
    }

    fn labelled(&self) -> Result<LabelledScores, Error> {
        LabelledScores::from_rows(&LabelledRows {
            scores: &self.scores,
            positive: &self.positive,
            probabilities: Some(&self.scores),
            weights: self.weights.as_deref(),
            clusters: self.clusters.as_deref(),
        })
    }

    fn model(&self, methods: &[Method]) -> Model {
        let settings = Settings { methods: methods.to_vec(), ..Settings::default() };
        Model::fit(&self.labelled().unwrap(), &settings).unwrap()
    }
}

fn able() -> Vec<Method> {
    Method::ALL.iter().copied().filter(|method| method.takes_label_design()).collect()
}

fn estimates(model: &Model, scores: &[f64]) -> Estimates {
    let batch = truecount::Batch::with_probabilities(scores, scores).unwrap();
    model.estimate(batch, &IntervalOptions::default()).unwrap()
}

#[test]
fn weights_that_are_alike_in_each_class_are_as_good_as_none() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut table = Table::drawn(&mut rng, 80, 120);
    let test = Table::drawn(&mut rng, 50, 250).scores;
    let methods: Vec<Method> = Method::ALL.to_vec();
    let (plain, found) = (table.labelled().unwrap(), estimates(&table.model(&methods), &test));
    for (positive, negative) in [(1.0, 1.0), (0.1, 0.1), (3.0, 1e-7), (1e100, 1e-100)] {
        table.weights = Some(table.positive.iter().map(|p| if *p { positive } else { negative }).collect());
        assert_eq!(table.labelled().unwrap(), plain);
        // To the bit.
        assert_eq!(format!("{:?}", estimates(&table.model(&methods), &test)), format!("{found:?}"));
    }
}

#[test]
fn rows_of_weight_0_count_for_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut table = Table::drawn(&mut rng, 60, 60);
    let weights: Vec<f64> = (0..120).map(|_| rng.random_range(1.0..5.0)).collect();
    table.weights = Some(weights);
    let test = Table::drawn(&mut rng, 50, 250).scores;
    let found = estimates(&table.model(&able()), &test);
    for (score, positive) in [(0.001, true), (0.999, false), (0.5, true)] {
        table.scores.insert(7, score);
        table.positive.insert(7, positive);
        table.weights.as_mut().unwrap().insert(7, 0.0);
    }
    assert_eq!(format!("{:?}", estimates(&table.model(&able()), &test)), format!("{found:?}"));
}

/// The estimate of whole weights is that of rows that stand there as often, for the counts and the means. Efficient Sweep learns which g to
/// average, and how smooth it is, from effective counts, which are fewer than those of the repeated rows: its estimates differ, by less than a
/// tenth of a standard error here.
#[test]
fn whole_weights_are_repeated_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let test = Table::drawn(&mut rng, 150, 450).scores;
    for _ in 0..5 {
        let mut table = Table::drawn(&mut rng, 150, 150);
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
            (estimates(&table.model(&able()), &test), estimates(&repeated.model(&able()), &test));
        for (a, b) in weighted.iter().zip(&repeated) {
            let (difference, se) = ((a.raw - b.raw).abs(), a.uncertainty.unwrap().se);
            let allowed = if a.method == Method::ES { 0.1 * se } else { 1e-12 };
            assert!(difference < allowed, "{}: {difference:e}, se {se}", a.method);
        }
    }
}

/// Twelve rows, and what R 4.2.2 with survey 4.1.1 says of them:
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

fn twelve() -> Table {
    Table {
        scores: vec![0.9, 0.8, 0.35, 0.7, 0.6, 0.95, 0.2, 0.5, 0.1, 0.4, 0.65, 0.3],
        positive: (0..12).map(|i| i < 6).collect(),
        weights: Some(vec![1.0, 2.0, 4.0, 1.5, 2.0, 1.0, 3.0, 2.0, 5.0, 2.5, 1.0, 4.0]),
        clusters: None,
    }
}

fn of_r(name: &str) -> f64 {
    R.iter().find(|(known, _)| *known == name).unwrap().1
}

fn assert_near(found: f64, name: &str) {
    let expected = of_r(name);
    assert!((found - expected).abs() < 1e-10 * expected.abs(), "{name}: {found}, not {expected}");
}

/// PACC's g is the score itself.
#[test]
fn agrees_with_rs_survey() {
    let mut table = twelve();
    let learnt = |table: &Table| {
        let model = table.model(&[Method::PACC]);
        let quantifier = &model.quantifiers()[0];
        let of = |name: &str| quantifier.parameters().iter().find(|(known, _)| *known == name).unwrap().1;
        (of("mean_positive"), of("mean_negative"), quantifier.precision(0.5).unwrap())
    };
    let (positive, negative, precision) = learnt(&table);
    assert_near(positive, "mean +");
    assert_near(negative, "mean -");
    // In units of the means' difference.
    let unit = positive - negative;
    assert_near(precision.learning(1.0).sqrt() * unit, "se +");
    assert_near(precision.learning(0.0).sqrt() * unit, "se -");
    table.clusters = Some(vec![1, 1, 2, 3, 3, 4, 1, 2, 2, 4, 4, 5]);
    let (positive, negative, precision) = learnt(&table);
    assert_near(positive, "mean +");
    assert_near(negative, "mean -");
    for (alpha, name) in
        [(1.0, "clustered se +"), (0.0, "clustered se -"), (0.2, "se at 0.2"), (0.5, "se at 0.5"), (0.9, "se at 0.9")]
    {
        assert_near(precision.learning(alpha).sqrt() * unit, name);
    }
}

#[test]
fn what_cannot_be_a_design_is_refused() {
    let refused = |change: fn(&mut Table)| {
        let mut table = twelve();
        change(&mut table);
        table.labelled().unwrap_err()
    };
    let weigh = |table: &mut Table, row: usize, weight: f64| table.weights.as_mut().unwrap()[row] = weight;
    assert_eq!(
        refused(|table| table.weights.as_mut().unwrap()[3] = f64::NAN).to_string(),
        "weight 3 is NaN; a weight must be 0, or between 1e-100 and 1e100"
    );
    assert_eq!(
        refused(|table| table.weights.as_mut().unwrap()[4] = -1.0),
        ErrorLocation::value("weights", 4).error(Problem::NotAWeight { value: Field::Number(-1.0) })
    );
    let mut table = twelve();
    (6..12).for_each(|row| weigh(&mut table, row, 0.0));
    assert_eq!(table.labelled().unwrap_err(), Problem::ClassWeightsZero { class: Class::Negative }.into());
    let one = Problem::TooFewClusters { class: Class::Positive, n: 1 }.into();
    assert_eq!(refused(|table| table.clusters = Some(vec![5, 5, 5, 5, 5, 5, 1, 2, 3, 4, 5, 6])), one);
    let short = Problem::LengthMismatch { column: "clusters", values: 2, others: 12 }.into();
    assert_eq!(refused(|table| table.clusters = Some(vec![5, 5])), short);
}

#[test]
fn methods_that_need_more_than_means_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut table = Table::drawn(&mut rng, 60, 60);
    table.weights = Some((0..120).map(|i| f64::from(1 + i % 3)).collect());
    let labelled = table.labelled().unwrap();
    let fit = |method: Method, labelled: &LabelledScores| {
        Model::fit(labelled, &Settings { methods: vec![method], ..Settings::default() })
    };
    for &method in Method::ALL {
        match fit(method, &labelled) {
            Ok(_) => assert!(method.takes_label_design(), "{method}"),
            Err(error) => {
                let refused = error.problem::<NotPossible>().unwrap_or_else(|| panic!("{method}: {error}"));
                assert_eq!(refused.operation, Operation::LabelDesign, "{method}");
                assert!(!method.takes_label_design() && refused.methods == [method.name()], "{method}");
                assert_eq!(refused.able, able().iter().map(|method| method.name()).collect::<Vec<_>>());
            }
        }
    }
    // Posterior probabilities of a fitted family know nothing of the weights.
    let rows = LabelledRows { probabilities: None, weights: table.weights.as_deref(), ..LabelledRows::default() };
    let bare = LabelledScores::from_rows(&LabelledRows { scores: &table.scores, positive: &table.positive, ..rows });
    assert_eq!(fit(Method::PACC, &bare.unwrap()).unwrap_err().code(), "label-design-not-possible");
    let all = Settings { methods: Method::ALL.to_vec(), may_leave_out: true, ..Settings::default() };
    let (model, left_out) = Model::fit_available(&labelled, &all).unwrap();
    assert_eq!((model.quantifiers().len(), left_out.len()), (able().len(), Method::ALL.len() - able().len()));
}

#[test]
fn the_bootstrap_draws_rows_with_weights_but_no_clusters() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut table = Table::drawn(&mut rng, 100, 100);
    table.weights = Some((0..200).map(|_| rng.random_range(1.0..4.0)).collect());
    let test = Table::drawn(&mut rng, 100, 300).scores;
    let batch = || truecount::Batch::with_probabilities(&test, &test).unwrap();
    let model = table.model(&[Method::AC]);
    let bootstrap = Bootstrap::new(&model, vec![batch()], 1).unwrap();
    let replicates: Vec<_> = (0..1000).map(|number| bootstrap.replicate(number)).collect();
    let by_bootstrap =
        bootstrap.estimates(&replicates, &IntervalOptions::default()).unwrap()[0][0].uncertainty.unwrap().se;
    let by_formula = estimates(&model, &test)[0].uncertainty.unwrap().se;
    // The population's, as test scores are drawn too: α(1−α)/n more variance. Four Monte Carlo errors and 5 % of second order.
    let expected = (by_formula.powi(2) + 0.25 * 0.75 / 400.0).sqrt();
    assert!((by_bootstrap / expected - 1.0).abs() < 4.0 / 2000f64.sqrt() + 0.05, "{by_bootstrap} {expected}");
    table.clusters = Some((0..200).map(|i| i / 3).collect());
    let model = table.model(&[Method::AC]);
    assert_eq!(Bootstrap::new(&model, vec![batch()], 1).unwrap_err(), Problem::BootstrapOfClusters.into());
}

#[test]
fn a_model_keeps_the_design() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut table = Table::drawn(&mut rng, 60, 60);
    let test = Table::drawn(&mut rng, 50, 250).scores;
    let version = |model: &Model| model.to_json().lines().nth(2).unwrap().trim().to_owned();
    assert_eq!(version(&table.model(&able())), "\"version\": 2,");
    table.weights = Some((0..120).map(|_| rng.random_range(1.0..5.0)).collect());
    let weighted = table.model(&able());
    table.clusters = Some((0..120).map(|i| 1000 - i / 2).collect());
    for model in [weighted, table.model(&able())] {
        assert_eq!(version(&model), "\"version\": 3,");
        let read = Model::from_json(&model.to_json()).unwrap();
        assert_eq!(read.fingerprint(), model.fingerprint());
        assert_eq!(format!("{:?}", estimates(&read, &test)), format!("{:?}", estimates(&model, &test)));
    }
}

#[test]
fn few_units_are_few_labels() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut table = Table::drawn(&mut rng, 60, 60);
    let few = |table: &Table| {
        let model = table.model(&[Method::ES]);

        model.quantifiers()[0].warnings().iter().find_map(|warning| match warning {
            Warning::FewLabelledUnits { n, effective } => Some((*n, *effective)),
            _ => None,
        })
    };
    assert_eq!(few(&table), None);
    table.clusters = Some((0..120).map(|i| i % 8).collect());
    assert_eq!(few(&table), Some((60, 8.0)));
    table.clusters = None;
    table.weights = Some((0..120).map(|i| if i == 70 { 30.0 } else { 1.0 }).collect());
    // (Σw)²/Σw² = 89²/959.
    let (n, effective) = few(&table).unwrap();
    assert!(n == 60 && (effective - 7921.0 / 959.0).abs() < 1e-12);
    assert_eq!(ShiftCheck::new(&table.labelled().unwrap()).unwrap_err().code(), "class-too-uneven-to-check");
}

/// A large population of which scores near ½ are labelled often and others seldom, as a trust-and-safety team does.
fn chance(score: f64) -> f64 {
    if (score - 0.5).abs() < 0.12 { 0.5 } else { 0.08 }
}

/// Labels drawn by score: without weights biased, with them not, and the interval holds as often as it says.
#[test]
fn a_draw_by_score_is_made_good_by_weights() {
    const RUNS: u32 = 400;
    let methods = [Method::ES, Method::AC];
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut held, mut errors, mut bare) = ([0_u32; 2], [Vec::new(), Vec::new()], [0.0; 2]);
    let mut false_alarms = 0_u32;
    for _ in 0..RUNS {
        let pool = Table::drawn(&mut rng, 400, 800);
        let rows: Vec<usize> = (0..1200).filter(|i| rng.random::<f64>() < chance(pool.scores[*i])).collect();
        let mut table = Table {
            scores: rows.iter().map(|i| pool.scores[*i]).collect(),
            positive: rows.iter().map(|i| pool.positive[*i]).collect(),
            weights: Some(rows.iter().map(|i| chance(pool.scores[*i]).recip()).collect()),
            clusters: None,
        };
        let test = Table::drawn(&mut rng, 60, 540).scores;
        for (k, estimate) in estimates(&table.model(&methods), &test).iter().enumerate() {
            let interval = estimate.uncertainty.unwrap();
            held[k] += u32::from(interval.lower <= 0.1 && 0.1 <= interval.upper);
            errors[k].push(estimate.raw - 0.1);
            false_alarms += u32::from(estimate.warnings.iter().any(Warning::is_of_misfit));
        }
        table.weights = None;
        for (k, estimate) in estimates(&table.model(&methods), &test).iter().enumerate() {
            bare[k] += (estimate.raw - 0.1) / f64::from(RUNS);
        }
    }
    for (k, method) in methods.iter().enumerate() {
        let n = f64::from(RUNS);
        let bias = errors[k].iter().sum::<f64>() / n;
        let sd = (errors[k].iter().map(|e| (e - bias).powi(2)).sum::<f64>() / n).sqrt();
        let coverage = f64::from(held[k]) / n;
        println!("{method}: bias {bias:.4} (without weights {:.4}), sd {sd:.4}, coverage {coverage:.3}", bare[k]);
        // Of a ratio of means there is a bias of the second order, a tenth of the standard deviation at most; three Monte Carlo errors.
        assert!(bias.abs() < 3.0 * sd / n.sqrt() + 0.1 * sd, "{method}: {bias}");
        assert!((coverage - 0.95).abs() < 3.0 * (0.95 * 0.05 / n).sqrt() + 0.01, "{method}: {coverage}");
    }
    // At a level of 1 %; once for each method. With so few labels there are 1.7 % (205 of 12 000 such draws).
    let allowed = 0.018 * f64::from(RUNS);
    println!("false alarms: {} of {RUNS}", false_alarms / 2);
    assert!(f64::from(false_alarms) / 2.0 < allowed + 4.0 * allowed.sqrt());
}

/// Clusters whose rows share half of their variance, both classes within: the interval holds with them and not without.
#[test]
fn clusters_widen_the_interval_as_much_as_they_must() {
    const RUNS: u32 = 400;
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut held, mut alone) = (0_u32, 0_u32);
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
        // The test scores come one by one from a population of clusters without end.
        let whole = Normal::new(0.0, (0.12f64.powi(2) + 0.08f64.powi(2)).sqrt()).unwrap();
        let draw = |i: u32| -> f64 { if i < 1000 { 0.62 } else { 0.38 } };
        let mut test: Vec<f64> = (0..2000).map(|i| (draw(i) + whole.sample(&mut rng)).clamp(0.0, 1.0)).collect();
        test.shuffle(&mut rng);
        let holds = |table: &Table| {
            let interval = estimates(&table.model(&[Method::PACC]), &test)[0].uncertainty.unwrap();
            u32::from(interval.lower <= 0.5 && 0.5 <= interval.upper)
        };
        alone += holds(&table);
        table.clusters = Some(clusters);
        held += holds(&table);
    }
    let (held, alone) = (f64::from(held) / f64::from(RUNS), f64::from(alone) / f64::from(RUNS));
    println!("coverage {held:.3} by clusters, {alone:.3} by rows");
    assert!((held - 0.95).abs() < 3.0 * (0.95 * 0.05 / f64::from(RUNS)).sqrt() + 0.01, "{held}");
    assert!(alone < 0.8, "{alone}");
}

/// Labels drawn where `allocation` says leave as much of the variance as it says: with the pilot's own g, of a large pool.
#[test]
fn an_allocation_keeps_its_promise() {
    const RUNS: u32 = 1500;
    const LABELS: usize = 4000;
    const ALPHA: f64 = 0.1;
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let pilot = Table::drawn(&mut rng, 2000, 2000).model(&[Method::ES]);
    let pool = Table::drawn(&mut rng, 2000, 18_000);
    let quantifier = &pilot.quantifiers()[0];
    let allocation = quantifier.binned_sweep().unwrap().allocation(ALPHA).unwrap();
    let sum = |of: fn(&truecount::quantifier::LabelInterval) -> f64| allocation.intervals.iter().map(of).sum::<f64>();
    assert!((sum(|i| i.scores) - 1.0).abs() < 1e-12 && (sum(|i| i.labels) - 1.0).abs() < 1e-12);
    assert!(allocation.intervals.iter().all(|i| i.weight <= 10.0 && (i.weight * i.labels - i.scores).abs() < 1e-12));
    let g = pilot.influence(0, truecount::Batch::with_probabilities(&pool.scores, &pool.scores).unwrap()).unwrap();
    let within: Vec<Vec<usize>> = (0..allocation.intervals.len())
        .map(|k| {
            let from = allocation.intervals[k].from.unwrap_or(f64::NEG_INFINITY);
            let to = allocation.intervals.get(k + 1).map_or(f64::INFINITY, |next| next.from.unwrap());
            (0..pool.scores.len()).filter(|i| (from..to).contains(&pool.scores[*i])).collect()
        })
        .collect();
    let mean = g.iter().sum::<f64>() / g.len() as f64;
    // The estimate of the whole pool from weighted class means of g.
    let estimate = |rows: &[(usize, f64)]| {
        let of = |class: bool| {
            let rows = || rows.iter().filter(|(i, _)| pool.positive[*i] == class);
            rows().map(|(i, w)| w * g[*i]).sum::<f64>() / rows().map(|(_, w)| w).sum::<f64>()
        };
        (mean - of(false)) / (of(true) - of(false))
    };
    let (mut at_random, mut allocated) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let rows: Vec<_> = (0..LABELS).map(|_| (rng.random_range(0..g.len()), 1.0)).collect();
        at_random.push(estimate(&rows));
        // One by one: as many as were planned of each interval would leave less than the variance that is stated.
        let rows: Vec<_> = (0..LABELS)
            .map(|_| {
                let mut left = rng.random::<f64>();
                let chosen = allocation.intervals.iter().position(|interval| {
                    left -= interval.labels;
                    left < 0.0
                });
                let k = chosen.unwrap_or(within.len() - 1);
                let of = &within[k];
                (of[rng.random_range(0..of.len())], of.len() as f64 / allocation.intervals[k].labels)
            })
            .collect();
        allocated.push(estimate(&rows));
    }
    let variance = |of: &[f64]| {
        let mean = of.iter().sum::<f64>() / of.len() as f64;
        of.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / of.len() as f64
    };
    let ratio = variance(&allocated) / variance(&at_random);
    println!("ratio {ratio:.3}, predicted {:.3}", allocation.ratio);
    // The ratio of two variances from so many runs, three Monte Carlo errors.
    let error = ratio * (4.0 / f64::from(RUNS)).sqrt();
    assert!((ratio - allocation.ratio).abs() < 3.0 * error, "{ratio} {}", allocation.ratio);
    assert!(allocation.ratio < 0.8);
}
