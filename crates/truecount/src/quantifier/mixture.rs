//! Maximum likelihood of a mixture of two known densities: the prevalence α that maximises Σ ln(α f⁺(s) + (1−α) f⁻(s)).
//!
//! Only u = f⁺/(f⁺ + f⁻) matters: with S(α) = mean (2u − 1)/(αu + (1−α)(1−u)) the maximum is the zero of S, and a step of
//! expectation maximisation (Saerens, Latinne & Decaestecker 2002) is α ← α + α(1−α) S(α).
//!
//! * `sld` steps from the training prevalence until a step is below 1e-4, at least twelve and at most 1000 times, as `QuaPy`
//!   and Kloos et al. do: near the ends it stops short of the maximum, and then says so;
//! * `ml` finds the maximum, by Newton's method kept inside a bracket;
//! * `kdey-ml` (Moreo, González & del Coz 2024) finds it for kernel densities of the posterior probabilities.

use super::{Finding, Quantify, Tally, kernel};
use crate::distribution::{Distribution, Kernel};
use crate::inference::Warning;
use crate::training::{Column, Training};
use crate::{Error, PerClass};

/// When expectation maximisation stops.
const TOLERANCE: f64 = 1e-4;
const LEAST_STEPS: u32 = 12;
const MOST_STEPS: u32 = 1000;

/// Distance from the maximum above which a stopped `sld` says so.
const SHORT: f64 = 0.001;

/// Newton steps; a dozen do unless the likelihood is as good as flat.
const NEWTON_STEPS: u32 = 200;

/// `QuaPy`'s default bandwidth, 0.1 between the points (p, 1−p), whose distance is √2 |Δp|.
const KDEY_BANDWIDTH: f64 = 0.1 * std::f64::consts::FRAC_1_SQRT_2;

#[derive(Clone, Debug)]
pub(super) struct Mixture {
    densities: Densities,
    solver: Solver,
}

/// How u comes from a posterior probability.
#[derive(Clone, Debug)]
enum Densities {
    /// f⁺/f⁻ by Bayes' rule backwards, at this training prevalence.
    Posterior { prior: f64 },
    /// Kernel densities of the posterior probabilities.
    Kernels(PerClass<Kernel>),
}

#[derive(Clone, Copy, Debug)]
enum Solver {
    Steps { from: f64 },
    Maximum,
}

impl Mixture {
    /// `sld`.
    pub(super) fn steps(training: &Training) -> Result<Self, Error> {
        let prior = training.prior();
        Self::of(training, Densities::Posterior { prior }, Solver::Steps { from: prior })
    }

    /// `ml`.
    pub(super) fn maximum(training: &Training) -> Result<Self, Error> {
        Self::of(training, Densities::Posterior { prior: training.prior() }, Solver::Maximum)
    }

    /// `kdey-ml`.
    pub(super) fn kernels(training: &Training) -> Result<Self, Error> {
        let posteriors = training.column(Column::Posterior)?;
        let kernels = posteriors.try_map(|_, p| Kernel::with_bandwidth(p, KDEY_BANDWIDTH))?;
        Self::of(training, Densities::Kernels(kernels), Solver::Maximum)
    }

    fn of(training: &Training, densities: Densities, solver: Solver) -> Result<Self, Error> {
        // Posteriors that cannot be computed are to fail now, not at the first test score.
        training.column(Column::Posterior)?;
        Ok(Self { densities, solver })
    }

    fn balanced(&self, p: f64) -> f64 {
        match &self.densities {
            Densities::Posterior { prior } => {
                let (positive, negative) = (p * (1.0 - prior), (1.0 - p) * prior);
                positive / (positive + negative)
            }
            Densities::Kernels(PerClass { positive, negative }) => {
                let odds: f64 = (negative.ln_pdf(p) - positive.ln_pdf(p)).exp();
                (1.0 + odds).recip()
            }
        }
    }
}

/// mean ψ and mean ψ² at α.
fn score(balanced: &[f64], alpha: f64) -> (f64, f64) {
    let pass = kernel::mixture_score(balanced, alpha);
    let n = balanced.len() as f64;
    (pass.sum.value() / n, pass.sum_squares.value() / n)
}

