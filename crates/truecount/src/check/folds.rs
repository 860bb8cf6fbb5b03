//! Do the classifiers of several folds score alike? Where labelled scores are out-of-fold scores, each fold's are those of its own
//! classifier, and test scores are of all of them or of yet another.
//!
//! ```text
//! T = Σ_c Σ_k n_ck Σ_e W_e [F̂_ck(θ_e) − F̂_c(θ_e)]²
//! ```
//!
//! over classes c, folds k and the edges of the shift check with its weights: Anderson and Darling's statistic for k samples (Scholz and
//! Stephens 1987) in each class, added up. If rows were dealt to the folds at random, then for large samples T is Σ λ_j χ²₁ with the
//! eigenvalues of W^½ C_c W^½ of each class, each K_c − 1 times, K_c the number of folds with rows of the class.
//!
//! How far one more such classifier is from a mixture: fold k's classifier would be off by δ_k = α(F₊k − F₊) + (1−α)(F₋k − F₋), less what
//! estimating α̃ takes out, which is known but for sampling; with M the mean of |δ_k|² less what sampling adds to it, times (K+1)/(K−1), as
//! the folds' own mean is in the midst of them and one more classifier is not. The law of the misfit T is then that of the shift
//! check with M as one more weight: deviations of one kind, such as an offset, which have the longest tail.

use super::ShiftTally;
use super::grid::{Grid, at_or_above};
use super::shift::ShiftCheck;
use super::spread::{direction, weighted};
use crate::numeric::weighted_chi_squares::{self, WeightedChiSquares, dot};
use crate::{Error, PerClass, Problem};

/// With fewer folds, nothing can be compared.
const LEAST: usize = 2;

/// The p-value below which folds are said to differ, and a misfit is more than theirs.
const LEVEL: f64 = 0.01;

/// Power iterations: of the largest eigenvalue three digits do.
const ITERATIONS: usize = 30;

/// The labelled scores of each fold beside those of all.
#[derive(Clone, Debug)]
pub struct Folds {
    /// The number of folds.
    pub folds: usize,
    /// T over its expectation for folds that are alike: then about 1.
    pub statistic: f64,
    /// The probability of a T at least as large then.
    pub p_value: f64,
    /// Of folds with rows of both classes.
    apart: Vec<Apart>,
}

/// How far a fold's labelled scores are from all labelled scores.
#[derive(Clone, Debug)]
struct Apart {
    /// √W (F̂_ck − F̂_c) at every edge.
    deviations: PerClass<Vec<f64>>,
    /// 1/n_ck − 1/n_c.
    noise: PerClass<f64>,
}

impl Folds {
    /// Whether the folds' classifiers do not score alike.
    pub fn differ(&self) -> bool {
        self.p_value < LEVEL
    }
}

/// The scores of a class, counted by fold and bin.
struct FoldCounts {
    /// Of folds with rows of the class, by the number of the fold.
    of: Vec<Option<Vec<f64>>>,
    all: Vec<f64>,
}

impl FoldCounts {
    fn new(grid: &Grid, folds: usize, rows: impl Iterator<Item = (f64, u32)>) -> Self {
        let mut counts = vec![vec![0.0; grid.len() + 1]; folds];
        for (score, fold) in rows {
            counts[fold as usize][grid.edges.at_or_below(score)] += 1.0;
        }
        let all = (0..=grid.len()).map(|bin| counts.iter().map(|fold| fold[bin]).sum()).collect();
        let of = counts.into_iter().map(|fold| fold.iter().any(|n| *n > 0.0).then_some(fold)).collect();
        Self { of, all }
    }

    fn folds(&self) -> usize {
        self.of.iter().flatten().count()
    }

    /// √W (F̂_ck − F̂_c) and 1/n_ck − 1/n_c of each fold with rows of the class.
    fn apart<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = Option<(Vec<f64>, f64)>> + 'a {
        let rates = at_or_above(&self.all);
        let n: f64 = self.all.iter().sum();
        self.of.iter().map(move |fold| {
            let fold = fold.as_ref()?;
            let each = at_or_above(fold).into_iter().zip(&rates).zip(&grid.weights);
            Some((
                each.map(|((f, all), w)| w.sqrt() * (f - all)).collect(),
                fold.iter().sum::<f64>().recip() - n.recip(),
            ))
        })
    }
}

