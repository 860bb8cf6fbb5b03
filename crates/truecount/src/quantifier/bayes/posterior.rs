//! What the posterior distribution of Z, the number of positives among n test scores, says of Z/n, of the share T/N in a population of N that
//! they were drawn from, and of the share α in an unlimited one.
//!
//! ```text
//! α | Z ~ Beta(1 + Z, 1 + n − Z)                         T − Z | α ~ Bin(N − n, α)
//! P(α ≤ x) = P(Z < Y),  Y ~ Bin(n + 1, x)                P(T ≤ t) = P(Z < Y),  Y ~ Hypergeometric(N + 1, t + 1, n + 1)
//! ```
//!
//! (n + 1 uniform numbers, or n + 1 of N + 1 places, of which one is α's or T's, in the manner of Bayes' billiard table), so that sums over
//! beta distributions are sums over one binomial distribution.
//!
//! Of many test scores P(Z) is computed at every h-th Z (`density`), over the range that holds all but nothing of it.

use super::density::Density;
use super::weights::Bin;
use crate::numeric::incomplete_beta::ln_gamma_ratio;
use crate::numeric::integer_sum;
use crate::inference::{Reporting, Scale, Systematic, Target, Uncertainty};
use crate::numeric::root::bracketed;

/// Points in the first look at where the posterior is.
const LOOK: u64 = 1024;

/// Points for each labelled score of the larger class: a bin in which a class has no labelled score narrows w to a labelled score's worth.
const FOR_EACH_LABEL: f64 = 16.0;

/// The fewest and the most points.
const POINTS: (f64, f64) = (4096.0, 32_768.0);

/// ln of what is nothing beside the largest.
const NOTHING: f64 = -45.0;

/// P(Z | counts).
#[derive(Clone, Debug)]
pub(in super::super) struct Posterior {
    /// How many test scores.
    n: f64,
    /// Whether it is of negatives in the place of positives.
    turned: bool,
    /// The first Z.
    first: f64,
    /// How far from one Z to the next.
    h: f64,
    /// The probability of each.
    probabilities: Vec<f64>,
    /// The probability of each or less.
    cumulative: Vec<f64>,
    /// Of Z.
    mean: f64,
    /// Of Z.
    variance: f64,
}

impl Posterior {
    /// From bins with at least one test score.
    pub(super) fn new(bins: &[Bin]) -> Self {
        let all = Bin::together(bins);
        let n = all.count;
        let points = (FOR_EACH_LABEL * all.positive.max(all.negative)).clamp(POINTS.0, POINTS.1) as u64;
        if n <= points {
            return Self::of(&Density::new(bins, 1, n), n, false);
        }
        // Where is it?
        let h = n.div_ceil(LOOK).next_power_of_two();
        let look = Density::roughly(bins, h);
        let largest = look.ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let counts = |ln: &f64| ln - largest > NOTHING;
        let least = look.ln.iter().position(counts).map_or(0, |k| look.at(k));
        let most = look.ln.iter().rposition(counts).map_or(n, |k| look.at(k));
        // From the nearer end.
        let turned = n - least < most;
        let bins: Vec<Bin> = bins.iter().map(|bin| if turned { bin.turned() } else { *bin }).collect();
        let mut reach = if turned { n - least } else { most };
        loop {
            // The look may have been too coarse.
            reach = (reach + 2 * h).min(n);
            let density = Density::new(&bins, power_below(reach / points), reach);
            let largest = density.ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if reach == n || density.ln.last().is_some_and(|last| last - largest <= NOTHING) {
                return Self::of(&density, n, turned);
            }
            reach *= 2;
        }
    }

