//! Rows that several classifiers have scored: estimates from all scores, and their variance.

use crate::common::{self, assert_close, figures, mean, variance};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::compare::JointErrors;
use truecount::error::Problem;
use truecount::model::{PooledTally, TestDesign};
use truecount::{Batch, Error, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Tally, Target};

const METHODS: [Method; 5] = [Method::ES, Method::AC, Method::O_CS, Method::PACC, Method::SMM];
const SHARES: [f64; 3] = [40.0, 35.0, 25.0];

/// The correlation of the scores of one row by two classifiers, given its class.
const CORRELATION: f64 = 0.6;

/// The scores of rows by each classifier, normal with the variance 1 in each class.
fn score(rng: &mut impl Rng, positive: &[bool]) -> Vec<Vec<f64>> {
    let mut normal = || common::normal(rng, 0.0);
    let mut columns = vec![Vec::with_capacity(positive.len()); SHARES.len()];
    for positive in positive {
        let common = if *positive { 1.5 } else { 0.0 } + CORRELATION.sqrt() * normal();
        for column in &mut columns {
            column.push(common + (1.0 - CORRELATION).sqrt() * normal());
        }
    }
    columns
}

/// The score of each row by a classifier that is drawn with the shares.
fn draw(rng: &mut impl Rng, columns: &[Vec<f64>]) -> Vec<f64> {
    let total: f64 = SHARES.iter().sum();
    let classifier = |u: f64| {
        let first = SHARES[0] / total;
        if u < first { 0 } else { 1 + usize::from(u >= first + SHARES[1] / total) }
    };
    (0..columns[0].len()).map(|row| columns[classifier(rng.random())][row]).collect()
}

fn fit(rng: &mut impl Rng, labels: usize) -> Model {
    let positive = common::labels(labels, 2 * labels);
    let columns = score(rng, &positive);
    let labelled = LabelledScores::new(&draw(rng, &columns), &positive).unwrap();
    Model::fit(&labelled, &Settings::new(METHODS)).unwrap().without_check()
}

/// The tallies of a group of rows: of one score for each row, and of all scores.
fn tally(model: &Model, drawn: &[f64], columns: &[Vec<f64>], weights: Option<&[f64]>) -> (Tally, PooledTally) {
    let batch =
        |scores| weights.map_or(Batch::new(scores), |weights| Batch::new(scores).with_weights(weights).unwrap());
    let mut tally = weights.map_or_else(|| Tally::new(model), |_| Tally::weighted(model).unwrap());
    tally.update(batch(drawn)).unwrap();
    let batches: Vec<Batch> = columns.iter().map(|column| batch(column.as_slice())).collect();
    (tally, PooledTally::new(model, &batches, &SHARES).unwrap())
}

fn estimate(
    model: &Model,
    drawn: &[f64],
    columns: &[Vec<f64>],
    weights: Option<&[f64]>,
    options: &IntervalOptions,
) -> Result<Estimates, Error> {
    let (tally, pooled) = tally(model, drawn, columns, weights);
    model.estimate_design(&TestDesign::pooled(&[tally], &[pooled]).unwrap(), &[0], options)
}

fn options(target: Target) -> IntervalOptions {
    IntervalOptions::default().with_target(target)
}

#[test]
fn equal_scores_of_all_classifiers_are_one_score() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let model = fit(&mut rng, 60);
    let positive: Vec<bool> = (0..50).map(|row| row % 3 == 0).collect();
    let scores = score(&mut rng, &positive).swap_remove(0);
    let weights: Vec<f64> = scores.iter().map(|_| rng.random_range(0.5..2.0)).collect();
    for (weights, target) in [(None, Target::Sample), (Some(&weights), Target::Population)] {
        let weights = weights.map(Vec::as_slice);
        let options = options(target);
        let pooled = estimate(&model, &scores, &vec![scores.clone(); 3], weights, &options).unwrap();
        let batch = Batch::new(&scores);
        let batch = weights.map_or(batch, |weights| batch.with_weights(weights).unwrap());
        for (pooled, single) in pooled.iter().zip(&model.estimate_with(batch, &options).unwrap()) {
            assert_close(pooled.raw, single.raw, 1e-13);
            figures(pooled).into_iter().zip(figures(single)).for_each(|(a, b)| assert_close(a, b, 1e-12));
            assert_eq!(pooled.n, 50);
        }
    }
}

