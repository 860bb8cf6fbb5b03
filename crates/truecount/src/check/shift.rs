//! Is prior probability shift plausible? Under it the test scores are a mixture of the two labelled classes, and Adjusted
//! Count is the same at every threshold but for sampling.
//!
//! ```text
//! D(θ) = CC(θ) − α̃ F̂⁺(θ) − (1−α̃) F̂⁻(θ) = Ĵ(θ) (AC(θ) − α̃)
//! T = Σ_k W_k D(θ_k)²,    α̃ = Σ W (CC − F̂⁻) Ĵ / Σ W Ĵ², which minimises T
//! ```
//!
//! with empirical rates, so that a badly chosen family cannot raise a false alarm, and the edges and weights of
//! [`Grid`](super::grid::Grid): Anderson and Darling's statistic for three samples and one fitted parameter.
//!
//! **Law.** For large samples D is normal with mean 0 and covariance P K Pᵀ: K = a C₊ + b C₋ with a = α/n + α²/n₊ and
//! b = (1−α)/n + (1−α)²/n₋, where C±(θ, η) = F±(max) − F±(θ)F±(η), and P = I − Ĵ ĴᵀW/(ĴᵀWĴ), which is what estimating α̃ does. (Of the
//! class counts of the test scores, drawn or fixed, nothing remains: their part of D is along J, and P J = 0.) So T is Σ λ_j χ²₁ with λ
//! the eigenvalues of a S₊ + b S₋, S± = W^½ P C± Pᵀ W^½, whose cumulant sums are polynomials in a and b with coefficients that
//! depend on the labelled scores alone.

use super::grid::{Grid, at_or_above};
use crate::numeric::weighted_chi_squares::WeightedChiSquares;
use crate::quantifier::Tally;
use crate::{Class, Error, LabelledScores, PerClass};

/// Labelled scores of a class below which its sampling errors cannot be told.
const LEAST: usize = 10;

/// T of a perfect fit but for rounding.
const ROUNDING: f64 = 1e-24;

/// Power iterations: the largest weights are about 2 to 1, so that λ₁ is then good to 1e-6.
const ITERATIONS: usize = 10;

/// Standard errors that the labelled rates must differ by for Adjusted Count to be shown there.
const TOLD_APART: f64 = 3.0;

/// The check as the labelled scores determine it: fit once, tally any number of test sets.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, check::ShiftCheck};
/// # fn main() -> Result<(), truecount::Error> {
/// // Positives on (0.25, 1), negatives on (0, 0.75), evenly spread.
/// let spread = |from: f64| (0..200).map(move |k| from + 0.75 * (f64::from(k) + 0.5) / 200.0);
/// let scores: Vec<f64> = spread(0.25).chain(spread(0.0)).collect();
/// let labels: Vec<bool> = (0..400).map(|i| i < 200).collect();
/// let check = ShiftCheck::new(&LabelledScores::new(&scores, &labels)?)?;
///
/// let mut tally = check.tally();
/// check.push(&mut tally, &scores[100..300])?;
/// assert!(check.test(&tally)?.p_value < 0.001); // the upper half of the one, the lower of the other: no mixture
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct ShiftCheck {
    grid: Grid,
    sizes: PerClass<f64>,
    /// Ĵ.
    distance: Vec<f64>,
    /// √W Ĵ, of length 1.
    direction: Vec<f64>,
    /// The length it had.
    length: f64,
    /// S±, row by row.
    spread: PerClass<Vec<f64>>,
    traces: Traces,
}

/// What the check says of one set of test scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// Number of test scores.
    pub n: u64,
    /// T over its expectation under prior probability shift: about 1 if all is well.
    pub statistic: f64,
    /// The probability of a T at least as large under prior probability shift, from the law for large samples.
    pub p_value: f64,
    /// α̃, the prevalence of the nearest mixture; it may lie outside [0, 1].
    pub prevalence: f64,
    /// Where the test scores differ most from that mixture.
    pub worst: Excess,
}

