//! Time to tally scores in memory on two threads, relative to a plain sum of the same array:
//! `cargo bench -p truecount`.
//!
//! The loops use the machine's best instruction set. Without the feature `dispatch` they use the
//! build's own instruction set; `cargo xtask speed` measures all of them.

mod plain_sum;

use multiversion::multiversion;
use multiversion::target::match_target;
use plain_sum::plain_sum;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Distribution, Normal, StandardNormal, StandardUniform};
use std::hint::black_box;
use std::time::{Duration, Instant};
use truecount::shift_test::ShiftCheck;
use truecount::{LabelledScores, Method, Model, Settings, Tally};

/// The number of rounds; times are medians over them.
const ROUNDS: usize = 15;

/// Applies a function to both halves of the scores, on two threads.
fn two_threads<T: Send>(scores: &[f64], each: impl Fn(&[f64]) -> T + Sync) -> (T, T) {
    let (left, right) = scores.split_at(scores.len() / 2);
    std::thread::scope(|scope| {
        let left = scope.spawn(|| each(left));
        let right = each(right);
        (left.join().expect("a sum"), right)
    })
}

fn main() {
    println!("100 million scores in memory on two threads with {}", instruction_set());
    let scores = normal_scores(0.4, 100_000_000, 4);
    for (name, separation, method) in [
        ("o-cs", 1.0, Method::O_CS),
        ("t-cs", 1.0, Method::T_CS),
        ("t-cs, classes 8 sd apart (several ramps)", 8.0, Method::T_CS),
        ("ac", 1.0, Method::AC),
    ] {
        let settings = Settings::new([method]);
        // Without the check, only the method is timed.
        let model = Model::fit(&labelled_scores(separation), &settings).expect("a model").without_check();
        print_ratio_to_sum(name, &scores, || {
            let (mut left, right) = two_threads(&scores, |half| {
                let mut tallies = Tally::new(&model);
                tallies.update(half).expect("finite scores");
                tallies
            });
            left.merge(&right).expect("tallies of one model");
            black_box(left);
        });
    }
    drop(scores);

    println!("20 million scores counted in 64 bins of equal shares");
    bench_shift_check("normal", StandardNormal);
    bench_shift_check("uniform", StandardUniform);
    bench_shift_check("probabilities, most near 0", Beta::new(0.3, 3.0).expect("a valid beta"));
}

/// Measures the shift check, whose tally counts scores in bins.
fn bench_shift_check<D: Distribution<f64>>(name: &str, distribution: D) {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let scores: Vec<f64> = distribution.sample_iter(&mut rng).take(20_000_000).collect();
    // The sorted scores alternate between the classes, so that positives are slightly higher.
    let mut labelled = scores[..2000].to_vec();
    labelled.sort_by(f64::total_cmp);
    let labels: Vec<bool> = (0..2000).map(|i| i % 2 == 1).collect();
    let check = ShiftCheck::new(&LabelledScores::new(&labelled, &labels).expect("labelled scores"));
    let check = check.expect("two classes, not the same");
    print_ratio_to_sum(name, &scores, || {
        let (mut left, right) = two_threads(&scores, |half| {
            let mut tally = check.tally();
            check.update(&mut tally, half).expect("finite scores");
            tally
        });
        left.merge(&right).expect("tallies of one check");
        black_box(left);
    });
}

/// Prints the time of a function and its ratio to a plain sum.
fn print_ratio_to_sum(name: &str, scores: &[f64], each: impl FnMut()) {
    let (ours, plain) = time_pair(each, || {
        black_box(two_threads(scores, plain_sum));
    });
    println!("  {name}: {ours:.1?}, plain sum {plain:.1?}, ratio {:.2}", ours.as_secs_f64() / plain.as_secs_f64());
}

/// Returns the instruction set that the loops use.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn instruction_set() -> &'static str {
    match_target! {
        "x86_64+avx512f+avx512dq+avx512vl+fma" => "AVX-512",
        "x86_64+avx2+fma" => "AVX2 and FMA",
        "aarch64+neon" => "NEON",
        _ => "the build's own instruction set",
    }
}

/// Draws n normal scores with this mean and standard deviation 1.
fn normal_scores(mean: f64, n: usize, seed: u64) -> Vec<f64> {
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

/// Returns the median times of two functions after a warm-up of each. They are run in turn (A B A B …), so that drifts
/// of the machine's speed affect both alike.
fn time_pair(mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    a();
    b();
    let (times_a, times_b) = (0..ROUNDS).map(|_| (time(&mut a), time(&mut b))).unzip();
    (median(times_a), median(times_b))
}

/// Draws 1000 labelled scores of each class; the class means are `separation` apart.
fn labelled_scores(separation: f64) -> LabelledScores {
    let labels: Vec<bool> = (0..2000).map(|i| i < 1000).collect();
    LabelledScores::new(&[normal_scores(separation, 1000, 1), normal_scores(0.0, 1000, 2)].concat(), &labels)
        .expect("labelled scores")
}
