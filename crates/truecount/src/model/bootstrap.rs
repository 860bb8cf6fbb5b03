//! The bootstrap of both samples (Efron 1979): labelled scores are drawn with replacement within each class, with their weights if they have
//! some, and everything is fitted to them anew, then each group's test scores are drawn with replacement, and estimated from.
//!
//! A replicate depends on the seed and its number alone (a ChaCha8 stream for each), so that they can be made in any order and
//! by any number of threads.

use super::Model;
use crate::check::ShiftTally;
use crate::inference::Assessed;
use crate::quantifier::{Estimates, Quantifier, VarianceSource};
use crate::random::stream;
use crate::scores::{rows, taken};
use crate::tally::TallyState;
use crate::{Batch, Error, IntervalOptions, Method, Problem};

/// A bootstrap of a model and groups of test scores.
///
/// # Examples
/// ```
/// use truecount::{Bootstrap, LabelledScores, Model, Replicate, IntervalOptions, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
/// let bootstrap = Bootstrap::new(&model, vec![(&[1.7, 0.2, -0.5, 2.2, 0.8]).into()], 1)?;
/// let replicates: Vec<Replicate> = (0..200).map(|number| bootstrap.replicate(number)).collect();
/// let estimate = &bootstrap.estimates(&replicates, &IntervalOptions::default())?[0][0];
/// let interval = estimate.uncertainty.expect("nearly every resample of these scores can be fitted");
/// assert!(interval.lower < estimate.prevalence && estimate.prevalence < interval.upper);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Bootstrap<'a> {
    model: &'a Model,
    groups: Vec<Batch<'a>>,
    tallied: Vec<(Vec<TallyState>, Option<ShiftTally>)>,
    seed: u64,
}

/// What every quantifier finds in every group of one replicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicate {
    /// The estimators as defined, by group and then by method; none where the resample allows no estimate.
    found: Vec<Option<f64>>,
}

impl<'a> Bootstrap<'a> {
    /// # Errors
    /// [`Problem::NoTestScores`] for a group without; [`Problem::BootstrapOfWeighted`] for one with weights;
    /// [`Problem::BootstrapOfClusters`] for a model of labelled scores in clusters; those of
    /// [`Model::update`].
    pub fn new(model: &'a Model, groups: Vec<Batch<'a>>, seed: u64) -> Result<Self, Error> {
        if model.labelled().clusters().is_some() {
            return Err(Problem::BootstrapOfClusters.into());
        }
        let tally = |group: &Batch<'a>| {
            if group.scores.is_empty() {
                return Err(Problem::NoTestScores.into());
            }
            if group.weights.is_some() {
                return Err(Problem::BootstrapOfWeighted.into());
            }
            let (mut states, mut shift) = (model.states(), model.empty_shift());
            model.check_batch(group)?;
            model.add(&mut states, group)?;
            model.add_to_shift(shift.as_mut(), group)?;
            let shift = model.shift_of(&states, shift);
            Ok((states, shift))
        };
        let tallied = groups.iter().map(tally).collect::<Result<_, Error>>()?;
        Ok(Self { model, groups, tallied, seed })
    }

    /// The replicate of that number.
    pub fn replicate(&self, number: u64) -> Replicate {
        let mut rng = stream(self.seed, number);
        let methods = self.model.quantifiers();
        let mut found = vec![None; self.groups.len() * methods.len()];
        let labelled = self.model.labelled().resampled(&mut rng);
        let fitted = labelled.and_then(|labelled| Model::fit_possible(&labelled, &self.model.settings));
        if let Ok((model, _)) = fitted {
            for (group, found) in self.groups.iter().zip(found.chunks_mut(methods.len())) {
                let rows = rows(group.scores.len(), &mut rng);
                let (scores, given) =
                    (taken(group.scores, &rows), group.probabilities.map(|given| taken(given, &rows)));
                let mut states = model.states();
                let batch = Batch { scores: &scores, probabilities: given.as_deref(), weights: None };
                // A family chosen anew may not allow every score.
                if model.check_batch(&batch).and_then(|()| model.add(&mut states, &batch)).is_err() {
                    continue;
                }
                // What could be fitted comes in the same order.
                let mut tallied = model.quantifiers().iter().zip(&states).peekable();
                for (method, found) in methods.iter().map(Quantifier::method).zip(found) {
                    let fitted = tallied.next_if(|(quantifier, _)| quantifier.method() == method);
                    *found = fitted.map(|(quantifier, state)| quantifier.raw(state)).filter(|raw| raw.is_finite());
                }
            }
        }
        Replicate { found }
    }

    /// The estimates of every group and method, with standard error and interval from the replicates.
    ///
    /// The interval's level and target are those of the reporting; its kind is not for the bootstrap.
    ///
    /// # Errors
    /// None for a bootstrap that could be made.
    ///
    /// # Panics
    /// When these are not replicates of this bootstrap.
    pub fn estimates(&self, replicates: &[Replicate], reporting: &IntervalOptions) -> Result<Vec<Estimates>, Error> {
        let quantifiers = self.model.quantifiers();
        let estimate = |group: usize, method: usize, assessed: Option<&Assessed>| {
            let place = group * quantifiers.len() + method;
            let found: Vec<Option<f64>> = replicates.iter().map(|replicate| replicate.found[place]).collect();
            let (states, _) = &self.tallied[group];
            quantifiers[method].estimate(&states[method], VarianceSource::Replicates(&found), assessed, reporting)
        };
        let estimates = |group: usize| {
            let assessed = self.model.assess(self.tallied[group].1.as_ref(), reporting)?;
            (0..quantifiers.len()).map(|method| estimate(group, method, assessed.as_ref())).collect()
        };
        (0..self.groups.len()).map(estimates).collect()
    }
}

