//! The design of an audit: how many items to label, and which ones.
//!
//! Given its score, an item's label has the variance p(1 − p), p the posterior of its bin. Drawn
//! with probability π, the item adds p(1 − p)(1/π − 1)/N² to the variance of the difference
//! estimator. For a given expected number of items the variance is smallest with
//!
//! ```text
//! π ∝ √(p(1 − p))
//! ```
//!
//! (Neyman 1934; Särndal, Swensson and Wretman 1992, §12.2). Posteriors may be wrong, above all
//! near 0 and 1, so half of the probability is uniform (a defensive mixture, Hesterberg 1995). No
//! item then has more than twice its weight in a simple random sample.
//!
//! An audit drawn by score that finds no positive has an interval that is wider than that of a
//! simple random sample by up to this factor. For normal classes two standard deviations apart, 2 %
//! positive and 25 audited, the upper end is 0.154 instead of 0.133; with a fifth it would be 0.196.
//! Where positives are common, half costs 1 to 3 % of the width compared with a fifth; where
//! external labels are wrong, it saves up to 10 %.

use crate::Error;
use crate::inference::{EstimateDistribution, IntervalOptions, Quadratic};
use crate::numeric::sum::CompensatedSum;
use crate::plan::{Goal, PrecisionMeasure};
use crate::random::stream;
use rand::RngExt;
use rand::seq::SliceRandom;

/// The share of the drawing probability that does not depend on the score.
const UNIFORM_SHARE: f64 = 0.5;

/// The design of an audit, from the number of items and the posterior in each bin of the score.
#[derive(Clone, Debug)]
pub struct AuditDesign {
    counts: Vec<u64>,
    posteriors: Vec<f64>,
    /// The drawing probability of an item in each bin, relative to the mean over all items.
    relative_probabilities: Vec<f64>,
    /// The variance divided by that of items drawn one by one.
    design_effect: f64,
}

/// The size of an audit, with the standard error to expect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditPlan {
    /// The number of items to audit.
    pub audited: u64,
    /// The expected standard error of the prevalence among all items.
    pub std_error: f64,
}

/// A way to draw an audit and to estimate from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditKind {
    /// Simple random sampling, estimated from the labels alone.
    LabelsOnly,
    /// Simple random sampling, estimated by prediction-powered inference from the labels and the scores of all items.
    Ppi,
    /// Sampling by the score, estimated with the scores of all items.
    ByScore,
}

impl AuditDesign {
    /// Designs an audit of items with this number and this posterior probability in each bin.
    pub(crate) fn new(counts: Vec<u64>, posteriors: Vec<f64>) -> Self {
        let deviations: Vec<f64> = posteriors.iter().map(|p| (p * (1.0 - p)).sqrt()).collect();
        let n = counts.iter().sum::<u64>() as f64;
        let mean = mean(&counts, n, |bin| deviations[bin]);
        let relative = |sd: &f64| if mean > 0.0 { (1.0 - UNIFORM_SHARE) * sd / mean + UNIFORM_SHARE } else { 1.0 };
        let relative_probabilities = deviations.iter().map(relative).collect();
        Self { relative_probabilities, counts, posteriors, design_effect: 1.0 }
    }

    /// Returns the design that draws all items with equal probability.
    #[must_use]
    pub fn uniform(self) -> Self {
        Self { relative_probabilities: vec![1.0; self.counts.len()], ..self }
    }

    /// Multiplies all variances by a design effect, for items that are drawn in clusters.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) unless the design effect
    /// is positive and finite.
    pub fn with_design_effect(self, design_effect: f64) -> Result<Self, Error> {
        let is_possible = design_effect > 0.0 && design_effect.is_finite();
        Error::unless_in_domain(is_possible, ("design_effect", design_effect), "above 0")?;
        Ok(Self { design_effect, ..self })
    }

