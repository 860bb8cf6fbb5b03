//! The goodness of fit of a family to a class.
//!
//! The test uses Cramér and von Mises's statistic of the labelled scores x₁ ≤ … ≤ x_n against the
//! fitted distribution function,
//!
//! ```text
//! W² = 1/(12n) + Σ [F(x_i) − (2i−1)/(2n)]²
//! ```
//!
//! (von Mises 1931; D'Agostino and Stephens 1986, §4.2): n times the mean squared error of F, the
//! function from which prevalences are computed. Anderson and Darling's statistic would put more
//! weight on the tails, but it is infinite if the likelihood has its maximum with a score at the
//! end of the support, as in the skew-normal's half-normal limit.
//!
//! The distribution of W² depends on the family and on which parameters were estimated. The one for
//! large samples is given below. If there is none, or on request, it is simulated by a parametric
//! bootstrap: samples of the same size are drawn from the fitted distribution, and each gets its
//! own fit (Stute, González Manteiga and Presedo Quindimil 1993).
//!
//! # The distribution for large samples
//!
//! Let u = F(x). If the parameters were estimated, √n (F̂_n − F) is a Brownian bridge less its
//! projection on the tangents of the family (Durbin 1973), a normal process with covariance
//!
//! ```text
//! K(u, v) = min(u, v) − uv − g(u)ᵀ I⁻¹ g(v),    g(u) = E[t 1{F(X) ≤ u}],    I = Var t
//! ```
//!
//! where the tangents t are the derivatives of ln f by the parameters; only their span matters
//! ([`Distribution::tangents`]). So W² is distributed as Σ λ_j χ²₁ with the eigenvalues λ_j of K,
//! whose sums of powers are the traces of powers of K. This holds for maximum likelihood estimates
//! and for others that are as efficient in large samples.
//!
//! A parameter may be at the end of its range, as Student's t with the most degrees of freedom. In
//! half of all cases the score of that parameter points outwards, and the estimates project on one
//! tangent less. Changing the sign of the process exchanges the two halves and leaves W² unchanged.
//! So given the end, W² has the distribution with one tangent less. If the support depends on a
//! parameter, there is no such distribution.

use crate::distribution::{Distribution, Family, ScoreDistribution};
use crate::numeric::weighted_chi_squares::{self, WeightedChiSquares};
use crate::random::stream;
use crate::{Class, Error};

/// A family fitted to a class, with the test statistic of the fit.
#[derive(Clone, Debug)]
pub struct Goodness {
    class: Class,
    n: usize,
    fitted: ScoreDistribution,
    statistic: f64,
}

impl Goodness {
    /// Fits the family to the transformed scores of one class.
    ///
    /// # Errors
    /// Returns an error if the family cannot be fitted (see [`Family::fit`]).
    pub fn new(family: Family, class: Class, scores: &[f64]) -> Result<Self, Error> {
        Ok(Self::of_fit(family.fit(class, scores)?, class, scores))
    }

    /// Returns the test of a distribution that was fitted to these transformed scores of one class.
    pub(crate) fn of_fit(fitted: ScoreDistribution, class: Class, scores: &[f64]) -> Self {
        let statistic = cramer_von_mises(&fitted, scores);
        Self { class, n: scores.len(), fitted, statistic }
    }

    /// Returns the class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Returns the fitted distribution.
    pub fn fitted(&self) -> &ScoreDistribution {
        &self.fitted
    }

    /// Returns the statistic W² of Cramér and von Mises.
    pub fn statistic(&self) -> f64 {
        self.statistic
    }

    /// Returns the probability of a W² at least as large, for large samples.
    ///
    /// `None` if there is no such distribution: for a kernel estimate, and at a limit of the family
    /// where the support depends on a parameter.
    pub fn large_sample_p_value(&self) -> Option<f64> {
        large_sample_law(&self.fitted).map(|law| law.upper_tail(self.statistic))
    }

    /// Returns W² of one sample of the same size drawn from the fitted distribution, with its own
    /// fit.
    ///
    /// W² is infinite if that fit fails, which makes the p-value larger, never smaller.
    pub fn replicate(&self, seed: u64, number: u64) -> f64 {
        let mut rng = stream(seed, number);
        let sample: Vec<f64> = (0..self.n).map(|_| self.fitted.sample(&mut rng)).collect();
        Self::new(self.fitted.family(), self.class, &sample).map_or(f64::INFINITY, |refitted| refitted.statistic)
    }

