//! The fit of every family to every class, with p-values by the law for large samples or, on request, by parametric bootstrap; in parallel.
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
    /// None at a limit of the family where W² has no law for large samples.
    pub p_value: Option<f64>,
}

/// Samples to draw from each fit.
#[derive(Clone, Copy)]
pub struct Drawing {
    pub resamples: u32,
    pub seed: u64,
}

/// The families whose fit can be tested. A kernel density follows any scores.
fn families() -> impl Iterator<Item = Family> {
    let all = Family::TABLE.iter().map(|(_, family, _)| *family);
    all.filter(|family| family.has_a_shape())
}

pub fn check(scores: &PerClass<Vec<f64>>, drawing: Option<Drawing>) -> Vec<Fit> {
    let classes = [(Class::Positive, &scores.positive), (Class::Negative, &scores.negative)];
    let pairs: Vec<_> =
        classes.into_iter().flat_map(|(class, scores)| families().map(move |family| (family, class, scores))).collect();
    let bar = drawing.map(|Drawing { resamples, .. }| progress(u64::from(resamples) * pairs.len() as u64));
    // The place in the list selects the stream, so that it does not depend on which other fits succeed.
    let fit = |(place, (family, class, scores)): (usize, &(Family, Class, &Vec<f64>))| {
        let found = Goodness::new(*family, *class, scores).map(|goodness| {
            let p_value = match (drawing, &bar) {
                (Some(drawing), Some(bar)) => Some(drawing.p_value(&goodness, place as u64, bar)),
                _ => goodness.large_sample_p_value(),
            };
            Found { goodness, p_value }
        });
        Fit { family: *family, class: *class, n: scores.len(), found }
    };
    pairs.par_iter().enumerate().map(fit).collect()
}

impl Drawing {
    fn p_value(&self, goodness: &Goodness, place: u64, bar: &ProgressBar) -> f64 {
        let replicate = |number: u32| {
            bar.inc(1);
            goodness.replicate(self.seed, place << 32 | u64::from(number))
        };
        goodness.p_value(&(0..self.resamples).into_par_iter().map(replicate).collect::<Vec<f64>>())
    }
}

/// A bar drawn only on a terminal, and removed at the end.
fn progress(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("families {bar:40} {percent:>3} %  {eta} left").expect("a valid template");
    ProgressBar::new(length).with_style(style).with_finish(ProgressFinish::AndClear)
}