impl ShiftCheck {
    /// Compares the labelled scores of folds, given the number of each score's fold (from 0); `None` where neither class has scores of two.
    ///
    /// # Errors
    /// [`Problem::LengthMismatch`] where a class has other than one number for each score.
    pub fn folds(&self, scores: &PerClass<Vec<f64>>, folds: &PerClass<Vec<u32>>) -> Result<Option<Folds>, Error> {
        let grid = self.grid();
        for (scores, folds) in [(&scores.positive, &folds.positive), (&scores.negative, &folds.negative)] {
            if scores.len() != folds.len() {
                return Err(
                    Problem::LengthMismatch { column: "folds", values: folds.len(), others: scores.len() }.into()
                );
            }
        }
        let number = folds.positive.iter().chain(&folds.negative).max().map_or(0, |most| *most as usize + 1);
        let counted = |scores: &[f64], folds: &[u32]| {
            FoldCounts::new(grid, number, scores.iter().copied().zip(folds.iter().copied()))
        };
        let positive = counted(&scores.positive, &folds.positive);
        let negative = counted(&scores.negative, &folds.negative);
        if positive.folds() < LEAST && negative.folds() < LEAST {
            return Ok(None);
        }
        let (mut total, mut law) = (0.0, WeightedChiSquares { cumulants: [0.0; 3], largest: 0.0 });
        for class in [&positive, &negative] {
            let n: f64 = class.all.iter().sum();
            // n_ck |δ|², with 1/n_ck the noise plus 1/n_c.
            total += class.apart(grid).flatten().map(|(d, noise)| dot(&d, &d) / (noise + n.recip())).sum::<f64>();
            let one = weighted_chi_squares::quadratic_form_distribution(
                &weighted(&at_or_above(&class.all), n, &grid.weights),
                grid.len(),
                ITERATIONS,
            );
            let times = class.folds().saturating_sub(1) as f64;
            law.cumulants.iter_mut().zip(one.cumulants).for_each(|(sum, c)| *sum += times * c);
            law.largest = if times > 0.0 { law.largest.max(one.largest) } else { law.largest };
        }
        let (statistic, p_value) = (total / law.cumulants[0], law.upper_tail(total));
        let both = positive.apart(grid).zip(negative.apart(grid));
        let apart = both.filter_map(|(positive, negative)| {
            let ((positive, of_positive), (negative, of_negative)) = (positive?, negative?);
            Some(Apart {
                deviations: PerClass { positive, negative },
                noise: PerClass { positive: of_positive, negative: of_negative },
            })
        });
        Ok(Some(Folds { folds: positive.folds().max(negative.folds()), statistic, p_value, apart: apart.collect() }))
    }

    /// Whether the folds' classifiers do not score alike and the test scores are no further from a mixture than those of one more such
    /// classifier may be.
    ///
    /// # Errors
    /// [`Problem::NoTestScores`], [`Problem::OtherTally`].
    pub fn is_explained(&self, tally: &ShiftTally, folds: &Folds) -> Result<bool, Error> {
        let number = folds.apart.len();
        if !folds.differ() || number < LEAST {
            return Ok(false);
        }
        let fit = self.fit(tally)?;
        let alpha = fit.prevalence.clamp(0.0, 1.0);
        let direction = direction(self.grid());
        let traces = self.spread().traces();
        let squared = |fold: &Apart| {
            let PerClass { positive, negative } = &fold.deviations;
            let off: Vec<f64> = positive.iter().zip(negative).map(|(p, n)| alpha * p + (1.0 - alpha) * n).collect();
            let noise = alpha * alpha * fold.noise.positive * traces.positive
                + (1.0 - alpha).powi(2) * fold.noise.negative * traces.negative;
            dot(&off, &off) - dot(&off, &direction).powi(2) - noise
        };
        let mean = folds.apart.iter().map(squared).sum::<f64>() / number as f64;
        let between = (mean * (number + 1) as f64 / (number - 1) as f64).max(0.0);
        let mut law = self.spread().at(fit.factors).law();
        law.cumulants.iter_mut().zip(1..).for_each(|(c, power)| *c += between.powi(power));
        law.largest = law.largest.max(between);
        Ok(law.upper_tail(fit.total) >= LEVEL)
    }
}
