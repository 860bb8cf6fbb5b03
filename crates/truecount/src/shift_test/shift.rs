//! The test of prior probability shift.
//!
//! Under prior probability shift the test scores are a mixture of the two labelled classes, and
//! Adjusted Count has the same expectation at every threshold.
//!
//! ```text
//! D(θ) = CC(θ) − α̃ F̂⁺(θ) − (1−α̃) F̂⁻(θ) = Ĵ(θ) (AC(θ) − α̃)
//! T = Σ_k W_k D(θ_k)²,    α̃ = Σ W (CC − F̂⁻) Ĵ / Σ W Ĵ², which minimises T
//! ```
//!
//! This is Anderson and Darling's statistic for three samples and one fitted parameter, with the
//! edges and weights of [`Grid`](super::grid::Grid). The rates are empirical (weighted if the
//! labelled rows have weights), so that a badly chosen family cannot raise a false alarm.
//!
//! The distribution of T for large samples is in
//! [`sampling_distribution`](super::sampling_distribution). It does not depend on whether the class
//! counts of the test scores are random or fixed: their contribution to D is proportional to J, and
//! estimating α̃ removes it.
//!
//! For a few test scores T is far from that distribution: a single score lies beyond the outermost
//! edges with a probability of 1/32, and T is then as large as it can be. So the distribution is
//! simulated: samples of the same size are drawn from the nearest mixture, and their T is scaled to
//! the expectation for large samples, which includes the sampling of the labelled scores. The
//! simulation ends early at a number of samples with a larger T (Besag and Clifford 1991).

use super::grid::{Grid, ShiftTally, at_or_above, in_bins};
use super::parallel_shift::ClassDensities;
use super::pooled_rates::{LabelledBins, PooledRates};
use super::sampling_distribution::{LabelledScatter, QuadraticForm};
use super::score_profile::MIN_SHARE;
use crate::calibration::Bins;
use crate::checksum::checksum;
use crate::inference::{Excess, Misfit, MisfitAlarm, MisfitAssessment, ScaleFactor};
use crate::numeric::gauss;
use crate::numeric::weighted_chi_squares::WeightedChiSquares;
use crate::random::stream;
use crate::tally::{MethodState, MethodTally, WeightedCounts};
use crate::{Batch, Error, LabelledScores, PerClass, Problem, Warning};
use rand::RngExt;

/// The smallest number of labelled scores in a class from which its sampling error can be
/// estimated.
const MIN_LABELLED: usize = 10;

/// The level below which a p-value raises a warning, before division by the number of test sets.
const ALARM_LEVEL: f64 = 0.01;

/// The largest share of a labelled class outside the outermost edges at which these are its range.
/// With 64 bins, it is at most 1/16.
const MAX_LABELLED_OUTSIDE: f64 = 0.1;

/// An approximate p-value more than this many times the level rules out an alarm.
const SCREENING_FACTOR: f64 = 2.0;

/// The number of test scores below which the distribution of T is simulated. From there on, p-values
/// for large samples are right at 1 % and 5 %.
const SIMULATED_BELOW: f64 = 20.0;

/// The largest number of simulated samples.
const REPLICATES: u32 = 9_999;

/// The number of samples with a larger T at which a simulation ends.
const MAX_EXCEEDANCES: u32 = 50;

/// The seed of all simulations, so that equal tallies have equal p-values.
const SEED: u64 = 0;

/// The relative error of a T from rounding.
const ROUNDING: f64 = 1e-9;

/// The value of T up to which the fit is perfect up to rounding.
const PERFECT_FIT: f64 = 1e-24;

/// The difference of the labelled rates, in standard errors, from which Adjusted Count is shown.
const MIN_DISTANCE: f64 = 3.0;

/// The check of prior probability shift, set up once from labelled scores for any number of test
/// sets.
///
/// # Examples
/// ```
/// use truecount::LabelledScores;
/// use truecount::shift_test::ShiftCheck;
/// # fn main() -> Result<(), truecount::Error> {
/// // Positives uniform on (0.25, 1), negatives on (0, 0.75).
/// let uniform = |from: f64| (0..200).map(move |k| from + 0.75 * (f64::from(k) + 0.5) / 200.0);
/// let scores: Vec<f64> = uniform(0.25).chain(uniform(0.0)).collect();
/// let labels: Vec<bool> = (0..400).map(|i| i < 200).collect();
/// let check = ShiftCheck::new(&LabelledScores::new(&scores, &labels)?)?;
///
/// let mut tally = check.tally();
/// check.update(&mut tally, &scores[100..300])?;
/// // The upper half of one class with the lower half of the other is not a mixture.
/// assert!(check.test(&tally)?.p_value < 0.001);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct ShiftCheck {
    grid: Grid,
    /// The numbers of labelled scores n±, or their effective sizes.
    sizes: PerClass<f64>,
    bins: LabelledBins,
    scatter: LabelledScatter,
    densities: ClassDensities,
    /// A checksum of the labelled data, which identifies the tallies of this check.
    owner: u64,
}