/// What all resamples find, by group and method, is kept: so many numbers take 160 MB.
const KEPT: u64 = 10_000_000;

/// A number of resamples that is enough for intervals of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resamples(u64);

impl Resamples {
    /// How many are taken if nobody says how many.
    pub const DEFAULT: u64 = 1000;

    /// How many there can be: the standard error is then good to 0.1 %.
    pub const MOST: u64 = 1_000_000;

    /// So many, for intervals that are reported like this, of scores with or without weights.
    ///
    /// # Errors
    /// [`Problem::TooFewResamples`] below 2/(1 − level) − 1, which have no quantiles so far out; [`Problem::BootstrapOfWeighted`]
    /// for scores with weights: drawing them anew would not imitate the survey; [`Problem::TooManyResamples`] above a
    /// million.
    pub fn new(resamples: u64, weighted: bool, reporting: &IntervalOptions) -> Result<Self, Error> {
        if weighted {
            return Err(Problem::BootstrapOfWeighted.into());
        }
        let level = reporting.level();
        let least = 2.0 / (1.0 - level) - 1.0;
        if (resamples as f64) < least - 1e-6 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 0, and below 2^54 for any level
            let least = least.ceil() as u64;
            return Err(Problem::TooFewResamples { resamples, level, least }.into());
        }
        if resamples > Self::MOST {
            return Err(Problem::TooManyResamples { resamples, most: Self::MOST }.into());
        }
        Ok(Self(resamples))
    }

    /// Whether there is room for what they find of so many estimates, one for each group and method.
    ///
    /// # Errors
    /// [`Problem::BootstrapTooLarge`] above 10 million numbers.
    pub fn check_room(self, estimates: usize) -> Result<(), Error> {
        let (Self(resamples), most) = (self, KEPT);
        if u128::from(resamples) * estimates as u128 > u128::from(most) {
            return Err(Problem::BootstrapTooLarge { resamples, estimates, most }.into());
        }
        Ok(())
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl Method {
    /// What its standard error and interval account for if they come from a bootstrap of so many resamples.
    pub fn variance_of_bootstrap(self, resamples: u64) -> String {
        let about = if self.is_uncorrected() { "; without the bias of the count" } else { "" };
        format!("bootstrap of both samples, {resamples} resamples{about}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Distribution, Normal};
    use crate::{Estimate, JointErrors, LabelRelation, LabelledScores, Overlap, Settings, Target};

    const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];
    const LABELS: usize = 400;
    const REPLICATES: u64 = 800;

    /// The quantiles of a normal with this mean: scores of which nothing is by chance.
    fn class(mean: f64, n: usize) -> impl Iterator<Item = f64> {
        let class = Normal::new(mean, 1.0).unwrap();
        (0..n).map(move |i| class.quantile((i as f64 + 0.5) / n as f64))
    }

    fn scores(positives: usize, negatives: usize) -> Vec<f64> {
        class(1.5, positives).chain(class(0.0, negatives)).collect()
    }

    fn covariance(a: &[f64], b: &[f64]) -> f64 {
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let (of_a, of_b) = (mean(a), mean(b));
        a.iter().zip(b).map(|(x, y)| (x - of_a) * (y - of_b)).sum::<f64>() / (a.len() - 1) as f64
    }

    /// Within four Monte Carlo errors √((v₁v₂ + c²)/B) of the replicates' covariance, which for a variance is √(2/B) of it.
    fn assert_covariance(said: f64, first: &[f64], second: &[f64], what: &str) {
        let found = covariance(first, second);
        let product = covariance(first, first) * covariance(second, second);
        let error = ((product + found * found) / first.len() as f64).sqrt();
        assert!((said - found).abs() < 4.0 * error, "{what}: {said:e}, not {found:e} ± {error:e}");
    }

    /// For the sample, what drawing the test scores adds to the replicates is added to what is said: to variances, and to the covariance
    /// of two methods on the same scores. Two groups do not share it.
    #[test]
    fn variances_and_covariances_are_those_of_replicates() {
        let positive: Vec<bool> = (0..2 * LABELS).map(|i| i < LABELS).collect();
        let settings = Settings { methods: METHODS.to_vec(), cutoff: Some(0.75), ..Settings::default() };
        let train = LabelledScores::new(&scores(LABELS, LABELS), &positive).unwrap();
        let model = Model::fit(&train, &settings).unwrap().without_check();
        let groups = [scores(300, 700), scores(1200, 800)];
        let bootstrap = Bootstrap::new(&model, groups.iter().map(Batch::from).collect(), 1).unwrap();
        let replicates: Vec<Replicate> = (0..REPLICATES).map(|number| bootstrap.replicate(number)).collect();
        let found = |group: usize, method: usize| -> Vec<f64> {
            let place = group * METHODS.len() + method;
            replicates.iter().map(|replicate| replicate.found[place].unwrap()).collect()
        };
        for target in [Target::Sample, Target::Population] {
            let reporting = IntervalOptions::new(0.95, target).unwrap();
            let [first, second] = groups.each_ref().map(|group| model.estimate(group, &reporting).unwrap());
            let se = |estimate: &Estimate| estimate.uncertainty.unwrap().se;
            let drawing = |estimate: &Estimate| match target {
                Target::Sample => estimate.prevalence * (1.0 - estimate.prevalence) / estimate.n as f64,
                Target::Population => 0.0,
            };
            for (place, method) in METHODS.into_iter().enumerate() {
                let what = format!("{method} of the {target}");
                for (group, estimate) in [&first[place], &second[place]].into_iter().enumerate() {
                    let of_group = found(group, place);
                    assert_covariance(se(estimate).powi(2) + drawing(estimate), &of_group, &of_group, &what);
                }
                let said = |together: JointErrors, a: &Estimate, b: &Estimate, overlap| {
                    together.difference(a, b, overlap, &reporting).unwrap().correlation * se(a) * se(b)
                };
                let (a, b) = (&first[place], &second[place]);
                let groups = said(JointErrors::new(&model, method).unwrap(), a, b, Overlap::None);
                assert_covariance(groups, &found(0, place), &found(1, place), &what);
                // On the same scores.
                let next = (place + 1) % METHODS.len();
                let two =
                    JointErrors::for_two_models([(&model, method), (&model, METHODS[next])], LabelRelation::Paired)
                        .unwrap();
                let methods = said(two, a, &first[next], Overlap::All) + drawing(a);
                assert_covariance(methods, &found(0, place), &found(0, next), &format!("{what} and {}", METHODS[next]));
            }
        }
    }

    #[test]
    fn there_is_a_most_of_resamples_and_of_what_they_find() {
        let of = |resamples| Resamples::new(resamples, false, &IntervalOptions::default());
        assert_eq!(of(1_000_000), Ok(Resamples(1_000_000)));
        let refused = Err(Problem::TooManyResamples { resamples: 1_000_001, most: 1_000_000 }.into());
        assert_eq!(of(1_000_001), refused);
        assert_eq!(of(1000).unwrap().check_room(10_000), Ok(()));
        let refused = Problem::BootstrapTooLarge { resamples: 1000, estimates: 10_001, most: 10_000_000 }.into();
        assert_eq!(of(1000).unwrap().check_room(10_001), Err(refused));
        assert!(of(1_000_000).unwrap().check_room(usize::MAX).is_err());
    }

    #[test]
    fn an_end_of_an_interval_is_a_quantile_of_the_replicates() {
        let of =
            |resamples, level| Resamples::new(resamples, false, &IntervalOptions::new(level, Target::Sample).unwrap());
        assert!(of(39, 0.95).is_ok() && of(19, 0.9).is_ok() && of(199, 0.99).is_ok() && of(2, 0.001).is_ok());
        assert_eq!(of(38, 0.95), Err(Problem::TooFewResamples { resamples: 38, level: 0.95, least: 39 }.into()));
        assert!(matches!(of(198, 0.99).unwrap_err().problem(), Some(Problem::TooFewResamples { least: 199, .. })));
    }

    #[test]
    fn weights_are_refused() {
        assert_eq!(Resamples::new(1000, true, &IntervalOptions::default()), Err(Problem::BootstrapOfWeighted.into()));
    }
}