/// Test scores too many, or too few, between two scores, beside the nearest mixture of the labelled classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// From this score on; −∞ for all below `to`.
    pub from: f64,
    /// To below this score; ∞ for all from `from` on.
    pub to: f64,
    /// How many too many, as a share of the test scores; negative for too few.
    pub share: f64,
    /// Its standard error.
    pub se: f64,
}

/// Adjusted Count at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdjustedCountAt {
    /// θ.
    pub theta: f64,
    /// AC(θ) = (CC − F̂⁻)/Ĵ, not clipped.
    pub prevalence: f64,
    /// Its standard error at the prevalence α̃: √{ [(αv₊ + (1−α)v₋)/n + α²v₊/n₊ + (1−α)²v₋/n₋] }/Ĵ, v = F̂(1−F̂).
    pub se: f64,
}

impl ShiftCheck {
    /// # Errors
    /// [`Error::TooFewToCheck`] below ten labelled scores in a class; [`Error::TooFewDifferent`] below three different
    /// scores; [`Error::NoSeparation`] when the labelled classes are the same.
    pub fn new(labelled: &LabelledScores) -> Result<Self, Error> {
        let sizes = labelled.scores().try_map(|class, scores| match scores.len() {
            n if n < LEAST => Err(Error::TooFewToCheck { class, n, needed: LEAST }),
            n => Ok(n as f64),
        })?;
        let grid = Grid::new(labelled.scores())?;
        let rates = &grid.rates;
        let distance: Vec<f64> = rates.positive.iter().zip(&rates.negative).map(|(p, n)| p - n).collect();
        let mut direction: Vec<f64> = distance.iter().zip(&grid.weights).map(|(j, w)| j * w.sqrt()).collect();
        let length = dot(&direction, &direction).sqrt();
        if length == 0.0 {
            return Err(Error::NoSeparation { max_j: 0.0 });
        }
        for u in &mut direction {
            *u /= length;
        }
        let of = |class| projected(&covariance(&grid, sizes, class), &grid.weights, &direction);
        let spread = PerClass { positive: of(Class::Positive), negative: of(Class::Negative) };
        let traces = Traces::new(&spread, grid.len());
        Ok(Self { grid, sizes, distance, direction, length, spread, traces })
    }

    /// An empty tally, of constant size.
    pub fn tally(&self) -> Tally {
        Tally::Counts { n: 0, counts: vec![0; self.grid.len() + 1] }
    }

    /// Adds test scores to a tally.
    ///
    /// # Errors
    /// [`Error::NotFinite`]; the tally is then as it was.
    ///
    /// # Panics
    /// When [`tally`](Self::tally) did not make it.
    pub fn push(&self, tally: &mut Tally, scores: &[f64]) -> Result<(), Error> {
        let Tally::Counts { n, counts } = tally else { panic!("a tally of this check") };
        Error::unless_finite(scores)?;
        self.grid.edges.each_at_or_below(scores, |cell| counts[cell] += 1);
        *n += scores.len() as u64;
        Ok(())
    }

    /// The test of prior probability shift.
    ///
    /// # Errors
    /// [`Error::NoTestScores`] when nothing was pushed.
    ///
    /// # Panics
    /// When [`tally`](Self::tally) did not make it.
    pub fn test(&self, tally: &Tally) -> Result<Shift, Error> {
        let fit = self.fit(tally)?;
        let form = self.form(&fit);
        let cumulants = self.traces.cumulants(fit.factors);
        let (statistic, p_value) = if fit.total <= ROUNDING {
            (0.0, 1.0)
        } else {
            let law = WeightedChiSquares { cumulants, largest: self.largest(&form) };
            (fit.total / cumulants[0], law.upper_tail(fit.total))
        };
        Ok(Shift { n: fit.n, statistic, p_value, prevalence: fit.prevalence, worst: self.worst(&fit, &form) })
    }

