//! u(x) = f⁺/(f⁺ + f⁻), the probability of a positive if both classes are equally common, as piecewise polynomials: a
//! few nanoseconds per score, whatever the family.
//!
//! Between two landmarks, u is interpolated at Chebyshev points and checked between them; if it misses the tolerance,
//! the piece is halved. Beyond the landmarks, and in the rare piece where halving does not help (at an end of a
//! density), it is computed from its definition.

use super::Separation;
use crate::numeric::cell_index::CellIndex;
use crate::numeric::polynomial;

/// Coefficients of a piece.
const TERMS: usize = 10;

/// Difference allowed between a piece and u at points between the Chebyshev points.
const TOLERANCE: f64 = 1e-13;

/// The most times the range between two landmarks is halved.
const HALVINGS: u32 = 12;

/// Where a piece is checked, in (−1, 1), besides the ends: between the Chebyshev points.
const CHECKED: [f64; 5] = [-0.95, -0.6, 0.05, 0.35, 0.8];

#[derive(Clone, Debug)]
pub(crate) struct Balanced {
    separation: Separation,
    /// Where the pieces begin, and where the last one ends.
    edges: CellIndex,
    pieces: Vec<BalancedPiece>,
}

/// u on a piece; `None` if it has to be computed from its definition.
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
            interpolate(separation, [pair[0], pair[1]], HALVINGS, &mut starts, &mut pieces);
        }
        starts.extend(landmarks.last());
        Self { separation: separation.clone(), edges: CellIndex::new(starts), pieces }
    }

    /// The probability of a positive at score x if their share is the prior.
    pub(crate) fn posterior(&self, prior: f64, x: f64) -> f64 {
        at_prior(prior, self.value(x))
    }

    /// u at x, to about 1e-13.
    fn value(&self, x: f64) -> f64 {
        match self.edges.at_or_below(x).checked_sub(1).and_then(|piece| self.pieces.get(piece)) {
            Some(Some(polynomial)) => polynomial.value(x).clamp(0.0, 1.0),
            _ => self.separation.balanced(x),
        }
    }
}

/// Bayes' rule: πu/(πu + (1−π)(1−u)).
pub(crate) fn at_prior(prior: f64, u: f64) -> f64 {
    let (positive, negative) = (prior * u, (1.0 - prior) * (1.0 - u));
    positive / (positive + negative)
}

/// Adds the pieces from left to right.
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
    let close = |x: f64| (polynomial.value(x) - separation.balanced(x)).abs() <= TOLERANCE;
    // The very ends: a density may jump there, and be that of the other side one rounding away.
    let done = close(left) && close(right) && CHECKED.iter().all(|t| close(middle + half * t));
    if done || halvings == 0 || middle <= left || middle >= right {
        starts.push(left);
        pieces.push(done.then_some(polynomial));
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
    fn is_the_ratio_everywhere() {
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
            let what = format!("{:?} {:?}", positive.family(), negative.family());
            let separation = Separation::new(positive, negative).unwrap();
            let balanced = Balanced::new(&separation);
            let (first, last) = (separation.landmarks()[0], separation.landmarks()[separation.landmarks().len() - 1]);
            let near = separation
                .landmarks()
                .windows(2)
                .flat_map(|w| (0..200).map(|k| w[0] + (w[1] - w[0]) * f64::from(k) / 200.0).collect::<Vec<_>>());
            let far = [first - 1.0, 2.0 * first - last, last + 1.0, 2.0 * last - first];
            let worst = near.chain(far).map(|x| (balanced.value(x) - separation.balanced(x)).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-12, "{what}: {worst:e} with {} pieces", balanced.pieces.len());
            assert!(balanced.pieces.len() < 20_000, "{what}: {} pieces", balanced.pieces.len());
        }
    }
}