    fn of(density: &Density, n: u64, turned: bool) -> Self {
        let Density { first, h, ln } = density;
        let largest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let relative: Vec<f64> = ln.iter().map(|ln| (ln - largest).exp()).collect();
        let after = (n - density.at(ln.len() - 1)).min(h - 1);
        let (first, h) = (*first as f64, *h as f64);
        let weights = match ln.len() {
            1 => vec![1.0],
            points => integer_sum::weights(points, h, first, after as f64),
        };
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            let each = weights.iter().zip(&relative).enumerate();
            each.map(|(k, (weight, p))| weight * term(first + h * k as f64, *p)).sum()
        };
        let total = sum(&|_, p| p);
        let mean = sum(&|z, p| z * p) / total;
        let variance = sum(&|z, p| (z - mean).powi(2) * p) / total;
        let probabilities: Vec<f64> = relative.iter().map(|p| p / total).collect();
        let cumulative = cumulative(&probabilities, h, first);
        Self { n: n as f64, turned, first, h, probabilities, cumulative, mean, variance }
    }

    /// The posterior mean of Z/n.
    pub(super) fn mean_in_sample(&self) -> f64 {
        self.mean_number() / self.n
    }

    /// The posterior mean of α.
    pub(super) fn mean_in_population(&self) -> f64 {
        (1.0 + self.mean_number()) / (self.n + 2.0)
    }

    fn mean_number(&self) -> f64 {
        if self.turned { self.n - self.mean } else { self.mean }
    }

    /// Posterior standard deviation and equal-tailed interval of the share that is reported, of which so much is not among the test scores;
    /// where the scores are no mixture of the classes, as much farther from the estimate as the systematic error asks.
    pub(in super::super) fn uncertainty(
        &self,
        raw: f64,
        drawn: f64,
        scale: Option<Scale>,
        reporting: &Reporting,
    ) -> Uncertainty {
        let variance = self.variance_of_share(drawn);
        let systematic = scale.map_or(Systematic::NONE, |scale| scale.of(variance));
        let wider = if variance > 0.0 { systematic.wider(variance, reporting.quantile()) } else { 1.0 };
        let tail = 0.5 - 0.5 * reporting.level();
        let [lower, upper] = [tail, 1.0 - tail].map(|p| raw + wider * (self.quantile(p, reporting) - raw));
        Uncertainty::around(raw, self.n, variance.sqrt(), (lower, upper))
    }

    /// Var(T/N), 1 − n/N being drawn: Var(Z + E(T − Z | Z))/N² + E Var(T − Z | Z)/N².
    fn variance_of_share(&self, drawn: f64) -> f64 {
        let (n, mean) = (self.n, self.mean);
        let among = (1.0 - drawn) / n;
        let both = (1.0 + mean) * (1.0 + n - mean) - self.variance;
        (among + drawn / (n + 2.0)).powi(2) * self.variance
            + drawn * (1.0 + 2.0 * among) * both / ((n + 2.0).powi(2) * (n + 3.0))
    }

    /// The least share with no less than this probability of it or less.
    fn quantile(&self, p: f64, reporting: &Reporting) -> f64 {
        match (reporting.target(), reporting.size()) {
            (Target::Sample, _) => least(self.n, |z| self.up_to(z) >= p) / self.n,
            (Target::Population, None) => {
                bracketed(|x| self.share_up_to(x) - p, (0.0, -p), (1.0, 1.0 - p))
            }
            (Target::Population, Some(size)) => {
                let size = size as f64;
                least(size, |t| self.total_up_to(t, size) >= p) / size
            }
        }
    }

    /// P(α ≤ x).
    fn share_up_to(&self, x: f64) -> f64 {
        let trials = self.n + 1.0;
        let odds = x.ln() - (-x).ln_1p();
        let rise = |y: f64, step: f64| {
            ln_gamma_ratio(trials - y - step + 1.0, step) - ln_gamma_ratio(y + 1.0, step) + step * odds
        };
        self.before((0.0, trials), trials * x, (trials * x * (1.0 - x)).sqrt(), rise)
    }

    /// P(T ≤ t), T being of so many.
    fn total_up_to(&self, t: f64, size: f64) -> f64 {
        let (places, marked, drawn) = (size + 1.0, t + 1.0, self.n + 1.0);
        let rest = places - marked - drawn;
        let (mean, left) = (drawn * marked / places, 1.0 - drawn / places);
        let rise = |y: f64, step: f64| {
            ln_gamma_ratio(marked - y - step + 1.0, step) + ln_gamma_ratio(drawn - y - step + 1.0, step)
                - ln_gamma_ratio(y + 1.0, step)
                - ln_gamma_ratio(rest + y + 1.0, step)
        };
        let spread = (mean * (1.0 - marked / places) * left).sqrt();
        self.before(((-rest).max(0.0), drawn.min(marked)), mean, spread, rise)
    }

    /// P(Z < Y) for a Y in a range, with a mean and a standard deviation, of which ln P(y + step) − ln P(y) is known.
    fn before(&self, range: (f64, f64), mean: f64, spread: f64, rise: impl Fn(f64, f64) -> f64) -> f64 {
        // The trapezoid rule of what is as smooth as a normal density errs by e^(−2π²·16) for steps of a quarter of its spread.
        let step = if self.h > 1.0 { (0.25 * spread).floor().max(1.0) } else { 1.0 };
        let middle = mean.round().clamp(range.0, range.1);
        let (mut sum, mut of_all) = (self.up_to(middle - 1.0), 1.0);
        for upwards in [true, false] {
            let (mut y, mut ln) = (middle, 0.0);
            loop {
                let next = if upwards { y + step } else { y - step };
                if next < range.0 || next > range.1 {
                    break;
                }
                ln += if upwards { rise(y, step) } else { -rise(next, step) };
                if ln < NOTHING {
                    break;
                }
                y = next;
                of_all += ln.exp();
                sum += ln.exp() * self.up_to(y - 1.0);
            }
        }
        sum / of_all
    }

    /// The probability of Z or less.
    fn up_to(&self, z: f64) -> f64 {
        if self.turned { 1.0 - self.held_up_to(self.n - z - 1.0) } else { self.held_up_to(z) }
    }

    fn held_up_to(&self, z: f64) -> f64 {
        let place = (z - self.first) / self.h;
        if place < 0.0 {
            let start = self.cumulative[0];
            return if z < 0.0 { 0.0 } else { start * (z + 1.0) / (self.first + 1.0) };
        }
        let k = place as usize;
        let Some(next) = self.cumulative.get(k + 1) else {
            return 1.0;
        };
        let x = place - k as f64;
        if x == 0.0 {
            return self.cumulative[k];
        }
        // Between two points by Hermite's cubic: the step of the sum is the density.
        let (from, rise) = (self.cumulative[k], next - self.cumulative[k]);
        let slope = |k: usize| {
            let before = self.probabilities[k.saturating_sub(1)];
            let after = self.probabilities[(k + 1).min(self.probabilities.len() - 1)];
            // Halfway to the next whole number, where the sum's step is.
            self.h * (self.probabilities[k] + 0.25 * (after - before) / self.h)
        };
        let (s, t) = (slope(k), slope(k + 1));
        from + x * (s + x * (3.0 * rise - 2.0 * s - t + x * (s + t - 2.0 * rise)))
    }
}