    /// Adjusted Count at every edge where the labelled rates differ by at least three standard errors: flat, but for sampling,
    /// under prior probability shift.
    ///
    /// # Errors
    /// [`Error::NoTestScores`] when nothing was pushed.
    ///
    /// # Panics
    /// When [`tally`](Self::tally) did not make it.
    pub fn curve(&self, tally: &Tally) -> Result<Vec<AdjustedCountAt>, Error> {
        let Fit { prevalence, factors, deviations, .. } = self.fit(tally)?;
        let rates = &self.grid.rates;
        let points = self.grid.edges.iter().enumerate().filter_map(|(k, theta)| {
            let variance = |rate: f64, n: f64| rate * (1.0 - rate) * n / (n - 1.0);
            let positive = variance(rates.positive[k], self.sizes.positive);
            let negative = variance(rates.negative[k], self.sizes.negative);
            let (j, noise) = (self.distance[k], positive / self.sizes.positive + negative / self.sizes.negative);
            (j > 0.0 && j >= TOLD_APART * noise.sqrt()).then(|| AdjustedCountAt {
                theta,
                prevalence: prevalence + deviations[k] / j,
                se: (factors.positive * positive + factors.negative * negative).sqrt() / j,
            })
        });
        Ok(points.collect())
    }

    fn fit(&self, tally: &Tally) -> Result<Fit, Error> {
        let Tally::Counts { n, counts } = tally else { panic!("a tally of this check") };
        if *n == 0 {
            return Err(Error::NoTestScores);
        }
        let above_negatives: Vec<f64> =
            at_or_above(counts).iter().zip(&self.grid.rates.negative).map(|(count, rate)| count - rate).collect();
        let weighted: Vec<f64> = above_negatives.iter().zip(&self.grid.weights).map(|(y, w)| y * w.sqrt()).collect();
        let prevalence = dot(&weighted, &self.direction) / self.length;
        let deviations: Vec<f64> =
            above_negatives.iter().zip(&self.distance).map(|(y, j)| y - prevalence * j).collect();
        let total = deviations.iter().zip(&self.grid.weights).map(|(d, w)| w * d * d).sum();
        // No mixture has more or less than all; the law is that of the nearest one there is.
        let alpha = prevalence.clamp(0.0, 1.0);
        let factor = |share: f64, labelled: f64| share / *n as f64 + share * share / labelled;
        let factors = PerClass {
            positive: factor(alpha, self.sizes.positive),
            negative: factor(1.0 - alpha, self.sizes.negative),
        };
        Ok(Fit { n: *n, prevalence, deviations, total, factors })
    }

    /// a S₊ + b S₋.
    fn form(&self, fit: &Fit) -> Vec<f64> {
        let PerClass { positive: a, negative: b } = fit.factors;
        self.spread.positive.iter().zip(&self.spread.negative).map(|(p, n)| a * p + b * n).collect()
    }

    /// λ₁ by power iteration.
    fn largest(&self, form: &[f64]) -> f64 {
        let mut vector = vec![1.0; self.grid.len()];
        let mut largest = 0.0;
        // The constant vector may be orthogonal to the first eigenvector; a slope as well it is not.
        vector.iter_mut().zip(0..).for_each(|(v, k)| *v += f64::from(k) / self.grid.len() as f64);
        for _ in 0..ITERATIONS {
            let next: Vec<f64> = form.chunks(self.grid.len()).map(|row| dot(row, &vector)).collect();
            largest = dot(&next, &vector) / dot(&vector, &vector);
            vector = next;
        }
        largest
    }

