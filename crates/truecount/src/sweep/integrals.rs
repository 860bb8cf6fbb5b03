//! The integrals over R that Continuous Sweep needs, all from one set of quadrature nodes.
//!
//! With G(s) = ∫_{R ∩ (−∞, s]} du/J(u), so that g = G/|R|:
//!
//! * The moments of the negatives are E₋G = ∫ F⁻/J and Var₋G = ∫ 2 G F⁻/J − (E₋G)², over R. The
//!   moments of the positives use H = G(∞) − G and the lower tails: E₊H = ∫ (1−F⁺)/J. These are the
//!   tails that are small on R, so there is no cancellation if the classes are far apart.
//! * The covariance of G with the indicator of S ≥ e is ∫ Cov(1{S≥x}, 1{S≥e})/J(x) dx, where
//!   Cov(1{S≥x}, 1{S≥y}) = F(max) − F(x)F(y) (Kloos et al., Theorem 2, for survival functions).
//!
//! R is split at the landmarks of the classes. Beyond an end of R, 1/J has a pole where J crosses
//! zero, so R is split ever more finely towards its ends. The integrand is then smooth in every
//! panel.

use super::separation::j_of_tails;
use super::{MinSeparation, Region, Separation};
use crate::PerClass;
use crate::distribution::Distribution;
use crate::numeric::legendre::{NODES, RULE};

/// The mean and variance of the influence function within one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassMoments {
    /// The mean E(g(S) | class).
    pub mean: f64,
    /// The variance Var(g(S) | class).
    pub variance: f64,
}

impl PerClass<ClassMoments> {
    /// Returns the variance of the contribution of a single score, α Var₊(g) + (1−α) Var₋(g).
    pub fn variance(&self, alpha: f64) -> f64 {
        alpha * self.positive.variance + (1.0 - alpha) * self.negative.variance
    }
}

/// A quadrature node θ in R.
#[derive(Clone, Copy)]
struct Node {
    theta: f64,
    /// The quadrature weight divided by J(θ): Σ density · f is ∫_R f/J.
    density: f64,
    /// The value G(θ).
    influence: f64,
    /// The (lower, upper) tails of the positives at θ.
    positive: (f64, f64),
    /// The (lower, upper) tails of the negatives at θ.
    negative: (f64, f64),
}

/// The quadrature nodes of a region.
pub(crate) struct Integrals {
    nodes: Vec<Node>,
    width: f64,
    /// The total G(∞).
    total: f64,
}

impl Integrals {
    /// Places the nodes and evaluates the distributions at each of them.
    pub(crate) fn new(separation: &Separation, region: &Region) -> Self {
        let mut nodes = Vec::with_capacity(8 * NODES);
        let mut total = 0.0;
        for &[left, right] in region.intervals() {
            let mut from = left;
            for to in breaks_between(separation, region.threshold(), [left, right]) {
                let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
                let panel: [_; NODES] = RULE.node.map(|t| {
                    let theta = middle + half * t;
                    (theta, separation.positive().tails(theta), separation.negative().tails(theta))
                });
                let slope = panel.map(|(_, positive, negative)| half / j_of_tails(positive, negative));
                let running = RULE.running_integrals(&slope);
                for (i, (theta, positive, negative)) in panel.into_iter().enumerate() {
                    let density = slope[i] * RULE.weight[i];
                    nodes.push(Node { theta, density, influence: total + running[i], positive, negative });
                }
                total += slope.iter().zip(RULE.weight).map(|(y, w)| y * w).sum::<f64>();
                from = to;
            }
        }
        Self { nodes, width: region.width(), total }
    }

    fn unscaled_moments(&self) -> PerClass<ClassMoments> {
        // Moments of H in the positives and of G in the negatives.
        let (mut pos, mut pos_square, mut neg, mut neg_square) = (0.0, 0.0, 0.0, 0.0);
        for node in &self.nodes {
            let (below, above) = (node.density * node.positive.0, node.density * node.negative.1);
            pos += below;
            pos_square += 2.0 * below * (self.total - node.influence);
            neg += above;
            neg_square += 2.0 * above * node.influence;
        }
        PerClass {
            positive: ClassMoments { mean: self.total - pos, variance: (pos_square - pos * pos).max(0.0) },
            negative: ClassMoments { mean: neg, variance: (neg_square - neg * neg).max(0.0) },
        }
    }

    /// Returns the class moments of g.
    ///
    /// The mean of the negatives is the sweep's constant c = (1/|R|) ∫_R F⁻/J.
    pub(crate) fn moments(&self) -> PerClass<ClassMoments> {
        let unscaled = self.unscaled_moments();
        let scale = |m: ClassMoments| ClassMoments {
            mean: m.mean / self.width,
            variance: m.variance / (self.width * self.width),
        };
        let negative = scale(unscaled.negative);
        // E₊g − E₋g = (1/|R|) ∫_R J/J is exactly 1.
        let positive = ClassMoments { mean: negative.mean + 1.0, ..scale(unscaled.positive) };
        PerClass { positive, negative }
    }

