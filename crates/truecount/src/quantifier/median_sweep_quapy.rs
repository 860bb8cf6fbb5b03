//! Median Sweep as `QuaPy` has it: the median of the Adjusted Counts, each clipped to [0, 1], over the distinct **labelled**
//! scores as thresholds; `ms-quapy` over all whose rates differ, `ms2` over those with F̂⁺ − F̂⁻ > ¼ (Forman 2008).
//!
//! The thresholds are known beforehand, so the tally is a histogram: one pass, any amount of data.

use super::Method;
use super::cuts::{self, Cut};
use super::method::{FamilyUse, MethodRow, RatesFrom, SummaryKind, VarianceFrom};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::distribution::Empirical;
use crate::numeric::edges::Edges;
use crate::numeric::pass;
use crate::numeric::sum::median;
use crate::sweep::PDelta;
use crate::tally::TallyState;
use crate::training::InputKind;
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Median Sweep over the labelled scores, as `QuaPy` has it, `ms-quapy`.
    pub const MS_QUAPY: Self = Self::from_row(&MS_QUAPY);
    /// The same where the rates differ by more than ¼, `ms2`.
    pub const MS2: Self = Self::from_row(&MethodRow {
        name: "ms2",
        summary: "Median Sweep over the labelled scores where the rates differ by more than 1/4",
        fit: |training, _| {
            Ok(Arc::new(MedianSweepQuaPy::new(training.empirical(), Some(PDelta::TRADITIONAL.value()))?))
        },
        ..MS_QUAPY
    });
}

const MS_QUAPY: MethodRow = MethodRow {
    name: "ms-quapy",
    aliases: &[],
    summary: "Median Sweep over the labelled scores, as QuaPy has it",
    reads: InputKind::Score,
    keeps: SummaryKind::Counts,
    family: FamilyUse::Nothing,
    rates: RatesFrom::Labels,
    in_model: None,
    takes_design: false,
    variance: VarianceFrom::Nowhere,
    fit: |training, _| Ok(Arc::new(MedianSweepQuaPy::new(training.empirical(), None)?)),
    known: None,
};

#[derive(Clone, Debug)]
struct MedianSweepQuaPy {
    /// The thresholds.
    cuts: Edges,
    /// F̂⁻ at each of them, and F̂⁺ − F̂⁻.
    negative_rates: Vec<f64>,
    differences: Vec<f64>,
    /// F̂⁺ − F̂⁻ must be above this, if it is given, else anything but 0.
    least: Option<f64>,
}

impl MedianSweepQuaPy {
    /// # Errors
    /// [`Problem::ThresholdNotReached`] when no labelled score qualifies.
    fn new(empirical: &PerClass<Empirical>, least: Option<f64>) -> Result<Self, Error> {
        let n = empirical.map(Empirical::n);
        let rates = |cut: &Cut| PerClass {
            positive: cut.above.positive as f64 / n.positive as f64,
            negative: cut.above.negative as f64 / n.negative as f64,
        };
        let all: Vec<(f64, PerClass<f64>)> = cuts::all(empirical).iter().map(|cut| (cut.score, rates(cut))).collect();
        let difference = |r: &PerClass<f64>| r.positive - r.negative;
        let qualifies = |r: &PerClass<f64>| least.map_or(difference(r) != 0.0, |least| difference(r) > least);
        let chosen: Vec<&(f64, PerClass<f64>)> = all.iter().filter(|(_, r)| qualifies(r)).collect();
        if chosen.is_empty() {
            let max_j = all.iter().map(|(_, r)| difference(r)).fold(0.0, f64::max);
            return Err(match least {
                Some(threshold) => Problem::ThresholdNotReached { threshold, max_j }.into(),
                None => Problem::NoSeparation { max_j }.into(),
            });
        }
        Ok(Self {
            cuts: Edges::new(chosen.iter().map(|(cut, _)| *cut).collect()),
            negative_rates: chosen.iter().map(|(_, r)| r.negative).collect(),
            differences: chosen.iter().map(|(_, r)| difference(r)).collect(),
            least,
        })
    }
}

impl Quantify for MedianSweepQuaPy {
    fn empty(&self) -> TallyState {
        TallyState::empty_counts(&self.cuts)
    }

    /// Bin k counts the scores with k thresholds at or below them.
    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        state.count(&self.cuts, values)
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let TallyState::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let n = counts.total();
        let mut above = n;
        let share = |count: u64| {
            above -= count;
            above as f64 / n as f64
        };
        let mut estimates: Vec<f64> = counts.iter().take(self.cuts.len()).map(share).collect();
        pass::adjust_and_clip(&mut estimates, &self.negative_rates, &self.differences);
        let raw = median(&mut estimates).expect("there is a threshold");
        RawEstimate::without_variance(raw, Vec::new())
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let least = self.least.map(|least| ("threshold", least));
        least.into_iter().chain([("thresholds_swept", self.cuts.len() as f64)]).collect()
    }
}
