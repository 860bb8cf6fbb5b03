//! How far the classes are apart: J(θ) = F⁺(θ) − F⁻(θ), Youden's J of the two survival functions.
//!
//! Close to 1, a double cannot tell J from 1, so its complement, the **miss** 1 − J = P(S < θ | +) + P(S ≥ θ | −), is
//! computed beside it: for classes 20 standard deviations apart, it is about 1e-23 and still accurate.

use super::{PDelta, Region};
use crate::distribution::ScoreDistribution;
use crate::numeric::root;
use crate::{Error, PerClass, Problem};

/// Steps between two landmarks in the search for turning points of J.
const SUBDIVISIONS: u32 = 4;

/// Golden sections in the search for a peak: to a millionth of the points' distance, and the height to the square of
/// that.
const NARROWINGS: u32 = 29;

/// A peak is searched for only if a parabola goes at least this share of the way across.
const PEAKED: f64 = 0.25;

/// (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// A positive and a negative score distribution, with the turning points and the maximum of J.
///
/// # Examples
/// ```
/// use truecount::distribution::{Normal, ScoreDistribution};
/// use truecount::sweep::Separation;
/// # fn main() -> Result<(), truecount::Error> {
/// let positive = ScoreDistribution::Normal(Normal::new(1.0, 1.0)?);
/// let negative = ScoreDistribution::Normal(Normal::new(0.0, 1.0)?);
/// let separation = Separation::new(positive, negative)?;
/// assert!((separation.max_j() - 0.38292492254802624).abs() < 1e-15);
/// assert!((separation.theta_max() - 0.5).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Separation {
    positive: ScoreDistribution,
    negative: ScoreDistribution,
    /// Both classes' landmarks, ascending.
    landmarks: Vec<f64>,
    /// Where J turns, ascending: between two of them J is monotone.
    turns: Vec<f64>,
    theta_max: f64,
    max_j: f64,
    min_miss: f64,
}

impl Separation {
    /// # Errors
    /// [`Problem::NoSeparation`] when J is nowhere above 1e-8, where rounding leaves too little of it.
    pub fn new(positive: ScoreDistribution, negative: ScoreDistribution) -> Result<Self, Error> {
        let mut landmarks = [positive.landmarks(), negative.landmarks()].concat();
        landmarks.sort_unstable_by(f64::total_cmp);
        landmarks.dedup();
        let mut pair = Self {
            positive,
            negative,
            landmarks,
            turns: Vec::new(),
            theta_max: f64::NAN,
            max_j: 0.0,
            min_miss: f64::INFINITY,
        };
        // J turns where f⁺ and f⁻ cross: J′ = f⁻ − f⁺.
        pair.turns = pair.crossings(0.0);
        for &theta in &pair.turns {
            let (j, miss) = (pair.j(theta), pair.miss(theta));
            // For J above ½ the miss has more digits to tell two maxima apart; below, J has.
            if (j > 0.5 && miss < pair.min_miss) || (j <= 0.5 && j > pair.max_j) {
                (pair.theta_max, pair.max_j, pair.min_miss) = (theta, j, miss);
            }
        }
        if pair.max_j > 1e-8 { Ok(pair) } else { Err(Problem::NoSeparation { max_j: pair.max_j }.into()) }
    }

