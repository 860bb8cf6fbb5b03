//! From the mean of an influence function to a prevalence, with its variance.
//!
//! ```text
//! α̂ = (mean g − a₋)/(a₊ − a₋)
//! V(α) = [(α v₊ + (1−α) v₋)/n + α² w₊/n₊ + (1−α)² w₋/n₋] / (a₊ − a₋)²
//! ```
//!
//! with v± the variances of g in the classes, and w± what one labelled score tells of a±. Anchored in the model, a± and v± are
//! those of the fitted distributions and w± = bᵀI⁻¹b (`inference::learning`). Anchored in the sample, a± are the means of g over
//! the labelled scores and w± = v±, as Adjusted Count has always done: consistent whatever g is, even where the family is wrong. Where
//! the labelled rows have weights or are in clusters, `told` says what they tell of both.

use super::class_means::ClassMeanEstimates;
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::choice::choice;
use crate::design::Design;
use crate::inference::{
    EffectiveSampleSize, FamilyMisfit, Off, Precision, Quadratic, Systematic, ThirdMoments, TrainingMoments, Variance,
};
use crate::numeric::sum::CompensatedSum;
use crate::sweep::ClassMoments;
use crate::tally::{InfluenceFunction, SampleStatistics};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};

/// Where the rates of a linear quantifier come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateSource {
    /// From the fitted family: efficient where it is right.
    Model,
    /// From the labelled scores themselves: consistent where it is not.
    Sample,
}

impl RateSource {
    /// Both anchors: name, anchor, what it means.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("family", Self::Model, "rates of the fitted family: best where the family is right"),
        ("labels", Self::Sample, "rates of the labelled scores: right for any family"),
    ];
}

choice!(RateSource, "rates");

/// The two rates with what is known of their uncertainty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearEstimator {
    moments: PerClass<ClassMoments>,
    correction: Correction,
    /// What the labelled scores say of means that are those of a fitted family.
    misfit: Option<FamilyMisfit>,
}

/// What is known of the class means, by which the mean of g is corrected.
#[derive(Clone, Copy, Debug)]
enum Correction {
    /// The class means, known.
    Known,
    /// The class means, learnt from so many labelled scores.
    Learnt { learnt: PerClass<TrainingMoments>, labelled: PerClass<u64>, worth: EffectiveSampleSize },
    /// 0 and 1, as if g told the classes apart without error; the moments only serve the variance.
    ZeroAndOne,
}

/// What makes an estimate of the mean of g over test scores, for those who compute it elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rated {
    /// a₋.
    pub(crate) negative: f64,
    /// a₊ − a₋.
    pub(crate) distance: f64,
    /// v±.
    pub(crate) variances: PerClass<f64>,
    /// V(α) of the corrected estimate; none where the mean of g itself is the estimate.
    pub(crate) precision: Option<Precision>,
}

impl LinearEstimator {
    pub(crate) fn rated(&self) -> Rated {
        Rated {
            negative: self.moments.negative.mean,
            distance: self.distance(),
            variances: self.moments.map(|m| m.variance),
            precision: self.precision(),
        }
    }

    /// At the moments of known distributions.
    pub(super) fn known(moments: PerClass<ClassMoments>) -> Self {
        Self { moments, correction: Correction::Known, misfit: None }
    }

    /// At the moments of distributions fitted to so many labelled scores.
    pub(super) fn in_model(
        moments: PerClass<ClassMoments>,
        learnt: PerClass<TrainingMoments>,
        labelled: PerClass<u64>,
    ) -> Self {
        Self {
            moments,
            correction: Correction::Learnt { learnt, labelled, worth: EffectiveSampleSize::PLAIN },
            misfit: None,
        }
    }

    /// The same, knowing what labelled scores, read as test scores are, say of the means.
    pub(super) fn beside(self, influence: &InfluenceFunction, labelled: &PerClass<Vec<f64>>) -> Self {
        let Correction::Learnt { learnt, labelled: sizes, .. } = self.correction else { return self };
        let mean = |scores: &Vec<f64>| scores.iter().map(|s| influence.value(*s)).collect::<CompensatedSum>().value();
        let sums = labelled.map(mean);
        let means = PerClass {
            positive: sums.positive / sizes.positive as f64,
            negative: sums.negative / sizes.negative as f64,
        };
        Self { misfit: FamilyMisfit::new(&self.moments, &learnt, means, sizes), ..self }
    }

    /// Whether its means are those of a fitted family.
    pub(crate) fn is_of_family(&self) -> bool {
        self.misfit.is_some()
    }

