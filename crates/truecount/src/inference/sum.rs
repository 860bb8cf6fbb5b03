//! Weighted sums of estimates that rest on the same labelled scores: totals with known weights, and
//! all but one of several groups.
//!
//! ```text
//! A = Σ W_h α_h,        V = Σ W_h² V_h + Σ_jk [a_j a_k C₊_jk + b_j b_k C₋_jk],
//! a_j = Σ W_h α_h,      b_j = Σ W_h (1 − α_h)
//! ```
//!
//! V_h is the variance from the group's test scores, C± the training covariance of the functions j
//! and k, and a_j and b_j sum over the groups with estimates by the function j. A sum of any number
//! of groups keeps only these few numbers, so that groups can be added and subtracted.
//!
//! An interval needs V as a function of A. Towards 0 all α_h shrink in proportion, and towards 1
//! all 1 − α_h do, so that V is a quadratic in A on either side. It is the quadratic of a single
//! estimate if there is a single group, or if groups with the same function are weighted by their
//! numbers of test scores.
//!
//! Groups whose test scores share clusters have correlated sampling errors (`inference::error_contributions`).
//! The covariances multiply the variance from the test scores by 1 + ΣΣ W_h W_j Cov_hj/Σ W_h² V_h, h ≠
//! j, at every prevalence.

use super::error_contributions::ErrorContributions;
use super::precision::{Precision, VarianceBasis};
use super::quadratic::Quadratic;
use super::skewness::SkewnessCorrection;
use super::{EstimateDistribution, SystematicError, TestSamplingError, Variance, VarianceComponents};
use crate::PerClass;
use std::sync::Arc;

/// Influence functions in blocks. Functions of one block rest on the same labelled scores, and
/// blocks are independent.
#[derive(Clone, Debug)]
pub(crate) struct FunctionBlocks(pub(crate) Vec<FunctionBlock>);

/// Influence functions that rest on the same labelled scores.
#[derive(Clone, Debug)]
pub(crate) struct FunctionBlock(pub(crate) Vec<FunctionErrors>);

/// The precision of an influence function, and its training covariances.
#[derive(Clone, Debug)]
pub(crate) struct FunctionErrors {
    pub(crate) precision: Precision,
    /// The training covariances with each function of the block.
    pub(crate) covariances: Vec<TrainingCovariance>,
}

/// The training covariances of the class means of two functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrainingCovariance {
    pub(crate) positive: f64,
    pub(crate) negative: f64,
    /// The covariance of the positives' mean of the first and the negatives' mean of the second
    /// function, if clusters hold both classes.
    pub(crate) between: f64,
}

/// The position of an influence function in [`FunctionBlocks`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FunctionIndex {
    pub(crate) block: usize,
    pub(crate) function: usize,
}

/// An estimate by one influence function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) index: FunctionIndex,
    pub(crate) raw: f64,
    /// The effective number of test scores.
    pub(crate) n: f64,
    /// The w²-weighted prevalence less the w-weighted one.
    pub(crate) shift: f64,
    /// The finite population correction.
    pub(crate) fpc: f64,
    /// The degrees of freedom of the test scores' contribution.
    pub(crate) test_dof: f64,
    /// The systematic error that misfit adds.
    pub(crate) systematic: SystematicError,
    /// The sources of the sampling error, if the test scores have a sampling design.
    pub(crate) contributions: Option<Arc<ErrorContributions>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightedSum {
    blocks: Vec<Vec<FunctionSums>>,
    population: PopulationSums,
    misfit: MisfitSums,
    contributions: ErrorContributions,
}

/// Sums over the estimates by one function, with W the weight of an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct FunctionSums {
    /// ΣW.
    weight: f64,
    /// ΣWα.
    positive: f64,
    /// ΣW²/n.
    square: f64,
    /// ΣW²α/n.
    square_positive: f64,
    /// ΣW²δ/n, δ the shift of an estimate.
    square_shift: f64,
}