/// The estimate is the mean over all scores, and with classes unknown its variance is that of the row
/// means: both from the influence of each score.
#[test]
fn the_variance_is_that_of_row_means() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let model = fit(&mut rng, 20_000);
    let positive: Vec<bool> = (0..4000).map(|row| row % 4 == 0).collect();
    let columns = score(&mut rng, &positive);
    let drawn = draw(&mut rng, &columns);
    let estimates = estimate(&model, &drawn, &columns, None, &options(Target::Population)).unwrap();
    for (index, estimate) in estimates.iter().enumerate() {
        let weights: Vec<f64> = SHARES.iter().flat_map(|share| vec![*share; 4000]).collect();
        let all = columns.concat();
        let influence = model.influence(index, Batch::new(&all).with_weights(&weights).unwrap()).unwrap();
        let means: Vec<f64> = (0..4000)
            .map(|row| SHARES.iter().enumerate().map(|(k, share)| share / 100.0 * influence[4000 * k + row]).sum())
            .collect();
        assert_close(estimate.raw, mean(&means), 1e-12);
        let between = variance(&means) / 4000.0;
        let precision = model.quantifiers()[index].precision(estimate.prevalence, 4000.0).unwrap();
        let from_test = estimate.std_error.unwrap().powi(2) - precision.training_variance(estimate.prevalence);
        // The variance of a drawn score is estimated from 40,000 labelled scores, not from these rows.
        assert!((from_test / between - 1.0).abs() < 0.04, "{}: {}", estimate.method, from_test / between);
    }
}

#[test]
fn groups_are_merged() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let model = fit(&mut rng, 100);
    let positive: Vec<bool> = (0..90).map(|row| row % 3 == 0).collect();
    let columns = score(&mut rng, &positive);
    let drawn = draw(&mut rng, &columns);
    let options = options(Target::Sample);
    let whole = estimate(&model, &drawn, &columns, None, &options).unwrap();
    let part = |rows: std::ops::Range<usize>| {
        let columns: Vec<Vec<f64>> = columns.iter().map(|column| column[rows.clone()].to_vec()).collect();
        tally(&model, &drawn[rows], &columns, None)
    };
    let (tallies, pooled): (Vec<_>, Vec<_>) = [part(0..40), part(40..90)].into_iter().unzip();
    let design = TestDesign::pooled(&tallies, &pooled).unwrap();
    let merged = model.estimate_design(&design, &[0, 1], &options).unwrap();
    let parts = [0, 1].map(|part| model.estimate_design(&design, &[part], &options).unwrap());
    for (index, (merged, whole)) in merged.iter().zip(&whole).enumerate() {
        assert_close(merged.raw, whole.raw, 1e-13);
        assert_close(merged.std_error.unwrap(), whole.std_error.unwrap(), 1e-12);
        // The total of groups by the same function, with weights of their sizes, is the whole.
        if merged.method != Method::ES {
            let joint = JointErrors::new(&model, merged.method).unwrap();
            let mut total = joint.total();
            total.add(&parts[0][index], 40.0).unwrap();
            total.add(&parts[1][index], 50.0).unwrap();
            let total = total.estimate(&options);
            assert_close(total.raw, whole.raw, 1e-13);
            assert!((total.std_error.unwrap() / whole.std_error.unwrap() - 1.0).abs() < 0.01);
        }
    }
}

#[test]
fn invalid_columns_and_shares_are_refused() {
    let model = fit(&mut ChaCha8Rng::seed_from_u64(5), 50);
    let (two, one) = ([0.1, 0.2], [0.3]);
    let problem = |scores: &[&[f64]], shares: &[f64]| {
        let batches: Vec<Batch> = scores.iter().map(|scores| Batch::new(*scores)).collect();
        PooledTally::new(&model, &batches, shares).unwrap_err()
    };
    assert_eq!(problem(&[&two, &one], &[1.0, 1.0]).code(), "length-mismatch");
    assert_eq!(problem(&[&two, &two], &[1.0]).code(), "length-mismatch");
    assert_eq!(problem(&[&two, &two], &[1.0, 0.0]).code(), "parameter-out-of-range");
    assert_eq!(problem(&[&two, &[0.1, f64::NAN]], &[1.0, 1.0]).code(), "score-not-finite");
    let mismatch = TestDesign::pooled(&[Tally::new(&model)], &[]).unwrap_err();
    assert_eq!(mismatch, Problem::LengthMismatch { column: "pooled", values: 0, others: 1 }.into());
}
