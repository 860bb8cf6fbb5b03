//! Maximum-likelihood fits of the skew-normal distribution.
//!
//! With λ = α/ω the log-likelihood of n scores y is −n ln ω − Σ(y−ξ)²/2ω² + Σ ln Φ(λ(y−ξ)) + const,
//! so that for any λ the best ω² is the mean of (y−ξ)², and two parameters remain:
//!
//! ```text
//! ℓ(ξ, λ)/n = −½ ln(v + ξ²) + mean ln Φ(λ(y−ξ)),    y standardised: mean 0, variance v = (n−1)/n
//! ```
//!
//! The likelihood has three peculiarities (Azzalini & Capitanio 2014, §3.1). The normal, ξ = λ = 0, is always a
//! stationary point, with a singular Hessian. There can be several maxima. And in every sample the likelihood increases
//! towards that of a half-normal as ξ approaches the smallest score and λ goes to infinity; if the half-normal's
//! likelihood is the highest, the half-normal is the fit.

use super::{SkewNormal, standard_mean};
use crate::distribution::empirical::mean_and_sd;
use crate::numeric::gauss;
use crate::{Class, Error, Problem};
use std::f64::consts::{FRAC_PI_2, LN_2, PI};

/// The shapes at which the likelihood is first evaluated.
///
/// No two shapes are opposite: halfway between such a pair lies the stationary point at 0, which a
/// search for roots of the derivative must not hit.
const SHAPES: [f64; 12] = [-40.0, -12.0, -5.0, -2.5, -1.2, LEFT, RIGHT, 0.9, 2.0, 4.0, 10.0, 35.0];

/// The two shapes of [`SHAPES`] next to 0.
const LEFT: f64 = -0.5;
const RIGHT: f64 = 0.3;

/// The |λ| that counts as infinite.
const MAX_LAMBDA: f64 = 1e6;

/// The predicted gain in the log-likelihood below which the climb stops.
const MIN_GAIN: f64 = 1e-12;

/// The difference below which two log-likelihoods count as equal.
const TIE: f64 = 1e-10;

/// The maximum number of steps in one climb; about seven are usual.
const STEPS: usize = 100;

impl SkewNormal {
    /// Fits location, scale and shape by maximum likelihood.
    ///
    /// The log-likelihood is within 1e-10 of its supremum. If the supremum is reached only as the shape goes to
    /// infinity, as in small or one-sided samples, the fit is the limit: a half-normal that begins at the smallest
    /// score (or ends at the largest), with the root mean square distance from that score as its scale.
    ///
    /// # Errors
    /// Returns [`Problem::ClassTooSmall`] for fewer than three scores,
    /// [`Problem::ClassVarianceZero`] if all scores are equal, and [`Problem::ClassOutOfScale`] if a
    /// double cannot hold the squares of the scores or resolve their differences.
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        let (mean, sd) = mean_and_sd(class, scores, 3, "skew-normal")?;
        let sample = StandardisedScores::new(scores, mean, sd);
        let (xi, lambda) = sample.most_likely();
        let scale = sample.rms_distance(xi);
        // The end of a half-normal is a score, which rounding must not put outside the support.
        let location = match lambda {
            f64::INFINITY => scores.iter().copied().fold(f64::INFINITY, f64::min),
            f64::NEG_INFINITY => scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            _ => mean + sd * xi,
        };
        Self::new(location, sd * scale, lambda * scale).map_err(|_| Problem::ClassOutOfScale { class }.into())
    }
}

/// Scores standardised to mean 0 and standard deviation 1 (divisor n − 1).
struct StandardisedScores {
    scores: Vec<f64>,
    /// The mean square of the scores, (n − 1)/n up to rounding.
    square: f64,
    smallest: f64,
    largest: f64,
}

/// Means over the sample, where d = y − ξ, u = λd, and ζ = φ/Φ is the derivative of ln Φ.
#[derive(Clone, Copy, Default)]
struct LikelihoodMeans {
    /// ln Φ(u)
    ln_cdf: f64,
    /// ζ(u), ζ(u) d
    slope: [f64; 2],
    /// ζ′(u), ζ′(u) d, ζ′(u) d²
    curvature: [f64; 3],
}

