//! Comparison of the classifiers of several folds.
//!
//! If the labelled scores are out-of-fold scores, each fold has its own classifier, while test
//! scores come from all of these classifiers or from another one. The test of whether the
//! classifiers score alike is
//!
//! ```text
//! T = Σ_c Σ_k n_ck Σ_e W_e [F̂_ck(θ_e) − F̂_c(θ_e)]²
//! ```
//!
//! over classes c, folds k and the edges of the shift check with its weights. This is Anderson and
//! Darling's statistic for k samples (Scholz and Stephens 1987), summed over the classes. If rows
//! were assigned to folds at random, T is distributed as Σ λ_j χ²₁ for large samples. The λ_j are
//! the eigenvalues of W^½ C_c W^½ of each class, each K_c − 1 times, with K_c the number of folds
//! with rows of the class.
//!
//! A second question is how far the scores of one more such classifier are from a mixture. Scores
//! from fold k's classifier would deviate by δ_k = α(F₊k − F₊) + (1−α)(F₋k − F₋), less the
//! projection from estimating α̃. M is the mean of |δ_k|² less its sampling variance, times
//! (K+1)/(K−1), as the mean over folds includes each fold, but not one more classifier. The
//! distribution of the misfit T is then the shift check's with M as one more weight. A single
//! weight assumes deviations of one kind, such as an offset, and so the longest tail.

use super::ShiftTally;
use super::grid::{Grid, at_or_above};
use super::sampling_distribution::{estimated_direction, weighted_covariance};
use super::shift::ShiftCheck;
use crate::numeric::weighted_chi_squares::{self, WeightedChiSquares, dot};
use crate::{Error, PerClass};

/// The smallest number of folds that can be compared.
const MIN_FOLDS: usize = 2;

/// The level of both tests: that folds differ, and that a misfit is larger than differences of
/// folds explain.
const LEVEL: f64 = 0.01;

/// The number of power iterations: three digits of the largest eigenvalue are enough.
const ITERATIONS: usize = 30;

/// The labelled scores of each fold, compared with all labelled scores.
#[derive(Clone, Debug)]
pub struct FoldComparison {
    /// The number of folds.
    pub folds: usize,
    /// The test statistic T (Anderson and Darling's for several samples) over its expectation if the
    /// folds do not differ: then about 1.
    pub statistic: f64,
    /// The probability of a T at least as large if the folds do not differ.
    pub p_value: f64,
    /// The deviations of each fold with rows of both classes.
    deviations: Vec<FoldDeviation>,
}

/// The deviation of a fold's labelled scores from all labelled scores.
#[derive(Clone, Debug)]
struct FoldDeviation {
    /// √W (F̂_ck − F̂_c) at every edge.
    by_edge: PerClass<Vec<f64>>,
    /// 1/n_ck − 1/n_c.
    noise: PerClass<f64>,
}

impl FoldComparison {
    /// Returns whether the folds' classifiers score differently.
    pub fn differ(&self) -> bool {
        self.p_value < LEVEL
    }
}

/// The scores of a class, counted by fold and bin.
struct FoldCounts {
    /// The counts of each fold; `None` for a fold without rows of the class.
    by_fold: Vec<Option<Vec<f64>>>,
    total: Vec<f64>,
}

impl FoldCounts {
    fn new(grid: &Grid, folds: usize, rows: impl Iterator<Item = (f64, u32)>) -> Self {
        let mut counts = vec![vec![0.0; grid.len() + 1]; folds];
        for (score, fold) in rows {
            counts[fold as usize][grid.edges.at_or_below(score)] += 1.0;
        }
        let total = (0..=grid.len()).map(|bin| counts.iter().map(|fold| fold[bin]).sum()).collect();
        let by_fold = counts.into_iter().map(|fold| fold.iter().any(|n| *n > 0.0).then_some(fold)).collect();
        Self { by_fold, total }
    }

    /// Returns the number of folds with rows of the class.
    fn folds(&self) -> usize {
        self.by_fold.iter().flatten().count()
    }

    /// Returns √W (F̂_ck − F̂_c) and 1/n_ck − 1/n_c for each fold with rows of the class.
    fn deviations<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = Option<(Vec<f64>, f64)>> + 'a {
        let rates = at_or_above(&self.total);
        let n: f64 = self.total.iter().sum();
        self.by_fold.iter().map(move |fold| {
            let fold = fold.as_ref()?;
            let by_edge = at_or_above(fold).into_iter().zip(&rates).zip(&grid.weights);
            Some((
                by_edge.map(|((f, all), w)| w.sqrt() * (f - all)).collect(),
                fold.iter().sum::<f64>().recip() - n.recip(),
            ))
        })
    }
}

