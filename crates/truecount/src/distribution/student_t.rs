//! Student's t distribution: f(x) = (1 + z²/ν)^(−(ν+1)/2) / (s √ν B(ν/2, ½)), z = (x−μ)/s.
//!
//! Tails: P(S ≥ x) = ½ I(ν/2, ½) at ν/(ν+z²) for z > 0 (NIST DLMF 8.17, Johnson, Kotz and Balakrishnan 1995, ch. 28).
//!
//! Fit: maximum likelihood. For fixed ν, Newton's method in (μ, ln s); ν is the root of the derivative of the profile
//! likelihood. If a fraction τ of the scores coincides, the likelihood is unbounded for ν < τ/(1−τ), with s → 0 (Kent
//! and Tyler 1991, §3), so the search for ν begins at 2τ/(1−τ).

use super::empirical::mean_and_sd;
use super::{Distribution, OUTER_LANDMARK_TAIL, check_location_and_scale};
use crate::numeric::incomplete_beta::{self, BetaPoint};
use crate::numeric::{newton, root};
use crate::random::{Bits, RandomBits};
use crate::{Class, Error, Problem};
use rand_distr::Distribution as _;
use serde::{Deserialize, Serialize};
use statrs::function::gamma::digamma;

/// The range of the degrees of freedom ν.
const MIN_DOF: f64 = 0.5;
const MAX_DOF: f64 = 200.0;

/// The |z| beyond which the density is a power of z to the last digit, and z² might overflow.
const FAR: f64 = 1e100;

/// A Student t distribution with a location, a scale and degrees of freedom in [0.5, 200].
///
/// At 200 degrees of freedom, no probability differs from the normal distribution's by more than
/// 0.0008, which a sample of 10⁴ scores could not detect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StudentTParameters", into = "StudentTParameters")]
pub struct StudentT {
    location: f64,
    scale: f64,
    degrees_of_freedom: f64,
    /// The logarithm of the largest density.
    ln_peak: f64,
}

serialised_parameters!(StudentT, StudentTParameters { location, scale, degrees_of_freedom });

impl StudentT {
    /// Creates a Student t distribution; location and scale are in units of the score.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless |location| ≤ 1e150, 1e-150 ≤ scale ≤ 1e150
    /// and 0.5 ≤ `degrees_of_freedom` ≤ 200.
    pub fn new(location: f64, scale: f64, degrees_of_freedom: f64) -> Result<Self, Error> {
        check_location_and_scale(("location", location), ("scale", scale))?;
        let is_inside = (MIN_DOF..=MAX_DOF).contains(&degrees_of_freedom);
        Error::unless_in_domain(is_inside, ("degrees of freedom", degrees_of_freedom), "between 0.5 and 200")?;
        Ok(Self { location, scale, degrees_of_freedom, ln_peak: ln_peak(degrees_of_freedom) - scale.ln() })
    }

