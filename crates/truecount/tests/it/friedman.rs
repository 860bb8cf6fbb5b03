//! Friedman's method beside its definition: Adjusted Count of the probabilities at or above the labelled share of positives.

use truecount::{Batch, IntervalOptions, LabelledScores, Method, Model, Settings};

const LABELLED: [f64; 7] = [0.9, 0.8, 0.4, 0.6, 0.3, 0.2, 0.1];
const POSITIVE: [bool; 7] = [true, true, true, false, false, false, false];
const TEST: [f64; 4] = [0.7, 0.5, 0.2, 0.1];

/// The share is 3/7: of the positives 2 of 3 are above it, of the negatives 1 of 4, of the test scores 1 of 2.
#[test]
fn is_its_definition() {
    let labelled = LabelledScores::with_probabilities(&LABELLED, &LABELLED, &POSITIVE).unwrap();
    let settings = |methods: &[Method], cutoff| Settings { methods: methods.to_vec(), cutoff, ..Settings::default() };
    let model = Model::fit(&labelled, &settings(&[Method::FRIEDMAN], None)).unwrap();
    let batch = Batch::with_probabilities(&TEST, &TEST).unwrap();
    let found = &model.estimate(batch, &IntervalOptions::default()).unwrap()[0];
    assert!((found.prevalence - 0.6).abs() < 1e-15, "{}", found.prevalence);
    // With the variance of Adjusted Count at that cut.
    let counted = Model::fit(&labelled, &settings(&[Method::AC], Some(3.0 / 7.0))).unwrap();
    let batch = Batch::with_probabilities(&TEST, &TEST).unwrap();
    let count = &counted.estimate(batch, &IntervalOptions::default()).unwrap()[0];
    assert_eq!((found.raw, found.uncertainty), (count.raw, count.uncertainty));
}

/// A probability that is the share itself is counted.
#[test]
fn counts_what_is_at_the_share() {
    let scores = [0.9, 0.5, 0.4, 0.1];
    let labelled = LabelledScores::with_probabilities(&scores, &scores, &[true, true, false, false]).unwrap();
    let settings = Settings { methods: vec![Method::FRIEDMAN], ..Settings::default() };
    let model = Model::fit(&labelled, &settings).unwrap();
    let learnt = model.quantifiers()[0].parameters();
    assert_eq!(learnt[..3], [("cutoff", 0.5), ("true_positive_rate", 1.0), ("false_positive_rate", 0.0)]);
}
