//! Median Sweep (Forman 2008) as Kloos et al. define it (§2): the median of the Adjusted Counts
//! (CC(θ) − F̂⁻(θ))/(F̂⁺(θ) − F̂⁻(θ)) over those distinct **test** scores θ where F̂⁺ − F̂⁻ ≥ `p_Δ`, with the rates of the
//! labelled scores. `t-ms` takes `p_Δ` = ¼, `o-ms` the optimal threshold of Continuous Sweep.

use super::{Finding, Quantify, Tally};
use crate::distribution::Empirical;
use crate::inference::Warning;
use crate::numeric::median::median;
use crate::training::Column;
use crate::{Error, PerClass};

#[derive(Clone, Debug)]
pub(super) struct MedianSweep {
    empirical: PerClass<Empirical>,
    threshold: f64,
    /// Where F̂⁺ − F̂⁻ is largest, for test scores none of which reaches the threshold.
    best_cut: f64,
}

impl MedianSweep {
    /// # Errors
    /// [`Error::ThresholdNotReached`] when no labelled score has F̂⁺ − F̂⁻ ≥ `p_Δ`: then no score at all has.
    pub(super) fn new(empirical: &PerClass<Empirical>, threshold: f64) -> Result<Self, Error> {
        let sweep = Self::at_the_largest(empirical)?;
        let max_j = sweep.threshold;
        if max_j < threshold {
            Err(Error::ThresholdNotReached { threshold, max_j })
        } else {
            Ok(Self { threshold, ..sweep })
        }
    }

    /// With Continuous Sweep's optimal threshold, which comes from the fitted J: where the rates of the labelled scores
    /// never differ by that much, with the most they differ by.
    pub(super) fn optimal(empirical: &PerClass<Empirical>, threshold: f64) -> Result<Self, Error> {
        let sweep = Self::at_the_largest(empirical)?;
        Ok(Self { threshold: threshold.min(sweep.threshold), ..sweep })
    }

    /// With the largest F̂⁺ − F̂⁻ as the threshold.
    fn at_the_largest(empirical: &PerClass<Empirical>) -> Result<Self, Error> {
        let best_cut = super::cuts::choose(empirical, super::cuts::Criterion::LargestDifference)?;
        let mut sweep = Self { empirical: empirical.clone(), threshold: 0.0, best_cut };
        let best = sweep.rates(best_cut);
        sweep.threshold = best.positive - best.negative;
        Ok(sweep)
    }

    fn rates(&self, cut: f64) -> PerClass<f64> {
        self.empirical.map(|class| class.at_or_above(cut) as f64 / class.n() as f64)
    }
}

/// How many scores of an ascending slice lie below points that are asked for in ascending order.
struct Below<'a> {
    scores: &'a [f64],
    below: usize,
}

impl Below<'_> {
    fn rate_at_or_above(&mut self, x: f64) -> f64 {
        while self.below < self.scores.len() && self.scores[self.below] < x {
            self.below += 1;
        }
        (self.scores.len() - self.below) as f64 / self.scores.len() as f64
    }
}

impl Quantify for MedianSweep {
    fn column(&self) -> Column {
        Column::Score
    }

    fn tally(&self) -> Tally {
        Tally::Values(Vec::new())
    }

    fn push(&self, tally: &mut Tally, values: &[f64]) -> Result<(), Error> {
        let Tally::Values(all) = tally else { unreachable!("a tally of this quantifier") };
        Error::unless_finite(values)?;
        all.extend_from_slice(values);
        Ok(())
    }

    fn find(&self, tally: &Tally) -> Finding {
        let Tally::Values(values) = tally else { unreachable!("a tally of this quantifier") };
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let mut classes = self.empirical.map(|class| Below { scores: class.scores(), below: 0 });
        let mut counts = Vec::with_capacity(sorted.len());
        let mut below = 0;
        for same in sorted.chunk_by(|a, b| a == b) {
            let positive = classes.positive.rate_at_or_above(same[0]);
            let negative = classes.negative.rate_at_or_above(same[0]);
            if positive - negative >= self.threshold {
                let count = (sorted.len() - below) as f64 / n;
                counts.push((count - negative) / (positive - negative));
            }
            below += same.len();
        }
        if let Some(raw) = median(&mut counts) {
            return Finding::without_variance(raw, Vec::new());
        }
        let rates = self.rates(self.best_cut);
        let count = sorted.iter().filter(|s| **s >= self.best_cut).count() as f64 / n;
        let raw = (count - rates.negative) / (rates.positive - rates.negative);
        Finding::without_variance(raw, vec![Warning::NoThreshold { threshold: self.threshold }])
    }

    fn learnt(&self) -> Vec<(&'static str, f64)> {
        vec![("threshold", self.threshold)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // F̂⁺ and F̂⁻ at 1, 2, 3: (1, ½), (½, ½) and (½, 0).
        let empirical = PerClass { positive: Empirical::new(&[1.5, 3.5]), negative: Empirical::new(&[0.5, 2.5]) };
        let sweep = MedianSweep::new(&empirical, 0.25).unwrap();
        let mut tally = sweep.tally();
        sweep.push(&mut tally, &[3.0, 1.0, 2.0, 1.0]).unwrap();
        // CC(1) = 1 gives (1 − ½)/½ = 1; 2 has J = 0; CC(3) = ¼ gives ½.
        assert_eq!(sweep.find(&tally).raw, 0.75);
        // No test score with J ≥ ¼: Adjusted Count at 1.5, where CC = ½ and the rates are 1 and ½.
        let mut tally = sweep.tally();
        sweep.push(&mut tally, &[0.0, 9.0]).unwrap();
        let finding = sweep.find(&tally);
        assert_eq!(finding.raw, 0.0);
        assert!(matches!(finding.warnings[..], [Warning::NoThreshold { .. }]));
        assert!(matches!(MedianSweep::new(&empirical, 0.6), Err(Error::ThresholdNotReached { .. })));
    }
}
