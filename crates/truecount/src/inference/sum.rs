//! Weighted sums of estimates that rest on the same labelled scores: totals with known shares, and all but one of several groups.
//!
//! ```text
//! A = Σ W_h α_h,    V = Σ W_h² V_h + Σ_jk [a_j a_k C₊_jk + b_j b_k C₋_jk],    a_j = Σ W_h α_h,  b_j = Σ W_h (1 − α_h)
//! ```
//!
//! V_h what the group's own test scores leave uncertain, C± what the labelled scores do of the functions j and k, whose estimates
//! are summed in a_j and b_j. The sum of any number of groups is so few numbers, to which a group can be added and from which it
//! can be taken away.
//!
//! For an interval V must be a function of A. Towards 0 all α_h shrink in proportion, and towards 1 all 1 − α_h do: V is a quadratic
//! of A on either side, and where there is but one group, or shares are those of the test scores and the function is the same,
//! the very one of a single estimate.

use super::precision::{Basis, Precision};
use super::quadratic::Quadratic;
use super::skewness::SkewnessCorrection;
use super::{EstimateDistribution, Systematic, TestSamplingError, Variance, VarianceComponents};
use crate::PerClass;

/// The functions of the score by which estimates are found, in blocks: functions of one block rest on the same labelled scores, those
/// of others on independent ones.
#[derive(Clone, Debug)]
pub(crate) struct SharedErrorBlocks(pub(crate) Vec<FunctionBlock>);

/// Functions that rest on the same labelled scores.
#[derive(Clone, Debug)]
pub(crate) struct FunctionBlock(pub(crate) Vec<Function>);

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) precision: Precision,
    /// With each of its block: what the labelled scores leave uncertain together.
    pub(crate) learnt: Vec<SharedLearnt>,
}

/// The covariances of what is learnt of the class means of two functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedLearnt {
    pub(crate) positive: f64,
    pub(crate) negative: f64,
    /// Of the positives' mean of the first and the negatives' mean of the second, where clusters hold both classes.
    pub(crate) between: f64,
}

/// An estimate by one function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    /// The block's place, and the function's in it.
    pub(crate) place: (usize, usize),
    pub(crate) raw: f64,
    /// The effective number of test scores.
    pub(crate) n: f64,
    /// What the prevalence by squared weights has more than that by weights.
    pub(crate) shift: f64,
    /// Which share of the drawing counts.
    pub(crate) drawn: f64,
    /// The degrees of freedom of what the test scores contribute.
    pub(crate) freedom: f64,
    /// What misfit adds.
    pub(crate) systematic: Systematic,
}

/// A weighted sum of estimates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sum {
    blocks: Vec<Vec<OfFunction>>,
    drawing: SamplingPolynomial,
    misfit: Squares,
}

/// The sums over the estimates by one function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct OfFunction {
    /// ΣW.
    weight: f64,
    /// ΣWα.
    positive: f64,
    /// ΣW²/n.
    square: f64,
    /// ΣW²α/n.
    square_positive: f64,
    /// ΣW²δ/n: what squared weights shift.
    square_shift: f64,
}

/// Σ(W²/n)(α(1 − α) + δ(1 − 2α)), by powers of α inside [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SamplingPolynomial {
    weight: f64,
    held: f64,
    square: f64,
    square_held: f64,
    square_held_held: f64,
    square_shift: f64,
    square_shift_held: f64,
    /// What drawing the shares adds.
    shares: f64,
    /// Σ(W²V)²/f, V what test scores drawn in clusters contribute, f its degrees of freedom.
    quartic: f64,
}

/// ΣW²E of independent errors of variances E, and Σ(W²E)²/f, f the degrees of freedom of each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Squares {
    variance: f64,
    quartic: f64,
}

impl SharedErrorBlocks {
    /// What two estimates have in common through the labelled scores.
    pub(crate) fn training_covariance(&self, a: &Term, b: &Term) -> f64 {
        if a.place.0 != b.place.0 {
            return 0.0;
        }
        let functions = &self.0[a.place.0].0;
        let SharedLearnt { positive, negative, between } = &functions[a.place.1].learnt[b.place.1];
        let other = functions[b.place.1].learnt[a.place.1].between;
        let (alpha, beta) = (a.raw.clamp(0.0, 1.0), b.raw.clamp(0.0, 1.0));
        alpha * beta * positive
            + (1.0 - alpha) * (1.0 - beta) * negative
            + alpha * (1.0 - beta) * between
            + (1.0 - alpha) * beta * other
    }

