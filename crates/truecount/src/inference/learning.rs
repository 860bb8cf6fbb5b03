//! What fitting the classes' distributions to labelled scores leaves uncertain.
//!
//! The mean of g under a distribution fitted by maximum likelihood to n scores has the variance bᵀI⁻¹b/n, with
//! b = ∂/∂η ∫ g dF_η (g held fixed) and I the Fisher information of the parameters η. Since b = ∫ g s dF and I = ∫ s sᵀ dF
//! with s = ∂ ln f/∂η, that is the variance of g's projection on the span of s, the family's tangent space: no parameters
//! enter. For the normal it is σ²(A² + B²/2), A = ∫ g′ f, B = ∫ g′ f z. Where any distribution can be fitted, as by a kernel
//! density, the projection is g itself.
//!
//! A linear quantifier that is right for whatever distributions it was fitted to, α̂(αF⁺ + (1−α)F⁻) = α, depends on the fit to
//! first order through these two means alone, so V_train(α) = α² b₊ᵀI₊⁻¹b₊/n₊ + (1−α)² b₋ᵀI₋⁻¹b₋/n₋ for a g with E₊g − E₋g = 1.

use super::ThirdMoments;
use crate::PerClass;
use crate::distribution::ScoreDistribution;
use crate::sweep::{Atoms, Separation};

/// Share of a direction that must be left when the others are taken out of it: rounding leaves less.
const INDEPENDENT: f64 = 1e-9;

/// Panels between two landmarks.
const PANELS: u32 = 4;

/// The tangent space of each class's family, as functions at atoms.
#[derive(Debug)]
pub(crate) struct Learning {
    atoms: Atoms,
    /// Orthonormal and of mean 0 in their class; none where there is a tangent in every direction.
    directions: PerClass<Option<Vec<Vec<f64>>>>,
}

impl Learning {
    pub(crate) fn new(separation: &Separation, atoms: Atoms) -> Self {
        let directions = |class: &ScoreDistribution, mass: &[f64]| {
            let tangents: Option<Vec<[f64; 3]>> = atoms.scores().iter().map(|x| class.tangents(*x)).collect();
            tangents.map(|tangents| {
                let all = (0..3).map(|k| tangents.iter().map(|tangent| tangent[k]).collect());
                orthonormal(all, mass)
            })
        };
        let mass = atoms.mass();
        let directions = PerClass {
            positive: directions(separation.positive(), &mass.positive),
            negative: directions(separation.negative(), &mass.negative),
        };
        Self { atoms, directions }
    }

    pub(crate) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// What learning the means of a function with these values at the atoms leaves uncertain, in each class.
    pub(crate) fn project(&self, values: &[f64]) -> PerClass<TrainingMoments> {
        let of = |directions: &Option<Vec<Vec<f64>>>, mass: &[f64]| {
            let mean: f64 = values.iter().zip(mass).map(|(g, mass)| g * mass).sum();
            let centred: Vec<f64> = values.iter().map(|g| g - mean).collect();
            let projection = directions.as_ref().map(|directions| project(&centred, directions, mass));
            TrainingMoments::new(&centred, projection.as_ref().unwrap_or(&centred), mass)
        };
        let mass = self.atoms.mass();
        PerClass {
            positive: of(&self.directions.positive, &mass.positive),
            negative: of(&self.directions.negative, &mass.negative),
        }
    }
}

/// What each of these scores tells of the mean of g in its class: the projection of g on the tangent space, at the scores. The scores
/// go through the algebra as atoms without mass.
pub(crate) fn class_mean_estimates(
    separation: &Separation,
    scores: &PerClass<Vec<f64>>,
    g: impl Fn(f64) -> f64,
) -> PerClass<Vec<f64>> {
    let atoms = Atoms::new(separation, &[], PANELS);
    let of = |class: &ScoreDistribution, mass: &[f64], scores: &[f64]| {
        let points = || atoms.scores().iter().chain(scores);
        let mass: Vec<f64> = mass.iter().copied().chain(scores.iter().map(|_| 0.0)).collect();
        let values: Vec<f64> = points().map(|x| g(*x)).collect();
        let tangents: Option<Vec<[f64; 3]>> = points().map(|x| class.tangents(*x)).collect();
        let told = match tangents {
            None => values,
            Some(tangents) => {
                let mean: f64 = values.iter().zip(&mass).map(|(g, mass)| g * mass).sum();
                let centred: Vec<f64> = values.iter().map(|g| g - mean).collect();
                let all = (0..3).map(|k| tangents.iter().map(|tangent| tangent[k]).collect());
                project(&centred, &orthonormal(all, &mass), &mass)
            }
        };
        told[atoms.scores().len()..].to_vec()
    };
    let mass = atoms.mass();
    PerClass {
        positive: of(separation.positive(), &mass.positive, &scores.positive),
        negative: of(separation.negative(), &mass.negative, &scores.negative),
    }
}

/// What n labelled scores of a class leave uncertain of a mean of g: variance/n.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TrainingMoments {
    /// bᵀI⁻¹b.
    pub(crate) variance: f64,
    pub(crate) third: ThirdMoments,
}

impl TrainingMoments {
    /// From g − Eg and its projection h on the tangent space, at atoms of this mass.
    fn new(centred: &[f64], projection: &[f64], mass: &[f64]) -> Self {
        let mut learnt = Self::default();
        let third = &mut learnt.third;
        for ((g, h), mass) in centred.iter().zip(projection).zip(mass).filter(|(_, mass)| **mass > 0.0) {
            learnt.variance += h * h * mass;
            third.whole += g.powi(3) * mass;
            third.learnt += h.powi(3) * mass;
            third.of_test += g * g * h * mass;
            third.of_training += h * h * (2.0 * g - h) * mass;
        }
        learnt
    }
}

/// The projection on the span of orthonormal directions.
fn project(values: &[f64], directions: &[Vec<f64>], mass: &[f64]) -> Vec<f64> {
    let mut projection = vec![0.0; values.len()];
    for direction in directions {
        let shared = product(direction, values, mass);
        projection.iter_mut().zip(direction).for_each(|(h, t)| *h += shared * t);
    }
    projection
}

/// E(fg) of the class with this mass at the atoms.
fn product(f: &[f64], g: &[f64], mass: &[f64]) -> f64 {
    // Nothing, where there is no mass: beyond its support a density has no derivatives.
    f.iter().zip(g).zip(mass).map(|((f, g), mass)| if *mass > 0.0 { f * g * mass } else { 0.0 }).sum()
}

/// Gram–Schmidt, twice for the digits; the constants come first and are left out at the end.
fn orthonormal(functions: impl Iterator<Item = Vec<f64>>, mass: &[f64]) -> Vec<Vec<f64>> {
    let total: f64 = mass.iter().sum();
    let mut basis = vec![vec![total.sqrt().recip(); mass.len()]];
    for mut function in functions {
        let before = product(&function, &function, mass);
        for _ in 0..2 {
            for known in &basis {
                let shared = product(&function, known, mass);
                function.iter_mut().zip(known).for_each(|(f, k)| *f -= shared * k);
            }
        }
        let norm = product(&function, &function, mass);
        if norm > INDEPENDENT * INDEPENDENT * before {
            basis.push(function.iter().map(|f| f / norm.sqrt()).collect());
        }
    }
    basis.remove(0);
    basis
}
