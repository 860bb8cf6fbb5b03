//! Friedman's method against its definition: Adjusted Count with the labelled share of positives as
//! the cutoff of the probabilities.

use truecount::{Batch, IntervalOptions, LabelledScores, Method, Model, Settings};

const LABELLED: [f64; 7] = [0.9, 0.8, 0.4, 0.6, 0.3, 0.2, 0.1];
const POSITIVE: [bool; 7] = [true, true, true, false, false, false, false];
const TEST: [f64; 4] = [0.7, 0.5, 0.2, 0.1];

/// Above the share 3/7 are 2 of 3 positives, 1 of 4 negatives and 1 of 2 test scores.
#[test]
fn equals_adjusted_count_at_the_labelled_share() {
    let labelled = LabelledScores::with_probabilities(&LABELLED, &LABELLED, &POSITIVE).unwrap();
    let settings = |methods: &[Method], cutoff| Settings { methods: methods.to_vec(), cutoff, ..Settings::default() };
    let model = Model::fit(&labelled, &settings(&[Method::FRIEDMAN], None)).unwrap();
    let batch = Batch::with_probabilities(&TEST, &TEST).unwrap();
    let friedman = &model.estimate(batch, &IntervalOptions::default()).unwrap()[0];
    assert!((friedman.prevalence - 0.6).abs() < 1e-15, "{}", friedman.prevalence);
    // The variance is that of Adjusted Count at the cutoff.
    let ac_model = Model::fit(&labelled, &settings(&[Method::AC], Some(3.0 / 7.0))).unwrap();
    let batch = Batch::with_probabilities(&TEST, &TEST).unwrap();
    let ac = &ac_model.estimate(batch, &IntervalOptions::default()).unwrap()[0];
    assert_eq!((friedman.raw, friedman.uncertainty), (ac.raw, ac.uncertainty));
}

#[test]
fn a_probability_equal_to_the_share_is_counted() {
    let scores = [0.9, 0.5, 0.4, 0.1];
    let labelled = LabelledScores::with_probabilities(&scores, &scores, &[true, true, false, false]).unwrap();
    let settings = Settings { methods: vec![Method::FRIEDMAN], ..Settings::default() };
    let model = Model::fit(&labelled, &settings).unwrap();
    let parameters = model.quantifiers()[0].parameters();
    assert_eq!(parameters[..3], [("cutoff", 0.5), ("true_positive_rate", 1.0), ("false_positive_rate", 0.0)]);
}