    /// What two estimates have in common of what labelled scores cannot have shown.
    pub(crate) fn unseen(&self, a: &Term, b: &Term) -> f64 {
        if a.place.0 != b.place.0 {
            return 0.0;
        }
        let PerClass { positive, negative } = self.0[a.place.0].unseen();
        let (alpha, beta) = (a.raw.clamp(0.0, 1.0), b.raw.clamp(0.0, 1.0));
        alpha * beta * positive + (1.0 - alpha) * (1.0 - beta) * negative
    }

    /// The fewest degrees of freedom with which a class mean is known.
    pub(crate) fn freedom(&self) -> f64 {
        let of = |block: &FunctionBlock| block.basis().map_or(f64::INFINITY, |basis| basis.least_freedom());
        self.0.iter().map(of).fold(f64::INFINITY, f64::min)
    }

    /// A sum of nothing.
    pub(crate) fn sum(&self) -> Sum {
        let of = |block: &FunctionBlock| vec![OfFunction::default(); block.0.len()];
        Sum {
            blocks: self.0.iter().map(of).collect(),
            drawing: SamplingPolynomial::default(),
            misfit: Squares::default(),
        }
    }
}

impl Sum {
    /// Adds an estimate so many times.
    pub(crate) fn add(&mut self, weight: f64, term: &Term, shared: &SharedErrorBlocks) {
        if term.freedom.is_finite() {
            self.drawing.quartic += (weight * weight * term.own(shared).variance).powi(2) / term.freedom;
        }
        let error = weight * weight * term.systematic.variance;
        self.misfit.variance += error;
        self.misfit.quartic += error * error / term.systematic.freedom;
        let square = weight * weight / term.n;
        let (raw, shift) = (term.raw, term.shift);
        self.blocks[term.place.0][term.place.1].add(&OfFunction {
            weight,
            positive: weight * raw,
            square,
            square_positive: square * raw,
            square_shift: square * shift,
        });
        let (held, square) = (raw.clamp(0.0, 1.0), square * term.drawn);
        self.drawing.add(&SamplingPolynomial {
            weight,
            held: weight * held,
            square,
            square_held: square * held,
            square_held_held: square * held * held,
            square_shift: square * shift,
            square_shift_held: square * shift * held,
            shares: 0.0,
            quartic: 0.0,
        });
    }

    /// The same where the weights are shares of a sample: drawing them adds ΣW(α_h − α)²/n to V of the mean, which is given.
    pub(crate) fn with_sampled_shares(mut self, variance: f64) -> Self {
        self.drawing.shares = variance * self.weight().powi(2);
        self
    }

    /// Adds a sum, its mean so many times.
    pub(crate) fn add_mean(&mut self, weight: f64, other: &Self) {
        self.add_times(weight / other.weight(), (weight / other.weight()).powi(2), other);
    }

    /// Takes away what [`add_mean`](Self::add_mean) has added.
    pub(crate) fn take_mean(&mut self, weight: f64, other: &Self) {
        self.add_times(-weight / other.weight(), -(weight / other.weight()).powi(2), other);
    }

    fn add_times(&mut self, factor: f64, square: f64, other: &Self) {
        for (functions, others) in self.blocks.iter_mut().zip(&other.blocks) {
            functions.iter_mut().zip(others).for_each(|(of, other)| of.add(&other.times(factor, square)));
        }
        self.drawing.add(&other.drawing.times(factor, square));
        self.misfit.variance += square * other.misfit.variance;
        self.misfit.quartic += square * square.abs() * other.misfit.quartic;
    }

    /// What misfit of the groups, each with an error of its own, adds to the mean.
    fn systematic(&self) -> Systematic {
        let Squares { variance, quartic } = self.misfit;
        if variance > 0.0 && quartic > 0.0 {
            Systematic { variance: variance / self.weight().powi(2), freedom: variance * variance / quartic }
        } else {
            Systematic::NONE
        }
    }

    /// ΣW.
    pub(crate) fn weight(&self) -> f64 {
        self.drawing.weight
    }

    /// A/ΣW: the mean.
    pub(crate) fn raw(&self) -> f64 {
        self.functions().map(|of| of.positive).sum::<f64>() / self.weight()
    }

    /// The effective number of scores: that of as many with equal weights.
    pub(crate) fn effective_n(&self) -> f64 {
        self.weight().powi(2) / self.functions().map(|of| of.square).sum::<f64>()
    }

    fn functions(&self) -> impl Iterator<Item = &OfFunction> {
        self.blocks.iter().flatten()
    }

