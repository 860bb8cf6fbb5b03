//! The function of the score that an alarm bets on, with the largest mean that it may have as long
//! as the bound is not crossed.
//!
//! The mean of a function g over scores with the share α of positives is α E₊g + (1−α) E₋g. As the
//! class means are not known exactly, the bet allows for their worst end. The upper bounds of both
//! in the labelled sample (`mean_bound`) are combined by MOVER (`inference::mover`), so that the mean
//! at the bound exceeds m with probability a/2 at most. With o the lower end of g,
//! z = (g − o)/(m − o) then has a mean of at most 1 (`betting`). For an alarm below a share, −g takes
//! the place of g.
//!
//! Among several functions the bet takes the one with the smallest detectable change after
//! [`PERIODS`] periods like the first. The choice depends on the labelled scores and on the number
//! of test scores only, because a bet must not depend on its outcome.

use super::betting::{ScoreMoments, ln_evidence};
use super::mean_bound::{WeightedValue, upper_mean_bound};
use super::{Bound, alarm_threshold, half_alpha};
use crate::inference::{IntervalOptions, Precision};
use crate::model::Model;
use crate::numeric::gauss;
use crate::numeric::root::solve_bracketed;
use crate::quantifier::Quantifier;
use crate::tally::{InfluenceFunction, SampleStatistics};
use crate::training::InputKind;
use crate::{Batch, Error, Method, PerClass, Tally};

/// The number of periods for which the function is chosen.
const PERIODS: f64 = 30.0;

/// The probability of an alarm at the detectable share.
const POWER: f64 = 0.8;

/// A bet on the mean of one function.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreBet {
    method: usize,
    /// The index of the function among those of the method.
    function: usize,
    bound: Bound,
    scale: Scale,
    /// The means of z and z² over the labelled scores.
    classes: PerClass<[f64; 2]>,
    /// ln e of an alarm.
    ln_alarm: f64,
}

/// The scale of z = (g − origin)/unit.
#[derive(Clone, Copy, Debug)]
struct Scale {
    origin: f64,
    unit: f64,
}

impl Scale {
    /// Returns the means of z and z² from those of g and g².
    fn moments(self, [mean, square]: [f64; 2]) -> [f64; 2] {
        let Self { origin, unit } = self;
        [(mean - origin) / unit, (square - 2.0 * origin * mean + origin * origin) / (unit * unit)]
    }
}

impl ScoreBet {
    /// Chooses the function for periods of n scores.
    ///
    /// # Errors
    /// Returns an error if the method's input cannot be computed.
    pub(super) fn new(
        model: &Model,
        method: Method,
        bound: Bound,
        n: f64,
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let quantifiers = model.quantifiers();
        let method = quantifiers.iter().position(|other| other.method() == method).expect("a method of the model");
        let labelled = LabelledInputs::new(model, &quantifiers[method])?;
        let ln_alarm = alarm_threshold(options).ln();
        let bets = quantifiers[method].means().iter().enumerate().map(|(function, mean)| {
            let precision = mean.estimator().coefficients().precision.expect("a corrected mean");
            let (scale, classes) = labelled.standardise(mean.influence(), &precision, bound, half_alpha(options));
            Self { method, function, bound, scale, classes, ln_alarm }
        });
        let detectable_change = |bet: &Self| {
            let detectable = bet.detectable_share(PERIODS * n, bet.variance() * n);
            detectable.map_or(f64::INFINITY, |share| (share - bound.share()).abs())
        };
        let best = bets.map(|bet| (detectable_change(&bet), bet)).min_by(|a, b| a.0.total_cmp(&b.0));
        Ok(best.expect("a method with a function").1)
    }

    /// Returns z and z² of each test score of the bet's model.
    ///
    /// # Errors
    /// Returns an error if the method's input cannot be computed.
    pub(super) fn score_moments(&self, model: &Model, batch: &Batch) -> Result<Vec<[f64; 2]>, Error> {
        let quantifier = &model.quantifiers()[self.method];
        let (influence, mut moments) = (quantifier.means()[self.function].influence(), Vec::new());
        model.training().read(batch, quantifier.reads(), |inputs| {
            let values = inputs.iter().map(|input| influence.value(*input));
            moments.extend(values.map(|g| self.scale.moments([g, g * g])));
            Ok(())
        })?;
        Ok(moments)
    }

    /// Returns the moments of z in a period that counts as n scores.
    pub(super) fn scores(&self, tally: &Tally, n: f64) -> ScoreMoments {
        let quantifier = &tally.model().quantifiers()[self.method];
        let SampleStatistics { total, sum, sum_squares, .. } =
            quantifier.sample_statistics(&tally.methods[self.method], self.function);
        let [mean, square] = self.scale.moments([sum / total, sum_squares / total]);
        ScoreMoments { n, mean, square }
    }

    /// Returns the variance of z at the bound.
    pub(super) fn variance(&self) -> f64 {
        let [mean, square] = self.expected(self.bound.share());
        square - mean * mean
    }