    /// By how much an estimate is off because the labelled scores contradict the family; none where the means are their own.
    pub(super) fn off(&self, prevalence: f64) -> Option<Off> {
        self.misfit.map(|misfit| misfit.off(prevalence))
    }

    /// At the means over labelled rows of g of what is read of them.
    ///
    /// # Errors
    /// Those of the reading.
    pub(super) fn in_labelled(
        influence: &InfluenceFunction,
        training: &Training,
        reads: InputKind,
    ) -> Result<Self, Error> {
        let read = training.column(reads)?;
        match training.labelled().design() {
            None => Self::in_sample(influence, read),
            Some(design) => Ok(Self::in_design(design, &values(influence, read))),
        }
    }

    /// At the means of g over the labelled scores.
    ///
    /// # Errors
    /// [`Problem::NotFinite`](crate::Problem::NotFinite) never happens for labelled scores.
    pub(super) fn in_sample(influence: &InfluenceFunction, labelled: &PerClass<Vec<f64>>) -> Result<Self, Error> {
        let moments = sample_moments(influence, labelled)?;
        let learnt = |moments: &ClassMoments, scores: &[f64]| {
            let cubes =
                scores.iter().map(|s| (influence.value(*s) - moments.mean).powi(3)).collect::<CompensatedSum>().value();
            TrainingMoments { variance: moments.variance, third: ThirdMoments::empirical(cubes / scores.len() as f64) }
        };
        let learnt = PerClass {
            positive: learnt(&moments.positive, &labelled.positive),
            negative: learnt(&moments.negative, &labelled.negative),
        };
        let correction = Correction::Learnt { learnt, labelled: labelled.sizes(), worth: EffectiveSampleSize::PLAIN };
        Ok(Self { moments, correction, misfit: None })
    }

    /// At the means of g over labelled rows with weights or in clusters, from its value for each.
    pub(super) fn in_design(design: &Design, values: &PerClass<Vec<f64>>) -> Self {
        let ClassMeanEstimates { moments, learnt, worth } = ClassMeanEstimates::new(design, values);
        Self { moments, correction: Correction::Learnt { learnt, labelled: values.sizes(), worth }, misfit: None }
    }

    /// At the means of g over labelled scores, of which so many have each value.
    pub(super) fn in_counts(labelled: &PerClass<Vec<(f64, u64)>>) -> Self {
        let sizes = labelled.map(|of| of.iter().map(|(_, times)| times).sum::<u64>());
        let sum = |of: &[(f64, u64)], term: &dyn Fn(f64) -> f64| {
            of.iter().map(|(value, times)| *times as f64 * term(*value)).collect::<CompensatedSum>().value()
        };
        let class = |of: &[(f64, u64)], n: u64| {
            let mean = sum(of, &|value| value) / n as f64;
            let variance = sum(of, &|value| (value - mean).powi(2)) / (n as f64 - 1.0).max(1.0);
            let third = ThirdMoments::empirical(sum(of, &|value| (value - mean).powi(3)) / n as f64);
            (ClassMoments { mean, variance }, TrainingMoments { variance, third })
        };
        let (positive, negative) =
            (class(&labelled.positive, sizes.positive), class(&labelled.negative, sizes.negative));
        let learnt = PerClass { positive: positive.1, negative: negative.1 };
        Self {
            moments: PerClass { positive: positive.0, negative: negative.0 },
            correction: Correction::Learnt { learnt, labelled: sizes, worth: EffectiveSampleSize::PLAIN },
            misfit: None,
        }
    }

    /// Nowhere: the mean of g is the estimate.
    ///
    /// # Errors
    /// Those of the reading.
    pub(super) fn uncorrected(
        influence: &InfluenceFunction,
        training: &Training,
        reads: InputKind,
    ) -> Result<Self, Error> {
        let read = training.column(reads)?;
        let moments = match training.labelled().design() {
            None => sample_moments(influence, read)?,
            Some(design) => ClassMeanEstimates::new(design, &values(influence, read)).moments,
        };
        Ok(Self { moments, correction: Correction::ZeroAndOne, misfit: None })
    }

    /// Mean and variance of g in both classes.
    pub(super) fn moments(&self) -> &PerClass<ClassMoments> {
        &self.moments
    }

    /// a₊ − a₋.
    pub(super) fn distance(&self) -> f64 {
        self.moments.positive.mean - self.moments.negative.mean
    }

    /// a₊ − a₋ and its standard error, if they come from the labelled scores.
    pub(super) fn separated(&self) -> Option<(f64, f64)> {
        let Correction::Learnt { learnt: PerClass { positive, negative }, labelled, worth } = self.correction else {
            return None;
        };
        let sizes = labelled.map(|n| *n as f64);
        let together = 2.0 * worth.covariance / (sizes.positive * sizes.negative).sqrt();
        let square = positive.variance / sizes.positive + negative.variance / sizes.negative - together;
        Some((self.distance(), square.max(0.0).sqrt()))
    }

