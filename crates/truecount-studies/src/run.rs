//! Runs a study: one setting after another, the replications of each in parallel.
//!
//! Replication r of setting s draws from stream (s, r) of one ChaCha8 generator, and an arm's outcomes are gathered in
//! the order of the replications: neither the number of threads nor interruptions change a bit.

use crate::{Results, Statistics, Study};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stream from which what replications share is drawn; replications are numbered from 0 and never reach it.
const SHARED: u32 = u32::MAX;

/// The parameters that, with the study itself, determine the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of the random numbers.
    pub seed: u64,
    /// Replications per setting.
    pub replications: u32,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every setting is in the results.
    Complete,
    /// `stop` was set; the settings finished before are in the results.
    Stopped,
}

/// Adds the settings that `results` lacks, and calls `finished` after each.
///
/// A run whose `stop` becomes true ends at the next replication. Called again with its results, it gives the same bits
/// as a run that was never stopped.
///
/// # Errors
/// That of `finished`, which ends the run.
///
/// # Panics
/// When a replication does not have one outcome for every arm.
pub fn run<S: Study, E>(
    study: &S,
    plan: Plan,
    threads: &ThreadPool,
    stop: &AtomicBool,
    results: &mut Results<S::Statistics>,
    mut finished: impl FnMut(&Results<S::Statistics>) -> Result<(), E>,
) -> Result<Ended, E> {
    for (index, setting) in study.settings().iter().enumerate().skip(results.finished()) {
        let shared = study.prepare(setting, &mut stream(plan.seed, index, SHARED));
        let replicate = |replication: u32| {
            let outcomes = || study.replicate(&shared, &mut stream(plan.seed, index, replication));
            (!stop.load(Ordering::Relaxed)).then(outcomes)
        };
        let replications: Option<Vec<Vec<<S::Statistics as Statistics>::Outcome>>> =
            threads.install(|| (0..plan.replications).into_par_iter().map(replicate).collect());
        let Some(replications) = replications else { return Ok(Ended::Stopped) };
        assert!(replications.iter().all(|outcomes| outcomes.len() == study.arms().len()), "one outcome for every arm");
        let arms = 0..study.arms().len();
        let of: Vec<Vec<_>> = arms.map(|arm| replications.iter().map(|outcomes| &outcomes[arm]).collect()).collect();
        results.push(of.iter().map(|arm| S::Statistics::new(arm, &of[0])).collect());
        finished(results)?;
    }
    Ok(Ended::Complete)
}

fn stream(seed: u64, setting: usize, replication: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream((setting as u64) << 32 | u64::from(replication));
    rng
}
