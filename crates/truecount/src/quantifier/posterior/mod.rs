//! The posterior distribution of the number Z of positives among n test scores, and of the shares
//! that follow from it: Z/n in the sample, T/N in a population of N that the scores were drawn
//! from, and α in an unlimited population.
//!
//! ```text
//! α | Z ~ Beta(1 + Z, 1 + n − Z)                         T − Z | α ~ Bin(N − n, α)
//! P(α ≤ x) = P(Z < Y),  Y ~ Bin(n + 1, x)                P(T ≤ t) = P(Z < Y),  Y ~ Hypergeometric(N + 1, t + 1, n + 1)
//! ```
//!
//! The second line replaces sums over beta distributions by sums over one binomial or
//! hypergeometric distribution. Given Z, α is distributed as the (Z + 1)-th smallest of n + 1
//! uniform numbers (Bayes' billiard table), and T as that of n + 1 numbers drawn from 0, …, N
//! without replacement. Y counts the numbers up to x or t.
//!
//! For many test scores P(Z) is computed only at some points Z (`density`), over the range of all
//! but a negligible part of the probability. Sums over the numbers between two points at distance h
//! follow from the Euler-Maclaurin formula (DLMF 2.10.1) up to the first derivative, which is that
//! of a parabola through three points:
//!
//! ```text
//! Σ f(z), z = a + 1, …, a + h:   h (f(a) + f(a+h))/2 + (f(a+h) − f(a))/2 − (h² − 1)/12 (f′(a+h) − f′(a))
//! ```

mod density;
mod weights;

pub(super) use weights::Bin;

use crate::inference::{IntervalEstimate, IntervalOptions, ScaleFactor, SystematicError, Target};
use crate::numeric::incomplete_beta::ln_gamma_ratio;
use crate::numeric::root::solve_bracketed;
use density::{Density, LN_NEGLIGIBLE};

/// The number of points of the pilot density, which locates the posterior.
const PILOT_POINTS: u64 = 1024;

/// The number of points for each labelled score of the larger class. If a class has no labelled
/// score in a bin, w is only as wide as one labelled score.
const POINTS_PER_LABEL: f64 = 16.0;

/// The minimum and maximum number of points.
const POINT_RANGE: (f64, f64) = (4096.0, 32_768.0);

/// P(Z | counts).
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    n: f64,
    /// Values of Z in ascending order.
    points: Vec<f64>,
    /// P(Z) at the points.
    probabilities: Vec<f64>,
    /// The derivative of P(Z) at the points.
    slopes: Vec<f64>,
    /// P(Z or less) at the points.
    cumulative: Vec<f64>,
    /// The mean of Z.
    mean: f64,
    /// The variance of Z.
    variance: f64,
}

impl Posterior {
    /// Returns the posterior distribution for bins with at least one test score.
    pub(super) fn new(bins: &[Bin]) -> Self {
        let all = Bin::merged(bins);
        let n = all.count;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the bounds
        let points = (POINTS_PER_LABEL * all.positive.max(all.negative)).clamp(POINT_RANGE.0, POINT_RANGE.1) as u64;
        if n <= points {
            return Self::from_density(&Density::on_lattice(bins, 1, n), n);
        }
        let h = n.div_ceil(PILOT_POINTS);
        let (first, last) = Density::new(bins, h, n).span();
        // The points begin at the nearer end.
        let swap = n - first < last;
        let bins: Vec<Bin> = bins.iter().map(|bin| if swap { bin.swapped() } else { *bin }).collect();
        let mut max_positives = if swap { n - first } else { last };
        loop {
            // The pilot density may have been too coarse.
            max_positives = (max_positives + 2 * h).min(n);
            let density = Density::new(&bins, max_positives.div_ceil(points), max_positives);
            if max_positives == n || density.ln.last().is_some_and(|last| last - density.largest() <= LN_NEGLIGIBLE) {
                return Self::from_density(&if swap { density.swapped(n) } else { density }, n);
            }
            max_positives *= 2;
        }
    }

