//! Is prior probability shift plausible? Under it, the test scores are a mixture of the two labelled classes, and
//! Adjusted Count is the same at every threshold, up to sampling error.
//!
//! ```text
//! D(θ) = CC(θ) − α̃ F̂⁺(θ) − (1−α̃) F̂⁻(θ) = Ĵ(θ) (AC(θ) − α̃)
//! T = Σ_k W_k D(θ_k)²,    α̃ = Σ W (CC − F̂⁻) Ĵ / Σ W Ĵ², which minimises T
//! ```
//!
//! with empirical rates (by the weights of the labelled rows, where they have some), so that a badly chosen family cannot raise a false alarm, and the edges and weights of
//! [`Grid`](super::grid::Grid): Anderson and Darling's statistic for three samples and one fitted parameter.
//!
//! The law of T for large samples is in [`spread`](super::spread). It is the same whether the class counts of the test
//! scores are random or fixed: their contribution to D is proportional to J, and estimating α̃ removes it.

use super::grid::{Grid, ShiftTally, at_or_above};
use super::spread::ScatterMatrices;
use crate::calibration::Bins;
use crate::checksum::checksum;
use crate::inference::{Alarm, Assessed, Excess, Misfit, Scale};
use crate::numeric::weighted_chi_squares::approximate_upper_tail;
use crate::tally::{BinCounts, PlainTally, TallyState};
use crate::{Batch, Error, LabelledScores, PerClass, Problem, Warning};

/// With fewer labelled scores in a class than this, its sampling errors cannot be estimated.
const LEAST: usize = 10;

/// The p-value below which an estimate gets a warning, divided by the number of test sets checked together.
const ALARM: f64 = 0.01;

/// A rough p-value this many times the level is certainly no alarm.
const FAR: f64 = 2.0;

/// Below this, T is a perfect fit up to rounding.
const ROUNDING: f64 = 1e-24;

/// Adjusted Count is shown where the labelled rates differ by at least this many standard errors.
const TOLD_APART: f64 = 3.0;

/// The check, set up from labelled scores: create it once, then tally any number of test sets.
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
/// check.update(&mut tally, &scores[100..300])?;
/// assert!(check.test(&tally)?.p_value < 0.001); // the upper half of the one, the lower of the other: no mixture
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct ShiftCheck {
    grid: Grid,
    /// n±: how many labelled scores there are, or how many they are worth.
    sizes: PerClass<f64>,
    spread: ScatterMatrices,
    /// Marks its tallies: a checksum of the labelled data they are compared with.
    owner: u64,
}

/// The result of the check for one set of test scores.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShiftStatistics {
    /// Number of test scores.
    pub n: u64,
    /// T over its expectation under prior probability shift: about 1 if all is well.
    pub statistic: f64,
    /// The probability of a T at least as large under prior probability shift, from the law for large samples.
    pub p_value: f64,
    /// α̃, the prevalence of the nearest mixture; it may lie outside [0, 1].
    pub prevalence: f64,
    /// How far that is from the scores.
    pub misfit: Misfit,
}

