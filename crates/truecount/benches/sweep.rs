//! What Continuous Sweep costs, as ratios within one run: `cargo bench -p truecount`.
//!
//! Each pair is timed in turn (A B A B …), so a machine whose speed drifts drifts under both; medians are printed.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use std::hint::black_box;
use std::time::{Duration, Instant};
use truecount::distribution::Family;
use truecount::{LabelledScores, Method, Model, Reporting, Settings};

const ROUNDS: usize = 15;

fn normal(mean: f64, n: usize, seed: u64) -> Vec<f64> {
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

/// Median times of two things run in turn, after one warm-up each.
fn pair(mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    a();
    b();
    let (times_a, times_b) = (0..ROUNDS).map(|_| (time(&mut a), time(&mut b))).unzip();
    (median(times_a), median(times_b))
}

fn labelled(separation: f64) -> LabelledScores {
    let labels: Vec<bool> = (0..2000).map(|i| i < 1000).collect();
    LabelledScores::new(&[normal(separation, 1000, 1), normal(0.0, 1000, 2)].concat(), &labels)
        .expect("labelled scores")
}

fn fit(train: &LabelledScores, method: Method) -> Model {
    Model::fit(train, &Settings { methods: vec![method], ..Settings::default() }).expect("a model")
}

/// The sum of both halves, each on a thread of its own.
fn two_threads<T: Send>(scores: &[f64], each: impl Fn(&[f64]) -> T + Sync) -> (T, T) {
    let (left, right) = scores.split_at(scores.len() / 2);
    std::thread::scope(|scope| {
        let left = scope.spawn(|| each(left));
        let right = each(right);
        (left.join().expect("a sum"), right)
    })
}

fn main() {
    let train = labelled(1.0);

    println!("fit (normal, threshold, influence function) from 1000 + 1000 scores");
    for (name, method) in [("o-cs", Method::O_CS), ("t-cs", Method::T_CS)] {
        let (each, _) = pair(|| drop(black_box(fit(black_box(&train), method))), || ());
        println!("  {name}: {each:.1?}");
    }

    println!("5000 test sets of 250 on one thread, tally and estimate");
    let (sets, reporting) = (normal(0.4, 5000 * 250, 3), Reporting::default());
    let model = fit(&train, Method::O_CS);
    let estimates = || {
        for set in sets.chunks_exact(250) {
            black_box(model.estimate(set, &reporting).expect("an estimate"));
        }
    };
    let (ours, plain) = pair(estimates, || {
        for set in sets.chunks_exact(250) {
            black_box(set.iter().sum::<f64>());
        }
    });
    println!("  o-cs: {ours:.2?}, {:.2} times `iter().sum()`", ours.as_secs_f64() / plain.as_secs_f64());

    let (whole, tally) = pair(estimates, || {
        for set in sets.chunks_exact(250) {
            let mut tallies = model.tallies();
            model.push(&mut tallies, set).expect("finite scores");
            black_box(tallies);
        }
    });
    let finishing = whole.as_secs_f64() / tally.as_secs_f64() - 1.0;
    println!("  estimate, standard error and interval: {:.0} % more than the tally", 100.0 * finishing);

    println!("a million scores on one thread by Efficient Sweep");
    let million = normal(0.4, 1_000_000, 5);
    for (name, family, _) in Family::TABLE.into_iter().filter(|(_, family, _)| *family != Family::Beta) {
        let settings = Settings { methods: vec![Method::EfficientSweep], family, ..Settings::default() };
        let (fitting, _) = pair(|| drop(black_box(Model::fit(&train, &settings))), || ());
        let model = Model::fit(&train, &settings).expect("a model");
        let (each, _) = pair(|| drop(black_box(model.estimate(&million, &reporting))), || ());
        println!("  {name}: fit {fitting:.1?}, estimate {each:.1?}");
    }

    println!("100 million scores in memory on two threads, beside a plain sum over the same array");
    let scores = normal(0.4, 100_000_000, 4);
    for (name, separation, method) in [
        ("o-cs", 1.0, Method::O_CS),
        ("t-cs", 1.0, Method::T_CS),
        ("t-cs, classes 8 sd apart (several ramps)", 8.0, Method::T_CS),
        ("ac", 1.0, Method::AdjustedCount),
    ] {
        let model = fit(&labelled(separation), method);
        let (ours, plain) = pair(
            || {
                let (mut left, right) = two_threads(&scores, |half| {
                    let mut tallies = model.tallies();
                    model.push(&mut tallies, half).expect("finite scores");
                    tallies
                });
                left[0].merge(&right[0]).expect("tallies of one model");
                black_box(left);
            },
            || {
                black_box(two_threads(&scores, plain_sum));
            },
        );
        println!("  {name}: {ours:.1?}, plain sum {plain:.1?}, ratio {:.2}", ours.as_secs_f64() / plain.as_secs_f64());
    }
}

/// A sum the compiler can put into vectors of the machine's own width: 32 lanes, as the scoring loop has.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn plain_sum(scores: &[f64]) -> f64 {
    let mut lanes = [0.0; 32];
    let (blocks, rest) = scores.as_chunks::<32>();
    for block in blocks {
        for (lane, s) in lanes.iter_mut().zip(block) {
            *lane += s;
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().sum::<f64>()
}