    fn from_density(density: &Density, n: u64) -> Self {
        let points: Vec<f64> = density.points.iter().map(|z| *z as f64).collect();
        let largest = density.largest();
        let relative: Vec<f64> = density.ln.iter().map(|ln| (ln - largest).exp()).collect();
        let moment = |about: f64, power: i32| {
            let values: Vec<f64> = points.iter().zip(&relative).map(|(z, p)| (z - about).powi(power) * p).collect();
            let slopes = slopes(&points, &values);
            cumulative_sums(&points, &values, &slopes).last().copied().expect("there are points")
        };
        let total = moment(0.0, 0);
        let mean = moment(0.0, 1) / total;
        let variance = moment(mean, 2) / total;
        let probabilities: Vec<f64> = relative.iter().map(|p| p / total).collect();
        let slopes = slopes(&points, &probabilities);
        let cumulative = cumulative_sums(&points, &probabilities, &slopes);
        Self { n: n as f64, points, probabilities, slopes, cumulative, mean, variance }
    }

    /// Returns the posterior mean of Z/n.
    pub(super) fn mean_in_sample(&self) -> f64 {
        self.mean / self.n
    }

    /// Returns the posterior mean of α.
    pub(super) fn mean_in_population(&self) -> f64 {
        (1.0 + self.mean) / (self.n + 2.0)
    }

    /// Returns the posterior standard deviation and equal-tailed interval of the target's share.
    ///
    /// `unsampled` is the fraction of the population that is not among the test scores, 0 for the
    /// sample. `scale` widens the interval about the estimate for misfit. The interval is extended
    /// to contain the estimate, which may be the mean of the share of another target.
    pub(super) fn uncertainty(
        &self,
        raw: f64,
        unsampled: f64,
        scale: Option<ScaleFactor>,
        options: &IntervalOptions,
    ) -> IntervalEstimate {
        let variance = self.share_variance(unsampled);
        let systematic = scale.map_or(SystematicError::NONE, |scale| scale.systematic_variance(variance));
        let widening = if variance > 0.0 { systematic.wider(variance, options.quantile()) } else { 1.0 };
        let tail = 0.5 - 0.5 * options.level();
        let [lower, upper] = [tail, 1.0 - tail].map(|p| raw + widening * (self.quantile(p, options) - raw));
        IntervalEstimate { std_error: variance.sqrt(), lower: lower.min(raw).max(0.0), upper: upper.max(raw).min(1.0) }
    }

    /// Returns Var(T/N) = Var(Z + E(T − Z | Z))/N² + E Var(T − Z | Z)/N² with 1 − n/N =
    /// `unsampled`.
    fn share_variance(&self, unsampled: f64) -> f64 {
        let (n, mean) = (self.n, self.mean);
        let inverse_size = (1.0 - unsampled) / n;
        let product = (1.0 + mean) * (1.0 + n - mean) - self.variance;
        (inverse_size + unsampled / (n + 2.0)).powi(2) * self.variance
            + unsampled * (1.0 + 2.0 * inverse_size) * product / ((n + 2.0).powi(2) * (n + 3.0))
    }

    /// Returns the p-quantile of the target's share.
    fn quantile(&self, p: f64, options: &IntervalOptions) -> f64 {
        match (options.target(), options.size()) {
            (Target::Sample, _) => first_integer(self.n, |z| self.cdf(z) >= p) / self.n,
            (Target::Population, None) => solve_bracketed(|x| self.share_cdf(x) - p, (0.0, -p), (1.0, 1.0 - p)),
            (Target::Population, Some(size)) => {
                let size = size as f64;
                first_integer(size, |t| self.total_cdf(t, size) >= p) / size
            }
        }
    }

    /// Returns P(α ≤ x).
    fn share_cdf(&self, x: f64) -> f64 {
        let trials = self.n + 1.0;
        let log_odds = x.ln() - (-x).ln_1p();
        let ln_ratio = |y: f64, step: f64| {
            ln_gamma_ratio(trials - y - step + 1.0, step) - ln_gamma_ratio(y + 1.0, step) + step * log_odds
        };
        self.probability_below((0.0, trials), trials * x, (trials * x * (1.0 - x)).sqrt(), ln_ratio)
    }

