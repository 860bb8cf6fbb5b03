//! Where on the score axis labels leave the least uncertain (Neyman 1934).
//!
//! Of rows drawn for labelling from scores of prevalence α, so that n_b of n come from bin b with a share h_b of the scores, and weighted by
//! h_b n/n_b, the labelled part of the variance is
//!
//! ```text
//! V = Σ_b h_b² E(ψ² | b)/n_b,    E(ψ² | b) = [q_b (g_b − a₊)² + (1 − q_b)(g_b − a₋)²]/(a₊ − a₋)²,
//! ```
//!
//! ψ = α y (g − a₊)/P₊ + (1−α)(1−y)(g − a₋)/P₋ being a row's part with P₊ = α and P₋ = 1 − α, and q_b the share of positives in the bin by the
//! calibration curve. It is least for n_b ∝ h_b √E(ψ² | b), (Σ h √E)²/n; simple random labels leave Σ h E/n.
//!
//! People draw by a few intervals, so neighbouring bins are merged, always those for which the least variance grows least. And a tenth
//! of the labels is drawn at random, so that no weight is above ten: what a pilot says of a bin may be wrong.

use super::BinnedSweep;
use crate::tally::InfluenceFunction;
use crate::{Error, PerClass, Problem};

/// Intervals of the score, at most.
const INTERVALS: usize = 8;

/// The share of the labels that is drawn at random.
const AT_RANDOM: f64 = 0.1;

/// From which scores to draw how many labels.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Allocation {
    /// Ascending and without gaps.
    pub intervals: Vec<LabelInterval>,
    /// The labelled part of the variance over that of as many labels drawn at random.
    pub ratio: f64,
}

/// An interval of the score.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LabelInterval {
    /// Where it begins; the first has no beginning. It ends before the next.
    pub from: Option<f64>,
    /// The share of the scores to be expected in it.
    pub scores: f64,
    /// The share of the labels to draw in it.
    pub labels: f64,
    /// The weight of a row that is labelled there: 1 where labels are as dense as scores.
    pub weight: f64,
}

/// Bins together.
#[derive(Clone, Copy)]
struct Merged {
    from: Option<f64>,
    /// h.
    share: f64,
    /// h E(ψ² | b).
    squares: f64,
}

impl Merged {
    /// h √E(ψ² | b).
    fn root(&self) -> f64 {
        (self.share * self.squares).sqrt()
    }

    fn with(&self, next: &Self) -> Self {
        Self { from: self.from, share: self.share + next.share, squares: self.squares + next.squares }
    }
}

impl BinnedSweep {
    /// Where labels leave the least uncertain if the scores that are drawn from have this prevalence, the labelled scores being the pilot.
    ///
    /// # Errors
    /// [`Problem::Parameter`] unless the prevalence lies between 0 and 1, both excluded.
    pub fn allocation(&self, prevalence: f64) -> Result<Allocation, Error> {
        if !(prevalence > 0.0 && prevalence < 1.0) {
            let domain = "between 0 and 1, both excluded";
            return Err(Problem::Parameter { name: "the prevalence", value: prevalence, domain }.into());
        }
        let mut merged = self.parts(prevalence);
        while merged.len() > INTERVALS {
            let grows = |k: &usize| {
                let (left, right) = (&merged[*k], &merged[*k + 1]);
                left.with(right).root() - left.root() - right.root()
            };
            let least = (0..merged.len() - 1).min_by(|a, b| grows(a).total_cmp(&grows(b))).expect("several bins");
            merged[least] = merged[least].with(&merged[least + 1]);
            merged.remove(least + 1);
        }
        let roots: f64 = merged.iter().map(Merged::root).sum();
        let labels = |of: &Merged| AT_RANDOM * of.share + (1.0 - AT_RANDOM) * of.root() / roots;
        let interval = |of: &Merged| {
            let labels = labels(of);
            LabelInterval { from: of.from, scores: of.share, labels, weight: of.share / labels }
        };
        let intervals: Vec<LabelInterval> = merged.iter().map(interval).collect();
        let allocated: f64 = merged.iter().zip(&intervals).map(|(of, interval)| interval.weight * of.squares).sum();
        let at_random: f64 = merged.iter().map(|of| of.squares).sum();
        Ok(Allocation { intervals, ratio: allocated / at_random })
    }

    /// Every bin with its share of scores of a prevalence, and what a label there has to tell.
    fn parts(&self, alpha: f64) -> Vec<Merged> {
        let step = self.step(alpha);
        let PerClass { positive, negative } = step.anchored().moments().map(|moments| moments.mean);
        let distance = positive - negative;
        let bins = self.bins();
        // The shares of the classes as the curve divides those of both.
        let of = |share: &PerClass<f64>, eta: f64| {
            let both = share.positive + share.negative;
            PerClass { positive: both / (1.0 + (-eta).exp()), negative: both / (1.0 + eta.exp()) }
        };
        let smoothed: Vec<PerClass<f64>> = bins.iter().map(|bin| of(&bin.share, bin.log_ratio)).collect();
        let total = PerClass {
            positive: smoothed.iter().map(|share| share.positive).sum::<f64>(),
            negative: smoothed.iter().map(|share| share.negative).sum::<f64>(),
        };
        let InfluenceFunction::Steps { values, .. } = step.influence() else { unreachable!("steps on bins") };
        let each = bins.iter().zip(&smoothed).zip(values);
        each.map(|((bin, share), g)| {
            let (p, n) = (alpha * share.positive / total.positive, (1.0 - alpha) * share.negative / total.negative);
            let squares = p * (g - positive).powi(2) + n * (g - negative).powi(2);
            Merged { from: bin.from, share: p + n, squares: squares / (distance * distance) }
        })
        .collect()
    }
}