/// The least whole number up to a last one for which it holds, as it does for all that are larger.
fn least(last: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut below, mut reached) = (-1.0, last);
    while reached - below > 1.0 {
        let middle = (0.5 * (below + reached)).floor();
        if holds(middle) { reached = middle } else { below = middle }
    }
    reached
}

/// The probability of each point or less: h Σ p and what differs at both ends (`numeric::integer_sum`, to the second term).
fn cumulative(p: &[f64], h: f64, first: f64) -> Vec<f64> {
    let last = p.len() - 1;
    let slope = |k: usize| match k {
        _ if last == 0 => 0.0,
        0 => p[1] - p[0],
        k if k == last => p[last] - p[last - 1],
        k => 0.5 * (p[k + 1] - p[k - 1]),
    };
    let curved = (h - h.recip()) / 12.0;
    let mut whole = 0.0;
    let from = p[0] * (first + 1.0) + curved * slope(0);
    let each = (0..p.len()).map(|k| {
        if k > 0 {
            whole += 0.5 * h * (p[k - 1] + p[k]) + 0.5 * (p[k] - p[k - 1]);
        }
        whole - curved * slope(k) + from
    });
    each.collect()
}

/// The largest power of 2 that is no larger; 1 of 0.
fn power_below(x: u64) -> u64 {
    1 << x.max(1).ilog2()
}

#[cfg(test)]
mod tests;
