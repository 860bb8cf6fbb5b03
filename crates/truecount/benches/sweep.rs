//! The cost of Continuous Sweep, as ratios within one run: `cargo bench -p truecount`.

mod common;

use common::{fit, labelled_scores, normal_scores, time_pair};
use std::hint::black_box;
use truecount::Tally;
use truecount::distribution::Family;
use truecount::{IntervalOptions, Method, Model, Settings};

fn main() {
    let train = labelled_scores(1.0);

    println!("fit (normal, threshold, influence function) from 1000 + 1000 scores");
    for (name, method) in [("o-cs", Method::O_CS), ("t-cs", Method::T_CS)] {
        let (each, _) = time_pair(|| drop(black_box(fit(black_box(&train), method))), || ());
        println!("  {name}: {each:.1?}");
    }

    println!("5000 test sets of 250 on one thread, tally and estimate");
    let (sets, options) = (normal_scores(0.4, 5000 * 250, 3), IntervalOptions::default());
    let model = fit(&train, Method::O_CS);
    let estimates = || {
        for set in sets.chunks_exact(250) {
            black_box(model.estimate_with(set, &options).expect("an estimate"));
        }
    };
    let (ours, plain) = time_pair(estimates, || {
        for set in sets.chunks_exact(250) {
            black_box(set.iter().sum::<f64>());
        }
    });
    println!("  o-cs: {ours:.2?}, {:.2} times `iter().sum()`", ours.as_secs_f64() / plain.as_secs_f64());

    let (total, tally) = time_pair(estimates, || {
        for set in sets.chunks_exact(250) {
            let mut tallies = Tally::new(&model);
            tallies.update(set).expect("finite scores");
            black_box(tallies);
        }
    });
    let finishing = total.as_secs_f64() / tally.as_secs_f64() - 1.0;
    println!("  estimate, standard error and interval: {:.0} % more than the tally", 100.0 * finishing);

    let checked = Model::fit(&train, &Settings::default()).expect("a model");
    // Mixtures of both classes, which pass the check: a rejected sample takes longer.
    let (positives, negatives) = (normal_scores(1.0, 5000 * 100, 6), normal_scores(0.0, 5000 * 150, 7));
    let mixtures: Vec<Vec<f64>> = positives
        .chunks(100)
        .zip(negatives.chunks(150))
        .map(|(positive, negative)| [positive, negative].concat())
        .collect();
    let estimate_all = |model: &Model| {
        for set in &mixtures {
            black_box(model.estimate_with(set, &options).expect("an estimate"));
        }
    };
    let (with, without) = time_pair(|| estimate_all(&checked), || estimate_all(&model));
    println!("  with the check of prior probability shift: {:.2} times", with.as_secs_f64() / without.as_secs_f64());

    println!("a million scores on one thread by Efficient Sweep");
    let million = normal_scores(0.4, 1_000_000, 5);
    for (name, family, _) in Family::TABLE.iter().copied().filter(|(_, family, _)| *family != Family::Beta) {
        let settings = Settings::new([Method::ES]).with_family(family);
        let (fitting, _) = time_pair(|| drop(black_box(Model::fit(&train, &settings))), || ());
        let model = Model::fit(&train, &settings).expect("a model").without_check();
        let (each, _) = time_pair(|| drop(black_box(model.estimate_with(&million, &options))), || ());
        println!("  {name}: fit {fitting:.1?}, estimate {each:.1?}");
    }
}
