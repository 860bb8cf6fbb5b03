//! Counts the positives in a CSV file of scores, with a model from a CSV file of labelled scores:
//!
//! ```text
//! cargo run --package truecount --example count_spam -- data/spam/train.csv data/spam/pool.csv
//! ```
//!
//! Both files have a column `score`; the first also has a column `label` with 1 for positives.

use std::error::Error;
use truecount::{IntervalOptions, LabelledScores, Model, Settings, Tally, Target};

/// Reads the named columns of a CSV file, row by row.
fn read<const N: usize>(path: &str, columns: [&str; N]) -> Result<Vec<[f64; N]>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(path)?;
    let header = reader.headers()?.clone();
    let mut indices = [0; N];
    for (index, column) in indices.iter_mut().zip(columns) {
        let found = header.iter().position(|name| name == column);
        *index = found.ok_or_else(|| format!("{path} has no column '{column}'"))?;
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let mut row = [0.0; N];
        for (value, index) in row.iter_mut().zip(indices) {
            *value = record[index].parse()?;
        }
        rows.push(row);
    }
    Ok(rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [train, test] = arguments.as_slice() else { return Err("usage: count_spam TRAIN.csv TEST.csv".into()) };

    let labelled = read(train, ["score", "label"])?;
    let scores: Vec<f64> = labelled.iter().map(|[score, _]| *score).collect();
    let positive: Vec<bool> = labelled.iter().map(|[_, label]| *label == 1.0).collect();
    let model = Model::fit(&LabelledScores::new(&scores, &positive)?, &Settings::default())?;

    // In batches, as for a file that does not fit into memory.
    let mut tally = Tally::new(&model);
    for batch in read(test, ["score"])?.chunks(1000) {
        tally.update(batch.as_flattened())?;
    }
    for target in [Target::Sample, Target::Population] {
        let estimate = &tally.evaluate_with(&IntervalOptions::default().with_target(target))?[0];
        println!("{} of {} scores, target {target}: {:.4}", estimate.method, estimate.n, estimate.prevalence);
        if let (Some(std_error), Some(interval)) = (estimate.std_error, estimate.interval) {
            println!("  standard error {std_error:.4}, interval {:.4} to {:.4}", interval.lower, interval.upper);
        }
        for warning in &estimate.warnings {
            println!("  {}: {warning}", warning.severity());
        }
    }
    Ok(())
}