/// Sums over all estimates, from which Σ(W²/n)(h(1 − h) + δ(1 − 2h)) follows, h the clipped
/// estimate. The sums of squares have the finite population correction as a factor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PopulationSums {
    /// ΣW.
    weight: f64,
    /// ΣWh.
    clipped: f64,
    /// ΣW²/n.
    square: f64,
    /// ΣW²h/n.
    square_clipped: f64,
    /// ΣW²h²/n.
    square_clipped_square: f64,
    /// ΣW²δ/n.
    square_shift: f64,
    /// ΣW²δh/n.
    square_shift_clipped: f64,
    /// The variance from sampled weights.
    sampled_weights: f64,
    /// Σ(W²V)²/f, with V the variance from test scores in clusters and f its degrees of freedom.
    quartic: f64,
}

/// Sums over independent systematic errors with variances E and degrees of freedom f.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct MisfitSums {
    /// ΣW²E.
    variance: f64,
    /// Σ(W²E)²/f.
    quartic: f64,
}

impl FunctionBlocks {
    /// The training covariance of two estimates.
    pub(crate) fn training_covariance(&self, a: &Term, b: &Term) -> f64 {
        if a.index.block != b.index.block {
            return 0.0;
        }
        let functions = &self.0[a.index.block].0;
        let (j, k) = (a.index.function, b.index.function);
        let TrainingCovariance { positive, negative, between } = &functions[j].covariances[k];
        let between_swapped = functions[k].covariances[j].between;
        let (alpha, beta) = (a.raw.clamp(0.0, 1.0), b.raw.clamp(0.0, 1.0));
        alpha * beta * positive
            + (1.0 - alpha) * (1.0 - beta) * negative
            + alpha * (1.0 - beta) * between
            + (1.0 - alpha) * beta * between_swapped
    }

    /// The covariance of the unseen errors of two estimates.
    pub(crate) fn unseen_covariance(&self, a: &Term, b: &Term) -> f64 {
        if a.index.block != b.index.block {
            return 0.0;
        }
        let block = &self.0[a.index.block];
        let PerClass { positive, negative } = block.unseen_covariance(a.index.function, b.index.function);
        let (alpha, beta) = (a.raw.clamp(0.0, 1.0), b.raw.clamp(0.0, 1.0));
        alpha * beta * positive + (1.0 - alpha) * (1.0 - beta) * negative
    }

    /// The degrees of freedom of the least certain class mean.
    pub(crate) fn min_dof(&self) -> f64 {
        let dof = |block: &FunctionBlock| block.basis().map_or(f64::INFINITY, |basis| basis.min_dof());
        self.0.iter().map(dof).fold(f64::INFINITY, f64::min)
    }

    /// An empty sum of estimates by these functions.
    pub(crate) fn empty_sum(&self) -> WeightedSum {
        WeightedSum {
            blocks: self.0.iter().map(|block| vec![FunctionSums::default(); block.0.len()]).collect(),
            population: PopulationSums::default(),
            misfit: MisfitSums::default(),
            contributions: ErrorContributions::default(),
        }
    }
}

impl WeightedSum {
    pub(crate) fn add(&mut self, weight: f64, term: &Term, functions: &FunctionBlocks) {
        if term.test_dof.is_finite() {
            self.population.quartic += (weight * weight * term.test_error(functions).variance).powi(2) / term.test_dof;
        }
        if let Some(contributions) = &term.contributions {
            self.contributions.add_times(weight, weight * weight, contributions);
        }
        let error = weight * weight * term.systematic.variance;
        self.misfit.variance += error;
        self.misfit.quartic += error * error / term.systematic.dof;
        let square = weight * weight / term.n;
        let (raw, shift) = (term.raw, term.shift);
        self.blocks[term.index.block][term.index.function].add(&FunctionSums {
            weight,
            positive: weight * raw,
            square,
            square_positive: square * raw,
            square_shift: square * shift,
        });
        let (clipped, square) = (raw.clamp(0.0, 1.0), square * term.fpc);
        self.population.add(&PopulationSums {
            weight,
            clipped: weight * clipped,
            square,
            square_clipped: square * clipped,
            square_clipped_square: square * clipped * clipped,
            square_shift: square * shift,
            square_shift_clipped: square * shift * clipped,
            sampled_weights: 0.0,
            quartic: 0.0,
        });
    }