/// The mean log-likelihood per score at (ξ, λ), without constant terms, and its derivatives.
#[derive(Clone, Copy)]
struct LikelihoodPoint {
    xi: f64,
    lambda: f64,
    value: f64,
    gradient: [f64; 2],
    /// ξξ, ξλ, λλ
    hessian: [f64; 3],
}

impl StandardisedScores {
    fn new(scores: &[f64], mean: f64, sd: f64) -> Self {
        let scores: Vec<f64> = scores.iter().map(|s| (s - mean) / sd).collect();
        Self {
            square: scores.iter().map(|y| y * y).sum::<f64>() / scores.len() as f64,
            smallest: scores.iter().copied().fold(f64::INFINITY, f64::min),
            largest: scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            scores,
        }
    }

    fn n(&self) -> f64 {
        self.scores.len() as f64
    }

    /// Returns the root mean square distance of the scores from ξ, the most likely ω.
    fn rms_distance(&self, xi: f64) -> f64 {
        (self.square + xi * xi).sqrt()
    }

    fn likelihood_means(&self, xi: f64, lambda: f64) -> LikelihoodMeans {
        let mut sum = LikelihoodMeans::default();
        for y in &self.scores {
            let d = y - xi;
            let u = lambda * d;
            let (ln_cdf, slope) = gauss::ln_cdf_and_slope(u);
            let curvature = -slope * (slope + u);
            sum.ln_cdf += ln_cdf;
            sum.slope[0] += slope;
            sum.slope[1] += slope * d;
            sum.curvature[0] += curvature;
            sum.curvature[1] += curvature * d;
            sum.curvature[2] += curvature * d * d;
        }
        let n = self.n();
        LikelihoodMeans {
            ln_cdf: sum.ln_cdf / n,
            slope: sum.slope.map(|s| s / n),
            curvature: sum.curvature.map(|s| s / n),
        }
    }

    fn evaluate(&self, xi: f64, lambda: f64) -> LikelihoodPoint {
        let means = self.likelihood_means(xi, lambda);
        let square = self.square + xi * xi;
        let [slope, slope_d] = means.slope;
        let [curvature, curvature_d, curvature_dd] = means.curvature;
        LikelihoodPoint {
            xi,
            lambda,
            value: means.ln_cdf - 0.5 * square.ln(),
            gradient: [-xi / square - lambda * slope, slope_d],
            hessian: [
                (xi * xi - self.square) / (square * square) + lambda * lambda * curvature,
                -slope - lambda * curvature_d,
                curvature_dd,
            ],
        }
    }

    /// Returns the (ξ, λ) with the largest likelihood; λ = ±∞ for a half-normal.
    fn most_likely(&self) -> (f64, f64) {
        let half_normal = |end: f64| (end, -self.rms_distance(end).ln());
        let (right, left) = (half_normal(self.smallest), half_normal(self.largest));
        let limit =
            if right.1 >= left.1 { (right.0, f64::INFINITY, right.1) } else { (left.0, f64::NEG_INFINITY, left.1) };
        let normal = (0.0, 0.0, -LN_2 - self.rms_distance(0.0).ln());
        // The normal and the half-normal win ties: near them the likelihood is flat, and rounding
        // decides where a climb ends.
        let mut best = if limit.2 > normal.2 { limit } else { normal };
        for point in self.starting_points().into_iter().map(|start| self.climb(start)) {
            if self.n() * (point.value - best.2) > TIE {
                best = (point.xi, point.lambda, point.value);
            }
        }
        (best.0, best.1)
    }

