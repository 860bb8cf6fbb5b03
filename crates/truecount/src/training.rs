//! What quantifiers learn from: the labelled scores in every form they need, each made when first asked for.

use crate::calibration::{Bins, CoxCalibration};
use crate::distribution::{Empirical, Family, ScoreFolds, rank_families};
use crate::sweep::{self, Balanced, Region, Separation};
use crate::transform::{FittedTransform, LOGIT_NAME, Transform};
use crate::{Batch, Class, Error, LabelledScores, PerClass, Problem};
use std::sync::{Arc, OnceLock};

/// Scores that are put through the derived columns at a time: they stay in the nearest cache.
const CHUNK: usize = 1024;

/// What needs scores strictly between 0 and 1.
pub(crate) const BETA: &str = "the beta family";

/// Fits that each leave out some of the labelled scores.
const FOLDS: usize = 10;

/// Labelled scores of a class that are the same, from which on none of them makes much of the fit.
const SHARED: usize = 4;

/// Different scores up to which a class is looked at for being no sample of a continuous distribution.
const FEW_VALUES: usize = 20;

/// Labelled scores above which a fit knows its own scores no better than others, for every purpose, and none is left out.
const MANY: u64 = 20_000;

/// Labelled scores with everything derived from them.
#[derive(Clone, Debug)]
pub(crate) struct Training {
    labelled: LabelledScores,
    family: Family,
    transform: Transform,
    scale: OnceLock<FittedTransform>,
    transformed: OnceLock<PerClass<Vec<f64>>>,
    ranking: OnceLock<PerClass<Vec<(Family, f64)>>>,
    separation: OnceLock<Separation>,
    optimal: OnceLock<Region>,
    ratio: OnceLock<Balanced>,
    held_out: OnceLock<Option<HeldOut>>,
    balanced: OnceLock<PerClass<Vec<f64>>>,
    posteriors: OnceLock<PerClass<Vec<f64>>>,
    empirical: OnceLock<PerClass<Empirical>>,
    bins: OnceLock<Option<Arc<Bins>>>,
    given: OnceLock<CoxCalibration>,
}

/// The family fitted several times, each time without the scores of one fold.
#[derive(Clone, Debug)]
struct HeldOut {
    folds: PerClass<ScoreFolds>,
    fits: Vec<Separation>,
}

/// What a quantifier reads of a test score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// The score as it is.
    Score,
    /// The score after the transform, where families are fitted.
    Transformed,
    /// f⁺/(f⁺ + f⁻) under the fitted family.
    Balanced,
    /// P(positive | score) at the training prevalence: given with the score, or by Bayes' rule from the fitted family.
    Posterior,
}

/// The value, made when first asked for. (`OnceLock::get_or_try_init` is not stable.)
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    match cell.get() {
        Some(value) => Ok(value),
        None => make().map(|value| cell.get_or_init(|| value)),
    }
}

impl Training {
    pub(crate) fn new(labelled: LabelledScores, family: Family, transform: Transform) -> Self {
        Self {
            labelled,
            family,
            transform,
            scale: OnceLock::new(),
            transformed: OnceLock::new(),
            ranking: OnceLock::new(),
            separation: OnceLock::new(),
            optimal: OnceLock::new(),
            ratio: OnceLock::new(),
            held_out: OnceLock::new(),
            balanced: OnceLock::new(),
            posteriors: OnceLock::new(),
            empirical: OnceLock::new(),
            bins: OnceLock::new(),
            given: OnceLock::new(),
        }
    }

    pub(crate) fn labelled(&self) -> &LabelledScores {
        &self.labelled
    }

    /// Class sizes.
    pub(crate) fn sizes(&self) -> PerClass<u64> {
        self.labelled.scores().sizes()
    }

    /// The share of positives among what the labelled scores stand for.
    pub(crate) fn prior(&self) -> f64 {
        let weights = self.labelled.weights();
        let counts = || self.sizes().map(|n| *n as f64);
        let PerClass { positive, negative } = weights.map_or_else(counts, |of| of.map(|weights| weights.iter().sum()));
        positive / (positive + negative)
    }

    /// How many different scores there are, of both classes, if they are too few and too often shared for a sample of a continuous
    /// distribution.
    pub(crate) fn few_values(&self) -> Option<usize> {
        let scores = self.labelled.scores();
        let mut values: Vec<f64> = Vec::with_capacity(FEW_VALUES);
        for score in scores.positive.iter().chain(&scores.negative) {
            if !values.contains(score) {
                if values.len() == FEW_VALUES {
                    return None;
                }
                values.push(*score);
            }
        }
        let n = scores.positive.len() + scores.negative.len();
        (n >= SHARED * values.len()).then_some(values.len())
    }

    pub(crate) fn scale(&self) -> Result<&FittedTransform, Error> {
        once(&self.scale, || FittedTransform::fit(self.transform, &self.labelled))
    }

