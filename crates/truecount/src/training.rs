//! The labelled scores with everything that is derived from them for quantifiers. Each derived
//! value is computed when it is first needed.

use crate::calibration::{Bins, CoxCalibration};
use crate::distribution::{Distribution, Empirical, Family, ScoreDistribution, ScoreFolds, rank_families};
use crate::shift_test::Goodness;
use crate::sweep::{self, Balanced, Region, Separation};
use crate::transform::{FittedTransform, LOGIT_NAME, Transform};
use crate::{Batch, Class, Error, LabelledScores, PerClass, Problem};
use std::sync::{Arc, OnceLock};

/// The number of scores that are transformed at a time, so that they fit into the level-1 cache.
const CHUNK: usize = 1024;

/// The name of the beta family in the message that its scores must lie strictly between 0 and 1.
pub(crate) const BETA: &str = "the beta family";

/// The number of folds of cross-fitting.
const FOLDS: usize = 10;

/// The number of equal labelled scores of a class from which on a single one hardly affects the
/// fit. Also the minimum mean number of scores per distinct value of a discrete score.
const MANY_TIES: usize = 4;

/// The maximum number of distinct values of a discrete score.
const FEW_VALUES: usize = 20;

/// The sum of the two error rates below which the labelled scores separate the classes almost perfectly.
const PERFECT_SEPARATION: f64 = 0.005;

/// The balanced error rate that perfect separation must contradict at 5 %, so that it is not chance.
const CREDIBLE_ERROR: f64 = 0.1;

/// The number of labelled scores above which cross-fitting makes no difference and is left out.
const MANY_SCORES: u64 = 20_000;

/// The labelled scores with everything derived from them.
#[derive(Clone, Debug)]
pub(crate) struct Training {
    labelled: LabelledScores,
    family: Family,
    transform: Transform,
    scale: OnceLock<FittedTransform>,
    transformed: OnceLock<PerClass<Vec<f64>>>,
    ranking: OnceLock<PerClass<Vec<(Family, f64)>>>,
    separation: OnceLock<Separation>,
    family_p_value: OnceLock<Option<f64>>,
    optimal: OnceLock<Region>,
    ratio: OnceLock<Balanced>,
    fold_fits: OnceLock<Option<FoldFits>>,
    balanced: OnceLock<PerClass<Vec<f64>>>,
    posteriors: OnceLock<PerClass<Vec<f64>>>,
    empirical: OnceLock<PerClass<Empirical>>,
    bins: OnceLock<Option<Arc<Bins>>>,
    cox_calibration: OnceLock<CoxCalibration>,
}

/// Fits of the family, each without the scores of one fold.
#[derive(Clone, Debug)]
struct FoldFits {
    folds: PerClass<ScoreFolds>,
    fits: Vec<Separation>,
}

/// The value that a quantifier reads for each test score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// The score itself.
    Score,
    /// The transformed score, to which families are fitted.
    Transformed,
    /// f⁺/(f⁺ + f⁻) under the fitted family.
    Balanced,
    /// P(positive | score) at the training prevalence: the classifier's probability, or by Bayes'
    /// rule from the fitted family.
    Posterior,
}

