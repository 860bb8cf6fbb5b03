//! The simulation studies: the same bits on any number of threads and across stops, summaries that follow from the
//! rows, and what theory and the paper say.

mod audit;
mod breach;
mod paper;
mod pools;
mod runner;
mod together;

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::convert::Infallible;
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use truecount_bench::studies::{Completion, RunPlan, Statistics, Study, StudyResults, Summary};

fn threads(n: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(n).build().unwrap()
}

/// Runs these settings on so many threads.
fn complete<S: Study>(settings: Vec<S::Setting>, plan: RunPlan, n: usize) -> StudyResults<S> {
    let mut results = StudyResults::new(settings, plan);
    let completion = results.run(&threads(n), &AtomicBool::new(false), |_| Ok::<_, Infallible>(()));
    assert_eq!(completion, Ok(Completion::Complete));
    results
}

/// Runs a study on one thread and on several, and reads what was written; returns the number of lines.
fn lines_on_any_threads<S: Study>(settings: &[S::Setting]) -> usize
where
    S::Setting: Clone,
    S::Statistics: Statistics + Debug + PartialEq,
{
    let plan = RunPlan { seed: 7, replications: 4 };
    let one = complete::<S>(settings.to_vec(), plan, 1).to_csv();
    assert_eq!(complete::<S>(settings.to_vec(), plan, 3).to_csv(), one);
    let read = StudyResults::<S>::new(settings.to_vec(), plan).with_cells(&one).unwrap();
    assert_eq!(read.finished(), complete::<S>(settings.to_vec(), plan, 2).finished());
    one.lines().count()
}

/// The place of an arm.
fn place<S: Study>(name: &str) -> usize {
    S::ARMS.iter().position(|arm| *arm == name).unwrap()
}

/// The figure of a study that has one.
fn figure<S: Study>(results: &StudyResults<S>) -> String {
    let [(_, svg)] = <[_; 1]>::try_from(S::Summary::figures(results)).unwrap();
    svg
}
