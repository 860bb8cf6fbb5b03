//! Which items to audit, and how many.
//!
//! The scores leave p(1 − p) of an item's label unexplained, p the posterior of its bin. An item that is drawn with probability π adds
//! p(1 − p)(1/π − 1)/N² to the variance of the difference estimator, which for a given expected number of items is least with
//!
//! ```text
//! π ∝ √(p(1 − p))
//! ```
//!
//! (Neyman 1934; Särndal, Swensson and Wretman 1992, §12.2). Posteriors may be wrong, most of all those near 0 and 1: a fifth of the
//! probability is spread evenly, so that no item stands for more than five times as many as in a plain draw (a defensive mixture, Hesterberg
//! 1995).

use crate::numeric::sum::CompensatedSum;
use crate::random::stream;
use rand::RngExt;
use rand::seq::SliceRandom;

/// The share of the draw that does not ask for the score.
const EVEN: f64 = 0.2;

/// What is known of the items in each bin of the score before any is audited.
#[derive(Clone, Debug)]
pub struct AuditDesign {
    counts: Vec<u64>,
    posteriors: Vec<f64>,
    /// How often to draw an item of a bin, beside an average one.
    favour: Vec<f64>,
}

/// How precise an audit of so many items is to be expected.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditPlan {
    /// How many items.
    pub audited: u64,
    /// The standard error of the share of positives among all items.
    pub se: f64,
}

/// How an audit is drawn and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditKind {
    /// At random, the labels alone.
    Labels,
    /// At random, with the scores of all items.
    Powered,
    /// By the score, with the scores of all items.
    ByScore,
}

impl AuditDesign {
    /// For so many items in each bin, with these posterior probabilities.
    pub(crate) fn new(counts: Vec<u64>, posteriors: Vec<f64>) -> Self {
        let spread: Vec<f64> = posteriors.iter().map(|p| (p * (1.0 - p)).sqrt()).collect();
        let n = counts.iter().sum::<u64>() as f64;
        let mean = mean(&counts, n, |bin| spread[bin]);
        let favour = |spread: &f64| if mean > 0.0 { (1.0 - EVEN) * spread / mean + EVEN } else { 1.0 };
        Self { favour: spread.iter().map(favour).collect(), counts, posteriors }
    }

    /// The same with all items alike.
    #[must_use]
    pub fn evenly(self) -> Self {
        Self { favour: vec![1.0; self.counts.len()], ..self }
    }

    /// How many items there are.
    pub fn items(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of positives to be expected.
    pub fn prevalence(&self) -> f64 {
        mean(&self.counts, self.items() as f64, |bin| self.posteriors[bin])
    }

    /// The probability of drawing an item of each bin, of which so many are to be drawn in all.
    pub fn probabilities(&self, audited: u64) -> Vec<f64> {
        let wanted = audited.min(self.items()) as f64;
        let mut sure = vec![false; self.favour.len()];
        loop {
            // Those that are drawn for certain leave more to the others.
            let certain: f64 = self.counts.iter().zip(&sure).filter(|(_, sure)| **sure).map(|(n, _)| *n as f64).sum();
            let rest = self.counts.iter().zip(&self.favour).zip(&sure).filter(|(_, sure)| !**sure);
            let rest: f64 = rest.map(|((n, favour), _)| *n as f64 * favour).sum();
            let scale = if rest > 0.0 { (wanted - certain) / rest } else { 0.0 };
            let over = |bin: &usize| !sure[*bin] && scale * self.favour[*bin] >= 1.0;
            let over: Vec<usize> = (0..sure.len()).filter(over).collect();
            if over.is_empty() {
                let of = |(favour, sure): (&f64, &bool)| if *sure { 1.0 } else { scale * favour };
                return self.favour.iter().zip(&sure).map(of).collect();
            }
            for bin in over {
                sure[bin] = true;
            }
        }
    }

    /// What to expect of so many items.
    pub fn expected(&self, kind: AuditKind, audited: u64) -> AuditPlan {
        let n = self.items() as f64;
        let audited = audited.clamp(1, self.items());
        let share = self.prevalence();
        let unexplained = |bin: usize| self.posteriors[bin] * (1.0 - self.posteriors[bin]);
        let even = (audited as f64).recip() - n.recip();
        let variance = match kind {
            AuditKind::Labels => share * (1.0 - share) * even,
            AuditKind::Powered => mean(&self.counts, n, unexplained) * even,
            AuditKind::ByScore => {
                let probabilities = self.probabilities(audited);
                mean(&self.counts, n, |bin| unexplained(bin) * (probabilities[bin].recip() - 1.0)) / n
            }
        };
        AuditPlan { audited, se: variance.sqrt() }
    }

    /// The fewest items whose standard error is no larger.
    pub fn fewest(&self, kind: AuditKind, se: f64) -> AuditPlan {
        let (mut below, mut enough) = (0, self.items());
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            if self.expected(kind, middle).se <= se {
                enough = middle;
            } else {
                below = middle;
            }
        }
        self.expected(kind, enough)
    }

