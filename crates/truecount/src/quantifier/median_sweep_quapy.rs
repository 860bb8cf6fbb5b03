//! Median Sweep as in `QuaPy`: the median of the Adjusted Counts, each clipped to [0, 1], at the
//! distinct **labelled** scores.
//!
//! `ms-quapy` uses all labelled scores with F̂⁺ ≠ F̂⁻, `ms2` those with F̂⁺ − F̂⁻ > ¼ (Forman
//! 2008). As the cuts do not depend on the test scores, the tally is a histogram.

use super::Method;
use super::cuts::{self, Cut};
use super::method::{MethodRow, SummaryKind};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::distribution::Empirical;
use crate::numeric::edges::Edges;
use crate::numeric::pass;
use crate::numeric::sum::median;
use crate::sweep::MinSeparation;
use crate::tally::MethodTally;
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Median Sweep over the labelled scores as in `QuaPy`, `ms-quapy`.
    pub const MS_QUAPY: Self = Self::from_row(&MS_QUAPY);
    /// Median Sweep over the labelled scores where the rates differ by more than ¼, `ms2`.
    pub const MS2: Self = Self::from_row(&MethodRow {
        name: "ms2",
        summary: "Median Sweep over the labelled scores where the rates differ by more than 1/4",
        fit: |training, _| {
            Ok(Arc::new(MedianSweepQuaPy::new(training.empirical(), Some(MinSeparation::TRADITIONAL.value()))?))
        },
        ..MS_QUAPY
    });
}

const MS_QUAPY: MethodRow = MethodRow {
    summary_kind: SummaryKind::Counts,
    ..MethodRow::new("ms-quapy", "Median Sweep over the labelled scores, as in QuaPy", |training, _| {
        Ok(Arc::new(MedianSweepQuaPy::new(training.empirical(), None)?))
    })
};

#[derive(Clone, Debug)]
struct MedianSweepQuaPy {
    cuts: Edges,
    /// F̂⁻ at each cut.
    negative_rates: Vec<f64>,
    /// F̂⁺ − F̂⁻ at each cut.
    differences: Vec<f64>,
    /// The lower bound of F̂⁺ − F̂⁻; without a bound the difference must not be 0.
    threshold: Option<f64>,
}

impl MedianSweepQuaPy {
    /// Fits a sweep over the cuts with F̂⁺ − F̂⁻ above the threshold.
    ///
    /// # Errors
    /// Returns [`Problem::ThresholdNotReached`], or [`Problem::ClassesNotSeparated`] without a threshold,
    /// if no labelled score qualifies.
    fn new(empirical: &PerClass<Empirical>, threshold: Option<f64>) -> Result<Self, Error> {
        let n = empirical.map(Empirical::n);
        let rates = |cut: &Cut| cut.above.zip_map(&n, |above, n| *above as f64 / *n as f64);
        let all: Vec<(f64, PerClass<f64>)> = cuts::all(empirical).iter().map(|cut| (cut.score, rates(cut))).collect();
        let difference = |r: &PerClass<f64>| r.positive - r.negative;
        let qualifies =
            |r: &PerClass<f64>| threshold.map_or(difference(r) != 0.0, |threshold| difference(r) > threshold);
        let chosen: Vec<&(f64, PerClass<f64>)> = all.iter().filter(|(_, r)| qualifies(r)).collect();
        if chosen.is_empty() {
            let max_j = all.iter().map(|(_, r)| difference(r)).fold(0.0, f64::max);
            return Err(match threshold {
                Some(threshold) => Problem::ThresholdNotReached { threshold, max_j }.into(),
                None => Problem::ClassesNotSeparated { max_j }.into(),
            });
        }
        Ok(Self {
            cuts: Edges::new(chosen.iter().map(|(cut, _)| *cut).collect()),
            negative_rates: chosen.iter().map(|(_, r)| r.negative).collect(),
            differences: chosen.iter().map(|(_, r)| difference(r)).collect(),
            threshold,
        })
    }
}

impl Quantify for MedianSweepQuaPy {
    fn empty_state(&self) -> MethodTally {
        MethodTally::empty_counts(&self.cuts)
    }

    /// Adds scores to the histogram; bin k counts the scores with k cuts at or below them.
    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        state.count(&self.cuts, values)
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let MethodTally::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let n = counts.total();
        let mut above = n;
        let share = |count: u64| {
            above -= count;
            above as f64 / n as f64
        };
        let mut estimates: Vec<f64> = counts.iter().take(self.cuts.len()).map(share).collect();
        pass::adjust_and_clip(&mut estimates, &self.negative_rates, &self.differences);
        let raw = median(&mut estimates).expect("there is a cut");
        RawEstimate::without_variance(raw, Vec::new())
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let threshold = self.threshold.map(|threshold| ("threshold", threshold));
        threshold.into_iter().chain([("thresholds_swept", self.cuts.len() as f64)]).collect()
    }
}