    /// Sets the variance of the mean from weights that are shares of a sample: ΣW(α_h − α)²/n.
    pub(crate) fn with_sampled_weights(mut self, variance: f64) -> Self {
        self.population.sampled_weights = variance * self.weight().powi(2);
        self
    }

    pub(crate) fn add_mean(&mut self, weight: f64, other: &Self) {
        self.add_times(weight / other.weight(), (weight / other.weight()).powi(2), other);
    }

    /// Subtracts what [`add_mean`](Self::add_mean) has added.
    pub(crate) fn subtract_mean(&mut self, weight: f64, other: &Self) {
        self.add_times(-weight / other.weight(), -(weight / other.weight()).powi(2), other);
    }

    fn add_times(&mut self, factor: f64, square: f64, other: &Self) {
        for (functions, others) in self.blocks.iter_mut().zip(&other.blocks) {
            functions.iter_mut().zip(others).for_each(|(sums, other)| sums.add(&other.times(factor, square)));
        }
        self.population.add(&other.population.times(factor, square));
        self.misfit.variance += square * other.misfit.variance;
        self.misfit.quartic += square * square.abs() * other.misfit.quartic;
        self.contributions.add_times(factor, square, &other.contributions);
    }

    /// The systematic error of the mean, from an independent misfit of each group.
    fn systematic(&self) -> SystematicError {
        let MisfitSums { variance, quartic } = self.misfit;
        if variance > 0.0 && quartic > 0.0 {
            SystematicError { variance: variance / self.weight().powi(2), dof: variance * variance / quartic }
        } else {
            SystematicError::NONE
        }
    }

    /// ΣW.
    pub(crate) fn weight(&self) -> f64 {
        self.population.weight
    }

    /// The mean A/ΣW.
    pub(crate) fn raw(&self) -> f64 {
        self.functions().map(|sums| sums.positive).sum::<f64>() / self.weight()
    }

    /// The effective number of scores, (ΣW)²/Σ(W²/n).
    pub(crate) fn effective_n(&self) -> f64 {
        self.weight().powi(2) / self.functions().map(|sums| sums.square).sum::<f64>()
    }

    fn functions(&self) -> impl Iterator<Item = &FunctionSums> {
        self.blocks.iter().flatten()
    }

    /// The training covariance of two means.
    pub(crate) fn training_covariance(&self, other: &Self, functions: &FunctionBlocks) -> f64 {
        let (scaling, other_scaling) = (self.clipping(), other.clipping());
        let blocks = self.blocks.iter().zip(&other.blocks).zip(&functions.0);
        let covariance = |((sums, others), block): ((&Vec<FunctionSums>, &Vec<FunctionSums>), &FunctionBlock)| {
            let (classes, between) = TrainingForms::new(sums, others, block).at(&scaling, &other_scaling);
            classes.sum() + between
        };
        blocks.map(covariance).sum::<f64>() / (self.weight() * other.weight())
    }

    /// The sampling error of the mean from the groups' test scores.
    pub(crate) fn test_error(&self, functions: &FunctionBlocks) -> TestSamplingError {
        let square = self.weight().powi(2);
        let ratio = self.shared_covariance_ratio(functions);
        let variance = |scaling: &Scaling| (1.0 + ratio) * self.test_variance(functions, scaling) / square;
        let sides = [Towards::Zero, Towards::One].map(|direction| {
            let at = |alpha: f64| {
                let scaling = self.scaling(direction, alpha);
                variance(&scaling) + self.unseen(functions, &scaling, VarianceBasis::unseen_in_test)
            };
            Quadratic::through(at(0.0), at(0.5), at(1.0))
        });
        let variance = variance(&self.clipping());
        let inverse_dof = self.population.quartic / (square * variance).powi(2);
        TestSamplingError {
            estimate: self.raw().clamp(0.0, 1.0),
            n: self.effective_n(),
            variance,
            sides,
            systematic: self.systematic(),
            dof: if inverse_dof > 0.0 { inverse_dof.recip() } else { f64::INFINITY },
        }
    }

