//! The bootstrap of both samples (Efron 1979). Each replicate draws labelled scores with
//! replacement within each class, together with their weights, and refits the model to them; then
//! it draws each group's test scores with replacement and estimates the prevalence from them.
//!
//! A replicate depends only on the seed and on its number (a ChaCha8 stream for each), so that
//! replicates can be computed in any order and by any number of threads.

use crate::inference::MisfitAssessment;
use crate::labelled_scores::{draw_rows, select_rows};
use crate::model::Model;
use crate::problem::MAX_ROWS;
use crate::quantifier::{Estimates, Quantifier, VarianceSource};
use crate::random::stream;
use crate::shift_test::ShiftTally;
use crate::tally::MethodTally;
use crate::{Batch, Error, IntervalOptions, Method, Problem};
use rand::Rng;

/// A bootstrap of a model and groups of test scores.
///
/// # Examples
/// ```
/// use truecount::bootstrap::{Bootstrap, Replicate};
/// use truecount::{IntervalOptions, LabelledScores, Model, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let bootstrap = Bootstrap::new(&model, vec![(&[1.7, 0.2, -0.5, 2.2, 0.8]).into()], 1)?;
/// let replicates: Vec<Replicate> = (0..200).map(|number| bootstrap.replicate(number)).collect();
/// let estimate = &bootstrap.estimates(&replicates, &IntervalOptions::default())?[0][0];
/// let interval = estimate.interval.expect("nearly every resample allows an estimate");
/// assert!(interval.lower < estimate.prevalence && estimate.prevalence < interval.upper);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Bootstrap<'a> {
    model: &'a Model,
    groups: Vec<Batch<'a>>,
    tallies: Vec<(Vec<MethodTally>, Option<ShiftTally>)>,
    seed: u64,
}

/// The estimates of every quantifier in every group, from one resample.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicate {
    /// The unclipped estimates, by group and then by method; `None` if the resample allows no
    /// estimate.
    estimates: Vec<Option<f64>>,
}

impl<'a> Bootstrap<'a> {
    /// Creates the bootstrap of a model and groups of test scores.
    ///
    /// # Errors
    /// Returns [`Problem::NoTestScores`] for a group without scores;
    /// [`Problem::BootstrapOfWeighted`] for a group with weights;
    /// [`Problem::BootstrapOfClusters`] for labelled scores in clusters or strata; and an error for an
    /// invalid group, as [`Tally::update`](crate::Tally::update) does.
    pub fn new(model: &'a Model, groups: Vec<Batch<'a>>, seed: u64) -> Result<Self, Error> {
        check_units(model)?;
        let tally = |group: &Batch<'a>| {
            if group.scores.is_empty() {
                return Err(Problem::NoTestScores.into());
            }
            if group.weights.is_some() {
                return Err(Problem::BootstrapOfWeighted.into());
            }
            model.tally_batch(group)
        };
        let tallies = groups.iter().map(tally).collect::<Result<_, Error>>()?;
        Ok(Self { model, groups, tallies, seed })
    }

    /// Computes the replicate with this number.
    pub fn replicate(&self, number: u64) -> Replicate {
        let mut rng = stream(self.seed, number);
        let methods = self.model.quantifiers();
        let mut estimates = vec![None; self.groups.len() * methods.len()];
        if let Ok(model) = refit_to_resample(self.model, &mut rng) {
            for (group, estimates) in self.groups.iter().zip(estimates.chunks_mut(methods.len())) {
                let rows = draw_rows(group.scores.len(), &mut rng);
                let scores = select_rows(group.scores, &rows);
                let probabilities = group.probabilities.map(|probabilities| select_rows(probabilities, &rows));
                let mut states = model.method_tallies();
                let batch = Batch { scores: &scores, probabilities: probabilities.as_deref(), weights: None };
                // The automatic choice of a family may differ from the model's, and not allow every
                // score.
                if model.check_batch(&batch).and_then(|()| model.add(&mut states, &batch)).is_err() {
                    continue;
                }
                // The refitted methods are in the same order, but some may be missing.
                let mut refitted = model.quantifiers().iter().zip(&states).peekable();
                for (method, estimate) in methods.iter().map(Quantifier::method).zip(estimates) {
                    let same_method = refitted.next_if(|(quantifier, _)| quantifier.method() == method);
                    let raw = same_method.map(|(quantifier, state)| quantifier.raw(state));
                    *estimate = raw.filter(|raw| raw.is_finite());
                }
            }
        }
        Replicate { estimates }
    }

    /// Estimates the prevalence of every group with every method, with the standard error and the
    /// interval from the replicates.
    ///
    /// The options determine the level and the target of the interval, but not its kind.
    ///
    /// # Errors
    /// Returns no error for a bootstrap that [`new`](Self::new) has created.
    ///
    /// # Panics
    /// Panics if these are not replicates of this bootstrap.
    pub fn estimates(&self, replicates: &[Replicate], options: &IntervalOptions) -> Result<Vec<Estimates>, Error> {
        let quantifiers = self.model.quantifiers();
        let estimate = |group: usize, method: usize, assessed: Option<&MisfitAssessment>| {
            let index = group * quantifiers.len() + method;
            let raw: Vec<Option<f64>> = replicates.iter().map(|replicate| replicate.estimates[index]).collect();
            let (states, _) = &self.tallies[group];
            quantifiers[method].estimate(&states[method], VarianceSource::Replicates(&raw), assessed, options)
        };
        let estimates = |group: usize| {
            let assessed = self.model.assess(self.tallies[group].1.as_ref(), options)?;
            (0..quantifiers.len()).map(|method| estimate(group, method, assessed.as_ref())).collect()
        };
        (0..self.groups.len()).map(estimates).collect()
    }
}