    /// Returns P(T ≤ t) for a population of this size.
    fn total_cdf(&self, t: f64, size: f64) -> f64 {
        let (places, marked, drawn) = (size + 1.0, t + 1.0, self.n + 1.0);
        let rest = places - marked - drawn;
        let (mean, left) = (drawn * marked / places, 1.0 - drawn / places);
        let ln_ratio = |y: f64, step: f64| {
            ln_gamma_ratio(marked - y - step + 1.0, step) + ln_gamma_ratio(drawn - y - step + 1.0, step)
                - ln_gamma_ratio(y + 1.0, step)
                - ln_gamma_ratio(rest + y + 1.0, step)
        };
        let sd = (mean * (1.0 - marked / places) * left).sqrt();
        self.probability_below(((-rest).max(0.0), drawn.min(marked)), mean, sd, ln_ratio)
    }

    /// Returns P(Z < Y) for an independent Y with this range, mean and standard deviation;
    /// `ln_ratio(y, step)` is ln P(Y = y + step) − ln P(Y = y).
    fn probability_below(&self, range: (f64, f64), mean: f64, sd: f64, ln_ratio: impl Fn(f64, f64) -> f64) -> f64 {
        // For a normal density and steps of a quarter of its standard deviation, the error of the
        // trapezoid rule is e^(−2π²·16).
        let points = &self.points;
        let has_all = points[points.len() - 1] - points[0] == (points.len() - 1) as f64;
        let step = if has_all { 1.0 } else { (0.25 * sd).floor().max(1.0) };
        let middle = mean.round().clamp(range.0, range.1);
        let (mut sum, mut total) = (self.cdf(middle - 1.0), 1.0);
        for upwards in [true, false] {
            let (mut y, mut ln) = (middle, 0.0);
            loop {
                let next = if upwards { y + step } else { y - step };
                if next < range.0 || next > range.1 {
                    break;
                }
                ln += if upwards { ln_ratio(y, step) } else { -ln_ratio(next, step) };
                if ln < LN_NEGLIGIBLE {
                    break;
                }
                y = next;
                total += ln.exp();
                sum += ln.exp() * self.cdf(y - 1.0);
            }
        }
        sum / total
    }

    /// Returns P(Z ≤ z) for an integer z.
    fn cdf(&self, z: f64) -> f64 {
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
        // Cubic Hermite interpolation; the slope of the sum at a point is the density half a step
        // on.
        let rise = self.cumulative[after] - self.cumulative[k];
        let [s, t] = [k, after].map(|k| h * (self.probabilities[k] + 0.5 * self.slopes[k]));
        self.cumulative[k] + x * (s + x * (3.0 * rise - 2.0 * s - t + x * (s + t - 2.0 * rise)))
    }
}

/// Returns the first integer in [0, last] from which on a condition holds; `last` if it never
/// holds.
fn first_integer(last: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut below, mut first) = (-1.0, last);
    while first - below > 1.0 {
        let middle = (0.5 * (below + first)).floor();
        if holds(middle) { first = middle } else { below = middle }
    }
    first
}

/// Returns f′ at each point, from the parabola through the point and its neighbours, and at both
/// ends from the line to the neighbour.
fn slopes(points: &[f64], values: &[f64]) -> Vec<f64> {
    let line = |k: usize| (values[k + 1] - values[k]) / (points[k + 1] - points[k]);
    let last = points.len() - 1;
    let slope = |k| match k {
        _ if last == 0 => 0.0,
        0 => line(0),
        k if k == last => line(last - 1),
        k => {
            let part = (points[k] - points[k - 1]) / (points[k + 1] - points[k - 1]);
            part * line(k) + (1.0 - part) * line(k - 1)
        }
    };
    (0..=last).map(slope).collect()
}

/// Returns Σ f from the first point up to each point.
fn cumulative_sums(points: &[f64], values: &[f64], slopes: &[f64]) -> Vec<f64> {
    let mut sum = values[0];
    let mut sums = vec![sum];
    for k in 1..points.len() {
        let h = points[k] - points[k - 1];
        let (total, rise) = (values[k] + values[k - 1], values[k] - values[k - 1]);
        sum += 0.5 * (h * total + rise) - (h * h - 1.0) / 12.0 * (slopes[k] - slopes[k - 1]);
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests;
