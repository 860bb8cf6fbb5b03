//! Gaussian kernel density: f(x) = 1/(n h) Σ φ((x−x_i)/h), F(x) = 1/n Σ Φ((x−x_i)/h).
//!
//! Fit: Silverman's rule of thumb, h = 0.9 min(sd, IQR/1.34) n^(−1/5) (*Density Estimation*, 1986,
//! eq. 3.31), with the quartiles interpolated as R's `quantile` and `bw.nrd0` do.
//!
//! The sums are computed once, when the distribution is created. Near the scores, F is stored as polynomials in cells
//! about h wide: integrals of the interpolant of f at Chebyshev points. The integrals are accumulated from the left for
//! the lower tail and from the right for the upper tail. All terms are positive, so both tails keep their accuracy. Far
//! from the scores, only the few kernels that matter are summed directly.

use super::empirical::mean_and_sd;
use super::{Distribution, MAX_MAGNITUDE};
use crate::numeric::{gauss, polynomial, root};
use crate::random::{Bits, RandomBits};
use crate::{Class, Error, Problem};
use rand::distr::Uniform;
use rand_distr::{Distribution as _, StandardNormal};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The distance in bandwidths that cells cover around each score; a kernel's tail is 2e-33 there.
const CELL_REACH: f64 = 12.0;

/// The minimum number of distinct scores in a run with cells; for fewer scores direct summation is as fast.
const MIN_POINTS: usize = 5;

/// The number of Chebyshev points per cell.
const NODES: usize = 18;

/// The largest ratio of two densities in one cell.
///
/// Rounding errors scale with the largest density, but must be small relative to the smallest one.
const MAX_DENSITY_RATIO: f64 = 50.0;

/// The largest allowed ratio of the last two Chebyshev coefficients to the smallest density.
const MAX_RESIDUAL: f64 = 3e-14;

/// The number of coefficients stored side by side, so that evaluation runs as four short chains of
/// additions instead of one long chain.
const LANES: usize = 4;
const ROWS: usize = (NODES + 1).div_ceil(LANES);

/// The exponent below which kernels are omitted: together they are below e^−34 = 2e-15 of the largest kernel.
const NEGLIGIBLE_EXPONENT: f64 = 34.0;

/// The distance in bandwidths from the outermost score to the outermost landmark; a kernel's tail is 6e-16 there.
const LANDMARK_MARGIN: f64 = 8.0;

