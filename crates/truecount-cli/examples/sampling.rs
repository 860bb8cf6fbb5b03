//! How good every method is on real data: the errors over random samples of a labelled pool, at prevalences uniform on
//! [0, 1].
//!
//! ```console
//! $ cargo run --release --example sampling -- data/spam/train.csv data/spam/pool.csv rank skew-normal
//! ```
//!
//! Train and pool are tables with the columns `score` and `label` (1 or 0). The transform and families come after them;
//! 1000 samples of 250 without replacement, seed 2026.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use truecount::distribution::Family;
use truecount::{LabelledScores, Method, Model, Reporting, Settings, Transform};

const SAMPLES: u64 = 1000;
const SIZE: usize = 250;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [train, pool, transform, families @ ..] = arguments.as_slice() else {
        return Err("usage: sampling TRAIN POOL TRANSFORM FAMILY...".into());
    };
    let (train, pool) = (labelled(train)?, labelled(pool)?);
    let find = |name: &str| Family::TABLE.iter().find(|(n, ..)| *n == name).map(|(_, f, _)| *f).ok_or("no such family");
    let transform = Transform::TABLE.iter().find(|(n, ..)| n == transform).ok_or("no such transform")?.1;
    for family in families {
        let methods = Method::TABLE.map(|(_, method, _)| method).to_vec();
        let model = Model::fit(&train, &Settings { methods, family: find(family)?, transform, ..Settings::default() })?;
        let mut errors = vec![(0.0, 0.0, 0u32); model.quantifiers().len()];
        for sample in 0..SAMPLES {
            let (scores, truth) = draw(&pool, sample);
            for (error, e) in errors.iter_mut().zip(model.estimate(&scores, &Reporting::default())?) {
                error.0 += (e.prevalence - truth).abs() / SAMPLES as f64;
                error.1 += (e.prevalence - truth) / SAMPLES as f64;
                error.2 += u32::from(e.uncertainty.is_some_and(|u| u.lower <= truth && truth <= u.upper));
            }
        }
        println!("family {family}: mean absolute error, bias, intervals that hold the truth");
        for (quantifier, (mae, bias, covered)) in model.quantifiers().iter().zip(errors) {
            println!("{:<11} {mae:.4} {bias:+.4} {covered:>4}", quantifier.method().to_string());
        }
    }
    Ok(())
}

/// A sample of that number: the same whatever the methods.
fn draw(pool: &LabelledScores, sample: u64) -> (Vec<f64>, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(2026);
    rng.set_stream(sample);
    let alpha: f64 = rng.random();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let positives = (alpha * SIZE as f64).round() as usize;
    let mut some = |class: &[f64], n: usize| class.to_vec().partial_shuffle(&mut rng, n).0.to_vec();
    let scores = [some(pool.positive(), positives), some(pool.negative(), SIZE - positives)].concat();
    (scores, positives as f64 / SIZE as f64)
}

fn labelled(path: &str) -> Result<LabelledScores, Box<dyn Error>> {
    let (mut scores, mut labels) = (Vec::new(), Vec::new());
    for row in csv::Reader::from_path(path)?.deserialize() {
        let (score, label): (f64, u8) = row?;
        scores.push(score);
        labels.push(label == 1);
    }
    Ok(LabelledScores::new(&scores, &labels)?)
}
