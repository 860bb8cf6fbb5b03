//! How good every method is on real data: the errors over 1000 random samples of 250 from a labelled pool, at prevalences
//! uniform on [0, 1], as the table of `docs/accuracy.md` shows them.
//!
//! ```console
//! $ cargo run --release --example sampling -- data/spam/train.csv data/spam/pool.csv rank skew-normal kernel
//! ```
//!
//! Train and pool are tables with the columns `score` and `label` (1 or 0); the transform and families come after them. For
//! the family `given`, the posteriors are the logistic function of the score: a logistic regression's own.

#[path = "../tests/common/sampling.rs"]
mod sampling;

use std::error::Error;
use truecount::distribution::Family;
use truecount::{Method, Settings, Transform};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [train, pool, transform, families @ ..] = arguments.as_slice() else {
        return Err("usage: sampling TRAIN POOL TRANSFORM FAMILY...".into());
    };
    let transform = Transform::TABLE.iter().find(|(name, ..)| name == transform).ok_or("no such transform")?.1;
    println!("| family | method | mean absolute error | bias | 95 % intervals that hold |\n|---|---|---|---|---|");
    for family in families {
        let given = family == "given";
        let known = Family::TABLE.iter().find(|(name, ..)| name == family).map(|(_, family, _)| *family);
        let settings = Settings {
            methods: Method::TABLE.map(|(_, method, _)| method).to_vec(),
            family: if given { Family::Normal } else { known.ok_or("no such family")? },
            transform,
            ..Settings::default()
        };
        let (train, pool) = (sampling::read(train, given), sampling::read(pool, given));
        let errors = sampling::errors(&train, &pool, &settings)?;
        for ((name, ..), errors) in Method::TABLE.iter().zip(errors) {
            let coverage = errors.coverage.map_or("–".to_owned(), |share| format!("{:.1} %", 100.0 * share));
            println!("| {family} | `{name}` | {:.4} | {:+.4} | {coverage} |", errors.absolute, errors.bias);
        }
    }
    Ok(())
}
