//! The influence of each test score on an estimate.

use crate::common::{labelled, normals};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use truecount::scores::Batch;
use truecount::{Method, Model, Settings};

/// The weights change the first estimate, and thereby the later steps of Efficient Sweep.
#[test]
fn the_weighted_mean_influence_is_the_weighted_estimate() {
    let [train, test] = [1, 2].map(|seed| normals(&mut ChaCha8Rng::seed_from_u64(seed), 1.5, 60, 90));
    let model = Model::fit(&labelled(&train, 60), &Settings::new([Method::ES])).unwrap();
    for factor in [0.01, 1.0, 100.0] {
        let weights: Vec<f64> = test.iter().map(|score| if *score > 0.5 { factor } else { 1.0 }).collect();
        let batch = || Batch::from(&test).with_weights(&weights).unwrap();
        let influences = model.influence(0, batch()).unwrap();
        let sum: f64 = influences.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
        let raw = model.estimate(batch()).unwrap()[0].raw;
        assert!((sum / weights.iter().sum::<f64>() - raw).abs() < 1e-13, "{factor}");
    }
}
