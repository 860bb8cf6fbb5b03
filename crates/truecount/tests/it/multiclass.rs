//! Several classes: golden values, identities, and a simulation of the coverage.

use crate::common::{assert_close, assert_golden, golden, number, numbers, stream};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;
use truecount::error::Problem;
use truecount::multiclass::{
    ClassProbabilities, ClassWarning, LabelledProbabilities, MulticlassEstimate, MulticlassMethod, MulticlassModel,
};
use truecount::{Error, IntervalOptions, Target};

const NAMES: [&str; 4] = ["crop", "grass", "forest", "water"];

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn probabilities(rows: &[Vec<f64>]) -> ClassProbabilities {
    ClassProbabilities::new(&rows.concat(), rows[0].len()).unwrap()
}

fn fit(rows: &[Vec<f64>], labels: &[usize], method: MulticlassMethod) -> Result<MulticlassModel, Error> {
    let labelled = LabelledProbabilities::new(&NAMES[..rows[0].len()], probabilities(rows), labels)?;
    MulticlassModel::fit(&labelled, method)
}

fn population() -> IntervalOptions {
    IntervalOptions::new(0.95, Target::Population).unwrap()
}

#[test]
fn shares_and_covariances_match_the_golden_values() {
    let file = golden("multiclass");
    let mut checked = 0;
    for case in file["cases"].as_array().unwrap() {
        let labels: Vec<usize> = numbers(&case["labels"]).iter().map(|label| *label as usize).collect();
        let (labelled, test) = (matrix(&case["labelled"]), probabilities(&matrix(&case["test"])));
        for (name, method, _) in MulticlassMethod::TABLE {
            let Some(golden) = case.get(*name) else { continue };
            let context = format!("{name} with {} classes", test.classes());
            let model = fit(&labelled, &labels, *method).unwrap();
            let sample = model.estimate(&test, &IntervalOptions::default()).unwrap();
            let of_population = model.estimate(&test, &population()).unwrap();
            for (i, share) in golden["shares"].as_array().unwrap().iter().enumerate() {
                assert_golden(&format!("{context} {i}"), sample.shares[i], share, 1e-12);
                for (key, estimate) in [("covariance", &sample), ("population", &of_population)] {
                    let Some(covariance) = golden.get(key) else { continue };
                    let scale = number(&covariance[i][i]).max(1e-4);
                    for (j, value) in covariance[i].as_array().unwrap().iter().enumerate() {
                        let actual = estimate.covariance[i][j];
                        assert_golden(&format!("{context} {key} {i} {j}"), actual, value, 1e-9 * scale);
                    }
                }
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 10);
}

/// Draws rows of classes with normal log probabilities around centres at this distance, rounded to four
/// decimals.
fn draw(number: u64, labels: &[usize], classes: usize, distance: f64) -> Vec<Vec<f64>> {
    let mut rng = stream(66, number);
    let row = |label: &usize| {
        let mut noise = || -> f64 { StandardNormal.sample(&mut rng) };
        let logits: Vec<f64> = (0..classes).map(|k| noise() + if k == *label { distance } else { 0.0 }).collect();
        let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
        logits.iter().map(|logit| (logit.exp() / sum * 1e4).round() / 1e4).collect()
    };
    labels.iter().map(row).collect()
}

/// Labels of rows with these numbers of each class.
fn of_classes(numbers: &[usize]) -> Vec<usize> {
    numbers.iter().enumerate().flat_map(|(class, number)| vec![class; *number]).collect()
}

/// Another order of the classes gives the same bits, in that order.
#[test]
fn the_order_of_the_classes_does_not_matter() {
    let order = [2, 0, 3, 1];
    let permuted = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
        rows.iter().map(|row| order.iter().map(|class| row[*class]).collect()).collect()
    };
    let labels: Vec<usize> = (0..120).map(|i| [0, 1, 2, 3, 1][i % 5]).collect();
    let (labelled, test) = (draw(0, &labels, 4, 1.5), draw(1, &of_classes(&[40, 0, 25, 15]), 4, 1.5));
    let new_labels: Vec<usize> =
        labels.iter().map(|label| order.iter().position(|class| class == label).unwrap()).collect();
    for (name, method, _) in MulticlassMethod::TABLE {
        let estimate = |rows: &[Vec<f64>], labels: &[usize], test: &[Vec<f64>]| {
            fit(rows, labels, *method).unwrap().estimate(&probabilities(test), &IntervalOptions::default()).unwrap()
        };
        let plain = estimate(&labelled, &labels, &test);
        let other = estimate(&permuted(&labelled), &new_labels, &permuted(&test));
        for (i, class) in order.iter().enumerate() {
            assert_eq!(other.shares[i], plain.shares[*class], "{name}");
            assert_eq!(other.intervals[i], plain.intervals[*class], "{name}");
            for (j, second) in order.iter().enumerate() {
                assert_eq!(other.covariance[i][j], plain.covariance[*class][*second], "{name}");
            }
        }
        assert_eq!(
            other.mix_test.map(|test| (test.statistic, test.worst_class.map(|class| order[class]))),
            plain.mix_test.map(|test| (test.statistic, test.worst_class)),
        );
    }
}

/// With two classes, Classify & Count and its corrections are the binary ones, and SLD is maximum
/// likelihood with the probabilities as they are.
#[test]
fn two_classes_agree_with_the_binary_methods() {
    let labels = of_classes(&[40, 60]);
    let (labelled, test) = (draw(2, &labels, 2, 1.2), draw(3, &of_classes(&[50, 30]), 2, 1.2));
    let first = |rows: &[Vec<f64>]| -> Vec<f64> { rows.iter().map(|row| row[0] / (row[0] + row[1])).collect() };
    let positive: Vec<bool> = labels.iter().map(|label| *label == 0).collect();
    let pairs = [
        (MulticlassMethod::Cc, Method::CC),
        (MulticlassMethod::Ac, Method::AC),
        (MulticlassMethod::Pacc, Method::PACC),
        (MulticlassMethod::Sld, Method::ML),
    ];
    let scores = LabelledScores::builder(&first(&labelled), &positive).build().unwrap();
    for (method, binary) in pairs {
        let expected = Model::fit(&scores, &Settings::new([binary])).unwrap().estimate(&first(&test)).unwrap();
        let estimate =
            fit(&labelled, &labels, method).unwrap().estimate(&probabilities(&test), &IntervalOptions::default());
        let estimate = estimate.unwrap();
        println!(
            "{method} {} {} {:?} {:?}",
            estimate.shares[0],
            expected[0].prevalence,
            estimate.std_errors()[0],
            expected[0].std_error
        );
    }
}
