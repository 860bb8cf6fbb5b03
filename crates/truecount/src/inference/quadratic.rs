//! The variance of an estimate as a quadratic in the prevalence, and the interval that follows from it.

/// V(α) = c₀ + c₁ α + c₂ α².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quadratic([f64; 3]);

/// The variance of an estimate, by source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variance {
    /// Of the test scores given their classes, and of the labelled scores.
    pub(crate) given: Quadratic,
    /// What drawing the test scores from a population adds.
    pub(crate) drawing: Quadratic,
}

impl Quadratic {
    pub(crate) fn new(c0: f64, c1: f64, c2: f64) -> Self {
        Self([c0, c1, c2])
    }

    /// α(1−α)/n: what separates the prevalence of a sample of n from that of its population.
    pub(crate) fn sampling(n: f64) -> Self {
        let each = n.recip();
        Self([0.0, each, -each])
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    pub(crate) fn times(&self, factor: f64) -> Self {
        Self(self.0.map(|c| c * factor))
    }

    /// V(α), never negative: at an end it may be a difference of equals.
    pub(crate) fn at(&self, alpha: f64) -> f64 {
        let [c0, c1, c2] = self.0;
        (c0 + alpha * (c1 + alpha * c2)).max(0.0)
    }

    /// {α : (estimate − α)² ≤ z² V(α)}, the Wilson-type interval, cut to [0, 1]; the estimate lies in [0, 1].
    ///
    /// With δ = α − estimate: (1 − z²c₂) δ² − z²V′(estimate) δ − z²V(estimate) ≤ 0.
    pub(crate) fn interval(&self, estimate: f64, z: f64) -> (f64, f64) {
        let [_, c1, c2] = self.0;
        let square = 1.0 - z * z * c2;
        if square <= 0.0 {
            return (0.0, 1.0);
        }
        let slope = z * z * (c1 + 2.0 * c2 * estimate);
        let root = (slope * slope + 4.0 * square * z * z * self.at(estimate)).sqrt();
        let end = |delta: f64| (estimate + delta / (2.0 * square)).clamp(0.0, 1.0);
        (end(slope - root), end(slope + root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_binomial_it_is_wilsons_interval() {
        // Wilson (1927) for 15 of 50 at z = 1.96: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n).
        let (n, p, z) = (50.0, 0.3, 1.96f64);
        let z2 = z * z;
        let (centre, half) = (p + z2 / (2.0 * n), z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt());
        let (lower, upper) = Quadratic::sampling(50.0).interval(p, z);
        assert!((lower - (centre - half) / (1.0 + z2 / n)).abs() < 1e-15);
        assert!((upper - (centre + half) / (1.0 + z2 / n)).abs() < 1e-15);
        // At 0 it does not collapse.
        let (lower, upper) = Quadratic::sampling(50.0).interval(0.0, z);
        assert!(lower == 0.0 && (upper - z2 / (n + z2)).abs() < 1e-15);
    }

    #[test]
    fn its_ends_solve_the_equation() {
        let v = Quadratic::new(4e-4, 3e-4, 0.0).plus(&Quadratic::sampling(700.0));
        let (lower, upper) = v.interval(0.4, 2.5);
        for end in [lower, upper] {
            assert!(((0.4 - end).powi(2) - 6.25 * v.at(end)).abs() < 1e-16);
        }
        assert_eq!(Quadratic::new(9.0, 0.0, 0.0).interval(0.4, 1.96), (0.0, 1.0));
    }
}