    /// Draws so many items, each with the probability of its bin: the places of those drawn, ascending. The items come in random order and
    /// every one is taken that holds a point of a grid with a random beginning (systematic sampling), so that it is this many. The same
    /// seed draws the same.
    pub fn draw(&self, bins: &[u8], audited: u64, seed: u64) -> Vec<usize> {
        let probabilities = self.probabilities(audited);
        let mut random = stream(seed, 0);
        let mut order: Vec<usize> = (0..bins.len()).collect();
        order.shuffle(&mut random);
        let start: f64 = random.random();
        let (mut passed, mut drawn) = (0.0_f64, Vec::new());
        for place in order {
            let next = passed + probabilities[usize::from(bins[place])];
            if (next - start).floor() > (passed - start).floor() {
                drawn.push(place);
            }
            passed = next;
        }
        drawn.sort_unstable();
        drawn
    }
}

fn mean(counts: &[u64], n: f64, of: impl Fn(usize) -> f64) -> f64 {
    counts.iter().enumerate().map(|(bin, count)| *count as f64 / n * of(bin)).collect::<CompensatedSum>().value()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design() -> AuditDesign {
        AuditDesign::new(vec![500, 300, 150, 50], vec![0.01, 0.2, 0.5, 0.9])
    }

    #[test]
    fn as_many_are_drawn_as_asked_for() {
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

    /// Over many draws each bin's items come up with their probability: 2000 draws of 100, standard errors of 0.7 % at most.
    #[test]
    fn items_are_drawn_with_their_probability() {
        let design = design();
        let bins: Vec<u8> = [500, 300, 150, 50].into_iter().zip(0..).flat_map(|(n, bin)| vec![bin; n]).collect();
        let mut drawn = [0.0; 4];
        for seed in 0..2000 {
            design.draw(&bins, 100, seed).into_iter().for_each(|place| drawn[usize::from(bins[place])] += 1.0);
        }
        for ((drawn, n), p) in drawn.iter().zip([500.0, 300.0, 150.0, 50.0]).zip(design.probabilities(100)) {
            assert!((drawn / (2000.0 * n * p) - 1.0).abs() < 0.03, "{drawn} {}", 2000.0 * n * p);
        }
    }

    /// By hand: without the even fifth V is [(Σ N σ)²/m − Σ N σ²]/N² where no item is certain; with it, between that and an even draw.
    #[test]
    fn what_drawing_by_score_gains() {
        let design = design();
        let sigma = [0.01_f64, 0.2, 0.5, 0.9].map(|p| (p * (1.0 - p)).sqrt());
        let n = [500.0, 300.0, 150.0, 50.0];
        let sum: f64 = n.iter().zip(sigma).map(|(n, s)| n * s).sum();
        let squares: f64 = n.iter().zip(sigma).map(|(n, s)| n * s * s).sum();
        let best = ((sum * sum / 100.0 - squares) / 1e6).sqrt();
        let [labels, powered, by_score] =
            [AuditKind::Labels, AuditKind::Powered, AuditKind::ByScore].map(|kind| design.expected(kind, 100).se);
        assert!((design.prevalence() - 0.185).abs() < 1e-15);
        assert!((labels - (0.185_f64 * 0.815 * (0.01 - 0.001)).sqrt()).abs() < 1e-15);
        assert!((powered - (squares / 1000.0 * (0.01 - 0.001)).sqrt()).abs() < 1e-15);
        assert!(best < by_score && by_score < 1.03 * best && by_score < powered && powered < labels);
        let fewest = design.fewest(AuditKind::Powered, 0.02);
        assert!(fewest.se <= 0.02 && design.expected(AuditKind::Powered, fewest.audited - 1).se > 0.02);
    }
}