    /// The covariance of the unseen errors of two means.
    pub(crate) fn unseen_covariance(&self, other: &Self, functions: &FunctionBlocks) -> f64 {
        let (scaling, other_scaling) = (self.clipping(), other.clipping());
        let covariance = |((sums, others), block): ((&Vec<FunctionSums>, &Vec<FunctionSums>), &FunctionBlock)| {
            let (errors, others) = (block.unseen_errors(sums, &scaling), block.unseen_errors(others, &other_scaling));
            errors.positive * others.positive + errors.negative * others.negative
        };
        let blocks = self.blocks.iter().zip(&other.blocks).zip(&functions.0);
        blocks.map(covariance).sum::<f64>() / (self.weight() * other.weight())
    }

    /// The sampling distribution of the mean.
    pub(crate) fn distribution(&self, functions: &FunctionBlocks) -> EstimateDistribution {
        let (raw, n, square) = (self.raw(), self.effective_n(), self.weight().powi(2));
        let ratio = self.shared_covariance_ratio(functions);
        let blocks = self.blocks.iter().zip(&functions.0);
        let training: Vec<TrainingForms> = blocks.map(|(sums, block)| TrainingForms::new(sums, sums, block)).collect();
        let variance = |scaling: &Scaling| {
            let covariances = training.iter().map(|forms| forms.at(scaling, scaling));
            let training: f64 = covariances.map(|(classes, between)| classes.sum() + between).sum();
            (training + (1.0 + ratio) * self.test_variance(functions, scaling)) / square
        };
        let sides = [Towards::Zero, Towards::One].map(|direction| {
            let at = |alpha: f64| {
                let scaling = self.scaling(direction, alpha);
                variance(&scaling) + self.unseen(functions, &scaling, VarianceBasis::unseen)
            };
            Quadratic::through(at(0.0), at(0.5), at(1.0))
        });
        let scaling = self.clipping();
        let variance = variance(&scaling);
        let (mut inverse_dof, mut corrections) = (0.0, Vec::new());
        for ((sums, block), training) in self.blocks.iter().zip(&functions.0).zip(&training) {
            let Some((share, alpha, basis)) = self.basis(sums, block, &scaling) else { continue };
            let (sampling, training) = (block.sampling(sums, &scaling), training.at(&scaling, &scaling).0);
            let classes = sampling.zip_map(&training, |sampling, training| (sampling + training) / square);
            inverse_dof += basis.dof(&classes, variance).recip();
            let fpc = self.population.square * n / square;
            corrections.push((share, SkewnessCorrection::new(&basis, fpc, alpha)));
        }
        inverse_dof += self.population.quartic / (square * variance).powi(2);
        let (systematic, dof) = (self.systematic(), inverse_dof.recip());
        let skewness = (!corrections.is_empty()).then(|| SkewnessCorrection::sum(corrections.into_iter()));
        EstimateDistribution { raw, n, variance, sides, systematic, dof, skewness, share_fraction: None }
    }

    /// The variance of the sum from the groups' test scores, as if no groups shared clusters, after a
    /// scaling of all prevalences.
    fn test_variance(&self, functions: &FunctionBlocks, scaling: &Scaling) -> f64 {
        let blocks = self.blocks.iter().zip(&functions.0);
        let sampling: f64 = blocks.map(|(sums, block)| block.sampling(sums, scaling).sum()).sum();
        sampling + self.population.variance(scaling)
    }

    /// The ratio of the covariances between groups that share clusters to the variance as if no groups
    /// shared any.
    fn shared_covariance_ratio(&self, functions: &FunctionBlocks) -> f64 {
        let covariance = self.contributions.covariance_of_terms();
        if covariance == 0.0 { 0.0 } else { covariance / self.test_variance(functions, &self.clipping()) }
    }

    /// The sources of the sampling error of the sum.
    pub(crate) fn contributions(&self) -> &ErrorContributions {
        &self.contributions
    }

