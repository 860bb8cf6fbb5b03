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

use super::precision::Precision;
use super::quadratic::Quadratic;
use super::skewness::Lean;
use super::Spread;
use crate::PerClass;

/// One of several functions of the score by which estimates are found from the same labelled scores.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) precision: Precision,
    /// With each function: what the labelled scores leave uncertain together.
    pub(crate) learnt: Vec<PerClass<f64>>,
}

/// One estimate in a sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// The function's place.
    pub(crate) place: usize,
    pub(crate) raw: f64,
    pub(crate) n: f64,
    pub(crate) shift: f64,
    /// Which share of the drawing counts.
    pub(crate) drawn: f64,
}

/// A weighted sum of estimates.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    functions: Vec<OfFunction>,
    drawing: Drawing,
}

/// The sums over the estimates by one function.
#[derive(Clone, Copy, Debug, Default)]
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
#[derive(Clone, Copy, Debug, Default)]
struct Drawing {
    weight: f64,
    held: f64,
    square: f64,
    square_held: f64,
    square_held_held: f64,
    square_shift: f64,
    square_shift_held: f64,
}

impl Sum {
    pub(crate) fn new(functions: usize) -> Self {
        Self { functions: vec![OfFunction::default(); functions], drawing: Drawing::default() }
    }

    /// Adds an estimate so many times; with a negative number of times its square is taken away too.
    pub(crate) fn add(&mut self, weight: f64, term: &Term) {
        let square = weight * weight.abs() / term.n;
        let of = &mut self.functions[term.place];
        of.weight += weight;
        of.positive += weight * term.raw;
        of.square += square;
        of.square_positive += square * term.raw;
        of.square_shift += square * term.shift;
        let (held, drawn) = (term.raw.clamp(0.0, 1.0), square * term.drawn);
        let of = &mut self.drawing;
        of.weight += weight;
        of.held += weight * held;
        of.square += drawn;
        of.square_held += drawn * held;
        of.square_held_held += drawn * held * held;
        of.square_shift += drawn * term.shift;
        of.square_shift_held += drawn * term.shift * held;
    }

    /// ΣW.
    pub(crate) fn weight(&self) -> f64 {
        self.drawing.weight
    }

    /// A/ΣW: the mean.
    pub(crate) fn raw(&self) -> f64 {
        self.functions.iter().map(|of| of.positive).sum::<f64>() / self.weight()
    }

    /// The effective number of scores: that of as many with equal weights.
    pub(crate) fn effective_n(&self) -> f64 {
        self.weight().powi(2) / self.functions.iter().map(|of| of.square).sum::<f64>()
    }

    /// What one estimate and the mean have in common through the labelled scores.
    pub(crate) fn learnt_with(&self, term: &Term, shared: &[Shared]) -> f64 {
        let alpha = term.raw.clamp(0.0, 1.0);
        let terms = self.functions.iter().zip(&shared[term.place].learnt).map(|(of, learnt)| {
            alpha * of.positive * learnt.positive + (1.0 - alpha) * (of.weight - of.positive) * learnt.negative
        });
        terms.sum::<f64>() / self.weight()
    }

    /// How the mean is spread.
    pub(crate) fn spread(&self, shared: &[Shared]) -> Spread {
        let raw = self.raw();
        let estimate = raw.clamp(0.0, 1.0);
        let n = self.effective_n();
        let nearest = shared.iter().zip(&self.functions).max_by(|(_, a), (_, b)| a.weight.total_cmp(&b.weight));
        let precision = &nearest.expect("a function at least").0.precision;
        let basis = precision.variance(n, 0.0);
        let unseen = basis.unseen();
        let sides = [Side::Below, Side::Above].map(|side| {
            let at = |alpha: f64| self.variance(shared, &side.towards(alpha, self));
            Quadratic::through(at(0.0), at(0.5), at(1.0)).plus(&unseen)
        });
        let side = if raw > 0.0 { Side::Below } else { Side::Above };
        let here = side.towards(estimate, self);
        let classes = self.classes(shared, &here);
        let variance = self.variance(shared, &here);
        let freedom = basis.learnt.as_ref().map_or(f64::INFINITY, |basis| basis.freedom(&classes, variance));
        let drawn = if self.drawing.square > 0.0 { self.drawing.square * n / self.weight().powi(2) } else { 0.0 };
        let lean = basis.learnt.as_ref().map(|basis| Lean::new(basis, drawn, estimate));
        Spread { raw, n, variance, sides, freedom, lean }
    }