/// The result of the check for one set of test scores.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShiftStatistics {
    /// The number of test scores.
    pub n: u64,
    /// The test statistic T, a weighted sum of squared deviations of the scores' distribution from the
    /// nearest mixture, over its expectation under prior probability shift: then about 1.
    pub statistic: f64,
    /// The p-value under prior probability shift: the smaller of the probability of a T at least as
    /// large (for large samples, or simulated and at least 0.0001 for fewer than 20 scores) and of
    /// twice the probability of an α̃ so far outside [0, 1].
    pub p_value: f64,
    /// The prevalence α̃ of the nearest mixture, which may lie outside [0, 1].
    pub prevalence: f64,
    /// The misfit of the nearest mixture.
    pub misfit: Misfit,
}

/// Adjusted Count at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AdjustedCountAt {
    /// The threshold θ.
    pub theta: f64,
    /// Adjusted Count (CC − F̂⁻)/Ĵ, not clipped: CC is the share of test scores at or above θ, F̂± the
    /// labelled classes' shares, and Ĵ = F̂⁺ − F̂⁻.
    pub prevalence: f64,
    /// The standard error at the prevalence α̃: √{ [(αv₊ + (1−α)v₋)/n + α²v₊/n₊ + (1−α)²v₋/n₋] }/Ĵ,
    /// with v± = F̂±(1−F̂±), n test scores and n± labelled scores.
    pub std_error: f64,
}

impl ShiftCheck {
    /// Sets up the check.
    ///
    /// # Errors
    /// - [`Problem::ClassTooSmallToCheck`] for fewer than ten labelled scores in a class
    /// - [`Problem::ClassTooUnevenToCheck`] for an effective sample size below ten in a class
    /// - [`Problem::TooFewValuesToCheck`] for fewer than three distinct scores
    /// - [`Problem::ClassesNotSeparated`] if the labelled classes have the same distribution
    pub fn new(labelled: &LabelledScores) -> Result<Self, Error> {
        Self::on(Bins::new(labelled).as_ref(), labelled)
    }