    /// Returns the number of items.
    pub fn items(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the prevalence to expect from the posteriors.
    pub fn prevalence(&self) -> f64 {
        mean(&self.counts, self.items() as f64, |bin| self.posteriors[bin])
    }

    /// Returns the probability of drawing an item of each bin if `audited` items are drawn in total.
    pub fn probabilities(&self, audited: u64) -> Vec<f64> {
        let wanted = audited.min(self.items()) as f64;
        let relative = &self.relative_probabilities;
        let mut certain = vec![false; relative.len()];
        loop {
            // Probabilities above 1 are cut to 1, and the others grow until all add up to `wanted` again.
            let in_certain = self.counts.iter().zip(&certain).filter(|(_, certain)| **certain);
            let in_certain: f64 = in_certain.map(|(n, _)| *n as f64).sum();
            let rest = self.counts.iter().zip(relative).zip(&certain).filter(|(_, certain)| !**certain);
            let rest: f64 = rest.map(|((n, relative), _)| *n as f64 * relative).sum();
            let scale = if rest > 0.0 { (wanted - in_certain) / rest } else { 0.0 };
            let is_above_one = |bin: &usize| !certain[*bin] && scale * relative[*bin] >= 1.0;
            let above_one: Vec<usize> = (0..certain.len()).filter(is_above_one).collect();
            if above_one.is_empty() {
                let probability = |(relative, certain): (&f64, &bool)| if *certain { 1.0 } else { scale * relative };
                return relative.iter().zip(&certain).map(probability).collect();
            }
            for bin in above_one {
                certain[bin] = true;
            }
        }
    }

    /// Returns the standard error to expect from an audit of `audited` items, clamped to [1, N].
    pub fn plan(&self, kind: AuditKind, audited: u64) -> AuditPlan {
        let n = self.items() as f64;
        let audited = audited.clamp(1, self.items());
        let prevalence = self.prevalence();
        let unexplained = |bin: usize| self.posteriors[bin] * (1.0 - self.posteriors[bin]);
        let sampling_factor = (audited as f64).recip() - n.recip();
        let variance = match kind {
            AuditKind::LabelsOnly => prevalence * (1.0 - prevalence) * sampling_factor,
            AuditKind::Ppi => mean(&self.counts, n, unexplained) * sampling_factor,
            AuditKind::ByScore => {
                let probabilities = self.probabilities(audited);
                mean(&self.counts, n, |bin| unexplained(bin) * (probabilities[bin].recip() - 1.0)) / n
            }
        };
        AuditPlan { audited, std_error: (self.design_effect * variance).sqrt() }
    }

    /// Returns the half-width of the interval to expect from an audit of `audited` items, clamped to [1, N], as the
    /// audit reports it: at the prevalence of the design or without positives, whichever is wider.
    ///
    /// # Errors
    /// Returns [`Problem::SmallPopulation`](crate::Problem::SmallPopulation) for more items than the
    /// population has.
    pub fn half_width(&self, kind: AuditKind, audited: u64, options: &IntervalOptions) -> Result<f64, Error> {
        let fpc = options.finite_population_correction(self.items())?;
        Ok(self.half_width_with(kind, audited, fpc, options))
    }

    /// Returns the half-width with this finite population correction.
    fn half_width_with(&self, kind: AuditKind, audited: u64, fpc: f64, options: &IntervalOptions) -> f64 {
        let AuditPlan { audited, std_error: se } = self.plan(kind, audited);
        let n = self.items() as f64;
        let (prevalence, population) = (self.prevalence(), fpc / n);
        let probabilities = match kind {
            AuditKind::LabelsOnly | AuditKind::Ppi => vec![audited as f64 / n; self.counts.len()],
            AuditKind::ByScore => self.probabilities(audited),
        };
        let variance = |square: &dyn Fn(usize) -> f64| {
            self.design_effect * mean(&self.counts, n, |bin| square(bin) * (probabilities[bin].recip() - 1.0)) / n
        };
        // The variance for labels of variance 1, and that of the estimate from labels alone.
        let unit = variance(&|_| 1.0);
        let labels = variance(&|bin| {
            let posterior = self.posteriors[bin];
            posterior * (1.0 - posterior) + (posterior - prevalence).powi(2)
        });
        // The scores are used only if they make the interval narrower.
        let with_unseen = match kind {
            AuditKind::LabelsOnly => labels,
            AuditKind::Ppi | AuditKind::ByScore => labels.min(se * se + 0.5 * unit / audited as f64),
        };
        let half_width = |prevalence: f64, variance: f64, factor: f64| {
            let side = Quadratic::binomial((factor + population).recip());
            let fraction = (factor + population) / (factor + n.recip());
            let distribution = EstimateDistribution::of_share(prevalence, n, variance, side, fraction);
            0.5 * distribution.interval_estimate(options).interval().width()
        };
        let binomial = prevalence * (1.0 - prevalence);
        let at_prevalence = half_width(prevalence, se * se + population * binomial, with_unseen / binomial);
        at_prevalence.max(half_width(0.0, 0.0, unit))
    }

    /// Returns the smallest audit with an interval of at most this half-width, or else that of all items.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`half_width`](Self::half_width), and for a
    /// half-width that no [`Goal`] may have.
    pub fn smallest_plan(
        &self,
        kind: AuditKind,
        half_width: f64,
        options: &IntervalOptions,
    ) -> Result<AuditPlan, Error> {
        Goal::new(PrecisionMeasure::HalfWidth, half_width)?;
        let fpc = options.finite_population_correction(self.items())?;
        let (mut below, mut enough) = (0, self.items());
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            if self.half_width_with(kind, middle, fpc, options) <= half_width {
                enough = middle;
            } else {
                below = middle;
            }
        }
        Ok(self.plan(kind, enough))
    }

