//! The simulation studies: reproducible results on any number of threads and across interruptions,
//! summaries that follow from the rows, and agreement with theory and the paper.

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

/// Runs these settings on n threads.
fn complete<S: Study>(settings: Vec<S::Setting>, plan: RunPlan, n: usize) -> StudyResults<S> {
    let mut results = StudyResults::new(settings, plan);
    let completion = results.run(&threads(n), &AtomicBool::new(false), |_| Ok::<_, Infallible>(()));
    assert_eq!(completion, Ok(Completion::Complete));
    results
}

/// Asserts that a study gives the same results on one thread and on several, and that its table can
/// be read back. Returns the number of lines of the table.
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

/// Returns the index of an arm.
fn arm_index<S: Study>(name: &str) -> usize {
    S::ARMS.iter().position(|arm| *arm == name).unwrap()
}

/// Returns the figure of a study with exactly one figure.
fn figure<S: Study>(results: &StudyResults<S>) -> String {
    let [(_, svg)] = <[_; 1]>::try_from(S::Summary::figures(results)).unwrap();
    svg
}