    /// Sets up the check on existing bins of the labelled scores; `None` if all scores are equal.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub(crate) fn on(bins: Option<&Bins>, labelled: &LabelledScores) -> Result<Self, Error> {
        labelled.scores().try_map(|class, scores| match scores.len() {
            n if n < MIN_LABELLED => Err(Problem::ClassTooSmallToCheck { class, n, needed: MIN_LABELLED }),
            _ => Ok(()),
        })?;
        labelled.effective_sizes().try_map(|class, effective| match *effective {
            effective if effective < MIN_LABELLED as f64 => {
                Err(Problem::ClassTooUnevenToCheck { class, effective, needed: MIN_LABELLED })
            }
            _ => Ok(()),
        })?;
        let grid = Grid::new(bins.ok_or(Problem::TooFewValuesToCheck)?)?;
        let effective = labelled.effective_sizes();
        let scatter = LabelledScatter::new(&grid, effective);
        let sizes = labelled.design().map_or(effective, |design| scatter.sizes(&grid, labelled.scores(), design));
        let numbers =
            grid.edges.iter().chain(grid.rates.positive.iter().copied()).chain(grid.rates.negative.iter().copied());
        let owner = checksum(numbers.chain([sizes.positive, sizes.negative]).flat_map(f64::to_le_bytes));
        let bins = LabelledBins::new(&grid, sizes);
        Ok(Self { densities: ClassDensities::new(&grid), grid, sizes, bins, scatter, owner })
    }

    /// Returns an empty tally.
    pub fn tally(&self) -> ShiftTally {
        ShiftTally::new(self.owner, MethodTally::empty_counts(&self.grid.edges))
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn scatter(&self) -> &LabelledScatter {
        &self.scatter
    }

    /// Returns the checksum that identifies the tallies of this check.
    pub(crate) fn owner(&self) -> u64 {
        self.owner
    }

    /// Returns the tally with these plain numbers.
    ///
    /// # Errors
    /// Returns [`Problem::NotATally`] for numbers that no tally of this check can have.
    pub fn tally_from(&self, plain: MethodState) -> Result<ShiftTally, Error> {
        let counted = MethodTally::empty_counts(&self.grid.edges);
        let empty = if plain.sums.is_empty() { counted } else { self.empty_weighted() };
        Ok(ShiftTally::new(self.owner, plain.into_tally("the shift check", &empty)?))
    }

    fn empty_weighted(&self) -> MethodTally {
        MethodTally::WeightedCounts(WeightedCounts::new(self.grid.len() + 1))
    }

    /// Adds test scores to a tally. Probabilities have no effect.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreNotFinite`] for a score that is not finite;
    /// [`Problem::WeightsMissing`] or [`Problem::WeightsUnexpected`] if only one of tally and batch
    /// has weights; and [`Problem::TallyModelMismatch`] if the tally is not from
    /// [`tally`](Self::tally). The tally is then unchanged.
    pub fn update<'a>(&self, tally: &mut ShiftTally, batch: impl Into<Batch<'a>>) -> Result<(), Error> {
        let batch = batch.into();
        tally.cells(self.owner)?;
        if batch.weights.is_some() {
            Error::unless_finite(batch.scores)?;
        }
        self.add(tally, &batch)
    }

    /// Adds a batch, whose scores must be finite if they have weights.
    ///
    /// # Errors
    /// Returns the errors of [`update`](Self::update); the tally is then unchanged.
    pub(crate) fn add(&self, tally: &mut ShiftTally, batch: &Batch) -> Result<(), Error> {
        let (is_empty, cells) = (tally.n() == 0, tally.cells_mut(self.owner)?);
        let Some(weights) = batch.weights else {
            return match cells {
                MethodTally::Counts(counts) => counts.update(&self.grid.edges, batch.scores),
                _ => Err(Problem::WeightsMissing.into()),
            };
        };
        if is_empty {
            *cells = self.empty_weighted();
        }
        let MethodTally::WeightedCounts(cells) = cells else { return Err(Problem::WeightsUnexpected.into()) };
        let rows = batch.scores.iter().zip(weights);
        rows.for_each(|(score, weight)| cells.add(self.grid.edges.at_or_below(*score), *weight));
        Ok(())
    }

    /// Tests prior probability shift: whether the test scores are a mixture of the labelled classes.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] for an empty tally, and [`Problem::TallyModelMismatch`] if
    /// the tally is not from [`tally`](Self::tally).
    pub fn test(&self, tally: &ShiftTally) -> Result<ShiftStatistics, Error> {
        let fit = self.fit(tally)?;
        let statistic = if fit.total <= PERFECT_FIT { 0.0 } else { fit.total / fit.expectation };
        let law = self.scatter.form(&self.grid, &fit.pooled).law();
        let p_value = self.mixture_p_value(&fit, &law).min(2.0 * self.boundary_p_value(&fit));
        let misfit = self.misfit(&fit);
        Ok(ShiftStatistics { n: fit.n, statistic, p_value, prevalence: fit.prevalence, misfit })
    }

    /// Returns the p-value of T, which has this distribution for large samples.
    fn mixture_p_value(&self, fit: &NearestMixture, law: &WeightedChiSquares) -> f64 {
        match fit {
            fit if fit.total <= PERFECT_FIT => 1.0,
            fit if fit.is_small() => self.simulated_p_value(fit),
            fit => law.upper_tail(fit.total),
        }
    }

    /// Returns the probability of an α̃ so far outside [0, 1] at the nearer end; 1 inside, and for too few
    /// test scores for a normal distribution.
    fn boundary_p_value(&self, fit: &NearestMixture) -> f64 {
        let outside = (fit.prevalence - fit.prevalence.clamp(0.0, 1.0)).abs();
        let coefficients: Vec<f64> = self.grid.distance.iter().zip(&self.grid.weights).map(|(j, w)| j * w).collect();
        let se = self.scatter.variance(&fit.pooled, &coefficients).sqrt() / self.grid.square(&self.grid.distance);
        if outside > 0.0 && !fit.is_small() { gauss::tails(outside / se).1 } else { 1.0 }
    }

    /// Returns a warning for an estimate if p < 0.01/m, where m is the number of test sets checked.
    ///
    /// By Bonferroni's inequality, the probability of any false alarm is at most 1 %.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] for an empty tally, and [`Problem::TallyModelMismatch`] if
    /// the tally is not from [`tally`](Self::tally).
    pub fn warning(&self, tally: &ShiftTally, test_sets: usize) -> Result<Option<Warning>, Error> {
        Ok(self.assess(tally, test_sets)?.warning(false))
    }

    /// Returns the misfit of the nearest mixture, with an alarm if prior probability shift is
    /// rejected.
    ///
    /// # Errors
    /// Returns the errors of [`warning`](Self::warning).
    pub(crate) fn assess(&self, tally: &ShiftTally, test_sets: usize) -> Result<MisfitAssessment, Error> {
        let level = ALARM_LEVEL / test_sets as f64;
        let fit = self.fit(tally)?;
        let misfit = self.misfit(&fit);
        // Most test sets are far from an alarm, which the approximate p-value shows at low cost. A
        // simulated p-value may be too coarse for the level.
        let approximate_p = self.scatter.approximate_upper_tail(fit.pooled.factors, fit.expectation, fit.total);
        let is_plausible = approximate_p > SCREENING_FACTOR * level;
        let is_undecidable = fit.is_small() && level <= f64::from(1 + REPLICATES).recip();
        if is_plausible || is_undecidable {
            return Ok(MisfitAssessment { misfit, alarm: None });
        }
        let form = self.scatter.form(&self.grid, &fit.pooled);
        let law = form.law();
        let p_value = self.mixture_p_value(&fit, &law);
        if p_value >= level {
            return Ok(MisfitAssessment { misfit, alarm: None });
        }
        let [sum, squares, _] = law.cumulants;
        let scale = ScaleFactor { factor: misfit.scale, dof: sum * sum / squares };
        let warning = match self.outside_range(tally)? {
            Some(warning) => warning,
            None => {
                Warning::PriorShiftRejected { p_value, worst: self.largest_excess(&fit, &form), scale: misfit.scale }
            }
        };
        Ok(MisfitAssessment { misfit, alarm: Some(MisfitAlarm { scale, warning }) })
    }

    /// Returns a warning if most test scores lie outside the outermost edges, where few labelled
    /// scores of either class are.
    fn outside_range(&self, tally: &ShiftTally) -> Result<Option<Warning>, Error> {
        let bins = tally.cells(self.owner)?.bin_weights();
        let outside = |at_or_above: &[f64]| 1.0 - at_or_above[0] + at_or_above[at_or_above.len() - 1];
        let share = outside(&at_or_above(&bins.iter().map(|(weight, _)| *weight).collect::<Vec<_>>()));
        let labelled = self.grid.rates.map(|rates| outside(rates));
        if share <= MIN_SHARE || labelled.positive.max(labelled.negative) > MAX_LABELLED_OUTSIDE {
            return Ok(None);
        }
        let edges: Vec<f64> = self.grid.edges.iter().collect();
        Ok(Some(Warning::ScoresOutsideRange {
            share,
            labelled: 1.0 - 0.5 * (labelled.positive + labelled.negative),
            from: edges[0],
            to: edges[edges.len() - 1],
        }))
    }

    /// Returns the interval with the most significant excess of test scores over the nearest
    /// mixture.
    ///
    /// It is the interval between two edges, or beyond one edge, whose excess is the most standard
    /// errors. A standard error is at least one test score.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] for an empty tally, and [`Problem::TallyModelMismatch`] if
    /// the tally is not from [`tally`](Self::tally).
    pub fn worst(&self, tally: &ShiftTally) -> Result<Excess, Error> {
        let fit = self.fit(tally)?;
        Ok(self.largest_excess(&fit, &self.scatter.form(&self.grid, &fit.pooled)))
    }

    fn largest_excess(&self, fit: &NearestMixture, form: &QuadraticForm) -> Excess {
        let m = self.grid.len();
        let ends: Vec<f64> =
            [f64::NEG_INFINITY].into_iter().chain(self.grid.edges.iter()).chain([f64::INFINITY]).collect();
        // D is 0 at both outer ends, without error.
        let deviation = |k: usize| if k == 0 || k > m { 0.0 } else { fit.deviations[k - 1] };
        let covariance = |k: usize, l: usize| {
            let inside = k > 0 && l > 0 && k <= m && l <= m;
            let weights = || (self.grid.weights[k - 1] * self.grid.weights[l - 1]).sqrt();
            if inside { form.covariance(k - 1, l - 1) / weights() } else { 0.0 }
        };
        let variances: Vec<f64> = (0..=m + 1).map(|k| covariance(k, k)).collect();
        let min_se = fit.effective_n.recip();
        let mut worst = Excess { from: ends[0], to: ends[m + 1], share: 0.0, std_error: min_se };
        for l in 1..=m + 1 {
            for k in 0..l {
                let share = deviation(k) - deviation(l);
                let variance = variances[k] + variances[l] - 2.0 * covariance(k, l);
                let se = variance.max(0.0).sqrt().max(min_se);
                if share / se > worst.share / worst.std_error {
                    worst = Excess { from: ends[k], to: ends[l], share, std_error: se };
                }
            }
        }
        worst
    }

    /// Returns Adjusted Count at every edge where the labelled rates differ by at least three
    /// standard errors.
    ///
    /// Under prior probability shift the curve is flat, up to sampling error.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] for an empty tally, and [`Problem::TallyModelMismatch`] if
    /// the tally is not from [`tally`](Self::tally).
    pub fn curve(&self, tally: &ShiftTally) -> Result<Vec<AdjustedCountAt>, Error> {
        let NearestMixture { effective_n, prevalence, deviations, .. } = self.fit(tally)?;
        let factors = self.bins.factors(prevalence, effective_n);
        let rates = &self.grid.rates;
        let points = self.grid.edges.iter().enumerate().filter_map(|(k, theta)| {
            let variance = |rate: f64, n: f64| rate * (1.0 - rate) * n / (n - 1.0);
            let positive = variance(rates.positive[k], self.sizes.positive);
            let negative = variance(rates.negative[k], self.sizes.negative);
            let (j, noise) = (self.grid.distance[k], positive / self.sizes.positive + negative / self.sizes.negative);
            (j > 0.0 && j >= MIN_DISTANCE * noise.sqrt()).then(|| AdjustedCountAt {
                theta,
                prevalence: prevalence + deviations[k] / j,
                std_error: (factors.positive * positive + factors.negative * negative).sqrt() / j,
            })
        });
        Ok(points.collect())
    }

    /// Simulates the probability of a T at least as large as that of the nearest mixture.
    fn simulated_p_value(&self, fit: &NearestMixture) -> f64 {
        let PerClass { positive, negative } = &fit.pooled.rates;
        let (m, n) = (self.grid.len(), fit.effective_n.round().max(1.0));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 1 and 20
        let size = n as u32;
        let rates = positive.iter().zip(negative);
        let expected: Vec<f64> = rates.map(|(positive, negative)| fit.pooled.mix(*positive, *negative)).collect();
        let total = |counts: &[f64]| self.grid.square(&self.nearest_mixture(&at_or_above(counts)).1);
        let single_score = |(cell, share): (usize, f64)| {
            let counts: Vec<f64> = (0..=m).map(|other| f64::from(u8::from(other == cell))).collect();
            share * total(&counts)
        };
        let simulated_expectation = in_bins(&expected, 1.0).into_iter().enumerate().map(single_score).sum::<f64>() / n;
        let critical = fit.total * simulated_expectation / fit.expectation;
        let mut rng = stream(SEED, 0);
        let mut exceedances = 0;
        for number in 1..=REPLICATES {
            let mut counts = vec![0.0; m + 1];
            for _ in 0..size {
                let quantile: f64 = rng.random();
                counts[expected.partition_point(|share| *share > quantile)] += 1.0;
            }
            // Samples in the same cells as the test scores have the same T, up to rounding.
            if total(&counts) >= critical * (1.0 - ROUNDING) {
                exceedances += 1;
                if exceedances == MAX_EXCEEDANCES {
                    return f64::from(exceedances) / f64::from(number);
                }
            }
        }
        f64::from(1 + exceedances) / f64::from(1 + REPLICATES)
    }

    /// Fits the nearest mixture.
    pub(super) fn fit(&self, tally: &ShiftTally) -> Result<NearestMixture, Error> {
        let cells = tally.cells(self.owner)?;
        if cells.n() == 0 {
            return Err(Problem::NoTestScores.into());
        }
        let bins = cells.bin_weights();
        let shares = at_or_above(&bins.iter().map(|(w, _)| *w).collect::<Vec<_>>());
        let (prevalence, deviations) = self.nearest_mixture(&shares);
        let effective_n = if cells.is_weighted() { self.effective_n(&bins, &deviations) } else { cells.n() as f64 };
        let total = self.grid.square(&deviations);
        let weight: f64 = bins.iter().map(|(w, _)| w).sum();
        let scores: Vec<f64> = bins.iter().map(|(w, _)| w * effective_n / weight).collect();
        let pooled = self.bins.pool(prevalence, &scores);
        let expectation = self.scatter.expectation(&self.grid, &pooled);
        Ok(NearestMixture { n: cells.n(), effective_n, prevalence, deviations, total, expectation, pooled })
    }

    /// Returns the effective number of weighted test scores, from Σw and Σw² in each bin and D.
    ///
    /// It is the number of independent scores of equal weight for which T has the same expectation:
    /// Rao and Scott's (1981) first-order correction. With u the D of a single score less that of all
    /// scores, and |u|² = Σ W u², it is Σw Σw|u|² / Σw²|u|².
    fn effective_n(&self, bins: &[(f64, f64)], deviations: &[f64]) -> f64 {
        let square = |bin: usize| {
            let shares: Vec<f64> = (0..self.grid.len()).map(|k| f64::from(u8::from(bin > k))).collect();
            let of_score = self.nearest_mixture(&shares).1;
            self.grid.square(&of_score.iter().zip(deviations).map(|(own, all)| own - all).collect::<Vec<_>>())
        };
        let (mut total, mut squares, mut by_weight, mut by_squared_weight) = (0.0, 0.0, 0.0, 0.0);
        for (bin, (w, w_squared)) in bins.iter().enumerate().filter(|(_, (w, _))| *w > 0.0) {
            let square = square(bin);
            total += w;
            squares += w_squared;
            by_weight += w * square;
            by_squared_weight += w_squared * square;
        }
        if by_squared_weight > 0.0 { total * by_weight / by_squared_weight } else { total * total / squares }
    }

    /// Returns α̃ and D from the shares of the test scores at or above each edge.
    fn nearest_mixture(&self, shares: &[f64]) -> (f64, Vec<f64>) {
        let Grid { rates, distance, .. } = &self.grid;
        let above: Vec<f64> = shares.iter().zip(&rates.negative).map(|(cc, rate)| cc - rate).collect();
        let prevalence = self.grid.product(&above, distance) / self.grid.square(distance);
        (prevalence, above.iter().zip(distance).map(|(y, j)| y - prevalence * j).collect())
    }

    /// Returns the misfit of the nearest mixture.
    fn misfit(&self, fit: &NearestMixture) -> Misfit {
        let square = if fit.total > PERFECT_FIT { (fit.total / fit.expectation).max(1.0) } else { 1.0 };
        // Deviations from the nearest mixture with a prevalence in [0, 1], so that no excess is
        // larger than 1.
        let beyond = fit.prevalence - fit.prevalence.clamp(0.0, 1.0);
        let deviations = fit.deviations.iter().zip(&self.grid.distance).map(|(d, j)| d + beyond * j);
        let (low, high) = deviations.fold((0.0, 0.0), |(low, high): (f64, f64), d| (low.min(d), high.max(d)));
        let NearestMixture { pooled, deviations, .. } = fit;
        let variance = |coefficients: &[f64]| self.scatter.variance(pooled, coefficients);
        Misfit {
            scale: square.sqrt(),
            unexplained: (high - low) * (1.0 - square.recip()).sqrt(),
            widening: 0.0,
            parallel_shift: Some(self.densities.parallel_shift(&self.grid, pooled, self.sizes, deviations, variance)),
        }
    }
}

/// The mixture nearest to a tally.
pub(super) struct NearestMixture {
    n: u64,
    /// The effective number of weighted scores; n without weights.
    effective_n: f64,
    pub(super) prevalence: f64,
    /// D.
    deviations: Vec<f64>,
    /// T.
    pub(super) total: f64,
    /// E T.
    expectation: f64,
    pub(super) pooled: PooledRates,
}

impl NearestMixture {
    /// Returns whether the distribution of T is simulated.
    fn is_small(&self) -> bool {
        self.effective_n < SIMULATED_BELOW
    }
}