    /// Returns the covariance of G with the indicator of S ≥ `end`, in a mixture with prevalence
    /// alpha.
    ///
    /// `positive` and `negative` are the tails of the classes at `end`.
    fn covariance(&self, alpha: f64, end: f64, positive: (f64, f64), negative: (f64, f64)) -> f64 {
        let mut covariance = 0.0;
        for node in &self.nodes {
            let (pos, neg) = if node.theta < end {
                (node.positive.0 * positive.1, node.negative.0 * negative.1)
            } else {
                (positive.0 * node.positive.1, negative.0 * node.negative.1)
            };
            covariance += node.density * (alpha * pos + (1.0 - alpha) * neg);
        }
        covariance
    }

    /// Returns −dV/dp divided by a positive factor, so that it has no unit, and the variance of the
    /// contribution of a single score.
    ///
    /// The first is positive if the variance rises as R grows. Moving an end e of R outwards adds
    /// AC(e) to the average. With A = |R|² n V, and J(e) = p at every end,
    /// dV/dp ∝ −Σ_e (|R| Cov(G, AC(e)) − A) / |J′(e)|.
    pub(super) fn variance_gradient(&self, separation: &Separation, region: &Region, alpha: f64) -> (f64, f64) {
        let p = region.threshold().value();
        let variance = self.unscaled_moments().variance(alpha);
        let (mut gradient, mut weights) = (0.0, 0.0);
        for &end in region.intervals().as_flattened() {
            let weight = separation.slope(end).abs().recip();
            let (positive, negative) = (separation.positive().tails(end), separation.negative().tails(end));
            let covariance = self.covariance(alpha, end, positive, negative);
            gradient += weight * (self.width * covariance / (p * variance) - 1.0);
            weights += weight;
        }
        (gradient / weights, variance / (self.width * self.width))
    }

    /// Returns the pairs (θ, g(θ)) at the nodes, as exact values for checking an approximation.
    pub(super) fn influence_at_nodes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.nodes.iter().map(|node| (node.theta, node.influence / self.width))
    }

    /// Returns the change of g if every tail and every score changes by one part in its own size.
    ///
    /// A change in the score changes J by |J′| times as much, and g by g′ times as much.
    pub(super) fn condition_number(&self, separation: &Separation) -> f64 {
        let (mut from_j, mut from_x) = (0.0, 0.0f64);
        for node in &self.nodes {
            let (j, x) = (j_of_tails(node.positive, node.negative), node.theta.abs());
            let tails = (node.positive.0 + node.negative.0).min(node.positive.1 + node.negative.1);
            from_j += node.density * (tails + x * separation.slope(node.theta).abs()) / j;
            from_x = from_x.max(x / j);
        }
        (from_j + from_x) / self.width
    }

    /// Returns g(∞), the largest value of the influence function.
    pub(super) fn max_influence(&self) -> f64 {
        self.total / self.width
    }
}

/// Returns the points at which to split integrals over all scores of a function that is smooth
/// inside and outside R.
pub(crate) fn breaks(separation: &Separation, region: &Region) -> Vec<f64> {
    let in_interval = |&[left, right]: &[f64; 2]| {
        let inner = breaks_between(separation, region.threshold(), [left, right]);
        std::iter::once(left).chain(inner).collect::<Vec<_>>()
    };
    region.intervals().iter().flat_map(in_interval).collect()
}

/// Returns the points at which to split the interval [left, right] of R, ascending, with `right`
/// last.
///
/// Near an end with J = p and slope a, J is about p + a x at distance x, and the pole of 1/J is
/// about p/a beyond the end. Splitting where the line p + a x reaches 2p, 4p, … keeps the pole at
/// least the length of a panel away from that panel.
pub(super) fn breaks_between(separation: &Separation, p: MinSeparation, [left, right]: [f64; 2]) -> Vec<f64> {
    let mut breaks: Vec<f64> = separation.landmarks().iter().copied().filter(|x| left < *x && *x < right).collect();
    // Scores closer than this differ by rounding alone.
    let finest = 1e-12 * (right - left) + 4.0 * f64::EPSILON * left.abs().max(right.abs());
    for (end, inwards) in [(left, 1.0), (right, -1.0)] {
        let mut distance = (p.value() / separation.slope(end).abs()).max(finest);
        while distance < 0.5 * (right - left) {
            breaks.push(end + inwards * distance);
            distance = 2.0 * distance + finest;
        }
    }
    breaks.sort_unstable_by(f64::total_cmp);
    breaks.dedup();
    breaks.push(right);
    breaks
}
