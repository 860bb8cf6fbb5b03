//! Every integral over R that Continuous Sweep needs, from one set of quadrature nodes.
//!
//! With G(s) = ∫_{R ∩ (−∞, s]} du/J(u), so that g = G/|R|:
//!
//! * class moments: E₋G = ∫ F⁻/J and Var₋G = ∫ 2 G F⁻/J − (E₋G)², all over R; for the positives the same with lower
//!   tails, counted from the right: with H = G(∞) − G, E₊H = ∫ (1−F⁺)/J. The tails of each class that are small
//!   on R are the ones used, so nothing cancels when the classes are far apart;
//! * the covariance of G with the indicator of S ≥ e, ∫ Cov(1{S≥x}, 1{S≥e})/J(x) dx, where
//!   Cov(1{S≥x}, 1{S≥y}) = F(max) − F(x)F(y) (Kloos et al., Theorem 2, read for survival functions).
//!
//! R is split at the classes' landmarks, and ever more finely towards an end beyond which J crosses zero, since 1/J has
//! a pole there: the integrand is then smooth in every panel.

use super::separation::j_of_tails;
use super::{PDelta, Region, Separation};
use crate::PerClass;
use crate::numeric::legendre::{NODES, RULE};

/// Mean and variance of the influence function within one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassMoments {
    /// E(g(S) | class).
    pub mean: f64,
    /// Var(g(S) | class).
    pub variance: f64,
}

impl PerClass<ClassMoments> {
    /// Variance of a single score's contribution: α Var₊(g) + (1−α) Var₋(g).
    pub fn variance(&self, alpha: f64) -> f64 {
        alpha * self.positive.variance + (1.0 - alpha) * self.negative.variance
    }
}

/// One quadrature node θ in R.
#[derive(Clone, Copy)]
struct Node {
    theta: f64,
    /// Quadrature weight over J(θ): Σ density · f is ∫_R f/J.
    density: f64,
    /// G(θ).
    influence: f64,
    /// (lower, upper) tails of the positives and of the negatives at θ.
    positive: (f64, f64),
    negative: (f64, f64),
}

/// The nodes over a region.
pub(crate) struct Integrals {
    nodes: Vec<Node>,
    width: f64,
    /// G(∞).
    total: f64,
}

impl Integrals {
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

    /// The moments of G, unscaled.
    fn raw_moments(&self) -> PerClass<ClassMoments> {
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

    /// The moments of g; its mean among negatives is the sweep's constant c = (1/|R|) ∫_R F⁻/J.
    pub(crate) fn moments(&self) -> PerClass<ClassMoments> {
        let raw = self.raw_moments();
        let scale = |m: ClassMoments| ClassMoments {
            mean: m.mean / self.width,
            variance: m.variance / (self.width * self.width),
        };
        let negative = scale(raw.negative);
        // E₊g − E₋g = (1/|R|) ∫_R J/J = 1: the identity is exact, so it is used rather than integrated.
        let positive = ClassMoments { mean: negative.mean + 1.0, ..scale(raw.positive) };
        PerClass { positive, negative }
    }

    /// The covariance of G with the indicator of S ≥ `end`, in a mixture with a share alpha of positives.
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

    /// In which direction the variance moves when R grows: the sign of −dV/dp, scaled to be unit-free, and the variance
    /// of a single score's contribution itself.
    ///
    /// Moving an end e of R outwards adds AC(e) to the average; with A = |R|² n V and every end at J(e) = p,
    /// dV/dp ∝ −Σ_e (|R| Cov(G, AC(e)) − A) / |J′(e)|.
    pub(super) fn pull(&self, separation: &Separation, region: &Region, alpha: f64) -> (f64, f64) {
        let p = region.threshold().value();
        let square = self.raw_moments().variance(alpha);
        let (mut pull, mut weights) = (0.0, 0.0);
        for &end in region.intervals().as_flattened() {
            let weight = separation.slope(end).abs().recip();
            let (positive, negative) = (separation.positive().tails(end), separation.negative().tails(end));
            let covariance = self.covariance(alpha, end, positive, negative);
            pull += weight * (self.width * covariance / (p * square) - 1.0);
            weights += weight;
        }
        (pull / weights, square / (self.width * self.width))
    }

    /// The pairs (θ, g(θ)) at the nodes: exact values to check an approximation against.
    pub(super) fn influence_at_nodes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.nodes.iter().map(|node| (node.theta, node.influence / self.width))
    }

    /// How much g changes when every tail and every score changes by one part in its own size; a change in the score
    /// changes J by
    /// J′| times as much, and g by g′ times.
    pub(super) fn sensitivity(&self, separation: &Separation) -> f64 {
        let (mut in_j, mut in_x) = (0.0, 0.0f64);
        for node in &self.nodes {
            let (j, x) = (j_of_tails(node.positive, node.negative), node.theta.abs());
            let tails = (node.positive.0 + node.negative.0).min(node.positive.1 + node.negative.1);
            in_j += node.density * (tails + x * separation.slope(node.theta).abs()) / j;
            in_x = in_x.max(x / j);
        }
        (in_j + in_x) / self.width
    }

    /// g(∞), the largest value of the influence function.
    pub(super) fn max_influence(&self) -> f64 {
        self.total / self.width
    }
}

/// Where to split integrals over all scores of a function that is smooth inside and outside R.
pub(crate) fn breaks(separation: &Separation, region: &Region) -> Vec<f64> {
    let within = |&[left, right]: &[f64; 2]| {
        let inner = breaks_between(separation, region.threshold(), [left, right]);
        std::iter::once(left).chain(inner).collect::<Vec<_>>()
    };
    region.intervals().iter().flat_map(within).collect()
}

/// Where to split the interval [left, right] of R, ascending, its right end last.
///
/// Near an end with J = p and slope a, J is about p + a x at distance x, and the pole of 1/J about p/a beyond the end.
/// Splitting where that line reaches 2p, 4p, … keeps the pole a whole panel away from each panel.
pub(super) fn breaks_between(separation: &Separation, p: PDelta, [left, right]: [f64; 2]) -> Vec<f64> {
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
