//! Friedman's method against its definition: Adjusted Count with the labelled share of positives as
//! the cutoff of the probabilities.

use truecount::{Batch, LabelledScores, Method, Model, Settings};

const LABELLED: [f64; 7] = [0.9, 0.8, 0.4, 0.6, 0.3, 0.2, 0.1];
const POSITIVE: [bool; 7] = [true, true, true, false, false, false, false];
const TEST: [f64; 4] = [0.7, 0.5, 0.2, 0.1];

/// Above the share 3/7 are 2 of 3 positives, 1 of 4 negatives and 1 of 2 test scores.
#[test]
fn equals_adjusted_count_at_the_labelled_share() {
    let labelled = LabelledScores::builder(&LABELLED, &POSITIVE).probabilities(&LABELLED).build().unwrap();
    let settings = |methods: &[Method], cutoff| Settings::new(methods.iter().copied()).with_cutoff(cutoff);
    let model = Model::fit(&labelled, &settings(&[Method::FRIEDMAN], None)).unwrap();
    let batch = Batch::new(&TEST).with_probabilities(&TEST).unwrap();
    let friedman = &model.estimate(batch).unwrap()[0];
    assert!((friedman.prevalence - 0.6).abs() < 1e-15, "{}", friedman.prevalence);
    // The variance is that of Adjusted Count at the cutoff.
    let ac_model = Model::fit(&labelled, &settings(&[Method::AC], Some(3.0 / 7.0))).unwrap();
    let batch = Batch::new(&TEST).with_probabilities(&TEST).unwrap();
    let ac = &ac_model.estimate(batch).unwrap()[0];
    assert_eq!((friedman.raw, friedman.interval), (ac.raw, ac.interval));
}

#[test]
fn a_probability_equal_to_the_share_is_counted() {
    let scores = [0.9, 0.5, 0.4, 0.1];
    let labelled =
        LabelledScores::builder(&scores, &[true, true, false, false]).probabilities(&scores).build().unwrap();
    let settings = Settings::new([Method::FRIEDMAN]);
    let model = Model::fit(&labelled, &settings).unwrap();
    let parameters = model.quantifiers()[0].parameters();
    assert_eq!(parameters[..3], [("cutoff", 0.5), ("true_positive_rate", 1.0), ("false_positive_rate", 0.0)]);
}