    /// What two means have in common through the labelled scores.
    pub(crate) fn learnt_with(&self, other: &Self, shared: &SharedErrorBlocks) -> f64 {
        let blocks = self.blocks.iter().zip(&other.blocks).zip(&shared.0);
        let (here, there) = (self.here(), other.here());
        let of_block = |((these, those), block): ((&Vec<OfFunction>, &Vec<OfFunction>), &FunctionBlock)| {
            let (classes, between) = block.learnt((these, &here), (those, &there));
            classes.sum() + between
        };
        blocks.map(of_block).sum::<f64>() / (self.weight() * other.weight())
    }

    /// What the mean's own test scores leave uncertain.
    pub(crate) fn own(&self, shared: &SharedErrorBlocks) -> TestSamplingError {
        let all = self.weight().powi(2);
        let variance = |moved: &Moved| {
            let blocks = self.blocks.iter().zip(&shared.0);
            let sampling: f64 = blocks.map(|(of, block)| block.sampling(of, moved).sum()).sum();
            (sampling + self.drawing.at(moved)) / all
        };
        let sides = [IntervalEnd::Below, IntervalEnd::Above].map(|side| {
            let at = |alpha: f64| {
                let moved = self.moved(side, alpha);
                variance(&moved) + self.unseen(shared, &moved, Basis::unseen_of_test)
            };
            Quadratic::through(at(0.0), at(0.5), at(1.0))
        });
        let here = self.here();
        let variance = variance(&here);
        let inverse = self.drawing.quartic / (all * variance).powi(2);
        let freedom = if inverse > 0.0 { inverse.recip() } else { f64::INFINITY };
        let systematic = self.systematic();
        TestSamplingError {
            estimate: self.raw().clamp(0.0, 1.0),
            n: self.effective_n(),
            variance,
            sides,
            systematic,
            freedom,
        }
    }

    /// What two means have in common of what labelled scores cannot have shown.
    pub(crate) fn unseen_with(&self, other: &Self, shared: &SharedErrorBlocks) -> f64 {
        let (here, there) = (self.here(), other.here());
        let of = |of: &[OfFunction], moved: &Moved| {
            let weight: f64 = of.iter().map(|of| of.weight).sum();
            (weight, of.iter().map(|of| moved.of_population_share(of.weight, of.positive)).sum::<f64>())
        };
        let of_block = |((these, those), block): ((&Vec<OfFunction>, &Vec<OfFunction>), &FunctionBlock)| {
            let ((weight, p), (other, q)) = (of(these, &here), of(those, &there));
            let PerClass { positive, negative } = block.unseen();
            p * q * positive + (weight - p) * (other - q) * negative
        };
        let blocks = self.blocks.iter().zip(&other.blocks).zip(&shared.0);
        blocks.map(of_block).sum::<f64>() / (self.weight() * other.weight())
    }

    /// How the mean is spread.
    pub(crate) fn spread(&self, shared: &SharedErrorBlocks) -> EstimateDistribution {
        let (raw, n, all) = (self.raw(), self.effective_n(), self.weight().powi(2));
        let sides = [IntervalEnd::Below, IntervalEnd::Above].map(|side| {
            let at = |alpha: f64| {
                let moved = self.moved(side, alpha);
                self.variance(shared, &moved) + self.unseen(shared, &moved, Basis::unseen)
            };
            Quadratic::through(at(0.0), at(0.5), at(1.0))
        });
        let here = self.here();
        let variance = self.variance(shared, &here);
        let (mut inverse, mut leans) = (0.0, Vec::new());
        for (of, block) in self.blocks.iter().zip(&shared.0) {
            let Some((share, alpha, basis)) = self.basis(of, block, &here) else { continue };
            let classes = block.classes(of, &here).0.map(|sum| sum / all);
            inverse += basis.freedom(&classes, variance).recip();
            let drawn = self.drawing.square * n / all;
            leans.push((share, SkewnessCorrection::new(&basis, drawn, alpha)));
        }
        inverse += self.drawing.quartic / (all * variance).powi(2);
        let lean = (!leans.is_empty()).then(|| SkewnessCorrection::sum(leans.into_iter()));
        EstimateDistribution { raw, n, variance, sides, systematic: self.systematic(), freedom: inverse.recip(), lean }
    }

    /// V of the mean where all prevalences have moved.
    fn variance(&self, shared: &SharedErrorBlocks, moved: &Moved) -> f64 {
        let of_block = |(of, block): (&Vec<OfFunction>, &FunctionBlock)| {
            let (classes, between) = block.classes(of, moved);
            classes.sum() + between
        };
        let classes: f64 = self.blocks.iter().zip(&shared.0).map(of_block).sum();
        (classes + self.drawing.at(moved)) / self.weight().powi(2)
    }

