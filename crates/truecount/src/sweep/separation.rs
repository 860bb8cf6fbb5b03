//! The separation of the classes: Youden's J(θ) = F⁺(θ) − F⁻(θ) of the two survival functions.
//!
//! As J may round to 1, its complement is computed separately, the **miss**
//!
//! ```text
//! 1 − J = P(S < θ | +) + P(S ≥ θ | −)
//! ```
//!
//! For classes 20 standard deviations apart, the miss is about 1e-23, and still accurate.

use super::{MinSeparation, Region};
use crate::distribution::{Distribution, ScoreDistribution};
use crate::numeric::root;
use crate::{Error, PerClass, Problem};

/// The number of steps between two landmarks in the search for turning points of J.
const SUBDIVISIONS: u32 = 4;

/// The number of golden-section steps in the search for a peak.
///
/// The location is then exact to a millionth of the points' distance, and the height to its square.
const GOLDEN_STEPS: u32 = 29;

/// A peak is searched for only if a parabola goes at least this share of the way to the level.
const MIN_RISE: f64 = 0.25;

/// The golden section (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// A positive and a negative score distribution, with the turning points and the maximum of J.
#[derive(Clone, Debug)]
pub struct Separation {
    positive: ScoreDistribution,
    negative: ScoreDistribution,
    /// The landmarks of both classes, ascending.
    landmarks: Vec<f64>,
    /// The turning points of J, ascending; J is monotone between them.
    turning_points: Vec<f64>,
    theta_max: f64,
    max_j: f64,
    min_miss: f64,
}

impl Separation {
    /// Finds the turning points and the maximum of J.
    ///
    /// # Errors
    /// Returns [`Problem::ClassesNotSeparated`] if J is at most 1e-8 everywhere; rounding errors are too
    /// large for so small a J.
    pub fn new(positive: ScoreDistribution, negative: ScoreDistribution) -> Result<Self, Error> {
        let mut landmarks = [positive.landmarks(), negative.landmarks()].concat();
        landmarks.sort_unstable_by(f64::total_cmp);
        landmarks.dedup();
        let mut pair = Self {
            positive,
            negative,
            landmarks,
            turning_points: Vec::new(),
            theta_max: f64::NAN,
            max_j: 0.0,
            min_miss: f64::INFINITY,
        };
        // J turns where f⁺ and f⁻ cross: J′ = f⁻ − f⁺.
        pair.turning_points = pair.crossings(0.0);
        for &theta in &pair.turning_points {
            let (j, miss) = (pair.j(theta), pair.miss(theta));
            // Two maxima are compared by the more accurate number: the miss for J above ½,
            // otherwise J.
            if (j > 0.5 && miss < pair.min_miss) || (j <= 0.5 && j > pair.max_j) {
                (pair.theta_max, pair.max_j, pair.min_miss) = (theta, j, miss);
            }
        }
        if pair.max_j > 1e-8 { Ok(pair) } else { Err(Problem::ClassesNotSeparated { max_j: pair.max_j }.into()) }
    }