    /// Of all pairs of edges, outer ends included, the one with the most standard errors of excess between them. A standard
    /// error is taken as one test score at least.
    fn worst(&self, fit: &Fit, form: &[f64]) -> Excess {
        let m = self.grid.len();
        let ends: Vec<f64> =
            [f64::NEG_INFINITY].into_iter().chain(self.grid.edges.iter()).chain([f64::INFINITY]).collect();
        // D is 0 at both outer ends, without error.
        let deviation = |k: usize| if k == 0 || k > m { 0.0 } else { fit.deviations[k - 1] };
        let covariance = |k: usize, l: usize| {
            let inside = k > 0 && l > 0 && k <= m && l <= m;
            let scale = || (self.grid.weights[k - 1] * self.grid.weights[l - 1]).sqrt();
            if inside { form[(k - 1) * m + l - 1] / scale() } else { 0.0 }
        };
        let least = (fit.n as f64).recip();
        let mut worst = Excess { from: ends[0], to: ends[m + 1], share: 0.0, se: least };
        for l in 1..=m + 1 {
            for k in 0..l {
                let share = deviation(k) - deviation(l);
                let variance = covariance(k, k) + covariance(l, l) - 2.0 * covariance(k, l);
                let se = variance.max(0.0).sqrt().max(least);
                if (share / se).abs() > (worst.share / worst.se).abs() {
                    worst = Excess { from: ends[k], to: ends[l], share, se };
                }
            }
        }
        worst
    }
}

/// The nearest mixture to a tally.
struct Fit {
    n: u64,
    prevalence: f64,
    /// D.
    deviations: Vec<f64>,
    /// T.
    total: f64,
    /// a and b.
    factors: PerClass<f64>,
}

/// Traces of the products of S₊ and S₋, by how many factors are S₋.
#[derive(Clone, Copy, Debug)]
struct Traces {
    one: [f64; 2],
    two: [f64; 3],
    three: [f64; 4],
}

impl Traces {
    fn new(spread: &PerClass<Vec<f64>>, m: usize) -> Self {
        let PerClass { positive, negative } = spread;
        let trace = |s: &[f64]| s.iter().step_by(m + 1).sum();
        let square = |s: &[f64]| -> Vec<f64> {
            let rows = || s.chunks(m);
            // Symmetric: columns are rows.
            rows().flat_map(|row| rows().map(move |column| dot(row, column))).collect()
        };
        let (positives, negatives) = (square(positive), square(negative));
        Self {
            one: [trace(positive), trace(negative)],
            two: [dot(positive, positive), dot(positive, negative), dot(negative, negative)],
            three: [
                dot(&positives, positive),
                dot(&positives, negative),
                dot(&negatives, positive),
                dot(&negatives, negative),
            ],
        }
    }

    /// tr A, tr A², tr A³ of A = a S₊ + b S₋; under a trace, factors go round.
    fn cumulants(&self, factors: PerClass<f64>) -> [f64; 3] {
        let PerClass { positive: a, negative: b } = factors;
        [
            a * self.one[0] + b * self.one[1],
            a * a * self.two[0] + 2.0 * a * b * self.two[1] + b * b * self.two[2],
            a.powi(3) * self.three[0]
                + 3.0 * a * b * (a * self.three[1] + b * self.three[2])
                + b.powi(3) * self.three[3],
        ]
    }
}

/// C, row by row, estimated without bias: n/(n−1) times that of the empirical rates.
fn covariance(grid: &Grid, sizes: PerClass<f64>, class: Class) -> Vec<f64> {
    let (rates, n) = match class {
        Class::Positive => (&grid.rates.positive, sizes.positive),
        Class::Negative => (&grid.rates.negative, sizes.negative),
    };
    let m = grid.len();
    let each = (0..m * m).map(|at| {
        let (k, l) = (at / m, at % m);
        n / (n - 1.0) * (rates[k.max(l)] - rates[k] * rates[l])
    });
    each.collect()
}

/// (I − uuᵀ) W^½ C W^½ (I − uuᵀ).
fn projected(covariance: &[f64], weights: &[f64], u: &[f64]) -> Vec<f64> {
    let m = weights.len();
    let each = covariance.iter().enumerate().map(|(at, c)| c * (weights[at / m] * weights[at % m]).sqrt());
    let weighted: Vec<f64> = each.collect();
    let along: Vec<f64> = weighted.chunks(m).map(|row| dot(row, u)).collect();
    let both = dot(&along, u);
    let each = weighted.iter().enumerate().map(|(at, g)| {
        let (k, l) = (at / m, at % m);
        g - u[k] * along[l] - along[k] * u[l] + both * u[k] * u[l]
    });
    each.collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
