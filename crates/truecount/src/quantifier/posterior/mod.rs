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
//! Of many test scores P(Z) is computed at some Z (`density`), over the range that holds all but nothing of it. What lies between two of
//! them, h apart, follows by Euler and Maclaurin (DLMF 2.10.1) to the first derivative, a parabola's through three points:
//!
//! ```text
//! Σ f(z), z = a + 1, …, a + h:   h (f(a) + f(a+h))/2 + (f(a+h) − f(a))/2 − (h² − 1)/12 (f′(a+h) − f′(a))
//! ```

mod density;
mod weights;

pub(super) use weights::Bin;

use crate::inference::{IntervalEstimate, IntervalOptions, Scale, Systematic, Target};
use crate::numeric::incomplete_beta::ln_gamma_ratio;
use crate::numeric::root::solve_bracketed;
use density::{Density, NOTHING};

/// Points in the first look at where the posterior is.
const LOOK: u64 = 1024;

/// Points for each labelled score of the larger class: a bin in which a class has no labelled score narrows w to a labelled score's worth.
const FOR_EACH_LABEL: f64 = 16.0;

/// The fewest and the most points.
const POINTS: (f64, f64) = (4096.0, 32_768.0);

/// P(Z | counts).
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    /// How many test scores.
    n: f64,
    /// Some Z, ascending.
    points: Vec<f64>,
    /// The probability of each.
    probabilities: Vec<f64>,
    /// How much more that is for a Z that is larger by 1.
    slopes: Vec<f64>,
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
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // of these bounds
        let points = (FOR_EACH_LABEL * all.positive.max(all.negative)).clamp(POINTS.0, POINTS.1) as u64;
        if n <= points {
            return Self::from_density(&Density::evenly(bins, 1, n), n);
        }
        // Where is it?
        let h = n.div_ceil(LOOK);
        let (least, most) = Density::new(bins, h, n).span();
        // From the nearer end.
        let turned = n - least < most;
        let bins: Vec<Bin> = bins.iter().map(|bin| if turned { bin.turned() } else { *bin }).collect();
        let mut reach = if turned { n - least } else { most };
        loop {
            // The look may have been too coarse.
            reach = (reach + 2 * h).min(n);
            let density = Density::new(&bins, reach.div_ceil(points), reach);
            if reach == n || density.ln.last().is_some_and(|last| last - density.largest() <= NOTHING) {
                return Self::from_density(&if turned { density.turned(n) } else { density }, n);
            }
            reach *= 2;
        }
    }

    fn from_density(density: &Density, n: u64) -> Self {
        let points: Vec<f64> = density.points.iter().map(|z| *z as f64).collect();
        let largest = density.largest();
        let relative: Vec<f64> = density.ln.iter().map(|ln| (ln - largest).exp()).collect();
        let moment = |about: f64, power: i32| {
            let values: Vec<f64> = points.iter().zip(&relative).map(|(z, p)| (z - about).powi(power) * p).collect();
            let slopes = slopes(&points, &values);
            running(&points, &values, &slopes).last().copied().expect("there are points")
        };
        let total = moment(0.0, 0);
        let mean = moment(0.0, 1) / total;
        let variance = moment(mean, 2) / total;
        let probabilities: Vec<f64> = relative.iter().map(|p| p / total).collect();
        let slopes = slopes(&points, &probabilities);
        let cumulative = running(&points, &probabilities, &slopes);
        Self { n: n as f64, points, probabilities, slopes, cumulative, mean, variance }
    }

    /// The posterior mean of Z/n.
    pub(super) fn mean_in_sample(&self) -> f64 {
        self.mean / self.n
    }

    /// The posterior mean of α.
    pub(super) fn mean_in_population(&self) -> f64 {
        (1.0 + self.mean) / (self.n + 2.0)
    }

    /// Posterior standard deviation and equal-tailed interval of the share that is reported, of which so much is not among the test scores;
    /// where the scores are no mixture of the classes, as much farther from the estimate as the systematic error asks. The interval holds
    /// the estimate, which may be the mean of another share.
    pub(super) fn uncertainty(
        &self,
        raw: f64,
        drawn: f64,
        scale: Option<Scale>,
        reporting: &IntervalOptions,
    ) -> IntervalEstimate {
        let variance = self.variance_of_share(drawn);
        let systematic = scale.map_or(Systematic::NONE, |scale| scale.systematic_variance(variance));
        let wider = if variance > 0.0 { systematic.wider(variance, reporting.quantile()) } else { 1.0 };
        let tail = 0.5 - 0.5 * reporting.level();
        let [lower, upper] = [tail, 1.0 - tail].map(|p| raw + wider * (self.quantile(p, reporting) - raw));
        IntervalEstimate { se: variance.sqrt(), lower: lower.min(raw).max(0.0), upper: upper.max(raw).min(1.0) }
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
    fn quantile(&self, p: f64, reporting: &IntervalOptions) -> f64 {
        match (reporting.target(), reporting.size()) {
            (Target::Sample, _) => least(self.n, |z| self.up_to(z) >= p) / self.n,
            (Target::Population, None) => solve_bracketed(|x| self.share_up_to(x) - p, (0.0, -p), (1.0, 1.0 - p)),
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
        let step = if self.is_whole() { 1.0 } else { (0.25 * spread).floor().max(1.0) };
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

    /// Whether every Z that has a probability is a point.
    fn is_whole(&self) -> bool {
        self.points[self.points.len() - 1] - self.points[0] == (self.points.len() - 1) as f64
    }

    /// The probability of Z or less, for a whole number.
    fn up_to(&self, z: f64) -> f64 {
        let after = self.points.partition_point(|point| *point <= z);
        let Some(k) = after.checked_sub(1) else { return 0.0 };
        if after == self.points.len() {
            return self.cumulative[k];
        }
        let h = self.points[after] - self.points[k];
        let x = (z - self.points[k]) / h;
        if x == 0.0 {
            return self.cumulative[k];
        }
        // Hermite's cubic: the sum rises by what the density is half a step on.
        let rise = self.cumulative[after] - self.cumulative[k];
        let [s, t] = [k, after].map(|k| h * (self.probabilities[k] + 0.5 * self.slopes[k]));
        self.cumulative[k] + x * (s + x * (3.0 * rise - 2.0 * s - t + x * (s + t - 2.0 * rise)))
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

/// f′ at each point: of the parabola through it and its neighbours; of the line to its neighbour at an end.
fn slopes(points: &[f64], values: &[f64]) -> Vec<f64> {
    let line = |k: usize| (values[k + 1] - values[k]) / (points[k + 1] - points[k]);
    let last = points.len() - 1;
    let each = (0..=last).map(|k| match k {
        _ if last == 0 => 0.0,
        0 => line(0),
        k if k == last => line(last - 1),
        k => {
            let part = (points[k] - points[k - 1]) / (points[k + 1] - points[k - 1]);
            part * line(k) + (1.0 - part) * line(k - 1)
        }
    });
    each.collect()
}

/// Σ f from the first point to each.
fn running(points: &[f64], values: &[f64], slopes: &[f64]) -> Vec<f64> {
    let mut sum = values[0];
    let mut sums = vec![sum];
    for k in 1..points.len() {
        let h = points[k] - points[k - 1];
        let (both, rise) = (values[k] + values[k - 1], values[k] - values[k - 1]);
        sum += 0.5 * (h * both + rise) - (h * h - 1.0) / 12.0 * (slopes[k] - slopes[k - 1]);
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests;