    /// Returns the starting points of climbs: shapes more likely than their neighbours, with
    /// location and scale near the best values.
    fn starting_points(&self) -> Vec<LikelihoodPoint> {
        let mut shapes = [SHAPES.as_slice(), &[self.shape_of_skewness()]].concat();
        shapes.sort_unstable_by(f64::total_cmp);
        let line: Vec<LikelihoodPoint> = shapes.iter().map(|shape| self.start_for_shape(*shape)).collect();
        let value = |k: usize| line.get(k).map_or(f64::NEG_INFINITY, |p| p.value);
        let peak = |k: usize| value(k) >= value(k + 1) && value(k) >= value(k.wrapping_sub(1));
        // A climb towards the normal stops there even if a maximum lies beyond, so a second climb starts on that side.
        let peak_within = |from: f64, to: f64| (0..line.len()).any(|k| peak(k) && from <= shapes[k] && shapes[k] <= to);
        let beyond =
            |shape: f64| (shape == LEFT && peak_within(0.0, RIGHT)) || (shape == RIGHT && peak_within(LEFT, 0.0));
        (0..line.len()).filter(|&k| peak(k) || beyond(shapes[k])).map(|k| line[k]).collect()
    }

    /// Returns the shape with the skewness of the sample, or with the nearest possible skewness.
    ///
    /// The shape is close to the fit if that is near 0, between two of [`SHAPES`].
    fn shape_of_skewness(&self) -> f64 {
        let skewness = self.scores.iter().map(|y| y.powi(3)).sum::<f64>() / (self.n() * self.square.powf(1.5));
        // skewness = (4−π)/2 (m/√(1−m²))³ with m as in `standard_mean`.
        let ratio = (2.0 * skewness / (4.0 - PI)).cbrt();
        let delta = (FRAC_PI_2 * ratio * ratio / (1.0 + ratio * ratio)).sqrt().min(0.999);
        (delta / (1.0 - delta * delta).sqrt()).copysign(skewness)
    }

    /// Returns the point of this shape with the sample's mean and standard deviation, after one
    /// Newton step in ξ if the step increases the likelihood.
    fn start_for_shape(&self, shape: f64) -> LikelihoodPoint {
        let m = standard_mean(shape);
        let scale = self.rms_distance(0.0) / (1.0 - m * m).sqrt();
        let current = self.evaluate(-scale * m, shape / scale);
        let improved = self.evaluate(current.xi - current.gradient[0] / current.hessian[0], current.lambda);
        if improved.value > current.value { improved } else { current }
    }

    /// Climbs to a local maximum by Newton's method, with Levenberg–Marquardt damping where a step would not climb.
    fn climb(&self, start: LikelihoodPoint) -> LikelihoodPoint {
        let mut current = start;
        let mut damping = 1e-2;
        for _ in 0..STEPS {
            // Where the likelihood is flat, damped steps predict too small a gain: only an undamped
            // step can end the climb.
            if let Some((step, promise)) = newton_step(&current, 0.0)
                && self.n() * promise < MIN_GAIN
            {
                let next = self.evaluate(current.xi + step[0], current.lambda + step[1]);
                // Close to the normal, the change in the last step may be mere rounding.
                return if self.n() * (current.value - next.value) < 0.1 * TIE { next } else { current };
            }
            let Some((step, _)) = newton_step(&current, damping) else {
                damping = (10.0 * damping).max(1e-2);
                continue;
            };
            let (xi, lambda) = (current.xi + step[0], current.lambda + step[1]);
            if damping > 1e12 || lambda.abs() > MAX_LAMBDA {
                break;
            }
            let next = self.evaluate(xi, lambda);
            if next.value >= current.value {
                current = next;
                damping = if damping < 1e-4 { 0.0 } else { 0.1 * damping };
            } else {
                damping = (10.0 * damping).max(1e-3);
            }
        }
        current
    }
}

/// Returns the step s = (−H + damping · diag)⁻¹ g and its predicted gain ½ gᵀs, if the matrix is positive definite.
fn newton_step(point: &LikelihoodPoint, damping: f64) -> Option<([f64; 2], f64)> {
    let [g, h] = point.gradient;
    let a = -point.hessian[0] + damping * point.hessian[0].abs();
    let b = -point.hessian[1];
    let c = -point.hessian[2] * (1.0 + damping);
    let determinant = a * c - b * b;
    let definite = a > 0.0 && determinant > 0.0;
    definite.then(|| {
        let step = [(c * g - b * h) / determinant, (a * h - b * g) / determinant];
        (step, 0.5 * (g * step[0] + h * step[1]))
    })
}
