//! The balanced probability u(x) = f⁺/(f⁺ + f⁻) as a piecewise polynomial.
//!
//! u is the probability that a score belongs to a positive if both classes are equally common.
//! Evaluating a polynomial takes a few nanoseconds per score, whatever the family.
//!
//! Between two landmarks, u is interpolated at Chebyshev points and checked between these points. A
//! piece that misses the tolerance is halved. u is computed from its definition beyond the
//! landmarks, and in the rare piece where halving does not help, at an end of a density.

use super::Separation;
use crate::numeric::cell_index::CellIndex;
use crate::numeric::polynomial;

/// The number of coefficients of a piece.
const TERMS: usize = 10;

/// The largest difference between a piece and u at the check points.
const TOLERANCE: f64 = 1e-13;

/// The largest number of times that the range between two landmarks is halved.
const MAX_HALVINGS: u32 = 12;

/// The points in (−1, 1) at which a piece is checked in addition to its ends; they lie between the
/// Chebyshev points.
const CHECK_POINTS: [f64; 5] = [-0.95, -0.6, 0.05, 0.35, 0.8];

/// The balanced probability of two score distributions.
#[derive(Clone, Debug)]
pub(crate) struct Balanced {
    separation: Separation,
    /// The left ends of the pieces, followed by the right end of the last piece.
    edges: CellIndex,
    pieces: Vec<BalancedPiece>,
}

/// u on a piece; `None` if u has to be computed from its definition.
type BalancedPiece = Option<Polynomial>;

#[derive(Clone, Copy, Debug)]
struct Polynomial {
    middle: f64,
    scale: f64,
    powers: [f64; TERMS],
}

impl Polynomial {
    fn value(&self, x: f64) -> f64 {
        polynomial::horner(&self.powers, (x - self.middle) * self.scale)
    }
}

impl Balanced {
    pub(crate) fn new(separation: &Separation) -> Self {
        let (mut starts, mut pieces) = (Vec::new(), Vec::new());
        let landmarks = separation.landmarks();
        for pair in landmarks.windows(2) {
            interpolate(separation, [pair[0], pair[1]], MAX_HALVINGS, &mut starts, &mut pieces);
        }
        starts.extend(landmarks.last());
        Self { separation: separation.clone(), edges: CellIndex::new(starts), pieces }
    }

    /// Returns the probability of a positive at score x, given the prior probability.
    pub(crate) fn posterior(&self, prior: f64, x: f64) -> f64 {
        at_prior(prior, self.value(x))
    }

    /// Returns u at x, with an error of about 1e-13.
    fn value(&self, x: f64) -> f64 {
        match self.edges.at_or_below(x).checked_sub(1).and_then(|piece| self.pieces.get(piece)) {
            Some(Some(polynomial)) => polynomial.value(x).clamp(0.0, 1.0),
            _ => self.separation.balanced(x),
        }
    }
}

/// Returns the posterior by Bayes' rule, πu/(πu + (1−π)(1−u)).
pub(crate) fn at_prior(prior: f64, u: f64) -> f64 {
    let (positive, negative) = (prior * u, (1.0 - prior) * (1.0 - u));
    positive / (positive + negative)
}

/// Adds the pieces between `left` and `right`, in ascending order.
fn interpolate(
    separation: &Separation,
    [left, right]: [f64; 2],
    halvings: u32,
    starts: &mut Vec<f64>,
    pieces: &mut Vec<BalancedPiece>,
) {
    let (middle, half) = (0.5 * (left + right), 0.5 * (right - left));
    let exact = |t: f64| separation.balanced(middle + half * t);
    let series = polynomial::interpolate(TERMS, exact);
    let mut powers = [0.0; TERMS];
    powers.copy_from_slice(&polynomial::to_powers(&series));
    let polynomial = Polynomial { middle, scale: half.recip(), powers };
    let is_close = |x: f64| (polynomial.value(x) - separation.balanced(x)).abs() <= TOLERANCE;
    // The ends are checked too, because a density may jump there.
    let is_accurate = is_close(left) && is_close(right) && CHECK_POINTS.iter().all(|t| is_close(middle + half * t));
    if is_accurate || halvings == 0 || middle <= left || middle >= right {
        starts.push(left);
        pieces.push(is_accurate.then_some(polynomial));
        return;
    }
    interpolate(separation, [left, middle], halvings - 1, starts, pieces);
    interpolate(separation, [middle, right], halvings - 1, starts, pieces);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Beta, Kernel, Logistic, Normal, ScoreDistribution, SkewNormal, StudentT};

    #[test]
    fn pieces_agree_with_the_definition_everywhere() {
        let normal = |mean, sd| ScoreDistribution::from(Normal::new(mean, sd).unwrap());
        let skew = |location, shape| ScoreDistribution::from(SkewNormal::new(location, 1.5, shape).unwrap());
        let t = |location, df| ScoreDistribution::from(StudentT::new(location, 1.0, df).unwrap());
        let beta = |a, b| ScoreDistribution::from(Beta::new(a, b).unwrap());
        let scores = |shift: f64| {
            (0..300).map(|k| shift + (f64::from(k) * 0.7).sin() + 0.004 * f64::from(k)).collect::<Vec<_>>()
        };
        let kernel = |shift, h| ScoreDistribution::from(Kernel::with_bandwidth(&scores(shift), h).unwrap());
        let pairs = [
            (normal(1.0, 1.0), normal(0.0, 1.0)),
            (normal(1e3, 1e-3), normal(0.0, 1.0)),
            (normal(1.0, 1.001), normal(0.0, 1.0)),
            (skew(0.5, 6.0), skew(0.5, -6.0)),
            (skew(0.0, f64::INFINITY), normal(0.0, 1.0)),
            (skew(0.96875, f64::NEG_INFINITY), normal(-1.0, 0.7)),
            (skew(0.7, f64::NEG_INFINITY), normal(-1.0, 0.6)),
            (Logistic::new(1.0, 1.0).unwrap().into(), normal(0.0, 1.0)),
            (t(2.0, 1.0), t(0.0, 5.0)),
            (beta(4.0, 2.0), beta(0.5, 4.0)),
            (kernel(0.6, 0.15), kernel(0.0, 0.1)),
            (kernel(0.6, 0.15), normal(0.0, 1.0)),
        ];
        for (positive, negative) in pairs {
            let families = format!("{:?} {:?}", positive.family(), negative.family());
            let separation = Separation::new(positive, negative).unwrap();
            let balanced = Balanced::new(&separation);
            let (first, last) = (separation.landmarks()[0], separation.landmarks()[separation.landmarks().len() - 1]);
            let near = separation
                .landmarks()
                .windows(2)
                .flat_map(|w| (0..200).map(|k| w[0] + (w[1] - w[0]) * f64::from(k) / 200.0).collect::<Vec<_>>());
            let far = [first - 1.0, 2.0 * first - last, last + 1.0, 2.0 * last - first];
            let worst = near.chain(far).map(|x| (balanced.value(x) - separation.balanced(x)).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-12, "{families}: {worst:e} with {} pieces", balanced.pieces.len());
            assert!(balanced.pieces.len() < 20_000, "{families}: {} pieces", balanced.pieces.len());
        }
    }
}
