//! The simulation studies: summaries that follow from the rows, and agreement with theory and the paper. `runner` tests
//! what holds for every study: results do not depend on the number of threads and on interruptions.

mod intervals;
mod paper;
mod runner;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::Value;
use std::convert::Infallible;
use std::sync::atomic::AtomicBool;
use truecount_bench::studies::{Completion, RunPlan, Study, StudyResults};

fn threads(n: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(n).build().unwrap()
}

/// Runs these settings on n threads, and asserts that the table of the results can be read back.
fn complete<S: Study>(settings: Vec<S::Setting>, plan: RunPlan, n: usize) -> StudyResults<S>
where
    S::Setting: Clone,
{
    let mut results = StudyResults::new(settings.clone(), plan);
    let completion = results.run(&threads(n), &AtomicBool::new(false), |_| Ok::<_, Infallible>(()));
    assert_eq!(completion, Ok(Completion::Complete));
    let read = StudyResults::<S>::new(settings, plan).with_cells(&results.to_csv()).unwrap();
    assert_eq!(read.finished(), results.finished());
    results
}

/// Returns the index of an arm.
fn arm_index<S: Study>(name: &str) -> usize {
    S::ARMS.iter().position(|arm| *arm == name).unwrap()
}

/// Returns a list of the summary.
fn summaries<S: Study>(results: &StudyResults<S>, list: &str) -> Vec<Value> {
    S::summary(results).json[list].as_array().unwrap().clone()
}

/// Returns a number of an object.
fn number(object: &Value, name: &str) -> f64 {
    object[name].as_f64().unwrap()
}