    fn transformed(&self) -> Result<&PerClass<Vec<f64>>, Error> {
        if self.transform == Transform::None {
            return Ok(self.labelled.scores());
        }
        once(&self.transformed, || {
            let scale = self.scale()?;
            Ok(self.labelled.scores().map(|scores| scores.iter().map(|s| scale.apply(*s)).collect()))
        })
    }

    /// The classes' fitted distributions, of the transformed scores.
    pub(crate) fn separation(&self) -> Result<&Separation, Error> {
        once(&self.separation, || {
            // Without a ranking it is the family itself, and scores that no family fits get its error.
            let chosen = self.ranking()?.map(|ranking| ranking.first().map_or(self.family, |(best, _)| *best));
            let scores = self.transformed()?;
            Separation::new(
                chosen.positive.fit(Class::Positive, &scores.positive)?,
                chosen.negative.fit(Class::Negative, &scores.negative)?,
            )
        })
    }

    /// Where J reaches Continuous Sweep's optimal threshold.
    pub(crate) fn optimal_region(&self) -> Result<&Region, Error> {
        once(&self.optimal, || sweep::optimal_region(self.separation()?, 0.5))
    }

    /// How well each family does on scores kept aside; empty unless the family is to be chosen by it.
    pub(crate) fn ranking(&self) -> Result<&PerClass<Vec<(Family, f64)>>, Error> {
        once(&self.ranking, || match self.family {
            Family::Auto => self.transformed()?.try_map(|class, scores| Ok(rank_families(class, scores))),
            _ => Ok(PerClass::default()),
        })
    }

    /// The fitted distributions, if a quantifier has asked for them.
    pub(crate) fn fitted(&self) -> Option<&Separation> {
        self.separation.get()
    }

    /// The fitted max J and the standard error of the two labelled rates' difference there: √(F⁺(1−F⁺)/n₊ + F⁻(1−F⁻)/n₋).
    pub(crate) fn max_j_and_its_standard_error(&self) -> Option<(f64, f64)> {
        let separation = self.fitted()?;
        let each = |(lower, upper): (f64, f64), n: u64| lower * upper / n as f64;
        let (theta, n) = (separation.theta_max(), self.sizes());
        let square =
            each(separation.positive().tails(theta), n.positive) + each(separation.negative().tails(theta), n.negative);
        Some((separation.max_j(), square.sqrt()))
    }

    /// Sorted scores.
    pub(crate) fn empirical(&self) -> &PerClass<Empirical> {
        self.empirical.get_or_init(|| self.labelled.scores().map(|scores| Empirical::new(scores)))
    }

    /// The bins that the scores are counted in; none where all labelled scores are the same.
    pub(crate) fn bins(&self) -> Option<&Arc<Bins>> {
        self.bins.get_or_init(|| Bins::new(&self.labelled).map(Arc::new)).as_ref()
    }

    /// Whether given probabilities can be taken at their word; none where there are none.
    pub(crate) fn given_calibration(&self) -> Option<&CoxCalibration> {
        let given = self.labelled.probabilities()?;
        Some(self.given.get_or_init(|| CoxCalibration::new(given)))
    }

    /// The labelled scores as a quantifier reads them.
    pub(crate) fn column(&self, column: InputKind) -> Result<&PerClass<Vec<f64>>, Error> {
        match (column, self.labelled.probabilities()) {
            (InputKind::Score, _) => Ok(self.labelled.scores()),
            (InputKind::Transformed, _) => self.transformed(),
            (InputKind::Posterior, Some(given)) => Ok(given),
            (InputKind::Balanced, _) => once(&self.balanced, || {
                let separation = self.separation()?;
                let each = |scores: &Vec<f64>| scores.iter().map(|score| separation.balanced(*score)).collect();
                Ok(self.transformed()?.map(each))
            }),
            (InputKind::Posterior, None) => once(&self.posteriors, || self.left_out_posteriors()),
        }
    }

    /// u = f⁺/(f⁺ + f⁻) as a function of the transformed score.
    fn ratio(&self) -> Result<&Balanced, Error> {
        once(&self.ratio, || self.separation().map(Balanced::new))
    }