    /// Returns the share that would have raised an alarm with a probability of 80 % after n scores, or
    /// `None` if no share would. `information` is the number of scores of the first period times the
    /// variance of z.
    pub(super) fn detectable_share(&self, n: f64, information: f64) -> Option<f64> {
        let excess = |share: f64| {
            let [mean, square] = self.expected(share);
            let error = ((square - mean * mean).max(0.0) / n).sqrt();
            let low = (mean - gauss::quantile(POWER) * error).max(0.0);
            // There are fewer high scores, and not lower ones.
            let scores = ScoreMoments { n, mean: low, square: square / mean * low };
            ln_evidence(&scores, information) - self.ln_alarm
        };
        let share = self.bound.share();
        let end = match self.bound {
            Bound::Above(_) => 1.0,
            Bound::Below(_) => 0.0,
        };
        let (at_bound, at_end) = (excess(share), excess(end));
        (at_bound < 0.0 && at_end >= 0.0).then(|| solve_bracketed(excess, (share, at_bound), (end, at_end)))
    }

    /// Returns the means of z and z² over scores with this share of positives.
    fn expected(&self, share: f64) -> [f64; 2] {
        [0, 1].map(|moment| share * self.classes.positive[moment] + (1.0 - share) * self.classes.negative[moment])
    }
}

/// The inputs of the labelled scores in ascending order, with weights whose sum is the effective
/// number of scores unless there is a sampling design.
struct LabelledInputs {
    inputs: PerClass<Vec<WeightedValue>>,
    /// The range of all inputs.
    range: [f64; 2],
    has_design: bool,
}

impl LabelledInputs {
    fn new(model: &Model, quantifier: &Quantifier) -> Result<Self, Error> {
        let training = model.training();
        let design = training.labelled().design();
        let inputs = training.column(quantifier.reads())?.try_map(|class, inputs| {
            let shares = design.map(|design| design.normalized_weights().get(class));
            let weight = |row: usize| shares.map_or(1.0, |shares| shares[row]);
            let mut rows: Vec<WeightedValue> = inputs.iter().enumerate().map(|(row, x)| (*x, weight(row))).collect();
            rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            Ok::<_, Error>(rows)
        })?;
        let range = match quantifier.reads() {
            InputKind::Balanced | InputKind::Posterior => [0.0, 1.0],
            InputKind::Score | InputKind::Transformed => {
                let ends = inputs.map(|rows| [rows[0].0, rows[rows.len() - 1].0]);
                [ends.positive[0].min(ends.negative[0]), ends.positive[1].max(ends.negative[1])]
            }
        };
        Ok(Self { inputs, range, has_design: design.is_some() })
    }

    /// Returns the scale of z for a function, and the means of z and z² in both classes.
    fn standardise(
        &self,
        influence: &InfluenceFunction,
        precision: &Precision,
        bound: Bound,
        probability: f64,
    ) -> (Scale, PerClass<[f64; 2]>) {
        let sign = match bound {
            Bound::Above(_) => 1.0,
            Bound::Below(_) => -1.0,
        };
        let ends = influence.range(self.range).map(|end| sign * end);
        let [lowest, highest] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let values = self.values(influence, sign, precision);
        let bounds = values.map(|values| ClassMeanBound::new(values, highest, probability));
        // The mean is largest at an end of the shares that do not cross the bound.
        let shares = match bound {
            Bound::Above(share) => [0.0, share],
            Bound::Below(share) => [share, 1.0],
        };
        let correlation = precision.class_mean_correlation();
        let largest = shares.map(|share| largest_mean(&bounds, share, correlation));
        let limit = largest[0].max(largest[1]).min(highest);
        let scale = Scale { origin: sign * lowest, unit: sign * (limit - lowest) };
        (scale, bounds.map(|class| scale.moments([sign * class.mean, class.square])))
    }

    /// Returns the distinct values of ±g in each class, with weights whose sum is the effective
    /// number of scores.
    fn values(&self, influence: &InfluenceFunction, sign: f64, precision: &Precision) -> PerClass<Vec<WeightedValue>> {
        let effective = precision.effective_sizes().filter(|_| self.has_design);
        PerClass::from_fn(|class| {
            let (factor, mut values) = (effective.map_or(1.0, |n| *n.get(class)), Vec::<WeightedValue>::new());
            for (input, weight) in self.inputs.get(class) {
                let value = sign * influence.value(*input);
                match values.last_mut() {
                    Some(last) if last.0 == value => last.1 += factor * weight,
                    _ => values.push((value, factor * weight)),
                }
            }
            values
        })
    }
}

/// The mean of ±g in a class, with its upper bound.
#[derive(Clone, Copy, Debug)]
struct ClassMeanBound {
    mean: f64,
    square: f64,
    upper: f64,
}

impl ClassMeanBound {
    fn new(values: &[WeightedValue], end: f64, probability: f64) -> Self {
        let total: f64 = values.iter().map(|(_, weight)| weight).sum();
        let average = |power: i32| values.iter().map(|(x, weight)| weight * x.powi(power)).sum::<f64>() / total;
        Self { mean: average(1), square: average(2), upper: upper_mean_bound(values, end, probability) }
    }
}

/// Returns the upper bound of the mean among scores with this share of positives.
fn largest_mean(bounds: &PerClass<ClassMeanBound>, share: f64, correlation: f64) -> f64 {
    let PerClass { positive, negative } = bounds;
    let mean = share * positive.mean + (1.0 - share) * negative.mean;
    let [p, n] = [share * (positive.upper - positive.mean), (1.0 - share) * (negative.upper - negative.mean)];
    mean + (p * p + 2.0 * correlation * p * n + n * n).max(0.0).sqrt()
}