impl ShiftCheck {
    /// Compares the labelled scores of the folds; `None` if neither class has scores of two folds.
    ///
    /// `folds` has the number of each score's fold, from 0.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`](crate::Problem::LengthMismatch) if a class has more or fewer
    /// fold numbers than scores.
    pub fn folds(
        &self,
        scores: &PerClass<Vec<f64>>,
        folds: &PerClass<Vec<u32>>,
    ) -> Result<Option<FoldComparison>, Error> {
        let grid = self.grid();
        for (scores, folds) in [(&scores.positive, &folds.positive), (&scores.negative, &folds.negative)] {
            Error::unless_equal(("folds", folds.len(), scores.len()))?;
        }
        let number = folds.positive.iter().chain(&folds.negative).max().map_or(0, |max| *max as usize + 1);
        let PerClass { positive, negative } = scores.zip_map(folds, |scores, folds| {
            FoldCounts::new(grid, number, scores.iter().copied().zip(folds.iter().copied()))
        });
        if positive.folds() < MIN_FOLDS && negative.folds() < MIN_FOLDS {
            return Ok(None);
        }
        let (mut total, mut law) = (0.0, WeightedChiSquares { cumulants: [0.0; 3], largest: 0.0 });
        for class in [&positive, &negative] {
            let n: f64 = class.total.iter().sum();
            // n_ck |δ|², with 1/n_ck = noise + 1/n_c.
            total += class.deviations(grid).flatten().map(|(d, noise)| dot(&d, &d) / (noise + n.recip())).sum::<f64>();
            let class_law = weighted_chi_squares::quadratic_form_distribution(
                &weighted_covariance(&at_or_above(&class.total), n, &grid.weights),
                grid.len(),
                ITERATIONS,
            );
            let multiplicity = class.folds().saturating_sub(1) as f64;
            law.cumulants.iter_mut().zip(class_law.cumulants).for_each(|(sum, c)| *sum += multiplicity * c);
            law.largest = if multiplicity > 0.0 { law.largest.max(class_law.largest) } else { law.largest };
        }
        let (statistic, p_value) = (total / law.cumulants[0], law.upper_tail(total));
        let by_class = positive.deviations(grid).zip(negative.deviations(grid));
        let deviations = by_class.filter_map(|(positive, negative)| {
            let ((positive, positive_noise), (negative, negative_noise)) = (positive?, negative?);
            Some(FoldDeviation {
                by_edge: PerClass { positive, negative },
                noise: PerClass { positive: positive_noise, negative: negative_noise },
            })
        });
        let folds = positive.folds().max(negative.folds());
        Ok(Some(FoldComparison { folds, statistic, p_value, deviations: deviations.collect() }))
    }

    /// Returns whether the folds' classifiers score differently and this explains the misfit: the
    /// test scores are no further from a mixture than the scores of one more such classifier may
    /// be.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`](crate::Problem::NoTestScores) for an empty tally and
    /// [`Problem::TallyModelMismatch`](crate::Problem::TallyModelMismatch) for
    /// a tally of another check.
    pub fn is_explained_by_folds(&self, tally: &ShiftTally, folds: &FoldComparison) -> Result<bool, Error> {
        let number = folds.deviations.len();
        if !folds.differ() || number < MIN_FOLDS {
            return Ok(false);
        }
        let fit = self.fit(tally)?;
        let alpha = fit.prevalence.clamp(0.0, 1.0);
        let direction = estimated_direction(self.grid());
        let traces = self.scatter().traces();
        let squared_deviation = |fold: &FoldDeviation| {
            let PerClass { positive, negative } = &fold.by_edge;
            let delta: Vec<f64> = positive.iter().zip(negative).map(|(p, n)| alpha * p + (1.0 - alpha) * n).collect();
            let noise = alpha * alpha * fold.noise.positive * traces.positive
                + (1.0 - alpha).powi(2) * fold.noise.negative * traces.negative;
            dot(&delta, &delta) - dot(&delta, &direction).powi(2) - noise
        };
        let mean = folds.deviations.iter().map(squared_deviation).sum::<f64>() / number as f64;
        let between = (mean * (number + 1) as f64 / (number - 1) as f64).max(0.0);
        let mut law = self.scatter().form(self.grid(), &fit.pooled).law();
        law.cumulants.iter_mut().zip(1..).for_each(|(c, power)| *c += between.powi(power));
        law.largest = law.largest.max(between);
        Ok(law.upper_tail(fit.total) >= LEVEL)
    }
}