    /// What V(α) holds.
    pub(super) fn variance_of(&self) -> &'static str {
        match self.correction {
            Correction::Known => "sampling of the new rows only, as the classes' distributions are known",
            Correction::Learnt { .. } => "sampling of the new and the labelled rows",
            Correction::ZeroAndOne => "sampling of the new rows; without the bias of the count",
        }
    }

    /// V(α) by source; none for an uncorrected quantifier, which does not estimate α.
    pub(super) fn precision(&self) -> Option<Precision> {
        let (learnt, labelled, worth) = match self.correction {
            Correction::Known => (PerClass::default(), None, EffectiveSampleSize::PLAIN),
            Correction::Learnt { learnt, labelled, worth } => (learnt, Some(labelled), worth),
            Correction::ZeroAndOne => return None,
        };
        let unit = self.distance().recip();
        let precision = Precision::new(
            self.moments.map(|m| m.variance * unit * unit),
            learnt.map(|learnt| learnt.variance * unit * unit),
            learnt.map(|learnt| learnt.third.times(unit.powi(3))),
            labelled,
        );
        Some(precision.with_worth(EffectiveSampleSize { covariance: worth.covariance * unit * unit, ..worth }))
    }

    /// The estimate alone.
    pub(super) fn raw(&self, sampled: &SampleStatistics) -> f64 {
        match self.correction {
            Correction::ZeroAndOne => sampled.mean(),
            Correction::Known | Correction::Learnt { .. } => self.corrected(sampled.mean()),
        }
    }

    fn corrected(&self, mean: f64) -> f64 {
        (mean - self.moments.negative.mean) / self.distance()
    }

    /// The estimate from the mean of g over test scores.
    pub(super) fn finding(&self, sampled: &SampleStatistics) -> RawEstimate {
        let held = inside(self.corrected(sampled.mean()));
        let shift = inside(self.corrected(sampled.mean_by_squared_weight)) - held;
        let (variance, origin) = match self.precision() {
            Some(precision) => (
                precision.variance(sampled.effective_size, shift),
                Some(EstimateSource::Mean {
                    place: 0,
                    shift,
                    total: sampled.total,
                    drawn: 0.0,
                    freedom: f64::INFINITY,
                    systematic: Systematic::NONE,
                }),
            ),
            None => (self.about_a_bias(held, sampled.effective_size, shift), None),
        };
        RawEstimate { raw: self.raw(sampled), variance: Some(variance), posterior: None, origin, warnings: Vec::new() }
    }

    /// An uncorrected quantifier estimates not α but E g, so its variance cannot be a function of its own estimate: it is held
    /// at the α that the corrected one would give.
    fn about_a_bias(&self, held: f64, n: f64, shift: f64) -> Variance {
        let PerClass { positive, negative } = self.moments.map(|m| m.variance);
        let drawing = Quadratic::weighted_drawing(n, shift).at(held);
        Variance {
            given: PerClass {
                positive: Quadratic::constant((held + shift) * positive / n),
                negative: Quadratic::constant((1.0 - held - shift) * negative / n),
            },
            between: Quadratic::constant(0.0),
            drawing: Quadratic::constant(drawing * self.distance().powi(2)),
            learnt: None,
            test: Quadratic::constant(0.0),
            test_freedom: f64::INFINITY,
        }
    }
}

/// A prevalence as near as can be to an estimate. Where the classes do not differ any will do.
fn inside(estimate: f64) -> f64 {
    if estimate.is_finite() { estimate.clamp(0.0, 1.0) } else { 0.5 }
}

fn values(influence: &InfluenceFunction, labelled: &PerClass<Vec<f64>>) -> PerClass<Vec<f64>> {
    labelled.map(|scores| scores.iter().map(|s| influence.value(*s)).collect())
}

/// Mean and variance, in two passes: where the classes hardly overlap, Σg²/n − mean² would be nothing but rounding.
fn sample_moments(
    influence: &InfluenceFunction,
    labelled: &PerClass<Vec<f64>>,
) -> Result<PerClass<ClassMoments>, Error> {
    labelled.try_map(|_, scores| {
        let mean = influence.moments(scores)?.mean();
        let squares = scores.iter().map(|s| (influence.value(*s) - mean).powi(2)).collect::<CompensatedSum>().value();
        Ok(ClassMoments { mean, variance: squares / (scores.len() as f64 - 1.0).max(1.0) })
    })
}