    /// What labelled scores cannot have shown (`Variance::unseen`).
    fn unseen(&self, shared: &SharedErrorBlocks, moved: &Moved, which: fn(&Basis) -> Quadratic) -> f64 {
        let of_block = |(of, block): (&Vec<OfFunction>, &FunctionBlock)| {
            let (share, alpha, basis) = self.basis(of, block, moved)?;
            Some(share * share * which(&basis).at(alpha))
        };
        self.blocks.iter().zip(&shared.0).filter_map(of_block).sum()
    }

    /// A block's share of the weights, its mean and what its variance was learnt as; none where nothing was learnt.
    fn basis(&self, of: &[OfFunction], block: &FunctionBlock, moved: &Moved) -> Option<(f64, f64, Basis)> {
        let weight: f64 = of.iter().map(|of| of.weight).sum();
        let largest = of.iter().zip(&block.0).max_by(|(a, _), (b, _)| a.weight.total_cmp(&b.weight))?;
        let n = weight.powi(2) / of.iter().map(|of| of.square).sum::<f64>();
        let basis = largest.1.precision.basis(n).filter(|_| weight != 0.0)?;
        let positive: f64 = of.iter().map(|of| moved.of_population_share(of.weight, of.positive)).sum();
        Some((weight / self.weight(), positive / weight, basis))
    }

    /// As it is, inside [0, 1].
    fn here(&self) -> Moved {
        let raw = self.raw();
        self.moved(if raw > 0.0 { IntervalEnd::Below } else { IntervalEnd::Above }, raw.clamp(0.0, 1.0))
    }

    /// Where the mean is alpha. (Where it could not get there, because it is at the end already or beyond, it is moved as on the other
    /// side.)
    fn moved(&self, side: IntervalEnd, alpha: f64) -> Moved {
        let (raw, held) = (self.raw(), self.drawing.held / self.weight());
        let over = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        match side {
            IntervalEnd::Above if raw < 1.0 => Moved {
                side: IntervalEnd::Above,
                factor: (1.0 - alpha) / (1.0 - raw),
                factor_held: over(1.0 - alpha, 1.0 - held),
            },
            IntervalEnd::Below if raw <= 0.0 => self.moved(IntervalEnd::Above, alpha),
            _ => Moved { side: IntervalEnd::Below, factor: alpha / raw, factor_held: over(alpha, held) },
        }
    }
}

impl FunctionBlock {
    /// What the labelled scores cannot have shown of the class means.
    fn unseen(&self) -> PerClass<f64> {
        self.basis().map_or_else(PerClass::default, |basis| basis.unseen_of_means())
    }

    /// What was learnt, of any of the functions.
    fn basis(&self) -> Option<Basis> {
        self.0.first()?.precision.basis(1.0)
    }

    /// What each class's scores contribute to V, the classes of the test scores being given; and what both do together.
    fn classes(&self, of: &[OfFunction], moved: &Moved) -> (PerClass<f64>, f64) {
        let (sampling, (learnt, between)) = (self.sampling(of, moved), self.learnt((of, moved), (of, moved)));
        let sum =
            PerClass { positive: sampling.positive + learnt.positive, negative: sampling.negative + learnt.negative };
        (sum, between)
    }

    fn sampling(&self, of: &[OfFunction], moved: &Moved) -> PerClass<f64> {
        of.iter().zip(&self.0).fold(PerClass::default(), |mut sum, (of, function)| {
            let positive = moved.of_population_share(of.square, of.square_positive) + of.square_shift;
            sum.positive += function.precision.test.positive * positive;
            sum.negative += function.precision.test.negative * (of.square - positive);
            sum
        })
    }

    /// What two sums have in common through the labelled scores, by class and between them.
    fn learnt(&self, a: (&[OfFunction], &Moved), b: (&[OfFunction], &Moved)) -> (PerClass<f64>, f64) {
        let (mut sum, mut between) = (PerClass { positive: 0.0, negative: 0.0 }, 0.0);
        let ((a, moved_a), (b, moved_b)) = (a, b);
        for (j, (of, function)) in a.iter().zip(&self.0).enumerate().filter(|(_, (of, _))| of.weight != 0.0) {
            let here = moved_a.of_population_share(of.weight, of.positive);
            for ((of_other, other), learnt) in b.iter().zip(&self.0).zip(&function.learnt) {
                let there = moved_b.of_population_share(of_other.weight, of_other.positive);
                let (rest, rest_there) = (of.weight - here, of_other.weight - there);
                sum.positive += here * there * learnt.positive;
                sum.negative += rest * rest_there * learnt.negative;
                between += here * rest_there * learnt.between + rest * there * other.learnt[j].between;
            }
        }
        (sum, between)
    }
}