    /// Returns the bootstrap p-value, (1 + #{W²* ≥ W²}) / (1 + B), from B replicates.
    ///
    /// If the parameters were known, the test would be exact at multiples of 1/(1 + B).
    pub fn p_value(&self, replicates: &[f64]) -> f64 {
        let as_large = replicates.iter().filter(|replicate| **replicate >= self.statistic).count();
        (1 + as_large) as f64 / (1 + replicates.len()) as f64
    }
}

/// Returns W².
fn cramer_von_mises(distribution: &dyn Distribution, scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let each = sorted.iter().enumerate().map(|(i, x)| (distribution.tails(*x).0 - (i as f64 + 0.5) / n).powi(2));
    each.sum::<f64>() + 1.0 / (12.0 * n)
}

/// The number of nodes on (0, 1): eight times as many change p-values by less than 1 %.
const NODES: usize = 128;

/// The number of power iterations.
const ITERATIONS: usize = 60;

/// A tangent is a linear combination of the earlier tangents, up to rounding, if its component
/// orthogonal to them has less than this share of its squared length.
const MIN_ORTHOGONAL_SHARE: f64 = 1e-18;

/// Returns the distribution of W² for large samples; `None` for a nonparametric family and if the
/// support was estimated.
fn large_sample_law(fitted: &dyn Distribution) -> Option<WeightedChiSquares> {
    let nodes = Nodes::new();
    let tangents = nodes.u.iter().map(|u| {
        let score = if *u < 0.5 { fitted.inverse_cdf(*u) } else { fitted.inverse_sf(1.0 - u) };
        fitted.tangents(score)
    });
    let tangents = tangents.collect::<Option<Vec<[f64; 3]>>>()?;
    let law = nodes.law(&nodes.paths((0..3).map(|j| tangents.iter().map(|t| t[j]).collect())));
    law.cumulants.iter().all(|c| c.is_finite() && *c > 0.0).then_some(law)
}

/// Nodes u = s²(3 − 2s) at midpoints of s: denser towards 0 and 1, where tangents may be unbounded.
struct Nodes {
    u: Vec<f64>,
    /// Weights that sum to 1.
    weight: Vec<f64>,
}

impl Nodes {
    fn new() -> Self {
        let middles = || (0..NODES).map(|k| (k as f64 + 0.5) / NODES as f64);
        let weights = middles().map(|s| s * (1.0 - s));
        let total: f64 = weights.clone().sum();
        Self { u: middles().map(|s| s * s * (3.0 - 2.0 * s)).collect(), weight: weights.map(|w| w / total).collect() }
    }

    /// Returns E[e 1{F ≤ u}] at each node, for an orthonormal basis e of the centred functions.
    fn paths(&self, functions: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
        let product =
            |a: &[f64], b: &[f64]| a.iter().zip(b).zip(&self.weight).map(|((a, b), w)| w * a * b).sum::<f64>();
        let mut basis = vec![vec![1.0; self.u.len()]];
        for mut function in functions {
            let before = product(&function, &function);
            // Gram–Schmidt twice: the second pass removes the rounding errors of the first.
            for _ in 0..2 {
                for e in &basis {
                    let along = product(&function, e);
                    function.iter_mut().zip(e).for_each(|(f, e)| *f -= along * e);
                }
            }
            let length = product(&function, &function);
            if length > MIN_ORTHOGONAL_SHARE * before {
                let length = length.sqrt();
                for f in &mut function {
                    *f /= length;
                }
                basis.push(function);
            }
        }
        let path = |e: &Vec<f64>| {
            let mut below = 0.0;
            let each = e.iter().zip(&self.weight).map(|(e, w)| {
                let part = w * e;
                below += part;
                below - 0.5 * part
            });
            each.collect()
        };
        basis[1..].iter().map(path).collect()
    }

