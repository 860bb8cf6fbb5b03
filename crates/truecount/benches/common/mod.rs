//! Paired timings and test data for benchmarks.
//!
//! Both functions of a pair are timed in turn (A B A B …), so that drifts of the machine's speed
//! affect both alike; medians are printed.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use std::time::{Duration, Instant};
use truecount::{LabelledScores, Method, Model, Settings};

const ROUNDS: usize = 15;

/// Draws n normal scores with this mean and standard deviation 1.
pub fn normal_scores(mean: f64, n: usize, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Normal::new(mean, 1.0).expect("a valid normal").sample_iter(&mut rng).take(n).collect()
}

fn time(f: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    f();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Returns the median times of two functions that are run in turn, after a warm-up of each.
pub fn time_pair(mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    a();
    b();
    let (times_a, times_b) = (0..ROUNDS).map(|_| (time(&mut a), time(&mut b))).unzip();
    (median(times_a), median(times_b))
}

/// Draws 1000 labelled scores of each class; the class means are `separation` apart.
pub fn labelled_scores(separation: f64) -> LabelledScores {
    let labels: Vec<bool> = (0..2000).map(|i| i < 1000).collect();
    LabelledScores::new(&[normal_scores(separation, 1000, 1), normal_scores(0.0, 1000, 2)].concat(), &labels)
        .expect("labelled scores")
}

/// Fits a method without the check of prior probability shift, so that only the method is timed.
pub fn fit(train: &LabelledScores, method: Method) -> Model {
    let settings = Settings::new([method]);
    Model::fit(train, &settings).expect("a model").without_check()
}