    /// Where ln f⁺ − ln f⁻ crosses a level, ascending.
    fn crossings(&self, level: f64) -> Vec<f64> {
        let excess = |x: f64| self.ln_ratio(x) - level;
        let grid = self.landmarks.windows(2).flat_map(|w| {
            let (a, b) = (w[0], w[1]);
            (0..SUBDIVISIONS).map(move |k| a + (b - a) * f64::from(k) / f64::from(SUBDIVISIONS))
        });
        // Outside both supports, nothing can cross.
        let grid: Vec<(f64, f64)> = grid
            .chain(self.landmarks.last().copied())
            .map(|x| (x, excess(x)))
            .filter(|(_, excess)| !excess.is_nan())
            .collect();
        // Between points on the same side, a peak may reach the other side.
        let peaks: Vec<(f64, f64)> = grid.windows(3).filter_map(|w| hidden_peak(excess, [w[0], w[1], w[2]])).collect();
        let mut points = grid;
        if !peaks.is_empty() {
            points.extend(peaks);
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let changes = points.windows(2).filter(|w| (w[0].1 < 0.0) != (w[1].1 < 0.0));
        changes.map(|w| root::solve_bracketed(excess, w[0], w[1])).collect()
    }

    /// ln f⁺ − ln f⁻.
    fn ln_ratio(&self, x: f64) -> f64 {
        self.positive.ln_pdf(x) - self.negative.ln_pdf(x)
    }

    /// P(ln f⁺(S) − ln f⁻(S) ≥ level) in each class.
    pub(crate) fn ln_ratio_at_or_above(&self, level: f64) -> PerClass<f64> {
        let crossings = self.crossings(level);
        let (first, last) = (self.landmarks[0], self.landmarks[self.landmarks.len() - 1]);
        let ends = [&[first], crossings.as_slice(), &[last]].concat();
        // The mass beyond an outer landmark is counted with it.
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

    /// Where integrals over scores are split, ascending.
    pub(crate) fn landmarks(&self) -> &[f64] {
        &self.landmarks
    }

    /// The distribution of the positives' scores.
    pub fn positive(&self) -> &ScoreDistribution {
        &self.positive
    }

    /// The distribution of the negatives' scores.
    pub fn negative(&self) -> &ScoreDistribution {
        &self.negative
    }

    /// u = f⁺/(f⁺ + f⁻): the probability of a positive at score x if both classes are equally common; ½ if both
    /// densities are 0.
    pub fn balanced(&self, x: f64) -> f64 {
        let odds = (self.negative.ln_pdf(x) - self.positive.ln_pdf(x)).exp();
        if odds.is_nan() { 0.5 } else { (1.0 + odds).recip() }
    }

    /// The smallest interval that contains both classes' supports.
    pub(crate) fn support(&self) -> (f64, f64) {
        let (positive, negative) = (self.positive.support(), self.negative.support());
        (positive.0.min(negative.0), positive.1.max(negative.1))
    }

    /// J(θ) = P(S ≥ θ | +) − P(S ≥ θ | −), in [−1, 1].
    pub fn j(&self, theta: f64) -> f64 {
        j_of_tails(self.positive.tails(theta), self.negative.tails(theta))
    }

    /// J′(θ) = f⁻(θ) − f⁺(θ).
    pub(super) fn slope(&self, theta: f64) -> f64 {
        self.negative.ln_pdf(theta).exp() - self.positive.ln_pdf(theta).exp()
    }

    /// 1 − J(θ), to full relative accuracy also where J is 1 to the last digit of a double.
    pub fn miss(&self, theta: f64) -> f64 {
        self.positive.tails(theta).0 + self.negative.tails(theta).1
    }

    /// The largest J.
    pub fn max_j(&self) -> f64 {
        self.max_j
    }

    /// The threshold with the largest J, in units of the score.
    pub fn theta_max(&self) -> f64 {
        self.theta_max
    }

    /// The smallest miss, `1 − max_j`.
    pub(super) fn min_miss(&self) -> f64 {
        self.min_miss
    }

    /// The threshold that lies `depth` below the largest J.
    pub(super) fn below_max(&self, depth: f64) -> PDelta {
        PDelta::from_both(self.max_j - depth, self.min_miss + depth)
    }

    fn not_reached(&self, p: PDelta) -> Error {
        Problem::ThresholdNotReached { threshold: p.value(), max_j: self.max_j }.into()
    }

    /// The zero of a function that is monotone from left to right. It is first bracketed between landmarks: these
    /// follow the scale on which the distributions change, which may be any scale next to the pole of a density.
    fn crossing(&self, f: impl Fn(f64) -> f64, mut left: (f64, f64), mut right: (f64, f64)) -> f64 {
        let from = self.landmarks.partition_point(|x| *x <= left.0);
        let mut between = &self.landmarks[from..self.landmarks.partition_point(|x| *x < right.0).max(from)];
        while let Some(&x) = between.get(between.len() / 2) {
            let middle = between.len() / 2;
            let here = (x, f(x));
            if (here.1 < 0.0) == (left.1 < 0.0) {
                (left, between) = (here, &between[middle + 1..]);
            } else {
                (right, between) = (here, &between[..middle]);
            }
        }
        root::solve_bracketed(f, left, right)
    }

    /// R = {θ : J(θ) ≥ `p_Δ`}: one interval for two normals, any number of them in general.
    ///
    /// J is monotone between two turning points, so each piece holds at most one end, and J(θ) ≥ p needs both
    /// P(S ≥ θ | +) ≥ p and P(S < θ | −) ≥ p, which bounds the search.
    ///
    /// # Errors
    /// [`Problem::ThresholdNotReached`] when max J is not above `p_Δ`.
    pub fn region(&self, p: PDelta) -> Result<Region, Error> {
        if self.max_j <= p.value() && self.min_miss >= p.complement() {
            return Err(self.not_reached(p));
        }
        let (low, high) = if p.value() <= 0.5 {
            (self.negative.quantile(p.value()), self.positive.upper_quantile(p.value()))
        } else {
            (self.negative.upper_quantile(p.complement()), self.positive.quantile(p.complement()))
        };
        let excess = |theta: f64| {
            if p.value() <= 0.5 { self.j(theta) - p.value() } else { p.complement() - self.miss(theta) }
        };
        let inner = self.turns.iter().copied().filter(|t| low < *t && *t < high);
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

/// Three points lie on the same side of 0, the middle one nearest to it; finds where around it the function reaches the
/// other side, if it does.
fn hidden_peak(f: impl Fn(f64) -> f64, [left, middle, right]: [(f64, f64); 3]) -> Option<(f64, f64)> {
    let same_side = (left.1 < 0.0) == (middle.1 < 0.0) && (right.1 < 0.0) == (middle.1 < 0.0);
    let nearest = middle.1.abs() <= left.1.abs() && middle.1.abs() <= right.1.abs();
    if !(same_side && nearest && left.1.is_finite() && right.1.is_finite()) {
        return None;
    }
    // The parabola through the three points estimates how much farther the peak goes; it may really go a few times as
    // far.
    let slope = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
    let (before, after) = (slope(left, middle), slope(middle, right));
    let curvature = (after - before) / (right.0 - left.0);
    let tangent = before + curvature * (middle.0 - left.0);
    if (tangent * tangent / (4.0 * curvature)).abs() < PEAKED * middle.1.abs() {
        return None;
    }
    let across = |y: f64| (y < 0.0) != (middle.1 < 0.0);
    // Golden section; the first point on the other side suffices.
    let (mut low, mut high) = (left.0, right.0);
    for _ in 0..NARROWINGS {
        let step = GOLDEN * (high - low);
        let (a, b) = (high - step, low + step);
        let (at_a, at_b) = (f(a), f(b));
        match (across(at_a), across(at_b)) {
            (true, _) => return Some((a, at_a)),
            (_, true) => return Some((b, at_b)),
            _ if at_a.abs() < at_b.abs() => high = b,
            _ => low = a,
        }
    }
    None
}

/// J from the (lower, upper) tails of the positives and the negatives: the difference of those that are small.
pub(super) fn j_of_tails(positive: (f64, f64), negative: (f64, f64)) -> f64 {
    if positive.1 + negative.1 <= 1.0 { positive.1 - negative.1 } else { negative.0 - positive.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Normal;

    /// ln f⁺ − ln f⁻ of two normals is a parabola: its crossings of a level are the roots of a quadratic, however close
    /// they are.
    #[test]
    fn crossings_are_the_roots_of_the_quadratic() {
        let normal = |mean, sd| ScoreDistribution::from(Normal::new(mean, sd).unwrap());
        let (mut crossed, mut missed) = (0, 0);
        for k in 0..400 {
            let mean = 0.3 + 0.004_567 * f64::from(k);
            for sd in [0.385, 0.7, 1.4, 2.5] {
                let separation = Separation::new(normal(mean, sd), normal(0.0, 1.0)).unwrap();
                // a x² + b x + c is ln f⁺ − ln f⁻.
                let a = 0.5 * (1.0 - sd.powi(-2));
                let b = mean / (sd * sd);
                let c = -0.5 * (mean / sd).powi(2) - sd.ln();
                let top = c - b * b / (4.0 * a);
                for below in [1e-6, 1e-3, 0.1] {
                    // As far from the vertex as this, towards the level.
                    let level = top + below * a.signum();
                    let half = (below / a.abs()).sqrt();
                    let roots = [-b / (2.0 * a) - half, -b / (2.0 * a) + half];
                    let found = separation.crossings(level);
                    let (first, last) = (separation.landmarks[0], separation.landmarks[separation.landmarks.len() - 1]);
                    if roots[0] <= first || roots[1] >= last {
                        continue;
                    }
                    crossed += 1;
                    let same = found.len() == 2
                        && found.iter().zip(roots).all(|(x, root)| (x - root).abs() < 1e-6 * half.max(1e-3));
                    missed += usize::from(!same);
                }
            }
        }
        assert!(crossed > 3000 && missed == 0, "{missed} of {crossed}");
    }
}