    /// Fits location, scale and degrees of freedom in [0.5, 200] by maximum likelihood.
    ///
    /// # Errors
    /// Returns [`Problem::ClassTooSmall`] for fewer than three scores,
    /// [`Problem::ClassVarianceZero`] if all scores are equal, and [`Problem::ClassOutOfScale`] if a
    /// double cannot hold the squares of the scores or resolve their differences, or if nearly all
    /// scores are equal.
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        let (mean, sd) = mean_and_sd(class, scores, 3, "student-t")?;
        let mut standard: Vec<f64> = scores.iter().map(|s| (s - mean) / sd).collect();
        standard.sort_unstable_by(f64::total_cmp);
        let ties = standard.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
        let min_dof = MIN_DOF.max(2.0 * ties as f64 / (scores.len() - ties) as f64);
        if min_dof > MAX_DOF {
            return Err(Problem::ClassOutOfScale { class }.into());
        }
        let [location, ln_scale, df] = ProfileLikelihood { scores: &standard }.maximise(min_dof);
        Self::new(mean + location * sd, ln_scale.exp() * sd, df).map_err(|_| Problem::ClassOutOfScale { class }.into())
    }

    /// Returns the location μ, in units of the score.
    pub fn location(&self) -> f64 {
        self.location
    }

    /// Returns the scale s, in units of the score; the standard deviation is s √(ν/(ν−2)) for ν > 2.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the degrees of freedom ν.
    pub fn degrees_of_freedom(&self) -> f64 {
        self.degrees_of_freedom
    }

    /// Returns P(T ≥ z) for z ≥ 0.
    fn upper_tail(&self, z: f64) -> f64 {
        upper_tail(z, self.degrees_of_freedom)
    }

    /// Returns the log-density at z scales from the location.
    fn ln_density(&self, z: f64) -> f64 {
        let df = self.degrees_of_freedom;
        let ln_1p = if z.abs() > FAR { 2.0 * z.abs().ln() - df.ln() } else { (z * z / df).ln_1p() };
        self.ln_peak - 0.5 * (df + 1.0) * ln_1p
    }

    /// Returns the z with P(T ≥ z) = q, for q ≤ ½.
    fn standard_upper_quantile(&self, q: f64) -> f64 {
        if q == 0.5 {
            return 0.0;
        }
        // With z = sinh w, the logarithm of the tail is nearly linear in w both near 0 and far out.
        let excess = |w: f64| (self.upper_tail(w.sinh()) / q).ln();
        let mut high = 1.0;
        while excess(high) > 0.0 && high < 700.0 {
            high *= 2.0;
        }
        let high = high.min(700.0);
        let z = root::solve_bracketed(excess, (0.0, (0.5 / q).ln()), (high, excess(high))).sinh();
        // One step of Newton's method restores the digits that sinh lost.
        let step = (self.upper_tail(z) - q) / (self.ln_density(z).exp() * self.scale);
        if step.is_finite() { z + step } else { z }
    }
}

/// Returns P(T ≥ z) for z ≥ 0 and any finite number of degrees of freedom.
pub(crate) fn upper_tail(z: f64, df: f64) -> f64 {
    if z > FAR {
        return upper_tail(FAR, df) * (FAR / z).powf(df);
    }
    let (square, sum) = (z * z, df + z * z);
    let excess = 0.5 * df * (1.0 - square) / sum;
    0.5 * incomplete_beta::tails(0.5 * df, 0.5, BetaPoint { x: df / sum, y: square / sum, excess }).0
}

/// Returns −ln (√ν B(ν/2, ½)), the log-density at z = 0 for s = 1.
fn ln_peak(df: f64) -> f64 {
    -0.5 * df.ln() - incomplete_beta::ln_beta(0.5 * df, 0.5)
}

/// The likelihood of standardised scores, maximised over (μ, s) for each ν.
struct ProfileLikelihood<'a> {
    scores: &'a [f64],
}

