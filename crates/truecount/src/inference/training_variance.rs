//! The training variance of quantifiers with fitted families.
//!
//! The mean of g under a distribution fitted by maximum likelihood to n scores has the variance
//! bᵀI⁻¹b/n, with b = ∂/∂η ∫ g dF_η (g fixed) and I the Fisher information of the parameters η.
//! Since b = ∫ g s dF and I = ∫ s sᵀ dF with s = ∂ ln f/∂η, bᵀI⁻¹b is the variance of g's
//! projection on the span of s, the family's tangent space, whatever the parametrization. For the
//! normal it is σ²(A² + B²/2), A = ∫ g′ f, B = ∫ g′ f z. If any distribution can be fitted, as by a
//! kernel density, the projection is g itself.
//!
//! A linear quantifier that is unbiased under the distributions it was fitted to,
//! α̂(αF⁺ + (1−α)F⁻) = α, depends on the fit to first order only through these two means. So
//! V_train(α) = α² b₊ᵀI₊⁻¹b₊/n₊ + (1−α)² b₋ᵀI₋⁻¹b₋/n₋ for a g with E₊g − E₋g = 1.

use super::ThirdMoments;
use crate::PerClass;
use crate::distribution::{Distribution, ScoreDistribution};
use crate::sweep::{Atoms, Separation};

/// Share of a direction's norm that must remain after removing the earlier directions. Rounding
/// errors leave less.
const MIN_INDEPENDENT_SHARE: f64 = 1e-9;

/// Panels between two landmarks.
const PANELS: u32 = 4;

/// The tangent space of each class's family, as functions at atoms.
#[derive(Debug)]
pub(crate) struct TangentSpaces {
    atoms: Atoms,
    /// Directions, orthonormal and of mean 0 in their class; `None` if the tangent space holds
    /// every function.
    directions: PerClass<Option<Vec<Vec<f64>>>>,
}

impl TangentSpaces {
    /// Computes the tangent spaces of both fitted classes at these atoms.
    pub(crate) fn new(separation: &Separation, atoms: Atoms) -> Self {
        let directions = |class: &ScoreDistribution, mass: &[f64]| {
            tangents(class, atoms.scores().iter()).map(|functions| orthonormal(functions, mass))
        };
        let mass = atoms.mass();
        let directions = PerClass {
            positive: directions(separation.positive(), &mass.positive),
            negative: directions(separation.negative(), &mass.negative),
        };
        Self { atoms, directions }
    }

    /// The atoms at which functions are evaluated.
    pub(crate) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// Returns the training moments of a function with these values at the atoms.
    pub(crate) fn project(&self, values: &[f64]) -> PerClass<TrainingMoments> {
        self.directions.zip_map(self.atoms.mass(), |directions, mass| {
            let centred = centre(values, mass);
            let projection = directions.as_ref().map(|directions| project(&centred, directions, mass));
            TrainingMoments::new(&centred, projection.as_ref().unwrap_or(&centred), mass)
        })
    }
}

/// Projects g on the tangent space of each class, and returns the projection at the class's scores:
/// the contribution of each score to the fitted mean of g. If the tangent space holds every
/// function, the result is g itself.
pub(crate) fn tangent_projection(
    separation: &Separation,
    scores: &PerClass<Vec<f64>>,
    g: impl Fn(f64) -> f64,
) -> PerClass<Vec<f64>> {
    let atoms = Atoms::new(separation, &[], PANELS);
    let class = |class: &ScoreDistribution, mass: &[f64], scores: &[f64]| {
        // The scores are additional atoms without mass.
        let points = || atoms.scores().iter().chain(scores);
        let mass: Vec<f64> = mass.iter().copied().chain(scores.iter().map(|_| 0.0)).collect();
        let values: Vec<f64> = points().map(|x| g(*x)).collect();
        let projection = match tangents(class, points()) {
            None => values,
            Some(functions) => project(&centre(&values, &mass), &orthonormal(functions, &mass), &mass),
        };
        projection[atoms.scores().len()..].to_vec()
    };
    let mass = atoms.mass();
    PerClass {
        positive: class(separation.positive(), &mass.positive, &scores.positive),
        negative: class(separation.negative(), &mass.negative, &scores.negative),
    }
}

/// Moments of g that determine the error of its mean, as estimated from the labelled scores of a
/// class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TrainingMoments {
    /// bᵀI⁻¹b: the variance of the mean, times the number of labelled scores.
    pub(crate) variance: f64,
    pub(crate) third: ThirdMoments,
}

impl TrainingMoments {
    /// Moments from g − Eg and its projection h on the tangent space, at atoms of this mass.
    fn new(centred: &[f64], projection: &[f64], mass: &[f64]) -> Self {
        let mut moments = Self::default();
        let third = &mut moments.third;
        for ((g, h), mass) in centred.iter().zip(projection).zip(mass).filter(|(_, mass)| **mass > 0.0) {
            moments.variance += h * h * mass;
            third.score += g.powi(3) * mass;
            third.training += h.powi(3) * mass;
            third.test_covariance += g * g * h * mass;
            third.training_covariance += h * h * (2.0 * g - h) * mass;
        }
        moments
    }
}

/// Returns the tangent functions of a fitted class at these scores, or `None` if its tangent space
/// holds every function.
fn tangents<'x>(class: &ScoreDistribution, scores: impl Iterator<Item = &'x f64>) -> Option<[Vec<f64>; 3]> {
    let tangents: Vec<[f64; 3]> = scores.map(|x| class.tangents(*x)).collect::<Option<_>>()?;
    Some(std::array::from_fn(|k| tangents.iter().map(|tangent| tangent[k]).collect()))
}

/// Returns g − Eg.
fn centre(values: &[f64], mass: &[f64]) -> Vec<f64> {
    let mean: f64 = values.iter().zip(mass).map(|(g, mass)| g * mass).sum();
    values.iter().map(|g| g - mean).collect()
}

/// Projects a function on the span of orthonormal directions.
fn project(values: &[f64], directions: &[Vec<f64>], mass: &[f64]) -> Vec<f64> {
    let mut projection = vec![0.0; values.len()];
    for direction in directions {
        let shared = product(direction, values, mass);
        projection.iter_mut().zip(direction).for_each(|(h, t)| *h += shared * t);
    }
    projection
}

/// E(fg) under this mass at the atoms.
fn product(f: &[f64], g: &[f64], mass: &[f64]) -> f64 {
    // Atoms without mass are left out, as a density has no derivatives beyond its support.
    f.iter().zip(g).zip(mass).map(|((f, g), mass)| if *mass > 0.0 { f * g * mass } else { 0.0 }).sum()
}

/// Returns an orthonormal basis of the span of these functions and the constants, without the
/// constants. Gram–Schmidt, twice for precision.
fn orthonormal(functions: [Vec<f64>; 3], mass: &[f64]) -> Vec<Vec<f64>> {
    let total: f64 = mass.iter().sum();
    let mut basis = vec![vec![total.sqrt().recip(); mass.len()]];
    for mut function in functions {
        let before = product(&function, &function, mass);
        for _ in 0..2 {
            for earlier in &basis {
                let shared = product(&function, earlier, mass);
                function.iter_mut().zip(earlier).for_each(|(f, k)| *f -= shared * k);
            }
        }
        let norm = product(&function, &function, mass);
        if norm > MIN_INDEPENDENT_SHARE * MIN_INDEPENDENT_SHARE * before {
            basis.push(function.iter().map(|f| f / norm.sqrt()).collect());
        }
    }
    basis.remove(0);
    basis
}
