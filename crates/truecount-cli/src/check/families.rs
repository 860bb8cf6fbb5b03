//! The fit of every family to every class, with p-values by the law for large samples or, on request, by parametric bootstrap; in parallel.
//!
//! Each replicate has its own stream of random numbers, so that the same seed gives the same bits on any number of
//! threads.

use crate::progress::Bar;
use truecount::check::Goodness;
use truecount::distribution::Family;
use truecount::{Class, PerClass};
use truecount_analysis::results::FitRow;
use truecount_tables::parallel::prelude::*;

/// Samples to draw from each fit.
#[derive(Clone, Copy)]
pub struct Drawing {
    pub resamples: u32,
    pub seed: u64,
}

/// All fits.
pub fn check(scores: &PerClass<Vec<f64>>, drawing: Option<Drawing>) -> Vec<FitRow> {
    let classes = [(Class::Positive, &scores.positive), (Class::Negative, &scores.negative)];
    let pairs: Vec<_> = classes
        .into_iter()
        .flat_map(|(class, scores)| FitRow::families().map(move |family| (family, class, scores)))
        .collect();
    let bar =
        drawing.map(|Drawing { resamples, .. }| Bar::new("families", Some(u64::from(resamples) * pairs.len() as u64)));
    let fit = |(place, (family, class, scores)): (usize, &(Family, Class, &Vec<f64>))| {
        FitRow::new(*family, *class, scores, |goodness| match (drawing, &bar) {
            (Some(drawing), Some(bar)) => Some(drawing.p_value(goodness, place, bar)),
            _ => goodness.large_sample_p_value(),
        })
    };
    pairs.par_iter().enumerate().map(fit).collect()
}

impl Drawing {
    fn p_value(&self, goodness: &Goodness, place: usize, bar: &Bar) -> f64 {
        let replicate = |number: u32| {
            bar.inc(1);
            goodness.replicate(self.seed, FitRow::stream(place, u64::from(number)))
        };
        goodness.p_value(&(0..self.resamples).into_par_iter().map(replicate).collect::<Vec<f64>>())
    }
}