/// Returns the value of a cell, which is computed at the first call.
///
/// Replaces `OnceLock::get_or_try_init`, which is not stable.
fn get_or_try_init<T>(cell: &OnceLock<T>, init: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    match cell.get() {
        Some(value) => Ok(value),
        None => init().map(|value| cell.get_or_init(|| value)),
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
            family_p_value: OnceLock::new(),
            optimal: OnceLock::new(),
            ratio: OnceLock::new(),
            fold_fits: OnceLock::new(),
            balanced: OnceLock::new(),
            posteriors: OnceLock::new(),
            empirical: OnceLock::new(),
            bins: OnceLock::new(),
            cox_calibration: OnceLock::new(),
        }
    }

    pub(crate) fn labelled(&self) -> &LabelledScores {
        &self.labelled
    }

    /// Returns the number of labelled scores of each class.
    pub(crate) fn sizes(&self) -> PerClass<u64> {
        self.labelled.scores().sizes()
    }

    /// Returns the training prevalence: the weighted share of positives among the labelled scores.
    pub(crate) fn prior(&self) -> f64 {
        let PerClass { positive, negative } = match self.labelled.weights() {
            None => self.sizes().map(|n| *n as f64),
            Some(weights) => weights.map(|weights| weights.iter().sum()),
        };
        positive / (positive + negative)
    }

    /// Returns the number of distinct scores of both classes if the scores are discrete: few
    /// distinct values, with many ties.
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
        (n >= MANY_TIES * values.len()).then_some(values.len())
    }

    /// Returns the greatest common divisor of the numbers of labelled rows with equal class and score;
    /// `None` if it is 1 or if there are few distinct rows.
    ///
    /// For independent rows the probability of another divisor is of the order of 2^−19.
    pub(crate) fn copies(&self) -> Option<u64> {
        let (mut divisor, mut distinct) = (0, 0);
        for scores in [&self.labelled.scores().positive, &self.labelled.scores().negative] {
            let mut sorted = scores.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            for equal in sorted.chunk_by(|a, b| a == b) {
                divisor = greatest_common_divisor(divisor, equal.len() as u64);
                if divisor == 1 {
                    return None;
                }
                distinct += 1;
            }
        }
        (distinct >= FEW_VALUES).then_some(divisor)
    }

    /// Returns the fitted transform.
    ///
    /// # Errors
    /// Returns an error if the transform does not fit the labelled scores.
    pub(crate) fn scale(&self) -> Result<&FittedTransform, Error> {
        get_or_try_init(&self.scale, || FittedTransform::fit(self.transform, &self.labelled))
    }

    fn transformed(&self) -> Result<&PerClass<Vec<f64>>, Error> {
        if self.transform == Transform::None {
            return Ok(self.labelled.scores());
        }
        get_or_try_init(&self.transformed, || {
            let scale = self.scale()?;
            Ok(self.labelled.scores().map(|scores| scores.iter().map(|s| scale.apply(*s)).collect()))
        })
    }

    /// Returns the distributions that are fitted to the transformed scores of the classes.
    ///
    /// # Errors
    /// Returns an error if the transform or the family does not fit the labelled scores, or if the
    /// fitted distributions are equal.
    pub(crate) fn separation(&self) -> Result<&Separation, Error> {
        get_or_try_init(&self.separation, || {
            // Without a ranking, fit the requested family; if no family fits, `Auto` returns the
            // error.
            let chosen = self.ranking()?.map(|ranking| ranking.first().map_or(self.family, |(best, _)| *best));
            let scores = self.transformed()?;
            self.check_order_of_means(scores)?;
            Separation::new(
                chosen.positive.fit(Class::Positive, &scores.positive)?,
                chosen.negative.fit(Class::Negative, &scores.negative)?,
            )
        })
    }

    /// Checks that positives score higher than negatives on average, as the fitted distributions of
    /// most families would be in the wrong order otherwise.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreOutlying`] if they do not because of a single score, and
    /// [`Problem::ClassesNotSeparatedInMean`] if they do not for another reason.
    fn check_order_of_means(&self, scores: &PerClass<Vec<f64>>) -> Result<(), Error> {
        let PerClass { positive, negative } =
            scores.map(|scores| scores.iter().map(|score| score / scores.len() as f64).sum::<f64>());
        if positive >= negative {
            return Ok(());
        }
        Err(match self.labelled.outlier() {
            Some((class, value)) => Problem::ScoreOutlying { class, value },
            None => Problem::ClassesNotSeparatedInMean { what: "scores", positive, negative },
        }
        .into())
    }

    /// Returns the region where J is at least the optimal threshold of Continuous Sweep.
    ///
    /// # Errors
    /// Returns the errors of [`separation`](Self::separation), and an error if no optimum is found.
    pub(crate) fn optimal_region(&self) -> Result<&Region, Error> {
        get_or_try_init(&self.optimal, || sweep::optimal_region(self.separation()?, 0.5))
    }

    /// Returns the families of each class with their cross-validated scores, best first; empty
    /// unless the family is [`Family::Auto`].
    ///
    /// # Errors
    /// Returns an error if the transform does not fit the labelled scores.
    pub(crate) fn ranking(&self) -> Result<&PerClass<Vec<(Family, f64)>>, Error> {
        get_or_try_init(&self.ranking, || match self.family {
            Family::Auto => self.transformed()?.try_map(|class, scores| Ok(rank_families(class, scores))),
            _ => Ok(PerClass::default()),
        })
    }

    /// Returns the fitted distributions, if a quantifier has already needed them.
    pub(crate) fn fitted(&self) -> Option<&Separation> {
        self.separation.get()
    }

    /// Returns the p-value of the fitted family in both classes: twice the smaller p-value of a class.
    ///
    /// `None` if no distributions are fitted, if the labelled rows have weights or clusters, and if
    /// there is no distribution for large samples (see [`Goodness::large_sample_p_value`]).
    pub(crate) fn family_p_value(&self) -> Option<f64> {
        let separation = self.fitted()?;
        let test = || {
            let scores = self.transformed().ok().filter(|_| self.labelled.is_simple_random_sample())?;
            let class = |class, fitted: &ScoreDistribution, scores: &[f64]| {
                Goodness::of_fit(fitted.clone(), class, scores).large_sample_p_value()
            };
            let positive = class(Class::Positive, separation.positive(), &scores.positive);
            let negative = class(Class::Negative, separation.negative(), &scores.negative);
            Some((2.0 * positive.into_iter().chain(negative).reduce(f64::min)?).min(1.0))
        };
        *self.family_p_value.get_or_init(test)
    }

    /// Returns the fitted max J and the standard error of the difference of the labelled rates
    /// there, √(F⁺(1−F⁺)/n₊ + F⁻(1−F⁻)/n₋), if the distributions are fitted.
    pub(crate) fn max_j_and_its_standard_error(&self) -> Option<(f64, f64)> {
        let separation = self.fitted()?;
        let rate_variance = |(lower, upper): (f64, f64), n: u64| lower * upper / n as f64;
        let (theta, n) = (separation.theta_max(), self.sizes());
        let variance = rate_variance(separation.positive().tails(theta), n.positive)
            + rate_variance(separation.negative().tails(theta), n.negative);
        Some((separation.max_j(), variance.sqrt()))
    }

    /// Returns the empirical distributions of the classes.
    pub(crate) fn empirical(&self) -> &PerClass<Empirical> {
        self.empirical.get_or_init(|| self.labelled.scores().map(|scores| Empirical::new(scores)))
    }

    /// Returns the bins of the labelled scores, or `None` if all labelled scores are equal.
    pub(crate) fn bins(&self) -> Option<&Arc<Bins>> {
        self.bins.get_or_init(|| Bins::new(&self.labelled).map(Arc::new)).as_ref()
    }

    /// Returns whether the labelled scores separate the classes almost perfectly, at the best edge of the
    /// bins, and are too many for this to be chance: without errors among n rows, the 95 % bound of an
    /// error rate is 3/n (the rule of three).
    pub(crate) fn is_perfectly_separated(&self) -> bool {
        let Some(counts) = self.bins().map(|bins| bins.effective_counts()) else { return false };
        let sizes = counts.map(|counts| counts.iter().sum::<f64>());
        let differences = counts.positive.iter().zip(&counts.negative).scan(0.0, |difference, (positive, negative)| {
            *difference += negative / sizes.negative - positive / sizes.positive;
            Some(*difference)
        });
        let bound = 0.5 * (3.0 / sizes.positive + 3.0 / sizes.negative);
        bound <= CREDIBLE_ERROR && differences.fold(0.0, f64::max) > 1.0 - PERFECT_SEPARATION
    }

    /// Returns Cox's calibration of the classifier's probabilities, or `None` without
    /// probabilities.
    pub(crate) fn cox_calibration(&self) -> Option<&CoxCalibration> {
        let probabilities = self.labelled.probabilities()?;
        Some(self.cox_calibration.get_or_init(|| CoxCalibration::new(probabilities)))
    }

    /// Returns the value that a quantifier reads for each labelled score.
    ///
    /// # Errors
    /// Returns an error if the transform or the family, as far as they are needed, do not fit the
    /// labelled scores.
    pub(crate) fn column(&self, column: InputKind) -> Result<&PerClass<Vec<f64>>, Error> {
        match (column, self.labelled.probabilities()) {
            (InputKind::Score, _) => Ok(self.labelled.scores()),
            (InputKind::Transformed, _) => self.transformed(),
            (InputKind::Posterior, Some(probabilities)) => Ok(probabilities),
            (InputKind::Balanced, _) => get_or_try_init(&self.balanced, || {
                let separation = self.separation()?;
                let balanced = |scores: &Vec<f64>| scores.iter().map(|score| separation.balanced(*score)).collect();
                Ok(self.transformed()?.map(balanced))
            }),
            (InputKind::Posterior, None) => get_or_try_init(&self.posteriors, || self.out_of_fold_posteriors()),
        }
    }

    /// Returns u = f⁺/(f⁺ + f⁻) as a function of the transformed score.
    fn ratio(&self) -> Result<&Balanced, Error> {
        get_or_try_init(&self.ratio, || self.separation().map(Balanced::new))
    }

    /// Returns the posterior probability of each labelled score from a fit without its fold.
    ///
    /// Posteriors of the scores that a fit has seen are overconfident, and rates learnt from them
    /// are biased. Scores with many ties are an exception, as a single one hardly affects the fit:
    /// they get the posterior of the whole fit. Equal test scores have the same posterior, so that
    /// histograms of posteriors put both into the same bin.
    fn out_of_fold_posteriors(&self) -> Result<PerClass<Vec<f64>>, Error> {
        let (whole_fit, prior) = (self.ratio()?, self.prior());
        let scores = self.transformed()?;
        let Some(FoldFits { folds, fits }) = self.fold_fits()? else {
            return Ok(scores.map(|scores| scores.iter().map(|score| whole_fit.posterior(prior, *score)).collect()));
        };
        Ok(scores.zip_map(folds, |scores, folds| {
            let mut ascending = scores.clone();
            ascending.sort_unstable_by(f64::total_cmp);
            let ties =
                |score: f64| ascending.partition_point(|s| *s <= score) - ascending.partition_point(|s| *s < score);
            let posterior = |(score, fold): (&f64, &Option<usize>)| match fold {
                Some(fold) if ties(*score) < MANY_TIES => sweep::at_prior(prior, fits[*fold].balanced(*score)),
                _ => whole_fit.posterior(prior, *score),
            };
            scores.iter().zip(folds.fold_of_each()).map(posterior).collect()
        }))
    }

    /// Returns the fits that each leave out one fold, or `None` if the labelled scores are too few
    /// or more than [`MANY_SCORES`].
    fn fold_fits(&self) -> Result<Option<&FoldFits>, Error> {
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
            Some(FoldFits { folds, fits })
        };
        let PerClass { positive, negative } = self.sizes();
        Ok(self.fold_fits.get_or_init(|| if positive + negative > MANY_SCORES { None } else { fits() }).as_ref())
    }

    /// Returns whether a column depends on the transform and the fitted family. The influence
    /// function of a sweep, which reads the transformed score, comes from the family.
    pub(crate) fn needs_family(&self, column: InputKind) -> bool {
        match column {
            InputKind::Score => false,
            InputKind::Transformed | InputKind::Balanced => true,
            InputKind::Posterior => self.labelled.probabilities().is_none(),
        }
    }

    /// Returns whether a column is the untransformed score.
    pub(crate) fn is_plain(&self, column: InputKind) -> bool {
        column == InputKind::Score || (column == InputKind::Transformed && self.transform == Transform::None)
    }

    /// Checks a batch before any tally is changed. `unit_interval` is the result of
    /// [`unit_interval`](Self::unit_interval) if a quantifier needs the family.
    ///
    /// # Errors
    /// Returns an error if a value is invalid, or if only one of the labelled and the test scores
    /// have probabilities.
    pub(crate) fn check(&self, batch: &Batch, unit_interval: Option<&'static str>) -> Result<(), Error> {
        match (self.labelled.probabilities(), batch.probabilities) {
            (Some(_), None) => return Err(Problem::ProbabilitiesMissing.into()),
            (None, Some(_)) => return Err(Problem::ProbabilitiesUnexpected.into()),
            _ => batch.check()?,
        }
        unit_interval.map_or(Ok(()), |needed_by| Error::unless_in_unit_interval(batch.scores, needed_by))
    }

    /// Returns the name of the transform or family that needs scores strictly between 0 and 1, if
    /// there is one.
    pub(crate) fn unit_interval(&self) -> Option<&'static str> {
        let bounded = self.fitted().is_some_and(|separation| separation.support() == (0.0, 1.0));
        match (self.transform, self.family) {
            (Transform::Logit, _) => Some(LOGIT_NAME),
            (Transform::None, Family::Auto) if bounded => Some("the beta family, which auto chose,"),
            (Transform::None, _) if bounded => Some(BETA),
            _ => None,
        }
    }

    /// Passes the column of a checked batch to `each` in chunks.
    ///
    /// # Errors
    /// Returns the errors of `each`, and an error if the transform or the family does not fit the
    /// labelled scores.
    pub(crate) fn read(
        &self,
        batch: &Batch,
        column: InputKind,
        mut each: impl FnMut(&[f64]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.is_plain(column) {
            return each(batch.scores);
        }
        if let (InputKind::Posterior, Some(probabilities)) = (column, batch.probabilities) {
            return each(probabilities);
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

/// Returns the greatest common divisor (Euclid).
fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