/// Adjusted Count at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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
    /// [`Problem::TooFewToCheck`] below ten labelled scores in a class, [`Problem::TooUnevenToCheck`] where they are worth fewer; [`Problem::TooFewDifferent`] below three different
    /// scores; [`Problem::NoSeparation`] when the labelled classes are the same.
    pub fn new(labelled: &LabelledScores) -> Result<Self, Error> {
        Self::on(Bins::new(labelled).as_ref(), labelled)
    }

    /// The same on bins that have been made of the labelled scores; none where those are all the same.
    pub(crate) fn on(bins: Option<&Bins>, labelled: &LabelledScores) -> Result<Self, Error> {
        labelled.scores().try_map(|class, scores| match scores.len() {
            n if n < LEAST => Err(Problem::TooFewToCheck { class, n, needed: LEAST }),
            _ => Ok(()),
        })?;
        labelled.effective_counts().try_map(|class, effective| match *effective {
            effective if effective < LEAST as f64 => Err(Problem::TooUnevenToCheck { class, effective, needed: LEAST }),
            _ => Ok(()),
        })?;
        let grid = Grid::new(bins.ok_or(Problem::TooFewDifferent)?)?;
        let effective = labelled.effective_counts();
        let spread = ScatterMatrices::new(&grid, effective);
        let sizes = labelled.design().map_or(effective, |design| spread.sizes(&grid, labelled.scores(), design));
        let numbers =
            grid.edges.iter().chain(grid.rates.positive.iter().copied()).chain(grid.rates.negative.iter().copied());
        let owner = checksum(numbers.chain([sizes.positive, sizes.negative]).flat_map(f64::to_le_bytes));
        Ok(Self { grid, sizes, spread, owner })
    }

    /// An empty tally, of constant size.
    pub fn tally(&self) -> ShiftTally {
        ShiftTally::new(self.owner, vec![0; self.grid.len() + 1])
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn spread(&self) -> &ScatterMatrices {
        &self.spread
    }

    /// What marks its tallies.
    pub(crate) fn owner(&self) -> u64 {
        self.owner
    }

    /// The tally with these plain numbers.
    ///
    /// # Errors
    /// [`Problem::NotATally`] for numbers that no tally of this check has.
    pub fn tally_from(&self, plain: PlainTally) -> Result<ShiftTally, Error> {
        let empty = TallyState::Counts(BinCounts::new(self.grid.len() + 1));
        let TallyState::Counts(counts) = plain.into_state("the shift check", &empty)? else {
            unreachable!("counts stay counts")
        };
        Ok(ShiftTally::new(self.owner, counts.iter().collect()))
    }

    /// Adds test scores to a tally. Probabilities are ignored; of the weights it only matters whether they are 0, as
    /// such scores do not count.
    ///
    /// # Errors
    /// [`Problem::NotFinite`]; [`Problem::OtherTally`] if the tally is not from [`tally`](Self::tally). The tally is then
    /// unchanged.
    pub fn update<'a>(&self, tally: &mut ShiftTally, batch: impl Into<Batch<'a>>) -> Result<(), Error> {
        let batch = batch.into();
        tally.counts(self.owner)?;
        if batch.weights.is_some() {
            // Those of weight 0 are not counted, but must be numbers too.
            Error::unless_finite(batch.scores)?;
        }
        self.add(tally, &batch)
    }

    /// The same for a batch whose scores of weight 0 are finite.
    ///
    /// # Errors
    /// [`Problem::NotFinite`], [`Problem::OtherTally`]; the tally is then unchanged.
    pub(crate) fn add(&self, tally: &mut ShiftTally, batch: &Batch) -> Result<(), Error> {
        let counts = tally.counts_mut(self.owner)?;
        let add = |bin: usize, n| counts[bin] += n;
        let finite = match batch.weights {
            None => self.grid.edges.count(batch.scores, add),
            Some(weights) => {
                let counting = batch.scores.iter().zip(weights).filter(|(_, w)| **w > 0.0).map(|(s, _)| *s);
                self.grid.edges.count(&counting.collect::<Vec<f64>>(), add)
            }
        };
        if finite { Ok(()) } else { Err(Error::first_not_finite(batch.scores)) }
    }

    /// The test of prior probability shift.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`] when nothing was pushed; [`Problem::OtherTally`] if the tally is not from
    /// [`tally`](Self::tally).
    pub fn test(&self, tally: &ShiftTally) -> Result<ShiftStatistics, Error> {
        let fit = self.fit(tally)?;
        let form = self.spread.at(fit.factors);
        let (statistic, p_value) = if fit.total <= ROUNDING {
            (0.0, 1.0)
        } else {
            (fit.total / form.expectation(), form.law().upper_tail(fit.total))
        };
        let misfit = fit.misfit(form.expectation(), &self.grid.distance);
        Ok(ShiftStatistics { n: fit.n, statistic, p_value, prevalence: fit.prevalence, misfit })
    }

    /// The warning for an estimate, if p < 0.01/m, where m is the number of test sets checked together (Bonferroni): a
    /// false alarm among all of them has a probability of at most 1 %.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`] when nothing was pushed; [`Problem::OtherTally`] if the tally is not from
    /// [`tally`](Self::tally).
    pub fn warning(&self, tally: &ShiftTally, test_sets: usize) -> Result<Option<Warning>, Error> {
        Ok(self.assess(tally, test_sets)?.warning(false))
    }

    /// How far the test scores are from a mixture, and what it means for an estimate.
    ///
    /// # Errors
    /// Those of [`warning`](Self::warning).
    pub(crate) fn assess(&self, tally: &ShiftTally, test_sets: usize) -> Result<Assessed, Error> {
        let level = ALARM / test_sets as f64;
        let fit = self.fit(tally)?;
        let [sum, squares, cubes] = self.spread.cumulants(fit.factors);
        let misfit = fit.misfit(sum, &self.grid.distance);
        // Most test sets are far from an alarm, which is cheap to see.
        if approximate_upper_tail([sum, squares, cubes], fit.total) > FAR * level {
            return Ok(Assessed { misfit, alarm: None });
        }
        let p_value = self.test(tally)?.p_value;
        if p_value >= level {
            return Ok(Assessed { misfit, alarm: None });
        }
        let scale = Scale { factor: misfit.scale, freedom: sum * sum / squares };
        let warning = Warning::PriorShiftRejected { p_value, worst: self.worst(tally)?, scale: misfit.scale };
        Ok(Assessed { misfit, alarm: Some(Alarm { scale, warning }) })
    }

    /// The interval most clearly holding more test scores than the nearest mixture predicts: of all intervals between
    /// two edges, outer ends included, the one whose excess is the most standard errors. A standard error is at least
    /// one test score.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`] when nothing was pushed; [`Problem::OtherTally`] if the tally is not from
    /// [`tally`](Self::tally).
    pub fn worst(&self, tally: &ShiftTally) -> Result<Excess, Error> {
        let fit = self.fit(tally)?;
        let form = self.spread.at(fit.factors);
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
        let least = (fit.n as f64).recip();
        let mut worst = Excess { from: ends[0], to: ends[m + 1], share: 0.0, se: least };
        for l in 1..=m + 1 {
            for k in 0..l {
                let share = deviation(k) - deviation(l);
                let variance = covariance(k, k) + covariance(l, l) - 2.0 * covariance(k, l);
                let se = variance.max(0.0).sqrt().max(least);
                if share / se > worst.share / worst.se {
                    worst = Excess { from: ends[k], to: ends[l], share, se };
                }
            }
        }
        Ok(worst)
    }

    /// Adjusted Count at every edge where the labelled rates differ by at least three standard errors: flat under prior
    /// probability shift, up to sampling error.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`] when nothing was pushed; [`Problem::OtherTally`] if the tally is not from
    /// [`tally`](Self::tally).
    pub fn curve(&self, tally: &ShiftTally) -> Result<Vec<AdjustedCountAt>, Error> {
        let NearestMixture { prevalence, factors, deviations, .. } = self.fit(tally)?;
        let rates = &self.grid.rates;
        let points = self.grid.edges.iter().enumerate().filter_map(|(k, theta)| {
            let variance = |rate: f64, n: f64| rate * (1.0 - rate) * n / (n - 1.0);
            let positive = variance(rates.positive[k], self.sizes.positive);
            let negative = variance(rates.negative[k], self.sizes.negative);
            let (j, noise) = (self.grid.distance[k], positive / self.sizes.positive + negative / self.sizes.negative);
            (j > 0.0 && j >= TOLD_APART * noise.sqrt()).then(|| AdjustedCountAt {
                theta,
                prevalence: prevalence + deviations[k] / j,
                se: (factors.positive * positive + factors.negative * negative).sqrt() / j,
            })
        });
        Ok(points.collect())
    }

    pub(super) fn fit(&self, tally: &ShiftTally) -> Result<NearestMixture, Error> {
        let counts = tally.counts(self.owner)?;
        let n = tally.n();
        if n == 0 {
            return Err(Problem::NoTestScores.into());
        }
        let Grid { rates, distance, weights, .. } = &self.grid;
        let above: Vec<f64> = at_or_above(&counts.iter().map(|n| *n as f64).collect::<Vec<_>>())
            .iter()
            .zip(&rates.negative)
            .map(|(cc, rate)| cc - rate)
            .collect();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(weights).map(|((a, b), w)| w * a * b).sum::<f64>();
        let prevalence = product(&above, distance) / product(distance, distance);
        let deviations: Vec<f64> = above.iter().zip(distance).map(|(y, j)| y - prevalence * j).collect();
        let total = product(&deviations, &deviations);
        // The law is that of the nearest mixture with a prevalence in [0, 1]. A class never counts as wholly absent: it
        // keeps half a score, so that its own sampling error is not forgotten.
        let half = 0.5 / n as f64;
        let alpha = prevalence.clamp(half, 1.0 - half);
        let factor = |share: f64, labelled: f64| share / n as f64 + share * share / labelled;
        let factors = PerClass {
            positive: factor(alpha, self.sizes.positive),
            negative: factor(1.0 - alpha, self.sizes.negative),
        };
        Ok(NearestMixture { n, prevalence, deviations, total, factors })
    }
}

/// The mixture nearest to a tally.
pub(super) struct NearestMixture {
    n: u64,
    pub(super) prevalence: f64,
    /// D.
    deviations: Vec<f64>,
    /// T.
    pub(super) total: f64,
    /// a and b of the law.
    pub(super) factors: PerClass<f64>,
}

impl NearestMixture {
    /// How far the nearest mixture is, from E T.
    fn misfit(&self, expectation: f64, distance: &[f64]) -> Misfit {
        let square = if self.total > ROUNDING { (self.total / expectation).max(1.0) } else { 1.0 };
        // From the nearest with shares between 0 and 1, between which and the scores the largest excess is at most 1.
        let beyond = self.prevalence - self.prevalence.clamp(0.0, 1.0);
        let deviations = self.deviations.iter().zip(distance).map(|(d, j)| d + beyond * j);
        let (low, high) = deviations.fold((0.0, 0.0), |(low, high): (f64, f64), d| (low.min(d), high.max(d)));
        Misfit { scale: square.sqrt(), unexplained: (high - low) * (1.0 - square.recip()).sqrt(), more: 0.0 }
    }
}