impl PerClass<f64> {
    fn sum(&self) -> f64 {
        self.positive + self.negative
    }
}

/// On which side of the estimate an end lies.
#[derive(Clone, Copy)]
enum IntervalEnd {
    Below,
    Above,
}

/// Where all prevalences have moved: α_h times a factor, or 1 − (1 − α_h) times a factor.
struct Moved {
    side: IntervalEnd,
    factor: f64,
    /// The same of the prevalences kept inside [0, 1].
    factor_held: f64,
}

impl Moved {
    /// ΣWα from ΣW and ΣWα before.
    fn of_population_share(&self, weight: f64, positive: f64) -> f64 {
        match self.side {
            IntervalEnd::Below => self.factor * positive,
            IntervalEnd::Above => weight - self.factor * (weight - positive),
        }
    }
}

impl OfFunction {
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

impl SamplingPolynomial {
    fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.held += other.held;
        self.square += other.square;
        self.square_held += other.square_held;
        self.square_held_held += other.square_held_held;
        self.square_shift += other.square_shift;
        self.square_shift_held += other.square_shift_held;
        self.shares += other.shares;
        self.quartic += other.quartic;
    }

    fn times(&self, factor: f64, square: f64) -> Self {
        Self {
            weight: factor * self.weight,
            held: factor * self.held,
            square: square * self.square,
            square_held: square * self.square_held,
            square_held_held: square * self.square_held_held,
            square_shift: square * self.square_shift,
            square_shift_held: square * self.square_shift_held,
            shares: square * self.shares,
            quartic: square * square.abs() * self.quartic,
        }
    }

    fn at(&self, moved: &Moved) -> f64 {
        let k = moved.factor_held;
        let within = match moved.side {
            // α = k h.
            IntervalEnd::Below => {
                k * self.square_held - k * k * self.square_held_held + self.square_shift
                    - 2.0 * k * self.square_shift_held
            }
            // α = 1 − k (1 − h).
            IntervalEnd::Above => {
                let rest = self.square - self.square_held;
                let rest_rest = self.square - 2.0 * self.square_held + self.square_held_held;
                k * rest - k * k * rest_rest - self.square_shift
                    + 2.0 * k * (self.square_shift - self.square_shift_held)
            }
        };
        within + k * k * self.shares
    }
}

impl Term {
    /// How the estimate is spread.
    pub(crate) fn spread(&self, shared: &SharedErrorBlocks) -> EstimateDistribution {
        EstimateDistribution::new(self.raw, self.n, &self.variance(shared), self.drawn).with(self.systematic)
    }

    /// What its own test scores leave uncertain.
    pub(crate) fn own(&self, shared: &SharedErrorBlocks) -> TestSamplingError {
        let (estimate, variance) = (self.raw.clamp(0.0, 1.0), self.variance(shared));
        let formula = variance.test.plus(&variance.drawing.times(self.drawn));
        let unseen = variance.learnt.map_or(Quadratic::constant(0.0), |basis| basis.unseen_of_test());
        let side = formula.plus(&unseen);
        let (n, systematic, freedom) = (self.n, self.systematic, self.freedom);
        TestSamplingError { estimate, n, variance: formula.at(estimate), sides: [side; 2], systematic, freedom }
    }

    /// With what the test scores leave uncertain and what the labelled ones do.
    pub(crate) fn parts(&self, shared: &SharedErrorBlocks) -> VarianceComponents {
        let (precision, variance) = (self.precision(shared), self.variance(shared));
        let nothing = Quadratic::constant(0.0);
        let of_test = variance.learnt.as_ref().map_or(nothing, Basis::unseen_of_test);
        let each = precision.training_each();
        let PerClass { positive, negative } = Quadratic::from_classes(&each.map(|each| (0.0, *each)), 0.0);
        let formula = variance.test.plus(&variance.drawing.times(self.drawn));
        VarianceComponents {
            raw: self.raw,
            n: self.n,
            noise: formula.plus(&of_test).plus(&Quadratic::constant(self.systematic.variance)),
            labels: positive
                .plus(&negative)
                .plus(&variance.between)
                .plus(&variance.unseen())
                .plus(&of_test.times(-1.0)),
            each,
            basis: variance.learnt,
        }
    }

    fn variance(&self, shared: &SharedErrorBlocks) -> Variance {
        self.precision(shared).clustered_variance(self.n, self.shift, self.freedom)
    }

    fn precision<'a>(&self, shared: &'a SharedErrorBlocks) -> &'a Precision {
        &shared.0[self.place.0].0[self.place.1].precision
    }
}