    /// V of the mean where all prevalences have moved.
    fn variance(&self, shared: &[Shared], moved: &Moved) -> f64 {
        let PerClass { positive, negative } = self.classes(shared, moved);
        positive + negative + self.drawing.at(moved) / self.weight().powi(2)
    }

    /// What each class's scores contribute, the classes of the test scores being given.
    fn classes(&self, shared: &[Shared], moved: &Moved) -> PerClass<f64> {
        let mut sums = PerClass { positive: 0.0, negative: 0.0 };
        for (of, function) in self.functions.iter().zip(shared) {
            let positive = moved.of_all(of.square, of.square_positive) + of.square_shift;
            sums.positive += function.precision.test.positive * positive;
            sums.negative += function.precision.test.negative * (of.square - positive);
            let here = moved.of_all(of.weight, of.positive);
            for (other, learnt) in self.functions.iter().zip(&function.learnt) {
                let there = moved.of_all(other.weight, other.positive);
                sums.positive += here * there * learnt.positive;
                sums.negative += (of.weight - here) * (other.weight - there) * learnt.negative;
            }
        }
        let all = self.weight().powi(2);
        sums.map(|sum| sum / all)
    }
}

/// On which side of the estimate an end lies.
#[derive(Clone, Copy)]
enum Side {
    Below,
    Above,
}

/// Where all prevalences have moved: α_h times a factor, or 1 − (1 − α_h) times a factor.
struct Moved {
    side: Side,
    factor: f64,
    /// The same of the prevalences kept inside [0, 1].
    factor_held: f64,
}

impl Side {
    /// The mean is alpha. (Where it could not get there, because it is at the end already or beyond, the other side is meant.)
    fn towards(self, alpha: f64, sum: &Sum) -> Moved {
        let (raw, held) = (sum.raw(), sum.drawing.held / sum.weight());
        let over = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        match self {
            Self::Below if raw > 0.0 => Moved { side: self, factor: alpha / raw, factor_held: over(alpha, held) },
            Self::Above if raw >= 1.0 => Moved { side: Self::Below, factor: alpha / raw, factor_held: over(alpha, held) },
            _ => {
                let rest = 1.0 - alpha;
                Moved { side: Self::Above, factor: rest / (1.0 - raw), factor_held: over(rest, 1.0 - held) }
            }
        }
    }
}

impl Moved {
    /// ΣWα from ΣW and ΣWα before.
    fn of_all(&self, weight: f64, positive: f64) -> f64 {
        match self.side {
            Side::Below => self.factor * positive,
            Side::Above => weight - self.factor * (weight - positive),
        }
    }
}

impl Drawing {
    fn at(&self, moved: &Moved) -> f64 {
        let k = moved.factor_held;
        match moved.side {
            // α = k h.
            Side::Below => {
                k * self.square_held - k * k * self.square_held_held + self.square_shift
                    - 2.0 * k * self.square_shift_held
            }
            // α = 1 − k (1 − h).
            Side::Above => {
                let rest = self.square - self.square_held;
                let rest_rest = self.square - 2.0 * self.square_held + self.square_held_held;
                k * rest - k * k * rest_rest - self.square_shift + 2.0 * k * (self.square_shift - self.square_shift_held)
            }
        }
    }
}

impl Term {
    /// How the estimate is spread.
    pub(crate) fn spread(&self, shared: &[Shared]) -> Spread {
        Spread::of(self.raw, self.n, &shared[self.place].precision.variance(self.n, self.shift), self.drawn)
    }

    /// What its own test scores leave uncertain.
    pub(crate) fn own(&self, shared: &[Shared]) -> f64 {
        let held = self.raw.clamp(0.0, 1.0);
        let sampling = shared[self.place].precision.sampling(held + self.shift, self.n);
        sampling + self.drawn * Quadratic::weighted_drawing(self.n, self.shift).at(held)
    }
}