    /// Returns the distribution of W² of the bridge less its projection on these paths.
    fn law(&self, paths: &[Vec<f64>]) -> WeightedChiSquares {
        let covariance = |k: usize, l: usize| {
            let (u, v) = (self.u[k.min(l)], self.u[k.max(l)]);
            let estimated: f64 = paths.iter().map(|path| path[k] * path[l]).sum();
            (self.weight[k] * self.weight[l]).sqrt() * (u * (1.0 - v) - estimated)
        };
        let matrix: Vec<f64> =
            (0..NODES).flat_map(|k| (0..NODES).map(move |l| (k, l))).map(|(k, l)| covariance(k, l)).collect();
        weighted_chi_squares::quadratic_form_distribution(&matrix, NODES, ITERATIONS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Beta, Kernel, Logistic, Normal, SkewNormal, StudentT};

    /// D'Agostino and Stephens (1986), Tables 4.7 and 4.22, with both parameters estimated:
    /// critical values of W² for large samples, to three places. The level lies between the
    /// probabilities half a unit of the last place to either side, with a tolerance of 2.5 %.
    /// (Imhof's inversion on a grid of 1024 gives 0.0993 for the logistic at 0.0815, this
    /// approximation 0.1016, as the two largest weights are nearly equal.)
    #[test]
    fn critical_values_agree_with_published_tables() {
        let normal = large_sample_law(&Normal::new(3.0, 2.0).unwrap()).unwrap();
        let logistic = large_sample_law(&Logistic::new(3.0, 2.0).unwrap()).unwrap();
        let normal_values = [(0.051, 0.5), (0.074, 0.25), (0.104, 0.1), (0.126, 0.05), (0.148, 0.025), (0.179, 0.01)];
        let logistic_values = [(0.060, 0.25), (0.081, 0.1), (0.098, 0.05), (0.114, 0.025), (0.136, 0.01)];
        let normal_values = normal_values.map(|value| (&normal, value));
        for (law, (critical, level)) in normal_values.into_iter().chain(logistic_values.map(|value| (&logistic, value)))
        {
            let [min, max] = [critical + 0.0005, critical - 0.0005].map(|x| law.upper_tail(x) / level);
            assert!(min < 1.025 && max > 0.975, "{critical}: {level} is not between {min} and {max} times itself");
        }
    }

    /// Without estimated parameters λ_j = 1/(jπ)², with the sums of powers 1/6, 1/90 and 1/945
    /// (Anderson and Darling 1952).
    #[test]
    fn known_parameters_give_the_brownian_bridge() {
        let law = Nodes::new().law(&[]);
        for (actual, expected) in law.cumulants.into_iter().zip([6.0f64, 90.0, 945.0].map(f64::recip)) {
            assert!((actual / expected - 1.0).abs() < 1e-3, "{actual}, not {expected}");
        }
        assert!((law.largest * std::f64::consts::PI.powi(2) - 1.0).abs() < 1e-3, "{}", law.largest);
    }

    #[test]
    fn tangents_without_new_directions_do_not_change_the_law() {
        // Near the normal, the skew-normal's third tangent is a cubic. Student's t has two tangents
        // at its limit.
        let expectation = |distribution: &dyn Distribution| large_sample_law(distribution).unwrap().cumulants[0];
        let normal = expectation(&Normal::new(0.0, 1.0).unwrap());
        assert!((expectation(&StudentT::new(0.0, 1.0, 200.0).unwrap()) / normal - 1.0).abs() < 0.02);
        let near_normal = expectation(&SkewNormal::new(0.0, 1.0, 0.0).unwrap());
        assert!(near_normal < 0.95 * normal);
        for shape in [0.0009, 0.0011, 0.01] {
            let actual = expectation(&SkewNormal::new(0.0, 1.0, shape).unwrap());
            assert!((actual / near_normal - 1.0).abs() < 1e-3, "{shape}: {actual}, not {near_normal}");
        }
    }

    #[test]
    fn law_does_not_change_with_location_scale_or_reflection() {
        let assert_same = |a: &dyn Distribution, b: &dyn Distribution| {
            let (a, b) = (large_sample_law(a).unwrap(), large_sample_law(b).unwrap());
            assert!(a.cumulants.iter().zip(b.cumulants).all(|(a, b)| (a / b - 1.0).abs() < 1e-6), "{a:?}, not {b:?}");
        };
        assert_same(&SkewNormal::new(0.0, 1.0, 3.0).unwrap(), &SkewNormal::new(-7.0, 20.0, -3.0).unwrap());
        assert_same(&Beta::new(2.0, 5.0).unwrap(), &Beta::new(5.0, 2.0).unwrap());
        assert_same(&StudentT::new(0.0, 1.0, 4.0).unwrap(), &StudentT::new(1e6, 1e3, 4.0).unwrap());
    }

    #[test]
    fn estimated_support_and_kernel_have_no_law() {
        assert!(large_sample_law(&SkewNormal::new(0.0, 1.0, f64::INFINITY).unwrap()).is_none());
        assert!(large_sample_law(&Kernel::fit(Class::Positive, &[0.0, 1.0, 3.0]).unwrap()).is_none());
    }
}