impl Model {
    /// Refits the methods to a bootstrap resample of the labelled scores, as a
    /// [replicate](Bootstrap::replicate) with this seed and number does.
    ///
    /// Methods that the resample does not allow are missing.
    ///
    /// # Errors
    /// Returns [`Problem::BootstrapOfClusters`] for labelled scores in clusters or strata, and an
    /// error if the resample allows no method.
    pub fn refit_to_resample(&self, seed: u64, number: u64) -> Result<Self, Error> {
        check_units(self)?;
        refit_to_resample(self, &mut stream(seed, number))
    }
}

/// Returns an error for labelled scores in clusters or strata, which cannot be resampled one by one.
pub(crate) fn check_units(model: &Model) -> Result<(), Error> {
    match model.labelled().clusters().or(model.labelled().strata()) {
        Some(_) => Err(Problem::BootstrapOfClusters.into()),
        None => Ok(()),
    }
}

/// Refits the methods to a bootstrap resample of the labelled scores.
pub(crate) fn refit_to_resample(model: &Model, rng: &mut impl Rng) -> Result<Model, Error> {
    Model::fit(&model.labelled().bootstrap_sample(rng)?, &model.settings().clone().available_only())
}

/// A number of resamples that suffices for intervals of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resamples(u64);

impl Resamples {
    /// The default number of resamples.
    pub const DEFAULT: u64 = 1000;

    /// The largest number of resamples, with which the standard error is accurate to 0.1 %.
    pub const MAX: u64 = 1_000_000;