impl ProfileLikelihood<'_> {
    /// Returns the maximum (μ, ln s, ν) of the likelihood with ν ≥ `min_dof`.
    ///
    /// Local maxima of the profile likelihood are bracketed on a grid of ν and refined; the best one is returned.
    fn maximise(&self, min_dof: f64) -> [f64; 3] {
        let ratio = (MAX_DOF / min_dof).powf(1.0 / 12.0);
        let mut df = MAX_DOF;
        let mut fit = self.fit_location_and_scale(df, [0.0, 0.0]);
        let mut slope = self.derivative_in_dof(df, fit);
        let mut best: Option<(f64, [f64; 3])> = None;
        let mut consider = |df: f64, fit: [f64; 2]| {
            let value = self.likelihood(df, fit).0;
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, [fit[0], fit[1], df]));
            }
        };
        // The likelihood still rises at the upper limit, where the distribution is nearly normal.
        if slope >= 0.0 {
            consider(df, fit);
        }
        for k in 1..=12 {
            let next_df = if k == 12 { min_dof } else { MAX_DOF / ratio.powi(k) };
            let next_fit = self.fit_location_and_scale(next_df, fit);
            let next_slope = self.derivative_in_dof(next_df, next_fit);
            if next_slope >= 0.0 && slope < 0.0 {
                let mut near = next_fit;
                let profile_slope = |ln_df: f64| {
                    near = self.fit_location_and_scale(ln_df.exp(), near);
                    self.derivative_in_dof(ln_df.exp(), near)
                };
                let ends = ((next_df.ln(), next_slope), (df.ln(), slope));
                let best_df = root::solve_bracketed(profile_slope, ends.0, ends.1).exp();
                consider(best_df, self.fit_location_and_scale(best_df, near));
            } else if k == 12 && next_slope <= 0.0 {
                consider(next_df, next_fit);
            }
            (df, fit, slope) = (next_df, next_fit, next_slope);
        }
        best.map_or([fit[0], fit[1], df], |(_, parameters)| parameters)
    }

    /// Returns the (μ, ln s) with the largest likelihood for this ν.
    fn fit_location_and_scale(&self, df: f64, start: [f64; 2]) -> [f64; 2] {
        newton::maximise(start, |parameters| self.likelihood(df, parameters))
    }

    /// Returns the mean log-likelihood and its derivatives with respect to (μ, ln s).
    fn likelihood(&self, df: f64, [location, ln_scale]: [f64; 2]) -> newton::Derivatives {
        let n = self.scores.len() as f64;
        let per_scale = (-ln_scale).exp();
        let (mut value, mut gradient, mut hessian) = (0.0, [0.0, -n], [0.0; 3]);
        for y in self.scores {
            let z = (y - location) * per_scale;
            let sum = df + z * z;
            let score = (df + 1.0) * z / sum;
            let slope = (df + 1.0) * (df - z * z) / (sum * sum);
            value -= (z * z / df).ln_1p();
            gradient[0] += score;
            gradient[1] += score * z;
            hessian[0] -= slope;
            hessian[1] -= slope * z + score;
            hessian[2] -= (slope * z + score) * z;
        }
        let constant = ln_peak(df) - ln_scale;
        let [first, second] = gradient.map(|g| g / n);
        let [xx, xy, yy] = hessian.map(|h| h / n);
        (
            0.5 * (df + 1.0) * value / n + constant,
            [first * per_scale, second],
            [xx * per_scale * per_scale, xy * per_scale, yy],
        )
    }

    /// Returns ∂/∂ν of the mean log-likelihood; at the (μ, ln s) of the profile, this is the profile's own derivative.
    fn derivative_in_dof(&self, df: f64, [location, ln_scale]: [f64; 2]) -> f64 {
        let per_scale = (-ln_scale).exp();
        let each = |y: &f64| {
            let square = ((y - location) * per_scale).powi(2);
            (df + 1.0) * square / (df * (df + square)) - (square / df).ln_1p()
        };
        let mean = self.scores.iter().map(each).sum::<f64>() / self.scores.len() as f64;
        0.5 * (digamma(0.5 * df + 0.5) - digamma(0.5 * df) - 1.0 / df + mean)
    }
}

impl Distribution for StudentT {
    fn tails(&self, x: f64) -> (f64, f64) {
        let z = (x - self.location) / self.scale;
        let small = self.upper_tail(z.abs());
        if z < 0.0 { (small, 1.0 - small) } else { (1.0 - small, small) }
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        self.ln_density((x - self.location) / self.scale)
    }

    fn inverse_cdf(&self, p: f64) -> f64 {
        let z = if p <= 0.5 { -self.standard_upper_quantile(p) } else { self.standard_upper_quantile(1.0 - p) };
        self.location + self.scale * z
    }

    fn inverse_sf(&self, q: f64) -> f64 {
        let z = if q <= 0.5 { self.standard_upper_quantile(q) } else { -self.standard_upper_quantile(1.0 - q) };
        self.location + self.scale * z
    }