    /// The variance of the unseen errors, or of a part of them, after a scaling of all prevalences.
    fn unseen(&self, functions: &FunctionBlocks, scaling: &Scaling, part: fn(&VarianceBasis) -> Quadratic) -> f64 {
        let variance = |(sums, block): (&Vec<FunctionSums>, &FunctionBlock)| {
            let (share, alpha, basis) = self.basis(sums, block, scaling)?;
            Some(share * share * part(&basis).at(alpha))
        };
        self.blocks.iter().zip(&functions.0).filter_map(variance).sum()
    }

    /// Returns a block's share of the weights, its mean, and the basis of its variance; `None` if
    /// the distributions are known.
    fn basis(
        &self,
        sums: &[FunctionSums],
        block: &FunctionBlock,
        scaling: &Scaling,
    ) -> Option<(f64, f64, VarianceBasis)> {
        let weight: f64 = sums.iter().map(|sums| sums.weight).sum();
        let largest = sums.iter().zip(&block.0).max_by(|(a, _), (b, _)| a.weight.total_cmp(&b.weight))?;
        let n = weight.powi(2) / sums.iter().map(|sums| sums.square).sum::<f64>();
        let basis = largest.1.precision.basis(n).filter(|_| weight != 0.0)?;
        let positive: f64 = sums.iter().map(|sums| scaling.positive(sums.weight, sums.positive)).sum();
        Some((weight / self.weight(), positive / weight, basis))
    }

    /// The scaling that clips the mean to [0, 1].
    fn clipping(&self) -> Scaling {
        let raw = self.raw();
        self.scaling(if raw > 0.0 { Towards::Zero } else { Towards::One }, raw.clamp(0.0, 1.0))
    }

    /// The scaling that moves the mean to alpha. If the mean is already at the end of its direction
    /// or beyond it, the scaling has the other direction.
    fn scaling(&self, direction: Towards, alpha: f64) -> Scaling {
        let (raw, clipped) = (self.raw(), self.population.clipped / self.weight());
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        match direction {
            Towards::One if raw < 1.0 => Scaling {
                direction: Towards::One,
                factor: (1.0 - alpha) / (1.0 - raw),
                clipped_factor: ratio(1.0 - alpha, 1.0 - clipped),
            },
            Towards::Zero if raw <= 0.0 => self.scaling(Towards::One, alpha),
            _ => Scaling { direction: Towards::Zero, factor: alpha / raw, clipped_factor: ratio(alpha, clipped) },
        }
    }
}

impl FunctionErrors {
    /// The variances of the class means from unseen errors.
    fn unseen(&self) -> PerClass<f64> {
        self.precision.basis(1.0).map_or_else(PerClass::default, |basis| basis.unseen_in_means())
    }
}

impl FunctionBlock {
    /// The standard error of the sum of the class means from unseen errors, which are the same scores
    /// for all functions, after a scaling of all prevalences.
    fn unseen_errors(&self, sums: &[FunctionSums], scaling: &Scaling) -> PerClass<f64> {
        let mut errors = PerClass::default();
        for (sums, function) in sums.iter().zip(&self.0) {
            let (positive, unseen) = (scaling.positive(sums.weight, sums.positive), function.unseen());
            errors.positive += positive * unseen.positive.sqrt();
            errors.negative += (sums.weight - positive) * unseen.negative.sqrt();
        }
        errors
    }

    /// The covariances of the class means of two functions from unseen errors.
    fn unseen_covariance(&self, j: usize, k: usize) -> PerClass<f64> {
        let (a, b) = (self.0[j].unseen(), self.0[k].unseen());
        PerClass { positive: (a.positive * b.positive).sqrt(), negative: (a.negative * b.negative).sqrt() }
    }

    /// The variance basis of the block's labelled scores, which is the same for all functions
    /// except for their precision.
    fn basis(&self) -> Option<VarianceBasis> {
        self.0.first()?.precision.basis(1.0)
    }

    /// The sampling variance of the test scores by class, given their classes.
    fn sampling(&self, sums: &[FunctionSums], scaling: &Scaling) -> PerClass<f64> {
        sums.iter().zip(&self.0).fold(PerClass::default(), |mut variance, (sums, function)| {
            let positive = scaling.positive(sums.square, sums.square_positive) + sums.square_shift;
            variance.positive += function.precision.test.positive * positive;
            variance.negative += function.precision.test.negative * (sums.square - positive);
            variance
        })
    }
}

