//! Discrete approximations of the score distributions, for expectations of any function of the
//! score.

use super::{ClassMoments, Separation};
use crate::PerClass;
use crate::distribution::{Distribution, ScoreDistribution};
use crate::numeric::legendre::RULE;

/// Quadrature nodes with the probability mass of each class at every node.
#[derive(Debug)]
pub(crate) struct Atoms {
    scores: Vec<f64>,
    mass: PerClass<Vec<f64>>,
}

impl Atoms {
    /// Places Gauss–Legendre nodes in this many panels between neighbouring landmarks and breaks.
    ///
    /// The mass beyond the outer landmarks is placed at these landmarks. For a beta distribution it
    /// may be large, since the outer landmark may be the double nearest to 1.
    pub(crate) fn new(separation: &Separation, breaks: &[f64], panels: u32) -> Self {
        let classes = PerClass { positive: separation.positive(), negative: separation.negative() };
        let mut ends = [separation.landmarks(), breaks].concat();
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        let (first, last) = (ends[0], ends[ends.len() - 1]);
        let mut scores = vec![first, last];
        let mut weights = vec![];
        for pair in ends.windows(2) {
            let half = 0.5 * (pair[1] - pair[0]) / f64::from(panels);
            for panel in 0..panels {
                let middle = pair[0] + (2.0 * f64::from(panel) + 1.0) * half;
                scores.extend(RULE.node.iter().map(|t| middle + half * t));
                weights.extend(RULE.weight.iter().map(|weight| weight * half));
            }
        }
        let mass = classes.map(|class: &&ScoreDistribution| {
            let inner = scores[2..].iter().zip(&weights).map(|(x, weight)| weight * class.ln_pdf(*x).exp());
            [class.tails(first).0, class.tails(last).1].into_iter().chain(inner).collect()
        });
        Self { scores, mass }
    }

    /// Returns the scores at which the atoms lie.
    pub(crate) fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns the mass of each class at every atom.
    pub(crate) fn mass(&self) -> &PerClass<Vec<f64>> {
        &self.mass
    }

    /// Returns mean and variance in each class of a function with these values at the atoms.
    pub(crate) fn moments(&self, values: &[f64]) -> PerClass<ClassMoments> {
        self.mass.map(|mass| {
            let mean: f64 = values.iter().zip(mass).map(|(g, mass)| g * mass).sum();
            ClassMoments { mean, variance: values.iter().zip(mass).map(|(g, mass)| (g - mean).powi(2) * mass).sum() }
        })
    }
}