/// A Gaussian kernel density estimate.
///
/// Both tails have a relative error of about 1e-12. Evaluation takes about 20 ns within 12
/// bandwidths of the nearest score, for any number of scores. Cloning is cheap.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "KernelParameters", into = "KernelParameters")]
pub struct Kernel(Arc<KernelSums>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KernelParameters {
    bandwidth: f64,
    scores: Vec<f64>,
}

impl TryFrom<KernelParameters> for Kernel {
    type Error = Error;

    fn try_from(p: KernelParameters) -> Result<Self, Error> {
        Self::with_bandwidth(&p.scores, p.bandwidth)
    }
}

impl From<Kernel> for KernelParameters {
    fn from(kernel: Kernel) -> Self {
        Self { bandwidth: kernel.0.bandwidth, scores: kernel.0.scores.clone() }
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.0.bandwidth == other.0.bandwidth && self.0.scores == other.0.scores
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (bandwidth, scores) = (&self.0.bandwidth, &self.0.scores);
        f.debug_struct("Kernel").field("bandwidth", bandwidth).field("scores", scores).finish_non_exhaustive()
    }
}

impl Kernel {
    /// Creates a kernel density with this bandwidth, in units of the score.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreNotFinite`] if a score is not finite, and
    /// [`Problem::ParameterOutOfRange`] if there is no score, if a score lies outside [−1e150,
    /// 1e150], or if the bandwidth lies outside [1e-150, 1e150] or is less than 1e-12 of the
    /// largest absolute score.
    pub fn with_bandwidth(scores: &[f64], bandwidth: f64) -> Result<Self, Error> {
        Error::unless_in_domain(!scores.is_empty(), ("number of scores", 0.0), "at least 1")?;
        Error::unless_finite(scores)?;
        let largest = scores.iter().fold(0.0, |largest: f64, s| largest.max(s.abs()));
        Error::unless_in_domain(largest <= MAX_MAGNITUDE, ("largest score", largest), "at most 1e150")?;
        let is_inside = (MAX_MAGNITUDE.recip().max(1e-12 * largest)..=MAX_MAGNITUDE).contains(&bandwidth);
        let domain = "between 1e-150 and 1e150 and at least 1e-12 of the largest score";
        Error::unless_in_domain(is_inside, ("bandwidth", bandwidth), domain)?;
        let mut scores = scores.to_vec();
        scores.sort_unstable_by(f64::total_cmp);
        Ok(Self(Arc::new(KernelSums::new(scores, bandwidth))))
    }

    /// Creates a kernel density with the bandwidth of Silverman's rule.
    ///
    /// If the middle half of the scores coincides (an interquartile range below 1e-6 sd), the rule
    /// uses the standard deviation alone.
    ///
    /// # Errors
    /// Returns [`Problem::ClassTooSmall`] for fewer than two scores, [`Problem::ClassVarianceZero`]
    /// if all scores are equal, and [`Problem::ClassOutOfScale`] if a double cannot hold the squares of
    /// the scores or resolve their differences.
    pub fn fit(class: Class, scores: &[f64]) -> Result<Self, Error> {
        let (_, sd) = mean_and_sd(class, scores, 2, "kernel")?;
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let quartile = |k: usize| {
            let (whole, part) = (k * (sorted.len() - 1) / 4, k * (sorted.len() - 1) % 4);
            let above = sorted[(whole + 1).min(sorted.len() - 1)];
            sorted[whole] + (above - sorted[whole]) * 0.25 * part as f64
        };
        let range = quartile(3) - quartile(1);
        let spread = if range > 1e-6 * sd { sd.min(range / 1.34) } else { sd };
        let bandwidth = 0.9 * spread * (scores.len() as f64).powf(-0.2);
        Self::with_bandwidth(&sorted, bandwidth).map_err(|_| Problem::ClassOutOfScale { class }.into())
    }

    /// Returns the bandwidth h, the standard deviation of one kernel, in units of the score.
    pub fn bandwidth(&self) -> f64 {
        self.0.bandwidth
    }

    /// Returns the scores in ascending order.
    pub fn scores(&self) -> &[f64] {
        &self.0.scores
    }

    /// Returns the score at which `tail`, a monotone function, equals `target`.
    fn solve(&self, target: f64, tail: impl Fn(f64) -> f64) -> f64 {
        let sums = &*self.0;
        let excess = |x: f64| (tail(x) / target).ln();
        // Beyond 40 bandwidths a tail is 0.
        let beyond =
            [sums.points[0] - 40.0 * sums.bandwidth, sums.points[sums.points.len() - 1] + 40.0 * sums.bandwidth];
        let rising = excess(beyond[0]) < excess(beyond[1]);
        let i = sums.points.partition_point(|p| (excess(*p) < 0.0) == rising);
        let left = if i == 0 { beyond[0] } else { sums.points[i - 1] };
        let right = sums.points.get(i).copied().unwrap_or(beyond[1]);
        root::solve_bracketed(excess, (left, excess(left)), (right, excess(right)))
    }
}

/// The scores, and F as polynomials near the scores.
struct KernelSums {
    bandwidth: f64,
    /// The scores in ascending order.
    scores: Vec<f64>,
    /// The distinct scores in ascending order, and the number of scores equal to each.
    points: Vec<f64>,
    weights: Vec<f64>,
    /// The number of scores before each point, followed by the number of all scores.
    counts_before: Vec<f64>,
    runs: Vec<CellRun>,
}

/// A run of adjacent cells around scores that are close together.
struct CellRun {
    start: f64,
    end: f64,
    /// The number of parts per unit of the score. The run is divided into equal parts of about one
    /// bandwidth; `parts` has the first cell and the number of cells of each part.
    per_unit: f64,
    parts: Vec<(usize, usize)>,
    cells: Vec<KernelCell>,
}

/// A cell with a polynomial in t = (x − left) · scale − 1, which runs from −1 to 1 across the cell.
///
/// Neighbouring cells share edges, which are doubles. So x − left is exact even if the scores are
/// much larger than the bandwidth.
struct KernelCell {
    left: f64,
    scale: f64,
    /// The tails to the left and right of the cell.
    below: f64,
    above: f64,
    /// The integral of f over the cell.
    mass: f64,
    /// The coefficients of 1, t, t², … of the integral of f from the left edge.
    powers: [[f64; LANES]; ROWS],
}

impl KernelCell {
    /// Returns Σ c_k t^k for the coefficients c, stored in rows of [`LANES`].
    fn horner(rows: &[[f64; LANES]; ROWS], t: f64) -> f64 {
        let square = t * t;
        let fourth = square * square;
        let mut sum = [0.0; LANES];
        for row in rows.iter().rev() {
            for lane in 0..LANES {
                sum[lane] = sum[lane] * fourth + row[lane];
            }
        }
        (sum[0] + sum[1] * t) + (sum[2] + sum[3] * t) * square
    }

    fn position(&self, x: f64) -> f64 {
        ((x - self.left) * self.scale - 1.0).clamp(-1.0, 1.0)
    }

    fn tails(&self, x: f64) -> (f64, f64) {
        let left = Self::horner(&self.powers, self.position(x));
        (self.below + left, self.above + (self.mass - left))
    }

    fn density(&self, x: f64) -> f64 {
        // The derivative is Σ (k+1) c_{k+1} t^k: each row also uses the first coefficient of the next row.
        let slopes = std::array::from_fn(|i| {
            let (row, k) = (&self.powers[i], (LANES * i) as f64);
            let following = self.powers.get(i + 1).map_or(0.0, |next| next[0]);
            [row[1] * (k + 1.0), row[2] * (k + 2.0), row[3] * (k + 3.0), following * (k + 4.0)]
        });
        Self::horner(&slopes, self.position(x)) * self.scale
    }
}

impl KernelSums {
    fn new(scores: Vec<f64>, bandwidth: f64) -> Self {
        let (mut points, mut weights, mut before) = (vec![], vec![], vec![0.0]);
        for ties in scores.chunk_by(|a, b| a == b) {
            points.push(ties[0]);
            weights.push(ties.len() as f64);
            before.push(before[before.len() - 1] + ties.len() as f64);
        }
        let mut sums = Self { bandwidth, scores, points, weights, counts_before: before, runs: vec![] };
        let near = |a: &f64, b: &f64| b - a <= 2.0 * CELL_REACH * bandwidth;
        sums.runs =
            sums.points.chunk_by(near).filter(|run| run.len() >= MIN_POINTS).map(|run| sums.build_run(run)).collect();
        sums
    }

    fn count(&self) -> f64 {
        self.scores.len() as f64
    }

    /// Returns the indices of the points within z bandwidths of x.
    fn window(&self, x: f64, z: f64) -> std::ops::Range<usize> {
        let first = self.points.partition_point(|p| (x - p) / self.bandwidth > z);
        let last = first + self.points[first..].partition_point(|p| (p - x) / self.bandwidth <= z);
        first..last
    }

    /// Returns the distance from x to the nearest point, in bandwidths.
    fn distance_to_nearest(&self, x: f64) -> f64 {
        let next = self.points.partition_point(|p| *p < x);
        let neighbours = &self.points[next.saturating_sub(1)..(next + 1).min(self.points.len())];
        neighbours.iter().map(|p| (x - p).abs() / self.bandwidth).fold(f64::INFINITY, f64::min)
    }

    /// Returns the distance in bandwidths beyond which kernels are negligible if the nearest score
    /// is d bandwidths away.
    fn horizon(&self, d: f64) -> f64 {
        (d * d + 2.0 * (NEGLIGIBLE_EXPONENT + self.count().ln())).sqrt()
    }

    /// Returns the tails at x by direct summation.
    fn sum_tails(&self, x: f64) -> (f64, f64) {
        let outside = (self.points[0] - x).max(x - self.points[self.points.len() - 1]).max(0.0);
        let window = self.window(x, self.horizon(outside / self.bandwidth));
        let (mut lower, mut upper) = (self.counts_before[window.start], self.count() - self.counts_before[window.end]);
        for i in window {
            let (below, above) = gauss::tails((x - self.points[i]) / self.bandwidth);
            lower += self.weights[i] * below;
            upper += self.weights[i] * above;
        }
        (lower / self.count(), upper / self.count())
    }

    /// Returns ln Σ φ((x−x_i)/h) by direct summation.
    fn ln_sum(&self, x: f64) -> f64 {
        let d = self.distance_to_nearest(x);
        let relative = |i: usize| {
            let z = (x - self.points[i]).abs() / self.bandwidth;
            self.weights[i] * (-0.5 * (z - d) * (z + d)).exp()
        };
        gauss::ln_pdf(d) + self.window(x, self.horizon(d)).map(relative).sum::<f64>().ln()
    }

    fn build_run(&self, points: &[f64]) -> CellRun {
        let h = self.bandwidth;
        let (start, end) = (points[0] - CELL_REACH * h, points[points.len() - 1] + CELL_REACH * h);
        let count = ((end - start) / h).ceil();
        let width = (end - start) / count;
        let (mut parts, mut cells) = (vec![], vec![]);
        let mut left = start;
        let mut k = 0.0;
        while k < count {
            let right = if k + 1.0 < count { start + (k + 1.0) * width } else { end };
            // The part is halved until its cells are flat enough; slopes up to 12/h never need more than eight cells.
            let part_cells = [1, 2, 4, 8].into_iter().find_map(|pieces| {
                let edge = |i: u32| {
                    if i == pieces { right } else { left + (right - left) * f64::from(i) / f64::from(pieces) }
                };
                (0..pieces).map(|i| self.build_cell(edge(i), edge(i + 1), pieces == 8)).collect::<Option<Vec<_>>>()
            });
            let part_cells = part_cells.expect("eight pieces are always accepted");
            parts.push((cells.len(), part_cells.len()));
            cells.extend(part_cells);
            k += 1.0;
            left = right;
        }
        let mut below = self.sum_tails(start).0;
        for cell in &mut cells {
            cell.below = below;
            below += cell.mass;
        }
        let mut above = self.sum_tails(end).1;
        for cell in cells.iter_mut().rev() {
            cell.above = above;
            above += cell.mass;
        }
        CellRun { start, end, per_unit: width.recip(), parts, cells }
    }

    /// Returns the cell between two scores, its tails still 0, or `None` if the density is too
    /// steep or too curved there.
    ///
    /// With `forced` the result is always a cell.
    fn build_cell(&self, left: f64, right: f64, forced: bool) -> Option<KernelCell> {
        let half = 0.5 * (right - left) / self.bandwidth;
        let middle = left + 0.5 * (right - left);
        let window = self.window(middle, self.horizon(self.distance_to_nearest(middle) + half) + half);
        let kernels: Vec<(f64, f64)> =
            window.map(|i| ((left - self.points[i]) / self.bandwidth + half, self.weights[i])).collect();
        let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
        let series = polynomial::interpolate(NODES, |t| {
            let sum: f64 = kernels.iter().map(|(z, weight)| weight * (-0.5 * (z + half * t).powi(2)).exp()).sum();
            (smallest, largest) = (smallest.min(sum), largest.max(sum));
            sum
        });
        let residual = series[NODES - 1].abs() + series[NODES - 2].abs();
        if (largest > MAX_DENSITY_RATIO * smallest || residual > MAX_RESIDUAL * smallest) && !forced {
            return None;
        }
        let factor = gauss::ln_pdf(0.0).exp() * half / self.count();
        let mut powers = [[0.0; LANES]; ROWS];
        for (k, c) in polynomial::to_powers(&polynomial::antiderivative(&series)).into_iter().enumerate() {
            powers[k / LANES][k % LANES] = c * factor;
        }
        powers[0][0] -= KernelCell::horner(&powers, -1.0);
        let mass = KernelCell::horner(&powers, 1.0);
        Some(KernelCell { left, scale: 2.0 / (right - left), below: 0.0, above: 0.0, mass, powers })
    }

    /// Returns the cell that contains x, if there is one.
    fn cell_at(&self, x: f64) -> Option<&KernelCell> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end < x))?;
        if x.is_nan() || x < run.start {
            return None;
        }
        let position = (x - run.start) * run.per_unit;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // nonnegative, and bounded by `min`
        let whole = (position as usize).min(run.parts.len() - 1);
        let (first, pieces) = run.parts[whole];
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let piece = (((position - whole as f64) * pieces as f64) as usize).min(pieces - 1);
        Some(&run.cells[first + piece])
    }
}