/// Training covariances of two sums, as bilinear forms in ΣWα and ΣW(1 − α) of each function. The four forms are
/// positives with positives, negatives with negatives, positives of the first sum with negatives of the second, and the
/// reverse. One pass over the pairs of functions serves all scalings.
struct TrainingForms([[[f64; 2]; 2]; 4]);

impl TrainingForms {
    fn new(a: &[FunctionSums], b: &[FunctionSums], block: &FunctionBlock) -> Self {
        let mut forms = [[[0.0; 2]; 2]; 4];
        for (j, (sums, function)) in a.iter().zip(&block.0).enumerate().filter(|(_, (sums, _))| sums.weight != 0.0) {
            let mut products = [[0.0; 2]; 4];
            for ((other_sums, other), covariance) in b.iter().zip(&block.0).zip(&function.covariances) {
                let TrainingCovariance { positive, negative, between } = *covariance;
                let covariances = [positive, negative, between, other.covariances[j].between];
                for (products, covariance) in products.iter_mut().zip(covariances) {
                    products.iter_mut().zip(other_sums.by_class()).for_each(|(sum, part)| *sum += covariance * part);
                }
            }
            for (form, products) in forms.iter_mut().zip(products) {
                for (row, part) in form.iter_mut().zip(sums.by_class()) {
                    row.iter_mut().zip(products).for_each(|(sum, product)| *sum += part * product);
                }
            }
        }
        Self(forms)
    }

    /// Returns the covariances within each class and between the classes, after scalings of the two sums.
    fn at(&self, a: &Scaling, b: &Scaling) -> (PerClass<f64>, f64) {
        let form = |index: usize, [u, v]: [f64; 2], [x, y]: [f64; 2]| {
            let [[aa, ab], [ba, bb]] = self.0[index];
            u * (x * aa + y * ab) + v * (x * ba + y * bb)
        };
        let ([positive, negative], [other_positive, other_negative]) = (a.parts(), b.parts());
        let within =
            PerClass { positive: form(0, positive, other_positive), negative: form(1, negative, other_negative) };
        (within, form(2, positive, other_negative) + form(3, negative, other_positive))
    }
}

impl PerClass<f64> {
    fn sum(&self) -> f64 {
        self.positive + self.negative
    }
}

/// The direction in which prevalences are scaled.
#[derive(Clone, Copy)]
enum Towards {
    Zero,
    One,
}

/// A scaling of all prevalences: to k α_h towards 0, or to 1 − k (1 − α_h) towards 1.
struct Scaling {
    direction: Towards,
    /// k.
    factor: f64,
    /// k for the prevalences clipped to [0, 1].
    clipped_factor: f64,
}

impl Scaling {
    /// Returns the matrix that maps (ΣWα, ΣW(1 − α)) to their scaled values.
    fn parts(&self) -> [[f64; 2]; 2] {
        match self.direction {
            Towards::Zero => [[self.factor, 0.0], [1.0 - self.factor, 1.0]],
            Towards::One => [[1.0, 1.0 - self.factor], [0.0, self.factor]],
        }
    }

    /// Returns ΣWα after the scaling, from ΣW and ΣWα before it.
    fn positive(&self, weight: f64, positive: f64) -> f64 {
        match self.direction {
            Towards::Zero => self.factor * positive,
            Towards::One => weight - self.factor * (weight - positive),
        }
    }
}

impl FunctionSums {
    /// Returns the weights of the positives and of the negatives, ΣWα and ΣW(1 − α).
    fn by_class(&self) -> [f64; 2] {
        [self.positive, self.weight - self.positive]
    }

    fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.positive += other.positive;
        self.square += other.square;
        self.square_positive += other.square_positive;
        self.square_shift += other.square_shift;
    }

    fn times(&self, factor: f64, square: f64) -> Self {
        Self {
            weight: factor * self.weight,
            positive: factor * self.positive,
            square: square * self.square,
            square_positive: square * self.square_positive,
            square_shift: square * self.square_shift,
        }
    }
}