/// The zero of S in [0, 1], or the end it points to; S falls, with S′ = −mean ψ².
fn maximum(balanced: &[f64]) -> (f64, bool) {
    if score(balanced, 0.0).0 <= 0.0 {
        return (0.0, true);
    }
    if score(balanced, 1.0).0 >= 0.0 {
        return (1.0, true);
    }
    let (mut low, mut high, mut alpha) = (0.0, 1.0, 0.5);
    for _ in 0..NEWTON_STEPS {
        let (slope, curvature) = score(balanced, alpha);
        if slope > 0.0 {
            low = alpha;
        } else {
            high = alpha;
        }
        let newton = alpha + slope / curvature;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - alpha).abs() <= 1e-14 {
            return (next, true);
        }
        alpha = next;
    }
    (alpha, false)
}

/// Expectation maximisation, and how many steps it took if it stopped by itself.
fn steps(balanced: &[f64], from: f64) -> (f64, Option<u32>) {
    let mut alpha = from;
    for step in 1..=MOST_STEPS {
        let change = alpha * (1.0 - alpha) * score(balanced, alpha).0;
        alpha += change;
        if step >= LEAST_STEPS && change.abs() < TOLERANCE {
            return (alpha, Some(step));
        }
    }
    (alpha, None)
}

impl Quantify for Mixture {
    fn column(&self) -> Column {
        Column::Posterior
    }

    fn tally(&self) -> Tally {
        Tally::Values(Vec::new())
    }

    fn push(&self, tally: &mut Tally, values: &[f64]) -> Result<(), Error> {
        let Tally::Values(all) = tally else { unreachable!("a tally of this quantifier") };
        all.extend(values.iter().map(|p| self.balanced(*p)));
        Ok(())
    }

    fn find(&self, tally: &Tally) -> Finding {
        let Tally::Values(balanced) = tally else { unreachable!("a tally of this quantifier") };
        let (best, found) = maximum(balanced);
        let (raw, warning) = match self.solver {
            Solver::Maximum => (best, (!found).then_some(Warning::NotConverged { steps: NEWTON_STEPS })),
            Solver::Steps { from } => match steps(balanced, from) {
                (alpha, None) => (alpha, Some(Warning::NotConverged { steps: MOST_STEPS })),
                (alpha, Some(steps)) if (alpha - best).abs() > SHORT => {
                    (alpha, Some(Warning::StoppedShort { steps, maximum: best }))
                }
                (alpha, Some(_)) => (alpha, None),
            },
        };
        Finding::without_variance(raw, warning.into_iter().collect())
    }

    fn learnt(&self) -> Vec<(&'static str, f64)> {
        match &self.densities {
            Densities::Posterior { prior } => vec![("training_prevalence", *prior)],
            Densities::Kernels(_) => vec![("bandwidth", KDEY_BANDWIDTH)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discrete_mixture_is_solved_by_hand() {
        // u is ¾ for 7 scores and ¼ for 3: the share of ¾ is ¼ + α/2, so α = 0.9.
        let balanced = [[0.75; 7].as_slice(), &[0.25; 3]].concat();
        let (alpha, found) = maximum(&balanced);
        assert!(found && (alpha - 0.9).abs() < 1e-14, "{alpha}");
        // 9 of 10 would need α = 1.3, 1 of 10 α = −0.3: the ends.
        assert_eq!(maximum(&[[0.75; 9].as_slice(), &[0.25]].concat()), (1.0, true));
        assert_eq!(maximum(&[[0.25; 9].as_slice(), &[0.75]].concat()), (0.0, true));
        // Perfectly separated scores.
        assert!((maximum(&[0.0, 0.0, 1.0, 1.0]).0 - 0.5).abs() < 1e-14);
        assert_eq!(maximum(&[1.0, 1.0]).0, 1.0);
    }

    #[test]
    fn a_step_is_the_mean_of_the_posteriors() {
        let balanced = [0.9, 0.2, 0.6, 0.55, 0.01];
        let alpha = 0.3;
        let posterior = |u: f64| alpha * u / (alpha * u + (1.0 - alpha) * (1.0 - u));
        let mean = balanced.map(posterior).iter().sum::<f64>() / 5.0;
        let step = alpha + alpha * (1.0 - alpha) * score(&balanced, alpha).0;
        assert!((mean - step).abs() < 1e-15);
    }
}