    /// Points with increasing distances, out to where the tails are 1e-12.
    ///
    /// The density's singularities lie at ±i√ν. Each point is at most twice as far out as the one
    /// before, and from one to the next the density falls by a factor of at most about e⁸.
    fn landmarks(&self) -> Vec<f64> {
        let df = self.degrees_of_freedom;
        let min_step = (0.7 * df.sqrt()).min(2.0);
        let last = self.standard_upper_quantile(OUTER_LANDMARK_TAIL);
        let mut right = vec![];
        let mut z = 0.0;
        while z < last {
            let by_fall = 8.0 * (df + z * z) / ((df + 1.0) * z);
            z += min_step.max(by_fall.min(z));
            right.push(z);
        }
        let left = right.iter().rev().map(|z| -z);
        left.chain([0.0]).chain(right.iter().copied()).map(|z| self.location + self.scale * z).collect()
    }

    fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
        let t = rand_distr::StudentT::new(self.degrees_of_freedom).expect("degrees of freedom were checked");
        self.location + self.scale * t.sample(&mut Bits(bits))
    }

    /// Degrees of freedom at an end of their range count as fixed instead of fitted.
    fn tangents(&self, x: f64) -> Option<[f64; 3]> {
        let df = self.degrees_of_freedom;
        let z = ((x - self.location) / self.scale).clamp(-FAR, FAR);
        let slope = (df + 1.0) * z / (df + z * z);
        let heaviness = if MIN_DOF < df && df < MAX_DOF { slope * z / df - (z * z / df).ln_1p() } else { 0.0 };
        Some([slope, slope * z, heaviness])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    #[test]
    fn tails_and_density_to_full_accuracy() {
        for [df, x, tail, ln_pdf] in quoted("student_t") {
            let t = StudentT::new(0.0, 1.0, df).unwrap();
            let (lower, upper) = t.tails(x);
            let actual = lower.min(upper);
            assert!((actual / tail - 1.0).abs() < 5e-13, "{df}, {x}: {actual:e}, not {tail:e}");
            assert!((t.ln_pdf(x) / ln_pdf - 1.0).abs() < 2e-15, "{df}, {x}: {}, not {ln_pdf}", t.ln_pdf(x));
        }
    }

    #[test]
    fn fit_fails_for_unsuitable_scores() {
        let fit = |scores: &[f64]| StudentT::fit(Class::Negative, scores);
        // All but one of 500 scores are equal: the likelihood has no maximum for ν up to 200.
        assert!(matches!(
            fit(&[vec![1.0; 499], vec![2.0]].concat()).unwrap_err().problem(),
            Some(Problem::ClassOutOfScale { .. })
        ));
        assert!(StudentT::new(0.0, 1.0, 0.4).is_err());
        assert!(StudentT::new(0.0, 1.0, 201.0).is_err());
    }

    #[test]
    fn ties_bound_the_degrees_of_freedom() {
        // Half of the scores coincide: τ/(1−τ) = 1, and the fit stays at 2τ/(1−τ).
        let fit = StudentT::fit(Class::Positive, &[0.0, 0.0, 0.0, 0.0, -30.0, 2.0, 7.0, 100.0]).unwrap();
        assert_eq!(fit.degrees_of_freedom(), 2.0);
        assert!(fit.scale() > 0.1);
    }

    #[test]
    fn normal_scores_have_the_most_degrees_of_freedom() {
        let scores: Vec<f64> = (1..1000).map(|k| crate::numeric::gauss::quantile(f64::from(k) / 1000.0)).collect();
        let fit = StudentT::fit(Class::Positive, &scores).unwrap();
        assert_eq!(fit.degrees_of_freedom(), MAX_DOF);
        let t = StudentT::new(0.0, 1.0, MAX_DOF).unwrap();
        let differences = (0..400)
            .map(|k| (t.tails(f64::from(k) * 0.02).1 - crate::numeric::gauss::tails(f64::from(k) * 0.02).1).abs());
        assert!(differences.fold(0.0, f64::max) < 8e-4);
    }
}
