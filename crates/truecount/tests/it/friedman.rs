//! Friedman's method against its definition: Adjusted Count with the labelled share of positives as
//! the cutoff of the probabilities.

use crate::common::{first_estimate, labelled_probabilities, probabilities};
use truecount::{Method, Model, Settings};

const LABELLED: [f64; 7] = [0.9, 0.8, 0.4, 0.6, 0.3, 0.2, 0.1];
const TEST: [f64; 4] = [0.7, 0.5, 0.2, 0.1];

/// Above the share 3/7 are 2 of 3 positives, 1 of 4 negatives and 1 of 2 test scores.
#[test]
fn equals_adjusted_count_at_the_labelled_share() {
    let labelled = labelled_probabilities(&LABELLED, 3);
    let settings = |methods: &[Method], cutoff| Settings::new(methods.iter().copied()).with_cutoff(cutoff);
    let model = Model::fit(&labelled, &settings(&[Method::FRIEDMAN], None)).unwrap();
    let friedman = first_estimate(&model, probabilities(&TEST));
    assert!((friedman.prevalence - 0.6).abs() < 1e-15, "{}", friedman.prevalence);
    // The variance is that of Adjusted Count at the cutoff.
    let ac_model = Model::fit(&labelled, &settings(&[Method::AC], Some(3.0 / 7.0))).unwrap();
    let ac = first_estimate(&ac_model, probabilities(&TEST));
    assert_eq!((friedman.raw, friedman.interval), (ac.raw, ac.interval));
}

#[test]
fn a_probability_equal_to_the_share_is_counted() {
    let labelled = labelled_probabilities(&[0.9, 0.5, 0.4, 0.1], 2);
    let model = Model::fit(&labelled, &Settings::new([Method::FRIEDMAN])).unwrap();
    let parameters = model.quantifiers()[0].parameters();
    assert_eq!(parameters[..3], [("cutoff", 0.5), ("true_positive_rate", 1.0), ("false_positive_rate", 0.0)]);
}