    /// Posterior probabilities of the labelled scores, each from a fit without it: what a fit says of the very scores it was
    /// fitted to is too good, and rates learnt from that are biased. A score that many share makes little of the fit by itself; the
    /// whole fit tells its posterior, so that it is the same as among test scores, of which histograms must not miss a single bin.
    fn left_out_posteriors(&self) -> Result<PerClass<Vec<f64>>, Error> {
        let (whole, prior) = (self.ratio()?, self.prior());
        let scores = self.transformed()?;
        let of_whole = |scores: &Vec<f64>| scores.iter().map(|score| whole.posterior(prior, *score)).collect();
        let Some(HeldOut { folds, fits }) = self.held_out()? else { return Ok(scores.map(of_whole)) };
        let of = |scores: &Vec<f64>, folds: &ScoreFolds| {
            let mut ascending = scores.clone();
            ascending.sort_unstable_by(f64::total_cmp);
            let sharing =
                |score: f64| ascending.partition_point(|s| *s <= score) - ascending.partition_point(|s| *s < score);
            let each = scores.iter().zip(folds.fold_of_each()).map(|(score, fold)| match fold {
                Some(fold) if sharing(*score) < SHARED => sweep::at_prior(prior, fits[*fold].balanced(*score)),
                _ => whole.posterior(prior, *score),
            });
            each.collect()
        };
        Ok(PerClass {
            positive: of(&scores.positive, &folds.positive),
            negative: of(&scores.negative, &folds.negative),
        })
    }

    /// The family fitted without a tenth of the scores, ten times; none where the labelled scores are too few or many for that.
    fn held_out(&self) -> Result<Option<&HeldOut>, Error> {
        let families = PerClass { positive: self.separation()?.positive(), negative: self.separation()?.negative() }
            .map(|fitted| fitted.family());
        let scores = self.transformed()?;
        let fits = || {
            let folds = scores.map(|scores| ScoreFolds::new(scores, FOLDS));
            let fit = |fold: usize| {
                let positive = folds.positive.excluding(&scores.positive, fold);
                let negative = folds.negative.excluding(&scores.negative, fold);
                let positive = families.positive.fit(Class::Positive, &positive)?;
                Separation::new(positive, families.negative.fit(Class::Negative, &negative)?)
            };
            let fits = (0..FOLDS).map(fit).collect::<Result<_, Error>>().ok()?;
            Some(HeldOut { folds, fits })
        };
        let PerClass { positive, negative } = self.sizes();
        Ok(self.held_out.get_or_init(|| if positive + negative > MANY { None } else { fits() }).as_ref())
    }

    /// Whether the column rests on the transform and the fitted family. (A sweep reads the transformed score, but its g comes from
    /// the family.)
    pub(crate) fn needs_family(&self, column: InputKind) -> bool {
        match column {
            InputKind::Score => false,
            InputKind::Transformed | InputKind::Balanced => true,
            InputKind::Posterior => self.labelled.probabilities().is_none(),
        }
    }

    /// Whether the column is the very score.
    pub(crate) fn is_plain(&self, column: InputKind) -> bool {
        column == InputKind::Score || (column == InputKind::Transformed && self.transform == Transform::None)
    }

    /// Refuses a batch whose columns cannot be made, before any tally has changed.
    pub(crate) fn check(&self, batch: &Batch, unit_interval: Option<&'static str>) -> Result<(), Error> {
        match (self.labelled.probabilities(), batch.probabilities) {
            (Some(_), None) => return Err(Problem::ProbabilitiesMissing.into()),
            (None, Some(_)) => return Err(Problem::ProbabilitiesUnknown.into()),
            _ => batch.check()?,
        }
        unit_interval.map_or(Ok(()), |needed_by| Error::unless_in_unit_interval(batch.scores, needed_by))
    }

    /// What, if anything, needs test scores strictly between 0 and 1 where a quantifier needs the family.
    pub(crate) fn unit_interval(&self) -> Option<&'static str> {
        let bounded = self.fitted().is_some_and(|separation| separation.support() == (0.0, 1.0));
        match (self.transform, self.family) {
            (Transform::Logit, _) => Some(LOGIT_NAME),
            (Transform::None, Family::Auto) if bounded => Some("the beta family, which auto chose,"),
            (Transform::None, _) if bounded => Some(BETA),
            _ => None,
        }
    }

    /// Gives the column of a checked batch piece by piece.
    ///
    /// # Errors
    /// Those of `each`.
    pub(crate) fn read(
        &self,
        batch: &Batch,
        column: InputKind,
        mut each: impl FnMut(&[f64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.is_plain(column) {
            return each(batch.scores);
        }
        if let (InputKind::Posterior, Some(given)) = (column, batch.probabilities) {
            return each(given);
        }
        let prior = match column {
            InputKind::Balanced => Some(0.5),
            InputKind::Posterior => Some(self.prior()),
            InputKind::Score | InputKind::Transformed => None,
        };
        let posterior = prior.map(|prior| self.ratio().map(|ratio| (ratio, prior))).transpose()?;
        let scale = self.scale()?;
        let mut values = [0.0; CHUNK];
        for chunk in batch.scores.chunks(CHUNK) {
            let values = &mut values[..chunk.len()];
            values.iter_mut().zip(chunk).for_each(|(value, score)| *value = scale.apply(*score));
            if let Some((ratio, prior)) = posterior {
                for value in values.iter_mut() {
                    *value = ratio.posterior(prior, *value);
                }
            }
            each(values)?;
        }
        Ok(())
    }
}