    /// Draws `audited` items, each with the probability of its bin, and returns their indices in
    /// ascending order. `bins` has the bin of each item.
    ///
    /// This is systematic sampling of the items in random order, which fixes the sample size. The
    /// result depends only on the arguments.
    pub fn draw(&self, bins: &[u8], audited: u64, seed: u64) -> Vec<usize> {
        let probabilities = self.probabilities(audited);
        let mut random = stream(seed, 0);
        let mut order: Vec<usize> = (0..bins.len()).collect();
        order.shuffle(&mut random);
        let start: f64 = random.random();
        let (mut passed, mut drawn) = (0.0_f64, Vec::new());
        for index in order {
            let next = passed + probabilities[usize::from(bins[index])];
            if (next - start).floor() > (passed - start).floor() {
                drawn.push(index);
            }
            passed = next;
        }
        drawn.sort_unstable();
        drawn
    }

    /// Draws `drawn` of a number of clusters with equal probability, or all if there are fewer, and returns
    /// their indices in ascending order. Groups with different numbers are drawn independently. The result
    /// depends only on the arguments.
    pub fn draw_clusters(clusters: usize, drawn: u64, seed: u64, group: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..clusters).collect();
        order.shuffle(&mut stream(seed, group));
        order.truncate(usize::try_from(drawn).unwrap_or(usize::MAX));
        order.sort_unstable();
        order
    }
}