    /// Creates a number of resamples for intervals with these options, from scores with or without
    /// weights.
    ///
    /// # Errors
    /// Returns [`Problem::TooFewResamples`] below 2/(1 − level) − 1 resamples, which have no
    /// quantiles that far out; [`Problem::TooManyResamples`] above a million; and
    /// [`Problem::BootstrapOfWeighted`] for scores with weights, as resampling them would not
    /// imitate the survey.
    pub fn new(resamples: u64, weighted: bool, options: &IntervalOptions) -> Result<Self, Error> {
        if weighted {
            return Err(Problem::BootstrapOfWeighted.into());
        }
        let level = options.level();
        let least = 2.0 / (1.0 - level) - 1.0;
        if (resamples as f64) < least - 1e-6 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 0, and below 2^54 for any level
            let least = least.ceil() as u64;
            return Err(Problem::TooFewResamples { resamples, level, least }.into());
        }
        if resamples > Self::MAX {
            return Err(Problem::TooManyResamples { resamples, most: Self::MAX }.into());
        }
        Ok(Self(resamples))
    }

    /// Checks that the replicates of this number of estimates, one for each group and method, fit
    /// into memory.
    ///
    /// # Errors
    /// Returns [`Problem::BootstrapTooLarge`] for more than 10 million numbers.
    pub fn check_capacity(self, estimates: usize) -> Result<(), Error> {
        let (Self(resamples), most) = (self, MAX_ROWS);
        if u128::from(resamples) * estimates as u128 > u128::from(most) {
            return Err(Problem::BootstrapTooLarge { resamples, estimates, most }.into());
        }
        Ok(())
    }

    /// The number of resamples.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl Method {
    /// Describes the sources of uncertainty that a bootstrap with this number of resamples accounts
    /// for.
    pub fn bootstrap_variance_sources(self, resamples: u64) -> String {
        let exception = if self.is_uncorrected() { "; without the bias of the count" } else { "" };
        format!("bootstrap of both samples, {resamples} resamples{exception}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{JointErrors, LabelRelation, Overlap};
    use crate::distribution::{Distribution, Normal};
    use crate::{Estimate, LabelledScores, Settings, Target};

    const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];
    const LABELS: usize = 400;
    const REPLICATES: u64 = 800;

    /// Equally spaced quantiles of a normal with this mean: scores without sampling error.
    fn class(mean: f64, n: usize) -> impl Iterator<Item = f64> {
        let class = Normal::new(mean, 1.0).unwrap();
        (0..n).map(move |i| class.inverse_cdf((i as f64 + 0.5) / n as f64))
    }

    fn scores(positives: usize, negatives: usize) -> Vec<f64> {
        class(1.5, positives).chain(class(0.0, negatives)).collect()
    }

    fn covariance(a: &[f64], b: &[f64]) -> f64 {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (mean_a, mean_b) = (mean(a), mean(b));
        a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum::<f64>() / (a.len() - 1) as f64
    }

    /// Asserts that a covariance is within four Monte Carlo errors √((v₁v₂ + c²)/B) of the
    /// replicates'.
    fn assert_covariance(by_formula: f64, first: &[f64], second: &[f64], case: &str) {
        let by_replicates = covariance(first, second);
        let product = covariance(first, first) * covariance(second, second);
        let error = ((product + by_replicates * by_replicates) / first.len() as f64).sqrt();
        assert!(
            (by_formula - by_replicates).abs() < 4.0 * error,
            "{case}: {by_formula:e}, not {by_replicates:e} ± {error:e}"
        );
    }

    /// Replicates have the variance of the population. For the sample, the binomial variance is
    /// therefore added to the formula's variances, and to its covariances of two methods on the
    /// same scores.
    #[test]
    fn formula_variances_and_covariances_match_the_replicates() {
        let positive: Vec<bool> = (0..2 * LABELS).map(|i| i < LABELS).collect();
        let settings = Settings { methods: METHODS.to_vec(), cutoff: Some(0.75), ..Settings::default() };
        let train = LabelledScores::new(&scores(LABELS, LABELS), &positive).unwrap();
        let model = Model::fit(&train, &settings).unwrap().without_check();
        let groups = [scores(300, 700), scores(1200, 800)];
        let bootstrap = Bootstrap::new(&model, groups.iter().map(Batch::from).collect(), 1).unwrap();
        let replicates: Vec<Replicate> = (0..REPLICATES).map(|number| bootstrap.replicate(number)).collect();
        let replicated = |group: usize, method: usize| -> Vec<f64> {
            let index = group * METHODS.len() + method;
            replicates.iter().map(|replicate| replicate.estimates[index].unwrap()).collect()
        };
        for target in [Target::Sample, Target::Population] {
            let options = IntervalOptions::new(0.95, target).unwrap();
            let [first, second] = groups.each_ref().map(|group| model.estimate_with(group, &options).unwrap());
            let se = |estimate: &Estimate| estimate.std_error.unwrap();
            let binomial = |estimate: &Estimate| match target {
                Target::Sample => estimate.prevalence * (1.0 - estimate.prevalence) / estimate.n as f64,
                Target::Population => 0.0,
            };
            for (index, method) in METHODS.into_iter().enumerate() {
                let case = format!("{method} of the {target}");
                for (group, estimate) in [&first[index], &second[index]].into_iter().enumerate() {
                    let values = replicated(group, index);
                    assert_covariance(se(estimate).powi(2) + binomial(estimate), &values, &values, &case);
                }
                let by_formula = |joint: JointErrors, a: &Estimate, b: &Estimate, overlap| {
                    joint.difference(a, b, overlap, &options).unwrap().correlation * se(a) * se(b)
                };
                let (a, b) = (&first[index], &second[index]);
                let groups = by_formula(JointErrors::new(&model, method).unwrap(), a, b, Overlap::None);
                assert_covariance(groups, &replicated(0, index), &replicated(1, index), &case);

                let next = (index + 1) % METHODS.len();
                let (other, paired) = (METHODS[next], LabelRelation::Paired);
                let joint = JointErrors::for_two_models(&model, method, &model, other, paired).unwrap();
                let methods = by_formula(joint, a, &first[next], Overlap::All) + binomial(a);
                let case = format!("{case} and {}", METHODS[next]);
                assert_covariance(methods, &replicated(0, index), &replicated(0, next), &case);
            }
        }
    }
}