    /// Returns the scores at which ln f⁺ − ln f⁻ crosses a level, ascending.
    fn crossings(&self, level: f64) -> Vec<f64> {
        let excess = |x: f64| self.ln_ratio(x) - level;
        let grid = self.landmarks.windows(2).flat_map(|w| {
            let (a, b) = (w[0], w[1]);
            (0..SUBDIVISIONS).map(move |k| a + (b - a) * f64::from(k) / f64::from(SUBDIVISIONS))
        });
        // The ratio is NaN outside both supports, where there is no crossing.
        let grid: Vec<(f64, f64)> = grid
            .chain(self.landmarks.last().copied())
            .map(|x| (x, excess(x)))
            .filter(|(_, excess)| !excess.is_nan())
            .collect();
        // Between two points on the same side of the level, a peak may cross it twice.
        let peaks: Vec<(f64, f64)> = grid.windows(3).filter_map(|w| hidden_peak(excess, [w[0], w[1], w[2]])).collect();
        let mut points = grid;
        if !peaks.is_empty() {
            points.extend(peaks);
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let changes = points.windows(2).filter(|w| (w[0].1 < 0.0) != (w[1].1 < 0.0));
        changes.map(|w| root::solve_bracketed(excess, w[0], w[1])).collect()
    }

    /// Returns ln f⁺ − ln f⁻.
    fn ln_ratio(&self, x: f64) -> f64 {
        self.positive.ln_pdf(x) - self.negative.ln_pdf(x)
    }

    /// Returns P(ln f⁺(S) − ln f⁻(S) ≥ level) in each class.
    pub(crate) fn ln_ratio_at_or_above(&self, level: f64) -> PerClass<f64> {
        let crossings = self.crossings(level);
        let (first, last) = (self.landmarks[0], self.landmarks[self.landmarks.len() - 1]);
        let ends = [&[first], crossings.as_slice(), &[last]].concat();
        // The mass beyond an outer landmark counts as mass at the landmark.
        let above = |distribution: &ScoreDistribution, x: f64| match x {
            _ if x <= first => 1.0,
            _ if x >= last => 0.0,
            _ => distribution.tails(x).1,
        };
        let mut shares = PerClass::default();
        for pair in ends.windows(2).filter(|pair| self.ln_ratio(0.5 * (pair[0] + pair[1])) >= level) {
            shares.positive += above(&self.positive, pair[0]) - above(&self.positive, pair[1]);
            shares.negative += above(&self.negative, pair[0]) - above(&self.negative, pair[1]);
        }
        shares
    }

    /// Returns the scores at which integrals are split, ascending.
    pub(crate) fn landmarks(&self) -> &[f64] {
        &self.landmarks
    }

    /// Returns the distribution of the positives' scores.
    pub fn positive(&self) -> &ScoreDistribution {
        &self.positive
    }

    /// Returns the distribution of the negatives' scores.
    pub fn negative(&self) -> &ScoreDistribution {
        &self.negative
    }

    /// Returns the balanced probability u = f⁺/(f⁺ + f⁻) at score x; ½ if both densities are 0.
    ///
    /// It is the probability of a positive if both classes are equally common.
    pub fn balanced(&self, x: f64) -> f64 {
        let odds = (self.negative.ln_pdf(x) - self.positive.ln_pdf(x)).exp();
        if odds.is_nan() { 0.5 } else { (1.0 + odds).recip() }
    }

    /// Returns the smallest interval that contains the supports of both classes.
    pub(crate) fn support(&self) -> (f64, f64) {
        let (positive, negative) = (self.positive.support(), self.negative.support());
        (positive.0.min(negative.0), positive.1.max(negative.1))
    }

    /// Returns J(θ) = P(S ≥ θ | +) − P(S ≥ θ | −), in [−1, 1].
    pub fn j(&self, theta: f64) -> f64 {
        j_of_tails(self.positive.tails(theta), self.negative.tails(theta))
    }

    /// Returns J′(θ) = f⁻(θ) − f⁺(θ).
    pub(super) fn slope(&self, theta: f64) -> f64 {
        self.negative.ln_pdf(theta).exp() - self.positive.ln_pdf(theta).exp()
    }

    /// Returns the miss 1 − J(θ), with full relative accuracy even if J rounds to 1.
    pub fn miss(&self, theta: f64) -> f64 {
        self.positive.tails(theta).0 + self.negative.tails(theta).1
    }

    /// Returns the largest J.
    pub fn max_j(&self) -> f64 {
        self.max_j
    }

    /// Returns the threshold with the largest J, in units of the score.
    pub fn theta_max(&self) -> f64 {
        self.theta_max
    }

    /// Returns the smallest miss, `1 − max_j`.
    pub(super) fn min_miss(&self) -> f64 {
        self.min_miss
    }

    /// Returns the threshold p that is `depth` below the largest J.
    pub(super) fn below_max(&self, depth: f64) -> MinSeparation {
        MinSeparation::from_both(self.max_j - depth, self.min_miss + depth)
    }

    /// Returns the error for a threshold that J does not reach.
    fn not_reached(&self, p: MinSeparation) -> Error {
        Problem::ThresholdNotReached { threshold: p.value(), max_j: self.max_j }.into()
    }

    /// Returns the zero of a function that is monotone between `left` and `right`.
    ///
    /// The zero is first bracketed between landmarks. They follow the scale on which the
    /// distributions change, which may be very small next to the pole of a density.
    fn crossing(&self, f: impl Fn(f64) -> f64, mut left: (f64, f64), mut right: (f64, f64)) -> f64 {
        let from = self.landmarks.partition_point(|x| *x <= left.0);
        let mut between = &self.landmarks[from..self.landmarks.partition_point(|x| *x < right.0).max(from)];
        while let Some(&x) = between.get(between.len() / 2) {
            let middle = between.len() / 2;
            let point = (x, f(x));
            if (point.1 < 0.0) == (left.1 < 0.0) {
                (left, between) = (point, &between[middle + 1..]);
            } else {
                (right, between) = (point, &between[..middle]);
            }
        }
        root::solve_bracketed(f, left, right)
    }

    /// Returns R = {θ : J(θ) ≥ `p_Δ`}: one interval for two normals, any number of intervals in
    /// general.
    ///
    /// # Errors
    /// Returns [`Problem::ThresholdNotReached`] if max J is not above `p_Δ`.
    pub fn region(&self, p: MinSeparation) -> Result<Region, Error> {
        if self.max_j <= p.value() && self.min_miss >= p.complement() {
            return Err(self.not_reached(p));
        }
        // J(θ) ≥ p requires P(S ≥ θ | +) ≥ p and P(S < θ | −) ≥ p, which bounds the search.
        let (low, high) = if p.value() <= 0.5 {
            (self.negative.inverse_cdf(p.value()), self.positive.inverse_sf(p.value()))
        } else {
            (self.negative.inverse_sf(p.complement()), self.positive.inverse_cdf(p.complement()))
        };
        let excess = |theta: f64| {
            if p.value() <= 0.5 { self.j(theta) - p.value() } else { p.complement() - self.miss(theta) }
        };
        // J is monotone between two turning points, so each piece has at most one end of an
        // interval.
        let inner = self.turning_points.iter().copied().filter(|t| low < *t && *t < high);
        let mut intervals = Vec::with_capacity(1);
        let mut left = (low, excess(low));
        let mut start = (left.1 >= 0.0).then_some(low);
        for theta in inner.chain([high]) {
            let right = (theta, excess(theta));
            match start {
                None if right.1 > 0.0 => start = Some(self.crossing(excess, left, right)),
                Some(from) if right.1 < 0.0 => {
                    intervals.push([from, self.crossing(excess, left, right)]);
                    start = None;
                }
                _ => {}
            }
            left = right;
        }
        if let Some(from) = start {
            intervals.push([from, high]);
        }
        let region = Region::new(p, intervals);
        if region.width() > 0.0 { Ok(region) } else { Err(self.not_reached(p)) }
    }
}

/// Returns a point near the middle of three points where the function has the opposite sign, if all
/// three have the same sign and the middle one is nearest to 0.
fn hidden_peak(f: impl Fn(f64) -> f64, [left, middle, right]: [(f64, f64); 3]) -> Option<(f64, f64)> {
    let same_side = (left.1 < 0.0) == (middle.1 < 0.0) && (right.1 < 0.0) == (middle.1 < 0.0);
    let nearest = middle.1.abs() <= left.1.abs() && middle.1.abs() <= right.1.abs();
    if !(same_side && nearest && left.1.is_finite() && right.1.is_finite()) {
        return None;
    }
    // The parabola through the three points estimates how far the peak rises towards the level. It
    // may rise a few times as far.
    let slope = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
    let (before, after) = (slope(left, middle), slope(middle, right));
    let curvature = (after - before) / (right.0 - left.0);
    let tangent = before + curvature * (middle.0 - left.0);
    if (tangent * tangent / (4.0 * curvature)).abs() < MIN_RISE * middle.1.abs() {
        return None;
    }
    let has_crossed = |y: f64| (y < 0.0) != (middle.1 < 0.0);
    // Golden-section search, which stops at the first point on the other side.
    let (mut low, mut high) = (left.0, right.0);
    for _ in 0..GOLDEN_STEPS {
        let step = GOLDEN * (high - low);
        let (a, b) = (high - step, low + step);
        let (at_a, at_b) = (f(a), f(b));
        match (has_crossed(at_a), has_crossed(at_b)) {
            (true, _) => return Some((a, at_a)),
            (_, true) => return Some((b, at_b)),
            _ if at_a.abs() < at_b.abs() => high = b,
            _ => low = a,
        }
    }
    None
}

/// Returns J from the (lower, upper) tails of the positives and of the negatives.
///
/// It is the difference of the smaller pair of tails, for accuracy.
pub(super) fn j_of_tails(positive: (f64, f64), negative: (f64, f64)) -> f64 {
    if positive.1 + negative.1 <= 1.0 { positive.1 - negative.1 } else { negative.0 - positive.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Normal;

    /// ln f⁺ − ln f⁻ of two normals is a parabola, so its crossings of a level are the roots of a
    /// quadratic.
    #[test]
    fn crossings_are_the_roots_of_the_quadratic_even_if_close() {
        let normal = |mean, sd| ScoreDistribution::from(Normal::new(mean, sd).unwrap());
        let (mut tested, mut wrong) = (0, 0);
        for k in 0..400 {
            let mean = 0.3 + 0.004_567 * f64::from(k);
            for sd in [0.385, 0.7, 1.4, 2.5] {
                let separation = Separation::new(normal(mean, sd), normal(0.0, 1.0)).unwrap();
                // a x² + b x + c is ln f⁺ − ln f⁻.
                let a = 0.5 * (1.0 - sd.powi(-2));
                let b = mean / (sd * sd);
                let c = -0.5 * (mean / sd).powi(2) - sd.ln();
                let vertex = c - b * b / (4.0 * a);
                for distance in [1e-6, 1e-3, 0.1] {
                    let level = vertex + distance * a.signum();
                    let half = (distance / a.abs()).sqrt();
                    let roots = [-b / (2.0 * a) - half, -b / (2.0 * a) + half];
                    let crossings = separation.crossings(level);
                    let (first, last) = (separation.landmarks[0], separation.landmarks[separation.landmarks.len() - 1]);
                    if roots[0] <= first || roots[1] >= last {
                        continue;
                    }
                    tested += 1;
                    let same = crossings.len() == 2
                        && crossings.iter().zip(roots).all(|(x, root)| (x - root).abs() < 1e-6 * half.max(1e-3));
                    wrong += usize::from(!same);
                }
            }
        }
        assert!(tested > 3000 && wrong == 0, "{wrong} of {tested}");
    }
}
