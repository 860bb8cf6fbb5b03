//! The fit of every family to every class, with p-values by parametric bootstrap, in parallel.
//!
//! Each replicate has its own stream of random numbers, so that the same seed gives the same bits on any number of
//! threads.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::prelude::*;
use truecount::check::Goodness;
use truecount::distribution::Family;
use truecount::{Class, PerClass};

/// One family and one class.
pub struct Fit {
    pub family: Family,
    pub class: Class,
    /// Number of labelled scores of the class.
    pub n: usize,
    /// W² with its p-value, or why it could not be computed.
    pub found: Result<Found, truecount::Error>,
}

pub struct Found {
    pub goodness: Goodness,
    pub p_value: f64,
}

/// The families whose fit can be tested. A kernel density follows any scores.
fn families() -> impl Iterator<Item = Family> {
    let all = Family::TABLE.iter().map(|(_, family, _)| *family);
    all.filter(|family| family.has_a_shape())
}

pub fn check(scores: &PerClass<Vec<f64>>, resamples: u32, seed: u64) -> Vec<Fit> {
    let classes = [(Class::Positive, &scores.positive), (Class::Negative, &scores.negative)];
    let pairs = classes.into_iter().flat_map(|(class, scores)| families().map(move |family| (family, class, scores)));
    let fits: Vec<_> = pairs
        .map(|(family, class, scores)| (family, class, scores.len(), Goodness::new(family, class, scores)))
        .collect();
    // The family's place in the list selects the stream, so that it does not depend on which other fits succeed.
    let fitted: Vec<(u64, &Goodness)> =
        (0..).zip(&fits).filter_map(|(place, fit)| fit.3.as_ref().ok().map(|goodness| (place, goodness))).collect();
    let bar = progress(u64::from(resamples) * fitted.len() as u64);
    let replicates: Vec<Vec<f64>> = fitted
        .par_iter()
        .map(|(place, goodness)| {
            let replicate = |replicate: u32| {
                bar.inc(1);
                goodness.replicate(seed, place << 32 | u64::from(replicate))
            };
            (0..resamples).into_par_iter().map(replicate).collect()
        })
        .collect();
    let mut replicates = replicates.into_iter();
    let mut found = |fit: Result<Goodness, truecount::Error>| {
        let goodness = fit?;
        let p_value = goodness.p_value(&replicates.next().expect("replicates of every fit"));
        Ok(Found { goodness, p_value })
    };
    fits.into_iter().map(|(family, class, n, fit)| Fit { family, class, n, found: found(fit) }).collect()
}

/// A bar drawn only on a terminal, and removed at the end.
fn progress(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("families {bar:40} {percent:>3} %  {eta} left").expect("a valid template");
    ProgressBar::new(length).with_style(style).with_finish(ProgressFinish::AndClear)
}
