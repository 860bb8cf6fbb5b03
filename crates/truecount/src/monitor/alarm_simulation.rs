//! Alarms of simulated series, to plan how soon a share beyond a bound is found.
//!
//! The labelled scores stand for the population of their classes (bootstrap; Efron 1979). A series has a
//! model that is fitted to a resample of them, with which it bets as [`JointErrors::monitor`] does. The
//! rows of all periods are drawn from the labelled scores. So a series includes the error of the labels,
//! which all of its periods share, and the optimism of a bet on means of scores that its function was
//! fitted to.

use super::betting::{BettingProcess, ScoreMoments};
use super::score_bet::ScoreBet;
use super::{Bound, alarm_threshold};
use crate::bootstrap::{check_units, refit_to_resample};
use crate::compare::JointErrors;
use crate::random::stream;
use crate::{Batch, Error, IntervalOptions, Method, Model, PerClass};
use rand::Rng;
use rand_distr::{Binomial, Distribution};
use std::collections::BTreeMap;

/// The number of steps of z, whose values within a step are replaced by their mean.
const STEPS: f64 = 128.0;

/// Simulated series of periods with equally many scores.
#[derive(Clone, Debug)]
pub struct AlarmSimulation<'a> {
    model: &'a Model,
    method: Method,
    bound: Bound,
    scores: u64,
    options: IntervalOptions,
    seed: u64,
}

/// Values of z that are drawn together, with their mean moments.
#[derive(Clone, Copy, Debug, Default)]
struct MeanStep {
    moments: [f64; 2],
    weight: f64,
}

impl MeanStep {
    fn add(&mut self, moments: [f64; 2], weight: f64) {
        self.weight += weight;
        let share = weight / self.weight;
        self.moments = [0, 1].map(|k| self.moments[k] + share * (moments[k] - self.moments[k]));
    }
}

impl<'a> AlarmSimulation<'a> {
    /// Creates the simulation of an alarm by a method of a model, with this number of independent scores in
    /// each period.
    ///
    /// # Errors
    /// Returns the errors of [`JointErrors::new`];
    /// [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) if the bound is not between 0 and
    /// 1 or there are no scores; and [`Problem::BootstrapOfClusters`](crate::Problem::BootstrapOfClusters)
    /// for labelled scores in clusters or strata.
    pub fn new(
        model: &'a Model,
        method: Method,
        bound: Bound,
        scores: u64,
        options: &IntervalOptions,
        seed: u64,
    ) -> Result<Self, Error> {
        JointErrors::new(model, method)?;
        bound.check()?;
        Error::unless_in_domain(scores > 0, ("the number of scores of a period", 0.0), "at least 1")?;
        check_units(model)?;
        Ok(Self { model, method, bound, scores, options: *options, seed })
    }

    /// Returns the index of the period that raises the alarm, if one of the periods does, in a series with
    /// each of these prevalences. All have the labels of the resample with this number, which raise no alarm
    /// if they allow no model.
    pub fn alarms(&self, prevalences: &[f64], periods: usize, number: u64) -> Vec<Option<usize>> {
        let mut rng = stream(self.seed, number);
        let Ok((bet, classes)) = self.resampled_bet(&mut rng) else { return vec![None; prevalences.len()] };
        let (ln_alarm, n) = (alarm_threshold(&self.options).ln(), self.scores as f64);
        let alarm = |prevalence: &f64| {
            let mut process = BettingProcess::new();
            (0..periods).find(|_| {
                let positives = draw_count(self.scores, *prevalence, &mut rng);
                let mut sums = [0.0; 2];
                add_scores(&classes.positive, positives, &mut sums, &mut rng);
                add_scores(&classes.negative, self.scores - positives, &mut sums, &mut rng);
                let scores = ScoreMoments { n, mean: sums[0] / n, square: sums[1] / n };
                process.add(&scores, bet.variance(), 1.0).ln_e >= ln_alarm
            })
        };
        prevalences.iter().map(alarm).collect()
    }

    /// Returns the bet of a resample of the labelled scores, with its z of all labelled scores.
    fn resampled_bet(&self, rng: &mut impl Rng) -> Result<(ScoreBet, PerClass<Vec<MeanStep>>), Error> {
        let model = refit_to_resample(self.model, rng)?;
        let bet = ScoreBet::new(&model, self.method, self.bound, self.scores as f64, &self.options)?;
        let labelled = self.model.labelled();
        let classes = labelled.scores().try_map(|class, scores| {
            let probabilities = labelled.probabilities().map(|probabilities| probabilities.get(class).as_slice());
            let moments = bet.score_moments(&model, &Batch { scores, probabilities, weights: None })?;
            let weights = labelled.weights().map(|weights| weights.get(class));
            let step_width = moments.iter().map(|[z, _]| *z).fold(0.0, f64::max) / STEPS;
            let mut steps: BTreeMap<i64, MeanStep> = BTreeMap::new();
            for (row, moments) in moments.into_iter().enumerate() {
                #[allow(clippy::cast_possible_truncation)] // a number of steps
                let step = (moments[0] / step_width).round() as i64;
                steps.entry(step).or_default().add(moments, weights.map_or(1.0, |weights| weights[row]));
            }
            Ok::<_, Error>(steps.into_values().collect())
        })?;
        Ok((bet, classes))
    }
}

/// Draws a binomial number.
fn draw_count(n: u64, share: f64, rng: &mut impl Rng) -> u64 {
    Binomial::new(n, share.clamp(0.0, 1.0)).map_or(0, |binomial| binomial.sample(rng))
}

/// Draws n scores of a class, and adds their z and z² to the sums.
fn add_scores(steps: &[MeanStep], mut n: u64, sums: &mut [f64; 2], rng: &mut impl Rng) {
    let mut weight: f64 = steps.iter().map(|step| step.weight).sum();
    for (index, step) in steps.iter().enumerate() {
        if n == 0 {
            return;
        }
        let is_last = index + 1 == steps.len();
        let count = if is_last { n } else { draw_count(n, step.weight / weight, rng) };
        (n, weight) = (n - count, weight - step.weight);
        *sums = [0, 1].map(|k| sums[k] + count as f64 * step.moments[k]);
    }
}