/// Returns the mean over all items of a value that depends on the bin.
pub(super) fn mean(counts: &[u64], n: f64, value: impl Fn(usize) -> f64) -> f64 {
    counts.iter().enumerate().map(|(bin, count)| *count as f64 / n * value(bin)).collect::<CompensatedSum>().value()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design() -> AuditDesign {
        AuditDesign::new(vec![500, 300, 150, 50], vec![0.01, 0.2, 0.5, 0.9])
    }

    #[test]
    fn draws_the_requested_number_of_items() {
        let design = design();
        let bins: Vec<u8> = [500, 300, 150, 50].into_iter().zip(0..).flat_map(|(n, bin)| vec![bin; n]).collect();
        for audited in [1, 10, 137, 700, 999, 1000] {
            let probabilities = design.probabilities(audited);
            let expected: f64 = bins.iter().map(|bin| probabilities[usize::from(*bin)]).sum();
            assert!((expected - audited as f64).abs() < 1e-9 && probabilities.iter().all(|p| *p > 0.0 && *p <= 1.0));
            assert_eq!(design.draw(&bins, audited, 7).len() as u64, audited);
        }
        assert_eq!(design.draw(&bins, 50, 3), design.draw(&bins, 50, 3));
        assert_ne!(design.draw(&bins, 50, 3), design.draw(&bins, 50, 4));
    }

    /// 3000 draws of two of five: each has a relative frequency of 0.4 with a standard error of 0.9 %.
    #[test]
    fn clusters_are_drawn_with_equal_probability() {
        let mut drawn = [0.0_f64; 5];
        for seed in 0..3000 {
            let clusters = AuditDesign::draw_clusters(5, 2, seed, 0);
            assert!(clusters.len() == 2 && clusters[0] < clusters[1]);
            for cluster in clusters {
                drawn[cluster] += 1.0 / 3000.0;
            }
        }
        assert!(drawn.iter().all(|share| (share - 0.4).abs() < 0.03), "{drawn:?}");
        assert_eq!(AuditDesign::draw_clusters(3, 10, 1, 0), [0, 1, 2]);
        assert_ne!(AuditDesign::draw_clusters(50, 9, 1, 0), AuditDesign::draw_clusters(50, 9, 1, 1));
    }

    /// 2000 draws of 100: the relative frequencies have standard errors of at most 0.7 %.
    #[test]
    fn items_are_drawn_with_the_probability_of_their_bin() {
        let design = design();
        let bins: Vec<u8> = [500, 300, 150, 50].into_iter().zip(0..).flat_map(|(n, bin)| vec![bin; n]).collect();
        let mut drawn = [0.0; 4];
        for seed in 0..2000 {
            design.draw(&bins, 100, seed).into_iter().for_each(|index| drawn[usize::from(bins[index])] += 1.0);
        }
        for ((drawn, n), p) in drawn.iter().zip([500.0, 300.0, 150.0, 50.0]).zip(design.probabilities(100)) {
            assert!((drawn / (2000.0 * n * p) - 1.0).abs() < 0.03, "{drawn} {}", 2000.0 * n * p);
        }
    }

    /// By hand: without the uniform half V is [(Σ N σ)²/m − Σ N σ²]/N² if no item is drawn for
    /// certain. With it, V lies between that and a simple random sample's.
    #[test]
    fn drawing_by_score_reduces_the_standard_error() {
        let design = design();
        let sigma = [0.01_f64, 0.2, 0.5, 0.9].map(|p| (p * (1.0 - p)).sqrt());
        let n = [500.0, 300.0, 150.0, 50.0];
        let sum: f64 = n.iter().zip(sigma).map(|(n, s)| n * s).sum();
        let squares: f64 = n.iter().zip(sigma).map(|(n, s)| n * s * s).sum();
        let best = ((sum * sum / 100.0 - squares) / 1e6).sqrt();
        let [labels, ppi, by_score] =
            [AuditKind::LabelsOnly, AuditKind::Ppi, AuditKind::ByScore].map(|kind| design.plan(kind, 100).std_error);
        assert!((design.prevalence() - 0.185).abs() < 1e-15);
        assert!((labels - (0.185_f64 * 0.815 * (0.01 - 0.001)).sqrt()).abs() < 1e-15);
        assert!((ppi - (squares / 1000.0 * (0.01 - 0.001)).sqrt()).abs() < 1e-15);
        assert!(best < by_score && by_score < ppi && ppi < labels);
        let probability = |s: f64| 0.1 * (0.5 * s * 1000.0 / sum + 0.5);
        let terms = n.iter().zip(sigma).map(|(n, s)| n * s * s * (1.0 / probability(s) - 1.0));
        assert!((by_score - (terms.sum::<f64>() / 1e6).sqrt()).abs() < 1e-15);
        // In clusters with a design effect of 2 the variance is doubled.
        let clustered = design.clone().with_design_effect(2.0).unwrap();
        assert!((clustered.plan(AuditKind::LabelsOnly, 100).std_error - labels * 2.0_f64.sqrt()).abs() < 1e-15);
        // √(2(1/m − 1/N)) is that of 100 items drawn one by one for 1/m = (1/100 + 1/N)/2, m = 181.8.
        let options = IntervalOptions::default();
        let half_width = design.half_width(AuditKind::LabelsOnly, 100, &options).unwrap();
        assert_eq!(clustered.smallest_plan(AuditKind::LabelsOnly, half_width, &options).unwrap().audited, 182);
        assert!(design.clone().with_design_effect(0.0).is_err());
    }
}