impl PopulationSums {
    fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.clipped += other.clipped;
        self.square += other.square;
        self.square_clipped += other.square_clipped;
        self.square_clipped_square += other.square_clipped_square;
        self.square_shift += other.square_shift;
        self.square_shift_clipped += other.square_shift_clipped;
        self.sampled_weights += other.sampled_weights;
        self.quartic += other.quartic;
    }

    fn times(&self, factor: f64, square: f64) -> Self {
        Self {
            weight: factor * self.weight,
            clipped: factor * self.clipped,
            square: square * self.square,
            square_clipped: square * self.square_clipped,
            square_clipped_square: square * self.square_clipped_square,
            square_shift: square * self.square_shift,
            square_shift_clipped: square * self.square_shift_clipped,
            sampled_weights: square * self.sampled_weights,
            quartic: square * square.abs() * self.quartic,
        }
    }

    /// Returns the variance of the sum about that of the populations, after a scaling.
    fn variance(&self, scaling: &Scaling) -> f64 {
        let k = scaling.clipped_factor;
        let within = match scaling.direction {
            // α = k h.
            Towards::Zero => {
                k * self.square_clipped - k * k * self.square_clipped_square + self.square_shift
                    - 2.0 * k * self.square_shift_clipped
            }
            // α = 1 − k (1 − h).
            Towards::One => {
                let complement = self.square - self.square_clipped;
                let complement_square = self.square - 2.0 * self.square_clipped + self.square_clipped_square;
                k * complement - k * k * complement_square - self.square_shift
                    + 2.0 * k * (self.square_shift - self.square_shift_clipped)
            }
        };
        within + k * k * self.sampled_weights
    }
}

impl Term {
    pub(crate) fn distribution(&self, functions: &FunctionBlocks) -> EstimateDistribution {
        EstimateDistribution::new(self.raw, self.n, &self.variance(functions), self.fpc).with(self.systematic)
    }

    pub(crate) fn test_error(&self, functions: &FunctionBlocks) -> TestSamplingError {
        let (estimate, variance) = (self.raw.clamp(0.0, 1.0), self.variance(functions));
        let sampling = variance.test.plus(&variance.binomial.times(self.fpc));
        let unseen = variance.training_basis.map_or(Quadratic::constant(0.0), |basis| basis.unseen_in_test());
        TestSamplingError {
            estimate,
            n: self.n,
            variance: sampling.at(estimate),
            sides: [sampling.plus(&unseen); 2],
            systematic: self.systematic,
            dof: self.test_dof,
        }
    }

    /// The estimate with its variance from the test scores and from the labelled scores.
    pub(crate) fn components(&self, functions: &FunctionBlocks) -> VarianceComponents {
        let (precision, variance) = (self.precision(functions), self.variance(functions));
        let unseen_in_test =
            variance.training_basis.as_ref().map_or(Quadratic::constant(0.0), VarianceBasis::unseen_in_test);
        let class_mean_variances = precision.class_mean_variances();
        let PerClass { positive, negative } =
            Quadratic::from_classes(&class_mean_variances.map(|variance| (0.0, *variance)), 0.0);
        let sampling = variance.test.plus(&variance.binomial.times(self.fpc));
        VarianceComponents {
            raw: self.raw,
            n: self.n,
            test_variance: sampling.plus(&unseen_in_test).plus(&Quadratic::constant(self.systematic.variance)),
            misfit_variance: self.systematic.variance,
            training_variance: positive
                .plus(&negative)
                .plus(&variance.class_covariance)
                .plus(&variance.unseen())
                .plus(&unseen_in_test.times(-1.0)),
            class_mean_variances,
            basis: variance.training_basis,
        }
    }

    fn variance(&self, functions: &FunctionBlocks) -> Variance {
        Variance { test_dof: self.test_dof, ..self.precision(functions).variance(self.n, self.shift) }
    }

    fn precision<'a>(&self, functions: &'a FunctionBlocks) -> &'a Precision {
        &functions.0[self.index.block].0[self.index.function].precision
    }
}