impl Distribution for Kernel {
    fn tails(&self, x: f64) -> (f64, f64) {
        self.0.cell_at(x).map_or_else(|| self.0.sum_tails(x), |cell| cell.tails(x))
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        let sums = &*self.0;
        sums.cell_at(x)
            .map_or_else(|| sums.ln_sum(x) - (sums.count() * sums.bandwidth).ln(), |cell| cell.density(x).ln())
    }

    fn inverse_cdf(&self, p: f64) -> f64 {
        if p <= 0.5 { self.solve(p, |x| self.tails(x).0) } else { self.solve(1.0 - p, |x| self.tails(x).1) }
    }

    fn inverse_sf(&self, q: f64) -> f64 {
        if q <= 0.5 { self.solve(q, |x| self.tails(x).1) } else { self.solve(1.0 - q, |x| self.tails(x).0) }
    }

    /// Points two bandwidths apart, within eight bandwidths of a score: beyond that, each kernel's tail is below 6e-16.
    fn landmarks(&self) -> Vec<f64> {
        let (points, h) = (&self.0.points, self.0.bandwidth);
        let mut landmarks = vec![];
        for run in points.chunk_by(|a, b| b - a <= 2.0 * LANDMARK_MARGIN * h) {
            let (start, end) = (run[0] - LANDMARK_MARGIN * h, run[run.len() - 1] + LANDMARK_MARGIN * h);
            let count = ((end - start) / (2.0 * h)).ceil();
            let mut k = 0.0;
            while k <= count {
                landmarks.push(start + (end - start) * (k / count));
                k += 1.0;
            }
        }
        landmarks
    }

    fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
        let mut rng = Bits(bits);
        let scores = &self.0.scores;
        let index = Uniform::new(0, scores.len()).expect("there are scores").sample(&mut rng);
        let z: f64 = StandardNormal.sample(&mut rng);
        scores[index] + self.0.bandwidth * z
    }

    fn tangents(&self, _: f64) -> Option<[f64; 3]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    const SCORES: [f64; 9] = [1e5, -3.0, 0.25, -0.5, 1.0, 41.0, -0.5, 40.0, 1.5];

    fn relative_error(actual: f64, exact: f64) -> f64 {
        if actual == exact { 0.0 } else { (actual / exact - 1.0).abs() }
    }

    #[test]
    fn tails_and_density_are_known() {
        let kernel = Kernel::with_bandwidth(&SCORES, 0.75).unwrap();
        for [x, lower, upper, ln_pdf] in quoted("kernel") {
            let actual = kernel.tails(x);
            assert!(relative_error(actual.0, lower) < 5e-13, "{x}: {:e}, not {lower:e}", actual.0);
            assert!(relative_error(actual.1, upper) < 5e-13, "{x}: {:e}, not {upper:e}", actual.1);
            assert!(relative_error(kernel.ln_pdf(x), ln_pdf) < 1e-13, "{x}: {}, not {ln_pdf}", kernel.ln_pdf(x));
        }
    }

    /// Sums all kernels directly, the smallest terms first.
    fn direct_sums(kernel: &Kernel, x: f64) -> [f64; 3] {
        let z: Vec<f64> = kernel.scores().iter().map(|s| (x - s) / kernel.bandwidth()).collect();
        let n = z.len() as f64;
        let sum = |f: &dyn Fn(f64) -> f64| {
            let mut terms: Vec<f64> = z.iter().map(|z| f(*z)).collect();
            terms.sort_unstable_by(f64::total_cmp);
            terms.iter().sum::<f64>() / n
        };
        let density = sum(&|z| gauss::ln_pdf(z).exp()) / kernel.bandwidth();
        [sum(&|z| gauss::tails(z).0), sum(&|z| gauss::tails(z).1), density]
    }

    fn samples() -> Vec<Kernel> {
        let normal = |n: u32| (1..=n).map(move |k| gauss::quantile(f64::from(k) / f64::from(n + 1)));
        let outliers = [-500.0, 1e6, 1e6, 30.0, 33.0, 60.0];
        let fit = |scores: Vec<f64>| Kernel::fit(Class::Positive, &scores).unwrap();
        vec![
            fit(vec![1.0, 3.0]),
            fit(normal(100).collect()),
            fit(normal(2000).map(|z| 1e6 + 1e-3 * z).collect()),
            fit(normal(3000).map(f64::exp).collect()),
            fit(normal(1000).chain(outliers).collect()),
            // A third of the scores equal; then clusters 0 to 40 bandwidths apart.
            fit(normal(200).chain([0.7; 100]).collect()),
            Kernel::with_bandwidth(&(0..30).map(|k| f64::from(k * k) * 0.05).collect::<Vec<_>>(), 0.1).unwrap(),
            Kernel::with_bandwidth(&normal(300).map(|z| z.powi(3)).collect::<Vec<_>>(), 0.01).unwrap(),
            Kernel::with_bandwidth(&[4.0; 10], 0.5).unwrap(),
        ]
    }

    #[test]
    fn agrees_with_the_direct_sums_everywhere() {
        let mut worst = [0.0f64; 3];
        for (i, kernel) in samples().iter().enumerate() {
            let (h, scores) = (kernel.bandwidth(), kernel.scores());
            // Steps that reach every part of a cell, near and between scores, out to where the tails vanish.
            let near = scores
                .iter()
                .step_by(1 + scores.len() / 60)
                .flat_map(|s| (-41..=41).map(move |k| s + 0.93 * h * f64::from(k)));
            let between = scores.windows(2).step_by(1 + scores.len() / 60).map(|w| 0.5 * (w[0] + w[1]));
            for x in near.chain(between) {
                let exact = direct_sums(kernel, x);
                let (lower, upper) = kernel.tails(x);
                let actual = [lower, upper, kernel.ln_pdf(x).exp()];
                for j in 0..3 {
                    let error = if exact[j] < 1e-300 { 0.0 } else { relative_error(actual[j], exact[j]) };
                    assert!(error < 1e-12, "sample {i}, {x}: {:e}, not {:e}: {error:e}", actual[j], exact[j]);
                    worst[j] = worst[j].max(error);
                }
            }
        }
        println!("worst relative errors {worst:?}");
    }

    #[test]
    fn far_outliers_need_no_cells() {
        let cells = |kernel: &Kernel| kernel.0.runs.iter().map(|run| run.cells.len()).sum::<usize>();
        let scores: Vec<f64> = (1..1000).map(|k| gauss::quantile(f64::from(k) / 1000.0)).collect();
        let near = Kernel::with_bandwidth(&scores, 0.2).unwrap();
        let far = Kernel::with_bandwidth(&[scores.as_slice(), &[1e5, -1e11]].concat(), 0.2).unwrap();
        assert_eq!(cells(&far), cells(&near));
        assert!(cells(&near) < 120, "{}", cells(&near));
        // A bandwidth far below the distances between scores needs no cells.
        assert_eq!(cells(&Kernel::with_bandwidth(&scores, 1e-9).unwrap()), 0);
    }

    #[test]
    fn bandwidth_is_silvermans() {
        // Python: `0.9*min(stdev(s), (q3 - q1)/1.34)*7**-0.2` with `quantiles(s, n=4, method='inclusive')`.
        let kernel = Kernel::fit(Class::Positive, &[0.1, 0.5, 0.9, 1.7, 2.5, 4.0, 11.0]).unwrap();
        assert!((kernel.bandwidth() / 1.160_535_109_144_853_5 - 1.0).abs() < 4e-16);
        // If the middle half of the scores coincides, the rule uses the standard deviation, 8/√7.
        let tied = Kernel::fit(Class::Positive, &[0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        assert!((tied.bandwidth() / (0.9 * 8.0 / 7f64.sqrt() * 7f64.powf(-0.2)) - 1.0).abs() < 4e-16);
    }

    #[test]
    fn bandwidths_out_of_range_are_errors() {
        assert!(Kernel::with_bandwidth(&[], 1.0).is_err());
        assert!(Kernel::with_bandwidth(&[1.0], 0.0).is_err());
        assert!(Kernel::with_bandwidth(&[1e9], 1e-4).is_err());
        let error = Kernel::with_bandwidth(&[1.0, f64::NAN], 1.0).unwrap_err();
        assert_eq!((error.code(), error.location().row), ("score-not-finite", Some(1)));
    }
}
